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
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from fernjax.model import heads
from fernjax.model.spec import Spec
from fernjax.model.transformer import ModelConfig

Arrays = Mapping[str, jax.Array]


def decode(
    params: Any, rows: Mapping[str, np.ndarray], size: int, config: ModelConfig, spec: Spec
) -> dict[str, np.ndarray]:
    """The likeliest valid answer to each of some sentences; of the form of `heads.decode`.

    Args:
      params: of `place`.
      rows: `ids`, `starts`, `ends`, `kinds`, [n, L] each.
      size: rows that are compiled for, at least n.
      config, spec: static.
    """
    count, N = len(rows["ids"]), _mesh().size
    each = -(-size // N)
    batch = {name: np.pad(x, ((0, each * N - count), (0, 0))) for name, x in rows.items()}
    counts_N = np.clip(count - each * np.arange(N), 0, each).astype(np.int32)
    answers = jax.device_get(_decoder(config, spec)(params, batch, counts_N))
    return {name: x[:count] for name, x in answers.items()}


def place(params: Any) -> Any:
    """Parameters, wherever they lie, on each of the devices that decode."""
    return jax.device_put(params, NamedSharding(_mesh(), PartitionSpec()))


@functools.cache
def _mesh() -> Mesh:
    return Mesh(np.array(jax.local_devices()), ("rows",))


@functools.lru_cache(maxsize=16)
def _decoder(config: ModelConfig, spec: Spec) -> Any:
    one_by_one = jax.local_devices()[0].platform == "cpu"

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

    rows = PartitionSpec("rows")
    whole = PartitionSpec()
    return jax.jit(
        jax.shard_map(part, mesh=_mesh(), in_specs=(whole, rows, rows), out_specs=rows, check_vma=False)
    )
