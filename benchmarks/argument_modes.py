"""What the argument modes are worth where it matters: sentences with two mentions of one kind.

    python benchmarks/argument_modes.py runs/modes/point runs/modes/fill runs/modes/write [--count=1000]

Each workdir is a run of one config that differs in `argument_mode` only. All of them answer the
same fresh generated sentences in which two arguments take mentions of one kind (moves, swaps, corrections,
two requests), and the real gate sentences that hold two such mentions. The last line is one JSON object:
per workdir, full call with its 95% interval over sentences and seeds, and n.
"""

import argparse
import json
import pathlib

from fernjax.loop.intervals import scores_json
from fernjax.model.predictor import Predictor
from fernjax.sim.grade import verdicts
from fernjax.sim.mentions import extract
from fernjax.sim.real import KINDS, load_real
from fernjax.sim.recipe import Recipe
from fernjax.sim.resolve import LIKELY, kinds_of, likely
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Mention, Row
from fernjax.sim.world import Domain, load_domain

STREAM = 7_000_000
"""Seed of the sentences: no training and no evaluation of the loop draws from it."""


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("workdirs", nargs="+", type=pathlib.Path)
    flags.add_argument("--count", type=int, default=1000)
    args = flags.parse_args()
    first = json.loads((args.workdirs[0] / "config.json").read_text())
    domain = load_domain(first["domain"])
    rows = {
        "generated": generated(domain, Recipe.from_json(first["recipe"]), args.count),
    }
    for kind in KINDS:
        real = load_real(domain.name, "gate", kind)
        rows[f"gate/{kind}"] = [r for r in real if is_double(domain, real_mentions(domain, r))]
    out = {}
    for workdir in args.workdirs:
        config = json.loads((workdir / "config.json").read_text())
        models = [load(workdir, seed) for seed in config["seeds"]]
        out[str(workdir)] = {"argument_mode": config["argument_mode"]} | {
            name: summary([verdicts(m.predict([r.query for r in some]), some) for m in models])
            for name, some in rows.items()
        }
        print(json.dumps({str(workdir): out[str(workdir)]}, indent=1))
    print(json.dumps(out))


def load(workdir: pathlib.Path, seed: int) -> Predictor:
    return Predictor.load(workdir / "champion" / "checkpoints" / f"seed{seed}" / "shipped")


def summary(judged: list) -> dict:
    scores = scores_json(judged)
    return {key: scores[key] for key in ("n", "full", "full_ci")}


def generated(domain: Domain, recipe: Recipe, count: int) -> list[Row]:
    """Fresh sentences in which two arguments of one call take mentions of one kind."""
    generator = Generator(domain, recipe, STREAM, held_out=True)
    rows: list[Row] = []
    index = 0
    while len(rows) < count:
        made = generator.scenario(index)
        index += 1
        used = [
            m
            for m in made.mentions
            if any(s.span and m.start < s.span[1] and s.span[0] < m.end for s in made.slots)
        ]
        if is_double(domain, used):
            rows.append(made.row)
    return rows


def real_mentions(domain: Domain, row: Row) -> list[Mention]:
    """Those of the kinds that the app's arguments take, as the model is shown them."""
    return extract(row.query.text, row.query.now, kinds_of(domain.tools))


def is_double(domain: Domain, mentions: list[Mention]) -> bool:
    """Whether two mentions could go to the same argument of a tool of the app."""
    return any(
        sum(m.kind in likely(argument, tool) for m in mentions) > 1
        for tool in domain.tools
        for argument in tool.arguments
        if argument.type in LIKELY and not argument.type.startswith("end_")
    )


if __name__ == "__main__":
    main()
