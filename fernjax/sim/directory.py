"""Things that go by a name (people, channels, projects): which one the user's words mean, and what is near.

A name that is the words wins over one that holds them, an alias (a handle, a role, a longer title) counts as
a name. One fitting thing is picked; several are `ambiguous`; none is `not_found`, with the names most like
it.
"""

from __future__ import annotations

import functools
import pathlib
import re
from collections.abc import Sequence
from typing import Any

from fernjax.sim.arguments import Refused
from fernjax.sim.matching import tokens
from fernjax.sim.types import Observation

Entry = dict[str, Any]
"""A thing with a `name` and its `aliases`."""

ME = frozenset(("me", "myself", "i", "mine"))
"""Words by which the user means themselves."""

MAX_SHOWN = 10
MAX_NEAR = 3
MIN_LIKENESS = 0.25
_NOUNS = frozenset(("channel", "room", "project", "board", "group"))
_BREAKS = re.compile(r"[-_.@#/]+")


def pick(said: str, entries: Sequence[Entry], argument: str) -> Entry:
    """The one entry that the words mean.

    Args:
      said: the user's words.
      entries: what there is.
      argument: the argument that holds the words, for the answer.

    Raises:
      Refused: `ambiguous` with the candidates, or `not_found` with what is near.
    """
    index = _index(tuple([(e["name"], *e["aliases"]) for e in entries]))
    found = index.find(said)
    if len(found) == 1:
        return entries[found[0]]
    if found:
        names = [entries[i]["name"] for i in found]
        shown = {"argument": argument, "candidates": names[:MAX_SHOWN], "count": len(names)}
        raise Refused(Observation("ambiguous", shown))
    similar = [entries[i]["name"] for i in index.near(said)]
    raise Refused(Observation("not_found", {argument: said, "similar": similar}))


class _Index:
    """Names by their letters, words and pairs of characters; each entry is its name and its aliases."""

    def __init__(self, entries: tuple[tuple[str, ...], ...]):
        self._exact: dict[str, int] = {}
        self._by_words: dict[frozenset[str], list[int]] = {}
        self._names = [[words(name) for name in entry] for entry in entries]
        self._by_word: dict[str, list[int]] = {}
        self._by_pair: dict[str, list[int]] = {}
        self._sizes = []
        for at, entry in enumerate(entries):
            self._exact.setdefault(squeezed(entry[0]), at)
            for name in dict.fromkeys(self._names[at]):
                self._by_words.setdefault(name, []).append(at)
            for word in frozenset().union(*self._names[at]):
                self._by_word.setdefault(word, []).append(at)
            pairs = _pairs(squeezed(entry[0]))
            self._sizes.append(len(pairs))
            for pair in pairs:
                self._by_pair.setdefault(pair, []).append(at)

    def find(self, said: str) -> list[int]:
        """Places of the entries that the words mean."""
        exact = self._exact.get(squeezed(said))
        if exact is not None:
            return [exact]
        want = words(said)
        equal = self._by_words.get(want)
        if equal is not None:
            return equal
        holding = self._by_word.get(min(want), ())
        return [at for at in holding if any(want <= name for name in self._names[at])]

    def near(self, said: str) -> list[int]:
        """Places of the entries whose names are most like the words, best first, by Dice's coefficient."""
        want = _pairs(squeezed(said))
        shared: dict[int, int] = {}
        for pair in want:
            for at in self._by_pair.get(pair, ()):
                shared[at] = shared.get(at, 0) + 1
        scored = [(-2 * n / (len(want) + self._sizes[at]), at) for at, n in shared.items()]
        return [at for score, at in sorted(scored)[:MAX_NEAR] if -score >= MIN_LIKENESS]


_index = functools.lru_cache(maxsize=1 << 10)(_Index)


@functools.lru_cache(maxsize=1 << 16)
def words(name: str) -> frozenset[str]:
    """The words of a name, marks between them dropped, and the noun that says what it is."""
    whole = tokens(_BREAKS.sub(" ", name))
    return whole - _NOUNS or whole or frozenset((squeezed(name),))


@functools.lru_cache(maxsize=1 << 16)
def squeezed(name: str) -> str:
    """A name's letters and digits only, in one case."""
    return "".join(c for c in name.casefold() if c.isalnum())


def is_me(said: str) -> bool:
    """Whether the words mean the user."""
    return squeezed(said) in ME


def read_pools(folder: pathlib.Path) -> dict[str, tuple[str, ...]]:
    """An app's own pools: its text files, one value a line."""
    return {
        path.stem: tuple(line for line in path.read_text(encoding="utf-8").splitlines() if line)
        for path in sorted(folder.glob("*.txt"))
    }


@functools.lru_cache(maxsize=1 << 16)
def _pairs(plain: str) -> frozenset[str]:
    """Pairs of neighbouring characters."""
    return frozenset(plain[i : i + 2] for i in range(max(1, len(plain) - 1)))
