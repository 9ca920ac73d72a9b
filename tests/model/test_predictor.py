"""The predictor: from queries to predictions, batched as single, valid whatever the weights."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import subprocess
import sys

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


def test_a_batch_gives_what_single_queries_give_bit_for_bit(wild):
    queries = QUERIES * 5 + [Query("x", "plant " * n, NOW) for n in range(1, 20)]
    batched = wild.predict(queries)
    assert batched == [wild.predict([q])[0] for q in queries]
    assert batched == wild.predict(queries[::-1])[::-1]


def test_a_predictor_used_a_thousand_times_is_a_fresh_one(wild):
    draw = random.Random(0)
    queries = QUERIES + [Query("x", "plant " * n + "on friday", NOW) for n in range(1, 20)]
    first = dict(zip(queries, wild.predict(queries), strict=True))
    for _ in range(1000):
        query = draw.choice(queries)
        assert wild.predict([query])[0] == first[query]
    fresh = predictor(random_params(SPEC))
    assert {q: fresh.predict([q])[0] for q in queries} == first


def test_eight_devices_answer_as_one(wild):
    queries = QUERIES + [Query("x", "plant " * n + "on friday", NOW) for n in range(1, 20)]
    program = (
        "import jax; jax.config.update('jax_num_cpu_devices', 8)\n"
        "import test_predictor as t; from test_heads import random_params\n"
        "queries = t.QUERIES + [t.Query('x', 'plant ' * n + 'on friday', t.NOW) for n in range(1, 20)]\n"
        "trained = jax.device_put(random_params(t.SPEC), jax.devices()[0])  # as a training leaves them\n"
        "for p in t.predictor(trained).predict(queries): print(p)\n"
        "print(jax.local_device_count())\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert done.stdout.splitlines() == [*map(str, wild.predict(queries)), "8"], done.stderr


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
