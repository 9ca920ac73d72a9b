"""Pools that only the mail app has: bodies, subjects, senders, addresses. One value a line, in `pools/`."""

from __future__ import annotations

import functools
import itertools
import pathlib
import re
from collections.abc import Iterator, Mapping

from fernjax.sim.pools import plain_sentences

_FOLDER = pathlib.Path(__file__).with_name("pools")

_SPOKEN_TO = re.compile(
    r"(?:i|i'm|i'll|i've|i'd|we|we're|we'll|are you|did you|do you|have you|will you|where are|when are|"
    r"when is|can we|the|my|it's|there's|that's|let's|thanks|don't|he|she|they|"
    r"what time|is the|is there|how was)\b",
    re.IGNORECASE,
)
"""How a sentence begins that one person could write to another."""

_TO_AN_ASSISTANT = re.compile(
    r"\b(?:e-?mails?|mails?|messages?|texts?|call|calls|contacts?|remind\w*|alarms?|timers?|calendar|playlist|"
    r"play|volume|lights?|list|weather|please|olly|alexa|siri|google|settings?|"
    r"your (?:name|voice|language|job))\b|[?!.]\s",
    re.IGNORECASE,
)


class _Pools(Mapping[str, tuple[str, ...]]):
    """The files of `pools/` by name, each read when first asked for; and those of `_MADE`."""

    def __getitem__(self, name: str) -> tuple[str, ...]:
        if name not in self._names():
            raise KeyError(name)
        made = _MADE.get(name)
        return _read(name) if made is None else made()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    @staticmethod
    @functools.cache
    def _names() -> tuple[str, ...]:
        return (*sorted(p.stem for p in _FOLDER.glob("*.txt")), *_MADE)


@functools.cache
def _read(name: str) -> tuple[str, ...]:
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


@functools.cache
def _natural_bodies() -> tuple[str, ...]:
    """Plain sentences of three to ten words that one person could as well write to another, lower-cased."""
    found: dict[str, None] = {}
    for sentence in plain_sentences():
        text = sentence.strip().lower().rstrip(" .?!,")
        if _SPOKEN_TO.match(text) and 3 <= len(text.split()) <= 10 and not _TO_AN_ASSISTANT.search(text):
            found.setdefault(text)
    return tuple(found)


@functools.cache
def _made_names() -> tuple[str, ...]:
    """Names that nobody has, of two or three syllables.

    A tiny model has met few of the names in a user's contacts: these teach it that a name is where it stands,
    not how it is spelt.
    """
    heads = "b br d dr f g gr h j k kh kl l m n p pr r s sh st t th tr v w x y z zh".split()
    vowels = "a e i o u ai ee ia oo ou".split()
    middles = "b d k l ll m n nd nj r rr s sh t v z".split()
    ends = "a an ash do el esh i ie in io is it ka la lin man o on ra sha ta us y".split()
    every = enumerate(itertools.product(heads, vowels, middles, ends))
    return tuple("".join(parts) for number, parts in every if number % _EVERY == 0)


_EVERY = 29  # prime to the lengths of the lists, so that every syllable is met
_MADE = {"natural_bodies": _natural_bodies, "made_names": _made_names}
"""Pools that are no file."""

MAIL_POOLS: Mapping[str, tuple[str, ...]] = _Pools()
"""Pools of the mail app by name."""
