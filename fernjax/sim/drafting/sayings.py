"""What people say of a tool as a whole: its verb, questions about its noun, idioms, its own description."""

from __future__ import annotations

import re

from fernjax.sim.drafting.verbs import known_verb, plural
from fernjax.sim.harvest import BASE_VERBS
from fernjax.sim.tools import Tool, split_name


def done(said: str) -> str:
    """A request's beginning and its verb: whoever says "i'd like to" goes on with no "tell me"."""
    ways: dict[str, list[str]] = {"<ask>": [], "<ask_you>": []}
    for way in said.split(" | "):
        ways["<ask_you>" if re.match(r"\w+ me\b|let's", way) else "<ask>"].append(way)
    return " | ".join(f"{ask} ({' | '.join(w)}) *{_weight(w):g}" for ask, w in ways.items() if w)


def _weight(ways: list[str]) -> float:
    """The weights of alternatives together."""
    return sum(float((re.findall(r"\*([\d.]+)$", w) or ["1"])[0]) for w in ways)


def asked(asks: str, thing: str) -> str:
    """The beginnings of a question, each with what may stand before it: "tell me what is", but "do i have".

    Of what is nobody's ("the weather"), without "my".
    """
    if is_unowned(thing):
        asks = asks.replace("(my|the)", "the").replace(" my", " the")
    if thing and plural(thing) == thing:
        asks = re.sub(r"\b(what|where|how)(?: is|'s)\b", r"\1 are", asks)
        asks = asks.replace("is there (a|any)", "are there any").replace("find (a|the)", "find (some|the|)")
        asks = asks.replace("what are a good", "what are some good").replace("a good", "any good")
    ways: dict[bool, list[str]] = {True: [], False: []}
    for way in asks.split(" | "):
        embedded = way.split()[0].split("'")[0] in _ASKED and " about" not in way
        ways[embedded].append(way)
    know = {True: "<know> ", False: ""}
    return " | ".join(f"{know[e]}({' | '.join(w)}) *{_weight(w):g}" for e, w in ways.items() if w)


_UNOWNED = frozenset(
    """weather forecast temperature traffic news time rate rates price prices route routes direction
    directions distance flight flights train trains hotel hotels restaurant restaurants place places movie
    movies stock stocks definition meaning code repository repositories song songs recipe recipes product
    products""".split()
)


def is_unowned(thing: str) -> bool:
    """Whether a thing is nobody's own, so that people say "the weather", not "my weather"."""
    return bool(_UNOWNED & set(thing.split()[-1:]))


def idioms(thing: str, role: str) -> list[str]:
    """Ways of asking for a thing that neither its noun nor its verb tells."""
    for nouns, roles, ways in _IDIOMS:
        if set(nouns.split()) & set(thing.split()[-1:]) and role in roles.split():
            return ways
    return []


_IDIOMS: tuple[tuple[str, str, list[str]], ...] = (
    (
        "weather forecast",
        "reads",
        [
            "(is it|is it going to be|will it be) (hot|cold|sunny|warm|windy|nice|cloudy|humid)",
            "(will it|is it going to|is it supposed to|does it look like it will) (rain|snow|be nice out)",
            "(do i need|will i need|should i (bring|take|pack)) (an umbrella|a jacket|a coat|sunscreen)",
            "how (hot|cold|warm|windy) (is it|will it be|does it get|is it going to be)",
            "(weather|temperature|temps)",
            "what's (it like|it like outside|the temperature|the weather looking like|it going to be like)",
        ],
    ),
    (
        "direction directions route routes",
        "reads",
        [
            "(how do i|how can i|how would i|what's the (best|fastest|quickest) way to) get",
            "(take me|navigate|guide me|get me)",
            "i (need|want|have) to (go|get|drive)",
            "(route|directions|way)",
        ],
    ),
    (
        "traffic",
        "reads",
        ["is there (a lot of|much|heavy|any) traffic", "how (bad|busy|heavy) is (traffic|the traffic|it)"],
    ),
    ("time", "reads", ["what time is it", "(current|local) time", "do you have the time"]),
    ("ride taxi cab", "adds", ["(take me|drive me|get me|pick me up)", "i (need|want|have) to (go|get)"]),
    ("table", "adds", ["(do you have|is there) a table", "(can|could) (i|we) (get|have) a table", "table"]),
    ("alarm", "adds", ["(wake me up|wake me|get me up)"]),
    ("reminder", "adds", ["(remind me|don't let me forget|make sure i remember|i need to remember)"]),
    (
        "volume",
        "changes",
        ["(turn it|make it|go|bring it)", "(turn|crank) the (volume|sound|music)", "volume"],
    ),
    (
        "flight flights",
        "reads adds",
        ["(i'm flying|fly|i need to fly|i want to fly|get me a flight|we're flying)"],
    ),
    (
        "hotel hotels",
        "reads",
        [
            "(i need|find me|i want) (a place to stay|somewhere to stay)",
            "where (can|could|should) (i|we) stay",
        ],
    ),
    (
        "restaurant restaurants",
        "reads",
        ["where (can|should|could) (i|we) eat", "(somewhere|a place|a good place) to eat"],
    ),
)
"""Nouns, the roles of the tools that they are of, and what people say for them."""


_ASKED = frozenset("how where when which what whether if who why".split())


def told(tool: Tool, unowned: bool = False) -> str:
    """What the description itself says, as a request: "Ask where it is" gives "tell me where it is".

    It ends where it speaks of what the arguments say: "get the weather in a given city". What is `unowned` is
    "the", not "my".
    """
    reads = tool.reads
    sentence = re.split(r"[.;(:]|, (?!or\b)", tool.description.strip())[0].lower()
    named = {w for a in tool.arguments for w in split_name(a.name)}
    for cut in re.finditer(
        r"\s(?:in|at|for|from|to|between|of|with|by|near|across|on|into|using|based)\s", sentence
    ):
        if re.findall(r"\w+", sentence[cut.end() :]) and {*re.findall(r"\w+", sentence[cut.end() :])} & (
            named | _OF_ARGUMENTS
        ):
            sentence = sentence[: cut.start()]
            break
    clauses = [c.split() for c in re.findall(r"[^\n]+", sentence.replace(" or ", "\n"))]
    if any(c[:1] and not (known_verb(c[0]) or c[0] in _ASKED) for c in clauses[1:]):
        return ""  # "the day or time of a delivery": no two requests
    ways = []
    for clause in clauses:
        words = re.findall(r"[\w'-]*\w[\w'-]*", " ".join(clause))
        if not 2 <= len(words) <= 9 or (words[0] not in _ASKED and not _begins_request(words)):
            continue
        first = _imperative(words[0])
        own = ["the" if unowned and w in _ARTICLES else _own(w) for w in words[1:]]
        if first == "ask" and words[1] in _ASKED:
            ways.append(f"(tell me|do you know|can you tell me|i want to know|) {' '.join(own)} *2")
        elif first in _ASKED:
            ways.append(f"(tell me|do you know|can you tell me|i want to know) {first} {' '.join(own)}")
        else:
            verb = "(tell me|give me|show me)" if first == "return" and reads else _own(first)
            ways.append(f"<ask> {verb} {' '.join(own)} *2")
    return f"({' | '.join(ways)})" if ways else ""


_OF_ARGUMENTS = frozenset(
    """given specified specific certain particular one two another provided location place existing
    repository options filtering filters criteria""".split()
)
"""Words of a description that speak of what an argument says."""


def _begins_request(words: list[str]) -> bool:
    """Whether a description's clause begins with a verb."""
    verb = _imperative(words[0])
    return known_verb(verb) or verb in BASE_VERBS or words[1] in ("a", "an", "the")


def _imperative(word: str) -> str:
    """ "returns" as "return": what a tool does as what it is told."""
    for cut in (1, 2):
        if word.endswith("s") and known_verb(word[:-cut]):
            return word[:-cut]
    return word


_ARTICLES = frozenset(("a", "an", "the"))


def _own(word: str) -> str:
    return {
        "a": "(a|my|the)", "an": "(an|my|the)", "the": "(the|my)", "ask": "(ask|tell me)", "user": "",
        "user's": "my",
    }.get(word, word)  # fmt: skip
