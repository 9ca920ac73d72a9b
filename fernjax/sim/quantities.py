"""Numbers, money, percents and temperatures, drawn first and then put into words.

As in `fernjax.sim.when`, each function returns a phrase whose parts say which values are right for which
argument, the best first. That the extractor reads the same value back is checked by the generator.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from fernjax.sim.argument_types import split_name
from fernjax.sim.when.words import Phrase, spell

Number = int | float

CURRENCIES: dict[str, tuple[str, tuple[str, ...], int]] = {
    "USD": ("$", ("dollars", "dollars", "bucks", "usd", "us dollars", "dollar"), 50),
    "EUR": ("€", ("euros", "euros", "euro", "eur"), 22),
    "GBP": ("£", ("pounds", "pounds", "quid", "gbp", "pounds sterling"), 16),
    "CAD": ("", ("canadian dollars", "cad"), 3),
    "AUD": ("", ("australian dollars", "aud"), 2),
    "CHF": ("", ("swiss francs", "francs", "chf"), 3),
    "JPY": ("¥", ("yen", "yen", "jpy"), 3),
    "INR": ("₹", ("rupees", "rupees", "inr"), 3),
    "MXN": ("", ("mexican pesos", "mxn"), 2),
}
"""Per ISO 4217 code: its sign ("" where none is its own), its names, and how often it is drawn."""


def say_number(rng: random.Random, argument: str) -> Phrase:
    """A number of the size that the argument's name tells: stars, a weight, steps; else a small whole one."""
    words = frozenset(split_name(argument))
    sizes = next((values for names, values in _SIZES if not words.isdisjoint(names)), _SMALL)
    number = rng.choice(sizes)
    said = str(number) if isinstance(number, float) else number_words(rng, number)
    return [("", {}), (said, {argument: [number]})]


_SMALL = (2, 3, 3, 4, 5, 5, 5, 6, 7, 8, 10, 10, 10, 12, 15, 20, 20, 25, 30, 50)
_SIZES: tuple[tuple[frozenset[str], tuple[Number, ...]], ...] = (
    (frozenset({"stars", "star", "rating"}), (1, 2, 3, 4, 4, 5, 5, 5)),
    (
        frozenset(
            {"guests", "people", "adults", "children", "nights", "persons", "party", "seats", "quantity"}
        ),
        (1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8),
    ),
    (
        frozenset({"weight", "kilograms", "kg", "kilos"}),
        (52, 58, 60, 63.5, 65, 68, 70, 71.2, 72, 74.5, 75, 78, 80, 81.3, 84, 88, 90, 95, 102),
    ),
    (
        frozenset({"km", "kilometers", "kilometres", "miles", "distance"}),
        (1, 2, 2.5, 3, 4, 5, 5, 6, 7.5, 8, 10, 12, 15, 21, 42),
    ),
    (
        frozenset({"target", "goal", "steps", "calories"}),
        (5, 8, 8, 10, 30, 100, 500, 1500, 1800, 2000, 2000, 2500, 5000, 6000, 8000, 10_000, 10_000, 12_000),
    ),
)
"""Names of arguments and the numbers that people say for them."""


def say_percent(rng: random.Random, argument: str, bare: bool = False) -> Phrase:
    """A percentage from 1 to 100; `bare` leaves the sign or the word out."""
    percent = rng.choice(
        (5, 10, 10, 15, 20, 20, 25, 30, 30, 35, 40, 50, 50, 50, 60, 65, 70, 75, 80, 80, 90, 100)
    )
    if rng.random() < 0.12:
        percent = rng.randrange(1, 100)
    elif not bare and rng.random() < 0.02:
        percent = rng.choice((33, 67))
    if bare:
        return [("", {}), (number_words(rng, percent), {argument: [percent]})]
    forms = (
        (f"{percent} percent", 34),
        (f"{percent}%", 26),
        (f"{percent} %", 2),
        (f"{count_words(rng, percent)} percent", 24),
        (f"{count_words(rng, percent)} per cent", 3),
        (f"{percent} per cent", 3),
        *((words, 12) for words in _SHARES.get(percent, ())),
    )
    return [("", {}), (_pick(rng, forms), {argument: [percent]})]


_SHARES = {
    25: ("a quarter",), 33: ("a third", "one third"), 50: ("half", "half"), 67: ("two thirds",),
    75: ("three quarters", "three quarters"),
}  # fmt: skip
"""Percentages that people say as a share of the whole, where the extractor reads them so."""


def say_degrees(rng: random.Random, degrees: str, unit: str, said: bool) -> Phrase:
    """A temperature.

    Args:
      rng: decides everything.
      degrees: the argument of the number.
      unit: the argument of the unit, "" where the tool has none.
      said: whether the unit is among the words.
    """
    name = rng.choice(("celsius", "fahrenheit"))
    number: Number = rng.randrange(15, 29) if name == "celsius" else rng.randrange(58, 84)
    if name == "celsius" and rng.random() < 0.08:
        number += 0.5
    plain = str(number) if isinstance(number, float) or rng.random() < 0.66 else count_words(rng, int(number))
    glued = plain[0].isdigit()
    values: dict[str, list[Any]] = {degrees: [number]}
    if not said:
        forms = [(plain, 40), (f"{plain} degrees", 50)] + ([(f"{plain}°", 3)] if glued else [])
        return [("", {}), (_pick(rng, forms), dict(values))]
    long = rng.choice(("celsius", "celsius", "centigrade")) if name == "celsius" else "fahrenheit"
    letter = name[0] if rng.random() < 0.5 else name[0].upper()
    forms = [(f"{plain} degrees {long}", 50), (f"{plain} {long}", 20), (f"{plain} degrees {letter}", 5)]
    if glued:
        forms += [(f"{plain} {letter}", 6), (f"{plain}{letter}", 5), (f"{plain}°{letter}", 4)]
        forms += [(f"{plain} °{letter}", 1)]
    if unit:
        values[unit] = [name]
    return [("", {}), (_pick(rng, forms), dict(values))]


def say_amount(rng: random.Random, amount: str) -> Phrase:
    """An amount of money whose currency is not said."""
    number = _draw_amount(rng)
    words, values = amount_words(rng, number)
    return [("", {}), (words, {amount: values})]


def say_money(rng: random.Random, amount: str, currency: str) -> Phrase:
    """An amount with its currency in one phrase.

    Args:
      rng: decides everything.
      amount: the argument of the number.
      currency: the argument of the ISO code, "" where the tool has none.
    """
    code = rng.choices(tuple(CURRENCIES), [c[2] for c in CURRENCIES.values()])[0]
    sign, names, _ = CURRENCIES[code]
    number = _draw_amount(rng, cents=code not in ("JPY", "INR"))
    values: list[Number] = [number]
    name = rng.choice(names)
    if sign and rng.random() < 0.42:
        words = f"{sign}{figures(rng, number)}"
        if isinstance(number, int) and number % 1000 == 0 and rng.random() < 0.3:
            words = f"{sign}{number // 1000}k"
    elif code in ("USD", "EUR", "GBP") and isinstance(number, float) and rng.random() < 0.5:
        words = _with_cents(rng, number, code, name)
    elif isinstance(number, float):
        words = f"{figures(rng, number)} {name}"
    else:
        spoken, values = amount_words(rng, number, named=True)
        words = f"{spoken} {_one(name) if spoken in ('1', 'one', 'a') else name}"
    said: dict[str, list[Any]] = {amount: list(values)}
    if currency:
        said[currency] = [code]
    return [("", {}), (words, said)]


def amount_words(rng: random.Random, number: Number, named: bool = False) -> tuple[str, list[Number]]:
    """Words for an amount without its currency, and the amounts that they may mean.

    Args:
      rng: decides the words.
      number: the amount.
      named: whether the currency's name follows ("two grand" then takes none).
    """
    if isinstance(number, float):
        return figures(rng, number), [number]
    if rng.random() < 0.5:
        return figures(rng, number), [number]
    if number % 1000 == 0 and number < 100_000:
        short = [f"{number // 1000}k"] * 2
        if not named:
            short += ["a grand" if number == 1000 else f"{count_words(rng, number // 1000)} grand"] * 2
        if rng.random() < 0.5:
            return rng.choice(short), [number]
    if (
        not named
        and 200 <= number < 1000
        and number % 100 in (*range(10, 100, 10), 25, 75)
        and rng.random() < 0.2
    ):
        hundreds, rest = divmod(number, 100)
        return f"{spell(hundreds)} {spell(rest)}", [number, _whole(number / 100)]  # "two fifty" may be 2.50
    if number % 100 == 0 and 1000 < number < 10_000 and number % 1000 and rng.random() < 0.4:
        return f"{spell(number // 100)} hundred", [number]
    return count_words(rng, number), [number]


def number_words(rng: random.Random, number: int) -> str:
    """Figures or words."""
    return str(number) if rng.random() < 0.6 else count_words(rng, number)


def count_words(rng: random.Random, number: int) -> str:
    """A whole number from 0 to 999,999 in words: "a hundred and twenty", "twenty-five"."""
    if number < 100:
        words = spell(number)
        return words.replace(" ", "-") if rng.random() < 0.15 else words
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        head = "a hundred" if hundreds == 1 and rng.random() < 0.5 else f"{spell(hundreds)} hundred"
        if not rest:
            return head
        return f"{head} {'and ' if rng.random() < 0.5 else ''}{spell(rest)}"
    thousands, rest = divmod(number, 1000)
    head = (
        "a thousand" if thousands == 1 and rng.random() < 0.5 else f"{count_words(rng, thousands)} thousand"
    )
    if not rest:
        return head
    tail = count_words(rng, rest)
    if tail.startswith("a "):  # "two thousand one hundred"
        tail = f"one{tail[1:]}"
    return f"{head} {'and ' if rest < 100 else ''}{tail}"


def figures(rng: random.Random, number: Number) -> str:
    """Figures as people write them: "1,200", "1200", "19.99", "40.00"."""
    comma = rng.random() < 0.6
    if isinstance(number, float):
        return f"{number:,.2f}" if comma else f"{number:.2f}"
    text = f"{number:,}" if comma else str(number)
    return f"{text}.00" if rng.random() < 0.06 else text


def _draw_amount(rng: random.Random, cents: bool = True) -> Number:
    roll = rng.random()
    if roll < 0.30:
        return rng.choice((5, 10, 10, 15, 20, 20, 25, 30, 40, 50, 50, 60, 75, 80))
    if roll < 0.55:
        return rng.choice(
            (100, 100, 120, 125, 150, 150, 200, 200, 250, 300, 350, 400, 450, 500, 600, 750, 800)
        )
    if roll < 0.72:
        return rng.choice((1000, 1000, 1200, 1500, 1500, 2000, 2000, 2500, 3000, 5000, 10_000, 12_000))
    if roll < 0.86 or not cents:
        return rng.randrange(3, 2000)
    return _whole(
        rng.randrange(1, 300) + rng.choice((0.5, 0.25, 0.75, 0.99, 0.95, rng.randrange(1, 100) / 100))
    )


def _whole(number: float) -> Number:
    """A float with its cents rounded, an int where there are none."""
    number = round(number, 2)
    return int(number) if number == int(number) else number


def _with_cents(rng: random.Random, number: float, code: str, name: str) -> str:
    """ "twelve dollars and fifty cents", "12 pounds 50"."""
    whole, cents = int(number), round(number * 100) % 100
    coin = "pence" if code == "GBP" else ("cent" if cents == 1 else "cents")
    unit = _one(name) if whole == 1 else name
    spoken = rng.random() < 0.5
    head = count_words(rng, whole) if spoken else str(whole)
    tail = count_words(rng, cents) if spoken else str(cents)
    if cents < 10 or rng.random() < 0.7:
        return f"{head} {unit} {'and ' if rng.random() < 0.8 else ''}{tail} {coin}"
    return f"{head} {unit} {tail}"


def _one(name: str) -> str:
    return name[:-1] if name.endswith("s") and name != "swiss francs" else name


def _pick(rng: random.Random, forms: Sequence[tuple[str, int]]) -> str:
    """One of some words, by weight."""
    return rng.choices([words for words, _ in forms], [weight for _, weight in forms])[0]
