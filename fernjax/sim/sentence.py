"""A sentence while it is made: its words, and which of them say which argument."""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import Any


@dataclasses.dataclass(slots=True)
class Said:
    """A stretch of the sentence, `words[first:last]`, that says an argument."""

    call: int
    argument: str
    first: int
    last: int
    values: list[Any]


@dataclasses.dataclass(slots=True)
class Sentence:
    """Words in order (an entry may be several; "~" first joins it to the one before), and what they say."""

    words: list[str]
    said: list[Said]
    tools: list[str]
    template: str
    asides: list[tuple[int, int]] = dataclasses.field(default_factory=list)  # taken back: `words[a:b]`
    on_subject: bool = False  # says the subject that the phraser was given

    def skeleton(self) -> str:
        """The words with each slot replaced by its argument's name."""
        out = []
        inside = {i: s.argument for s in self.said for i in range(s.first, s.last)}
        inside |= {i: "aside" for a, b in self.asides for i in range(a, b)}
        last = None
        for i, word in enumerate(self.words):
            name = inside.get(i)
            if name is None:
                out.append(word)
            elif name != last:
                out.append("{" + name + "}")
            last = name
        return re.sub(r"\s+", " ", " ".join(out).replace(" ~", "")).strip().lower()

    def render(self) -> tuple[str, list[tuple[int, int]]]:
        """The text, and the character span of each entry of `said`."""
        starts, ends, text = [], [], ""
        words = self.words
        joins = False
        for i, word in enumerate(words):
            if word.startswith("~"):
                word, joins = word[1:], word == "~"
            elif text and word:
                text += "" if joins else " "
                joins = False
            if word == "a" and i + 1 < len(words) and words[i + 1][:1].lower() in _VOWELS and words[i + 1]:
                word = "an"
            starts.append(len(text))
            text += word
            ends.append(len(text))
        spans = []
        for s in self.said:
            first = next((i for i in range(s.first, s.last) if ends[i] > starts[i]), s.first)
            spans.append((starts[first], ends[s.last - 1]))
        return text, spans


_VOWELS = frozenset("aeio")


_DETERMINERS = frozenset(
    ("the", "a", "an", "my", "our", "this", "that", "any", "another", "some", "his", "her")
)
_NEXT = _DETERMINERS - {"this", "that", "any", "another", "some"}
_DOUBLED = re.compile(rf"\b(?:{'|'.join(sorted(_DETERMINERS))}) (?=(?:{'|'.join(sorted(_NEXT))}) )")


def together(words: list[str]) -> str:
    """Words of one value as one string; of two determiners in a row the second stays."""
    return _DOUBLED.sub("", " ".join(w for w in words if w).replace(" ~ ", "").replace(" ~", ""))


def undouble(words: list[str], first: int = 0) -> None:
    """Blanks a determiner that stands before another ("my the team meeting"), from `words[first]` on."""
    after = ""
    for i in range(len(words) - 1, first - 1, -1):
        if words[i] in _DETERMINERS and after in _NEXT:
            words[i] = ""
        elif words[i]:
            after = words[i].split(" ", 1)[0]


def drop_blanks(sentence: Sentence) -> None:
    """Takes empty entries out; the stretches of `said` and `asides` move along."""
    keep = [bool(w) for w in sentence.words]
    at = [0, *itertools.accumulate(keep)]
    sentence.said = [Said(s.call, s.argument, at[s.first], at[s.last], s.values) for s in sentence.said]
    sentence.asides = [(at[a], at[b]) for a, b in sentence.asides]
    sentence.words = [w for w, k in zip(sentence.words, keep, strict=True) if k]
