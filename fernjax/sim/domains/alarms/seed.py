"""A believable clock: what a person has set, and what may just be ringing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from fernjax.sim.arguments import CLOCK_TEXT
from fernjax.sim.domains.alarms.pools import ALARM_NOUNS, ALARM_TASKS, TIMER_NOUNS
from fernjax.sim.domains.alarms.ringing import DAY_S, Item, advance, iso_of, seconds_of
from fernjax.sim.recurrence import iso_date, next_occurrence
from fernjax.sim.world import State

T = TypeVar("T")

SERIES = (
    ("", "weekdays", (360, 375, 390, 400, 405, 420, 430, 450)),
    ("work", "weekdays", (345, 360, 390, 415)),
    ("", "weekends", (480, 510, 525, 540, 570)),
    ("gym", "weekly", (330, 350, 1050, 1080)),
    ("medication", "daily", (480, 1200, 1260, 1290)),
    ("school run", "weekdays", (465, 480, 490)),
    ("yoga", "weekly", (390, 1080, 1110)),
    ("trash day", "weekly", (420, 1200)),
    ("church", "weekly", (510, 540)),
    ("bedtime", "daily", (1290, 1320, 1350)),
    ("nap", "weekends", (780, 810, 840)),
    ("rent", "monthly", (540, 600)),
    ("", "daily", (405, 420, 435)),
)
SINGLE_TIMES = tuple(range(300, 600, 15)) + tuple(range(600, 1380, 30))
LENGTHS_S = (60, 90, 180, 240, 300, 420, 600, 600, 720, 900, 1200, 1500, 1800, 2700, 3600, 5400, 7200)
BEFORE_S = 30 * 60
"""The clock of a seeded state has run this long, so that what is due rings."""


def initial_state(rng: random.Random, now: str) -> State:
    """A seeded clock of three to eight alarms and up to three timers; in about a third an alarm rings.

    Args:
      rng: its only source of chance.
      now: ISO 8601 local time; becomes the state's clock.

    Raises:
      ValueError: where `now` is no such time.
    """
    end = seconds_of(now)
    start = end - BEFORE_S
    today = end // DAY_S
    alarms: list[Item] = []
    for title, recurrence, times in rng.sample(SERIES, 2 + (rng.random() < 0.5)):
        first = today - int(rng.random() * 90)
        first = next_occurrence(first, recurrence, first) or first
        alarms.append(_alarm(len(alarms), title, first, _pick(rng, times), recurrence))
    for _ in range(1 + int(rng.random() * 4)):
        day = today + int(rng.random() * rng.random() * 8)
        label = _pick(rng, ALARM_NOUNS if rng.random() < 0.7 else ALARM_TASKS) if rng.random() < 0.6 else ""
        alarms.append(_alarm(len(alarms), label, day, _pick(rng, SINGLE_TIMES), ""))
    roll, late = rng.random(), None
    if roll < 0.5:  # one went off a while ago: it still rings, or is snoozed
        ago = int(rng.random() * 9) if roll < 0.35 else 12 + int(rng.random() * 15)
        day, second = divmod(end - ago * 60, DAY_S)
        label = _pick(rng, ALARM_NOUNS) if rng.random() < 0.5 else ""
        late = _alarm(len(alarms), label, day, second // 60, _pick(rng, ("", "", "daily")))
        alarms.append(late)
    timers = [_timer(rng, len(alarms) + n, end) for n in range(int(rng.random() * 4))]
    state: State = {
        "now": iso_of(start),
        "next_id": len(alarms) + len(timers) + 1,
        "alarms": alarms,
        "timers": timers,
    }
    state = advance(state, iso_of(end))[0]
    if late is not None and roll >= 0.35:
        late = {**late, "snoozed": iso_of(end + 60 + int(rng.random() * 9) * 60)}
        state["alarms"] = [a for a in state["alarms"] if a["id"] != late["id"]] + [late]
    state["alarms"].sort(key=lambda a: (a["time"], int(a["id"][1:])))
    state["timers"].sort(key=lambda t: (t["ends"], int(t["id"][1:])))
    return {**state, "now": now}


def _alarm(index: int, title: str, day: int, minute: int, recurrence: str) -> Item:
    return {
        "id": f"a{index + 1}",
        "title": title,
        "time": CLOCK_TEXT[minute],
        "date": iso_date(day),
        "recurrence": recurrence,
        "skip": [],
        "ringing": "",
        "snoozed": "",
    }


def _timer(rng: random.Random, index: int, now: int) -> Item:
    """A timer that has run for a while; one in ten has just ended."""
    seconds = _pick(rng, LENGTHS_S)
    left = 1 + int(rng.random() * (seconds - 1)) if rng.random() < 0.9 else -int(rng.random() * 120)
    return {
        "id": f"t{index + 1}",
        "title": _pick(rng, TIMER_NOUNS) if rng.random() < 0.6 else "",
        "seconds": seconds,
        "ends": iso_of(now + left),
        "ringing": "",
    }


def _pick(rng: random.Random, values: Sequence[T]) -> T:
    """A value drawn evenly; several times faster than `rng.choice`."""
    return values[int(rng.random() * len(values))]
