"""How time grows with devices, with the length of a sentence, and with the number of tools.

    python benchmarks/scaling.py [--model=sprout] [--rounds=5] [--parts=devices,length,tools]

devices  A step of the language model, `--batch` (64 x 32) over all, on 1, 2, 4 and 8 virtual devices of the
         CPU, each count in a process of its own; they take turns. The cores stay the same, so 1.0 is the best
         there is: what is above it is the cost of splitting.
length   A step of the language model at 32 to 512 tokens, as many tokens in all: milliseconds a thousand of
         them, so that only what attention adds grows.
tools    A made-up app of 8 to 128 tools of four arguments each (a text, a date, a length, a choice): a step
         of the specialist, 32 x 24, and the decoding of one sentence and of 64.

Each part: `X_ms` by size, and `X_ratio`, over the first size. All sizes of a part are measured in turns,
medians over the rounds. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import statistics
import subprocess
import sys
import time
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"  # read when JAX is imported, below

import jax
import numpy as np
from train_step import MODELS, LanguageModel, Step, make_plan, our_step, race, random_ids, with_adamw

from fernjax.loop.settings import load_config
from fernjax.model import codec, devices, heads
from fernjax.model.decoding import decode, place
from fernjax.model.spec import Spec
from fernjax.model.stream import Batch
from fernjax.model.train import ToolCaller
from fernjax.model.transformer import ModelConfig
from fernjax.sim.tools import parse_tools
from fernjax.sim.types import OUT_OF_SCOPE, Observation
from fernjax.sim.world import Domain

PARTS = ("devices", "length", "tools")
DEVICES = (1, 2, 4, 8)
LENGTHS = (32, 64, 128, 256, 512)
TOOLS = (8, 16, 32, 64, 128)
ARGUMENTS = {
    "title": {"type": "string"},
    "date": {"type": "string", "format": "date"},
    "minutes": {"type": "integer"},
    "priority": {"enum": ["low", "normal", "high"]},
}


def main() -> None:
    args = parse_flags()
    if args.child_devices:
        jax.config.update("jax_num_cpu_devices", args.child_devices)
    devices.enable_compilation_cache()
    if args.child_devices:
        answer(args)
        return
    result: dict[str, Any] = {"benchmark": "scaling", "model": args.model, "rounds": args.rounds}
    parts = {"devices": measure_devices, "length": measure_lengths, "tools": measure_tools}
    for part in args.parts.split(","):
        for name, ms in parts[part](args).items():
            first = next(iter(ms.values()))
            result[f"{name}_ms"] = {size: round(t, 3) for size, t in ms.items()}
            result[f"{name}_ratio"] = {size: round(t / first, 3) for size, t in ms.items()}
    result |= {"cores": os.cpu_count(), "load": [round(x, 2) for x in os.getloadavg()]}
    print(json.dumps(result))


def parse_flags() -> argparse.Namespace:
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--model", default="sprout", choices=MODELS)
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--parts", default=",".join(PARTS))
    flags.add_argument("--batch", default="64x32", help="of `devices` and `length`: sentences x tokens")
    flags.add_argument("--sizes", type=int, default=5, help="the smallest so many of each part")
    flags.add_argument("--child_devices", type=int, default=0, help=argparse.SUPPRESS)
    args = flags.parse_args()
    if not set(args.parts.split(",")) <= set(PARTS):
        flags.error(f"--parts={args.parts}; there are: {', '.join(PARTS)}")
    return args


def medians_ms(steps: dict[Any, Step], rounds: int) -> dict[Any, float]:
    return {size: 1e3 * statistics.median(t) for size, t in race(steps, rounds, 1).items()}


def lm_step(args: argparse.Namespace, size: str) -> Step:
    config = load_config(MODELS[args.model], {})
    model_config = ModelConfig.from_config(config)
    plan = with_adamw(make_plan(config), LanguageModel(model_config))
    return our_step(plan, [{"ids": random_ids(model_config, size)}])


def measure_devices(args: argparse.Namespace) -> dict[str, dict[int, float]]:
    counts = DEVICES[: args.sizes]
    command = [sys.executable, __file__, *sys.argv[1:]]
    spent: dict[int, list[float]] = {count: [] for count in counts}
    with contextlib.ExitStack() as stack:
        children = {}
        for count in counts:
            child = subprocess.Popen(
                [*command, f"--child_devices={count}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(child)
            stack.callback(child.kill)
            children[count] = child
            ask(child)  # compiles, before another one starts
        for turn in range(args.rounds):
            for i in range(len(counts)):
                count = counts[(turn + i) % len(counts)]
                spent[count].append(ask(children[count]))
    return {"devices": {count: statistics.median(ms) for count, ms in spent.items()}}


def ask(child: subprocess.Popen[str]) -> float:
    """Milliseconds of a step in a process that waits for its turn."""
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write("step\n")
    child.stdin.flush()
    line = child.stdout.readline()
    if not line:
        raise RuntimeError(f"{child.args} ended")
    return float(line)


def answer(args: argparse.Namespace) -> None:
    """What the process of some number of devices does: a step whenever it is asked, after one untimed."""
    if jax.device_count() != args.child_devices:
        raise RuntimeError(f"{jax.device_count()} devices, not {args.child_devices}")
    devices.check_batch(int(args.batch.split("x")[0]))
    step = lm_step(args, args.batch)
    for _ in sys.stdin:
        step()
        began = time.perf_counter()
        step()
        print(1e3 * (time.perf_counter() - began), flush=True)


def measure_lengths(args: argparse.Namespace) -> dict[str, dict[int, float]]:
    B, L = map(int, args.batch.split("x"))
    lengths = LENGTHS[: args.sizes]
    rows = {length: max(1, B * L // length) for length in lengths}
    steps = {length: lm_step(args, f"{rows[length]}x{length}") for length in lengths}
    ms = medians_ms(steps, args.rounds)
    return {"length": {length: 1e3 * ms[length] / (rows[length] * length) for length in lengths}}


def measure_tools(args: argparse.Namespace) -> dict[str, dict[int, float]]:
    config = load_config(MODELS[args.model], {})
    model_config = ModelConfig.from_config(config)
    plan = make_plan(config)
    steps: dict[tuple[str, int], Step] = {}
    for count in TOOLS[: args.sizes]:
        spec = Spec.from_domain(made_up_app(count), "point", model_config.max_calls)
        problem = ToolCaller(model_config, bool(config.train.quant_noise), spec)
        batch = random_batch(model_config, spec, 32, 24)
        steps["tools_step", count] = our_step(with_adamw(plan, problem), [batch])
        params = place(heads.init_params(0, model_config, spec))
        for rows in (1, 64):
            inputs = {k: v for k, v in random_batch(model_config, spec, rows, 24).items() if k in INPUTS}
            steps[f"tools_decode_{rows}", count] = functools.partial(
                decode, params, inputs, rows, model_config, spec
            )
    out: dict[str, dict[int, float]] = {}
    for (name, count), ms in medians_ms(steps, args.rounds).items():
        out.setdefault(name, {})[count] = ms
    return out


INPUTS = ("ids", "starts", "ends", "kinds")


def made_up_app(count: int) -> Domain:
    """An app of `count` tools, the one that abstains among them."""
    names = [f"do_{i}" for i in range(count - 1)]
    properties = dict.fromkeys(names, ARGUMENTS) | {OUT_OF_SCOPE: {}}
    document = [
        {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": p}}}
        for name, p in properties.items()
    ]
    return Domain(
        name=f"made_up_{count}",
        description="Tools to be counted.",
        tools=parse_tools(document),
        needs={},
        initial_state=lambda rng, now: {},
        step=lambda state, call: (state, Observation("ok")),
    )


def random_batch(model_config: ModelConfig, spec: Spec, B: int, L: int) -> Batch:
    """Whole sentences of random words without mentions, and random answers that could be right."""
    rng = np.random.default_rng(0)
    K, T = spec.max_calls, len(spec.tools)
    batch = {
        "ids": rng.integers(1, model_config.vocab_size, (B, L), dtype=np.int32),
        "starts": np.ones((B, L), bool),
        "ends": np.ones((B, L), bool),
        "kinds": np.zeros((B, L), np.int32),
        "tool": np.full((B, K), codec.NOT_ASKED, np.int32),
    }
    batch["tool"][:, 0] = rng.integers(0, T, B)
    shape = (B, K, spec.width("text"))
    batch["start"] = rng.integers(0, L // 2, shape, dtype=np.int32)
    batch["end"] = batch["start"] + 1
    batch["point"] = np.zeros((B, K, spec.width("point")), np.int32)
    choices = (B, K, spec.width("choice"))
    batch["choice"] = rng.integers(0, spec.max_choices + 1, choices, dtype=np.int32)
    return batch


if __name__ == "__main__":
    main()
