"""Tools that come with the sentence: a broad model in use answers as a specialist does at its start."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scenes import TINY, orchard, scenes
from test_reader import SPEC, TOKENIZER, wild_params

from fernjax.model import reader, zero_shot
from fernjax.model.calibration import Calibration
from fernjax.model.predictor import Predictor
from fernjax.model.zero_shot import ZeroShot
from fernjax.sim.types import OUT_OF_SCOPE, Call, Query, UserError

TOOLS = orchard().tools
QUERIES = [s.row.query for s in scenes()]


@pytest.fixture(scope="module")
def model():
    return ZeroShot(wild_params(), TINY, TOKENIZER)


def same(one, other):
    assert [p.calls for p in one] == [p.calls for p in other]
    assert [p.outcome for p in one] == [p.outcome for p in other]
    np.testing.assert_allclose([p.confidence for p in one], [p.confidence for p in other], atol=1e-3)


def test_it_answers_as_a_specialist_that_starts_from_it(model):
    params = reader.specialise(wild_params(), TINY, SPEC, TOKENIZER)
    own = Predictor(params, TINY, SPEC, TOKENIZER, Calibration(), orchard(), batch_size=4)
    said = model.predict(QUERIES, TOOLS)
    same(own.predict(QUERIES), said)
    assert any(call.arguments for p in said for call in p.calls)


def test_each_sentence_may_bring_its_own_tools_in_any_order(model):
    fewer = tuple(t for t in TOOLS if t.name == OUT_OF_SCOPE) + TOOLS[:1]
    sets = [TOOLS, fewer, TOOLS[::-1]]
    requests = [(query, sets[i % 3]) for i, query in enumerate(QUERIES)]
    together = model.predict_each(requests)
    same(together, [model.predict_each([one])[0] for one in requests])
    for (_, tools), prediction in zip(requests, together, strict=True):
        assert {c.name for c in prediction.calls} <= {t.name for t in tools}


def test_sets_that_differ_share_a_batch(model, monkeypatch):
    ran = []
    answer = model._answer
    monkeypatch.setattr(
        model, "_answer", lambda specs, encoded: ran.append(len(specs)) or answer(specs, encoded)
    )
    named = [tuple(dataclasses.replace(t, description=f"number {i}") for t in TOOLS) for i in range(3)]
    model.predict_each([(QUERIES[0], tools) for tools in named])
    assert ran == [3]


def test_what_cannot_be_read_is_an_error_in_its_place(model):
    now = QUERIES[0].now
    bad = [Query("a", "  ", now), Query("b", "x" * 5000, now), Query("c", "pick pears tomorrow", "noon")]
    said = model.predict([bad[0], QUERIES[0], *bad[1:]], TOOLS)
    assert [p.outcome == "error" for p in said] == [True, False, True, True]
    assert model.predict([], TOOLS) == []


def test_more_tools_than_it_reads_are_refused(model):
    many = tuple(dataclasses.replace(TOOLS[0], name=f"pick_{i}") for i in range(zero_shot.PLACES[-1] + 1))
    with pytest.raises(UserError, match="65 tools; .* at most 64"):
        model.predict(QUERIES[:1], (*many, TOOLS[-1]))


def test_more_arguments_than_it_reads_are_not_said(model):
    tool = next(t for t in TOOLS if any(a.type == "text" for a in t.arguments))
    text = next(a for a in tool.arguments if a.type == "text")
    wide = dataclasses.replace(
        tool, arguments=tuple(dataclasses.replace(text, name=f"note_{i}") for i in range(20))
    )
    said = model.predict(QUERIES, (wide, *(t for t in TOOLS if t.name == OUT_OF_SCOPE)))
    known = {f"note_{i}" for i in range(6)}
    assert {name for p in said for call in p.calls for name in call.arguments} <= known


def test_required_arguments_that_are_not_said_are_missing():
    answer = zero_shot._prediction
    tool = next(t for t in TOOLS if t.arguments)
    strict = dataclasses.replace(
        tool, arguments=tuple(dataclasses.replace(a, required=True) for a in tool.arguments)
    )
    spec = dataclasses.replace(SPEC, tools=(strict, TOOLS[-1]))
    first = tool.arguments[0].name
    said = answer((Call(tool.name, {first: "x"}),), float(np.log(0.5)), spec)
    assert said.missing == tuple(a.name for a in tool.arguments[1:])
    assert said.confidence == pytest.approx(0.5) and said.outcome == "call"
