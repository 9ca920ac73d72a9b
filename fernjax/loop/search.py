"""A search of a config's space by Optuna (an extra): `search(trial)` gives overrides, `METRIC` judges.

    WORKDIR/study.db    WORKDIR/trials/000/ ...  as the verb leaves them

The study is in a database; every process that names it takes trials from it until it holds enough. A trial
whose process was killed is marked as failed and handed out again, into the same folder, so that its run goes
on where it was.
"""

from __future__ import annotations

import contextlib
import datetime
import inspect
import json
import pathlib
import sys
import time
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ml_collections import ConfigDict

from fernjax.loop import settings
from fernjax.loop.children import Ended, Run, Runner, run_child
from fernjax.loop.comparison import find, measure
from fernjax.loop.experiment import Experiment
from fernjax.loop.study import (
    Goal,
    check_study,
    count,
    database_told,
    database_url,
    folder_number,
    hand_out,
    masked,
    of_state,
    open_study,
    study_name,
    want_optuna,
)
from fernjax.loop.workdir import Held, read_object
from fernjax.sim.types import UserError

if TYPE_CHECKING:
    import optuna

BEST = 10
"""Trials that the report lists."""

BEGINNING_S = 2.0
"""Age from which a running trial has its folder's lock, if its process lives and shares our folder."""

WAIT_S = 5.0
"""Between two looks at trials that others run."""

FAILURES = 3
"""Trials in a row that may fail before a process gives up: then the space, or the machine, is at fault."""


class _TrialFailed(Exception):
    """A trial came to no value."""


def read_goal(experiment: Experiment) -> Goal:
    """The `METRIC` (and `DIRECTION`, maximize without it) of a config file with `search(trial)`.

    Raises:
      UserError: they are missing, or of another form, or the metric is counted on the final half, which may
        choose nothing.
    """
    file, module = experiment.file.name, experiment.module
    if not inspect.isfunction(getattr(module, "search", None)):
        raise UserError(f"{file} has no search(trial); see configs/search.py")
    metric = getattr(module, "METRIC", None)
    if not isinstance(metric, str) or not metric:
        raise UserError(f'{file}: METRIC is {metric!r}; give a dotted path, such as "real.gate.public.full"')
    if "final" in metric.split("."):
        raise UserError(f"{file}: METRIC {metric} is of the final half, which is counted and chooses nothing")
    direction: Any = getattr(module, "DIRECTION", "maximize")
    if direction not in ("maximize", "minimize"):
        raise UserError(f"{file}: DIRECTION is {direction!r}; give maximize or minimize")
    return Goal(metric, direction)


def run_search(
    experiment: Experiment,
    path: pathlib.Path,
    trials: int,
    storage: str | None = None,
    runner: Runner = run_child,
) -> int:
    """Runs trials until the study holds so many that are finished.

    Processes that share the study share the trials too. It may come to hold a few more: one for each other
    process that begins its last at the same moment.

    Args:
      experiment: of the config file.
      path: the sweep's folder.
      trials: how many are wanted.
      storage: URL of a database; None for SQLite in the folder.
      runner: runs one process.

    Returns:
      0 where no trial failed here, else 1.

    Raises:
      UserError: Optuna is not installed, a database that cannot be used, a study of another config, a mistake
        in `search(trial)`, or `FAILURES` trials in a row that failed.
    """
    goal = read_goal(experiment)
    want_optuna()
    import optuna

    path.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(), database_told(storage):
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # heartbeats are
        study = open_study(experiment, goal, path, storage)
        search = _Search(experiment, goal, path, study, runner)
        while (finished := count(study, "COMPLETE")) < trials:
            search.hand_out_dead()
            if finished + count(study, "RUNNING") < trials:
                study.optimize(search.judge, n_trials=1, catch=(_TrialFailed,))
            else:
                time.sleep(WAIT_S)
                optuna.storages.fail_stale_trials(study)
    print(path / "trials")
    return int(search.failed > 0)


def describe_search(experiment: Experiment, path: pathlib.Path, trials: int, storage: str | None) -> str:
    """What `run_search` would do; errors as of it."""
    goal = read_goal(experiment)
    want_optuna()
    with database_told(storage):
        where = masked(storage) if storage else path / "study.db"
    return (
        f"search in {path}: trials of {experiment.verb} until the study in {where} holds {trials}, each with "
        f"{len(experiment.centre.seeds)} seeds, to {goal.direction} {goal.metric}"
    )


def read_study(experiment: Experiment, path: pathlib.Path, storage: str | None) -> dict[str, Any] | None:
    """Counts and the best trials of a search, as JSON values; None where there is none.

    Raises:
      UserError: Optuna is not installed, or a database that cannot be used or holds no such study.
    """
    if storage is None and not (path / "study.db").exists():
        return None
    goal = read_goal(experiment)
    want_optuna()
    import optuna

    with database_told(storage):
        try:
            study = optuna.load_study(study_name=study_name(path), storage=database_url(path, storage))
        except KeyError as e:
            raise UserError(f"the database has no study {study_name(path)}; run sweep --search first") from e
        check_study(study, experiment, goal, path)
        finished = [(t.values[0], t) for t in of_state(study, "COMPLETE")]
        failed, running = count(study, "FAIL"), count(study, "RUNNING")
    sign = -1 if goal.direction == "maximize" else 1
    best = sorted(finished, key=lambda pair: (sign * pair[0], pair[1].number))[:BEST]
    return {
        "metric": goal.metric,
        "direction": goal.direction,
        "finished": len(finished),
        "failed": failed,
        "running": running,
        "best": [
            {
                "trial": trial.number,
                "value": value,
                "params": trial.params,
                "folder": f"trials/{folder_number(trial):03d}",
                "figure": _figure(path / "trials" / f"{folder_number(trial):03d}", goal),
            }
            for value, trial in best
        ],
    }


class _Search:
    """The trials of this process.

    Attributes:
      failed: how many came to no value.
    """

    def __init__(
        self,
        experiment: Experiment,
        goal: Goal,
        path: pathlib.Path,
        study: optuna.Study,
        runner: Runner,
    ) -> None:
        self._experiment, self._goal, self._path = experiment, goal, path
        self._study, self._runner = study, runner
        self.failed = self._in_a_row = 0

    def judge(self, trial: optuna.Trial) -> float:
        """Runs a trial and gives its value."""
        run = self._run(folder_number(trial), self._config(trial))
        name = f"trial {trial.number}"
        print(f"{name}: {json.dumps(trial.params)} in {run.folder}", file=sys.stderr)
        try:
            ended = self._take(run)
        except KeyboardInterrupt:  # which Optuna takes for a failure
            hand_out(self._study, trial)
            raise
        if run.state() != "done":
            self.failed += 1
            self._in_a_row += 1
            told = f"{name} failed (exit {ended.code if ended else 0}); {run.failure} has its last lines"
            if self._in_a_row >= FAILURES:
                raise UserError(f"{told}; {FAILURES} in a row did: correct the space, or the machine")
            print(told, file=sys.stderr)
            raise _TrialFailed(told)
        self._in_a_row = 0
        value = find(run.report(), self._goal.metric)
        if value is None:
            hand_out(self._study, trial)  # its run is done and waits for the right name
            report = run.folder / "report.json"
            raise UserError(f"{self._experiment.file.name}: METRIC {self._goal.metric} is not in {report}")
        print(f"{name}: {self._goal.metric} {value:.4g}", file=sys.stderr)
        return float(value)

    def hand_out_dead(self) -> None:
        """Gives back the trials whose process is dead: nobody holds their folder, where it is ours too."""
        from optuna.trial import TrialState

        now = datetime.datetime.now()
        for trial in of_state(self._study, "RUNNING"):
            run = self._run(folder_number(trial), self._experiment.centre)
            begun = trial.datetime_start or now
            if not run.failure.parent.exists() or (now - begun).total_seconds() < BEGINNING_S:
                continue
            with contextlib.suppress(Held), run.held():
                if trial.number in {t.number for t in of_state(self._study, "RUNNING")}:
                    self._study.tell(trial.number, state=TrialState.FAIL)
                    hand_out(self._study, trial)

    def _take(self, run: Run) -> Ended | None:
        """Takes a run to its end, once a process that was left of an earlier attempt lets go of it."""
        while True:
            with contextlib.suppress(Held), run.held() as lock:
                return run.take(self._runner, lock)
            time.sleep(WAIT_S)

    def _run(self, number: int, config: ConfigDict) -> Run:
        return Run(self._path / "trials" / f"{number:03d}", self._experiment.verb, config)

    def _config(self, trial: optuna.Trial) -> ConfigDict:
        file = self._experiment.file
        try:
            overrides = self._experiment.module.search(trial)
        except (Exception, SystemExit) as e:
            raise UserError(settings.locate(file, e)) from e
        if not isinstance(overrides, Mapping) or not all(isinstance(key, str) for key in overrides):
            raise UserError(f"{file.name}: search(trial) gives {overrides!r}; return overrides by their keys")
        try:
            return self._experiment.config(overrides)
        except UserError as e:
            raise UserError(f"{file.name}, search(trial): {e}") from e


def _figure(folder: pathlib.Path, goal: Goal) -> dict[str, Any] | None:
    """A trial's figure with interval and seeds; None where its run is on another machine."""
    if not (folder / "report.json").exists():
        return None
    seeds = read_object(folder / "config.json", ("seeds",))["seeds"]
    return measure([(seeds, read_object(folder / "report.json", ()))], goal.metric)
