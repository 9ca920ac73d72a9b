"""A believable home: its rooms, what stands in them, and what is on at the moment."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from fernjax.sim.domains.home.words import COLORS, DRINKS
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.world import State

T = TypeVar("T")

UPSTAIRS = ("bedroom", "bathroom", "nursery", "guest room", "attic", "kids room", "master bedroom")
ALWAYS = ("kitchen", "living room", "bedroom", "bathroom", "hallway")
MORE = (
    "office",
    "dining room",
    "garage",
    "guest room",
    "nursery",
    "porch",
    "basement",
    "garden",
    "patio",
    "laundry room",
    "den",
    "kids room",
    "attic",
    "balcony",
    "master bedroom",
)
SWITCHED = {
    "kitchen": ("kettle", "toaster", "dishwasher", "smart plug", "slow cooker", "radiator"),
    "living room": ("tv", "ceiling fan", "smart plug", "stereo", "fireplace", "air purifier", "tv plug"),
    "bedroom": ("fan", "tv", "electric blanket", "humidifier", "smart plug", "phone charger"),
    "bathroom": ("exhaust fan", "space heater", "towel warmer"),
    "hallway": ("plug", "router"),
    "office": ("printer", "monitor", "desk fan", "smart plug", "computer"),
    "garage": ("car charger", "plug", "heater", "fan"),
    "garden": ("sprinkler", "fountain", "outdoor plug"),
    "patio": ("heater", "hot tub", "outdoor plug"),
    "laundry room": ("washing machine", "dryer", "iron"),
}
LAMPS = {
    "kitchen": ("under cabinet light", "pendant light", "spotlight"),
    "bedroom": ("bedside lamp", "reading lamp", "night light", "lamp", "mood light"),
    "master bedroom": ("bedside lamp", "reading lamp", "chandelier"),
    "bathroom": ("mirror light", "vanity light", "spotlight"),
    "nursery": ("night light", "star projector", "lamp"),
    "kids room": ("night light", "lava lamp", "fairy light"),
    "office": ("desk lamp", "floor lamp", "led strip"),
    "garage": ("work light", "strip light"),
    "garden": ("string light", "security light", "lantern"),
    "patio": ("string light", "fairy light", "lantern"),
    "porch": ("security light", "lantern"),
}
OTHER_LAMPS = (
    "lamp",
    "floor lamp",
    "table lamp",
    "standing lamp",
    "wall light",
    "led strip",
    "salt lamp",
    "spotlight",
)
OTHER_THINGS = ("fan", "smart plug", "space heater", "tv", "dehumidifier", "wemo switch")
KINDS = {"tv": "tv", "fan": "fan", "plug": "plug", "socket": "plug", "switch": "plug"}
"""Kind of a switched device by the last word of its name; any other is an `appliance`."""

LEVELS = (100, 100, 100, 80, 75, 60, 50, 40, 30, 20, 10)


def initial_state(rng: random.Random, now: str) -> State:
    """A seeded home of seven to ten rooms with one to four devices each, one vacuum and one coffee machine.

    Args:
      rng: its only source of chance.
      now: ISO 8601 local time; becomes the state's clock.
    """
    today = ordinal(now[:10])
    if today is None:
        raise ValueError(f"now must be an ISO date and time, not {now!r}")
    names = [*ALWAYS, *rng.sample(MORE, rng.randrange(2, 6))]
    rooms = [
        {"id": f"r{n + 1}", "title": name, "floor": "upstairs" if name in UPSTAIRS else "downstairs"}
        for n, name in enumerate(names)
    ]
    devices: list[dict[str, Any]] = []
    for name in names:
        devices.append(_light(rng, _pick(rng, ("light", "light", "ceiling light")), name))
        if rng.random() < 0.45:
            devices.append(_light(rng, _pick(rng, LAMPS.get(name, OTHER_LAMPS)), name))
        things = SWITCHED.get(name, OTHER_THINGS)
        for title in rng.sample(things, min(len(things), rng.randrange(3))):
            kind = KINDS.get(title.rpartition(" ")[2], "appliance")
            devices.append({"title": title, "kind": kind, "room": name, "on": rng.random() < 0.3})
    unit = _pick(rng, ("celsius", "fahrenheit"))
    heated = ("",) if rng.random() < 0.5 else tuple(rng.sample(names, rng.randrange(2, 5)))
    devices += [_thermostat(rng, room, unit) for room in heated]
    devices.append(
        {"title": "vacuum", "kind": "vacuum", "room": "", "on": rng.random() < 0.15, "cleaning": ""}
    )
    drinks = ["coffee", *rng.sample(DRINKS, rng.randrange(8, 16))]
    devices.append(
        {
            "title": "coffee machine",
            "kind": "coffee",
            "room": "kitchen",
            "on": False,
            "drink": "",
            "drinks": drinks,
        }
    )
    devices += [
        {"title": title, "kind": "lock", "room": "", "locked": rng.random() < 0.7}
        for title in ("front door", "back door")
    ]
    devices = [{"id": f"d{n + 1}", **device} for n, device in enumerate(devices)]
    jobs = [_job(rng, n + len(devices) + 1, today) for n in range(rng.randrange(3))]
    return {
        "now": now,
        "next_id": len(devices) + len(jobs) + 1,
        "unit": unit,
        "here": _pick(rng, names),
        "rooms": rooms,
        "devices": devices,
        "jobs": jobs,
    }


def _light(rng: random.Random, title: str, room: str) -> dict[str, Any]:
    dims = rng.random() < 0.85
    colors = dims and rng.random() < 0.6
    return {
        "title": title,
        "kind": "light",
        "room": room,
        "on": rng.random() < 0.5,
        "dims": dims,
        "level": _pick(rng, LEVELS) if dims else 100,
        "colors": colors,
        "color": _pick(rng, COLORS) if colors and rng.random() < 0.3 else "warm white",
    }


def _thermostat(rng: random.Random, room: str, unit: str) -> dict[str, Any]:
    low, high = (17, 24) if unit == "celsius" else (62, 76)
    return {
        "title": "thermostat",
        "kind": "thermostat",
        "room": room,
        "on": rng.random() < 0.8,
        "degrees": rng.randrange(low, high),
        "measured": rng.randrange(low, high),
    }


def _job(rng: random.Random, number: int, today: int) -> dict[str, Any]:
    date, time = (
        iso_date(today + rng.randrange(1, 4)),
        _pick(rng, ("07:00", "08:30", "14:00", "morning", "evening")),
    )
    if rng.random() < 0.5:
        return {
            "id": f"j{number}",
            "title": "coffee",
            "device": "coffee machine",
            "room": "",
            "date": date,
            "time": time,
        }
    room = _pick(rng, ("", "kitchen", "living room"))
    return {
        "id": f"j{number}",
        "title": "clean",
        "device": "vacuum",
        "room": room,
        "date": date,
        "time": time,
    }


def _pick(rng: random.Random, values: Sequence[T]) -> T:
    """A value drawn evenly; several times faster than `rng.choice`."""
    return values[int(rng.random() * len(values))]
