"""The phrasing engine: an app's grammar, expanded into sentences that know where each argument stands.

The language of a grammar is described in `fernjax.sim.grammar`.
"""

from __future__ import annotations

import bisect
import datetime
import random
from collections.abc import Mapping, Sequence
from typing import Any

from fernjax.sim.addresses import Draw, channel_words
from fernjax.sim.contrast import Subject
from fernjax.sim.copied import is_singular, singular
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
from fernjax.sim.sentence import Said, Sentence, drop_blanks, together, undouble
from fernjax.sim.structured import say_slot
from fernjax.sim.tools import NUMBER_TYPES, TEXT_TYPES, Argument, Tool
from fernjax.sim.types import UserError
from fernjax.sim.when import Phrase

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


class Phraser:
    """Expands a grammar's frames.

    Args:
      grammar: the app's.
      tools: the app's tools by name.
      pool: `(rng, name) -> str`, one value of a pool.
      presence: multiplier of the chance that an optional part is said, per `tool.argument`.
      keys: project keys of the app's ids.

    Attributes:
      corrections: chance that a date, time or length is first said wrong and taken back.
      topic: what every sentence says of its tool's object, or None to draw it.
    """

    def __init__(
        self,
        grammar: Grammar,
        tools: Mapping[str, Tool],
        pool: Draw,
        presence: Mapping[str, float] | None = None,
        keys: Sequence[str] = (),
    ):
        self.corrections = 0.0
        self.topic: Subject | None = None
        self._grammar = grammar
        self._tools = tools
        self._pool = pool
        self._keys = tuple(keys)
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
        undouble(sentence.words)
        drop_blanks(sentence)
        return sentence

    def phrase_slot(self, tool: str, argument: str, rng: random.Random, now: datetime.datetime) -> Sentence:
        """One argument of a tool, said alone."""
        known = self._tools[tool].argument(argument)
        text = known is None or known.type in (*TEXT_TYPES, "choice")
        slot = Gap((argument,), "", "" if text else "bare", None, None)
        return self.phrase(Frame(tool, argument, slot, 1.0), rng, rng, now)

    def words_of(self, node: Node, rng: random.Random, now: datetime.datetime, section: str) -> str:
        """The words of a rule, read in a tool's section."""
        sentence = Sentence([], [], [], section)
        _Expansion(self, section, rng, rng, now, sentence).run(node)
        undouble(sentence.words)
        return together(sentence.words)

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
        # What leads to one other node goes on in a loop: calls are most of a sentence's time.
        while True:
            if isinstance(node, Alt):
                roll = self.rng.random() * node.weights[-1]
                node = node.nodes[bisect.bisect_right(node.weights, roll)]
            elif isinstance(node, Ref):
                node = self._rule(node.name)
            elif isinstance(node, Maybe):
                if self.rng.random() >= self._chance(node):
                    return
                node = node.node
            else:
                break
        if isinstance(node, Word):
            self.s.words.append(node.text)
        elif isinstance(node, Seq):
            for n in node.nodes:
                self.run(n)
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
        rule = self.rules.get(f"{self.section}/{name}") or self.rules.get(name)
        if rule is None:
            raise UserError(f"grammar: no rule <{name}> to fill a slot of {self.section}")
        return rule

    def _chance(self, node: Maybe) -> float:
        if not self.p._presence:
            return node.chance
        return self.p._chance(node, self.section)

    def _fill(self, gap: Gap) -> None:
        if gap.body is not None:
            first = len(self.s.words)
            self.run(gap.body)
            undouble(self.s.words, first)
            words = together(self.s.words[first:])
            value = self._fixed(gap) if gap.value and gap.value.strip() else words
            self._say(gap.arguments[0], first, len(self.s.words), [value])
            return
        argument = self.tool.argument(gap.arguments[0])
        if argument is None:
            raise UserError(f"grammar: tool {self.section} has no argument {gap.arguments[0]!r}")
        if argument.type in ("text", "channel"):
            first = len(self.s.words)
            if (topic := self._topic(argument)) is not None:
                self.s.words.append(topic.words)
            else:
                self.run(self._rule(gap.style or argument.name))
            words, value = self._copied(argument, together(self.s.words[first:]))
            self.s.words[first:] = [words]
            self._say(argument.name, first, first + 1, [value])
        elif argument.type == "texts":
            self._list(argument, gap.style or argument.name)
        else:
            if self.p.corrections and not gap.joint and self.rng.random() < self.p.corrections:
                self._misspeak(gap)
            topic = self._topic(argument)
            values = self.values if topic is None else random.Random(topic.seed)
            for words, said in self._structured(gap, values):
                first = len(self.s.words)
                self.s.words.append(words)
                for name, accepted in said.items():
                    if name:
                        self._say(name, first, first + 1, accepted)

    def _fixed(self, gap: Gap) -> Any:
        """The value that a grammar gives a slot's words, in the argument's type."""
        argument = self.tool.argument(gap.arguments[0])
        text = str(gap.value).strip()
        if argument is None or not argument.choices:
            return _number(text) if argument and argument.type in NUMBER_TYPES else text
        for choice in argument.choices:
            if str(choice).lower() == text.lower():
                return choice
        raise UserError(f"grammar: {text!r} is no value of {self.section}.{argument.name}")

    def _topic(self, argument: Argument) -> Subject | None:
        """What the sentence shall say of the tool's object, where this argument is the one that says it."""
        topic = self.p.topic
        if topic is None or topic.arguments.get(self.tool.name) != argument.name:
            return None
        self.s.on_subject = True
        return topic

    def _structured(self, gap: Gap, rng: random.Random) -> Phrase:
        return say_slot(gap, rng, self.now, self.tool, self.p._pool, self.p._keys)

    def _copied(self, argument: Argument, words: str) -> tuple[str, str]:
        """A free text as it is said, and its value; a channel may be said with its `#`."""
        if argument.type == "channel":
            return channel_words(self.values, words)
        return words, singular(words) if is_singular(argument) else words

    def _misspeak(self, gap: Gap) -> None:
        """Says a wrong value first, and takes it back."""
        wrong = self._structured(gap, self.rng)
        first = len(self.s.words)
        self.s.words.extend(words for words, _ in wrong)
        self.s.words.append(self.rng.choice(CORRECTIONS))
        self.s.asides.append((first, len(self.s.words)))

    def _list(self, argument: Argument, rule: str) -> None:
        """One to four draws of a rule, as one value."""
        members = []
        first = len(self.s.words)
        topic = self._topic(argument)
        if topic is not None:
            members.append(topic.words)
        for _ in range(self.values.choices((1, 2, 3, 4), (68, 21, 8, 3))[0] if topic is None else 0):
            at = len(self.s.words)
            self.run(self._rule(rule))
            members.append(together(self.s.words[at:]))
        self.s.words[first:] = [_joined(self.rng, members)]
        self._say(argument.name, first, first + 1, [members])

    def _say(self, argument: str, first: int, last: int, values: list[Any]) -> None:
        self.s.said.append(Said(0, argument, first, last, values))


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


def _number(text: str) -> int | float:
    """A number of a grammar; UserError where it is none."""
    try:
        value = float(text)
    except ValueError:
        raise UserError(f"grammar: {text!r} is no number") from None
    return int(value) if value.is_integer() else value


def _joined(rng: random.Random, members: list[str]) -> str:
    if len(members) == 1:
        return members[0]
    last = rng.choices((" and ", " and ", " & ", " n ", ", ", " "), (60, 20, 4, 3, 5, 0))[0]
    comma = rng.choice((", ", ", ", " and "))
    if last == " and " and comma == ", " and len(members) > 2 and rng.random() < 0.3:
        last = ", and "
    return comma.join(members[:-1]) + last + members[-1]
