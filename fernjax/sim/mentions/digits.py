"""Dates in digits: 2026-03-05, 3/5, 5.3.2026."""

from __future__ import annotations

import datetime

from fernjax.sim.mentions import calendrics
from fernjax.sim.mentions.lexicon import UNITS
from fernjax.sim.mentions.tokens import Atom, Tokens

BEFORE_MONTHDAY = frozenset(
    "on by until till til from for starting through thru to before after since of and around".split()
)
"""Words before a bare day of the month, or before 1/2 as a date."""


def read_numeric(t: Tokens, i: int) -> Atom | None:
    """A date in digits: 2026-03-05, 2026-03-05T15:00, 3/5, 3/5/26, 5.3.2026, 2/2013."""
    words = t.words
    mark = words[i + 1]
    if mark not in ("-", "/", ".") or not (t.glued(i + 1) and t.glued(i + 2)) or not words[i + 2].isdigit():
        return None
    first, second = words[i], words[i + 2]
    if len(first) > 4 or len(second) > 4 or (t.glued(i) and words[i - 1] in "-/.:" and len(first) < 4):
        return None
    third = words[i + 4] if words[i + 3] == mark and t.glued(i + 3) and t.glued(i + 4) else ""
    if third.isdigit() and len(third) <= 4:
        if t.glued(i + 5) and words[i + 5] in "-." and words[i + 6].isdigit():
            return None
        return _three_parts(t, i, first, second, third, mark)
    if mark != "/" or third:
        return None
    if len(second) == 4 and 1 <= int(first) <= 12 and 1900 <= int(second) < 2200:
        pair = calendrics.month_of(int(second), int(first))
        return Atom("dates", i, i + 3, *pair, (), "numeric", note="month")
    if (
        len(first) > 2
        or len(second) > 2
        or words[i + 3] in UNITS
        or words[i + 3] in ("%", "cup", "cups")
        or (words[i + 3] == "of" and int(second) <= 10)
    ):
        return None
    return _day_and_month(t, i, int(first), int(second))


def _three_parts(t: Tokens, i: int, first: str, second: str, third: str, mark: str) -> Atom | None:
    if len(first) == 4:
        found = calendrics.make_date(int(first), int(second), int(third)) if int(first) else None
        if found is None:
            return None
        j = i + 5
        iso = t.words[j] == "t" and t.glued(j) and t.glued(j + 1) and t.words[j + 1].isdigit()
        return Atom("date", i, j + 1 if iso else j, found, None, (), "numeric", note=("exact", None))
    if len(third) not in (2, 4) or len(first) > 2 or len(second) > 2:
        return None
    year = int(third) if len(third) == 4 else 2000 + int(third)
    a, b = int(first), int(second)
    us, eu = (
        calendrics.make_date(year, a, b) if year else None,
        calendrics.make_date(year, b, a) if year else None,
    )
    if mark == ".":
        us, eu = eu, us
    found = us or eu
    if found is None:
        return None
    alts = (eu,) if us is not None and eu is not None and eu != us else ()
    return Atom("date", i, i + 5, found, None, alts, "numeric", note=("exact", None))


def _day_and_month(t: Tokens, i: int, a: int, b: int) -> Atom | None:
    """`3/5`: month first, the other order as the alternative."""
    before, after = t.words[i - 1] if i else "", t.words[i + 3]
    if (t.glued(i) and before in "+-*=^") or (t.glued(i + 3) and after in "+-*=^"):
        return None
    fraction = (a, b) in ((1, 2), (1, 4), (3, 4), (1, 3), (2, 3))
    if (fraction and before not in BEFORE_MONTHDAY and after != "'s") or (a, b) == (24, 7):
        return None
    readings: list[datetime.date] = []
    for month, day in ((a, b), (b, a)):
        if 1 <= month <= 12 and 1 <= day <= 31:
            found, alts = calendrics.yearly(t.today, month, day)
            readings += [] if found is None else [found, *alts]
    if not readings:
        return None
    note = ("yearly", (readings[0].month, readings[0].day))
    others = tuple(dict.fromkeys(r for r in readings[1:] if r != readings[0]))
    return Atom("date", i, i + 3, readings[0], None, others, "numeric", note=note)
