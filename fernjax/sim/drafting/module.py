"""The text of a drafted app: one Python file that runs, to be bettered by hand."""

from __future__ import annotations

import ast
import bisect
import functools
import itertools
import json
import keyword
import pathlib
import re
from collections.abc import Mapping
from typing import Any

from fernjax.sim.drafting.arguments import STATES, find_examples
from fernjax.sim.drafting.document import read_tools
from fernjax.sim.drafting.frames import draft_section
from fernjax.sim.drafting.kinds import kind_of
from fernjax.sim.drafting.manners import PEOPLE
from fernjax.sim.drafting.nouns import alternatives, questions, synonyms, taken_by_others
from fernjax.sim.drafting.verbs import read_thing, read_verb, singular, stem
from fernjax.sim.grammar import parse_grammar
from fernjax.sim.pools import plain_sentences
from fernjax.sim.tools import TEXT_TYPES, Tool, split_name
from fernjax.sim.types import OUT_OF_SCOPE, UserError
from fernjax.sim.world import Domain

_COMMON = pathlib.Path(__file__).with_name("common.grammar")
_NEGATIVES = pathlib.Path(__file__).with_name("negatives.grammar")
COMMON_SHARE = 0.02
"""A word that more plain sentences than these hold is no key word."""

_TOO_COMMON = frozenset(
    "get list show set check view see find search ask make add put new start stop run read send give take "
    "tell look the and for with that this from into what when where how many much which who was were are is "
    "not all any own later now done only kind day time name user some more other one off guy person thing "
    "place".split()
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
    read = read_tools(document)
    tools, roles, past, notes = read.tools, read.roles, read.past, read.left_out
    needs = {t.name: tuple((a.name,) for a in t.arguments if a.required) for t in tools}
    kinds = draft_pools(tools)
    source = _TEMPLATE.format(
        name=name,
        left_out="\n\nLeft out of the tools:\n" + "\n".join(f"  {note}" for note in notes) if notes else "",
        past=json.dumps(past).replace("[", "(").replace("]", ",)" if len(past) == 1 else ")"),
        description=_literal(read.about or f"The app {name}, drafted from its tools."),
        tools=json.dumps(read.entries, indent=1, ensure_ascii=False)
        .replace("\\", "\\\\")
        .replace('"""', r"\"\"\""),
        roles="".join(f"    {n!r}: {role!r},\n" for n, role in roles.items()).replace("'", '"'),
        needs="".join(f"    {n!r}: {g!r},\n" for n, g in needs.items() if g).replace("'", '"'),
        keywords=_literal(draft_keywords(tools)),
        pools="".join(
            f"    {_pool_name(k)!r}: tuple({', '.join(v)!r}.split(', ')),\n" for k, v in kinds.items()
        ),
        grammar=draft_grammar(name, tools, {k: _pool_name(k) for k in kinds}),
    )
    _check_source(name, source)
    return source


def draft_domain(name: str, document: Any) -> Domain:
    """The app of `draft_module`, without a file.

    Raises:
      UserError: the name or the tools are not in form.
    """
    module: dict[str, Any] = {}
    exec(compile(draft_module(name, document), f"{name}.py", "exec"), module)
    domain: Domain = module["DOMAIN"]
    return domain


def _literal(text: str) -> str:
    """A text in Python's source. JSON's escapes spell a character beyond the BMP as two of Python's."""
    return json.dumps(text, ensure_ascii=False)


def check_name(name: str) -> None:
    """Refuses a name that no module of Python can have.

    Raises:
      UserError: it is none.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name) or keyword.iskeyword(name):
        raise UserError(
            f"{name[:80]!r} is no name for an app: 1 to 64 lower-case letters, digits and _, a letter first"
        )


def _check_source(name: str, source: str) -> None:
    """Refuses a draft that Python or the reader of grammars could not read: a fault of the drafting."""
    module = ast.parse(source, f"{name}.py")
    for node in module.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "GRAMMAR":
            parse_grammar(ast.literal_eval(node.value))


def draft_pools(tools: tuple[Tool, ...]) -> dict[str, tuple[str, ...]]:
    """Values of each kind of thing that the app's texts hold and the package has no pool of."""
    kinds = [kind_of(a) for t in tools for a in t.arguments if a.type in TEXT_TYPES]
    return {kind.name: kind.values for kind in kinds if kind.values}


def _pool_name(kind: str) -> str:
    return f"{kind}_values"


def draft_grammar(name: str, tools: tuple[Tool, ...], pools: Mapping[str, str]) -> str:
    """The app's phrasing, from names and descriptions; `pools` names the app's pool of each kind."""
    callable_ = [t for t in tools if t.name != OUT_OF_SCOPE]
    nouns = dict.fromkeys(singular(read_thing(read_verb(t.name)[1])[0]) for t in callable_)
    parts = [_COMMON.read_text(encoding="utf-8").strip()]
    named = [n for n in nouns if n and n not in STATES and n not in PEOPLE]
    said = (alternatives(n, [w for w in synonyms(n).counted if w not in nouns]) for n in named)
    parts.append(f"<noun> = {' | '.join(f'({s})' for s in said) or name.replace('_', ' ')}")
    asked = questions(callable_)
    parts += [
        draft_section(t, 10, pools, taken_by_others(t, callable_), asked.get(t.name, ())) for t in callable_
    ]
    parts.append(_negatives(callable_))
    return "\n\n".join(parts)


def draft_keywords(tools: tuple[Tool, ...]) -> str:
    """A regular expression of the words that may be the app's business.

    Words that many plain sentences hold say nothing of an app, and would leave none for what is out of scope.
    """
    words: dict[str, None] = {}
    for tool in tools:
        if tool.name == OUT_OF_SCOPE:
            continue
        told = [*split_name(tool.name), *re.findall(r"[a-z]{4,}", tool.description.lower())]
        named = synonyms(read_thing(read_verb(tool.name)[1])[0])
        told += [w for words in (*named.counted, *named.mass) for w in re.findall(r"[a-z]+", words)]
        for a in tool.arguments:
            told += [w for e in find_examples(a.description) for w in e.lower().split()]
            told += [w for c in a.choices if isinstance(c, str) for w in split_name(c)]
        words.update(dict.fromkeys(_key(w) for w in told if len(w) > 2 and w not in _TOO_COMMON))
    kept = [w for w in words if _share(w) <= COMMON_SHARE]
    return "|".join(rf"{re.escape(w)}\w*" for w in kept) or "(?!)"


def _share(stem: str) -> float:
    """The share of plain sentences that hold a word with this stem."""
    words, holders = _plain_words()
    if not stem.isalnum():  # no beginning of one word
        found = re.compile(rf"\b{re.escape(stem)}", re.IGNORECASE)
        return sum(1 for s in plain_sentences() if found.search(s)) / len(plain_sentences())
    first = bisect.bisect_left(words, stem.lower())
    having = itertools.takewhile(lambda w: w.startswith(stem.lower()), itertools.islice(words, first, None))
    return len(set().union(*(holders[w] for w in having))) / len(plain_sentences())


@functools.cache
def _plain_words() -> tuple[list[str], dict[str, set[int]]]:
    """The words of the plain sentences in order, and the sentences that hold each, by index."""
    holders: dict[str, set[int]] = {}
    for index, sentence in enumerate(plain_sentences()):
        for word in re.findall(r"\w+", sentence.lower()):
            holders.setdefault(word, set()).add(index)
    return sorted(holders), holders


def _key(word: str) -> str:
    """What a long word begins with in all its forms; a short one stays whole."""
    return stem(word) if len(word) > 5 else word


def _negatives(tools: list[Tool]) -> str:
    """What no tool is for: how-to questions and negations made of the tools, and other apps' work."""
    frames = []
    for tool in tools:
        verb, rest = read_verb(tool.name)
        thing = read_thing(rest)[0] or "<noun>"
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

The report of a run says what to improve first. In order of worth: the phrasing (`GRAMMAR`, in the language
of `fernjax/sim/grammar.py`: add the ways that people ask for each tool, and near misses under
[out_of_scope]), the values that texts are drawn from (`POOLS`), `NEEDS` and `KEYWORDS`, and, where the
app's answers matter, a `step` of your own in place of `records`.{left_out}
"""

import json

from fernjax.sim import records
from fernjax.sim.tools import parse_tools
from fernjax.sim.world import Domain

ROLES = {{
{roles}}}
"""What each tool does to the app's records: adds, changes, removes or reads."""

PAST = {past}
"""Tools whose days lie behind: what was done and is logged, or looked up."""

NEEDS = {{
{needs}}}
"""Per tool, groups of arguments that the app asks back for; one of each group is enough."""

KEYWORDS = {keywords}
"""What a plain sentence may hold that could be this app's business (a regular expression)."""

POOLS: dict[str, tuple[str, ...]] = {{
{pools}}}
"""Values of your own for the grammar's %pools."""

GRAMMAR = r"""
{grammar}
"""

TOOLS = parse_tools(
    json.loads("""
{tools}
"""),
    reads=tuple(name for name, role in ROLES.items() if role == "reads"),
    past=PAST,
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
