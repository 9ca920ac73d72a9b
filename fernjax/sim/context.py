"""What people say around a request, of themselves and not of the app ("i'm running late so ...")."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import importlib.resources
import random

from fernjax.sim.addresses import Draw
from fernjax.sim.grammar import Frame, Grammar, parse_grammar
from fernjax.sim.phrasing import Phraser
from fernjax.sim.sentence import Said, Sentence
from fernjax.sim.tools import TEXT_TYPES, Tool

SECTION = "context"
BEFORE = 0.6
"""Share of the contexts that stand before the request; the others follow it."""


class Context:
    """Puts a context before or after a request.

    Args:
      draw: `(rng, name) -> str`, one value of a pool.
    """

    def __init__(self, draw: Draw):
        grammar = _grammar()
        self._phraser = Phraser(grammar, {SECTION: Tool(SECTION, "", (), False)}, draw)
        self._before = [f for f in grammar.frames[SECTION] if f.name.startswith("before")]
        self._after = [f for f in grammar.frames[SECTION] if f.name.startswith("after")]

    def add(
        self, sentence: Sentence, rng: random.Random, now: datetime.datetime, tools: dict[str, Tool]
    ) -> Sentence:
        """The sentence with a context, or as it is where none can stand.

        None can stand before a sentence that begins with what an argument says ("dentist on friday"), and
        none after one that ends with a free text, which would swallow it ("tell ana i'm late because ...").

        Args:
          sentence: of one call or more.
          rng: draws the context.
          now: when it is said.
          tools: the app's, by name.
        """
        if rng.random() < BEFORE:
            if any(s.first == 0 for s in sentence.said):
                return sentence
            words = self._words(self._before, rng, now)
            by = len(words)
            said = [Said(s.call, s.argument, s.first + by, s.last + by, s.values) for s in sentence.said]
            asides = [(a + by, b + by) for a, b in sentence.asides]
            return dataclasses.replace(sentence, words=[*words, *sentence.words], said=said, asides=asides)
        end = len(sentence.words)
        if any(s.last == end and _is_text(s, sentence, tools) for s in sentence.said):
            return sentence
        words = self._words(self._after, rng, now)
        return dataclasses.replace(sentence, words=[*sentence.words, *words])

    def _words(self, frames: list[Frame], rng: random.Random, now: datetime.datetime) -> list[str]:
        frame = rng.choices(frames, [f.weight for f in frames])[0]
        return self._phraser.phrase(frame, rng, rng, now).words


def _is_text(said: Said, sentence: Sentence, tools: dict[str, Tool]) -> bool:
    argument = tools[sentence.tools[said.call]].argument(said.argument)
    return argument is not None and argument.type in TEXT_TYPES


@functools.cache
def _grammar() -> Grammar:
    return parse_grammar(
        importlib.resources.files("fernjax.sim").joinpath("context.grammar").read_text("utf-8")
    )
