"""What lies behind is said, and read back as said."""

import datetime
import random

import pytest

from fernjax.sim import when
from fernjax.sim.lookback import lying_behind
from fernjax.sim.mentions import extract
from fernjax.sim.resolve import TAKES, kinds_of, resolve
from fernjax.sim.types import Mention
from fernjax.sim.world import load_domain

MAIL = load_domain("mail")
SEARCH = MAIL.tool("search_email")
NOW = "2026-03-04T09:30:00"  # a Wednesday


def read(text: str, argument: str, now: str = NOW) -> list:
    found = extract(text, now, kinds_of(MAIL.tools))
    assert len(found) == 1, (text, found)
    return resolve(found[0], SEARCH.argument(argument), SEARCH, now, found)


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("on monday", "2026-03-02", "2026-03-02"),
        ("on friday", "2026-02-27", "2026-02-27"),
        ("in january", "2026-01-01", "2026-01-31"),
        ("in may", "2025-05-01", "2025-05-31"),
        ("since january", "2026-01-01", None),
        ("since the 20th", "2026-02-20", None),
        ("the 20th", "2026-02-20", "2026-02-20"),
        ("on christmas", "2025-12-25", "2025-12-25"),
        ("from friday to sunday", "2026-02-27", "2026-03-01"),
        ("from may 3 to june 5", "2025-05-03", "2025-06-05"),
        ("over the weekend", "2026-02-28", "2026-03-01"),
        ("this week", "2026-03-02", "2026-03-08"),
        ("last week", "2026-02-23", "2026-03-01"),
        ("the last 30 days", "2026-02-02", "2026-03-04"),
        ("tomorrow", "2026-03-05", "2026-03-05"),
        ("until friday", None, "2026-02-27"),
    ],
)
def test_a_tool_that_looks_back_reads_days_as_past(words, start, end):
    if start is not None:
        assert read(words, "start_date")[0] == start
    assert next(iter(read(words, "end_date")), None) == end


def test_a_tool_that_looks_ahead_does_not():
    calendar = load_domain("calendar")
    tool = calendar.tool("list_events")
    found = extract("in january", NOW, kinds_of(calendar.tools))
    assert resolve(found[0], tool.argument("date"), tool, NOW, found)[0] == "2027-01-01"
    assert not any(t.looks_back for t in calendar.tools)


def test_only_tools_that_read_and_begin_somewhere_look_back():
    assert [t.name for t in MAIL.tools if t.looks_back] == ["search_email"]
    assert {t.name for t in load_domain("wallet").tools if t.looks_back} == {
        "list_transactions",
        "get_spending",
    }


def test_days_that_no_earlier_month_or_year_has():
    month = Mention("date", 0, 1, "2026-03-31", (), "monthday")
    assert lying_behind(month, "2026-03-04") == ["2026-01-31"]
    leap = Mention("date", 0, 1, "2028-02-29", (), "calendar")
    assert lying_behind(leap, "2028-02-01") == ["2027-02-28"]


SAYS = {
    "past_span": (when.say_past_span, ("start_date", "end_date")),
    "past_date": (when.say_past_date, ("start_date",)),
    "past_day": (when.say_past_day, ("start_date", "end_date")),
    "since": (when.say_since, ("start_date",)),
    "past_part": (when.say_past_part, ("start_date", "start_time")),
    "since_time": (when.say_since_time, ("start_time",)),
    "recent": (when.say_recent, ("start_date", "start_time")),
}


@pytest.mark.parametrize("kind", sorted(SAYS))
def test_what_lies_behind_is_read_back(kind):
    say, names = SAYS[kind]
    rng, lost, values_said = random.Random(0), [], 0
    for _ in range(400):
        now = when.draw_now(rng)
        iso = now.isoformat(timespec="seconds")
        phrase = say(rng, now, *names)
        text = " ".join(words for words, _ in phrase if words)
        mentions = extract(text, iso, kinds_of(MAIL.tools))
        for name, values in ((n, v) for _, said in phrase for n, v in said.items()):
            values_said += 1
            argument = SEARCH.argument(name)
            fitting = [m for m in mentions if m.kind in TAKES[argument.type]]
            got = resolve(fitting[0], argument, SEARCH, iso, mentions) if len(fitting) == 1 else []
            if name == "start_date":
                assert all(datetime.date.fromisoformat(v) <= now.date() for v in values if v)
            if not got or got[0] not in values:
                lost.append((text, iso, name, values, got))
    assert len(lost) <= 0.02 * values_said, lost[:5]
