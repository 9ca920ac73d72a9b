"""A believable issue tracker: a few projects, who works on them, and what is open."""

from __future__ import annotations

import pathlib
import random
from collections.abc import Sequence
from typing import Any

from fernjax.sim.directory import read_pools
from fernjax.sim.domains.tracker.app import INVERSE, ME, PRIORITIES
from fernjax.sim.pools import pool
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.world import State

POOLS = read_pools(pathlib.Path(__file__).with_name("pools"))
"""Values that only a tracker has: titles, labels, project keys, comments."""

STATUSES = (
    "todo",
    "todo",
    "todo",
    "in_progress",
    "in_progress",
    "in_review",
    "blocked",
    "done",
    "done",
    "wont_do",
)
TITLES = {"bug": "bug_titles", "task": "task_titles", "feature": "feature_titles"}
"""Where each kind of ticket takes its titles from."""

LONG_NAMES = {
    "OPS": "operations",
    "WEB": "website",
    "APP": "mobile app",
    "PAY": "payments",
    "HR": "people team",
    "INFRA": "infrastructure",
    "SEC": "security",
    "MOB": "mobile",
    "DOCS": "documentation",
    "FE": "frontend",
    "BE": "backend",
}
"""What a project is also called."""


def initial_state(rng: random.Random, now: str) -> State:
    """A seeded tracker of five projects with about thirty-five tickets.

    Args:
      rng: its only source of chance.
      now: ISO 8601 local time; becomes the state's clock.
    """
    today = ordinal(now[:10])
    if today is None:
        raise ValueError(f"now must be an ISO date and time, not {now!r}")
    names = list(dict.fromkeys(_pick(rng, pool("first_names")) for _ in range(9)))
    people = [{"name": n, "aliases": []} for n in names]
    for person, role in zip(people, ("manager", "intern", "designer"), strict=False):
        person["aliases"] = [role]
    projects: list[dict[str, Any]] = []
    for key in rng.sample(POOLS["project_keys"], 5):
        aliases = [LONG_NAMES[key]] if key in LONG_NAMES else []
        projects.append({"name": key, "aliases": aliases, "last": rng.choice((0, 0, 60, 130, 400))})
    issues = [_issue(rng, _pick(rng, projects), names, today) for _ in range(rng.randrange(30, 40))]
    _tie(rng, issues)
    return {"now": now, "projects": projects, "people": people, "issues": issues}


def _issue(rng: random.Random, project: dict[str, Any], names: list[str], today: int) -> dict[str, Any]:
    """The next ticket of a project, which counts it."""
    project["last"] += 1 + int(rng.random() * 3)
    kind = _pick(rng, ("bug", "task", "feature"))
    due = iso_date(today + int(rng.random() * 40) - 8) if rng.random() < 0.4 else ""
    labels = list(dict.fromkeys(_pick(rng, POOLS["labels"]) for _ in range(int(rng.random() * 3))))
    return {
        "id": f"{project['name']}-{project['last']}",
        "project": project["name"],
        "number": project["last"],
        "title": _pick(rng, POOLS[TITLES[kind]]),
        "kind": kind,
        "status": _pick(rng, STATUSES),
        "priority": _pick(rng, PRIORITIES),
        "assignee": _pick(rng, ("", ME, ME, *names)),
        "labels": ["-".join(label.split()) for label in labels],
        "due_date": due,
        "comments": [],
        "links": [],
    }


def _tie(rng: random.Random, issues: list[dict[str, Any]]) -> None:
    """Ties six pairs of tickets."""
    order = rng.sample(issues, 12)
    for one, other in zip(order[::2], order[1::2], strict=True):
        relation = _pick(rng, tuple(INVERSE))
        one["links"] = [{"relation": relation, "id": other["id"]}]
        other["links"] = [{"relation": INVERSE[relation], "id": one["id"]}]


def _pick(rng: random.Random, values: Sequence[Any]) -> Any:
    """A value drawn evenly; several times faster than `rng.choice`."""
    return values[int(rng.random() * len(values))]
