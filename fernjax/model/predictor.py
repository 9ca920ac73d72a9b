"""From queries to predictions: extract, encode, one compiled function, decode."""

from __future__ import annotations

import functools
import hashlib
import json
import pathlib
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from fernjax.model import checkpoint, codec, decoding, heads
from fernjax.model.calibration import Calibration
from fernjax.model.codec import Encoded, Spec
from fernjax.model.files import write_file
from fernjax.model.tokenizer import Tokenizer, load_tokenizer
from fernjax.model.transformer import ModelConfig
from fernjax.sim.mentions import extract
from fernjax.sim.types import OUT_OF_SCOPE, Call, Prediction, Query, UserError
from fernjax.sim.world import Domain, load_domain

MAX_CHARACTERS = 4096
"""A longer text is an error outcome before anything reads it."""

ABSTAINING = (Call(OUT_OF_SCOPE),)
ERROR = Prediction(calls=(), outcome="error", confidence=0.0)


class Predictor:
    """A trained tool caller of one app.

    Args:
      params: of `heads.init_params`; as they ship, see `quantize.round_int8`.
      model_config: the model.
      spec: the app's heads.
      tokenizer: of `model_config.vocab_size`.
      calibration: from log-probabilities to confidence.
      domain: the app.
      batch_size: rows that are compiled for; fewer cost no more than themselves on a CPU.

    Raises:
      ValueError: a tokenizer of another size than the model's.
    """

    def __init__(
        self,
        params: Any,
        model_config: ModelConfig,
        spec: Spec,
        tokenizer: Tokenizer,
        calibration: Calibration,
        domain: Domain,
        batch_size: int,
    ):
        if tokenizer.vocab_size != model_config.vocab_size:
            raise ValueError(f"a tokenizer of {tokenizer.vocab_size}, a model of {model_config.vocab_size}")
        self.params = decoding.place(params)
        self.model_config = model_config
        self.spec = spec
        self.tokenizer = tokenizer
        self.calibration = calibration
        self.domain = domain
        self.batch_size = batch_size

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        """Answers in the order of the queries; a single one gets what it gets in a batch, on a CPU
        to the last bit of its confidence.

        An empty text, one longer than `MAX_CHARACTERS` or than the model's `max_length` tokens, and a `now`
        that is no time are `error` outcomes.
        """
        encoded = [self.encode(q) for q in queries]
        out = [ERROR] * len(queries)
        for index, calls, logp in self._answers(encoded, [q.now for q in queries]):
            out[index] = self._prediction(calls, float(self.calibration.confidence(np.array(logp))))
        return out

    def log_probabilities(self, queries: Sequence[Query]) -> np.ndarray:
        """Summed log-probability of each answer, float64 [n], -inf for errors; for `calibration.fit`."""
        out = np.full(len(queries), -np.inf)
        for index, _, logp in self._answers([self.encode(q) for q in queries], [q.now for q in queries]):
            out[index] = logp
        return out

    def encode(self, query: Query) -> Encoded | None:
        """The query as the model reads it; None where it cannot be answered."""
        return encode(query, self.spec, self.tokenizer, self.model_config.max_length)

    def _answers(
        self, encoded: Sequence[Encoded | None], nows: Sequence[str]
    ) -> list[tuple[int, tuple[Call, ...], float]]:
        """Index, calls and log-probability of each query that could be encoded."""
        groups: dict[int, list[tuple[int, Encoded]]] = {}
        for index, sentence in enumerate(encoded):
            if sentence is not None:
                groups.setdefault(codec.bucket(len(sentence)), []).append((index, sentence))
        size, out = self.batch_size, []
        for length, members in sorted(groups.items()):
            for at in range(0, len(members), size):
                chunk = members[at : at + size]
                answer = self._run([sentence for _, sentence in chunk], length)
                for row, (index, sentence) in enumerate(chunk):
                    one = {name: values[row] for name, values in answer.items()}
                    calls = codec.decode(one, sentence, self.spec, nows[index])
                    out.append((index, calls, float(one["logp"].sum(dtype=np.float64))))
        return out

    def _run(self, chunk: Sequence[Encoded], length: int) -> dict[str, np.ndarray]:
        rows = codec.collate([codec.inputs(e) for e in chunk], length)
        return decoding.decode(self.params, rows, self.batch_size, self.model_config, self.spec)

    def _prediction(self, calls: tuple[Call, ...], confidence: float) -> Prediction:
        if calls[0].name == OUT_OF_SCOPE or confidence < self.calibration.threshold:
            return Prediction(ABSTAINING, outcome="abstained", confidence=confidence)
        missing = dict.fromkeys(name for call in calls for name in self.domain.missing(call))
        return Prediction(calls, tuple(missing), "call", confidence)

    def save(self, directory: str | pathlib.Path) -> None:
        """Writes `weights.safetensors` and `predictor.json`.

        Raises:
          UserError: where the disk is full.
        """
        directory = pathlib.Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        checkpoint.save_weights(directory / "weights.safetensors", self.params)
        about = {
            "domain": self.domain.name,
            "argument_mode": self.spec.argument_mode,
            "model": vars(self.model_config),
            "calibration": self.calibration.to_json(),
            "batch_size": self.batch_size,
            "spec": fingerprint(self.spec),
        }
        about["sha256"] = _digest(about)
        write_file(directory / "predictor.json", (json.dumps(about, indent=1) + "\n").encode())

    @classmethod
    def load(cls, directory: str | pathlib.Path, domain: Domain | None = None) -> Predictor:
        """What `save` wrote.

        Args:
          directory: where.
          domain: the app, where it is none of the package's own.

        Raises:
          UserError: a file that is missing or damaged, or an app whose tools have changed since.
        """
        path = pathlib.Path(directory) / "predictor.json"
        about = _read_about(path)
        config = ModelConfig.from_json(about["model"])
        domain = domain or load_domain(about["domain"])
        spec = Spec.from_domain(domain, about["argument_mode"], config.max_calls)
        if fingerprint(spec) != about["spec"]:
            raise UserError(
                f"{path.parent} was trained for other tools of {about['domain']!r} than now; train again"
            )
        like = jax.eval_shape(functools.partial(heads.init_params, 0, config, spec))
        return cls(
            checkpoint.load_weights(path.parent / "weights.safetensors", like),
            config,
            spec,
            load_tokenizer(config.vocab_size),
            Calibration.from_json(about["calibration"]),
            domain,
            about["batch_size"],
        )


def encode(query: Query, spec: Spec, tokenizer: Tokenizer, max_length: int) -> Encoded | None:
    """A query as a model of some tools reads it; None where it cannot be answered.

    Args:
      query: the query.
      spec: the tools; mentions of a kind that none of them takes stay words.
      tokenizer: of the model's vocabulary.
      max_length: tokens of the longest sentence that is answered.
    """
    if not query.text.strip() or len(query.text) > MAX_CHARACTERS:
        return None
    try:
        mentions = extract(query.text, query.now, spec.kinds)
    except UserError:  # `now` is no time: the outcome says so
        return None
    encoded = codec.encode_query(query.text, mentions, spec, tokenizer, query.now)
    front = len(encoded) - sum(1 for c in encoded.chars if c != (0, 0))  # `now`, in `write` mode
    if not encoded.ids or len(encoded) - front > max_length:
        return None
    return encoded if len(encoded) <= codec.LENGTHS[-1] else None


def fingerprint(spec: Spec) -> str:
    """Tools, arguments, types and choices of a spec, as one string: weights fit no other."""
    slots = [[s.tool, s.argument.name, s.argument.type, s.head, list(s.argument.choices)] for s in spec.slots]
    return json.dumps([[t.name for t in spec.tools], slots], separators=(",", ":"))


_FORM = {
    "domain": str,
    "argument_mode": str,
    "model": dict,
    "calibration": dict,
    "batch_size": int,
    "spec": str,
}
"""Keys of `predictor.json`, and what each is."""


def _read_about(path: pathlib.Path) -> dict[str, Any]:
    """`predictor.json`, as it was written. One without a checksum, of an earlier version, passes."""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as e:
        raise UserError(f"no model at {path.parent}; train first, or give another path") from e
    except (OSError, ValueError, RecursionError) as e:
        raise UserError(f"{path} cannot be read ({e}); train again, or copy it again") from e
    if not isinstance(about, dict) or not all(isinstance(about.get(k), form) for k, form in _FORM.items()):
        raise UserError(
            f"{path} is damaged (not of the form it was written in); train again, or copy it again"
        )
    stated = about.pop("sha256", None)
    if stated is not None and stated != _digest(about):
        raise UserError(f"{path} is damaged (sha256 differs); train again, or copy it again")
    return about


def _digest(about: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode("utf-8")).hexdigest()
