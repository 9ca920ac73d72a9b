"""The text of a drafted app: one Python file that runs, to be bettered by hand."""

from __future__ import annotations

import json
import keyword
import pathlib
import re
from typing import Any

from fernjax.sim.drafting.arguments import find_examples
from fernjax.sim.drafting.frames import draft_section
from fernjax.sim.drafting.verbs import read_verb, split_name
from fernjax.sim.tools import Tool, parse_tools
from fernjax.sim.types import OUT_OF_SCOPE, UserError

ABSTAIN = {
    "type": "function",
    "function": {
        "name": OUT_OF_SCOPE,
        "description": "The request is nothing that this app's other tools can do; abstain.",
        "parameters": {"type": "object", "properties": {}, "required": []},
    },
}

_COMMON = pathlib.Path(__file__).with_name("common.grammar")
_NEGATIVES = pathlib.Path(__file__).with_name("negatives.grammar")
_TOO_COMMON = frozenset(
    "get list show set check view see find search ask make add put new start stop run read send give take "
    "tell look the and for with that this from into what when where how many much which who was were are is "
    "not all any own later now done only kind day time name user some more other".split()
)


def draft_module(name: str, document: Any) -> str:
    """The source of `fernjax/sim/domains/NAME.py`.

    Args:
      name: the app's name, a Python identifier in lower case.
      document: its tools in the OpenAI form, parsed: a list, or an object with a list under `tools`.

    Raises:
      UserError: the name or the tools are not in form.
    """
    check_name(name)
    listed = document.get("tools") if isinstance(document, dict) else document
    if not isinstance(listed, list) or not listed:
        raise UserError(
            "the tools must be a list in the OpenAI form, or an object with such a list under tools"
        )
    entries = [*listed]
    first = parse_tools(entries)
    if len({t.name for t in first}) < len(first):
        raise UserError("two tools have one name; each needs its own")
    if all(t.name != OUT_OF_SCOPE for t in first):
        entries.append(ABSTAIN)
    roles = {t.name: read_verb(t.name)[0].role for t in first if t.name != OUT_OF_SCOPE}
    if not roles:
        raise UserError("there is no tool to call besides out_of_scope")
    tools = parse_tools(entries, tuple(n for n, role in roles.items() if role == "reads"))
    needs = {t.name: tuple((a.name,) for a in t.arguments if a.required) for t in tools}
    about = document.get("description", "") if isinstance(document, dict) else ""
    return _TEMPLATE.format(
        name=name,
        description=json.dumps(about or f"The app {name}, drafted from its tools."),
        tools=json.dumps(entries, indent=1, ensure_ascii=False)
        .replace("\\", "\\\\")
        .replace('"""', r"\"\"\""),
        roles="".join(f"    {n!r}: {role!r},\n" for n, role in roles.items()).replace("'", '"'),
        needs="".join(f"    {n!r}: {g!r},\n" for n, g in needs.items() if g).replace("'", '"'),
        keywords=json.dumps(draft_keywords(tools)),
        grammar=draft_grammar(name, tools),
    )


def check_name(name: str) -> None:
    """Refuses a name that no module of Python can have.

    Raises:
      UserError: it is none.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise UserError(f"{name!r} is no name for an app: lower-case letters, digits and _, a letter first")


def draft_grammar(name: str, tools: tuple[Tool, ...]) -> str:
    """The app's phrasing, from names and descriptions."""
    callable_ = [t for t in tools if t.name != OUT_OF_SCOPE]
    nouns = dict.fromkeys(" ".join(read_verb(t.name)[1]) for t in callable_)
    parts = [_COMMON.read_text(encoding="utf-8").strip()]
    parts.append(f"<noun> = {' | '.join(n for n in nouns if n) or name.replace('_', ' ')}")
    parts += [draft_section(t, 10) for t in callable_]
    parts.append(_negatives(callable_))
    return "\n\n".join(parts)


def draft_keywords(tools: tuple[Tool, ...]) -> str:
    """A regular expression of the words that may be the app's business."""
    words: dict[str, None] = {}
    for tool in tools:
        if tool.name == OUT_OF_SCOPE:
            continue
        told = [*split_name(tool.name), *re.findall(r"[a-z]{4,}", tool.description.lower())]
        for a in tool.arguments:
            told += [w for e in find_examples(a.description) for w in e.lower().split()]
            told += [w for c in a.choices if isinstance(c, str) for w in split_name(c)]
        words.update(dict.fromkeys(_stem(w) for w in told if len(w) > 2 and w not in _TOO_COMMON))
    return "|".join(re.escape(w) + r"\w*" for w in words)


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|ing|ed|e|y)$", "", word) if len(word) > 5 else word


def _negatives(tools: list[Tool]) -> str:
    """What no tool is for: how-to questions and negations made of the tools, and other apps' work."""
    frames = []
    for tool in tools:
        verb, rest = read_verb(tool.name)
        thing = " ".join(rest) or "<noun>"
        said = "|".join(way.split("*")[0].strip() for way in verb.said.split("|")[:3])
        where = "[in this app|on my phone|from the menu]0.3"
        frames.append(f"howto_{tool.name}: <howto> ({said}) (a|the|my|) {thing} {where} *3")
        frames.append(
            f"negated_{tool.name}: <never> ({said}) (a|the|my|any|) {thing} [today|anymore|now]0.3 *2"
        )
    others = _NEGATIVES.read_text(encoding="utf-8").strip()
    return "\n".join([f"[{OUT_OF_SCOPE}] 10", *frames, others])


_TEMPLATE = '''# ruff: noqa: E501
"""{name}: an app drafted from its tools. It runs as it is; make it yours.

What to better first is told by the report. In order: the phrasing (`GRAMMAR`, in the language of
`fernjax/sim/grammar.py`: add the ways that people ask for each tool, and near misses under
[out_of_scope]), the values that texts are drawn from (`POOLS`), `NEEDS` and `KEYWORDS`, and, where the
app's answers matter, a `step` of your own in place of `records`.
"""

import json

from fernjax.sim import records
from fernjax.sim.tools import parse_tools
from fernjax.sim.world import Domain

ROLES = {{
{roles}}}
"""What each tool does to the app's records: adds, changes, removes or reads."""

NEEDS = {{
{needs}}}
"""Per tool, groups of arguments that the app asks back for; one of each group is enough."""

KEYWORDS = {keywords}
"""What a plain sentence may hold that could be this app's business (a regular expression)."""

POOLS: dict[str, tuple[str, ...]] = {{}}
"""Values of your own for the grammar's %pools."""

GRAMMAR = r"""
{grammar}
"""

TOOLS = parse_tools(
    json.loads("""
{tools}
"""),
    reads=tuple(name for name, role in ROLES.items() if role == "reads"),
)
initial_state, step = records.make_app(TOOLS, NEEDS, ROLES)
DOMAIN = Domain(
    name="{name}",
    description={description},
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=GRAMMAR,
    keywords=KEYWORDS,
    pools=POOLS,
)
'''
