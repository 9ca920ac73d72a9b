"""Normalised text, near-copies of sentences, and the split of the real ones.

Two texts are one value where their normal forms are equal; the normal form of a sentence also decides
whether it belongs to the gate or to the final set.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

LEADING = frozenset("a an the my our your this that some".split())
"""Words that say nothing at the head of a value."""

NEAR_COPY_JACCARD = (4, 5)
"""Smallest Jaccard index of two near-copies' token sets, as a fraction: 4/5 is exact, 0.8 is not."""


def normalize(text: str) -> str:
    """The normal form of a value or of a sentence.

    Case folded; "to-do", "to do" and their plurals made "todo"; punctuation dropped, except a `.`, `:` or
    `/` between two digits (`2.5`, `9:30`), addresses (`a@b.c`), a `-` between two characters of a word and
    a `#` at a word; blanks folded; then leading articles and determiners dropped, as long as a word follows.
    """
    return _normalize(text, "")


def tokens(text: str) -> tuple[str, ...]:
    """The words of the normal form."""
    return tuple(normalize(text).split())


def split_form(query: str) -> str:
    """The normal form by which real sentences are split, so that two with the same one are one sentence.

    The shipped sets were split with the colons and at signs of the query left in, so here they are.
    """
    return _normalize(query, ":@")


def half(query: str) -> str:
    """The half of the real sentences that a query belongs to: `gate` or `final`.

    SHA-256 of `split_form` in UTF-8; an even last hex digit is `gate`.
    """
    digest = hashlib.sha256(split_form(query).encode("utf-8")).hexdigest()
    return "final" if int(digest[-1], 16) % 2 else "gate"


class NearCopies:
    """An index of texts that finds the one that a sentence copies or nearly copies.

    Two texts are near-copies where their normal forms are equal or the Jaccard index of their token sets
    is at least 0.8. The search is exact: two such sets of n and m tokens share a token among the rarest
    `n - ceil(0.8 n) + 1` of the one and the rarest `m - ceil(0.8 m) + 1` of the other, under any one order of
    all tokens (prefix filtering: Bayardo, Ma and Srikant, "Scaling up all pairs similarity search", 2007).
    """

    def __init__(self, texts: Iterable[str]):
        normal = [normalize(t) for t in texts]
        self._equal: dict[str, int] = {}
        for index, text in enumerate(normal):
            self._equal.setdefault(text, index)
        self._sets = [frozenset(t.split()) for t in normal]
        count = Counter(token for tokens in self._sets for token in tokens)
        by_rarity = sorted(count, key=lambda token: (count[token], token))
        self._rank = {token: rank for rank, token in enumerate(by_rarity)}
        self._postings: dict[str, list[int]] = {}
        for index, tokens in enumerate(self._sets):
            for token in self._prefix(tokens):
                self._postings.setdefault(token, []).append(index)

    def __len__(self) -> int:
        return len(self._sets)

    def match(self, text: str) -> int | None:
        """Index of a text that `text` copies or nearly copies (an equal one first), or None."""
        normal = normalize(text)
        equal = self._equal.get(normal)
        if equal is not None:
            return equal
        tokens = frozenset(normal.split())
        size = len(tokens)
        part, whole = NEAR_COPY_JACCARD
        for token in self._prefix(tokens):
            for index in self._postings.get(token, ()):
                other = self._sets[index]
                if part * size > whole * len(other) or part * len(other) > whole * size:
                    continue
                shared = len(tokens & other)
                if whole * shared >= part * (size + len(other) - shared):
                    return index
        return None

    def _prefix(self, tokens: frozenset[str]) -> list[str]:
        """The rarest tokens of a set, enough that every near-copy shares one; unknown ones are rarest."""
        part, whole = NEAR_COPY_JACCARD
        length = len(tokens) - -(-part * len(tokens) // whole) + 1
        rank = self._rank
        return sorted(tokens, key=lambda token: rank.get(token, -1))[:length]


_PLAIN = re.compile(r"[a-z0-9\s]*")
_MARK = re.compile(r"[^\w\s]|_")
_ADDRESS = re.compile(r"(?<![\w.+-])(\w[\w.+-]*@\w[\w-]*(?:\.\w[\w-]*)*)")
_TODO = re.compile(r"\bto[- ]?dos?\b")


def _normalize(text: str, kept: str) -> str:
    text = text.casefold()
    if not _PLAIN.fullmatch(text):
        text = _drop_marks(text if text.isascii() else _fold_unicode(text), kept)
    text = " ".join(text.split())
    if "do" in text:
        text = _TODO.sub("todo", text)
    words = text.split(" ")
    if words[0] not in LEADING:
        return text
    start = 0
    while start < len(words) - 1 and words[start] in LEADING:
        start += 1
    return " ".join(words[start:])


def _drop_marks(text: str, kept: str) -> str:
    """A case-folded text without its punctuation, but for addresses, inner marks and those of `kept`."""

    def drop(mark: re.Match[str]) -> str:
        at, whole = mark.start(), mark.string
        before = whole[at - 1] if at else " "
        after = whole[at + 1] if at + 1 < len(whole) else " "
        mark_text = mark.group()
        if mark_text in ".:/" and before.isdecimal() and after.isdecimal():
            return mark_text
        if mark_text in "-_" and before.isalnum() and after.isalnum():
            return mark_text
        if mark_text == "#" and (before.isalnum() or after.isalnum()):
            return mark_text
        if mark_text in kept or unicodedata.category(mark_text)[0] == "M":
            return mark_text
        return ""

    if "@" not in text:
        return _MARK.sub(drop, text)
    parts = _ADDRESS.split(text)  # addresses stand at the odd places
    return "".join(p if i % 2 else _MARK.sub(drop, p) for i, p in enumerate(parts))


def _fold_unicode(text: str) -> str:
    """Dashes as `-`; all other punctuation and symbols beyond ASCII dropped; letters and marks stay."""
    out = []
    for character in text:
        if character.isascii():
            out.append(character)
            continue
        category = unicodedata.category(character)
        if category == "Pd":
            out.append("-")
        elif category[0] not in "PS" and category != "Cf":
            out.append(character)
    return "".join(out)
