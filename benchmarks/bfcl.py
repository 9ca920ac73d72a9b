"""How a broad model does, without any training for them, with the tools of a public benchmark.

    python benchmarks/bfcl.py runs/pretrain_bud-cpu [--categories=...] [--limit=0]

The questions, functions, answers and the checker are the Berkeley Function Calling Leaderboard's own, as its
package has them (S. Patil et al., Apache-2.0; `pip install --no-deps -r requirements-bfcl.lock`). Every row
has tools of its own, read from their words and called with nothing seen of them before; each seed of the
pretraining answers, with weights rounded to int8. No row is left out: what the model cannot read or say (a
sentence that is too long, a list of numbers, an argument worked out from others) is wrong. Rows of one call
and rows that no function fits; a broad model says at most two calls, so BFCL's `parallel` rows are not asked.

CATEGORY.full        share that BFCL's checker calls valid; of `irrelevance` rows, those that abstain
CATEGORY.route       the right function, called once, whatever the arguments
CATEGORY.chance      what naming one of the row's functions at random would route
CATEGORY.unsayable   rows whose functions have a required argument that no one sentence says
`..._ci`             95%, a bootstrap over rows and seeds

The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import pathlib
from typing import Any

from fernjax.loop import intervals
from fernjax.loop.bfcl import Checker, load_checker
from fernjax.loop.workdir import existing_workdir
from fernjax.model import pretrain
from fernjax.model.devices import enable_compilation_cache
from fernjax.model.transformer import ModelConfig
from fernjax.model.zero_shot import ZeroShot
from fernjax.sim.drafting.document import read_tools
from fernjax.sim.grade import Verdict
from fernjax.sim.tools import Tool
from fernjax.sim.types import Prediction, Query, UserError

CATEGORIES = ("simple_python", "multiple", "irrelevance", "live_simple", "live_multiple", "live_irrelevance")

NOW = "2026-03-02T09:00"
"""A Monday; the questions do not say when they are asked."""


def main() -> None:
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("workdir", type=pathlib.Path, help="of a `pretrain`")
    flags.add_argument("--categories", default=",".join(CATEGORIES))
    flags.add_argument("--limit", type=int, default=0, help="the first so many rows of each; 0 for all")
    args = flags.parse_args()
    enable_compilation_cache()
    models, checker = load_models(args.workdir), load_checker()
    result: dict[str, Any] = {"benchmark": "bfcl", "workdir": args.workdir.name, "seeds": len(models)}
    for category in args.categories.split(","):
        rows = read_rows(category, args.limit)
        result[category] = measure(category, rows, models, checker)
        print(category, json.dumps(result[category]), flush=True)
    print(json.dumps(result))


def load_models(workdir: pathlib.Path) -> list[ZeroShot]:
    """The broad model of each seed."""
    config = existing_workdir(workdir).config()
    model = ModelConfig.from_config(config)
    return [ZeroShot.load(pretrain.find_weights(str(workdir), seed), model) for seed in config.seeds]


def read_rows(category: str, limit: int) -> list[dict[str, Any]]:
    """BFCL's rows of a category, each with its `ground_truth`; [] where no function fits."""
    spec = importlib.util.find_spec("bfcl_eval")
    if spec is None or spec.origin is None:
        raise UserError("no bfcl_eval; run: pip install --no-deps -r requirements-bfcl.lock")
    folder, name = pathlib.Path(spec.origin).parent / "data", f"BFCL_v4_{category}.json"
    rows = _read_lines(folder / name)
    if "irrelevance" in category:
        rows = [row | {"ground_truth": []} for row in rows]
    else:
        truth = {row["id"]: row["ground_truth"] for row in _read_lines(folder / "possible_answer" / name)}
        rows = [row | {"ground_truth": truth[row["id"]]} for row in rows]
    return rows[:limit] if limit else rows


def _read_lines(path: pathlib.Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def measure(
    category: str, rows: list[dict[str, Any]], models: list[ZeroShot], checker: Checker
) -> dict[str, Any]:
    """The figures of one category, over all seeds."""
    tools = [_tools_of(row["function"]) for row in rows]
    asked = [i for i, t in enumerate(tools) if t is not None]
    requests = [(Query(rows[i]["id"], _text_of(rows[i]), NOW), tools[i]) for i in asked]
    verdicts = []
    for model in models:
        answers: list[Prediction | None] = [None] * len(rows)
        for i, answer in zip(asked, model.predict_each(requests), strict=True):
            answers[i] = answer
        verdicts.append([judge(row, a, checker) for row, a in zip(rows, answers, strict=True)])
    scores = intervals.scores_json(verdicts)
    kept = ("n", "full", "full_ci", "route", "route_ci", "over_abstention", "force_fit")
    out = {k: scores[k] for k in kept if scores.get(k) is not None}
    if "irrelevance" not in category:
        out["chance"] = round(sum(1 / len(row["function"]) for row in rows) / len(rows), 3)
    return out | {"unsayable": len(rows) - len(asked)}


def _tools_of(functions: list[dict[str, Any]]) -> tuple[Tool, ...] | None:
    try:
        return read_tools(functions).tools
    except UserError:
        return None


def _text_of(row: dict[str, Any]) -> str:
    """What the user says last."""
    text: str = [m["content"] for m in row["question"][0] if m["role"] == "user"][-1]
    return text


def judge(row: dict[str, Any], answer: Prediction | None, checker: Checker) -> Verdict:
    """BFCL's word on one answer; None is that of a model that cannot take the functions."""
    truth = row["ground_truth"]
    calls = list(answer.calls) if answer and answer.outcome == "call" else []
    abstained = answer is not None and answer.outcome == "abstained"
    if not truth:
        return Verdict(
            abstained, abstained, force_fit=bool(calls), over_abstention=None, error=answer is None
        )
    said = [{call.name: dict(call.arguments)} for call in calls]
    right = len(said) == 1 and checker(row["function"], said, truth, "simple_python")
    route = [call.name for call in calls] == [next(iter(one)) for one in truth]
    return Verdict(right, route, force_fit=None, over_abstention=abstained, error=answer is None)


if __name__ == "__main__":
    main()
