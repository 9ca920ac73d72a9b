"""Rows of marks and words (`fernjax.sim.worlds.language`) as tokens, and back. No JAX.

The tokenizer folds case; words that the state, the call or the app's own answers hold get theirs back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fernjax.model.tokenizer import RESERVED, Tokenizer, fold, reserved_names
from fernjax.sim.types import Call
from fernjax.sim.world import State


def is_mark(entry: str) -> bool:
    """Whether an entry of a row is a mark, `<key>`."""
    return entry.startswith("<") and entry.endswith(">")


def encode(row: Sequence[str], tokenizer: Tokenizer) -> list[int]:
    """A row as tokens."""
    ids: list[int] = []
    for entry in row:
        ids += [tokenizer.reserved_id(entry)] if is_mark(entry) else tokenizer.encode(entry)
    return ids


def decode(ids: Iterable[int], tokenizer: Tokenizer, spelt: Mapping[str, str]) -> tuple[str, ...]:
    """The row of tokens.

    Args:
      ids: the tokens.
      tokenizer: that they are of.
      spelt: of `spellings`.
    """
    names, row, words = reserved_names(), list[str](), list[int]()

    def flush() -> None:
        if words:
            row.append(_spell(tokenizer.decode(words), spelt))
            words.clear()

    for i in ids:
        if i < RESERVED:
            flush()
            row.append(names[i])
        else:
            words.append(i)
    flush()
    return tuple(row)


def _spell(text: str, spelt: Mapping[str, str]) -> str:
    numbered = _NUMBERED.fullmatch(text)
    if numbered is not None and text not in spelt:
        return spelt.get(numbered[1], numbered[1]) + numbered[2]
    return spelt.get(text, text)


_NUMBERED = re.compile(r"([a-z]+-)(\d+)", re.ASCII)
"""A code as trackers have it, "OPS-142"; a new one is written as the old ones are."""


def spellings(state: State, call: Call, lexicon: Iterable[str]) -> dict[str, str]:
    """By folded form, words that are not written as they fold.

    Args:
      state, call: whose words go first.
      lexicon: words of the app's own answers.
    """
    found: dict[str, str] = {}
    for text in (*_texts(state), *_texts(call.arguments), *lexicon):
        folded = fold(text)
        if folded != text:
            found.setdefault(folded, text)
            if (numbered := _NUMBERED.fullmatch(folded)) is not None:
                found.setdefault(numbered[1], text[: len(numbered[1])])
        else:
            found[folded] = text  # as it folds is a spelling too, and the likelier
    return {folded: text for folded, text in found.items() if folded != text}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
