"""A training of a tiny tool caller on given devices; its losses, for tests that compare them.

    curve.py DIRECTORY DEVICES FSDP STEPS [STOP_AT] [ACCUMULATE]

Prints one JSON object: `loss` of each step of this process, and `state_bytes` on the first device.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import pathlib
import runpy
import sys

import jax

from fernjax.model import checkpoint, devices, processes, train, trainer
from fernjax.sim.recipe import Recipe

BASE = pathlib.Path(__file__).parents[2] / "configs" / "base.py"


class Reached(Exception):
    """The step to stop at."""


def main() -> None:
    directory, count, fsdp, steps, *more = sys.argv[1], *map(int, sys.argv[2:])
    stop_at, accumulate = (*more, *(0, 1)[len(more) :])
    jax.config.update("jax_num_cpu_devices", count)
    if processes.join() and not processes.is_first():
        return processes.follow({"train": trainer.take_part})
    plan = dataclasses.replace(make_plan(steps), fsdp=fsdp, accumulate=accumulate)
    losses = []

    def tell(line: dict) -> None:
        losses.append(line["loss"])
        if line["step"] == stop_at:
            raise Reached

    with processes.leading():
        with contextlib.suppress(Reached):
            trainer.run(plan, directory, tell)
        mesh = devices.make_mesh(0, fsdp)
        path = checkpoint.latest(directory)
        like = jax.eval_shape(lambda: trainer.make_first_state(plan, plan.problem.init(0)))
        shardings = devices.state_sharding(mesh, like)
        sizes = jax.tree.map(
            lambda x, s: x.dtype.itemsize * math.prod(s.shard_shape(x.shape)), like, shardings
        )
        whole = sum(x.size * x.dtype.itemsize for x in jax.tree.leaves(like))
        print(
            json.dumps(
                {
                    "loss": losses,
                    "state_bytes": sum(jax.tree.leaves(sizes)),
                    "whole_bytes": whole,
                    "checkpoint": path.name if path else "",
                    "processes": jax.process_count(),
                    "devices": jax.device_count(),
                }
            ),
            flush=True,
        )


def make_plan(steps: int) -> trainer.Plan:
    config = runpy.run_path(str(BASE))["get_config"]()
    config.model.update({"width": 32, "heads": 4, "kv_heads": 2, "ff_width": 64, "core_blocks": 1})
    config.model.max_length = 16  # one length, one compile
    config.train.update({"total_steps": steps, "batch_size": 16, "warmup_steps": 5, "data_workers": 0})
    # Without rounding to int8, which makes a step of the last bit of a float.
    config.train.update({"save_every_steps": 25, "log_every_steps": 1, "quant_noise": False})
    return train.make_plan(config, Recipe.from_config(config.recipe), 0)


if __name__ == "__main__":
    main()
