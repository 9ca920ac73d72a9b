"""What a step does to a state, record by record, and back.

A record is an object with an id of its own among its neighbours (`id`, or `name` where there is none); a list
of such is a collection, at the top of a state or in a field of a record.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fernjax.sim.world import State

Record = dict[str, Any]


class _Absent:
    """The value of a field that is not there."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()


@dataclasses.dataclass(frozen=True)
class Set:
    """A field of the state, or of the record `owner`, has another value; `ABSENT` where it is gone."""

    owner: str
    field: str
    value: Any


@dataclasses.dataclass(frozen=True)
class Add:
    """A record joins the collection `field` of the state, or of `owner`; before record `at`, "" for last."""

    owner: str
    field: str
    at: str
    record: Record


@dataclasses.dataclass(frozen=True)
class Drop:
    """A record leaves."""

    id: str


Change = Set | Add | Drop


def record_id(value: Any) -> str:
    """What names a record among its neighbours; "" where it is none."""
    if not isinstance(value, dict):
        return ""
    found = value.get("id", value.get("name"))
    return found if isinstance(found, str) else ""


def is_collection(value: Any) -> bool:
    """Whether a value is a list of records, no two of one id. An empty list is none."""
    if not isinstance(value, list) or not value:
        return False
    ids = [record_id(v) for v in value]
    return all(ids) and len(set(ids)) == len(ids)


def records_of(state: State) -> dict[str, Record]:
    """All records of a state by id, those in records among them.

    What has the id of a record that lies less deep only points to it ("blocked by OPS-3"); of two that lie
    equally deep, neither is one.
    """
    found: dict[str, Record] = {}
    level: list[Mapping[str, Any]] = [state]
    while level:
        here = [r for holder in level for v in holder.values() if is_collection(v) for r in v]
        counts = collections.Counter(map(record_id, here))
        fresh = {record_id(r): r for r in here if counts[record_id(r)] == 1 and record_id(r) not in found}
        found |= fresh
        level = list(fresh.values())
    return found


def diff(before: State, after: State) -> list[Change]:
    """The changes that lead from one state to another: `apply(before, diff(before, after)) == after`."""
    known = records_of(before)
    return list(_diff("", before, after, known)) if before is not after else []


def _diff(
    owner: str, before: Mapping[str, Any], after: Mapping[str, Any], known: Mapping[str, Record]
) -> Iterator[Change]:
    for field in dict.fromkeys((*before, *after)):
        old, new = before.get(field, ABSENT), after.get(field, ABSENT)
        if old is new or same(old, new):
            continue
        parts = _diff_collection(owner, field, old, new, known)
        yield from [Set(owner, field, new)] if parts is None else parts


def _diff_collection(
    owner: str, field: str, old: Any, new: Any, known: Mapping[str, Record]
) -> list[Change] | None:
    """The changes of a collection; None where they cannot be told by its records."""
    if not all(v == [] or is_collection(v) for v in (old, new)):
        return None
    olds, news = ({record_id(r): r for r in v} for v in (old, new))
    kept = [name for name in olds if name in news]
    if kept != [name for name in news if name in olds]:
        return None  # another order
    if any(known.get(n) is not r for n, r in olds.items()) or any(n in known for n in news if n not in olds):
        return None  # ids that name other records
    out: list[Change] = [Drop(name) for name in olds if name not in news]
    for name in kept:
        out += _diff(name, olds[name], news[name], known)
    place = ""
    adds: list[Change] = []
    for name in reversed(news):
        if name in olds:
            place = name
        else:
            adds.append(Add(owner, field, place, news[name]))
    return out + adds[::-1]


def apply(state: State, changes: Sequence[Change]) -> State:
    """The state after changes; the one given stays as it is.

    Raises:
      ValueError: a change of a record that is not there.
    """
    for change in changes:
        state = _apply(state, change)
    return state


def _apply(state: State, change: Change) -> State:
    if isinstance(change, Drop):
        holder, field = _place_of(state, change.id)
        values = [r for r in _field(state, holder, field) if record_id(r) != change.id]
        return _replaced(state, holder, field, values)
    if isinstance(change, Set):
        return _replaced(state, change.owner, change.field, change.value)
    values = list(_field(state, change.owner, change.field))
    ids = [record_id(r) for r in values]
    if change.at and change.at not in ids:
        raise ValueError(f"no record {change.at!r} in {change.field!r}")
    values.insert(ids.index(change.at) if change.at else len(values), change.record)
    return _replaced(state, change.owner, change.field, values)


def _place_of(state: State, name: str) -> tuple[str, str]:
    """The owner and the field of the collection that holds a record.

    Raises:
      ValueError: there is none.
    """
    known = records_of(state)
    record = known.get(name)
    for owner, holder in (("", state), *known.items()):
        for field, value in holder.items():
            if record is not None and is_collection(value) and any(r is record for r in value):
                return owner, field
    raise ValueError(f"no record {name!r}")


def _field(state: State, owner: str, field: str) -> list[Any]:
    holder = state if not owner else records_of(state).get(owner)
    if holder is None:
        raise ValueError(f"no record {owner!r}")
    value = holder.get(field)
    if not isinstance(value, list):
        raise ValueError(f"{field!r} of {owner or 'the state'} is no list")
    return value


def _replaced(state: State, owner: str, field: str, value: Any) -> State:
    if owner:
        holder, collection = _place_of(state, owner)
        records = [
            _with(r, field, value) if record_id(r) == owner else r for r in _field(state, holder, collection)
        ]
        return _replaced(state, holder, collection, records)
    return _with(state, field, value)


def _with(holder: Mapping[str, Any], field: str, value: Any) -> dict[str, Any]:
    out = {**holder, field: value}
    if value is ABSENT:
        del out[field]
    return out


def same(a: Any, b: Any) -> bool:
    """Whether two JSON values are one: true is not 1, and 25 is 25.0."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(v, b[k]) for k, v in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)
