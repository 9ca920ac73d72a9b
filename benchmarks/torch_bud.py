"""The transformer of `fernjax.model.transformer` in PyTorch, as PyTorch users write it, to time ours with.

The same blocks and the same loops over them, with PyTorch's own attention, norm and loss; strictly causal,
with the language model's head on the tied embedding. `load` takes parameters of ours, so that both compute
the same function, and `gradients` gives gradients in our form. `generate` writes an answer token by token, as
language models do, with or without a cache of keys and values.

Letters of shapes: see `fernjax.model.transformer`; S cached tokens. Needs PyTorch: `pip install -e .[bench]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from fernjax.model.transformer import ModelConfig, rope_tables

Rope = tuple[torch.Tensor, torch.Tensor]
"""Cosines and sines, [T, C / 2], or [B, 1, T, C / 2] where rows have positions of their own."""

Cache = tuple[torch.Tensor, torch.Tensor]
"""Keys and values of one application of a block, [B, G, S, C]; written in place."""

MAX_POSITIONS = 2048


class Block(nn.Module):
    """Attention and a gated feed-forward, each behind a norm and added to the stream."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        c = self.config = config
        self.attention_norm = nn.RMSNorm(c.width, eps=1e-6)
        self.qkv = nn.Linear(c.width, (c.heads + 2 * c.kv_heads) * c.head_size, bias=False)
        if c.qk_norm:
            self.q_norm = nn.RMSNorm(c.head_size, eps=1e-6)
            self.k_norm = nn.RMSNorm(c.head_size, eps=1e-6)
        self.out = nn.Linear(c.width, c.width, bias=False)
        self.ff_norm = nn.RMSNorm(c.width, eps=1e-6)
        self.gate_up = nn.Linear(c.width, 2 * c.ff_width, bias=False)
        self.down = nn.Linear(c.ff_width, c.width, bias=False)

    def forward(
        self,
        x_BxTxD: torch.Tensor,
        rope: Rope,
        cache: Cache | None = None,
        at: int = 0,
        sees_Bx1xTxS: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """The stream after this block.

        Args:
          x_BxTxD: the stream; its first token stands at place `at` of the cache.
          rope: of its tokens.
          cache: of this application; None where there is no earlier token.
          sees_Bx1xTxS: bool, which keys a token sees; None for all up to itself.
        """
        x_BxTxD = x_BxTxD + self._attend(self.attention_norm(x_BxTxD), rope, cache, at, sees_Bx1xTxS)
        gate_BxTxF, up_BxTxF = self.gate_up(self.ff_norm(x_BxTxD)).chunk(2, dim=-1)
        return x_BxTxD + self.down(F.silu(gate_BxTxF) * up_BxTxF)

    def _attend(
        self, x_BxTxD: torch.Tensor, rope: Rope, cache: Cache | None, at: int, sees: torch.Tensor | None
    ) -> torch.Tensor:
        c = self.config
        B, T, _ = x_BxTxD.shape
        H, G, C = c.heads, c.kv_heads, c.head_size
        q, k, v = self.qkv(x_BxTxD).view(B, T, H + 2 * G, C).split((H, G, G), dim=2)
        if c.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        q, k, v = rotate(q.transpose(1, 2), rope), rotate(k.transpose(1, 2), rope), v.transpose(1, 2)
        if cache is not None:
            keys, values = cache
            keys[:, :, at : at + T], values[:, :, at : at + T] = k, v
            k, v = keys[:, :, : at + T], values[:, :, : at + T]
        if T > 1 and H != G:  # copies are faster than `enable_gqa`, save of a whole cache for one token
            k, v = (x[:, :, None].expand(-1, -1, H // G, -1, -1).reshape(B, H, -1, C) for x in (k, v))
        # A single new token sees all of the cache: no mask.
        causal = sees is None and T > 1
        gqa = k.shape[1] != H
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=sees, is_causal=causal, enable_gqa=gqa)
        return self.out(out.transpose(1, 2).reshape(B, T, H * C))


def rotate(x_BxHxTxC: torch.Tensor, rope: Rope) -> torch.Tensor:
    """RoPE: pairs (c, c + C/2) turned by the angle of their position; same shape and dtype out."""
    cos, sin = (r.to(x_BxHxTxC.dtype) for r in rope)
    first, second = x_BxHxTxC.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


class TorchBud(nn.Module):
    """Token ids to logits: `stem`, `core` applied `loops` times, `tail`; names as in our parameters."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        c = self.config = config
        self.embed = nn.Embedding(c.vocab_size, c.width)
        self.embed_norm = nn.RMSNorm(c.width, eps=1e-6)
        self.stem = nn.ModuleList(Block(c) for _ in range(c.stem_blocks))
        self.core = nn.ModuleList(Block(c) for _ in range(c.core_blocks))
        self.tail = nn.ModuleList(Block(c) for _ in range(c.tail_blocks))
        self.final_norm = nn.RMSNorm(c.width, eps=1e-6)
        cos, sin = rope_tables(tuple(range(MAX_POSITIONS)), c.head_size, c.rope_base)
        self.register_buffer("cos", torch.tensor(cos), persistent=False)
        self.register_buffer("sin", torch.tensor(sin), persistent=False)

    @property
    def applied(self) -> list[Block]:
        """The blocks in the order in which they are applied."""
        return [*self.stem, *list(self.core) * self.config.loops, *self.tail]

    def forward(self, ids_BxL: torch.Tensor) -> torch.Tensor:
        """Logits of the next token, float32 [B, L, V]; padding (0) stands behind the text."""
        L = ids_BxL.shape[1]
        return self.logits(self.states(ids_BxL, (self.cos[:L], self.sin[:L])))

    def loss(self, ids_BxL: torch.Tensor) -> torch.Tensor:
        """Mean cross-entropy of each token but the first, given those before it; padding does not count."""
        logits = self(ids_BxL[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), ids_BxL[:, 1:].flatten(), ignore_index=0)

    def states(
        self,
        ids_BxT: torch.Tensor,
        rope: Rope,
        caches: list[Cache] | None = None,
        at: int = 0,
        sees_Bx1xTxS: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """States [B, T, D] of tokens at places `at`, `at + 1` ...; see `Block`."""
        x_BxTxD = self.embed_norm(self.embed(ids_BxT))
        for i, block in enumerate(self.applied):
            x_BxTxD = block(x_BxTxD, rope, None if caches is None else caches[i], at, sees_Bx1xTxS)
        return self.final_norm(x_BxTxD)

    def logits(self, h_BxTxD: torch.Tensor) -> torch.Tensor:
        """Float32 [B, T, V], soft-capped."""
        logits = F.linear(h_BxTxD, self.embed.weight).float()
        cap = self.config.logit_cap
        return cap * torch.tanh(logits / cap) if cap else logits

    @torch.inference_mode()
    def generate(self, prompts: list[list[int]], count: int, cached: bool) -> torch.Tensor:
        """The likeliest next token, `count` times.

        Args:
          prompts: ids, without padding; of different lengths only where `cached`.
          cached: whether keys and values are kept; else all is computed anew for each token.

        Returns:
          int64 [B, count].
        """
        if cached:
            return self._generate_cached(prompts, count)
        ids_BxT = torch.tensor(prompts)
        for _ in range(count):
            T = ids_BxT.shape[1]
            h_BxTxD = self.states(ids_BxT, (self.cos[:T], self.sin[:T]))
            ids_BxT = torch.cat([ids_BxT, self.logits(h_BxTxD[:, -1:]).argmax(-1)], dim=1)
        return ids_BxT[:, -count:]

    def _generate_cached(self, prompts: list[list[int]], count: int) -> torch.Tensor:
        c = self.config
        B, P = len(prompts), max(map(len, prompts))
        # Padded in front, so that the last token of every prompt stands at the same place.
        ids_BxT = torch.tensor([[0] * (P - len(p)) + p for p in prompts])
        pads_B = torch.tensor([P - len(p) for p in prompts])
        size = (B, c.kv_heads, P + count, c.head_size)
        caches = [(torch.zeros(size), torch.zeros(size)) for _ in self.applied]
        ragged = bool(pads_B.any())
        out: list[torch.Tensor] = []
        at = 0
        while len(out) < count:
            T = ids_BxT.shape[1]
            rope, sees = (self.cos[at : at + T], self.sin[at : at + T]), None
            if ragged:
                places_T = torch.arange(at, at + T)
                positions_BxT = (places_T[None] - pads_B[:, None]).clamp(min=0)
                rope = self.cos[positions_BxT][:, None], self.sin[positions_BxT][:, None]
                keys_S = torch.arange(at + T)
                sees = (keys_S[None, None] <= places_T[None, :, None]) & (
                    (keys_S[None, None] >= pads_B[:, None, None])
                    | (keys_S[None, None] == places_T[None, :, None])  # padding sees itself: no empty row
                )
                sees = sees[:, None]
            h_BxTxD = self.states(ids_BxT, rope, caches, at, sees)
            at += T
            ids_BxT = self.logits(h_BxTxD[:, -1:]).argmax(-1)
            out.append(ids_BxT)
        return torch.cat(out, dim=1)


def load(config: ModelConfig, params: Mapping[str, Any]) -> TorchBud:
    """A model of our parameters: those of `Bud`, a tree of arrays (of a `Caller`, its `bud`)."""
    model = TorchBud(config)
    with torch.no_grad():
        named = dict(model.named_parameters())
        ours = dict(_flat(params))
        if named.keys() != ours.keys():
            raise ValueError(f"parameters differ: {sorted(named.keys() ^ ours.keys())}")
        for name, value in ours.items():
            named[name].copy_(torch.tensor(value))
    return model


def gradients(model: TorchBud) -> dict[str, np.ndarray]:
    """Gradients, named as `flatten` names ours, kernels [inputs, outputs]."""
    out = {}
    for name, p in model.named_parameters():
        assert p.grad is not None, name
        out[name] = p.grad.numpy().T if p.ndim == 2 and name != "embed.weight" else p.grad.numpy()
    return out


def flatten(params: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Our tree by PyTorch's names, in our orientation."""
    return {n: v.T if v.ndim == 2 and n != "embed.weight" else v for n, v in _flat(params)}


def _flat(params: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """PyTorch's names and arrays: `core_0/qkv/kernel` [D, M] is `core.0.qkv.weight` [M, D]."""
    for key, value in params.items():
        if isinstance(value, Mapping):
            group, _, number = key.rpartition("_")
            inner = f"{group}.{number}" if number.isdigit() else key
            yield from _flat(value, f"{prefix}{inner}.")
        elif key == "kernel":
            yield f"{prefix}weight", np.asarray(value).T
        elif key == "scale":
            yield f"{prefix}weight", np.asarray(value)
        else:
            yield f"{prefix}{key}.weight", np.asarray(value)


def adamw(model: TorchBud, lr: float, settings: Any) -> torch.optim.Optimizer:
    """AdamW as `fernjax.model.optimizer` has it: matrices decay, norms and embeddings do not. Fused."""
    decays = [p for n, p in model.named_parameters() if p.ndim == 2 and n != "embed.weight"]
    others = [p for n, p in model.named_parameters() if p.ndim != 2 or n == "embed.weight"]
    groups = [
        {"params": decays, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=lr, betas=(settings.b1, settings.b2), eps=settings.eps, fused=True)
