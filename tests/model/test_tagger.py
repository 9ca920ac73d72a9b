from __future__ import annotations

import dataclasses
import json
import pathlib
import runpy

import jax
import made_snips
import numpy as np
import pytest

from fernjax.model import checkpoint, quantize, reader, tagger, trainer
from fernjax.model.corpus import snips
from fernjax.model.tagger import TagPredictor, make_plan
from fernjax.model.transformer import ModelConfig

CONFIGS = pathlib.Path(__file__).parents[2] / "configs"


def config_of(root, **changes):
    config = runpy.run_path(str(CONFIGS / "snips.py"))["get_config"]("tiny")
    config.update_from_flattened_dict({"data.root": str(root)} | changes)
    return config.lock()


def labels_of(root):
    return snips.load(str(root)).labels


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Twenty sentences, two of each frame of the made-up benchmark and more, none of them held out."""
    rows = [r for r in made_snips.rows() if not snips.is_held_out(snips.normalize(r["query"]))]
    return made_snips.write(tmp_path_factory.mktemp("sources"), rows[::3][:20])


@pytest.fixture(scope="module")
def learnt(root, tmp_path_factory):
    """The predictor of a model that has seen twenty sentences often."""
    sizes = {"train.total_steps": 300, "train.peak_lr": 5e-3, "train.save_every_steps": 300}
    changes = {
        "snips.swap": 0.0,
        "snips.word_dropout": 0.0,
        "train.log_every_steps": 100,
        "train.quant_noise": False,
    }
    config = config_of(root, **sizes, **changes)
    directory = tmp_path_factory.mktemp("learnt")
    trained = trainer.run(make_plan(config, labels_of(root), 0), directory)
    return TagPredictor(trained.params, ModelConfig.from_config(config), labels_of(root), 8)


def test_twenty_sentences_are_learnt_by_heart(root, learnt):
    rows = snips.load(str(root)).train
    answers = learnt.predict([row.text for row in rows])
    for row, (prediction, spans) in zip(rows, answers, strict=True):
        assert prediction.calls[0].to_json() == {"name": row.intent, "arguments": row.arguments}
        assert spans == row.spans
        assert 0 < prediction.confidence <= 1


def test_texts_that_cannot_be_read_are_errors_and_the_others_go_on(root, learnt):
    text = snips.load(str(root)).train[0].text
    answers = learnt.predict(["", "x" * 5000, text, "word " * 400, " ", text])
    assert [p.outcome for p, _ in answers] == ["error", "error", "call", "error", "error", "call"]
    assert answers[2] == answers[5]


def test_a_batch_answers_as_single_sentences_do(root, learnt):
    texts = [row.text for row in snips.load(str(root)).train]
    together, alone = learnt.predict(texts), [learnt.predict([text])[0] for text in texts]
    for (one, spans), (other, same) in zip(together, alone, strict=True):
        assert (one.calls, spans) == (other.calls, same)
        assert one.confidence == pytest.approx(other.confidence, abs=1e-5)


def test_only_slots_of_the_intent_are_said(root):
    labels, model = labels_of(root), ModelConfig.from_config(config_of(root))
    params = tagger.init_params(0, model, labels)
    params = jax.tree.map(lambda w: w + 0.5 * jax.random.normal(jax.random.key(1), w.shape), params)
    predictor = TagPredictor(params, model, labels, 8)
    for prediction, spans in predictor.predict([r["query"] for r in made_snips.rows()]):
        allowed = made_snips.SLOTS[prediction.calls[0].name]
        assert set(prediction.calls[0].arguments) == {s.slot for s in spans} <= set(allowed)


def test_the_loss_is_that_of_the_intents_and_of_the_words(root):
    config, labels = config_of(root), labels_of(root)
    plan = make_plan(config, labels, 0)
    examples = plan.source.examples(0, 4)[0]
    batch = plan.source.collate(examples, 48)
    model = ModelConfig.from_config(config)
    params = tagger.init_params(0, model, labels)
    total, metrics = tagger.loss(params, batch, model, labels)
    said = tagger._read(params, batch["ids"], model, labels)
    expected = -np.mean([said["intent"][i, e["intent"]] for i, e in enumerate(examples)])
    assert metrics["loss_intent"] == pytest.approx(expected, rel=1e-5)
    assert total == pytest.approx(metrics["loss_intent"] + metrics["loss_tags"])
    allowed = labels.allowed_IxY.sum(1)[batch["intent"]]  # at first each tag of an intent is about as likely
    words = (batch["tags"] >= 0).sum(1)
    assert metrics["loss_tags"] == pytest.approx((np.log(allowed) * words).sum() / words.sum(), abs=0.2)


def test_more_padding_changes_no_loss(root):
    plan = make_plan(config_of(root), labels_of(root), 0)
    examples = plan.source.examples(0, 4)[0]
    params = plan.problem.init(0)
    losses = [float(plan.problem.loss(params, plan.source.collate(examples, n))[0]) for n in (32, 48)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


class Crash(Exception):
    pass


def test_a_training_that_was_stopped_ends_in_the_same_bits(root, tmp_path):
    plan = make_plan(config_of(root), labels_of(root), 0)
    whole = trainer.run(plan, tmp_path / "whole")

    def crash(line):
        if line["step"] >= 6:
            raise Crash

    with pytest.raises(Crash):
        trainer.run(plan, tmp_path / "parts", crash)
    parts = trainer.run(plan, tmp_path / "parts")
    assert parts.weights_path.read_bytes() == whole.weights_path.read_bytes()


def test_other_sentences_are_another_training(root, tmp_path):
    first = make_plan(config_of(root), labels_of(root), 0)
    assert json.dumps(first.arguments)
    made_snips.write(tmp_path)
    other = make_plan(config_of(tmp_path), labels_of(root), 0)
    assert first.arguments["data"] != other.arguments["data"]
    same = {k: v for k, v in first.arguments.items() if k != "data"}
    assert same == {k: v for k, v in other.arguments.items() if k != "data"}
    assert str(root) not in json.dumps(first.arguments)


def test_a_broad_models_transformer_is_taken_and_the_heads_are_new(root, tmp_path):
    labels, model = labels_of(root), ModelConfig.from_config(config_of(root))
    broad = reader.init(7, model)
    checkpoint.save_weights(tmp_path / "broad.safetensors", broad)
    tagger.specialise(tmp_path / "broad.safetensors", model, labels, 3, tmp_path / "own.safetensors")
    own = tagger.init_params(3, model, labels)
    params = checkpoint.load_weights(tmp_path / "own.safetensors", own)
    same = jax.tree.map(lambda a, b: bool((a == b).all()), params, own | {"bud": broad["bud"]})
    assert all(jax.tree.leaves(same))
    plan = make_plan(config_of(root), labels, 3, tmp_path / "own.safetensors")
    assert plan.arguments["start_from"]


def test_weights_are_used_as_they_ship(root, tmp_path):
    config, labels = config_of(root), labels_of(root)
    params = tagger.init_params(0, ModelConfig.from_config(config), labels)
    checkpoint.save_weights(tmp_path / "weights.safetensors", params)
    loaded = TagPredictor.load(tmp_path / "weights.safetensors", config, labels)
    rounded = quantize.round_int8(params)
    same = jax.tree.map(lambda a, b: bool((a == b).all()), loaded.params, rounded)
    assert all(jax.tree.leaves(same))


def test_the_problem_is_hashed_by_its_value(root):
    problem = make_plan(config_of(root), labels_of(root), 0).problem
    assert hash(problem) == hash(make_plan(config_of(root), labels_of(root), 1).problem)
    assert problem != dataclasses.replace(problem, quant_noise=False)
