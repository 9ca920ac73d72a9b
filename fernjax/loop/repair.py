"""Each finding maps to one change of the recipe.

A repair sees kinds of mistake and counts. The only words that it brings in are plain sentences that the
model called for by mistake (hard negatives), never a real sentence or anything near one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fernjax.loop.diagnose import Fault, Finding
from fernjax.loop.evaluate import Predict
from fernjax.sim.recipe import Recipe
from fernjax.sim.text import NearCopies, normalize
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, Query

MAX_CHANGES = 4
"""Changes a round; the ledger tells apart what each did by recounting its own finding."""

MAX_HARD_NEGATIVES = 400
MORE, FEWER = 1.5, 0.67
"""A first step. Of `arguments` it is measured to make 1.5 an argument 1.4 to 2 times as frequent: the frames
that say it, the optional parts that do and, with its frames, its tool all weigh more."""

LEAST, MOST = 0.25, 4.0
"""Bounds of a multiplier, however many rounds ask for more: one tool must not crowd out the others."""

PAIR_STEP = 1.0
POOL_STEP = 0.25


@dataclasses.dataclass(frozen=True)
class Change:
    """One change of the recipe and the finding that it answers.

    Attributes:
      finding: the finding's key.
      field: the recipe's field, with its key where it is a mapping: `tools.update_event`.
      before, after: its value; of `hard_negatives` their number.
    """

    finding: Fault
    field: str
    before: Any
    after: Any

    def to_json(self) -> dict[str, Any]:
        return {
            "finding": list(self.finding),
            "field": self.field,
            "before": self.before,
            "after": self.after,
        }


def repair(
    recipe: Recipe, findings: Sequence[Finding], rejected: Sequence[Fault], mine: Callable[[], list[str]]
) -> tuple[Recipe, list[Change]]:
    """The recipe with at most `MAX_CHANGES` changes, for the worst findings that have a remedy.

    Args:
      findings: worst first.
      rejected: findings whose change a rejected round has tried from this recipe; they wait until all
        others have been tried, then get a second, stronger one.
      mine: plain sentences that the model calls for by mistake; asked for at most once, when needed.

    Returns:
      The changed recipe and its changes; the same recipe and [] where no finding has a remedy.
    """
    waiting = [f for f in findings if f.key not in rejected]
    again = [f for f in findings if f.key in rejected]
    changes: list[Change] = []
    for finding in waiting + again:
        if len(changes) == MAX_CHANGES or (changes and finding in again):
            break
        if finding.kind == "force_fit" and any(c.finding[0] == "force_fit" for c in changes):
            continue  # the same remedy, whichever tool was called by mistake
        strength = 1 + rejected.count(finding.key)
        changed, change = _remedy(recipe, finding, strength, mine)
        # One change a field, or the second would undo or double the first.
        if change is not None and change.field not in {c.field for c in changes}:
            recipe = changed
            changes.append(change)
    return recipe, changes


def mine_misfires(predict: Predict, texts: Sequence[str], real_texts: Sequence[str], now: str) -> list[str]:
    """Plain sentences, known to be out of scope, that the model calls a tool for.

    Args:
      texts: sentences that no evaluation holds.
      real_texts: sentences that nothing in training may be near to.

    Returns:
      The surest misfires first, at most `MAX_HARD_NEGATIVES`.
    """
    predictions = predict([Query(f"plain-{i}", text, now) for i, text in enumerate(texts)])
    misfires = [(-p.confidence, i) for i, p in enumerate(predictions) if p.outcome == "call"]
    near = NearCopies(real_texts)
    clean = [texts[i] for _, i in sorted(misfires) if near.match(texts[i]) is None]
    return clean[:MAX_HARD_NEGATIVES]


def _remedy(
    recipe: Recipe, finding: Finding, strength: int, mine: Callable[[], list[str]]
) -> tuple[Recipe, Change | None]:
    kind, subject = finding.key
    if kind == "confusion":
        gold, _, predicted = subject.partition(">")
        if OUT_OF_SCOPE in (gold, predicted):
            return _scale(recipe, finding, "tools", gold, MORE**strength)
        return _add_pair(recipe, finding, "|".join(sorted((gold, predicted))), PAIR_STEP * strength)
    if kind == "force_fit":
        return _add_hard_negatives(recipe, finding, strength, mine)
    if kind == "over_abstention":
        return _scale(recipe, finding, "tools", subject.partition("+")[0], MORE**strength)
    if kind == "memorised":
        return _widen(recipe, finding, POOL_STEP * strength)
    if kind in ("dropped", "span", "choice", "value"):
        return _scale(recipe, finding, "arguments", subject, MORE**strength)
    if kind == "invented":
        return _scale(recipe, finding, "arguments", subject, FEWER**strength)
    if kind == "role":
        # A role is only in doubt where several values stand side by side.
        return _weigh_bucket(recipe, finding, "multi_constraint", MORE**strength)
    if kind == "calls":
        return _weigh_bucket(recipe, finding, "multi_call", MORE**strength)
    if kind == "bucket":
        return _weigh_bucket(recipe, finding, subject, MORE**strength)
    assert kind == "error", f"finding of unknown kind {kind}"
    return recipe, None  # a sentence that is too long, or one that a remote model garbled: no data mends it


def _scale(
    recipe: Recipe, finding: Finding, field: str, key: str, factor: float
) -> tuple[Recipe, Change | None]:
    weights: Mapping[str, float] = getattr(recipe, field)
    before = weights.get(key, 1.0)
    after = round(min(MOST, max(LEAST, before * factor)), 3)
    if after == before:
        return recipe, None
    changed = recipe.replace(**{field: {**weights, key: after}})
    return changed, Change(finding.key, f"{field}.{key}", before, after)


def _add_pair(recipe: Recipe, finding: Finding, pair: str, step: float) -> tuple[Recipe, Change | None]:
    before = recipe.pairs.get(pair, 0.0)
    changed = recipe.replace(pairs={**recipe.pairs, pair: before + step})
    return changed, Change(finding.key, f"pairs.{pair}", before, before + step)


def _widen(recipe: Recipe, finding: Finding, step: float) -> tuple[Recipe, Change | None]:
    after = round(min(0.9, recipe.wider_pools + step), 3)
    if after <= recipe.wider_pools:
        return recipe, None
    return recipe.replace(wider_pools=after), Change(finding.key, "wider_pools", recipe.wider_pools, after)


def _weigh_bucket(
    recipe: Recipe, finding: Finding, bucket: str, factor: float
) -> tuple[Recipe, Change | None]:
    assert bucket in BUCKETS, bucket
    total = sum(recipe.buckets.values())
    shares = {b: w / total for b, w in recipe.buckets.items()}
    before = shares.get(bucket, 0.0)
    after = min(0.6, max(before, 0.02) * factor)
    if after <= before or before == 1.0:
        return recipe, None
    rest = (1 - after) / (1 - before)
    weights = {b: round(after if b == bucket else w * rest, 4) for b, w in (shares | {bucket: after}).items()}
    return recipe.replace(buckets=weights), Change(
        finding.key, f"buckets.{bucket}", round(before, 4), weights[bucket]
    )


def _add_hard_negatives(
    recipe: Recipe, finding: Finding, strength: int, mine: Callable[[], list[str]]
) -> tuple[Recipe, Change | None]:
    known = {normalize(t) for t in recipe.hard_negatives}
    found = [t for t in mine() if normalize(t) not in known]
    if not found:
        return _weigh_bucket(recipe, finding, "out_of_scope", MORE**strength)
    texts = (*recipe.hard_negatives, *dict.fromkeys(found))[-MAX_HARD_NEGATIVES:]
    change = Change(finding.key, "hard_negatives", len(recipe.hard_negatives), len(texts))
    return recipe.replace(hard_negatives=texts), change
