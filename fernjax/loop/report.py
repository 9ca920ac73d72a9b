"""The report of a run, as JSON for programs and HTML for people, made from what is on disk alone."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from fernjax.loop import plots, settings
from fernjax.loop.evaluate import load_predictions
from fernjax.loop.gate import Check, as_told
from fernjax.loop.pages import render_page
from fernjax.loop.preflight import make_shapes
from fernjax.loop.real_sets import load_sets
from fernjax.loop.workdir import Workdir, read_json, read_run, write_json, write_text
from fernjax.model.calibration import BINS
from fernjax.model.files import read_jsonl
from fernjax.model.transformer import count_params
from fernjax.sim import grade
from fernjax.sim.world import load_domain

SCHEMA_VERSION = 1

UNVOUCHED = (
    "No real sentence judged this run, so nothing vouches for its figures: they are of sentences that the "
    "same generator made. Label a hundred sentences that people said and set config.real_path to that file."
)


GLOSSARY = {
    "full call": "the answer is right as a whole: tools, their number and every argument, or rightly none",
    "route": "the tools and their number are right, whatever their arguments",
    "force-fit": "how often a tool is called, of the sentences that no tool is for",
    "over-abstention": "how often no tool is called, of the sentences that a tool is for",
    "errors a seed": "sentences that the model cannot read: too long, or without a letter or digit",
    "public, authored, own": "real sentences that people wrote: from public sets, made to be hard for this "
    "project, or your own file. One half, gate, judges rounds and may be looked at; the other, final, is "
    "counted and never shown",
    "in_distribution": "generated: ordinary requests",
    "messy": "generated: with typing errors, fillers, corrections, odd case",
    "oov_values": "generated: with names and texts from lists that training does not use",
    "multi_constraint": "generated: several arguments in one request",
    "error_inducing": "generated: requests that the app refuses, or has to ask something back for",
    "out_of_scope": "generated: what no tool is for",
    "multi_call": "generated: two requests in one sentence",
    "natural, templated, near_miss": "sentences that no tool is for: plain text that people wrote; made by "
    "this app's own grammar; requests to other apps. Right is to abstain",
    "primary score": "what a round has to raise: the mean of full call on the real gate sentences and full "
    "call on the worst generated bucket",
    "placebo": "a training of the same length from the same weights with the unchanged recipe and other "
    "sentences: what it gains is not the repair's",
    "bound": "the least (of a mistake: the most) that the change may be, at the confidence of the gate, 90% "
    "unless the config says otherwise",
    "margin": "how much worse a count may be shown to be; a round is kept only if every bound keeps to it "
    "and the primary score's bound is above 0",
    "noise between seeds": "the standard deviation of the champion's score over its seeds, in points",
    "dropped": "under Rounds, an argument that is said but missing in the answer; under Data, a generated "
    "sentence that is thrown away: its right call cannot be read out of it, or it is near a real sentence",
    "invented, span, value, choice, role": "an argument that nobody said; a text that begins or ends at the "
    "wrong word; a wrong date, number or name; a wrong one of several fixed values; a value given to "
    "another argument",
    "skeleton": "a sentence without its values, fillers and typing errors: how many ways there are to ask",
}
"""What the report's words mean."""


def write_report(work: Workdir) -> None:
    """Writes `report.json` and `report.html` of a workdir, whatever rounds it holds so far."""
    report = build(work)
    write_json(work.path / "report.json", report)
    write_text(work.path / "report.html", render(report, gate_misses(work), run_curve(work, report)))


def build(work: Workdir) -> dict[str, Any]:
    """The report's JSON. Fractions, with intervals; null where nothing was counted."""
    run, config = read_run(work.path), settings.to_json(work.config())
    champion, newest = work.champion(), newest_answers(work)
    scores, final = _read(newest / "scores.json"), _read(champion / "final.json")
    sets = scores.get("sets", {})
    calibration = scores.get("calibration", {})
    gate_scores, final_scores = _under(sets, "gate"), _under(final.get("all", {}), "final")
    return {
        "schema_version": SCHEMA_VERSION,
        "commit": run["commit"],
        "dirty": run["dirty"],
        "commits": sorted({s["commit"] or "unknown" for s in run["sessions"]}),
        "versions": run["versions"],
        "host": run["host"],
        "devices": run.get("devices", []),
        "config": config,
        "domain": config["domain"],
        "parameters": {"unique": count_params(make_shapes(work.config()))},
        "seeds": config["seeds"],
        "wall_s": round(work.wall_s(), 1),
        "peak_rss_mb": run.get("peak_rss_mb"),
        "vouched": bool(gate_scores),
        "note": "" if gate_scores else UNVOUCHED,
        "primary": scores.get("primary"),
        "real": {"final": final_scores, "gate": gate_scores},
        "real_untouched": {
            "final": _under(final.get("untouched", {}), "final"),
            "gate": _under(scores.get("untouched", {}), "gate"),
        },
        "generated": scores.get("generated", {}) | {"buckets": _under(sets, "generated")},
        "negatives": _under(sets, "negatives"),
        "tools": scores.get("tools", {}),
        "confusion": scores.get("confusion", {}),
        "calibration": {
            "ece_generated": calibration.get("generated", {}).get("ece"),
            "ece_gate": calibration.get("gate", {}).get("ece"),
            "bin_count": BINS,
            "bins": {group: c["bins"] for group, c in calibration.items()},
        },
        "advice": scores.get("advice", []),
        "noise_floor": scores.get("noise", {}),
        "baselines": {name: _baseline(b) for name, b in _read(work.path / "baselines.json").items()},
        "data": _data(work.round(0)),
        "rounds": [_round(path) for path in _rounds(work)[1:]],
        "history": [_history(path) for path in _rounds(work)],
        "champion": int(champion.name),
    }


def newest_answers(work: Workdir) -> pathlib.Path:
    """The folder of the champion's newest answers: those of the last round that was judged."""
    champion = work.champion()
    judged = [p for p in _rounds(work) if p.name > champion.name and (p / "decision.json").exists()]
    return judged[-1] / "before" if judged else champion


def gate_misses(work: Workdir) -> list[dict[str, Any]]:
    """Every gate sentence that some seed of the champion got wrong, the most often missed first."""
    config = work.config()
    directory = newest_answers(work) / "predictions"
    misses = []
    for name, rows in load_sets(config, load_domain(config.domain), "gate").items():
        answers = [load_predictions(directory / f"seed{seed}", name) for seed in config.seeds]
        if not all(len(a) == len(rows) for a in answers):
            continue  # not evaluated yet
        for i, row in enumerate(rows):
            wrong = [a[i] for a in answers if not grade.judge(a[i], row).full]
            if wrong:
                shown = [c.to_json() for c in wrong[0].calls] or wrong[0].outcome
                about = {"set": name, "id": row.query.id, "query": row.query.text, "missed": len(wrong)}
                misses.append(
                    about | {"label": row.labels, "answer": shown, "confidence": wrong[0].confidence}
                )
    return sorted(misses, key=lambda m: -m["missed"])


def run_curve(work: Workdir, report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Real score against distinct skeletons: this run and those beside it that differ in nothing else."""
    own = settings.flatten(report["config"])
    limit = "recipe.max_skeletons"
    points = []
    reports = [report] + [_read(p) for p in sorted(work.path.absolute().parent.glob("*/report.json"))]
    for other in reports:
        config = settings.flatten(other.get("config", {}))
        if not config or {k: v for k, v in config.items() if k != limit} != {
            k: v for k, v in own.items() if k != limit
        }:
            continue
        kinds = other["real"]["gate"]
        kind = next((k for k in ("own", "public", "authored") if k in kinds), None)
        if kind and other["data"]:
            point = {
                "limit": config[limit],
                "skeletons": other["data"]["skeletons"],
                "full": kinds[kind]["full"],
            }
            if point not in points:
                points.append(point)
    return sorted(points, key=lambda p: p["skeletons"])


def render(
    report: Mapping[str, Any], misses: Sequence[Mapping[str, Any]], curve: Sequence[Mapping[str, Any]]
) -> str:
    """The HTML page. All plots are in it; nothing is loaded from elsewhere."""
    return render_page(
        "report.html",
        r=report,
        misses=misses,
        rounds=[
            (x, [as_told(Check(**({"noise": None} | c))) for c in x["checks"]]) for x in report["rounds"]
        ],
        glossary=GLOSSARY,
        curve=curve,
        plots={
            "Full call by set over the rounds": plots.over_rounds(report["history"]),
            "Full call by tool over the rounds (generated)": plots.tools_over_rounds(report["history"]),
            "Confusion, generated sentences": plots.confusion(report["confusion"].get("generated", {})),
            "Confusion, gate sentences": plots.confusion(report["confusion"].get("gate", {})),
            "Calibration": plots.calibration(report["calibration"]["bins"]),
        },
    )


def _rounds(work: Workdir) -> list[pathlib.Path]:
    return sorted(p for p in (work.path / "rounds").glob("[0-9]*") if p.is_dir())


def _round(path: pathlib.Path) -> dict[str, Any]:
    """What a round tried, and what came of it and of its placebo."""
    plan, decision = _read(path / "repair.json"), _read(path / "decision.json")
    number = int(path.name)
    ledger = read_jsonl(path.parents[1] / "ledger.jsonl")
    entries = [e for e in ledger if e["round"] == number and e["entry"] == "repair"]
    placebo = _figures(_read(path / "placebo" / "scores.json"))
    return {
        "round": number,
        "findings": plan.get("findings", []),
        "changes": [{"change": e["change"], "outcome": e["outcome"]} for e in entries]
        or [{"change": c, "outcome": {}} for c in plan.get("changes", [])],
        "champion_before": _figures(_read(path / "before" / "scores.json")),
        "challenger": _figures(_read(path / "scores.json")),
        "placebo": placebo,
        "decision": decision.get("decision", "pending"),
        "reason": decision.get("reason", ""),
        "reasons": decision.get("reasons") or decision.get("reason", "").split("; "),
        "checks": decision.get("checks", []),
    }


def _history(path: pathlib.Path) -> dict[str, Any]:
    """Figures of a round's arms for the curves."""
    arms = {"challenger": path, "before": path / "before", "placebo": path / "placebo"}
    scores = {arm: _read(folder / "scores.json") for arm, folder in arms.items()}
    return {
        "round": int(path.name),
        "decision": _read(path / "decision.json").get("decision", "pending"),
        "arms": {arm: _figures(s) for arm, s in scores.items() if s},
        "tools": {arm: s["tools"] for arm, s in scores.items() if s},
    }


def _figures(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Full call of each set with its interval, and the primary score."""
    if not scores:
        return {}
    sets = {
        name: {"full": s["full"], "full_ci": s["full_ci"], "n": s["n"]} for name, s in scores["sets"].items()
    }
    return {"primary": scores["primary"], "sets": sets}


def _baseline(b: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "real": {"gate": _under(b["sets"], "gate"), "final": _under(b["final"], "final")},
        "generated": b["generated"] | {"buckets": _under(b["sets"], "generated")},
        "negatives": _under(b["sets"], "negatives"),
    }


def _data(path: pathlib.Path) -> dict[str, Any]:
    """Counts of the sample of the first recipe's data, under the report's names."""
    data = _read(path / "data.json")
    if not data:
        return {}
    dropped = data["dropped"]
    return {
        "sampled": data["sampled"],
        "dropped_ungrounded": dropped.get("ungrounded", 0),
        "dropped_near_copies": dropped.get("near_copy", 0),
        "dropped": dropped,
        "skeletons": data["skeletons"],
        "near_copies_by_template": data["near_copies"],
        "suspicious_templates": data["suspicious_templates"],
        "touched_real_rows": data["touched"],
    }


def _under(sets: Mapping[str, Any], group: str) -> dict[str, Any]:
    """`{"gate/public": x}` -> `{"public": x}`."""
    return {name.partition("/")[2]: s for name, s in sets.items() if name.startswith(f"{group}/")}


def _read(path: pathlib.Path) -> Any:
    return read_json(path) if path.exists() else {}
