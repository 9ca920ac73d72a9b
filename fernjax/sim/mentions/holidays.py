"""Holidays that US and UK calendars print, by name.

Dates come from the `holidays` package, which is imported when a text first names a holiday and asked
once a year and country. What it does not hold is counted from Easter or Thanksgiving, or is a fixed
day or the nth weekday of a month.
"""

from __future__ import annotations

import datetime
import functools
from typing import Any

from fernjax.sim.mentions import calendrics
from fernjax.sim.mentions.tokens import Tokens

_US = {
    "New Year's Day": "new year day|new years day|new year",
    "Martin Luther King Jr. Day": "martin luther king day|martin luther king jr day|martin luther kings day|"
    "mlk day|civil rights day|mlk",
    "Groundhog Day": "groundhog day|groundhogs day|ground hog day",
    "Valentine's Day": "valentine day|valentines day|valentine|valentines|vday|v day",
    "Washington's Birthday": "presidents day|president day|washington birthday|washingtons birthday",
    "Saint Patrick's Day": "saint patrick day|saint patricks day|st patrick day|st patricks day|st patty day|"
    "st pattys day|st paddy day|st paddys day|paddys day|paddy day",
    "Good Friday": "good friday|great friday",
    "Easter Sunday": "easter sunday|easter|easter day",
    "Mother's Day": "mother day|mothers day",
    "Memorial Day": "memorial day|decoration day",
    "Juneteenth National Independence Day": "juneteenth|juneteenth day",
    "Father's Day": "father day|fathers day",
    "Independence Day": "independence day",
    "Labor Day": "labor day|labour day",
    "Columbus Day": "columbus day|indigenous peoples day|indigenous people day",
    "Halloween": "halloween|hallowe'en|halloween night|all hallows eve",
    "Veterans Day": "veterans day|veteran day|armistice day",
    "Thanksgiving Day": "thanksgiving|thanksgiving day|turkey day",
    "Christmas Eve": "christmas eve|xmas eve|x mas eve",
    "Christmas Day": "christmas|christmas day|xmas|xmas day|x mas|x mas day",
    "New Year's Eve": "new year eve|new years eve|nye",
}
_UK = {
    "Boxing Day": "boxing day",
    "May Day": "early may bank holiday|may bank holiday|may day bank holiday",
    "Spring Bank Holiday": "spring bank holiday|late may bank holiday",
    "Late Summer Bank Holiday": "august bank holiday|late summer bank holiday|summer bank holiday",
}
_OTHER = {  # Country whose calendar the package takes it from, its name there, and how people say it.
    ("IL", "Rosh Hashanah"): "rosh hashanah|rosh hashana|jewish new year",
    ("IL", "Yom Kippur"): "yom kippur",
    ("IL", "Hanukkah"): "hanukkah|chanukah|hanukah",
    ("IL", "Pesach"): "passover|pesach",
    ("SG", "Chinese New Year"): "chinese new year|chinese new year day|chinese new years|lunar new year|"
    "chinese lunar new year|chinese lunar new year day",
    ("SG", "Diwali"): "diwali|deepavali",
    ("SG", "Eid al-Fitr"): "eid al fitr|eid",
    ("SG", "Eid al-Adha"): "eid al adha",
    ("SG", "Vesak Day"): "vesak|vesak day",
}
_FROM_EASTER = {
    -47: "shrove tuesday|pancake day|pancake tuesday|mardi gras|fat tuesday",
    -46: "ash wednesday",
    -21: "mothering sunday",
    -7: "palm sunday",
    -3: "maundy thursday|holy thursday|covenant thursday",
    -1: "holy saturday|easter saturday|easter eve",
    1: "easter monday",
    39: "ascension day|ascension thursday",
    49: "pentecost|whit sunday",
    50: "whit monday",
    60: "corpus christi",
}
_FIXED = {
    (1, 6): "epiphany|three kings day",
    (1, 25): "burns night",
    (3, 1): "st david day|st davids day|saint david day",
    (3, 8): "international women day|international womens day|women day|womens day",
    (3, 14): "pi day",
    (4, 1): "april fools|april fools day|april fool day|april fool",
    (4, 15): "tax day",
    (4, 22): "earth day",
    (4, 23): "st george day|st georges day|saint george day",
    (5, 1): "may day",
    (5, 4): "star wars day",
    (5, 5): "cinco de mayo",
    (6, 14): "flag day",
    (11, 1): "all saints day|all saint day|world vegan day",
    (11, 5): "guy fawkes night|guy fawkes day|bonfire night",
    (11, 2): "all souls day|day of the dead",
    (11, 30): "st andrew day|st andrews day|saint andrew day",
    (12, 26): "kwanzaa",
}
_NTH = {  # (month, weekday, count)
    (4, 2, -1): "administrative professionals day|secretaries day",
    (5, 5, 3): "armed forces day",
    (7, 6, 4): "parents day",
    (9, 6, 1): "grandparents day",
    (11, 6, 2): "remembrance sunday",
    (11, 5, -1): "small business saturday",
}
_RULES: dict[str, tuple[str, Any]] = {}
for _rule, _table in (
    ("US", _US),
    ("UK", _UK),
    ("other", _OTHER),
    ("easter", _FROM_EASTER),
    ("fixed", _FIXED),
    ("nth", _NTH),
):
    for _key, _names in _table.items():
        for _name in _names.split("|"):
            _RULES.setdefault(_name, (_rule, _key))
_RULES |= {
    "black friday": ("thanksgiving", 1),
    "cyber monday": ("thanksgiving", 4),
    "giving tuesday": ("thanksgiving", 5),
    "thanksgiving eve": ("thanksgiving", -1),
    "boss day": ("boss", None),
    "bosses day": ("boss", None),
    "election day": ("election", None),
    "remembrance day": ("fixed", (11, 11)),
    "fourth of july": ("fixed", (7, 4)),
}
HEADS = frozenset(name.split()[0] for name in _RULES) - {"fourth"}
_LONGEST = 6
_NEED_CUE = frozenset({"new year", "mlk", "eid", "valentine", "valentines", "v day"})


def read_holiday(t: Tokens, i: int) -> tuple[str, int] | None:
    """Longest holiday name that starts at word i, and the index after it."""
    words = t.words
    if words[i] not in HEADS:
        return None
    name, found, j = "", None, i
    for _ in range(_LONGEST):
        word = words[j]
        if not word:
            break
        name = word if not name else f"{name} {word}"
        j += 1
        if words[j] == "'s":
            j += 1
        else:
            j += words[j] in ("-", "'", ".") and t.glued(j) and words[j + 1].isalpha() and words[j] != ""
        if name in _RULES:
            found = (name, j)
    if found is not None and words[found[1] - 1] in ("-", "."):
        found = (found[0], found[1] - 1)
    if found is not None and found[0] in _NEED_CUE and not _cued(t, i, found[1], found[0]):
        return None
    return found


def _cued(t: Tokens, i: int, j: int, name: str) -> bool:
    before = t.words[i - 1] if i else ""
    if before == "the":
        before = t.words[i - 2] if i > 1 else ""
    return before in ("on", "for", "by", "before", "after", "until", "next", "last", "this") and name != "mlk"


def holiday_date(name: str, year: int) -> datetime.date | None:
    """Date of a holiday that `read_holiday` named, in a year; None in a year without it."""
    if not 1800 <= year <= 2200:
        return None
    rule, key = _RULES[name]
    if rule in ("US", "UK"):
        return _calendar(rule, year).get(key)
    if rule == "other":
        return _calendar(key[0], year).get(key[1])
    if rule in ("easter", "thanksgiving"):
        base = _calendar("US", year).get("Easter Sunday" if rule == "easter" else "Thanksgiving Day")
        return None if base is None else base + calendrics.DAY * key
    if rule == "fixed":
        return datetime.date(year, *key)
    if rule == "nth":
        return calendrics.nth_weekday(*calendrics.month_of(year, key[0]), key[1], key[2])
    if rule == "election":
        return calendrics.next_weekday(datetime.date(year, 11, 1), 1)
    day = datetime.date(year, 10, 16)  # Boss's Day, on the nearest working day.
    return day + calendrics.DAY * {5: -1, 6: 1}.get(day.weekday(), 0)


@functools.lru_cache(maxsize=256)
def _calendar(country: str, year: int) -> dict[str, datetime.date]:
    """First date of each name that a country's calendar has in a year."""
    import holidays  # A tenth of a second: only texts that name a holiday pay it.

    table: dict[datetime.date, str]
    if country == "US":
        table = holidays.US(years=year, observed=False, categories=("public", "unofficial"))
    elif country == "UK":
        table = holidays.UK(subdiv="ENG", years=year, observed=False)
    elif country == "IL":
        table = holidays.IL(
            years=year, language="en_US", categories=("public", "optional", "school"), observed=False
        )
    else:
        table = holidays.SG(years=year, language="en_US", observed=False)
    found: dict[str, datetime.date] = {}
    for day, names in sorted(table.items()):
        for name in names.split("; "):
            found.setdefault(name.removesuffix(" (estimated)"), day)
    return found
