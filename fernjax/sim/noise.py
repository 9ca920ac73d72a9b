"""Noise as people and speech recognisers make it, with every slot's place kept exactly.

Edits are splices of the text outside the slots, each of which moves the spans behind it; inside a slot
nothing changes but case, unless the caller says that it may.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import TypeVar

from fernjax.sim.types import Span

T = TypeVar("T")

WAKE = (
    "hey siri;siri;alexa;hey alexa;ok google;okay google;hey google;google;olly;hey olly;cortana;"
    "hey cortana;bixby;hi bixby;computer;jarvis;pda;echo;assistant;hey assistant;hey there;hi;hello;hey;"
    "yo;excuse me;hey sirius;hey serious;a lexa;alexia;electra;okay goggle;hey goo gull;ollie;oli;holly;"
    "oily;cortina;hey cereal;big sby;hey buddy;listen"
).split(";")
OPENERS = (
    "please;could you please;can you please;can you;could you;would you;would you please;um;uh;er;erm;so;"
    "okay so;okay;ok;well;right;alright;hmm;oh;oh and;and;also;yeah;i mean;actually;look;hey um;so um;"
    "um so;let me see;let's see;i'd like you to;i want you to;i need you to;go ahead and;if you can;"
    "kindly;quickly;just;be a dear and;do me a favor and;do me a favour and"
).split(";")
BARE_OPENERS = (
    "um;uh;er;erm;so;okay so;okay;ok;well;right;alright;hmm;oh;oh and;and;also;yeah;i mean;actually;look;"
    "hey um;so um;um so;let me see;let's see;quick question;sorry;wait;hang on"
).split(";")
FILLERS = ("um;uh;er;erm;like;you know;uhm;uh huh;i mean;well;so;hmm;ah;let me think;what's it called").split(
    ";"
)
FALSE_STARTS = (
    "i want to;i need to;can you;could you;i would;let's;please;i was;what i;the;my;set;i think;what about"
).split(";")
ENDINGS = (
    "please;thanks;thank you;ok;okay;for me;for me please;if you can;pls;cheers;would you;will you;right;"
    "yeah;thanks a lot;thank you very much;got it;alright;please and thank you;ta;if possible;"
    "if that's okay;if you don't mind;that's all;you know;and stuff;or something;i think;there's a dear;"
    "lol"
).split(";")
HEARD_AS = {
    "remind": ("remember", "reminded", "rewind", "re mind", "remain"),
    "reminder": ("remind her", "remainder", "reminders", "reminding"),
    "schedule": ("scheduled", "skedule", "shedule", "schedual"),
    "calendar": ("calender", "colander", "calandar", "calenders"),
    "meeting": ("meating", "meting", "meetings", "meeten"),
    "delete": ("delite", "dilute", "deleted", "de lete"),
    "cancel": ("council", "counsel", "cancels", "cansel"),
    "event": ("invent", "events", "even", "evident"),
    "events": ("event", "invents", "even"),
    "appointment": ("a pointment", "appointments", "apointment", "appointed"),
    "set": ("said", "sit", "sets"),
    "add": ("ad", "at", "had"),
    "put": ("but", "puts"),
    "move": ("moves", "moved", "groove"),
    "book": ("books", "brook"),
    "what's": ("whats", "watts", "what is", "what"),
    "what": ("wat", "watt", "that"),
    "when": ("wen", "win", "then"),
    "there": ("their", "they're"),
    "their": ("there",),
    "you're": ("your",),
    "your": ("you're", "ur"),
    "my": ("mine", "mi", "me"),
    "list": ("least", "lists", "lest"),
    "show": ("so", "shows"),
    "have": ("of", "has", "got"),
    "with": ("wit", "which", "width"),
    "is": ("his", "are", "iz"),
    "are": ("our", "is", "r"),
    "do": ("does", "due"),
    "does": ("do", "dose"),
    "make": ("making", "mate"),
    "create": ("great", "creates", "crate"),
    "tell": ("tel", "tall"),
    "change": ("chain", "changes"),
    "free": ("freed", "fee"),
    "clear": ("clean", "clears"),
    "need": ("knead", "kneed", "needs"),
    "know": ("no", "kno"),
    "it": ("hit", "its"),
    "any": ("and he", "many"),
    "and": ("an", "&", "end"),
    "the": ("da", "de", "teh"),
    "to": ("too", "ta"),
}
SHORT = {
    "you": "u",
    "your": "ur",
    "please": "pls",
    "with": "w/",
    "are": "r",
    "and": "&",
    "because": "cuz",
    "want": "wanna",
    "people": "ppl",
    "about": "abt",
    "what": "wat",
    "meeting": "mtg",
    "appointment": "appt",
    "schedule": "sched",
    "thanks": "thx",
    "message": "msg",
    "okay": "k",
    "reminder": "rmdr",
    "calendar": "cal",
    "i'm": "im",
    "have": "hv",
    "going": "gonna",
}
DROPPABLE = frozenset("a an the my to for on at of in me i is do that please up".split())
NEIGHBOURS = dict(
    zip(
        "qwertyuiopasdfghjklzxcvbnm",
        "wa qes wrd etf ryg tuh yij uok ipl ol qsz adwx sfex "
        "dgrc fhtv gjyb hkun jlim ko xa zcs xvd cbf vng bmh nj".split(),
        strict=True,
    )
)
"""Keys beside each key of a keyboard."""


def add_noise(
    rng: random.Random,
    text: str,
    spans: list[Span],
    level: float,
    protected: Collection[int] | None = None,
) -> tuple[str, list[Span]]:
    """A noisy version of a sentence, and where its slots are in it.

    Args:
      rng: the only source of chance.
      text: the sentence.
      spans: `[start, end)` of its slots; they may nest or be equal.
      level: 0 leaves the sentence alone; 1 makes about three edits; 3 is the worst.
      protected: indexes of the spans inside which only case may change; None for all of them. In the
        others letters and apostrophes may be lost too, words are neither added nor taken away.

    Returns:
      The text and the spans, in the order given.
    """
    if level <= 0 or not text:
        return text, list(spans)
    edit = _Edit(text, spans, protected)
    count = int(level * 3 * rng.random() + level * 1.5 * rng.random() + 0.5)
    for _ in range(count):
        _KINDS[int(rng.random() * len(_KINDS))](rng, edit)
    if rng.random() < 0.6 * min(level, 1.0):
        _recase(rng, edit)
    return edit.text, edit.spans


class _Edit:
    """A text with its spans, and the places where it may be changed."""

    def __init__(self, text: str, spans: list[Span], protected: Collection[int] | None):
        self.text = text
        self.spans = list(spans)
        self.protected = range(len(spans)) if protected is None else protected

    def splice(self, start: int, end: int, new: str) -> None:
        """Replaces `[start, end)`; a span around it grows or shrinks, one behind it moves."""
        self.text = self.text[:start] + new + self.text[end:]
        by = len(new) - (end - start)
        self.spans = [
            (s, e) if e <= start else (s + by, e + by) if s >= end else (s, e + by) for s, e in self.spans
        ]

    def words(self, inside: bool = False) -> list[Span]:
        """Words that may be changed: those that touch no span, or (`inside`) no protected one."""
        if not inside or len(self.protected) == len(self.spans):
            fixed = self.spans
        else:
            fixed = [self.spans[i] for i in self.protected]
        found = []
        at = 0
        for word in self.text.split(" "):
            end = at + len(word)
            if word:
                for s, e in fixed:
                    if s < end and at < e:
                        break
                else:
                    found.append((at, end))
            at = end + 1
        return found

    def gaps(self) -> list[int]:
        """Starts of words before which something may be put: not the first word, not inside a span."""
        found = []
        at = self.text.find(" ") + 1
        while at > 0:
            for s, e in self.spans:
                if s < at < e:
                    break
            else:
                found.append(at)
            at = self.text.find(" ", at) + 1
        return found


def _pick(rng: random.Random, values: Sequence[T]) -> T:
    return values[int(rng.random() * len(values))]


def _one_word(rng: random.Random, edit: _Edit, inside: bool = False) -> tuple[int, int, str] | None:
    words = edit.words(inside)
    if not words:
        return None
    start, end = _pick(rng, words)
    return start, end, edit.text[start:end]


def _wake(rng: random.Random, edit: _Edit) -> None:
    edit.splice(0, 0, _pick(rng, WAKE) + (", " if rng.random() < 0.3 else " "))


def _opener(rng: random.Random, edit: _Edit) -> None:
    first = edit.text.split(" ", 1)[0].lower()
    asks = first in _ASKING or any(s == 0 for s, _ in edit.spans)
    edit.splice(0, 0, _pick(rng, BARE_OPENERS if asks else OPENERS) + (", " if rng.random() < 0.15 else " "))


_ASKING = frozenset(
    "what what's whats when when's where who which how why is are am do does did have has can could would "
    "will please i i'm i'd my the a any hey hi olly alexa siri um uh so ok okay".split()
)


def _ending(rng: random.Random, edit: _Edit) -> None:
    end = len(edit.text)
    mark = edit.text[-1] if edit.text[-1] in ".?!" and not any(e == end for _, e in edit.spans) else ""
    edit.splice(end - len(mark), end, (", " if rng.random() < 0.3 else " ") + _pick(rng, ENDINGS) + mark)


def _filler(rng: random.Random, edit: _Edit) -> None:
    gaps = edit.gaps()
    if gaps:
        at = _pick(rng, gaps)
        edit.splice(at, at, _pick(rng, FILLERS) + (", " if rng.random() < 0.15 else " "))


def _repeat(rng: random.Random, edit: _Edit) -> None:
    """ "remind remind me", "can you can you" """
    words = edit.words()
    if not words:
        return
    index = int(rng.random() * len(words))
    start, end = words[index]
    if rng.random() < 0.4 and index + 1 < len(words) and words[index + 1][0] == end + 1:
        end = words[index + 1][1]
    edit.splice(start, start, edit.text[start:end].rstrip(",.?!") + " ")


def _false_start(rng: random.Random, edit: _Edit) -> None:
    head = edit.text.split(" ", 2)
    if rng.random() < 0.5 and len(head) > 1 and not any(s < len(head[0]) for s, _ in edit.spans):
        start = head[0][: max(2, int(len(head[0]) * rng.random()))]
    else:
        start = _pick(rng, FALSE_STARTS)
    edit.splice(0, 0, start + _pick(rng, (" ", ", ", " no ", " um ", "... ", " sorry ", " uh ")))


def _typo(rng: random.Random, edit: _Edit) -> None:
    picked = _one_word(rng, edit, inside=True)
    if picked is None or len(picked[2]) < 3 or not picked[2].isalpha():
        return
    start, _, word = picked
    at = 1 + int(rng.random() * (len(word) - 2))  # the first letter stays, as it mostly does
    here = start + at
    kind = rng.random()
    if kind < 0.3:
        edit.splice(here, here + 2, word[at + 1] + word[at])
    elif kind < 0.55:
        edit.splice(here, here + 1, "")
    elif kind < 0.75:
        edit.splice(here, here + 1, word[at] * 2)
    else:
        near = NEIGHBOURS.get(word[at].lower())
        if near:
            edit.splice(here, here + 1, _pick(rng, near))


def _sloppy(rng: random.Random, edit: _Edit) -> None:
    """Several words mistyped: "shwo me al my lsits"."""
    for _ in range(2 + int(rng.random() * 3)):
        _typo(rng, edit)


def _apostrophe(rng: random.Random, edit: _Edit) -> None:
    """Drops an apostrophe ("whats", "moms")."""
    for start, end in edit.words(inside=True):
        at = edit.text.find("'", start, end)
        if at > start and at < end - 1:
            edit.splice(at, at + 1, "")
            return


def _drop(rng: random.Random, edit: _Edit) -> None:
    """Drops a small word that stands outside the slots."""
    small = [w for w in edit.words() if edit.text[w[0] : w[1]].lower() in DROPPABLE]
    if small:
        start, end = _pick(rng, small)
        if end < len(edit.text):
            edit.splice(start, end + 1, "")


def _mishear(rng: random.Random, edit: _Edit) -> None:
    known = [w for w in edit.words() if edit.text[w[0] : w[1]].lower() in HEARD_AS]
    if known:
        start, end = _pick(rng, known)
        edit.splice(start, end, _pick(rng, HEARD_AS[edit.text[start:end].lower()]))


def _shorten(rng: random.Random, edit: _Edit) -> None:
    for start, end in reversed(edit.words()):
        short = SHORT.get(edit.text[start:end].lower())
        if short:
            edit.splice(start, end, short)


def _punctuate(rng: random.Random, edit: _Edit) -> None:
    """Adds, takes away or doubles marks between words."""
    end = len(edit.text)
    kind = rng.random()
    if edit.text[-1] in ".?!,":
        if not any(e == end for _, e in edit.spans):
            edit.splice(end - 1, end, "" if kind < 0.7 else edit.text[-1] * 2)
    elif kind < 0.75:
        edit.splice(end, end, _pick(rng, (".", ".", "?", "!", "??", "...")))
    else:
        gaps = [g - 1 for g in edit.gaps() if edit.text[g - 2].isalnum()]
        if gaps:
            at = _pick(rng, gaps)
            edit.splice(at, at, ",")


def _join(rng: random.Random, edit: _Edit) -> None:
    """Doubles a blank, or loses one between two words outside the slots."""
    words = edit.words()
    if rng.random() < 0.4:
        gaps = edit.gaps()
        if gaps:
            at = _pick(rng, gaps)
            edit.splice(at, at, " ")
        return
    pairs = [(a, b) for a, b in zip(words, words[1:], strict=False) if b[0] == a[1] + 1]
    if pairs:
        first, second = _pick(rng, pairs)
        edit.splice(first[1], second[0], "")


def _recase(rng: random.Random, edit: _Edit) -> None:
    kind = rng.random()
    text = edit.text
    if kind < 0.6:
        new = text.lower()
    elif kind < 0.75:
        new = text[:1].upper() + text[1:]
    elif kind < 0.87:
        new = text.upper()
    elif kind < 0.95:
        new = " ".join(w[:1].upper() + w[1:] for w in text.split(" "))
    else:
        new = text.swapcase()
    if len(new) == len(text):  # "ß".upper() is longer: such a text keeps its case
        edit.text = new


_KINDS = (
    *(_wake,) * 5,
    *(_opener,) * 5,
    *(_ending,) * 4,
    *(_filler,) * 5,
    *(_repeat,) * 3,
    *(_false_start,) * 3,
    *(_typo,) * 6,
    *(_sloppy,) * 2,
    *(_apostrophe,) * 3,
    *(_drop,) * 4,
    *(_mishear,) * 3,
    *(_shorten,) * 3,
    *(_punctuate,) * 5,
    *(_join,) * 1,
)
"""Kinds of noise, each as often as it is listed."""
