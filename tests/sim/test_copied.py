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


def test_members():
    assert copied.members("Ana, Bo and the gardener") == ["Ana", "Bo", "the gardener"]
    text = "invite ana & bo"
    assert [text[s:e] for s, e in copied.member_spans(text, (7, 15))] == ["ana", "bo"]
