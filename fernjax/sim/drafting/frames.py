"""The frames of a grammar's section, made from one tool."""

from __future__ import annotations

import re

from fernjax.sim.drafting.arguments import Phrase, is_reason, phrase, pool_of
from fernjax.sim.drafting.verbs import read_verb
from fernjax.sim.tools import TEXT_TYPES, Argument, Tool

SPANS = (("date", "end_date"), ("time", "end_time"), ("amount", "currency"), ("degrees", "unit"))
"""Types of two arguments that one stretch of a sentence says."""

OFTEN, SELDOM = 0.92, 1.3
"""Chance that a required argument is said; how many of the others are, on average."""


def draft_section(tool: Tool, weight: float) -> str:
    """A section of a grammar: the rules and the frames of one tool."""
    verb, rest = read_verb(tool.name)
    thing = " ".join(rest)
    lines = [f"[{tool.name}] {weight:g}", f"<verb> = {verb.said}"]
    texts = [a for a in tool.arguments if a.type in TEXT_TYPES]
    parts = {a.name: phrase(a, len(texts) == 1) for a in tool.arguments}
    lines += [f"<{a.name}> = {pool_of(a)}" for a in texts]
    lines += [f"<say_{a.name}> = {p.said}" for a in tool.arguments if (p := parts[a.name]).said]
    if thing:
        lines.append(f"<thing> = {_things(thing)}")
    return "\n".join([*lines, *_frames(tool, thing, parts, verb.past)])


def _frames(tool: Tool, thing: str, parts: dict[str, Phrase], past: bool) -> list[str]:
    reads, arguments = tool.reads, list(tool.arguments)
    rest = _rest(arguments, parts)
    out = []
    if thing:
        out.append(f"order: <ask> <verb> <the> <thing> {rest} <tail> *20")
        out.append(f"noun: {'[my|the|any]' if reads else '[a|new|my|the]'} <thing> {rest} *4")
        for a in arguments:
            if a.type == "choice" and not is_reason(a):
                others = _rest(arguments, parts, a)
                out.append(f"{a.name}_first: <ask> <verb> <the> <say_{a.name}> <thing> {others} <tail> *6")
                out.append(f"{a.name}_of: <ask> <verb> <the> <thing> (for|of|as) <say_{a.name}> {others} *3")
    else:
        out.append(f"order: <ask> <verb> {rest} <tail> *20")
    for a in arguments:
        if parts[a.name].direct:
            others = _rest(arguments, parts, a)
            many = 14 if a is arguments[0] or a.required else 4
            slot = f"<say_{a.name}>" if a.type in ("choice", "amount", "number", "id") else f"{{{a.name}}}"
            out.append(f"direct_{a.name}: <ask> <verb> [some|the|my|a]0.5 {slot} {others} <tail> *{many}")
            out.append(f"bare_{a.name}: {slot} {others} *{3 if a.required else 1}")
            if past and a.type in TEXT_TYPES:
                done = "(did|had|finished|went|just did|just had|got|have done|completed|made)"
                out.append(
                    f"past_{a.name}: i {done} [some|a|my]0.4 {slot} {others} [(log|add|save) it]0.3 *8"
                )
            if a.type == "choice" and reads and a.required:
                out.append(f"how_{a.name}: {_HOW} <say_{a.name}> {_DID} {others} *8")
            if a.type == "choice" and not reads and a.required:
                is_ = "(is|was|are|were|came|arrived|got|is still|has been)"
                out.append(
                    f"state_{a.name}: (my|the) (<noun>|{_other_slot(arguments, a)}) {is_} {slot} {others} *6"
                )
    for a in arguments:
        if a.type in ("date", "time"):
            others = _rest(arguments, parts, a)
            out.append(
                f"{a.name}_front: <say_{a.name}> [~,]0.5 <ask> <verb> <the> {_noun(thing)} {others} *2.5"
            )
    told = _told(tool.description)
    if told:
        out.append(f"told: {told} {rest} *8")
    return out


_HOW = "(how many|how much|how is my|how are my|how's my|what is my|what's my|what are my|tell me my)"
_DID = "(did i do|did i get|have i done|do i have|have i had|goal|progress|count|so far|)"


def _rest(arguments: list[Argument], parts: dict[str, Phrase], without: Argument | None = None) -> str:
    """The phrases of all arguments in any order, each with a chance; of one only where it is one."""
    left = [a for a in arguments if a is not without]
    units = []
    optional = sum(not a.required for a in left)
    for a in left:
        chance = OFTEN if a.required else min(0.5, SELDOM / max(1, optional))
        partner = next((b for b in left if (a.type, b.type) in SPANS and a.new == b.new), None)
        if any((b.type, a.type) in SPANS and a.new == b.new for b in left) and not parts[a.name].said:
            continue  # said with its partner
        said = f"<say_{a.name}>"
        if partner is not None:
            said = f"({said} | {{{a.name}+{partner.name}}})"
        if parts[a.name].said:
            units.append(f"[{said}]{chance:.2f}")
    if len(units) > 1:
        return f"&({'; '.join(units)})"
    return units[0] if units else ""


def _things(thing: str) -> str:
    plural = thing if thing.endswith("s") else f"{thing}s"
    single = thing[:-1] if thing.endswith("s") and not thing.endswith("ss") else thing
    others = [n for n in (single, plural) if n != thing]
    return " | ".join([f"{thing} *6", *(f"{n} *2" for n in others)])


def _noun(thing: str) -> str:
    return "<thing>" if thing else "<noun>"


def _other_slot(arguments: list[Argument], without: Argument) -> str:
    for a in arguments:
        if a is not without and a.type == "text" and not a.required:
            return f"{{{a.name}}}"
    return "<noun>"


def _told(description: str) -> str:
    """What the description itself says, as a request: "Ask where it is" gives "tell me where it is"."""
    clauses = re.split(r"[.;(:]|, (?!or\b)", description.strip())[0].split(" or ")
    ways = []
    for clause in clauses:
        words = re.findall(r"[\w'-]+", clause.lower())
        if not 2 <= len(words) <= 9:
            continue
        own = [_own(w) for w in words]
        if words[0] == "ask" and words[1] in _ASKED:
            ways.append(f"(tell me|do you know|can you tell me|i want to know|say|) {' '.join(own[1:])} *2")
        elif words[0] in _ASKED:
            ways.append(f"(tell me|do you know|can you tell me|i want to know) {' '.join(own)}")
        else:
            ways.append(f"<ask> {' '.join(own)} *2")
    return f"({' | '.join(ways)})" if ways else ""


_ASKED = ("how", "where", "when", "which", "what", "whether", "if", "who", "why")


def _own(word: str) -> str:
    return {"a": "(a|my|the)", "an": "(an|my|the)", "the": "(the|my)", "ask": "(ask|tell me)"}.get(word, word)
