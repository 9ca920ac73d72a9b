"""Scenarios: sentences with gold calls, each a pure function of (domain, recipe, seed, index).

A sentence's way: a bucket is drawn, a frame of the app's grammar, its values and its words; then the
surface (case, punctuation, noise); then the checks. What fails a check is dropped, counted, and drawn
again, so that `scenario(i)` always answers.
"""

from __future__ import annotations

import collections
import datetime
import functools
import random
from collections.abc import Sequence
from typing import Any

from fernjax.sim import contrast, noise, real, text, when
from fernjax.sim.context import Context
from fernjax.sim.contrast import Subject
from fernjax.sim.grammar import Frame, Grammar, parse_grammar
from fernjax.sim.grounding import ground, place_spans
from fernjax.sim.joining import gap_request, join_requests, repeat_request
from fernjax.sim.mentions import extract
from fernjax.sim.negatives import NEAR_MISS_TRIES, draw_how_to, is_foreign, other_apps, plain_negatives
from fernjax.sim.phrasing import Phraser, always_said
from fernjax.sim.recipe import Recipe
from fernjax.sim.resolve import kinds_of
from fernjax.sim.sentence import Sentence
from fernjax.sim.surface import dress
from fernjax.sim.tools import TEXT_TYPES
from fernjax.sim.types import OUT_OF_SCOPE, Call, Label, Query, Row, Scenario, Slot
from fernjax.sim.values import Values
from fernjax.sim.weights import Weighted
from fernjax.sim.world import Domain, domain_names, load_domain

MAX_ATTEMPTS = 200
UNHAPPY = ("not_found", "ambiguous", "missing_argument", "invalid_argument", "unsupported")
"""Statuses by which every app says that what was asked did not happen; it may have others of its own."""

NATURAL_TEMPLATE = "natural"
"""Template of what people wrote: a line of its own, without a skeleton."""

REPEATED = 0.3
"""Share of the sentences of two calls that have one verb for both, in an app that repeats its requests so."""

GAPPED = 0.25
"""Share of the other sentences of two calls whose second goes without its verb, where one so drawn can."""

GAP_TRIES = 12
"""Draws of a request that says two arguments, before a sentence of two calls has a verb for each."""

MISTYPED = ("text", "texts", "choice")
"""Types of arguments whose words may be mistyped: the model copies them, or tells them from their likes."""

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
        self._kinds = kinds_of(domain.tools)
        self._values = Values(domain, recipe, held_out)
        self._by_name = {t.name: t for t in domain.tools}
        self._phraser = Phraser(
            self._grammar,
            self._by_name,
            self._values.draw,
            recipe.arguments,
            domain.pools.get("project_keys", ()),
        )
        self._context = Context(self._values.draw)
        weights = {t: _frame_weights(fs, self._grammar, recipe) for t, fs in self._grammar.frames.items()}
        self._frames = {t: Weighted(w) for t, w in weights.items()}
        tools = {}
        for tool, weight in self._grammar.weights.items():
            if tool != OUT_OF_SCOPE:  # a tool whose frames the recipe makes heavier is asked for more often
                more = sum(weights[tool].values()) / sum(f.weight for f in self._grammar.frames[tool])
                tools[tool] = weight * more * recipe.tools.get(tool, 1.0)
        self._tools = Weighted(tools)
        asked = [t for t in domain.tools if t.name in tools]
        # An app without free text has no words that training never sees.
        texts = any(a.type in TEXT_TYPES for t in asked for a in t.arguments)
        self._buckets = Weighted({b: w for b, w in recipe.buckets.items() if texts or b != "oov_values"})
        self._objects = contrast.find_objects(asked, self._grammar)
        self._pairs = Weighted(contrast.same_object_pairs(asked, self._objects, recipe.pairs))
        self._verb_pairs = Weighted(contrast.same_verb_pairs(asked))
        has_pairs = recipe.buckets.get("in_distribution", 0.0) > 0 and len(asked) > 1
        self._contrastive = recipe.contrastive if has_pairs else 0.0
        self._contrastive_verbs = recipe.contrastive_verbs if has_pairs and self._verb_pairs.names else 0.0

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
            bucket, now = "in_distribution", when.draw_now(pair[0])
            sentence = self._half_of_pair(rng, *pair, now, index % 2)
        elif bucket == OUT_OF_SCOPE:
            sentence = self._negative(rng, now)
        else:
            sentence = self._in_scope(rng, now, bucket)
        skeleton = "" if sentence.template == NATURAL_TEMPLATE else sentence.skeleton()
        alone = pair is not None or sentence.template == NATURAL_TEMPLATE
        if self.recipe.context and not alone and rng.random() < self.recipe.context:
            sentence = self._context.add(sentence, rng, now, self._by_name)
        line, spans = dress(rng, sentence)
        if bucket == "messy" or (bucket in ("in_distribution", "multi_constraint") and rng.random() < 0.2):
            level = 1.0 if bucket == "messy" else 0.4
            line, spans = noise.add_noise(rng, line, list(spans), level, self._kept(sentence))
        query = Query(f"{self.domain.name}-{self.seed}-{index}", line, now.isoformat(timespec="seconds"))
        mentions = tuple(extract(line, query.now, self._kinds))
        spans = place_spans(self.domain, sentence, line, spans)
        values = ground(self.domain, sentence, query, spans, mentions)
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
        self._values.novel = bucket == "oov_values"
        self._phraser.corrections = 0.12 if bucket == "messy" else 0.0
        try:
            if bucket == "multi_call":
                return self._two_calls(rng, now)
            if bucket == "multi_constraint":
                return self._long(rng, now)
            sentence = self._sentence(rng, rng, now, self._tools.draw(rng))
            while self._values.novel and not self._has_text(sentence):
                sentence = self._sentence(rng, rng, now, self._tools.draw(rng))
            return sentence
        finally:  # halves of pairs and negatives are phrased without coming here
            self._values.novel, self._phraser.corrections = False, 0.0

    def _pair(self, index: int) -> tuple[random.Random, bool] | None:
        """What both halves of a minimal pair draw from, and whether they share the verb, not the object.

        None where this index is half of none.
        """
        if not self._contrastive and not self._contrastive_verbs:
            return None
        pair = random.Random(f"{self.domain.name}/{self.seed}/{index // 2}/pair")
        roll = pair.random()
        if roll >= self._contrastive + self._contrastive_verbs:
            return None
        return pair, roll >= self._contrastive

    def _half_of_pair(
        self, rng: random.Random, pair: random.Random, verbs: bool, now: datetime.datetime, half: int
    ) -> Sentence:
        """One half of a minimal pair; `rng` is its own, `pair` is drawn from alike by both."""
        if not verbs:
            tools = self._pairs.draw(pair)
            return self._on_subject(rng, pair, now, tools[half], self._subject(pair, now, tools))
        tools = self._verb_pairs.draw(pair)
        if tools[0] == tools[1]:  # the same words, other values
            return self._sentence(random.Random(f"{pair.random()}/words"), rng, now, tools[half])
        return self._sentence(rng, pair, now, tools[half])

    def _subject(self, pair: random.Random, now: datetime.datetime, tools: tuple[str, str]) -> Subject | None:
        """What both halves say: an object of the first tool that names one; of neither, any of the app's."""
        named = [o for t in tools for o in self._objects.values() if t in o.arguments]
        found = next(iter(named or self._objects.values()), None)
        if found is None:
            return None
        words = "" if found.rule is None else self._phraser.words_of(found.rule, pair, now, found.section)
        return Subject(found.arguments, words, "" if words else f"{pair.random()}/subject")

    def _on_subject(
        self,
        rng: random.Random,
        pair: random.Random,
        now: datetime.datetime,
        tool: str,
        subject: Subject | None,
    ) -> Sentence:
        """A sentence that says the subject, where the tool has a place for it."""
        self._phraser.topic = subject
        state = pair.getstate()
        try:
            for _ in range(8):
                pair.setstate(state)  # both halves draw the same dates
                sentence = self._sentence(rng, pair, now, tool)
                if sentence.on_subject:
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

    def _two_calls(self, rng: random.Random, now: datetime.datetime) -> Sentence:
        """A sentence of two requests; with a verb for each, or one for both."""
        repeats = self.domain.repeats
        if repeats and rng.random() < REPEATED:
            tool = rng.choice(tuple(repeats))
            one = self._sentence(rng, rng, now, tool)
            more = self._phraser.phrase_slot(tool, repeats[tool], rng, now)
            both = repeat_request(one, more, rng, repeats[tool])
            if both is not None:
                return both
        if rng.random() < GAPPED and not self.recipe.max_skeletons:
            for _ in range(GAP_TRIES):
                tool, words = self._tools.draw(rng), rng.random()
                same = [self._sentence(random.Random(words), rng, now, tool) for _ in range(2)]
                gapped = gap_request(same[0], same[1], rng)
                if gapped is not None:
                    return gapped
        names = [self._tools.draw(rng)]
        first = self._sentence(rng, rng, now, names[0])
        names.append(self._tools.draw(rng))
        second = self._sentence(rng, rng, now, names[1])
        tools = self._by_name[names[0]], self._by_name[names[1]]
        return join_requests(first, second, rng, tools, self.domain.shared)

    def _long(self, rng: random.Random, now: datetime.datetime) -> Sentence:
        """A sentence that says three arguments or more; of eight draws without, the longest."""
        best = self._sentence(rng, rng, now, self._tools.draw(rng))
        for _ in range(7):
            if len(_names(best)) >= 3:
                break
            other = self._sentence(rng, rng, now, self._tools.draw(rng))
            best = max(best, other, key=lambda s: len(_names(s)))
        return best

    def _negative(self, rng: random.Random, now: datetime.datetime) -> Sentence:
        """A sentence that no tool of the app is for."""
        recipe = self.recipe
        if recipe.hard_negatives and rng.random() < 0.25:
            return _foreign(rng.choice(recipe.hard_negatives), NATURAL_TEMPLATE)
        if rng.random() < recipe.natural_negatives:
            return _foreign(rng.choice(plain_negatives(self.domain, self.held_out)), NATURAL_TEMPLATE)
        if recipe.near_misses or recipe.how_tos:
            roll = rng.random() * (1.0 - recipe.natural_negatives)
            if roll < recipe.how_tos:
                question = draw_how_to(self.domain, rng)
                if question is not None:
                    return _foreign(question, "out_of_scope.how_to")
            elif roll < recipe.how_tos + recipe.near_misses:
                near = self._near_miss(rng)
                if near is not None:
                    return near
        return self._sentence(rng, rng, now, OUT_OF_SCOPE)

    def _near_miss(self, rng: random.Random) -> Sentence | None:
        """What another app is asked, without a key word of this one; None where there is none."""
        others = other_apps(self.domain.name)
        for _ in range(NEAR_MISS_TRIES if others else 0):
            other = rng.choice(others)
            made = _stranger(other, self.held_out).scenario(rng.randrange(1 << 30))
            if is_foreign(self.domain, made.row.query.text):
                return _foreign(made.row.query.text, f"{other}/{made.template}")
        return None

    # --- checks ---

    def _kept(self, sentence: Sentence) -> list[int]:
        """Indexes in `sentence.said` of what noise leaves alone: what the extractor reads."""
        arguments = (self._by_name[sentence.tools[s.call]].argument(s.argument) for s in sentence.said)
        return [i for i, a in enumerate(arguments) if a is None or a.type not in MISTYPED]

    def _is_unhappy(self, label: Label, query: Query, index: int) -> bool:
        state = self.domain.initial_state(
            random.Random(f"{self.domain.name}/{self.seed}/{index}/state"), query.now
        )
        for call in label:
            for name, arguments in call.items():
                given = {a: v[0] for a, v in arguments.items() if v[0] != ""}
                state, seen = self.domain.step(state, Call(name, given))
                if seen.status in UNHAPPY or seen.status in self.domain.unhappy:
                    return True
        return False


def _foreign(line: str, template: str) -> Sentence:
    """A whole line that calls for abstaining."""
    return Sentence([line], [], [OUT_OF_SCOPE], template)


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


# --- shared tables, made once a process ------------------------------------------------------------


def _frame_weights(frames: Sequence[Frame], grammar: Grammar, recipe: Recipe) -> dict[Frame, float]:
    """Frames by weight; those that always say an argument of which the recipe wants more are heavier."""
    out = {}
    for f in frames:
        weight = f.weight * recipe.templates.get(f"{f.tool}.{f.name}", 1.0)
        for name in sorted(always_said(f.node, f.tool, grammar.rules)) if recipe.arguments else ():
            weight *= recipe.arguments.get(f"{f.tool}.{name}", 1.0)
        out[f] = weight
    return out


@functools.lru_cache(maxsize=32)
def _stranger(name: str, held_out: bool) -> Generator:
    """Another app's requests, whose sentences are near-misses to this one."""
    recipe = Recipe({"in_distribution": 0.8, "messy": 0.2}, contrastive=0.0)
    return Generator(load_domain(name), recipe, 0, held_out)


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
