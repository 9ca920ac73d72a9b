"""A learned world: its answers as tokens, what may follow what, and the model behind `step`."""

from __future__ import annotations

import contextlib
import random

import jax
import numpy as np
import pytest

from fernjax.model.tokenizer import END, RESERVED, load_tokenizer
from fernjax.model.transformer import ModelConfig
from fernjax.model.world import learning
from fernjax.model.world.guide import Guide
from fernjax.model.world.learned import LearnedWorld
from fernjax.model.world.learning import WorldModel, WorldReader
from fernjax.model.world.source import LENGTHS, WorldSource, encode_call, encode_state
from fernjax.model.world.tokens import decode, encode, spellings
from fernjax.sim.types import Call
from fernjax.sim.world import domain_names
from fernjax.sim.worlds.app import load_world, steps_of
from fernjax.sim.worlds.changes import same
from fernjax.sim.worlds.language import UNREADABLE, Unreadable

TOKENIZER = load_tokenizer(2048)
SMALL = ModelConfig(
    vocab_size=2048, width=32, heads=2, kv_heads=1, ff_width=32, stem_blocks=1, core_blocks=1, loops=2,
    tail_blocks=0, attention="prefix", rope_base=10_000.0, qk_norm=True, logit_cap=30.0, embed_std=0.3,
    max_length=64, max_calls=2, dtype="float32",
)  # fmt: skip
SOURCE = WorldSource(
    ("alarms",), 3, 2048, calls=3, row_length=640, state_length=400, answer_length=48, turns=2
)


def alike(a, b):
    """As `same`, where case does not count: the tokenizer folds it, and what is new has no other spelling."""
    return same(folded(a), folded(b))


def folded(value):
    if isinstance(value, str):
        return value.lower().strip()
    if isinstance(value, dict):
        return {k.lower(): folded(v) for k, v in value.items()}
    return [folded(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", domain_names())
def test_answers_survive_as_tokens_and_the_guide_lets_them_pass(name):
    world = load_world(name)
    kept = 0
    steps = list(steps_of(world.domain, 2, 10))
    for state, call, after, seen in steps:
        row = world.language.write(state, call, after, seen)
        ids = encode(row, TOKENIZER)
        there, answer = world.language.read(
            state, call, decode(ids, TOKENIZER, spellings(state, call, world.lexicon))
        )
        kept += alike(there, after) and alike(answer.to_json(), seen.to_json())
        guide = Guide(world, TOKENIZER, state, call)
        for token in [*ids[1:], TOKENIZER.reserved_id(END)]:
            if len(row) < 60 and not any(len(TOKENIZER.encode(w)) > 20 for w in row):
                assert token in guide.allowed, decode([*guide.taken, token], TOKENIZER, {})
            elif token not in guide.allowed:  # longer than any answer that is trained on
                break
            guide.push(token)
        else:
            assert guide.done and guide.taken == ids
    assert kept >= 0.99 * len(steps)


@pytest.mark.parametrize("name", ["calendar", "lists", "tracker"])
def test_whatever_a_guide_lets_pass_can_be_read(name):
    world = load_world(name)
    read = ended = 0
    for number, (state, call, _, _) in enumerate(steps_of(world.domain, 5, 10)):
        rng, guide = random.Random(number), Guide(world, TOKENIZER, state, call)
        while not guide.done and len(guide.taken) < 400:
            marks = [t for t in guide.allowed if t < RESERVED]
            guide.push(int(rng.choice(marks if marks and rng.random() < 0.6 else list(guide.allowed))))
        ended += guide.done
        with contextlib.suppress(Unreadable):
            read += guide.done and guide.read() is not None
    assert ended > 20 and read >= 0.7 * ended  # a random walk drops records and then has nothing to point at


def test_a_row_holds_a_state_once_and_its_calls_behind_it():
    examples, _ = SOURCE.examples(0, 4)
    again, _ = WorldSource(**{f: getattr(SOURCE, f) for f in SOURCE.__dataclass_fields__}).examples(2, 3)
    assert again[0] == examples[2]
    for example in examples:
        segments = np.array(example["segments"])
        assert segments.max() == 3 and (np.diff(segments) >= 0).all()
        state = (segments == 0).sum()
        for k in range(1, 4):
            assert np.array(example["positions"])[segments == k][0] == state
        ends = [n for n in example["next"] if n == TOKENIZER.reserved_id(END)]
        assert len(ends) == 3 and len(example["at"]) == len(example["next"])
        assert SOURCE.length(example) in LENGTHS


def test_calls_of_one_row_do_not_see_each_other():
    batch = SOURCE.collate(SOURCE.examples(0, 1)[0], 640)
    params = learning.init(0, SMALL)
    changed = {name: value.copy() for name, value in batch.items()}
    changed["ids"][batch["segments"] == 2] = 700

    def foretold(b):
        return WorldReader(SMALL).apply({"params": params}, b["ids"], b["positions"], b["segments"], b["at"])

    one, other = foretold(batch), foretold(changed)
    segment = np.take_along_axis(batch["segments"], batch["at"], axis=1)
    np.testing.assert_array_equal(one[segment == 1], other[segment == 1])
    np.testing.assert_array_equal(one[segment == 3], other[segment == 3])
    assert not np.array_equal(one[segment == 2], other[segment == 2])


def test_token_by_token_it_says_what_it_says_at_once():
    """The cache against one pass over the whole, for an answer that the guide has let through."""
    world = load_world("alarms")
    steps = list(steps_of(world.domain, 4, 2))
    params = learning.init(1, SMALL)
    learned = LearnedWorld(params, SMALL, world, 400, 24)
    told = learned.steps([(state, call) for state, call, _, _ in steps[:3]])
    assert [learned.step(state, call) for state, call, _, _ in steps[:3]] == told
    state, call, _, _ = steps[0]
    prefix = encode_state(state, world, TOKENIZER, 400)
    ids = [*prefix, *encode_call(state, call, world, TOKENIZER)]
    guide = Guide(world, TOKENIZER, state, call)
    begun = learned_logits(params, ids, len(prefix), guide, 6)
    whole = ids + guide.taken[1:]
    at = np.arange(len(ids) - 1, len(whole))[None]
    segments = np.array([[0] * len(prefix) + [1] * (len(whole) - len(prefix))])
    apply = WorldReader(SMALL).apply
    logits = apply({"params": params}, np.array([whole]), np.arange(len(whole))[None], segments, at)
    np.testing.assert_allclose(np.array(begun), logits[0, : len(begun)], rtol=2e-5, atol=2e-5)


def learned_logits(params, ids, state, guide, steps):
    from fernjax.model.world.learned import _begin, _choose, _extend

    size = len(ids) + steps
    logits, kept = _begin(params, np.array([ids], np.int32), np.array([state], np.int32), size, SMALL)
    out, sees = [logits[0]], np.arange(size)[None] < len(ids)
    for n in range(steps - 1):
        token = _choose(np.asarray(logits), [guide])
        sees = sees | (np.arange(size)[None] == len(ids) + n)
        position, column = np.array([len(ids) + n], np.int32), np.int32(len(ids) + n)
        logits, kept = _extend(params, token, position, sees, column, kept, SMALL)
        out.append(logits[0])
    return out


def test_it_learns_a_row_by_heart():
    problem = WorldModel(SMALL, False)
    batch = SOURCE.collate(SOURCE.examples(0, 1)[0], 640)
    params = problem.init(0)

    @jax.jit
    def step(params):
        (value, scalars), grads = jax.value_and_grad(problem.loss, has_aux=True)(params, batch)
        return jax.tree.map(lambda p, g: p - 0.3 * g / (1e-6 + abs(g).max()) * 0.03, params, grads), value

    first = None
    for _ in range(60):
        params, value = step(params)
        first = first or float(value)
    assert float(value) < 0.5 * first


def test_an_answer_without_an_end_leaves_the_state():
    world = load_world("alarms")
    learned = LearnedWorld(learning.init(0, SMALL), SMALL, world, 400, 2)
    state = next(steps_of(world.domain, 4, 1))[0]
    assert learned.step(state, Call("list_alarms")) == (state, UNREADABLE)
