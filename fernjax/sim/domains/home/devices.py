"""Which of a home's devices and rooms the user's words mean, and how a device is shown."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from fernjax.sim.arguments import Refused
from fernjax.sim.domains.home.words import EVERY, HERE, KIND_WORDS, SAME_ROOM, SPARE, WHOLE_HOME
from fernjax.sim.matching import tokens
from fernjax.sim.text import normalize
from fernjax.sim.types import Observation
from fernjax.sim.world import State

Device = dict[str, Any]

MAX_SHOWN = 20
SWITCHED = frozenset(("light", "plug", "fan", "tv", "appliance"))
"""Kinds that "everything" switches; heating, locks, vacuum and coffee machine are asked for by name."""

GROUPS = frozenset(("light", "thermostat"))
"""Kinds of which a plain word means all ("the lights", "the heating"), not one."""


class Wanted(NamedTuple):
    """What the user's words for a device ask for.

    Attributes:
      words: their tokens, without "all" and the like.
      kind: the kind of device that they name, "" for none.
      rest: the tokens that do not name the kind: a room, a brand, what sets one of a kind apart.
      every: whether all that fit are meant.
    """

    words: frozenset[str]
    kind: str
    rest: frozenset[str]
    every: bool


@functools.lru_cache(maxsize=1 << 14)
def read_device(text: str) -> Wanted:
    """The user's words for a device."""
    said = tokens(text)
    words = said - EVERY
    ordered = [_bare(t) for t in normalize(text).split()]
    kind = next((KIND_WORDS[t] for t in reversed(ordered) if t in KIND_WORDS), "")
    rest = frozenset(w for w in words if w not in SPARE and KIND_WORDS.get(w) != kind)
    plain = kind in GROUPS and ("light" in words or kind != "light")
    return Wanted(words, kind, rest, bool(said & EVERY) or plain)


def find_devices(state: State, words: str, room: str) -> tuple[list[Device], Wanted]:
    """The devices that the words mean, at least one, in the home's order.

    An exact name beats a name that holds the words; a name alone beats a name with its room; the kind that
    the words name comes last.

    Raises:
      Refused: `not_found` with what there is, for the device or for the room.
    """
    wanted = read_device(words)
    pool = devices_in(state, room) if room else state["devices"]
    found = _matching(pool, wanted)
    if not found:
        there = sorted({d["title"] for d in pool})[:MAX_SHOWN]
        data: dict[str, Any] = {"device": words, "devices": there}
        if room:
            data["room"] = room
        raise Refused(Observation("not_found", data))
    return found, wanted


def pick_devices(state: State, words: str, room: str) -> list[Device]:
    """The devices that a change means: one, or all of a group.

    Raises:
      Refused: `not_found`, or `ambiguous` with the candidates.
    """
    found, wanted = find_devices(state, words, room)
    if len(found) > 1 and not wanted.every:
        shown = [show(d, state["unit"]) for d in found[:10]]
        raise Refused(Observation("ambiguous", {"device": words, "candidates": shown, "count": len(found)}))
    return found


def lights_in(state: State, room: str) -> list[Device]:
    """The lights of a room, or of the whole home.

    Raises:
      Refused: `not_found` where there is no such room, or no light in it.
    """
    pool = devices_in(state, room) if room else state["devices"]
    lights = [d for d in pool if d["kind"] == "light"]
    if not lights:
        lit = sorted({d["room"] for d in state["devices"] if d["kind"] == "light"})
        raise Refused(Observation("not_found", {"device": "light", "room": room, "rooms": lit}))
    return lights


def devices_in(state: State, room: str) -> list[Device]:
    """What stands in the place that the words mean: a room, a floor, the home, or around a device.

    Raises:
      Refused: `not_found` with the rooms that there are.
    """
    names = room_names(state, room)
    if names is None:
        return state["devices"]
    if names:
        return [d for d in state["devices"] if d["room"] in names]
    want = tokens(room)
    near = [d for d in state["devices"] if want and want <= tokens(d["title"])]
    if not near:
        rooms = [r["title"] for r in state["rooms"]]
        raise Refused(Observation("not_found", {"room": room, "rooms": rooms}))
    return near


def room_names(state: State, room: str) -> frozenset[str] | None:
    """Rooms that the words mean; empty where there is none, None where they mean the whole home."""
    rooms = tuple([(r["title"], r["floor"]) for r in state["rooms"]])
    return _rooms_meant(rooms, state["here"], room)


@functools.lru_cache(maxsize=1 << 14)
def _rooms_meant(rooms: tuple[tuple[str, str], ...], here: str, room: str) -> frozenset[str] | None:
    """Titles among the rooms, given as (title, floor): an exact name, one that holds the words, a floor."""
    want = tokens(room)
    if not want or want <= HERE:
        return frozenset((here,))
    if want <= WHOLE_HOME | EVERY:
        return None
    found = [t for t, _ in rooms if tokens(t) == want] or [t for t, _ in rooms if want <= tokens(t)]
    if not found:
        said = normalize(room)
        found = [t for t, floor in rooms if SAME_ROOM.get(said) == t or floor == said]
    return frozenset(found)


def show(device: Device, unit: str) -> dict[str, Any]:
    """A device as the app shows it: no brightness and no colour where it is off."""
    out: dict[str, Any] = {"id": device["id"], "title": device["title"], "room": device["room"]}
    kind = device["kind"]
    if kind == "lock":
        out["locked"] = device["locked"]
        return out
    out["on"] = device["on"]
    if kind == "light" and device["on"]:
        if device["dims"]:
            out["level"] = device["level"]
        if device["colors"]:
            out["color"] = device["color"]
    elif kind == "thermostat":
        out |= {"measured": device["measured"], "unit": unit}
        if device["on"]:
            out["degrees"] = device["degrees"]
    elif kind == "vacuum":
        out["status"] = "cleaning" if device["on"] else "docked"
        if device["on"]:
            out["cleaning"] = device["cleaning"] or "everywhere"
    elif kind == "coffee":
        out["status"] = "brewing" if device["on"] else "idle"
        if device["on"]:
            out["drink"] = device["drink"]
    return out


def with_devices(state: State, changed: list[Device]) -> State:
    """The state with devices put in place of those of the same id."""
    new = {d["id"]: d for d in changed}
    return {**state, "devices": [new.get(d["id"], d) for d in state["devices"]]}


def _matching(pool: list[Device], wanted: Wanted) -> list[Device]:
    words, kind = wanted.words, wanted.kind
    if not words:
        return [d for d in pool if d["kind"] in SWITCHED] if wanted.every else []
    if kind and wanted.every:
        rest = wanted.rest
        group = [d for d in pool if d["kind"] == kind and (not rest or rest <= _named(d["title"], d["room"]))]
        if group:
            return group
    titled = [(d, tokens(d["title"])) for d in pool]
    found = [d for d, t in titled if t == words] or [d for d, t in titled if words <= t]
    if found:
        return found
    found = [d for d in pool if words <= _named(d["title"], d["room"])]
    if not found and kind:
        found = [d for d in pool if d["kind"] == kind and wanted.rest <= _named(d["title"], d["room"])]
    return found


@functools.lru_cache(maxsize=1 << 12)
def _named(title: str, room: str) -> frozenset[str]:
    """Tokens of a device's name and of its room."""
    return tokens(title) | tokens(room)


def _bare(token: str) -> str:
    """A token as `tokens` would hold it: singular."""
    return next(iter(tokens(token)), token)
