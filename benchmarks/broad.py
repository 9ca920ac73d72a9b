"""What a broad model spares its specialists, from the runs of `configs/specialise.py`.

    python -m fernjax sweep --config=configs/specialise.py --run
    python benchmarks/broad.py runs/specialise-sweep

Over all apps that are done from both starts, `gate` and `final` public together, each sentence counted once:
full call and route by steps and start, the gain from the broad model seed by seed with a 95% t-interval over
the seeds (sentences are the same in both), and, for each number of steps from the broad model, how many from
scratch reach the same score (log-linear between the steps that were run; "more" beyond the last). The last
line is one JSON object.
"""

import argparse
import json
import math
import pathlib
import sys

import numpy as np

from fernjax.loop.comparison import interval

HALVES = ("gate", "final")
STARTS = ("scratch", "broad")
MARKS = ("full", "route")


def main() -> None:
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("sweep", type=pathlib.Path)
    args = flags.parse_args()
    points = read_points(args.sweep)
    apps = sorted({app for app, _, _ in points})
    steps = sorted({n for _, n, _ in points})
    done = [a for a in apps if all((a, n, start) in points for n in steps for start in STARTS)]
    if not done:
        sys.exit(f"no app in {args.sweep} is done from both starts at all of {steps} steps")
    result = {"benchmark": "broad", "apps": done, "steps": steps}
    for mark in MARKS:
        curves = {
            start: {n: mean_by_seed([points[a, n, start] for a in done], mark) for n in steps}
            for start in STARTS
        }
        result[mark] = {
            start: {n: round(float(by_seed.mean()), 4) for n, by_seed in curve.items()}
            for start, curve in curves.items()
        }
        result[f"{mark}_gain"] = {n: gain(curves["broad"][n] - curves["scratch"][n]) for n in steps}
        from_scratch = {n: float(by_seed.mean()) for n, by_seed in curves["scratch"].items()}
        result[f"{mark}_worth_steps"] = {
            n: worth(float(curves["broad"][n].mean()), from_scratch) for n in steps
        }
    first = points[done[0], steps[0], "broad"]
    result["seeds"] = len(first["gate"]["public"]["full_by_seed"])
    result["n"] = sum(points[a, steps[0], "broad"][half]["public"]["n"] for a in done for half in HALVES)
    print(json.dumps(result))


def read_points(sweep: pathlib.Path) -> dict[tuple[str, int, str], dict]:
    """The `real` part of the report of each point that is done, by app, steps and start."""
    out = {}
    for path in sorted(sweep.glob("points/*/report.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        train = report["config"]["train"]
        start = "broad" if train["start_from"] else "scratch"
        out[report["domain"], train["total_steps"], start] = report["real"]
    return out


def mean_by_seed(reals: list[dict], mark: str) -> np.ndarray:
    """Mean of a mark over the sentences of some apps, per seed, float64 [S]."""
    parts = [real[half]["public"] for real in reals for half in HALVES]
    sizes = [part["n"] for part in parts]
    return np.average([part[f"{mark}_by_seed"] for part in parts], axis=0, weights=sizes)


def gain(difference_S: np.ndarray) -> dict[str, object]:
    """Mean over the seeds, with its t-interval; none of a single seed."""
    ci = interval([float(d) for d in difference_S])
    return {
        "mean": round(float(difference_S.mean()), 4),
        "by_seed": [round(float(d), 4) for d in difference_S],
        "ci": [round(end, 4) for end in ci] if ci else None,
    }


def worth(score: float, scratch: dict[int, float]) -> float | str:
    """Steps from scratch that reach a score."""
    steps = sorted(scratch)
    if score <= scratch[steps[0]]:
        return f"less than {steps[0]}" if score < scratch[steps[0]] else steps[0]
    for low, high in zip(steps, steps[1:], strict=False):
        if score <= scratch[high]:
            share = (score - scratch[low]) / (scratch[high] - scratch[low])
            return round(2 ** (math.log2(low) + share * (math.log2(high) - math.log2(low))))
    return f"more than {steps[-1]}"


if __name__ == "__main__":
    main()
