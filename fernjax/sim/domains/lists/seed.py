"""Believable lists: what somebody has to buy, to do and to remember."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from fernjax.sim.domains.lists.items import item_key, list_key
from fernjax.sim.domains.lists.values import POOLS
from fernjax.sim.pools import pool
from fernjax.sim.world import State

T = TypeVar("T")

SHOPPING = ("shopping", "grocery", "groceries")
TASKS = ("to do", "todo", "to-do", "tasks", "chores")
CONTENTS = {
    "packing": "gear",
    "camping": "gear",
    "christmas": "gear",
    "wish": "gear",
    "birthday": "gear",
    "party": "foods",
    "picnic": "foods",
    "barbecue": "foods",
    "pharmacy": "household",
    "hardware store": "household",
    "cleaning supplies": "household",
    "school supplies": "household",
    "movies": "titles",
    "books to read": "titles",
    "bucket": "titles",
    "weekend": "gerunds",
    "work": "chore_nouns",
    "errands": "chore_nouns",
}
"""Further lists, and the pool that fills each."""

COUNTED_IN = ("bag", "bottle", "box", "can", "carton", "jar", "pack", "pound")
TICKED = 3


def initial_state(rng: random.Random, now: str) -> State:
    """Two to five seeded lists, one of them for the shops and mostly one of things to do.

    Args:
      rng: its only source of chance.
      now: ISO 8601 local time; becomes the state's clock.
    """
    lists: list[dict[str, Any]] = []
    titles = [(_pick(rng, SHOPPING), "foods")]
    if rng.random() < 0.85:
        titles.append((_pick(rng, TASKS), ""))
    titles += rng.sample(list(CONTENTS.items()), rng.randrange(1, 4))
    next_id = 1
    for title, contents in titles:
        if any(list_key(title) == list_key(one["title"]) for one in lists):
            continue
        one = {"id": f"l{next_id}", "title": title, "items": [], "ticked": []}
        next_id = _fill(rng, one, POOLS[contents] if contents else pool("tasks"), next_id + 1)
        lists.append(one)
    recent = _pick(rng, lists)["id"] if rng.random() < 0.5 else ""
    return {"now": now, "next_id": next_id, "recent": recent, "lists": lists}


def _fill(rng: random.Random, one: dict[str, Any], values: Sequence[str], next_id: int) -> int:
    """Puts items on a list, and a few that are ticked off already; returns the next id."""
    counted = values is POOLS["foods"]
    seen = set()
    for _ in range(rng.randrange(3, 9)):
        title = _pick(rng, POOLS["countables"]) if counted and rng.random() < 0.4 else _pick(rng, values)
        if item_key(title) in seen:
            continue
        seen.add(item_key(title))
        quantity, unit = None, ""
        if counted and rng.random() < 0.35:
            quantity = rng.randrange(1, 7)
            unit = "" if title in POOLS["countables"] else _pick(rng, COUNTED_IN)
        item = {"id": f"i{next_id}", "title": title, "quantity": quantity, "unit": unit}
        one["items"].append(item)
        next_id += 1
    for _ in range(rng.randrange(TICKED)):
        title = _pick(rng, values)
        if item_key(title) not in seen:
            seen.add(item_key(title))
            one["ticked"].append(title)
    return next_id


def _pick(rng: random.Random, values: Sequence[T]) -> T:
    """A value drawn evenly; several times faster than `rng.choice`."""
    return values[int(rng.random() * len(values))]
