"""A broad model answers as the specialist does that starts from it, and knows tools by their words alone."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scenes import TINY, orchard, scenes

from fernjax.model import codec, heads, prompt, reader
from fernjax.model.codec import Spec
from fernjax.model.corpus.shards import TARGETS, WIDTHS
from fernjax.model.tokenizer import load_tokenizer

TOKENIZER = load_tokenizer(2048)
SPEC = Spec.from_domain(orchard(), "point", TINY.max_calls)
TOOLS, ARGUMENTS, LENGTH = 6, 12, 48


@functools.cache
def wild_params():
    """Weights far from their first values, so that nothing is zero."""
    tree = reader.init(0, TINY)
    rng = np.random.default_rng(0)
    return jax.tree.map(lambda w: np.asarray(w + 0.3 * rng.normal(size=w.shape), np.float32), tree)


def make_group(order=None, seed=None):
    """The orchard's sentences and tools as one group, in another order of the tools where one is given."""
    read = [i for i in range(len(SPEC.tools)) if i != SPEC.out_of_scope]
    read = [read[i] for i in order] if order else read
    group = prompt.lay_out([(SPEC, i) for i in read], TOKENIZER, TOOLS, ARGUMENTS, WIDTHS)
    place = {tool: w for w, tool in enumerate(read)}
    place |= {SPEC.out_of_scope: TOOLS, len(SPEC.tools): TOOLS + 1}
    batch = codec.collate([codec.encode_scenario(s, SPEC, TOKENIZER) for s in scenes()], LENGTH)
    batch["tool"] = np.vectorize(lambda t: place.get(int(t), codec.NOT_ASKED))(batch["tool"]).astype(np.int32)
    for name, head in TARGETS.items():
        given = batch.get(name, np.zeros((*batch["tool"].shape, 0), np.int32))
        batch[name] = np.pad(given, ((0, 0), (0, 0), (0, WIDTHS[head] - given.shape[2])))
    return {name: x[None] for name, x in (group | batch).items()}, place


def answers_of(batch):
    return jax.device_get(reader.Reader(TINY).apply({"params": wild_params()}, batch))


def test_a_specialist_that_starts_from_a_broad_model_answers_as_it_does():
    batch, place = make_group()
    broad = answers_of(batch)
    own = reader.specialise(wild_params(), TINY, SPEC, TOKENIZER)
    first = heads.init_params(0, TINY, SPEC)
    assert jax.tree.map(jnp.shape, own) == jax.tree.map(jnp.shape, first)
    sentences = codec.collate([codec.encode_scenario(s, SPEC, TOKENIZER) for s in scenes()], LENGTH)
    tool = np.maximum(sentences["tool"], 0)
    special = jax.device_get(heads.Caller(TINY, SPEC).apply({"params": own}, sentences, tool))
    columns = [place[i] for i in range(len(SPEC.tools) + 1)]
    np.testing.assert_allclose(special["tool"], broad["tool"][..., columns], atol=2e-4)
    asked = sentences["tool"] >= 0
    for head, questions in (("text", ("start", "end")), ("point", ("point",)), ("choice", ("choice",))):
        exists = heads.layout_of(SPEC).exists[head][tool] & asked[..., None]
        width = exists.shape[-1]
        for question in questions:
            size = special[question].shape[-1]
            mine, theirs = special[question][exists], broad[question][:, :, :width, :size][exists]
            np.testing.assert_allclose(mine, theirs, atol=2e-4)


def test_tools_are_a_set():
    one, place = make_group()
    order = list(range(len(place) - 2))[::-1]
    other, turned = make_group(order)
    a, b = answers_of(one)["tool"], answers_of(other)["tool"]
    for tool, at in place.items():
        np.testing.assert_allclose(a[..., at], b[..., turned[tool]], atol=2e-4)
    assert a[0, 0, place[0]] != pytest.approx(a[0, 0, place[1]])


def test_a_group_does_not_see_the_others():
    one, _ = make_group()
    other, _ = make_group([1, 0])
    both = {name: np.concatenate([one[name], other[name]]) for name in one}
    alone, together = answers_of(one), answers_of(both)
    for name, values in alone.items():
        np.testing.assert_allclose(values, together[name][: len(values)], atol=2e-4)


def test_a_place_without_a_tool_is_never_said():
    batch, place = make_group()
    empty = sorted(set(range(TOOLS)) - set(place.values()))
    assert empty and (answers_of(batch)["tool"][..., empty] < -1e6).all()


def test_texts_are_read_apart_and_forwards():
    batch, _ = make_group()
    ids = np.random.default_rng(1).integers(200, 2000, (1, 1, 32)).astype(np.int32)
    segments = np.repeat([[[0, 1]]], 16, axis=-1).astype(np.int32)
    model = reader.Reader(TINY)

    def logits(ids):
        return model.apply({"params": wild_params()}, ids[0], segments[0], method="next_tokens")

    changed = ids.copy()
    changed[0, 0, 10] = 201
    before, after = logits(ids), logits(changed)
    np.testing.assert_allclose(before[0, :10], after[0, :10], atol=1e-5)
    assert not np.allclose(before[0, 10:16], after[0, 10:16], atol=1e-3)
    np.testing.assert_allclose(before[0, 16:], after[0, 16:], atol=1e-5)  # another text
    loss, metrics = reader.loss(wild_params(), batch | {"text": ids, "segments": segments}, TINY, 0.5)
    logp = jax.nn.log_softmax(before[0, :-1])[np.arange(31), ids[0, 0, 1:]]
    counted = segments[0, 0, 1:] == segments[0, 0, :-1]
    assert float(metrics["text_loss"]) == pytest.approx(-float(logp[counted].mean()), rel=1e-4)
    parts = sum(float(v) for k, v in metrics.items() if k.startswith("loss_"))
    assert float(loss) == pytest.approx(parts + 0.5 * float(metrics["text_loss"]), rel=1e-5)


def test_a_prompt_marks_whatever_can_be_said():
    for tool, about in enumerate(SPEC.tools):
        slots = prompt.slots_of(SPEC, tool)
        made = prompt.encode_tool(about, slots, TOKENIZER)
        assert made.ids[0] == TOKENIZER.reserved_id("<tool>") and len(made.ids) <= prompt.MAX_TOKENS
        assert len(made.slot_at) == len(slots)
        for slot, at, choices in zip(slots, made.slot_at, made.choice_at, strict=True):
            assert made.ids[at] == TOKENIZER.reserved_id("<argument>")
            assert len(choices) == (len(slot.argument.choices) if slot.head == "choice" else 0)
            assert all(made.ids[c] == TOKENIZER.reserved_id("<choice>") for c in choices)
