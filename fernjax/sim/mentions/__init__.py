"""Mentions: stretches of a sentence that are dates, times, spans, durations, recurrence or numbers.

The words are read once, left to right, by hand-written readers that look a bounded number of words
ahead (`scan`), and neighbours are joined (`merge`); so the time is linear in the length of the text.
"""

from __future__ import annotations

import datetime
import functools
import re

from fernjax.sim.mentions.lexicon import FORMS
from fernjax.sim.mentions.merge import merge
from fernjax.sim.mentions.scan import HEADS, scan
from fernjax.sim.mentions.tokens import Tokens, fold, split
from fernjax.sim.mentions.values import to_mention
from fernjax.sim.types import Mention, UserError

__all__ = ["FORMS", "extract"]

_DIGIT = re.compile("[0-9]")
_HEAD_WORDS = HEADS.keys()


def extract(text: str, now: str, kinds: frozenset[str] | None = None) -> list[Mention]:
    """Mentions of a text, sorted by place, none overlapping.

    Args:
      text: a sentence.
      now: when it was said, ISO 8601 local time without a zone.
      kinds: the kinds to keep, all where None.

    Raises:
      UserError: where `now` is no such time, or its year is before 1000 or after 9000.
    """
    moment = _parse_now(now)
    low = fold(text)
    if _HEAD_WORDS.isdisjoint(split(low)) and _DIGIT.search(low) is None:
        return []
    t = Tokens(low, moment)
    atoms = scan(t)
    if not atoms:
        return []
    mentions = [to_mention(t, atom) for atom in merge(t, atoms)]
    return [m for m in mentions if m is not None and (kinds is None or m.kind in kinds)]


@functools.lru_cache(maxsize=64)
def _parse_now(now: str) -> datetime.datetime:
    try:
        moment = datetime.datetime.fromisoformat(now)
    except (ValueError, TypeError) as e:
        raise UserError(f"now {now!r} is no ISO time; give one such as 2026-03-04T09:30:00") from e
    if moment.tzinfo is not None or not 1000 <= moment.year <= 9000:
        raise UserError(f"now {now!r} must be local time without a zone, in the years 1000 to 9000")
    return moment.replace(microsecond=0)
