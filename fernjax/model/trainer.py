"""The training loop: one pure, jitted, donated step, and a run that a kill at any instant does not change.

The state after step t is a function of the plan alone: the batch of a step is a function of (recipe, seed,
step), the learning rates of a step are a function of the step, and a checkpoint holds the whole state bit for
bit.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import functools
import json
import logging
import math
import pathlib
import reprlib
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh

from fernjax.model import checkpoint, devices, optimizer
from fernjax.model.files import is_disk_full, read_jsonl, write_file
from fernjax.model.stream import BLOCK_BATCHES, Batch, Source, Stream
from fernjax.sim.types import UserError

MAX_SKIPPED_IN_ROW = 10
"""Steps in a row whose loss or gradient is not finite before training gives up."""

MUCH_REDRAWN = 0.02
"""Share of scenarios that cannot be encoded from which on a warning names why."""

Arrays = Mapping[str, jax.Array]
"""A batch inside the compiled step."""

State = dict[str, Any]
"""`params`, `opt_state`, and int32 scalars `step`, `skipped`, `skipped_in_row`."""


_log = logging.getLogger(__name__)


class Stopped(Exception):
    """SIGTERM came; the step reached was saved. The command line exits 0, the same command resumes."""


class DivergedError(Exception):
    """The loss or the gradient stayed infinite or not a number."""


class Problem(Hashable, Protocol):
    """What is trained. Hashable by value, so that runs of one problem share their compiled steps."""

    def init(self, seed: int) -> optimizer.Params:
        """First parameters, a function of the seed."""

    def loss(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """Mean loss of a batch, float32 (), and scalars to log."""


@dataclasses.dataclass(frozen=True)
class Schedule:
    """Warm-up, stable, decay (Hu et al., "MiniCPM", 2024, section 4): linear up, flat, linear to zero.

    Attributes:
      total_steps, warmup_steps: in steps.
      decay_share: share of `total_steps`, at the end, in which the rate falls.
      peak_lr: learning rate of each rule, `(("adamw", 2e-3), ("muon", 0.02))`.
    """

    total_steps: int
    warmup_steps: int
    decay_share: float
    peak_lr: tuple[tuple[str, float], ...]

    def scale(self, step: int) -> float:
        """Factor in (0, 1] of the peak, for the step that makes `step + 1` of `total_steps`."""
        decay_steps = max(1, round(self.decay_share * self.total_steps))
        up = (step + 1) / max(1, self.warmup_steps)
        down = (self.total_steps - step) / (decay_steps + 1)
        return max(0.0, min(1.0, up, down))

    def lr(self, step: int) -> dict[str, np.float32]:
        """Learning rate of each rule at a step."""
        return {rule: np.float32(peak * self.scale(step)) for rule, peak in self.peak_lr}


@dataclasses.dataclass(frozen=True)
class Plan:
    """All that one training does.

    Attributes:
      problem, source, optimizer, schedule: what is trained, on what, how, how fast.
      seed: of the first parameters.
      batch_size: sentences a step, over all devices.
      save_every_steps, log_every_steps: in steps.
      data_workers: processes that make batches; 0 makes them in this one.
      arguments: JSON values that, with the code, decide the result's bits. A directory that holds
        checkpoints of other arguments is refused.
      start_from: weights to begin with (`save_weights`), or None.
    """

    problem: Problem
    source: Source
    optimizer: optimizer.Settings
    schedule: Schedule
    seed: int
    batch_size: int
    save_every_steps: int
    log_every_steps: int
    data_workers: int
    start_from: pathlib.Path | None
    arguments: Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class TrainedRun:
    """The end of a training.

    Attributes:
      params: the last parameters, float32.
      steps: steps taken in all.
      directory: where checkpoints, `metrics.jsonl` and `weights.safetensors` are.
      metrics: the last line of `metrics.jsonl`.
    """

    params: optimizer.Params
    steps: int
    directory: pathlib.Path
    metrics: dict[str, Any]

    @property
    def weights_path(self) -> pathlib.Path:
        """The last parameters as safetensors."""
        return self.directory / "weights.safetensors"


Progress = Callable[[dict[str, Any]], None]
"""Told each line of the metrics with `total_steps` and `seconds_left` as it is written."""


def run(
    plan: Plan,
    directory: str | pathlib.Path,
    on_progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> TrainedRun:
    """Runs a plan in a directory; see `train`."""
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    mesh = devices.make_mesh()
    devices.check_batch(plan.batch_size)
    with _lock(directory), _stop_signal() as stop_asked:
        state = load_first_state(plan, mesh, directory)
        metrics = _Metrics(directory / "metrics.jsonl", plan, int(state["step"]), on_progress, clock)
        state = _take_steps(plan, mesh, directory, state, metrics, stop_asked)
        final = TrainedRun(state["params"], int(state["step"]), directory, metrics.last)
        if not final.weights_path.exists() or metrics.steps_here:
            checkpoint.save_weights(final.weights_path, state["params"], {"steps": str(final.steps)})
    if stop_asked.is_set():  # it came in the last step, or while the weights were written
        raise Stopped(f"stopped by SIGTERM; all {final.steps} steps are saved in {directory}")
    return final


def _take_steps(
    plan: Plan,
    mesh: Mesh,
    directory: pathlib.Path,
    state: State,
    metrics: _Metrics,
    stop_asked: threading.Event,
) -> State:
    step_fn = make_step(plan.problem, plan.optimizer, mesh)
    sharding = devices.batch_sharding(mesh)
    start, total = int(state["step"]), plan.schedule.total_steps
    previous = None
    with Stream(plan.source, plan.batch_size, start, total, plan.data_workers) as stream:
        for step, batch in enumerate(stream, start=start):
            state, out = step_fn(state, jax.device_put(batch, sharding), plan.schedule.lr(step))
            jax.block_until_ready(previous)  # at most one step is in flight behind the one being prepared
            previous = out
            done = step + 1
            metrics.add(out, stream.redrawn)
            stopping = stop_asked.is_set() and done < total
            if done % plan.log_every_steps == 0 or done == total or stopping:
                metrics.write(done)
            if done % plan.save_every_steps == 0 or done == total or stopping:
                checkpoint.save(directory, state, done, plan.arguments)
            if stopping:
                raise Stopped(f"stopped by SIGTERM; step {done} of {total} is saved in {directory}")
    return state


def load_first_state(plan: Plan, mesh: Mesh, directory: pathlib.Path) -> State:
    """The state to go on from: this directory's own checkpoint, else given weights, else scratch."""
    shape = jax.eval_shape(lambda: make_first_state(plan, plan.problem.init(plan.seed)))
    sharding = devices.state_sharding(mesh, shape)
    like = jax.tree.map(
        lambda leaf, s: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=s), shape, sharding
    )
    # 1. Own checkpoint: this is a run that goes on.
    path = checkpoint.latest(directory)
    if path is not None:
        _check_arguments(directory, checkpoint.about(path), plan.arguments)
        return checkpoint.load(path, like)
    # 2. Given weights: a repair goes on from the champion, with a fresh optimizer.
    if plan.start_from is not None:
        params = checkpoint.load_weights(plan.start_from, like["params"])
    # 3. Scratch.
    else:
        params = plan.problem.init(plan.seed)
    return jax.device_put(make_first_state(plan, params), sharding)


def make_first_state(plan: Plan, params: optimizer.Params) -> State:
    """The state before the first step."""
    counts = {name: jnp.zeros((), jnp.int32) for name in ("step", "skipped", "skipped_in_row")}
    state = {"params": params, "opt_state": optimizer.init(plan.optimizer, params), **counts}
    # Copied, since donation needs every leaf to have a buffer of its own.
    return jax.tree.map(lambda leaf: jnp.array(leaf, copy=True), state)


@functools.lru_cache(maxsize=8)
def make_step(
    problem: Problem, settings: optimizer.Settings, mesh: Mesh
) -> Callable[[State, Batch, Mapping[str, np.float32]], tuple[State, dict[str, jax.Array]]]:
    """The jitted step: `(state, batch, lr) -> (state, metrics)`; the state is donated.

    A step whose loss or gradient is not finite leaves parameters and optimizer as they were and is counted.
    """

    def step(state: State, batch: Batch, lr: Mapping[str, jax.Array]) -> tuple[State, dict[str, jax.Array]]:
        grad_fn = jax.value_and_grad(problem.loss, has_aux=True)
        (loss, scalars), grads = grad_fn(state["params"], batch)
        params, opt_state, norm = optimizer.update(settings, grads, state["opt_state"], state["params"], lr)
        finite = jnp.isfinite(loss) & jnp.isfinite(norm)
        params, opt_state = jax.tree.map(
            lambda new, old: jnp.where(finite, new, old),
            (params, opt_state),
            (state["params"], state["opt_state"]),
        )
        skipped = 1 - finite.astype(jnp.int32)
        new = {
            "params": params,
            "opt_state": opt_state,
            "step": state["step"] + 1,
            "skipped": state["skipped"] + skipped,
            "skipped_in_row": (state["skipped_in_row"] + 1) * skipped,
        }
        new = jax.lax.with_sharding_constraint(new, devices.state_sharding(mesh, new))
        counts = {"skipped": new["skipped"], "skipped_in_row": new["skipped_in_row"]}
        return new, {**scalars, "loss": loss, "grad_norm": norm, **counts}

    return jax.jit(step, donate_argnums=0)


class _Metrics:
    """`metrics.jsonl`: means since the line before, one line each `log_every_steps`."""

    def __init__(
        self,
        path: pathlib.Path,
        plan: Plan,
        start: int,
        on_progress: Progress | None,
        clock: Callable[[], float],
    ) -> None:
        self._path, self._plan, self._on_progress, self._clock = path, plan, on_progress, clock
        self._window: list[dict[str, jax.Array]] = []
        self._start = start
        self._began = self._window_began = clock()
        self.last: dict[str, Any] = {}
        self.steps_here = 0
        self._redrawn, self._warned = 0.0, False
        kept = [line for line in read_jsonl(path) if line["step"] <= start]  # later ones are taken again
        if kept:
            self.last = kept[-1]
        text = "".join(json.dumps(line) + "\n" for line in kept)
        write_file(path, text.encode("utf-8"))

    def add(self, out: dict[str, jax.Array], redrawn: Counter[str]) -> None:
        self._window.append(out)
        self.steps_here += 1
        self._redrawn = redrawn.total() / (redrawn.total() + BLOCK_BATCHES * self._plan.batch_size)
        if self._redrawn > MUCH_REDRAWN and not self._warned:
            self._warned = True
            reason, count = redrawn.most_common(1)[0]
            _log.warning(
                "%.0f%% of the training scenarios cannot be encoded and are drawn again; most often (%d): %s",
                100 * self._redrawn,
                count,
                reason,
            )

    def write(self, step: int) -> None:
        window = jax.device_get(self._window)
        now = self._clock()
        latest = window[-1]
        rate = len(window) * self._plan.batch_size / max(now - self._window_began, 1e-9)
        line = {"step": step, **{name: _finite_mean([out[name] for out in window]) for name in latest}}
        line |= {f"lr_{rule}": float(lr) for rule, lr in self._plan.schedule.lr(step - 1).items()}
        line["lr"] = line["lr_adamw"]
        line |= {"skipped": int(latest["skipped"]), "redrawn_share": round(self._redrawn, 5)}
        line["examples_per_s"] = round(rate, 1)
        del line["skipped_in_row"]
        self._append(line)
        self.last = line
        self._window, self._window_began = [], now
        in_row = max(int(out["skipped_in_row"]) for out in window)
        if in_row >= MAX_SKIPPED_IN_ROW:
            raise DivergedError(
                f"the loss was not finite for {in_row} steps in a row before step {step}; lower "
                "config.train.peak_lr or set config.train.clip_norm"
            )
        if self._on_progress is not None:
            total = self._plan.schedule.total_steps
            left = (now - self._began) / self.steps_here * (total - step)
            self._on_progress({**line, "total_steps": total, "seconds_left": round(left, 1)})

    def _append(self, line: dict[str, Any]) -> None:
        try:
            with open(self._path, "a", encoding="utf-8") as f:
                f.write(json.dumps(line) + "\n")
        except OSError as e:
            if is_disk_full(e):
                raise UserError(
                    f"disk full while writing {self._path}; free some space and run the same command again"
                ) from e
            raise


def _finite_mean(values: list[Any]) -> float | None:
    finite = [float(v) for v in values if math.isfinite(float(v))]
    return sum(finite) / len(finite) if finite else None


def _check_arguments(directory: pathlib.Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    wanted = json.loads(json.dumps(wanted))
    for key, old, new in _differences(stored, wanted):
        raise UserError(
            f"{directory} holds a training with {key} = {reprlib.repr(old)}, not {reprlib.repr(new)}; "
            "use another directory, or the arguments that it was begun with"
        )


def _differences(old: Any, new: Any, prefix: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _differences(old.get(key), new.get(key), f"{prefix}.{key}" if prefix else key)
    elif old != new:
        yield prefix, old, new


@contextlib.contextmanager
def _lock(directory: pathlib.Path) -> Iterator[None]:
    # The kernel lets go of it when the process ends, however it ends.
    with open(directory / "lock", "w") as f:
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as e:
            raise UserError(
                f"another process trains in {directory}; wait for it, or use another directory"
            ) from e
        yield


@contextlib.contextmanager
def _stop_signal() -> Iterator[threading.Event]:
    """An event that SIGTERM sets. Only the main thread may watch for signals; elsewhere it never is set."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.signal(signal.SIGTERM, lambda *_: asked.set())
    try:
        yield asked
    finally:
        signal.signal(signal.SIGTERM, before)
