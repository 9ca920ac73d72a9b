"""What a command would do, told without doing it."""

from __future__ import annotations

import json
import pathlib

from ml_collections import ConfigDict

from fernjax.loop import evaluate, settings
from fernjax.sim.recipe import Recipe
from fernjax.sim.world import load_domain

SECONDS_PER_UNIT = {"step": 0.06, "sentence": 0.002}
"""First guesses, of `sprout` on two CPU cores; a run measures its own."""


def describe_run(config: ConfigDict, path: pathlib.Path, verb: str) -> str:
    """Resolved config, stages, and how many steps and sentences they take."""
    domain = load_domain(config.domain)
    t, seeds, rounds = config.train, len(config.seeds), config.loop.rounds
    arms = 1 + bool(config.loop.placebo)
    units = work_units(config, verb)
    state = "resumes what is there" if (path / "run.json").exists() else "new"
    stages = []
    if verb != "evaluate":
        stages.append(f"train {seeds} seeds x {t.total_steps} steps x {t.batch_size} sentences from scratch")
    if verb != "train":
        judged, last = sentences(config)
        stages.append(f"evaluate on {judged} sentences a seed, count {last} of the final half")
    if verb == "loop":
        stages.append(
            f"{rounds} rounds more: diagnose, repair, train {arms} x {seeds} x {t.repair_steps} steps, gate"
        )
        stages.append("report.json, report.html")
    seconds = sum(n * SECONDS_PER_UNIT[kind] for kind, n in units.items())
    return "\n".join(
        [
            f"{verb} in {path} ({state}), domain {domain.name}:",
            *(f"  {i}. {stage}" for i, stage in enumerate(stages, 1)),
            f"in all {units['step']} steps ({units['step'] * t.batch_size} sentences trained on), "
            f"{units['sentence']} sentences judged,",
            f"about {seconds / 60:.0f} minutes on two CPU cores with the small model",
            json.dumps(settings.to_json(config), indent=1),
        ]
    )


def describe_fleet(config: ConfigDict, path: pathlib.Path, apps: list[str]) -> str:
    """The apps, and what each takes."""
    units = work_units(config, "loop")
    minutes = sum(n * SECONDS_PER_UNIT[kind] for kind, n in units.items()) / 60
    return "\n".join(
        [
            f"fleet of {len(apps)} apps in {path}, one after the other:",
            *(f"  {path / app}" for app in apps),
            f"about {minutes:.0f} minutes each on two CPU cores with the small model, "
            f"{minutes * len(apps):.0f} in all",
            json.dumps(settings.to_json(config), indent=1),
        ]
    )


def describe_generation(config: ConfigDict, count: int, output: str) -> str:
    """Which sentences `generate` would write, and where."""
    recipe = Recipe.of_run(config)
    where = output if output not in ("", "-") else "standard output"
    return "\n".join(
        [
            f"generate {count} sentences of domain {load_domain(config.domain).name}, "
            f"seed {config.seeds[0]}, to {where}, by the recipe",
            json.dumps(recipe.to_json(), indent=1),
        ]
    )


def work_units(config: ConfigDict, verb: str = "loop") -> dict[str, int]:
    """Steps and judged sentences of a whole run, were every round kept."""
    seeds, rounds = len(config.seeds), config.loop.rounds if verb == "loop" else 0
    arms = 1 + bool(config.loop.placebo)
    judged, last = sentences(config)
    steps = config.train.total_steps + rounds * arms * config.train.repair_steps
    rows = judged * (1 + rounds * (1 + arms)) + last * (1 + rounds)
    return {
        "step": 0 if verb == "evaluate" else seeds * steps,
        "sentence": 0 if verb == "train" else seeds * rows,
    }


def sentences(config: ConfigDict) -> tuple[int, int]:
    """Sentences that one model is judged on in a round, and those of the final half."""
    buckets = sum(weight > 0 for weight in config.recipe.buckets.values())
    generated = (
        config.eval.per_bucket * buckets + (2 + bool(config.recipe.near_misses)) * config.eval.negatives
    )
    return _real_count(config, "gate") + generated, _real_count(config, "final")


def _real_count(config: ConfigDict, half: str) -> int:
    return sum(map(len, evaluate.real_sets(config, load_domain(config.domain), half).values()))
