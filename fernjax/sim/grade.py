"""The exact scorer: every predictor, from the oracle to the regex, is judged by these functions alone.

A prediction is right where it has the calls of a label (its alternative as good), each with no argument
that the label lacks, every argument that may not be left out, and each value among the right ones.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fernjax.sim.text import normalize
from fernjax.sim.types import OUT_OF_SCOPE, Call, Label, Prediction, Row


def full(calls: Sequence[Call], row: Row) -> bool:
    """Whether calls are right in every tool, argument and value, by the label or its alternative.

    The calls of one sentence may come in any order: they are the same calls (BFCL's checker of parallel
    calls sees it so too).
    """
    return any(
        len(label) == len(calls)
        and any(all(_call_fits(c, g) for c, g in zip(calls, order, strict=True)) for order in orders(label))
        for label in row.labels
    )


def route(calls: Sequence[Call], row: Row) -> bool:
    """Whether the tools' names and their number are those of a label."""
    names = sorted(call.name for call in calls)
    return any(names == sorted(label_names(label)) for label in row.labels)


def agree(one: Row, other: Row) -> bool:
    """Whether some answer is right by both rows.

    Where they were said at two moments only the tools are compared, since the right values may differ.
    """
    now = one.query.now == other.query.now
    return any(
        len(a) == len(order) and all(_calls_agree(x, y, now) for x, y in zip(a, order, strict=True))
        for a in one.labels
        for b in other.labels
        for order in orders(b)
    )


def value_fits(value: Any, options: Sequence[Any]) -> bool:
    """Whether a predicted value is one of the right ones; the "" that allows leaving it out is no value.

    Texts compare normalised, lists as sets of their members, numbers by value (25 is 25.0, never true).
    """
    found = canonical(value)
    return any(found == canonical(option) for option in options if option != "")


def equal(one: Any, other: Any) -> bool:
    """Whether two values mean the same, as the scorer sees it."""
    return canonical(one) == canonical(other)


def canonical(value: Any) -> Any:
    """A hashable form in which two values that mean the same are equal."""
    if isinstance(value, str):
        return ("text", normalize(value))
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, int | float):
        return ("number", value)
    if isinstance(value, list | tuple):
        return ("texts", frozenset(canonical(v) for v in value))
    if isinstance(value, dict):
        return ("object", frozenset((k, canonical(v)) for k, v in value.items()))
    return ("other", repr(value))


def given(call: Call) -> dict[str, Any]:
    """The arguments of a call that hold something: None, "" and [] are the same as left out."""
    return {k: v for k, v in call.arguments.items() if not (v is None or v == "" or v == [])}


def orders(label: Label) -> Iterator[Sequence[dict[str, dict[str, list[Any]]]]]:
    """Every order of a label's calls; a label has few (`real.MOST_CALLS`)."""
    return itertools.permutations(label)


def label_names(label: Label) -> list[str]:
    """Names of a label's tools, in order."""
    return [name for call in label for name in call]


def abstains(label: Label) -> bool:
    """Whether a label says that no tool can do it."""
    return label_names(label) == [OUT_OF_SCOPE]


@dataclasses.dataclass(frozen=True, slots=True)
class Verdict:
    """One prediction's marks; None where the row is not counted for that mark.

    Attributes:
      full: all right.
      route: the tools are right; None where the alternative crosses scope.
      force_fit: a call was made; counted where every label abstains.
      over_abstention: it abstained; counted where no label does.
      error: there is no answer (wrong everywhere, never an abstention).
    """

    full: bool
    route: bool | None
    force_fit: bool | None
    over_abstention: bool | None
    error: bool


def judge(prediction: Prediction, row: Row) -> Verdict:
    """Marks of one prediction. An answer without any call is an error, whatever its outcome says."""
    error = prediction.outcome == "error" or not prediction.calls
    called = not error and any(call.name != OUT_OF_SCOPE for call in prediction.calls)
    scope = {abstains(label) for label in row.labels}
    return Verdict(
        full=not error and full(prediction.calls, row),
        route=(not error and route(prediction.calls, row)) if len(scope) == 1 else None,
        force_fit=called if scope == {True} else None,
        over_abstention=(not error and not called) if scope == {False} else None,
        error=error,
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Counts:
    """How many of `n` predictions were right, and wrong in which way.

    Attributes:
      n, full: all rows, and those all right.
      route_n, route: rows whose labels agree on the scope, and those with the right tools.
      in_scope_n, over_abstention: rows that no label abstains on, and those abstained on.
      out_of_scope_n, force_fit: rows that every label abstains on, and those called for.
      errors: rows without an answer.
    """

    n: int = 0
    full: int = 0
    route_n: int = 0
    route: int = 0
    in_scope_n: int = 0
    over_abstention: int = 0
    out_of_scope_n: int = 0
    force_fit: int = 0
    errors: int = 0

    def __add__(self, other: Counts) -> Counts:
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)
        return Counts(*(a + b for a, b in pairs))

    def to_json(self) -> dict[str, Any]:
        """Fractions, each with its 95% Wilson interval; None where there is nothing to count."""
        out: dict[str, Any] = {"n": self.n}
        for mark, n_key in MARKS.items():
            right, n = getattr(self, mark), getattr(self, n_key)
            out[n_key] = n
            out[mark] = right / n if n else None
            out[f"{mark}_ci"] = list(wilson(right, n)) if n else None
        out["errors"] = self.errors
        return out


MARKS = {
    "full": "n",
    "route": "route_n",
    "force_fit": "out_of_scope_n",
    "over_abstention": "in_scope_n",
}
"""Each mark of a verdict, with the name of the number of rows that it is counted over."""


def tally(verdicts: Iterable[Verdict]) -> Counts:
    """Counts of verdicts."""
    counts = dict.fromkeys((f.name for f in dataclasses.fields(Counts)), 0)
    for verdict in verdicts:
        for mark, n_key in MARKS.items():
            value = getattr(verdict, mark)
            if value is not None:
                counts[n_key] += 1
                counts[mark] += value
        counts["errors"] += verdict.error
    return Counts(**counts)


def verdicts(predictions: Sequence[Prediction], rows: Sequence[Row]) -> list[Verdict]:
    """Marks of each prediction, in order; ValueError where there are not as many as rows."""
    return [judge(p, r) for p, r in zip(predictions, rows, strict=True)]


def score(predictions: Sequence[Prediction], rows: Sequence[Row]) -> Counts:
    """Counts of predictions, one a row."""
    return tally(verdicts(predictions, rows))


def per_row(predictions: Sequence[Prediction], rows: Sequence[Row]) -> list[bool]:
    """Full call or not, row by row, for pairing one predictor with another."""
    return [v.full for v in verdicts(predictions, rows)]


@dataclasses.dataclass(frozen=True, slots=True)
class ArgumentFault:
    """One argument that a call to the right tool got wrong.

    Attributes:
      row: index of the row.
      tool, argument: where.
      kind: `dropped` (not given), `invented` (the label has none) or `wrong` (another value).
      predicted: the value given, None for `dropped`.
      gold: the right values, [] for `invented`.
    """

    row: int
    tool: str
    argument: str
    kind: str
    predicted: Any
    gold: list[Any]


def argument_faults(predictions: Sequence[Prediction], rows: Sequence[Row]) -> list[ArgumentFault]:
    """What is wrong with the arguments where the tools are right, held against the nearest label."""
    out: list[ArgumentFault] = []
    for index, (prediction, row) in enumerate(zip(predictions, rows, strict=True)):
        if prediction.outcome == "error":
            continue
        names = [call.name for call in prediction.calls]
        candidates: list[list[ArgumentFault]] = [
            [f for c, g in zip(prediction.calls, order, strict=True) for f in _faults(index, c, g[c.name])]
            for label in row.labels
            for order in orders(label)
            if [name for call in order for name in call] == names
        ]
        if candidates:
            nearest = min(candidates, key=len)
            out.extend(nearest)
    return out


def wilson(right: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a fraction (E. B. Wilson, 1927); (0, 1) where n is 0."""
    if n == 0:
        return 0.0, 1.0
    z = statistics.NormalDist().inv_cdf(0.5 + confidence / 2)
    p = right / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if right == 0 else max(0.0, centre - reach)
    high = 1.0 if right == n else min(1.0, centre + reach)
    return low, high


def _call_fits(call: Call, gold: dict[str, dict[str, list[Any]]]) -> bool:
    options = gold.get(call.name)
    if options is None:
        return False
    arguments = given(call)
    return (
        all(name in options for name in arguments)
        and all(name in arguments or "" in values for name, values in options.items())
        and all(value_fits(value, options[name]) for name, value in arguments.items())
    )


def _calls_agree(
    one: dict[str, dict[str, list[Any]]], other: dict[str, dict[str, list[Any]]], now: bool
) -> bool:
    """Whether some call is right by two calls of labels; of its values only where they are said `now`."""
    if one.keys() != other.keys():
        return False
    for name, a in one.items():
        b = other[name]
        for argument in a.keys() | b.keys() if now else ():
            x, y = (frozenset(map(canonical, values.get(argument, [""]))) for values in (a, b))
            if x.isdisjoint(y):
                return False
    return True


def _faults(row: int, call: Call, gold: dict[str, list[Any]]) -> Iterator[ArgumentFault]:
    arguments = given(call)
    for name, value in arguments.items():
        if name not in gold:
            yield ArgumentFault(row, call.name, name, "invented", value, [])
        elif not value_fits(value, gold[name]):
            yield ArgumentFault(row, call.name, name, "wrong", value, gold[name])
    for name, values in gold.items():
        if name not in arguments and "" not in values:
            yield ArgumentFault(row, call.name, name, "dropped", None, values)
