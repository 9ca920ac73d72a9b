"""Two requests in one sentence: how they are joined, and what one of them says for both."""

from __future__ import annotations

import random

from fernjax.sim.sentence import Said, Sentence
from fernjax.sim.tools import Tool

JOINERS = (
    "and", "and", "and then", "and also", "~, and", "then", "~, then", "also", "~. also", "~;", "plus",
)  # fmt: skip

_MORE = ("and", "and", "and", "and", "and", "and also", "~, and", "as well as", "plus", "&")
_MORE_TIMES = (*_MORE, "and one for", "and another for", "and another at", "and at", "and one at")


def join_requests(
    first: Sentence, second: Sentence, rng: random.Random, tools: tuple[Tool, Tool], shared: tuple[str, ...]
) -> Sentence:
    """Two requests one after the other.

    Args:
      first: of one call.
      second: of one call.
      rng: draws the words between them.
      tools: theirs.
      shared: arguments, or `tool.argument`, that hold for both calls where one request alone says them: the
        second goes on where the first began ("add milk to my groceries and remove eggs"); what only the
        second says is said of the first as well where the two tools take the same arguments ("remove eggs and
        add milk to ...").
    """
    joiner = rng.choice(JOINERS)
    at = len(first.words) + 1
    said = list(first.said)
    said += [Said(1, s.argument, s.first + at, s.last + at, s.values) for s in second.said]
    alike = [a.name for a in tools[0].arguments] == [a.name for a in tools[1].arguments]
    for call, other in ((1, 0), (0, 1)) if alike else ((1, 0),):
        mine = {s.argument for s in said if s.call == call}
        own = {a.name for a in tools[call].arguments}
        holds = {a for a in own - mine if a in shared or f"{tools[call].name}.{a}" in shared}
        lent = [s for s in said if s.call == other and s.argument in holds]
        said += [Said(call, s.argument, s.first, s.last, s.values) for s in lent]
    return Sentence(
        [*first.words, joiner, *second.words],
        said,
        [*first.tools, *second.tools],
        f"{first.template}+{second.template}",
        [*first.asides, *((a + at, b + at) for a, b in second.asides)],
    )


_KEPT = frozenset("a an the my our to for about on in from at of by with as me".split())
"""Words before the first slot that a second request without its verb may begin with."""


def gap_request(first: Sentence, second: Sentence, rng: random.Random) -> Sentence | None:
    """A request for two things, each with arguments of its own: the second goes without its verb.

    "set an alarm for seven called gym and for eight called school", "add stamps to errands and jam to
    groceries": gapping, as grammarians call it.

    Args:
      first: of one call that says two arguments or more.
      second: of the same frame in the same words, with other values.
      rng: draws the words between the two.

    Returns:
      None where the two do not say the same arguments in the same order behind the same words.
    """
    order, other = _order(first), _order(second)
    if len(order) < 2 or order != other or first.asides or second.asides:
        return None
    at, begins = min(s.first for s in first.said), min(s.first for s in second.said)
    if not at or first.words[:at] != second.words[:begins]:
        return None
    if _values(first) & _values(second):
        return None  # one thing twice, or at one time: people say what both have once
    while begins > 1 and set(second.words[begins - 1].lower().split()) <= _KEPT and rng.random() < 0.6:
        begins -= 1
    ends = max(s.last for s in second.said)
    joiner = rng.choice(_MORE)
    by = len(first.words) + 1 - begins
    said = [*first.said, *(Said(1, s.argument, s.first + by, s.last + by, s.values) for s in second.said)]
    last = max(s.last for s in first.said)
    words, tail = first.words, second.words[ends:]
    if tail == first.words[last:] and rng.random() < 0.5 and len(tail) == 1:
        tail = []  # "... please and jam to groceries": politeness is said once
    words = [*words, joiner, *second.words[begins:ends], *tail]
    return Sentence(words, said, [*first.tools, *first.tools], f"{first.template}+gap")


def _order(sentence: Sentence) -> list[str]:
    return [s.argument for s in sorted(sentence.said, key=lambda s: (s.first, s.last, s.argument))]


def _values(sentence: Sentence) -> set[tuple[str, str]]:
    return {(s.argument, repr(s.values[0])) for s in sentence.said}


def repeat_request(first: Sentence, more: Sentence, rng: random.Random, argument: str) -> Sentence | None:
    """A request for two things at once ("close web-10 and web-11"): two calls of one tool.

    Args:
      first: of one call.
      more: the second value of the argument, said alone.
      rng: draws the words between the two.
      argument: the one of which there are two values; the calls share the others.

    Returns:
      None where the first request does not say the argument in words of its own, or both say one value.
    """
    places = [s for s in first.said if s.argument == argument]
    if len(places) != 1 or len(more.said) != 1 or first.asides or more.asides:
        return None
    if any(value in places[0].values for value in more.said[0].values):
        return None
    place = places[0]
    if any(s is not place and s.first < place.last and place.first < s.last for s in first.said):
        return None
    timed = ":" in str(place.values[0])
    added = [rng.choice(_MORE_TIMES if timed else _MORE), *more.words]
    if rng.random() < 0.06 and not timed:
        added.append(rng.choice(("too", "as well", "both")))

    def moved(s: Said, call: int) -> Said:
        by = len(added) if s.first >= place.last else 0
        return Said(call, s.argument, s.first + by, s.last + by, s.values)

    at = place.last + 1
    second = [Said(1, s.argument, s.first + at, s.last + at, s.values) for s in more.said]
    second += [moved(s, 1) for s in first.said if s is not place]
    words = [*first.words[: place.last], *added, *first.words[place.last :]]
    template = f"{first.template}+{argument}"
    said = [*(moved(s, 0) for s in first.said), *second]
    return Sentence(words, said, [*first.tools, *first.tools], template, [], first.on_subject)
