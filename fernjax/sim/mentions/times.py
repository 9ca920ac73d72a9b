"""Clock times and parts of the day."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import (
    BOUNDARY,
    DAY_WORDS,
    MERIDIEMS,
    MODIFIERS,
    MONTHS,
    OCLOCK,
    ONES,
    ORDINALS,
    PARTS,
    PLURAL_WEEKDAYS,
    UNITS,
    WEEKDAYS,
)
from fernjax.sim.mentions.numbers import read_integer
from fernjax.sim.mentions.tokens import Atom, Tokens

_CLOCK_CUES = frozenset(
    {"at", "@", "by", "around", "about", "approximately", "like", "from", "until", "till", "til"}
)
_MINUTE_WORDS = (5, 10, 20, 25)
_NOT_COUNTED = frozenset({"past", "to", "of", "before", "after", "till", "til"})
_ISH = frozenset({"ish", "sharp", "exactly"})
_NIGHT_CUES = frozenset(
    """at by each every per the that late early all to until till til before after since during in on over for
    of from through and or & , . ; : ! ? ( st nd rd th day eve christmas xmas thanksgiving easter tonight
    tonite""".split()
)
_EVENING_NOUNS = frozenset({"parents", "parent", "social", "open", "games"})
_PART_NOUNS = frozenset({"coffee", "tea", "run", "out", "shift", "class", "walk", "swim", "yoga", "stroll"})
HALF_DAY = 720
AFTER_EVENTS = {"lunch": (780, 1020), "school": (900, 1260), "work": (1020, 1260), "dinner": (1140, 1320)}
"""Hours that "after lunch" and the like mean, in minutes."""


def read_clock(t: Tokens, i: int) -> Atom | None:
    """A time on the clock, from its first word: 3pm, 15:30, half past two, quarter to six, noon, 3 o'clock.

    A bare number that may be an hour is a `number` atom whose note is `(hour, minute, index of a second
    number or None)`; what stands around it decides.
    """
    words = t.words
    word = words[i]
    if word in ("noon", "midday", "noontime", "midnight"):
        return Atom("time", i, i + 1, 0 if word == "midnight" else HALF_DAY, 0, (), "word")
    if word == "mid" and words[i + 1] == "day":
        return Atom("time", i, i + 2, HALF_DAY, 0, (), "word")
    past = read_past(t, i)
    if past is not None:
        return past
    if word[:1].isdigit():
        found = _read_digital(t, i)
        if found is not None:
            return found
    return _read_spoken(t, i)


def time_atom(
    t: Tokens, i: int, j: int, hour: int, minute: int, meridiem: int | None, form: str = "clock"
) -> Atom:
    """A time with the other half of the day as its alternative where none is said; takes in "ish"."""
    words = t.words
    if words[j] == "-" and words[j + 1] in _ISH:
        j += 1
    if words[j] in _ISH:
        j += 1
    if meridiem is not None and 1 <= hour <= 12:
        return Atom("time", i, j, hour % 12 * 60 + minute + meridiem, 0, (), form)
    if hour > 12 or hour == 0:
        return Atom("time", i, j, hour % 24 * 60 + minute, 0, (), form)
    value = hour % 12 * 60 + minute + (HALF_DAY if hour < 7 or hour == 12 else 0)
    return Atom("time", i, j, value, 0, ((value + HALF_DAY) % 1440,), form)


def read_meridiem(t: Tokens, j: int) -> tuple[int | None, int]:
    """Minutes that am or pm adds (None where not said), and the index after it."""
    words = t.words
    word = words[j]
    found = MERIDIEMS.get(word)
    if found is not None:
        return found, j + 1 + (words[j + 1] == "." and t.glued(j + 1) and words[j + 2] != "")
    if word in ("a", "p"):
        if words[j + 1] == "m":
            return (0 if word == "a" else HALF_DAY), j + 2
        if j and t.glued(j) and words[j - 1].isdigit() and not (t.glued(j + 1) and words[j + 1].isalnum()):
            return (0 if word == "a" else HALF_DAY), j + 1
    if word == "in" and words[j + 1] == "the" and words[j + 2] in MERIDIEMS:
        return MERIDIEMS[words[j + 2]], j + 3
    if word == "." and t.glued(j) and words[j + 1] in ("am", "pm") and t.glued(j + 1):
        return MERIDIEMS[words[j + 1]], j + 2
    return None, j


def _read_digital(t: Tokens, i: int) -> Atom | None:
    """Digits with a colon, a dot, an h, or run together before am or pm."""
    words = t.words
    word = words[i]
    if len(word) > 4:
        return None
    hour = int(word)
    mark, rest = words[i + 1], words[i + 2]
    minutes = len(rest) == 2 and rest.isdigit() and int(rest) < 60 and t.glued(i + 2)
    if len(word) <= 2 and hour <= 24 and t.glued(i + 1) and minutes and mark in (":", "h", "."):
        return _read_colon(t, i, hour, mark)
    if len(word) <= 2 and mark == "h" and t.glued(i + 1) and hour <= 24 and not t.glued(i + 2):
        if hour >= 13 or words[i - 1] in ("at", "from", "past", "until", "@") or words[i - 1] in _NOT_COUNTED:
            return time_atom(t, i, i + 2, hour, 0, None)
        return None
    if len(word) >= 3:
        hour, minute = divmod(hour, 100)
        meridiem, j = read_meridiem(t, i + 1)
        if minute < 60 and meridiem is not None and 1 <= hour <= 12:
            return time_atom(t, i, j, hour, minute, meridiem)
        if minute < 60 and hour < 24 and len(word) == 4 and words[i + 1] in ("hrs", "hours", "h"):
            return Atom("time", i, i + 2, hour * 60 + minute, 0, (), "clock")
    return None


def _read_colon(t: Tokens, i: int, hour: int, mark: str) -> Atom | None:
    words = t.words
    minute, j, seconds = int(words[i + 2]), i + 3, 0
    if mark == ":" and words[j] == ":" and len(words[j + 1]) == 2 and words[j + 1].isdigit():
        seconds, j = int(words[j + 1]), j + 2
    meridiem, end = read_meridiem(t, j)
    if (
        mark == "."
        and meridiem is None
        and (
            words[i - 1] not in _CLOCK_CUES
            or (words[j] == "." and words[j + 1].isdigit())
            or words[j] in UNITS
        )
    ):
        return None
    if words[end] in OCLOCK:
        end += 1
    if meridiem is None and (words[i][0] == "0" or hour == 24):
        meridiem = 0 if hour < 12 else None
    if mark == "h" and meridiem is None and hour < 6:
        return None
    atom = time_atom(t, i, end, hour, minute, meridiem)
    atom.b = seconds if seconds < 60 else 0
    return atom


def _read_spoken(t: Tokens, i: int) -> Atom | None:
    """An hour in digits or words with minutes, am, pm or o'clock after it; else a number that may be one."""
    words = t.words
    read = read_integer(t, i)
    if read is None:
        return None
    hour, j = read
    if len(words[i]) > 2 and words[i].isdigit():
        if not 3 <= len(words[i]) <= 4 or hour % 100 > 59 or hour > 2359 or words[i][0] == "0" and hour > 959:
            return None
        return Atom("number", i, j, hour, None, (), "number", note=(hour // 100, hour % 100, None))
    if words[j - 1] == "hundred" and hour % 100 == 0:
        return _read_hundred(t, i, j, hour // 100)
    if hour > 24:
        return None
    if words[j] == "h" and words[j + 1] not in BOUNDARY:
        return None
    meridiem, end = read_meridiem(t, j)
    minute, after, second = 0, j, None
    if meridiem is None:
        minute, after, second = _read_minutes(t, j)
        meridiem, end = read_meridiem(t, after)
    noon = words[end] in ("noon", "midday", "midnight") and hour == 12 and second is None
    if noon:
        return Atom("time", i, end + 1, HALF_DAY if words[end] != "midnight" else 0, 0, (), "word")
    quote = words[end] == "'" and words[end + 1] == "o"
    clock = words[end] in OCLOCK or (words[end + quote] == "o" and words[end + quote + 1] == "clock")
    if clock:
        end += 1 if words[end] in OCLOCK else 2 + quote
        if meridiem is None:
            meridiem, end = read_meridiem(t, end)
    if meridiem is None and not clock:
        return Atom("number", i, j, hour, None, (), "number", note=(hour, minute, second and (second, after)))
    if hour == 0 or (meridiem is not None and hour > 12 and not (meridiem and hour < 24)):
        return None
    return time_atom(t, i, end, hour, minute, meridiem)


def _read_hundred(t: Tokens, i: int, j: int, hour: int) -> Atom | None:
    """`four hundred am`, `at fifteen hundred hours`."""
    meridiem, end = read_meridiem(t, j)
    if meridiem is not None and t.words[j] != "a" and 1 <= hour <= 12:
        return time_atom(t, i, end, hour, 0, meridiem)
    if i and t.words[i - 1] in _CLOCK_CUES and t.words[j] in ("hours", "hrs") and hour < 24:
        return Atom("time", i, j + 1, hour * 60, 0, (), "clock")
    return None


def _read_minutes(t: Tokens, j: int) -> tuple[int, int, int | None]:
    """Minutes said after an hour: "15", "thirty", "oh five"; the index after them, and their number."""
    words = t.words
    k = j + 1 if words[j] == "-" and t.glued(j) and words[j + 1].isalpha() else j
    if words[k] in ("oh", "o", "0") and 0 < ONES.get(words[k + 1], 0) < 10:
        return ONES[words[k + 1]], k + 2, ONES[words[k + 1]]
    read = read_integer(t, k)
    if read is None or not 10 <= read[0] < 60 or (words[k].isdigit() and len(words[k]) != 2):
        if words[k].isdigit() and len(words[k]) == 2 and words[k][0] == "0":
            return int(words[k]), k + 1, int(words[k])
        return 0, j, None
    day = words[read[1] + 1]
    if words[read[1]] in MONTHS and not (day in BOUNDARY or day[:1].isdigit() or day in ORDINALS):
        return 0, j, None
    return read[0], read[1], read[0]


def read_past(t: Tokens, i: int) -> Atom | None:
    """Half past two, a quarter to six, 20 minutes past 3pm, five to noon, half four."""
    words = t.words
    k = i + 1 if words[i] in ("a", "an") else i
    if words[k] == "half":
        if words[k + 1] == "past":
            return _hour_after(t, i, k + 2, 30)
        read = read_integer(t, k + 1)
        if read is not None and 1 <= read[0] <= 12 and words[read[1]] in BOUNDARY and k == i:
            return time_atom(t, i, read[1], read[0], 30, None)
        return None
    if words[k] in ("quarter", "qtr"):
        minute, j, marked = 15, k + 1, True
    else:
        read = read_integer(t, i)
        if read is None or not 1 <= read[0] < 60:
            return None
        minute, j = read
        marked = UNITS.get(words[j]) == "minute"
        j += marked
    word = words[j]
    if word == "past" or (word == "after" and words[k] in ("quarter", "qtr")):
        return _hour_after(t, i, j + 1, minute)
    if word in ("to", "till", "til", "of", "before"):
        quarter = words[k] in ("quarter", "qtr")
        if quarter or (marked and word != "of" and word != "before"):
            return _hour_after(t, i, j + 1, -minute)
        if minute in _MINUTE_WORDS and word in ("to", "till", "til") and _said_as_clock(t, i, j + 1):
            return _hour_after(t, i, j + 1, -minute)
    return None


def _said_as_clock(t: Tokens, i: int, j: int) -> bool:
    """Whether "ten to three" is 2:50, not a range."""
    before = t.words[i - 1]
    if t.words[j] in ("noon", "midnight", "midday"):
        return t.words[i] in ("five", "ten", "twenty") or before in ("at", "@", "around", "about")
    if before == "like" and t.words[i - 2] in ("look", "looks", "looking"):
        return False
    return before in ("at", "@", "by", "around", "about", "like", "its", "'s") and t.words[j + 1] != ":"


def _hour_after(t: Tokens, i: int, j: int, minute: int) -> Atom | None:
    """The hour that minutes past (or, negative, before) are told by."""
    words = t.words
    if words[j] in ("noon", "midday", "midnight"):
        base = 0 if words[j] == "midnight" else HALF_DAY
        return Atom("time", i, j + 1, (base + minute) % 1440, 0, (), "clock")
    read = read_integer(t, j)
    if read is None or not 0 <= read[0] <= 24 or (words[j].isdigit() and len(words[j]) > 2):
        return None
    hour, j = read
    if words[j] == "h" and t.glued(j):
        j += 1
    meridiem, j = read_meridiem(t, j)
    if words[j] in OCLOCK:
        j += 1
        if meridiem is None:
            meridiem, j = read_meridiem(t, j)
    if words[j] == ":":
        return None
    if minute < 0:
        atom = time_atom(t, i, j, hour, 0, meridiem)
        if hour == 7 and meridiem is None:
            atom.a, atom.alts = atom.alts[0], (atom.a,)
        atom.a = (atom.a + minute) % 1440
        atom.alts = tuple((a + minute) % 1440 for a in atom.alts)
        return atom
    return time_atom(t, i, j, hour, minute, meridiem)


def read_part(t: Tokens, i: int) -> Atom | None:
    """A part of the day: morning, early in the morning, late night."""
    words = t.words
    word = words[i]
    if word in ("early", "late"):
        j = i + 1
        if words[j] == "in" and words[j + 1] == "the":
            j += 2
        elif words[j] == "hours":
            j += 1
            j += words[j] in ("of", "in")
            j += words[j] == "the"
        if words[j] not in PARTS:
            return None
        name, start, end = PARTS[words[j]]
        if word == "early":
            end = start + 540 if name == "morning" else start + (end - start) // 2
        else:
            start = end - 180
        return Atom("part", i, j + 1, start, end, (), "part", name)
    if word in AFTER_EVENTS and words[i - 1] == "after" and i and words[i + 1] in BOUNDARY:
        return Atom("part", i, i + 1, *AFTER_EVENTS[word], (), "part", "", note="event")
    if word in ("school", "work", "dinner"):
        return None
    if word in ("lunchtime", "lunch"):
        j = i + 2 if word == "lunch" and words[i + 1] == "time" else i + 1
        if word == "lunch" and j == i + 1 and words[i - 1] != "at":
            return None
        return Atom("part", i, j, 720, 840, (), "part", "afternoon", note="lunch")
    if word not in PARTS or words[i - 1] == "good" or (word == "eve" and words[i - 1] != "tomorrow"):
        return None
    if words[i + 1] == "tea" and PARTS[word][0] == "afternoon":
        return None
    k = i - 1 - (words[i - 1] == "'")
    if i and (words[k] in _EVENING_NOUNS or (words[k] == "'s" and words[i + 1] in _PART_NOUNS)):
        return None
    if PARTS[word][0] == "night" and not _is_of_day(t, i):
        return None
    name, start, end = PARTS[word]
    return Atom("part", i, i + 1, start, end, (), "part", name)


def _is_of_day(t: Tokens, i: int) -> bool:
    """Whether "night" is a part of the day, not what a noun before it names (quiz night, date night)."""
    words = t.words
    if i == 0:
        return True
    k = i - 1
    k -= k > 0 and words[k] in ("'s", "-", "'")
    before = words[k]
    if words[i + 1] in _PART_NOUNS and (before in ("the", "a") or before[:1].isdigit()):
        return False
    return (
        before in _NIGHT_CUES
        or before in WEEKDAYS
        or before in PLURAL_WEEKDAYS
        or before in DAY_WORDS
        or before in MODIFIERS
        or before in MERIDIEMS
        or before in OCLOCK
        or before in ONES
        or before[:1].isdigit()
    )


def settle(minutes: int, alts: tuple[int, ...], part: str) -> int:
    """Which of two times a part of the day means; 1440 and more is after midnight."""
    if not alts:
        return minutes
    early = min(minutes, alts[0])
    late = early + HALF_DAY
    if part == "morning":
        return early
    if part == "night" and early < 300:
        return early + (1440 if early < 60 else 0)
    if part in ("evening", "night") and late < HALF_DAY + 60:
        return 1440 + early
    return late
