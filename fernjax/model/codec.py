"""Between sentences and arrays: what the model reads, what it must say, and the calls that its answers mean.

The model never spells an answer. It names a tool, points at the first and the last word of each free text,
at the mention of each structured argument, and chooses among the values of each `choice`. Three argument
modes share all of this: `point` as said; `fill` leaves structured arguments to the extractor; `write` has the
words instead of mention tokens, is told `now`, and spells structured values by characters. No JAX here.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fernjax.model import written
from fernjax.model.spec import ARGUMENT_MODES, SlotSpec, Spec
from fernjax.model.tokenizer import KINDS, WORD, Tokenizer, fold
from fernjax.sim.resolve import LIKELY, TAKES, is_counterpart, resolve
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.types import OUT_OF_SCOPE, Call, Mention, Scenario, Slot

__all__ = [
    "ARGUMENT_MODES",
    "Encoded",
    "Spec",
    "bucket",
    "collate",
    "decode",
    "encode_query",
    "encode_scenario",
    "inputs",
]

LENGTHS = (12, 16, 20, 24, 32, 48, 96, 128)
"""Padded lengths of a sentence; each costs one compile. Only `write`, with `now` in front, needs the last."""

MAX_WORDS = 16
"""Words of the longest free text."""

NOT_SAID = 0
"""Target of an argument that the sentence does not give; position p or choice c is p + 1, c + 1."""

NOT_ASKED = -1
"""Tool target of a call token behind the one that said "no more calls"."""

Arrays = dict[str, np.ndarray]


@dataclasses.dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence as the model reads it; lists of one entry per token.

    Attributes:
      ids: token ids.
      starts, ends: whether the token is the first, the last, of a word that a free text may begin, end, with.
      kinds: 1 + index into `KINDS` for a mention's token, else 0.
      chars: characters `[start, end)` of the token's word in the text; (0, 0) for a token of `now`.
      mention_at: index into `mentions`, or -1.
      text, mentions: the sentence, and those of its mentions that have a token.
    """

    ids: list[int]
    starts: list[bool]
    ends: list[bool]
    kinds: list[int]
    chars: list[tuple[int, int]]
    mention_at: list[int]
    text: str
    mentions: tuple[Mention, ...]

    def __len__(self) -> int:
        return len(self.ids)


def bucket(length: int) -> int:
    """The padded length for a sentence of `length` tokens.

    Raises:
      ValueError: longer than the longest.
    """
    for padded in LENGTHS:
        if length <= padded:
            return padded
    raise ValueError(f"a sentence of {length} tokens; the longest has {LENGTHS[-1]}")


def encode_query(
    text: str, mentions: Sequence[Mention], spec: Spec, tokenizer: Tokenizer, now: str = ""
) -> Encoded:
    """A sentence with each mention as one token (in `write` mode: its words, `now` in front).

    Args:
      text: the sentence.
      mentions: what the extractor finds in it, of any kinds; of two that overlap the first counts.
      spec: the app.
      tokenizer: of the model's vocabulary.
      now: ISO 8601, read in `write` mode alone.
    """
    kept = _disjoint(m for m in mentions if m.kind in spec.kinds)
    out = Encoded([], [], [], [], [], [], text, kept)
    folded = fold(text)
    if spec.argument_mode == "write":
        for i in tokenizer.encode(now_words(now)):
            _append(out, i, (0, 0))
        _add_words(out, folded, 0, len(folded), tokenizer)
        return out
    at = 0
    for index, mention in enumerate(kept):
        _add_words(out, folded, at, mention.start, tokenizer)
        i = tokenizer.mention_id(mention)
        kind = KINDS.index(mention.kind) + 1
        _append(out, i, (mention.start, mention.end), True, True, kind, index)
        at = mention.end
    _add_words(out, folded, at, len(folded), tokenizer)
    return out


def now_words(now: str) -> str:
    """`now` as `write` mode reads it: `wednesday 2026-03-04 09:30`."""
    day = datetime.date.fromisoformat(now[:10])
    return f"{_WEEKDAYS[day.weekday()]} {now[:10]} {now[11:16]}"


_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _disjoint(mentions: Any) -> tuple[Mention, ...]:
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return tuple(kept)


def _add_words(out: Encoded, folded: str, start: int, end: int, tokenizer: Tokenizer) -> None:
    for match in WORD.finditer(folded, start, end):
        word, (first, last) = match.group(), match.span()
        possessive = match.lastgroup == "possessive"
        glued = first > 0 and not folded[first - 1].isspace()
        ids = tokenizer.word_ids(word if glued else " " + word)
        whole = len(word) > 1 or word.isalnum()  # punctuation neither begins nor ends a free text
        for n, i in enumerate(ids):
            begins = whole and n == 0 and not (possessive and glued)
            _append(out, i, (first, last), begins, whole and n == len(ids) - 1)


def _append(
    out: Encoded,
    token: int,
    chars: tuple[int, int],
    starts: bool = False,
    ends: bool = False,
    kind: int = 0,
    mention: int = -1,
) -> None:
    out.ids.append(token)
    out.starts.append(starts)
    out.ends.append(ends)
    out.kinds.append(kind)
    out.chars.append(chars)
    out.mention_at.append(mention)


def inputs(encoded: Encoded) -> Arrays:
    """What the model reads of one sentence, arrays of its length."""
    return {
        "ids": np.array(encoded.ids, np.int32),
        "starts": np.array(encoded.starts, bool),
        "ends": np.array(encoded.ends, bool),
        "kinds": np.array(encoded.kinds, np.int32),
    }


def encode_scenario(scenario: Scenario, spec: Spec, tokenizer: Tokenizer) -> Arrays:
    """What the model reads of a scenario, and what it must say.

    Returns:
      `inputs`, and int32 targets: `tool` [K] (T: no more calls, `NOT_ASKED` behind it), `start`, `end` [K, A]
      of free texts, `point` [K, A], `choice` [K, A] (`NOT_SAID`, else 1 + the position or the value), and in
      `write` mode `write` [K, A, 10] symbols. A is the spec's `width` of that head; a head without
      arguments has no target.

    Raises:
      ValueError: where the sentence cannot be said this way (a span that is no run of words, a slot without
        exactly one fitting mention, too long): the sample is to be dropped and counted.
    """
    query = scenario.row.query
    encoded = encode_query(query.text, scenario.mentions, spec, tokenizer, query.now)
    bucket(len(encoded))
    names = [t.name for t in spec.tools]
    label = [next(iter(call.items())) for call in scenario.row.calls]
    if len(label) > spec.max_calls:
        raise ValueError(f"{len(label)} calls; at most {spec.max_calls}")
    out = inputs(encoded) | _no_targets(spec)
    out["tool"][: len(label)] = [names.index(name) for name, _ in label]
    if len(label) < spec.max_calls and label[0][0] != OUT_OF_SCOPE:
        out["tool"][len(label)] = len(names)
    said = _by_argument(scenario.slots)
    for call, (name, arguments) in enumerate(label):
        for argument, values in arguments.items():
            if "" not in values and (call, argument) not in said:
                raise ValueError(f"{name}.{argument} is in the label but in no slot")
    for (call, argument), slots in said.items():
        _set_target(out, encoded, spec, call, names.index(label[call][0]), argument, slots)
    return out


def _no_targets(spec: Spec) -> Arrays:
    out = {"tool": np.full(spec.max_calls, NOT_ASKED, np.int32)}
    for head, targets in (("text", ("start", "end")), ("point", ("point",)), ("choice", ("choice",))):
        if spec.width(head):
            for target in targets:
                out[target] = np.full((spec.max_calls, spec.width(head)), NOT_SAID, np.int32)
    if spec.width("write"):
        out["write"] = np.zeros((spec.max_calls, spec.width("write"), written.LENGTH), np.int32)
        out["write"][:, :, 0] = written.NONE
    return out


def _by_argument(slots: Sequence[Slot]) -> dict[tuple[int, str], list[Slot]]:
    out: dict[tuple[int, str], list[Slot]] = {}
    for slot in slots:
        out.setdefault((slot.call, slot.argument), []).append(slot)
    return out


def _set_target(
    out: Arrays, encoded: Encoded, spec: Spec, call: int, tool: int, argument: str, slots: list[Slot]
) -> None:
    index = next(
        (i for i, s in enumerate(spec.slots) if s.tool == tool and s.argument.name == argument), None
    )
    if index is None:
        raise ValueError(f"{spec.tools[tool].name} has no argument {argument!r}")
    slot = spec.slots[index]
    if not slot.head:
        return
    column = spec.columns(slot.head)[tool].index(index)
    if slot.head == "choice":
        out["choice"][call, column] = 1 + slot.argument.choices.index(slots[0].value)
    elif slot.head == "write":
        out["write"][call, column] = written.spell(slots[0].value)
    elif slot.head == "point":
        out["point"][call, column] = 1 + _mention_position(encoded, slot, slots[0])
    else:
        first, last = _word_positions(encoded, slots)
        out["start"][call, column], out["end"][call, column] = 1 + first, 1 + last


def _mention_position(encoded: Encoded, spec: SlotSpec, slot: Slot) -> int:
    """Token of the one mention of a fitting kind that overlaps a slot's words."""
    if slot.span is None:
        raise ValueError(f"{slot.argument} has no span")
    start, end = slot.span
    found = [
        position
        for position, m in enumerate(encoded.mention_at)
        if m >= 0
        and encoded.mentions[m].kind in spec.kinds
        and encoded.mentions[m].start < end
        and start < encoded.mentions[m].end
    ]
    if len(found) != 1:
        raise ValueError(f"{len(found)} mentions fit {slot.argument} at {slot.span} of {encoded.text!r}")
    return found[0]


def _word_positions(encoded: Encoded, slots: list[Slot]) -> tuple[int, int]:
    """First and last token of a free text's words; members of a list are one stretch."""
    spans = [s.span for s in slots if s.span is not None]
    if not spans:
        raise ValueError(f"{slots[0].argument} has no span")
    start, end = min(s for s, _ in spans), max(e for _, e in spans)
    while start < end and not (encoded.text[start].isalnum() or encoded.text[start] in "#@"):
        start += 1
    while start < end and not encoded.text[end - 1].isalnum():
        end -= 1
    first = [i for i, (s, _) in enumerate(encoded.chars) if s == start and encoded.starts[i]]
    last = [i for i, (_, e) in enumerate(encoded.chars) if e == end and encoded.ends[i]]
    if not first or not last or last[0] < first[0]:
        raise ValueError(f"{encoded.text[start:end]!r} is no run of words of {encoded.text!r}")
    if sum(encoded.starts[first[0] : last[0] + 1]) > MAX_WORDS:
        raise ValueError(f"{encoded.text[start:end]!r} has more than {MAX_WORDS} words")
    return first[0], last[0]


def collate(examples: Sequence[Mapping[str, np.ndarray]], length: int) -> Arrays:
    """Examples of `encode_scenario` or `inputs` as one batch: `[B, length]` inputs, `[B, ...]` targets.

    Raises:
      ValueError: where one is longer than `length`.
    """
    out: Arrays = {}
    for name, first in examples[0].items():
        if name not in _INPUTS:
            out[name] = np.stack([e[name] for e in examples])
            continue
        out[name] = np.zeros((len(examples), length), first.dtype)  # PAD is id 0
        for row, example in enumerate(examples):
            values = example[name]
            if len(values) > length:
                raise ValueError(f"a sentence of {len(values)} tokens in a batch of length {length}")
            out[name][row, : len(values)] = values
    return out


_INPUTS = ("ids", "starts", "ends", "kinds")


def decode(answer: Mapping[str, np.ndarray], encoded: Encoded, spec: Spec, now: str) -> tuple[Call, ...]:
    """The calls that one row of `heads.decode`'s answers means; abstaining is a call of `out_of_scope`.

    Args:
      answer: `tool` [K], `start`, `end`, `point`, `choice` [K, A], `write` [K, A, 10, S].
      encoded: the sentence.
      spec: the app.
      now: ISO 8601, when it was said.
    """
    calls = []
    used: set[tuple[str, int]] = set()
    for k in range(spec.max_calls):
        tool_index = int(answer["tool"][k])
        if tool_index == len(spec.tools):
            break
        tool = spec.tools[tool_index]
        pointed = _pointed(answer, encoded, spec, tool_index, k)
        if spec.argument_mode == "fill":
            pointed |= _filled(encoded.mentions, tool, now, used)
        arguments = {}
        for argument in tool.arguments:
            value = pointed.get(argument.name)
            if isinstance(value, Mention):
                shared = _is_shared(argument, value, pointed, tool)
                value = next(iter(resolve(value, argument, tool, now, encoded.mentions, shared)), None)
            if value not in (None, "", []):
                arguments[argument.name] = value
        calls.append(Call(tool.name, arguments))
    return tuple(calls)


def _pointed(
    answer: Mapping[str, np.ndarray], encoded: Encoded, spec: Spec, tool: int, k: int
) -> dict[str, Any]:
    """By argument of call `k`: its words, value or mention; arguments not said are absent."""
    out: dict[str, Any] = {}
    for head in ("text", "point", "choice", "write"):
        if not spec.width(head):
            continue
        for column, index in enumerate(spec.columns(head)[tool]):
            if index < 0:
                continue
            argument = spec.slots[index].argument
            if head == "write":
                value, _ = written.read(answer["write"][k, column], argument)
                if value is not None:
                    out[argument.name] = value
                continue
            said = int(answer["start" if head == "text" else head][k, column]) - 1
            if said < 0:
                continue
            if head == "choice":
                out[argument.name] = argument.choices[said]
            elif head == "point":
                out[argument.name] = encoded.mentions[encoded.mention_at[said]]
            else:
                last = int(answer["end"][k, column]) - 1
                words = encoded.text[encoded.chars[said][0] : encoded.chars[last][1]]
                out[argument.name] = members(words) if argument.type == "texts" else words
    return out


def members(words: str) -> list[str]:
    """The members of a list, as said: "ana, bo and the ceo" gives "ana", "bo", "the ceo"."""
    return [m for m in (part.strip() for part in _JOINT.split(words)) if m]


_JOINT = re.compile(r"\s*[,&+]\s*|(?<!\w)(?:and|n|plus|with)(?!\w)", re.IGNORECASE)


def _filled(
    mentions: Sequence[Mention], tool: Tool, now: str, used: set[tuple[str, int]]
) -> dict[str, Mention]:
    """Mentions for a tool's structured arguments, by type alone, in the schema's order.

    A mention fills an argument of a type once, so that a second date goes to the second date argument, and
    an end as well where it is a range. Where a change has an old and a new argument of a type and one mention
    fits, it is the new one: a change says what shall be.
    """
    out: dict[str, Mention] = {}
    for argument in tool.arguments:
        if argument.type not in TAKES:
            continue
        start = argument.type.removeprefix("end_")
        fitting = [
            i
            for i, m in enumerate(mentions)
            if m.kind in LIKELY[argument.type]
            and (argument.type, i) not in used
            and not (argument.type != start and (start, i) in used and not isinstance(m.value, dict))
            and resolve(m, argument, tool, now, mentions)
        ]
        renewed = any(a.new and a.type == argument.type and not argument.new for a in tool.arguments)
        if fitting and not (renewed and len(fitting) == 1):
            out[argument.name] = mentions[fitting[0]]
            used.add((argument.type, fitting[0]))
    return out


def _is_shared(argument: Argument, mention: Mention, pointed: Mapping[str, Any], tool: Tool) -> bool:
    """Whether the old and the new argument of one call take this mention."""
    return any(
        is_counterpart(argument, other) and pointed.get(other.name) is mention for other in tool.arguments
    )
