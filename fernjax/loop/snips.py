"""The public benchmark of the model itself: what `train`, `evaluate`, `report` and `predict` do of it.

    WORKDIR/{config.json, run.json, slots.json, report.json}
    WORKDIR/seed0/{checkpoints, metrics.jsonl, weights.safetensors, heldout.jsonl}

Every stage is skipped where its result is there: the same command after a kill ends in the same result. The
weights that answer are those that would ship, rounded to int8.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from ml_collections import ConfigDict

from fernjax.loop import intervals, plan, settings, workdir
from fernjax.loop.follow import Tell, following
from fernjax.loop.progress import Progress
from fernjax.loop.workdir import Workdir, write_json, write_jsonl
from fernjax.model import optimizer, pretrain, spans, tagger, trainer
from fernjax.model.corpus import snips
from fernjax.model.corpus.snips import Data, Row
from fernjax.model.corpus.sources import find_source, locate
from fernjax.model.devices import enable_compilation_cache
from fernjax.model.files import read_jsonl
from fernjax.model.spans import Labels, Span
from fernjax.model.tagger import TagPredictor
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.transformer import ModelConfig, count_params
from fernjax.sim.types import Prediction, UserError

SCHEMA_VERSION = 1

SLOTS = "slots.json"
"""The intents and their slots, as a run was trained with: its use needs no benchmark."""

COMMONEST = 20
"""Errors of each sort that the report lists."""

SECONDS = {"step": 0.08, "start": 5.0, "sentence": 0.005, "compile": 30.0}
"""First guesses of each kind of work, on two CPU cores; a run measures anew."""


def check(config: ConfigDict) -> None:
    """Builds every part of a run, and fetches the benchmark where it is not there.

    Raises:
      UserError: the first thing in the config that cannot be, in one line.
    """
    ModelConfig.from_config(config)
    load_tokenizer(config.model.vocab_size)
    optimizer.Settings.from_config(config)
    pretrain.check_weights(config)
    locate(find_source("snips"), pathlib.Path(config.data.root))


def describe(config: ConfigDict, path: pathlib.Path, verb: str) -> str:
    """What a verb would do, then the resolved config as JSON; fetches nothing.

    Raises:
      UserError: a model that cannot be, or not the config that the folder was made with.
    """
    if (path / "run.json").exists():
        workdir.check(Workdir(path), config)
    there = all(p.exists() for p in snips.files(config.data.root))
    model = ModelConfig.from_config(config)
    t, seeds = config.train, ", ".join(map(str, config.seeds))
    begins = f"the broad model in {t.start_from}" if t.start_from else "scratch"
    lines = [f"{verb} of snips in {path}, seeds {seeds}:"]
    if verb == "train":
        lines.append(f"  {t.total_steps:,} steps of {t.batch_size} sentences a seed, from {begins}")
    lines.append(
        f"  each answers the held-out tenth of {config.data.root}{'' if there else ', fetched first'}"
    )
    if there:
        labels = snips.load(config.data.root).labels
        shapes = jax.eval_shape(functools.partial(tagger.init_params, 0, model, labels))
        lines += plan.describe_model(config, shapes)
    return "\n".join([*lines, json.dumps(settings.to_json(config), indent=1)])


def train(config: ConfigDict, work: Workdir) -> int:
    """Trains every seed that is not trained, has it answer what is held out, and reports."""
    _finish(config, work, trains=True)
    print(work.path / "report.json")
    return 0


def evaluate(config: ConfigDict, work: Workdir) -> int:
    """Prints the figures of the trained seeds on the held-out part, as JSON."""
    _finish(config, work, trains=False)
    print(json.dumps(workdir.read_object(work.path / "report.json", ("heldout",))["heldout"], indent=1))
    return 0


RUN: dict[str, Callable[[ConfigDict, Workdir], int]] = {"train": train, "evaluate": evaluate}


def _finish(config: ConfigDict, work: Workdir, trains: bool) -> None:
    if (work.path / "report.json").exists():
        return
    enable_compilation_cache()
    work.touch(devices=workdir.devices())
    data = snips.load(config.data.root)
    write_json(work.path / SLOTS, data.labels.to_json())
    with (
        Progress(_stages(config, work, data, trains), SECONDS) as progress,
        following(config, work, progress) as follow,
    ):
        for seed in config.seeds:
            directory = work.path / f"seed{seed}"
            if trains and not (directory / "weights.safetensors").exists():
                progress.stage(f"train seed {seed}")
                _train(config, data, seed, directory, follow(directory))
            if not (directory / "heldout.jsonl").exists():
                progress.stage(f"judge seed {seed}")
                predictor = TagPredictor.load(directory / "weights.safetensors", config, data.labels)
                write_jsonl(
                    directory / "heldout.jsonl", map(_line, data.heldout, answer(predictor, data.heldout))
                )
            work.touch()
    write_report(config, work)


def _stages(
    config: ConfigDict, work: Workdir, data: Data, trains: bool
) -> list[tuple[str, Mapping[str, float]]]:
    out: list[tuple[str, Mapping[str, float]]] = []
    for seed in config.seeds:
        directory = work.path / f"seed{seed}"
        if trains and not (directory / "weights.safetensors").exists():
            units = {"start": 1.0, "step": float(config.train.total_steps)}
            units |= {} if out else {"compile": 1.0}
            out.append((f"train seed {seed}", units))
        if not (directory / "heldout.jsonl").exists():
            out.append((f"judge seed {seed}", {"sentence": float(len(data.heldout))}))
    return out


def _train(config: ConfigDict, data: Data, seed: int, directory: pathlib.Path, tell: Tell) -> None:
    start_from = None
    if config.train.start_from:
        start_from = directory / "broad.safetensors"
        if not start_from.exists():
            found = pretrain.find_weights(config.train.start_from, seed)
            tagger.specialise(found, ModelConfig.from_config(config), data.labels, seed, start_from)
    trainer.run(tagger.make_plan(config, data.labels, seed, start_from), directory, tell)


Answer = tuple[Prediction, tuple[Span, ...]]


def answer(predictor: TagPredictor, rows: Sequence[Row]) -> list[Answer]:
    """What a predictor makes of some rows."""
    return predictor.predict([row.text for row in rows])


def _line(row: Row, answered: Answer) -> dict[str, Any]:
    """A line of `heldout.jsonl`: a sentence, its call, and what was said of it."""
    prediction, said = answered
    return {
        "query": row.text,
        "call": {"name": row.intent, "arguments": row.arguments},
        "said": prediction.to_json(),
        "spans": [[s.first, s.last, s.slot] for s in said],
    }


def write_report(config: ConfigDict, work: Workdir) -> None:
    """Writes `report.json` from the answers that each seed has given.

    Raises:
      UserError: a seed has not answered, or was asked other sentences.
    """
    data = snips.load(config.data.root)
    answers = [
        _read_answers(work.path / f"seed{seed}" / "heldout.jsonl", data.heldout) for seed in config.seeds
    ]
    model = ModelConfig.from_config(config)
    shapes = jax.eval_shape(functools.partial(tagger.init_params, 0, model, data.labels))
    write_json(
        work.path / "report.json",
        {
            "schema_version": SCHEMA_VERSION,
            "kind": "snips",
            **{k: v for k, v in workdir.provenance().items() if k in ("commit", "dirty")},
            "config": settings.to_json(config),
            "parameters": count_params(shapes),
            "seeds": list(config.seeds),
            "wall_s": work.wall_s(),
            "source": locate(find_source("snips"), pathlib.Path(config.data.root)),
            "train": {
                "n": len(data.train),
                "rows": data.rows,
                "duplicates": data.duplicates,
                "conflicting": data.conflicting,
                "unlabelled": data.unlabelled,
                "ambiguous": data.ambiguous,
            },
            "heldout": score(data, answers),
            "confusions": confusions(data.heldout, answers),
        },
    )


def _read_answers(path: pathlib.Path, rows: Sequence[Row]) -> list[dict[str, Any]]:
    lines = read_jsonl(path)
    if [line.get("query") for line in lines] != [row.text for row in rows]:
        raise UserError(
            f"{path} does not hold an answer to each held-out sentence; run `python -m fernjax train` on its "
            "workdir, after removing the file if it is there"
        )
    return lines


def score(data: Data, answers: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Figures of the held-out part, with intervals over sentences and seeds.

    A sentence is right where its call is, name and arguments, as written. `unseen` are the sentences that are
    no near-copies of training ones.

    Args:
      data: the benchmark.
      answers: by seed, a line of `heldout.jsonl` for each held-out row.
    """
    counts_SxNx3 = np.array(
        [[_counts(*pair) for pair in zip(data.heldout, one, strict=True)] for one in answers]
    )
    intent = [
        [_call(line).get("name") == row.intent for row, line in zip(data.heldout, one, strict=True)]
        for one in answers
    ]
    right = [[_is_right(row, line) for row, line in zip(data.heldout, one, strict=True)] for one in answers]
    unseen_N = ~np.array(data.near_copies, bool)
    out: dict[str, Any] = {
        "n": len(data.heldout),
        "conflicting": data.conflicting_heldout,
        "unlabelled": data.unlabelled_heldout,
        "near_copies": int((~unseen_N).sum()),
        "errors": sum(line["said"]["outcome"] == "error" for one in answers for line in one) / len(answers),
    }
    out |= _figure("intent", np.array(intent, float))
    f1_S = [spans.f1(*counts_Nx3.sum(0)) for counts_Nx3 in counts_SxNx3]
    out |= _figure("slot_f1", linearise(counts_SxNx3)) | {"slot_f1_by_seed": f1_S}
    out |= _figure("sentence", np.array(right, float))
    if unseen_N.any():
        out |= _figure("sentence_unseen", np.array(right, float)[:, unseen_N])
    return out


def _figure(name: str, marks_SxN: np.ndarray) -> dict[str, Any]:
    mean, low, high = intervals.mean_over_seeds(marks_SxN)
    return {name: mean, f"{name}_ci": [low, high], f"{name}_by_seed": marks_SxN.mean(axis=1).tolist()}


def linearise(counts_SxNx3: np.ndarray) -> np.ndarray:
    """Marks [S, N] whose mean over sentences is each seed's F1, and varies as it does.

    Args:
      counts_SxNx3: spans that are right, said and gold, by seed and sentence.
    """
    return intervals.linearise(2.0 * counts_SxNx3[..., 0], counts_SxNx3[..., 1] + counts_SxNx3[..., 2])


def _spans(line: Mapping[str, Any]) -> list[Span]:
    return [Span(*span) for span in line["spans"]]


def _counts(row: Row, line: Mapping[str, Any]) -> tuple[int, int, int]:
    """Spans that are right, said and gold. Values that are no runs of words are gold, and never right."""
    said = _spans(line)
    if row.spans is None:
        return 0, len(said), sum(map(len, row.arguments.values()))
    return len(set(said) & set(row.spans)), len(said), len(row.spans)


def _call(line: Mapping[str, Any]) -> dict[str, Any]:
    calls: list[dict[str, Any]] = line["said"]["calls"]
    return calls[0] if calls else {}


def _is_right(row: Row, line: Mapping[str, Any]) -> bool:
    gold = {slot: [" ".join(v.split()) for v in values] for slot, values in row.arguments.items()}
    return _call(line) == {"name": row.intent, "arguments": gold}


def confusions(rows: Sequence[Row], answers: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """The commonest errors, counted over all seeds: of intents, and of slots by kind (`spans.errors`)."""
    intents: Counter[tuple[str, str]] = Counter()
    slots: Counter[tuple[str, str, str, str]] = Counter()
    for one in answers:
        for row, line in zip(rows, one, strict=True):
            name = _call(line).get("name", "")
            if name != row.intent:
                intents[row.intent, name] += 1
            for error, n in spans.errors(row.spans or (), _spans(line)).items():
                slots[error[0], row.intent, error[1], error[2]] += n
    kinds: Counter[str] = Counter()
    for key, n in slots.items():
        kinds[key[0]] += n
    return {
        "intents": [{"intent": i, "said": s, "count": n} for (i, s), n in intents.most_common(COMMONEST)],
        "kinds": dict(kinds.most_common()),
        "slots": [
            {"kind": kind, "intent": intent, "slot": slot, "said": said, "count": n}
            for (kind, intent, slot, said), n in slots.most_common(COMMONEST)
        ],
    }


def load_predictor(work: Workdir) -> TagPredictor:
    """The predictor of a run's first seed.

    Raises:
      UserError: it is not trained.
    """
    config = work.config()
    enable_compilation_cache()
    labels = Labels.from_json(workdir.read_object(work.path / SLOTS, ()))
    return TagPredictor.load(work.path / f"seed{config.seeds[0]}" / "weights.safetensors", config, labels)
