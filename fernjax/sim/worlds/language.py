"""What an app answers and what a step changes, as a row of marks and words that always reads back.

    <status> created <add> events <key> title <echo> title <key> date <date> +2 <data> <key> end <time> 16:00

Three things are not written where they can be known: what the app's forms say (`forms`), what a record shows
that the state already holds (it is pointed at, `<ref> e3`, and only what differs is written), and what merely
echoes the call (`<echo>` and the argument). So nearly every word is one that had to be found out.

  answer   <status> word change* <data> field*
  change   <set> field value | <ref> id <set> field value | <drop> id
           | <add> field [<of> owner] [<at> id] field*
  field    <key> name value
  value    <echo> argument | <name> id | <ref> id field* <close>
           | <date> +2 | <time> 15:00 | <datetime> +2 15:00 | <number> 12 | <text> words
           | <true> | <false> | <none> | <empty> | <absent>
           | <list> value* <close> | <dict> field* <close>

Days are written as days from now.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State
from fernjax.sim.worlds.changes import (
    ABSENT,
    Add,
    Change,
    Drop,
    Record,
    Set,
    apply,
    diff,
    record_id,
    records_of,
    same,
)
from fernjax.sim.worlds.forms import NO_FORM, Form, Forms, Given, view_of

MARKS = (
    "status", "add", "drop", "set", "at", "of", "data", "key", "echo", "name", "ref", "close", "list", "dict",
    "text", "true", "false", "none", "empty", "absent",
)  # fmt: skip
"""Marks of their own; `<date>`, `<time>`, `<datetime>` and `<number>` are those of mentions."""

WRITTEN = ("date", "time", "datetime", "number", "text", "echo", "name")
"""Marks of values behind which words follow."""

PLAIN: dict[str, Any] = {"true": True, "false": False, "none": None, "empty": "", "absent": ABSENT}
"""Marks that are a whole value."""

Row = tuple[str, ...]
"""Marks (`<key>`) and words; the words behind one mark are one entry."""


NO_CALL = Call("")

UNREADABLE = Observation("unreadable", {})
"""Stands for an answer that cannot be read; the state stays."""


class Unreadable(ValueError):
    """A row that is no answer; says where."""


@dataclasses.dataclass(frozen=True)
class Language:
    """One app's language.

    Attributes:
      forms: what its answers look like.
    """

    forms: Forms

    def write(self, state: State, call: Call, after: State, seen: Observation) -> Row:
        """A step as a row: `read(state, call, write(state, call, after, seen)) == (after, seen)`."""
        pen = _Pen(self.forms, state, call)
        pen.mark("status", seen.status)
        for change in diff(state, after):
            pen.change(change)
        pen.known |= records_of(after)
        pen.mark("data")
        form = self.forms.of("data", call.name, seen.status)
        pen.fields(form, Given(call.arguments, {}, pen.state), seen.data)
        return tuple(pen.row)

    def read(self, state: State, call: Call, row: Sequence[str]) -> tuple[State, Observation]:
        """The state after a step, and its answer.

        Raises:
          Unreadable: a row that is none, or that changes what is not there.
        """
        return _Reader(self.forms, state, call, row).answer()

    def show(self, state: State) -> Row:
        """What a model reads of a state: all that is not empty, as marks and words."""
        pen = _Pen(self.forms, state, NO_CALL)
        pen.mark("state", f"{_weekday(state['now'])} {state['now'][11:16]}")
        for field, value in state.items():
            if field != "now":
                pen.shown(field, value)
        return tuple(pen.row)

    def ask(self, state: State, call: Call) -> Row:
        """What a model reads of a call."""
        pen = _Pen(self.forms, {"now": state["now"]}, NO_CALL)
        pen.mark("call", call.name)
        for name, value in call.arguments.items():
            pen.mark("argument", name)
            pen.value(value)
        return tuple(pen.row)


class _Pen:
    """Writes rows."""

    def __init__(self, forms: Forms, state: State, call: Call) -> None:
        self.forms, self.state, self.call = forms, state, call
        self.known = records_of(state)
        self.row: list[str] = []
        self._today = _day(state["now"])
        self._names = {text: name for name, r in reversed(self.known.items()) if (text := name_of(r))}

    def mark(self, mark: str, words: str = "") -> None:
        self.row.append(f"<{mark}>")
        if words:
            self.row.append(words)

    def change(self, change: Change) -> None:
        if isinstance(change, Drop):
            self.mark("drop", change.id)
        elif isinstance(change, Set):
            if change.owner:
                self.mark("ref", change.owner)
            self.mark("set", change.field)
            self.value(change.value)
        else:
            self.mark("add", change.field)
            if change.owner:
                self.mark("of", change.owner)
            if change.at:
                self.mark("at", change.at)
            form = self.forms.of("add", self.call.name, change.field)
            self.fields(form, Given(self.call.arguments, {}, self.state), change.record)

    def fields(self, form: Form, given: Given, actual: Mapping[str, Any]) -> None:
        """The fields in which an object differs from what its form says."""
        expected = form.fill(given)
        for name in dict.fromkeys((*actual, *expected)):
            value = actual.get(name, ABSENT)
            if not same(value, expected.get(name, ABSENT)):
                self.mark("key", name)
                self.value(value)

    def value(self, value: Any) -> None:
        """One value."""
        for mark, plain in PLAIN.items():
            if value is plain or (plain == "" and value == ""):
                return self.mark(mark)
        echoed = next((a for a, v in self.call.arguments.items() if same(v, value) and _tells(v)), None)
        if echoed is not None:
            return self.mark("echo", echoed)
        if isinstance(value, str) and value in self._names:
            return self.mark("name", self._names[value])
        if isinstance(value, str):
            return self.mark(*self._words(value))
        if isinstance(value, (int, float)):
            return self.mark("number", repr(value))
        if isinstance(value, list):
            self.mark("list")
            for member in value:
                self.value(member)
            return self.mark("close")
        if isinstance(value, dict):
            name = record_id(value)
            if name in self.known:
                self.mark("ref", name)
                form = self.forms.of("view", self.call.name, view_of(self.known[name]))
                self.fields(form, Given(self.call.arguments, self.known[name], self.state), value)
            else:
                self.mark("dict")
                self.fields(NO_FORM, Given({}, {}, {}), value)
            return self.mark("close")
        return self.mark("text", str(value))

    def shown(self, field: str, value: Any) -> None:
        """A field of the state, for reading: its name and words, nothing where it is empty."""
        if value in ("", None, [], {}) or value is False:
            return
        if isinstance(value, list) and all(isinstance(v, dict) for v in value):
            for member in value:
                self.mark("ref", record_id(member) or field)
                for inner, v in member.items():
                    if inner != "id":
                        self.shown(inner, v)
            return
        self.row.append(field)
        if isinstance(value, dict):
            for inner, v in value.items():
                self.shown(inner, v)
        elif value is not True:
            members = value if isinstance(value, list) else [value]
            self.row.append(", ".join(self._words(v)[1] if isinstance(v, str) else str(v) for v in members))

    def _words(self, text: str) -> tuple[str, str]:
        """Mark and words of a text."""
        if _DATE.fullmatch(text) and (day := _day(text)) is not None and self._today is not None:
            return "date", f"{day - self._today:+d}"
        if _TIME.fullmatch(text):
            return "time", text
        if _MOMENT.fullmatch(text) and (day := _day(text)) is not None and self._today is not None:
            return "datetime", f"{day - self._today:+d} {text[11:]}"
        return "text", text


class _Reader:
    """Reads rows."""

    def __init__(self, forms: Forms, state: State, call: Call, row: Sequence[str]) -> None:
        self.forms, self.state, self.call, self.row = forms, state, call, row
        self.known = records_of(state)
        self.at = 0
        self._today = _day(state["now"])

    def answer(self) -> tuple[State, Observation]:
        status = self.words("status")
        state = self.state
        while (change := self.change()) is not None:
            try:
                state = apply(state, [change])
            except ValueError as e:
                raise Unreadable(str(e)) from e
        self.known |= records_of(state)
        self.take("data")
        form = self.forms.of("data", self.call.name, status)
        data = self.fields(form, Given(self.call.arguments, {}, self.state))
        if self.at != len(self.row):
            raise Unreadable(f"{self.row[self.at]!r} behind the end")
        return state, Observation(status, data)

    def change(self) -> Change | None:
        if self.sees("drop"):
            return Drop(self.words("drop"))
        if self.sees("add"):
            field = self.words("add")
            owner = self.words("of") if self.sees("of") else ""
            place = self.words("at") if self.sees("at") else ""
            form = self.forms.of("add", self.call.name, field)
            record = self.fields(form, Given(self.call.arguments, {}, self.state))
            return Add(owner, field, place, record)
        owner = self.words("ref") if self.sees("ref") else ""
        if self.sees("set"):
            return Set(owner, self.words("set"), self.value())
        if owner:
            raise Unreadable(f"nothing is said of {owner!r}")
        return None

    def fields(self, form: Form, given: Given) -> Record:
        record = form.fill(given)
        while self.sees("key"):
            name = self.words("key")
            value = self.value()
            if value is ABSENT:
                record.pop(name, None)
            else:
                record[name] = value
        return record

    def value(self) -> Any:
        mark = self.mark()
        if mark in PLAIN:
            return PLAIN[mark]
        if mark in WRITTEN:
            return self._read_words(mark, self._next())
        if mark == "list":
            members = []
            while not self.sees("close"):
                members.append(self.value())
            self.take("close")
            return members
        if mark == "ref":
            name = self._next()
            record = self.known.get(name)
            if record is None:
                raise Unreadable(f"no record {name!r}")
            form = self.forms.of("view", self.call.name, view_of(record))
            value = self.fields(form, Given(self.call.arguments, record, self.state))
            self.take("close")
            return value
        if mark == "dict":
            value = self.fields(NO_FORM, Given({}, {}, {}))
            self.take("close")
            return value
        raise Unreadable(f"no value begins with <{mark}>")

    def _read_words(self, mark: str, words: str) -> Any:
        if mark == "echo":
            if words not in self.call.arguments:
                raise Unreadable(f"the call has no {words!r}")
            return self.call.arguments[words]
        if mark == "name":
            if words not in self.known:
                raise Unreadable(f"no record {words!r}")
            return name_of(self.known[words])
        if mark == "number":
            try:
                return int(words) if _INTEGER.fullmatch(words) else float(words)
            except ValueError:
                raise Unreadable(f"no number: {words!r}") from None
        if mark in ("date", "datetime"):
            days, _, time = words.partition(" ")
            try:
                day = datetime.date.fromordinal((self._today or 0) + int(days)).isoformat()
            except (ValueError, OverflowError):
                raise Unreadable(f"no day: {words!r}") from None
            return f"{day}T{time}" if mark == "datetime" else day
        return words

    def sees(self, mark: str) -> bool:
        return self.at < len(self.row) and self.row[self.at] == f"<{mark}>"

    def take(self, mark: str) -> None:
        if not self.sees(mark):
            found = self.row[self.at] if self.at < len(self.row) else "the end"
            raise Unreadable(f"{found!r} in place of <{mark}>")
        self.at += 1

    def mark(self) -> str:
        entry = self._next()
        if not (entry.startswith("<") and entry.endswith(">")):
            raise Unreadable(f"{entry!r} in place of a mark")
        return entry[1:-1]

    def words(self, mark: str) -> str:
        self.take(mark)
        return self._next()

    def _next(self) -> str:
        if self.at >= len(self.row):
            raise Unreadable("the row ends early")
        self.at += 1
        return self.row[self.at - 1]


def name_of(record: Record) -> str:
    """By what a record is called; "" where it has no name."""
    found = next((record[f] for f in ("title", "name") if isinstance(record.get(f), str)), "")
    return str(found)


def _tells(value: Any) -> bool:
    """Whether a value that the call holds as well is likely meant by it."""
    return value not in ("", [], {}) and not isinstance(value, bool) and value is not None


def _day(moment: Any) -> int | None:
    try:
        return datetime.date.fromisoformat(moment[:10]).toordinal()
    except (TypeError, ValueError):
        return None


def _weekday(moment: str) -> str:
    return datetime.date.fromisoformat(moment[:10]).strftime("%a").lower()


_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(r"\d\d:\d\d", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?", re.ASCII)
_INTEGER = re.compile(r"-?\d+", re.ASCII)
