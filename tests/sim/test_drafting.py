import json
import pathlib
import random
import re
import time
import types

import hypothesis
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from fernjax.loop import commands
from fernjax.loop.draft import write_domain
from fernjax.sim import domains
from fernjax.sim.drafting import draft_module, module
from fernjax.sim.drafting.arguments import find_examples
from fernjax.sim.drafting.verbs import read_verb, split_name
from fernjax.sim.pools import plain_sentences
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, Call, UserError
from fernjax.sim.world import State, domain_names, load_domain

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


HOTEL = [
    tool(
        "book_room",
        "Book a room for some nights.",
        ["start_date"],
        room_type={"type": "string", "enum": ["single", "double", "suite"]},
        guest_name={"type": "string", "description": "Who stays."},
        start_date={"type": "string", "format": "date"},
        end_date={"type": "string", "format": "date"},
        guests={"type": "integer", "description": "How many people."},
    ),
    tool(
        "requestService",
        "Ask for something to be brought.",
        ["service"],
        service={"type": "string", "description": "What is wanted, such as extra towels or a taxi."},
        room_number={"type": "integer"},
    ),
    tool("find_guest", "Returns the room of a guest.", ["guest"], guest={"type": "string"}),
    tool("cancel_booking", None, [], booking_id={"type": "string", "description": None}),
    tool("report_issue", "", ["issue"], issue={"type": "string", "enum": ["noisy", "too_cold"]}),
]
PLANTS = [
    tool(
        "water_plant",
        "Record that a plant was watered.",
        ["plant"],
        plant={"type": "string"},
        amount_ml={"type": "integer"},
    ),
    tool("list_plants", "Show the plants.", [], room={"type": "string"}),
    tool(
        "set_schedule",
        "Set how often a plant is watered.",
        ["plant", "recurrence"],
        plant={"type": "string"},
        recurrence={"type": "string", "enum": ["daily", "weekly"]},
    ),
]


@pytest.mark.parametrize("tools", [HOTEL, PLANTS], ids=["hotel", "plants"])
def test_other_tool_sets_are_spoken_of_as_well(tools):
    domain = load(draft_module("own", tools))
    g = Generator(domain, Recipe(buckets={"in_distribution": 1.0, "multi_call": 0.3, OUT_OF_SCOPE: 0.3}), 0)
    scenarios = [g.scenario(i) for i in range(500)]
    arguments = {(n, a) for s in scenarios for c in s.row.calls for n, given in c.items() for a in given}
    assert arguments == {(t.name, a.name) for t in domain.tools for a in t.arguments}
    assert g.dropped.total() - g.dropped["happy"] < 0.15 * g.sampled, g.dropped
    given = [(n, v) for s in scenarios for c in s.row.calls for n, v in c.items()]
    assert all(v in ("daily", "weekly") for _, a in given for v in a.get("recurrence", ()))


WEATHER = [
    tool(
        "get-current-weather",
        "Get the current weather in a given location",
        ["location"],
        location={"type": "string", "description": "The city and state, e.g. San Francisco, CA"},
        unit={"type": ["string", "null"], "enum": ["celsius", "fahrenheit", None]},
    ),
    {
        "name": "places.search",
        "description": "Search for places near a location.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "radiusKm": {"type": "number"},
                "features": {"type": "array", "items": {"type": "string", "enum": ["wifi", "free_parking"]}},
                "box": {"type": "object", "properties": {"north": {"type": "number"}}},
                "version": {"const": 2},
            },
            "required": ["query", "version"],
        },
    },
    {
        "name": "convertCurrency",
        "description": "Convert money.",
        "parameters": {
            "type": "dict",
            "properties": {
                "amount": {"type": "float"},
                "to_currency": {"type": "string", "description": "ISO 4217 code"},
            },
            "required": ["amount"],
        },
    },
]
TABLES = {
    "tools": [
        {
            "name": "reserve_table",
            "description": "Reserve a table at a restaurant.",
            "input_schema": {
                "type": "object",
                "$defs": {"Meal": {"enum": ["lunch", "dinner"]}},
                "properties": {
                    "restaurant": {"type": "string"},
                    "dateTime": {"type": "string", "description": "ISO 8601 date and time"},
                    "partySize": {"type": "integer"},
                    "meal": {"$ref": "#/$defs/Meal"},
                },
                "required": ["restaurant", "dateTime"],
            },
        },
        tool(
            "rent_parking_spot",
            "Rent a parking spot.",
            ["duration_hours"],
            start={"type": "string", "format": "date-time"},
            end={"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
            duration_hours={"type": "number", "default": 2},
        ),
        tool(
            "log_ride",
            "Record a ride.",
            [],
            date={"type": "string", "description": "YYYY-MM-DD"},
            distance_km={"type": "number"},
            cost={"type": "number"},
        ),
        tool("close_issue", "", ["issue_number"], issue_number={"type": "integer"}),
        tool("toggle_lights", "Turn the lights on or off.", ["enabled"], enabled={"type": "boolean"}),
        tool("add_to_cart", "", ["item"], item={"type": "string"}),
    ]
}


@pytest.mark.parametrize("tools", [WEATHER, TABLES], ids=["weather", "tables"])
def test_tools_as_they_are_found_are_spoken_of(tools):
    domain = load(draft_module("own", tools))
    g = Generator(domain, Recipe(buckets={"in_distribution": 1.0, "multi_call": 0.2, OUT_OF_SCOPE: 0.2}), 0)
    scenarios = [g.scenario(i) for i in range(500)]
    arguments = {(n, a) for s in scenarios for c in s.row.calls for n, given in c.items() for a in given}
    assert arguments == {(t.name, a.name) for t in domain.tools for a in t.arguments}
    assert g.dropped.total() < 0.1 * g.sampled, g.dropped
    for s in scenarios:
        state = domain.initial_state(random.Random(0), s.row.query.now)
        for call in s.row.calls:
            for name, given in call.items():
                values = {a: v[0] for a, v in given.items() if v[0] != ""}
                state, answer = domain.step(state, Call(name, values))
                assert answer.status != "invalid_argument", (s.row.query.text, values, answer)


def test_types_of_tools_as_they_are_found():
    types_ = {
        f"{t.name}.{a.name}": a.type
        for tools in (WEATHER, TABLES)
        for t in load(draft_module("own", tools)).tools
        for a in t.arguments
    }
    assert types_ == {
        "get-current-weather.location": "text",
        "get-current-weather.unit": "choice",
        "places.search.query": "text",
        "places.search.radiusKm": "number",
        "places.search.features": "texts",
        "convertCurrency.amount": "amount",
        "convertCurrency.to_currency": "currency",
        "reserve_table.restaurant": "text",
        "reserve_table.dateTime": "datetime",
        "reserve_table.partySize": "number",
        "reserve_table.meal": "choice",
        "rent_parking_spot.start": "datetime",
        "rent_parking_spot.end": "end_datetime",
        "rent_parking_spot.duration_hours": "hours",
        "log_ride.date": "date",
        "log_ride.distance_km": "number",
        "log_ride.cost": "amount",
        "close_issue.issue_number": "number",
        "toggle_lights.enabled": "choice",
        "add_to_cart.item": "text",
    }


def test_a_list_of_anything_is_one_of_texts_and_one_of_several_forms_is_left_out():
    kinds = {"a": {"type": "array", "items": True}, "b": {"type": "array", "items": [{"type": "string"}]}}
    source = draft_module("own", [tool("ping", **kinds)])
    assert [(a.name, a.type) for a in load(source).tools[0].arguments] == [("a", "texts")]
    assert "ping.b is left out: it is a list whose members have a form each" in source


def test_a_draft_holds_the_letters_of_every_plane():
    tools = [tool("ping", "", k={"type": "string", "enum": ["\U0001d4b3\U0001d4b4\U0001d4b5", "a"]})]
    about = 'Pings \U0001f600 "all" \\ of \u2028 \x7f it.'
    source = draft_module("own", {"description": about, "tools": tools})
    source.encode("utf-8")
    domain = load(source)
    assert domain.description == about and "\U0001d4b3\U0001d4b4\U0001d4b5" in domain.keywords


def test_a_drafted_state_keeps_to_stated_bounds():
    stated = {
        "stars": {"type": "integer", "description": "From 1 to 5."},
        "floor": {"type": "integer", "minimum": 70},
        "depth": {"type": "integer", "maximum": -3, "exclusiveMinimum": -6},
        "share": {"type": "number", "minimum": 0.2, "maximum": 0.8},
    }
    domain = load(draft_module("own", [tool("rate_it", "", list(stated), **stated)]))
    drawn: dict[str, set] = {name: set() for name in stated}
    for seed in range(30):
        for record in domain.initial_state(random.Random(seed), NOW)["records"]:
            for name, value in record["arguments"].items():
                drawn[name].add(value)
    assert drawn["stars"] == {1, 2, 3, 4, 5} and drawn["depth"] == {-5, -4, -3}
    assert min(drawn["floor"]) >= 70 and drawn["share"] == {0.2}


def test_what_no_sentence_says_is_left_out_and_named_in_the_draft():
    source = draft_module("own", WEATHER)
    assert "places.search.box is left out: it is an object of its own" in source
    assert "places.search.version is left out: it has one value only" in source
    assert "left out" not in draft_module("own", TABLES).lower()


def test_what_is_logged_lies_behind():
    domain = load(draft_module("own", TABLES))
    assert [t.name for t in domain.tools if t.looks_back] == ["log_ride"]
    g = Generator(domain, Recipe(buckets={"in_distribution": 1.0}), 0)
    rows = [g.scenario(i).row for i in range(300)]
    days = [(v, r.query.now) for r in rows for v in r.calls[0].get("log_ride", {}).get("date", ())[:1]]
    assert len(days) > 10 and all(day <= now[:10] for day, now in days)
    fitness = drafted("fitness")
    assert {"log_workout", "log_weight", "list_workouts", "delete_workout", "get_progress"} == {
        t.name for t in fitness.tools if t.looks_back
    }


def test_wild_tools_sound_like_requests():
    weather = said(WEATHER, "get-current-weather")
    assert not any(
        "my current weather" in s or "given location" in s or " ca" in f" {s} ".split() for s in weather
    )
    assert any(s.startswith(("is it", "how hot", "do i need")) for s in weather), "no question of its own"
    lights = said(TABLES, "toggle_lights")
    assert any("lights on" in s for s in lights) and any("off" in s for s in lights)
    assert any("to my cart" in s for s in said(TABLES, "add_to_cart"))
    assert not any("i'd like to tell me" in s or "tell me do i have" in s for s in weather)


def said(tools, name, count=400):
    """Sentences of one tool as the grammar writes them, without noise."""
    g = Generator(load(draft_module("own", tools)), Recipe(buckets={"in_distribution": 1.0}), 0)
    rows = [g.scenario(i).row for i in range(count)]
    return [r.query.text.lower() for r in rows if list(r.calls[0]) == [name]]


def test_sentences_sound_like_requests():
    fitness = json.loads((OWN_APPS / "fitness.json").read_text())
    weights = " / ".join(said(fitness, "log_weight"))
    assert "an of" not in weights and " a of" not in weights
    listed = said(fitness, "list_workouts")
    assert any("workouts" in s for s in listed) and not any(" a workouts" in s for s in listed)
    assert any(s.startswith(("do i have", "what", "are there", "how many")) for s in listed), "no question"
    assert not any("i want to what" in s or "can you what" in s for s in listed)
    done = said(fitness, "log_workout")
    assert any(s.startswith("i ") and " did " in f" {s} " for s in done), "nothing is reported as done"
    orders = " / ".join(said(json.loads((OWN_APPS / "deliveries.json").read_text()), "cancel_order"))
    assert "order order" not in orders and "don't need" in orders


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


ODD |= {
    "words of every sentence": [tool("set_it", "", ["it"], it={"type": "string"})],
    "nothing to tell": [tool("do", "", ["x"], x={"type": "string"})],
    "nulls": [
        {"type": "function", "function": {"name": "nap", "description": None, "parameters": None}},
    ],
    "names of the draft's own rules": [
        tool(
            "verb_thing",
            "",
            ["verb", "the"],
            verb={"type": "string"},
            the={"type": "string"},
            thing={"type": "string"},
            noun={"type": "string"},
            ask={"type": "string"},
            say_ask={"type": "string"},
        )
    ],
    "values that no grammar can write": [
        tool("pick", "", [], k={"type": "string", "enum": ["a:b", '"""', "#x", "ok", "\u2028", "", "OK", 3]})
    ],
    "marks": [tool("say", "\\", [], t={"type": "string", "enum": ["\\", "a"], "description": "{x}"})],
}


@pytest.mark.parametrize("what", ODD)
def test_odd_tools_make_an_app_that_runs(what):
    domain = load(draft_module("odd", ODD[what]))
    g = Generator(domain, Recipe(buckets=dict.fromkeys(BUCKETS, 1.0)), 0)
    scenarios = [g.scenario(i) for i in range(80)]
    name = ODD[what][0]["function"]["name"]
    assert {n for s in scenarios for c in s.row.calls for n in c} == {name, OUT_OF_SCOPE}


def nested(depth):
    out = []
    for _ in range(depth):
        out = [out]
    return out


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
        ("a" * 300, [tool("ping")], "no name for an app"),
        ("own", [tool('a"""b')], "the tool name .* cannot be used"),
        ("own", [tool("a" * 300)], "the tool name .* cannot be used"),
        ("own", [tool("-b")], "the tool name .* cannot be used"),
        ("own", [tool("a b")], "the tool name .* cannot be used"),
        ("own", [tool("ping", "", ["x"], x={"type": "object"})], "ping.x is an object of its own.*required"),
        (
            "own",
            [tool("ping", "", ["x"], x={"type": "array", "items": {"type": "object"}})],
            "ping.x is a list of",
        ),
        ("own", [tool("ping", x={"type": "array", "items": {"type": "string", "enum": []}})], "at least one"),
        ("own", [tool(5)], "the tool name 5 cannot be used"),
        ("own", [tool("ping", 5)], "description of ping must be a text"),
        ("own", [tool("ping", x=[])], "must be a JSON schema"),
        ("own", [tool("ping", **{"x\n": {}})], "the argument name .* cannot be used"),
        ("own", [tool("ping", x={"enum": []})], "must be a list of at least one"),
        ("own", [tool("ping", x={"enum": [[]]})], "must be a list of at least one"),
        ("own", [tool("ping", x={"pattern": 5})], "must be a text"),
        (
            "own",
            [tool("ping", x={"type": "array", "items": 5})],
            "'items' of ping.x must be a JSON schema, not 5",
        ),
        (
            "own",
            [tool("ping", "", ["x"], x={"items": [{"type": "string"}]})],
            "ping.x is a list whose members",
        ),
        ("own", [tool("ping", "\ud800")], "surrogate"),
        ("own", [tool("ping", x={"default": nested(100_000)})], "nested too deeply"),
    ],
)
def test_what_cannot_be_drafted_is_said(name, document, told):
    with pytest.raises(UserError, match=told):
        draft_module(name, document)


def test_new_domain_writes_its_file_and_touches_no_app_that_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr(domains, "__path__", [str(tmp_path)])
    tools = OWN_APPS / "fitness.json"
    path, count, arguments, left_out = write_domain("fitness", str(tools))
    assert (count, arguments, left_out) == (9, 21, [])
    assert path == tmp_path / "fitness.py" and load(path.read_text()).name == "fitness"
    with pytest.raises(UserError, match="there is an app 'fitness' already"):
        write_domain("fitness", str(tools))
    assert not write_domain("fit2", str(tools), dry_run=True).path.exists()
    (tmp_path / "real").mkdir()
    with pytest.raises(UserError, match="'real' is taken"):
        write_domain("real", str(tools))
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(UserError, match="nested too deeply"):
        write_domain("other", str(tmp_path / "deep.json"))
    with pytest.raises(UserError, match="cannot read .*; check --tools"):
        write_domain("other", str(tmp_path / "none.json"))
    for text, told in (("{", "not JSON"), ("9" * 5000, "more than 300 digits"), ("NaN", "no JSON value")):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(UserError, match=rf"bad.json: .*{told}"):
            write_domain("other", str(tmp_path / "bad.json"))


def test_new_domain_says_what_it_drafted_and_what_comes_next(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(domains, "__path__", [str(tmp_path)])
    (tmp_path / "tools.json").write_text(json.dumps(WEATHER))
    argv = ["new-domain", "own", f"--tools={tmp_path / 'tools.json'}"]
    assert commands.main([*argv, "--dry_run"]) == 0
    out, err = capsys.readouterr()
    assert "nothing is written" in out and "own.py" in out and not (tmp_path / "own.py").exists()
    assert "drafted 3 tools with 7 arguments" in err and "places.search.box is left out" in err
    assert commands.main(argv) == 0
    out, err = capsys.readouterr()
    assert out == f"{tmp_path / 'own.py'}\n" and (tmp_path / "own.py").exists()
    assert "fernjax generate --config=configs/base.py --config.domain=own --count=50" in err


@pytest.mark.parametrize("stem", ["weath", "alarm", "o'clock", "zz"])
def test_the_share_of_a_stem_is_that_of_the_sentences_with_a_word_that_begins_so(stem):
    said = [s.lower() for s in plain_sentences()]
    held = sum(re.search(rf"\b{re.escape(stem)}", s) is not None for s in said)
    assert module._share(stem) == held / len(said)


def test_a_wide_enum_is_drafted_in_seconds():
    """Each value is held against all others by one count of their words, not by going through them."""
    values = [f"fault_{i}" for i in range(1000)]
    tools = [tool("report_issue", "", ["problem"], problem={"type": "string", "enum": values})]
    began = time.process_time()
    assert "fault 999" in draft_module("own", tools)
    assert time.process_time() - began < 10


texts = st.text(max_size=30)
names = st.one_of(st.from_regex(r"[A-Za-z0-9_]{1,12}", fullmatch=True), texts)
schemas = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "boolean", "array", "object"]),
        "description": st.one_of(st.none(), texts),
        "enum": st.lists(st.one_of(texts, st.integers(), st.floats(allow_nan=False)), max_size=5),
        "format": st.sampled_from(["date", "time", "uri"]),
    },
)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@hypothesis.given(
    st.lists(
        st.builds(
            lambda name, told, arguments: tool(name, told, list(arguments)[:1], **arguments),
            names,
            st.one_of(st.none(), texts),
            st.dictionaries(names.filter(lambda n: n not in ("name", "description", "required")), schemas),
        ),
        max_size=3,
    )
)
def test_any_tools_are_drafted_or_refused_in_one_line(tools):
    try:
        source = draft_module("own", tools)
    except UserError as e:
        assert "\n" not in str(e)
        return
    domain = load(source)
    g = Generator(domain, Recipe(buckets={"in_distribution": 1.0}), 0)
    assert g.scenario(0).row.query.text.strip()


@pytest.mark.parametrize("app", domain_names())
@pytest.mark.parametrize("now", ["1000-01-01T00:00:00", "1969-12-31T23:59:59", "9000-12-31T23:59:59"])
def test_every_app_lives_in_every_year_that_sentences_are_read_in(app, now):
    domain = load_domain(app)
    state = domain.initial_state(random.Random(0), now)
    for tool_ in domain.tools:
        arguments = {
            a.name: {"date": now[:10], "end_date": now[:10], "time": "09:00", "text": "x"}[a.type]
            for a in tool_.arguments
            if a.type in ("date", "end_date", "time", "text")
        }
        state, answer = domain.step(state, Call(tool_.name, arguments))
        assert answer.status


def test_a_thing_is_called_by_other_names_and_asked_after():
    orders = json.loads((OWN_APPS / "deliveries.json").read_text())
    cancelled = said(orders, "cancel_order", 600)
    assert any("package" in s or "parcel" in s for s in cancelled) and any("order" in s for s in cancelled)
    tracked = said(orders, "track_order", 600)
    assert any(s.split()[0] in ("has", "is", "did", "will", "when") for s in tracked), (
        "nothing is asked after"
    )
    domain = drafted("deliveries")
    assert all(w in domain.keywords for w in ("parcel", "packag", "driver"))
    changed = said(orders, "reschedule_delivery", 600) + said(orders, "change_address", 600)
    assert any("instead" in s for s in changed) and any(s.startswith(("can ", "could ")) for s in changed)
    told = said(orders, "leave_note", 600)
    assert any(s.startswith(("tell ", "can you tell", "let ")) for s in told)


def test_values_are_said_in_other_words():
    g = Generator(drafted("deliveries"), Recipe(buckets={"in_distribution": 1.0}), 3)
    rows = [g.scenario(i).row for i in range(900)]
    reports = {
        (v["problem"][0], r.query.text.lower())
        for r in rows
        for v in [r.calls[0].get("report_problem", {})]
        if "problem" in v
    }
    assert any(p == "missing" and ("never" in s or "didn't" in s or "lost" in s) for p, s in reports)
    tips = [(r.query.text, r.calls[0]["tip_courier"]) for r in rows if "tip_courier" in r.calls[0]]
    assert tips and all("currency" in given for text, given in tips if "$" in text or "€" in text)


def test_nobody_else_is_meant_by_a_synonym():
    tools = [tool("cancel_order", "Cancel an order."), tool("cancel_delivery", "Cancel a delivery.")]
    source = draft_module("own", tools)
    sections = source.split("[cancel_")
    assert "<thing> = order *4\n" in sections[1] and "<thing> = delivery *4\n" in sections[2]
