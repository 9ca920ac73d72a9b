"""Scenarios: sentences with gold calls, each a pure function of (domain, recipe, seed, index).

A sentence's way: a bucket is drawn, a frame of the app's grammar, its values and its words; then the
surface (case, punctuation, noise); then the checks. What fails a check is dropped, counted, and drawn
again, so that `scenario(i)` always answers.
"""

from __future__ import annotations

import bisect
import collections
import datetime
import functools
import itertools
import random
import re
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from fernjax.sim import harvest, noise, pools, real, text, when
from fernjax.sim.grammar import Frame, Grammar, parse_grammar
from fernjax.sim.mentions import extract
from fernjax.sim.phrasing import Phraser, Said, Sentence, always_said
from fernjax.sim.recipe import Recipe
from fernjax.sim.resolve import TAKES, is_counterpart, resolve
from fernjax.sim.surface import dress
from fernjax.sim.tools import TEXT_TYPES, Argument, Tool
from fernjax.sim.types import OUT_OF_SCOPE, Call, Label, Mention, Query, Row, Scenario, Slot, Span
from fernjax.sim.world import Domain, domain_names

T = TypeVar("T")
_LEADING = re.compile(rf"(?:(?:{'|'.join(sorted(text.LEADING))})\s+(?=\w))*", re.I)
"""The determiners that the scorer drops in front of a text: a text goes without them."""

MAX_ATTEMPTS = 200
UNHAPPY = ("not_found", "no_free_slot", "ambiguous", "missing_argument", "invalid_argument")
"""Statuses of the `error_inducing` bucket: the call is right, the answer is not what was hoped for."""

TOPIC_RULE = "event"
"""The rule of an app's grammar that names the object of its requests."""

NATURAL = {"natural_tasks": harvest.imperatives, "natural_nouns": harvest.noun_phrases}
"""Pools that are taken from plain text, label-free."""

OTHER_TASKS = "other_tasks"
"""The pool of natural tasks that are none of the app's business, by its key words: for `out_of_scope`."""

WIDER = {"tasks": "natural_tasks", "event_nouns": "natural_nouns"}
"""Pools that the recipe's `wider_pools` swaps for plain text."""

MAX_PAIR_ATTEMPTS = 20
"""Draws after which half a minimal pair that no check lets through becomes a sentence of its own."""


class Generator:
    """Makes scenarios of one app.

    Attributes:
      sampled: sentences drawn so far, the dropped ones included.
      dropped: how many were dropped, by reason: `ungrounded` (a slot without exactly one fitting mention
        of the right value), `near_copy` of a real sentence, `happy` (drawn for `error_inducing`, and the
        app had nothing against it).
      near_copies: near-copies of real sentences by template.
      touched: indexes in `real_sentences(recipe.avoid_path)` of the real sentences that were nearly copied;
        for counts alone, since half of them are `final`.

    Args:
      domain: the app.
      recipe: weights and lists.
      seed: of the stream; streams of different seeds share nothing.
      held_out: draw values from the part of the pools that training never sees, in `oov_values`.
    """

    def __init__(self, domain: Domain, recipe: Recipe, seed: int, held_out: bool = False):
        self.domain = domain
        self.recipe = recipe
        self.seed = seed
        self.held_out = held_out
        self.sampled = 0
        self.dropped: collections.Counter[str] = collections.Counter()
        self.near_copies: collections.Counter[str] = collections.Counter()
        self.touched: set[int] = set()
        self._grammar = _grammar(domain)
        self._phraser = Phraser(
            self._grammar, {t.name: t for t in domain.tools}, self._value, recipe.arguments
        )
        self._buckets = _Weighted(dict(recipe.buckets))
        weights = {t: _frame_weights(fs, self._grammar, recipe) for t, fs in self._grammar.frames.items()}
        self._frames = {t: _Weighted(w) for t, w in weights.items()}
        tools = {}
        for tool, weight in self._grammar.weights.items():
            if tool != OUT_OF_SCOPE:  # a tool whose frames the recipe makes heavier is asked for more often
                more = sum(weights[tool].values()) / sum(f.weight for f in self._grammar.frames[tool])
                tools[tool] = weight * more * recipe.tools.get(tool, 1.0)
        self._tools = _Weighted(tools)
        self._pairs = _pairs([t for t in domain.tools if t.name in tools], recipe)
        has_pairs = recipe.buckets.get("in_distribution", 0.0) > 0 and TOPIC_RULE in self._grammar.rules
        self._contrastive = recipe.contrastive if has_pairs else 0.0
        self._novel = False

    def scenario(self, index: int) -> Scenario:
        """Scenario number `index` of the stream."""
        for attempt in range(MAX_ATTEMPTS):
            rng = random.Random(f"{self.domain.name}/{self.seed}/{index}/{attempt}")
            self.sampled += 1
            made = self._attempt(rng, index, attempt)
            if isinstance(made, Scenario):
                return made
            self.dropped[made] += 1
        raise RuntimeError(
            f"{self.domain.name}: no sentence passed the checks in {MAX_ATTEMPTS} draws (index {index}); "
            f"dropped so far: {dict(self.dropped)}"
        )

    # --- one draw ---

    def _attempt(self, rng: random.Random, index: int, attempt: int) -> Scenario | str:
        bucket = self._buckets.draw(rng)
        now = when.draw_now(rng)
        pair = self._pair(index) if attempt < MAX_PAIR_ATTEMPTS else None
        if pair is not None:
            bucket, now = "in_distribution", when.draw_now(pair)
            sentence = self._half_of_pair(rng, pair, now, self._pairs.draw(pair).split("|")[index % 2])
        elif bucket == OUT_OF_SCOPE:
            natural = self._natural_negative(rng)
            if natural is not None:
                sentence = Sentence([natural], [], [OUT_OF_SCOPE], "natural")
            else:
                sentence = self._sentence(rng, rng, now, OUT_OF_SCOPE)
        else:
            sentence = self._in_scope(rng, now, bucket)
        skeleton = "" if sentence.template == "natural" else sentence.skeleton()
        line, spans = dress(rng, sentence)
        if bucket == "messy" or (bucket in ("in_distribution", "multi_constraint") and rng.random() < 0.2):
            level = 1.0 if bucket == "messy" else 0.4
            line, spans = noise.add_noise(rng, line, list(spans), level)
        spans = [
            self._trimmed(sentence, said, line, span) for said, span in zip(sentence.said, spans, strict=True)
        ]
        query = Query(f"{self.domain.name}-{self.seed}-{index}", line, now.isoformat(timespec="seconds"))
        mentions = tuple(extract(line, query.now))
        values = self._ground(sentence, query, spans, mentions)
        if values is None:
            return "ungrounded"
        label = _label(sentence, values)
        if bucket == "error_inducing" and not self._is_unhappy(label, query, index):
            return "happy"
        met = _near_copies(self.recipe.avoid_path).match(line)
        if met is not None:
            self.near_copies[sentence.template] += 1
            self.touched.add(met)
            return "near_copy"
        row = Row(query, label, None, (bucket,), "generated")
        slots = tuple(
            Slot(s.call, s.argument, span, v[0])
            for s, span, v in zip(sentence.said, spans, values, strict=True)
        )
        return Scenario(row, slots, mentions, bucket, skeleton, sentence.template, (self.seed, index))

    def _in_scope(self, rng: random.Random, now: datetime.datetime, bucket: str) -> Sentence:
        self._novel = bucket == "oov_values"
        self._phraser.corrections = 0.12 if bucket == "messy" else 0.0
        try:
            if bucket == "multi_call":
                first = self._sentence(rng, rng, now, self._tools.draw(rng))
                return _both(first, self._sentence(rng, rng, now, self._tools.draw(rng)), rng)
            if bucket == "multi_constraint":
                return self._long(rng, now)
            sentence = self._sentence(rng, rng, now, self._tools.draw(rng))
            while self._novel and not self._has_text(sentence):
                sentence = self._sentence(rng, rng, now, self._tools.draw(rng))
            return sentence
        finally:
            self._novel = False

    def _pair(self, index: int) -> random.Random | None:
        """What both halves of a minimal pair draw from; None where this index is half of none."""
        if not self._contrastive:
            return None
        pair = random.Random(f"{self.domain.name}/{self.seed}/{index // 2}/pair")
        return pair if pair.random() < self._contrastive else None

    def _half_of_pair(
        self, rng: random.Random, pair: random.Random, now: datetime.datetime, tool: str
    ) -> Sentence:
        """One half of a minimal pair: the same object, another tool."""
        self._phraser.topic = self._phraser.words_of(TOPIC_RULE, pair, now)
        state = pair.getstate()
        try:
            for _ in range(8):
                pair.setstate(state)  # both halves draw the same dates
                sentence = self._sentence(rng, pair, now, tool)
                if any(s.values == [self._phraser.topic] for s in sentence.said):
                    break
            return sentence
        finally:
            self._phraser.topic = None

    def _has_text(self, sentence: Sentence) -> bool:
        tool = self.domain.tool(sentence.tools[0])
        return any(
            a.type in TEXT_TYPES for a in (tool.arguments if tool else ()) if a.name in _names(sentence)
        )

    def _sentence(
        self,
        rng: random.Random,
        values: random.Random,
        now: datetime.datetime,
        tool: str,
    ) -> Sentence:
        if self.recipe.max_skeletons:
            rng = random.Random(
                f"{self.domain.name}/skeleton/{rng.randrange(self.recipe.max_skeletons)}/{tool}"
            )
        return self._phraser.phrase(self._frames[tool].draw(rng), rng, values, now)

    def _long(self, rng: random.Random, now: datetime.datetime) -> Sentence:
        """A sentence that says three arguments or more; of eight draws without, the longest."""
        best = self._sentence(rng, rng, now, self._tools.draw(rng))
        for _ in range(7):
            if len(_names(best)) >= 3:
                break
            other = self._sentence(rng, rng, now, self._tools.draw(rng))
            best = max(best, other, key=lambda s: len(_names(s)))
        return best

    def _natural_negative(self, rng: random.Random) -> str | None:
        """A plain sentence that no tool of the app is for, or None for a templated one."""
        if self.recipe.hard_negatives and rng.random() < 0.25:
            return rng.choice(self.recipe.hard_negatives)
        if rng.random() >= self.recipe.natural_negatives:
            return None
        return rng.choice(plain_negatives(self.domain, self.held_out))

    def _value(self, rng: random.Random, name: str) -> str:
        if name in self.domain.pools:
            return rng.choice(self.domain.pools[name])
        if name in WIDER and self.recipe.wider_pools and rng.random() < self.recipe.wider_pools:
            name = WIDER[name]
        if name == OTHER_TASKS:
            return rng.choice(_other_tasks(self.domain.keywords, self.held_out and self._novel))
        if name in NATURAL:
            return rng.choice(_natural(name, self.held_out and self._novel))
        return rng.choice(pools.split(name, self.held_out and self._novel))

    # --- checks ---

    def _ground(
        self, sentence: Sentence, query: Query, spans: Sequence[Span], mentions: tuple[Mention, ...]
    ) -> list[list[Any]] | None:
        """The right values of each entry of `sentence.said`; None where the sentence does not carry one."""
        out = []
        seen = set()
        for said, span in zip(sentence.said, spans, strict=True):
            tool = self.domain.tool(sentence.tools[said.call])
            argument = tool.argument(said.argument) if tool else None
            if tool is None or argument is None or (said.call, said.argument) in seen:
                return None
            seen.add((said.call, said.argument))
            partners = self._partners(sentence, said, argument, spans)
            values = _grounded(said, span, argument, tool, query, mentions, partners)
            if values is None:
                return None
            out.append(values)
        return out

    def _trimmed(self, sentence: Sentence, said: Said, line: str, span: Span) -> Span:
        """A text's span without a leading determiner: "the budget review" is said as "my review" is."""
        tool = self.domain.tool(sentence.tools[said.call])
        argument = tool.argument(said.argument) if tool else None
        if argument is None or argument.type not in TEXT_TYPES:
            return span
        return span[0] + len(_LEADING.match(line[span[0] : span[1]])[0]), span[1]  # type: ignore[index]

    def _partners(
        self, sentence: Sentence, said: Said, argument: Argument, spans: Sequence[Span]
    ) -> list[Span]:
        """Words of the call's other argument of this type, the old for the new and the reverse."""
        tool = self.domain.tool(sentence.tools[said.call])
        out = []
        for other, span in zip(sentence.said, spans, strict=True):
            known = tool.argument(other.argument) if tool and other.call == said.call else None
            if known is not None and is_counterpart(argument, known):
                out.append(span)
        return out

    def _is_unhappy(self, label: Label, query: Query, index: int) -> bool:
        state = self.domain.initial_state(
            random.Random(f"{self.domain.name}/{self.seed}/{index}/state"), query.now
        )
        for call in label:
            for name, arguments in call.items():
                given = {a: v[0] for a, v in arguments.items() if v[0] != ""}
                state, seen = self.domain.step(state, Call(name, given))
                if seen.status in UNHAPPY:
                    return True
        return False


def _grounded(
    said: Said,
    span: Span,
    argument: Argument,
    tool: Tool,
    query: Query,
    mentions: Sequence[Mention],
    partners: Sequence[Span],
) -> list[Any] | None:
    """The values that are right for an argument, or None where the sentence does not carry them."""
    start, end = span
    if argument.type in TEXT_TYPES:
        for m in mentions:
            if (m.start < start < m.end) or (m.start < end < m.end):
                return None  # a mention sticks out of the words
        words = query.text[start:end]
        if not words.strip():
            return None
        return said.values if argument.type == "texts" else [words]
    if argument.type == "choice":
        return said.values
    fitting = [m for m in mentions if m.start < end and start < m.end and m.kind in TAKES[argument.type]]
    if len(fitting) != 1:
        return None
    mention = fitting[0]
    shared = any(mention.start < e and s < mention.end for s, e in partners)
    got = resolve(mention, argument, tool, query.now, mentions, shared)
    if not got or got[0] not in said.values:
        return None
    return said.values


def _names(sentence: Sentence) -> set[str]:
    return {s.argument for s in sentence.said}


def _label(sentence: Sentence, values: Sequence[list[Any]]) -> Label:
    label: Label = [{tool: {}} for tool in sentence.tools]
    for said, accepted in zip(sentence.said, values, strict=True):
        distinct: list[Any] = []
        for value in accepted:
            if value not in distinct:
                distinct.append(value)
        label[said.call][sentence.tools[said.call]][said.argument] = distinct
    return label


def _both(first: Sentence, second: Sentence, rng: random.Random) -> Sentence:
    """Two requests in one sentence."""
    joiner = rng.choice(
        ("and", "and", "and then", "and also", "~, and", "then", "~, then", "also", "~. also", "~;", "plus")
    )
    at = len(first.words) + 1
    said = list(first.said)
    said += [Said(1, s.argument, s.first + at, s.last + at, s.values) for s in second.said]
    return Sentence(
        [*first.words, joiner, *second.words],
        said,
        [*first.tools, *second.tools],
        f"{first.template}+{second.template}",
        [*first.asides, *((a + at, b + at) for a, b in second.asides)],
    )


# --- shared tables, made once a process ------------------------------------------------------------


class _Weighted(Generic[T]):
    """Names drawn by weight."""

    def __init__(self, weights: dict[T, float]):
        self._names = [n for n, w in weights.items() if w > 0]
        self._sums = list(itertools.accumulate(weights[n] for n in self._names))

    def draw(self, rng: random.Random) -> T:
        return self._names[bisect.bisect_right(self._sums, rng.random() * self._sums[-1])]


def _frame_weights(frames: Sequence[Frame], grammar: Grammar, recipe: Recipe) -> dict[Frame, float]:
    """Frames by weight; those that always say an argument of which the recipe wants more are heavier."""
    out = {}
    for f in frames:
        weight = f.weight * recipe.templates.get(f"{f.tool}.{f.name}", 1.0)
        for name in sorted(always_said(f.node, f.tool, grammar.rules)) if recipe.arguments else ():
            weight *= recipe.arguments.get(f"{f.tool}.{name}", 1.0)
        out[f] = weight
    return out


def _pairs(tools: Sequence[Tool], recipe: Recipe) -> _Weighted[str]:
    """Pairs of tools for contrast, each in both orders; mostly of tools that share an object to name."""
    weights = {}
    for a, b in itertools.permutations(tools, 2):
        named = all(t.arguments and t.arguments[0].type == "text" for t in (a, b))
        wanted = recipe.pairs.get(f"{a.name}|{b.name}", 0.0) + recipe.pairs.get(f"{b.name}|{a.name}", 0.0)
        weights[f"{a.name}|{b.name}"] = (1.0 if named else 0.2) + wanted
    return _Weighted(weights)


@functools.lru_cache(maxsize=16)
def _parsed(text_: str) -> Grammar:
    return parse_grammar(text_)


def _grammar(domain: Domain) -> Grammar:
    return _parsed(domain.grammar)


@functools.lru_cache(maxsize=2)
def real_sentences(avoid_path: str = "") -> tuple[str, ...]:
    """Sentences that nothing generated may come near to: the shipped ones of all apps, and a user's own."""
    return (*real.real_texts(domain_names()), *(real.read_queries(avoid_path) if avoid_path else ()))


@functools.lru_cache(maxsize=2)
def _near_copies(avoid_path: str) -> text.NearCopies:
    return text.NearCopies(real_sentences(avoid_path))


@functools.lru_cache(maxsize=8)
def _natural(name: str, held_out: bool) -> tuple[str, ...]:
    return tuple(v for v in NATURAL[name]() if pools.is_held_out(v) == held_out)


@functools.lru_cache(maxsize=8)
def _other_tasks(pattern: str, held_out: bool) -> tuple[str, ...]:
    own = harvest.business(pattern)
    return tuple(v for v in _natural("natural_tasks", held_out) if not own.search(v))


@functools.lru_cache(maxsize=8)
def _plain_negatives(pattern: str, held_out: bool) -> tuple[str, ...]:
    return tuple(s for s in harvest.natural_negatives(pattern) if pools.is_held_out(s) == held_out)


def plain_negatives(domain: Domain, held_out: bool) -> tuple[str, ...]:
    """Sentences that people wrote and that no tool of the app is for, by a filter of its key words."""
    return _plain_negatives(domain.keywords, held_out)
