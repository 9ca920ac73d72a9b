"""The database of a search's trials, by Optuna (an extra): opened, seeded, told where it cannot be used."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import pathlib
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fernjax.loop import settings
from fernjax.loop.experiment import Experiment
from fernjax.loop.workdir import refuse_other_config
from fernjax.sim.types import UserError

if TYPE_CHECKING:
    import optuna

HEARTBEAT_S, GRACE_S = 30, 600
"""How often a running trial says so, and after how long a silence it is taken for dead."""

TRIES = 20
"""How often a trial whose process is stopped, or dies, is begun; each time its run goes on."""

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


def open_study(experiment: Experiment, goal: Goal, path: pathlib.Path, storage: str | None) -> optuna.Study:
    """The study, made where there is none."""
    import optuna
    import sqlalchemy.exc

    optuna.logging.set_verbosity(optuna.logging.ERROR)  # we say ourselves what becomes of a trial
    url = database_url(path, storage)
    patience = {"connect_args": {"timeout": LOCK_S}} if url.startswith("sqlite") else {}
    for attempt in range(1, OPENINGS + 1):
        try:
            database = optuna.storages.RDBStorage(
                url,
                patience,
                heartbeat_interval=HEARTBEAT_S,
                grace_period=GRACE_S,
                heartbeat_stale_trial_callback=hand_out,
            )
            break
        except sqlalchemy.exc.DBAPIError:
            if attempt == OPENINGS:
                raise
            time.sleep(1)  # another process may be making the tables at this moment
    study = optuna.create_study(
        storage=database,
        study_name=study_name(path),
        sampler=_make_sampler(experiment.centre.seeds[0]),
        direction=goal.direction,
        load_if_exists=True,
    )
    if not count(study, "COMPLETE"):
        study.set_user_attr("metric", goal.metric)
    if "centre" not in study.user_attrs:
        study.set_user_attr("centre", settings.to_json(experiment.centre))
    check_study(study, experiment, goal, path)
    return study


def check_study(study: optuna.Study, experiment: Experiment, goal: Goal, path: pathlib.Path) -> None:
    """Refuses a study of another config or goal: its trials would not be comparable with new ones.

    Raises:
      UserError: names what differs.
    """
    about = study.user_attrs
    if not {"centre", "metric"} <= about.keys():
        raise UserError(f"the study {study.study_name} in the database is no search's; use another --workdir")
    refuse_other_config(path, about["centre"], experiment.centre)
    there = Goal(about["metric"], "maximize" if study.direction.name == "MAXIMIZE" else "minimize")
    if there != goal:
        raise UserError(
            f"the study of {path} is to {there.direction} {there.metric}, not to {goal.direction} "
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


def hand_out(study: optuna.Study, trial: optuna.Trial | optuna.trial.FrozenTrial) -> None:
    """Queues a trial once more, with the same values and into the same folder."""
    tries = trial.user_attrs.get("tries", 1)
    if tries < TRIES:
        study.enqueue_trial(trial.params, user_attrs={FOLDER: folder_number(trial), "tries": tries + 1})


def folder_number(trial: optuna.Trial | optuna.trial.FrozenTrial) -> int:
    """The number of the trial's folder: its own, or that of the trial that it repeats."""
    return trial.user_attrs.get(FOLDER, trial.number)


def of_state(study: optuna.Study, name: str) -> list[optuna.trial.FrozenTrial]:
    """The trials that are `COMPLETE`, `RUNNING` or `FAIL` now."""
    return [t for t in study.get_trials(deepcopy=False) if t.state.name == name]


def count(study: optuna.Study, name: str) -> int:
    """How many `of_state` gives."""
    return len(of_state(study, name))


def study_name(path: pathlib.Path) -> str:
    """A study has the name of its sweep's folder, on every machine that shares it."""
    return path.resolve().name


def database_url(path: pathlib.Path, storage: str | None) -> str:
    """The URL of a study's database: SQLite in the folder, or the one that was given."""
    return storage or f"sqlite:///{path.resolve() / 'study.db'}"


def masked(url: str) -> str:
    """A database's URL without its password."""
    import sqlalchemy

    return sqlalchemy.engine.make_url(url).render_as_string(hide_password=True)


@contextlib.contextmanager
def database_told(storage: str | None) -> Iterator[None]:
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
            where = masked(storage) if storage else "study.db"
        except sqlalchemy.exc.ArgumentError:  # no URL
            where = "of --storage (a URL such as postgresql://user@host/name)"
        first = str(e.__cause__ or e).partition("\n")[0]
        raise UserError(f"the database {where} cannot be used: {first}") from e


def want_optuna() -> None:
    """Raises UserError where Optuna is not installed."""
    if importlib.util.find_spec("optuna") is None:
        raise UserError("a search needs Optuna, an extra; install it with `pip install -e .[search]`")
