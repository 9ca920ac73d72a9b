import io

import pytest

from fernjax.loop.progress import Progress


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_time_left_follows_the_measured_rate(clock):
    progress = Progress({"step": 100, "sentence": 1000}, {"step": 1.0, "sentence": 0.1}, None, clock)
    assert progress.seconds_left() == pytest.approx(200)
    progress.stage("train")
    clock.now += 60
    progress.count("step", 1)  # compiles: no measure of the rest
    assert progress.seconds_left() == pytest.approx(99 + 100)
    clock.now += 18
    progress.count("step", 9)  # 2 s a step, not 1
    assert progress.seconds_left() == pytest.approx(90 * 2 + 100)
    progress.skip("step", 90)
    assert progress.seconds_left() == pytest.approx(100)


def test_time_between_stages_belongs_to_no_unit(clock):
    progress = Progress({"step": 10}, {"step": 1.0}, None, clock)
    progress.count("step", 1)
    clock.now += 500
    progress.stage("train")
    clock.now += 3
    progress.count("step", 1)
    assert progress.seconds_left() == pytest.approx(24)


def test_plain_lines_are_few_and_tell_the_time_left(clock):
    stream = io.StringIO()
    with Progress({"step": 100}, {"step": 60.0}, stream, clock) as progress:
        progress.stage("round 0: train")
        for step in range(50):
            clock.now += 1
            progress.count("step", 1, f"step {step + 1}/100")
        progress.note("round 1: kept")
    lines = stream.getvalue().splitlines()
    assert lines[0].startswith("round 0: train")
    assert "about 1:40:00 left" in lines[0]
    assert "step 50/100  [0:50 gone, about 0:50 left]" in lines[-2]
    assert lines[-1] == "round 1: kept"
    assert len(lines) < 10
