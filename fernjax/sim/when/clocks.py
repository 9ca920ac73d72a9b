"""Times of day, parts of it, and lengths, in words."""

from __future__ import annotations

import datetime
import random

from fernjax.sim.when.words import DAY, WEEKDAYS, Phrase, spell


def say_time(rng: random.Random, argument: str, new: bool = False, early: bool = False) -> Phrase:
    """A clock time with its preposition unless `new`; `early`: at night as well, as alarms ring."""
    hour, minute = draw_clock(rng)
    if early and rng.random() < 0.1:
        hour = rng.choice((0, 1, 2, 3, 4, 4, 4, 5, 5, 5, 5))
    words, values = clock_words(rng, hour, minute)
    roll = rng.random()
    lead = "at" if roll < 0.8 else ("for" if roll < 0.86 and not new else "")
    return [("" if new else lead, {}), (words, {argument: values})]


def say_open_time(rng: random.Random, start: str | None, end: str | None) -> Phrase:
    """A time that something begins after, or ends before: the preposition is part of the words."""
    hour, minute = draw_clock(rng)
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
    hour, minute = draw_clock(rng)
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


def draw_clock(rng: random.Random) -> tuple[int, int]:
    """An hour and a minute of the waking day."""
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
                (f"tomorrow {part}", {date: [(today + DAY).isoformat()], time: values})]  # fmt: skip
    w = rng.randrange(7)
    day = today + DAY * ((w - today.weekday() - 1) % 7 + 1)
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
        day, name = today + DAY, f"tomorrow {part}"
    else:
        w = rng.randrange(7)
        day, name = today + DAY * ((w - today.weekday() - 1) % 7 + 1), f"{WEEKDAYS[w]} {part}"
    said = rng.choice((f"{name} at {words}", f"{name} at {words}", f"{words} {name}"))
    lead = "at" if said.startswith(words) and rng.random() < 0.7 else ""
    return [(lead, {}), (said, {date: [day.isoformat()], time: [f"{hour:02d}:{minute:02d}"]})]


def say_part(rng: random.Random, argument: str) -> Phrase:
    """A part of the day alone."""
    part = rng.choice(("morning", "afternoon", "evening"))
    return [(rng.choice(("in the", "in the", "during the")), {}), (part, {argument: [part]})]


def say_end_part(rng: random.Random, argument: str) -> Phrase:
    """The part of the day at which something ends: "(until) tonight", "tomorrow morning"."""
    words, values = rng.choice(
        (
            ("tonight", ["evening", "night"]),
            ("tonight", ["evening", "night"]),
            ("this evening", ["evening"]),
            ("this afternoon", ["afternoon"]),
            ("tomorrow morning", ["morning"]),
            ("tomorrow morning", ["morning"]),
        )
    )
    return [("", {}), (words, {argument: list(values)})]


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
