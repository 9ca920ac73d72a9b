"""Amounts: money, percents, temperatures and numbers, by what the app's arguments ask for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fernjax.sim.mentions import TIME_KINDS, extract

NOW = "2026-03-04T09:30:00"  # A Wednesday.
DATES = frozenset({"date", "datetime", "date_range", "datetime_range", "ordinal"})
WALLET = DATES | {"money", "number"}
HOME = DATES | {"percent", "temperature", "number", "time", "time_range"}


def find(text: str, kinds: frozenset[str] | None) -> list[tuple[str, str, object]]:
    return [(m.kind, text[m.start : m.end], m.value) for m in extract(text, NOW, kinds)]


def money(amount: float, currency: str | None = None) -> dict[str, object]:
    return {"amount": amount, "currency": currency}


@pytest.mark.parametrize(
    ("text", "words", "amount", "currency"),
    [
        ("send fifty bucks to noor", "fifty bucks", 50, "USD"),
        ("shift a grand into the boat fund", "a grand", 1000, None),
        ("wire five k to dad", "five k", 5000, None),
        ("2.5 grand to the vault", "2.5 grand", 2500, None),
        ("lend jo twenty quid", "twenty quid", 20, "GBP"),
        ("lend jo a fiver", "a fiver", 5, "GBP"),
        ("two tenners for the kids", "two tenners", 20, "GBP"),
        ("move fifty cents", "fifty cents", 0.5, "USD"),
        ("20p is missing", "20p", 0.2, "GBP"),
        ("seventy pence", "seventy pence", 0.7, "GBP"),
        ("three and a half million dollars", "three and a half million dollars", 3500000, "USD"),
        ("half a million euros", "half a million euros", 500000, "EUR"),
        ("send $1.2k to joint", "$1.2k", 1200, "USD"),
        ("raise $3bn", "$3bn", 3000000000, "USD"),
        ("two dollars fifty for parking", "two dollars fifty", 2.5, "USD"),
        ("a buck fifty", "a buck fifty", 1.5, "USD"),
        ("pay 1.200,50 euros", "1.200,50 euros", 1200.5, "EUR"),
        ("pay 1,200.50 euros", "1,200.50 euros", 1200.5, "EUR"),
        ("pay 1.200 euros", "1.200 euros", 1200, "EUR"),
        ("pay 88,40 euro please", "88,40 euro", 88.4, "EUR"),
        ("pay CHF 1'200", "CHF 1'200", 1200, "CHF"),
        ("a couple hundred dollars", "a couple hundred dollars", 200, "USD"),
        ("send twelve hundred dollars", "twelve hundred dollars", 1200, "USD"),
        ("100 us dollars", "100 us dollars", 100, "USD"),
        ("60 canadian dollars", "60 canadian dollars", 60, "CAD"),
        ("US$ 30 please", "US$ 30", 30, "USD"),
        ("move 75 € over", "75 €", 75, "EUR"),
        ("usd 50 to bob", "usd 50", 50, "USD"),
        ("a five-dollar refund", "five-dollar", 5, "USD"),
        ("5 lakh rupees", "5 lakh rupees", 500000, "INR"),
        ("ten rials", "ten rials", 10, None),
    ],
)
def test_money(text, words, amount, currency):
    assert find(text, WALLET) == [("money", words, money(amount, currency))]


@pytest.mark.parametrize(
    ("text", "value", "other"),
    [
        ("two fifty", 250, 2.5),
        ("2 50", 250, 2.5),
        ("7 30", 730, 7.3),
        ("two oh five", 205, 2.05),
        ("nine ninety nine", 9.99, 999),
        ("nineteen ninety nine", 19.99, 1999),
        ("three fifty a cup", 3.5, 350),
    ],
)
def test_pairs_are_hundreds_or_cents(text, value, other):
    (mention,) = extract(f"it says {text}", NOW, WALLET)
    assert (mention.kind, mention.value, mention.alternatives) == ("money", money(value), (money(other),))


def test_pairs_with_a_currency():
    (mention,) = extract("two fifty dollars", NOW, WALLET)
    assert (mention.value, mention.alternatives) == (money(250, "USD"), (money(2.5, "USD"),))


def test_the_asked_kinds_decide():
    assert [k for k, _, _ in find("move it to two fifty", TIME_KINDS)] == ["time"]
    assert find("move two fifty to savings", WALLET) == [("money", "two fifty", money(250))]
    assert find("at two fifty", None) == [("time", "two fifty", "14:50")]
    assert find("pay two fifty tomorrow", WALLET) == [
        ("money", "two fifty", money(250)),
        ("date", "tomorrow", "2026-03-05"),
    ]
    assert find("pay two fifty tomorrow", TIME_KINDS) == [
        ("datetime", "two fifty tomorrow", "2026-03-05T14:50"),
    ]
    assert find("7 30", TIME_KINDS) == [("time", "7 30", "07:30")]
    assert find("send 7 30", WALLET) == [("money", "7 30", money(730))]
    assert find("10 c", WALLET) == [("money", "10 c", money(0.1, "USD"))]
    assert find("10 c", HOME) == [("temperature", "10 c", {"degrees": 10, "unit": "celsius"})]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("charge between $5 and $10", [("$5", 5), ("$10", 10)]),
        ("$5 to $10", [("$5", 5), ("$10", 10)]),
        ("$5-10 a head", [("$5", 5), ("10", 10)]),
        ("from 5 to 10 dollars", [("5", 5), ("10 dollars", 10)]),
        ("between 1.1 and 1.3 dollars", [("1.1", 1.1), ("1.3 dollars", 1.3)]),
        ("5 to 10 thousand dollars", [("5", 5000), ("10 thousand dollars", 10000)]),
    ],
)
def test_both_ends_of_a_range_are_money(text, expected):
    assert find(text, WALLET) == [("money", words, money(value, "USD")) for words, value in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my last 5 payments", [("number", "5", 5)]),
        ("pay netflix, 15, from checking", [("number", "15", 15)]),
        ("the 1500 rent", [("number", "1500", 1500)]),
        ("send bob 50", [("number", "50", 50)]),
        ("transfer 40 on friday", [("number", "40", 40), ("date", "friday", "2026-03-06")]),
        ("put three and a half million aside", [("number", "three and a half million", 3500000)]),
        ("spending since 2020", [("date_range", "since 2020", {"start": "2020-01-01", "end": None})]),
        (
            "spent in twenty twenty five",
            [("date_range", "twenty twenty five", {"start": "2025-01-01", "end": "2025-12-31"})],
        ),
        ("exactly dollars", []),
        ("a pound of flour", []),
        ("a grand piano", []),
    ],
)
def test_what_is_no_money(text, expected):
    assert find(text, WALLET) == expected


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("lights to 40 percent", "40 percent", 40),
        ("dim by 30%", "30%", 30),
        ("forty per cent", "forty per cent", 40),
        ("fifteen % up", "fifteen %", 15),
        ("12,5% more", "12,5%", 12.5),
        ("seven and a half percent", "seven and a half percent", 7.5),
        ("dim it by a quarter", "a quarter", 25),
        ("half brightness in the attic", "half brightness", 50),
        ("bring it down to half", "half", 50),
    ],
)
def test_percents(text, words, value):
    assert find(text, HOME) == [("percent", words, value)]


@pytest.mark.parametrize(
    ("text", "words", "degrees", "unit"),
    [
        ("heat to seventy two degrees", "seventy two degrees", 72, None),
        ("21 degrees celsius", "21 degrees celsius", 21, "celsius"),
        ("70 F in the attic", "70 F", 70, "fahrenheit"),
        ("hall to 19 C", "19 C", 19, "celsius"),
        ("20°C", "20°C", 20, "celsius"),
        ("64 fahrenheit", "64 fahrenheit", 64, "fahrenheit"),
        ("twenty one point five degrees", "twenty one point five degrees", 21.5, None),
        ("-5 degrees", "-5 degrees", -5, None),
        ("5 degrees below zero", "5 degrees below zero", -5, None),
    ],
)
def test_temperatures(text, words, degrees, unit):
    assert find(text, HOME) == [("temperature", words, {"degrees": degrees, "unit": unit})]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set it to 72", [("number", "72", 72)]),
        ("lights down to seven", [("number", "seven", 7)]),
        ("coffee at seven thirty", [("time", "seven thirty", "07:30")]),
        ("on at half past two", [("time", "half past two", "14:30")]),
        ("from 7 to 9", [("time_range", "7 to 9", {"start": "07:00", "end": "09:00"})]),
        ("10-20%", [("percent", "10", 10), ("percent", "20%", 20)]),
    ],
)
def test_levels_and_hours_at_home(text, expected):
    assert find(text, HOME) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a dozen", 12),
        ("two hundred", 200),
        ("1,200.50", 1200.5),
        ("1.200,50", 1200.5),
        (".5", 0.5),
        ("-3", -3),
    ]
    + [("one point two five", 1.25), ("forty-five (45)", 45), ("4.7 billion", 4_700_000_000)],
)
def test_numbers(text, value):
    for kinds in (frozenset({"number"}), WALLET, None):
        assert find(text, kinds) == [("number", text, value)]


def test_a_day_of_the_month_is_an_ordinal_where_no_date_is_asked():
    assert find("the 3rd", frozenset({"ordinal", "number"})) == [("ordinal", "3rd", 3)]
    assert [k for k, _, _ in find("the 3rd", WALLET)] == ["date"]


ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen".split()
ONES += "fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def spell(n: int) -> str:
    """A whole number below a million in words."""
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10] + ("" if n % 10 == 0 else f" {ONES[n % 10]}")
    if n < 1000:
        return f"{ONES[n // 100]} hundred" + ("" if n % 100 == 0 else f" {spell(n % 100)}")
    return f"{spell(n // 1000)} thousand" + ("" if n % 1000 == 0 else f" {spell(n % 1000)}")


CURRENCIES = {
    "dollars": "USD",
    "euros": "EUR",
    "quid": "GBP",
    "rupees": "INR",
    "swiss francs": "CHF",
    "yen": "JPY",
}


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 999_999),
    st.integers(0, 99),
    st.sampled_from(sorted(CURRENCIES)),
    st.sampled_from(["send {} to noor", "{}", "did i pay {} yesterday", "{} from checking please"]),
)
def test_amounts_are_read_back(whole, cents, noun, frame):
    exact = money(round(whole + cents / 100, 2), "USD")
    forms = {
        f"${whole:,}.{cents:02d}": exact,
        f"{whole}.{cents:02d} dollars": exact,
        f"USD {whole}.{cents:02d}": exact,
        f"{whole:,} {noun}": money(whole, CURRENCIES[noun]),
        f"{spell(whole)} {noun}": money(whole, CURRENCIES[noun]),
        f"{whole}k {noun}": money(whole * 1000, CURRENCIES[noun]),
        f"{spell(whole)} grand": money(whole * 1000),
    }
    if cents:
        forms[f"{spell(whole)} dollars and {spell(cents)} cents"] = exact
        european = f"{whole:,}".replace(",", ".")
        forms[f"{european},{cents:02d} €"] = money(round(whole + cents / 100, 2), "EUR")
    for said, value in forms.items():
        text = frame.format(said)
        found = [m for m in extract(text, NOW, WALLET) if m.kind not in DATES]
        assert [(m.kind, text[m.start : m.end], m.value) for m in found] == [("money", said, value)], text


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 150), st.sampled_from(["c", "celsius", "f", "fahrenheit", ""]))
def test_levels_are_read_back(n, unit):
    scale = {"c": "celsius", "f": "fahrenheit", "": None}.get(unit, unit)
    for number in (str(n), spell(n)):
        text = f"set it to {number} degrees {unit}".strip()
        assert [m.value for m in extract(text, NOW, HOME)] == [{"degrees": n, "unit": scale}]
        assert [m.value for m in extract(f"dim by {number} percent", NOW, HOME)] == [n]
