"""Mentions: stretches of a sentence that are dates, times, spans, lengths, amounts, numbers, ids, addresses.

The words are read once, left to right, by hand-written readers that look a bounded number of words
ahead (`scan` for dates and times, `claims` for the other kinds), and neighbours are joined (`merge`); so
the time is linear in the length of the text.

Which reading of a word wins depends on the kinds that are asked for: "two fifty" is a time for a calendar
and an amount for a wallet. What has a sign of its own ("$", "%", "@", a currency, a project's key) is
claimed first, and dates and times are read in what is left; a bare pair of numbers is an amount where no
time of the day is asked for, else only where it is no time.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import re
from typing import Any

from fernjax.sim.mentions.claims import MASK, claim, words_of
from fernjax.sim.mentions.lexicon import FORMS, MERIDIEMS, ONES
from fernjax.sim.mentions.measures import WEAK
from fernjax.sim.mentions.merge import merge
from fernjax.sim.mentions.names import is_bare_id
from fernjax.sim.mentions.scan import HEADS, scan
from fernjax.sim.mentions.sentence import COUNTS, KINDS, TIME_KINDS, Sentence
from fernjax.sim.mentions.tokens import Atom, Tokens, fold, split
from fernjax.sim.mentions.values import to_mention
from fernjax.sim.types import Mention, UserError

__all__ = ["FIRST_YEAR", "FORMS", "KINDS", "LAST_YEAR", "TIME_KINDS", "extract"]

FIRST_YEAR, LAST_YEAR = 1000, 9000
"""Years of the moments at which sentences are read."""

_DIGIT = re.compile("[0-9]")
_HEAD_WORDS = HEADS.keys()


def extract(text: str, now: str, kinds: frozenset[str] | None = None) -> list[Mention]:
    """Mentions of a text, sorted by place, none overlapping.

    Args:
      text: a sentence.
      now: when it was said, ISO 8601 local time without a zone.
      kinds: the kinds that are asked for, all where None. Where two readings overlap, only these compete.

    Raises:
      UserError: where `now` is no such time, or its year is before `FIRST_YEAR` or after `LAST_YEAR`.
    """
    moment = _parse_now(now)
    low = fold(text)
    asked = KINDS if kinds is None else kinds
    timed_only = asked <= TIME_KINDS and not asked <= COUNTS
    if _DIGIT.search(low) is None:
        words = split(low)
        if _HEAD_WORDS.isdisjoint(words) and (timed_only or words_of(asked).isdisjoint(words)):
            return []
    t = Tokens(low, moment)
    if not timed_only:
        return _extract_all(Sentence(t, text, asked), asked)
    return [m for m in _read_times(t) if kinds is None or m.kind in kinds]


def _read_times(t: Tokens, s: Sentence | None = None) -> list[Mention]:
    """Dates, times, lengths and numbers; the sentence, where given, says which bare numbers are no hours."""
    atoms = scan(t)
    if not atoms:
        return []
    if s is not None:
        for atom in atoms:
            if atom.kind == "number" and atom.note is not None and not _may_be_hour(s, atom):
                atom.note = None
    mentions = [to_mention(t, atom) for atom in merge(t, atoms)]
    return [m for m in mentions if m is not None]


def _may_be_hour(s: Sentence, atom: Atom) -> bool:
    """Whether a bare number may be an hour in an app of the asked kinds."""
    words, i = s.t.words, atom.i
    before = words[i - 1] if i else ""
    if not s.clocked and (s.money or s.id):
        return before in ("at", "@")
    if before != "to" or atom.note[2] is not None or not (s.levelled or _is_level(s, i)):
        return True
    ranged = i > 1 and (words[i - 2].isdigit() or words[i - 2] in ONES or words[i - 2] in MERIDIEMS)
    return ranged


_LEVELS = frozenset(
    "light lights lamp lamps bulb bulbs fan blinds shades curtains heater heat warm cool".split()
)
_RESCHEDULES = frozenset(
    "move push shift reschedule delay postpone change bring switch from alarm timer".split()
)


def _is_level(s: Sentence, i: int) -> bool:
    """Whether a number at word i, behind "to", sets how strong something is: "lights down to seven"."""
    if not (s.percent or s.temperature) or i < 2:
        return False
    near = s.t.words[max(0, i - 8) : i - 1]
    return _RESCHEDULES.isdisjoint(near) and (near[-1] in ("up", "down") or not _LEVELS.isdisjoint(near))


def _extract_all(s: Sentence, kinds: frozenset[str]) -> list[Mention]:
    t = s.t
    claims = claim(s, kinds)
    weak = [a for a in claims if s.clocked and a.note == WEAK]
    strong = [a for a in claims if not s.clocked or a.note != WEAK]
    after: dict[int, int] = {}
    if s.bare_ids:  # where each number ends in words, before what is claimed is hidden
        after = {
            t.starts[i]: i for i in range(t.size) if t.words[i] in _HEAD_WORDS or t.words[i][0].isdigit()
        }
    for atom in strong:
        t.words[atom.i : atom.j] = [MASK] * (atom.j - atom.i)
    timed = _read_times(t, s)
    if after:
        timed = [_as_id(s, m, after) for m in timed]
    if "ordinal" in kinds and "date" not in kinds:
        timed = [_as_ordinal(m) for m in timed]
    if "(" in s.text:
        timed = _drop_repeats(s.text, timed)
    mentions = sorted([m for m in timed if m.kind in kinds] + [_to_mention(s, a) for a in strong], key=_place)
    return _yield_to_times(mentions, [_to_mention(s, a) for a in weak]) if weak else mentions


def _yield_to_times(mentions: list[Mention], weak: list[Mention]) -> list[Mention]:
    """Puts each weak reading in the place of bare numbers, and drops it where anything else stands."""
    out: list[Mention] = []
    k = 0
    for found in weak:
        while k < len(mentions) and mentions[k].end <= found.start:
            out.append(mentions[k])
            k += 1
        met = k
        while met < len(mentions) and mentions[met].start < found.end:
            met += 1
        if all(m.kind == "number" for m in mentions[k:met]):
            out.append(found)
            k = met
    return out + mentions[k:]


def _place(mention: Mention) -> int:
    return mention.start


def _to_mention(s: Sentence, atom: Atom) -> Mention:
    alternatives: list[Any] = [a for k, a in enumerate(atom.alts) if a != atom.a and a not in atom.alts[:k]]
    start, end = s.t.starts[atom.i], s.t.ends[atom.j - 1]
    return Mention(atom.kind, start, end, atom.a, tuple(alternatives), atom.form)


def _as_ordinal(mention: Mention) -> Mention:
    """A bare day of the month ("the 3rd") as the ordinal that it is where no date is asked for."""
    if mention.kind != "date" or mention.form != "monthday":
        return mention
    return Mention("ordinal", mention.start, mention.end, int(mention.value[8:10]), (), "ordinal")


def _drop_repeats(text: str, mentions: list[Mention]) -> list[Mention]:
    """`forty-five (45)`: a number said again in brackets is one mention."""
    out: list[Mention] = []
    for m in mentions:
        last = out[-1] if out else None
        same = last is not None and m.kind == last.kind == "number" and m.value == last.value
        if (
            last is not None
            and same
            and (text[last.end : m.start].strip(), text[m.end : m.end + 1]) == ("(", ")")
        ):
            out[-1] = dataclasses.replace(last, end=m.end + 1)
        else:
            out.append(m)
    return out


def _as_id(s: Sentence, mention: Mention, word_at: dict[int, int]) -> Mention:
    """A number as the id that it is where the app counts nothing: "close 142"."""
    if mention.kind != "number" or not isinstance(mention.value, int) or not 0 < mention.value < 10**7:
        return mention
    i = word_at[mention.start]
    j = next((k for k in range(i + 1, i + 16) if k >= s.t.size or s.t.starts[k] >= mention.end), i + 1)
    if not is_bare_id(s, i, j):
        return mention
    return dataclasses.replace(mention, kind="id", value=str(mention.value), form="name")


@functools.lru_cache(maxsize=64)
def _parse_now(now: str) -> datetime.datetime:
    try:
        moment = datetime.datetime.fromisoformat(now)
    except (ValueError, TypeError) as e:
        raise UserError(f"now {now!r} is no ISO time; give one such as 2026-03-04T09:30:00") from e
    if moment.tzinfo is not None or not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise UserError(
            f"now {now!r} must be local time without a zone, in the years {FIRST_YEAR} to {LAST_YEAR}"
        )
    return moment.replace(microsecond=0)
