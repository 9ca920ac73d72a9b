"""Groups of calls on one state, as arrays: a pure function of (apps, seed, index).

A row holds a state once, and behind it several calls with their answers, each of which sees the state and
itself alone:

    <begin> state ... | <call> create_event ... <status> created ... <end> | <call> list_events ... | ...

The state is that of an episode at some turn, the calls those that mixed policies would make there. No JAX.
"""

from __future__ import annotations

import dataclasses
import functools
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from fernjax.model.stream import Batch, Portable
from fernjax.model.tokenizer import BEGIN, END, Tokenizer, load_tokenizer
from fernjax.model.world.tokens import encode
from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State
from fernjax.sim.worlds.app import World, load_world
from fernjax.sim.worlds.episodes import POLICIES, Episodes

LENGTHS = (256, 384, 512, 640, 768, 896, 1024, 1280, 1536, 2048, 2560)
"""Padded lengths of a row, in tokens."""


@dataclasses.dataclass(frozen=True)
class WorldSource(Portable):
    """A source of groups, for `stream.Stream`.

    Attributes:
      apps: names of the apps, each as often as any other.
      seed: of the stream.
      vocab_size: of the tokenizer.
      calls: on one state, at most; as many as fit.
      row_length: tokens of a row, at most.
      state_length: tokens of a state, at most; what is behind is cut off.
      answer_length: tokens of an answer; a call with a longer one is drawn again.
      turns: of an episode before the calls, at most.
    """

    apps: tuple[str, ...]
    seed: int
    vocab_size: int
    calls: int
    row_length: int
    state_length: int
    answer_length: int
    turns: int

    def examples(self, start: int, stop: int) -> tuple[list[dict[str, Any]], Counter[str]]:
        """Groups `start` to `stop - 1`, and how many calls were drawn again since their answers were long."""
        redrawn: Counter[str] = Counter()
        return [self._group(i, redrawn) for i in range(start, stop)], redrawn

    def length(self, example: dict[str, Any]) -> int:
        """Padded length of a group, one of `LENGTHS`, in tokens: at most half of them are foretold."""
        return pad_length(max(len(example["ids"]), 2 * len(example["at"])))

    def collate(self, examples: Sequence[dict[str, Any]], length: int) -> Batch:
        """Groups as one batch.

        Returns:
          int32 `ids`, `positions` and `segments` [B, length] (0 is the state's segment), and for each token
          of an answer, `at` [B, M] where it is foretold, and `next` [B, M] what it is, 0 for none.
        """
        B, most = len(examples), length // 2
        out = {name: np.zeros((B, length), np.int32) for name in ("ids", "positions", "segments")}
        out |= {name: np.zeros((B, most), np.int32) for name in ("at", "next")}
        for b, example in enumerate(examples):
            for name, row in out.items():
                row[b, : len(example[name])] = example[name]
        return out

    def _group(self, index: int, redrawn: Counter[str]) -> dict[str, Any]:
        rng = random.Random(f"world:{self.seed}:{index}")
        world = self._worlds[rng.choice(self.apps)]
        domain = world.domain
        episodes = Episodes(domain, self.seed, rng.randint(0, self.turns))
        episode = episodes.episode(rng.randrange(1 << 40))
        state, group = episode.last, Rows(self._tokenizer, episode.last, world, self.state_length)
        for _ in range(3 * self.calls):
            policy = rng.choices(tuple(POLICIES), tuple(POLICIES.values()))[0]
            call = episodes.draw_call(rng, policy, state, episode.turns)
            after, seen = domain.step(state, call)
            if not group.add(call, after, seen, self.answer_length, self.row_length):
                redrawn["a long answer"] += 1
            if group.calls == self.calls:
                break
        return group.example()

    @functools.cached_property
    def _worlds(self) -> dict[str, World]:
        return {name: load_world(name) for name in self.apps}

    @functools.cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self.vocab_size)


class Rows:
    """The tokens of a state and of calls on it, while they are put together."""

    def __init__(self, tokenizer: Tokenizer, state: State, world: World, longest: int) -> None:
        self.calls = 0
        self._tokenizer, self._state, self._world = tokenizer, state, world
        prefix = encode_state(state, world, tokenizer, longest)
        self._size = len(prefix)
        self._ids, self._positions = list(prefix), list(range(len(prefix)))
        self._segments = [0] * len(prefix)
        self._at: list[int] = []
        self._next: list[int] = []

    def add(self, call: Call, after: State, seen: Observation, longest: int, room: int) -> bool:
        """Adds a call with its answer, where that is not too long and there is room."""
        asked = encode_call(self._state, call, self._world, self._tokenizer)
        row = self._world.language.write(self._state, call, after, seen)
        answer = [*encode(row, self._tokenizer)[1:], self._tokenizer.reserved_id(END)]
        if len(answer) > longest or len(self._ids) + len(asked) + len(answer) > room:
            return False
        self.calls += 1
        begun = len(self._ids) + len(asked) - 1
        self._ids += [*asked, *answer[:-1]]
        size = len(asked) + len(answer) - 1
        self._positions += range(self._size, self._size + size)
        self._segments += [self.calls] * size
        self._at += range(begun, begun + len(answer))
        self._next += answer
        return True

    def example(self) -> dict[str, Any]:
        """What `collate` takes."""
        return {
            "ids": self._ids,
            "positions": self._positions,
            "segments": self._segments,
            "at": self._at,
            "next": self._next,
        }


def encode_state(state: State, world: World, tokenizer: Tokenizer, longest: int) -> list[int]:
    """A state as tokens, cut off behind so many."""
    return [tokenizer.reserved_id(BEGIN), *encode(world.language.show(state), tokenizer)][:longest]


def encode_call(state: State, call: Call, world: World, tokenizer: Tokenizer) -> list[int]:
    """A call as tokens, and the mark behind which its answer begins."""
    return encode((*world.language.ask(state, call), "<status>"), tokenizer)


def pad_length(size: int) -> int:
    """The least of `LENGTHS` that holds so many tokens; a multiple of the largest where none does."""
    return next((n for n in LENGTHS if n >= size), -(-size // LENGTHS[-1]) * LENGTHS[-1])
