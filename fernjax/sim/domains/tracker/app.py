"""An issue tracker: projects and their tickets, one pure `step`.

State: `{"now": ISO local time, "projects": [project], "people": [person], "issues": [issue]}` with
  project: name (its key), aliases (its longer name), last (the highest number it has given out);
  person: name, aliases;
  issue: id (KEY-NUMBER), project, number, title, kind, status, priority, assignee ("" for none), labels,
    due_date ("" for none), comments (`[{"author", "text", "at"}, ...]`), links (`[{"relation", "id"}, ...]`).
A link stands in both tickets, in the other one by its `INVERSE`; two tickets have at most one. Numbers are
never given out twice. A new ticket without a project goes into the first one.
"""

from __future__ import annotations

import pathlib
import re
from typing import Any

from fernjax.sim.arguments import Action, Answer, Refused, invalid, make_check, make_step
from fernjax.sim.directory import is_me, pick
from fernjax.sim.matching import tokens
from fernjax.sim.tools import load_tools
from fernjax.sim.types import Observation
from fernjax.sim.world import State

Issue = dict[str, Any]

ME = "me"
MAX_SHOWN = 20
MAX_NEAR = 3

INVERSE = {
    "blocks": "is_blocked_by",
    "is_blocked_by": "blocks",
    "duplicates": "is_duplicated_by",
    "is_duplicated_by": "duplicates",
    "relates_to": "relates_to",
}
"""What a link is called in the other ticket."""

PRIORITIES = ("urgent", "high", "medium", "low")
CLOSED = frozenset(("done", "wont_do"))

NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "create_issue": (("title",),),
    "assign_issue": (("id",), ("assignee",)),
    "set_status": (("id",), ("status",)),
    "set_priority": (("id",), ("priority",)),
    "set_due_date": (("id",), ("due_date",)),
    "add_comment": (("id",), ("text",)),
    "add_label": (("id",), ("label",)),
    "link_issues": (("id",), ("other_id",)),
    "show_issue": (("id",),),
    "delete_issue": (("id",),),
}


# Creating and deleting


def _create_issue(state: State, a: dict[str, Any]) -> Answer:
    projects = state["projects"]
    project = pick(a["project"], projects, "project") if "project" in a else projects[0]
    _refuse_past(state, a)
    number = project["last"] + 1
    issue = {
        "id": f"{project['name']}-{number}",
        "project": project["name"],
        "number": number,
        "title": a["title"],
        "kind": a.get("kind", "task"),
        "status": "todo",
        "priority": a.get("priority", "medium"),
        "assignee": _person(state, a["assignee"]) if "assignee" in a else "",
        "labels": list(dict.fromkeys(_label(text) for text in a.get("labels", ()))),
        "due_date": a.get("due_date", ""),
        "comments": [],
        "links": [],
    }
    counted = [{**p, "last": number} if p is project else p for p in projects]
    new = {**state, "projects": counted, "issues": [*state["issues"], issue]}
    return new, Observation("created", {"issue": issue})


def _delete_issue(state: State, a: dict[str, Any]) -> Answer:
    gone = _find(state, a["id"], "id")
    kept = [i for i in state["issues"] if i is not gone]
    if gone["links"]:
        tied = {link["id"] for link in gone["links"]}
        kept = [_unlinked(i, gone["id"]) if i["id"] in tied else i for i in kept]
    return {**state, "issues": kept}, Observation("deleted", {"issue": gone})


# Changing


def _setter(argument: str, key: str) -> Action:
    """An action that puts one argument's value into one field of a ticket."""

    def set_field(state: State, a: dict[str, Any]) -> Answer:
        return _change(state, _find(state, a["id"], "id"), key, a[argument])

    return set_field


def _assign_issue(state: State, a: dict[str, Any]) -> Answer:
    issue = _find(state, a["id"], "id")
    return _change(state, issue, "assignee", _person(state, a["assignee"]))


def _set_due_date(state: State, a: dict[str, Any]) -> Answer:
    issue = _find(state, a["id"], "id")
    _refuse_past(state, a)
    return _change(state, issue, "due_date", a["due_date"])


def _add_comment(state: State, a: dict[str, Any]) -> Answer:
    issue = _find(state, a["id"], "id")
    comment = {"author": ME, "text": a["text"], "at": state["now"][:16]}
    return _change(state, issue, "comments", [*issue["comments"], comment])


def _add_label(state: State, a: dict[str, Any]) -> Answer:
    issue, label = _find(state, a["id"], "id"), _label(a["label"])
    held = issue["labels"]
    return _change(state, issue, "labels", held if label in held else [*held, label])


def _link_issues(state: State, a: dict[str, Any]) -> Answer:
    issue, other = _find(state, a["id"], "id"), _find(state, a["other_id"], "other_id")
    if issue is other:
        raise Refused(invalid("other_id", "is the same ticket"))
    relation = a.get("relation", "relates_to")
    held = next((link["relation"] for link in issue["links"] if link["id"] == other["id"]), None)
    if held is not None and held != relation:
        raise Refused(invalid("relation", f"{issue['id']} {held} {other['id']} already"))
    data = {"issue": issue["id"], "relation": relation, "other": other["id"]}
    if held is not None:
        return state, Observation("updated", {**data, "changed": []})
    tied = {
        issue["id"]: {"relation": relation, "id": other["id"]},
        other["id"]: {"relation": INVERSE[relation], "id": issue["id"]},
    }
    issues = [
        {**i, "links": [*i["links"], tied[i["id"]]]} if i is issue or i is other else i
        for i in state["issues"]
    ]
    return {**state, "issues": issues}, Observation("updated", {**data, "changed": ["links"]})


def _change(state: State, issue: Issue, key: str, value: Any) -> Answer:
    """One field of one ticket changed."""
    if issue[key] == value:
        return state, Observation("updated", {"issue": issue, "changed": []})
    new = {**issue, key: value}
    issues = [new if i is issue else i for i in state["issues"]]
    return {**state, "issues": issues}, Observation("updated", {"issue": new, "changed": [key]})


# Looking


def _show_issue(state: State, a: dict[str, Any]) -> Answer:
    return state, Observation("found", {"issue": _find(state, a["id"], "id")})


def _list_issues(state: State, a: dict[str, Any]) -> Answer:
    want: dict[str, Any] = {k: a[k] for k in ("status", "priority", "kind") if k in a}
    if "project" in a:
        want["project"] = pick(a["project"], state["projects"], "project")["name"]
    if "assignee" in a:
        want["assignee"] = _person(state, a["assignee"])
    items = state["issues"]
    for key, value in want.items():
        items = [i for i in items if i[key] == value]
    if "label" in a:
        label = _label(a["label"])
        items = [i for i in items if label in i["labels"]]
    if "due_before" in a:
        last = a["due_before"]
        items = [i for i in items if i["due_date"] and i["due_date"] <= last]
    if "query" in a:
        said = tokens(a["query"])
        items = [i for i in items if said <= tokens(i["title"])]
    if not items:
        return state, Observation("not_found", {**a})
    shown = [_line(i) for i in sorted(items, key=_order)[:MAX_SHOWN]]
    return state, Observation("found", {"count": len(items), "issues": shown})


def _order(issue: Issue) -> tuple[Any, ...]:
    """Open ones first, then by priority, day and id."""
    return (
        issue["status"] in CLOSED,
        _RANK[issue["priority"]],
        issue["due_date"] or "~",
        issue["project"],
        issue["number"],
    )


def _line(issue: Issue) -> dict[str, Any]:
    return {k: issue[k] for k in ("id", "title", "kind", "status", "priority", "assignee", "due_date")}


# What they share

_ID = re.compile(r"(?:(.*?)[-\s_#.]*)([0-9]{1,18})")
_NO_KEY = re.compile(r"[^A-Z0-9]+")


def _find(state: State, said: str, argument: str) -> Issue:
    """The ticket that an id means; a number alone where only one project has it."""
    plain, issues = said.upper(), state["issues"]
    for issue in issues:
        if issue["id"] == plain:
            return issue
    match = _ID.fullmatch(plain.strip("# "))
    number = int(match[2]) if match else None
    key = _NO_KEY.sub("", match[1] if match else plain)
    same = [i for i in issues if i["number"] == number]
    found = [i for i in same if i["project"] == key] if key else same
    if len(found) == 1:
        return found[0]
    if found:
        data = {"argument": argument, "candidates": [_line(i) for i in found], "count": len(found)}
        raise Refused(Observation("ambiguous", data))
    raise Refused(Observation("not_found", {argument: said, "similar": _near(issues, key, number, same)}))


def _near(issues: list[Issue], key: str, number: int | None, same: list[Issue]) -> list[str]:
    """Ids near to one that does not exist: its project's nearest numbers, else its number elsewhere."""
    own = [i for i in issues if i["project"] == key]
    if own and number is not None:
        wish = number
        own = sorted(own, key=lambda i: (abs(i["number"] - wish), i["number"]))
    return [i["id"] for i in (own or same)[:MAX_NEAR]]


def _person(state: State, said: str) -> str:
    return ME if is_me(said) else pick(said, state["people"], "assignee")["name"]


def _label(said: str) -> str:
    """A label as the app writes it: lower case, words joined by hyphens."""
    return "-".join(said.casefold().strip("#").split()) or said


def _refuse_past(state: State, a: dict[str, Any]) -> None:
    if a.get("due_date", "9999") < state["now"][:10]:
        raise Refused(invalid("due_date", "has passed"))


def _unlinked(issue: Issue, gone: str) -> Issue:
    return {**issue, "links": [link for link in issue["links"] if link["id"] != gone]}


_RANK = {priority: rank for rank, priority in enumerate(PRIORITIES)}
TOOLS = load_tools(pathlib.Path(__file__).with_name("tools.json"), reads=("list_issues", "show_issue"))
_ACTIONS: dict[str, Action] = {
    "create_issue": _create_issue,
    "assign_issue": _assign_issue,
    "set_status": _setter("status", "status"),
    "set_priority": _setter("priority", "priority"),
    "set_due_date": _set_due_date,
    "add_comment": _add_comment,
    "add_label": _add_label,
    "link_issues": _link_issues,
    "list_issues": _list_issues,
    "show_issue": _show_issue,
    "delete_issue": _delete_issue,
}
step = make_step(make_check(TOOLS, NEEDS), _ACTIONS)
