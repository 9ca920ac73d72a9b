"""The wallet: what each tool answers, and what holds whatever is called."""

import collections
import copy
import json
import math
import os
import random
import re

import hypothesis.strategies as st
import pytest
from any_call import ANYTHING, digest_in_processes
from hypothesis import HealthCheck, given, settings

from fernjax.sim.coverage import measure
from fernjax.sim.domains.wallet import DOMAIN
from fernjax.sim.domains.wallet.app import step
from fernjax.sim.domains.wallet.ledger import RATES, find, money
from fernjax.sim.harvest import natural_negatives
from fernjax.sim.recipe import Recipe
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Call
from fernjax.sim.world import state_hash

NOW = "2026-03-04T09:30:00"  # a Wednesday
TODAY = NOW[:10]
STATUSES = set(
    "transferred sent paid scheduled found frozen reported ordered insufficient_funds account_frozen "
    "card_blocked already_done not_found ambiguous missing_argument invalid_argument unsupported".split()
)
DONE = set("transferred sent paid scheduled frozen reported ordered".split())
READS = {t.name for t in DOMAIN.tools if t.reads}


def account(id_, title, kind, cents, **more):
    held = {"balance_cents": cents, "held_cents": 0, "frozen": False}
    return {"id": id_, "title": title, "kind": kind, **held, **more}


def bill(id_, title, kind, cents, minimum, due):
    return {
        "id": id_,
        "title": title,
        "kind": kind,
        "amount_cents": cents,
        "minimum_cents": minimum,
        "paid_cents": 0,
        "held_cents": 0,
        "due": due,
    }


def bought(id_, title, kind, account_, cents, date):
    return {
        "id": id_,
        "title": title,
        "kind": kind,
        "type": "purchase",
        "account": account_,
        "amount_cents": cents,
        "date": date,
        "disputed": False,
    }


SMALL = {
    "now": NOW,
    "next_id": 100,
    "accounts": [
        account("a1", "Chase checking", "checking", 50_000),
        account("a2", "savings", "savings", 100_000),
    ],
    "cards": [
        account("c1", "Chase debit", "debit", 0, account="a1", status="active"),
        account("c2", "Visa", "credit", 30_000, account="", status="active"),
    ],
    "people": [{"id": "h1", "title": "Ana"}, {"id": "h2", "title": "my landlord"}],
    "bills": [
        bill("b1", "Comcast cable", "cable", 8_050, 8_050, "2026-03-10"),
        bill("b2", "Visa credit card", "credit card", 60_000, 3_000, "2026-03-20"),
        bill("b3", "water", "water", 4_000, 4_000, "2026-03-06"),
    ],
    "payments": [],
    "transactions": [
        bought("t1", "Target", "shopping", "c2", 2_500, "2026-03-03"),
        bought("t2", "Kroger", "groceries", "a1", 6_010, "2026-03-02"),
        bought("t3", "Target", "shopping", "a1", 1_999, "2026-02-20"),
        bought("t4", "Aldi", "groceries", "a1", 3_990, "2026-01-10"),
    ],
    "reports": [],
    "checkbooks": [],
}


def run(state, name, **arguments):
    return step(state, Call(name, arguments))


def status(state, name, **arguments):
    return run(state, name, **arguments)[1].status


# What each tool answers


def test_money_moves_between_own_accounts_and_to_people():
    after, moved = run(
        SMALL, "transfer_money", amount=120.5, to="savings", from_account="my checking account"
    )
    assert moved.status == "transferred" and moved.data["amount"] == 120.5
    assert [a["balance_cents"] for a in after["accounts"]] == [37_950, 112_050]
    after, sent = run(after, "transfer_money", amount=20, to="ana")
    assert sent.status == "sent" and after["accounts"][0]["balance_cents"] == 35_950
    assert after["transactions"][0]["title"] == "Ana" and after["transactions"][0]["date"] == TODAY
    assert status(SMALL, "transfer_money", amount=1, to="the landlord") == "sent"


def test_money_goes_from_another_account_where_the_first_is_the_target():
    _, moved = run(SMALL, "transfer_money", amount=10, to="checking")
    assert (moved.data["from"], moved.data["to"]) == ("savings", "Chase checking")
    same = run(SMALL, "transfer_money", amount=10, to="savings", from_account="savings")[1]
    assert same.status == "invalid_argument" and same.data["argument"] == "to"


def test_a_currency_is_worked_out_and_an_unknown_one_refused():
    after, sent = run(SMALL, "transfer_money", amount=10, currency="EUR", to="Ana")
    assert sent.data["amount"] == 10.8 and after["accounts"][0]["balance_cents"] == 48_920
    unknown = run(SMALL, "transfer_money", amount=10, currency="XXX", to="Ana")[1]
    assert unknown.status == "invalid_argument" and unknown.data["argument"] == "currency"
    tiny = run(SMALL, "transfer_money", amount=1, currency="KRW", to="Ana")[1]
    assert tiny.status == "invalid_argument" and tiny.data["argument"] == "amount"


def test_too_little_money_is_said_and_nothing_moves():
    after, refused = run(SMALL, "transfer_money", amount=500.01, to="Ana", from_account="checking")
    assert after is SMALL and refused.status == "insufficient_funds"
    assert (refused.data["available"], refused.data["needed"]) == (500, 500.01)
    assert status(SMALL, "transfer_money", amount=500, to="Ana", from_account="checking") == "sent"


def test_what_is_not_there_is_answered_with_what_is():
    nobody = run(SMALL, "transfer_money", amount=5, to="Zed")[1]
    assert nobody.status == "not_found" and nobody.data["people"] == ["Ana", "my landlord"]
    assert run(SMALL, "pay_bill", bill="rent")[1].data["available"] == [b["title"] for b in SMALL["bills"]]
    assert run(SMALL, "get_spending", category="yachts")[1].data["available"] == ["groceries", "shopping"]
    assert run(SMALL, "list_transactions", merchant="Ikea")[1].data["available"] == [
        "Target",
        "Kroger",
        "Aldi",
    ]
    assert "Visa" in run(SMALL, "freeze_account", account="brokerage")[1].data["available"]


def test_several_that_fit_are_candidates():
    two = {**SMALL, "accounts": [*SMALL["accounts"], account("a3", "vacation savings", "savings", 0)]}
    _, asked = run(two, "transfer_money", amount=5, to="Ana", from_account="the bank")
    assert asked.status == "ambiguous" and asked.data["count"] == 4
    assert run(two, "freeze_account", account="savings")[1].data["account"]["account"] == "savings"
    assert status(SMALL, "report_lost_card") == status(SMALL, "freeze_account") == "ambiguous"
    one_card = {**SMALL, "cards": SMALL["cards"][:1]}
    assert status(one_card, "report_lost_card", reason="stolen") == "reported"
    many = run(SMALL, "report_fraud", merchant="target")[1]
    assert many.status == "ambiguous" and [c["id"] for c in many.data["candidates"]] == ["t1", "t3"]


def test_a_bill_is_paid_in_parts_and_once():
    after, part = run(SMALL, "pay_bill", bill="visa", amount=100)
    assert part.status == "paid" and part.data["bill"]["amount"] == 500
    assert part.data["bill"]["minimum_payment"] == 0
    over = run(after, "pay_bill", bill="visa", amount=500.01, from_account="savings")[1]
    assert over.status == "invalid_argument" and over.data["argument"] == "amount"
    after, rest = run(after, "pay_bill", bill="visa", from_account="savings")
    assert rest.data["amount"] == 500 and rest.data["bill"]["amount"] == 0
    assert status(after, "pay_bill", bill="visa") == "already_done"
    assert run(SMALL, "pay_bill", bill="my next bill")[1].data["bill"]["bill"] == "water"


def test_a_scheduled_payment_sets_its_money_aside():
    after, later = run(SMALL, "pay_bill", bill="comcast", date="2026-03-09")
    assert later.status == "scheduled" and after["payments"][0]["date"] == "2026-03-09"
    first = after["accounts"][0]
    assert (first["balance_cents"], first["held_cents"]) == (50_000, 8_050)
    assert status(after, "pay_bill", bill="comcast") == "already_done"
    assert (
        status(after, "transfer_money", amount=420, to="Ana", from_account="checking") == "insufficient_funds"
    )
    assert run(SMALL, "pay_bill", bill="comcast", date="2026-03-03")[1].data["argument"] == "date"


def test_a_card_pays_too():
    after, paid = run(SMALL, "pay_bill", bill="water", from_account="visa")
    assert paid.status == "paid" and after["cards"][1]["balance_cents"] == 26_000
    after, paid = run(SMALL, "pay_bill", bill="water", from_account="debit card")
    assert paid.data["from"] == "Chase checking" and after["accounts"][0]["balance_cents"] == 46_000


def test_a_frozen_account_pays_nothing_and_takes_money_in():
    frozen, answer = run(SMALL, "freeze_account", account="savings")
    assert answer.status == "frozen" and answer.data["account"]["frozen"]
    assert status(frozen, "transfer_money", amount=1, to="Ana", from_account="savings") == "account_frozen"
    assert status(frozen, "pay_bill", bill="water", from_account="savings") == "account_frozen"
    assert status(frozen, "transfer_money", amount=1, to="savings") == "transferred"
    assert status(frozen, "freeze_account", account="savings") == "already_done"


def test_a_lost_card_pays_nothing_and_a_damaged_one_does():
    lost, answer = run(SMALL, "report_lost_card", card="visa card", reason="stolen")
    assert answer.data["card"]["status"] == "stolen" and answer.data["replacement"]
    assert status(lost, "pay_bill", bill="water", from_account="visa") == "card_blocked"
    assert status(lost, "report_lost_card", card="visa") == "already_done"
    damaged, _ = run(SMALL, "report_lost_card", card="debit", reason="damaged")
    assert status(damaged, "pay_bill", bill="water", from_account="debit card") == "paid"


def test_balances_and_bills_are_read():
    assert run(SMALL, "get_balance")[1].data["total"] == 1500
    assert run(SMALL, "get_balance", account="visa")[1].data["accounts"][0]["available"] == 300
    assert run(SMALL, "get_bill", bill="cable")[1].data["total"] == 80.5
    due = run(SMALL, "get_bill", field="due_date")[1].data["bills"]
    assert [b["due_date"] for b in due] == ["2026-03-06", "2026-03-10", "2026-03-20"]
    least = run(SMALL, "get_bill", bill="credit card", field="minimum_payment")[1].data["bills"]
    assert least == [{"id": "b2", "bill": "Visa credit card", "minimum_payment": 30}]
    assert run(SMALL, "get_bill", bill="cable and water", field="amount")[1].data["total"] == 120.5


def test_transactions_are_filtered_and_limited():
    def ids(**arguments):
        return [t["id"] for t in run(SMALL, "list_transactions", **arguments)[1].data["transactions"]]

    assert ids() == ["t1", "t2", "t3", "t4"] and ids(limit=2) == ["t1", "t2"]
    assert ids(merchant="target") == ["t1", "t3"] and ids(category="groceries") == ["t2", "t4"]
    assert ids(account="visa card") == ["t1"] and ids(account="debit card") == ["t2", "t3", "t4"]
    assert ids(start_date="2026-02-01", end_date="2026-03-02") == ["t2", "t3"]
    assert ids(merchant="target", start_date="2026-03-04") == []
    for argument, value in (("limit", 0), ("limit", 2.5), ("end_date", "2026-01-01")):
        bad = run(SMALL, "list_transactions", start_date="2026-02-01", **{argument: value})[1]
        assert bad.status == "invalid_argument" and bad.data["argument"] == argument


def test_spending_is_added_up_over_a_span_the_last_month_where_none_is_said():
    assert run(SMALL, "get_spending")[1].data["spent"] == 105.09
    assert run(SMALL, "get_spending", category="groceries")[1].data["spent"] == 60.1
    january = run(SMALL, "get_spending", start_date="2026-01-01", end_date="2026-01-31")[1].data
    assert (january["spent"], january["count"]) == (39.9, 1)
    after, _ = run(SMALL, "pay_bill", bill="water")
    assert run(after, "get_spending", category="water")[1].data["spent"] == 40


def test_fraud_marks_the_transaction_or_the_account():
    after, made = run(SMALL, "report_fraud", merchant="target", account="visa")
    assert made.status == "reported" and made.data["report"]["transaction"] == "t1"
    assert after["transactions"][0]["disputed"] and not SMALL["transactions"][0]["disputed"]
    assert status(after, "report_fraud", merchant="target", account="visa") == "already_done"
    assert run(SMALL, "report_fraud", amount=19.99)[1].data["report"]["transaction"] == "t3"
    assert status(SMALL, "report_fraud") == status(SMALL, "report_fraud", account="visa") == "reported"
    assert len(run(SMALL, "report_fraud", merchant="Ikea")[1].data["recent"]) == 4


def test_checks_are_for_checking_accounts():
    assert run(SMALL, "order_checks")[1].data["checkbook"]["account"] == "Chase checking"
    refused = run(SMALL, "order_checks", account="savings")[1]
    assert refused.status == "invalid_argument" and refused.data["argument"] == "account"


def test_missing_arguments_are_named_as_the_domain_names_them():
    for name, arguments, missing in (
        ("transfer_money", {}, ["amount", "to"]),
        ("transfer_money", {"to": "Ana"}, ["amount"]),
        ("transfer_money", {"amount": 5, "from_account": "savings"}, ["to"]),
        ("pay_bill", {"amount": 5}, ["bill"]),
        ("get_bill", {}, []),
        ("freeze_account", {}, []),
        ("report_lost_card", {}, []),
        ("order_checks", {}, []),
    ):
        observation = run(SMALL, name, **arguments)[1]
        assert list(DOMAIN.missing(Call(name, arguments))) == missing
        assert observation.data.get("missing", []) == missing


@pytest.mark.parametrize(
    "argument, value",
    [
        ("amount", 0),
        ("amount", -5),
        ("amount", 0.001),
        ("amount", math.nan),
        ("amount", 10**400),
        ("amount", True),
        ("amount", "5"),
        ("currency", "usd"),
        ("currency", "dollars"),
        ("from_account", ""),
        ("from_account", "x" * 100_000),
        ("from_account", "bad \ud800"),
        ("to", ["Ana"]),
        ("too", "Ana"),
    ],
)
def test_an_invalid_argument_is_named_with_why(argument, value):
    after, observation = run(SMALL, "transfer_money", **{"amount": 5, "to": "Ana", argument: value})
    assert after is SMALL and observation.status == "invalid_argument"
    assert observation.data["argument"] == argument and observation.data["why"]


def test_numbers_are_canonical():
    whole, point = (
        run(SMALL, "transfer_money", amount=25, to="Ana"),
        run(SMALL, "transfer_money", amount=25.0, to="Ana"),
    )
    assert json.dumps(whole[0]) == json.dumps(point[0]) and whole[1] == point[1]
    assert [json.dumps(money(c)) for c in (2500, 2550, 1)] == ["25", "25.5", "0.01"]


def test_an_unknown_tool_gets_the_names_that_exist_and_abstaining_changes_nothing():
    state, observation = run(SMALL, "rob_bank")
    assert observation.status == "unsupported" and "pay_bill" in observation.data["tools"] and state is SMALL
    state, observation = run(SMALL, "out_of_scope")
    assert observation.status == "unsupported" and observation.data["abstained"] and state is SMALL


def test_words_find_a_title_before_a_kind():
    items = [{"title": "brokerage", "kind": "savings"}, {"title": "Ally savings", "kind": "savings"}]
    assert find("my savings", items) == items[1:]
    assert find("savings at ally bank", items) == items[1:]
    assert find("accounts", items) == items and find("gold", items) == []


# What holds whatever is called

NAMES = st.sampled_from([t.name for t in DOMAIN.tools])
KEYS = (
    st.sampled_from(sorted({a.name for t in DOMAIN.tools for a in t.arguments}))
    | st.none()
    | st.text(max_size=5)
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NAMES | ANYTHING, ANYTHING | st.dictionaries(KEYS, ANYTHING, max_size=4))
def test_anything_gets_an_observation(name, arguments):
    state = DOMAIN.initial_state(random.Random(1), NOW)
    before = state_hash(state)
    after, observation = step(state, Call(name, arguments))
    assert observation.status in STATUSES and state_hash(state) == before
    json.dumps([observation.to_json(), after], allow_nan=False, ensure_ascii=False).encode("utf-8")


def test_a_deeply_nested_argument_gets_an_observation():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert status(SMALL, "pay_bill", bill=deep) == "invalid_argument"
    assert step(SMALL, Call(deep, {}))[1].status == "unsupported"


def random_call(rng, state):
    """A call that is well-formed more often than not, about what is there."""
    tool = rng.choice(DOMAIN.tools)
    needed = {g[0] for g in DOMAIN.needs.get(tool.name, ())}
    arguments = {}
    for a in tool.arguments:
        if not (a.name in needed and rng.random() < 0.95) and rng.random() > 0.25:
            continue
        arguments[a.name] = random_value(rng, state, a)
    return Call(tool.name if rng.random() < 0.99 else "nonsense", arguments)


def random_value(rng, state, argument):
    if rng.random() < 0.02:
        return rng.choice((None, "", -1, 1.5, [], {}, "2026-13-01", "x" * 1000, math.inf))
    if argument.type in ("date", "end_date"):
        return iso_date(ordinal("2026-02-20") + rng.randrange(30))
    if argument.type == "amount":
        return rng.choice((1, 20.0, 64.2, 300, 1500, rng.randrange(1, 400_000) / 100))
    if argument.type == "currency":
        return rng.choice(("USD", "USD", "EUR", "JPY", "XXX"))
    if argument.type == "number":
        return rng.choice((1, 5, 10, 0))
    if argument.choices:
        return rng.choice(argument.choices)
    lists = {
        "to": ("accounts", "people", "cards"),
        "bill": ("bills",),
        "merchant": ("transactions",),
        "category": ("transactions",),
        "card": ("cards",),
    }.get(argument.name, ("accounts", "accounts", "cards"))
    item = rng.choice(state[rng.choice(lists)])
    words = (
        item["kind"]
        if argument.name == "category" or ("kind" in item and rng.random() < 0.2)
        else item["title"]
    )
    return rng.choice(
        (words, words, words, words.lower(), f"my {words} account", words.split()[-1], "gold", "all")
    )


def funds(state):
    return state["accounts"] + [c for c in state["cards"] if not c["account"]]


def wealth(state):
    """Cents in all accounts and cards, and of all that was paid and sent."""
    spent = sum(t["amount_cents"] for t in state["transactions"] if t["type"] in ("payment", "sent"))
    return sum(f["balance_cents"] for f in funds(state)) + spent


def check_step(state, call):
    """One step with all its invariants; returns the state after it and the status."""
    frozen = state_hash(state)
    after, observation = step(state, call)
    assert state_hash(state) == frozen, "step changed its input"
    assert observation.status in STATUSES
    assert (observation.status == "missing_argument") == bool(DOMAIN.missing(call))
    if call.name in READS or observation.status not in DONE:
        assert after is state
    else:
        assert state_hash(after) != frozen
    assert wealth(after) == wealth(state), "money came from nowhere or went there"
    lists = [after[k] for k in after if isinstance(after[k], list)]
    ids = [i["id"] for group in lists for i in group]
    assert len(set(ids)) == len(ids) and all(int(i[1:]) < after["next_id"] for i in ids)
    for fund in funds(after):
        assert 0 <= fund["held_cents"] <= fund["balance_cents"]
    for due in after["bills"]:
        assert due["paid_cents"] >= 0 and due["held_cents"] >= 0
        assert due["paid_cents"] + due["held_cents"] <= due["amount_cents"], "paid more than once"
    held = sum(p["amount_cents"] for p in after["payments"])
    assert held == sum(f["held_cents"] for f in funds(after)) == sum(b["held_cents"] for b in after["bills"])
    check_leaving(state, after)
    return after, observation.status


def check_leaving(state, after):
    """What gave money or set it aside was neither frozen nor a lost card, and what is closed stays closed."""
    was = {f["id"]: f for f in funds(state)}
    for fund in funds(after):
        old = was[fund["id"]]
        if fund["balance_cents"] < old["balance_cents"] or fund["held_cents"] > old["held_cents"]:
            assert not old["frozen"] and old.get("status") not in ("lost", "stolen")
        assert fund["frozen"] or not old["frozen"]
    for card, new in zip(state["cards"], after["cards"], strict=True):
        assert card["status"] in ("active", new["status"])
    disputed = {t["id"] for t in state["transactions"] if t["disputed"]}
    assert disputed <= {t["id"] for t in after["transactions"] if t["disputed"]}


def walk(seed, steps):
    """Random calls, a fresh state every hundred; every status must have come up."""
    rng = random.Random(seed)
    seen = set()
    for number in range(steps):
        if number % 100 == 0:
            state = DOMAIN.initial_state(rng, NOW)
        state, answered = check_step(state, random_call(rng, state))
        seen.add(answered)
    assert seen == STATUSES


def test_ten_thousand_random_steps():
    walk(0, 10_000)


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("FERNJAX_LONG") != "1", reason="a million steps run with FERNJAX_LONG=1")
def test_a_million_random_steps():
    walk(1, 1_000_000)


@pytest.mark.parametrize("seed", range(40))
def test_a_seeded_wallet_is_believable(seed):
    state = DOMAIN.initial_state(random.Random(seed), NOW)
    assert state == DOMAIN.initial_state(random.Random(seed), NOW) == json.loads(json.dumps(state))
    assert (
        3 <= len(state["accounts"]) <= 5 and 2 <= len(state["cards"]) <= 4 and 6 <= len(state["bills"]) <= 9
    )
    dates = [t["date"] for t in state["transactions"]]
    assert dates == sorted(dates, reverse=True) and dates[0] <= TODAY and len(dates) == 40
    assert all(b["due"] > TODAY and 0 < b["minimum_cents"] <= b["amount_cents"] for b in state["bills"])
    payers = {f["id"] for f in funds(state)}
    assert all(t["account"] in payers and t["amount_cents"] > 0 for t in state["transactions"])
    for group in ("accounts", "cards", "bills"):
        titles = [i["title"] for i in state[group]]
        assert len(set(titles)) == len(titles)


def test_the_same_calls_give_the_same_bytes_in_any_process():
    prints = digest_in_processes(__file__, NOW)
    assert len(prints) == 1 and len(prints.pop()) == 64


def test_a_step_leaves_what_it_was_given_alone():
    state = DOMAIN.initial_state(random.Random(3), NOW)
    copied = copy.deepcopy(state)
    run(state, "transfer_money", amount=10, to=state["people"][0]["title"])
    run(state, "pay_bill", bill=state["bills"][0]["title"], date="2026-03-20")
    run(state, "report_lost_card", card="debit")
    assert state == copied


def test_every_rate_gives_whole_cents():
    for currency in RATES:
        after, answer = run(SMALL, "transfer_money", amount=99.99, currency=currency, to="Ana")
        assert answer.status == "sent" and isinstance(after["accounts"][0]["balance_cents"], int)


LEAST = {
    "banks": 60,
    "account_kinds": 40,
    "bills": 60,
    "billers": 100,
    "merchants": 100,
    "categories": 60,
    "cards": 30,
}


@pytest.mark.parametrize("name", sorted(LEAST))
def test_pools_are_wide_clean_and_without_doubles(name):
    values = DOMAIN.pools[name]
    assert len(values) >= LEAST[name] and len({v.casefold() for v in values}) == len(values)
    assert all(v == " ".join(v.split()) and any(c.isalnum() for c in v) for v in values)


# How it is phrased

PLAIN = Generator(DOMAIN, Recipe({"in_distribution": 0.5, "multi_constraint": 0.5}), 1)
MADE = [PLAIN.scenario(i) for i in range(1500)]


def test_few_sentences_are_dropped():
    assert PLAIN.dropped["ungrounded"] / PLAIN.sampled < 0.05


def test_every_tool_is_worded_in_hundreds_of_ways():
    skeletons = collections.defaultdict(set)
    for made in MADE:
        skeletons[next(iter(made.row.calls[0]))].add(made.skeleton)
    assert set(skeletons) == {t.name for t in DOMAIN.tools} - {"out_of_scope"}
    rarest = min(skeletons, key=lambda t: len(skeletons[t]))
    assert len(skeletons[rarest]) >= 40, (rarest, len(skeletons[rarest]))
    assert sum(map(len, skeletons.values())) >= 1250


def test_every_argument_is_said_and_nearly_every_pair():
    seen = measure(DOMAIN, [m.row for m in MADE])
    assert all(seen.arguments.values()), seen.arguments
    assert seen.apart == (("list_transactions", "category", "merchant"),)


def test_no_in_scope_sentence_lacks_the_apps_key_words():
    business = re.compile(rf"\b(?:{DOMAIN.keywords})", re.I)
    clean = [m for m in MADE if m.row.query.text.isascii()]
    without = [m.row.query.text for m in clean if not business.search(m.row.query.text)]
    assert len(without) < 0.08 * len(clean), without[:20]
    negatives = natural_negatives(DOMAIN.keywords)
    assert len(negatives) > 10_000
    for word in (
        "my balance",
        "my bill",
        "transfer",
        "credit card",
        "savings",
        "transaction",
        "checkbook",
        "fraud",
    ):
        assert not any(word in n.lower() for n in negatives), word
