import io
import json
import os
import re
import runpy
import signal
import subprocess
import sys
import time

import pytest

from fernjax.loop import commands, flags, lines, settings, use, workdir
from fernjax.model.files import read_jsonl
from fernjax.sim.types import OUT_OF_SCOPE, Call, Observation, Prediction, UserError
from fernjax.sim.world import load_domain

ENV = os.environ | {"PYTHONPATH": str(settings.SOURCE_TREE)}


class FakeModel:
    """Abstains from all but what begins with "add"."""

    def __init__(self):
        self.domain = load_domain("calendar")
        self.sizes = []

    def predict(self, queries):
        self.sizes.append(len(queries))
        out = []
        for q in queries:
            if q.text.startswith("add"):
                out.append(
                    Prediction((Call("create_event", {"title": q.text[4:]}),), ("date",), confidence=0.9)
                )
            else:
                out.append(Prediction((Call(OUT_OF_SCOPE),), outcome="abstained", confidence=0.8))
        return out


@pytest.fixture
def model(monkeypatch):
    fake = FakeModel()
    monkeypatch.setattr(use, "_load_model", lambda directory: fake)
    return fake


def run(*argv):
    return commands.main(list(argv))


def one_line(capsys):
    out, err = capsys.readouterr()
    assert err.startswith("fernjax: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    "argv, told",
    [
        (["lopp"], "no such verb 'lopp'; did you mean loop?"),
        (["serve"], "no such verb 'serve'"),
        (["export"], "no such verb 'export'"),
        (["loop", "--config=configs/none.py"], "no config file"),
        (["loop", "--config.train.total_stepz=3", "--dry_run"], "did you mean config.train.total_steps"),
        (["loop", "--config.train.total_steps=x", "--dry_run"], "takes an int"),
        (["loop", "--config.train.total_steps"], "lacks a value"),
        (["loop", "--wrkdir=x"], "loop takes no --wrkdir"),
        (["predict", "--config.seeds=1"], "predict takes no --config.seeds"),
        (["predict", "--now=tuesday"], "not ISO 8601"),
        (["extract", "--input=/nowhere/x.jsonl"], "cannot read /nowhere/x.jsonl"),
        (["extract", "--domain=kitchen", "--input=/dev/null"], "no domain 'kitchen'"),
        (["extract", "--input=/dev/null", "--output=/nowhere/x.jsonl"], "cannot write /nowhere/x.jsonl"),
        (["report", "--workdir=/nowhere"], "no run in /nowhere"),
        (["report", "--config=calendar:tiny", "--workdir=/nowhere"], "no run in /nowhere"),
        (["call", "  ", "--workdir=/nowhere"], "is empty"),
        (["call", "add tea", "--now=0999-01-01"], "outside the years 1000 to 9000"),
        (["call"], "required: sentence"),
        (["generate", "--config=configs/base.py", "--count=0"], "give at least 1"),
        (["generate", "--config=configs/base.py", "--count=0", "--dry_run"], "give at least 1"),
        (["generate", "--count=many"], "invalid int value"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(argv, told, capsys):
    assert run(*argv) == 2
    assert told in one_line(capsys)


LONG = "x" * 5000


@pytest.mark.parametrize(
    "argv, told",
    [
        (["loop", f"--config={LONG}"], "File name too long"),
        (["loop", f"--workdir={LONG}"], "File name too long"),
        (["loop", "--config=calendar:tiny", f"--workdir={LONG}", "--dry_run"], "File name too long"),
        (["call", "add tea", f"--workdir={LONG}"], "File name too long"),
        (["report", f"--workdir={'x/' * 2500}"], "File name too long"),
        (["extract", f"--input={LONG}"], "File name too long"),
        (["extract", "--input=/dev/null", f"--output={LONG}"], "File name too long"),
        (["new-domain", "own", f"--tools={LONG}"], "File name too long"),
        (["loop", f"--config.train.total_steps={LONG}", "--dry_run"], "takes an int"),
        (["loop", f"--config.real_path={LONG}", "--dry_run"], "File name too long"),
        (["predict", f"--now={'add tea ' * 600}"], "not ISO 8601"),
        (["call", "\udcff\udcfe"], "argument '\\xff\\xfe' is not UTF-8"),
    ],
)
def test_an_over_long_or_undecodable_argument_is_one_short_line(argv, told, capsys):
    assert run(*argv) == 2
    line = one_line(capsys)
    assert told in line and len(line) < 1600


def test_our_own_errors_are_not_dressed_up(monkeypatch):
    monkeypatch.setitem(commands.VERBS, "report", lambda flags: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        run("report")


@pytest.mark.parametrize(
    "error, told",
    [
        (OSError(28, "No space left on device", "/d/f"), "the disk is full (/d/f)"),
        (ValueError("RESOURCE_EXHAUSTED: No space left on device"), "the disk is full"),
        (PermissionError(13, "Permission denied", "/d/f"), "may not write (/d/f)"),
    ],
)
def test_disk_trouble_is_one_line_wherever_it_comes_from(error, told, monkeypatch, capsys):
    def fail(flags):
        try:
            raise error
        except Exception as e:
            raise RuntimeError("saving failed") from e

    monkeypatch.setitem(commands.VERBS, "report", fail)
    assert run("report") == 2
    assert told in one_line(capsys)


def test_help_lists_what_there_is(capsys):
    with pytest.raises(SystemExit) as stop:
        run("--help")
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert all(verb in shown for verb in commands.VERBS)
    assert "export" not in shown


@pytest.mark.parametrize("verb", commands.VERBS)
def test_a_verbs_help_is_its_own(verb, capsys):
    with pytest.raises(SystemExit):
        run(verb, "--help")
    shown = " ".join(capsys.readouterr().out.split())
    texts = {text for (_, flag), text in flags.OWN_HELP.items() if flag == "workdir"}
    assert {text for text in texts if text in shown} <= {flags.OWN_HELP.get((verb, "workdir"))}
    if "config" in flags.FLAGS[verb]:
        for variant in (
            "calendar.py:quick `sprout`, three seeds",
            "calendar.py:long",
            "fleet.py:full",
            "crud.py:plain",
        ):
            assert variant in shown


def test_help_lists_every_variant():
    listed = set(re.findall(r"^    (\S+)  ", flags.list_configs(), re.MULTILINE))
    there = set()
    for path in (settings.SOURCE_TREE / "configs").glob("*.py"):
        named = runpy.run_path(str(path))
        there |= {f"{path.name}:{variant}" for variant in named.get("VARIANTS", named.get("PAIRS", ()))}
    assert listed == there


def test_dry_run_touches_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run("loop", "--config=configs/calendar.py:quick", "--config.loop.rounds=5", "--dry_run") == 0
    shown = capsys.readouterr().out
    assert "5 rounds" in shown
    assert json.JSONDecoder().raw_decode(shown[shown.index("\n{") + 1 :])[0]["loop"]["rounds"] == 5
    assert list(tmp_path.iterdir()) == []


def test_predict_answers_every_line_in_order(model, tmp_path):
    now = "2026-03-04T09:30:00"
    rows = [
        json.dumps({"id": "a", "query": "add lunch", "now": now}).encode(),
        b"{not json",
        b'{"id": "b", "query": "\xff\xfe"}',
        json.dumps({"id": "c", "query": "play jazz"}).encode(),
        json.dumps({"id": "d", "query": ""}).encode(),
        json.dumps({"query": "no id"}).encode(),
        json.dumps({"id": "e"}).encode(),
        json.dumps({"id": 7, "query": "add " + "x" * 100_000}).encode(),
        json.dumps({"id": "f", "query": "add tea", "now": "2026-03-04T09:30:00Z"}).encode(),
        json.dumps({"id": "g", "query": "half \ud800 pair"}).encode(),
        b"[1, 2]",
        b"",
        b'{"id": "h", "query": NaN}',
        b"[" * 100_000,
        json.dumps({"id": "i", "query": "add tea"}).encode(),
        b'{"id": 1e999, "query": "add tea"}',
        json.dumps({"id": "j", "query": "add tea", "now": "9001-01-01T00:00:00"}).encode(),
    ]
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(rows) + b"\n")
    assert (
        run("predict", f"--input={tmp_path}/in.jsonl", f"--output={tmp_path}/out.jsonl", f"--now={now}") == 0
    )
    out = read_jsonl(tmp_path / "out.jsonl")
    assert len(out) == len(rows)
    good = {0: "a", 3: "c", 7: 7, 14: "i"}
    for index, line in enumerate(out):
        assert {"id", "calls", "missing", "outcome", "confidence"} <= line.keys()
        if index in good:
            assert line["id"] == good[index]
            assert "error" not in line
        else:
            assert line["line"] == index + 1
            assert line["outcome"] == "error"
            assert line["error"]
    assert out[0]["calls"] == [{"name": "create_event", "arguments": {"title": "lunch"}}]
    assert out[0]["missing"] == ["date"]
    assert out[3]["calls"] == [{"name": "out_of_scope", "arguments": {}}]
    assert out[8]["id"] == "f"
    assert "time zone" in out[8]["error"]
    assert (out[15]["id"], out[15]["error"]) == (None, '"id" is no finite number')
    assert out[16]["id"] == "j"
    assert "outside the years" in out[16]["error"]


def test_a_line_without_now_is_an_error_line_without_the_flag(model, tmp_path):
    (tmp_path / "in").write_text(
        '{"id": 1, "query": "add tea"}\n{"id": 2, "query": "add tea", "now": "2026-03-04"}\n'
    )
    assert run("predict", f"--input={tmp_path}/in", f"--output={tmp_path}/out") == 0
    first, second = read_jsonl(tmp_path / "out")
    assert "no --now" in first["error"]
    assert second["outcome"] == "call"


def test_long_streams_are_predicted_in_chunks(model, tmp_path):
    with open(tmp_path / "in", "w") as f:
        for i in range(2 * use.CHUNK + 3):
            f.write(json.dumps({"id": i, "query": "add tea"}) + "\n")
    assert run("predict", f"--input={tmp_path}/in", f"--output={tmp_path}/out", "--now=2026-03-04T09:30") == 0
    assert [line["id"] for line in read_jsonl(tmp_path / "out")] == list(range(2 * use.CHUNK + 3))
    assert max(model.sizes) == use.CHUNK


def test_a_full_device_is_told_without_a_promise(model, tmp_path, capsys):
    (tmp_path / "in").write_text('{"id": 1, "query": "add tea"}\n')
    assert run("predict", f"--input={tmp_path}/in", "--output=/dev/full", "--now=2026-03-04T09:30:00") == 2
    told = one_line(capsys)
    assert "the disk is full" in told and "lost" not in told


def test_an_interrupted_output_leaves_the_old_file(tmp_path):
    target = tmp_path / "out.jsonl"
    target.write_text("old\n")
    with pytest.raises(RuntimeError), lines.open_output(str(target)) as out:
        out.write("half a li")
        raise RuntimeError
    assert target.read_text() == "old\n"
    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_line_past_the_limit_is_one_error(monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 64)
    stream = io.BytesIO(b'{"id": 1}\n' + b"x" * 1000 + b'\n{"id": 2}\n' + b"y" * 65)
    read = list(lines.read_lines(stream))
    assert [(line.number, bool(line.error)) for line in read] == [
        (1, False),
        (2, True),
        (3, False),
        (4, True),
    ]


def test_extract_gives_mentions_of_every_line_and_of_the_apps_kinds(tmp_path):
    ref = "2026-03-04T09:30:00"
    texts = ["lunch friday at 3pm with ana@example.org", "nothing here", "x" * 100_000]
    rows = [{"id": i, "text": t, "ref": ref} for i, t in enumerate(texts)] + [{"id": 9, "text": "no ref"}]
    (tmp_path / "in").write_text("".join(json.dumps(r) + "\n" for r in rows))
    assert run("extract", "--domain=calendar", f"--input={tmp_path}/in", f"--output={tmp_path}/out") == 0
    out = read_jsonl(tmp_path / "out")
    kinds = [m["kind"] for m in out[0]["mentions"]]
    assert kinds
    assert "email" not in kinds
    assert out[1] == {"id": 1, "mentions": []}
    assert out[3]["line"] == 4


def test_extract_goes_on_after_any_bad_line(tmp_path):
    rows = [
        '{"id": "old", "text": "tomorrow", "ref": "0999-12-31T00:00:00"}',
        '{"id": "first", "text": "tomorrow", "ref": "1000-01-01T00:00:00"}',
        '{"id": "last", "text": "yesterday", "ref": "9000-12-31T00:00:00"}',
        '{"id": "late", "text": "tomorrow", "ref": "9001-01-01T00:00:00"}',
        '{"id": 1e999, "text": "tomorrow", "ref": "2026-03-04T00:00:00"}',
        '{"id": -1e999, "text": "tomorrow", "ref": "2026-03-04T00:00:00"}',
        '{"id": NaN, "text": "tomorrow", "ref": "2026-03-04T00:00:00"}',
        '{"id": 7.5, "text": "tomorrow", "ref": "2026-03-04T00:00:00"}',
    ]
    (tmp_path / "in").write_text("\n".join(rows) + "\n")
    assert run("extract", f"--input={tmp_path}/in", f"--output={tmp_path}/out") == 0
    out = read_jsonl(tmp_path / "out")
    assert [line["id"] for line in out] == ["old", "first", "last", "late", None, None, None, 7.5]
    assert [line.get("line") for line in out] == [1, None, None, 4, 5, 6, 7, None]
    values = [m["value"] for line in out for m in line["mentions"]]
    assert values == ["1000-01-02", "9000-12-30", "2026-03-05"]


def test_extract_and_help_load_no_jax(tmp_path):
    (tmp_path / "in").write_text('{"id": 1, "text": "friday", "ref": "2026-03-04T09:30:00"}\n')
    code = (
        "import sys; from fernjax.loop.commands import main; "
        f"assert main(['extract', '--input={tmp_path}/in', '--output={tmp_path}/out']) == 0; "
        "assert not {'jax', 'flax', 'sklearn', 'matplotlib', 'numpy'} & set(sys.modules), 'slow start'"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=ENV, timeout=60)
    assert json.loads((tmp_path / "out").read_text())["mentions"][0]["value"] == "2026-03-06"


def test_call_shows_everything(model, capsys):
    assert run("call", "add lunch on friday", "--now=2026-03-04T09:30:00", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["calls"][0]["name"] == "create_event"
    assert shown["mentions"][0]["value"] == "2026-03-06"
    assert shown["missing"] == ["date"]
    assert shown["confidence"] == 0.9
    assert len(shown["observations"]) == 1
    assert run("call", "add lunch on friday", "--now=2026-03-04T09:30:00") == 0
    shown = capsys.readouterr().out
    assert "create_event(" in shown
    assert "0.90" in shown


def test_call_shows_a_few_records_of_a_long_listing(model, monkeypatch, capsys):
    seen = Observation("found", {"records": [{"id": f"r{i}", "days": list("abcd")} for i in range(12)]})
    monkeypatch.setattr(use, "observe", lambda *_: [seen])
    argv = ("call", "add lunch", "--now=2026-03-04T09:30:00")
    assert run(*argv) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert '"r2"' in shown and '"r3"' not in shown and "... and 9 more" in shown and "... and 1 more" in shown
    assert run(*argv, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["observations"][0]["data"]["records"]) == 12


@pytest.mark.parametrize("flag", ["--input=/nowhere/x.jsonl", "--output=/nowhere/x.jsonl"])
def test_predict_loads_no_model_before_its_files_are_open(flag, monkeypatch, capsys):
    monkeypatch.setattr(use, "_load_model", lambda directory: 1 // 0)
    assert run("predict", "--input=/dev/null", flag) == 2
    assert "/nowhere/x.jsonl" in one_line(capsys)


def test_call_gives_the_same_answer_at_the_same_moment(model):
    domain = load_domain("calendar")
    prediction = Prediction((Call("list_events", {}),))
    now = "2026-03-04T09:30:00"
    assert use.observe(domain, prediction, now) == use.observe(domain, prediction, now)


def test_generate_writes_what_the_recipe_makes(tmp_path, capsys):
    assert run("generate", "--config=calendar:tiny", "--count=20", f"--output={tmp_path}/out") == 0
    rows = read_jsonl(tmp_path / "out")
    assert len(rows) == 20
    assert {"id", "now", "query", "calls", "bucket", "template", "skeleton", "seed"} <= rows[0].keys()
    assert "20 sentences" in capsys.readouterr().err


def test_generate_never_says_a_sentence_of_the_users_own_file(tmp_path):
    generate = ("generate", "--config=calendar:tiny", "--count=20")
    assert run(*generate, f"--output={tmp_path}/one") == 0
    mine = read_jsonl(tmp_path / "one")[4:7]
    workdir.write_jsonl(tmp_path / "my.jsonl", mine)
    assert run(*generate, f"--config.real_path={tmp_path}/my.jsonl", f"--output={tmp_path}/two") == 0
    two = read_jsonl(tmp_path / "two")
    assert len(two) == 20
    assert not {line["query"] for line in mine} & {line["query"] for line in two}


def test_generate_told_in_advance_touches_nothing(tmp_path, capsys):
    argv = ("generate", "--config=calendar:tiny", "--count=7", f"--output={tmp_path}/out", "--dry_run")
    assert run(*argv) == 0
    shown = capsys.readouterr().out
    assert "7 sentences of domain calendar" in shown
    assert f"{tmp_path}/out" in shown
    assert list(tmp_path.iterdir()) == []


def test_report_takes_the_config_that_made_the_run_and_no_other(tmp_path, capsys):
    workdir.open_workdir(tmp_path, settings.load_config("calendar:tiny", {})).close()
    before = sorted(p.name for p in tmp_path.iterdir())
    argv = ("report", "--config=calendar:tiny", f"--workdir={tmp_path}", "--dry_run")
    assert run(*argv) == 0
    assert "report.html" in capsys.readouterr().out
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    assert run(*argv, "--config.loop.rounds=7") == 2
    assert "was made with config.loop.rounds=1, not 7" in one_line(capsys)


def test_a_workdirs_own_config_takes_no_overrides(tmp_path, capsys):
    workdir.open_workdir(tmp_path, settings.load_config("calendar:tiny", {})).close()
    assert run("loop", f"--workdir={tmp_path}", "--config.loop.rounds=7") == 2
    assert "overrides need --config" in one_line(capsys)


@pytest.mark.parametrize(
    "verb, exit_code, told",
    [("loop", 0, b"resumes"), ("extract", 1, b"run the same command again"), ("predict", 1, b"again")],
)
def test_sigterm_ends_with_0_only_where_the_same_command_resumes(verb, exit_code, told):
    code = (
        "import time\nfrom fernjax.loop import commands\n"
        "def wait(flags):\n    print('ready', flush=True)\n    time.sleep(60)\n"
        f"commands.VERBS['{verb}'] = wait\nraise SystemExit(commands.main(['{verb}']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert process.returncode == exit_code
    assert told in err
    assert err.count(b"\n") == 1


def test_moments():
    assert lines.moment("2026-03-04", "now") == "2026-03-04T00:00:00"
    for wrong in ("", "soon", None, 7, "2026-13-01", "2026-03-04T09:30:00+01:00"):
        with pytest.raises(lines.BadLine):
            lines.moment(wrong, "now")


def test_no_model_is_named(tmp_path):
    workdir.open_workdir(tmp_path, settings.load_config("calendar:tiny", {})).close()
    with pytest.raises(UserError, match="no trained model yet"):
        use._load_model(str(tmp_path))
