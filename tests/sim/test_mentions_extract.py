"""The extractor on the Duckling rows: shares that must be reached, negatives that must stay empty.

The rows write ranges with exclusive ends, one grain past; mentions include both dates of a range and say
the end of a clock range as it was said (`end_last`). Rows of a time carry the next such moment. A weekend
starts on friday evening in the rows, on saturday here.
"""

from __future__ import annotations

import datetime
import json
import pathlib
from typing import Any

import pytest

from fernjax.sim.mentions import TIME_KINDS, extract
from fernjax.sim.types import Mention

DATA = pathlib.Path(__file__).parents[1] / "data" / "extract"
DAY = datetime.timedelta(days=1)
NOW = "2013-02-12T04:30:00"
NO_TIME = ("number", "ordinal")
FLAGS = ("holiday", "quirk", "tz_in_text")


def read_rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def parse(value: str | None) -> datetime.datetime | None:
    return None if value is None else datetime.datetime.fromisoformat(value)


def next_moment(clock: str | None, ref: datetime.datetime) -> datetime.datetime | None:
    """Next moment from ref on that has a clock time; None for None."""
    if clock is None:
        return None
    moment = datetime.datetime.combine(ref.date(), datetime.time.fromisoformat(clock))
    return moment if moment >= ref else moment + DAY


def mention_bounds(mention: Mention, ref: datetime.datetime) -> tuple[Any, Any]:
    start, end = mention.value["start"], mention.value["end"]
    if mention.kind == "date_range":
        last = parse(end)
        return parse(start), None if last is None else last + DAY
    if mention.kind == "datetime_range":
        return parse(start), parse(end)
    first = next_moment(start, ref)
    return first, next_moment(end, first or ref)


def period_end(start: datetime.datetime, grain: str) -> datetime.datetime:
    if grain == "week":
        return start + 7 * DAY
    months = {"month": 1, "quarter": 3, "year": 12}[grain]
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return start.replace(year=year, month=month + 1)


def point_right(row: dict[str, Any], mention: Mention) -> bool:
    if mention.kind != row["kind"]:
        return False
    if row["kind"] == "date":
        return mention.value == row["value"]
    want = parse(row["value"])
    if row["kind"] == "datetime":
        return parse(mention.value) == want
    return ":" in mention.value and next_moment(mention.value, parse(row["ref"])) == want


def range_right(row: dict[str, Any], mention: Mention) -> bool:
    if mention.kind not in ("date_range", "time_range", "datetime_range"):
        return False
    ref = datetime.datetime.fromisoformat(row["ref"])
    start, end = mention_bounds(mention, ref)
    if row["kind"] == "period":
        first = datetime.datetime.fromisoformat(row["value"])
        return (start, end) == (first, period_end(first, row["grain"]))
    want_start, want_end = parse(row["value"]["start"]), parse(row["value"]["end"])
    ends = {want_end} if mention.kind == "date_range" else {want_end, parse(row.get("end_last"))}
    if mention.form == "weekend":
        return start == datetime.datetime.combine((want_start + DAY).date(), datetime.time()) and end in ends
    from_now = want_start == ref and start in (None, datetime.datetime.combine(ref.date(), datetime.time()))
    return (start == want_start or from_now) and end in ends


def is_plain(row: dict[str, Any], *flags: str) -> bool:
    return not any(row.get(f) for f in flags or FLAGS) and "a.d." not in row["text"]


def share_right(rows: list[dict[str, Any]], right: Any) -> float:
    count = 0
    for row in rows:
        mentions = [
            m
            for m in extract(row["text"], row["ref"], TIME_KINDS)
            if m.kind not in NO_TIME and m.kind != "duration"
        ]
        count += len(mentions) == 1 and right(row, mentions[0])
    return count / len(rows)


def test_dates_and_times():
    rows = [r for r in read_rows("time") if r["kind"] in ("date", "time", "datetime") and is_plain(r)]
    assert len(rows) == 163
    assert share_right(rows, point_right) >= 0.94


def test_ranges():
    points = ("date", "time", "datetime")
    rows = [r for r in read_rows("time") if r["kind"] not in points and is_plain(r)]
    assert len(rows) == 142
    assert share_right(rows, range_right) >= 0.89


def test_durations():
    for row in read_rows("duration"):
        (mention,) = extract(row["text"], NOW, TIME_KINDS)
        assert (mention.kind, mention.value) == ("duration", {"seconds": row["seconds"]}), row["text"]
        assert row["text"][mention.start : mention.end] == row["text"]


@pytest.mark.parametrize("name", ["time_negative", "duration_negative"])
def test_negatives(name: str):
    for row in read_rows(name):
        assert [m for m in extract(row["text"], NOW, TIME_KINDS) if m.kind not in NO_TIME] == [], row["text"]


def test_printed_holidays():
    """US and UK holidays of the rows; the calendars of other faiths and countries are not claimed."""
    printed = (
        "Thanksgiving Day",
        "Christmas",
        "New Year's Eve",
        "New Year's Day",
        "Valentine's Day",
        "Boss's Day",
    )
    printed += ("Martin Luther King's Day", "Easter Sunday", "Shrove Tuesday")
    rows = [r for r in read_rows("time") if r.get("holiday") in printed and is_plain(r, "quirk")]
    rows = [r for r in rows if r["kind"] == "date" and "closest" not in r["text"]]
    assert len(rows) > 20
    assert share_right(rows, point_right) == 1.0
