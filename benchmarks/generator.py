"""Scenarios a second on one core, and how varied they are.

    python benchmarks/generator.py [--domain=calendar] [--count=30000] [--seed=0]

The last line is one JSON object: `scenarios_per_s` (process time, checks included), `start_s` (the
first two thousand, in which the grammars of the other apps are read too; they are not part of the former),
`skeletons` (distinct, of `count`; what people wrote has none), `dropped` by reason, and the share dropped.
"""

import argparse
import json
import time

from fernjax.loop.settings import load_config
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.world import load_domain

START = 2_000


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--domain", default="calendar")
    flags.add_argument("--count", type=int, default=30_000)
    flags.add_argument("--seed", type=int, default=0)
    args = flags.parse_args()
    recipe = Recipe.from_config(load_config("configs/base.py", {}).recipe)
    generator = Generator(load_domain(args.domain), recipe, args.seed)
    start = time.process_time()
    for index in range(START):
        generator.scenario(index)
    skeletons = set()
    began = time.process_time()
    for index in range(START, START + args.count):
        skeletons.add(generator.scenario(index).skeleton)
    skeletons.discard("")
    took_s = time.process_time() - began
    print(
        json.dumps(
            {
                "domain": args.domain,
                "count": args.count,
                "scenarios_per_s": round(args.count / took_s),
                "start_s": round(began - start, 2),
                "skeletons": len(skeletons),
                "dropped": dict(generator.dropped),
                "dropped_share": round(sum(generator.dropped.values()) / generator.sampled, 4),
            }
        )
    )


if __name__ == "__main__":
    main()
