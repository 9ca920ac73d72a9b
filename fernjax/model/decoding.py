"""`heads.decode` compiled for batches, over the devices of this process.

On a CPU the rows of a batch go through the model one after the other, in one compiled loop, as many as there
are: so a sentence's answer has the same bits alone and in any batch, by construction, and one compile serves
both. That costs 1.7 (`sprout`) to 2.9 (`bud`) times the time of a whole batch of 64 at once, whose rows'
last bits depend on how many there are. Two rows at a time cost 1.5 to 2.0 times, four 1.3, but a row's bits
could then depend on its place.
Accelerators take the whole batch.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec

from fernjax.model import heads
from fernjax.model.spec import Spec
from fernjax.model.transformer import ModelConfig

Arrays = Mapping[str, jax.Array]


def decode(
    params: Any, rows: Mapping[str, np.ndarray], size: int, config: ModelConfig, spec: Spec
) -> dict[str, np.ndarray]:
    """The likeliest valid answer to each of some sentences; of the form of `heads.decode`.

    Args:
      params: of `heads.init_params`.
      rows: `ids`, `starts`, `ends`, `kinds`, [n, L] each.
      size: rows that are compiled for, at least n.
      config, spec: static.
    """
    count = len(rows["ids"])
    devices = tuple(jax.local_devices())
    while size % len(devices):  # the largest number of them among which the rows divide
        devices = devices[:-1]
    batch = {name: np.pad(x, ((0, size - count), (0, 0))) for name, x in rows.items()}
    each = size // len(devices)
    counts_N = np.clip(count - each * np.arange(len(devices)), 0, each).astype(np.int32)
    answers = jax.device_get(_decoder(config, spec, devices)(params, batch, counts_N))
    return {name: x[:count] for name, x in answers.items()}


@functools.lru_cache(maxsize=16)
def _decoder(config: ModelConfig, spec: Spec, devices: tuple[jax.Device, ...]) -> Any:
    one_by_one = devices[0].platform == "cpu"

    def part(params: Any, batch: Arrays, count_1: jax.Array) -> dict[str, jax.Array]:
        if not one_by_one:
            return heads.decode(params, batch, config, spec)
        shapes = jax.eval_shape(lambda b: heads.decode(params, b, config, spec), batch)
        empty = jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes)

        def answer(row: jax.Array, answers: dict[str, jax.Array]) -> dict[str, jax.Array]:
            query = {name: jax.lax.dynamic_slice_in_dim(x, row, 1) for name, x in batch.items()}
            answered = heads.decode(params, query, config, spec)
            return {
                name: jax.lax.dynamic_update_slice_in_dim(x, answered[name], row, 0)
                for name, x in answers.items()
            }

        return jax.lax.fori_loop(0, count_1[0], answer, empty)

    mesh = Mesh(np.array(devices), ("rows",))
    rows = PartitionSpec("rows")
    whole = PartitionSpec()
    return jax.jit(
        jax.shard_map(part, mesh=mesh, in_specs=(whole, rows, rows), out_specs=rows, check_vma=False)
    )
