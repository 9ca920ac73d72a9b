import dataclasses

import pytest

from fernjax.sim import contrast
from fernjax.sim.grammar import parse_grammar
from fernjax.sim.real import KINDS, load_real
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.tools import parse_tools
from fernjax.sim.types import Observation, UserError
from fernjax.sim.world import Domain, domain_names, load_domain

PAIRS = Recipe({"in_distribution": 1.0}, contrastive=1.0)
VERBS = Recipe({"in_distribution": 1.0}, contrastive=0.0, contrastive_verbs=1.0)
TEXT = {"type": "string"}
TOOLS = parse_tools(
    [
        {"function": {"name": name, "parameters": {"properties": properties}}}
        for name, properties in {
            "freeze_card": {"card": TEXT},
            "show_card": {"account": TEXT},
            "show_rate": {"percent": {"type": "integer"}},
            "set_rate": {"percent": {"type": "integer"}, "card": TEXT},
            "say_hello": {},
            "out_of_scope": {},
        }.items()
    ]
)
GRAMMAR = """
<plastic> = %first_names ~'s (visa|amex) | (blue|green) card
[freeze_card] 1
<card> = <plastic>
a: (freeze|block) {card}
[show_card] 1
<account> = <plastic>
a: (show|read|display) {account}
[show_rate] 1
a: (say|give) {percent:bare}
[set_rate] 1
<card> = <plastic>
a: make it {percent:bare} [for {card}]
[say_hello] 1
a: hello
[out_of_scope] 1
a: (sing|dance|jump) now
"""
BANK = Domain(
    name="bank of tests",
    description="",
    tools=TOOLS,
    needs={},
    initial_state=lambda rng, now: {},
    step=lambda state, call: (state, Observation("done")),
    grammar=GRAMMAR,
)


def test_objects_are_found_in_tools_and_grammar():
    objects = contrast.find_objects(TOOLS, parse_grammar(GRAMMAR))
    assert {n: dict(o.arguments) for n, o in objects.items()} == {
        "plastic": {"freeze_card": "card", "show_card": "account"},
        "percent": {"show_rate": "percent", "set_rate": "percent"},
    }
    assert objects["plastic"].rule is not None and objects["percent"].rule is None


def test_the_calendars_object_is_its_event():
    calendar = load_domain("calendar")
    objects = contrast.find_objects(calendar.tools, parse_grammar(calendar.grammar))
    assert list(objects) == ["event"] and len(objects["event"].arguments) == 5


def test_pairs_of_alike_tools_weigh_more():
    objects = contrast.find_objects(TOOLS, parse_grammar(GRAMMAR))
    weights = contrast.same_object_pairs(TOOLS[:-1], objects, {"say_hello|freeze_card": 2.0})
    assert weights["freeze_card", "show_card"] == weights["set_rate", "show_rate"] == 1.0
    assert weights["freeze_card", "show_rate"] == contrast.UNALIKE
    assert weights["freeze_card", "say_hello"] == weights["say_hello", "freeze_card"] == 2.2
    verbs = contrast.same_verb_pairs(TOOLS[:-1])
    assert ("show_card", "show_rate") in verbs and ("freeze_card", "show_card") not in verbs
    assert ("freeze_card", "freeze_card") in verbs and ("say_hello", "say_hello") not in verbs


def halves(recipe: Recipe, domain: Domain = BANK, count: int = 60):
    generator = Generator(domain, recipe, 5)
    made = [generator.scenario(i) for i in range(2 * count)]
    return list(zip(made[::2], made[1::2], strict=True))


def test_the_halves_say_the_same_object_with_different_tools():
    alike = {frozenset(("freeze_card", "show_card")), frozenset(("show_rate", "set_rate"))}
    shared = total = 0
    for one, other in halves(PAIRS):
        (a, said_a), (b, said_b) = (next(iter(s.row.calls[0].items())) for s in (one, other))
        assert a != b
        if frozenset((a, b)) in alike:
            total += 1
            values = [{str(v[0]).lower() for v in said.values()} for said in (said_a, said_b)]
            shared += not values[0].isdisjoint(values[1])
    assert total > 15 and shared > 0.9 * total


def test_halves_of_one_verb_share_the_tool_or_its_verb():
    same_words = other_values = 0
    for one, other in halves(VERBS):
        a, b = (next(iter(s.row.calls[0])) for s in (one, other))
        assert contrast.verb_of(a) == contrast.verb_of(b)
        if a == b:
            same_words += one.skeleton == other.skeleton
            other_values += one.row.query.text != other.row.query.text
    assert same_words > 15 and other_values > 10


SHIPPED = [name for name in domain_names() if any(load_real(name, "gate", kind) for kind in KINDS)]


@pytest.mark.parametrize("app", SHIPPED)  # a draft of one's own may have no two tools of one object
def test_every_shipped_app_has_pairs(app):
    domain = load_domain(app)
    shared = 0
    for one, other in halves(PAIRS, domain, 30):
        said = [{str(x.value).lower() for x in s.slots} for s in (one, other)]
        shared += not said[0].isdisjoint(said[1])
    assert shared >= 8


def test_a_recipe_of_too_many_pairs_is_refused():
    with pytest.raises(UserError, match="together at most 1"):
        dataclasses.replace(PAIRS, contrastive_verbs=0.1)
