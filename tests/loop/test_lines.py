"""Streams and lines as they come: closed, in another encoding, links, ids and moments at the edge."""

import io
import json
import os
import random
import stat
import subprocess
import sys

import pytest

from fernjax.loop import commands, lines, settings, use
from fernjax.model.predictor import ERROR
from fernjax.sim.mentions import FIRST_YEAR, LAST_YEAR
from fernjax.sim.types import UserError
from fernjax.sim.world import domain_names, load_domain

ENV = os.environ | {"PYTHONPATH": str(settings.SOURCE_TREE)}
LINE = {"id": "é", "text": "lunch friday", "ref": "2026-03-04T09:30:00"}


@pytest.mark.parametrize("digits", [400, 4000, 5000])
def test_a_huge_id_is_a_bad_line_and_the_rest_go_on(digits, tmp_path):
    huge = json.dumps(LINE).replace('"\\u00e9"', "9" * digits)
    assert "9" * digits in huge
    (tmp_path / "in").write_text(f"{huge}\n{json.dumps(LINE)}\n")
    assert commands.main(["extract", f"--input={tmp_path}/in", f"--output={tmp_path}/out"]) == 0
    first, second = map(json.loads, (tmp_path / "out").read_text().splitlines())
    assert first["id"] is None and "digits" in first["error"]
    assert second["id"] == LINE["id"] and second["mentions"]


@pytest.mark.parametrize(
    "value, told",
    [
        ("[" * 5000 + "]" * 5000, "nested too deeply"),
        ("9" * 5000, "more than 300 digits"),
        ("-Infinity", "no JSON"),
    ],
)
def test_a_line_that_python_cannot_hold_is_told_in_plain_words(value, told, tmp_path):
    (tmp_path / "in").write_text(f'{{"id": 1, "x": {value}}}\n')
    assert commands.main(["extract", f"--input={tmp_path}/in", f"--output={tmp_path}/out"]) == 0
    assert told in json.loads((tmp_path / "out").read_text())["error"]


def test_an_input_that_cannot_be_read_on_is_one_line(capsys):
    assert commands.main(["extract", "--input=/proc/self/mem"]) == 2
    assert "cannot read line 1: Input/output error; check --input" in capsys.readouterr().err


@pytest.mark.parametrize("key", [-(10**18), 10**300, 1.5, "x"])
def test_ids_that_every_reader_can_hold_pass(key):
    assert lines.id_of({"id": key}) == key


@pytest.mark.parametrize(
    "name, opened, told",
    [("stdin", lines.open_input, "--input=FILE"), ("stdout", lines.open_output, "--output=FILE")],
)
def test_a_closed_stream_is_one_line(name, opened, told, monkeypatch):
    monkeypatch.setattr(sys, name, None)
    with pytest.raises(UserError, match=told), opened("-"):
        pass


def test_standard_output_is_utf8_whatever_the_locale_says():
    done = subprocess.run(
        [sys.executable, "-m", "fernjax", "extract"],
        input=json.dumps(LINE).encode() + b"\n",
        env=ENV | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8"))["id"] == "é"


def test_output_on_a_link_writes_what_it_points_at(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "out"
    link.symlink_to("there/real")
    for text in ("one", "two"):  # where the link points at nothing, and where it points at a file
        with lines.open_output(str(link)) as out:
            out.write(text)
        assert link.is_symlink()
        assert (tmp_path / "there/real").read_text() == text


def test_output_keeps_the_mode_of_what_it_replaces_and_takes_any_legal_name(tmp_path):
    out, longest = tmp_path / "out", tmp_path / ("x" * 250)
    out.write_text("old")
    out.chmod(0o600)
    for path in (out, longest):
        with lines.open_output(str(path)) as stream:
            stream.write("é\n")
        assert path.read_bytes() == b"\xc3\xa9\n"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(longest.stat().st_mode) == 0o666 & ~umask
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", longest.name]


def test_an_error_outcome_says_why():
    class Reader:
        def predict(self, queries):
            return [ERROR] * len(queries)

    query = {"id": 1, "query": "add " * 2000, "now": "2026-03-04T09:30:00"}
    stream = io.BytesIO(json.dumps(query).encode() + b"\n")
    (answer,) = use._answer(Reader(), list(lines.read_lines(stream)), None)
    assert (answer["id"], answer["line"], answer["outcome"]) == (1, 1, "error")
    assert "too long" in answer["error"]


@pytest.mark.parametrize("year", [FIRST_YEAR, LAST_YEAR])
def test_every_app_has_a_state_at_every_moment_that_a_command_takes(year):
    now = lines.moment(f"{year}-01-01" if year == FIRST_YEAR else f"{year}-12-31T23:59:59", "now")
    for name in domain_names():
        assert load_domain(name).initial_state(random.Random(0), now) is not None


@pytest.mark.parametrize("count", ["0", "100000000000"])
def test_a_count_that_cannot_be_meant_is_refused(count, capsys):
    assert commands.main(["generate", f"--count={count}", "--dry_run"]) == 2
    assert f"--count={count}: give at " in capsys.readouterr().err
