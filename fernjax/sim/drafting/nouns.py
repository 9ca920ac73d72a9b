"""What else people call the things and the values of an app's tools, and how they ask after them."""

from __future__ import annotations

import functools
import itertools
import pathlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fernjax.sim.drafting.kinds import values_of
from fernjax.sim.drafting.verbs import Verb, plural, read_thing, read_verb, singular
from fernjax.sim.tools import Tool, split_name

_HERE = pathlib.Path(__file__).parent

_ABOUT = frozenset("status detail details info information history summary update updates".split())
"""Last words of a thing that only say what of it is asked for."""

_CONTENTS = {
    **dict.fromkeys("order delivery parcel package shipment purchase".split(), "product"),
    **dict.fromkeys("prescription refill".split(), "medicine"),
    **dict.fromkeys("device appliance".split(), "device"),
}
"""The kind of thing by which alone people name what a tool is about: "has my jacket shipped"."""


class Synonyms(NamedTuple):
    """Other words for a thing.

    Attributes:
      counted: in the singular, the usual first.
      mass: those that are not counted ("stuff"), or are only said in the plural.
    """

    counted: tuple[str, ...]
    mass: tuple[str, ...]


class Paraphrases(NamedTuple):
    """Other words for a value: those that stand in its place, predicates ("never came"), whole clauses."""

    said: tuple[str, ...]
    did: tuple[str, ...]
    clauses: tuple[str, ...]


@functools.cache
def head(thing: str) -> str:
    """The noun of a thing in the singular, without what is asked of it: "order status" gives "order"."""
    words = thing.split()
    while len(words) > 1 and words[-1] in _ABOUT:
        words.pop()
    return singular(" ".join(words))


@functools.cache
def synonyms(thing: str, taken: frozenset[str] = frozenset()) -> Synonyms:
    """What else people call a thing; none of the words in `taken`, which another tool's thing has."""
    noun = head(thing)
    prefix, found = "", _nouns().get(noun.replace(" ", "_"))
    if found is None:
        prefix, _, last = noun.rpartition(" ")
        found = _nouns().get(last)
    if found is None:
        return Synonyms((), ())
    before = f"{prefix} " if prefix else ""
    words = [w for w in found if w.strip("+*") not in (*noun.split(), *taken) and w != noun]
    counted = tuple(before + w for w in words if w[0] not in "+*")
    return Synonyms(counted, () if prefix else tuple(w[1:] for w in words if w[0] in "+*"))


def taken_by_others(tool: Tool, tools: Iterable[Tool]) -> frozenset[str]:
    """Words for the things of other tools that do the same to them: nobody could tell whose they are."""
    verb, thing = _read(tool.name)
    out: set[str] = set()
    for other in tools:
        other_verb, other_thing = _read(other.name)
        if other_verb.role == verb.role and head(other_thing) != head(thing):
            found = synonyms(other_thing)
            out |= {head(other_thing), *head(other_thing).split()[-1:]}
            if other_verb == verb:
                out.update(found.counted, found.mass)
    return frozenset(out)


def alternatives(thing: str, others: Sequence[str], many: bool = False) -> str:
    """A thing and its synonyms as alternatives, its own noun the most often."""
    own = plural(thing) if many else singular(thing)
    about = [w for w in thing.split()[1:] if w in _ABOUT][:1]  # "package status"
    said = [f"{own} *{max(4, 2 * len(others)):g}"]
    for i, word in enumerate(others):
        whole = f"{word} {about[0]}" if about else plural(word) if many else word
        said.append(f"{whole} *{1.6 if i < 3 else 0.7:g}")
    return " | ".join(said)


def contents(thing: str) -> tuple[str, tuple[str, ...]]:
    """The kind of what a thing holds and names for it without determiners: "order" gives "rain jacket"."""
    kind = _CONTENTS.get(head(thing).rpartition(" ")[2], "")
    names = (re.sub(r"^(?:a|an|the|my|our|two) ", "", v) for v in values_of(kind))
    return kind, tuple(n for n in names if not n.endswith("s")) if kind else ()


def questions(tools: Sequence[Tool]) -> dict[str, tuple[str, ...]]:
    """Per name of a tool that looks a thing up, how people ask after the thing.

    Of several tools that could tell, the one that tracks it, else gets it, else lists it.
    """
    best: dict[tuple[int, str], tuple[int, str]] = {}
    for tool in tools:
        verb, thing = _read(tool.name)
        if verb.role != "reads" or verb.seeks or not thing:
            continue
        noun = head(thing).rpartition(" ")[2]
        rank = 0 if "where is" in verb.asks_for else 1 if set(split_name(tool.name)) & _ABOUT else 2
        rank += 2 * (plural(thing) == thing)
        for i, (nouns, _) in enumerate(_questions()):
            if noun in nouns or head(thing).replace(" ", "_") in nouns:
                group = _nouns().get(noun, (noun,))[0]
                best[i, group] = min(best.get((i, group), (99, "")), (rank, tool.name))
    out: dict[str, tuple[str, ...]] = {}
    for (i, _), (_, name) in best.items():
        out[name] = out.get(name, ()) + _questions()[i][1]
    return out


def paraphrase(value: Any, choices: Sequence[Any]) -> Paraphrases:
    """What people say for a value of an enum; nothing that says another of its values as well."""
    told, own = _tellers(tuple(choices)), _words_for(value)
    by_others = {w: told[w] - (w in own) for w in own}
    found = _values().get(_key(value), _NONE)
    said, did, clauses = (tuple(w for w in ways if not by_others[w]) for ways in found)
    return Paraphrases(said, did, clauses)


@functools.lru_cache(maxsize=64)
def _tellers(choices: tuple[Any, ...]) -> Counter[str]:
    """How many values of an enum each of their words says."""
    return Counter(w for value in dict.fromkeys(choices) for w in _words_for(value))


def _words_for(value: Any) -> frozenset[str]:
    """A value's name and what people say for it."""
    return frozenset((" ".join(split_name(str(value))), *itertools.chain(*_values().get(_key(value), _NONE))))


_NONE = Paraphrases((), (), ())


def _key(value: Any) -> str:
    return "_".join(split_name(str(value))) if isinstance(value, str) else ""


@functools.cache
def _read(name: str) -> tuple[Verb, str]:
    """The verb and the thing of a tool's name."""
    verb, rest = read_verb(name)
    return verb, read_thing(rest)[0]


@functools.cache
def noun_groups() -> list[tuple[str, ...]]:
    """Nouns of tools, in groups that people call by the same words."""
    return [tuple(names) for names, _ in _rows("nouns.txt")]


@functools.cache
def _nouns() -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for names, words in _rows("nouns.txt"):
        for name in names:
            out.setdefault(name, words)
    return out


@functools.cache
def _values() -> dict[str, Paraphrases]:
    out: dict[str, Paraphrases] = {}
    for names, words in _rows("choices.txt"):
        said = tuple(w for w in words if w[0] not in "+=")
        did, clauses = (tuple(w[1:] for w in words if w[0] == mark) for mark in "+=")
        for name in names:
            out.setdefault(name, Paraphrases(said, did, clauses))
    return out


@functools.cache
def _questions() -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    text = (_HERE / "status.txt").read_text(encoding="utf-8")
    blocks = re.findall(r"^\[(.+)\]\n((?:[^\[#\n].*\n?)+)", text, re.M)
    return tuple((frozenset(nouns.split()), tuple(lines.splitlines())) for nouns, lines in blocks)


def _rows(name: str) -> list[tuple[list[str], tuple[str, ...]]]:
    """The lines of a table: names, a colon, words by commas."""
    lines = (_HERE / name).read_text(encoding="utf-8").splitlines()
    rows = [line.partition(":") for line in lines if line and not line.startswith("#")]
    return [(names.split(), tuple(words.strip().split(", "))) for names, _, words in rows]
