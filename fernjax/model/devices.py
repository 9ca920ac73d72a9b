"""Devices as one mesh, where arrays lie on it, and where compiled functions are kept."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import platform
from typing import Any

import jax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

from fernjax.sim.types import UserError


def make_mesh() -> Mesh:
    """All devices along `data`, one along `fsdp`."""
    return jax.make_mesh((jax.device_count(), 1), ("data", "fsdp"), axis_types=(AxisType.Auto, AxisType.Auto))


def check_batch(batch_size: int) -> None:
    """Refuses a batch that does not divide among the devices.

    Raises:
      UserError: it does not.
    """
    count = jax.device_count()
    if batch_size % count:
        raise UserError(
            f"config.train.batch_size {batch_size} does not divide among {count} devices; "
            f"use a multiple of {count}"
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
