"""Lengths of time, and moments counted from now: "two hours", "in half an hour", "3 days ago"."""

from __future__ import annotations

import datetime

from fernjax.sim.mentions import calendrics
from fernjax.sim.mentions.lexicon import (
    BOUNDARY,
    DAY_WORDS,
    GLUED_UNITS,
    MERIDIEMS,
    MODIFIERS,
    ONES,
    UNIT_SECONDS,
    UNITS,
    UNTIL,
)
from fernjax.sim.mentions.numbers import read_integer, read_quantity
from fernjax.sim.mentions.tokens import Atom, Tokens

_LONG_UNITS = frozenset({"day", "week", "fortnight", "month", "quarter", "year", "decade"})
_RATES = frozenset({"once", "twice", "thrice", "times", "time", "per", "days", "hours", "day"})
_IDIOMS = frozenset({"just", "wait", "hold", "hang", "on", "got", "have", "take"})
_PARTICLE_VERBS = frozenset(
    """fit squeeze pencil slot get put work book fitting squeezing fits slotting putting cram sneak stick pop
    block""".split()
)
_LENGTH_CUES_BEFORE = frozenset(
    {"for", "in", "about", "within", "than", "takes", "lasting", "lasts", "another"}
)
_LENGTH_CUES_AFTER = frozenset(
    {"ago", "hence", "from", "later", "before", "after", "long", "and", "back", "prior", "ahead"}
)


def read_duration(t: Tokens, i: int) -> Atom | None:
    """A length of time, and, where the words say so, the moment that far from now."""
    read = read_quantity(t, i)
    if read is None:
        return None
    count, j = read
    words = t.words
    if (
        words[i].isdigit()
        and j == i + 2
        and words[i + 1] == "m"
        and words[i - 1] in ("for", "in", "of", "another", "")
    ):
        count, j = int(words[i]), i + 1  # "for 45m" is no 45 million.
    if words[j] in ("more", "full", "whole", "-", "additional", "extra") and words[j + 1] in UNITS:
        j += 1
    unit = UNITS.get(words[j])
    if unit is None and j > i and t.glued(j):
        unit = GLUED_UNITS.get(words[j])
        if words[j] == "s" and words[i - 1] not in ("for", "in", "of", "after"):
            return None
        if unit is None and words[j] == "'" and words[j + 1] not in ("s", "m", "o"):
            unit = "minute"
    elif unit is None and words[j] == "h" and count < 6:
        unit = "hour"
    if unit not in UNIT_SECONDS or (unit == "quarter" and words[j] == "quarter"):
        return None
    if words[i] in ("a", "an") and j == i + 1 and not _counts(t, i, unit):
        return None
    if count > 1 and words[j] == "day" and words[j + 1] == "after" and words[j + 2] in DAY_WORDS:
        return None  # "at five day after tomorrow".
    j += 1
    if words[j] == "old":
        return None
    seconds, j = read_smaller(t, j, count * UNIT_SECONDS[unit], unit)
    whole = seconds == count * UNIT_SECONDS[unit]
    note = (count, unit) if whole else (seconds, "second")
    return _relate(t, Atom("duration", i, j, round(seconds), note, (), "length"))


def _counts(t: Tokens, i: int, unit: str) -> bool:
    """Whether "a" or "an" before a unit says a length, not a rate or an idiom."""
    before, after = t.words[i - 1], t.words[i + 2]
    if before in _RATES:
        return False
    if unit == "second" and after not in BOUNDARY and after not in _LENGTH_CUES_AFTER:
        return False
    if unit in ("second", "minute") and before in _IDIOMS and after not in _LENGTH_CUES_AFTER:
        return False
    if unit in _LONG_UNITS:
        return before in _LENGTH_CUES_BEFORE or after in _LENGTH_CUES_AFTER or t.size <= 2
    return True


def read_smaller(t: Tokens, j: int, seconds: float, unit: str) -> tuple[float, int]:
    """What follows a first unit: "and a half", "and 45 minutes", "thirty"."""
    words = t.words
    k = j + 1 if words[j] == "and" else j
    k += words[k] == ","
    if k > j and words[k] in ("half", "quarter") and words[k + 1] not in UNITS:
        return seconds + UNIT_SECONDS[unit] * (0.5 if words[k] == "half" else 0.25), k + 1
    half = k > j and words[k] in ("a", "an") and words[k + 1] in ("half", "quarter")
    clock = words[k + 2] == "to" and (words[k + 3] in ONES or words[k + 3][:1].isdigit())
    if half and words[k + 2] not in UNITS and words[k + 2] not in ("an", "past") and not clock:
        return seconds + UNIT_SECONDS[unit] * (0.5 if words[k + 1] == "half" else 0.25), k + 2
    read = read_integer(t, k)
    if read is None:
        return seconds, j
    count, end = read
    smaller = UNITS.get(words[end]) or (GLUED_UNITS.get(words[end]) if t.glued(end) else None)
    if smaller in UNIT_SECONDS and UNIT_SECONDS[smaller] < UNIT_SECONDS[unit] and words[end] != "quarter":
        seconds, j = seconds + count * UNIT_SECONDS[smaller], end + 1
        return read_smaller(t, j, seconds, smaller) if smaller == "hour" else (seconds, j)
    glued = t.glued(k) and words[k].isdigit()
    if (
        (
            unit == "hour"
            and 0 < count < 60
            and (glued or (words[end] in BOUNDARY and words[end] not in MERIDIEMS))
        )
        and words[end] not in (":", "/", "-", "–")
        and not (k == j and count < 5)
        and words[k - 1] != ","
    ):
        return seconds + count * 60, end
    return seconds, j


def _relate(t: Tokens, atom: Atom) -> Atom:
    """The moment that a length points to ("in ...", "... ago", "... from now"), else the length."""
    words = t.words
    i, j = atom.i, atom.j
    follower, second = words[j], words[j + 1]
    if follower == "ago" or (follower == "back" and second in BOUNDARY and second not in UNTIL):
        return moment(t, atom, -1, i, j + 1) or atom
    if follower == "hence" or (follower == "later" and second in BOUNDARY and second != "this"):
        return moment(t, atom, 1, i, j + 1) or atom
    if follower == "from" and second in ("now", "today", "tonight"):
        return moment(t, atom, 1, i, j + 2) or atom
    before = words[i - 1] if i else ""
    k = i - 1
    if before in ("about", "around", "like", "approximately", "the", "another", "exactly") and i > 1:
        k, before = i - 2, words[i - 2]
    if before == "in" and not (k and words[k - 1] == "once"):
        if k and (words[k - 1] in _PARTICLE_VERBS or _has_in(t, k, j)):
            return atom
        doubled = k > 1 and words[k - 1] == "in" and words[k - 2] in _PARTICLE_VERBS
        if (doubled or follower == "of") and atom.b[1] not in _LONG_UNITS:
            return atom
        return moment(t, atom, 1, k, j) or atom
    if before == "after" and second not in UNITS and words[j] in BOUNDARY:
        return moment(t, atom, 1, k, j) or atom
    if before == "within":
        return _within(t, atom, k) or atom
    return atom


def _has_in(t: Tokens, k: int, j: int) -> bool:
    """Whether "have in an hour" asks for room, not what there is in an hour; k is at "in"."""
    if t.words[k - 1] != "have":
        return False
    asked = k > 1 and t.words[k - 2] in ("i", "we", "they", "you")
    return not asked and not (k > 1 and t.words[k - 2] == "to" and t.words[j] in ("", ".", "?", "!"))


def moment(t: Tokens, atom: Atom, sign: int, i: int, j: int) -> Atom | None:
    """The moment a length before (-1) or after (1) now; None past the calendar's ends."""
    count, unit = atom.b
    form = "ahead" if sign > 0 else "ago"
    if unit in _LONG_UNITS and count == int(count):
        day = calendrics.shift(t.today, sign * count, unit)
        if day is None:
            return None
        if sign < 0 and unit in ("year", "decade"):
            return Atom("dates", i, j, *calendrics.month_of(day.year, day.month), (), form)
        return Atom("date", i, j, day, None, (), form, note=("day", None))
    if atom.a > 3_000_000_000:
        return None
    when = t.now + datetime.timedelta(seconds=sign * atom.a)
    return Atom("datetime", i, j, when, None, (), form)


def _within(t: Tokens, atom: Atom, i: int) -> Atom | None:
    end = moment(t, atom, 1, i, atom.j)
    if end is None:
        return None
    if end.kind == "date":
        last = max(t.today, end.a - calendrics.DAY)  # "within 0 days" is today
        return Atom("dates", i, atom.j, t.today, last, (), "ahead")
    return Atom("span", i, atom.j, t.now, end.a, (), "ahead")


def read_window(t: Tokens, i: int, k: int, sign: int) -> Atom | None:
    """`next 3 hours`, `last two weeks`, `past few days`: whole units around now; k is the count's word."""
    words = t.words
    read = read_quantity(t, k)
    if read is None or read[0] != int(read[0]) or words[k] in ("a", "an"):
        return None
    count, j = int(read[0]), read[1]
    if words[j] in MODIFIERS and words[j + 1] in UNITS:
        j += 1
    unit = UNITS.get(words[j])
    if unit is None or not 0 < count < 10_000 or unit == "decade" or sign == 0 or words[j + 1] == "weekend":
        return None
    return window(t, i, j + 1, sign, count, unit)


def window(t: Tokens, i: int, j: int, sign: int, count: int, unit: str) -> Atom | None:
    """Count whole units before (-1) or after (1) the one under way; smaller units before or after now."""
    if unit in ("second", "minute", "hour"):
        step = datetime.timedelta(seconds=UNIT_SECONDS[unit])
        base = t.now.replace(second=0) if unit != "second" else t.now
        if unit == "hour":
            base = base.replace(minute=0)
        begin = base + step if sign > 0 and unit == "hour" else base
        pair = (begin, begin + step * count) if sign > 0 else (base - step * count, base)
        return Atom("span", i, j, *pair, (), "period")
    first, _ = calendrics.unit_of(t.today, unit if unit != "fortnight" else "week")
    near = calendrics.shift(first, 1 if sign > 0 else -count, unit)
    far = calendrics.shift(first, count + 1 if sign > 0 else 0, unit)
    if near is None or far is None:
        return None
    end = (
        calendrics.unit_of(far - calendrics.DAY * 3, "weekend")[1]
        if unit == "weekend"
        else far - calendrics.DAY
    )
    return Atom("dates", i, j, near, end, (), "period")
