"""What each round tried and what came of it, a line an entry. Rounds are appended, never changed."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from typing import Any

from fernjax.loop.workdir import write_jsonl
from fernjax.model.files import read_jsonl


def append_round(path: pathlib.Path, number: int, entries: Sequence[dict[str, Any]]) -> None:
    """Adds a round's entries; once only, however often a resumed run asks.

    The file is replaced as a whole, so that a kill leaves either all entries of a round or none.
    """
    lines = read_jsonl(path)
    if any(line["round"] == number for line in lines):
        return
    lines += [{"round": number, **entry} for entry in entries]
    write_jsonl(path, lines)


def rejected_faults(path: pathlib.Path, before: int) -> list[tuple[str, str]]:
    """Findings whose change a round tried in vain since the last kept one before round `before`, as often."""
    faults: list[tuple[str, str]] = []
    for line in read_jsonl(path):
        if line["round"] >= before:
            break
        if line["entry"] == "decision" and line["kept"]:
            faults.clear()
        elif line["entry"] == "repair" and not line["kept"]:
            faults.append((line["finding"]["kind"], line["finding"]["subject"]))
    return faults
