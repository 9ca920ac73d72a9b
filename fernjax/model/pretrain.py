"""Pretraining of a broad model: a config and its shards become weights that any specialist can start from."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

import jax
import numpy as np

from fernjax.model import checkpoint, optimizer, reader, transformer
from fernjax.model.corpus.mixture import Mixture
from fernjax.model.metrics import Work
from fernjax.model.spec import Spec
from fernjax.model.stream import Batch
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.train import ModelProblem, assemble_plan
from fernjax.model.trainer import Arrays, Plan
from fernjax.model.transformer import ModelConfig
from fernjax.sim.types import UserError


def make_plan(config: Any, shards: pathlib.Path, seed: int) -> Plan:
    """The plan of one seed's pretraining, for `trainer.run`.

    Args:
      config: `configs/base.py`'s keys.
      shards: the folder of `corpus.build`.
      seed: of the first parameters and of the data.

    Raises:
      UserError: a mixture or a model that cannot be.
    """
    c, p = config.train, config.pretrain
    weights = {
        kind: tuple(sorted((n, float(w)) for n, w in config.data[kind].items() if w)) for kind in KINDS
    }
    if not weights["calls"]:
        raise UserError("config.data.calls: no source has a weight; give one at least")
    texts = weights["texts"] if p.text_weight and p.texts else ()
    peaks = (("adamw", float(c.peak_lr)), ("muon", float(c.muon_lr)))
    mixture = Mixture(
        shards=str(shards),
        seed=seed,
        vocab_size=config.model.vocab_size,
        calls=weights["calls"],
        texts=texts,
        services=config.data.services,
        sentences=p.sentences,
        tools=p.tools,
        rows=p.texts,
        row_length=p.text_length,
        out_of_scope=float(p.out_of_scope),
    )
    problem = Broad(
        ModelConfig.from_config(config), bool(c.quant_noise), float(p.text_weight) if texts else 0.0
    )
    per_step = tokens_per_step(problem, mixture, c.batch_size)
    return assemble_plan(
        config,
        problem=problem,
        source=mixture,
        seed=seed,
        steps=max(1, round(p.total_tokens / per_step)) if p.total_tokens else c.total_steps,
        peaks=peaks,
        start_from=None,
        arguments={
            "mixture": {k: v for k, v in dataclasses.asdict(mixture).items() if k != "shards"},
            "shards": shards.name,  # a digest of all that is in them
            "pretrain": p.to_dict(),
        },
    )


KINDS = ("calls", "texts")

SAMPLED = 64
"""Groups whose tokens are counted."""


@functools.lru_cache(maxsize=16)
def tokens_per_step(problem: Broad, mixture: Mixture, batch_size: int) -> float:
    """Mean tokens of a step, padding not counted, over the first `SAMPLED` groups."""
    groups, _ = mixture.examples(0, SAMPLED)
    counted = [problem.work(mixture.collate([g], mixture.length(g))).tokens for g in groups]
    return batch_size * sum(counted) / SAMPLED


def tokens_of(plan: Plan) -> float:
    """Mean tokens of a step of a plan of `make_plan`."""
    assert isinstance(plan.problem, Broad) and isinstance(plan.source, Mixture)
    return tokens_per_step(plan.problem, plan.source, plan.batch_size)


@dataclasses.dataclass(frozen=True)
class Broad(ModelProblem):
    """The broad model as a problem.

    Attributes:
      text_weight: of the texts' loss; 0 where there are none.
    """

    text_weight: float

    def work(self, batch: Batch) -> Work:
        """Sentences; tokens of sentences, tools and texts, with the call tokens; operations of the blocks."""
        K = self.model_config.max_calls
        rows = batch["ids"].shape[0] * batch["ids"].shape[1]
        parts = [(int((batch["ids"] != 0).sum()) + rows * K, rows)]
        parts += [
            (int((batch[n] != 0).sum()), int((batch[n][..., 0] != 0).sum()))
            for n in ("tool_ids", "text")
            if n in batch
        ]
        flops = sum(
            transformer.train_flops(self.model_config, tokens, tokens / max(count, 1))
            for tokens, count in parts
        )
        return Work(rows, sum(tokens for tokens, _ in parts), flops)

    def init(self, seed: int) -> optimizer.Params:
        """See `ModelProblem`."""
        return reader.init(seed, self.model_config)

    def loss_of(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """`reader.loss`."""
        return reader.loss(params, batch, self.model_config, self.text_weight)


def load_weights(path: pathlib.Path, config: ModelConfig) -> Any:
    """The weights that `pretrain` left, float32.

    Raises:
      UserError: they are not there, or of another model.
    """
    like = jax.eval_shape(functools.partial(reader.init, 0, config))
    return checkpoint.load_weights(path, like)


def check_weights(config: Any) -> None:
    """Reads the weights that each seed of a run would start from, where `config.train.start_from` names any.

    Raises:
      UserError: they are not there, damaged, or of another model.
    """
    if config.train.start_from:
        for seed in config.seeds:
            load_weights(find_weights(config.train.start_from, seed), ModelConfig.from_config(config))


def find_weights(folder: str, seed: int) -> pathlib.Path:
    """The weights of a seed in the folder of a pretraining, or those of its only seed; a file is itself.

    Raises:
      UserError: there are none.
    """
    path = pathlib.Path(folder)
    if path.is_file():
        return path
    if not path.exists():
        raise UserError(
            f"config.train.start_from: there is no {path}; run `python -m fernjax pretrain` there first"
        )
    found = sorted(path.glob("seed*/weights.safetensors"))
    own = path / f"seed{seed}" / "weights.safetensors"
    if own in found:
        return own
    if len(found) != 1:
        raise UserError(
            f"config.train.start_from: {path} holds the weights of {len(found)} seeds, not of seed {seed}; "
            "run `python -m fernjax pretrain` there first, or name a file"
        )
    return found[0]


def specialise(path: pathlib.Path, config: ModelConfig, spec: Spec, target: pathlib.Path) -> None:
    """Writes a specialist's first weights, read from a broad model's file (see `reader.specialise`).

    Raises:
      UserError: weights that are not there, or of another model; a mode in which values are spelt.
    """
    if spec.argument_mode != "point":
        raise UserError(
            "a broad model points at what it says; config.argument_mode must be 'point', "
            f"not {spec.argument_mode!r}"
        )
    params = reader.specialise(load_weights(path, config), config, spec, load_tokenizer(config.vocab_size))
    checkpoint.save_weights(target, jax.device_get(params))


def answer(params: Any, batches: Iterable[Batch], config: ModelConfig) -> dict[str, np.ndarray]:
    """What a broad model answers to groups of sentences, `reader.decode`, and whether it is all right.

    Returns:
      [n, ...] over all sentences: those arrays, and `right`, bool [n]: the tools are the gold ones, and every
      argument of each is answered as it should be.
    """
    out: list[dict[str, np.ndarray]] = []
    for batch in batches:
        answers = jax.device_get(reader.compiled_decode(params, batch, config))
        out.append(answers | {"right": _is_right(answers, batch)})
    return {name: np.concatenate([o[name] for o in out]) for name in out[0]}


def _is_right(answers: Mapping[str, np.ndarray], batch: Batch) -> np.ndarray:
    G, M = batch["ids"].shape[:2]
    gold = {name: batch[name].reshape(G * M, *batch[name].shape[2:]) for name in reader.TARGETS}
    asked = gold["tool"] >= 0
    right = ((answers["tool"] == gold["tool"]) | ~asked).all(1)
    for name in reader.TARGETS[1:]:  # those of no gold argument are 0 on both sides
        right &= ((answers[name] == gold[name]) | ~asked[..., None]).all((1, 2))
    return right
