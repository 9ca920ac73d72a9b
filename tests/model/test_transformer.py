"""Bud: who sees whom, shown by gradient; sharing, padding, sizes."""

from __future__ import annotations

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scenes
from scenes import orchard

from configs.base import get_config
from fernjax.model.codec import Spec
from fernjax.model.heads import init_params
from fernjax.model.transformer import Bud, ModelConfig, count_params, soft_cap
from fernjax.sim.types import UserError
from fernjax.sim.world import load_domain

TINY = dataclasses.replace(scenes.TINY, loops=2)
IDS = jnp.arange(200, 212, dtype=jnp.int32)[None]  # all different: a row of the embedding is a position


@functools.lru_cache
def params(config: ModelConfig = TINY):
    """Params whose output projections are not zero, as after some training."""
    tree = init_params(0, config, Spec.from_domain(orchard(), "point", config.max_calls))["bud"]
    leaves, structure = jax.tree.flatten(tree)
    rng = np.random.default_rng(1)
    noisy = [jnp.asarray(w + 0.05 * rng.normal(size=w.shape), jnp.float32) for w in leaves]
    return jax.tree.unflatten(structure, noisy)


@functools.partial(jax.jit, static_argnums=(0, 3))
def run(config, tree, ids, method):
    return Bud(config).apply({"params": tree}, ids, method=method)


def seen(config, method, pick):
    """Which of the tokens' embeddings the picked state depends on."""

    def state(embed):
        out = Bud(config).apply({"params": params(config) | {"embed": embed}}, IDS, method=method)
        return (pick(out) ** 2).sum()

    gradient = jax.jit(jax.grad(state))(params(config)["embed"])
    return [bool(jnp.abs(gradient[i]).max() > 0) for i in IDS[0]]


@pytest.mark.parametrize("at", [0, 5, 11])
def test_lm_states_are_causal(at):
    expected = [i <= at for i in range(12)]
    assert seen(TINY, "lm_states", lambda h: h[0, at]) == expected
    causal = dataclasses.replace(TINY, attention="causal")
    assert seen(causal, "read", lambda out: out[0][0, at]) == expected


def test_prefix_sees_itself_whole():
    assert all(seen(TINY, "read", lambda out: out[0][0, 0]))


@pytest.mark.parametrize("attention", ["prefix", "causal"])
def test_call_tokens_see_the_sentence_and_earlier_ones(attention):
    config = dataclasses.replace(TINY, attention=attention)
    assert all(seen(config, "read", lambda out: out[1][0, 0]))

    def state(embed, k):
        out = Bud(config).apply({"params": params(config) | {"embed": embed}}, IDS, method="read")
        return (out[1][0, k] ** 2).sum()

    first_call = 4  # id of <call:0>
    for k in range(3):
        gradient = jax.jit(jax.grad(state), static_argnums=1)(params(config)["embed"], k)
        reached = [bool(jnp.abs(gradient[first_call + j]).max() > 0) for j in range(3)]
        assert reached == [j <= k for j in range(3)]


def test_the_sentence_does_not_see_the_call_tokens():
    def state(embed):
        out = Bud(TINY).apply({"params": params() | {"embed": embed}}, IDS, method="read")
        return (out[0] ** 2).sum()

    assert not jnp.abs(jax.jit(jax.grad(state))(params()["embed"])[4:7]).any()


def test_padding_changes_nothing():
    short = run(TINY, params(), IDS, "read")
    padded = run(TINY, params(), jnp.pad(IDS, ((0, 0), (0, 9))), "read")
    np.testing.assert_allclose(short[0], padded[0][:, :12], atol=1e-5)
    np.testing.assert_allclose(short[1], padded[1], atol=1e-5)


def test_an_empty_row_has_no_nan():
    states, calls = run(TINY, params(), jnp.zeros((1, 8), jnp.int32), "read")
    assert jnp.isfinite(states).all() and jnp.isfinite(calls).all()


def test_loops_share_their_weights():
    more = dataclasses.replace(TINY, loops=3)
    spec = Spec.from_domain(orchard(), "point", 3)
    assert count_params(init_params(0, TINY, spec)) == count_params(init_params(0, more, spec))
    a, b = (run(c, params(), IDS, "read")[1] for c in (TINY, more))
    assert jnp.abs(a - b).max() > 1e-3


def test_stem_and_tail_are_unique_blocks():
    config = dataclasses.replace(TINY, stem_blocks=1, tail_blocks=2)
    names = {k for k in params(config) if k.split("_")[0] in ("stem", "core", "tail")}
    assert names == {"stem_0", "core_0", "tail_0", "tail_1"}


def test_a_first_model_is_its_embedding():
    tree = init_params(3, TINY, Spec.from_domain(orchard(), "point", 3))["bud"]
    states = run(TINY, tree, IDS, "lm_states")
    x = np.asarray(tree["embed"])[np.asarray(IDS)]
    np.testing.assert_allclose(
        states, x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6), rtol=1e-3, atol=1e-3
    )


def test_init_is_a_function_of_the_seed():
    spec = Spec.from_domain(orchard(), "point", 3)
    a, b, c = (init_params(seed, TINY, spec) for seed in (0, 0, 1))
    assert all(jax.tree.leaves(jax.tree.map(lambda x, y: bool((x == y).all()), a, b)))
    assert (a["bud"]["embed"] != c["bud"]["embed"]).any()
    assert {w.dtype for w in jax.tree.leaves(a)} == {jnp.dtype("float32")}


def test_lm_logits_are_capped_and_tied():
    logits = run(TINY, params(), IDS, "lm_logits")
    assert logits.shape == (1, 12, TINY.vocab_size) and logits.dtype == jnp.float32
    assert jnp.abs(logits).max() <= TINY.logit_cap
    assert float(soft_cap(jnp.array(1e6), 30.0)) == 30.0
    assert float(soft_cap(jnp.array(1e6), 0.0)) == 1e6


def test_bfloat16_is_near_float32():
    half = dataclasses.replace(TINY, dtype="bfloat16")
    a, b = (run(c, params(), IDS, "read")[1] for c in (TINY, half))
    assert b.dtype == jnp.bfloat16
    np.testing.assert_allclose(a, b.astype(jnp.float32), atol=0.15)


def size(**changes):
    config = get_config()
    config.model.update(changes)
    model = ModelConfig.from_config(config)
    spec = Spec.from_domain(load_domain("calendar"), "point", model.max_calls)
    return count_params(jax.eval_shape(functools.partial(init_params, 0, model, spec)))


def test_sizes():
    assert 1_500_000 <= size() <= 2_500_000
    bud = {"vocab_size": 8192, "width": 512, "heads": 8, "kv_heads": 4, "ff_width": 1344, "loops": 4}
    assert 11_500_000 <= size(**bud) <= 12_500_000


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heads": 5}, "width 32 over 5 heads"),
        ({"kv_heads": 3}, "kv_heads 3"),
        ({"attention": "full"}, "prefix or causal"),
        ({"dtype": "int8"}, "auto, float32, bfloat16"),
        ({"max_calls": 9}, "choose 1 to 8"),
        ({"heads": 0}, "heads 0; give at least 1"),
        ({"loops": 0}, "loops 0; give at least 1"),
        ({"tail_blocks": -1}, "tail_blocks -1; give at least 0"),
        ({"embed_std": 0.0}, "embed_std above 0"),
    ],
)
def test_values_that_cannot_be(changes, message):
    with pytest.raises(UserError, match=message):
        dataclasses.replace(TINY, **changes)


def test_keys_are_exactly_the_configs():
    values = vars(TINY)
    assert ModelConfig.from_json(values) == TINY
    with pytest.raises(UserError, match="config.model.depth: no such key"):
        ModelConfig.from_json(values | {"depth": 3})
    with pytest.raises(UserError, match="config.model.width: missing"):
        ModelConfig.from_json({k: v for k, v in values.items() if k != "width"})
