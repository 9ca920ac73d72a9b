"""One device, eight virtual ones and two real processes train alike."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import curve
import numpy as np
import pytest
import toy
from toy import free_address

import fernjax.__main__
from fernjax.model import trainer

STEPS = 50


def start(script: str, *args: Any, several: tuple[str, int, int] | None = None) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    if several:
        names = ("JAX_COORDINATOR_ADDRESS", "JAX_NUM_PROCESSES", "JAX_PROCESS_ID")
        env |= dict(zip(names, map(str, several), strict=True))
    command = [sys.executable, script, *map(str, args)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def draw(*args: Any, count: int = 1) -> dict[str, Any]:
    """The curve that one process, or `count` processes, print."""
    address = free_address()
    started = [
        start(curve.__file__, *args, several=(address, count, i) if count > 1 else None) for i in range(count)
    ]
    ended = [p.communicate(timeout=300) for p in started]
    assert [p.returncode for p in started] == [0] * count, ended
    return json.loads(ended[0][0].splitlines()[-1])


@pytest.fixture(scope="module")
def one_device(tmp_path_factory) -> list[float]:
    return draw(tmp_path_factory.mktemp("one"), 1, 1, STEPS)["loss"]


def test_it_learns_something(one_device):
    assert len(one_device) == STEPS and np.mean(one_device[-10:]) < 0.8 * np.mean(one_device[:5])


@pytest.mark.parametrize("fsdp", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_eight_devices_give_the_curve_of_one(tmp_path, one_device, fsdp):
    np.testing.assert_allclose(draw(tmp_path, 8, fsdp, STEPS)["loss"], one_device, rtol=1e-5)


@pytest.mark.parametrize("fsdp", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_two_processes_give_the_curve_of_one(tmp_path, one_device, fsdp):
    got = draw(tmp_path, 1, fsdp, STEPS, count=2)
    assert (got["processes"], got["devices"]) == (2, 2)
    np.testing.assert_allclose(got["loss"], one_device, rtol=1e-5)


@pytest.mark.slow
def test_parts_of_a_batch_give_the_curve_of_the_whole(tmp_path, one_device):
    np.testing.assert_allclose(draw(tmp_path, 1, 1, STEPS, 0, 4)["loss"], one_device, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "then"), [((8, 4), (1, 1)), ((1, 1), (8, 2))])
def test_a_checkpoint_opens_on_another_number_of_devices(tmp_path, one_device, first, then):
    begun = draw(tmp_path, *first, STEPS, 30)
    assert begun["checkpoint"] == "step_00000025"
    ended = draw(tmp_path, *then, STEPS)["loss"]
    assert len(ended) == 25
    np.testing.assert_allclose([*begun["loss"][:25], *ended], one_device, rtol=1e-5)


@pytest.mark.slow
def test_fsdp_divides_what_is_kept_by_its_size(tmp_path):
    whole = draw(tmp_path / "a", 8, 1, 1)
    parts = draw(tmp_path / "b", 8, 8, 1)
    assert whole["state_bytes"] == whole["whole_bytes"] == parts["whole_bytes"]
    assert parts["state_bytes"] < 1.05 * whole["state_bytes"] / 8


def test_sigterm_to_either_of_two_processes_saves_and_stops_both(tmp_path):
    whole = trainer.run(toy.make_toy_plan(), tmp_path / "whole")
    address = free_address()
    first, second = (start(toy.__file__, tmp_path / "two", 40, 0, several=(address, 2, i)) for i in range(2))
    while (line := first.stdout.readline()).strip() != "15":
        assert line, first.stderr.read()
    second.send_signal(signal.SIGTERM)  # in mid training: both hear of it
    told, trouble = first.communicate(timeout=60)
    assert (first.returncode, second.wait(timeout=60)) == (0, 0), (trouble, second.stderr.read())
    assert "is saved in" in told or "40" in told.split()
    resumed = trainer.run(toy.make_toy_plan(), tmp_path / "two")  # on one device
    assert resumed.steps == 40
    for a, b in zip(leaves(resumed), leaves(whole), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def leaves(run: trainer.TrainedRun) -> list[np.ndarray]:
    import jax

    return [np.asarray(leaf) for leaf in jax.tree.leaves(run.params)]


def test_a_missing_process_is_named(tmp_path, monkeypatch):
    address = free_address()
    monkeypatch.setenv("FERNJAX_JOIN_TIMEOUT_S", "3")
    args = ("train", "--config=configs/calendar.py:tiny", f"--workdir={tmp_path}/w")
    started = [start(fernjax.__main__.__file__, *args, several=(address, 3, i)) for i in (0, 2)]
    for process in started:
        _, told = process.communicate(timeout=60)
        assert process.returncode == 2
        assert told.startswith("fernjax: 1 of 3 processes did not come within 3 s: 1; ")
        assert told.count("\n") == 1
    assert not (tmp_path / "w").exists()


@pytest.mark.slow
def test_eight_devices_run_the_whole_loop(tmp_path, monkeypatch):
    monkeypatch.setenv("JAX_NUM_CPU_DEVICES", "8")
    args = ("--config=configs/calendar.py:tiny", "--config.mesh.fsdp=2", f"--workdir={tmp_path}/w")
    process = start(fernjax.__main__.__file__, "loop", *args)
    out, trouble = process.communicate(timeout=600)
    assert process.returncode == 0, trouble
    assert "report.html" in out


@pytest.mark.slow
def test_two_processes_run_the_whole_loop(tmp_path):
    address = free_address()
    args = ("loop", "--config=configs/calendar.py:tiny", f"--workdir={tmp_path}/w")
    started = [start(fernjax.__main__.__file__, *args, several=(address, 2, i)) for i in range(2)]
    ended = [p.communicate(timeout=600) for p in started]
    assert [p.returncode for p in started] == [0, 0], ended
    assert (tmp_path / "w" / "report.json").exists()
    assert "report.html" in ended[0][0] and "report.html" not in ended[1][0]
