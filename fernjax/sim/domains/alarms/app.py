"""A clock's alarms and timers, one pure `step`.

State: `{"now": ISO local time, "next_id": int, "alarms": [alarm], "timers": [timer]}` with
  alarm: id, title (its label, "" for none), time ("HH:MM"), date (first day), recurrence ("" for none), skip
    (`[[first, last], ...]`, days on which a repeating one stays silent), ringing (since when it rings, ISO,
    or ""), snoozed (when it rings again, ISO, or "");
  timer: id, title, seconds (its length), ends (ISO), ringing.
Alarms stand in the order of their times, timers in that of their ends. Calls take no time; time passes by
`fernjax.sim.domains.alarms.ringing.advance`. An alarm for a part of the day is set to a usual time in it. A
time or a label means all of its alarms, where it is removed; what else several alarms fit is ambiguous. A
date picks one day of a repeating alarm, else it is meant as a whole.
"""

from __future__ import annotations

import pathlib
from typing import Any

from fernjax.sim.agenda import touches
from fernjax.sim.arguments import CLOCK, CLOCK_TEXT, Action, Answer, Refused, invalid, make_check, make_step
from fernjax.sim.domains.alarms.naming import named
from fernjax.sim.domains.alarms.ringing import (
    DAY_S,
    PARTS,
    USUAL,
    Item,
    day_of,
    in_part,
    iso_of,
    next_ring,
    rings_on,
    seconds_of,
    show_alarm,
    show_timer,
    silenced,
    without_day,
)
from fernjax.sim.matching import tokens
from fernjax.sim.recurrence import iso_date, next_occurrence, occurs
from fernjax.sim.slots import DAY_MIN
from fernjax.sim.tools import load_tools
from fernjax.sim.types import Observation
from fernjax.sim.world import State

SNOOZE_MIN = 10
"""For how long an alarm is snoozed where no length is said."""

MAX_SNOOZE_MIN = 12 * 60
MAX_TIMER_S = 100 * 60 * 60 - 1
MAX_SHOWN = 20
NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "set_alarm": (("time", "in_minutes"),),
    "change_alarm": (("new_time",),),
    "set_timer": (("seconds",),),
}


# Setting


def _set_alarm(state: State, a: dict[str, Any]) -> Answer:
    recurrence, title = a.get("recurrence", ""), a.get("label", "")
    if "in_minutes" in a:
        day, minute = _after(state, a)
    else:
        day, minute = _placed(state, a["time"], a.get("date", ""), recurrence, ("time", "date"))
    alarm = {
        "id": f"a{state['next_id']}",
        "title": title,
        "time": CLOCK_TEXT[minute],
        "date": iso_date(day),
        "recurrence": recurrence,
        "skip": [],
        "ringing": "",
        "snoozed": "",
    }
    now = seconds_of(state["now"])
    same = next((i for i in state["alarms"] if _is_same(i, alarm, day)), None)
    if same is not None:
        return state, Observation("exists", {"alarm": show_alarm(same, now)})
    new = {**state, "next_id": state["next_id"] + 1, "alarms": _inserted(state["alarms"], alarm, "time")}
    return new, Observation("created", {"alarm": show_alarm(alarm, now)})


def _set_timer(state: State, a: dict[str, Any]) -> Answer:
    if a["seconds"] > MAX_TIMER_S:
        raise Refused(invalid("seconds", f"must be at most {MAX_TIMER_S}"))
    now = seconds_of(state["now"])
    timer = {
        "id": f"t{state['next_id']}",
        "title": a.get("label", ""),
        "seconds": a["seconds"],
        "ends": iso_of(now + a["seconds"]),
        "ringing": "",
    }
    new = {**state, "next_id": state["next_id"] + 1, "timers": _inserted(state["timers"], timer, "ends")}
    return new, Observation("created", {"timer": show_timer(timer, now)})


def _after(state: State, a: dict[str, Any]) -> tuple[int, int]:
    """Day and minute of an alarm that is set by a delay; a time or a date beside it must agree."""
    day, minute = divmod(seconds_of(state["now"]) // 60 + a["in_minutes"], DAY_MIN)
    clock, time = CLOCK_TEXT[minute], a.get("time", "")
    if time and time != clock and not (time in PARTS and in_part({"time": clock}, time)):
        raise Refused(invalid("in_minutes", f"does not agree with time (it gives {clock})"))
    if a.get("date", iso_date(day)) != iso_date(day):
        raise Refused(invalid("in_minutes", f"does not agree with date (it gives {iso_date(day)})"))
    recurrence = a.get("recurrence", "")
    return next_occurrence(day, recurrence, day) or day, minute


def _placed(state: State, said: str, date: str, recurrence: str, names: tuple[str, str]) -> tuple[int, int]:
    """Day and minute of an alarm: as said, else the next on which it can be.

    Args:
      state: for its clock.
      said: `HH:MM` or a part of the day.
      date: ISO, or "" where none is said.
      recurrence: moves the day on to where it fits.
      names: the arguments that said time and date, for a refusal.
    """
    today, second = divmod(seconds_of(state["now"]), DAY_S)
    minute = CLOCK[said] if said in CLOCK else USUAL[said]
    day = day_of(date) if date else today
    if minute * 60 <= second and day == today and not recurrence:
        later = second // 60 // 15 * 15 + 15
        if said in PARTS and later < min(PARTS[said][1], DAY_MIN):
            minute = later  # "tonight", said late in the evening
        elif date:
            raise Refused(invalid(names[0], "has passed"))
        else:
            day = today + 1
    if day < today and not recurrence:
        raise Refused(invalid(names[1], "has passed"))
    first_free = today if minute * 60 > second else today + 1
    return next_occurrence(day, recurrence, max(day, first_free)) or day, minute


def _is_same(alarm: Item, new: Item, day: int) -> bool:
    """Whether an alarm does already what a new one would."""
    if alarm["time"] != new["time"] or alarm["recurrence"] != new["recurrence"]:
        return False
    first = day_of(alarm["date"])
    return (
        not alarm["skip"]
        and first <= day
        and occurs(first, alarm["recurrence"], day)
        and tokens(alarm["title"]) == tokens(new["title"])
    )


# Changing and removing


def _change_alarm(state: State, a: dict[str, Any]) -> Answer:
    found = _meant(state, a)
    if len(found) > 1:
        raise Refused(_ambiguous(state, found))
    old, now = found[0], seconds_of(state["now"])
    date = a.get("new_date", "")
    if not date and (old["recurrence"] or day_of(old["date"]) > now // DAY_S):
        date = old["date"]
    day, minute = _placed(state, a["new_time"], date, old["recurrence"], ("new_time", "new_date"))
    if old["recurrence"] and "new_date" not in a:
        day = day_of(old["date"])
    skip = [] if "new_date" in a else old["skip"]
    put = {"time": CLOCK_TEXT[minute], "date": iso_date(day), "skip": skip, "ringing": "", "snoozed": ""}
    new = {**old, **put}
    alarms = _inserted([i for i in state["alarms"] if i is not old], new, "time")
    changed = [k for k in ("time", "date") if new[k] != old[k]]
    return {**state, "alarms": alarms}, Observation(
        "updated", {"alarm": show_alarm(new, now), "changed": changed}
    )


def _cancel_alarm(state: State, a: dict[str, Any]) -> Answer:
    ringing = [] if a else [i for i in state["alarms"] if i["ringing"]]
    if ringing:
        return _without(state, ringing, None, "stopped")
    found = _meant(state, a)
    if len(found) > 1:
        several = "time" not in a and "label" not in a
        if several or ("label" in a and len({tokens(i["title"]) for i in found}) > 1):
            raise Refused(_ambiguous(state, found))
    return _without(state, found, day_of(a["date"]) if "date" in a else None, "deleted")


def _cancel_all_alarms(state: State, a: dict[str, Any]) -> Answer:
    return _without(state, _meant(state, a), day_of(a["date"]) if "date" in a else None, "cleared")


def _snooze(state: State, a: dict[str, Any]) -> Answer:
    minutes = a.get("minutes", SNOOZE_MIN)
    if minutes > MAX_SNOOZE_MIN:
        raise Refused(invalid("minutes", f"must be at most {MAX_SNOOZE_MIN}"))
    if not any(i["ringing"] for i in state["alarms"]):
        raise Refused(Observation("not_found", {"ringing": []}))
    now = seconds_of(state["now"])
    until = iso_of(now + minutes * 60)
    alarms = [{**i, "ringing": "", "snoozed": until} if i["ringing"] else i for i in state["alarms"]]
    moved = [show_alarm(i, now) for i, was in zip(alarms, state["alarms"], strict=True) if i is not was]
    return {**state, "alarms": alarms}, Observation("snoozed", {"until": until, "alarms": moved})


def _cancel_timer(state: State, a: dict[str, Any]) -> Answer:
    found = _timers(state, a)
    if "label" not in a:
        found = [i for i in found if i["ringing"]] or found
    now = seconds_of(state["now"])
    if len(found) > 1:
        shown = [show_timer(i, now) for i in found[:MAX_SHOWN]]
        raise Refused(Observation("ambiguous", {"candidates": shown, "count": len(found)}))
    timers = [i for i in state["timers"] if i is not found[0]]
    return {**state, "timers": timers}, Observation("deleted", {"timer": show_timer(found[0], now)})


def _without(state: State, found: list[Item], day: int | None, status: str) -> Answer:
    """Removes alarms: for good, of a repeating one the given day alone, or its ringing where stopped."""
    now = seconds_of(state["now"])
    gone = {i["id"] for i in found}
    alarms = []
    for item in state["alarms"]:
        if item["id"] not in gone:
            alarms.append(item)
        elif item["recurrence"] and (day is not None or status == "stopped"):
            alarms.append(without_day(item, day, now) if day is not None else silenced(item))
    left = {i["id"] for i in alarms}
    shown = [show_alarm(i, now) for i in found[:MAX_SHOWN]]
    data: dict[str, Any] = {"count": len(found), "alarms": shown, "kept": sorted(gone & left)}
    return {**state, "alarms": alarms}, Observation(status, data)


# Looking


def _list_alarms(state: State, a: dict[str, Any]) -> Answer:
    now = seconds_of(state["now"])
    found = _filtered(state["alarms"], a, now, past=True)
    if "label" in a:
        found = named(a["label"], found)
    if not found and ("label" in a or "time" in a):
        return state, Observation("not_found", {**a, "similar": _similar(state, a)})
    found = sorted(found, key=lambda i: (_due(i, now), int(i["id"][1:])))
    shown = [show_alarm(i, now) for i in found[:MAX_SHOWN]]
    return state, Observation("found", {"count": len(found), "alarms": shown})


def _check_timer(state: State, a: dict[str, Any]) -> Answer:
    found, now = _timers(state, a), seconds_of(state["now"])
    shown = [show_timer(i, now) for i in found[:MAX_SHOWN]]
    return state, Observation("found", {"count": len(found), "timers": shown})


# What they share


def _meant(state: State, a: dict[str, Any]) -> list[Item]:
    """The alarms that a change or removal means; Refused where there are none."""
    found = _filtered(state["alarms"], a, seconds_of(state["now"]), past=False)
    if "label" in a:
        found = named(a["label"], found)
    if not found:
        raise Refused(Observation("not_found", {**a, "similar": _similar(state, a)}))
    return found


def _filtered(alarms: list[Item], a: dict[str, Any], now: int, past: bool) -> list[Item]:
    """The alarms that meet the time and the date of a call; `past` where those that have rung count too."""
    if "time" in a:
        time = a["time"]
        if time in PARTS:
            alarms = [i for i in alarms if in_part(i, time)]
        else:
            alarms = [i for i in alarms if i["time"] == time or i["snoozed"][11:16] == time]
    if "date" in a:
        day = day_of(a["date"])
        alarms = [i for i in alarms if rings_on(i, day, now) or (past and touches(i, day, day))]
    return alarms


def _timers(state: State, a: dict[str, Any]) -> list[Item]:
    """The timers that a call means; Refused where there are none."""
    found = named(a["label"], state["timers"]) if "label" in a else state["timers"]
    if not found:
        now = seconds_of(state["now"])
        similar = [show_timer(i, now) for i in state["timers"][:3]]
        raise Refused(Observation("not_found", {**a, "similar": similar}))
    return found


def _similar(state: State, a: dict[str, Any]) -> list[dict[str, Any]]:
    """A few alarms of the label, else of the time, that another argument of the call ruled out."""
    now = seconds_of(state["now"])
    found: list[Item] = []
    if "label" in a and ("time" in a or "date" in a):
        found = named(a["label"], state["alarms"])
    if not found and "time" in a and ("label" in a or "date" in a):
        found = _filtered(state["alarms"], {"time": a["time"]}, now, past=False)
    return [show_alarm(i, now) for i in found[:3]]


def _ambiguous(state: State, found: list[Item]) -> Observation:
    now = seconds_of(state["now"])
    shown = [show_alarm(i, now) for i in found[:MAX_SHOWN]]
    return Observation("ambiguous", {"candidates": shown, "count": len(found)})


def _due(alarm: Item, now: int) -> int:
    """Moment by which alarms are listed: what rings first comes first."""
    return now if alarm["ringing"] else next_ring(alarm, now) or 0


def _inserted(items: list[Item], new: Item, key: str) -> list[Item]:
    """The items with a new one at its place: in the order of `key`, what was made first before its equals."""
    place, number = new[key], int(new["id"][1:])
    at = 0
    for item in items:
        if item[key] > place or (item[key] == place and int(item["id"][1:]) > number):
            break
        at += 1
    return [*items[:at], new, *items[at:]]


TOOLS = load_tools(pathlib.Path(__file__).with_name("tools.json"), reads=("list_alarms", "check_timer"))
_ACTIONS: dict[str, Action] = {
    "set_alarm": _set_alarm,
    "cancel_alarm": _cancel_alarm,
    "cancel_all_alarms": _cancel_all_alarms,
    "list_alarms": _list_alarms,
    "change_alarm": _change_alarm,
    "snooze": _snooze,
    "set_timer": _set_timer,
    "cancel_timer": _cancel_timer,
    "check_timer": _check_timer,
}
step = make_step(make_check(TOOLS, NEEDS), _ACTIONS)
