"""What people say for the verb of a tool's name, and what such a tool does to the app's records."""

from __future__ import annotations

import re
from typing import NamedTuple

from fernjax.sim.tools import MOMENT_TYPES, Tool, split_name


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
      seeks: whether who says that they look for the thing asks for it ("i'm looking for a hotel").
    """

    role: str
    said: str
    past: bool = False
    asks: str = ""
    asks_for: str = ""
    new: bool = False
    wanted: bool = False
    seeks: bool = False


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
        "schedule plan arrange",
        Verb(
            "adds",
            "schedule *6 | plan *4 | book *3 | set up *2 | put in | arrange | pencil in | set",
            new=True,
            wanted=True,
        ),
    ),
    (
        "book reserve",
        Verb("adds", "book *8 | reserve *5 | get me *2 | get *2 | arrange", new=True, wanted=True),
    ),
    (
        "order buy purchase",
        Verb("adds", "order *6 | buy *3 | get *2 | purchase | get me *2", new=True, wanted=True),
    ),
    (
        "place",
        Verb("adds", "place *6 | make *2 | put in *2 | submit", new=True, wanted=True),
    ),
    (
        "rent hire",
        Verb("adds", "rent *6 | hire *2 | get me *2 | book *2 | find me", new=True, wanted=True),
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
        "list show view display see browse",
        Verb(
            "reads",
            "show me *6 | list *4 | show *4 | give me *2 | pull up | read me | bring up | see *2 "
            "| look at | view | go through | check",
            asks=_WHICH,
            asks_for=_THINGS,
        ),
    ),
    (
        "get check fetch query ask lookup look retrieve describe",
        Verb("reads", _LOOK, asks=_WHAT, asks_for=_THING),
    ),
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
        "find search discover",
        Verb(
            "reads",
            "find *6 | find me *3 | search for *4 | look for *3 | show me *2 | look up *2",
            asks="are there any *3 | is there (a|any) *2 | where can i find (a|the) *2 | do you have any",
            asks_for="where is *4 | where's *3 | where can i find *2 | do you have *2 | is there",
            seeks=True,
        ),
    ),
    (
        "recommend suggest",
        Verb(
            "reads",
            "recommend *5 | suggest *4 | give me *2 | find me *2 | pick",
            asks="what is a good *3 | do you know a good *2 | can you recommend a *2 | any good",
            asks_for="do you know *2 | is there",
            seeks=True,
        ),
    ),
    (
        "convert exchange",
        Verb("reads", "convert *7 | change *2 | turn", asks_for="how much is *5 | what is *3 | what's *2"),
    ),
    (
        "calculate compute estimate",
        Verb(
            "reads",
            "calculate *6 | work out *3 | figure out *2 | compute *2 | estimate *2 | tell me *3 | give me",
            asks="what is the *5 | what's the *5 | what would the",
            asks_for="what is *3 | how much is",
        ),
    ),
    (
        "translate",
        Verb("reads", "translate *8 | say *2", asks_for="what is *2 | how do you say *4"),
    ),
    ("compare", Verb("reads", "compare *8 | show me", asks_for="which is better")),
    (
        "navigate",
        Verb("reads", "navigate *5 | take me *4 | give me directions *4 | get me directions *2 | drive me"),
    ),
    ("summarize", Verb("reads", "summarize *6 | sum up *2 | give me the gist of")),
    ("download", Verb("reads", "download *7 | get me *2 | pull down")),
    ("upload attach", Verb("adds", "upload *6 | attach *3 | add *2 | put up", new=True)),
    ("comment reply respond", Verb("adds", "comment *4 | reply *4 | leave a comment *2 | answer | write")),
    ("forward", Verb("adds", "forward *7 | pass on *2 | send on")),
    ("follow subscribe", Verb("adds", "follow *5 | subscribe to *4")),
    ("unfollow unsubscribe", Verb("removes", "unfollow *5 | unsubscribe from *4 | stop following *2")),
    ("like favorite star bookmark", Verb("adds", "like *4 | favorite *3 | star *2 | bookmark | save")),
    ("skip next", Verb("changes", "skip *7 | next *2 | jump past")),
    ("archive", Verb("changes", "archive *7 | file away")),
    ("complete", Verb("changes", "complete *5 | finish *3 | mark as done *2 | tick off | check off *2")),
    ("mark", Verb("changes", "mark *7 | flag | set")),
    ("merge", Verb("changes", "merge *8 | go ahead and merge")),
    ("reopen", Verb("changes", "reopen *8 | open again")),
    ("extend renew", Verb("changes", "extend *5 | renew *4 | prolong | lengthen")),
    ("upgrade", Verb("changes", "upgrade *8 | move up")),
    ("unlock", Verb("changes", "unlock *8 | open *2")),
    ("refund", Verb("changes", "refund *6 | give me my money back for *2 | get a refund for *3")),
    ("donate give", Verb("adds", "donate *6 | give *3")),
    ("apply redeem use", Verb("adds", "apply *5 | use *4 | redeem *2")),
    ("join", Verb("adds", "join *7 | sign me up for *2 | get me into")),
    ("remind notify alert", Verb("adds", "remind me *7 | don't let me forget *2 | notify me | alert me")),
    ("dim", Verb("changes", "dim *8 | turn down *3 | lower")),
    ("read", Verb("reads", "read *6 | read me *3 | read out *2 | what's in", asks=_WHAT, asks_for=_THING)),
    ("watch stream", Verb("adds", "watch *6 | put on *3 | stream *2 | play *2")),
    ("toggle switch turn", Verb("changes", "turn *6 | switch *4")),
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
    space, _, last = name.rpartition(".")
    words = split_name(last) if split_name(last) else split_name(name)
    if space and len(words) == 1 and words[0] in _BY_WORD:  # `weather.get`
        words += split_name(space.rpartition(".")[2])
    if not words:
        return Verb("adds", "do"), []
    if words[0] in ("is", "has", "are") and len(words) > 1:
        return _BY_WORD["get"], words[1:]
    first, rest = words[0], words[1:]
    if rest and rest[0] in PARTICLES and first not in ("put",):
        return Verb("changes", f"{first} {rest[0]}"), rest[1:]
    if first in _BY_WORD:
        return _BY_WORD[first], rest
    for i, word in enumerate(words[1:], 1):
        if (
            word in _BY_WORD
        ):  # `order_cancel`, `github-create-issue`: what stands before is the app or the thing
            return _BY_WORD[word], words[i + 1 :] or [w for w in words if w != word]
    return Verb("adds", first), rest


def read_thing(rest: list[str]) -> tuple[str, list[str]]:
    """The noun of a tool's name, and the words from its first preposition on.

    Args:
      rest: the name's words without its verb: "weather by city" gives "weather", "to cart" gives "".
    """
    at = next((i for i, w in enumerate(rest) if w in _PREPOSITIONS), len(rest))
    return " ".join(rest[:at]), rest[at:]


_PREPOSITIONS = frozenset("to from by for near at in into with between using via on".split())


def lies_behind(tool: Tool, role: str) -> bool:
    """Whether a tool's days lie behind: what it logs was done, what it looks up has happened.

    Told by its verb and by the words of its name and its description; a tool that reads from a day on looks
    back where nothing says otherwise.

    Args:
      tool: it.
      role: what it does to the app's records.
    """
    days = [a for a in tool.arguments if a.type in MOMENT_TYPES and not a.type.endswith("time")]
    days += [a for a in tool.arguments if a.type.endswith("datetime")]
    if not days:
        return False
    told = " ".join([tool.description, *(a.description for a in days)])
    words = {*split_name(tool.name), *re.findall(r"[a-z]+", told.lower())}
    if words & _AHEAD:
        return False
    if role == "adds":
        return read_verb(tool.name)[0].past or bool(words & _BEHIND)
    if role != "reads":
        return bool(words & _BEHIND)
    first = any(split_name(a.name)[:1] in (["start"], ["from"], ["since"], ["after"]) for a in days)
    return first or bool(words & (_BEHIND | _HAPPENED))


_AHEAD = frozenset(
    """schedule scheduled plan planned upcoming forecast future remind reminder event events appointment
    appointments booking bookings reserve reservation reservations calendar meeting meetings deadline due
    available availability flight flights hotel hotels room rooms trip departure later next""".split()
)
_BEHIND = frozenset(
    """past history historical log logs logged journal diary record recorded previous happened taken eaten
    drunk spent paid bought done completed""".split()
)
_HAPPENED = frozenset(
    "was were did transactions expenses purchases statement activity progress stats sales".split()
)


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
