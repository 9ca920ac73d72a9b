"""AdamW for every leaf, or Muon for the matrices and AdamW for the rest.

Muon: Jordan et al., "Muon: An optimizer for hidden layers in neural networks" (2024); its Newton-Schulz
iteration is Optax's. AdamW: Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import optax
from optax.contrib import MuonDimensionNumbers, scale_by_muon

from fernjax.sim.types import UserError

Params = Any
"""A tree of float32 arrays."""

NAMES = ("adamw", "muon")


@dataclasses.dataclass(frozen=True)
class Settings:
    """What an optimizer is made of, apart from learning rates, which are given step by step.

    Attributes:
      name: `adamw` or `muon`.
      weight_decay: decoupled, multiplied by the leaf's learning rate.
      clip_norm: gradients are scaled down to this global norm; 0 for no limit.
      b1, b2, eps: Adam's.
      momentum: Muon's.

    Raises:
      UserError: an unknown name.
    """

    name: str
    weight_decay: float
    clip_norm: float
    b1: float = 0.9
    b2: float = 0.98
    eps: float = 1e-8
    momentum: float = 0.95

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise UserError(f"config.train.optimizer is {self.name!r}; choose one of: {', '.join(NAMES)}")

    @classmethod
    def from_config(cls, config: Any) -> Settings:
        """From the keys of `config.train` of a whole config. Raises UserError on an unknown optimizer."""
        c = config.train
        return cls(
            name=c.optimizer,
            weight_decay=float(c.weight_decay),
            clip_norm=float(c.clip_norm),
            b1=float(c.adam_b1),
            b2=float(c.adam_b2),
            eps=float(c.adam_eps),
            momentum=float(c.muon_momentum),
        )


def init(settings: Settings, params: Params) -> optax.OptState:
    """The optimizer's first state: zeros in the shapes of `params`."""
    return _transform(settings, params).init(params)


def update(
    settings: Settings, grads: Params, state: optax.OptState, params: Params, lr: Mapping[str, jax.Array]
) -> tuple[Params, optax.OptState, jax.Array]:
    """One step.

    Args:
      grads, params: trees of one structure.
      state: from `init` or the step before.
      lr: learning rate per rule, `{"adamw": (), "muon": ()}`.

    Returns:
      New parameters, new state, and the global norm of the gradients before clipping, float32 ().
    """
    norm = optax.tree.norm(grads)
    if settings.clip_norm > 0:
        scale = jnp.minimum(1.0, settings.clip_norm / jnp.maximum(norm, 1e-12))
        grads = jax.tree.map(lambda g: g * scale, grads)
    updates, state = _transform(settings, params).update(grads, state, params)
    labels = rules(settings.name, params)
    params = jax.tree.map(lambda p, u, rule: p - lr[rule] * u, params, updates, labels)
    return params, state, norm


def rules(name: str, params: Params) -> Params:
    """The rule, `adamw` or `muon`, of each leaf, as a tree like `params`.

    Muon takes matrices between hidden states. Embeddings and whatever answers (heads) stay with AdamW, as
    Muon's authors advise.
    """
    return jax.tree_util.tree_map_with_path(
        lambda path, leaf: "muon" if name == "muon" and _is_hidden_matrix(path, leaf) else "adamw", params
    )


def decayed(params: Params) -> Params:
    """Whether each leaf decays: matrices do; norms, biases, scalars and embeddings do not."""
    return jax.tree_util.tree_map_with_path(
        lambda path, leaf: leaf.ndim >= 2 and not _named(path, _VECTORS + _EMBEDDINGS), params
    )


def describe(settings: Settings, params: Params) -> str:
    """Which leaf gets which rule: one line a block (the first two parts of its leaves' names) and rule.

    A leaf that decays has a star behind its name.
    """
    blocks: dict[tuple[str, str], list[tuple[int, str]]] = {}
    leaves = jax.tree_util.tree_leaves_with_path(params)
    labels = jax.tree.leaves(rules(settings.name, params))
    for (path, leaf), label, decays in zip(leaves, labels, jax.tree.leaves(decayed(params)), strict=True):
        block, name = (jax.tree_util.keystr(p, simple=True, separator="/") for p in (path[:2], path[2:]))
        told = (name or "itself") + "*" * bool(decays)
        blocks.setdefault((block, label), []).append((math.prod(leaf.shape), told))
    lines = []
    for (block, label), arrays in blocks.items():
        sizes, names = zip(*arrays, strict=True)
        lines.append(f"{block:20} {label:5} {sum(sizes):>10,}: {', '.join(names)}")
    return "\n".join(lines)


def block_norms(prefix: str, tree: Params) -> dict[str, jax.Array]:
    """Norm of each block of a tree like the parameters, float32 (), by `PREFIX/BLOCK`.

    A block is the first part of a leaf's path; inside the transformer, the second.
    """
    squares: dict[str, jax.Array] = {}
    for path, leaf in jax.tree_util.tree_leaves_with_path(tree):
        first, *rest = jax.tree_util.keystr(path, simple=True, separator="/").split("/")
        name = f"{prefix}/{rest[0] if first == _TRANSFORMER and rest else first}"
        squares[name] = squares.get(name, jnp.zeros((), jnp.float32)) + jnp.sum(jnp.square(leaf))
    return {name: jnp.sqrt(square) for name, square in squares.items()}


_TRANSFORMER = "bud"
_VECTORS = ("norm", "bias", "scale")
_EMBEDDINGS = ("embed",)
_ANSWERS = ("head",)


def _named(path: tuple[Any, ...], words: tuple[str, ...]) -> bool:
    name = jax.tree_util.keystr(path, simple=True, separator="/").lower()
    return any(word in name for word in words)


def _is_hidden_matrix(path: tuple[Any, ...], leaf: jax.Array) -> bool:
    return leaf.ndim >= 2 and not _named(path, _VECTORS + _EMBEDDINGS + _ANSWERS)


def _transform(settings: Settings, params: Params) -> optax.GradientTransformation:
    """Directions without learning rates; `update` scales them."""
    decay = optax.add_decayed_weights(settings.weight_decay, decayed)
    adamw = optax.chain(optax.scale_by_adam(b1=settings.b1, b2=settings.b2, eps=settings.eps), decay)
    muon = optax.chain(
        scale_by_muon(beta=settings.momentum, weight_dimension_numbers=_matrix_axes),
        optax.stateless(lambda updates, _: jax.tree.map(_scale_to_shape, updates)),
        decay,
    )
    return optax.partition({"adamw": adamw, "muon": muon}, rules(settings.name, params))


def _matrix_axes(updates: Params) -> Params:
    # The last two axes are the matrix; blocks stacked along earlier axes are matrices of their own.
    return jax.tree.map(
        lambda u: MuonDimensionNumbers(reduction_axis=u.ndim - 2, output_axis=u.ndim - 1), updates
    )


def _scale_to_shape(update: jax.Array) -> jax.Array:
    # An orthogonal update of equal effect whatever the matrix's shape (Jordan et al.).
    fan_in, fan_out = update.shape[-2:]
    return update * max(1.0, fan_out / fan_in) ** 0.5
