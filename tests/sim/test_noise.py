"""Noise: what it may and may not touch."""

import random

import hypothesis.strategies as st
from hypothesis import given, settings

from fernjax.sim.noise import add_noise

TEXT = "Can you remind me to call the dentist's office with Ana tomorrow at 3pm?"
SPANS = [(21, 45), (51, 54), (55, 70)]
WORD = st.text("abcdefghijklmnopqrstuvwxyz'ABCßé,.?0123456789", min_size=1, max_size=9)


@st.composite
def slotted(draw):
    """A sentence of words with disjoint, nested or equal spans of whole words."""
    words = draw(st.lists(WORD, min_size=1, max_size=12))
    text = " ".join(words)
    starts = [sum(len(w) + 1 for w in words[:i]) for i in range(len(words))]
    spans = []
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.integers(0, len(words) - 1))
        last = draw(st.integers(first, len(words) - 1))
        spans.append((starts[first], starts[last] + len(words[last])))
    return text, spans


@settings(max_examples=300, deadline=None)
@given(slotted(), st.integers(0, 2**32), st.floats(0, 4))
def test_slots_keep_their_words_up_to_case(case, seed, level):
    text, spans = case
    noisy, moved = add_noise(random.Random(seed), text, spans, level)
    assert len(moved) == len(spans)
    for (s, e), (t, f) in zip(spans, moved, strict=True):
        assert noisy[t:f].casefold() == text[s:e].casefold()


@settings(max_examples=300, deadline=None)
@given(slotted(), st.integers(0, 2**32), st.data())
def test_unprotected_slots_keep_their_number_of_words(case, seed, data):
    text, spans = case
    protected = {i for i in range(len(spans)) if data.draw(st.booleans())}
    noisy, moved = add_noise(random.Random(seed), text, spans, 3, protected)
    for i, ((s, e), (t, f)) in enumerate(zip(spans, moved, strict=True)):
        if i in protected:
            assert noisy[t:f].casefold() == text[s:e].casefold()
        else:
            assert len(noisy[t:f].split()) == len(text[s:e].split())


def test_level_zero_changes_nothing_and_a_seed_gives_the_same_text():
    assert add_noise(random.Random(0), TEXT, SPANS, 0) == (TEXT, SPANS)
    for seed in range(50):
        assert add_noise(random.Random(seed), TEXT, SPANS, 1) == add_noise(
            random.Random(seed), TEXT, SPANS, 1
        )


def test_more_level_is_more_noise():
    def changed(level):
        return sum(
            abs(len(add_noise(random.Random(s), TEXT, SPANS, level)[0]) - len(TEXT)) for s in range(300)
        )

    assert changed(0.3) < changed(1) < changed(2)


def test_every_kind_of_noise_shows_up():
    rng = random.Random(5)
    seen = " | ".join(add_noise(rng, TEXT, SPANS, 2)[0] for _ in range(3000))
    for sign in (
        "hey siri",
        "um ",
        "remind remind",
        "u remind",
        "remember me",
        "thanks",
        "3pm??",
        "w/ Ana",
        "CAN YOU",
    ):
        assert sign in seen, sign
    assert any("dentists" in add_noise(rng, TEXT, SPANS, 2, protected={1, 2})[0] for _ in range(300))


def test_noise_says_no_time_and_no_number():
    """A word that the extractor takes for a date or a number would change what the sentence means."""
    from fernjax.sim import noise

    said = [
        *noise.WAKE,
        *noise.OPENERS,
        *noise.BARE_OPENERS,
        *noise.FILLERS,
        *noise.ENDINGS,
        *noise.FALSE_STARTS,
    ]
    said += [w for heard in noise.HEARD_AS.values() for w in heard] + list(noise.SHORT.values())
    taboo = set(
        "now morning tonight today second minute one two four for half today noon day week tomorrow".split()
    )
    assert not [s for s in said if taboo & set(s.split()) - {"for"}]
