"""Keeps a round only where nothing got worse and the primary score got better than by chance.

Champion and challenger are paired seed by seed and sentence by sentence. Two questions, each answered
with a one-sided bound from a bootstrap over sentences and seeds:
- no count worse: the lower bound of `challenger - champion` of every set lies above minus the margin;
- the primary score better: its lower bound, against the champion and against the placebo, lies above 0.
A count that merely cannot be told from a worse one is refused too: that is what non-inferiority means.
Where the noise between the champion's seeds is larger than the margin, the reason says so: more seeds, or
more sentences, would tell.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from fernjax.loop.intervals import Draws
from fernjax.sim.grade import verdicts
from fernjax.sim.types import Prediction, Row

Results = Mapping[str, Sequence[Sequence[float]] | np.ndarray]
"""Marks of one arm by set, [S, N] in [0, 1], more is better; all arms have the same seeds and sentences.

`gate/public`, `gate/authored`, `gate/own`, `generated/BUCKET`, `negatives/KIND`
hold right full calls; `SET:force_fit` and `SET:over_abstention` hold 1 where that mistake was not made,
over the rows that it is counted on.
"""

PRIMARY_REAL = ("gate/own", "gate/public", "gate/authored")
"""The real set in the primary score: the first of these that is there. They are never averaged."""

MIN_SEEDS = 3
FAULTS = ("force_fit", "over_abstention")
PRIMARY_NAMES = {
    "primary": "the primary score",
    "primary over placebo": "the primary score, beside the placebo's,",
}
SHOWN_REASONS = 2
"""Reasons that the console shows; the report has all."""


class GateConfig(Protocol):
    """The keys of `config.gate`."""

    margin_real: float
    margin_bucket: float
    confidence: float
    bootstrap: int


@dataclasses.dataclass(frozen=True)
class Check:
    """One question of the gate and its answer. Scores are means over seeds and sentences.

    Attributes:
      name: a set of `Results`, `primary` or `primary over placebo`.
      n: sentences (0 for the primary score, which is of several sets).
      before, after: the score of the champion (or the placebo) and of the challenger.
      difference: `after - before`.
      bound: one-sided lower bound of the difference.
      floor: what the bound must reach (must exceed, for the primary score).
      passed: whether it does.
      noise: standard deviation over the seeds of the score before; None with one seed. Where it is larger
        than the margin, one seed's score says nothing about a change as small as the margin.
    """

    name: str
    n: int
    before: float
    after: float
    difference: float
    bound: float
    floor: float
    passed: bool
    noise: float | None

    def to_json(self) -> dict[str, Any]:
        """The attributes by name."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True)
class Decision:
    """The gate's answer.

    Attributes:
      kept: whether the challenger becomes the champion.
      reasons: what decided, each with its numbers.
      checks: every question, those that failed first.
      primary: what the primary score is made of.
      seeds, confidence: of the test.
    """

    kept: bool
    reasons: tuple[str, ...]
    checks: tuple[Check, ...]
    primary: str
    seeds: int
    confidence: float

    @property
    def reason(self) -> str:
        """All reasons in one line."""
        return "; ".join(self.reasons)

    @property
    def summary(self) -> str:
        """The first reasons, and how many more there are."""
        shown, more = self.reasons[:SHOWN_REASONS], len(self.reasons) - SHOWN_REASONS
        return "; ".join(shown) + (f"; and {more} more, see the report" if more > 0 else "")

    def to_json(self) -> dict[str, Any]:
        """`decision` is `kept` or `rejected`; the other keys are the attributes, and `reason`."""
        return {
            "decision": "kept" if self.kept else "rejected",
            "reason": self.reason,
            "reasons": list(self.reasons),
            "primary": self.primary,
            "seeds": self.seeds,
            "confidence": self.confidence,
            "checks": [check.to_json() for check in self.checks],
        }


def decide(
    champion: Results, challenger: Results, placebo: Results | None, config: GateConfig, seed: int = 0
) -> Decision:
    """Whether the challenger replaces the champion.

    Args:
      champion, challenger: marks on the same sets, sentences and seeds.
      placebo: marks of the placebo round, or None where none was run; then only the champion is to be beaten.
      config: margins, confidence, bootstrap draws.
      seed: of the bootstrap.

    Raises:
      ValueError: where the arms do not hold the same sets, seeds and sentences.
    """
    arms = [_arrays(arm) for arm in (champion, challenger, placebo) if arm is not None]
    _check_paired(arms)
    before, after = arms[0], arms[1]
    seeds = next(iter(before.values())).shape[0]
    draws = Draws(seeds, config.bootstrap, seed)
    noise = noise_floor(before)
    checks = [_check_set(name, before, after, draws, config, noise[name]) for name in before]
    checks.append(_check_primary("primary", before, after, draws, config, noise["primary"]))
    if placebo is not None:
        floor = noise_floor(arms[2])["primary"]
        checks.append(_check_primary("primary over placebo", arms[2], after, draws, config, floor))
    failed = [check for check in checks if not check.passed]
    kept = not failed and seeds >= MIN_SEEDS
    return Decision(
        kept=kept,
        reasons=_reasons(kept, seeds, failed, checks),
        checks=(*failed, *(check for check in checks if check.passed)),
        primary=describe_primary(before),
        seeds=seeds,
        confidence=config.confidence,
    )


def pair(answers: Sequence[Mapping[str, Sequence[Prediction]]], sets: Mapping[str, Sequence[Row]]) -> Results:
    """One arm's marks: right full calls of every set, and of real sets the two faults of scope too.

    Args:
      answers: one mapping a seed, predictions by set.
      sets: the rows that they answer.
    """
    out: dict[str, list[list[float]]] = {}
    for name, rows in sets.items():
        judged = [verdicts(by_set[name], rows) for by_set in answers]
        out[name] = [[float(v.full) for v in one] for one in judged]
        for fault in FAULTS if name.startswith("gate/") else ():
            marks = [[getattr(v, fault) for v in one] for one in judged]
            good = [[1.0 - mark for mark in one if mark is not None] for one in marks]
            if good[0]:
                out[f"{name}:{fault}"] = good
    return out


def primary_score(results: Results) -> float:
    """Mean of the real set's full calls and the worst bucket's, each a mean over the seeds."""
    arrays = _arrays(results)
    return float(_primary({name: marks.mean(keepdims=True).ravel() for name, marks in arrays.items()})[0])


def describe_primary(results: Results) -> str:
    """What the primary score of these sets is made of, in words."""
    real, buckets = _primary_sets(results)
    if real and buckets:
        return f"mean of full calls on {real} and on the worst generated bucket"
    if buckets:
        return (
            "full calls on the worst generated bucket; there are no real sentences, so nothing vouches for it"
        )
    return f"full calls on {real}"


def noise_floor(results: Results) -> dict[str, float | None]:
    """Standard deviation over the seeds of each set's score and of the primary one; None with one seed."""
    arrays = _arrays(results)
    by_seed = {name: marks.mean(axis=1) for name, marks in arrays.items()}
    by_seed["primary"] = _primary(by_seed)
    return {name: float(np.std(v, ddof=1)) if len(v) > 1 else None for name, v in by_seed.items()}


def _arrays(results: Results) -> dict[str, np.ndarray]:
    arrays = {name: np.asarray(marks, np.float64) for name, marks in results.items()}
    return {name: marks for name, marks in arrays.items() if marks.size}


def _check_paired(arms: Sequence[Mapping[str, np.ndarray]]) -> None:
    shapes = [{name: marks.shape for name, marks in arm.items()} for arm in arms]
    if any(s != shapes[0] for s in shapes[1:]):
        differ = sorted(name for name in set().union(*shapes) if len({s.get(name) for s in shapes}) > 1)
        raise ValueError(f"the arms are not of the same seeds and sentences in {', '.join(differ)}")
    if len({shape[0] for shape in shapes[0].values()}) != 1:
        raise ValueError(f"every set needs the same seeds: {shapes[0]}")


def _check_set(
    name: str,
    before: Mapping[str, np.ndarray],
    after: Mapping[str, np.ndarray],
    draws: Draws,
    config: GateConfig,
    noise: float | None,
) -> Check:
    difference = after[name] - before[name]
    margin = config.margin_real if name.startswith("gate/") else config.margin_bucket
    bound = float(np.quantile(draws.means(name, difference), 1 - config.confidence))
    return Check(
        name=name,
        n=difference.shape[1],
        before=float(before[name].mean()),
        after=float(after[name].mean()),
        difference=float(difference.mean()),
        bound=bound,
        floor=-margin,
        passed=bound >= -margin - 1e-12,
        noise=noise,
    )


def _check_primary(
    name: str,
    before: Mapping[str, np.ndarray],
    after: Mapping[str, np.ndarray],
    draws: Draws,
    config: GateConfig,
    noise: float | None,
) -> Check:
    drawn = {set_: draws.means(set_, marks) for set_, marks in before.items()}
    gained = {set_: drawn[set_] + draws.means(set_, after[set_] - before[set_]) for set_ in before}
    bound = float(np.quantile(_primary(gained) - _primary(drawn), 1 - config.confidence))
    scores = primary_score(before), primary_score(after)
    return Check(
        name=name,
        n=0,
        before=scores[0],
        after=scores[1],
        difference=scores[1] - scores[0],
        bound=bound,
        floor=0.0,
        passed=bound > 1e-12,
        noise=noise,
    )


def _primary_sets(results: Results) -> tuple[str, list[str]]:
    real = next((name for name in PRIMARY_REAL if name in results), "")
    buckets = [name for name in results if name.startswith("generated/") and ":" not in name]
    if not real and not buckets:
        raise ValueError(f"neither a real set nor a generated bucket among {sorted(results)}")
    return real, buckets


def _primary(means: Mapping[str, np.ndarray]) -> np.ndarray:
    """The primary score from the means of each set, elementwise."""
    real, buckets = _primary_sets(means)
    parts = [means[real]] if real else []
    if buckets:
        parts.append(np.min([means[bucket] for bucket in buckets], axis=0))
    return np.mean(parts, axis=0)


def explain(check: Check) -> str:
    """A check that failed, in words, with its numbers in percent."""
    c = as_told(check)
    margin = f"the margin of {100 * c.floor:+.1f}"
    if check.name in PRIMARY_NAMES:
        return f"{c.name} cannot be shown to be better: {_numbers(c)} is not above 0"
    if check.difference < check.floor:
        told = f"{c.name} is worse by more than {margin} points: {_numbers(c)}"
    else:
        side = "above" if _is_fault(check) else "below"
        told = f"{c.name} cannot be shown to be no worse: {_numbers(c)} is {side} {margin}"
    if check.noise is not None and check.noise > -check.floor:
        told += f" (a margin below the noise between seeds, {100 * check.noise:.1f})"
    return told


def as_told(check: Check) -> Check:
    """A check as people read it: a fault of scope as the rate of its mistake, less of which is better."""
    if check.name in PRIMARY_NAMES:
        return dataclasses.replace(check, name=PRIMARY_NAMES[check.name])
    if not _is_fault(check):
        return dataclasses.replace(check, name=f"full call on {check.name}")
    set_, _, fault = check.name.partition(":")
    return dataclasses.replace(
        check,
        name=f"{fault.replace('_', '-')} on {set_}",
        before=1 - check.before,
        after=1 - check.after,
        difference=-check.difference,
        bound=-check.bound,
        floor=-check.floor,
    )


def _reasons(kept: bool, seeds: int, failed: Sequence[Check], checks: Sequence[Check]) -> tuple[str, ...]:
    if kept:
        primary = as_told(next(check for check in checks if check.name == "primary"))
        return (f"no count worse beyond its margin, and the primary score better: {_numbers(primary)}",)
    few = (f"{seeds} {'seed' if seeds == 1 else 'seeds'}, at least {MIN_SEEDS} are needed",)
    return (*(few if seeds < MIN_SEEDS else ()), *map(explain, failed))


def _is_fault(check: Check) -> bool:
    return ":" in check.name


def _numbers(told: Check) -> str:
    side = "upper" if told.name.startswith(tuple(f.replace("_", "-") for f in FAULTS)) else "lower"
    return (
        f"{100 * told.before:.1f}% -> {100 * told.after:.1f}% ({100 * told.difference:+.1f} points), "
        f"{side} bound {100 * told.bound:+.1f}"
    )
