"""A trained model as it is judged and used: weights rounded to int8, a confidence fitted on held answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fernjax.model import quantize
from fernjax.model.calibration import Calibration, fit
from fernjax.model.predictor import Predictor
from fernjax.model.spec import Spec
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.transformer import ModelConfig
from fernjax.sim import grade
from fernjax.sim.types import Row
from fernjax.sim.world import load_domain


def ship(config: Any, params: Any, held: Sequence[Row]) -> Predictor:
    """The predictor of trained weights.

    Args:
      config: `configs/base.py`'s keys.
      params: of `heads.init_params`, float32.
      held: labelled sentences that neither trained the model nor will judge it; where none of them can be
        answered, the confidence stays as the model gives it, and no call abstains for want of it.
    """
    domain = load_domain(config.domain)
    predictor = Predictor(
        quantize.round_int8(params),
        ModelConfig.from_config(config),
        Spec.from_domain(domain, config.argument_mode, config.model.max_calls),
        load_tokenizer(config.model.vocab_size),
        Calibration(),
        domain,
        config.eval.batch_size,
    )
    queries = [row.query for row in held]
    logp = predictor.log_probabilities(queries)
    answered = np.isfinite(logp)  # an error has no confidence to fit
    if answered.any():
        right = np.array(grade.per_row(predictor.predict(queries), held))
        predictor.calibration = fit(logp[answered], right[answered], config.abstain_below)
    return predictor
