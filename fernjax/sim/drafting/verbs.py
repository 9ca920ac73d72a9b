"""What people say for the verb of a tool's name, and what such a tool does to the app's records."""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    """How a tool's verb is said.

    Attributes:
      role: `adds`, `changes`, `removes` or `reads` (see `fernjax.sim.records`).
      said: alternatives in the language of `fernjax.sim.grammar`.
      past: whether people also report it as done ("i ran five miles").
    """

    role: str
    said: str
    past: bool = False


PARTICLES = frozenset("on off up in out back down over".split())

_LOOK = (
    "check *5 | get *2 | tell me *5 | show me *3 | what is *4 | what's *5 | what are *2 | give me *2 "
    "| how is | how's | look up | do you know | i want to see | let me see"
)
_GROUPS: tuple[tuple[str, Verb], ...] = (
    ("create make new", Verb("adds", "create *5 | make *4 | set up *2 | add *3 | start *2 | open")),
    ("add insert put include", Verb("adds", "add *8 | put *3 | include | enter | insert")),
    (
        "log record register save note store enter",
        Verb(
            "adds",
            "log *6 | record *4 | add *3 | note *2 | save *2 | put in | enter | write down | put down",
            past=True,
        ),
    ),
    (
        "schedule plan book reserve arrange",
        Verb(
            "adds",
            "schedule *6 | plan *4 | book *4 | set up *2 | put in | arrange | reserve | pencil in | set",
        ),
    ),
    ("order buy purchase", Verb("adds", "order *6 | buy *3 | get *2 | purchase | get me *2")),
    ("send submit", Verb("adds", "send *6 | submit | shoot | fire off | get")),
    ("post publish share", Verb("adds", "post *5 | share *3 | publish | put up")),
    ("write leave draft", Verb("adds", "leave *5 | write *4 | add *2 | put | draft")),
    (
        "start begin launch run",
        Verb("adds", "start *6 | begin *3 | kick off | let's start *2 | let's do | launch"),
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
    ("cancel abort revoke", Verb("removes", "cancel *9 | call off *2 | stop | undo | scrap | don't want")),
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
            "show me *6 | list *4 | show *3 | give me *2 | let me see *2 | pull up | what are *3 | read me "
            "| bring up | see | can i see | what *2 | tell me",
        ),
    ),
    ("get check fetch read query ask lookup look", Verb("reads", _LOOK)),
    ("track locate", Verb("reads", f"track *5 | where is *5 | where's *4 | when is | {_LOOK}")),
    (
        "find search",
        Verb(
            "reads",
            "find *6 | search for *4 | look for *3 | show me *2 | look up *2 | are there any",
        ),
    ),
    ("count", Verb("reads", "count *4 | how many *6")),
    ("pay settle", Verb("adds", "pay *8 | settle | take care of")),
    ("transfer wire", Verb("adds", "transfer *5 | send *4 | move *3 | wire")),
    ("return", Verb("changes", "return *6 | send back *4 | take back | give back")),
    (
        "report flag",
        Verb(
            "adds", "report *6 | flag | complain about *2 | tell them about | let them know about", past=True
        ),
    ),
    ("rate review score", Verb("adds", "rate *6 | give *3 | review *2 | score")),
    ("tip", Verb("adds", "tip *7 | give *3 | add a tip for")),
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
    first, rest = words[0], words[1:]
    if rest and rest[0] in PARTICLES and first not in ("put",):
        return Verb("changes", f"{first} {rest[0]} *6 | {first}"), rest[1:]
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
