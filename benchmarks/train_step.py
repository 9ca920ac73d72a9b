"""How fast a training step is, against the same step in PyTorch and against the best matrix product.

    python benchmarks/train_step.py [--models=sprout,bud] [--rounds=10] [--parts=equal,examples,memory]
        [--skip=torch_eager_bf16] [--xla_flags=...] [--no_torch]

Needs PyTorch (`pip install -e .[bench]`) unless `--no_torch` is given. First of all both libraries compute
the same logits and gradients from the same parameters (1e-4), or nothing is timed. Whatever is compared runs
in one process, in turns, in every round in another order; a first step after each change of turn is not
timed. Run it on idle cores: PyTorch's threads wait for each other, and a core that does anything else slows
them down far more than ours. The load is in the result.

equal      The same mathematics: the language model's loss at every position, AdamW, clipped gradients,
           16 x 64 tokens for `bud`, 64 x 32 for `sprout`. Ours is the project's own step
           (`trainer.make_step`, which also guards against infinities). `X_vs_Y` is the speed of ours over
           theirs, above 1 where ours is faster; `X_vs_torch_eager_bf16` has both in bfloat16 (autocast
           there). `X_share_of_best_matmul`: the step's floating-point operations a second, over those of the
           fastest float32 product of either library, at the step's own sizes and at squares.
examples   Trained sentences a second on the same data: the specialist's step as its config has it, on batches
           of the stream (int8 noise, buckets of length, its optimizer), against what people usually do: the
           sentence and its answer as text, all padded to one length (`--twin_length`, by default the config's
           `max_length`; what is longer is cut, which favours the twin), logits of the whole vocabulary at
           every position, AdamW. `X_examples_vs_torch` takes the faster of eager and compiled PyTorch;
           `X_adamw_examples_vs_torch` has AdamW on our side too, where the config has another optimizer.
memory     Peak resident memory of training at 64 x 64, in gigabytes (10^9), in a process of its own, with the
           config's own optimizer: of the language model (`X_train_peak_rss_gb`) and of the specialist
           (`X_specialist_peak_rss_gb`); `..._net_gb` is without interpreter and libraries.

Ratios are of the medians over the rounds, `..._min` of the shortest. With `--xla_flags`, which XLA gets
beside those of the environment, `X_gradient_error` is the largest difference of a gradient from that of a
process without them, relative to the largest of its array. The last line is one JSON object.

Tried, and no help on two x86 cores without bfloat16 instructions: XLA's library fusion of products
(`--xla_flags=--xla_cpu_experimental_ynn_fusion_type=LIBRARY_FUSION_TYPE_DOT`, no faster in this version,
gradients apart by 3e-6); bfloat16 compute (0.95 of float32 in ours; PyTorch's takes fifteen times as long as
its float32, minutes a step for `bud`: `--skip=torch_eager_bf16` there). Muon takes half of `bud`'s step at 32
sentences (21 a second, with AdamW 39).
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import importlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"  # these two are read when JAX is imported, below
os.environ["XLA_FLAGS"] = " ".join(
    [os.environ.get("XLA_FLAGS", ""), *(a[12:] for a in sys.argv if a.startswith("--xla_flags="))]
).strip()  # XLA takes blanks for the name of a file

import jax
import jax.numpy as jnp
import numpy as np
import optax

from fernjax.loop.settings import load_config
from fernjax.model import codec, devices, optimizer, train, trainer
from fernjax.model.stream import BLOCK_BATCHES, Batch, make_block
from fernjax.model.tokenizer import BEGIN, END, Tokenizer, load_tokenizer
from fernjax.model.transformer import Bud, ModelConfig, train_flops
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Label
from fernjax.sim.world import load_domain

MODELS = {"sprout": "configs/base.py", "bud": "configs/calendar.py:bud", "tiny": "configs/calendar.py:tiny"}
BATCHES = {"sprout": "64x32", "bud": "16x64", "tiny": "4x16"}
PARTS = ("equal", "examples", "memory")
TOLERANCE = 1e-4
LR = 1e-3

Step = Callable[[], Any]
"""Takes a step, and returns once it is done."""

Times = dict[str, list[float]]
"""Seconds a step, one per round."""


def main() -> None:
    args = parse_flags()
    models = args.models.split(",")
    if args.child:
        print(json.dumps(CHILDREN[args.child](models[0], args)))
        return
    torch_bud = None if args.no_torch else import_torch_bud()
    devices.enable_compilation_cache()
    result: dict[str, Any] = {"benchmark": "train_step", "rounds": args.rounds, "xla_flags": args.xla_flags}
    for name in models:
        config = load_config(MODELS[name], {})
        if torch_bud is not None:
            result[f"{name}_torch_error"] = check_twin(ModelConfig.from_config(config), torch_bud)
        if args.xla_flags.strip():
            result[f"{name}_gradient_error"] = flag_error(name, args.xla_flags)
    for name in models:
        config = load_config(MODELS[name], {})
        parts = args.parts.split(",")
        if "equal" in parts:
            result |= measure_equal(name, config, torch_bud, args)
        if "examples" in parts:
            result |= measure_examples(name, config, torch_bud, args)
        if "memory" in parts:
            result |= measure_memory(name)
    result |= {"cores": os.cpu_count(), "load": [round(x, 2) for x in os.getloadavg()]}
    print(json.dumps(result))


def parse_flags() -> argparse.Namespace:
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--models", default="sprout,bud")
    flags.add_argument("--rounds", type=int, default=10)
    flags.add_argument("--steps", type=int, default=2, help="timed steps a turn, of `equal`")
    flags.add_argument("--parts", default="equal,examples,memory")
    flags.add_argument("--skip", default="", help="what not to time, as it is called in the result's `ms`")
    flags.add_argument(
        "--batches", type=int, default=BLOCK_BATCHES, help="of the stream, a turn of `examples`"
    )
    flags.add_argument("--twin_length", type=int, default=0, help="0: the config's model.max_length")
    for name, size in BATCHES.items():
        flags.add_argument(f"--{name}_batch", default=size, help="of `equal`: sentences x tokens")
    flags.add_argument("--accumulate", type=int, default=1, help="parts a batch is taken in, of `memory`")
    flags.add_argument("--xla_flags", default="")
    flags.add_argument("--no_torch", action="store_true", help="ours alone")
    flags.add_argument("--child", default="", help=argparse.SUPPRESS)
    flags.add_argument("--output", default="", help=argparse.SUPPRESS)
    args = flags.parse_args()
    for what, known in ((args.models, MODELS), (args.parts, PARTS)):
        for name in what.split(","):
            if name not in known:
                flags.error(f"no {name!r}; there are: {', '.join(known)}")
    return args


def import_torch_bud() -> ModuleType:
    """`torch_bud`, or one line that says what is missing."""
    try:
        return importlib.import_module("torch_bud")
    except ModuleNotFoundError as e:
        if e.name != "torch":
            raise
        sys.exit("no PyTorch; pip install -e .[bench], or give --no_torch to time ours alone")


# The language model of ours as a problem of the trainer


@dataclasses.dataclass(frozen=True)
class LanguageModel:
    """Cross-entropy of each token but the first, given those before it; a problem of `trainer`."""

    model_config: ModelConfig

    def init(self, seed: int) -> optimizer.Params:
        return _init_lm(seed, self.model_config)

    def loss(
        self, params: optimizer.Params, batch: Mapping[str, jax.Array]
    ) -> tuple[jax.Array, dict[str, jax.Array]]:
        ids_BxL = batch["ids"]
        logits: Any = Bud(self.model_config).apply({"params": params}, ids_BxL[:, :-1], method="lm_logits")
        return optax.softmax_cross_entropy_with_integer_labels(logits, ids_BxL[:, 1:]).mean(), {}


@functools.partial(jax.jit, static_argnums=1)
def _init_lm(seed: int, config: ModelConfig) -> optimizer.Params:
    ids_BxL = jnp.ones((1, 8), jnp.int32)
    return Bud(config).init(jax.random.key(seed), ids_BxL, method="lm_logits")["params"]


def random_ids(config: ModelConfig, size: str, seed: int = 0) -> np.ndarray:
    """`BxL` as sentences of one token more, int32 [B, L + 1], without padding."""
    B, L = map(int, size.split("x"))
    rng = np.random.default_rng(seed)
    return rng.integers(1, config.vocab_size, (B, L + 1), dtype=np.int32)


def random_params(config: ModelConfig) -> optimizer.Params:
    """First parameters with noise on all, so that no projection is zero and no scale one."""
    leaves, tree = jax.tree.flatten(LanguageModel(config).init(0))
    rng = np.random.default_rng(0)
    noisy = [np.asarray(x) + rng.normal(0, 0.03, x.shape).astype(np.float32) for x in leaves]
    return jax.tree.unflatten(tree, noisy)


def lm_grads(config: ModelConfig, size: str) -> tuple[optimizer.Params, np.ndarray, optimizer.Params]:
    """`random_params`, ids, and the gradients of their loss."""
    params, ids = random_params(config), random_ids(config, size)
    grad = jax.jit(jax.grad(LanguageModel(config).loss, has_aux=True))
    return params, ids, jax.device_get(grad(params, {"ids": ids})[0])


# Checks


def check_twin(config: ModelConfig, torch_bud: ModuleType) -> dict[str, float]:
    """Largest error of PyTorch's logits, and of its gradients relative to the largest of each array.

    Ends the program where one is above `TOLERANCE`.
    """
    import torch

    config = dataclasses.replace(config, dtype="float32")
    params, ids, grads = lm_grads(config, "2x24")
    logits = Bud(config).apply({"params": params}, ids[:, :-1], method="lm_logits")
    model = torch_bud.load(config, params)
    theirs = model(torch.tensor(ids[:, :-1], dtype=torch.int64)).detach().numpy()
    model.loss(torch.tensor(ids, dtype=torch.int64)).backward()
    error = {
        "logits": float(np.abs(theirs - np.asarray(logits)).max()),
        "gradients": relative_error(torch_bud.gradients(model), torch_bud.flatten(grads)),
    }
    if not max(error.values()) <= TOLERANCE:  # also where it is not a number
        sys.exit(f"PyTorch's model is not ours: {error}, at most {TOLERANCE}; nothing was timed")
    return error


def relative_error(left: Mapping[str, np.ndarray], right: Mapping[str, np.ndarray]) -> float:
    """Largest difference, relative to the largest value of its array in `right`."""
    if left.keys() != right.keys():
        raise ValueError(f"arrays differ: {sorted(left.keys() ^ right.keys())}")
    return max(float(np.abs(left[n] - right[n]).max() / np.abs(right[n]).max()) for n in right)


def flag_error(name: str, xla_flags: str) -> float:
    """Error of the gradients under `--xla_flags` against those of a process without them."""
    here = gradient_arrays(name)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "gradients.npz"
        env = os.environ | {"XLA_FLAGS": os.environ["XLA_FLAGS"].removesuffix(xla_flags.strip())}
        run_child("gradients", name, f"--output={path}", env=env)
        with np.load(path) as there:
            return relative_error(here, dict(there))


def gradient_arrays(name: str) -> dict[str, np.ndarray]:
    grads = lm_grads(ModelConfig.from_config(load_config(MODELS[name], {})), BATCHES[name])[2]
    leaves = jax.tree_util.tree_leaves_with_path(grads)
    return {jax.tree_util.keystr(path, simple=True, separator="."): leaf for path, leaf in leaves}


# The same mathematics


def measure_equal(
    name: str, config: Any, torch_bud: ModuleType | None, args: argparse.Namespace
) -> dict[str, Any]:
    model_config = ModelConfig.from_config(config)
    size = getattr(args, f"{name}_batch")
    ids = random_ids(model_config, size)
    tokens = ids.shape[0] * (ids.shape[1] - 1)
    makers: dict[str, Callable[[], Step]] = {
        "ours_fp32": lambda: our_lm_step(config, "float32", ids),
        "ours_bf16": lambda: our_lm_step(config, "bfloat16", ids),
    }
    if torch_bud is not None:
        make = functools.partial(their_lm_step, torch_bud, config, ids)
        makers |= {
            "torch_eager_fp32": lambda: make(compiled=False, bf16=False),
            "torch_compile_fp32": lambda: make(compiled=True, bf16=False),
            "torch_eager_bf16": lambda: make(compiled=False, bf16=True),
        }
    steps = {n: maker() for n, maker in makers.items() if n not in args.skip.split(",")}
    products = matmul_steps(model_config, tokens, with_torch=torch_bud is not None)
    times = race(steps | {n: step for n, (step, _) in products.items()}, args.rounds, args.steps)
    out: dict[str, Any] = {f"{name}_batch": size}
    for suffix, of in (("", statistics.median), ("_min", min)):
        spent = {n: of(t) for n, t in times.items()}
        for theirs in steps.keys() - {"ours_fp32", "ours_bf16"}:
            ours = "ours_bf16" if theirs.endswith("bf16") else "ours_fp32"
            if ours in spent:
                out[f"{name}_vs_{theirs}{suffix}"] = round(spent[theirs] / spent[ours], 3)
        if {"ours_fp32", "torch_eager_bf16"} <= spent.keys():
            ratio = spent["torch_eager_bf16"] / spent["ours_fp32"]
            out[f"{name}_fp32_vs_torch_eager_bf16{suffix}"] = round(ratio, 3)
        if {"ours_fp32", "ours_bf16"} <= spent.keys():
            out[f"{name}_bf16_vs_fp32{suffix}"] = round(spent["ours_fp32"] / spent["ours_bf16"], 3)
        rates = {n: flops / spent[n] for n, (_, flops) in products.items()}
        best = max(rates, key=rates.__getitem__)
        if "ours_fp32" in spent:
            rate = lm_flops(model_config, *map(int, size.split("x"))) / spent["ours_fp32"]
            out[f"{name}_share_of_best_matmul{suffix}"] = round(rate / rates[best], 3)
        out[f"{name}_best_matmul{suffix}"] = {"which": best, "gflop_per_s": round(rates[best] / 1e9, 1)}
    return out | {f"{name}_ms": {n: round(1e3 * statistics.median(t), 2) for n, t in times.items()}}


def our_lm_step(config: Any, dtype: str, ids: np.ndarray) -> Step:
    problem = LanguageModel(dataclasses.replace(ModelConfig.from_config(config), dtype=dtype))
    return our_step(with_adamw(make_plan(config), problem), [{"ids": ids}])


def make_plan(config: Any) -> trainer.Plan:
    return train.make_plan(config, Recipe.of_run(config), seed=0)


def with_adamw(plan: trainer.Plan, problem: trainer.Problem) -> trainer.Plan:
    settings = dataclasses.replace(plan.optimizer, name="adamw")
    return dataclasses.replace(plan, problem=problem, optimizer=settings)


def our_step(plan: trainer.Plan, batches: list[Batch]) -> Step:
    """A training step of the project on each of some batches, one after the other."""
    mesh = devices.make_mesh()
    step_fn = trainer.make_step(plan.problem, plan.optimizer, mesh, plan.accumulate)
    sharding = devices.batch_sharding(mesh)
    first = trainer.make_first_state(plan, plan.problem.init(plan.seed))
    state = jax.device_put(first, devices.state_sharding(mesh, first))
    lr = {rule: np.float32(LR) for rule in optimizer.NAMES}

    def step() -> None:
        nonlocal state
        for batch in batches:
            stop_B = np.zeros(len(batch["ids"]), bool)
            state, out = step_fn(state, *jax.device_put((batch, lr, stop_B), (sharding, None, sharding)))
        jax.block_until_ready((state, out))

    return step


def their_lm_step(torch_bud: ModuleType, config: Any, ids: np.ndarray, compiled: bool, bf16: bool) -> Step:
    """A training step of PyTorch on one batch: loss, gradients, clipping, fused AdamW."""
    import torch

    model_config = ModelConfig.from_config(config)
    model = torch_bud.load(model_config, jax.device_get(LanguageModel(model_config).init(0)))
    settings = optimizer.Settings.from_config(config)
    adamw = torch_bud.adamw(model, LR, settings)
    loss_fn = torch.compile(model.loss) if compiled else model.loss
    ids_BxL = torch.tensor(ids, dtype=torch.int64)

    def step() -> None:
        adamw.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16) if bf16 else contextlib.nullcontext():
            loss = loss_fn(ids_BxL)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip_norm)
        adamw.step()

    return step


def lm_flops(c: ModelConfig, B: int, L: int) -> float:
    """Floating-point operations of a step's matrix products: forward, and twice that backward.

    Attention counts whole, not only what causality lets through.
    """
    return train_flops(c, B * L, L) + 3 * 2 * B * L * c.width * c.vocab_size


def matmul_steps(c: ModelConfig, tokens: int, with_torch: bool) -> dict[str, tuple[Step, int]]:
    """Float32 products at the step's sizes and at two squares, by both libraries, and their operations."""
    qkv = (c.heads + 2 * c.kv_heads) * c.head_size
    sizes = {(tokens, c.width, 2 * c.ff_width), (tokens, c.ff_width, c.width), (tokens, c.width, qkv)}
    sizes |= {
        (tokens, c.width, c.vocab_size),
        (c.width, tokens, c.vocab_size),
        (c.width, tokens, 2 * c.ff_width),
    }
    sizes |= {(512, 512, 512), (1024, 1024, 1024)}
    product = jax.jit(lambda a, b: a @ b)
    rng = np.random.default_rng(0)
    out: dict[str, tuple[Step, int]] = {}
    for m, k, n in sorted(sizes):
        a, b = (jnp.asarray(rng.normal(size=s), jnp.float32) for s in ((m, k), (k, n)))
        flops = 2 * m * k * n
        out[f"jax_{m}x{k}x{n}"] = (lambda a=a, b=b: product(a, b).block_until_ready()), flops
        if with_torch:
            import torch

            x, y = torch.tensor(np.asarray(a)), torch.tensor(np.asarray(b))
            out[f"torch_{m}x{k}x{n}"] = functools.partial(torch.mm, x, y), flops
    return out


# The same data


def measure_examples(
    name: str, config: Any, torch_bud: ModuleType | None, args: argparse.Namespace
) -> dict[str, Any]:
    plan = make_plan(config)
    B = plan.batch_size
    block = make_block(plan.source, 0, B).batches
    block.sort(key=lambda batch: batch["ids"].shape[1])
    count = min(args.batches, len(block))
    batches = [block[(2 * i + 1) * len(block) // (2 * count)] for i in range(count)]  # evenly, by length
    steps = {"ours": our_step(plan, batches)}
    sizes = {"ours": count * B, "ours_adamw": count * B}
    if plan.optimizer.name != "adamw":
        steps["ours_adamw"] = our_step(with_adamw(plan, plan.problem), batches)
    about: dict[str, Any] = {"lengths": [batch["ids"].shape[1] for batch in batches]}
    if torch_bud is not None:
        length = args.twin_length or config.model.max_length
        ids, about_text = text_batch(config, B, length)
        about |= about_text
        for twin, compiled in (("torch_eager", False), ("torch_compile", True)):
            if twin not in args.skip.split(","):
                steps[twin] = their_lm_step(torch_bud, config, ids, compiled, bf16=False)
                sizes[twin] = B
    times = race(steps, args.rounds, 1)
    out: dict[str, Any] = {}
    for suffix, of in (("", statistics.median), ("_min", min)):
        rates = {n: sizes[n] / of(t) for n, t in times.items()}
        twin = max((r for n, r in rates.items() if n.startswith("torch")), default=None)
        if twin is not None:
            out[f"{name}_examples_vs_torch{suffix}"] = round(rates["ours"] / twin, 2)
            if "ours_adamw" in rates:
                out[f"{name}_adamw_examples_vs_torch{suffix}"] = round(rates["ours_adamw"] / twin, 2)
        out[f"{name}_examples_per_s{suffix}"] = {n: round(r, 1) for n, r in rates.items()}
    return out | {f"{name}_examples": about}


def text_batch(config: Any, count: int, length: int) -> tuple[np.ndarray, dict[str, Any]]:
    """The first sentences of the stream with their answers as text, int32 [count, length], 0 behind them."""
    tokenizer = load_tokenizer(config.model.vocab_size)
    generator = Generator(load_domain(config.domain), Recipe.of_run(config), 0)
    rows = [generator.scenario(i).row for i in range(count)]
    texts = [text_ids(tokenizer, row.query.text, row.calls) for row in rows]
    ids = np.zeros((count, length), np.int32)
    for out, text in zip(ids, texts, strict=True):
        out[: len(text)] = text[:length]
    about = {
        "twin_length": length,
        "twin_cut_share": round(sum(len(t) > length for t in texts) / count, 3),
        "twin_median_tokens": statistics.median(map(len, texts)),
    }
    return ids, about


def text_ids(tokenizer: Tokenizer, text: str, label: Label) -> list[int]:
    """Sentence, begin, answer, end."""
    begin, end = (tokenizer.reserved_id(name) for name in (BEGIN, END))
    return [*tokenizer.encode(text), begin, *tokenizer.encode(json.dumps(gold_calls(label))), end]


def gold_calls(label: Label) -> list[dict[str, Any]]:
    """The calls of a label as plain JSON, each argument with the first of its right values."""
    return [
        {"name": name, "arguments": {a: values[0] for a, values in arguments.items() if values[0] != ""}}
        for call in label
        for name, arguments in call.items()
    ]


# Memory


def measure_memory(name: str) -> dict[str, Any]:
    out = {}
    for child, key in (("lm_memory", "train"), ("specialist_memory", "specialist")):
        peak, net = run_child(child, name)
        out |= {f"{name}_{key}_peak_rss_gb": peak, f"{name}_{key}_peak_rss_net_gb": net}
    return out


def run_child(child: str, name: str, *more: str, env: Mapping[str, str] | None = None) -> Any:
    """What a process of its own prints at last; see `CHILDREN`."""
    command = [sys.executable, __file__, f"--child={child}", f"--models={name}", *more]
    return json.loads(subprocess.check_output(command, env=env, text=True).splitlines()[-1])


def train_at_64(name: str, args: argparse.Namespace, specialist: bool) -> list[float]:
    """Peak memory in gigabytes of three steps at 64 x 64, whole and without interpreter and libraries."""
    config = load_config(MODELS[name], {"train.accumulate": args.accumulate})
    plan = make_plan(config)
    jax.jit(jnp.sin)(jnp.ones(8)).block_until_ready()  # all is imported and started
    before = peak_rss_gb()
    if specialist:
        examples, _ = plan.source.examples(0, 64)
        batch = codec.collate([e for e in examples if len(e["ids"]) <= 64], 64)
    else:
        plan = dataclasses.replace(plan, problem=LanguageModel(ModelConfig.from_config(config)))
        batch = {"ids": random_ids(ModelConfig.from_config(config), "64x64")}
    our_step(plan, [batch] * 3)()
    after = peak_rss_gb()
    return [round(after, 3), round(after - before, 3)]


def peak_rss_gb() -> float:
    """Of this process; not `getrusage`, where a parent's memory counts too."""
    for line in pathlib.Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e9
    raise OSError("no VmHWM in /proc/self/status; memory is measured on Linux alone")


def save_gradients(name: str, args: argparse.Namespace) -> str:
    np.savez(args.output, **gradient_arrays(name))
    return args.output


CHILDREN: dict[str, Callable[[str, argparse.Namespace], Any]] = {
    "lm_memory": functools.partial(train_at_64, specialist=False),
    "specialist_memory": functools.partial(train_at_64, specialist=True),
    "gradients": save_gradients,
}
"""What a process of its own is started for."""


def race(steps: Mapping[str, Step], rounds: int, count: int) -> Times:
    """Seconds a step: in each round each takes one step and then `count` that are timed, in a new order."""
    for step in steps.values():  # compiles
        step()
    times: Times = {name: [] for name in steps}
    for turn in range(rounds):
        for name in _rotated(list(steps), turn):
            steps[name]()
            began = time.perf_counter()
            for _ in range(count):
                steps[name]()
            times[name].append((time.perf_counter() - began) / count)
    return times


def _rotated(names: list[str], turn: int) -> Iterable[str]:
    at = turn % len(names)
    return names[at:] + names[:at]


if __name__ == "__main__":
    main()
