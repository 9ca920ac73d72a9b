"""The calls that the model's answers mean: words are copied, mentions go through the resolver.

No JAX here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fernjax.model import written
from fernjax.model.encoded import Encoded
from fernjax.model.spec import Spec
from fernjax.sim.copied import copied_value
from fernjax.sim.resolve import TAKES, in_order, is_counterpart, likely, resolve
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.types import Call, Mention


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
                out[argument.name] = _copied(encoded, argument, said, int(answer["end"][k, column]) - 1)
    return out


def _copied(encoded: Encoded, argument: Argument, first: int, last: int) -> Any:
    """What the words from token `first` to token `last` give an argument.

    In `write` mode ids and addresses are pointed at as words; the mention among the words is the value.
    """
    start, end = encoded.chars[first][0], encoded.chars[last][1]
    for mention in encoded.mentions if argument.type in TAKES else ():
        if mention.start < end and start < mention.end and mention.kind in TAKES[argument.type]:
            return mention
    return copied_value(argument, encoded.text, (start, end), encoded.mentions)


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
            if m.kind in likely(argument, tool)
            and (argument.type, i) not in used
            and not (argument.type != start and (start, i) in used and not isinstance(m.value, dict))
            and resolve(m, argument, tool, now, mentions)
        ]
        fitting = in_order(argument, mentions, fitting, list(out.values()))
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
