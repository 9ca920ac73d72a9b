"""A static description of one app, for its heads: tools, the arguments of each, and who answers them."""

from __future__ import annotations

import dataclasses
import functools

from fernjax.sim.resolve import TAKES, kinds_of, takes
from fernjax.sim.tools import TEXT_TYPES, Argument, Tool
from fernjax.sim.types import OUT_OF_SCOPE, UserError
from fernjax.sim.world import Domain

ARGUMENT_MODES = ("point", "fill", "write")

UNWRITTEN = ("email", "phone", "id")
"""Types that `write` mode copies from the sentence, since no ten characters spell them."""

UNSPELT = ("datetime", "end_datetime")
"""Types that `write` mode has no way to say: too long to be spelt, and not in the sentence to be copied."""


@dataclasses.dataclass(frozen=True)
class SlotSpec:
    """One argument of one tool, as a head sees it.

    Attributes:
      tool: index of the tool.
      argument: the argument.
      head: `text`, `point`, `choice`, `write` or `""`.
      kinds: the kinds of mention that can fill it.
    """

    tool: int
    argument: Argument
    head: str
    kinds: frozenset[str]


@dataclasses.dataclass(frozen=True)
class Spec:
    """What the heads of one app look like. Hashable by value, static under `jit`.

    Attributes:
      domain: name of the app.
      argument_mode: `point`, `fill` or `write`.
      tools: its tools, in order; tool index T of T tools says "no more calls".
      max_calls: K, calls in one answer.
    """

    domain: str
    argument_mode: str
    tools: tuple[Tool, ...]
    max_calls: int

    @classmethod
    def from_domain(cls, domain: Domain, argument_mode: str, max_calls: int = 2) -> Spec:
        """The spec of an app; `max_calls` is `config.model.max_calls`, whose default it has.

        Raises:
          UserError: an unknown mode, or one that has no way to say an argument of the app.
        """
        if argument_mode not in ARGUMENT_MODES:
            raise UserError(
                f"config.argument_mode is {argument_mode!r}; choose one of: {', '.join(ARGUMENT_MODES)}"
            )
        unspelt = [f"{t.name}.{a.name}" for t in domain.tools for a in t.arguments if a.type in UNSPELT]
        if argument_mode == "write" and unspelt:
            raise UserError(
                f"config.argument_mode is 'write', which cannot spell the day and time of {unspelt[0]}; "
                "use point or fill"
            )
        return cls(domain.name, argument_mode, domain.tools, max_calls)

    @functools.cached_property
    def slots(self) -> tuple[SlotSpec, ...]:
        """All arguments of all tools, in order."""
        return tuple(
            SlotSpec(index, argument, self._head(argument), takes(argument, tool))
            for index, tool in enumerate(self.tools)
            for argument in tool.arguments
        )

    def _head(self, argument: Argument) -> str:
        if argument.type not in TAKES:
            return "text" if argument.type in TEXT_TYPES else "choice"
        if self.argument_mode == "write" and argument.type in UNWRITTEN:
            return "text"
        return {"point": "point", "write": "write", "fill": ""}[self.argument_mode]

    @functools.cached_property
    def kinds(self) -> frozenset[str]:
        """Kinds of mention that some argument of the app can take; the words of others stay words."""
        return kinds_of(self.tools)

    @functools.cached_property
    def out_of_scope(self) -> int:
        """Index of the tool that abstains."""
        return next(i for i, t in enumerate(self.tools) if t.name == OUT_OF_SCOPE)

    def columns(self, head: str) -> tuple[tuple[int, ...], ...]:
        """Per tool, the slots that a head answers: `[T][A]`, indices into `slots`, -1 behind the last.

        A is the largest number that a tool has, at least 1.
        """
        return _columns(self, head)

    def width(self, head: str) -> int:
        """A of `columns(head)`; 0 where no tool has such an argument."""
        columns = self.columns(head)
        return len(columns[0]) if any(s.head == head for s in self.slots) else 0

    @property
    def max_choices(self) -> int:
        """Values of the `choice` argument that has most; 0 where there is none."""
        return max((len(s.argument.choices) for s in self.slots if s.head == "choice"), default=0)


@functools.lru_cache(maxsize=256)
def _columns(spec: Spec, head: str) -> tuple[tuple[int, ...], ...]:
    per_tool: list[list[int]] = [[] for _ in spec.tools]
    for index, slot in enumerate(spec.slots):
        if slot.head == head:
            per_tool[slot.tool].append(index)
    width = max(1, *(len(c) for c in per_tool))
    return tuple(tuple(c + [-1] * (width - len(c))) for c in per_tool)
