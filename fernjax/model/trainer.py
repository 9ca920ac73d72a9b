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
import pathlib
import reprlib
import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from fernjax.model import checkpoint, devices, optimizer, processes
from fernjax.model.metrics import Metrics, Progress, Work
from fernjax.model.stream import BLOCK_BATCHES, Batch, Source, Stream
from fernjax.model.watch import DivergedError, Profile, Watch
from fernjax.sim.types import UserError

Arrays = Mapping[str, jax.Array]
"""A batch inside the compiled step."""

State = dict[str, Any]
"""`params`, `opt_state`, and int32 scalars `step`, `skipped`, `skipped_in_row`."""


class Stopped(Exception):
    """SIGTERM came; the step reached was saved. The command line exits 0, the same command resumes."""


class Problem(Hashable, Protocol):
    """What is trained. Hashable by value, so that runs of one problem share their compiled steps."""

    def init(self, seed: int) -> optimizer.Params:
        """First parameters, a function of the seed."""

    def loss(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """Mean loss of a batch, float32 (), and scalars to log."""

    def work(self, batch: Batch) -> Work:
        """What a batch, before it goes to the devices, holds and costs."""

    @property
    def dtype(self) -> str:
        """Of the compute: `float32`, `bfloat16` or `auto`."""


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
      batch_size: sentences a step, over all devices of all processes.
      accumulate: parts that a step's batch is taken in, one after the other, for memory.
      data, fsdp: devices along each axis of the mesh; `data` 0 for all that `fsdp` leaves.
      save_every_steps, log_every_steps: in steps.
      data_workers: processes that make batches; 0 makes them in this one.
      profile_steps: steps whose trace is written to the directory's `profile`; 0 for none.
      arguments: JSON values that, with the code, decide the result's bits. A directory that holds
        checkpoints of other arguments is refused.
      start_from: weights to begin with (`save_weights`), or None.
      prepare: makes the batch that is trained on of the parameters, the source's batch and the step, or None;
        a pure function. Only where one process trains.
    """

    problem: Problem
    source: Source
    optimizer: optimizer.Settings
    schedule: Schedule
    seed: int
    batch_size: int
    accumulate: int
    data: int
    fsdp: int
    save_every_steps: int
    log_every_steps: int
    data_workers: int
    profile_steps: int
    start_from: pathlib.Path | None
    arguments: Mapping[str, Any]
    prepare: Callable[[Any, Batch, int], Batch] | None = None


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


def run(
    plan: Plan,
    directory: str | pathlib.Path,
    on_progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> TrainedRun:
    """Runs a plan in a directory; see `train`.

    Where there are several processes, the first calls this, and the others `take_part`. Only the first reads
    and writes the directory.
    """
    directory = pathlib.Path(directory)
    if processes.is_first():
        processes.send_task("train", {"plan": plan})
    mesh = devices.make_mesh(plan.data, plan.fsdp)
    devices.check_batch(plan.batch_size, plan.accumulate)
    with _lock(directory), _stop_signal() as stop_asked:
        state = load_first_state(plan, mesh, directory)
        start = int(state["step"])
        path = directory / "metrics.jsonl" if processes.is_first() else None
        metrics = Metrics(path, start, plan.schedule.total_steps, plan.problem.dtype, on_progress, clock)
        state = _take_steps(plan, mesh, directory, state, metrics, stop_asked)
        final = TrainedRun(devices.fetch(state["params"]), int(state["step"]), directory, metrics.last)
        if processes.is_first() and (not final.weights_path.exists() or metrics.steps_here):
            checkpoint.save_weights(final.weights_path, final.params, {"steps": str(final.steps)})
    if stop_asked.is_set():  # it came in the last step, or while the weights were written
        raise Stopped(f"stopped by SIGTERM; all {final.steps} steps are saved in {directory}")
    return final


def take_part(plan: Plan) -> None:
    """A process's part in a training that the first process runs; how it ends, that one tells."""
    with contextlib.suppress(Stopped, DivergedError):
        run(dataclasses.replace(plan, profile_steps=0), "of the first process alone")


def _take_steps(
    plan: Plan,
    mesh: Mesh,
    directory: pathlib.Path,
    state: State,
    metrics: Metrics,
    stop_asked: threading.Event,
) -> State:
    step_fn = make_step(plan.problem, plan.optimizer, mesh, plan.accumulate)
    sharding = devices.batch_sharding(mesh)
    start, total = int(state["step"]), plan.schedule.total_steps
    watch = Watch(directory)
    with (
        Stream(plan.source, plan.batch_size, start, total, plan.data_workers) as stream,
        Profile(directory, start, plan.profile_steps) as profile,
    ):
        for step, batch in enumerate(stream, start=start):
            if plan.prepare is not None:
                batch = plan.prepare(state["params"], batch, step)
            lr = plan.schedule.lr(step)
            stop_B = np.full(plan.batch_size, stop_asked.is_set())  # one process that is stopped stops all
            placed, stop_B = devices.place((batch, stop_B), sharding)
            state, out = step_fn(state, placed, lr, stop_B)
            metrics.add(out, plan.problem.work(batch))
            metrics.note_redrawn(stream.redrawn, BLOCK_BATCHES * plan.batch_size)
            done = step + 1
            stopping = watch.look(done, batch, out, last=done == total) and done < total
            if done % plan.log_every_steps == 0 or done == total or stopping:
                metrics.write(done, lr)
            if done % plan.save_every_steps == 0 or done == total or stopping:
                _save(directory, state, done, plan)
            profile.count(done, out)
            if stopping:
                raise Stopped(f"stopped by SIGTERM; step {done} of {total} is saved in {directory}")
    return state


def load_first_state(plan: Plan, mesh: Mesh, directory: pathlib.Path) -> State:
    """The state to go on from: this directory's own checkpoint, else given weights, else scratch.

    The first process reads; the others, which may not see its files, are sent what it has read.
    """
    shape = jax.eval_shape(lambda: make_first_state(plan, plan.problem.init(plan.seed)))
    state = processes.from_first(lambda: _read_first_state(plan, shape, directory), shape)
    return devices.place(state, devices.state_sharding(mesh, shape))


def _read_first_state(plan: Plan, shape: State, directory: pathlib.Path) -> State:
    # 1. Own checkpoint: this is a run that goes on.
    path = checkpoint.latest(directory)
    if path is not None:
        _check_arguments(directory, checkpoint.about(path), plan.arguments)
        return checkpoint.load(path, shape)
    # 2. Given weights: a repair goes on from the champion, with a fresh optimizer.
    if plan.start_from is not None:
        return make_first_state(plan, checkpoint.load_weights(plan.start_from, shape["params"]))
    # 3. Scratch.
    return make_first_state(plan, plan.problem.init(plan.seed))


def make_first_state(plan: Plan, params: optimizer.Params) -> State:
    """The state before the first step."""
    counts = {name: jnp.zeros((), jnp.int32) for name in ("step", "skipped", "skipped_in_row")}
    state = {"params": params, "opt_state": optimizer.init(plan.optimizer, params), **counts}
    # Copied, since donation needs every leaf to have a buffer of its own.
    return jax.tree.map(lambda leaf: jnp.array(leaf, copy=True), state)


Step = Callable[[State, Batch, Mapping[str, np.float32], np.ndarray], tuple[State, dict[str, jax.Array]]]
"""`(state, batch, lr, stop_B) -> (state, metrics)`."""


@functools.lru_cache(maxsize=8)
def make_step(problem: Problem, settings: optimizer.Settings, mesh: Mesh, accumulate: int) -> Step:
    """The jitted step; the state is donated.

    A step whose loss or gradient is not finite leaves parameters and optimizer as they were and is counted.
    `stop` of the metrics is whether any row of `stop_B`, bool [B], is set: all processes read the same.
    """
    whole = NamedSharding(mesh, PartitionSpec())

    def loss(params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        # `fsdp` divides what is kept; the step computes with the whole.
        return problem.loss(jax.lax.with_sharding_constraint(params, whole), batch)

    def step(
        state: State, batch: Batch, lr: Mapping[str, jax.Array], stop_B: jax.Array
    ) -> tuple[State, dict[str, jax.Array]]:
        (value, scalars), grads = _mean_gradients(loss, state["params"], batch, accumulate)
        sharding = devices.state_sharding(mesh, state)
        grads = jax.lax.with_sharding_constraint(grads, sharding["params"])
        params, opt_state, norm = optimizer.update(settings, grads, state["opt_state"], state["params"], lr)
        finite = jnp.isfinite(value) & jnp.isfinite(norm)
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
        new = jax.lax.with_sharding_constraint(new, sharding)
        updates = jax.tree.map(jnp.subtract, params, state["params"])
        metrics = {
            **scalars,
            **optimizer.block_norms("grad_norm", grads),
            **optimizer.block_norms("update_norm", updates),
            "loss": value,
            "grad_norm": norm,
            "skipped": new["skipped"],
            "skipped_in_row": new["skipped_in_row"],
            "stop": stop_B.any(),
        }
        return new, jax.lax.with_sharding_constraint(metrics, whole)

    return jax.jit(step, donate_argnums=0)


def _mean_gradients(loss: Any, params: optimizer.Params, batch: Batch, accumulate: int) -> Any:
    """Value with scalars, and gradients, of a batch: the means over `accumulate` parts of equal size."""
    grad_fn = jax.value_and_grad(loss, has_aux=True)
    if accumulate == 1:
        return grad_fn(params, batch)
    # Strided, so that each device's rows stay on it.
    parts = jax.tree.map(lambda x: x.reshape(-1, accumulate, *x.shape[1:]).swapaxes(0, 1), batch)
    zeros = jax.tree.map(
        lambda s: jnp.zeros(s.shape, s.dtype),
        jax.eval_shape(grad_fn, params, jax.tree.map(lambda x: x[0], parts)),
    )

    def add(total: Any, part: Batch) -> tuple[Any, None]:
        return jax.tree.map(jnp.add, total, grad_fn(params, part)), None

    total, _ = jax.lax.scan(add, zeros, parts)
    return jax.tree.map(lambda x: x / accumulate, total)


def _save(directory: pathlib.Path, state: State, step: int, plan: Plan) -> None:
    whole = devices.fetch(state)
    if processes.is_first():
        checkpoint.save(directory, whole, step, plan.arguments)


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
    if not processes.is_first():
        yield
        return
    directory.mkdir(parents=True, exist_ok=True)
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
