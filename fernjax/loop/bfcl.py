"""Labelled rows in the form of the Berkeley Function Calling Leaderboard, and its own checker beside ours.

Source of the form and of the checker: bfcl-eval 2026.3.23 (`data/`, `eval_checker/ast_eval`), S. Patil
et al., github.com/ShishirPatil/gorilla. The checker matches parallel calls greedily, so every order of a
label's calls is a row; it knows one label a row, so every alternative is a row too. A prediction is right
where one of its sentence's rows says so.
"""

from __future__ import annotations

import collections
import dataclasses
import importlib
import json
import pathlib
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from fernjax.sim import grade
from fernjax.sim.text import normalize
from fernjax.sim.tools import NUMBER_TYPES, Argument, Tool
from fernjax.sim.types import Label, Prediction, Row, UserError

Checker = Callable[[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]], str], bool]
"""(function docs, predicted calls, ground truth, category) -> valid."""


@dataclasses.dataclass(frozen=True)
class BfclRow:
    """One sentence with one order of one label.

    Attributes:
      id: `ROW-ID`, then `.ALTERNATIVE.ORDER`.
      row: index of the row that it comes from.
      category: `multiple` (one call, many functions to choose from) or `parallel_multiple`.
      ground_truth: the label, its texts normalised.
    """

    id: str
    row: int
    category: str
    ground_truth: Label


def to_bfcl(rows: Sequence[Row]) -> list[BfclRow]:
    """Rows x alternatives x orders of the calls."""
    out = []
    for index, row in enumerate(rows):
        for alternative, label in enumerate(row.labels):
            for order, calls in enumerate(grade.orders(label)):
                out.append(
                    BfclRow(
                        id=f"{row.query.id}.{alternative}.{order}",
                        row=index,
                        category="multiple" if len(label) == 1 else "parallel_multiple",
                        ground_truth=[_normal_label(call) for call in calls],
                    )
                )
    return out


def function_docs(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Tools as BFCL's function docs: `dict` for object, `float` for number, nothing required."""
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": {
                "type": "dict",
                "properties": {a.name: _schema(a) for a in tool.arguments},
                "required": [],
            },
        }
        for tool in tools
    ]


def output_calls(prediction: Prediction, tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """A prediction as BFCL's decoded model output, its texts normalised; [] for an error."""
    if prediction.outcome == "error":
        return []
    types_of = {(t.name, a.name): _bfcl_type(a) for t in tools for a in t.arguments}
    return [
        {
            call.name: {
                k: _normal_value(v, types_of.get((call.name, k), "")) for k, v in grade.given(call).items()
            }
        }
        for call in prediction.calls
    ]


def export(
    rows: Sequence[Row], tools: Sequence[Tool], out_dir: str | pathlib.Path
) -> dict[str, pathlib.Path]:
    """Writes `BFCL_v4_CATEGORY.json` and `possible_answer/BFCL_v4_CATEGORY.json` (JSON lines, as BFCL's are).

    Returns the file of questions per category.
    """
    out_dir = pathlib.Path(out_dir)
    (out_dir / "possible_answer").mkdir(parents=True, exist_ok=True)
    docs = function_docs(tools)
    questions: dict[str, list[str]] = collections.defaultdict(list)
    answers: dict[str, list[str]] = collections.defaultdict(list)
    for bfcl_row in to_bfcl(rows):
        text = rows[bfcl_row.row].query.text
        question = {
            "id": bfcl_row.id,
            "question": [[{"role": "user", "content": text}]],
            "function": docs,
        }
        questions[bfcl_row.category].append(json.dumps(question, ensure_ascii=False))
        answer = {"id": bfcl_row.id, "ground_truth": bfcl_row.ground_truth}
        answers[bfcl_row.category].append(json.dumps(answer, ensure_ascii=False))
    paths = {}
    for category in questions:
        paths[category] = out_dir / f"BFCL_v4_{category}.json"
        paths[category].write_text("\n".join(questions[category]) + "\n", encoding="utf-8")
        answer_path = out_dir / "possible_answer" / f"BFCL_v4_{category}.json"
        answer_path.write_text("\n".join(answers[category]) + "\n", encoding="utf-8")
    return paths


def load_checker() -> Checker:
    """BFCL's own `ast_checker`.

    Its package pins an old numpy and its import wants a client library for every model it ever ran, so it is
    installed alone and the table of those models, of which the checker reads one flag, is stood in for.

    Raises:
      UserError: where bfcl-eval is not installed.
    """
    name = "bfcl_eval.constants.model_config"
    stand_in = types.ModuleType(name)
    model = types.SimpleNamespace(underscore_to_dot=False)
    stand_in.MODEL_CONFIG_MAPPING = collections.defaultdict(lambda: model)  # type: ignore[attr-defined]
    before = sys.modules.get(name)
    sys.modules[name] = stand_in
    try:
        python = importlib.import_module("bfcl_eval.constants.enums").Language.PYTHON
        ast_checker = importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker").ast_checker
    except ModuleNotFoundError as e:
        raise UserError(f"no {e.name}; run: pip install --no-deps bfcl-eval==2026.3.23") from e
    finally:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before

    def check(docs: list[Any], output: list[Any], truth: list[Any], category: str) -> bool:
        return bool(ast_checker(docs, output, truth, python, category, "fernjax")["valid"])

    return check


def check_with_bfcl(
    predictions: Sequence[Prediction],
    rows: Sequence[Row],
    tools: Sequence[Tool],
    checker: Checker | None = None,
) -> list[bool]:
    """Row by row, whether BFCL's checker calls the prediction right; to be held against `grade.per_row`.

    The checker drops blanks and `,./-_*^` before it compares texts ("work out" would be "workout"), so on
    both sides each of these is replaced by a character that it keeps.
    """
    checker = checker or load_checker()
    docs = function_docs(tools)
    by_row: dict[int, list[BfclRow]] = collections.defaultdict(list)
    for bfcl_row in to_bfcl(rows):
        by_row[bfcl_row.row].append(bfcl_row)
    out = []
    for index, prediction in enumerate(predictions):
        output = [_shield(call) for call in output_calls(prediction, tools)]
        out.append(
            any(
                checker(docs, output, [_shield(call) for call in bfcl_row.ground_truth], bfcl_row.category)
                for bfcl_row in by_row[index]
            )
        )
    return out


_DROPPED_BY_BFCL = {ord(c): chr(0xE000 + i) for i, c in enumerate(" ,./-_*^")}
_NO_WORDS = chr(0xE0FF)
"""Stands for a text of punctuation alone: "" is BFCL's word for an argument that may be left out."""


def _schema(argument: Argument) -> dict[str, Any]:
    out: dict[str, Any] = {"type": _bfcl_type(argument), "description": argument.description}
    if argument.type == "texts":
        out["items"] = {"type": "string"}
    elif argument.choices and out["type"] != "boolean":
        out["enum"] = list(argument.choices)
    return out


def _bfcl_type(argument: Argument) -> str:
    if argument.type == "texts":
        return "array"
    if argument.type in NUMBER_TYPES:
        return "integer" if argument.whole else "float"
    if argument.choices and all(isinstance(c, bool) for c in argument.choices):
        return "boolean"
    if argument.choices and all(isinstance(c, int) for c in argument.choices):
        return "integer"
    return "string"


def _normal_label(call: dict[str, dict[str, list[Any]]]) -> dict[str, dict[str, list[Any]]]:
    return {
        tool: {name: [_normal_value(v, "") for v in values] for name, values in arguments.items()}
        for tool, arguments in call.items()
    }


def _normal_value(value: Any, type_: str) -> Any:
    """Texts normalised, lists as sorted sets, whole numbers as integers where the type is one."""
    if isinstance(value, str):
        return normalize(value) or (_NO_WORDS if value else "")
    if isinstance(value, list | tuple):
        members = {_member(v) for v in value}
        return sorted(members, key=repr)
    if isinstance(value, float) and value.is_integer() and type_ != "float":
        return int(value)
    return value


def _member(value: Any) -> Any:
    if isinstance(value, str):
        return normalize(value)
    return repr(value) if isinstance(value, dict | list) else value


def _shield(call: dict[str, Any]) -> dict[str, Any]:
    return {tool: {k: _shield_value(v) for k, v in arguments.items()} for tool, arguments in call.items()}


def _shield_value(value: Any) -> Any:
    if isinstance(value, str):
        return value.translate(_DROPPED_BY_BFCL)
    if isinstance(value, list):
        return [_shield_value(v) for v in value]
    return value
