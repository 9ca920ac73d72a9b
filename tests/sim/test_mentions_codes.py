import time

import hypothesis
import pytest
from hypothesis import strategies as st

from fernjax.sim.mentions import extract

NOW = "2026-03-04T09:30:00"
DATES = frozenset(
    "date time datetime date_range time_range datetime_range duration recurrence number".split()
)
ORDERS = DATES | {"id"}


def find(text, kinds=ORDERS):
    return [(m.kind, text[m.start : m.end], m.value) for m in extract(text, NOW, kinds)]


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("track A-5521", "A-5521", "A-5521"),
        ("cancel order 7745-B please", "7745-B", "7745-B"),
        ("where is b12-99?", "b12-99", "B12-99"),
        ("order #A17", "#A17", "A17"),
        ("order A17 never came", "A17", "A17"),
        ("parcel 552-c is late", "552-c", "552-C"),
        ("it's (7745-B)", "7745-B", "7745-B"),
        ("1Z999AA10123456784", "1Z999AA10123456784", "1Z999AA10123456784"),
        ("4k7q22 didn't come", "4k7q22", "4K7Q22"),
        ("AB-123-C", "AB-123-C", "AB-123-C"),
        ("order number 00123", "00123", "00123"),
        ("order 112-3345901-223", "112-3345901-223", "112-3345901-223"),
    ],
)
@pytest.mark.parametrize("kinds", [ORDERS, ORDERS | {"money"}, frozenset({"id", "number"})])
def test_codes_of_letters_and_digits(text, words, value, kinds):
    assert find(text, kinds) == [("id", words, value)]


@pytest.mark.parametrize(
    "text",
    ["room B12-99", "seat 12A", "gate B12", "at 10-12pm", "9am-5pm", "2h30", "12h30m", "10k-20k",
     "5km-10km", "2026-03-04", "order 2026-03-04", "2026-Q1", "$500-a", "500-a-month", "100-ft", "401k",
     "a 5-a-side game",
     "1080p", "24x7", "f-150", "3rd", "the 747-b", "order a4 paper", "buy b12 vitamins", "x1.example.com",
     "a1-b2", "mp3", "covid-19", "3-d glasses", "12-b main street", "may-5-2026", "order 10-12"],
)  # fmt: skip
def test_what_is_no_code(text):
    assert [k for k, _, _ in find(text, ORDERS | {"money"}) if k == "id"] == []


def test_a_code_steals_nothing_beside_it():
    assert find("move A-5521 to friday at 3pm") == [
        ("id", "A-5521", "A-5521"),
        ("datetime", "friday at 3pm", "2026-03-06T15:00"),
    ]
    assert find("track 7745-B and OPS-12") == [("id", "7745-B", "7745-B"), ("id", "OPS-12", "OPS-12")]
    assert find("tip $4 on #b17", ORDERS | {"money"})[1] == ("id", "#b17", "B17")
    assert find("#b17", ORDERS | {"channel"})[0][0] == "channel"


@hypothesis.given(st.text("ab19-# ,.$", max_size=60))
def test_any_text_is_read(text):
    for m in extract(text, NOW, ORDERS):
        assert 0 <= m.start < m.end <= len(text)


@pytest.mark.parametrize("unit", ["a1-", "1a", "a-1 ", "#a1", "order a1 ", "00-", "1-a-"])
def test_the_time_is_linear(unit):
    def cost(size):
        text = unit * (size // len(unit))
        return min(_timed(text) for _ in range(3))

    assert cost(40_000) < 4 * cost(20_000) + 0.05


def _timed(text):
    begin = time.process_time()
    extract(text, NOW, ORDERS)
    return time.process_time() - begin
