"""Launching: what is written and run, the record of it, and what became of it."""

from __future__ import annotations

import dataclasses
import datetime
import json
import pathlib
import shlex
from typing import Any

from fernjax.sim.types import UserError
from launch import k8s, local, skypilot, slurm, tpu
from launch.job import Job, folder_of
from launch.place import Launched, Place

PLACES: dict[str, Place] = {"local": local, "slurm": slurm, "k8s": k8s, "tpu": tpu, "skypilot": skypilot}

RECORD = "launch.json"


def find_place(name: str) -> Place:
    """Raises UserError for a name of none."""
    if name not in PLACES:
        raise UserError(f"no place {name!r} to launch on; there are: {', '.join(PLACES)}")
    return PLACES[name]


def describe(on: str, job: Job) -> str:
    """The files and the commands of a submission, which touches nothing."""
    rendered = find_place(on).render(job)
    out = []
    for name, text in rendered.files.items():
        out += [f"# {job.folder() / name}", text]
    return "\n".join([*out, "# then", *map(shlex.join, rendered.commands)])


def submit(on: str, job: Job) -> Launched:
    """Writes the files, runs the commands, and leaves a record beside the workdir.

    Raises:
      UserError: the place cannot run such a job, lacks its tool here, or refuses.
    """
    place, folder = find_place(on), job.folder()
    rendered = place.render(job)
    before = read(folder) if (folder / RECORD).exists() else None
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in rendered.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    ids = place.submit(job, rendered, before if before and before.on == on else None)
    record = {
        "on": on,
        "ids": ids,
        "submitted": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "commands": [shlex.join(command) for command in rendered.commands],
        "job": dataclasses.asdict(job),
    }
    (folder / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return Launched(on, job, ids, folder)


def read_beside(workdir: str) -> Launched:
    """What was launched last with a workdir; errors as of `read`."""
    return read(folder_of(workdir))


def read(folder: pathlib.Path) -> Launched:
    """What was launched last, from its record.

    Raises:
      UserError: there is none, or it is damaged or of another version.
    """
    path = folder / RECORD
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Launched(record["on"], Job(**record["job"]), tuple(record["ids"]), folder)
    except FileNotFoundError as e:
        raise UserError(f"no {path}: nothing was launched with that --workdir from here") from e
    except (OSError, ValueError, TypeError, KeyError) as e:
        raise UserError(f"{path} is damaged or of another version ({e}); launch again") from e


def status(launched: Launched) -> str:
    """How a job stands, as its place tells it."""
    return find_place(launched.on).status(launched)


def logs(launched: Launched) -> str:
    """The end of each of its logs."""
    return find_place(launched.on).logs(launched)
