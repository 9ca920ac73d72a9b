"""The smart home: its tools, what it asks back for, its state and `step`, its phrasing."""

import pathlib
import re

from fernjax.sim.domains.home.app import NEEDS, TOOLS, step
from fernjax.sim.domains.home.seed import initial_state
from fernjax.sim.domains.home.words import DEVICES, DRINKS, LAMPS, POOLS, ROOMS
from fernjax.sim.world import Domain

_NAMES = "|".join(re.escape(name) for name in (*DEVICES, *LAMPS, *DRINKS))

_PLACES = "|".join(re.escape(name) for name in ROOMS)

_OWN = (
    r"lights?\b|lighting|lamps?\b|bulbs?|brighten\w*|dim\w*|plugs?\b|sockets?|outlets?|wemo|thermostat|nest\b|"
    r"vacuum\w*|hoover\w*|roomba|robot|coffee\w*|espresso|latte|cappuccino|mocha|macchiato|americano|brew\w*|"
    rf"(?:{_NAMES})s?\b"
)
_SHARED = (
    r"lighter|lit\b|bright\w*|dark\w*|gloomy|softer|glow|shade|colou?r\w*|hue|mood|"
    r"turn\w* (\w+ ){0,4}?(on|off|up|down)|put (\w+ ){0,4}?on\b|switch\w*|"
    r"power|smart|telly|heat\w*|cool\w*|cold|chilly|hot\b|hotter|warm\w*|freez\w*|stuffy|comfortable|"
    r"temperature|temp\b|degrees|a/c|air con\w*|celsius|fahrenheit|clean\w*|dust\w*|"
    r"floors?\b|carpets?|rugs?\b|caff\w*|decaf|cup of|machine|devices?|appliances?|(on|off) (the|my|in)|"
    r"(is|are) (\w+ ){1,5}(on|off|running)\b|house|home|rooms?\b|kitchen|bedroom|bathroom|garage|patio|"
    r"porch|upstairs|downstairs|door\w*|lock\w*|blinds|curtains|oven|shut|"
    r"(activate|deactivate|enable|disable|start|stop)\b|\w+ (on|off)\W*$|sweep|swept|ventilat\w*|"
    r"(the|my) air|degree|percent|per cent|gloom\w*|murky|dingy|pitch (black|dark)|"
    r"like a (cave|cellar|crypt|tomb)|harsh|glar\w+|"
    r"keurig|nespresso|percolator|fresh pot|windows?\b|lmap|ligths?|lites?\b|"
    r"thermo|shivering|"
    r"pink|turquoise|"
    rf"(in|for|the|my|our) (?:{_PLACES})\b"
)
_FOREIGN = (
    r"songs?|playlists?|music|alarms?|weather|forecast|e-?mails?|inbox|remind\w*|calendar|meetings?|"
    r"appointments?|flights?|hotels?|restaurants?|reservations?|credit|cards?|accounts?|banks?|bills?|podcasts?|"
    r"radio|volume|news|jokes?|recipes?|traffic|uber|taxi|trains?|tickets?|grocery|shopping|tweets?|facebook|"
    r"twitter|insurance|loans?|translate|spanish|french|stocks?|timers?|messages?|language|time ?zone"
)
KEYWORDS = rf"{_OWN}|(?={_SHARED})(?!.*\b(?:{_FOREIGN})\b)"
"""What a plain sentence may hold that is, or could be heard as, a request to a smart home.

Verbs and words that other apps share count only where nothing of another app comes after them: "turn off my
alarm" is what somebody said, and no request to a home.
"""

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
