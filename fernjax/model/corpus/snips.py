"""The Snips benchmark (`sources`): its sentences, the part that is held out, and a stream of the rest.

Sentences with the same normal form (`sim.text.normalize`: without case and punctuation) are one sentence.
Of several labels the one given most often holds, the first of equals, and the text is counted as conflicting.
A sentence is held out where the SHA-256 of its normal form, as a whole number, is a multiple of ten; what is
near to one that is held out stays in training and is counted (`Data.near_copies`). No JAX here.

A training sentence is changed in two ways, of itself alone or by others of the training part: some values are
replaced by other values of the same slot and intent (Raiman and Miller, "Globally normalized reader", 2017,
section 4, "type swaps"), so that the words around a value must be read; some words are hidden (word dropout:
Iyyer et al., "Deep unordered composition rivals syntactic methods", 2015, section 3).
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import pathlib
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fernjax.model import encoded
from fernjax.model.corpus.sources import find_source, read_lines
from fernjax.model.files import digest_file
from fernjax.model.spans import Labels, Span, align
from fernjax.model.spec import Spec
from fernjax.model.stream import Batch, Portable
from fernjax.model.tokenizer import UNKNOWN_MENTION, WORD, Tokenizer, fold, load_tokenizer
from fernjax.sim.text import NearCopies, normalize
from fernjax.sim.types import UserError

SHARE = 10
"""One sentence of so many is held out."""

NO_WORD = -1
"""Target of a token that is not the first of its word."""

PLAIN = Spec("", "point", (), 1)
"""An app without arguments: every word of a sentence stays a word."""

Words = tuple[tuple[int, int], ...]
"""Characters `[start, end)` of each word."""


@dataclasses.dataclass(frozen=True)
class Row:
    """A labelled sentence.

    Attributes:
      text: as written.
      intent: its name.
      arguments: values by slot, as written.
      words: of the text.
      spans: where the values are said; None where no run of words is one of them.
    """

    text: str
    intent: str
    arguments: Mapping[str, Sequence[str]]
    words: Words
    spans: tuple[Span, ...] | None


@dataclasses.dataclass(frozen=True)
class Data:
    """The benchmark.

    Attributes:
      labels: intents and slots.
      train, heldout: the two parts; rows without spans are in `heldout` alone.
      rows: of the file.
      duplicates: rows left out, since another has their text.
      conflicting, conflicting_heldout: texts that were given more than one label, in all and held out.
      unlabelled, unlabelled_heldout: texts whose values are not all runs of words: left out of training; and
        held out, where no answer can be right.
      ambiguous: rows whose values can be found in more than one place.
    """

    labels: Labels
    train: tuple[Row, ...]
    heldout: tuple[Row, ...]
    rows: int
    duplicates: int
    conflicting: int
    conflicting_heldout: int
    unlabelled: int
    unlabelled_heldout: int
    ambiguous: int

    @functools.cached_property
    def near_copies(self) -> tuple[bool, ...]:
        """Whether a held-out sentence nearly copies one of the training part (`sim.text.NearCopies`)."""
        index = NearCopies(row.text for row in self.train)
        return tuple(index.match(row.text) is not None for row in self.heldout)


def is_held_out(normal: str) -> bool:
    """Whether a sentence of this normal form is held out."""
    return int(hashlib.sha256(normal.encode("utf-8")).hexdigest(), 16) % SHARE == 0


def files(root: str | pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """The sentences and the slots under a root."""
    names = {path.rpartition("/")[2]: pathlib.Path(root) / path for path in find_source("snips").files}
    return names["train.jsonl.gz"], names["slots.json"]


def digest(root: str | pathlib.Path) -> str:
    """SHA-256 of both files. Raises UserError where one cannot be read."""
    return hashlib.sha256("".join(map(digest_file, files(root))).encode()).hexdigest()


@functools.lru_cache(maxsize=2)
def load(root: str) -> Data:
    """The benchmark from the files under a root, which `sources.locate` puts there.

    Raises:
      UserError: a file that is missing, or not in its form.
    """
    sentences, slots = files(root)
    labels = _read_labels(slots)
    rows = []
    for number, value in enumerate(read_lines(sentences), 1):
        try:
            call = value["call"]
            known = labels.slots[labels.intents.index(call["name"])]
            if not all(slot in known for slot in call["arguments"]):
                raise ValueError(f"a slot that {call['name']} has not")
            rows.append((str(value["query"]), str(call["name"]), dict(call["arguments"])))
        except (KeyError, TypeError, ValueError) as e:
            raise UserError(f"{sentences}, line {number}: not of the form expected ({e!r})") from e
    return make_data(labels, rows)


def _read_labels(path: pathlib.Path) -> Labels:
    try:
        return Labels.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, AttributeError) as e:
        raise UserError(f"{path} cannot be read ({e}); remove it, and it is fetched again") from e


def make_data(labels: Labels, rows: Sequence[tuple[str, str, Mapping[str, Sequence[str]]]]) -> Data:
    """Both parts of labelled sentences: text, intent, arguments each."""
    groups: dict[str, list[Row]] = defaultdict(list)
    ambiguous = 0
    for text, intent, arguments in rows:
        words = words_of(text)
        found = align(text, words, arguments)
        groups[normalize(text)].append(Row(text, intent, arguments, words, found[0] if found else None))
        ambiguous += found is not None and found[1]
    parts: dict[bool, list[Row]] = {True: [], False: []}
    conflicts: Counter[bool] = Counter()
    for normal, group in groups.items():
        held_out = is_held_out(normal)
        counts = Counter(_label(row) for row in group)
        conflicts[held_out] += len(counts) > 1
        parts[held_out].append(max(group, key=lambda row: counts[_label(row)]))
    return Data(
        labels=labels,
        train=tuple(row for row in parts[False] if row.spans is not None),
        heldout=tuple(parts[True]),
        rows=len(rows),
        duplicates=len(rows) - len(groups),
        conflicting=conflicts.total(),
        conflicting_heldout=conflicts[True],
        unlabelled=sum(row.spans is None for row in parts[False]),
        unlabelled_heldout=sum(row.spans is None for row in parts[True]),
        ambiguous=ambiguous,
    )


def _label(row: Row) -> str:
    """A label as compared between rows of one text, which may differ in case and punctuation."""
    values = {slot: [normalize(v) for v in values] for slot, values in row.arguments.items()}
    return json.dumps([row.intent, values], sort_keys=True)


def words_of(text: str) -> Words:
    """The words of a sentence and its marks of punctuation, as the tokenizer divides it."""
    return tuple(match.span() for match in WORD.finditer(fold(text)))


def encode(text: str, tokenizer: Tokenizer) -> tuple[list[list[int]], Words]:
    """The token ids of each word, and the words."""
    tokens = encoded.encode_query(text, (), PLAIN, tokenizer)
    ids: list[list[int]] = []
    words: list[tuple[int, int]] = []
    for token, chars in zip(tokens.ids, tokens.chars, strict=True):
        if not words or chars != words[-1]:
            words.append(chars)
            ids.append([])
        ids[-1].append(token)
    return ids, tuple(words)


@dataclasses.dataclass(frozen=True)
class Sentences(Portable):
    """A source of training sentences, for `stream.Stream`: a pure function of these fields and an index.

    The sentences of each epoch are a permutation of the training part, drawn from (seed, epoch).

    Attributes:
      root: folder of the sources.
      seed: of the stream.
      vocab_size: which of the shipped tokenizers.
      swap: share of the values that are replaced.
      word_dropout: share of the words that are hidden.
      max_length: tokens of the longest sentence; a longer one stands aside for the next.
    """

    root: str
    seed: int
    vocab_size: int
    swap: float
    word_dropout: float
    max_length: int

    def examples(self, start: int, stop: int) -> tuple[list[dict[str, Any]], Counter[str]]:
        """Encoded sentences `start` to `stop - 1`: `ids`, `intent`, `tags`; nothing is drawn again."""
        return [self._example(i) for i in range(start, stop)], Counter()

    def length(self, example: dict[str, Any]) -> int:
        """Padded length that an example needs, in tokens."""
        return encoded.bucket(len(example["ids"]))

    def collate(self, examples: Sequence[dict[str, Any]], length: int) -> Batch:
        """int32 `ids` [B, L], `tags` [B, L] (`NO_WORD` where no word begins), `intent` [B]."""
        out = {
            "ids": np.zeros((len(examples), length), np.int32),
            "tags": np.full((len(examples), length), NO_WORD, np.int32),
            "intent": np.array([e["intent"] for e in examples], np.int32),
        }
        for row, example in enumerate(examples):
            for name in ("ids", "tags"):
                out[name][row, : len(example[name])] = example[name]
        return out

    def change(self, row: Row, rng: random.Random) -> tuple[str, tuple[Span, ...]]:
        """A sentence with some of its values replaced: the text, and where the values are said.

        Where a new value grows together with the words beside it, the sentence stays as it was.
        """
        assert row.spans is not None  # only such are trained on
        text, at, places = "", 0, []
        for span in row.spans:
            start, end = row.words[span.first][0], row.words[span.last][1]
            value = row.text[start:end]
            if rng.random() < self.swap:
                value = rng.choice(self._values[row.intent, span.slot])
            text += row.text[at:start]
            places.append((len(text), len(text) + len(value), span.slot))
            text, at = text + value, end
        text += row.text[at:]
        words = words_of(text)
        first = {start: i for i, (start, _) in enumerate(words)}
        last = {end: i for i, (_, end) in enumerate(words)}
        if any(start not in first or end not in last for start, end, _ in places):
            return row.text, row.spans
        return text, tuple(Span(first[start], last[end], slot) for start, end, slot in places)

    def _example(self, index: int) -> dict[str, Any]:
        epoch, place = divmod(index, len(self._rows))
        row = self._rows[self._order(epoch)[place]]
        rng = random.Random(f"snips:{self.seed}:{index}")
        example = self._encode(row, *self.change(row, rng), rng)
        return (
            example if len(example["ids"]) <= self.max_length else self._encode(row, row.text, row.spans, rng)
        )

    def _encode(
        self, row: Row, text: str, spans: tuple[Span, ...] | None, rng: random.Random
    ) -> dict[str, Any]:
        assert spans is not None
        words, _ = encode(text, self._tokenizer)
        hidden = [self._tokenizer.reserved_id(UNKNOWN_MENTION)]
        words = [hidden if rng.random() < self.word_dropout else word for word in words]
        tags = self._data.labels.to_tags(spans, len(words))
        return {
            "ids": [i for word in words for i in word],
            "tags": [
                t for word, tag in zip(words, tags, strict=True) for t in [tag] + [NO_WORD] * (len(word) - 1)
            ],
            "intent": self._data.labels.intents.index(row.intent),
        }

    def _order(self, epoch: int) -> list[int]:
        if epoch not in self._orders:
            self._orders.clear()
            order = list(range(len(self._rows)))
            random.Random(f"snips epoch:{self.seed}:{epoch}").shuffle(order)
            self._orders[epoch] = order
        return self._orders[epoch]

    @functools.cached_property
    def _orders(self) -> dict[int, list[int]]:
        return {}

    @functools.cached_property
    def _rows(self) -> list[Row]:
        """Those that are short enough.

        Raises:
          UserError: there is none.
        """
        fits = [
            row
            for row in self._data.train
            if sum(map(len, encode(row.text, self._tokenizer)[0])) <= self.max_length
        ]
        if not fits:
            raise UserError(
                f"{files(self.root)[0]} has no sentence of at most {self.max_length} tokens to train on; "
                "raise config.model.max_length, or put the file back"
            )
        return fits

    @functools.cached_property
    def _values(self) -> dict[tuple[str, str], list[str]]:
        """The values of each intent's slots, each as often as it is said."""
        out: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in self._data.train:
            for span in row.spans or ():
                out[row.intent, span.slot].append(
                    row.text[row.words[span.first][0] : row.words[span.last][1]]
                )
        return out

    @functools.cached_property
    def _data(self) -> Data:
        return load(self.root)

    @functools.cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self.vocab_size)
