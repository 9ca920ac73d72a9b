import json

import pytest
from conftest import right_answer, tiny_config, wrong_answer

from fernjax.loop import evaluate, real_sets, sample
from fernjax.loop.arms import MAX_ROUNDS, MAX_SEED
from fernjax.loop.verbs import CALIBRATION_STREAM, calibration_rows
from fernjax.sim import grade, real
from fernjax.sim.negatives import plain_negatives
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, UserError


@pytest.fixture(scope="module")
def config():
    return tiny_config(**{"eval.per_bucket": 4, "eval.negatives": 5})


@pytest.fixture(scope="module")
def sets(config, domain):
    return real_sets.load_sets(config, domain, "gate") | evaluate.generated_sets(config, domain, 3)


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


def test_no_sentence_is_in_two_sets(domain):
    config = tiny_config(**{"eval.per_bucket": 80, "eval.negatives": 120})
    sets = evaluate.generated_sets(config, domain, 1)
    texts = {name: {r.query.text.casefold() for r in rows} for name, rows in sets.items()}
    assert len(set().union(*texts.values())) == sum(map(len, texts.values()))


def test_sets_do_not_begin_with_the_same_draws(domain):
    config = tiny_config(**{"eval.per_bucket": 30, "eval.negatives": 30})
    sets = evaluate.generated_sets(config, domain, 1)
    nows = {n: [r.query.now for r in rows] for n, rows in sets.items() if n != "negatives/natural"}
    tools = {n: [grade.label_names(r.calls) for r in sets[n]] for n in nows}
    names = sorted(nows)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            assert sum(a == b for a, b in zip(nows[one], nows[other], strict=True)) <= 1, (one, other)
            if "out_of_scope" not in one + other and "templated" not in one + other:
                assert tools[one] != tools[other]


def test_a_grammar_that_says_too_little_is_named(domain, monkeypatch):
    one = Generator(domain, _recipe(), 0).scenario(0)
    monkeypatch.setattr(Generator, "scenario", lambda self, index: one)
    with pytest.raises(UserError, match="only 0 of 3 sentences for messy .* more phrasings"):
        evaluate.generated_sets(tiny_config(**{"eval.per_bucket": 3}), domain, 0)


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
    final = real_sets.load_sets(config, domain, "final")
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
    gate, final = (real_sets.load_sets(config, domain, half) for half in real.HALVES)
    assert set(gate) == {"gate/own"}
    assert set(final) == {"final/own"}
    assert {r.query.text for r in gate["gate/own"]} | {r.query.text for r in final["final/own"]} == set(texts)


def test_a_line_of_a_users_file_may_lack_its_moment(domain, tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text('{"query": "put yoga in", "calls": [{"create_event": {"title": ["yoga"]}}]}\n')
    (row,) = real_sets.load_own(tiny_config(real_path=path), domain)
    assert row.query.now == real_sets.NOW
    (row,) = real_sets.load_own(tiny_config(real_path=path, real_now="2026-05-01T08:00"), domain)
    assert row.query.now == "2026-05-01T08:00:00"


@pytest.mark.parametrize("alternative", [False, True])
def test_a_dated_line_of_a_users_file_must_have_its_moment(domain, tmp_path, alternative):
    """Else "tomorrow" is counted from a day that nobody named, and its right label scores wrong."""
    plain, dated = [{"create_event": {}}], [{"create_event": {"date": ["2026-05-02"]}}]
    line = {"id": "u7", "query": "put yoga in for tomorrow", "calls": dated}
    if alternative:
        line |= {"calls": plain, "calls_alt": dated}
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(line) + "\n")
    for half in real.HALVES:
        with pytest.raises(UserError, match=r"row u7: no \"now\".*create_event.date.*--config.real_now="):
            real_sets.load_sets(tiny_config(real_path=path), domain, half)
    (row,) = real_sets.load_own(tiny_config(real_path=path, real_now="2026-05-01T08:00:00"), domain)
    assert row.query.now == "2026-05-01T08:00:00"
    path.write_text(json.dumps(line | {"now": "2026-05-01T09:00:00"}) + "\n")
    (row,) = real_sets.load_own(tiny_config(real_path=path), domain)
    assert row.query.now == "2026-05-01T09:00:00"
    with pytest.raises(UserError, match='"config.real_now" is not ISO 8601'):
        real_sets.load_own(tiny_config(real_path=path, real_now="today"), domain)


def test_few_sentences_of_a_users_own_are_told(domain, tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text('{"query": "put yoga in", "calls": [{"create_event": {"title": ["yoga"]}}]}\n')
    config = tiny_config(real_path=path)
    (full,) = [half for half in real.HALVES if real_sets.load_sets(config, domain, half)]
    (empty,) = set(real.HALVES) - {full}
    lines = real_sets.describe(config, domain)
    assert any(line.startswith(f"real sentences, {full} half") and line.endswith(": 1 own") for line in lines)
    assert any(line.startswith(f"real sentences, {empty} half") and line.endswith("none") for line in lines)
    warnings = [line for line in lines if line.startswith("warning")]
    assert len(warnings) == 2
    assert any(w.startswith("warning: 1 of") and f"the {full} half" in w for w in warnings)
    assert any(w.startswith("warning: none of") and f"the {empty} half" in w for w in warnings)
    shipped = real_sets.describe(tiny_config(), domain)
    assert len(shipped) == 2 and not any("warning" in line for line in shipped)


def test_a_users_sentences_are_never_generated(domain, tmp_path):
    config = tiny_config(**{"eval.per_bucket": 20, "eval.negatives": 20})
    generated = evaluate.generated_sets(config, domain, 2)
    trained = Generator(domain, Recipe.of_run(config), 0).scenario(3).row
    mine = [generated["generated/messy"][4], generated["negatives/templated"][7], trained]
    path = tmp_path / "mine.jsonl"
    path.write_text(
        "".join(
            json.dumps({"query": r.query.text, "now": r.query.now, "calls": r.calls}) + "\n" for r in mine
        )
    )
    config = tiny_config(**{"eval.per_bucket": 20, "eval.negatives": 20, "real_path": path})
    again = evaluate.generated_sets(config, domain, 2)
    texts = {r.query.text for name, rows in again.items() if name != "negatives/natural" for r in rows}
    assert not texts & {r.query.text for r in mine}
    met = sample.draw(domain, Recipe.of_run(config), seed=0, size=20)
    assert met.touched >= {trained.query.text}
    assert Generator(domain, Recipe.of_run(config), 0).scenario(3).row.query.text != trained.query.text


def test_confidence_is_fitted_on_sentences_of_the_buckets_that_no_set_holds(domain, sets):
    config = tiny_config(**{"eval.per_bucket": 4, "eval.negatives": 5})
    rows = calibration_rows(config)
    assert [r.tags[0] for r in rows] == [b for b in BUCKETS for _ in range(4)]
    assert not {r.query.text for r in rows} & {r.query.text for some in sets.values() for r in some}


def test_every_generated_set_has_a_seed_of_its_own_above_trainings():
    streams = [*range(MAX_ROUNDS + 1), CALIBRATION_STREAM]
    seeds = [
        evaluate.generated_seed(stream, name)
        for stream in streams
        for name in (*evaluate.GENERATED, evaluate.NEAR_MISS)
    ]
    assert len(set(seeds)) == len(seeds)
    assert min(seeds) >= MAX_SEED * (2 * MAX_ROUNDS + 1)


def _recipe():
    return Recipe.from_config(tiny_config().recipe)
