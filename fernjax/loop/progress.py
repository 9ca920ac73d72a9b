"""Live progress and the time left, on stderr: one line that moves, or plain lines where it is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

PLAIN_EVERY_S = 10.0
"""Seconds between two plain lines of one stage."""


class Progress:
    """Counts units of work against a plan and tells how long the rest takes at the measured rates.

    Use as a context manager.

    Args:
      plan: units in all, by kind: `{"step": 3900, "sentence": 54000}`.
      seconds_per_unit: first guesses, used until a kind has been measured.
      stream: where it is shown; None shows nothing.
      clock: seconds.
    """

    def __init__(
        self,
        plan: Mapping[str, int],
        seconds_per_unit: Mapping[str, float],
        stream: TextIO | None = sys.stderr,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._left = dict(plan)
        self._guess = dict(seconds_per_unit)
        self._measured: dict[str, list[tuple[int, float]]] = {kind: [] for kind in plan}
        self._clock = clock
        self._began = self._mark = clock()
        self._stage, self._detail = "", ""
        self._said = -PLAIN_EVERY_S
        self._stream = stream
        self._live: Live | None = None
        if stream is not None and stream.isatty():
            self._live = Live(console=Console(file=stream), refresh_per_second=4, transient=True)

    def __enter__(self) -> Progress:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def stage(self, name: str) -> None:
        """Begins a stage; what was spent since the last count belongs to no unit."""
        self._stage, self._detail = name, ""
        self._mark = self._clock()
        self._said = -PLAIN_EVERY_S
        self._show()

    def count(self, kind: str, units: int, detail: str = "") -> None:
        """Counts finished units, done since the last call."""
        now = self._clock()
        self._measured[kind].append((units, now - self._mark))
        self._mark = now
        self.skip(kind, units)
        self._detail = detail or self._detail
        self._show()

    def skip(self, kind: str, units: int) -> None:
        """Units that need not be done (an earlier process did them, or their round fell away)."""
        self._left[kind] = max(0, self._left[kind] - units)

    def note(self, line: str) -> None:
        """A line that stays."""
        if self._live:
            self._live.console.print(Text(line))
        elif self._stream is not None:
            print(line, file=self._stream, flush=True)

    def seconds_left(self) -> float:
        """Of all kinds, at the rates measured so far."""
        return sum(left * self._rate(kind) for kind, left in self._left.items())

    def _rate(self, kind: str) -> float:
        # The first of a kind compiles; the guess is better, and so are the later ones.
        done, seconds = (
            map(sum, zip(*self._measured[kind][1:], strict=True)) if self._measured[kind][1:] else (0, 0)
        )
        return seconds / done if done else self._guess[kind]

    def _show(self) -> None:
        now = self._clock()
        line = f"{self._stage} {self._detail}".rstrip() + f"  [{_duration(now - self._began)} gone, "
        line += f"about {_duration(self.seconds_left())} left]"
        if self._live:
            self._live.update(Text(line))
        elif self._stream is not None and now - self._said >= PLAIN_EVERY_S:
            self._said = now
            print(line, file=self._stream, flush=True)


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
