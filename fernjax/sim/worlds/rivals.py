"""Worlds that learn nothing, to measure others by: an echo, the commonest answer, the nearest step known."""

from __future__ import annotations

import collections
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State
from fernjax.sim.worlds.app import Step, World
from fernjax.sim.worlds.language import UNREADABLE, Row, Unreadable

Answer = tuple[State, Observation]


class Echo:
    """Answers `ok`, with the call's arguments."""

    def steps(self, asked: Sequence[tuple[State, Call]]) -> list[Answer]:
        """The answer to each call on its state."""
        return [(state, Observation("ok", dict(call.arguments))) for state, call in asked]


class Commonest:
    """Answers each tool with the row that it was answered with most often.

    Args:
      world: the app.
      steps: that are known.
    """

    def __init__(self, world: World, steps: Iterable[Step]) -> None:
        self._world = world
        counts: dict[str, collections.Counter[Row]] = collections.defaultdict(collections.Counter)
        for call, row in _rows(world, steps):
            counts[call.name][row] += 1
        self._rows = {tool: rows.most_common(1)[0][0] for tool, rows in counts.items()}

    def steps(self, asked: Sequence[tuple[State, Call]]) -> list[Answer]:
        """The answer to each call on its state."""
        return [_read(self._world, state, call, self._rows.get(call.name, ())) for state, call in asked]


class Nearest:
    """Answers with the row of the known step whose call is nearest, by the words of both.

    Args:
      world: the app.
      steps: that are known.
    """

    def __init__(self, world: World, steps: Iterable[Step]) -> None:
        self._world = world
        self._known: dict[str, list[tuple[frozenset[str], Row]]] = collections.defaultdict(list)
        for call, row in _rows(world, steps):
            self._known[call.name].append((_words(call), row))

    def steps(self, asked: Sequence[tuple[State, Call]]) -> list[Answer]:
        """The answer to each call on its state."""
        return [_read(self._world, state, call, self._nearest(call)) for state, call in asked]

    def _nearest(self, call: Call) -> Row:
        words = _words(call)
        known = self._known.get(call.name, [])
        scored = [(len(words & other) / max(1, len(words | other)), -i) for i, (other, _) in enumerate(known)]
        return known[-max(scored)[1]][1] if scored else ()


def _rows(world: World, steps: Iterable[Step]) -> Iterator[tuple[Call, Row]]:
    return ((call, world.language.write(state, call, after, seen)) for state, call, after, seen in steps)


def _words(call: Call) -> frozenset[str]:
    """Names and values of a call's arguments, and the words of its texts."""
    out: set[str] = set()
    for name, value in call.arguments.items():
        out |= {name, f"{name}={_text(value)}", *_text(value).lower().split()}
    return frozenset(out)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=repr)


def _read(world: World, state: State, call: Call, row: Row) -> Answer:
    try:
        return world.language.read(state, call, row)
    except Unreadable:
        return state, UNREADABLE
