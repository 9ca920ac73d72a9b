import pytest

from fernjax.sim import coverage
from fernjax.sim.grammar import parse_grammar
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Query, Row
from fernjax.sim.world import domain_names, load_domain

GRAMMAR = """
[t] 1
<loop> = x | {d} <loop>
f: a {a} ({b}|{c}) [{e=big: {g}}]
g: &({a}; {c}) {h|i}
l: <loop>
"""


def test_pairs_that_a_grammar_says_together():
    found = {f"{a}{b}" for _, a, b in coverage.sayable_pairs(parse_grammar(GRAMMAR), "t")}
    assert found == set("ab ac ae ag be bg ce cg eg ah ai ch ci".split())


def test_what_was_not_said_is_named():
    domain = load_domain("calendar")
    query = Query("q", "x", "2026-03-04T09:30:00")
    row = Row(query, [{"delete_event": {"event": ["gym"], "date": ["2026-03-06"]}}])
    found = coverage.measure(domain, [row])
    assert found.tools["delete_event"] == found.arguments["delete_event.event"] == 1
    assert found.pairs["delete_event", "date", "event"] == 1
    missing = found.missing()
    assert "create_event" in missing and "update_event.new_title" in missing
    assert "delete_event" not in missing and "delete_event.date+event" not in missing
    assert found.to_json()["missing"] == missing


def test_arguments_that_no_real_row_tests_are_named():
    untested = coverage.untested_arguments(load_domain("calendar"))
    assert "create_event.title" not in untested and set(untested) < {
        f"{t.name}.{a.name}" for t in load_domain("calendar").tools for a in t.arguments
    }


@pytest.mark.slow
@pytest.mark.parametrize("app", domain_names())
def test_everything_that_can_be_said_is_said(app):
    domain = load_domain(app)
    generator = Generator(
        domain, Recipe({"in_distribution": 0.45, "multi_constraint": 0.5, "out_of_scope": 0.05}), 1
    )
    rows = []
    for _ in range(10):
        rows += [generator.scenario(i).row for i in range(len(rows), len(rows) + 3000)]
        missing = coverage.measure(domain, rows).missing()
        if not missing:
            return
    raise AssertionError(f"{app}: not said in {len(rows)} sentences: {missing}")
