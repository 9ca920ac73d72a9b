"""Whether the data keeps up with the training step.

    python benchmarks/pipeline.py [--models=sprout,bud] [--rounds=5] [--steps=96]

Sentences a second of each stage: `generator` (one worker draws, checks and encodes), `packing` (a block is
sorted by length and collated), `transfer` (a batch is put on the device), and `step` (the config's own
training step on the same batches). Stages and step are measured in turns in one process, medians over the
rounds. `X_generator_vs_step` and so on are ratios of sentences a second: above 1 the stage is faster than the
step. In a training the workers and the step share the cores; so a short one is run as the loop runs it, in a
folder that is thrown away, and `X_wait_share` is the share of its time, from the second block of the stream
to the last step, that it spends in the stream's iterator. That is at most what it loses: a step may still be
in flight meanwhile. `X_first_wait_s` is how long the first batch takes, the start of the workers included.

`X_padding_share` is the share of a block's tokens that are padding, once its sentences are sorted by length
and cut into batches of a few padded lengths. Packing several sentences into a row, with a mask that keeps
them apart, could spare no more than that of the step's work, and would add to the attention's. Packed is only
what has no end of its own, the texts of a pretraining.

The ratios and shares stand there once more without a name, for the first model. The last line is one JSON
object.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from typing import Any
from unittest import mock

os.environ["JAX_PLATFORMS"] = "cpu"  # read when JAX is imported, below

import jax
from train_step import MODELS, make_plan, our_step, race

from fernjax.loop.settings import load_config
from fernjax.model import devices, trainer
from fernjax.model.stream import BLOCK_BATCHES, Batch, Source, Stream, make_block

STAGES = ("generator", "packing", "transfer")


def main() -> None:
    args = parse_flags()
    devices.enable_compilation_cache()
    result: dict[str, Any] = {"benchmark": "pipeline", "rounds": args.rounds, "steps": args.steps}
    names = args.models.split(",")
    for name in names:
        plan = make_plan(load_config(MODELS[name], {}))
        figures = measure_stages(plan, args.rounds) | measure_waiting(plan, args.steps)
        result |= {f"{name}_{key}": value for key, value in figures.items()}
        if name == names[0]:
            result |= {k: v for k, v in figures.items() if k.endswith(("_vs_step", "_share"))}
    result |= {"cores": os.cpu_count(), "load": [round(x, 2) for x in os.getloadavg()]}
    print(json.dumps(result))


def parse_flags() -> argparse.Namespace:
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--models", default="sprout,bud")
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--steps", type=int, default=6 * BLOCK_BATCHES, help="of the short training")
    args = flags.parse_args()
    if not set(args.models.split(",")) <= MODELS.keys():
        flags.error(f"--models={args.models}; there are: {', '.join(MODELS)}")
    if args.steps < BLOCK_BATCHES + 2:
        flags.error(f"--steps={args.steps}: give at least {BLOCK_BATCHES + 2}, the first block is left out")
    return args


class Given:
    """A source whose sentences are made already: what is left of a block is its packing."""

    def __init__(self, source: Source, examples: list[dict[str, Any]]) -> None:
        self.seed, self.length, self.collate = source.seed, source.length, source.collate
        self._examples = examples

    def examples(self, start: int, stop: int) -> tuple[list[dict[str, Any]], Any]:
        return self._examples, None


def measure_stages(plan: trainer.Plan, rounds: int) -> dict[str, Any]:
    """Sentences a second of each stage and of the step, over a block, and the ratios."""
    size = BLOCK_BATCHES * plan.batch_size
    starts = iter(range(0, (2 * rounds + 2) * size, size))  # no sentence twice

    def generate() -> list[dict[str, Any]]:
        start = next(starts)
        return plan.source.examples(start, start + size)[0]

    given: Any = Given(plan.source, generate())
    batches = make_block(given, 0, plan.batch_size).batches
    sharding = devices.batch_sharding(devices.make_mesh())
    times = race(
        {
            "generator": generate,
            "packing": lambda: make_block(given, 0, plan.batch_size),
            "transfer": lambda: [jax.block_until_ready(jax.device_put(b, sharding)) for b in batches],
            "step": our_step(plan, batches),
        },
        rounds,
        1,
    )
    rates = {name: size / statistics.median(t) for name, t in times.items()}
    out: dict[str, Any] = {f"{name}_vs_step": round(rates[name] / rates["step"], 2) for name in STAGES}
    sizes = [b["ids"].size for b in batches]
    out["padding_share"] = round(1 - sum(int((b["ids"] != 0).sum()) for b in batches) / sum(sizes), 4)
    return out | {"examples_per_s": {name: round(rate) for name, rate in rates.items()}}


class TimedStream(Stream):
    """A stream that writes down when each batch was asked for and when it came."""

    asked: list[float] = []
    came: list[float] = []

    def __iter__(self) -> Iterator[Batch]:
        batches = super().__iter__()
        while True:
            self.asked.append(time.perf_counter())
            batch = next(batches, None)
            self.came.append(time.perf_counter())
            if batch is None:
                return
            yield batch


def measure_waiting(plan: trainer.Plan, steps: int) -> dict[str, float]:
    """How much of a training's time goes into its stream; every shape has been compiled before."""
    schedule = dataclasses.replace(plan.schedule, total_steps=steps)
    plan = dataclasses.replace(plan, schedule=schedule, save_every_steps=steps)
    TimedStream.asked, TimedStream.came = [], []
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(trainer, "Stream", TimedStream):
        trainer.run(plan, folder)
    asked, came = TimedStream.asked, TimedStream.came
    waits = [b - a for a, b in zip(asked, came, strict=True)]
    # From the second block on, without the last step, behind which all is saved.
    spent = asked[steps - 1] - asked[BLOCK_BATCHES]
    return {
        "wait_share": round(sum(waits[BLOCK_BATCHES : steps - 1]) / spent, 4),
        "first_wait_s": round(waits[0], 2),
    }


if __name__ == "__main__":
    main()
