"""A wallet: accounts, cards, bills and what was spent, one pure `step`.

State: `{"now", "next_id", "accounts", "cards", "people", "bills", "payments", "transactions", "reports",
"checkbooks"}`, lists of items with an `id` and a `title`:
  account: kind, balance_cents, held_cents (set aside for scheduled payments), frozen;
  card: kind (credit, debit), account (id of a debit card's account, else ""), status (active, lost, stolen,
    damaged); a credit card holds its own money: balance_cents is the credit left, held_cents, frozen;
  bill: kind, amount_cents, minimum_cents, paid_cents, held_cents (scheduled to be paid), due;
  payment: a scheduled one: bill, account, amount_cents, date;
  transaction: title is the merchant or person, kind the category, type (purchase, payment, sent, transfer),
    account, amount_cents, date, disputed; the newest first;
  report: of fraud: account, transaction, amount_cents; checkbook: account.
Money is in whole cents of a dollar. An account or card never holds less than nothing or than is set aside.
"""

from __future__ import annotations

import functools
import pathlib
from typing import Any

from fernjax.sim.arguments import Action, Answer, Refused, invalid, make_check, make_step
from fernjax.sim.domains.wallet.ledger import (
    Item,
    cents_of,
    find,
    money,
    payer,
    pick,
    pick_fund,
    put,
    refuse_ambiguous,
    refuse_unknown,
    show_bill,
    show_holder,
    show_transaction,
    take,
)
from fernjax.sim.matching import NEXT, tokens
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.tools import load_tools
from fernjax.sim.types import Observation
from fernjax.sim.world import State

MAX_SHOWN = 20
RECENT_DAYS = 30
"""Days back that spending is added up over where no day is said."""

NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "transfer_money": (("amount",), ("to",)),
    "pay_bill": (("bill",),),
}


# Moving money


def _transfer_money(state: State, a: Item) -> Answer:
    cents = cents_of(a)
    key, target = _target(state, a["to"])
    source_key, source = payer(state, a, avoid=target["id"])
    if source["id"] == target["id"]:
        raise Refused(invalid("to", "is where the money comes from"))
    after = take(state, (source_key, source), cents)
    sent = key == "people"
    if not sent:
        after = put(after, key, target, {"balance_cents": target["balance_cents"] + cents})
    kind = "sent" if sent else "transfer"
    after, entry = _book(after, target["title"], "transfers", kind, source["id"], cents)
    data = {"amount": money(cents), "from": source["title"], "to": target["title"], "transaction": entry}
    return after, Observation("sent" if sent else "transferred", data)


def _target(state: State, text: str) -> tuple[str, Item]:
    """An account or a credit card of one's own, else a person."""
    own = [*state["accounts"], *(c for c in state["cards"] if not c["account"])]
    found = find(text, own + state["people"])
    if not found:
        there, people = [i["title"] for i in own], [i["title"] for i in state["people"]]
        raise Refused(Observation("not_found", {"to": text, "available": there, "people": people}))
    if len(found) > 1:
        refuse_ambiguous("to", [{"id": i["id"], "to": i["title"]} for i in found])
    item = found[0]
    return "cards" if "status" in item else "accounts" if "frozen" in item else "people", item


def _pay_bill(state: State, a: Item) -> Answer:
    today = state["now"][:10]
    date = a.get("date", today)
    if date < today:
        raise Refused(invalid("date", "has passed"))
    bill = _pick_bill(state, a["bill"])
    left = bill["amount_cents"] - bill["paid_cents"] - bill["held_cents"]
    if left == 0:
        raise Refused(Observation("already_done", {"bill": show_bill(bill)}))
    cents = cents_of(a) if "amount" in a else left
    if cents > left:
        raise Refused(invalid("amount", f"is more than is left to pay ({money(left)})"))
    fund = payer(state, a)
    later = date > today
    after = take(state, fund, cents, held=later)
    paid = {"held_cents": bill["held_cents"] + cents} if later else {"paid_cents": bill["paid_cents"] + cents}
    after = put(after, "bills", bill, paid)
    new = {**bill, **paid}
    data: dict[str, Any] = {"bill": show_bill(new), "amount": money(cents), "from": fund[1]["title"]}
    if not later:
        after, data["transaction"] = _book(
            after, bill["title"], bill["kind"], "payment", fund[1]["id"], cents
        )
        return after, Observation("paid", data)
    payment = {
        "id": f"p{after['next_id']}",
        "title": bill["title"],
        "bill": bill["id"],
        "account": fund[1]["id"],
        "amount_cents": cents,
        "date": date,
    }
    after = {**after, "next_id": after["next_id"] + 1, "payments": [*after["payments"], payment]}
    return after, Observation("scheduled", {**data, "date": date})


def _pick_bill(state: State, text: str) -> Item:
    """The bill that is meant; "my next bill" is the one that is due first."""
    bills = state["bills"]
    if not tokens(text).isdisjoint(NEXT) and bills and len(find(text, bills)) == len(bills):
        return min(bills, key=lambda b: (b["paid_cents"] >= b["amount_cents"], b["due"], b["id"]))
    found = find(text, bills)
    if len(found) > 1 and (unpaid := [b for b in found if _left(b)]):
        found = unpaid
    return found[0] if len(found) == 1 else pick("bill", text, bills, show_bill)


def _left(bill: Item) -> int:
    """Cents of a bill that are neither paid nor scheduled."""
    return int(bill["amount_cents"] - bill["paid_cents"] - bill["held_cents"])


def _book(state: State, title: str, kind: str, type_: str, account: str, cents: int) -> tuple[State, str]:
    """The state with a new transaction of today, and its id."""
    entry = {
        "id": f"t{state['next_id']}",
        "title": title,
        "kind": kind,
        "type": type_,
        "account": account,
        "amount_cents": cents,
        "date": state["now"][:10],
        "disputed": False,
    }
    after = {**state, "next_id": state["next_id"] + 1, "transactions": [entry, *state["transactions"]]}
    return after, entry["id"]


# Looking


def _get_balance(state: State, a: Item) -> Answer:
    items = state["accounts"]
    if "account" in a:
        found = find(a["account"], items)
        if len(found) < len(items) or len(items) == 1:
            items = found or [pick_fund(state, "account", a["account"])[0][1]]
    total = sum(i["balance_cents"] for i in items)
    return state, Observation("found", {"accounts": [show_holder(i) for i in items], "total": money(total)})


def _get_bill(state: State, a: Item) -> Answer:
    bills = state["bills"]
    if "bill" in a:
        text = a["bill"]
        bills = find(text, bills)
        if not tokens(text).isdisjoint(NEXT) and len(bills) == len(state["bills"]):
            bills = [_pick_bill(state, text)] if bills else []
    if not bills:
        there = [b["title"] for b in state["bills"]]
        return state, Observation("not_found", {"bill": a.get("bill", ""), "available": there})
    shown = [show_bill(b) for b in sorted(bills, key=lambda b: (b["due"], b["id"]))]
    if "field" in a:
        shown = [{"id": s["id"], "bill": s["bill"], a["field"]: s[a["field"]]} for s in shown]
    total = sum(b["amount_cents"] - b["paid_cents"] for b in bills)
    return state, Observation("found", {"bills": shown, "count": len(shown), "total": money(total)})


def _list_transactions(state: State, a: Item) -> Answer:
    limit = a.get("limit", MAX_SHOWN)
    if not isinstance(limit, int) or limit < 1:
        raise Refused(invalid("limit", f"must be a whole number from 1, not {limit}"))
    for name, key in (("merchant", "title"), ("category", "kind")):
        if name in a and not _matching(state, {name: a[name]}):
            there = list(dict.fromkeys(t[key] for t in state["transactions"]))[:MAX_SHOWN]
            return state, Observation("not_found", {name: a[name], "available": there})
    items = _matching(state, a)
    shown = [show_transaction(t) for t in items[: min(limit, MAX_SHOWN)]]
    return state, Observation("found", {"count": len(items), "transactions": shown})


def _get_spending(state: State, a: Item) -> Answer:
    today = state["now"][:10]
    span: Item = {k: a[k] for k in ("start_date", "end_date") if k in a}
    if not span:
        span = {"start_date": _days_before(today, RECENT_DAYS), "end_date": today}
    items = [t for t in state["transactions"] if t["type"] in ("purchase", "payment")]
    if "category" in a:
        items = _on(items, a["category"])
        if not items:
            there = sorted({t["kind"] for t in state["transactions"] if t["type"] == "purchase"})
            return state, Observation("not_found", {"category": a["category"], "available": there})
    items = _within(items, span)
    spent = sum(t["amount_cents"] for t in items)
    return state, Observation("found", {"spent": money(spent), "count": len(items), **span})


def _matching(state: State, a: Item) -> list[Item]:
    """The transactions, newest first, that meet all that a call says of them.

    Raises:
      Refused: where the account is not found or not the only one that is meant, or the span ends before it
        begins.
    """
    items: list[Item] = state["transactions"]
    if "account" in a:
        everything = state["accounts"] + state["cards"]
        found = find(a["account"], everything)
        if not found:
            refuse_unknown("account", a["account"], everything)
        meant = {i["account"] if i.get("account") else i["id"] for i in found}
        items = [t for t in items if t["account"] in meant]
    if "merchant" in a:
        items = _at(items, a["merchant"], either=True)
    if "category" in a:
        items = _on(items, a["category"])
    return _within(items, a)


def _on(items: list[Item], category: str) -> list[Item]:
    """Those of a kind of spending; a merchant's name stands for itself."""
    words = tokens(category)
    kinds = {k for k in {t["kind"] for t in items} if not words.isdisjoint(tokens(k))}
    return [t for t in items if t["kind"] in kinds] if kinds else _at(items, category)


def _at(items: list[Item], merchant: str, either: bool = False) -> list[Item]:
    """Those at a merchant whose name holds the words, or (`either`) is held by them."""
    words = tokens(merchant)
    names = {n: tokens(n) for n in {t["title"] for t in items}}
    meant = {n for n, said in names.items() if words <= said or (either and said <= words)}
    return [t for t in items if t["title"] in meant]


def _within(items: list[Item], a: Item) -> list[Item]:
    if "start_date" not in a and "end_date" not in a:
        return items
    first, last = a.get("start_date", ""), a.get("end_date", "9")
    if last < first:
        raise Refused(invalid("end_date", "is before start_date"))
    return [t for t in items if first <= t["date"] <= last]


@functools.lru_cache(maxsize=1 << 10)
def _days_before(today: str, days: int) -> str:
    return iso_date((ordinal(today) or days + 1) - days)


# Keeping money safe


def _freeze_account(state: State, a: Item) -> Answer:
    if "account" in a:
        (key, fund), _ = pick_fund(state, "account", a["account"])
    else:
        key, fund = "accounts", _only(state["accounts"], "account")
    if fund["frozen"]:
        raise Refused(Observation("already_done", {"account": show_holder(fund)}))
    after = put(state, key, fund, {"frozen": True})
    return after, Observation("frozen", {"account": show_holder({**fund, "frozen": True})})


def _report_lost_card(state: State, a: Item) -> Answer:
    active = [c for c in state["cards"] if c["status"] == "active"]
    if "card" in a:
        found = find(a["card"], active) or find(a["card"], state["cards"])
        card = found[0] if len(found) == 1 else pick("card", a["card"], found or state["cards"], show_holder)
    else:
        card = _only(active or state["cards"], "card")
    if card["status"] != "active":
        raise Refused(Observation("already_done", {"card": show_holder(card)}))
    status = {"status": a.get("reason", "lost")}
    after = put(state, "cards", card, status)
    return after, Observation("reported", {"card": show_holder({**card, **status}), "replacement": True})


def _report_fraud(state: State, a: Item) -> Answer:
    cents = round(a["amount"] * 100) if "amount" in a else 0
    entry, account = None, ""
    if "account" in a:
        account = pick_fund(state, "account", a["account"])[0][1]["id"]
    if "merchant" in a or cents:
        items = _matching(state, {k: a[k] for k in ("account", "merchant") if k in a})
        items = [t for t in items if cents in (0, t["amount_cents"])]
        open_ = [t for t in items if not t["disputed"]]
        if not items:
            recent = [show_transaction(t) for t in state["transactions"][:5]]
            return state, Observation("not_found", {**a, "recent": recent})
        if not open_:
            raise Refused(Observation("already_done", {"transaction": show_transaction(items[0])}))
        if len(open_) > 1:
            refuse_ambiguous(
                "merchant" if "merchant" in a else "amount", [show_transaction(t) for t in open_]
            )
        entry = open_[0]
    report = {
        "id": f"f{state['next_id']}",
        "title": entry["title"] if entry else a.get("account", "fraud"),
        "account": entry["account"] if entry else account,
        "transaction": entry["id"] if entry else "",
        "amount_cents": entry["amount_cents"] if entry else 0,
    }
    after = put(state, "transactions", entry, {"disputed": True}) if entry else state
    after = {**after, "next_id": state["next_id"] + 1, "reports": [*state["reports"], report]}
    data: dict[str, Any] = {"report": {k: report[k] for k in ("id", "title", "account", "transaction")}}
    return after, Observation("reported", data)


def _order_checks(state: State, a: Item) -> Answer:
    if "account" in a:
        (_, account), _ = pick_fund(state, "account", a["account"])
    else:
        account = _only([i for i in state["accounts"] if i["kind"] == "checking"], "account")
    if account.get("kind") != "checking":
        raise Refused(invalid("account", f"{account['title']} has no checks"))
    if account["frozen"]:
        raise Refused(Observation("account_frozen", {"account": show_holder(account)}))
    order = {"id": f"k{state['next_id']}", "title": account["title"], "account": account["id"]}
    after = {**state, "next_id": state["next_id"] + 1, "checkbooks": [*state["checkbooks"], order]}
    return after, Observation("ordered", {"checkbook": {"id": order["id"], "account": account["title"]}})


def _only(items: list[Item], argument: str) -> Item:
    """The one that there is; where there are several, the app asks which."""
    if len(items) == 1:
        return items[0]
    if not items:
        raise Refused(Observation("not_found", {argument: "", "available": []}))
    refuse_ambiguous(argument, [show_holder(i) for i in items])


TOOLS = load_tools(
    pathlib.Path(__file__).with_name("tools.json"),
    reads=("get_balance", "get_bill", "list_transactions", "get_spending"),
)
_ACTIONS: dict[str, Action] = {
    "transfer_money": _transfer_money,
    "pay_bill": _pay_bill,
    "get_balance": _get_balance,
    "get_bill": _get_bill,
    "list_transactions": _list_transactions,
    "get_spending": _get_spending,
    "freeze_account": _freeze_account,
    "report_fraud": _report_fraud,
    "order_checks": _order_checks,
    "report_lost_card": _report_lost_card,
}
step = make_step(make_check(TOOLS, NEEDS), _ACTIONS)
