"""Dates, times, spans, durations and recurrences, drawn first and then put into words.

Each function returns a phrase: a list of `(words, said)` parts in order, where `said` maps the
arguments that these words say to the values that are right for them (best first, `""` where leaving
the argument out is right as well). Parts with an empty `said` are prepositions and the like. The value
is drawn before the words, so the right answer is known by construction; that the mention extractor
reads the same value out of the words is checked by `fernjax.sim.scenario`, not assumed.
"""

from fernjax.sim.when.clocks import (
    say_before,
    say_day_clock,
    say_day_part,
    say_duration,
    say_end_part,
    say_open_time,
    say_part,
    say_time,
    say_time_span,
)
from fernjax.sim.when.days import draw_now, say_date
from fernjax.sim.when.moments import say_moment, say_moment_span
from fernjax.sim.when.past import (
    say_past_date,
    say_past_day,
    say_past_part,
    say_recent,
    say_since,
    say_since_time,
)
from fernjax.sim.when.past_spans import say_past_span
from fernjax.sim.when.spans import say_recurrence, say_span
from fernjax.sim.when.words import Phrase

__all__ = [
    "Phrase",
    "draw_now",
    "say_before",
    "say_date",
    "say_day_clock",
    "say_day_part",
    "say_duration",
    "say_end_part",
    "say_moment",
    "say_moment_span",
    "say_open_time",
    "say_part",
    "say_past_date",
    "say_past_day",
    "say_past_part",
    "say_past_span",
    "say_recent",
    "say_recurrence",
    "say_since",
    "say_since_time",
    "say_span",
    "say_time",
    "say_time_span",
]
