"""A recipe says how data is made. Repairs change it; each round keeps its own in `rounds/NNN/recipe.json`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from fernjax.sim.types import BUCKETS, UserError

REPAIRED = ("tools", "templates", "arguments", "pairs", "hard_negatives", "avoid_path")
"""Fields that no config names: repairs fill them, and a run's own file."""


@dataclasses.dataclass(frozen=True)
class Recipe:
    """Weights and lists that steer the generator. Plain JSON values only.

    Attributes:
      buckets: weight per bucket.
      natural_negatives: share of `out_of_scope` that is plain text people wrote.
      near_misses: share of it that other apps are asked, without a key word of this app.
      how_tos: share of it that asks how to do what a tool does. The rest is the app's own frames.
      contrastive: share of sentences that come as one half of a minimal pair: neighbours in the stream with
        the same object and moment, and another tool.
      contrastive_verbs: share that comes as one half of a pair of one verb: the same words and other values,
        or another tool whose name begins with the same word.
      context: share of sentences with a word about oneself before or after the request ("i'm running late
        so ..."); minimal pairs and plain text have none.
      max_skeletons: 0, or the number of ways that each tool is worded in (the variety curve); prepositions
        and the like still vary.
      tools: multiplier per tool's weight.
      templates: multiplier per grammar rule's weight.
      arguments: multiplier per `tool.argument` of the weight of the frames that always say it, and of the
        chance of the optional parts that can.
      pairs: extra weight per `toolA|toolB` among the minimal pairs.
      wider_pools: share of the tasks and event names that are taken from plain text in place of the pools.
      hard_negatives: plain sentences that a model called for by mistake.
      avoid_path: a user's own real sentences (JSONL), near-copies of which are dropped like those of the
        shipped ones.
    """

    buckets: Mapping[str, float]
    natural_negatives: float = 0.38
    contrastive: float = 0.1
    max_skeletons: int = 0
    tools: Mapping[str, float] = dataclasses.field(default_factory=dict)
    templates: Mapping[str, float] = dataclasses.field(default_factory=dict)
    arguments: Mapping[str, float] = dataclasses.field(default_factory=dict)
    pairs: Mapping[str, float] = dataclasses.field(default_factory=dict)
    wider_pools: float = 0.0
    hard_negatives: tuple[str, ...] = ()
    avoid_path: str = ""
    near_misses: float = 0.0
    how_tos: float = 0.0
    contrastive_verbs: float = 0.0
    context: float = 0.0

    def __post_init__(self) -> None:
        unknown = sorted(set(self.buckets) - set(BUCKETS))
        if unknown:
            raise UserError(f"recipe: no bucket {unknown[0]!r}; there are: {', '.join(BUCKETS)}")
        if not any(w > 0 for w in self.buckets.values()):
            raise UserError("recipe: every bucket has weight 0; give at least one a weight")
        for kinds in (("natural_negatives", "near_misses", "how_tos"), ("contrastive", "contrastive_verbs")):
            if sum(getattr(self, k) for k in kinds) > 1.0 + 1e-9:
                raise UserError(f"recipe: {', '.join(kinds)} are shares of one whole; together at most 1")

    @classmethod
    def from_config(cls, config: Any) -> Recipe:
        """A recipe from `config.recipe`, which names all that no repair brings in: no default decides a run.

        Raises:
          UserError: a key is missing, or a recipe that cannot be.
        """
        values = config.to_dict() if hasattr(config, "to_dict") else dict(config)
        for field in dataclasses.fields(cls):
            if field.name not in values and field.name not in REPAIRED:
                raise UserError(f"config.recipe.{field.name} is missing; configs/base.py has it")
        return cls(**values)

    @classmethod
    def of_run(cls, config: Any) -> Recipe:
        """The first recipe of a run, kept clear of the run's own real sentences.

        Args:
          config: the whole config.
        """
        return cls.from_config(config.recipe).replace(avoid_path=config.real_path)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Recipe:
        values = dict(values)
        values["hard_negatives"] = tuple(values.get("hard_negatives", ()))
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        out = dataclasses.asdict(self)
        out["hard_negatives"] = list(self.hard_negatives)
        return out

    def replace(self, **changes: Any) -> Recipe:
        return dataclasses.replace(self, **changes)
