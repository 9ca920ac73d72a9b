import pytest
from conftest import right_answer, wrong_answer

from fernjax.loop.diagnose import diagnose, find_faults, recount
from fernjax.sim.tools import parse_tools
from fernjax.sim.types import OUT_OF_SCOPE, Call, Prediction, Query, Row
from fernjax.sim.world import Domain


def row(*calls, **kwargs):
    return Row(Query("r", "some sentence", "2026-03-04T09:30:00"), list(calls), **kwargs)


MOVE = row({"update_event": {"event": ["gym"], "date": ["2026-03-05"], "new_date": ["2026-03-06"]}})


def answer(*calls, outcome="call"):
    return Prediction(tuple(calls), outcome=outcome)


def test_the_right_answer_has_no_fault(domain):
    assert find_faults(domain, MOVE, right_answer(MOVE)) == []


@pytest.mark.parametrize(
    "arguments, faults",
    [
        ({"event": "gym", "date": "2026-03-05"}, [("dropped", "update_event.new_date")]),
        (
            {"event": "the pool", "date": "2026-03-05", "new_date": "2026-03-06"},
            [("span", "update_event.event")],
        ),
        (
            {"event": "gym", "date": "2026-03-05", "new_date": "2026-04-06"},
            [("value", "update_event.new_date")],
        ),
        (
            {"event": "gym", "date": "2026-03-05", "new_date": "2026-03-06", "new_location": "x"},
            [("invented", "update_event.new_location")],
        ),
        (
            {"event": "gym", "date": "2026-03-06", "new_date": "2026-03-05"},
            [("role", "update_event.new_date>date"), ("role", "update_event.date>new_date")],
        ),
    ],
)
def test_faults_of_arguments(domain, arguments, faults):
    assert find_faults(domain, MOVE, answer(Call("update_event", arguments))) == faults


def test_a_value_in_another_arguments_place_is_one_wrong_role(domain):
    label = row({"update_event": {"event": ["gym"], "new_date": ["2026-03-06"]}})
    given = answer(Call("update_event", {"event": "gym", "date": "2026-03-06"}))
    assert find_faults(domain, label, given) == [("role", "update_event.new_date>date")]


def test_faults_of_tools_and_scope(domain):
    create = answer(Call("create_event", {"title": "gym"}))
    assert find_faults(domain, MOVE, create) == [("confusion", "update_event>create_event")]
    assert find_faults(domain, MOVE, wrong_answer(MOVE)) == [("over_abstention", "update_event")]
    assert find_faults(domain, row({OUT_OF_SCOPE: {}}), create) == [("force_fit", "create_event")]
    assert find_faults(domain, MOVE, answer(*create.calls, *create.calls)) == [("calls", "too many")]
    assert find_faults(domain, MOVE, answer(outcome="error")) == [("error", "update_event")]


def test_gate_findings_carry_counts_and_no_words(domain):
    secret = Row(Query("g", "words of a person", "2026-03-04T09:30:00"), MOVE.calls)
    sets = {"gate/public": [secret] * 4, "generated/messy": [MOVE] * 2}
    wrong = answer(Call("create_event", {"title": "words of a person"}))
    findings = diagnose(
        domain, sets, [{"gate/public": [wrong] * 4, "generated/messy": [right_answer(MOVE)] * 2}]
    )
    assert findings[0].key == ("confusion", "update_event>create_event")
    assert findings[0].counts == {"gate": (4, 4)}
    assert "words of a person" not in str([f.to_json() for f in findings])


def test_final_is_refused(domain):
    with pytest.raises(AssertionError, match="final"):
        diagnose(domain, {"final/public": [MOVE]}, [{"final/public": [right_answer(MOVE)]}])


def test_buckets_and_memorised_values(domain):
    sets = {"generated/in_distribution": [MOVE] * 10, "generated/oov_values": [MOVE] * 10}
    wrong = answer(Call("update_event", {"event": "pool", "date": "2026-03-05", "new_date": "2026-03-06"}))
    good = right_answer(MOVE)
    answers = {"generated/in_distribution": [good] * 10, "generated/oov_values": [wrong] * 3 + [good] * 7}
    findings = {f.key: f.counts for f in diagnose(domain, sets, [answers, answers])}
    assert findings[("memorised", "oov_values")] == {"generated": (6, 20)}
    assert findings[("bucket", "oov_values")] == {"generated": (6, 20)}
    assert findings[("span", "update_event.event")] == {"generated": (6, 40)}


def test_recount_counts_the_same_mistakes_elsewhere(domain):
    sets = {"generated/oov_values": [MOVE] * 10}
    wrong = answer(Call("update_event", {"event": "pool", "date": "2026-03-05", "new_date": "2026-03-06"}))
    good = right_answer(MOVE)
    findings = diagnose(domain, sets, [{"generated/oov_values": [wrong] * 5 + [good] * 5}])
    later = recount(findings, domain, sets, [{"generated/oov_values": [wrong] + [good] * 9}])
    assert {f.key: f.counts["generated"] for f in findings} == dict.fromkeys(later, (5, 10))
    assert all(counts == {"generated": (1, 10)} for counts in later.values())


@pytest.mark.parametrize(
    ("given", "faults"),
    [
        ({"amount": 50, "channel": "ops", "id": "OPS-1", "other_id": "OPS-2"}, []),
        ({"amount": 5, "channel": "ops", "id": "OPS-1", "other_id": "OPS-2"}, [("value", "do.amount")]),
        ({"amount": 50, "channel": "dev", "id": "OPS-1", "other_id": "OPS-2"}, [("span", "do.channel")]),
        (
            {"amount": 50, "channel": "ops", "id": "OPS-2", "other_id": "OPS-1"},
            [("role", "do.other_id>id"), ("role", "do.id>other_id")],
        ),
    ],
)
def test_faults_of_the_other_types(given, faults):
    properties = dict.fromkeys(("channel", "id", "other_id"), {"type": "string"}) | {
        "amount": {"type": "number"}
    }
    tools = parse_tools([{"function": {"name": "do", "parameters": {"properties": properties}}}])
    app = Domain("app", "", tools, {}, lambda rng, now: {}, lambda state, call: (state, None))
    label = {"amount": [50], "channel": ["ops"], "id": ["OPS-1"], "other_id": ["OPS-2"]}
    assert find_faults(app, row({"do": label}), answer(Call("do", given))) == faults
