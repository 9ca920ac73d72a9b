"""Alarms and timers: their tools, what they ask back for, their state and `step`, their phrasing."""

import pathlib

from fernjax.sim.domains.alarms.app import NEEDS, TOOLS, step
from fernjax.sim.domains.alarms.pools import POOLS
from fernjax.sim.domains.alarms.seed import initial_state
from fernjax.sim.world import Domain

KEYWORDS = (
    r"alarm\w*|timers?\b|timings?\b|stopwatch|snooz\w*|wake|waking|woke|awake|get(ting)? (me |us )?up\b|"
    r"be up\b|count ?down|counting|remind\w*|alert\w*|notif\w*|buzz\w*|ring(s|ing)?\b|beep\w*|ping me|"
    r"warn me|tell me when|let me know when|oversle\w*|sleep|nap\b|bed\b|bedtime|clock|silence|go(es)? off\b|"
    r"(in|for|another|more|every) [\w ]{1,15}(minutes?|mins?|hours?|seconds?|secs?)\b|morning call|"
    r"time (is )?(left|remaining)|how (much time|much longer|long)|(shut|be) (up|quiet)|o'?clock"
)
"""What a plain sentence may hold that is, or could be heard as, a request to a clock."""

DOMAIN = Domain(
    name="alarms",
    description="A clock: alarms and timers.",
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=pathlib.Path(__file__).with_name("phrasing.grammar").read_text(encoding="utf-8"),
    keywords=KEYWORDS,
    repeats={"set_alarm": "time", "cancel_alarm": "time", "set_timer": "seconds"},
    unhappy=("exists",),
    pools=POOLS,
)
