"""Plots of the report, each as the text of an SVG; "" where there is nothing to draw."""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib.figure import Figure  # noqa: E402  after the backend is chosen

STYLE: Any = {"svg.fonttype": "none", "svg.hashsalt": "fernjax", "font.size": 9, "axes.spines.top": False}


def over_rounds(history: Sequence[Mapping[str, Any]]) -> str:
    """Full call of each set in each round: the challenger's line, with the placebo dotted."""
    if not any(h["arms"] for h in history):
        return ""
    figure, axes = _figure(8, 4.5)
    names = sorted({n for h in history for arm in h["arms"].values() for n in arm["sets"]})
    for i, name in enumerate(names):
        for arm, line in (("challenger", "-o"), ("placebo", ":x")):
            points = [
                (h["round"], h["arms"][arm]["sets"][name]["full"])
                for h in history
                if name in h["arms"].get(arm, {}).get("sets", {})
            ]
            if points:
                label = name if arm == "challenger" else None
                axes.plot(*zip(*points, strict=True), line, color=f"C{i % 10}", label=label, markersize=4)
    _frame_rounds(figure, axes, history)
    return _svg(figure)


def tools_over_rounds(history: Sequence[Mapping[str, Any]], group: str = "generated") -> str:
    """Full call of each tool in each round."""
    rows = [
        (h["round"], h["tools"]["challenger"].get(group, {})) for h in history if "challenger" in h["tools"]
    ]
    names = sorted({n for _, tools in rows for n in tools if "+" not in n})
    if not names:
        return ""
    figure, axes = _figure(8, 4.5)
    for i, name in enumerate(names):
        points = [(number, tools[name][0] / tools[name][1]) for number, tools in rows if name in tools]
        axes.plot(*zip(*points, strict=True), "-o", color=f"C{i % 10}", label=name, markersize=4)
    _frame_rounds(figure, axes, history)
    return _svg(figure)


def confusion(table: Mapping[str, Mapping[str, int]]) -> str:
    """Share of each label's sentences by predicted tool."""
    golds = sorted(g for g in table if "+" not in g)
    if not golds:
        return ""
    called = sorted({p for g in golds for p in table[g] if "+" not in p} | {"several"})
    shares = []
    for gold in golds:
        total = sum(table[gold].values())
        several = sum(n for p, n in table[gold].items() if "+" in p)
        shares.append([(several if p == "several" else table[gold].get(p, 0)) / total for p in called])
    figure, axes = _figure(7, 5.5)
    axes.imshow(shares, vmin=0, vmax=1, cmap="Greens", aspect="auto")
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            if share >= 0.005:
                color = "white" if share > 0.6 else "black"
                axes.text(j, i, f"{100 * share:.0f}", ha="center", va="center", color=color, fontsize=8)
    axes.set_xticks(range(len(called)), called, rotation=40, ha="right")
    axes.set_yticks(range(len(golds)), golds)
    axes.set_xlabel("answer")
    axes.set_ylabel("label")
    return _svg(figure)


def calibration(bins: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Share that is right against stated confidence."""
    if not any(bins.values()):
        return ""
    figure, axes = _figure(4.5, 4)
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for group, points in bins.items():
        if points:
            sizes = [20 + 200 * b["n"] / sum(p["n"] for p in points) for b in points]
            axes.scatter(
                [b["confidence"] for b in points],
                [b["right"] for b in points],
                s=sizes,
                alpha=0.7,
                label=group,
            )
    axes.set_xlabel("confidence")
    axes.set_ylabel("right")
    axes.legend(frameon=False)
    return _svg(figure)


def over_points(groups: Sequence[Mapping[str, Any]], metrics: Sequence[str]) -> str:
    """A panel a metric: each group of a sweep's points with its interval, the centre's value as a line."""
    if not groups or not metrics:
        return ""
    columns = min(3, len(metrics))
    rows = -(-len(metrics) // columns)
    height = rows * (0.9 + 0.3 * len(groups))
    figure, panels = _figure(3.6 * columns, height, nrows=rows, ncols=columns, sharey=True, squeeze=False)
    for axes, name in itertools.zip_longest(panels.flat, metrics):
        if name is None:
            axes.set_axis_off()
            continue
        for row, group in enumerate(groups):
            f = group["figures"][name]
            if f is None:
                continue
            if f["ci"]:
                axes.plot(f["ci"], [row, row], color="C2", linewidth=1.5)
            axes.plot([f["value"]], [row], "o", color="C2", markersize=5)
            if not group["differs"]:
                axes.axvline(f["value"], color="0.7", linewidth=1, zorder=0)
        axes.set_title(name, fontsize=9)
        axes.set_ylim(len(groups) - 0.5, -0.5)
        axes.set_yticks(range(len(groups)), [group["label"] for group in groups])
    return _svg(figure)


def _figure(width: float, height: float, **panels: Any) -> tuple[Figure, Any]:
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots(**panels)


def _frame_rounds(figure: Figure, axes: Any, history: Sequence[Mapping[str, Any]]) -> None:
    axes.set_xticks([h["round"] for h in history], [f"{h['round']}\n{h['decision']}" for h in history])
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("full call")
    axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]
