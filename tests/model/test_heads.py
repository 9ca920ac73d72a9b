"""The heads: what they may say, and that four sentences are learnt by heart in every mode."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from scenes import GOLD, NOW, TINY, orchard, scenes

from fernjax.model import codec, heads
from fernjax.model.codec import Spec
from fernjax.model.tokenizer import load_tokenizer

TOKENIZER = load_tokenizer(2048)
LOSS = jax.jit(heads.loss, static_argnums=(2, 3))
DECODE = jax.jit(heads.decode, static_argnums=(2, 3))


def make_batch(spec, length=40):
    return codec.collate([codec.encode_scenario(s, spec, TOKENIZER) for s in scenes()], length)


@functools.lru_cache
def learnt(mode):
    """Params of a model that knows `scenes` by heart."""
    spec = Spec.from_domain(orchard(), mode, 3)
    batch = make_batch(spec)
    optimizer = optax.adam(5e-3)

    @jax.jit
    def step(params, state):
        gradient, metrics = jax.grad(heads.loss, has_aux=True)(params, batch, TINY, spec)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(params, updates), state, metrics

    params = heads.init_params(0, TINY, spec)
    state = optimizer.init(params)
    for _ in range(150):
        params, state, metrics = step(params, state)
    return spec, params, batch, metrics


@pytest.mark.parametrize(
    "mode",
    ["point", pytest.param("fill", marks=pytest.mark.slow), pytest.param("write", marks=pytest.mark.slow)],
)
def test_learns_by_heart(mode):
    spec, params, batch, metrics = learnt(mode)
    assert float(metrics["answer_accuracy"]) == 1.0
    answers = jax.device_get(DECODE(params, batch, TINY, spec))
    for row, scenario in enumerate(scenes()):
        if mode == "fill" and row == 2:
            continue  # by type alone the date goes to the first call
        query = scenario.row.query
        encoded = codec.encode_query(query.text, scenario.mentions, spec, TOKENIZER, NOW)
        answer = {k: v[row] for k, v in answers.items()}
        assert codec.decode(answer, encoded, spec, NOW) == GOLD[row]
        assert answer["logp"].sum() > np.log(0.5)


def random_params(spec, seed=0, scale=0.5):
    tree = heads.init_params(seed, TINY, spec)
    leaves, structure = jax.tree.flatten(tree)
    rng = np.random.default_rng(seed)
    wild = [np.asarray(w + scale * rng.normal(size=w.shape), np.float32) for w in leaves]
    return jax.tree.unflatten(structure, wild)


def test_whatever_the_weights_an_answer_is_valid():
    spec = Spec.from_domain(orchard(), "point", 3)
    batch = make_batch(spec)
    seen_calls = set()
    for seed in range(12):
        out = jax.device_get(DECODE(random_params(spec, seed), batch, TINY, spec))
        assert np.isfinite(out["logp"]).all() and (out["logp"] <= 1e-6).all()
        for row, scenario in enumerate(scenes()):
            first, *later = out["tool"][row]
            assert first < 4 and 3 not in later  # a call at least; no abstaining behind one
            if first == 3 or 4 in later:
                at = 0 if first == 3 else 1 + later.index(4)
                assert all(t == 4 for t in later[at:])
            query = scenario.row.query
            encoded = codec.encode_query(query.text, scenario.mentions, spec, TOKENIZER)
            calls = codec.decode({k: v[row] for k, v in out.items()}, encoded, spec, NOW)
            for call in calls:
                tool = next(t for t in spec.tools if t.name == call.name)
                seen_calls.add(call.name)
                for name, value in call.arguments.items():
                    argument = tool.argument(name)
                    if argument.type == "text":
                        assert value in query.text
                    elif argument.type == "choice":
                        assert value in argument.choices
            said = out["start"][row] > 0
            assert (out["end"][row] >= out["start"][row]).all()
            assert (said == (out["end"][row] > 0)).all()
    assert len(seen_calls) > 1


def test_loss_is_the_likelihood_that_decoding_reports():
    spec, params, batch, _ = learnt("point")
    loss, metrics = LOSS(params, batch, TINY, spec)
    logp = DECODE(params, batch, TINY, spec)["logp"].sum(1)
    np.testing.assert_allclose(loss, -logp.mean(), rtol=1e-3, atol=1e-4)
    parts = [v for k, v in metrics.items() if k.startswith("loss_")]
    np.testing.assert_allclose(loss, sum(parts), rtol=1e-5)
    assert loss.dtype == jnp.float32 and loss.shape == ()


def test_padding_and_neighbours_do_not_change_the_loss():
    spec = Spec.from_domain(orchard(), "point", 3)
    params = random_params(spec, scale=0.1)
    examples = [codec.encode_scenario(s, spec, TOKENIZER) for s in scenes()]
    together = LOSS(params, codec.collate(examples, 40), TINY, spec)[0]
    apart = [LOSS(params, codec.collate([e], 24), TINY, spec)[0] for e in examples]
    np.testing.assert_allclose(together, np.mean(apart), rtol=1e-4)


def test_only_the_gold_tools_arguments_are_trained():
    spec = Spec.from_domain(orchard(), "point", 3)
    batch = codec.collate([codec.encode_scenario(scenes()[1], spec, TOKENIZER)], 24)
    gradient_of = jax.jit(jax.grad(lambda p: heads.loss(p, batch, TINY, spec)[0]))
    gradient = gradient_of(random_params(spec, scale=0.1))
    touched = np.abs(np.asarray(gradient["head_slot_embed"])).max((1, 2)) > 0
    assert [spec.slots[i].tool for i in np.flatnonzero(touched)] == [1] * 4


def test_a_spec_of_other_calls_is_refused():
    spec = Spec.from_domain(orchard(), "point", 2)
    with pytest.raises(ValueError, match="2 calls"):
        heads.init_params(0, TINY, spec)
