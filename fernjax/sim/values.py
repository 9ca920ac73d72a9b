"""Values that a grammar's `%pool` draws: the app's own, the package's, those of plain text, those made up."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

from fernjax.sim import addresses, harvest, pools
from fernjax.sim.recipe import Recipe
from fernjax.sim.world import Domain

NATURAL = {"natural_tasks": harvest.imperatives, "natural_nouns": harvest.noun_phrases}
"""Pools that are taken from plain text, label-free."""

MADE: dict[str, Callable[[random.Random, addresses.Draw], str]] = {
    "email_addresses": lambda rng, draw: addresses.email_words(rng, draw)[0],
    "phone_numbers": lambda rng, draw: addresses.phone_words(rng)[0],
}
"""Pools whose values are made up as they are drawn."""

OTHER_TASKS = "other_tasks"
"""The pool of natural tasks that are none of the app's business, by its key words: for `out_of_scope`."""

WIDER = {"tasks": "natural_tasks", "event_nouns": "natural_nouns"}
"""Pools that the recipe's `wider_pools` swaps for plain text."""


class Values:
    """Draws values of pools.

    Args:
      domain: the app, whose own pools go first.
      recipe: its `wider_pools`.
      held_out: whether novel values are those that training never sees.

    Attributes:
      novel: whether a sentence of novel values is being made.
    """

    def __init__(self, domain: Domain, recipe: Recipe, held_out: bool):
        self.novel = False
        self._domain = domain
        self._wider = recipe.wider_pools
        self._held_out = held_out

    def draw(self, rng: random.Random, name: str) -> str:
        """One value of a pool.

        Raises:
          UserError: where there is no pool of that name.
        """
        unseen = self._held_out and self.novel
        if name in self._domain.pools:
            return rng.choice(_split(self._domain.pools[name], unseen))
        if name == OTHER_TASKS:
            return rng.choice(other_tasks(self._domain.keywords, unseen))
        if name in MADE:
            return MADE[name](rng, self.draw)
        if name in WIDER and self._wider and rng.random() < self._wider:
            name = WIDER[name]
        if name in NATURAL:
            return rng.choice(natural(name, unseen))
        return rng.choice(pools.split(name, unseen))


@functools.lru_cache(maxsize=8)
def natural(name: str, held_out: bool) -> tuple[str, ...]:
    """The values of a pool of plain text that training may see, or the held-out ones."""
    return tuple(v for v in NATURAL[name]() if pools.is_held_out(v) == held_out)


@functools.lru_cache(maxsize=16)
def other_tasks(keywords: str, held_out: bool) -> tuple[str, ...]:
    """Natural tasks without a key word of an app, those that training may see or the held-out ones."""
    own = harvest.business(keywords)
    return tuple(v for v in natural("natural_tasks", held_out) if not own.search(v))


@functools.lru_cache(maxsize=512)
def _split(values: tuple[str, ...], held_out: bool) -> tuple[str, ...]:
    """An app's own values that training may see, or the held-out ones; all where none would be left."""
    return tuple(v for v in values if pools.is_held_out(v) == held_out) or values
