"""Whom the user's words mean: a contact, a group of them, an address, a number, or the sender of a mail.

Words are compared as sets of normalised, singular tokens, without words for a channel ("ana's phone number")
and without titles ("mister dupont"). A contact is meant by a name or a relation that is the words, else by
one that holds them, with the employer's words if need be ("bob from acme").
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

from fernjax.sim.arguments import shown
from fernjax.sim.matching import tokens
from fernjax.sim.text import normalize

Item = dict[str, Any]

ASIDE = frozenset(
    "phone number cell cellphone mobile telephone landline line email mail mailbox address inbox contact "
    "info all everyone everybody every entire whole".split()
)
TITLES = frozenset(
    "mister mr mrs miss ms dr doctor professor friend buddy pal coworker colleague neighbor neighbour uncle "
    "aunt auntie cousin".split()
)
"""Words beside a name that do not tell people apart; they count where nothing else is said."""

MAX_CLOSE = 3
LEAST_PAIRS = 2
MOST_PAIRS = 8
"""A name is offered for another where they share half its letter pairs: at least and at most so many."""

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_FIRST = frozenset("+0123456789(.- ")
_NUMBER = re.compile(r"\+?[0-9() .-]*[0-9][0-9() .-]*")
_POSSESSIVE = re.compile(r"['\u2019]s?(?=\s|$)")
_COWORKERS = re.compile(r"\bco[- ]worker")
_SPLIT = re.compile(r"[@._+-]+")


@functools.lru_cache(maxsize=1 << 16)
def read_person(text: str) -> frozenset[str]:
    """The tokens by which a person is known; never empty."""
    words = tokens(_COWORKERS.sub("coworker", _POSSESSIVE.sub("", text.lower())))
    said = words - ASIDE
    return said - TITLES or said or words or frozenset((normalize(text) or text,))


def is_address(text: str) -> bool:
    """Whether a text is an email address."""
    return "@" in text and _ADDRESS.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Whether a text is a phone number."""
    return text[0] in _FIRST and _NUMBER.fullmatch(text) is not None


@functools.lru_cache(maxsize=1 << 14)
def digits(number: str) -> str:
    """The digits of a phone number, by which two ways to write it are one."""
    return "".join(c for c in number if c.isdecimal())


def find_contacts(text: str, contacts: Sequence[Item]) -> list[Item]:
    """The contacts that the words mean, in their order."""
    words = read_person(text)
    if is_address(text):
        address = text.lower()
        return [c for c in contacts if c["email"].lower() == address or words in _keys(c["name"], "")]
    if is_number(text):
        number = digits(text)
        return [c for c in contacts if digits(c["phone"]) == number or words in _keys(c["name"], "")]
    found = [c for c in contacts if words <= _known(c["name"], c["relation"])]
    if len(found) > 1:
        return [c for c in found if words in _keys(c["name"], c["relation"])] or found
    if found or len(words) < 2:
        return found
    return [c for c in contacts if words <= _said(c["name"], c["relation"], c["employer"])]


def same_contact(text: str, contacts: Sequence[Item]) -> list[Item]:
    """The contacts whose name or relation is the words: those that a new one of that name would double."""
    words = read_person(text)
    return [c for c in contacts if words in _keys(c["name"], c["relation"])]


def find_group(text: str, groups: Sequence[Item]) -> Item | None:
    """The group that the words name, or None."""
    words = read_person(text)
    return next((g for g in groups if read_person(g["name"]) == words), None)


def find_mails(text: str, mails: Sequence[Item], contacts: Sequence[Item]) -> list[Item]:
    """The mails whose sender the words mean, in their order."""
    if is_address(text):
        address = text.lower()
        return [m for m in mails if m["address"].lower() == address]
    words = read_person(text)
    addresses = {c["email"] for c in find_contacts(text, contacts)} - {""}
    return [m for m in mails if m["address"] in addresses or words <= _sender(m["from"], m["address"])]


def closest(text: str, names: Iterable[str]) -> list[str]:
    """The names most like the words, the likest first, at most `MAX_CLOSE`."""
    pairs = _pairs(text)
    least = max(LEAST_PAIRS, min(pairs.bit_count(), MOST_PAIRS) // 2)
    scored = {(-n, name) for name in names if (n := (pairs & _pairs(name)).bit_count()) >= least}
    return [name for _, name in sorted(scored)[:MAX_CLOSE]] if scored else []


def show_contact(contact: Item) -> Item:
    """What the app shows of a contact."""
    return {**contact}


def nobody(argument: str, text: str, names: Iterable[str]) -> Item:
    """The data of `not_found` for a person."""
    return {argument: shown(text), "similar": closest(text, names)}


@functools.lru_cache(maxsize=1 << 14)
def _keys(name: str, relation: str) -> tuple[frozenset[str], ...]:
    return (read_person(name), read_person(relation)) if relation else (read_person(name),)


@functools.lru_cache(maxsize=1 << 14)
def _known(name: str, relation: str) -> frozenset[str]:
    return frozenset().union(*_keys(name, relation))


@functools.lru_cache(maxsize=1 << 14)
def _said(*texts: str) -> frozenset[str]:
    return frozenset().union(*(read_person(t) for t in texts if t))


@functools.lru_cache(maxsize=1 << 14)
def _sender(name: str, address: str) -> frozenset[str]:
    return tokens(name) | frozenset(_SPLIT.split(address.lower()))


@functools.lru_cache(maxsize=1 << 14)
def _pairs(text: str) -> int:
    """Pairs of neighbouring letters of each word, a blank before the first, as bits.

    Letters fold into 32 classes, so that a set is one number and two are compared in one step.
    """
    bits = 0
    for word in normalize(text).split():
        before = 0
        for letter in word:
            bits |= 1 << (before * 32 + ord(letter) % 32)
            before = ord(letter) % 32
    return bits
