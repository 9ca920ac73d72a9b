"""Email addresses, phone numbers, ids and channels, drawn first and then written or spoken."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from fernjax.sim.quantities import count_words
from fernjax.sim.when.words import Phrase, spell

Draw = Callable[[random.Random, str], str]
"""`(rng, pool) -> value`: one value of a pool."""

HOSTS = (
    "example.org", "example.com", "example.com", "gmail.com", "gmail.com", "outlook.com", "yahoo.com",
    "proton.me", "icloud.com", "example.co.uk", "mail.example.net", "uni.example.edu", "acme.io",
)  # fmt: skip

PROJECT_KEYS = ("OPS", "WEB", "UI", "API", "INFRA", "SEC", "MOB", "PAY", "QA")
"""Keys of the few ids with a key in an app that has no pool `project_keys` of its own."""

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def say_email(rng: random.Random, draw: Draw, argument: str) -> Phrase:
    """An email address, mostly written, also spoken."""
    words, address = email_words(rng, draw)
    return [("", {}), (words, {argument: [address]})]


def email_words(rng: random.Random, draw: Draw) -> tuple[str, str]:
    """Words for an email address, and the address."""
    first, last = (_letters(draw(rng, pool)) for pool in ("first_names", "last_names"))
    local = rng.choice(
        (first, first, f"{first}.{last}", f"{first}.{last}", f"{first[0]}{last}", f"{first}_{last}",
         f"{first}{rng.randrange(1, 100)}", f"{last}.{first[0]}", f"{first}-{last}", f"{first}{last}")
    )  # fmt: skip
    host = rng.choice(HOSTS)
    address = f"{local}@{host}"
    if rng.random() < 0.68:
        return address, address
    spoken = local.replace(".", " dot ").replace("_", " underscore ").replace("-", " dash ")
    return f"{spoken} at {host.replace('.', ' dot ')}", address


def say_phone(rng: random.Random, argument: str) -> Phrase:
    """A phone number as written or read out; right as said, and as a run of its digits."""
    words, values = phone_words(rng)
    return [("", {}), (words, {argument: values})]


def phone_words(rng: random.Random) -> tuple[str, list[str]]:
    """Words for a phone number, and the ways to write it that are right."""
    area, line = str(rng.randrange(201, 990)), f"{rng.randrange(10000):04d}"
    forms = (
        (f"555-{line}", 16),
        (f"555 {line}", 14),
        (f"{area}-555-{line}", 16),
        (f"{area} 555 {line}", 14),
        (f"({area}) 555-{line}", 8),
        (f"{area}.555.{line}", 3),
        (f"{area}555{line}", 8),
        (f"+1 {area} 555 {line}", 6),
        (f"+1-{area}-555-{line}", 3),
        (f"+44 20 7946 0{line[:3]}", 4),
        (f"+44 7700 900{line[:3]}", 2),
        (f"+34 655 55 {line[:2]} {line[2:]}", 2),
        (f"07700 900{line[:3]}", 2),
    )
    written = rng.choices([f for f, _ in forms], [w for _, w in forms])[0]
    plus = "+" if written[0] == "+" else ""
    digits = "".join(c for c in written if c.isdigit())
    values = list(dict.fromkeys((written, f"{plus}{digits}", _spaced(written))))
    if plus or not written[0].isdigit() or rng.random() < 0.8:
        return written, values
    zero = rng.choice(("oh", "zero", "o"))
    spoken = " ".join(zero if d == "0" else _DIGITS[int(d)] for d in digits)
    return spoken, list(dict.fromkeys((digits, *values)))


def say_id(rng: random.Random, keys: Sequence[str], argument: str) -> Phrase:
    """An id such as a ticket's, its key and number; in an app without keys mostly the number alone."""
    words, value = id_words(rng, keys)
    return [("", {}), (words, {argument: [value]})]


def id_words(rng: random.Random, keys: Sequence[str]) -> tuple[str, str]:
    """Words for an id, and the id in upper case."""
    if not keys:
        return _plain_id(rng)
    key = rng.choice(tuple(keys)).upper()
    number = rng.randrange(2, 10) if rng.random() < 0.1 else rng.randrange(10, 2000)
    value = f"{key}-{number}"
    low = key.lower()
    forms = (
        (value, 26),
        (value.lower(), 22),
        (f"{low} {number}", 22),
        (f"{key} {number}", 6),
        (f"{low} dash {number}", 3),
        (f"{low} number {number}", 2),
        (f"{low} {_read_out(rng, number)}", 9),
    )
    words = rng.choices([f for f, _ in forms], [w for _, w in forms])[0]
    return words, value


def _plain_id(rng: random.Random) -> tuple[str, str]:
    """Words for an id of an app without keys: "4417", "#4417", "PAY-4417", "B12-99"."""
    number = str(rng.randrange(100, 1000) if rng.random() < 0.2 else rng.randrange(2100, 1_000_000))
    roll = rng.random()
    if roll < 0.6:
        return number, number
    if roll < 0.74:
        return f"#{number}", number
    if roll < 0.88:
        value = f"{rng.choice(PROJECT_KEYS)}-{number[:4]}"
        return (value if roll < 0.83 else value.lower()), value
    value = _mixed_code(rng)
    words = f"#{value}" if len(value) < 5 or rng.random() < 0.2 else value
    return (words if rng.random() < 0.75 else words.lower()), value


def _mixed_code(rng: random.Random) -> str:
    """A code of letters and digits: "A-5521", "7745-B", "B12-99", "A17", "4K7Q22"."""

    def letters(count: int) -> str:
        return "".join(rng.choices("ABCDEFGHJKLMNPQRTUVWXYZ", k=count))

    def digits(count: int) -> str:
        return str(rng.randrange(10 ** (count - 1), 10**count))

    shapes = (
        (f"{letters(1)}-{digits(4)}", 5),
        (f"{digits(4)}-{letters(1)}", 5),
        (f"{letters(1)}{digits(2)}-{digits(2)}", 4),
        (f"{letters(1)}{digits(rng.choice((2, 3)))}", 4),
        (f"{digits(1)}{letters(1)}{digits(1)}{letters(1)}{digits(2)}", 2),
        (f"{letters(2)}-{digits(3)}-{letters(1)}", 1),
        (f"{letters(2)}{digits(4)}{letters(1)}", 2),
        (f"{letters(1)}{digits(3)}-{digits(4)}", 2),
    )
    return rng.choices([s for s, _ in shapes], [w for _, w in shapes])[0]


def channel_words(rng: random.Random, name: str) -> tuple[str, str]:
    """A channel's name as people say it, and the name: its words joined by hyphens."""
    plain = "-".join(name.lower().replace("#", " ").split())
    roll = rng.random()
    if roll < 0.26:
        return f"#{plain}", plain
    if roll < 0.34:
        return f"hash {name}", plain
    if roll < 0.44:
        return plain, plain
    if roll < 0.49 and "-" in plain:
        spelt = f" {rng.choice(('dash', 'dash', 'dash', 'hyphen'))} ".join(plain.split("-"))
        return (f"hash {spelt}" if rng.random() < 0.6 else spelt), plain
    return name, plain


def _read_out(rng: random.Random, number: int) -> str:
    """A number as an id is read out: "one forty two", "one four two", "a hundred and forty two"."""
    digits = str(number)
    roll = rng.random()
    if len(digits) == 3 and digits[1] != "0" and roll < 0.45:
        return f"{spell(int(digits[0]))} {spell(int(digits[1:]))}"
    if len(digits) == 4 and digits[2] != "0" and roll < 0.45:
        return f"{spell(int(digits[:2]))} {spell(int(digits[2:]))}"
    if len(digits) > 2 and roll < 0.75:
        return " ".join(_DIGITS[int(d)] for d in digits)
    return count_words(rng, number).replace("-", " ")


def _letters(name: str) -> str:
    """The letters of a name, as an address has them."""
    return "".join(c for c in name.lower() if "a" <= c <= "z") or "me"


def _spaced(written: str) -> str:
    """Groups of digits parted by blanks."""
    return " ".join("".join(c if c.isdigit() or c == "+" else " " for c in written).split())
