from __future__ import annotations

import itertools

import numpy as np
import pytest

from fernjax.model.corpus.snips import words_of
from fernjax.model.spans import OUTSIDE, Labels, Span, align, errors, f1, values_of, viterbi

LABELS = Labels(("Play", "Weather"), (("artist", "track"), ("city",)))
A, C, T = "artist", "city", "track"


def found(text, arguments):
    return align(text, words_of(text), arguments)


def test_labels_survive_json():
    assert Labels.from_json(LABELS.to_json()) == LABELS
    assert LABELS.names == (A, C, T)
    assert LABELS.tags == 7


def test_an_intent_allows_the_tags_of_its_slots():
    assert LABELS.allowed_IxY.tolist() == [
        [True, True, True, False, False, True, True],
        [True, False, False, True, True, False, False],
    ]


@pytest.mark.parametrize(
    ("spans", "tags"),
    [
        ((), [0, 0, 0, 0]),
        ((Span(1, 2, A),), [0, 1, 2, 0]),
        ((Span(0, 0, A), Span(1, 1, A), Span(3, 3, T)), [1, 1, 0, 5]),
        ((Span(0, 1, C), Span(2, 3, C)), [3, 4, 3, 4]),
    ],
)
def test_spans_become_tags_and_spans_again(spans, tags):
    assert LABELS.to_tags(spans, 4) == tags
    assert LABELS.to_spans(tags) == spans


@pytest.mark.parametrize("tags", [[2], [0, 2], [1, 4], [3, 0, 4]])
def test_a_slot_that_did_not_begin_does_not_go_on(tags):
    with pytest.raises(ValueError, match="behind tag"):
        LABELS.to_spans(tags)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("play Rain by Ana", {T: ["Rain"], A: ["Ana"]}),
        ("weather in St. Ives and San José!", {C: ["St. Ives", "San José"]}),
        ("play #1, by DJ O'Neil's band", {T: ["#1"], A: ["DJ O'Neil"]}),
        ("rain in rain", {C: ["rain", "rain"]}),
        ("play it", {}),
    ],
)
def test_values_are_found_and_copied_as_written(text, arguments):
    words = words_of(text)
    spans, _ = align(text, words, arguments)
    back = LABELS.to_spans(LABELS.to_tags(spans, len(words)))
    assert values_of(text, words, back) == arguments


def test_the_order_of_the_slots_tells_where_a_word_is_meant():
    assert found("my song to my list", {T: ["song"], A: ["my"]}) == ((Span(1, 1, T), Span(3, 3, A)), False)
    assert found("my song to my list", {A: ["my"], T: ["song"]}) == ((Span(0, 0, A), Span(1, 1, T)), False)
    assert found("show the show", {T: ["show"]}) == ((Span(0, 0, T),), True)


def test_a_value_within_another_is_not_taken_for_it():
    spans, unsure = found("Rain Man and Rain", {T: ["Rain Man"], A: ["Rain"]})
    assert spans == (Span(0, 1, T), Span(3, 3, A))
    assert not unsure


def test_two_blanks_in_a_value_are_one():
    assert found("by Ana Lima", {A: ["Ana  Lima"]}) == ((Span(1, 2, A),), False)


@pytest.mark.parametrize("value", ["", "Bob", "An", "lay Rain", "Rain by Rain"])
def test_what_is_no_run_of_words_is_not_found(value):
    assert found("play Rain by Ana", {T: [value]}) is None


def test_values_that_share_a_word_are_not_both_found():
    assert found("play Rain Man", {T: ["Rain Man"], A: ["Man"]}) is None


@pytest.mark.parametrize("seed", range(200))
def test_viterbi_never_gives_an_invalid_sequence(seed):
    rng = np.random.default_rng(seed)
    logp = rng.normal(size=(rng.integers(1, 9), LABELS.tags)) * 5
    allowed = LABELS.allowed_IxY[seed % 2]
    logp = np.where(allowed, logp, -1e9)
    tags, total = viterbi(logp)
    LABELS.to_spans(tags)  # raises where it is invalid
    assert allowed[tags].all()
    assert total == pytest.approx(sum(logp[i, tag] for i, tag in enumerate(tags)))


@pytest.mark.parametrize("seed", range(20))
def test_viterbi_finds_the_best_of_all_valid_sequences(seed):
    logp = np.random.default_rng(seed).normal(size=(4, 5))
    valid = []
    for tags in itertools.product(range(5), repeat=4):
        behind = zip((OUTSIDE, *tags), tags, strict=False)
        if all(tag == OUTSIDE or tag % 2 or before in (tag - 1, tag) for before, tag in behind):
            valid.append(tags)
    best = max(valid, key=lambda tags: sum(logp[i, tag] for i, tag in enumerate(tags)))
    assert viterbi(logp)[0] == list(best)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((2, 2, 2), 1.0),
        ((0, 3, 2), 0.0),
        ((1, 2, 3), 0.4),
        ((3, 4, 4), 0.75),
        ((0, 0, 2), 0.0),
        ((0, 0, 0), 1.0),
    ],
)
def test_f1(counts, expected):
    assert f1(*counts) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gold", "said", "expected"),
    [
        ([Span(0, 1, A)], [Span(0, 1, A)], {}),
        ([Span(0, 1, A)], [Span(0, 1, T)], {("slot", A, T): 1}),
        ([Span(0, 1, A)], [Span(1, 1, A)], {("words", A, A): 1}),
        ([Span(0, 1, A)], [Span(1, 2, T)], {("both", A, T): 1}),
        ([Span(0, 1, A)], [], {("missed", A, ""): 1}),
        ([], [Span(0, 1, A)], {("invented", "", A): 1}),
        ([Span(0, 1, A)], [Span(3, 3, A)], {("missed", A, ""): 1, ("invented", "", A): 1}),
        ([Span(0, 2, A)], [Span(0, 0, T), Span(1, 2, A)], {("words", A, A): 1}),
    ],
)
def test_errors_are_told_apart(gold, said, expected):
    assert dict(errors(gold, said)) == expected
