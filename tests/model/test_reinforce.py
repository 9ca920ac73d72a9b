"""Answers that are sampled, rewarded, and made likelier."""

from __future__ import annotations

import dataclasses

import jax
import numpy as np
import pytest

from fernjax.loop import settings
from fernjax.model import checkpoint, heads, reinforce, trainer
from fernjax.model.codec import NOT_ASKED
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import Call, UserError
from fernjax.sim.worlds.rewards import ExactCall


class NamesTool:
    """1 for whatever calls one tool."""

    name = "names a tool"

    def __init__(self, tool):
        self.tool = tool

    def __call__(self, asked):
        assert all(isinstance(c, Call) for _, calls in asked for c in calls)
        return [float(calls[0].name == self.tool) for _, calls in asked]


@pytest.fixture(scope="module")
def config():
    config = settings.load_config("configs/calendar.py:tiny", {})
    values = settings.to_json(config)
    values["rl"] |= {"sentences": 4, "samples": 8, "kl_weight": 0.0}
    values["train"] |= {"warmup_steps": 1, "decay_share": 0.1, "quant_noise": False, "save_every_steps": 3}
    return settings.from_json(values)


@pytest.fixture(scope="module")
def weights(config, tmp_path_factory):
    plan = trainer_plan(config)
    path = tmp_path_factory.mktemp("start") / "weights.safetensors"
    params = heads.init_params(0, plan.problem.model_config, plan.problem.spec)
    checkpoint.save_weights(path, jax.device_get(params))
    return path


def trainer_plan(config):
    from fernjax.model import train

    return train.make_plan(config, Recipe.of_run(config), 0)


def make_plan(config, weights, reward, steps=6, peak_lr=0.01):
    return reinforce.make_plan(config, Recipe.of_run(config), 0, weights, steps, peak_lr, reward)


def test_a_batch_holds_answers_with_what_they_are_worth(config, weights):
    plan = make_plan(config, weights, NamesTool("find_free_time"))
    batch = plan.source.collate(plan.source.examples(0, 4)[0], 48)
    params = plan.prepare._first
    made = plan.prepare(params, batch, 3)
    assert len(made["ids"]) == 32 and "number" not in made
    again = plan.prepare(params, batch, 3)
    assert all(np.array_equal(made[name], again[name]) for name in made)
    assert not np.array_equal(made["tool"], plan.prepare(params, batch, 4)["tool"])
    np.testing.assert_allclose(made["advantage"].reshape(4, 8).sum(1), 0.0, atol=1e-6)
    spec = plan.problem.spec
    first = made["tool"][:, 0]
    assert set(np.unique(first)) <= set(range(len(spec.tools)))  # no first call says "no more"
    ended = first == spec.out_of_scope
    assert (made["tool"][ended, 1] == NOT_ASKED).all()
    free = [t.name for t in spec.tools].index("find_free_time")
    assert (made["reward"] <= (first == free)).all() and made["reward"].sum() > 0
    _, metrics = plan.problem.loss_of(params, made)
    assert float(metrics["kl"]) == pytest.approx(0.0, abs=1e-6)


def test_samples_come_as_often_as_the_model_holds_them_likely(config, weights):
    plan = make_plan(config, weights, ExactCall())
    problem, source = plan.problem, plan.source
    example = source.collate(source.examples(0, 1)[0], 48)
    inputs = {name: example[name] for name in reinforce.INPUTS}
    params = plan.prepare._first
    drawn = reinforce.sample(params, inputs, jax.random.key(1), 4000, problem.model_config, problem.spec)
    answers = heads.Caller(problem.model_config, problem.spec).apply(
        {"params": params}, inputs, example["tool"]
    )
    likely = np.exp(np.array(answers["tool"][0, 0]))
    seen = np.bincount(np.array(drawn["tool"][:, 0]), minlength=len(likely)) / 4000
    np.testing.assert_allclose(seen, likely, atol=0.04)


def test_what_is_worth_more_becomes_likelier_and_a_resumed_run_ends_in_the_same_bits(
    config, weights, tmp_path
):
    plan = make_plan(config, weights, NamesTool("create_event"), steps=30, peak_lr=0.01)
    whole = trainer.run(plan, tmp_path / "whole")
    batch = plan.source.collate(plan.source.examples(500, 504)[0], 48)
    before = plan.prepare(plan.prepare._first, batch, 0)["reward"].mean()
    after = plan.prepare(whole.params, batch, 0)["reward"].mean()
    assert after > before + 0.3

    stopped = dataclasses.replace(plan, schedule=plan.schedule)
    half = tmp_path / "half"
    trainer.run(stopped, half)
    for path in sorted(half.glob("step_*"))[1:]:
        for file in sorted(path.rglob("*"), reverse=True):
            file.unlink() if file.is_file() else file.rmdir()
        path.rmdir()
    (half / "weights.safetensors").unlink()
    again = trainer.run(plan, half)
    assert all(
        np.array_equal(a, b)
        for a, b in zip(jax.tree.leaves(whole.params), jax.tree.leaves(again.params), strict=True)
    )


def test_the_distance_from_the_start_costs(config, weights):
    plan = make_plan(config, weights, NamesTool("create_event"))
    problem = dataclasses.replace(plan.problem, kl_weight=1.0)
    batch = plan.source.collate(plan.source.examples(0, 4)[0], 48)
    first = plan.prepare._first
    far = jax.tree.map(lambda x: x + 0.05 * jax.random.normal(jax.random.key(2), x.shape), first)
    made = plan.prepare(far, batch, 0)
    _, metrics = problem.loss_of(far, made)
    assert float(metrics["kl"]) > 0.01


def test_what_cannot_be_sampled_is_told(config, weights):
    values = settings.to_json(config) | {"argument_mode": "write"}
    with pytest.raises(UserError, match="write"):
        make_plan(settings.from_json(values), weights, ExactCall())
