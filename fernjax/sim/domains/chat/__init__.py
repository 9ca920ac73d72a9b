"""The team chat: its tools, what it asks back for, its state and `step`, its phrasing."""

import pathlib

from fernjax.sim.domains.chat.app import NEEDS, TOOLS, step
from fernjax.sim.domains.chat.seed import POOLS, initial_state
from fernjax.sim.world import Domain

KEYWORDS = (
    r"channels?\b|chanel\w*|#|hash\b|messag\w*|msg\w*|dms?\b|pings?\b|slack|post(ed|s|ing)?\b|chat\w*|"
    r"threads?\b|status|mut(e|ed|ing)\b|unmute|silenc\w*|quiet\w*|snooze|notif\w*|disturb|invit\w*|"
    r"add .* to\b|pin(ned|s|ning)?\b|announc\w*|let .* know|tell (?!me\b)\w+|say(ing)? |says\b|said\b|"
    r"told|ask (?!me\b)\w+|write (to|in)|send\b|text\b|reply|respond|mention\w*|teams?\b|groups?\b|"
    r"away\b|busy|available|brb|afk|lunch|commut\w*|out of office|ooo\b|meeting|remind .* (that|to)|"
    r"search|look for|find|schedul\w*|inform|notify|broadcast|share|tweet|facebook|drop .* (in|into)|"
    r"room|wrote|conversation|discuss\w*"
)
"""What a plain sentence may hold that is, or could be heard as, a request to a team chat."""

DOMAIN = Domain(
    name="chat",
    description="A team chat: channels, direct messages, status.",
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=pathlib.Path(__file__).with_name("phrasing.grammar").read_text(encoding="utf-8"),
    keywords=KEYWORDS,
    shared=("pin_message.channel",),
    repeats={
        "mute_channel": "channel",
        "post_message": "channel",
        "direct_message": "user",
        "create_channel": "channel",
        "pin_message": "channel",
    },
    pools=POOLS,
)
