"""The issue tracker: what each tool answers, and what holds whatever is called."""

import json
import math
import os
import random

import hypothesis.strategies as st
import pytest
from any_call import ANYTHING
from hypothesis import HealthCheck, given, settings

from fernjax.sim.domains.tracker import DOMAIN
from fernjax.sim.domains.tracker.app import INVERSE, step
from fernjax.sim.domains.tracker.seed import POOLS
from fernjax.sim.recipe import Recipe
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.scenario import Generator
from fernjax.sim.types import BUCKETS, Call
from fernjax.sim.world import state_hash

NOW = "2026-03-04T09:30:00"  # a Wednesday
EMPTY = {
    "now": NOW,
    "projects": [
        {"name": "OPS", "aliases": ["operations"], "last": 0},
        {"name": "WEB", "aliases": ["company website"], "last": 6},
    ],
    "people": [
        {"name": "Ana", "aliases": ["manager"]},
        {"name": "Bo", "aliases": []},
    ],
    "issues": [],
}
STATUSES = set(
    "created updated deleted found not_found ambiguous missing_argument invalid_argument unsupported".split()
)
READS = {t.name for t in DOMAIN.tools if t.reads}


def run(state, *calls):
    """The state after the calls, and the last observation."""
    for name, arguments in calls:
        state, observation = step(state, Call(name, arguments))
    return state, observation


def create(title, project="OPS", **more):
    return "create_issue", {"title": title, "project": project, **more}


def status(state, name, **arguments):
    return step(state, Call(name, arguments))[1].status


def issue(state, name):
    return next(i for i in state["issues"] if i["id"] == name)


THREE = run(EMPTY, create("leaking pump"), create("new form", "web", kind="feature"), create("old pump"))[0]


# What each tool answers


def test_a_ticket_is_created_shown_changed_and_deleted():
    state, made = run(
        EMPTY,
        create(
            "login fails",
            "web",
            kind="bug",
            priority="high",
            assignee="my manager",
            labels=["Needs Review", "ui", "needs-review"],
            due_date="2026-03-06",
        ),
    )
    shown = made.data["issue"]
    assert made.status == "created" and shown["id"] == "WEB-7" and shown["assignee"] == "Ana"
    assert shown["labels"] == ["needs-review", "ui"] and shown["status"] == "todo"
    assert run(state, ("show_issue", {"id": "web 7"}))[1].data["issue"] == shown
    state, last = run(
        state,
        ("assign_issue", {"id": "WEB-7", "assignee": "me"}),
        ("set_status", {"id": "WEB-7", "status": "in_progress"}),
        ("set_priority", {"id": "WEB-7", "priority": "urgent"}),
        ("set_due_date", {"id": "WEB-7", "due_date": "2026-03-20"}),
        ("add_comment", {"id": "WEB-7", "text": "on it"}),
        ("add_label", {"id": "WEB-7", "label": "Hot Fix"}),
    )
    now = issue(state, "WEB-7")
    assert last.data == {"issue": now, "changed": ["labels"]}
    assert (now["assignee"], now["status"], now["priority"]) == ("me", "in_progress", "urgent")
    assert now["due_date"] == "2026-03-20" and now["labels"][-1] == "hot-fix"
    assert now["comments"] == [{"author": "me", "text": "on it", "at": "2026-03-04T09:30"}]
    again, same = run(state, ("set_status", {"id": "WEB-7", "status": "in_progress"}))
    assert again is state and same.data["changed"] == []
    state, gone = run(state, ("delete_issue", {"id": "WEB-7"}))
    assert gone.status == "deleted" and state["issues"] == []
    assert run(state, create("next", "WEB"))[1].data["issue"]["id"] == "WEB-8"  # numbers are never reused


def test_projects_number_their_own_tickets():
    assert [i["id"] for i in THREE["issues"]] == ["OPS-1", "WEB-7", "OPS-2"]
    assert run(THREE, ("create_issue", {"title": "x"}))[1].data["issue"]["id"] == "OPS-3"
    assert run(THREE, create("x", "the company website project"))[1].data["issue"]["id"] == "WEB-8"
    refused = run(THREE, create("x", "WEBB"))[1]
    assert refused.status == "not_found" and refused.data["similar"] == ["WEB"]


def test_an_id_is_read_as_people_write_it():
    for said in ("OPS-2", "ops-2", "ops 2", "#ops-2", "OPS2", "ops-002", "2"):
        assert run(THREE, ("show_issue", {"id": said}))[1].data["issue"]["id"] == "OPS-2", said
    both = run(THREE, *[create(f"w{n}", "WEB") for n in range(3)], *[create("o") for _ in range(7)])[0]
    after, refused = run(both, ("set_status", {"id": "#8", "status": "done"}))
    assert after is both and refused.status == "ambiguous" and refused.data["count"] == 2
    assert {c["id"] for c in refused.data["candidates"]} == {"WEB-8", "OPS-8"}


def test_an_id_that_does_not_exist_names_what_is_near():
    for said, similar in (
        ("OPS-9", ["OPS-2", "OPS-1"]),
        ("WEB-1", ["WEB-7"]),
        ("APP-2", ["OPS-2"]),
        ("web", ["WEB-7"]),
        ("99", []),
        ("APP-99", []),
    ):
        after, refused = run(THREE, ("delete_issue", {"id": said}))
        assert after is THREE and refused.data == {"id": said, "similar": similar}, said
        assert refused.status == "not_found"


def test_links_stand_in_both_tickets():
    for relation, inverse in INVERSE.items():
        if relation == "is_duplicated_by":
            continue
        state, linked = run(
            THREE, ("link_issues", {"id": "ops-1", "other_id": "web-7", "relation": relation})
        )
        assert linked.status == "updated" and linked.data["changed"] == ["links"]
        assert issue(state, "OPS-1")["links"] == [{"relation": relation, "id": "WEB-7"}]
        assert issue(state, "WEB-7")["links"] == [{"relation": inverse, "id": "OPS-1"}]
        if inverse != "is_duplicated_by":
            again, same = run(
                state, ("link_issues", {"id": "WEB-7", "other_id": "OPS-1", "relation": inverse})
            )
            assert again is state and same.data["changed"] == []
        gone, _ = run(state, ("delete_issue", {"id": "OPS-1"}))
        assert issue(gone, "WEB-7")["links"] == []
    plain = run(THREE, ("link_issues", {"id": "OPS-1", "other_id": "OPS-2"}))[0]
    assert issue(plain, "OPS-2")["links"] == [{"relation": "relates_to", "id": "OPS-1"}]
    other = {"id": "OPS-2", "other_id": "OPS-1", "relation": "blocks"}
    refused = run(plain, ("link_issues", other))[1]
    assert refused.status == "invalid_argument" and refused.data["argument"] == "relation"
    itself = run(plain, ("link_issues", {"id": "OPS-2", "other_id": "ops 2"}))[1]
    assert itself.status == "invalid_argument" and itself.data["argument"] == "other_id"


def test_people_are_known():
    after, refused = run(THREE, ("assign_issue", {"id": "OPS-1", "assignee": "Anna"}))
    assert after is THREE and refused.status == "not_found" and refused.data["similar"] == ["Ana"]


def test_a_due_date_lies_ahead():
    for call in (
        create("x", due_date="2026-03-03"),
        ("set_due_date", {"id": "OPS-1", "due_date": "2026-03-03"}),
    ):
        after, refused = run(THREE, call)
        assert after is THREE and refused.data == {"argument": "due_date", "why": "has passed"}
    assert status(THREE, "set_due_date", id="OPS-1", due_date="2026-03-04") == "updated"


def test_listing_filters_and_orders():
    state, _ = run(
        THREE,
        ("set_priority", {"id": "OPS-2", "priority": "urgent"}),
        ("set_due_date", {"id": "OPS-2", "due_date": "2026-03-10"}),
        ("assign_issue", {"id": "WEB-7", "assignee": "bo"}),
        ("add_label", {"id": "OPS-1", "label": "needs parts"}),
        create("done one", priority="urgent"),
        ("set_status", {"id": "OPS-3", "status": "done"}),
    )

    def ids(**filters):
        found = run(state, ("list_issues", filters))[1]
        return [i["id"] for i in found.data.get("issues", ())]

    assert ids() == ["OPS-2", "OPS-1", "WEB-7", "OPS-3"]
    assert ids(project="ops", status="todo") == ["OPS-2", "OPS-1"]
    assert ids(query="pumps") == ["OPS-2", "OPS-1"] and ids(query="pump old") == ["OPS-2"]
    assert ids(assignee="Bo") == ids(kind="feature") == ["WEB-7"]
    assert ids(label="Needs Parts") == ["OPS-1"] and ids(status="done") == ["OPS-3"]
    assert ids(due_before="2026-03-10") == ["OPS-2"] and ids(due_before="2026-03-09") == []
    assert status(state, "list_issues", assignee="me") == "not_found"
    assert status(state, "list_issues", project="nosuch") == "not_found"


def test_missing_arguments_are_named_as_the_domain_names_them():
    for name, arguments, missing in (
        ("create_issue", {}, ["title"]),
        ("create_issue", {"title": "x"}, None),
        ("set_status", {"status": "done"}, ["id"]),
        ("set_priority", {}, ["id", "priority"]),
        ("assign_issue", {"id": "OPS-1"}, ["assignee"]),
        ("set_due_date", {"due_date": "2026-03-06"}, ["id"]),
        ("link_issues", {"id": "OPS-1"}, ["other_id"]),
        ("add_comment", {"id": "OPS-1"}, ["text"]),
        ("list_issues", {}, None),
    ):
        observation = step(EMPTY, Call(name, arguments))[1]
        assert list(DOMAIN.missing(Call(name, arguments))) == (missing or [])
        assert (observation.data.get("missing") if missing else None) == missing


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("create_issue", "title", " "),
        ("create_issue", "kind", "epic"),
        ("create_issue", "labels", "ui"),
        ("create_issue", "due_date", "friday"),
        ("set_status", "status", "closed"),
        ("set_priority", "priority", True),
        ("set_due_date", "due_date", math.nan),
        ("show_issue", "id", "-"),
        ("show_issue", "id", 142),
        ("add_comment", "text", "bad \ud800"),
        ("show_issue", "titel", "x"),
    ],
)
def test_an_invalid_argument_is_named_with_why(name, argument, value):
    whole = {
        "id": "OPS-1",
        "title": "x",
        "status": "done",
        "priority": "low",
        "due_date": "2026-03-06",
        "text": "x",
    }
    tool = DOMAIN.tool(name)
    arguments = {a: v for a, v in whole.items() if tool.argument(a)} | {argument: value}
    after, observation = step(THREE, Call(name, arguments))
    assert after is THREE and observation.status == "invalid_argument"
    assert observation.data["argument"] == argument and observation.data["why"]


def test_abstaining_changes_nothing():
    state, observation = step(EMPTY, Call("out_of_scope", {}))
    assert observation.status == "unsupported" and observation.data["abstained"] and state is EMPTY


# What holds whatever is called

NAMES = st.sampled_from([t.name for t in DOMAIN.tools])
KEYS = (
    st.sampled_from(sorted({a.name for t in DOMAIN.tools for a in t.arguments}))
    | st.none()
    | st.integers()
    | st.text(max_size=5)
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NAMES | ANYTHING, ANYTHING | st.dictionaries(KEYS, ANYTHING, max_size=4))
def test_anything_gets_an_observation(name, arguments):
    state = DOMAIN.initial_state(random.Random(1), NOW)
    before = state_hash(state)
    after, observation = step(state, Call(name, arguments))
    assert observation.status in STATUSES and state_hash(state) == before
    json.dumps([observation.to_json(), after], allow_nan=False, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize("said", ["9" * 500, "a" * 500, "a-" * 249 + "1", "٣", "ops-٣", "ß-1"])
def test_a_strange_id_is_not_found(said):
    assert status(THREE, "show_issue", id=said) == "not_found"


def random_call(rng, state):
    """A call that is well-formed more often than not, with values that collide."""
    tool = rng.choice(DOMAIN.tools)
    needed = {rng.choice(g) for g in DOMAIN.needs.get(tool.name, ())}
    arguments = {}
    for a in tool.arguments:
        if not (a.name in needed and rng.random() < 0.96) and rng.random() > 0.2:
            continue
        arguments[a.name] = random_value(rng, state, a)
    return Call(tool.name if rng.random() < 0.99 else "nonsense", arguments)


def random_value(rng, state, a):
    if rng.random() < 0.02:
        return rng.choice((None, "", -1, 1.5, [], {}, "2026-13-01", "x" * 1000, math.inf, "²", "me"))
    if a.type == "date":
        return iso_date(ordinal("2026-02-26") + rng.randrange(50))
    if a.type == "choice":
        return rng.choice(a.choices)
    if a.type == "texts":
        return rng.sample(POOLS["labels"][:12], rng.randrange(1, 3))
    if a.type == "id":
        one = rng.choice(state["issues"] or [{"id": "OPS-1", "number": 1}])
        missing = f"{rng.choice(state['projects'])['name']}-{rng.randrange(500)}"
        return rng.choice((one["id"], one["id"].lower().replace("-", " "), str(one["number"]), missing))
    if a.name == "project":
        return rng.choice((rng.choice(state["projects"])["name"].lower(), "NOPE"))
    if a.name == "assignee":
        return rng.choice((rng.choice(state["people"])["name"], "me", "Zorro"))
    return rng.choice(POOLS["labels"][:12] if a.name == "label" else POOLS["task_titles"][:40])


def check_step(state, call):
    """One step with all its invariants; returns the state after it and the status."""
    frozen = state_hash(state)
    after, observation = step(state, call)
    assert state_hash(state) == frozen, "step changed its input"
    assert observation.status in STATUSES
    assert (observation.status == "missing_argument") == bool(DOMAIN.missing(call))
    if call.name in READS or observation.status not in ("created", "updated", "deleted"):
        assert after is state
    check_issues(after)
    change = {"created": 1, "deleted": -1}.get(observation.status, 0)
    assert len(after["issues"]) == len(state["issues"]) + change
    if observation.status == "created":
        assert observation.data["issue"]["id"] not in {i["id"] for i in state["issues"]}
    if observation.status == "deleted":
        gone = observation.data["issue"]["id"]
        assert gone not in json.dumps([i["links"] for i in after["issues"]]).replace('"', " ").split()
    for was, now in zip(state["projects"], after["projects"], strict=True):
        assert now["last"] - was["last"] in (0, 1) and now["name"] == was["name"]
    if observation.status == "ambiguous":
        assert observation.data["count"] >= 2
    if call.name == "list_issues" and observation.status == "found":
        for key in {"status", "priority", "kind"} & call.arguments.keys():
            assert {i[key] for i in observation.data["issues"]} == {call.arguments[key]}
    return after, observation.status


def check_issues(state):
    issues = {i["id"]: i for i in state["issues"]}
    assert len(issues) == len(state["issues"])
    last = {p["name"]: p["last"] for p in state["projects"]}
    for name, one in issues.items():
        assert name == f"{one['project']}-{one['number']}" and one["number"] <= last[one["project"]]
        assert len({link["id"] for link in one["links"]}) == len(one["links"])
        assert len(set(one["labels"])) == len(one["labels"])
        for link in one["links"]:
            assert link["id"] != name
            assert {"relation": INVERSE[link["relation"]], "id": name} in issues[link["id"]]["links"]


def walk(seed, steps):
    """Random calls, a fresh state every hundred; every status must have come up."""
    rng = random.Random(seed)
    seen = set()
    for number in range(steps):
        if number % 100 == 0:
            state = DOMAIN.initial_state(rng, NOW)
        state, answered = check_step(state, random_call(rng, state))
        seen.add(answered)
    assert seen == STATUSES


def test_ten_thousand_random_steps():
    walk(0, 10_000)


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("FERNJAX_LONG") != "1", reason="a million steps run with FERNJAX_LONG=1")
def test_a_million_random_steps():
    walk(1, 1_000_000)


@pytest.mark.parametrize("seed", range(30))
def test_a_seeded_tracker_is_believable(seed):
    state = DOMAIN.initial_state(random.Random(seed), NOW)
    assert state == DOMAIN.initial_state(random.Random(seed), NOW) == json.loads(json.dumps(state))
    check_issues(state)
    assert 30 <= len(state["issues"]) <= 39 and sum(bool(i["links"]) for i in state["issues"]) == 12
    people = {"", "me", *(p["name"] for p in state["people"])}
    assert {i["assignee"] for i in state["issues"]} <= people


def test_pools_hold_enough_distinct_values():
    names = ("bug_titles", "task_titles", "feature_titles", "lay_bugs", "lay_tasks", "long_features")
    titles = [v for name in names for v in POOLS[name]]
    assert len(set(titles)) == len(titles) >= 600
    assert set(POOLS["labels"]).isdisjoint(POOLS["more_labels"])
    least_of = {"labels": 60, "more_labels": 60, "project_keys": 40, "comments": 80, "lay_comments": 80}
    for name, least in {**least_of, "roles": 60}.items():
        assert len({v.casefold() for v in POOLS[name]}) == len(POOLS[name]) >= least


def test_people_ask_for_every_tool_argument_and_choice():
    generator = Generator(DOMAIN, Recipe(dict.fromkeys(BUCKETS, 1.0), natural_negatives=0.0), seed=3)
    wanted = {(t.name, a.name) for t in DOMAIN.tools for a in t.arguments}
    wanted |= {(t.name, a.name, c) for t in DOMAIN.tools for a in t.arguments for c in a.choices}
    said, skeletons = set(), set()
    for index in range(2500):
        made = generator.scenario(index)
        skeletons.add(made.skeleton)
        for call in made.row.calls:
            for tool, arguments in call.items():
                said |= {(tool, a) for a in arguments} | {
                    (tool, a, v[0]) for a, v in arguments.items() if isinstance(v[0], (str, bool))
                }
    assert wanted <= said, wanted - said
    assert len(skeletons) > 0.85 * 2500
