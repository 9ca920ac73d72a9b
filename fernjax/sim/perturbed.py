"""An app, or whatever stands for one, that now and then does not do what it would.

What goes wrong is drawn by a `Schedule`, a pure function of its seed, the turn and the tool, and is part of
the state: an episode's log says which answers were disturbed, and by what.

  unavailable        nothing is done; trying again may help
  rate_limited       nothing is done; the answer says for how long
  permission_denied  nothing is done, and the tool stays denied for the episode
  slow               it is done, and the answer does not come: who tries again may do it twice
  stale_read         a tool that reads answers from the state before the last change
  partial_page       a list comes in pages: the same call again shows the next

After the controlled simulation of Qwen-AgentWorld (Y. Zuo et al., arXiv 2606.24597).
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Collection, Mapping
from typing import Any

from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State

KINDS = ("unavailable", "rate_limited", "permission_denied", "slow", "stale_read", "partial_page")

PAGE = 2
"""Members of a list that a page shows."""

WAITS_S = (5, 30, 60)

Step = Callable[[State, Call], tuple[State, Observation]]


@dataclasses.dataclass(frozen=True)
class Schedule:
    """What disturbs which turn.

    Attributes:
      seed: of the draws.
      rates: by kind, the chance that it disturbs a call; together at most 1. A kind that cannot disturb the
        call that is made leaves it alone.
      tools: by tool, a factor of all rates, 1 where it is not named: to disturb what an agent handles worst.
    """

    seed: int
    rates: Mapping[str, float]
    tools: Mapping[str, float] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuses what is no schedule.

        Raises:
          ValueError: an unknown kind, or rates that are no chances.
        """
        if unknown := sorted(self.rates.keys() - set(KINDS)):
            raise ValueError(f"no perturbation {unknown[0]!r}; there are: {', '.join(KINDS)}")
        total = sum(self.rates.values())
        if min(self.rates.values(), default=0.0) < 0 or total > 1 + 1e-9:
            raise ValueError(f"rates {dict(self.rates)} are no chances; none below 0, together at most 1")

    def draw(self, turn: int, tool: str) -> str:
        """The kind that disturbs a call of a tool at a turn, "" for none."""
        roll = random.Random(f"perturbed:{self.seed}:{turn}").random()
        factor = self.tools.get(tool, 1.0)
        for kind in KINDS:
            roll -= min(1.0, self.rates.get(kind, 0.0) * factor)
            if roll < 0:
                return kind
        return ""


class Perturbed:
    """A step behind a schedule, as pure as the step.

    State: `{"app": the app's own state, "before": that before the last change, "turn": calls so far,
    "denied": [tool], "pages": {call: members shown}, "log": [kind or ""]}`, JSON where the app's own is.

    Args:
      step: of the app, or of what stands for one.
      reads: names of the tools that only read.
      schedule: what goes wrong, and when.
    """

    def __init__(self, step: Step, reads: Collection[str], schedule: Schedule) -> None:
        self._step, self._reads, self._schedule = step, frozenset(reads), schedule

    def initial_state(self, state: State) -> State:
        """The app's first state, before any call."""
        return {"app": state, "before": state, "turn": 0, "denied": [], "pages": {}, "log": []}

    def step(self, state: State, call: Call) -> tuple[State, Observation]:
        """The state after a call, and what is answered. Never raises where the app's step does not."""
        kind = self._kind(state, call)
        if kind in _REFUSALS:
            new = _logged(state, kind)
            if kind == "permission_denied" and call.name not in state["denied"]:
                new["denied"] = [*state["denied"], call.name]
            wait = random.Random(f"wait:{self._schedule.seed}:{state['turn']}").choice(WAITS_S)
            return new, Observation(*_REFUSALS[kind](call, wait))
        source = state["before"] if kind == "stale_read" else state["app"]
        after, seen = self._step(source, call)
        if kind == "stale_read":
            return _logged(state, kind), seen
        if kind == "slow":
            return self._moved(_logged(state, kind), after), Observation("timeout", {"tool": call.name})
        key = repr(call)
        if kind == "partial_page" or state["pages"].get(key):
            seen, shown = _page(seen, state["pages"].get(key, 0))
            kind = "partial_page" if shown is not None else ""
            new = self._moved(_logged(state, kind), after)
            new["pages"] = {**state["pages"], key: shown or 0}
            return new, seen
        return self._moved(_logged(state, ""), after), seen

    def _kind(self, state: State, call: Call) -> str:
        if not isinstance(getattr(call, "name", None), str):
            return ""  # no call: that is the app's to say
        if call.name in state["denied"]:
            return "permission_denied"
        kind = self._schedule.draw(state["turn"], call.name)
        if kind in ("stale_read", "partial_page") and call.name not in self._reads:
            return ""
        return kind

    def _moved(self, state: State, after: State) -> State:
        """The state with another state of the app; where that changed, no list goes on where it was."""
        if after is state["app"] or after == state["app"]:
            return state
        return {**state, "app": after, "before": state["app"], "pages": {}}


_REFUSALS: dict[str, Callable[[Call, int], tuple[str, dict[str, Any]]]] = {
    "unavailable": lambda call, wait: ("unavailable", {"tool": call.name}),
    "rate_limited": lambda call, wait: ("rate_limited", {"tool": call.name, "retry_after_s": wait}),
    "permission_denied": lambda call, wait: ("permission_denied", {"tool": call.name}),
}


def _logged(state: State, kind: str) -> State:
    return {**state, "turn": state["turn"] + 1, "log": [*state["log"], kind]}


def _page(seen: Observation, start: int) -> tuple[Observation, int | None]:
    """A page of the longest list of an answer, and how many members have been shown; None where it fits."""
    lists = {k: v for k, v in seen.data.items() if isinstance(v, list) and len(v) > PAGE}
    if not lists:
        return seen, None
    name = max(lists, key=lambda k: len(lists[k]))
    whole, stop = lists[name], start + PAGE
    left = max(0, len(whole) - stop)
    data = {**seen.data, name: whole[start:stop], "more": left}
    return Observation(seen.status, data), stop if left else 0
