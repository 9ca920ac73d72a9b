"""The issue tracker: its tools, what it asks back for, its state and `step`, its phrasing."""

import pathlib

from fernjax.sim.domains.tracker.app import NEEDS, TOOLS, step
from fernjax.sim.domains.tracker.seed import POOLS, initial_state
from fernjax.sim.world import Domain

KEYWORDS = (
    r"tickets?\b|issues?\b|bugs?\b|defects?\b|tasks?\b|features?\b|stor(y|ies)\b|tracker|jira|backlog|"
    r"sprint|board|assign\w*|priorit\w*|urgent|critical|due\b|deadlines?|overdue|label\w*|"
    r"tag(s|ged|ging)?\b|comment\w*|block\w*|duplicat\w*|depends|relat(e|es|ed)\b|link\w*|"
    r"clos(e|ed|es)\b|reopen\w*|in progress|review\w*|done\b|finished|fixed|resolv\w*|work(ing)? on|"
    r"wont ?fix|won't|my plate|to ?do\b|project\w*|report(ed)?\b|open (a|an|up)\b|file (a|an)|"
    r"log (a|an)|[a-z]{2,8}[- ]\d+\b|hand .* over|unassigned|requests?\b|problems?\b|broken|crash\w*|"
    r"error\w*|delete|remove|create|new\b|add\b|note\b|start\w* (on|with)?|list\b|show\b"
)
"""What a plain sentence may hold that is, or could be heard as, a request to an issue tracker."""

DOMAIN = Domain(
    name="tracker",
    description="An issue tracker: tickets with ids such as OPS-142.",
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=pathlib.Path(__file__).with_name("phrasing.grammar").read_text(encoding="utf-8"),
    keywords=KEYWORDS,
    shared=("id",),
    repeats=dict.fromkeys(
        (
            "set_status",
            "assign_issue",
            "set_priority",
            "set_due_date",
            "add_label",
            "show_issue",
            "delete_issue",
        ),
        "id",
    ),
    pools=POOLS,
)
