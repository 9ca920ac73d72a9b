import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fernjax.sim import real
from fernjax.sim.grade import (
    Counts,
    argument_faults,
    canonical,
    equal,
    full,
    judge,
    per_row,
    route,
    score,
    tally,
    verdicts,
    wilson,
)
from fernjax.sim.types import OUT_OF_SCOPE, Call, Prediction, Query, Row

NOW = "2026-03-04T09:30:00"
ABSTAIN = [{OUT_OF_SCOPE: {}}]


def row(calls, alternative=None):
    return Row(Query("r", "a sentence", NOW), calls, alternative)


def answer(*calls):
    abstained = all(name == OUT_OF_SCOPE for name, _ in calls)
    return Prediction(tuple(Call(n, a) for n, a in calls), outcome="abstained" if abstained else "call")


EVENT = row(
    [
        {
            "create_event": {
                "title": ["dentist appointment", "dentist"],
                "date": ["2026-03-06"],
                "duration_minutes": [30],
                "location": ["", "town"],
                "attendees": [["ana", "bob"], ["ana and bob"]],
                "private": [True],
            }
        }
    ]
)
GOLD = {
    "title": "The  Dentist!",
    "date": "2026-03-06",
    "duration_minutes": 30.0,
    "attendees": ["Bob", "my Ana"],
    "private": True,
}


def judge_event(**changes):
    arguments = {k: v for k, v in (GOLD | changes).items() if v is not ...}
    return full([Call("create_event", arguments)], EVENT)


def test_the_gold_call_is_right():
    assert judge_event()
    assert judge_event(location="town")
    assert judge_event(location="")  # empty is the same as left out
    assert judge_event(attendees=["ana and bob"])
    assert judge_event(attendees=["bob", "ana", "ana"])


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "doctor"},
        {"title": ...},
        {"title": ""},
        {"title": ["dentist"]},
        {"date": "2026-03-07"},
        {"duration_minutes": 31},
        {"duration_minutes": "30"},
        {"duration_minutes": 30.5},
        {"location": "city"},
        {"location": "!!"},
        {"attendees": ["ana"]},
        {"attendees": ["ana", "bob", "eve"]},
        {"attendees": "ana and bob"},
        {"attendees": []},
        {"private": 1},
        {"private": "true"},
        {"private": False},
        {"colour": "red"},
    ],
)
def test_each_corruption_is_wrong(changes):
    assert not judge_event(**changes)


def test_tool_and_number_of_calls():
    call = Call("create_event", GOLD)
    assert not full([], EVENT) and not full([call, call], EVENT)
    assert not full([Call("create_reminder", GOLD)], EVENT)
    assert route([Call("create_event")], EVENT) and not route([call, call], EVENT)


def test_calls_match_in_any_order_and_one_to_one():
    both = row([{"a": {"x": ["1", "2"]}}, {"a": {"x": ["1"]}}])
    one, two = Call("a", {"x": "1"}), Call("a", {"x": "2"})
    assert full([one, two], both) and full([two, one], both) and full([one, one], both)
    assert not full([two, two], both)
    named = row([{"a": {}}, {"b": {}}])
    assert full([Call("b"), Call("a")], named) and route([Call("b"), Call("a")], named)
    assert not route([Call("a"), Call("a")], named)


def test_an_alternative_is_as_good():
    r = row([{"a": {"x": ["1"]}}], [{"b": {"x": ["1"]}}])
    assert full([Call("a", {"x": "1"})], r) and full([Call("b", {"x": "1"})], r)
    assert not full([Call("b", {"x": "2"})], r)
    assert route([Call("b")], r) and not route([Call("c")], r)


def test_canonical_values():
    assert equal(25, 25.0) and not equal(1, True) and not equal(25, "25") and not equal(0, False)
    assert equal("To-Do", "my to do") and equal(["b", "A"], ["a", "b", "b"])
    assert not equal(["a"], "a") and not equal(None, "") and equal({"a": 1}, {"a": 1.0})


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=8)
)
def test_any_json_value_can_be_judged(value):
    hash(canonical(value))
    assert not full([Call("create_event", GOLD | {"colour": value, "extra": "x"})], EVENT)


def test_scope_marks():
    inside, outside, crossing = row([{"a": {}}]), row(ABSTAIN), row([{"a": {}}], ABSTAIN)
    abstained, called, failed = answer((OUT_OF_SCOPE, {})), answer(("a", {})), Prediction((), outcome="error")

    def marks(prediction, r):
        v = judge(prediction, r)
        return v.full, v.route, v.force_fit, v.over_abstention, v.error

    assert marks(called, inside) == (True, True, None, False, False)
    assert marks(abstained, inside) == (False, False, None, True, False)
    assert marks(failed, inside) == (False, False, None, False, True)
    assert marks(called, outside) == (False, False, True, None, False)
    assert marks(abstained, outside) == (True, True, False, None, False)
    assert marks(failed, outside) == (False, False, False, None, True)
    assert marks(called, crossing) == marks(abstained, crossing) == (True, None, None, None, False)
    assert marks(failed, crossing) == (False, None, None, None, True)


def test_an_error_is_wrong_even_with_the_right_calls():
    right = Prediction((Call(OUT_OF_SCOPE),), outcome="error")
    assert judge(right, row(ABSTAIN)) == judge(Prediction((), outcome="error"), row(ABSTAIN))
    assert judge(Prediction(()), row(ABSTAIN)).error  # no calls: no answer


def test_counts_and_their_json():
    rows = [row([{"a": {}}]), row([{"a": {"x": ["1"]}}]), row(ABSTAIN), row([{"a": {}}], ABSTAIN)]
    predictions = [answer(("a", {})), answer(("a", {})), answer(("b", {})), answer((OUT_OF_SCOPE, {}))]
    counts = score(predictions, rows)
    assert counts == Counts(
        n=4,
        full=2,
        route_n=3,
        route=2,
        in_scope_n=2,
        over_abstention=0,
        out_of_scope_n=1,
        force_fit=1,
        errors=0,
    )
    assert per_row(predictions, rows) == [True, False, False, True]
    assert tally(verdicts(predictions[:2], rows[:2])) + tally(verdicts(predictions[2:], rows[2:])) == counts
    out = counts.to_json()
    assert out["n"] == 4 and out["full"] == 0.5 and out["full_ci"] == list(wilson(2, 4))
    assert out["route"] == 2 / 3 and out["force_fit"] == 1.0 and out["over_abstention"] == 0.0
    assert (out["in_scope_n"], out["out_of_scope_n"], out["errors"]) == (2, 1, 0)
    assert Counts().to_json()["full"] is None and Counts().to_json()["full_ci"] is None


def test_a_missing_prediction_is_refused():
    with pytest.raises(ValueError):
        score([answer(("a", {}))], [row(ABSTAIN)] * 2)


def test_wilson_reference_values():
    # statsmodels.stats.proportion.proportion_confint(k, n, method="wilson")
    assert wilson(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson(61, 73) == pytest.approx((0.7342, 0.9033), abs=1e-3)
    assert wilson(0, 20)[0] == 0.0 and wilson(20, 20)[1] == 1.0
    assert wilson(0, 20)[1] == pytest.approx(0.1611, abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_argument_faults_name_what_is_wrong():
    gold = [{"a": {"x": ["1"], "y": ["2"], "z": ["", "3"]}}]
    other = [{"a": {"x": ["9"]}}]
    predictions = [
        answer(("a", {"x": "1", "q": "5"})),
        answer(("a", {"x": "0", "y": "2", "z": "4"})),
        answer(("b", {})),
        Prediction((), outcome="error"),
        answer(("a", {"x": "1", "y": "2"})),
        answer(("a", {"x": "8"})),
    ]
    rows = [row(gold)] * 5 + [row(gold, other)]
    faults = [
        (f.row, f.tool, f.argument, f.kind, f.predicted, f.gold) for f in argument_faults(predictions, rows)
    ]
    assert faults == [
        (0, "a", "q", "invented", "5", []),
        (0, "a", "y", "dropped", None, ["2"]),
        (1, "a", "x", "wrong", "0", ["1"]),
        (1, "a", "z", "wrong", "4", ["", "3"]),
        (5, "a", "x", "wrong", "8", ["9"]),
    ]


def gold_calls(label):
    """A label's first values, as calls; an argument that may be left out is."""
    return [
        Call(tool, {k: v[0] for k, v in arguments.items() if "" not in v})
        for call in label
        for tool, arguments in call.items()
    ]


def corruptions(calls):
    """Every call list that differs from `calls` in one argument or in one call."""
    for i, call in enumerate(calls):
        for name, value in call.arguments.items():
            without = {k: v for k, v in call.arguments.items() if k != name}
            wrong = (
                ["no such member"]
                if isinstance(value, list)
                else not value
                if value is True or value is False
                else (value + 17 if isinstance(value, int | float) else "no such value")
            )
            for arguments in (without, call.arguments | {name: wrong}):
                yield calls[:i] + [Call(call.name, arguments)] + calls[i + 1 :]
        yield calls[:i] + [Call(call.name, call.arguments | {"no_such_argument": "x"})] + calls[i + 1 :]
        yield calls[:i] + [Call("no_such_tool", call.arguments)] + calls[i + 1 :]
        yield calls[:i] + calls[i + 1 :]
    yield [*calls, Call("no_such_tool")]


@pytest.mark.parametrize("kind", real.KINDS)
def test_gold_scores_one_and_each_corruption_zero(kind):
    rows = real.load_real("calendar", "gate", kind)
    assert rows
    for r in rows:
        for label in r.labels:
            calls = gold_calls(label)
            before = copy.deepcopy(calls)
            assert full(calls, r) and route(calls, r), r.query.id
            only = Row(r.query, label)
            for wrong in corruptions(calls):
                assert not full(wrong, only), (r.query.id, wrong)
            assert calls == before
