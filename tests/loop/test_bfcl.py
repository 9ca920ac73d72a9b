import json
import pathlib

import pytest

from fernjax.loop import bfcl
from fernjax.sim import domains, grade, real
from fernjax.sim.tools import NUMBER_TYPES, load_tools, parse_tools
from fernjax.sim.types import Call, Prediction, Query, Row, UserError
from fernjax.sim.world import domain_names, load_domain

TOOLS = load_tools(pathlib.Path(domains.__file__).parent / "calendar" / "tools.json")
NOW = "2026-03-04T09:30:00"
WRONG = {"texts": ["no such member"]} | dict.fromkeys(NUMBER_TYPES, 1717)


def row(calls, alternative=None):
    return Row(Query("r", "a sentence", NOW), calls, alternative)


def test_every_alternative_and_every_order_is_a_row():
    two = [{"create_event": {"title": ["The Gym!", ""]}}, {"delete_event": {"event": ["run"]}}]
    out = bfcl.to_bfcl([row(two, [{"clear_events": {}}])])
    assert [(r.id, r.category) for r in out] == [
        ("r.0.0", "parallel_multiple"),
        ("r.0.1", "parallel_multiple"),
        ("r.1.0", "multiple"),
    ]
    assert out[0].ground_truth == [
        {"create_event": {"title": ["gym", ""]}},
        {"delete_event": {"event": ["run"]}},
    ]
    assert out[1].ground_truth == out[0].ground_truth[::-1]
    assert out[2].ground_truth == [{"clear_events": {}}]


def test_function_docs_require_nothing():
    docs = {d["name"]: d["parameters"] for d in bfcl.function_docs(TOOLS)}
    assert all(p["type"] == "dict" and p["required"] == [] for p in docs.values())
    properties = docs["create_event"]["properties"]
    assert properties["duration_minutes"]["type"] == "integer"
    assert properties["attendees"]["type"] == "array" and properties["attendees"]["items"] == {
        "type": "string"
    }
    assert "weekly" in properties["recurrence"]["enum"]
    assert docs["out_of_scope"]["properties"] == {}


NUMBERS = parse_tools(
    [
        {
            "function": {
                "name": "set",
                "parameters": {
                    "properties": {
                        "percent": {"type": "integer"},
                        "amount": {"type": "number"},
                        "degrees": {"type": "number"},
                        "limit": {"type": "integer"},
                        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                        "currency": {"type": "string"},
                        "email": {"type": "string"},
                        "id": {"type": "string"},
                        "loud": {"type": "boolean"},
                    }
                },
            }
        }
    ]
)


def test_function_docs_have_the_types_of_the_schema():
    properties = bfcl.function_docs(NUMBERS)[0]["parameters"]["properties"]
    assert {n: p["type"] for n, p in properties.items()} == {
        "percent": "integer", "amount": "float", "degrees": "float", "limit": "integer", "unit": "string",
        "currency": "string", "email": "string", "id": "string", "loud": "boolean",
    }  # fmt: skip
    assert properties["unit"]["enum"] == ["celsius", "fahrenheit"] and "enum" not in properties["loud"]


def test_export_writes_questions_and_answers(tmp_path):
    rows = [row([{"create_event": {"attendees": [["Bob", "the Ana"]], "duration_minutes": [30.0]}}])]
    rows.append(Row(Query("s", "Zwei Termine löschen", NOW), [{"delete_event": {}}, {"delete_event": {}}]))
    paths = bfcl.export(rows, TOOLS, tmp_path / "out")
    assert sorted(paths) == ["multiple", "parallel_multiple"]
    questions = [json.loads(line) for line in paths["parallel_multiple"].read_text("utf-8").splitlines()]
    assert [q["id"] for q in questions] == ["s.0.0", "s.0.1"]
    assert questions[0]["question"] == [[{"role": "user", "content": "Zwei Termine löschen"}]]
    assert len(questions[0]["function"]) == len(TOOLS)
    answer = tmp_path / "out" / "possible_answer" / "BFCL_v4_multiple.json"
    assert json.loads(answer.read_text("utf-8")) == {
        "id": "r.0.0",
        "ground_truth": [{"create_event": {"attendees": [["ana", "bob"]], "duration_minutes": [30]}}],
    }


def test_errors_have_no_output():
    assert bfcl.output_calls(Prediction((Call("clear_events"),), outcome="error"), TOOLS) == []
    calls = Prediction((Call("create_event", {"title": "The Gym", "location": "", "duration_minutes": 5.0}),))
    assert bfcl.output_calls(calls, TOOLS) == [{"create_event": {"title": "gym", "duration_minutes": 5}}]


def test_a_missing_checker_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "bfcl_eval", None)
    with pytest.raises(UserError, match="pip install --no-deps bfcl-eval"):
        bfcl.load_checker()


SETS = [(a, k) for a in domain_names() for k in real.KINDS if real.load_real(a, "gate", k)]


@pytest.mark.bfcl
@pytest.mark.parametrize(("app", "kind"), SETS)
def test_both_checkers_agree_on_gold_and_on_each_corruption(app, kind):
    """Fails, with the command to run, where bfcl-eval is missing: an unchecked agreement is none."""
    checker = bfcl.load_checker()
    tools = load_domain(app).tools
    rows, predictions, right = [], [], []
    for r in real.load_real(app, "gate", kind):
        for label in r.labels:
            gold = gold_calls(label)
            rows.append(r)
            predictions.append(Prediction(tuple(gold)))
            right.append(True)
            only = Row(r.query, label)
            for wrong in corrupt(gold, tools):
                rows.append(only)
                predictions.append(Prediction(tuple(wrong)))
                right.append(False)
    assert right.count(False) > 4 * right.count(True) > 0
    assert grade.per_row(predictions, rows) == right
    assert bfcl.check_with_bfcl(predictions, rows, tools, checker) == right


@pytest.mark.bfcl
@pytest.mark.parametrize(
    "arguments",
    [
        {"title": "workout"},  # "work out" without the shield
        {"title": "Work out!"},
        {"title": "work_out"},
        {"title": "ops142"},
        {"title": "ops-142"},
        {"title": "!!"},
        {"title": ""},
        {"title": None},
        {"title": ["work out"]},
        {"title": 3},
        {},
        {"duration_minutes": 30.0},
        {"duration_minutes": 30.5},
        {"duration_minutes": "30"},
        {"duration_minutes": True},
        {"attendees": ["my Bob", "ANA", "ana"]},
        {"attendees": ["anabob"]},
        {"attendees": "ana"},
        {"attendees": []},
        {"attendees": ["ana", 3]},
        {"date": "2026-03-06"},
        {"date": "20260306"},
        {"start_time": "0900"},
        {"start_time": "09:00"},
        {"recurrence": "weekly"},
        {"recurrence": "Weekly"},
    ],
)
def test_both_checkers_agree_on_odd_values(arguments):
    label = {
        "title": ["work out", "OPS-142", ""],
        "duration_minutes": [30, ""],
        "attendees": ["", ["ana", "bob"]],
        "date": ["2026-03-06", ""],
        "start_time": ["09:00", ""],
        "recurrence": ["weekly", ""],
    }
    for options in (label, {k: [v for v in label[k] if v != ""] for k in arguments}):
        rows = [row([{"create_event": options}])]
        predictions = [Prediction((Call("create_event", arguments),))]
        assert bfcl.check_with_bfcl(predictions, rows, TOOLS) == grade.per_row(predictions, rows)


@pytest.mark.bfcl
@pytest.mark.parametrize(
    "arguments",
    [
        {"percent": 40},
        {"percent": 40.0},
        {"percent": 41},
        {"percent": "40"},
        {"amount": 50},
        {"amount": 50.0},
        {"amount": 2.5},
        {"amount": 2},
        {"degrees": 21.5},
        {"degrees": 21},
        {"unit": "celsius"},
        {"unit": "Celsius"},
        {"unit": "kelvin"},
        {"currency": "USD"},
        {"currency": "usd"},
        {"email": "ana.ruiz@example.org"},
        {"email": "anaruiz@example.org"},
        {"id": "OPS-142"},
        {"id": "ops-142"},
        {"id": "OPS 142"},
        {"loud": True},
        {"loud": 1},
    ],
)
def test_both_checkers_agree_on_values_of_every_type(arguments):
    label = {
        "percent": [40, ""],
        "amount": [50, 2.5, ""],
        "degrees": [21.5, ""],
        "unit": ["celsius", ""],
        "currency": ["USD", ""],
        "email": ["ana.ruiz@example.org", ""],
        "id": ["OPS-142", ""],
        "loud": [True, ""],
    }
    rows = [row([{"set": label}])]
    predictions = [Prediction((Call("set", arguments),))]
    assert bfcl.check_with_bfcl(predictions, rows, NUMBERS) == grade.per_row(predictions, rows)


@pytest.mark.bfcl
def test_greedy_matching_needs_every_order():
    label = [{"delete_event": {"event": ["gym", "run"]}}, {"delete_event": {"event": ["gym"]}}]
    gym, run = Call("delete_event", {"event": "gym"}), Call("delete_event", {"event": "run"})
    predictions = [
        Prediction(calls) for calls in ((gym, run), (run, gym), (gym, gym), (run, run), (gym,), ())
    ]
    expected = [True, True, True, False, False, False]
    assert grade.per_row(predictions, [row(label)] * 6) == expected
    assert bfcl.check_with_bfcl(predictions, [row(label)] * 6, TOOLS) == expected


def gold_calls(label):
    """A label's first values that are not ""; an argument that may be left out is given too."""
    return [
        Call(tool, {k: next(v for v in values if v != "") for k, values in arguments.items()})
        for call in label
        for tool, arguments in call.items()
    ]


def corrupt(calls, tools):
    """Call lists with one argument wrong, invented or, where the label allows no gap, dropped."""
    types = {(t.name, a.name): a.type for t in tools for a in t.arguments}
    for i, call in enumerate(calls):
        for name in call.arguments:
            wrong = WRONG.get(types[call.name, name], "no such value")
            yield [*calls[:i], Call(call.name, call.arguments | {name: wrong}), *calls[i + 1 :]]
        for other in (
            "no_such_argument",
            *(a for t, a in types if t == call.name and a not in call.arguments),
        ):
            yield [*calls[:i], Call(call.name, call.arguments | {other: "x"}), *calls[i + 1 :]]
        yield [*calls[:i], Call("no_such_tool", call.arguments), *calls[i + 1 :]]
        yield [*calls[:i], *calls[i + 1 :]]
