"""A problem that trains in a second, for tests of the machinery around it."""

from __future__ import annotations

import dataclasses
import pathlib
import socket
import sys
from collections import Counter
from typing import Any

import numpy as np

from fernjax.sim.types import UserError


@dataclasses.dataclass(frozen=True)
class ToySource:
    """Random tokens; the label is their sum modulo 7."""

    seed: int = 0
    fails_at: int = -1  # index of an example that cannot be made
    redrawn: int = 0  # scenarios drawn again in each block
    poisoned: tuple[int, int] = (0, 0)  # indices [from, to) whose weight is not a number

    def examples(self, start: int, stop: int) -> tuple[list[dict[str, Any]], Counter[str]]:
        return [self._example(i) for i in range(start, stop)], Counter(odd=self.redrawn)

    def length(self, example: dict[str, Any]) -> int:
        return 16 if len(example["x"]) <= 16 else 32

    def collate(self, examples: Any, length: int) -> dict[str, np.ndarray]:
        x_BxL = np.zeros((len(examples), length), np.int32)
        for row, e in zip(x_BxL, examples, strict=True):
            row[: len(e["x"])] = e["x"]
        return {
            "x": x_BxL,
            "y": np.array([e["x"].sum() % 7 for e in examples], np.int32),
            "weight": np.array([e["weight"] for e in examples], np.float32),
            "index": np.array([e["index"] for e in examples], np.int32),
        }

    def _example(self, i: int) -> dict[str, Any]:
        if i == self.fails_at:
            raise UserError(f"example {i} cannot be made")
        rng = np.random.default_rng([self.seed, i])
        poisoned = self.poisoned[0] <= i < self.poisoned[1]
        x = rng.integers(0, 50, rng.integers(3, 30), dtype=np.int32)
        return {"x": x, "index": i, "weight": np.nan if poisoned else 1.0}


@dataclasses.dataclass(frozen=True)
class ToyProblem:
    """A bag of embeddings, one hidden layer, seven classes."""

    width: int = 32

    def init(self, seed: int) -> dict[str, Any]:
        import jax

        k = jax.random.split(jax.random.key(seed), 3)
        return {
            "embed": jax.random.normal(k[0], (50, self.width)),
            "core": [{"w": jax.random.normal(k[1], (self.width, 2 * self.width)) * 0.1}],
            "head": {"w": jax.random.normal(k[2], (2 * self.width, 7)) * 0.1, "bias": jax.numpy.zeros(7)},
        }

    dtype = "float32"

    def work(self, batch: Any) -> Any:
        from fernjax.model.metrics import Work

        tokens = int((batch["x"] != 0).sum())
        return Work(len(batch["x"]), tokens, 6.0 * tokens * self.width**2)

    def loss(self, params: Any, batch: Any) -> tuple[Any, dict[str, Any]]:
        import jax
        import jax.numpy as jnp

        h_BxF = jnp.tanh(params["embed"][batch["x"]] @ params["core"][0]["w"]).mean(1)
        logits_BxC = h_BxF @ params["head"]["w"] + params["head"]["bias"][None]
        nll_B = -jnp.take_along_axis(jax.nn.log_softmax(logits_BxC), batch["y"][:, None], 1)[:, 0]
        return (nll_B * batch["weight"]).mean(), {"right": (logits_BxC.argmax(-1) == batch["y"]).mean()}


def make_toy_plan(
    total_steps: int = 40, optimizer_name: str = "muon", source: ToySource | None = None, **changes: Any
) -> Any:
    """A plan of 40 steps of 8 examples that saves every 10 steps and logs every 5."""
    from fernjax.model import optimizer, trainer

    plan = trainer.Plan(
        problem=ToyProblem(),
        source=source or ToySource(),
        optimizer=optimizer.Settings(optimizer_name, weight_decay=0.05, clip_norm=1.0),
        schedule=trainer.Schedule(total_steps, 5, 0.4, (("adamw", 2e-3), ("muon", 0.02))),
        seed=0,
        batch_size=8,
        accumulate=1,
        data=0,
        fsdp=1,
        save_every_steps=10,
        log_every_steps=5,
        data_workers=0,
        profile_steps=0,
        start_from=None,
        arguments={"total_steps": total_steps, "optimizer": optimizer_name},
    )
    return dataclasses.replace(plan, **changes)


def free_address() -> str:
    """Of this host, for a job's first process."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{s.getsockname()[1]}"


def main() -> None:
    """`toy.py DIRECTORY TOTAL_STEPS WORKERS`: one training, to be killed; in several processes where told."""
    from fernjax.model import processes, trainer

    if processes.join() and not processes.is_first():
        return processes.follow({"train": trainer.take_part})
    plan = make_toy_plan(int(sys.argv[2]), data_workers=int(sys.argv[3]))
    with processes.leading():
        try:
            trainer.run(
                plan, pathlib.Path(sys.argv[1]), on_progress=lambda line: print(line["step"], flush=True)
            )
        except trainer.Stopped as stopped:
            print(stopped, flush=True)


if __name__ == "__main__":
    import toy  # under its own name, so that what is pickled here is found in other processes

    toy.main()
