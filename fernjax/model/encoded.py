"""A sentence as the model reads it: one token for each mention, the words around them, and what each may be.

No JAX here.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable, Sequence

import numpy as np

from fernjax.model.spec import Spec
from fernjax.model.tokenizer import KINDS, WORD, Tokenizer, fold
from fernjax.sim.types import Mention

LENGTHS = (12, 16, 20, 24, 32, 48, 96, 128)
"""Padded lengths of a sentence; each costs one compile. Only `write`, with `now` in front, needs the last."""

Arrays = dict[str, np.ndarray]


@dataclasses.dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence as the model reads it; lists of one entry per token.

    Attributes:
      ids: token ids.
      starts, ends: whether the token is the first, the last, of a word that a free text may begin, end, with.
      kinds: 1 + index into `KINDS` for a mention's token, else 0.
      chars: characters `[start, end)` of the token's word in the text; (0, 0) for a token of `now`.
      mention_at: index into `mentions`, or -1.
      text, mentions: the sentence, and those of its mentions that have a token.
    """

    ids: list[int]
    starts: list[bool]
    ends: list[bool]
    kinds: list[int]
    chars: list[tuple[int, int]]
    mention_at: list[int]
    text: str
    mentions: tuple[Mention, ...]

    def __len__(self) -> int:
        return len(self.ids)


def bucket(length: int) -> int:
    """The padded length for a sentence of `length` tokens.

    Raises:
      ValueError: longer than the longest.
    """
    for padded in LENGTHS:
        if length <= padded:
            return padded
    raise ValueError(f"a sentence of {length} tokens; the longest has {LENGTHS[-1]}")


def encode_query(
    text: str, mentions: Sequence[Mention], spec: Spec, tokenizer: Tokenizer, now: str = ""
) -> Encoded:
    """A sentence with each mention as one token (in `write` mode: its words, `now` in front).

    Args:
      text: the sentence.
      mentions: what the extractor finds in it, of any kinds; of two that overlap the first counts.
      spec: the app.
      tokenizer: of the model's vocabulary.
      now: ISO 8601, read in `write` mode alone.
    """
    kept = _disjoint(m for m in mentions if m.kind in spec.kinds)
    out = Encoded([], [], [], [], [], [], text, kept)
    folded = fold(text)
    if spec.argument_mode == "write":
        for i in tokenizer.encode(now_words(now)):
            _append(out, i, (0, 0))
        _add_words(out, folded, 0, len(folded), tokenizer)
        return out
    at = 0
    for index, mention in enumerate(kept):
        _add_words(out, folded, at, mention.start, tokenizer)
        i = tokenizer.mention_id(mention)
        kind = KINDS.index(mention.kind) + 1
        _append(out, i, (mention.start, mention.end), True, True, kind, index)
        at = mention.end
    _add_words(out, folded, at, len(folded), tokenizer)
    return out


def now_words(now: str) -> str:
    """`now` as `write` mode reads it: `wednesday 2026-03-04 09:30`."""
    day = datetime.date.fromisoformat(now[:10])
    return f"{_WEEKDAYS[day.weekday()]} {now[:10]} {now[11:16]}"


_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _disjoint(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return tuple(kept)


def _add_words(out: Encoded, folded: str, start: int, end: int, tokenizer: Tokenizer) -> None:
    for match in WORD.finditer(folded, start, end):
        word, (first, last) = match.group(), match.span()
        possessive = match.lastgroup == "possessive"
        glued = first > 0 and not folded[first - 1].isspace()
        ids = tokenizer.word_ids(word if glued else " " + word)
        whole = len(word) > 1 or word.isalnum()  # punctuation neither begins nor ends a free text
        for n, i in enumerate(ids):
            begins = whole and n == 0 and not (possessive and glued)
            _append(out, i, (first, last), begins, whole and n == len(ids) - 1)


def _append(
    out: Encoded,
    token: int,
    chars: tuple[int, int],
    starts: bool = False,
    ends: bool = False,
    kind: int = 0,
    mention: int = -1,
) -> None:
    out.ids.append(token)
    out.starts.append(starts)
    out.ends.append(ends)
    out.kinds.append(kind)
    out.chars.append(chars)
    out.mention_at.append(mention)


def inputs(encoded: Encoded) -> Arrays:
    """What the model reads of one sentence, arrays of its length."""
    return {
        "ids": np.array(encoded.ids, np.int32),
        "starts": np.array(encoded.starts, bool),
        "ends": np.array(encoded.ends, bool),
        "kinds": np.array(encoded.kinds, np.int32),
    }
