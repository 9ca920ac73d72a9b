"""A loop whose model is an oracle that errs as often as its recipe deserves, always on the same sentences."""

from __future__ import annotations

import hashlib
import json

import pytest

from fernjax.loop import evaluate, real_sets, sample, settings, workdir
from fernjax.loop.lab import Lab
from fernjax.loop.progress import Progress
from fernjax.loop.run import run
from fernjax.loop.stages import SECONDS, stages_left
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import OUT_OF_SCOPE, Call, Prediction
from fernjax.sim.world import load_domain

ERRORS = {"first": 0.3, "repaired": 0.05, "same": 0.29}
"""Shares of wrong answers: from scratch, after a changed recipe, after the same recipe once more."""


def make_cheap(patch):
    """Small samples and baselines."""
    patch.setattr(sample, "SIZE", 50)
    patch.setattr(evaluate, "BASELINE_SENTENCES", 60)


@pytest.fixture(scope="session")
def domain():
    return load_domain("calendar")


def right_answer(row):
    """The first value of everything in a row's label."""
    calls = []
    for call in row.calls:
        for name, arguments in call.items():
            calls.append(Call(name, {a: values[0] for a, values in arguments.items() if values[0] != ""}))
    outcome = "abstained" if calls[0].name == OUT_OF_SCOPE else "call"
    return Prediction(tuple(calls), outcome=outcome, confidence=0.9)


def wrong_answer(row):
    """A call where abstaining is right, and the reverse."""
    if right_answer(row).outcome == "abstained":
        return Prediction((Call("create_event", {"title": row.query.text}),), confidence=0.6)
    return Prediction((Call(OUT_OF_SCOPE),), outcome="abstained", confidence=0.6)


class ErringOracle:
    """Answers from the labels, wrong on a share of the sentences."""

    def __init__(self, rows, share, seed):
        self._rows, self._share, self._seed = rows, share, seed

    def __call__(self, queries):
        return [self._answer(q) for q in queries]

    def _answer(self, query):
        row = self._rows.get((query.text, query.now))
        if row is None:  # a plain sentence that is mined
            return Prediction((Call("create_event"),), confidence=0.5)
        draw = int(hashlib.sha256(f"{query.text}/{self._seed}".encode()).hexdigest()[:8], 16) / 2**32
        return wrong_answer(row) if draw < self._share else right_answer(row)


class FakeModel:
    """Trainer and loader of an erring oracle. `stop_after` raises in the middle of so many trainings."""

    def __init__(self, config, domain, errors=ERRORS, stop_after=None):
        self.errors, self.stop_after = errors, stop_after
        self.trained = []
        self.recipes = []
        self.first = Recipe.of_run(config)
        sets = real_sets.load_sets(config, domain, "gate") | real_sets.load_sets(config, domain, "final")
        rows = [row for some in sets.values() for row in some]
        for number in range(config.loop.rounds + 1):
            rows += [r for some in evaluate.generated_sets(config, domain, number).values() for r in some]
        self.rows = {(r.query.text, r.query.now): r for r in rows}

    def train(self, config, job, on_progress):
        job.directory.mkdir(parents=True, exist_ok=True)
        if self.stop_after is not None and len(self.trained) >= self.stop_after:
            raise KeyboardInterrupt
        if job.start_from is not None:
            assert job.start_from.exists()
        kind = "first" if job.start_from is None else "same" if job.recipe == self.first else "repaired"
        line = {"step": job.steps, "loss": 1.0}
        (job.directory / "metrics.jsonl").write_text(json.dumps(line) + "\n")
        (job.directory / "weights.safetensors").write_text(json.dumps([self.errors[kind], job.seed]))
        on_progress({**line, "total_steps": job.steps, "seconds_left": 0.0})
        self.recipes.append(job.recipe)
        self.trained.append((job.arm.number, job.arm.kind, job.seed))

    def load(self, directory, config):
        share, seed = json.loads((directory / "weights.safetensors").read_text())
        return ErringOracle(self.rows, share, seed)


def tiny_config(**overrides):
    """The tiny config with enough sentences for the gate to tell arms apart."""
    sizes = {"eval.per_bucket": 8, "eval.negatives": 8, "loop.rounds": 2}
    return settings.load_config(
        "configs/calendar.py:tiny", {k: str(v) for k, v in (sizes | overrides).items()}
    )


@pytest.fixture(scope="session")
def finished(domain, tmp_path_factory):
    """The workdir of a whole run of the erring oracle: round 1 is kept, round 2 rejected."""
    path = tmp_path_factory.mktemp("loop") / "run"
    with pytest.MonkeyPatch.context() as patch:
        make_cheap(patch)
        run_fake(path, tiny_config(), FakeModel(tiny_config(), domain))
    return path


def run_fake(path, config, model, stream=None):
    with (
        workdir.open_workdir(path, config) as work,
        Progress(
            [(s.name, s.work) for s in stages_left(config, path)], SECONDS | {"step": 1.0}, stream
        ) as progress,
    ):
        run(Lab(config, work, progress, model.train, model.load))
    return work
