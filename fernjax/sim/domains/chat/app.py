"""A team chat: channels, direct messages, the own status, one pure `step`.

State: `{"now": ISO local time, "next_id": int, "people": [person], "channels": [channel],
"messages": [message], "scheduled": [message], "status": {"text", "until"}}` with
  person: name, aliases (handle, role);
  channel: name, aliases, private, closed (archived: it takes nothing more), members (names, and "me"), muted
    ("" for not, "always", or the ISO moment until which), pinned (ids of messages);
  message: id, channel ("" for a direct one), to ("" in a channel), author, text, at (ISO; oldest first).
Private channels are those that the user is a member of. The clock does not move, so that mutes, the status
and scheduled messages keep their moments.
"""

from __future__ import annotations

import functools
import pathlib
from typing import Any

from fernjax.sim.agenda import PARTS
from fernjax.sim.arguments import CLOCK, CLOCK_TEXT, Action, Answer, Refused, invalid, make_check, make_step
from fernjax.sim.directory import (
    Entry,
    is_me,
    pick,
    squeezed,
)
from fernjax.sim.matching import tokens
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.slots import DAY_MIN
from fernjax.sim.tools import load_tools
from fernjax.sim.types import Observation
from fernjax.sim.world import State

ME = "me"
MAX_SHOWN = 20
USUAL_MIN = 9 * 60
"""Minute of the day at which a message goes out that was given a day alone."""

NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "post_message": (("channel",), ("text",)),
    "direct_message": (("user",), ("text",)),
    "create_channel": (("channel",),),
    "invite": (("users",), ("channel",)),
    "mute_channel": (("channel",),),
    "set_status": (("text",),),
    "search_messages": (("query",),),
    "pin_message": (("channel",),),
    "schedule_message": (("channel",), ("text",), ("date", "time")),
}


# Writing


def _post_message(state: State, a: dict[str, Any]) -> Answer:
    channel = _open_channel(state, a["channel"])
    return _send(state, channel["name"], "", a["text"])


def _direct_message(state: State, a: dict[str, Any]) -> Answer:
    return _send(state, "", _person(state, a["user"]), a["text"])


def _send(state: State, channel: str, to: str, text: str) -> Answer:
    message = _message(state, channel, to, text, state["now"])
    new = {**state, "next_id": state["next_id"] + 1, "messages": [*state["messages"], message]}
    return new, Observation("created", {"message": message})


def _schedule_message(state: State, a: dict[str, Any]) -> Answer:
    channel = _open_channel(state, a["channel"])
    at = _moment(state["now"], a.get("date", ""), a.get("time", ""))
    message = _message(state, channel["name"], "", a["text"], at)
    new = {**state, "next_id": state["next_id"] + 1, "scheduled": [*state["scheduled"], message]}
    return new, Observation("created", {"scheduled": message})


def _set_status(state: State, a: dict[str, Any]) -> Answer:
    now, until = state["now"], ""
    if "duration_minutes" in a:
        until = later(now, a["duration_minutes"])
    if "until" in a:
        said = a["until"]
        end = _next_moment(now, CLOCK[said] if said in CLOCK else PARTS[said][0])
        if until and until != end:
            raise Refused(invalid("until", f"does not agree with duration_minutes ({until})"))
        until = end
    status = {"text": a["text"], "until": until}
    changed = [] if status == state["status"] else ["status"]
    return {**state, "status": status}, Observation("updated", {"status": status, "changed": changed})


# Channels


def _create_channel(state: State, a: dict[str, Any]) -> Answer:
    name = channel_name(a["channel"])
    if any(squeezed(c["name"]) == squeezed(name) for c in state["channels"]):
        raise Refused(invalid("channel", f"{name} exists already"))
    channel = new_channel(name, a.get("private", False), [ME])
    new = {**state, "channels": [*state["channels"], channel]}
    return new, Observation("created", {"channel": _shown(channel)})


def _invite(state: State, a: dict[str, Any]) -> Answer:
    channel = _open_channel(state, a["channel"])
    people = list(dict.fromkeys(_person(state, u, "users") for u in a["users"]))
    added = [p for p in people if p not in channel["members"]]
    data = {"channel": channel["name"], "added": added, "already": [p for p in people if p not in added]}
    if not added:
        return state, Observation("updated", {**data, "changed": []})
    new = _with(state, channel, members=[*channel["members"], *added])
    return new, Observation("updated", {**data, "changed": ["members"]})


def _mute_channel(state: State, a: dict[str, Any]) -> Answer:
    channel = _open_channel(state, a["channel"])
    minutes = a.get("duration_minutes")
    muted = "always" if minutes is None else later(state["now"], minutes)
    new = _with(state, channel, muted=muted)
    changed = [] if channel["muted"] == muted else ["muted"]
    return new, Observation("updated", {"channel": channel["name"], "muted": muted, "changed": changed})


def _pin_message(state: State, a: dict[str, Any]) -> Answer:
    channel = _open_channel(state, a["channel"])
    last = next((m for m in reversed(state["messages"]) if m["channel"] == channel["name"]), None)
    if last is None:
        raise Refused(Observation("not_found", {"channel": channel["name"], "messages": 0}))
    if last["id"] in channel["pinned"]:
        return state, Observation("updated", {"message": last, "changed": []})
    new = _with(state, channel, pinned=[*channel["pinned"], last["id"]])
    return new, Observation("updated", {"message": last, "changed": ["pinned"]})


# Looking


def _search_messages(state: State, a: dict[str, Any]) -> Answer:
    first, last = a.get("start_date", ""), a.get("end_date", "")
    if first and last and last < first:
        raise Refused(invalid("end_date", "is before start_date"))
    found = state["messages"]
    if "channel" in a:
        name = pick(a["channel"], state["channels"], "channel")["name"]
        found = [m for m in found if m["channel"] == name]
    if "user" in a:
        author = _person(state, a["user"])
        found = [m for m in found if m["author"] == author]
    if first:
        found = [m for m in found if m["at"][:10] >= first]
    if last:
        found = [m for m in found if m["at"][:10] <= last]
    found = _about(a["query"], found)
    if not found:
        return state, Observation("not_found", {**a})
    shown = found[: -MAX_SHOWN - 1 : -1]
    return state, Observation("found", {"count": len(found), "messages": shown})


def _about(query: str, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages that hold all of the words, else those that hold most of them, at least half."""
    want = tokens(query)
    said = [tokens(m["text"]) for m in messages]
    whole = [m for m, t in zip(messages, said, strict=True) if want <= t]
    if whole or not want:
        return whole
    held = [len(want & t) for t in said]
    best = max(held, default=0)
    if best * 2 < len(want):
        return []
    return [m for m, n in zip(messages, held, strict=True) if n == best]


# What they share


def channel_name(said: str) -> str:
    """A channel's name as the app writes it: lower case, words joined by hyphens, no leading "#"."""
    parts = "".join(c if c.isalnum() or c == "_" else " " for c in said.casefold()).split()
    return "-".join(parts)


def new_channel(name: str, private: bool, members: list[str]) -> Entry:
    """An empty channel."""
    return {
        "name": name,
        "aliases": [],
        "private": private,
        "closed": False,
        "members": members,
        "muted": "",
        "pinned": [],
    }


@functools.lru_cache(maxsize=1 << 12)
def later(now: str, minutes: int) -> str:
    """The moment that many minutes after `now`, ISO to the minute."""
    return _iso((ordinal(now[:10]) or 0) * DAY_MIN + CLOCK[now[11:16]] + minutes)


def _iso(minutes: int) -> str:
    day, minute = divmod(minutes, DAY_MIN)
    return f"{iso_date(day)}T{CLOCK_TEXT[minute]}"


def _next_moment(now: str, minute: int) -> str:
    """The next moment at which the clock shows this minute of the day."""
    ahead = (minute - CLOCK[now[11:16]]) % DAY_MIN
    return later(now, ahead or DAY_MIN)


def _moment(now: str, date: str, time: str) -> str:
    """When a scheduled message goes out."""
    if not date:
        return _next_moment(now, CLOCK[time] if time in CLOCK else PARTS[time][0])
    today, minute = now[:10], CLOCK[now[11:16]]
    if time in CLOCK:
        first, last = CLOCK[time], CLOCK[time] + 1
    else:
        first, last = PARTS[time] if time else (USUAL_MIN, DAY_MIN)
    if date < today:
        raise Refused(invalid("date", "has passed"))
    if date == today and last <= minute + 1:
        raise Refused(invalid("time" if time else "date", "has passed"))
    if date == today and first <= minute:
        first = minute + 1  # the part of the day, or the day, has begun
    return f"{date}T{CLOCK_TEXT[first]}"


def _message(state: State, channel: str, to: str, text: str, at: str) -> dict[str, Any]:
    name = f"m{state['next_id']}"
    return {"id": name, "channel": channel, "to": to, "author": ME, "text": text, "at": at[:16]}


def _open_channel(state: State, said: str) -> Entry:
    """The channel that the words mean, one that still takes something."""
    channel = pick(said, state["channels"], "channel")
    if channel["closed"]:
        raise Refused(invalid("channel", f"{channel['name']} is archived and takes nothing more"))
    return channel


def _person(state: State, said: str, argument: str = "user") -> str:
    return ME if is_me(said) else pick(said, state["people"], argument)["name"]


def _with(state: State, channel: Entry, **changes: Any) -> State:
    """The state with one channel changed."""
    new = {**channel, **changes}
    return {**state, "channels": [new if c is channel else c for c in state["channels"]]}


def _shown(channel: Entry) -> dict[str, Any]:
    return {k: v for k, v in channel.items() if k not in ("aliases", "pinned")}


TOOLS = load_tools(pathlib.Path(__file__).with_name("tools.json"), reads=("search_messages",))
_ACTIONS: dict[str, Action] = {
    "post_message": _post_message,
    "direct_message": _direct_message,
    "create_channel": _create_channel,
    "invite": _invite,
    "mute_channel": _mute_channel,
    "set_status": _set_status,
    "search_messages": _search_messages,
    "pin_message": _pin_message,
    "schedule_message": _schedule_message,
}
step = make_step(make_check(TOOLS, NEEDS), _ACTIONS)
