"""Apps that nobody made: random tools over random things, so that a broad model must read what a tool is.

The nouns are those of `nouns.txt`, the verbs those that drafting knows; names come in the styles that tools
have in the wild, arguments under one of several names, descriptions now and then not at all.
"""

from __future__ import annotations

import random
from typing import Any

from fernjax.sim.drafting.module import draft_domain
from fernjax.sim.drafting.nouns import noun_groups
from fernjax.sim.types import UserError
from fernjax.sim.world import Domain

VERBS = {
    "adds": ("create", "add", "make", "new", "log", "record", "book", "order", "schedule", "start"),
    "reads": ("get", "find", "search", "list", "show", "check", "look_up", "view", "track"),
    "changes": ("update", "change", "edit", "modify", "reschedule", "move", "rename", "extend"),
    "removes": ("delete", "remove", "cancel", "drop", "close", "clear"),
    "acts": ("share", "send", "pay", "pause", "resume", "rate", "archive", "assign", "renew", "lock"),
}
"""What tools do, and the verbs that their names have for it."""

LEVELS = ["low", "normal", "high"]
COLOURS = ["red", "blue", "green", "black", "white"]
STATES = ["open", "active", "done", "cancelled"]

ARGUMENTS: tuple[tuple[tuple[str, ...], dict[str, Any], tuple[str, ...]], ...] = (
    (("date", "day", "on_date", "when_date"), {"type": "string", "format": "date"}, ("the day",)),
    (("time", "at_time", "start_time"), {"type": "string", "format": "time"}, ("time of day, HH:MM",)),
    (("duration_minutes", "length_minutes", "minutes"), {"type": "integer"}, ("length in minutes",)),
    (("amount", "price", "cost"), {"type": "number"}, ("how much money",)),
    (("quantity", "count", "how_many"), {"type": "integer"}, ("how many",)),
    (("name", "title", "label"), {"type": "string"}, ("what it is called", "name of it")),
    (("person", "recipient", "contact", "customer"), {"type": "string"}, ("who it is for", "the person")),
    (("place", "location", "venue"), {"type": "string"}, ("where", "the place")),
    (("note", "comment", "reason"), {"type": "string"}, ("what to add to it", "a remark, in words")),
    (("priority", "urgency"), {"type": "string", "enum": LEVELS}, ("how urgent",)),
    (("size", "portion"), {"type": "string", "enum": ["small", "medium", "large"]}, ("the size",)),
    (("color", "colour"), {"type": "string", "enum": COLOURS}, ("colour",)),
    (("status", "state"), {"type": "string", "enum": STATES}, ("its state",)),
    (("frequency", "repeats"), {"type": "string", "enum": ["daily", "weekly", "monthly"]}, ("how often",)),
    (("email", "email_address"), {"type": "string", "format": "email"}, ("address to send to",)),
)
"""Names that an argument goes by, its schema, and ways to describe it."""


def compose(seed: int) -> tuple[str, list[dict[str, Any]]]:
    """The name and the tools, in the OpenAI form, of a random app; a function of the seed.

    Three to nine tools over one to three things; tools of one thing often share their arguments.
    """
    rng = random.Random(f"composed:{seed}")
    style = rng.choice((_snake, _snake, _camel, _pascal, _dotted))
    told = rng.random() < 0.8  # whether there are descriptions
    tools: dict[str, dict[str, Any]] = {}
    for noun in rng.sample(noun_groups(), rng.randint(1, 3)):
        thing = rng.choice(noun)
        arguments = [_argument(rng, told) for _ in range(rng.randint(1, 5))]
        key = (rng.choice((f"{thing}_name", thing, "name", f"{thing}_id")), _plain(f"which {thing}", told))
        for role in rng.sample(sorted(VERBS), rng.randint(2, 4)):
            verb = rng.choice(VERBS[role])
            own = rng.sample(arguments, rng.randint(0, len(arguments)))
            if role != "adds" or rng.random() < 0.5:
                own = [key, *own[: 2 if role in ("removes", "acts") else 3]]
            name = style(verb, f"{thing}s" if verb in ("list", "search") else thing)
            about = f"{verb.replace('_', ' ').capitalize()} a {thing.replace('_', ' ')}." if told else ""
            tools.setdefault(name, _tool(name, about, dict(own), rng))
    return f"composed_{seed}", list(tools.values())


def draft(seed: int) -> Domain:
    """The drafted app of the first set of tools from `compose(seed)` on that can be drafted."""
    for attempt in range(_TRIES):
        name, tools = compose(seed + attempt * _STRIDE)
        try:
            return draft_domain(name, tools)
        except UserError:  # two names that the grammar cannot tell apart, and the like
            continue
    raise AssertionError(f"none of {_TRIES} sets of tools from seed {seed} on could be drafted")


_TRIES = 20
_STRIDE = 1 << 32


def _argument(rng: random.Random, told: bool) -> tuple[str, dict[str, Any]]:
    names, schema, about = rng.choice(ARGUMENTS)
    return rng.choice(names), schema | ({"description": rng.choice(about)} if told else {})


def _plain(about: str, told: bool) -> dict[str, Any]:
    return {"type": "string"} | ({"description": about} if told else {})


def _tool(name: str, about: str, properties: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    required = [n for n in properties if rng.random() < 0.4]
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": name, "description": about, "parameters": parameters}}


def _snake(verb: str, thing: str) -> str:
    return f"{verb}_{thing}"


def _camel(verb: str, thing: str) -> str:
    first, *rest = f"{verb}_{thing}".split("_")
    return first + "".join(word.capitalize() for word in rest)


def _pascal(verb: str, thing: str) -> str:
    return "".join(word.capitalize() for word in f"{verb}_{thing}".split("_"))


def _dotted(verb: str, thing: str) -> str:
    return f"{thing}.{verb}"
