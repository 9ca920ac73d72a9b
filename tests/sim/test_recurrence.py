"""Days of what repeats, against a naive reference that walks day by day."""

import calendar
import datetime

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from fernjax.sim.recurrence import iso_date, next_occurrence, occurrences, occurs, ordinal
from fernjax.sim.tools import RECURRENCES

DAYS = st.dates(datetime.date(2019, 1, 1), datetime.date(2032, 12, 31))


def takes_place(first: datetime.date, recurrence: str, day: datetime.date) -> bool:
    last = calendar.monthrange(day.year, day.month)[1]
    return (
        day >= first
        and {
            "": day == first,
            "daily": True,
            "weekdays": day.weekday() < 5,
            "weekends": day.weekday() >= 5,
            "weekly": day.weekday() == first.weekday(),
            "biweekly": (day - first).days % 14 == 0,
            "monthly": day.day == min(first.day, last),
            "yearly": day.month == first.month and day.day == min(first.day, last),
        }[recurrence]
    )


@settings(max_examples=400, deadline=None)
@given(DAYS, st.sampled_from(("", *RECURRENCES)), st.integers(-800, 1200), st.integers(0, 500))
def test_expansion_matches_the_reference(first, recurrence, offset, length):
    start = first + datetime.timedelta(days=offset)
    days = [start + datetime.timedelta(days=i) for i in range(length + 1)]
    expected = [d.toordinal() for d in days if takes_place(first, recurrence, d)]
    assert occurrences(first.toordinal(), recurrence, start.toordinal(), days[-1].toordinal()) == expected


def days_of(first, recurrence, start, end):
    found = occurrences(ordinal(first), recurrence, ordinal(start), ordinal(end))
    return [iso_date(d) for d in found]


def test_short_months_take_their_last_day():
    assert days_of("2027-12-31", "monthly", "2028-01-01", "2028-04-30") == [
        "2028-01-31",
        "2028-02-29",
        "2028-03-31",
        "2028-04-30",
    ]


def test_a_leap_day_falls_on_the_28th_in_common_years():
    assert days_of("2024-02-29", "yearly", "2025-01-01", "2028-12-31") == [
        "2025-02-28",
        "2026-02-28",
        "2027-02-28",
        "2028-02-29",
    ]


@pytest.mark.parametrize(
    "text", ["2026-02-30", "2026-2-3", "20260203", "", "0899-12-31", "9101-01-01", "２026-02-03"]
)
def test_what_is_no_date_has_no_ordinal(text):
    assert ordinal(text) is None


def test_a_single_day_that_has_passed_does_not_come_again():
    assert next_occurrence(10, "", 11) is None and occurs(10, "", 10)
