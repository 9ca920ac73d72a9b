"""This machine: in the background, in one process or several, a sweep's points one after the other."""

from __future__ import annotations

import contextlib
import fcntl
import pathlib
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import IO

from fernjax.sim.types import UserError
from launch.job import Job
from launch.place import Launched, Rendered, tail
from launch.shell import AWAIT, lines, prepare, quote_command

TAKES: tuple[str, ...] = ("processes",)

SCRIPT, LOG, CODE, HELD = "job.sh", "job.log", "exit_code", "held"

STOPPED = 143

FREE_PORT = "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])"


def render(job: Job) -> Rendered:
    """The script, and the command that runs it."""
    return Rendered({SCRIPT: _script(job)}, (("bash", str(job.folder() / SCRIPT)),))


def submit(job: Job, rendered: Rendered, before: Launched | None) -> tuple[str, ...]:
    """The number of the process that runs the script."""
    folder = job.folder()
    with _lock(folder) as held:
        if held is None:
            raise UserError(f"it runs already, in process {before.ids[0] if before else '?'}; see --status")
        (folder / CODE).unlink(missing_ok=True)
        with open(folder / LOG, "ab") as log:
            process = subprocess.Popen(
                rendered.commands[0],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(held.fileno(),),  # held for as long as any process of the job lives
                start_new_session=True,
            )
    return (str(process.pid),)


def status(launched: Launched) -> str:
    """Whether it runs, and how it ended."""
    number, code = launched.ids[0], launched.folder / CODE
    with _lock(launched.folder) as held:
        if held is None:
            return f"process {number} runs"
    if not code.exists():
        return f"process {number} was killed; launch it again to go on"
    ended = int(code.read_text())
    if ended == STOPPED:
        return f"process {number} was stopped; launch it again to go on"
    return f"process {number} has ended with {ended}" + ("; --logs shows why" if ended else "")


def logs(launched: Launched) -> str:
    """The end of the log."""
    return tail([launched.folder / LOG])


@contextlib.contextmanager
def _lock(folder: pathlib.Path) -> Iterator[IO[str] | None]:
    """What a running job holds; None where one does."""
    with open(folder / HELD, "w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield held


def _script(job: Job) -> str:
    python = job.python or sys.executable
    points = " ".join(map(str, range(job.points))) if job.is_sweep() else "-"
    indices = " ".join(map(str, range(job.processes)))
    run = quote_command(job, python, point='"$point"')
    meet, place = None, ""
    if job.processes > 1:
        port = shlex.join([python, "-c", FREE_PORT])
        meet = f'  export JAX_COORDINATOR_ADDRESS="127.0.0.1:$({port})" JAX_NUM_PROCESSES={job.processes}'
        place = 'JAX_PROCESS_ID="$index" '
    return lines(
        "#!/bin/bash",
        f"cd {shlex.quote(job.directory)} || exit 1",
        f"ended={shlex.quote(str(job.folder() / CODE))}",
        """trap 'echo "$?" > "$ended"' EXIT""",
        "",
        AWAIT,
        "",
        "stopped= worst=0 children=()",
        """trap 'stopped=1; kill -TERM "${children[@]}" 2>/dev/null' TERM INT HUP""",
        prepare(job),
        f"for point in {points}; do",
        '  [ -z "$stopped" ] || break',
        "  children=()",
        meet,
        f"  for index in {indices}; do",
        f"    {place}{run} &",
        '    children+=("$!")',
        "  done",
        '  for child in "${children[@]}"; do',
        '    await "$child"',
        '    [ "$code" -eq 0 ] || worst=$code',
        "  done",
        "done",
        "# A run that is told to stop saves and ends with 0, which is not to count as done.",
        f'[ -z "$stopped" ] || worst={STOPPED}',
        'exit "$worst"',
    )
