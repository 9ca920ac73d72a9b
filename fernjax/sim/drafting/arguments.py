"""How each argument of a tool is said, from its type, its name and its description."""

from __future__ import annotations

import re
from typing import NamedTuple

from fernjax.sim.drafting.verbs import split_name
from fernjax.sim.tools import TEXT_TYPES, Argument


class Phrase(NamedTuple):
    """How an argument is said.

    Attributes:
      said: alternatives in the language of `fernjax.sim.grammar`, the slot in them.
      direct: whether it can stand where the tool's object does ("log {running}").
    """

    said: str
    direct: bool


PEOPLE = frozenset(
    "person people user name recipient contact assignee attendee guest friend customer client to".split()
)
PLACES = frozenset(
    "place location address city room destination origin country store shop venue restaurant airport".split()
)
MESSAGES = frozenset(
    "message text body note comment content reason instructions details feedback description".split()
)

_FRAMES: tuple[tuple[str, str], ...] = (
    ("to recipient destination", "to {x} *8 | for {x}"),
    ("from sender origin source shop store merchant vendor seller", "from {x} *8 | at {x} | by {x}"),
    ("location place room city venue area country", "in {x} *5 | at {x} *4 | near {x}"),
    ("address", "to {x} *7 | at {x} *2 | address {x}"),
    ("with attendee guest", "with {x} *8 | and {x}"),
    ("assignee owner for person user customer client member", "for {x} *6 | to {x} *4 | with {x} *2"),
    (
        "message text body note comment content feedback",
        "~: {x} *3 | saying {x} *4 | that says {x} *2 | {x} *4 | that {x}",
    ),
    ("reason why", "because {x} *5 | since {x} | as {x}"),
    ("title label name called tag", "called {x} *4 | {x} *5 | named {x} *2 | titled {x}"),
    ("category kind type genre cuisine", "{x} *4 | for {x} *4 | on {x} | of type {x}"),
    ("topic subject about", "about {x} *7 | on {x} *2 | regarding {x}"),
)

DEFAULT_FRAME = "{x} *7 | for {x} *3"
UNITS = {
    "km": "km | kilometers | kilometres | k",
    "kilometers": "km | kilometers | kilometres | k",
    "miles": "miles | mi",
    "kilograms": "kg | kilos | kilograms",
    "kg": "kg | kilos | kilograms",
    "pounds": "pounds | lbs",
    "grams": "grams | g",
    "liters": "liters | litres | l",
    "hours": "hours | hrs",
    "calories": "calories | kcal",
}


def phrase(argument: Argument, alone: bool) -> Phrase:
    """How an argument is said.

    Args:
      argument: it.
      alone: whether it is the only text of its tool, so that it needs no preposition.
    """
    x = f"{{{argument.name}}}"
    bare = f"{{{argument.name}:bare}}"
    words = split_name(argument.name)
    if argument.type in TEXT_TYPES:
        return _text(argument, x, words, alone)
    match argument.type:
        case "choice":
            return Phrase(_choice(argument), not is_reason(argument))
        case "date" | "end_date":
            before = "to " if argument.new else "until " if argument.type == "end_date" else ""
            return Phrase(f"{before}{bare if before else x}", False)
        case "time" | "end_time":
            before = "to " if argument.new else "until " if argument.type == "end_time" else ""
            return Phrase(f"{before}{bare if before else x}", False)
        case "minutes" | "seconds":
            delay = "in" in words or "delay" in words
            return Phrase(f"in {bare}" if delay else f"for {bare} *7 | {bare} *4", False)
        case "amount":
            return Phrase(f"{x} *7 | of {x} *2 | for {x}", True)
        case "currency" | "unit":
            return Phrase("", False)  # said with its amount
        case "percent" | "degrees":
            return Phrase(f"to {x} *6 | at {x} | {x} *3", False)
        case "id":
            noun = " ".join(w for w in words if w != "id") or "number"
            return Phrase(f"{noun} {x} *5 | {noun} number {x} *4 | number {x} *2 | {x} *3", True)
        case "email" | "phone":
            return Phrase(f"{x} *4 | to {x} *2 | at {x} *2 | {argument.type} {x}", False)
        case "number":
            return Phrase(_number(argument, x, words), True)
    return Phrase(x, False)


def pool_of(argument: Argument) -> str:
    """What a text argument is drawn from: alternatives of pools, and its description's examples."""
    words = set(split_name(argument.name)) | set(re.findall(r"[a-z]+", argument.description.lower())[:6])
    name = set(split_name(argument.name))
    examples = " | ".join(f"{e} *3" for e in find_examples(argument.description))
    if name & PEOPLE and not name & {"file", "list"}:
        pool = "%first_names *6 | %relations *3 | %first_names %last_names *2 | my %relations"
    elif name & PLACES:
        pool = "%places *6 | %last_names ~'s *2 | (the|my) (office|house|gym|school|neighbor|porch) *2"
    elif name & MESSAGES:
        pool = (
            "%natural_tasks *4 | %tasks *4 | i (will|can't|need to|want to) %tasks *2 "
            "| the %natural_nouns (is|was) %adjectives *2"
        )
    elif words & {"event", "meeting", "appointment"}:
        pool = "%event_nouns *8 | %natural_nouns *2"
    elif words & {"task", "todo", "chore", "reminder"}:
        pool = "%tasks *8 | %natural_tasks *2"
    else:
        pool = "%natural_nouns *6 | %topics *2 | %event_nouns | %adjectives %natural_nouns"
    return f"{examples} | {pool}" if examples else pool


def is_reason(argument: Argument) -> bool:
    """Whether an argument says why: it is no kind of the thing, and stands after "because"."""
    return bool({"reason", "cause"} & set(split_name(argument.name)))


def find_examples(description: str) -> list[str]:
    """What a description lists after "such as", "like" or "e.g."."""
    match = re.search(r"(?:such as|like|e\.g\.,?|for example,?)\s+([^.;()]+)", description, re.I)
    if not match:
        return []
    return [w for e in re.split(r",|\bor\b|\band\b", match[1]) if (w := _plain(e)) and len(w.split()) <= 3]


def _text(argument: Argument, x: str, words: list[str], alone: bool) -> Phrase:
    for names, said in _FRAMES:
        if set(words) & set(names.split()):
            direct = "{x} *" in said.split("|")[0] or said.startswith(("~:", "called"))
            return Phrase(said.replace("{x}", x), direct or alone)
    return Phrase(DEFAULT_FRAME.replace("{x}", x), True)


def _choice(argument: Argument) -> str:
    if set(argument.choices) == {True, False}:
        words = _plain(" ".join(split_name(argument.name)))
        return f"{{{argument.name}=true: {words}}}"
    before = "(because|since|cause|it's|it is|because it is|because it's) " if is_reason(argument) else ""
    ways = []
    for value in argument.choices:
        words = _plain(str(value).replace("_", " ").replace("-", " ").lower())
        ways.append(f"{before}{{{argument.name}={value}: {words}}}")
    return " | ".join(ways)


def _number(argument: Argument, x: str, words: list[str]) -> str:
    for word in words:
        if word in UNITS:
            return f"{x} ({UNITS[word]}) *8 | of {x} ({UNITS[word]})"
    noun = " ".join(w for w in words if w not in ("number", "count", "num", "of"))
    if noun in ("target", "value", "level", "goal", "limit", ""):
        return f"to {x} *5 | {x} *4 | of {x} *2 | at {x}"
    return f"{x} {noun} *6 | {noun} {x} *2 | {x} *2"


def _plain(words: str) -> str:
    """Words that mean nothing in the language of a grammar."""
    return " ".join(re.findall(r"[\w'-]+", words))
