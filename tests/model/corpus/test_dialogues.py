"""Dialogues with tools become labelled sentences whose values stand where they are said to stand."""

from __future__ import annotations

from collections import Counter

import pytest

from fernjax.model import codec
from fernjax.model.corpus import dialogues
from fernjax.model.spec import Spec
from fernjax.model.tokenizer import load_tokenizer

TOKENIZER = load_tokenizer(2048)

TOOLS = {
    "Boats_1": {
        "description": "Rent boats",
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "RentBoat",
                    "description": "Rent a boat",
                    "parameters": {
                        "type": "object",
                        "properties": {
                            "harbour": {"type": "string", "description": "Where it lies"},
                            "rent_date": {"type": "string", "description": "Date of the trip"},
                            "with_sail": {"type": "string", "enum": ["True", "False"]},
                        },
                        "required": ["harbour"],
                    },
                },
            }
        ],
    }
}

SERVICES = dialogues.read_services(TOOLS)


def state(**slots):
    return {"Boats_1": {"intent": "RentBoat", "slots": {k: [v] for k, v in slots.items()}}}


def user(text, **slots):
    return {"role": "user", "text": text, "state": state(**slots)}


def app(text, **arguments):
    call = {"service": "Boats_1", "name": "RentBoat", "arguments": arguments, "results": [], "num_results": 0}
    return {"role": "system", "text": text} | ({"calls": [call]} if arguments else {})


def label(*turns):
    dropped = Counter()
    found = list(
        dialogues.label({"id": "d", "services": ["Boats_1"], "turns": list(turns)}, SERVICES, dropped)
    )
    return found, dropped


def test_the_turn_that_asks_and_the_turns_before_a_call():
    found, dropped = label(
        user("I'd like a boat on Saturday, no sail.", rent_date="Saturday", with_sail="False"),
        app("Where?"),
        user("In Old Harbour please", rent_date="Saturday", with_sail="False", harbour="old harbour"),
        app("Done.", harbour="Old Harbour", rent_date="2019-03-02", with_sail="False"),
    )
    assert not dropped and [item.form for item in found] == ["sentence", "history"]
    first, second = (item.scenario for item in found)
    assert first.row.calls == [{"RentBoat": {"rent_date": ["Saturday"], "with_sail": ["False"]}}]
    text = second.row.query.text
    assert text == "> I'd like a boat on Saturday, no sail.\n< Where?\n> In Old Harbour please"
    said = {s.argument: text[slice(*s.span)] for s in second.slots if s.span}
    assert said == {"rent_date": "Saturday", "harbour": "Old Harbour"}
    spec = Spec("Boats_1", "point", SERVICES["Boats_1"], 2)
    for scenario in (first, second):
        codec.encode_scenario(scenario, spec, TOKENIZER)  # all of it can be pointed at


def test_what_cannot_be_told_is_counted_and_left_out():
    found, dropped = label(user("A boat, please, where I was last summer", harbour="Old Harbour"))
    assert not found and dropped == {"a value that stands nowhere": 1}
    offered = app("Old Harbour has some, shall I take one there?")
    found, dropped = label(user("hello"), offered, user("Yes, do that.", harbour="Old Harbour"))
    assert [item.scenario.row.query.text for item in found] == ["hello"]  # asks by its intent alone
    _, dropped = label(
        {"role": "user", "text": "hi", "state": {}}, offered, user("Yes, do that.", harbour="Old Harbour")
    )
    assert sum(dropped.values()) == 1


@pytest.mark.parametrize(
    ("value", "text", "span"),
    [
        ("two", "two or twofold, two", (16, 19)),
        ("old harbour", "OLD HARBOUR", (0, 11)),
        ("St. Ives", "to St. Ives!", (3, 11)),
        ("ana", "banana", None),
        ("", "x", None),
    ],
)
def test_a_value_is_found_as_words_of_its_own_the_last_time(value, text, span):
    assert dialogues._find(value, text) == span


def test_families():
    assert dialogues.family("Hotels_4") == "Hotels" and dialogues.family("alone") == "alone"


def test_texts_hold_what_is_said_called_and_answered():
    turns = [user("a boat in Rye", harbour="Rye"), app("There.", harbour="Rye")]
    turns[1]["calls"][0]["results"] = [{"harbour": "Rye", "with_sail": "True"}]
    assert dialogues.texts({"turns": turns}) == [
        ("user", "a boat in Rye"),
        ("call", "RentBoat harbour: Rye"),
        ("observation", "harbour: Rye; with sail: True"),
        ("app", "There."),
    ]
