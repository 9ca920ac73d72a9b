import io

import pytest

from fernjax.loop.progress import Progress

GUESSES = {"compile": 80.0, "start": 3.0, "step": 1.0, "ship": 4.0, "sentence": 0.1}


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def make(clock, *works, stream=None):
    return Progress([(f"stage {i}", work) for i, work in enumerate(works)], GUESSES, stream, clock)


def test_time_left_follows_the_measured_rate(clock):
    progress = make(clock, {"step": 100})
    assert progress.seconds_left() == pytest.approx(100)
    progress.stage("stage 0")
    clock.now += 20
    progress.count({"step": 10})  # 2 s a step, not 1
    assert progress.seconds_left() == pytest.approx(90 * 2)
    progress.skip({"step": 90})
    assert progress.seconds_left() == 0


def test_what_was_not_measured_yet_is_as_slow_as_what_was(clock):
    progress = make(clock, {"step": 100}, {"sentence": 1000})
    progress.stage("stage 0")
    clock.now += 20
    progress.count({"step": 10})
    assert progress.seconds_left() == pytest.approx(90 * 2 + 1000 * 0.1 * 2)
    progress.stage("stage 1")
    clock.now += 10
    progress.count({"sentence": 200})
    assert progress.seconds_left() == pytest.approx(800 * 0.05)


def test_compiling_and_starting_are_no_measure_of_a_step(clock):
    first = {"compile": 1, "start": 1, "step": 100, "ship": 1}
    progress = make(clock, first, {"start": 1, "step": 100, "ship": 1})
    progress.stage("stage 0")
    assert progress.expects("compile") and progress.seconds_left() == pytest.approx(80 + 2 * 107)
    clock.now += 10 + 3 + 25  # compiled functions were on disk
    progress.count({"compile": 0.5, "start": 1, "step": 25})
    assert progress.seconds_left() == pytest.approx(10 + 75 + 4 + 107)
    clock.now += 75
    progress.count({"step": 75})
    clock.now += 14
    progress.count({"compile": 0.5, "ship": 1})
    assert not progress.expects("compile") and progress.seconds_left() == pytest.approx(107)
    progress.stage("stage 1")
    clock.now += 6 + 25
    progress.count({"start": 1, "step": 25})
    assert progress.seconds_left() == pytest.approx(75 + 4 * (75 + 6) / (75 + 3))


def test_a_stage_that_begins_ends_those_before_it(clock):
    """Those that an earlier process did, or that fell away."""
    progress = make(clock, {"step": 10}, {"step": 20}, {"step": 30})
    progress.stage("stage 1")
    assert progress.seconds_left() == pytest.approx(50)
    progress.stage("one that was not planned")
    assert progress.seconds_left() == pytest.approx(30)


def test_time_between_stages_belongs_to_no_unit(clock):
    progress = make(clock, {"step": 10}, {"step": 10})
    progress.stage("stage 0")
    clock.now += 500
    progress.stage("stage 1")
    clock.now += 3
    progress.count({"step": 1})
    assert progress.seconds_left() == pytest.approx(27)


def test_plain_lines_are_few_and_tell_the_time_left(clock):
    stream = io.StringIO()
    with make(clock, {"step": 200}, stream=stream) as progress:
        progress.count({"step": 0})  # nothing is shown before the first stage
        progress.stage("stage 0")
        for step in range(50):
            clock.now += 1
            progress.count({"step": 1}, f"step {step + 1}/200")
        progress.note("round 1: kept")
    lines = stream.getvalue().splitlines()
    assert lines[0] == "stage 0  [0:00 gone, about 3:20 left]"
    assert "step 50/200  [0:50 gone, about 2:30 left]" in lines[-2]
    assert lines[-1] == "round 1: kept"
    assert len(lines) < 10


def test_the_last_minute_is_told_as_such(clock):
    stream = io.StringIO()
    with make(clock, {"step": 30}, stream=stream) as progress:
        progress.stage("stage 0")
        clock.now += 40
        progress.count({"step": 30})
    assert [line.partition("gone, ")[2] for line in stream.getvalue().splitlines()] == [
        "less than a minute left]"
    ] * 2
