"""Weights rounded to int8 per output channel: as they ship, and as training sees them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

LEVELS = 127


def round_int8(params: Any) -> Any:
    """The weights that an int8 file gives back: every matrix rounded, vectors left as they are.

    Symmetric, one scale per output channel: `max |w| / 127` down a kernel's column (its last axis is the
    output), along an embedding's row (its rows are the outputs of the tied head). Float32 in, float32 out.
    """
    return jax.tree_util.tree_map_with_path(_rounded, params)


def fake_quant(params: Any) -> Any:
    """`round_int8` whose gradient passes straight through (Bengio et al., 2013): for training."""
    return jax.tree_util.tree_map_with_path(
        lambda path, w: w + jax.lax.stop_gradient(_rounded(path, w) - w), params
    )


def is_matrix(path: Any, w: jax.Array) -> bool:
    """Whether a leaf is rounded: matrices and embeddings are, norms, scales and biases are not."""
    name = jax.tree_util.keystr(path, simple=True, separator="/")
    return w.ndim >= 2 and not name.endswith(("scale", "bias"))


def _rounded(path: Any, w: jax.Array) -> jax.Array:
    if not is_matrix(path, w):
        return w
    # Not through int8: a float holds these integers exactly, and XLA fuses this into one pass.
    axis = w.ndim - 1 if _is_table(path) else w.ndim - 2
    peak = jnp.max(jnp.abs(w), axis=axis, keepdims=True)
    scale = jnp.where(peak > 0, peak / LEVELS, 1.0)
    return jnp.round(w / scale) * scale


def _is_table(path: Any) -> bool:
    return jax.tree_util.keystr(path, simple=True, separator="/").endswith("embed")
