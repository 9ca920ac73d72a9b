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
from fernjax.sim.types import Call, Prediction

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
    return load("train_step", monkeypatch)


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


def load(name, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setattr(sys, "argv", [f"{name}.py"])
    return importlib.import_module(name)


def test_bfcl_counts_every_row_whatever_the_model_can_read(monkeypatch):
    bfcl = load("bfcl", monkeypatch)

    def function(name, argument):
        parameters = {"type": "dict", "properties": {"x": argument}, "required": ["x"]}
        return {"name": name, "description": "", "parameters": parameters}

    def row(number, truth, *functions):
        question = [[{"role": "user", "content": f"question {number}"}]]
        return {"id": f"r{number}", "question": question, "function": functions, "ground_truth": truth}

    text, lists = {"type": "string"}, {"type": "array", "items": {"type": "dict"}}
    a, b, c = function("a.b", text), function("b", text), function("c", lists)
    rows = [
        row(0, [{"a.b": {"x": ["yes"]}}], a, b),
        row(1, [{"a.b": {"x": ["yes"]}}], a, b),
        row(2, [{"b": {"x": ["yes"]}}], a, b),
        row(3, [{"c": {"x": [[{}]]}}], c),
    ]
    said = {"r0": Call("a.b", {"x": "yes"}), "r1": Call("a.b", {"x": "no"}), "r2": Call("out_of_scope")}

    class Model:
        def predict_each(self, requests):
            assert all([t.name for t in tools] == ["a.b", "b", "out_of_scope"] for _, tools in requests)
            calls = [said[query.id] for query, _ in requests]
            outcomes = ["abstained" if c.name == "out_of_scope" else "call" for c in calls]
            return [Prediction((c,), outcome=o) for c, o in zip(calls, outcomes, strict=True)]

    def checker(functions, output, truth, category):
        return output[0] == {name: {k: v[0] for k, v in given.items()} for name, given in truth[0].items()}

    told = bfcl.measure("multiple", rows, [Model()], checker)
    assert (told["n"], told["full"], told["route"], told["unsayable"]) == (4, 0.25, 0.5, 1)
    assert told["over_abstention"] == 0.25 and told["chance"] == 0.625
    nothing = [one | {"ground_truth": []} for one in rows]
    told = bfcl.measure("irrelevance", nothing, [Model()], checker)
    assert (told["n"], told["full"], told["force_fit"]) == (4, 0.25, 0.5)


def test_what_a_broad_model_spares_is_read_off_the_curve_from_scratch(monkeypatch, tmp_path, capsys):
    broad = load("broad", monkeypatch)
    scores = {"scratch": {80: 0.5, 160: 0.6, 320: 0.7}, "broad": {80: 0.6, 160: 0.65, 320: 0.8}}
    for app, off in (("home", 0.05), ("mail", -0.05)):
        for start, curve in scores.items():
            for steps, score in curve.items():
                by_seed = [score + off - 0.01, score + off + 0.01]
                half = {"public": {"n": 10, "full_by_seed": by_seed, "route_by_seed": by_seed}}
                folder = tmp_path / "points" / f"{app}-{steps}-{start}"
                folder.mkdir(parents=True)
                train = {"total_steps": steps, "start_from": "" if start == "scratch" else "there"}
                report = {
                    "domain": app,
                    "config": {"train": train},
                    "real": {"gate": half, "final": half},
                }
                (folder / "report.json").write_text(json.dumps(report))
    monkeypatch.setattr(sys, "argv", ["broad.py", str(tmp_path)])
    broad.main()
    told = json.loads(capsys.readouterr().out)
    assert told["full"] == {s: {str(n): x for n, x in curve.items()} for s, curve in scores.items()}
    assert told["full_worth_steps"] == {"80": 160, "160": 226, "320": "more than 320"}
    assert told["full_gain"]["80"]["mean"] == 0.1 and told["n"] == 40 and told["apps"] == ["home", "mail"]
