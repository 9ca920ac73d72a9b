"""Answers with tools that nothing was trained for: a broad model reads them from their own words.

What `predictor` is to a specialist. A specialist that starts from the same weights answers alike before any
step of its own (`reader.specialise`), and sooner: here the tools are read anew for every batch.
"""

from __future__ import annotations

import functools
import math
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from fernjax.model import codec, pretrain, prompt, quantize, reader
from fernjax.model.codec import Encoded, Spec
from fernjax.model.corpus.mixture import ARGUMENTS
from fernjax.model.corpus.shards import TARGETS, WIDTHS
from fernjax.model.predictor import ABSTAINING, ERROR, encode
from fernjax.model.tokenizer import Tokenizer, load_tokenizer
from fernjax.model.transformer import ModelConfig
from fernjax.sim.tools import Tool
from fernjax.sim.types import OUT_OF_SCOPE, Call, Prediction, Query, UserError

SENTENCES = 24
"""Sentences of a batch; at most as many sets of tools, where each sentence brings its own."""

PLACES = (4, 8, 16, 32, 64)
"""Tools that are compiled for."""


class ZeroShot:
    """A broad model in use.

    Args:
      params: of `reader.init`; as they ship, see `quantize.round_int8`.
      model_config: the model.
      tokenizer: of `model_config.vocab_size`.
    """

    def __init__(self, params: Any, model_config: ModelConfig, tokenizer: Tokenizer) -> None:
        self.params, self.model_config, self.tokenizer = params, model_config, tokenizer

    @classmethod
    def load(cls, path: pathlib.Path, model_config: ModelConfig) -> ZeroShot:
        """The broad model in a file of `pretrain`, its weights as they ship, rounded to int8.

        Raises:
          UserError: no file, a damaged one, or one of another model.
        """
        weights = quantize.round_int8(pretrain.load_weights(path, model_config))
        return cls(weights, model_config, load_tokenizer(model_config.vocab_size))

    def predict(self, queries: Sequence[Query], tools: tuple[Tool, ...]) -> list[Prediction]:
        """Answers in the order of the queries, all with the same tools; see `predict_each`."""
        return self.predict_each([(query, tools) for query in queries])

    def predict_each(self, requests: Sequence[tuple[Query, tuple[Tool, ...]]]) -> list[Prediction]:
        """Answers in the order of the requests, each with its own tools, `out_of_scope` among them.

        An answer names at most `model_config.max_calls` calls; `missing` are the arguments that a tool
        requires and the call lacks. The confidence is the model's own probability of the whole answer, not
        calibrated. What is an `error` is told at `Predictor.predict`.

        Raises:
          UserError: a set of more than `PLACES[-1]` tools.
        """
        out = [ERROR] * len(requests)
        specs = [Spec("", "point", tools, self.model_config.max_calls) for _, tools in requests]
        encoded: dict[int, Encoded] = {}
        for index, (query, _) in enumerate(requests):
            read = encode(query, specs[index], self.tokenizer, self.model_config.max_length)
            if read is not None:
                encoded[index] = read
        for chunk in _chunks(encoded, specs):
            answers = self._answer([specs[i] for i in chunk], [encoded[i] for i in chunk])
            for index, answer in zip(chunk, answers, strict=True):
                spec = specs[index]
                calls = codec.decode(_widened(answer, spec), encoded[index], spec, requests[index][0].now)
                out[index] = _prediction(calls, float(answer["logp"].sum(dtype=np.float64)), spec)
        return out

    def _answer(self, specs: Sequence[Spec], encoded: Sequence[Encoded]) -> list[dict[str, np.ndarray]]:
        """Answers, by tools of each spec, to sentences of one bucket of length."""
        places = _places(specs[0])
        shared = all(spec == specs[0] for spec in specs)
        rows = [codec.inputs(e) for e in encoded]
        rows += rows[:1] * (SENTENCES - len(rows))
        batch = codec.collate(rows, codec.bucket(max(map(len, encoded))))
        sets = [specs[0]] if shared else [*specs, *[specs[0]] * (SENTENCES - len(specs))]
        laid = [_lay_out(spec, self.tokenizer, places) for spec in sets]
        groups = {name: np.stack([one[name] for one in laid]) for name in laid[0]}
        groups |= {name: x.reshape(len(sets), -1, *x.shape[1:]) for name, x in batch.items()}
        answers = jax.device_get(reader.compiled_decode(self.params, groups, self.model_config))
        out = []
        for row, spec in enumerate(specs):
            answer = {name: x[row] for name, x in answers.items()}
            numbers = np.array(_columns(spec, places))
            out.append(answer | {"tool": numbers[answer["tool"]]})
        return out


def _chunks(encoded: Mapping[int, Encoded], specs: Sequence[Spec]) -> Iterator[list[int]]:
    """Sentences that are answered at once: of one shape, and with one set of tools where several have it."""
    groups: dict[tuple[int, int], dict[Spec, list[int]]] = {}
    for index, sentence in encoded.items():
        shape = codec.bucket(len(sentence)), _places(specs[index])
        groups.setdefault(shape, {}).setdefault(specs[index], []).append(index)
    for by_spec in groups.values():
        mixed: list[int] = []
        for members in by_spec.values():
            if len(members) > 1:
                yield from (members[at : at + SENTENCES] for at in range(0, len(members), SENTENCES))
            else:
                mixed += members
        yield from (mixed[at : at + SENTENCES] for at in range(0, len(mixed), SENTENCES))


def _places(spec: Spec) -> int:
    count = len(spec.tools) - 1
    places = next((p for p in PLACES if count <= p), None)
    if places is None:
        raise UserError(f"{count} tools; a broad model reads at most {PLACES[-1]} at once")
    return places


def _columns(spec: Spec, places: int) -> list[int]:
    """By place, the number of the tool in its spec; abstaining and "no more calls" behind the places."""
    own = [i for i in range(len(spec.tools)) if i != spec.out_of_scope]
    empty = [spec.out_of_scope] * (places - len(own))  # never said
    return [*own, *empty, spec.out_of_scope, len(spec.tools)]


@functools.lru_cache(maxsize=64)
def _lay_out(spec: Spec, tokenizer: Tokenizer, places: int) -> dict[str, np.ndarray]:
    own = [(spec, i) for i in range(len(spec.tools)) if i != spec.out_of_scope]
    return prompt.lay_out(own, tokenizer, places, ARGUMENTS, WIDTHS)


def _widened(answer: Mapping[str, np.ndarray], spec: Spec) -> dict[str, np.ndarray]:
    """An answer with a column for every argument of a tool; those that were not read are not said."""
    out = dict(answer)
    for name, head in TARGETS.items():
        more = max(0, spec.width(head) - answer[name].shape[1])
        out[name] = np.pad(answer[name], ((0, 0), (0, more)))
    return out


def _prediction(calls: tuple[Call, ...], logp: float, spec: Spec) -> Prediction:
    confidence = math.exp(logp)
    if calls[0].name == OUT_OF_SCOPE:
        return Prediction(ABSTAINING, outcome="abstained", confidence=confidence)
    missing = {
        a.name: None
        for call in calls
        for a in spec.tools[[t.name for t in spec.tools].index(call.name)].arguments
        if a.required and a.name not in call.arguments
    }
    return Prediction(calls, tuple(missing), "call", confidence)
