import pytest

from fernjax.sim.tools import argument_type, parse_tools

DATE = {"type": "string", "format": "date"}
TIME = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}


@pytest.mark.parametrize(
    ("name", "schema", "expected"),
    [
        ("date", DATE, "date"),
        ("end_date", DATE, "end_date"),
        ("due_before", DATE, "end_date"),
        ("due_date", DATE, "date"),
        ("until", TIME, "end_time"),
        ("minutes_before", {"type": "integer"}, "minutes"),
        ("in_minutes", {"type": "integer"}, "delay"),
        ("other_id", {"type": "string"}, "id"),
        ("items", {"type": "array"}, "texts"),
        ("private", {"type": "boolean"}, "choice"),
    ],
)
def test_the_type_of_an_argument_follows_from_its_schema_and_name(name, schema, expected):
    assert argument_type(name, schema) == expected


def test_what_tools_say_about_time():
    def tool(**properties):
        document = [{"function": {"name": "t", "parameters": {"properties": properties}}}]
        return parse_tools(document, reads=("t",))[0]

    minutes = {"type": "integer"}
    assert tool(query={"type": "string"}, start_date=DATE).looks_back
    assert not tool(query={"type": "string"}, date=DATE).looks_back
    assert tool(time=TIME).rings and not tool(label={"type": "string"}, time=TIME).rings
    assert tool(minutes=minutes, time=TIME).has_moment and not tool(minutes=minutes, until=TIME).has_moment
