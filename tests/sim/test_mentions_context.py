"""Words that mean a date, a time or a length only where their neighbours say so."""

from __future__ import annotations

import pytest

from fernjax.sim.mentions import TIME_KINDS, extract

NOW = "2026-03-04T09:30:00"  # A Wednesday.


def find(text: str, now: str = NOW) -> list[tuple[str, str, object]]:
    return [(m.kind, text[m.start : m.end], m.value) for m in extract(text, now, TIME_KINDS)]


def pair(start: str | None, end: str | None) -> dict[str, str | None]:
    return {"start": start, "end": end}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("quiz night saturday at 8", [("datetime", "saturday at 8", "2026-03-07T08:00")]),
        ("board game night at 11 am", [("time", "11 am", "11:00")]),
        ("pizza night on december 12", [("date", "december 12", "2026-12-12")]),
        ("movie night tomorrow", [("date", "tomorrow", "2026-03-05")]),
        ("movie-night tomorrow", [("date", "tomorrow", "2026-03-05")]),
        ("saturday night at 8", [("datetime", "saturday night at 8", "2026-03-07T20:00")]),
        ("every night at 9", [("recurrence", "every", "daily"), ("time", "night at 9", "21:00")]),
        ("the parents evening on friday", [("date", "friday", "2026-03-06")]),
        ("sunday's morning coffee", [("date", "sunday", "2026-03-08")]),
        ("1:30pm afternoon tea", [("time", "1:30pm", "13:30")]),
        ("the midday morning coffee", [("time", "midday", "12:00"), ("time", "morning", "morning")]),
    ],
)
def test_a_part_of_the_day_is_no_kind_of_event(text, expected):
    assert find(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("next week sunday", ("date", "next week sunday", "2026-03-15")),
        ("next week on thursday at 3", ("datetime", "next week on thursday at 3", "2026-03-12T15:00")),
        ("next week, on thursday", ("date", "next week, on thursday", "2026-03-12")),
        ("this week friday", ("date", "this week friday", "2026-03-06")),
        ("last week friday", ("date", "last week friday", "2026-02-27")),
        ("week after next on monday", ("date", "week after next on monday", "2026-03-16")),
        ("next month on the 5th", ("date", "next month on the 5th", "2026-04-05")),
        (
            "next week thursday to friday",
            ("date_range", "next week thursday to friday", pair("2026-03-12", "2026-03-13")),
        ),
        ("every monday beginning next week tuesday", ("date", "next week tuesday", "2026-03-10")),
        ("daily beginning november 2nd", ("date", "november 2nd", "2026-11-02")),
    ],
)
def test_a_day_of_a_week_or_month(text, expected):
    assert find(text)[-1] == expected


@pytest.mark.parametrize("words", ["this coming weekend", "coming weekend", "upcoming weekend"])
def test_the_coming_weekend_is_the_nearest(words):
    assert find(f"{words} please") == [("date_range", words, pair("2026-03-07", "2026-03-08"))]


def test_the_coming_weekend_said_in_one():
    saturday = "2026-03-07T09:00:00"
    this, following = pair("2026-03-07", "2026-03-08"), pair("2026-03-14", "2026-03-15")
    (mention,) = extract("this coming weekend", saturday)
    assert (mention.value, mention.alternatives) == (this, (following,))
    assert find("the upcoming weekend", saturday)[0][2] == following
    assert find("next weekend")[0][2] == following


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("book it for mon", "2026-03-09"),
        ("lunch on sat", "2026-03-07"),
        ("send it by wed", "2026-03-11"),
        ("away from tues", "2026-03-10"),
        ("gym next sun", "2026-03-15"),
        ("call this thu", "2026-03-05"),
        ("move it to wed instead", "2026-03-11"),
        ("move wed's ladies night", "2026-03-11"),
        ("delete my touch base sat", "2026-03-07"),
        ("the press call is 9 may location", "2026-05-09"),
        ("a week from sunday's wedding", "2026-03-15"),
        ("2/3's meeting", "2027-02-03"),
        ("4/25's trip", "2026-04-25"),
        ("on 7/31 of the climbing crew", "2026-07-31"),
    ],
)
def test_short_names_of_days(text, value):
    assert [(kind, found) for kind, _, found in find(text)] == [("date", value)]


@pytest.mark.parametrize(
    ("text", "start"),
    [("plans for june", 6), ("what's in may", 5), ("meetings for march", 3), ("trips during april", 4)],
)
def test_names_of_months(text, start):
    ((kind, words, value),) = find(text)
    assert (kind, words, value["start"]) == ("date_range", text.split()[-1], f"2026-0{start}-01")


@pytest.mark.parametrize(
    "text",
    [
        "out in the sun", "he sat down", "the cat sat on it", "lots of sun", "for may i come", "march on",
        "call june", "a present for june", "for april's birthday", "annual leave", "one on one",
        "take me to one!",
    ],
)  # fmt: skip
def test_other_meanings_of_the_same_words(text):
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("my seven thirty call", "seven thirty", "07:30"),
        ("the eight fifteen meeting", "eight fifteen", "08:15"),
        ("six oh seven first aid training", "six oh seven", "18:07"),
        ("nine thirty standup", "nine thirty", "09:30"),
        ("my nine forty five dentist", "nine forty five", "09:45"),
        ("the seven twenty train", "seven twenty", "07:20"),
        ("my 7 30 call", "7 30", "07:30"),
        ("move it to nine", "nine", "09:00"),
        ("push it to 4.", "4", "16:00"),
        ("move it to 5 instead", "5", "17:00"),
        ("meet at two!", "two", "14:00"),
        ("free from 5", "5", "17:00"),
        ("moving to 9 at night", "9 at night", "21:00"),
        ("the 2:30 pm christmas party", "2:30 pm", "14:30"),
    ],
)
def test_hours_without_am_or_pm(text, words, value):
    assert find(text)[0] == ("time", words, value)


@pytest.mark.parametrize(
    "text",
    [
        "three twenty", "two hundred people", "three fifty dollars", "count to ten", "set the volume to 5",
        "change the guest count to 5", "move it to 5 people", "five a side", "at five a side", "1 on 1",
        "2 player game", "24 7", "24/7", "7 eleven", "run to 7 eleven", "at 12 oak street", "a 1:1 call",
        "there are 5 to 10 people", "meet at building 7", "at table 4",
    ],
)  # fmt: skip
def test_numbers_that_are_no_hours(text):
    assert {kind for kind, _, _ in find(text)} <= {"number"}


@pytest.mark.parametrize(
    "noun",
    """room building gate court floor terminal suite hall apartment unit table platform studio class grade
    level page chapter route highway bus flight version number""".split(),
)
def test_a_number_that_names_a_room_is_no_hour(noun):
    assert find(f"{noun} 7 tomorrow at six") == [
        ("number", "7", 7),
        ("datetime", "tomorrow at six", "2026-03-05T18:00"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("till 9 o'clock in the morning", ("time_range", pair(None, "09:00"))),
        ("wed till 9 o'clock in the morning", ("datetime_range", pair(None, "2026-03-11T09:00"))),
        ("before 8 in the evening", ("time_range", pair(None, "20:00"))),
        ("after 7 at night", ("time_range", pair("19:00", None))),
        ("friday after 7 at night", ("datetime_range", pair("2026-03-06T19:00", None))),
        ("from noon to 6:15 in the evening", ("time_range", pair("12:00", "18:15"))),
        ("quarter to seven in the morning to 9 at night", ("time_range", pair("06:45", "21:00"))),
        ("9 to 1 at night", ("time_range", pair("21:00", "01:00"))),
        ("6 to 8 tomorrow evening", ("datetime_range", pair("2026-03-05T18:00", "2026-03-05T20:00"))),
        ("tomorrow 3 oclock-4 pm", ("datetime_range", pair("2026-03-05T15:00", "2026-03-05T16:00"))),
        ("eight forty seven to nine forty seven", ("time_range", pair("08:47", "09:47"))),
        ("between seven seventeen and eight forty seven", ("time_range", pair("07:17", "08:47"))),
        ("from april 21 to 23", ("date_range", pair("2026-04-21", "2026-04-23"))),
    ],
)
def test_a_range_is_one_mention(text, expected):
    ((kind, _, value),) = find(text)
    assert (kind, value) == expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("put in an hour and a half the festival", 5400),
        ("fit in an hour", 3600),
        ("slot in two hours for work", 7200),
        ("have in an hour", 3600),
        ("can i slot in in one hour", 3600),
        ("the meeting should last three hours total", 10800),
        ("to last 10 min", 600),
        ("will it last two hours", 7200),
        ("an upcoming 30 mins pilates class", 1800),
        ("an hour and a half to spare", 5400),
    ],
)
def test_lengths_beside_other_words(text, seconds):
    assert [(kind, value) for kind, _, value in find(text)] == [("duration", {"seconds": seconds})]


@pytest.mark.parametrize("text", ["last two days", "in the last two days", "what happened last two days"])
def test_last_is_the_past(text):
    assert find(text) == [("date_range", "last two days", pair("2026-03-02", "2026-03-03"))]


@pytest.mark.parametrize("text", ["remind me in an hour", "what do i have in an hour", "put it in an hour"])
def test_in_an_hour_is_a_moment(text):
    assert find(text) == [("datetime", "in an hour", "2026-03-04T10:30")]


@pytest.mark.parametrize("text", ["from july 8 to this friday", "from january 18th to saturday"])
def test_a_move_to_an_earlier_day_is_no_range(text):
    assert [kind for kind, _, _ in find(text)] == ["date", "date"]
