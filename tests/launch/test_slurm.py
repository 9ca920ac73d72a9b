"""Runs through a real SLURM, which is installed where it is missing: never skipped."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import time

import pytest
from slurm_cluster import ask, cluster

from fernjax.loop import settings
from fernjax.model.files import digest_file
from launch import slurm

pytestmark = pytest.mark.slow

STEPS, SOON = 60, 3
"""Steps of a run, and of one that is stopped before its end."""

RUN = [
    "--config=calendar:tiny",
    "--config.seeds=0",
    f"--config.train.total_steps={STEPS}",
    "--config.train.save_every_steps=10",
    "--config.train.log_every_steps=1",
    "--config.eval.per_bucket=1",
    "--config.train.longest.point=16",  # two shapes to compile, not six
]
ENV = os.environ | {"PYTHONPATH": str(settings.SOURCE_TREE)}


@pytest.fixture(scope="module", autouse=True)
def running_cluster():
    with cluster():
        ENV["SLURM_CONF"] = os.environ["SLURM_CONF"]
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The working folder of all jobs, with a blank in its name."""
    return tmp_path_factory.mktemp("a place")


def launch(place, workdir, *argv):
    """What the command prints."""
    command = [sys.executable, "-m", "fernjax", "launch", f"--workdir={workdir}", *argv]
    done = subprocess.run(command, cwd=place, env=ENV, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def submit(place, workdir, *argv, verb="train"):
    return launch(place, workdir, "--on=slurm", f"--verb={verb}", *RUN, *argv)


def wait(holds, place, workdir, timeout_s=600):
    end = time.monotonic() + timeout_s
    while not (found := holds()):
        if time.monotonic() > end:
            raise AssertionError(f"{ask('squeue', '--states=all')}\n{launch(place, workdir, '--logs')}")
        time.sleep(0.05)
    return found


def states(number):
    return ask("squeue", f"--jobs={number}", "--states=all", "--array", "--noheader", "--format=%T").split()


def wait_for_end(number, place, workdir):
    def ended():
        now = states(number)
        return now and set(now) <= slurm.ENDED

    wait(ended, place, workdir)
    assert set(states(number)) == {"COMPLETED"}, launch(place, workdir, "--logs")


def lines(workdir: pathlib.Path):
    path = workdir / "rounds/000/checkpoints/seed0/metrics.jsonl"
    whole = path.read_text().rpartition("\n")[0] if path.exists() else ""
    return [json.loads(line) for line in whole.splitlines()]


def losses(workdir: pathlib.Path):
    return {line["step"]: line["loss"] for line in lines(workdir) if "loss" in line}


def weights(workdir: pathlib.Path):
    return {p.relative_to(workdir): digest_file(p) for p in workdir.rglob("*.safetensors")}


@pytest.fixture(scope="module")
def alone(place):
    """A run in one process that nothing disturbs."""
    number = submit(place, "runs/alone")
    wait_for_end(number, place, "runs/alone")
    assert len(losses(place / "runs/alone")) == STEPS
    assert launch(place, "runs/alone", "--status").startswith(f"{number} COMPLETED")
    return place / "runs/alone"


def test_two_processes_take_the_steps_of_one(alone, place):
    number = submit(place, "runs/two", "--launch.processes=2")
    wait_for_end(number, place, "runs/two")
    one, two = losses(alone), losses(place / "runs/two")
    assert len(json.loads((place / "runs/two/run.json").read_text())["devices"]) == 2  # one of each process
    assert two.keys() == one.keys()
    for step in range(1, 16):  # later, what sums of other orders differ by has grown
        assert two[step] == pytest.approx(one[step], rel=1e-5)
    assert two[STEPS] == pytest.approx(one[STEPS], rel=1e-2)


@pytest.mark.parametrize("how", ["requeued", "at its time limit"])
def test_a_run_that_was_queued_again_ends_in_the_same_bits(how, alone, place):
    workdir = f"runs/{how}"
    path = place / workdir
    number = submit(place, workdir)
    wait(lambda: len(lines(path)) >= SOON, place, workdir)
    if how == "requeued":
        subprocess.run(["scontrol", "requeue", number], check=True)
    else:  # what SLURM sends before the limit, which a test cannot wait for
        subprocess.run(["scancel", "--batch", "--signal=USR1", number], check=True)
    wait(lambda: states(number) == ["PENDING"], place, workdir)
    stopped_at = len(lines(path))
    assert SOON <= stopped_at < STEPS and not weights(path)
    time.sleep(3)  # within a second of the end, slurmd takes the new start for the job that it has just ended
    subprocess.run(["scontrol", "update", f"jobid={number}", "starttime=now"], check=True)
    wait_for_end(number, place, workdir)
    assert "Restarts=1" in ask("scontrol", "show", "job", number)
    assert "the same command resumes" in launch(place, workdir, "--logs")  # it saved, and was not killed
    assert weights(path) == weights(alone)
    assert losses(path) == losses(alone)


TWO_POINTS = """\
import runpy

tiny = runpy.run_path({path!r})

def get_config():
    c = tiny["get_config"]("tiny")
    c.seeds = (0,)
    c.loop.rounds = 0
    c.eval.per_bucket = c.eval.negatives = 1
    return c

def sweep(add):
    add(**{{"train.peak_lr": 1e-3}})
"""


def test_a_sweep_is_an_array(place):
    config = place / "two.py"
    config.write_text(TWO_POINTS.format(path=str(settings.SOURCE_TREE / "configs/calendar.py")))
    given = (f"--config={config}", "--on=slurm", "--verb=sweep", "--launch.at_once=2")
    number = launch(place, "runs/sweep", *given)  # `sweep --list` is asked how many points there are
    wait_for_end(number, place, "runs/sweep")
    assert len(states(number)) == 2
    said = launch(place, "runs/sweep", "--logs")
    for point in ("0", "1"):
        assert f"sweep-{number}_{point}.out" in said
    done = sorted((place / "runs/sweep/points").glob("[0-9]*/report.json"))
    assert [path.parent.name[:3] for path in done] == ["000", "001"]
