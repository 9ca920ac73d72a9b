"""How long an answer takes, against a language model in PyTorch that writes the answer as text.

    python benchmarks/decode.py [--models=sprout,bud] [--count=300] [--new_tokens=25] [--no_torch]
    python benchmarks/decode.py --workdir=runs/calendar-quick

Ours goes from the text to the calls: extract the mentions, encode, one compiled pass, decode, resolve. Its
weights are random, on which the time does not depend, or with `--workdir` those of a run's champion.
PyTorch's model has the same shape (`torch_bud`), reads the sentence as text and takes the likeliest token
`--new_tokens` times, in float32, with or without a cache of keys and values; reading the text and turning
the tokens into text is part of its time, parsing them is not. The gold calls as JSON have more tokens
(`gold_tokens`, their median), so 25 favour it. It needs PyTorch (`pip install -e .[bench]`) unless
`--no_torch` is given; the answers with and without its cache are checked to be the same.

Everything that is compared runs in one process, in turns, in every round in another order; shapes are
compiled and libraries warm before a clock is read, and no sentence comes twice for ours.

X_single_p50_ms, X_single_p99_ms     one sentence alone, `--count` of them
X_batch_64_per_s, X_batch_512_per_s  sentences a second where `predict` is given so many
X_single_vs_torch_no_cache           speed of ours over PyTorch's, both one by one, medians; and ..._cache
X_batched_vs_one_by_one_no_cache     512 at once by ours, one by one without a cache by PyTorch; and ..._cache
X_batched_vs_torch_cache             512 at once by ours, 64 at once with a cache by PyTorch

The last three stand there once more without a name, for the first model. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import sys
import time
from types import ModuleType
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"  # read when JAX is imported, below

from train_step import MODELS, Step, gold_calls, import_torch_bud, race, random_params

from fernjax.loop.settings import load_config
from fernjax.loop.workdir import SHIPPED, existing_workdir
from fernjax.model import heads
from fernjax.model.calibration import Calibration
from fernjax.model.codec import LENGTHS
from fernjax.model.devices import enable_compilation_cache
from fernjax.model.predictor import Predictor
from fernjax.model.spec import Spec
from fernjax.model.tokenizer import BEGIN, Tokenizer, load_tokenizer
from fernjax.model.transformer import ModelConfig
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Query
from fernjax.sim.world import load_domain

STREAM = 9_000_000
"""Seed of the sentences: no training and no evaluation of the loop draws from it."""

TORCH_BATCH = 64
SINGLES = 4  # sentences one by one, a turn
RATIOS = ("batched_vs_one_by_one_no_cache", "batched_vs_one_by_one_cache", "batched_vs_torch_cache")


def main() -> None:
    args = parse_flags()
    torch_bud = None if args.no_torch else import_torch_bud()
    enable_compilation_cache()
    result: dict[str, Any] = {"benchmark": "decode", "new_tokens": args.new_tokens, "rounds": args.rounds}
    names = args.models.split(",")
    for name in names:
        config, predictor = random_model(name)
        if args.workdir is not None:
            config, predictor = trained_model(args.workdir)
        result |= {f"{name}_{key}": v for key, v in measure(config, predictor, torch_bud, args).items()}
    result |= {key: result[f"{names[0]}_{key}"] for key in RATIOS if f"{names[0]}_{key}" in result}
    result |= {"cores": os.cpu_count(), "load": [round(x, 2) for x in os.getloadavg()]}
    print(json.dumps(result))


def parse_flags() -> argparse.Namespace:
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--models", default="sprout,bud")
    flags.add_argument("--workdir", type=pathlib.Path, help="of a run; its model in place of a random one")
    flags.add_argument("--count", type=int, default=300, help="sentences that are timed alone")
    flags.add_argument("--many", type=int, default=512, help="sentences of the larger batch")
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--new_tokens", type=int, default=25)
    flags.add_argument("--no_torch", action="store_true", help="ours alone")
    args = flags.parse_args()
    names = args.models.split(",")
    if not set(names) <= MODELS.keys():
        flags.error(f"--models={args.models}; there are: {', '.join(MODELS)}")
    if args.workdir is not None and len(names) > 1:
        flags.error("a workdir holds one model: name it, as in --models=sprout")
    return args


def random_model(name: str) -> tuple[Any, Predictor]:
    config = load_config(MODELS[name], {})
    model_config = ModelConfig.from_config(config)
    domain = load_domain(config.domain)
    spec = Spec.from_domain(domain, config.argument_mode, model_config.max_calls)
    params = heads.init_params(0, model_config, spec)
    tokenizer = load_tokenizer(model_config.vocab_size)
    return config, Predictor(
        params, model_config, spec, tokenizer, Calibration(), domain, config.eval.batch_size
    )


def trained_model(workdir: pathlib.Path) -> tuple[Any, Predictor]:
    work = existing_workdir(workdir)
    config = work.config()
    path = work.champion() / "checkpoints" / f"seed{config.seeds[0]}" / SHIPPED
    return config, Predictor.load(path)


def measure(
    config: Any, predictor: Predictor, torch_bud: ModuleType | None, args: argparse.Namespace
) -> dict[str, Any]:
    rounds = 1 + 2 * args.rounds  # a turn begins with one that is not timed, and one compiles
    fresh = Fresh(config, args.count + 2 + rounds * (3 * SINGLES + 2 * TORCH_BATCH + args.many))
    warm_up(predictor)
    many = f"batch_{args.many}"
    steps: dict[str, Step] = {
        "single": lambda: [predictor.predict([q]) for q in fresh.take(SINGLES)],
        "batch_64": lambda: predictor.predict(fresh.take(64)),
        many: lambda: predictor.predict(fresh.take(args.many)),
    }
    sizes = {"single": SINGLES, "batch_64": 64, many: args.many}
    if torch_bud is not None:
        writer = Writer(torch_bud, predictor.model_config, args.new_tokens)
        writer.check(fresh.take(2))
        steps |= {
            "torch_no_cache": lambda: [writer.write([q], cached=False) for q in fresh.take(SINGLES)],
            "torch_cache": lambda: [writer.write([q], cached=True) for q in fresh.take(SINGLES)],
            "torch_batch_cache": lambda: writer.write(fresh.take(TORCH_BATCH), cached=True),
        }
        sizes |= {"torch_no_cache": SINGLES, "torch_cache": SINGLES, "torch_batch_cache": TORCH_BATCH}
    alone_ms = [seconds_alone(predictor, query) * 1e3 for query in fresh.take(args.count)]
    times = race(steps, args.rounds, 1)
    each = {n: statistics.median(t) / sizes[n] for n, t in times.items()}
    out: dict[str, Any] = {
        "single_p50_ms": round(statistics.median(alone_ms), 2),
        "single_p99_ms": round(statistics.quantiles(alone_ms, n=100)[98], 2),
        "batch_64_per_s": round(1 / each["batch_64"], 1),
        f"{many}_per_s": round(1 / each[many], 1),
        "gold_tokens": fresh.gold_tokens(predictor.tokenizer),
        "ms_a_sentence": {n: round(1e3 * s, 3) for n, s in each.items()},
    }
    pairs = {
        "single_vs_torch_no_cache": ("torch_no_cache", "single"),
        "single_vs_torch_cache": ("torch_cache", "single"),
        "batched_vs_one_by_one_no_cache": ("torch_no_cache", many),
        "batched_vs_one_by_one_cache": ("torch_cache", many),
        "batched_vs_torch_cache": ("torch_batch_cache", many),
    }
    return out | {key: round(each[a] / each[b], 2) for key, (a, b) in pairs.items() if a in each}


class Fresh:
    """Sentences of a run's first recipe, made before anything is timed and each given once."""

    def __init__(self, config: Any, count: int) -> None:
        generator = Generator(load_domain(config.domain), Recipe.of_run(config), STREAM, held_out=True)
        self._rows = [generator.scenario(i).row for i in range(count)]
        self._at = 0

    def take(self, count: int) -> list[Query]:
        """The next ones."""
        self._at += count
        return [row.query for row in self._rows[self._at - count : self._at]]

    def gold_tokens(self, tokenizer: Tokenizer) -> float:
        """Median length of the right calls as JSON."""
        return statistics.median(len(tokenizer.encode(json.dumps(gold_calls(r.calls)))) for r in self._rows)


def warm_up(predictor: Predictor) -> None:
    """Compiles every shape: one sentence, and a batch, of each padded length."""
    for length in LENGTHS:
        if length <= predictor.model_config.max_length:
            query = Query("warm", "the " * length, "2026-03-04T09:30:00")
            predictor.predict([query])
            predictor.predict([query, query])


def seconds_alone(predictor: Predictor, query: Query) -> float:
    began = time.perf_counter()
    predictor.predict([query])
    return time.perf_counter() - began


class Writer:
    """PyTorch's model of a shape with random weights; it answers in text, however little sense that makes."""

    def __init__(self, torch_bud: ModuleType, model_config: ModelConfig, new_tokens: int) -> None:
        config = dataclasses.replace(model_config, dtype="float32")
        self._model = torch_bud.load(config, random_params(config))
        self._tokenizer = load_tokenizer(config.vocab_size)
        self._new_tokens = new_tokens

    def write(self, queries: list[Query], cached: bool) -> list[str]:
        """Texts of `new_tokens` tokens behind the sentences."""
        begin = self._tokenizer.reserved_id(BEGIN)
        prompts = [[*self._tokenizer.encode(q.text), begin] for q in queries]
        written = self._model.generate(prompts, self._new_tokens, cached)
        return [self._tokenizer.decode(ids) for ids in written.tolist()]

    def check(self, queries: list[Query]) -> None:
        """Ends the program unless each is answered alike with and without a cache, alone and together."""
        plain = [self.write([q], cached=False)[0] for q in queries]
        alone = [self.write([q], cached=True)[0] for q in queries]
        if not plain == alone == self.write(queries, cached=True):
            sys.exit("PyTorch's model answers otherwise with a cache than without; nothing was timed")


if __name__ == "__main__":
    main()
