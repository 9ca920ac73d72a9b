"""One day, in words."""

from __future__ import annotations

import datetime
import random

from fernjax.sim.when.words import (
    DAY,
    MONTHS,
    SHORT_DAYS,
    SHORT_MONTHS,
    WEEKDAYS,
    Phrase,
    join,
    ordinal,
    spell,
    spell_ordinal,
)


def draw_now(rng: random.Random) -> datetime.datetime:
    """A moment in office or evening hours, any day of 2024 to 2027."""
    day = datetime.date(2024, 1, 1) + DAY * rng.randrange(4 * 365)
    return datetime.datetime(
        day.year, day.month, day.day, rng.randrange(7, 22), rng.choice((0, 5, 12, 30, 47))
    )


def say_date(
    rng: random.Random, now: datetime.datetime, argument: str, reads: bool, new: bool = False
) -> Phrase:
    """One day, with its preposition; `new` leaves the preposition out ("to friday")."""
    today = now.date()
    kind = rng.choices(
        ("relative", "weekday", "calendar", "monthday", "ahead", "next_week", "past", "holiday"),
        (30, 27, 24, 7, 5, 4, 3 if reads else 0, 2),
    )[0]
    on = "" if new else "on"
    if kind == "relative":
        return _relative(rng, today, argument, new)
    if kind == "weekday":
        return _weekday(rng, today, argument, on)
    if kind == "calendar":
        day = today + DAY * rng.randrange(1, 330)
        if reads and rng.random() < 0.06:
            day = today - DAY * rng.randrange(1, 12)
        return _calendar(rng, today, day, argument, on, reads)
    if kind == "monthday":
        day = today + DAY * rng.randrange(1, 26)
        n = day.day
        words = rng.choice((ordinal(n), ordinal(n), spell_ordinal(n)))
        return [(join(on, "the"), {}), (words, {argument: [day.isoformat()]})]
    if kind == "ahead":
        return _ahead(rng, today, argument)
    if kind == "next_week":
        w = rng.randrange(7)
        day = today - DAY * today.weekday() + DAY * (7 + w)
        words = rng.choice(
            (f"{WEEKDAYS[w]} next week", f"{WEEKDAYS[w]} of next week", f"next week {WEEKDAYS[w]}")
        )
        return [
            (rng.choice((on, "")) if not words.startswith("next") else "", {}),
            (words, {argument: [day.isoformat()]}),
        ]
    if kind == "past":
        if rng.random() < 0.6:
            return [("", {}), ("yesterday", {argument: [(today - DAY).isoformat()]})]
        w = rng.randrange(7)
        day = today - DAY * ((today.weekday() - w - 1) % 7 + 1)
        return [("", {}), ("last " + WEEKDAYS[w], {argument: [day.isoformat()]})]
    name, month, dom = rng.choice(_HOLIDAYS)
    day = datetime.date(today.year, month, dom)
    if day < today:
        day = day.replace(year=today.year + 1)
    return [(rng.choice((on, on, "for")) if not new else "", {}), (name, {argument: [day.isoformat()]})]


_HOLIDAYS = (
    ("christmas", 12, 25),
    ("christmas day", 12, 25),
    ("christmas eve", 12, 24),
    ("new year's eve", 12, 31),
    ("new year's day", 1, 1),
    ("valentine's day", 2, 14),
    ("halloween", 10, 31),
    ("boxing day", 12, 26),
)


def _relative(rng: random.Random, today: datetime.date, argument: str, new: bool) -> Phrase:
    roll = rng.random()
    if roll < 0.52:
        words = "tomorrow" if rng.random() < 0.95 else rng.choice(("tmrw", "tomorow"))
        return [
            ("for" if rng.random() < 0.12 and not new else "", {}),
            (words, {argument: [(today + DAY).isoformat()]}),
        ]
    if roll < 0.92:
        return [
            ("for" if rng.random() < 0.15 and not new else "", {}),
            ("today", {argument: [today.isoformat()]}),
        ]
    words = rng.choice(("day after tomorrow", "the day after tomorrow"))
    return [("", {}), (words, {argument: [(today + 2 * DAY).isoformat()]})]


def _weekday(rng: random.Random, today: datetime.date, argument: str, on: str) -> Phrase:
    w = rng.randrange(7)
    day = today + DAY * ((w - today.weekday() - 1) % 7 + 1)
    name = WEEKDAYS[w] if rng.random() < 0.9 else SHORT_DAYS[w]
    roll = rng.random()
    if roll < 0.62:
        lead = on if rng.random() < 0.72 else ("for" if on and rng.random() < 0.4 else "")
        return [(lead, {}), (name, {argument: [day.isoformat()]})]
    if roll < 0.76:
        values = [day.isoformat()]
        if day - today == 7 * DAY:
            values.append(today.isoformat())
        lead = rng.choice(("", "", on))
        return [(lead, {}), ("this " + name, {argument: values})]
    if roll < 0.9:
        values = [day.isoformat(), (day + 7 * DAY).isoformat()]
        return [("", {}), ("next " + name, {argument: values})]
    if roll < 0.95:
        day += 7 * DAY * rng.randrange(0, 3)
        return [(on, {}), (f"{name} the {ordinal(day.day)}", {argument: [day.isoformat()]})]
    return [(join(on, "the"), {}), ("coming " + name, {argument: [day.isoformat()]})]


def _calendar(
    rng: random.Random, today: datetime.date, day: datetime.date, argument: str, on: str, reads: bool
) -> Phrase:
    m, d = MONTHS[day.month - 1], day.day
    short = SHORT_MONTHS[day.month - 1]
    forms = (
        (f"{m} {d}", "", 6),
        (f"{m} {ordinal(d)}", "", 7),
        (f"{m} {spell_ordinal(d)}", "", 4),
        (f"{m} {spell(d)}", "", 4),
        (f"{ordinal(d)} of {m}", "the", 4),
        (f"{spell_ordinal(d)} of {m}", "the", 3),
        (f"{d} {m}", "", 2),
        (f"{short} {d}", "", 2),
        (f"{short} {ordinal(d)}", "", 1),
        (f"{ordinal(d)} {m}", "", 1),
        (f"{m} the {ordinal(d)}", "", 1),
        (f"{day.month}/{d}", "", 1),
        (f"{m} {d} {day.year}", "", 0.6),
        (f"{m} {ordinal(d)}, {day.year}", "", 0.5),
        (day.isoformat(), "", 0.3),
    )
    words, article, _ = rng.choices(forms, [f[2] for f in forms])[0]
    values = [day.isoformat()]
    if str(day.year) not in words:
        if day < today:
            values.append(_next_year(day))
        elif reads and (day - datetime.timedelta(days=365) - today).days > -15:
            values.append(
                day.replace(year=day.year - 1).isoformat() if (day.month, day.day) != (2, 29) else ""
            )
    lead = on if rng.random() < 0.75 else ("for" if on and rng.random() < 0.6 else "")
    return [(join(lead, article), {}), (words, {argument: [v for v in values if v]})]


def _next_year(day: datetime.date) -> str:
    return "" if (day.month, day.day) == (2, 29) else day.replace(year=day.year + 1).isoformat()


def _ahead(rng: random.Random, today: datetime.date, argument: str) -> Phrase:
    roll = rng.random()
    if roll < 0.4:
        n = rng.randrange(2, 6)
        return [
            ("", {}),
            (f"in {rng.choice((str(n), spell(n)))} days", {argument: [(today + n * DAY).isoformat()]}),
        ]
    if roll < 0.7:
        n = rng.randrange(1, 4)
        unit = "a week" if n == 1 else f"{rng.choice((str(n), spell(n)))} weeks"
        return [("", {}), (f"in {unit}", {argument: [(today + 7 * n * DAY).isoformat()]})]
    if roll < 0.85:
        return [("", {}), ("a week from today", {argument: [(today + 7 * DAY).isoformat()]})]
    w = rng.randrange(7)
    day = today + DAY * ((w - today.weekday() - 1) % 7 + 8)
    return [("", {}), (f"a week from {WEEKDAYS[w]}", {argument: [day.isoformat()]})]
