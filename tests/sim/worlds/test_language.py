"""What a step changes and what an app answers, as a language that always reads back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fernjax.sim.types import Call, Observation
from fernjax.sim.world import domain_names, load_domain
from fernjax.sim.worlds.changes import ABSENT, Add, Drop, Set, apply, diff, records_of, same
from fernjax.sim.worlds.episodes import POLICIES, Episodes
from fernjax.sim.worlds.forms import Forms, count_forms
from fernjax.sim.worlds.language import Language, Unreadable

STATE = {
    "now": "2026-03-04T09:30:00",
    "next_id": 4,
    "events": [{"id": "e1", "title": "Judo", "date": "2026-03-05"}, {"id": "e3", "title": "Tea", "date": ""}],
    "note": "",
}
CALL = Call("add", {"title": "Run", "on": "2026-03-09"})


def steps_of(name, seed, episodes):
    domain = load_domain(name)
    for index in range(episodes):
        episode = Episodes(domain, seed).episode(index)
        state = episode.first
        for turn in episode.turns:
            after, seen = domain.step(state, turn.call)
            assert seen == turn.observation
            yield state, turn.call, after, seen
            state = after
        assert state == episode.last


@pytest.mark.parametrize("name", domain_names())
def test_what_is_written_of_unseen_steps_reads_back(name):
    counted = count_forms(steps_of(name, 1, 12))
    world = Language(Forms.from_json(json.loads(json.dumps(counted.to_json()))))
    lengths, plain = [], []
    for state, call, after, seen in steps_of(name, 2, 12):
        row = world.write(state, call, after, seen)
        there, answer = world.read(state, call, row)
        assert same(there, after) and answer.status == seen.status and same(answer.data, seen.data)
        lengths.append(len(row))
        plain.append(len(Language(Forms({})).write(state, call, after, seen)))
    assert sum(lengths) < 0.8 * sum(plain)  # what the forms say is not written


@pytest.mark.parametrize("name", domain_names())
def test_changes_lead_from_one_state_to_the_next(name):
    for state, _, after, _ in steps_of(name, 3, 6):
        before = json.dumps(state)
        assert same(apply(state, diff(state, after)), after)
        assert json.dumps(state) == before


def test_changes_are_told_by_record():
    events = [STATE["events"][1] | {"title": "Coffee"}, {"id": "e4", "title": "Run", "date": ""}]
    after = {**STATE, "next_id": 5, "events": events}
    del after["note"]
    assert diff(STATE, after) == [
        Set("", "next_id", 5),
        Drop("e1"),
        Set("e3", "title", "Coffee"),
        Add("", "events", "", events[1]),
        Set("", "note", ABSENT),
    ]


def test_what_only_points_to_a_record_is_none():
    state = {"issues": [{"id": "A-1", "links": [{"id": "A-2"}]}, {"id": "A-2", "links": []}]}
    assert records_of(state)["A-2"] is state["issues"][1]
    after = {"issues": [{"id": "A-1", "links": []}, state["issues"][1]]}
    assert diff(state, after) == [Set("A-1", "links", [])]


def test_records_of_one_id_are_told_apart_by_none():
    state = {"people": [{"name": "x", "age": 1}], "rooms": [{"name": "x", "size": 2}]}
    after = {"people": [{"name": "x", "age": 2}], "rooms": state["rooms"]}
    assert records_of(state) == {} and apply(state, diff(state, after)) == after


def test_a_row_points_at_the_call_and_at_what_the_state_holds():
    record = {"id": "e4", "title": "Run", "date": "2026-03-09"}
    after = {**STATE, "next_id": 5, "events": [*STATE["events"], record]}
    seen = Observation("created", {"event": record, "like": "Judo", "clash": STATE["events"][1]})
    row = Language(Forms({})).write(STATE, CALL, after, seen)
    assert " ".join(row) == (
        "<status> created <set> next_id <number> 5 <add> events <key> id <text> e4 <key> title <echo> title "
        "<key> date <echo> on <data> <key> event <ref> e4 <key> id <text> e4 <key> title <echo> title "
        "<key> date <echo> on <close> <key> like <name> e1 "
        "<key> clash <ref> e3 <key> id <text> e3 <key> title <name> e3 <key> date <empty> <close>"
    )
    counted = Language(count_forms([(STATE, CALL, after, seen)]))
    short = counted.write(STATE, CALL, after, seen)
    assert counted.read(STATE, CALL, short) == (after, seen) and len(short) < len(row) / 2


@pytest.mark.parametrize(
    "row",
    [
        "",
        "<status>",
        "<status> found",
        "<status> found <data> <key> a",
        "<status> found <data> <key> a <list> <true>",
        "<status> found <data> <key> a <ref> e9 <close>",
        "<status> found <data> <key> a <echo> nothing",
        "<status> found <data> <key> a <number> many",
        "<status> found <data> <key> a <date> soon",
        "<status> found <data> <key> a <date> +99999999999999999999",
        "<status> found <drop> e9 <data>",
        "<status> found <ref> e1 <data>",
        "<status> found <add> events <at> e9 <data>",
        "<status> found <add> now <data>",
        "<status> found <data> <true>",
        "<data> <status> found",
    ],
)
def test_what_is_no_answer_is_told(row):
    with pytest.raises(Unreadable):
        Language(Forms({})).read(STATE, CALL, row.split())


WORDS = st.sampled_from(
    "<status> <data> <set> <add> <drop> <ref> <key> <list> <dict> <close> <echo> <name> <number> <date> "
    "<datetime> <text> <true> <empty> <absent> <of> <at> e1 e3 events title on 5 +2 found".split()
)


@given(st.lists(WORDS, max_size=12))
@settings(max_examples=300, deadline=None)
def test_any_row_is_read_or_told(row):
    world = Language(Forms({}))
    try:
        after, seen = world.read(STATE, CALL, ["<status>", "found", *row])
    except Unreadable:
        return
    assert same(world.read(STATE, CALL, world.write(STATE, CALL, after, seen))[0], after)


def test_an_episode_is_a_function_of_its_number():
    episodes = Episodes(load_domain("home"), 5, turns=5)
    late = episodes.episode(7)
    assert len(late.turns) == 5 and episodes.episode(3) != late
    assert Episodes(load_domain("home"), 5, turns=5).episode(7) == late


@pytest.mark.parametrize("name", domain_names())
def test_policies_do_what_they_say(name):
    domain, done = load_domain(name), {}
    for policy in POLICIES:
        turns = [t for i in range(8) for t in Episodes(domain, 1, policies={policy: 1.0}).episode(i).turns]
        assert {t.policy for t in turns} == {policy}
        unhappy = {"not_found", "ambiguous", "missing_argument", "invalid_argument", "unsupported"}
        done[policy] = sum(t.observation.status not in unhappy for t in turns) / len(turns)
    assert done["gold"] > 0.6 and done["gold"] > done["erroneous"] and done["gold"] > done["random"]
