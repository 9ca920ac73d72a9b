"""Slots as stretches of words: values to spans, spans to tags and back, the likeliest valid tags, F1.

Tags are BIO (Ramshaw and Marcus, "Text chunking using transformation-based learning", 1995): `O`, and for
each slot `B` (its first word) and `I` (a later one). No JAX here.

Letters: W words of a sentence, Y tags.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

OUTSIDE = 0
"""Tag of a word in no slot. Slot k of `Labels.names` begins with tag 1 + 2 k and goes on with 2 + 2 k."""


@dataclasses.dataclass(frozen=True, order=True)
class Span:
    """A slot's value: words `first` to `last`, both in it."""

    first: int
    last: int
    slot: str


@dataclasses.dataclass(frozen=True)
class Labels:
    """Intents, and the slots of each. Hashable by value, static under `jit`.

    Attributes:
      intents: their names.
      slots: of each intent, names that intents may share.
    """

    intents: tuple[str, ...]
    slots: tuple[tuple[str, ...], ...]

    @classmethod
    def from_json(cls, values: Mapping[str, Sequence[str]]) -> Labels:
        """From `{intent: [slot, ...]}`."""
        return cls(tuple(values), tuple(tuple(slots) for slots in values.values()))

    def to_json(self) -> dict[str, list[str]]:
        """`{intent: [slot, ...]}`."""
        return {intent: list(slots) for intent, slots in zip(self.intents, self.slots, strict=True)}

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """All slots, in order."""
        return tuple(sorted({name for slots in self.slots for name in slots}))

    @property
    def tags(self) -> int:
        """Y."""
        return 1 + 2 * len(self.names)

    @functools.cached_property
    def allowed_IxY(self) -> np.ndarray:
        """Whether a tag is of a slot that an intent has, or of none; bool [intents, Y]."""
        has = np.array([[name in slots for name in self.names] for slots in self.slots], bool)
        return np.concatenate([np.ones((len(self.intents), 1), bool), np.repeat(has, 2, axis=1)], axis=1)

    def to_tags(self, spans: Sequence[Span], words: int) -> list[int]:
        """The tag of each word."""
        out = [OUTSIDE] * words
        for span in spans:
            begin = 1 + 2 * self.names.index(span.slot)
            out[span.first : span.last + 1] = [begin] + [begin + 1] * (span.last - span.first)
        return out

    def to_spans(self, tags: Sequence[int]) -> tuple[Span, ...]:
        """The spans of a valid sequence of tags, in order.

        Raises:
          ValueError: a slot goes on that did not begin.
        """
        out: list[Span] = []
        before = OUTSIDE
        for word, tag in enumerate(tags):
            if tag != OUTSIDE and tag % 2 == 1:
                out.append(Span(word, word, self.names[tag // 2]))
            elif tag != OUTSIDE:
                if before not in (tag - 1, tag):
                    raise ValueError(f"tag {tag} behind tag {before}")
                out[-1] = dataclasses.replace(out[-1], last=word)
            before = tag
        return tuple(out)


def values_of(text: str, words: Sequence[tuple[int, int]], spans: Sequence[Span]) -> dict[str, list[str]]:
    """The values that spans of a sentence name, as written, in the order of the sentence.

    Args:
      text: the sentence.
      words: characters `[start, end)` of each word.
      spans: in order.
    """
    out: dict[str, list[str]] = {}
    for span in spans:
        out.setdefault(span.slot, []).append(text[words[span.first][0] : words[span.last][1]])
    return out


def align(
    text: str, words: Sequence[tuple[int, int]], arguments: Mapping[str, Sequence[str]]
) -> tuple[tuple[Span, ...], bool] | None:
    """Where a sentence says the values of a call.

    Slots come in the order of their first values, the values of a slot in theirs, and no two share a word. Of
    several ways the one whose words are furthest to the left is taken, slot by slot.

    Returns:
      The spans in order, and whether another way was possible; None where there is none.
    """
    first_at = {start: i for i, (start, _) in enumerate(words)}
    last_at = {end: i for i, (_, end) in enumerate(words)}
    places: list[list[Span]] = []
    follows: list[bool] = []  # whether a value is a later one of its slot
    for slot, values in arguments.items():
        for number, value in enumerate(values):
            found = _occurrences(text, " ".join(value.split()))
            ends = [(s, e) for s, e in found if s in first_at and e in last_at]
            places.append([Span(first_at[s], last_at[e], slot) for s, e in ends])
            follows.append(number > 0)
    ways = _ways(places, follows, [], -1)
    best = next(ways, None)
    return None if best is None else (tuple(sorted(best)), next(ways, None) is not None)


def _occurrences(text: str, value: str) -> Iterator[tuple[int, int]]:
    at = text.find(value) if value else -1
    while at >= 0:
        yield at, at + len(value)
        at = text.find(value, at + 1)


def _ways(
    places: list[list[Span]], follows: list[bool], chosen: list[Span], first: int
) -> Iterator[list[Span]]:
    """All choices of a place for each value; `first` is where the slot before, or this one, begins."""
    at = len(chosen)
    if at == len(places):
        yield chosen
        return
    least = chosen[-1].last if follows[at] else first
    for place in places[at]:
        if place.first > least and all(place.last < c.first or place.first > c.last for c in chosen):
            begins = first if follows[at] else place.first
            yield from _ways(places, follows, [*chosen, place], begins)


def viterbi(logp_WxY: np.ndarray) -> tuple[list[int], float]:
    """The likeliest sequence of tags in which no slot goes on that did not begin, and its log-probability.

    A. J. Viterbi, 1967, over transitions that are all alike or impossible.

    Args:
      logp_WxY: log-probabilities of each word's tags; `OUTSIDE` of each is finite.
    """
    W, Y = logp_WxY.shape
    begins, goes_on = np.arange(1, Y, 2), np.arange(2, Y, 2)
    score_Y = np.array(logp_WxY[0], np.float64)
    score_Y[goes_on] = -np.inf
    back_WxY = np.zeros((W, Y), np.int64)
    for word in range(1, W):
        back_WxY[word] = score_Y.argmax()
        back_WxY[word, goes_on] = np.where(score_Y[begins] >= score_Y[goes_on], begins, goes_on)
        score_Y = score_Y[back_WxY[word]] + logp_WxY[word]
    tags = [int(score_Y.argmax())]
    for word in range(W - 1, 0, -1):
        tags.append(int(back_WxY[word, tags[-1]]))
    return tags[::-1], float(score_Y.max())


def f1(right: int, said: int, gold: int) -> float:
    """F1 as conlleval counts it: of all spans together, right where slot and both ends are; 1 of none."""
    return 2 * right / (said + gold) if said + gold else 1.0


def errors(gold: Sequence[Span], said: Sequence[Span]) -> Counter[tuple[str, str, str]]:
    """What is wrong with the spans that are said: kind, gold slot, slot that was said.

    Kinds: `slot` (the words are right), `words` (the slot is right, and some of the words), `both` (some of
    the words are right), `missed` (nothing is said of these words, "" is said), `invented` ("" is gold).
    """
    missed = [g for g in gold if g not in said]
    wrong = [s for s in said if s not in gold]
    out: Counter[tuple[str, str, str]] = Counter()
    for g in missed:
        touching = [s for s in wrong if s.first <= g.last and g.first <= s.last]
        if not touching:
            out["missed", g.slot, ""] += 1
            continue
        best = min(touching, key=lambda s: ((s.first, s.last) != (g.first, g.last), s.slot != g.slot, s))
        same = (best.first, best.last) == (g.first, g.last)
        out["slot" if same else "words" if best.slot == g.slot else "both", g.slot, best.slot] += 1
    for s in wrong:
        if not any(s.first <= g.last and g.first <= s.last for g in missed):
            out["invented", "", s.slot] += 1
    return out
