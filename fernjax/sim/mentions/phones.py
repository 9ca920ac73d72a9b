"""Phone numbers: written in groups, and spoken digit by digit."""

from __future__ import annotations

from fernjax.sim.mentions.digits import read_numeric
from fernjax.sim.mentions.lexicon import MONTHS, ONES, TENS, UNITS
from fernjax.sim.mentions.sentence import Sentence
from fernjax.sim.mentions.tokens import Atom, Tokens

_FEWEST, _MOST = 7, 15
_MOST_WORDS = 40
_CUES = frozenset(
    """call phone number cell mobile text dial ring tel telephone fax whatsapp sms contact reach landline
    cellphone phones home work""".split()
)
_SEPARATORS = frozenset("-./()–")
_DIGITS = {word: str(value) for word, value in ONES.items() if value < 10} | {"oh": "0", "o": "0"}
_REPEATS = {"double": 2, "triple": 3, "treble": 3}
SPOKEN_HEADS = frozenset(_DIGITS) | frozenset(_REPEATS) | {"plus"}


def read_written(s: Sentence, i: int) -> Atom | None:
    """A phone number in digits, from its plus, bracket or first group."""
    t, words = s.t, s.t.words
    if i < s.phone_from or not words[i + 1] and len(words[i]) < _FEWEST:
        return None
    if (
        t.glued(i)
        and (words[i - 1][-1:].isalnum() or words[i - 1] in "+#@_:$€£/=%")
        or words[i - 1] in ("$", "€", "£")
    ):
        return None
    if t.glued(i) and words[i - 1] in "-./" and i > 1 and words[i - 2][-1:].isalnum():
        return None
    groups, j, separators = _collect(t, i)
    digits = sum(map(len, groups))
    if digits > _MOST or (words[j][:1].isalnum() and t.glued(j)):
        s.phone_from = j
        return None
    plus = words[i] == "+"
    if digits < _FEWEST or not (plus or _is_plausible(s, i, j, groups, separators)):
        return None
    value = " ".join(s.said(i, j).split())
    return Atom("phone", i, j, value, None, (), "address")


def _collect(t: Tokens, i: int) -> tuple[list[str], int, str]:
    """Groups of digits from word i on, the index after the last, and the marks between them ("_" a blank)."""
    words = t.words
    groups: list[str] = []
    marks: list[str] = []
    j = end = i
    kept = 0
    while j < i + _MOST_WORDS:
        word = words[j]
        if word.isdigit():
            if groups and words[j - 1].isdigit():
                marks.append("_")
            groups.append(word)
            j = end = j + 1
            kept = len(marks)
            if sum(map(len, groups)) > _MOST:
                break
        elif word == "+" and j == i:
            j += 1
        elif word in _SEPARATORS and (j == i or t.glued(j) or t.glued(j + 1) or word == "-"):
            if word in ".-" and j > i and not t.glued(j) and word != "-":
                break
            marks.append(word if t.glued(j) or word in "()" else "_" + word)
            j += 1
        else:
            break
    return groups, end, "".join(marks[:kept])


def _is_plausible(s: Sentence, i: int, j: int, groups: list[str], marks: str) -> bool:
    """Whether groups of digits without a plus are a phone number, not a date, years, an IP address."""
    t, words = s.t, s.t.words
    cued = any(word in _CUES for word in words[max(i - 4, 0) : i])
    if words[j] in UNITS or words[j] == ":" or (i and words[i - 1] in MONTHS):
        return False
    if len(groups) == 1:
        return len(groups[0]) >= 10 or cued or not s.number
    if read_numeric(t, i) is not None or (marks == "." * (len(groups) - 1) and _is_network(groups)):
        return False
    if len(groups) == 2:
        if "_-" in marks or marks == "." or "/" in marks:
            return cued
        if len(groups[0]) == 4 and len(groups[1]) == 4 and all(1800 <= int(g) < 2200 for g in groups):
            return False
        return cued or marks in ("-", "_") and len(groups[0]) in (3, 4, 5) and len(groups[1]) >= 4
    if "/" in marks and not cued:
        return False
    single = all(len(g) == 1 for g in groups)
    return cued or single or any(len(g) >= 3 for g in groups) or groups[0][0] == "0"


def _is_network(groups: list[str]) -> bool:
    return len(groups) == 4 and all(len(g) <= 3 and int(g) <= 255 for g in groups)


def read_spoken(s: Sentence, i: int) -> Atom | None:
    """`oh seven seven double oh nine hundred four five six`, `plus one five five five ...`."""
    words = s.t.words
    if i < s.phone_from or (words[i] == "plus" and words[i + 1] not in _DIGITS):
        return None
    plus = words[i] == "plus"
    digits, singles, j, end = "", 0, i + plus, i
    while j < i + _MOST_WORDS and len(digits) <= _MOST:
        read, single, after = _read_spoken(words, j, bool(digits))
        if read:
            digits, singles, j, end = digits + read, singles + single, after, after
        elif digits and words[j] in (",", "-", "dash", "then") and words[j + 1]:
            j += 1
        else:
            break
    if len(digits) > _MOST or end - i > 6:
        s.phone_from = end
    if (
        not _FEWEST <= len(digits) <= _MOST
        or singles < 4
        or words[end] in UNITS
        or words[end] in ("thousand", "million")
    ):
        return None
    return Atom("phone", i, end, ("+" if plus else "") + digits, None, (), "address")


def _read_spoken(words: list[str], j: int, begun: bool) -> tuple[str, int, int]:
    """The digits that word j says, how many single digits were said, and the index after them."""
    word = words[j]
    repeat = _REPEATS.get(word)
    if repeat:
        digit = _DIGITS.get(
            words[j + 1], words[j + 1] if len(words[j + 1]) == 1 and words[j + 1].isdigit() else ""
        )
        return digit * repeat, repeat, j + 2
    digit = _DIGITS.get(word, "")
    if digit:
        if words[j + 1] == "hundred" and (begun or digit == "8"):
            return digit + "00", 1, j + 2
        return digit, 1, j + 1
    if not begun:
        return "", 0, j
    if word.isdigit() and len(word) <= 4:
        return word, 0, j + 1
    if word in ONES:
        return str(ONES[word]), 0, j + 1
    if word in TENS:
        ones = ONES.get(words[j + 1], 0)
        pair = 0 < ones < 10
        return str(TENS[word] + (ones if pair else 0)), 0, j + 1 + pair
    return "", 0, j
