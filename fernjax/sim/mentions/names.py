"""Ids of tickets, written and spoken: "OPS-142", "ops one forty two", "ticket 142 in ops", "#142"."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import (
    BOUNDARY,
    DAY_WORDS,
    MERIDIEMS,
    MODIFIERS,
    MONTHS,
    NOUGHTS,
    OCLOCK,
    ONES,
    ORDINALS,
    PARTS,
    SCALES,
    TENS,
    UNITS,
    WEEKDAYS,
)
from fernjax.sim.mentions.numbers import read_hundreds, read_number
from fernjax.sim.mentions.sentence import Sentence
from fernjax.sim.mentions.tokens import Atom

NOUNS = frozenset("ticket tickets issue issues bug task story epic incident defect case tix tkt".split())
_NUMBER_WORDS = frozenset({"number", "no", "nr", "num", "id", "key"})
_DASHES = frozenset({"-", "–", "_"})
_SPOKEN_DASHES = frozenset({"dash", "hyphen", "minus"})
KEYS = frozenset(
    """ops web api dev devops ui ux infra auth mob qa sec crm hr sre fe eng mkt db ci cd erp iam""".split()
)
"""Keys that projects are often given and that are no words: they need no capitals and no dash."""
_NO_KEYS = frozenset(
    """top page pages room rooms line step part phase sprint version v release level floor area zone gate
    error code http status priority p chapter section item items row rows day week month year time times
    python java windows chrome covid mid pre post sub non about between hundred dozen half quarter
    around over under until till than only just first last next past all both these those and or but the
    a an my our your this that for to in on of at by with from is are was as it its be am pm me us we
    you he she they them him her who what when where which how close closed open reopen assign move link
    mark set show delete remove drop start stop finish put give take hand make bump add label tag
    comment note write list find see get view read tell update change raise lower due block blocks
    blocked relates relate duplicate duplicates connect tie merge like up down off out into onto under
    plus minus dot dash hyphen number no nr id key point hash ok okay please pls yes not so if then also
    still now done todo send pass bin kill close nuke pick grab let lets can could would will shall
    should do does did has have had need needs want wants more less few many any some every each vs via
    per re ref see said says call ping cc fyi hey hi um uh er oh vitamin channel agent model flight
    comment comments project projects assigned severity milestone deadline deadlines assignee titled
    described reported release releases nearly almost another remaining overdue important bus route
    highway formula f c q k m t called single double schedule""".split()
)
_NUMBERED = frozenset(
    """booking bookings reservation order orders invoice invoices account package parcel parcels delivery
    shipment guest guests claim receipt file document patient member customer request visit job contract
    product""".split()
)
"""Things that have a number of their own and are no projects: "booking 4417"."""
_LONGEST_OF_KEY = 4
"""Digits that the number of a ticket has where a plain word before it is its project's key."""
_BEFORE_ID = frozenset(
    """close closes open reopen assign reassign move link mark set show delete remove drop start stop
    finish put give take hand bump comment label tag update change raise lower block blocks blocked
    duplicate duplicates relate relates connect tie bin kill nuke pick grab to with and or by on of for
    about is into resolve fix view see get read display pull make keep label 's unblock escalate
    deprioritize deprioritise prioritize prioritise flag , : ;""".split()
) | {""}
_COUNTED = frozenset(
    "tickets issues bugs tasks stories epics incidents defects cases people labels percent %".split()
)
_VERBS = frozenset(
    """needs depends blocks goes belongs looks seems gets wants waits ends starts stops requires breaks fails
    keeps moves relates duplicates becomes stays comes works affects causes takes sits lacks misses contains
    overlaps mirrors repeats concerns remains changes means makes gives turns leads follows helps
    says reads shows holds hangs crashes slips deserves feels appears matters counts""".split()
)
"""What a ticket does, in the form of a plural: "plat 8 depends on data 7"."""
_UNIT_KEYS = frozenset({"sec", "hr"})
"""Keys that are units, too."""

_TIME_WORDS = (
    frozenset(WEEKDAYS) | frozenset(MONTHS) | frozenset(DAY_WORDS) | frozenset(PARTS) | frozenset(UNITS)
    | frozenset(MODIFIERS) | frozenset(ONES) | frozenset(TENS) | frozenset(SCALES) | frozenset(ORDINALS)
    | NOUGHTS | frozenset(OCLOCK) | frozenset(MERIDIEMS)
) - _UNIT_KEYS  # fmt: skip
_NOT_KEYS = _NO_KEYS | _NUMBERED | _TIME_WORDS
_NOT_IN = _TIME_WORDS | frozenset(
    """review progress the my a an our todo done time order sprint backlog detail details full general
    production prod staging q one two three this that it time-box future morning case total""".split()
)
_BOARDS = frozenset({"project", "board", "space", "queue", "backlog", "repo"})
_AFTER_ONE = frozenset(ONES) | frozenset(TENS) | {"hundred", "thousand", "oh", "o"}
_MOST_DIGITS = 7


def read_id(s: Sentence, i: int) -> Atom | None:
    """An id from the first word of its number, looking back for its project, noun or "#"."""
    t, words = s.t, s.t.words
    number, j, groups = _read_digits(s, i)
    if not number or _is_more(s, j):
        return None
    before = words[i - 1] if i else ""
    if before == "#" and t.glued(i):
        return _hashed(s, i, j, number)
    if before in _DASHES and t.glued(i) and t.glued(i - 1):
        key, first = _read_key(s, i - 1)
        spelled = first < i - 2  # "f e-9", and no "a w-2"
        return _id(s, first, j, key, number) if key and not (spelled and _is_article(s, first, i)) else None
    if t.glued(i):
        key = before if before.isalpha() and len(before) > 1 and not t.glued(i - 1) else ""
        known = key and (key in KEYS or s.said(i - 1, i).isupper() and len(key) < 6)
        return _id(s, i - 1, j, key, number) if known and words[i].isdigit() else None
    k = i
    if before in _SPOKEN_DASHES or before in _DASHES:
        key, first = _read_key(s, i - 1)
        return _id(s, first, j, key, number) if key and _is_key(s, first, i - 1, key, True) else None
    cue = False
    while k and i - k < 3 and (words[k - 1] in _NUMBER_WORDS or words[k - 1] in ("#", ".")):
        cue = cue or words[k - 1] != "number" or k < i
        k -= 1
    if k and words[k - 1] in NOUNS:
        return _after_noun(s, k - 1, j, number)
    key, first = _read_key(s, k)
    plain = key not in KEYS and s.text[t.starts[first]].islower() and words[first - 1] not in NOUNS
    counted = words[j] in _COUNTED or (plain and k == i and _is_plural(words[j]))
    long = plain and k == i and len(number) > _LONGEST_OF_KEY
    if key and not counted and not long and _is_key(s, first, k, key, k < i and s.bare_ids):
        return _id(s, first, j, key, number)
    named = k > 0 and words[k - 1] in _NUMBERED and not _is_plural(words[j])
    if s.bare_ids and (named or ((groups > 1 or k < i) and (words[k - 1] if k else "") in _BEFORE_ID)):
        return _placed(s, k, j, number)
    if before in ("in", ",") or before in MONTHS:
        return None  # "march 3, 2027 in LEGAL"
    return _placed(s, i, j, number, True)


def _is_plural(word: str) -> bool:
    """Whether a noun is counted by the number before it: "2 guests"."""
    return (
        len(word) > 3
        and word.isalpha()
        and word.endswith("s")
        and not word.endswith("ss")
        and word not in _VERBS
    )


def follow_id(s: Sentence, atom: Atom) -> Atom | None:
    """The next of a list that names its project once: "ops 12 and 13"."""
    words = s.t.words
    j = atom.j + (words[atom.j] == ",")
    j += words[j] in ("and", "or", "&")
    key = atom.a.rpartition("-")[0]
    if not key or j == atom.j or not (words[j][:1].isdigit() or words[j] in ONES or words[j] in TENS):
        return None
    number, end, _ = _read_digits(s, j)
    if not number or _is_more(s, end) or (words[end] not in BOUNDARY and words[end] not in _BEFORE_ID):
        return None
    return Atom("id", j, end, f"{key}-{number}", None, (number,), "name")


def is_bare_id(s: Sentence, i: int, j: int) -> bool:
    """Whether a plain number is an id where nothing else can be one: "close 142"."""
    before = s.t.words[i - 1] if i else ""
    return before in _BEFORE_ID and s.t.words[j] not in _COUNTED


def _id(s: Sentence, first: int, j: int, key: str, number: str) -> Atom:
    words = s.t.words
    while first and words[first - 1] in NOUNS and not s.t.glued(first):
        first -= 1
    return Atom("id", first, j, f"{key.upper()}-{number}", None, (), "name")


def _hashed(s: Sentence, i: int, j: int, number: str) -> Atom | None:
    """`#142`, `ops #142`, `ticket #142 in ops`."""
    words = s.t.words
    if s.t.glued(i - 1) and words[i - 2][-1:].isalnum():
        return None
    first = i - 1
    if first and words[first - 1] in _NUMBER_WORDS:
        first -= 1
    if first and words[first - 1] in NOUNS:
        return _after_noun(s, first - 1, j, number)
    key, k = _read_key(s, first)
    if key and _is_key(s, k, first, key, s.bare_ids):
        return _id(s, k, j, key, number)
    return _placed(s, first, j, number)


def _after_noun(s: Sentence, first: int, j: int, number: str) -> Atom | None:
    """`ticket 142 in ops`, `ops ticket 142`; first is at the noun."""
    key, k = _read_key(s, first)
    if key and (key in KEYS or (s.said(k, first).isupper() and not s.text.isupper())):
        return _id(s, k, j, key, number)
    return _placed(s, first, j, number)


def _placed(s: Sentence, first: int, j: int, number: str, needs_place: bool = False) -> Atom | None:
    """An id whose project may follow ("142 in ops"); one that needs it is a number without it."""
    words = s.t.words
    word = words[j]
    if word in ("in", "on", "of", "from"):
        k = j + 1 + (words[j + 1] in ("the", "project", "our"))
        key = words[k]
        named = words[k + 1] in _BOARDS or words[j + 1] == "project"
        if key.isalpha() and 2 <= len(key) <= 10 and key not in _NOT_IN and words[k + 1] not in _DASHES:
            known = key in KEYS or s.said(k, k + 1).isupper()
            if named or known or (word == "in" and not needs_place and k == j + 1 and _ends_name(s, k + 1)):
                value = f"{key.upper()}-{number}"
                return Atom("id", first, k + 1 + (words[k + 1] in _BOARDS), value, None, (), "name")
    return None if needs_place else Atom("id", first, j, number, None, (), "name")


def _ends_name(s: Sentence, j: int) -> bool:
    """Whether word j cannot go on what "in" begins: "142 in ops today"."""
    word = s.t.words[j]
    return s.bare_ids or word in BOUNDARY or word in _TIME_WORDS


def _is_article(s: Sentence, first: int, i: int) -> bool:
    """Whether the letters before the dash at word i - 1 begin with the article "a"."""
    return not s.bare_ids or (s.t.words[first] == "a" and i - first == 3)


def _read_key(s: Sentence, k: int) -> tuple[str, int]:
    """The project's key that ends before word k, a word or letters one by one, and where it begins."""
    t, words = s.t, s.t.words
    if not k:
        return "", k
    word = words[k - 1]
    if len(word) == 1 and word.isalpha():
        first = k - 1
        while first and k - first < 5 and len(words[first - 1]) == 1 and words[first - 1].isalpha():
            if t.glued(first):
                return "", k
            first -= 1
        return ("".join(words[first:k]), first) if k - first > 1 else ("", k)
    if not word.isalpha() or not 2 <= len(word) <= 10 or word in _NOT_KEYS:
        return "", k
    if word in UNITS and k > 1 and _is_counted(words[k - 2]):
        return "", k  # "2 hr 30"
    if t.glued(k - 1) and words[k - 2] not in "([\"':,;":
        return "", k
    return word, k - 1


def _is_counted(before: str) -> bool:
    return (
        before[:1].isdigit()
        or before in ONES
        or before in TENS
        or before in ("a", "an", "per", "half", "every")
    )


def _is_key(s: Sentence, first: int, k: int, key: str, dashed: bool) -> bool:
    """Whether a word before a number, without a dash that is written, is a project's key."""
    if k - first > 1:
        return True
    words = s.t.words
    if key in NOUNS or key in _NUMBER_WORDS:
        return False
    if dashed:
        return True
    if key in KEYS:
        return True
    if words[k] == "one" and words[k + 1] not in _AFTER_ONE:
        return False  # "the old one"
    said = s.said(first, k)
    if said.isupper() and not s.text.isupper() and len(key) <= 10:
        return True
    if first and words[first - 1] in NOUNS:
        return True
    return s.bare_ids and len(key) <= 8


def _is_more(s: Sentence, j: int) -> bool:
    """Whether the number goes on (142.5, 142-3, 50%), so that it is no id."""
    t, words = s.t, s.t.words
    word = words[j]
    if word in ("%", "percent", "°", "degrees") or (word in UNITS and word not in _UNIT_KEYS):
        return True
    if not t.glued(j):
        return False
    if word.isalnum() or word in "_@":
        return True
    return word in (".", "-", "/", ",", ":") and t.glued(j + 1) and words[j + 1][:1].isalnum()


def _read_digits(s: Sentence, i: int) -> tuple[str, int, int]:
    """The digits that begin at word i, the index after them, and how many numbers said them.

    `142`, `one forty two`, `one four two`, `one hundred and forty two`, `twelve oh three`.
    """
    words = s.t.words
    word = words[i]
    if word.isdigit():
        return (word, i + 1, 1) if len(word) <= _MOST_DIGITS and word[0] != "0" else ("", i, 0)
    read = read_hundreds(words, i) if word == "a" else read_number(s.t, i)
    if read is None:
        return "", i, 0
    if (
        read is not None
        and not {"hundred", "thousand"}.isdisjoint(words[i : read[1]])
        and read[0] < 10**_MOST_DIGITS
    ):
        return str(read[0]), read[1], 1
    out, j, groups = "", i, 0
    while len(out) <= _MOST_DIGITS:
        said, after = _read_group(words, j, groups)
        if not said:
            break
        out, j, groups = out + said, after, groups + 1
    return (out, j, groups) if 0 < len(out) <= _MOST_DIGITS and out[0] != "0" else ("", i, 0)


def _read_group(words: list[str], j: int, groups: int) -> tuple[str, int]:
    word = words[j]
    if groups and word in ("oh", "o") or word in NOUGHTS:
        return "0", j + 1
    if word in TENS:
        dash = words[j + 1] == "-"
        one = ONES.get(words[j + 1 + dash], 0)
        pair = 0 < one < 10
        return str(TENS[word] + (one if pair else 0)), j + 1 + pair * (1 + dash)
    if word not in ONES:
        return "", j
    return str(ONES[word]), j + 1
