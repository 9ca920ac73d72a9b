"""Ranges with one end open: "after 3", "until friday", "from noon onwards", "by the end of the month"."""

from __future__ import annotations

import datetime

from fernjax.sim.mentions import calendrics
from fernjax.sim.mentions.lexicon import BOUNDARY
from fernjax.sim.mentions.tokens import Atom, Tokens

_OPENERS = {
    "after": "start", "before": "end", "until": "end", "till": "end", "til": "end", "by": "end",
    "since": "start", "through": "end", "past": "start", "thru": "end",
}  # fmt: skip
_ONWARDS = frozenset({"onwards", "onward", "forward", "wards"})


def open_time(t: Tokens, atom: Atom) -> Atom:
    """`after 3`, `before noon`, `until 5`, `from noon onwards`, `after lunch`."""
    words = t.words
    i, j = atom.i, atom.j
    before = words[i - 1] if i else ""
    if atom.kind == "part":
        return (
            Atom("times", i - 1, j, atom.a, atom.b, (), "part", note="event")
            if atom.note == "event"
            else atom
        )
    k = i - 1
    if before in ("about", "around", "like") and i > 1:
        k, before = i - 2, words[i - 2]
    if before == "than" and k > 0 and words[k - 1] in ("later", "earlier"):
        side = "start" if words[k - 1] == "later" else "end"
        no = k > 1 and words[k - 2] in ("no", "not")
        side = {"start": "end", "end": "start"}[side] if no else side
        return _opened(atom, k - 2 if no else k - 1, j, side)
    end = j
    if words[j] in ("and", "or") and words[j + 1] in ("after", "later", "on", "onwards"):
        end = j + 2 if words[j + 1] != "on" or words[j + 2] in ("", ".", ",", "?", "!") else j
    elif words[j] in _ONWARDS or (words[j] == "on" and words[j + 1] in _ONWARDS):
        end = j + 1 + (words[j] == "on")
    elif (
        words[j] == "on"
        and before == "from"
        and words[j + 1] in BOUNDARY
        and words[j + 1] not in ("the", "my")
    ):
        end = j + 1
    if end > j:
        return _opened(atom, k if before in ("from", "starting") else i, end, "start")
    if before in _OPENERS and not (
        before == "past" and (k == 0 or words[k - 1] in ("this", "the") or j == i + 1)
    ):
        opened = _opened(atom, k, j, _OPENERS[before])
        opened.note = "by" if before == "by" else None
        return opened
    return atom


def _opened(atom: Atom, i: int, j: int, side: str) -> Atom:
    first, *others = [(m, None) if side == "start" else (None, m) for m in (atom.a, *atom.alts)]
    return Atom("times", i, j, first[0], first[1], tuple(others), "open", atom.part)


def open_date(t: Tokens, atom: Atom) -> Atom:
    """`until friday`, `after the 5th`, `since monday`, `by the end of the month`."""
    if atom.kind not in ("date", "dates", "datetime") or not atom.i:
        return atom
    words = t.words
    k = atom.i - 1
    k -= words[k] == "the" and k > 0
    before, after = words[k], words[atom.j]
    if atom.kind == "datetime":
        side = _OPENERS.get(before)
        if side is None or before == "by" or atom.form in ("now", "ahead", "ago"):
            return atom
        pair, *others = [(m, None) if side == "start" else (None, m) for m in (atom.a, *atom.alts)]
        return Atom("span", k, atom.j, pair[0], pair[1], tuple(others), atom.form, atom.part)
    first, last = (atom.a, atom.a) if atom.kind == "date" else (atom.a, atom.b)
    if first is None or last is None or after == "'s":
        return atom
    if before == "by":
        if isinstance(atom.note, tuple) and atom.note[0] == "edge":
            return Atom("dates", k, atom.j, t.today, atom.note[1], (), "open")
        return atom
    if after in _ONWARDS or (after == "on" and words[atom.j + 1] in _ONWARDS):
        end = atom.j + 1 + (after == "on")
        return Atom("dates", k if before == "from" else atom.i, end, first, None, (), "open")
    day = calendrics.DAY
    if before == "after" and (atom.kind == "date" or atom.note in ("month", "year", "week")):
        return Atom("dates", k, atom.j, last + day, None, (), "open")
    if before == "since":
        return Atom("dates", k, atom.j, _latest(t, atom, first), None, (), "open")
    if before == "before":
        return Atom("dates", k, atom.j, None, first - day, (), "open")
    if before in ("until", "till", "til") and atom.note in ("week", "month", "year", "quarter"):
        return Atom("dates", k, atom.j, None, first - day, (), "open")
    if before in ("until", "till", "til", "through", "thru"):
        return Atom("dates", k, atom.j, None, last, (), "open")
    return atom


def _latest(t: Tokens, atom: Atom, first: datetime.date) -> datetime.date:
    """The last such day that is not ahead: what "since monday" counts from."""
    how = atom.note[0] if isinstance(atom.note, tuple) else ""
    behind = [day for day in atom.alts if day <= t.today] if atom.kind == "date" else []
    if first > t.today and behind:
        return max(behind)  # "since the first of the month"
    if first <= t.today or how not in ("weekday", "yearly", "monthday"):
        return first
    unit = {"weekday": "week", "yearly": "year", "monthday": "month"}[how]
    earlier = calendrics.shift(first, -1, unit)
    return first if earlier is None else earlier
