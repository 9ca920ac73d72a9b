"""What answers are worth: right calls, right outcomes."""

from __future__ import annotations

import random

import pytest

from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, Call
from fernjax.sim.world import domain_names, load_domain
from fernjax.sim.worlds.rewards import ExactCall, RightOutcome, abstains, gold_calls, seeded_state


def scenarios_of(name, count):
    generator = Generator(load_domain(name), Recipe(dict.fromkeys(BUCKETS, 1.0)), 3)
    return [generator.scenario(i) for i in range(count)]


def simulated(domain):
    return RightOutcome("the simulator", domain, lambda asked: [domain.step(s, c) for s, c in asked])


@pytest.mark.parametrize("name", domain_names())
def test_gold_is_worth_one_and_another_call_mostly_nothing(name):
    scenarios, domain = scenarios_of(name, 60), load_domain(name)
    gold = [(s, gold_calls(s)) for s in scenarios]
    outcome = simulated(domain)
    assert ExactCall()(gold) == [1.0] * 60 and outcome(gold) == [1.0] * 60
    none = [(s, (Call(OUT_OF_SCOPE),)) for s in scenarios]
    assert ExactCall()(none) == outcome(none) == [float(abstains(c)) for _, c in gold]
    other = [(s, gold_calls(t)) for s, t in zip(scenarios, scenarios[1:] + scenarios[:1], strict=True)]
    for reward in (ExactCall(), outcome):
        assert sum(reward(other)) / 60 < 0.3


@pytest.mark.parametrize("name", domain_names())
def test_what_is_named_is_there(name):
    domain = load_domain(name)
    found = planted = total = 0
    for scenario in scenarios_of(name, 80):
        for call in gold_calls(scenario):
            if call.name != OUT_OF_SCOPE:
                seeded, blind = (
                    seeded_state(domain, scenario),
                    domain.initial_state(random.Random(str(scenario.seed)), scenario.row.query.now),
                )
                total += 1
                planted += domain.step(seeded, call)[1].status != "not_found"
                found += domain.step(blind, call)[1].status != "not_found"
    assert planted >= found and planted > 0.3 * total
