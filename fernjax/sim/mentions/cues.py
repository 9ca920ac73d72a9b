"""Whether words that may be something else are days or months where they stand: sat, sun, may, june."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import (
    BOUNDARY,
    MERIDIEMS,
    MONTHS,
    NAME_MONTHS,
    OCLOCK,
    ONES,
    PARTS,
    RISKY_MONTHS,
    UNTIL,
    WEEKDAYS,
)
from fernjax.sim.mentions.tokens import Tokens

_CUES = frozenset(
    """on this next last every each by until till til from before after since through thru - – of early late
    mid in during past previous coming upcoming between around about starting ( and or & due end beginning
    start current following middle throughout btwn @ nxt""".split()
)
_DAY_CUES = _CUES - {"in", "of", "early", "late", "mid", "and", "during", "about"}
_CLOCK_PREPOSITIONS = frozenset("at from till til until by after before between around".split())
_BEFORE_SUN = frozenset(
    """the in my hot a of with enough more no full direct morning evening under some much bright warm and or
    to for by winter summer""".split()
)
_HOURS = frozenset(ONES) | {"noon", "midday", "half", "quarter"}
_PRESENTS = frozenset("present presents gift gifts cake card cards flowers message letter".split())
_PERSON_CUES = frozenset({"with", "call", "text", "tell", "email", "invite", "ask", "message", "from", "to"})


def cued_day(t: Tokens, i: int) -> bool:
    """Whether "sat", "sun", "mon" and "wed" are days here."""
    word, before, after = t.words[i], t.words[i - 1] if i else "", t.words[i + 1]
    if word == "mon":
        return before not in ("ya", "hey") and after not in ("ami", "amis", "amour", "cher", "cheri", "dieu")
    if before == "the" and word != "sun" and after[:1].isdigit():
        return True
    if before in ("i", "he", "she", "we", "they", "you", "the", "who", "it", "a", "newly"):
        return False
    if before == "," and i > 1 and (t.words[i - 2] in WEEKDAYS or after in ("and", "or")):
        return True
    if before in _DAY_CUES or before in WEEKDAYS or t.size <= 2:
        return True
    if after == "'s" or (
        word == "wed" and before != "to" and after in BOUNDARY and after not in ("in", "as")
    ):
        return True
    clock = before in OCLOCK or before in MERIDIEMS or before in ONES or before[:1].isdigit()
    if after in ("noon", "midday"):
        return True
    if (
        after in ("", ".", "?", "!")
        and i > 2
        and before not in _BEFORE_SUN
        and t.words[0] not in ("the", "he")
    ):
        return True
    if clock or before in ("for", "to"):
        return (after in BOUNDARY or after in PARTS) and after not in ("in", "with", "-")
    if after in _CLOCK_PREPOSITIONS and (t.words[i + 2][:1].isdigit() or t.words[i + 2] in _HOURS):
        return True
    if after in (",", ".") and t.words[i + 2] != "":
        return before in ("", ",", "-") or t.words[i + 2] in MONTHS or t.words[i + 2].isdigit()
    return (
        after[:1].isdigit() or after in ONES or after in PARTS or after in MONTHS or after in ("@", "-", "/")
    )


def cued_month(t: Tokens, i: int, j: int) -> bool:
    """Whether a month's name alone is a month here, not a verb, a modal or a person."""
    words = t.words
    word, before, after = words[i], words[i - 1] if i else "", words[j]
    if t.size <= 2 and t.size == j - i + (after == "."):
        return True
    if before == "for" and (word in RISKY_MONTHS or word in NAME_MONTHS):
        given = i > 1 and words[i - 2] in _PRESENTS
        return not given and after in BOUNDARY and after not in ("i", "you", "we", "'s", "-")
    if word in RISKY_MONTHS:
        if before == "to":
            return i > 1 and words[i - 2] in MONTHS
        if before == "in" or before in ("this", "next", "last", "of", "since", "until", "till", "during"):
            return True
        if word == "march" and after in ("after", "in") and words[j + 1] not in ("the", "place", "on"):
            return words[j + 1] in ("next", "a", "one", "two") or words[j + 1].isdigit()
        return before in _CUES and before not in ("and", "or", "&", "-", "end", "every", "each", "on", "(")
    if word in NAME_MONTHS:
        if before == "from" and after in UNTIL:
            return True
        return before not in _PERSON_CUES or before in ("from", "to") and i > 1 and words[i - 2] in MONTHS
    return True
