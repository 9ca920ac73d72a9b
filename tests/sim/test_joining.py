import random

import pytest

from fernjax.sim.joining import gap_request, join_requests, repeat_request
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.sentence import Said, Sentence
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.world import domain_names, load_domain


def tool(name: str, *arguments: str) -> Tool:
    known = tuple(Argument(a, "text", (), "", False, False) for a in arguments)
    return Tool(name, "", known, False)


ADD, REMOVE, SHOW = tool("add", "item", "list"), tool("remove", "item", "list"), tool("show", "list")


def said(tool_name: str, words: str, **places: int) -> Sentence:
    split = words.split()
    return Sentence(
        split, [Said(0, a, i, i + 1, [split[i]]) for a, i in places.items()], [tool_name], tool_name
    )


def label(sentence: Sentence) -> list[dict[str, str]]:
    calls: list[dict[str, str]] = [{} for _ in sentence.tools]
    for s in sentence.said:
        assert " ".join(sentence.words[s.first : s.last]) == s.values[0]
        calls[s.call][s.argument] = s.values[0]
    return calls


FOOD_ADD = said("add", "add milk to groceries", item=1, list=3)
FOOD_OUT = said("remove", "remove eggs", item=1)


def test_the_second_request_goes_on_where_the_first_began():
    both = join_requests(FOOD_ADD, FOOD_OUT, random.Random(0), (ADD, REMOVE), ("list",))
    assert label(both) == [{"item": "milk", "list": "groceries"}, {"item": "eggs", "list": "groceries"}]
    assert both.tools == ["add", "remove"]


def test_what_the_second_says_holds_for_the_first_where_the_tools_are_alike():
    both = join_requests(FOOD_OUT, FOOD_ADD, random.Random(0), (REMOVE, ADD), ("list",))
    assert label(both)[0] == {"item": "eggs", "list": "groceries"}
    show = said("show", "show hardware", list=1)
    both = join_requests(FOOD_OUT, show, random.Random(0), (REMOVE, SHOW), ("list",))
    assert label(both) == [{"item": "eggs"}, {"list": "hardware"}]


def test_nothing_is_shared_that_the_app_does_not_share_or_that_both_say():
    both = join_requests(FOOD_ADD, FOOD_OUT, random.Random(0), (ADD, REMOVE), ())
    assert label(both)[1] == {"item": "eggs"}
    own = said("remove", "remove eggs from hardware", item=1, list=3)
    both = join_requests(FOOD_ADD, own, random.Random(0), (ADD, REMOVE), ("list",))
    assert label(both)[1] == {"item": "eggs", "list": "hardware"}


def test_one_verb_for_two_values():
    for seed in range(40):
        both = repeat_request(FOOD_ADD, said("add", "tea", item=0), random.Random(seed), "item")
        assert label(both) == [{"item": "milk", "list": "groceries"}, {"item": "tea", "list": "groceries"}]
        assert both.words[0] == "add" and both.words[-1] == "groceries"


def test_a_request_is_not_repeated_where_it_cannot_be_told():
    rng = random.Random(0)
    assert repeat_request(FOOD_ADD, said("add", "milk", item=0), rng, "item") is None  # the same value
    assert repeat_request(said("add", "add"), said("add", "tea", item=0), rng, "item") is None
    within = Sentence(
        ["ana's", "cake"], [Said(0, "item", 0, 2, ["x"]), Said(0, "who", 0, 1, ["y"])], ["add"], "add"
    )
    assert repeat_request(within, said("add", "tea", item=0), rng, "item") is None


SHARING = [n for n in domain_names() if load_domain(n).shared or load_domain(n).repeats]


@pytest.mark.parametrize("app", SHARING)
def test_apps_share_and_repeat_arguments_that_their_tools_have(app):
    domain = load_domain(app)
    for name, argument in domain.repeats.items():
        assert domain.tool(name).argument(argument) is not None
    for shared in domain.shared:
        tool_name, _, argument = shared.rpartition(".")
        assert sum(t.argument(argument) is not None for t in domain.tools) > 1
        assert not tool_name or domain.tool(tool_name).argument(argument) is not None
    generator = Generator(domain, Recipe({"multi_call": 1.0}), 2)
    made = [generator.scenario(i) for i in range(150)]
    assert all(len(m.row.calls) == 2 for m in made)
    assert sum(generator.dropped.values()) / generator.sampled < 0.1
    if domain.repeats:
        twice = [
            m
            for m in made
            if [*m.row.calls[0]] == [*m.row.calls[1]] and [*m.row.calls[0]][0] in domain.repeats
        ]
        assert len(twice) > 0.15 * len(made)


def test_a_list_that_one_of_two_requests_names_is_that_of_both():
    generator = Generator(load_domain("lists"), Recipe({"multi_call": 1.0}), 2)
    shared = 0
    for i in range(150):
        made = generator.scenario(i)
        places = [s.span for s in made.slots if s.argument == "list"]
        shared += len(places) == 2 and places[0] == places[1]
    assert shared > 10


def test_one_tool_alone_may_take_an_argument_over():
    post, pin = tool("post", "text", "channel"), tool("pin", "channel")
    first, second = said("post", "post hi in random", text=1, channel=3), said("pin", "pin it")
    both = join_requests(first, second, random.Random(0), (post, pin), ("pin.channel",))
    assert label(both) == [{"text": "hi", "channel": "random"}, {"channel": "random"}]
    both = join_requests(first, second, random.Random(0), (post, pin), ("post.channel",))
    assert label(both) == [{"text": "hi", "channel": "random"}, {}]


def test_a_second_request_may_go_without_its_verb():
    first = said("add", "add milk to my groceries", item=1, list=4)
    second = said("add", "add stamps to my errands", item=1, list=4)
    made = {" ".join(gap_request(first, second, random.Random(i)).words) for i in range(40)}
    assert "add milk to my groceries and stamps to my errands" in made
    assert all(words.count("add") == 1 for words in made)
    for seed in range(20):
        assert label(gap_request(first, second, random.Random(seed))) == [
            {"item": "milk", "list": "groceries"},
            {"item": "stamps", "list": "errands"},
        ]


@pytest.mark.parametrize(
    "second",
    [
        said("add", "put stamps to my errands", item=1, list=4),  # other words
        said("add", "add milk to my errands", item=1, list=4),  # milk twice: said once
        said("add", "add stamps please", item=1),  # one argument of two
    ],
)
def test_no_verb_is_left_out_where_the_two_requests_are_not_alike(second):
    first = said("add", "add milk to my groceries", item=1, list=4)
    assert gap_request(first, second, random.Random(0)) is None


@pytest.mark.parametrize("app", domain_names())
def test_every_app_has_requests_without_their_second_verb(app):
    generator = Generator(load_domain(app), Recipe({"multi_call": 1.0}, contrastive=0.0), 0)
    rows = [generator.scenario(i) for i in range(60)]
    gapped = [s for s in rows if s.template.endswith("+gap")]
    assert gapped
    for scenario in gapped:
        names = [name for call in scenario.row.calls for name in call]
        assert len(names) == 2 and names[0] == names[1]
