"""A learned world behind the interface of a simulator: `step(state, call) -> (state, observation)`."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from fernjax.model import checkpoint, quantize
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.transformer import KeyValues, ModelConfig
from fernjax.model.world.guide import Guide
from fernjax.model.world.learning import WorldReader, init
from fernjax.model.world.source import encode_call, encode_state, pad_length
from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State
from fernjax.sim.worlds.app import World
from fernjax.sim.worlds.language import UNREADABLE, Unreadable

Answer = tuple[State, Observation]


class LearnedWorld:
    """One app, foretold by a model. As pure as a simulator: the same state and call give the same answer.

    Args:
      params: of `learning.init`, trained.
      config: of the model.
      world: the app.
      state_length: tokens of a state that are read, at most.
      answer_length: tokens of an answer, at most.
    """

    def __init__(
        self, params: Any, config: ModelConfig, world: World, state_length: int, answer_length: int
    ) -> None:
        self.world = world
        self._params, self._config = params, config
        self._tokenizer = load_tokenizer(config.vocab_size)
        self._state_length, self._answer_length = state_length, answer_length

    @classmethod
    def load(cls, path: pathlib.Path, config: Any, world: World) -> LearnedWorld:
        """The world of a trained model's weights, rounded to int8 as they would ship.

        Args:
          path: of the weights.
          config: that they were trained with.
          world: the app, which need not be among those that it was trained on.

        Raises:
          UserError: they are not there, or of another model.
        """
        model = ModelConfig.from_config(config)
        like = jax.eval_shape(functools.partial(init, 0, model))
        params = quantize.round_int8(checkpoint.load_weights(path, like))
        return cls(params, model, world, config.world.state_length, config.world.answer_length)

    def step(self, state: State, call: Call) -> Answer:
        """The state after a call, and what is answered."""
        return self.steps([(state, call)])[0]

    def steps(self, asked: Sequence[tuple[State, Call]]) -> list[Answer]:
        """`step` of many at once."""
        guides = [Guide(self.world, self._tokenizer, state, call) for state, call in asked]
        states = [encode_state(s, self.world, self._tokenizer, self._state_length) for s, _ in asked]
        prompts = [
            [*state, *encode_call(s, c, self.world, self._tokenizer)]
            for state, (s, c) in zip(states, asked, strict=True)
        ]
        rows = 1 << (len(asked) - 1).bit_length()  # few shapes, hence few compiles
        length = pad_length(max(map(len, prompts)))
        ids = np.zeros((rows, length), np.int32)
        for b in range(rows):
            prompt = prompts[min(b, len(prompts) - 1)]
            ids[b, : len(prompt)] = prompt
        sizes = (ids != 0).sum(1).astype(np.int32)
        state_B = np.array([len(states[min(b, len(states) - 1)]) for b in range(rows)], np.int32)
        size = length + self._answer_length
        logits, kept = _begin(self._params, ids, state_B, size, self._config)
        sees = np.pad(ids != 0, ((0, 0), (0, self._answer_length)))
        for n in range(self._answer_length):
            token_B = _choose(np.asarray(logits), guides)
            if all(g.done for g in guides) or n == self._answer_length - 1:
                break
            sees[:, length + n] = True
            logits, kept = _extend(
                self._params, token_B, sizes + n, sees, np.int32(length + n), kept, self._config
            )
        return [_read(guide, asked[i][0]) for i, guide in enumerate(guides)]


def _choose(logits_BxV: np.ndarray, guides: Sequence[Guide]) -> np.ndarray:
    """The likeliest token of each row that may follow, which its guide takes; 0 behind an answer's end."""
    token_B = np.zeros(len(logits_BxV), np.int32)
    for b, guide in enumerate(guides):
        if not guide.done:
            allowed = np.asarray(guide.allowed)
            token_B[b] = allowed[logits_BxV[b, allowed].argmax()]
            guide.push(int(token_B[b]))
    return token_B


def _read(guide: Guide, state: State) -> Answer:
    if guide.done:
        try:
            return guide.read()
        except Unreadable:
            pass
    return state, UNREADABLE


@functools.partial(jax.jit, static_argnums=(3, 4))
def _begin(
    params: Any, ids_BxT: jax.Array, state_B: jax.Array, size: int, config: ModelConfig
) -> tuple[jax.Array, tuple[KeyValues, ...]]:
    read: Any = WorldReader(config).apply({"params": params}, ids_BxT, state_B, size, method="begin")
    return read


@functools.partial(jax.jit, static_argnums=6, donate_argnums=5)
def _extend(
    params: Any,
    token_B: jax.Array,
    position_B: jax.Array,
    sees_BxS: jax.Array,
    column: jax.Array,
    kept: tuple[KeyValues, ...],
    config: ModelConfig,
) -> tuple[jax.Array, tuple[KeyValues, ...]]:
    read: Any = WorldReader(config).apply(
        {"params": params}, token_B, position_B, sees_BxS, column, kept, method="extend"
    )
    return read
