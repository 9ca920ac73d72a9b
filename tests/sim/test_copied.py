import pytest

from fernjax.sim import copied
from fernjax.sim.tools import Argument
from fernjax.sim.types import Mention


def argument(kind: str = "text", description: str = "") -> Argument:
    return Argument("a", kind, (), description, False, False)


def value(text: str, kind: str = "text", description: str = "", mentions=()):
    return copied.copied_value(argument(kind, description), text, (0, len(text)), mentions)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("lights", "light"),
        ("ceiling lights", "ceiling light"),
        ("switches", "switch"),
        ("boxes", "box"),
        ("batteries", "battery"),
        ("TVs", "TV"),
        ("glass", "glass"),
        ("gas", "gas"),
        ("christmas", "christmas"),
        ("bus", "bus"),
        ("movies", "movie"),
        ("fan", "fan"),
        ("mom's", "mom's"),
        ("ac", "ac"),
    ],
)
def test_singular(words, expected):
    assert copied.singular(words) == expected
    assert value(words, description="a device, singular") == expected
    assert value(words) == words


@pytest.mark.parametrize(
    "words",
    ["#design-review", "hash design review", "design review", "the design review channel", "Design-Review"],
)
def test_a_channel_by_any_name(words):
    assert value(words, "channel") == "design-review"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("hash build dash bots", "build-bots"),
        ("q two dash planning", "q-two-planning"),
        ("build hyphen bots", "build-bots"),
        ("build underscore bots", "build_bots"),
        ("dash", "dash"),
        ("the dash team", "dash-team"),
    ],
)
def test_a_channel_with_its_hyphens_spelt_out(words, expected):
    assert value(words, "channel") == expected


def test_a_channel_called_channel_keeps_its_name():
    assert copied.channel_name("channel") == "channel"
    assert copied.channel_name("#q3_plans") == "q3_plans"


def test_signs_in_front_are_dropped_but_for_numbers():
    assert value("@ana") == "ana" and value("#urgent") == "urgent" and value("@ ana") == "ana"
    assert value("#1 fan") == "#1 fan"
    assert value("@ana, @bo and kim", "texts") == ["ana", "bo", "kim"]


def test_an_address_stands_for_its_words():
    text = "ana dot ruiz at example dot org and bo"
    mention = Mention("email", 0, 31, "ana.ruiz@example.org")
    assert value(text, "texts", mentions=[mention]) == ["ana.ruiz@example.org", "bo"]
    assert copied.copied_value(argument(), text, (0, 31), [mention]) == "ana.ruiz@example.org"
    assert value(text, mentions=[mention]) == text  # a message that holds one stays as it is said


def test_people_come_with_each_other_and_things_are_made_with_others():
    people = Argument("add_attendees", "texts", (), "", False, False)
    things = Argument("items", "texts", (), "", False, False)
    text = "ana with bo"
    assert copied.copied_value(people, text, (0, len(text))) == ["ana", "bo"]
    assert copied.copied_value(things, text, (0, len(text))) == ["ana with bo"]
    assert [copied.are_people(Argument(n, "texts", (), "", False, False)) for n in ("to", "users")] == [
        True
    ] * 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("mac and cheese", ["mac and cheese"]),
        ("milk, Salt and Pepper and eggs", ["milk", "Salt and Pepper", "eggs"]),
        ("fish n chips", ["fish n chips"]),
        ("peanut butter and jelly and bread", ["peanut butter and jelly", "bread"]),
        ("ham and milk", ["ham", "milk"]),
    ],
)
def test_pairs_of_things_stay_together(words, expected):
    assert value(words, "texts") == expected


def test_the_user_is_me_where_the_description_says_so():
    says = "Who ('me' for the user)."
    assert [value(w, description=says) for w in ("my", "I", "myself", "mine", "me")] == ["me"] * 5
    assert value("mindy", description=says) == "mindy"
    assert value("my") == "my"


def test_members():
    assert copied.members("Ana, Bo and the gardener") == ["Ana", "Bo", "the gardener"]
    text = "invite ana & bo"
    assert [text[s:e] for s, e in copied.member_spans(text, (7, 15))] == ["ana", "bo"]
