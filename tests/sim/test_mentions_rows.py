"""Amounts, numbers, addresses and phones of the Duckling rows: shares that must be reached, empty negatives.

The rows name a currency by its sign where there is no one code; cents are hundredths there and parts of a
dollar here. A range is one row there and two mentions here; a least amount is its amount. Phones are compared
by their digits.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from fernjax.sim.mentions import KINDS, extract
from fernjax.sim.types import Mention

DATA = pathlib.Path(__file__).parents[1] / "data" / "extract"
NOW = "2013-02-12T04:30:00"
DATES = frozenset({"date", "datetime", "date_range", "datetime_range", "ordinal"})
WALLET = DATES | {"money", "number"}
COUNTS = frozenset({"number", "ordinal"})
MAIL = DATES | {"email", "phone", "time", "time_range", "number"}
CURRENCIES = {"$": "USD", "£": "GBP", "cent": "USD", "dinar": None, "rial": None}


def read_rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def money_right(row: dict[str, Any], mentions: list[Mention]) -> bool:
    amounts = [row["amount"]] if row["kind"] == "amount" else [row["amount"]["min"], row["amount"]["max"]]
    scale = 0.01 if row["currency"] == "cent" else 1
    currency = CURRENCIES.get(row["currency"], row["currency"])
    expected = [{"amount": round(a * scale, 4), "currency": currency} for a in amounts if a is not None]
    return [(m.kind, m.value) for m in mentions] == [("money", value) for value in expected]


def value_right(kind: str) -> Callable[[dict[str, Any], list[Mention]], bool]:
    return lambda row, mentions: [(m.kind, m.value) for m in mentions] == [(kind, row["value"])]


def digits_right(row: dict[str, Any], mentions: list[Mention]) -> bool:
    if [m.kind for m in mentions] != ["phone"]:
        return False
    said = mentions[0].value
    same = [c for c in said if c.isdigit()] == [c for c in row["value"] if c.isdigit()]
    return same and said.startswith("+") == ("+" in row["value"])


CASES = (
    ("money", 68, WALLET, money_right, 0.98),
    ("money", 68, None, money_right, 0.95),
    ("numeral", 53, COUNTS, value_right("number"), 1.0),
    ("numeral", 53, None, value_right("number"), 1.0),
    ("ordinal", 14, COUNTS, value_right("ordinal"), 1.0),
    ("email", 5, MAIL, value_right("email"), 1.0),
    ("email", 5, None, value_right("email"), 1.0),
    ("phone", 8, MAIL, digits_right, 1.0),
    ("phone", 8, None, digits_right, 1.0),
)


@pytest.mark.parametrize(("name", "count", "kinds", "right", "least"), CASES)
def test_rows(name, count, kinds, right, least):
    rows = read_rows(name)
    assert len(rows) == count
    wrong = [r["text"] for r in rows if not right(r, extract(r["text"], NOW, kinds))]
    assert 1 - len(wrong) / count >= least, wrong


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("money_negative", "money"),
        ("money_latent", "money"),
        ("email_negative", "email"),
        ("phone_negative", "phone"),
    ],
)
def test_negatives(name, kind):
    for row in read_rows(name):
        for kinds in (KINDS, frozenset({kind}), frozenset({kind, "number"})):
            assert [m for m in extract(row["text"], NOW, kinds) if m.kind == kind] == [], row["text"]
