import random

import pytest

from fernjax.sim import quantities
from fernjax.sim.mentions import extract
from fernjax.sim.resolve import TAKES, resolve
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.when import lengths

NOW = "2026-03-04T09:30:00"
TOOL = Tool("do", "", (), False)
COUNT = 300

TYPES = {
    "amount": lambda rng: quantities.say_amount(rng, "amount"),
    "money": lambda rng: quantities.say_money(rng, "amount", "currency"),
    "percent": lambda rng: quantities.say_percent(rng, "percent"),
    "bare percent": lambda rng: quantities.say_percent(rng, "percent", bare=True),
    "degrees": lambda rng: quantities.say_degrees(rng, "degrees", "unit", said=False),
    "degrees and unit": lambda rng: quantities.say_degrees(rng, "degrees", "unit", said=True),
    "number": lambda rng: quantities.say_number(rng, "number"),
    "seconds": lambda rng: lengths.say_seconds(rng, "seconds"),
    "seconds from now": lambda rng: lengths.say_seconds(rng, "seconds", delay=True),
    "delay": lambda rng: lengths.say_delay(rng, "delay"),
}


def argument(kind: str) -> Argument:
    return Argument(name=kind, type=kind, choices=(), description="", required=False, new=False)


def read_back(words: str, kind: str) -> list:
    """What the extractor and the resolver make of some words between others."""
    text = f"make it {words} please"
    found = extract(text, NOW, TAKES["amount" if kind == "currency" else kind])
    return resolve(found[0], argument(kind), TOOL, NOW, found) if len(found) == 1 else []


@pytest.mark.parametrize("name", TYPES)
def test_what_is_said_is_read_back_mostly(name):
    rng = random.Random(name)
    right = 0
    for _ in range(COUNT):
        (_, _), (words, said) = TYPES[name](rng)
        right += all((read_back(words, kind) or [None])[0] in values for kind, values in said.items())
    assert right > 0.9 * COUNT


@pytest.mark.parametrize("name", TYPES)
def test_it_is_said_in_many_ways(name):
    rng = random.Random(1)
    said = [TYPES[name](rng)[-1][0] for _ in range(COUNT)]
    assert any(any(c.isdigit() for c in words) for words in said)
    assert any(words.replace(" ", "").replace("-", "").isalpha() for words in said)
    assert len(set(said)) > 12


def test_a_currency_is_said_only_where_it_is_asked_for():
    rng = random.Random(2)
    signs = [sign for sign, _, _ in quantities.CURRENCIES.values() if sign]
    names = [n for _, names, _ in quantities.CURRENCIES.values() for n in names]
    for _ in range(COUNT):
        (words, said) = quantities.say_amount(rng, "amount")[-1]
        assert set(said) == {"amount"}
        assert not any(s in words for s in signs) and not any(f" {n}" in words for n in names)
        (words, said) = quantities.say_money(rng, "amount", "currency")[-1]
        assert set(said) == {"amount", "currency"}
        assert any(s in words for s in signs) or any(n.rstrip("s") in words for n in names)


def test_numbers_in_words():
    class First(random.Random):
        def random(self) -> float:
            return 0.9

    rng = First()
    assert quantities.count_words(rng, 7) == "seven"
    assert quantities.count_words(rng, 120) == "one hundred twenty"
    assert quantities.count_words(rng, 2100) == "two thousand one hundred"
    assert quantities.count_words(rng, 1005) == "one thousand and five"
    assert quantities.figures(rng, 19.99) == "19.99"


def test_whole_amounts_are_integers_and_have_at_most_two_decimals():
    rng = random.Random(3)
    for _ in range(COUNT):
        for value in quantities.say_amount(rng, "a")[-1][1]["a"]:
            assert round(value, 2) == value > 0
            assert isinstance(value, int) or not value.is_integer()


def test_some_percentages_are_said_as_shares_of_the_whole():
    rng = random.Random(3)
    said = [quantities.say_percent(rng, "percent")[-1] for _ in range(3000)]
    shares = {words: values["percent"] for words, values in said if words[0].isalpha() and "per" not in words}
    assert shares == {
        "half": [50],
        "a quarter": [25],
        "a third": [33],
        "one third": [33],
        "two thirds": [67],
        "three quarters": [75],
    }
