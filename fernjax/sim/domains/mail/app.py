"""A mailbox with contacts, text messages and calls, one pure `step`.

State: `{"now": ISO local time, "next_id": int, "inbox": [mail], "sent": [mail], "trash": [mail],
"contacts": [contact], "groups": [group], "texts": [text], "calls": [call]}` with
  mail received (inbox, and trash after it): id, from (name), address, subject, body, date, time, unread;
  mail sent: id, to (addresses), names, subject, body, date, time, reply_to (id of the mail answered, or "");
  contact: id, name, relation ("mom", or ""), email, phone, address, birthday, employer ("" where unknown);
  group: id, name, members (ids of contacts); text: id, to (names), phones, body, date, time;
  call: id, to (name), phone, date, time.
Received mails are kept newest first. A reply answers the last mail of the one who is named. Deleting takes
ALL mails that meet its words ("trash everything from groupon"), or the newest where the words say so ("the
last one"), to the trash. `unread` narrows where it is true. A contact of a name or a relation that is already
there is changed, not doubled.
"""

from __future__ import annotations

import functools
import pathlib
from typing import Any

from fernjax.sim.agenda import PARTS
from fernjax.sim.arguments import CLOCK, Action, Answer, Refused, invalid, make_check, make_step, shown
from fernjax.sim.domains.mail.people import (
    closest,
    digits,
    find_contacts,
    find_group,
    find_mails,
    is_address,
    is_number,
    nobody,
    same_contact,
    show_contact,
)
from fernjax.sim.matching import tokens
from fernjax.sim.tools import load_tools
from fernjax.sim.types import Observation
from fernjax.sim.world import State

Item = dict[str, Any]

MAX_SHOWN = 20
NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "send_email": (("to",), ("body", "subject")),
    "reply_email": (("to",), ("body",)),
    "delete_email": (("sender", "query"),),
    "send_text": (("to",), ("body",)),
    "add_contact": (("name",), ("email", "phone")),
    "get_contact": (("name",),),
    "make_call": (("to",),),
}
NEWEST = frozenset("last latest newest recent previous".split())
GENERIC = NEWEST | frozenset(
    "email mail e-mail message inbox mailbox one everything all any every thing stuff junk".split()
)
"""Words of a query that say nothing of what a mail is about."""


# Writing


def _send_email(state: State, a: Item) -> Answer:
    people: dict[str, str] = {}
    for text in a["to"]:
        if is_address(text):
            known = find_contacts(text, state["contacts"])
            people.setdefault(text.lower(), known[0]["name"] if known else text)
            continue
        for contact in _recipients(state, text, "email"):
            people.setdefault(contact["email"].lower(), contact["name"])
    return _sent(state, people, a.get("subject", ""), a.get("body", ""), None)


def _reply_email(state: State, a: Item) -> Answer:
    hits = find_mails(a["to"], state["inbox"], state["contacts"])
    if not hits:
        raise Refused(Observation("not_found", nobody("to", a["to"], (m["from"] for m in state["inbox"]))))
    senders = list(dict.fromkeys((m["from"], m["address"]) for m in hits))
    if len(senders) > 1:
        candidates = [{"from": n, "address": address} for n, address in senders]
        raise _several("to", candidates, len(senders))
    mail = hits[0]
    subject = mail["subject"] if mail["subject"][:4].lower() == "re: " else f"Re: {mail['subject']}"
    return _sent(state, {mail["address"].lower(): mail["from"]}, subject, a["body"], mail)


def _sent(state: State, people: dict[str, str], subject: str, body: str, answers: Item | None) -> Answer:
    """Puts a mail into `sent`; the mail that it answers counts as read."""
    mail = {
        "id": f"m{state['next_id']}",
        "to": list(people),
        "names": list(people.values()),
        "subject": subject,
        "body": body,
        **_moment(state),
        "reply_to": answers["id"] if answers else "",
    }
    new = {**state, "next_id": state["next_id"] + 1, "sent": [*state["sent"], mail]}
    if answers is not None and answers["unread"]:
        new["inbox"] = [{**m, "unread": False} if m is answers else m for m in state["inbox"]]
    return new, Observation("sent", {"message": {**mail}})


def _send_text(state: State, a: Item) -> Answer:
    people = _reached(state, a["to"])
    text = {
        "id": f"t{state['next_id']}",
        "to": [name for name, _ in people],
        "phones": [phone for _, phone in people],
        "body": a["body"],
        **_moment(state),
    }
    new = {**state, "next_id": state["next_id"] + 1, "texts": [*state["texts"], text]}
    return new, Observation("sent", {"text": {**text}})


def _make_call(state: State, a: Item) -> Answer:
    people = _reached(state, a["to"])
    if len(people) > 1:
        candidates = [{"name": name, "phone": phone} for name, phone in people]
        raise _several("to", candidates, len(people))
    call = {"id": f"k{state['next_id']}", "to": people[0][0], "phone": people[0][1], **_moment(state)}
    new = {**state, "next_id": state["next_id"] + 1, "calls": [*state["calls"], call]}
    return new, Observation("calling", {"call": {**call}})


def _reached(state: State, text: str) -> list[tuple[str, str]]:
    """Names and phone numbers of those whom a text or a call goes to."""
    if is_number(text):
        known = [c for c in find_contacts(text, state["contacts"]) if c["phone"]]
        return [(known[0]["name"], known[0]["phone"]) if known else ("", text)]
    people: dict[str, tuple[str, str]] = {}
    for contact in _recipients(state, text, "phone"):
        people.setdefault(digits(contact["phone"]), (contact["name"], contact["phone"]))
    return list(people.values())


def _recipients(state: State, text: str, way: str) -> list[Item]:
    """The contacts that a recipient's words mean and that can be reached by `way` (email, phone)."""
    contacts = state["contacts"]
    group = find_group(text, state["groups"])
    if group is not None:
        members = set(group["members"])
        found = [c for c in contacts if c["id"] in members]
    else:
        found = _one(find_contacts(text, contacts), "to", text, contacts)
    reached = [c for c in found if c[way]]
    if not reached:
        raise Refused(Observation("not_found", {"to": shown(text), "lacks": way, "similar": []}))
    return reached


# Contacts


def _add_contact(state: State, a: Item) -> Answer:
    there = same_contact(a["name"], state["contacts"])
    if len(there) > 1:
        raise _ambiguous("name", there)
    details: Item = {k: a[k] for k in ("email", "phone") if k in a}
    if there:
        old: Item = there[0]
        changed: Item = {**old, **details}
        contacts = [changed if c is old else c for c in state["contacts"]]
        data = {"contact": show_contact(changed), "changed": [k for k in details if changed[k] != old[k]]}
        return {**state, "contacts": contacts}, Observation("updated", data)
    contact: Item = {
        "id": f"c{state['next_id']}",
        "name": a["name"],
        "relation": "",
        **dict.fromkeys(("email", "phone", "address", "birthday", "employer"), ""),
        **details,
    }
    new = {**state, "next_id": state["next_id"] + 1, "contacts": [*state["contacts"], contact]}
    return new, Observation("created", {"contact": show_contact(contact)})


def _get_contact(state: State, a: Item) -> Answer:
    contacts = state["contacts"]
    contact = _one(find_contacts(a["name"], contacts), "name", a["name"], contacts)[0]
    if "field" not in a:
        return state, Observation("found", {"contact": show_contact(contact)})
    field, value = a["field"], contact[a["field"]]
    if not value:
        raise Refused(Observation("not_found", {"name": contact["name"], "lacks": field, "similar": []}))
    return state, Observation("found", {"name": contact["name"], "field": field, "value": value})


def _one(found: list[Item], argument: str, text: str, contacts: list[Item]) -> list[Item]:
    """The one contact found, in a list."""
    if not found:
        names = [c["name"] for c in contacts] + [c["relation"] for c in contacts if c["relation"]]
        raise Refused(Observation("not_found", nobody(argument, text, names)))
    if len(found) > 1:
        raise _ambiguous(argument, found)
    return found


def _ambiguous(argument: str, found: list[Item]) -> Refused:
    return _several(argument, [show_contact(c) for c in found[:10]], len(found))


def _several(argument: str, candidates: list[Item], count: int) -> Refused:
    return Refused(Observation("ambiguous", {"argument": argument, "candidates": candidates, "count": count}))


# Looking and deleting


def _search_email(state: State, a: Item) -> Answer:
    mails = _meeting(state, a, lenient=True)
    if a.get("unread"):
        mails = [m for m in mails if m["unread"]]
    mails = _within(state, mails, a)
    if not mails and ("sender" in a or "query" in a):
        raise Refused(Observation("not_found", _unmet(state, a)))
    return state, Observation("found", {"count": len(mails), "messages": [{**m} for m in mails[:MAX_SHOWN]]})


def _delete_email(state: State, a: Item) -> Answer:
    gone = _meeting(state, a, lenient=False)
    if not gone:
        raise Refused(Observation("not_found", _unmet(state, a)))
    ids = {m["id"] for m in gone}
    inbox = [m for m in state["inbox"] if m["id"] not in ids]
    new = {**state, "inbox": inbox, "trash": [*state["trash"], *gone]}
    return new, Observation("deleted", {"count": len(gone), "messages": [{**m} for m in gone[:MAX_SHOWN]]})


def _meeting(state: State, a: Item, lenient: bool) -> list[Item]:
    """The mails of the inbox that meet a call's sender and words (`lenient`: most of them), newest first."""
    mails: list[Item] = state["inbox"]
    if "sender" in a:
        mails = find_mails(a["sender"], mails, state["contacts"])
    if "query" not in a:
        return mails
    words = tokens(a["query"])
    content, newest = words - GENERIC, not words.isdisjoint(NEWEST)
    if content and newest:
        whole = [m for m in mails if words <= _said(m["subject"], m["body"])]
        if whole:  # "last year's budget" names no order
            return whole
    if content:
        mails = _about(content, mails, lenient)
    return mails[:1] if newest else mails


def _about(content: frozenset[str], mails: list[Item], lenient: bool) -> list[Item]:
    """The mails that hold the words; none, but `lenient`: those that hold the most of them, at least half."""
    said = [_said(m["subject"], m["body"]) for m in mails]
    found = [m for m, words in zip(mails, said, strict=True) if content <= words]
    if found or not lenient or len(content) < 2:
        return found
    most = max((len(content & words) for words in said), default=0)
    if 2 * most < len(content):
        return []
    return [m for m, words in zip(mails, said, strict=True) if len(content & words) == most]


def _within(state: State, mails: list[Item], a: Item) -> list[Item]:
    """The mails of the days and from the time that a call names; a time without a day is today's."""
    time = a.get("start_time", "")
    today: str = state["now"][:10]
    first = a.get("start_date", a.get("end_date", today) if time else "")
    part = PARTS.get(time)
    last = a.get("end_date", first if part else "")
    if first and last and last < first:
        raise Refused(Observation("invalid_argument", invalid("end_date", "is before start_date").data))
    if first or last:
        mails = [m for m in mails if m["date"] >= first and (not last or m["date"] <= last)]
    if part:
        return [m for m in mails if part[0] <= CLOCK[m["time"]] < part[1]]
    if time:
        return [m for m in mails if m["date"] > first or m["time"] >= time]
    return mails


def _unmet(state: State, a: Item) -> Item:
    """The data of `not_found` for mails: what was asked, and the senders most like the one that was named."""
    names = closest(a["sender"], (m["from"] for m in state["inbox"])) if "sender" in a else []
    return {**{k: shown(v) for k, v in a.items()}, "similar": names}


@functools.lru_cache(maxsize=1 << 14)
def _said(subject: str, body: str) -> frozenset[str]:
    return tokens(subject) | tokens(body)


def _moment(state: State) -> Item:
    return {"date": state["now"][:10], "time": state["now"][11:16]}


TOOLS = load_tools(pathlib.Path(__file__).with_name("tools.json"), reads=("search_email", "get_contact"))
_ACTIONS: dict[str, Action] = {
    "send_email": _send_email,
    "reply_email": _reply_email,
    "search_email": _search_email,
    "delete_email": _delete_email,
    "send_text": _send_text,
    "add_contact": _add_contact,
    "get_contact": _get_contact,
    "make_call": _make_call,
}
step = make_step(make_check(TOOLS, NEEDS), _ACTIONS)
