import pytest

from fernjax.sim.mentions import extract
from fernjax.sim.resolve import TAKES, in_order, kinds_of, kinds_to_show, likely, resolve, takes
from fernjax.sim.tools import Argument, Tool
from fernjax.sim.types import Mention
from fernjax.sim.world import load_domain

NOW = "2026-03-04T09:30:00"  # a Wednesday
WRITES = Tool("create_event", "", (), False)
READS = Tool("list_events", "", (), True)


def argument(kind: str, new: bool = False) -> Argument:
    return Argument(name=kind, type=kind, choices=(), description="", required=False, new=new)


def mention(kind, value, alternatives=(), form="", part="") -> Mention:
    return Mention(kind, 0, 5, value, tuple(alternatives), form, part)


WEEK = {"start": "2026-03-02", "end": "2026-03-08"}


@pytest.mark.parametrize(
    ("said", "type_", "tool", "expected"),
    [
        (mention("date", "2026-03-06"), "date", WRITES, ["2026-03-06"]),
        (mention("date", "2026-03-06"), "end_date", WRITES, ["2026-03-06"]),
        (mention("time", "09:40", ("21:40",)), "end_time", WRITES, ["09:40", "21:40"]),
        (mention("datetime", "2026-03-06T15:00"), "date", WRITES, ["2026-03-06"]),
        (mention("datetime", "2026-03-06T15:00"), "time", WRITES, ["15:00"]),
        (mention("datetime", "2026-03-06T15:00"), "minutes", WRITES, []),
        (mention("date_range", WEEK), "date", READS, ["2026-03-04", "2026-03-02"]),
        (mention("date_range", WEEK), "end_date", READS, ["2026-03-08"]),
        (mention("time_range", {"start": "15:00", "end": None}), "time", READS, ["15:00"]),
        (mention("time_range", {"start": "15:00", "end": None}), "end_time", READS, []),
        (mention("time_range", {"start": None, "end": "19:00"}), "time", WRITES, ["19:00"]),
        (mention("time_range", {"start": None, "end": "12:00"}), "end_time", READS, ["12:00"]),
        (mention("time", "evening", part="evening"), "time", WRITES, ["evening"]),
        (mention("duration", {"seconds": 5400}), "minutes", WRITES, [90]),
        (mention("recurrence", "weekly"), "recurrence", WRITES, ["weekly"]),
        (
            mention(
                "datetime_range", {"start": "2026-03-04T18:00", "end": "2026-03-05T00:00"}, part="evening"
            ),
            "time",
            WRITES,
            ["evening"],
        ),
        (
            mention(
                "datetime_range", {"start": "2026-03-04T18:00", "end": "2026-03-05T00:00"}, part="evening"
            ),
            "date",
            WRITES,
            ["2026-03-04"],
        ),
    ],
)
def test_one_mention_fills_an_argument_by_type(said, type_, tool, expected):
    assert resolve(said, argument(type_), tool, NOW) == expected


def test_a_mention_of_another_kind_never_fits():
    for kind in ("money", "email", "duration", "recurrence", "number", "time"):
        assert resolve(mention(kind, 3), argument("date"), WRITES, NOW) == []


def test_a_look_up_goes_back_a_few_days_and_a_write_forward():
    said = mention("date", "2027-03-01", ("2026-03-01",))
    assert resolve(said, argument("date"), READS, NOW)[0] == "2026-03-01"
    assert resolve(said, argument("date"), WRITES, NOW)[0] == "2027-03-01"


def test_the_old_and_the_new_argument_share_a_range():
    said = mention("time_range", {"start": "12:00", "end": "13:00"})
    assert resolve(said, argument("time"), WRITES, NOW, shared=True) == ["12:00"]
    assert resolve(said, argument("time", new=True), WRITES, NOW, shared=True) == ["13:00"]


def test_the_hour_follows_the_part_of_the_day_said_elsewhere():
    hour = mention("time", "07:00", ("19:00",), "bare")
    evening = Mention("time", 20, 27, "evening", (), "part", "evening")
    assert resolve(hour, argument("time"), WRITES, NOW, (hour, evening))[0] == "19:00"
    assert resolve(hour, argument("time"), WRITES, NOW, (hour,))[0] == "07:00"


def test_a_bare_number_may_be_an_hour_and_an_ordinal_a_day():
    assert resolve(mention("number", 3), argument("time"), WRITES, NOW) == ["15:00", "03:00"]
    assert resolve(mention("number", 9), argument("time"), WRITES, NOW) == ["09:00", "21:00"]
    assert resolve(mention("number", 12), argument("time"), WRITES, NOW) == ["12:00", "00:00"]
    assert resolve(mention("number", 40), argument("time"), WRITES, NOW) == []
    assert resolve(mention("number", 2.5), argument("time"), WRITES, NOW) == []
    assert resolve(mention("ordinal", 10), argument("date"), WRITES, NOW) == ["2026-03-10"]
    assert resolve(mention("ordinal", 4), argument("date"), WRITES, NOW) == ["2026-04-04"]
    assert resolve(mention("ordinal", 31), argument("date"), WRITES, "2026-04-30T09:00:00") == ["2026-05-31"]
    assert resolve(mention("ordinal", 40), argument("date"), WRITES, NOW) == []


MONEY = {"amount": 50, "currency": "USD"}
NEXT_HOUR = {"start": "2026-03-04T10:00", "end": "2026-03-04T11:00"}
TWO_FIFTY = mention("money", {"amount": 250, "currency": None}, [{"amount": 2.5, "currency": None}])


@pytest.mark.parametrize(
    ("said", "type_", "expected"),
    [
        (mention("money", MONEY), "amount", [50]),
        (mention("money", MONEY), "currency", ["USD"]),
        (TWO_FIFTY, "amount", [250, 2.5]),
        (TWO_FIFTY, "currency", []),
        (mention("number", 40), "amount", [40]),
        (mention("number", 40), "currency", []),
        (mention("temperature", {"degrees": 21.5, "unit": "celsius"}), "degrees", [21.5]),
        (mention("temperature", {"degrees": 21, "unit": "celsius"}), "unit", ["celsius"]),
        (mention("temperature", {"degrees": 21, "unit": None}), "unit", []),
        (mention("number", 72), "degrees", [72]),
        (mention("percent", 40), "percent", [40]),
        (mention("number", 40), "percent", [40]),
        (mention("percent", 40), "number", []),
        (mention("duration", {"seconds": 90}), "seconds", [90]),
        (mention("duration", {"seconds": 90}), "delay", [2]),
        (mention("datetime", "2026-03-04T09:40", form="ahead"), "delay", [10]),
        (mention("datetime", "2026-03-04T09:31:30", form="ahead"), "seconds", [90]),
        (mention("datetime", "2026-03-04T09:40", form="weekday"), "delay", []),
        (mention("datetime", "2026-03-04T09:40", form="ahead"), "minutes", [10]),
        (mention("datetime_range", NEXT_HOUR, form="period"), "minutes", [60]),
        (mention("datetime_range", NEXT_HOUR, form="period"), "seconds", [3600]),
        (mention("datetime_range", NEXT_HOUR, form="weekday"), "delay", []),
        (mention("id", "OPS-142"), "id", ["OPS-142"]),
        (mention("number", 142), "id", ["142"]),
        (mention("email", "ana@example.org"), "email", ["ana@example.org"]),
        (mention("phone", "555 0100"), "phone", ["555 0100"]),
        (mention("number", 5), "phone", []),
    ],
)
def test_the_other_types(said, type_, expected):
    assert resolve(said, argument(type_), WRITES, NOW) == expected


def test_a_currency_comes_with_its_amount_and_money_goes_before_a_number():
    said = [mention("number", 2), mention("money", MONEY), mention("money", {"amount": 9, "currency": "EUR"})]
    assert in_order(argument("amount"), said, [0, 1, 2], []) == [1, 2, 0]
    assert in_order(argument("currency"), said, [1, 2], [said[2]]) == [2, 1]
    assert in_order(argument("number"), said, [0], []) == [0]


def test_a_length_is_said_from_now_where_the_tool_has_no_moment():
    mute, book = (
        Tool("t", "", tuple(map(argument, kinds)), False) for kinds in (["minutes"], ["minutes", "date"])
    )
    assert takes(argument("minutes"), mute) == {"duration", "datetime", "datetime_range", "number"}
    assert takes(argument("minutes"), book) == {"duration"}
    said = mention("datetime", "2026-03-04T09:40", form="ahead")
    assert resolve(said, argument("minutes"), book, NOW) == []
    assert resolve(mention("number", 10), argument("minutes"), mute, NOW) == [10]
    assert resolve(mention("number", 2.5), argument("minutes"), mute, NOW) == []
    assert resolve(mention("number", 10), argument("minutes"), book, NOW) == []
    assert likely(argument("minutes"), mute) == {"duration", "datetime", "datetime_range"}


def test_a_part_of_the_day_ends_what_has_no_beginning():
    tonight = mention(
        "datetime_range", {"start": "2026-03-04T18:00", "end": "2026-03-05T00:00"}, part="evening"
    )
    until = Tool("set_status", "", (argument("end_time"),), False)
    span = Tool("list_events", "", (argument("time"), argument("end_time")), True)
    assert resolve(tonight, argument("end_time"), until, NOW) == ["evening"]
    assert resolve(tonight, argument("end_time"), span, NOW) == []


def test_an_app_asks_for_the_kinds_that_its_arguments_take():
    def tool(*arguments: Argument) -> Tool:
        return Tool("do", "", arguments, False)

    assert kinds_of([tool(argument("text"), argument("choice"))]) == frozenset()
    assert kinds_of([tool(argument("amount")), tool(argument("id"))]) == TAKES["amount"] | TAKES["id"]
    assert kinds_of([tool(argument("channel"))]) == frozenset()
    assert kinds_to_show([tool(argument("channel"))]) == {"channel"}
    to = Argument("to", "texts", (), "Who, or an email address.", False, False)
    assert kinds_of([tool(to)]) == {"email"}
    calendar = kinds_of(load_domain("calendar").tools)
    assert not calendar & {"money", "percent", "temperature", "id", "channel", "email", "phone", "handle"}


@pytest.mark.parametrize(
    ("words", "kind", "back", "expected"),
    [
        ("friday at 3pm", "datetime", False, "2026-03-06T15:00"),
        ("friday at 3pm", "datetime", True, "2026-02-27T15:00"),
        ("at 3", "datetime", False, "2026-03-04T15:00"),
        ("at 9am", "datetime", False, "2026-03-05T09:00"),
        ("at 9am", "datetime", True, "2026-03-04T09:00"),
        ("friday", "datetime", False, "2026-03-06T00:00"),
        ("friday", "end_datetime", False, "2026-03-06T23:59"),
        ("tomorrow evening", "datetime", False, "2026-03-05T18:00"),
        ("friday from 3 to 4pm", "datetime", False, "2026-03-06T15:00"),
        ("friday from 3 to 4pm", "end_datetime", False, "2026-03-06T16:00"),
        ("next week", "end_datetime", False, "2026-03-15T23:59"),
        ("in two hours", "datetime", False, "2026-03-04T11:30"),
    ],
)
def test_a_day_and_a_time_in_one_value(words, kind, back, expected):
    a = argument(kind)
    tool = Tool("do", "", (a,), False, back)
    now = "2026-03-04T09:30:00"
    mentions = extract(words, now, takes(a, tool))
    assert len(mentions) == 1 and resolve(mentions[0], a, tool, now, mentions)[0] == expected


@pytest.mark.parametrize(
    ("words", "kind", "expected"),
    [
        ("2 hours", "hours", 2),
        ("an hour and a half", "hours", 1.5),
        ("3 days", "days", 3),
        ("a week", "days", 7),
        ("the next 3 days", "days", 3),
        ("the next five hours", "hours", 5),
        ("6 months", "months", 6),
        ("30 years", "years", 30),
        ("4", "hours", 4),
    ],
)
def test_lengths_in_the_unit_that_the_argument_counts(words, kind, expected):
    a = argument(kind)
    tool = Tool("do", "", (a,), False)
    now = "2026-03-04T09:30:00"
    mentions = extract(words, now, takes(a, tool))
    assert resolve(mentions[0], a, tool, now, mentions) == [expected]


def test_a_length_of_whole_hours_is_no_half_one():
    whole = Argument("hours", "hours", (), "", False, False, True)
    tool = Tool("do", "", (whole,), False)
    now = "2026-03-04T09:30:00"
    (half,) = extract("90 minutes", now, takes(whole, tool))
    assert resolve(half, whole, tool, now) == []


def test_the_number_of_an_issue_may_be_said_as_its_id():
    number = Argument("issueNumber", "number", (), "", False, False, True)
    other = Argument("order_id", "id", (), "", False, False)
    tool = Tool("do", "", (number, other), False)
    (said,) = extract("close issue 42", "2026-03-04T09:30:00", takes(number, tool) | takes(other, tool))
    assert said.kind == "id" and resolve(said, number, tool, "2026-03-04T09:30:00") == [42]
