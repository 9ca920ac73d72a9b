"""Which alarms and timers a label means: by their own label, else by how they repeat or how long they run."""

from __future__ import annotations

import functools
from typing import Any

from fernjax.sim.matching import Words, find_items, tokens
from fernjax.sim.when.words import spell

Item = dict[str, Any]

KIND = frozenset("alarm timer clock countdown all every one".split())
"""Words of a label that name no alarm or timer of their own, singular."""

RECURRENCE_WORDS = {
    "daily": frozenset(("daily", "everyday", "day")),
    "weekdays": frozenset(("weekday", "workday", "week", "day")),
    "weekends": frozenset(("weekend",)),
    "weekly": frozenset(("weekly", "week")),
    "biweekly": frozenset(("biweekly", "fortnightly")),
    "monthly": frozenset(("monthly", "month")),
    "yearly": frozenset(("yearly", "year")),
}


def named(label: str, items: list[Item]) -> list[Item]:
    """The items that a label means, in their order; all of them where it names the kind alone ("alarm")."""
    content = _content(label)
    if not content:
        return items
    titled = [i for i in items if i["title"]]
    found = find_items(Words(content, frozenset(), "", False, content), titled, _title, narrow=True)
    if found:
        return found
    apart = _content(label.replace("-", " "))  # "25-minute"
    return [i for i in items if apart <= _spoken(i.get("recurrence", ""), i.get("seconds", 0))]


@functools.lru_cache(maxsize=1 << 14)
def _content(label: str) -> frozenset[str]:
    return tokens(label) - KIND


def _title(item: Item) -> frozenset[str]:
    return tokens(item["title"])


@functools.lru_cache(maxsize=1 << 12)
def _spoken(recurrence: str, seconds: int) -> frozenset[str]:
    """Words for how an alarm repeats, or for how long a timer runs: `25 minute` is said of 1500 seconds."""
    if recurrence:
        return RECURRENCE_WORDS[recurrence]
    words: set[str] = set()
    minutes = seconds // 60
    counts = {"hour": minutes // 60, "minute": minutes % 60, "second": seconds % 60}
    for unit, count in counts.items():
        if count:
            words |= {unit, unit[:3], str(count), *spell(count % 100).split()}
    if minutes % 60 and minutes < 100:
        words |= {"minute", str(minutes), *spell(minutes).split()}
    return frozenset(words)
