"""JSON from outside, read strictly: whatever is wrong with it is a `ValueError` of one plain line."""

from __future__ import annotations

import json
from typing import Any

MAX_DIGITS = 300
"""Of a whole number, which lies within 10**300: many readers of JSON take every number for a float."""


def parse(raw: bytes) -> Any:
    """The value of a JSON text in UTF-8.

    Raises:
      ValueError: it is no such text, holds a whole number of more than `MAX_DIGITS` digits, or is nested more
        deeply than Python reads.
    """
    try:
        return json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant, parse_int=_parse_int)
    except UnicodeDecodeError as e:
        raise ValueError(f"not UTF-8 (byte {e.start})") from e
    except json.JSONDecodeError as e:
        line = f"line {e.lineno}, " if e.lineno > 1 else ""
        raise ValueError(f"not JSON ({e.msg}, {line}column {e.colno})") from e
    except RecursionError as e:
        raise ValueError("nested too deeply") from e


def check_writable(value: Any) -> None:
    """Refuses what JSON's syntax spells and a file of ours cannot hold: half a surrogate pair, 1e400.

    Raises:
      ValueError: says which.
    """
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError as e:
        raise ValueError("a text holds half of a surrogate pair; save the file as plain UTF-8") from e
    except RecursionError as e:
        raise ValueError("nested too deeply") from e
    except ValueError as e:
        raise ValueError("a number is too large for JSON's readers; give at most 1e308") from e


def _refuse_constant(name: str) -> None:
    raise ValueError(f"not JSON ({name} is no JSON value)")


def _parse_int(text: str) -> int:
    if len(text) > MAX_DIGITS and (len(text) > MAX_DIGITS + 2 or abs(int(text)) > 10**MAX_DIGITS):
        raise ValueError(f"a number has more than {MAX_DIGITS} digits; give it as a text")
    return int(text)
