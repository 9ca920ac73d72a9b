"""The wallet's money: amounts in cents, which account or card is meant, what may leave it."""

from __future__ import annotations

import functools
from typing import Any, NoReturn

from fernjax.sim.arguments import Refused, invalid
from fernjax.sim.matching import NEXT, tokens
from fernjax.sim.types import Observation
from fernjax.sim.world import State

GENERIC = frozenset("account bank card bill payment all every any each one money invoice statement".split())
"""Words that name a kind and not one of its things."""

RATES = {
    "USD": 100_000,
    "EUR": 108_000,
    "GBP": 127_000,
    "CAD": 73_000,
    "AUD": 66_000,
    "NZD": 60_000,
    "CHF": 113_000,
    "JPY": 670,
    "CNY": 14_000,
    "INR": 1_200,
    "MXN": 5_500,
    "BRL": 18_000,
    "SEK": 9_500,
    "NOK": 9_300,
    "DKK": 14_500,
    "PLN": 25_000,
    "CZK": 4_300,
    "HUF": 280,
    "ZAR": 5_400,
    "KRW": 73,
    "SGD": 74_000,
    "HKD": 12_800,
    "TRY": 3_000,
    "RUB": 1_100,
    "ILS": 27_000,
    "THB": 2_800,
    "PHP": 1_700,
}
"""Thousandths of a US cent that the app takes for one unit of a currency; accounts are kept in dollars."""

MAX_CANDIDATES = 10

Item = dict[str, Any]
Fund = tuple[str, Item]
"""Something that holds money: the state's list that it stands in (`accounts` or `cards`), and itself."""


# Amounts


def cents_of(a: Item) -> int:
    """Cents of the amount of a call, worked out from its currency where it says one."""
    currency = a.get("currency", "USD")
    rate = RATES.get(currency)
    if rate is None:
        raise Refused(invalid("currency", f"must be one of {', '.join(RATES)}, not {currency}"))
    cents = round(a["amount"] * 100) * rate // RATES["USD"]
    if cents < 1:
        raise Refused(invalid("amount", "is less than a cent"))
    return cents


def money(cents: int) -> int | float:
    """Dollars of an amount in cents, whole ones as `int`."""
    return cents // 100 if cents % 100 == 0 else cents / 100


# Which one is meant


def find(text: str, items: list[Item]) -> list[Item]:
    """The items that the user's words mean.

    A title that is the words, else one that holds them, else title and kind that hold them, else what holds
    most of them, at least half. Words that name no one ("all bills", "my account") mean every one.
    """
    content = _content(text)
    if not content:
        return items
    size, most = len(content), 1
    ranks: dict[int, list[Item]] = {}
    for item in items:
        title, said = _around(item["title"], item.get("kind", ""))
        if content.isdisjoint(said):
            continue
        rank = len(content & said)
        if rank == size:
            rank += 2 if title == content else content <= title
        if rank >= most:
            most = rank
            ranks.setdefault(rank, []).append(item)
    return ranks.get(most, []) if 2 * most >= size else []


@functools.lru_cache(maxsize=1 << 14)
def _content(text: str) -> frozenset[str]:
    """The words that tell one thing from another."""
    return tokens(text) - GENERIC - NEXT


@functools.lru_cache(maxsize=1 << 14)
def _around(title: str, kind: str) -> tuple[frozenset[str], frozenset[str]]:
    """Tokens of a title that tell it from others, and of all that an item says."""
    said = tokens(title)
    return said - GENERIC, said | tokens(kind)


def pick(argument: str, text: str, items: list[Item], shown: Any) -> Item:
    """The one item that is meant.

    Args:
      argument: name of the argument that the words came in.
      text: the words.
      items: those that there are.
      shown: gives what an app shows of one.

    Raises:
      Refused: with `not_found` and what there is, or `ambiguous` and its candidates.
    """
    found = find(text, items)
    if len(found) > 1:
        refuse_ambiguous(argument, [shown(i) for i in found])
    if not found:
        refuse_unknown(argument, text, items)
    return found[0]


def refuse_unknown(argument: str, text: str, items: list[Item]) -> NoReturn:
    there = [i["title"] for i in items[:MAX_CANDIDATES]]
    raise Refused(Observation("not_found", {argument: text, "available": there}))


def refuse_ambiguous(argument: str, candidates: list[Item]) -> NoReturn:
    data = {"argument": argument, "candidates": candidates[:MAX_CANDIDATES], "count": len(candidates)}
    raise Refused(Observation("ambiguous", data))


def pick_fund(state: State, argument: str, text: str) -> tuple[Fund, Item | None]:
    """The account or card that words mean, and the card where one is: a debit card means its account.

    Raises:
      Refused: as `pick`.
    """
    everything = state["accounts"] + state["cards"]
    found = find(text, everything)
    if not found:
        refuse_unknown(argument, text, everything)
    funds = {f["id"]: (key, f) for key, f in (_fund(state, i) for i in found)}
    if len(funds) > 1:
        refuse_ambiguous(argument, [show_holder(f) for _, f in funds.values()])
    cards = [i for i in found if "status" in i]
    return next(iter(funds.values())), cards[0] if len(cards) == len(found) else None


def _fund(state: State, item: Item) -> Fund:
    """What holds the money of an account or card."""
    if "status" not in item:
        return "accounts", item
    if item["account"]:
        return "accounts", next(i for i in state["accounts"] if i["id"] == item["account"])
    return "cards", item


# Taking money


def payer(state: State, a: Item, avoid: str = "") -> Fund:
    """The account or card that a call takes money from: the one it names, else the first that is not frozen.

    Args:
      avoid: id of the account that the money goes to.

    Raises:
      Refused: where none is meant, or it is frozen, or it is a card that was lost.
    """
    if "from_account" not in a:
        for account in state["accounts"]:
            if account["id"] != avoid and not account["frozen"]:
                return "accounts", account
        raise Refused(Observation("account_frozen", {"accounts": [i["title"] for i in state["accounts"]]}))
    (key, fund), card = pick_fund(state, "from_account", a["from_account"])
    if card is not None and card["status"] in ("lost", "stolen"):
        raise Refused(Observation("card_blocked", {"card": show_holder(card)}))
    if fund["frozen"]:
        raise Refused(Observation("account_frozen", {"account": show_holder(fund)}))
    return key, fund


def take(state: State, fund: Fund, cents: int, held: bool = False) -> State:
    """The state after money has left (`held`: is set aside in) an account or card.

    Raises:
      Refused: `insufficient_funds` where less is left in it than that.
    """
    key, item = fund
    free = item["balance_cents"] - item["held_cents"]
    if cents > free:
        data = {"account": show_holder(item), "available": money(free), "needed": money(cents)}
        raise Refused(Observation("insufficient_funds", data))
    change = {"held_cents": item["held_cents"] + cents}
    if not held:
        change = {"balance_cents": item["balance_cents"] - cents}
    return put(state, key, item, change)


def put(state: State, key: str, item: Item, changes: Item) -> State:
    """The state with some fields of an item of one of its lists changed."""
    new = {**item, **changes}
    return {**state, key: [new if i is item else i for i in state[key]]}


# What the app shows


def show_holder(item: Item) -> Item:
    """An account or card as the app shows it."""
    if "status" not in item:
        return {
            "id": item["id"],
            "account": item["title"],
            "balance": money(item["balance_cents"]),
            "frozen": item["frozen"],
        }
    shown = {"id": item["id"], "card": item["title"], "kind": item["kind"], "status": item["status"]}
    if not item["account"]:
        shown |= {"available": money(item["balance_cents"]), "frozen": item["frozen"]}
    return shown


def show_bill(bill: Item) -> Item:
    """A bill as the app shows it: what is left to pay, the least that may be, and when."""
    left = bill["amount_cents"] - bill["paid_cents"]
    return {
        "id": bill["id"],
        "bill": bill["title"],
        "amount": money(left),
        "minimum_payment": money(min(left, max(0, bill["minimum_cents"] - bill["paid_cents"]))),
        "due_date": bill["due"],
        "scheduled": money(bill["held_cents"]),
    }


def show_transaction(entry: Item) -> Item:
    """A transaction as the app shows it."""
    return {
        "id": entry["id"],
        "date": entry["date"],
        "merchant": entry["title"],
        "category": entry["kind"],
        "amount": money(entry["amount_cents"]),
        "disputed": entry["disputed"],
    }
