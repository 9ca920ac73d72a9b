"""What the words for an item or a list say: how much of what, and which one.

Two names are one where their keys are equal: normalised words without stop words, in the singular. Every
reading is cached, a pure function of the words.
"""

from __future__ import annotations

import datetime
import functools
import re
from typing import NamedTuple

from fernjax.sim import matching
from fernjax.sim.mentions.lexicon import ONES, ORDINALS
from fernjax.sim.mentions.numbers import read_quantity
from fernjax.sim.mentions.tokens import Tokens, fold
from fernjax.sim.text import normalize

Key = frozenset[str]

LAST = -1
"""Position of the last item; the first is 0."""

MAX_QUANTITY = 1_000_000
CACHE_SIZE = 1 << 15


class Thing(NamedTuple):
    """An item's words, read.

    Attributes:
      title: the thing, in the user's words ("milk" of "two cartons of milk").
      quantity: how many, or None where nothing says so.
      unit: what they are counted in, singular ("carton"), or "".
    """

    title: str
    quantity: int | float | None
    unit: str


@functools.lru_cache(maxsize=CACHE_SIZE)
def read_thing(words: str) -> Thing:
    """Title, quantity and unit of an item: "2 lbs of ham", "a dozen eggs", "batteries x4", "bread"."""
    words = words.strip()
    times = _TIMES.fullmatch(words)
    if times and int(times[2] or times[3]):
        return Thing(times[1], int(times[2] or times[3]), "")
    t = Tokens(fold(words), _NO_MOMENT)
    i = 0
    while i < t.size - 1 and t.words[i] in _DETERMINERS:
        i += 1
    quantity, j = _quantity(t, i)
    if quantity is not None and not 0 < quantity < MAX_QUANTITY:
        return Thing(words, None, "")
    unit = UNITS.get(t.words[j], "") if j < t.size else ""
    if unit:
        of = j + 2 if t.words[j + 1] == "of" else j + 1
        if of < t.size and (quantity is not None or of == j + 2):
            quantity, j = 1 if quantity is None else quantity, of
        else:
            unit = ""
    while j < t.size - 1 and t.words[j] in ("more", "of", "x", "the") and quantity is not None:
        j += 1
    if j >= t.size or (j > i and not _begins_a_name(t, j)):
        return Thing(words, None, "")
    title = words[t.starts[j] :] if j > i or i > 0 else words
    if isinstance(quantity, float) and quantity.is_integer():
        quantity = int(quantity)
    return Thing(title, quantity, unit)


def _quantity(t: Tokens, i: int) -> tuple[int | float | None, int]:
    """How many the words from `i` on say (None where they say nothing), and the word after."""
    words = t.words
    if words[i] == "half" and words[i + 1] in ("a", "an"):
        if words[i + 2] == "dozen":
            return 6, i + 3
        if words[i + 2] in UNITS:
            return 0.5, i + 2
    if words[i] == "dozen":
        return 12, i + 1
    if words[i] in ("a", "an"):
        if words[i + 1] == "half" and words[i + 2] in UNITS:
            return 0.5, i + 2
        if words[i + 1] == "dozen":
            return 12, i + 2
        if words[i + 1] not in UNITS and words[i + 1] not in ("couple", "pair", "few"):
            return None, i + 1  # "a card" is the card; one more of it makes no two
    read = read_quantity(t, i)
    return (None, i) if read is None else read


def _begins_a_name(t: Tokens, j: int) -> bool:
    """Whether word `j`, behind a number, begins the thing that is counted: not "2% milk", "3 in 1 oil"."""
    return not t.glued(j) and t.words[j][:1].isalpha() and t.words[j] not in _NO_NAME


@functools.lru_cache(maxsize=CACHE_SIZE)
def item_key(title: str) -> Key:
    """What makes two items one: "Tomatoes" and "the tomato"."""
    return _stems(title) or frozenset(normalize(title).split()) or frozenset((title,))


@functools.lru_cache(maxsize=CACHE_SIZE)
def list_key(title: str) -> Key:
    """What makes two lists one; empty where the words name none ("my list")."""
    plain = " ".join(w for w in normalize(title).split() if w not in _LIST_WORDS)
    return _stems(plain) or frozenset(plain.split())


@functools.lru_cache(maxsize=CACHE_SIZE)
def read_position(words: str) -> int | None:
    """Which item of a list is meant by its place ("last item", "item five", "the second one"), or None."""
    match = _PLACE.fullmatch(normalize(words))
    if match is None:
        return None
    place = match["order"] or match["count"] or match["bare"]
    if place in ("last", "latest", "final", "newest", "bottom"):
        return LAST
    if place in ("first", "top", "next", "oldest"):
        return 0
    digits = re.match(r"\d+", place)
    number = int(digits[0]) if digits else ORDINALS.get(place) or ONES.get(place) or 0
    return number - 1 if number > 0 else None


@functools.lru_cache(maxsize=CACHE_SIZE)
def means_everything(words: str) -> bool:
    """Whether the words mean all there is on a list."""
    return _EVERYTHING.fullmatch(normalize(words)) is not None


@functools.lru_cache(maxsize=CACHE_SIZE)
def _stems(text: str) -> Key:
    return frozenset(_stem(t) for t in matching.tokens(text))


def _stem(token: str) -> str:
    """One form for a noun's singular and what `matching.tokens` leaves of its plural."""
    if len(token) < 4 or not token.endswith("e"):
        return token
    if token.endswith("ie"):
        return token[:-2] + "y"  # berries, "berrie"
    if token.endswith(("oe", "xe", "che", "she", "sse")):
        return token[:-1]  # tomatoes, boxes, peaches, dishes, glasses
    if token.endswith(("lve", "eave", "oave", "ive", "ife")):
        return token[:-2] + "f"  # shelves, leaves, loaves, knives
    return token


_NO_MOMENT = datetime.datetime.min
_DETERMINERS = frozenset(("the", "my", "our", "your", "this", "that", "some", "any", "these", "those"))
_NO_NAME = frozenset("in on by to for at and or percent th st nd rd".split())
_LIST_WORDS = frozenset(("list", "lists"))
_NUMBER = "|".join(sorted(ONES, key=len, reverse=True))
_NTH = "|".join(sorted(ORDINALS, key=len, reverse=True))
_NOUN = r"(?:items?|things?|ones?|entry|entries|tasks?|products?|elements?|lines?)"
_PLACE = re.compile(
    rf"(?P<order>last|latest|final|newest|bottom|first|top|next|oldest|{_NTH}|\d{{1,4}}(?:st|nd|rd|th))"
    rf"(?: {_NOUN})?(?: (?:on|of|in|from|i|we|that) .*)?"
    rf"|(?:{_NOUN} )?(?:number |no |num )(?P<count>\d{{1,4}}|{_NUMBER})"
    rf"|(?:{_NOUN} |#)?#?(?P<bare>\d{{1,4}}|{_NUMBER})"
)
_EVERYTHING = re.compile(
    r"everything|all|it all|the lot|lot|whole list|entire list|everything (?:on|in) .*"
    r"|(?:all|every|every single) (?:of )?(?:it|them|(?:the |my )?items?|things?)"
)
_TIMES = re.compile(r"(.*\S)\s+(?:x\s?(\d{1,4})|\((\d{1,4})\))", re.IGNORECASE | re.DOTALL)


def _units() -> dict[str, str]:
    plain = (
        "bag bar basket bottle bowl box bunch bucket can carton case clove container crate cup gallon glass "
        "gram head jar jug kilo kilogram liter litre loaf ounce pack package packet pair piece pint pot "
        "pouch pound quart roll sack set sheet slice stick tin tray tub tube"
    ).split()
    forms = {"box": "boxes", "bunch": "bunches", "glass": "glasses", "loaf": "loaves", "pouch": "pouches"}
    short = (
        "lb:pound lbs:pound oz:ounce kg:kilogram kgs:kilogram g:gram gr:gram l:liter ml:milliliter pk:pack"
    )
    units = {word: word for word in plain}
    units |= {forms.get(word, word + "s"): word for word in plain}
    units |= dict(pair.split(":") for pair in short.split())
    return units | {"litre": "liter", "litres": "liter", "kilo": "kilogram", "kilos": "kilogram"}


UNITS = _units()
"""Words that things are counted in, and the one word that an item keeps for each."""
