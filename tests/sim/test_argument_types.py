import pytest

from fernjax.sim.argument_types import plain_schema, split_name, unit_of_measure, why_unsayable
from fernjax.sim.tools import argument_type, parse_tools
from fernjax.sim.types import UserError

STRING, NUMBER = {"type": "string"}, {"type": "number"}


def told(description, **more):
    return {"type": "string", "description": description, **more}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("endDate", "end date"),
        ("userID", "user id"),
        ("HTTPServer", "http server"),
        ("get-weather", "get weather"),
        ("calendar.create_event", "calendar create event"),
        ("v2.5", "v2.5"),
    ],
)
def test_names_are_split_into_words(name, words):
    assert split_name(name) == words.split()


@pytest.mark.parametrize(
    ("name", "schema", "expected"),
    [
        ("endDate", told("", format="date"), "end_date"),
        ("checkOutDate", told("Check-out date (YYYY-MM-DD)"), "end_date"),
        ("day", told("The day, as YYYY-MM-DD"), "date"),
        ("deadline", STRING, "date"),
        ("dueDate", STRING, "date"),
        ("day", told("Day of the week"), "text"),
        ("date_range", STRING, "text"),
        ("time", told("Time in HH:MM, 24-hour"), "time"),
        ("endTime", told("e.g. 14:30"), "end_time"),
        ("start_time", told("", format="date-time"), "datetime"),
        ("start_time", told("ISO 8601 datetime"), "datetime"),
        ("start_time", told("RFC3339 timestamp"), "datetime"),
        ("end", told("YYYY-MM-DDTHH:MM:SS"), "end_datetime"),
        ("date", told("Date in ISO 8601 format"), "date"),
        ("since", told("Only results after this ISO 8601 date"), "date"),
        ("when", STRING, "datetime"),
        ("timezone", told("IANA time zone"), "text"),
        ("title", told("Title, such as Daily at 10:30"), "text"),
        ("contactEmail", STRING, "email"),
        ("recipient", told("Email address of the recipient"), "email"),
        ("email_body", STRING, "text"),
        ("to", told("", format="email"), "email"),
        ("mobile", STRING, "phone"),
        ("caller", told("The phone number to call"), "phone"),
        ("base", told("Currency code of the base"), "currency"),
        ("orderId", STRING, "id"),
        ("tracking_number", STRING, "id"),
        ("amount", NUMBER, "amount"),
        ("amount_ml", NUMBER, "number"),
        ("amount", {"type": "number", "description": "Amount of water in ml"}, "number"),
        ("price_per_night", NUMBER, "amount"),
        ("maxPrice", NUMBER, "amount"),
        ("cost", NUMBER, "amount"),
        ("distance_km", NUMBER, "number"),
        ("weight", NUMBER, "number"),
        ("duration_hours", NUMBER, "hours"),
        ("duration", {"type": "integer"}, "minutes"),
        ("duration", {"type": "integer", "description": "Length in seconds"}, "seconds"),
        ("days", {"type": "integer"}, "days"),
        ("inMinutes", {"type": "integer"}, "delay"),
        ("volume", {"type": "integer", "maximum": 100}, "percent"),
        ("year", {"type": "integer"}, "number"),
        ("rating", {"type": "integer", "enum": [1, 2, 3]}, "choice"),
    ],
)
def test_types_that_only_names_and_descriptions_tell(name, schema, expected):
    assert argument_type(name, schema) == expected


def test_schemas_are_made_plain():
    root = {"$defs": {"Day": {"type": "string", "format": "date"}, "Loop": {"$ref": "#/$defs/Loop"}}}
    assert plain_schema({"type": ["string", "null"]})["type"] == "string"
    assert plain_schema({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 1}) == {
        "type": "integer",
        "default": 1,
    }
    assert plain_schema({"$ref": "#/$defs/Day", "description": "x"}, root)["format"] == "date"
    assert plain_schema({"$ref": "#/$defs/Loop"}, root).get("type") is None
    assert plain_schema({"type": "float"})["type"] == "number"
    assert plain_schema({"oneOf": [{"const": "a"}, {"const": "b"}]})["enum"] == ["a", "b"]
    assert plain_schema({"enum": ["a", None]})["enum"] == ["a"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"const": 3},
        {"type": "array", "items": {"type": "object"}},
        {"type": "array", "items": {"type": "number"}},
        {"type": "array", "items": {"type": "string", "format": "date"}},
    ],
)
def test_what_no_sentence_says(schema):
    assert why_unsayable(schema)
    with pytest.raises(UserError, match="t.x .* no one sentence says"):
        parse_tools([{"function": {"name": "t", "parameters": {"properties": {"x": schema}}}}])


def test_units_of_measure():
    assert unit_of_measure("amount_ml", "") == "ml"
    assert unit_of_measure("distance", "How far, in kilometers") == "km"
    assert unit_of_measure("amount", "How much to pay, in pounds") == ""


def test_arguments_beside_each_other():
    def parse(**properties):
        document = [{"function": {"name": "t", "parameters": {"properties": properties}}}]
        return {a.name: a for a in parse_tools(document)[0].arguments}

    unit = {"enum": ["celsius", "fahrenheit"]}
    assert parse(unit=unit)["unit"].type == "choice"
    assert parse(temperature=NUMBER, unit=unit)["unit"].type == "unit"
    money = parse(amount=NUMBER, from_currency=STRING, to_currency=STRING)
    assert money["from_currency"].type == "currency"
    assert money["to_currency"].type == "choice" and "JPY" in money["to_currency"].choices
    assert parse(newDate={"type": "string", "format": "date"})["newDate"].new
    tags = parse(tags={"type": "array", "items": {"type": "string", "enum": ["a", "b"]}})["tags"]
    assert tags.type == "texts" and tags.choices == ("a", "b")
