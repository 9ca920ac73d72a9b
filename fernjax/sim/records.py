"""A simulator for any tools: records that tools add, change, remove and read.

State: `{"now": ISO local time, "next_id": int, "records": [{"id": "r1", "tool": tool, "arguments": {...}}]}`.
It stands in for an app whose own rules are not written down yet: it knows what is there and what is meant,
and nothing of what the app would refuse. A change that names no record makes one.
"""

from __future__ import annotations

import datetime
import math
import random
from collections.abc import Callable, Mapping
from typing import Any

from fernjax.sim import pools
from fernjax.sim.arguments import Check, make_check
from fernjax.sim.matching import tokens
from fernjax.sim.tools import TEXT_TYPES, Argument, Tool, split_name
from fernjax.sim.types import OUT_OF_SCOPE, Call, Observation, UserError
from fernjax.sim.world import State

ROLES = ("adds", "changes", "removes", "reads")
MAX_SHOWN = 20
SEEDED = (4, 12)
"""How many records a first state holds."""

Answer = tuple[State, Observation]
Needs = Mapping[str, tuple[tuple[str, ...], ...]]


def make_app(
    tools: tuple[Tool, ...], needs: Needs, roles: Mapping[str, str]
) -> tuple[Callable[[random.Random, str], State], Callable[[State, Call], Answer]]:
    """`initial_state` and `step` of an app, see `fernjax.sim.world.Domain`.

    Args:
      tools: the app's.
      needs: what each asks back for.
      roles: what each does: one of `ROLES`.

    Raises:
      UserError: a tool without a role, or of one that there is not.
    """
    for tool in tools:
        if tool.name != OUT_OF_SCOPE and roles.get(tool.name) not in ROLES:
            raise UserError(
                f"ROLES[{tool.name!r}] is {roles.get(tool.name)!r}; choose one of: {', '.join(ROLES)}"
            )
    check = make_check(tools, needs)
    by_name = {t.name: t for t in tools}

    def initial_state(rng: random.Random, now: str) -> State:
        made = [t for t in tools if t.name != OUT_OF_SCOPE and t.arguments]
        count = rng.randint(*SEEDED) if made else 0
        records = [_draw_record(rng, f"r{i}", rng.choice(made), now) for i in range(1, count + 1)]
        return {"now": now, "next_id": count + 1, "records": records}

    def step(state: State, call: Call) -> Answer:
        return _step(check, by_name, roles, state, call)

    return initial_state, step


def _step(
    check: Check, tools: Mapping[str, Tool], roles: Mapping[str, str], state: State, call: Call
) -> Answer:
    arguments, refusal = check(call)
    if refusal is not None:
        return state, refusal
    tool, role = tools[call.name], roles[call.name]
    names = _names(tool, arguments) if role == "changes" else arguments
    if role == "adds" or (role == "changes" and not names):
        record = {"id": f"r{state['next_id']}", "tool": tool.name, "arguments": arguments}
        new = {**state, "next_id": state["next_id"] + 1, "records": [*state["records"], record]}
        return new, Observation("created", {"record": record})
    found = [r for r in state["records"] if all(_meets(r, tool.argument(n), v) for n, v in names.items())]
    if role == "reads":
        if not found and names:
            return state, Observation("not_found", dict(names))
        return state, Observation("found", {"records": found[:MAX_SHOWN], "count": len(found)})
    if not found:
        return state, Observation("not_found", dict(names))
    if len(found) > 1:
        return state, Observation("ambiguous", {"candidates": found[:MAX_SHOWN]})
    others = [r for r in state["records"] if r is not found[0]]
    if role == "removes":
        return {**state, "records": others}, Observation("deleted", {"record": found[0]})
    fresh = {n: v for n, v in arguments.items() if n not in names}
    changed = {**found[0], "arguments": found[0]["arguments"] | fresh}
    records = [changed if r is found[0] else r for r in state["records"]]
    return {**state, "records": records}, Observation("updated", {"record": changed})


def _names(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a change that say which record is meant: its id, else its first text."""
    for kinds in (("id",), TEXT_TYPES):
        for a in tool.arguments:
            if a.type in kinds and a.name in arguments and not a.new:
                return {a.name: arguments[a.name]}
    return {}


def _meets(record: Mapping[str, Any], argument: Argument | None, value: Any) -> bool:
    """Whether a record holds a value: texts by their words, anywhere in it; dates by their bounds."""
    assert argument is not None  # what the check let through
    held = record["arguments"]
    if argument.type in TEXT_TYPES:
        words = [value] if isinstance(value, str) else value
        texts = [t for v in held.values() for t in (v if isinstance(v, list) else [v]) if isinstance(t, str)]
        return any(tokens(w) <= tokens(t) for w in words for t in texts)
    if argument.type in ("date", "end_date"):
        days = [v for v in held.values() if isinstance(v, str) and len(v) == 10 and v[4] == v[7] == "-"]
        if argument.type == "end_date":
            return all(day <= value for day in days)
        first = split_name(argument.name)[:1] in (["start"], ["from"], ["since"])
        return all(day >= value if first else day == value for day in days)
    return argument.name not in held or held[argument.name] == value


def _draw_record(rng: random.Random, id_: str, tool: Tool, now: str) -> dict[str, Any]:
    given = {a.name: _draw(rng, a, now) for a in tool.arguments if a.required or rng.random() < 0.6}
    return {"id": id_, "tool": tool.name, "arguments": given}


def _draw(rng: random.Random, argument: Argument, now: str) -> Any:
    day = datetime.date.fromisoformat(now[:10]) + datetime.timedelta(days=rng.randint(-20, 20))
    match argument.type:
        case "choice" | "unit" | "recurrence":
            return rng.choice(argument.choices)
        case "date" | "end_date":
            return day.isoformat()
        case "datetime" | "end_datetime":
            return f"{day.isoformat()}T{rng.randint(6, 22):02d}:{rng.choice((0, 15, 30, 45)):02d}"
        case "time" | "end_time":
            return f"{rng.randint(6, 22):02d}:{rng.choice((0, 15, 30, 45)):02d}"
        case "texts":
            return [rng.choice(argument.choices or pools.pool("topics"))]
        case "currency":
            return rng.choice(("USD", "EUR", "GBP"))
        case "email":
            return f"{rng.choice(pools.pool('first_names'))}@example.org"
        case "phone":
            return f"555 01{rng.randint(0, 99):02d}"
        case "id":
            return str(rng.randint(100, 9999))
        case "text" | "channel":
            return rng.choice(pools.pool("topics"))
    least, most = argument.bounds
    low = math.ceil(least if least is not None else 1 if most is None else min(1, most))
    high = low + 59 if most is None else math.floor(most)
    return rng.randint(low, high) if low <= high else least
