"""What the tests of all apps share: calls of any form, and random calls told in other processes."""

import os
import pathlib
import subprocess
import sys

from hypothesis import strategies as st

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
"""Any JSON value, and numbers that JSON has no word for."""

_TRACE = """
import hashlib, json, random, sys
sys.path[:0] = {path!r}
from {module} import DOMAIN, random_call
rng, digest = random.Random(7), hashlib.sha256()
state = DOMAIN.initial_state(rng, {now!r})
for _ in range(400):
    state, observation = DOMAIN.step(state, random_call(rng, state))
    digest.update(json.dumps([state, observation.to_json()]).encode())
print(digest.hexdigest())
"""


def digest_in_processes(test_file: str, now: str) -> set[str]:
    """SHA-256 of four hundred random steps, as processes of two hash seeds tell it.

    Args:
      test_file: the test module of an app, with its `DOMAIN` and `random_call(rng, state)`.
      now: when the first state is.
    """
    place = pathlib.Path(test_file)
    path = [str(place.parent), *[p for p in sys.path if p], os.getcwd()]
    code = _TRACE.format(path=path, module=place.stem, now=now)
    return {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout.strip()
        for seed in ("1", "2")
    }
