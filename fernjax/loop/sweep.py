"""A sweep: the points that a config file's `sweep(add)` names, each a run of its own below one folder.

    WORKDIR/points/000-centre/ ...  as the verb leaves them    WORKDIR/{sweep.json, sweep.html}

The centre is `get_config()`; a point differs from it in what it hands to `add`. Nothing is shared between
points but the folder, so several processes, on several machines, may run points of one sweep at a time.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from fernjax.loop.children import Runner, run_child
from fernjax.loop.experiment import Experiment, Point
from fernjax.loop.workdir import Held
from fernjax.sim.types import UserError


def choose(points: Sequence[Point], number: int | None) -> list[Point]:
    """The points with a number; all without one.

    Raises:
      UserError: there is no such point.
    """
    if number is None:
        return list(points)
    if not 0 <= number < len(points):
        raise UserError(f"--point={number}: the sweep has points 0 to {len(points) - 1}; see sweep --list")
    return [points[number]]


def describe_points(experiment: Experiment, points: Sequence[Point], path: pathlib.Path) -> list[dict]:
    """Number, label, what differs and state of each point, as JSON values."""
    return [
        {
            "point": point.number,
            "label": point.label,
            "differs": json.loads(json.dumps(point.differs)),
            "state": point.run(path, experiment.verb).state(),
        }
        for point in points
    ]


def show_point(line: Mapping[str, Any]) -> str:
    """One of `describe_points` for people."""
    differs = ", ".join(f"{key}={json.dumps(value)}" for key, value in line["differs"].items())
    return f"{line['point']:3d}  {line['state']:6}  {line['label']}  ({differs or 'the centre'})"


def check_folders(experiment: Experiment, points: Sequence[Point], path: pathlib.Path) -> None:
    """Refuses a sweep's folder that holds something else.

    Raises:
      UserError: a run or a fleet, what is no point, or a point that was begun with another config.
    """
    if (path / "run.json").exists() or (path / "fleet.json").exists():
        raise UserError(f"{path} holds a run or a fleet; choose another --workdir for the sweep")
    runs = [point.run(path, experiment.verb) for point in points]
    for run in runs:
        run.check()
    for folder in sorted((path / "points").glob("[0-9]*")):
        if folder.name not in {run.name for run in runs}:
            raise UserError(
                f"{folder} is no point of this sweep; add points behind the others, and move away those that "
                "are dropped"
            )


def check_points(experiment: Experiment, points: Sequence[Point], path: pathlib.Path) -> None:
    """Builds what each point that is not done would run, before anything is written.

    Raises:
      UserError: a config with which a run could not be; names the point.
    """
    if experiment.verb != "loop":
        return
    from fernjax.loop.children import leave_devices
    from fernjax.loop.preflight import check_config

    leave_devices()
    for point in points:
        if point.run(path, experiment.verb).state() == "done":
            continue
        try:
            check_config(point.config)
        except UserError as e:
            raise UserError(f"{experiment.file.name}, point {point.number} ({point.label}): {e}") from e


def run_points(
    experiment: Experiment,
    points: Sequence[Point],
    path: pathlib.Path,
    number: int | None = None,
    runner: Runner = run_child,
) -> int:
    """Runs each point that is not done, one after the other; one's failure stops no other.

    A point that another process runs is left to it.

    Args:
      experiment: of the config file.
      points: all of the sweep.
      path: the sweep's folder.
      number: run this point alone.
      runner: runs one process.

    Returns:
      0 where no point failed, else 1.

    Raises:
      UserError: what `choose`, `check_folders` and `check_points` refuse.
      Held: another process runs the one point asked for.
    """
    chosen = choose(points, number)
    check_folders(experiment, points, path)
    check_points(experiment, chosen, path)
    failed = []
    for point in chosen:
        run = point.run(path, experiment.verb)
        place = f"{run.name} ({point.number + 1} of {len(points)})"
        try:
            with run.held() as lock:
                ended = run.take(runner, lock)
        except Held:
            if number is not None:
                raise
            print(f"{place}: another process runs it", file=sys.stderr)
            continue
        if ended is None:
            print(f"{place}: done before", file=sys.stderr)
        elif run.state() == "done":
            print(f"{place}: done", file=sys.stderr)
        else:
            failed.append(run.name)
            print(f"{place}: failed (exit {ended.code}); the same command resumes it", file=sys.stderr)
    for point in chosen:
        print(point.run(path, experiment.verb).folder)
    return int(bool(failed))


def describe_run(
    experiment: Experiment, points: Sequence[Point], path: pathlib.Path, number: int | None
) -> str:
    """What `run_points` would do; arguments and errors as of it."""
    from fernjax.loop.plan import guess_seconds, in_minutes, plural
    from fernjax.loop.stages import stages_left

    chosen = choose(points, number)
    check_folders(experiment, points, path)
    check_points(experiment, chosen, path)
    lines, total = [], 0.0
    for point in chosen:
        run = point.run(path, experiment.verb)
        told = run.state()
        if experiment.verb == "loop" and told != "done":
            seconds = guess_seconds(point.config, stages_left(point.config, run.folder))
            told, total = f"{told}, {in_minutes(seconds)}", total + seconds
        lines.append(f"  {run.folder}: {told}")
    cost = f", one after the other, {in_minutes(total)} in all" if total else ""
    return "\n".join([f"sweep of {plural(len(chosen), 'point')} in {path}{cost}:", *lines])
