"""The calendar: what each tool answers, and what holds whatever is called."""

import collections
import copy
import itertools
import json
import math
import os
import random
import re

import hypothesis.strategies as st
import pytest
from any_call import ANYTHING, digest_in_processes
from hypothesis import HealthCheck, given, settings

from fernjax.sim.agenda import days_within, moments
from fernjax.sim.domains.calendar import DOMAIN
from fernjax.sim.domains.calendar.app import CHANGES, step
from fernjax.sim.pools import pool
from fernjax.sim.recipe import Recipe
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.scenario import Generator
from fernjax.sim.types import OUT_OF_SCOPE, Call
from fernjax.sim.world import state_hash

NOW = "2026-03-04T09:30:00"  # a Wednesday
EMPTY = {"now": NOW, "next_id": 1, "events": [], "reminders": []}
STATUSES = set(
    "created updated deleted cleared found free busy not_found ambiguous no_free_slot missing_argument "
    "invalid_argument unsupported".split()
)
READS = {t.name for t in DOMAIN.tools if t.reads}


def run(state, *calls):
    """The state after the calls, and the last observation."""
    for name, arguments in calls:
        state, observation = step(state, Call(name, arguments))
    return state, observation


def create(title, date, start, **more):
    return "create_event", {"title": title, "date": date, "start_time": start, **more}


def status(state, name, **arguments):
    return step(state, Call(name, arguments))[1].status


# What each tool answers


def test_an_event_is_created_found_moved_and_deleted():
    state, made = run(EMPTY, create("dentist", "2026-03-06", "15:00", location="Smile Dental"))
    event = made.data["event"]
    assert made.status == "created" and (event["start"], event["end"], event["id"]) == (
        "15:00",
        "16:00",
        "e1",
    )
    _, found = run(state, ("list_events", {"query": "dentist appointment"}))
    assert found.status == "found" and found.data["items"] == [event]
    state, moved = run(state, ("update_event", {"event": "the dentist's", "new_date": "2026-03-09"}))
    assert moved.data["event"]["date"] == "2026-03-09" and moved.data["changed"] == ["date"]
    state, gone = run(state, ("delete_event", {"event": "dentist", "date": "2026-03-09"}))
    assert gone.status == "deleted" and state["events"] == []
    assert status(state, "delete_event", event="dentist") == "not_found"


def test_an_overlap_names_the_conflict_and_free_slots_nearby():
    state, _ = run(EMPTY, create("review", "2026-03-06", "15:00"))
    after, refused = run(state, create("lunch", "2026-03-06", "15:30"))
    assert after is state and refused.status == "no_free_slot"
    assert [c["title"] for c in refused.data["conflicts"]] == ["review"]
    assert refused.data["slots"][:2] == [
        {"date": "2026-03-06", "start": "16:00", "end": "17:00"},
        {"date": "2026-03-06", "start": "14:00", "end": "15:00"},
    ]
    assert status(state, "create_event", title="lunch", date="2026-03-06", start_time="16:00") == "created"


def test_a_part_of_the_day_takes_the_first_room_in_it():
    calls = [create(f"visit {n}", "2026-03-06", "evening") for n in range(5)]
    starts, state = [], EMPTY
    for call in calls:
        state, made = run(state, call)
        starts.append(made.data["event"]["start"])
    assert starts == ["18:00", "19:00", "20:00", "21:00", "17:00"]
    assert status(state, "create_event", title="x", date="2026-03-06", start_time="evening") == "no_free_slot"
    _, today = run(EMPTY, ("create_event", {"title": "x", "start_time": "morning"}))
    assert (today.data["event"]["date"], today.data["event"]["start"]) == ("2026-03-04", "09:30")


def test_a_time_without_a_day_is_the_next_such_time():
    assert (
        run(EMPTY, ("create_event", {"title": "x", "start_time": "10:00"}))[1].data["event"]["date"]
        == NOW[:10]
    )
    late = run(EMPTY, ("create_event", {"title": "x", "start_time": "08:00"}))[1]
    assert late.data["event"]["date"] == "2026-03-05"
    weekend = run(EMPTY, ("create_event", {"title": "x", "start_time": "10:00", "recurrence": "weekends"}))[1]
    assert weekend.data["event"]["date"] == "2026-03-07"


def test_times_and_length_must_agree():
    made = run(EMPTY, create("x", "2026-03-06", "22:30", end_time="00:30"))[1]
    assert made.data["event"]["minutes"] == 120
    refused = run(EMPTY, create("x", "2026-03-06", "10:00", end_time="11:00", duration_minutes=90))[1]
    assert refused.status == "invalid_argument" and refused.data["argument"] == "duration_minutes"
    assert run(EMPTY, create("x", "2026-03-06", "10:00", end_time="10:00"))[1].data["argument"] == "end_time"


def test_missing_arguments_are_named_as_the_domain_names_them():
    for name, arguments, missing in (
        ("create_event", {}, ["title", "date"]),
        ("create_event", {"title": "x"}, ["date"]),
        ("create_event", {"title": "x", "recurrence": "daily"}, None),
        ("create_reminder", {"date": "2026-03-06"}, ["title"]),
        ("update_event", {"event": "x"}, ["new_date"]),
        ("update_event", {"new_title": "x"}, ["event"]),
        ("delete_event", {"date": "2026-03-06"}, ["event"]),
        ("clear_events", {}, None),
    ):
        observation = step(EMPTY, Call(name, arguments))[1]
        assert list(DOMAIN.missing(Call(name, arguments))) == (missing or [])
        assert (observation.data["missing"] if missing else None) == missing


@pytest.mark.parametrize(
    "argument, value",
    [
        ("date", "2026-02-30"),
        ("date", 5),
        ("start_time", "25:00"),
        ("start_time", "noonish"),
        ("duration_minutes", math.nan),
        ("duration_minutes", True),
        ("duration_minutes", 0),
        ("duration_minutes", 10**400),
        ("duration_minutes", "60"),
        ("attendees", "Ana"),
        ("attendees", [None]),
        ("attendees", []),
        ("title", ""),
        ("title", "x" * 100_000),
        ("title", "bad \ud800"),
        ("title", None),
        ("recurrence", "fortnightly"),
        ("titel", "x"),
    ],
)
def test_an_invalid_argument_is_named_with_why(argument, value):
    call = Call("create_event", {"title": "x", "date": "2026-03-06", argument: value})
    after, observation = step(EMPTY, call)
    assert after is EMPTY and observation.status == "invalid_argument"
    assert observation.data["argument"] == argument and observation.data["why"]


def test_numbers_are_canonical():
    whole = run(EMPTY, create("x", "2026-03-06", "10:00", duration_minutes=60))
    point = run(EMPTY, create("x", "2026-03-06", "10:00", duration_minutes=60.0))
    assert json.dumps(whole[0]) == json.dumps(point[0]) and whole[1] == point[1]


def test_an_unknown_tool_gets_the_names_that_exist_and_abstaining_changes_nothing():
    state, observation = step(EMPTY, Call("make_coffee", {}))
    assert (
        observation.status == "unsupported" and "create_event" in observation.data["tools"] and state is EMPTY
    )
    state, observation = step(EMPTY, Call("out_of_scope", {}))
    assert observation.status == "unsupported" and observation.data["abstained"] and state is EMPTY


def test_an_ambiguous_name_lists_its_candidates():
    state, _ = run(
        EMPTY, create("team lunch", "2026-03-06", "12:00"), create("lunch with Ana", "2026-03-09", "12:00")
    )
    for name, arguments in (("update_event", {"new_time": "13:00"}), ("delete_event", {})):
        after, observation = step(state, Call(name, {"event": "lunch", **arguments}))
        assert after is state and observation.status == "ambiguous"
        assert [c["title"] for c in observation.data["candidates"]] == ["team lunch", "lunch with Ana"]
    assert status(state, "delete_event", event="lunch", date="2026-03-09") == "deleted"
    assert status(state, "delete_event", event="lunch", start_time="night") == "not_found"
    nxt = run(state, ("delete_event", {"event": "next event"}))[1]
    assert nxt.data["event"]["title"] == "team lunch"


def test_people_and_places_identify_an_event():
    state, _ = run(
        EMPTY,
        create("catch up", "2026-03-06", "12:00", attendees=["Ana"]),
        create("catch up", "2026-03-09", "12:00", attendees=["my boss"], location="room 204"),
    )
    assert run(state, ("delete_event", {"event": "meeting with boss"}))[1].data["event"]["id"] == "e2"
    assert (
        run(state, ("delete_event", {"event": "catch up", "attendee": "ana"}))[1].data["event"]["id"] == "e1"
    )
    by_place = run(state, ("delete_event", {"event": "event", "location": "the room 204"}))[1]
    assert by_place.data["event"]["id"] == "e2"


def test_a_date_means_one_occurrence_and_none_the_series():
    state, _ = run(EMPTY, create("yoga", "2026-03-05", "18:00", recurrence="weekly"))
    one, gone = run(state, ("delete_event", {"event": "yoga", "date": "2026-03-12"}))
    assert gone.data["scope"] == "occurrence"
    listed = run(one, ("list_events", {"query": "yoga", "date": "2026-03-01", "end_date": "2026-03-31"}))[1]
    assert [i["date"] for i in listed.data["items"]] == ["2026-03-05", "2026-03-19", "2026-03-26"]
    moved, _ = run(one, ("update_event", {"event": "yoga", "date": "2026-03-19", "new_time": "20:00"}))
    listed = run(moved, ("list_events", {"query": "yoga", "date": "2026-03-01", "end_date": "2026-03-31"}))[1]
    assert [(i["date"][8:], i["start"]) for i in listed.data["items"]] == [
        ("05", "18:00"),
        ("19", "20:00"),
        ("26", "18:00"),
    ]
    assert run(state, ("delete_event", {"event": "yoga"}))[0]["events"] == []


def test_clearing_takes_a_day_a_span_or_a_kind():
    state, _ = run(
        EMPTY,
        create("budget meeting", "2026-03-05", "10:00"),
        create("dinner", "2026-03-05", "19:00"),
        create("run", "2026-03-04", "18:00", recurrence="daily"),
    )
    day, cleared = run(state, ("clear_events", {"date": "2026-03-05"}))
    assert cleared.data["count"] == 3 and [e["title"] for e in day["events"]] == ["run"]
    assert run(day, ("list_events", {"date": "2026-03-05"}))[1].data["count"] == 0
    assert run(day, ("list_events", {"date": "2026-03-06"}))[1].data["count"] == 1
    meetings = run(state, ("clear_events", {"query": "meetings"}))[0]
    assert [e["title"] for e in meetings["events"]] == ["dinner", "run"]
    assert run(state, ("clear_events", {}))[0]["events"] == []
    assert status(state, "clear_events", date="2026-03-05", end_date="2026-03-01") == "invalid_argument"


def test_reminders_are_created_moved_and_kept_apart_from_events():
    state, made = run(
        EMPTY, ("create_reminder", {"title": "call mom", "date": "2026-03-06", "minutes_before": 30.0})
    )
    assert made.data["reminder"]["minutes_before"] == 30
    state, _ = run(state, create("call with Bo", "2026-03-06", "10:00"))
    assert run(state, ("list_events", {"kind": "reminder"}))[1].data["count"] == 1
    moved = run(state, ("update_event", {"event": "reminder to call mom", "new_time": "evening"}))[1]
    assert moved.data["reminder"]["time"] == "evening"
    refused = run(state, ("update_event", {"event": "call mom", "new_location": "zoom"}))[1]
    assert refused.status == "invalid_argument" and refused.data["argument"] == "new_location"
    past = step(EMPTY, Call("create_reminder", {"title": "x", "date": "2026-03-03"}))[1]
    assert past.status == "invalid_argument" and past.data["argument"] == "date"
    assert run(state, ("clear_events", {"query": "my reminders"}))[0]["reminders"] == []


def test_free_and_busy():
    state, _ = run(EMPTY, create("x", "2026-03-06", "10:00"), create("y", "2026-03-06", "11:00"))
    ask = "find_free_time"
    assert status(state, ask, date="2026-03-06", start_time="10:30") == "busy"
    assert status(state, ask, date="2026-03-06", start_time="12:00") == "free"
    assert status(state, ask, date="2026-03-06", start_time="morning") == "busy"
    slots = run(state, (ask, {"date": "2026-03-06", "duration_minutes": 180}))[1].data["slots"]
    assert [(s["start"], s["end"]) for s in slots] == [("07:00", "10:00"), ("12:00", "22:00")]
    assert (
        status(state, ask, date="2026-03-06", start_time="09:00", end_time="13:00", duration_minutes=120)
        == "busy"
    )


def test_occurrences_of_a_series_take_time_across_midnight_too():
    state, _ = run(EMPTY, create("shift", "2026-03-04", "23:00", duration_minutes=180, recurrence="weekly"))
    assert status(state, "create_event", title="x", date="2026-03-18", start_time="23:30") == "no_free_slot"
    assert status(state, "create_event", title="x", date="2026-03-19", start_time="01:30") == "no_free_slot"
    assert status(state, "create_event", title="x", date="2026-03-19", start_time="02:00") == "created"
    assert status(state, "find_free_time", date="2026-03-12", start_time="01:00") == "busy"
    assert status(state, "find_free_time", date="2026-03-13", start_time="01:00") == "free"
    skipped, _ = run(state, ("delete_event", {"event": "shift", "date": "2026-03-18"}))
    assert status(skipped, "create_event", title="x", date="2026-03-18", start_time="23:30") == "created"


# What holds whatever is called

NAMES = st.sampled_from([t.name for t in DOMAIN.tools])
ARGUMENTS = sorted({a.name for t in DOMAIN.tools for a in t.arguments})


KEYS = st.sampled_from(ARGUMENTS) | st.none() | st.integers() | st.text(max_size=5)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NAMES | ANYTHING, ANYTHING | st.dictionaries(KEYS, ANYTHING, max_size=4))
def test_anything_gets_an_observation(name, arguments):
    state = DOMAIN.initial_state(random.Random(1), NOW)
    before = state_hash(state)
    after, observation = step(state, Call(name, arguments))
    assert observation.status in STATUSES and state_hash(state) == before
    json.dumps([observation.to_json(), after], allow_nan=False, ensure_ascii=False).encode("utf-8")


def test_a_deeply_nested_argument_gets_an_observation():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert status(EMPTY, "create_event", title=deep, date="2026-03-06") == "invalid_argument"
    assert step(EMPTY, Call(deep, {}))[1].status == "unsupported"


def random_call(rng, state):
    """A call that is well-formed more often than not, with values that collide."""
    tool = rng.choice(DOMAIN.tools)
    titles = [i["title"] for i in state["events"] + state["reminders"]]
    arguments = {}
    needed = {rng.choice(g) for g in DOMAIN.needs.get(tool.name, ())}
    for a in tool.arguments:
        if not (a.name in needed and rng.random() < 0.95) and rng.random() > 0.2:
            continue
        if rng.random() < 0.02:
            arguments[a.name] = rng.choice((None, "", -1, 1.5, [], {}, "2026-13-01", "x" * 1000, math.inf))
        elif a.type in ("date", "end_date"):
            arguments[a.name] = iso_date(ordinal("2026-02-20") + rng.randrange(50))
        elif a.type in ("time", "end_time"):
            arguments[a.name] = rng.choice(
                ("morning", "night", f"{rng.randrange(24):02d}:{rng.randrange(4) * 15:02d}")
            )
        elif a.type == "minutes":
            arguments[a.name] = rng.choice((15, 30.0, 60, 240, 1440, 4000))
        elif a.choices:
            arguments[a.name] = rng.choice(a.choices)
        elif a.type == "texts":
            arguments[a.name] = rng.sample(("Ana", "Bo", "the team"), rng.randrange(1, 3))
        else:
            arguments[a.name] = (
                rng.choice(titles) if titles and rng.random() < 0.6 else rng.choice(pool("event_nouns")[:60])
            )
    return Call(tool.name if rng.random() < 0.99 else "nonsense", arguments)


def check_step(state, call):
    """One step with all its invariants; returns the state after it and the status."""
    frozen = state_hash(state)
    after, observation = step(state, call)
    assert state_hash(state) == frozen, "step changed its input"
    assert observation.status in STATUSES
    assert (observation.status == "missing_argument") == bool(DOMAIN.missing(call))
    items = after["events"] + after["reminders"]
    ids = [i["id"] for i in items]
    assert len(set(ids)) == len(ids) and all(int(i[1:]) < after["next_id"] for i in ids)
    if call.name in READS or observation.status not in ("created", "updated", "deleted", "cleared"):
        assert after is state or state_hash(after) == frozen
    count, was = len(items), len(state["events"]) + len(state["reminders"])
    if observation.status == "created":
        assert count == was + 1
        check_created(after, observation)
    elif observation.status == "updated":
        assert count in (was, was + 1)  # one more where one occurrence leaves its series
    elif observation.status == "deleted":
        assert count == was - (observation.data["scope"] != "occurrence")
        check_deleted(state, after, call, observation)
    elif observation.status == "no_free_slot":
        check_offers(after, call, observation)
    elif observation.status == "ambiguous":
        assert observation.data["count"] >= 2 and len({c["id"] for c in observation.data["candidates"]}) >= 2
    return after, observation.status


def check_created(after, observation):
    (item,) = observation.data.values()
    listed = step(
        after,
        Call("list_events", {"query": item["title"], "kind": item["kind"], "date": item["date"] or NOW[:10]}),
    )
    if item["date"] and listed[1].data["count"] <= 20:
        assert item["id"] in [i["id"] for i in listed[1].data["items"]]


def check_deleted(state, after, call, observation):
    (shown,) = (v for v in observation.data.values() if isinstance(v, dict))
    if observation.data["scope"] == "occurrence":
        day = ordinal(shown["date"])
        kept = next(i for i in after["events"] + after["reminders"] if i["id"] == shown["id"])
        assert day not in days_within(kept, day, day)
    else:
        assert shown["id"] not in [i["id"] for i in after["events"] + after["reminders"]]


def check_offers(state, call, observation):
    """Each slot offered is really free: a plain event fits into it, once the one to be moved is away."""
    if call.name == "update_event":
        which = {k: v for k, v in call.arguments.items() if k in ("event", "date", "start_time")}
        state, gone = DOMAIN.step(state, Call("delete_event", which))
        assert gone.status == "deleted", (call, gone)
    for slot in observation.data["slots"]:
        minutes = (
            (int(slot["end"][:2]) - int(slot["start"][:2])) * 60
            + int(slot["end"][3:])
            - int(slot["start"][3:])
        )
        if minutes <= 0:
            continue  # it ends on a later day
        arguments = {
            "title": "x",
            "date": slot["date"],
            "start_time": slot["start"],
            "duration_minutes": minutes,
        }
        assert status(state, "create_event", **arguments) == "created", (slot, observation)


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


@pytest.mark.parametrize("seed", range(40))
def test_a_seeded_calendar_is_believable(seed):
    state = DOMAIN.initial_state(random.Random(seed), NOW)
    assert state == DOMAIN.initial_state(random.Random(seed), NOW) == json.loads(json.dumps(state))
    assert 10 <= len(state["events"]) <= 16 and 3 <= len(state["reminders"]) <= 5
    assert any(e["recurrence"] for e in state["events"])
    singles = [e for e in state["events"] if e["start"] and not e["recurrence"]]
    taken = sorted(moments(e, ordinal(e["date"])) for e in singles)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(taken))


def test_the_same_calls_give_the_same_bytes_in_any_process():
    prints = digest_in_processes(__file__, NOW)
    assert len(prints) == 1 and len(prints.pop()) == 64


def test_every_change_is_in_the_needs_of_an_update():
    update = DOMAIN.tool("update_event")
    assert [a.name for a in update.arguments if a.name not in ("event", "date", "start_time")] == CHANGES


def test_a_step_leaves_what_it_was_given_alone():
    state = DOMAIN.initial_state(random.Random(3), NOW)
    copied = copy.deepcopy(state)
    run(state, ("clear_events", {}), create("x", "2026-03-06", "10:00"))
    run(state, ("update_event", {"event": "birthday", "new_title": "y"}))
    assert state == copied


def test_a_title_that_holds_first_is_a_title():
    state = DOMAIN.initial_state(random.Random(0), NOW)
    for title, time in (("first date", "03:00"), ("first date", "04:00")):
        state, made = DOMAIN.step(
            state, Call("create_event", {"title": title, "date": "2026-03-20", "start_time": time})
        )
        assert made.status == "created"
    listed = DOMAIN.step(state, Call("list_events", {"query": "first date", "date": "2026-03-20"}))[1]
    assert listed.data["count"] == 2


# How it is phrased

PLAIN = Generator(DOMAIN, Recipe({"in_distribution": 0.6, "multi_constraint": 0.4}, contrastive=0.0), 1)
MADE = [PLAIN.scenario(i) for i in range(2500)]


def test_few_sentences_are_dropped():
    assert PLAIN.dropped["ungrounded"] / PLAIN.sampled < 0.03


def test_every_tool_is_worded_in_many_ways_and_says_all_its_arguments():
    skeletons = collections.defaultdict(set)
    for made in MADE:
        for tool, arguments in made.row.calls[0].items():
            skeletons[tool].add(made.skeleton)
            skeletons[tool, "said"] |= arguments.keys()
    for tool in DOMAIN.tools:
        if tool.name != OUT_OF_SCOPE:
            assert len(skeletons[tool.name]) >= 100, tool.name
            assert skeletons[tool.name, "said"] >= {a.name for a in tool.arguments} - {"kind"}, tool.name


def test_a_free_text_swallows_no_command_no_politeness_and_no_correction():
    spill = re.compile(
        r"(?i)\b(please|thanks|cheers|remind me|instead|no wait)$"
        r"|\b(add|save|delete|cancel|change|update|fix) (it|that)$"
        r"|\b(so|because|since|no wait|no sorry|is now|needs to be|has to be|should be)\b.* "
    )
    texts = {a.name for t in DOMAIN.tools for a in t.arguments if a.type in ("text", "texts")}
    for made in MADE:
        for slot in made.slots:
            words = made.row.query.text[slot.span[0] : slot.span[1]]
            assert slot.argument not in texts or not spill.search(words), made.row.query.text
