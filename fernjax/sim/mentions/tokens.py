"""A sentence as words with their offsets, and the half-read stretches that the grammar builds on them."""

from __future__ import annotations

import datetime
import re
from typing import Any

_TOKEN = re.compile(r"[0-9]+|'s(?![^\W_])|[ap]\.m\b\.?|o'clock\b|[^\W\d_]+|\S")
_QUOTES = str.maketrans("’‘`", "'''")
PADDING = ("",) * 16


class Tokens:
    """Lower-case words of a text with offsets, and the moment it was said.

    Attributes:
      words: the words, then empty ones, so that looking ahead (and one back from the first) is safe.
      starts, ends: their character offsets.
      size: how many words there are.
      now: when it was said, to the second; `today` its date.
    """

    __slots__ = ("words", "starts", "ends", "size", "now", "today")

    def __init__(self, low: str, now: datetime.datetime) -> None:
        words, starts, ends = [], [], []
        for match in _TOKEN.finditer(low):
            words.append(match[0])
            start, end = match.span()
            starts.append(start)
            ends.append(end)
        self.size = len(words)
        words.extend(PADDING)
        self.words = words
        self.starts = starts
        self.ends = ends
        self.now = now
        self.today = now.date()

    def glued(self, i: int) -> bool:
        """Whether word i follows the word before it without a blank."""
        return 0 < i < self.size and self.starts[i] == self.ends[i - 1]

    def isolated(self, i: int) -> bool:
        """Whether word i is no part of a name such as `ops-142`, `A4`, `v2.1`, `#7`."""
        if not self.glued(i):
            return True
        before = self.words[i - 1]
        if before == "t" and self.glued(i - 1) and self.words[i - 2].isdigit():
            return True  # 2026-03-05T15:00
        if before[0].isalpha() or before in "_#@&=\\" or before[0].isdigit():
            return False
        return not (before in "-./" and self.glued(i - 1) and self.words[i - 2][:1].isalnum())


class Atom:
    """A stretch of words that was read, before it is joined with its neighbours.

    Attributes:
      kind: `date` (a: date), `dates` (a, b: dates, both included), `time` (a: minutes, b: seconds),
        `part` (a, b: minutes), `times` (a, b: minutes), `datetime` (a: datetime), `span` (a, b:
        datetimes), `duration` (a: seconds, b: (number, unit)), `recurrence` (a: word), `number` and
        `ordinal` (a: number).
      i, j: first word and one past the last.
      alts: other values of the same form as a (for ranges: pairs).
      form, part: as in `Mention`.
      note: what only the grammar needs: how to move a date to a later year, which hour a number may be.
    """

    __slots__ = ("kind", "i", "j", "a", "b", "alts", "form", "part", "note")

    def __init__(
        self,
        kind: str,
        i: int,
        j: int,
        a: Any,
        b: Any = None,
        alts: tuple[Any, ...] = (),
        form: str = "",
        part: str = "",
        note: Any = None,
    ) -> None:
        self.kind = kind
        self.i = i
        self.j = j
        self.a = a
        self.b = b
        self.alts = alts
        self.form = form
        self.part = part
        self.note = note


def fold(text: str) -> str:
    """Lower case with plain apostrophes, of the same length as the text."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    if low.isascii():
        return low
    # Superscripts and other scripts' digits are `isdigit` but no numerals of a date.
    return "".join("_" if c > "\x7f" and c.isdigit() else c for c in low.translate(_QUOTES))


def split(low: str) -> list[str]:
    """Words of a folded text, without offsets."""
    return _TOKEN.findall(low)


def gap(t: Tokens, x: Atom, y: Atom) -> tuple[str, ...] | None:
    """Words between two atoms, or None where they are more than four."""
    if y.i - x.j > 4:
        return None
    return tuple(t.words[x.j : y.i])


def loose_gap(t: Tokens, x: Atom, y: Atom) -> tuple[str, ...] | None:
    """Words between two atoms without articles."""
    between = gap(t, x, y)
    if between and "the" in between:
        between = tuple(w for w in between if w != "the")
    return between
