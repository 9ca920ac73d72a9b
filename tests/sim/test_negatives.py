import pytest

from fernjax.sim import negatives
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import OUT_OF_SCOPE, UserError
from fernjax.sim.world import domain_names, load_domain

CALENDAR = load_domain("calendar")
ABSTAINS = [{OUT_OF_SCOPE: {}}]


def drawn(app: str, count: int = 60, **shares: float):
    recipe = Recipe({OUT_OF_SCOPE: 1.0}, **({"natural_negatives": 0.0} | shares))
    generator = Generator(load_domain(app), recipe, 3)
    return [generator.scenario(i) for i in range(count)]


@pytest.mark.parametrize("app", domain_names())
def test_near_misses_come_from_other_apps_and_hold_no_key_word(app):
    made = drawn(app, near_misses=1.0)
    foreign = [s for s in made if "/" in s.template]
    assert len(foreign) > 0.6 * len(made)
    assert all(s.row.calls == ABSTAINS and not s.slots for s in made)
    assert not any(s.template.startswith(f"{app}/") for s in foreign)
    domain = load_domain(app)
    assert sum(negatives.is_foreign(domain, s.row.query.text) for s in foreign) == len(foreign)


def test_shares_are_what_the_recipe_says():
    made = drawn("calendar", 400, natural_negatives=0.4, near_misses=0.2, how_tos=0.1)
    natural = sum(s.template == "natural" for s in made)
    near = sum("/" in s.template for s in made)
    how = sum(s.template == "out_of_scope.how_to" for s in made)
    assert 130 < natural < 190 and 55 < near < 105 and 22 < how < 60
    with pytest.raises(UserError, match="together at most 1"):
        Recipe({OUT_OF_SCOPE: 1.0}, natural_negatives=0.8, near_misses=0.3)


def test_without_shares_the_stream_is_the_old_one():
    plain = Recipe({OUT_OF_SCOPE: 0.5, "in_distribution": 0.5})
    none = plain.replace(near_misses=0.0, how_tos=0.0, contrastive_verbs=0.0)
    some = plain.replace(near_misses=0.3)
    texts = [
        [Generator(CALENDAR, r, 8).scenario(i).row.query.text for i in range(60)] for r in (plain, none, some)
    ]
    assert texts[0] == texts[1] != texts[2]
    in_scope = [i for i in range(60) if Generator(CALENDAR, plain, 8).scenario(i).row.calls != ABSTAINS]
    assert [texts[0][i] for i in in_scope] == [texts[2][i] for i in in_scope]


def test_how_to_questions_are_made_of_names_and_descriptions():
    made = [s.row.query.text.lower() for s in drawn("calendar", 200, how_tos=1.0)]
    assert len(set(made)) > 120
    assert any("delete event" in t for t in made)
    assert any("put an event" in t for t in made)
    assert not any("the user" in t for t in made)


def test_an_app_whose_business_how_to_questions_are_draws_those_of_others():
    wallet = load_domain("wallet")
    assert wallet.how_tos
    made = [s for s in drawn("wallet", 150, how_tos=1.0) if s.template == "out_of_scope.how_to"]
    assert len(made) > 75
    assert all(negatives.is_foreign(wallet, s.row.query.text) for s in made if s.row.query.text.islower())


def test_a_deed_is_said_by_the_user():
    deeds = {t.name: negatives._deed(t) for t in CALENDAR.tools}
    assert deeds["create_reminder"] == "remind me of something"
    assert deeds["list_events"] == "look up what is on my own calendar"
    assert deeds["find_free_time"] == "ask when i am free or busy"
