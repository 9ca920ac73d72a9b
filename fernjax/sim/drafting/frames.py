"""The frames of a grammar's section, made from one tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fernjax.sim.argument_types import unit_of_measure
from fernjax.sim.drafting.arguments import (
    Phrase,
    find_examples,
    is_reason,
    is_state,
    is_switch,
    kind_name,
    phrase,
    said_choice,
    slot,
    value_rule,
)
from fernjax.sim.drafting.kinds import kind_of, pool_rule
from fernjax.sim.drafting.manners import More
from fernjax.sim.drafting.nouns import alternatives, synonyms
from fernjax.sim.drafting.sayings import asked, done, idioms, is_unowned, told
from fernjax.sim.drafting.verbs import Verb, plural, read_thing, read_verb, singular
from fernjax.sim.drafting.words import MEASURED_DEEDS
from fernjax.sim.tools import LENGTHS, TEXT_TYPES, Argument, Tool, split_name

SPANS = (
    ("date", "end_date"),
    ("time", "end_time"),
    ("datetime", "end_datetime"),
    ("amount", "currency"),
    ("degrees", "unit"),
)
"""Types of two arguments that one stretch of a sentence says."""

OFTEN, SELDOM, LAST = 0.92, 1.3, 0.12
"""Chance that a required argument is said; how many of the others are, on average; the chance of the end of
a span by itself."""

_WONDERING = "(i was wondering about|i'm curious about|i need|i want to see|i'd love to see)"
_SEEKING = "(i'm looking for|looking for|i need|i want|we need|i'm after|we're looking for)"
"""What is said in place of a question, and in place of a search."""

_DONE = {
    "food": "(i had|i ate|i just had|i just ate|i've had|i finished|i drank|had|ate|just had)",
    "exercise": "(i did|i went|i finished|i just did|i just finished|i completed|i did some|did|just did)",
    "medicine": "(i took|i just took|i have taken|i've taken|i had|took|just took)",
    "symptom": "(i had|i have|i felt|i got|i woke up with|i've had|woke up with)",
    "": "(i did|i had|i finished|i just did|i got|i've done|i completed)",
}
"""How something done is reported, by the kind of thing."""


def draft_section(
    tool: Tool,
    weight: float,
    pools: Mapping[str, str],
    taken: frozenset[str] = frozenset(),
    questions: Sequence[str] = (),
) -> str:
    """A section of a grammar: the rules and the frames of one tool.

    Args:
      tool: it.
      weight: of the section.
      pools: the app's pool of each kind of thing that it has values of its own for.
      taken: words that are no synonyms of the tool's thing, since they say another's.
      questions: how people ask after the thing, in the language of a grammar.
    """
    verb, rest = read_verb(tool.name)
    thing, tail = read_thing(rest)
    lines = [f"[{tool.name}] {weight:g}", f"<do> = {done(verb.said)}"]
    lines += [f"<asks> = {asked(verb.asks, thing)}"] if verb.asks else []
    lines += [f"<asks_for> = {asked(verb.asks_for, '')}"] if verb.asks_for else []
    parts = {a.name: phrase(a, singular(thing), tool.reads) for a in tool.arguments}
    amounts = [a for a in tool.arguments if a.type == "amount"]
    paid = next((c for c in tool.arguments if c.type == "currency"), None)
    if paid is not None and len(amounts) == 1:  # "$4" says its currency wherever it stands
        a = amounts[0]
        both = f"({{{a.name}+{paid.name}}} *{5 if paid.required else 2} | {{{a.name}}})"
        parts[a.name] = Phrase(*(way.replace(f"{{{a.name}}}", both) for way in parts[a.name]))
    where = _place_in(tail, tool, parts) if not thing else ""
    for a in tool.arguments:
        if a.type in TEXT_TYPES:
            lines.append(f"<{value_rule(a)}> = {_values(a, pools)}")
        p = parts[a.name]
        ways = (("say", p.said), ("obj", p.object), ("pre", p.before))
        lines += [f"<{name}.{a.name}> = {said}" for name, said in ways if said]
    if thing:
        others = synonyms(thing, taken).counted
        lines.append(f"<thing> = {alternatives(thing, others)}")
        lines.append(f"<things> = {alternatives(thing, others, many=True)}")
    more = More(tool, thing, verb, parts, synonyms(thing, taken).mass, questions)
    frames = _Frames(tool, thing, verb, parts, where)
    said = [*frames.draft(), *more.draft(frames.rest)]
    return "\n".join([*lines, *more.rules, *said])


_MASS = frozenset(
    "food water weight music money sleep progress history feedback medicine coffee milk mood advice".split()
)
"""Nouns that are not counted: "some water", not "a water"."""

_MEASURED = frozenset("currency currencies unit units amount tip percentage".split())
"""Nouns that people leave out, since the number says it: "convert 50 euros"."""


def _place_in(tail: list[str], tool: Tool, parts: dict[str, Phrase]) -> str:
    """What a name like `add_to_cart` says of where to: "to my cart", or "" where an argument tells."""
    if len(tail) < 2:
        return ""
    preposition, noun = tail[0], " ".join(tail[1:])
    for a in tool.arguments:
        if a.type in TEXT_TYPES and set(split_name(a.name)) & set(tail[1:]):
            x = slot(a)
            parts[a.name] = Phrase(f"{preposition} {x} *4 | {preposition} [my|the]0.8 {x} {noun} *5")
            return ""
    return f"[{preposition} (my|the) {noun}]0.8"


def _values(argument: Argument, pools: Mapping[str, str]) -> str:
    """What a text argument is drawn from: its description's examples, and values of its kind."""
    if argument.choices:
        return " | ".join(dict.fromkeys(said_choice(c) for c in argument.choices if said_choice(c)))
    kind = kind_of(argument)
    drawn = pool_rule(kind, pools.get(kind.name, ""))
    return " | ".join([*(f"{e} *3" for e in find_examples(argument.description)), drawn])


def _is_span(begin: Argument, end: Argument) -> bool:
    """Whether one stretch of a sentence says two arguments."""
    return (begin.type, end.type) in SPANS and begin.new == end.new


class _Frames:
    """Collects the frames of one tool."""

    def __init__(self, tool: Tool, thing: str, verb: Verb, parts: Mapping[str, Phrase], where: str = ""):
        self.tool = tool
        self.verb = verb
        self.parts = parts
        self.arguments = tool.arguments
        self.many = bool(thing) and (plural(thing) == thing)
        self.thing = ("<things>" if self.many else "<thing>") if thing else ""
        self.where = where
        spans = [(b, e) for b in tool.arguments for e in tool.arguments if _is_span(b, e)]
        self.begun_by = {a.name: [b for b, e in spans if e is a] for a in tool.arguments}
        self.ended_by = {a.name: [e for b, e in spans if b is a] for a in tool.arguments}
        self.noun = thing
        self.det = "<mys>" if self.many else "<new>" if verb.new else "<my>"
        self.one = "(a|one|another)"
        if set(thing.split()[-1:]) & _MASS:
            self.one = "[some]0.6"
            self.det = "[some|my|the]0.4" if verb.new else "<my>"
        if is_unowned(thing) and not verb.new:
            self.det = "<the>"
        named = thing and any(p.said == p.object and not p.before for p in parts.values() if p.said)
        self.usual = 2 if set(thing.split()[-1:]) & _MEASURED else 6 if named else 20
        self.out: list[str] = []

    def draft(self) -> list[str]:
        everything = self.rest()
        self._switches()
        if not self.arguments and self.verb.role in ("changes", "removes"):
            self._add("it", "<do> (it|this|that|this one|that one) <tail>", 6)
        for i, idiom in enumerate(idioms(self.noun, self.verb.role)):
            self._add(f"idiom_{i}", f"{idiom} {everything} [please]0.1", 3)
        if self.thing:
            self._add("order", f"<do> {self.det} {self.thing} {everything} <tail>", self.usual)
            new = "a|new" if self.one.startswith("(a") else "some"
            mine = "the" if self.det == "<the>" else "my"
            self._add(
                "noun",
                f"[{new if self.verb.new else mine}]0.4 {self.thing} {everything}",
                2,
            )
            self._statements(everything)
        else:
            self._add("order", f"<do> {everything} <tail>", 20)
        for a in self.arguments:
            self._objects(a)
            if a.type == "choice":
                self._choices(a)
            if a.type in ("date", "time", "datetime") and not a.new:
                said = f"{self.det} {self.thing}" if self.thing else ""
                front = f"<say.{a.name}> [~,]0.5 <do> {said} {self.rest(a)}"
                self._add(f"{a.name}_front", front, 2.5)
        if self.usual > 2 and (said := told(self.tool, self.det == "<the>")):
            self._add("told", f"{said} {everything}", 6)
        return self.out

    def _add(self, name: str, words: str, weight: float) -> None:
        self.out.append(f"{name}: {words} *{weight:g}")

    def _statements(self, everything: str) -> None:
        """Questions, and what is said in place of an order."""
        thing = self.thing
        if self.verb.asks:
            self._add("ask", f"<asks> {thing} {everything} [please]0.1", self.usual * 0.6)
            whose = "the" if self.det == "<the>" else "(my|the)"
            self._add("about", f"(what about|and|how about|anything on) {whose} {thing} {everything}", 2)
            self._add(
                "wonder",
                f"{_WONDERING} {whose} {thing} {everything}",
                2,
            )
            if self.verb.seeks:
                some = "[some|any]0.3" if self.many else "a"
                self._add(
                    "seek",
                    f"{_SEEKING} {some} {thing} {everything}",
                    5,
                )
        elif self.verb.wanted:
            self._add(
                "want",
                f"(i need|i want|i'd like|we need|i'll have) {self.one} {thing} {everything}",
                4,
            )
            self._add("can", f"(can|could|may) (i|we) (get|have|book) {self.one} {thing} {everything}", 3)
        elif self.verb.role == "removes":
            self._add("unwanted", f"<unwanted> {self.det} {thing} {everything} [anymore]0.4", 8)

    def _objects(self, a: Argument) -> None:
        """Frames in which an argument stands where the tool's object does, or before its noun."""
        part, others = self.parts[a.name], self.rest(a)
        text = a.type in TEXT_TYPES
        if part.before and self.thing and a.type != "choice":
            weight = 9.0 if text and (a.required or a is self.arguments[0]) else 5.0
            det = "[my|the|a]0.7" if self.verb.new else "[my|the]0.85"
            if self.det == "<the>":
                det = "[the]0.8"
            self._add(f"of_{a.name}", f"<do> {det} <pre.{a.name}> {self.thing} {others} <tail>", weight)
            if self.verb.asks:
                self._add(f"ask_{a.name}", f"<asks> <pre.{a.name}> {self.thing} {others}", 4)
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
        self._add(f"direct_{a.name}", f"<do> {det}<obj.{a.name}> {others} <tail>", weight)
        self._add(f"bare_{a.name}", f"<obj.{a.name}> {others}", 3 if a.required else 0.7)
        if self.verb.asks_for and (a.type in (*TEXT_TYPES, "id") or "how much" in self.verb.asks_for):
            self._add(f"ask_for_{a.name}", f"<asks_for> {det}<obj.{a.name}> {others}", 4)
        if self.verb.past and a.type in ("number", *LENGTHS):
            self._add_reported(a, others)
        done = _DONE.get(kind_name(a)) if self.verb.past and text and a.required else None
        if done:
            log = "[(log|add|save|note|record) it|put it down|log that]0.25"
            self._add(f"past_{a.name}", f"{done} <obj.{a.name}> {others} {log}", 8)
        if self.verb.wanted and text and a.required:
            want = "(i need|i want|i'd like|we need|i could use|can i get|may i have)"
            self._add(f"want_{a.name}", f"{want} <obj.{a.name}> {others} [please]0.2", 5)

    def _add_reported(self, a: Argument, others: str) -> None:
        """How a number is reported as it is or was: "my weight is 70 kilos", "i ran five km"."""
        unit = a.type if a.type in LENGTHS else unit_of_measure(a.name, a.description)
        if (did := MEASURED_DEEDS.get(unit)) is not None:
            self._add(f"did_{a.name}", f"{did} <obj.{a.name}> {others}", 6 if a.required else 3)
        if self.thing and a.required:
            is_ = "(is|was|is at|was at|came to)"
            self._add(f"is_{a.name}", f"(my|the) {self.thing} {is_} <obj.{a.name}> {others}", 5)

    def _choices(self, a: Argument) -> None:
        """Frames of one of several values: a kind of the thing, how it is, what is asked about."""
        part, others = self.parts[a.name], self.rest(a)
        if not part.object or is_reason(a):
            return
        if self.thing:
            first = f"<do> {self._before()} <obj.{a.name}> {self.thing} {others} <tail>"
            self._add(f"{a.name}_first", first, 6 if not is_state(a) else 1)
            if not is_state(a):
                self._add(
                    f"{a.name}_of",
                    f"<do> {self.det} {self.thing} (for|of) <obj.{a.name}> {others}",
                    3,
                )
        if self.verb.asks and a.required:
            how = "(how much|how many|how's my|how is my|what's my|what is my|how are my)"
            done = "(did i get|have i got|do i have|so far|)"
            self._add(f"how_{a.name}", f"<know> {how} <obj.{a.name}> {done} {others}", 7)
        if is_state(a) and self.verb.role != "reads":
            which = next(
                (o for o in self.arguments if o is not a and o.type == "text" and not o.required), None
            )
            subject = f"<noun> *2 | {slot(which)} *3" if which else "<noun>"
            is_ = "(is|was|are|came|arrived|got here|is still|has been|seems|showed up|turned out)"
            rest = self.rest(a, which)
            self._add(f"state_{a.name}", f"(my|the) ({subject}) {is_} <say.{a.name}> {rest}", 14)
        number = next((o for o in self.arguments if o.type == "number" and o.required), None)
        if number is not None and a.required:
            pair = f"{{{number.name}}} <say.{a.name}>"
            each = "[a day|per day|every day|a week|total]0.3" if self._has("target", "goal") else ""
            self._add(
                f"counted_{a.name}",
                f"<do> {self.det} {self.thing} (to|of|at|for) {pair} {each} <tail>",
                7,
            )
            self._add(f"aim_{a.name}", f"(i want|i need|make it|let's do|aim for|i'd like) {pair} {each}", 5)

    def _before(self) -> str:
        """What stands before a kind of the thing: "my", "the", "a"; nothing is both "a" and many."""
        if self.det == "<the>":
            return "[the]0.5" if self.many or not self.verb.new else "[the|a]0.6"
        return "[my|the]0.5" if self.many else "[my|the|a]0.6"

    def _has(self, *names: str) -> bool:
        return any(set(names) & {*split_name(a.name), *split_name(self.tool.name)} for a in self.arguments)

    def rest(self, *without: Argument | None) -> str:
        """The phrases of all other arguments in any order, each with a chance; of one where it is one."""
        left = [a for a in self.arguments if not any(a is w for w in without)]
        optional = sum(not a.required for a in left)
        units = []
        for a in left:
            if not self.parts[a.name].said:
                continue  # said with its partner
            chance = OFTEN if a.required else min(0.5, SELDOM / max(1, optional))
            if any(b not in without for b in self.begun_by[a.name]):
                chance = LAST  # mostly said with its first end
            partner = next((b for b in self.ended_by[a.name] if b not in without), None)
            said = f"<say.{a.name}>"
            if partner is not None and f"+{partner.name}}}" not in self.parts[a.name].said:
                said = f"({said} *3 | {{{a.name}+{partner.name}}} *2)"
            units.append(f"[{said}]{chance:.2f}")
        if self.where:
            units.append(self.where)
        return f"&({'; '.join(units)})" if len(units) > 1 else "".join(units)

    def _switches(self) -> None:
        """Frames of what is on or off: "turn shuffle off"."""
        for a in self.arguments:
            if a.type == "choice" and is_switch(a) and self.thing:
                on = f"({{{a.name}=true: on}} | {{{a.name}=false: off}})"
                self._add(
                    f"switch_{a.name}",
                    f"<ask> (turn|switch|put) (the|my|) {self.thing} {on} {self.rest(a)} <tail>",
                    12,
                )
                self._add(
                    f"switch_first_{a.name}",
                    f"<ask> (turn|switch) {on} (the|my|) {self.thing} {self.rest(a)} <tail>",
                    12,
                )
