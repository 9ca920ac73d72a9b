"""The verbs that need a workdir and the model: the loop and its parts, with the real trainer."""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable
from typing import Any

from ml_collections import ConfigDict

from fernjax.loop import evaluate, real_sets, workdir
from fernjax.loop.arms import Job, Trainer
from fernjax.loop.evaluate import Predict
from fernjax.loop.lab import Lab
from fernjax.loop.progress import Progress
from fernjax.loop.run import run
from fernjax.loop.stages import is_finished, seconds_per_unit, stages_left
from fernjax.loop.workdir import SHIPPED, Workdir
from fernjax.model import pretrain as pretraining
from fernjax.model import train as training
from fernjax.model.devices import enable_compilation_cache
from fernjax.model.predictor import Predictor
from fernjax.model.shipping import ship
from fernjax.model.spec import Spec
from fernjax.model.transformer import ModelConfig
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import Row
from fernjax.sim.world import load_domain

CALIBRATION_STREAM = 500_000
"""Stream of the sentences that confidence is fitted on; no round is judged on it."""


def run_loop(config: ConfigDict, work: Workdir) -> int:
    """The loop; the paths of its report are its result."""
    if is_finished(config, work.path):
        print(f"{work.path} is done; its report is there, and another --workdir begins anew", file=sys.stderr)
    else:
        with _progress(config, work, "loop") as progress:
            run(_lab(config, work, progress))
    print(work.path / "report.html")
    print(work.path / "report.json")
    return 0


def train_first(config: ConfigDict, work: Workdir) -> int:
    """The first round's trainings."""
    if not stages_left(config, work.path, "train") and (work.path / "champion").exists():
        print(f"{work.path} is trained", file=sys.stderr)
    else:
        with _progress(config, work, "train") as progress:
            lab = _lab(config, work, progress)
            first, recipe = lab.arm(0), Recipe.of_run(config)
            lab.count_data(first, recipe)
            lab.train(lab.jobs_from_scratch(first, recipe))
            lab.crown(first)
    print(work.champion() / "checkpoints")
    return 0


def evaluate_champion(config: ConfigDict, work: Workdir) -> int:
    """Figures of the champion on the sentences of its round, real and generated, and of the final half."""
    scored = [work.champion() / name for name in ("scores.json", "final.json")]
    if not all(path.exists() for path in scored) or stages_left(config, work.path, "evaluate"):
        with _progress(config, work, "evaluate") as progress:
            lab = _lab(config, work, progress)
            champion = lab.arm(int(work.champion().name))
            lab.evaluate(champion)
            lab.score_final(champion)
    scores, final = workdir.read_json(scored[0])["sets"], workdir.read_json(scored[1])["all"]
    print(json.dumps(scores | final, indent=1))
    return 0


RUN: dict[str, Callable[[ConfigDict, Workdir], int]] = {
    "loop": run_loop,
    "train": train_first,
    "evaluate": evaluate_champion,
}


def _lab(config: ConfigDict, work: Workdir, progress: Progress) -> Lab:
    enable_compilation_cache()
    work.touch(devices=workdir.devices())
    lab = Lab(config, work, progress, make_trainer(), _load)
    for line in real_sets.describe(config, lab.domain):
        lab.note(line)
    return lab


def _progress(config: ConfigDict, work: Workdir, verb: str) -> Progress:
    left = stages_left(config, work.path, verb)
    return Progress([(stage.name, stage.work) for stage in left], seconds_per_unit(config))


def make_trainer() -> Trainer:
    """Trains, then ships; the sentences that confidence is fitted on are drawn once, for all trainings."""
    held: list[Row] = []

    def train(config: ConfigDict, job: Job, on_progress: Callable[[dict[str, Any]], None]) -> None:
        start_from = job.start_from
        if start_from is None and config.train.start_from:
            start_from = job.directory / "broad.safetensors"
            if not start_from.exists():
                specialise(config, pretraining.find_weights(config.train.start_from, job.seed), start_from)
        trained = training.train(
            config,
            job.recipe,
            job.data_seed,
            job.directory,
            start_from=start_from,
            steps=job.steps,
            peak_lr=job.peak_lr,
            on_progress=on_progress,
        )
        if not held:
            held.extend(calibration_rows(config))
        ship(config, trained.params, held).save(job.directory / SHIPPED)

    return train


def specialise(config: ConfigDict, weights: pathlib.Path, target: pathlib.Path) -> None:
    """Writes the first weights of the config's app, read from a broad model's.

    Raises:
      UserError: weights of another model, or an argument mode that a broad model has not.
    """
    spec = Spec.from_domain(load_domain(config.domain), config.argument_mode, config.model.max_calls)
    pretraining.specialise(weights, ModelConfig.from_config(config), spec, target)


def calibration_rows(config: ConfigDict) -> list[Row]:
    """Fresh generated sentences of every bucket, none of which trains a model or judges one."""
    sets = evaluate.generated_buckets(config, load_domain(config.domain), CALIBRATION_STREAM)
    return [row for rows in sets.values() for row in rows]


def _load(directory: pathlib.Path, config: ConfigDict) -> Predict:
    return Predictor.load(directory / SHIPPED).predict
