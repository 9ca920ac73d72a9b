"""Ids of letters and digits in any order: "A-5521", "7745-B", "B12-99", "#A17", "order 00123"."""

from __future__ import annotations

import re

from fernjax.sim.mentions.currencies import CODES
from fernjax.sim.mentions.lexicon import BOUNDARY, DAY_WORDS, MONTHS, ONES, TENS, UNITS, WEEKDAYS
from fernjax.sim.mentions.sentence import Sentence
from fernjax.sim.mentions.tokens import Atom

_BACK, _AHEAD, _LONGEST = 12, 16, 24
"""Words of a code before its first read digits and from there on, and its characters: a bounded look."""

_CUES = frozenset(
    """booking reservation order invoice account package parcel delivery shipment claim receipt file document
    patient member customer request visit job contract product ticket issue case number no nr num id code
    reference ref confirmation tracking item serial""".split()
)
"""Words after which a short code, or one of digits with marks, is an id."""
_NUMBERS = frozenset(
    {"number", "no", "nr", "num", "id", "code", "reference", "ref", "confirmation", "tracking"}
)
_PLACES = frozenset(
    """room rooms gate seat floor level hall building apartment apt unit suite wing bus highway line exit bay
    locker vitamin model flight terminal platform dock row house street route road block size
    version""".split()
)
"""What has names such as "B12-99" that are no ids."""
_OPENERS = frozenset("([\"':,;")
_UNITS = frozenset(
    """km ft in lb lbs kg ml cm mm gb mb tb kb oz mph kph th st nd rd pc pcs am pm hp mg kw min max sec hr
    mins hrs px fps""".split()
)
_SCALES = frozenset("h m s k c f d w l g p x b t".split())
"""Letters that stand behind a number as its unit: "5k", "720p", "2h"."""
_TIME_WORDS = frozenset(WEEKDAYS) | frozenset(MONTHS) | frozenset(DAY_WORDS) | frozenset(UNITS)
_ENDS = (
    BOUNDARY
    | _TIME_WORDS
    | frozenset(
        """came arrived arrive come shipped ship left got went never didn't isn't hasn't wasn't had will won't
    should still be been being gone open closed done late missing broken damaged wrong going coming
    showed""".split()
    )
)
"""What may stand behind a short code, "order a4 paper" being none."""
_NO_PART = (
    frozenset(w for w in _TIME_WORDS if len(w) > 1)
    | CODES
    | frozenset(ONES)
    | frozenset(TENS)
    | {"us", "am", "pm", "a.m", "p.m"}
)

_KEYED = re.compile(r"[a-z]{2,}-?[0-9]+")  # a project's key and a number: `read_id`'s
_DATED = re.compile(r"(?:19|20)[0-9]{2}-?[0-9]{2}-?[0-9]{2}(?:t[0-9]+)?|(?:19|20)[0-9]{2}-?(?:q[1-4]|[a-z])")
_MEASURES = re.compile(r"[0-9]+[a-z](?:-[0-9]+[a-z])+|(?:[0-9]{1,2}[hmsd]){2,}")
_CODE = re.compile(
    r"[a-z]-[0-9]{4,}"
    r"|[0-9]{4,}-[a-z]{1,2}"
    r"|[a-z]{1,4}-[0-9]{2,}-[a-z0-9]{1,6}"
    r"|(?=.{6})(?=[a-z]*[0-9]+[a-z]|[a-z]+[0-9])[a-z0-9]{2,8}-(?=[a-z]*[0-9])[a-z0-9]{2,12}"
    r"|(?=.{6})(?:[a-z]+[0-9]+[a-z]|[0-9]+[a-z]+[0-9])[a-z0-9]*"
)
"""Codes that are ids with no word before them."""
_SHORT = re.compile(r"[a-z]{1,2}-?[0-9]+|[0-9]{2,}-?[a-z]|[a-z]?[0-9]+[a-z][0-9]+|[0-9]+-[a-z]{1,2}[0-9]*")
"""Codes that are ids behind a word for their thing, or "#"."""
_DIGITS = re.compile(r"0[0-9]{2,}|[0-9]{2,}(?:-[0-9]{2,})+")
"""Digits that are an id behind a word for their thing: the zeros that they begin with belong to it."""


def read_code(s: Sentence, i: int) -> Atom | None:
    """A code from any of its digits, with its "#".

    Codes of a project's key and a number ("OPS-142") are left to `fernjax.sim.mentions.names.read_id`; times,
    days, measures, amounts and the names of rooms are no codes. A look of a bounded number of words.
    """
    t, words = s.t, s.t.words
    first = i
    while t.glued(first) and i - first < _BACK and _is_part(words[first - 1]):
        first -= 1
    j = i + 1
    while t.glued(j) and j - i < _AHEAD and _is_part(words[j]):
        j += 1
    if t.starts[i] - t.starts[first] > _LONGEST or t.ends[j - 1] - t.starts[first] > _LONGEST:
        return None
    if words[first] == "-" or words[j - 1] == "-" or _goes_on(s, j):
        return None
    hashed = t.glued(first) and words[first - 1] == "#"
    if hashed and (s.channel or (t.glued(first - 1) and words[first - 2] not in _OPENERS)):
        return None
    if t.glued(first) and not hashed and words[first - 1] not in _OPENERS:
        return None
    if any(words[k] in _NO_PART or (k > first and words[k] in _UNITS) for k in range(first, j)):
        return None
    code = s.said(first, j).lower()
    if _KEYED.fullmatch(code) and not (hashed and len(code) < 4) or _DATED.fullmatch(code):
        return None
    if _MEASURES.fullmatch(code):
        return None
    begin = first - hashed
    k = begin - (begin > 0 and words[begin - 1] in (".", ":"))
    before = words[k - 1] if k else ""
    if before in _PLACES:
        return None
    if not _CODE.fullmatch(code) and not _is_named(s, code, before, hashed, j):
        return None
    return Atom("id", begin, j, code.upper(), None, (), "name")


def _is_part(word: str) -> bool:
    return word == "-" or (word.isascii() and word.isalnum() and len(word) <= _LONGEST)


def _goes_on(s: Sentence, j: int) -> bool:
    """Whether the words behind are glued to more: "a1.example.org", "b1:30"."""
    t, words = s.t, s.t.words
    if not t.glued(j):
        return False
    if words[j] in (".", ",", ":", ";", "!", "?"):
        return t.glued(j + 1) and words[j + 1][:1].isalnum()
    return words[j] not in (")", "]", '"', "'", "'s")


def _is_named(s: Sentence, code: str, before: str, hashed: bool, j: int) -> bool:
    """Whether the word before, or a "#", tells that a code is an id."""
    if hashed and _SHORT.fullmatch(code):
        return True
    if before not in _CUES:
        return False
    if _DIGITS.fullmatch(code):
        return code[0] == "0" and (before in _NUMBERS or len(code) > 3) or sum(map(str.isdigit, code)) >= 7
    letters = code.strip("0123456789-")
    if "-" not in code and (letters in _SCALES and code[0].isdigit()):
        return False
    ends = s.t.words[j] in _ENDS or "-" in code or before in _NUMBERS
    return ends and bool(_SHORT.fullmatch(code))
