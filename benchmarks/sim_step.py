"""Steps a second of the apps' simulators, on one core, on the generator's right calls in seeded states.

    python benchmarks/sim_step.py [--domain=calendar] [--count=3000] [--seed=0]

Every app, or the one named. Each sentence's calls are taken in a state of their own, seeded at the moment
when the sentence was said, and then once more from the same state: the first step in a new state also indexes
its names (`first_steps_per_s`), the later ones of an episode find them there (`steps_per_s`). The copies that
a step makes of what it changes are part of its time; seeding and drawing are not. Time is the process's own,
so that a busy machine does not count. The last line is one JSON object: per app both figures, the second one
per tool as well, what the app answered, and the microseconds that a state takes to seed; and the medians over
the apps.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import statistics
import time
from typing import Any

from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Call, Label
from fernjax.sim.world import Domain, domain_names, load_domain

Counts = collections.Counter[str]
RECIPE = Recipe(
    {
        "in_distribution": 0.5,
        "oov_values": 0.1,
        "multi_constraint": 0.2,
        "error_inducing": 0.1,
        "multi_call": 0.1,
    }
)


def main() -> None:
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--domain", default="", help="one app; all where it is not given")
    flags.add_argument("--count", type=int, default=3000, help="sentences an app")
    flags.add_argument("--seed", type=int, default=0)
    args = flags.parse_args()
    apps = {}
    for name in [args.domain] if args.domain else domain_names():
        domain = load_domain(name)
        if not domain.grammar:
            continue
        apps[name] = measure(domain, args.count, args.seed)
        print(name, apps[name]["steps_per_s"], apps[name]["first_steps_per_s"])
    result = {
        "benchmark": "sim_step",
        "seed": args.seed,
        **{
            f"median_{figure}": round(statistics.median(app[figure] for app in apps.values()))
            for figure in ("steps_per_s", "first_steps_per_s")
        },
        "apps": apps,
    }
    print(json.dumps(result))


def measure(domain: Domain, count: int, seed: int) -> dict[str, Any]:
    """The figures of one app, over the calls of `count` sentences."""
    generator = Generator(domain, RECIPE, seed)
    rng = random.Random(f"{domain.name}/{seed}/sim_step")
    rows = [generator.scenario(i).row for i in range(count)]
    began = time.process_time()
    states = [domain.initial_state(rng, row.query.now) for row in rows]
    seeded_s = time.process_time() - began
    spent: tuple[Counts, Counts] = collections.Counter(), collections.Counter()
    steps: Counts = collections.Counter()
    statuses: Counts = collections.Counter()
    for row, fresh in zip(rows, states, strict=True):
        calls = gold_calls(row.calls)
        for spent_here in spent:
            state = fresh
            for call in calls:
                began_ns = time.process_time_ns()
                state, observation = domain.step(state, call)
                spent_here[call.name] += time.process_time_ns() - began_ns
                statuses[observation.status] += 1
        steps.update(call.name for call in calls)
    first, later = spent
    return {
        "steps": steps.total(),
        "steps_per_s": round(steps.total() / later.total() * 1e9),
        "first_steps_per_s": round(steps.total() / first.total() * 1e9),
        "steps_per_s_by_tool": {t: round(steps[t] / later[t] * 1e9) for t in sorted(steps)},
        "statuses": {status: n // 2 for status, n in statuses.most_common()},
        "initial_state_us": round(seeded_s / count * 1e6, 1),
    }


def gold_calls(label: Label) -> list[Call]:
    """The calls of a label, each argument with the first of its right values."""
    return [
        Call(tool, {a: values[0] for a, values in arguments.items() if values[0] != ""})
        for call in label
        for tool, arguments in call.items()
    ]


if __name__ == "__main__":
    main()
