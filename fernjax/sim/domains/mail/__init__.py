"""Mail: its tools, what it asks back for, its state and `step`, its phrasing."""

import pathlib

from fernjax.sim.domains.mail.app import NEEDS, TOOLS, step
from fernjax.sim.domains.mail.seed import initial_state
from fernjax.sim.domains.mail.words import MAIL_POOLS
from fernjax.sim.world import Domain

KEYWORDS = (
    r"e-?mail\w*|mail\w*|gmail|inbox|outbox|messag\w*|msg|sms|text(s|ed|ing)?\b|im\b|dm\b|whatsapp|imessage|"
    r"repl(y|ies|ied|ying)|respon[ds]\w*|answer(ed)? (him|her|them|my|the|that|this)|"
    r"wr(ite|ote|itten) (back|to)|write (?!a (song|poem|story|list))|forward\w*|cc\b|bcc\b|attach\w*|spam|"
    r"unread|newsletter\w*|sender|subject|draft\w*|compose|letter|send\w*|sent\b|contacts?\b|address\w*|"
    r"phone\w*|numbers?|digits|dial\w*|call(s|ed|ing)?\b|ring\b|facetime|skype|voicemail\w*|buzz|"
    r"get (a )?hold of|get in touch|reach\b|correspond\w*|"
    r"(tell|ask|let|inform|notify|remind|invite|ping|thank|congratulate|wish) (?!me\b|us\b)\w+|"
    r"birthday|born|employer|employ\w*|works? (for|at)|(lives?|living) (in|at|on)?|where (do|does)|"
    r"heard? (back )?from|hang up|speak (to|with)|talk (to|with)|area code|zip code"
)
"""What a plain sentence may hold that is, or could be heard as, a request to a mail app."""

DOMAIN = Domain(
    name="mail",
    description="Email and text messages.",
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=pathlib.Path(__file__).with_name("phrasing.grammar").read_text(encoding="utf-8"),
    keywords=KEYWORDS,
    pools=MAIL_POOLS,
)
