"""Stretches of days and what is counted in them: this week, next month, the last monday of march."""

from __future__ import annotations

import datetime

from fernjax.sim.mentions import calendrics, dates, holidays
from fernjax.sim.mentions.durations import read_smaller, read_window, window
from fernjax.sim.mentions.lexicon import BOUNDARY, MODIFIERS, MONTHS, PARTS, SEASONS, TONIGHT, UNITS, WEEKDAYS
from fernjax.sim.mentions.numbers import read_ordinal, read_year
from fernjax.sim.mentions.times import read_clock, read_part
from fernjax.sim.mentions.tokens import Atom, Tokens

Stretch = tuple[datetime.date, datetime.date]

_FORM = {"week": "week", "weekend": "weekend", "month": "month", "quarter": "period", "year": "period"}
_EDGES = {
    "end": "end", "beginning": "start", "start": "start", "early": "start", "late": "end", "middle": "middle",
    "mid": "middle", "eom": "end", "eoy": "end",
}  # fmt: skip
_BEFORE_LAST = frozenset(
    """the in for over from of during my our these those within since on through throughout me show list and
    or happened did do was were had been see what's , . ; : ! ? - (""".split()
)
"""Words after which "last three hours" is a stretch of the past."""
_PERIOD_UNITS = frozenset({"week", "month", "quarter", "year", "weekend"})


def read_modified(t: Tokens, i: int) -> Atom | None:
    """What follows this, next, last, past, coming: a weekday, a period, a part of a day, a holiday."""
    words = t.words
    count = MODIFIERS[words[i]]
    k = i + 1
    nearest = count == 0
    if words[k] in MODIFIERS and words[k] != "this":
        count, k = MODIFIERS[words[k]], k + 1
    elif words[k] == "-" and words[k + 1] == "end":
        return None
    word = words[k]
    if count < 0 and words[i] == "last":
        found = read_counted(t, i, -1, k)
        if found is not None:
            return found
    if word in WEEKDAYS:
        return _modified_weekday(t, i, k, count, nearest)
    if word in PARTS or word in ("early", "late"):
        return _modified_part(t, i, k, count)
    if word in UNITS or word in ("week", "wkend"):
        return _modified_unit(t, i, k, count)
    if word in MONTHS:
        return _modified_month(t, i, k, count)
    if word in SEASONS or word in ("season", "seasons"):
        if word == "fall" and words[k + 1] not in BOUNDARY:
            return None
        pair = calendrics.season(t.today, SEASONS.get(word), count)
        return Atom("dates", i, k + 1, *pair, (), "period")
    holiday = dates.read_holiday(t, k, count, i) if word in holidays.HEADS else None
    if holiday is None and words[i] == "last" and i and words[i - 1] not in _BEFORE_LAST:
        return None  # A verb: "should last three hours".
    if holiday is None and words[i] == "upcoming" and words[i - 1] != "the":
        return None  # "an upcoming 30 minutes workout".
    return holiday or read_window(t, i, k, count)


def _modified_weekday(t: Tokens, i: int, k: int, count: int, nearest: bool) -> Atom | None:
    words = t.words
    weekday = WEEKDAYS[words[k]]
    explicit = dates.read_weekday(t, k)
    if explicit is None:
        return None
    if explicit.j > k + 1 or explicit.form != "weekday":
        explicit.i = i
        return explicit
    ahead = calendrics.next_weekday(t.today, weekday)
    note = ("weekday", weekday)
    if count < 0:
        day = calendrics.previous_weekday(t.today, weekday)
        week_before = calendrics.week_of(t.today)[0] - calendrics.DAY * (7 - weekday)
        alts = (week_before,) if week_before != day else ()
        return Atom("date", i, k + 1, day, None, alts, "weekday", note=note)
    if words[i] in ("next", "nxt", "following") and not nearest:
        day = calendrics.week_of(t.today)[0] + calendrics.DAY * (7 + weekday)
        other = ahead if ahead != day else day + calendrics.DAY * 7
        return Atom("date", i, k + 1, day, None, (other,), "weekday", note=note)
    alts = (t.today,) if weekday == t.today.weekday() else ()
    return Atom("date", i, k + 1, ahead, None, alts, "weekday", note=note)


def _modified_part(t: Tokens, i: int, k: int, count: int) -> Atom | None:
    """`this evening`, `last night`, `late last night` starts elsewhere."""
    part = read_part(t, k)
    if part is None or count > 0:
        return None
    return part_on_day(i, part.j, t.today + calendrics.DAY * count, part)


def part_on_day(i: int, j: int, day: datetime.date, part: Atom, form: str = "relative") -> Atom:
    """A part of the day on a date."""
    midnight = datetime.datetime.combine(day, datetime.time())
    minute = datetime.timedelta(minutes=1)
    return Atom(
        "span", i, j, midnight + minute * part.a, midnight + minute * part.b, (), form, part.part, note="part"
    )


def read_tonight(t: Tokens, i: int) -> Atom:
    return part_on_day(i, i + 1, t.today, Atom("part", i, i + 1, 1080, 1440, (), "part", "evening"))


def _modified_unit(t: Tokens, i: int, k: int, count: int) -> Atom | None:
    words = t.words
    unit = UNITS[words[k]]
    j = k + 1
    if words[k] == "week" and words[j] == "-" and words[j + 1] == "end":
        unit, j = "weekend", j + 2
    if unit == "hour" and words[k] in ("hour", "hr") and count != 0:
        seconds, end = read_smaller(t, j, 3600, unit)  # "the next hour and a half"
        return (
            window(t, i, end, count, round(seconds / 60), "minute")
            if end > j
            else window(t, i, j, count, 1, unit)
        )
    if unit not in _PERIOD_UNITS or (words[k].endswith("s") and unit != "quarter"):
        return None
    if words[j] == "after" and words[j + 1] == "next" and count > 0:
        count, j = count + 1, j + 2
    coming = unit == "weekend" and words[k - 1] in ("coming", "upcoming")
    under_way = t.today.weekday() >= 5
    if coming and (not under_way or words[i] == "this"):
        count = 0  # The nearest ahead.
    day = calendrics.shift(calendrics.unit_of(t.today, "week" if unit == "weekend" else unit)[0], count, unit)
    if day is None:
        return None
    week = calendrics.DAY * 7
    pair = calendrics.unit_of(day, unit)
    alts = ((pair[0] + week, pair[1] + week),) if coming and under_way and count == 0 else ()
    return Atom("dates", i, j, *pair, alts, _FORM[unit], note=unit)


def _modified_month(t: Tokens, i: int, k: int, count: int) -> Atom | None:
    atom = dates.read_month(t, k)
    if atom is None:
        return None
    atom.i = i
    if count < 0 and atom.note == "month":
        first = datetime.date(t.today.year - (atom.a.month >= t.today.month), atom.a.month, 1)
        atom.a, atom.b = calendrics.unit_of(first, "month")
        atom.alts = ()
    elif count < 0 and atom.note and atom.note[0] == "yearly" and atom.a >= t.today:
        earlier = calendrics.shift(atom.a, -1, "year")
        if earlier is not None:
            atom.a, atom.alts = earlier, ()
    return atom


def read_after_next(t: Tokens, i: int) -> Atom | None:
    """`week after next`, `weekend`, `week of march 3`, `week from friday` is a length; i is at the unit."""
    words = t.words
    unit = UNITS[words[i]]
    if unit not in _PERIOD_UNITS:
        return None
    j = i + 1
    if words[j] == "after" and words[j + 1] == "next":
        day = calendrics.shift(calendrics.unit_of(t.today, "week" if unit == "weekend" else unit)[0], 2, unit)
        return (
            None
            if day is None
            else Atom("dates", i, j + 2, *calendrics.unit_of(day, unit), (), _FORM[unit], note=unit)
        )
    before = words[i - 1] if i else ""
    if words[j] in ("of", "starting", "beginning") and unit == "week":
        k = j + 1 + (words[j + 1] == "the")
        date = _anchor(t, k)
        return None if date is None else Atom("dates", i, date.j, *calendrics.week_of(date.a), (), "week")
    if (
        unit == "weekend"
        and words[i] != "weekends"
        and before in ("the", "over", "during", "on", "all", "at")
    ):
        return Atom("dates", i, j, *calendrics.unit_of(t.today, "weekend"), (), "weekend", note="weekend")
    listed = before == "the" and i > 1 and words[i - 2] in ("for", "during") and words[j] in BOUNDARY
    if (before in ("all", "whole", "entire") or listed) and unit in ("week", "month", "year"):
        return Atom("dates", i, j, *calendrics.unit_of(t.today, unit), (), _FORM[unit], note=unit)
    return None


def _anchor(t: Tokens, k: int) -> Atom | None:
    """A calendar date at word k."""
    words = t.words
    if words[k] in MONTHS:
        atom = dates.read_month(t, k)
    elif words[k][:1].isdigit() or read_ordinal(t, k) is not None:
        atom = dates.read_day_month(t, k) or dates.read_monthday(t, k)
        if words[k].isdigit() and (atom is None or atom.kind != "date"):
            atom = dates.read_numeric(t, k)
    elif words[k] in holidays.HEADS:
        atom = dates.read_holiday(t, k)
    else:
        return None
    return atom if atom is not None and atom.kind == "date" else None


def read_period(t: Tokens, k: int) -> tuple[Stretch, int, str] | None:
    """A month, week, quarter or year as what a day or an edge is of: days, the index after, the unit."""
    words = t.words
    k += words[k] == "the"
    k += words[k] in ("around", "about")
    word = words[k]
    if word in MODIFIERS:
        count, j = MODIFIERS[word], k + 1
        if words[j] in MODIFIERS:
            count, j = MODIFIERS[words[j]], j + 1
        unit = UNITS.get(words[j], "")
        if unit in ("week", "month", "quarter", "year"):
            day = calendrics.shift(calendrics.unit_of(t.today, unit)[0], count, unit)
            return None if day is None else (calendrics.unit_of(day, unit), j + 1, unit)
        if words[j] in MONTHS:
            atom = _modified_month(t, k, j, count)
            if atom is not None and atom.kind == "dates":
                return (atom.a, atom.b), atom.j, "month"
        return None
    if word in MONTHS:
        month, j = MONTHS[word], k + 1
        k = j + (words[j] in ("of", ","))
        year = read_year(t, k)
        if year is None and words[k] in MODIFIERS and words[k + 1] == "year":
            year = (t.today.year + MODIFIERS[words[k]], k + 2)
        if year is None:
            year = (t.today.year + (month < t.today.month), j)
        return calendrics.month_of(year[0], month), year[1], "month"
    unit = UNITS.get(word, "")
    if unit in ("week", "month", "quarter", "year") and not word.endswith("s"):
        return calendrics.unit_of(t.today, unit), k + 1, unit
    year = read_year(t, k)
    if year is not None:
        return calendrics.unit_of(datetime.date(year[0], 1, 1), "year"), year[1], "year"
    return None


def read_counted(t: Tokens, i: int, count: int, j: int) -> Atom | None:
    """`third tuesday of september`, `last day in october`, `3rd quarter`; j is the unit's word."""
    words = t.words
    word = words[j]
    unit = UNITS.get(word, "")
    if unit == "quarter" and 1 <= count <= 4:
        k = j + 1 + (words[j + 1] == "of")
        k += words[k] == "the"
        year = read_year(t, k)
        if year is None and words[k] in MODIFIERS and words[k + 1] == "year":
            year = (t.today.year + MODIFIERS[words[k]], k + 2)
        first = datetime.date(year[0] if year else t.today.year, 3 * count - 2, 1)
        return Atom(
            "dates", i, year[1] if year else j + 1, *calendrics.unit_of(first, "quarter"), (), "period"
        )
    if count > 0 and word == "closest":
        return None
    if word == "week" and words[j + 1] == "-" and words[j + 2] == "end":
        unit, j = "weekend", j + 2
    if word not in WEEKDAYS and unit not in ("day", "week", "weekend"):
        return None
    if words[j + 1] not in ("of", "in"):
        return None
    period = read_period(t, j + 2)
    if period is None:
        return None
    (first, last), end, of = period
    if word in WEEKDAYS:
        day = calendrics.nth_weekday(first, last, WEEKDAYS[word], count)
    elif unit == "day":
        day = first + calendrics.DAY * (count - 1) if 0 < count <= 366 else last if count < 0 else None
    else:
        day = None
        pair = calendrics.nth_week(first, last, count) if unit == "week" else None
        if unit == "weekend":
            saturday = calendrics.nth_weekday(first, last, 5, count)
            pair = None if saturday is None else (saturday, saturday + calendrics.DAY)
        return None if pair is None else Atom("dates", i, end, *pair, (), unit, note=unit)
    return None if day is None else Atom("date", i, end, day, None, (), "calendar", note=("exact", None))


def read_closest(t: Tokens, i: int, count: int, j: int) -> Atom | None:
    """`second closest mon to october fifth`; j is at "closest"."""
    words = t.words
    if words[j] not in ("closest", "nearest") or words[j + 1] not in WEEKDAYS or words[j + 2] != "to":
        return None
    anchor = _anchor(t, j + 3 + (words[j + 3] == "the"))
    if anchor is None or not 1 <= count <= 20:
        return None
    weekday = WEEKDAYS[words[j + 1]]
    near = calendrics.next_weekday(anchor.a - calendrics.DAY, weekday) - calendrics.DAY * 7 * (count + 1)
    candidates = [near + calendrics.DAY * 7 * n for n in range(2 * count + 3)]
    day = sorted(candidates, key=lambda d: abs((d - anchor.a).days))[count - 1]
    return Atom("date", i, anchor.j, day, None, (), "calendar", note=("exact", None))


def read_edge(t: Tokens, i: int) -> Atom | None:
    """`end of the month`, `beginning of next week`, `late march`, `mid-2014`, `eoy`, `late last night`."""
    words = t.words
    word = words[i]
    edge = _EDGES[word]
    if word in ("eom", "eoy"):
        unit = "month" if word == "eom" else "year"
        return _edge(i, i + 1, calendrics.unit_of(t.today, unit), edge, unit)
    j = i + 1
    if word in ("early", "late", "mid"):
        j += words[j] == "-"
        if words[j] in ("last", "this") and words[j + 1] in PARTS or words[j] in TONIGHT:
            return _late_part(t, i, j)
        if word == "mid" and words[j] == "day":
            return read_clock(t, i)
        if (
            words[j] not in MODIFIERS
            and words[j] not in MONTHS
            and not (word == "mid" and words[j].isdigit())
        ):
            return read_part(t, i)
    else:
        of = words[j] == "of"
        j += of
        if not of and words[j] not in MONTHS and words[j] not in MODIFIERS:
            return None
        if not of and word in ("end", "start"):
            return None
        if words[j] == "the" and words[j + 1] == "day" or (words[j] in ("day", "today") and word == "end"):
            j += 1 + (words[j] == "the")
            return None if word != "end" else end_of_day(t, i, j)
    period = read_period(t, j)
    if period is None:
        return None
    if word == "beginning" and words[j - 1] == word and _starts_day_at(t, period[1]):
        return None  # "beginning next week tuesday", "beginning november 2nd".
    named = words[j] == "the" or words[j] in MODIFIERS or words[j] in MONTHS
    if word == "end" and period[2] == "month" and named and _said_at(t, i):
        return Atom("date", i, period[1], period[0][1], None, (), "calendar", note=("exact", None))
    return _edge(i, period[1], period[0], edge, period[2])


def _said_at(t: Tokens, i: int) -> bool:
    """Whether "at" or "on" stands before an edge, which makes it one day: "at the end of the month"."""
    k = i - 1 - (i > 1 and t.words[i - 1] == "the")
    return i > 0 and t.words[k] in ("at", "on")


def _starts_day_at(t: Tokens, j: int) -> bool:
    j += t.words[j] in ("on", "the")
    return t.words[j] in WEEKDAYS or t.words[j][:1].isdigit() or read_ordinal(t, j) is not None


def end_of_day(t: Tokens, i: int, j: int) -> Atom:
    return part_on_day(i, j, t.today, Atom("part", i, j, 1020, 1440, (), "part", ""))


def _late_part(t: Tokens, i: int, j: int) -> Atom | None:
    base = read_modified(t, j) if t.words[j] in MODIFIERS else read_tonight(t, j)
    if base is None or base.kind != "span":
        return None
    base.i = i
    if t.words[i] == "late":
        base.a = base.b - datetime.timedelta(hours=3)
    else:
        base.b = base.a + (base.b - base.a) / 2
    return base


def _edge(i: int, j: int, stretch: Stretch, edge: str, unit: str) -> Atom | None:
    """The first, middle or last third or so of a period."""
    first, last = stretch
    day = calendrics.DAY
    if unit == "week":
        pair = {
            "start": (first, first + 2 * day),
            "middle": (first + 2 * day, first + 3 * day),
            "end": (last - 2 * day, last),
        }
    elif unit == "month":
        pair = {
            "start": (first, first + 9 * day),
            "middle": (first + 10 * day, first + 19 * day),
            "end": (first + 20 * day, last),
        }
    elif unit == "year":
        year = first.year
        pair = {
            "start": (first, datetime.date(year, 3, 31)),
            "middle": (datetime.date(year, 5, 1), datetime.date(year, 8, 31)),
            "end": (datetime.date(year, 9, 1), last),
        }
    else:
        pair = {
            "start": (first, first + 29 * day),
            "middle": (first + 30 * day, last - 30 * day),
            "end": (last - 29 * day, last),
        }
    return Atom("dates", i, j, *pair[edge], (), "period", note=("edge", last))


def read_rest(t: Tokens, i: int) -> Atom | None:
    """`rest of the week`, `remainder of the month`: from today to its end."""
    words = t.words
    if words[i + 1] != "of":
        return None
    j = i + 2
    j += words[j] in ("the", "my", "this")
    if words[j] == "day" or words[j] == "today":
        return Atom("date", i, j + 1, t.today, None, (), "relative", note=("day", None))
    period = read_period(t, i + 2) if words[i + 2] != "my" else None
    if period is None:
        return None
    first, last = period[0]
    return Atom("dates", i, period[1], max(first, t.today), last, (), _FORM[period[2]])
