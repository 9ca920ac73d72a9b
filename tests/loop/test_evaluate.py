import json

import pytest
from conftest import right_answer, tiny_config, wrong_answer
from hypothesis import given
from hypothesis import strategies as st

from fernjax.loop import evaluate
from fernjax.sim import real
from fernjax.sim.scenario import Generator, plain_negatives
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE


@pytest.fixture(scope="module")
def config():
    return tiny_config(**{"eval.per_bucket": 4, "eval.negatives": 5})


@pytest.fixture(scope="module")
def sets(config, domain):
    return evaluate.real_sets(config, domain, "gate") | evaluate.generated_sets(config, domain, 3)


def oracle(sets, answer=right_answer):
    rows = {(r.query.id, r.query.text): r for some in sets.values() for r in some}
    return lambda queries: [answer(rows[(q.id, q.text)]) for q in queries]


def test_sets_are_whole_and_their_ids_their_own(config, domain, sets):
    assert {n for n in sets if n.startswith("generated/")} == {f"generated/{b}" for b in BUCKETS}
    for bucket in BUCKETS:
        assert [r.tags for r in sets[f"generated/{bucket}"]] == [(bucket,)] * config.eval.per_bucket
    for name in ("natural", "templated"):
        rows = sets[f"negatives/{name}"]
        assert len(rows) == config.eval.negatives
        assert all(r.calls == [{OUT_OF_SCOPE: {}}] for r in rows)
    for rows in sets.values():
        assert len({r.query.id for r in rows}) == len(rows)


def test_sets_are_the_same_again_and_fresh_in_another_round(config, domain, sets):
    again = evaluate.generated_sets(config, domain, 3)
    assert again == {n: rows for n, rows in sets.items() if not n.startswith("gate/")}
    other = evaluate.generated_sets(config, domain, 4)
    assert not {r.query.text for r in other["generated/in_distribution"]} & {
        r.query.text for r in again["generated/in_distribution"]
    }


def test_natural_negatives_never_train(config, domain, sets):
    training = set(plain_negatives(domain, held_out=False))
    assert not {r.query.text for r in sets["negatives/natural"]} & training


def test_the_oracle_is_right_everywhere_and_its_reverse_nowhere(sets, tmp_path):
    good = evaluate.evaluate(oracle(sets), sets, tmp_path / "good")
    summary = evaluate.summarise(sets, [good, good], ())
    assert all(s["full"] == 1.0 for s in summary["sets"].values())
    assert summary["primary"] == 1.0
    assert summary["calibration"]["generated"]["ece"] == pytest.approx(0.1)  # says 0.9, is always right
    bad = evaluate.evaluate(oracle(sets, wrong_answer), sets, tmp_path / "bad")
    summary = evaluate.summarise(sets, [bad], ())
    for name, s in summary["sets"].items():
        if not name.startswith("gate/"):  # a gate row's alternative may cross scope
            assert s["full"] == 0.0
            assert s["force_fit"] in (None, 1.0)
            assert s["over_abstention"] in (None, 1.0)


def test_answers_are_read_back_not_predicted_again(sets, tmp_path):
    asked = []

    def counting(queries):
        asked.append(len(queries))
        return oracle(sets)(queries)

    first = evaluate.evaluate(counting, sets, tmp_path)
    assert evaluate.is_evaluated(sets, tmp_path)
    gone = next(iter(sets))
    (tmp_path / evaluate.file_name(gone)).unlink()
    asked.clear()
    assert evaluate.evaluate(counting, sets, tmp_path) == first
    assert asked == [len(sets[gone])]


def test_final_is_counted_and_never_written(config, domain, sets, tmp_path):
    final = evaluate.real_sets(config, domain, "final")
    with pytest.raises(AssertionError, match="final"):
        evaluate.evaluate(oracle(final), final, tmp_path)
    assert list(tmp_path.iterdir()) == []
    touched = {final["final/public"][0].query.text}
    scores = evaluate.score_final([oracle(final), oracle(final, wrong_answer)], final, touched)
    assert scores["all"]["final/public"]["n"] == len(final["final/public"])
    assert scores["untouched"]["final/public"]["n"] == len(final["final/public"]) - 1
    assert scores["all"]["final/public"]["full_by_seed"][0] == 1.0
    assert not any(row.query.text in json.dumps(scores) for rows in final.values() for row in rows)


def test_a_users_file_becomes_the_gate(domain, tmp_path):
    path = tmp_path / "mine.jsonl"
    texts = [f"put yoga number {i} on my calendar" for i in range(40)]
    line = lambda i, t: {
        "id": f"u{i}",
        "query": t,
        "now": "2026-03-04T09:30:00",
        "calls": [{"create_event": {}}],
    }
    path.write_text("".join(json.dumps(line(i, t)) + "\n" for i, t in enumerate(texts)))
    config = tiny_config(real_path=path)
    gate, final = (evaluate.real_sets(config, domain, half) for half in real.HALVES)
    assert set(gate) == {"gate/own"}
    assert set(final) == {"final/own"}
    assert {r.query.text for r in gate["gate/own"]} | {r.query.text for r in final["final/own"]} == set(texts)


def test_evaluation_seeds_are_no_training_seeds(domain):
    assert Generator(domain, None or _recipe(), evaluate.EVALUATION_SEED).scenario(0).seed[0] > 100 * 1000


def _recipe():
    from fernjax.sim.recipe import Recipe

    return Recipe.from_config(tiny_config().recipe)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=60))
def test_calibration_error_is_bounded_and_zero_only_where_deserved(pairs):
    right, sure = zip(*pairs, strict=True)
    ece = evaluate.calibrate(right, sure)["ece"]
    assert 0.0 <= ece <= 1.0
    assert ece >= abs(sum(right) - sum(sure)) / len(pairs) - 1e-3


def test_calibration_by_hand():
    out = evaluate.calibrate([True, False, True, True], [0.72, 0.78, 0.95, 1.0])
    assert out["bins"] == [
        {"n": 2, "right": 0.5, "confidence": 0.75},
        {"n": 2, "right": 1.0, "confidence": 0.975},
    ]
    assert out["ece"] == pytest.approx((2 * 0.25 + 2 * 0.025) / 4, abs=1e-4)
