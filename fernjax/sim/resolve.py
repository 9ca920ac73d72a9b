"""From a mention to an argument's value: one table per argument type, no code per app."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from fernjax.sim.copied import kinds_of_words
from fernjax.sim.lookback import lying_behind
from fernjax.sim.mentions.lexicon import PARTS
from fernjax.sim.tools import LENGTHS, Argument, Tool, split_name
from fernjax.sim.types import Mention
from fernjax.sim.when.moments import DAY_BEGINS, DAY_ENDS, PART_HOURS

INSTANTS = frozenset({"date", "datetime", "date_range", "datetime_range"})
CLOCKS = frozenset({"time", "datetime", "time_range", "datetime_range"})

FROM_NOW = frozenset({"datetime", "datetime_range"})
"""Kinds that a length counted from now may be ("in ten minutes", "the next hour")."""

TAKES: dict[str, frozenset[str]] = {
    "date": INSTANTS | {"ordinal"},
    "end_date": INSTANTS | {"ordinal"},
    "time": CLOCKS | {"number"},
    "end_time": CLOCKS | {"number"},
    "datetime": INSTANTS | CLOCKS,
    "end_datetime": INSTANTS | CLOCKS,
    "minutes": frozenset({"duration"}),
    "seconds": frozenset({"duration"}) | FROM_NOW,
    **{unit: frozenset({"duration", "number"}) for unit in LENGTHS if unit not in ("minutes", "seconds")},
    "delay": frozenset({"duration"}) | FROM_NOW,
    "recurrence": frozenset({"recurrence"}),
    "number": frozenset({"number", "ordinal"}),
    "percent": frozenset({"percent", "number"}),
    "degrees": frozenset({"temperature", "number"}),
    "unit": frozenset({"temperature"}),
    "amount": frozenset({"money", "number"}),
    "currency": frozenset({"money"}),
    "email": frozenset({"email"}),
    "phone": frozenset({"phone"}),
    "id": frozenset({"id", "number"}),
}
"""The kinds of mention that can fill each structured type of argument."""

LIKELY: dict[str, frozenset[str]] = {
    **TAKES,
    "date": INSTANTS,
    "end_date": INSTANTS,
    "time": CLOCKS,
    "end_time": CLOCKS,
    **{unit: frozenset({"duration"}) for unit in LENGTHS},
    "seconds": TAKES["seconds"],
}
"""The kinds that fill it without a look at the sentence: a bare number may be an hour, and mostly is not."""

PART: dict[str, str] = {"amount": "amount", "currency": "currency", "degrees": "degrees", "unit": "unit"}
"""The part of a mention's value, where that is an object, that each of these types takes."""

LOOK_BACK_DAYS = 14
"""A look-up of a month and day may mean a day as far back as this."""


def takes(argument: Argument, tool: Tool) -> frozenset[str]:
    """The kinds of mention that can fill an argument of a tool; none where it is a free text or a choice.

    A length may be said from now ("the next two hours"), one in minutes as a bare number ("snooze for 10"),
    where the tool has no moment to take such words for itself. A number may be said as an id: "issue 42".
    """
    kinds = TAKES.get(argument.type, frozenset())
    if argument.type in LENGTHS and argument.type != "seconds" and not tool.has_moment:
        kinds |= FROM_NOW | {"number"}
    if LENGTHS.get(argument.type, 0) >= DAY_S:
        kinds |= {"date_range"}
    if argument.type == "number" and argument.whole and _NUMBERED & set(split_name(argument.name)):
        kinds |= {"id"}
    return kinds


DAY_S = LENGTHS["days"]

_NUMBERED = frozenset({"number", "id", "no"})
"""Words of the names of whole numbers that say which one of many is meant."""


def likely(argument: Argument, tool: Tool) -> frozenset[str]:
    """Those of `takes` that fill an argument without a look at the sentence."""
    return LIKELY[argument.type] | (takes(argument, tool) & (FROM_NOW | {"id"}))


def kinds_of(tools: Sequence[Tool]) -> frozenset[str]:
    """The kinds of mention that an app's arguments are filled from: all that the model is shown.

    A channel is a free text: its words are copied, and no mention hides them.
    """
    structured = (takes(a, tool) for tool in tools for a in tool.arguments)
    return frozenset().union(*structured, *(kinds_of_words(tool) for tool in tools))


def kinds_to_show(tools: Sequence[Tool]) -> frozenset[str]:
    """`kinds_of`, and the kinds of the app's free texts: all that a user may want to see of a sentence."""
    channels = any(a.type == "channel" for tool in tools for a in tool.arguments)
    return kinds_of(tools) | ({"channel"} if channels else frozenset())


def resolve(
    mention: Mention,
    argument: Argument,
    tool: Tool,
    now: str,
    mentions: Sequence[Mention] = (),
    shared: bool = False,
) -> list[Any]:
    """Values that `mention` gives `argument`, the best first; [] where it does not fit.

    Args:
      mention: the words that the argument is filled from.
      argument: what is to be filled.
      tool: the tool it belongs to; one that only reads may look back, the others go forward.
      now: when the sentence was said, ISO 8601.
      mentions: all mentions of the sentence: the hour that has no am or pm follows the part of the day
        that another one names.
      shared: the old and the new argument of one call take this same mention ("from 3 to 4").
    """
    if mention.kind not in takes(argument, tool):
        return []
    if mention.kind == "number" and argument.type in ("time", "end_time"):
        return _hours(mention.value)
    if mention.kind == "ordinal" and argument.type in ("date", "end_date"):
        return _month_days(mention.value, now)
    if argument.type in ("date", "end_date"):
        return _dates(mention, argument, tool, now, shared)
    if argument.type in ("time", "end_time"):
        return _times(mention, argument, tool, mentions, shared)
    if argument.type in ("datetime", "end_datetime"):
        return _moments(mention, argument, tool, now, mentions, shared)
    if argument.type == "delay" or argument.type in LENGTHS:
        if mention.kind == "number":
            return [mention.value] if _is_count(mention.value, argument) else []
        return _lengths(mention, argument, now)
    values = [mention.value, *mention.alternatives]
    if mention.kind == "id" and argument.type == "number":
        return [int(v) for v in values if str(v).isdecimal()]
    if argument.type == "id":
        values = [str(v) for v in values]
    if argument.type in PART:
        values = [v.get(PART[argument.type]) if isinstance(v, dict) else v for v in values]
    return _unique(values)


def in_order(
    argument: Argument, mentions: Sequence[Mention], fitting: Sequence[int], taken: Sequence[Mention]
) -> list[int]:
    """Fitting mentions by index, the likeliest first, where the sentence alone does not say which is meant.

    A currency and a unit come with their number, so from a mention that the call has taken; an amount or an
    id that is said as such goes before a bare number. Else in the order of the sentence.
    """

    def rank(index: int) -> tuple[bool, bool]:
        parted = argument.type in ("currency", "unit") and mentions[index] not in taken
        return parted, argument.type in _BARE_LAST and mentions[index].kind == "number"

    return sorted(fitting, key=rank)


_BARE_LAST = frozenset({"amount", "degrees", "percent", "id"})


def is_counterpart(argument: Argument, other: Argument) -> bool:
    """Whether one of two arguments of a call holds the old value of what the other holds the new one of."""
    family = argument.type.removeprefix("end_")
    return argument.new != other.new and other.type.removeprefix("end_") == family


def is_part_of_day(mention: Mention) -> bool:
    """Whether a range is a part of a day ("tomorrow evening") and not hours that were said."""
    if not mention.part or mention.kind != "datetime_range":
        return False
    return (_clock(mention.value["start"]), _clock(mention.value["end"])) in _PART_SPANS


def _dates(mention: Mention, argument: Argument, tool: Tool, now: str, shared: bool) -> list[str]:
    today = now[:10]
    last = argument.type == "end_date" or (shared and argument.new)
    out: list[str] = []
    back = tool.looks_back
    values = lying_behind(mention, today) if back else [mention.value, *mention.alternatives]
    for value in values:
        if isinstance(value, dict):
            start, end = _day(value.get("start")), _last_day(value.get("end"), value.get("start"))
            if mention.form == "open" and mention.kind == "datetime_range" and start == today and not last:
                out.append(end or start or "")  # "by friday noon": the day that it ends on
                continue
            if last:
                if end is not None and (end != start or mention.kind == "date_range" or shared):
                    if back and mention.form == "period" and _day_before(today) == end:
                        out.append(today)  # "the last 30 days" reach until now
                    out.append(end)
            else:
                if not back and start is not None and start < today <= (end or start):
                    out.append(today)  # "this week" begins today, the whole week is second
                out.append(start if start is not None else end or "")
        else:
            out.append(_day(value) or "")
    if not tool.reads and not back:
        out.sort(key=lambda d: d < today)  # stable: what lies ahead first
    elif not back and mention.kind in ("date", "datetime"):
        out.sort(key=lambda d: not _near(d, today))
    return _unique(out)


def _times(
    mention: Mention, argument: Argument, tool: Tool, mentions: Sequence[Mention], shared: bool
) -> list[str]:
    last = argument.type == "end_time" or (shared and argument.new)
    begins = any(a.type == "time" for a in tool.arguments)
    alone = argument.type == "time"
    clocks: list[str] = []
    for value in (mention.value, *mention.alternatives):
        if isinstance(value, dict):
            start, end = _clock(value.get("start")), _clock(value.get("end"))
            if is_part_of_day(mention):
                start = end = None  # "tomorrow evening" names the part of the day, not its hours
            if last:
                chosen = end
            else:
                chosen = (
                    start if start is not None else (end if alone and value.get("start") is None else None)
                )
            if chosen is not None:
                clocks.append(chosen)
        else:
            clock = _clock(value)
            if clock is not None:
                clocks.append(clock)
    if mention.part and not clocks and not (last and begins):  # "until tonight": a part of the day as well
        clocks.append(mention.part)
    if mention.part and clocks and clocks[0] != mention.part and not last:
        clocks.sort(key=lambda c: not _within(c, mention.part))
    elif not mention.part:
        part = _other_part(mention, mentions)
        if part:
            clocks.sort(key=lambda c: not _within(c, part))
    return _unique(clocks)


def _moments(
    mention: Mention, argument: Argument, tool: Tool, now: str, mentions: Sequence[Mention], shared: bool
) -> list[str]:
    """Day and time in one, `2026-03-06T15:00`: a day alone begins at 00:00 and ends at 23:59, a time alone is
    the next such one, or the last one where the tool looks back, and a part of a day begins where it does."""
    last = argument.type == "end_datetime" or (shared and argument.new)
    out: list[str] = []
    for value in _said_moments(mention, tool, now):
        chosen = value
        if is_part_of_day(mention) and isinstance(value, dict):
            out.append(f"{_day(value['start'])}T{PART_HOURS[mention.part][last]}")
            continue
        if isinstance(value, dict):
            first, end = value.get("start"), value.get("end")
            chosen = end if last else first
            if last and end is not None and mention.kind == "date_range" and "T" not in end:
                chosen = f"{end}T{DAY_ENDS}"
            elif not last and first is None and mention.kind.startswith("date"):
                chosen = end  # "by friday noon"
        if chosen is None:
            continue
        if mention.kind.startswith("time"):
            hours = PART_HOURS.get(str(chosen))
            clock = str(chosen) if hours is None else hours[last]
            out += _at_clock(clock, now, tool.looks_back)
        else:
            out.append(chosen[:16] if "T" in chosen else f"{chosen}T{DAY_ENDS if last else DAY_BEGINS}")
    if mention.kind.startswith("time"):
        out.sort(key=lambda m: m[:10] != now[:10])  # stable: this day first
        if (part := mention.part or _other_part(mention, mentions)) in _HOURS:
            out.sort(key=lambda m: not _within(m[11:], part))
    elif not tool.looks_back and not tool.reads:
        out.sort(key=lambda m: m < now[:10])  # stable: what lies ahead first
    return _unique(out)


def _said_moments(mention: Mention, tool: Tool, now: str) -> list[Any]:
    if tool.looks_back and mention.kind in INSTANTS:
        return lying_behind(mention, now[:10])
    return [mention.value, *mention.alternatives]


def _at_clock(clock: str, now: str, back: bool) -> list[str]:
    """A clock time as a moment: the next such one, or the last one."""
    today = datetime.date.fromisoformat(now[:10])
    passed = clock <= now[11:16]
    days = datetime.timedelta(days=(0 if passed else -1) if back else (1 if passed else 0))
    return [f"{today + days}T{clock}"]


def _hours(number: Any) -> list[str]:
    """A bare number as an hour: both halves of the day, the waking one first."""
    if not isinstance(number, int) or not 0 <= number <= 24:
        return []
    if number > 12 or number == 0:
        return [f"{number % 24:02d}:00"]
    early, late = f"{number % 12:02d}:00", f"{number % 12 + 12:02d}:00"
    return [late, early] if number < 7 or number == 12 else [early, late]


def _month_days(number: Any, now: str) -> list[str]:
    """A bare ordinal as the next such day of a month."""
    if not isinstance(number, int) or not 1 <= number <= 31:
        return []
    today = datetime.date.fromisoformat(now[:10])
    for ahead in range(13):
        year, month = divmod(today.year * 12 + today.month - 1 + ahead, 12)
        try:
            day = datetime.date(year, month + 1, number)
        except ValueError:  # no such day in this month
            continue
        if day > today:
            return [day.isoformat()]
    return []


def _is_count(value: Any, argument: Argument) -> bool:
    """Whether a bare number is a length in an argument's unit."""
    fractions = argument.type in _FRACTIONS and not argument.whole
    return isinstance(value, int | float if fractions else int) and value > 0


_FRACTIONS = ("hours", "days", "weeks", "months", "years")
"""Lengths that may be one and a half, where the schema asks for no whole number."""


def _lengths(mention: Mention, argument: Argument, now: str) -> list[int | float]:
    """A length, or what lies between now and the end of a delay ("in ten minutes"), in an argument's unit."""
    unit_s = LENGTHS.get(argument.type, 60)
    if mention.kind == "duration":
        seconds = [v["seconds"] for v in (mention.value, *mention.alternatives)]
        if argument.type not in _FRACTIONS:
            return _unique([round(s / unit_s) for s in seconds])
        counts = [int(s / unit_s) if s % unit_s == 0 else round(s / unit_s, 2) for s in seconds]
        return _unique([c for c in counts if c > 0 and (isinstance(c, int) or not argument.whole)])
    if mention.kind == "date_range" and mention.form == "period" and None not in mention.value.values():
        first, last = (datetime.date.fromisoformat(mention.value[end]) for end in ("start", "end"))
        days = (last - first).days + 1
        return _unique([round(days * DAY_S / unit_s)])
    if mention.kind == "datetime" and mention.form == "ahead":
        start = datetime.datetime.fromisoformat(now).replace(microsecond=0)
        length = datetime.datetime.fromisoformat(mention.value) - start
    elif mention.kind == "datetime_range" and mention.form == "period" and None not in mention.value.values():
        start, end = (datetime.datetime.fromisoformat(mention.value[end]) for end in ("start", "end"))
        length = end - start
    else:
        return []
    return [round(length.total_seconds() / unit_s)] if length.total_seconds() > 0 else []


def _other_part(mention: Mention, mentions: Sequence[Mention]) -> str:
    """The part of the day that another mention of the sentence names, or ""."""
    for other in mentions:
        if other is not mention and other.part and other.kind in ("time", "datetime_range"):
            return other.part
    return ""


_HOURS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 29)}


def _within(clock: str, part: str) -> bool:
    if ":" not in clock:
        return clock == part
    low, high = _HOURS[part]
    hour = int(clock[:2])
    return low <= hour < high or hour + 24 < high


def _near(day: str, today: str) -> bool:
    """Whether a look-up means this day before another of the same name: ahead, or a few days back."""
    gap = (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(today)).days
    return -LOOK_BACK_DAYS <= gap <= 300


def _day(value: str | None) -> str | None:
    return value[:10] if value and len(value) >= 10 and value[4] == "-" else None


def _last_day(value: str | None, start: str | None) -> str | None:
    """Last day of a range; one that ends at midnight ends on the day before."""
    day = _day(value)
    if day is None or value is None or value[10:] not in ("T00:00", "T00:00:00") or day == _day(start):
        return day
    return _day_before(day)


def _day_before(day: str) -> str:
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=1)).isoformat()


_PART_SPANS = {
    (f"{first // 60:02d}:{first % 60:02d}", f"{last // 60 % 24:02d}:{last % 60:02d}")
    for _, first, last in PARTS.values()
} | {("00:00", "09:00"), ("21:00", "00:00")}
"""Hours that a part of the day stands for, "early" and "late" ones too."""


def _clock(value: str | None) -> str | None:
    if not value:
        return None
    if "T" in value:
        return value.split("T", 1)[1][:5]
    if value[2:3] == ":":
        return value[:5]
    return value if value[4:5] != "-" else None


def _unique(values: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(v for v in values if v not in ("", None)))
