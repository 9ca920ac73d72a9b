"""What kind of thing a text argument holds, told by its name and its description, and values of that kind."""

from __future__ import annotations

import functools
import pathlib
import re
from typing import NamedTuple

from fernjax.sim.drafting.verbs import stem
from fernjax.sim.tools import Argument, split_name

_VALUES = pathlib.Path(__file__).with_name("values.txt")

_GENERAL: dict[str, tuple[str, ...]] = {
    "person": tuple(
        """person people recipient contact assignee attendee guest friend customer client patient
        employee member sender driver doctor owner user""".split()
    ),
    "place": tuple("""place venue branch neighborhood""".split()),
    "event": ("event", "meeting", "appointment", "session", "occasion"),
    "task": ("task", "todo", "chore", "reminder", "action"),
}
"""Kinds whose values the package's own pools hold."""

_POOLS = {
    "person": "%first_names *6 | %relations *2 | %first_names %last_names *2 | my %relations *2",
    "place": "%places *6 | %last_names ~'s *2 | (the|my) (office|house|gym|school|porch) *2",
    "event": "%event_nouns *8 | %natural_nouns *2",
    "task": "%tasks *8 | %natural_tasks *2",
    "note": "| %natural_tasks *2 | the %natural_nouns (is|was) %adjectives | %tasks",
}
DEFAULT_POOL = "%natural_nouns *6 | %topics *2 | %event_nouns | %adjectives %natural_nouns"


class Kind(NamedTuple):
    """A kind of thing.

    Attributes:
      name: "food", "person", ...; "" where none is told.
      values: of it, () where the package's pools hold them.
    """

    name: str
    values: tuple[str, ...]


def kind_of(argument: Argument) -> Kind:
    """The kind of thing that a text argument holds: by the words of its name, then of its description."""
    name = [stem(w) for w in split_name(argument.name)]
    told = [stem(w) for w in re.findall(r"[a-z]+", argument.description.lower())[:8]]
    general = set(name) <= {"item", "thing"}  # "items": what they are, the description tells
    for words in (told, name) if general else (reversed(name), told):
        for word in words:
            found = _by_cue().get(word)
            if found is not None:
                return found
    return Kind("", ())


def pool_rule(kind: Kind, pool: str) -> str:
    """Alternatives of the language of a grammar that draw values of a kind.

    Args:
      kind: it.
      pool: name of the app's pool of the kind's values, "" where it has none.
    """
    if not pool:
        return _POOLS.get(kind.name, DEFAULT_POOL)
    if kind.name == "note":
        return f"%{pool} *6 {_POOLS['note']}"
    return f"%{pool} *9 | %natural_nouns *1.5"


def values_of(name: str) -> tuple[str, ...]:
    """Values of the kind of a name, () where there is none."""
    return next((kind.values for kind in _by_cue().values() if kind.name == name), ())


@functools.cache
def _by_cue() -> dict[str, Kind]:
    out: dict[str, Kind] = {}
    for name, cues in _GENERAL.items():
        for cue in cues:
            out.setdefault(stem(cue), Kind(name, ()))
    text = re.sub(r"\n\s+", "\n\t", _VALUES.read_text(encoding="utf-8"))
    for match in re.finditer(r"^\[(\w+)\] (.+)\n((?:\t.+\n?)+)", text, re.M):
        values = tuple(v for line in match[3].splitlines() for v in line.strip().split(", ") if v)
        for cue in match[2].split():
            out.setdefault(stem(cue), Kind(match[1], values))
    return out
