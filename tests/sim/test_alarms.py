"""The clock: what each tool answers, how time passes, and what holds whatever is called."""

import copy
import json
import math
import os
import random

import hypothesis.strategies as st
import pytest
from any_call import ANYTHING, digest_in_processes
from hypothesis import HealthCheck, given, settings

from fernjax.sim.arguments import CLOCK_TEXT
from fernjax.sim.domains.alarms import DOMAIN
from fernjax.sim.domains.alarms.app import SNOOZE_MIN, step
from fernjax.sim.domains.alarms.pools import POOLS
from fernjax.sim.domains.alarms.ringing import RING_S, advance, iso_of, next_ring, seconds_of
from fernjax.sim.recipe import Recipe
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.scenario import Generator
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, Call
from fernjax.sim.world import state_hash

NOW = "2026-03-04T09:30:00"  # a Wednesday
EMPTY = {"now": NOW, "next_id": 1, "alarms": [], "timers": []}
STATUSES = set(
    "created exists updated deleted cleared stopped found snoozed not_found ambiguous missing_argument "
    "invalid_argument unsupported".split()
)
READS = {t.name for t in DOMAIN.tools if t.reads}


def run(state, *calls):
    """The state after the calls, and the last observation."""
    for name, arguments in calls:
        state, observation = step(state, Call(name, arguments))
    return state, observation


def alarm(time, **more):
    return "set_alarm", {"time": time, **more}


def status(state, name, **arguments):
    return step(state, Call(name, arguments))[1].status


def times(state):
    return [(a["date"], a["time"]) for a in state["alarms"]]


# What each tool answers


def test_an_alarm_is_set_found_changed_and_cancelled():
    state, made = run(EMPTY, alarm("06:30", date="2026-03-06", label="gym"))
    shown = made.data["alarm"]
    assert made.status == "created" and (shown["id"], shown["label"], shown["time"]) == ("a1", "gym", "06:30")
    _, found = run(state, ("list_alarms", {"label": "the gym alarm"}))
    assert found.status == "found" and found.data["alarms"] == [shown]
    state, moved = run(state, ("change_alarm", {"time": "06:30", "new_time": "07:00"}))
    assert moved.data["alarm"]["date"] == "2026-03-06" and moved.data["changed"] == ["time"]
    state, gone = run(state, ("cancel_alarm", {"label": "gym", "date": "2026-03-06"}))
    assert gone.status == "deleted" and state["alarms"] == []
    assert status(state, "cancel_alarm", label="gym") == "not_found"


@pytest.mark.parametrize(
    "arguments, date, time",
    [
        ({"time": "10:00"}, "2026-03-04", "10:00"),
        ({"time": "09:30"}, "2026-03-05", "09:30"),
        ({"time": "08:00", "recurrence": "weekends"}, "2026-03-07", "08:00"),
        ({"time": "08:00", "recurrence": "daily"}, "2026-03-05", "08:00"),
        ({"time": "08:00", "date": "2026-03-02", "recurrence": "weekly"}, "2026-03-09", "08:00"),
        ({"in_minutes": 5}, "2026-03-04", "09:35"),
        ({"in_minutes": 15 * 60.0}, "2026-03-05", "00:30"),
        ({"in_minutes": 180, "time": "12:30", "date": "2026-03-04"}, "2026-03-04", "12:30"),
        ({"time": "morning"}, "2026-03-04", "09:45"),
        ({"time": "morning", "recurrence": "daily"}, "2026-03-05", "07:00"),
        ({"time": "night", "date": "2026-03-04"}, "2026-03-04", "22:00"),
    ],
)
def test_an_alarm_rings_the_next_time_that_it_can(arguments, date, time):
    made = run(EMPTY, ("set_alarm", arguments))[1]
    assert (made.status, made.data["alarm"]["date"], made.data["alarm"]["time"]) == ("created", date, time)


@pytest.mark.parametrize(
    "arguments, wrong",
    [
        ({"time": "09:30", "date": "2026-03-04"}, "time"),
        ({"time": "10:00", "date": "2026-03-03"}, "date"),
        ({"in_minutes": 30, "time": "11:00"}, "in_minutes"),
        ({"in_minutes": 30, "date": "2026-03-05"}, "in_minutes"),
        ({"in_minutes": 0}, "in_minutes"),
        ({"in_minutes": 2.5}, "in_minutes"),
        ({"in_minutes": math.inf}, "in_minutes"),
        ({"in_minutes": True}, "in_minutes"),
        ({"time": "24:00"}, "time"),
        ({"time": "noonish"}, "time"),
        ({"time": 7}, "time"),
        ({"time": "07:00", "date": "2026-02-30"}, "date"),
        ({"time": "07:00", "label": ""}, "label"),
        ({"time": "07:00", "label": "x" * 100_000}, "label"),
        ({"time": "07:00", "label": "bad \ud800"}, "label"),
        ({"time": "07:00", "recurrence": "hourly"}, "recurrence"),
        ({"time": "07:00", "tone": "birds"}, "tone"),
    ],
)
def test_an_invalid_argument_is_named_with_why(arguments, wrong):
    after, refused = run(EMPTY, ("set_alarm", arguments))
    assert after is EMPTY and refused.status == "invalid_argument"
    assert refused.data["argument"] == wrong and refused.data["why"]


def test_what_an_app_asks_back_for():
    for name, arguments, missing in (
        ("set_alarm", {}, ["time"]),
        ("set_alarm", {"label": "gym", "date": "2026-03-06"}, ["time"]),
        ("set_alarm", {"in_minutes": 5}, []),
        ("change_alarm", {"time": "07:00"}, ["new_time"]),
        ("set_timer", {"label": "pasta"}, ["seconds"]),
        ("cancel_alarm", {}, []),
        ("snooze", {}, []),
        ("check_timer", {}, []),
    ):
        call = Call(name, arguments)
        assert list(DOMAIN.missing(call)) == missing
        assert step(EMPTY, call)[1].data.get("missing", []) == missing


def test_the_same_alarm_is_set_once():
    state, _ = run(EMPTY, alarm("07:00", date="2026-03-06"), alarm("06:00", recurrence="daily"))
    for again in (alarm("07:00", date="2026-03-06"), alarm("06:00", recurrence="daily", date="2026-03-20")):
        after, seen = run(state, again)
        assert seen.status == "exists" and after is state
    assert status(state, "set_alarm", time="07:00", date="2026-03-06", label="gym") == "created"
    assert status(state, "set_alarm", time="06:00", date="2026-03-20") == "created"


def test_a_time_or_a_label_cancels_all_its_alarms_and_less_is_ambiguous():
    state, _ = run(
        EMPTY,
        alarm("07:00", recurrence="weekdays"),
        alarm("07:00", date="2026-03-07", label="yoga"),
        alarm("18:00", date="2026-03-07", label="yoga"),
        alarm("19:00", date="2026-03-08", label="yoga class"),
    )
    assert times(run(state, ("cancel_alarm", {"time": "07:00"}))[0]) == [
        ("2026-03-07", "18:00"),
        ("2026-03-08", "19:00"),
    ]
    assert len(run(state, ("cancel_alarm", {"label": "yoga alarms"}))[0]["alarms"]) == 2
    assert len(run(state, ("cancel_alarm", {"time": "evening"}))[0]["alarms"]) == 2
    for name, arguments, count in (
        ("cancel_alarm", {}, 4),
        ("cancel_alarm", {"date": "2026-03-07"}, 2),
        ("change_alarm", {"new_time": "08:00"}, 4),
        ("change_alarm", {"label": "yoga", "new_time": "08:00"}, 2),
    ):
        after, seen = run(state, (name, arguments))
        assert after is state and seen.status == "ambiguous"
        assert seen.data["count"] == count == len(seen.data["candidates"])
    missed = run(state, ("cancel_alarm", {"label": "yoga", "time": "05:00"}))[1]
    assert missed.status == "not_found" and [i["time"] for i in missed.data["similar"]] == ["07:00", "18:00"]


def test_a_date_means_one_day_of_a_repeating_alarm():
    state, _ = run(EMPTY, alarm("06:00", recurrence="daily"), alarm("08:00", date="2026-03-05"))
    state, cleared = run(state, ("cancel_all_alarms", {"date": "2026-03-05"}))
    assert cleared.data["count"] == 2 and cleared.data["kept"] == ["a1"]
    assert status(state, "list_alarms", date="2026-03-05") == "found"
    assert run(state, ("list_alarms", {"date": "2026-03-05"}))[1].data["count"] == 0
    assert run(state, ("list_alarms", {"date": "2026-03-06"}))[1].data["count"] == 1
    assert [r["at"][:10] for r in advance(state, "2026-03-07T12:00:00")[1]] == ["2026-03-06", "2026-03-07"]
    assert run(state, ("cancel_alarm", {"time": "06:00"}))[0]["alarms"] == []
    assert status(state, "cancel_alarm", date="2026-03-04") == "not_found"  # it has rung today


def test_a_change_keeps_what_is_not_said():
    state, _ = run(EMPTY, alarm("18:00", label="gym"), alarm("06:00", recurrence="weekdays", label="work"))
    early = run(state, ("change_alarm", {"label": "gym", "new_time": "08:00"}))[1]
    assert early.data["alarm"]["date"] == "2026-03-05"  # eight has passed today
    moved, seen = run(state, ("change_alarm", {"label": "work", "new_time": "morning"}))
    assert seen.data["alarm"]["recurrence"] == "weekdays" and seen.data["alarm"]["time"] == "07:00"
    assert [a["title"] for a in moved["alarms"]] == ["work", "gym"]
    friday = run(state, ("change_alarm", {"label": "gym", "new_time": "08:00", "new_date": "2026-03-06"}))[1]
    assert friday.data["alarm"]["date"] == "2026-03-06"
    late = run(state, ("change_alarm", {"label": "gym", "new_time": "08:00", "new_date": "2026-03-01"}))[1]
    assert late.status == "invalid_argument" and late.data["argument"] == "new_date"


def test_alarms_are_listed_in_the_order_in_which_they_ring():
    state, _ = run(EMPTY, alarm("07:00"), alarm("23:00"), alarm("06:00", recurrence="weekends"))
    listed = run(state, ("list_alarms", {}))[1].data["alarms"]
    assert [i["time"] for i in listed] == ["23:00", "07:00", "06:00"]
    assert status(state, "list_alarms", time="12:00") == "not_found"
    assert run(state, ("list_alarms", {"time": "morning"}))[1].data["count"] == 2
    assert run(EMPTY, ("list_alarms", {}))[1].data == {"count": 0, "alarms": []}


# The passing of time


def test_an_alarm_rings_is_snoozed_and_falls_silent():
    state, _ = run(EMPTY, alarm("09:40"), alarm("10:00", label="tea", recurrence="daily"))
    assert status(state, "snooze") == "not_found"
    state, rang = advance(state, "2026-03-04T09:41:00")
    assert rang == [{"id": "a1", "at": "2026-03-04T09:40:00"}]
    state, snoozed = run(state, ("snooze", {}))
    assert snoozed.status == "snoozed" and snoozed.data["until"] == f"2026-03-04T09:{41 + SNOOZE_MIN}:00"
    assert [a["snoozed"] for a in state["alarms"]] == ["2026-03-04T09:51:00", ""]
    assert status(state, "snooze") == "not_found"
    state, rang = advance(state, "2026-03-04T10:05:00")
    assert [r["at"][11:16] for r in rang] == ["09:51", "10:00"]
    assert [a["title"] for a in state["alarms"]] == ["tea"]  # the other one was heard by nobody
    state, stopped = run(state, ("cancel_alarm", {}))
    assert (
        stopped.status == "stopped" and stopped.data["kept"] == ["a2"] and state["alarms"][0]["ringing"] == ""
    )
    assert advance(state, "2026-03-05T09:59:59")[1] == []


def test_a_snooze_has_a_longest_length_and_takes_whole_minutes():
    state, _ = run(EMPTY, alarm("09:31"))
    state, _ = advance(state, "2026-03-04T09:31:30")
    assert run(state, ("snooze", {"minutes": 5.0}))[0]["alarms"][0]["snoozed"] == "2026-03-04T09:36:30"
    for minutes in (0, -5, 100_000, 0.5, "5", None):
        assert status(state, "snooze", minutes=minutes) == "invalid_argument"


def test_timers_run_are_told_apart_and_ring_once():
    state, _ = run(
        EMPTY,
        ("set_timer", {"seconds": 600, "label": "pasta"}),
        ("set_timer", {"seconds": 90.0}),
        ("set_timer", {"seconds": 25 * 60}),
    )
    assert [t["seconds"] for t in state["timers"]] == [90, 600, 1500]
    state, rang = advance(state, "2026-03-04T09:31:00")
    left = run(state, ("check_timer", {}))[1].data["timers"]
    assert rang == [] and [t["remaining"] for t in left] == [30, 540, 1440]
    assert status(state, "cancel_timer") == "ambiguous"
    for words in ("25 minute timer", "twenty five minutes", "25-minute"):
        assert run(state, ("check_timer", {"label": words}))[1].data["timers"][0]["seconds"] == 1500
    assert status(state, "check_timer", label="eggs") == "not_found"
    state, rang = advance(state, "2026-03-04T09:32:00")
    assert rang == [{"id": "t2", "at": "2026-03-04T09:31:30"}]
    state, gone = run(state, ("cancel_timer", {}))  # the one that rings
    assert gone.status == "deleted" and gone.data["timer"]["id"] == "t2"
    state, _ = run(state, ("cancel_timer", {"label": "the pasta timer"}))
    assert [t["id"] for t in state["timers"]] == ["t3"]
    assert status(EMPTY, "set_timer", seconds=400_000) == "invalid_argument"
    assert status(EMPTY, "check_timer") == status(EMPTY, "cancel_timer") == "not_found"


def test_time_does_not_run_back():
    with pytest.raises(ValueError):
        advance(EMPTY, "2026-03-04T09:29:59")
    assert advance(EMPTY, NOW) == (EMPTY, [])


def test_an_unknown_tool_gets_the_names_that_exist_and_abstaining_changes_nothing():
    state, seen = run(EMPTY, ("make_coffee", {}))
    assert seen.status == "unsupported" and "set_alarm" in seen.data["tools"] and state is EMPTY
    state, seen = run(EMPTY, ("out_of_scope", {}))
    assert seen.status == "unsupported" and seen.data["abstained"] and state is EMPTY


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


def test_a_clock_at_the_end_of_the_accepted_years_still_answers():
    rng = random.Random(5)
    for _ in range(20):
        state = DOMAIN.initial_state(rng, "2199-12-31T23:30:00")
        for _ in range(60):
            state, observation = step(state, random_call(rng, state))
            assert observation.status in STATUSES


def random_call(rng, state):
    """A call that is well-formed more often than not, with values that collide."""
    tool = rng.choice(DOMAIN.tools)
    items = state["alarms"] + state["timers"]
    arguments = {}
    needed = {rng.choice(g) for g in DOMAIN.needs.get(tool.name, ())}
    for a in tool.arguments:
        if not (a.name in needed and rng.random() < 0.95) and rng.random() > 0.2:
            continue
        if rng.random() < 0.02:
            arguments[a.name] = rng.choice((None, "", -1, 1.5, [], {}, "2026-13-01", "x" * 1000, math.inf))
        elif a.type == "date":
            arguments[a.name] = iso_date(ordinal(state["now"][:10]) + rng.randrange(-1, 12))
        elif a.type == "time":
            known = [i["time"] for i in state["alarms"]] or ["07:00"]
            arguments[a.name] = rng.choice(
                ("morning", "night", CLOCK_TEXT[rng.randrange(96) * 15], rng.choice(known))
            )
        elif a.type in ("minutes", "delay", "seconds"):
            arguments[a.name] = rng.choice((1, 2, 5, 10.0, 30, 600, 5000))
        elif a.choices:
            arguments[a.name] = rng.choice(a.choices)
        else:
            known = [i["title"] for i in items if i["title"]] or ["gym"]
            arguments[a.name] = rng.choice(known) if rng.random() < 0.6 else rng.choice(POOLS["timer_nouns"])
    return Call(tool.name if rng.random() < 0.99 else "nonsense", arguments)


def check_state(state):
    """What holds in every state."""
    items = state["alarms"] + state["timers"]
    numbers = [int(i["id"][1:]) for i in items]
    assert len(set(numbers)) == len(numbers) and all(n < state["next_id"] for n in numbers)
    assert state["alarms"] == sorted(state["alarms"], key=lambda a: (a["time"], int(a["id"][1:])))
    assert state["timers"] == sorted(state["timers"], key=lambda t: (t["ends"], int(t["id"][1:])))
    now = seconds_of(state["now"])
    for item in state["alarms"]:
        assert not (item["ringing"] and item["snoozed"])
        assert item["ringing"] or next_ring(item, now) > now, "it will never ring"
    for item in items:
        if item["ringing"]:
            assert seconds_of(item["ringing"]) <= now < seconds_of(item["ringing"]) + RING_S
    assert all((seconds_of(t["ends"]) <= now) == bool(t["ringing"]) for t in state["timers"])


def check_step(state, call):
    """One step with all its invariants; returns the state after it and the status."""
    frozen = state_hash(state)
    after, seen = step(state, call)
    assert state_hash(state) == frozen, "step changed its input"
    assert seen.status in STATUSES
    assert (seen.status == "missing_argument") == bool(DOMAIN.missing(call))
    check_state(after)
    was, kept = state["alarms"] + state["timers"], after["alarms"] + after["timers"]
    new = [i for i in kept if i not in was]
    gone = {i["id"] for i in was} - {i["id"] for i in kept}
    if call.name in READS or seen.status not in ("created updated deleted cleared stopped snoozed".split()):
        assert after is state
    elif seen.status == "created":
        (shown,) = seen.data.values()
        assert [i["id"] for i in new] == [shown["id"]] and not gone and not shown["ringing"]
        check_created(after, shown)
    elif seen.status == "updated":
        assert [i["id"] for i in new] in ([seen.data["alarm"]["id"]], []) and not gone
        assert seen.data["alarm"]["ringing"] is False and seen.data["alarm"]["snoozed_until"] == ""
    elif seen.status == "snoozed":
        ringing = [a["id"] for a in state["alarms"] if a["ringing"]]
        assert [i["id"] for i in new] == ringing != [] and not gone
        assert all(a["snoozed"] == seen.data["until"] for a in new)
        assert not any(a["ringing"] for a in after["alarms"])
    elif "timer" in seen.data:
        assert gone == {seen.data["timer"]["id"]} and not new
    else:
        found = seen.data["count"]
        assert len(gone) + len(seen.data["kept"]) == found > 0
        assert {i["id"] for i in new} <= set(seen.data["kept"])
        assert seen.status != "stopped" or not any(a["ringing"] for a in after["alarms"])
    if seen.status == "ambiguous":
        assert seen.data["count"] >= 2 and len({c["id"] for c in seen.data["candidates"]}) >= 2
    return after, seen.status


def check_created(after, shown):
    if "seconds" in shown:
        assert shown["remaining"] == shown["seconds"]
        return
    asked = {"time": shown["time"], "date": shown["date"]}
    if shown["label"]:
        asked["label"] = shown["label"]
    listed = step(after, Call("list_alarms", asked))[1]
    assert listed.data["count"] > 20 or shown["id"] in [i["id"] for i in listed.data["alarms"]]


def check_advance(rng, state, rung):
    """Lets some time pass, in one step and in two; nothing rings twice, too early or too late."""
    now = seconds_of(state["now"])
    until = now + rng.choice((1, 60, 600, 3600, 86_400, 200_000))
    after, rang = advance(state, iso_of(until))
    halfway, first = advance(state, iso_of(rng.randrange(now, until + 1)))
    again, second = advance(halfway, iso_of(until))
    assert (again, first + second) == (after, rang)
    check_state(after)
    names = {i["id"] for i in state["alarms"] + state["timers"]}
    for ring in rang:
        assert ring["id"] in names and now < seconds_of(ring["at"]) <= until
        assert (ring["id"], ring["at"]) not in rung, "it rang twice"
        rung.add((ring["id"], ring["at"]))
    due = {a["id"] for a in state["alarms"] if not a["ringing"] and next_ring(a, now) <= until}
    due |= {t["id"] for t in state["timers"] if now < seconds_of(t["ends"]) <= until}
    assert due <= {r["id"] for r in rang}
    return after


def walk(seed, steps):
    """Random calls and moments, a fresh state every hundred; every status must have come up."""
    rng = random.Random(seed)
    seen = set()
    for number in range(steps):
        if number % 100 == 0:
            state, rung = DOMAIN.initial_state(rng, NOW), set()
        if rng.random() < 0.3:
            state = check_advance(rng, state, rung)
        state, answered = check_step(state, random_call(rng, state))
        seen.add(answered)
    assert seen == STATUSES


def test_ten_thousand_random_steps():
    walk(0, 10_000)


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("FERNJAX_LONG") != "1", reason="a million steps run with FERNJAX_LONG=1")
def test_a_million_random_steps():
    walk(1, 1_000_000)


def test_seeded_clocks_are_believable_and_some_ring():
    states = [DOMAIN.initial_state(random.Random(seed), NOW) for seed in range(200)]
    for seed, state in enumerate(states):
        assert state == DOMAIN.initial_state(random.Random(seed), NOW) == json.loads(json.dumps(state))
        check_state(state)
        assert 1 <= len(state["alarms"]) <= 8 and len(state["timers"]) <= 3 and state["now"] == NOW
    assert 40 < sum(any(a["ringing"] for a in s["alarms"]) for s in states) < 110
    assert 10 < sum(any(a["snoozed"] for a in s["alarms"]) for s in states) < 60
    with pytest.raises(ValueError):
        DOMAIN.initial_state(random.Random(0), "now")


def test_the_same_calls_give_the_same_bytes_in_any_process():
    prints = digest_in_processes(__file__, NOW)
    assert len(prints) == 1 and len(prints.pop()) == 64


def test_a_step_leaves_what_it_was_given_alone():
    state = DOMAIN.initial_state(random.Random(3), NOW)
    copied = copy.deepcopy(state)
    run(state, ("cancel_all_alarms", {}), ("snooze", {}), ("cancel_timer", {}), alarm("07:00"))
    advance(state, "2026-03-20T00:00:00")
    assert state == copied


# The phrasing


def test_sentences_vary_say_every_argument_and_are_seldom_dropped():
    generator = Generator(DOMAIN, Recipe({b: 1.0 for b in BUCKETS if b != "multi_call"}), 1)
    made = [generator.scenario(i) for i in range(3000)]
    said = {(t, a) for s in made for call in s.row.calls for t, args in call.items() for a in args}
    assert {(t.name, a.name) for t in DOMAIN.tools for a in t.arguments} <= said
    skeletons: dict[str, set[str]] = {}
    for s in made:
        skeletons.setdefault(next(iter(s.row.calls[0])), set()).add(s.skeleton)
    assert all(len(skeletons[t.name]) >= 60 for t in DOMAIN.tools), {t: len(v) for t, v in skeletons.items()}
    assert generator.dropped["ungrounded"] < 0.05 * generator.sampled
    assert sum(next(iter(s.row.calls[0])) == OUT_OF_SCOPE for s in made) > 300


def test_pools_are_wide_and_without_doubles():
    assert all(len(values) >= 60 and len(set(values)) == len(values) for values in POOLS.values())
    assert all(v == v.strip().lower() and v for values in POOLS.values() for v in values)
