"""A disturbed app: pure, logged, and disturbed as its schedule says."""

from __future__ import annotations

import copy
import json
import random

import pytest
from any_call import ANYTHING
from hypothesis import given, settings
from hypothesis import strategies as st

from fernjax.sim.perturbed import KINDS, PAGE, Perturbed, Schedule
from fernjax.sim.types import Call
from fernjax.sim.world import load_domain

NOW = "2026-03-02T09:00:00"
HOME = load_domain("calendar")
READS = [t.name for t in HOME.tools if t.reads]
LIST = Call("list_events")
CREATE = Call("create_event", {"title": "judo", "date": "2026-03-20", "start_time": "06:10"})


def always(kind, seed=0, **tools):
    return Perturbed(HOME.step, READS, Schedule(seed, {kind: 1.0} if kind else {}, tools))


def first(world, seed=0):
    return world.initial_state(HOME.initial_state(random.Random(seed), NOW))


def test_undisturbed_it_is_the_app():
    world = always("")
    state, plain = first(world), HOME.initial_state(random.Random(0), NOW)
    for call in (LIST, CREATE, CREATE, Call("nothing"), Call("delete_event", {"event": "judo"})):
        state, seen = world.step(state, call)
        plain, expected = HOME.step(plain, call)
        assert seen == expected and state["app"] == plain
    assert state["log"] == [""] * 5


@pytest.mark.parametrize("kind", ("unavailable", "rate_limited", "permission_denied"))
def test_what_is_refused_is_not_done(kind):
    world = always(kind)
    state, seen = world.step(before := first(world), CREATE)
    assert seen.status == kind and seen.data["tool"] == "create_event"
    assert state["app"] == before["app"] and state["log"] == [kind]


def test_a_denied_tool_stays_denied_and_others_do_not():
    world = always("permission_denied", list_events=0.0)
    state, _ = world.step(first(world), CREATE)
    assert world.step(state, LIST)[1].status == "found"
    calm = Perturbed(HOME.step, READS, Schedule(0, {}))
    again, seen = calm.step(state, CREATE)
    assert seen.status == "permission_denied" and again["log"] == ["permission_denied"] * 2


def test_what_is_slow_is_done_and_not_said():
    world = always("slow")
    state, seen = world.step(first(world), CREATE)
    assert seen.status == "timeout" and "judo" not in json.dumps(seen.to_json())
    assert any(e["title"] == "judo" for e in state["app"]["events"])


def test_a_stale_answer_is_of_before_the_last_change():
    calm, stale = always(""), always("stale_read")
    state, _ = calm.step(first(calm), CREATE)
    ask = Call("list_events", {"query": "judo"})
    assert calm.step(state, ask)[1].status == "found"
    state, seen = stale.step(state, ask)
    assert seen.status == "not_found" and state["log"][-1] == "stale_read"
    assert calm.step(state, ask)[1].status == "found"
    assert stale.step(state, CREATE)[0]["log"][-1] == ""  # only what reads is stale


def test_pages_follow_each_other_and_begin_anew_behind_a_change():
    world, calm = always("partial_page"), always("")
    state = first(world)
    whole = calm.step(first(calm), LIST)[1].data["items"]
    assert len(whole) > 2 * PAGE
    got = []
    while True:
        state, seen = world.step(state, LIST)
        got += seen.data["items"]
        if not seen.data["more"]:
            break
    assert got == whole
    assert world.step(state, LIST)[1].data["items"] == whole[:PAGE]
    state, _ = world.step(first(world), LIST)
    state, seen = world.step(state, CREATE)
    assert state["pages"] == {} and state["log"][-1] == ""
    short = Call("list_events", {"query": "judo"})
    state, seen = world.step(state, short)
    assert "more" not in seen.data and state["log"][-1] == ""


def test_a_schedule_is_a_pure_function_of_seed_and_turn():
    rates = dict.fromkeys(KINDS, 0.1)
    drawn = [Schedule(3, rates).draw(turn, "x") for turn in range(2000)]
    assert drawn == [Schedule(3, rates).draw(turn, "x") for turn in range(2000)]
    assert drawn != [Schedule(4, rates).draw(turn, "x") for turn in range(2000)]
    for kind in KINDS:
        assert 0.07 < drawn.count(kind) / 2000 < 0.13
    doubled = Schedule(3, rates, {"x": 1.5, "y": 0.0})
    assert sum(map(bool, (doubled.draw(t, "x") for t in range(2000)))) > 1.4 * sum(map(bool, drawn))
    assert not any(doubled.draw(turn, "y") for turn in range(2000))


def test_what_is_no_schedule_is_refused():
    with pytest.raises(ValueError, match="no perturbation 'storm'"):
        Schedule(0, {"storm": 0.1})
    for rates in ({"slow": 0.6, "unavailable": 0.6}, {"slow": -0.1}):
        with pytest.raises(ValueError, match="are no chances"):
            Schedule(0, rates)


CALLS = st.builds(Call, st.sampled_from([t.name for t in HOME.tools]) | ANYTHING, ANYTHING)


@settings(max_examples=60, deadline=None)
@given(st.lists(CALLS | st.just(LIST) | st.just(CREATE), max_size=8), st.integers(0, 5))
def test_it_is_pure_and_never_raises_whatever_is_called(calls, seed):
    world = Perturbed(HOME.step, READS, Schedule(seed, dict.fromkeys(KINDS, 0.15)))
    state = first(world)
    for call in calls:
        kept = copy.deepcopy(state)
        after, seen = world.step(state, call)
        assert state == kept and (after, seen) == world.step(state, call)
        state = after
    assert len(state["log"]) == len(calls) == state["turn"]
