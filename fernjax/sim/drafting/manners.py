"""Frames of requests that name neither the tool's verb nor, often, its noun."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from fernjax.sim.drafting.arguments import (
    Phrase,
    clauses,
    is_reason,
    is_state,
    kind_name,
    plain,
    predicates,
    slot,
    states,
)
from fernjax.sim.drafting.kinds import kind_of
from fernjax.sim.drafting.nouns import alternatives, contents, head, synonyms
from fernjax.sim.drafting.verbs import Verb, singular
from fernjax.sim.harvest import BASE_VERBS
from fernjax.sim.tools import TEXT_TYPES, Argument, Tool, split_name

Rest = Callable[..., str]
"""The phrases of all arguments but those given."""

PEOPLE = tuple(
    """courier driver rider host owner doctor nurse teacher instructor landlord seller restaurant kitchen
    guest customer client patient team technician manager staff assistant support vet coach sender
    recipient""".split()
)
_CARRIED = frozenset("order orders delivery deliveries deliver parcel package courier ship".split())
_TOLD = frozenset(
    "send write leave add message notify tell text post draft put create dm submit reply".split()
)
"""Verbs of tools by which somebody is told something."""

_OPINIONS = frozenset("comment review feedback rating journal diary log".split())
"""What is written for nobody in particular."""


class More:
    """Collects the further frames of one tool, and the rules that they need.

    Attributes:
      rules: lines of the section that stand before its frames.
    """

    def __init__(
        self,
        tool: Tool,
        thing: str,
        verb: Verb,
        parts: Mapping[str, Phrase],
        mass: Sequence[str],
        questions: Sequence[str],
    ):
        self.tool = tool
        self.thing = thing
        self.verb = verb
        self.parts = parts
        self.mass = mass
        self.questions = questions
        self.rules: list[str] = []
        self.out: list[str] = []
        named = {*split_name(tool.name), *re.findall(r"[a-z]+", tool.description.lower())}
        self.carried = bool(named & _CARRIED)
        self.who = [p for p in PEOPLE if p in named or f"{p}s" in named]
        self.held = self._name_contents()
        self._tracked()

    def draft(self, rest: Rest) -> list[str]:
        """Frames; `rest` gives the phrases of the arguments that a frame does not say."""
        everything = rest()
        mine = "(my|the)"
        if self.mass and not self.verb.new:
            stuff = "|".join(self.mass)
            self._add("stuff", f"<do> (my|the|all my|that) ({stuff}) {everything} <tail>", 1.5)
        if self.held and not self.verb.new:
            self._add("held", f"<do> {mine} <content> {everything} <tail>", 3)
            self._add("held_thing", f"<do> {mine} <content> <thing> {everything} <tail>", 2)
        if self.verb.role == "removes" and self.held:
            self._add("unwanted_held", f"<unwanted> {mine} <content> {everything}", 1.5)
        for i, question in enumerate(self.questions):
            words, weight = _weighted(question)
            self._add(f"status_{i}", f"{words.replace('<thing>', '<tracked>')} {everything}", weight)
        if self.questions:
            self._add("eta", f"{mine} <tracked> {everything}", 2)
        for a in self.tool.arguments:
            if a.type == "choice" and is_state(a) and self.verb.role != "reads":
                self._complain(a, rest)
            elif a.type == "choice" and is_reason(a) and self.verb.role != "reads":
                self._give_reason(a, rest)
            if self.verb.role == "changes":
                self._alter(a, rest)
            if a.type in TEXT_TYPES and a.required and kind_name(a) == "note":
                self._tell(a, rest)
        if head(self.thing) in PEOPLE:
            self._to_person(rest)
        return self.out

    def _add(self, name: str, words: str, weight: float) -> None:
        self.out.append(f"{name}: {words} *{weight:g}")

    def _name_contents(self) -> bool:
        """Whether people name the thing by what it holds, no argument being for that."""
        kind, names = contents(self.thing)
        if not names or any(kind_name(a) == kind for a in self.tool.arguments):
            return False
        self.rules.append(f"<content> = {' | '.join(plain(n) for n in names)}")
        return True

    def _tracked(self) -> None:
        if not self.questions:
            return
        stuff = "".join(f" | {w} *.7" for w in self.mass)
        held = " | <content> *3 | <content> <thing>" if self.held else ""
        kind = contents(self.thing)[0]
        which = next((a for a in self.tool.arguments if a.type == "text" and kind_name(a) == kind), None)
        item = f" | {slot(which)} *3" if which is not None and kind else ""
        thing = f"({alternatives(head(self.thing), synonyms(head(self.thing)).counted)})"
        thing = thing if head(self.thing) != singular(self.thing) else "<thing>"  # "is my refill ready"
        self.rules.append(f"<tracked> = {thing} *6{stuff}{held}{item}")

    def _subject(self, *without: Argument) -> tuple[str, Argument | None]:
        """What a statement speaks of: a text argument of the tool's, or its noun; and that argument."""
        texts = (a for a in self.tool.arguments if a.type == "text" and a not in without)
        which = next(
            (a for a in texts if kind_name(a) in ("product", "", "device", "food", "vehicle", "room")), None
        )
        if which is None:
            return "<noun>", None
        return (f"{slot(which)}" if which.required else f"<noun> *2 | {slot(which)} *3"), which

    def _complain(self, a: Argument, rest: Rest) -> None:
        """A statement of how something is: "my parcel never came"."""
        subject, which = self._subject(a)
        others = rest(a, which)
        if did := predicates(a):
            self.rules.append(f"<did.{a.name}> = {did}")
            self._add(f"did_{a.name}", f"(my|the|that) ({subject}) <did.{a.name}> {others}", 16)
        if why := clauses(a):
            self.rules.append(f"<why.{a.name}> = {why}")
            self._add(f"clause_{a.name}", f"<why.{a.name}> {rest(a)}", 4)

    def _give_reason(self, a: Argument, rest: Rest) -> None:
        """A reason before the request: "it took too long, cancel it"."""
        why, did, state = clauses(a), predicates(a), states(a)
        if why:
            self.rules.append(f"<why.{a.name}> = {why}")
            noun = "<my> <thing> *4 | it" if self.thing else "it"
            self._add(f"why_{a.name}", f"<why.{a.name}> [~,]0.6 [so]0.3 <do> ({noun}) {rest(a)}", 5)
        subject, which = self._subject(a)
        if which is None or not which.required or not state:
            return
        said = "|".join(way.split("*")[0].strip() for way in self.verb.said.split("|")[:3])
        please = f"(i want to|i'd like to|can i|i need to|) ({said}) (it|them|that)"
        how = f"(is|are|came|was|were) ({state})"
        how = f"{how} | ({did})" if did else how
        words = f"(my|the|these|this) {slot(which)} ({how}) [~,|and|so]0.7 {please} {rest(a, which)}"
        self._add(f"state_{a.name}", words, 7)

    def _alter(self, a: Argument, rest: Rest) -> None:
        """The new value in place of the verb: "can it come on friday instead", "make it 5"."""
        if self.parts[a.name].said == "" or set(split_name(a.name)) & _OLD:
            return
        others, x = rest(a), f"{{{a.name}}}"
        if a.type in ("date", "time", "datetime"):
            clock = next((b for b in self.tool.arguments if b.type == "time" and a.type == "date"), None)
            if clock is not None and clock.new == a.new:
                x, others = f"{x} *3 | {x} {{{clock.name}}} *2", rest(a, clock)
            x = f"({x})"
            happen = "(be|come|arrive|be delivered|get here)" if self.carried else "(be|happen|start|go)"
            bring = "(bring|deliver|send|drop off)" if self.carried else "(do|make|move|have)"
            thing = f"(it *2 | my <thing> *3 | the <thing> *2{' | my stuff' if 'stuff' in self.mass else ''})"
            thing = thing if self.thing else "it"
            instead = "[instead|please]0.6"
            self._add(f"could_{a.name}", f"(can|could) {thing} {happen} {x} {instead} {others}", 5)
            self._add(f"bring_{a.name}", f"<ask_you> {bring} {thing} {x} instead {others}", 5)
            self._add(f"bring_it_{a.name}", f"{bring} {thing} {x} {others}", 2)
            self._add(f"instead_{a.name}", f"{x} instead [please]0.3 {others}", 2.5)
            prefer = (
                "(i'd rather have it|i'd prefer it|i want it|i need it|it has to be|let's make it|how about)"
            )
            self._add(f"prefer_{a.name}", f"{prefer} {x} {instead} {others}", 3)
            away = "i (won't be|am not|'m not) (home|around|there|free|in) [then|that day]0.5"
            self._add(f"away_{a.name}", f"{away} [~,]0.4 [can you|could you]0.5 {bring} it {x} {others}", 2)
        elif a.type == "text" and kind_name(a) == "address":
            self._readdress(a, others)
        elif a.required and a.type in (
            "number",
            "choice",
            "amount",
            "percent",
            "degrees",
            "minutes",
            "hours",
        ):
            said = self.parts[a.name].object
            if said:
                make = "(make it|let's make it|change it to|switch it to|i'd rather have)"
                self._add(f"make_{a.name}", f"{make} (<obj.{a.name}>) [instead]0.4 {others}", 4)
                self._add(f"instead_{a.name}", f"<obj.{a.name}> instead [please]0.3 {others}", 1.5)

    def _readdress(self, a: Argument, others: str) -> None:
        x = slot(a)
        if self.carried:
            order = "(my|the|that) (order|package|delivery|parcel)"
            it = f"(it *3 | them | {order} *5 | my stuff | everything *.5)"
            bring = "(deliver|send|bring|ship|take|drop|drop off|leave)"
            self._add("bring_there", f"<ask_you> {bring} {it} (to|at) {x} [instead]0.6 {others}", 14)
            self._add(
                "could_there", f"(can|could) {it} (go|come|be sent|be delivered) to {x} [instead]0.6", 5
            )
        self._add(
            "moved", f"(i moved|i just moved|i've moved|i'm moving|i'm staying) [~,]0.2 (to|at) {x}", 1.5
        )
        self._add("now_at", f"(my|the) (new|) address is [now]0.4 {x} {others}", 2.5)
        self._add("there_instead", f"[to|at]0.6 {x} instead [please]0.3 {others}", 3)

    def _tell(self, a: Argument, rest: Rest) -> None:
        """Words for somebody: "tell the driver to ring twice", "let them know i'm late"."""
        words = {*split_name(self.tool.name)}
        if self.verb.role != "adds" or not words & _TOLD or (words | {*split_name(a.name)}) & _OPINIONS:
            return
        person = next(
            (b for b in self.tool.arguments if b is not a and b.type == "text" and kind_name(b) == "person"),
            None,
        )
        who = slot(person) if person is not None else self._addressee()
        others = rest(a, person)
        does = [v for v in kind_of(a).values if _is_order(v)]
        told = [v for v in kind_of(a).values if v not in does and not _is_fragment(v)]
        for name, values in (("orders_of", does), ("statements_of", told)):
            self.rules.append(f"<{name}> = {' | '.join(plain(v) for v in values)}")
        do, tell = f"{{{a.name}:orders_of}}", f"{{{a.name}:statements_of}}"
        self._add("tell_to", f"<ask_you> (tell|ask) {who} to {do} {others}", 8)
        self._add("tell_that", f"<ask_you> tell {who} [that]0.4 {tell} {others}", 6)
        self._add("let_know", f"<ask_you> let {who} know [that|~,|~:]0.6 {tell} {others}", 5)
        self._add("could_they", f"(can|could) {who} [please]0.3 {do} {others}", 3)
        kind = " ".join(w for w in split_name(a.name) if w not in ("text", "body")) or "message"
        if kind in ("note", "message", "instructions", "instruction"):
            self._add("note_for", f"[a|new|]0.3 {kind} (for|to) {who} ~: ({do} | {tell}) {others}", 5)
            number = next((b for b in self.tool.arguments if b.type in ("id", "number")), None)
            if number is not None:
                about = f"(for|on) (<noun> [number]0.2|) {{{number.name}}}"
                self._add("note_on", f"{kind} {about} ~: ({do} | {tell}) {rest(a, person, number)}", 5)
        self._add("said_to", f"({do} *3 | {tell}) {others}", 3)

    def _addressee(self) -> str:
        """Whom a message is for that names nobody: told by the tool's description, else "them"."""
        people = [p for p in self.who if p != "team" or len(self.who) == 1]
        if "courier" in people or "driver" in people:
            return "(the driver *4 | the courier *3 | the delivery guy *2 | them *2 | him | my driver)"
        if people:
            return f"({' | '.join(f'the {p} *3' for p in people)} | them *2 | him | her)"
        return "(them *3 | him | her)"

    def _to_person(self, rest: Rest) -> None:
        """A person as a pronoun: "give him 5"."""
        for a in self.tool.arguments:
            if a.required and self.parts[a.name].object:
                self._add(
                    f"pronoun_{a.name}", f"<do> (him *3 | her *2 | them *2) <obj.{a.name}> {rest(a)}", 6
                )


_OLD = frozenset("old from current id number previous".split())
"""Words of the names of arguments that hold no new value."""


def _weighted(line: str) -> tuple[str, float]:
    """A line of the table of questions without its weight, and that."""
    match = re.fullmatch(r"(.*?)(?: \*([\d.]+))?", line)
    assert match is not None
    return match[1], 0.6 * float(match[2] or 1)


def _is_order(text: str) -> bool:
    """Whether a text begins with an imperative: "leave it at the back door"."""
    first, _, more = text.partition(" ")
    first = more.split(" ")[0] if first == "please" and more else first
    return first in BASE_VERBS or first in _ORDERS


_ORDERS = frozenset(
    "leave ring put give use call watch handle knock bring text wait keep drop hand go come".split()
)


def _is_fragment(text: str) -> bool:
    """Whether a text is no clause that could stand after "that"."""
    return len(text.split()) < 3 or text.startswith(
        ("don't", "no ", "thanks", "very", "too", "could", "needs")
    )
