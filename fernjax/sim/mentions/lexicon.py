"""Words of dates, times and amounts, with the spellings that people type and speech engines write."""

from __future__ import annotations

FORMS = (
    "now",  # now, right now
    "relative",  # today, tomorrow evening
    "weekday",  # friday, next friday
    "calendar",  # march 5, the 5th of march
    "monthday",  # the 5th
    "numeric",  # 3/5, 2026-03-05
    "holiday",  # easter
    "week",  # next week
    "weekend",  # this weekend
    "month",  # next month, march
    "period",  # quarters, seasons, years, "the last three days"
    "clock",  # 3pm, 15:30, half past two
    "bare",  # at 3, with no am or pm
    "word",  # noon, midnight
    "part",  # in the evening
    "ahead",  # in two hours, a week from monday
    "ago",  # two days ago
    "open",  # after 3, until friday
    "span",  # from 3 to 4, monday to wednesday
    "length",  # for two hours
    "every",  # every day, weekly
    "plural",  # on mondays
    "number",
    "ordinal",
    "amount",  # $5, 40 percent, 21 degrees
    "address",  # ana@example.org, +1 555 0100, @ana
    "name",  # OPS-142, #design-review
)
"""How a mention was said: the closed set of `Mention.form`."""


def _misspell(word: str) -> set[str]:
    """One slip of the fingers away: a letter lost, doubled or swapped, or another vowel."""
    slips = set()
    for k in range(1, len(word)):
        slips.add(word[:k] + word[k + 1 :])
        slips.add(word[:k] + word[k] + word[k:])
        slips.add(word[: k - 1] + word[k] + word[k - 1] + word[k + 1 :])
        if word[k] in "aeiou":
            slips.update(word[:k] + vowel + word[k + 1 :] for vowel in "aeiou")
    return slips


_REAL_WORDS = frozenset({"sundry", "moaning", "mooring", "tomorrows", "august", "decembers"})


def _with_slips(table: dict[str, int], shortest: int = 6) -> dict[str, int]:
    slipped = {}
    for word, value in table.items():
        if len(word) >= shortest:
            for slip in _misspell(word) - _REAL_WORDS:
                slipped[slip] = value
    return slipped | table


WEEKDAYS = _with_slips(
    {
        "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
    }
) | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4,
    "sat": 5, "sun": 6, "wensday": 2, "wendsday": 2, "wedensday": 2, "wenesday": 2, "thrusday": 3,
    "thersday": 3,
}  # fmt: skip
PLURAL_WEEKDAYS = {
    "mondays": 0, "tuesdays": 1, "wednesdays": 2, "thursdays": 3, "fridays": 4, "saturdays": 5, "sundays": 6,
}  # fmt: skip
MONTHS = _with_slips(
    {
        "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
        "september": 9, "october": 10, "november": 11, "december": 12,
    }
) | {
    "jan": 1, "feb": 2, "febuary": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9,
    "oct": 10, "nov": 11, "dec": 12, "janurary": 1, "feburary": 2,
}  # fmt: skip
RISKY_DAYS = frozenset({"sat", "sun", "mon", "wed"})
RISKY_MONTHS = frozenset({"may", "march", "mar", "dec", "jan", "jun", "jul", "apr", "sep", "nov", "oct"})
NAME_MONTHS = frozenset({"april", "june", "august"})
"""Months that people are called, too."""

DAY_WORDS = _with_slips({"tomorrow": 1, "yesterday": -1}) | {
    "today": 0, "todays": 0, "tommorrow": 1, "tommorow": 1, "tomorrows": 1, "tmrw": 1, "tmr": 1, "tmw": 1,
    "tomoro": 1, "tomo": 1, "2moro": 1, "2morrow": 1, "tmrrw": 1, "tomorro": 1, "yesterdays": -1,
    "todya": 0, "toady": 0,
}  # fmt: skip
DAY_WORDS.pop("tomo")
DAY_WORDS.pop("toady")
TONIGHT = frozenset({"tonight", "tonite", "tonights", "tonigt", "tonihgt", "2nite", "2night", "tnite"})

ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALES = {
    "thousand": 1000, "million": 1000000, "billion": 1000000000, "lakh": 100000, "lakhs": 100000,
    "lac": 100000, "lkhs": 100000, "crore": 10000000, "crores": 10000000, "cr": 10000000,
}  # fmt: skip
NOUGHTS = frozenset({"naught", "nought", "nil"})
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70,
    "eightieth": 80, "ninetieth": 90, "hundredth": 100, "1st": 1,
}  # fmt: skip
for _ten, _tens in TENS.items():
    for _one in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"):
        ORDINALS[_ten + _one] = _tens + ORDINALS[_one]

UNITS = {
    "second": "second", "seconds": "second", "sec": "second", "secs": "second",
    "minute": "minute", "minutes": "minute", "min": "minute", "mins": "minute", "minuts": "minute",
    "minits": "minute", "minuite": "minute", "minuites": "minute", "mintues": "minute", "mintes": "minute",
    "hour": "hour", "hours": "hour", "hr": "hour", "hrs": "hour", "houre": "hour", "huors": "hour",
    "day": "day", "days": "day", "week": "week", "weeks": "week", "wk": "week", "wks": "week",
    "fortnight": "fortnight", "fortnights": "fortnight", "month": "month", "months": "month",
    "mth": "month", "mths": "month", "year": "year", "years": "year", "yr": "year", "yrs": "year",
    "quarter": "quarter", "quarters": "quarter", "qtr": "quarter", "weekend": "weekend", "wkend": "weekend",
    "weekends": "weekend", "decade": "decade", "decades": "decade",
}  # fmt: skip
GLUED_UNITS = {"h": "hour", "m": "minute", "s": "second", "d": "day", "w": "week"}
UNIT_SECONDS = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "fortnight": 1209600,
    "month": 2592000, "quarter": 7776000, "year": 31536000, "decade": 315360000,
}  # fmt: skip

MODIFIERS = {
    "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1, "following": 1, "nxt": 1,
    "last": -1, "past": -1, "previous": -1, "prior": -1,
}  # fmt: skip
PARTS = {
    "morning": ("morning", 0, 720), "mornings": ("morning", 0, 720), "moring": ("morning", 0, 720),
    "mornin": ("morning", 0, 720), "morining": ("morning", 0, 720), "mornig": ("morning", 0, 720),
    "afternoon": ("afternoon", 720, 1140), "afternoons": ("afternoon", 720, 1140),
    "aftenoon": ("afternoon", 720, 1140), "arvo": ("afternoon", 720, 1140),
    "evening": ("evening", 1080, 1440), "evenings": ("evening", 1080, 1440),
    "evning": ("evening", 1080, 1440),
    "eve": ("evening", 1080, 1440), "night": ("night", 1080, 1440), "nights": ("night", 1080, 1440),
    "nite": ("night", 1080, 1440),
}  # fmt: skip
for _part in ("morning", "afternoon", "evening"):
    for _slip in _misspell(_part) - _REAL_WORDS:
        PARTS.setdefault(_slip, PARTS[_part])
SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
MERIDIEMS = {
    "am": 0, "a.m": 0, "a.m.": 0, "pm": 720, "p.m": 720, "p.m.": 720,
}  # fmt: skip
OCLOCK = frozenset({"o'clock", "oclock", "clock"})
UNTIL = frozenset({"to", "until", "till", "til", "through", "thru", "-", "–", "—"})

BOUNDARY = frozenset(
    """ . , ; ? ! ) : - – — / a am an and any around are as at because but by can could did do does for
    from has have if in into is it it's just my no not of on onward onwards or please pls plz pm so starting
    sharp than
    that the then there this till til to until was we were when where which will with w would you i me thanks
    thank exactly ish every each about instead also tho though but before after between during lands departs
    ok okay thx ty um uh erm er hmm plus right now yet out prior
    """.split()
) | {"", '"', "'"}
"""Words that cannot be what a number counts: after them, or before the end, "3" may be an hour."""

COUNTED = frozenset(
    """% percent dollars dollar bucks euros pounds cents cent degrees people persons guests items times
    seasons player players seater bedroom pages miles km kilometers minute""".split()
)
"""Nouns that a number before them counts: "5 people" is no hour."""
