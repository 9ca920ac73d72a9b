"""Amounts with what they measure: money, percents, temperatures."""

from __future__ import annotations

from typing import Any

from fernjax.sim.mentions import currencies
from fernjax.sim.mentions.amounts import Amount, read_amount, tidy
from fernjax.sim.mentions.lexicon import BOUNDARY, MERIDIEMS, MONTHS, ONES, TENS, UNITS, WEEKDAYS
from fernjax.sim.mentions.numbers import read_integer
from fernjax.sim.mentions.sentence import Sentence
from fernjax.sim.mentions.tokens import Atom, Tokens

_DEGREES = frozenset({"degrees", "degree", "deg", "degs", "°", "º", "℃", "℉"})
_TEMPERATURES = {
    "celsius": "celsius", "centigrade": "celsius", "c": "celsius", "fahrenheit": "fahrenheit", "℃": "celsius",
    "f": "fahrenheit", "℉": "fahrenheit", "celcius": "celsius", "farenheit": "fahrenheit",
    "fahrenheight": "fahrenheit",
}  # fmt: skip
_ANGLES = frozenset(
    "north south east west clockwise angle turn rotation left right latitude longitude of".split()
)
_RANGE_MARKS = frozenset({"to", "-", "–", "—", "or"})
_TO_A_PART = frozenset({"by", "to", "at", "down", "up"})
_STRENGTH = frozenset("brightness strength power intensity volume capacity speed light bright".split())
_PARTS = frozenset({"third", "thirds", "quarter", "quarters", "fourth", "fourths"})
_SHARE_COUNTS = {"a": 1, "one": 1, "1": 1, "two": 2, "2": 2, "three": 3, "3": 3}
_SHARES: dict[tuple[int, str], tuple[float, ...]] = {
    (1, "third"): (33, 33.3), (2, "third"): (67, 66, 66.7), (1, "quarter"): (25,), (3, "quarter"): (75,),
    (1, "fourth"): (25,), (3, "fourth"): (75,),
}  # fmt: skip
"""Percents of counted parts of a whole, the best first."""
_SHARED = frozenset("open opened closed shut up down full way more less higher lower off".split())
"""Words behind a share of the whole: "three quarters open"."""
_GOES_ON = frozenset({"a", "an", "of", "to", "till", "til", "after", "before", "-"})
"""Words behind a share that make it a part of something else, or of a clock time."""
_ONE_NOUNS = frozenset(currencies.NAMES) | frozenset(currencies.NOTES) | {"cent", "penny", "grand", "k"}

UNIT_HEADS = frozenset({"%", "percent", "pct", "per"}) | _DEGREES | frozenset(_TEMPERATURES)

WEAK = "weak"
"""Note of a reading that gives way to a time."""

Unit = tuple[str, Any, int]
"""A kind, what the unit says (a currency and a factor; the scale of a temperature), the index after it."""


Others = list[tuple[float, str | None]]
"""Other amounts, each with its currency, that the same words may mean."""


def read_measure(s: Sentence, i: int) -> Atom | None:
    """Money, a percent or a temperature from the first word of its number; a number with a comma; slang."""
    t = s.t
    words = t.words
    if s.percent and words[i + 1] in _PARTS:
        share = _read_counted_share(s, i)
        if share is not None:
            return share
    if words[i] in ("a", "an") and words[i + 1] not in _AFTER_ARTICLE:
        return None
    if words[i] in ("-", ".") and not _begins_number(t, i):
        return None
    sign = currencies.read_before(t, s.text, i) if s.money else None
    ranged = sign is None and not t.isolated(i)
    if ranged and not _ends_range(t, i):
        return None
    amount = read_amount(t, i)
    if amount is None:
        return None
    if sign is not None and words[i] not in ("a", "an", "half", "quarter", "couple", "few"):
        return _read_signed(s, sign[1], i, amount, sign[0])
    unit = read_unit(s, amount.j)
    if unit is not None and words[i] in ("a", "an") and words[unit[2]][:1].isdigit():
        return None  # "a US$4.7 billion deal"
    if unit is not None:
        return _build(s, i, amount, unit)
    if ranged:
        return None
    if amount.needs_unit:
        return _read_share(s, i, amount) if s.percent else None
    shared = _read_shared(s, i, amount)
    if shared is not None:
        return shared
    return _read_bare(s, i, amount)


def read_note(s: Sentence, i: int) -> Atom | None:
    """`a fiver`, `two tenners`: from the article or number before the noun."""
    read = (1, i + 1) if s.t.words[i] in ("a", "an") else read_integer(s.t, i)
    if read is None or not s.money:
        return None
    note = currencies.NOTES.get(s.t.words[read[1]])
    if note is None or (note[0] < 1 and s.t.words[i] not in ("a", "an") and read[0] == 1):
        return None
    return _money(
        i, read[1] + 1, read[0] * note[0], note[1], [(read[0] * note[0], note[2])] if note[2] else []
    )


def read_unit(s: Sentence, j: int) -> Unit | None:
    """The unit that stands at word j, of the kinds that are asked for."""
    words = s.t.words
    word = words[j]
    if not word:
        return None
    if s.percent and (
        word in ("%", "percent", "pct", "percents") or (word == "per" and words[j + 1] == "cent")
    ):
        end = j + 2 if word == "per" else j + 1
        return "percent", None, end + (words[end] in ("points", "point") and word != "%")
    if s.temperature:
        found = _read_degrees(s.t, j)
        if found is not None:
            return found
    if not s.money:
        return None
    hyphen = word == "-" and s.t.glued(j) and s.t.glued(j + 1) and words[j + 1] in currencies.NAMES
    currency = currencies.read_after(s.t, s.text, j + hyphen)
    if currency is not None:
        return "money", (currency[0], 1.0, ""), currency[1]
    cents = currencies.CENTS.get(word)
    if cents is None and word == "p" and _is_pence(s, j):
        cents = ("GBP", "")
    if (
        cents is None
        and word == "c"
        and words[j - 1].isdigit()
        and not (s.t.glued(j + 1) and words[j + 1].isalnum())
    ):
        cents = ("USD", "EUR")
    return None if cents is None else ("money", (cents[0], 0.01, cents[1]), j + 1)


def _is_pence(s: Sentence, j: int) -> bool:
    """Whether the "p" glued to digits is pence, not pm."""
    t, digits = s.t, s.t.words[j - 1]
    if not t.glued(j) or not digits.isdigit() or (t.glued(j + 1) and t.words[j + 1].isalnum()):
        return False
    return not s.clocked or len(digits) > 2 or int(digits) > 12


def _read_degrees(t: Tokens, j: int) -> Unit | None:
    words = t.words
    k = j + 1 if words[j] in _DEGREES else j
    scale = _TEMPERATURES.get(words[j]) if words[j] in ("℃", "℉") else None
    if scale is None and words[k] in _TEMPERATURES and not (t.glued(k + 1) and words[k + 1][:1].isalnum()):
        counted = k > j or words[j - 1].isdigit() or words[j - 1] in ONES or words[j - 1] in TENS
        named = t.glued(k + 1) and words[k + 1] in ("'s", "'", "-")
        if words[k] not in ("c", "f") or (counted and not named):
            scale, k = _TEMPERATURES[words[k]], k + 1
    if k == j or (scale is None and words[k] in _ANGLES and words[k] != "of"):
        return None
    return "temperature", scale, k


def _build(s: Sentence, i: int, amount: Amount, unit: Unit) -> Atom:
    kind, said, end = unit
    if kind == "percent":
        return Atom("percent", i, end, tidy(amount.value), None, _others(amount), "amount")
    if kind == "temperature":
        below = s.t.words[end] == "below" and s.t.words[end + 1] in ("zero", "freezing", "0")
        degrees = tidy(-amount.value if below else amount.value)
        value = {"degrees": degrees, "unit": said}
        return Atom("temperature", i, end + 2 * below, value, None, (), "amount")
    currency, factor, other = said
    return _build_money(s, i, amount, end, currency, factor, other)


def _build_money(
    s: Sentence, i: int, amount: Amount, end: int, currency: str | None, factor: float, other: str
) -> Atom:
    """Money whose currency (or its hundredth: factor 0.01, and another currency that has such) follows."""
    if factor != 1:
        value = amount.value * factor
        return _money(i, end, value, currency, [(value, other)] if other else [])
    cents, end = _read_rest(s, end)
    if cents:
        return _money(i, end, amount.value + cents, currency, [])
    if amount.thousands:
        return _money(i, end, amount.thousands, currency, [(amount.value, currency)])
    others: Others = [] if amount.alternative is None else [(amount.alternative, currency)]
    return _money(i, end, amount.value, currency, others)


def _others(amount: Amount) -> tuple[float, ...]:
    return () if amount.alternative is None else (tidy(amount.alternative),)


def _money(
    i: int, j: int, value: float, currency: str | None, others: list[tuple[float, str | None]]
) -> Atom:
    alts = tuple({"amount": tidy(a), "currency": c} for a, c in others)
    return Atom("money", i, j, {"amount": tidy(value), "currency": currency}, None, alts, "amount")


def _read_signed(s: Sentence, first: int, i: int, amount: Amount, currency: str) -> Atom:
    """`$1.2k`, `US$3 and fourteen`, `$5 usd`, `$2 50`."""
    t = s.t
    end: int = amount.j
    code: str | None = currency
    named = currencies.read_after(t, s.text, end)
    if named is not None and named[0] is not None and t.words[end] not in currencies.SIGNS:
        code, end = named
    value = amount.value if amount.thousands is None or currency in ("USD", "GBP") else amount.thousands
    others: Others = [] if amount.alternative is None else [(amount.alternative, code)]
    if amount.scale == 1 and amount.alternative is None and value == int(value):
        cents, end = _read_rest(s, end)
        value += cents
    return _money(first, end, value, code, others)


def _read_rest(s: Sentence, j: int) -> tuple[float, int]:
    """What follows whole units: "and 42 cents", "3 cents", "fifty", "43"; 0 where nothing does."""
    words = s.t.words
    k = j + 1 if words[j] in ("and", ",") else j
    if words[k] == "a" and words[k + 1] in ("half", "quarter") and k > j and words[k + 2] in BOUNDARY:
        return (0.5 if words[k + 1] == "half" else 0.25), k + 2
    if words[k][:1].isdigit() and (len(words[k]) > 2 or s.t.glued(k)):
        return 0.0, j
    read = read_integer(s.t, k)
    if read is None or not 0 < read[0] < 100:
        return 0.0, j
    value, end = read
    if words[end] in currencies.CENTS or (words[end] in ("p", "c") and s.t.glued(end)):
        return value / 100, end + 1
    if (
        words[j] == ","
        or value < 10
        or words[end] not in BOUNDARY
        or words[end] in ("-", "/", ":", "–", "am", "pm")
    ):
        return 0.0, j
    if s.t.glued(end) and words[end] in (".", ",") and words[end + 1].isdigit():
        return 0.0, j
    if words[end] in ("and", "or", "to") and (words[end + 1] in ONES or words[end + 1][:1].isdigit()):
        return 0.0, j
    return value / 100, end


def _read_shared(s: Sentence, i: int, amount: Amount) -> Atom | None:
    """The first end of a range whose unit follows the second: "1.1 to 1.3 dollars", "7-9 lakh rupees"."""
    words = s.t.words
    j = amount.j
    between = words[j] == "and" and i > 0 and words[i - 1] in ("between", "from")
    if not between and words[j] not in _RANGE_MARKS:
        return None
    if not (words[j + 1][:1].isdigit() or words[j + 1] in ONES or words[j + 1] in TENS):
        return None
    second = read_amount(s.t, j + 1)
    unit = None if second is None else read_unit(s, second.j)
    if second is None or unit is None:
        return None
    if amount.scale == 1 and second.scale > 1 and amount.value < second.value / second.scale:
        amount.value *= second.scale
    atom = _build(s, i, amount, (unit[0], unit[1], j))
    atom.j = j
    return atom


def read_second(s: Sentence, atom: Atom) -> Atom | None:
    """The other end of a range whose first end has the sign: "$5-10", "$5 to 10"."""
    words = s.t.words
    j = atom.j
    if atom.kind != "money" or words[j] not in _RANGE_MARKS or not words[j + 1][:1].isdigit():
        return None
    amount = read_amount(s.t, j + 1)
    if (
        amount is None
        or read_unit(s, amount.j) is not None
        or words[amount.j] not in BOUNDARY
        or words[amount.j] == ":"
    ):
        return None
    if words[amount.j] in UNITS or words[amount.j] in ("am", "pm", "in") or amount.value <= atom.a["amount"]:
        return None
    return _money(j + 1, amount.j, amount.value, atom.a["currency"], [])


def _read_share(s: Sentence, i: int, amount: Amount) -> Atom | None:
    """`by half`, `down a quarter`, `half brightness`: a part of the whole as a percent."""
    words = s.t.words
    if words[i] not in ("half", "quarter") and words[i + 1] not in ("half", "quarter"):
        return None
    j = i + 1 if words[i] in ("half", "quarter") else i + 2
    strong = words[j] in _STRENGTH
    free = not s.clocked and words[j] in _SHARED
    to_a_part = i > 0 and words[i - 1] in _TO_A_PART and (words[j] in BOUNDARY or free)
    if not strong and (
        not to_a_part or words[j] in ("to", "past", "till", "til", "of", "a", "an", "-", "after", "before")
    ):
        return None
    return Atom("percent", i, j + (words[j] == "brightness"), tidy(amount.value * 100), None, (), "amount")


def _read_counted_share(s: Sentence, i: int) -> Atom | None:
    """`a third`, `three quarters`, `two thirds`: counted parts of the whole, as a percent.

    Where a time of the day is asked for, only what something is set or changed by is one.
    """
    words = s.t.words
    count = _SHARE_COUNTS.get(words[i])
    values = _SHARES.get((count or 0, words[i + 1].rstrip("s")))
    before = words[i - 1] if i else ""
    if values is None or not s.percent or before in ("and", "first", "second", "other"):
        return None
    j = i + 2
    quarters = words[i + 1].startswith("quarter")
    if s.clocked and (before not in _TO_A_PART or (quarters and count == 1)):
        return None
    ends = words[j] in BOUNDARY and words[j] not in _GOES_ON
    if not ends and words[j] not in _SHARED and words[j] not in _STRENGTH - {"light"}:
        return None
    return Atom("percent", i, j + (words[j] == "brightness"), values[0], None, values[1:], "amount")


def _read_bare(s: Sentence, i: int, amount: Amount) -> Atom | None:
    """An amount without a unit that the number reader does not find whole."""
    words = s.t.words
    if amount.bare and words[i] not in ("-", ".") or words[amount.j] in UNITS or words[amount.j] in MERIDIEMS:
        return None
    if amount.slang and s.money:
        return _money(i, amount.j, amount.value, None, [])
    if amount.alternative is not None:
        if not s.money:
            return None
        atom = _money(i, amount.j, amount.value, None, [(amount.alternative, None)])
        atom.note = WEAK
        return atom
    if not s.number or words[i] in ("couple", "few"):
        return None
    return Atom("number", i, amount.j, tidy(amount.value), None, (), "number")


def _begins_number(t: Tokens, i: int) -> bool:
    """Whether a dash or a dot begins a number (-5, .77), not a list, a range or the rest of a word."""
    words = t.words
    if not words[i + 1][:1].isdigit() and words[i + 1] != ".":
        return False
    if words[i] == ".":
        return t.glued(i + 1) and (not t.glued(i) or words[i - 1] in currencies.SIGNS)
    if i == 0:
        return True
    before = words[i - 1]
    dated = before in WEEKDAYS or before in MONTHS or before in MERIDIEMS
    return (
        t.glued(i + 1) and not t.glued(i) and not before[-1:].isdigit() and not dated and before not in ONES
    )


def _ends_range(t: Tokens, i: int) -> bool:
    """Whether digits glued behind a dash end a range: 5-10%."""
    return t.words[i - 1] in ("-", "–", "—") and i > 1 and t.words[i - 2][-1:].isdigit()


_AFTER_ARTICLE = _ONE_NOUNS | frozenset(
    """hundred thousand million billion trillion dozen couple few half quarter mil grand percent degree us
    canadian""".split()
)
