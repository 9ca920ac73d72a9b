import pytest

from fernjax.loop.baselines import Abstain, ExtractorBaseline, TfidfBaseline, fill
from fernjax.sim import grade, real
from fernjax.sim.mentions import extract
from fernjax.sim.tools import parse_tools
from fernjax.sim.types import OUT_OF_SCOPE, Query, Row, Scenario
from fernjax.sim.world import Domain, load_domain

NOW = "2026-03-04T09:30:00"
CALENDAR = load_domain("calendar")


def query(text):
    return Query("q", text, NOW)


def arguments(tool, text):
    return fill(CALENDAR, tool, query(text), 0.5).calls[0].arguments


def scenario(text, tool):
    row = Row(query(text), [{tool: {}}])
    return Scenario(row, (), tuple(extract(text, NOW)), "in_distribution", text, "t", (0, 0))


TEACH = {
    "create_event": ["put lunch with sam on friday", "add gym at 5pm", "schedule yoga tomorrow"],
    "delete_event": ["cancel lunch on friday", "drop gym at 5pm", "remove yoga tomorrow"],
    OUT_OF_SCOPE: ["play some jazz", "order a pizza", "how tall is the tower"],
}


def test_abstain_abstains():
    predictions = Abstain().predict([query("move lunch"), query("")])
    assert [p.outcome for p in predictions] == ["abstained", "abstained"]
    rows = [Row(query("x"), [{OUT_OF_SCOPE: {}}]), Row(query("y"), [{"clear_events": {}}])]
    assert grade.per_row(predictions, rows) == [True, False]


def test_keywords_route_by_the_words_of_names():
    predictions = ExtractorBaseline(CALENDAR).predict(
        [query("create an event: lunch on friday"), query("delete the gym event"), query("zzz qqq")]
    )
    assert [p.calls[0].name for p in predictions] == ["create_event", "delete_event", OUT_OF_SCOPE]
    assert predictions[0].calls[0].arguments["date"] == "2026-03-06"
    assert predictions[2].outcome == "abstained"
    assert all(0 <= p.confidence <= 1 for p in predictions)


def test_structured_arguments_go_by_type():
    assert arguments("create_event", "pottery class friday at 3pm") == {
        "title": "pottery class",
        "date": "2026-03-06",
        "start_time": "15:00",
    }
    assert arguments("create_reminder", "remind me daily to water plants")["recurrence"] == "daily"


def test_old_and_new():
    moved = arguments("update_event", "move pottery from friday to saturday")
    assert (moved["date"], moved["new_date"]) == ("2026-03-06", "2026-03-07")
    one = arguments("update_event", "move pottery to saturday")
    assert one.get("new_date") == "2026-03-07" and "date" not in one


def test_people_follow_with():
    out = arguments("create_event", "pottery with ana and bob on friday")
    assert out["attendees"] == ["ana", "bob"] and out["title"] == "pottery"


def test_what_is_missing_is_named():
    bare = fill(CALENDAR, "create_event", query("create an event"), 0.5)
    assert bare.calls[0].arguments == {}
    assert bare.missing == tuple(group[0] for group in CALENDAR.needs["create_event"])


def test_tfidf_learns_from_scenarios():
    scenarios = [scenario(text, tool) for tool, texts in TEACH.items() for text in texts * 3]
    baseline = TfidfBaseline(CALENDAR, scenarios, seed=1)
    predictions = baseline.predict(
        [query("put yoga on monday"), query("remove gym"), query("order a jazz pizza")]
    )
    assert [p.calls[0].name for p in predictions] == ["create_event", "delete_event", OUT_OF_SCOPE]
    assert [p.outcome for p in predictions] == ["call", "call", "abstained"]
    assert predictions[0].calls[0].arguments["date"] == "2026-03-09"
    assert predictions == TfidfBaseline(CALENDAR, scenarios, seed=1).predict(
        [query("put yoga on monday"), query("remove gym"), query("order a jazz pizza")]
    )
    assert baseline.predict([]) == []


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "friday " * 200, "with", "with and ,", "é\u0301 日本 \U0001f600"]
)
def test_any_text_gets_an_answer(text):
    for tool in CALENDAR.tools:
        prediction = fill(CALENDAR, tool.name, query(text), 0.5)
        assert prediction.outcome == ("abstained" if tool.name == OUT_OF_SCOPE else "call")


def test_the_extractor_beats_abstaining_on_the_gate():
    rows = real.load_real("calendar", "gate", "public")
    queries = [r.query for r in rows]
    keywords = grade.score(ExtractorBaseline(CALENDAR).predict(queries), rows)
    abstain = grade.score(Abstain().predict(queries), rows)
    assert keywords.route > 2 * abstain.route
    assert keywords.errors == 0


TEXT, NUMBER = {"type": "string"}, {"type": "number"}
KIOSK = Domain(
    name="kiosk",
    description="",
    tools=parse_tools(
        [
            {"function": {"name": name, "parameters": {"properties": properties}}}
            for name, properties in {
                "send": {"amount": NUMBER, "currency": TEXT, "to": TEXT},
                "heat": {"degrees": NUMBER, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
                "light": {"device": {"type": "string", "description": "which, singular"}, "percent": NUMBER},
                "link": {"id": TEXT, "other_id": TEXT},
                "post": {"channel": TEXT},
                "ring": {"seconds": {"type": "integer"}},
                "out_of_scope": {},
            }.items()
        ]
    ),
    needs={},
    initial_state=lambda rng, now: {},
    step=lambda state, call: (state, None),
)


@pytest.mark.parametrize(
    ("tool", "text", "expected"),
    [
        ("send", "send 2 friends 50 euros", {"amount": 50, "currency": "EUR"}),
        ("send", "send 40", {"amount": 40}),
        ("heat", "heat it to 21 degrees celsius", {"degrees": 21, "unit": "celsius"}),
        ("light", "lamps at 40 percent", {"device": "lamp", "percent": 40}),
        ("link", "link OPS-142 and OPS-9", {"id": "OPS-142", "other_id": "OPS-9"}),
        ("post", "post it in #Design-Review", {"channel": "design-review"}),
        ("ring", "ring for 90 seconds", {"seconds": 90}),
    ],
)
def test_the_other_types_are_filled_by_type(tool, text, expected):
    given = fill(KIOSK, tool, query(text), 0.5).calls[0].arguments
    assert {name: given.get(name) for name in expected} == expected


@pytest.mark.parametrize("said, expected", [([], OUT_OF_SCOPE), (TEACH[OUT_OF_SCOPE], OUT_OF_SCOPE)])
def test_a_recipe_of_one_tool_or_none_leaves_one_answer(said, expected):
    baseline = TfidfBaseline(CALENDAR, [scenario(text, expected) for text in said])
    assert {p.calls[0].name for p in baseline.predict([query("put yoga in"), query("")])} == {expected}
