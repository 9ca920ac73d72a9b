"""Days on which something that repeats takes place.

Days are proleptic ordinals (`datetime.date.toordinal`): comparing and adding them costs nothing. A month
that is too short for the day takes its last day (the 31st falls on April 30th), and February 29th falls on
the 28th in a common year, as calendar apps do.
"""

from __future__ import annotations

import datetime
import functools

FIRST_YEAR, LAST_YEAR = 900, 9100
"""Years that apps accept: all that is near a moment at which sentences are read, which lies in the years
1000 to 9000. Inside them no date arithmetic overflows."""


@functools.lru_cache(maxsize=1 << 16)
def ordinal(iso: str) -> int | None:
    """Ordinal of a `YYYY-MM-DD`, or None where it is no such date or lies outside the accepted years."""
    if len(iso) != 10 or not iso.isascii() or iso[4] != "-" or iso[7] != "-":
        return None
    try:
        day = datetime.date.fromisoformat(iso)
    except ValueError:
        return None
    return day.toordinal() if FIRST_YEAR <= day.year <= LAST_YEAR else None


@functools.lru_cache(maxsize=1 << 16)
def iso_date(day: int) -> str:
    """`YYYY-MM-DD` of an ordinal."""
    return datetime.date.fromordinal(day).isoformat()


def weekday(day: int) -> int:
    """0 for Monday to 6 for Sunday."""
    return (day + 6) % 7


def next_occurrence(first: int, recurrence: str, day: int) -> int | None:
    """First occurrence on or after `day` of what begins on `first`; None where there is none.

    Args:
      first: day from which on it takes place.
      recurrence: one of `fernjax.sim.tools.RECURRENCES`, or "" for a single day.
      day: ordinal.
    """
    if not recurrence:
        return first if first >= day else None
    start = day if day > first else first
    if recurrence == "daily":
        return start
    if recurrence == "weekdays":
        late = (start + 6) % 7
        return start if late < 5 else start + 7 - late
    if recurrence == "weekends":
        late = (start + 6) % 7
        return start if late >= 5 else start + 5 - late
    if recurrence == "weekly":
        return start + (first - start) % 7
    if recurrence == "biweekly":
        return start + (first - start) % 14
    return _next_by_month(first, recurrence == "yearly", start)


def occurs(first: int, recurrence: str, day: int) -> bool:
    """Whether it takes place on `day`."""
    return next_occurrence(first, recurrence, day) == day


def occurrences(first: int, recurrence: str, start: int, end: int, limit: int = 10_000) -> list[int]:
    """Days of `[start, end]` (both included) on which it takes place, at most `limit` of them."""
    if not recurrence:
        return [first] if start <= first <= end else []
    days: list[int] = []
    day = next_occurrence(first, recurrence, start)
    while day is not None and day <= end and len(days) < limit:
        days.append(day)
        day = next_occurrence(first, recurrence, day + 1)
    return days


@functools.lru_cache(maxsize=1 << 16)
def _next_by_month(first: int, yearly: bool, start: int) -> int:
    origin, at = datetime.date.fromordinal(first), datetime.date.fromordinal(start)
    year, month = at.year, origin.month if yearly else at.month
    day = _clipped(year, month, origin.day)
    if day >= start:
        return day
    if yearly:
        return _clipped(year + 1, month, origin.day)
    return _clipped(year + month // 12, month % 12 + 1, origin.day)


def _clipped(year: int, month: int, day: int) -> int:
    """Ordinal of that day, or of the month's last where the month is shorter."""
    first = datetime.date(year, month, 1).toordinal()
    after = datetime.date(year + month // 12, month % 12 + 1, 1).toordinal()
    return min(first + day - 1, after - 1)
