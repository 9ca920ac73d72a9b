"""Answers judged by written rules, and worlds that learn nothing."""

from __future__ import annotations

import copy

import pytest

from fernjax.sim.types import Call, Observation
from fernjax.sim.world import domain_names
from fernjax.sim.worlds.app import load_world, steps_of
from fernjax.sim.worlds.rivals import Commonest, Echo, Nearest
from fernjax.sim.worlds.rubric import DIMENSIONS, judge

STATE = {
    "now": "2026-03-04T09:30:00",
    "events": [{"id": "e1", "title": "Judo"}, {"id": "e2", "title": "Tea"}],
}
CALL = Call("rename", {"event": "Judo", "title": "Karate"})
AFTER = {**STATE, "events": [{"id": "e1", "title": "Karate"}, STATE["events"][1]]}
SEEN = Observation("updated", {"event": {"id": "e1", "title": "Karate"}, "changed": ["title"]})
TRUE = (AFTER, SEEN)
KNOWN = {"updated", "not_found"}


def marks(after=AFTER, seen=SEEN):
    return judge(STATE, CALL, TRUE, (after, seen), KNOWN)


@pytest.mark.parametrize("name", domain_names())
def test_the_true_answer_has_all_marks_and_a_spoilt_one_has_not(name):
    for state, call, after, seen in steps_of(load_world(name).domain, 6, 4):
        good = judge(state, call, (after, seen), (after, seen), {seen.status})
        assert good.exact and good.rubric == 1.0 and good.fields[0] == good.fields[1]
        other = judge(state, call, (after, seen), (after, Observation("gone", seen.data)), {seen.status})
        assert not other.status and not other.exact and other.shares["realism"] == 0.0


def test_each_fault_costs_in_its_dimension():
    assert marks().shares == dict.fromkeys(DIMENSIONS, 1.0)
    wrong = marks(seen=Observation("updated", SEEN.data | {"changed": ["date"]}))
    assert wrong.shares["factuality"] < 1.0 == wrong.shares["format"] and not wrong.exact
    extra = marks(seen=Observation("updated", SEEN.data | {"note": "x"}))
    assert extra.shares["format"] == pytest.approx(2 / 3) and not extra.exact
    undone = marks(after=STATE)
    assert undone.shares["consistency"] == 0.0 and not undone.state and not undone.exact
    likely = marks(after=STATE, seen=Observation("not_found", {}))
    assert likely.shares["realism"] == 0.5 and likely.fields[0] == 0
    assert marks(after=STATE, seen=Observation("unreadable", {})).rubric == 0.0


def test_what_echoes_the_call_does_not_count_as_found_out():
    mild = copy.deepcopy(SEEN.data)
    mild["event"]["title"] = "Carate"  # "Karate" was in the call
    assert marks(seen=Observation("updated", mild)).fields[0] == marks().fields[0]
    assert marks(seen=Observation("updated", mild)).shares["quality"] < 1.0


def test_rivals_know_what_they_were_shown():
    world = load_world("lists")
    steps = list(steps_of(world.domain, 6, 20))
    asked = [(state, call) for state, call, _, _ in steps]
    right = {}
    for rival in (Echo(), Commonest(world, steps), Nearest(world, steps)):
        said = rival.steps(asked)
        right[type(rival).__name__] = sum(
            answer[1].status == seen.status for answer, (_, _, _, seen) in zip(said, steps, strict=True)
        ) / len(steps)
    assert right["Echo"] == 0.0 < 0.1 < right["Commonest"] < right["Nearest"]
    state = asked[0][0]
    assert Nearest(world, []).steps([(state, Call("nothing"))]) == [(state, Observation("unreadable", {}))]
