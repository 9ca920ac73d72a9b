"""Shopping, to-do and other lists, one pure `step`.

State: `{"now": ISO local time, "next_id": int, "recent": id, "lists": [list]}` with
  recent: of the list last written to, or "";
  list: id, title, items, ticked (titles of what was taken off or ticked off, the newest last);
  item: id, title ("milk"), quantity (a number, or None where none was said), unit ("carton", or "").
Where a call names no list, its items go on the default list (the only one, else the one last written to), and
what is removed or asked about is looked for on all lists. A call changes the state as a whole or not at all.
"""

from __future__ import annotations

import pathlib
from typing import Any

from fernjax.sim.arguments import Action, Answer, invalid, make_check, make_step
from fernjax.sim.domains.lists.items import (
    LAST,
    Key,
    Thing,
    item_key,
    list_key,
    means_everything,
    read_position,
    read_thing,
)
from fernjax.sim.tools import load_tools
from fernjax.sim.types import Observation
from fernjax.sim.world import State

Item = dict[str, Any]
List = dict[str, Any]
Hit = tuple[List, Item]

MAX_SHOWN = 20
MAX_TICKED = 20
NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "add_items": (("items",),),
    "remove_items": (("items",),),
    "show_list": (("list", "query"),),
    "create_list": (("list",),),
    "delete_list": (("list",),),
    "clear_list": (("list",),),
}
KIN = (
    frozenset(("grocery", "shopping", "supermarket", "food")),
    frozenset(("todo", "task")),
)
"""Words for one list: "groceries" finds the shopping list where no list has that name."""


# Items


def _add_items(state: State, a: dict[str, Any]) -> Answer:
    target = _target(state, a)
    if isinstance(target, Observation):
        return state, target
    items, next_id, told = _with_things(target["items"], a["items"], state["next_id"])
    data = {"list": target["title"], **told, "count": len(items)}
    if not told["added"] and not told["changed"]:
        return state, Observation("exists", data)
    ticked = target["ticked"]
    if ticked:
        here = {item_key(i["title"]) for i in items}
        ticked = [t for t in ticked if item_key(t) not in here]
    new = {**target, "items": items, "ticked": ticked}
    return _replaced(state, target, new, next_id), Observation("added", data)


def _with_things(
    items: list[Item], said: list[str], next_id: int
) -> tuple[list[Item], int, dict[str, list[Any]]]:
    """Items with more things on them, the next id, and what was `added`, `changed` and there `already`."""
    items = list(items)
    at = {item_key(item["title"]): n for n, item in enumerate(items)}
    told: dict[str, list[Any]] = {"added": [], "changed": [], "already": []}
    for words in said:
        thing = read_thing(words)
        key = item_key(thing.title)
        if key not in at:
            at[key] = len(items)
            items.append({"id": f"i{next_id}", **thing._asdict()})
            next_id += 1
            told["added"].append(_shown(items[-1]))
        elif thing.quantity is None:
            told["already"].append(items[at[key]]["title"])
        else:
            items[at[key]] = _counted(items[at[key]], thing, 1)
            told["changed"].append(_shown(items[at[key]]))
    return items, next_id, told


def _counted(item: Item, thing: Thing, sign: int) -> Item:
    """An item of which there are more or fewer; a quantity in another unit takes the place of the old one."""
    quantity = thing.quantity
    if item["quantity"] is not None and item["unit"] == thing.unit and quantity is not None:
        quantity = round(item["quantity"] + sign * quantity, 6)
    return {**item, "quantity": quantity, "unit": thing.unit}


def _remove_items(state: State, a: dict[str, Any]) -> Answer:
    pool, default = state["lists"], _default(state)
    if "list" in a and list_key(a["list"]):
        named = _named(state, a["list"])
        if isinstance(named, Observation):
            return state, named
        pool, default = [named], named
    gone: dict[str, tuple[List, Item, str]] = {}  # by the item's id: its list, itself, the words for it
    lacking = []
    for words in a["items"]:
        hits = _pick(pool, default, words)
        if isinstance(hits, Observation):
            return state, hits
        if not hits:
            lacking.append(words)
        for holder, item in hits:
            gone.setdefault(item["id"], (holder, item, words))
    if not gone:
        data = {"items": lacking, "lists": [one["title"] for one in pool][:MAX_SHOWN]}
        return state, Observation("not_found", data)
    new = state
    for holder in pool:
        taken = {i: (item, words) for i, (home, item, words) in gone.items() if home is holder}
        if taken:
            new = _replaced(new, holder, _without(holder, taken), state["next_id"])
    removed = [{"list": holder["title"], **_shown(item)} for holder, item, _ in gone.values()]
    return new, Observation("removed", {"removed": removed, "not_found": lacking})


def _without(holder: List, taken: dict[str, tuple[Item, str]]) -> List:
    """A list without some of its items; of one that a smaller quantity was said of, the rest stays."""
    items, ticked = [], list(holder["ticked"])
    for item in holder["items"]:
        if item["id"] not in taken:
            items.append(item)
            continue
        thing = read_thing(taken[item["id"]][1])
        had, said = item["quantity"], thing.quantity
        same = item["unit"] == thing.unit and item_key(thing.title) == item_key(item["title"])
        if had is not None and said is not None and same and said < had:
            items.append(_counted(item, thing, -1))
        else:
            ticked.append(item["title"])
    return {**holder, "items": items, "ticked": ticked[-MAX_TICKED:]}


def _pick(pool: list[List], default: List | None, words: str) -> list[Hit] | Observation:
    """The items that the words of a removal mean: none, one, or all of a list."""
    hits = _hits(pool, words)
    if not hits and (means_everything(words) or read_position(words) is not None):
        if default is None:
            return _ambiguous_lists(pool) if pool else []
        return _placed(default, words)
    if len(hits) > 1 and default is not None and len({one["id"] for one, _ in hits}) > 1:
        hits = [h for h in hits if h[0] is default] or hits
    if len(hits) > 1:
        shown = [{"list": one["title"], **_shown(item)} for one, item in hits[:MAX_SHOWN]]
        return Observation("ambiguous", {"item": words, "candidates": shown, "count": len(hits)})
    return hits


def _hits(pool: list[List], words: str) -> list[Hit]:
    """Items whose name is the words, else those that hold them all, else those that are part of them."""
    key = item_key(read_thing(words).title)
    keys = [(one, item, item_key(item["title"])) for one in pool for item in one["items"]]
    hits = [(one, item) for one, item, k in keys if k == key]
    if not hits:
        whole = item_key(words)
        hits = [(one, item) for one, item, k in keys if key <= k]
        hits = hits or [(one, item) for one, item, k in keys if k <= whole]
    return hits


def _placed(target: List, words: str) -> list[Hit]:
    """Items of a list by their place on it."""
    items = target["items"]
    if means_everything(words):
        return [(target, item) for item in items]
    position = read_position(words)
    if position == LAST:
        position = len(items) - 1
    return [(target, items[position])] if position is not None and 0 <= position < len(items) else []


# Lists


def _show_list(state: State, a: dict[str, Any]) -> Answer:
    lists = state["lists"]
    if "list" in a and list_key(a["list"]):
        found = _named(state, a["list"])
        if isinstance(found, Observation):
            return state, found
        lists = [found]
    if "query" in a:
        return state, _asked(lists, a["query"], _default(state) if len(lists) > 1 else None)
    target = _target(state, a)
    if isinstance(target, Observation):
        return state, target
    items = [_shown(i) for i in target["items"][:MAX_SHOWN]]
    data = {
        "list": target["title"],
        "count": len(target["items"]),
        "items": items,
        "ticked": [*target["ticked"]],
    }
    return state, Observation("found", data)


def _asked(lists: list[List], words: str, default: List | None) -> Observation:
    """The answer to "is it on there"."""
    hits = _hits(lists, words)
    if not hits and (means_everything(words) or read_position(words) is not None):
        target = lists[0] if len(lists) == 1 else default
        hits = _placed(target, words) if target is not None else []
    if not hits:
        key = item_key(read_thing(words).title)
        ticked = [t for one in lists for t in one["ticked"] if item_key(t) == key][:MAX_SHOWN]
        titles = [one["title"] for one in lists[:MAX_SHOWN]]
        return Observation("not_found", {"query": words, "lists": titles, "ticked": ticked})
    shown = [{"list": one["title"], **_shown(item)} for one, item in hits[:MAX_SHOWN]]
    return Observation("found", {"query": words, "count": len(hits), "items": shown})


def _show_all_lists(state: State, a: dict[str, Any]) -> Answer:
    lists = [{"list": one["title"], "count": len(one["items"])} for one in state["lists"][:MAX_SHOWN]]
    return state, Observation("found", {"count": len(state["lists"]), "lists": lists})


def _create_list(state: State, a: dict[str, Any]) -> Answer:
    key = list_key(a["list"])
    if not key:
        return state, invalid("list", "holds no word besides the word list")
    for one in state["lists"]:
        if list_key(one["title"]) == key:
            return state, Observation("exists", {"list": one["title"], "count": len(one["items"])})
    next_id = state["next_id"]
    items, after, told = _with_things([], a.get("items", []), next_id + 1)
    new = {"id": f"l{next_id}", "title": a["list"], "items": items, "ticked": []}
    data = {"list": new["title"], "added": told["added"], "count": len(items)}
    lists = [*state["lists"], new]
    return {**state, "next_id": after, "recent": new["id"], "lists": lists}, Observation("created", data)


def _delete_list(state: State, a: dict[str, Any]) -> Answer:
    target = _target(state, a)
    if isinstance(target, Observation):
        return state, target
    lists = [one for one in state["lists"] if one is not target]
    recent = "" if state["recent"] == target["id"] else state["recent"]
    data = {"list": target["title"], "count": len(target["items"])}
    return {**state, "recent": recent, "lists": lists}, Observation("deleted", data)


def _clear_list(state: State, a: dict[str, Any]) -> Answer:
    target = _target(state, a)
    if isinstance(target, Observation):
        return state, target
    cleared = Observation("cleared", {"list": target["title"], "count": len(target["items"])})
    new = {**target, "items": [], "ticked": []}
    return _replaced(state, target, new, state["next_id"]), cleared


# What they share


def _target(state: State, a: dict[str, Any]) -> List | Observation:
    """The one list that a call means: the one it names, else the default."""
    if "list" in a and list_key(a["list"]):
        return _named(state, a["list"])
    default = _default(state)
    if default is not None:
        return default
    if state["lists"]:
        return _ambiguous_lists(state["lists"])
    return Observation("not_found", {"list": a.get("list", ""), "lists": []})


def _default(state: State) -> List | None:
    """The list that is meant where none is named, if there is one that is sensible."""
    lists = state["lists"]
    if len(lists) == 1:
        return lists[0]
    recent = state["recent"]
    return next((one for one in lists if one["id"] == recent), None) if recent else None


def _named(state: State, words: str) -> List | Observation:
    """The list of a name, or why there is not one."""
    found = _find_lists(list_key(words), state["lists"])
    if len(found) == 1:
        return found[0]
    if found:
        return _ambiguous_lists(found)
    titles = [one["title"] for one in state["lists"][:MAX_SHOWN]]
    return Observation("not_found", {"list": words, "lists": titles})


def _find_lists(key: Key, lists: list[List]) -> list[List]:
    """Lists by name: the same, else one that holds the words, else the longest that they hold, else kin."""
    pairs = [(one, list_key(one["title"])) for one in lists]
    found = [one for one, k in pairs if k == key] or [one for one, k in pairs if key <= k]
    if not found:
        within = [(len(k), one) for one, k in pairs if k <= key]
        longest = max((size for size, _ in within), default=0)
        found = [one for size, one in within if size == longest]
    for kin in KIN:
        if not found and key <= kin:
            found = [one for one, k in pairs if k <= kin]
    return found


def _ambiguous_lists(lists: list[List]) -> Observation:
    titles = [one["title"] for one in lists[:MAX_SHOWN]]
    return Observation("ambiguous", {"candidates": titles, "count": len(lists)})


def _replaced(state: State, old: List, new: List, next_id: int) -> State:
    """The state with one list in another's place, which is now the one last written to."""
    lists = [new if one["id"] == old["id"] else one for one in state["lists"]]
    return {**state, "next_id": next_id, "recent": new["id"], "lists": lists}


def _shown(item: Item) -> dict[str, Any]:
    """An item as the app shows it: without a quantity where it has none."""
    shown = {"id": item["id"], "title": item["title"]}
    if item["quantity"] is not None:
        shown |= {"quantity": item["quantity"], "unit": item["unit"]}
    return shown


TOOLS = load_tools(pathlib.Path(__file__).with_name("tools.json"), reads=("show_list", "show_all_lists"))
_ACTIONS: dict[str, Action] = {
    "add_items": _add_items,
    "remove_items": _remove_items,
    "show_list": _show_list,
    "show_all_lists": _show_all_lists,
    "create_list": _create_list,
    "delete_list": _delete_list,
    "clear_list": _clear_list,
}
step = make_step(make_check(TOOLS, NEEDS), _ACTIONS)
