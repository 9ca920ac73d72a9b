"""What holds of every text, whatever kinds are asked: sound mentions, linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fernjax.sim.mentions import FORMS, KINDS, TIME_KINDS, extract

NOW = "2026-03-04T09:30:00"
DATES = frozenset({"date", "datetime", "date_range", "datetime_range", "ordinal"})
WALLET = DATES | {"money", "number"}
TRACKER = DATES | {"id"}
SETS = (
    None,
    WALLET,
    TRACKER,
    TIME_KINDS,
    frozenset({"phone", "email"}),
    frozenset({"channel", "handle", "time"}),
)

VOCABULARY = """two fifty 2 50 7 30 5 10 142 1,200.50 1.200,50 99,90 $ € £ % # @ @ana #ops ops web OPS-142
    ticket bug number dash hash channel design review dot at example org com gmail underscore + ( )
    - . , ' dollars bucks cents quid grand k million half a an quarter and to between percent
    degrees c f celsius minus point one forty two oh double triple hundred thousand dozen usd EUR 's
    tomorrow friday 3pm am at for in of the first 3rd us dollar fiver 555 0100 5550100 nine ninety p
    rs le . .5 -5 ¢ ° ℃ dash""".split()


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.sampled_from(VOCABULARY), max_size=14),
    st.sampled_from([" ", ""]),
    st.one_of(st.sampled_from(SETS), st.frozensets(st.sampled_from(sorted(KINDS)))),
)
def test_any_words_give_sound_mentions(words, blank, kinds):
    check_sound(blank.join(words), kinds)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.sampled_from(SETS))
def test_any_text_gives_sound_mentions(text, kinds):
    check_sound(text, kinds)


def check_sound(text: str, kinds: frozenset[str] | None) -> None:
    mentions = extract(text, NOW, kinds)
    assert mentions == extract(text, NOW, kinds)
    last = 0
    for m in mentions:
        assert last <= m.start < m.end <= len(text)
        last = m.end
        assert m.kind in (KINDS if kinds is None else kinds)
        assert m.form in FORMS
        assert m.value not in m.alternatives
        numbers = [m.value] if m.kind in ("percent", "number") else []
        numbers += [m.value["amount"]] if m.kind == "money" else []
        numbers += [m.value["degrees"]] if m.kind == "temperature" else []
        assert not any(isinstance(n, float) and n == int(n) for n in numbers), text
        if m.kind == "id":
            assert m.value == m.value.upper() and any(c.isdigit() for c in m.value)
        if m.kind == "email":
            assert m.value.count("@") == 1 and "." in m.value.partition("@")[2]
        if m.kind == "phone":
            assert 7 <= sum(c.isdigit() for c in m.value) <= 15
        if m.kind in ("channel", "handle"):
            assert m.value and m.value[0] not in "#@"


def test_the_calendars_kinds_see_no_other_kind():
    """Each sentence gives a calendar what it gave before other kinds were known."""
    assert extract("pay $5 to @ana by friday", NOW, TIME_KINDS) == [
        m for m in extract("pay $5 to @ana by friday", NOW, TIME_KINDS | {"channel"}) if m.kind in TIME_KINDS
    ]
    assert [m.kind for m in extract("pay $5 to @ana by friday", NOW, TIME_KINDS)] == ["number", "date"]


LEVELS = frozenset({"percent", "temperature", "number"})
HOME = LEVELS | DATES | {"time", "time_range"}


@pytest.mark.parametrize(
    "text, kinds, expected",
    [
        ("set the lights to three quarters", LEVELS, ("percent", "three quarters", 75)),
        ("set the lights to three quarters", HOME, ("percent", "three quarters", 75)),
        ("dim it to a third please", LEVELS, ("percent", "a third", 33)),
        ("two thirds open", LEVELS, ("percent", "two thirds", 67)),
        ("down to half", LEVELS, ("percent", "half", 50)),
        ("turn it up by one third", HOME, ("percent", "one third", 33)),
        ("lights down to seven", HOME | {"duration"}, ("number", "seven", 7)),
        ("move it to seven", HOME | {"duration"}, ("time", "seven", "07:00")),
        ("lights down to seven am", HOME, ("time", "seven am", "07:00")),
        ("bring the lights off up to seven", LEVELS, ("number", "seven", 7)),
        ("close booking 4417", TRACKER, ("id", "4417", "4417")),
        ("cancel my booking 265123", TRACKER, ("id", "265123", "265123")),
    ],
)
def test_shares_levels_and_numbers_of_things(text, kinds, expected):
    assert [(m.kind, text[m.start : m.end], m.value) for m in extract(text, NOW, kinds)] == [expected]


@pytest.mark.parametrize(
    "text", ["half of the lights", "the third light", "three quarters of an hour", "an hour and a half"]
)
def test_parts_of_other_things_are_no_percents(text):
    assert not [m for m in extract(text, NOW, LEVELS) if m.kind == "percent"]


HOSTILE = (
    "@@@@", "dot dot dot at at ", "1.1.1.1", "$$$$", "##", "one one one ", "a@b.", "a dot b at c dot ",
    "5 5 5 ", "channel design review ", "ops 12 and ", "$5 to ", "two fifty ", "+1(",
    "half a ", "#a-", "f e dash 9 ", "3:15:", "1-", "monday through friday ", "three quarters ",
    "saturdays and ", "four hundred ",
)  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_in_length(unit):
    """Four times the text takes at most eight times as long (a quadratic reader: sixteen), best of three."""

    def measure_s(size: int, kinds: frozenset[str] | None) -> float:
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            extract(unit * (size // len(unit)), NOW, kinds)
            best = min(best, time.process_time() - start)
        return best

    for kinds in (None, TRACKER):
        measure_s(500, kinds)
        assert measure_s(12_000, kinds) < 8 * measure_s(3_000, kinds) + 0.02
