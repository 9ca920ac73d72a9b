"""Batches of a broad model's pretraining: a pure function of (shards, mixture, seed, index).

One example is a group: some sentences with one set of tools, and some texts. The tools are those of the
sentences' service, a few left out, with others of other services beside them, in any order: what is asked of
a tool that is not there, and what other services are asked, is out of scope. No JAX here.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fernjax.model import codec, prompt
from fernjax.model.codec import NOT_ASKED
from fernjax.model.corpus.shards import FORMS, TARGETS, WIDTHS, Calls, Service, read_texts
from fernjax.model.stream import Batch, Portable
from fernjax.model.tokenizer import BEGIN, Tokenizer, load_tokenizer

ARGUMENTS = 12
"""Places for the arguments of one tool; those behind are not answered in pretraining."""

HISTORY = 0.3
"""Share of the groups of a source with dialogues that read the turns up to a call."""

LEFT_OUT = 0.3
"""Share of the groups in which one of the service's tools is left out, though there is room for it."""

Weights = tuple[tuple[str, float], ...]


@dataclasses.dataclass(frozen=True)
class Mixture(Portable):
    """A source of groups, for `stream.Stream`.

    Attributes:
      shards: the folder of `build`.
      seed: of the stream.
      vocab_size: of the tokenizer that the shards were made with.
      calls, texts: sources with their weights; without `texts` there are none.
      services: how many sets of tools are trained on, drawn once from all; 0 for all.
      sentences, tools: M and W, of a group.
      rows, row_length: texts of a group, and the tokens of each.
      out_of_scope: share of the sentences that other services are asked.
    """

    shards: str
    seed: int
    vocab_size: int
    calls: Weights
    texts: Weights
    services: int
    sentences: int
    tools: int
    rows: int
    row_length: int
    out_of_scope: float

    def examples(self, start: int, stop: int) -> tuple[list[dict[str, Any]], Counter[str]]:
        """Groups `start` to `stop - 1`; nothing is drawn again."""
        return [self._group(i) for i in range(start, stop)], Counter()

    def length(self, example: dict[str, Any]) -> int:
        """Padded length of a group's sentences, in tokens."""
        return codec.bucket(max(len(s["ids"]) for s in example["sentences"]))

    def collate(self, examples: Sequence[dict[str, Any]], length: int) -> Batch:
        """Groups as one batch, [G, ...] each; see `reader`."""
        groups = [e["tools"] | codec.collate(e["sentences"], length) for e in examples]
        out = {name: np.stack([group[name] for group in groups]) for name in groups[0]}
        if self.texts:
            out["text"] = np.stack([e["text"] for e in examples])
            out["segments"] = np.stack([e["segments"] for e in examples])
        return out

    def _group(self, index: int) -> dict[str, Any]:
        rng = random.Random(f"mixture:{self.seed}:{index}")
        home, form = self._draw_service(rng)
        source, number = home
        service = self._sources[source].services[number]
        abstains = service.spec.out_of_scope
        own = [i for i in range(len(service.tools)) if i != abstains]
        room = min(len(own), self.tools)
        if room == len(own) and room > 1 and rng.random() < LEFT_OUT:
            room -= 1
        kept = rng.sample(own, room)
        members = [(service, i) for i in kept]
        members += self._others(rng, service, rng.randint(0, self.tools - len(members)))
        rng.shuffle(members)
        place = {i: members.index((service, i)) for i in kept}
        place |= {abstains: self.tools, len(service.tools): self.tools + 1}
        strangers = round(self.out_of_scope * self.sentences) if self._strangers(service) else 0
        mine = self._sources[source].members[number][form]
        sentences = [
            place_targets(self._sources[source].example(int(rng.choice(mine))), place, self.tools)
            for _ in range(self.sentences - strangers)
        ]
        for _ in range(strangers):
            other, at = rng.choice(self._strangers(service))
            theirs = self._sources[other].members[at][0]
            sentences.append(
                place_targets(self._sources[other].example(int(rng.choice(theirs))), {}, self.tools)
            )
        laid = prompt.lay_out(
            [(s.spec, tool) for s, tool in members], self._tokenizer, self.tools, ARGUMENTS, WIDTHS, rng
        )
        group: dict[str, Any] = {"sentences": sentences, "tools": laid}
        if self.texts:
            group["text"], group["segments"] = self._draw_texts(rng)
        return group

    def _draw_service(self, rng: random.Random) -> tuple[tuple[str, int], int]:
        name = _draw(rng, tuple((n, w) for n, w in self.calls if self._chosen[n]))
        number = rng.choice(self._chosen[name])
        forms = [f for f in range(len(FORMS)) if len(self._sources[name].members[number][f])]
        return (name, number), forms[-1] if len(forms) > 1 and rng.random() < HISTORY else forms[0]

    def _others(self, rng: random.Random, service: Service, count: int) -> list[tuple[Service, int]]:
        """Tools of services of other families, no two of one name."""
        found: dict[str, tuple[Service, int]] = {}
        strangers = self._strangers(service)
        for _ in range(count if strangers else 0):
            source, number = rng.choice(strangers)
            other = self._sources[source].services[number]
            tool = rng.choice([i for i in range(len(other.tools)) if i != other.spec.out_of_scope])
            found.setdefault(other.tools[tool].name, (other, tool))
        return [m for name, m in found.items() if all(t.name != name for t in service.tools)]

    def _draw_texts(self, rng: random.Random) -> tuple[np.ndarray, np.ndarray]:
        """Stretches of the sources' tokens, int32 [R, O], and which text each token is of."""
        rows = np.zeros((self.rows, self.row_length), np.int32)
        for row in rows:
            ids = self._texts[_draw(rng, self.texts)]
            start = rng.randrange(max(1, len(ids) - self.row_length))
            piece = ids[start : start + self.row_length]
            row[: len(piece)] = piece
        return rows, np.cumsum(rows == self._tokenizer.reserved_id(BEGIN), axis=1).astype(np.int32)

    @functools.cached_property
    def _chosen(self) -> dict[str, list[int]]:
        every = [
            (name, number)
            for name, source in self._sources.items()
            for number in range(len(source.services))
            if any(len(m) for m in source.members[number])
        ]
        # The first of one order whatever the seed: few services are some of the many.
        random.Random("services").shuffle(every)
        kept = every[: self.services or len(every)]
        return {name: sorted(n for s, n in kept if s == name) for name in self._sources}

    def _strangers(self, service: Service) -> list[tuple[str, int]]:
        """Services of other families that have sentences of one turn."""
        if service.family not in self._by_family:
            self._by_family[service.family] = [
                (name, number)
                for name, numbers in self._chosen.items()
                for number in numbers
                if self._sources[name].services[number].family != service.family
                and len(self._sources[name].members[number][0])
            ]
        return self._by_family[service.family]

    @functools.cached_property
    def _by_family(self) -> dict[str, list[tuple[str, int]]]:
        return {}

    @functools.cached_property
    def _sources(self) -> dict[str, Calls]:
        return {name: Calls(pathlib.Path(self.shards) / "calls" / name) for name, _ in self.calls}

    @functools.cached_property
    def _texts(self) -> dict[str, np.ndarray]:
        return {name: read_texts(pathlib.Path(self.shards) / "texts" / name) for name, _ in self.texts}

    @functools.cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self.vocab_size)


def place_targets(
    example: dict[str, np.ndarray], place: Mapping[int, int], tools: int
) -> dict[str, np.ndarray]:
    """A sentence with its tools' places among those of a group; out of scope where one of them has none.

    Args:
      example: of `shards.Calls.example`.
      place: by number of the sentence's own service, that of "no more calls" and abstaining among them.
      tools: W, the place of abstaining.
    """
    tool = np.array([place.get(int(t), NOT_ASKED) for t in example["tool"]], np.int32)
    if (tool[example["tool"] != NOT_ASKED] != NOT_ASKED).all():
        return example | {"tool": tool}
    tool[0], tool[1:] = tools, NOT_ASKED
    return example | {name: np.zeros_like(example[name]) for name in TARGETS} | {"tool": tool}


def _draw(rng: random.Random, weights: Weights) -> str:
    names, shares = zip(*weights, strict=True)
    name: str = rng.choices(names, shares)[0]
    return name
