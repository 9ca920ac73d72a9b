"""Lists: their tools, what the app asks back for, its state and `step`, its phrasing."""

import pathlib

from fernjax.sim.domains.lists.app import NEEDS, TOOLS, step
from fernjax.sim.domains.lists.seed import initial_state
from fernjax.sim.domains.lists.values import POOLS
from fernjax.sim.world import Domain

KEYWORDS = (
    r"lists?\b|listed|wish ?lists?|checklists?|shopping|shop for|grocer\w+|supermarket|to[- ]?dos?\b|todos?|"
    r"chores?|errands?|tasks?|items?|things to|pantry|fridge|cart\b|"
    r"(add|put|include|enter|insert|write|jot|note|stick|throw|pop|place) .*\b(on|to|in|into|onto) "
    r"(it|there|that)\b|"
    r"(take|cross|tick|check|scratch|strike|mark) .*\boff\b|(take|cross|tick|check|scratch|strike) off|"
    r"(i|we) (need|want|bought|got|have|don't|do not|already)\b.* (milk|eggs?|bread|butter|soap|paper)|"
    r"(need|have|want|got) to (buy|get|pick up)|(run|running|ran|all|almost|nearly) (out|low) (of|on)|"
    r"out of \w+$|"
    r"(i|we) (don't|do not|no longer) (want|need)( any)?( more)? \w+\b|get rid of (the )?\w+$|"
    r"(add|include|remove|delete|erase|cross out) (x|it|this|that|them|these)\W*$|"
    r"remind\w*|note to self|make a note|notes?\b"
)
"""What a plain sentence may hold that is, or could be heard as, a request to an app of lists."""

DOMAIN = Domain(
    name="lists",
    description="Shopping, to-do and other lists.",
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=pathlib.Path(__file__).with_name("phrasing.grammar").read_text(encoding="utf-8"),
    keywords=KEYWORDS,
    shared=("list",),
    repeats={"show_list": "list", "clear_list": "list", "delete_list": "list"},
    unhappy=("exists",),
    pools=POOLS,
)
