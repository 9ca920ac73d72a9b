"""The predictor: from queries to predictions, batched as single, valid whatever the weights."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import GOLD, NOW, TINY, orchard, scenes
from test_heads import learnt, random_params

from fernjax.model.calibration import Calibration
from fernjax.model.codec import Spec
from fernjax.model.predictor import MAX_CHARACTERS, Predictor
from fernjax.model.tokenizer import load_tokenizer
from fernjax.sim.types import Query, UserError
from fernjax.sim.world import Domain

TOKENIZER = load_tokenizer(2048)
SPEC = Spec.from_domain(orchard(), "point", 3)


def predictor(params, calibration=None, domain=None) -> Predictor:
    return Predictor(params, TINY, SPEC, TOKENIZER, calibration or Calibration(), domain or orchard(), 8)


@pytest.fixture(scope="module")
def trained() -> Predictor:
    return predictor(learnt("point")[1])


@pytest.fixture(scope="module")
def wild() -> Predictor:
    return predictor(random_params(SPEC))


QUERIES = [s.row.query for s in scenes()]


def test_answers_what_it_has_learnt(trained):
    predictions = trained.predict(QUERIES)
    assert [p.calls for p in predictions] == GOLD
    assert [p.outcome for p in predictions] == ["call", "call", "call", "abstained"]
    assert all(0.5 < p.confidence <= 1 for p in predictions)


def test_missing_is_what_the_app_asks_for(trained):
    picky = dataclasses.replace(orchard(), needs={"plant_tree": (("minutes",), ("date", "time"))})
    assert predictor(trained.params, domain=picky).predict(QUERIES[:1])[0].missing == ("minutes",)


def test_a_batch_gives_the_calls_of_single_queries(wild):
    queries = QUERIES * 5 + [Query("x", "plant " * n, NOW) for n in range(1, 20)]
    batched = wild.predict(queries)
    single = [wild.predict([q])[0] for q in queries]
    assert [p.calls for p in batched] == [p.calls for p in single]
    np.testing.assert_allclose([p.confidence for p in batched], [p.confidence for p in single], atol=1e-4)


@pytest.mark.parametrize(
    "query",
    [
        Query("a", "", NOW),
        Query("a", " \n\t", NOW),
        Query("a", "plant " * 60, NOW),  # more than max_length tokens
        Query("a", "a " * MAX_CHARACTERS, NOW),
        Query("a", "plant a fig", "tomorrow"),
        Query("a", "plant a fig", ""),
    ],
)
def test_what_cannot_be_answered_is_an_error_and_the_others_go_on(trained, query):
    first, last = trained.predict([query, QUERIES[0]])
    assert (first.outcome, first.calls, first.confidence) == ("error", (), 0.0)
    assert last.calls == GOLD[0]
    assert np.isneginf(trained.log_probabilities([query])).all()


WORDS = st.sampled_from("plant a fig friday 3pm , and 's # tomorrow İ 🌳 to from monday".split(" "))


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS | st.text(max_size=3), max_size=9).map(" ".join))
def test_any_text_gets_a_valid_answer(wild, text):
    (prediction,) = wild.predict([Query("a", text, NOW)])
    assert prediction.outcome in ("call", "abstained", "error")
    assert 0 <= prediction.confidence <= 1
    for call in prediction.calls:
        tool = orchard().tool(call.name)
        assert tool is not None
        for name, value in call.arguments.items():
            argument = tool.argument(name)
            assert argument is not None and value not in ("", [], None)
            assert argument.type not in ("text",) or value in text


def test_below_the_threshold_it_abstains(trained):
    shy = predictor(trained.params, Calibration(threshold=1.1))
    assert {p.outcome for p in shy.predict(QUERIES)} == {"abstained"}
    assert {p.calls[0].name for p in shy.predict(QUERIES)} == {"out_of_scope"}


def test_no_queries_no_predictions(trained):
    assert trained.predict([]) == []


def test_save_and_load(trained, tmp_path):
    kept = predictor(trained.params, Calibration(0.7, 1.2, 0.1, 0.05))
    kept.save(tmp_path / "model")
    loaded = Predictor.load(tmp_path / "model", orchard())
    assert loaded.predict(QUERIES) == kept.predict(QUERIES)
    assert loaded.calibration == kept.calibration and loaded.batch_size == 8


def other_tools(domain: Domain) -> Domain:
    return dataclasses.replace(domain, tools=domain.tools[1:])


def test_load_refuses_other_tools_and_missing_files(trained, tmp_path):
    trained.save(tmp_path)
    with pytest.raises(UserError, match="other tools"):
        Predictor.load(tmp_path, other_tools(orchard()))
    with pytest.raises(UserError, match="no model at"):
        Predictor.load(tmp_path / "nowhere", orchard())
    (tmp_path / "predictor.json").write_text("{")
    with pytest.raises(UserError, match="cannot be read"):
        Predictor.load(tmp_path, orchard())


@pytest.mark.parametrize("text", ["[]", "{}", "5", "null", '{"model": null}', "[" * 100_000])
def test_a_description_of_another_form_is_one_error(text, tmp_path):
    (tmp_path / "predictor.json").write_text(text)
    with pytest.raises(UserError, match="predictor.json (is damaged|cannot be read).*copy it again"):
        Predictor.load(tmp_path, orchard())


def test_a_changed_digit_is_seen(wild, tmp_path):
    predictor(wild.params, Calibration(0.7, 1.2, 0.1, 0.05)).save(tmp_path)
    path = tmp_path / "predictor.json"
    text = path.read_text()
    assert '"threshold": 0.05' in text
    path.write_text(text.replace('"threshold": 0.05', '"threshold": 0.06'))
    with pytest.raises(UserError, match="sha256 differs"):
        Predictor.load(tmp_path, orchard())
    about = json.loads(text)
    del about["sha256"]  # as an earlier version wrote it
    path.write_text(json.dumps(about))
    assert Predictor.load(tmp_path, orchard()).calibration.threshold == 0.05
