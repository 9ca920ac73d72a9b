"""Minimal pairs, made from the tools and the grammar alone: what two sentences share, and where they differ.

Two kinds. Same object, other verb: two tools whose first arguments name the same kind of thing say the same
thing of it ("freeze my visa", "what's on my visa"). Same verb, other object: one tool in the same words with
other values, or two tools whose names begin with the same word ("get the balance", "get the bill").
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence

from fernjax.sim.grammar import Grammar, Node, Ref
from fernjax.sim.tools import TEXT_TYPES, Tool, split_name
from fernjax.sim.types import OUT_OF_SCOPE

NO_OBJECT = ("choice", "unit", "currency", "date", "end_date", "end_time", "recurrence", "number")
"""Types of a first argument that name no object: a state, or when something is."""

UNALIKE = 0.2
"""Weight of a pair of tools that name different kinds of object, where alike ones have 1."""


@dataclasses.dataclass(frozen=True)
class Subject:
    """What the two halves of a pair say in the same words.

    Attributes:
      arguments: the argument that says it, per tool; a tool without one says something else.
      words: of a free text, "" where the value is structured.
      seed: what a structured value and its words are drawn from.
    """

    arguments: Mapping[str, str]
    words: str
    seed: str


@dataclasses.dataclass(frozen=True)
class Object:
    """A kind of thing that tools name in their first arguments.

    Attributes:
      arguments: that argument, per tool.
      rule: the grammar's rule that words it, and the section that it is read in; None for a structured one.
      section: a tool.
    """

    arguments: Mapping[str, str]
    rule: Node | None
    section: str


def find_objects(tools: Sequence[Tool], grammar: Grammar) -> dict[str, Object]:
    """Kinds of object by name, in the order of the tools.

    Two tools name the same kind where their first arguments' rules end in one rule (`<title> = <event>`), or
    have the same name; of structured arguments, where they are of one type.
    """
    found: dict[str, dict[str, str]] = {}
    rules: dict[str, tuple[Node | None, str]] = {}
    for tool in tools:
        first = tool.arguments[0] if tool.arguments else None
        if first is None or tool.name == OUT_OF_SCOPE or first.type in NO_OBJECT:
            continue
        name, rule = first.type, None
        if first.type in TEXT_TYPES:
            name, rule = _rule_behind(first.name, tool.name, grammar)
            if rule is None:
                continue
            name = next((n for n, named in found.items() if first.name in named.values()), name)
        found.setdefault(name, {})[tool.name] = first.name
        if name not in rules:
            rules[name] = (grammar.rules.get(name, rule) if rule is not None else None, tool.name)
    return {name: Object(arguments, *rules[name]) for name, arguments in found.items()}


def same_object_pairs(
    tools: Sequence[Tool], objects: Mapping[str, Object], wanted: Mapping[str, float]
) -> dict[tuple[str, str], float]:
    """Weights of pairs of tools, each in both orders; heaviest where they name the same kind of object.

    Args:
      tools: those that the grammar asks for.
      objects: of `find_objects`.
      wanted: extra weight per `toolA|toolB`, in either order.
    """
    kind = {tool: name for name, o in objects.items() for tool in o.arguments}
    weights = {}
    for a, b in itertools.permutations([t.name for t in tools], 2):
        alike = a in kind and kind[a] == kind.get(b)
        extra = wanted.get(f"{a}|{b}", 0.0) + wanted.get(f"{b}|{a}", 0.0)
        weights[a, b] = (1.0 if alike else UNALIKE) + extra
    return weights


def same_verb_pairs(tools: Sequence[Tool]) -> dict[tuple[str, str], float]:
    """Weights of pairs of one verb: a tool with itself, and tools whose names begin with the same word."""
    weights = {(t.name, t.name): 1.0 for t in tools if t.arguments}
    for a, b in itertools.permutations([t.name for t in tools], 2):
        if verb_of(a) == verb_of(b):
            weights[a, b] = 1.0
    return weights


def verb_of(tool: str) -> str:
    """The first word of a tool's name."""
    return next(iter(split_name(tool)), tool)


def _rule_behind(name: str, section: str, grammar: Grammar) -> tuple[str, Node | None]:
    """The rule that an argument's rule only stands for, by name; None where frames word it."""
    rule = grammar.rules.get(f"{section}/{name}") or grammar.rules.get(name)
    seen = {name}
    while isinstance(rule, Ref) and rule.name not in seen:
        name = rule.name
        seen.add(name)
        rule = grammar.rules.get(f"{section}/{name}") or grammar.rules.get(name)
    return name, rule
