"""What any model must beat: always abstaining, extractor and keywords alone, TF-IDF with logistic regression.

None of them knows an app: tools are known by the words of their names and descriptions or by generated
sentences, structured arguments are filled by type from the extractor's mentions, and free text is the words
that are left.
"""

from __future__ import annotations

import collections
import math
import re
from collections.abc import Sequence
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from fernjax.sim.copied import copied_value
from fernjax.sim.mentions import extract
from fernjax.sim.resolve import TAKES, in_order, kinds_of, kinds_to_show, resolve
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.types import OUT_OF_SCOPE, Call, Mention, Prediction, Query, Scenario
from fernjax.sim.world import Domain

MAX_FEATURES = 10_000

STOP = frozenset(
    """a an the my our your this that some any all of for in on at to from by with about and or is are am be
    i me we you it do does did can could would will shall should please have has had what when where who how
    which there if so just hey hi hello ok okay up let lets need want like know tell not no new one""".split()
)


class Abstain:
    """Abstains from everything."""

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return [_abstained(1.0) for _ in queries]


class ExtractorBaseline:
    """The tool whose name and description share the rarest words with the sentence; none: it abstains."""

    NAME_WEIGHT = 3.0

    def __init__(self, domain: Domain):
        self._domain = domain
        self._weight: dict[str, dict[str, float]] = collections.defaultdict(dict)
        tools = [t for t in domain.tools if t.name != OUT_OF_SCOPE]
        named = {t.name: _stems(t.name.replace("_", " ")) for t in tools}
        described = {t.name: _stems(t.description) for t in tools}
        for tool in tools:
            for word in named[tool.name] | described[tool.name]:
                among = sum(word in named[t.name] | described[t.name] for t in tools)
                weight = math.log((len(tools) + 1) / among)
                self._weight[word][tool.name] = weight * (
                    self.NAME_WEIGHT if word in named[tool.name] else 1.0
                )

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return [self._answer(query) for query in queries]

    def _answer(self, query: Query) -> Prediction:
        score: dict[str, float] = collections.defaultdict(float)
        for word in sorted(_stems(query.text)):  # in one order: sums of floats depend on it
            for tool, weight in self._weight.get(word, {}).items():
                score[tool] += weight
        if not score:
            return _abstained(1.0)
        name = max(sorted(score), key=lambda tool: score[tool])
        return fill(self._domain, name, query, score[name] / sum(score.values()))


class TfidfBaseline:
    """Logistic regression on TF-IDF of words and pairs of words, mentions replaced by their kinds.

    It learns from the generated sentences with one call, which is what it answers with.
    """

    def __init__(self, domain: Domain, scenarios: Sequence[Scenario], seed: int = 0):
        self._domain = domain
        self._kinds = kinds_of(domain.tools)
        self._features = TfidfVectorizer(
            ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"[^\s]+", max_features=MAX_FEATURES
        )
        self._model = LogisticRegression(C=10.0, tol=1e-3, max_iter=100, random_state=seed)
        single = [s for s in scenarios if len(s.row.calls) == 1]
        texts = [_masked(s.row.query.text, s.mentions) for s in single]
        names = [next(iter(s.row.calls[0])) for s in single]
        # A recipe of one tool leaves nothing to tell apart.
        self._only = None if len(set(names)) > 1 else next(iter(names), OUT_OF_SCOPE)
        if self._only is None:
            self._model.fit(self._features.fit_transform(texts), names)

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        if not queries:
            return []
        if self._only is not None:
            return [fill(self._domain, self._only, query, 1.0) for query in queries]
        texts = [_masked(q.text, extract(q.text, q.now, self._kinds)) for q in queries]
        sure = self._model.predict_proba(self._features.transform(texts))
        best = sure.argmax(axis=1)
        return [
            fill(self._domain, str(self._model.classes_[tool]), query, float(chances[tool]))
            for query, tool, chances in zip(queries, best, sure, strict=True)
        ]


def fill(domain: Domain, name: str, query: Query, confidence: float) -> Prediction:
    """A call of one tool, its arguments filled by rule; abstaining where the tool is `out_of_scope`."""
    tool = domain.tool(name)
    if tool is None or name == OUT_OF_SCOPE:
        return _abstained(confidence)
    mentions = extract(query.text, query.now, kinds_to_show(domain.tools))
    arguments, used = _fill_structured(tool, query, mentions)
    arguments |= _fill_choices(tool, query.text)
    arguments |= _fill_channels(tool, query.text, mentions)
    known = _stems(f"{name.replace('_', ' ')} {tool.description}")
    arguments |= _fill_text(tool, query.text, used, known, mentions)
    call = Call(name, {a.name: arguments[a.name] for a in tool.arguments if a.name in arguments})
    return Prediction((call,), domain.missing(call), "call", confidence)


_WORD = re.compile(r"[^\W_]+(?:['’:.@-][^\W_]+)*")


def _abstained(confidence: float) -> Prediction:
    return Prediction((Call(OUT_OF_SCOPE),), (), "abstained", confidence)


def _fill_structured(
    tool: Tool, query: Query, mentions: Sequence[Mention]
) -> tuple[dict[str, Any], list[Mention]]:
    """Each structured argument takes the next mention that fits it and that no other of its type has taken.

    Of two arguments of one type, old and new, a single mention is the new one; of two mentions the first is
    the old one, and of a span "from friday to monday" the start is.
    """
    arguments: dict[str, Any] = {}
    used: list[Mention] = []
    by_type: dict[str, list[Argument]] = collections.defaultdict(list)
    for argument in tool.arguments:
        if argument.type in TAKES:
            by_type[argument.type].append(argument)
    for type_ in sorted(by_type, key=lambda t: t.startswith("end_")):
        of_type = by_type[type_]
        found = [
            i
            for i, m in enumerate(mentions)
            if any(resolve(m, a, tool, query.now, mentions) for a in of_type)
        ]
        fitting = [mentions[i] for i in in_order(of_type[0], mentions, found, used)]
        if type_.startswith("end_"):  # the end of a range, or a second mention
            fitting = [m for m in fitting if isinstance(m.value, dict) or m not in used]
        wanted = sorted(of_type, key=lambda a: a.new)
        shared = len(fitting) == 1 and len(wanted) > 1 and _has_two_ends(fitting[0], query.text)
        if shared:
            fitting = fitting * len(wanted)
        for argument, mention in zip(wanted[-len(fitting) :], fitting, strict=False):
            values = resolve(mention, argument, tool, query.now, mentions, shared)
            if values:
                arguments[argument.name] = values[0]
                used.append(mention)
    return arguments, used


def _has_two_ends(mention: Mention, text: str) -> bool:
    """Whether a span names where it starts and where it ends, as "next week" does not."""
    words = text[mention.start : mention.end].lower().split()
    return isinstance(mention.value, dict) and ("to" in words or "till" in words)


def _fill_choices(tool: Tool, text: str) -> dict[str, Any]:
    """Enum values whose words are said."""
    said = _stems(text)
    out = {}
    for argument in tool.arguments:
        if argument.type == "choice":
            for choice in argument.choices:
                if isinstance(choice, str) and _stems(choice.replace("_", " ")) <= said:
                    out[argument.name] = choice
                    break
    return out


def _fill_channels(tool: Tool, text: str, mentions: Sequence[Mention]) -> dict[str, Any]:
    """The first channel that is said as one ("#ops")."""
    said = next((m for m in mentions if m.kind == "channel"), None)
    named = next((a for a in tool.arguments if a.type == "channel"), None)
    if said is None or named is None:
        return {}
    return {named.name: said.value}


def _fill_text(
    tool: Tool, text: str, used: Sequence[Mention], known: frozenset[str], mentions: Sequence[Mention]
) -> dict[str, Any]:
    """People after "with" for a list, and the longest run of other words for the first free text.

    Args:
      used: mentions that other arguments took; their words are no text.
      known: stems of the tool's own words, which are dropped at the ends of a run.
      mentions: all of the sentence; an address among them is a value.
    """
    out: dict[str, Any] = {}
    runs = _runs(text, used)
    people = next((a for a in tool.arguments if a.type == "texts"), None)
    for number, run in enumerate(runs):
        at = [i for i, word in enumerate(run) if word.group().lower() == "with"]
        company = _trim(run[at[0] + 1 :], frozenset()) if at else []
        if people is not None and company:
            words = text[company[0].start() : company[-1].end()]
            out[people.name] = [who.strip() for who in re.split(r",|\band\b", words) if who.strip()]
            runs[number] = run[: at[0]]
            break
    free = next((a for a in tool.arguments if a.type == "text"), None)
    trimmed = [run for run in (_trim(run, known) for run in runs) if run]
    if free is not None and trimmed:
        longest = max(trimmed, key=len)
        out[free.name] = copied_value(free, text, (longest[0].start(), longest[-1].end()), mentions)
    return out


def _runs(text: str, used: Sequence[Mention]) -> list[list[re.Match[str]]]:
    """Words in a row that no used mention interrupts."""
    runs: list[list[re.Match[str]]] = [[]]
    for word in _WORD.finditer(text):
        if any(m.start < word.end() and word.start() < m.end for m in used):
            if runs[-1]:
                runs.append([])
        else:
            runs[-1].append(word)
    return runs


def _trim(run: list[re.Match[str]], known: frozenset[str]) -> list[re.Match[str]]:
    def drops(word: re.Match[str]) -> bool:
        lower = word.group().lower()
        return lower in STOP or _stem(lower) in known

    start, end = 0, len(run)
    while start < end and drops(run[start]):
        start += 1
    while start < end and drops(run[end - 1]):
        end -= 1
    return run[start:end]


def _masked(text: str, mentions: Sequence[Mention]) -> str:
    """Lower-case words with each mention replaced by its kind."""
    out, at = [], 0
    for mention in sorted(mentions, key=lambda m: m.start):
        if mention.start >= at:
            out += [text[at : mention.start], f" <{mention.kind}> "]
            at = mention.end
    masked = "".join([*out, text[at:]]).lower()
    return " ".join(re.findall(r"<\w+>|[^\W_]+(?:'[^\W_]+)*", masked))


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(w) for w in re.findall(r"[^\W_]+", text.lower()) if w not in STOP)


def _stem(word: str) -> str:
    """A word without its commonest endings: "reminders" and "reminding" share "remind"."""
    for ending in ("ers", "ing", "er", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
