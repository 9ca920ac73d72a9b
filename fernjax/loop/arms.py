"""The arms of a round, and the trainings that they take."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable
from typing import Any, Protocol

from ml_collections import ConfigDict

from fernjax.loop import evaluate
from fernjax.loop.evaluate import Predict
from fernjax.loop.workdir import Workdir
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import UserError

MAX_SEED = 1000
"""Seeds are below it; each arm of each round gets its own block of as many, all below evaluation's."""

MAX_ROUNDS = (evaluate.EVALUATION_SEED // MAX_SEED - 1) // 2
"""Rounds after the first for whose two arms there are blocks."""


@dataclasses.dataclass(frozen=True)
class Arm:
    """One side of a round, and the folder of its answers: the challenger, the placebo, or `before`.

    `before` trains nothing: it holds what the reigning champion answers to the round's fresh sentences.

    Attributes:
      number: the round.
      kind: `challenger`, `placebo` or `before`.
      path: its folder.
    """

    number: int
    kind: str
    path: pathlib.Path

    @property
    def title(self) -> str:
        """What it is called where a stage is shown."""
        if self.number == 0:
            return "the first model"
        return "the champion" if self.kind == "before" else f"the {self.kind}"

    def checkpoint(self, seed: int) -> pathlib.Path:
        """Folder of one seed's training, with `weights.safetensors` once it is finished."""
        return self.path / "checkpoints" / f"seed{seed}"

    def predictions(self, seed: int) -> pathlib.Path:
        """Folder of one seed's answers, a JSONL file a set."""
        return self.path / "predictions" / f"seed{seed}"


@dataclasses.dataclass(frozen=True)
class Job:
    """One training: arguments of `fernjax.model.train.train`, and the arm and seed that it is for.

    Attributes:
      arm, seed: whose it is; `seed` is one of `config.seeds`.
      recipe, data_seed: how its sentences are made.
      directory: where it saves.
      start_from: weights to begin with, or None for scratch.
      steps, peak_lr: how long and how fast.
    """

    arm: Arm
    seed: int
    recipe: Recipe
    data_seed: int
    directory: pathlib.Path
    start_from: pathlib.Path | None
    steps: int
    peak_lr: float


def make_arm(workdir: pathlib.Path, number: int, kind: str = "challenger") -> Arm:
    """An arm of a round of a workdir; its folder need not be there yet."""
    folder = Workdir(workdir).round(number)
    return Arm(number, kind, folder if kind == "challenger" else folder / kind)


class Trainer(Protocol):
    """Runs a job, resuming what an earlier process left, and tells each line of its metrics."""

    def __call__(
        self, config: ConfigDict, job: Job, on_progress: Callable[[dict[str, Any]], None]
    ) -> None: ...


Loader = Callable[[pathlib.Path, ConfigDict], Predict]
"""The predictor of a finished training."""


def check_streams(config: ConfigDict) -> None:
    """Refuses seeds and rounds that would share a stream of data.

    Raises:
      UserError: names the key.
    """
    seeds = tuple(config.seeds)
    if not seeds or len(set(seeds)) < len(seeds) or not all(0 <= s < MAX_SEED for s in seeds):
        raise UserError(f"config.seeds {seeds}: give one or more, all different, from 0 to {MAX_SEED - 1}")
    if not 0 <= config.loop.rounds <= MAX_ROUNDS:
        raise UserError(f"config.loop.rounds {config.loop.rounds}: give at most {MAX_ROUNDS}, at least 0")
