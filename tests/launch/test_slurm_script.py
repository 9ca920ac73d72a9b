"""The batch script, as text; what SLURM makes of it is in `test_slurm.py`."""

from __future__ import annotations

import subprocess

import pytest
from fakes import fake_tool

from fernjax.sim.types import UserError
from launch import launching, slurm
from launch.job import make_job
from launch.place import Launched


def make(verb="loop", workdir="runs/x", directory="/clone", **given):
    what = {"config": "calendar:long", "overrides": {"real_path": "it's"}}
    return make_job("slurm", slurm.TAKES, given, verb=verb, workdir=workdir, directory=directory, **what)


def script(*args, **given):
    text = slurm.render(make(*args, **given)).files[slurm.SCRIPT]
    assert subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True).stderr == ""
    return text


def options(text):
    return [line.removeprefix("#SBATCH --") for line in text.splitlines() if line.startswith("#SBATCH ")]


def test_what_is_asked_of_the_cluster():
    given = {
        "nodes": "2",
        "gpus": "8",
        "gpu_type": "h100",
        "cpus": "12",
        "memory_gb": "200",
        "limit_min": "90",
        "partition": "big",
        "account": "lab",
    }
    text = script(**given)
    assert options(text) == [
        "job-name=x",
        "chdir=/clone",
        "output=runs/x.launch/x-%j.out",
        "open-mode=append",
        "nodes=2",
        "ntasks-per-node=1",
        "cpus-per-task=12",
        "gpus-per-node=h100:8",
        "mem=200G",
        "time=90",
        "partition=big",
        "account=lab",
        "signal=B:USR1@120",
        "requeue",
    ]
    assert "srun --kill-on-bad-exit=1 --cpus-per-task=12 " in text
    assert "'--config.real_path=it'\"'\"'s' &" in text


def test_a_sweep_is_an_array():
    text = script("sweep", points="10", at_once="4", gpus="1")
    assert {"array=0-9%4", "gpus-per-node=1", "output=runs/x.launch/x-%A_%a.out"} <= set(options(text))
    assert '--run --point="$SLURM_ARRAY_TASK_ID" &' in text
    assert "array=0-0" in options(script("sweep", points="1"))


def test_odd_names_are_quoted():
    text = script(workdir="runs/100% it's", directory="/a b")
    assert "chdir='/a b'" in options(text)
    assert """output='runs/100%% it'"'"'s.launch/run-100-it-s-%j.out'""" in options(text)


def test_the_setup_comes_first_and_must_succeed():
    text = script(setup="module load cuda")
    assert text.index("module load cuda\n} || exit 1") < text.index("srun --")


@pytest.fixture
def tools(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "bin"


def test_a_second_one_waits_for_the_first(tools):
    fake_tool(tools, "sbatch", prints="41")
    fake_tool(tools, "squeue", prints="RUNNING")
    launching.submit("slurm", make())
    with pytest.raises(UserError, match="job 41 is running in runs/x already; scancel it first"):
        launching.submit("slurm", make())
    fake_tool(tools, "squeue", prints="COMPLETED\nFAILED")
    launching.submit("slurm", make())
    fake_tool(tools, "squeue", code=1, says="slurm_load_jobs error: Invalid job id specified")
    assert launching.submit("slurm", make()).ids == ("41",)


def test_what_slurm_has_forgotten_is_told_so(tools, tmp_path):
    launched = Launched("slurm", make(), ("41",), tmp_path)
    fake_tool(tools, "squeue", code=1, says="slurm_load_jobs error: Invalid job id specified")
    assert slurm.status(launched).startswith("41 has ended, and SLURM no longer tells how")
    fake_tool(tools, "squeue", code=1, says="Unable to contact slurm controller")
    with pytest.raises(UserError, match="Unable to contact"):
        slurm.status(launched)
    assert slurm.logs(launched) == "41 has not begun"


def test_the_logs_of_all_tasks_are_shown(tmp_path):
    launched = Launched("slurm", make("sweep", points="2"), ("41",), tmp_path)
    for name in ("x-41_0.out", "x-41_1.out", "x-40_0.out"):
        (tmp_path / name).write_text("".join(f"{name} {i}\n" for i in range(60)))
    said = slurm.logs(launched)
    assert "x-41_0.out 59" in said and "x-41_1.out 59" in said
    assert "x-41_0.out 9\n" not in said and "x-40" not in said
