"""What all tests share. JAX refuses silent rank promotion in every one of them."""

from __future__ import annotations

import os
import pathlib
import sys

# For this process and those that tests start: one setting, before JAX is imported anywhere.
os.environ.setdefault("JAX_NUMPY_RANK_PROMOTION", "raise")
# Tests compile much and compute little: half the time, at the lowest level.
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_backend_optimization_level=0".strip()
sys.path.insert(0, str(pathlib.Path(__file__).parent / "model"))  # `toy`, for spawned workers as well
