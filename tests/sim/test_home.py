"""The smart home: what each tool answers, what holds whatever is called, and how it is asked."""

import collections
import copy
import hashlib
import json
import math
import os
import random
import re
import subprocess
import sys

import hypothesis.strategies as st
import pytest
from any_call import ANYTHING
from hypothesis import HealthCheck, given, settings

from fernjax.sim import pools
from fernjax.sim.domains.home import DOMAIN
from fernjax.sim.domains.home.app import LIMITS, MAX_JOBS, step
from fernjax.sim.domains.home.words import COLORS, DEVICES, DRINKS, POOLS, ROOMS
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import OUT_OF_SCOPE, Call
from fernjax.sim.world import state_hash

NOW = "2026-03-04T09:30:00"  # a Wednesday
STATUSES = set(
    "updated found started scheduled not_found ambiguous missing_argument invalid_argument "
    "unsupported".split()
)
READS = {t.name for t in DOMAIN.tools if t.reads}


def light(number, title, room, **more):
    plain = {"on": True, "dims": True, "level": 50, "colors": False, "color": "warm white"}
    return {"id": f"d{number}", "title": title, "kind": "light", "room": room, **plain, **more}


def switched(number, title, room, kind="appliance", on=False):
    return {"id": f"d{number}", "title": title, "kind": kind, "room": room, "on": on}


def thermostat(number, room):
    plain = {"title": "thermostat", "kind": "thermostat", "on": True, "degrees": 70, "measured": 68}
    return {"id": f"d{number}", "room": room, **plain}


HOME = {
    "now": NOW,
    "next_id": 20,
    "unit": "fahrenheit",
    "here": "office",
    "rooms": [
        {"id": "r1", "title": "kitchen", "floor": "downstairs"},
        {"id": "r2", "title": "living room", "floor": "downstairs"},
        {"id": "r3", "title": "bedroom", "floor": "upstairs"},
        {"id": "r4", "title": "office", "floor": "upstairs"},
    ],
    "devices": [
        light(1, "ceiling light", "kitchen"),
        light(2, "floor lamp", "living room", colors=True),
        light(3, "light", "bedroom", on=False, level=80),
        light(4, "desk lamp", "office", dims=False, level=100),
        switched(5, "fan", "bedroom", "fan"),
        switched(6, "tower fan", "office", "fan"),
        switched(7, "tv", "living room", "tv", on=True),
        switched(8, "tv plug", "living room", "plug"),
        switched(9, "kettle", "kitchen"),
        thermostat(10, "living room"),
        thermostat(11, "bedroom"),
        {"id": "d12", "title": "vacuum", "kind": "vacuum", "room": "", "on": False, "cleaning": ""},
        {
            "id": "d13",
            "title": "coffee machine",
            "kind": "coffee",
            "room": "kitchen",
            "on": False,
            "drink": "",
            "drinks": ["coffee", "espresso", "double espresso", "latte"],
        },
        {"id": "d14", "title": "front door", "kind": "lock", "room": "", "locked": True},
    ],
    "jobs": [],
}


def ask(name, state=HOME, **arguments):
    return step(state, Call(name, arguments))


def status(name, state=HOME, **arguments):
    return ask(name, state, **arguments)[1].status


def device(state, number):
    return next(d for d in state["devices"] if d["id"] == f"d{number}")


def shown_ids(observation):
    return [int(d["id"][1:]) for d in observation.data["devices"]]


# What each tool answers


@pytest.mark.parametrize(
    "words, room, meant",
    [
        ("light", "", [1, 2, 3, 4]),
        ("lights", "kitchen", [1]),
        ("all light", "", [1, 2, 3, 4]),
        ("kitchen light", "", [1]),
        ("the living room lamp", "", [2]),
        ("floor lamp", "", [2]),
        ("lamp", "office", [4]),
        ("light", "here", [4]),
        ("light", "upstairs", [3, 4]),
        ("light", "the whole house", [1, 2, 3, 4]),
        ("tv", "", [7]),
        ("television", "lounge", [7]),
        ("smart plug", "", [8]),
        ("tower fan", "", [6]),
        ("fan", "bedroom", [5]),
        ("heating", "", [10, 11]),
        ("thermostat", "bedroom", [11]),
        ("everything", "bedroom", [3, 5]),
        ("ac", "living room", [10]),
    ],
)
def test_words_mean_devices(words, room, meant):
    arguments = {"device": words, **({"room": room} if room else {})}
    state, observation = ask("turn_on", **arguments)
    assert observation.status == "updated" and shown_ids(observation) == meant
    assert all(device(state, n)["on"] for n in meant)


def test_of_several_that_are_no_group_none_is_chosen():
    after, refused = ask("turn_off", device="lamp")
    assert after is HOME and refused.status == "ambiguous"
    assert [c["title"] for c in refused.data["candidates"]] == ["floor lamp", "desk lamp"]
    assert status("turn_on", device="fan") == "updated"  # the one called just that
    assert status("turn_on", device="both fan") == "updated"


def test_a_wrong_name_gets_those_that_exist():
    _, refused = ask("turn_on", device="radio")
    assert refused.status == "not_found" and "kettle" in refused.data["devices"]
    _, refused = ask("turn_on", device="light", room="attic")
    assert refused.status == "not_found" and refused.data["rooms"] == [
        "kitchen",
        "living room",
        "bedroom",
        "office",
    ]
    _, refused = ask("dim", room="attic")
    assert refused.data["room"] == "attic" and "kitchen" in refused.data["rooms"]
    assert ask("turn_on", device="kettle", room="bedroom")[1].data["devices"] == [
        "fan",
        "light",
        "thermostat",
    ]


def test_vacuum_coffee_machine_and_locks_have_tools_of_their_own():
    for words, use in (
        ("roomba", "start_vacuum"),
        ("coffee maker", "make_coffee"),
        ("front door", "get_status"),
    ):
        after, refused = ask("turn_on", device=words)
        assert after is HOME and refused.status == "unsupported" and refused.data["use"] == use
    running, _ = ask("start_vacuum", room="kitchen")
    stopped, observation = ask("turn_off", running, device="vacuum cleaner")
    assert observation.status == "updated" and stopped["devices"] == HOME["devices"]
    assert status("turn_off", device="front door") == "unsupported"


def test_brightness_is_set_shifted_and_clamped():
    state, observation = ask("set_brightness", percent=30, room="kitchen")
    assert device(state, 1)["level"] == 30 and observation.data["changed"] == ["d1"]
    assert device(ask("brighten", state, room="kitchen")[0], 1)["level"] == 50
    assert device(ask("brighten", state, room="kitchen", percent=90)[0], 1)["level"] == 100
    assert device(ask("dim", state, room="kitchen", percent=5)[0], 1)["level"] == 25
    dark, observation = ask("dim", state, room="kitchen", percent=80)
    assert not device(dark, 1)["on"] and "level" not in observation.data["devices"][0]
    back, _ = ask("turn_on", dark, device="kitchen light")
    assert device(back, 1)["level"] == 30  # as it was before it went dark
    assert device(ask("brighten", room="bedroom", percent=15)[0], 3) == {
        **device(HOME, 3),
        "on": True,
        "level": 15,
    }
    assert ask("dim", room="bedroom")[1].data["count"] == 0  # nothing is on there
    _, refused = ask("set_brightness", percent=30, room="office")
    assert refused.status == "unsupported" and refused.data["why"] == "does not dim"
    _, refused = ask("set_brightness", percent=12.5)
    assert refused.status == "invalid_argument" and refused.data["argument"] == "percent"


def test_a_colour_is_refused_by_a_lamp_that_has_none():
    state, observation = ask("set_color", color="the Blue", room="living room")
    assert device(state, 2)["color"] == "blue" and observation.data["devices"][0]["color"] == "blue"
    after, refused = ask("set_color", color="blue", room="kitchen")
    assert after is HOME and refused.status == "unsupported"
    assert [d["title"] for d in refused.data["able"]] == ["floor lamp"]
    assert ask("set_color", color="blue")[1].data["count"] == 1  # of all lights, the one that can
    _, refused = ask("set_color", color="xyzzy")
    assert refused.status == "invalid_argument" and refused.data["argument"] == "color"


def test_the_vacuum_starts_or_waits_for_its_time():
    state, observation = ask("start_vacuum", room="living room")
    assert observation.data["devices"][0]["cleaning"] == "living room" and device(state, 12)["on"]
    assert ask("start_vacuum", time="09:30")[1].status == "started"
    for arguments, date, time in (
        ({"time": "10:00"}, "2026-03-04", "10:00"),
        ({"time": "09:00"}, "2026-03-05", "09:00"),
        ({"time": "morning"}, "2026-03-04", "morning"),
        ({"date": "2026-03-09"}, "2026-03-09", ""),
        ({"date": "2026-03-09", "time": "evening"}, "2026-03-09", "evening"),
    ):
        state, observation = ask("start_vacuum", room="kitchen", **arguments)
        job = observation.data["job"]
        assert observation.status == "scheduled" and state["jobs"] == [job]
        assert (job["room"], job["date"], job["time"]) == ("kitchen", date, time)
        again, observation = ask("start_vacuum", state, room="kitchen", **arguments)
        assert again is state and observation.data["job"] == job
    assert ask("start_vacuum", date="2026-03-03")[1].data["argument"] == "date"
    assert ask("start_vacuum", date="2026-03-04", time="08:00")[1].data["argument"] == "time"
    assert status("start_vacuum", room="attic") == "not_found"


def test_no_more_than_a_hundred_jobs_wait():
    state = HOME
    for minute in range(MAX_JOBS):
        state, observation = ask("make_coffee", state, date="2026-03-09", time=f"08:{minute % 60:02d}")
        if minute >= 60:
            state, observation = ask("make_coffee", state, date="2026-03-10", time=f"08:{minute % 60:02d}")
    for minute in range(60):
        state, observation = ask("make_coffee", state, date="2026-03-11", time=f"08:{minute:02d}")
    assert len(state["jobs"]) == MAX_JOBS and observation.status == "unsupported"


@pytest.mark.parametrize(
    "words, drink",
    [
        (None, "coffee"),
        ("a cup of coffee", "coffee"),
        ("fresh coffee", "coffee"),
        ("large latte", "latte"),
        ("Espresso", "espresso"),
        ("a double espresso", "double espresso"),
        ("mocha", None),
        ("iced tea", None),
    ],
)
def test_the_coffee_machine_makes_what_it_has(words, drink):
    state, observation = ask("make_coffee", **({} if words is None else {"drink": words}))
    if drink is None:
        assert observation.status == "not_found" and "latte" in observation.data["drinks"] and state is HOME
    else:
        assert observation.status == "started" and device(state, 13)["drink"] == drink


def test_temperatures_take_the_unit_that_makes_sense():
    for degrees, unit, target in (
        (72, "", 72),
        (21, "", 69.8),
        (20.0, "celsius", 68),
        (65, "fahrenheit", 65),
    ):
        state, observation = ask("set_temperature", degrees=degrees, **({"unit": unit} if unit else {}))
        assert observation.status == "updated" and device(state, 10)["degrees"] == target
        assert isinstance(device(state, 10)["degrees"], float) == (target == 69.8)
    one, _ = ask("set_temperature", degrees=66, room="bedroom")
    assert (device(one, 10)["degrees"], device(one, 11)["degrees"]) == (70, 66)
    for arguments in ({"degrees": 350}, {"degrees": 38}, {"degrees": 72, "unit": "celsius"}):
        after, refused = ask("set_temperature", **arguments)
        assert after is HOME and refused.data["argument"] == "degrees"
    _, refused = ask("set_temperature", degrees=70, room="kitchen")
    assert refused.status == "not_found" and refused.data["rooms"] == ["living room", "bedroom"]


def test_status_tells_and_changes_nothing():
    for arguments, ids in (
        ({"device": "lights"}, [1, 2, 3, 4]),
        ({"device": "lamp"}, [2, 4]),
        ({"device": "doors"}, [14]),
        ({"device": "temperature"}, [10, 11]),
        ({"room": "bedroom"}, [3, 5, 11]),
        ({}, [1, 2, 4, 7, 10, 11]),
    ):
        after, observation = ask("get_status", **arguments)
        assert after is HOME and observation.status == "found" and shown_ids(observation) == ids
    waiting, _ = ask("make_coffee", time="10:00", drink="latte")
    assert ask("get_status", waiting, device="coffee maker")[1].data["scheduled"][0]["title"] == "latte"
    assert status("get_status", device="submarine") == "not_found"
    off = ask("get_status", device="light", room="bedroom")[1].data["devices"][0]
    assert off["on"] is False and "level" not in off and "color" not in off


def test_missing_arguments_are_named_as_the_domain_names_them():
    for name, arguments, missing in (
        ("turn_on", {"room": "kitchen"}, ["device"]),
        ("turn_off", {}, ["device"]),
        ("set_brightness", {"room": "kitchen"}, ["percent"]),
        ("set_color", {}, ["color"]),
        ("set_temperature", {"unit": "celsius"}, ["degrees"]),
        ("brighten", {}, []),
        ("dim", {}, []),
        ("start_vacuum", {}, []),
        ("make_coffee", {}, []),
        ("get_status", {}, []),
    ):
        observation = ask(name, **arguments)[1]
        assert list(DOMAIN.missing(Call(name, arguments))) == missing
        assert observation.data.get("missing", []) == missing


@pytest.mark.parametrize(
    "name, argument, value",
    [
        ("set_brightness", "percent", 101),
        ("set_brightness", "percent", True),
        ("set_brightness", "percent", "40"),
        ("dim", "percent", -1),
        ("dim", "percent", math.nan),
        ("brighten", "percent", 10**400),
        ("turn_on", "device", None),
        ("turn_on", "device", " ?! "),
        ("turn_on", "device", "x" * 100_000),
        ("turn_off", "device", "bad \ud800"),
        ("set_temperature", "degrees", math.inf),
        ("set_temperature", "unit", "kelvin"),
        ("start_vacuum", "time", "noonish"),
        ("make_coffee", "date", "2026-02-30"),
        ("get_status", "devise", "tv"),
    ],
)
def test_an_invalid_argument_is_named_with_why(name, argument, value):
    needed = {"set_temperature": {"degrees": 70}}.get(name, {})
    after, observation = ask(name, **{**needed, argument: value})
    assert after is HOME and observation.status == "invalid_argument"
    assert observation.data["argument"] == argument and observation.data["why"]


def test_numbers_are_canonical():
    for name, key, value in (("set_brightness", "percent", 25), ("set_temperature", "degrees", 70)):
        whole, point = ask(name, **{key: value}), ask(name, **{key: float(value)})
        assert json.dumps(whole[0]) == json.dumps(point[0]) and whole[1] == point[1]


def test_an_unknown_tool_gets_the_names_that_exist_and_abstaining_changes_nothing():
    state, observation = ask("open_blinds")
    assert observation.status == "unsupported" and "turn_on" in observation.data["tools"] and state is HOME
    state, observation = ask(OUT_OF_SCOPE)
    assert observation.status == "unsupported" and observation.data["abstained"] and state is HOME


# What holds whatever is called

NAMES = st.sampled_from([t.name for t in DOMAIN.tools])
KEYS = (
    st.sampled_from(sorted({a.name for t in DOMAIN.tools for a in t.arguments}))
    | st.none()
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
    """A call that is well-formed more often than not, about what is there more often than not."""
    tool = rng.choice(DOMAIN.tools)
    needed = {g[0] for g in DOMAIN.needs.get(tool.name, ())}
    arguments = {}
    for a in tool.arguments:
        if not (a.name in needed and rng.random() < 0.95) and rng.random() > 0.35:
            continue
        if rng.random() < 0.02:
            arguments[a.name] = rng.choice((None, "", -1, 1.5, [], {}, "2026-13-01", "x" * 1000, math.inf))
        elif a.name in ("device", "room"):
            named = state["devices"] if a.name == "device" else state["rooms"]
            others = (
                ("all light", "lamp", "fan", "everything", "heating", "of the")
                if a.name == "device"
                else ROOMS
            )
            arguments[a.name] = rng.choice(named)["title"] if rng.random() < 0.7 else rng.choice(others)
        elif a.name in ("color", "drink"):
            arguments[a.name] = rng.choice(COLORS if a.name == "color" else (*DRINKS, "coffee", "soup"))
        elif a.type == "date":
            arguments[a.name] = f"2026-03-{rng.randrange(2, 12):02d}"
        elif a.type == "time":
            arguments[a.name] = rng.choice(("morning", "night", "09:30", f"{rng.randrange(24):02d}:00"))
        elif a.type == "degrees":
            arguments[a.name] = rng.choice((18, 21.5, 24.0, 68, 72, 80, 350))
        elif a.type == "percent":
            arguments[a.name] = rng.choice((0, 1, 10, 25.0, 50, 100, 33))
        else:
            arguments[a.name] = rng.choice(a.choices)
    return Call(tool.name if rng.random() < 0.99 else "nonsense", arguments)


def check_step(state, call):
    """One step with all its invariants; returns the state after it and the status."""
    frozen = state_hash(state)
    after, observation = step(state, call)
    assert state_hash(state) == frozen, "step changed its input"
    assert observation.status in STATUSES
    assert (observation.status == "missing_argument") == bool(DOMAIN.missing(call))
    ids = [i["id"] for i in after["devices"] + after["jobs"]]
    assert len(set(ids)) == len(ids) and all(int(i[1:]) < after["next_id"] for i in ids)
    fixed = [(d["id"], d["title"], d["kind"], d["room"]) for d in state["devices"]]
    assert [(d["id"], d["title"], d["kind"], d["room"]) for d in after["devices"]] == fixed
    if call.name in READS or observation.status not in ("updated", "started", "scheduled"):
        assert after is state
    else:
        again, second = step(after, call)  # asked twice is asked once, but for a shift by so much
        if call.name not in ("brighten", "dim"):
            assert again == after and second.data.get("changed", []) == []
        check_change(state, after, call, observation)
    for d in after["devices"]:
        check_device(d, after["unit"])
    for shown in observation.data.get("devices", []) if observation.status in ("updated", "found") else []:
        assert shown["on"] if "level" in shown else True
    return after, observation.status


def check_change(state, after, call, observation):
    if observation.status == "scheduled":
        assert after["devices"] == state["devices"] and observation.data["job"] in after["jobs"]
        assert observation.data["job"]["date"] >= NOW[:10]
        return
    pairs = zip(state["devices"], after["devices"], strict=True)
    assert observation.data["changed"] == [a["id"] for b, a in pairs if a != b]
    meant = {d["id"] for d in observation.data["devices"]}
    if observation.data["count"] <= 20:
        assert set(observation.data["changed"]) <= meant
    if call.name in ("turn_on", "turn_off"):
        assert all(d["on"] == (call.name == "turn_on") for d in after["devices"] if d["id"] in meant)
        check_toggle(after, call)
    elif call.name in ("brighten", "dim"):
        sign = 1 if call.name == "brighten" else -1
        for was, now in zip(state["devices"], after["devices"], strict=True):
            if now["kind"] == "light":
                assert sign * (now["level"] * now["on"] - was["level"] * was["on"]) >= 0


def check_toggle(state, call):
    """Off and on again, or on and off again, is where it began; levels and colours are kept."""
    other = "turn_off" if call.name == "turn_on" else "turn_on"
    there, seen = step(state, Call(other, call.arguments))
    if seen.status == "updated":
        back, _ = step(there, call)
        assert back["devices"] == state["devices"] or any(
            d["kind"] in ("vacuum", "coffee") for d in state["devices"] if d["id"] in seen.data["changed"]
        )


def check_device(d, unit):
    if d["kind"] == "light":
        assert isinstance(d["level"], int) and 1 <= d["level"] <= 100
        assert d["dims"] or d["level"] == 100
        assert d["colors"] or d["color"] == "warm white"
    elif d["kind"] == "thermostat":
        low, high = LIMITS[unit]
        assert low <= d["degrees"] <= high
    elif d["kind"] == "coffee":
        assert d["on"] == bool(d["drink"]) and (not d["drink"] or d["drink"] in d["drinks"])
    elif d["kind"] == "vacuum":
        assert d["on"] or not d["cleaning"]


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
def test_a_seeded_home_is_believable(seed):
    state = DOMAIN.initial_state(random.Random(seed), NOW)
    assert state == DOMAIN.initial_state(random.Random(seed), NOW) == json.loads(json.dumps(state))
    rooms = {r["title"] for r in state["rooms"]}
    assert 7 <= len(rooms) <= 10 and state["here"] in rooms
    kinds = collections.Counter(d["kind"] for d in state["devices"])
    assert kinds["light"] >= len(rooms) and kinds["vacuum"] == kinds["coffee"] == 1 and kinds["thermostat"]
    assert {d["room"] for d in state["devices"]} <= rooms | {""}
    for d in state["devices"]:
        check_device(d, state["unit"])
    names = [(d["title"], d["room"]) for d in state["devices"]]
    assert len(set(names)) == len(names)


TRACE = """
import hashlib, json, random
from fernjax.sim.domains.home import DOMAIN
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Call
stream, digest = Generator(DOMAIN, Recipe({"in_distribution": 1.0}), 3), hashlib.sha256()
state = DOMAIN.initial_state(random.Random(3), "2026-03-04T09:30:00")
for index in range(200):
    for call in stream.scenario(index).row.calls:
        for name, arguments in call.items():
            state, seen = DOMAIN.step(state, Call(name, {a: v[0] for a, v in arguments.items()}))
            digest.update(json.dumps([state, seen.to_json()]).encode())
print(digest.hexdigest())
"""


def test_the_same_calls_give_the_same_bytes_in_any_process():
    prints = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", TRACE],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        prints.add(ran.stdout.strip())
    assert len(prints) == 1 and len(prints.pop()) == len(hashlib.sha256().hexdigest())


def test_a_step_leaves_what_it_was_given_alone():
    state = DOMAIN.initial_state(random.Random(3), NOW)
    copied = copy.deepcopy(state)
    for name, arguments in (
        ("turn_off", {"device": "everything"}),
        ("set_color", {"color": "red"}),
        ("make_coffee", {"time": "10:00"}),
        ("set_temperature", {"degrees": 68}),
        ("dim", {"percent": 100}),
    ):
        assert ask(name, state, **arguments)[1].status in ("updated", "scheduled")
    assert state == copied


# How it is asked


def test_pools_are_wide_and_distinct():
    assert set(POOLS) == {"rooms", "devices", "colors", "drinks", "lamps", "moods"}
    for name, values in POOLS.items():
        assert len(values) >= {"rooms": 40, "devices": 60, "colors": 60}.get(name, 25)
        assert len(set(values)) == len(values)
        assert sum(pools.is_held_out(v) for v in values) >= 2, f"{name} has no values to hold out"
    assert not set(DEVICES) & set(ROOMS)


def stream(bucket, count, seed=1, **more):
    generator = Generator(DOMAIN, Recipe({bucket: 1.0}, **more), seed)
    return generator, [generator.scenario(i) for i in range(count)]


def test_few_sentences_are_dropped_and_few_are_worded_alike():
    for bucket in ("in_distribution", "messy"):
        generator, made = stream(bucket, 600)
        assert sum(generator.dropped.values()) / generator.sampled < 0.05, generator.dropped
        assert len({s.skeleton for s in made}) > 500


def test_every_argument_is_asked_with_and_without():
    said = collections.Counter()
    for made in stream("in_distribution", 2500)[1]:
        for call in made.row.calls:
            for name, arguments in call.items():
                said[name] += 1
                said.update((name, a) for a in arguments)
    for tool in DOMAIN.tools:
        if tool.name == OUT_OF_SCOPE:
            continue
        assert said[tool.name] >= 80
        for argument in tool.arguments:
            share = said[tool.name, argument.name] / said[tool.name]
            assert 0.01 < share < 1, (tool.name, argument.name, share)


def test_by_is_a_shift_and_to_is_a_level():
    _, made = stream("in_distribution", 2500)
    for scenario in made:
        name, arguments = next(iter(scenario.row.calls[0].items()))
        for slot in scenario.slots:
            before = scenario.row.query.text[: slot.span[0]].lower().split()[-1:]
            if slot.argument == "percent" and before == ["by"]:
                assert name in ("brighten", "dim")
            if slot.argument == "percent" and before == ["to"]:
                assert name == "set_brightness"
        assert not (arguments.get("unit") and not arguments.get("degrees"))


def test_requests_hold_the_words_that_natural_negatives_lack():
    _, made = stream("in_distribution", 1500)
    business = re.compile(rf"\b(?:{DOMAIN.keywords})", re.IGNORECASE)
    without = [s.row.query.text for s in made if not business.search(s.row.query.text)]
    assert len(without) / len(made) < 0.03, without[:20]
