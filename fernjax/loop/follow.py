"""What follows a training's metrics as they are written: the progress, the mirrors, the run's own time."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ml_collections import ConfigDict

from fernjax.loop.mirrors import Mirrors
from fernjax.loop.progress import Progress
from fernjax.loop.workdir import Workdir

Tell = Callable[[Mapping[str, Any]], None]
"""Is told each line of a training's metrics."""


class Follower:
    """Follows the trainings of a run, one after the other.

    Args:
      config: of the run.
      work: its folder.
      progress: counts the steps.

    Raises:
      UserError: a mirror whose package is not installed.
    """

    def __init__(self, config: ConfigDict, work: Workdir, progress: Progress) -> None:
        self._every = config.train.log_every_steps
        self._work, self._progress = work, progress
        self._mirrors = Mirrors(config, work.path)

    def follow(self, directory: pathlib.Path, before: Callable[[], Mapping[str, float]]) -> Tell:
        """Follows the training in a folder of the run.

        Args:
          directory: the folder.
          before: other work that is done by the first line, by kind; asked for when it comes.
        """
        last: int | None = None

        def tell(line: Mapping[str, Any]) -> None:
            nonlocal last
            units: dict[str, float] = {}
            if last is None:
                units |= before()
                last = max(0, line["step"] - self._every)
                self._progress.skip({"step": last})  # what an earlier process did
            detail = f"step {line['step']}/{line['total_steps']} loss {line['loss']:.3f}"
            self._progress.count(units | {"step": line["step"] - last}, detail)
            last = line["step"]
            self._mirrors.write(str(directory.relative_to(self._work.path)), line)
            self._work.touch()  # so that a kill loses none of the time that the run has taken

        return tell

    def close(self) -> None:
        """No training follows."""
        self._mirrors.close()


@contextlib.contextmanager
def following(
    config: ConfigDict, work: Workdir, progress: Progress
) -> Iterator[Callable[[pathlib.Path], Tell]]:
    """A `Follower` for a run that compiles once; gives the function that follows the training in a folder."""
    follower = Follower(config, work, progress)

    def begun() -> dict[str, float]:
        return ({"compile": 1.0} if progress.expects("compile") else {}) | {"start": 1.0}

    try:
        yield lambda directory: follower.follow(directory, begun)
    finally:
        follower.close()
