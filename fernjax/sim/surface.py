"""The surface of a sentence: case and marks, as people speak or type them."""

from __future__ import annotations

import random
import re

from fernjax.sim.sentence import Sentence
from fernjax.sim.types import Span

_MARK = re.compile(r"~[.,;:?!-]+")
_PROPER = re.compile(
    r"\b(?:i(?='|\b)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|september"
    r"|october|november|december)",
)
_ASKS = re.compile(
    r"(?:what|when|where|who|which|how|do|does|did|is|are|am|can|could|would|will|have|has|should|any)\b",
    re.I,
)


def dress(rng: random.Random, sentence: Sentence) -> tuple[str, list[Span]]:
    """The text as people speak or type it, with the span of each entry of `sentence.said`.

    Case and marks change, the length of words does not, so the spans hold.
    """
    roll = rng.random()
    if roll < 0.62:  # as a speech recogniser writes it: no marks
        sentence.words = ["" if _MARK.fullmatch(w) else _MARK.sub("", w) for w in sentence.words]
    line, spans = sentence.render()
    if roll < 0.80 or len(line) != len(line.lower()):
        line = line.lower() if len(line) == len(line.lower()) else line
    elif roll < 0.98:
        line = _PROPER.sub(lambda m: m[0].capitalize(), line)
        if rng.random() < 0.85:
            line = line[:1].upper() + line[1:]
    else:
        line = line.upper()
    if roll >= 0.62 and rng.random() < 0.6:
        line += "?" if _ASKS.match(line) else rng.choice((".", ".", "!", ""))
    return line, spans
