"""Numbers, ordinals, fractions and years, in digits and in words."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import NOUGHTS, ONES, ORDINALS, SCALES, TENS, UNITS
from fernjax.sim.mentions.tokens import Tokens

_MAX_DIGITS = 15
_MAX_WORDS = 20
_SUFFIXES = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_FRACTIONS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "third": 1 / 3, "thirds": 1 / 3}

Read = tuple[float, int] | None
"""A value and the index of the word after it, or None."""


def read_integer(t: Tokens, i: int) -> tuple[int, int] | None:
    """A small whole number: digits or words, no decimals."""
    word = t.words[i]
    if word[:1].isdigit():
        return (int(word), i + 1) if len(word) <= 9 else None
    read = _read_spelled(t.words, i)
    return read


def read_number(t: Tokens, i: int) -> Read:
    """A number as people write it: 1,200.5, .77, 100k, minus three, two hundred dozens."""
    words = t.words
    word = words[i]
    if word in ("minus", "negative") or (word == "-" and t.glued(i + 1) and not _follows_word(t, i)):
        read = read_number(t, i + 1) if words[i + 1] not in ("minus", "negative", "-") else None
        return None if read is None else (-read[0], read[1])
    if word == "-" and words[i + 1][:1].isdigit() and i == 0:
        read = read_number(t, i + 1)
        return None if read is None else (-read[0], read[1])
    if word[:1].isdigit() or (word in (".", "point") and words[i + 1][:1].isdigit()):
        read = _read_digits(t, i)
    elif word in NOUGHTS:
        return 0, i + 1
    elif word in ("a", "an") and words[i + 1] in ("dozen", "hundred", "thousand", "million", "billion"):
        factor = 12 if words[i + 1] == "dozen" else 100 if words[i + 1] == "hundred" else SCALES[words[i + 1]]
        return factor, i + 2
    else:
        read = _read_spelled(words, i)
    if read is None:
        return None
    value, j = read
    if words[j] in SCALES and word[:1].isdigit():
        value, j = value * SCALES[words[j]], j + 1
        value = int(value) if value == int(value) else round(value, 12)
    if words[j] in ("dozen", "dozens"):
        value, j = value * 12, j + 1
        value = int(value) if value == int(value) else round(value, 12)
    return value, j


def _follows_word(t: Tokens, i: int) -> bool:
    return t.glued(i) and t.words[i - 1][-1:].isalnum()


def _read_european(t: Tokens, i: int) -> Read:
    """`1.200,50`: dots between thousands and a comma before the decimals."""
    words = t.words
    whole, j = words[i], i + 1
    while j < i + 9 and words[j] == "." and len(words[j + 1]) == 3 and words[j + 1].isdigit():
        whole += words[j + 1]
        j += 2
    decimals = words[j + 1]
    if j == i + 1 or words[j] != "," or not decimals.isdigit() or len(decimals) > 2 or len(words[i]) > 3:
        return None
    if not all(t.glued(k) for k in range(i + 1, j + 2)) or (t.glued(j + 2) and words[j + 2].isalnum()):
        return None
    value = float(f"{whole}.{decimals}")
    return (int(value) if value == int(value) else value), j + 2


def _read_digits(t: Tokens, i: int) -> Read:
    words = t.words
    if words[i + 1] == "." and len(words[i + 2]) == 3:
        european = _read_european(t, i)
        if european is not None:
            return european
    j = i
    whole = ""
    if words[i][:1].isdigit():
        whole = words[i]
        j += 1
        groups = 0
        while words[j] == "," and len(words[j + 1]) == 3 and words[j + 1].isdigit() and groups < 5:
            if not (t.glued(j) and t.glued(j + 1)) or len(words[i]) > 3:
                break
            whole += words[j + 1]
            j += 2
            groups += 1
    if len(whole) > _MAX_DIGITS:
        return None
    value: float = int(whole or "0")
    dotted = words[j] == "." and (t.glued(j) or j == i)
    pointed = (dotted and t.glued(j + 1)) or words[j] == "point"
    if pointed and words[j + 1].isdigit() and len(words[j + 1]) <= _MAX_DIGITS:
        value += int(words[j + 1]) / 10 ** len(words[j + 1])
        j += 2
    if words[j] in _SUFFIXES and t.glued(j):
        value, j = value * _SUFFIXES[words[j]], j + 1
    return (int(value) if value == int(value) else round(value, 12)), j


def _read_spelled(words: list[str], i: int) -> tuple[int, int] | None:
    word = words[i]
    if word not in ONES and word not in TENS:
        return None
    total, current, state = 0, 0, ""
    j = i
    while j < i + _MAX_WORDS:
        word = words[j]
        if word in ONES and (state in ("", "hundred", "scale") or (state == "tens" and 0 < ONES[word] < 10)):
            current, state = current + ONES[word], "ones"
        elif word in TENS and state in ("", "hundred", "scale"):
            current, state = current + TENS[word], "tens"
        elif word == "hundred" and state in ("ones", "tens"):
            current, state = current * 100, "hundred"
        elif word in SCALES and state != "":
            total, current, state = total + (current or 1) * SCALES[word], 0, "scale"
        elif (
            (
                word == "and"
                and state in ("hundred", "scale")
                and (words[j + 1] in ONES or words[j + 1] in TENS)
            )
            or word == "-"
            and state == "tens"
            and 0 < ONES.get(words[j + 1], 0) < 10
        ):
            pass
        else:
            break
        j += 1
    return total + current, j


def read_hundreds(words: list[str], i: int) -> tuple[int, int] | None:
    """`a hundred and fifty`, `a thousand two hundred`: "a" for one, with all that follows; at "a"."""
    if words[i + 1] not in ("hundred", "thousand"):
        return None
    read = _read_spelled(["one", *words[i + 1 : i + _MAX_WORDS], ""], 0)
    return None if read is None else (read[0], i + read[1])


def read_ordinal(t: Tokens, i: int) -> tuple[int, int] | None:
    """An ordinal: 3rd, third, twenty second, thirty-first."""
    words = t.words
    word = words[i]
    if word[:1].isdigit():
        if words[i + 1] in _ENDINGS and t.glued(i + 1) and len(word) <= 6:
            return int(word), i + 2
        return None
    if word in TENS:
        j = i + 2 if words[i + 1] in ("-", "—", "–") else i + 1
        one = ORDINALS.get(words[j], 0)
        if 0 < one < 10:
            return TENS[word] + one, j + 1
        return None
    value = ORDINALS.get(word)
    return None if value is None else (value, i + 1)


def read_year(t: Tokens, i: int) -> tuple[int, int] | None:
    """A year: 2026, twenty twenty six, two thousand eighteen, nineteen ninety, '26."""
    words = t.words
    word = words[i]
    if word[:1].isdigit():
        if len(word) != 4 or not 1000 <= int(word) < 2200 or (words[i + 1] == ":" and t.glued(i + 1)):
            return None
        return int(word), i + 1
    if word == "'" and len(words[i + 1]) == 2 and words[i + 1].isdigit() and t.glued(i + 1):
        return 2000 + int(words[i + 1]), i + 2
    if word in ("twenty", "nineteen"):
        first = 20 if word == "twenty" else 19
        rest = _read_spelled(words, i + 1)
        if rest is not None and 10 <= rest[0] <= 99:
            return first * 100 + rest[0], rest[1]
        if words[i + 1] in ("oh", "o") and 0 < ONES.get(words[i + 2], 0) < 10:
            return first * 100 + ONES[words[i + 2]], i + 3
    if word == "two" and words[i + 1] == "thousand":
        read = _read_spelled(words, i)
        if read is not None and 2000 <= read[0] < 2100:
            return read
    return None


def read_quantity(t: Tokens, i: int) -> Read:
    """How many of a unit: two, 1.5, a, half a, a couple of, one and three quarters of, 3/4, a few."""
    words = t.words
    word = words[i]
    fraction = _read_fraction(t, i)
    if fraction is not None:
        return fraction
    if word in ("a", "an"):
        follower = words[i + 1]
        if follower in ("couple", "pair"):
            return 2, i + 3 if words[i + 2] == "of" else i + 2
        if follower == "few":
            return 3, i + 2
        if follower not in ("dozen", "hundred", "thousand"):
            return 1, i + 1
    if word in ("couple", "pair", "few", "several"):
        return (3 if word in ("few", "several") else 2), i + 2 if words[i + 1] == "of" else i + 1
    read = read_number(t, i)
    if read is None:
        return None
    value, j = read
    if words[j] == "and":
        part = _read_fraction(t, j + 1)
        if part is not None and part[0] < 1:
            return value + part[0], part[1]
    return value, j


def _read_fraction(t: Tokens, i: int) -> Read:
    """`half (a|an)`, `a quarter of an`, `three-quarters of an`, `3/4`, `1/2 of a`."""
    words = t.words
    j = i + 1 if words[i] in ("a", "an", "the") and words[i + 1] in _FRACTIONS else i
    count: float = 1
    if words[i][:1].isdigit() and words[i + 1] == "/" and words[i + 2].isdigit() and len(words[i + 2]) == 1:
        bottom = int(words[i + 2])
        if len(words[i]) > 2 or not 0 < int(words[i]) < bottom:
            return None
        count, j = int(words[i]) / bottom, i + 3
    else:
        if words[j] not in _FRACTIONS:
            read = read_integer(t, j)
            if read is None or read[0] > 3:
                return None
            count, j = read
            j += words[j] == "-"
        if words[j] not in _FRACTIONS or (
            words[j] in ("third", "thirds") and words[j + 1] not in ("of", "an")
        ):
            return None
        count, j = count * _FRACTIONS[words[j]], j + 1
        if j - i == 1 and words[j - 1] in ("quarters", "thirds"):
            return None
    k = j + 1 if words[j] == "of" else j
    if words[k] in ("a", "an") and words[k + 1] in UNITS:
        return count, k + 1
    if words[k] in UNITS or (words[k] == "h" and words[i][:1].isdigit()):
        return count, k
    return None
