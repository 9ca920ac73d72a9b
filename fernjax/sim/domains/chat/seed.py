"""A believable team chat: who is there, where they talk, what they said in the last weeks."""

from __future__ import annotations

import pathlib
import random
from collections.abc import Sequence
from typing import Any

from fernjax.sim.arguments import CLOCK_TEXT
from fernjax.sim.directory import read_pools
from fernjax.sim.domains.chat.app import ME, channel_name, new_channel
from fernjax.sim.pools import pool
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.world import State

POOLS = read_pools(pathlib.Path(__file__).with_name("pools"))
"""Values that only a chat has: channels, messages, statuses."""

ALWAYS = ("general", "random", "announcements")
"""Channels that every team has."""

ROLES = (
    "manager",
    "boss",
    "team lead",
    "intern",
    "product owner",
    "recruiter",
    "assistant",
    "office manager",
)
MAX_AGE_DAYS = 21


def initial_state(rng: random.Random, now: str) -> State:
    """A seeded team of about a dozen people and channels, with some thirty messages of the last three weeks.

    Args:
      rng: its only source of chance.
      now: ISO 8601 local time; becomes the state's clock.
    """
    today = ordinal(now[:10])
    if today is None:
        raise ValueError(f"now must be an ISO date and time, not {now!r}")
    people = _people(rng)
    names = [p["name"] for p in people]
    channels = []
    for name in dict.fromkeys((*ALWAYS, *(_pick(rng, POOLS["channels"]) for _ in range(9)))):
        channel = new_channel(channel_name(name), name not in ALWAYS and rng.random() < 0.25, [ME])
        channel["members"] += rng.sample(names, rng.randrange(2, 6)) if name not in ALWAYS else names
        channel["closed"] = name not in ALWAYS and rng.random() < 0.12
        if rng.random() < 0.15:
            channel["muted"] = "always"
        channels.append(channel)
    messages = _messages(rng, today, channels, names)
    for channel in channels:
        own = [m["id"] for m in messages if m["channel"] == channel["name"]]
        channel["pinned"] = own[:1] if own and rng.random() < 0.3 else []
    status = {"text": _pick(rng, POOLS["statuses"]) if rng.random() < 0.4 else "", "until": ""}
    return {
        "now": now,
        "next_id": len(messages) + 1,
        "people": people,
        "channels": channels,
        "messages": messages,
        "scheduled": [],
        "status": status,
    }


def _people(rng: random.Random) -> list[dict[str, Any]]:
    """About a dozen people, some with a role; two first names may be the same."""
    people: list[dict[str, Any]] = []
    roles = rng.sample(ROLES, 4)
    for index in range(rng.randrange(10, 15)):
        first = people[0]["name"].split()[0] if index == 5 else _pick(rng, pool("first_names"))
        last = _pick(rng, pool("last_names"))
        name = f"{first} {last}"
        if any(p["name"] == name for p in people):
            continue
        aliases = [f"{first[:1]}{last}".lower()]
        if index < len(roles):
            aliases.append(roles[index])
        people.append({"name": name, "aliases": aliases})
    return people


def _messages(
    rng: random.Random, today: int, channels: list[dict[str, Any]], names: list[str]
) -> list[dict[str, Any]]:
    """What was said, oldest first."""
    moments = []
    for _ in range(rng.randrange(24, 36)):
        day, minute = today - 1 - int(rng.random() * MAX_AGE_DAYS), 480 + int(rng.random() * 600)
        moments.append(f"{iso_date(day)}T{CLOCK_TEXT[minute]}")
    moments.sort()
    messages = []
    for number, at in enumerate(moments, 1):
        direct = rng.random() < 0.15
        author = _pick(rng, names)
        message = {"id": f"m{number}", "channel": "", "to": ME, "author": author}
        if not direct:
            message["channel"], message["to"] = _pick(rng, channels)["name"], ""
        messages.append({**message, "text": _pick(rng, POOLS["messages"]), "at": at})
    return messages


def _pick(rng: random.Random, values: Sequence[Any]) -> Any:
    """A value drawn evenly; several times faster than `rng.choice`."""
    return values[int(rng.random() * len(values))]
