"""An app as a gymnasium environment: one episode is one request. Needs the `gym` extra.

    pip install -e .[gym]
    env = gymnasium.make("fernjax/calendar-v0")      # after `import fernjax.sim.gym`

An action is a call as JSON, `{"name": ..., "arguments": {...}}`; anything else is answered as the app answers
nonsense, and is wrong. Nothing else of fernjax imports this module.

Interface: M. Towers et al., "Gymnasium: A Standard Interface for Reinforcement Learning Environments" (2024).
"""

from __future__ import annotations

import json
import random
import string
from typing import Any

import gymnasium
from gymnasium import spaces

from fernjax.sim import grade
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.tools import Tool
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, Call, Query, Scenario
from fernjax.sim.world import Domain, State, domain_names, load_domain

MAX_CHARS = 100_000
"""Longest text that an observation or an action holds."""


class UnicodeText(spaces.Text):
    """Any text up to a length; it samples printable ASCII only."""

    def __init__(self, max_length: int = MAX_CHARS, seed: Any = None):
        super().__init__(max_length, min_length=0, charset=string.printable, seed=seed)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A short text: none longer than 200 characters is worth drawing."""
        length = int(self.np_random.integers(0, min(200, self.max_length) + 1))
        return "".join(self.np_random.choice(list(self.characters), size=length))


class AppEnv(gymnasium.Env[dict[str, Any], str]):
    """Requests to one app, drawn from its generator; the simulator answers, the label grades.

    An observation is `{"query": the sentence, "now": when it was said, "tools": what the app can do, as JSON,
    "answer": the app's answer to the last call, as JSON, "" at first}`. A step takes one call; the episode
    ends when as many were taken as the label has, or with `out_of_scope`. The reward is 1 at the end where
    the calls are right in full, else 0: an unhappy answer to a right call is no fault. `info` holds the
    scenario's `bucket`, `seed` and `status`, and, at the end, its `label`.

    Args:
      domain: an app or its name.
      recipe: what is drawn; every bucket alike where None.
      held_out: draw unseen values in `oov_values`.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  gymnasium's own form

    def __init__(self, domain: Domain | str, recipe: Recipe | None = None, held_out: bool = False):
        self.domain = load_domain(domain) if isinstance(domain, str) else domain
        self._recipe = recipe or Recipe(buckets=dict.fromkeys(BUCKETS, 1.0))
        self._held_out = held_out
        self._tools = _json([_shown(t) for t in self.domain.tools])
        self._scenario: Scenario | None = None
        self._state: State = {}
        self._calls: list[Call] = []
        texts: Any = {key: UnicodeText() for key in ("answer", "now", "query", "tools")}
        self.observation_space = spaces.Dict(texts)
        self.action_space = UnicodeText()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Draws a request and a state of the app; the same seed gives the same ones. No options."""
        super().reset(seed=seed)
        stream = int(self.np_random.integers(2**31))
        scenario = Generator(self.domain, self._recipe, stream, self._held_out).scenario(0)
        rng = random.Random(f"{self.domain.name}/{stream}/gym")
        self._state = self.domain.initial_state(rng, scenario.row.query.now)
        self._scenario, self._calls = scenario, []
        return self._observation(scenario.row.query, ""), self._info(scenario, "")

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Takes one call.

        Raises:
          RuntimeError: before the first `reset`, or after the end of an episode.
        """
        scenario = self._scenario
        if scenario is None:
            raise RuntimeError("the episode is over, or none has begun; call reset()")
        call = read_call(action)
        self._state, answer = self.domain.step(self._state, call)
        self._calls.append(call)
        row = scenario.row
        over = call.name == OUT_OF_SCOPE or len(self._calls) >= len(row.calls)
        reward = float(over and grade.full(self._calls, row))
        info = self._info(scenario, answer.status)
        if over:
            info["label"] = row.calls
            self._scenario = None
        return self._observation(row.query, _json(answer.to_json())), reward, over, False, info

    def _observation(self, query: Query, answer: str) -> dict[str, Any]:
        return {"answer": answer, "now": query.now, "query": query.text, "tools": self._tools}

    def _info(self, scenario: Scenario, status: str) -> dict[str, Any]:
        return {"bucket": scenario.bucket, "seed": scenario.seed, "status": status}


def read_call(action: str) -> Call:
    """The call that a JSON text holds; one of no tool, `Call("", {})`, where it holds none."""
    try:
        value = json.loads(action)
    except (ValueError, RecursionError):
        return Call("", {})
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return Call("", {})
    arguments = value.get("arguments", {})
    return Call(value["name"], arguments if isinstance(arguments, dict) else {})


def _shown(tool: Tool) -> dict[str, Any]:
    arguments = [{"name": a.name, "type": a.type, "description": a.description} for a in tool.arguments]
    return {"name": tool.name, "description": tool.description, "arguments": arguments}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


for _name in domain_names():
    gymnasium.register(f"fernjax/{_name}-v0", entry_point="fernjax.sim.gym:AppEnv", kwargs={"domain": _name})
