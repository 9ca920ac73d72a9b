"""Words of a sentence as the value of a free text: what is copied, and what of it is no part of the value.

The generator, the codec and the baselines share this, so that what is taught is what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fernjax.sim.tools import Argument, Tool, split_name
from fernjax.sim.types import Mention, Span

ADDRESS = "email"
"""The kind of mention whose value replaces its words ("ana at example dot org")."""

_SIGN = re.compile(r"[@#]\s*(?=[^\W\d_])")
_HASH = re.compile(r"\s*(?:#|(?:hash(?:\s?tag)?|the|my|our)\s+)\s*(?=\w)", re.IGNORECASE)
_CHANNEL_END = re.compile(r"(?<=\w)\s+channel\s*$", re.IGNORECASE)
_DASHES = ("dash", "hyphen")
_JOINT = re.compile(r"\s*[,&+]\s*|(?<!\w)(?:and|n|plus)(?!\w)", re.IGNORECASE)
_JOINT_OF_PEOPLE = re.compile(_JOINT.pattern + r"|(?<!\w)with(?!\w)", re.IGNORECASE)

_PEOPLE = frozenset("attendees guests members participants people recipients to users".split())
"""Last words of the names of lists of people, who come "with" each other; things are made with others."""

_PAIRS = (
    ("mac", "cheese"), ("macaroni", "cheese"), ("salt", "pepper"), ("fish", "chips"), ("bread", "butter"),
    ("peanut butter", "jelly"), ("ham", "cheese"), ("salt", "vinegar"), ("half", "half"), ("oil", "vinegar"),
    ("bacon", "eggs"), ("cookies", "cream"), ("rice", "beans"), ("chicken", "waffles"), ("mop", "bucket"),
    ("cream", "sugar"), ("franks", "beans"), ("biscuits", "gravy"), ("nuts", "bolts"), ("pen", "paper"),
    ("peanut butter", "jam"), ("pb", "j"), ("pork", "beans"), ("sour cream", "onion"), ("cheese", "onion"),
    ("sweet", "sour"), ("gin", "tonic"), ("rum", "coke"), ("bangers", "mash"), ("surf", "turf"),
    ("pie", "mash"), ("steak", "kidney"), ("steak", "ale"), ("bubble", "squeak"), ("garlic", "herb"),
    ("chips", "salsa"), ("chips", "dip"), ("cheese", "crackers"), ("ben", "jerry's"), ("ben", "jerrys"),
    ("head", "shoulders"), ("johnson", "johnson"), ("arm", "hammer"), ("black", "decker"), ("bits", "pieces"),
    ("bits", "bobs"), ("odds", "ends"), ("bow", "arrow"), ("bed", "breakfast"), ("dungeons", "dragons"),
    ("pride", "prejudice"), ("war", "peace"), ("crime", "punishment"), ("romeo", "juliet"),
    ("tom", "jerry"), ("hide", "seek"), ("snakes", "ladders"), ("rock", "roll"), ("drum", "bass"),
    ("fast", "furious"), ("lilo", "stitch"),
)  # fmt: skip
_PAIR = re.compile(
    r"(?<!\w)(?:" + "|".join(rf"{a} (?:and|n|'n'|&) {b}" for a, b in _PAIRS) + r")(?!\w)", re.IGNORECASE
)
"""What is one thing though "and" stands in it."""

_ME = frozenset(("me", "my", "mine", "i", "myself"))


def kinds_of_words(tool: Tool) -> frozenset[str]:
    """Kinds of mention that matter to a tool's free texts: addresses, where an argument may be one."""
    texts = (a for a in tool.arguments if a.type in ("text", "texts"))
    return frozenset({ADDRESS} if any("address" in a.description.lower() for a in texts) else ())


def copied_value(argument: Argument, text: str, span: Span, mentions: Sequence[Mention] = ()) -> Any:
    """The value that `text[span]` gives a free text.

    Args:
      argument: of type `text`, `texts` or `channel`.
      text: the sentence.
      span: the words copied.
      mentions: those of the sentence.

    Returns:
      A text, of `texts` a list; without a leading `@` or `#`, an email address where the words are one, the
      singular, or "me" for the user's "my", where the argument's description asks for it; of a channel its
      words joined by hyphens.
    """
    start, end = span
    words = text[start:end]
    if argument.type == "channel":
        return channel_name(words)
    inside = [m for m in mentions if m.kind == ADDRESS and m.start < end and start < m.end]
    if argument.type == "texts":
        return [_one(argument, text, s, inside) for s in member_spans(text, span, are_people(argument))]
    return _one(argument, text, span, inside)


def members(words: str, people: bool = False) -> list[str]:
    """The members of a list, as said: "ana, bo and the ceo" gives "ana", "bo", "the ceo"."""
    return [words[s:e] for s, e in member_spans(words, (0, len(words)), people)]


def member_spans(text: str, span: Span, people: bool = False) -> list[Span]:
    """Where the members of a list stand: `people` come "with" each other, pairs of things stay together."""
    out = []
    at = span[0]
    whole = [] if people else [m.span() for m in _PAIR.finditer(text, *span)]
    joints = [
        j
        for j in (_JOINT_OF_PEOPLE if people else _JOINT).finditer(text, *span)
        if not any(s < j.end() and j.start() < e for s, e in whole)
    ]
    for joint in [*joints, None]:
        end = span[1] if joint is None else joint.start()
        words = text[at:end]
        if words.strip():
            first = at + len(words) - len(words.lstrip())
            out.append((first, first + len(words.strip())))
        if joint is not None:
            at = joint.end()
    return out


def are_people(argument: Argument) -> bool:
    """Whether a list is one of people, by its name."""
    return split_name(argument.name)[-1] in _PEOPLE


def channel_name(words: str) -> str:
    """A channel's name: no `#` or "hash" in front, no "channel" behind, its words joined by hyphens.

    A hyphen may be spelt out: "build dash bots" is `build-bots`.
    """
    words = _CHANNEL_END.sub("", words)
    while match := _HASH.match(words):
        words = words[match.end() :]
    parts = re.findall(r"[^\W_]+(?:[_'.&][^\W_]+)*", words.lower())
    spoken = [p for n, p in enumerate(parts) if p not in _DASHES or n in (0, len(parts) - 1)]
    return "-".join(spoken).replace("-underscore-", "_")


def is_user(argument: Argument) -> bool:
    """Whether an argument's description asks for 'me' where the user means themselves."""
    return "'me' for the user" in argument.description.lower()


def is_singular(argument: Argument) -> bool:
    """Whether an argument's description asks for the singular of what is said."""
    return "singular" in argument.description.lower()


def singular(words: str) -> str:
    """A noun phrase with its last word in the singular: "ceiling lights" gives "ceiling light"."""
    head, blank, last = words.rpartition(" ")
    low = last.lower()
    if len(low) < 3 or low in _NO_PLURAL or low.endswith(("ss", "us", "is", "'s", "’s")) or low[-1] != "s":
        return words
    if low in _PLURALS:
        last = last[: _PLURALS[low]]
    elif low.endswith("ies") and len(low) > 4:
        last = last[:-3] + ("Y" if last.isupper() else "y")
    elif low.endswith(("sses", "xes", "ches", "shes", "zzes")):
        last = last[:-2]
    else:
        last = last[:-1]
    return head + blank + last


_NO_PLURAL = frozenset("gas lens bus series news christmas always yes his its".split())
_PLURALS = {
    "movies": -1, "cookies": -1, "ties": -1, "caches": -1, "axes": -1, "lenses": -2, "buses": -2,
}  # fmt: skip
"""Plurals that the endings alone would cut wrongly, and where each is cut."""


def _one(argument: Argument, text: str, span: Span, addresses: Sequence[Mention]) -> str:
    """One text or one member of a list: the value of the schema that has these words, where it lists some."""
    start, end = span
    words = text[start:end]
    for m in addresses:
        within = m.start < end and start < m.end
        if within and (argument.type == "texts" or words.strip() == text[m.start : m.end]):
            return str(m.value)
    words = _SIGN.sub("", words, count=1) if _SIGN.match(words) else words
    if is_user(argument) and words.strip().lower() in _ME:
        return "me"
    for choice in argument.choices:
        if isinstance(choice, str) and split_name(choice) == split_name(words.strip().lower()):
            return choice
    return singular(words) if is_singular(argument) else words
