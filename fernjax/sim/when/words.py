"""Numbers, days and months in words, and what a phrase is."""

from __future__ import annotations

import datetime
from typing import Any

Part = tuple[str, dict[str, list[Any]]]
Phrase = list[Part]

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
SHORT_DAYS = ("mon", "tues", "wed", "thurs", "fri", "sat", "sun")
SHORT_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sept", "oct", "nov", "dec")
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
DAY = datetime.timedelta(days=1)


def spell(n: int) -> str:
    """A number from 0 to 99 in words."""
    if n < 20:
        return _ONES[n]
    return _TENS[n // 10] + (" " + _ONES[n % 10] if n % 10 else "")


def spell_ordinal(n: int) -> str:
    """An ordinal from 1 to 39 in words."""
    if n <= 20:
        return _ORDINALS[n]
    if n == 30:
        return "thirtieth"
    return _TENS[n // 10] + " " + _ORDINALS[n % 10]


def ordinal(n: int) -> str:
    """5 -> "5th"."""
    if 10 <= n % 100 <= 20:
        return f"{n}th"
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th') }"


def months_later(day: datetime.date, n: int) -> datetime.date:
    """First day of the month `n` months after that of `day`; `n` may be negative."""
    years, rest = divmod(day.year * 12 + day.month - 1 + n, 12)
    return datetime.date(years, rest + 1, 1)


def join(*words: str) -> str:
    return " ".join(w for w in words if w)
