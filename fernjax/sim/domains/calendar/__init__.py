"""The calendar: its tools, what it asks back for, its state and `step`, its phrasing."""

import pathlib

from fernjax.sim.domains.calendar.app import NEEDS, TOOLS, step
from fernjax.sim.domains.calendar.seed import initial_state
from fernjax.sim.world import Domain

KEYWORDS = (
    r"calend[ae]r|colander|events?\b|meetings?|meets?\b|appointments?|appt|schedul\w*|remind\w*|"
    r"remember|agenda|birthdays?|anniversar\w+|busy|free\b|available|availability|notif\w+|alert\w*|"
    r"forget|plans?\b|planned|itinerary|dates?\b|day off|days off|pto|vacation|time off|conference|"
    r"party|parties|wedding|lunch|dinner with|doctor|dentist|interview|class(es)?\b|deadline|due|"
    r"reschedul\w*|postpone|cancel\w*|block out|slot|invite\w*|rsvp|add .* to my (day|week)|(my|"
    r"your) (day|week|month|time|diary|planner)|(what|anything|something) .*\b(today|tomorrow|tonight|"
    r"weekend|this week|next week)\b"
)
"""What a plain sentence may hold that is, or could be heard as, a request to a calendar."""

DOMAIN = Domain(
    name="calendar",
    description="A personal calendar: events and reminders.",
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=pathlib.Path(__file__).with_name("phrasing.grammar").read_text(encoding="utf-8"),
    unhappy=("no_free_slot",),
    keywords=KEYWORDS,
)
