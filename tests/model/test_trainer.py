from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import jax
import numpy as np
import pytest
import toy
from toy import ToySource, make_toy_plan

from fernjax.model import checkpoint, devices, metrics, trainer
from fernjax.model.trainer import DivergedError, Schedule, Stopped, run
from fernjax.sim.types import UserError


class Crash(Exception):
    pass


def crash_at(step: int) -> trainer.Progress:
    def on_progress(line: dict[str, Any]) -> None:
        if line["step"] >= step:
            raise Crash

    return on_progress


def weights(directory: pathlib.Path) -> bytes:
    return (directory / "weights.safetensors").read_bytes()


def lines(directory: pathlib.Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]


def timeless(directory: pathlib.Path) -> list[dict[str, Any]]:
    return [{k: v for k, v in line.items() if k not in metrics.TIMED} for line in lines(directory)]


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory) -> trainer.TrainedRun:
    return run(make_toy_plan(), tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("name", ["adamw", "muon"])
def test_two_runs_of_one_plan_give_the_same_bytes(tmp_path, name):
    plan = make_toy_plan(15, name)
    for directory in (tmp_path / "a", tmp_path / "b"):
        run(plan, directory)
    assert weights(tmp_path / "a") == weights(tmp_path / "b")
    run(dataclasses.replace(plan, seed=1), tmp_path / "c")
    assert weights(tmp_path / "a") != weights(tmp_path / "c")


@pytest.mark.parametrize("step", [5, 20, 35, 40])
def test_n_steps_restored_and_n_more_are_2n_steps_bit_for_bit(tmp_path, whole_run, step):
    with pytest.raises(Crash):
        run(make_toy_plan(), tmp_path, crash_at(step))
    resumed = run(make_toy_plan(), tmp_path)
    assert resumed.steps == 40
    assert weights(tmp_path) == weights(whole_run.directory)
    assert timeless(tmp_path) == timeless(whole_run.directory)


def test_a_damaged_checkpoint_costs_steps_and_not_bits(tmp_path, whole_run, caplog):
    with pytest.raises(Crash):
        run(make_toy_plan(), tmp_path, crash_at(35))
    newest = checkpoint.latest(tmp_path)
    assert newest.name == "step_00000030"
    (newest / "manifest.json").unlink()
    run(make_toy_plan(), tmp_path)
    assert "is damaged" in caplog.text
    assert weights(tmp_path) == weights(whole_run.directory)


def test_a_finished_run_is_returned_untrained(whole_run, monkeypatch):
    monkeypatch.setattr(trainer, "make_step", lambda *_: pytest.fail("a step was taken"))
    monkeypatch.setattr(trainer, "_take_steps", lambda _p, _m, _d, state, *_: state)
    again = run(make_toy_plan(), whole_run.directory)
    assert (again.steps, again.metrics) == (40, whole_run.metrics)
    jax.tree.map(np.testing.assert_array_equal, again.params, whole_run.params)


def test_a_shape_is_compiled_once(tmp_path):
    plan = make_toy_plan(33, problem=toy.ToyProblem(width=20))  # a width that no other test has compiled
    run(plan, tmp_path)
    run(
        dataclasses.replace(plan, schedule=Schedule(20, 0, 0.5, (("adamw", 1e-3), ("muon", 0.0)))),
        tmp_path / "b",
    )
    step = trainer.make_step(plan.problem, plan.optimizer, devices.make_mesh(), 1)
    assert step._cache_size() == 2  # lengths


def test_it_learns():
    source = ToySource()
    batch = source.collate(source.examples(0, 8)[0], 32)
    problem = toy.ToyProblem()
    plan = make_toy_plan()
    mesh = devices.make_mesh()
    state = trainer.make_first_state(plan, problem.init(0))
    step = trainer.make_step(problem, plan.optimizer, mesh, 1)
    losses = []
    for _ in range(60):
        rates = {"adamw": np.float32(1e-2), "muon": np.float32(0.02)}
        state, out = step(state, batch, rates, np.zeros(8, bool))
        losses.append(float(out["loss"]))
    assert losses[0] > 1.5 and losses[-1] < 0.05


def test_metrics_say_what_happened(whole_run):
    got = lines(whole_run.directory)
    assert [line["step"] for line in got] == [5, 10, 15, 20, 25, 30, 35, 40]
    assert got[-1] == whole_run.metrics
    for line in got:
        assert line["skipped"] == 0 and line["examples_per_s"] > 0 and line["grad_norm"] > 0
        assert line["lr"] == pytest.approx(2e-3 * make_toy_plan().schedule.scale(line["step"] - 1))


def test_scenarios_that_cannot_be_encoded_are_counted_and_named(tmp_path, caplog):
    run(make_toy_plan(20, source=ToySource(redrawn=32)), tmp_path)
    assert [line["redrawn_share"] for line in lines(tmp_path)] == [0.2] * 4  # 32 of 32 + 16 * 8
    (warning,) = [r.getMessage() for r in caplog.records if r.name == metrics.__name__]
    assert warning.startswith("20% of the training scenarios") and warning.endswith("most often (32): odd")


def test_progress_comes_with_time_left(tmp_path):
    told: list[dict[str, Any]] = []
    seconds = iter(range(0, 10_000, 10))
    run(make_toy_plan(10), tmp_path, told.append, clock=lambda: next(seconds))
    assert [(t["step"], t["total_steps"], t["seconds_left"]) for t in told] == [(5, 10, 10.0), (10, 10, 0.0)]
    assert told[0]["examples_per_s"] == pytest.approx(5 * 8 / 10)


def test_a_torn_last_line_of_metrics_is_dropped(tmp_path):
    with pytest.raises(Crash):
        run(make_toy_plan(), tmp_path, crash_at(20))
    with open(tmp_path / "metrics.jsonl", "a") as f:
        f.write('{"step": 25, "lo')
    run(make_toy_plan(), tmp_path)
    assert [line["step"] for line in lines(tmp_path)] == [5, 10, 15, 20, 25, 30, 35, 40]


def test_a_step_that_is_not_finite_is_skipped_and_counted(tmp_path):
    plan = make_toy_plan(40, source=ToySource(poisoned=(77, 78)))  # one example, one batch of the first 16
    result = run(plan, tmp_path)
    assert result.metrics["skipped"] == 1
    assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(result.params))
    assert all(line["loss"] is not None for line in lines(tmp_path))


def test_a_loss_that_stays_not_finite_ends_with_one_clear_line(tmp_path):
    plan = make_toy_plan(source=ToySource(poisoned=(0, 10**6)))
    told = "not finite for 10 steps in a row, the last of them step 10; .*peak_lr"
    with pytest.raises(DivergedError, match=told) as error:
        run(plan, tmp_path)
    assert "\n" not in str(error.value)
    assert [line["loss"] for line in lines(tmp_path)] == [None, None]
    dumped = sorted((tmp_path / "skipped_batches").glob("*.npz"))
    assert [p.stem for p in dumped] == [f"step_{i:08d}" for i in range(1, 11)]
    assert np.isnan(np.load(dumped[3])["weight"]).all()


def test_start_from_gives_the_first_weights_and_own_checkpoints_come_first(tmp_path, whole_run):
    plan = make_toy_plan(10, start_from=whole_run.weights_path)
    first = trainer.load_first_state(plan, devices.make_mesh(), tmp_path)
    jax.tree.map(np.testing.assert_array_equal, first["params"], whole_run.params)
    assert int(first["step"]) == 0
    with pytest.raises(Crash):
        run(plan, tmp_path, crash_at(10))
    resumed = trainer.load_first_state(plan, devices.make_mesh(), tmp_path)
    assert int(resumed["step"]) == 0  # it crashed before the save of step 10
    run(plan, tmp_path)
    assert int(trainer.load_first_state(plan, devices.make_mesh(), tmp_path)["step"]) == 10


def test_other_arguments_in_a_directory_are_refused_by_name(tmp_path):
    run(make_toy_plan(10), tmp_path)
    with pytest.raises(UserError, match="optimizer = 'muon', not 'adamw'; use another directory"):
        run(make_toy_plan(10, "adamw"), tmp_path)


def test_a_directory_in_use_is_refused(tmp_path):
    inner: list[str] = []

    def try_again(_: dict[str, Any]) -> None:
        with pytest.raises(UserError, match="another process trains in") as error:
            run(make_toy_plan(), tmp_path)
        inner.append(str(error.value))
        raise Crash

    with pytest.raises(Crash):
        run(make_toy_plan(), tmp_path, try_again)
    assert len(inner) == 1


def test_sigterm_saves_and_stops(tmp_path, whole_run):
    def terminate(line: dict[str, Any]) -> None:
        if line["step"] == 15:
            os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Stopped, match="step 1[67] of 40 is saved"):
        run(make_toy_plan(), tmp_path, terminate)
    assert signal.getsignal(signal.SIGTERM) is before
    assert checkpoint.latest(tmp_path).name in ("step_00000016", "step_00000017")
    run(make_toy_plan(), tmp_path)
    assert weights(tmp_path) == weights(whole_run.directory)


def test_sigterm_in_the_last_step_is_heard_once_the_weights_are_written(tmp_path, whole_run):
    def terminate(line: dict[str, Any]) -> None:
        if line["step"] == 40:
            os.kill(os.getpid(), signal.SIGTERM)

    with pytest.raises(Stopped, match="all 40 steps are saved"):
        run(make_toy_plan(), tmp_path, terminate)
    assert weights(tmp_path) == weights(whole_run.directory)
    assert run(make_toy_plan(), tmp_path).steps == 40


def test_it_runs_in_a_thread_too(tmp_path):
    results = []
    thread = threading.Thread(target=lambda: results.append(run(make_toy_plan(5), tmp_path).steps))
    thread.start()
    thread.join()
    assert results == [5]


def start(directory: pathlib.Path, steps: int, workers: int) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, toy.__file__, str(directory), str(steps), str(workers)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_sigterm_to_a_process_with_a_worker_exits_0_and_resumes(tmp_path, whole_run):
    process = start(tmp_path, 40, 1)
    while int(process.stdout.readline()) < 15:
        pass
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert "is saved in" in out or "40" in out.split()
    run(make_toy_plan(), tmp_path)
    assert weights(tmp_path) == weights(whole_run.directory)


def test_kill_9_in_mid_run_changes_no_bit(tmp_path, whole_run):
    process = start(tmp_path, 40, 1)
    while int(process.stdout.readline()) < 25:
        pass
    process.kill()
    process.communicate()
    run(make_toy_plan(), tmp_path)
    assert weights(tmp_path) == weights(whole_run.directory)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(int(os.environ.get("FERNJAX_KILLS", "2"))))
def test_kill_9_at_random_instants_changes_no_bit(tmp_path, whole_run, seed):
    """Instants are counted in lines of the log, not in seconds: a faster machine is killed as often."""
    rng = random.Random(seed)
    killed = 0
    for instant in range(6):
        process = start(tmp_path, 40, 1)
        # the first before any step: a process that has written nothing must not harm the directory either
        for _ in range(rng.randrange(4) if instant else 0):
            process.stdout.readline()
        time.sleep(rng.expovariate(1 / 0.05))
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
    assert killed
    run(make_toy_plan(), tmp_path)
    assert weights(tmp_path) == weights(whole_run.directory)


def test_the_schedule_warms_up_stays_and_decays():
    schedule = Schedule(100, 10, 0.4, (("adamw", 1.0),))
    scales = [schedule.scale(step) for step in range(100)]
    assert scales[:10] == pytest.approx([0.1 * (i + 1) for i in range(10)])
    assert set(scales[9:60]) == {1.0}
    assert np.diff(scales[59:]) == pytest.approx(np.full(40, -1 / 41))
    assert scales[-1] == pytest.approx(1 / 41) and schedule.scale(100) == 0


def test_a_schedule_shorter_than_its_warmup_stays_positive():
    schedule = Schedule(3, 50, 0.4, (("adamw", 1.0),))
    assert all(0 < schedule.scale(step) <= 1 for step in range(3))


def test_more_devices_give_the_same_loss_and_refuse_an_uneven_batch(tmp_path):
    program = (
        "import jax; jax.config.update('jax_num_cpu_devices', 4)\n"
        "import sys, toy; from fernjax.model import trainer; from fernjax.sim.types import UserError\n"
        "print(trainer.run(toy.make_toy_plan(5), sys.argv[1] + '/a').metrics['loss'])\n"
        "try: trainer.run(toy.make_toy_plan(5, batch_size=6), sys.argv[1] + '/b')\n"
        "except UserError as e: print(e)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    loss, refusal = done.stdout.splitlines()
    assert float(loss) == pytest.approx(run(make_toy_plan(5), tmp_path / "one").metrics["loss"], rel=1e-4)
    assert refusal.startswith("config.train.batch_size 6 does not divide among 4 devices")
