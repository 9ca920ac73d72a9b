"""The verb `pretrain`: shards, a broad model a seed, and what each makes of services that it has never seen.

    WORKDIR/{config.json, run.json, report.json}
    WORKDIR/seed0/{checkpoints, metrics.jsonl, weights.safetensors, trials.json}
    WORKDIR/specialists/APP-STEPS/ ...  as `loop` leaves them

Every stage is skipped where its result is there: the same command after a kill ends in the same result.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

import jax
from ml_collections import ConfigDict

from fernjax.loop import intervals, settings, workdir
from fernjax.loop.follow import following
from fernjax.loop.preflight import check_config
from fernjax.loop.progress import Progress
from fernjax.loop.verbs import run_loop
from fernjax.loop.workdir import Workdir, write_json
from fernjax.model import pretrain as pretraining
from fernjax.model import quantize, trainer
from fernjax.model.corpus.build import build
from fernjax.model.corpus.dialogues import family
from fernjax.model.corpus.shards import read_services
from fernjax.model.corpus.trials import Trial, make_trials
from fernjax.model.devices import enable_compilation_cache
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.trainer import Plan
from fernjax.model.transformer import ModelConfig, count_params
from fernjax.sim.grade import Verdict

SCHEMA_VERSION = 1

LIMIT = 100
"""Sentences of a service and form that a model is tried on, those out of scope not counted."""

OUT_OF_SCOPE = 0.3
"""Share, of those, that other services are asked."""

GROUPS = ("unseen", "new_family", "seen")
"""Services that pretraining did not have, of families that it had; of others; and those that it had."""

SECONDS = {"step": 0.5, "start": 5.0, "batch": 0.1, "compile": 40.0}
"""First guesses of each kind of work, on two CPU cores; a run measures anew."""


def run(config: ConfigDict, work: Workdir) -> int:
    """Pretrains every seed that is not done, and writes the report; its path is the result."""
    if not (work.path / "report.json").exists():
        enable_compilation_cache()
        work.touch(devices=workdir.devices())
        shards = build(config, lambda line: print(line, file=sys.stderr))
        plans = {seed: pretraining.make_plan(config, shards, seed) for seed in config.seeds}
        with Progress(_stages(plans), SECONDS) as progress, following(config, work, progress) as follow:
            trials = None
            for seed in config.seeds:
                directory = work.path / f"seed{seed}"
                progress.stage(f"pretrain seed {seed}")
                if not (directory / "weights.safetensors").exists():
                    trainer.run(plans[seed], directory, follow(directory))
                if not (directory / "trials.json").exists():
                    progress.stage(f"try seed {seed}")
                    trials = trials or _make_trials(config, shards)
                    _try(config, work, seed, trials)
        for app, steps in _specialists(config):
            _specialise(config, work, app, steps)
        _report(config, work, shards, plans)
    print(work.path / "report.json")
    return 0


def _stages(plans: Mapping[int, Plan]) -> list[tuple[str, dict[str, float]]]:
    out: list[tuple[str, dict[str, float]]] = []
    for seed, plan in plans.items():
        steps = {"start": 1.0, "step": float(plan.schedule.total_steps)} | ({} if out else {"compile": 1.0})
        out += [(f"pretrain seed {seed}", steps), (f"try seed {seed}", {"batch": 200.0})]
    return out


def _make_trials(config: ConfigDict, shards: pathlib.Path) -> list[Trial]:
    folder = shards / "heldout" / "sgd"
    if not folder.exists():
        return []
    tokenizer = load_tokenizer(config.model.vocab_size)
    return list(make_trials(folder, tokenizer, config.pretrain.tools, LIMIT, OUT_OF_SCOPE))


def _try(config: ConfigDict, work: Workdir, seed: int, trials: list[Trial]) -> None:
    """Answers all trials with the weights as they would ship, rounded to int8; keeps a mark a sentence."""
    model = ModelConfig.from_config(config)
    directory = work.path / f"seed{seed}"
    params = quantize.round_int8(pretraining.load_weights(directory / "weights.safetensors", model))
    tools = config.pretrain.tools
    marks = []
    for trial in trials:
        answers = pretraining.answer(params, trial.batches, model)
        said, right = answers["tool"][: len(trial.gold), 0], answers["right"][: len(trial.gold)]
        marks.append(
            {
                "service": trial.service.name,
                "form": trial.form,
                "in_scope": (trial.gold < tools).astype(int).tolist(),
                "route": (said == trial.gold).astype(int).tolist(),
                "full": right.astype(int).tolist(),
                "abstained": (said == tools).astype(int).tolist(),
            }
        )
    write_json(directory / "trials.json", {"trials": marks})


def _specialists(config: ConfigDict) -> list[tuple[str, int]]:
    s = config.pretrain.specialise
    return [(app, steps) for app in s.domains for steps in s.total_steps]


def for_specialist(config: ConfigDict, app: str, steps: int, start_from: str) -> ConfigDict:
    """The config of a specialist's run: the pretraining's own, but for its app and its training."""
    s, values = config.pretrain.specialise, settings.to_json(config)
    values["domain"] = app
    values["train"] |= {
        "start_from": start_from,
        "total_steps": steps,
        "batch_size": s.batch_size,
        "peak_lr": s.peak_lr,
        "warmup_steps": min(s.warmup_steps, max(1, steps // 4)),
        "save_every_steps": max(1, steps),
    }
    values["loop"] |= {"rounds": 0}
    return settings.from_json(values)


def _specialise(config: ConfigDict, work: Workdir, app: str, steps: int) -> None:
    path = work.path / "specialists" / f"{app}-{steps}"
    print(f"specialist: {app}, {steps} steps", file=sys.stderr)
    own = for_specialist(config, app, steps, str(work.path))
    check_config(own)
    with workdir.open_workdir(path, own) as place, contextlib.redirect_stdout(sys.stderr):
        run_loop(own, place)


def _report(config: ConfigDict, work: Workdir, shards: pathlib.Path, plans: Mapping[int, Plan]) -> None:
    per_step = [pretraining.tokens_of(plan) for plan in plans.values()]
    manifest = json.loads((shards / "manifest.json").read_text(encoding="utf-8"))
    last = [_last_line(work.path / f"seed{seed}" / "metrics.jsonl") for seed in config.seeds]
    tried = [json.loads((work.path / f"seed{s}" / "trials.json").read_text())["trials"] for s in config.seeds]
    known = (
        read_services(shards / "calls" / "sgd" / "tools.json") if (shards / "calls" / "sgd").exists() else []
    )
    names, families = {s.name for s in known}, {s.family for s in known}
    work.touch()
    write_json(
        work.path / "report.json",
        {
            "schema_version": SCHEMA_VERSION,
            "kind": "pretrain",
            **{k: v for k, v in workdir.provenance().items() if k in ("commit", "dirty")},
            "config": settings.to_json(config),
            "parameters": count_params(jax.eval_shape(lambda: plans[config.seeds[0]].problem.init(0))),
            "seeds": list(config.seeds),
            "wall_s": work.wall_s(),
            "steps": [line["step"] for line in last],
            "tokens": [round(line["step"] * tokens) for line, tokens in zip(last, per_step, strict=True)],
            **_mean("loss", last),
            **_mean("text_loss", last),
            "shards": {"folder": shards.name, "sources": manifest["sources"]},
            "specialists": {
                f"{app}-{steps}": _figures(work.path / "specialists" / f"{app}-{steps}" / "report.json")
                for app, steps in _specialists(config)
            },
            "trials": {
                f"{group}/{form}": scores
                for group in GROUPS
                for form in ("sentence", "history")
                if (scores := _scores(tried, names, families, group, form))
            },
        },
    )


def _scores(
    tried: list[list[Mapping[str, Any]]], names: set[str], families: set[str], group: str, form: str
) -> dict[str, Any] | None:
    """Counts over the services of a group, with intervals over sentences and seeds."""

    def belongs(service: str) -> bool:
        known = family(service) in families
        return group == ("seen" if service in names else "unseen" if known else "new_family")

    verdicts = [
        [v for trial in one if trial["form"] == form and belongs(trial["service"]) for v in _verdicts(trial)]
        for one in tried
    ]
    return intervals.scores_json(verdicts) if verdicts and verdicts[0] else None


def _verdicts(trial: Mapping[str, Any]) -> list[Verdict]:
    rows = zip(trial["full"], trial["route"], trial["in_scope"], trial["abstained"], strict=True)
    return [
        Verdict(
            full=bool(full),
            route=bool(route),
            force_fit=None if in_scope else not abstained,
            over_abstention=bool(abstained) if in_scope else None,
            error=False,
        )
        for full, route, in_scope, abstained in rows
    ]


def _figures(path: pathlib.Path) -> dict[str, Any]:
    """What a specialist's report says of real and generated sentences."""
    report = workdir.read_object(path, ("real", "generated"))
    return {"real": report["real"], "generated": report["generated"]}


def _mean(name: str, last: list[dict[str, Any]]) -> dict[str, Any]:
    """A loss over the last `log_every_steps` steps, of each seed and their mean; {} where there is none."""
    by_seed = [line[name] for line in last if line.get(name) is not None]
    if len(by_seed) < len(last):
        return {}
    return {name: sum(by_seed) / len(by_seed), f"{name}_by_seed": by_seed}


def _last_line(path: pathlib.Path) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
    return line
