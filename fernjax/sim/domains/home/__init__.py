"""The smart home: its tools, what it asks back for, its state and `step`, its phrasing."""

import pathlib
import re

from fernjax.sim.domains.home.app import NEEDS, TOOLS, step
from fernjax.sim.domains.home.seed import initial_state
from fernjax.sim.domains.home.words import DEVICES, DRINKS, LAMPS, POOLS
from fernjax.sim.world import Domain

_NAMES = "|".join(re.escape(name) for name in (*DEVICES, *LAMPS, *DRINKS))

KEYWORDS = (
    r"lights?\b|lighting|lighter|lamps?\b|lit\b|bulbs?|bright\w*|dim\w*|dark\w*|gloomy|softer|glow|"
    r"shade|colou?r\w*|hue|mood|turn\w* (\w+ ){0,4}?(on|off|up|down)|put (\w+ ){0,4}?on\b|switch\w*|"
    r"power|plugs?\b|sockets?|outlets?|wemo|smart|fans?\b|tv|television|telly|heat\w*|cool\w*|cold|"
    r"chilly|hot\b|hotter|warm\w*|freez\w*|stuffy|comfortable|temperature|temp\b|degrees|thermostat|"
    r"nest\b|ac\b|a/c|air con\w*|celsius|fahrenheit|vacuum\w*|hoover\w*|roomba|robot|clean\w*|dust\w*|"
    r"floors?\b|carpets?|rugs?\b|sweep|coffee\w*|espresso|latte|cappuccino|mocha|macchiato|americano|"
    r"brew\w*|caff\w*|decaf|cup of|machine|devices?|appliances?|(on|off) (the|my|in)|"
    r"(is|are) (\w+ ){1,5}(on|off|running)\b|house|home|rooms?\b|kitchen|bedroom|bathroom|garage|patio|"
    r"porch|upstairs|downstairs|door\w*|lock\w*|blinds|curtains|oven|shut|"
    r"(activate|deactivate|enable|disable|start|stop)\b|\w+ (on|off)\W*$"
    rf"|sweep|swept|ventilat\w*|(the|my) air|(?:{_NAMES})s?\b"
)
"""What a plain sentence may hold that is, or could be heard as, a request to a smart home."""

DOMAIN = Domain(
    name="home",
    description="A smart home: lights, plugs, coffee machine, robot vacuum, thermostat.",
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=pathlib.Path(__file__).with_name("phrasing.grammar").read_text(encoding="utf-8"),
    keywords=KEYWORDS,
    repeats={"turn_on": "device", "turn_off": "device"},
    pools=POOLS,
)
