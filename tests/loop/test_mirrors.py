from __future__ import annotations

import pathlib
import sys
import types
from typing import Any

import pytest
from ml_collections import ConfigDict

from fernjax.loop.mirrors import Mirrors
from fernjax.sim.types import UserError

LINE = {"step": 5, "loss": 1.5, "grad_norm/core_0": 0.5, "nothing": None, "lr": 1}


class Recorder:
    """Stands for `tensorboardX.SummaryWriter` and for a run of W&B: same calls, kept in a list."""

    made: list[Recorder]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs, self.lines, self.closed = args, kwargs, [], False
        type(self).made.append(self)

    def add_scalar(self, name: str, value: float, step: int) -> None:
        self.lines.append((step, name, value))

    def log(self, values: dict[str, float], step: int) -> None:
        self.lines += [(step, name, value) for name, value in values.items()]

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    finish = close


@pytest.fixture
def recorder(monkeypatch):
    class Fresh(Recorder):
        made: list[Recorder] = []

    monkeypatch.setitem(sys.modules, "tensorboardX", types.SimpleNamespace(SummaryWriter=Fresh))
    monkeypatch.setitem(sys.modules, "wandb", types.SimpleNamespace(init=Fresh))
    return Fresh


def config(**log: Any) -> ConfigDict:
    return ConfigDict({"log": {"tensorboard": False, "wandb_project": ""} | log})


@pytest.mark.parametrize("log", [{"tensorboard": True}, {"wandb_project": "bud"}])
def test_numbers_go_to_a_place_of_their_trainings_own(recorder, tmp_path, log):
    mirrors = Mirrors(config(**log), tmp_path / "run")
    mirrors.write("rounds/000/checkpoints/seed0", LINE)
    mirrors.write("rounds/000/checkpoints/seed0", LINE | {"step": 10})
    mirrors.write("rounds/000/checkpoints/seed1", LINE)
    mirrors.close()
    first, second = recorder.made
    assert first.lines[:3] == [(5, "loss", 1.5), (5, "grad_norm/core_0", 0.5), (5, "lr", 1.0)]
    assert [line[0] for line in first.lines] == [5, 5, 5, 10, 10, 10] and len(second.lines) == 3
    assert first.closed and second.closed
    assert "seed0" in str(first.args) + str(first.kwargs)


def test_the_same_training_resumes_the_same_run(recorder, tmp_path):
    for _ in range(2):
        Mirrors(config(wandb_project="bud"), tmp_path / "run").write("rounds/000/seed0", LINE)
    first, second = recorder.made
    assert first.kwargs["id"] == second.kwargs["id"] == "run-rounds-000-seed0"


def test_a_mirror_that_fails_stops_nothing(recorder, tmp_path, monkeypatch, caplog):
    def fail(*_: object) -> None:
        raise ConnectionError("no network")

    monkeypatch.setattr(recorder, "add_scalar", fail)
    mirrors = Mirrors(config(tensorboard=True, wandb_project="bud"), tmp_path / "run")
    mirrors.write("seed0", LINE)
    mirrors.write("seed0", LINE)
    assert [r.getMessage() for r in caplog.records] == [
        "TensorBoard failed (no network) and gets no more lines; metrics.jsonl has them all"
    ]
    assert len(recorder.made[1].lines) == 6


@pytest.mark.parametrize(
    ("log", "module"), [({"tensorboard": True}, "tensorboardX"), ({"wandb_project": "x"}, "wandb")]
)
def test_a_package_that_is_missing_is_one_line(monkeypatch, log, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UserError, match=f"{module} is not installed, .*pip install -e"):
        Mirrors(config(**log), pathlib.Path("unused"))


def test_tensorboards_own_writer_takes_them(tmp_path):
    mirrors = Mirrors(config(tensorboard=True), tmp_path)
    mirrors.write("seed0", LINE)
    mirrors.close()
    (events,) = (tmp_path / "tensorboard" / "seed0").glob("events.*")
    assert b"grad_norm/core_0" in events.read_bytes()
