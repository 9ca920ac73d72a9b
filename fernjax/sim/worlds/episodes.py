"""Episodes: a seeded first state, and calls of mixed policies with what the app answers to each.

  gold         what a sentence of the generator asks, about things that the state holds, so that it is done
  erroneous    the same with one thing wrong: an argument left out, of another type, past, or not to be found
  random       any tool with any values of its arguments' types
  exploratory  tools that read, asked about what the state and the last answer hold; the last call once more

A pure function of (app, seed, index).
"""

from __future__ import annotations

import dataclasses
import datetime
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fernjax.sim.pools import split
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import UNHAPPY, Generator
from fernjax.sim.tools import MOMENT_TYPES, NUMBER_TYPES, PARTS_OF_DAY, TEXT_TYPES, Argument, Tool
from fernjax.sim.types import OUT_OF_SCOPE, Call, Observation
from fernjax.sim.world import Domain, State

POLICIES: Mapping[str, float] = {"gold": 0.5, "erroneous": 0.15, "random": 0.15, "exploratory": 0.2}
"""How often each policy makes a call."""

GOLD_TRIES = 6
"""Calls of which the first that the app does is taken; the last where it does none."""

KNOWN = 0.8
"""How often a free text becomes one that the state holds."""

NAMING = ("title", "name", "label", "subject")
"""Fields of records by which people call them."""

_RECIPE = Recipe(
    {"in_distribution": 1.0, "multi_constraint": 0.4, "oov_values": 0.3}, contrastive=0.0, wider_pools=0.3
)


@dataclasses.dataclass(frozen=True, slots=True)
class Turn:
    """One call and its answer.

    Attributes:
      call: the call.
      observation: what the app answered.
      policy: who made the call, one of `POLICIES`.
    """

    call: Call
    observation: Observation
    policy: str


@dataclasses.dataclass(frozen=True, slots=True)
class Episode:
    """An episode.

    Attributes:
      domain: the app's name.
      seed: `(seed, index)`.
      first: the state before the first call.
      turns: the calls in order, with their answers.
      last: the state after the last call.
    """

    domain: str
    seed: tuple[int, int]
    first: State
    turns: tuple[Turn, ...]
    last: State


class Episodes:
    """Episodes of one app.

    Args:
      domain: the app.
      seed: of the stream; streams of different seeds share nothing.
      turns: calls of an episode.
      held_out: draw texts from the part of the pools that training never sees.
      policies: how often each makes a call.
    """

    def __init__(
        self,
        domain: Domain,
        seed: int,
        turns: int = 8,
        held_out: bool = False,
        policies: Mapping[str, float] = POLICIES,
    ) -> None:
        self.domain = domain
        self._seed, self._turns, self._policies = seed, turns, dict(policies)
        self._gold = Generator(domain, _RECIPE, seed, held_out)
        self._words = split("event_nouns", held_out)
        self._tools = tuple(t for t in domain.tools if t.name != OUT_OF_SCOPE)

    def episode(self, index: int) -> Episode:
        """Episode number `index`."""
        rng = random.Random(f"episode:{self.domain.name}:{self._seed}:{index}")
        now = self._gold.scenario(rng.randrange(1 << 30)).row.query.now
        first = state = self.domain.initial_state(rng, now)
        turns: list[Turn] = []
        for _ in range(self._turns):
            policy = rng.choices(tuple(self._policies), tuple(self._policies.values()))[0]
            call = self.draw_call(rng, policy, state, turns)
            state, seen = self.domain.step(state, call)
            turns.append(Turn(call, seen, policy))
        return Episode(self.domain.name, (self._seed, index), first, tuple(turns), state)

    def draw_call(self, rng: random.Random, policy: str, state: State, turns: Sequence[Turn] = ()) -> Call:
        """A call that a policy makes in a state, after turns."""
        if policy == "gold":
            return self._draw_gold(rng, state)
        if policy == "erroneous":
            return self._spoil(rng, self._draw_gold(rng, state), state)
        if policy == "exploratory":
            return self._explore(rng, state, turns)
        return self._draw_any(rng, rng.choice(self._tools), state, 0.4)

    def _draw_gold(self, rng: random.Random, state: State) -> Call:
        names = names_in(state)
        call = Call("")
        for _ in range(GOLD_TRIES):
            row = self._gold.scenario(rng.randrange(1 << 30)).row
            name, given = next(iter(rng.choice(row.calls).items()))
            if name == OUT_OF_SCOPE:
                continue
            days = (_date(state["now"]) - _date(row.query.now)).days
            arguments = {a: shift(v[0], days) for a, v in given.items() if v[0] != ""}
            call = Call(name, {a: self._known(rng, name, a, v, names) for a, v in arguments.items()})
            status = self.domain.step(state, call)[1].status
            if status not in UNHAPPY and status not in self.domain.unhappy:
                break
        return call

    def _known(self, rng: random.Random, tool: str, name: str, value: Any, names: Sequence[str]) -> Any:
        """A text that the state holds in place of another, most of the time."""
        argument = _argument(self.domain, tool, name)
        if argument is None or argument.new or argument.choices or rng.random() >= KNOWN:
            return value
        if argument.type == "id":
            names = [n for n in names if _is_code(n)]
        elif argument.type not in TEXT_TYPES:
            return value
        if not names:
            return value
        return [rng.choice(names) for _ in value] if isinstance(value, list) else rng.choice(names)

    def _spoil(self, rng: random.Random, call: Call, state: State) -> Call:
        """A call with one thing wrong, or at least other."""
        arguments, name = dict(call.arguments), call.name
        kind = rng.choice(("left out", "type", "past", "nowhere", "unknown", "tool", "another"))
        victim = rng.choice(sorted(arguments)) if arguments else ""
        argument = _argument(self.domain, name, victim)
        if kind == "tool":
            name = rng.choice((f"{name}s", name.replace("_", ""), rng.choice(self._tools).name))
        elif kind == "unknown" or argument is None:
            arguments[rng.choice(("note", "options", "when"))] = rng.choice(self._words)
        elif kind == "left out":
            del arguments[victim]
        elif kind == "type":
            arguments[victim] = rng.choice((-1, 0, True, "soon", "", [], {"value": 1}))
        elif kind == "past" and argument.type in MOMENT_TYPES:
            arguments[victim] = shift(arguments[victim], -rng.randrange(5, 400))
        elif kind == "nowhere" and argument.type in TEXT_TYPES:
            word = rng.choice(self._words)
            arguments[victim] = [word] if argument.type == "texts" else word
        else:
            arguments[victim] = self._draw_value(rng, argument, state)
        return Call(name, arguments)

    def _explore(self, rng: random.Random, state: State, turns: Sequence[Turn]) -> Call:
        if turns and rng.random() < 0.15:
            return turns[-1].call
        reading = [t for t in self._tools if t.reads] or list(self._tools)
        call = self._draw_any(rng, rng.choice(reading), state, 0.25)
        if not turns:
            return call
        seen = names_in(turns[-1].observation.data)
        arguments = {
            a: rng.choice(seen) if seen and isinstance(v, str) and _is_text(self.domain, call.name, a) else v
            for a, v in call.arguments.items()
        }
        return Call(call.name, arguments)

    def _draw_any(self, rng: random.Random, tool: Tool, state: State, share: float) -> Call:
        needed = {rng.choice(group) for group in self.domain.needs.get(tool.name, ())}
        chosen = [
            a for a in tool.arguments if rng.random() < share or (a.name in needed and rng.random() < 0.9)
        ]
        return Call(tool.name, {a.name: self._draw_value(rng, a, state) for a in chosen})

    def _draw_value(self, rng: random.Random, argument: Argument, state: State) -> Any:
        """Any value of an argument's type; of a text one that the state holds, as often as not."""
        type_ = argument.type
        if argument.choices:
            value = rng.choice(argument.choices)
            return [value] if type_ == "texts" else value
        if type_ in NUMBER_TYPES:
            return rng.choice((1, 2, 3, 5, 10, 15, 20, 25, 30, 45, 50, 60, 75, 90, 100, 120, 500))
        if type_ in MOMENT_TYPES:
            day = (_date(state["now"]) + datetime.timedelta(rng.randrange(-3, 15))).isoformat()
            time = f"{rng.randrange(6, 23):02d}:{rng.choice((0, 15, 30, 45)):02d}"
            if type_.endswith("datetime"):
                return f"{day}T{time}"
            if type_.endswith("date"):
                return day
            return time if rng.random() < 0.8 else rng.choice(PARTS_OF_DAY)
        names = names_in(state)
        words = [rng.choice(names if names and rng.random() < 0.5 else self._words) for _ in range(2)]
        return words[: rng.randint(1, 2)] if type_ == "texts" else words[0]


def names_in(value: Any) -> list[str]:
    """What people would call the things in a state or an answer: titles, names, ids; in its order."""
    found: dict[str, None] = {}
    for field, text in _strings(value):
        if field in NAMING or (field == "id" and _is_code(text)):
            found.setdefault(text)
    return list(found)


def _is_code(text: str) -> bool:
    """Whether people say it as it stands ("OPS-142"), as against an id that only the app knows ("e3")."""
    return text[:2].isalpha() and text[-1:].isdigit() and text == text.upper()


def _strings(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for field, inner in value.items():
            if isinstance(inner, str) and inner:
                yield field, inner
            elif isinstance(inner, (Mapping, list)):
                yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def shift(value: Any, days: int) -> Any:
    """A value whose days lie so many days later; anything else as it is."""
    if not isinstance(value, str) or len(value) < 10 or value[4:5] != "-":
        return value
    try:
        day = _date(value) + datetime.timedelta(days)
    except (ValueError, OverflowError):
        return value
    return day.isoformat() + value[10:]


def _date(moment: str) -> datetime.date:
    return datetime.date.fromisoformat(moment[:10])


def _argument(domain: Domain, tool: str, name: str) -> Argument | None:
    known = domain.tool(tool)
    return known.argument(name) if known else None


def _is_text(domain: Domain, tool: str, name: str) -> bool:
    argument = _argument(domain, tool, name)
    return argument is not None and argument.type in TEXT_TYPES
