import datetime
import random

import pytest

from fernjax.sim import when
from fernjax.sim.mentions import extract
from fernjax.sim.resolve import kinds_of, resolve
from fernjax.sim.when import lengths
from fernjax.sim.when.clocks import clock_words, duration_words
from fernjax.sim.when.words import ordinal, spell, spell_ordinal
from fernjax.sim.world import load_domain

NOW = datetime.datetime(2026, 3, 4, 9, 30)  # a Wednesday
MOMENTS = [NOW, datetime.datetime(2024, 2, 29, 8, 0), datetime.datetime(2027, 12, 31, 21, 47)]


def said(phrase: when.Phrase) -> dict[str, list]:
    return {name: values for _, part in phrase for name, values in part.items()}


def draws(make, count: int = 300) -> list:
    return [make(random.Random(seed)) for seed in range(count)]


@pytest.mark.parametrize("now", MOMENTS)
def test_days_lie_ahead_for_what_is_written(now):
    for phrase in draws(lambda rng: when.say_date(rng, now, "date", reads=False)):
        for value in said(phrase)["date"]:
            assert datetime.date.fromisoformat(value) >= now.date()


@pytest.mark.parametrize("now", MOMENTS)
def test_spans_end_no_earlier_than_they_begin(now):
    for phrase in draws(lambda rng: when.say_span(rng, now, "date", "end_date")):
        values = said(phrase)
        for start in values["date"]:
            assert start <= values["end_date"][0]


def test_a_bare_hour_means_both_halves_of_the_day():
    for words, values in draws(lambda rng: clock_words(rng, 15, 0)):
        plain = words.lower().replace(".", "").replace(" ", "")
        settled = "pm" in plain or "afternoon" in plain or "15" in plain
        assert values == (["15:00"] if settled else ["15:00", "03:00"]), words


def test_noon_and_midnight():
    assert {"noon", "midday"} & {words for words, _ in draws(lambda rng: clock_words(rng, 12, 0))}
    assert {(w, tuple(v)) for w, v in draws(lambda rng: clock_words(rng, 0, 0))} == {("midnight", ("00:00",))}


def test_an_open_time_says_one_end():
    for phrase in draws(lambda rng: when.say_open_time(rng, "start_time", "end_time")):
        (name,) = said(phrase)
        words = phrase[-1][0]
        assert (name == "end_time") == words.split()[0].startswith(("before", "until", "till", "by")), words


def test_time_spans_go_forward_where_both_ends_are_marked():
    for phrase in draws(lambda rng: when.say_time_span(rng, "start_time", "end_time")):
        values = said(phrase)
        assert values["start_time"][0] < values["end_time"][0]


def test_a_named_weekday_repeats_from_its_next_day_on():
    for phrase in draws(lambda rng: when.say_recurrence(rng, NOW, "recurrence", "date")):
        values = said(phrase)
        for day in values.get("date", [])[:1]:
            assert phrase[-1][0] == when.words.WEEKDAYS[datetime.date.fromisoformat(day).weekday()]
            assert 0 < (datetime.date.fromisoformat(day) - NOW.date()).days <= 7


def test_numbers_in_words():
    assert [spell(n) for n in (0, 7, 13, 20, 42, 99)] == [
        "zero", "seven", "thirteen", "twenty", "forty two", "ninety nine",
    ]  # fmt: skip
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 30)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "30th",
    ]  # fmt: skip
    assert [spell_ordinal(n) for n in (1, 12, 20, 21, 30, 31)] == [
        "first", "twelfth", "twentieth", "twenty first", "thirtieth", "thirty first",
    ]  # fmt: skip


@pytest.mark.parametrize("minutes", [15, 30, 60, 90, 120, 150])
def test_a_length_is_read_back(minutes):
    from fernjax.sim.mentions import extract

    for seed in range(30):
        words = duration_words(random.Random(seed), minutes)
        found = [m.value for m in extract(f"make it {words}", NOW.isoformat()) if m.kind == "duration"]
        assert found == [{"seconds": minutes * 60}], words


def test_alarms_ring_at_night_as_well():
    rng = random.Random(1)
    hours = {int(v[:2]) for _ in range(2000) for v in when.say_time(rng, "t", early=True)[-1][1]["t"][:1]}
    days = {int(v[:2]) for _ in range(2000) for v in when.say_time(rng, "t")[-1][1]["t"][:1]}
    assert {0, 1, 4, 5} <= hours and not days & {0, 1, 2, 3, 4, 5}


def test_a_clock_time_of_today_may_be_said_as_a_delay():
    rng = random.Random(1)
    for now in (datetime.datetime(2026, 3, 4, 9, 30), datetime.datetime(2026, 3, 4, 23, 50)):
        iso = now.isoformat(timespec="seconds")
        for _ in range(100):
            words, said = lengths.say_time_ahead(rng, now, "time")[-1]
            assert words.startswith("in ") or words.endswith("from now")
            found = extract(words, iso)
            assert [m.value[11:16] for m in found] == said["time"] and said["time"][0] > iso[11:16]


def test_what_ends_at_a_part_of_the_day_is_read_back():
    chat = load_domain("chat")
    tool = chat.tool("set_status")
    for phrase in draws(lambda rng: when.say_end_part(rng, "until"), 40):
        words, values = phrase[-1]
        found = extract(f"until {words}", NOW.isoformat(), kinds_of(chat.tools))
        assert resolve(found[0], tool.argument("until"), tool, NOW.isoformat(), found)[0] in values["until"]
