"""The nouns that every part of fernjax shares. Standard library only."""

from __future__ import annotations

import dataclasses
from typing import Any

Span = tuple[int, int]
"""A stretch of a text, as character offsets `[start, end)`."""

Label = list[dict[str, dict[str, list[Any]]]]
"""Right calls in the Berkeley Function Calling Leaderboard's ground-truth form.

One dict per call, `{tool: {argument: [values that are right]}}`, in the order of the sentence; `""` in
a list of values means that leaving the argument out is right as well.
"""

OUT_OF_SCOPE = "out_of_scope"
"""Name of the tool that stands for abstaining."""


@dataclasses.dataclass(frozen=True, slots=True)
class Mention:
    """A typed stretch of a text with the value it denotes.

    Attributes:
      kind: one of `date`, `time`, `datetime`, `date_range`, `time_range`,
        `datetime_range`, `duration`, `recurrence`, `number`, `ordinal`, ...
      start, end: character offsets; `text[start:end]` are the words.
      value: JSON value, its form depends on `kind`.
      alternatives: other values that the same words may denote, most likely first.
      form: how it was said (`weekday`, `relative`, `holiday`, `calendar`, `clock`, `bare`, `part` ...);
        a hint for the model and the resolver that is never printed.
      part: the part of the day that the words name ("tomorrow evening", "tonight"), or "".
    """

    kind: str
    start: int
    end: int
    value: Any
    alternatives: tuple[Any, ...] = ()
    form: str = ""
    part: str = ""

    def to_json(self) -> dict[str, Any]:
        out = {"kind": self.kind, "start": self.start, "end": self.end, "value": self.value}
        if self.alternatives:
            out["alternatives"] = list(self.alternatives)
        return out


@dataclasses.dataclass(frozen=True, slots=True)
class Call:
    """A tool's name with JSON arguments. Arguments that were not given are absent."""

    name: str
    arguments: dict[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "arguments": self.arguments}


@dataclasses.dataclass(frozen=True, slots=True)
class Observation:
    """What an app answers: a status word and the data that it would show."""

    status: str
    data: dict[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"status": self.status, "data": self.data}


@dataclasses.dataclass(frozen=True, slots=True)
class Query:
    """One sentence and the moment it was said (`now`, ISO 8601 local time, no zone)."""

    id: str
    text: str
    now: str


@dataclasses.dataclass(frozen=True, slots=True)
class Prediction:
    """An answer to a query.

    Attributes:
      calls: the calls; abstaining is one call of `out_of_scope`; empty for an error.
      missing: arguments that the app must ask for.
      outcome: `call`, `abstained` or `error` (an error is wrong everywhere and never an abstention).
      confidence: calibrated probability in [0, 1] that the whole answer is right.
    """

    calls: tuple[Call, ...]
    missing: tuple[str, ...] = ()
    outcome: str = "call"
    confidence: float = 1.0

    def to_json(self) -> dict[str, Any]:
        return {
            "calls": [c.to_json() for c in self.calls],
            "missing": list(self.missing),
            "outcome": self.outcome,
            "confidence": round(self.confidence, 4),
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A labelled sentence, real or generated: all that the scorer needs.

    Attributes:
      query: the sentence.
      calls: the label.
      calls_alt: a second label that is right as well, or None.
      tags: annotators' tags (`in_scope`, `messy`, ...) or, for a generated row, its bucket.
      source: where it comes from (`slurp:7374`, `authored`, `generated`, ...).
    """

    query: Query
    calls: Label
    calls_alt: Label | None = None
    tags: tuple[str, ...] = ()
    source: str = ""

    @property
    def labels(self) -> list[Label]:
        return [self.calls] if self.calls_alt is None else [self.calls, self.calls_alt]


@dataclasses.dataclass(frozen=True, slots=True)
class Slot:
    """Where one argument of a scenario's gold call stands in its sentence.

    Attributes:
      call: index of the call in the label.
      argument: the argument's name.
      span: characters of the sentence that say it; None for a `choice` that no single stretch says.
      value: the gold value (for `text` and `texts` the words themselves).
    """

    call: int
    argument: str
    span: Span | None
    value: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Scenario:
    """A generated sentence with its gold call, known by construction.

    Attributes:
      row: sentence and label, in the same form as a real row.
      slots: where each argument of the label stands in the sentence.
      mentions: what the extractor finds in the sentence.
      bucket: one of `BUCKETS`.
      skeleton: the sentence with each slot replaced by its argument's name, case, fillers and noise out.
      template: name of the grammar rule that phrased it.
      seed: `(stream seed, index)`; the scenario is a pure function of it, the domain and the recipe.
    """

    row: Row
    slots: tuple[Slot, ...]
    mentions: tuple[Mention, ...]
    bucket: str
    skeleton: str
    template: str
    seed: tuple[int, int]


BUCKETS = (
    "in_distribution",
    "messy",
    "oov_values",
    "multi_constraint",
    "error_inducing",
    "out_of_scope",
    "multi_call",
)


class UserError(Exception):
    """The user's mistake: one line that names it and the remedy. The command line exits 2 on it."""
