"""Every benchmark that needs neither PyTorch nor a trained model, with tiny arguments."""

from __future__ import annotations

import importlib
import json
import math
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import jax
import pytest

from fernjax.loop.settings import load_config
from fernjax.model.transformer import ModelConfig

BENCHMARKS = pathlib.Path(__file__).parents[2] / "benchmarks"

RUNS = {
    "generator": ("--count=20",),
    "sim_step": ("--domain=calendar", "--count=20"),
    "mentions": ("--hostile_bytes=20000",),
    "train_step": (
        "--models=tiny",
        "--rounds=1",
        "--steps=1",
        "--batches=1",
        "--no_torch",
        "--xla_flags=--xla_cpu_enable_fast_math=false",
    ),
    "decode": ("--models=tiny", "--rounds=1", "--count=2", "--many=2", "--no_torch"),
    "pipeline": ("--models=tiny", "--rounds=1", "--steps=18"),
    "scaling": ("--model=tiny", "--rounds=1", "--batch=4x16", "--sizes=2"),
}

COMPILING = ("train_step", "decode", "pipeline", "scaling")

KEYS = {
    "generator": {"scenarios_per_s"},
    "sim_step": {"median_steps_per_s"},
    "mentions": {"hostile_worst_ratio"},
    "train_step": {
        "tiny_share_of_best_matmul",
        "tiny_examples_per_s",
        "tiny_train_peak_rss_gb",
        "tiny_specialist_peak_rss_net_gb",
        "tiny_gradient_error",
    },
    "decode": {"tiny_single_p50_ms", "tiny_single_p99_ms", "tiny_batch_64_per_s", "tiny_batch_2_per_s"},
    "pipeline": {"generator_vs_step", "packing_vs_step", "transfer_vs_step", "wait_share"},
    "scaling": {"devices_ratio", "length_ratio", "tools_step_ratio", "tools_decode_1_ratio"},
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in COMPILING else name for name in RUNS]
)
def test_prints_one_json_object_at_last(name):
    command = [sys.executable, str(BENCHMARKS / f"{name}.py"), *RUNS[name]]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1], parse_constant=pytest.fail)
    assert result.keys() >= KEYS[name]
    for key in KEYS[name]:
        assert all(math.isfinite(x) and x >= 0 for x in numbers(result[key])), (key, result[key])
        assert any(True for _ in numbers(result[key])), key
    if name == "train_step":
        assert 0 <= result["tiny_train_peak_rss_net_gb"] < result["tiny_train_peak_rss_gb"]
        assert result["tiny_gradient_error"] < 1e-4


def numbers(value: Any) -> Iterator[float]:
    """All numbers in a JSON value."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers(inner)
    elif isinstance(value, int | float):
        yield value


@pytest.fixture
def train_step(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setattr(sys, "argv", ["train_step.py"])
    return importlib.import_module("train_step")


def test_one_line_says_that_pytorch_is_missing(train_step, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match=r"no PyTorch; pip install -e \.\[bench\]") as stopped:
        train_step.import_torch_bud()
    assert "\n" not in str(stopped.value)


def test_operations_of_a_step_are_those_that_xla_counts(train_step):
    config = ModelConfig.from_config(load_config("configs/calendar.py:bud", {}))
    problem = train_step.LanguageModel(config)
    params = jax.eval_shape(problem.init, 0)
    ids = jax.ShapeDtypeStruct((4, 33), "int32")
    grad = jax.jit(jax.grad(problem.loss, has_aux=True))
    counted = grad.lower(params, {"ids": ids}).cost_analysis()["flops"]
    # XLA counts sums, products and comparisons of single numbers too.
    assert 1.0 <= counted / train_step.lm_flops(config, 4, 32) <= 1.1


def test_each_takes_as_many_steps_as_the_others_in_turns(train_step):
    taken = []
    steps = {name: lambda name=name: taken.append(name) for name in "abc"}
    times = train_step.race(steps, rounds=2, count=2)
    assert "".join(taken) == "abc" + "aaabbbccc" + "bbbcccaaa"
    assert {name: len(t) for name, t in times.items()} == {"a": 2, "b": 2, "c": 2}


def test_what_is_written_is_the_sentence_and_its_gold_calls(train_step):
    config = load_config("configs/calendar.py:tiny", {})
    tokenizer = train_step.load_tokenizer(config.model.vocab_size)
    label = [
        {"create_event": {"title": ["dentist", "the dentist"], "date": ["2026-03-06"], "time": ["", "15:00"]}}
    ]
    ids = train_step.text_ids(tokenizer, "Dentist on friday", label)
    gold = '[{"name": "create_event", "arguments": {"title": "dentist", "date": "2026-03-06"}}]'
    begin = ids.index(tokenizer.reserved_id(train_step.BEGIN))
    assert tokenizer.decode(ids[:begin]) == "dentist on friday"
    assert "".join(tokenizer.decode(ids[begin:]).split()) == "".join(gold.split())
    assert ids[-1] == tokenizer.reserved_id(train_step.END)
