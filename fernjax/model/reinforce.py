"""A policy gradient for a tool caller: some answers are sampled to each sentence, and those that are worth
more than the others become likelier, without going far from where it began.

The answers to a sentence are compared among themselves, as in GRPO (Z. Shao et al., "DeepSeekMath", 2024,
arXiv 2402.03300), by the mean reward of the others: an unbiased baseline (W. Kool et al., "Buy 4 REINFORCE
samples, get a baseline for free!", 2019), without GRPO's division by the group's spread, which makes a rare
success among failures weigh more than half a group's (Z. Liu et al., "Understanding R1-zero-like training",
2025, arXiv 2503.20783). Each batch is sampled anew, so nothing is clipped: samples and gradient are of the
same parameters. A term holds the policy to the one that it began with (the estimator k3 of J. Schulman,
"Approximating KL divergence", 2020).

Letters: see `heads`; n sampled answers of a sentence, which stand behind each other in a batch of B * n rows.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np

from fernjax.model import checkpoint, codec, heads, optimizer, train
from fernjax.model.codec import NOT_ASKED, NOT_SAID
from fernjax.model.encoded import encode_query
from fernjax.model.heads import QUESTIONS, Caller, layout_of
from fernjax.model.spec import Spec
from fernjax.model.stream import Batch, ScenarioSource
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.train import ToolCaller
from fernjax.model.trainer import Arrays, Plan
from fernjax.model.transformer import ModelConfig
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import Call, Scenario, UserError


class Reward(Protocol):
    """What answers are worth."""

    name: str

    def __call__(self, asked: Sequence[tuple[Scenario, tuple[Call, ...]]]) -> list[float]:
        """The reward of each answer to its sentence, in [0, 1]. Pure."""


INPUTS = ("ids", "starts", "ends", "kinds")


@functools.partial(jax.jit, static_argnums=(3, 4, 5))
def sample(
    params: Any, inputs: Arrays, key: jax.Array, n: int, config: ModelConfig, spec: Spec
) -> dict[str, jax.Array]:
    """Answers drawn as likely as the model holds them, in the form of `codec.encode_scenario`'s targets.

    Args:
      params: of `heads.init_params`.
      inputs: `ids`, `starts`, `ends`, `kinds`, [B, L] each.
      key: of the draws.
      n: answers to each sentence.
      config, spec: static.

    Returns:
      int32 `tool` [B * n, K], and by question [B * n, K, A]. A text's ends are drawn apart, so that the last
      word may stand before the first: no call, and worth nothing.
    """
    answers: Any = _Sampling(config, spec).apply({"params": params}, inputs, key, n, method="sample")
    return answers


class _Sampling(Caller):
    """A tool caller that draws its answers."""

    def sample(self, inputs: Arrays, key: jax.Array, n: int) -> dict[str, jax.Array]:
        """See `sample`."""
        h_BxLxD, g_BxKxD = (jnp.repeat(x, n, axis=0) for x in self.bud.read(inputs["ids"]))
        rows = {name: jnp.repeat(x, n, axis=0) for name, x in inputs.items()}
        layout, ends = layout_of(self.spec), len(self.spec.tools)
        keys = iter(jax.random.split(key, 1 + sum(map(len, QUESTIONS.values()))))
        tool_BxK = jax.random.categorical(next(keys), self._tools(g_BxKxD)).astype(jnp.int32)
        ended_BxK = (tool_BxK == ends) | (tool_BxK == self.spec.out_of_scope)
        behind_BxK = jnp.cumsum(ended_BxK, axis=1) - ended_BxK > 0
        out = {"tool": jnp.where(behind_BxK, NOT_ASKED, tool_BxK)}
        answers = self._asked(rows, h_BxLxD, g_BxKxD, tool_BxK)
        for head, exists_UxA in layout.exists.items():
            asked_BxKxA = jnp.asarray(exists_UxA)[tool_BxK] & ~behind_BxK[:, :, None]
            for question in QUESTIONS[head]:
                if question == "end":
                    asked_BxKxA &= out["start"] != NOT_SAID
                said_BxKxA = jax.random.categorical(next(keys), answers[question]).astype(jnp.int32)
                out[question] = jnp.where(asked_BxKxA, said_BxKxA, NOT_SAID)
        return out


def log_probability(params: Any, batch: Arrays, config: ModelConfig, spec: Spec) -> jax.Array:
    """Of each row's answer as a whole, float32 [B]; `batch` as `codec.collate` has it."""
    answers: Any = Caller(config, spec).apply({"params": params}, batch, batch["tool"])
    judged = heads.judge(answers, batch, layout_of(spec))
    return -sum((x for name, x in judged.items() if name.startswith("loss_")), jnp.zeros(()))


@dataclasses.dataclass(frozen=True)
class Reinforced(ToolCaller):
    """Expected reward, less how far the policy has gone from where it began.

    Attributes:
      kl_weight: of that distance, in rewards a nat.
    """

    kl_weight: float

    def loss_of(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """Of a batch of `Sampler`: answers, each with its `advantage`, `reward` and `first_logp`."""
        logp_B = log_probability(params, batch, self.model_config, self.spec)
        log_ratio_B = batch["first_logp"] - logp_B
        kl_B = jnp.exp(log_ratio_B) - log_ratio_B - 1.0
        # The ratio is 1: it is there for its gradient.
        ratio_B = jnp.exp(logp_B - jax.lax.stop_gradient(logp_B))
        gain, kl = (ratio_B * batch["advantage"]).mean(), kl_B.mean()
        return self.kl_weight * kl - gain, {"reward": batch["reward"].mean(), "kl": kl}


@dataclasses.dataclass(frozen=True)
class SentenceSource(ScenarioSource):
    """Scenarios as `ScenarioSource` makes them, each with its number in the stream, int32 `number` [2]."""

    def _example(self, index: int, redrawn: Counter[str]) -> dict[str, Any]:
        number, example = self._draw(index, redrawn)
        return {**example, "number": np.array(divmod(number, 1 << 30), np.int32)}


class Sampler:
    """What `Plan.prepare` does: samples answers to a batch's sentences, has them judged, and lays both out.

    Args:
      problem: what is trained.
      source: of the batches.
      first: parameters that the policy began with.
      n: answers to each sentence.
      seed: of the draws.
      reward: what the answers are worth.
    """

    def __init__(
        self,
        problem: Reinforced,
        source: SentenceSource,
        first: Any,
        n: int,
        seed: int,
        reward: Reward,
    ) -> None:
        self._problem, self._first, self._n, self._reward = problem, first, n, reward
        self._key = jax.random.key(seed)
        self._tokenizer = load_tokenizer(source.vocab_size)
        self._source = source

    def __call__(self, params: optimizer.Params, batch: Batch, step: int) -> Batch:
        """The batch of a step."""
        config, spec, n = self._problem.model_config, self._problem.spec, self._n
        inputs = {name: batch[name] for name in INPUTS}
        drawn = jax.device_get(sample(params, inputs, jax.random.fold_in(self._key, step), n, config, spec))
        rows: Batch = {name: np.repeat(values, n, axis=0) for name, values in inputs.items()} | drawn
        scenarios = [self._source.scenario(int(high) << 30 | int(low)) for high, low in batch["number"]]
        reward = self._judge(scenarios, drawn)
        groups = reward.reshape(-1, n)
        others = (groups.sum(1, keepdims=True) - groups) / max(n - 1, 1)
        first_logp = _first_logp(self._first, rows, config, spec)
        return rows | {
            "reward": reward,
            "advantage": (groups - others).reshape(-1).astype(np.float32),
            "first_logp": np.asarray(first_logp),
        }

    def _judge(self, scenarios: Sequence[Scenario], drawn: Mapping[str, np.ndarray]) -> np.ndarray:
        """The reward of each row; no call can be made of a text that ends before it begins."""
        spec, n = self._problem.spec, self._n
        asked, at = [], []
        for i, scenario in enumerate(scenarios):
            query = scenario.row.query
            encoded = encode_query(query.text, scenario.mentions, spec, self._tokenizer, query.now)
            for row in range(i * n, (i + 1) * n):
                answer = {name: values[row] for name, values in drawn.items()}
                answer["tool"] = np.where(answer["tool"] == NOT_ASKED, len(spec.tools), answer["tool"])
                if can_be_read(answer, spec):
                    asked.append((scenario, codec.decode(answer, encoded, spec, query.now)))
                    at.append(row)
        reward = np.zeros(len(scenarios) * n, np.float32)
        reward[at] = self._reward(asked)
        return reward


@functools.partial(jax.jit, static_argnums=(2, 3))
def _first_logp(params: Any, rows: Arrays, config: ModelConfig, spec: Spec) -> jax.Array:
    return log_probability(params, rows, config, spec)


def can_be_read(answer: Mapping[str, np.ndarray], spec: Spec) -> bool:
    """Whether no text that an answer says has its last word before its first."""
    if "start" not in answer:
        return True
    return not ((answer["start"] != NOT_SAID) & (answer["end"] < answer["start"])).any()


def make_plan(
    config: Any,
    recipe: Recipe,
    seed: int,
    start_from: Any,
    steps: int,
    peak_lr: float,
    reward: Reward,
) -> Plan:
    """The plan of a policy gradient, for `trainer.run`.

    Args:
      config: `configs/base.py`'s keys.
      recipe: how its sentences are made.
      seed: of the sentences and of the draws.
      start_from: weights of a specialist.
      steps, peak_lr: how long and how fast.
      reward: what answers are worth.

    Raises:
      UserError: several processes, a mode in which values are spelt, no weights.
    """
    if config.argument_mode == "write":
        raise UserError(
            "a policy gradient samples what is pointed at; config.argument_mode must not be 'write'"
        )
    if jax.process_count() > 1:
        raise UserError("a policy gradient is trained in one process; start one")
    r = config.rl
    plan = train.make_plan(config, recipe, seed, start_from, steps, peak_lr)
    assert isinstance(plan.problem, ToolCaller) and isinstance(plan.source, ScenarioSource)
    model, spec = plan.problem.model_config, plan.problem.spec
    problem = Reinforced(model, plan.problem.quant_noise, spec, float(r.kl_weight))
    source = SentenceSource(**plan.source.__getstate__())
    like = jax.eval_shape(functools.partial(heads.init_params, 0, model, spec))
    first = checkpoint.load_weights(start_from, like)
    return dataclasses.replace(
        plan,
        problem=problem,
        source=source,
        batch_size=r.sentences,
        prepare=Sampler(problem, source, first, r.samples, seed, reward),
        arguments={**plan.arguments, "rl": r.to_dict(), "reward": reward.name},
    )
