"""The command: what it prints, writes and refuses, for every place, with stand-ins for the places' tools."""

from __future__ import annotations

import json
import pathlib
import shlex

import pytest
from fakes import calls, fake_tool

from fernjax.loop import commands
from launch import launching

RUN = ["launch", "--config=calendar:tiny", "--config.seeds=0", "--workdir=runs/an_x"]
NEEDS = {
    "local": [],
    "slurm": [],
    "k8s": ["--launch.image=registry.example.org/fernjax:1", "--launch.volume=runs"],
    "tpu": [
        "--launch.tpu_type=v5litepod-16",
        "--launch.runtime=v2-alpha-tpuv5-lite",
        "--launch.zone=us-west4-a",
        "--launch.volume=10.0.0.2:/share",
        "--launch.repository=https://git.example.org/fernjax",
        "--launch.commit=abc123",
    ],
    "skypilot": [],
}
TOOLS = {"slurm": "sbatch", "k8s": "kubectl", "tpu": "gcloud", "skypilot": "sky"}


@pytest.fixture(autouse=True)
def tools(tmp_path, monkeypatch):
    """An empty PATH, where stand-ins can be put, and a working folder."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("WANDB_API_KEY", "do-not-write-me")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "bin"


def launch(*argv):
    return commands.main([*RUN, *argv])


def written():
    return [p for p in pathlib.Path().rglob("*") if p.is_file()]


def one_line(capsys):
    err = capsys.readouterr().err
    assert err.startswith("fernjax: ") and err.count("\n") == 1, err
    return err


@pytest.mark.parametrize("on", launching.PLACES)
def test_a_dry_run_prints_all_and_touches_nothing(on, capsys, tools):
    assert launch(f"--on={on}", *NEEDS[on], "--dry_run") == 0
    out = capsys.readouterr().out
    assert not written() and not calls(tools)
    assert "-m fernjax loop" in out and "--config.seeds=0" in out
    assert TOOLS.get(on, "bash") in out.rpartition("# then\n")[2]
    assert "do-not-write-me" not in out


@pytest.mark.parametrize("on", TOOLS)
def test_without_the_tool_it_is_one_line_and_no_record(on, capsys):
    assert launch(f"--on={on}", *NEEDS[on]) == 2
    assert f"{TOOLS[on]} is not installed here; install " in one_line(capsys)
    assert launching.RECORD not in [p.name for p in written()]
    assert launch("--status") == 2
    assert "nothing was launched with that --workdir" in one_line(capsys)


@pytest.mark.parametrize("on", TOOLS)
def test_what_the_tool_refuses_is_one_line(on, capsys, tools):
    fake_tool(tools, TOOLS[on], code=3, says="no\nquota left")
    assert launch(f"--on={on}", *NEEDS[on]) == 2
    assert "gave 3: no / quota left" in one_line(capsys)
    assert launching.RECORD not in [p.name for p in written()]


@pytest.mark.parametrize("on", TOOLS)
def test_what_the_dry_run_printed_is_submitted(on, capsys, tools):
    fake_tool(tools, TOOLS[on], prints="77;cluster")
    launch(f"--on={on}", *NEEDS[on], "--dry_run")
    promised = capsys.readouterr().out
    assert launch(f"--on={on}", *NEEDS[on]) == 0
    promised_commands = [shlex.split(line) for line in promised.rpartition("# then\n")[2].splitlines()]
    assert calls(tools) == promised_commands
    for path in written():
        if path.name == launching.RECORD:
            record = json.loads(path.read_text())
            assert [shlex.split(c) for c in record["commands"]] == promised_commands
            assert record["on"] == on and record["job"]["overrides"] == {"seeds": "0"}
        else:
            assert f"# {path}\n{path.read_text()}" in promised
        assert "do-not-write-me" not in path.read_text()
        assert path.parent == pathlib.Path("runs/an_x.launch")
    assert capsys.readouterr().out.split() == ["77" if on == "slurm" else "an-x"]


@pytest.mark.parametrize("on", ["k8s", "tpu", "skypilot"])
def test_status_and_logs_ask_the_tool(on, capsys, tools):
    fake_tool(tools, TOOLS[on], prints="NAME an-x RUNNING")
    assert launch(f"--on={on}", *NEEDS[on]) == 0
    submitted = len(calls(tools))
    for flag in ("--status", "--logs"):
        capsys.readouterr()
        assert launch(flag) == 0
        assert "RUNNING" in capsys.readouterr().out
    asked = [" ".join(call) for call in calls(tools)[submitted:]]
    assert len(asked) >= 2 and all("create" not in a and "launch" not in a.split() for a in asked)
    assert any("logs" in a or "tail" in a for a in asked)


@pytest.mark.parametrize(
    "argv, told",
    [
        ([], "launch needs --on=PLACE; there are: local, slurm, k8s, tpu, skypilot"),
        (["--on=moon"], "no place 'moon' to launch on; there are: local, slurm"),
        (["--on=local", "--verb=predict"], "fleet, pretrain, world, sweep, not 'predict'"),
        (["--on=local", "--config.train.total_stepz=3"], "did you mean config.train.total_steps"),
        (["--on=local", "--launch.nodes=2"], "local takes no launch.nodes"),
        (["--on=local", "--launch.processes"], "--launch.processes lacks a value"),
        (["--on=k8s"], "k8s needs --launch.image, a container image whose working folder is the clone"),
        (["--on=tpu", "--launch.tpu_type=v5litepod-16"], "tpu needs --launch.runtime"),
        (["--on=skypilot", "--launch.gpus=8"], "skypilot needs --launch.gpu_type"),
        (["--status"], "nothing was launched with that --workdir"),
        (["--logs"], "nothing was launched with that --workdir"),
    ],
)
def test_mistakes_are_one_line(argv, told, capsys):
    assert launch(*argv) == 2
    assert told in one_line(capsys)
    assert not written()


def test_only_launch_takes_launch_keys(capsys):
    assert commands.main(["loop", "--launch.nodes=2"]) == 2
    assert "loop takes no --launch.nodes" in one_line(capsys)


def test_a_workdir_alone_keeps_its_config(capsys):
    from fernjax.loop import settings, workdir

    workdir.write_json(
        pathlib.Path("runs/own/config.json"), settings.to_json(settings.load_config("calendar:tiny", {}))
    )
    assert commands.main(["launch", "--on=slurm", "--workdir=runs/own", "--dry_run"]) == 0
    out = capsys.readouterr().out
    assert "fernjax loop --workdir=runs/own" in out and "--config=" not in out


def test_the_commit_that_is_here_is_the_one_that_runs_there(capsys, monkeypatch):
    from fernjax.loop import workdir

    monkeypatch.setattr(workdir, "provenance", lambda: {"commit": "f00d" * 10, "dirty": True})
    given = [k for k in NEEDS["tpu"] if "commit" not in k]
    assert launch("--on=tpu", *given, "--dry_run") == 0
    out, err = capsys.readouterr()
    assert f"--detach {'f00d' * 10}" in out
    assert err == "what is changed here since commit f00df00 does not run there\n"
