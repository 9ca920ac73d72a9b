"""Tools as a broad model reads them: a text each, with a mark in front of whatever can be answered with.

    <tool> reserve restaurant : make a table reservation <argument> <date> date : tentative date of ...
    <argument> price range : ... <choice> inexpensive <choice> moderate

The state at a mark stands for the tool, the argument or the choice behind it (`reader`). A tool is read
alone: it means the same beside any other tools, and is read once, not with every sentence. No JAX here.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping, Sequence

import numpy as np

from fernjax.model.spec import SlotSpec, Spec
from fernjax.model.tokenizer import KINDS, Tokenizer
from fernjax.sim.tools import Argument, Tool, split_name

MAX_TOKENS = 96
"""Tokens of the longest prompt of one tool; what does not fit, descriptions first, is left out."""

MAX_CHOICES = 12
"""Choices of an argument that are read; a tool with more keeps its first."""

DESCRIPTION_TOKENS = (16, 10)
"""Tokens kept of the description of a tool, and of an argument."""

VALUE_TOKENS = 4
"""Tokens kept of a choice."""


@dataclasses.dataclass(frozen=True)
class Prompt:
    """One tool as tokens.

    Attributes:
      ids: its tokens; the first is the tool's mark.
      slot_at: the mark of each argument, in the schema's order; 0 where there was no room for it.
      choice_at: of each argument, the marks of its choices.
    """

    ids: tuple[int, ...]
    slot_at: tuple[int, ...]
    choice_at: tuple[tuple[int, ...], ...]


def encode_tool(
    tool: Tool, slots: list[SlotSpec], tokenizer: Tokenizer, rng: random.Random | None = None
) -> Prompt:
    """A tool as tokens.

    Args:
      tool: the tool.
      slots: how its arguments are answered, in the schema's order.
      tokenizer: of the model's vocabulary.
      rng: draws another order of arguments and choices, and leaves out some of the words, so that a model
        cannot know a tool by heart; None for all, as they stand.
    """
    for room in (DESCRIPTION_TOKENS, (8, 4), (0, 0)):
        prompt = _encode(tool, slots, tokenizer, room, random.Random(rng.random()) if rng else None)
        if len(prompt.ids) <= MAX_TOKENS:
            return prompt
    ids = prompt.ids[:MAX_TOKENS]
    return Prompt(
        ids,
        tuple(at if at < len(ids) else 0 for at in prompt.slot_at),
        tuple(tuple(at if at < len(ids) else 0 for at in row) for row in prompt.choice_at),
    )


def _encode(
    tool: Tool,
    slots: list[SlotSpec],
    tokenizer: Tokenizer,
    room: tuple[int, int],
    rng: random.Random | None,
) -> Prompt:
    def words(text: str, limit: int = 1000) -> list[int]:
        return tokenizer.encode(text)[:limit]

    def described(name: str, description: str, limit: int) -> list[int]:
        named, told = words(" ".join(split_name(name))), words(description, limit)
        if rng and named and told:
            drawn = rng.random()
            named, told = ([], told) if drawn < 0.15 else (named, []) if drawn < 0.3 else (named, told)
        return [*named, *([colon] if told else []), *told]

    colon = words(":")[0]
    ids = [tokenizer.reserved_id("<tool>"), *described(tool.name, tool.description, room[0])]
    slot_at = [0] * len(slots)
    choice_at: list[list[int]] = [[] for _ in slots]
    for index in _order(len(slots), rng):
        argument = slots[index].argument
        slot_at[index] = len(ids)
        ids.append(tokenizer.reserved_id("<argument>"))
        if slots[index].head == "point":
            ids.append(tokenizer.reserved_id(f"<{_kind(argument)}>"))
        ids += described(argument.name, argument.description, room[1])
        if slots[index].head != "choice":
            continue
        kept = argument.choices[:MAX_CHOICES]
        choice_at[index] = [0] * len(kept)
        for choice in _order(len(kept), rng):
            choice_at[index][choice] = len(ids)
            ids.append(tokenizer.reserved_id("<choice>"))
            ids += words(" ".join(split_name(str(kept[choice]))), VALUE_TOKENS)
    return Prompt(tuple(ids), tuple(slot_at), tuple(map(tuple, choice_at)))


def _kind(argument: Argument) -> str:
    """The kind of mention that an argument is usually given as."""
    plain = argument.type.removeprefix("end_")
    return plain if plain in KINDS else _USUAL.get(plain, "duration")


_USUAL = {"degrees": "temperature", "unit": "temperature", "amount": "money", "currency": "money"}


def _order(count: int, rng: random.Random | None) -> list[int]:
    order = list(range(count))
    if rng:
        rng.shuffle(order)
    return order


def slots_of(spec: Spec, tool: int) -> list[SlotSpec]:
    """How the arguments of one tool of a spec are answered."""
    return [slot for slot in spec.slots if slot.tool == tool]


def lay_out(
    members: Sequence[tuple[Spec, int]],
    tokenizer: Tokenizer,
    tools: int,
    arguments: int,
    widths: Mapping[str, int],
    rng: random.Random | None = None,
) -> dict[str, np.ndarray]:
    """A set of tools, read, as the arrays that `reader` takes of a group.

    Args:
      members: at most `tools` tools, each by its spec and its place there.
      tokenizer: of the model's vocabulary.
      tools: W, places for tools; the empty ones are all padding.
      arguments: places for the arguments of one tool; those behind are neither read nor answered.
      widths: by head, the most arguments of one tool that it answers; what is behind is not answered.
      rng: as `encode_tool` has it.

    Returns:
      `tool_ids` int32 [W, E]; with S = W * arguments, `slot_at` [S] and `choice_at` [S, MAX_CHOICES], places
      in the tools' tokens, one tool behind the other; `slots_HEAD` [W + 2, A] and `exists_HEAD`, `takes`
      [S, N] and `choices` [S], as `heads.Layout` has them. A choice that was not read is none.
    """
    size = tools * arguments
    out: dict[str, np.ndarray] = {
        "tool_ids": np.zeros((tools, MAX_TOKENS), np.int32),
        "slot_at": np.zeros(size, np.int32),
        "choice_at": np.zeros((size, MAX_CHOICES), np.int32),
        "takes": np.zeros((size, len(KINDS) + 1), np.float32),
        "choices": np.ones(size, np.int32),
    }
    for head, width in widths.items():
        out[f"slots_{head}"] = np.zeros((tools + 2, width), np.int32)
        out[f"exists_{head}"] = np.zeros((tools + 2, width), bool)
    for w, (spec, tool) in enumerate(members):
        slots = slots_of(spec, tool)[:arguments]
        prompt = encode_tool(spec.tools[tool], slots, tokenizer, rng)
        out["tool_ids"][w, : len(prompt.ids)] = prompt.ids
        used = dict.fromkeys(widths, 0)
        for a, slot in enumerate(slots):
            row = w * arguments + a
            out["slot_at"][row] = w * MAX_TOKENS + prompt.slot_at[a]
            marks = prompt.choice_at[a]
            out["choice_at"][row, : len(marks)] = [w * MAX_TOKENS + at for at in marks]
            out["takes"][row, 1:] = [kind in slot.kinds for kind in KINDS]
            out["choices"][row] = 1 + len(marks)
            column = used.get(slot.head, 0)
            if slot.head in widths and column < widths[slot.head]:
                out[f"slots_{slot.head}"][w, column] = row
                out[f"exists_{slot.head}"][w, column] = True
                used[slot.head] += 1
    return out
