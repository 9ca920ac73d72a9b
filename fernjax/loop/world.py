"""The verb `world`: a learned world a seed, judged on unseen episodes against the simulators.

    WORKDIR/{config.json, run.json, report.json}
    WORKDIR/seed0/{checkpoints, metrics.jsonl, weights.safetensors, APP.jsonl, APP.drift.jsonl}

`APP.jsonl` has a line for each step that was foretold, `APP.drift.jsonl` one for each episode that the world
went through alone. Every stage is skipped where its result is there: the same command after a kill ends in
the same result.
"""

from __future__ import annotations

import collections
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import jax
import numpy as np
from ml_collections import ConfigDict

from fernjax.loop import intervals, settings, workdir
from fernjax.loop.follow import following
from fernjax.loop.progress import Progress
from fernjax.loop.workdir import Workdir, write_json, write_jsonl
from fernjax.model import trainer
from fernjax.model.devices import enable_compilation_cache
from fernjax.model.files import read_jsonl
from fernjax.model.transformer import count_params
from fernjax.model.world import learning
from fernjax.model.world.learned import LearnedWorld
from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State
from fernjax.sim.worlds.app import COUNTED, COUNTED_SEED, World, load_world, steps_of
from fernjax.sim.worlds.changes import same
from fernjax.sim.worlds.episodes import Episode, Episodes
from fernjax.sim.worlds.rivals import Commonest, Echo, Nearest
from fernjax.sim.worlds.rubric import DIMENSIONS, Marks, judge

SCHEMA_VERSION = 1

JUDGED_SEED = 910_000
"""Stream of the episodes that worlds are judged on; none is trained on it."""

BATCH = 32
"""Steps that are foretold at once."""

SECONDS = {"step": 2.0, "start": 5.0, "answer": 0.2, "compile": 60.0}
"""First guesses of each kind of work, on two CPU cores; a run measures anew."""


class Foretells(Protocol):
    """A learned world, or a rival of one."""

    def steps(self, asked: Sequence[tuple[State, Call]]) -> list[tuple[State, Observation]]:
        """State after each call on its state, and what is answered."""


def run(config: ConfigDict, work: Workdir) -> int:
    """Trains and judges every seed that is not done, and writes the report; its path is the result."""
    if not (work.path / "report.json").exists():
        enable_compilation_cache()
        work.touch(devices=workdir.devices())
        plans = {seed: learning.make_plan(config, seed) for seed in config.seeds}
        with Progress(_stages(config), SECONDS) as progress, following(config, work, progress) as follow:
            for seed in config.seeds:
                directory = work.path / f"seed{seed}"
                progress.stage(f"train seed {seed}")
                if not (directory / "weights.safetensors").exists():
                    trainer.run(plans[seed], directory, follow(directory))
                for app in apps_of(config):
                    progress.stage(f"judge seed {seed}: {app}")
                    _judge_seed(config, work, seed, app)
                work.touch()
        _report(config, work)
    print(work.path / "report.json")
    return 0


def apps_of(config: ConfigDict) -> tuple[str, ...]:
    """The apps that a run is judged on: those that it is trained on, and those left out."""
    return (*config.world.apps, *config.world.left_out)


def _stages(config: ConfigDict) -> list[tuple[str, Mapping[str, float]]]:
    out: list[tuple[str, Mapping[str, float]]] = []
    for seed in config.seeds:
        steps = {"start": 1.0, "step": float(config.train.total_steps)} | ({} if out else {"compile": 1.0})
        out.append((f"train seed {seed}", steps))
        for app in apps_of(config):
            out.append((f"judge seed {seed}: {app}", {"answer": 16.0 * config.world.episodes}))
    return out


def _judge_seed(config: ConfigDict, work: Workdir, seed: int, app: str) -> None:
    directory = work.path / f"seed{seed}"
    steps, drift = directory / f"{app}.jsonl", directory / f"{app}.drift.jsonl"
    if steps.exists() and drift.exists():
        return
    world = load_world(app)
    learned = LearnedWorld.load(directory / "weights.safetensors", config, world)
    episodes = judged_episodes(world, config.world.episodes)
    write_jsonl(steps, foretell(world, learned, episodes))
    write_jsonl(drift, ({"held": held} for held in go_alone(world, learned, episodes)))


def judged_episodes(world: World, count: int) -> list[Episode]:
    """The episodes that worlds of an app are judged on; their texts are of the unseen part of the pools."""
    stream = Episodes(world.domain, JUDGED_SEED, held_out=True)
    return [stream.episode(i) for i in range(count)]


def foretell(world: World, rival: Foretells, episodes: Iterable[Episode]) -> list[dict[str, Any]]:
    """Each step of some episodes, foretold from the true state before it, and judged.

    Returns:
      A line for each step: tool, status that is right and that was said, policy, and what `judge` gives.
    """
    asked, true, policies = [], [], []
    for episode in episodes:
        state = episode.first
        for turn in episode.turns:
            after, _ = world.domain.step(state, turn.call)
            asked.append((state, turn.call))
            true.append((after, turn.observation))
            policies.append(turn.policy)
            state = after
    said = [a for i in range(0, len(asked), BATCH) for a in rival.steps(asked[i : i + BATCH])]
    known = _statuses(world)
    return [
        _line(judge(state, call, right, answer, known[call.name]), call, right[1], answer[1], policy)
        for (state, call), right, answer, policy in zip(asked, true, said, policies, strict=True)
    ]


def _statuses(world: World) -> Mapping[str, set[str]]:
    out: dict[str, set[str]] = collections.defaultdict(set)
    for what, tool, of in world.language.forms.forms:
        if what == "data":
            out[tool].add(of)
    return out


def _line(marks: Marks, call: Call, true: Observation, said: Observation, policy: str) -> dict[str, Any]:
    return {
        "tool": call.name,
        "status": true.status,
        "said": said.status,
        "policy": policy,
        "fields": list(marks.fields),
        "state": marks.state,
        "exact": marks.exact,
        "shares": {name: round(marks.shares[name], 4) for name in DIMENSIONS},
        "call": call.to_json(),
        "true": true.to_json(),
        "answer": said.to_json(),
    }


def go_alone(world: World, rival: Foretells, episodes: Sequence[Episode]) -> list[int]:
    """Steps of each episode that a world goes on its own states before it differs from the simulator."""
    states = [e.first for e in episodes]
    truth = [e.first for e in episodes]
    held = [len(e.turns) for e in episodes]
    for n in range(max(held, default=0)):
        still = [i for i, e in enumerate(episodes) if held[i] > n and len(e.turns) > n]
        for at in range(0, len(still), BATCH):
            some = still[at : at + BATCH]
            said = rival.steps([(states[i], episodes[i].turns[n].call) for i in some])
            for i, (state, seen) in zip(some, said, strict=True):
                call = episodes[i].turns[n].call
                truth[i], right = world.domain.step(truth[i], call)
                marks = judge(states[i], call, (truth[i], right), (state, seen), set())
                states[i] = state
                if not (marks.exact and same(state, truth[i])):
                    held[i] = n
    return held


def _report(config: ConfigDict, work: Workdir) -> None:
    shapes = jax.eval_shape(lambda: learning.make_plan(config, config.seeds[0]).problem.init(0))
    last = [read_jsonl(work.path / f"seed{s}" / "metrics.jsonl")[-1] for s in config.seeds]
    apps = {app: _app(config, work, app) for app in apps_of(config)}
    trained = [apps[app]["learned"] for app in config.world.apps]
    work.touch()
    write_json(
        work.path / "report.json",
        {
            "schema_version": SCHEMA_VERSION,
            "kind": "world",
            **{k: v for k, v in workdir.provenance().items() if k in ("commit", "dirty")},
            "config": settings.to_json(config),
            "parameters": count_params(shapes),
            "seeds": list(config.seeds),
            "wall_s": work.wall_s(),
            "loss_by_seed": [line["loss"] for line in last],
            "over_domains": {n: float(np.mean([t[n] for t in trained])) for n in (*FIGURES, "rubric")},
            "over_samples": {
                n: float(np.average([t[n] for t in trained], weights=[t["n"] for t in trained]))
                for n in (*FIGURES, "rubric")
            },
            "apps": apps,
        },
    )


FIGURES = ("status", "fields", "exact", "state")


def _app(config: ConfigDict, work: Workdir, app: str) -> dict[str, Any]:
    world = load_world(app)
    episodes = judged_episodes(world, config.world.episodes)
    seeds = [work.path / f"seed{s}" for s in config.seeds]
    learned = figures([read_jsonl(d / f"{app}.jsonl") for d in seeds])
    turns = len(episodes[0].turns)
    held = [[line["held"] / turns for line in read_jsonl(d / f"{app}.drift.jsonl")] for d in seeds]
    alone, alone_ci = _interval(np.array(held), turns)
    known = list(steps_of(world.domain, COUNTED_SEED, COUNTED))
    rivals: dict[str, Foretells] = {
        "echo": Echo(),
        "commonest": Commonest(world, known),
        "nearest": Nearest(world, known),
    }
    print(f"rivals of {app}", file=sys.stderr)
    return {
        "trained_on": app in config.world.apps,
        "learned": learned | {"steps_alone": alone, "steps_alone_ci": alone_ci, "of_steps": turns},
        **{name: figures([foretell(world, rival, episodes)]) for name, rival in rivals.items()},
    }


def figures(judged: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Figures of judged steps, over seeds, as fractions; those of the rubric out of 100.

    Args:
      judged: by seed, lines of `foretell` of the same steps.
    """
    marks = {
        "status": np.array([[line["status"] == line["said"] for line in one] for one in judged], float),
        "exact": np.array([[line["exact"] for line in one] for one in judged], float),
        "state": np.array([[line["state"] for line in one] for one in judged], float),
    }
    right, total = (np.array([[line["fields"][i] for line in one] for one in judged], float) for i in (0, 1))
    marks["fields"] = intervals.linearise(right, total)
    shares = np.array([[[line["shares"][d] for d in DIMENSIONS] for line in one] for one in judged])
    out: dict[str, Any] = {"n": len(judged[0])}
    for name in FIGURES:
        out[name], out[f"{name}_ci"] = _interval(marks[name])
    out["rubric"], out["rubric_ci"] = _interval(shares.mean(axis=2), 100)
    out["dimensions"] = dict(zip(DIMENSIONS, (100 * shares.mean(axis=(0, 1))).tolist(), strict=True))
    for by in ("status", "tool", "policy"):
        names = sorted({line[by] for line in judged[0]})
        where = {name: np.array([line[by] == name for line in judged[0]]) for name in names}
        out[f"by_{by}"] = {
            name: {
                "n": int(at.sum()),
                "status": float(marks["status"][:, at].mean()),
                "fields": float(right[:, at].sum() / max(total[:, at].sum(), 1)),
                "exact": float(marks["exact"][:, at].mean()),
            }
            for name, at in where.items()
        }
    return out


def _interval(marks_SxN: np.ndarray, scale: float = 1) -> tuple[float, list[float]]:
    """Mean of marks in [0, 1] and its interval, both in a scale."""
    mean, low, high = (scale * x for x in intervals.mean_over_seeds(marks_SxN))
    return mean, [low, high]
