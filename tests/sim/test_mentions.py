"""Mentions of hand-written sentences, and what holds of every text."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fernjax.sim.mentions import FORMS, TIME_KINDS, extract
from fernjax.sim.mentions.lexicon import MONTHS, PARTS, UNITS, WEEKDAYS
from fernjax.sim.tools import PARTS_OF_DAY, RECURRENCES
from fernjax.sim.types import UserError

NOW = "2026-03-04T09:30:00"  # A Wednesday.


def find(text: str, now: str = NOW) -> list[tuple[str, str, object]]:
    return [(m.kind, text[m.start : m.end], m.value) for m in extract(text, now, TIME_KINDS)]


def pair(start: str | None, end: str | None) -> dict[str, str | None]:
    return {"start": start, "end": end}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call mum on friday", [("date", "friday", "2026-03-06")]),
        ("what's on tomorrow's list", [("date", "tomorrow", "2026-03-05")]),
        ("the 5th", [("date", "5th", "2026-03-05")]),
        ("pay rent on the 3rd", [("date", "3rd", "2026-04-03")]),
        ("friday the 13th", [("date", "friday the 13th", "2026-03-13")]),
        ("party on may 9, 2027", [("date", "may 9, 2027", "2027-05-09")]),
        ("the fifth of november", [("date", "fifth of november", "2026-11-05")]),
        ("due 2026-07-01", [("date", "2026-07-01", "2026-07-01")]),
        ("a week from friday", [("date", "a week from friday", "2026-03-13")]),
        ("the day after christmas", [("date", "day after christmas", "2026-12-26")]),
        ("how does my day look", [("date", "my day", "2026-03-04")]),
        ("by friday", [("date", "friday", "2026-03-06")]),
        ("see you wensday", [("date", "wensday", "2026-03-11")]),
        ("tomorow", [("date", "tomorow", "2026-03-05")]),
    ],
)
def test_dates(text, expected):
    assert find(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wake me at 6:45 am", [("time", "6:45 am", "06:45")]),
        ("at half past two", [("time", "half past two", "14:30")]),
        ("quarter to six", [("time", "quarter to six", "17:45")]),
        ("at seven thirty pm", [("time", "seven thirty pm", "19:30")]),
        ("around 8ish", [("time", "8ish", "08:00")]),
        ("5 o'clock", [("time", "5 o'clock", "17:00")]),
        ("at 0500 hrs", [("time", "0500 hrs", "05:00")]),
        ("noon", [("time", "noon", "12:00")]),
        ("in the evening", [("time", "evening", "evening")]),
        ("3 in the afternoon", [("time", "3 in the afternoon", "15:00")]),
        ("3p", [("time", "3p", "15:00")]),
    ],
)
def test_times(text, expected):
    assert find(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("friday at 3pm", [("datetime", "friday at 3pm", "2026-03-06T15:00")]),
        ("3pm on friday", [("datetime", "3pm on friday", "2026-03-06T15:00")]),
        ("tonight at 8", [("datetime", "tonight at 8", "2026-03-04T20:00")]),
        ("9 tomorrow evening", [("datetime", "9 tomorrow evening", "2026-03-05T21:00")]),
        ("in half an hour", [("datetime", "in half an hour", "2026-03-04T10:00")]),
        ("at 2026-03-05T15:00:00", [("datetime", "2026-03-05T15:00:00", "2026-03-05T15:00")]),
        ("friday lunch at 3", [("date", "friday", "2026-03-06"), ("time", "3", "15:00")]),
        ("friday to 3pm", [("date", "friday", "2026-03-06"), ("time", "3pm", "15:00")]),
        ("move it from 3pm to friday", [("time", "3pm", "15:00"), ("date", "friday", "2026-03-06")]),
    ],
)
def test_datetimes(text, expected):
    assert find(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from 3 to 4pm", [("time_range", "3 to 4pm", pair("15:00", "16:00"))]),
        ("11 to 1pm", [("time_range", "11 to 1pm", pair("11:00", "13:00"))]),
        ("between eight ten", [("time_range", "eight ten", pair("08:00", "10:00"))]),
        ("3pm-4pm", [("time_range", "3pm-4pm", pair("15:00", "16:00"))]),
        ("after 3", [("time_range", "after 3", pair("15:00", None))]),
        ("before noon", [("time_range", "before noon", pair(None, "12:00"))]),
        ("from noon onwards", [("time_range", "from noon onwards", pair("12:00", None))]),
        ("next week", [("date_range", "next week", pair("2026-03-09", "2026-03-15"))]),
        ("this weekend", [("date_range", "this weekend", pair("2026-03-07", "2026-03-08"))]),
        ("rest of the week", [("date_range", "rest of the week", pair("2026-03-04", "2026-03-08"))]),
        ("in april", [("date_range", "april", pair("2026-04-01", "2026-04-30"))]),
        ("monday to wednesday", [("date_range", "monday to wednesday", pair("2026-03-09", "2026-03-11"))]),
        ("until friday", [("date_range", "until friday", pair(None, "2026-03-06"))]),
        (
            "tomorrow evening",
            [("datetime_range", "tomorrow evening", pair("2026-03-05T18:00", "2026-03-06T00:00"))],
        ),
        (
            "from friday at 3 to monday at 4",
            [("datetime_range", "friday at 3 to monday at 4", pair("2026-03-06T15:00", "2026-03-09T16:00"))],
        ),
        (
            "before noon tomorrow",
            [("datetime_range", "before noon tomorrow", pair(None, "2026-03-05T12:00"))],
        ),
    ],
)
def test_ranges(text, expected):
    assert find(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for an hour and a half", [("duration", "an hour and a half", {"seconds": 5400})]),
        ("90 min", [("duration", "90 min", {"seconds": 5400})]),
        ("1h30", [("duration", "1h30", {"seconds": 5400})]),
        ("one hour before the talk", [("duration", "one hour", {"seconds": 3600})]),
        ("every day", [("recurrence", "every day", "daily")]),
        ("every monday", [("recurrence", "every", "weekly"), ("date", "monday", "2026-03-09")]),
        (
            "every other thursday",
            [("recurrence", "every other", "biweekly"), ("date", "thursday", "2026-03-05")],
        ),
        ("each morning", [("recurrence", "each", "daily"), ("time", "morning", "morning")]),
        ("on tuesdays", [("recurrence", "tuesdays", "weekly")]),
        ("on weekdays", [("recurrence", "weekdays", "weekdays")]),
        ("once a month", [("recurrence", "once a month", "monthly")]),
        ("annually", [("recurrence", "annually", "yearly")]),
        ("twenty two apples", [("number", "twenty two", 22)]),
        ("1,200.5 grams", [("number", "1,200.5", 1200.5)]),
        ("the third song", [("ordinal", "third", 3)]),
    ],
)
def test_lengths_and_counts(text, expected):
    assert find(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "may i come in",
        "march forward",
        "second that",
        "i sat in the sun",
        "wait a minute",
        "ops-142 runs v2.1 on A4",
        "this is the one",
        "twice a week",
        "good morning",
        "",
        "   ",
    ],
)
def test_words_that_are_no_mentions(text):
    assert find(text) == []


@pytest.mark.parametrize(
    "text", ["divide 9 by 3", "volume at 4", "table for two", "pick a number from 1 to 6"]
)
def test_counts_are_no_hours(text):
    assert {kind for kind, _, _ in find(text)} == {"number"}


def test_ambiguity_is_kept():
    by_text = {
        "at 3": ("15:00", ("03:00",)),
        "at 9": ("09:00", ("21:00",)),
        "at 12": ("12:00", ("00:00",)),
        "next friday": ("2026-03-13", ("2026-03-06",)),
        "march 3": ("2027-03-03", ("2026-03-03",)),
        "5/6": ("2026-05-06", ("2026-06-05",)),
        "tonight at 8": ("2026-03-04T20:00", ()),
    }
    for text, expected in by_text.items():
        (mention,) = extract(text, NOW)
        assert (mention.value, mention.alternatives) == expected, text


def test_parts_of_the_day_are_named():
    assert extract("tonight", NOW)[0].part == "evening"
    assert extract("tomorrow morning", NOW)[0].part == "morning"
    assert extract("friday at 3pm", NOW)[0].part == ""


def test_a_weekday_after_an_earlier_date():
    assert find("it was april 11, now the saturday after")[-1][2] == "2026-04-18"


def test_kinds_filter():
    text = "3 people on friday for an hour"
    assert [m.kind for m in extract(text, NOW)] == ["number", "date", "duration"]
    assert [m.kind for m in extract(text, NOW, frozenset({"date"}))] == ["date"]


@pytest.mark.parametrize("now", ["yesterday", "2026-03-04T09:30:00+01:00", "0001-01-01T00:00:00", ""])
def test_a_bad_now_is_the_users_mistake(now):
    with pytest.raises(UserError, match="now"):
        extract("tomorrow", now)


VOCABULARY = (
    sorted(WEEKDAYS)[:8] + sorted(MONTHS)[:8] + sorted(UNITS) + sorted(PARTS)[:8]
    + """today tomorrow tonight next last this every other at on in from to until between and after
    before by of the a an half quarter past noon midnight 3 15 30 2026 9:30 3pm 3/5 2026-03-05 1st
    twenty two three hundred o'clock am pm weekend now ago hence rest end beginning christmas
    easter new year 's eve day closest . , - / : ' ish h m minus first second may march sat sun
    once daily weekdays through since within for week 31st 29 feb 99999999999 0 000""".split()
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(VOCABULARY), max_size=14),
    st.sampled_from([" ", ""]),
    st.sampled_from([NOW, "2024-02-29T23:59:59", "2026-12-31T00:00:00"]),
)
def test_any_words_give_sound_mentions(words, blank, now):
    check_sound(blank.join(words), now)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_sound_mentions(text):
    check_sound(text, NOW)


def check_sound(text: str, now: str) -> None:
    mentions = extract(text, now)
    assert mentions == extract(text, now)
    last = 0
    for m in mentions:
        assert last <= m.start < m.end <= len(text)
        last = m.end
        assert m.form in FORMS
        assert m.part in ("", *PARTS_OF_DAY)
        assert m.value not in m.alternatives
        if m.kind == "recurrence":
            assert m.value in RECURRENCES
        if m.kind == "date_range" and None not in m.value.values():
            assert m.value["start"] <= m.value["end"], text
        if m.kind == "datetime_range" and None not in m.value.values():
            assert m.value["start"] < m.value["end"], text


HOSTILE = (
    "next week monday to ",
    "room 7 to 8 30 on 1 on ",
    "quiz night at 7 in the evening ",
    "from 3 to ",
    "monday after ",
    "1,000,",
    "3:15:",
    "1-",
    "between 1 and 2 and ",
    "and ",
    "twenty one hundred and ",
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_in_length(unit):
    """Four times the text takes at most eight times as long (a quadratic reader: sixteen), best of three; in
    seconds of this process, so that a busy machine changes nothing."""

    def measure_s(repeats: int) -> float:
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            extract(unit * repeats, NOW, TIME_KINDS)
            best = min(best, time.process_time() - start)
        return best

    measure_s(100)
    assert measure_s(4000) < 8 * measure_s(1000) + 0.02


def test_offsets_survive_letters_that_grow_in_lower_case():
    text = "İİ meet İ on friday"
    (mention,) = extract(text, NOW)
    assert text[mention.start : mention.end] == "friday"


def test_order_of_calls_changes_nothing():
    texts = ["easter", "tomorrow at 3", "on the 5th", "next weekend"]
    alone = {t: extract(t, NOW) for t in texts}
    for _ in range(3):
        random.Random(1).shuffle(texts)
        assert all(extract(t, NOW) == alone[t] for t in texts)


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "for the next hour and a half",
            ("datetime_range", {"start": "2026-03-04T09:30", "end": "2026-03-04T11:00"}),
        ),
        ("wake me at four hundred am", ("time", "04:00")),
        ("at fifteen hundred hours", ("time", "15:00")),
        ("pay the rent at the end of the month", ("date", "2026-03-31")),
        ("at the end of next month", ("date", "2026-04-30")),
        ("the end of the month", ("date_range", {"start": "2026-03-21", "end": "2026-03-31"})),
        ("since the first of the month", ("date_range", {"start": "2026-03-01", "end": None})),
        ("saturdays and sundays", ("recurrence", "weekends")),
        ("every saturday and sunday", ("recurrence", "weekends")),
        ("mondays through fridays", ("recurrence", "weekdays")),
        ("every monday to friday", ("recurrence", "weekdays")),
        ("an alarm monday through friday", ("recurrence", "weekdays")),
        (
            "what do i have monday through friday",
            ("date_range", {"start": "2026-03-09", "end": "2026-03-13"}),
        ),
        ("mondays and tuesdays", ("recurrence", "weekly")),
    ],
)
def test_stretches_and_edges_as_people_say_them(text, expected):
    found = extract(text, "2026-03-04T09:30:00")
    assert (found[0].kind, found[0].value) == expected


def test_a_counted_part_is_no_time():
    kinds = {m.kind for m in extract("up by one third", "2026-03-04T09:30:00", TIME_KINDS)}
    assert kinds.isdisjoint({"time", "time_range"})


def test_no_time_at_all_ends_no_earlier_than_it_begins():
    (found,) = extract("within 0 days", "2026-03-04T09:30:00", TIME_KINDS)
    assert found.value == {"start": "2026-03-04", "end": "2026-03-04"}
