"""Devices as one mesh, where arrays lie on it, and where compiled functions are kept."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pathlib
import platform
import resource
import sys
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

from fernjax.sim.types import UserError


def make_mesh(data: int = 0, fsdp: int = 1) -> Mesh:
    """All devices, of all processes, along `data` and `fsdp`.

    Args:
      data, fsdp: how many along each axis; `data` 0 takes all that `fsdp` leaves.

    Raises:
      UserError: they are not as many as there are devices.
    """
    count = jax.device_count()
    shape = (data or max(1, count // fsdp), fsdp)
    if shape[0] * shape[1] != count:
        raise UserError(
            f"config.mesh.data {data} and config.mesh.fsdp {fsdp} do not make {count} "
            f"{'device' if count == 1 else 'devices'}; set fsdp to a divisor of {count}, and data to 0"
        )
    return jax.make_mesh(shape, ("data", "fsdp"), axis_types=(AxisType.Auto, AxisType.Auto))


def check_batch(batch_size: int, accumulate: int = 1) -> None:
    """Refuses a batch that does not divide among the devices.

    Args:
      batch_size: sentences a step.
      accumulate: parts that it is taken in, one after the other.

    Raises:
      UserError: it does not.
    """
    count = jax.device_count()
    if batch_size % accumulate:
        raise UserError(
            f"config.train.accumulate {accumulate} does not divide config.train.batch_size {batch_size}"
        )
    if batch_size // accumulate % count:
        parts = f" in {accumulate} parts" if accumulate > 1 else ""
        raise UserError(
            f"config.train.batch_size {batch_size}{parts} does not divide among {count} devices; "
            f"use a multiple of {count * accumulate}"
        )


def batch_sharding(mesh: Mesh) -> NamedSharding:
    """Rows of a batch over all devices."""
    return NamedSharding(mesh, PartitionSpec(("data", "fsdp")))


def state_sharding(mesh: Mesh, tree: Any) -> Any:
    """Each leaf's largest axis that `fsdp` divides is split over it; with one device there, nothing is."""
    parts = mesh.shape["fsdp"]

    def place(leaf: Any) -> NamedSharding:
        axes = sorted(range(len(leaf.shape)), key=lambda a: -leaf.shape[a])
        axis = next((a for a in axes if parts > 1 and leaf.shape[a] % parts == 0), None)
        # No trailing None: jit holds such a spec for another one, and compiles again.
        spec = PartitionSpec() if axis is None else PartitionSpec(*(None,) * axis, "fsdp")
        return NamedSharding(mesh, spec)

    return jax.tree.map(place, tree)


def place(tree: Any, sharding: Any) -> Any:
    """Host arrays that every process has whole, on the devices of all.

    Args:
      tree: of arrays.
      sharding: one, or a tree of them like `tree`.
    """
    if jax.process_count() == 1:
        return jax.device_put(tree, sharding)
    if isinstance(sharding, NamedSharding):
        sharding = jax.tree.map(lambda _: sharding, tree)
    return jax.tree.map(
        lambda x, s: jax.make_array_from_callback(np.shape(x), s, lambda index: np.asarray(x)[index]),
        tree,
        sharding,
    )


def fetch(tree: Any) -> Any:
    """Arrays of the mesh as arrays of this process's first device; every process must call it."""
    if jax.process_count() > 1:
        whole = jax.tree.map(lambda x: NamedSharding(x.sharding.mesh, PartitionSpec()), tree)
        tree = jax.jit(lambda t: t, out_shardings=whole)(tree)
    return jax.device_put(jax.device_get(tree), jax.local_devices()[0])


def compute_dtype(name: str) -> Any:
    """A dtype; `auto` is bfloat16 where the first device multiplies it in hardware, else float32."""
    return jnp.dtype(name if name != "auto" else "bfloat16" if _has_bfloat16() else "float32")


def peak_flops(dtype: str) -> float:
    """Floating-point operations a second that all devices could do at best.

    Args:
      dtype: of `compute_dtype`.

    Returns:
      What the maker states for dense products (the float32 figure of a GPU is that of its TF32 units); on a
      CPU, and on a chip that is not in the table, what a product of two 1024 x 1024 matrices reaches here,
      measured once a process.
    """
    stated = PEAK_TFLOPS.get(jax.devices()[0].device_kind)
    if stated is None:
        return _measured_flops(compute_dtype(dtype).name) * max(1, jax.process_count())
    return stated[compute_dtype(dtype).name] * 1e12 * jax.device_count()


def memory_bytes() -> int:
    """The most that this process has held at once: of its fullest device, or of main memory on a CPU."""
    stats = [d.memory_stats() or {} for d in jax.local_devices()]
    held = max(s.get("peak_bytes_in_use", 0) for s in stats)
    return held or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


PEAK_TFLOPS: dict[str, dict[str, float]] = {
    "NVIDIA A100-SXM4-40GB": {"bfloat16": 312.0, "float32": 156.0},
    "NVIDIA A100-SXM4-80GB": {"bfloat16": 312.0, "float32": 156.0},
    "NVIDIA H100 80GB HBM3": {"bfloat16": 989.4, "float32": 494.7},
    "NVIDIA H200": {"bfloat16": 989.4, "float32": 494.7},
    "NVIDIA L4": {"bfloat16": 121.0, "float32": 60.0},
    "TPU v4": {"bfloat16": 275.0, "float32": 275.0},
    "TPU v5 lite": {"bfloat16": 197.0, "float32": 197.0},
    "TPU v5p": {"bfloat16": 459.0, "float32": 459.0},
    "TPU v6 lite": {"bfloat16": 918.0, "float32": 918.0},
}
"""By JAX's `device_kind`, from the makers' data sheets: dense, without sparsity. A TPU multiplies float32 in
passes of bfloat16; its peak stands for both."""

_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
_SIDE = 1024


@functools.lru_cache(maxsize=4)
def _measured_flops(dtype: str) -> float:
    multiply = jax.jit(jnp.matmul)
    a = jnp.ones((_SIDE, _SIDE), dtype)
    multiply(a, a).block_until_ready()  # compiles
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        multiply(a, a).block_until_ready()
        seconds.append(time.perf_counter() - began)
    return 2 * _SIDE**3 / min(seconds)


def _has_bfloat16() -> bool:
    device = jax.devices()[0]
    if device.platform == "gpu":
        return float(getattr(device, "compute_capability", 0)) >= 8.0
    return device.platform == "tpu"


def enable_compilation_cache() -> pathlib.Path:
    """Keeps compiled functions on disk, under the user's cache folder, and returns where.

    One folder per processor model: XLA's key does not hold the instructions that compiled code uses.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    cpu = hashlib.sha256(_processor().encode()).hexdigest()[:12]
    path = pathlib.Path(home) / "fernjax" / "xla" / cpu
    jax.config.update("jax_compilation_cache_dir", str(path))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.3)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return path


def _processor() -> str:
    with contextlib.suppress(OSError):
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return "\n".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))
    return platform.machine() + platform.processor()
