"""What contrastive pairs are worth to apps of create, read, update and delete, and to apps of distinct verbs.

    python benchmarks/crud.py runs/crud-pairs runs/crud-plain

Two fleets of `configs/crud.py` that differ in `recipe.contrastive` only. Their models are paired seed by seed
and sentence by sentence on the gate halves of the real sets: the difference of route and of full call, first
fleet minus second, per app and as the mean over the apps of a family, with 95% intervals by bootstrap over
sentences and seeds. Public and authored sets apart. The last line is one JSON object.
"""

import argparse
import json
import pathlib

import numpy as np

from fernjax.loop.evaluate import load_predictions
from fernjax.loop.intervals import Draws
from fernjax.sim import grade
from fernjax.sim.real import load_real
from fernjax.sim.types import Row

FAMILIES = {"crud": ("calendar", "alarms", "lists", "tracker"), "verbs": ("home", "wallet", "mail", "chat")}
MARKS = {"route": grade.route, "full": grade.full}
DRAWS = 4000


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("first", type=pathlib.Path)
    flags.add_argument("second", type=pathlib.Path)
    args = flags.parse_args()
    out = {}
    for kind in ("public", "authored"):
        for mark in MARKS:
            for family, apps in FAMILIES.items():
                told = compare(args.first, args.second, apps, kind, mark)
                out[f"{kind}/{family}/{mark}"] = told
                print(f"{kind} {family} {mark}: {json.dumps(told)}")
    print(json.dumps(out))


def compare(
    first: pathlib.Path, second: pathlib.Path, apps: tuple[str, ...], kind: str, mark: str
) -> dict[str, object]:
    """Difference of a mark per app and as the mean over a family's apps, with intervals."""
    seeds = json.loads((first / "config.json").read_text())["seeds"]
    draws, drawn, told, n = Draws(len(seeds), DRAWS, 0), [], {}, 0
    for app in apps:
        rows = load_real(app, "gate", kind)
        if not rows:
            continue
        one, other = (marks_SxN(fleet / app, seeds, f"gate/{kind}", rows, mark) for fleet in (first, second))
        drawn.append(draws.means(f"{app}/{kind}", one - other))
        told[app] = figures((one - other).mean(), drawn[-1]) | {"first": one.mean(), "second": other.mean()}
        n += len(rows)
    if not told:
        return {"n": 0}
    mean = float(np.mean([told[a]["difference"] for a in told]))
    return {"n": n, **figures(mean, np.mean(drawn, axis=0)), "apps": told}


def figures(difference: float, drawn_R: np.ndarray) -> dict[str, object]:
    return {
        "difference": round(float(difference), 4),
        "ci": [round(float(q), 4) for q in np.quantile(drawn_R, (0.025, 0.975))],
    }


def marks_SxN(run: pathlib.Path, seeds: list[int], name: str, rows: list[Row], mark: str) -> np.ndarray:
    """1 where a seed's champion was right in a row, float64 [S, N]."""
    judge, predictions = MARKS[mark], run / "champion" / "predictions"
    return np.array(
        [
            [
                float(judge(p.calls, r))
                for p, r in zip(load_predictions(predictions / f"seed{s}", name), rows, strict=True)
            ]
            for s in seeds
        ]
    )


if __name__ == "__main__":
    main()
