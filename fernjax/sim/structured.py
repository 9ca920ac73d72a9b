"""A structured slot in words, by the types of its arguments: the one table of who says what."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Sequence

from fernjax.sim import addresses, quantities, when
from fernjax.sim.addresses import Draw
from fernjax.sim.grammar import Gap
from fernjax.sim.tools import LENGTHS, MOMENT_TYPES, Tool
from fernjax.sim.types import UserError
from fernjax.sim.when import lengths


def say_slot(
    gap: Gap,
    rng: random.Random,
    now: datetime.datetime,
    tool: Tool,
    draw: Draw,
    keys: Sequence[str] = (),
) -> when.Phrase:
    """The words of a structured slot.

    Args:
      gap: the slot.
      rng: decides value and words.
      now: when the sentence is said.
      tool: whose arguments it says.
      draw: `(rng, pool) -> value`.
      keys: project keys of the app's ids.

    Raises:
      UserError: where nothing says such arguments together, or in such a style.
    """
    argument = tool.argument(gap.arguments[0])
    kind = argument.type if argument else ""
    if gap.joint == "|":
        return when.say_open_time(rng, gap.arguments[0], gap.arguments[1])
    if gap.joint == "+":
        return _say_pair(gap, kind, rng, now, tool)
    if kind in _ALONE_IN_TIME:
        return _say_time(gap, kind, rng, now, tool)
    name = gap.arguments[0]
    if kind == "number":
        return quantities.say_number(rng, name)
    if kind == "percent":
        return quantities.say_percent(rng, name, gap.style == "bare")
    if kind == "degrees":
        has_unit = any(a.type == "unit" for a in tool.arguments)
        return quantities.say_degrees(rng, name, "", not has_unit and rng.random() < 0.3)
    if kind == "amount":
        has_currency = any(a.type == "currency" for a in tool.arguments)
        if has_currency or rng.random() < 0.4:
            return quantities.say_amount(rng, name)
        return quantities.say_money(rng, name, "")
    if kind == "email":
        return addresses.say_email(rng, draw, name)
    if kind == "phone":
        return addresses.say_phone(rng, name)
    if kind == "id":
        return addresses.say_id(rng, keys, name)
    raise UserError(f"grammar: no way to say {name!r} of type {kind!r} in {tool.name}")


_ALONE_IN_TIME = (*MOMENT_TYPES, *LENGTHS, "delay", "recurrence")


def _say_time(gap: Gap, kind: str, rng: random.Random, now: datetime.datetime, tool: Tool) -> when.Phrase:
    name, bare = gap.arguments[0], gap.style == "bare"
    if kind in ("date", "end_date") and gap.style == "span":
        return when.say_span(rng, now, *((name, "") if kind == "date" else ("", name)))
    if kind in ("date", "end_date") and tool.looks_back:
        if gap.style == "since":
            return when.say_since(rng, now, name)
        return when.say_past_date(rng, now, name, bare or kind == "end_date")
    if kind in ("datetime", "end_datetime"):
        last = kind == "end_datetime"
        return when.say_moment(rng, now, name, tool.looks_back, bare or last, last)
    if kind == "time" and gap.style == "since":
        return when.say_since_time(rng, now, name)
    if kind in ("date", "end_date"):
        return when.say_date(rng, now, name, tool.reads, bare or kind == "end_date")
    if kind in ("time", "end_time"):
        if gap.style == "in":
            return lengths.say_time_ahead(rng, now, name)
        if gap.style == "part":
            return when.say_part(rng, name) if kind == "time" else when.say_end_part(rng, name)
        return when.say_time(rng, name, bare, tool.rings)
    if kind == "seconds":
        return lengths.say_seconds(rng, name, gap.style == "in")
    if kind in ("minutes", "delay"):
        if gap.style == "before":
            return when.say_before(rng, name)
        if gap.style == "in" or (kind == "delay" and not gap.style):
            return lengths.say_delay(rng, name)
        if gap.style == "number":
            return lengths.say_bare_minutes(rng, name)
        say = when.say_duration if tool.has_moment else lengths.say_minutes
        return say(rng, name, "" if bare else "for")
    if kind in LENGTHS:
        if gap.style == "next":
            return lengths.say_next(rng, name, kind)
        argument = tool.argument(name)
        return lengths.say_length(rng, name, kind, "" if bare else "for", argument is None or argument.whole)
    return [part for part in when.say_recurrence(rng, now, name, "") if part[0]]


_PAST_PAIRS: dict[tuple[str, str, str], Callable[..., when.Phrase]] = {
    ("date", "end_date", ""): when.say_past_span,
    ("date", "end_date", "day"): when.say_past_day,
    ("date", "time", ""): when.say_past_part,
    ("date", "time", "recent"): when.say_recent,
}
"""Who says a pair of a tool that looks back, by the types and the slot's style."""


def _say_pair(gap: Gap, kind: str, rng: random.Random, now: datetime.datetime, tool: Tool) -> when.Phrase:
    """Two arguments in one phrase."""
    names = gap.arguments
    second = tool.argument(names[1])
    pair = (kind, second.type if second else "")
    if tool.looks_back and (say := _PAST_PAIRS.get((*pair, gap.style))):
        return say(rng, now, *names)
    if pair == ("date", "end_date"):
        return when.say_span(rng, now, *names)
    if pair == ("datetime", "end_datetime"):
        return when.say_moment_span(rng, now, names[0], names[1], tool.reads, tool.looks_back)
    if pair == ("time", "end_time"):
        return when.say_time_span(rng, *names)
    if pair == ("date", "time") and gap.style == "clock":
        return when.say_day_clock(rng, now, *names)
    if pair == ("date", "time"):
        return when.say_day_part(rng, now, names[0], names[1], gap.style == "bare")
    if pair == ("recurrence", "date"):
        return when.say_recurrence(rng, now, *names)
    if pair == ("amount", "currency"):
        return quantities.say_money(rng, *names)
    if pair == ("degrees", "unit"):
        return quantities.say_degrees(rng, names[0], names[1], True)
    raise UserError(f"grammar: no way to say {'+'.join(names)} in one")
