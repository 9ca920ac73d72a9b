"""Mail addresses and handles, written ("ana@example.org", "@ana") and spoken ("ana at example dot org")."""

from __future__ import annotations

from fernjax.sim.mentions.lexicon import ONES
from fernjax.sim.mentions.sentence import Sentence
from fernjax.sim.mentions.tokens import Atom

_LONGEST = 24
"""Words of a local part or a domain."""

_CONNECTORS = {
    "dot": ".", "period": ".", "underscore": "_", "dash": "-", "hyphen": "-", "minus": "-", "plus": "+",
}  # fmt: skip
_LOCAL_MARKS = frozenset("._+-%&~")
_TOP_LEVEL = frozenset(
    """com org net edu gov mil int info biz io co me dev app ai tv us uk ca au nz ie de fr es it nl be ch
    at se no dk fi pl pt cz gr ru ua tr in cn jp kr br mx ar za il eu xyz online site shop tech cloud
    name example test""".split()
)
_NO_LOCALS = frozenset(
    """it me us him her them you look looking looked meet meeting see arrive arriving order ordered shop
    shopping buy buying bought available found find sale sales out up down over here there be am is are
    was were not work working live lives stay deal deals item items this that these those one on at in
    to and or class classes read posted online prices price happened sold stuff something anything
    things time""".split()
)
_NO_HANDLES = frozenset(ONES) | {"noon", "midnight", "midday", "half", "quarter", "am", "pm", "a", "the"}


def read_email(s: Sentence, i: int) -> Atom | None:
    """An address from its "@" or its spoken "at"."""
    words = s.t.words
    spoken = words[i] == "at"
    begin = i + 1 + (spoken and words[i + 1] == "sign")
    if not i or (not spoken and not (s.t.glued(i) and s.t.glued(i + 1))):
        return None
    domain, j, domain_spoken = _read_domain(s, begin)
    if not domain:
        return None
    local, first, local_spoken = _read_local(s, i)
    if not local:
        return None
    if spoken and not domain_spoken and not local_spoken and words[j - 1] not in _TOP_LEVEL:
        return None
    if spoken and not local_spoken and words[first] in _NO_LOCALS and first == i - 1:
        return None
    return Atom("email", first, j, f"{local}@{domain}", None, (), "address")


def _read_domain(s: Sentence, i: int) -> tuple[str, int, bool]:
    """Labels joined by dots from word i on: the domain, the index after it, whether a dot was spoken."""
    t, words = s.t, s.t.words
    out, j, spoken, labels = "", i, False, 0
    while j < i + _LONGEST:
        label, end = _read_label(s, j)
        if not label:
            break
        out, j, labels = out + label, end, labels + 1
        if words[j] == "." and t.glued(j) and t.glued(j + 1) and words[j + 1][:1].isalnum():
            mark = j + 1
        elif words[j] == "dot" and words[j + 1][:1].isalnum():
            mark, spoken = j + 1, True
        else:
            break
        if not _read_label(s, mark)[0]:
            break
        out, j = out + ".", mark
    top = out.rpartition(".")[2]
    if (
        labels < 2
        or not top.isalpha()
        or len(top) < 2
        or not out[0].isalnum()
        or out.replace(".", "").isdigit()
    ):
        return "", i, False
    return out, j, spoken


def _read_label(s: Sentence, i: int) -> tuple[str, int]:
    """One label of a domain: letters, digits and dashes, written or spoken."""
    t, words = s.t, s.t.words
    if not words[i][:1].isalnum() or not words[i].isalnum():
        return "", i
    j = i + 1
    out = s.said(i, j)
    while j < i + 8:
        if words[j].isalnum() and t.glued(j):
            out, j = out + s.said(j, j + 1), j + 1
        elif words[j + 1].isalnum() and (
            (words[j] == "-" and t.glued(j) and t.glued(j + 1))
            or (words[j] in ("dash", "hyphen") and words[j + 2] in ("dot", "."))
        ):
            out, j = out + "-" + s.said(j + 1, j + 2), j + 2
        else:
            break
    return out, j


def _read_local(s: Sentence, i: int) -> tuple[str, int, bool]:
    """What stands before the "@" or "at" at word i: the local part, its first word, whether it was spoken."""
    t, words = s.t, s.t.words
    out, k, spoken = "", i, False
    while k > 0 and i - k < _LONGEST:
        word = words[k - 1]
        glued = t.glued(k) if k < i or words[i] == "@" else k == i
        marked = word in _LOCAL_MARKS or word in ("a.m", "p.m")
        if (word.isalnum() and (glued or k == i)) or (marked and t.glued(k) and out):
            out, k = s.said(k - 1, k) + out, k - 1
        elif word in _CONNECTORS and k > 1 and words[k - 2].isalnum() and out and not t.glued(k):
            out, k, spoken = s.said(k - 2, k - 1) + _CONNECTORS[word] + out, k - 2, True
        elif (
            out.isdigit()
            and word.isalpha()
            and k > 2
            and words[k - 2] in _CONNECTORS
            and words[k - 3].isalnum()
        ):
            out, k = s.said(k - 1, k) + out, k - 1  # "bob underscore builder 62 at"
        else:
            break
    if not out[:1].isalnum() or out[-1:] in ".":
        return "", i, False
    if words[i] == "@" and not s.t.glued(i):
        return "", i, False
    return out, k, spoken


def read_handle(s: Sentence, i: int) -> Atom | None:
    """`@ana`, `@lena_k`, `@j.doe`."""
    t, words = s.t, s.t.words
    if not t.glued(i + 1) or (t.glued(i) and (words[i - 1][-1:].isalnum() or words[i - 1] in "@._-")):
        return None
    word = words[i + 1]
    if not (word[0].isalpha() or word == "_") or word in _NO_HANDLES:
        return None
    j = i + 2
    while j < i + _LONGEST and t.glued(j):
        inner = words[j] in (".", "-") and t.glued(j + 1) and words[j + 1][:1].isalnum()
        if not (words[j].isalnum() or words[j] == "_" or inner):
            break
        j += 1
    value = s.said(i + 1, j)
    return Atom("handle", i, j, value, None, (), "address") if value.strip("_") else None
