"""What an answer to a sentence is worth, in [0, 1]: the right call, or the right outcome in a world."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from fernjax.sim import grade
from fernjax.sim.tools import TEXT_TYPES
from fernjax.sim.types import OUT_OF_SCOPE, Call, Observation, Scenario
from fernjax.sim.world import Domain, State
from fernjax.sim.worlds.changes import same
from fernjax.sim.worlds.episodes import NAMING

Asked = Sequence[tuple[Scenario, tuple[Call, ...]]]

Steps = Callable[[Sequence[tuple[State, Call]]], list[tuple[State, Observation]]]
"""Of a world: states and calls to states after them and answers."""


class ExactCall:
    """1 for the right calls, or for rightly abstaining, as the scorer sees it."""

    name = "call"

    def __call__(self, asked: Asked) -> list[float]:
        """The reward of each answer to its sentence."""
        return [float(grade.full(calls, scenario.row)) for scenario, calls in asked]


class RightOutcome:
    """1 where a world comes to the state, and gives the answers, that the gold calls lead to in that world.

    Nobody says there which call is right: a call that does the same is as good. Abstaining is worth 1 where
    the gold answer abstains, else 0.

    Args:
      name: of the world.
      domain: the app.
      steps: the world's.
    """

    def __init__(self, name: str, domain: Domain, steps: Steps) -> None:
        self.name = f"outcome in {name}"
        self._domain, self._steps = domain, steps

    def __call__(self, asked: Asked) -> list[float]:
        """The reward of each answer to its sentence."""
        states = [seeded_state(self._domain, scenario) for scenario, _ in asked]
        golds = [gold_calls(scenario) for scenario, _ in asked]
        wanted = self._run(states, golds)
        got = self._run(states, [calls for _, calls in asked])
        out = []
        for gold, (_, calls), want, have in zip(golds, asked, wanted, got, strict=True):
            if abstains(gold) or abstains(calls):
                out.append(float(abstains(gold) and abstains(calls)))
            else:
                alike = len(want[1]) == len(have[1]) and all(
                    a.status == b.status and same(a.data, b.data)
                    for a, b in zip(want[1], have[1], strict=True)
                )
                out.append(float(alike and same(want[0], have[0])))
        return out

    def _run(
        self, states: Sequence[State], calls: Sequence[Sequence[Call]]
    ) -> list[tuple[State, list[Observation]]]:
        """The state after the calls on each state, and their answers."""
        last = list(states)
        seen: list[list[Observation]] = [[] for _ in states]
        for k in range(max(map(len, calls), default=0)):
            these = [i for i, c in enumerate(calls) if len(c) > k and not abstains(c)]
            answers = self._steps([(last[i], calls[i][k]) for i in these]) if these else []
            for i, (state, answer) in zip(these, answers, strict=True):
                last[i] = state
                seen[i].append(answer)
        return list(zip(last, seen, strict=True))


def gold_calls(scenario: Scenario) -> tuple[Call, ...]:
    """The calls of a scenario's label, with the first of the right values."""
    return tuple(
        Call(name, {a: v[0] for a, v in arguments.items() if v[0] != ""})
        for call in scenario.row.calls
        for name, arguments in call.items()
    )


def abstains(calls: Sequence[Call]) -> bool:
    """Whether no tool is called."""
    return all(call.name == OUT_OF_SCOPE for call in calls)


def seeded_state(domain: Domain, scenario: Scenario) -> State:
    """A state of the app in which what a scenario's calls name is there; a function of the scenario's seed.

    In a state drawn blindly most calls of things that exist would find nothing, whatever they say.
    """
    rng = random.Random(f"{domain.name}/{scenario.seed}/seeded")
    state = domain.initial_state(rng, scenario.row.query.now)
    for call in gold_calls(scenario):
        tool = domain.tool(call.name)
        for argument in tool.arguments if tool else ():
            value = call.arguments.get(argument.name)
            if argument.type == "id" and isinstance(value, str):
                state = _plant(rng, state, value, ("id",))
            elif argument.type in TEXT_TYPES and not argument.new and isinstance(value, str):
                state = _plant(rng, state, value, NAMING)
    return state


def _plant(rng: random.Random, state: State, name: str, namings: Sequence[str]) -> State:
    """The state with one thing, of a collection drawn at random, called by a name; as it is where one is."""
    fields = [
        (field, naming)
        for field, records in state.items()
        if isinstance(records, list) and records and isinstance(records[0], dict)
        for naming in namings
        if isinstance(records[0].get(naming), str)
    ]
    if any(r.get(naming) == name for field, naming in fields for r in state[field]):
        return state
    if not fields:
        return state
    field, naming = rng.choice(fields)
    at = rng.randrange(len(state[field]))
    records = [{**r, naming: name} if i == at else r for i, r in enumerate(state[field])]
    return {**state, field: records}
