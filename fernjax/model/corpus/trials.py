"""Sentences that a broad model is tried on, all tools of their service before it. No JAX here."""

from __future__ import annotations

import dataclasses
import pathlib
import random
from collections.abc import Iterator

import numpy as np

from fernjax.model import codec, prompt
from fernjax.model.corpus.mixture import ARGUMENTS, place_targets
from fernjax.model.corpus.shards import FORMS, WIDTHS, Calls, Service
from fernjax.model.stream import Batch
from fernjax.model.tokenizer import Tokenizer

LENGTHS = (48, 128)
"""Padded length of the sentences of each form; longer ones are left out."""

SIZE = 24
"""Sentences of a batch."""


@dataclasses.dataclass(frozen=True)
class Trial:
    """One service's sentences of one form.

    Attributes:
      service: its tools.
      form: `sentence` or `history`.
      gold: the right tool of each sentence, a place among the tools; `tools` where none is right.
      batches: of `SIZE` sentences each, the last filled up.
    """

    service: Service
    form: str
    gold: np.ndarray
    batches: list[Batch]


def make_trials(
    folder: pathlib.Path, tokenizer: Tokenizer, tools: int, limit: int, out_of_scope: float
) -> Iterator[Trial]:
    """Trials of every service of some shards, each of at most `limit` sentences. A pure function.

    Args:
      folder: of the labelled sentences.
      tokenizer: that they were made with.
      tools: W; a service with more is left out.
      limit: sentences of a form and service, those out of scope not counted.
      out_of_scope: as many of these, by share, are what services of other families are asked; in the form
        `sentence` alone.
    """
    calls = Calls(folder)
    for number, service in enumerate(calls.services):
        own = [i for i in range(len(service.tools)) if i != service.spec.out_of_scope]
        if len(own) > tools:
            continue
        rng = random.Random(f"trial:{service.name}")
        laid = prompt.lay_out([(service.spec, i) for i in own], tokenizer, tools, ARGUMENTS, WIDTHS)
        place = {tool: w for w, tool in enumerate(own)}
        place |= {service.spec.out_of_scope: tools, len(service.tools): tools + 1}
        for form, name in enumerate(FORMS):
            mine = [int(i) for i in calls.members[number][form] if calls.length(int(i)) <= LENGTHS[form]]
            mine = rng.sample(mine, min(limit, len(mine)))
            sentences = [place_targets(calls.example(i), place, tools) for i in mine]
            if name == "sentence":
                sentences += _strangers(calls, service, round(out_of_scope * len(mine)), tools, rng)
            if sentences:
                gold = np.array([s["tool"][0] for s in sentences])
                yield Trial(service, name, gold, list(_batches(sentences, laid, LENGTHS[form])))


def _strangers(
    calls: Calls, service: Service, count: int, tools: int, rng: random.Random
) -> list[dict[str, np.ndarray]]:
    others = [
        int(i)
        for n, s in enumerate(calls.services)
        if s.family != service.family
        for i in calls.members[n][0]
        if calls.length(int(i)) <= LENGTHS[0]
    ]
    drawn = rng.sample(others, min(count, len(others)))
    return [place_targets(calls.example(i), {}, tools) for i in drawn]


def _batches(
    sentences: list[dict[str, np.ndarray]], laid: dict[str, np.ndarray], length: int
) -> Iterator[Batch]:
    for at in range(0, len(sentences), SIZE):
        chunk = sentences[at : at + SIZE]
        chunk += chunk[:1] * (SIZE - len(chunk))
        yield {name: array[None] for name, array in (laid | codec.collate(chunk, length)).items()}
