"""The values of the real gate sentences can be had from mentions, resolver and words."""

import collections
import statistics
import time

import pytest

from fernjax.sim.copied import copied_value
from fernjax.sim.grade import equal
from fernjax.sim.mentions import extract
from fernjax.sim.real import KINDS, load_real
from fernjax.sim.resolve import kinds_of, resolve, takes
from fernjax.sim.tools import TEXT_TYPES, Argument, Tool
from fernjax.sim.types import Label, Mention, Row
from fernjax.sim.world import Domain, domain_names, load_domain

LONGEST = 32
"""Words of the longest stretch that is tried as a free text."""


def gate_rows(app: str) -> list[Row]:
    return [row for kind in KINDS for row in load_real(app, "gate", kind)]


APPS = [name for name in domain_names() if gate_rows(name)]


def lacking(domain: Domain, row: Row) -> list[str]:
    """`tool.argument` of the values that nothing in the sentence gives, under the label that lacks fewest."""
    mentions = extract(row.query.text, row.query.now, kinds_of(domain.tools))
    return min((_lacking(domain, row, label, mentions) for label in row.labels), key=len)


def _lacking(domain: Domain, row: Row, label: Label, mentions: list[Mention]) -> list[str]:
    out = []
    for call in label:
        for name, arguments in call.items():
            tool = domain.tool(name)
            for argument, accepted in ((tool.argument(a), v) for a, v in arguments.items()):
                if argument.type == "choice" or "" in accepted:
                    continue
                if not _is_had(argument, tool, row, accepted, mentions):
                    out.append(f"{name}.{argument.name}")
    return out


def _is_had(argument: Argument, tool: Tool, row: Row, accepted: list, mentions: list[Mention]) -> bool:
    if argument.type in (*TEXT_TYPES, "texts"):
        values = (
            copied_value(argument, row.query.text, span, mentions) for span in stretches(row.query.text)
        )
    else:
        fitting = [m for m in mentions if m.kind in takes(argument, tool)]
        values = (
            v
            for m in fitting
            for shared in (False, True)
            for v in resolve(m, argument, tool, row.query.now, mentions, shared)[:1]
        )
    return any(equal(value, right) for value in values for right in accepted)


def stretches(text: str) -> list[tuple[int, int]]:
    """Runs of whole words, and of words without what is glued to them ("gym," "bob's")."""
    starts = [i for i, c in enumerate(text) if c.isalnum() and (i == 0 or not text[i - 1].isalnum())]
    ends = [i + 1 for i, c in enumerate(text) if c.isalnum() and not text[i + 1 : i + 2].isalnum()]
    return [(s, e) for n, s in enumerate(starts) for e in ends[n : n + LONGEST + 4]]


@pytest.mark.parametrize("app", APPS)
def test_values_of_gate_sentences_can_be_had(app):
    domain, rows = load_domain(app), gate_rows(app)
    missed = [bad for row in rows if (bad := lacking(domain, row))]
    kinds = dict(collections.Counter(name for bad in missed for name in bad).most_common())
    print(f"{app}: {len(rows) - len(missed)} of {len(rows)}; lacking {kinds}")
    assert len(missed) <= max(0.03 * len(rows), 1), kinds


def test_the_gate_is_read_fast():
    """The median sentence in well under a millisecond, on a busy machine as well."""
    times = []
    for app in APPS:
        kinds = kinds_of(load_domain(app).tools)
        for row in gate_rows(app):
            best = min(_seconds(row, kinds) for _ in range(3))
            times.append(best)
    median_us = statistics.median(times) * 1e6
    print(f"{len(times)} sentences, {median_us:.0f} us each")
    assert median_us < 400


def _seconds(row: Row, kinds: frozenset[str]) -> float:
    began = time.perf_counter()
    extract(row.query.text, row.query.now, kinds)
    return time.perf_counter() - began
