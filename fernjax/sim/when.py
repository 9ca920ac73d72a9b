"""Dates, times, spans, durations and recurrences, drawn first and then put into words.

Each function returns a phrase: a list of `(words, said)` parts in order, where `said` maps the
arguments that these words say to the values that are right for them (best first, `""` where leaving
the argument out is right as well). Parts with an empty `said` are prepositions and the like. The value
is drawn before the words, so the right answer is known by construction; that the mention extractor
reads the same value out of the words is checked by `fernjax.sim.scenario`, not assumed.
"""

from __future__ import annotations

import datetime
import random
from typing import Any

Part = tuple[str, dict[str, list[Any]]]
Phrase = list[Part]

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_SHORT_DAYS = ("mon", "tues", "wed", "thurs", "fri", "sat", "sun")
_SHORT_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sept", "oct", "nov", "dec")
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_DAY = datetime.timedelta(days=1)


def spell(n: int) -> str:
    """A number from 0 to 99 in words."""
    if n < 20:
        return _ONES[n]
    return _TENS[n // 10] + (" " + _ONES[n % 10] if n % 10 else "")


def spell_ordinal(n: int) -> str:
    """An ordinal from 1 to 39 in words."""
    if n <= 20:
        return _ORDINALS[n]
    if n == 30:
        return "thirtieth"
    return _TENS[n // 10] + " " + _ORDINALS[n % 10]


def draw_now(rng: random.Random) -> datetime.datetime:
    """A moment in office or evening hours, any day of 2024 to 2027."""
    day = datetime.date(2024, 1, 1) + _DAY * rng.randrange(4 * 365)
    return datetime.datetime(
        day.year, day.month, day.day, rng.randrange(7, 22), rng.choice((0, 5, 12, 30, 47))
    )


# --- one day ---------------------------------------------------------------------------------------


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
        day = today + _DAY * rng.randrange(1, 330)
        if reads and rng.random() < 0.06:
            day = today - _DAY * rng.randrange(1, 12)
        return _calendar(rng, today, day, argument, on, reads)
    if kind == "monthday":
        day = today + _DAY * rng.randrange(1, 26)
        n = day.day
        words = rng.choice((ordinal(n), ordinal(n), spell_ordinal(n)))
        return [(_join(on, "the"), {}), (words, {argument: [day.isoformat()]})]
    if kind == "ahead":
        return _ahead(rng, today, argument)
    if kind == "next_week":
        w = rng.randrange(7)
        day = today - _DAY * today.weekday() + _DAY * (7 + w)
        words = rng.choice(
            (f"{WEEKDAYS[w]} next week", f"{WEEKDAYS[w]} of next week", f"next week {WEEKDAYS[w]}")
        )
        return [
            (rng.choice((on, "")) if not words.startswith("next") else "", {}),
            (words, {argument: [day.isoformat()]}),
        ]
    if kind == "past":
        if rng.random() < 0.6:
            return [("", {}), ("yesterday", {argument: [(today - _DAY).isoformat()]})]
        w = rng.randrange(7)
        day = today - _DAY * ((today.weekday() - w - 1) % 7 + 1)
        return [("", {}), ("last " + WEEKDAYS[w], {argument: [day.isoformat()]})]
    name, month, dom = rng.choice(_HOLIDAYS)
    day = datetime.date(today.year, month, dom)
    if day < today:
        day = day.replace(year=today.year + 1)
    return [(rng.choice((on, on, "for")) if not new else "", {}), (name, {argument: [day.isoformat()]})]


_HOLIDAYS = (
    ("christmas", 12, 25), ("christmas day", 12, 25), ("christmas eve", 12, 24), ("new year's eve", 12, 31),
    ("new year's day", 1, 1), ("valentine's day", 2, 14), ("halloween", 10, 31), ("boxing day", 12, 26),
)  # fmt: skip


def _relative(rng: random.Random, today: datetime.date, argument: str, new: bool) -> Phrase:
    roll = rng.random()
    if roll < 0.52:
        words = "tomorrow" if rng.random() < 0.95 else rng.choice(("tmrw", "tomorow"))
        return [
            ("for" if rng.random() < 0.12 and not new else "", {}),
            (words, {argument: [(today + _DAY).isoformat()]}),
        ]
    if roll < 0.92:
        return [
            ("for" if rng.random() < 0.15 and not new else "", {}),
            ("today", {argument: [today.isoformat()]}),
        ]
    words = rng.choice(("day after tomorrow", "the day after tomorrow"))
    return [("", {}), (words, {argument: [(today + 2 * _DAY).isoformat()]})]


def _weekday(rng: random.Random, today: datetime.date, argument: str, on: str) -> Phrase:
    w = rng.randrange(7)
    day = today + _DAY * ((w - today.weekday() - 1) % 7 + 1)
    name = WEEKDAYS[w] if rng.random() < 0.9 else _SHORT_DAYS[w]
    roll = rng.random()
    if roll < 0.62:
        lead = on if rng.random() < 0.72 else ("for" if on and rng.random() < 0.4 else "")
        return [(lead, {}), (name, {argument: [day.isoformat()]})]
    if roll < 0.76:
        values = [day.isoformat()]
        if day - today == 7 * _DAY:
            values.append(today.isoformat())
        lead = rng.choice(("", "", on))
        return [(lead, {}), ("this " + name, {argument: values})]
    if roll < 0.9:
        values = [day.isoformat(), (day + 7 * _DAY).isoformat()]
        return [("", {}), ("next " + name, {argument: values})]
    if roll < 0.95:
        day += 7 * _DAY * rng.randrange(0, 3)
        return [(on, {}), (f"{name} the {ordinal(day.day)}", {argument: [day.isoformat()]})]
    return [(_join(on, "the"), {}), ("coming " + name, {argument: [day.isoformat()]})]


def _calendar(
    rng: random.Random, today: datetime.date, day: datetime.date, argument: str, on: str, reads: bool
) -> Phrase:
    m, d = MONTHS[day.month - 1], day.day
    short = _SHORT_MONTHS[day.month - 1]
    forms = (
        (f"{m} {d}", "", 6), (f"{m} {ordinal(d)}", "", 7), (f"{m} {spell_ordinal(d)}", "", 4), (f"{m} {spell(d)}", "", 4),
        (f"{ordinal(d)} of {m}", "the", 4), (f"{spell_ordinal(d)} of {m}", "the", 3), (f"{d} {m}", "", 2),
        (f"{short} {d}", "", 2), (f"{short} {ordinal(d)}", "", 1), (f"{ordinal(d)} {m}", "", 1), (f"{m} the {ordinal(d)}", "", 1),
        (f"{day.month}/{d}", "", 1), (f"{m} {d} {day.year}", "", 0.6), (f"{m} {ordinal(d)}, {day.year}", "", 0.5),
        (day.isoformat(), "", 0.3),
    )  # fmt: skip
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
    return [(_join(lead, article), {}), (words, {argument: [v for v in values if v]})]


def _next_year(day: datetime.date) -> str:
    return "" if (day.month, day.day) == (2, 29) else day.replace(year=day.year + 1).isoformat()


def _ahead(rng: random.Random, today: datetime.date, argument: str) -> Phrase:
    roll = rng.random()
    if roll < 0.4:
        n = rng.randrange(2, 6)
        return [
            ("", {}),
            (f"in {rng.choice((str(n), spell(n)))} days", {argument: [(today + n * _DAY).isoformat()]}),
        ]
    if roll < 0.7:
        n = rng.randrange(1, 4)
        unit = "a week" if n == 1 else f"{rng.choice((str(n), spell(n)))} weeks"
        return [("", {}), (f"in {unit}", {argument: [(today + 7 * n * _DAY).isoformat()]})]
    if roll < 0.85:
        return [("", {}), ("a week from today", {argument: [(today + 7 * _DAY).isoformat()]})]
    w = rng.randrange(7)
    day = today + _DAY * ((w - today.weekday() - 1) % 7 + 8)
    return [("", {}), (f"a week from {WEEKDAYS[w]}", {argument: [day.isoformat()]})]


def ordinal(n: int) -> str:
    """5 -> "5th"."""
    if 10 <= n % 100 <= 20:
        return f"{n}th"
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th') }"


def _join(*words: str) -> str:
    return " ".join(w for w in words if w)


# --- several days ----------------------------------------------------------------------------------


def say_span(rng: random.Random, now: datetime.datetime, first: str, last: str) -> Phrase:
    """Several days: `first` and `last` are the arguments of the first and the last one."""
    today = now.date()
    monday = today - _DAY * today.weekday()
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
        return _both(
            rng.choice(("", "", "for", "later")), "this week", first, last, values, monday + 6 * _DAY
        )
    if kind == "next_week":
        n = 7 if rng.random() < 0.93 else 14
        words = "next week" if n == 7 else "the week after next"
        return _both(
            rng.choice(("", "", "for")),
            words,
            first,
            last,
            [(monday + n * _DAY).isoformat()],
            monday + (n + 6) * _DAY,
        )
    if kind == "weekend":
        saturday = monday + 5 * _DAY
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
            return _both(lead, words, first, last, starts, saturday + _DAY)
        return _both(
            "", "next weekend", first, last, [(saturday + 7 * _DAY).isoformat()], saturday + 8 * _DAY
        )
    if kind in ("month", "next_month", "named_month"):
        return _month(rng, today, kind, first, last)
    if kind == "rest":
        lead = rng.choice(("for", "for", ""))
        if rng.random() < 0.75:
            values = [today.isoformat(), (today + _DAY).isoformat()]
            return _both(lead, "the rest of the week", first, last, values, monday + 6 * _DAY)
        return _both(
            lead,
            "the rest of the month",
            first,
            last,
            [today.isoformat(), (today + _DAY).isoformat()],
            _month_end(today),
        )
    if kind == "from_to":
        a = rng.randrange(0, 5)
        b = rng.randrange(a + 1, 7)
        start = today + _DAY * ((a - today.weekday() - 1) % 7 + 1)
        end = start + (b - a) * _DAY
        form = rng.choice(
            ("from {} to {}", "from {} through {}", "{} to {}", "between {} and {}", "from {} until {}")
        )
        words = form.format(WEEKDAYS[a], WEEKDAYS[b])
        return _both("", words, first, last, [start.isoformat()], end)
    if kind == "next_n":
        n = rng.randrange(2, 6)
        words = f"the next {rng.choice((str(n), spell(n)))} days"
        values = [today.isoformat(), (today + _DAY).isoformat()]
        phrase = _both(rng.choice(("", "for", "in", "over")), words, first, last, values, today + n * _DAY)
        phrase[-1][1][last].append((today + (n - 1) * _DAY).isoformat())
        return phrase
    start = today + _DAY * rng.randrange(2, 200)
    end = start + _DAY * rng.randrange(1, 6)
    if start.month != end.month:
        end = start + _DAY if (start + _DAY).month == start.month else start - _DAY
        start, end = min(start, end), max(start, end)
    m = MONTHS[start.month - 1]
    a_, b_ = start.day, end.day
    words = rng.choice((
        f"from {m} {a_} to {b_}", f"from {m} {ordinal(a_)} to {m} {ordinal(b_)}", f"from the {ordinal(a_)} to the {ordinal(b_)} of {m}",
        f"between {m} {a_} and {m} {b_}", f"{m} {a_} to {b_}", f"from the {ordinal(a_)} through the {ordinal(b_)} of {m}", f"{m} {a_}-{b_}",
    ))  # fmt: skip
    return _both("", words, first, last, [start.isoformat()], end)


def _month(rng: random.Random, today: datetime.date, kind: str, first: str, last: str) -> Phrase:
    start = today.replace(day=1)
    if kind == "month":
        words, values = "this month", [today.isoformat(), start.isoformat()]
        lead = rng.choice(("", "", "for"))
    elif kind == "next_month":
        start = _month_end(today) + _DAY
        words, values, lead = "next month", [start.isoformat()], rng.choice(("", "", "for", "in"))
    else:
        for _ in range(rng.randrange(1, 11)):
            start = _month_end(start) + _DAY
        words, values, lead = MONTHS[start.month - 1], [start.isoformat()], rng.choice(("in", "in", "for"))
    return _both(lead, words, first, last, list(dict.fromkeys(values)), _month_end(start))


def _month_end(day: datetime.date) -> datetime.date:
    return (day.replace(day=28) + 4 * _DAY).replace(day=1) - _DAY


def _clipped(start: datetime.date, today: datetime.date) -> list[str]:
    return list(dict.fromkeys([max(start, today).isoformat(), start.isoformat()]))


def _both(lead: str, words: str, first: str, last: str, starts: list[str], end: datetime.date) -> Phrase:
    ends = [end.isoformat()]
    if starts[0] == ends[0]:
        ends.append("")
    return [(lead, {}), (words, {first: starts, last: ends})]


# --- clock times -----------------------------------------------------------------------------------


def say_time(rng: random.Random, argument: str, new: bool = False) -> Phrase:
    """A clock time with its preposition."""
    hour, minute = _draw_clock(rng)
    words, values = clock_words(rng, hour, minute)
    roll = rng.random()
    lead = "at" if roll < 0.8 else ("for" if roll < 0.86 and not new else "")
    return [("" if new else lead, {}), (words, {argument: values})]


def say_open_time(rng: random.Random, start: str | None, end: str | None) -> Phrase:
    """A time that something begins after, or ends before: the preposition is part of the words."""
    hour, minute = _draw_clock(rng)
    words, values = clock_words(rng, hour, minute)
    if end is None or (start is not None and rng.random() < 0.6):
        form = rng.choice(("after {}", "after {}", "from {} on", "from {} onwards", "from {}"))
        return [("", {}), (form.format(words), {str(start): values})]
    return [
        ("", {}),
        (rng.choice(("before {}", "before {}", "until {}", "till {}", "by {}")).format(words), {end: values}),
    ]


def say_time_span(rng: random.Random, start: str, end: str) -> Phrase:
    """From one clock time to another."""
    hour, minute = _draw_clock(rng)
    length = rng.choice((30, 60, 60, 60, 90, 120, 120, 180))
    total = hour * 60 + minute + length
    if total >= 24 * 60:
        return say_time_span(rng, start, end)
    later, later_minute = divmod(total, 60)
    marked = rng.random()
    if marked < 0.4:  # neither is marked
        a, b = _bare(rng, hour, minute), _bare(rng, later, later_minute)
    elif marked < 0.7:  # both are
        a, b = _marked(rng, hour, minute), _marked(rng, later, later_minute)
    else:  # the last one marks both
        if (hour < 12) != (later < 12):
            return say_time_span(rng, start, end)
        a, b = _bare(rng, hour, minute), _marked(rng, later, later_minute)
        a = (a[0], [f"{hour:02d}:{minute:02d}"])
    dash = a[0].isascii() and a[0][0].isdigit() and b[0][0].isdigit()
    forms = [
        "from {} to {}",
        "from {} to {}",
        "between {} and {}",
        "from {} until {}",
        "from {} till {}",
        "{} to {}",
    ]
    if dash:
        forms.append("{}-{}")
    return [("", {}), (rng.choice(forms).format(a[0], b[0]), {start: a[1], end: b[1]})]


def clock_words(rng: random.Random, hour: int, minute: int) -> tuple[str, list[str]]:
    """Words for a clock time, with the values that are right for them."""
    if minute == 0 and hour == 12 and rng.random() < 0.7:
        return rng.choice(("noon", "noon", "midday")), ["12:00"]
    if minute == 0 and hour == 0:
        return "midnight", ["00:00"]
    roll = rng.random()
    if roll < 0.62:
        return _marked(rng, hour, minute)
    if roll < 0.92:
        return _bare(rng, hour, minute)
    if roll < 0.96:
        return f"{hour:02d}:{minute:02d}" if hour > 12 else _marked(rng, hour, minute)[0], [
            f"{hour:02d}:{minute:02d}"
        ]
    words, _ = _bare(rng, hour, minute)
    part = (
        "in the morning"
        if hour < 12
        else ("in the afternoon" if hour < 17 else ("in the evening" if hour < 21 else "at night"))
    )
    return f"{words} {part}", [f"{hour:02d}:{minute:02d}"]


def _draw_clock(rng: random.Random) -> tuple[int, int]:
    hour = rng.choices(range(6, 24), (2, 4, 6, 7, 8, 7, 7, 5, 7, 8, 7, 6, 6, 6, 5, 3, 2, 1))[0]
    return hour, rng.choices((0, 30, 15, 45, rng.randrange(1, 60)), (66, 20, 6, 5, 3))[0]


def _marked(rng: random.Random, hour: int, minute: int) -> tuple[str, list[str]]:
    """With am or pm."""
    h12 = (hour - 1) % 12 + 1
    half = "am" if hour < 12 else "pm"
    spelled = rng.random() < 0.4
    name = spell(h12) if spelled else str(h12)
    if minute:
        name += (
            f" {_spell_minute(minute)}"
            if spelled
            else (f":{minute:02d}" if rng.random() < 0.85 else f" {minute:02d}")
        )
    elif not spelled and rng.random() < 0.1:
        name += ":00"
    glue = "" if not spelled and rng.random() < 0.5 else " "
    mark = half if rng.random() < 0.85 else rng.choice((half.upper(), f"{half[0]}.m.", f"{half[0]} m"))
    return name + glue + mark, [f"{hour:02d}:{minute:02d}"]


def _bare(rng: random.Random, hour: int, minute: int) -> tuple[str, list[str]]:
    """Without: both halves of the day are right."""
    h12 = (hour - 1) % 12 + 1
    values = [f"{hour:02d}:{minute:02d}", f"{(hour + 12) % 24:02d}:{minute:02d}"]
    if minute == 0:
        words = rng.choice(
            (
                str(h12),
                str(h12),
                spell(h12),
                f"{h12}:00",
                f"{h12} o'clock",
                f"{spell(h12)} o'clock",
                f"{h12} oclock",
            )
        )
    elif minute == 30:
        words = rng.choice(
            (f"{h12}:30", f"{spell(h12)} thirty", f"half past {spell(h12)}", f"half past {h12}", f"{h12} 30")
        )
    elif minute == 15:
        words = rng.choice(
            (f"{h12}:15", f"quarter past {spell(h12)}", f"a quarter past {h12}", f"{spell(h12)} fifteen")
        )
    elif minute == 45:
        words = rng.choice((f"{h12}:45", f"quarter to {spell(h12 % 12 + 1)}", f"{spell(h12)} forty five"))
    else:
        words = rng.choice((f"{h12}:{minute:02d}", f"{spell(h12)} {_spell_minute(minute)}"))
    return words, values


def _spell_minute(minute: int) -> str:
    return f"oh {spell(minute)}" if minute < 10 else spell(minute)


# --- a day and a time ------------------------------------------------------------------------------


def say_day_part(
    rng: random.Random, now: datetime.datetime, date: str, time: str, new: bool = False
) -> Phrase:
    """A day and a part of it: "tonight", "this afternoon", "friday evening", "tomorrow in the morning"."""
    today = now.date()
    roll = rng.random()
    if roll < 0.45:
        part = rng.choice(("morning", "afternoon", "evening", "tonight", "tonight"))
        words = "tonight" if part == "tonight" else f"this {part}"
        values = ["evening", "night"] if part == "tonight" else [part]
        return [
            (rng.choice(("", "", "for")) if not new else "", {}),
            (words, {date: [today.isoformat()], time: values}),
        ]
    part = rng.choice(("morning", "morning", "afternoon", "afternoon", "evening", "night"))
    if roll < 0.75:
        values = ["night", "evening"] if part == "night" else [part]
        return [(rng.choice(("", "", "for")) if not new else "", {}),
                (f"tomorrow {part}", {date: [(today + _DAY).isoformat()], time: values})]  # fmt: skip
    w = rng.randrange(7)
    day = today + _DAY * ((w - today.weekday() - 1) % 7 + 1)
    values = ["night", "evening"] if part == "night" else [part]
    form = rng.choice(("{} {}", "{} {}", "{} in the {}")) if part != "night" else "{} {}"
    return [(rng.choice(("on", "on", "")) if not new else "", {}),
            (form.format(WEEKDAYS[w], part), {date: [day.isoformat()], time: values})]  # fmt: skip


def say_day_clock(rng: random.Random, now: datetime.datetime, date: str, time: str) -> Phrase:
    """A day, a part of it and a clock time in one: "tonight at 8", "7 tomorrow evening"."""
    today = now.date()
    part, low, high = rng.choice(
        (("morning", 6, 11), ("afternoon", 12, 17), ("evening", 17, 21), ("tonight", 18, 23))
    )
    hour, minute = rng.randrange(low, high + 1), rng.choice((0, 0, 0, 30))
    words, _ = _bare(rng, hour, minute)
    if part == "tonight":
        day, name = today, "tonight"
    elif rng.random() < 0.45:
        day, name = today, f"this {part}"
    elif rng.random() < 0.6:
        day, name = today + _DAY, f"tomorrow {part}"
    else:
        w = rng.randrange(7)
        day, name = today + _DAY * ((w - today.weekday() - 1) % 7 + 1), f"{WEEKDAYS[w]} {part}"
    said = rng.choice((f"{name} at {words}", f"{name} at {words}", f"{words} {name}"))
    lead = "at" if said.startswith(words) and rng.random() < 0.7 else ""
    return [(lead, {}), (said, {date: [day.isoformat()], time: [f"{hour:02d}:{minute:02d}"]})]


def say_part(rng: random.Random, argument: str) -> Phrase:
    """A part of the day alone."""
    part = rng.choice(("morning", "afternoon", "evening"))
    return [(rng.choice(("in the", "in the", "during the")), {}), (part, {argument: [part]})]


# --- durations and recurrence ----------------------------------------------------------------------


def say_duration(rng: random.Random, argument: str, lead: str = "for") -> Phrase:
    """A length in minutes."""
    minutes = rng.choice((10, 15, 15, 20, 30, 30, 30, 45, 45, 60, 60, 60, 90, 90, 120, 120, 150, 180, 240))
    return [(lead, {}), (duration_words(rng, minutes), {argument: [minutes]})]


def duration_words(rng: random.Random, minutes: int) -> str:
    forms = []
    if minutes < 60 or rng.random() < 0.15:
        forms += [
            f"{minutes} minutes",
            f"{minutes} min",
            f"{spell(minutes) if minutes < 100 else minutes} minutes",
            f"{minutes} mins",
        ]
    if minutes == 30:
        forms += ["half an hour", "half an hour", "a half hour"]
    if minutes == 60:
        forms += ["an hour", "an hour", "one hour", "1 hour", "1 hr"]
    elif minutes == 90:
        forms += ["an hour and a half", "one and a half hours", "1.5 hours", "90 minutes"]
    elif minutes == 150:
        forms += ["two and a half hours", "2.5 hours", "two hours and thirty minutes"]
    elif minutes > 60 and minutes % 60 == 0:
        forms += [f"{minutes // 60} hours", f"{spell(minutes // 60)} hours", f"{minutes // 60} hrs"]
    return rng.choice(forms or [f"{minutes} minutes"])


def say_before(rng: random.Random, argument: str) -> Phrase:
    """How long ahead of the thing itself: "ten minutes before"."""
    minutes = rng.choice((5, 10, 10, 15, 15, 20, 30, 30, 45, 60, 60, 60, 120, 1440))
    words = rng.choice(("a day", "one day")) if minutes == 1440 else duration_words(rng, minutes)
    return [
        ("", {}),
        (words, {argument: [minutes]}),
        (rng.choice(("before", "before", "ahead of", "prior to")), {}),
    ]


def say_recurrence(rng: random.Random, now: datetime.datetime, argument: str, date: str) -> Phrase:
    """How something repeats; a named weekday also says a day."""
    roll = rng.random()
    if roll < 0.5:
        w = rng.randrange(7)
        day = now.date() + _DAY * ((w - now.weekday() - 1) % 7 + 1)
        values = [day.isoformat(), "", now.date().isoformat() if day - now.date() == 7 * _DAY else ""]
        on = rng.choice(("", "", "", "on"))
        if rng.random() < 0.8:
            every = rng.choice(("every", "every", "each", "every single"))
            return [(on, {}), (every, {argument: ["weekly"]}), (WEEKDAYS[w], {date: values})]
        return [
            (on, {}),
            (rng.choice(("every other", "every second")), {argument: ["biweekly"]}),
            (WEEKDAYS[w], {date: values}),
        ]
    words, value = rng.choice((
        ("every day", "daily"), ("daily", "daily"), ("each day", "daily"), ("every single day", "daily"),
        ("every week", "weekly"), ("weekly", "weekly"), ("once a week", "weekly"), ("each week", "weekly"),
        ("every month", "monthly"), ("monthly", "monthly"), ("once a month", "monthly"), ("every year", "yearly"),
        ("yearly", "yearly"), ("annually", "yearly"), ("every weekday", "weekdays"), ("on weekdays", "weekdays"),
        ("every weekend", "weekends"), ("on weekends", "weekends"), ("every two weeks", "biweekly"),
        ("every other week", "biweekly"), ("biweekly", "biweekly"),
    ))  # fmt: skip
    return [("", {}), (words, {argument: [value]})]
