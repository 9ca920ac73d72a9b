"""One pass over the words for all but dates and times: money, percents, temperatures, ids, addresses."""

from __future__ import annotations

import functools
from collections.abc import Callable

from fernjax.sim.mentions import addresses, channels, codes, measures, names, phones
from fernjax.sim.mentions.lexicon import NOUGHTS, ONES, TENS
from fernjax.sim.mentions.sentence import Sentence
from fernjax.sim.mentions.tokens import Atom

Reader = Callable[[Sentence, int], Atom | None]

MASK = ";"
"""What the readers of dates and times see in place of a claimed word: a mark that they never cross."""


def claim(s: Sentence, kinds: frozenset[str]) -> list[Atom]:
    """Stretches of the asked kinds, in order, none overlapping; those noted `WEAK` give way to a time."""
    claims = _claim_emails(s) if s.email else []
    heads, digit_readers = _readers(kinds)
    taken = [*((a.i, a.j) for a in claims), (s.t.size, s.t.size)]
    words = s.t.words
    i = done = ahead = 0
    while i < s.t.size:
        limit, after = taken[ahead]
        if i >= limit:
            i = done = after
            ahead += 1
            continue
        word = words[i]
        readers = heads.get(word)
        if readers is None:
            if not ("0" <= word[0] <= "9"):
                i += 1
                continue
            readers = digit_readers
        atom = _read(s, i, readers, done, limit)
        if atom is None:
            i += 1
        while atom is not None:
            claims.append(atom)
            i = done = atom.j
            atom = _follow(s, atom, limit)
    claims.sort(key=lambda a: a.i)
    return claims


def _read(s: Sentence, i: int, readers: tuple[Reader, ...], done: int, limit: int) -> Atom | None:
    """What the first reader finds that reaches into nothing that is claimed."""
    for reader in readers:
        atom = reader(s, i)
        if atom is not None and atom.i >= done and atom.j <= limit:
            return atom
    return None


def _follow(s: Sentence, atom: Atom, limit: int) -> Atom | None:
    """What the next words say on the strength of what was claimed."""
    if atom.kind == "id":
        found = names.follow_id(s, atom)
    else:
        found = measures.read_second(s, atom) if atom.kind == "money" else None
    return None if found is None or found.j > limit else found


def _claim_emails(s: Sentence) -> list[Atom]:
    words = s.t.words
    marked = "@" in s.text
    if not marked and "at" not in words:
        return []
    claims: list[Atom] = []
    done = 0
    for i in range(s.t.size):
        if i >= done and (words[i] == "@" or words[i] == "at"):
            atom = addresses.read_email(s, i)
            if atom is not None and atom.i >= done:
                claims.append(atom)
                done = atom.j
    return claims


@functools.lru_cache(maxsize=64)
def _readers(kinds: frozenset[str]) -> tuple[dict[str, tuple[Reader, ...]], tuple[Reader, ...]]:
    """The readers that each word may begin, in order of precedence, and those of digits."""
    heads: dict[str, list[Reader]] = {}
    digit_readers: list[Reader] = []

    def register(reader: Reader, *tables: frozenset[str] | set[str]) -> None:
        for table in tables:
            for word in table:
                heads.setdefault(word, []).append(reader)

    numerals = frozenset(ONES) | frozenset(TENS) | NOUGHTS
    if "phone" in kinds:
        register(phones.read_written, {"+", "("})
        register(phones.read_spoken, phones.SPOKEN_HEADS)
        digit_readers.append(phones.read_written)
    if "id" in kinds:
        register(names.read_id, numerals, {"a"})
        digit_readers += [names.read_id, codes.read_code]
    if "channel" in kinds:
        register(channels.read_channel, channels.HEADS)
    if "handle" in kinds:
        register(addresses.read_handle, {"@"})
    if "money" in kinds:
        register(measures.read_note, {"a", "an"}, numerals)
        digit_readers.append(measures.read_note)
    if not kinds.isdisjoint({"money", "percent", "temperature", "number"}):
        register(
            measures.read_measure,
            numerals,
            {"a", "an", "half", "quarter", "couple", "few", "minus", "negative"},
        )
        register(measures.read_measure, {"point", ".", "-"})
        digit_readers.append(measures.read_measure)
    return {word: tuple(readers) for word, readers in heads.items()}, tuple(digit_readers)


@functools.lru_cache(maxsize=64)
def words_of(kinds: frozenset[str]) -> frozenset[str]:
    """Words of which a sentence must have one, or a digit, to have a claim."""
    heads, _ = _readers(kinds)
    return frozenset(heads).difference({".", "-"}) | ({"@", "at"} if "email" in kinds else set())
