"""A search of a config's space by Optuna (an extra): `search(trial)` gives overrides, `METRIC` judges.

    WORKDIR/study.db    WORKDIR/trials/000/ ...  as the verb leaves them

The study is in a database; every process that names it takes trials from it until it holds enough. A trial
whose process was killed is marked as failed and handed out again, into the same folder, so that its run goes
on where it was.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import importlib.util
import inspect
import json
import pathlib
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from ml_collections import ConfigDict

from fernjax.loop import settings
from fernjax.loop.children import Run, Runner, run_child
from fernjax.loop.comparison import find, measure
from fernjax.loop.sweep import Experiment
from fernjax.loop.workdir import Held, read_object, refuse_other_config
from fernjax.sim.types import UserError

if TYPE_CHECKING:
    import optuna

BEST = 10
"""Trials that the report lists."""

HEARTBEAT_S, GRACE_S = 30, 600
"""How often a running trial says so, and after how long a silence it is taken for dead."""

BEGINNING_S = 2.0
"""Age from which a running trial has its folder's lock, if its process lives and shares our folder."""

WAIT_S = 5.0
"""Between two looks at trials that others run."""

TRIES = 3
"""How often a trial whose process dies is begun."""

FAILURES = 3
"""Trials in a row that may fail before a process gives up: then the space, or the machine, is at fault."""

LOCK_S = 60
"""How long to wait for another process's writing to SQLite."""

OPENINGS = 5
"""How often to try to open a database."""

FOLDER = "folder"
"""The user attribute that says which trial's folder a repeated trial takes over."""


@dataclasses.dataclass(frozen=True)
class Goal:
    """What a search looks for: a dotted path into a trial's report, and whether more is better."""

    metric: str
    direction: Literal["maximize", "minimize"]


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
    direction = getattr(module, "DIRECTION", "maximize")
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
    _want_optuna()
    import optuna

    path.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(), _database_told(storage):
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # heartbeats are
        study = _open(experiment, goal, path, storage)
        search = _Search(experiment, goal, path, study, runner)
        while (finished := _count(study, "COMPLETE")) < trials:
            search.hand_out_dead()
            if finished + _count(study, "RUNNING") < trials:
                study.optimize(search.judge, n_trials=1, catch=(_TrialFailed,))
            else:
                time.sleep(WAIT_S)
                optuna.storages.fail_stale_trials(study)
    print(path / "trials")
    return int(search.failed > 0)


def describe_search(experiment: Experiment, path: pathlib.Path, trials: int, storage: str | None) -> str:
    """What `run_search` would do; errors as of it."""
    goal = read_goal(experiment)
    _want_optuna()
    where = _masked(storage) if storage else path / "study.db"
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
    _want_optuna()
    import optuna

    with _database_told(storage):
        try:
            study = optuna.load_study(study_name=_study_name(path), storage=_url(path, storage))
        except KeyError as e:
            raise UserError(f"the database has no study {_study_name(path)}; run sweep --search first") from e
        _check_study(study, experiment, goal, path)
        finished = [(t.values[0], t) for t in _of_state(study, "COMPLETE")]
        failed, running = _count(study, "FAIL"), _count(study, "RUNNING")
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
                "folder": f"trials/{_folder(trial):03d}",
                "figure": _figure(path / "trials" / f"{_folder(trial):03d}", goal),
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
        run = self._run(_folder(trial), self._config(trial))
        name = f"trial {trial.number}"
        print(f"{name}: {json.dumps(trial.params)} in {run.folder}", file=sys.stderr)
        try:
            with run.held():
                ended = run.take(self._runner)
        except Held as e:
            raise _TrialFailed(str(e)) from e
        except KeyboardInterrupt:  # which Optuna takes for a failure
            _hand_out(self._study, trial)
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
            _hand_out(self._study, trial)  # its run is done and waits for the right name
            report = run.folder / "report.json"
            raise UserError(f"{self._experiment.file.name}: METRIC {self._goal.metric} is not in {report}")
        print(f"{name}: {self._goal.metric} {value:.4g}", file=sys.stderr)
        return float(value)

    def hand_out_dead(self) -> None:
        """Gives back the trials whose process is dead: nobody holds their folder, where it is ours too."""
        now = datetime.datetime.now()
        for trial in _of_state(self._study, "RUNNING"):
            run = self._run(_folder(trial), self._experiment.centre)
            begun = trial.datetime_start or now
            if not run.failure.parent.exists() or (now - begun).total_seconds() < BEGINNING_S:
                continue
            with contextlib.suppress(Held), run.held():
                if trial.number in {t.number for t in _of_state(self._study, "RUNNING")}:
                    self._study.tell(trial.number, state=trial.state.__class__.FAIL)
                    _hand_out(self._study, trial)

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


def _open(experiment: Experiment, goal: Goal, path: pathlib.Path, storage: str | None) -> optuna.Study:
    """The study, made where there is none."""
    import optuna
    import sqlalchemy.exc

    optuna.logging.set_verbosity(optuna.logging.ERROR)  # we say ourselves what becomes of a trial
    url = _url(path, storage)
    patience = {"connect_args": {"timeout": LOCK_S}} if url.startswith("sqlite") else {}
    for attempt in range(1, OPENINGS + 1):
        try:
            database = optuna.storages.RDBStorage(
                url,
                patience,
                heartbeat_interval=HEARTBEAT_S,
                grace_period=GRACE_S,
                heartbeat_stale_trial_callback=_hand_out,
            )
            break
        except sqlalchemy.exc.DBAPIError:
            if attempt == OPENINGS:
                raise
            time.sleep(1)  # another process may be making the tables at this moment
    study = optuna.create_study(
        storage=database,
        study_name=_study_name(path),
        sampler=_make_sampler(experiment.centre.seeds[0]),
        direction=goal.direction,
        load_if_exists=True,
    )
    if not _count(study, "COMPLETE"):
        study.set_user_attr("goal", dataclasses.asdict(goal))
    if "centre" not in study.user_attrs:
        study.set_user_attr("centre", settings.to_json(experiment.centre))
    _check_study(study, experiment, goal, path)
    return study


def _check_study(study: optuna.Study, experiment: Experiment, goal: Goal, path: pathlib.Path) -> None:
    """Refuses a study of another config or goal: its trials would not be comparable with new ones."""
    refuse_other_config(path, study.user_attrs["centre"], experiment.centre)
    if study.user_attrs["goal"] != dataclasses.asdict(goal):
        there = study.user_attrs["goal"]
        raise UserError(
            f"the study of {path} is to {there['direction']} {there['metric']}, not to {goal.direction} "
            f"{goal.metric}; use another --workdir"
        )


def _make_sampler(seed: int) -> optuna.samplers.BaseSampler:
    """TPE whose draws follow from the seed, the trial's number and what was finished by then.

    A seed for a whole process would let all that share a study draw the same first trials, and one that is
    started again repeat its own.
    """
    import optuna

    class NumberedTPE(optuna.samplers.BaseSampler):
        def __init__(self) -> None:
            self._sampler = optuna.samplers.TPESampler(seed=seed)

        def before_trial(self, study: optuna.Study, trial: optuna.trial.FrozenTrial) -> None:
            mixed = int(np.random.SeedSequence((seed, trial.number)).generate_state(1)[0])
            self._sampler = optuna.samplers.TPESampler(seed=mixed)

        def infer_relative_search_space(self, study: Any, trial: Any) -> Any:
            return self._sampler.infer_relative_search_space(study, trial)

        def sample_relative(self, study: Any, trial: Any, search_space: Any) -> Any:
            return self._sampler.sample_relative(study, trial, search_space)

        def sample_independent(self, study: Any, trial: Any, name: str, distribution: Any) -> Any:
            return self._sampler.sample_independent(study, trial, name, distribution)

        def after_trial(self, study: Any, trial: Any, state: Any, values: Any) -> None:
            self._sampler.after_trial(study, trial, state, values)

    return NumberedTPE()


def _hand_out(study: optuna.Study, trial: optuna.Trial | optuna.trial.FrozenTrial) -> None:
    """Queues a trial once more, with the same values and into the same folder."""
    tries = trial.user_attrs.get("tries", 1)
    if tries < TRIES:
        study.enqueue_trial(trial.params, user_attrs={FOLDER: _folder(trial), "tries": tries + 1})


def _folder(trial: optuna.Trial | optuna.trial.FrozenTrial) -> int:
    """The number of the trial's folder: its own, or that of the trial that it repeats."""
    return trial.user_attrs.get(FOLDER, trial.number)


def _figure(folder: pathlib.Path, goal: Goal) -> dict[str, Any] | None:
    """A trial's figure with interval and seeds; None where its run is on another machine."""
    if not (folder / "report.json").exists():
        return None
    seeds = read_object(folder / "config.json", ("seeds",))["seeds"]
    return measure([(seeds, read_object(folder / "report.json", ()))], goal.metric)


def _of_state(study: optuna.Study, name: str) -> list[optuna.trial.FrozenTrial]:
    return [t for t in study.get_trials(deepcopy=False) if t.state.name == name]


def _count(study: optuna.Study, name: str) -> int:
    return len(_of_state(study, name))


def _study_name(path: pathlib.Path) -> str:
    return path.resolve().name


def _url(path: pathlib.Path, storage: str | None) -> str:
    return storage or f"sqlite:///{path.resolve() / 'study.db'}"


def _masked(url: str) -> str:
    """A database's URL without its password."""
    import sqlalchemy

    return sqlalchemy.engine.make_url(url).render_as_string(hide_password=True)


@contextlib.contextmanager
def _database_told(storage: str | None) -> Iterator[None]:
    """Says in one line that a database cannot be used.

    Raises:
      UserError: it cannot.
    """
    import optuna
    import sqlalchemy.exc

    try:
        yield
    except (sqlalchemy.exc.SQLAlchemyError, optuna.exceptions.StorageInternalError, ImportError) as e:
        try:
            where = _masked(storage) if storage else "study.db"
        except sqlalchemy.exc.ArgumentError:  # no URL
            where = "of --storage (a URL such as postgresql://user@host/name)"
        first = str(e.__cause__ or e).partition("\n")[0]
        raise UserError(f"the database {where} cannot be used: {first}") from e


def _want_optuna() -> None:
    """Raises UserError where Optuna is not installed."""
    if importlib.util.find_spec("optuna") is None:
        raise UserError("a search needs Optuna, an extra; install it with `pip install -e .[search]`")
