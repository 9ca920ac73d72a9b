"""Confidence: from the log-probabilities of an answer's decisions to the chance that all of it is right.

Beta calibration (Kull, Silva Filho and Flach, 2017): `sigmoid(a ln p - b ln(1 - p) + c)` with a, b >= 0, so
that the order of answers stays. It holds the plain logistic of Platt and the identity as special cases.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

BINS = 10
"""Bins of equal width that a calibration error is measured over."""

_TINY = 1e-6


@dataclasses.dataclass(frozen=True)
class Calibration:
    """A fitted curve, and the confidence below which an answer abstains.

    Attributes:
      a, b, c: the curve's coefficients; the default is the identity.
      threshold: a call whose confidence is lower becomes an abstention; 0 for none.
    """

    a: float = 1.0
    b: float = 1.0
    c: float = 0.0
    threshold: float = 0.0

    def confidence(self, logp: np.ndarray) -> np.ndarray:
        """Calibrated probabilities of answers, from the sums of their log-probabilities; same shape."""
        x, y = _features(np.asarray(logp, np.float64))
        return _sigmoid(self.a * x + self.b * y + self.c)

    def to_json(self) -> dict[str, float]:
        """The four coefficients by name."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Calibration:
        """What `to_json` gave."""
        return cls(**values)


def fit(logp: np.ndarray, right: np.ndarray, threshold: float = 0.0, strength: float = 1.0) -> Calibration:
    """The curve that fits held answers, by penalised maximum likelihood.

    Args:
      logp: summed log-probability of each answer, [n].
      right: whether it was right, [n].
      threshold: put into the result.
      strength: weight of the pull towards the identity, in observations: few answers move it little.

    Raises:
      ValueError: where there are no answers, or the lengths differ.
    """
    logp, right = np.asarray(logp, np.float64), np.asarray(right, np.float64)
    if logp.shape != right.shape or not logp.size:
        raise ValueError(f"{logp.shape} log-probabilities for {right.shape} answers")
    x, y = _features(logp)
    free = [0, 1, 2]
    while True:
        theta = _newton(np.stack([x, y, np.ones_like(x)], 1), right, free, strength)
        wrong = [i for i in (0, 1) if i in free and theta[i] < 0]
        if not wrong:
            a, b, c = (float(t) for t in theta)
            return Calibration(a, b, c, threshold)
        free.remove(min(wrong, key=lambda i: theta[i]))  # such a curve would turn the order round


def measure(confidence: np.ndarray | Sequence[float], right: np.ndarray | Sequence[bool]) -> dict[str, Any]:
    """Expected calibration error over `BINS` bins of equal width, and the bins that hold an answer.

    The mean over answers of the gap, in their bin, between mean confidence and the share that is right
    (Naeini et al., "Obtaining well calibrated probabilities using Bayesian binning", 2015).

    Returns:
      `{"ece": 0.03, "bins": [{"n", "right", "confidence"}, ...]}`; null and [] where there are no answers.

    Raises:
      ValueError: where the lengths differ.
    """
    confidence, right = np.asarray(confidence, np.float64), np.asarray(right, np.float64)
    if confidence.shape != right.shape:
        raise ValueError(f"{confidence.shape} confidences for {right.shape} answers")
    index = np.minimum((confidence * BINS).astype(int), BINS - 1)
    n, shares, sure = (
        np.bincount(index, weights=w, minlength=BINS) for w in (np.ones_like(right), right, confidence)
    )
    filled = [(int(n[b]), shares[b] / n[b], sure[b] / n[b]) for b in np.flatnonzero(n)]
    gap = float(np.abs(shares - sure).sum())
    return {
        "ece": round(gap / len(right), 4) if len(right) else None,
        "bins": [
            {"n": n_, "right": round(float(s), 4), "confidence": round(float(c), 4)} for n_, s, c in filled
        ],
    }


def _features(logp: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`ln p` and `-ln(1 - p)`, kept finite."""
    logp = np.minimum(logp, 0.0)
    return np.maximum(logp, -50.0), -np.log(np.maximum(-np.expm1(logp), _TINY))


def _newton(features: np.ndarray, right: np.ndarray, free: list[int], strength: float) -> np.ndarray:
    prior = np.array([1.0, 1.0, 0.0])
    theta = np.where(np.isin(np.arange(3), free), prior, 0.0)
    for _ in range(100):
        p = _sigmoid(features @ theta)
        gradient = features.T @ (p - right) + strength * (theta - prior)
        hessian = (features * (p * (1 - p))[:, None]).T @ features + strength * np.eye(3)
        step = np.zeros(3)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        theta = theta - step * min(1.0, 2.0 / max(np.abs(step).max(), _TINY))
        if np.abs(step).max() < 1e-9:
            break
    return theta


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1.0 + np.tanh(0.5 * x))
