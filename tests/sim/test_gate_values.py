"""The values of the real gate sentences can be had from mentions and resolver."""

from fernjax.sim.mentions import extract
from fernjax.sim.real import load_real
from fernjax.sim.resolve import TAKES, resolve
from fernjax.sim.types import Row
from fernjax.sim.world import load_domain

CALENDAR = load_domain("calendar")


def unreachable(row: Row) -> list[str]:
    """Arguments whose values no mention gives, under the label that lacks the fewest."""
    mentions = extract(row.query.text, row.query.now)
    lacking = []
    for label in row.labels:
        out = []
        for call in label:
            for name, arguments in call.items():
                tool = CALENDAR.tool(name)
                for argument in (tool.argument(a) for a in arguments):
                    accepted = arguments[argument.name]
                    if argument.type not in TAKES or "" in accepted:
                        continue
                    got = [
                        v
                        for m in mentions
                        for shared in (False, True)
                        for v in resolve(m, argument, tool, row.query.now, mentions, shared)[:1]
                    ]
                    if not set(got) & set(accepted):
                        out.append(f"{name}.{argument.name}={accepted}: {got}")
        lacking.append(out)
    return min(lacking, key=len)


def test_values_of_gate_sentences_can_be_had():
    rows = load_real("calendar", "gate", "public") + load_real("calendar", "gate", "authored")
    lacking = {r.query.text: bad for r in rows if (bad := unreachable(r))}
    print(lacking)
    assert len(lacking) <= 0.02 * len(rows), lacking
