"""The document that an app is drafted from: whether its tools can be said in the language of a grammar."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from typing import Any

from fernjax.sim.argument_types import plain_schema, why_unsayable
from fernjax.sim.drafting.verbs import lies_behind, read_verb
from fernjax.sim.tools import Tool, parse_tools
from fernjax.sim.types import OUT_OF_SCOPE, UserError

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
"""What names a tool or an argument: what the language of a grammar can write."""

NAMES = "give 1 to 64 letters A-Z, digits, _, - and ., the first no mark"

_FORM = "the OpenAI tools form: {'type': 'function', 'function': {'name', 'description', 'parameters'}}"


@dataclasses.dataclass(frozen=True)
class Document:
    """The tools of an app, as a document gives them.

    Attributes:
      entries: in the OpenAI form, their schemas plain, abstaining among them.
      tools: the same, parsed.
      roles: what each but abstaining does, of `records.ROLES`, as its name says it.
      past: names of the tools whose days lie behind.
      about: what the document says of the app, or "".
      left_out: a note for each argument that one sentence cannot say.
    """

    entries: list[dict[str, Any]]
    tools: tuple[Tool, ...]
    roles: Mapping[str, str]
    past: tuple[str, ...]
    about: str
    left_out: list[str]


def read_tools(document: Any) -> Document:
    """The tools of a document, see `read_document`, with abstaining, and what their names say of them.

    Raises:
      UserError: names the tool that is not in form, and the remedy.
    """
    entries, about, notes = read_document(document)
    first = parse_tools(entries, past=())
    if len({t.name for t in first}) < len(first):
        raise UserError("two tools have one name; each needs its own")
    if all(t.name != OUT_OF_SCOPE for t in first):
        entries.append(ABSTAIN)
    roles = {t.name: read_verb(t.name)[0].role for t in first if t.name != OUT_OF_SCOPE}
    if not roles:
        raise UserError("there is no tool to call besides out_of_scope; add one")
    past = tuple(t.name for t in first if t.name in roles and lies_behind(t, roles[t.name]))
    tools = parse_tools(entries, tuple(n for n, role in roles.items() if role == "reads"), past)
    return Document(entries, tools, roles, past, about, notes)


ABSTAIN = {
    "type": "function",
    "function": {
        "name": OUT_OF_SCOPE,
        "description": "The request is nothing that this app's other tools can do; abstain.",
        "parameters": {"type": "object", "properties": {}, "required": []},
    },
}


def read_document(document: Any) -> tuple[list[dict[str, Any]], str, list[str]]:
    """The entries of a tools document in the OpenAI form, what it says of the app, and what is left out.

    A description that is null becomes an empty one, and a schema a plain one (`plain_schema`). Optional
    arguments that one sentence cannot say are left out, a note for each.

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
    notes: list[str] = []
    entries = [_check_entry(entry, notes) for entry in entries]
    return entries, about if isinstance(about, str) else "", notes


def _check_entry(entry: Any, notes: list[str]) -> dict[str, Any]:
    """A tool in the OpenAI form, its schemas plain; refuses what is none.

    Bare functions, MCP's `inputSchema` and Anthropic's `input_schema` are such tools as well.
    """
    function = entry.get("function") if isinstance(entry, dict) else None
    if function is None and isinstance(entry, dict) and set(_SCHEMAS) & set(entry):
        function = entry
    if not isinstance(function, dict):
        raise UserError(f"a tool is not in {_FORM}: {_shown(entry)}")
    name = function.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise UserError(f"the tool name {_shown(name)} cannot be used: {NAMES}")
    told = _described(function, name)
    parameters: Any = next((function[k] for k in _SCHEMAS if function.get(k) is not None), {})
    properties = parameters.get("properties") or {} if isinstance(parameters, dict) else None
    if not isinstance(properties, dict):
        raise UserError(f"the parameters of {name} are not in {_FORM}")
    required = parameters.get("required") or []
    if not isinstance(required, list) or not all(isinstance(r, str) for r in required):
        raise UserError(f"'required' of {name} must be a list of names of its arguments")
    plain = {}
    for argument, schema in properties.items():
        checked = _check_argument(name, argument, schema, parameters)
        why = why_unsayable(checked)
        if why and argument in required and "const" not in checked and "default" not in checked:
            raise UserError(
                f"{name}.{argument} {why}, which no one sentence says, and it is required; "
                "make it optional, or flatten it into arguments of its own"
            )
        if why:
            notes.append(f"{name}.{argument} is left out: it {why}")
        else:
            plain[argument] = checked
    schema = {"type": "object", "properties": plain, "required": [r for r in required if r in plain]}
    return {"type": "function", "function": {"name": name, "description": told, "parameters": schema}}


_SCHEMAS = ("parameters", "inputSchema", "input_schema")
"""Where the schema of a tool's arguments stands: OpenAI and BFCL, MCP, Anthropic."""


def _check_argument(tool: str, name: str, schema: Any, root: dict[str, Any]) -> dict[str, Any]:
    where = f"{tool}.{_shown(name)[1:-1]}"
    if not NAME.fullmatch(name):
        raise UserError(f"the argument name {where} cannot be used: {NAMES}")
    if not isinstance(schema, dict):
        raise UserError(f"{where} must be a JSON schema, not {_shown(schema)}")
    schema = plain_schema(schema, root)
    schema["description"] = _described(schema, where)
    if "pattern" in schema and not isinstance(schema["pattern"], str):
        raise UserError(f"'pattern' of {where} must be a text")
    items = schema.get("items")
    if items is not None and not isinstance(items, dict | list):
        raise UserError(f"'items' of {where} must be a JSON schema, not {_shown(items)}")
    for holder in (schema, items if isinstance(items, dict) else {}):
        if "enum" in holder:
            values = holder["enum"]
            plain = isinstance(values, list) and all(isinstance(v, str | int | float) for v in values)
            if not plain or not values:
                raise UserError(f"'enum' of {where} must be a list of at least one text or number")
    return schema


def _described(holder: dict[str, Any], where: str) -> str:
    """The description of a tool or an argument; one that is null is empty."""
    told = holder.get("description")
    if told is not None and not isinstance(told, str):
        raise UserError(f"the description of {where} must be a text, not {_shown(told)}")
    return told or ""


def _shown(value: Any) -> str:
    """A value in one short line."""
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
