"""How often: "every day", "weekly", "on weekdays", "every other thursday", "once a month"."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import MONTHS, PARTS, PLURAL_WEEKDAYS, UNITS, UNTIL, WEEKDAYS
from fernjax.sim.mentions.numbers import read_integer, read_ordinal
from fernjax.sim.mentions.tokens import Atom, Tokens

ADVERBS = {
    "daily": "daily", "everyday": "daily", "nightly": "daily", "weekly": "weekly", "biweekly": "biweekly",
    "fortnightly": "biweekly", "bimonthly": "", "monthly": "monthly", "yearly": "yearly",
    "annually": "yearly", "annual": "yearly", "weekdays": "weekdays", "workdays": "weekdays",
    "weekends": "weekends",
}  # fmt: skip
_BY_UNIT = {"day": "daily", "week": "weekly", "month": "monthly", "year": "yearly", "fortnight": "biweekly"}
_WEEKDAY_WORDS = frozenset({"weekday", "weekdays", "workday", "workdays", "workingday"})
_LIST_WORDS = frozenset({"on", "every", "each", "all", "and", "or", ",", "&", "-", "to", "through", "both"})

_REPEATING = frozenset(
    "alarm alarms wake every each repeat repeats repeated repeating recurring weekly usually always".split()
)
_REPEATING_WITHIN = 12
"""How many words to either side may say that days repeat: the time stays linear."""


def read_every(t: Tokens, i: int) -> Atom | None:
    """After "every" or "each". Where a day or part of the day follows, the atom covers "every" alone."""
    words = t.words
    j = i + 1
    j += words[j] in ("single", "and") and words[j + 1] not in ("every",)
    other = words[j] in ("other", "second", "alternate", "2nd")
    if other:
        j += 1
    word = words[j]
    if word in _WEEKDAY_WORDS or (word in ("week", "work", "working") and words[j + 1] in ("day", "days")):
        return None if other else _every(i, j + 1 if word in _WEEKDAY_WORDS else j + 2, "weekdays")
    unit = UNITS.get(word)
    if unit == "weekend":
        return _every(i, j + 1, "biweekly" if other else "weekends")
    if unit in _BY_UNIT:
        if other:
            return _every(i, j + 1, "biweekly") if unit == "week" else None
        return _every(i, j + 1, _BY_UNIT[unit])
    if word in WEEKDAYS or word in PLURAL_WEEKDAYS:
        week = None if other else _read_days(words, j)
        if week is not None:
            return _every(i, week[1], week[0])
        return _every(i, j, "biweekly" if other else "weekly")
    if word in PARTS:
        return None if other else _every(i, j, "daily")
    if word in MONTHS or word in ("christmas", "xmas", "easter", "thanksgiving", "halloween"):
        return _every(i, j, "yearly")
    read = read_ordinal(t, j) if not other else None
    if read is not None:
        k = read[1]
        if words[k] in ("of", "day", "") or words[k] in WEEKDAYS:
            yearly = words[k] == "of" and words[k + 1] in MONTHS
            return _every(i, j, "yearly" if yearly else "monthly")
        return None
    count = read_integer(t, j)
    if count is not None:
        every = {
            (2, "week"): "biweekly",
            (7, "day"): "weekly",
            (14, "day"): "biweekly",
            (12, "month"): "yearly",
        }
        value = every.get((count[0], UNITS.get(words[count[1]], "")))
        return None if value is None else _every(i, count[1] + 1, value)
    return None


def _every(i: int, j: int, value: str) -> Atom:
    return Atom("recurrence", i, j, value, None, (), "every")


def read_once(t: Tokens, i: int) -> Atom | None:
    """`once a week`, `once per month`, `once every two weeks`, `once daily`."""
    words = t.words
    if words[i + 1] in ("every", "each"):
        atom = read_every(t, i + 1)
    elif (
        words[i + 1] in ("a", "per", "an", "in")
        and UNITS.get(words[i + 2]) in _BY_UNIT
        and words[i + 1] != "in"
    ):
        atom = _every(i, i + 3, _BY_UNIT[UNITS[words[i + 2]]])
    else:
        return None
    if atom is not None:
        atom.i = i
    return atom


def read_per(t: Tokens, i: int) -> Atom | None:
    """`per week`, where no count of times stands before it."""
    words = t.words
    unit = UNITS.get(words[i + 1])
    if unit not in _BY_UNIT or words[i - 1] in ("times", "twice", "hours", "minutes") or i == 0:
        return None
    return _every(i, i + 2, _BY_UNIT[unit])


def read_adverb(t: Tokens, i: int) -> Atom | None:
    """`daily`, `weekdays`, `bi-weekly`."""
    words = t.words
    value = ADVERBS[words[i]]
    if words[i] == "weekly" and i > 1 and words[i - 1] == "-" and words[i - 2] == "bi":
        return Atom("recurrence", i - 2, i + 1, "biweekly", None, (), "every")
    if not value or (words[i] == "annual" and words[i + 1] in ("leave", "leaves")):
        return None
    return _every(i, i + 1, value)


def read_week(t: Tokens, i: int) -> Atom | None:
    """`monday through friday` where the sentence says that it repeats; else it is a stretch of days."""
    week = _read_days(t.words, i)
    if week is None:
        return None
    near = t.words[max(0, i - _REPEATING_WITHIN) : i] + t.words[week[1] : week[1] + _REPEATING_WITHIN]
    return None if _REPEATING.isdisjoint(near) else _every(i, week[1], week[0])


def _read_days(words: list[str], i: int) -> tuple[str, int] | None:
    """Which days "monday through friday" and "saturdays and sundays" are, and the index after them."""
    pair = (_weekday(words[i]), _weekday(words[i + 2]))
    if pair == (0, 4) and words[i + 1] in UNTIL:
        return "weekdays", i + 3
    if pair == (5, 6) and words[i + 1] in ("and", "&", "n"):
        return "weekends", i + 3
    return None


def _weekday(word: str) -> int | None:
    return WEEKDAYS.get(word, PLURAL_WEEKDAYS.get(word))


def read_plural(t: Tokens, i: int) -> Atom | None:
    """`on mondays`: weekly. Without a sign of repetition it is a possessive that lost its apostrophe."""
    words = t.words
    week = _read_days(words, i)
    if week is not None and words[i + 2] in PLURAL_WEEKDAYS:
        return _every(i, week[1], week[0])
    before, after = words[i - 1] if i else "", words[i + 1]
    listed = before in _LIST_WORDS or after in ("and", "or", "&", "", ",", "at", "from", "-", ".", "?", "to")
    if not listed:
        return None
    if before in ("every", "each"):
        return None
    return Atom("recurrence", i, i + 1, "weekly", None, (), "plural")
