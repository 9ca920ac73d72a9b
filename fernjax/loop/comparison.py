"""The points of a sweep beside each other: one table and one plot, with seeds and intervals.

Points that differ in their seeds alone are one group, whose figures are taken over its runs.
"""

from __future__ import annotations

import json
import math
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from fernjax.loop import plots, settings
from fernjax.loop.experiment import Experiment, Point, difference, group_by_seed_alone, label
from fernjax.loop.pages import render_page
from fernjax.loop.workdir import provenance, read_object, write_json, write_text
from fernjax.sim.grade import MARKS
from fernjax.sim.types import UserError

SCHEMA_VERSION = 1

CONFIDENCE = 0.95

JUDGED = ("real", "real_untouched")
"""Parts of a report that are counted on real sentences: the app's, or the user's file."""

GENERATED = ("generated", "negatives", "calibration")
"""Parts that are counted on generated sentences, which the first recipe and the round decide too."""

NO_SENTENCE_OF_THEM = "recipe.max_skeletons"
"""The one key of a recipe that changes what trains and not what is generated to judge."""

Report = Mapping[str, Any]


def write_comparison(
    experiment: Experiment, points: Sequence[Point], path: pathlib.Path, study: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Writes `sweep.json` and `sweep.html` from the points that are done, and gives the former.

    Args:
      experiment: of the config file.
      points: all of the sweep.
      path: the sweep's folder.
      study: of a search, as `search.read_study` tells it; None without one.

    Raises:
      UserError: nothing is done yet.
    """
    summary = compare(experiment, points, path) | {"search": study}
    if study is None and len(summary["missing"]) == len(points):
        raise UserError(f"{path} has nothing that is done; run sweep --run (or --search) first")
    write_json(path / "sweep.json", summary)
    shown = [g for g in summary["groups"] if g["figures"]]
    page = render_page(
        "sweep.html",
        s=summary,
        groups=shown,
        shares=MARKS,
        commits=sorted({p["commit"] for p in summary["points"] if p["commit"]}),
        plot=plots.over_points(shown, list(summary["metrics"])),
    )
    write_text(path / "sweep.html", page)
    return summary


def compare(experiment: Experiment, points: Sequence[Point], path: pathlib.Path) -> dict[str, Any]:
    """The sweep's JSON. Shares are fractions, with intervals; null where nothing was counted."""
    runs = {point.number: point.run(path, experiment.verb) for point in points}
    states = {number: run.state() for number, run in runs.items()}
    reports = {number: run.report() for number, run in runs.items() if states[number] == "done"}
    inputs = {number: _inputs(runs[number].folder) for number in reports}
    found = {
        name: where
        for name, where in experiment.metrics.items()
        if any(find(report, where) is not None for report in reports.values())
    }
    groups = [_group(some, experiment, reports, found) for some in group_by_seed_alone(points)]
    centre = next((g for g in groups if not g["differs"]), {})  # of a search without a sweep there is none
    for group in groups:
        group["differences"] = {
            name: _subtract(group, centre, name, where, reports, inputs) for name, where in found.items()
        }
    return {
        "schema_version": SCHEMA_VERSION,
        **{key: value for key, value in provenance().items() if key in ("commit", "dirty", "host")},
        "experiment": experiment.name,
        "overrides": dict(experiment.given),
        "verb": experiment.verb,
        "centre": settings.to_json(experiment.centre),
        "metrics": found,
        "in_no_report": sorted(experiment.metrics.keys() - found.keys()) if reports else [],
        "points": [
            {
                "point": point.number,
                "label": point.label,
                "differs": json.loads(json.dumps(point.differs)),
                "seeds": list(point.config.seeds),
                "folder": str(runs[point.number].folder.relative_to(path)),
                "state": states[point.number],
                "commit": reports.get(point.number, {}).get("commit"),
            }
            for point in points
        ],
        "missing": [point.label for point in points if states[point.number] != "done"],
        "groups": groups,
    }


def measure(reports: Sequence[tuple[Sequence[int], Report]], where: str) -> dict[str, Any] | None:
    """One figure over the runs of a group, each with its seeds; None where a run lacks it.

    Args:
      reports: seeds and report of each run.
      where: dotted path into a report.

    Returns:
      `value`; `ci`: of one run what its report says (over sentences and seeds), of several Student's t over
      the runs; `sd`: over the runs, of one run over its seeds; `n`: sentences; `by_seed`.
    """
    values = [find(report, where) for _, report in reports]
    if not values or any(value is None for value in values):
        return None
    by_seed: dict[int, float] = {}
    for (seeds, report), value in zip(reports, values, strict=True):
        each = find(report, f"{where}_by_seed", list) or ([value] if len(seeds) == 1 else [])
        by_seed |= dict(zip(seeds, each, strict=False))
    sizes = {_count(report, where) for _, report in reports}
    if len(reports) == 1:
        ci, spread = find(reports[0][1], f"{where}_ci", list), list(by_seed.values())
    else:
        ci, spread = interval(values), values
    return {
        "value": float(np.mean(values)),
        "ci": ci,
        "sd": float(np.std(spread, ddof=1)) if len(spread) > 1 else None,
        "n": sizes.pop() if len(sizes) == 1 else None,
        "runs": len(reports),
        "by_seed": {str(seed): value for seed, value in sorted(by_seed.items())},
    }


def find(report: Report, where: str, kind: type | tuple[type, ...] = (int, float)) -> Any:
    """The number at a dotted path of a report, or what else of the kind is there; None without it."""
    value: Any = report
    for part in where.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value if isinstance(value, kind) and not isinstance(value, bool) else None


def interval(values: Sequence[float]) -> list[float] | None:
    """Two-sided 95% interval of a mean by Student's t; None of one value, and where all are the same."""
    if len(values) < 2 or min(values) == max(values):
        return None
    half = (
        stats.t.ppf(0.5 + CONFIDENCE / 2, len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values))
    )
    mean = np.mean(values)
    return [float(mean - half), float(mean + half)]


def _group(
    points: Sequence[Point], experiment: Experiment, reports: Mapping[int, Report], metrics: Mapping[str, str]
) -> dict[str, Any]:
    differs = {k: v for k, v in difference(points[0].config, experiment.centre).items() if k != "seeds"}
    done = [(point.config.seeds, reports[point.number]) for point in points if point.number in reports]
    alone = len(points) == 1
    return {
        "label": points[0].label if alone else label(differs, settings.flatten(experiment.centre)),
        "differs": json.loads(json.dumps(differs)),
        "points": [point.number for point in points],
        "done": [point.number for point in points if point.number in reports],
        "seeds": [seed for seeds, _ in done for seed in seeds],
        "figures": {name: measure(done, where) for name, where in metrics.items()} if done else {},
    }


def _subtract(
    group: Mapping[str, Any],
    centre: Mapping[str, Any],
    name: str,
    where: str,
    reports: Mapping[int, Report],
    inputs: Mapping[int, Mapping[str, Any]],
) -> dict[str, Any]:
    """The paired difference from the centre, seed by seed; or why there is none."""
    here, there = group["figures"].get(name), centre["figures"].get(name)
    if group is centre:
        return {"why_not": "the centre itself"}
    if here is None or there is None:
        return {"why_not": "not counted in both"}
    if not here["by_seed"] or not there["by_seed"]:
        return {"why_not": "not told by seed"}
    if here["by_seed"].keys() != there["by_seed"].keys():
        return {"why_not": "other seeds"}
    one, *others = [
        _sentences(reports[number], inputs[number], where) for number in [*group["done"], *centre["done"]]
    ]
    if any(other != one for other in others):
        return {"why_not": "other sentences"}
    each = [value - there["by_seed"][seed] for seed, value in here["by_seed"].items()]
    return {"mean": float(np.mean(each)), "ci": interval(each), "seeds": len(each)}


def _sentences(report: Report, inputs: Mapping[str, Any], where: str) -> dict[str, Any]:
    """What decides which sentences a figure was counted on."""
    first = where.partition(".")[0]
    out: dict[str, Any] = {"n": _count(report, where)}
    if first in JUDGED + GENERATED:
        config = settings.flatten(report["config"])
        out |= {key: config[key] for key in ("domain", "real_path", "real_now")}
        out["own_sentences"] = inputs.get("own_sentences")
    if first in GENERATED:
        config = settings.flatten(report["config"])
        keys = [k for k in config if k.startswith(("recipe.", "eval.")) and k != NO_SENTENCE_OF_THEM]
        out |= {key: config[key] for key in keys}
        out["phrasing"] = inputs.get("phrasing")
        # Each round draws fresh ones, and the champion answers those of the last that was judged.
        out["round"] = sum(r["decision"] != "pending" for r in report.get("rounds", []))
    return out


def _inputs(folder: pathlib.Path) -> Mapping[str, Any]:
    return read_object(folder / "run.json", ()).get("inputs", {})


def _count(report: Report, where: str) -> int | None:
    """How many sentences a figure was counted on; None where its report does not say."""
    place, _, last = where.rpartition(".")
    return find(report, f"{place}.{MARKS.get(last, 'n')}" if place else "n", int)
