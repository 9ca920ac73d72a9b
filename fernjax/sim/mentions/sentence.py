"""A sentence with the kinds of mention that are asked of it."""

from __future__ import annotations

from fernjax.sim.mentions.tokens import Tokens

TIME_KINDS = frozenset(
    """date time datetime date_range time_range datetime_range duration recurrence number ordinal""".split()
)
"""The kinds that the words of dates and times are read for."""

COUNTS = frozenset({"number", "ordinal"})

KINDS = TIME_KINDS | frozenset("money percent temperature email phone id channel handle".split())


class Sentence:
    """Words, the text as it was written, and what is asked.

    Attributes:
      t, text: the words; the text that they index, capitals and all.
      money, percent, temperature, email, phone, id, channel, handle, number: whether the kind is asked for.
      clocked: whether a time of the day is asked for: then bare pairs of numbers are times first.
      levelled: whether "to 20" sets a level rather than moves to an hour.
      bare_ids: whether a bare number is an id before it is anything else.
      phone_from: no phone number begins before this word (a long run of digits was read to its end).
    """

    __slots__ = (
        "t", "text", "money", "percent", "temperature", "email", "phone", "id", "channel", "handle", "number",
        "clocked", "levelled", "bare_ids", "phone_from",
    )  # fmt: skip

    def __init__(self, t: Tokens, text: str, kinds: frozenset[str]) -> None:
        self.t = t
        self.text = text
        self.money = "money" in kinds
        self.percent = "percent" in kinds
        self.temperature = "temperature" in kinds
        self.email = "email" in kinds
        self.phone = "phone" in kinds
        self.id = "id" in kinds
        self.channel = "channel" in kinds
        self.handle = "handle" in kinds
        self.number = "number" in kinds
        self.clocked = "time" in kinds or "time_range" in kinds
        self.levelled = (self.percent or self.temperature) and "duration" not in kinds
        self.bare_ids = self.id and not self.clocked and not self.money
        self.phone_from = 0

    def said(self, i: int, j: int) -> str:
        """Words i to j as they were written."""
        return self.text[self.t.starts[i] : self.t.ends[j - 1]]
