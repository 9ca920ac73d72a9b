"""The frames of a grammar's section, made from one tool."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fernjax.sim.drafting.arguments import (
    Phrase,
    find_examples,
    is_reason,
    is_state,
    kind_name,
    phrase,
    slot,
    value_rule,
)
from fernjax.sim.drafting.kinds import kind_of, pool_rule
from fernjax.sim.drafting.verbs import Verb, known_verb, plural, read_verb, singular
from fernjax.sim.harvest import BASE_VERBS
from fernjax.sim.tools import TEXT_TYPES, Argument, Tool

SPANS = (("date", "end_date"), ("time", "end_time"), ("amount", "currency"), ("degrees", "unit"))
"""Types of two arguments that one stretch of a sentence says."""

OFTEN, SELDOM, LAST = 0.92, 1.3, 0.12
"""Chance that a required argument is said; how many of the others are, on average; the chance of the end of
a span by itself."""

_DONE = {
    "food": "(had|ate|just had|just ate|i've had|finished|drank|have had)",
    "exercise": "(did|went|finished|just did|just finished|completed|did some|just got done with)",
    "medicine": "(took|just took|have taken|had)",
    "symptom": "(had|have|felt|got|woke up with)",
    "": "(did|had|finished|just did|got|have done|completed)",
}
"""How something done is reported, by the kind of thing."""


def draft_section(tool: Tool, weight: float, pools: Mapping[str, str]) -> str:
    """A section of a grammar: the rules and the frames of one tool.

    Args:
      tool: it.
      weight: of the section.
      pools: the app's pool of each kind of thing that it has values of its own for.
    """
    verb, rest = read_verb(tool.name)
    thing = " ".join(rest)
    lines = [f"[{tool.name}] {weight:g}", f"<verb> = {verb.said}"]
    lines += [f"<asks> = {verb.asks}"] if verb.asks else []
    lines += [f"<asks_for> = {verb.asks_for}"] if verb.asks_for else []
    parts = {a.name: phrase(a, singular(thing)) for a in tool.arguments}
    for a in tool.arguments:
        if a.type in TEXT_TYPES:
            lines.append(f"<{value_rule(a)}> = {_values(a, pools)}")
        p = parts[a.name]
        ways = (("say", p.said), ("obj", p.object), ("pre", p.before))
        lines += [f"<{name}.{a.name}> = {said}" for name, said in ways if said]
    if thing:
        lines.append(f"<thing> = {singular(thing)}")
        lines.append(f"<things> = {plural(thing)}")
    return "\n".join([*lines, *_Frames(tool, thing, verb, parts).draft()])


def _values(argument: Argument, pools: Mapping[str, str]) -> str:
    """What a text argument is drawn from: its description's examples, and values of its kind."""
    kind = kind_of(argument)
    drawn = pool_rule(kind, pools.get(kind.name, ""))
    return " | ".join([*(f"{e} *3" for e in find_examples(argument.description)), drawn])


class _Frames:
    """Collects the frames of one tool."""

    def __init__(self, tool: Tool, thing: str, verb: Verb, parts: Mapping[str, Phrase]):
        self.tool = tool
        self.verb = verb
        self.parts = parts
        self.arguments = tool.arguments
        self.many = bool(thing) and (plural(thing) == thing)
        self.thing = ("<things>" if self.many else "<thing>") if thing else ""
        self.det = "<mys>" if self.many else "<new>" if verb.new else "<my>"
        named = thing and any(p.said == p.object and not p.before for p in parts.values() if p.said)
        self.usual = 6 if named else 20
        self.out: list[str] = []

    def draft(self) -> list[str]:
        everything = self._rest()
        if self.thing:
            self._add("order", f"<ask> <verb> {self.det} {self.thing} {everything} <tail>", self.usual)
            self._add("noun", f"[{'a|new' if self.verb.new else 'my'}]0.4 {self.thing} {everything}", 2)
            self._statements(everything)
        else:
            self._add("order", f"<ask> <verb> {everything} <tail>", 20)
        for a in self.arguments:
            self._objects(a)
            if a.type == "choice":
                self._choices(a)
            if a.type in ("date", "time"):
                said = f"{self.det} {self.thing}" if self.thing else ""
                front = f"<say.{a.name}> [~,]0.5 <ask> <verb> {said} {self._rest(a)}"
                self._add(f"{a.name}_front", front, 2.5)
        if told := _told(self.tool.description, self.tool.reads):
            self._add("told", f"{told} {everything}", 6)
        return self.out

    def _add(self, name: str, words: str, weight: float) -> None:
        self.out.append(f"{name}: {words} *{weight:g}")

    def _statements(self, everything: str) -> None:
        """Questions, and what is said in place of an order."""
        thing = self.thing
        if self.verb.asks:
            self._add("ask", f"<know> <asks> {thing} {everything} [please]0.1", self.usual * 0.6)
            self._add("about", f"(what about|and|how about|anything on) (my|the) {thing} {everything}", 2)
        elif self.verb.wanted:
            self._add(
                "want",
                f"(i need|i want|i'd like|we need|i'll have|there is) (a|one|another) {thing} {everything}",
                4,
            )
        elif self.verb.role == "removes":
            self._add("unwanted", f"<unwanted> {self.det} {thing} {everything} [anymore]0.4", 8)

    def _objects(self, a: Argument) -> None:
        """Frames in which an argument stands where the tool's object does, or before its noun."""
        part, others = self.parts[a.name], self._rest(a)
        text = a.type in TEXT_TYPES
        if part.before and self.thing and a.type != "choice":
            weight = 9.0 if text and (a.required or a is self.arguments[0]) else 5.0
            det = "[my|the|a]0.7" if self.verb.new else "[my|the]0.85"
            self._add(
                f"of_{a.name}", f"<ask> <verb> {det} <pre.{a.name}> {self.thing} {others} <tail>", weight
            )
            if self.verb.asks:
                self._add(f"ask_{a.name}", f"<know> <asks> <pre.{a.name}> {self.thing} {others}", 4)
            if self.verb.role == "removes":
                self._add(
                    f"unwanted_{a.name}", f"<unwanted> (my|the) <pre.{a.name}> {self.thing} {others}", 3
                )
        if not part.object:
            return
        det = (
            "[my|the|some]0.35 "
            if text and a.type != "texts" and kind_name(a) not in ("person", "note")
            else ""
        )
        weight = (
            14.0 if a.required or (a is self.arguments[0] and text) else 1.5 if a.type == "choice" else 4.0
        )
        if self.usual < 20 and part.said == part.object:
            weight *= 2
        self._add(f"direct_{a.name}", f"<ask> <verb> {det}<obj.{a.name}> {others} <tail>", weight)
        self._add(f"bare_{a.name}", f"<obj.{a.name}> {others}", 3 if a.required else 0.7)
        if self.verb.asks_for and a.type in (*TEXT_TYPES, "id"):
            self._add(f"ask_for_{a.name}", f"<know> <asks_for> {det}<obj.{a.name}> {others}", 4)
        done = _DONE.get(kind_name(a)) if self.verb.past and text and a.required else None
        if done:
            log = "[(log|add|save|note|record) it|put it down|log that]0.25"
            self._add(f"past_{a.name}", f"i {done} <obj.{a.name}> {others} {log}", 8)
        if self.verb.wanted and text and a.required:
            want = "(i need|i want|i'd like|we need|i could use|can i get|may i have)"
            self._add(f"want_{a.name}", f"{want} <obj.{a.name}> {others} [please]0.2", 5)

    def _choices(self, a: Argument) -> None:
        """Frames of one of several values: a kind of the thing, how it is, what is asked about."""
        part, others = self.parts[a.name], self._rest(a)
        if not part.object or is_reason(a):
            return
        if self.thing:
            first = f"<ask> <verb> [my|the|a]0.6 <say.{a.name}> {self.thing} {others} <tail>"
            self._add(f"{a.name}_first", first, 6 if not is_state(a) else 1)
            if not is_state(a):
                self._add(
                    f"{a.name}_of",
                    f"<ask> <verb> {self.det} {self.thing} (for|of) <say.{a.name}> {others}",
                    3,
                )
        if self.verb.asks and a.required:
            how = "(how much|how many|how's my|how is my|what's my|what is my|how are my)"
            done = "(did i get|have i got|do i have|so far|)"
            self._add(f"how_{a.name}", f"<know> {how} <say.{a.name}> {done} {others}", 7)
        if is_state(a):
            which = next(
                (o for o in self.arguments if o is not a and o.type == "text" and not o.required), None
            )
            subject = f"<noun> *2 | {slot(which)} *3" if which else "<noun>"
            is_ = "(is|was|are|came|arrived|got here|is still|has been|seems|showed up|turned out)"
            rest = self._rest(a, which)
            self._add(f"state_{a.name}", f"(my|the) ({subject}) {is_} <say.{a.name}> {rest}", 14)
        number = next((o for o in self.arguments if o.type == "number" and o.required), None)
        if number is not None and a.required:
            pair = f"{{{number.name}}} <say.{a.name}>"
            each = "[a day|per day|every day|a week|total]0.3" if self._has("target", "goal") else ""
            self._add(
                f"counted_{a.name}",
                f"<ask> <verb> {self.det} {self.thing} (to|of|at|for) {pair} {each} <tail>",
                7,
            )
            self._add(f"aim_{a.name}", f"(i want|i need|make it|let's do|aim for|i'd like) {pair} {each}", 5)

    def _has(self, *names: str) -> bool:
        return any(set(names) & {*a.name.split("_"), *self.tool.name.split("_")} for a in self.arguments)

    def _rest(self, *without: Argument | None) -> str:
        """The phrases of all other arguments in any order, each with a chance; of one where it is one."""
        left = [a for a in self.arguments if not any(a is w for w in without)]
        optional = sum(not a.required for a in left)
        units = []
        for a in left:
            if not self.parts[a.name].said:
                continue  # said with its partner
            chance = OFTEN if a.required else min(0.5, SELDOM / max(1, optional))
            if any((b.type, a.type) in SPANS and a.new == b.new for b in left):
                chance = LAST  # mostly said with its first end
            partner = next((b for b in left if (a.type, b.type) in SPANS and a.new == b.new), None)
            said = f"<say.{a.name}>"
            if partner is not None:
                said = f"({said} *3 | {{{a.name}+{partner.name}}} *2)"
            units.append(f"[{said}]{chance:.2f}")
        return f"&({'; '.join(units)})" if len(units) > 1 else "".join(units)


_ASKED = frozenset("how where when which what whether if who why".split())


def _told(description: str, reads: bool) -> str:
    """What the description itself says, as a request: "Ask where it is" gives "tell me where it is"."""
    sentence = re.split(r"[.;(:]|, (?!or\b)", description.strip())[0].lower()
    clauses = [c.split() for c in re.findall(r"[^\n]+", sentence.replace(" or ", "\n"))]
    if any(c[:1] and not (known_verb(c[0]) or c[0] in _ASKED) for c in clauses[1:]):
        return ""  # "the day or time of a delivery": no two requests
    ways = []
    for clause in clauses:
        words = re.findall(r"[\w'-]*\w[\w'-]*", " ".join(clause))
        if not 2 <= len(words) <= 9 or (words[0] not in _ASKED and not _begins_request(words)):
            continue
        first = _imperative(words[0])
        own = [_own(w) for w in words[1:]]
        if first == "ask" and words[1] in _ASKED:
            ways.append(f"(tell me|do you know|can you tell me|i want to know|) {' '.join(own)} *2")
        elif first in _ASKED:
            ways.append(f"(tell me|do you know|can you tell me|i want to know) {first} {' '.join(own)}")
        else:
            verb = "(tell me|give me|show me)" if first == "return" and reads else _own(first)
            ways.append(f"<ask> {verb} {' '.join(own)} *2")
    return f"({' | '.join(ways)})" if ways else ""


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


def _own(word: str) -> str:
    return {
        "a": "(a|my|the)", "an": "(an|my|the)", "the": "(the|my)", "ask": "(ask|tell me)", "user": "",
        "user's": "my",
    }.get(word, word)  # fmt: skip
