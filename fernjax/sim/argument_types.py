"""The type of an argument, read off its JSON schema: format, pattern, enum, name and description.

Schemas are taken as they are found: the OpenAI and MCP forms, what pydantic writes (`anyOf` with null,
`$ref`), names in snake case, kebab case and camel case, and formats that only a description tells.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

RECURRENCES = ("daily", "weekdays", "weekends", "weekly", "biweekly", "monthly", "yearly")
PARTS_OF_DAY = ("morning", "afternoon", "evening", "night")
UNITS = ("celsius", "fahrenheit")

LENGTHS: dict[str, int] = {
    "seconds": 1,
    "minutes": 60,
    "hours": 3600,
    "days": 86_400,
    "weeks": 7 * 86_400,
    "months": 30 * 86_400,
    "years": 365 * 86_400,
}
"""Types of argument that are a length of time, and the seconds of their unit."""

MEASURES: dict[str, str] = {
    "km": "km", "kilometers": "km", "kilometres": "km", "kilometer": "km", "miles": "miles", "mile": "miles",
    "mi": "miles", "meters": "m", "metres": "m", "feet": "ft", "ft": "ft", "inches": "inches", "cm": "cm",
    "centimeters": "cm", "centimetres": "cm", "mm": "mm", "kg": "kg", "kgs": "kg", "kilograms": "kg",
    "kilogram": "kg", "kilos": "kg", "pounds": "lbs", "lbs": "lbs", "lb": "lbs", "grams": "g", "gram": "g",
    "mg": "mg", "milligrams": "mg", "liters": "l", "litres": "l", "liter": "l", "ml": "ml",
    "milliliters": "ml",
    "millilitres": "ml", "oz": "oz", "ounces": "oz", "cups": "cups", "calories": "calories",
    "kcal": "calories", "kwh": "kwh", "nights": "nights", "steps": "steps", "mph": "mph", "kmh": "kmh",
}  # fmt: skip
"""Words of a name or a description that are a unit of measure, and the unit they mean."""


def split_name(name: str) -> list[str]:
    """Lower-case words of a name in snake, kebab, dotted or camel case: `userID`, `get-weather`, `a.b_c`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return re.sub(r"[_\-/]|(?<!\d)\.|\.(?!\d)", " ", spaced).lower().split()


def plain_schema(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A schema without `$ref`, `anyOf` and null: of several types the first that is not null.

    Args:
      schema: of one argument.
      root: the schema of all arguments, whose `$defs` or `definitions` a `$ref` names.
    """
    out = dict(schema)
    for _ in range(_MAX_REFS):
        if isinstance(ref := out.pop("$ref", None), str):
            out = _named(ref, root or {}) | out
            continue
        parts = next((out.pop(k) for k in ("anyOf", "oneOf", "allOf") if isinstance(out.get(k), list)), None)
        if parts is None:
            break
        kept = [p for p in parts if isinstance(p, dict) and p.get("type") != "null"]
        if kept and all("const" in p for p in kept):
            out["enum"] = [p["const"] for p in kept]
        elif kept:
            out = kept[0] | out
    type_ = out.get("type")
    if isinstance(type_, list):
        type_ = next((t for t in type_ if t != "null"), "string")
    if isinstance(type_, str):
        out["type"] = _TYPES.get(type_.lower(), type_.lower())
    if isinstance(out.get("enum"), list) and None in out["enum"]:
        out["enum"] = [v for v in out["enum"] if v is not None]
    if isinstance(out.get("items"), dict):
        out["items"] = plain_schema(out["items"], root)
    elif out.get("items") is None or isinstance(out["items"], bool):  # anything
        out.pop("items", None)
    return out


_MAX_REFS = 16
"""A schema may name another, that one a third; no more than these, since one may name itself."""

_TYPES = {
    "dict": "object", "float": "number", "double": "number", "int": "integer", "long": "integer",
    "list": "array", "tuple": "array", "bool": "boolean", "str": "string", "any": "string",
}  # fmt: skip
"""Names of types as they are found in the wild (BFCL's are Python's and Java's)."""


def _named(ref: str, root: Mapping[str, Any]) -> dict[str, Any]:
    """What a `$ref` names inside its document; {} where there is no such thing."""
    found: Any = root
    for part in ref.removeprefix("#/").split("/"):
        found = found.get(part) if isinstance(found, dict) else None
    return dict(found) if isinstance(found, dict) else {}


def why_unsayable(schema: Mapping[str, Any]) -> str:
    """Why one sentence cannot say a plain schema's value, or ""."""
    items = schema.get("items")
    if schema.get("type") == "object" or "properties" in schema:
        return "is an object of its own"
    if "const" in schema:
        return "has one value only"
    if isinstance(items, list):
        return "is a list whose members have a form each"
    if schema.get("type") == "array" and isinstance(items, dict):
        if items.get("type") in ("object", "array") or "properties" in items:
            return "is a list of objects or of lists"
        if items.get("type") in ("integer", "number", "boolean"):
            return "is a list of numbers"
        if items.get("format") in ("date", "time", "date-time"):
            return "is a list of days or times"
    return ""


def argument_type(name: str, schema: Mapping[str, Any]) -> str:
    """Type of an argument, from its plain JSON schema and its name; see `fernjax.sim.tools.Argument`."""
    if schema.get("type") == "array":
        return "texts"
    if "enum" in schema:
        for type_, values in (("recurrence", RECURRENCES), ("unit", UNITS)):
            if set(map(str, schema["enum"])) <= set(values):
                return type_
        return "choice"
    if schema.get("type") == "boolean":
        return "choice"
    words, told = split_name(name), _told(schema)
    if schema.get("type") in ("integer", "number"):
        return _number_type(words, told, schema)
    return _string_type(words, told, schema)


def bounds(schema: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """The least and the most that a number may be, by its plain schema or its description ("1 to 5")."""
    least, above, most = (_finite(schema.get(key)) for key in ("minimum", "exclusiveMinimum", "maximum"))
    if least is None and above is not None:
        least = above + 1  # of whole numbers
    told = _RANGE.search(str(schema.get("description", "")))
    if told and least is None and most is None:
        least, most = float(told[1]), float(told[2])
    return (None, None) if least is not None and most is not None and least > most else (least, most)


_RANGE = re.compile(r"\b(\d{1,6}(?:\.\d+)?) ?(?:to|and|-|\u2013) ?(\d{1,6}(?:\.\d+)?)\b")


def _finite(value: Any) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if number and math.isfinite(value) else None


def unit_of_measure(name: str, description: str) -> str:
    """The unit of a number, told by its name, else by its description; "" where none is, or money is."""
    found = next((MEASURES[w] for w in split_name(name) if w in MEASURES), "")
    if found or _MONEY.search(description):
        return found
    match = _IN_UNIT.search(description)
    return MEASURES.get(match[1].lower(), "") if match else ""


_MONEY = re.compile(r"\b(?:currency|dollars?|usd|euros?|eur|gbp|money|price|cost|budget|pay)\b|[$€£]", re.I)
_UNIT_WORDS = "|".join(sorted(MEASURES, key=len, reverse=True))
_IN_UNIT = re.compile(rf"(?:\b(?:in|of|many)\s+|\(\s*)({_UNIT_WORDS})\b|^({_UNIT_WORDS})\b", re.I)


def _told(schema: Mapping[str, Any]) -> str:
    """What a schema says in words, its examples among them."""
    examples = schema.get("examples")
    parts = [schema.get("description"), *(examples if isinstance(examples, list) else [])]
    parts += [schema.get("example"), schema.get("default")]
    return " ".join(p for p in parts if isinstance(p, str))


# --- numbers ---


def _number_type(words: list[str], told: str, schema: Mapping[str, Any]) -> str:
    parts = frozenset(words)
    if words[:1] == ["in"] and not parts.isdisjoint(("minute", "minutes")):
        return "delay"
    for names, type_ in _LENGTH_NAMES:
        if not parts.isdisjoint(names):
            return type_
    if parts & _MEASURED_BY_LENGTH:
        unit = re.search(r"\b(second|minute|hour|day|week|month|year)s\b", told, re.I)
        if unit or "duration" in parts:
            return f"{unit[1].lower()}s" if unit else "minutes"
    if not parts.isdisjoint(("percent", "percentage")):
        return "percent"
    if not parts.isdisjoint(("degrees", "temperature", "celsius", "fahrenheit")):
        return "degrees"
    if re.search(r"\bpercent(?:age)?\b|%|\b0\s*(?:-|to|and)\s*100\b", told, re.I) or (
        schema.get("maximum") == 100 and parts & _LEVELS
    ):
        return "percent"
    if parts & _AMOUNTS and not unit_of_measure("_".join(words), told):
        return "amount"
    if "total" in parts and _MONEY.search(told):
        return "amount"
    return "number"


_LENGTH_NAMES = (
    (("minute", "minutes", "mins"), "minutes"),
    (("second", "seconds", "secs"), "seconds"),
    (("hours", "hrs"), "hours"),
    (("days",), "days"),
    (("weeks",), "weeks"),
    (("months",), "months"),
    (("years",), "years"),
)
_MEASURED_BY_LENGTH = frozenset("duration length time term period timeout delay interval window".split())
_LEVELS = frozenset("volume brightness level opacity intensity humidity battery speed position".split())
_AMOUNTS = frozenset(
    "amount price cost budget fee fare salary rent balance tip payment spend spending bid donation".split()
)


# --- strings ---


def _string_type(words: list[str], told: str, schema: Mapping[str, Any]) -> str:
    format_, pattern = str(schema.get("format", "")), str(schema.get("pattern", ""))
    end = "end_" if _is_last(words) else ""
    if format_ in _FORMATS:
        type_ = _FORMATS[format_]
        return end + type_ if type_ in ("date", "time", "datetime") else type_
    if "[0-5][0-9]" in pattern or "[0-5]\\d" in pattern:
        return end + ("datetime" if re.search(r"\d\{4\}|\{4\}-", pattern) else "time")
    if re.search(r"\{4\}-", pattern):
        return end + "date"
    if moment := _moment(words, told):
        return end + moment
    parts = frozenset(words)
    if "currency" in parts or re.search(r"\bISO 4217\b|\bcurrency code\b", told, re.I):
        return "currency"
    if words[-1:] in (["email"], ["mail"]) or ("email" in parts and words[-1:] == ["address"]):
        return "email"
    if re.search(r"^\W*(?:\w+ ){0,3}e-?mail address\b", told, re.I) and not re.search(
        r"\bnames?\b", told, re.I
    ):
        return "email"
    if parts & _PHONES and words[-1] in (*_PHONES, "number", "no"):
        return "phone"
    if re.search(r"^\W*(?:\w+ ){0,3}phone number\b", told, re.I) and not re.search(r"\bnames?\b", told, re.I):
        return "phone"
    if "id" in parts or (len(words) > 1 and words[-1] == "number" and not parts & _TEXT_NUMBERS):
        return "id"
    return "channel" if "channel" in parts else "text"


_FORMATS = {
    "date": "date", "time": "time", "date-time": "datetime", "datetime": "datetime", "email": "email",
    "idn-email": "email", "phone": "phone",
}  # fmt: skip
_PHONES = frozenset("phone mobile telephone cellphone".split())
_TEXT_NUMBERS = frozenset("plate serial model part".split())


def _is_last(words: list[str]) -> bool:
    """Whether a day or time is the last of a span: `end_date`, `until`, `dueBefore`, `check_out`."""
    if words[:1] == ["new"]:
        words = words[1:]
    told = {*words[:1], *words[-1:]}
    pairs = set(zip(words, words[1:], strict=False))
    return (
        bool(told & _LAST)
        or words[:1] in (["to"], ["return"])
        or words[-1:] == ["to"]
        or (("check", "out") in pairs)
    )


_LAST = frozenset("end until till before through checkout max latest".split())


def _moment(words: list[str], told: str) -> str:
    """`date`, `time`, `datetime`, or "" where an argument is none, told by its description and its name."""
    if not words:
        return ""
    by_name = _moment_named(words)
    if words[-1] in _NO_MOMENT:
        return ""
    by_form = _day_or_time(told)
    if by_form == "iso":
        return "datetime" if by_name in ("time", "datetime") or re.search(r"\btime\b", told, re.I) else "date"
    if by_form:
        return by_form
    if re.search(r"\b(?:day of (?:the )?week|weekday|time ?zone|range|how long|duration)\b", told, re.I):
        return ""
    if by_name == "time" and re.search(r"\bdate (?:and|&|/) ?time\b", told, re.I):
        return "datetime"
    if by_name:
        return by_name
    match = re.search(
        r"^\W*(?:the |what |which )?(date|day|time)\b(?! (?:range|period|zone|frame))", told, re.I
    )
    if match and set(words) & _MAY_BE_MOMENT:
        return {"day": "date"}.get(match[1].lower(), match[1].lower())
    return ""


def _moment_named(words: list[str]) -> str:
    parts = set(words)
    if parts & {"datetime", "timestamp"} or {"date", "time"} <= parts or words == ["when"]:
        return "datetime"
    core = [w for w in words if w not in _EDGES]
    if core[-1:] == ["time"] and not parts & _SPENT:
        return "time"
    return "date" if core[-1:] and core[-1] in _DAYS else ""


_DAYS = frozenset("date day deadline due birthday birthdate dob checkin checkout".split())
_EDGES = frozenset("from to start end of min max after before since until begin".split())
_SPENT = frozenset("prep preparation cook cooking travel lead screen total cycle baking".split())
"""Before "time", they make a length of it."""

_NO_MOMENT = frozenset(
    "zone timezone range format frame period type unit query title name note notes".split()
)
_MAY_BE_MOMENT = frozenset(
    "start end since until from to before after at on by begin finish check in out when arrival departure "
    "depart arrive return pickup dropoff reminder expiry expires starts ends due".split()
)


def _day_or_time(told: str) -> str:
    """What form a description or a format names: `date`, `time`, `datetime`, `iso` (one of two), or ""."""
    day, clock = bool(_DAY_FORM.search(told)), bool(_CLOCK_FORM.search(told))
    if (day and clock) or re.search(r"\bRFC ?3339\b|\bdate-?time\b|\btimestamp\b", told, re.I):
        return "datetime"
    if re.search(r"\bISO[- ]?8601\b|\bISO (?:format|date|string)\b", told, re.I) and not day and not clock:
        return "date" if re.search(r"\bISO(?:[- ]?8601)? date\b(?!.*time)", told, re.I) else "iso"
    return "date" if day else "time" if clock else ""


_DAY_FORM = re.compile(
    r"\by{4}[-/.]?m{1,2}[-/.]?d{1,2}|\b(?:mm?[-/.]dd?|dd?[-/.]mm?)[-/.]y{2,4}|\b(?:19|20)\d\d-\d\d-\d\d", re.I
)
_CLOCK_FORM = re.compile(
    r"\bT?h{1,2}:mm\b|T?HH:MM|\b(?:12|24)[- ]?h(?:our)?s?\b(?! period)|\b(?:[01]\d|2[0-3]):[0-5]\d\b", re.I
)
