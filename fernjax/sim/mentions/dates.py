"""Single dates: weekdays, days of months, numeric dates, today and tomorrow, holidays."""

from __future__ import annotations

from fernjax.sim.mentions import calendrics, holidays
from fernjax.sim.mentions.cues import cued_day, cued_month
from fernjax.sim.mentions.digits import BEFORE_MONTHDAY, read_numeric
from fernjax.sim.mentions.lexicon import (
    BOUNDARY,
    DAY_WORDS,
    MERIDIEMS,
    MODIFIERS,
    MONTHS,
    OCLOCK,
    ONES,
    PARTS,
    RISKY_DAYS,
    UNITS,
    WEEKDAYS,
)
from fernjax.sim.mentions.numbers import read_integer, read_ordinal, read_quantity, read_year
from fernjax.sim.mentions.tokens import Atom, Tokens

_MAY_VERBS = frozenset(
    """be have come need want not take go also still attend join arrive or get do make cause include well i we
    you he she they it""".split()
)
_COUNTED_BY_ORDINAL = frozenset(
    """floor time street avenue grade one row place half quarter week month year person item attempt edition
    birthday anniversary of day line page chapter level street season episode option email message song
    meeting thing event reminder alarm list st ave step division world party draft round
    century degree choice""".split()
)


def read_weekday(t: Tokens, i: int) -> Atom | None:
    """A weekday with what fixes its date: "friday the 5th", "monday, feb 18", "wednesday of next week"."""
    words = t.words
    weekday = WEEKDAYS[words[i]]
    if (words[i] in RISKY_DAYS and not cued_day(t, i)) or (i and words[i - 1] == "ruby"):
        return None
    j = i + 1
    k = j + 1 if words[j] == "." and words[j + 1] != "" else j
    explicit = _weekday_date(t, i, k, weekday)
    if explicit is not None:
        return explicit
    if words[j] == "after" and words[j + 1] == "next":
        day = calendrics.next_weekday(t.today, weekday, 2)
        return Atom("date", i, j + 2, day, None, (), "weekday", note=("weekday", weekday))
    if words[j] == "next" and words[j + 1] in BOUNDARY:
        day = calendrics.week_of(t.today)[0] + calendrics.DAY * (7 + weekday)
        ahead = calendrics.next_weekday(t.today, weekday)
        return Atom("date", i, j + 1, day, None, (ahead,), "weekday", note=("weekday", weekday))
    if words[j] == "week" and words[j + 1] in BOUNDARY:
        day = calendrics.next_weekday(t.today, weekday, 2)
        return Atom("date", i, j + 1, day, None, (), "weekday", note=("weekday", weekday))
    k = j + 1 if words[j] in ("of", "in", "on") else j
    k += words[k] == "the"
    if words[k] in MODIFIERS and words[k + 1] == "week":
        monday = calendrics.week_of(t.today)[0] + calendrics.DAY * 7 * MODIFIERS[words[k]]
        day = monday + calendrics.DAY * weekday
        return Atom("date", i, k + 2, day, None, (), "weekday", note=("weekday", weekday))
    day = calendrics.next_weekday(t.today, weekday)
    alts = (t.today,) if t.today.weekday() == weekday else ()
    return Atom("date", i, j, day, None, alts, "weekday", note=("weekday", weekday))


def _weekday_date(t: Tokens, i: int, k: int, weekday: int) -> Atom | None:
    """A calendar date or a day of the month right after a weekday."""
    words = t.words
    start = k
    k += words[k] == ","
    k += words[k] == "the"
    if words[k] in MONTHS:
        atom = read_month(t, k)
    elif words[k][:1].isdigit() or words[k] in ONES or read_ordinal(t, k) is not None:
        atom = read_day_month(t, k) or (read_numeric(t, k) if words[k][:1].isdigit() else None)
        if atom is None:
            ordinal = read_ordinal(t, k)
            if ordinal is None or not 1 <= ordinal[0] <= 31 or (words[start] == "," and words[k - 1] == ","):
                return None
            month = _read_month_of(t, ordinal[1])
            if month is not None:
                day = calendrics.make_date(*month[0], ordinal[0])
                return None if day is None else Atom("date", i, month[1], day, None, (), "calendar")
            day = calendrics.weekday_monthday(t.today, weekday, ordinal[0])
            nearest = calendrics.monthly(t.today, ordinal[0])
            if day is None:
                return None
            alts = () if nearest in (None, day) else (nearest,)
            return Atom("date", i, ordinal[1], day, None, alts, "monthday", note=("monthday", ordinal[0]))
    else:
        return None
    if atom is None or atom.kind != "date":
        return None
    atom.i = i
    return atom


def read_month(t: Tokens, i: int) -> Atom | None:
    """A month with its day or year: "march 3", "feb the 15th, 2014", "march 2014", "march"."""
    words = t.words
    month = MONTHS[words[i]]
    j = i + 1 + (words[i + 1] == "." and words[i + 2] != "" and len(words[i]) <= 4)
    k = j + (words[j] == "the")
    day_read = read_ordinal(t, k) or (_read_plain_day(t, k) if k == j else None)
    if day_read is not None and 1 <= day_read[0] <= 31 and (k == j or words[k - 1] == "the"):
        return month_day(t, i, day_read[1], month, day_read[0])
    k = j + 1 if words[j] in (",", "of") else j
    year = read_year(t, k)
    if year is None and words[k] in MODIFIERS and words[k + 1] == "year":
        year = (t.today.year + MODIFIERS[words[k]], k + 2)
    if year is not None and (words[j] != "," or words[year[1]] in BOUNDARY):
        return Atom("dates", i, year[1], *calendrics.month_of(year[0], month), (), "month", note="month")
    if not cued_month(t, i, j):
        return None
    return _month_ahead(t, i, j, month)


def _read_plain_day(t: Tokens, k: int) -> tuple[int, int] | None:
    """The 3 of "march 3": a plain number that is no year, clock time or count."""
    words = t.words
    if words[k].isdigit():
        if len(words[k]) > 2 or (words[k + 1] == ":" and t.glued(k + 1)):
            return None
    elif words[k] not in ONES and words[k] not in ("twenty", "thirty") or read_year(t, k) is not None:
        return None
    read = read_integer(t, k)
    if read is None or not 1 <= read[0] <= 31:
        return None
    after = words[read[1]]
    if (
        after in MERIDIEMS
        or after in OCLOCK
        or after in ("%", "percent")
        or (after == "p" and words[read[1] + 1] == "m")
    ):
        return None
    return read


def month_day(t: Tokens, i: int, j: int, month: int, day: int) -> Atom | None:
    """The date of a month and day, with the year that follows or the next such date."""
    words = t.words
    k = j + 1 if words[j] in (",", "of", "in") else j
    year = read_year(t, k)
    if year is None and words[k] in MODIFIERS and words[k + 1] == "year":
        year = (t.today.year + MODIFIERS[words[k]], k + 2)
    if year is not None and words[j] in ("in", "of") and words[k] == "twenty" and year[0] < 2000:
        year = None
    if year is not None:
        found = calendrics.make_date(year[0], month, day)
        return (
            None
            if found is None
            else Atom("date", i, year[1], found, None, (), "calendar", note=("exact", None))
        )
    found, alts = calendrics.yearly(t.today, month, day)
    if found is None:
        return None
    return Atom("date", i, j, found, None, alts, "calendar", note=("yearly", (month, day)))


def _month_ahead(t: Tokens, i: int, j: int, month: int) -> Atom:
    """The month that comes next, this one included; "after next" and "in two years" move on."""
    words = t.words
    year = t.today.year + (month < t.today.month)
    if words[j] == "after" and words[j + 1] == "next":
        return Atom("dates", i, j + 2, *calendrics.month_of(year + 1, month), (), "month", note="month")
    if words[j] == "in":
        read = read_quantity(t, j + 1)
        if (
            read is not None
            and UNITS.get(words[read[1]]) == "year"
            and read[0] == int(read[0])
            and 0 < read[0] < 1000
        ):
            pair = calendrics.month_of(t.today.year + int(read[0]), month)
            return Atom("dates", i, read[1] + 1, *pair, (), "month", note="month")
    pair = calendrics.month_of(year, month)
    alts = (calendrics.month_of(t.today.year, month),) if year > t.today.year else ()
    return Atom("dates", i, j, *pair, alts, "month", note="month")


def read_day_month(t: Tokens, i: int) -> Atom | None:
    """A day before its month: "14april 2015", "the third of march", "4 of july", "20th of next month"."""
    words = t.words
    read = read_ordinal(t, i)
    ordinal = read is not None
    if read is None:
        read = read_integer(t, i)
    if read is None or not 1 <= read[0] <= 31:
        return None
    day, j = read
    k = j + (words[j] == "day" and ordinal)
    of = words[k] == "of" or (words[k] == "in" and k > j)
    k += of
    k += words[k] == "-"
    month = MONTHS.get(words[k])
    if month is not None:
        modal = words[k] == "may" and not of and not words[k + 1].isdigit()
        modal = modal and not (ordinal and words[i].isdigit() and words[i - 1] != "the")
        if modal and (words[k + 1] in _MAY_VERBS or not (words[k + 1] in BOUNDARY or words[i].isdigit())):
            return None
        k += 1
        counted = read_ordinal(t, k) is not None and not of
        if counted or (words[k][:1].isdigit() and words[i - 1] in ONES and i):
            return None  # "at four february 4th", "five thirty nov 21".
        if words[k] == "." and len(words[k - 1]) <= 4 and words[k + 1].isdigit():
            k += 1
        short = words[k]
        if len(short) == 2 and short.isdigit() and words[k + 1] == "" and not t.glued(k):
            found = calendrics.make_date(2000 + int(short), month, day)
            return None if found is None else Atom("date", i, k + 1, found, None, (), "calendar")
        return month_day(t, i, k, month, day)
    if of:
        ref = _read_month_of(t, k - 1)
        if ref is not None:
            found = calendrics.make_date(*ref[0], day)
            if found is not None and found < t.today and words[ref[1] - 2] == "the":
                return Atom("date", i, ref[1], calendrics.monthly(t.today, day), None, (found,), "monthday")
            return None if found is None else Atom("date", i, ref[1], found, None, (), "calendar")
    return None


def _read_month_of(t: Tokens, j: int) -> tuple[tuple[int, int], int] | None:
    """`of this month`, `of the next month`, `of the month`: (year, month) and the index after."""
    words = t.words
    if words[j] != "of":
        return None
    k = j + 1 + (words[j + 1] == "the")
    count = MODIFIERS.get(words[k])
    if count is None:
        if words[k] != "month" or words[k - 1] != "the":
            return None
        count, k = 0, k - 1
    if words[k + 1] not in ("month", "months"):
        return None
    first = calendrics.shift(t.today.replace(day=1), count, "month")
    return None if first is None else ((first.year, first.month), k + 2)


def read_monthday(t: Tokens, i: int) -> Atom | None:
    """An ordinal that is a day of the month ("on the 27th"), else the ordinal."""
    words = t.words
    read = read_ordinal(t, i)
    if read is None:
        return None
    value, j = read
    the = words[i - 1] == "the" and i > 0
    before = words[i - 2] if the and i > 1 else words[i - 1] if i and not the else ""
    after = words[j]
    plain = Atom("ordinal", i, j, value, None, (), "ordinal", note=value)
    if not 1 <= value <= 31 or after in _COUNTED_BY_ORDINAL or after in UNITS or after in WEEKDAYS:
        return plain
    digits = words[i].isdigit()
    cued = before in BEFORE_MONTHDAY and (the or digits)
    bounded = after in BOUNDARY or after in PARTS
    if cued and (digits or bounded or value > 12) or (digits and bounded):
        day = calendrics.monthly(t.today, value)
        if day is not None:
            return Atom("date", i, j, day, None, (), "monthday", note=("monthday", value))
    return plain


def read_day_word(t: Tokens, i: int) -> Atom:
    """Today, tomorrow, yesterday."""
    count = DAY_WORDS[t.words[i]]
    return Atom("date", i, i + 1, t.today + calendrics.DAY * count, None, (), "relative", note=("day", None))


def read_day_after(t: Tokens, i: int) -> Atom | None:
    """`day after tomorrow`, `day before easter` (joined later with what it counts from), `my day`."""
    words = t.words
    if words[i + 1] in ("after", "before"):
        if words[i + 2] in DAY_WORDS:
            count = DAY_WORDS[words[i + 2]] + (1 if words[i + 1] == "after" else -1)
            return Atom(
                "date", i, i + 3, t.today + calendrics.DAY * count, None, (), "relative", note=("day", None)
            )
        return Atom("duration", i, i + 1, 86400, (1, "day"), (), "unit")
    if i > 1 and words[i - 1] == "the" and words[i - 2] == "for" and words[i + 1] in BOUNDARY:
        return Atom("date", i, i + 1, t.today, None, (), "relative", note=("day", None))
    if (
        i
        and words[i - 1] == "my"
        and words[i + 1] not in ("off", "job", "care", "trip", "pass", "-", "planner")
    ):
        return Atom("date", i - 1, i + 1, t.today, None, (), "relative", note=("day", None))
    return None


def read_holiday(t: Tokens, i: int, count: int = 0, start: int | None = None) -> Atom | None:
    """A holiday's date: the next one, or that of the year that follows; count as in `last easter`."""
    read = holidays.read_holiday(t, i)
    if read is None:
        return None
    name, j = read
    words = t.words
    start = i if start is None else start
    k = j + 1 if words[j] in ("of", "in", ",") else j
    year = read_year(t, k)
    if year is None and words[k] in MODIFIERS and words[k + 1] == "year":
        year = (t.today.year + MODIFIERS[words[k]], k + 2)
    if year is None:
        year = _years_away(t, j)
    if year is not None:
        found = holidays.holiday_date(name, year[0])
        if found is not None:
            return Atom("date", start, year[1], found, None, (), "holiday", note=("exact", None))
    nearby = [holidays.holiday_date(name, t.today.year + y) for y in (-1, 0, 1)]
    past = [d for d in nearby if d is not None and d < t.today]
    ahead = [d for d in nearby if d is not None and d >= t.today]
    chosen = (past[-1:] if count < 0 else ahead[:1]) or (past[-1:] + ahead[:1])
    if not chosen:
        return None
    alts = tuple(past[-1:]) if count >= 0 and past and past[-1].year == t.today.year else ()
    note = ("holiday", past[-1] if past else None)
    return Atom("date", start, j, chosen[0], None, alts, "holiday", note=note)


def _years_away(t: Tokens, j: int) -> tuple[int, int] | None:
    """`in a year`, `1 year ago`, `six years hence`, `3 months ago` after a holiday: its year."""
    words = t.words
    k = j + (words[j] == "in")
    read = read_quantity(t, k)
    if read is None or read[0] != int(read[0]):
        return None
    unit, end = UNITS.get(words[read[1]]), read[1] + 1
    sign = 1 if k > j or words[end] in ("hence", "later") else -1 if words[end] == "ago" else 0
    if unit not in ("year", "month") or sign == 0:
        return None
    day = calendrics.shift(t.today, sign * read[0], unit)
    if day is None:
        return None
    year = day.year - (unit == "month" and sign < 0 and day.month < 6)
    return year, end + (k == j)
