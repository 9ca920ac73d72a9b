"""What may come next in an answer, token by token, so that no answer comes out that cannot be read.

The grammar is that of `fernjax.sim.worlds.language`. A guide is a generator behind a small face: it yields
the tokens that may follow and is sent the one that did. No JAX.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fernjax.model.tokenizer import END, RESERVED, Tokenizer
from fernjax.model.world.tokens import decode, spellings
from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State
from fernjax.sim.worlds.app import World
from fernjax.sim.worlds.changes import Record, is_collection, record_id, records_of
from fernjax.sim.worlds.language import PLAIN, Unreadable, name_of

LONGEST_WORDS = 24
"""Tokens behind one mark, at most."""

DEEPEST = 6
"""Lists and objects within each other, at most."""

Ask = Generator[Sequence[int] | np.ndarray, int, int]
"""Yields the tokens that may follow, is sent the one that did; returns the first that it did not take."""

FORMS: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "number": (re.compile(r"-?\d+(\.\d+)?"), re.compile(r"-?(\d{1,12}(\.\d{0,6})?)?")),
    "date": (re.compile(r"[+-]\d{1,5}"), re.compile(r"([+-]\d{0,5})?")),
    "time": (re.compile(r"\d\d:\d\d"), re.compile(r"(\d(\d(:(\d\d?)?)?)?)?")),
    "datetime": (
        re.compile(r"[+-]\d{1,5} \d\d:\d\d(:\d\d)?"),
        re.compile(r"([+-](\d{1,5}( (\d(\d(:(\d(\d(:(\d\d?)?)?)?)?)?)?)?)?)?)?"),
    ),
}
"""Of values that are spelt: what is whole, and what may become it."""


class Guide:
    """Says what may follow, one token at a time.

    Args:
      world: the app.
      tokenizer: of the model.
      state, call: that are answered.
    """

    def __init__(self, world: World, tokenizer: Tokenizer, state: State, call: Call) -> None:
        self.taken: list[int] = [tokenizer.reserved_id("<status>")]
        self.done = False
        self._language, self._tokenizer = world.language, tokenizer
        self._spelt = spellings(state, call, world.lexicon)
        self._first, self._state, self._call = state, state, call
        self._known = records_of(state)
        self._marks = {name: tokenizer.reserved_id(f"<{name}>") for name in _MARKS} | {
            "end": tokenizer.reserved_id(END)
        }
        self._plain = np.arange(RESERVED, tokenizer.vocab_size)
        self._spelling = _spelling(tokenizer)
        self._chosen = ""  # the last of `_one_of`
        self._answer = self._run()
        self._allowed: Sequence[int] | np.ndarray = next(self._answer)

    @property
    def allowed(self) -> Sequence[int] | np.ndarray:
        """Ids of the tokens that may follow; of nothing once `done`."""
        return self._allowed

    def read(self) -> tuple[State, Observation]:
        """The state after what was said, and the answer.

        Raises:
          Unreadable: it is none.
        """
        row = decode(self.taken, self._tokenizer, self._spelt)
        return self._language.read(self._first, self._call, row)

    def push(self, token: int) -> None:
        """Takes the token that followed; the answer is `done` with the end mark, which is not kept."""
        self.taken.append(token)
        try:
            self._allowed = self._answer.send(token)
        except StopIteration:
            self.taken.pop()
            self._allowed = ()
        # Nothing may follow either where an answer pulls from under its feet what it was about to point at
        # ("drop" the last record, then "ref"): then it cannot be read.
        self.done = not len(self._allowed)

    def _run(self) -> Ask:
        token = yield from self._words(self._changes())
        while token != self._marks["data"]:
            token = yield from self._change(token)
            self._look_around()
        token = yield self._of("key", "end")
        return (yield from self._fields(token, "end", 0))

    def _look_around(self) -> None:
        """Takes in what the changes said so far have made of the state."""
        row = decode(self.taken[:-1], self._tokenizer, self._spelt)
        with contextlib.suppress(Unreadable):  # the answer as a whole will tell
            self._state = self._language.read(self._first, self._call, (*row, "<data>"))[0]
        self._known |= records_of(self._state)

    def _changes(self) -> list[str]:
        """Marks that a change may begin with, and the one behind the last."""
        here = records_of(self._state)
        marks = ["add"] if self._lists(self._state) or any(map(self._lists, here.values())) else []
        return [*marks, *(("drop", "ref") if here else ()), "set", "data"]

    @staticmethod
    def _lists(holder: Mapping[str, Any]) -> list[str]:
        return [field for field, v in holder.items() if v == [] or is_collection(v)]

    def _change(self, token: int) -> Ask:
        here, following = records_of(self._state), self._changes()
        if token == self._marks["drop"]:
            return (yield from self._one_of(here, following))
        if token == self._marks["add"]:
            return (yield from self._add(here, following))
        holder: Mapping[str, Any] = self._state
        if token == self._marks["ref"]:
            token = yield from self._one_of([n for n, r in here.items() if len(r) > 1], ["set"])
            holder = here[self._chosen]
        # A list stays one, and what names a record stays as it is, so that what is said next has a place.
        every = (n for r in here.values() for n in r) if holder is not self._state else ()
        values = self._values()
        fields = {n: ["list"] if isinstance(holder.get(n), list) else values for n in (*holder, *every)}
        for name in ("now", "id"):
            fields.pop(name, None)
        token = yield from self._one_of(fields, fields)
        return (yield from self._value(token, following, 0))

    def _add(self, here: Mapping[str, Record], following: list[str]) -> Ask:
        def behind(value: Sequence[Any]) -> list[str]:
            return [*(("at",) if value else ()), "key", *following]

        choices = {field: ["of"] for r in here.values() for field in self._lists(r)}
        choices |= {field: behind(self._state[field]) for field in self._lists(self._state)}
        token = yield from self._one_of(choices, choices)
        field, holder = self._chosen, self._state
        if token == self._marks["of"]:
            owners = {n: behind(r[field]) for n, r in here.items() if field in self._lists(r)}
            token = yield from self._one_of(owners, owners)
            holder = here[self._chosen]
        if token == self._marks["at"]:
            token = yield from self._one_of(map(record_id, holder[field]), ["key", *following])
        while token == self._marks["key"]:
            token = yield from self._words(self._values())
            token = yield from self._value(token, ["key", *following], 0)
        return token

    def _fields(self, token: int, end: str, depth: int) -> Ask:
        """Fields up to the mark that ends them, which is taken; what follows it is the caller's to say."""
        while token == self._marks["key"]:
            token = yield from self._words(self._values())
            token = yield from self._value(token, ["key", end], depth)
        return token

    def _value(self, token: int, following: list[str], depth: int) -> Ask:
        mark = self._name(token)
        if mark == "echo":
            return (yield from self._one_of(self._call.arguments, following))
        if mark == "name":
            return (yield from self._one_of(self._named(), following))
        if mark in FORMS:
            return (yield from self._spelt_as(mark, following))
        if mark == "text":
            return (yield from self._words(following))
        if mark in ("list", "dict", "ref"):
            if mark == "list":
                members = ["close", *(self._values() if depth < DEEPEST else PLAIN)]
                token = yield self._of(*members)
                while token != self._marks["close"]:
                    token = yield from self._value(token, members, depth + 1)
            else:
                fields = ["key", "close"] if depth < DEEPEST else ["close"]
                if mark == "ref":
                    token = yield from self._one_of(self._known, fields)
                else:
                    token = yield self._of(*fields)
                yield from self._fields(token, "close", depth + 1)
        return (yield self._of(*following))

    def _words(self, following: list[str]) -> Ask:
        """Any words, one token at least."""
        token = yield self._plain
        both = np.concatenate([self._plain, self._of(*following)])
        for _ in range(LONGEST_WORDS - 1):
            token = yield both
            if token < RESERVED:
                return token
        return (yield self._of(*following))

    def _one_of(self, choices: Iterable[str], following: list[str] | Mapping[str, list[str]]) -> Ask:
        """One of some words, and what follows each."""
        rows = {tuple(self._tokenizer.encode(c)): c for c in choices}
        rows.pop((), None)
        taken: tuple[int, ...] = ()
        while True:
            n = len(taken)
            ahead = sorted({r[n] for r in rows if len(r) > n and r[:n] == taken})
            if taken in rows:
                ahead += self._of(*(following[rows[taken]] if isinstance(following, Mapping) else following))
            token = yield ahead
            if token < RESERVED:
                self._chosen = rows[taken]
                return token
            taken = (*taken, token)

    def _spelt_as(self, mark: str, following: list[str]) -> Ask:
        """Words of one of `FORMS`."""
        whole, begun = FORMS[mark]
        taken: list[int] = []
        text = ""
        while True:
            ahead = [
                i
                for i, piece in self._spelling
                if begun.fullmatch((text + piece).lstrip(" ")) and (text or not taken or piece != " ")
            ]
            token = yield [*ahead, *(self._of(*following) if whole.fullmatch(text) else ())]
            if token < RESERVED:
                return token
            taken.append(token)
            text = self._tokenizer.decode(taken)

    def _values(self) -> list[str]:
        """Marks that a value may begin with: those that point need something to point at."""
        empty = {"echo": not self._call.arguments, "name": not self._named(), "ref": not self._known}
        return [mark for mark in _VALUES if not empty.get(mark, False)]

    def _named(self) -> list[str]:
        return [n for n, r in self._known.items() if name_of(r)]

    def _of(self, *names: str) -> list[int]:
        return [self._marks[name] for name in names]

    def _name(self, token: int) -> str:
        return next(name for name, i in self._marks.items() if i == token)


_VALUES = ("echo", "name", *FORMS, "text", *PLAIN, "list", "dict", "ref")

_MARKS = ("drop", "add", "ref", "set", "data", "of", "at", "key", "close", "status", *_VALUES)


@functools.lru_cache(maxsize=4)
def _spelling(tokenizer: Tokenizer) -> tuple[tuple[int, str], ...]:
    """Tokens of one digit or mark of a number, a day or a time, with their text."""
    out = []
    for i in range(RESERVED, tokenizer.vocab_size):
        # Behind another token, so that the blank in front of it is kept.
        text = tokenizer.decode([*tokenizer.encode("x"), i])[1:]
        if text == " " or (len(text.strip(" ")) == 1 and text.strip(" ") in "0123456789+-.:"):
            out.append((i, text))
    return tuple(out)
