"""Between sentences and arrays: what the model reads, what it must say, and the calls that its answers mean.

The model never spells an answer. It names a tool, points at the first and the last word of each free text,
at the mention of each structured argument, and chooses among the values of each `choice`. Three argument
modes share all of this: `point` as said; `fill` leaves structured arguments to the extractor; `write` has the
words instead of mention tokens, is told `now`, and spells structured values by characters. No JAX here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fernjax.model import written
from fernjax.model.answers import decode
from fernjax.model.encoded import LENGTHS, Arrays, Encoded, bucket, encode_query, inputs
from fernjax.model.spec import ARGUMENT_MODES, SlotSpec, Spec
from fernjax.model.tokenizer import Tokenizer
from fernjax.sim.copied import members
from fernjax.sim.types import OUT_OF_SCOPE, Scenario, Slot

__all__ = [
    "ARGUMENT_MODES",
    "LENGTHS",
    "Encoded",
    "Spec",
    "bucket",
    "collate",
    "decode",
    "encode_query",
    "encode_scenario",
    "inputs",
    "members",
]

MAX_WORDS = 32
"""Words of the longest free text."""

NOT_SAID = 0
"""Target of an argument that the sentence does not give; position p or choice c is p + 1, c + 1."""

NOT_ASKED = -1
"""Tool target of a call token behind the one that said "no more calls"."""


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
    tokens = [c for c, m in zip(encoded.chars, encoded.mention_at, strict=True) if m >= 0]
    starts, ends = {s for s, _ in tokens}, {e for _, e in tokens}
    while start < end and start not in starts and not _begins_word(encoded.text[start]):
        start += 1
    while start < end and end not in ends and not encoded.text[end - 1].isalnum():
        end -= 1
    first = [i for i, (s, _) in enumerate(encoded.chars) if s == start and encoded.starts[i]]
    last = [i for i, (_, e) in enumerate(encoded.chars) if e == end and encoded.ends[i]]
    if not first or not last or last[0] < first[0]:
        raise ValueError(f"{encoded.text[start:end]!r} is no run of words of {encoded.text!r}")
    if sum(encoded.starts[first[0] : last[0] + 1]) > MAX_WORDS:
        raise ValueError(f"{encoded.text[start:end]!r} has more than {MAX_WORDS} words")
    return first[0], last[0]


def _begins_word(character: str) -> bool:
    return character.isalnum() or character in "#@"


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
