"""The verb `world`, from a config to a report, and again after a stop."""

from __future__ import annotations

import json

import pytest

from fernjax.loop import world as worlds
from fernjax.loop.commands import main
from fernjax.model.files import digest_file
from fernjax.sim.worlds.app import load_world
from fernjax.sim.worlds.episodes import Episode, Turn


class Simulator:
    """The simulator itself, as a world; wrong from a turn on where it is told."""

    def __init__(self, domain, wrong_at=99):
        self.domain, self.wrong_at, self.asked = domain, wrong_at, 0

    def steps(self, asked):
        self.asked += 1
        if self.asked > self.wrong_at:
            return [(state, type(self.domain.step(state, call)[1])("gone")) for state, call in asked]
        return [self.domain.step(state, call) for state, call in asked]


def test_the_simulator_is_judged_right_and_never_differs():
    world = load_world("alarms")
    episodes = worlds.judged_episodes(world, 4)
    judged = worlds.foretell(world, Simulator(world.domain), episodes)
    figures = worlds.figures([judged, judged])
    assert figures["n"] == 32 and figures["rubric"] == pytest.approx(100.0)
    assert all(figures[name] == pytest.approx(1.0) for name in worlds.FIGURES)
    assert sum(v["n"] for v in figures["by_tool"].values()) == 32
    assert worlds.go_alone(world, Simulator(world.domain), episodes) == [8] * 4
    assert worlds.go_alone(world, Simulator(world.domain, wrong_at=3), episodes) == [3] * 4


def test_episodes_of_any_length_are_gone_through():
    world = load_world("alarms")
    one = worlds.judged_episodes(world, 1)[0]
    short = Episode(one.domain, one.seed, one.first, one.turns[:2], one.first)
    assert isinstance(short.turns[0], Turn)
    assert worlds.go_alone(world, Simulator(world.domain), [one, short]) == [8, 2]


def test_what_cannot_be_is_one_line(tmp_path, capsys):
    line = ["world", "--config=configs/world.py:tiny", f"--workdir={tmp_path / 'x'}"]
    for override, told in [
        ("--config.world.apps=()", "world.apps is empty"),
        ("--config.world.apps=('nothing',)", "no domain 'nothing'"),
        ("--config.world.left_out=('alarms',)", "trained on and left out"),
    ]:
        assert main([*line, override]) == 2
        assert told in capsys.readouterr().err and not (tmp_path / "x").exists()
    assert main([*line, "--dry_run"]) == 0
    assert "judged on 2 episodes" in capsys.readouterr().out


@pytest.mark.slow
def test_from_a_config_to_a_report_and_again_after_a_stop(tmp_path):
    line = ["world", "--config=configs/world.py:tiny", "--config.world.left_out=('lists',)"]
    assert main([*line, f"--workdir={tmp_path / 'whole'}"]) == 0
    report = json.loads((tmp_path / "whole" / "report.json").read_text())
    assert report["kind"] == "world" and set(report["apps"]) == {"alarms", "lists"}
    assert report["apps"]["lists"]["trained_on"] is False
    assert report["apps"]["alarms"]["learned"]["n"] == 16
    assert main([*line, f"--workdir={tmp_path / 'half'}"]) == 0
    half = tmp_path / "half"
    for name in ("report.json", "seed0/weights.safetensors", "seed0/lists.drift.jsonl"):
        (half / name).unlink()
    assert main([*line, f"--workdir={half}"]) == 0
    for name in ("seed0/weights.safetensors", "seed0/alarms.jsonl", "seed0/lists.jsonl"):
        assert digest_file(half / name) == digest_file(tmp_path / "whole" / name)
