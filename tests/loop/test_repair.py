import pytest

from fernjax.loop.diagnose import Finding
from fernjax.loop.repair import LEAST, MAX_CHANGES, MAX_HARD_NEGATIVES, MOST, mine_misfires, repair
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import OUT_OF_SCOPE, Call, Prediction

RECIPE = Recipe(buckets={"in_distribution": 0.7, "oov_values": 0.1, "out_of_scope": 0.2})


def finding(kind, subject, count=10):
    return Finding(kind, subject, {"generated": (count, 100)})


def no_misfires():
    return []


@pytest.mark.parametrize(
    "kind, subject, field",
    [
        ("confusion", "update_event>create_event", "pairs.create_event|update_event"),
        ("over_abstention", "update_event", "tools.update_event"),
        ("memorised", "oov_values", "wider_pools"),
        ("dropped", "create_event.date", "arguments.create_event.date"),
        ("invented", "create_event.date", "arguments.create_event.date"),
        ("span", "create_event.title", "arguments.create_event.title"),
        ("role", "update_event.date>new_date", "buckets.multi_constraint"),
        ("calls", "too few", "buckets.multi_call"),
        ("bucket", "oov_values", "buckets.oov_values"),
        ("force_fit", "create_event", "buckets.out_of_scope"),
    ],
)
def test_each_finding_has_one_change(kind, subject, field):
    recipe, changes = repair(RECIPE, [finding(kind, subject)], [], no_misfires)
    assert [c.field for c in changes] == [field]
    assert (
        changes[0].after < changes[0].before if kind == "invented" else changes[0].after > changes[0].before
    )
    assert recipe != RECIPE
    assert sum(recipe.buckets.values()) == pytest.approx(1.0, abs=1e-3)
    Recipe.from_json(recipe.to_json())


def test_force_fit_brings_in_mined_sentences_once():
    asked = []

    def mine():
        asked.append(1)
        return ["play some jazz", "Play some jazz!", "how tall is everest"]

    recipe, changes = repair(RECIPE, [finding("force_fit", "a")], [], mine)
    assert recipe.hard_negatives[0] == "play some jazz"
    assert changes[0].after == len(recipe.hard_negatives)
    both, changes = repair(RECIPE, [finding("force_fit", "a"), finding("force_fit", "b")], [], mine)
    assert both == recipe
    assert len(changes) == 1
    asked.clear()
    again, _ = repair(recipe, [finding("force_fit", "a")], [], mine)
    assert again.hard_negatives == recipe.hard_negatives  # nothing new: a bucket weight instead
    assert len(asked) == 1


def test_no_more_changes_than_can_be_told_apart():
    findings = [finding("span", f"create_event.a{i}") for i in range(9)]
    _, changes = repair(RECIPE, findings, [], no_misfires)
    assert [c.finding[1] for c in changes] == [f"create_event.a{i}" for i in range(MAX_CHANGES)]


def test_two_findings_do_not_change_one_field_twice():
    findings = [finding("dropped", "create_event.date"), finding("invented", "create_event.date")]
    recipe, changes = repair(RECIPE, findings, [], no_misfires)
    assert len(changes) == 1
    assert recipe.arguments == {"create_event.date": changes[0].after}


def test_what_was_rejected_waits_and_then_comes_back_stronger():
    first, second = finding("span", "create_event.title"), finding("span", "create_event.location", 2)
    _, once = repair(RECIPE, [first, second], [], no_misfires)
    _, other = repair(RECIPE, [first, second], [first.key], no_misfires)
    assert [c.finding for c in other] == [second.key]
    _, again = repair(RECIPE, [first], [first.key], no_misfires)
    assert again[0].after > once[0].after


@pytest.mark.parametrize("kind, bound", [("dropped", MOST), ("invented", LEAST)])
def test_no_multiplier_grows_without_bound(kind, bound):
    recipe, fields = RECIPE, []
    for _ in range(9):
        recipe, changes = repair(recipe, [finding(kind, "create_event.date")], [], no_misfires)
        fields.append(len(changes))
    assert recipe.arguments == {"create_event.date": bound}
    assert fields[0] == 1 and fields[-1] == 0


def test_pools_widen_from_nothing_step_by_step():
    recipe, _ = repair(RECIPE, [finding("memorised", "oov_values")], [], no_misfires)
    assert (RECIPE.wider_pools, recipe.wider_pools) == (0.0, 0.25)
    again, _ = repair(recipe, [finding("memorised", "oov_values")], [], no_misfires)
    assert again.wider_pools == 0.5


@pytest.mark.parametrize("argument", ["create_event.title", "create_event.location"])
def test_more_of_an_argument_is_more_of_it_in_the_data(domain, argument):
    """A slot that each of the tool's frames has, and one that is optional."""

    def said(recipe):
        tool, _, name = argument.partition(".")
        generator = Generator(domain, recipe.replace(buckets={"in_distribution": 1.0}), seed=5)
        calls = [c for i in range(400) for c in generator.scenario(i).row.calls]
        return sum(name in c.get(tool, {}) for c in calls)

    changed, _ = repair(RECIPE, [finding("span", argument)], [], no_misfires)
    assert 1.2 * said(RECIPE) < said(changed) < 3 * said(RECIPE)


def test_nothing_to_mend_changes_nothing():
    assert repair(RECIPE, [finding("error", "create_event")], [], no_misfires) == (RECIPE, [])


def test_misfires_are_plain_sentences_far_from_real_ones():
    def predict(queries):
        out = []
        for q in queries:
            if "fine" in q.text:
                out.append(Prediction((Call(OUT_OF_SCOPE),), outcome="abstained"))
            else:
                out.append(Prediction((Call("create_event"),), confidence=0.9 if "sure" in q.text else 0.4))
        return out

    texts = ["this is fine", "guess this one", "sure thing there", "move my dentist to friday please now"]
    mined = mine_misfires(predict, texts, ["Move my dentist to Friday, please, now."], "2026-03-04T09:30:00")
    assert mined == ["sure thing there", "guess this one"]
    many = [f"number {i} of many plain lines" for i in range(2 * MAX_HARD_NEGATIVES)]
    assert len(mine_misfires(predict, many, [], "2026-03-04T09:30:00")) == MAX_HARD_NEGATIVES
