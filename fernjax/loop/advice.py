"""What to improve first, told to whoever owns the app: each finding as a place and a thing to do there.

The loop repairs its recipe by itself; what a recipe cannot mend, missing ways to ask above all, is
for the app's file. Of real sentences only kinds and counts come in here, as in `diagnose`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fernjax.loop.diagnose import Finding
from fernjax.sim.types import OUT_OF_SCOPE

MAX_ADVICE = 6

REAL = ("gate",)
"""Sources whose findings come first: what real sentences show, generated ones cannot."""


def advise(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """At most `MAX_ADVICE` pieces of advice, the most sentences at stake first.

    Returns:
      Per piece: `kind` and `subject` of its finding, `counts` per source (how often, of how many
      sentences over all seeds), `place` in the app's phrasing, and `advice`.
    """
    told = []
    for finding in sorted(findings, key=lambda f: (-_share(f, REAL), -f.severity, f.key)):
        place, advice = _remedy(finding)
        if advice:
            counts = {source: list(count) for source, count in finding.counts.items()}
            about = {"kind": finding.kind, "subject": finding.subject, "counts": counts}
            told.append(about | {"place": place, "advice": advice})
    return told[:MAX_ADVICE]


def _share(finding: Finding, sources: Sequence[str]) -> float:
    counted: Mapping[str, tuple[int, int]] = finding.counts
    return sum(counted[s][0] / counted[s][1] for s in sources if s in counted and counted[s][1])


def _remedy(finding: Finding) -> tuple[str, str]:
    """Where to go, and what to do there; ("", "") for what no phrasing mends."""
    kind, subject = finding.key
    tool, _, argument = subject.partition(".")
    if kind == "over_abstention":
        first = subject.partition("+")[0]
        return f"[{first}]", "it is not recognised: add the ways that people ask for it, a line each"
    if kind == "confusion":
        gold, _, called = subject.partition(">")
        if gold == OUT_OF_SCOPE:
            return f"[{OUT_OF_SCOPE}]", f"near misses are taken for {called}: add such requests here"
        if called == OUT_OF_SCOPE:
            return f"[{gold}]", "it is not recognised: add the ways that people ask for it, a line each"
        return (
            f"[{gold}] and [{called}]",
            f"{gold} is taken for {called}: add words that only one of them is asked with",
        )
    if kind == "force_fit":
        return f"[{OUT_OF_SCOPE}]", f"what no tool is for is taken for {subject}: add such requests here"
    if kind == "calls":
        return (
            "recipe.buckets.multi_call",
            f"{subject} calls: weigh sentences with two requests more, or less",
        )
    if kind == "dropped":
        return f"[{tool}]", f"{argument} is missed: add the ways to say it and the places it stands in"
    if kind == "invented":
        return (
            f"[{tool}]",
            f"{argument} is heard where nobody says it: add requests with the same words and without it",
        )
    if kind == "span":
        return (
            f"[{tool}] <{argument}>",
            f"{argument} begins or ends at the wrong word: widen its values and what follows it",
        )
    if kind == "role":
        return f"[{tool}]", "one value is taken for another's: add requests that say both, in either order"
    if kind == "choice":
        return f"[{tool}]", f"a wrong value of {argument}: add the words that stand for each"
    if kind == "memorised":
        return (
            "the pools",
            "values not seen in training score worse: widen the pools that texts are drawn from",
        )
    return "", ""
