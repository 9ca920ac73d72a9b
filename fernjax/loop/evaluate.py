"""Scores any `predict(list[Query]) -> list[Prediction]` on real and generated sentences.

infer, judge and score are joined by files: `predictions/*.jsonl` holds what was answered, `scores.json` what
it was worth. Nothing but counts of the real `final` half ever reaches a file.
"""

from __future__ import annotations

import collections
import dataclasses
import pathlib
import random
from collections.abc import Callable, Collection, Sequence
from typing import Any

from ml_collections import ConfigDict

from fernjax.loop import gate, intervals
from fernjax.loop.baselines import Abstain, ExtractorBaseline, TfidfBaseline
from fernjax.loop.real_sets import NOW
from fernjax.loop.workdir import write_jsonl
from fernjax.model import calibration
from fernjax.model.files import read_jsonl
from fernjax.sim import grade
from fernjax.sim.negatives import other_apps, plain_negatives
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, Call, Prediction, Query, Row, UserError
from fernjax.sim.world import Domain

Predict = Callable[[list[Query]], list[Prediction]]
Sets = dict[str, list[Row]]
"""Rows by name: `gate/public`, `generated/messy`, `negatives/natural` ..."""

Answers = dict[str, list[Prediction]]
"""Predictions by set, in the rows' order."""

Verdicts = dict[str, list[grade.Verdict]]
"""Their marks."""

EVALUATION_SEED = 1_000_000
"""First seed of the streams that are only evaluated on; training's are below it."""

GENERATED = (*BUCKETS, "templated")
"""Generated sets; each has a seed of its own in every stream, or they would begin with the same draws."""

NEAR_MISS = "near_miss"
"""The set of what other apps are asked. Its seeds lie in a block of their own."""

TRIES = 50
"""Draws for each sentence of a set, on the average, after which the grammar says too little for all sets."""

BASELINE_SENTENCES = 8000


def generated_sets(config: ConfigDict, domain: Domain, stream: int) -> Sets:
    """Fresh sentences of every bucket, and negatives; no sentence is in two sets.

    Negatives are templated, natural and, where the recipe has near-misses, what other apps are asked.

    The first recipe makes them, whatever repairs did since, so that rounds stay comparable.

    Args:
      stream: another one gives other sentences.

    Raises:
      UserError: where the grammar says too few sentences for all sets.
    """
    first = Recipe.of_run(config).replace(max_skeletons=0)
    sets = generated_buckets(config, domain, stream)
    taken = {row.query.text.casefold() for rows in sets.values() for row in rows}
    templated = first.replace(
        buckets={OUT_OF_SCOPE: 1.0}, natural_negatives=0.0, near_misses=0.0, how_tos=0.0
    )
    generator = _fresh(domain, templated, stream, "templated")
    sets["negatives/templated"] = _draw(generator, "templated", config.eval.negatives, taken)
    if first.near_misses and other_apps(domain.name):
        generator = _fresh(domain, templated.replace(near_misses=1.0), stream, NEAR_MISS)
        sets[f"negatives/{NEAR_MISS}"] = _draw(generator, NEAR_MISS, config.eval.negatives, taken)
    sets["negatives/natural"] = natural_negatives(config, domain, stream, taken)
    return sets


def generated_buckets(config: ConfigDict, domain: Domain, stream: int) -> Sets:
    """The part of `generated_sets` that holds no negatives: a set for each bucket of the first recipe."""
    first = Recipe.of_run(config).replace(max_skeletons=0)
    taken: set[str] = set()
    sets: Sets = {}
    for bucket in BUCKETS:
        if first.buckets.get(bucket, 0.0) > 0:
            generator = _fresh(domain, first.replace(buckets={bucket: 1.0}), stream, bucket)
            sets[f"generated/{bucket}"] = _draw(generator, bucket, config.eval.per_bucket, taken)
    return sets


def generated_seed(stream: int, name: str) -> int:
    """Seed of `NEAR_MISS` or one of `GENERATED` in a stream; no other set, stream or training has it."""
    if name == NEAR_MISS:
        return 2 * EVALUATION_SEED + stream
    return EVALUATION_SEED + stream * len(GENERATED) + GENERATED.index(name)


def natural_negatives(
    config: ConfigDict, domain: Domain, stream: int, taken: Collection[str] = ()
) -> list[Row]:
    """Plain sentences that people wrote, kept out of training, as rows whose label abstains.

    Args:
      taken: sentences that other sets hold, case-folded.
    """
    texts = plain_texts(domain, True, config.eval.negatives, stream, taken)
    return [
        Row(Query(f"natural-{i}", text, NOW), [{OUT_OF_SCOPE: {}}], tags=(OUT_OF_SCOPE,), source="natural")
        for i, text in enumerate(texts)
    ]


def plain_texts(
    domain: Domain, held_out: bool, count: int, stream: int = 0, taken: Collection[str] = ()
) -> list[str]:
    """At most `count` plain sentences that no tool of the app is for; `held_out` ones never train."""
    texts = list(plain_negatives(domain, held_out))
    random.Random(f"plain/{held_out}/{stream}").shuffle(texts)
    return [text for text in texts if text.casefold() not in taken][:count]


def baselines(domain: Domain, recipe: Recipe, seed: int) -> dict[str, Predict]:
    """Predictors that any model must beat: always abstain, extractor and keywords, TF-IDF."""
    generator = Generator(domain, recipe, seed)
    scenarios = [generator.scenario(i) for i in range(BASELINE_SENTENCES)]
    return {
        "abstain": Abstain().predict,
        "extractor": ExtractorBaseline(domain).predict,
        "tfidf": TfidfBaseline(domain, scenarios).predict,
    }


def evaluate(
    predict: Predict,
    sets: Sets,
    directory: pathlib.Path,
    on_progress: Callable[[int], None] = lambda sentences: None,
) -> Answers:
    """Answers to every set, a file each in `directory`; those that are there are read back.

    Args:
      sets: of `gate` and generated rows; `final` has `score_final`.
      on_progress: told after each set how many sentences it had.
    """
    answers = {}
    for name, rows in sets.items():
        assert not name.startswith("final/"), "predictions of `final` are never written"
        if not (directory / file_name(name)).exists():
            predictions = predict([row.query for row in rows])
            write_jsonl(directory / file_name(name), _lines(predictions, rows))
        answers[name] = load_predictions(directory, name)
        on_progress(len(rows))
    return answers


def is_evaluated(sets: Sets, directory: pathlib.Path) -> bool:
    """Whether every set's answers are in the directory."""
    return all((directory / file_name(name)).exists() for name in sets)


def summarise(sets: Sets, answers: Sequence[Answers], touched: Collection[str]) -> dict[str, Any]:
    """Everything that a report says of one arm on its gate and generated sentences, over its seeds."""
    groups = {
        "gate": [n for n in sets if n.startswith("gate/")],
        "generated": [n for n in sets if n.startswith("generated/")],
    }
    judged = judge_all(sets, answers)
    marks = gate.pair(answers, sets)
    about: dict[str, dict[str, Any]] = {"tools": {}, "confusion": {}, "calibration": {}}
    for group, names in groups.items():
        triples = [
            t
            for a, j in zip(answers, judged, strict=True)
            for n in names
            for t in zip(sets[n], a[n], j[n], strict=True)
        ]
        about["tools"][group] = _per_tool(triples)
        about["confusion"][group] = _confusion(triples)
        about["calibration"][group] = calibration.measure(
            [p.confidence for _, p, _ in triples], [v.full for _, _, v in triples]
        )
    pooled = [[v for n in groups["generated"] for v in j[n]] for j in judged]
    return {
        "sets": score_sets(judged),
        "untouched": score_sets(_without(sets, judged, touched, groups["gate"])),
        "generated": intervals.scores_json(pooled) if pooled and pooled[0] else {},
        "primary": gate.primary_score(marks),
        "noise": gate.noise_floor(marks),
    } | about


def judge_all(sets: Sets, answers: Sequence[Answers]) -> list[Verdicts]:
    """Marks of every answer, a mapping a seed."""
    return [{name: grade.verdicts(a[name], rows) for name, rows in sets.items()} for a in answers]


def score_sets(judged: Sequence[Verdicts]) -> dict[str, Any]:
    """Figures of every set over the seeds, with intervals."""
    return {name: intervals.scores_json([j[name] for j in judged]) for name in judged[0]}


def score_final(predicts: Sequence[Predict], sets: Sets, touched: Collection[str]) -> dict[str, Any]:
    """Figures of the `final` sets with and without the rows that training met, and nothing else of them.

    Args:
      predicts: one a seed.
      touched: queries that a generated sentence nearly copied.
    """
    answers = [
        {name: predict([r.query for r in rows]) for name, rows in sets.items()} for predict in predicts
    ]
    judged = judge_all(sets, answers)
    return {"all": score_sets(judged), "untouched": score_sets(_without(sets, judged, touched, list(sets)))}


def _without(
    sets: Sets, judged: Sequence[Verdicts], touched: Collection[str], names: Sequence[str]
) -> list[Verdicts]:
    """Marks of the rows that no generated sentence nearly copied; a set that is left empty falls away."""
    kept = {n: [i for i, row in enumerate(sets[n]) if row.query.text not in touched] for n in names}
    return [{n: [j[n][i] for i in indices] for n, indices in kept.items() if indices} for j in judged]


def load_predictions(directory: pathlib.Path, name: str) -> list[Prediction]:
    """What was answered to a set, in its rows' order."""
    return [
        Prediction(
            tuple(Call(c["name"], c["arguments"]) for c in line["calls"]),
            tuple(line["missing"]),
            line["outcome"],
            line["confidence"],
        )
        for line in read_jsonl(directory / file_name(name))
    ]


def file_name(name: str) -> str:
    """Name of the file of a set's answers: `gate/public` -> `gate_public.jsonl`."""
    return name.replace("/", "_") + ".jsonl"


def gold_name(row: Row) -> str:
    """The tools that a row's label names, joined by `+`."""
    return "+".join(grade.label_names(row.calls))


def predicted_name(prediction: Prediction) -> str:
    """The tools that a prediction names, joined by `+`; `error` where it is none."""
    return "error" if prediction.outcome == "error" else "+".join(c.name for c in prediction.calls)


def _per_tool(triples: Sequence[tuple[Row, Prediction, grade.Verdict]]) -> dict[str, list[int]]:
    """Right full calls and sentences of each tool, summed over the seeds."""
    tools: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    for row, _, verdict in triples:
        tools[gold_name(row)][0] += verdict.full
        tools[gold_name(row)][1] += 1
    return dict(tools)


def _confusion(triples: Sequence[tuple[Row, Prediction, grade.Verdict]]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = collections.defaultdict(lambda: collections.defaultdict(int))
    for row, prediction, _ in triples:
        table[gold_name(row)][predicted_name(prediction)] += 1
    return {gold: dict(row) for gold, row in table.items()}


def _lines(predictions: Sequence[Prediction], rows: Sequence[Row]) -> list[dict[str, Any]]:
    right = grade.per_row(predictions, rows)
    return [
        {"id": row.query.id, "query": row.query.text} | prediction.to_json() | {"right": r}
        for prediction, row, r in zip(predictions, rows, right, strict=True)
    ]


def _fresh(domain: Domain, recipe: Recipe, stream: int, name: str) -> Generator:
    return Generator(domain, recipe, generated_seed(stream, name), held_out=True)


def _draw(generator: Generator, name: str, count: int, taken: set[str]) -> list[Row]:
    """The first `count` sentences of a stream that are not in `taken`; they join it when all are drawn."""
    rows: list[Row] = []
    for index in range(TRIES * count):
        if len(rows) == count:
            break
        row = generator.scenario(index).row
        if row.query.text.casefold() not in taken:
            query = dataclasses.replace(row.query, id=f"{name}-{len(rows)}")
            rows.append(dataclasses.replace(row, query=query))
    if len(rows) < count:
        raise UserError(
            f"{generator.domain.name}: only {len(rows)} of {count} sentences for {name} are in no other set; "
            "give the grammar more phrasings, or lower config.eval.per_bucket and config.eval.negatives"
        )
    taken.update(row.query.text.casefold() for row in rows)
    return rows
