"""Dialogues with tools (the Schema-Guided Dialogue form) as labelled sentences, and as texts.

A dialogue is `{"id", "services", "turns"}`; a turn `{"role", "text"}`, a user's with `state` (by service the
intent and the values of its slots as said), a system's with `calls` (service, name, arguments, results).
A service is a set of tools. No JAX here.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fernjax.sim.mentions import extract
from fernjax.sim.tools import Argument, Tool, parse_tools
from fernjax.sim.types import OUT_OF_SCOPE, Query, Row, Scenario, Slot

NOW = "2019-03-01T09:00:00"
"""When these dialogues are held; a Friday."""

USER, APP = "> ", "< "
"""What stands in front of a turn where several are read as one text."""

HISTORY_WORDS = 70
"""Words of the turns before a call that are read with it, at most; whole turns are left out."""

ASKING_WORDS = 7
"""Words below which an answer without any value is taken for a mere yes to what the app has offered."""

ABSTAIN = Tool(OUT_OF_SCOPE, "The request is nothing that the other tools can do; abstain.", (), True)


@dataclasses.dataclass(frozen=True)
class Labelled:
    """A sentence of a service.

    Attributes:
      service: name of the set of tools.
      scenario: the sentence with its gold call.
      form: `sentence`, one turn that asks for something, or `history`, the turns up to a call.
    """

    service: str
    scenario: Scenario
    form: str


def read_services(document: Mapping[str, Any]) -> dict[str, tuple[Tool, ...]]:
    """Tools by service, abstaining behind them.

    Raises:
      UserError: tools that are not in form.
    """
    return {name: (*parse_tools(about["tools"]), ABSTAIN) for name, about in document.items()}


def family(service: str) -> str:
    """What services of one kind share: `Hotels_1` and `Hotels_2` are `Hotels`."""
    return service.rpartition("_")[0] or service


def label(
    dialogue: Mapping[str, Any], services: Mapping[str, tuple[Tool, ...]], dropped: Counter[str]
) -> Iterator[Labelled]:
    """The sentences of a dialogue whose right call, and where its values stand, can be told.

    Args:
      dialogue: the dialogue.
      services: of `read_services`; turns of others are passed over.
      dropped: why sentences were passed over is counted here.
    """
    before: dict[str, dict[str, Any]] = {}
    turns = dialogue["turns"]
    for at, turn in enumerate(turns):
        for service, state in turn.get("state", {}).items():
            known = before.get(service, {"intent": "NONE", "slots": {}})
            before[service] = state
            if service in services and state["intent"] not in ("NONE", known["intent"]):
                new = {k: v for k, v in state["slots"].items() if known["slots"].get(k) != v}
                told = turns[at - 1]["text"] if at else ""
                yield from _sentence(dialogue["id"], at, turn["text"], told, service, state["intent"], new,
                                     services[service], dropped)  # fmt: skip
        for call in turn.get("calls", ()):
            if call["service"] in services and call["service"] in before:
                yield from _history(dialogue["id"], at, turns, call, before[call["service"]]["slots"],
                                    services[call["service"]], dropped)  # fmt: skip


def _sentence(
    name: str,
    at: int,
    text: str,
    told: str,
    service: str,
    intent: str,
    new: Mapping[str, Sequence[str]],
    tools: Sequence[Tool],
    dropped: Counter[str],
) -> Iterator[Labelled]:
    tool = next((t for t in tools if t.name == intent), None)
    if tool is None:
        return
    slots = []
    for argument in tool.arguments:
        values = new.get(argument.name, ())
        if not values:
            continue
        slot = _locate(argument, values, text)
        if slot is not None:
            slots.append(slot)
        elif not any(_find(v, told) for v in values):  # else it is a yes to what the app has just offered
            dropped["a value that stands nowhere"] += 1
            return
    if at and not slots and len(text.split()) < ASKING_WORDS:
        dropped["a yes, which asks for nothing by itself"] += 1
        return
    yield Labelled(service, _scenario(f"{name}/{at}", text, tool, slots), "sentence")


def _history(
    name: str,
    at: int,
    turns: Sequence[Mapping[str, Any]],
    call: Mapping[str, Any],
    said: Mapping[str, Sequence[str]],
    tools: Sequence[Tool],
    dropped: Counter[str],
) -> Iterator[Labelled]:
    tool = next((t for t in tools if t.name == call["name"]), None)
    if tool is None:
        return
    parts: list[str] = []
    for turn in reversed(turns[:at]):
        parts.insert(0, (USER if turn["role"] == "user" else APP) + turn["text"])
        if sum(len(p.split()) for p in parts) > HISTORY_WORDS:
            parts = parts[1:] if len(parts) > 1 else parts
            break
    text = "\n".join(parts)
    slots = []
    for argument in tool.arguments:
        if argument.name not in call["arguments"]:
            continue
        slot = _locate(argument, said.get(argument.name, ()), text)
        if slot is None:
            dropped["a value of a call that stands nowhere"] += 1
            return
        slots.append(slot)
    yield Labelled(call["service"], _scenario(f"{name}/{at}/call", text, tool, slots), "history")


def _locate(argument: Argument, values: Sequence[str], text: str) -> Slot | None:
    """Where the text says one of the values, the last time; a choice may be meant without being said."""
    if argument.type == "choice":
        chosen = next((c for c in argument.choices for v in values if str(c).lower() == v.lower()), None)
        return None if chosen is None else Slot(0, argument.name, None, chosen)
    found = [(span, value) for value in values if (span := _find(value, text))]
    if not found:
        return None
    span, value = max(found, key=lambda f: (f[0][1], f[0][1] - f[0][0]))
    return Slot(0, argument.name, span, value)


def _find(value: str, text: str) -> tuple[int, int] | None:
    """The last place where the text has the value as words of its own."""
    pattern = rf"(?<!\w){re.escape(value)}(?!\w)"
    found = list(re.finditer(pattern, text, re.IGNORECASE)) if value else []
    return found[-1].span() if found else None


def _scenario(name: str, text: str, tool: Tool, slots: Sequence[Slot]) -> Scenario:
    arguments = {slot.argument: [slot.value] for slot in slots}
    return Scenario(
        row=Row(Query(name, text, NOW), [{tool.name: arguments}], source="sgd"),
        slots=tuple(slots),
        mentions=tuple(extract(text, NOW)),
        bucket="in_distribution",
        skeleton="",
        template="",
        seed=(0, 0),
    )


def texts(dialogue: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A dialogue as marked texts: `(mark, text)`, of what is said, called and answered."""
    out: list[tuple[str, str]] = []
    for turn in dialogue["turns"]:
        for call in turn.get("calls", ()):
            out.append(("call", _words(call["name"], call["arguments"])))
            out += [("observation", _words("", result)) for result in call["results"][:1]]
        out.append(("user" if turn["role"] == "user" else "app", turn["text"]))
    return out


def _words(name: str, values: Mapping[str, Any]) -> str:
    said = "; ".join(f"{k.replace('_', ' ')}: {v}" for k, v in values.items())
    return f"{name} {said}".strip()
