"""A fleet: one specialist an app, each in a run of its own below one folder, and a page that compares them.

    WORKDIR/{config.json, fleet.json, fleet.html}    WORKDIR/calendar/ ...  as `loop` leaves them

Each app is a process of its own, one after the other: what one breaks, the others do not feel.
"""

from __future__ import annotations

import math
import pathlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ml_collections import ConfigDict

from fernjax.loop import settings
from fernjax.loop.children import run_child
from fernjax.loop.pages import render_page
from fernjax.loop.workdir import (
    locked,
    provenance,
    read_object,
    refuse_other_config,
    write_json,
    write_text,
)
from fernjax.model.files import REMOVE
from fernjax.sim.types import UserError
from fernjax.sim.world import domain_names

SCHEMA_VERSION = 1
REPORTED = (
    "seeds",
    "wall_s",
    "champion",
    "real",
    "generated",
    "negatives",
    "calibration",
    "data",
    "baselines",
)
"""Keys of an app's report that the fleet's page shows."""

KINDS = ("public", "authored", "own")
COUNTS = ("full", "route", "force_fit", "over_abstention")


def run_fleet(config: ConfigDict, path: pathlib.Path, flags: Sequence[str]) -> int:
    """Runs the loop of each app that is not done, and writes the fleet's page after each.

    Args:
      config: the fleet's; an app's differs in `domain` alone.
      path: the fleet's folder.
      flags: `--config=...` and overrides, as given: each app's `loop` gets them again.

    Returns:
      0 where every app is done, else 1.

    Raises:
      UserError: an app that does not exist, or a folder of another fleet.
    """
    apps = choose_apps(config)
    with locked(path):
        _check_folder(path, config)
        done = _runs(path)
        for number, app in enumerate(apps, 1):
            if done.get(app, {}).get("state") == "done" and (path / app / "report.json").exists():
                print(f"{app} ({number} of {len(apps)}): done before", file=sys.stderr)
                continue
            print(f"{app} ({number} of {len(apps)})", file=sys.stderr)
            done[app] = _run_app(app, path / app, flags)
            write_summary(path, apps, done)
        write_summary(path, apps, done)
    print(path / "fleet.html")
    print(path / "fleet.json")
    return int(any(done[app]["state"] != "done" for app in apps))


def choose_apps(config: ConfigDict) -> list[str]:
    """The fleet's apps in their order.

    Raises:
      UserError: one that does not exist.
    """
    there = domain_names()
    unknown = [d for d in config.fleet.domains if d not in there]
    if unknown:
        raise UserError(f"config.fleet.domains: no app {unknown[0]!r}; there are: {', '.join(there)}")
    return list(dict.fromkeys(config.fleet.domains)) or there


def write_summary(path: pathlib.Path, apps: Sequence[str], runs: Mapping[str, Any]) -> None:
    """Writes `fleet.json` and `fleet.html` from the apps' reports."""
    summary = summarise(path, apps, runs)
    write_json(path / "fleet.json", summary)
    write_text(path / "fleet.html", render_page("fleet.html", f=summary))


def rewrite_summary(path: pathlib.Path) -> None:
    """Writes the page of a fleet anew from what is on disk."""
    stored = _read_fleet(path)
    write_summary(path, list(stored["apps"]), stored["runs"])


def summarise(path: pathlib.Path, apps: Sequence[str], runs: Mapping[str, Any]) -> dict[str, Any]:
    """The fleet's JSON: what each app's report says, and means over the apps. Fractions, with intervals."""
    told = {app: _figures(path / app / "report.json") for app in apps}
    return {
        "schema_version": SCHEMA_VERSION,
        **{k: v for k, v in provenance().items() if k in ("commit", "dirty", "host")},
        "config": read_object(path / "config.json", ("domain", "fleet")),
        "runs": dict(runs),
        "apps": told,
        "mean": {
            kind: mean_over([f["real"]["final"].get(kind) for f in told.values() if f]) for kind in KINDS
        },
    }


def mean_over(counted: Sequence[Mapping[str, Any] | None]) -> dict[str, Any] | None:
    """Mean of several apps' counts, each app weighing the same; None where no app has any.

    The interval takes the apps' for independent and normal: the half width is the root of the sum of theirs
    squared, over their number.
    """
    there = [c for c in counted if c]
    if not there:
        return None
    out: dict[str, Any] = {"apps": len(there), "n": sum(c["n"] for c in there)}
    for name in COUNTS:
        values = [c[name] for c in there if c.get(name) is not None]
        out[name] = sum(values) / len(values) if values else None
    half = math.sqrt(sum(((c["full_ci"][1] - c["full_ci"][0]) / 2) ** 2 for c in there)) / len(there)
    out["full_ci"] = [max(0.0, out["full"] - half), min(1.0, out["full"] + half)]
    return out


def _figures(report: pathlib.Path) -> dict[str, Any]:
    """What the page shows of an app's report; {} where it has none yet."""
    if not report.exists():
        return {}
    r = read_object(report, REPORTED)
    return {
        "seeds": r["seeds"],
        "wall_s": r["wall_s"],
        "champion": r["champion"],
        "real": r["real"],
        "generated": {k: r["generated"].get(k) for k in ("full", "full_ci", "n")},
        "negatives": r["negatives"],
        "ece_generated": r["calibration"]["ece_generated"],
        "skeletons": r["data"].get("skeletons"),
        "baselines": {name: b["real"]["final"] for name, b in r["baselines"].items()},
    }


def _run_app(app: str, path: pathlib.Path, flags: Sequence[str]) -> dict[str, Any]:
    """Runs one app's loop to its end; its progress goes on to ours, line by line."""
    ended = run_child(app, ["loop", *flags, f"--config.domain={app}", f"--workdir={path}"])
    finished = ended.code == 0 and (path / "report.json").exists()
    state = {"state": "done" if finished else "failed", "exit": ended.code, "wall_s": ended.wall_s}
    return state if finished else {**state, "said": list(ended.said)}


def _runs(path: pathlib.Path) -> dict[str, Any]:
    return _read_fleet(path)["runs"] if (path / "fleet.json").exists() else {}


def _read_fleet(path: pathlib.Path) -> dict[str, Any]:
    stored = read_object(path / "fleet.json", ("apps", "runs"))
    if not all(isinstance(stored[key], dict) for key in ("apps", "runs")) or not all(
        isinstance(run, dict) and "state" in run for run in stored["runs"].values()
    ):
        raise UserError(f"{path / 'fleet.json'} is damaged (its apps or runs); {REMOVE}")
    return stored


def _check_folder(path: pathlib.Path, config: ConfigDict) -> None:
    """Writes the config, or refuses a folder that another one made; the choice of apps may change."""
    place = path / "config.json"
    if (path / "run.json").exists():
        raise UserError(f"{path} holds the run of one app; choose another --workdir for the fleet")
    if place.exists():
        refuse_other_config(path, read_object(place, ("domain", "fleet")), config)
    write_json(place, settings.to_json(config))
