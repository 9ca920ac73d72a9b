import datetime
import random

import pytest

from fernjax.sim import phrasing
from fernjax.sim.grammar import parse_grammar
from fernjax.sim.tools import parse_tools
from fernjax.sim.types import UserError

NOW = datetime.datetime(2026, 3, 4, 9, 30)
TOOLS = parse_tools(
    [
        {
            "function": {
                "name": "book",
                "parameters": {
                    "properties": {
                        "title": {"type": "string"},
                        "date": {"type": "string", "format": "date"},
                        "end_date": {"type": "string", "format": "date"},
                        "people": {"type": "array", "items": {"type": "string"}},
                        "kind": {"type": "string", "enum": ["big", "small"]},
                    }
                },
            }
        }
    ]
)


def phrase(grammar: str, seed: int = 0, presence: dict[str, float] | None = None) -> phrasing.Sentence:
    parsed = parse_grammar(grammar)
    phraser = phrasing.Phraser(
        parsed, {t.name: t for t in TOOLS}, lambda rng, name: rng.choice(["lunch", "tea time"]), presence
    )
    rng = random.Random(seed)
    return phraser.phrase(parsed.frames["book"][0], rng, rng, NOW)


def slots(sentence: phrasing.Sentence) -> dict[str, tuple[str, list]]:
    text, spans = sentence.render()
    return {s.argument: (text[a:b], s.values) for s, (a, b) in zip(sentence.said, spans, strict=True)}


def test_slots_know_their_words():
    sentence = phrase("[book] 2\nplain: please book {title}\n<title> = %food")
    text, _ = sentence.render()
    words, values = slots(sentence)["title"]
    assert text == f"please book {words}" and values == [words]


def test_a_tilde_joins_and_an_article_fits_its_noun():
    sentence = phrase("[book]\nf: a {date:bare} ~'s thing\nx: a")
    text, _ = sentence.render()
    assert "'s thing" in text and " 's" not in text
    assert phrase("[book]\nf: book a apple").render()[0] == "book an apple"


def test_a_body_spans_the_slots_inside_it():
    sentence = phrase("[book]\nf: set {title=: lunch with {people}} ok\n<people> = ana | bob")
    got = slots(sentence)
    assert got["title"][0] == f"lunch with {got['people'][0]}"
    assert sentence.skeleton() in ("set {title} {people} ok", "set {people} {title} ok", "set {title} ok")


def test_a_fixed_value_is_said_by_its_words():
    assert slots(phrase("[book]\nf: any {kind=big: large ones} here"))["kind"] == ("large ones", ["big"])


def test_shuffled_units_come_in_every_order():
    grammar = "[book]\nf: &(a;b;c)"
    assert len({phrase(grammar, seed).render()[0] for seed in range(60)}) == 6


def test_weights_steer_the_alternatives():
    grammar = "[book]\nf: (yes *9 | no)"
    count = sum(phrase(grammar, seed).render()[0] == "yes" for seed in range(400))
    assert 330 < count < 390


def test_presence_scales_the_chance_of_an_optional_part():
    grammar = "[book]\nf: book [{date}]0.5"
    said = sum("date" in slots(phrase(grammar, seed)) for seed in range(300))
    never = sum("date" in slots(phrase(grammar, seed, {"book.date": 0.0})) for seed in range(300))
    assert 110 < said < 190 and never == 0


def test_one_stretch_may_say_two_arguments():
    sentence = phrase("[book]\nf: free {date+end_date} ?")
    got = slots(sentence)
    assert got["date"][0] == got["end_date"][0]
    assert got["date"][1][0] <= got["end_date"][1][0]


@pytest.mark.parametrize(
    ("grammar", "says"),
    [
        ("book: x", "before the first section"),
        ("[book]\nf: <nobody>", "no rule <nobody>"),
        ("[book]\nf: (a | b", "expected ')'"),
        ("[book]\n???", "neither a section"),
        ("[book]\nf: {", "not a slot"),
    ],
)
def test_a_faulty_grammar_is_named_by_its_line(grammar: str, says: str):
    with pytest.raises(UserError, match=says.replace("(", r"\(").replace(")", r"\)")):
        parse_grammar(grammar)


SHOP = parse_tools(
    [
        {
            "function": {
                "name": "book",
                "parameters": {
                    "properties": {
                        "device": {"type": "string", "description": "what, singular"},
                        "channel": {"type": "string"},
                        "amount": {"type": "number"},
                        "currency": {"type": "string"},
                        "degrees": {"type": "number"},
                        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                        "percent": {"type": "integer"},
                        "seconds": {"type": "integer"},
                        "in_minutes": {"type": "integer"},
                        "limit": {"type": "integer"},
                        "email": {"type": "string"},
                        "phone": {"type": "string"},
                        "id": {"type": "string"},
                        "other_id": {"type": "string"},
                        "loud": {"type": "boolean"},
                    }
                },
            }
        }
    ]
)


def said(frame: str, seed: int = 0) -> tuple[str, dict[str, tuple[str, list]]]:
    parsed = parse_grammar(f"[book]\nf: {frame}\n<device> = lights\n<channel> = design review")
    phraser = phrasing.Phraser(parsed, {t.name: t for t in SHOP}, lambda rng, name: "ana", keys=("OPS",))
    rng = random.Random(seed)
    sentence = phraser.phrase(parsed.frames["book"][0], rng, rng, NOW)
    return sentence.render()[0], slots(sentence)


@pytest.mark.parametrize(
    ("slot", "types"),
    [
        ("{amount+currency}", {"amount": (int, float), "currency": str}),
        ("{amount}", {"amount": (int, float)}),
        ("{degrees+unit}", {"degrees": (int, float), "unit": str}),
        ("{degrees}", {"degrees": (int, float)}),
        ("{percent}", {"percent": int}),
        ("{percent:bare}", {"percent": int}),
        ("{seconds}", {"seconds": int}),
        ("{seconds:in}", {"seconds": int}),
        ("{in_minutes}", {"in_minutes": int}),
        ("{in_minutes:in}", {"in_minutes": int}),
        ("{in_minutes:bare}", {"in_minutes": int}),
        ("{limit}", {"limit": int}),
        ("{email}", {"email": str}),
        ("{phone}", {"phone": str}),
        ("{id} {other_id}", {"id": str, "other_id": str}),
    ],
)
def test_a_slot_of_each_type_says_its_arguments(slot, types):
    for seed in range(30):
        _, got = said(slot, seed)
        assert set(got) == set(types)
        for name, kind in types.items():
            assert all(isinstance(v, kind) for v in got[name][1])


def test_one_phrase_of_money_says_two_arguments():
    _, got = said("send {amount+currency} now")
    assert got["amount"][0] == got["currency"][0]


def test_delays_and_percents_have_their_words():
    for seed in range(20):
        delay = said("{in_minutes:in}", seed)[0]
        assert delay.startswith("in ") or delay.endswith("from now")
        assert not said("{seconds}", seed)[0].startswith(("in ", "for "))
        percent, bare = said("{percent}", seed)[0], said("{percent:bare}", seed)[0]
        shares = ("half", "a quarter", "a third", "one third", "two thirds", "three quarters")
        assert "%" in percent or "per" in percent or percent in shares
        assert "%" not in bare and "per" not in bare


def test_a_singular_is_the_value_of_a_plural():
    assert said("turn on the {device}")[1]["device"] == ("lights", ["light"])


def test_a_channel_is_said_with_and_without_its_sign():
    seen = [said("post in {channel}", seed)[1]["channel"] for seed in range(60)]
    assert {"#design-review", "hash design review", "design review"} <= {words for words, _ in seen}
    assert all(values == ["design-review"] for _, values in seen)


def test_fixed_values_have_the_type_of_their_argument():
    assert said("{loud=true: loudly}")[1]["loud"] == ("loudly", [True])
    assert said("{unit=celsius: metric}")[1]["unit"] == ("metric", ["celsius"])
    with pytest.raises(UserError, match="'kelvin' is no value of book.unit"):
        said("{unit=kelvin: cold}")


def test_fixed_values_may_hold_any_words_and_numbers():
    assert said("{device=not-as described: the wrong one}")[1]["device"] == (
        "the wrong one",
        ["not-as described"],
    )
    assert said("{degrees=21.5: cosy}")[1]["degrees"] == ("cosy", [21.5])
    assert said("{percent=50: halfway}")[1]["percent"] == ("halfway", [50])
    with pytest.raises(UserError, match="'lots' is no number"):
        said("{percent=lots: much}")


def test_a_style_names_the_rule_of_a_text_or_of_the_members_of_a_list():
    grammar = "[book]\nf: bring {people:guests} to {title:party}\n<guests> = ana\n<party> = tea"
    got = slots(phrase(grammar))
    assert got["title"] == ("tea", ["tea"])
    assert set(got["people"][1][0]) == {"ana"}
    with pytest.raises(UserError, match="no rule <nobody> to fill a slot of book"):
        phrase("[book]\nf: bring {people:nobody}")


def test_a_slot_is_said_alone():
    parsed = parse_grammar("[book]\nf: book {title}\n<title> = tea")
    phraser = phrasing.Phraser(parsed, {t.name: t for t in TOOLS}, lambda rng, name: "x")
    assert slots(phraser.phrase_slot("book", "title", random.Random(0), NOW)) == {"title": ("tea", ["tea"])}
    alone = slots(phraser.phrase_slot("book", "date", random.Random(0), NOW))
    assert not alone["date"][0].startswith(("on ", "for "))


def test_lengths_of_a_tool_without_a_moment_may_be_short_and_bare():
    tools = parse_tools(
        [
            {"function": {"name": "book", "parameters": {"properties": properties}}}
            for properties in (
                {"minutes": {"type": "integer"}, "due_before": {"type": "string", "format": "date"}},
            )
        ]
    )

    def minutes(slot: str) -> set[tuple[str, int]]:
        parsed = parse_grammar(f"[book]\nf: {slot}")
        phraser = phrasing.Phraser(parsed, {t.name: t for t in tools}, lambda rng, name: "x")
        found = set()
        for seed in range(300):
            rng = random.Random(seed)
            words, values = slots(phraser.phrase(parsed.frames["book"][0], rng, rng, NOW))["minutes"]
            found.add((words, values[0]))
        return found

    assert "due_before" in {a.name for a in tools[0].arguments} and not tools[0].has_moment
    assert min(n for _, n in minutes("{minutes:bare}")) < 10
    bare = minutes("{minutes:number}")
    assert ("ten", 10) in bare and ("10", 10) in bare and all(len(w.split()) < 3 for w, _ in bare)


def test_a_lone_tilde_joins_its_neighbours():
    assert said("tell @ ~ %first_names hi")[0] == "tell @ana hi"


def test_what_cannot_be_said_is_named():
    with pytest.raises(UserError, match="no way to say 'currency'"):
        said("{currency}")
    with pytest.raises(UserError, match="no way to say email.phone"):
        said("{email+phone}")
