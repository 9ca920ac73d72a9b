"""Which bare numbers are hours, and ranges of clock times."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import BOUNDARY, DAY_WORDS, PARTS, TONIGHT, UNITS, UNTIL, WEEKDAYS
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
_TO_DAY = frozenset({(), ("in", "the"), ("in",), ("on",), ("this",), ("of",)})
_DATE_FORMS = frozenset({"relative", "weekday", "calendar", "monthday", "holiday"})
_MEASURED = frozenset(
    """divided divide divisible multiplied multiply times increase increased decrease decreased raise lower
    reduce dim brighten volume brightness speakers number numbers level brighter louder quieter
    zero""".split()
)
_COUNTED = frozenset(
    {"%", "percent", "dollars", "bucks", "euros", "pounds", "degrees", "people", "items", "times", "seasons"}
)


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
    linked = (
        before_atom is not None
        and before in UNTIL
        and before_atom.j == atom.i - 1
        and before_atom.kind in ("time", "number")
    )
    bounded = words[end] in BOUNDARY or (after_atom is not None and after_atom.i == end)
    if second and bounded and (before in _RANGE_START or linked):
        atom.j, atom.note = end, (hour, minute, None)
    return atom


def _is_hour(
    t: Tokens, atom: Atom, end: int, before: str, before_atom: Atom | None, after_atom: Atom | None
) -> bool:
    words = t.words
    after = words[end]
    if atom.note[0] > 24 or (after == "-" and words[end + 1] == "ish") or after == "ish":
        return atom.note[0] <= 24
    if after in UNITS or after in _COUNTED or _measured(words, atom.i):
        return False
    digits = len(words[atom.i]) if words[atom.i].isdigit() else 0
    bounded = after in BOUNDARY or (after_atom is not None and after_atom.i == end)
    if before in _STRONG or (
        before in ("about", "around", "exactly") and words[atom.i - 2] == "at" and atom.i > 1
    ):
        return digits < 4 or 600 <= atom.a < 2400
    if before == "from" and (after in ("onwards", "onward") or (after == "on" and words[end + 1] == "")):
        return True
    if before in _MEDIUM and digits < 3:
        return bounded and not (before == "past" and words[atom.i - 2] in ("this", "the"))
    if before in ("around", "approximately", "approx", "by", "before", "after") and digits == 4:
        return bounded and atom.a < 1900
    beside = _beside_day(t, atom, end, before_atom if bounded else None, after_atom)
    if beside is not None:
        return beside
    quarters = atom.note[1] in (15, 30, 45) or words[atom.j] in ("oh", "o")
    spoken = atom.note[2] is not None and quarters and 1 <= atom.note[0] <= 12
    return spoken and bounded and before not in UNTIL and before not in _RANGE_START


def _beside_day(
    t: Tokens, atom: Atom, end: int, before_atom: Atom | None, after_atom: Atom | None
) -> bool | None:
    """Whether a number beside a date or part of the day is its hour; None where it is beside none."""
    digits = len(t.words[atom.i]) if t.words[atom.i].isdigit() else 0
    near = after_atom is not None and after_atom.kind in _DAYS
    if after_atom is not None and near and after_atom.form in ("relative", "part", "weekday"):
        between = gap(t, Atom("", atom.i, end, None), after_atom)
        if between in _TO_DAY and (between != ("on",) or digits == 0):
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
    return any(words[k] in _MEASURED for k in range(max(0, i - 6), i))


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
    if y.kind == "number" and not sure and (words[y.j] in UNITS or words[y.j] in _COUNTED):
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
    bounded = after in BOUNDARY or _starts_day(after)
    repeated = after == "on" and _starts_day(t.words[y.j + 1]) or after in ("every", "each", "daily")
    return bounded and (repeated or before in _RANGE_START or _starts_day(before))


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
        a = max(options) if options else a
        return Atom("times", i, j, a, b, (), "span")
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
