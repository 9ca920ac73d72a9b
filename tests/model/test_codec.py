"""The codec: what goes in comes out, in all three modes, and what cannot be said is refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenes import GOLD, NOW, mention, orchard, scene, scenes

from fernjax.model import codec, written
from fernjax.model.codec import Spec, collate, decode, encode_query, encode_scenario, members
from fernjax.model.tokenizer import load_tokenizer
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.types import Call, Mention, UserError
from fernjax.sim.world import load_domain

TOKENIZER = load_tokenizer(2048)
SPECS = {mode: Spec.from_domain(orchard(), mode, 3) for mode in codec.ARGUMENT_MODES}


def gold_answer(targets, spec):
    """The answer of a model that says exactly the targets."""
    answer = {k: v.copy() for k, v in targets.items() if k in ("start", "end", "point", "choice")}
    answer["tool"] = np.where(targets["tool"] < 0, len(spec.tools), targets["tool"])
    if "write" in targets:
        answer["write"] = np.log(np.eye(len(written.SYMBOLS))[targets["write"]] + 1e-9)
    return answer


@pytest.mark.parametrize("mode", codec.ARGUMENT_MODES)
@pytest.mark.parametrize("index", range(4))
def test_targets_decode_to_the_gold_calls(mode, index):
    if mode == "fill" and index == 2:  # by type alone, the first call takes the second one's date
        gold = (
            Call("water_all", {"start": "2026-03-05", "gently": True}),
            Call("plant_tree", {"kind": "fig"}),
        )
    else:
        gold = GOLD[index]
    spec, scenario = SPECS[mode], scenes()[index]
    targets = encode_scenario(scenario, spec, TOKENIZER)
    query = scenario.row.query
    encoded = encode_query(query.text, scenario.mentions, spec, TOKENIZER, query.now)
    assert decode(gold_answer(targets, spec), encoded, spec, NOW) == gold


def test_a_mention_is_one_token_and_its_possessive_another():
    spec = SPECS["point"]
    text = "Move friday's pear to the shop"
    found = [mention(text, "friday", "date", "2026-03-06", "weekday"), Mention("money", 22, 25, {})]
    encoded = encode_query(text, found, spec, TOKENIZER)
    assert encoded.ids.count(TOKENIZER.reserved_id("<date:weekday>")) == 1
    words = [text[s:e] for s, e in dict.fromkeys(encoded.chars)]
    assert words == ["Move", "friday", "'s", "pear", "to", "the", "shop"]  # no argument takes money
    at = encoded.ids.index(TOKENIZER.reserved_id("<date:weekday>"))
    assert encoded.mention_at[at] == 0
    assert not encoded.starts[at + 1] and encoded.ends[at + 1]


def test_of_overlapping_mentions_the_first_counts():
    text = "friday at 3pm"
    found = [mention(text, "3pm", "time", "15:00"), mention(text, text, "datetime", "2026-03-06T15:00")]
    assert [m.kind for m in encode_query(text, found, SPECS["point"], TOKENIZER).mentions] == ["datetime"]


def test_write_mode_reads_now_and_keeps_the_words():
    text = "plant it friday"
    encoded = encode_query(
        text, [mention(text, "friday", "date", "2026-03-06")], SPECS["write"], TOKENIZER, NOW
    )
    assert TOKENIZER.decode(encoded.ids) == "wednesday 2026-03-04 09:30 plant it friday"
    assert not any(s for s, c in zip(encoded.starts, encoded.chars, strict=True) if c == (0, 0))


@given(st.text(max_size=80))
def test_any_text_encodes_within_its_bounds(text):
    for spec in SPECS.values():
        encoded = encode_query(text, (), spec, TOKENIZER, NOW)
        for begins, ends, (start, end) in zip(encoded.starts, encoded.ends, encoded.chars, strict=True):
            assert 0 <= start <= end <= len(text)
            assert not (begins or ends) or text[start:end].strip()


def corrupted(index, **changes):
    scenario = scenes()[index]
    slots = tuple(
        dataclasses.replace(s, span=changes[s.argument]) if s.argument in changes else s
        for s in scenario.slots
    )
    return dataclasses.replace(scenario, slots=slots)


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        (corrupted(0, kind=(9, 13)), "no run of words"),
        (corrupted(0, date=(0, 5)), "0 mentions fit"),
        (corrupted(1, date=(0, 40)), "2 mentions fit"),
        (dataclasses.replace(scenes()[0], slots=()), "in no slot"),
        (scene("x " * 200, [{"out_of_scope": {}}], []), "tokens"),
        (scene("a b c d", [{"water_all": {}}] * 4, []), "4 calls"),
        (
            scene(
                "plant " + "very " * 33 + "old", [{"move_tree": {}}], [(0, "tree", "very " * 33 + "old", "")]
            ),
            "more than 32 words",
        ),
    ],
)
def test_what_cannot_be_said_is_refused(scenario, message):
    with pytest.raises(ValueError, match=message):
        encode_scenario(scenario, SPECS["point"], TOKENIZER)


def test_a_span_sheds_punctuation():
    text = 'plant the "old fig"!'
    made = scene(text, [{"plant_tree": {"kind": ["old fig"]}}], [(0, "kind", '"old fig"!', "old fig")])
    targets = encode_scenario(made, SPECS["point"], TOKENIZER)
    encoded = encode_query(text, (), SPECS["point"], TOKENIZER)
    assert (
        decode(gold_answer(targets, SPECS["point"]), encoded, SPECS["point"], NOW)[0].arguments["kind"]
        == "old fig"
    )


def test_fill_gives_a_lone_mention_of_a_change_to_the_new_argument():
    spec, text = SPECS["fill"], "move the quince to tuesday"
    encoded = encode_query(text, [mention(text, "tuesday", "date", "2026-03-10")], spec, TOKENIZER)
    answer = {"tool": np.array([1, 4, 4]), "choice": np.zeros((3, 1), int)}
    answer |= {"start": np.zeros((3, 2), int), "end": np.zeros((3, 2), int)}
    assert decode(answer, encoded, spec, NOW)[0].arguments == {"new_date": "2026-03-10"}


def test_members():
    assert members("Ana, Bo and the gardener") == ["Ana", "Bo", "the gardener"]
    people = members("mom n dad & Andy plus Witherspoon with kin", people=True)
    assert people == ["mom", "dad", "Andy", "Witherspoon", "kin"]
    assert members("tea with milk and mac and cheese") == ["tea with milk", "mac and cheese"]


def test_collate_pads_and_refuses_what_is_too_long():
    spec = SPECS["point"]
    examples = [encode_scenario(s, spec, TOKENIZER) for s in scenes()]
    batch = collate(examples, 24)
    assert batch["ids"].shape == (4, 24) and batch["tool"].shape == (4, 3)
    assert batch["point"].shape == (4, 3, spec.width("point"))
    assert not batch["starts"][3, len(examples[3]["ids"]) :].any()
    with pytest.raises(ValueError, match="tokens in a batch"):
        collate(examples, 8)


def test_spec_is_a_value():
    assert Spec.from_domain(orchard(), "point", 3) == SPECS["point"]
    assert hash(Spec.from_domain(orchard(), "point", 3)) == hash(SPECS["point"])
    assert SPECS["fill"].width("point") == 0 and SPECS["write"].width("write") == 4
    with pytest.raises(UserError, match="point, fill, write"):
        Spec.from_domain(orchard(), "spell")


LIKELY = {"date": ("2026-02-28", "2025-12-31"), "time": ("09:30", "evening"), "minutes": (5, 90, 1440)}


@pytest.mark.parametrize(("name", "values"), LIKELY.items())
def test_written_values_read_back(name, values):
    tool = next(t for t in orchard().tools if t.name == "plant_tree")
    for value in values:
        logp = np.log(np.eye(len(written.SYMBOLS))[written.spell(value)] * 0.9 + 1e-3)
        assert written.read(logp, tool.argument(name))[0] == value


@given(st.integers(0, 2**32 - 1))
def test_whatever_is_written_is_valid(seed):
    import datetime

    logp = np.random.default_rng(seed).normal(size=(written.LENGTH, len(written.SYMBOLS)))
    logp -= np.log(np.exp(logp).sum(-1, keepdims=True))
    tool = next(t for t in orchard().tools if t.name == "plant_tree")
    day, _ = written.read(logp, tool.argument("date"))
    assert datetime.date.fromisoformat(day)
    clock, _ = written.read(logp, tool.argument("time"))
    assert clock in written.PARTS_OF_DAY or datetime.time.fromisoformat(clock)
    assert written.read(logp, tool.argument("every"))[0] in ("daily", "weekly", "monthly")
    assert written.read(logp, tool.argument("minutes"))[0] >= 0


def test_written_not_said():
    logp = np.log(np.eye(len(written.SYMBOLS))[[written.NONE] * written.LENGTH] + 1e-9)
    tool = next(t for t in orchard().tools if t.name == "plant_tree")
    assert written.read(logp, tool.argument("date"))[0] is None
    with pytest.raises(ValueError, match="cannot be written"):
        written.spell("2026-03-04T10")


def test_write_mode_refuses_an_app_whose_days_and_times_are_one_value():
    both = Argument("starts_at", "datetime", (), "", True, False)
    app = dataclasses.replace(load_domain("calendar"), tools=(Tool("create", "", (both,), False),))
    assert Spec.from_domain(app, "point", 2).slots[0].head == "point"
    with pytest.raises(
        UserError, match="cannot spell the day and time of create.starts_at; use point or fill"
    ):
        Spec.from_domain(app, "write", 2)
