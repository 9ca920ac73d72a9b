from fernjax.loop import sample
from fernjax.sim.recipe import Recipe
from fernjax.sim.world import load_domain


def test_what_people_wrote_is_no_skeleton():
    written = Recipe({"out_of_scope": 1.0}, natural_negatives=1.0)
    met = sample.draw(load_domain("calendar"), written, seed=0, size=30)
    assert met.skeletons == 0 and met.kept == 30
    assert sum(met.templates.values()) - sum(met.near_copies.values()) == 30


def test_skeletons_are_counted_once():
    made = sample.draw(
        load_domain("calendar"), Recipe({"in_distribution": 1.0}, max_skeletons=1), seed=0, size=60
    )
    assert 0 < made.skeletons < 60
