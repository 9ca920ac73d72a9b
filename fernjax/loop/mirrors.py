"""Lines of `metrics.jsonl`, which stays the truth, in TensorBoard and in Weights & Biases too.

Both are extras. A mirror that fails never stops a training: it says so once and is left alone.
"""

from __future__ import annotations

import importlib
import logging
import pathlib
from collections.abc import Mapping
from typing import Any, Protocol

from ml_collections import ConfigDict

from fernjax.loop import settings
from fernjax.sim.types import UserError

_log = logging.getLogger(__name__)


class Mirror(Protocol):
    """Takes the lines of one training after the other."""

    def write(self, training: str, step: int, values: Mapping[str, float]) -> None:
        """Numbers of a line of the training in a folder of the workdir; a step may come twice."""

    def close(self) -> None:
        """Nothing more comes."""


class Mirrors:
    """All the mirrors that a config asks for.

    Args:
      config: `config.log` says which.
      workdir: of the run.

    Raises:
      UserError: one whose package is not installed.
    """

    def __init__(self, config: ConfigDict, workdir: pathlib.Path) -> None:
        self._mirrors: list[Mirror] = []
        if config.log.tensorboard:
            self._mirrors.append(_TensorBoard(workdir / "tensorboard"))
        if config.log.wandb_project:
            self._mirrors.append(_WandB(config, workdir))

    def write(self, training: str, line: Mapping[str, Any]) -> None:
        """A line of the metrics."""
        values = {k: float(v) for k, v in line.items() if isinstance(v, int | float) and k != "step"}
        for mirror in list(self._mirrors):
            try:
                mirror.write(training, int(line["step"]), values)
            except Exception as e:  # noqa: BLE001 (a network, a disk, a service: the training goes on)
                name = type(mirror).__name__.strip("_")
                _log.warning("%s failed (%s) and gets no more lines; metrics.jsonl has them all", name, e)
                self._mirrors.remove(mirror)

    def close(self) -> None:
        """Ends all."""
        for mirror in self._mirrors:
            mirror.close()


class _TensorBoard:
    """One event folder a training."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._make = _load("tensorboardX", "tensorboard").SummaryWriter
        self._folder, self._training = folder, ""
        self._writer: Any = None

    def write(self, training: str, step: int, values: Mapping[str, float]) -> None:
        if training != self._training:
            self.close()
            # Steps from here on, written before a kill, are of a past that is taken again.
            self._writer = self._make(str(self._folder / training), purge_step=step)
            self._training = training
        for name, value in values.items():
            self._writer.add_scalar(name, value, step)
        self._writer.flush()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._training, self._writer = "", None


class _WandB:
    """One W&B run a training, grouped by workdir; the same training resumes the same run."""

    def __init__(self, config: ConfigDict, workdir: pathlib.Path) -> None:
        self._wandb = _load("wandb", "wandb")
        self._config, self._workdir, self._training = config, workdir, ""
        self._run: Any = None

    def write(self, training: str, step: int, values: Mapping[str, float]) -> None:
        if training != self._training:
            self.close()
            self._run = self._wandb.init(
                project=self._config.log.wandb_project,
                group=self._workdir.resolve().name,
                name=training,
                id=f"{self._workdir.resolve().name}-{training}".replace("/", "-"),
                resume="allow",
                config=settings.to_json(self._config),
                dir=str(self._workdir),
            )
            self._training = training
        self._run.log(dict(values), step=step)

    def close(self) -> None:
        if self._run is not None:
            self._run.finish()
        self._training, self._run = "", None


def _load(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as e:
        raise UserError(
            f"{module} is not installed, which config.log asks for; "
            f"run `python -m pip install -e .[{extra}]`, or leave it off"
        ) from e
