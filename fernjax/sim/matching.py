"""Which of an app's items the user's words mean.

Words are compared as sets of normalised, singular tokens. An item is meant by a title that is the words,
else by a title that holds them, else by anything of it that holds them (people, place), else by most of
them. Words that name a kind only ("my next meeting", "the event") choose by kind.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from fernjax.sim.text import normalize

STOP = frozenset(
    "a an the my our your this that some with at of for in on about to and by from is i me".split()
)
NEXT = frozenset(("next", "upcoming", "coming", "first"))
GENERIC = frozenset(
    "event meeting appointment reminder thing entry calendar item engagement one plan schedule all every "
    "any each date alert notification".split()
)
REMINDERS = frozenset(("reminder", "alert", "notification"))
EVENTS = frozenset(("event", "meeting", "appointment", "engagement", "date"))

Item = dict[str, Any]


class Words(NamedTuple):
    """What the user's words ask for.

    Attributes:
      content: tokens that an item must hold.
      generic: words that name a kind ("meeting"), which break ties.
      kind: `event`, `reminder` or "" where none is said.
      next: whether only the next one is meant.
      whole: all of their tokens.
    """

    content: frozenset[str]
    generic: frozenset[str]
    kind: str
    next: bool
    whole: frozenset[str]


@functools.lru_cache(maxsize=1 << 16)
def tokens(text: str) -> frozenset[str]:
    """Normalised tokens of a text, plural endings and stop words dropped."""
    return frozenset(_singular(t) for t in normalize(text).split()) - STOP


@functools.lru_cache(maxsize=1 << 16)
def read_words(text: str) -> Words:
    """The user's words for an item, told apart into content, kind and "next"."""
    all_tokens = tokens(text)
    generic = all_tokens & GENERIC
    kind = "reminder" if generic & REMINDERS else "event" if generic & EVENTS else ""
    content = all_tokens - GENERIC - NEXT
    return Words(content, generic, kind, bool(all_tokens & NEXT) and len(all_tokens) > 1, all_tokens)


def as_title(words: Words, items: Sequence[Item]) -> Words:
    """The words as a title, where "first" or "next" in them is part of one ("first date") and no order."""
    if words.next and any(tokens(i["title"]) == words.whole for i in items):
        return Words(words.whole, frozenset(), "", False, words.whole)
    return words


def find_items(
    words: Words, items: Sequence[Item], around: Callable[[Item], frozenset[str]], narrow: bool
) -> list[Item]:
    """The items that the words mean, in their order.

    Args:
      words: from `read_words`.
      items: with a `title`; those of the wrong kind already left out.
      around: tokens of all that an item says: title, people, place.
      narrow: whether one item is asked for, so that a title that equals the words beats one that holds
        them, and a kind that is in the title beats one that is not.
    """
    content = words.content
    if not content:
        return _by_kind(words, items, around)
    titles = [tokens(i["title"]) for i in items]
    found = [i for i, t in zip(items, titles, strict=True) if content <= t]
    if narrow and len(found) > 1:
        exact = content | words.generic
        equal = [i for i in found if tokens(i["title"]) in (content, exact)]
        found = equal or found
    if not found:
        said = [
            around(i) if i.get("attendees") or i.get("location") else t
            for i, t in zip(items, titles, strict=True)
        ]
        found = [i for i, s in zip(items, said, strict=True) if content <= s]
        if not found:
            found = _by_most(content, items, said)
    if narrow and len(found) > 1 and words.generic:
        found = [i for i in found if words.generic <= tokens(i["title"])] or found
    return found


def _by_kind(words: Words, items: Sequence[Item], around: Callable[[Item], frozenset[str]]) -> list[Item]:
    for kind in ("meeting", "appointment"):
        if kind in words.generic:
            met = kind == "meeting"
            named = [i for i in items if kind in tokens(i["title"]) or (met and i.get("attendees"))]
            return named or list(items)
    return list(items)


def _by_most(content: frozenset[str], items: Sequence[Item], said: list[frozenset[str]]) -> list[Item]:
    """The items that hold most of the words, at least half of them, or whose whole title is among them."""
    best, found = 0.5, []
    for item, words in zip(items, said, strict=True):
        if content.isdisjoint(words):
            continue
        score = len(content & words) / len(content)
        if score < 0.5 and tokens(item["title"]) <= content:
            score = 0.5
        if score > best:
            best, found = score, [item]
        elif score == best:
            found.append(item)
    return found


def _singular(token: str) -> str:
    if len(token) > 3 and token.endswith("s") and not token.endswith(("ss", "us", "is")):
        return token[:-1]
    return token
