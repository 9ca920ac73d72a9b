"""Days and hours that lie behind, in words: when something was spent, bought, sent or written."""

from __future__ import annotations

import datetime
import random

from fernjax.sim.when.clocks import clock_words
from fernjax.sim.when.words import (
    DAY,
    MONTHS,
    SHORT_MONTHS,
    WEEKDAYS,
    Phrase,
    months_later,
    ordinal,
    spell,
    spell_ordinal,
)


def say_past_date(rng: random.Random, now: datetime.datetime, argument: str, bare: bool = False) -> Phrase:
    """One day up to today, with its preposition unless `bare`."""
    today = now.date()
    on = "" if bare else "on"
    kinds = ("yesterday", "today", "weekday", "last", "calendar", "ago")
    kind = rng.choices(kinds, (26, 14, 24, 12, 18, 6))[0]
    if kind in ("yesterday", "today"):
        day = today - DAY if kind == "yesterday" else today
        lead = "" if bare else rng.choice(("", "", "", "from", "for"))
        return [(lead, {}), (kind, {argument: [day.isoformat()]})]
    if kind in ("weekday", "last"):
        day = today - rng.randrange(1, 7) * DAY
        name, values = WEEKDAYS[day.weekday()], [day.isoformat()]
        if kind == "last":
            values.append((day - 7 * DAY).isoformat())
            return [("", {}), (f"last {name}", {argument: values})]
        return [(on, {}), (name, {argument: values})]
    if kind == "ago":
        back = rng.randrange(2, 7)
        words = f"{rng.choice((str(back), spell(back)))} days ago"
        return [("", {}), (words, {argument: [(today - back * DAY).isoformat()]})]
    day = today - rng.randrange(1, 300) * DAY
    return [(on, {}), (calendar_words(rng, day), {argument: [day.isoformat()]})]


def say_past_day(
    rng: random.Random, now: datetime.datetime, first: str, last: str, bare: bool = False
) -> Phrase:
    """One day up to today as a span of its own ("from yesterday"); today may leave its end out."""
    *lead, (words, said) = say_past_date(rng, now, first, bare)
    ends = [*said[first], ""] if words == "today" else list(said[first])
    return [*lead, (words, {first: said[first], last: ends})]


def say_since(rng: random.Random, now: datetime.datetime, argument: str) -> Phrase:
    """From a day that lies behind until now; the preposition is part of the words."""
    today = now.date()
    kind = rng.choice(("month", "month", "weekday", "last", "calendar", "yesterday", "last_month", "year"))
    if kind == "month":
        day = months_later(today, -rng.randrange(1, 11))
        words = MONTHS[day.month - 1]
    elif kind in ("weekday", "last"):
        day = today - rng.randrange(1, 7) * DAY
        words = WEEKDAYS[day.weekday()] if kind == "weekday" else f"last {WEEKDAYS[day.weekday()]}"
    elif kind == "calendar":
        day = today - rng.randrange(1, 200) * DAY
        words = calendar_words(rng, day)
    elif kind == "yesterday":
        day, words = today - DAY, "yesterday"
    elif kind == "last_month":
        day, words = months_later(today, -1), "last month"
    else:
        day, words = today.replace(month=1, day=1), "the beginning of the year"
    return [("", {}), (f"since {words}", {argument: [day.isoformat()]})]


def say_past_part(rng: random.Random, now: datetime.datetime, date: str, time: str) -> Phrase:
    """A day up to today and a part of it: "this morning", "last night", "monday morning"."""
    today = now.date()
    roll = rng.random()
    lead = rng.choice(("", "", "", "from"))
    if roll < 0.4:
        part = "morning" if now.hour < 13 or rng.random() < 0.5 else "afternoon"
        return [(lead, {}), (f"this {part}", {date: [today.isoformat()], time: [part]})]
    yesterday = (today - DAY).isoformat()
    if roll < 0.65:
        return [(lead, {}), ("last night", {date: [yesterday], time: ["night", "evening"]})]
    part = rng.choice(("morning", "morning", "afternoon", "evening"))
    if roll < 0.9:
        return [(lead, {}), (f"yesterday {part}", {date: [yesterday], time: [part]})]
    day = today - rng.randrange(1, 7) * DAY
    return [("on", {}), (f"{WEEKDAYS[day.weekday()]} {part}", {date: [day.isoformat()], time: [part]})]


def say_since_time(rng: random.Random, now: datetime.datetime, time: str) -> Phrase:
    """From a clock time of this day on: "since 8 am", "after noon"."""
    hour = rng.randrange(5, max(now.hour, 6) + 1)
    words, values = clock_words(rng, hour, rng.choice((0, 0, 0, 30)))
    return [("", {}), (f"{rng.choice(('since', 'since', 'after'))} {words}", {time: values})]


def say_recent(rng: random.Random, now: datetime.datetime, date: str, time: str) -> Phrase:
    """The last minutes or hours of this day: "in the last ten minutes", "over the past two hours"."""
    minutes = rng.choice((5, 10, 15, 20, 30, 45, 120, 180))
    start = now - datetime.timedelta(minutes=minutes)
    if start.date() != now.date():
        return say_past_part(rng, now, date, time)
    count, unit = (minutes // 60, "hours") if minutes > 60 else (minutes, "minutes")
    times = [f"{start:%H:%M}"]
    if unit == "hours":
        times.append(f"{start:%H}:00")  # hours may be meant as whole ones
    words = f"the {rng.choice(('last', 'last', 'past'))} {rng.choice((str(count), spell(count)))} {unit}"
    said = {date: [start.date().isoformat(), ""], time: list(dict.fromkeys(times))}
    return [(rng.choice(("in", "in", "within", "over", "from")), {}), (words, said)]


def calendar_words(rng: random.Random, day: datetime.date, plain: bool = False) -> str:
    """A month and a day of it; `plain` in this order and with the month's whole name."""
    m, d = MONTHS[day.month - 1], day.day
    forms = [f"{m} {d}", f"{m} {ordinal(d)}", f"{m} {spell_ordinal(d)}"]
    if not plain:
        forms += [f"the {ordinal(d)} of {m}", f"{SHORT_MONTHS[day.month - 1]} {d}", f"{m} {d}"]
    return rng.choice(forms)
