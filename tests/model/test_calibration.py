"""Calibration: a bent scale is straightened, order is kept, the error is what it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fernjax.model.calibration import BINS, Calibration, fit, measure


def error(confidence, right):
    return measure(confidence, right)["ece"]


def drawn(seed, n=40_000, bend=0.35):
    """An over-confident model: its p is right only `sigmoid(bend * logit(p) - 0.3)` of the time."""
    rng = np.random.default_rng(seed)
    p = rng.beta(3, 1, n)
    truth = 1 / (1 + np.exp(-(bend * np.log(p / (1 - p)) - 0.3)))
    return np.log(p), rng.random(n) < truth


def test_fit_straightens_what_is_bent():
    logp, right = drawn(0)
    fitted = fit(logp, right)
    fresh, fresh_right = drawn(1)
    assert error(Calibration().confidence(fresh), fresh_right) > 0.1
    assert error(fitted.confidence(fresh), fresh_right) < 0.015  # the noise of the bins is about half of it


def test_the_default_is_the_identity():
    p = np.array([0.01, 0.3, 0.5, 0.999])
    np.testing.assert_allclose(Calibration().confidence(np.log(p)), p, atol=1e-6)
    assert Calibration().confidence(np.array([-1000.0, 0.0])) == pytest.approx([0, 1], abs=1e-5)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 200))
def test_order_is_kept_on_any_data(seed, n):
    rng = np.random.default_rng(seed)
    fitted = fit(np.log(rng.random(n)), rng.random(n) < 0.5)
    confidence = fitted.confidence(np.linspace(-40, 0, 200))
    assert (np.diff(confidence) >= -1e-12).all()
    assert ((confidence >= 0) & (confidence <= 1)).all()


@pytest.mark.parametrize("right", [True, False])
def test_few_answers_all_alike_do_not_run_away(right):
    confidence = fit(np.log(np.full(5, 0.6)), np.full(5, right)).confidence(np.log(0.6))
    assert 0.03 < confidence < 0.97 and (confidence > 0.6) == right


def test_error_by_hand():
    # Two bins: 0.9 (half right: gap 0.4), 0.1 (none right: gap 0.1).
    confidence, right = np.array([0.9, 0.9, 0.1, 0.1]), np.array([1, 0, 0, 0])
    assert error(confidence, right) == pytest.approx((0.4 + 0.1) / 2)
    assert error(np.ones(3), np.ones(3)) == 0


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=60))
def test_the_error_is_bounded_and_zero_only_where_deserved(pairs):
    right, sure = zip(*pairs, strict=True)
    assert abs(sum(right) - sum(sure)) / len(pairs) - 1e-3 <= error(sure, right) <= 1.0


def test_bins_by_hand():
    out = measure([0.72, 0.78, 0.95, 1.0], [True, False, True, True])
    assert out["bins"] == [
        {"n": 2, "right": 0.5, "confidence": 0.75},
        {"n": 2, "right": 1.0, "confidence": 0.975},
    ]
    assert out["ece"] == pytest.approx((2 * 0.25 + 2 * 0.025) / 4, abs=1e-4)
    assert len(measure(np.linspace(0, 1, 500), np.ones(500))["bins"]) == BINS


def test_no_answers_are_refused():
    with pytest.raises(ValueError):
        fit(np.zeros(0), np.zeros(0))
    with pytest.raises(ValueError):
        fit(np.zeros(2), np.zeros(3))
    with pytest.raises(ValueError):
        measure(np.zeros(2), np.zeros(3))
    assert measure([], []) == {"ece": None, "bins": []}


def test_json_round_trip():
    fitted = fit(*drawn(2, 100), threshold=0.25)
    assert Calibration.from_json(fitted.to_json()) == fitted
    assert fitted.threshold == 0.25
