"""What looks at a training's steps while they are taken: at those that went wrong, and at their time."""

from __future__ import annotations

import contextlib
import io
import logging
import pathlib

import jax
import numpy as np

from fernjax.model import processes
from fernjax.model.files import write_file
from fernjax.model.stream import Batch

MAX_SKIPPED_IN_ROW = 10
"""Steps in a row whose loss or gradient is not finite before training gives up."""

MAX_DUMPED = 10
"""Batches of skipped steps that a run keeps."""

PROFILE_AFTER = 5
"""Steps of a process before its profile begins: they compile."""

_log = logging.getLogger(__name__)


class DivergedError(Exception):
    """The loss or the gradient stayed infinite or not a number."""


class Watch:
    """Looks at each step's outcome one step later, so that one is in flight while the next is prepared.

    Args:
      directory: batches of skipped steps go to `skipped_batches` in it.
    """

    def __init__(self, directory: pathlib.Path) -> None:
        self._folder = directory / "skipped_batches"
        self._before: tuple[int, Batch, dict[str, jax.Array]] | None = None

    def look(self, step: int, batch: Batch, out: dict[str, jax.Array], last: bool) -> bool:
        """Whether to stop after this step, the first being step 1.

        Raises:
          DivergedError: too many steps in a row were skipped.
        """
        before, self._before = self._before, (step, batch, out)
        stop = before is not None and self._judge(*before)
        if last:
            stop |= self._judge(step, batch, out)
        return stop

    def _judge(self, step: int, batch: Batch, out: dict[str, jax.Array]) -> bool:
        in_row, stop = (int(x) for x in jax.device_get((out["skipped_in_row"], out["stop"])))
        if in_row and processes.is_first():
            self._dump(step, batch, float(out["loss"]))
        if in_row >= MAX_SKIPPED_IN_ROW:
            raise DivergedError(
                f"the loss was not finite for {in_row} steps in a row, the last of them step {step}; their "
                f"batches are in {self._folder}; lower config.train.peak_lr or set config.train.clip_norm"
            )
        return bool(stop)

    def _dump(self, step: int, batch: Batch, loss: float) -> None:
        path = self._folder / f"step_{step:08d}.npz"
        _log.warning(
            "step %d is skipped: its loss is %s or its gradient is not finite; see %s", step, loss, path
        )
        if path.exists() or len(list(self._folder.glob("*.npz"))) >= MAX_DUMPED:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        data = io.BytesIO()
        np.savez_compressed(data, allow_pickle=False, **batch)
        write_file(path, data.getvalue())


class Profile(contextlib.AbstractContextManager["Profile"]):
    """A trace of some steps, for TensorBoard's profiler or Perfetto.

    Args:
      directory: the trace goes to `profile` in it.
      start: steps taken before.
      steps: how many are traced, `PROFILE_AFTER` steps on; 0 for none.
    """

    def __init__(self, directory: pathlib.Path, start: int, steps: int) -> None:
        self._first = start + PROFILE_AFTER if steps else -1
        self._last = self._first + steps
        self._path = directory / "profile"
        self._running = False

    def count(self, done: int, out: dict[str, jax.Array]) -> None:
        """Begins or ends the trace behind a step."""
        if done == self._first:
            jax.block_until_ready(out)
            jax.profiler.start_trace(self._path)
            self._running = True
        elif done == self._last:
            jax.block_until_ready(out)
            self.__exit__()

    def __exit__(self, *_: object) -> None:
        if self._running:
            jax.profiler.stop_trace()
            self._running = False
            _log.warning("a profile is in %s", self._path)
