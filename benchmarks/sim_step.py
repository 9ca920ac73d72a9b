"""Steps a second of an app's simulator, on one core, on plausible calls in seeded states.

    python benchmarks/sim_step.py [--domain=calendar] [--steps=100000] [--seed=0]

Time is the process's own, so that a busy machine does not count. The last line is one JSON object: steps per
second overall and per tool, and microseconds to seed a state.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import time
from typing import Any

from fernjax.sim.arguments import CLOCK_TEXT
from fernjax.sim.pools import pool
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.tools import PARTS_OF_DAY, Argument
from fernjax.sim.types import OUT_OF_SCOPE, Call
from fernjax.sim.world import Domain, State, load_domain

NOW = "2026-03-04T09:30:00"
CALLS_PER_STATE = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--domain", default="calendar")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    domain = load_domain(args.domain)
    rng = random.Random(args.seed)
    states = [domain.initial_state(rng, NOW) for _ in range(50)]
    started = time.process_time()
    for _ in range(500):
        domain.initial_state(rng, NOW)
    seed_us = (time.process_time() - started) / 500 * 1e6
    spent: collections.Counter[str] = collections.Counter()
    steps: collections.Counter[str] = collections.Counter()
    statuses: collections.Counter[str] = collections.Counter()
    while steps.total() < args.steps:
        state = rng.choice(states)
        calls = [plausible_call(domain, state, rng) for _ in range(CALLS_PER_STATE)]
        for call in calls:
            started = time.process_time()
            state, observation = domain.step(state, call)
            spent[call.name] += time.process_time() - started
            steps[call.name] += 1
            statuses[observation.status] += 1
    result = {
        "benchmark": "sim_step",
        "domain": args.domain,
        "steps": steps.total(),
        "steps_per_s": round(steps.total() / spent.total()),
        "steps_per_s_by_tool": {t: round(steps[t] / spent[t]) for t in sorted(steps)},
        "statuses": dict(statuses.most_common()),
        "initial_state_us": round(seed_us, 1),
        "seed": args.seed,
    }
    print(json.dumps(result))


def plausible_call(domain: Domain, state: State, rng: random.Random) -> Call:
    """A call as a model makes it: well-formed, with what the tool needs, mostly about what is there."""
    tool = rng.choice([t for t in domain.tools if t.name != OUT_OF_SCOPE])
    wanted = {rng.choice(group) for group in domain.needs.get(tool.name, ())}
    wanted |= {a.name for a in tool.arguments if rng.random() < 0.12}
    arguments = {a.name: _value(a, state, rng) for a in tool.arguments if a.name in wanted}
    dates = sorted(a for a in ("date", "end_date") if a in arguments)
    for name, value in zip(dates, sorted(arguments[d] for d in dates), strict=True):
        arguments[name] = value
    return Call(tool.name, arguments)


def _value(argument: Argument, state: State, rng: random.Random) -> Any:
    if argument.type in ("choice", "recurrence"):
        return rng.choice(argument.choices)
    if argument.type in ("date", "end_date"):
        return iso_date((ordinal(state["now"][:10]) or 0) + rng.randrange(0, 21))
    if argument.type in ("time", "end_time"):
        return rng.choice(PARTS_OF_DAY) if rng.random() < 0.2 else CLOCK_TEXT[rng.randrange(16, 44) * 30]
    if argument.type in ("minutes", "number"):
        return rng.choice((15, 30, 45, 60, 90))
    if argument.type == "texts":
        return [rng.choice(pool("first_names"))]
    items = [i for group in state.values() if isinstance(group, list) for i in group]
    if items and not argument.new and argument.name != "title" and rng.random() < 0.7:
        return rng.choice(items)["title"]
    return rng.choice(pool("event_nouns"))


if __name__ == "__main__":
    main()
