"""Scenarios a second on one core, and how varied they are.

    python benchmarks/generator.py [--domain=calendar] [--count=30000] [--seed=0]

The last line is one JSON object: `scenarios_per_s` (wall clock, drawing and checks included, the first
hundred left out), `skeletons` (distinct, of `count`; what people wrote has none), `dropped` by reason, and
the share dropped.
"""

import argparse
import json
import time

from fernjax.loop.settings import load_config
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.world import load_domain


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--domain", default="calendar")
    flags.add_argument("--count", type=int, default=30_000)
    flags.add_argument("--seed", type=int, default=0)
    args = flags.parse_args()
    recipe = Recipe.from_config(load_config("configs/base.py", {}).recipe)
    generator = Generator(load_domain(args.domain), recipe, args.seed)
    for index in range(100):
        generator.scenario(index)
    skeletons = set()
    began = time.perf_counter()
    for index in range(100, 100 + args.count):
        skeletons.add(generator.scenario(index).skeleton)
    skeletons.discard("")
    wall_s = time.perf_counter() - began
    print(
        json.dumps(
            {
                "domain": args.domain,
                "count": args.count,
                "scenarios_per_s": round(args.count / wall_s),
                "skeletons": len(skeletons),
                "dropped": dict(generator.dropped),
                "dropped_share": round(sum(generator.dropped.values()) / generator.sampled, 4),
            }
        )
    )


if __name__ == "__main__":
    main()
