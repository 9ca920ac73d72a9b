"""The wallet: its tools, what it asks back for, its state and `step`, its phrasing."""

import pathlib

from fernjax.sim.domains.wallet.app import NEEDS, TOOLS, step
from fernjax.sim.domains.wallet.seed import initial_state
from fernjax.sim.world import Domain

_HERE = pathlib.Path(__file__).parent

KEYWORDS = (
    r"money|cash\b|bucks?\b|dollars?|euros?\b|quid|grand\b|funds?\b|transfer\w*|wir(e|ing)\b|venmo|zelle|"
    r"paypal|send .*\d|owe\w*|pa(y|ys|id|ying)\b|payments?|payoff|bills?\b|billing|invoices?|dues?\b|rent\b|"
    r"mortgage|loans?\b|utilit\w+|accounts?\b|balances?\b|bank\w*|savings?\b|checkings?\b|cheques?|"
    r"checks?\b(?! (if|for|the|my|on|whether))|(check|cheque)books?|cards?\b|visa\b|mastercard|amex|"
    r"american express|debit\w*|credit\w*|chase\b|citi\w*|wells fargo|transactions?|charged?\b|charges\b|"
    r"purchas\w*|spen[dt]\w*|expens\w+|bought|withdr\w+|deposit\w*|fraud\w*|scam\w*|stolen|stole\b|hacked|"
    r"unauthorized|suspicious|dispute\w*|freez\w+|froze\w*|blocked|statement|financ\w+|budget\w*|costs?\b|"
    r"how much (was |money |cash )?(did|do|have|am|has|will|should) (i|we)\b|"
    r"(did|have|do|has) (i|we) .*\b(buy|order|get)\b|outlays?|overspen\w+|.*[$£€]|atm\b|wallet|lost my|"
    r"(how much|what) .*\b(owe|pay|left|worth|have|set me back|went (on|to|at|for|in))\b|"
    r"expenditure\w*|overdrawn|overboard on|outgoings|ins and outs|insurance|identity theft|billed\b|"
    r"pounds?\b|pesos\b|rupees\b|yen\b|buys\b|deadline|acct\b|a/c\b|txns?\b"
)
"""What a plain sentence may hold that is, or could be heard as, a request to a wallet."""

DOMAIN = Domain(
    name="wallet",
    description="A banking app: accounts, bills, cards.",
    tools=TOOLS,
    needs=NEEDS,
    initial_state=initial_state,
    step=step,
    grammar=(_HERE / "phrasing.grammar").read_text(encoding="utf-8"),
    keywords=KEYWORDS,
    repeats={"get_bill": "bill", "pay_bill": "bill", "get_balance": "account"},
    unhappy=("insufficient_funds", "account_frozen", "card_blocked", "already_done"),
    how_tos=True,
    pools={
        p.stem: tuple(p.read_text(encoding="utf-8").splitlines())
        for p in sorted((_HERE / "pools").glob("*.txt"))
    },
)
