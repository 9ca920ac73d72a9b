"""Structured values spelt by characters: what `write` mode's head says, and how it is read.

The head gives the log-probability of each symbol at each of `LENGTH` positions, all at once. Reading takes
the likeliest value that the argument's type allows, so that no invalid date or time can come out.
"""

from __future__ import annotations

import calendar
from typing import Any

import numpy as np

from fernjax.sim.quantities import CURRENCIES
from fernjax.sim.tools import PARTS_OF_DAY, RECURRENCES, UNITS, Argument

LENGTH = 10
"""Positions: the longest value is a date."""

SYMBOLS = ("", "<none>", *"0123456789", "-", ":", ".", *PARTS_OF_DAY, *RECURRENCES, *UNITS, *CURRENCIES)
"""What is chosen among at each position; "" ends the value, "<none>" at the first says "not said"."""

END, NONE, ZERO = 0, 1, 2
"""Symbols: the end, "not said", and the digit 0; digit d is `ZERO + d`."""


def spell(value: Any) -> list[int]:
    """A value as `LENGTH` symbols.

    Raises:
      ValueError: where it is too long, or has other characters.
    """
    word = str(int(value)) if isinstance(value, float) and value == int(value) else str(value)
    parts = [word] if word in SYMBOLS else list(word)
    if not 0 < len(parts) <= LENGTH or not set(parts) <= set(SYMBOLS):
        raise ValueError(f"{value!r} cannot be written in {LENGTH} symbols")
    return [SYMBOLS.index(part) for part in parts] + [END] * (LENGTH - len(parts))


def read(logp: np.ndarray, argument: Argument) -> tuple[Any, float]:
    """The value that an argument of a type may have and that is likeliest, with its log-probability.

    Args:
      logp: log-probabilities, [LENGTH, len(SYMBOLS)].
      argument: what it is for.

    Returns:
      None as the value where "not said" has more than half of the probability.
    """
    none = float(logp[0, NONE])
    if none > np.log(0.5):
        return None, none
    if argument.type in ("date", "end_date"):
        return _date(logp)
    if argument.type in ("time", "end_time"):
        return max(_word(logp, PARTS_OF_DAY), _clock(logp), key=lambda found: found[1])
    if argument.type in ("recurrence", "unit"):
        return _word(logp, argument.choices)
    if argument.type == "currency":
        return _word(logp, tuple(CURRENCIES))
    return _number(logp, decimals=argument.type in ("number", "amount", "degrees"))


def _word(logp: np.ndarray, words: tuple[str, ...]) -> tuple[str, float]:
    tail = float(logp[1:, END].sum())
    return max(((w, float(logp[0, SYMBOLS.index(w)]) + tail) for w in words), key=lambda found: found[1])


def _date(logp: np.ndarray) -> tuple[str, float]:
    dash = SYMBOLS.index("-")
    digits = logp[:, ZERO : ZERO + 10]
    year = [1 + int(digits[0, 1:].argmax()), *(int(d) for d in digits[1:4].argmax(axis=1))]
    number = int("".join(map(str, year)))
    month, month_logp = _two(digits, 5, range(1, 13))
    day, day_logp = _two(digits, 8, range(1, calendar.monthrange(number, month)[1] + 1))
    year_logp = sum(float(digits[i, d]) for i, d in enumerate(year))
    total = year_logp + month_logp + day_logp + float(logp[4, dash] + logp[7, dash])
    return f"{number:04}-{month:02}-{day:02}", total


def _clock(logp: np.ndarray) -> tuple[str, float]:
    digits = logp[:, ZERO : ZERO + 10]
    hour, hour_logp = _two(digits, 0, range(24))
    minute, minute_logp = _two(digits, 3, range(60))
    total = hour_logp + minute_logp + float(logp[2, SYMBOLS.index(":")] + logp[5:, END].sum())
    return f"{hour:02}:{minute:02}", total


def _two(digits: np.ndarray, at: int, numbers: range) -> tuple[int, float]:
    """The likeliest of some two-digit numbers at two positions."""
    scored = ((n, float(digits[at, n // 10] + digits[at + 1, n % 10])) for n in numbers)
    return max(scored, key=lambda found: found[1])


def _number(logp: np.ndarray, decimals: bool) -> tuple[int | float, float]:
    digits = logp[:, ZERO : ZERO + 10]
    point = SYMBOLS.index(".")
    best: tuple[int | float, float] = (0, -np.inf)
    for whole in range(1, 7):
        for places in range(3 if decimals else 1):
            text, total, at = "", 0.0, 0
            for n in range(whole + places):
                if n == whole:
                    text, total, at = text + ".", total + float(logp[at, point]), at + 1
                low = 1 if n == 0 and whole > 1 else 0
                digit = low + int(digits[at, low:].argmax())
                text, total, at = text + str(digit), total + float(digits[at, digit]), at + 1
            total += float(logp[at:, END].sum())
            if total > best[1]:
                value = float(text)
                best = (int(value) if value == int(value) else value, total)
    return best
