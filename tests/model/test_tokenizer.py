"""The tokenizer: offsets hold, reserved ids stay put, training is deterministic."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fernjax.model import tokenizer as module
from fernjax.model.tokenizer import (
    FORMS,
    RESERVED,
    WORD,
    Tokenizer,
    fold,
    load_tokenizer,
    reserved_names,
    train,
)
from fernjax.sim import mentions
from fernjax.sim.types import Mention, UserError

TEXTS = ["plant the pear", "plant a fig at 10", "move the pear's pot", "water the pear and the fig"] * 3


@given(st.text())
def test_fold_keeps_offsets(text):
    assert len(fold(text)) == len(text)


def test_fold_lowers_what_it_can():
    assert fold("Ana’s ÉCLAIR") == "ana's éclair"
    assert fold("İstanbul") == "İstanbul"  # its lower case has two characters


@given(st.text(max_size=60))
def test_words_cover_everything_but_blanks(text):
    folded = fold(text)
    covered = {i for m in WORD.finditer(folded) for i in range(*m.span())}
    assert covered == {i for i, c in enumerate(folded) if not c.isspace()}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("friday's all-hands, o'clock", ["friday", "'s", "all-hands", ",", "o'clock"]),
        ("@ana #design-review ana.b@example.org.", ["@ana", "#design-review", "ana.b@example.org", "."]),
        ("9:30 or 2.5, 1,000. don't", ["9:30", "or", "2.5", ",", "1,000", ".", "don't"]),
        ("r&d (mom)", ["r&d", "(", "mom", ")"]),
    ],
)
def test_words(text, words):
    assert [m.group() for m in WORD.finditer(text)] == words


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40))
def test_decode_gives_the_words_back(text):
    tokenizer = load_tokenizer(2048)
    ids = tokenizer.encode(text)
    assert all(RESERVED <= i < tokenizer.vocab_size for i in ids)
    assert "".join(tokenizer.decode(ids).split()) == "".join(fold(text).split())


@pytest.mark.parametrize("size", [2048, 4096, 8192])
def test_shipped_sizes(size):
    tokenizer = load_tokenizer(size)
    assert tokenizer.vocab_size == size
    for word in (" the", " meeting", " tomorrow", " remind"):
        assert len(tokenizer.word_ids(word)) == 1
    assert len(tokenizer.word_ids(" 2026")) == 4  # digits are apart


def test_unknown_size_is_the_users_mistake():
    with pytest.raises(UserError, match="2048, 4096, 8192"):
        load_tokenizer(1000)


def test_reserved_ids():
    names = reserved_names()
    assert len(names) == len(set(names)) == RESERVED
    assert names[0] == "<pad>"
    tokenizer = load_tokenizer(2048)

    def said(kind, form, value=0, part=""):
        return tokenizer.mention_id(Mention(kind, 0, 1, value, (), form, part))

    ids = {said(kind, form) for kind, forms in FORMS.items() for form in ("", *forms)}
    assert len(ids) == sum(1 + len(forms) for forms in FORMS.values())
    assert said("date", "no such form") == said("date", "")
    assert said("no such kind", "") == tokenizer.reserved_id("<mention>")
    hours = [
        {"start": "15:00", "end": None},
        {"start": None, "end": "15:00"},
        {"start": "15:00", "end": "16:00"},
    ]
    assert [said("time_range", "open", v) for v in hours] == [
        tokenizer.reserved_id(f"<time_range:{name}>") for name in ("after", "until", "both")
    ]
    evening = {"start": "2026-03-05T18:00", "end": "2026-03-06T00:00"}
    assert said("datetime_range", "relative", evening, "evening") == tokenizer.reserved_id(
        "<datetime_range:part>"
    )


def test_every_form_of_a_token_is_the_extractors():
    assert {f for forms in FORMS.values() for f in forms} <= set(mentions.FORMS) | {"after", "until", "both"}


def test_training_is_deterministic():
    a, b = (train(TEXTS, 500).to_json() for _ in range(2))
    assert a == b
    assert isinstance(train(TEXTS, 500), Tokenizer)


def test_a_full_cache_is_emptied(monkeypatch):
    monkeypatch.setattr(module, "_CACHED_WORDS", 3)
    tokenizer = train(TEXTS, 500)
    before = [tokenizer.encode(t) for t in TEXTS]
    assert len(tokenizer._words) <= 3
    assert [tokenizer.encode(t) for t in TEXTS] == before


def test_hostile_text_takes_linear_time():
    for unit in ("a.", "a@", "'s", "a-", "1,", "_", "#@"):
        took = []
        for size in (20_000, 40_000):
            start = time.process_time()
            count = sum(1 for _ in WORD.finditer(unit * size))
            took.append(time.process_time() - start)
            assert count
        assert took[1] < 0.1 + 4 * took[0], (unit, took)
