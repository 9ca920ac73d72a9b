"""Which bare numbers are hours, and ranges of clock times."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import (
    BOUNDARY,
    COUNTED,
    DAY_WORDS,
    MODIFIERS,
    MONTHS,
    ONES,
    ORDINALS,
    PARTS,
    TENS,
    TONIGHT,
    UNITS,
    UNTIL,
    WEEKDAYS,
)
from fernjax.sim.mentions.numbers import read_ordinal
from fernjax.sim.mentions.times import HALF_DAY, settle, time_atom
from fernjax.sim.mentions.tokens import Atom, Tokens, gap

_STRONG = frozenset({"at", "@", "til", "till", "until"})
_MEDIUM = frozenset(
    {"by", "before", "after", "around", "approximately", "approx", "like", "past", "since", "than"}
)
_BETWEEN = frozenset({"between", "btwn", "btw", "betwen", "beetween"})
_RANGE_START = _BETWEEN | {"from", "at", "frm"}
_DAYS = frozenset({"date", "span", "part"})
_TO_NUMBER = frozenset(
    {
        (),
        ("at",),
        ("@",),
        (",",),
        ("by",),
        ("around",),
        ("about",),
        ("at", "around"),
        ("at", "about"),
        ("'s",),
        ("from",),
        ("between",),
        ("btwn",),
    }
)
_TO_DAY = frozenset({(), ("in", "the"), ("in",), ("on",), ("this",), ("of",), ("at",)})
_DATE_FORMS = frozenset({"relative", "weekday", "calendar", "monthday", "holiday"})
_MEASURED = frozenset(
    """divided divide divisible multiplied multiply times increase increased decrease decreased raise lower
    reduce dim brighten volume brightness speakers number numbers level brighter louder quieter
    zero""".split()
)
_LABELLED = frozenset(
    """room rooms building bldg gate court floor terminal suite hall apartment apt unit table platform studio
    class grade level page chapter route highway bus flight version number no lane pier zone booth seat field
    pitch track stage phase round season episode part section""".split()
)
"""Nouns that a number names one of: "room 7" is no hour."""
_SIZES = frozenset(
    """count counter guests people attendees participants quantity amount size seats capacity price limit
    score temperature thermostat heat heating ac channel duration length speed add subtract minus
    countdown listen scale rate page""".split()
)
"""Words of a sentence in which a number after "to" or "from" is an amount."""
_PARTS_OF_ONE = frozenset("third thirds fourths fifth fifths sixth tenth tenths eighth eighths".split())
"""What a number before it counts parts of one with: the "one" of "up by one third" is no hour."""
_STREETS = frozenset(
    "street st road rd avenue ave lane drive blvd boulevard way square parkway terrace crescent".split()
)
_RANGE_FORMS = frozenset({"number", "calendar", "monthday", "numeric"})
_CLOSERS = frozenset(
    ["", ".", ",", "!", "?", ";", "instead", "please", "pls", "plz", "thanks", "thank", "ok"]
)
_NUMBER_NAMES = frozenset({("7", "eleven"), ("seven", "eleven"), ("24", "7"), ("7", "11")})
_DETERMINERS = frozenset({"my", "the", "our", "his", "her", "their", "your", "this", "that", "'s", "a", "an"})


def promote(t: Tokens, atoms: list[Atom]) -> list[Atom]:
    """Turns the numbers that are hours into times; the others stay numbers."""
    out: list[Atom] = []
    last = 0
    for k, atom in enumerate(atoms):
        if atom.i < last:
            continue
        if atom.kind == "number" and atom.note is not None:
            after = next((a for a in atoms[k + 1 : k + 3] if a.i >= _end(atom)), None)
            atom = _promote(t, atom, out[-1] if out else None, after)
        out.append(atom)
        last = atom.j
    return out


def _end(atom: Atom) -> int:
    """One past the last word that the number takes as a clock time."""
    second = atom.note[2]
    return second[1] if second else atom.j


def _promote(t: Tokens, atom: Atom, before_atom: Atom | None, after_atom: Atom | None) -> Atom:
    words = t.words
    hour, minute, second = atom.note
    end = _end(atom)
    before = words[atom.i - 1] if atom.i else ""
    if before in _BETWEEN and second and words[end] not in UNTIL and words[end] != "and":
        first = time_atom(t, atom.i, atom.j, hour, 0, None)
        if 1 <= hour <= 24 and 1 <= second[0] <= 24:
            return _span_times(first, time_atom(t, atom.j, end, second[0], 0, None))
    if _is_hour(t, atom, end, before, before_atom, after_atom):
        return time_atom(t, atom.i, end, hour, minute, None, "clock" if minute or second else "bare")
    linked = _linked(words, before, before_atom, atom)
    bounded = words[end] in BOUNDARY or (after_atom is not None and after_atom.i == end)
    bounded = bounded or linked and words[end] not in UNITS and words[end] not in COUNTED
    opens = words[end] in UNTIL and (words[end + 1] in ONES or words[end + 1][:1].isdigit())
    if second and bounded and (before in _RANGE_START or linked or (opens and hour <= 12)):
        atom.j, atom.note = end, (hour, minute, None)
    return atom


def _linked(words: list[str], before: str, before_atom: Atom | None, atom: Atom) -> bool:
    """Whether a number ends a range that the atom before it begins."""
    if before_atom is None or before_atom.j != atom.i - 1 or before_atom.kind not in ("time", "number"):
        return False
    begun = before == "and" and before_atom.i > 0 and words[before_atom.i - 1] in _BETWEEN
    return before in UNTIL or begun


def _is_hour(
    t: Tokens, atom: Atom, end: int, before: str, before_atom: Atom | None, after_atom: Atom | None
) -> bool:
    words = t.words
    after = words[end]
    if atom.note[0] > 24 or (after == "-" and words[end + 1] == "ish") or after == "ish":
        return atom.note[0] <= 24
    day_after = after_atom is not None and after_atom.i == end and after_atom.kind == "date"
    if (after in UNITS and not day_after) or after in COUNTED or (after in _PARTS_OF_ONE and not day_after):
        return False
    if _measured(words, atom.i) or _names(t, atom, end, before):
        return False
    digits = len(words[atom.i]) if words[atom.i].isdigit() else 0
    bounded = after in BOUNDARY or (after_atom is not None and after_atom.i == end)
    if digits and _is_address(words, end):
        return False
    if before in _STRONG or (
        before in ("about", "around", "exactly") and words[atom.i - 2] == "at" and atom.i > 1
    ):
        return digits < 4 or 600 <= atom.a < 2400
    if before == "from" and (after in ("onwards", "onward") or (after == "on" and words[end + 1] == "")):
        return True
    if before in ("to", "from") and _starts_or_ends(t, atom, end, before, before_atom):
        return True
    if before in _MEDIUM and digits < 3:
        quarters = atom.note[2] is not None and atom.note[1] in (15, 30, 45)
        return (bounded or quarters) and not (before == "past" and words[atom.i - 2] in ("this", "the"))
    if before in ("around", "approximately", "approx", "by", "before", "after") and digits == 4:
        return bounded and atom.a < 1900
    beside = _beside_day(t, atom, end, before_atom if bounded else None, after_atom)
    if beside is not None:
        return beside
    if atom.note[2] is None or not 1 <= atom.note[0] <= 12 or before in UNTIL or before in _RANGE_START:
        return False
    if before == "for" and bounded:
        return True
    quarters = atom.note[1] in (15, 30, 45) or words[atom.j] in ("oh", "o")
    if bounded:
        return quarters
    named = after.isalpha() and after not in TENS and after not in ("hundred", "thousand", "million")
    return named and (before in _DETERMINERS or quarters)


def _names(t: Tokens, atom: Atom, end: int, before: str) -> bool:
    """Whether a number is part of a name: room 7, five a side, one on one, 7 eleven, 24 7."""
    words = t.words
    i, after = atom.i, words[atom.j]
    if before in _LABELLED and atom.note[2] is None:
        return True
    if after == "a" and words[atom.j + 1] == "side" or after == "-" and words[atom.j + 1] == "a":
        return True
    if (after == ":" and t.glued(atom.j) and words[atom.j + 1][:1].isdigit()) or (
        before == ":" and t.glued(i)
    ):
        return True  # "a 1:1".
    k = i - 1 - (before == "-")
    if i > 1 and words[k] == "on" and words[i] in (words[k - 1], words[k - 2]):
        return True
    k = atom.j + (after == "-")
    if words[k] == "on" and words[i] in (words[k + 1], words[k + 2] if words[k + 1] == "-" else ""):
        return True
    previous = words[i - 2] if before == "-" else before
    return (previous, words[i]) in _NUMBER_NAMES or (words[i], words[k]) in _NUMBER_NAMES


def _is_address(words: list[str], j: int) -> bool:
    """Whether a street's name begins at word j: "at 12 oak street"."""
    return (
        words[j].isalpha()
        and words[j] not in BOUNDARY
        and (words[j + 1] in _STREETS or words[j + 2] in _STREETS)
    )


def _starts_or_ends(t: Tokens, atom: Atom, end: int, before: str, before_atom: Atom | None) -> bool:
    """Whether a number after "to" or "from" is the new hour: "move it to 5", "push it to 4 instead"."""
    words = t.words
    digits = len(words[atom.i]) if words[atom.i].isdigit() else 0
    if digits > 2 or not 1 <= atom.note[0] <= 12 or _sized(words, atom.i):
        return False
    after = words[end]
    if before == "from":
        return after in BOUNDARY and after not in UNTIL and after not in ("and", "a", "an", "my", "/", "the")
    if before_atom is not None and before_atom.j == atom.i - 1 and before_atom.form in _RANGE_FORMS:
        return False
    if atom.note[2] is not None and after in BOUNDARY:
        return True
    if words[atom.i] == "one" and after in _CLOSERS:
        return False  # "take me to one!"
    day = words[end + 1 + (words[end + 1] in MODIFIERS)] if after == "on" else after
    return after in _CLOSERS or _starts_day(day)


def _beside_day(
    t: Tokens, atom: Atom, end: int, before_atom: Atom | None, after_atom: Atom | None
) -> bool | None:
    """Whether a number beside a date or part of the day is its hour; None where it is beside none."""
    digits = len(t.words[atom.i]) if t.words[atom.i].isdigit() else 0
    near = after_atom is not None and after_atom.kind in _DAYS
    if after_atom is not None and near and after_atom.form in ("relative", "part", "weekday"):
        between = gap(t, Atom("", atom.i, end, None), after_atom)
        if (
            between in _TO_DAY
            and (between != ("on",) or digits == 0)
            and (between != ("at",) or after_atom.kind == "part")
        ):
            return between != () or after_atom.kind != "part"
    if before_atom is None or before_atom.kind not in _DAYS or before_atom.note == "lunch":
        return None
    if (before_atom.kind != "date" or before_atom.form in _DATE_FORMS) and gap(
        t, before_atom, atom
    ) in _TO_NUMBER:
        return digits < 4 or atom.a < 1900
    return None


def _measured(words: list[str], i: int) -> bool:
    """Whether an arithmetic or a volume stands shortly before a number: "divided by 4", "volume at 6"."""
    return any(words[k] in _MEASURED and not _labels(words, k, i) for k in range(max(0, i - 6), i))


def _labels(words: list[str], k: int, i: int) -> bool:
    """Whether word k names another number: the "level" of "level 7 tomorrow at six"."""
    return k + 1 < i and words[k] in _LABELLED and (words[k + 1] in ONES or words[k + 1][:1].isdigit())


def _sized(words: list[str], i: int) -> bool:
    """Whether a size or an amount stands shortly before a number."""
    return any(words[k] in _SIZES for k in range(max(0, i - 8), i))


def join_times(t: Tokens, x: Atom, y: Atom) -> Atom | None:
    """`3 to 4pm`, `between 7 and 9`, `4 15 to 5 o'clock`, `later than 3 but before 6`."""
    if x.kind == "times" and y.kind == "times":
        if x.b is None and y.a is None and x.a is not None and gap(t, x, y) in (("but",), ("and",), (",",)):
            opening = Atom("time", x.i, x.j, x.a, 0, tuple(p[0] for p in x.alts if p[0] is not None), "clock")
            return _span_times(opening, Atom("time", y.i, y.j, y.b, 0, tuple(p[1] for p in y.alts), "clock"))
        return None
    if x.kind not in ("time", "number") or y.i - x.j > 2:
        return None
    words = t.words
    between = gap(t, x, y)
    before = words[x.i - 1] if x.i else ""
    if between == ("and",) or between == ("to", "about"):
        if before not in _BETWEEN:
            return None
    elif between is None or len(between) != 1 or between[0] not in UNTIL:
        return None
    second, sure = _as_time(t, y)
    first, sure_first = _as_time(t, x)
    if first is None or second is None:
        return None
    if not (sure or sure_first) and not _said_as_times(t, x, y, before):
        return None
    if x.kind == "number" and before in _LABELLED and (y.kind == "number" or y.form == "bare"):
        return None
    if y.kind == "number" and not sure and (words[y.j] in UNITS or words[y.j] in COUNTED):
        return None
    return _span_times(first, second)


def _as_time(t: Tokens, atom: Atom) -> tuple[Atom | None, bool]:
    """An atom as a time, and whether it is one without a doubt."""
    if atom.kind == "time":
        return atom, True
    if (
        atom.kind == "duration"
        and t.words[atom.j - 1] == "hour"
        and atom.b[1] == "hour"
        and 1 < atom.b[0] <= 24
    ):
        return time_atom(t, atom.i, atom.j, int(atom.b[0]), 0, None), True  # The end of "12 to 13 hour".
    if atom.kind != "number" or atom.note is None or atom.note[0] > 24:
        return None, False
    if t.words[atom.i].isdigit() and len(t.words[atom.i]) > 2 and atom.note[0] > 23:
        return None, False
    return time_atom(t, atom.i, atom.j, atom.note[0], atom.note[1], None), False


def _said_as_times(t: Tokens, x: Atom, y: Atom, before: str) -> bool:
    """Whether two bare numbers are hours: "from" or "between" before, nothing counted after."""
    after = t.words[y.j]
    if _measured(t.words, x.i) or x.a == 0 or t.words[x.i] == "zero":
        return False
    bounded = after in BOUNDARY or _starts_day(after) or _is_dated(t.words, y.j)
    if bounded and any(a.note is not None and a.note[1] >= 10 and a.note[0] <= 12 for a in (x, y)):
        return True
    repeated = _day_follows(t, y.j) or after in ("every", "each", "daily")
    return bounded and (repeated or before in _RANGE_START or _starts_day(before))


def _day_follows(t: Tokens, j: int) -> bool:
    """Whether a day is named at word j: "on friday", "the 30th", "on march 3"."""
    words = t.words
    k = j
    k += words[k] == "on"
    k += words[k] in ("on", "the")
    if k == j:
        return False
    return _is_dated(words, k) or _starts_day(words[k]) or read_ordinal(t, k) is not None


def _is_dated(words: list[str], k: int) -> bool:
    """Whether a month and its day begin at word k."""
    day = words[k + 1]
    return words[k] in MONTHS and (day[:1].isdigit() or day in ORDINALS or day in ONES)


def _starts_day(word: str) -> bool:
    return (
        word in WEEKDAYS
        or word in DAY_WORDS
        or word in ("weekdays", "weekends", "mondays", "fridays")
        or word in PARTS
        or word in TONIGHT
    )


def _span_times(first: Atom, second: Atom) -> Atom:
    """A range of two times; a half of the day that one says settles the other."""
    a, b = first.a, second.a
    i, j = first.i, second.j
    if not first.alts and not second.alts:
        return Atom("times", i, j, a, b, (), "span")
    if not second.alts:
        options = [o for o in (a, *first.alts) if o < b or b == 0]
        if options:
            return Atom("times", i, j, max(options), b, (), "span", second.part)
        starts = sorted((a, *first.alts), key=lambda o: (b - o) % 1440)
        return Atom("times", i, j, starts[0], b, tuple((o, b) for o in starts[1:]), "span", second.part)
    if not first.alts:
        b = min((b, *second.alts), key=lambda o: (o - a - 1) % 1440)
        return Atom("times", i, j, a, b, (), "span")
    b = min((b, *second.alts), key=lambda o: (o - a - 1) % 1440)
    other = ((a + HALF_DAY) % 1440, (b + HALF_DAY) % 1440)
    return Atom("times", i, j, a, b, (other,), "span")


def settle_times(atom: Atom, part: str) -> tuple[int | None, int | None]:
    """Start and end of a range in a part of the day, in minutes that may pass midnight."""
    start = None if atom.a is None else settle(atom.a, tuple(p[0] for p in atom.alts), part)
    end = None if atom.b is None else settle(atom.b, tuple(p[1] for p in atom.alts), part)
    if start is not None and end is not None and end <= start:
        end += HALF_DAY if atom.alts and end + HALF_DAY > start else 1440
    return start, end
