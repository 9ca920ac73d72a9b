import json
import pathlib

import pytest

from fernjax.sim import domains, real
from fernjax.sim.text import NearCopies, half
from fernjax.sim.tools import parse_tools
from fernjax.sim.types import UserError
from fernjax.sim.world import load_domain

DOMAINS = pathlib.Path(domains.__file__).parent
APPS = sorted({p.stem for p in DOMAINS.glob("real/*/*/*.jsonl")})
SETS = [(h, k) for h in real.HALVES for k in real.KINDS]
NOW = "2026-03-04T09:30:00"

TOOLS = load_domain("calendar").tools


def row(**fields):
    line = {"query": "move gym to friday", "now": NOW, "calls": [{"update_event": {"event": ["gym"]}}]}
    return {k: v for k, v in (line | fields).items() if v is not None}


def load(tmp_path, *lines, **options):
    path = tmp_path / "own.jsonl"
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text + "\n", encoding="utf-8")
    return real.load_rows(path, TOOLS, **options)


def test_the_calendar_has_real_sentences():
    assert "calendar" in APPS
    assert all(len(real.load_real("calendar", h, k)) > 10 for h, k in SETS)


@pytest.mark.parametrize("app", APPS)
def test_shipped_labels_fit_the_tools(app):
    tools = load_domain(app).tools
    wrong = dict.fromkeys(SETS, 0)
    for half_kind in SETS:
        for r in real.load_real(app, *half_kind):
            try:
                for label in r.labels:
                    real.check_label(label, tools)
            except ValueError:
                wrong[half_kind] += 1  # counts alone: nothing of `final` is shown
    assert not any(wrong.values()), wrong


@pytest.mark.parametrize("app", APPS)
def test_shipped_halves_are_those_of_the_digest(app):
    misplaced = {(h, k): sum(half(r.query.text) != h for r in real.load_real(app, h, k)) for h, k in SETS}
    assert not any(misplaced.values()), misplaced


@pytest.mark.parametrize("app", APPS)
def test_halves_share_no_id(app):
    ids = [r.query.id for h, k in SETS for r in real.load_real(app, h, k)]
    assert len(ids) - len(set(ids)) == 0


def test_real_texts_hold_every_half():
    texts = real.real_texts(["calendar"])
    assert len(texts) == sum(len(real.load_real("calendar", h, k)) for h, k in SETS)
    index = NearCopies(texts)
    found = [index.match(r.query.text) is not None for h, k in SETS for r in real.load_real("calendar", h, k)]
    assert all(found), "a real sentence is not found in its own index"


def test_an_app_without_a_set_has_no_rows():
    assert real.load_real("no_such_app", "gate", "public") == []
    with pytest.raises(ValueError, match="dev"):
        real.load_real("calendar", "dev", "public")


def test_own_rows(tmp_path):
    alternative = [{"delete_event": {"event": ["gym"]}}]
    rows = load(
        tmp_path, row(id="a", tags=["messy"], calls_alt=alternative), "", row(query="the dentist moves")
    )
    assert [r.query.id for r in rows] == ["a", "line-3"]
    assert rows[0].labels == [[{"update_event": {"event": ["gym"]}}], alternative]
    assert rows[0].tags == ("messy",) and rows[0].query.now == NOW
    split = real.split_rows(rows)
    assert sorted(r.query.id for part in split.values() for r in part) == ["a", "line-3"]
    assert all(half(r.query.text) == h for h, part in split.items() for r in part)


def test_own_rows_may_share_one_now(tmp_path):
    assert load(tmp_path, row(now=None), now=NOW)[0].query.now == NOW
    with pytest.raises(UserError, match="line 1: now must say"):
        load(tmp_path, row(now=None))


def calls(arguments, tool="create_event"):
    return row(calls=[{tool: arguments}])


@pytest.mark.parametrize(
    "line, message",
    [
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: give"),
        (row(query=None), "line 2: no query"),
        (row(calls=None), "line 2: no calls"),
        (row(query=" "), "line 2: query must be a sentence"),
        (row(now="tomorrow"), "line 2: now must say"),
        (row(now="2026-03-04T09:30:00+01:00"), "line 2: now must say"),
        (row(now="0001-01-01T00:00:00"), "in the years 1000 to 9000"),
        (row(now="9999-12-31T23:59:59"), "in the years 1000 to 9000"),
        ("[" * 100_000, "line 2: nested too deeply"),
        ('{"query": "\\ud800", "calls": []}', "line 2: a text holds half of a surrogate pair"),
        (row(id="\ud800"), "line 2: a text holds half of a surrogate pair"),
        (row(tags=["\udfff"]), "line 2: a text holds half of a surrogate pair"),
        (row(source="\ud800"), "line 2: a text holds half of a surrogate pair"),
        (row(calls=[{"update_event": {"event": ["\ud800"]}}]), "line 2: a text holds half of a surrogate"),
        ('{"id": NaN}', "line 2: not JSON (NaN is no JSON value)"),
        (
            '{"query": "x", "calls": [{"create_event": {"duration_minutes": [1e400]}}]}',
            "line 2: a number is too",
        ),
        ('{"id": %s}' % ("9" * 5000), "line 2: a number has more than 300 digits; give it as a text"),
        (row(tags="messy"), "line 2: tags must be"),
        (row(id=["x"]), "line 2: id must be"),
        (row(id=True), "line 2: id must be"),
        (row(calls=[]), "line 2: calls must be a list"),
        (row(calls=[{}]), "line 2: a call must be one"),
        (row(calls=[{"fly": {}}]), "line 2: no tool 'fly'; there are: create_event"),
        (row(calls_alt=[{"fly": {}}]), "line 2: no tool 'fly'"),
        (row(calls=[{"out_of_scope": {}}, {"clear_events": {}}]), "line 2: out_of_scope stands alone"),
        (row(calls=[{"clear_events": {}}] * 7), "line 2: 7 calls"),
        (calls({"colour": ["red"]}), "line 2: create_event has no argument 'colour'; it has: title"),
        (calls({"x": ["y"]}, "out_of_scope"), "line 2: out_of_scope has no argument 'x'; it has: none"),
        (calls([]), "line 2: create_event must map to"),
        (calls({"title": "gym"}), "line 2: create_event.title must be a list of values"),
        (calls({"title": []}), "line 2: create_event.title must be a list of values"),
        (calls({"title": [""]}), 'line 2: create_event.title holds "" alone'),
        (calls({"title": [3]}), "line 2: create_event.title must be text, not 3"),
        (calls({"title": ["?!"]}), "line 2: create_event.title holds no word"),
        (calls({"date": ["friday"]}), "line 2: create_event.date must be a date YYYY-MM-DD"),
        (calls({"date": ["2026-02-30"]}), "must be a date"),
        (calls({"start_time": ["25:00"]}), "must be HH:MM or one of morning"),
        (calls({"start_time": ["noon"]}), "must be HH:MM or one of morning"),
        (calls({"duration_minutes": ["30"]}), "must be a number"),
        (calls({"duration_minutes": [True]}), "must be a number"),
        (calls({"duration_minutes": [-5]}), "must be 1 to 527040 minutes, not -5"),
        (calls({"duration_minutes": [5.5]}), "must be a whole number of minutes, not 5.5"),
        (calls({"attendees": ["ana"]}), "must be a list of texts, not ana (each value of a list argument is"),
        (calls({"recurrence": ["hourly"]}), "must be one of daily"),
    ],
)
def test_mistakes_name_their_line(tmp_path, line, message):
    with pytest.raises(UserError) as e:
        load(tmp_path, row(id="first"), line)
    assert message in str(e.value) and "\n" not in str(e.value)


def test_a_fraction_of_what_is_counted_in_whole_numbers_is_refused(tmp_path):
    tools = parse_tools(
        [{"function": {"name": "seat", "parameters": {"properties": {"guests": {"type": "integer"}}}}}]
    )
    real.check_label([{"seat": {"guests": [5, 5.0]}}], tools)
    with pytest.raises(ValueError, match=r"seat.guests must be a whole number, not 5.5"):
        real.check_label([{"seat": {"guests": [5.5]}}], tools)


DELETE = [{"delete_event": {"event": ["gym"]}}]


@pytest.mark.parametrize(
    "fields",
    [
        {"query": "The  GYM, move it", "calls": DELETE},
        {"query": "move it (gym)", "now": "2026-03-05T09:30:00", "calls": DELETE},
        {"query": "gym move it", "calls": [{"update_event": {"event": ["gym"], "new_date": ["2026-03-06"]}}]},
    ],
)
def test_one_sentence_with_two_labels_is_refused_by_both_lines(fields, tmp_path):
    first = row(query=fields["query"].lower(), calls=[{"update_event": {"event": ["the gym"]}}])
    with pytest.raises(
        UserError, match="line 3: the sentence of line 1 again, .* no answer is right by both"
    ):
        load(tmp_path, first, row(), row(**fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"calls": [{"update_event": {"event": ["The gym"]}}]},
        {
            "calls": DELETE,
            "calls_alt": [{"update_event": {"event": ["it", "gym"], "new_date": ["2026-03-06", ""]}}],
        },
        {"now": "2026-03-05T09:30:00", "calls": [{"update_event": {"new_date": ["2026-03-07"]}}]},
    ],
)
def test_one_sentence_may_stand_twice_where_an_answer_is_right_by_both(fields, tmp_path):
    assert len(load(tmp_path, row(), row(**fields))) == 2


def test_other_mistakes_in_the_file(tmp_path):
    with pytest.raises(UserError, match="line 2: id 'a' is that of line 1 too"):
        load(tmp_path, row(id="a"), row(id="a"))
    with pytest.raises(UserError, match="holds no sentence"):
        load(tmp_path, "")
    with pytest.raises(UserError, match="cannot read the real sentences in .*No such file"):
        real.load_rows(tmp_path / "absent.jsonl", TOOLS)
    (tmp_path / "latin.jsonl").write_bytes(b'{"query": "caf\xe9"}\n')
    with pytest.raises(UserError, match="line 1: not UTF-8"):
        real.load_rows(tmp_path / "latin.jsonl", TOOLS)


def test_a_byte_order_mark_is_passed_over(tmp_path):
    path = tmp_path / "marked.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(row(id="a")).encode() + b"\n")
    assert [r.query.id for r in real.load_rows(path, TOOLS)] == ["a"]
    assert len(real.read_queries(path)) == 1
