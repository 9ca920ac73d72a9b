"""What every place does, and what they share: files, the official command-line tools, logs."""

from __future__ import annotations

import collections
import dataclasses
import pathlib
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from typing import Protocol

from fernjax.sim.types import UserError
from launch.job import Job

Command = tuple[str, ...]

TAIL = 50
"""Lines that `--logs` shows of each log."""


@dataclasses.dataclass(frozen=True)
class Rendered:
    """What is written and what is run to submit a job.

    Attributes:
      files: contents by name, in the job's folder.
      commands: run in this order, in the clone; they name the files by their paths.
    """

    files: dict[str, str]
    commands: tuple[Command, ...]


@dataclasses.dataclass(frozen=True)
class Launched:
    """A job that was submitted.

    Attributes:
      on: name of the place.
      job: what was submitted.
      ids: what the place calls it: a process, a job, a name for each point.
      folder: where its files and its record are.
    """

    on: str
    job: Job
    ids: tuple[str, ...]
    folder: pathlib.Path


class Place(Protocol):
    """A module of this package. `TAKES` are the keys that it takes beside those that all do."""

    TAKES: tuple[str, ...]

    def render(self, job: Job) -> Rendered:
        """Raises UserError where the place cannot run such a job. Touches nothing."""

    def submit(self, job: Job, rendered: Rendered, before: Launched | None) -> tuple[str, ...]:
        """Submits what is rendered, whose files are there; `before` is what was launched last. Gives ids."""

    def status(self, launched: Launched) -> str:
        """How it stands, as the place tells it."""

    def logs(self, launched: Launched) -> str:
        """The end of each log."""


def run_tool(command: Sequence[str], package: str) -> str:
    """What a place's own command-line tool prints.

    Args:
      command: the tool first.
      package: what brings it.

    Raises:
      UserError: it is not installed, or refuses.
    """
    if shutil.which(command[0]) is None:
        raise UserError(
            f"{command[0]} is not installed here; install {package}, or use --dry_run to see the files"
        )
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise UserError(f"`{shlex.join(command[:3])} ...` gave {done.returncode}: {' / '.join(said[-2:])}")
    return done.stdout


def run_all(commands: Sequence[Command], package: str) -> str:
    """What several commands print, one after the other; errors as of `run_tool`."""
    return "\n".join(run_tool(command, package).rstrip() for command in commands)


def tail(paths: Sequence[pathlib.Path]) -> str:
    """The last lines of each file, under its name."""
    out = []
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as f:
            out += [f"==> {path} <==", *(line.rstrip() for line in collections.deque(f, TAIL))]
    return "\n".join(out)


def refuse_several(job: Job, place: str) -> None:
    """For a place that runs one process on each machine."""
    if job.is_sweep() and job.nodes > 1:
        raise UserError(f"on {place} each point of a sweep runs on one machine; leave launch.nodes at 1")


def need(job: Job, place: str, **why: str) -> None:
    """Refuses a job that lacks a key; `why` says what each is for."""
    for name, text in why.items():
        if not getattr(job, name):
            raise UserError(f"{place} needs --launch.{name}, {text}")
