"""A sentence's intent, and the slot of each of its words, from one pass of the transformer.

The call token's state names the intent. The state of each word's first token, together with the call
token's, names its tag, among those of the intent: the gold one in training, the likeliest in use. So what is
trained is `log p(intent) + log p(tags | intent)`, with both from one encoder as in Chen et al., "BERT for
joint intent classification and slot filling" (2019).

Letters: see `transformer`; I intents, Y tags.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from collections.abc import Sequence
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from fernjax.model import checkpoint, encoded, optimizer, pretrain, quantize
from fernjax.model.corpus import snips
from fernjax.model.spans import Labels, Span, values_of, viterbi
from fernjax.model.tokenizer import load_tokenizer
from fernjax.model.train import ModelProblem, assemble_plan
from fernjax.model.trainer import Arrays, Plan
from fernjax.model.transformer import FAR, Bud, Linear, ModelConfig
from fernjax.sim.types import Call, Prediction

MAX_CHARACTERS = 4096
"""A longer text is an error outcome before anything reads it."""

ERROR = Prediction(calls=(), outcome="error", confidence=0.0)


class Tagger(nn.Module):
    """The transformer with a head for intents and one for tags."""

    config: ModelConfig
    labels: Labels

    def setup(self) -> None:
        self.bud = Bud(self.config)
        self.head_intent = Linear(len(self.labels.intents), 0.02)
        self.head_word = Linear(self.config.width)
        self.head_call = Linear(self.config.width)
        self.head_tag = Linear(self.labels.tags, 0.02)

    def __call__(self, ids_BxL: jax.Array, intent_B: jax.Array | None = None) -> dict[str, jax.Array]:
        """Log-probabilities, float32: `intent` [B, I], `tags` [B, L, Y].

        Args:
          ids_BxL: int32, 0 is padding.
          intent_B: int32, whose tags there are; None for the likeliest of each sentence.
        """
        h_BxLxD, g_BxKxD = self.bud.read(ids_BxL)
        g_BxD = g_BxKxD[:, 0]
        intent_BxI = nn.log_softmax(self.head_intent(g_BxD).astype(jnp.float32), axis=-1)
        if intent_B is None:
            intent_B = intent_BxI.argmax(-1)
        mixed_BxLxD = nn.silu(self.head_word(h_BxLxD) + self.head_call(g_BxD)[:, None])
        logits_BxLxY = self.head_tag(mixed_BxLxD).astype(jnp.float32)
        allowed_BxY = jnp.asarray(self.labels.allowed_IxY)[intent_B]
        logits_BxLxY = jnp.where(allowed_BxY[:, None], logits_BxLxY, FAR)
        return {"intent": intent_BxI, "tags": nn.log_softmax(logits_BxLxY, axis=-1)}


def init_params(seed: int, config: ModelConfig, labels: Labels) -> dict[str, Any]:
    """First parameters, float32; a function of the seed."""
    return _init(jax.random.key(seed), config, labels)


@functools.partial(jax.jit, static_argnums=(1, 2))
def _init(key: jax.Array, config: ModelConfig, labels: Labels) -> dict[str, Any]:
    return Tagger(config, labels).init(key, jnp.zeros((1, 16), jnp.int32))["params"]


def loss(
    params: Any, batch: Arrays, config: ModelConfig, labels: Labels
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Mean negative log-likelihood of the intents plus that of the words' tags.

    Args:
      params: of `init_params`.
      batch: of `corpus.snips.Sentences.collate`.
      config, labels: static.

    Returns:
      Loss, float32 (), and scalars: `loss_intent`, `loss_tags`, `intent_accuracy`, `tag_accuracy` (of words).
    """
    said: Any = Tagger(config, labels).apply({"params": params}, batch["ids"], batch["intent"])
    words_BxL = batch["tags"] != snips.NO_WORD
    tags_BxLx1 = jnp.maximum(batch["tags"], 0)[..., None]
    tag_BxL = jnp.take_along_axis(said["tags"], tags_BxLx1, axis=-1)[..., 0]
    count = jnp.maximum(words_BxL.sum(), 1)
    hit_BxL = words_BxL & (said["tags"].argmax(-1) == batch["tags"])
    metrics = {
        "loss_intent": -jnp.take_along_axis(said["intent"], batch["intent"][:, None], axis=-1).mean(),
        "loss_tags": -jnp.where(words_BxL, tag_BxL, 0.0).sum() / count,
        "intent_accuracy": (said["intent"].argmax(-1) == batch["intent"]).mean(dtype=jnp.float32),
        "tag_accuracy": hit_BxL.sum() / count,
    }
    return metrics["loss_intent"] + metrics["loss_tags"], metrics


@dataclasses.dataclass(frozen=True)
class Tagging(ModelProblem):
    """The tagger as a problem.

    Attributes:
      labels: of its heads.
    """

    labels: Labels

    def init(self, seed: int) -> optimizer.Params:
        """See `ModelProblem`."""
        return init_params(seed, self.model_config, self.labels)

    def loss_of(self, params: optimizer.Params, batch: Arrays) -> tuple[jax.Array, dict[str, jax.Array]]:
        """`loss`."""
        return loss(params, batch, self.model_config, self.labels)


def make_plan(config: Any, labels: Labels, seed: int, start_from: pathlib.Path | None = None) -> Plan:
    """The plan of one seed's training, for `trainer.run`.

    Args:
      config: `configs/base.py`'s keys; the benchmark's files are under `config.data.root`.
      labels: of the benchmark.
      seed: of the first parameters and of the data.
      start_from: weights to begin with, of `specialise`.

    Raises:
      UserError: a model that cannot be, files or weights that cannot be read.
    """
    c = config.train
    peaks = (("adamw", float(c.peak_lr)), ("muon", float(c.muon_lr)))
    sentences = snips.Sentences(
        root=config.data.root,
        seed=seed,
        vocab_size=config.model.vocab_size,
        swap=float(config.snips.swap),
        word_dropout=float(config.snips.word_dropout),
        max_length=config.model.max_length,
    )
    return assemble_plan(
        config,
        problem=Tagging(ModelConfig.from_config(config), bool(c.quant_noise), labels),
        source=sentences,
        seed=seed,
        steps=c.total_steps,
        peaks=peaks,
        start_from=start_from,
        arguments={
            "sentences": {k: v for k, v in dataclasses.asdict(sentences).items() if k != "root"},
            "data": snips.digest(config.data.root),
        },
    )


def specialise(
    path: pathlib.Path, config: ModelConfig, labels: Labels, seed: int, target: pathlib.Path
) -> None:
    """Writes a tagger's first weights: the transformer of a broad model's file, heads from scratch.

    Raises:
      UserError: weights that are not there, or of another model.
    """
    params = init_params(seed, config, labels) | {"bud": pretrain.load_weights(path, config)["bud"]}
    checkpoint.save_weights(target, jax.device_get(params))


class TagPredictor:
    """A trained tagger in use.

    Args:
      params: of `init_params`; as they ship, see `quantize.round_int8`.
      config, labels: the model, and its heads.
      batch_size: rows that are compiled for.
    """

    def __init__(self, params: Any, config: ModelConfig, labels: Labels, batch_size: int) -> None:
        self.params = jax.device_put(params)
        self.config, self.labels, self.batch_size = config, labels, batch_size
        self._tokenizer = load_tokenizer(config.vocab_size)

    @classmethod
    def load(cls, path: pathlib.Path, config: Any, labels: Labels) -> TagPredictor:
        """The weights that a training left, rounded to int8, with the whole config of its run.

        Raises:
          UserError: they are not there, damaged or of another model.
        """
        model = ModelConfig.from_config(config)
        like = jax.eval_shape(functools.partial(init_params, 0, model, labels))
        params = quantize.round_int8(checkpoint.load_weights(path, like))
        return cls(params, model, labels, config.eval.batch_size)

    def predict(self, texts: Sequence[str]) -> list[tuple[Prediction, tuple[Span, ...]]]:
        """The call of each text, and the spans that its arguments are copied from.

        The confidence is the product of the probabilities of the intent and of each word's tag, as the model
        gives them. A text without a word, or longer than the model reads, is an error outcome.
        """
        out: list[tuple[Prediction, tuple[Span, ...]]] = [(ERROR, ())] * len(texts)
        read = {}
        for index, text in enumerate(texts):
            ids, words = snips.encode(text, self._tokenizer) if len(text) <= MAX_CHARACTERS else ([], ())
            if 0 < sum(map(len, ids)) <= self.config.max_length:
                read[index] = ids, words
        lengths = {i: encoded.bucket(sum(map(len, ids))) for i, (ids, _) in read.items()}
        for length in sorted(set(lengths.values())):
            members = [i for i in read if lengths[i] == length]
            for at in range(0, len(members), self.batch_size):
                some = members[at : at + self.batch_size]
                answers = self._answer([read[i][0] for i in some], length)
                for index, (intent, tags, logp) in zip(some, answers, strict=True):
                    spans = self.labels.to_spans(tags)
                    arguments = values_of(texts[index], read[index][1], spans)
                    call = Call(self.labels.intents[intent], arguments)
                    out[index] = Prediction((call,), confidence=float(np.exp(logp))), spans
        return out

    def _answer(self, sentences: list[list[list[int]]], length: int) -> list[tuple[int, list[int], float]]:
        """Intent, tags of the words, and the log-probability of all of them."""
        ids_BxL = np.zeros((self.batch_size, length), np.int32)
        for row, words in enumerate(sentences):
            flat = [i for word in words for i in word]
            ids_BxL[row, : len(flat)] = flat
        said = jax.device_get(_read(self.params, ids_BxL, self.config, self.labels))
        out = []
        for row, words in enumerate(sentences):
            first_W = np.cumsum([0, *map(len, words[:-1])])
            tags, logp = viterbi(said["tags"][row, first_W])
            intent = int(said["intent"][row].argmax())
            out.append((intent, tags, logp + float(said["intent"][row, intent])))
        return out


@functools.partial(jax.jit, static_argnums=(2, 3))
def _read(params: Any, ids_BxL: jax.Array, config: ModelConfig, labels: Labels) -> dict[str, jax.Array]:
    answers: Any = Tagger(config, labels).apply({"params": params}, ids_BxL)
    return answers
