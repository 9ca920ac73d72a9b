"""Arithmetic on dates: weekdays, weeks, months, seasons."""

from __future__ import annotations

import calendar
import datetime

Date = datetime.date
DAY = datetime.timedelta(days=1)


def make_date(year: int, month: int, day: int) -> Date | None:
    """A date, or None where the calendar has no such day."""
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    return Date(year, month, day)


def shift(day: Date, count: float, unit: str) -> Date | None:
    """A date moved by whole days, weeks, fortnights, months, quarters or years; None past the calendar."""
    if abs(count) > 100_000:
        return None
    days = {"day": 1, "week": 7, "fortnight": 14, "weekend": 7}.get(unit)
    if days is not None:
        ordinal = day.toordinal() + round(count * days)
        return Date.fromordinal(ordinal) if 1 <= ordinal <= Date.max.toordinal() else None
    months = round(count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit])
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        return None
    return Date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def next_weekday(after: Date, weekday: int, count: int = 1) -> Date:
    """The count-th such weekday strictly after a date."""
    return after + DAY * ((weekday - after.weekday() - 1) % 7 + 1 + 7 * (count - 1))


def previous_weekday(before: Date, weekday: int, count: int = 1) -> Date:
    """The count-th such weekday strictly before a date."""
    return before - DAY * ((before.weekday() - weekday - 1) % 7 + 1 + 7 * (count - 1))


def week_of(day: Date) -> tuple[Date, Date]:
    """Monday and Sunday of a date's week."""
    monday = day - DAY * day.weekday()
    return monday, monday + DAY * 6


def month_of(year: int, month: int) -> tuple[Date, Date]:
    """First and last day of a month."""
    return Date(year, month, 1), Date(year, month, calendar.monthrange(year, month)[1])


def unit_of(day: Date, unit: str) -> tuple[Date, Date]:
    """First and last day of the week, weekend, month, quarter or year that a date is in."""
    if unit == "week":
        return week_of(day)
    if unit == "weekend":
        monday, sunday = week_of(day)
        return sunday - DAY, sunday
    if unit == "month":
        return month_of(day.year, day.month)
    if unit == "quarter":
        first = (day.month - 1) // 3 * 3 + 1
        return Date(day.year, first, 1), month_of(day.year, first + 2)[1]
    if unit == "year":
        return Date(day.year, 1, 1), Date(day.year, 12, 31)
    return day, day


def nth_weekday(first: Date, last: Date, weekday: int, count: int) -> Date | None:
    """The count-th such weekday of a stretch, the last for -1; None where it has fewer."""
    if count > 0:
        day = next_weekday(first - DAY, weekday, count)
        return day if day <= last else None
    return previous_weekday(last + DAY, weekday, -count)


def nth_week(first: Date, last: Date, count: int) -> tuple[Date, Date] | None:
    """Monday and Sunday of the count-th week that lies wholly in a stretch, the last for -1."""
    monday = nth_weekday(first, last, 0, count)
    if count < 0 and monday is not None and monday + DAY * 6 > last:
        monday -= DAY * 7
    return None if monday is None else (monday, monday + DAY * 6)


def yearly(today: Date, month: int, day: int) -> tuple[Date | None, tuple[Date, ...]]:
    """Next such day from today on, and this year's where that has passed."""
    this = make_date(today.year, month, day)
    if this is not None and this >= today:
        return this, ()
    for year in range(today.year + 1, today.year + 9):
        found = make_date(year, month, day)
        if found is not None:
            return found, () if this is None else (this,)
    return None, ()


def monthly(today: Date, day: int) -> Date | None:
    """Next date after today whose day of the month is that."""
    start = today.year * 12 + today.month - 1
    for index in range(start, start + 13):
        year, month = divmod(index, 12)
        found = make_date(year, month + 1, day)
        if found is not None and found >= today:
            return found
    return None


def weekday_monthday(today: Date, weekday: int, day: int) -> Date | None:
    """Next date, today included, that is both that weekday and that day of the month."""
    start = today.year * 12 + today.month - 1
    for index in range(start, start + 30):
        year, month = divmod(index, 12)
        found = make_date(year, month + 1, day)
        if found is not None and found >= today and found.weekday() == weekday:
            return found
    return None


_SEASON_STARTS = ((3, 20), (6, 21), (9, 23), (12, 21))


def season(today: Date, index: int | None, count: int) -> tuple[Date, Date]:
    """Stretch of a season: of the count-th from the one under way, or of a named one (0 is spring).

    The named one is this year's or the one under way for 0, the next to begin for 1, the last over for -1.
    """
    starts = [Date(today.year + y, *md) for y in (-2, -1, 0, 1, 2) for md in _SEASON_STARTS]
    under_way = max(k for k, s in enumerate(starts) if s <= today)
    if index is None:
        at = under_way + count
    elif count < 0:
        at = max(k for k in range(under_way) if k % 4 == index)
    else:
        from_ = under_way + 1 if count > 0 else under_way
        at = min(k for k in range(from_, len(starts)) if k % 4 == index)
    return starts[at], starts[at + 1] - DAY


def moment_at(day: datetime.date, minutes: int) -> datetime.datetime:
    """The moment so many minutes after a day's beginning."""
    return datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(minutes=minutes)
