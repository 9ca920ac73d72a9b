"""How each argument of a tool is said, from its type, its name and its description."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from fernjax.sim.argument_types import unit_of_measure
from fernjax.sim.drafting.kinds import Kind, kind_of
from fernjax.sim.drafting.nouns import paraphrase
from fernjax.sim.drafting.words import CURRENCY_WORDS, RECURRENCES, SIZES, UNIT_WORDS
from fernjax.sim.tools import CURRENCY_CODES, LENGTHS, MOMENT_TYPES, TEXT_TYPES, Argument, split_name
from fernjax.sim.when.words import spell


class Phrase(NamedTuple):
    """How an argument is said.

    Attributes:
      said: alternatives in the language of `fernjax.sim.grammar`, the slot in them.
      object: how it stands where the tool's object does ("log {running}"), "" where it cannot.
      before: how it stands before the tool's noun ("my {yoga} workout"), "" where it cannot.
    """

    said: str
    object: str = ""
    before: str = ""


RESERVED = frozenset(
    """ask ask_you tail my mys the new know unwanted howto never noun do asks asks_for thing things content
    tracked orders_of statements_of""".split()
)
"""Rules of a draft; the values of an argument of such a name come from a rule of another name."""

STATES = frozenset("problem issue condition state damage defect fault".split())
"""Words for how something is."""

_FRAMES: tuple[tuple[str, str], ...] = (
    ("to recipient destination arrival", "to {x} *8 | for {x}"),
    ("from sender origin source departure", "from {x}"),
    ("assignees", "and assign it to {x} | assigned to {x} *2 | for {x}"),
    ("labels tags", "with (the label|label|labels|tags) {x} | labeled {x} | tagged {x}"),
    ("shop store merchant vendor seller supplier", "from {x} *9 | at {x} *2"),
    ("city country town location", "in {x} *8 | for {x} *3"),
    ("place room venue area", "in {x} *6 | at {x} *3 | for {x}"),
    ("restaurant hotel airport", "at {x} *7 | in {x} | from {x}"),
    ("near nearby", "near {x} *6 | close to {x} *2 | around {x} *2"),
    ("query q keyword keywords search term terms", "for {x} *6 | about {x} *2 | matching {x}"),
    ("artist artists band singer author director", "by {x} *8 | from {x} *2"),
    ("device speaker player screen", "on {x} *9 | in {x}"),
    ("language lang", "in {x} *8 | into {x}"),
    ("repo repository project workspace folder board", "in {x} *8 | on {x} *2 | for {x} *2"),
    ("avoid avoiding", "avoiding {x} *4 | avoid {x} *4 | without {x} *2 | no {x} *2"),
    ("exclude excluding without", "without {x} *6 | no {x} *3 | except {x}"),
    ("amenities amenity features feature toppings sides extras options equipment ingredients", "with {x}"),
    ("requests preferences", "with {x} *4 | and {x} *3 | please note {x}"),
    ("code coupon promo", "with code {x} *3 | using {x} *3 | with the code {x} *2"),
    ("plate", "for {x} *5 | plate {x} *3 | license plate {x} *3"),
    ("address", "to {x} *8 | at {x} *2"),
    ("with attendee guest", "with {x} *8 | and {x}"),
    ("assignee owner for person user customer client member patient", "for {x} *7 | with {x} *2"),
    (
        "message text body note comment content feedback instruction instructions details description",
        "~: {x} *3 | saying {x} *4 | that says {x} *2 | {x} *4 | that {x} *2",
    ),
    ("reason why", "because {x} *5 | since {x} | as {x}"),
    ("title label name called tag", "called {x} *4 | {x} *5 | named {x} *2 | titled {x}"),
    ("category kind type genre cuisine", "{x} *4 | for {x} *4"),
    ("topic subject about", "about {x} *7 | on {x} *2 | regarding {x}"),
)
_NO_OBJECT = ("to ", "from ", "in ", "with ", "because ", "near ", "by ", "on ", "avoiding ", "without ")
"""Phrases of what is no object of a request, but says where, from whom, why."""


def phrase(argument: Argument, thing: str = "", reads: bool = False) -> Phrase:
    """How an argument is said; `thing` is the noun of its tool's name, and the tool `reads` or does not."""
    x, bare = f"{{{argument.name}}}", f"{{{argument.name}:bare}}"
    words = split_name(argument.name)
    if argument.type in TEXT_TYPES:
        named = set(words) & set(thing.split()[-1:]) and kind_name(argument) not in ("address", "person")
        if named and not set(words) & _ROLES and words[-1] not in _BYNAMES:
            return Phrase(slot(argument), slot(argument))  # it names the thing itself: "water the {roses}"
        return _text(argument)
    if argument.type in MOMENT_TYPES:
        return Phrase(_moment(argument, x, bare, words))
    if argument.type in LENGTHS or argument.type == "delay":
        return _length(argument, x, bare, words)
    match argument.type:
        case "choice":
            said = _choice(argument, reads)
            if is_reason(argument) or _is_flag(argument) or is_sort(argument) or _is_measure(argument):
                return Phrase(said)
            lead = next((f for names, f in _CHOICES if set(names.split()) & set(words)), "{x}")
            if not reads and {"status", "state"} & set(words):
                lead = "to {x} *4 | as {x} *2 | {x} *3"  # "mark it as done", not "that are done"
            return Phrase(lead.replace("{x}", f"({said})"), said, said)
        case "amount":
            return _bounded(_amount(x, words), x, words)
        case "recurrence":
            return Phrase(" | ".join(f"{{{argument.name}={c}: {RECURRENCES[c]}}}" for c in argument.choices))
        case "currency" | "unit":
            return Phrase("")  # said with its amount
        case "percent" | "degrees":
            if "tip" in words:
                return Phrase(f"with a {x} tip *4 | and tip {x} *2 | plus a {x} tip | {x} *3 | at {x} *2")
            return Phrase(f"to {x} *6 | at {x} | {x} *3")
        case "id":
            noun = " ".join(w for w in words if w not in ("id", "number", "code")) or "number"
            numbered = "" if noun == "number" else f" | {noun} number {x} *4"
            numbers = f"{noun} {x} *5{numbered} | "
            lead = "" if noun == thing else numbers  # "cancel order 4417", "cancel my order number 4417"
            return Phrase(f"{lead}number {x} *2 | {x} *3", f"{numbers}{x} *2")
        case "email" | "phone":
            return Phrase(f"{x} *4 | to {x} *2 | at {x} *2 | {argument.type} {x}")
        case "number":
            return _number(argument, x, words, thing, reads)
    return Phrase(x)


_CHOICES = (
    ("meal occasion purpose", "for {x} *5 | {x} *3 | as {x}"),
    ("metric measure stat indicator", "for {x} *4 | on {x} *2 | {x} *3 | with {x}"),
    ("status state", "that are {x} *3 | {x} *4 | which are {x}"),
    (
        "priority urgency severity",
        "with {x} priority *3 | {x} priority *4 | priority {x} *3 | as {x} priority",
    ),
    ("size", "{x} *4 | in {x} *3 | size {x} *3"),
    ("color colour", "{x} *4 | in {x} *5"),
    ("mode", "{x} *4 | by {x} *.5 | in {x} mode"),
    ("language", "in {x}"),
    ("day weekday", "on {x} *5 | {x} *2 | for {x}"),
    ("section cabin", "in {x} *6 | {x} *2"),
)
"""How a choice is said whose name has one of these words."""

_ROLES = frozenset("new from to target source old other related parent".split())
"""Words by which a text that names the thing's kind is not the thing itself: `new_title`, `from_account`."""

_BYNAMES = frozenset("title label description body note notes type category status".split())


def _moment(argument: Argument, x: str, bare: str, words: list[str]) -> str:
    """How a day, a time or both are said, with the preposition that the argument's name tells."""
    if argument.new:
        return f"to {bare}"
    for names, said in _MOMENTS:
        if set(names.split()) & set(words):
            return said.format(x=x, bare=bare)
    return f"until {bare} *3 | to {bare} *1 | till {bare}" if argument.type.startswith("end_") else x


_MOMENTS = (
    ("return returning", "returning {x} *5 | coming back {x} *3 | back {x} *2 | return {x}"),
    ("departure depart departing outbound", "{x} *5 | leaving {x} *5 | departing {x} *2"),
    ("arrival arrive arriving", "arriving {x} *4 | {x} *4 | getting in {x}"),
    ("checkout", "until {bare} *4 | checking out {x} *3 | to {bare}"),
    ("checkin", "{x} *4 | checking in {x} *3 | from {bare} *3"),
    ("due deadline", "due {x} *5 | by {bare} *4 | for {bare} *2 | {x} *2"),
    ("before", "before {bare} *5 | by {bare}"),
    ("since after", "since {bare} *4 | after {bare} *3 | from {bare}"),
    ("birthday birthdate dob", "born {x} *3 | birthday {bare} *2 | {x}"),
    ("expiry expires expiration", "that expires {x} *3 | expiring {x} *3 | until {bare}"),
    ("pickup", "{x} *5 | with pickup {x} *2 | from {bare}"),
    ("dropoff", "until {bare} *3 | back {x} | dropping it off {x} *2"),
)
"""How a day or a time is said whose name has one of these words."""


def _length(argument: Argument, x: str, bare: str, words: list[str]) -> Phrase:
    if {"in", "delay"} & set(words) and argument.type in ("minutes", "delay", "seconds"):
        return Phrase(f"in {bare}")
    if "before" in words and argument.type == "minutes":
        return Phrase(f"{{{argument.name}:before}}")
    ahead = set(words) & _AHEAD or words == [argument.type]
    if ahead and argument.type not in ("minutes", "seconds"):
        onward = f"{{{argument.name}:next}}"
        said = f"for {onward} *4 | over {onward} | {onward} | for {bare} *4"
        return Phrase(said, before=_day_long(argument))
    if {"experience", "age"} & set(words):
        return Phrase(f"{bare} *3 | with {bare} *2")
    return Phrase(f"for {bare} *7 | {bare} *4 | of {bare}", before=_day_long(argument))


def _day_long(argument: Argument) -> str:
    """How a number of days stands before a noun: "the 3 day forecast"."""
    if argument.type != "days":
        return ""
    return " | ".join(f"{{{argument.name}={n}: {said}}}" for n, said in _DAY_LONG)


_DAY_LONG = (
    (2, "two day"),
    (3, "3 day"),
    (3, "three day"),
    (5, "5 day"),
    (5, "five day"),
    (7, "7 day"),
    (10, "10 day"),
)


_AHEAD = frozenset("ahead forecast next".split())


def _amount(x: str, words: list[str]) -> str:
    for i, word in enumerate(words[:-1]):
        if word == "per":  # `price_per_night`
            each = " ".join(words[i + 1 :])
            return f"{x} (a|per) {each} *5 | at {x} (a|per) {each} *2 | for {x} (a|per|each) {each} *2"
    if {"budget"} & set(words):
        return f"with a budget of {x} *4 | for {x} *3 | under {x} *3 | on a budget of {x} | {x}"
    if {"price", "cost", "fee", "fare", "rent"} & set(words):
        return f"for {x} *6 | at {x} *2 | {x} *4 | that cost {x}"
    return f"{x} *7 | of {x} *2 | for {x}"


_LEAST, _MOST = (
    frozenset("min minimum least lowest above over".split()),
    frozenset("max maximum most highest below under".split()),
)


def _bounded(said: str, x: str, words: list[str]) -> Phrase:
    """How a number is said that may be the least or the most of something."""
    if set(words) & _LEAST:
        return Phrase(f"over {x} *3 | above {x} *2 | at least {x} *4 | more than {x} *3 | from {x} up")
    if set(words) & _MOST:
        return Phrase(
            f"under {x} *5 | below {x} *2 | at most {x} *2 | up to {x} *2 | less than {x} *3 | max {x}"
        )
    return Phrase(said, x)


def slot(argument: Argument) -> str:
    """The slot of a text argument, its values from `value_rule`."""
    rule = value_rule(argument)
    return f"{{{argument.name}}}" if rule == argument.name else f"{{{argument.name}:{rule}}}"


def value_rule(argument: Argument) -> str:
    """Name of the rule that a text argument's values come from: its own, where no other rule has it."""
    taken = argument.name in RESERVED
    return f"values_of_{argument.name}" if taken else argument.name


def is_reason(argument: Argument) -> bool:
    """Whether an argument says why: it is no kind of the thing, and stands after "because"."""
    return bool({"reason", "cause"} & set(split_name(argument.name)))


def is_state(argument: Argument) -> bool:
    """Whether an argument says how something is: "my order is late"."""
    return bool(STATES & set(split_name(argument.name)))


def find_examples(description: str) -> list[str]:
    """What a description lists after "such as", "like" or "e.g."."""
    match = re.search(r"(?:such as|\blike|e\.g\.,?|for example,?)\s+([^.;()]+)", description, re.I)
    if not match:
        return []
    return [
        w
        for e in re.split(r",|\bor\b|\band\b", match[1])
        if (w := plain(e)) and len(w.split()) <= 3 and not _is_state_code(w)
    ]


def _is_state_code(words: str) -> bool:
    """Whether words are no example of their own: "San Francisco, CA"."""
    return len(words) == 2 and words.isupper()


def plain(words: str) -> str:
    """Words that mean nothing in the language of a grammar."""
    return " ".join(re.findall(r"[\w'-]*\w[\w'-]*", words))


def _text(argument: Argument) -> Phrase:
    x = slot(argument)
    kind = kind_of(argument)
    words = split_name(argument.name)
    said = next((f for names, f in _FRAMES if set(words) & set(names.split())), "")
    said = said or _BY_KIND.get(kind.name, "{x} *7 | for {x} *3")
    said = said.replace("{x}", x)
    if said.startswith(_NO_OBJECT):
        return Phrase(said, before=x if said.startswith("from ") and kind.name != "person" else "")
    before = "" if argument.type == "texts" or kind.name in ("note", "person", "address") else x
    if said.startswith("~:"):
        return Phrase(said, f"{x} *5 | ~: {x}")
    return Phrase(said, x, before)


_BY_KIND = {
    "person": "for {x} *7 | with {x} *2",
    "place": "in {x} *6 | at {x} *3",
    "shop": "from {x} *9 | at {x} *2",
    "room": "in {x} *8 | for {x} *2",
}


def is_sort(argument: Argument) -> bool:
    """Whether an argument says in which order things are shown."""
    return bool({"sort", "sorting", "orderby", "sortby"} & set(split_name(argument.name)))


def _is_measure(argument: Argument) -> bool:
    """Whether a choice says in which unit or currency something is given: "in celsius"."""
    words = set(split_name(argument.name))
    return bool(words & {"unit", "units", "currency"}) or argument.choices == CURRENCY_CODES


def _is_flag(argument: Argument) -> bool:
    return set(argument.choices) == {True, False}


def is_switch(argument: Argument) -> bool:
    """Whether an argument says that something is on or off."""
    return _is_flag(argument) and split_name(argument.name)[-1] in (
        "enabled", "enable", "on", "state", "active", "status",
    )  # fmt: skip


def _flag(argument: Argument, reads: bool) -> str:
    """How a flag is said: "on", "with breakfast", "urgent", or not."""
    name, words = argument.name, split_name(argument.name)
    if is_switch(argument):
        return f"{{{name}=true: on *3 | enabled}} *3 | {{{name}=false: off *3 | disabled}} *2"
    if words[0] in ("include", "with", "has", "have", "needs", "need", "add", "show", "want", "wants"):
        what = plain(" ".join(words[1:])) or "it"
        return (
            f"{{{name}=true: with {what} *4 | including {what} *2 | and include {what}}} *4 "
            f"| {{{name}=false: without {what} *3 | no {what} *2}}"
        )
    core = [w for w in words if w not in ("is", "should", "be", "make", "use", "set")]
    what = plain(" ".join(core)) or "yes"
    other = f"that are {what} *2" if reads else f"make it {what} *2"
    return f"{{{name}=true: {what} *4 | {other} | and {what}}} *4 | {{{name}=false: not {what}}} *.15"


def _choice(argument: Argument, reads: bool) -> str:
    if _is_flag(argument):
        return _flag(argument, reads)
    before = "(because|since|cause|it's|it is|because it is|because it's) " if is_reason(argument) else ""
    if is_sort(argument):
        before = "(sorted by|sort by|ordered by|by) "
    if all(isinstance(c, int) for c in argument.choices):
        before = f"{plain(' '.join(split_name(argument.name)))} "
    if _is_measure(argument):
        before = "(to|into|in) " if "to" in argument.name.lower() else "in "
    ways: dict[str, str] = {}
    for value in argument.choices:
        said = said_choice(value)
        if said and _is_writable(value):
            others = paraphrase(value, argument.choices).said
            if others:
                said = f"({said}) *6 | ({' | '.join(others)}) *4"
            way = f"{before}{{{argument.name}={value}: {said}}}"
            if is_reason(argument) and (why := _clauses(argument, value)):
                way = f"{way} *2 | [because|since|cause|as]0.6 {why} *4"
            ways.setdefault(str(value).lower(), way)
    return " | ".join(ways.values())


def _clauses(argument: Argument, value: Any) -> str:
    """A slot of whole clauses that say a value ("it took too long"); "" where there are none."""
    found = paraphrase(value, argument.choices)
    said = [*(f"(it|they) {w}" if _suits_many(w) else f"it {w}" for w in found.did), *found.clauses]
    return f"{{{argument.name}={value}: {' | '.join(said)}}}" if said else ""


def _suits_many(predicate: str) -> bool:
    """Whether a predicate may be said of many: "never came", but not "is too small"."""
    first = predicate.split()[0]
    return first not in ("is", "isn't", "was", "wasn't", "has", "hasn't", "doesn't") and not first.endswith(
        "s"
    )


def clauses(argument: Argument) -> str:
    """Whole clauses that say a choice, as alternatives; "" where none is known."""
    return " | ".join(filter(None, (_clauses(argument, v) for v in argument.choices if _is_writable(v))))


def predicates(argument: Argument) -> str:
    """What a thing did or is, by which a choice is said ("never came"); "" where none is known."""
    ways = []
    for value in argument.choices:
        if _is_writable(value) and (did := paraphrase(value, argument.choices).did):
            ways.append(f"{{{argument.name}={value}: {' | '.join(did)}}}")
    return " | ".join(ways)


def states(argument: Argument) -> str:
    """The words of a choice that stand after "is": "too small", "in pieces"."""
    ways = []
    for value in argument.choices:
        if _is_writable(value) and isinstance(value, str) and said_choice(value):
            others = paraphrase(value, argument.choices).said
            ways.append(f"{{{argument.name}={value}: {' | '.join((said_choice(value), *others))}}}")
    return " | ".join(ways)


def said_choice(value: Any) -> str:
    """The ways in which people say a value of an enum."""
    if value in CURRENCY_WORDS:
        return CURRENCY_WORDS[value]
    if isinstance(value, str) and value.lower() in RECURRENCES:
        return RECURRENCES[value.lower()]
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 100:
        return f"{value} *2 | {spell(value)}"
    spaced = " ".join(split_name(value)) if isinstance(value, str) and not value.isupper() else str(value)
    return plain(spaced.replace("_", " ").lower())


def _is_writable(value: Any) -> bool:
    """Whether a grammar can name a value: some marks have a meaning there."""
    text = str(value)
    return bool(text.strip() == text and text.isprintable() and not re.search(r'[:{}|"\\#]', text))


def _number(argument: Argument, x: str, words: list[str], thing: str, reads: bool) -> Phrase:
    if unit := unit_of_measure(argument.name, argument.description):
        sizes = [n for n in SIZES[unit].split() if "." not in n or not argument.whole]
        some = " | ".join(f"{{{argument.name}={n}: {n}}}" for n in sizes)
        number = f"({some} | {x} *2)" if unit in ("nights", "cups") else f"({some})"
        said = f"{number} ({UNIT_WORDS[unit]})"
        if set(words) & (_LEAST | _MOST):
            return _bounded(said, said, words)
        if {"distance", "radius", "within"} & set(words):
            return Phrase(f"{said} *5 | within {said} *3" if "distance" not in words else f"{said}", said)
        if unit == "nights":
            return Phrase(f"for {said} *5 | {said} *3", said)
        return Phrase(f"{said} *6 | of {said}", said)
    if len(words) > 1 and words[-1] in ("number", "no", "num", "id"):
        noun = " ".join(words[:-1])
        if noun in ("pull", "pr", "pull request") and thing == "pull request":
            return Phrase(
                f"number {x} *2 | {x}", f"pull request {x} *4 | pr {x} *4 | pull request number {x} | {x}"
            )
        if noun == thing:  # "close issue 12"
            return Phrase(
                f"number {x} *3 | {x}", f"{noun} {x} *6 | {noun} number {x} *2 | number {x} *2 | {x}"
            )
        if noun in thing.split():
            return Phrase(f"(on|to|for) {noun} {x} *6 | {noun} {x} *2 | for {noun} number {x}", "")
        return Phrase(f"{noun} {x} *6 | for {noun} {x} *3 | {noun} number {x} | {x}", f"{noun} {x} *4 | {x}")
    if reads and ({"limit", "results", "top", "count", "size"} & set(words) or {"per", "page"} <= set(words)):
        return Phrase(f"the first {x} *3 | only {x} *2 | the top {x} *2 | just {x} | up to {x}")
    noun = " ".join(w for w in words if w not in _EMPTY and w not in (_LEAST | _MOST))
    if noun in ("rating", "stars", "score") and set(words) & _LEAST:
        return Phrase(
            f"at least {x} stars *4 | {x} stars or more *2 | rated {x} or higher *2 | above {x} stars"
        )
    if noun and set(words) & (_LEAST | _MOST):
        return _bounded("", f"{x} {noun}", words)
    if set(words) & {"rating", "stars", "score"}:
        return Phrase(f"{x} stars *5 | {x} *2 | {x} out of 5 *2 | a {x}", f"{x} stars *3 | {x}")
    if set(words) & {"level", "volume", "brightness", "speed"}:
        return Phrase(f"to {x} *6 | at {x} *2 | {x} *3 | to level {x}")
    if noun in ("target", "value", "goal", "limit", "amount", ""):
        return Phrase(f"to {x} *5 | {x} *4 | of {x} *2 | at {x}", x)
    if words[-1] in ("between", "by", "with", "among"):  # `split_between`
        return Phrase(f"{noun} {x} *6 | {noun} {x} people *3")
    if noun in _COUNTED:
        return Phrase(f"for {x} *4 | for {x} {_COUNTED[noun]} *3 | {x} {_COUNTED[noun]} *3")
    if noun in ("quantity", "qty", "copies"):
        return Phrase(f"{x} of them *3 | times {x} | {x} *2", x)
    return Phrase(f"{x} {noun} *6 | {noun} {x} *.5 | {x} *1.5 | for {x} {noun} *.7", f"{x} {noun} *4 | {x}")


_EMPTY = frozenset("number count num of per total".split())
_COUNTED = {
    "party size": "people", "party": "people", "guests": "(guests|people)", "people": "people",
    "adults": "adults", "passengers": "(passengers|people)", "persons": "people", "seats": "(seats|people)",
    "group size": "people", "size": "people",
}  # fmt: skip
"""What is counted where a tool is for that many: "a table for four"."""


def kind_name(argument: Argument) -> str:
    """Name of the kind of thing that a text argument holds, "" where none is told."""
    kind: Kind = kind_of(argument)
    return kind.name
