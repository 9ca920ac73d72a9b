"""What ships: int8 weights, and a confidence fitted on held sentences before any threshold."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from test_train import make_config

from fernjax.model import heads, quantize
from fernjax.model.shipping import ship
from fernjax.model.spec import Spec
from fernjax.model.transformer import ModelConfig
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Query, Row
from fernjax.sim.world import load_domain


@pytest.fixture(scope="module")
def params():
    config = make_config()
    spec = Spec.from_domain(load_domain("calendar"), "point", config.model.max_calls)
    return heads.init_params(3, ModelConfig.from_config(config), spec)


@pytest.fixture(scope="module")
def held():
    generator = Generator(load_domain("calendar"), Recipe.of_run(make_config()), 5)
    return [generator.scenario(i).row for i in range(24)]


def test_weights_are_rounded_and_confidence_fitted(params, held):
    config = make_config()
    config.eval.batch_size = 8
    config.abstain_below = 0.25
    shipped = ship(config, params, held)
    jax.tree.map(np.testing.assert_array_equal, shipped.params, quantize.round_int8(params))
    assert shipped.batch_size == 8
    assert shipped.calibration.threshold == 0.25
    shares = [p.confidence for p in shipped.predict([r.query for r in held])]
    assert np.mean(shares) < 0.6  # an untrained model is nearly never right, and says so


def test_without_an_answer_nothing_is_fitted(params):
    config = make_config()
    empty = ship(config, params, [Row(Query("x", " ", "2026-03-04T09:30:00"), [{"create_event": {}}])])
    assert (empty.calibration.a, empty.calibration.b, empty.calibration.c) == (1.0, 1.0, 0.0)
