"""A smart home, one pure `step`.

State: `{"now": ISO local time, "next_id": int, "unit": "celsius" or "fahrenheit", "here": room where the
speaker stands, "rooms": [room], "devices": [device], "jobs": [job]}` with
  room: id, title, floor (`upstairs` or `downstairs`);
  device: id, title, kind, room ("" for the home as a whole), and by kind
    light: on, dims, level (1 to 100, kept while it is off), colors, color;
    thermostat: on, degrees (target), measured, both in the home's unit;
    vacuum: on (cleaning), cleaning (room, "" for all); coffee: on (brewing), drink, drinks (what it makes);
    lock: locked; plug, fan, tv, appliance: on;
  job: id, title (drink, or "clean"), device, room, date, time ("HH:MM", a part of the day, or "").
A call without a room means the whole home; "the lights" and "the heating" mean all of them, other words one
device, or the answer is `ambiguous`. A light set to 0 is off, and comes back at its last level.
"""

from __future__ import annotations

import functools
import pathlib
from typing import Any

from fernjax.sim.agenda import PARTS
from fernjax.sim.arguments import CLOCK, Action, Answer, Refused, invalid, make_check, make_step
from fernjax.sim.domains.home.devices import (
    MAX_SHOWN,
    Device,
    devices_in,
    find_devices,
    lights_in,
    pick_devices,
    room_names,
    show,
    with_devices,
)
from fernjax.sim.domains.home.words import COLORS, MOODS
from fernjax.sim.matching import tokens
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.slots import DAY_MIN
from fernjax.sim.text import normalize
from fernjax.sim.tools import load_tools
from fernjax.sim.types import Observation
from fernjax.sim.world import State

NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "turn_on": (("device",),),
    "turn_off": (("device",),),
    "set_brightness": (("percent",),),
    "set_color": (("color",),),
    "set_temperature": (("degrees",),),
}
LIMITS = {"celsius": (5, 35), "fahrenheit": (41, 95)}
"""Degrees that a thermostat takes."""

USUAL_STEP = 20
"""Percent by which lights get brighter or darker where nothing is said."""

MAX_JOBS = 100
OWN_TOOL = {"vacuum": "start_vacuum", "coffee": "make_coffee"}
_COLOR_WORDS = frozenset(w for c in (*COLORS, *MOODS) for w in tokens(c)) | frozenset(
    "warm cool cold dark bright light soft neon pastel different mood natural normal default warmer cooler "
    "softer neutral cosy moody festive spooky magical dreamy christmassy".split()
)
_NO_DRINK = frozenset(
    "coffee cup mug pot pod shot glass carafe jug large small medium big tall hot fresh freshly brewed good "
    "nice quick regular usual strong some more another one two cuppa joe java brew drink morning early "
    "batch".split()
)


# Switching


def _turn_on(state: State, a: dict[str, Any]) -> Answer:
    found = pick_devices(state, a["device"], a.get("room", ""))
    for device in found:
        if device["kind"] in OWN_TOOL or device["kind"] == "lock":
            raise Refused(_unsupported(state, "turn_on", device, OWN_TOOL.get(device["kind"], "get_status")))
    return _changed(state, found, [{**d, "on": True} for d in found])


def _turn_off(state: State, a: dict[str, Any]) -> Answer:
    found = pick_devices(state, a["device"], a.get("room", ""))
    for device in found:
        if device["kind"] == "lock":
            raise Refused(_unsupported(state, "turn_off", device, "get_status"))
    return _changed(state, found, [_off(d) for d in found])


def _off(device: Device) -> Device:
    if device["kind"] == "vacuum":
        return {**device, "on": False, "cleaning": ""}
    if device["kind"] == "coffee":
        return {**device, "on": False, "drink": ""}
    return {**device, "on": False}


# Lights


def _set_brightness(state: State, a: dict[str, Any]) -> Answer:
    percent = _whole(a["percent"])
    lights = _able(state, "set_brightness", lights_in(state, a.get("room", "")), "dims")
    return _changed(state, lights, [_at_level(d, percent) for d in lights])


def _brighten(state: State, a: dict[str, Any]) -> Answer:
    return _shift(state, "brighten", a, 1)


def _dim(state: State, a: dict[str, Any]) -> Answer:
    return _shift(state, "dim", a, -1)


def _shift(state: State, tool: str, a: dict[str, Any], sign: int) -> Answer:
    """Moves the level of the lights that are on; brightening a dark place starts from 0."""
    lights = lights_in(state, a.get("room", ""))
    by = sign * _whole(a.get("percent", USUAL_STEP))
    lit = [d for d in lights if d["on"]]
    if not lit and sign > 0:
        able = _able(state, tool, lights, "dims") if "percent" in a else lights
        return _changed(
            state, able, [_at_level(d, min(by, 100)) if d["dims"] else {**d, "on": True} for d in able]
        )
    able = _able(state, tool, lit, "dims") if lit else []
    return _changed(state, able, [_at_level(d, min(max(d["level"] + by, 0), 100)) for d in able])


def _at_level(device: Device, level: int) -> Device:
    return {**device, "on": True, "level": level} if level else {**device, "on": False}


def _set_color(state: State, a: dict[str, Any]) -> Answer:
    color = normalize(a["color"])
    if _COLOR_WORDS.isdisjoint(tokens(color)):
        raise Refused(invalid("color", f"is no colour of a light, such as {', '.join(COLORS[:8])}"))
    lights = _able(state, "set_color", lights_in(state, a.get("room", "")), "colors")
    return _changed(state, lights, [{**d, "on": True, "color": color} for d in lights])


def _able(state: State, tool: str, lights: list[Device], what: str) -> list[Device]:
    """Those of the lights that can do it; `what` is `dims` or `colors`."""
    able = [d for d in lights if d[what]]
    if able:
        return able
    elsewhere = [show(d, state["unit"]) for d in state["devices"] if d["kind"] == "light" and d[what]]
    data = {
        "tool": tool,
        "devices": [d["title"] for d in lights][:MAX_SHOWN],
        "why": "does not dim" if what == "dims" else "has no colours",
        "able": elsewhere[:MAX_SHOWN],
    }
    raise Refused(Observation("unsupported", data))


def _whole(percent: int | float) -> int:
    if isinstance(percent, float):
        raise Refused(invalid("percent", f"must be a whole number, not {percent}"))
    return percent


# Vacuum and coffee machine


def _start_vacuum(state: State, a: dict[str, Any]) -> Answer:
    room = a.get("room", "")
    names = room_names(state, room) if room else None
    if names is not None and not names:
        raise Refused(Observation("not_found", {"room": room, "rooms": [r["title"] for r in state["rooms"]]}))
    place = "" if names is None else ", ".join(sorted(names))
    when = _moment(state, a)
    if when is not None:
        return _scheduled(state, {"title": "clean", "device": "vacuum", "room": place}, when)
    vacuum = next(d for d in state["devices"] if d["kind"] == "vacuum")
    return _changed(state, [vacuum], [{**vacuum, "on": True, "cleaning": place}], "started")


def _make_coffee(state: State, a: dict[str, Any]) -> Answer:
    machine = next(d for d in state["devices"] if d["kind"] == "coffee")
    drink = _drink(machine["drinks"], a.get("drink", ""))
    if drink is None:
        raise Refused(
            Observation("not_found", {"drink": a["drink"], "drinks": machine["drinks"][:MAX_SHOWN]})
        )
    when = _moment(state, a)
    if when is not None:
        return _scheduled(state, {"title": drink, "device": machine["title"], "room": ""}, when)
    return _changed(state, [machine], [{**machine, "on": True, "drink": drink}], "started")


def _drink(drinks: list[str], words: str) -> str | None:
    """The drink of the machine that the words mean: the longest whose name they hold; None for none."""
    want = tokens(words)
    held = [(len(t), d) for d in drinks if (t := tokens(d)) <= want and d != "coffee"]
    if held:
        return max(held)[1]
    return None if want - _NO_DRINK else "coffee"


def _moment(state: State, a: dict[str, Any]) -> tuple[str, str] | None:
    """Day and time for which something is wanted, None for now.

    Raises:
      Refused: `invalid_argument` for a moment that has passed.
    """
    date, time = a.get("date", ""), a.get("time", "")
    if not date and not time:
        return None
    today, minute = _now(state["now"])
    clock = CLOCK.get(time)
    day = ordinal(date) if date else None
    if clock == minute and day in (None, today):
        return None
    until = clock if clock is not None else PARTS[time][1] if time else DAY_MIN
    if day is None:
        return iso_date(today if until > minute else today + 1), time
    if day < today or (day == today and until <= minute):
        raise Refused(invalid("date" if day < today else "time", "has passed"))
    return date, time


def _scheduled(state: State, job: dict[str, Any], when: tuple[str, str]) -> Answer:
    """Puts a job on the list; the same job twice is one."""
    job = {**job, "date": when[0], "time": when[1]}
    for other in state["jobs"]:
        if other["time"] == job["time"] and other == {**job, "id": other["id"]}:
            return state, Observation("scheduled", {"job": other})
    if len(state["jobs"]) >= MAX_JOBS:
        raise Refused(Observation("unsupported", {"why": f"no more than {MAX_JOBS} jobs can be scheduled"}))
    job = {"id": f"j{state['next_id']}", **job}
    new = {**state, "next_id": state["next_id"] + 1, "jobs": [*state["jobs"], job]}
    return new, Observation("scheduled", {"job": job})


# Heating


def _set_temperature(state: State, a: dict[str, Any]) -> Answer:
    degrees = _in_unit(state["unit"], a["degrees"], a.get("unit", ""))
    room = a.get("room", "")
    pool = devices_in(state, room) if room else state["devices"]
    found = [d for d in pool if d["kind"] == "thermostat"]
    if not found:
        rooms = [d["room"] or "home" for d in state["devices"] if d["kind"] == "thermostat"]
        raise Refused(Observation("not_found", {"device": "thermostat", "room": room, "rooms": rooms}))
    return _changed(state, found, [{**d, "on": True, "degrees": degrees} for d in found])


def _in_unit(home: str, degrees: int | float, unit: str) -> int | float:
    """Degrees in the home's unit. Without a unit the home's is meant, unless only the other makes sense."""
    if not unit:
        other = "fahrenheit" if home == "celsius" else "celsius"
        unit = other if not _sane(degrees, home) and _sane(degrees, other) else home
    if not _sane(degrees, unit):
        low, high = LIMITS[unit]
        raise Refused(invalid("degrees", f"must be {low} to {high} {unit}"))
    if unit == home:
        return degrees
    value = round((degrees - 32) / 1.8 if home == "celsius" else degrees * 1.8 + 32, 1)
    return int(value) if value == int(value) else value


def _sane(degrees: int | float, unit: str) -> bool:
    low, high = LIMITS[unit]
    return low <= degrees <= high


# Looking


def _get_status(state: State, a: dict[str, Any]) -> Answer:
    room = a.get("room", "")
    if "device" in a:
        found, _ = find_devices(state, a["device"], room)
    else:
        found = devices_in(state, room) if room else [d for d in state["devices"] if d.get("on")]
    kinds = {d["kind"] for d in found}
    data: dict[str, Any] = {
        "count": len(found),
        "devices": [show(d, state["unit"]) for d in found[:MAX_SHOWN]],
    }
    if not kinds.isdisjoint(OWN_TOOL):
        titles = {d["title"] for d in found}
        data["scheduled"] = [j for j in state["jobs"] if j["device"] in titles][:MAX_SHOWN]
    return state, Observation("found", data)


# What they share


def _changed(state: State, were: list[Device], devices: list[Device], status: str = "updated") -> Answer:
    """The state with the changed devices, and what it shows: those meant, and ids of those changed."""
    changed = [d["id"] for w, d in zip(were, devices, strict=True) if w != d]
    data = {
        "devices": [show(d, state["unit"]) for d in devices[:MAX_SHOWN]],
        "count": len(devices),
        "changed": changed,
    }
    return with_devices(state, devices) if changed else state, Observation(status, data)


def _unsupported(state: State, tool: str, device: Device, use: str) -> Observation:
    return Observation("unsupported", {"tool": tool, "device": show(device, state["unit"]), "use": use})


@functools.lru_cache(maxsize=1 << 10)
def _now(now: str) -> tuple[int, int]:
    """Today and the minute of the day."""
    return ordinal(now[:10]) or 0, CLOCK[now[11:16]]


TOOLS = load_tools(pathlib.Path(__file__).with_name("tools.json"), reads=("get_status",))
_ACTIONS: dict[str, Action] = {
    "turn_on": _turn_on,
    "turn_off": _turn_off,
    "set_brightness": _set_brightness,
    "brighten": _brighten,
    "dim": _dim,
    "set_color": _set_color,
    "start_vacuum": _start_vacuum,
    "make_coffee": _make_coffee,
    "set_temperature": _set_temperature,
    "get_status": _get_status,
}
step = make_step(make_check(TOOLS, NEEDS), _ACTIONS)
