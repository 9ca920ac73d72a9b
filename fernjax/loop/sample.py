"""A sample of the data that a recipe makes: what was dropped, how varied it is, which real rows it met."""

from __future__ import annotations

import collections
import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator, real_sentences
from fernjax.sim.world import Domain

SIZE = 6000
"""Sentences of a sample; the shares that it gives are good to a tenth of a percent or so."""

SUSPICION = 0.001
"""A template is named where chance would give as many near-copies in fewer of so many cases."""


@dataclasses.dataclass(frozen=True)
class Sample:
    """Counts of a sample.

    Attributes:
      sampled: sentences drawn, the dropped ones included.
      kept: those that came through.
      dropped: dropped ones by reason.
      skeletons: distinct skeletons among the kept; what people wrote has none.
      templates: draws by template, near-copies included.
      near_copies: near-copies of real sentences by template.
      touched: real sentences that were nearly copied. Never written to a file: half of them are `final`.
    """

    sampled: int
    kept: int
    dropped: Mapping[str, int]
    skeletons: int
    templates: Mapping[str, int]
    near_copies: Mapping[str, int]
    touched: frozenset[str]

    def to_json(self) -> dict[str, Any]:
        return {
            "sampled": self.sampled,
            "kept": self.kept,
            "dropped": dict(self.dropped),
            "skeletons": self.skeletons,
            "near_copies": dict(self.near_copies),
            "touched": len(self.touched),
            "suspicious_templates": self.suspicious(),
        }

    def suspicious(self) -> list[str]:
        """Templates that meet real sentences more often than the others do."""
        total = sum(self.templates.values())
        copies = sum(self.near_copies.values())
        named = []
        for template, count in self.near_copies.items():
            others = total - self.templates[template]
            if others and count > 1:
                rate = max(copies - count, 1) / others
                if poisson_tail(count, rate * self.templates[template]) < SUSPICION / len(self.templates):
                    named.append(template)
        return sorted(named)


def draw(domain: Domain, recipe: Recipe, seed: int, size: int | None = None) -> Sample:
    """The first `size` (default `SIZE`) sentences of a stream, counted."""
    generator = Generator(domain, recipe, seed)
    skeletons: set[str] = set()
    templates: collections.Counter[str] = collections.Counter()
    size = SIZE if size is None else size
    texts = real_sentences(recipe.avoid_path)
    for index in range(size):
        scenario = generator.scenario(index)
        templates[scenario.template] += 1
        if scenario.skeleton:
            skeletons.add(scenario.skeleton)
    return Sample(
        sampled=generator.sampled,
        kept=size,
        dropped=dict(sorted(generator.dropped.items())),
        skeletons=len(skeletons),
        templates=templates + generator.near_copies,
        near_copies=dict(generator.near_copies.most_common()),
        touched=frozenset(texts[i] for i in generator.touched),
    )


def poisson_tail(count: int, mean: float) -> float:
    """Chance of `count` or more events where `mean` are expected."""
    term = below = math.exp(-mean) if count else 0.0
    for k in range(1, count):
        term *= mean / k
        below += term
    return max(0.0, 1.0 - below)
