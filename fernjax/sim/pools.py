"""Values that people fill sentences with: names, groups, places, events, tasks, topics; and plain sentences.

Pools are text files beside this module, one value a line, written for this project. Plain sentences are what
people said to assistants (`data/SOURCES.md`), without any label.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import pathlib

from fernjax.sim.types import UserError

_DATA = pathlib.Path(__file__).parent / "data"
HELD_OUT_PERCENT = 15


@functools.cache
def pool_names() -> tuple[str, ...]:
    """Names of the pools."""
    return tuple(sorted(p.stem for p in (_DATA / "pools").glob("*.txt")))


@functools.cache
def pool(name: str) -> tuple[str, ...]:
    """All values of a pool, in the file's order.

    Raises:
      UserError: where there is no pool of that name.
    """
    if name not in pool_names():
        raise UserError(f"no pool {name!r}; there are: {', '.join(pool_names())}")
    text = (_DATA / "pools" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


@functools.cache
def split(name: str, held_out: bool) -> tuple[str, ...]:
    """The values of a pool that training may see, or the held-out ones that only `oov_values` draws from."""
    return tuple(v for v in pool(name) if is_held_out(v) == held_out)


def is_held_out(value: str) -> bool:
    """Whether a value is among the 15% that training never sees; a function of the value alone."""
    digest = hashlib.sha256(value.casefold().encode("utf-8")).digest()
    return int.from_bytes(digest[:4], "big") % 100 < HELD_OUT_PERCENT


@functools.cache
def plain_sentences() -> tuple[str, ...]:
    """Sentences that people said to assistants, no two alike, without labels."""
    with gzip.open(_DATA / "plain.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line)["text"] for line in lines)
