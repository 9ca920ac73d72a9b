"""The real trainer and predictor through the tiny config, from the command line, killed on the way."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from fernjax.loop import settings, workdir
from fernjax.model.files import digest_file, read_jsonl

ENV = os.environ | {"PYTHONPATH": str(settings.SOURCE_TREE)}
COMMAND = [sys.executable, "-m", "fernjax"]
TINY = ["loop", "--config=configs/calendar.py:tiny"]


def start(*argv):
    return subprocess.Popen(
        [*COMMAND, *argv], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process, timeout=900):
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def results(path):
    """What a run leaves behind, but for what tells the time: digests, since pytest explains for an hour how
    megabytes differ."""
    names = ("scores.json", "decision.json", "ledger.jsonl", "recipe.json", "final.json", "repair.json")
    files = [p for p in path.rglob("*") if p.name in names or p.suffix == ".safetensors"]
    files += list(path.rglob("predictions/*/*.jsonl"))
    return {str(p.relative_to(path)): digest_file(p) for p in files}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "run"
    code, out, err = finish(start(*TINY, f"--workdir={path}"))
    assert code == 0, err
    assert str(path / "report.json") in out
    return path


def wait_for(path, process, timeout=600):
    """Returns once a file is there, or the process has ended."""
    end = time.monotonic() + timeout
    while not path.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)


@pytest.mark.slow
def test_the_loop_runs_whole(whole):
    report = workdir.read_json(whole / "report.json")
    assert report["real"]["final"]["public"]["n"] > 50
    assert len(report["rounds"]) == 1
    assert report["rounds"][0]["decision"] in ("kept", "rejected")
    assert report["peak_rss_mb"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_stopped_at_any_stage_it_ends_in_the_same_bits(whole, tmp_path, how):
    stages = [
        "rounds/000/checkpoints/seed0/step_00000004",
        "rounds/000/checkpoints/seed1/trained.json",
        "rounds/000/predictions/seed0/gate_public.jsonl",
        "rounds/001/placebo/checkpoints/seed0/metrics.jsonl",
        "rounds/001/placebo/scores.json",
    ]
    for stage in stages:
        process = start(*TINY, f"--workdir={tmp_path}")
        wait_for(tmp_path / stage, process)
        process.send_signal(how)
        code, _, err = finish(process)
        assert code == (-signal.SIGKILL if how == signal.SIGKILL else 0), err
    code, _, err = finish(start(*TINY, f"--workdir={tmp_path}"))
    assert code == 0, err
    assert results(tmp_path) == results(whole)


@pytest.mark.slow
def test_the_champion_is_of_use(whole, tmp_path):
    now = "--now=2026-03-04T09:30:00"
    (tmp_path / "in").write_text(
        '{"id": 1, "query": "lunch with ana on friday"}\n{"id": 2, "query": "' + "x " * 50_000 + '"}\n'
    )
    code, _, err = finish(
        start("predict", f"--workdir={whole}", f"--input={tmp_path}/in", f"--output={tmp_path}/out", now)
    )
    assert code == 0, err
    first, second = read_jsonl(tmp_path / "out")
    assert first["outcome"] in ("call", "abstained")
    assert second["outcome"] == "error"
    code, out, err = finish(start("call", "lunch with ana on friday", f"--workdir={whole}", now, "--json"))
    assert code == 0, err
    assert json.loads(out)["calls"] == first["calls"]


@pytest.mark.slow
def test_the_parts_alone_give_what_the_loop_gives(whole, tmp_path):
    config = "--config=configs/calendar.py:tiny"
    assert finish(start("train", config, f"--workdir={tmp_path}"))[0] == 0
    code, out, err = finish(start("evaluate", config, f"--workdir={tmp_path}"))
    assert code == 0, err
    figures = json.loads(out)
    expected = workdir.read_json(whole / "rounds/000/scores.json")["sets"]
    assert {name: figures[name] for name in expected} == expected
    assert {"final/public", "final/authored"} <= figures.keys()
