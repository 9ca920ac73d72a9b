"""Channels of a chat: "#design-review", "hash design dash review", "the design review channel"."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import BOUNDARY, ONES, TENS
from fernjax.sim.mentions.numbers import read_integer
from fernjax.sim.mentions.sentence import Sentence
from fernjax.sim.mentions.tokens import Atom

HEADS = frozenset({"#", "hash", "hashtag", "channel", "chanel"})
_JOINTS = frozenset({"dash", "hyphen", "underscore", "minus", "-", "_"})
_NOT_HASHED = frozenset({"brown", "browns", "out", "it", "map", "table", "function", "key", "value", "code"})
_LONGEST = 4
_STOPS = BOUNDARY | frozenset(
    """# hash hashtag post posts posted message messages mute unmute silence pin unpin search create make
    made start open join leave invite add get put drop send write tell say saying says call called named
    new private public secret this which what every all whole main same other another our your their his
    her its s 's we they he she you i us them him me let lets delete archive rename mention mentions
    stick share look up find show list read check quiet schedule stop turn notify ping remind remove
    kick using via inside within at there here channel chanel channels youtube tv news discovery us uk
    said posting writing looking set switch change next previous last first team's latest everyone
    everybody people who whom whose a an the is are was were will has have had be been radio favorite
    favourite good best fm pandora guide""".split()
)  # fmt: skip
_VERBS = frozenset("is are was were will has have had should can could".split())
_QUOTES = frozenset("'\"“”")


def read_channel(s: Sentence, i: int) -> Atom | None:
    """A channel from its "#", its "hash", or the word "channel" beside its name."""
    word = s.t.words[i]
    if word == "#":
        return _read_hashed(s, i)
    if word in ("hash", "hashtag"):
        return _read_spoken(s, i)
    return _read_before(s, i) or _read_after(s, i)


def _channel(i: int, j: int, parts: list[str]) -> Atom:
    return Atom("channel", i, j, "-".join(parts), None, (), "name")


def _read_hashed(s: Sentence, i: int) -> Atom | None:
    """`#design-review`, `#q2-planning`: what is glued to the sign, unless it is all digits."""
    t, words = s.t, s.t.words
    if not t.glued(i + 1) or (t.glued(i) and words[i - 1][-1:].isalnum()):
        return None
    j = _glued_end(s, i + 1)
    value = s.said(i + 1, j).lower() if j > i + 1 else ""
    if not value or value.replace("-", "").isdigit() or not any(c.isalpha() for c in value):
        return None
    named = words[j] in ("channel", "chanel")
    return Atom("channel", i, j + named, value, None, (), "name")


def _glued_end(s: Sentence, i: int) -> int:
    """One past the last word of a written name that begins at word i; i where none does."""
    t, words = s.t, s.t.words
    if not words[i][:1].isalnum():
        return i
    j = i + 1
    while j < i + 16 and t.glued(j):
        if words[j] in ("-", "_"):
            if not (t.glued(j + 1) and words[j + 1][:1].isalnum()):
                break
        elif not words[j].isalnum():
            break
        j += 1
    return j


def _read_spoken(s: Sentence, i: int) -> Atom | None:
    """`hash standup`, `hash q two dash planning`, `hash design review channel`."""
    t, words = s.t, s.t.words
    parts: list[str] = []
    j, joined = i + 1, True
    while len(parts) < _LONGEST:
        part, end = _read_part(s, j)
        if not part or (not parts and words[j] in _NOT_HASHED):
            break
        parts, j = [*parts, part], end
        joined = words[j] in _JOINTS and (words[j] not in "-_" or not t.glued(j))
        if not joined:
            break
        j += 1
    if not parts:
        return None
    j -= joined and len(parts) < _LONGEST
    for k in range(j, j + 3):  # the name may be several words before "channel"
        if words[k] in ("channel", "chanel"):
            return _channel(i, k + 1, [*parts, *words[j:k]])
        if words[k] in _STOPS or not words[k].isalpha():
            break
    return _channel(i, j, parts)


def _read_part(s: Sentence, j: int) -> tuple[str, int]:
    """One part of a spoken name: a word, or a letter with the number said behind it ("q two")."""
    words = s.t.words
    word = words[j]
    if not word.isalnum() or word in BOUNDARY:
        return "", j
    if len(word) == 1 and word.isalpha() and (words[j + 1] in ONES or words[j + 1].isdigit()):
        read = read_integer(s.t, j + 1)
        if read is not None:
            return f"{word}{read[0]}", read[1]
    if word in ONES or word in TENS:
        read = read_integer(s.t, j)
        return (str(read[0]), read[1]) if read else ("", j)
    end = _glued_end(s, j)
    return s.said(j, end).lower(), end


def _read_before(s: Sentence, i: int) -> Atom | None:
    """`the design review channel`, `incident-0303 channel`."""
    t, words = s.t, s.t.words
    parts: list[str] = []
    k = i
    if k and words[k - 1] in _QUOTES:
        k -= 1
    end = k
    while k and len(parts) < _LONGEST:
        first = k - 1
        while (
            first
            and end - first < 16
            and t.glued(first)
            and (words[first - 1].isalnum() or words[first - 1] in "-_")
        ):
            first -= 1
        word = words[k - 1]
        if not word.isalnum() or not words[first].isalnum() or (first == k - 1 and word in _STOPS):
            break
        if first == k - 1 and not word.isalpha():
            break
        parts.insert(0, s.said(first, k).lower())
        k = first
    if not parts:
        return None
    return _channel(k, i + 1, parts)


def _read_after(s: Sentence, i: int) -> Atom | None:
    """`the channel design review`, `a new channel called road-map`, `channel 'kids-party-ideas'`."""
    words = s.t.words
    j = i + 1
    j += words[j] in ("called", "named", ":")
    quoted = words[j] in _QUOTES and words[j] != ""
    j += quoted
    parts: list[str] = []
    while len(parts) < _LONGEST - 1:
        end = _glued_end(s, j)
        if end == j or (end == j + 1 and (words[j] in _STOPS or not words[j].isalpha())):
            break
        hyphened = end > j + 1
        if hyphened and parts:
            break
        parts, j = [*parts, s.said(j, end).lower()], end
        if hyphened:
            break
    if not parts or words[j] in _VERBS or (words[j][:1].isalpha() and words[j] not in _STOPS and not quoted):
        return None
    return _channel(i, j + (quoted and words[j] in _QUOTES), parts)
