"""What a world's answer is worth, by written rules against the simulator's.

The five dimensions of AgentWorldBench (Y. Zuo et al., "Qwen-AgentWorld", arXiv 2606.24597), which has a judge
give 1 to 5 for each; here each is counted:

  format       can be read, and has the fields that the true answer has
  factuality   the fields that do not merely echo the call have their true values
  consistency  what it shows of the state is there, and what it says it did is done: the state after it
  realism      the status is the true one; half for one that the app gives to this tool
  quality      all of it, echoes too: status, fields and state

A share x of what is counted is 1 + 4 x; an answer that cannot be read has 1 in all. Reported as
(raw - 1) / 4 * 100.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Set
from typing import Any

from fernjax.sim.types import Call, Observation
from fernjax.sim.world import State
from fernjax.sim.worlds.changes import diff, same
from fernjax.sim.worlds.language import UNREADABLE

DIMENSIONS = ("format", "factuality", "consistency", "realism", "quality")


@dataclasses.dataclass(frozen=True)
class Marks:
    """One answer, judged.

    Attributes:
      shares: by dimension, what is right of what is counted, in [0, 1].
      status: whether the status is the true one.
      fields: right, and all, of the fields that do not echo the call, those that should not be there too.
      state: whether the state after it is the true one.
    """

    shares: Mapping[str, float]
    status: bool
    fields: tuple[int, int]
    state: bool

    @property
    def exact(self) -> bool:
        """Whether all that does not echo the call is right."""
        return self.status and self.state and self.fields[0] == self.fields[1]

    @property
    def rubric(self) -> float:
        """Mean over the dimensions, in [0, 1]: (raw - 1) / 4."""
        return sum(self.shares.values()) / len(DIMENSIONS)


def judge(
    state: State,
    call: Call,
    true: tuple[State, Observation],
    said: tuple[State, Observation],
    known: Set[str],
) -> Marks:
    """What an answer is worth.

    Args:
      state: before the call.
      call: the call.
      true, said: state after it and observation, of the simulator and of the world that is judged.
      known: statuses that the app gives to the tool.
    """
    after, seen = said
    if seen.status == UNREADABLE.status:
        wanted = _count(call, true[1].data, {})
        return Marks(dict.fromkeys(DIMENSIONS, 0.0), False, (0, wanted[1]), False)
    status = seen.status == true[1].status
    fields = _count(call, true[1].data, seen.data)
    every = _count(None, true[1].data, seen.data)
    done = _changes(state, true[0]), _changes(state, after)
    names = set(true[1].data), set(seen.data)
    right = {
        "format": _overlap(*names),
        "factuality": fields[0] / fields[1] if fields[1] else 1.0,
        "consistency": _overlap(*done),
        "realism": 1.0 if status else 0.5 if seen.status in known else 0.0,
    }
    whole = (every[0] + status + (done[0] == done[1])) / (every[1] + 2)
    return Marks({**right, "quality": whole}, status, fields, done[0] == done[1])


def _count(call: Call | None, true: Any, said: Any) -> tuple[int, int]:
    """Right, and all, of the leaves of two answers; without those that echo the call, where there is one."""
    trues, saids = dict(_leaves(true)), dict(_leaves(said))
    echoes = list(call.arguments.values()) if call is not None else []
    right = total = 0
    for path in trues.keys() | saids.keys():
        if path in trues and any(same(trues[path], e) for e in echoes if e not in ("", [], {})):
            continue
        total += 1
        right += path in trues and path in saids and _alike(trues[path], saids[path])
    return right, total


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, (dict, list)) and value:
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for name, v in inner:
            yield from _leaves(v, (*path, name))
    elif path:
        yield path, value


def _changes(before: State, after: State) -> set[str]:
    return {repr(change).casefold() for change in diff(before, after)}


def _overlap(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 1.0


def _alike(a: Any, b: Any) -> bool:
    """Equal, but for the case of text, which the model does not write."""
    if isinstance(a, str) and isinstance(b, str):
        return a.casefold().strip() == b.casefold().strip()
    return same(a, b)
