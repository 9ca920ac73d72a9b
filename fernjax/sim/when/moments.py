"""A day and a time of it as one value, in words: "friday at 3pm", "tomorrow morning"."""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence

from fernjax.sim.when.clocks import clock_words, draw_clock, duration_words, say_time_span
from fernjax.sim.when.days import say_date
from fernjax.sim.when.past import say_past_date
from fernjax.sim.when.past_spans import say_past_span
from fernjax.sim.when.spans import say_span
from fernjax.sim.when.words import Phrase, join

PART_HOURS = {
    "morning": ("09:00", "12:00"),
    "afternoon": ("12:00", "18:00"),
    "evening": ("18:00", "22:00"),
    "night": ("21:00", "23:59"),
}
"""From when to when a part of the day is, where an app asks for a clock time."""

DAY_BEGINS, DAY_ENDS = "00:00", "23:59"
"""The times of a day that is said without one, where it is the first and the last of a span."""


def say_moment(
    rng: random.Random,
    now: datetime.datetime,
    argument: str,
    back: bool = False,
    bare: bool = False,
    last: bool = False,
) -> Phrase:
    """A moment.

    Args:
      rng: decides everything.
      now: when it is said.
      argument: what it is for.
      back: it lies behind.
      bare: without its preposition ("until friday at five").
      last: it ends something, so that a day alone ends at 23:59.
    """
    kinds = ("day_clock", "clock_day", "part", "clock", "day", "ahead")
    kind = rng.choices(kinds, (46, 20, 12, 8, 8, 0 if back or last else 6))[0]
    lead, day, dates = _day(rng, now, argument, back, bare)
    if kind == "day":
        return [(lead, {}), (day, {argument: [f"{d}T{DAY_ENDS if last else DAY_BEGINS}" for d in dates]})]
    if kind == "ahead":
        later = now + datetime.timedelta(minutes=rng.choice((10, 15, 20, 30, 45, 60, 60, 90, 120, 180)))
        minutes = round((later - now).total_seconds() / 60)
        return [("", {}), (f"in {duration_words(rng, minutes)}", {argument: [f"{later:%Y-%m-%dT%H:%M}"]})]
    if kind == "part":
        return _part(rng, now, argument, back, last)
    words, clocks = clock_words(rng, *draw_clock(rng))
    if kind == "clock":
        on = now.date().isoformat()
        values = [f"{on}T{c}" for c in clocks if (c <= f"{now:%H:%M}") == back and c != f"{now:%H:%M}"]
        if values:
            return [("" if bare else "at", {}), (words, {argument: values})]
    values = [f"{d}T{c}" for d in dates for c in clocks]
    if kind == "clock_day":
        on = {"for": "on", "from": ""}.get(lead, lead)
        return [("" if bare else "at", {}), (join(words, on, day), {argument: values})]
    at = rng.choice(("at", "at", "at", "at", "")) if words not in ("noon", "midnight") else "at"
    return [(lead, {}), (join(day, at, words), {argument: values})]


def say_moment_span(
    rng: random.Random, now: datetime.datetime, first: str, last: str, reads: bool, back: bool
) -> Phrase:
    """From one moment to another: hours of a day, or several days."""
    if rng.random() < (0.8 if reads else 0.25):
        say = say_past_span if back else say_span
        *leads, (words, said) = say(rng, now, first, last)
        starts = [f"{d}T{DAY_BEGINS}" if d else "" for d in said.get(first, ())]
        ends = [f"{d}T{DAY_ENDS}" if d else "" for d in said.get(last, ())]
        return [*leads, (words, {first: starts, last: ends})]
    lead, day, dates = _day(rng, now, first, back, False)
    [*_, (hours, clocks)] = say_time_span(rng, first, last)
    said = {name: [f"{d}T{c}" for d in dates for c in clocks[name]] for name in (first, last)}
    if rng.random() < 0.6:
        return [(lead, {}), (join(day, hours), said)]
    return [("", {}), (join(hours, "" if lead == "from" else lead, day), said)]


def _day(
    rng: random.Random, now: datetime.datetime, argument: str, back: bool, bare: bool
) -> tuple[str, str, Sequence[str]]:
    """A preposition, a day in words, and the days that they may mean."""
    phrase = say_past_date(rng, now, argument, bare) if back else say_date(rng, now, argument, False, bare)
    lead = join(*(words for words, said in phrase if not said))
    words, said = next((w, s) for w, s in phrase if s)
    return lead, words, said[argument]


def _part(rng: random.Random, now: datetime.datetime, argument: str, back: bool, last: bool) -> Phrase:
    """A part of a day: "tomorrow morning", "last night", "friday evening"."""
    day = now.date()
    part = rng.choice(("morning", "morning", "afternoon", "evening", "evening"))
    step = datetime.timedelta(days=1)
    if rng.random() < 0.6:
        words, day = f"yesterday {part}" if back else f"tomorrow {part}", day - step if back else day + step
    else:
        gap = rng.randrange(1, 7)
        day = day - gap * step if back else day + gap * step
        words = f"{day:%A}".lower() + f" {part}"
    return [("", {}), (words, {argument: [f"{day}T{PART_HOURS[part][last]}"]})]
