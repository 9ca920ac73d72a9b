"""Intervals: of a fraction, of a mean over seeds, and of the difference of two models.

A figure over several seeds varies by the sentences that were drawn and by the seeds that were trained;
the bootstraps here draw both anew. Drawing both counts what is peculiar to one sentence under one seed three
times (A. B. Owen, "The pigeonhole bootstrap", 2007), and three seeds drawn from three vary too little; so
draws are stretched about their mean to the unbiased variance of a two-way layout. Everything is a pure
function of its seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fernjax.sim.grade import MARKS, Verdict, wilson

__all__ = ["Draws", "linearise", "mean_over_seeds", "scores_json", "variance_of_mean", "wilson"]


class Draws:
    """Bootstrap draws of seeds, shared by all sets, and of the sentences of each set.

    S seeds, N sentences of a set, R draws.
    """

    def __init__(self, seeds: int, draws: int, seed: int):
        self._rng = np.random.default_rng(seed)
        self.weight_RxS = self._rng.multinomial(seeds, np.full(seeds, 1 / seeds), size=draws) / seeds
        self._sentences: dict[str, np.ndarray] = {}

    def means(self, name: str, marks_SxN: np.ndarray) -> np.ndarray:
        """Mean of a set's marks, or of the paired differences of two arms, in each draw, [R].

        The same `name` draws the same sentences.
        """
        n = marks_SxN.shape[1]
        if name not in self._sentences:
            draws = len(self.weight_RxS)
            drawn = self._rng.integers(n, size=(draws, n)) + np.arange(draws)[:, None] * n
            self._sentences[name] = np.bincount(drawn.ravel(), minlength=draws * n).reshape(draws, n) / n
        drawn = np.einsum("rn,rn->r", self.weight_RxS @ marks_SxN, self._sentences[name])
        spread = drawn.std()
        if spread < 1e-12:
            return drawn
        mean = marks_SxN.mean()
        return mean + (drawn - drawn.mean()) * (math.sqrt(variance_of_mean(marks_SxN)) / spread)


def linearise(top_SxN: np.ndarray, bottom_SxN: np.ndarray) -> np.ndarray:
    """Marks [S, N] whose mean over sentences is each seed's ratio of two sums, and varies as it does.

    Each sentence gets the ratio and its own part in the ratio's first-order expansion (B. Efron, "The
    jackknife, the bootstrap and other resampling plans", 1982, chapter 6), so that seeds and sentences can be
    drawn as those of a mean. The ratio of nothing is 0.
    """
    mean_Sx1 = np.maximum(bottom_SxN.mean(axis=1, keepdims=True), 1e-12)
    ratio_Sx1 = top_SxN.mean(axis=1, keepdims=True) / mean_Sx1
    marks_SxN: np.ndarray = ratio_Sx1 + (top_SxN - ratio_Sx1 * bottom_SxN) / mean_Sx1
    return marks_SxN


def variance_of_mean(marks_SxN: np.ndarray) -> float:
    """Unbiased variance of the mean of marks over seeds and sentences that are both a sample.

    Two-way layout without replication: `var_seed / S + var_sentence / N + var_rest / (S N)`, each component
    from its mean square, none below 0. (S. R. Searle et al., "Variance components", 1992, section 4.3.)
    """
    seeds, n = marks_SxN.shape
    by_seed, by_sentence = marks_SxN.mean(axis=1), marks_SxN.mean(axis=0)
    if seeds == 1:
        return float(by_sentence.var(ddof=1) / n) if n > 1 else 0.0
    if n == 1:
        return float(by_seed.var(ddof=1) / seeds)
    rest = marks_SxN - by_seed[:, None] - by_sentence[None, :] + marks_SxN.mean()
    rest_square = float((rest**2).sum() / ((seeds - 1) * (n - 1)))
    seed_square = float(n * by_seed.var(ddof=1))
    sentence_square = float(seeds * by_sentence.var(ddof=1))
    extra = max(0.0, seed_square - rest_square) + max(0.0, sentence_square - rest_square)
    return (rest_square + extra) / (seeds * n)


def mean_over_seeds(
    marks_SxN: np.ndarray | Sequence[Sequence[float]],
    confidence: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
) -> tuple[float, float, float]:
    """Mean of marks in [0, 1], and its two-sided interval by bootstrap over sentences and seeds.

    Where every mark is the same the bootstrap sees no spread; Wilson's interval of one seed's sentences
    then stands in.
    """
    marks = np.asarray(marks_SxN, np.float64)
    mean = float(marks.mean())
    if marks.min() == marks.max():
        low, high = wilson(round(mean * marks.shape[1]), marks.shape[1], confidence)
        return mean, low, high
    drawn = Draws(marks.shape[0], draws, seed).means("", marks)
    low, high = np.quantile(drawn, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return mean, max(0.0, float(low)), min(1.0, float(high))  # stretched draws may leave [0, 1]


def scores_json(verdicts: Sequence[Sequence[Verdict]], seed: int = 0) -> dict[str, Any]:
    """What `Counts.to_json` says of one seed, of several: means, with intervals over sentences and seeds.

    Args:
      verdicts: one list a seed, of the same rows.
    """
    out: dict[str, Any] = {"n": len(verdicts[0]), "seeds": len(verdicts)}
    for mark, n_key in MARKS.items():
        marks = [[getattr(v, mark) for v in one] for one in verdicts]
        counted = [[float(m) for m in one if m is not None] for one in marks]
        out[n_key] = len(counted[0])
        mean, low, high = mean_over_seeds(counted, seed=seed) if counted[0] else (None, None, None)
        out[mark] = mean
        out[f"{mark}_ci"] = None if mean is None else [low, high]
        out[f"{mark}_by_seed"] = [sum(one) / len(one) for one in counted] if counted[0] else None
    out["errors"] = sum(v.error for one in verdicts for v in one) / len(verdicts)
    return out
