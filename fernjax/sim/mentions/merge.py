"""Joins neighbours: a date and a time, two ends of a range, a length and what it counts from."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from fernjax.sim.mentions import calendrics, hours, openings, ranges
from fernjax.sim.mentions.calendrics import moment_at
from fernjax.sim.mentions.lexicon import BOUNDARY
from fernjax.sim.mentions.periods import part_on_day
from fernjax.sim.mentions.times import settle
from fernjax.sim.mentions.tokens import Atom, Tokens, loose_gap

Rule = Callable[[Tokens, Atom, Atom], Atom | None]

_DAY_TO_TIME = frozenset(
    {(), ("at",), ("@",), (",",), (",", "at"), ("at", "around"), ("at", "about"), ("around",), ("about",)}
    | {("for",)} | {("'s",), ("by",), ("from",), ("between",), ("btwn",), ("in", "between")}
    | {("starting", "at")}
    | {("starting",)}
    | {("at", "like"), ("like",), (",", "from"), ("at", "exactly"), ("in",), (".",), (",", "between"), ("-",)}
)  # fmt: skip
_TIME_TO_DAY = frozenset({(), ("on",), (",",), ("of",), ("on", "this"), ("for",), ("'s",), (",", "on")})
_DAY_TO_PART = frozenset({(), ("in",), ("at",), (",",), ("'s",), ("during",), ("for",)})
_PART_TO_DAY = frozenset({(), ("of",), ("on",), (",",), ("for",)})
_PART_TO_TIME = frozenset(
    {(), ("at",), ("@",), ("by",), ("around",), ("about",), (",",), ("at", "around"), ("from",), ("between",)}
)
_TIME_TO_PART = frozenset({(), ("in",), ("at",), ("this",), (",",)})

_PLANNED = frozenset({"planned", "scheduled", "set", "hold", "down", "due", "booked", "arranged", "slated"})
"""Words after which "for a week from friday" is a date, not a length."""


def merge(t: Tokens, atoms: list[Atom]) -> list[Atom]:
    """The atoms with neighbours joined; each pass is linear."""
    atoms = hours.promote(t, atoms)
    if len(atoms) > 1:
        atoms = _fold(t, atoms, _settle_hour)
        atoms = _fold(t, atoms, hours.join_times)
    atoms = [openings.open_time(t, a) if a.kind in ("time", "part") else a for a in atoms]
    if len(atoms) > 1:
        atoms = _fold(t, atoms, hours.join_times)
        atoms = _fold(t, atoms, _anchor)
        atoms = _fold(t, atoms, _place_day)
        _follow(t, atoms)
        atoms = _fold(t, atoms, ranges.join_through)
        atoms = _fold(t, atoms, _join_day)
        atoms = _fold(t, atoms, ranges.join_range)
    return [openings.open_date(t, a) for a in atoms]


def _fold(t: Tokens, atoms: list[Atom], rule: Rule) -> list[Atom]:
    out: list[Atom] = []
    for atom in atoms:
        while out:
            joined = rule(t, out[-1], atom)
            if joined is None:
                break
            out.pop()
            atom = joined
        out.append(atom)
    return out


def _anchor(t: Tokens, x: Atom, y: Atom) -> Atom | None:
    """`two days after tomorrow`, `a week from monday`, `the saturday after easter`."""
    if y.kind != "date" or x.kind not in ("duration", "date") or y.i - x.j > 3:
        return None
    lasting = x.kind == "duration" and x.i and t.words[x.i - 1] == "for" and t.words[y.j] != "'s"
    if lasting and (x.i < 2 or t.words[x.i - 2] not in _PLANNED):
        return None
    between = loose_gap(t, x, y)
    if between not in (("after",), ("from",), ("before",), ("following",)):
        return None
    if t.words[y.j] == "'s" and between != ("from",):
        return None  # "a day before friday's talk" counts from the talk.
    sign = -1 if between == ("before",) else 1
    if x.kind == "date":
        if (
            x.form != "weekday"
            or x.note is None
            or x.note[0] != "weekday"
            or x.j - x.i > 1
            or between == ("from",)
        ):
            return None
        move = calendrics.next_weekday if sign > 0 else calendrics.previous_weekday
        return Atom("date", x.i, y.j, move(y.a, x.note[1]), None, (), "weekday", note=("exact", None))
    count, unit = x.b
    if x.form == "unit" and y.form == "relative" and unit == "day":
        return None
    if unit in ("second", "minute", "hour") or count != int(count):
        return None
    base = y.a
    if unit == "year" and sign > 0 and y.note and y.note[0] == "holiday" and y.note[1] is not None:
        base = y.note[1]
    day = calendrics.shift(base, sign * count, unit)
    return None if day is None else Atom("date", x.i, y.j, day, None, (), "ahead", note=("exact", None))


def _settle_hour(t: Tokens, x: Atom, y: Atom) -> Atom | None:
    """`after 7 at night`, `till 9 o'clock in the morning`: before what opens the hour is read."""
    if x.kind != "time" or y.kind != "part" or loose_gap(t, x, y) not in (("in",), ("at",)):
        return None
    return _time_with_part(x, y, ())


def _place_day(t: Tokens, x: Atom, y: Atom) -> Atom | None:
    """`next week sunday`, `this week on friday`, `next month on the 5th`: the day of that week or month."""
    if x.kind != "dates" or y.kind != "date" or not isinstance(y.note, tuple) or x.form != x.note:
        return None
    if loose_gap(t, x, y) not in ((), ("on",), (",",), (",", "on")):
        return None
    how, what = y.note
    if x.form == "week" and how == "weekday" and y.j == y.i + 1:
        day = x.a + calendrics.DAY * what
        alts = () if day >= t.today or x.b < t.today else (day + calendrics.DAY * 7,)
        return Atom("date", x.i, y.j, day, None, alts, "weekday", note=y.note)
    if x.form == "month" and y.form == "monthday" and how == "monthday":
        found = calendrics.make_date(x.a.year, x.a.month, what)
        return None if found is None else Atom("date", x.i, y.j, found, None, (), "calendar", note=y.note)
    return None


def _join_day(t: Tokens, x: Atom, y: Atom) -> Atom | None:
    """A date or part of the day with a time, a part or a range of times beside it."""
    pair = _JOINS.get((x.kind, y.kind))
    if pair is None:
        return None
    between = loose_gap(t, x, y)
    if between is None or between not in pair[0]:
        return None
    if not between and y.form == "holiday" and t.words[y.j] not in BOUNDARY:
        return None  # "the 2:30 christmas party".
    return pair[1](x, y, between)


def _date_time(date: Atom, time: Atom, i: int, j: int, part: str = "") -> Atom:
    """A time on a date; the part of the day, where one is said, settles am or pm."""
    value: int = settle(time.a, time.alts, part) if part else time.a
    alts: tuple[int, ...] = () if part else time.alts
    if time.form == "word" and value == 0:  # Midnight begins the day or ends it; tonight's ends it.
        value, alts = (1440, ()) if part else (0, (1440,))
    moments = [moment_at(day, v) for day in (date.a, *date.alts) for v in (value, *alts)]
    atom = Atom("datetime", i, j, moments[0], time.b or 0, tuple(moments[1:]), date.form, part)
    if time.b:
        atom.a += datetime.timedelta(seconds=time.b)
    atom.note = ("clock", date, time)
    return atom


def _day_with_time(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    return _date_time(x, y, x.i, y.j) if between != ("from",) else None


def _time_with_day(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom:
    return _date_time(y, x, x.i, y.j)


def _day_with_part(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    if y.note == "lunch" and between == ():
        return None
    return _part_on(x, y, x.i, y.j)


def _part_with_day(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom:
    return _part_on(y, x, x.i, y.j)


def _part_on(date: Atom, part: Atom, i: int, j: int) -> Atom:
    """A part of the day on a date and on what else the date may be."""
    atom = part_on_day(i, j, date.a, part, date.form)
    others = [part_on_day(i, j, day, part) for day in date.alts]
    atom.alts = tuple((o.a, o.b) for o in others)
    return atom


def _part_with_time(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom:
    return Atom("time", x.i, y.j, settle(y.a, y.alts, x.part) % 1440, y.b, (), y.form, x.part)


def _time_with_part(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    if y.note == "lunch" or x.form == "word":
        return None
    return Atom("time", x.i, y.j, settle(x.a, x.alts, y.part) % 1440, x.b, (), x.form, y.part)


def _span_with_time(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    """`tonight at 8`, `tomorrow evening by seven`."""
    if x.note != "part":
        return None
    day = Atom("date", x.i, x.j, x.a.date(), None, tuple(p[0].date() for p in x.alts), x.form)
    return _date_time(day, y, x.i, y.j, x.part)


def _time_with_span(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    if y.note != "part":
        return None
    day = Atom("date", y.i, y.j, y.a.date(), None, tuple(p[0].date() for p in y.alts), y.form)
    return _date_time(day, x, x.i, y.j, y.part)


def _moment_with_part(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    """`at 5 tomorrow afternoon`."""
    if x.note is None or x.note[0] != "clock" or y.note == "lunch":
        return None
    _, date, time = x.note
    return _date_time(date, time, x.i, y.j, y.part)


def _day_with_times(
    x: Atom, y: Atom, between: tuple[str, ...], i: int = -1, j: int = -1, part: str = ""
) -> Atom:
    i, j = (x.i, y.j) if i < 0 else (i, j)
    if y.note == "by" and y.a is None:
        time = Atom("time", y.i, y.j, y.b, 0, tuple(p[1] for p in y.alts), "bare")
        return _date_time(x, time, i, j, part)
    pairs = [hours.settle_times(y, part)] if part else [(y.a, y.b), *y.alts]
    spans = []
    for day in (x.a, *x.alts):
        for start, end in pairs:
            if start is not None and end is not None and end <= start:
                end += 1440
            spans.append(
                (
                    None if start is None else moment_at(day, start),
                    None if end is None else moment_at(day, end),
                )
            )
    return Atom("span", i, j, *spans[0], tuple(spans[1:]), x.form, part, note=("times", x, y))


def _times_with_day(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom:
    return _day_with_times(y, x, between, x.i + (x.note == "by"), y.j)


def _span_with_times(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    if x.note != "part":
        return None
    day = Atom("date", x.i, x.j, x.a.date(), None, (), x.form)
    return _day_with_times(day, y, between, x.i, y.j, x.part)


def _times_with_span(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    if y.note != "part":
        return None
    day = Atom("date", y.i, y.j, y.a.date(), None, (), y.form)
    return _day_with_times(day, x, between, x.i, y.j, y.part)


def _span_with_part(x: Atom, y: Atom, between: tuple[str, ...]) -> Atom | None:
    """`6 to 8 tomorrow evening`."""
    if not isinstance(x.note, tuple) or x.note[0] != "times" or x.part or y.note == "lunch":
        return None
    _, date, times = x.note
    return _day_with_times(date, times, between, x.i, y.j, y.part) if times.alts else None


def _times_with_part(x: Atom, y: Atom, between: tuple[str, ...], part: str = "") -> Atom | None:
    times, name = (y, x.part) if x.kind == "part" else (x, y.part)
    if times.note == "event":
        return None
    start, end = hours.settle_times(times, name)
    pair = (None if start is None else start % 1440, None if end is None else end % 1440)
    return Atom("times", x.i, y.j, *pair, (), times.form, name)


_JOINS: dict[tuple[str, str], tuple[frozenset[tuple[str, ...]], Callable[..., Atom | None]]] = {
    ("date", "time"): (_DAY_TO_TIME, _day_with_time),
    ("time", "date"): (_TIME_TO_DAY, _time_with_day),
    ("date", "part"): (_DAY_TO_PART, _day_with_part),
    ("part", "date"): (_PART_TO_DAY, _part_with_day),
    ("part", "time"): (_PART_TO_TIME, _part_with_time),
    ("time", "part"): (_TIME_TO_PART, _time_with_part),
    ("span", "time"): (_PART_TO_TIME, _span_with_time),
    ("time", "span"): (_TIME_TO_DAY | _TIME_TO_PART, _time_with_span),
    ("datetime", "part"): (_TIME_TO_PART, _moment_with_part),
    ("date", "times"): (_DAY_TO_TIME, _day_with_times),
    ("times", "date"): (_TIME_TO_DAY, _times_with_day),
    ("span", "part"): (_TIME_TO_PART, _span_with_part),
    ("span", "times"): (_DAY_TO_TIME, _span_with_times),
    ("times", "span"): (_TIME_TO_DAY | _TIME_TO_PART, _times_with_span),
    ("part", "times"): (_PART_TO_TIME, _times_with_part),
    ("times", "part"): (_TIME_TO_PART, _times_with_part),
}


def _follow(t: Tokens, atoms: list[Atom]) -> None:
    """`april 11 ... the saturday after`: counts a weekday from the date before it in the sentence."""
    last: Atom | None = None
    words = t.words
    for atom in atoms:
        if atom.kind != "date":
            continue
        bare = (
            atom.form == "weekday"
            and atom.note is not None
            and atom.note[0] == "weekday"
            and atom.j == atom.i + 1
        )
        if (
            bare
            and last is not None
            and words[atom.j] in ("after", "following")
            and words[atom.j + 1] in BOUNDARY
        ):
            atom.a, atom.alts, atom.j = calendrics.next_weekday(last.a, atom.note[1]), (), atom.j + 1
        last = atom
