"""Runs in processes of their own: what one breaks, the others do not feel, and what ends us ends them too."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ml_collections import ConfigDict

from fernjax.loop import settings
from fernjax.loop.workdir import locked, read_object, refuse_other_config, write_json

LINES_KEPT = 20
"""Last lines of a process's progress that are kept where it failed."""


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a process of ours ended: its exit code, its seconds, and the last lines that it said."""

    code: int
    wall_s: float
    said: tuple[str, ...] = ()


Runner = Callable[[str, Sequence[str], Sequence[int]], Ended]
"""Runs a command line of ours to its end, under a name: `run_child`, or a test's."""


def run_child(name: str, arguments: Sequence[str], inherited: Sequence[int] = ()) -> Ended:
    """Runs `python -m fernjax ARGUMENTS...` in a process of its own.

    Args:
      name: stands before each line of its progress, which goes on to ours.
      arguments: the verb and its flags.
      inherited: file descriptors that it keeps.
    """
    began, last = time.monotonic(), collections.deque[str](maxlen=LINES_KEPT)
    process = subprocess.Popen(
        [sys.executable, "-m", "fernjax", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        pass_fds=inherited,
    )
    with _stopping_together(process):
        assert process.stderr is not None  # it is a pipe
        for line in process.stderr:
            last.append(line.rstrip("\n"))
            print(f"{name}: {line}", end="", file=sys.stderr, flush=True)
        code = process.wait()
    return Ended(code, round(time.monotonic() - began, 1), tuple(last))


def leave_devices() -> None:
    """Keeps this process, which starts others and computes nothing, off the chips that they need.

    Checking a config asks JAX for its devices, and a TPU has one owner, a GPU's memory one first taker.
    """
    import jax

    jax.config.update("jax_platforms", "cpu")


def _loop_is_done(folder: pathlib.Path) -> bool:
    place = folder / "run.json"
    return place.exists() and "finished_rounds" in read_object(place, ()) and _has_report(folder)


def _has_report(folder: pathlib.Path) -> bool:
    return (folder / "report.json").exists()


IS_DONE: Mapping[str, Callable[[pathlib.Path], bool]] = {
    "loop": _loop_is_done,
    "pretrain": _has_report,
    "world": _has_report,
}
"""Verbs of which many runs can be made, each with how its folder shows that it came to its end.

The loop writes its report after every round, so a report alone does not say so.
"""


@dataclasses.dataclass(frozen=True)
class Run:
    """One run of a verb, in a folder of its own.

    Attributes:
      folder: the verb's workdir. Beside it stands a hidden one, for what its own layout has no place for:
        the lock of whoever runs it, and how it failed.
      verb: one of `IS_DONE`.
      config: of the run.
    """

    folder: pathlib.Path
    verb: str
    config: ConfigDict

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def failure(self) -> pathlib.Path:
        return self.folder.with_name(f".{self.name}") / "failed.json"

    def state(self) -> str:
        """`done`, `failed` (the next attempt resumes it), `begun` or `to do`."""
        if IS_DONE[self.verb](self.folder):
            return "done"
        if self.failure.exists():
            return "failed"
        return "begun" if (self.folder / "run.json").exists() else "to do"

    def check(self) -> None:
        """Refuses a folder that was begun with another config.

        Raises:
          UserError: names the first key that differs.
        """
        if (self.folder / "run.json").exists():
            stored = read_object(self.folder / "config.json", ("domain", "seeds"))
            refuse_other_config(self.folder, stored, self.config)

    @contextlib.contextmanager
    def held(self) -> Iterator[int]:
        """Keeps other processes, on any machine that shares the folder, from running it too.

        Yields:
          The lock, for `take`: should this process be killed, the verb's keeps it until it ends as well.

        Raises:
          Held: one of them does.
        """
        with locked(self.failure.parent) as lock:
            yield lock

    def take(self, runner: Runner, lock: int) -> Ended | None:
        """Runs the verb to its end, or on to it, while it is `held` by a lock.

        Returns:
          How it ended; None where it was done before. `state()` then says whether it is done.
        """
        if self.state() == "done":
            return None
        self.check()
        if not (self.folder / "run.json").exists():
            # The verb takes its config from here, so a config file that is edited meanwhile changes no run.
            write_json(self.folder / "config.json", settings.to_json(self.config))
        ended = runner(self.name, [self.verb, f"--workdir={self.folder}"], [lock])
        if self.state() == "done":
            self.failure.unlink(missing_ok=True)
        else:
            write_json(self.failure, {"exit": ended.code, "wall_s": ended.wall_s, "said": list(ended.said)})
        return ended

    def report(self) -> dict[str, Any]:
        """The report of a run that is done."""
        return read_object(self.folder / "report.json", ())


@contextlib.contextmanager
def _stopping_together(process: subprocess.Popen[str]) -> Iterator[None]:
    """Whatever ends us ends the process too, which saves and can be resumed."""
    try:
        yield
    except BaseException:
        process.send_signal(signal.SIGTERM)
        process.communicate()  # what it still says is read, or a full pipe would keep it from ending
        raise
