"""Tools in the OpenAI form, and the type of each of their arguments.

The resolver, the codec and the phrasing engine know arguments by type only, so an app brings a
schema and no code of its own.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

from fernjax.sim.types import UserError

RECURRENCES = ("daily", "weekdays", "weekends", "weekly", "biweekly", "monthly", "yearly")
PARTS_OF_DAY = ("morning", "afternoon", "evening", "night")

UNITS = ("celsius", "fahrenheit")

TEXT_TYPES = ("text", "texts", "channel")
"""Argument types whose values are words of the sentence (those of a channel joined by hyphens)."""

NUMBER_TYPES = ("minutes", "delay", "seconds", "number", "percent", "degrees", "amount")
"""Argument types whose values are numbers."""


@dataclasses.dataclass(frozen=True, slots=True)
class Argument:
    """One argument of one tool.

    Attributes:
      name: its name in the schema.
      type: `text`, `texts` (a list of them), `channel` (a text whose words are joined by hyphens), `choice`
        (an enum or boolean, chosen by the model), or a structured type that the resolver fills from a
        mention: `date`, `end_date`, `time`, `end_time`, `minutes`, `seconds`, `delay` (minutes from now),
        `recurrence`, `number`, `percent`, `degrees` and their `unit`, `amount` and its `currency`, `email`,
        `phone`, `id`.
      choices: the values of a `choice`, () otherwise.
      description: the schema's.
      required: whether the schema requires it.
      new: whether it holds the value after a change (`new_date`, as against `date`).
      whole: whether the schema asks for an integer.
    """

    name: str
    type: str
    choices: tuple[Any, ...]
    description: str
    required: bool
    new: bool
    whole: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Tool:
    """A tool: name, description, arguments in the schema's order, and whether it only reads."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    reads: bool

    @property
    def looks_back(self) -> bool:
        """Whether its days lie behind: a tool that reads and takes a `start_date` ("spent since monday")."""
        return self.reads and any(a.name == "start_date" for a in self.arguments)

    @property
    def has_moment(self) -> bool:
        """Whether it takes a day or a time of its own, beside lengths."""
        return any(a.type in ("date", "time") for a in self.arguments)

    @property
    def rings(self) -> bool:
        """Whether a time is what it is about, at any hour ("wake me at four"): its first argument is one."""
        return bool(self.arguments) and self.arguments[0].type == "time"

    def argument(self, name: str) -> Argument | None:
        return next((a for a in self.arguments if a.name == name), None)


def argument_type(name: str, schema: dict[str, Any]) -> str:
    """Type of an argument, from its JSON schema and its name."""
    if schema.get("type") == "array":
        return "texts"
    if "enum" in schema:
        for type_, values in (("recurrence", RECURRENCES), ("unit", UNITS)):
            if set(schema["enum"]) <= set(values):
                return type_
        return "choice"
    if schema.get("type") == "boolean":
        return "choice"
    last = name.startswith(("end_", "until", "to_")) or name.endswith(("_end", "_before"))
    if schema.get("format") == "date":
        return "end_date" if last else "date"
    if "[0-5][0-9]" in schema.get("pattern", "") or schema.get("format") == "time":
        return "end_time" if last else "time"
    numeric = schema.get("type") in ("integer", "number")
    parts = frozenset(name.split("_"))
    if numeric and name.startswith("in_") and not parts.isdisjoint(("minute", "minutes")):
        return "delay"
    for words, type_ in _NUMBER_NAMES if numeric else _STRING_NAMES:
        if not parts.isdisjoint(words):
            return type_
    return "number" if numeric else "text"


_NUMBER_NAMES = (
    (("minute", "minutes"), "minutes"),
    (("second", "seconds"), "seconds"),
    (("percent", "percentage"), "percent"),
    (("degrees", "temperature"), "degrees"),
    (("amount", "price", "cost"), "amount"),
)
_STRING_NAMES = (
    (("currency",), "currency"),
    (("email",), "email"),
    (("phone",), "phone"),
    (("id",), "id"),
    (("channel",), "channel"),
)
"""The type of an argument whose name has one of these words, where its schema tells no more."""


def parse_tools(document: dict[str, Any] | list[Any], reads: tuple[str, ...] = ()) -> tuple[Tool, ...]:
    """Tools from an OpenAI tools list, or from a document that holds one under `tools`.

    Args:
      document: the parsed JSON.
      reads: names of the tools that only read.

    Raises:
      UserError: where it is not in that form.
    """
    entries = document["tools"] if isinstance(document, dict) else document
    tools = []
    for entry in entries:
        try:
            function = entry["function"]
            parameters = function.get("parameters") or {}
            properties = parameters.get("properties", {})
            required = set(parameters.get("required", ()))
            arguments = []
            for name, schema in properties.items():
                choices = tuple(schema.get("enum", ()))
                if schema.get("type") == "boolean":
                    choices = (True, False)
                arguments.append(
                    Argument(
                        name=name,
                        type=argument_type(name, schema),
                        choices=choices,
                        description=schema.get("description", ""),
                        required=name in required,
                        new=name.startswith("new_"),
                        whole=schema.get("type") == "integer",
                    )
                )
            tools.append(
                Tool(
                    name=function["name"],
                    description=function.get("description", ""),
                    arguments=tuple(arguments),
                    reads=function["name"] in reads,
                )
            )
        except (KeyError, TypeError, AttributeError) as e:
            raise UserError(f"a tool is not in the OpenAI tools form ({e!r}): {str(entry)[:120]}") from e
    return tuple(tools)


def load_tools(path: str | pathlib.Path, reads: tuple[str, ...] = ()) -> tuple[Tool, ...]:
    """`parse_tools` of a JSON file."""
    return parse_tools(json.loads(pathlib.Path(path).read_text(encoding="utf-8")), reads)
