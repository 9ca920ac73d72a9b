"""The verbs that make many runs, or run elsewhere: fleet, sweep, launch."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
from typing import Any

from fernjax.loop.flags import config_name, find_config, is_begun, refuse_benchmark, workdir_path
from fernjax.sim.types import UserError

RESUMES = ("loop", "train", "evaluate", "fleet", "pretrain", "world", "sweep")
"""Verbs that go on where an earlier process of the same command was stopped; they may be run elsewhere."""


def fleet(flags: argparse.Namespace) -> int:
    """The loop of every app, one after the other, each in WORKDIR/APP, and a page that compares them.

    An app that fails does not stop the others; the same command goes on with what is not done.
    """
    from fernjax.loop import fleet as fleets

    config, path = find_config(flags), workdir_path(flags)
    refuse_benchmark(config.task, "fleet")
    apps = fleets.choose_apps(config)
    if flags.dry_run:
        from fernjax.loop.plan import describe_fleet

        print(describe_fleet(config, path, apps))
        return 0
    from fernjax.loop.children import leave_devices
    from fernjax.loop.plan import for_app
    from fernjax.loop.preflight import check_config

    _refuse_several_processes("fleet")
    leave_devices()
    for app in apps:
        check_config(for_app(config, app))
    given = [f"--config={config_name(flags)}"]
    return fleets.run_fleet(config, path, given + [f"--config.{k}={v}" for k, v in flags.overrides.items()])


def sweep(flags: argparse.Namespace) -> int:
    """Many runs of a config: --list, --run and --report the points of its sweep(add), --search its space.

    A point or a trial that fails does not stop the others; the same command goes on with what is not done.
    """
    from fernjax.loop import sweep as sweeps
    from fernjax.loop.children import IS_DONE
    from fernjax.loop.experiment import expand, read_experiment

    _check_sweep_flags(flags)
    experiment = read_experiment(flags.config, flags.overrides, list(IS_DONE))
    path = pathlib.Path(flags.workdir or f"{workdir_path(flags)}-sweep")
    if flags.search is not None:
        return _search(flags, experiment, path)
    if flags.report:
        return _report_sweep(flags, experiment, path)
    points = expand(experiment)
    if flags.list:
        for line in sweeps.describe_points(experiment, points, path):
            print(json.dumps(line) if flags.json else sweeps.show_point(line))
        return 0
    if flags.dry_run:
        print(sweeps.describe_run(experiment, points, path, flags.point))
        return 0
    _refuse_several_processes("sweep")
    return sweeps.run_points(experiment, points, path, flags.point)


def _check_sweep_flags(flags: argparse.Namespace) -> None:
    """Refuses flags that do not go together."""
    modes = {"list": flags.list, "run": flags.run, "report": flags.report, "search": flags.search is not None}
    chosen = [name for name, there in modes.items() if there]
    if len(chosen) != 1:
        given = " and ".join(f"--{name}" for name in chosen) or "none"
        raise UserError(f"sweep takes one of --list, --run, --report and --search=N, not {given}")
    if flags.config is None:
        raise UserError("sweep needs --config=configs/NAME.py, a file with sweep(add) or search(trial)")
    for name, there, mode in (
        ("point", flags.point is not None, "run"),
        ("json", flags.json, "list"),
        ("storage", flags.storage is not None, "search or --report"),
    ):
        if there and chosen[0] not in mode:
            raise UserError(f"--{name} goes with --{mode}, not with --{chosen[0]}")
    if flags.search is not None and flags.search < 1:
        raise UserError(f"--search={flags.search}: give at least 1")


def _search(flags: argparse.Namespace, experiment: Any, path: pathlib.Path) -> int:
    from fernjax.loop.search import describe_search, run_search

    if flags.dry_run:
        print(describe_search(experiment, path, flags.search, flags.storage))
        return 0
    _refuse_several_processes("sweep")
    return run_search(experiment, path, flags.search, flags.storage)


def _report_sweep(flags: argparse.Namespace, experiment: Any, path: pathlib.Path) -> int:
    from fernjax.loop.comparison import write_comparison
    from fernjax.loop.experiment import expand
    from fernjax.loop.search import read_study
    from fernjax.loop.sweep import check_folders

    searches = hasattr(experiment.module, "search")
    points = [] if searches and not hasattr(experiment.module, "sweep") else expand(experiment)
    check_folders(experiment, points, path)
    study = read_study(experiment, path, flags.storage) if searches else None
    if flags.dry_run:
        print(f"sweep writes {path / 'sweep.json'} and {path / 'sweep.html'}")
        return 0
    summary = write_comparison(experiment, points, path, study)
    if summary["missing"]:
        print(f"missing: {'; '.join(summary['missing'])}", file=sys.stderr)
    print(path / "sweep.html")
    print(path / "sweep.json")
    return 0


def _refuse_several_processes(verb: str) -> None:
    from fernjax.model.processes import find_job

    if job := find_job(os.environ):
        raise UserError(
            f"{verb} runs in one process, not in {job.count}; run `loop` for each app or point instead"
        )


def launch(flags: argparse.Namespace) -> int:
    """Runs a verb elsewhere: in the background here, on SLURM, Kubernetes, Cloud TPU or by SkyPilot.

    The same command after the run was stopped goes on with it. launch/README.md has examples.
    """
    from launch import launching
    from launch.job import make_job

    if flags.status or flags.logs:
        launched = launching.read_beside(str(workdir_path(flags)))
        print(launching.status(launched) if flags.status else launching.logs(launched))
        return 0
    if flags.on is None:
        raise UserError(f"launch needs --on=PLACE; there are: {', '.join(launching.PLACES)}")
    place = launching.find_place(flags.on)
    verb = flags.launched or "loop"
    if verb not in RESUMES:
        raise UserError(f"launch runs {', '.join(RESUMES)}, not {verb!r}")
    run = argparse.Namespace(**(vars(flags) | {"verb": verb}))
    find_config(run)  # a mistake in it is better found before the queue
    job = make_job(
        flags.on,
        place.TAKES,
        _find_out(flags.keys, run),
        verb=verb,
        config="" if is_begun(run) else config_name(run),
        workdir=str(workdir_path(run)),
        overrides=flags.overrides,
        directory=os.getcwd(),
    )
    if flags.dry_run:
        print(launching.describe(flags.on, job))
        return 0
    launched = launching.submit(flags.on, job)
    print(
        f"launched on {flags.on}; `launch --workdir={job.workdir} --status` or --logs tells more",
        file=sys.stderr,
    )
    print("\n".join(launched.ids))
    return 0


def _find_out(keys: dict[str, str], run: argparse.Namespace) -> dict[str, str]:
    """What `--launch.key` gives, with what need not be said: a sweep's points, the commit that is here."""
    from fernjax.loop import workdir
    from launch.place import run_tool

    found = {}
    if run.verb == "sweep" and "points" not in keys:
        given = [f"--config={config_name(run)}", *(f"--config.{k}={v}" for k, v in run.overrides.items())]
        printed = run_tool([sys.executable, "-m", "fernjax", "sweep", *given, "--list"], "fernjax")
        found["points"] = str(len(printed.splitlines()))
    if "repository" in keys and "commit" not in keys:
        here = workdir.provenance()
        found["commit"] = here["commit"] or ""
        if here["dirty"]:
            print(
                f"what is changed here since commit {found['commit'][:7]} does not run there", file=sys.stderr
            )
    return found | keys
