"""How long a trained model takes on the CPU: one sentence, and sentences in batches.

    python benchmarks/predict.py runs/calendar-quick [--count=640] [--seed=0]

Fresh sentences that the run's first recipe makes go through the champion of the run's first seed as `predict`
does it: extract the mentions, encode, the compiled model, decode and resolve. Every shape is compiled before
a clock is read. Wall clock: run it on an idle machine; the load is in the result.

The last line is one JSON object: `latency_ms` of one sentence alone (`median`, `p95`, and
`median_extract_encode`, the part before the model), `throughput_per_s` in batches of `batch_size`, and what
was measured.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"  # read when JAX is imported, below

from fernjax.loop.workdir import SHIPPED, existing_workdir
from fernjax.model.devices import enable_compilation_cache
from fernjax.model.predictor import Predictor
from fernjax.model.transformer import count_params
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Query
from fernjax.sim.world import load_domain

STREAM = 8_000_000
"""Seed of the sentences: no training and no evaluation of the loop draws from it."""

BATCH_SIZE = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workdir", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=640)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.count < BATCH_SIZE:
        parser.error(f"--count={args.count}: give at least {BATCH_SIZE}")
    enable_compilation_cache()
    work = existing_workdir(args.workdir)
    config = work.config()
    predictor = Predictor.load(work.champion() / "checkpoints" / f"seed{config.seeds[0]}" / SHIPPED)
    predictor.batch_size = BATCH_SIZE
    generator = Generator(
        load_domain(config.domain), Recipe.of_run(config), STREAM + args.seed, held_out=True
    )
    # Four stretches: none of what is timed has been seen by a cache of words or of mentions.
    queries = [generator.scenario(i).row.query for i in range(4 * args.count)]
    warm, alone, read, together = (queries[i::4] for i in range(4))
    for query in warm:  # compiles
        predictor.predict([query])
    for batch in in_batches(warm):
        predictor.predict(batch)
    result = {
        "benchmark": "predict",
        "domain": config.domain,
        "parameters": count_params(predictor.params),
        "sentences": args.count,
        "seed": args.seed,
        "latency_ms": measure_latency(predictor, alone, read),
        "batch_size": BATCH_SIZE,
        "throughput_per_s": measure_throughput(predictor, in_batches(together)),
        "cores": os.cpu_count(),
        "load": [round(x, 2) for x in os.getloadavg()],
    }
    print(json.dumps(result))


def in_batches(queries: list[Query]) -> list[list[Query]]:
    """Whole batches, one after the other; what is left over is left out."""
    starts = range(0, len(queries) - BATCH_SIZE + 1, BATCH_SIZE)
    return [queries[i : i + BATCH_SIZE] for i in starts]


def measure_latency(predictor: Predictor, alone: list[Query], read: list[Query]) -> dict[str, float]:
    """Milliseconds of one sentence alone: median, 95th percentile, and the median before the model."""
    whole = [_time_ms(lambda q=query: predictor.predict([q])) for query in alone]
    before = [_time_ms(lambda q=query: predictor.encode(q)) for query in read]
    return {
        "median": round(statistics.median(whole), 2),
        "p95": round(statistics.quantiles(whole, n=20)[-1], 2),
        "median_extract_encode": round(statistics.median(before), 2),
    }


def measure_throughput(predictor: Predictor, batches: list[list[Query]]) -> float:
    """Sentences a second over all batches."""
    spent_ms = sum(_time_ms(lambda b=batch: predictor.predict(b)) for batch in batches)
    return round(1000 * sum(map(len, batches)) / spent_ms, 1)


def _time_ms(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


if __name__ == "__main__":
    main()
