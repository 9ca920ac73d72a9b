"""The phrasing engine: an app's grammar, expanded into sentences that know where each argument stands.

The language of a grammar is described in `fernjax.sim.grammar`.
"""

from __future__ import annotations

import bisect
import dataclasses
import datetime
import itertools
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from fernjax.sim import when
from fernjax.sim.grammar import (
    Alt,
    Frame,
    Gap,
    Grammar,
    Maybe,
    Node,
    Pool,
    Ref,
    Seq,
    Shuffle,
    Word,
)
from fernjax.sim.tools import Tool
from fernjax.sim.types import UserError

CORRECTIONS = (
    "no wait",
    "~, no wait",
    "no sorry",
    "~, sorry",
    "i mean",
    "~, i mean",
    "actually",
    "~, actually",
    "no",
    "or rather",
    "~, no hang on",
    "no make that",
    "~, make that",
    "wait no",
    "oops i mean",
    "~, no",
    "not that",
    "sorry i meant",
    "no hang on",
    "hold on",
    "~, wait",
    "scratch that",
)
"""How people take back what they just said."""


@dataclasses.dataclass(slots=True)
class Said:
    """A stretch of the sentence, `words[first:last]`, that says an argument."""

    call: int
    argument: str
    first: int
    last: int
    values: list[Any]


@dataclasses.dataclass(slots=True)
class Sentence:
    """Words in order (an entry may be several; "~" first joins it to the one before), and what they say."""

    words: list[str]
    said: list[Said]
    tools: list[str]
    template: str
    asides: list[tuple[int, int]] = dataclasses.field(default_factory=list)  # taken back: `words[a:b]`

    def skeleton(self) -> str:
        """The words with each slot replaced by its argument's name."""
        out = []
        inside = {i: s.argument for s in self.said for i in range(s.first, s.last)}
        inside |= {i: "aside" for a, b in self.asides for i in range(a, b)}
        last = None
        for i, word in enumerate(self.words):
            name = inside.get(i)
            if name is None:
                out.append(word)
            elif name != last:
                out.append("{" + name + "}")
            last = name
        return re.sub(r"\s+", " ", " ".join(out).replace(" ~", "")).strip().lower()

    def render(self) -> tuple[str, list[tuple[int, int]]]:
        """The text, and the character span of each entry of `said`."""
        starts, ends, text = [], [], ""
        words = self.words
        for i, word in enumerate(words):
            if word.startswith("~"):
                word = word[1:]
            elif text and word:
                text += " "
            if word == "a" and i + 1 < len(words) and words[i + 1][:1].lower() in _VOWELS and words[i + 1]:
                word = "an"
            starts.append(len(text))
            text += word
            ends.append(len(text))
        spans = []
        for s in self.said:
            first = next((i for i in range(s.first, s.last) if ends[i] > starts[i]), s.first)
            spans.append((starts[first], ends[s.last - 1]))
        return text, spans


_VOWELS = frozenset("aeio")


# --- phrasing --------------------------------------------------------------------------------------


class Phraser:
    """Expands a grammar's frames.

    Args:
      grammar: the app's.
      tools: the app's tools by name.
      pool: `(rng, name) -> str`, one value of a pool.
      presence: multiplier of the chance that an optional part is said, per `tool.argument`.

    Attributes:
      corrections: chance that a date, time or length is first said wrong and taken back.
      topic: words that every sentence takes for its tool's first free text, or None to draw them.
    """

    def __init__(
        self,
        grammar: Grammar,
        tools: Mapping[str, Tool],
        pool: Callable[[random.Random, str], str],
        presence: Mapping[str, float] | None = None,
    ):
        self.corrections = 0.0
        self.topic: str | None = None
        self._grammar = grammar
        self._tools = tools
        self._pool = pool
        self._presence = dict(presence or {})
        self._chances: dict[tuple[str, int], float] = {}

    def phrase(
        self,
        frame: Frame,
        rng: random.Random,
        values: random.Random,
        now: datetime.datetime,
    ) -> Sentence:
        """One sentence of a frame.

        Args:
          frame: the way to ask.
          rng: decides the words.
          values: decides the values; the same one gives a contrastive partner the same values.
          now: when it is said.
        """
        sentence = Sentence([], [], [frame.tool], f"{frame.tool}.{frame.name}")
        _Expansion(self, frame.tool, rng, values, now, sentence).run(frame.node)
        _undouble(sentence.words)
        _drop_blanks(sentence)
        return sentence

    def words_of(self, rule: str, rng: random.Random, now: datetime.datetime) -> str:
        """The words of a global rule."""
        sentence = Sentence([], [], [], rule)
        _Expansion(self, next(iter(self._tools)), rng, rng, now, sentence).run(Ref(rule))
        _undouble(sentence.words)
        return _together(sentence.words)

    def _chance(self, node: Maybe, section: str) -> float:
        """Chance of an optional part under the recipe; worked out once a part."""
        key = (section, id(node))  # the grammar is held, so an id stays its own
        if key not in self._chances:
            chance = node.chance
            for name in arguments_of(node.node, section, self._grammar.rules):
                chance *= self._presence.get(f"{section}.{name}", 1.0)
            self._chances[key] = min(chance, 0.95)
        return self._chances[key]


class _Expansion:
    """State of one sentence while it is made."""

    def __init__(
        self,
        phraser: Phraser,
        tool: str,
        rng: random.Random,
        values: random.Random,
        now: datetime.datetime,
        sentence: Sentence,
    ):
        self.p = phraser
        self.rules = phraser._grammar.rules
        self.tool = phraser._tools[tool]
        self.section = tool
        self.rng = rng
        self.values = values
        self.now = now
        self.s = sentence

    def run(self, node: Node) -> None:
        if isinstance(node, Word):
            self.s.words.append(node.text)
        elif isinstance(node, Seq):
            for n in node.nodes:
                self.run(n)
        elif isinstance(node, Alt):
            roll = self.rng.random() * node.weights[-1]
            self.run(node.nodes[bisect.bisect_right(node.weights, roll)])
        elif isinstance(node, Ref):
            self.run(self._rule(node.name))
        elif isinstance(node, Maybe):
            if self.rng.random() < self._chance(node):
                self.run(node.node)
        elif isinstance(node, Gap):
            self._fill(node)
        elif isinstance(node, Pool):
            self.s.words.append(self.p._pool(self.values, node.name))
        else:
            order = list(node.nodes)
            self.rng.shuffle(order)
            for n in order:
                self.run(n)

    def _rule(self, name: str) -> Node:
        return self.rules.get(f"{self.section}/{name}") or self.rules[name]

    def _chance(self, node: Maybe) -> float:
        if not self.p._presence:
            return node.chance
        return self.p._chance(node, self.section)

    def _fill(self, gap: Gap) -> None:
        if gap.body is not None:
            first = len(self.s.words)
            self.run(gap.body)
            _undouble(self.s.words, first)
            words = _together(self.s.words[first:])
            value: Any = gap.value if gap.value else words
            self._say(gap.arguments[0], first, len(self.s.words), [value])
            return
        argument = self.tool.argument(gap.arguments[0])
        if argument is None:
            raise UserError(f"grammar: tool {self.section} has no argument {gap.arguments[0]!r}")
        if argument.type == "text":
            first = len(self.s.words)
            if self.p.topic is not None and argument.name == self.tool.arguments[0].name:
                self.s.words.append(self.p.topic)
            else:
                self.run(self._rule(gap.arguments[0]))
            words = _together(self.s.words[first:])
            self.s.words[first:] = [words]
            self._say(argument.name, first, first + 1, [words])
        elif argument.type == "texts":
            self._list(argument.name)
        else:
            if self.p.corrections and not gap.joint and self.rng.random() < self.p.corrections:
                self._misspeak(gap, argument.type)
            for words, said in structured(gap, argument.type, self.values, self.now, self.tool):
                first = len(self.s.words)
                self.s.words.append(words)
                for name, accepted in said.items():
                    if name:
                        self._say(name, first, first + 1, accepted)

    def _misspeak(self, gap: Gap, kind: str) -> None:
        """Says a wrong value first, and takes it back."""
        wrong = structured(gap, kind, self.rng, self.now, self.tool)
        first = len(self.s.words)
        self.s.words.extend(words for words, _ in wrong)
        self.s.words.append(self.rng.choice(CORRECTIONS))
        self.s.asides.append((first, len(self.s.words)))

    def _list(self, name: str) -> None:
        members = []
        first = len(self.s.words)
        for _ in range(self.values.choices((1, 2, 3), (72, 21, 7))[0]):
            at = len(self.s.words)
            self.run(self._rule(name))
            members.append(_together(self.s.words[at:]))
        self.s.words[first:] = [_joined(self.rng, members)]
        self._say(name, first, first + 1, [members])

    def _say(self, argument: str, first: int, last: int, values: list[Any]) -> None:
        self.s.said.append(Said(0, argument, first, last, values))


def structured(gap: Gap, kind: str, rng: random.Random, now: datetime.datetime, tool: Tool) -> when.Phrase:
    """The words of a structured slot, by the types of its arguments."""
    names = gap.arguments
    bare = gap.style == "bare"
    if gap.joint == "|":
        return when.say_open_time(rng, names[0], names[1])
    if gap.joint == "+":
        second = tool.argument(names[1])
        pair = (kind, second.type if second else "")
        if pair == ("date", "end_date"):
            return when.say_span(rng, now, *names)
        if pair == ("time", "end_time"):
            return when.say_time_span(rng, *names)
        if pair == ("date", "time") and gap.style == "clock":
            return when.say_day_clock(rng, now, *names)
        if pair == ("date", "time"):
            return when.say_day_part(rng, now, names[0], names[1], bare)
        if pair == ("recurrence", "date"):
            return when.say_recurrence(rng, now, *names)
        raise UserError(f"grammar: no way to say {'+'.join(names)} in one")
    if kind == "date" and gap.style == "span":
        return when.say_span(rng, now, names[0], "")
    if kind == "date":
        return when.say_date(rng, now, names[0], tool.reads, bare)
    if kind in ("time", "end_time"):
        return when.say_part(rng, names[0]) if gap.style == "part" else when.say_time(rng, names[0], bare)
    if kind == "minutes":
        if gap.style == "before":
            return when.say_before(rng, names[0])
        return when.say_duration(rng, names[0], "" if bare else "for")
    if kind == "recurrence":
        phrase = when.say_recurrence(rng, now, names[0], "")
        return [part for part in phrase if part[0]]
    raise UserError(f"grammar: no way to say {names[0]!r} of type {kind!r}")


def arguments_of(node: Node, section: str, rules: Mapping[str, Node]) -> tuple[str, ...]:
    """Arguments that a part of a frame can say."""
    match node:
        case Gap(arguments=arguments):
            return arguments
        case Seq(nodes) | Shuffle(nodes) | Alt(nodes, _):
            return tuple(dict.fromkeys(a for n in nodes for a in arguments_of(n, section, rules)))
        case Maybe(inner, _):
            return arguments_of(inner, section, rules)
        case Ref(name):
            return arguments_of(rules.get(f"{section}/{name}") or rules[name], section, rules)
    return ()


def always_said(node: Node, section: str, rules: Mapping[str, Node]) -> frozenset[str]:
    """Arguments that every way through a part of a frame says."""
    match node:
        case Gap(arguments=arguments):
            return frozenset(arguments)
        case Seq(nodes) | Shuffle(nodes):
            return frozenset().union(*(always_said(n, section, rules) for n in nodes))
        case Alt(nodes, _):
            return frozenset.intersection(*(always_said(n, section, rules) for n in nodes))
        case Ref(name):
            return always_said(rules.get(f"{section}/{name}") or rules[name], section, rules)
    return frozenset()


_DETERMINERS = frozenset(
    ("the", "a", "an", "my", "our", "this", "that", "any", "another", "some", "his", "her")
)
_NEXT = _DETERMINERS - {"this", "that", "any", "another", "some"}
_DOUBLED = re.compile(rf"\b(?:{'|'.join(sorted(_DETERMINERS))}) (?=(?:{'|'.join(sorted(_NEXT))}) )")


def _together(words: list[str]) -> str:
    """Words of one value as one string; of two determiners in a row the second stays."""
    return _DOUBLED.sub("", " ".join(w for w in words if w).replace(" ~", ""))


def _undouble(words: list[str], first: int = 0) -> None:
    """Blanks a determiner that stands before another ("my the team meeting"), from `words[first]` on."""
    after = ""
    for i in range(len(words) - 1, first - 1, -1):
        if words[i] in _DETERMINERS and after in _NEXT:
            words[i] = ""
        elif words[i]:
            after = words[i].split(" ", 1)[0]


def _joined(rng: random.Random, members: list[str]) -> str:
    if len(members) == 1:
        return members[0]
    last = rng.choices((" and ", " and ", " & ", " n ", ", ", " "), (60, 20, 4, 3, 5, 0))[0]
    comma = rng.choice((", ", ", ", " and "))
    if last == " and " and comma == ", " and len(members) > 2 and rng.random() < 0.3:
        last = ", and "
    return comma.join(members[:-1]) + last + members[-1]


def _drop_blanks(sentence: Sentence) -> None:
    """Takes empty entries out; the stretches of `said` and `asides` move along."""
    keep = [bool(w) for w in sentence.words]
    at = [0, *itertools.accumulate(keep)]
    sentence.said = [Said(s.call, s.argument, at[s.first], at[s.last], s.values) for s in sentence.said]
    sentence.asides = [(at[a], at[b]) for a, b in sentence.asides]
    sentence.words = [w for w, k in zip(sentence.words, keep, strict=True) if k]
