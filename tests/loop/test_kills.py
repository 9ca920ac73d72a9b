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
    """A whole run, and how long one takes once all that it compiles is on disk."""
    for name in ("first", "again"):
        path = tmp_path_factory.mktemp(name) / "run"
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
            print(f"kill {stages.total()} in run {run}: {stage}", flush=True)
        code, _, err = finish(start(*RUN, f"--workdir={workdir}"))
        assert code == 0, err
        here, there = results(workdir), results(whole)
        assert sorted(n for n in here.keys() | there.keys() if here.get(n) != there.get(n)) == []
        assert not list(workdir.rglob(".tmp-*"))
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
        # So many steps of this process, and then anywhere within the next few.
        wait_for_steps(process, workdir, draw.randrange(1, 60))
        time.sleep(draw.expovariate(1 / 0.02))
    else:
        time.sleep(draw.uniform(0.0, 0.7 * seconds))
    at = lines[-1] if lines else ""
    process.kill()
    process.wait()
    reader.join(timeout=60)
    assert not reader.is_alive(), "a process that it started lives on"
    if process.returncode != -signal.SIGKILL:
        assert process.returncode == 0, lines
        return None
    if is_training(workdir):
        return "training"
    for stage in ("train", "evaluate", "final", "baselines", "mine", "generate", "round"):
        if stage in at:
            return {"train": "compiling or saving", "round": "gating"}.get(stage, stage)
    return "starting"


def wait_for_steps(process: subprocess.Popen[str], workdir: pathlib.Path, count: int) -> None:
    """Until the process has trained so many steps, or has ended. Its progress tells only some of them."""
    end, before, taken = time.monotonic() + 300, count_steps(workdir), 0
    while taken < count and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
        now = count_steps(workdir)
        taken += max(0, now - before)  # what lies behind the last checkpoint is dropped when it resumes
        before = now


def count_steps(workdir: pathlib.Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in metrics_of(workdir))


def metrics_of(workdir: pathlib.Path) -> list[pathlib.Path]:
    arms = ("rounds/*/checkpoints/*/metrics.jsonl", "rounds/*/placebo/checkpoints/*/metrics.jsonl")
    return [file for arm in arms for file in workdir.glob(arm)]


def is_training(workdir: pathlib.Path) -> bool:
    """Whether the training that wrote last was at it a second ago, and is not done."""
    last = max(metrics_of(workdir), key=lambda f: f.stat().st_mtime, default=None)
    if last is None or (last.parent / "trained.json").exists():
        return False
    return time.time() - last.stat().st_mtime < 1.0 and last.stat().st_size > 0


def read_lines(process: subprocess.Popen[str], lines: list[str]) -> None:
    for line in process.stderr:
        if line.strip():
            lines.append(line)
