"""A personal calendar: events and reminders, one pure `step`.

State: `{"now": ISO local time, "next_id": int, "events": [event], "reminders": [reminder]}` with
  event: id, title, date (first day), start ("HH:MM", or "" for all day), minutes, attendees, location,
    recurrence ("" for none), skip (`[[first, last], ...]`, days on which a repeating one does not happen);
  reminder: id, title, date ("" for undated), time ("HH:MM", a part of the day, or ""), minutes_before,
    recurrence, skip.
A part of the day stands where a clock time does: in a question it is its whole span, as an event's start the
first room in it (`PARTS`). Timed events may not overlap (a repeating one is checked on its first day);
all-day events and reminders take no time. A date picks one occurrence of a repeating event, else the whole
series is meant.
"""

from __future__ import annotations

import pathlib
from typing import Any

from fernjax.sim.agenda import (
    PARTS,
    Item,
    around,
    clock,
    days_within,
    in_window,
    moments,
    next_day,
    next_moment,
    overlapping,
    show,
    skipping,
    touches,
    window,
)
from fernjax.sim.arguments import CLOCK, CLOCK_TEXT, Action, Answer, Refused, invalid, make_check, make_step
from fernjax.sim.domains.calendar.moments import (
    MAX_EVENT_MIN,
    USUAL_MIN,
    WAKING,
    day_of,
    first_day,
    now_of,
    offers,
    refuse_overlap,
    room,
    said_times,
    slot,
)
from fernjax.sim.matching import as_title, find_items, read_words, tokens
from fernjax.sim.recurrence import iso_date, next_occurrence, ordinal
from fernjax.sim.slots import DAY_MIN, Interval, free_gaps
from fernjax.sim.tools import load_tools
from fernjax.sim.types import Observation
from fernjax.sim.world import State

MAX_SHOWN = 20
CHANGES = "new_date new_time new_duration_minutes new_title new_location add_attendees recurrence".split()
NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "create_event": (("title",), ("date", "start_time", "recurrence")),
    "create_reminder": (("title",),),
    "update_event": (("event",), tuple(CHANGES)),
    "delete_event": (("event",),),
}


# Creating


def _create_event(state: State, a: dict[str, Any]) -> Answer:
    start, minutes = said_times(a)
    today, minute = now_of(state)
    said = a.get("start_time", "")
    until = start if start is not None else PARTS[said][1] if said else DAY_MIN
    day = first_day(a, today, until > minute)
    if start is None and (said or minutes < DAY_MIN):
        start = room(state, day, said, minutes, "")
    event = {
        "id": f"e{state['next_id']}",
        "title": a["title"],
        "date": iso_date(day),
        "start": "" if start is None else CLOCK_TEXT[start],
        "minutes": minutes,
        "attendees": list(a.get("attendees", ())),
        "location": a.get("location", ""),
        "recurrence": a.get("recurrence", ""),
        "skip": [],
    }
    refuse_overlap(state, event, day, "")
    new = {**state, "next_id": state["next_id"] + 1, "events": [*state["events"], event]}
    return new, Observation("created", {"event": show(event, None)})


def _create_reminder(state: State, a: dict[str, Any]) -> Answer:
    today, minute = now_of(state)
    time, recurrence, date = a.get("time", ""), a.get("recurrence", ""), a.get("date", "")
    ends = CLOCK[time] if time in CLOCK else PARTS[time][1] if time else DAY_MIN
    if date and not recurrence and (date < iso_date(today) or (date == iso_date(today) and ends <= minute)):
        raise Refused(invalid("date" if date < iso_date(today) else "time", "has passed"))
    if date or time or recurrence:
        day = first_day(a, today, ends > minute)
        if recurrence and day < today:
            day = next_occurrence(day, recurrence, today if ends > minute else today + 1) or day
        date = iso_date(day)
    reminder = {
        "id": f"r{state['next_id']}",
        "title": a["title"],
        "date": date,
        "time": time,
        "minutes_before": a.get("minutes_before", 0),
        "recurrence": recurrence,
        "skip": [],
    }
    new = {**state, "next_id": state["next_id"] + 1, "reminders": [*state["reminders"], reminder]}
    return new, Observation("created", {"reminder": show(reminder, None)})


# Changing and removing


def _update_event(state: State, a: dict[str, Any]) -> Answer:
    item, day = _pick(state, a)
    if "start" not in item:
        return _update_reminder(state, a, item, day)
    new, began = {**item}, day
    one_of_many = bool(item["recurrence"]) and "date" in a and "recurrence" not in a
    if one_of_many:
        new.update(id=f"e{state['next_id']}", date=iso_date(day), recurrence="", skip=[])
    for argument, key in (("new_title", "title"), ("new_location", "location"), ("recurrence", "recurrence")):
        if argument in a:
            new[key] = a[argument]
    if "add_attendees" in a:
        there = {tokens(p) for p in item["attendees"]}
        new["attendees"] = item["attendees"] + [p for p in a["add_attendees"] if tokens(p) not in there]
    if "new_date" in a or "recurrence" in a:
        first = ordinal(a.get("new_date", new["date"])) or day
        day = next_occurrence(first, new["recurrence"], first) or first
        new.update(date=iso_date(day), skip=[])
    _retime(state, a, new, day, item["id"] if not one_of_many else "")
    events = [new if e is item else e for e in state["events"]]
    next_id = state["next_id"]
    if one_of_many:
        kept = skipping(item, began, began)
        events, next_id = [kept if e is item else e for e in state["events"]] + [new], next_id + 1
    after = {**state, "next_id": next_id, "events": events}
    if any(c in a for c in ("new_date", "new_time", "new_duration_minutes", "recurrence")):
        refuse_overlap(after, new, day, new["id"])
    changed = sorted(k for k in new if new[k] != item[k] and k not in ("id", "skip"))
    return after, Observation("updated", {"event": show(new, day), "changed": changed})


def _retime(state: State, a: dict[str, Any], new: Item, day: int, exclude: str) -> None:
    """Puts the new time and length of an update into the event, in place."""
    length, time = a.get("new_duration_minutes"), a.get("new_time", "")
    if length is not None:
        if length > MAX_EVENT_MIN:
            raise Refused(invalid("new_duration_minutes", f"must be at most {MAX_EVENT_MIN}"))
        if length < DAY_MIN and not new["start"] and not time:
            raise Refused(invalid("new_duration_minutes", "needs new_time: the event lasts all day"))
        new["minutes"] = length
    elif time and not new["start"]:
        new["minutes"] = USUAL_MIN
    if time:
        placed = time not in CLOCK
        new["start"] = CLOCK_TEXT[room(state, day, time, new["minutes"], exclude)] if placed else time


def _update_reminder(state: State, a: dict[str, Any], item: Item, day: int) -> Answer:
    for argument in ("new_duration_minutes", "new_location", "add_attendees"):
        if argument in a:
            raise Refused(invalid(argument, "is nothing that a reminder has"))
    new = {**item}
    next_id, reminders = state["next_id"], state["reminders"]
    one_of_many = bool(item["recurrence"]) and "date" in a and "recurrence" not in a
    if one_of_many:
        new.update(id=f"r{next_id}", date=iso_date(day), recurrence="", skip=[])
    for argument, key in (("new_title", "title"), ("new_time", "time"), ("recurrence", "recurrence")):
        if argument in a:
            new[key] = a[argument]
    if "new_date" in a or "recurrence" in a:
        first = ordinal(a.get("new_date", new["date"])) or day
        new.update(date=iso_date(next_occurrence(first, new["recurrence"], first) or first), skip=[])
    if one_of_many:
        kept = skipping(item, day, day)
        reminders, next_id = [kept if r is item else r for r in reminders] + [new], next_id + 1
    else:
        reminders = [new if r is item else r for r in reminders]
    changed = sorted(k for k in new if new[k] != item[k] and k not in ("id", "skip"))
    after = {**state, "next_id": next_id, "reminders": reminders}
    return after, Observation("updated", {"reminder": show(new, None), "changed": changed})


def _delete_event(state: State, a: dict[str, Any]) -> Answer:
    item, day = _pick(state, a)
    key = "events" if "start" in item else "reminders"
    if item["recurrence"] and "date" in a:
        kept, scope = [skipping(item, day, day) if i is item else i for i in state[key]], "occurrence"
    else:
        kept, scope = [i for i in state[key] if i is not item], "series" if item["recurrence"] else "single"
    return {**state, key: kept}, Observation("deleted", {key[:-1]: show(item, day), "scope": scope})


def _clear_events(state: State, a: dict[str, Any]) -> Answer:
    words = as_title(read_words(a["query"]), _of_kind(state, "")) if "query" in a else None
    key = "reminders" if words and words.kind == "reminder" else "events"
    span = _span(state, a)
    items = state[key]
    if span:
        items = [i for i in items if touches(i, *span)]
    if words:
        items = find_items(words, items, around, narrow=False)
    if not items:
        return state, Observation("not_found", {**a})
    gone = {i["id"] for i in items}
    kept = []
    for item in state[key]:
        if item["id"] not in gone:
            kept.append(item)
        elif span and item["recurrence"]:
            kept.append(skipping(item, days_within(item, *span, limit=1)[0], span[1]))
    shown = [show(i, None) for i in items[:MAX_SHOWN]]
    return {**state, key: kept}, Observation("cleared", {"count": len(items), key: shown})


def _pick(state: State, a: dict[str, Any]) -> tuple[Item, int]:
    """The one item that a change means, and the day of the occurrence that is meant."""
    words = as_title(read_words(a["event"]), _of_kind(state, ""))
    pool = _of_kind(state, words.kind)
    items = _filtered(pool, a)
    found = find_items(words, items, around, narrow=True)
    if not found:
        elsewhere = find_items(words, pool, around, narrow=True)[:3] if len(items) < len(pool) else []
        similar = [show(i, None) for i in elsewhere]
        raise Refused(Observation("not_found", {"event": a["event"], "similar": similar}))
    today, minute = now_of(state)
    if len(found) > 1 and ("date" not in a or words.next):
        ahead = sorted((m, n) for n, i in enumerate(found) if (m := next_moment(i, today, minute)))
        if len(ahead) == 1 or (ahead and words.next):
            found = [found[ahead[0][1]]]
    if len(found) > 1:
        shown = [show(i, ordinal(a["date"]) if "date" in a else None) for i in found[:10]]
        raise Refused(Observation("ambiguous", {"candidates": shown, "count": len(found)}))
    item = found[0]
    if "date" in a:
        return item, days_within(item, day_of(a["date"]), day_of(a["date"]), limit=1)[0]
    day = next_day(item, today)
    return item, (ordinal(item["date"]) or today) if day is None else day


# Looking


def _list_events(state: State, a: dict[str, Any]) -> Answer:
    today, minute = now_of(state)
    words = as_title(read_words(a["query"]), _of_kind(state, "")) if "query" in a else None
    items = _filtered(_of_kind(state, a.get("kind") or (words.kind if words else "")), a, when=False)
    if words:
        items = find_items(words, items, around, narrow=False)
    hours, span = window(a), _span(state, a)
    if hours and not span:
        span = (today, today)
    if span:
        hits = [(d, clock(i), i) for i in items for d in days_within(i, *span, limit=MAX_SHOWN)]
    else:
        hits = [(d, clock(i), i) for i in items if (d := next_day(i, today)) is not None]
        hits += [(DAY_MIN**3, 0, i) for i in items if not i["date"]]
        if not hits and len(items) < len(state["events"]) + len(state["reminders"]):
            hits = [(day_of(i["date"]), clock(i), i) for i in items]
    if hours:
        hits = [h for h in hits if in_window(h[2], hours)]
    if not hits and (words or "attendee" in a or "location" in a):
        return state, Observation("not_found", {**a})
    hits.sort(key=lambda h: (h[0], h[1], h[2]["id"]))
    if words and words.next:
        hits = [h for h in hits if h[0] * DAY_MIN + h[1] >= today * DAY_MIN + minute][:1] or hits[:1]
    shown = [show(i, d if i["date"] else None) for d, _, i in hits[:MAX_SHOWN]]
    return state, Observation("found", {"count": len(hits), "items": shown})


def _find_free_time(state: State, a: dict[str, Any]) -> Answer:
    today, minute = now_of(state)
    first, last = _span(state, a) or (today, today)
    last = min(last, first + 30)
    length = a.get("duration_minutes")
    low, high = window(a) or WAKING
    if a.get("start_time") in CLOCK and "end_time" not in a and first == last:
        high = low + (length or USUAL_MIN)
    meant = overlapping(state["events"], first * DAY_MIN + low, last * DAY_MIN + high)
    taken = sorted(moments(e, d) for e, d in meant)
    asked_all = length is None and ("start_time" in a or "end_time" in a)
    slots: list[Interval] = []
    for day in range(first, last + 1):
        start = day * DAY_MIN + low
        if day == today and not asked_all:
            start = max(start, today * DAY_MIN + minute)
        gaps = free_gaps(taken, start, day * DAY_MIN + high)
        slots += [g for g in gaps if g[1] - g[0] >= (length or 1)]
    clashes = [show(e, d) for e, d in meant if in_window(e, (low, high))][:MAX_SHOWN]
    data: dict[str, Any] = {"slots": [slot(*s) for s in slots[:MAX_SHOWN]], "events": clashes}
    if not (bool(clashes) if asked_all and first == last else not slots):
        return state, Observation("free", data)
    wish = first * DAY_MIN + low
    data["nearest"] = offers(state, wish, min(length or high - low, MAX_EVENT_MIN))
    return state, Observation("busy", data)


# What they share


def _of_kind(state: State, kind: str) -> list[Item]:
    if kind:
        return state["events"] if kind == "event" else state["reminders"]
    return state["events"] + state["reminders"]


def _filtered(items: list[Item], a: dict[str, Any], when: bool = True) -> list[Item]:
    """The items that meet the person, the place and (`when`) the day and the time of a call."""
    if when and "date" in a:
        day = day_of(a["date"])
        items = [i for i in items if touches(i, day, day)]
    if when and "start_time" in a:
        time = a["start_time"]
        low, high = PARTS.get(time) or (CLOCK[time], CLOCK[time] + 1)
        items = [i for i in items if (i["start"] if "start" in i else i["time"]) and low <= clock(i) < high]
    for argument in ("attendee", "location"):
        if argument in a:
            want = tokens(a[argument])
            items = [i for i in items if want <= around(i)]
    return items


def _span(state: State, a: dict[str, Any]) -> Interval | None:
    """First and last day that a call names, None where it names none."""
    if "date" not in a and "end_date" not in a:
        return None
    first = day_of(a["date"]) if "date" in a else now_of(state)[0]
    last = day_of(a["end_date"]) if "end_date" in a else first
    if last < first:
        raise Refused(invalid("end_date", f"is before {'date' if 'date' in a else 'today'}"))
    return first, last


TOOLS = load_tools(pathlib.Path(__file__).with_name("tools.json"), reads=("list_events", "find_free_time"))
_ACTIONS: dict[str, Action] = {
    "create_event": _create_event,
    "create_reminder": _create_reminder,
    "list_events": _list_events,
    "update_event": _update_event,
    "delete_event": _delete_event,
    "clear_events": _clear_events,
    "find_free_time": _find_free_time,
}
step = make_step(make_check(TOOLS, NEEDS), _ACTIONS)
