from __future__ import annotations

import json

import made_snips
import numpy as np
import pytest

from fernjax.loop import commands, settings, snips
from fernjax.model.corpus.snips import load
from fernjax.model.spans import values_of
from fernjax.sim.types import UserError


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return made_snips.write(tmp_path_factory.mktemp("sources"))


def flags(root, workdir):
    return ["--config=configs/snips.py:tiny", f"--config.data.root={root}", f"--workdir={workdir}"]


@pytest.fixture(scope="module")
def finished(root, tmp_path_factory):
    """A workdir of the tiny run."""
    workdir = tmp_path_factory.mktemp("run") / "snips"
    assert commands.main(["train", *flags(root, workdir)]) == 0
    return workdir


def test_the_report_has_its_form(root, finished):
    report = json.loads((finished / "report.json").read_text())
    data = load(str(root))
    assert report["kind"] == "snips"
    assert report["seeds"] == [0, 1]
    assert report["train"]["n"] == len(data.train)
    held = report["heldout"]
    assert held["n"] == len(data.heldout) > 0
    for name in ("intent", "slot_f1", "sentence"):
        low, high = held[f"{name}_ci"]
        assert 0 <= low <= held[name] <= high <= 1
        assert len(held[f"{name}_by_seed"]) == 2
        assert np.mean(held[f"{name}_by_seed"]) == pytest.approx(held[name])
    assert {"intents", "kinds", "slots"} == report["confusions"].keys()
    assert {"schema_version", "commit", "dirty", "config", "wall_s"} <= report.keys()


def test_the_same_command_finds_all_done(root, finished, capsys):
    before = (finished / "report.json").read_bytes()
    assert commands.main(["train", *flags(root, finished)]) == 0
    assert capsys.readouterr().out.strip() == str(finished / "report.json")
    assert (finished / "report.json").read_bytes() == before


def test_evaluate_prints_the_figures_and_report_writes_them_anew(root, finished, capsys):
    assert commands.main(["evaluate", *flags(root, finished)]) == 0
    figures = json.loads(capsys.readouterr().out)
    report = json.loads((finished / "report.json").read_text())
    assert figures == report["heldout"]
    (finished / "report.json").unlink()
    assert commands.main(["report", f"--workdir={finished}"]) == 0
    assert json.loads((finished / "report.json").read_text())["heldout"] == figures


def test_predict_gives_calls_of_words_as_written(finished, tmp_path):
    asked = [
        {"id": 1, "query": "Play Guns & Roses live from  San José"},
        {"id": "b", "query": "How warm is it?", "now": "2026-03-04T09:30:00"},
        {"id": 3, "query": "word " * 300},
        {"id": 4},
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(a) + "\n" for a in asked), encoding="utf-8")
    argv = [
        "predict",
        f"--workdir={finished}",
        f"--input={tmp_path}/in.jsonl",
        f"--output={tmp_path}/out.jsonl",
    ]
    assert commands.main(argv) == 0
    said = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [s["id"] for s in said] == [1, "b", 3, 4]
    assert [s["outcome"] for s in said] == ["call", "call", "error", "error"]
    for ask, say in zip(asked[:2], said[:2], strict=True):
        assert say.keys() == {"id", "calls", "missing", "outcome", "confidence"}
        assert say["missing"] == []
        (call,) = say["calls"]
        assert call.keys() == {"name", "arguments"}
        for slot, values in call["arguments"].items():
            assert slot in made_snips.SLOTS[call["name"]]
            assert all(value in ask["query"] for value in values)


@pytest.mark.parametrize("verb", ["loop", "fleet", "pretrain", "generate"])
def test_what_needs_an_app_is_refused(verb, capsys):
    argv = [verb, "--config=configs/snips.py:tiny"]
    assert commands.main(argv) == 2
    assert f"{verb} needs an app" in capsys.readouterr().err


def test_call_is_refused(finished, capsys):
    assert commands.main(["call", "play Rain", f"--workdir={finished}"]) == 2
    assert "no app to call; use predict" in capsys.readouterr().err


def test_another_root_is_refused(finished, tmp_path, capsys):
    made_snips.write(tmp_path, made_snips.rows()[:-1])
    made = json.loads((finished / "config.json").read_text())["data"]["root"]
    argv = [a.replace(made, str(tmp_path)) for a in flags(made, finished)]
    assert commands.main(["train", *argv]) == 2
    assert "config.data.root" in capsys.readouterr().err


def test_a_dry_run_touches_nothing(root, tmp_path, capsys):
    assert commands.main(["train", *flags(root, tmp_path / "none"), "--dry_run"]) == 0
    assert commands.main(["train", *flags(tmp_path / "nowhere", tmp_path / "none"), "--dry_run"]) == 0
    assert "unique parameters" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_a_task_that_is_not_there_is_refused():
    with pytest.raises(UserError, match="choose app or snips"):
        settings.load_config("configs/base.py", {"task": "slurp"})


@pytest.mark.parametrize("variant", ["scratch", "broad", "bud", "tiny"])
def test_every_variant_is_a_config(variant):
    config = settings.load_config(f"configs/snips.py:{variant}", {})
    assert config.task == "snips"
    assert bool(config.train.start_from) == (variant == "broad")


def perfect(row):
    """The line of a right answer."""
    said = {"calls": [{"name": row.intent, "arguments": values_of(row.text, row.words, row.spans)}]}
    spans = [[s.first, s.last, s.slot] for s in row.spans]
    return {"query": row.text, "said": said | {"outcome": "call"}, "spans": spans}


def test_right_answers_score_one_and_no_answers_none(root):
    data = load(str(root))
    right = [perfect(row) for row in data.heldout]
    nothing = [{"said": {"calls": [], "outcome": "error"}, "spans": []} for _ in data.heldout]
    best, worst = snips.score(data, [right, right]), snips.score(data, [nothing, nothing])
    for name in ("intent", "slot_f1", "sentence"):
        assert best[name] == 1.0
        assert best[f"{name}_ci"][1] == pytest.approx(1.0)
        assert worst[name] == 0.0
    assert (best["errors"], worst["errors"]) == (0, len(data.heldout))
    assert not snips.confusions(data.heldout, [right])["slots"]


def test_one_wrong_slot_makes_one_sentence_wrong(root):
    data = load(str(root))
    lines = [perfect(row) for row in data.heldout]
    at = next(i for i, row in enumerate(data.heldout) if row.spans)
    dropped = data.heldout[at].spans[0]
    lines[at]["spans"] = lines[at]["spans"][1:]
    del lines[at]["said"]["calls"][0]["arguments"][dropped.slot]
    score, n = snips.score(data, [lines]), len(data.heldout)
    gold = sum(len(row.spans) for row in data.heldout)
    assert score["intent"] == 1.0
    assert score["sentence"] == pytest.approx((n - 1) / n)
    assert score["slot_f1"] == pytest.approx(2 * (gold - 1) / (2 * gold - 1))
    (error,) = snips.confusions(data.heldout, [lines])["slots"]
    assert error["kind"] == "missed"
    assert error["slot"] == dropped.slot


def test_linearised_marks_have_the_mean_of_f1():
    counts = np.array([[[1, 2, 1], [0, 1, 2], [3, 3, 3]], [[0, 0, 1], [2, 2, 2], [1, 4, 3]]])
    marks = snips.linearise(counts)
    assert marks.mean(axis=1) == pytest.approx([8 / 12, 6 / 12])
