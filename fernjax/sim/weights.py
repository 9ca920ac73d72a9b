"""Names drawn by weight."""

from __future__ import annotations

import bisect
import itertools
import random
from collections.abc import Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Weighted(Generic[T]):
    """Names drawn by weight; those of weight 0 never.

    Attributes:
      names: those that can be drawn.
    """

    def __init__(self, weights: Mapping[T, float]):
        self.names = [n for n, w in weights.items() if w > 0]
        self._sums = list(itertools.accumulate(weights[n] for n in self.names))

    def draw(self, rng: random.Random) -> T:
        return self.names[bisect.bisect_right(self._sums, rng.random() * self._sums[-1])]
