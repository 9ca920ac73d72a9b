"""Amounts as people say and write them: "two and a half million", "1.200,50", "five k", "two fifty"."""

from __future__ import annotations

import dataclasses

from fernjax.sim.mentions.lexicon import (
    BOUNDARY,
    COUNTED,
    MERIDIEMS,
    MONTHS,
    NOUGHTS,
    OCLOCK,
    ONES,
    SCALES,
    TENS,
    UNITS,
)
from fernjax.sim.mentions.numbers import read_hundreds, read_integer, read_number
from fernjax.sim.mentions.tokens import Tokens

FACTORS = {word: float(value) for word, value in SCALES.items()} | {
    "hundred": 100.0, "mil": 1e6, "mill": 1e6, "mio": 1e6, "bn": 1e9, "trillion": 1e12,
}  # fmt: skip
_GLUED = {"b": 1e9, "mm": 1e6}
_FRACTIONS = {"half": 0.5, "quarter": 0.25}
_NOT_GRAND = frozenset(
    """piano total opening tour hotel canyon slam prix jury idea plan old new central theft finale gesture
    prize mother father cherokee duke daughter son parents""".split()
)
_CENTS_LIKE = frozenset({95, 98, 99, 49, 79, 89, 69})
_EACH = frozenset({"each", "apiece", "per"})
_EACH_NOUNS = frozenset(
    "pop piece cup slice pound gallon head ticket bottle glass pint box litre liter kilo".split()
)
_AFTER_PAIR = frozenset({":", "/", "%", "percent", "degrees", "degree", "°", "th", "st", "nd", "rd"})
_YEAR_CUES = frozenset({"in", "since", "of", "during", "from", "until", "year", "before", "after"})


@dataclasses.dataclass(slots=True)
class Amount:
    """A number that may count money, percents or degrees.

    Attributes:
      value: the number.
      j: one past its last word.
      alternative: what else the words may say ("two fifty" is 250 or 2.5), or None.
      scale: the factor that was said after the digits ("7 lakh": 100000), 1 where none was.
      slang: whether the words alone say that money is meant ("a grand", "five k").
      needs_unit: whether it says an amount only with a unit behind it ("a", "half a").
      thousands: what it is in money, where a dot may part thousands ("1.200"), or None.
      bare: whether it is no more than a plain number, which the number reader finds too.
    """

    value: float
    j: int
    alternative: float | None = None
    scale: float = 1.0
    slang: bool = False
    needs_unit: bool = False
    thousands: int | None = None
    bare: bool = True


def tidy(value: float) -> int | float:
    """A whole number as an int, another one without the noise of binary fractions."""
    rounded = round(value, 6)
    return int(rounded) if rounded == int(rounded) else rounded


def read_amount(t: Tokens, i: int) -> Amount | None:
    """The amount that begins at word i, longest reading; None where none does."""
    words = t.words
    word = words[i]
    if "0" <= word[0] <= "9":
        found = _read_comma(t, i) or _read_dots(t, i) or _read_pair(t, i) or _read_plain(t, i)
    elif word in ("a", "an"):
        found = _read_article(words, i)
    elif word in _FRACTIONS:
        found = _read_part(words, i, 1)
    elif word in ("couple", "few"):
        found = Amount(2 if word == "couple" else 3, i + 1 + (words[i + 1] == "of"), bare=False)
    else:
        found = _read_pair(t, i) or _read_plain(t, i)
    if found is None:
        return None
    _add_half(words, found)
    _multiply(t, found)
    return found


def _read_plain(t: Tokens, i: int) -> Amount | None:
    words = t.words
    read = read_number(t, i)
    if read is None:
        return None
    value, j = read
    found = Amount(value, j)
    if words[j] == "point" and value == int(value) and not words[i].isdigit():
        decimals, k = "", j + 1
        while 0 <= ONES.get(words[k], -1) < 10 and len(decimals) < 6:
            decimals += str(ONES[words[k]])
            k += 1
        if not decimals and words[k] in TENS:
            read_rest = read_integer(t, k)
            decimals, k = (str(read_rest[0]), read_rest[1]) if read_rest and read_rest[0] < 100 else ("", k)
        if decimals:
            return Amount(float(f"{int(value)}.{decimals}"), k, bare=False)
    if words[j - 1] in SCALES and j - i == 2 and words[i].isdigit():
        found.scale = float(SCALES[words[j - 1]])
    elif words[j - 1] == "k" and words[i].isdigit():
        found.scale = 1000.0
    return found


def _read_comma(t: Tokens, i: int) -> Amount | None:
    """`99,90`, `1 200,50`: a comma before one or two decimals."""
    words = t.words
    if words[i + 1] != "," or not (t.glued(i + 1) and t.glued(i + 2)) or len(words[i]) > 9:
        return None
    decimals = words[i + 2]
    if not decimals.isdigit() or len(decimals) > 2 or (words[i + 3] in (",", ".", "-") and t.glued(i + 4)):
        return None
    if t.glued(i + 3) and words[i + 3].isalnum() and words[i + 3] not in ("k", "m"):
        return None
    return Amount(float(f"{words[i]}.{decimals}"), i + 3, bare=False)


def _read_dots(t: Tokens, i: int) -> Amount | None:
    """`1.200.000`, `1.200 euros`, `1'200`: marks between thousands, a single dot in money alone."""
    words = t.words
    mark = words[i + 1]
    if mark not in (".", "'"):
        return None
    if not 0 < len(words[i]) <= 3 or words[i][0] == "0":
        return None
    whole, j = words[i], i + 1
    while j < i + 9 and words[j] == mark and len(words[j + 1]) == 3 and words[j + 1].isdigit():
        if not (t.glued(j) and t.glued(j + 1)):
            break
        whole += words[j + 1]
        j += 2
    if j == i + 1 or words[j] == "," and t.glued(j + 1) or (words[j] == "." and words[j + 1].isdigit()):
        return None
    if j == i + 3 and mark == ".":
        return Amount(float(f"{words[i]}.{words[i + 2]}"), j, thousands=int(whole))
    return Amount(int(whole), j, needs_unit=mark == ".", bare=False)


def _read_article(words: list[str], i: int) -> Amount | None:
    follower = words[i + 1]
    read = read_hundreds(words, i)
    if read is not None and read[1] > i + 2:
        return Amount(read[0], read[1], bare=False)
    if follower in FACTORS or follower == "dozen":
        factor = FACTORS.get(follower, 12.0)
        return Amount(factor, i + 2, scale=factor)
    if follower in ("couple", "few"):
        j = i + 2 + (words[i + 2] == "of")
        return Amount(2 if follower == "couple" else 3, j, bare=False, needs_unit=True)
    if follower in _FRACTIONS:
        return _read_part(words, i + 1, 1)
    return Amount(1, i + 1, needs_unit=True)


def _read_part(words: list[str], i: int, count: int) -> Amount | None:
    """`half a million`, `a quarter million`: a part of what follows."""
    j = i + 1
    j += words[j] == "of"
    j += words[j] in ("a", "an")
    return Amount(count * _FRACTIONS[words[i]], j, needs_unit=True, bare=False)


def _add_half(words: list[str], found: Amount) -> None:
    """`three and a half (million)`, `two and three quarters`."""
    j = found.j
    if words[j] != "and" or found.value != int(found.value):
        return
    if words[j + 1] == "a" and words[j + 2] in _FRACTIONS and words[j + 3] not in ("past", "an", "of"):
        found.value += _FRACTIONS[words[j + 2]] * found.scale
        found.j, found.bare = j + 3, False
    elif words[j + 1] == "three" and words[j + 2] == "quarters" and words[j + 3] != "of":
        found.value += 0.75 * found.scale
        found.j, found.bare = j + 3, False


def _multiply(t: Tokens, found: Amount) -> None:
    """Factors that follow: "million", "hundred thousand", "grand", "k"."""
    words = t.words
    for _ in range(2):
        j = found.j
        word = words[j]
        factor = FACTORS.get(word)
        if factor is None and t.glued(j) and not (t.glued(j + 1) and words[j + 1].isalnum()):
            factor = _GLUED.get(word)
        if (
            factor is None
            and word == "k"
            and (t.glued(j + 1) or words[j + 1] in BOUNDARY or _is_noun(words, j + 1))
        ):
            factor, found.slang = 1000.0, True
        if factor is None and word in ("grand", "gs") and words[j + 1] not in _NOT_GRAND:
            factor, found.slang = 1000.0, True
        if factor is None:
            return
        found.value = max(found.value, found.alternative or 0) * factor
        found.alternative = found.thousands = None
        found.scale *= factor
        found.j, found.bare, found.needs_unit = j + 1, False, False
        if found.value == int(found.value):
            _add_half(words, found)


def _is_noun(words: list[str], j: int) -> bool:
    return words[j] in (
        "dollars",
        "euros",
        "pounds",
        "bucks",
        "usd",
        "eur",
        "gbp",
        "rupees",
        "chf",
        "$",
        "€",
        "£",
    )


def _read_pair(t: Tokens, i: int) -> Amount | None:
    """`two fifty` is 250 or 2.5, `nineteen ninety nine` is 19.99 or 1999."""
    words = t.words
    first = words[i]
    spelled = first in ONES or first in TENS
    if not spelled and (len(first) > 2 or t.glued(i + 1) or first[0] == "0"):
        return None
    if spelled:
        second = words[i + 1]
        if second not in ONES and second not in TENS and second not in ("oh", "-"):
            return None
    read = read_integer(t, i)
    if read is None or not 1 <= read[0] < 100:
        return None
    rest = _read_cents(t, read[1])
    if rest is None or spelled == words[read[1]].isdigit():
        return None
    cents, j = rest
    if not _is_free(t, i, j, read[0] * 100 + cents):
        return None
    whole, exact = read[0] * 100 + cents, tidy(read[0] + cents / 100)
    small = read[0] >= 10 or cents in _CENTS_LIKE or words[j] in _EACH
    small = small or (words[j] == "a" and words[j + 1] in _EACH_NOUNS)
    value, other = (exact, whole) if small else (whole, exact)
    return Amount(value, j, alternative=other, bare=False)


def _read_cents(t: Tokens, j: int) -> tuple[int, int] | None:
    words = t.words
    if words[j] in ("oh", "o") and 0 < ONES.get(words[j + 1], 0) < 10:
        return ONES[words[j + 1]], j + 2
    if words[j][:1].isdigit():
        if (
            len(words[j]) != 2
            or t.glued(j)
            or (t.glued(j + 1) and words[j + 1] not in (".", ",", "?", "!", ";"))
        ):
            return None
        return (int(words[j]), j + 1) if int(words[j]) else None
    read = read_integer(t, j)
    return read if read is not None and 10 <= read[0] < 100 else None


def _is_free(t: Tokens, i: int, j: int, year: int) -> bool:
    """Whether what stands around a pair of numbers leaves it an amount, not a time, a date, a length."""
    words = t.words
    before, after = words[i - 1] if i else "", words[j]
    if after in UNITS or after in MERIDIEMS or after in OCLOCK or after in _AFTER_PAIR or after in MONTHS:
        return False
    if (
        after in COUNTED and after not in ("dollars", "dollar", "bucks", "euros", "pounds")
    ) or after == "hundred":
        return False
    if (
        before in MONTHS
        or before in ("point", ":", "/", "-")
        or before in ONES
        or before in TENS
        or before[:1].isdigit()
    ):
        return False
    if after in ONES or after in TENS or after in NOUGHTS or after[:1].isdigit():
        return False
    return not (1900 <= year < 2100 and before in _YEAR_CUES)
