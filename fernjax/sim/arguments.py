"""A call's arguments, checked against the tools before an app looks at them.

Whatever a call holds, the answer is an observation: `unsupported` for a tool that does not exist,
`missing_argument` exactly where `Domain.missing` names one, `invalid_argument` with the argument and why.
What passes is canonical: numbers that are whole are `int` (60.0 is 60), texts are stripped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from fernjax.sim.recurrence import FIRST_YEAR, LAST_YEAR, ordinal
from fernjax.sim.tools import PARTS_OF_DAY, Argument, Tool
from fernjax.sim.types import OUT_OF_SCOPE, Call, Observation
from fernjax.sim.world import State

CLOCK = {f"{m // 60:02d}:{m % 60:02d}": m for m in range(24 * 60)}
"""Minutes after midnight of each `HH:MM`."""

CLOCK_TEXT = tuple(CLOCK)
"""`HH:MM` of each minute of the day."""

MAX_TEXT_CHARS = 500
MAX_LIST_ITEMS = 50
MAX_MINUTES = 366 * 24 * 60
MAX_LENGTH = 10_000
"""Hours, days, weeks, months or years of the longest length."""

MAX_AMOUNT = 1_000_000_000

Checked = tuple[dict[str, Any], Observation | None]
Check = Callable[[Any], Checked]
Answer = tuple[State, Observation]
Action = Callable[[State, dict[str, Any]], Answer]


class InvalidValue(ValueError):
    """Why a value is refused; its message is shown to the user."""


def make_check(tools: tuple[Tool, ...], needs: Mapping[str, tuple[tuple[str, ...], ...]]) -> Check:
    """A function from a call to `(canonical arguments, None)` or `({}, observation that refuses it)`.

    Args:
      tools: the app's; `out_of_scope` is refused as `unsupported` with `abstained` true.
      needs: the app's, see `fernjax.sim.world.Domain`.
    """
    known = {t.name: {a.name: (_CHECKS[a.type], a) for a in t.arguments} for t in tools}
    names = [t.name for t in tools if t.name != OUT_OF_SCOPE]
    groups = {t.name: [(g[0], frozenset(g)) for g in needs.get(t.name, ())] for t in tools}

    def check(call: Any) -> Checked:
        name, given = getattr(call, "name", None), getattr(call, "arguments", None)
        if not isinstance(name, str) or name not in known or name == OUT_OF_SCOPE:
            data: dict[str, Any] = {"tool": shown(name), "tools": list(names)}
            if isinstance(name, str) and name == OUT_OF_SCOPE:
                data = {"tool": OUT_OF_SCOPE, "abstained": True}
            return {}, Observation("unsupported", data)
        if not isinstance(given, dict):
            return {}, invalid("arguments", f"must be an object, not {shown(given)}")
        if missing := [first for first, group in groups[name] if group.isdisjoint(given)]:
            return {}, Observation("missing_argument", {"tool": name, "missing": missing})
        checks, clean = known[name], {}
        for key, value in given.items():
            entry = checks.get(key)
            if entry is None:
                problem = invalid(shown(key), f"is no argument of {name}")
                problem.data["arguments"] = list(checks)
                return {}, problem
            try:
                clean[key] = entry[0](value, entry[1])
            except InvalidValue as e:
                return {}, invalid(key, str(e))
        return clean, None

    return check


def check_value(value: Any, argument: Argument) -> None:
    """Refuses what no app takes for an argument of this type.

    Raises:
      InvalidValue: says why.
    """
    _CHECKS[argument.type](value, argument)


class Refused(Exception):
    """Ends an action with an observation; the state stays as it was."""

    def __init__(self, observation: Observation):
        super().__init__(observation.status)
        self.observation = observation


def make_step(check: Check, actions: Mapping[str, Action]) -> Callable[[State, Call], Answer]:
    """An app's `step`: pure, and it never raises, whatever the call holds.

    Args:
      check: of `make_check`.
      actions: per tool, `(state, canonical arguments) -> (state, observation)`; one may end with `Refused`.
    """

    def step(state: State, call: Call) -> Answer:
        """The state after a call, and what the app answers."""
        arguments, refusal = check(call)
        if refusal is not None:
            return state, refusal
        try:
            return actions[call.name](state, arguments)
        except Refused as e:
            return state, e.observation

    return step


def invalid(argument: str, why: str) -> Observation:
    """The observation `invalid_argument`."""
    return Observation("invalid_argument", {"argument": argument, "why": why})


def shown(value: Any) -> str:
    """A value as a message may quote it: short, valid Unicode, and safe on anything whatever."""
    if isinstance(value, str):
        return value[:80].encode("utf-8", "replace").decode("utf-8")
    if value is None or isinstance(value, (bool, float)):
        return str(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else "a huge number"
    return f"a {type(value).__name__}"


def _text(value: Any, argument: Argument) -> str:
    if not isinstance(value, str):
        raise InvalidValue(f"must be text, not {shown(value)}")
    if len(value) > MAX_TEXT_CHARS:
        raise InvalidValue(f"is longer than {MAX_TEXT_CHARS} characters")
    if not value.isascii() and value.encode("utf-8", "replace").decode("utf-8") != value:
        raise InvalidValue("is not valid Unicode")
    value = value.strip()
    if not value or not (value[0].isalnum() or any(c.isalnum() for c in value)):
        raise InvalidValue("holds no word")
    return value


def _texts(value: Any, argument: Argument) -> list[str]:
    if not isinstance(value, list):
        raise InvalidValue(f"must be a list of texts, not {shown(value)}")
    if not value or len(value) > MAX_LIST_ITEMS:
        raise InvalidValue(f"must hold 1 to {MAX_LIST_ITEMS} texts")
    return [_text(v, argument) for v in value]


def _choice(value: Any, argument: Argument) -> Any:
    for choice in argument.choices:
        if type(choice) is type(value) and choice == value:
            return choice
    raise InvalidValue(f"must be one of {', '.join(map(str, argument.choices))}, not {shown(value)}")


def _date(value: Any, argument: Argument) -> str:
    if not isinstance(value, str) or ordinal(value) is None:
        raise InvalidValue(f"must be a date YYYY-MM-DD of {FIRST_YEAR} to {LAST_YEAR}, not {shown(value)}")
    return value


def _time(value: Any, argument: Argument) -> str:
    if not isinstance(value, str) or (value not in CLOCK and value not in PARTS_OF_DAY):
        raise InvalidValue(f"must be HH:MM or one of {', '.join(PARTS_OF_DAY)}, not {shown(value)}")
    return value


def _number(value: Any, argument: Argument) -> int | float:
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    if not isinstance(value, float) or not math.isfinite(value):
        raise InvalidValue(f"must be a number, not {shown(value)}")
    return int(value) if value.is_integer() else value


def _moment(value: Any, argument: Argument) -> str:
    day, _, clock = value.partition("T") if isinstance(value, str) else ("", "", "")
    if ordinal(day) is None or clock not in CLOCK:
        raise InvalidValue(f"must be YYYY-MM-DDTHH:MM of {FIRST_YEAR} to {LAST_YEAR}, not {shown(value)}")
    return f"{day}T{clock}"


def _whole_length(unit: str, most: int) -> Callable[[Any, Argument], int]:
    """A check of a length in whole units."""

    def check(value: Any, argument: Argument) -> int:
        number = _number(value, argument)
        if isinstance(number, float):
            raise InvalidValue(f"must be a whole number of {unit}, not {shown(value)}")
        if not 1 <= number <= most:
            raise InvalidValue(f"must be 1 to {most} {unit}, not {shown(number)}")
        return number

    return check


_minutes = _whole_length("minutes", MAX_MINUTES)
_seconds = _whole_length("seconds", MAX_MINUTES * 60)


def _length(value: Any, argument: Argument) -> int | float:
    number = _number(value, argument)
    if not 0 < number <= MAX_LENGTH:
        raise InvalidValue(f"must be above 0 and at most {MAX_LENGTH} {argument.type}, not {shown(number)}")
    return number


def _percent(value: Any, argument: Argument) -> int | float:
    number = _number(value, argument)
    if not 0 <= number <= 100:
        raise InvalidValue(f"must be 0 to 100 percent, not {shown(number)}")
    return number


def _degrees(value: Any, argument: Argument) -> int | float:
    number = _number(value, argument)
    if not -100 <= number <= 1000:
        raise InvalidValue(f"must be -100 to 1000 degrees, not {shown(number)}")
    return number


def _amount(value: Any, argument: Argument) -> int | float:
    number = _number(value, argument)
    if not 0 < number <= MAX_AMOUNT:
        raise InvalidValue(f"must be above 0 and at most {MAX_AMOUNT}, not {shown(number)}")
    if round(number, 2) != number:
        raise InvalidValue(f"must have at most two decimals, not {shown(number)}")
    return number


def _matching(pattern: str, what: str) -> Callable[[Any, Argument], str]:
    """A check of a text's whole form."""
    form = re.compile(pattern)

    def check(value: Any, argument: Argument) -> str:
        text = _text(value, argument)
        if form.fullmatch(text) is None:
            raise InvalidValue(f"must be {what}, not {shown(value)}")
        return text

    return check


_CHECKS: dict[str, Callable[[Any, Argument], Any]] = {
    "text": _text,
    "texts": _texts,
    "choice": _choice,
    "recurrence": _choice,
    "date": _date,
    "end_date": _date,
    "time": _time,
    "end_time": _time,
    "datetime": _moment,
    "end_datetime": _moment,
    "minutes": _minutes,
    "delay": _minutes,
    "seconds": _seconds,
    **dict.fromkeys(("hours", "days", "weeks", "months", "years"), _length),
    "number": _number,
    "percent": _percent,
    "degrees": _degrees,
    "unit": _choice,
    "amount": _amount,
    "currency": _matching(r"[A-Z]{3}", "a currency's ISO 4217 code such as USD"),
    "email": _matching(r"[^@\s]+@[^@\s]+", "an address such as ana@example.org"),
    "phone": _matching(r"\+?[0-9() .-]*[0-9][0-9() .-]*", "a phone number"),
    "id": _text,
    "channel": _text,
}
