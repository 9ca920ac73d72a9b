"""What a command would do, told without doing it."""

from __future__ import annotations

import json
import pathlib

from ml_collections import ConfigDict

from fernjax.loop import real_sets, settings
from fernjax.loop.preflight import Checked, check_config, make_shapes
from fernjax.model import optimizer
from fernjax.model.transformer import ModelConfig, count_applied, count_params
from fernjax.sim.recipe import Recipe
from fernjax.sim.world import load_domain

COMPILE_S = 80
"""Seconds to compile a run's functions where none of them is in the cache on disk, on two CPU cores."""

STEP_S_PER_SENTENCE = 0.85e-3
STEP_S_PER_SENTENCE_AND_PARAMETER = 1.61e-9
"""A step's seconds: a sentence costs a fixed part, and one in proportion to the parameters that are applied.

Through two points measured on two idle CPU cores, 32 sentences a step: `sprout`, 1.6M applied, 0.11 s, and
`bud`, 22.8M applied, 1.2 s.
"""

SENTENCE_S = 0.005
"""Seconds to make, answer and judge a sentence; from the 12 to 14 minutes that `calendar.py:quick` takes."""


def describe_run(config: ConfigDict, path: pathlib.Path, verb: str) -> str:
    """Stages, sizes and cost of a run, then the resolved config as JSON.

    Raises:
      UserError: a config with which the run could not be.
    """
    checked = check_config(config)
    units = work_units(config, verb)
    state = "resumes what is there" if (path / "run.json").exists() else "new"
    stages = _describe_stages(config, verb)
    return "\n".join(
        [
            f"{verb} in {path} ({state}), domain {checked.domain.name}:",
            *(f"  {i}. {stage}" for i, stage in enumerate(stages, 1)),
            *real_sets.describe(config, checked.domain),
            *_describe_model(config, checked),
            f"in all {units['step']} steps ({units['step'] * config.train.batch_size} sentences trained on), "
            f"{units['sentence']} sentences judged,",
            f"about {guess_minutes(config, verb)} minutes on two idle CPU cores",
            json.dumps(settings.to_json(config), indent=1),
        ]
    )


def describe_fleet(config: ConfigDict, path: pathlib.Path, apps: list[str]) -> str:
    """The apps, and what each takes.

    Raises:
      UserError: a config with which some app's run could not be.
    """
    lines, total = [], 0
    for app in apps:
        of_app = for_app(config, app)
        check_config(of_app)
        minutes = guess_minutes(of_app, "loop")
        total += minutes
        lines += [f"  {path / app}", f"    about {minutes} minutes"]
    return "\n".join(
        [
            f"fleet of {len(apps)} apps in {path}, one after the other:",
            *lines,
            f"about {total} minutes in all on two idle CPU cores",
            json.dumps(settings.to_json(config), indent=1),
        ]
    )


def for_app(config: ConfigDict, app: str) -> ConfigDict:
    """A fleet's config, for one of its apps."""
    return settings.from_json(settings.to_json(config) | {"domain": app})


def describe_generation(config: ConfigDict, count: int, output: str) -> str:
    """Which sentences `generate` would write, and where.

    Raises:
      UserError: no such domain, a recipe that cannot be.
    """
    recipe = Recipe.of_run(config)
    where = output if output not in ("", "-") else "standard output"
    return "\n".join(
        [
            f"generate {count} sentences of domain {load_domain(config.domain).name}, "
            f"seed {config.seeds[0]}, to {where}, by the recipe",
            json.dumps(recipe.to_json(), indent=1),
        ]
    )


def guess_minutes(config: ConfigDict, verb: str) -> int:
    """Minutes of a new run on two idle CPU cores, at least 1."""
    units, seconds = work_units(config, verb), seconds_per_unit(config)
    return max(1, round((COMPILE_S + sum(n * seconds[kind] for kind, n in units.items())) / 60))


def seconds_per_unit(config: ConfigDict) -> dict[str, float]:
    """First guesses of a step and of a judged sentence, in seconds; a run measures its own."""
    applied = count_applied(make_shapes(config), ModelConfig.from_config(config))
    per_sentence = STEP_S_PER_SENTENCE + STEP_S_PER_SENTENCE_AND_PARAMETER * applied
    return {"step": per_sentence * config.train.batch_size, "sentence": SENTENCE_S}


def work_units(config: ConfigDict, verb: str = "loop") -> dict[str, int]:
    """Steps and judged sentences of a whole run, were every round kept."""
    seeds, rounds = len(config.seeds), config.loop.rounds if verb == "loop" else 0
    arms = 1 + bool(config.loop.placebo)
    judged, last = count_sentences(config)
    steps = config.train.total_steps + rounds * arms * config.train.repair_steps
    rows = judged * (1 + rounds * (1 + arms)) + last * (1 + rounds)
    return {
        "step": 0 if verb == "evaluate" else seeds * steps,
        "sentence": 0 if verb == "train" else seeds * rows,
    }


def count_sentences(config: ConfigDict) -> tuple[int, int]:
    """Sentences that one model is judged on in a round, and those of the final half."""
    buckets = sum(weight > 0 for weight in config.recipe.buckets.values())
    generated = (
        config.eval.per_bucket * buckets + (2 + bool(config.recipe.near_misses)) * config.eval.negatives
    )
    return _count_real(config, "gate") + generated, _count_real(config, "final")


def _count_real(config: ConfigDict, half: str) -> int:
    return sum(map(len, real_sets.load_sets(config, load_domain(config.domain), half).values()))


def _describe_stages(config: ConfigDict, verb: str) -> list[str]:
    t, seeds, rounds = config.train, len(config.seeds), config.loop.rounds
    stages = []
    if verb != "evaluate":
        stages.append(f"train {seeds} seeds x {t.total_steps} steps x {t.batch_size} sentences from scratch")
    if verb != "train":
        judged, last = count_sentences(config)
        stages.append(f"evaluate on {judged} sentences a seed, count {last} of the final half")
    if verb == "loop" and rounds:
        arms = 1 + bool(config.loop.placebo)
        stages.append(
            f"{rounds} rounds more: diagnose, repair, train {arms} x {seeds} x {t.repair_steps} steps, gate"
        )
    if verb == "loop":
        stages.append("report.json, report.html")
    return stages


def _describe_model(config: ConfigDict, checked: Checked) -> list[str]:
    rules = optimizer.describe(checked.plan.optimizer, checked.shapes).splitlines()
    return [
        f"model: {count_params(checked.shapes):,} unique parameters, "
        f"{count_applied(checked.shapes, ModelConfig.from_config(config)):,} applied by the blocks to each "
        "token; by leaf its shape and the optimizer's rule:",
        *(f"  {line}" for line in rules),
    ]
