"""When a calendar's event takes place: times as said, the first room in a part of the day, what to offer."""

from __future__ import annotations

import functools
from typing import Any

from fernjax.sim.agenda import PARTS, Item, busy, overlapping, show
from fernjax.sim.arguments import CLOCK, CLOCK_TEXT, Refused, invalid
from fernjax.sim.recurrence import iso_date, next_occurrence, ordinal
from fernjax.sim.slots import DAY_MIN, fit, free_gaps, nearest_starts
from fernjax.sim.types import Observation
from fernjax.sim.world import State

USUAL_START = {"morning": 540, "afternoon": 780, "evening": 1080, "night": 1200}
"""From where on room for an event is looked for in a part of the day."""

WAKING = (7 * 60, 22 * 60)
"""Hours within which free time is offered where no time is said."""

WORKDAY = (9 * 60, 18 * 60)
"""Hours in which an event with a length and no time is put."""

USUAL_MIN = 60

MAX_EVENT_MIN = 14 * DAY_MIN


def said_times(a: dict[str, Any]) -> tuple[int | None, int]:
    """Start (None: all day, or still to be placed) and length in minutes of an event to create."""
    said, until, length = a.get("start_time", ""), a.get("end_time", ""), a.get("duration_minutes")
    if length is not None and length > MAX_EVENT_MIN:
        raise Refused(invalid("duration_minutes", f"must be at most {MAX_EVENT_MIN}"))
    start = CLOCK.get(said)
    if not until:
        timed = said or (length is not None and length < DAY_MIN)
        return start, length or (USUAL_MIN if timed else DAY_MIN)
    end = CLOCK[until] if until in CLOCK else PARTS[until][1]
    if not said:
        length = length or USUAL_MIN
        return (end - length) % DAY_MIN, length
    if start is None:
        start = USUAL_START[said] if USUAL_START[said] < end else PARTS[said][0]
    between = (end - start) % DAY_MIN
    if between == 0:
        raise Refused(invalid("end_time", "is the same as start_time"))
    if length is not None and length != between:
        raise Refused(invalid("duration_minutes", f"does not agree with end_time ({between} minutes)"))
    return start, between


def first_day(a: dict[str, Any], today: int, still_today: bool) -> int:
    """Day of what is created: as said, else the next on which it can be, moved on to fit its recurrence."""
    day = ordinal(a["date"]) if "date" in a else None
    if day is None:
        day = today if still_today else today + 1
    recurrence = a.get("recurrence", "")
    return next_occurrence(day, recurrence, day) or day


def room(state: State, day: int, part: str, minutes: int, exclude: str) -> int:
    """First free start in a part of a day ("" for the working day), as minutes after midnight."""
    today, minute = now_of(state)
    low, high = PARTS.get(part, WORKDAY)
    usual = USUAL_START.get(part, low)
    if day == today and minute < high:
        low, usual = max(low, minute), max(usual, minute)
    base = day * DAY_MIN
    taken = busy(state["events"], day, day + (high + minutes) // DAY_MIN, exclude)
    for first in (usual, low):
        for gap in free_gaps(taken, base + first, base + high + minutes):
            start = fit(gap, minutes, gap[0] + -gap[0] % 15)
            if start is not None and start < base + high:
                return start - base
    raise Refused(_no_free_slot(state, base + usual, minutes, exclude))


def refuse_overlap(state: State, event: Item, day: int, exclude: str) -> None:
    if not event["start"]:
        return
    start = day * DAY_MIN + CLOCK[event["start"]]
    if overlapping(state["events"], start, start + event["minutes"], exclude):
        raise Refused(_no_free_slot(state, start, event["minutes"], exclude))


def _no_free_slot(state: State, start: int, minutes: int, exclude: str) -> Observation:
    events = state["events"]
    clashes = overlapping(events, start, start + minutes, exclude)
    return Observation(
        "no_free_slot",
        {"conflicts": [show(e, d) for e, d in clashes], "slots": offers(state, start, minutes, exclude)},
    )


def offers(state: State, start: int, minutes: int, exclude: str = "") -> list[dict[str, str]]:
    """The free slots nearest to a wished one, never one that has passed unless the wish has too."""
    today, minute = now_of(state)
    now = today * DAY_MIN + minute
    starts = nearest_starts(
        lambda day: busy(state["events"], day, day + 1 + minutes // DAY_MIN, exclude),
        start,
        minutes,
        WAKING,
        now if start >= now else 0,
        3,
    )
    return [slot(s, s + minutes) for s in starts]


def now_of(state: State) -> tuple[int, int]:
    """Today and the minute of the day."""
    return _moment(state["now"])


@functools.lru_cache(maxsize=1 << 10)
def _moment(now: str) -> tuple[int, int]:
    return day_of(now[:10]), CLOCK[now[11:16]]


def day_of(iso: str) -> int:
    return ordinal(iso) or 0


def slot(start: int, end: int) -> dict[str, str]:
    return {
        "date": iso_date(start // DAY_MIN),
        "start": CLOCK_TEXT[start % DAY_MIN],
        "end": CLOCK_TEXT[end % DAY_MIN],
    }
