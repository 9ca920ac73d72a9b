"""Whether a generated sentence carries its gold call: each value in words that give it back.

A slot is grounded where its words are copied into the value, or where exactly one mention of a fitting kind
overlaps them and resolves to it. What is not grounded is no training sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fernjax.sim import text
from fernjax.sim.copied import are_people, copied_value, members
from fernjax.sim.grade import equal
from fernjax.sim.resolve import is_counterpart, resolve, takes
from fernjax.sim.sentence import Said, Sentence
from fernjax.sim.tools import TEXT_TYPES, Argument, Tool
from fernjax.sim.types import Mention, Query, Span
from fernjax.sim.world import Domain

_LEADING = re.compile(rf"(?:(?:{'|'.join(sorted(text.LEADING))})\s+(?=\w))*", re.I)
"""The determiners that the scorer drops in front of a text: a text goes without them."""


def place_spans(domain: Domain, sentence: Sentence, line: str, spans: Sequence[Span]) -> list[Span]:
    """The spans of `sentence.said` as the model shall point at them.

    A text goes without a leading determiner: "the budget review" is said as "my review" is.
    """
    out = []
    for said, (start, end) in zip(sentence.said, spans, strict=True):
        argument = _argument(domain, sentence, said)
        if argument is not None and argument.type in TEXT_TYPES:
            start += len(_LEADING.match(line[start:end])[0])  # type: ignore[index]
        out.append((start, end))
    return out


def ground(
    domain: Domain, sentence: Sentence, query: Query, spans: Sequence[Span], mentions: Sequence[Mention]
) -> list[list[Any]] | None:
    """The right values of each entry of `sentence.said`; None where the sentence does not carry one."""
    out = []
    seen = set()
    for said, span in zip(sentence.said, spans, strict=True):
        tool = domain.tool(sentence.tools[said.call])
        argument = tool.argument(said.argument) if tool else None
        if tool is None or argument is None or (said.call, said.argument) in seen:
            return None
        seen.add((said.call, said.argument))
        partners = _partners(tool, sentence, said, argument, spans)
        values = _grounded(said, span, argument, tool, query, mentions, partners)
        if values is None:
            return None
        out.append(values)
    return out


def _argument(domain: Domain, sentence: Sentence, said: Said) -> Argument | None:
    tool = domain.tool(sentence.tools[said.call])
    return tool.argument(said.argument) if tool else None


def _partners(
    tool: Tool, sentence: Sentence, said: Said, argument: Argument, spans: Sequence[Span]
) -> list[Span]:
    """Words of the call's other argument of this type, the old for the new and the reverse."""
    out = []
    for other, span in zip(sentence.said, spans, strict=True):
        known = tool.argument(other.argument) if other.call == said.call else None
        if known is not None and is_counterpart(argument, known):
            out.append(span)
    return out


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
        return _copied(said, span, argument, query.text, mentions)
    if argument.type == "choice":
        return said.values
    kinds = takes(argument, tool)
    fitting = [m for m in mentions if m.start < end and start < m.end and m.kind in kinds]
    if len(fitting) != 1:
        return None
    mention = fitting[0]
    shared = any(mention.start < e and s < mention.end for s, e in partners)
    got = resolve(mention, argument, tool, query.now, mentions, shared)
    if not got or got[0] not in said.values:
        return None
    return said.values


def _copied(
    said: Said, span: Span, argument: Argument, line: str, mentions: Sequence[Mention]
) -> list[Any] | None:
    """The value of a free text, as the codec will copy it."""
    words = line[span[0] : span[1]]
    if not words.strip():
        return None
    value = copied_value(argument, line, span, mentions)
    if argument.type == "texts":
        parts = members(words, are_people(argument))
        if not _told_apart(parts, said.values[0]):
            return None  # "odds and sods"
        return said.values if value == parts == said.values[0] else [value]
    if argument.type == "channel" and not equal(value, said.values[0]):
        return None
    return [value]


def _told_apart(parts: Sequence[str], members_: Sequence[str]) -> bool:
    """Whether the parts of a list's words are its members, letters that were mistyped aside."""
    if equal(list(parts), list(members_)):
        return True
    lengths = [[len(_LEADING.sub("", one, count=1).split()) for one in some] for some in (parts, members_)]
    return lengths[0] == lengths[1]
