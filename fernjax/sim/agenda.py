"""Dated items, repeating or not: on which days they take place, and the time that they take.

An item is a JSON dict with `date` (first day, "" for undated), `recurrence` ("" for none) and `skip`
(`[[first, last], ...]`, ISO days on which it does not happen); one with `start` ("HH:MM" or "" for all day)
and `minutes` takes time. Days are ordinals, moments minutes since ordinal 0 (`fernjax.sim.slots`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from fernjax.sim.arguments import CLOCK, CLOCK_TEXT
from fernjax.sim.matching import tokens
from fernjax.sim.recurrence import iso_date, next_occurrence, ordinal
from fernjax.sim.slots import DAY_MIN, Interval

Item = dict[str, Any]

PARTS = {"morning": (360, 720), "afternoon": (720, 1020), "evening": (1020, 1320), "night": (1200, 1440)}
"""Span of each part of the day, in minutes after midnight, the end excluded."""


def next_day(item: Item, day: int) -> int | None:
    """First day on or after `day` on which the item begins; None where there is none."""
    first = ordinal(item["date"])
    if first is None:
        return None
    recurrence = item["recurrence"]
    if not recurrence:
        return first if first >= day else None
    if not item["skip"]:
        return next_occurrence(first, recurrence, day)
    found = next_occurrence(first, recurrence, day)
    for low, high in item["skip"]:  # sorted, so that one pass is enough
        if found is not None and low <= iso_date(found) <= high:
            found = next_occurrence(first, recurrence, (ordinal(high) or 0) + 1)
    return found


def days_within(item: Item, start: int, end: int, limit: int = 400) -> list[int]:
    """Days on which the item begins and that reach into `[start, end]`, at most `limit` of them."""
    minutes = item.get("minutes", 0)
    if minutes:
        start -= (CLOCK.get(item["start"], 0) + minutes - 1) // DAY_MIN
    if not item["recurrence"]:
        first = ordinal(item["date"])
        return [first] if first is not None and start <= first <= end else []
    days: list[int] = []
    day = next_day(item, start)
    while day is not None and day <= end and len(days) < limit:
        days.append(day)
        day = next_day(item, day + 1)
    return days


def touches(item: Item, start: int, end: int) -> bool:
    """Whether an occurrence reaches into the days `[start, end]`."""
    minutes = item.get("minutes", 0)
    if minutes > 60:  # a shorter one reaches into the next day only from its last hour
        start -= (CLOCK.get(item["start"], 0) + minutes - 1) // DAY_MIN
    elif minutes and item["start"] > "22:59":
        start -= (CLOCK[item["start"]] + minutes - 1) // DAY_MIN
    day = next_day(item, start) if item["recurrence"] else ordinal(item["date"])
    if day is not None and day < start:
        return False
    return day is not None and day <= end


def skipping(item: Item, start: int, end: int) -> Item:
    """The item without its occurrences that begin in `[start, end]`."""
    ranges = sorted([*item["skip"], [iso_date(start), iso_date(end)]])
    merged: list[list[str]] = []
    for low, high in ranges:
        if merged and (ordinal(low) or 0) <= (ordinal(merged[-1][1]) or 0) + 1:
            merged[-1] = [merged[-1][0], max(merged[-1][1], high)]
        else:
            merged.append([low, high])
    return {**item, "skip": merged}


def busy(events: Iterable[Item], start: int, end: int, exclude: str = "") -> list[Interval]:
    """Sorted intervals that timed events take on the days `[start, end]`, but for `exclude`."""
    found = overlapping(events, start * DAY_MIN, (end + 1) * DAY_MIN, exclude)
    return sorted(moments(event, day) for event, day in found)


def moments(event: Item, day: int) -> Interval:
    """The interval that a timed event takes where it begins on `day`."""
    start = day * DAY_MIN + CLOCK[event["start"]]
    return start, start + event["minutes"]


def overlapping(events: Iterable[Item], start: int, end: int, exclude: str = "") -> list[tuple[Item, int]]:
    """Timed events that touch the moments `[start, end)`, each with the day on which it begins there."""
    found = []
    for event in events:
        at = CLOCK.get(event["start"])
        if at is None:
            continue
        # it begins on a day of (start - at - minutes, end - at), in moments
        first, last = (start - at - event["minutes"]) // DAY_MIN + 1, (end - at - 1) // DAY_MIN
        if last < first or event["id"] == exclude:
            continue
        if not event["recurrence"]:  # most are single: spares the calls below
            day = ordinal(event["date"])
            if day is not None and first <= day <= last:
                found.append((event, day))
            continue
        day = next_day(event, first)
        while day is not None and day <= last:
            found.append((event, day))
            day = next_day(event, day + 1)
    return found


def show(item: Item, day: int | None) -> dict[str, Any]:
    """What an app shows of an item, on the day of one occurrence (None: its own date)."""
    date = item["date"] if day is None else iso_date(day)
    if "start" not in item:
        return {
            "id": item["id"],
            "kind": "reminder",
            "title": item["title"],
            "date": date,
            "time": item["time"],
            "minutes_before": item["minutes_before"],
            "recurrence": item["recurrence"],
        }
    start = item["start"]
    return {
        "id": item["id"],
        "kind": "event",
        "title": item["title"],
        "date": date,
        "start": start,
        "end": CLOCK_TEXT[(CLOCK[start] + item["minutes"]) % DAY_MIN] if start else "",
        "minutes": item["minutes"],
        "attendees": list(item["attendees"]),
        "location": item["location"],
        "recurrence": item["recurrence"],
    }


def clock(item: Item) -> int:
    """Minute of the day for sorting; what has none comes first, a part of the day at its start."""
    time = item["start"] if "start" in item else item["time"]
    return CLOCK[time] if time in CLOCK else PARTS[time][0] if time else 0


def around(item: Item) -> frozenset[str]:
    """Tokens of all that an item says: title, people, place."""
    people, place = item.get("attendees"), item.get("location")
    if not people and not place:
        return tokens(item["title"])
    return _said(item["title"], place or "", *(people or ()))


@functools.lru_cache(maxsize=1 << 14)
def _said(*texts: str) -> frozenset[str]:
    return frozenset().union(*map(tokens, texts))


def window(a: dict[str, Any]) -> Interval | None:
    """Minutes of the day that a look-up names; past midnight where the end is not after the start."""
    said, until = a.get("start_time", ""), a.get("end_time", "")
    if not said and not until:
        return None
    low, high = PARTS.get(said) or (CLOCK.get(said, 0), DAY_MIN)
    if until:
        high = PARTS[until][1] if until in PARTS else CLOCK[until]
    return low, high if high > low else high + DAY_MIN


def in_window(item: Item, hours: Interval) -> bool:
    """Whether a timed item touches those minutes of some day; either may run on past midnight."""
    if not (item["start"] if "start" in item else item["time"]):
        return False
    minutes = max(item.get("minutes", 1), 1)
    # minutes from the window's start back to the item's, on the clock's circle
    since = (hours[0] - clock(item)) % DAY_MIN
    return since < minutes or DAY_MIN - since < hours[1] - hours[0]


def next_moment(item: Item, today: int, minute: int) -> int | None:
    """Moment of the item's next occurrence from now on, or None."""
    day = next_day(item, today)
    if day == today and clock(item) < minute and item.get("start", item.get("time")) in CLOCK:
        day = next_day(item, today + 1)
    return None if day is None else day * DAY_MIN + clock(item)
