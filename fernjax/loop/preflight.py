"""A config checked whole before anything is written: every part of a run is built, and none is run."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax
from ml_collections import ConfigDict

from fernjax.loop import real_sets
from fernjax.loop.arms import check_streams
from fernjax.model import heads, pretrain, train
from fernjax.model.spec import Spec
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.trainer import Plan
from fernjax.model.transformer import ModelConfig
from fernjax.sim.recipe import Recipe
from fernjax.sim.world import Domain, load_domain


@dataclasses.dataclass(frozen=True)
class Checked:
    """What a config makes.

    Attributes:
      domain: the app.
      plan: of the first seed's training from scratch.
      shapes: the parameters as `jax.ShapeDtypeStruct`s, a tree.
    """

    domain: Domain
    plan: Plan
    shapes: Any


def check_config(config: ConfigDict) -> Checked:
    """Builds every part of a run: domain, recipe, model, heads, optimizer, tokenizer, real sentences.

    Raises:
      UserError: the first thing in the config that cannot be, in one line.
    """
    domain = load_domain(config.domain)
    check_streams(config)
    for half in ("gate", "final"):
        real_sets.load_sets(config, domain, half)
    plan = train.make_plan(config, Recipe.of_run(config), config.seeds[0])
    load_tokenizer(config.model.vocab_size)
    pretrain.check_weights(config)
    shapes = make_shapes(config)
    return Checked(domain, plan, shapes)


def make_shapes(config: ConfigDict) -> Any:
    """The model's parameters as `jax.ShapeDtypeStruct`s; nothing is allocated.

    Raises:
      UserError: a model or an argument mode that cannot be.
    """
    model_config = ModelConfig.from_config(config)
    spec = Spec.from_domain(load_domain(config.domain), config.argument_mode, config.model.max_calls)
    return jax.eval_shape(functools.partial(heads.init_params, 0, model_config, spec))
