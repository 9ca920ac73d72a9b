"""What an app's sentences say, held against all that its tools take and its grammar can say."""

from __future__ import annotations

import collections
import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping

from fernjax.sim.grammar import Alt, Gap, Grammar, Maybe, Node, Ref, Seq, Shuffle, parse_grammar
from fernjax.sim.real import KINDS, load_real
from fernjax.sim.types import OUT_OF_SCOPE, Row
from fernjax.sim.world import Domain

Pair = tuple[str, str, str]
"""A tool and two of its arguments, these in alphabetical order."""


@dataclasses.dataclass(frozen=True)
class Coverage:
    """How often things are said.

    Attributes:
      tools: sentences per tool; every tool is there.
      arguments: sentences per `tool.argument`; every argument is there.
      pairs: sentences per pair of arguments of a tool that the grammar can say together.
      apart: pairs of arguments of a tool that no frame says together.
      untested: `tool.argument` that no real row of the gate names.
    """

    tools: Mapping[str, int]
    arguments: Mapping[str, int]
    pairs: Mapping[Pair, int]
    apart: tuple[Pair, ...]
    untested: tuple[str, ...]

    def missing(self) -> list[str]:
        """What no sentence said: tools, arguments, pairs that could be said."""
        out = [name for table in (self.tools, self.arguments) for name, n in table.items() if not n]
        return out + [f"{tool}.{a}+{b}" for (tool, a, b), n in self.pairs.items() if not n]

    def to_json(self) -> dict[str, object]:
        return {
            "tools": dict(self.tools),
            "arguments": dict(self.arguments),
            "pairs": {f"{tool}.{a}+{b}": n for (tool, a, b), n in self.pairs.items()},
            "apart": [f"{tool}.{a}+{b}" for tool, a, b in self.apart],
            "untested": list(self.untested),
            "missing": self.missing(),
        }


def measure(domain: Domain, rows: Iterable[Row]) -> Coverage:
    """What generated rows say of all that could be said."""
    grammar = parse_grammar(domain.grammar)
    sayable = {pair for tool in grammar.frames for pair in sayable_pairs(grammar, tool)}
    possible = {p for t in domain.tools for p in _pairs(t.name, (a.name for a in t.arguments))}
    tools: collections.Counter[str] = collections.Counter()
    arguments: collections.Counter[str] = collections.Counter()
    pairs: collections.Counter[Pair] = collections.Counter()
    for row in rows:
        for call in row.calls:
            for tool, given in call.items():
                tools[tool] += 1
                arguments.update(f"{tool}.{name}" for name in given)
                pairs.update(_pairs(tool, given))
    return Coverage(
        tools={t.name: tools[t.name] for t in domain.tools},
        arguments={n: arguments[n] for n in _argument_names(domain)},
        pairs={p: pairs[p] for p in sorted(sayable & possible)},
        apart=tuple(sorted(possible - sayable)),
        untested=untested_arguments(domain),
    )


def untested_arguments(domain: Domain) -> tuple[str, ...]:
    """`tool.argument` that no real row of the gate half names, in any of its labels."""
    tested = {
        f"{tool}.{name}"
        for kind in KINDS
        for row in load_real(domain.name, "gate", kind)
        for label in row.labels
        for call in label
        for tool, arguments in call.items()
        for name in arguments
    }
    return tuple(n for n in _argument_names(domain) if n not in tested)


def sayable_pairs(grammar: Grammar, tool: str) -> set[Pair]:
    """Pairs of arguments that some way through some frame of a tool says together."""
    found: set[Pair] = set()
    memo: dict[int, tuple[frozenset[str], frozenset[Pair]]] = {}
    for frame in grammar.frames.get(tool, ()):
        found |= _said(frame.node, tool, grammar, memo)[1]
    return found


def _said(
    node: Node, tool: str, grammar: Grammar, memo: dict[int, tuple[frozenset[str], frozenset[Pair]]]
) -> tuple[frozenset[str], frozenset[Pair]]:
    """Arguments that a part of a frame can say, and those that one way through it says together."""
    if id(node) in memo:  # the grammar is held, so an id stays its own
        return memo[id(node)]
    memo[id(node)] = (frozenset(), frozenset())  # a rule that calls itself adds nothing new
    names: frozenset[str] = frozenset()
    pairs: set[Pair] = set()
    match node:
        case Gap(arguments=arguments, joint=joint, body=body):
            inner = _said(body, tool, grammar, memo) if body is not None else (frozenset(), frozenset())
            names = frozenset(arguments) | inner[0]
            pairs |= inner[1] if joint == "|" else inner[1] | set(_pairs(tool, names))
        case Seq(nodes) | Shuffle(nodes):
            parts = [_said(n, tool, grammar, memo) for n in nodes]
            names = frozenset().union(*(p[0] for p in parts))
            pairs = set().union(*(p[1] for p in parts))
            for one, other in itertools.combinations(parts, 2):
                pairs.update(_pair(tool, a, b) for a in one[0] for b in other[0] if a != b)
        case Alt(nodes, _):
            parts = [_said(n, tool, grammar, memo) for n in nodes]
            names = frozenset().union(*(p[0] for p in parts))
            pairs = set().union(*(p[1] for p in parts))
        case Maybe(inner_node, _):
            names, found = _said(inner_node, tool, grammar, memo)
            pairs = set(found)
        case Ref(name):
            rule = grammar.rules.get(f"{tool}/{name}") or grammar.rules[name]
            names, found = _said(rule, tool, grammar, memo)
            pairs = set(found)
    memo[id(node)] = (names, frozenset(pairs))
    return memo[id(node)]


def _argument_names(domain: Domain) -> list[str]:
    return [f"{t.name}.{a.name}" for t in domain.tools if t.name != OUT_OF_SCOPE for a in t.arguments]


def _pairs(tool: str, names: Iterable[str]) -> Iterator[Pair]:
    for a, b in itertools.combinations(sorted(names), 2):
        yield tool, a, b


def _pair(tool: str, a: str, b: str) -> Pair:
    return (tool, a, b) if a < b else (tool, b, a)
