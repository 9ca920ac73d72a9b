"""The document that an app is drafted from: whether its tools can be said in the language of a grammar."""

from __future__ import annotations

import json
import re
from typing import Any

from fernjax.sim.types import UserError

NAME = re.compile(r"[A-Za-z0-9_]{1,64}")
"""What names a tool or an argument: what the language of a grammar can write."""

_FORM = "the OpenAI tools form: {'type': 'function', 'function': {'name', 'description', 'parameters'}}"


def read_document(document: Any) -> tuple[list[dict[str, Any]], str]:
    """The entries of a tools document, each checked, and what it says of the app.

    A description that is null becomes an empty one.

    Args:
      document: parsed JSON: a list of tools, or an object with such a list under `tools`.

    Raises:
      UserError: names the tool that is not in form, and the remedy.
    """
    try:
        copy = json.loads(json.dumps(document))
        json.dumps(copy, ensure_ascii=False).encode("utf-8")
    except RecursionError as e:
        raise UserError("the tools are nested too deeply; give a plain list in the OpenAI form") from e
    except UnicodeEncodeError as e:
        raise UserError("the tools hold half of a surrogate pair; save the file as plain UTF-8") from e
    except (TypeError, ValueError) as e:
        raise UserError(f"the tools are no JSON value: {e}") from e
    about = copy.get("description") if isinstance(copy, dict) else ""
    entries = copy.get("tools") if isinstance(copy, dict) else copy
    if not isinstance(entries, list) or not entries:
        raise UserError(
            "the tools must be a list in the OpenAI form, or an object with such a list under tools"
        )
    for entry in entries:
        _check_entry(entry)
    return entries, about if isinstance(about, str) else ""


def _check_entry(entry: Any) -> None:
    """Refuses what is no tool, and fills in the descriptions that are null."""
    function = entry.get("function") if isinstance(entry, dict) else None
    if not isinstance(function, dict):
        raise UserError(f"a tool is not in {_FORM}: {_shown(entry)}")
    name = function.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise UserError(
            f"the tool name {_shown(name)} cannot be used: give 1 to 64 letters A-Z, digits and _"
        )
    _fill_description(function, name)
    parameters = function.get("parameters")
    if parameters is None:
        function["parameters"] = parameters = {}
    properties = parameters.setdefault("properties", {}) if isinstance(parameters, dict) else None
    if not isinstance(properties, dict):
        raise UserError(f"the parameters of {name} are not in {_FORM}")
    required = parameters.setdefault("required", [])
    if not isinstance(required, list) or not all(isinstance(r, str) for r in required):
        raise UserError(f"'required' of {name} must be a list of names of its arguments")
    for argument, schema in properties.items():
        _check_argument(name, argument, schema)


def _check_argument(tool: str, name: str, schema: Any) -> None:
    where = f"{tool}.{_shown(name)[1:-1]}"
    if not NAME.fullmatch(name):
        raise UserError(f"the argument name {where} cannot be used: give 1 to 64 letters A-Z, digits and _")
    if not isinstance(schema, dict):
        raise UserError(f"{where} must be a JSON schema, not {_shown(schema)}")
    _fill_description(schema, where)
    if "pattern" in schema and not isinstance(schema["pattern"], str):
        raise UserError(f"'pattern' of {where} must be a text")
    if "enum" in schema:
        values = schema["enum"]
        plain = isinstance(values, list) and all(isinstance(v, str | int | float) for v in values)
        if not plain or not values:
            raise UserError(f"'enum' of {where} must be a list of at least one text or number")


def _fill_description(holder: dict[str, Any], where: str) -> None:
    if holder.get("description") is None:
        holder["description"] = ""
    if not isinstance(holder["description"], str):
        raise UserError(f"the description of {where} must be a text, not {_shown(holder['description'])}")


def _shown(value: Any) -> str:
    """A value in one short line."""
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
