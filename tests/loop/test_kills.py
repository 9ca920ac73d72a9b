"""`kill -9` at random instants of a run with two rounds, which ends in the bits of an unkilled one.

    FERNJAX_KILLS=50 python -m pytest -m slow -s tests/loop/test_kills.py

is the whole campaign (about half an hour on two cores); without the variable a few instants are tried.
"""

from __future__ import annotations

import collections
import os
import pathlib
import random
import signal
import subprocess
import threading
import time

import pytest
from test_end_to_end import finish, results, start

KILLS = int(os.environ.get("FERNJAX_KILLS", "4"))
RUN = [
    "loop",
    "--config=configs/calendar.py:tiny",
    "--config.loop.rounds=2",
    "--config.train.total_steps=60",
    "--config.train.repair_steps=40",
    "--config.train.save_every_steps=5",
    "--config.train.log_every_steps=1",
]


@pytest.fixture(scope="module")
def unkilled(tmp_path_factory):
    path = tmp_path_factory.mktemp("unkilled") / "run"
    began = time.monotonic()
    code, _, err = finish(start(*RUN, f"--workdir={path}"))
    assert code == 0, err
    return path, time.monotonic() - began


@pytest.mark.slow
def test_killed_at_random_instants_it_ends_in_the_same_bits(unkilled, tmp_path):
    whole, seconds = unkilled
    draw = random.Random(f"kills:{KILLS}")
    stages: collections.Counter[str] = collections.Counter()
    run = 0
    while stages.total() < KILLS:
        workdir = tmp_path / f"run{run}"
        # Half of the instants wait for a training to be under way, the others may come anywhere.
        while stages.total() < KILLS:
            stage = kill_once(workdir, draw, draw.random() < 0.6, seconds)
            if stage is None:
                break  # it came to its end first
            stages[stage] += 1
        code, _, err = finish(start(*RUN, f"--workdir={workdir}"))
        assert code == 0, err
        assert results(workdir) == results(whole)
        run += 1
    print(f"\n{stages.total()} kills over {run} runs: {dict(stages)}")
    assert KILLS < 10 or stages["training"] >= KILLS / 2 <= KILLS - 5


def kill_once(workdir: pathlib.Path, draw: random.Random, training: bool, seconds: float) -> str | None:
    """Starts the run, kills it, and says what it was at; None where it ended before."""
    process = start(*RUN, f"--workdir={workdir}")
    lines: list[str] = []
    reader = threading.Thread(target=read_lines, args=(process, lines), daemon=True)
    reader.start()
    if training:
        # `train ... step i/n`: a line a step. So many more lines, and then anywhere within a step.
        wait_for_steps(process, lines, draw.randrange(1, 60))
        time.sleep(draw.expovariate(1 / 0.02))
    else:
        time.sleep(draw.uniform(0.0, 0.7 * seconds))
    at = lines[-1] if lines else ""
    process.kill()
    process.wait()
    reader.join()
    if process.returncode != -signal.SIGKILL:
        assert process.returncode == 0, lines
        return None
    if " step " in at:
        return "training"
    for stage in ("train", "evaluate", "final", "baselines", "mine", "generate", "round"):
        if stage in at:
            return {"train": "compiling or saving", "round": "gating"}.get(stage, stage)
    return "starting"


def wait_for_steps(process: subprocess.Popen[str], lines: list[str], count: int) -> None:
    end = time.monotonic() + 300
    while process.poll() is None and time.monotonic() < end:
        if sum(" step " in line for line in lines) >= count:
            return
        time.sleep(0.002)


def read_lines(process: subprocess.Popen[str], lines: list[str]) -> None:
    for line in process.stderr:
        if line.strip():
            lines.append(line)
