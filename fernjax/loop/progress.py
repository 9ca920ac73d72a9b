"""Live progress and the time left, on stderr: one line that moves, or plain lines where it is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

PLAIN_EVERY_S = 10.0
"""Seconds between two plain lines of one stage."""


class Progress:
    """Follows a plan stage by stage and tells how long the rest takes at the rates measured so far.

    A kind of work that has not been measured yet takes its guess, times how much slower or faster than their
    guesses the measured ones were. Compiling is no measure of a machine's speed.

    Use as a context manager.

    Args:
      plan: the stages that are to be done, in their order, each a name and its units of work by kind:
        `("round 0: train", {"start": 1, "step": 720})`.
      seconds_per_unit: first guesses, for every kind.
      stream: where it is shown; None shows nothing.
      clock: seconds.
    """

    def __init__(
        self,
        plan: Sequence[tuple[str, Mapping[str, float]]],
        seconds_per_unit: Mapping[str, float],
        stream: TextIO | None = sys.stderr,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ahead = list(plan)
        self._now: dict[str, float] = {}  # what is left of the stage that runs
        self._guess = dict(seconds_per_unit)
        self._measured: dict[str, tuple[float, float]] = {}  # units and seconds by kind
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
        """Begins a stage: what the plan has before it is over, or fell away."""
        names = [planned for planned, _ in self._ahead]
        self._now = {}
        if name in names:
            at = names.index(name)
            self._now = dict(self._ahead[at][1])
            del self._ahead[: at + 1]
        self._stage, self._detail = name, ""
        self._mark = self._clock()
        self._said = -PLAIN_EVERY_S
        self._show()

    def count(self, units: Mapping[str, float], detail: str = "") -> None:
        """Counts work done since the last call, by kind.

        The first kind gets the time that the others, at their rates, leave of it.
        """
        now = self._clock()
        (first, *others), spent = units, now - self._mark
        for kind in others:
            spent -= units[kind] * self._rate(kind)
        done, seconds = self._measured.get(first, (0.0, 0.0))
        self._measured[first] = (done + units[first], seconds + max(0.0, spent))
        self._mark = now
        self.skip(units)
        self._detail = detail or self._detail
        self._show()

    def expects(self, kind: str) -> bool:
        """Whether some work of a kind is left in the stage that runs."""
        return self._now.get(kind, 0.0) > 0

    def skip(self, units: Mapping[str, float]) -> None:
        """Work of the stage that need not be done: an earlier process did it."""
        for kind, number in units.items():
            self._now[kind] = max(0.0, self._now.get(kind, 0.0) - number)

    def note(self, line: str) -> None:
        """A line that stays."""
        if self._live:
            self._live.console.print(Text(line))
        elif self._stream is not None:
            print(line, file=self._stream, flush=True)

    def seconds_left(self) -> float:
        """Of the stage that runs and of all after it."""
        works = [self._now, *(work for _, work in self._ahead)]
        return sum(units * self._rate(kind) for work in works for kind, units in work.items())

    def _rate(self, kind: str) -> float:
        done, seconds = self._measured.get(kind, (0.0, 0.0))
        return seconds / done if done else self._guess[kind] * self._slowness()

    def _slowness(self) -> float:
        """How many times its guess the work took that was measured."""
        measured = {kind: m for kind, m in self._measured.items() if kind != "compile"}
        guessed = sum(done * self._guess[kind] for kind, (done, _) in measured.items())
        return sum(seconds for _, seconds in measured.values()) / guessed if guessed else 1.0

    def _show(self) -> None:
        if not self._stage:
            return
        now = self._clock()
        line = f"{self._stage} {self._detail}".rstrip() + f"  [{_duration(now - self._began)} gone, "
        line += f"{_about(self.seconds_left())} left]"
        if self._live:
            self._live.update(Text(line))
        elif self._stream is not None and now - self._said >= PLAIN_EVERY_S:
            self._said = now
            print(line, file=self._stream, flush=True)


def _about(seconds: float) -> str:
    return "less than a minute" if seconds < 60 else f"about {_duration(seconds)}"


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
