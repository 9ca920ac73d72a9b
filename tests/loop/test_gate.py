import types

import numpy as np
import pytest

from fernjax.loop import gate
from fernjax.loop.gate import decide
from fernjax.sim.types import OUT_OF_SCOPE, Call, Prediction, Query, Row

CONFIG = types.SimpleNamespace(margin_real=0.02, margin_bucket=0.03, confidence=0.90, bootstrap=300)

SIZES = {
    "gate/public": 72,
    "gate/authored": 24,
    "generated/in_distribution": 200,
    "generated/messy": 200,
    "generated/out_of_scope": 200,
    "negatives/natural": 300,
    "negatives/templated": 300,
}
BASE = {"gate/public": 0.75, "gate/authored": 0.6, "generated/messy": 0.7}


def draw(rng, hardness, gain=0.0, seeds=3):
    """Marks of one arm: each sentence has its own chance, each seed shifts them a little."""
    out = {}
    for name, ease in hardness.items():
        shift = rng.normal(0, 0.01, size=(seeds, 1))
        out[name] = (rng.random((seeds, ease.size)) < np.clip(ease + shift + gain, 0, 1)).astype(float)
    return out


def hardness(rng):
    """A chance per sentence: most are sure, some are near a coin's."""
    out = {}
    for name, n in SIZES.items():
        base = BASE.get(name, 0.9)
        out[name] = np.where(rng.random(n) < base, 0.97, 0.1)
    return out


def uniform(value, seeds=3, **changes):
    arm = {name: np.full((seeds, n), value) for name, n in SIZES.items()}
    return arm | {
        name.replace("__", "/"): np.full((seeds, SIZES[name.replace("__", "/")]), v)
        for name, v in changes.items()
    }


def test_the_same_answers_are_refused():
    arm = draw(np.random.default_rng(0), hardness(np.random.default_rng(1)))
    decision = decide(arm, arm, None, CONFIG)
    assert not decision.kept
    assert [c.name for c in decision.checks if not c.passed] == ["primary"]
    assert "the primary score cannot be shown to be better" in decision.reason
    assert "is not above 0" in decision.reason


def test_identical_recipes_are_seldom_kept():
    rng = np.random.default_rng(3)
    kept = 0
    for trial in range(60):
        ease = hardness(rng)
        arms = [draw(rng, ease) for _ in range(3)]
        kept += decide(*arms, CONFIG, seed=trial).kept
    assert kept / 60 <= 0.10


def test_a_clearly_better_recipe_is_kept():
    rng = np.random.default_rng(4)
    kept = 0
    for trial in range(30):
        ease = hardness(rng)
        champion, placebo = draw(rng, ease), draw(rng, ease)
        kept += decide(champion, draw(rng, ease, gain=0.2), placebo, CONFIG, seed=trial).kept
    assert kept / 30 >= 0.9


def test_the_primary_test_has_its_level():
    """Alone, without the other counts, equal arms pass in about one of ten."""
    rng = np.random.default_rng(5)
    passed = 0
    for trial in range(150):
        ease = np.where(rng.random(150) < 0.7, 0.9, 0.3)
        arms = [{"gate/public": (rng.random((5, 150)) < ease).astype(float)} for _ in range(2)]
        passed += decide(*arms, None, CONFIG, seed=trial).kept
    assert 0.03 <= passed / 150 <= 0.2


@pytest.mark.parametrize("name", SIZES)
def test_one_worse_count_refuses(name):
    champion = uniform(0.6)
    challenger = {n: marks + (0.2 if n != name else -0.1) for n, marks in champion.items()}
    decision = decide(champion, challenger, champion, CONFIG)
    assert not decision.kept
    assert name in {c.name for c in decision.checks if not c.passed}
    assert f"full call on {name} is worse by more than the margin" in decision.reason
    assert "60.0% -> 50.0% (-10.0 points), lower bound -10.0" in decision.reason


def test_margins_differ_by_kind():
    champion = uniform(0.5)
    better = {n: marks + 0.1 for n, marks in champion.items()}

    def failed(**changes):
        decision = decide(champion, better | uniform(0.6, **changes), None, CONFIG)
        return {c.name for c in decision.checks if not c.passed}

    assert failed() == set()
    assert failed(gate__authored=0.475) == {"gate/authored"}
    assert failed(gate__authored=0.485) == set()
    assert failed(negatives__natural=0.475) == set()
    assert failed(negatives__natural=0.465) == {"negatives/natural"}


def test_what_the_placebo_gained_is_not_the_repairs():
    champion, gained = uniform(0.5), uniform(0.6)
    assert decide(champion, gained, None, CONFIG).kept
    assert decide(champion, gained, champion, CONFIG).kept
    refused = decide(champion, gained, gained, CONFIG)
    assert not refused.kept and "beside the placebo's" in refused.reason


def test_a_count_that_may_be_worse_is_told_from_one_that_is():
    rng = np.random.default_rng(6)
    champion = uniform(0.5)
    noisy = (rng.random((3, SIZES["gate/authored"])) < 0.5).astype(float)
    noisy[:, :8] = 0.5
    noisy -= noisy.mean() - 0.5
    challenger = uniform(0.7) | {"gate/authored": noisy}
    decision = decide(champion, challenger, None, CONFIG)
    (reason,) = decision.reasons
    assert reason.startswith("full call on gate/authored cannot be shown to be no worse: 50.0% -> 50.0%")
    assert reason.endswith("is below the margin of -2.0")


def test_fewer_than_three_seeds_are_refused():
    decision = decide(uniform(0.5, seeds=2), uniform(0.9, seeds=2), None, CONFIG)
    assert not decision.kept and decision.reason == "2 seeds, at least 3 are needed"


def test_a_mistake_is_told_as_the_rate_that_the_tables_show():
    """The gate counts what was not mistaken; 1.000 -> 0.971 there is a rate of 0 -> 2.9%."""
    champion = uniform(0.5) | {"gate/public:force_fit": np.ones((3, 20))}
    challenger = uniform(0.7) | {"gate/public:force_fit": np.full((3, 20), 0.971)}
    (reason,) = decide(champion, challenger, None, CONFIG).reasons
    assert reason == (
        "force-fit on gate/public is worse by more than the margin of +2.0 points: "
        "0.0% -> 2.9% (+2.9 points), upper bound +2.9"
    )
    check = gate.Check("gate/own:over_abstention", 20, 1.0, 0.99, -0.01, -0.03, -0.02, False, None)
    assert gate.explain(check).endswith(
        "no worse: 0.0% -> 1.0% (+1.0 points), upper bound +3.0 is above the margin of +2.0"
    )


def test_the_console_shows_the_first_reasons():
    decision = decide(uniform(0.6), uniform(0.5), None, CONFIG)
    assert len(decision.reasons) == len(SIZES) + 1
    assert decision.summary.startswith("; ".join(decision.reasons[:2]))
    assert decision.summary.endswith("; and 6 more, see the report")
    assert decision.to_json()["reasons"] == list(decision.reasons)
    assert decide(uniform(0.5), uniform(0.5), None, CONFIG).summary.count("better") == 1


def test_decisions_repeat_and_become_json():
    rng = np.random.default_rng(7)
    ease = hardness(rng)
    arms = [draw(rng, ease), draw(rng, ease, 0.1), draw(rng, ease)]
    one = decide(*arms, CONFIG, seed=5).to_json()
    assert one == decide(*arms, CONFIG, seed=5).to_json()
    assert one["decision"] in ("kept", "rejected") and one["seeds"] == 3
    assert {c["name"] for c in one["checks"]} == {*SIZES, "primary", "primary over placebo"}


def test_arms_must_be_paired():
    with pytest.raises(ValueError, match="gate/public"):
        decide(uniform(0.5), uniform(0.5) | {"gate/public": np.ones((3, 71))}, None, CONFIG)
    with pytest.raises(ValueError, match="generated/messy"):
        decide(uniform(0.5), {k: v for k, v in uniform(0.5).items() if k != "generated/messy"}, None, CONFIG)


def test_the_primary_score():
    arm = uniform(0.5) | {"gate/public": np.full((3, 72), 0.9), "generated/messy": np.full((3, 200), 0.3)}
    assert gate.primary_score(arm) == pytest.approx(0.6)
    assert gate.primary_score(arm | {"gate/own": np.full((3, 9), 0.7)}) == pytest.approx(0.5)
    without_public = {k: v for k, v in arm.items() if k != "gate/public"}
    assert gate.primary_score(without_public) == pytest.approx(
        0.4
    )  # authored 0.5, never averaged with public
    generated = {k: v for k, v in arm.items() if not k.startswith("gate/")}
    assert gate.primary_score(generated) == pytest.approx(0.3)
    assert "gate/public" in gate.describe_primary(arm)
    assert "gate/authored" in gate.describe_primary(without_public)
    assert "nothing vouches" in gate.describe_primary(generated)
    with pytest.raises(ValueError, match="neither"):
        gate.primary_score({"negatives/natural": np.ones((3, 4))})


def test_a_margin_below_the_noise_between_seeds_is_told():
    """A count that cannot be told from a worse one, since its seeds differ by more than the margin."""
    champion = uniform(0.5)
    noisy = champion["gate/authored"] + np.array([[-0.2], [0.0], [0.2]])
    challenger = uniform(0.7) | {"gate/authored": noisy}
    reason = decide(champion, challenger, None, CONFIG).reason
    assert "gate/authored cannot be shown" in reason and "noise" not in reason  # the champion's seeds agree
    decision = decide(champion | {"gate/authored": noisy}, champion, None, CONFIG)
    assert "a margin below the noise between seeds, 20.0" in decision.reason
    assert decision.reason.count("noise between seeds") == 1
    noise = {c.name: c.noise for c in decision.checks}
    assert noise["gate/authored"] == pytest.approx(0.2) and noise["generated/messy"] == 0.0
    assert all("noise" in c for c in decision.to_json()["checks"])
    alone = decide(uniform(0.5, seeds=1), uniform(0.4, seeds=1), None, CONFIG)
    assert {c.noise for c in alone.checks} == {None} and "noise" not in alone.reason


def test_noise_floor_is_the_spread_over_seeds():
    marks = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], float)
    floor = gate.noise_floor({"gate/public": marks})
    assert floor == pytest.approx({"gate/public": 0.25, "primary": 0.25})
    assert gate.noise_floor({"gate/public": marks[:1]}) == {"gate/public": None, "primary": None}


def test_pair_marks_real_sets_for_scope_too():
    rows = [
        Row(Query("1", "x", ""), [{"a": {}}]),
        Row(Query("2", "x", ""), [{OUT_OF_SCOPE: {}}]),
        Row(Query("3", "x", ""), [{OUT_OF_SCOPE: {}}], [{"a": {}}]),
    ]
    call, abstain = Prediction((Call("a"),)), Prediction((Call(OUT_OF_SCOPE),), outcome="abstained")
    sets = {"gate/public": rows, "negatives/natural": rows[1:2], "generated/messy": rows[:1]}
    answers = [
        {"gate/public": [call] * 3, "negatives/natural": [call], "generated/messy": [call]},
        {"gate/public": [abstain] * 3, "negatives/natural": [abstain], "generated/messy": [abstain]},
    ]
    assert gate.pair(answers, sets) == {
        "gate/public": [[1, 0, 1], [0, 1, 1]],
        "gate/public:force_fit": [[0], [1]],
        "gate/public:over_abstention": [[1], [0]],
        "negatives/natural": [[0], [1]],
        "generated/messy": [[1], [0]],
    }
