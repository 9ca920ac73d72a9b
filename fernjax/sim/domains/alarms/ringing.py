"""When alarms and timers ring, and what the passing of time does to them.

A moment is seconds since ordinal day 0 (`fernjax.sim.recurrence.ordinal`), in a state ISO local time.
"""

from __future__ import annotations

import datetime
import functools
from typing import Any

from fernjax.sim.agenda import next_day, skipping
from fernjax.sim.arguments import CLOCK, CLOCK_TEXT
from fernjax.sim.recurrence import iso_date, next_occurrence
from fernjax.sim.world import State

Item = dict[str, Any]

DAY_S = 24 * 60 * 60

RING_S = 10 * 60
"""For how long a bell rings where nobody minds it."""

PARTS = {"morning": (240, 720), "afternoon": (720, 1020), "evening": (1020, 1320), "night": (1200, 1680)}
"""Span of each part of the day for an alarm, in minutes after midnight, the end excluded: one before dawn is
of the morning, and the night goes on past midnight."""

USUAL = {"morning": 7 * 60, "afternoon": 14 * 60, "evening": 19 * 60, "night": 22 * 60}
"""When an alarm rings that was set for a part of the day, in minutes after midnight."""


@functools.lru_cache(maxsize=1 << 14)
def seconds_of(iso: str) -> int:
    """The moment of an ISO 8601 local time, with or without seconds.

    Raises:
      ValueError: where it is none.
    """
    at = datetime.datetime.fromisoformat(iso)
    if at.tzinfo is not None:
        raise ValueError(f"not a local time: {iso!r}")
    return at.toordinal() * DAY_S + at.hour * 3600 + at.minute * 60 + at.second


@functools.lru_cache(maxsize=1 << 14)
def day_of(iso: str) -> int:
    """Ordinal of a day of the state, which may lie beyond the years that a call may name."""
    return datetime.date.fromisoformat(iso).toordinal()


@functools.lru_cache(maxsize=1 << 14)
def iso_of(moment: int) -> str:
    """ISO 8601 local time of a moment, with its seconds."""
    day, second = divmod(moment, DAY_S)
    return f"{iso_date(day)}T{CLOCK_TEXT[second // 60]}:{second % 60:02d}"


def next_ring(alarm: Item, after: int) -> int | None:
    """First moment after `after` at which an alarm rings, as planned or at its snooze's end; or None."""
    planned = planned_ring(alarm, after)
    if not alarm["snoozed"]:
        return planned
    snoozed = seconds_of(alarm["snoozed"])
    return snoozed if planned is None or snoozed < planned else planned


def planned_ring(alarm: Item, after: int) -> int | None:
    """First moment after `after` for which an alarm is set; None where there is none."""
    if not alarm["skip"]:
        return _planned(alarm["time"], alarm["date"], alarm["recurrence"], after)
    second = CLOCK[alarm["time"]] * 60
    found = next_day(alarm, (after - second) // DAY_S + 1)
    return None if found is None else found * DAY_S + second


@functools.lru_cache(maxsize=1 << 14)
def _planned(time: str, date: str, recurrence: str, after: int) -> int | None:
    second = CLOCK[time] * 60
    found = next_occurrence(day_of(date), recurrence, (after - second) // DAY_S + 1)
    return None if found is None else found * DAY_S + second


def rings_on(alarm: Item, day: int, after: int) -> bool:
    """Whether an alarm still rings on a day: it does so now, or will after the moment `after`."""
    if alarm["ringing"]:
        if day == after // DAY_S:
            return True
    elif alarm["snoozed"] and seconds_of(alarm["snoozed"]) // DAY_S == day:
        return True
    planned = planned_ring(alarm, max(after, day * DAY_S - 1))
    return planned is not None and planned // DAY_S == day


def advance(state: State, now: str) -> tuple[State, list[dict[str, str]]]:
    """The state once the clock shows `now`, and what rang until then.

    What rings goes on for `RING_S` seconds; then it falls silent, and what will not ring again is gone. Two
    steps of time do the same as one.

    Args:
      state: unchanged.
      now: ISO 8601 local time, not before the state's.

    Returns:
      The new state, and `{"id", "at"}` of each ring in order.

    Raises:
      ValueError: where `now` lies before the state's.
    """
    at, until = seconds_of(state["now"]), seconds_of(now)
    if until < at:
        raise ValueError(f"time does not run back from {state['now']} to {now}")
    rings: list[tuple[int, int, str]] = []
    kept: dict[str, list[Item]] = {"alarms": [], "timers": []}
    for key, items in kept.items():
        for item in state[key]:
            left, rang = _pass_time(item, at, until)
            rings += [(moment, int(item["id"][1:]), item["id"]) for moment in rang]
            if left is not None:
                items.append(left)
    shown = [{"id": name, "at": iso_of(moment)} for moment, _, name in sorted(rings)]
    return {**state, "now": iso_of(until), **kept}, shown


def _pass_time(item: Item, at: int, until: int) -> tuple[Item | None, list[int]]:
    """An alarm or timer at the moment `until`, None where it is over, and when it rang since `at`."""
    rang: list[int] = []
    while True:
        if item["ringing"]:
            end = seconds_of(item["ringing"]) + RING_S
            if end > until:
                return item, rang
            if "ends" in item:
                return None, rang
            item, at = silenced(item), end
        moment = seconds_of(item["ends"]) if "ends" in item else next_ring(item, at)
        if moment is None:
            return None, rang
        if moment > until:
            return item, rang
        rang.append(moment)
        item = {**item, "ringing": iso_of(moment)}
        if "ends" not in item:
            item["snoozed"] = ""
        at = moment


def silenced(item: Item) -> Item:
    """An alarm that no longer rings and is not snoozed."""
    return {**item, "ringing": "", "snoozed": ""}


def without_day(alarm: Item, day: int, now: int) -> Item:
    """A repeating alarm that stays silent on a day, and falls silent where it rings on it now."""
    if (
        alarm["ringing"]
        and day == now // DAY_S
        or alarm["snoozed"]
        and seconds_of(alarm["snoozed"]) // DAY_S == day
    ):
        alarm = silenced(alarm)
    return skipping(alarm, day, day)


def in_part(alarm: Item, part: str) -> bool:
    """Whether an alarm's time lies in a part of the day."""
    low, high = PARTS[part]
    return (CLOCK[alarm["time"]] - low) % (24 * 60) < high - low


def show_alarm(alarm: Item, now: int) -> dict[str, Any]:
    """What a clock shows of an alarm; `date` is the day of its next ring, or today while it rings."""
    if not alarm["recurrence"]:
        date = alarm["date"]
    elif alarm["ringing"]:
        date = alarm["ringing"][:10]
    else:
        moment = planned_ring(alarm, now)
        date = "" if moment is None else iso_date(moment // DAY_S)
    return {
        "id": alarm["id"],
        "label": alarm["title"],
        "time": alarm["time"],
        "date": date,
        "recurrence": alarm["recurrence"],
        "ringing": bool(alarm["ringing"]),
        "snoozed_until": alarm["snoozed"],
    }


def show_timer(timer: Item, now: int) -> dict[str, Any]:
    """What a clock shows of a timer; `remaining` counts seconds."""
    return {
        "id": timer["id"],
        "label": timer["title"],
        "seconds": timer["seconds"],
        "remaining": max(0, seconds_of(timer["ends"]) - now),
        "ringing": bool(timer["ringing"]),
    }
