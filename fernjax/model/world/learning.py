"""The world model as a problem: the tokens of an answer, each foretold from state, call and those before.

Letters: see `transformer`; M tokens of answers of a row, S places of the cache.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
from flax import linen as nn

from fernjax.model import optimizer, transformer
from fernjax.model.metrics import Work
from fernjax.model.stream import Batch
from fernjax.model.train import ModelProblem, assemble_plan
from fernjax.model.trainer import Arrays, Plan
from fernjax.model.transformer import Bud, Cache, KeyValues, ModelConfig
from fernjax.model.world.source import WorldSource


class WorldReader(nn.Module):
    """The transformer, told which tokens see which.

    A state's tokens see the whole state; those of a call and its answer see the state, and what is before
    them of their own.
    """

    config: ModelConfig

    def setup(self) -> None:
        self.bud = Bud(self.config)

    def __call__(
        self, ids_BxT: jax.Array, positions_BxT: jax.Array, segments_BxT: jax.Array, at_BxM: jax.Array
    ) -> jax.Array:
        """Logits of the tokens behind some places, float32 [B, M, V]."""
        T = ids_BxT.shape[1]
        state_BxT = segments_BxT == 0
        own_BxTxT = segments_BxT[:, :, None] == segments_BxT[:, None, :]
        sees_BxTxT = state_BxT[:, None, :] | (own_BxTxT & jnp.tril(jnp.ones((1, T, T), bool)))
        sees_BxTxT &= (ids_BxT != 0)[:, None, :]
        h_BxTxD = self.bud.states(ids_BxT, sees_BxTxT, positions_BxT)
        return self.bud.logits(jnp.take_along_axis(h_BxTxD, at_BxM[..., None], axis=1))

    def begin(
        self, ids_BxT: jax.Array, state_B: jax.Array, size: int
    ) -> tuple[jax.Array, tuple[KeyValues, ...]]:
        """Reads prompts, a state with a call behind it, into a cache.

        Args:
          ids_BxT: int32, padded with 0 behind.
          state_B: int32, tokens of the state.
          size: S.

        Returns:
          Logits behind the last token of each, float32 [B, V], and the cache.
        """
        B, T = ids_BxT.shape
        place_1xT = jnp.arange(T, dtype=jnp.int32)[None]
        in_state_BxT = place_1xT < state_B[:, None]
        sees_BxTxT = in_state_BxT[:, None, :] | jnp.tril(jnp.ones((1, T, T), bool))
        sees_BxTxS = jnp.pad(sees_BxTxT & (ids_BxT != 0)[:, None, :], ((0, 0), (0, 0), (0, size - T)))
        cache = Cache((), 0, size)
        h_BxTxD = self.bud.states(ids_BxT, sees_BxTxS, jnp.broadcast_to(place_1xT, (B, T)), cache)
        last_B = (ids_BxT != 0).sum(axis=1, dtype=jnp.int32) - 1
        h_Bx1xD = jnp.take_along_axis(h_BxTxD, last_B[:, None, None], axis=1)
        return self.bud.logits(h_Bx1xD)[:, 0], cache.kept

    def extend(
        self,
        token_B: jax.Array,
        position_B: jax.Array,
        sees_BxS: jax.Array,
        column: jax.Array,
        kept: tuple[KeyValues, ...],
    ) -> tuple[jax.Array, tuple[KeyValues, ...]]:
        """Reads one token more of each row: logits behind it, float32 [B, V], and the cache."""
        cache = Cache(kept, column, sees_BxS.shape[1])
        h_Bx1xD = self.bud.states(token_B[:, None], sees_BxS[:, None], position_B[:, None], cache)
        return self.bud.logits(h_Bx1xD)[:, 0], cache.kept


@dataclasses.dataclass(frozen=True)
class WorldModel(ModelProblem):
    """Next-observation prediction as a problem (`trainer.Problem`)."""

    def work(self, batch: Batch) -> Work:
        """Calls; tokens of rows; operations of the blocks for those."""
        tokens = int((batch["ids"] != 0).sum())
        flops = transformer.train_flops(self.model_config, tokens, batch["ids"].shape[1])
        return Work(int(batch["segments"].max(axis=1).sum()), tokens, flops)

    def init(self, seed: int) -> optimizer.Params:
        """See `ModelProblem`."""
        return init(seed, self.model_config)

    def loss_of(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """Mean over the tokens of answers, in nats, and the share of them that is foretold."""
        logits_BxMxV: Any = WorldReader(self.model_config).apply(
            {"params": params}, batch["ids"], batch["positions"], batch["segments"], batch["at"]
        )
        counts_BxM = batch["next"] != 0
        logp_BxM = jnp.take_along_axis(logits_BxMxV, batch["next"][..., None], axis=-1)[..., 0]
        logp_BxM -= jax.nn.logsumexp(logits_BxMxV, axis=-1)
        n = jnp.maximum(counts_BxM.sum(), 1)
        right_BxM = (logits_BxMxV.argmax(-1) == batch["next"]) & counts_BxM
        loss = -jnp.where(counts_BxM, logp_BxM, 0.0).sum() / n
        return loss, {"token_accuracy": right_BxM.sum() / n}


def init(seed: int, config: ModelConfig) -> dict[str, Any]:
    """First parameters, float32; a function of the seed."""
    return _init(jax.random.key(seed), config)


@functools.partial(jax.jit, static_argnums=1)
def _init(key: jax.Array, config: ModelConfig) -> dict[str, Any]:
    zeros = jnp.zeros((1, 8), jnp.int32)
    return WorldReader(config).init(key, zeros, zeros, zeros, zeros)["params"]


def make_plan(config: Any, seed: int) -> Plan:
    """The plan of one seed's world model, for `trainer.run`.

    Args:
      config: `configs/base.py`'s keys.
      seed: of the first parameters and of the data.
    """
    c, w = config.train, config.world
    return assemble_plan(
        config,
        problem=WorldModel(ModelConfig.from_config(config), bool(c.quant_noise)),
        source=WorldSource(
            apps=tuple(w.apps),
            seed=seed,
            vocab_size=config.model.vocab_size,
            calls=w.calls,
            row_length=w.row_length,
            state_length=w.state_length,
            answer_length=w.answer_length,
            turns=w.turns,
        ),
        seed=seed,
        steps=c.total_steps,
        peaks=(("adamw", float(c.peak_lr)), ("muon", float(c.muon_lr))),
        start_from=None,
        arguments={"world": w.to_dict()},
    )
