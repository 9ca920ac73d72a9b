from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from toy import ToySource

from fernjax.model import codec, stream
from fernjax.model.stream import BLOCK_BATCHES, ScenarioSource, Stream, WorkerError
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import BUCKETS, UserError

B = 4


def take(start: int, stop: int, workers: int = 0, source: ToySource | None = None) -> list[stream.Batch]:
    with Stream(source or ToySource(), B, start, stop, workers) as s:
        return list(s)


def assert_same(left: list[stream.Batch], right: list[stream.Batch]) -> None:
    assert len(left) == len(right) > 0
    for a, b in zip(left, right, strict=True):
        assert a.keys() == b.keys()
        for name in a:
            np.testing.assert_array_equal(a[name], b[name], strict=True)


def test_a_step_has_one_batch_whatever_the_start_and_the_workers():
    whole = take(0, 40)
    assert_same(whole[13:37], take(13, 37))
    assert_same(whole, take(0, 40, workers=1))
    assert_same(whole[13:37], take(13, 37, workers=2))


def test_a_block_holds_each_of_its_scenarios_once():
    size = BLOCK_BATCHES * B
    for block in range(3):
        batches = take(block * BLOCK_BATCHES, (block + 1) * BLOCK_BATCHES)
        indices = sorted(np.concatenate([b["index"] for b in batches]).tolist())
        assert indices == list(range(block * size, (block + 1) * size))


def test_lengths_are_sorted_within_a_block_and_shuffled_over_its_steps():
    lengths = [b["x"].shape[1] for b in take(0, BLOCK_BATCHES)]
    assert set(lengths) == {16, 32}
    assert lengths != sorted(lengths)
    short = [b for b in take(0, BLOCK_BATCHES) if b["x"].shape[1] == 16]
    assert len(short) >= 5  # about half of the sentences are short: unsorted, no batch of 4 in 16 would be


def test_seeds_give_other_batches():
    a, b = take(0, 1)[0], take(0, 1, source=ToySource(seed=1))[0]
    assert a["x"].shape != b["x"].shape or (a["x"] != b["x"]).any()


def test_an_empty_range_is_empty():
    with Stream(ToySource(), B, 5, 5, workers=1) as s:
        assert list(s) == []
        assert s.worker_ids == []


def test_a_killed_worker_is_one_clear_error():
    with Stream(ToySource(), B, 0, 10_000, workers=1) as s:
        batches = iter(s)
        next(batches)
        os.kill(s.worker_ids[0], signal.SIGKILL)
        began = time.monotonic()
        with pytest.raises(WorkerError, match="killed by SIGKILL.*data_workers") as error:
            list(itertools.islice(batches, 10 * BLOCK_BATCHES))
        assert time.monotonic() - began < 10
        assert "\n" not in str(error.value)


def test_a_worker_that_raises_gives_its_own_error():
    source = ToySource(fails_at=BLOCK_BATCHES * B + 3)
    with Stream(source, B, 0, 100, workers=1) as s, pytest.raises(UserError, match="example 67 cannot"):
        list(s)


def test_an_error_that_cannot_be_pickled_still_arrives():
    class Local(Exception):
        pass

    error = stream._portable(Local("no way"), 7)
    assert isinstance(error, WorkerError)
    assert "no way (block 7)" in str(error)


def test_closing_ends_the_workers():
    s = Stream(ToySource(), B, 0, 10_000, workers=2)
    ids = s.worker_ids
    next(iter(s))
    s.close()
    s.close()
    for worker in ids:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def test_workers_end_with_a_trainer_that_is_killed(tmp_path):
    program = (
        "import sys, time; from toy import ToySource; from fernjax.model.stream import Stream\n"
        "if __name__ == '__main__':\n"
        "    s = Stream(ToySource(), 4, 0, 10_000, 2); next(iter(s)); print(*s.worker_ids, flush=True)\n"
        "    time.sleep(60)\n"
    )
    script = tmp_path / "trainer.py"
    script.write_text(program)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=env)
    workers = [int(w) for w in process.stdout.readline().split()]
    assert len(workers) == 2
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while any(_running(w) for w in workers):
        assert time.monotonic() < deadline, "a worker outlived its trainer"
        time.sleep(0.05)


def test_an_interpreter_that_ends_with_an_open_stream_does_not_hang(tmp_path):
    script = tmp_path / "trainer.py"
    script.write_text(
        "from toy import ToySource; from fernjax.model.stream import Stream\n"
        "if __name__ == '__main__':\n"
        "    s = Stream(ToySource(), 4, 0, 10_000, 1); next(iter(s)); print('end')\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=env, timeout=20, check=True
    )
    assert (done.stdout, done.stderr) == ("end\n", "")


def make_scenario_source(**changes: object) -> ScenarioSource:
    recipe = Recipe(buckets=dict.fromkeys(BUCKETS, 1.0))
    values = {"domain": "calendar", "recipe": recipe, "seed": 0, "argument_mode": "point"}
    return ScenarioSource(**(values | {"vocab_size": 2048, "max_calls": 3, "max_length": 48} | changes))


def test_scenarios_are_a_function_of_their_index_here_and_in_a_worker():
    whole = take(0, 20, source=make_scenario_source())
    assert_same(whole[5:20], take(5, 20, workers=1, source=make_scenario_source()))
    assert {b["ids"].shape[1] for b in whole} <= set(codec.LENGTHS)


def test_scenarios_that_cannot_be_encoded_are_drawn_again_and_counted():
    source = make_scenario_source(max_length=14)
    examples, redrawn = source.examples(0, 60)
    assert len(examples) == 60 and max(len(e["ids"]) for e in examples) <= 14
    assert redrawn["more than 14 tokens"] > 5
    alone, _ = make_scenario_source(max_length=14).examples(40, 41)
    assert_same(alone, [examples[40]])


def test_a_stream_of_nothing_that_fits_is_refused():
    with pytest.raises(UserError, match="none of 20 scenarios in a row could be encoded.*more than 0 tokens"):
        make_scenario_source(max_length=0).examples(0, 1)


def test_workers_import_no_jax():
    program = (
        "import sys; from test_stream import make_scenario_source\n"
        "from fernjax.model.stream import make_block\n"
        "make_block(make_scenario_source(), 0, 1)\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('jax', 'jaxlib', 'flax', 'optax', 'orbax')])\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *filter(None, sys.path)])}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=env, timeout=60, check=True
    )
    assert done.stdout == "[]\n"


def _running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
