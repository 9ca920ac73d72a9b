"""What an app's generator says, the codec gives back: every app found, point and write mode."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from fernjax.model import codec, written
from fernjax.model.codec import Spec, decode, encode_query, encode_scenario
from fernjax.model.tokenizer import load_tokenizer
from fernjax.sim import grade
from fernjax.sim.mentions import extract
from fernjax.sim.recipe import Recipe
from fernjax.sim.resolve import kinds_of
from fernjax.sim.scenario import Generator
from fernjax.sim.tools import UNITS, Argument
from fernjax.sim.types import BUCKETS, Scenario
from fernjax.sim.world import domain_names, load_domain

TOKENIZER = load_tokenizer(2048)
COUNT = 250


@functools.cache
def scenarios(app: str) -> list[Scenario]:
    generator = Generator(load_domain(app), Recipe(dict.fromkeys(BUCKETS, 1.0)), 7)
    return [generator.scenario(i) for i in range(COUNT)]


def gold_answer(targets, spec):
    """The answer of a model that says exactly the targets."""
    answer = {k: v.copy() for k, v in targets.items() if k in ("start", "end", "point", "choice")}
    answer["tool"] = np.where(targets["tool"] < 0, len(spec.tools), targets["tool"])
    if "write" in targets:
        answer["write"] = np.log(np.eye(len(written.SYMBOLS))[targets["write"]] + 1e-9)
    return answer


@pytest.mark.parametrize("app", domain_names())
@pytest.mark.parametrize("mode", ("point", "write"))
def test_the_gold_of_every_sentence_comes_back(app, mode):
    spec = Spec.from_domain(load_domain(app), mode, 2)
    refused, wrong = [], []
    for made in scenarios(app):
        query = made.row.query
        try:
            targets = encode_scenario(made, spec, TOKENIZER)
        except ValueError as e:
            refused.append(str(e))
            continue
        encoded = encode_query(query.text, made.mentions, spec, TOKENIZER, query.now)
        calls = decode(gold_answer(targets, spec), encoded, spec, query.now)
        if not grade.full(calls, made.row):
            wrong.append((query.text, made.row.calls, calls))
    assert not wrong, wrong[:5]
    assert len(refused) <= 0.02 * COUNT, refused[:5]


@pytest.mark.parametrize("app", domain_names())
def test_filling_by_type_gives_the_structured_arguments_of_one_call_mostly(app):
    """Where an app's types tell its arguments apart, `fill` needs no model for them."""
    spec = Spec.from_domain(load_domain(app), "fill", 2)
    right = total = 0
    for made in scenarios(app):
        if len(made.row.calls) > 1 or made.bucket == "messy":
            continue
        query = made.row.query
        try:
            targets = encode_scenario(made, spec, TOKENIZER)
        except ValueError:  # too long a text; how many are is tested above
            continue
        encoded = encode_query(query.text, made.mentions, spec, TOKENIZER, query.now)
        calls = decode(gold_answer(targets, spec), encoded, spec, query.now)
        right += grade.full(calls, made.row)
        total += 1
    assert right > 0.6 * total


def test_arguments_of_every_type_have_a_head_in_every_mode():
    for app in domain_names():
        for mode in codec.ARGUMENT_MODES:
            for slot in Spec.from_domain(load_domain(app), mode, 2).slots:
                assert slot.head or mode == "fill", (app, mode, slot.argument)


@pytest.mark.parametrize("app", domain_names())
def test_an_app_sees_only_the_kinds_that_its_arguments_take(app):
    kinds = kinds_of(load_domain(app).tools)
    assert Spec.from_domain(load_domain(app), "point", 2).kinds == kinds
    assert {m.kind for made in scenarios(app) for m in made.mentions} <= kinds


def test_the_same_words_are_an_hour_to_one_app_and_an_amount_to_another():
    text, now = "put it at two fifty", "2026-03-04T09:30:00"
    found = {
        app: [m.kind for m in extract(text, now, Spec.from_domain(load_domain(app), "point", 2).kinds)]
        for app in ("calendar", "wallet")
    }
    assert found == {"calendar": ["time"], "wallet": ["money"]}


VALUES = {
    "seconds": (90, 5400), "delay": (10,), "percent": (5, 100), "degrees": (21.5, 72), "unit": ("celsius",),
    "amount": (1200.5, 40, 12000), "currency": ("USD", "JPY"),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "values"), VALUES.items())
def test_written_values_of_the_other_types_read_back(kind, values):
    argument = Argument(kind, kind, UNITS if kind == "unit" else (), "", False, False)
    for value in values:
        logp = np.log(np.eye(len(written.SYMBOLS))[written.spell(value)] * 0.9 + 1e-3)
        assert written.read(logp, argument)[0] == value
