"""A believable wallet: a few accounts and cards, the household's bills, two months of what was spent."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from fernjax.sim.domains.wallet.ledger import Item
from fernjax.sim.pools import pool
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.world import State

T = TypeVar("T")

BANKS = (
    "Chase",
    "Wells Fargo",
    "Bank of America",
    "Citi",
    "Ally",
    "Capital One",
    "First National",
    "Barclays",
)
EXTRA = ("joint", "business", "vacation fund", "emergency fund", "college fund", "money market", "brokerage")
CARDS = ("Visa", "Mastercard", "Amex", "Discover")
BILLS: tuple[tuple[tuple[str, ...], str, int, int], ...] = (
    (("", "Con Edison", "Duke Energy"), "electric", 60, 240),
    (("", "Severn Trent"), "water", 25, 90),
    (("", "National Grid", "British Gas"), "gas", 30, 160),
    (("", "Comcast", "Spectrum", "Cox"), "internet", 40, 110),
    (("", "Verizon", "T Mobile", "Vodafone"), "phone", 30, 140),
    (("", "DirecTV", "Xfinity"), "cable", 50, 150),
    (("",), "rent", 800, 2400),
    (("", "Rocket Mortgage"), "mortgage", 900, 3000),
    (("Visa", "Amex", "Mastercard"), "credit card", 80, 1900),
    (("Geico", "State Farm", ""), "car insurance", 60, 220),
    (("", "Toyota", "Ford"), "car payment", 180, 520),
    (("Navient", ""), "student loan", 120, 480),
    (("Planet Fitness", ""), "gym", 20, 80),
    (("",), "daycare", 500, 1500),
)
"""Who bills, for what, and between how many dollars."""

SHOPS = (
    ("groceries", ("Kroger", "Safeway", "Trader Joe's", "Whole Foods", "Aldi", "Costco"), 12, 180),
    ("eating out", ("Chipotle", "Olive Garden", "McDonald's", "Five Guys", "Domino's"), 8, 70),
    ("coffee", ("Starbucks", "Dunkin", "Peet's"), 3, 14),
    ("gas", ("Shell", "Chevron", "Exxon", "BP"), 20, 75),
    ("shopping", ("Amazon", "Target", "Walmart", "Best Buy"), 9, 320),
    ("clothes", ("Old Navy", "Zara", "Gap"), 15, 190),
    ("entertainment", ("Netflix", "Spotify", "AMC", "Ticketmaster", "Steam"), 7, 120),
    ("travel", ("Delta", "Airbnb", "Amtrak", "Marriott"), 60, 640),
    ("transportation", ("Uber", "Lyft"), 7, 45),
    ("medicine", ("CVS", "Walgreens"), 5, 90),
    ("books", ("Barnes and Noble",), 8, 60),
    ("home improvement", ("Home Depot", "Lowe's", "Ikea"), 15, 400),
    ("pets", ("Chewy", "PetSmart"), 12, 110),
)
"""Kinds of spending, where, and between how many dollars."""

HISTORY_DAYS = 60


def initial_state(rng: random.Random, now: str) -> State:
    """A seeded wallet: three to five accounts, two to four cards, six to nine bills, forty transactions.

    Args:
      rng: its only source of chance.
      now: ISO 8601 local time; becomes the state's clock.
    """
    today = ordinal(now[:10])
    if today is None:
        raise ValueError(f"now must be an ISO date and time, not {now!r}")
    bank = _pick(rng, BANKS)
    accounts = [_account("a1", f"{bank} checking", "checking", _cents(rng, 900, 6500))]
    accounts.append(
        _account("a2", f"{_pick(rng, (bank, *BANKS))} savings", "savings", _cents(rng, 2000, 30000))
    )
    for name in rng.sample(EXTRA, rng.randrange(1, 4)):
        kind = "checking" if name in ("joint", "business") else "savings"
        accounts.append(_account(f"a{len(accounts) + 1}", name, kind, _cents(rng, 200, 12000)))
    cards = [_card("c1", f"{bank} debit", "debit", "a1", 0)]
    for name in rng.sample(CARDS, rng.randrange(1, 4)):
        cards.append(_card(f"c{len(cards) + 1}", name, "credit", "", _cents(rng, 500, 9000)))
    names = pool("first_names")
    people = [*dict.fromkeys(_pick(rng, names) for _ in range(5)), *rng.sample(pool("relations"), 2)]
    payers = ["a1", "a1", *(c["id"] for c in cards[1:])]
    bills = [_bill(rng, f"b{n + 1}", b, today) for n, b in enumerate(rng.sample(BILLS, rng.randrange(6, 10)))]
    return {
        "now": now,
        "next_id": 100,
        "accounts": accounts,
        "cards": cards,
        "people": [{"id": f"h{n + 1}", "title": name} for n, name in enumerate(people)],
        "bills": bills,
        "payments": [],
        "transactions": _history(rng, today, payers),
        "reports": [],
        "checkbooks": [],
    }


def _account(id_: str, title: str, kind: str, cents: int) -> Item:
    return {
        "id": id_,
        "title": title,
        "kind": kind,
        "balance_cents": cents,
        "held_cents": 0,
        "frozen": False,
    }


def _card(id_: str, title: str, kind: str, account: str, cents: int) -> Item:
    return {**_account(id_, title, kind, cents), "account": account, "status": "active"}


def _bill(rng: random.Random, id_: str, made: tuple[tuple[str, ...], str, int, int], today: int) -> Item:
    payees, kind, low, high = made
    cents = _cents(rng, low, high)
    revolving = kind in ("credit card", "student loan")
    return {
        "id": id_,
        "title": f"{_pick(rng, payees)} {kind}".strip(),
        "kind": kind,
        "amount_cents": cents,
        "minimum_cents": min(cents, max(2500, cents // 20)) if revolving else cents,
        "paid_cents": 0,
        "held_cents": 0,
        "due": iso_date(today + 1 + int(rng.random() * 27)),
    }


def _history(rng: random.Random, today: int, payers: Sequence[str]) -> list[Item]:
    days = sorted(int(rng.random() * HISTORY_DAYS) for _ in range(40))
    entries = []
    for n, back in enumerate(days):
        kind, shops, low, high = _pick(rng, SHOPS)
        entries.append(
            {
                "id": f"t{n + 1}",
                "title": _pick(rng, shops),
                "kind": kind,
                "type": "purchase",
                "account": _pick(rng, payers),
                "amount_cents": _cents(rng, low, high),
                "date": iso_date(today - back),
                "disputed": False,
            }
        )
    return entries


def _cents(rng: random.Random, low: int, high: int) -> int:
    """An amount between two of dollars, in cents."""
    return int((low + rng.random() * (high - low)) * 100)


def _pick(rng: random.Random, values: Sequence[T]) -> T:
    """A value drawn evenly; several times faster than `rng.choice`."""
    return values[int(rng.random() * len(values))]
