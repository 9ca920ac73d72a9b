"""Free and taken time. Moments are minutes since ordinal day 0: `day * 1440 + minute of the day`."""

from __future__ import annotations

from collections.abc import Callable

DAY_MIN = 24 * 60
GRID_MIN = 15
"""Suggested starts lie on quarters of an hour where there is room."""

Interval = tuple[int, int]
"""`[start, end)` in minutes."""


def free_gaps(busy: list[Interval], start: int, end: int) -> list[Interval]:
    """Stretches of `[start, end)` that no busy interval touches.

    Args:
      busy: sorted by start; may overlap and stick out.
    """
    gaps = []
    at = start
    for taken, until in busy:
        if taken >= end:
            break
        if taken > at:
            gaps.append((at, taken))
        if until > at:
            at = until
    if at < end:
        gaps.append((at, end))
    return gaps


def fit(gap: Interval, minutes: int, wish: int) -> int | None:
    """The start in a gap nearest to a wished one, on the grid where possible; None where none fits."""
    first, last = gap[0], gap[1] - minutes
    if last < first:
        return None
    if first <= wish <= last:
        return wish
    if wish > last:
        on_grid = last - last % GRID_MIN
        return on_grid if on_grid >= first else first
    on_grid = first + -first % GRID_MIN
    return on_grid if on_grid <= last else first


def nearest_starts(
    busy_of: Callable[[int], list[Interval]],
    wish: int,
    minutes: int,
    window: Interval,
    after: int,
    count: int,
) -> list[int]:
    """Up to `count` free starts, those on the wished day first by nearness, then those of the days after it.

    Args:
      busy_of: sorted busy intervals that touch a day (and the day after it, where `minutes` reach there).
      wish: wished start.
      minutes: length.
      window: minutes of a day within which to suggest; widened to hold the wish itself.
      after: nothing is suggested that starts before this moment.
      count: how many.
    """
    at, day = wish % DAY_MIN, wish // DAY_MIN
    low, high = min(window[0], at), max(window[1], min(at + minutes, DAY_MIN))
    if minutes > high - low:
        low, high = 0, DAY_MIN
    starts: list[int] = []
    for offset in range(8 if minutes <= DAY_MIN else 0):
        base = (day + offset) * DAY_MIN
        gaps = free_gaps(busy_of(day + offset), max(base + low, after), base + high)
        fits = (fit(gap, minutes, base + at) for gap in gaps)
        starts += sorted((s for s in fits if s is not None), key=lambda s: (abs(s - base - at), s))
        if len(starts) >= count:
            break
    return starts[:count]
