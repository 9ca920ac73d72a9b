"""What the model says: tool, free texts, mentions and choices of each call, from one pass.

Each call token's state g_k names a tool. The query of argument s is `(W g_k) * a_s + e_s`, elementwise, one
per kind of question; its keys are linear in the sentence's states. Only the arguments of the gold tool
(training) or of the chosen one (decoding) are asked. What stands for an argument (a_s, e_s and the like) is
a row of `Tables`: parameters of a specialist (`Caller`), or read from the tools' own words (`reader.Reader`).

Letters: see `transformer`; U tools with "no more calls" behind them, S arguments of all tools, A arguments of
one tool that a head answers, P = D, N = 1 + kinds of mention, C = 1 + choices.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from fernjax.model import written
from fernjax.model.codec import MAX_WORDS, NOT_ASKED, NOT_SAID
from fernjax.model.spec import Spec
from fernjax.model.tokenizer import KINDS
from fernjax.model.transformer import FAR, Bud, Linear, ModelConfig

Arrays = Mapping[str, jax.Array]
Array = jax.Array | np.ndarray

QUESTIONS = {"text": ("start", "end"), "point": ("point",), "choice": ("choice",), "write": ("write",)}
"""The questions that are asked about an argument of each head."""

POINTERS = ("start", "end", "point")
"""Questions that a place in the sentence answers."""


class Layout(NamedTuple):
    """Which arguments the tools have, and what each may be.

    Attributes:
      slots: by head, int32 [U, A]: the arguments of each tool that it answers; 0 where there is none.
      exists: by head, bool [U, A]: whether there is one. A head without arguments is in neither.
      takes_SxN: float32, whether an argument takes each kind of mention; column 0, no mention, is 0.
      choices_S: int32, 1 + choices of an argument.
    """

    slots: Mapping[str, Array]
    exists: Mapping[str, Array]
    takes_SxN: Array
    choices_S: Array


class Tables(NamedTuple):
    """What the heads know of the arguments beside their layout; float32, None where no argument wants it.

    Attributes:
      scale_Sx2xP, shift_Sx2xP: a_s and e_s, by question of the argument's head.
      none_S: bias towards "not said".
      choice_SxCxP: of each choice; place 0 is "not said".
    """

    scale_Sx2xP: Any = None
    shift_Sx2xP: Any = None
    none_S: Any = None
    choice_SxCxP: Any = None


@functools.lru_cache(maxsize=64)
def layout_of(spec: Spec) -> Layout:
    """The layout of one app, in NumPy: constants under `jit`."""
    slots, exists = {}, {}
    for head in QUESTIONS:
        if spec.width(head):
            columns = np.array(spec.columns(head), np.int32)
            columns = np.concatenate([columns, np.full_like(columns[:1], -1)])  # "no more calls" has none
            slots[head], exists[head] = np.maximum(columns, 0), columns >= 0
    return Layout(
        slots=slots,
        exists=exists,
        takes_SxN=np.array([[0.0] + [float(k in s.kinds) for k in KINDS] for s in spec.slots], np.float32),
        choices_S=np.array([1 + len(s.argument.choices) for s in spec.slots], np.int32),
    )


def loss(
    params: Any, batch: Arrays, config: ModelConfig, spec: Spec
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Mean over a batch of the summed negative log-likelihood of all that each sentence's answer says.

    Args:
      params: of `init_params`.
      batch: of `codec.collate`.
      config, spec: static.

    Returns:
      Loss, float32 (), and scalars: `loss_tool`, `loss_text`, `loss_point` ... (its parts), `tool_accuracy`
      (first call), `answer_accuracy` (every decision right).
    """
    answers: Any = Caller(config, spec).apply({"params": params}, batch, batch["tool"])
    judged = judge(answers, batch, layout_of(spec))
    metrics = {name: x_B.mean(dtype=jnp.float32) for name, x_B in judged.items()}
    return sum_of_parts(metrics), metrics


def judge(answers: Arrays, batch: Arrays, layout: Layout, first_B: Array | int = 0) -> dict[str, jax.Array]:
    """How each sentence's gold answer fares.

    Args:
      answers: of `Caller` or `reader.Reader`, asked about the gold tools.
      batch: with the targets of `codec.encode_scenario`.
      layout: of the tools.
      first_B: int32, the layout's first row of each sentence's own tools.

    Returns:
      By sentence, [B]: float32 `loss_tool`, `loss_text` ...; bool `tool_accuracy` (first call) and
      `answer_accuracy` (every decision right).
    """
    gold_BxK = jnp.maximum(batch["tool"], 0)
    row_BxK = gold_BxK + jnp.reshape(jnp.asarray(first_B), (-1, 1))
    asked_BxK = batch["tool"] != NOT_ASKED
    hit_BxK = answers["tool"].argmax(-1) == gold_BxK
    right_B = (hit_BxK | ~asked_BxK).all(1)
    parts_B = {"tool": (_picked(answers["tool"], gold_BxK) * asked_BxK).sum(1)}
    for head, exists_UxA in layout.exists.items():
        exists_BxKxA = jnp.asarray(exists_UxA)[row_BxK] & asked_BxK[:, :, None]
        parts_B[head] = jnp.zeros(right_B.shape, jnp.float32)
        for question in QUESTIONS[head]:
            gold = batch[question]
            asked = exists_BxKxA & (gold != NOT_SAID) if question == "end" else exists_BxKxA
            logp, hit = (_spelt if question == "write" else _said)(answers[question], gold)
            parts_B[head] += jnp.where(asked, logp, 0.0).sum((1, 2))
            right_B &= (hit | ~asked).all((1, 2))
    losses = {f"loss_{name}": -logp_B for name, logp_B in parts_B.items()}
    return losses | {"tool_accuracy": hit_BxK[:, 0], "answer_accuracy": right_B}


def sum_of_parts(metrics: Arrays) -> jax.Array:
    """The sum of all whose name begins with `loss_`, float32 ()."""
    parts = [x for name, x in metrics.items() if name.startswith("loss_")]
    return sum(parts, jnp.zeros((), jnp.float32))


def decode(params: Any, inputs: Arrays, config: ModelConfig, spec: Spec) -> dict[str, jax.Array]:
    """The likeliest valid answer to each sentence.

    Args:
      params: of `init_params`.
      inputs: `ids`, `starts`, `ends`, `kinds`, [B, L] each, padded with 0.

    Returns:
      int32 `tool` [B, K] (T: no more), `start`, `end`, `point`, `choice` [B, K, A] (0: not said), in `write`
      mode log-probabilities `write` [B, K, A, 10, S], and `logp` [B, J], float32: the log-probability of each
      decision that was taken, 0 where none was.
    """
    answers: Any = Caller(config, spec).apply({"params": params}, inputs, method="decode")
    return answers


def init_params(seed: int, config: ModelConfig, spec: Spec) -> dict[str, Any]:
    """First parameters, float32; a function of the seed."""
    return _init(jax.random.key(seed), config, spec)


@functools.partial(jax.jit, static_argnums=(1, 2))
def _init(key: jax.Array, config: ModelConfig, spec: Spec) -> dict[str, Any]:
    inputs = {name: jnp.zeros((1, 16), jnp.int32) for name in ("ids", "kinds")}
    inputs |= {name: jnp.zeros((1, 16), bool) for name in ("starts", "ends")}
    tool = jnp.zeros((1, config.max_calls), jnp.int32)
    return Caller(config, spec).init(key, inputs, tool)["params"]


class Answering(nn.Module):
    """The transformer, and answers about arguments given their tables."""

    config: ModelConfig

    def _set_up(self, questions: Sequence[str]) -> None:
        D = self.config.width
        self.bud = Bud(self.config)
        self.questions = list(questions)
        self.pointers = [q for q in self.questions if q in POINTERS]
        if self.questions:
            self.head_query = Linear(D * len(self.questions))
        if self.pointers:
            self.head_key = Linear(D * len(self.pointers), 0.3 * D**-0.5)
        if "write" in self.questions:
            self.head_write = Linear(written.LENGTH * len(written.SYMBOLS), 0.02)

    def _none_embed(self) -> jax.Array:
        """What stands for "not said", one more place to point at, [pointers, P]."""
        return self.param(
            "head_none_embed", nn.initializers.normal(0.3), (len(self.pointers), self.config.width)
        )

    def _keys(self, h_BxLxD: jax.Array) -> dict[str, jax.Array]:
        if not self.pointers:
            return {}
        parts = jnp.split(self.head_key(h_BxLxD), len(self.pointers), axis=-1)
        return dict(zip(self.pointers, parts, strict=True))

    def _arguments(
        self,
        inputs: Arrays,
        keys: dict[str, jax.Array],
        g_BxKxD: jax.Array,
        row_BxK: jax.Array,
        tables: Tables,
        layout: Layout,
    ) -> dict[str, jax.Array]:
        """Log-probabilities by question, [B, K, A, 1 + L] or [B, K, A, C] or [B, K, A, 10, symbols].

        `row_BxK` are the layout's rows of the tools that are asked about.
        """
        if not self.questions:
            return {}
        parts = jnp.split(self.head_query(g_BxKxD), len(self.questions), axis=-1)
        query = dict(zip(self.questions, parts, strict=True))
        out = {}
        for head, slots_UxA in layout.slots.items():
            slot_BxKxA = jnp.asarray(slots_UxA)[row_BxK]
            for column, question in enumerate(QUESTIONS[head]):
                scale = _rows(tables.scale_Sx2xP[:, column], slot_BxKxA)
                shift = _rows(tables.shift_Sx2xP[:, column], slot_BxKxA)
                q_BxKxAxP = query[question][:, :, None] * scale + shift
                if question == "write":
                    logits = self.head_write(q_BxKxAxP).astype(jnp.float32)
                    logits = logits.reshape(*slot_BxKxA.shape, written.LENGTH, len(written.SYMBOLS))
                elif question == "choice":
                    logits = _choices(q_BxKxAxP, slot_BxKxA, tables, layout)
                else:
                    none_BxKxAx1 = self._none(question, q_BxKxAxP, slot_BxKxA, tables)
                    logits = _points(question, q_BxKxAxP, slot_BxKxA, keys[question], inputs, layout)
                    logits = jnp.concatenate([none_BxKxAx1, logits], axis=-1)
                out[question] = nn.log_softmax(logits, axis=-1)
        return out

    def _none(self, question: str, q_BxKxAxP: jax.Array, slot_BxKxA: jax.Array, tables: Tables) -> jax.Array:
        B, K, A, P = q_BxKxAxP.shape
        none_P = self.head_none_embed[self.pointers.index(question)].astype(q_BxKxAxP.dtype)
        none = (q_BxKxAxP.reshape(-1, P) @ none_P).astype(jnp.float32).reshape(B, K, A, 1)
        none = none * P**-0.5 + tables.none_S[slot_BxKxA][..., None]
        return jnp.full_like(none, FAR) if question == "end" else none  # asked only of what is said


class Caller(Answering):
    """The transformer with the heads of one app.

    Attributes:
      spec: of the config's `max_calls`.
    """

    spec: Spec

    def setup(self) -> None:
        config, spec, D = self.config, self.spec, self.config.width
        if spec.max_calls != config.max_calls:
            raise ValueError(f"a spec of {spec.max_calls} calls, a model of {config.max_calls}")
        self._set_up([q for head, qs in QUESTIONS.items() if spec.width(head) for q in qs])
        self.head_tool = Linear(len(spec.tools) + 1, 0.02)
        if not self.questions:
            return
        S = len(spec.slots)
        self.head_scale = self.param("head_scale", nn.initializers.ones, (S, 2, D))
        self.head_slot_embed = self.param("head_slot_embed", nn.initializers.normal(0.5), (S, 2, D))
        if self.pointers:
            self.head_none_embed = self._none_embed()
            self.head_none_bias = self.param("head_none_bias", nn.initializers.zeros, (S,))
        if spec.width("choice"):
            shape = (S, spec.max_choices + 1, D)
            self.head_choice_embed = self.param("head_choice_embed", nn.initializers.normal(0.3), shape)

    def __call__(self, inputs: Arrays, tool_BxK: jax.Array) -> dict[str, jax.Array]:
        """Log-probabilities of the tools, and of every answer about the arguments of the tools given.

        Args:
          inputs: `ids`, `starts`, `ends`, `kinds`, [B, L] each, padded with 0.
          tool_BxK: int32, the tool whose arguments are asked about; any index up to T, also below 0, where
            nothing is asked: those answers mean nothing.

        Returns:
          float32: `tool` [B, K, T + 1]; by question `start`, `end`, `point` [B, K, A, 1 + L], `choice`
          [B, K, A, 1 + choices], `write` [B, K, A, 10, symbols]. Place 0 says "not said".
        """
        h_BxLxD, g_BxKxD = self.bud.read(inputs["ids"])
        arguments = self._asked(inputs, h_BxLxD, g_BxKxD, tool_BxK)
        return {"tool": self._tools(g_BxKxD)} | arguments

    def decode(self, inputs: Arrays) -> dict[str, jax.Array]:
        """See `decode`."""
        h_BxLxD, g_BxKxD = self.bud.read(inputs["ids"])
        ask = functools.partial(self._asked, inputs, h_BxLxD, g_BxKxD)
        return say(self._tools(g_BxKxD), ask, inputs, layout_of(self.spec), self.spec.out_of_scope)

    def _tools(self, g_BxKxD: jax.Array) -> jax.Array:
        logits_BxKxU = self.head_tool(g_BxKxD).astype(jnp.float32)
        return tool_log_probabilities(logits_BxKxU, self.spec.out_of_scope)

    def _asked(
        self, inputs: Arrays, h_BxLxD: jax.Array, g_BxKxD: jax.Array, tool_BxK: jax.Array
    ) -> dict[str, jax.Array]:
        if not self.questions:
            return {}
        tables = Tables(
            scale_Sx2xP=self.head_scale,
            shift_Sx2xP=self.head_slot_embed,
            none_S=self.head_none_bias if self.pointers else None,
            choice_SxCxP=self.head_choice_embed if self.spec.width("choice") else None,
        )
        layout = layout_of(self.spec)
        return self._arguments(inputs, self._keys(h_BxLxD), g_BxKxD, tool_BxK, tables, layout)


def say(
    logp_BxKxU: jax.Array,
    ask: Callable[[jax.Array], Arrays],
    inputs: Arrays,
    layout: Layout,
    out_of_scope: int,
    first_B: Array | int = 0,
) -> dict[str, jax.Array]:
    """The likeliest valid answer; see `decode`.

    Args:
      logp_BxKxU: of `tool_log_probabilities`.
      ask: log-probabilities of the answers about the arguments of given tools, int32 [B, K].
      inputs: of the sentences.
      layout: of the tools.
      out_of_scope: the tool that abstains.
      first_B: as `judge` has it.
    """
    ends = logp_BxKxU.shape[-1] - 1
    tool_BxK = logp_BxKxU.argmax(-1).astype(jnp.int32)
    ended_BxK = (tool_BxK == ends) | (tool_BxK == out_of_scope)
    before_BxK = jnp.cumsum(ended_BxK, axis=1) - ended_BxK > 0
    tool_BxK = jnp.where(before_BxK, ends, tool_BxK)
    out = {"tool": tool_BxK}
    logps = [jnp.where(before_BxK, 0.0, _picked(logp_BxKxU, tool_BxK))]
    is_call_BxK = tool_BxK < ends
    answers = ask(tool_BxK)
    row_BxK = tool_BxK + jnp.reshape(jnp.asarray(first_B), (-1, 1))
    for head, exists_UxA in layout.exists.items():
        asked_BxKxA = is_call_BxK[:, :, None] & jnp.asarray(exists_UxA)[row_BxK]
        if head == "text":
            found, logp = _best_span(answers["start"], answers["end"], inputs)
            out |= {name: jnp.where(asked_BxKxA, value, 0) for name, value in found.items()}
        elif head == "write":
            out["write"] = answers["write"]
            none = answers["write"][..., 0, written.NONE]
            logp = jnp.where(none > jnp.log(0.5), none, answers["write"].max(-1).sum(-1))
        else:
            said, logp = _best(answers[head])
            out[head] = jnp.where(asked_BxKxA, said, 0)
        logps.append(jnp.where(asked_BxKxA, logp, 0.0).reshape(logp.shape[0], -1))
    out["logp"] = jnp.concatenate(logps, axis=1)
    return out


def tool_log_probabilities(logits_BxKxU: jax.Array, out_of_scope: int) -> jax.Array:
    """float32 [B, K, U]. The last place says "no more", which no first call is; no later one abstains."""
    _, K, U = logits_BxKxU.shape
    barred_KxU = np.zeros((K, U), np.float32)
    barred_KxU[0, U - 1] = FAR
    barred_KxU[1:, out_of_scope] = FAR
    return nn.log_softmax(logits_BxKxU + barred_KxU[None], axis=-1)


def _points(
    question: str,
    q_BxKxAxP: jax.Array,
    slot_BxKxA: jax.Array,
    key_BxLxP: jax.Array,
    inputs: Arrays,
    layout: Layout,
) -> jax.Array:
    B, K, A, P = q_BxKxAxP.shape
    q_BxKAxP = q_BxKxAxP.reshape(B, K * A, P)
    logits = jnp.einsum("bqp,blp->bql", q_BxKAxP, key_BxLxP).astype(jnp.float32).reshape(B, K, A, -1)
    if question == "point":
        takes_BxKxAxN = jnp.asarray(layout.takes_SxN)[slot_BxKxA]
        kind_BxLxN = nn.one_hot(inputs["kinds"], len(KINDS) + 1)
        fits = jnp.einsum("bqn,bln->bql", takes_BxKxAxN.reshape(B, K * A, -1), kind_BxLxN)
        allowed = fits.reshape(B, K, A, -1) > 0.5
    else:
        allowed = inputs["starts" if question == "start" else "ends"][:, None, None, :]
    return jnp.where(allowed, logits * P**-0.5, FAR)


def _choices(q_BxKxAxP: jax.Array, slot_BxKxA: jax.Array, tables: Tables, layout: Layout) -> jax.Array:
    P = q_BxKxAxP.shape[-1]
    keys_BxKxAxCxP = tables.choice_SxCxP[slot_BxKxA].astype(q_BxKxAxP.dtype)
    logits = jnp.einsum("bkap,bkacp->bkac", q_BxKxAxP, keys_BxKxAxCxP).astype(jnp.float32) * P**-0.5
    place_C = np.arange(tables.choice_SxCxP.shape[1])
    exists = jnp.asarray(place_C[None] < layout.choices_S[:, None])[slot_BxKxA]
    return jnp.where(exists, logits, FAR)


def _said(logp: jax.Array, gold: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Log-probability of the gold answer, and whether it is the likeliest."""
    return _picked(logp, gold), logp.argmax(-1) == gold


def _spelt(logp: jax.Array, gold: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The same of a spelt value; behind "not said" nothing is spelt."""
    behind = (gold[..., :1] == written.NONE) & (np.arange(written.LENGTH) > 0)[None, None, None]
    hit = (logp.argmax(-1) == gold) | behind
    return jnp.where(behind, 0.0, _picked(logp, gold)).sum(-1), hit.all(-1)


def _best(logp: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Index of the likeliest answer, 0 where "not said" has more than half; and its log-probability."""
    said = 1 + logp[..., 1:].argmax(-1)
    best = jnp.where(logp[..., 0] > jnp.log(0.5), 0, said)
    best = jnp.where(logp[..., 1:].max(-1) < FAR / 2, 0, best)  # nothing that could be said
    return best.astype(jnp.int32), _picked(logp, best)


def _best_span(start: jax.Array, end: jax.Array, inputs: Arrays) -> tuple[dict[str, jax.Array], jax.Array]:
    """The likeliest pair of a first and a last word, at most `MAX_WORDS` apart."""
    L = inputs["ids"].shape[1]
    word_BxL = jnp.cumsum(inputs["starts"], axis=1)
    apart_BxLxL = word_BxL[:, None, :] - word_BxL[:, :, None]
    order_LxL = np.arange(L)[None, :] >= np.arange(L)[:, None]
    fits_BxLxL = order_LxL[None] & (apart_BxLxL < MAX_WORDS)
    pair = start[..., 1:, None] + end[..., None, 1:] + jnp.where(fits_BxLxL, 0.0, FAR)[:, None, None]
    pair = pair.reshape(*pair.shape[:3], L * L)
    best, logp = pair.argmax(-1), pair.max(-1)
    none = start[..., 0]
    said = (none <= jnp.log(0.5)) & (logp > FAR / 2)
    found = {
        "start": jnp.where(said, best // L + 1, 0).astype(jnp.int32),
        "end": jnp.where(said, best % L + 1, 0).astype(jnp.int32),
    }
    return found, jnp.where(said, logp, none)


def _picked(logp: jax.Array, index: jax.Array) -> jax.Array:
    """`logp[..., index]`, by a mask; on a CPU a gather takes the same time."""
    chosen = index[..., None] == np.arange(logp.shape[-1]).reshape((1,) * index.ndim + (-1,))
    return jnp.where(chosen, logp, 0.0).sum(-1)


def _rows(table_SxP: jax.Array, slot_BxKxA: jax.Array) -> jax.Array:
    """Rows of a table, by a product with one-hot rows; on a CPU a gather takes the same time."""
    one_hot = nn.one_hot(slot_BxKxA.reshape(-1), table_SxP.shape[0], dtype=table_SxP.dtype)
    return (one_hot @ table_SxP).reshape(*slot_BxKxA.shape, -1)
