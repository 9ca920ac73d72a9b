"""What was read, in the JSON forms of a mention."""

from __future__ import annotations

import datetime
from typing import Any

from fernjax.sim.mentions.tokens import Atom, Tokens
from fernjax.sim.types import Mention

_KINDS = {
    "date": "date", "dates": "date_range", "time": "time", "part": "time", "times": "time_range",
    "datetime": "datetime", "span": "datetime_range", "duration": "duration", "recurrence": "recurrence",
    "number": "number", "ordinal": "ordinal",
}  # fmt: skip


def to_mention(t: Tokens, atom: Atom) -> Mention | None:
    """A mention of an atom, or None where it says nothing by itself ("one")."""
    kind = atom.kind
    if atom.form == "unit":
        return None
    if kind == "number" and t.words[atom.i] == "one" and atom.j == atom.i + 1:
        return None
    if kind == "part" and atom.part == "night" and not _night(t, atom):
        return None
    value = _value(atom)
    alternatives: list[Any] = []
    for other in atom.alts:
        form = _pair(kind, other) if kind in ("dates", "times", "span") else _single(kind, other, 0)
        if form != value and form not in alternatives:
            alternatives.append(form)
    start, end = t.starts[atom.i], t.ends[atom.j - 1]
    return Mention(_KINDS[kind], start, end, value, tuple(alternatives), atom.form, atom.part)


def _night(t: Tokens, atom: Atom) -> bool:
    """Whether "night" is a time of the day, not a kind of event (quiz night)."""
    return atom.i > 0 and t.words[atom.i - 1] in (
        "at",
        "the",
        "by",
        "every",
        "each",
        "during",
        "late",
        "all",
        "tomorrow",
    )


def _value(atom: Atom) -> Any:
    if atom.kind in ("dates", "times", "span"):
        return _pair(atom.kind, (atom.a, atom.b))
    if atom.kind == "part":
        return atom.part
    if atom.kind == "duration":
        return {"seconds": atom.a}
    return _single(atom.kind, atom.a, atom.b)


def _single(kind: str, value: Any, seconds: Any) -> Any:
    if kind == "date":
        return value.isoformat()
    if kind == "time":
        clock = f"{value // 60 % 24:02d}:{value % 60:02d}"
        return f"{clock}:{seconds:02d}" if seconds else clock
    if kind == "datetime":
        return format_moment(value)
    return value


def _pair(kind: str, pair: tuple[Any, Any]) -> dict[str, str | None]:
    single = {"dates": "date", "times": "time", "span": "datetime"}[kind]
    start, end = (None if v is None else _single(single, v, 0) for v in pair)
    return {"start": start, "end": end}


def format_moment(value: datetime.datetime) -> str:
    """ISO form to the minute, to the second where seconds are not 0."""
    return value.isoformat(timespec="seconds" if value.second else "minutes")
