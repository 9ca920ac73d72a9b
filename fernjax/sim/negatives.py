"""Sentences that no tool of an app is for: what people wrote, what other apps are asked, how-to questions.

The app's own grammar has frames for the rest (`[out_of_scope]`). None of these needs a label by hand: a
sentence counts where it holds none of the app's keywords, a how-to question asks and does not order.
"""

from __future__ import annotations

import functools
import random
import re

from fernjax.sim import harvest, pools
from fernjax.sim.tools import Tool, split_name
from fernjax.sim.types import OUT_OF_SCOPE
from fernjax.sim.world import Domain, domain_names, load_domain

NEAR_MISS_TRIES = 12
"""Draws from the other apps, until one has none of this app's words."""

_HOW = (
    "how do i {do}", "how do i {do}", "how can i {do}", "how do you {do}", "how would i {do}", "how to {do}",
    "is there a guide how to {do}", "what does it take to {do}", "can you tell me how to {do}",
    "explain how to {do}", "show me how to {do}", "what do i say to {do}", "where can i {do}",
    "where do i go to {do}", "what happens when i {do}", "what is the best way to {do}",
    "how long does it take to {do}", "i don't know how to {do}", "teach me how to {do}",
    "give me instructions to {do}", "how does {name} work", "what does {name} do", "what is {name} for",
    "help with {name}", "tell me more about {name}", "do i need an account to {do}", "how often can i {do}",
    "who can {do}", "why can't i {do}",
)  # fmt: skip
"""Ways to ask how something is done, which is no order to do it."""

_SECTION = re.compile(r"^\[(?!out_of_scope\])[\w.-]+\]", re.MULTILINE)
"""A section of a grammar that asks for something."""

_USER = (("the user is", "i am"), ("the user did", "i did"), ("the user's", "my"), ("the user", "me"))


def plain_negatives(domain: Domain, held_out: bool) -> tuple[str, ...]:
    """Sentences that people wrote and that no tool of the app is for, by a filter of its key words."""
    return _plain_negatives(domain.keywords, held_out)


def draw_how_to(domain: Domain, rng: random.Random) -> str | None:
    """A question how to do what a tool does, made from its name and description; mostly of this app.

    An app that takes such questions for requests draws those of others, without a key word of its own; None
    where there is none.
    """
    others = other_apps(domain.name)
    if not domain.how_tos:
        app = domain if not others or rng.random() < 0.6 else load_domain(rng.choice(others))
        return _how_to(app, rng)
    drawn = (_how_to(load_domain(rng.choice(others)), rng) for _ in range(NEAR_MISS_TRIES if others else 0))
    return next((question for question in drawn if is_foreign(domain, question)), None)


def _how_to(app: Domain, rng: random.Random) -> str:
    tool = rng.choice([t for t in app.tools if t.name != OUT_OF_SCOPE])
    name = " ".join(split_name(tool.name))
    deed = _deed(tool)
    do = deed if deed and rng.random() < 0.65 else name
    return rng.choice(_HOW).format(do=do, name=name)


@functools.lru_cache(maxsize=64)
def other_apps(name: str) -> tuple[str, ...]:
    """The package's other apps that have a grammar, as they were when first asked for."""
    return tuple(n for n in domain_names() if n != name and _SECTION.search(load_domain(n).grammar))


def is_foreign(domain: Domain, sentence: str) -> bool:
    """Whether a sentence holds none of an app's key words."""
    return _keywords(domain.keywords).search(sentence) is None


@functools.lru_cache(maxsize=16)
def _keywords(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})", re.IGNORECASE)


def _deed(tool: Tool) -> str:
    """What a tool does: the first clause of its description, as the user would say it; "" if long."""
    clause = re.split(r"[.;:,(]", tool.description, maxsplit=1)[0].strip()
    clause = clause[:1].lower() + clause[1:]
    for words, mine in _USER:
        clause = re.sub(rf"\b{words}(?=\W|$)", mine, clause)
    return clause if len(clause.split()) <= 12 else ""


@functools.lru_cache(maxsize=8)
def _plain_negatives(pattern: str, held_out: bool) -> tuple[str, ...]:
    return tuple(s for s in harvest.natural_negatives(pattern) if pools.is_held_out(s) == held_out)
