import json
import pathlib
import random
import types

import pytest

from fernjax.loop.draft import write_domain
from fernjax.sim import domains
from fernjax.sim.drafting import draft_module
from fernjax.sim.drafting.arguments import find_examples
from fernjax.sim.drafting.verbs import read_verb, split_name
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, Call, UserError
from fernjax.sim.world import State

OWN_APPS = pathlib.Path(__file__).parents[2] / "benchmarks" / "own_apps"
NOW = "2026-03-04T09:30:00"


def load(source):
    module = types.ModuleType("drafted")
    exec(compile(source, "drafted", "exec"), module.__dict__)
    return module.DOMAIN


def tool(name, description="", required=(), **properties):
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


def drafted(name):
    return load(draft_module(name, json.loads((OWN_APPS / f"{name}.json").read_text())))


@pytest.fixture(scope="module", params=["fitness", "deliveries"])
def domain(request):
    return drafted(request.param)


def test_a_draft_speaks_of_every_tool_in_every_bucket(domain):
    g = Generator(domain, Recipe(buckets=dict.fromkeys(BUCKETS, 1.0)), 0)
    scenarios = [g.scenario(i) for i in range(1500)]
    assert {s.bucket for s in scenarios} == set(BUCKETS)
    said = {name for s in scenarios for call in s.row.calls for name in call}
    assert said == {t.name for t in domain.tools}
    arguments = {(n, a) for s in scenarios for c in s.row.calls for n, given in c.items() for a in given}
    assert arguments == {(t.name, a.name) for t in domain.tools for a in t.arguments}
    assert g.dropped.total() - g.dropped["happy"] < 0.15 * g.sampled, g.dropped
    assert len({s.skeleton for s in scenarios}) > 900


def test_its_app_answers_anything(domain):
    rng = random.Random(0)
    g = Generator(domain, Recipe(buckets=dict.fromkeys(BUCKETS, 1.0)), 1)
    state: State = domain.initial_state(rng, NOW)
    assert state == domain.initial_state(random.Random(0), NOW)
    seen = set()
    for i in range(600):
        for call in g.scenario(i).row.calls:
            for name, given in call.items():
                before = json.dumps(state)
                arguments = {
                    a: rng.choice((v[0], None, 7, ["x"])) if i % 3 == 0 else v[0] for a, v in given.items()
                }
                after, answer = domain.step(state, Call(name, arguments))
                assert json.dumps(state) == before, "step changed the state that it was given"
                seen.add(answer.status)
                state = after
    assert {"created", "found", "not_found", "invalid_argument", "unsupported"} <= seen


def test_what_was_added_is_found_changed_and_removed():
    domain = drafted("fitness")
    state: State = {"now": NOW, "next_id": 1, "records": []}
    state, made = domain.step(state, Call("log_workout", {"activity": "morning run", "date": "2026-03-03"}))
    assert made.status == "created"
    _, found = domain.step(state, Call("list_workouts", {"activity": "run"}))
    assert found.data["count"] == 1
    _, none = domain.step(state, Call("list_workouts", {"activity": "yoga"}))
    assert none.status == "not_found"
    state, gone = domain.step(state, Call("delete_workout", {"activity": "run"}))
    assert gone.status == "deleted" and state["records"] == []


def test_names_are_read_as_people_say_them():
    assert (
        split_name("logWorkout")
        == split_name("log_workout")
        == split_name("log-workout")
        == ["log", "workout"]
    )
    assert read_verb("delete_workout")[0].role == "removes"
    assert read_verb("listOrders")[0].role == "reads"
    assert read_verb("turn_on") == (read_verb("turn_on")[0], [])
    assert read_verb("workout_log")[1] == ["workout"]
    assert find_examples("Kind of exercise, such as running or yoga.") == ["running", "yoga"]


ODD = {
    "no arguments": [tool("ping")],
    "one word twice": [tool("log_log", "Log.")],
    "braces": [
        tool(
            "do_it",
            "Does {x} | [y] *3 <z> %w; (all) ~ of & it.",
            ["x"],
            x={"type": "string", "description": "{|}"},
        )
    ],
    "odd enum": [tool("pick", "Pick.", ["k"], k={"type": "string", "enum": ["a b", "c_d", "e-f", "9", "ü"]})],
    "flag": [tool("mute", "Mute.", [], loud={"type": "boolean"})],
    "quotes": [tool("say", 'Says """ and \\ and \'.', ["t"], t={"type": "string", "description": '"""\\'})],
    "every type": [
        tool(
            "all_of",
            "Everything.",
            [],
            a={"type": "array", "items": {"type": "string"}},
            b={"type": "number"},
            d={"type": "string", "format": "date"},
            e={"type": "string", "enum": ["daily", "weekly"]},
            email={"type": "string"},
            price_amount={"type": "number"},
            percent={"type": "integer"},
        )
    ],
}


@pytest.mark.parametrize("what", ODD)
def test_odd_tools_make_an_app_that_runs(what):
    domain = load(draft_module("odd", ODD[what]))
    g = Generator(domain, Recipe(buckets={"in_distribution": 1.0, "messy": 1.0, OUT_OF_SCOPE: 1.0}), 0)
    scenarios = [g.scenario(i) for i in range(60)]
    name = ODD[what][0]["function"]["name"]
    assert {n for s in scenarios for c in s.row.calls for n in c} == {name, OUT_OF_SCOPE}


@pytest.mark.parametrize(
    ("name", "document", "told"),
    [
        ("2fast", [tool("ping")], "no name for an app"),
        ("class", [tool("ping")], "no name for an app"),
        ("own", [], "must be a list"),
        ("own", {"tool": []}, "must be a list"),
        ("own", [{"name": "ping"}], "not in the OpenAI tools form"),
        ("own", [tool("ping"), tool("ping")], "two tools have one name"),
        ("own", [tool("out_of_scope")], "no tool to call"),
    ],
)
def test_what_cannot_be_drafted_is_said(name, document, told):
    with pytest.raises(UserError, match=told):
        draft_module(name, document)


def test_new_domain_writes_its_file_and_touches_no_app_that_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr(domains, "__path__", [str(tmp_path)])
    tools = OWN_APPS / "fitness.json"
    path = write_domain("fitness", str(tools))
    assert path == tmp_path / "fitness.py" and load(path.read_text()).name == "fitness"
    with pytest.raises(UserError, match="there is an app 'fitness' already"):
        write_domain("fitness", str(tools))
    assert not write_domain("fit2", str(tools), dry_run=True).exists()
    with pytest.raises(UserError, match="cannot read"):
        write_domain("other", str(tmp_path / "none.json"))
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(UserError, match="is no JSON"):
        write_domain("other", str(tmp_path / "bad.json"))
