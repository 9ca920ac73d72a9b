"""What people say for the verb of a tool's name, and what such a tool does to the app's records."""

from __future__ import annotations

import re
from typing import NamedTuple


class Verb(NamedTuple):
    """How a tool's verb is said.

    Attributes:
      role: `adds`, `changes`, `removes` or `reads` (see `fernjax.sim.records`).
      said: alternatives in the language of `fernjax.sim.grammar`.
      past: whether people also report it as done ("i ran five miles").
      asks: how a question about the tool's noun begins, its determiner in it ("where is my"), or "".
      asks_for: how one about a thing by its name begins ("where is"), or "".
      new: whether it makes something new ("log a workout"), rather than acts on what is there.
      wanted: whether who says that they want the thing asks for it ("i need a room").
    """

    role: str
    said: str
    past: bool = False
    asks: str = ""
    asks_for: str = ""
    new: bool = False
    wanted: bool = False


PARTICLES = frozenset("on off up in out back down over".split())

_LOOK = "check *6 | get *2 | tell me *4 | show me *3 | give me *2 | look up *2 | see | find out | pull up"
_WHAT = (
    "what is (my|the) *5 | what's (my|the) *6 | how's (my|the) | any news on (my|the) | what about (my|the)"
)
_WHICH = (
    "what are (my|the) *4 | do i have any *3 | are there any *3 | which are my | what about (my|the) *2 "
    "| how many *2 | have i got any"
)
_THING, _THINGS = (
    "what is *3 | what's *4 | what about *2 | any news on",
    "do i have *3 | what about *2 | is there",
)
_GROUPS: tuple[tuple[str, Verb], ...] = (
    (
        "create make new",
        Verb("adds", "create *5 | make *4 | set up *2 | add *3 | start *2 | open", new=True, wanted=True),
    ),
    ("add insert put include", Verb("adds", "add *8 | put *3 | include | enter | insert", new=True)),
    (
        "log record register save note store enter",
        Verb(
            "adds",
            "log *6 | record *4 | add *3 | note *2 | save *2 | put in | enter | write down | put down",
            past=True,
            new=True,
        ),
    ),
    (
        "schedule plan book reserve arrange",
        Verb(
            "adds",
            "schedule *6 | plan *4 | book *4 | set up *2 | put in | arrange | reserve | pencil in | set",
            new=True,
            wanted=True,
        ),
    ),
    (
        "order buy purchase",
        Verb("adds", "order *6 | buy *3 | get *2 | purchase | get me *2", new=True, wanted=True),
    ),
    (
        "request",
        Verb(
            "adds",
            "request *4 | ask for *3 | get me *3 | order *2 | send me *2 | bring me *2 | arrange",
            new=True,
            wanted=True,
        ),
    ),
    ("send submit", Verb("adds", "send *6 | submit | shoot | fire off | get", new=True)),
    ("post publish share", Verb("adds", "post *5 | share *3 | publish | put up", new=True)),
    ("write leave draft", Verb("adds", "leave *5 | write *4 | add *2 | put | draft", new=True)),
    (
        "start begin launch run",
        Verb("adds", "start *6 | begin *3 | kick off | let's start *2 | let's do | launch", new=True),
    ),
    ("stop end finish halt", Verb("changes", "stop *6 | end *4 | finish *2 | quit")),
    ("pause hold", Verb("changes", "pause *6 | hold *2 | put on hold")),
    ("resume continue", Verb("changes", "resume *5 | continue *4 | go on with")),
    (
        "delete remove erase drop clear discard",
        Verb(
            "removes",
            "delete *6 | remove *5 | get rid of *2 | erase *2 | take out | drop | scrap | clear | wipe",
        ),
    ),
    ("cancel abort revoke", Verb("removes", "cancel *9 | call off *2 | stop | undo | scrap")),
    (
        "update edit modify change adjust correct fix",
        Verb("changes", "change *6 | update *5 | edit *2 | modify | fix | correct | adjust | switch"),
    ),
    (
        "move reschedule postpone shift delay",
        Verb(
            "changes", "reschedule *4 | move *6 | push *2 | postpone *2 | change *3 | shift | put off | delay"
        ),
    ),
    ("rename", Verb("changes", "rename *6 | call | change the name of *2 | retitle")),
    ("set", Verb("changes", "set *9 | make *2 | put | change *2 | adjust | set up *2")),
    (
        "list show view display see",
        Verb(
            "reads",
            "show me *6 | list *4 | show *4 | give me *2 | pull up | read me | bring up | see *2 "
            "| look at | view | go through | check",
            asks=_WHICH,
            asks_for=_THINGS,
        ),
    ),
    ("get check fetch read query ask lookup look", Verb("reads", _LOOK, asks=_WHAT, asks_for=_THING)),
    (
        "track locate trace",
        Verb(
            "reads",
            f"track *7 | locate | follow | {_LOOK}",
            asks="where is (my|the) *6 | where's (my|the) *6 | when is my | any news on (my|the)",
            asks_for="where is *6 | where's *6 | when is | any news on",
        ),
    ),
    (
        "find search",
        Verb(
            "reads",
            "find *6 | find me *3 | search for *4 | look for *3 | show me *2 | look up *2",
            asks="are there any *3 | is there (a|any) *2 | where can i find (a|the) *2 | do you have any",
            asks_for="where is *4 | where's *3 | where can i find *2 | do you have *2 | is there",
        ),
    ),
    ("count", Verb("reads", "count *6 | tell me how many *2", asks="how many *6")),
    ("pay settle", Verb("adds", "pay *8 | settle | take care of")),
    ("transfer wire", Verb("adds", "transfer *5 | send *4 | move *3 | wire")),
    ("return", Verb("changes", "return *6 | send back *4 | take back | give back")),
    (
        "report flag",
        Verb(
            "adds",
            "report *6 | flag | complain about *2 | tell them about | let them know about",
            past=True,
            new=True,
        ),
    ),
    ("rate review score", Verb("adds", "rate *6 | give *3 | review *2 | score")),
    ("tip", Verb("adds", "tip *9 | give *3")),
    ("assign", Verb("changes", "assign *6 | give *3 | hand")),
    ("invite", Verb("adds", "invite *6 | add *3 | ask | include")),
    ("open", Verb("changes", "open *8 | open up")),
    ("close shut", Verb("changes", "close *6 | shut *3")),
    ("lock", Verb("changes", "lock *8 | lock up")),
    ("mute silence", Verb("changes", "mute *6 | silence *3")),
    ("enable activate", Verb("changes", "turn on *5 | enable *3 | activate *2 | switch on *2")),
    ("disable deactivate", Verb("changes", "turn off *5 | disable *3 | deactivate *2 | switch off *2")),
    ("play", Verb("adds", "play *7 | put on *3 | start")),
    ("call phone ring", Verb("adds", "call *7 | phone *2 | ring")),
)

_BY_WORD = {word: verb for words, verb in _GROUPS for word in words.split()}


def read_verb(name: str) -> tuple[Verb, list[str]]:
    """The verb of a tool's name, and its other words.

    Args:
      name: `log_workout`, `turnOn`, `search`; a first word that is no known verb is said as it is.
    """
    words = split_name(name)
    if not words:
        return Verb("adds", "do"), []
    if words[0] in ("is", "has", "are") and len(words) > 1:
        return _BY_WORD["get"], words[1:]
    first, rest = words[0], words[1:]
    if rest and rest[0] in PARTICLES and first not in ("put",):
        return Verb("changes", f"{first} {rest[0]}"), rest[1:]
    if first in _BY_WORD:
        return _BY_WORD[first], rest
    for word in words[1:]:
        if word in _BY_WORD:  # `workout_log`, `order_cancel`
            return _BY_WORD[word], [w for w in words if w != word]
    return Verb("adds", first), rest


def split_name(name: str) -> list[str]:
    """Lower-case words of a name in snake case, kebab case or camel case."""
    spaced = "".join(f" {c}" if c.isupper() else c for c in name.replace("_", " ").replace("-", " "))
    return spaced.lower().split()


def known_verb(word: str) -> bool:
    """Whether a word is a verb whose sayings are known."""
    return word in _BY_WORD


def stem(word: str) -> str:
    """A word without the endings of plurals and verbs, where enough of it is left."""
    return re.sub(r"(?:ies|es|s|ing|ed|e|y)$", "", word) if len(word) > 4 else word


def singular(words: str) -> str:
    """The last word in the singular: "past orders" gives "past order"."""
    if words.endswith("ies") and len(words) > 4:
        return words[:-3] + "y"
    if re.search(r"(?:sh|ch|x|ss)es$", words):
        return words[:-2]
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us", "is")) else words


def plural(words: str) -> str:
    """The last word in the plural: "delivery" gives "deliveries"."""
    if singular(words) != words:
        return words
    if re.search(r"[^aeiou]y$", words):
        return words[:-1] + "ies"
    return words + ("es" if re.search(r"(?:sh|ch|x|s)$", words) else "s")
