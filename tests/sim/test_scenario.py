import json
import os
import random
import re
import subprocess
import sys

import pytest

from fernjax.sim import harvest, pools, scenario, values
from fernjax.sim.mentions import extract
from fernjax.sim.recipe import Recipe
from fernjax.sim.resolve import kinds_of, resolve
from fernjax.sim.scenario import Generator
from fernjax.sim.text import NearCopies
from fernjax.sim.tools import TEXT_TYPES
from fernjax.sim.types import BUCKETS, OUT_OF_SCOPE, Call, UserError
from fernjax.sim.values import natural
from fernjax.sim.world import domain_names, load_domain

CALENDAR = load_domain("calendar")
KINDS = kinds_of(CALENDAR.tools)
EVEN = Recipe(dict.fromkeys(BUCKETS, 1.0))


def fresh(recipe: Recipe = EVEN, seed: int = 1, held_out: bool = False) -> Generator:
    return Generator(CALENDAR, recipe, seed, held_out)


def only(bucket: str) -> Recipe:
    return Recipe({bucket: 1.0})


MANY = [fresh().scenario(i) for i in range(600)]


def test_the_same_seed_gives_the_same_sentences_in_another_process():
    script = (
        "import hashlib\n"
        "from fernjax.sim.recipe import Recipe\n"
        "from fernjax.sim.scenario import Generator\n"
        "from fernjax.sim.types import BUCKETS\n"
        "from fernjax.sim.world import load_domain\n"
        "g = Generator(load_domain('calendar'), Recipe({b: 1.0 for b in BUCKETS}), 1)\n"
        "print(hashlib.sha256(repr([g.scenario(i) for i in range(100)]).encode()).hexdigest())"
    )
    prints = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "77")
    }
    assert len(prints) == 1


@pytest.mark.parametrize("name", domain_names())
@pytest.mark.parametrize("held_out", [False, True])
def test_a_scenario_does_not_depend_on_the_ones_before(name, held_out):
    recipe = Recipe(
        dict.fromkeys(BUCKETS, 1.0) | {"messy": 3.0},
        natural_negatives=0.3,
        near_misses=0.3,
        how_tos=0.2,
        contrastive=0.2,
        contrastive_verbs=0.2,
        context=0.2,
        wider_pools=0.5,
        hard_negatives=("what a lovely day",),
    )
    one, other = (Generator(load_domain(name), recipe, 1, held_out) for _ in range(2))
    backward = [one.scenario(i) for i in reversed(range(150))]
    assert [other.scenario(i) for i in range(150)] == backward[::-1]


def test_every_slot_is_said_where_it_says():
    for made in MANY:
        for slot in made.slots:
            tool = CALENDAR.tool(next(iter(made.row.calls[slot.call])))
            argument = tool.argument(slot.argument)
            accepted = made.row.calls[slot.call][tool.name][slot.argument]
            assert slot.value == accepted[0]
            words = made.row.query.text[slot.span[0] : slot.span[1]]
            assert words == words.strip() and words
            if argument.type == "text":
                assert made.row.calls[slot.call][tool.name][slot.argument] == [words]
            elif argument.type not in TEXT_TYPES and argument.type != "choice":
                mentions = extract(made.row.query.text, made.row.query.now, KINDS)
                covering = [m for m in mentions if m.start < slot.span[1] and slot.span[0] < m.end]
                now = made.row.query.now
                got = [resolve(m, argument, tool, now, mentions, s) for m in covering for s in (False, True)]
                assert any(values and values[0] in accepted for values in got)


def test_every_tool_argument_and_bucket_appears():
    said = {(t, a) for s in MANY for call in s.row.calls for t, args in call.items() for a in args}
    wanted = {(t.name, a.name) for t in CALENDAR.tools for a in t.arguments}
    more = fresh(seed=2)
    for index in range(3000):
        if wanted <= said:
            break
        said |= {(t, a) for call in more.scenario(index).row.calls for t, args in call.items() for a in args}
    assert wanted <= said, wanted - said
    assert {s.bucket for s in MANY} == set(BUCKETS)


def test_buckets_hold_what_they_say():
    for index in range(40):
        assert len(fresh(only("multi_call")).scenario(index).row.calls) == 2
        assert list(fresh(only("out_of_scope")).scenario(index).row.calls[0]) == [OUT_OF_SCOPE]
        long = fresh(only("multi_constraint")).scenario(index)
        assert len(long.row.calls) == 1
    longs = [fresh(only("multi_constraint")).scenario(i).row.calls[0] for i in range(40)]
    assert sum(len(next(iter(c.values()))) >= 3 for c in longs) >= 36


def test_held_out_values_are_never_trained_on():
    for name in ("event_nouns", "first_names", "places"):
        assert not set(pools.split(name, True)) & set(pools.split(name, False))
    trained = {s.row.query.text for s in MANY}
    held = [fresh(only("oov_values"), seed=9, held_out=True).scenario(i).row.query.text for i in range(50)]
    assert not trained & set(held)


def test_a_near_copy_of_a_real_sentence_is_dropped_and_counted(monkeypatch):
    victim = MANY[3].row.query.text
    monkeypatch.setattr(scenario, "_near_copies", lambda path: NearCopies([victim.upper()]))
    generator = fresh()
    assert generator.scenario(3).row.query.text != victim
    assert generator.dropped["near_copy"] >= 1
    assert generator.near_copies[MANY[3].template] >= 1


def test_unhappy_answers_are_those_of_every_app_and_its_own():
    domain = load_domain("calendar")
    generator = Generator(domain, only("error_inducing"), 4)
    wanted = {*scenario.UNHAPPY, *domain.unhappy}
    seen = set()
    for index in range(300):
        row = generator.scenario(index).row
        state = domain.initial_state(random.Random(f"calendar/4/{index}/state"), row.query.now)
        for call in row.calls:
            for name, arguments in call.items():
                given = {a: v[0] for a, v in arguments.items() if v[0] != ""}
                state, answer = domain.step(state, Call(name, given))
                seen.add(answer.status)
    assert seen <= wanted and seen & set(domain.unhappy) and "not_found" in seen


def test_few_are_dropped():
    generator = fresh(only("in_distribution"))
    for index in range(300):
        generator.scenario(index)
    assert generator.dropped["ungrounded"] / generator.sampled < 0.15


def test_a_limit_on_skeletons_holds():
    free, tight = fresh(only("in_distribution")), fresh(Recipe({"in_distribution": 1.0}, max_skeletons=2))
    count = {s.skeleton for s in (free.scenario(i) for i in range(300))}
    few = {s.skeleton for s in (tight.scenario(i) for i in range(300))}
    assert len(few) < len(count) / 2


def test_half_of_the_halves_of_a_pair_share_their_words():
    generator = fresh(Recipe({"in_distribution": 1.0}, contrastive=1.0))
    shared = 0
    for index in range(0, 60, 2):
        a, b = generator.scenario(index), generator.scenario(index + 1)
        assert list(a.row.calls[0]) != list(b.row.calls[0])
        assert a.row.query.now == b.row.query.now
        texts = {a.row.query.text[s.span[0] : s.span[1]].lower() for s in a.slots}
        shared += any(t in b.row.query.text.lower() for t in texts)
    assert shared >= 15


def test_pairs_are_the_share_that_the_recipe_says():
    generator = fresh(EVEN.replace(contrastive=0.3))
    made = [generator.scenario(i) for i in range(400)]
    pairs = sum(a.row.query.now == b.row.query.now for a, b in zip(made[::2], made[1::2], strict=True))
    assert 0.2 < pairs / 200 < 0.4
    only_messy = fresh(Recipe({"messy": 1.0}, contrastive=1.0))
    assert {only_messy.scenario(i).bucket for i in range(20)} == {"messy"}


def test_a_users_own_sentences_are_avoided(tmp_path):
    mine = tmp_path / "mine.jsonl"
    mine.write_text(json.dumps({"query": MANY[5].row.query.text}) + "\n", encoding="utf-8")
    generator = fresh(EVEN.replace(avoid_path=str(mine)))
    assert generator.scenario(5).row.query.text != MANY[5].row.query.text
    assert generator.dropped["near_copy"] >= 1


def test_repairs_of_the_recipe_change_what_is_drawn():
    def count(recipe: Recipe, has) -> int:
        generator = fresh(recipe)
        return sum(has(generator.scenario(i)) for i in range(300))

    plain = Recipe({"in_distribution": 1.0})

    def titled(s) -> bool:
        return "title" in s.row.calls[0].get("create_event", {})

    assert count(plain.replace(arguments={"create_event.title": 2.0}), titled) > 1.2 * count(plain, titled)
    from_text = set(natural("natural_tasks", False)) - set(pools.pool("tasks"))

    def harvested(s) -> bool:
        return any(isinstance(slot.value, str) and slot.value.lower() in from_text for slot in s.slots)

    assert count(plain.replace(wider_pools=1.0), harvested) > 1.3 * max(count(plain, harvested), 5)


def test_recipes_travel_as_json():
    recipe = EVEN.replace(hard_negatives=("what time is it",), tools={"create_event": 2.0})
    assert Recipe.from_json(json.loads(json.dumps(recipe.to_json()))) == recipe
    with pytest.raises(UserError, match="no bucket 'mesy'"):
        Recipe({"mesy": 1.0})


@pytest.mark.slow
def test_there_are_a_hundred_thousand_distinct_skeletons():
    generator = fresh(Recipe({"in_distribution": 0.5, "multi_constraint": 0.5}))
    skeletons: set[str] = set()
    for index in range(200_000):
        skeletons.add(generator.scenario(index).skeleton)
        if len(skeletons) >= 100_000:
            return
    raise AssertionError(f"only {len(skeletons)} distinct skeletons in 200,000")


def test_other_tasks_are_none_of_the_apps_business():
    keywords = load_domain("calendar").keywords
    own = harvest.business(keywords)
    tasks = values.other_tasks(keywords, False)
    assert len(tasks) > 1000 and not any(own.search(t) for t in tasks)


def test_texts_and_choices_are_mistyped_as_people_do_and_the_label_says_what_is_copied():
    """A choice keeps its value ("make it hgih"); a text is copied with its typo."""
    domain = load_domain("tracker")
    grammar = set(re.findall(r"[a-z]+", domain.grammar.lower()))
    generator = Generator(domain, Recipe({"messy": 1.0}, contrastive=0.0), 0)
    mistyped = []
    for i in range(600):
        scenario = generator.scenario(i)
        for slot in scenario.slots:
            words = scenario.row.query.text[slot.span[0] : slot.span[1]].lower()
            if slot.argument in ("priority", "status", "kind"):
                mistyped += [w for w in re.findall("[a-z]+", words) if w not in grammar]
            if slot.argument == "label":
                assert words == slot.value.lower()
    assert len(mistyped) >= 5
