"""Pieces of shell scripts that several places share."""

from __future__ import annotations

import shlex

from launch.job import Job

AWAIT = """\
await() {  # the process $1 to its end, through signals; its exit code is in $code
  wait "$1"
  while kill -0 "$1" 2>/dev/null; do wait "$1"; done
  wait "$1"
  code=$?
}"""
"""bash runs a trap only after a child in the foreground has ended: so it is awaited in the background."""


def quote_command(job: Job, python: str, workdir: str = "", point: str = "") -> str:
    """The run as one line of shell.

    Args:
      job: what is run.
      python: the interpreter.
      workdir: in place of the job's.
      point: shell that gives a sweep's point, such as `"$SLURM_ARRAY_TASK_ID"`.
    """
    line = shlex.join([python, *job.arguments(workdir)])
    return f"{line} --point={point}" if job.is_sweep() else line


def prepare(job: Job, otherwise: str | None = None) -> str | None:
    """The job's own commands before the run, or others; where they fail nothing is run."""
    commands = job.setup or otherwise
    return None if commands is None else f"{{\n{commands}\n}} || exit 1"


def lines(*parts: str | None) -> str:
    """A script of those parts that are there."""
    return "\n".join(part for part in parts if part is not None) + "\n"
