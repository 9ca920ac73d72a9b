"""Several days that lie behind, or have begun, in words.

A span that has not ended ("this month", "the past 30 days") may leave its end out.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable

from fernjax.sim.when.past import calendar_words
from fernjax.sim.when.words import DAY, MONTHS, WEEKDAYS, Phrase, months_later, spell


def say_past_span(rng: random.Random, now: datetime.datetime, first: str, last: str) -> Phrase:
    """Several days up to today: `first` and `last` are the arguments of the first and the last one."""
    say = rng.choices(tuple(_KINDS), tuple(_KINDS.values()))[0]
    return say(rng, now.date(), first, last)


def _last_week(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    words = rng.choice(("last week", "last week", "last week", "the past week", "the last week"))
    monday = today - DAY * today.weekday()
    return _span(rng, words, first, last, monday - 7 * DAY, monday - DAY)


def _last_month(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    words = rng.choice(("last month", "last month", "last month", "the past month", "the last month"))
    return _span(rng, words, first, last, months_later(today, -1), months_later(today, 0) - DAY)


def _last_year(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    words = rng.choice(("last year", "last year", "the past year"))
    start = datetime.date(today.year - 1, 1, 1)
    return _span(rng, words, first, last, start, start.replace(month=12, day=31))


def _this(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    monday, month, year = today - DAY * today.weekday(), months_later(today, 0), today.replace(month=1, day=1)
    units = (
        ("week", monday, monday + 6 * DAY),
        ("month", month, months_later(today, 1) - DAY),
        ("month", month, months_later(today, 1) - DAY),
        ("year", year, year.replace(month=12, day=31)),
    )
    unit, start, end = rng.choice(units)
    lead = rng.choice(("", "", "", "so far", "for", "in", "during"))
    ends = list(dict.fromkeys([end.isoformat(), today.isoformat()]))
    return [(lead, {}), (f"this {unit}", {first: [start.isoformat()], last: [*ends, ""]})]


def _days(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    n = rng.choice((2, 3, 5, 7, 10, 14, 20, 30, 30, 45, 60, 90))
    words = f"{rng.choice(('the past', 'the last', 'the past'))} {rng.choice((str(n), spell(n)))} days"
    starts = [(today - n * DAY).isoformat(), (today - (n - 1) * DAY).isoformat()]
    ends = [today.isoformat(), (today - DAY).isoformat(), ""]
    return [(rng.choice(("in", "over", "for", "from", "")), {}), (words, {first: starts, last: ends})]


def _months(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    n = rng.choice((2, 3, 3, 6, 6))
    words = f"{rng.choice(('the past', 'the last'))} {rng.choice((str(n), spell(n)))} months"
    return _span(rng, words, first, last, months_later(today, -n), months_later(today, 0) - DAY)


def _weekend(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    saturday = today - DAY * (today.weekday() + 2)
    words = rng.choice(("last weekend", "last weekend", "this past weekend"))
    return [("", {}), (words, {first: [saturday.isoformat()], last: [(saturday + DAY).isoformat()]})]


def _named(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    start = months_later(today, -rng.randrange(1, 12))
    words = MONTHS[start.month - 1]
    if rng.random() < 0.1:
        words += f" {start.year}"
    lead = rng.choice(("in", "in", "in", "for", "during", "back in"))
    return [(lead, {}), (words, {first: [start.isoformat()], last: [_month_end(start)]})]


def _months_between(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    n = rng.randrange(3, 11)
    start = months_later(today, -n)
    end = months_later(start, rng.randrange(1, min(n, 4)))
    form = rng.choice(("from {} to {}", "from {} through {}", "between {} and {}", "{} to {}"))
    words = form.format(MONTHS[start.month - 1], MONTHS[end.month - 1])
    return [("", {}), (words, {first: [start.isoformat()], last: [_month_end(end)]})]


def _weekdays(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    """Both within the last six days."""
    back = rng.randrange(2, 7)
    start = today - back * DAY
    end = start + rng.randrange(1, back) * DAY
    form = rng.choice(("from {} to {}", "between {} and {}", "from {} through {}", "from {} until {}"))
    words = form.format(WEEKDAYS[start.weekday()], WEEKDAYS[end.weekday()])
    return [("", {}), (words, {first: [start.isoformat()], last: [end.isoformat()]})]


def _dates(rng: random.Random, today: datetime.date, first: str, last: str) -> Phrase:
    start = today - rng.randrange(25, 250) * DAY
    end = start + rng.randrange(2, 16) * DAY
    form = rng.choice(("from {} to {}", "between {} and {}", "from {} through {}", "from {} until {}"))
    words = form.format(calendar_words(rng, start, plain=True), calendar_words(rng, end, plain=True))
    return [("", {}), (words, {first: [start.isoformat()], last: [end.isoformat()]})]


_Say = Callable[[random.Random, datetime.date, str, str], Phrase]
_KINDS: dict[_Say, int] = {
    _last_week: 18,
    _last_month: 22,
    _this: 20,
    _days: 9,
    _months: 5,
    _last_year: 5,
    _weekend: 4,
    _named: 10,
    _months_between: 3,
    _weekdays: 2,
    _dates: 4,
}
"""Kinds of span, by how often they are said."""

_IN = ("in", "in", "for", "during", "over", "")


def _span(
    rng: random.Random, words: str, first: str, last: str, start: datetime.date, end: datetime.date
) -> Phrase:
    leads = _IN if words.startswith("the ") else ("", "", "", "", "for", "from", "during")
    return [(rng.choice(leads), {}), (words, {first: [start.isoformat()], last: [end.isoformat()]})]


def _month_end(month: datetime.date) -> str:
    return (months_later(month, 1) - DAY).isoformat()
