"""An app as a world: its language, counted over episodes of it."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from fernjax.sim.types import Call, Observation
from fernjax.sim.world import Domain, State, load_domain
from fernjax.sim.worlds.episodes import Episodes
from fernjax.sim.worlds.forms import count_forms
from fernjax.sim.worlds.language import Language

COUNTED = 150
"""Episodes over which an app's forms are counted."""

COUNTED_SEED = 900_000
"""Their stream; no world is trained or judged on it."""

Step = tuple[State, Call, State, Observation]
"""State before, call, state after, answer."""


@dataclasses.dataclass(frozen=True)
class World:
    """One app.

    Attributes:
      domain: the app.
      language: in which its answers are written.
      lexicon: words of its answers that are not written as they fold, in order.
    """

    domain: Domain
    language: Language
    lexicon: tuple[str, ...]


@functools.lru_cache(maxsize=16)
def load_world(name: str) -> World:
    """The world of the app of a name; a function of the app alone.

    Raises:
      UserError: there is no such app.
    """
    domain = load_domain(name)
    steps = list(steps_of(domain, COUNTED_SEED, COUNTED))
    language = Language(count_forms(steps))
    words: dict[str, None] = {}
    for state, call, after, seen in steps:
        row = language.write(state, call, after, seen)
        words |= dict.fromkeys(w for w in row if w != w.lower())
    return World(domain, language, tuple(words))


def steps_of(domain: Domain, seed: int, episodes: int, held_out: bool = False) -> Iterator[Step]:
    """All steps of the first episodes of a stream."""
    stream = Episodes(domain, seed, held_out=held_out)
    for index in range(episodes):
        episode = stream.episode(index)
        state = episode.first
        for turn in episode.turns:
            after, seen = domain.step(state, turn.call)
            yield state, turn.call, after, seen
            state = after
