"""The team chat: what each tool answers, and what holds whatever is called."""

import json
import math
import os
import random

import hypothesis.strategies as st
import pytest
from any_call import ANYTHING
from hypothesis import HealthCheck, given, settings

from fernjax.sim.arguments import CLOCK
from fernjax.sim.directory import squeezed
from fernjax.sim.domains.chat import DOMAIN
from fernjax.sim.domains.chat.app import step
from fernjax.sim.domains.chat.seed import POOLS
from fernjax.sim.recipe import Recipe
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.scenario import Generator
from fernjax.sim.types import BUCKETS, Call
from fernjax.sim.world import state_hash

NOW = "2026-03-04T09:30:00"  # a Wednesday
PEOPLE = [
    {"name": "Kim Lee", "aliases": ["klee", "manager"]},
    {"name": "Kim Olsen", "aliases": ["kolsen"]},
    {"name": "Ana Ruiz", "aliases": ["aruiz"]},
]
STATUSES = set(
    "created updated found not_found ambiguous missing_argument invalid_argument unsupported".split()
)
READS = {t.name for t in DOMAIN.tools if t.reads}


def channel(name, **more):
    fixed = {"aliases": [], "private": False, "closed": False, "members": ["me"], "muted": "", "pinned": []}
    return {"name": name, **fixed, **more}


EMPTY = {
    "now": NOW,
    "next_id": 1,
    "people": PEOPLE,
    "channels": [
        channel("general"),
        channel("design-review"),
        channel("design-system", private=True),
        channel("old-sprint", closed=True),
    ],
    "messages": [],
    "scheduled": [],
    "status": {"text": "", "until": ""},
}


def run(state, *calls):
    """The state after the calls, and the last observation."""
    for name, arguments in calls:
        state, observation = step(state, Call(name, arguments))
    return state, observation


def status(state, name, **arguments):
    return step(state, Call(name, arguments))[1].status


def named(state, name):
    return next(c for c in state["channels"] if c["name"] == name)


# What each tool answers


def test_a_message_is_posted_found_and_pinned():
    state, made = run(EMPTY, ("post_message", {"channel": "#General", "text": "the build is green"}))
    assert made.status == "created" and made.data["message"]["channel"] == "general"
    assert made.data["message"]["at"] == "2026-03-04T09:30"
    state, pinned = run(state, ("pin_message", {"channel": "general"}))
    assert pinned.data == {"message": made.data["message"], "changed": ["pinned"]}
    assert named(state, "general")["pinned"] == ["m1"]
    again, same = run(state, ("pin_message", {"channel": "general"}))
    assert again is state and same.data["changed"] == []
    _, found = run(state, ("search_messages", {"query": "green build", "channel": "general"}))
    assert found.data == {"count": 1, "messages": [made.data["message"]]}
    assert status(state, "search_messages", query="green build", channel="design review") == "not_found"
    assert status(state, "search_messages", query="red", start_date="2026-03-04") == "not_found"
    assert status(state, "search_messages", query="build", start_date="2026-03-05") == "not_found"
    assert status(state, "search_messages", query="build", end_date="2026-03-03") == "not_found"
    backwards = run(
        state,
        ("search_messages", {"query": "build", "start_date": "2026-03-05", "end_date": "2026-03-01"}),
    )[1]
    assert backwards.status == "invalid_argument" and backwards.data["argument"] == "end_date"


def test_a_channel_is_meant_by_its_words_and_a_wrong_one_names_what_is_near():
    for said in ("design-review", "Design Review", "the design review channel", "#design_review", "review"):
        made = run(EMPTY, ("post_message", {"channel": said, "text": "hi"}))[1]
        assert made.data["message"]["channel"] == "design-review", said
    after, refused = run(EMPTY, ("post_message", {"channel": "design", "text": "hi"}))
    assert after is EMPTY and refused.status == "ambiguous"
    assert refused.data["candidates"] == ["design-review", "design-system"] and refused.data["count"] == 2
    missing = run(EMPTY, ("post_message", {"channel": "genral", "text": "hi"}))[1]
    assert missing.status == "not_found" and missing.data["similar"] == ["general"]


def test_a_closed_channel_takes_nothing():
    for name, more in (
        ("post_message", {"text": "hi"}),
        ("schedule_message", {"text": "hi", "time": "10:00"}),
        ("invite", {"users": ["ana"]}),
        ("mute_channel", {}),
        ("pin_message", {}),
    ):
        after, refused = run(EMPTY, (name, {"channel": "old sprint", **more}))
        assert after is EMPTY and refused.status == "invalid_argument", name
        assert refused.data["argument"] == "channel"


def test_a_person_is_meant_by_name_handle_or_role():
    for said, meant in (
        ("ana", "Ana Ruiz"),
        ("@aruiz", "Ana Ruiz"),
        ("my manager", "Kim Lee"),
        ("Kim Olsen", "Kim Olsen"),
        ("myself", "me"),
    ):
        made = run(EMPTY, ("direct_message", {"user": said, "text": "hi"}))[1]
        assert made.data["message"]["to"] == meant and made.data["message"]["channel"] == ""
    assert run(EMPTY, ("direct_message", {"user": "kim", "text": "hi"}))[1].data["candidates"] == [
        "Kim Lee",
        "Kim Olsen",
    ]
    near = run(EMPTY, ("direct_message", {"user": "anna ruitz", "text": "hi"}))[1]
    assert near.status == "not_found" and near.data["similar"] == ["Ana Ruiz"]


def test_a_channel_is_created_once():
    state, made = run(EMPTY, ("create_channel", {"channel": "#Proj Atlas", "private": True}))
    assert made.data["channel"]["name"] == "proj-atlas" and made.data["channel"]["private"] is True
    assert made.data["channel"]["members"] == ["me"]
    assert status(state, "create_channel", channel="proj_atlas") == "invalid_argument"
    assert status(state, "post_message", channel="proj atlas", text="hi") == "created"
    assert named(run(EMPTY, ("create_channel", {"channel": "x"}))[0], "x")["private"] is False


def test_inviting_adds_members_once_and_all_or_none():
    state, added = run(EMPTY, ("invite", {"users": ["ana", "manager"], "channel": "general"}))
    assert added.data["added"] == ["Ana Ruiz", "Kim Lee"] and added.data["changed"] == ["members"]
    assert named(state, "general")["members"] == ["me", "Ana Ruiz", "Kim Lee"]
    again, same = run(state, ("invite", {"users": ["Ana", "@aruiz"], "channel": "general"}))
    assert again is state and same.data["already"] == ["Ana Ruiz"] and same.data["added"] == []
    after, refused = run(state, ("invite", {"users": ["kim olsen", "zorro"], "channel": "general"}))
    assert after is state and refused.status == "not_found" and refused.data["users"] == "zorro"


def test_a_mute_and_a_status_end_when_they_say():
    state, muted = run(EMPTY, ("mute_channel", {"channel": "general", "duration_minutes": 90.0}))
    assert muted.data["muted"] == named(state, "general")["muted"] == "2026-03-04T11:00"
    assert run(EMPTY, ("mute_channel", {"channel": "general"}))[1].data["muted"] == "always"
    for more, until in (
        ({}, ""),
        ({"duration_minutes": 45}, "2026-03-04T10:15"),
        ({"until": "17:00"}, "2026-03-04T17:00"),
        ({"until": "09:00"}, "2026-03-05T09:00"),
        ({"until": "afternoon"}, "2026-03-04T12:00"),
        ({"until": "17:00", "duration_minutes": 450}, "2026-03-04T17:00"),
    ):
        state, set_ = run(EMPTY, ("set_status", {"text": "at lunch", **more}))
        assert state["status"] == set_.data["status"] == {"text": "at lunch", "until": until}
    assert status(EMPTY, "set_status", text="x", until="17:00", duration_minutes=30) == "invalid_argument"


def test_a_scheduled_message_goes_out_at_its_moment():
    for when, at in (
        ({"date": "2026-03-05", "time": "08:00"}, "2026-03-05T08:00"),
        ({"time": "08:00"}, "2026-03-05T08:00"),
        ({"time": "10:00"}, "2026-03-04T10:00"),
        ({"date": "2026-03-06"}, "2026-03-06T09:00"),
        ({"date": "2026-03-04", "time": "09:31"}, "2026-03-04T09:31"),
        ({"date": "2026-03-04", "time": "morning"}, "2026-03-04T09:31"),
        ({"date": "2026-03-04", "time": "evening"}, "2026-03-04T17:00"),
    ):
        state, made = run(EMPTY, ("schedule_message", {"channel": "general", "text": "hi", **when}))
        assert made.data["scheduled"]["at"] == at and state["messages"] == [], when
        assert state["scheduled"] == [made.data["scheduled"]]
    for when, argument in (
        ({"date": "2026-03-03"}, "date"),
        ({"date": "2026-03-04", "time": "09:30"}, "time"),
    ):
        refused = run(EMPTY, ("schedule_message", {"channel": "general", "text": "hi", **when}))[1]
        assert refused.status == "invalid_argument" and refused.data["argument"] == argument


def test_missing_arguments_are_named_as_the_domain_names_them():
    for name, arguments, missing in (
        ("post_message", {}, ["channel", "text"]),
        ("post_message", {"text": "x"}, ["channel"]),
        ("direct_message", {"user": "ana"}, ["text"]),
        ("invite", {"channel": "general"}, ["users"]),
        ("set_status", {"until": "10:00"}, ["text"]),
        ("search_messages", {"user": "ana"}, ["query"]),
        ("schedule_message", {"channel": "general", "text": "x"}, ["date"]),
        ("schedule_message", {"channel": "general", "text": "x", "time": "night"}, None),
        ("create_channel", {}, ["channel"]),
    ):
        observation = step(EMPTY, Call(name, arguments))[1]
        assert list(DOMAIN.missing(Call(name, arguments))) == (missing or [])
        assert (observation.data["missing"] if missing else None) == missing


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("set_status", "text", ""),
        ("set_status", "text", None),
        ("set_status", "text", "bad \ud800"),
        ("set_status", "duration_minutes", math.nan),
        ("set_status", "duration_minutes", 10**400),
        ("set_status", "until", "25:00"),
        ("create_channel", "private", "true"),
        ("create_channel", "private", 1),
        ("invite", "users", "ana"),
        ("invite", "users", []),
        ("search_messages", "start_date", "2026-02-30"),
        ("mute_channel", "channel", "###"),
        ("mute_channel", "until", "10:00"),
    ],
)
def test_an_invalid_argument_is_named_with_why(name, argument, value):
    whole = {"channel": "general", "text": "x", "users": ["ana"], "query": "x", "user": "ana"}
    tool = DOMAIN.tool(name)
    arguments = {a: v for a, v in whole.items() if tool.argument(a)} | {argument: value}
    after, observation = step(EMPTY, Call(name, arguments))
    assert after is EMPTY and observation.status == "invalid_argument"
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
    person = rng.choice(state["people"])
    said = rng.choice((person["name"], person["name"].split()[0], person["aliases"][-1], "me", "Zorro"))
    if a.type in ("date", "end_date"):
        return iso_date(ordinal("2026-02-20") + rng.randrange(40))
    if a.type in ("time", "end_time"):
        return rng.choice(("morning", "night", *list(CLOCK)[:: 60 * 3 + 7]))
    if a.type == "minutes":
        return rng.choice((15, 30.0, 60, 1440, 4000))
    if a.type == "choice":
        return rng.choice(a.choices)
    if a.type == "texts":
        return [said, *(p["name"] for p in rng.sample(state["people"], rng.randrange(2)))]
    if a.type == "channel":
        own = rng.choice(state["channels"])["name"]
        return rng.choice((own, own.replace("-", " "), own.split("-")[0], rng.choice(POOLS["channels"])))
    if a.name == "user":
        return said
    return rng.choice(POOLS["messages"][:60])


def check_step(state, call):
    """One step with all its invariants; returns the state after it and the status."""
    frozen = state_hash(state)
    after, observation = step(state, call)
    assert state_hash(state) == frozen, "step changed its input"
    assert observation.status in STATUSES
    assert (observation.status == "missing_argument") == bool(DOMAIN.missing(call))
    if call.name in READS or observation.status not in ("created", "updated"):
        assert after is state
    ids = [m["id"] for m in after["messages"] + after["scheduled"]]
    assert len(set(ids)) == len(ids) and all(int(i[1:]) < after["next_id"] for i in ids)
    assert len({squeezed(c["name"]) for c in after["channels"]}) == len(after["channels"])
    assert all(m["at"] > NOW[:16] for m in after["scheduled"])
    for was, now in zip(state["channels"], after["channels"], strict=False):
        assert was["name"] == now["name"] and was["private"] == now["private"]
        assert now["members"][: len(was["members"])] == was["members"], "a member is gone"
        assert len(set(now["members"])) == len(now["members"])
        assert call.name == "invite" or now["members"] == was["members"]
        if was["closed"]:
            assert now == was
            assert count(after, was["name"]) == count(state, was["name"])
        assert set(now["pinned"]) <= {m["id"] for m in after["messages"] if m["channel"] == now["name"]}
    made = len(after["messages"] + after["scheduled"] + after["channels"])
    assert made - len(state["messages"] + state["scheduled"] + state["channels"]) == (
        observation.status == "created"
    )
    if observation.status == "ambiguous":
        assert observation.data["count"] >= 2 and len(set(observation.data["candidates"])) >= 2
    if call.name == "search_messages" and observation.status == "found":
        check_found(call.arguments, observation)
    return after, observation.status


def count(state, name):
    return sum(m["channel"] == name for m in state["messages"] + state["scheduled"])


def check_found(arguments, observation):
    moments = [m["at"] for m in observation.data["messages"]]
    assert moments == sorted(moments, reverse=True) and moments
    assert all(m >= arguments.get("start_date", "") for m in moments)
    assert all(m[:10] <= arguments.get("end_date", "9") for m in moments)
    assert len({m["channel"] for m in observation.data["messages"]}) == 1 or "channel" not in arguments
    assert len({m["author"] for m in observation.data["messages"]}) == 1 or "user" not in arguments


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
def test_a_seeded_team_is_believable(seed):
    state = DOMAIN.initial_state(random.Random(seed), NOW)
    assert state == DOMAIN.initial_state(random.Random(seed), NOW) == json.loads(json.dumps(state))
    assert 8 <= len(state["channels"]) <= 12 and 8 <= len(state["people"]) <= 14
    moments = [m["at"] for m in state["messages"]]
    assert moments == sorted(moments) and moments[-1] < NOW
    names = {p["name"] for p in state["people"]}
    assert len(names) == len(state["people"]) and {m["author"] for m in state["messages"]} <= names
    assert {m["channel"] for m in state["messages"]} <= {"", *(c["name"] for c in state["channels"])}


def test_pools_hold_enough_distinct_values():
    for name, least in {"channels": 100, "messages": 150, "statuses": 60, "search_topics": 100}.items():
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


def test_two_people_or_channels_behind_one_verb_are_two_calls():
    tools = {t.name: {a.name for a in t.arguments} for t in DOMAIN.tools}
    assert all(argument in tools[tool] for tool, argument in DOMAIN.repeats.items())
    assert {"direct_message", "create_channel", "pin_message"} <= set(DOMAIN.repeats)
