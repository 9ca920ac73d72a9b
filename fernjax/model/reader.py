"""A broad model: it reads tools that it has never seen from their own words, and calls them.

The same transformer reads the tools (`prompt`), each alone, and the sentence. The states at a tool's marks
give the rows of `heads.Tables` that a specialist has as parameters; the answers are the specialist's. So a
specialist starts from a broad model by reading its tools once (`specialise`), and what it answers before any
step of its own is the broad model's zero-shot answer.

Letters: see `transformer` and `heads`; G groups of sentences, each with its own tools, M sentences of a
group, W tools of a group, E tokens of a tool, U = W + 2 (abstaining and "no more calls" behind the tools), R
texts of a group, O tokens of a text.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from fernjax.model import prompt
from fernjax.model.heads import (
    POINTERS,
    QUESTIONS,
    Answering,
    Arrays,
    Layout,
    Tables,
    init_params,
    judge,
    say,
    sum_of_parts,
    tool_log_probabilities,
)
from fernjax.model.spec import Spec
from fernjax.model.tokenizer import Tokenizer
from fernjax.model.transformer import ModelConfig

HEADS = ("text", "point", "choice")
"""Heads of a broad model: it points at what a specialist might spell."""


def loss(
    params: Any, batch: Arrays, config: ModelConfig, text_weight: float
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Mean loss of the calls, plus `text_weight` times that of the texts' next tokens.

    Args:
      params: of `init`.
      batch: of `corpus.mixture`: tools, sentences and texts, all with the groups in front.
      config: static.
      text_weight: static; 0 where there are no texts.

    Returns:
      Loss, float32 (), and scalars: as `heads.loss`, and `text_loss`, in nats a token.
    """
    reader = Reader(config)
    answers: Any = reader.apply({"params": params}, batch)
    judged = judge(answers, _flat(batch, TARGETS), _flat_layout(batch), _first_rows(batch))
    metrics = {name: x_B.mean(dtype=jnp.float32) for name, x_B in judged.items()}
    total = sum_of_parts(metrics)
    if text_weight:
        metrics["text_loss"] = _text_loss(reader, params, batch)
        total += text_weight * metrics["text_loss"]
    return total, metrics


def decode(params: Any, batch: Arrays, config: ModelConfig) -> dict[str, jax.Array]:
    """The likeliest valid answer to each sentence, as `heads.decode` gives it, [G * M, ...].

    `tool` is a place among the group's tools, W for abstaining, W + 1 for no more calls. `batch` needs no
    targets.
    """
    answers: Any = Reader(config).apply({"params": params}, batch, method="decode")
    return answers


compiled_decode = jax.jit(decode, static_argnums=2)
"""`decode`, compiled once a shape for whoever answers in a process."""


def _text_loss(reader: Reader, params: Any, batch: Arrays) -> jax.Array:
    ids_BxO = batch["text"].reshape(-1, batch["text"].shape[-1])
    segments_BxO = batch["segments"].reshape(ids_BxO.shape)
    logits_BxOxV: Any = reader.apply(
        {"params": params}, ids_BxO[:, :-1], segments_BxO[:, :-1], method="next_tokens"
    )
    target_BxO = ids_BxO[:, 1:]
    counts_BxO = (target_BxO != 0) & (segments_BxO[:, 1:] == segments_BxO[:, :-1])
    logp_BxO = jnp.take_along_axis(logits_BxOxV, target_BxO[..., None], axis=-1)[..., 0]
    logp_BxO -= jax.nn.logsumexp(logits_BxOxV, axis=-1)
    return -jnp.where(counts_BxO, logp_BxO, 0.0).sum() / jnp.maximum(counts_BxO.sum(), 1)


def init(seed: int, config: ModelConfig) -> dict[str, Any]:
    """First parameters, float32; a function of the seed."""
    return _init(jax.random.key(seed), config)


@functools.partial(jax.jit, static_argnums=1)
def _init(key: jax.Array, config: ModelConfig) -> dict[str, Any]:
    return Reader(config).init(key, jnp.zeros((1, 16), jnp.int32), method="first")["params"]


class Reader(Answering):
    """The transformer with heads whose tables are read from the tools' words."""

    def setup(self) -> None:
        D = self.config.width
        self._set_up([q for head in HEADS for q in QUESTIONS[head]])
        self.head_none_embed = self._none_embed()
        # Linear in the states, of the sizes that a specialist's own tables begin with.
        self.head_read_tool = _Readout(D, 0.3 * D**-0.5)  # D products are summed: logits of about 0.3
        self.head_read_scale = _Readout(2 * D, 0.1)
        self.head_read_shift = _Readout(2 * D, 0.5)
        self.head_read_none = _Readout(1, 0.1)
        self.head_read_choice = _Readout(D, 0.3)
        self.head_ending_embed = self.param("head_ending_embed", nn.initializers.normal(0.02), (2, D))
        self.head_unsaid_embed = self.param("head_unsaid_embed", nn.initializers.normal(0.3), (D,))

    def first(self, ids_BxL: jax.Array) -> None:
        """Touches every parameter once, for `init`."""
        h_BxLxD, g_BxKxD = self.bud.read(ids_BxL)
        self._keys(h_BxLxD)
        self.head_query(g_BxKxD)
        for read in (self.head_read_tool, self.head_read_scale, self.head_read_shift):
            read(h_BxLxD)
        self.head_read_none(h_BxLxD)
        self.head_read_choice(h_BxLxD)

    def next_tokens(self, ids_BxO: jax.Array, segments_BxO: jax.Array) -> jax.Array:
        """Logits of each next token of packed texts, float32 [B, O, V]."""
        return self.bud.lm_logits(ids_BxO, segments_BxO)

    def __call__(self, batch: Arrays) -> dict[str, jax.Array]:
        """Log-probabilities of the tools, and of the answers about the gold tools, as `heads.Caller` gives.

        B of the answers is G * M; `tool` is [B, K, U].
        """
        logp_BxKxU, ask = self._read_group(batch)
        return {"tool": logp_BxKxU} | ask(jnp.maximum(_flat(batch, ("tool",))["tool"], 0))

    def decode(self, batch: Arrays) -> dict[str, jax.Array]:
        """See `decode`."""
        logp_BxKxU, ask = self._read_group(batch)
        W = batch["tool_ids"].shape[1]
        return say(logp_BxKxU, ask, _flat(batch, INPUTS), _flat_layout(batch), W, _first_rows(batch))

    def _read_group(self, batch: Arrays) -> tuple[jax.Array, Callable[[jax.Array], dict[str, jax.Array]]]:
        """Log-probabilities of the tools, and what answers about the arguments of given ones, [B, K]."""
        G, W, E = batch["tool_ids"].shape
        states = self.bud.read_whole(batch["tool_ids"].reshape(G * W, E)).reshape(G, W * E, -1)
        inputs, layout, first_B = _flat(batch, INPUTS), _flat_layout(batch), _first_rows(batch)
        h_BxLxD, g_BxKxD = self.bud.read(inputs["ids"])
        tables, keys = self._tables(states, batch["slot_at"], batch["choice_at"]), self._keys(h_BxLxD)
        kernel_GxDxU, barred_GxU = self._tool_table(states[:, ::E], batch["tool_ids"][:, :, 0] != 0)
        g_GxQxD = g_BxKxD.reshape(G, -1, g_BxKxD.shape[-1])
        logits_GxQxU = jnp.einsum("gqd,gdu->gqu", g_GxQxD, kernel_GxDxU.astype(g_BxKxD.dtype))
        logits_GxQxU = logits_GxQxU.astype(jnp.float32) + barred_GxU[:, None]
        logits_BxKxU = logits_GxQxU.reshape(*g_BxKxD.shape[:2], W + 2)

        def ask(tool_BxK: jax.Array) -> dict[str, jax.Array]:
            return self._arguments(inputs, keys, g_BxKxD, tool_BxK + first_B[:, None], tables, layout)

        return tool_log_probabilities(logits_BxKxU, W), ask

    def read_tools(
        self, tool_ids_WxE: jax.Array, slot_at_S: jax.Array, choice_at_SxC: jax.Array
    ) -> tuple[jax.Array, Tables]:
        """The kernel that names a tool, [D, W + 2], and the arguments' tables, of one set of tools."""
        W, E = tool_ids_WxE.shape
        states = self.bud.read_whole(tool_ids_WxE).reshape(1, W * E, -1)
        tables = self._tables(states, slot_at_S[None], choice_at_SxC[None])
        return self._tool_table(states[:, ::E], jnp.ones((1, W), bool))[0][0], tables

    def _tool_table(self, states_GxWxD: jax.Array, there_GxW: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Kernels [G, D, U], and what bars the places without a tool, [G, U]."""
        keys_GxWxD = self.head_read_tool(states_GxWxD)
        G, W, D = keys_GxWxD.shape
        endings = jnp.broadcast_to(self.head_ending_embed[None].astype(keys_GxWxD.dtype), (G, 2, D))
        barred_GxU = jnp.where(jnp.pad(there_GxW, ((0, 0), (0, 2)), constant_values=True), 0.0, -1e9)
        return jnp.concatenate([keys_GxWxD, endings], axis=1).transpose(0, 2, 1), barred_GxU

    def _tables(self, states_GxFxD: jax.Array, slot_at_GxS: jax.Array, choice_at_GxSxC: jax.Array) -> Tables:
        """Rows of all groups' arguments, one below the other."""
        G, S = slot_at_GxS.shape
        D = states_GxFxD.shape[-1]
        at_slots = jnp.take_along_axis(states_GxFxD, slot_at_GxS[..., None], axis=1).reshape(G * S, D)
        chosen = choice_at_GxSxC.reshape(G, -1)[..., None]
        at_choices = jnp.take_along_axis(states_GxFxD, chosen, axis=1).reshape(G * S, -1, D)
        unsaid = jnp.broadcast_to(self.head_unsaid_embed[None, None].astype(at_choices.dtype), (G * S, 1, D))
        return Tables(
            scale_Sx2xP=1.0 + self.head_read_scale(at_slots).reshape(G * S, 2, D),
            shift_Sx2xP=self.head_read_shift(at_slots).reshape(G * S, 2, D),
            none_S=self.head_read_none(at_slots)[:, 0].astype(jnp.float32),
            choice_SxCxP=jnp.concatenate([unsaid, self.head_read_choice(at_choices)], axis=1),
        )


class _Readout(nn.Module):
    """A linear map with a bias; outputs have the given size where the input's root mean square is 1.

    The size is a factor behind the map, whose weights are those of any other matrix: so a step that moves
    every weight alike, as Adam's does, moves the outputs in proportion to their size.
    """

    features: int
    size: float

    @nn.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        D = x.shape[-1]
        kernel = self.param("kernel", nn.initializers.normal(D**-0.5), (D, self.features))
        bias = self.param("bias", nn.initializers.zeros, (self.features,))
        flat = x.reshape(-1, D) @ kernel.astype(x.dtype) + bias[None].astype(x.dtype)
        return self.size * flat.reshape(*x.shape[:-1], self.features)


INPUTS = ("ids", "starts", "ends", "kinds")
TARGETS = ("tool", "start", "end", "point", "choice")


def _flat(batch: Arrays, names: Sequence[str]) -> dict[str, jax.Array]:
    """Some of a batch's arrays of sentences, [G * M, ...]."""
    return {name: batch[name].reshape(-1, *batch[name].shape[2:]) for name in names}


def _first_rows(batch: Arrays) -> jax.Array:
    """The first row of the flat layout of each sentence's group, int32 [G * M]."""
    G, M = batch["ids"].shape[:2]
    U = batch["tool_ids"].shape[1] + 2
    return jnp.repeat(jnp.arange(G, dtype=jnp.int32) * U, M, total_repeat_length=G * M)


def _flat_layout(batch: Arrays) -> Layout:
    """All groups' layouts, one below the other: U rows a group, S arguments a group."""
    G, S = batch["slot_at"].shape
    offset = jnp.arange(G, dtype=jnp.int32)[:, None, None] * S
    slots = {
        head: (batch[f"slots_{head}"] + offset).reshape(-1, batch[f"slots_{head}"].shape[-1])
        for head in HEADS
    }
    exists = {head: batch[f"exists_{head}"].reshape(slots[head].shape) for head in HEADS}
    return Layout(slots, exists, batch["takes"].reshape(G * S, -1), batch["choices"].reshape(G * S))


def specialise(params: Any, config: ModelConfig, spec: Spec, tokenizer: Tokenizer) -> dict[str, Any]:
    """A specialist's first parameters from a broad model's, which reads the app's tools once.

    Args:
      params: of `init`, trained.
      config: of both; vocabulary, width and blocks are the same.
      spec: the app, in `point` mode.
      tokenizer: of the vocabulary.
    """
    own = init_params(0, config, spec)
    abstains = spec.out_of_scope
    read = [i for i in range(len(spec.tools)) if i != abstains]
    sizes = [len(spec.tools[i].arguments) for i in read]
    width = max(sizes)
    laid = prompt.lay_out([(spec, i) for i in read], tokenizer, len(read), width, {})
    kernel_DxU, tables = _read(params, laid["tool_ids"], laid["slot_at"], laid["choice_at"], config)
    column = {tool: w for w, tool in enumerate(read)} | {abstains: len(read)}
    columns = [column[i] for i in range(len(spec.tools))]
    rows = [w * width + a for w, size in enumerate(sizes) for a in range(size)]
    out = {
        "bud": params["bud"],
        "head_tool": {"kernel": kernel_DxU[:, np.array([*columns, len(read) + 1])]},
    }
    if rows:
        out |= _projections(params, spec)
        at = np.array(rows)
        out["head_scale"], out["head_slot_embed"] = tables.scale_Sx2xP[at], tables.shift_Sx2xP[at]
        out["head_none_bias"] = tables.none_S[at]
        if "head_choice_embed" in own:
            known = tables.choice_SxCxP[at][:, : spec.max_choices + 1]
            out["head_choice_embed"] = own["head_choice_embed"].at[:, : known.shape[1]].set(known)
    return {name: out[name] for name in own}


@functools.partial(jax.jit, static_argnums=4)
def _read(
    params: Any, tool_ids_WxE: jax.Array, slot_at_S: jax.Array, choice_at_SxC: jax.Array, config: ModelConfig
) -> tuple[jax.Array, Tables]:
    read: Any = Reader(config).apply(
        {"params": params}, tool_ids_WxE, slot_at_S, choice_at_SxC, method="read_tools"
    )
    return jax.tree.map(lambda x: x.astype(jnp.float32), read)


def _projections(params: Any, spec: Spec) -> dict[str, Any]:
    """Of a broad model's questions those that a specialist asks."""
    every = [q for head in HEADS for q in QUESTIONS[head]]
    asked = [q for head in HEADS if spec.width(head) for q in QUESTIONS[head]]
    out: dict[str, Any] = {"head_query": {"kernel": _parts(params["head_query"]["kernel"], every, asked)}}
    pointers = [q for q in every if q in POINTERS]
    pointed = [q for q in asked if q in POINTERS]
    if pointed:
        out["head_key"] = {"kernel": _parts(params["head_key"]["kernel"], pointers, pointed)}
        out["head_none_embed"] = params["head_none_embed"][np.array([pointers.index(q) for q in pointed])]
    return out


def _parts(kernel: jax.Array, have: list[str], want: list[str]) -> jax.Array:
    parts = dict(zip(have, jnp.split(kernel, len(have), axis=-1), strict=True))
    return jnp.concatenate([parts[name] for name in want], axis=-1)
