import random
import re

from fernjax.sim import addresses
from fernjax.sim.mentions import extract

NOW = "2026-03-04T09:30:00"
COUNT = 300


def draw(rng: random.Random, pool: str) -> str:
    return rng.choice(["Ana", "O'Neill", "de la Cruz", "José"])


def found(words: str, kind: str) -> list:
    return [m.value for m in extract(f"take {words} now", NOW, frozenset({kind}))]


def test_an_address_is_read_back_written_and_spoken():
    rng = random.Random(1)
    right = spoken = 0
    for _ in range(COUNT):
        words, address = addresses.email_words(rng, draw)
        assert re.fullmatch(r"[a-z0-9._-]+@[a-z.]+", address)
        spoken += "@" not in words
        right += found(words, "email") == [address]
    assert right > 0.9 * COUNT and 0.2 * COUNT < spoken < 0.5 * COUNT


def test_a_phone_number_is_read_back():
    rng = random.Random(2)
    pairs = [addresses.phone_words(rng) for _ in range(COUNT)]
    assert all(all(c.isdigit() or c in "+ -.()" for c in v) for _, values in pairs for v in values)
    assert (
        sum(bool(got := found(words, "phone")) and got[0] in values for words, values in pairs) > 0.9 * COUNT
    )


def test_an_id_is_read_back_in_upper_case():
    rng = random.Random(3)
    pairs = [addresses.id_words(rng, ("ops", "web")) for _ in range(COUNT)]
    assert {value.split("-")[0] for _, value in pairs} == {"OPS", "WEB"}
    assert sum(found(words, "id") == [value] for words, value in pairs) > 0.9 * COUNT
    assert len({re.sub(r"\d+", "1", words) for words, _ in pairs}) > 20


def test_an_id_without_keys_is_mostly_a_number_and_is_read_back():
    rng = random.Random(4)
    pairs = [addresses.id_words(rng, ()) for _ in range(COUNT)]
    plain = [value for _, value in pairs if value.isdigit()]
    keyed = [value for _, value in pairs if value.split("-")[0] in addresses.PROJECT_KEYS]
    mixed = {re.sub("[A-Z]", "X", re.sub("[0-9]", "1", v)) for _, v in pairs} - {"1" * n for n in range(9)}
    assert len(plain) > 0.6 * COUNT and 0 < len(keyed) < 0.25 * COUNT and len(mixed) > 8
    assert all(words.lstrip("#").upper() == value for words, value in pairs)
    coded = [(words, value) for words, value in pairs if not value.isdigit()]
    assert all(found(words, "id") == [value] for words, value in coded)


def test_a_channel_is_said_in_several_ways_and_is_joined_by_hyphens():
    rng = random.Random(5)
    said = {addresses.channel_words(rng, "design Review") for _ in range(100)}
    assert {value for _, value in said} == {"design-review"}
    assert {words for words, _ in said} == {
        "#design-review", "hash design Review", "design-review", "design Review",
        "hash design dash review", "design dash review", "hash design hyphen review",
    }  # fmt: skip
