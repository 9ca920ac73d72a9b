"""Tools in the OpenAI form, and the type of each of their arguments.

The resolver, the codec and the phrasing engine know arguments by type only, so an app brings a
schema and no code of its own.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Mapping
from typing import Any

from fernjax.sim.argument_types import (
    LENGTHS,
    PARTS_OF_DAY,
    RECURRENCES,
    UNITS,
    argument_type,
    bounds,
    plain_schema,
    split_name,
    why_unsayable,
)
from fernjax.sim.types import UserError

__all__ = [
    "LENGTHS",
    "CURRENCY_CODES",
    "MOMENT_TYPES",
    "NUMBER_TYPES",
    "PARTS_OF_DAY",
    "RECURRENCES",
    "TEXT_TYPES",
    "UNITS",
    "Argument",
    "Tool",
    "argument_type",
    "load_tools",
    "parse_tools",
    "split_name",
]

TEXT_TYPES = ("text", "texts", "channel")
"""Argument types whose values are words of the sentence (those of a channel joined by hyphens)."""

NUMBER_TYPES = (*LENGTHS, "delay", "number", "percent", "degrees", "amount")
"""Argument types whose values are numbers."""

MOMENT_TYPES = ("date", "end_date", "time", "end_time", "datetime", "end_datetime")
"""Argument types whose values are days, times of a day, or both in one."""

CURRENCY_CODES = ("USD", "EUR", "GBP", "JPY", "CAD", "AUD", "CHF", "INR", "CNY", "MXN")
"""Values of an argument that names a currency and no amount ("convert it to yen")."""


@dataclasses.dataclass(frozen=True, slots=True)
class Argument:
    """One argument of one tool.

    Attributes:
      name: its name in the schema.
      type: `text`, `texts` (a list of them), `channel` (a text whose words are joined by hyphens), `choice`
        (an enum or boolean, chosen by the model), or a structured type that the resolver fills from a
        mention: `date`, `end_date`, `time`, `end_time`, `datetime` and `end_datetime` (day and time in one
        value, `2026-03-06T15:00`), a length in `seconds`, `minutes`, `hours`, `days`, `weeks`, `months` or
        `years`, `delay` (minutes from now), `recurrence`, `number`, `percent`, `degrees` and their `unit`,
        `amount` and its `currency`, `email`, `phone`, `id`.
      choices: the values of a `choice`, a `recurrence` or a `unit`, and those that the members of `texts` may
        have; () otherwise.
      description: the schema's.
      required: whether the schema requires it.
      new: whether it holds the value after a change (`new_date`, as against `date`).
      whole: whether the schema asks for an integer.
      bounds: the least and the most that a number may be, None where nothing says so. Only a drafted app's
        first state heeds them, so they are no part of the `repr`, by whose digest a run knows its tools.
    """

    name: str
    type: str
    choices: tuple[Any, ...]
    description: str
    required: bool
    new: bool
    whole: bool = False
    bounds: tuple[float | None, float | None] = dataclasses.field(default=(None, None), repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Tool:
    """A tool.

    Attributes:
      name: its name.
      description: the schema's.
      arguments: in the schema's order.
      reads: whether it only reads.
      looks_back: whether its days lie behind ("spent since monday", "i ran five miles on tuesday").
    """

    name: str
    description: str
    arguments: tuple[Argument, ...]
    reads: bool
    looks_back: bool = False

    @property
    def has_moment(self) -> bool:
        """Whether it takes a day or a time of its own, beside lengths."""
        return any(a.type in ("date", "time", "datetime") for a in self.arguments)

    @property
    def rings(self) -> bool:
        """Whether a time is what it is about, at any hour ("wake me at four"): its first argument is one."""
        return bool(self.arguments) and self.arguments[0].type == "time"

    def argument(self, name: str) -> Argument | None:
        for argument in self.arguments:  # faster than a generator: asked a dozen times a sentence
            if argument.name == name:
                return argument
        return None


def parse_tools(
    document: dict[str, Any] | list[Any], reads: tuple[str, ...] = (), past: tuple[str, ...] | None = None
) -> tuple[Tool, ...]:
    """Tools from an OpenAI tools list, or from a document that holds one under `tools`.

    Args:
      document: the parsed JSON.
      reads: names of the tools that only read.
      past: names of the tools whose days lie behind; None: those that read and take a `start_date`.

    Raises:
      UserError: where it is not in that form, or an argument is nothing that one sentence says.
    """
    entries = document["tools"] if isinstance(document, dict) else document
    tools = []
    for entry in entries:
        try:
            function = entry["function"]
            name = function["name"]
            arguments = _parse_arguments(name, function.get("parameters") or {})
            back = past is None and name in reads and any(a.name == "start_date" for a in arguments)
            tools.append(
                Tool(
                    name=name,
                    description=function.get("description", ""),
                    arguments=arguments,
                    reads=name in reads,
                    looks_back=back or (past is not None and name in past),
                )
            )
        except (KeyError, TypeError, AttributeError) as e:
            raise UserError(f"a tool is not in the OpenAI tools form ({e!r}): {str(entry)[:120]}") from e
    return tuple(tools)


def _parse_arguments(tool: str, parameters: Mapping[str, Any]) -> tuple[Argument, ...]:
    required = set(parameters.get("required", ()))
    schemas = {n: plain_schema(s, parameters) for n, s in parameters.get("properties", {}).items()}
    types = {n: argument_type(n, s) for n, s in schemas.items()}
    arguments = []
    for name, schema in schemas.items():
        if why := why_unsayable(schema):
            raise UserError(f"{tool}.{name} {why}, which no one sentence says; take it out of the tools")
        type_ = _alone(name, types)
        choices = tuple(schema.get("enum", ()))
        if schema.get("type") == "boolean":
            choices = (True, False)
        elif schema.get("type") == "array":
            choices = tuple(schema.get("items", {}).get("enum", ()))
        elif type_ != types[name] and not choices:
            choices = CURRENCY_CODES
        arguments.append(
            Argument(
                name=name,
                type=type_,
                choices=choices,
                description=schema.get("description", ""),
                required=name in required and "default" not in schema,
                new=split_name(name)[:1] == ["new"],
                whole=schema.get("type") == "integer",
                bounds=bounds(schema),
            )
        )
    return tuple(arguments)


def _alone(name: str, types: Mapping[str, str]) -> str:
    """An argument's type beside the others of its tool.

    A unit or a currency comes with its number; where the tool has none for it, it is a choice of its own ("in
    celsius", "to yen").
    """
    of = {"unit": "degrees", "currency": "amount"}.get(types[name])
    if of is None:
        return types[name]
    first = next(n for n, t in types.items() if t == types[name])
    return types[name] if of in types.values() and name == first else "choice"


def load_tools(path: str | pathlib.Path, reads: tuple[str, ...] = ()) -> tuple[Tool, ...]:
    """`parse_tools` of a JSON file."""
    return parse_tools(json.loads(pathlib.Path(path).read_text(encoding="utf-8")), reads)
