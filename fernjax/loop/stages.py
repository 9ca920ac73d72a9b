"""The verbs that need a workdir and the model: the loop and its parts, with the real trainer."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
from ml_collections import ConfigDict

from fernjax.loop import evaluate, workdir
from fernjax.loop.evaluate import Predict
from fernjax.loop.lab import Job, Lab
from fernjax.loop.plan import SECONDS_PER_UNIT, work_units
from fernjax.loop.progress import Progress
from fernjax.loop.run import run
from fernjax.loop.workdir import SHIPPED, Workdir
from fernjax.model import quantize
from fernjax.model import train as training
from fernjax.model.calibration import Calibration, fit
from fernjax.model.devices import enable_compilation_cache
from fernjax.model.predictor import Predictor
from fernjax.model.spec import Spec
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.transformer import ModelConfig
from fernjax.sim import grade
from fernjax.sim.recipe import Recipe
from fernjax.sim.world import load_domain

CALIBRATION_STREAM = 500_000
"""Stream of the sentences that confidence is fitted on; no round is judged on it."""


def run_loop(config: ConfigDict, work: Workdir) -> int:
    """The loop; the paths of its report are its result."""
    with _progress(config, "loop") as progress:
        run(_lab(config, work, progress))
    print(work.path / "report.html")
    print(work.path / "report.json")
    return 0


def train_first(config: ConfigDict, work: Workdir) -> int:
    """The first round's trainings."""
    with _progress(config, "train") as progress:
        lab = _lab(config, work, progress)
        first, recipe = lab.arm(0), Recipe.of_run(config)
        lab.count_data(first, recipe)
        lab.train([lab.first(first, recipe)])
        lab.crown(first)
    print(work.champion() / "checkpoints")
    return 0


def evaluate_champion(config: ConfigDict, work: Workdir) -> int:
    """Figures of the champion on the sentences of its round, real and generated, and of the final half."""
    with _progress(config, "evaluate") as progress:
        lab = _lab(config, work, progress)
        champion = lab.arm(int(work.champion().name))
        lab.evaluate(champion, champion)
        lab.score_final(champion)
    scores = workdir.read_json(champion.path / "scores.json")["sets"]
    final = workdir.read_json(champion.path / "final.json")["all"]
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
    return Lab(config, work, progress, _train, _load)


def _progress(config: ConfigDict, verb: str) -> Progress:
    return Progress(work_units(config, verb), SECONDS_PER_UNIT)


def _train(config: ConfigDict, job: Job, on_progress: Callable[[dict[str, Any]], None]) -> None:
    """Trains, then ships: weights rounded to int8 and a confidence fitted on held generated sentences."""
    trained = training.train(
        config,
        job.recipe,
        job.data_seed,
        job.directory,
        start_from=job.start_from,
        steps=job.steps,
        peak_lr=job.peak_lr,
        on_progress=on_progress,
    )
    ship(config, trained.params).save(job.directory / SHIPPED)


def ship(config: ConfigDict, params: Any) -> Predictor:
    """The predictor of trained weights, as it is judged and used."""
    domain = load_domain(config.domain)
    model_config = ModelConfig.from_config(config)
    spec = Spec.from_domain(domain, config.argument_mode, config.model.max_calls)
    predictor = Predictor(
        quantize.round_int8(params),
        model_config,
        spec,
        load_tokenizer(config.model.vocab_size),
        Calibration(),
        domain,
        config.eval.batch_size,
    )
    sets = evaluate.generated_sets(config, domain, CALIBRATION_STREAM)
    rows = [row for name, some in sets.items() if name.startswith("generated/") for row in some]
    queries = [row.query for row in rows]
    right = np.array(grade.per_row(predictor.predict(queries), rows))
    logp = predictor.log_probabilities(queries)
    answered = np.isfinite(logp)  # an error has no confidence to fit
    if answered.any():
        predictor.calibration = fit(logp[answered], right[answered], config.abstain_below)
    return predictor


def _load(directory: pathlib.Path, config: ConfigDict) -> Predict:
    return Predictor.load(directory / SHIPPED).predict
