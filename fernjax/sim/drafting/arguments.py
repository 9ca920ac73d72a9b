"""How each argument of a tool is said, from its type, its name and its description."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from fernjax.sim.drafting.kinds import Kind, kind_of
from fernjax.sim.drafting.verbs import split_name
from fernjax.sim.tools import TEXT_TYPES, Argument


class Phrase(NamedTuple):
    """How an argument is said.

    Attributes:
      said: alternatives in the language of `fernjax.sim.grammar`, the slot in them.
      object: how it stands where the tool's object does ("log {running}"), "" where it cannot.
      before: how it stands before the tool's noun ("my {yoga} workout"), "" where it cannot.
    """

    said: str
    object: str = ""
    before: str = ""


RESERVED = frozenset("ask tail my mys new know unwanted howto never noun verb asks thing things".split())
"""Rules of a draft; the values of an argument of such a name come from a rule of another name."""

STATES = frozenset("problem issue condition state damage defect fault".split())
"""Words for how something is."""

_FRAMES: tuple[tuple[str, str], ...] = (
    ("to recipient destination", "to {x} *8 | for {x}"),
    ("from sender origin source", "from {x}"),
    ("shop store merchant vendor seller supplier", "from {x} *9 | at {x} *2"),
    ("location place room city venue area country", "in {x} *6 | at {x} *3 | for {x}"),
    ("address", "to {x} *8 | at {x} *2"),
    ("with attendee guest", "with {x} *8 | and {x}"),
    ("assignee owner for person user customer client member patient", "for {x} *7 | with {x} *2"),
    (
        "message text body note comment content feedback instruction instructions details description",
        "~: {x} *3 | saying {x} *4 | that says {x} *2 | {x} *4 | that {x} *2",
    ),
    ("reason why", "because {x} *5 | since {x} | as {x}"),
    ("title label name called tag", "called {x} *4 | {x} *5 | named {x} *2 | titled {x}"),
    ("category kind type genre cuisine", "{x} *4 | for {x} *4"),
    ("topic subject about", "about {x} *7 | on {x} *2 | regarding {x}"),
)
_NO_OBJECT = ("to ", "from ", "in ", "with ", "because ")
"""Phrases of what is no object of a request, but says where, from whom, why."""

UNITS = {
    "km": "km | kilometers | kilometres | k",
    "kilometers": "km | kilometers | kilometres | k",
    "miles": "miles | mi",
    "kilograms": "kg *3 | kilos *2 | kilograms",
    "kg": "kg *3 | kilos *2 | kilograms",
    "pounds": "pounds | lbs",
    "grams": "grams | g",
    "liters": "liters | litres | l",
    "ml": "ml | milliliters",
    "milliliters": "ml | milliliters",
    "cm": "cm | centimeters",
    "hours": "hours | hrs",
    "nights": "nights",
    "days": "days",
    "weeks": "weeks",
    "calories": "calories | kcal",
}
_RECURRENCES = {
    "daily": "every day *4 | daily *3 | each day | once a day",
    "weekdays": "on weekdays *3 | every weekday *3 | monday to friday repeating",
    "weekends": "on weekends *3 | every weekend *2 | on saturdays and sundays",
    "weekly": "every week *4 | weekly *4 | once a week *2 | each week",
    "biweekly": "every two weeks *3 | every other week *3 | biweekly",
    "monthly": "every month *4 | monthly *4 | once a month *2",
    "yearly": "every year *4 | yearly *2 | once a year | annually",
}


def phrase(argument: Argument, thing: str = "") -> Phrase:
    """How an argument is said; `thing` is the noun of its tool's name."""
    x, bare = f"{{{argument.name}}}", f"{{{argument.name}:bare}}"
    words = split_name(argument.name)
    if argument.type in TEXT_TYPES:
        if (
            thing and words[:1] == thing.split()[-1:] and kind_name(argument) != "address"
        ):  # it names the thing itself: "water the {roses}"
            return Phrase(slot(argument), slot(argument))
        return _text(argument)
    match argument.type:
        case "choice":
            said = _choice(argument)
            return Phrase(said) if is_reason(argument) or _is_flag(argument) else Phrase(said, said, said)
        case "date" | "end_date" | "time" | "end_time":
            until = "until " if argument.type.startswith("end_") else ""
            before = "to " if argument.new else until
            return Phrase(f"{before}{bare if before else x}")
        case "minutes" | "seconds":
            return Phrase(f"in {bare}" if {"in", "delay"} & set(words) else f"for {bare} *7 | {bare} *4")
        case "amount":
            for word in set(words) & UNITS.keys():
                return _measured(argument, word)
            return Phrase(f"{x} *7 | of {x} *2 | for {x}", x)
        case "recurrence":
            return Phrase(" | ".join(f"{{{argument.name}={c}: {_RECURRENCES[c]}}}" for c in argument.choices))
        case "currency" | "unit":
            return Phrase("")  # said with its amount
        case "percent" | "degrees":
            return Phrase(f"to {x} *6 | at {x} | {x} *3")
        case "id":
            noun = " ".join(w for w in words if w != "id") or "number"
            numbered = "" if noun == "number" else f" | {noun} number {x} *4"
            named = f"{noun} {x} *5{numbered} | "
            said = "" if noun == thing else named  # "cancel order 4417", "cancel my order number 4417"
            return Phrase(f"{said}number {x} *2 | {x} *3", f"{named}{x} *2")
        case "email" | "phone":
            return Phrase(f"{x} *4 | to {x} *2 | at {x} *2 | {argument.type} {x}")
        case "number":
            return _number(x, words)
    return Phrase(x)


def slot(argument: Argument) -> str:
    """The slot of a text argument, its values from `value_rule`."""
    rule = value_rule(argument)
    return f"{{{argument.name}}}" if rule == argument.name else f"{{{argument.name}:{rule}}}"


def value_rule(argument: Argument) -> str:
    """Name of the rule that a text argument's values come from: its own, where no other rule has it."""
    taken = argument.name in RESERVED
    return f"values_of_{argument.name}" if taken else argument.name


def is_reason(argument: Argument) -> bool:
    """Whether an argument says why: it is no kind of the thing, and stands after "because"."""
    return bool({"reason", "cause"} & set(split_name(argument.name)))


def is_state(argument: Argument) -> bool:
    """Whether an argument says how something is: "my order is late"."""
    return bool(STATES & set(split_name(argument.name)))


def find_examples(description: str) -> list[str]:
    """What a description lists after "such as", "like" or "e.g."."""
    match = re.search(r"(?:such as|\blike|e\.g\.,?|for example,?)\s+([^.;()]+)", description, re.I)
    if not match:
        return []
    return [w for e in re.split(r",|\bor\b|\band\b", match[1]) if (w := plain(e)) and len(w.split()) <= 3]


def plain(words: str) -> str:
    """Words that mean nothing in the language of a grammar."""
    return " ".join(re.findall(r"[\w'-]*\w[\w'-]*", words))


def _text(argument: Argument) -> Phrase:
    x = slot(argument)
    kind = kind_of(argument)
    words = split_name(argument.name)
    said = next((f for names, f in _FRAMES if set(words) & set(names.split())), "")
    said = said or _BY_KIND.get(kind.name, "{x} *7 | for {x} *3")
    said = said.replace("{x}", x)
    if said.startswith(_NO_OBJECT):
        return Phrase(said, before=x if said.startswith("from ") and kind.name != "person" else "")
    before = "" if argument.type == "texts" or kind.name in ("note", "person", "address") else x
    if said.startswith("~:"):
        return Phrase(said, f"{x} *5 | ~: {x}")
    return Phrase(said, x, before)


_BY_KIND = {
    "person": "for {x} *7 | with {x} *2",
    "place": "in {x} *6 | at {x} *3",
    "shop": "from {x} *9 | at {x} *2",
    "room": "in {x} *8 | for {x} *2",
}


def _is_flag(argument: Argument) -> bool:
    return set(argument.choices) == {True, False}


def _choice(argument: Argument) -> str:
    if _is_flag(argument):
        return f"{{{argument.name}=true: {plain(' '.join(split_name(argument.name))) or 'yes'}}}"
    before = "(because|since|cause|it's|it is|because it is|because it's) " if is_reason(argument) else ""
    ways: dict[str, str] = {}
    for value in argument.choices:
        said = _said(value)
        if said and _is_writable(value):
            ways.setdefault(str(value).lower(), f"{before}{{{argument.name}={value}: {said}}}")
    return " | ".join(ways.values())


def _said(value: Any) -> str:
    spaced = " ".join(split_name(value)) if isinstance(value, str) and not value.isupper() else str(value)
    return plain(spaced.replace("_", " ").lower())


def _is_writable(value: Any) -> bool:
    """Whether a grammar can name a value: some marks have a meaning there."""
    text = str(value)
    return bool(text.strip() == text and text.isprintable() and not re.search(r'[:{}|"\\#]', text))


def _measured(argument: Argument, unit: str) -> Phrase:
    """How much of something that is no money: "200 ml"."""
    some = " | ".join(f"{{{argument.name}={n}: {n}}}" for n in (5, 10, 50, 100, 150, 200, 250, 300, 500, 750))
    said = f"({some}) ({UNITS[unit]})"
    return Phrase(f"{said} *6 | of {said} | with {said} *2", said)


def _number(x: str, words: list[str]) -> Phrase:
    if len(words) > 1 and words[-1] in ("number", "no", "num"):
        noun = " ".join(words[:-1])
        return Phrase(f"{noun} {x} *6 | for {noun} {x} *3 | {noun} number {x} | {x}", f"{noun} {x} *4 | {x}")
    for word in words:
        if word in UNITS:
            return Phrase(f"{x} ({UNITS[word]}) *8 | of {x} ({UNITS[word]})", f"{x} ({UNITS[word]})")
    noun = " ".join(w for w in words if w not in ("number", "count", "num", "of", "per"))
    if noun in ("target", "value", "level", "goal", "limit", "amount", ""):
        return Phrase(f"to {x} *5 | {x} *4 | of {x} *2 | at {x}", x)
    return Phrase(f"{x} {noun} *6 | {noun} {x} *.5 | {x} *1.5 | for {x} {noun} *.7", f"{x} {noun} *4 | {x}")


def kind_name(argument: Argument) -> str:
    """Name of the kind of thing that a text argument holds, "" where none is told."""
    kind: Kind = kind_of(argument)
    return kind.name
