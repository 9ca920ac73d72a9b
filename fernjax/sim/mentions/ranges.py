"""Two ends of a range of dates or moments: "monday to wednesday", "friday at 3 to monday at 4"."""

from __future__ import annotations

import datetime

from fernjax.sim.mentions import calendrics
from fernjax.sim.mentions.calendrics import moment_at
from fernjax.sim.mentions.lexicon import COUNTED, MODIFIERS, UNITS, UNTIL, WEEKDAYS
from fernjax.sim.mentions.tokens import Atom, Tokens, loose_gap


def join_range(t: Tokens, x: Atom, y: Atom) -> Atom | None:
    """`monday to wednesday`, `the 10th through the 14th of april`, `friday at 3 to monday at 4`."""
    if y.i - x.j > 3:
        return None
    between = loose_gap(t, x, y)
    if between is None or len(between) != 1:
        return None
    before = t.words[x.i - 1] if x.i else ""
    if before == "the" and x.i > 1:
        before = t.words[x.i - 2]
    word = between[0]
    if word == "and":
        if before not in ("between", "btwn"):
            return None
    elif word not in UNTIL and not (word == "/" and x.kind == "datetime"):
        return None
    if x.kind in ("date", "ordinal", "number") and y.kind in ("date", "ordinal", "number"):
        return _join_dates(t, x, y)
    if x.kind == "dates" and y.kind == "dates" and "month" in (x.note, y.note):
        last = y.b
        while last < x.a:
            last = calendrics.month_of(last.year + 1, last.month)[1]
        return Atom("dates", x.i, y.j, x.a, last, (), "span")
    if x.kind == "datetime" and x.form not in ("now", "ago"):
        if y.kind == "datetime" and y.note is not None and y.a > x.a:
            return Atom("span", x.i, y.j, x.a, y.a, (), x.form)
        if y.kind == "time" and word not in ("to", "-") and x.note is not None and x.note[0] == "clock":
            end = min((y.a, *y.alts), key=lambda m: (m - x.a.hour * 60 - x.a.minute - 1) % 1440)
            stop = moment_at(x.a.date(), end)
            stop += calendrics.DAY if stop <= x.a else datetime.timedelta()
            return Atom("span", x.i, y.j, x.a, stop, (), x.form)
    return None


def join_through(t: Tokens, x: Atom, y: Atom) -> Atom | None:
    """`monday through friday 9-5`: through and a dash join dates before a time joins the second."""
    if (
        x.kind != "date"
        or y.kind != "date"
        or loose_gap(t, x, y) not in (("through",), ("thru",), ("-",), ("–",), ("and",))
    ):
        return None
    if t.words[y.i - 1] in ("and", "the") and loose_gap(t, x, y) == ("and",) and not _between(t, x):
        return None
    return _join_dates(t, x, y)


def _between(t: Tokens, x: Atom) -> bool:
    k = x.i - 1 if x.i else 0
    k -= k > 0 and t.words[k] == "the"
    return t.words[k] in ("between", "btwn")


def _join_dates(t: Tokens, x: Atom, y: Atom) -> Atom | None:
    if x.kind == "date" and y.kind == "date":
        if x.note is None or x.note[0] == "monthday" and x.form != "weekday":
            first = calendrics.make_date(y.a.year, y.a.month, x.a.day)
            if y.form == "calendar" and first is not None and first < y.a:
                return Atom("dates", x.i, y.j, first, y.a, (), "span")
        last = None if _goes_back(t, x, y) else _after(x.a, y)
        return None if last is None else Atom("dates", x.i, y.j, x.a, last, (), "span")
    if y.kind == "date":
        named = x.kind == "number" and x.i > 1 and t.words[x.i - 2 : x.i] == [t.words[x.i], "on"]
        if named or y.form != "calendar" or not isinstance(x.a, int) or not 1 <= x.a < y.a.day:
            return None
        return Atom("dates", x.i, y.j, calendrics.make_date(y.a.year, y.a.month, x.a), y.a, (), "span")
    if x.kind == "date" and x.form in ("calendar", "monthday") and isinstance(y.a, int) and x.a.day < y.a:
        after = t.words[y.j]
        if y.kind == "number" and (after in UNITS or after in COUNTED or after[:1].isdigit()):
            return None
        last = calendrics.make_date(x.a.year, x.a.month, y.a)
        return None if last is None else Atom("dates", x.i, y.j, x.a, last, (), "span")
    return None


def _goes_back(t: Tokens, x: Atom, y: Atom) -> bool:
    """Whether the second date cannot end a stretch that begins at the first: "from july 8 to this friday"."""
    if y.a > x.a or not isinstance(y.note, tuple):
        return False
    words = t.words
    if words[y.i] in MODIFIERS:
        return True
    if y.form == "weekday" and words[y.i] in WEEKDAYS:
        if y.note[0] == "weekday" and y.j > y.i + 1:
            return True  # "from this tuesday to monday next week", said in that week.
        return x.form != "weekday" and ((x.a - t.today).days > 7 or (x.form == "relative" and y.a == x.a))
    if y.note[0] == "monthday":
        return words[y.i] in WEEKDAYS or y.note[1] == x.a.day
    end = _after(x.a, y)
    return y.note[0] == "yearly" and end is not None and (end - x.a).days > 183


def _after(first: datetime.date, y: Atom) -> datetime.date | None:
    """The end of a range of dates, moved on to lie after its start."""
    if y.a > first:
        return y.a
    if not isinstance(y.note, tuple):
        return None
    how, what = y.note
    if how == "weekday":
        return calendrics.next_weekday(first, what)
    if how == "monthday":
        return calendrics.monthly(first + calendrics.DAY, what)
    if how == "yearly":
        return calendrics.yearly(first, *what)[0]
    return None
