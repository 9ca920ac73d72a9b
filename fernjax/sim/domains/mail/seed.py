"""A believable mailbox: contacts of a person's life, two weeks of mail, a few texts and calls."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from fernjax.sim.arguments import CLOCK, CLOCK_TEXT
from fernjax.sim.domains.mail.words import MAIL_POOLS
from fernjax.sim.pools import pool
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.slots import DAY_MIN
from fernjax.sim.world import State

T = TypeVar("T")
Item = dict[str, Any]

FAMILY = ("mom", "dad", "sister", "brother", "wife", "husband", "grandma", "cousin", "daughter", "son")
WORK = ("boss", "assistant", "manager", "accountant", "client", "intern")
OTHERS = ("landlord", "dentist", "plumber", "neighbor", "babysitter", "doctor", "roommate", "lawyer")
EMPLOYERS = (
    "Northwind Traders",
    "Halden Logistics",
    "Brightleaf Bakery",
    "City Hospital",
    "Lindqvist and Sons",
    "Acorn Primary School",
    "Riverside Dental",
    "Ostrava Steel",
    "Kestrel Software",
    "the post office",
    "Blue Harbor Insurance",
    "Marigold Studio",
)
STREETS = "Elm Street;Harbour Road;Mill Lane;Castle Hill;Oak Avenue;Station Road;Via Roma".split(";")
TOWNS = "Porto;Leeds;Lyon;Oslo;Austin;Galway;Turin;Halifax;Dunedin;Boulder".split(";")
HOSTS = ("example.org", "example.com", "example.net")


def initial_state(rng: random.Random, now: str) -> State:
    """A seeded mailbox: about fifteen contacts and as many mails of the last two weeks.

    Args:
      rng: its only source of chance.
      now: ISO 8601 local time; becomes the state's clock.
    """
    today = ordinal(now[:10])
    if today is None or now[11:16] not in CLOCK:
        raise ValueError(f"now must be an ISO date and time, not {now!r}")
    contacts = _contacts(rng)
    numbers = iter(range(len(contacts) + 1, 10_000))
    groups = _groups(rng, contacts, numbers)
    end = today * DAY_MIN + CLOCK[now[11:16]]
    received = [_received(rng, contacts, end) for _ in range(rng.randrange(14, 20))]
    received.sort(key=lambda m: (m["date"], m["time"]), reverse=True)
    for mail in received:
        mail["id"] = f"m{next(numbers)}"
    inbox = [m for n, m in enumerate(received) if n % 8 != 7]
    trash = [m for n, m in enumerate(received) if n % 8 == 7]
    for mail in inbox:
        age = today - (ordinal(mail["date"]) or today)
        mail["unread"] = mail is inbox[0] or rng.random() < (0.6 if age < 2 else 0.15)
    sent = [_sent(rng, contacts, end, f"m{next(numbers)}") for _ in range(rng.randrange(2, 5))]
    reachable = [c for c in contacts if c["phone"]]
    texts = [_text(rng, _pick(rng, reachable), end, f"t{next(numbers)}") for _ in range(rng.randrange(1, 4))]
    calls = [_call(rng, _pick(rng, reachable), end, f"k{next(numbers)}") for _ in range(rng.randrange(1, 4))]
    return {
        "now": now,
        "next_id": next(numbers),
        "inbox": inbox,
        "sent": sorted(sent, key=_moment),
        "trash": trash,
        "contacts": contacts,
        "groups": groups,
        "texts": sorted(texts, key=_moment),
        "calls": sorted(calls, key=_moment),
    }


def _contacts(rng: random.Random) -> list[Item]:
    firsts, lasts = pool("first_names"), pool("last_names")
    relations = [*rng.sample(FAMILY, 4), *rng.sample(WORK, 2), *rng.sample(OTHERS, 2)]
    relations += [""] * rng.randrange(5, 9)
    family = _pick(rng, lasts)
    contacts: list[Item] = []
    taken: set[str] = set()
    for relation in relations:
        first = _pick(rng, firsts)
        if contacts and rng.random() < 0.07:  # two of one first name, so that it is ambiguous
            first = _pick(rng, contacts)["name"].split(" ")[0]
        last = family if relation in FAMILY and rng.random() < 0.5 else _pick(rng, lasts)
        name = f"{first} {last}"
        if name.lower() in taken:
            continue
        taken.add(name.lower())
        contacts.append(_contact(rng, f"c{len(contacts) + 1}", name, relation))
    return contacts


def _contact(rng: random.Random, identifier: str, name: str, relation: str) -> Item:
    first, last = (_letters(w) or "x" for w in name.split(" ", 1))
    address = _pick(rng, (f"{first}.{last}", f"{first}{last}", f"{first[0]}.{last}", f"{first}_{last}"))
    town = f"{rng.randrange(1, 180)} {_pick(rng, STREETS)}, {_pick(rng, TOWNS)}"
    day = f"{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}"
    keeps_number = bool(relation) or rng.random() < 0.75
    return {
        "id": identifier,
        "name": name,
        "relation": relation,
        "email": f"{address}.{identifier}@{_pick(rng, HOSTS)}" if rng.random() < 0.85 else "",
        "phone": f"555-{rng.randrange(10_000):04d}" if keeps_number else "",
        "address": town if rng.random() < 0.6 else "",
        "birthday": f"{rng.randrange(1945, 2016)}-{day}" if rng.random() < 0.6 else "",
        "employer": _pick(rng, EMPLOYERS) if rng.random() < 0.6 else "",
    }


def _groups(rng: random.Random, contacts: list[Item], numbers: Iterator[int]) -> list[Item]:
    """The family and the coworkers, and now and then one more."""
    known = {
        "family": [c["id"] for c in contacts if c["relation"] in FAMILY],
        _pick(rng, ("team", "coworkers", "colleagues")): [c["id"] for c in contacts if c["relation"] in WORK],
    }
    known[_pick(rng, ("book club", "friends", "band", "football team"))] = [
        c["id"] for c in contacts if not c["relation"]
    ][:3]
    return [{"id": f"g{next(numbers)}", "name": n, "members": m} for n, m in known.items() if m]


def _received(rng: random.Random, contacts: list[Item], end: int) -> Item:
    if rng.random() < 0.55:
        contact = _pick(rng, contacts)
        name, address = contact["name"], contact["email"] or f"{contact['id']}@mail.example.org"
        subject = _pick(rng, pool("topics") if rng.random() < 0.5 else MAIL_POOLS["subjects"])
    else:
        name = _pick(rng, MAIL_POOLS["companies"])
        host = _letters(name) or "news"
        address = f"{_pick(rng, ('no-reply', 'news', 'info', 'billing'))}@{host}.example.com"
        subject = _pick(rng, MAIL_POOLS["notices"])
    return {
        "id": "",
        "from": name,
        "address": address,
        "subject": subject,
        "body": _pick(rng, MAIL_POOLS["bodies"]),
        **_when(rng, end),
        "unread": False,
    }


def _sent(rng: random.Random, contacts: list[Item], end: int, identifier: str) -> Item:
    contact = _pick(rng, [c for c in contacts if c["email"]] or contacts)
    return {
        "id": identifier,
        "to": [contact["email"] or f"{contact['id']}@mail.example.org"],
        "names": [contact["name"]],
        "subject": _pick(rng, MAIL_POOLS["subjects"]),
        "body": _pick(rng, MAIL_POOLS["bodies"]),
        **_when(rng, end),
        "reply_to": "",
    }


def _text(rng: random.Random, contact: Item, end: int, identifier: str) -> Item:
    return {
        "id": identifier,
        "to": [contact["name"]],
        "phones": [contact["phone"]],
        "body": _pick(rng, MAIL_POOLS["bodies"]),
        **_when(rng, end),
    }


def _call(rng: random.Random, contact: Item, end: int, identifier: str) -> Item:
    return {"id": identifier, "to": contact["name"], "phone": contact["phone"], **_when(rng, end)}


def _when(rng: random.Random, end: int) -> Item:
    """A moment before the state's, of the last two weeks, more often a late one."""
    at = end - 1 - int(rng.random() ** 2 * 14 * DAY_MIN)
    return {"date": iso_date(at // DAY_MIN), "time": CLOCK_TEXT[at % DAY_MIN]}


def _letters(text: str) -> str:
    """What of a text an address may hold."""
    return "".join(c for c in text.lower() if c.isascii() and c.isalnum())


def _moment(item: Item) -> tuple[str, str]:
    return item["date"], item["time"]


def _pick(rng: random.Random, values: Sequence[T]) -> T:
    """A value drawn evenly; several times faster than `rng.choice`."""
    return values[int(rng.random() * len(values))]
