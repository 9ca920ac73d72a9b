"""Reads a grammar: how the requests of an app are phrased, as a tree of alternatives.

A grammar is plain text, one rule a line:

    <ask> = | please *2 | (can|could) you [please]      a rule that any other may use
    [create_event] 30                                   a section: a tool and its weight
    book: <ask> book <a> {title} &(<when>; [with {attendees}]0.3)
                                                        a frame: a whole way to ask for the tool
    <when> = {date} *3 | {date} {start_time}            a rule of this section, before the global one

`|` separates alternatives, `*3` at an alternative's end is its weight, `( )` groups, `[x]0.3` says x with
that chance (0.5 where none is given), `&(a; b; c)` says its units in any order, `~x` joins x to the word
before (a lone `~` joins its neighbours: `@ ~ %first_names`), `%pool` draws from a pool of values. Names are
letters, digits, `_`, `-` and `.`, as tools and arguments have them. A slot is an argument in braces:

    {title}            free text, from the rule `<title>` (of the section, or global); a leading @ or # is no
                       part of its value, which is the singular where the argument's description says
                       "singular"
    {attendees}        a list: one to three draws of its rule, joined as people join them
    {channel}          free text of its rule, said as such or as "#x", "hash x"; its value is joined by "-"
    {date}, {start_time}, {duration_minutes}, {amount} ...   structured: drawn and said by
                       `fernjax.sim.structured`, by the argument's type
    {date+end_date}    one span of days; {start_time+end_time} one span of hours; {date+start_time} a part
                       of a day; {recurrence+date} a weekday that repeats; {amount+currency} "$50", "twenty
                       quid"; {degrees+unit} "70 F"
    {amount}           without a currency where the tool has an argument for it, else with or without;
                       {degrees} with its unit in the same way; {id} "OPS-142", "ops one forty two", from the
                       app's pool `project_keys`
    {start_time|end_time}   "after three" or "before noon"
    {start} of type `datetime`   "friday at 3pm", :bare without its preposition; {start+end} "friday from 3 to
                       4"; {hours}, {days} ... a length, as {duration_minutes} is, :next "the next three days"
    {date:bare}        without its preposition; {date:span} several days of which only the first is asked for;
                       {start_time:part} a part of the day, {until:part} "tonight"; {date+start_time:clock}
                       a day, a part of it and a clock time; {minutes_before:before} "ten minutes before";
                       {duration_minutes} "for ten minutes", :bare "ten minutes", {in_minutes:in} "in ten
                       minutes", {minutes:number} "ten"; {time:in} "in ten minutes"; {seconds} a length
                       without preposition, :in as counted from now; {percent:bare} "40"; {due_before:span}
                       several days of which only the last is asked for
    {start_date+end_date}, {start_date+end_date:day}, {start_date:since}, {start_date+start_time},
                       {start_date+start_time:recent}, {start_time:since}   of a tool that looks back: days
                       that lie behind, one of them, from one on, a part of one, the last minutes, from a
                       clock time of today on
    {items:goods}      free text or list, each of its members from the rule `<goods>`
    {kind=reminder: reminders}   these words say this value, in the type of the argument: any characters but
                       `:{}|`
    {event=: next meeting}       these words are the value; other slots may stand inside

Of the pools, `%email_addresses` and `%phone_numbers` are made up on the spot, for free texts that hold one.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Mapping

from fernjax.sim.types import UserError


@dataclasses.dataclass(frozen=True, slots=True)
class Word:
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Ref:
    name: str


@dataclasses.dataclass(frozen=True, slots=True)
class Pool:
    name: str


@dataclasses.dataclass(frozen=True, slots=True)
class Gap:
    """A slot: the arguments it says, how (`alone`, `+`, `|`), its style, and a fixed value or body."""

    arguments: tuple[str, ...]
    joint: str
    style: str
    value: str | None
    body: Node | None


@dataclasses.dataclass(frozen=True, slots=True)
class Seq:
    nodes: tuple[Node, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Alt:
    nodes: tuple[Node, ...]
    weights: tuple[float, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Maybe:
    node: Node
    chance: float


@dataclasses.dataclass(frozen=True, slots=True)
class Shuffle:
    nodes: tuple[Node, ...]


Node = Word | Ref | Pool | Gap | Seq | Alt | Maybe | Shuffle


@dataclasses.dataclass(frozen=True)
class Frame:
    """A whole way to ask for a tool."""

    tool: str
    name: str
    node: Node
    weight: float


@dataclasses.dataclass(frozen=True)
class Grammar:
    """An app's rules, by name; a section's rules are filed under `tool/name`."""

    rules: Mapping[str, Node]
    frames: Mapping[str, tuple[Frame, ...]]
    weights: Mapping[str, float]


_TOKEN = re.compile(
    r"\s*(?:(&\()|([()\[\]|;])|<([\w.-]+)>|%(\w+)|\*(\d*\.?\d+)|(\{)|([^\s()\[\]|;<>%{}*&]+|&))"
)
_GAP = re.compile(r"([\w.-]+(?:[+|][\w.-]+)*)(?::([\w.-]+)|=([^:{}|]*):)?\s*")
_BLANKS, _BLANKS_TO_THE_END, _CHANCE = re.compile(r"\s*"), re.compile(r"\s*$"), re.compile(r"(0?\.\d+)")


def parse_grammar(text: str) -> Grammar:
    """Reads a grammar.

    Raises:
      UserError: names the line that is not in the grammar's form.
    """
    rules: dict[str, Node] = {}
    frames: dict[str, list[Frame]] = {}
    weights: dict[str, float] = {}
    section = ""
    for number, line in _logical_lines(text):
        try:
            if match := re.fullmatch(r"\[([\w.-]+)\]\s*([\d.]+)?", line):
                section = match[1]
                weights[section] = float(match[2] or 1)
            elif match := re.fullmatch(r"<([\w.-]+)>\s*=\s*(.*)", line):
                rules[f"{section}/{match[1]}" if section else match[1]] = _parse(match[2])
            elif match := re.fullmatch(r"([\w.-]+):\s*(.*?)(?:\s+\*([\d.]+))?", line):
                if not section:
                    raise ValueError("a frame stands before the first section")
                frames.setdefault(section, []).append(
                    Frame(section, match[1], _parse(match[2]), float(match[3] or 1))
                )
            else:
                raise ValueError("neither a section, nor a rule, nor a frame")
        except ValueError as e:
            raise UserError(f"grammar, line {number}: {e}: {line[:80]!r}") from e
    grammar = Grammar(rules, {k: tuple(v) for k, v in frames.items()}, weights)
    _check(grammar)
    return grammar


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Lines without comments; an indented line goes on with the one before."""
    out: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#(?!\w).*$", "", line).rstrip()
        if not line:
            continue
        if line[0].isspace() and out:
            out[-1] = (out[-1][0], out[-1][1] + " " + line.strip())
        else:
            out.append((number, line))
    return out


def _parse(text: str) -> Node:
    node, position = _alternatives(text, 0, "")
    if position != len(text):
        raise ValueError(f"unexpected {text[position : position + 10]!r}")
    return node


def _alternatives(text: str, position: int, closers: str) -> tuple[Node, int]:
    """Alternatives up to (not past) one of `closers`, or the end."""
    nodes: list[Node] = []
    weights: list[float] = []
    units: list[Node] = []
    weight = 1.0
    while True:
        if _BLANKS_TO_THE_END.match(text, position):
            position = len(text)
            break
        match = _TOKEN.match(text, position)
        bracket = match[2] if match else None
        stop = _BLANKS.match(text, position)
        at = stop.end() if stop else position
        if closers and text[at] in closers:
            position = at
            break
        if not match:
            raise ValueError(f"cannot read {text[at : at + 10]!r}")
        position = match.end()
        if match[1]:
            unit, position = _shuffled(text, position)
            units.append(unit)
        elif bracket == "(":
            unit, position = _alternatives(text, position, ")")
            units.append(unit)
            position = _expect(text, position, ")")
        elif bracket == "[":
            unit, position = _alternatives(text, position, "]")
            position = _expect(text, position, "]")
            chance = _CHANCE.match(text, position)
            units.append(Maybe(unit, float(chance[1]) if chance else 0.5))
            position = chance.end() if chance else position
        elif bracket == "|":
            nodes.append(_seq(units))
            weights.append(weight)
            units, weight = [], 1.0
        elif match[3]:
            units.append(Ref(match[3]))
        elif match[4]:
            units.append(Pool(match[4]))
        elif match[5]:
            weight = float(match[5])
        elif match[6]:
            unit, position = _gap(text, position)
            units.append(unit)
        elif match[7]:
            units.append(Word(match[7]))
        else:
            raise ValueError(f"unexpected {bracket!r}")
    nodes.append(_seq(units))
    weights.append(weight)
    if len(nodes) == 1:
        return nodes[0], position
    return Alt(tuple(nodes), tuple(itertools.accumulate(weights))), position


def _shuffled(text: str, position: int) -> tuple[Node, int]:
    nodes: list[Node] = []
    while True:
        node, position = _alternatives(text, position, ";)")
        nodes.append(node)
        if text[position : position + 1] == ";":
            position += 1
            continue
        return Shuffle(tuple(nodes)), _expect(text, position, ")")


def _gap(text: str, position: int) -> tuple[Node, int]:
    match = _GAP.match(text, position)
    if not match:
        raise ValueError(f"not a slot: {text[position : position + 20]!r}")
    names = re.split(r"[+|]", match[1])
    joint = "|" if "|" in match[1] else ("+" if len(names) > 1 else "")
    position = match.end()
    body: Node | None = None
    if match[3] is not None:
        body, position = _alternatives(text, position, "}")
    return Gap(tuple(names), joint, match[2] or "", match[3], body), _expect(text, position, "}")


def _expect(text: str, position: int, what: str) -> int:
    match = _BLANKS.match(text, position)
    at = match.end() if match else position
    if text[at : at + 1] != what:
        raise ValueError(f"expected {what!r} at {text[at : at + 10]!r}")
    return at + 1


def _seq(units: list[Node]) -> Node:
    return units[0] if len(units) == 1 else Seq(tuple(units))


def _check(grammar: Grammar) -> None:
    """Every rule that is named exists."""
    scopes = [("", n) for k, n in grammar.rules.items() if "/" not in k]
    scopes += [(k.split("/")[0], n) for k, n in grammar.rules.items() if "/" in k]
    scopes += [(f.tool, f.node) for fs in grammar.frames.values() for f in fs]
    tools = list(grammar.frames)
    for section, node in scopes:
        for name in _refs(node):
            held = f"{section}/{name}" in grammar.rules if section else False
            local = not section and any(f"{t}/{name}" in grammar.rules for t in tools)
            if name not in grammar.rules and not held and not local:
                raise UserError(f"grammar: no rule <{name}>, used in [{section or 'global'}]")


def _refs(node: Node) -> list[str]:
    match node:
        case Ref(name):
            return [name]
        case Seq(nodes) | Shuffle(nodes) | Alt(nodes, _):
            return [r for n in nodes for r in _refs(n)]
        case Maybe(inner, _):
            return _refs(inner)
        case Gap(body=body) if body is not None:
            return _refs(body)
    return []
