"""What plain sentences are good for without any label: negatives, titles of reminders, noun phrases.

Each is a filter over `fernjax.sim.pools.plain_sentences` by words alone, so that no one's annotation enters.
"""

from __future__ import annotations

import functools
import re

from fernjax.sim.pools import plain_sentences

BASE_VERBS = frozenset(
    "activate adjust answer apply archive arrange ask bake begin bill block book borrow brew brighten "
    "bring brush build buy calculate call change charge check clean clear close collect compare "
    "complain compose connect contact convert cook copy count cut deactivate decrease delete deposit "
    "dim disable discard disconnect display download draft draw drive drop eat email empty enable erase "
    "exchange explain fetch file fill find finish fix flip forward freeze get give go grab heat hire "
    "hum inform install invest join jot learn leave lock locate look lower mail make measure message "
    "mix move mute name open order organize pack paint park pause pay pick place plan plant play plug "
    "post prepare preheat print purchase push put raise read record reduce refill reload remove renew "
    "rent reorder repair repeat replace reply report request research reserve reset respond restart "
    "restock return review rewind run save scan search sell send set share ship shuffle shut sign skip "
    "speak spell start stop stream study submit subscribe swap switch take teach test text track "
    "transfer translate try tune turn tweet type unfreeze unlock update upload use vacuum visit wake "
    "walk warm wash watch water write".split()
)
"""Verbs that begin an imperative which could as well be a reminder's title."""

_WAKE = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|olly|alexa|siri|cortana|google|pda|ai|s1|s2|echo|please|pls|just|now|and|so|"
    r"can you|could you|would you|will you|i want you to|i need you to|i would like you to|i'd like you to|"
    r"i want to|i need to|i'd like to|go ahead and|kindly|quickly|let's|lets)\b[\s,:.!]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:please|pls|thanks|thank you|for me|now|immediately|right away|olly|alexa))+$", re.IGNORECASE
)
_NOT_A_TITLE = re.compile(
    r"\b(?:me|what|whats|what's|who|how|when|where|why|which|if|whether|you|your|it|this|that|these|those|there|"
    r"today|tomorrow|tonight|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|week|month|"
    r"year|day|days|morning|afternoon|evening|night|noon|midnight|hours?|minutes?|seconds?|am|pm|o'clock|daily|"
    r"weekly|monthly|every|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|thousand|half|first|second|"
    r"xxx|please|pls|olly|alexa|next|last|remind\w*|reminders?|calendar|alarms?|event|meeting|schedule|again|here|i|i'm)\b|\d|[?!.:;\"“”()$]",
    re.IGNORECASE,
)
_NOUN_PHRASE = re.compile(
    r"\b(?:the|my|a|an|our)\s+((?:[a-z][a-z'-]+\s+){1,3}?[a-z][a-z'-]+)"
    r"(?=[,.?!]|$|\s+(?:in|on|at|for|to|is|are|was|from|with|and|that|of|please|by|about|near|so|or|before|after)\b)"
)
_NOT_IN_NOUN_PHRASE = re.compile(
    r"\b(?:the|my|a|an|me|i|you|we|they|he|she|it|its|your|in|on|at|for|to|is|are|was|be|been|do|does|did|can|will|"
    r"would|could|should|have|has|had|not|what|who|how|when|where|why|which|please|from|with|and|that|of|by|about|"
    r"if|as|so|than|there|this|these|those|most|more|very|much|many|all|any|up|out|off|down|need|want|get|know|"
    r"lot|lots|way|going|currently|right|only|just|same|ever|also|between|today|tomorrow|tonight|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|week|weeks|month|months|year|years|day|days|next|last|hour|hours|"
    r"minute|minutes|time|times|one|two|three|four|five|ten|half|second|seconds|first|daily|weekly|monthly|couple|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|morning|evening|"
    r"afternoon|night|noon|set|calendar|event|events|meeting|meetings|reminder|reminders|alarm|alarms|list|lists)\b"
)


@functools.cache
def natural_negatives(domain_words: str) -> tuple[str, ...]:
    """Plain sentences that hold none of an app's words, so that they cannot be requests to it.

    Args:
      domain_words: a regular expression (`Domain.keywords`), matched from the start of a word in any case.
    """
    meant = business(domain_words)
    return tuple(s for s in plain_sentences() if not meant.search(s) and 2 <= len(s.split()) <= 25)


def business(domain_words: str) -> re.Pattern[str]:
    """What finds an app's words (`Domain.keywords`) in a text."""
    return re.compile(rf"\b(?:{domain_words})", re.IGNORECASE)


@functools.cache
def imperatives() -> tuple[str, ...]:
    """Imperative verb phrases of two to nine words ("order a pizza from dominos"), lower-cased, no two alike.

    They follow "remind me to" as well as any hand-written task: no wake words, politeness, questions, first
    person objects, times or numbers.
    """
    found: dict[str, None] = {}
    for sentence in plain_sentences():
        text = _WAKE.sub("", sentence.strip().lower())
        text = _TAIL.sub("", text.rstrip(" .?!,"))
        words = text.split()
        if not 2 <= len(words) <= 9 or words[0] not in BASE_VERBS or words[-1] in _DANGLING:
            continue
        if not _NOT_A_TITLE.search(text):
            found.setdefault(" ".join(words))
    return tuple(found)


@functools.cache
def noun_phrases() -> tuple[str, ...]:
    """Noun phrases of two to four words that follow an article or "my", lower-cased, no two alike."""
    found: dict[str, None] = {}
    for sentence in plain_sentences():
        for match in _NOUN_PHRASE.finditer(sentence.lower()):
            phrase = match.group(1)
            if not _NOT_IN_NOUN_PHRASE.search(phrase) and phrase.split()[-1] not in _DANGLING:
                found.setdefault(phrase)
    return tuple(found)


_DANGLING = frozenset(
    "a an the my to for of in on at with and or from is are be as by about into some any new like than "
    "really called named too please currently now mean means came lands land look looks due yet "
    "yesterday ought ends starts went goes come comes took made work works happen happened happening "
    "cost costs left under open opens close used using saved sent necessary available brighter louder "
    "ready incorrectly correctly taped neutered".split()
)
"""Words on which no title and no noun phrase ends."""
