import dataclasses
import json
import multiprocessing
import os
import subprocess

import pytest

from fernjax.loop import commands, settings, workdir
from fernjax.model.files import read_jsonl
from fernjax.sim.types import UserError


@pytest.fixture
def config():
    return settings.load_config("configs/calendar.py:tiny", {})


def test_open_writes_config_and_provenance(tmp_path, config):
    with workdir.open_workdir(tmp_path / "run", config) as work:
        run = workdir.read_json(work.path / "run.json")
        assert workdir.read_json(work.path / "config.json") == settings.to_json(config)
        assert {"commit", "dirty", "versions", "host", "start", "domain", "schema"} <= run.keys()
        work.touch(note=1)
        assert workdir.read_json(work.path / "run.json")["note"] == 1
        assert work.wall_s() >= 0
    with workdir.open_workdir(tmp_path / "run", config) as again:
        assert len(workdir.read_json(again.path / "run.json")["sessions"]) == 1  # it has done nothing yet
        again.touch()
        again.touch()
        assert len(workdir.read_json(again.path / "run.json")["sessions"]) == 2


def test_only_changes_that_take_part_are_dirty(tmp_path, monkeypatch):
    def git(*args):
        about = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", *about, "-C", tmp_path, *args], check=True, capture_output=True)

    for name in ("README.md", "fernjax/a.py", "configs/b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "x")
    monkeypatch.setattr(settings, "SOURCE_TREE", tmp_path)
    (tmp_path / "calls.jsonl").write_text("")
    assert workdir.provenance()["dirty"] is False
    for name in ("fernjax/new.py", "configs/new.py", "README.md"):
        before = (tmp_path / name).read_text() if (tmp_path / name).exists() else None
        (tmp_path / name).write_text("changed")
        assert workdir.provenance()["dirty"] is True, name
        (tmp_path / name).unlink() if before is None else (tmp_path / name).write_text(before)
    assert workdir.provenance()["dirty"] is False


def test_another_config_is_refused_by_name(tmp_path, config):
    workdir.open_workdir(tmp_path, config).close()
    other = settings.load_config("configs/calendar.py:tiny", {"train.total_steps": "9"})
    with pytest.raises(UserError, match=r"config.train.total_steps=8, not 9"):
        workdir.open_workdir(tmp_path, other)


def test_a_choice_of_a_fleets_apps_is_no_other_config(tmp_path, config):
    workdir.open_workdir(tmp_path, config).close()
    other = settings.load_config("configs/calendar.py:tiny", {"fleet.domains": "calendar"})
    workdir.open_workdir(tmp_path, other).close()


def test_another_schema_and_layout_are_refused(tmp_path, config):
    workdir.open_workdir(tmp_path, config).close()
    run = json.loads((tmp_path / "run.json").read_text())
    workdir.write_json(tmp_path / "run.json", run | {"schema": "0" * 64})
    with pytest.raises(UserError, match=r"tools of domain calendar changed .*00000000"):
        workdir.open_workdir(tmp_path, config)
    workdir.write_json(tmp_path / "run.json", run | {"layout": 99})
    with pytest.raises(UserError, match="layout 99"):
        workdir.existing_workdir(tmp_path)


def test_an_edited_file_of_ones_own_sentences_is_refused(tmp_path):
    """Answers are reused by set: a changed file would be scored on answers to other sentences."""
    mine = tmp_path / "my.jsonl"
    line = {"query": "put yoga in", "calls": [{"create_event": {}}]}
    mine.write_text(json.dumps(line) + "\n")
    config = settings.load_config("configs/calendar.py:tiny", {"real_path": str(mine)})
    workdir.open_workdir(tmp_path / "run", config).close()
    workdir.open_workdir(tmp_path / "run", config).close()
    before = mine.read_text()
    for changed in (before * 2, before.replace("create_event", "list_events")):
        mine.write_text(changed)
        with pytest.raises(UserError, match=r"the file .*my.jsonl changed since .*run was made.*--workdir"):
            workdir.open_workdir(tmp_path / "run", config)
        assert commands.main(["report", f"--workdir={tmp_path / 'run'}"]) == 2
    mine.write_text(before)
    workdir.open_workdir(tmp_path / "run", config).close()


def test_another_phrasing_or_generator_is_refused(tmp_path, config, monkeypatch):
    workdir.open_workdir(tmp_path, config).close()
    real = workdir.load_domain("calendar")
    other = dataclasses.replace(real, pools=real.pools | {"more": ("value",)})
    with monkeypatch.context() as patch:
        patch.setattr(workdir, "load_domain", lambda name: other)
        with pytest.raises(UserError, match="the phrasing of domain calendar .* changed since"):
            workdir.open_workdir(tmp_path, config)
    with monkeypatch.context() as patch:
        patch.setattr("fernjax.sim.scenario.REPEATED", 0.0)
        patch.setattr("fernjax.sim.scenario.noise.add_noise", lambda rng, line, spans, *_: (line, spans))
        with pytest.raises(UserError, match="what is generated for domain calendar .* changed since"):
            workdir.open_workdir(tmp_path, config)
    workdir.open_workdir(tmp_path, config).close()
    assert workdir.existing_workdir(tmp_path).path == tmp_path  # a trained model may still be used


def test_the_config_of_another_version_is_refused(tmp_path, config, capsys):
    workdir.open_workdir(tmp_path, config).close()
    stored = settings.to_json(config)
    del stored["real_now"]
    workdir.write_json(tmp_path / "config.json", stored)
    for verb in ("loop", "report"):
        assert commands.main([verb, f"--workdir={tmp_path}"]) == 2
        assert "made by another version: its config lacks config.real_now" in capsys.readouterr().err


def test_a_folder_of_strangers_is_refused(tmp_path, config):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(UserError, match="holds thesis.tex"):
        workdir.open_workdir(tmp_path, config)
    assert sorted(p.name for p in tmp_path.iterdir() if not p.name.startswith(".")) == ["thesis.tex"]


def _open_elsewhere(path, config_json, queue):
    try:
        workdir.open_workdir(path, settings.from_json(config_json))
        queue.put("opened")
    except UserError as e:
        queue.put(str(e))


def test_one_process_at_a_time(tmp_path, config):
    context = multiprocessing.get_context("spawn")
    with workdir.open_workdir(tmp_path, config):
        queue = context.Queue()
        process = context.Process(target=_open_elsewhere, args=(tmp_path, settings.to_json(config), queue))
        process.start()
        assert "another process is running" in queue.get(timeout=30)
        process.join()


def test_unwritable_is_one_line(tmp_path, config):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write to workdir"):
        workdir.open_workdir(tmp_path / "file" / "run", config)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    workdir.write_json(path, {"old": 1})
    with pytest.raises(TypeError):
        workdir.write_json(path, {"new": object()})
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(UserError, match="disk full while writing"):
        workdir.write_json(path, {"new": 2})
    assert workdir.read_json(path) == {"old": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def _full(_):
    raise OSError(28, "No space left on device")


def test_what_a_kill_left_half_written_is_removed(tmp_path, config):
    workdir.open_workdir(tmp_path, config).close()
    left = [tmp_path / ".tmp-4-1", tmp_path / "rounds/000/predictions/.tmp-4-2"]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{")
    with workdir.open_workdir(tmp_path, config):
        assert not any(path.exists() for path in left)


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "a.json").write_text("{")
    with pytest.raises(UserError, match=r"a.json is damaged"):
        workdir.read_json(tmp_path / "a.json")


FORMS = ["[]", "5", "null", "{}", "{", "[" * 100_000, "\udcff"]


@pytest.mark.parametrize("name", ["run.json", "config.json"])
@pytest.mark.parametrize("text", [*FORMS, None])
def test_a_run_whose_own_files_are_damaged_names_a_remedy_that_works(name, text, tmp_path, config):
    run = tmp_path / "run"
    workdir.open_workdir(run, config).close()
    (run / "rounds").mkdir()
    (run / "rounds/x").write_text("")
    kept = (run / name).read_bytes()
    if text is None:
        (run / name).unlink()
    else:
        (run / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(UserError, match=rf"{name} is (damaged|missing).*put it back from a copy, or use ano"):
        workdir.open_workdir(run, config)
    if text is not None or name != "run.json":  # without run.json it is no run
        with pytest.raises(UserError, match=rf"{name} is (damaged|missing).*put it back"):
            workdir.existing_workdir(run).config()
    (run / name).write_bytes(kept)
    workdir.open_workdir(run, config).close()


@pytest.mark.parametrize("sessions", [5, None, ["x"], [{"start": 3, "end": "x"}], [{}]])
def test_sessions_of_another_form_are_told(sessions, tmp_path, config):
    workdir.open_workdir(tmp_path, config).close()
    run = workdir.read_json(tmp_path / "run.json")
    workdir.write_json(tmp_path / "run.json", run | {"sessions": sessions})
    with pytest.raises(UserError, match=r"run.json is damaged \(its sessions\)"):
        workdir.open_workdir(tmp_path, config)


def test_a_stored_config_of_another_type_is_told(tmp_path, config, capsys):
    workdir.open_workdir(tmp_path, config).close()
    stored = settings.to_json(config)
    for changed in ({"seeds": 5}, {"seeds": ["a"]}, {"domain": 5}, {"abstain_below": "x"}, {"real_now": []}):
        workdir.write_json(tmp_path / "config.json", stored | changed)
        assert commands.main(["loop", f"--workdir={tmp_path}", "--dry_run"]) == 2
        assert f"config.json is damaged (its {next(iter(changed))})" in capsys.readouterr().err
    for changed in ({"seeds": 5}, {"seeds": []}, {"domain": None}):
        workdir.write_json(tmp_path / "config.json", stored | changed)
        assert commands.main(["call", "put yoga in", f"--workdir={tmp_path}"]) == 2
        assert f"config.json is damaged (its {next(iter(changed))})" in capsys.readouterr().err


@pytest.mark.parametrize("line", [b"{", b"\xff", b"[]", b"5", b"[" * 100_000])
def test_a_line_damaged_in_the_middle_is_named(line, tmp_path):
    (tmp_path / "ledger.jsonl").write_bytes(b'{"round": 1}\n' + line + b'\n{"round": 2}\n')
    with pytest.raises(UserError, match=r"ledger.jsonl, line 2 is damaged \(.*remove it and run the command"):
        read_jsonl(tmp_path / "ledger.jsonl")


def test_a_workdir_that_is_a_file_or_a_link_to_nothing_is_told(tmp_path, config):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name, told in (("file", "it is a file"), ("link", "it is a link to nothing")):
        with pytest.raises(UserError, match=f"{told}; choose another"):
            workdir.open_workdir(tmp_path / name, config)


def test_a_torn_last_line_is_left_out(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n{"a": 2')
    assert read_jsonl(tmp_path / "a.jsonl") == [{"a": 1}]


def test_crown_points_at_a_round(tmp_path, config):
    with workdir.open_workdir(tmp_path, config) as work:
        with pytest.raises(UserError, match="no trained model yet"):
            work.champion()
        for number in (0, 2):
            work.round(number).mkdir(parents=True)
            work.crown(number)
            assert work.champion() == work.round(number)
        assert os.readlink(tmp_path / "champion") == "rounds/002"


def test_the_only_run_is_found(tmp_path, config, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="runs/ holds none"):
        workdir.existing_workdir(None)
    workdir.open_workdir(tmp_path / "runs/a", config).close()
    assert workdir.existing_workdir(None).path.name == "a"
    workdir.open_workdir(tmp_path / "runs/b", config).close()
    workdir.open_workdir(tmp_path / "runs/own/c", config).close()  # as a fleet leaves it
    with pytest.raises(UserError, match=r"--workdir=DIR \(there are runs/a, runs/b, runs/own/c\)"):
        workdir.existing_workdir(None)
