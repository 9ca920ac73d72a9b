"""Lengths to the second, and delays from now, in words."""

from __future__ import annotations

import datetime
import random

from fernjax.sim.when.clocks import duration_words
from fernjax.sim.when.words import Phrase, spell

_SECONDS = (
    10, 15, 20, 30, 30, 45, 60, 60, 75, 90, 90, 120, 120, 150, 180, 180, 240, 300, 300, 300, 360, 420, 480,
    600, 600, 600, 660, 720, 900, 900, 1200, 1200, 1500, 1800, 1800, 1800, 2400, 2700, 3600, 3600, 3900,
    4500, 5400, 5400, 7200, 7200, 8100, 9000, 10800, 14400,
)  # fmt: skip
_MINUTES = (2, 3, 5, 5, 5, 10, 10, 10, 15, 15, 20, 20, 25, 30, 30, 30, 40, 45, 45, 50, 60, 60, 90, 120, 180)


def say_seconds(rng: random.Random, argument: str, delay: bool = False) -> Phrase:
    """A length in seconds, without a preposition; `delay`: as counted from now."""
    seconds = rng.choice(_SECONDS)
    if rng.random() < 0.12:
        seconds = rng.randrange(2, 59) * rng.choice((1, 60))
    words = seconds_words(rng, seconds)
    return [("", {}), (_from_now(rng, words) if delay else words, {argument: [seconds]})]


def say_delay(rng: random.Random, argument: str) -> Phrase:
    """How many minutes from now: "in ten minutes", "half an hour from now"."""
    minutes = rng.choice(_MINUTES)
    words = duration_words(rng, minutes)
    return [("", {}), (_from_now(rng, words), {argument: [minutes]})]


def say_minutes(rng: random.Random, argument: str, lead: str = "for") -> Phrase:
    """A length in minutes, short ones too."""
    minutes = rng.choice(_MINUTES)
    return [(lead, {}), (duration_words(rng, minutes), {argument: [minutes]})]


def say_length(rng: random.Random, argument: str, unit: str, lead: str = "for", whole: bool = True) -> Phrase:
    """A length in hours, days, weeks, months or years: "two hours", "a week", "an hour and a half".

    Args:
      rng: decides everything.
      argument: what it is for.
      unit: `hours`, `days`, `weeks`, `months` or `years`; days may be said as weeks.
      lead: a preposition.
      whole: whether it counts whole units only.
    """
    count = rng.choice(_COUNTS[unit])
    one = unit[:-1]
    if unit == "hours" and not whole and rng.random() < 0.3:
        half = rng.choice((0.5, 1.5, 2.5))
        return [(lead, {}), (duration_words(rng, round(half * 60)), {argument: [half]})]
    if unit == "days" and count % 7 == 0 and rng.random() < 0.6:
        words = rng.choice(("a week", "one week")) if count == 7 else f"{_counted(rng, count // 7)} weeks"
    elif count == 1:
        words = rng.choice((f"{'an' if unit == 'hours' else 'a'} {one}", f"one {one}", f"1 {one}"))
    else:
        words = f"{_counted(rng, count)} {'hrs' if unit == 'hours' and rng.random() < 0.1 else unit}"
    return [(lead, {}), (words, {argument: [count]})]


def say_next(rng: random.Random, argument: str, unit: str) -> Phrase:
    """A length from now on: "the next three days"."""
    count = rng.choice([c for c in _COUNTS[unit] if c > 1])
    return [("", {}), (f"the next {_counted(rng, count)} {unit}", {argument: [count]})]


_COUNTS = {
    "minutes": (5, 10, 15, 20, 30, 45),
    "hours": (1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 8, 10, 12, 24, 48),
    "days": (1, 2, 2, 3, 3, 4, 5, 5, 7, 7, 7, 10, 14, 14, 30),
    "weeks": (1, 1, 2, 2, 3, 4, 6, 8, 12),
    "months": (1, 2, 3, 3, 6, 6, 9, 12, 18),
    "years": (1, 2, 3, 4, 5, 5, 10, 15, 20, 30),
}


def _counted(rng: random.Random, count: int) -> str:
    return str(count) if rng.random() < 0.6 else spell(count)


def say_bare_minutes(rng: random.Random, argument: str) -> Phrase:
    """A length in minutes as a number alone: "snooze for ten"."""
    minutes = rng.choice((2, 3, 5, 5, 5, 10, 10, 10, 15, 15, 20, 20, 30, 30, 45))
    return [("", {}), (str(minutes) if rng.random() < 0.5 else spell(minutes), {argument: [minutes]})]


def say_time_ahead(rng: random.Random, now: datetime.datetime, argument: str) -> Phrase:
    """A clock time of today as a delay: "in twenty minutes"."""
    later = [m for m in _MINUTES if (now + datetime.timedelta(minutes=m)).date() == now.date()]
    minutes = rng.choice(later or (1,))
    words = _from_now(rng, duration_words(rng, minutes))
    return [("", {}), (words, {argument: [f"{now + datetime.timedelta(minutes=minutes):%H:%M}"]})]


def seconds_words(rng: random.Random, seconds: int) -> str:
    """A length in words: "90 seconds", "a minute and a half", "one hour and five minutes"."""
    minutes, rest = divmod(seconds, 60)
    if minutes and not rest and rng.random() < 0.75 and minutes != 1:
        return duration_words(rng, minutes) if minutes <= 60 or minutes % 30 == 0 else _parts(rng, seconds)
    forms = [_parts(rng, seconds)] * 2
    if seconds == 30:
        forms += ["half a minute"]
    if seconds == 60:
        forms += ["a minute", "a minute", "one minute"]
    if seconds == 90:
        forms += ["a minute and a half", "one and a half minutes", "90 seconds", "ninety seconds"]
    elif rest == 30 and 2 <= minutes <= 10:
        forms += [f"{spell(minutes)} and a half minutes", f"{minutes}.5 minutes"]
    if seconds < 100:
        forms += [f"{seconds} seconds", f"{spell(seconds)} seconds", f"{seconds} secs", f"{seconds} sec"]
    return rng.choice(forms)


def _parts(rng: random.Random, seconds: int) -> str:
    """Hours, minutes and seconds one after the other."""
    hours, rest = divmod(seconds, 3600)
    counts = ((hours, "hour"), (rest // 60, "minute"), (rest % 60, "second"))
    spelled = rng.random() < 0.4
    short = not spelled and rng.random() < 0.3
    parts = []
    for n, unit in counts:
        if n:
            name = {"hour": "hr", "minute": "min", "second": "sec"}[unit] if short else unit
            parts.append(f"{spell(n) if spelled else n} {name}{'' if n == 1 or name != unit else 's'}")
    return rng.choice((" and ", " ")).join(parts) if len(parts) < 3 else " ".join(parts)


def _from_now(rng: random.Random, words: str) -> str:
    return f"in {words}" if rng.random() < 0.78 else f"{words} from now"
