"""Names what fails: kinds of mistake, each with its count and, on generated sentences, examples.

Of the real gate only kinds and counts are kept, never words: a repair follows from them.
"""

from __future__ import annotations

import collections
import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from fernjax.loop.evaluate import Answers, Sets, gold_name, predicted_name
from fernjax.sim import grade
from fernjax.sim.tools import TEXT_TYPES
from fernjax.sim.types import BUCKETS, Prediction, Row
from fernjax.sim.world import Domain

Fault = tuple[str, str]
"""A kind of mistake and what it concerns: `("confusion", "update_event>create_event")`."""

OF_A_BUCKET = ("bucket", "memorised")
"""Kinds that are counted among one bucket's sentences, not among all."""

EXAMPLES = 3
MIN_COUNT = 2
"""Sentences, over all seeds, from which on a mistake is a finding."""

MEMORISED_GAP = 0.05
"""How much worse values from unseen pools may score before they count as memorised."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """One kind of mistake.

    Attributes:
      kind: `confusion`, `force_fit`, `over_abstention`, `calls` (their number), `dropped`, `invented`,
        `span`, `role`, `value`, `choice`, `memorised`, `bucket` or `error`.
      subject: what it concerns: `toolA>toolB`, a tool, `tool.argument` or a bucket.
      counts: per source (`gate`, `generated`, `negatives`), how often, and of how many sentences.
      examples: generated or natural sentences with label and answer.
    """

    kind: str
    subject: str
    counts: Mapping[str, tuple[int, int]]
    examples: tuple[Mapping[str, Any], ...] = ()

    @property
    def key(self) -> Fault:
        return self.kind, self.subject

    @property
    def severity(self) -> float:
        """Share of the sentences that it spoils, summed over the sources, each of which weighs the same."""
        share = sum(count / of for count, of in self.counts.values() if of)
        return share / len(BUCKETS) if self.kind in OF_A_BUCKET else share

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "subject": self.subject,
            "counts": {source: list(count) for source, count in self.counts.items()},
            "examples": [dict(e) for e in self.examples],
        }


def diagnose(domain: Domain, sets: Sets, predictions: Sequence[Answers]) -> list[Finding]:
    """Findings, worst first.

    Args:
      sets: rows by set; a `final` set is refused.
      predictions: one mapping a seed, of the same sets.
    """
    counts, examples = count_faults(domain, sets, predictions)
    sizes = _sizes(sets, len(predictions))
    findings = []
    for fault, per_source in counts.items():
        if sum(per_source.values()) < MIN_COUNT:
            continue
        shares = {source: (per_source[source], sizes[source]) for source in per_source}
        findings.append(Finding(*fault, shares, tuple(examples[fault][:EXAMPLES])))
    findings += _bucket_findings(sets, predictions)
    return sorted(findings, key=lambda f: (-f.severity, f.key))


def recount(
    findings: Sequence[Finding], domain: Domain, sets: Sets, predictions: Sequence[Answers]
) -> dict[Fault, dict[str, tuple[int, int]]]:
    """How often the same mistakes are made on other sentences, or by another model."""
    counts, _ = count_faults(domain, sets, predictions)
    sizes = _sizes(sets, len(predictions))
    for name, rows in sets.items():
        source, _, bucket = name.partition("/")
        if source == "generated":
            wrong = sum(not r for p in predictions for r in grade.per_row(p[name], rows))
            counts[("bucket", bucket)][source] = counts[("memorised", bucket)][source] = wrong
            sizes[f"bucket:{bucket}"] = len(rows) * len(predictions)

    def of(finding: Finding, source: str) -> int:
        return sizes[f"bucket:{finding.subject}" if finding.kind in OF_A_BUCKET else source]

    return {
        f.key: {source: (counts[f.key].get(source, 0), of(f, source)) for source in f.counts}
        for f in findings
    }


def count_faults(
    domain: Domain, sets: Sets, predictions: Sequence[Answers]
) -> tuple[dict[Fault, collections.Counter[str]], dict[Fault, list[dict[str, Any]]]]:
    """Every fault's count per source, and examples of it from sentences that are not real."""
    counts: dict[Fault, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    examples: dict[Fault, list[dict[str, Any]]] = collections.defaultdict(list)
    for name, rows in sets.items():
        source = name.partition("/")[0]
        assert source != "final", "nothing but counts ever leaves `final`"
        for answers in predictions:
            for row, prediction in zip(rows, answers[name], strict=True):
                for fault in find_faults(domain, row, prediction):
                    counts[fault][source] += 1
                    known = {example["query"] for example in examples[fault]}  # another seed's, mostly
                    if source != "gate" and len(known) < EXAMPLES and row.query.text not in known:
                        examples[fault].append(_example(row, prediction))
    return counts, examples


def find_faults(domain: Domain, row: Row, prediction: Prediction) -> list[Fault]:
    """What is wrong with one answer; [] where nothing is."""
    verdict = grade.judge(prediction, row)
    if verdict.full:
        return []
    if verdict.error:
        return [("error", gold_name(row))]
    if verdict.force_fit:
        return [("force_fit", predicted_name(prediction))]
    if verdict.over_abstention:
        return [("over_abstention", gold_name(row))]
    return _wrong_arguments(domain, row, prediction) or _wrong_tools(row, prediction)


def _wrong_tools(row: Row, prediction: Prediction) -> list[Fault]:
    gold = collections.Counter(grade.label_names(row.calls))
    called = collections.Counter(c.name for c in prediction.calls)
    if gold.total() != called.total():
        return [("calls", "too few" if called.total() < gold.total() else "too many")]
    pairs = zip((gold - called).elements(), (called - gold).elements(), strict=True)
    return [("confusion", f"{wanted}>{name}") for wanted, name in pairs]


def _wrong_arguments(domain: Domain, row: Row, prediction: Prediction) -> list[Fault]:
    """Faults of the arguments, where the tools are right; a value in another's place is one wrong role."""
    left = grade.argument_faults([prediction], [row])
    out: list[Fault] = []
    for fault in [f for f in left if f.kind != "dropped"]:
        home = next(
            (
                f
                for f in left
                if f is not fault and f.tool == fault.tool and grade.value_fits(fault.predicted, f.gold)
            ),
            None,
        )
        if home is not None:
            out.append(("role", f"{fault.tool}.{home.argument}>{fault.argument}"))
        elif fault.kind == "wrong":
            out.append((_kind_of_wrong(domain, fault), f"{fault.tool}.{fault.argument}"))
        else:
            out.append(("invented", f"{fault.tool}.{fault.argument}"))
    moved = {subject.rpartition(">")[0] for kind, subject in out if kind == "role"}
    out += [("dropped", f"{f.tool}.{f.argument}") for f in left if f.kind == "dropped"]
    return [f for f in dict.fromkeys(out) if f[0] != "dropped" or f[1] not in moved]


def _kind_of_wrong(domain: Domain, fault: grade.ArgumentFault) -> str:
    tool = domain.tool(fault.tool)
    argument = tool.argument(fault.argument) if tool else None
    assert argument is not None, f"{domain.name} has no {fault.tool}.{fault.argument}"
    if argument.type in TEXT_TYPES:
        return "span"
    return "choice" if argument.type == "choice" else "value"


def _bucket_findings(sets: Sets, predictions: Sequence[Answers]) -> list[Finding]:
    """The weakest bucket, and values that only work where they were seen in training."""
    share, counts = {}, {}
    for name, rows in sets.items():
        source, _, bucket = name.partition("/")
        if source == "generated" and rows:
            wrong = sum(not r for p in predictions for r in grade.per_row(p[name], rows))
            counts[bucket] = (wrong, len(rows) * len(predictions))
            share[bucket] = wrong / counts[bucket][1]
    findings = []
    if share and max(share.values()) > 0:
        weakest = max(share, key=lambda b: (share[b], b))
        findings.append(Finding("bucket", weakest, {"generated": counts[weakest]}))
    if share.get("oov_values", 0.0) - share.get("in_distribution", 0.0) > MEMORISED_GAP:
        findings.append(Finding("memorised", "oov_values", {"generated": counts["oov_values"]}))
    return findings


def _sizes(sets: Sets, seeds: int) -> dict[str, int]:
    sizes: dict[str, int] = collections.defaultdict(int)
    for name, rows in sets.items():
        sizes[name.partition("/")[0]] += len(rows) * seeds
    return sizes


def _example(row: Row, prediction: Prediction) -> dict[str, Any]:
    return {
        "query": row.query.text,
        "label": json.dumps(row.calls, ensure_ascii=False),
        "answer": json.dumps([c.to_json() for c in prediction.calls], ensure_ascii=False),
    }
