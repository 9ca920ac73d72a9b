"""What an app's answers look like whatever is asked: fields that are always there, and where values stand.

Counted over steps of the app, nothing is trained. A form says of each field of an object the source that gave
its value most often: an argument of the call, a field of the record that is shown, a constant, the next id.
What it does not say, or says wrong, is written by hand of `language`.
"""

from __future__ import annotations

import collections
import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State
from fernjax.sim.worlds.changes import ABSENT, Add, diff, record_id, records_of, same

Source = tuple[str, Any]
"""`("echo", argument)`, `("same", field of the record)`, `("next", prefix of an id)`, `("always", value)`."""

LEAST_SHARE = 0.5
"""A field that no source gives more often is written each time."""


@dataclasses.dataclass(frozen=True)
class Given:
    """What a form is filled from: the call's arguments, the record shown, the state before the step."""

    arguments: Mapping[str, Any]
    record: Mapping[str, Any]
    state: State


@dataclasses.dataclass(frozen=True)
class Form:
    """The usual fields of one kind of object, each with its source."""

    fields: Mapping[str, Source]

    def fill(self, given: Given) -> dict[str, Any]:
        """The object that a form says; a field whose source has nothing is left out."""
        out = {}
        for name, source in self.fields.items():
            value = _value(source, given)
            if value is not ABSENT:
                out[name] = value
        return out


NO_FORM = Form({})


def _value(source: Source, given: Given) -> Any:
    kind, what = source
    if kind == "echo":
        return given.arguments.get(what, ABSENT)
    if kind == "same":
        return given.record.get(what, ABSENT)
    if kind == "next":
        return f"{what}{given.state.get('next_id')}"
    return what


@dataclasses.dataclass(frozen=True)
class Forms:
    """All forms of an app, by what (`data`, `add`, `view`), tool, and status, collection or kind."""

    forms: Mapping[tuple[str, str, str], Form]

    def of(self, what: str, tool: str, of: str) -> Form:
        """The form of one kind of object; an empty one where none was seen."""
        return self.forms.get((what, tool, of), NO_FORM)

    def to_json(self) -> list[Any]:
        """As plain JSON."""
        return [[*key, {n: list(s) for n, s in form.fields.items()}] for key, form in self.forms.items()]

    @classmethod
    def from_json(cls, rows: Iterable[Any]) -> Forms:
        """Of `to_json`."""
        return cls(
            {
                (what, tool, of): Form({n: (s[0], s[1]) for n, s in fields.items()})
                for what, tool, of, fields in rows
            }
        )


def view_of(record: Mapping[str, Any]) -> str:
    """Of what kind a record is: the fields that it has."""
    return " ".join(sorted(record))


def count_forms(steps: Iterable[tuple[State, Call, State, Observation]]) -> Forms:
    """The forms of an app, counted over steps `(state, call, state after, answer)`."""
    seen: dict[tuple[str, str, str], list[tuple[Given, Mapping[str, Any]]]] = collections.defaultdict(list)
    for state, call, after, answer in steps:
        plain = Given(call.arguments, {}, state)
        seen["data", call.name, answer.status].append((plain, answer.data))
        for change in diff(state, after):
            if isinstance(change, Add):
                seen["add", call.name, change.field].append((plain, change.record))
        known = records_of(state) | records_of(after)
        for shown in _objects(answer.data):
            record = known.get(record_id(shown))
            if record is not None:
                seen["view", call.name, view_of(record)].append((Given(call.arguments, record, state), shown))
    return Forms({key: _count(instances) for key, instances in sorted(seen.items())})


def _count(instances: list[tuple[Given, Mapping[str, Any]]]) -> Form:
    names = dict.fromkeys(n for _, actual in instances for n in actual)
    fields = {}
    for name in names:
        votes: collections.Counter[str] = collections.Counter()
        for given, actual in instances:
            for source in _sources(name, given, actual):
                votes[json.dumps(source)] += 1
        best, count = min(votes.items(), key=lambda v: (-v[1], _RANK[json.loads(v[0])[0]], v[0]))
        if count > LEAST_SHARE * len(instances):
            kind, what = json.loads(best)
            fields[name] = (kind, what)
    return Form(fields)


_RANK = {"same": 0, "echo": 1, "next": 2, "always": 3}
"""Of sources that gave as many values, which is taken."""


def _sources(name: str, given: Given, actual: Mapping[str, Any]) -> Iterable[Source]:
    """All sources that give a field its value, or its absence."""
    value = actual.get(name, ABSENT)
    if value is ABSENT:
        yield from (("echo", a) for a in (name,) if a not in given.arguments)
        yield from (("same", f) for f in (name,) if f not in given.record)
        return
    for argument, v in given.arguments.items():
        if same(v, value):
            yield "echo", argument
    for field, v in given.record.items():
        if same(v, value):
            yield "same", field
    if isinstance(value, str) and value.endswith(str(given.state.get("next_id", "\0"))):
        yield "next", value.removesuffix(str(given.state["next_id"]))
    yield "always", value


def _objects(value: Any) -> Iterable[dict[str, Any]]:
    if isinstance(value, dict):
        if record_id(value):
            yield value
        for inner in value.values():
            yield from _objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner)
