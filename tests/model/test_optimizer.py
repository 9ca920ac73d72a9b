from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from fernjax.model import optimizer
from fernjax.model.optimizer import Settings
from fernjax.sim.types import UserError

LR = {"adamw": jnp.float32(1e-2), "muon": jnp.float32(1e-2)}


def make_params() -> dict:
    k = jax.random.split(jax.random.key(0), 4)
    return {
        "embed": jax.random.normal(k[0], (11, 8)),
        "core": [{"up": jax.random.normal(k[1], (8, 16)), "norm": jnp.ones(8)}],
        "stacked": jax.random.normal(k[2], (3, 8, 4)),
        "tool_head": {"w": jax.random.normal(k[3], (8, 5)), "bias": jnp.zeros(5)},
    }


def make_grads(params: dict) -> dict:
    return jax.tree.map(lambda p: jnp.cos(3 * p) + 0.1, params)


def test_adamw_is_optax_adamw():
    params = make_params()
    ours = Settings("adamw", weight_decay=0.1, clip_norm=0)
    theirs = optax.adamw(1e-2, b1=ours.b1, b2=ours.b2, eps=ours.eps, weight_decay=0.1, mask=optimizer.decayed)
    a, b = params, params
    state_a, state_b = optimizer.init(ours, a), theirs.init(b)
    for _ in range(3):
        a, state_a, _ = optimizer.update(ours, make_grads(a), state_a, a, LR)
        updates, state_b = theirs.update(make_grads(b), state_b, b)
        b = optax.apply_updates(b, updates)
    jax.tree.map(lambda x, y: np.testing.assert_allclose(x, y, atol=1e-6), a, b)


def test_muon_updates_of_matrices_are_nearly_orthogonal():
    params = make_params()
    settings = Settings("muon", weight_decay=0.0, clip_norm=0)
    grads = make_grads(params)
    new, _, _ = optimizer.update(settings, grads, optimizer.init(settings, params), params, LR)
    shape_factor = (16 / 8) ** 0.5
    update = (params["core"][0]["up"] - new["core"][0]["up"]) / LR["muon"] / shape_factor
    singular = np.linalg.svd(np.asarray(update), compute_uv=False)
    assert singular.min() > 0.5 and singular.max() < 1.5


def test_a_stack_of_matrices_is_updated_one_by_one():
    k = jax.random.key(1)
    stack = jax.random.normal(k, (3, 8, 4))
    settings = Settings("muon", weight_decay=0.0, clip_norm=0)
    grads = jax.random.normal(jax.random.key(2), stack.shape)

    def step(p, g):
        return optimizer.update(settings, {"w": g}, optimizer.init(settings, {"w": p}), {"w": p}, LR)[0]["w"]

    alone = jnp.stack([step(p, g) for p, g in zip(stack, grads, strict=True)])
    np.testing.assert_allclose(step(stack, grads), alone, atol=1e-6)


def test_rules_and_decay_of_each_leaf():
    params = make_params()
    assert optimizer.rules("muon", params) == {
        "embed": "adamw",
        "core": [{"up": "muon", "norm": "adamw"}],
        "stacked": "muon",
        "tool_head": {"w": "adamw", "bias": "adamw"},
    }
    assert set(jax.tree.leaves(optimizer.rules("adamw", params))) == {"adamw"}
    assert optimizer.decayed(params) == {
        "embed": False,
        "core": [{"up": True, "norm": False}],
        "stacked": True,
        "tool_head": {"w": True, "bias": False},
    }
    lines = optimizer.describe(Settings("muon", 0.1, 1.0), params).splitlines()
    up, norm = params["core"][0]["up"], params["core"][0]["norm"]
    assert [line.split() for line in lines[:3]] == [
        ["core/0", "adamw", f"{norm.size}:", "norm"],
        ["core/0", "muon", f"{up.size}:", "up*"],
        ["embed", "adamw", f"{params['embed'].size}:", "itself"],
    ]


@pytest.mark.parametrize("name", optimizer.NAMES)
def test_clipping_bounds_the_norm_and_reports_it_unclipped(name):
    # AdamW forgets scale, so the clip is seen in its first moment.
    params = make_params()
    grads = jax.tree.map(lambda g: 100 * g, make_grads(params))
    settings = Settings(name, weight_decay=0.0, clip_norm=1.0)
    _, state, norm = optimizer.update(settings, grads, optimizer.init(settings, params), params, LR)
    assert float(norm) == pytest.approx(float(optax.tree.norm(grads)), rel=1e-5)
    moments = [m for m in jax.tree.leaves(optax.tree.get_all_with_path(state, "mu")) if hasattr(m, "ndim")]
    total = float(jnp.sqrt(sum(jnp.sum(m**2) for m in moments if m.ndim)))
    assert 0.04 < total < 0.11  # 1 - b1 = 0.1 or 1 - momentum = 0.05 of a norm of 1


def test_an_unknown_optimizer_is_the_users_mistake():
    with pytest.raises(UserError, match="config.train.optimizer is 'adam'; choose one of: adamw, muon"):
        Settings("adam", 0.0, 1.0)
