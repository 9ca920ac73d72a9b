"""Text as the model reads it: words, their byte-level BPE pieces, and the reserved tokens.

Sennrich et al., "Neural machine translation of rare words with subword units" (2016); bytes as the alphabet
after GPT-2. The text is lower-cased one character at a time, so that offsets into the original hold.

`python -m fernjax.model.tokenizer --vocab_size=2048` trains one on the plain text that comes with the
package and on sentences that the simulator makes, and writes it into `fernjax/model/data/`. The same texts
give the same file.
"""

from __future__ import annotations

import argparse
import functools
import json
import pathlib
import re
from collections.abc import Iterable, Iterator

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

from fernjax.sim.pools import plain_sentences
from fernjax.sim.resolve import is_part_of_day
from fernjax.sim.types import BUCKETS, Mention, UserError

DATA = pathlib.Path(__file__).parent / "data"

RESERVED = 128
"""Ids below this one are never pieces of text."""

PAD, BEGIN, END, UNKNOWN_MENTION = "<pad>", "<begin>", "<end>", "<mention>"
MAX_CALL_TOKENS = 8

MARKS = (
    "tool", "argument", "choice", "user", "app", "call", "observation", "state", "plain"
)  # fmt: skip
"""Names of the tokens that say what follows, in the prompts and texts of a broad model."""

WORLD_MARKS = (
    "status", "add", "drop", "set", "at", "of", "data", "key", "echo", "name", "ref", "close", "list", "dict",
    "text", "true", "false", "none", "empty", "absent",
)  # fmt: skip
"""Names of the tokens that a learned world's answers are made of, beside those above and some of `KINDS`."""

FORMS: dict[str, tuple[str, ...]] = {
    "date": (
        "relative", "weekday", "calendar", "monthday", "numeric", "holiday", "ahead", "ago"
    ),
    "time": ("clock", "bare", "word", "part"),
    "datetime": ("now", "relative", "weekday", "calendar", "monthday", "numeric", "holiday", "ahead", "ago"),
    "date_range": ("span", "week", "weekend", "month", "period", "after", "until", "ago"),
    "time_range": ("both", "after", "until", "part"),
    "datetime_range": ("both", "after", "until", "part"),
    "duration": ("length",),
    "recurrence": ("every", "plural"),
    "money": (),
    "number": ("number", "word"),
    "ordinal": ("ordinal",),
    "percent": (),
    "temperature": (),
    "email": (),
    "phone": (),
    "id": (),
    "channel": (),
    "handle": (),
}  # fmt: skip
"""Forms of each kind of mention that have a token of their own; any other form is read as `<kind>`."""

KINDS = tuple(FORMS)

WORD = re.compile(
    r"""
    [\w.+\-]{1,64}@\w[\w\-]{0,63}(?:\.\w[\w\-]{0,63}){1,8}      # an address; bounded, so linear
    | '(?P<possessive>s)\b                                      # "friday's", "ana's": a word of its own
    | (?P<word>[#@]?[^\W_]+
        (?: (?: '(?!s\b) | [-_&] | (?<=\d)[.:,/](?=\d) ) [^\W_]+ )* )
    | [^\w\s] | _
    """,
    re.VERBOSE,
)
"""A word, or one mark of punctuation, in folded text."""

_PIECE = re.compile(r" ?\d|[^\d]+")
_ALIKE = str.maketrans("’‘‛´`“”–—", "'''''\"\"--")
_CACHED_WORDS = 50_000  # then the cache is emptied: hostile text must not fill the memory


def fold(text: str) -> str:
    """Lower case and plain quotes, of the same length as `text`."""
    if text.isascii():
        return text.lower().replace("`", "'")
    lower = text.lower()
    if len(lower) != len(text):  # some capitals become two characters; such stay
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lower.translate(_ALIKE)


class Tokenizer:
    """A byte-level BPE over words, with reserved ids in front.

    Args:
      bpe: a tokenizer that `train` made.
    """

    def __init__(self, bpe: tokenizers.Tokenizer):
        self._bpe = bpe
        self._words: dict[str, tuple[int, ...]] = {}
        names = reserved_names()
        self._reserved = {name: i for i, name in enumerate(names)}
        for name in (PAD, names[-1]):
            if bpe.token_to_id(name) != self._reserved[name]:
                raise ValueError(f"token {name} has id {bpe.token_to_id(name)}, not {self._reserved[name]}")
        self._mentions = {
            (kind, form): self._reserved[_mention_name(kind, form)]
            for kind, forms in FORMS.items()
            for form in ("", *forms)
        }

    @property
    def vocab_size(self) -> int:
        """V, the reserved ids included."""
        return self._bpe.get_vocab_size()

    def reserved_id(self, name: str) -> int:
        """Id of a reserved token."""
        return self._reserved[name]

    def mention_id(self, mention: Mention) -> int:
        """Id of the one token that stands for a mention: its kind, and how it was said.

        A range says which of its ends it has ("after three", "before noon", "from three to four"), since
        the words that said so are gone.
        """
        form = mention.form
        if isinstance(mention.value, dict) and "start" in mention.value:
            if mention.value["start"] is None:
                form = "until"
            elif mention.value["end"] is None:
                form = "after"
            elif mention.kind != "date_range":
                form = "part" if is_part_of_day(mention) else "both"
        found = self._mentions.get((mention.kind, form))
        if found is None:
            found = self._mentions.get((mention.kind, ""), self._reserved[UNKNOWN_MENTION])
        return found

    def word_ids(self, word: str) -> tuple[int, ...]:
        """Ids of one folded word; a blank in front of it says that one stood there."""
        ids = self._words.get(word)
        if ids is None:
            ids = tuple(i for piece in _PIECE.findall(word) for i in self._bpe.encode(piece).ids)
            if len(self._words) >= _CACHED_WORDS:
                self._words.clear()
            self._words[word] = ids
        return ids

    def encode(self, text: str) -> list[int]:
        """Ids of a text without mentions."""
        return [i for word in _spaced_words(text) for i in self.word_ids(word)]

    def decode(self, ids: Iterable[int]) -> str:
        """The folded text of ids, reserved ones left out."""
        return self._bpe.decode([i for i in ids if i >= RESERVED]).lstrip(" ")

    def to_json(self) -> str:
        """The whole tokenizer, as `tokenizers.Tokenizer.from_file` reads it."""
        return self._bpe.to_str()


def reserved_names() -> list[str]:
    """Names of the reserved ids, in order; spare ones fill up to `RESERVED`."""
    names = [PAD, BEGIN, END, UNKNOWN_MENTION]
    names += [call_name(k) for k in range(MAX_CALL_TOKENS)]
    names += [_mention_name(kind, form) for kind, forms in FORMS.items() for form in ("", *forms)]
    names += [f"<{mark}>" for mark in (*MARKS, *WORLD_MARKS)]
    return names + [f"<spare:{i}>" for i in range(len(names), RESERVED)]


def call_name(k: int) -> str:
    """Name of the token whose state answers with call `k`."""
    return f"<call:{k}>"


def _mention_name(kind: str, form: str) -> str:
    return f"<{kind}:{form}>" if form else f"<{kind}>"


@functools.lru_cache(maxsize=8)
def load_tokenizer(vocab_size: int) -> Tokenizer:
    """The shipped tokenizer of a size.

    Raises:
      UserError: where none of that size is shipped.
    """
    path = DATA / f"bpe{vocab_size}.json"
    if not path.exists():
        sizes = sorted(int(p.stem[3:]) for p in DATA.glob("bpe*.json"))
        raise UserError(
            f"config.model.vocab_size {vocab_size}: no tokenizer of that size is shipped; there are: "
            f"{', '.join(map(str, sizes))}"
        )
    return Tokenizer(tokenizers.Tokenizer.from_file(str(path)))


def train(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """A tokenizer of at most `vocab_size` ids, trained on texts. Deterministic."""
    bpe = tokenizers.Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        min_frequency=1,
        special_tokens=reserved_names(),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    pieces = (piece for text in texts for word in _spaced_words(text) for piece in _PIECE.findall(word))
    bpe.train_from_iterator(pieces, trainer)
    return Tokenizer(bpe)


def _spaced_words(text: str) -> Iterator[str]:
    """Folded words, a blank in front of those that follow one, and of the first."""
    folded = fold(text)
    end = -1
    for match in WORD.finditer(folded):
        yield match.group() if match.start() == end else " " + match.group()
        end = match.end()


def generated_texts(count: int, seed: int = 0) -> list[str]:
    """Sentences of every app's simulator, `count` each."""
    # Only where a tokenizer is made: whoever reads with one needs no simulator.
    from fernjax.sim.recipe import Recipe
    from fernjax.sim.scenario import Generator
    from fernjax.sim.world import domain_names, load_domain

    recipe = Recipe(buckets=dict.fromkeys(BUCKETS, 1.0))
    generators = [Generator(load_domain(name), recipe, seed) for name in domain_names()]
    return [g.scenario(i).row.query.text for g in generators for i in range(count)]


def main() -> None:
    """Trains a tokenizer of the given size and writes it beside those that are shipped."""
    parser = argparse.ArgumentParser(description="Trains a tokenizer and writes it into the package.")
    parser.add_argument("--vocab_size", type=int, required=True)
    parser.add_argument("--generated", type=int, default=10_000, help="sentences of each app's simulator")
    arguments = parser.parse_args()
    texts = [*plain_sentences(), *generated_texts(arguments.generated)]
    tokenizer = train(texts, arguments.vocab_size)
    DATA.mkdir(exist_ok=True)
    path = DATA / f"bpe{arguments.vocab_size}.json"
    path.write_text(tokenizer.to_json() + "\n", encoding="utf-8")
    print(json.dumps({"path": str(path), "vocab_size": tokenizer.vocab_size}))


if __name__ == "__main__":
    main()
