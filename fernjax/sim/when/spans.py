"""Several days, and days that repeat, in words."""

from __future__ import annotations

import datetime
import random

from fernjax.sim.when.words import DAY, MONTHS, WEEKDAYS, Phrase, ordinal, spell


def say_span(rng: random.Random, now: datetime.datetime, first: str, last: str) -> Phrase:
    """Several days: `first` and `last` are the arguments of the first and the last one."""
    today = now.date()
    monday = today - DAY * today.weekday()
    kind = rng.choices(
        (
            "week",
            "next_week",
            "weekend",
            "month",
            "next_month",
            "named_month",
            "rest",
            "from_to",
            "next_n",
            "dates",
        ),
        (18, 20, 16, 10, 6, 7, 8, 8, 4, 4),
    )[0]
    if kind == "week":
        values = _clipped(monday, today)
        return _both(rng.choice(("", "", "for", "later")), "this week", first, last, values, monday + 6 * DAY)
    if kind == "next_week":
        n = 7 if rng.random() < 0.93 else 14
        words = "next week" if n == 7 else "the week after next"
        return _both(
            rng.choice(("", "", "for")),
            words,
            first,
            last,
            [(monday + n * DAY).isoformat()],
            monday + (n + 6) * DAY,
        )
    if kind == "weekend":
        saturday = monday + 5 * DAY
        if today.weekday() == 6:
            return say_span(rng, now, first, last)  # "this weekend" said on its last day is half over
        if rng.random() < 0.75:
            words = rng.choice(("this weekend", "this weekend", "the weekend", "this coming weekend"))
            starts = [saturday.isoformat()]
            lead = (
                rng.choice(("", "for", "over", "on"))
                if not words.startswith("this")
                else rng.choice(("", "", "for"))
            )
            return _both(lead, words, first, last, starts, saturday + DAY)
        return _both("", "next weekend", first, last, [(saturday + 7 * DAY).isoformat()], saturday + 8 * DAY)
    if kind in ("month", "next_month", "named_month"):
        return _month(rng, today, kind, first, last)
    if kind == "rest":
        lead = rng.choice(("for", "for", ""))
        if rng.random() < 0.75:
            values = [today.isoformat(), (today + DAY).isoformat()]
            return _both(lead, "the rest of the week", first, last, values, monday + 6 * DAY)
        return _both(
            lead,
            "the rest of the month",
            first,
            last,
            [today.isoformat(), (today + DAY).isoformat()],
            _month_end(today),
        )
    if kind == "from_to":
        a = rng.randrange(0, 5)
        b = rng.randrange(a + 1, 7)
        start = today + DAY * ((a - today.weekday() - 1) % 7 + 1)
        end = start + (b - a) * DAY
        form = rng.choice(
            ("from {} to {}", "from {} through {}", "{} to {}", "between {} and {}", "from {} until {}")
        )
        words = form.format(WEEKDAYS[a], WEEKDAYS[b])
        return _both("", words, first, last, [start.isoformat()], end)
    if kind == "next_n":
        n = rng.randrange(2, 6)
        words = f"the next {rng.choice((str(n), spell(n)))} days"
        values = [today.isoformat(), (today + DAY).isoformat()]
        phrase = _both(rng.choice(("", "for", "in", "over")), words, first, last, values, today + n * DAY)
        phrase[-1][1][last].append((today + (n - 1) * DAY).isoformat())
        return phrase
    start = today + DAY * rng.randrange(2, 200)
    end = start + DAY * rng.randrange(1, 6)
    if start.month != end.month:
        end = start + DAY if (start + DAY).month == start.month else start - DAY
        start, end = min(start, end), max(start, end)
    m = MONTHS[start.month - 1]
    a_, b_ = start.day, end.day
    words = rng.choice(
        (
            f"from {m} {a_} to {b_}",
            f"from {m} {ordinal(a_)} to {m} {ordinal(b_)}",
            f"from the {ordinal(a_)} to the {ordinal(b_)} of {m}",
            f"between {m} {a_} and {m} {b_}",
            f"{m} {a_} to {b_}",
            f"from the {ordinal(a_)} through the {ordinal(b_)} of {m}",
            f"{m} {a_}-{b_}",
        )
    )
    return _both("", words, first, last, [start.isoformat()], end)


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
