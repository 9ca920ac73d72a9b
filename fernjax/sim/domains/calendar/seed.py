"""A believable calendar: what a person has had, has and will have around a day."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from fernjax.sim.agenda import Item, overlapping
from fernjax.sim.arguments import CLOCK_TEXT
from fernjax.sim.pools import pool
from fernjax.sim.recurrence import iso_date, next_occurrence, ordinal, weekday
from fernjax.sim.slots import DAY_MIN
from fernjax.sim.world import State

T = TypeVar("T")

SERIES = (
    ("standup", "weekdays", 9 * 60 + 15, 15, "team"),
    ("team sync", "weekly", 10 * 60, 60, "team"),
    ("one on one", "weekly", 14 * 60, 30, "person"),
    ("yoga class", "weekly", 18 * 60, 60, ""),
    ("piano lesson", "weekly", 17 * 60, 45, ""),
    ("choir practice", "weekly", 19 * 60, 90, ""),
    ("book club", "monthly", 19 * 60, 120, "group"),
    ("sprint planning", "biweekly", 11 * 60, 60, "team"),
    ("therapy", "biweekly", 16 * 60, 60, ""),
    ("farmers market", "weekends", 10 * 60, 60, ""),
    ("morning run", "daily", 6 * 60 + 30, 45, ""),
    ("budget review", "monthly", 15 * 60, 60, "team"),
)
ALL_DAY = frozenset("day vacation holiday trip leave staycation away birthday deadline".split())
"""Last words of titles of what lasts all day."""

WORK_STARTS = tuple(range(9 * 60, 17 * 60 + 30, 30))
LEISURE_STARTS = tuple(range(17 * 60 + 30, 21 * 60, 30))
LENGTHS = (30, 30, 45, 60, 60, 60, 90, 120)


def initial_state(rng: random.Random, now: str) -> State:
    """A seeded calendar of about a dozen events and a few reminders, two weeks back and three ahead.

    Args:
      rng: its only source of chance.
      now: ISO 8601 local time; becomes the state's clock.
    """
    today = ordinal(now[:10])
    if today is None:
        raise ValueError(f"now must be an ISO date and time, not {now!r}")
    events: list[Item] = []
    for title, recurrence, start, minutes, company in rng.sample(SERIES, 3):
        first = today - rng.randrange(7, 90)
        _add(events, rng, title, next_occurrence(first, recurrence, first) or first, start, minutes, company)
        if events and events[-1]["title"] == title:
            events[-1]["recurrence"] = recurrence
    nouns, names = pool("event_nouns"), pool("first_names")
    for _ in range(2):
        first = today + rng.randrange(-200, 165) - 365 * rng.randrange(3)
        event = _event(len(events), f"{_pick(rng, names)}'s birthday", first, "", DAY_MIN)
        event["recurrence"] = "yearly"
        events.append(event)
    for _ in range(rng.randrange(7, 11)):
        day = today + rng.randrange(-10, 21)
        work = weekday(day) < 5 and rng.random() < 0.6
        start = _pick(rng, WORK_STARTS if work else LEISURE_STARTS)
        company = _pick(rng, ("person", "team", "group", "") if work else ("person", "", ""))
        _add(events, rng, _pick(rng, nouns), day, start, _pick(rng, LENGTHS), company)
    reminders = [_reminder(rng, len(events) + n, today) for n in range(rng.randrange(3, 6))]
    count = len(events) + len(reminders)
    return {"now": now, "next_id": count + 1, "events": events, "reminders": reminders}


def _add(
    events: list[Item], rng: random.Random, title: str, day: int, start: int, minutes: int, company: str
) -> None:
    """Adds an event, unless its time is taken."""
    if title.rpartition(" ")[2] in ALL_DAY:
        events.append(_event(len(events), title, day, "", DAY_MIN))
        return
    at = day * DAY_MIN + start
    if overlapping(events, at, at + minutes):
        return
    event = _event(len(events), title, day, CLOCK_TEXT[start], minutes)
    if company == "team":
        event["attendees"] = ["team"]
    elif company == "person":
        event["attendees"] = [_pick(rng, pool("first_names"))]
    elif company == "group":
        event["attendees"] = [_pick(rng, pool("groups"))]
    if rng.random() < 0.4:
        event["location"] = _pick(rng, pool("places"))
    events.append(event)


def _event(index: int, title: str, day: int, start: str, minutes: int) -> Item:
    return {
        "id": f"e{index + 1}",
        "title": title,
        "date": iso_date(day),
        "start": start,
        "minutes": minutes,
        "attendees": [],
        "location": "",
        "recurrence": "",
        "skip": [],
    }


def _reminder(rng: random.Random, index: int, today: int) -> Item:
    return {
        "id": f"r{index + 1}",
        "title": _pick(rng, pool("tasks")),
        "date": iso_date(today + rng.randrange(1, 15)),
        "time": _pick(rng, ("", "08:00", "12:30", "17:00", "morning", "evening")),
        "minutes_before": 0,
        "recurrence": _pick(rng, ("", "", "", "weekly", "monthly")),
        "skip": [],
    }


def _pick(rng: random.Random, values: Sequence[T]) -> T:
    """A value drawn evenly; several times faster than `rng.choice`."""
    return values[int(rng.random() * len(values))]
