"""The verb `pretrain`: from sources to a report, resumed where it was stopped."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest
from conftest import make_cheap

from fernjax.loop import pretrain, settings, workdir
from fernjax.loop.commands import main
from fernjax.model import checkpoint, reader
from fernjax.model.files import digest_file
from fernjax.model.transformer import ModelConfig


def command(folder, name="run"):
    return [
        "pretrain",
        "--config=configs/pretrain_bud.py:tiny",
        f"--workdir={folder / name}",
        f"--config.data.shards={folder / 'shards'}",
        "--config.data.apps=('wallet',)",
    ]


def test_a_specialists_config_is_the_pretrainings_but_for_its_app_and_training():
    config = settings.load_config("configs/pretrain_bud.py:cpu", {})
    own = pretrain.for_specialist(config, "home", 40, "somewhere")
    assert (own.domain, own.train.start_from, own.train.total_steps) == ("home", "somewhere", 40)
    assert own.train.batch_size == 32 and own.train.warmup_steps == 10 and own.loop.rounds == 0
    assert own.model == config.model and own.seeds == config.seeds


def test_marks_of_services_are_told_apart():
    def trial(service, full, in_scope=1):
        return {
            "service": service, "form": "sentence", "in_scope": [in_scope], "route": [full], "full": [full],
            "abstained": [1 - in_scope],
        }  # fmt: skip

    tried = [[trial("Boats_1", 1), trial("Boats_2", 0), trial("Kites_1", 1), trial("Boats_2", 1, 0)]]
    known = ({"Boats_1"}, {"Boats"})
    scores = {g: pretrain._scores(tried, *known, g, "sentence") for g in pretrain.GROUPS}
    assert scores["seen"]["n"] == 1 and scores["seen"]["full"] == 1.0
    assert scores["unseen"]["n"] == 2 and scores["unseen"]["full"] == 0.5
    assert scores["unseen"]["force_fit"] == 0.0 and scores["unseen"]["in_scope_n"] == 1
    assert scores["new_family"]["n"] == 1
    assert pretrain._scores(tried, *known, "seen", "history") is None


def test_a_dry_run_makes_nothing(tmp_path, capsys):
    assert main([*command(tmp_path), "--dry_run"]) == 0
    told = capsys.readouterr().out
    assert "2 groups a step of 4 sentences with 4 tools" in told and "bud/embed" in told
    assert not any(tmp_path.iterdir())


def test_a_source_that_is_not_there_is_told_in_a_line(tmp_path, capsys, monkeypatch):
    def refuse(*_, **__):
        raise OSError("no network in a test")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    line = [*command(tmp_path), "--config.data.calls.sgd=1", f"--config.data.root={tmp_path / 'none'}"]
    assert main(line) == 2
    told = capsys.readouterr().err
    assert "sgd/train.jsonl.gz" in told and "no network in a test" in told and "Traceback" not in told


@pytest.fixture(scope="module")
def untrained(tmp_path_factory):
    """The folder of a pretraining of no step."""
    path = tmp_path_factory.mktemp("broad") / "run"
    config = settings.load_config("configs/pretrain_bud.py:tiny", {})
    with workdir.open_workdir(path, config):
        params = reader.init(0, ModelConfig.from_config(config))
        checkpoint.save_weights(path / "seed0" / "weights.safetensors", params)
    return path


TOOLS = "benchmarks/own_apps/deliveries.json"


def test_a_broad_model_answers_with_the_tools_that_it_is_given(untrained, tmp_path, capsys):
    asked, told = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [{"id": i, "query": q} for i, q in enumerate(("where is order A-5521", "", "cancel order 12"))]
    asked.write_text("".join(json.dumps(line) + "\n" for line in lines))
    flags = [f"--tools={TOOLS}", f"--input={asked}", f"--output={told}", "--now=2026-03-02T09:00"]
    assert main(["predict", f"--workdir={untrained}", *flags]) == 0, capsys.readouterr().err
    answers = [json.loads(line) for line in told.read_text().splitlines()]
    names = {t["function"]["name"] for t in json.loads(pathlib.Path(TOOLS).read_text())}
    assert [a["id"] for a in answers] == [0, 1, 2] and answers[1]["outcome"] == "error"
    for answer in answers[::2]:
        assert {call["name"] for call in answer["calls"]} <= names | {"out_of_scope"}
        assert answer["outcome"] in ("call", "abstained") and 0 < answer["confidence"] < 1


def test_tools_go_with_a_broad_model_alone(untrained, finished, capsys):
    line = ["predict", "--input=/dev/null", "--now=2026-03-02T09:00"]
    assert main([*line, f"--workdir={untrained}"]) == 2
    assert "--tools=tools.json" in capsys.readouterr().err
    assert main([*line, f"--workdir={finished}", f"--tools={TOOLS}"]) == 2
    assert "needs the folder of a `pretrain`" in capsys.readouterr().err
    assert main([*line, f"--workdir={untrained}", "--tools=nowhere.json"]) == 2
    assert "cannot read nowhere.json" in capsys.readouterr().err


@pytest.mark.slow
def test_from_sources_to_a_report_and_again_after_a_stop(tmp_path, monkeypatch):
    make_cheap(monkeypatch)
    assert main(command(tmp_path)) == 0
    whole = tmp_path / "run"
    report = json.loads((whole / "report.json").read_text())
    assert report["kind"] == "pretrain" and report["steps"] == [4] and report["tokens"][0] > 500
    assert report["shards"]["sources"]["calls/apps"]["kept"] > 0
    assert report["specialists"]["calendar-4"]["real"]["final"]["public"]["n"] == 76
    assert np.isfinite(report["text_loss"]) and report["loss_by_seed"] == [report["loss"]]

    # Stopped behind a checkpoint and without what comes after the training: the same bits.
    half = tmp_path / "half"
    assert main([*command(tmp_path, "half"), "--config.train.total_steps=4"]) == 0
    for name in ("weights.safetensors", "trials.json"):
        (half / "seed0" / name).unlink()
    (half / "report.json").unlink()
    for path in sorted((half / "seed0").glob("step_*"))[1:]:
        for file in sorted(path.rglob("*"), reverse=True):
            file.unlink() if file.is_file() else file.rmdir()
        path.rmdir()
    assert main([*command(tmp_path, "half"), "--config.train.total_steps=4"]) == 0
    weights = [digest_file(p / "seed0" / "weights.safetensors") for p in (whole, half)]
    assert weights[0] == weights[1]

    # A specialist of another model is refused before anything is written.
    line = ["loop", "--config=configs/calendar.py:tiny", f"--workdir={tmp_path / 'other'}",
            f"--config.train.start_from={whole}", "--config.model.width=48"]  # fmt: skip
    assert main(line) == 2 and not (tmp_path / "other").exists()
