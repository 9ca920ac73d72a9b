"""Several days, and days that repeat, in words."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable

from fernjax.sim.when.words import DAY, MONTHS, WEEKDAYS, Phrase, ordinal, spell


def say_span(rng: random.Random, now: datetime.datetime, first: str, last: str) -> Phrase:
    """Several days: `first` and `last` are the arguments of the first and the last one."""
    kind = rng.choices(tuple(_KINDS), _WEIGHTS)[0]
    return _KINDS[kind][1](rng, now.date(), first, last)


def _this_week(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    monday = _monday(today)
    lead = rng.choice(("", "", "for", "later"))
    return _both(lead, "this week", first, last, _clipped(monday, today), monday + 6 * DAY)


def _next_week(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    n = 7 if rng.random() < 0.93 else 14
    words = "next week" if n == 7 else "the week after next"
    monday = _monday(today) + n * DAY
    return _both(rng.choice(("", "", "for")), words, first, last, [monday.isoformat()], monday + 6 * DAY)


def _weekend(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    saturday = _monday(today) + 5 * DAY
    if today.weekday() == 6:  # "this weekend" said on its last day is half over
        kind = rng.choices(tuple(_KINDS), _WEIGHTS)[0]
        return _KINDS[kind][1](rng, today, first, last)
    if rng.random() >= 0.75:
        return _both("", "next weekend", first, last, [(saturday + 7 * DAY).isoformat()], saturday + 8 * DAY)
    words = rng.choice(("this weekend", "this weekend", "the weekend", "this coming weekend"))
    lead = rng.choice(("", "", "for") if words.startswith("this") else ("", "for", "over", "on"))
    return _both(lead, words, first, last, [saturday.isoformat()], saturday + DAY)


def _rest(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    lead = rng.choice(("for", "for", ""))
    unit, end = "week", _monday(today) + 6 * DAY
    if rng.random() >= 0.75:
        unit, end = "month", _month_end(today)
    starts = [today.isoformat(), (today + DAY).isoformat()]
    return _both(lead, f"the rest of the {unit}", first, last, starts, end)


def _from_to(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    a = rng.randrange(0, 5)
    b = rng.randrange(a + 1, 7)
    start = today + DAY * ((a - today.weekday() - 1) % 7 + 1)
    form = rng.choice(
        ("from {} to {}", "from {} through {}", "{} to {}", "between {} and {}", "from {} until {}")
    )
    words = form.format(WEEKDAYS[a], WEEKDAYS[b])
    return _both("", words, first, last, [start.isoformat()], start + (b - a) * DAY)


def _next_days(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    n = rng.randrange(2, 6)
    words = f"the next {rng.choice((str(n), spell(n)))} days"
    starts = [today.isoformat(), (today + DAY).isoformat()]
    phrase = _both(rng.choice(("", "for", "in", "over")), words, first, last, starts, today + n * DAY)
    phrase[-1][1][last].append((today + (n - 1) * DAY).isoformat())
    return phrase


def _dates(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    start = today + DAY * rng.randrange(2, 200)
    end = start + DAY * rng.randrange(1, 6)
    if start.month != end.month:
        end = start + DAY if (start + DAY).month == start.month else start - DAY
        start, end = min(start, end), max(start, end)
    m, a, b = MONTHS[start.month - 1], start.day, end.day
    words = rng.choice(
        (
            f"from {m} {a} to {b}",
            f"from {m} {ordinal(a)} to {m} {ordinal(b)}",
            f"from the {ordinal(a)} to the {ordinal(b)} of {m}",
            f"between {m} {a} and {m} {b}",
            f"{m} {a} to {b}",
            f"from the {ordinal(a)} through the {ordinal(b)} of {m}",
            f"{m} {a}-{b}",
        )
    )
    return _both("", words, first, last, [start.isoformat()], end)


def _this_month(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    return _month(rng, today, "month", first, last)


def _next_month(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    return _month(rng, today, "next_month", first, last)


def _named_month(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    return _month(rng, today, "named_month", first, last)


def _month(rng: random.Random, today: datetime.date, kind: str, first: str, last: str) -> Phrase:
    start = today.replace(day=1)
    if kind == "month":
        words, values = "this month", [today.isoformat(), start.isoformat()]
        lead = rng.choice(("", "", "for"))
    elif kind == "next_month":
        start = _month_end(today) + DAY
        words, values, lead = "next month", [start.isoformat()], rng.choice(("", "", "for", "in"))
    else:
        for _ in range(rng.randrange(1, 11)):
            start = _month_end(start) + DAY
        words, values, lead = MONTHS[start.month - 1], [start.isoformat()], rng.choice(("in", "in", "for"))
    return _both(lead, words, first, last, list(dict.fromkeys(values)), _month_end(start))


def _month_end(day: datetime.date) -> datetime.date:
    return (day.replace(day=28) + 4 * DAY).replace(day=1) - DAY


def _clipped(start: datetime.date, today: datetime.date) -> list[str]:
    return list(dict.fromkeys([max(start, today).isoformat(), start.isoformat()]))


def _both(lead: str, words: str, first: str, last: str, starts: list[str], end: datetime.date) -> Phrase:
    ends = [end.isoformat()]
    starts = [s for s in starts if s <= ends[0]]  # "the rest of the week", said on its last day
    if starts[0] == ends[0]:
        ends.append("")
    return [(lead, {}), (words, {first: starts, last: ends})]


def say_recurrence(rng: random.Random, now: datetime.datetime, argument: str, date: str) -> Phrase:
    """How something repeats; a named weekday also says a day."""
    roll = rng.random()
    if roll < 0.5:
        w = rng.randrange(7)
        day = now.date() + DAY * ((w - now.weekday() - 1) % 7 + 1)
        values = [day.isoformat(), "", now.date().isoformat() if day - now.date() == 7 * DAY else ""]
        on = rng.choice(("", "", "", "on"))
        if rng.random() < 0.8:
            every = rng.choice(("every", "every", "each", "every single"))
            return [(on, {}), (every, {argument: ["weekly"]}), (WEEKDAYS[w], {date: values})]
        return [
            (on, {}),
            (rng.choice(("every other", "every second")), {argument: ["biweekly"]}),
            (WEEKDAYS[w], {date: values}),
        ]
    words, value = rng.choice(
        (
            ("every day", "daily"),
            ("daily", "daily"),
            ("each day", "daily"),
            ("every single day", "daily"),
            ("every week", "weekly"),
            ("weekly", "weekly"),
            ("once a week", "weekly"),
            ("each week", "weekly"),
            ("every month", "monthly"),
            ("monthly", "monthly"),
            ("once a month", "monthly"),
            ("every year", "yearly"),
            ("yearly", "yearly"),
            ("annually", "yearly"),
            ("every weekday", "weekdays"),
            ("on weekdays", "weekdays"),
            ("every weekend", "weekends"),
            ("on weekends", "weekends"),
            ("every two weeks", "biweekly"),
            ("every other week", "biweekly"),
            ("biweekly", "biweekly"),
        )
    )
    return [("", {}), (words, {argument: [value]})]


def _monday(day: datetime.date) -> datetime.date:
    return day - DAY * day.weekday()


_Say = Callable[[random.Random, datetime.date, str, str], Phrase]
_KINDS: dict[str, tuple[int, _Say]] = {
    "week": (18, _this_week),
    "next_week": (20, _next_week),
    "weekend": (16, _weekend),
    "month": (10, _this_month),
    "next_month": (6, _next_month),
    "named_month": (7, _named_month),
    "rest": (8, _rest),
    "from_to": (8, _from_to),
    "next_n": (4, _next_days),
    "dates": (4, _dates),
}
"""Kinds of span: how often, and how they are said."""

_WEIGHTS = tuple(weight for weight, _ in _KINDS.values())
