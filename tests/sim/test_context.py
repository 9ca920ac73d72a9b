import dataclasses
import datetime
import random

import pytest

from fernjax.sim import pools
from fernjax.sim.context import Context
from fernjax.sim.mentions import extract
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.sentence import Said, Sentence
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.world import domain_names, load_domain

NOW = datetime.datetime(2026, 3, 4, 9, 30)
TOOLS = {
    "add": Tool("add", "", (Argument("item", "text", (), "", True, False),), False),
    "count": Tool("count", "", (Argument("of", "number", (), "", True, False),), False),
}


def draw(rng: random.Random, name: str) -> str:
    return rng.choice(pools.split(name, False))


def sentence(words: str, tool: str, argument: str, at: int) -> Sentence:
    split = words.split()
    return Sentence(split, [Said(0, argument, at, at + 1, [split[at]])], [tool], tool)


def test_a_context_stands_before_or_after_and_moves_no_slot():
    context, places = Context(draw), set()
    for seed in range(200):
        made = context.add(sentence("count 3 please", "count", "of", 1), random.Random(seed), NOW, TOOLS)
        assert made.words[made.said[0].first] == "3"
        places.add((made.words[0] == "count", made.words[-1] == "please"))
    assert places == {(True, False), (False, True)}


def test_a_text_at_the_end_is_followed_by_nothing_and_a_slot_at_the_start_is_led_by_nothing():
    context = Context(draw)
    for seed in range(200):
        assert (
            context.add(sentence("add milk", "add", "item", 1), random.Random(seed), NOW, TOOLS).words[-1]
            == "milk"
        )
        assert (
            context.add(sentence("milk added", "add", "item", 0), random.Random(seed), NOW, TOOLS).words[0]
            == "milk"
        )


@pytest.mark.parametrize("app", domain_names())
def test_a_context_changes_no_label(app):
    """The same scenarios with and without one have the same calls and skeletons."""
    domain = load_domain(app)
    plain = Recipe({"in_distribution": 1.0}, contrastive=0.0)
    without = Generator(domain, plain, 0)
    with_one = Generator(domain, dataclasses.replace(plain, context=1.0), 0)
    same = longer = 0
    for i in range(40):
        one, other = without.scenario(i), with_one.scenario(i)
        if one.template == other.template:  # else one of them was dropped and drawn again
            same += str(one.row.calls).lower() == str(other.row.calls).lower()
            assert one.skeleton == other.skeleton
            longer += len(other.row.query.text) > len(one.row.query.text) + 5
    assert same >= 36
    assert longer > 20


def test_what_is_said_of_oneself_holds_no_mention():
    context = Context(draw)
    for seed in range(300):
        words = context._words(context._before + context._after, random.Random(seed), NOW)
        text = " ".join(words).replace(" ~", "")
        found = [
            m for m in extract(text, NOW.isoformat(timespec="seconds")) if m.kind not in ("name", "place")
        ]
        assert not found, (text, found)
