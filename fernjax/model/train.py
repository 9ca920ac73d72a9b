"""Training of a tool caller: a config and a recipe become weights."""

from __future__ import annotations

import abc
import dataclasses
import pathlib
import time
from collections.abc import Callable, Mapping
from typing import Any

import jax

from fernjax.model import checkpoint, heads, optimizer, quantize, transformer
from fernjax.model.files import digest_file
from fernjax.model.metrics import Progress, Work
from fernjax.model.spec import Spec
from fernjax.model.stream import Batch, ScenarioSource, Source
from fernjax.model.trainer import Arrays, DivergedError, Plan, Problem, Schedule, Stopped, TrainedRun, run
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import UserError
from fernjax.sim.world import load_domain

DECISIVE = (
    "batch_size",
    "optimizer",
    "warmup_steps",
    "decay_share",
    "weight_decay",
    "clip_norm",
    "quant_noise",
    "adam_b1",
    "adam_b2",
    "adam_eps",
    "muon_momentum",
)
"""Keys of `config.train` that, beside steps, rates and lengths, decide the result's bits."""

__all__ = ["DivergedError", "Stopped", "ToolCaller", "TrainedRun", "make_plan", "train"]


def train(
    config: Any,
    recipe: Recipe,
    seed: int,
    directory: str | pathlib.Path,
    start_from: str | pathlib.Path | None = None,
    steps: int | None = None,
    peak_lr: float | None = None,
    on_progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> TrainedRun:
    """Trains a tool caller. The same arguments again resume, and end in the same bits.

    Args:
      config: `configs/base.py`'s keys.
      recipe: how the data is made.
      seed: of the first parameters and of the data.
      directory: for this run alone.
      start_from: weights of a champion to begin with.
      steps: in place of `config.train.total_steps`.
      peak_lr: in place of `config.train.peak_lr`; Muon's rate keeps its ratio to it.
      on_progress: told each line of the metrics.
      clock: seconds.

    Raises:
      UserError: a directory of other arguments or in use, a full disk, weights of another model.
      Stopped: after SIGTERM, saved.
      DivergedError: where the loss stays not finite.
    """
    plan = make_plan(config, recipe, seed, start_from, steps, peak_lr)
    return run(plan, directory, on_progress, clock)


def make_plan(
    config: Any,
    recipe: Recipe,
    seed: int,
    start_from: str | pathlib.Path | None = None,
    steps: int | None = None,
    peak_lr: float | None = None,
) -> Plan:
    """The plan that `train`, whose arguments these are, runs.

    Raises:
      UserError: no steps, no weights to start from, a mode or a value that cannot be.
    """
    c = config.train
    steps = c.total_steps if steps is None else steps
    peak_lr = c.peak_lr if peak_lr is None else peak_lr
    if steps < 1:
        raise UserError(f"{steps} steps of training; give at least 1")
    spec = Spec.from_domain(load_domain(config.domain), config.argument_mode, config.model.max_calls)
    peaks = (("adamw", float(peak_lr)), ("muon", float(c.muon_lr) * peak_lr / c.peak_lr))
    return assemble_plan(
        config,
        problem=ToolCaller(transformer.ModelConfig.from_config(config), bool(c.quant_noise), spec),
        source=ScenarioSource(
            domain=config.domain,
            recipe=recipe,
            seed=seed,
            argument_mode=config.argument_mode,
            vocab_size=config.model.vocab_size,
            max_calls=config.model.max_calls,
            max_length=min(config.model.max_length, c.longest[config.argument_mode]),
        ),
        seed=seed,
        steps=steps,
        peaks=peaks,
        start_from=start_from,
        arguments={
            "domain": config.domain,
            "argument_mode": config.argument_mode,
            "train": {k: c[k] for k in DECISIVE} | {"longest": c.longest[config.argument_mode]},
            "recipe": recipe.to_json(),
            "avoided": digest_file(recipe.avoid_path),  # what is in the file, besides its path
        },
    )


def assemble_plan(
    config: Any,
    problem: Problem,
    source: Source,
    seed: int,
    steps: int,
    peaks: tuple[tuple[str, float], ...],
    start_from: str | pathlib.Path | None,
    arguments: Mapping[str, Any],
) -> Plan:
    """The plan of a problem and its data; all else is in `config.train` and `config.mesh`.

    Args:
      peaks: learning rate of each of the optimizer's rules.
      arguments: that decide the result's bits beside those that every training has.
    """
    c = config.train
    every = {
        "model": config.model.to_dict(),
        "train": {k: c[k] for k in DECISIVE},
        "seed": seed,
        "steps": steps,
        "peak_lr": dict(peaks),
        "start_from": "" if start_from is None else checkpoint.digest_weights(start_from),
        "jax": jax.__version__,
    }
    return Plan(
        problem=problem,
        source=source,
        optimizer=optimizer.Settings.from_config(config),
        schedule=Schedule(steps, c.warmup_steps, float(c.decay_share), peaks),
        seed=seed,
        batch_size=c.batch_size,
        accumulate=c.accumulate,
        data=config.mesh.data,
        fsdp=config.mesh.fsdp,
        save_every_steps=c.save_every_steps,
        log_every_steps=c.log_every_steps,
        data_workers=c.data_workers,
        profile_steps=c.profile_steps,
        start_from=None if start_from is None else pathlib.Path(start_from),
        arguments={**every, **arguments},
    )


@dataclasses.dataclass(frozen=True)
class ModelProblem(abc.ABC):
    """A model of this package as a problem (`trainer.Problem`).

    Attributes:
      model_config: the transformer.
      quant_noise: whether training sees weights as they ship, rounded to int8.
    """

    model_config: transformer.ModelConfig
    quant_noise: bool

    @property
    def dtype(self) -> str:
        """Of the compute."""
        return self.model_config.dtype

    def work(self, batch: Batch) -> Work:
        """Sentences; their tokens with the call tokens behind them; operations of the blocks for those."""
        rows = len(batch["ids"])
        tokens = int((batch["ids"] != 0).sum()) + rows * self.model_config.max_calls
        return Work(rows, tokens, transformer.train_flops(self.model_config, tokens, tokens / rows))

    @abc.abstractmethod
    def init(self, seed: int) -> optimizer.Params:
        """First parameters, float32, a function of the seed."""

    @abc.abstractmethod
    def loss_of(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """Mean loss of a batch, float32 (), and scalars to log, with the weights as they are."""

    def loss(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """`loss_of`, with weights rounded to int8 where there is `quant_noise`."""
        return self.loss_of(quantize.fake_quant(params) if self.quant_noise else params, batch)


@dataclasses.dataclass(frozen=True)
class ToolCaller(ModelProblem):
    """The sentence-to-call model as a problem.

    Attributes:
      spec: the app's heads.
    """

    spec: Spec

    def init(self, seed: int) -> optimizer.Params:
        """See `ModelProblem`."""
        return heads.init_params(seed, self.model_config, self.spec)

    def loss_of(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """`heads.loss`."""
        return heads.loss(params, batch, self.model_config, self.spec)
