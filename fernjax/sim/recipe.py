"""A recipe says how data is made. Repairs change it, round by round; the ledger keeps every version."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from fernjax.sim.types import BUCKETS, UserError


@dataclasses.dataclass(frozen=True)
class Recipe:
    """Weights and lists that steer the generator. Plain JSON values only.

    Attributes:
      buckets: weight per bucket.
      natural_negatives: share of `out_of_scope` that is plain text people wrote.
      contrastive: share of sentences that come as one half of a minimal pair.
      max_skeletons: 0, or the number of distinct phrasings that may be used (the variety curve).
      tools: multiplier per tool's weight.
      templates: multiplier per grammar rule's weight.
      arguments: multiplier per `tool.argument`'s chance to be said.
      pairs: extra weight per `toolA|toolB` among the minimal pairs.
      wider_pools: share of free texts that are taken from plain text in place of the pools.
      hard_negatives: plain sentences that a model called for by mistake.
    """

    buckets: Mapping[str, float]
    natural_negatives: float = 0.5
    contrastive: float = 0.1
    max_skeletons: int = 0
    tools: Mapping[str, float] = dataclasses.field(default_factory=dict)
    templates: Mapping[str, float] = dataclasses.field(default_factory=dict)
    arguments: Mapping[str, float] = dataclasses.field(default_factory=dict)
    pairs: Mapping[str, float] = dataclasses.field(default_factory=dict)
    wider_pools: float = 0.25
    hard_negatives: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        unknown = sorted(set(self.buckets) - set(BUCKETS))
        if unknown:
            raise UserError(f"recipe: no bucket {unknown[0]!r}; there are: {', '.join(BUCKETS)}")
        if not any(w > 0 for w in self.buckets.values()):
            raise UserError("recipe: every bucket has weight 0; give at least one a weight")

    @classmethod
    def from_config(cls, config: Any) -> Recipe:
        """The first recipe of a run, from `config.recipe`."""
        values = config.to_dict() if hasattr(config, "to_dict") else dict(config)
        return cls(**values)

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
