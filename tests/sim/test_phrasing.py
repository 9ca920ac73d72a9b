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
