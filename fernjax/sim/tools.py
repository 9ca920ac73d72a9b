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

TEXT_TYPES = ("text", "texts")
"""Argument types whose values are words of the sentence."""


@dataclasses.dataclass(frozen=True, slots=True)
class Argument:
    """One argument of one tool.

    Attributes:
      name: its name in the schema.
      type: `text`, `texts` (a list of them), `choice` (an enum or boolean, chosen by the model), or a
        structured type that the resolver fills from a mention: `date`, `end_date`, `time`, `end_time`,
        `minutes`, `recurrence`, `number`.
      choices: the values of a `choice`, () otherwise.
      description: the schema's.
      required: whether the schema requires it.
      new: whether it holds the value after a change (`new_date`, as against `date`).
    """

    name: str
    type: str
    choices: tuple[Any, ...]
    description: str
    required: bool
    new: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Tool:
    """A tool: name, description, arguments in the schema's order, and whether it only reads."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    reads: bool

    def argument(self, name: str) -> Argument | None:
        return next((a for a in self.arguments if a.name == name), None)


def argument_type(name: str, schema: dict[str, Any]) -> str:
    """Type of an argument, from its JSON schema and its name."""
    if schema.get("type") == "array":
        return "texts"
    if "enum" in schema:
        return "recurrence" if set(schema["enum"]) <= set(RECURRENCES) else "choice"
    if schema.get("type") == "boolean":
        return "choice"
    last = name.startswith(("end_", "until", "to_")) or name.endswith("_end")
    if schema.get("format") == "date":
        return "end_date" if last else "date"
    if "[0-5][0-9]" in schema.get("pattern", "") or schema.get("format") == "time":
        return "end_time" if last else "time"
    if schema.get("type") in ("integer", "number"):
        return "minutes" if "minute" in name else "number"
    return "text"


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
