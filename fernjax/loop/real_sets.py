"""The real sentences that judge a run: the user's own, else those shipped with the app. They never train."""

from __future__ import annotations

import dataclasses

from ml_collections import ConfigDict

from fernjax.loop.lines import BadLine, moment
from fernjax.sim import real
from fernjax.sim.tools import MOMENT_TYPES
from fernjax.sim.types import Row, UserError
from fernjax.sim.world import Domain

NOW = "2026-03-04T09:30:00"
"""When sentences are said whose answer holds no date and no time: plain ones, and a user's without `now`."""

DATED = MOMENT_TYPES
"""Types of argument whose right value depends on the moment of speaking."""

FEW = 30
"""Sentences of a half below which its figures say little: an interval is 30 points wide or wider."""

_UNSAID = "1000-01-01T00:00:01"
"""Stands for "no moment" while a file is read: in the years that a sentence may be said in, yet nobody's."""


def load_sets(config: ConfigDict, domain: Domain, half: str) -> dict[str, list[Row]]:
    """The real sentences of a half (`gate` or `final`): the user's own, else those shipped with the app.

    Returns:
      Rows by `HALF/KIND`; kinds are never merged. {} where there are none.

    Raises:
      UserError: a file or a line of it that cannot be used; it names the line or the row.
    """
    if config.real_path:
        rows = real.split_rows(load_own(config, domain))[half]
        return {f"{half}/own": rows} if rows else {}
    sets = {f"{half}/{kind}": real.load_real(domain.name, half, kind) for kind in real.KINDS}
    return {name: rows for name, rows in sets.items() if rows}


def load_own(config: ConfigDict, domain: Domain) -> list[Row]:
    """All sentences of `config.real_path`, each with the moment at which it was said.

    Raises:
      UserError: a line that cannot be used, or that has no `now` though its label holds a date or a time.
    """
    if config.real_now:
        try:
            now = moment(config.real_now, "config.real_now")
        except BadLine as e:
            raise UserError(str(e)) from e
        return real.load_rows(config.real_path, domain.tools, now)
    rows = real.load_rows(config.real_path, domain.tools, _UNSAID)
    return [row if row.query.now != _UNSAID else _said_at_any_time(config, domain, row) for row in rows]


def describe(config: ConfigDict, domain: Domain) -> list[str]:
    """How many real sentences each half has, by kind, and a warning where a user's own are few."""
    lines = []
    for half, use in (("gate", "judges the rounds"), ("final", "is counted in the report alone")):
        sets = load_sets(config, domain, half)
        counts = ", ".join(f"{len(rows)} {name.partition('/')[2]}" for name, rows in sets.items())
        lines.append(f"real sentences, {half} half ({use}): {counts or 'none'}")
        count = sum(map(len, sets.values()))
        if config.real_path and count < FEW:
            lines.append(
                f"warning: {count or 'none'} of the sentences of {config.real_path} in the {half} half (a "
                f"hash of each splits the file), which says little; label more, until each half has {FEW}"
            )
    return lines


def _said_at_any_time(config: ConfigDict, domain: Domain, row: Row) -> Row:
    """The row, said at `NOW`; refused where its right answer would depend on that."""
    for label in row.labels:
        for call in label:
            for name, arguments in call.items():
                tool = domain.tool(name)
                for argument in tool.arguments if tool is not None else ():
                    if argument.name in arguments and argument.type in DATED:
                        raise UserError(
                            f'{config.real_path}, row {row.query.id}: no "now", yet the right '
                            f"{name}.{argument.name} depends on when it was said; give the row its "
                            f'"now": "{NOW}", or --config.real_now={NOW} for all rows without one'
                        )
    return dataclasses.replace(row, query=dataclasses.replace(row.query, now=NOW))
