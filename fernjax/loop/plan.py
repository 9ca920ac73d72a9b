"""What a command would do, told without doing it."""

from __future__ import annotations

import functools
import json
import math
import pathlib
from collections.abc import Sequence
from typing import Any

import jax
from ml_collections import ConfigDict

from fernjax.loop import real_sets, settings, workdir
from fernjax.loop.preflight import check_config
from fernjax.loop.stages import Stage, count_sentences, list_stages, seconds_per_unit, stages_left
from fernjax.model import optimizer, reader
from fernjax.model.transformer import ModelConfig, count_applied, count_params
from fernjax.model.world import learning
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import UserError
from fernjax.sim.world import load_domain

BUSY = 1.25
"""How many times as long as on an idle machine a run takes beside other work, at most."""


def describe_run(config: ConfigDict, path: pathlib.Path, verb: str) -> str:
    """Stages, sizes and cost of a run, then the resolved config as JSON.

    Raises:
      UserError: a config with which the run could not be, or not the one that the folder was made with.
    """
    checked = check_config(config)
    begun = (path / "run.json").exists()
    if begun:
        workdir.check(workdir.Workdir(path), config)
    stages, left = list_stages(config, path, verb), stages_left(config, path, verb)
    cost = _describe_cost(config, left)
    if not begun:
        told = _describe_stages(config, verb)
    elif not left:
        return f"{verb} in {path}: done, nothing is left to do"
    else:
        told = _describe_left(stages, left)
    return "\n".join(
        [
            f"{verb} in {path} ({'resumes' if begun else 'new'}), domain {checked.domain.name}, {cost}:",
            *(f"  {i}. {stage}" for i, stage in enumerate(told, 1)),
            *real_sets.describe(config, checked.domain),
            *describe_model(config, checked.shapes),
            json.dumps(settings.to_json(config), indent=1),
            f"{'left' if begun else 'in all'} {cost}",
        ]
    )


def describe_fleet(config: ConfigDict, path: pathlib.Path, apps: list[str]) -> str:
    """The apps, and what each takes.

    Raises:
      UserError: a config with which some app's run could not be.
    """
    lines, total = [], 0.0
    for app in apps:
        of_app = for_app(config, app)
        check_config(of_app)
        left = stages_left(of_app, path / app)
        total += guess_seconds(of_app, left)
        lines += [f"  {path / app}", f"    {in_minutes(guess_seconds(of_app, left)) if left else 'done'}"]
    cost = f"{in_minutes(total)} in all" if total else "nothing left to do"
    return "\n".join(
        [
            f"fleet of {plural(len(apps), 'app')} in {path}, one after the other, {cost}:",
            *lines,
            json.dumps(settings.to_json(config), indent=1),
            cost,
        ]
    )


def describe_pretraining(config: ConfigDict, path: pathlib.Path) -> str:
    """Sizes and sources of a pretraining, then the resolved config as JSON; builds no shards.

    Raises:
      UserError: a model or a source that cannot be.
    """
    model = ModelConfig.from_config(config)
    shapes = jax.eval_shape(functools.partial(reader.init, 0, model))
    p, groups = config.pretrain, config.train.batch_size
    steps = f"about {p.total_tokens:,} tokens" if p.total_tokens else f"{config.train.total_steps:,} steps"
    texts = f", {plural(p.texts, 'text')} of {p.text_length} tokens" if p.text_weight else ""
    return "\n".join(
        [
            f"pretrain in {path}: {plural(len(config.seeds), 'seed')} of {steps}, "
            f"{plural(groups, 'group')} a step of {p.sentences} sentences with {p.tools} tools{texts}",
            *(f"  {kind}: {_weighted(config.data[kind])}" for kind in ("calls", "texts")),
            *describe_model(config, shapes),
            json.dumps(settings.to_json(config), indent=1),
        ]
    )


def describe_world(config: ConfigDict, path: pathlib.Path) -> str:
    """Sizes and apps of a learned world, then the resolved config as JSON.

    Raises:
      UserError: a model or an app that cannot be.
    """
    w, groups = config.world, config.train.batch_size
    if not w.apps:
        raise UserError("config.world.apps is empty; name an app at least")
    for name in (*w.apps, *w.left_out):
        load_domain(name)
    if both := sorted(set(w.apps) & set(w.left_out)):
        raise UserError(f"config.world: {both[0]} is trained on and left out; take it out of one")
    plan = learning.make_plan(config, config.seeds[0])
    shapes = jax.eval_shape(lambda: plan.problem.init(0))
    left_out = f", and tried on {', '.join(w.left_out)}" if w.left_out else ""
    return "\n".join(
        [
            f"world in {path}: {plural(len(config.seeds), 'seed')} of {config.train.total_steps:,} steps, "
            f"{plural(groups, 'row')} a step of at most {w.calls} calls on a state of {', '.join(w.apps)}"
            f"{left_out}; judged on {plural(w.episodes, 'episode')} an app",
            *describe_model(config, shapes),
            json.dumps(settings.to_json(config), indent=1),
        ]
    )


def _weighted(sources: ConfigDict) -> str:
    return ", ".join(f"{name} {weight:g}" for name, weight in sources.items() if weight)


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


def guess_seconds(config: ConfigDict, stages: Sequence[Stage]) -> float:
    """Seconds of some stages on two idle CPU cores."""
    seconds = seconds_per_unit(config)
    return sum(n * seconds[kind] for stage in stages for kind, n in stage.work.items())


def in_minutes(seconds: float) -> str:
    """A guess of an idle machine's seconds in words, with the quarter that a busy one takes more."""
    least = max(1, round(seconds / 60))
    if seconds < 60:
        return "about a minute on two CPU cores"
    return f"{least} to {math.ceil(BUSY * least)} minutes on two CPU cores"


def plural(number: int, noun: str) -> str:
    """`1 seed`, `3 seeds`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _describe_cost(config: ConfigDict, stages: Sequence[Stage]) -> str:
    steps, sentences = (
        round(sum(stage.work.get(kind, 0) for stage in stages)) for kind in ("step", "sentence")
    )
    return (
        f"{in_minutes(guess_seconds(config, stages))}: {plural(steps, 'step')} "
        f"({plural(steps * config.train.batch_size, 'sentence')} trained on), "
        f"{plural(sentences, 'sentence')} judged"
    )


def _describe_left(stages: Sequence[Stage], left: Sequence[Stage]) -> list[str]:
    """The stages that are left; of a round that has not begun, only that."""
    begun = {stage.number for stage in stages if stage.done}
    lines = [stage.name for stage in left if stage.number in begun]
    return lines + [f"round {n}: all of it" for n in sorted({stage.number for stage in left} - begun)]


def _describe_stages(config: ConfigDict, verb: str) -> list[str]:
    t, seeds, rounds = config.train, plural(len(config.seeds), "seed"), config.loop.rounds
    stages = []
    if verb != "evaluate":
        stages.append(f"train {seeds} x {t.total_steps} steps x {t.batch_size} sentences from scratch")
    if verb != "train":
        judged, last = count_sentences(config)
        stages.append(f"evaluate on {judged} sentences a seed, count {last} of the final half")
    if verb == "loop" and rounds:
        arms = "challenger and placebo" if config.loop.placebo else "challenger"
        stages.append(
            f"{plural(rounds, 'round')} more: diagnose, repair, train {arms}, "
            f"each {seeds} x {t.repair_steps} steps, gate"
        )
    if verb == "loop":
        stages.append("report.json, report.html")
    return stages


def describe_model(config: ConfigDict, shapes: Any) -> list[str]:
    """Sizes of a model, and which leaf gets which of the optimizer's rules; `shapes` are its parameters'."""
    blocks = optimizer.describe(optimizer.Settings.from_config(config), shapes).splitlines()
    applied = count_applied(shapes, ModelConfig.from_config(config))
    return [
        f"model: {count_params(shapes):,} unique parameters, {applied:,} applied by the blocks to each "
        "token; which leaf gets which of the optimizer's rules, a star where it decays",
        "(`bud` in the names is the part that reads the sentence, in a model of any size):",
        *(f"  {line}" for line in blocks),
    ]
