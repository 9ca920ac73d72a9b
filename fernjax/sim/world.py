"""An app as the rest of fernjax sees it: its tools, its state, and `step`."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import pkgutil
import random
from collections.abc import Callable, Mapping
from typing import Any

from fernjax.sim.tools import Tool
from fernjax.sim.types import Call, Observation, UserError

State = dict[str, Any]
"""An app's whole state: plain JSON values. `step` never changes the one it is given."""


@dataclasses.dataclass(frozen=True)
class Domain:
    """One app.

    Attributes:
      name: its name, that of its module or package in `fernjax/sim/domains/`.
      description: one sentence.
      tools: what it can do, `out_of_scope` last.
      needs: per tool, the groups of arguments that it asks back for; a group is met by any one of its
        arguments.
      initial_state: `(rng, now) -> State`, a seeded state as an app would hold it.
      step: `(state, call) -> (state, observation)`; pure; never raises, whatever the call holds.
      grammar: the app's phrasing, in the language of `fernjax.sim.grammar`.
      keywords: a regular expression; a plain sentence without a match is none of the app's business.
      pools: names of values that only this app has, `{pool: (values, ...)}`.
      unhappy: statuses of its own by which it says that what was asked did not happen ("insufficient_funds").
      how_tos: whether questions how to do what it does are its business ("how do i order checks").
      shared: arguments that hold for both of two requests in one sentence where one of them says it ("remove
        eggs and add milk to my groceries"); `tool.argument` where one tool alone takes it over ("post it in
        releases and pin it").
      repeats: per tool, the argument that one request may say two values of ("close web-10 and web-11"): two
        calls that share the rest.
    """

    name: str
    description: str
    tools: tuple[Tool, ...]
    needs: Mapping[str, tuple[tuple[str, ...], ...]]
    initial_state: Callable[[random.Random, str], State]
    step: Callable[[State, Call], tuple[State, Observation]]
    grammar: str = ""
    keywords: str = r"(?!)"
    pools: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    unhappy: tuple[str, ...] = ()
    how_tos: bool = False
    shared: tuple[str, ...] = ()
    repeats: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def tool(self, name: str) -> Tool | None:
        return next((t for t in self.tools if t.name == name), None)

    def missing(self, call: Call) -> tuple[str, ...]:
        """First argument of each unmet need of a call."""
        groups = self.needs.get(call.name, ())
        return tuple(g[0] for g in groups if not any(a in call.arguments for a in g))


def domain_names() -> list[str]:
    """Names of all apps: the modules and packages of `fernjax/sim/domains/`."""
    import fernjax.sim.domains as package

    return sorted(m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_"))


def load_domain(name: str) -> Domain:
    """The app called `name`.

    Raises:
      UserError: where there is none of that name.
    """
    if name not in domain_names():
        raise UserError(f"no domain {name!r}; there are: {', '.join(domain_names())}")
    return importlib.import_module(f"fernjax.sim.domains.{name}").DOMAIN


def state_hash(state: State) -> str:
    """SHA-256 of a state's canonical JSON."""
    text = json.dumps(state, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
