from __future__ import annotations

import pickle
import random

import made_snips
import numpy as np
import pytest
from made_snips import row

from fernjax.model.corpus import snips
from fernjax.model.corpus.snips import NO_WORD, Sentences, encode, make_data
from fernjax.model.spans import Labels, values_of
from fernjax.model.tokenizer import load_tokenizer
from fernjax.sim.types import UserError

LABELS = Labels.from_json(made_snips.SLOTS)
TOKENIZER = load_tokenizer(2048)


def data_of(*rows):
    return make_data(LABELS, [(r["query"], r["call"]["name"], r["call"]["arguments"]) for r in rows])


def both(data):
    return data.train + data.heldout


@pytest.fixture
def root(tmp_path):
    return str(made_snips.write(tmp_path))


def make_source(root, **changes):
    values = {"seed": 0, "vocab_size": 2048, "swap": 0.5, "word_dropout": 0.0, "max_length": 48}
    return Sentences(root=root, **(values | changes))


def test_every_row_says_its_values(root):
    data = snips.load(root)
    labelled = {r["query"]: r["call"]["arguments"] for r in made_snips.rows()}
    assert len(both(data)) == len(labelled)
    for one in both(data):
        assert values_of(one.text, one.words, one.spans) == labelled[one.text]


def test_the_split_is_stable():
    assert [n for n in range(60) if snips.is_held_out(f"sentence {n}")] == HELD_OUT


HELD_OUT = [23, 38, 43, 44, 48, 57]


def test_the_split_is_a_tenth():
    held_out = sum(snips.is_held_out(f"sentence {n}") for n in range(10_000))
    assert abs(held_out - 1000) < 4 * 30  # four standard deviations


def test_a_text_with_other_case_and_marks_is_the_same():
    once = row("Play Rain", "PlayMusic", {"track": ["Rain"]})
    again = row("play rain!", "PlayMusic", {"track": ["rain"]})
    data = data_of(once, again)
    assert (len(both(data)), data.duplicates, data.conflicting) == (1, 1, 0)


def test_of_several_labels_the_commonest_holds_and_is_counted():
    track = row("Play Rain", "PlayMusic", {"track": ["Rain"]})
    artist = row("play Rain.", "PlayMusic", {"artist": ["Rain"]})
    for given, slot in (((track, artist), "track"), ((track, artist, artist), "artist")):
        data = data_of(*given)
        assert data.conflicting == 1
        assert list(both(data)[0].arguments) == [slot]


def test_what_cannot_be_labelled_is_held_out_all_the_same():
    rows = [row(f"Play number {n}", "PlayMusic", {"track": ["nowhere"]}) for n in range(60)]
    data = data_of(*rows)
    assert not data.train
    assert len(data.heldout) == data.unlabelled_heldout > 0
    assert data.unlabelled + data.unlabelled_heldout == 60


def test_near_copies_of_training_sentences_are_marked():
    alike = [row(f"Play the very long song that is number {n}", "PlayMusic", {}) for n in range(60)]
    others = [row(f"{n}{n}", "PlayMusic", {}) for n in range(60)]
    data = data_of(*alike, *others)
    assert {len(r.text) > 10 for r in data.heldout} == {True, False}
    assert data.near_copies == tuple(len(r.text) > 10 for r in data.heldout)


def test_the_words_that_are_encoded_are_those_that_are_labelled():
    for r in made_snips.rows():
        ids, words = encode(r["query"], TOKENIZER)
        assert words == snips.words_of(r["query"])
        assert [i for word in ids for i in word] == TOKENIZER.encode(r["query"])


@pytest.mark.parametrize("vocab_size", [2048, 8192])
def test_changed_sentences_say_their_new_values(root, vocab_size):
    source, data, swapped = make_source(root, swap=1.0, vocab_size=vocab_size), snips.load(root), 0
    known: dict[tuple[str, str], set[str]] = {}
    for one in data.train:
        for slot, values in one.arguments.items():
            known.setdefault((one.intent, slot), set()).update(values)
    for seed in range(5):
        for one in data.train:
            text, spans = source.change(one, random.Random(seed))
            said = values_of(text, snips.words_of(text), spans)
            assert {s: len(v) for s, v in said.items()} == {s: len(v) for s, v in one.arguments.items()}
            assert all(v in known[one.intent, slot] for slot, values in said.items() for v in values)
            swapped += text != one.text
    assert swapped > len(data.train)


def test_without_changes_a_sentence_stays_as_it_was(root):
    source, one = make_source(root, swap=0.0), snips.load(root).train[0]
    assert source.change(one, random.Random(0)) == (one.text, one.spans)


@pytest.mark.parametrize(("value", "text"), [("Snow", "play Snow:30"), ("12", "play Rain:30")])
def test_a_value_that_would_grow_together_with_its_neighbour_is_not_put_there(value, text):
    (one,) = both(data_of(row("play Rain:30", "PlayMusic", {"track": ["Rain"]})))
    source = make_source("", swap=1.0)
    vars(source)["_values"] = {("PlayMusic", "track"): [value]}
    changed, spans = source.change(one, random.Random(0))
    assert (changed, spans) == (text, one.spans)


def test_an_epoch_is_a_permutation(root):
    source, n = make_source(root, swap=0.0), len(snips.load(root).train)
    epochs = [source.examples(e * n, (e + 1) * n)[0] for e in (0, 1)]
    first, second = ([tuple(x["ids"]) for x in epoch] for epoch in epochs)
    assert len(set(first)) == n
    assert sorted(first) == sorted(second)
    assert first != second


def test_the_stream_is_a_pure_function_of_seed_and_index(root):
    source = make_source(root, word_dropout=0.3)
    whole = source.examples(0, 100)[0]
    again = pickle.loads(pickle.dumps(source))
    assert again.examples(70, 100)[0] == whole[70:]
    assert again.examples(0, 30)[0] == whole[:30]
    assert make_source(root, seed=1).examples(0, 100)[0] != whole


def test_hidden_words_keep_their_tags(root):
    plain = make_source(root, swap=0.0).examples(0, 50)[0]
    hidden = make_source(root, swap=0.0, word_dropout=1.0).examples(0, 50)[0]
    for one, other in zip(plain, hidden, strict=True):
        tags = [t for t in one["tags"] if t != NO_WORD]
        assert other["tags"] == tags
        assert len(set(other["ids"])) == 1


def test_batches_are_padded(root):
    source = make_source(root)
    examples = source.examples(0, 6)[0]
    length = max(map(source.length, examples))
    batch = source.collate(examples, length)
    assert batch["ids"].shape == batch["tags"].shape == (6, length)
    for i, one in enumerate(examples):
        n = len(one["ids"])
        assert batch["ids"][i, :n].tolist() == one["ids"]
        assert batch["tags"][i, :n].tolist() == one["tags"]
        assert not batch["ids"][i, n:].any()
        assert (batch["tags"][i, n:] == NO_WORD).all()
    assert batch["ids"].dtype == batch["intent"].dtype == np.int32


def test_a_changed_sentence_that_is_too_long_stays_as_it_was(root):
    plain = {tuple(x["ids"]) for x in make_source(root, swap=0.0).examples(0, 200)[0]}
    longest = max(map(len, plain))
    changed = make_source(root, swap=1.0, max_length=longest).examples(0, 300)[0]
    assert max(len(x["ids"]) for x in changed) <= longest
    with pytest.raises(UserError, match="no sentence of at most 1 tokens"):
        make_source(root, max_length=1).examples(0, 1)


@pytest.mark.parametrize(
    "broken",
    [
        {"query": "play"},
        {"query": "play", "call": {"name": "Fly", "arguments": {}}},
        {"query": "play", "call": {"name": "PlayMusic", "arguments": {"genre": ["x"]}}},
    ],
)
def test_a_row_of_another_form_is_named(tmp_path, broken):
    made_snips.write(tmp_path, [*made_snips.rows()[:1], broken])
    with pytest.raises(UserError, match="line 2"):
        snips.load(str(tmp_path))
