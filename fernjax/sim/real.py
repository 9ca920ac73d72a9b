"""Sentences that people wrote, labelled with the right call: the sets shipped with an app and a user's own.

They judge and never teach. The `final` half is loaded by programs that give back counts and by nobody else.
"""

from __future__ import annotations

import codecs
import datetime
import importlib.resources
import json
import pathlib
from collections.abc import Iterable, Sequence
from typing import Any

from fernjax.sim.arguments import InvalidValue, check_value
from fernjax.sim.grade import agree
from fernjax.sim.mentions import FIRST_YEAR, LAST_YEAR
from fernjax.sim.strict_json import check_writable, parse
from fernjax.sim.text import half, split_form
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.types import OUT_OF_SCOPE, Label, Query, Row, UserError

HALVES = ("gate", "final")
KINDS = ("public", "authored")
"""`public`: what people said or wrote to assistants. `authored`: written for this project, reported apart."""

MOST_CALLS = 6
"""Calls that a label may hold: the scorer tries every order of them."""


def load_real(domain: str, half: str, kind: str) -> list[Row]:
    """The shipped sentences of an app: `half` is `gate` or `final`, `kind` `public` or `authored`.

    [] where the app has no such set.
    """
    if half not in HALVES or kind not in KINDS:
        raise ValueError(f"no real set {half}/{kind}")
    file = importlib.resources.files("fernjax.sim.domains").joinpath("real", half, kind, f"{domain}.jsonl")
    if not file.is_file():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return [_row(json.loads(line), number, "") for number, line in enumerate(lines, 1)]


def real_texts(domains: Iterable[str]) -> list[str]:
    """Every shipped sentence of some apps, both halves: for the filter of near-copies, for nothing else."""
    rows = (row for d in domains for h in HALVES for k in KINDS for row in load_real(d, h, k))
    return [row.query.text for row in rows]


def read_queries(path: str | pathlib.Path) -> list[str]:
    """The sentences of a file that `load_rows` accepts, without a look at their labels."""
    lines = pathlib.Path(path).read_bytes().removeprefix(codecs.BOM_UTF8).splitlines()
    return [json.loads(line)["query"] for line in lines if line.strip()]


def load_rows(path: str | pathlib.Path, tools: Sequence[Tool], now: str = "") -> list[Row]:
    """A user's own labelled sentences, one JSON object a line.

    `{"id"?, "query", "now"?, "calls", "calls_alt"?, "tags"?, "source"?}`; the labels are in the form of
    `fernjax.sim.types.Label`. Blank lines are passed over.

    Args:
      path: the file.
      tools: the app's, against which every label is checked.
      now: when a sentence without a `now` of its own was said, ISO 8601; "" demands one in each line.

    Raises:
      UserError: where the file or a line of it cannot be used, or two lines label one sentence so that no
        answer is right by both; it names the line.
    """
    path = pathlib.Path(path)
    try:
        lines = path.read_bytes().removeprefix(codecs.BOM_UTF8).splitlines()
    except OSError as e:
        raise UserError(f"cannot read the real sentences in {path}: {e.strerror}; check real_path") from e
    rows: list[Row] = []
    first_line: dict[str, int] = {}
    said: dict[str, list[tuple[int, Row]]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = parse(line)
            check_writable(value)
            row = _row(value, number, now)
            for label in row.labels:
                check_label(label, tools)
        except ValueError as e:
            raise UserError(f"{path}, line {number}: {e}") from e
        if row.query.id in first_line:
            raise UserError(
                f"{path}, line {number}: id {row.query.id!r} is that of line {first_line[row.query.id]} too; "
                "make each id its own"
            )
        first_line[row.query.id] = number
        same = said.setdefault(split_form(row.query.text), [])
        for other_number, other in same:
            if not agree(row, other):
                raise UserError(
                    f"{path}, line {number}: the sentence of line {other_number} again, labelled so that no "
                    "answer is right by both; correct one of them"
                )
        same.append((number, row))
        rows.append(row)
    if not rows:
        raise UserError(f"{path} holds no sentence; give one JSON object a line, with query and calls")
    return rows


def split_rows(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Rows by the half that each sentence's digest puts it in: `{"gate": [...], "final": [...]}`."""
    out: dict[str, list[Row]] = {h: [] for h in HALVES}
    for row in rows:
        out[half(row.query.text)].append(row)
    return out


def check_label(label: Label, tools: Sequence[Tool]) -> None:
    """Holds a label against an app's tools.

    Raises:
      ValueError: where it names a tool or an argument that is not there, or a value that the argument's
        type cannot have; the message says which.
    """
    by_name = {tool.name: tool for tool in tools}
    if not isinstance(label, list) or not label:
        raise ValueError('calls must be a list of at least one {"tool": {"argument": [values]}}')
    if len(label) > MOST_CALLS:
        raise ValueError(f"{len(label)} calls in one label; at most {MOST_CALLS} are judged")
    for call in label:
        if not isinstance(call, dict) or len(call) != 1:
            raise ValueError(f'a call must be one {{"tool": {{"argument": [values]}}}}, not {_short(call)}')
        ((name, arguments),) = call.items()
        if name not in by_name and name != OUT_OF_SCOPE:
            raise ValueError(f"no tool {name!r}; there are: {', '.join(by_name)}")
        if not isinstance(arguments, dict):
            raise ValueError(f'{name} must map to {{"argument": [values]}}, not {_short(arguments)}')
        if name == OUT_OF_SCOPE and len(label) > 1:
            raise ValueError("out_of_scope stands alone in a label")
        for argument_name, values in arguments.items():
            argument = by_name[name].argument(argument_name) if name in by_name else None
            if argument is None:
                known = ", ".join(a.name for a in by_name[name].arguments) if name in by_name else ""
                raise ValueError(f"{name} has no argument {argument_name!r}; it has: {known or 'none'}")
            if not isinstance(values, list) or not values:
                raise ValueError(f"{name}.{argument_name} must be a list of values, not {_short(values)}")
            for value in values:
                if value != "":
                    _check_value(f"{name}.{argument_name}", value, argument)
            if all(value == "" for value in values):
                raise ValueError(f'{name}.{argument_name} holds "" alone; leave the argument out')


def _check_value(name: str, value: Any, argument: Argument) -> None:
    """Refuses what the tool cannot take."""
    try:
        check_value(value, argument)
    except InvalidValue as e:
        hint = " (each value of a list argument is a list)" if argument.type == "texts" else ""
        raise ValueError(f"{name} {e}{hint}") from e
    if argument.whole and isinstance(value, float) and not value.is_integer():
        raise ValueError(f"{name} must be a whole number, not {value}")


def _row(line: Any, number: int, now: str) -> Row:
    """A row from a parsed line; ValueError where a part of it is missing or of a wrong type."""
    if not isinstance(line, dict):
        raise ValueError(f'give {{"query": ..., "calls": [...]}}, not {_short(line)}')
    for key in ("query", "calls"):
        if key not in line:
            raise ValueError(f'no {key}; give {{"query": ..., "calls": [...]}}')
    text, said = line["query"], line.get("now", now)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"query must be a sentence, not {_short(text)}")
    if not isinstance(said, str) or not _is_instant(said):
        what = _short(said) if said else "nothing"
        raise ValueError(
            "now must say when the sentence was said, as 2026-03-04T09:30:00, local time in the years "
            f"{FIRST_YEAR} to {LAST_YEAR}, not {what}"
        )
    tags = line.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(t, str) for t in tags):
        raise ValueError(f"tags must be a list of words, not {_short(tags)}")
    identifier = line.get("id", f"line-{number}")
    if isinstance(identifier, bool) or not isinstance(identifier, str | int):
        raise ValueError(f"id must be a text, not {_short(identifier)}")
    return Row(
        query=Query(str(identifier), text, said),
        calls=line["calls"],
        calls_alt=line.get("calls_alt"),
        tags=tuple(tags),
        source=str(line.get("source", "")),
    )


def _is_instant(value: str) -> bool:
    try:
        moment = datetime.datetime.fromisoformat(value)
    except ValueError:
        return False
    return moment.tzinfo is None and FIRST_YEAR <= moment.year <= LAST_YEAR


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
