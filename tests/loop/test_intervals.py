import numpy as np
import pytest

from fernjax.loop.intervals import Draws, mean_over_seeds, scores_json, variance_of_mean
from fernjax.sim.grade import score, verdicts, wilson
from fernjax.sim.types import OUT_OF_SCOPE, Call, Prediction, Query, Row


def test_draws_average_as_weights_do():
    draws = Draws(seeds=3, draws=50, seed=0)
    assert draws.weight_RxS.sum(axis=1) == pytest.approx(np.ones(50))
    assert draws.means("all", np.full((3, 7), 0.25)) == pytest.approx(np.full(50, 0.25))
    marks = np.arange(12.0).reshape(3, 4)
    one, same, other = draws.means("a", marks), draws.means("a", marks), draws.means("b", marks)
    assert (one == same).all() and (one != other).any()
    assert (Draws(3, 50, 0).means("all", marks) == Draws(3, 50, 0).means("all", marks)).all()


def test_mean_over_seeds():
    marks = np.random.default_rng(0).random((3, 400)) < 0.8
    mean, low, high = mean_over_seeds(marks)
    assert mean == marks.mean() and low < mean < high
    assert 0.04 < high - low < 0.10  # sentences alone, 3 x 400 independent: about 0.045
    assert mean_over_seeds(marks) == mean_over_seeds(marks)
    assert mean_over_seeds(np.ones((3, 40))) == (1.0, *wilson(40, 40))


def test_seeds_that_differ_widen_the_interval():
    rng = np.random.default_rng(1)
    same = rng.random((3, 300)) < 0.7
    spread = rng.random((3, 300)) < np.array([[0.5], [0.7], [0.9]])

    def width(marks):
        _, low, high = mean_over_seeds(marks)
        return high - low

    assert width(spread) > 2 * width(same)


def test_interval_covers_the_truth():
    rng = np.random.default_rng(2)
    hits = 0
    for trial in range(200):
        easy = rng.beta(4, 1, size=(1, 120))  # sentences differ in how hard they are
        _, low, high = mean_over_seeds(rng.random((5, 120)) < easy, draws=300, seed=trial)
        hits += low <= 0.8 <= high
    assert 0.88 <= hits / 200 <= 1.0


@pytest.mark.parametrize("of_seed, of_sentence, of_rest", [(0.1, 0.1, 1.0), (0.1, 1.0, 0.1), (0.3, 0.1, 0.1)])
def test_variance_of_the_mean_is_right_on_average(of_seed, of_sentence, of_rest):
    rng = np.random.default_rng(3)
    seeds, n, estimates, means = 4, 60, [], []
    for _ in range(600):
        marks = rng.normal(0, of_seed, (seeds, 1)) + rng.normal(0, of_sentence, (1, n))
        marks = marks + rng.normal(0, of_rest, (seeds, n))
        estimates.append(variance_of_mean(marks))
        means.append(marks.mean())
    assert np.mean(estimates) == pytest.approx(np.var(means), rel=0.25)


def test_variance_of_the_mean_of_a_single_row_or_column():
    marks = np.array([[0.0, 1.0, 1.0, 0.0]])
    assert variance_of_mean(marks) == pytest.approx(1 / 12)
    assert variance_of_mean(marks.T) == pytest.approx(1 / 12)
    assert variance_of_mean(np.ones((1, 1))) == 0.0


def test_scores_of_one_seed_are_its_counts():
    rows = [Row(Query(str(i), "x", ""), [{"a": {}}] if i % 3 else [{OUT_OF_SCOPE: {}}]) for i in range(9)]
    predictions = [Prediction((Call("a"),)) for _ in rows]
    counts = score(predictions, rows).to_json()
    out = scores_json([verdicts(predictions, rows)] * 2)
    for key in (
        "n",
        "full",
        "route",
        "in_scope_n",
        "out_of_scope_n",
        "force_fit",
        "over_abstention",
        "errors",
    ):
        assert out[key] == counts[key], key
    assert out["seeds"] == 2 and out["full_by_seed"] == [6 / 9, 6 / 9]
    assert out["full_ci"][0] < out["full"] < out["full_ci"][1]


def test_scores_without_out_of_scope_rows():
    row = Row(Query("r", "x", ""), [{"a": {}}])
    out = scores_json([verdicts([Prediction((Call("a"),))], [row])])
    assert out["force_fit"] is None and out["force_fit_ci"] is None and out["out_of_scope_n"] == 0


def test_no_interval_leaves_what_a_fraction_can_be():
    for right in range(1, 12):
        _, low, high = mean_over_seeds([[1.0] * right + [0.0] * (12 - right)])
        assert 0.0 <= low <= high <= 1.0
