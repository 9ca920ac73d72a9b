"""One pass over the words: what starts at each, longest reading first."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from fernjax.sim.mentions import calendrics, dates, durations, holidays, numbers, periods, recurrence, times
from fernjax.sim.mentions.lexicon import (
    BOUNDARY,
    DAY_WORDS,
    MODIFIERS,
    MONTHS,
    NOUGHTS,
    OCLOCK,
    ONES,
    ORDINALS,
    PARTS,
    PLURAL_WEEKDAYS,
    SEASONS,
    TENS,
    TONIGHT,
    UNITS,
    WEEKDAYS,
)
from fernjax.sim.mentions.tokens import Atom, Tokens

_YEAR_CUES = frozenset({"in", "since", "after", "before", "until", "till", "through", "during", "by", "of"})
_MONEY = frozenset("$€£¥#")


def scan(t: Tokens) -> list[Atom]:
    """Every stretch that may mean something, left to right, none overlapping."""
    atoms: list[Atom] = []
    words = t.words
    i, size = 0, t.size
    done = 0
    while i < size:
        word = words[i]
        reader = HEADS.get(word)
        if reader is None:
            if not ("0" <= word[0] <= "9"):
                i += 1
                continue
            reader = read_digits
        atom = reader(t, i)
        if atom is None:
            i += 1
            continue
        if atom.i < done:
            atom.i = i
        atoms.append(atom)
        done = atom.j
        i = done if done > i else i + 1
    return atoms


def read_digits(t: Tokens, i: int) -> Atom | None:
    """A head in digits."""
    words = t.words
    before = words[i - 1] if i else ""
    if before in _MONEY:
        read = numbers.read_number(t, i)
        return (
            None if read is None or before == "#" else Atom("number", i, read[1], read[0], None, (), "number")
        )
    if not t.isolated(i) and not _range_end(t, i):
        return None
    if words[i + 1] in ("-", "/", "."):
        found = dates.read_numeric(t, i)
        if found is not None:
            return found
        if (
            words[i + 1] == "-"
            and t.glued(i + 1)
            and t.glued(i + 2)
            and words[i + 2].isdigit()
            and len(words[i + 2]) > 2
        ):
            return None  # A phone number.
    return read_number(t, i)


def _range_end(t: Tokens, i: int) -> bool:
    """Whether digits glued behind a dash or slash end a range (7-9, 3pm-4pm), not a name or phone number."""
    words = t.words
    mark, first = words[i - 1], words[i - 2] if i > 1 else ""
    if mark == "/" and len(words[i]) == 4 and first.isdigit():
        return True
    if mark not in ("-", "–", "—") or len(words[i]) > 4:
        return False
    if t.glued(i + 1) and words[i + 1] == "-":
        return False
    if first.isdigit():
        return len(first) <= 2 or (len(first) == 4 and len(words[i]) == 4)
    return (
        first in ("am", "pm", "a.m.", "p.m.", "h", "p", "a", "m", "st", "nd", "rd", "th")
        or first in MONTHS
        or first in OCLOCK
    )


def read_number(t: Tokens, i: int) -> Atom | None:
    """A head that is a number or an ordinal, in digits or words."""
    words = t.words
    ordinal = numbers.read_ordinal(t, i)
    if ordinal is not None:
        return _read_ordinal(t, i, *ordinal)
    clock = times.read_clock(t, i)
    if clock is not None and clock.kind == "time":
        return clock
    found = dates.read_day_month(t, i) or durations.read_duration(t, i)
    if found is not None:
        return found
    year = numbers.read_year(t, i) if i and words[i - 1] in _YEAR_CUES else None
    if year is not None and 1900 <= year[0] < 2100 and words[year[1]] in BOUNDARY:
        first = datetime.date(year[0], 1, 1)
        return Atom("dates", i, year[1], *calendrics.unit_of(first, "year"), (), "period", note="year")
    read = numbers.read_number(t, i)
    if read is None:
        return None
    days = _read_days_from_now(t, i, read)
    if days is not None:
        return days
    if clock is not None and clock.j == read[1]:
        return clock
    return Atom("number", i, read[1], read[0], None, (), "number")


def _read_ordinal(t: Tokens, i: int, value: int, j: int) -> Atom | None:
    words = t.words
    found = dates.read_day_month(t, i)
    if found is None:
        found = periods.read_closest(t, i, value, j) or periods.read_counted(t, i, value, j)
    if found is None and words[i] == "second":
        fraction = words[i - 1] if i else ""
        if fraction in ("i", "we", "a", "to", "just", "one", "split") or words[j] in ("that", "this", "the"):
            return None
    if found is None and words[i] in ("quarter", "quarters"):
        return None
    return found or dates.read_monthday(t, i)


def _read_days_from_now(t: Tokens, i: int, read: tuple[float, int]) -> Atom | None:
    """`2 sundays from now`, `three fridays ago`."""
    words = t.words
    count, j = read
    weekday = PLURAL_WEEKDAYS.get(words[j], WEEKDAYS.get(words[j]))
    if weekday is None or count != int(count) or not 0 < count < 1000:
        return None
    ago = words[j + 1] == "ago"
    if (
        not ago
        and not (words[j + 1] == "from" and words[j + 2] in ("now", "today"))
        and words[j + 1] != "hence"
    ):
        return None
    move = calendrics.previous_weekday if ago else calendrics.next_weekday
    day = move(t.today, weekday, int(count))
    end = j + 3 if words[j + 1] == "from" else j + 2
    return Atom("date", i, end, day, None, (), "ago" if ago else "ahead", note=("exact", None))


def _read_article(t: Tokens, i: int) -> Atom | None:
    """A head "a" or "an": "a quarter past 3", "a week ago", "an hour and a half"."""
    if t.words[i + 1] not in _AFTER_ARTICLE:
        return None
    found = times.read_past(t, i) if t.words[i + 1] in ("quarter", "half") else None
    if found is None:
        found = durations.read_duration(t, i)
    if found is None and t.words[i + 1] in ("dozen", "hundred", "thousand", "million"):
        read = numbers.read_number(t, i)
        found = None if read is None else Atom("number", i, read[1], read[0], None, (), "number")
    return found


def _read_fraction(t: Tokens, i: int) -> Atom | None:
    return times.read_past(t, i) or durations.read_duration(t, i) or _read_unit(t, i)


def _read_unit(t: Tokens, i: int) -> Atom | None:
    if t.words[i] not in UNITS:
        return None
    if t.words[i] == "week" and t.words[i + 1] == "-" and t.words[i + 2] == "end":
        return None
    found = periods.read_after_next(t, i)
    if found is None and t.words[i] == "week" and t.words[i + 1] in ("from", "after", "before"):
        # "week from friday" leaves out its article; alone it says nothing.
        return Atom("duration", i, i + 1, 604800, (1, "week"), (), "unit")
    return found


def _read_season(t: Tokens, i: int) -> Atom | None:
    before = t.words[i - 1] if i else ""
    if before not in ("in", "the", "during") or (t.words[i] in ("fall", "spring") and before != "in"):
        return None
    if t.words[i + 1] not in BOUNDARY:
        return None
    return Atom("dates", i, i + 1, *calendrics.season(t.today, SEASONS[t.words[i]], 0), (), "period")


def _read_now(t: Tokens, i: int) -> Atom | None:
    words = t.words
    if words[i] == "moment":
        if words[i - 1] != "the" or words[i - 2] != "at" or i < 2:
            return None
        return Atom("datetime", i - 2, i + 1, t.now, None, (), "now")
    if words[i + 1] == "that":
        return None
    start = i - 1 if i and words[i - 1] in ("right", "just") else i
    return Atom("datetime", start, i + 1, t.now, None, (), "now")


def _read_month_or_holiday(t: Tokens, i: int) -> Atom | None:
    return (dates.read_holiday(t, i) if t.words[i] in holidays.HEADS else None) or dates.read_month(t, i)


def _read_weekday(t: Tokens, i: int) -> Atom | None:
    return recurrence.read_week(t, i) or dates.read_weekday(t, i)


def _read_plural(t: Tokens, i: int) -> Atom | None:
    found = recurrence.read_plural(t, i)
    if found is not None:
        return found
    weekday = PLURAL_WEEKDAYS[t.words[i]]
    day = calendrics.next_weekday(t.today, weekday)
    alts = (t.today,) if t.today.weekday() == weekday else ()
    return Atom("date", i, i + 1, day, None, alts, "weekday", note=("weekday", weekday))


def _read_ides(t: Tokens, i: int) -> Atom | None:
    month = MONTHS.get(t.words[i + 2])
    if t.words[i + 1] != "of" or month is None:
        return None
    return dates.month_day(t, i, i + 3, month, 15 if month in (3, 5, 7, 10) else 13)


def _read_quarter_name(t: Tokens, i: int) -> Atom | None:
    """`q3`, `q3 2014`."""
    word = t.words[i + 1]
    if not t.glued(i + 1) or word not in ("1", "2", "3", "4") or t.glued(i + 2) and t.words[i + 2].isalnum():
        return None
    year = numbers.read_year(t, i + 2 + (t.words[i + 2] in ("of", ",")))
    first = datetime.date(year[0] if year else t.today.year, 3 * int(word) - 2, 1)
    pair = calendrics.unit_of(first, "quarter")
    return Atom("dates", i, year[1] if year else i + 2, *pair, (), "period")


def _read_closest(t: Tokens, i: int) -> Atom | None:
    return periods.read_closest(t, i, 1, i)


def _read_couple(t: Tokens, i: int) -> Atom | None:
    return durations.read_duration(t, i)


def _read_eod(t: Tokens, i: int) -> Atom | None:
    return periods.end_of_day(t, i, i + 1)


_AFTER_ARTICLE = (
    frozenset(UNITS) | {"couple", "pair", "few", "half", "quarter", "third", "dozen", "hundred"}
    | {"thousand", "million"}
    | {"full", "whole", "good", "solid"}
)  # fmt: skip
HEADS: dict[str, Callable[[Tokens, int], Atom | None]] = {}


def _register() -> None:
    for words, reader in (
        (holidays.HEADS, dates.read_holiday),
        (UNITS, _read_unit),
        (SEASONS, _read_season),
        (ONES, read_number),
        (TENS, read_number),
        (NOUGHTS, read_number),
        (ORDINALS, read_number),
        (("minus", "negative", "point"), read_number),
        (("a", "an"), _read_article),
        (("half", "quarter", "quarters"), _read_fraction),
        (("couple", "few", "several", "pair"), _read_couple),
        (MONTHS, _read_month_or_holiday),
        (WEEKDAYS, _read_weekday),
        (PLURAL_WEEKDAYS, _read_plural),
        (DAY_WORDS, dates.read_day_word),
        (TONIGHT, periods.read_tonight),
        (MODIFIERS, periods.read_modified),
        (PARTS, times.read_part),
        (("lunch", "lunchtime", "school", "work", "dinner"), times.read_part),
        (("noon", "midday", "noontime", "midnight"), times.read_clock),
        (("now", "moment"), _read_now),
        (("day",), dates.read_day_after),
        (("every", "each"), recurrence.read_every),
        (("once",), recurrence.read_once),
        (("per",), recurrence.read_per),
        (recurrence.ADVERBS, recurrence.read_adverb),
        (("end", "beginning", "start", "early", "late", "mid", "middle", "eom", "eoy"), periods.read_edge),
        (("eod",), _read_eod),
        (("rest", "remainder"), periods.read_rest),
        (("ides",), _read_ides),
        (("closest", "nearest"), _read_closest),
        (("q",), _read_quarter_name),
    ):
        for word in words:
            HEADS[word] = reader


_register()
