"""Runs in the background of this machine, with a stand-in for the run."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from fernjax.sim.types import UserError
from launch import launching, local
from launch.job import make_job

STAND_IN = """\
#!{python}
import os, pathlib, signal, sys, time
if sys.argv[1] == "-c":  # the launcher's own question for a free port
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
def stop(*_):
    print("saved", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
three = [os.environ.get(f"JAX_{{k}}", "") for k in ("COORDINATOR_ADDRESS", "NUM_PROCESSES", "PROCESS_ID")]
print("|".join([*three, *sys.argv[3:]]), flush=True)
time.sleep(60 if pathlib.Path("wait").exists() else 0)
sys.exit(int(sys.argv[-1].endswith("point=1")) * 7)
"""


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Makes a job whose interpreter is the stand-in."""
    monkeypatch.chdir(tmp_path)
    run = tmp_path / "stand in"
    run.write_text(STAND_IN.format(python=sys.executable))
    run.chmod(0o755)

    def make(verb="loop", **given):
        what = {"config": "calendar:tiny", "workdir": "runs/x", "overrides": {"real_path": "it's"}}
        given = {"python": str(run)} | given
        return make_job("local", local.TAKES, given, verb=verb, directory=str(tmp_path), **what)

    return make


def wait_for(launched, told, timeout_s=30):
    end = time.monotonic() + timeout_s
    while told not in (said := local.status(launched)):
        assert time.monotonic() < end, said
        time.sleep(0.05)
    return said


def wait_for_log(launched, told, timeout_s=30):
    end = time.monotonic() + timeout_s
    while told not in (said := local.logs(launched)):
        assert time.monotonic() < end, said
        time.sleep(0.05)
    return said


def test_a_run_ends_and_is_told_of(make):
    launched = launching.submit("local", make())
    wait_for(launched, "has ended with 0")
    assert "|||loop|--config=calendar:tiny|--workdir=runs/x|--config.real_path=it's" in local.logs(launched)
    assert launching.read_beside("runs/x") == launched


def test_several_processes_are_told_their_places(make):
    launched = launching.submit("local", make(processes="3"))
    wait_for(launched, "has ended with 0")
    told = [line.split("|")[:3] for line in local.logs(launched).splitlines()[1:]]
    assert sorted(place[2] for place in told) == ["0", "1", "2"]
    assert {place[1] for place in told} == {"3"} and len({place[0] for place in told}) == 1
    assert told[0][0].startswith("127.0.0.1:") and told[0][0] != "127.0.0.1:"


def test_a_sweeps_points_come_one_after_the_other_and_a_failure_is_told(make):
    launched = launching.submit("local", make("sweep", points="3"))
    assert wait_for(launched, "has ended").endswith("with 7; --logs shows why")
    assert [line[-7:] for line in local.logs(launched).splitlines()[1:]] == ["point=0", "point=1", "point=2"]


def test_a_second_one_waits_for_the_first_and_goes_on_after_it_was_stopped(make, tmp_path):
    (tmp_path / "wait").touch()
    job = make("sweep", points="2")
    launched = launching.submit("local", job)
    wait_for_log(launched, "point=0")
    assert local.status(launched).endswith(" runs")
    with pytest.raises(UserError, match=f"it runs already, in process {launched.ids[0]}; see --status"):
        launching.submit("local", job)
    os.kill(int(launched.ids[0]), signal.SIGTERM)
    wait_for(launched, "was stopped; launch it again to go on")
    assert "saved" in local.logs(launched) and "point=1" not in local.logs(launched)
    (tmp_path / "wait").unlink()
    again = launching.submit("local", job)
    wait_for(again, "has ended")
    assert local.logs(again).count("point=0") == 2  # the log is one


def test_a_killed_one_is_told_of(make, tmp_path):
    (tmp_path / "wait").touch()
    launched = launching.submit("local", make())
    wait_for_log(launched, "|loop|")
    os.killpg(int(launched.ids[0]), signal.SIGKILL)
    wait_for(launched, "was killed; launch it again to go on")


def test_where_the_setup_fails_nothing_runs(make):
    launched = launching.submit("local", make(setup="echo first\nfalse"))
    wait_for(launched, "has ended with 1")
    assert "first" in local.logs(launched) and "|loop|" not in local.logs(launched)
