from __future__ import annotations

import importlib.util
import json
import pathlib
from typing import Any

import jax
import numpy as np
import pytest

from fernjax.model import checkpoint, optimizer, quantize, train, trainer
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import UserError


def make_config() -> Any:
    """`configs/base.py`, made tiny."""
    path = pathlib.Path(__file__).parents[2] / "configs" / "base.py"
    spec = importlib.util.spec_from_file_location("fernjax_base_config", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    config = module.get_config()
    config.model.update(
        {"width": 16, "heads": 2, "kv_heads": 1, "ff_width": 16, "core_blocks": 1, "loops": 1}
    )
    config.model.max_length = 16  # one length, one compile
    config.train.update({"total_steps": 6, "batch_size": 4, "warmup_steps": 2, "data_workers": 0})
    config.train.update({"save_every_steps": 3, "log_every_steps": 3})
    return config


def make_recipe(config: Any) -> Recipe:
    return Recipe.from_config(config.recipe)


class Crash(Exception):
    pass


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory) -> train.TrainedRun:
    config = make_config()
    return train.train(config, make_recipe(config), 0, tmp_path_factory.mktemp("whole"))


def test_a_tool_caller_trains_and_writes_what_it_says(whole_run):
    assert whole_run.steps == 6
    assert {p.name for p in whole_run.directory.iterdir()} == {
        "lock",
        "metrics.jsonl",
        "step_00000003",
        "step_00000006",
        "weights.safetensors",
    }
    read = checkpoint.load_weights(whole_run.weights_path, whole_run.params)
    jax.tree.map(np.testing.assert_array_equal, read, whole_run.params)
    lines = [json.loads(line) for line in (whole_run.directory / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [3, 6]
    assert all(np.isfinite(line["loss"]) and 0 < line["redrawn_share"] < 0.9 for line in lines)


def test_a_crash_a_worker_and_a_resume_change_no_bit(tmp_path, whole_run):
    config = make_config()
    config.train.data_workers = 1

    def crash(line: dict[str, Any]) -> None:
        if line["step"] == 6:
            raise Crash

    with pytest.raises(Crash):
        train.train(config, make_recipe(config), 0, tmp_path, on_progress=crash)
    assert checkpoint.latest(tmp_path).name == "step_00000003"
    train.train(config, make_recipe(config), 0, tmp_path)
    assert (tmp_path / "weights.safetensors").read_bytes() == whole_run.weights_path.read_bytes()


def test_what_decides_the_bits_is_in_the_arguments():
    config = make_config()
    base = train.make_plan(config, make_recipe(config), 0).arguments
    changed = make_config()
    changed.train.clip_norm = 2.0
    others = [
        train.make_plan(config, make_recipe(config), 1),
        train.make_plan(config, make_recipe(config), 0, steps=7),
        train.make_plan(config, make_recipe(config), 0, peak_lr=1e-5),
        train.make_plan(config, make_recipe(config).replace(contrastive=0.3), 0),
        train.make_plan(changed, make_recipe(changed), 0),
    ]
    for other in others:
        assert other.arguments != base
    changed = make_config()
    changed.train.update({"data_workers": 3, "save_every_steps": 1, "log_every_steps": 1})
    assert train.make_plan(changed, make_recipe(changed), 0).arguments == base


def test_what_a_users_own_file_holds_is_in_the_arguments(tmp_path):
    config, mine = make_config(), tmp_path / "my.jsonl"
    recipe = make_recipe(config).replace(avoid_path=str(mine))
    mine.write_text('{"query": "a"}\n')
    before = train.make_plan(config, recipe, 0).arguments
    assert train.make_plan(config, recipe, 0).arguments == before
    mine.write_text('{"query": "b"}\n')
    assert train.make_plan(config, recipe, 0).arguments != before
    mine.unlink()
    with pytest.raises(UserError, match="cannot read .*my.jsonl"):
        train.make_plan(config, recipe, 0)


def test_the_longest_sentence_is_the_modes_own():
    config = make_config()
    config.model.max_length = 90
    for mode in ("point", "fill", "write"):
        config.argument_mode = mode
        config.train.longest[mode] = 33
        plan = train.make_plan(config, make_recipe(config), 0)
        assert plan.source.max_length == plan.arguments["train"]["longest"] == 33
        config.train.longest[mode] = 95
        assert train.make_plan(config, make_recipe(config), 0).source.max_length == 90


def test_every_key_of_train_is_either_decisive_or_operational():
    # A key added to the config and forgotten here would let a changed run resume as if it were the same.
    config = make_config()
    arguments = train.make_plan(config, make_recipe(config), 0).arguments
    given_apart = {"total_steps", "peak_lr", "muon_lr", "start_from"}  # by what they come to
    of_the_loop = {"repair_steps", "repair_lr"}
    operational = {"save_every_steps", "log_every_steps", "data_workers", "profile_steps"}
    in_the_plan = {"accumulate"}  # another order of the same sums
    known = set(arguments["train"]) | given_apart | of_the_loop | operational | in_the_plan
    assert set(config.train.keys()) == known


def test_a_repair_starts_from_the_champion_at_its_own_rate(whole_run):
    config = make_config()
    plan = train.make_plan(config, make_recipe(config), 7, whole_run.weights_path, steps=3, peak_lr=1e-3)
    assert plan.schedule.total_steps == 3
    assert dict(plan.schedule.peak_lr) == {"adamw": 1e-3, "muon": pytest.approx(0.01)}
    assert plan.arguments["start_from"] == checkpoint.digest_weights(whole_run.weights_path)


def test_quantisation_noise_is_in_the_loss_where_the_config_says_so(whole_run):
    config = make_config()
    problem = train.make_plan(config, make_recipe(config), 0).problem
    config.train.quant_noise = False
    exact = train.make_plan(config, make_recipe(config), 0)
    batch = exact.source.collate(exact.source.examples(0, 4)[0], 16)
    rounded = quantize.round_int8(whole_run.params)
    loss, of_rounded, of_exact = (
        float(jax.jit(p.loss)(params, batch)[0])
        for p, params in (
            (problem, whole_run.params),
            (exact.problem, rounded),
            (exact.problem, whole_run.params),
        )
    )
    assert loss == pytest.approx(of_rounded, rel=1e-5)
    assert abs(of_exact - of_rounded) > 1e-5 * of_rounded


def test_muon_takes_the_blocks_and_adamw_the_rest(whole_run):
    rules = optimizer.rules("muon", whole_run.params)
    by_name = {
        jax.tree_util.keystr(path, simple=True, separator="/"): rule
        for path, rule in jax.tree_util.tree_leaves_with_path(rules)
    }
    muon = {name for name, rule in by_name.items() if rule == "muon"}
    assert muon == {f"bud/core_0/{part}/kernel" for part in ("qkv", "out", "gate_up", "down")}


def test_overfitting_a_batch_through_the_noise_lowers_the_loss():
    config = make_config()
    config.train.optimizer = "muon"
    plan = train.make_plan(config, make_recipe(config), 0)
    batch = plan.source.collate(plan.source.examples(0, 4)[0], 16)
    state = trainer.make_first_state(plan, plan.problem.init(0))
    step = trainer.make_step(plan.problem, plan.optimizer, trainer.devices.make_mesh(), 1)
    losses = []
    for _ in range(40):
        rates = {"adamw": np.float32(2e-2), "muon": np.float32(0.02)}
        state, out = step(state, batch, rates, np.zeros(4, bool))
        losses.append(float(out["loss"]))
    assert losses[-1] < 0.3 * losses[0]


def test_no_steps_and_absent_weights_are_the_users_mistakes(tmp_path):
    config = make_config()
    with pytest.raises(UserError, match="0 steps of training; give at least 1"):
        train.make_plan(config, make_recipe(config), 0, steps=0)
    with pytest.raises(UserError, match="no weights at"):
        train.make_plan(config, make_recipe(config), 0, start_from=tmp_path / "absent")
