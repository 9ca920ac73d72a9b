"""A decoder-only transformer whose few unique blocks are applied several times, at any size.

Letters of shapes, here and in `heads`: B batch, L tokens of a sentence, K call tokens, T = L + K, D width,
H heads, G key-value heads, R = H / G, M = H + 2 G, C size of a head, F feed-forward, V vocabulary, N loops
over the core.

Borrowed: shared blocks (Dehghani et al., "Universal Transformers", 2018), RoPE (Su et al., 2021), RMSNorm
(Zhang and Sennrich, 2019), gated feed-forward (Shazeer, "GLU variants", 2020), grouped-query attention
(Ainslie et al., 2023), query-key norm (Henry et al., 2020), logit soft-cap (Gemma 2, 2024), zero-initialised
output projections (Zhang et al., "Fixup", 2019).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn

from fernjax.model import devices
from fernjax.model.tokenizer import MAX_CALL_TOKENS, call_name, reserved_names
from fernjax.sim.types import UserError

FAR = -1e9
"""Attention bias of a pair that may not see each other; finite, so that a row without any has no NaN."""

ATTENTIONS = ("prefix", "causal")
DTYPES = ("auto", "float32", "bfloat16")

Rope = tuple[jax.Array, jax.Array]
"""Cosines and sines, [T, C / 2], or [B, T, C / 2] where rows have positions of their own."""

KeyValues = tuple[jax.Array, jax.Array]
"""Keys and values of one application of a block, [B, S, G, C] each, S places in all."""


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    """`config.model`, hashable: see `configs/base.py` for what each key does.

    Raises:
      UserError: a value that cannot be, or two that do not fit together.
    """

    vocab_size: int
    width: int
    heads: int
    kv_heads: int
    ff_width: int
    stem_blocks: int
    core_blocks: int
    loops: int
    tail_blocks: int
    attention: str
    rope_base: float
    qk_norm: bool
    logit_cap: float
    embed_std: float
    max_length: int
    max_calls: int
    dtype: str

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise UserError(f"config.model.{name} {getattr(self, name)}; give at least {least}")
        if not self.stem_blocks + self.core_blocks + self.tail_blocks:
            raise UserError(
                "config.model: stem_blocks, core_blocks and tail_blocks are all 0; give one at least 1"
            )
        if self.rope_base <= 1 or self.embed_std <= 0 or self.logit_cap < 0:
            raise UserError(
                "config.model: rope_base must be above 1, embed_std above 0, logit_cap not below 0"
            )
        if self.width % self.heads or self.head_size % 2:
            raise UserError(
                f"config.model.width {self.width} over {self.heads} heads gives no even size; change one"
            )
        if self.heads % self.kv_heads:
            raise UserError(f"config.model.kv_heads {self.kv_heads} does not divide heads {self.heads}")
        if self.attention not in ATTENTIONS:
            raise UserError(f"config.model.attention {self.attention!r}; choose {' or '.join(ATTENTIONS)}")
        if not 1 <= self.max_calls <= MAX_CALL_TOKENS:
            raise UserError(f"config.model.max_calls {self.max_calls}; choose 1 to {MAX_CALL_TOKENS}")
        if self.dtype not in DTYPES:
            raise UserError(f"config.model.dtype {self.dtype!r}; choose {', '.join(DTYPES)}")

    @property
    def head_size(self) -> int:
        """C."""
        return self.width // self.heads

    @property
    def compute_dtype(self) -> Any:
        """Of activations; parameters are float32."""
        return devices.compute_dtype(self.dtype)

    @classmethod
    def from_config(cls, config: Any) -> ModelConfig:
        """From a whole config. Raises UserError, as `from_json` does."""
        return cls.from_json(dict(config.model.items()))

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> ModelConfig:
        """From the keys of `config.model`.

        Raises:
          UserError: a key too many, too few, or a value that cannot be.
        """
        names = {f.name for f in dataclasses.fields(cls)}
        for key in sorted(names ^ values.keys()):
            raise UserError(f"config.model.{key}: {'missing' if key in names else 'no such key'}")
        return cls(**values)


_LEAST = {
    "width": 1,
    "heads": 1,
    "kv_heads": 1,
    "ff_width": 1,
    "stem_blocks": 0,
    "core_blocks": 0,
    "loops": 1,
    "tail_blocks": 0,
    "max_length": 1,
}


def count_params(params: Any) -> int:
    """Unique parameters of a tree of arrays, or of their shapes."""
    return sum(leaf.size for leaf in jax.tree.leaves(params))


def count_applied(params: Any, config: ModelConfig) -> int:
    """Parameters of the blocks, each counted as often as it is applied; a token's compute goes with them."""
    total = 0
    for path, leaf in jax.tree_util.tree_leaves_with_path(params):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        if "/core_" in name:
            total += config.loops * leaf.size
        elif "/stem_" in name or "/tail_" in name:
            total += leaf.size
    return total


def train_flops(config: ModelConfig, tokens: int, length: float) -> float:
    """Floating-point operations that the blocks need to train on tokens: three times those of a pass.

    Args:
      config: the model.
      tokens: how many.
      length: that each of them attends to.
    """
    c = config
    heads = c.head_size * (2 * c.heads + 2 * c.kv_heads)  # query, key, value, output
    block = 2 * c.width * (heads + 3 * c.ff_width) + 4 * length * c.head_size * c.heads
    return 3.0 * tokens * block * (c.stem_blocks + c.core_blocks * c.loops + c.tail_blocks)


class RMSNorm(nn.Module):
    """Scales the last axis to a root mean square of one, in float32, then by a learnt scale, float32 [D].

    Any shape and float dtype in, the same out.
    """

    @nn.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        scale = self.param("scale", nn.initializers.ones, (x.shape[-1],))
        y = x.astype(jnp.float32)
        y = y * jax.lax.rsqrt(jnp.mean(y * y, axis=-1, keepdims=True) + 1e-6)
        return (y * scale.reshape((1,) * (x.ndim - 1) + (-1,))).astype(x.dtype)


class Linear(nn.Module):
    """A matrix without bias: [..., inputs] to [..., features], of the input's dtype; the kernel is float32.

    Activations are made 2-D first: 0.84 of the 3-D time on a CPU, both ways.

    Attributes:
      features: outputs.
      std: of the first weights; None for 1 / sqrt(inputs).
    """

    features: int
    std: float | None = None

    @nn.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        size = x.shape[-1]
        std = size**-0.5 if self.std is None else self.std
        kernel = self.param("kernel", nn.initializers.normal(std), (size, self.features))
        y = x.reshape(-1, size) @ kernel.astype(x.dtype)
        return y.reshape(*x.shape[:-1], self.features)


class Block(nn.Module):
    """Attention and a gated feed-forward, each behind a norm and added to the stream."""

    config: ModelConfig

    @nn.compact
    def __call__(
        self, x_BxTxD: jax.Array, bias_BxTxT: jax.Array, rope_TxC: Rope, cache: Cache | None = None
    ) -> jax.Array:
        """The stream after this block.

        Args:
          x_BxTxD: of the compute dtype.
          bias_BxTxT: float32, 0 where a query (rows) sees a key, `FAR` where it does not; where there is a
            cache, the keys are all that it holds, [B, T, S].
          rope_TxC: of `rope_tables`.
          cache: keys and values of tokens read before, which those of these join.

        Returns:
          [B, T, D], of the dtype of `x_BxTxD`.
        """
        y_BxTxD = RMSNorm(name="attention_norm")(x_BxTxD)
        x_BxTxD = x_BxTxD + self._attend(y_BxTxD, bias_BxTxT, rope_TxC, cache)
        y_BxTxD = RMSNorm(name="ff_norm")(x_BxTxD)
        gate_up = Linear(2 * self.config.ff_width, name="gate_up")(y_BxTxD)
        gate_BxTxF, up_BxTxF = jnp.split(gate_up, 2, axis=-1)
        return x_BxTxD + Linear(self.config.width, 0.0, name="down")(nn.silu(gate_BxTxF) * up_BxTxF)

    def _attend(
        self, x_BxTxD: jax.Array, bias_BxTxT: jax.Array, rope_TxC: Rope, cache: Cache | None
    ) -> jax.Array:
        c = self.config
        B, T, _ = x_BxTxD.shape
        H, G, C = c.heads, c.kv_heads, c.head_size
        qkv_BxTxMxC = Linear((H + 2 * G) * C, name="qkv")(x_BxTxD).reshape(B, T, H + 2 * G, C)
        q_BxTxHxC, k_BxTxGxC, v_BxTxGxC = jnp.split(qkv_BxTxMxC, (H, H + G), axis=2)
        if c.qk_norm:
            q_BxTxHxC = RMSNorm(name="q_norm")(q_BxTxHxC)
            k_BxTxGxC = RMSNorm(name="k_norm")(k_BxTxGxC)
        q_BxTxHxC, k_BxTxGxC = rotate(q_BxTxHxC, rope_TxC), rotate(k_BxTxGxC, rope_TxC)
        if cache is not None:
            k_BxTxGxC, v_BxTxGxC = cache.join(k_BxTxGxC, v_BxTxGxC)
        S = k_BxTxGxC.shape[1]
        q_BxGxRTxC = q_BxTxHxC.reshape(B, T, G, H // G, C).transpose(0, 2, 3, 1, 4).reshape(B, G, -1, C)
        scores_BxGxRTxT = jnp.einsum("bgtc,bsgc->bgts", q_BxGxRTxC, k_BxTxGxC).astype(jnp.float32) * C**-0.5
        scores_BxGxRxTxT = scores_BxGxRTxT.reshape(B, G, H // G, T, S) + bias_BxTxT[:, None, None]
        weights_BxGxRxTxT = nn.softmax(scores_BxGxRxTxT, axis=-1).astype(x_BxTxD.dtype)
        weights_BxGxRTxT = weights_BxGxRxTxT.reshape(B, G, -1, S)
        out_BxGxRTxC = jnp.einsum("bgts,bsgc->bgtc", weights_BxGxRTxT, v_BxTxGxC)
        out_BxTxHC = out_BxGxRTxC.reshape(B, H, T, C).transpose(0, 2, 1, 3).reshape(B, T, H * C)
        return Linear(c.width, 0.0, name="out")(out_BxTxHC)


class Cache:
    """Keys and values of tokens that were read, while blocks are applied one after the other.

    Args:
      kept: of each application of a block, in order; () for the first tokens.
      column: where those of the next tokens go, int32 ().
      size: S, places in all.
    """

    def __init__(self, kept: tuple[KeyValues, ...], column: jax.Array | int, size: int) -> None:
        self.kept: tuple[KeyValues, ...] = ()
        self._before, self._column, self._size = kept, column, size

    def join(self, k_BxTxGxC: jax.Array, v_BxTxGxC: jax.Array) -> KeyValues:
        """All keys and values of the next application of a block, those of these tokens among them."""
        B, _, G, C = k_BxTxGxC.shape
        empty = jnp.zeros((B, self._size, G, C), k_BxTxGxC.dtype)
        before = self._before[len(self.kept)] if self._before else (empty, empty)
        k_BxSxGxC, v_BxSxGxC = (
            jax.lax.dynamic_update_slice_in_dim(old, new, self._column, axis=1)
            for old, new in zip(before, (k_BxTxGxC, v_BxTxGxC), strict=True)
        )
        self.kept = (*self.kept, (k_BxSxGxC, v_BxSxGxC))
        return k_BxSxGxC, v_BxSxGxC


def rotate(x_BxTxHxC: jax.Array, rope_TxC: Rope) -> jax.Array:
    """RoPE: pairs (c, c + C/2) turned by the angle of their position; same shape and dtype out."""
    cos_TxC, sin_TxC = (
        (r[None, :, None] if r.ndim == 2 else r[:, :, None]).astype(x_BxTxHxC.dtype) for r in rope_TxC
    )
    first, second = jnp.split(x_BxTxHxC, 2, axis=-1)
    return jnp.concatenate([first * cos_TxC - second * sin_TxC, second * cos_TxC + first * sin_TxC], axis=-1)


@functools.lru_cache(maxsize=64)
def rope_tables(positions: tuple[int, ...], size: int, base: float) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines, float32 [T, size / 2]."""
    frequencies = base ** -(np.arange(size // 2) * 2.0 / size)
    angles = np.array(positions)[:, None] * frequencies[None]
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def _rope_of(positions_BxT: jax.Array, size: int, base: float) -> Rope:
    """`rope_tables` of positions that are known only when the model runs, [B, T, size / 2]."""
    frequencies = base ** -(np.arange(size // 2) * 2.0 / size)
    angles_BxTxC = positions_BxT[..., None].astype(jnp.float32) * frequencies.astype(np.float32)[None, None]
    return jnp.cos(angles_BxTxC), jnp.sin(angles_BxTxC)


class Bud(nn.Module):
    """Token ids to hidden states: `stem`, `core` applied `loops` times, `tail`.

    `read` answers for the specialist, `lm_logits` is the language model's head with the tied embedding.
    """

    config: ModelConfig

    def setup(self) -> None:
        c = self.config
        self.embed = self.param("embed", nn.initializers.normal(c.embed_std), (c.vocab_size, c.width))
        self.embed_norm = RMSNorm()
        self.stem = [Block(c) for _ in range(c.stem_blocks)]
        self.core = [Block(c) for _ in range(c.core_blocks)]
        self.tail = [Block(c) for _ in range(c.tail_blocks)]
        self.final_norm = RMSNorm()

    def read(self, ids_BxL: jax.Array) -> tuple[jax.Array, jax.Array]:
        """States of a sentence's tokens and of the call tokens behind it.

        Args:
          ids_BxL: int32, 0 is padding.

        Returns:
          Sentence states [B, L, D] and call states [B, K, D], of the compute dtype. They do not depend on
          how far a sentence is padded: call tokens have positions of their own, in front of it.
        """
        B, L = ids_BxL.shape
        K = self.config.max_calls
        names = reserved_names()
        calls = np.array([names.index(call_name(k)) for k in range(K)], np.int32)
        ids_BxT = jnp.concatenate([ids_BxL, jnp.broadcast_to(calls[None], (B, K))], axis=1)
        sees_TxT = np.ones((L + K, L + K), bool)
        if self.config.attention == "causal":
            sees_TxT[:L, :L] = np.tril(sees_TxT[:L, :L])
        sees_TxT[:L, L:] = False
        sees_TxT[L:, L:] = np.tril(sees_TxT[L:, L:])
        sees_BxTxT = jnp.asarray(sees_TxT)[None] & (ids_BxT != 0)[:, None, :]
        positions = (*range(K, K + L), *range(K))
        h_BxTxD = self._hidden(ids_BxT, sees_BxTxT, positions)
        return h_BxTxD[:, :L], h_BxTxD[:, L:]

    def read_whole(self, ids_BxL: jax.Array) -> jax.Array:
        """States of texts without call tokens, [B, L, D], each seen whole whatever `attention` says."""
        sees_BxLxL = jnp.broadcast_to((ids_BxL != 0)[:, None, :], (*ids_BxL.shape, ids_BxL.shape[1]))
        return self._hidden(ids_BxL, sees_BxLxL, tuple(range(ids_BxL.shape[1])))

    def lm_logits(self, ids_BxL: jax.Array, segments_BxL: jax.Array | None = None) -> jax.Array:
        """Strictly causal logits of the next token, float32 [B, L, V], soft-capped; see `lm_states`."""
        return self.logits(self.lm_states(ids_BxL, segments_BxL))

    def lm_states(self, ids_BxL: jax.Array, segments_BxL: jax.Array | None = None) -> jax.Array:
        """Strictly causal states, [B, L, D], whatever `attention` says; 0 is padding.

        Where there are `segments_BxL`, int32, a token sees those of its own segment alone.
        """
        L = ids_BxL.shape[1]
        sees_BxLxL = jnp.tril(jnp.ones((1, L, L), bool)) & (ids_BxL != 0)[:, None, :]
        if segments_BxL is not None:
            sees_BxLxL &= segments_BxL[:, :, None] == segments_BxL[:, None, :]
        return self._hidden(ids_BxL, sees_BxLxL, tuple(range(L)))

    def states(
        self,
        ids_BxT: jax.Array,
        sees_BxTxS: jax.Array,
        positions_BxT: jax.Array,
        cache: Cache | None = None,
    ) -> jax.Array:
        """States of tokens that see what they are said to see, [B, T, D].

        Args:
          ids_BxT: int32.
          sees_BxTxS: bool; S is T, or the places of the cache.
          positions_BxT: int32.
          cache: what was read before; these join it.
        """
        return self._hidden(ids_BxT, sees_BxTxS, positions_BxT, cache)

    def logits(self, h_BxTxD: jax.Array) -> jax.Array:
        """Logits of the next token, float32 [B, T, V], soft-capped, of states."""
        embed_VxD = self.embed.astype(h_BxTxD.dtype)
        logits_BxTxV = (h_BxTxD.reshape(-1, self.config.width) @ embed_VxD.T).astype(jnp.float32)
        return soft_cap(logits_BxTxV.reshape(*h_BxTxD.shape[:-1], -1), self.config.logit_cap)

    def _hidden(
        self,
        ids_BxT: jax.Array,
        sees_BxTxS: jax.Array,
        positions: tuple[int, ...] | jax.Array,
        cache: Cache | None = None,
    ) -> jax.Array:
        c = self.config
        x_BxTxD = self.embed_norm(jnp.take(self.embed, ids_BxT, axis=0).astype(c.compute_dtype))
        bias_BxTxS = jnp.where(sees_BxTxS, 0.0, FAR).astype(jnp.float32)
        if isinstance(positions, tuple):
            cos, sin = rope_tables(positions, c.head_size, c.rope_base)
            rope_TxC = jnp.asarray(cos), jnp.asarray(sin)
        else:
            rope_TxC = _rope_of(positions, c.head_size, c.rope_base)
        # Unrolled: a scan over the loops measured slower on CPUs.
        for block in (*self.stem, *(self.core * c.loops), *self.tail):
            x_BxTxD = block(x_BxTxD, bias_BxTxS, rope_TxC, cache)
        return self.final_norm(x_BxTxD)


def soft_cap(logits: jax.Array, cap: float) -> jax.Array:
    """`cap * tanh(logits / cap)`, elementwise, of one shape and dtype; unchanged where the cap is 0."""
    return cap * jnp.tanh(logits / cap) if cap else logits
