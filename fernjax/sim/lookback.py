"""Days and spans for a tool that looks back: "on monday", "in february", "since may" lie behind."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from fernjax.sim.types import Mention

_SAID_AHEAD = ("relative", "ahead", "week", "period")
"""Forms that say themselves where they lie: "tomorrow", "in two weeks", "next week"."""

_NAMED_IN_A_WEEK = ("open", "span")
"""Forms that are weekdays ("from monday to friday") where they begin within a week, else dates."""


def lying_behind(mention: Mention, today: str) -> list[Any]:
    """The values of a mention of days, those that have begun first, each as the last one of its name.

    Args:
      mention: of a kind that holds days.
      today: ISO date.
    """
    values = [mention.value, *mention.alternatives]
    begun = [v for v in values if (_first_day(v) or "") <= today]
    return begun + [_moved(v, mention.form, today) for v in values if v not in begun]


def _moved(value: Any, form: str, today: str) -> Any:
    """A value that lies ahead, as the last one of its name that has begun."""
    first = _first_day(value)
    if first is None or form in _SAID_AHEAD:
        return value
    step = _step(form, first, today)
    while first is not None and first > today:
        value = _apply(step, value)
        first = _first_day(value)
    return value


def _step(form: str, first: str, today: str) -> Callable[[str], str]:
    days = (datetime.date.fromisoformat(first) - datetime.date.fromisoformat(today)).days
    if form in ("weekday", "weekend") or (form in _NAMED_IN_A_WEEK and days <= 7):
        return _week_earlier
    return _month_earlier if form == "monthday" else _year_earlier


def _apply(step: Callable[[str], str], value: Any) -> Any:
    if isinstance(value, dict):
        return {end: _apply(step, v) if v else v for end, v in value.items()}
    return step(value[:10]) + value[10:]


def _first_day(value: Any) -> str | None:
    """The first day that a value names; None where it is of hours alone."""
    if isinstance(value, dict):
        return _first_day(value.get("start")) or _first_day(value.get("end"))
    return value[:10] if isinstance(value, str) and value[4:5] == "-" else None


def _week_earlier(day: str) -> str:
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=7)).isoformat()


def _month_earlier(day: str) -> str:
    """The day of that number in the last month before that has one."""
    date = datetime.date.fromisoformat(day)
    first = date.replace(day=1)
    while True:
        first = (first - datetime.timedelta(days=1)).replace(day=1)
        try:
            return first.replace(day=date.day).isoformat()
        except ValueError:  # no such day in this month
            continue


def _year_earlier(day: str) -> str:
    """The same day a year before; the last of February stays the last."""
    date = datetime.date.fromisoformat(day)
    if date.month == 2 and (date + datetime.timedelta(days=1)).month == 3:
        return (datetime.date(date.year - 1, 3, 1) - datetime.timedelta(days=1)).isoformat()
    return date.replace(year=date.year - 1).isoformat()
