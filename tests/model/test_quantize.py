"""Rounding to int8: per output channel, idempotent, and straight through for the gradient."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from scenes import TINY, orchard

from fernjax.model.codec import Spec
from fernjax.model.heads import init_params
from fernjax.model.quantize import LEVELS, fake_quant, is_matrix, round_int8

RNG = np.random.default_rng(0)
TREE = {
    "layer": {"kernel": jnp.asarray(RNG.normal(size=(6, 4)) * [1, 10, 100, 0], jnp.float32)},
    "embed": jnp.asarray(RNG.normal(size=(5, 3)) * [[1], [10], [100], [1], [0]], jnp.float32),
    "norm": {"scale": jnp.asarray(RNG.normal(size=4), jnp.float32)},
}


def test_error_is_half_a_step_of_the_channel():
    rounded = round_int8(TREE)
    kernel, embed = TREE["layer"]["kernel"], TREE["embed"]
    step = jnp.abs(kernel).max(0, keepdims=True) / 127
    assert (jnp.abs(rounded["layer"]["kernel"] - kernel) <= 0.5001 * step).all()
    step = jnp.abs(embed).max(1, keepdims=True) / 127
    assert (jnp.abs(rounded["embed"] - embed) <= 0.5001 * step).all()
    assert (rounded["norm"]["scale"] == TREE["norm"]["scale"]).all()
    assert any((a != b).any() for a, b in zip(jax.tree.leaves(rounded), jax.tree.leaves(TREE), strict=True))


def test_rounding_twice_is_rounding_once():
    once = round_int8(TREE)
    for a, b in zip(jax.tree.leaves(once), jax.tree.leaves(round_int8(once)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_each_channel_is_integers_of_a_byte_times_its_scale():
    rounded = round_int8(TREE)
    for name, axis in (("kernel", 0), ("embed", 1)):
        w = TREE["layer"]["kernel"] if name == "kernel" else TREE["embed"]
        got = np.asarray(rounded["layer"]["kernel"] if name == "kernel" else rounded["embed"], np.float64)
        peak = np.abs(np.asarray(w, np.float64)).max(axis, keepdims=True)
        integers = got / np.where(peak > 0, peak / LEVELS, 1.0)
        np.testing.assert_allclose(integers, np.round(integers), atol=1e-3)
        np.testing.assert_array_equal(
            np.abs(np.round(integers)).max(axis), np.where(peak > 0, LEVELS, 0).squeeze()
        )


def test_gradient_passes_straight_through():
    def loss(tree):
        return sum(jnp.sum(w**2) for w in jax.tree.leaves(fake_quant(tree)))

    for gradient, w in zip(
        jax.tree.leaves(jax.grad(loss)(TREE)), jax.tree.leaves(round_int8(TREE)), strict=True
    ):
        np.testing.assert_allclose(gradient, 2 * w, rtol=1e-5)


def test_what_is_rounded_in_the_model():
    params = init_params(0, TINY, Spec.from_domain(orchard(), "point", 3))
    rounded = {
        jax.tree_util.keystr(path, simple=True, separator="/")
        for path, w in jax.tree_util.tree_leaves_with_path(params)
        if is_matrix(path, w)
    }
    assert {"bud/embed", "bud/core_0/qkv/kernel", "bud/core_0/down/kernel", "head_key/kernel"} <= rounded
    assert not {n for n in rounded if "norm" in n or n.endswith(("scale", "bias"))}
