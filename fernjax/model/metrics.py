"""`metrics.jsonl` of one training: means since the line before, one line each `log_every_steps`."""

from __future__ import annotations

import dataclasses
import json
import logging
import math
import pathlib
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import jax

from fernjax.model import devices
from fernjax.model.files import full_disk_told, read_jsonl, write_file

MUCH_REDRAWN = 0.02
"""Share of scenarios that cannot be encoded from which on a warning names why."""

TIMED = ("examples_per_s", "tokens_per_s", "mfu", "memory_bytes")
"""Keys of a line that another run of the same plan gives otherwise."""

Progress = Callable[[dict[str, Any]], None]
"""Told each line of the metrics with `total_steps` and `seconds_left` as it is written."""

_log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Work:
    """What a batch holds and costs.

    Attributes:
      examples: sentences.
      tokens: those that are not padding.
      flops: floating-point operations that training on these tokens needs, forwards and backwards, none for
        padding: the numerator of the model FLOPs utilisation (Chowdhery et al., "PaLM", 2022, appendix B).
    """

    examples: int
    tokens: int
    flops: float

    def __add__(self, other: Work) -> Work:
        return Work(self.examples + other.examples, self.tokens + other.tokens, self.flops + other.flops)


class Metrics:
    """Lines of the steps that this process takes, behind those of the processes before it.

    Args:
      path: the file; lines of steps after `start` are dropped, since those steps are taken again. None
        where another process writes it.
      start, total_steps: steps taken before, and in all.
      dtype: of the compute, for what the devices could do at best.
      on_progress: told each line.
      clock: seconds.
    """

    def __init__(
        self,
        path: pathlib.Path | None,
        start: int,
        total_steps: int,
        dtype: str,
        on_progress: Progress | None,
        clock: Callable[[], float],
    ) -> None:
        self._path, self._on_progress, self._clock = path, on_progress, clock
        self._start, self._total_steps, self._dtype = start, total_steps, dtype
        self._window: list[Mapping[str, jax.Array]] = []
        self._work = Work(0, 0, 0.0)
        self._redrawn, self._warned = 0.0, False
        self.last: dict[str, Any] = {}
        self.steps_here = 0
        if path is not None:
            kept = [line for line in read_jsonl(path) if line["step"] <= start]
            self.last = kept[-1] if kept else {}
            write_file(path, "".join(json.dumps(line) + "\n" for line in kept).encode("utf-8"))
        if start < total_steps:
            devices.peak_flops(dtype)  # measured on a CPU: before the clock runs
        self._began = self._window_began = clock()

    def add(self, out: Mapping[str, jax.Array], work: Work) -> None:
        """Counts a step, without waiting for it."""
        self._window.append(out)
        self._work += work
        self.steps_here += 1

    def note_redrawn(self, redrawn: Counter[str], examples: int) -> None:
        """Counts what of a block of so many examples had to be drawn again; warns once where it is much."""
        self._redrawn = redrawn.total() / (redrawn.total() + examples)
        if self._redrawn > MUCH_REDRAWN and not self._warned:
            self._warned = True
            reason, count = redrawn.most_common(1)[0]
            _log.warning(
                "%.0f%% of the training scenarios cannot be encoded and are drawn again; most often (%d): %s",
                100 * self._redrawn,
                count,
                reason,
            )

    def write(self, step: int, lr: Mapping[str, Any]) -> None:
        """A line of the steps since the line before.

        Args:
          step: steps taken.
          lr: learning rate of each rule in the last of them.

        Raises:
          UserError: the disk is full.
        """
        window = jax.device_get(self._window)
        now = self._clock()
        seconds = max(now - self._window_began, 1e-9)
        latest, work = window[-1], self._work
        line: dict[str, Any] = {"step": step}
        # Steps that were skipped are no part of a mean; `skipped` counts them, the trainer names them.
        line |= {name: _finite_mean([out[name] for out in window]) for name in latest}
        line |= {f"lr_{rule}": float(rate) for rule, rate in lr.items()}
        line["lr"] = line["lr_adamw"]
        line |= {"skipped": int(latest["skipped"]), "redrawn_share": round(self._redrawn, 5)}
        line["examples_per_s"] = round(work.examples / seconds, 1)
        line["tokens_per_s"] = round(work.tokens / seconds, 1)
        line["mfu"] = round(work.flops / seconds / devices.peak_flops(self._dtype), 4)
        line["memory_bytes"] = devices.memory_bytes()
        del line["skipped_in_row"], line["stop"]
        if self._path is not None:
            with full_disk_told(self._path), open(self._path, "a", encoding="utf-8") as f:
                f.write(json.dumps(line) + "\n")
        self.last = line
        self._window, self._window_began, self._work = [], now, Work(0, 0, 0.0)
        if self._on_progress is not None:
            left = (now - self._began) / self.steps_here * (self._total_steps - step)
            self._on_progress({**line, "total_steps": self._total_steps, "seconds_left": round(left, 1)})


def _finite_mean(values: list[Any]) -> float | None:
    finite = [float(v) for v in values if math.isfinite(float(v))]
    return sum(finite) / len(finite) if finite else None
