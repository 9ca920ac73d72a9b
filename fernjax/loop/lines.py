"""Lines of JSON from anywhere: one that cannot be read becomes an error with its number, the rest go on."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import io
import json
import math
import os
import pathlib
import stat
import sys
from collections.abc import Iterator
from typing import IO, Any

from fernjax.model.files import replaced
from fernjax.sim.mentions import FIRST_YEAR, LAST_YEAR
from fernjax.sim.strict_json import parse
from fernjax.sim.types import UserError

MAX_LINE_BYTES = 16 << 20
"""A longer line is an error; the memory that a stream takes stays bounded."""


class BadLine(Exception):
    """What is wrong with one line of input."""


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """One line of input.

    Attributes:
      number: from 1.
      value: its JSON object; {} where `error` says why there is none.
      error: what is wrong with it, or "".
    """

    number: int
    value: dict[str, Any]
    error: str = ""


def read_lines(stream: IO[bytes]) -> Iterator[Line]:
    """Every line of a stream, in order. A blank line is an error as well: nothing is passed over.

    Raises:
      UserError: the stream cannot be read on.
    """
    number = 0

    def read(size: int) -> bytes:
        try:
            return stream.readline(size)
        except OSError as e:
            raise UserError(f"cannot read line {number + 1}: {e.strerror}; check --input") from e

    while raw := read(MAX_LINE_BYTES + 1):
        number += 1
        if len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
            while (rest := read(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield Line(number, {}, f"longer than {MAX_LINE_BYTES >> 20} MiB")
            continue
        try:
            yield Line(number, _parse(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw))
        except BadLine as e:
            yield Line(number, {}, str(e))


def text_of(value: dict[str, Any], key: str) -> str:
    """The sentence under `key`.

    Raises:
      BadLine: it is missing, no text, empty or not valid Unicode.
    """
    if key not in value:
        raise BadLine(f'no "{key}"')
    text = value[key]
    if not isinstance(text, str):
        raise BadLine(f'"{key}" is not a text')
    if not text.strip():
        raise BadLine(f'"{key}" is empty')
    check_unicode(text, key)
    return text


def id_of(value: dict[str, Any]) -> str | int | float:
    """The line's id, as it is.

    Raises:
      BadLine: it is missing, neither text nor number, or no finite number.
    """
    if "id" not in value:
        raise BadLine('no "id"')
    if isinstance(value["id"], bool) or not isinstance(value["id"], str | int | float):
        raise BadLine('"id" is neither a text nor a number')
    if isinstance(value["id"], str):
        check_unicode(value["id"], "id")
    elif isinstance(value["id"], float) and not math.isfinite(value["id"]):
        raise BadLine('"id" is no finite number')  # 1e999 is read as infinity, which JSON cannot write
    return value["id"]


def moment(text: Any, name: str) -> str:
    """A moment as `YYYY-MM-DDTHH:MM:SS`.

    Raises:
      BadLine: it is none, has a time zone, or its year is before `FIRST_YEAR` or after `LAST_YEAR`.
    """
    try:
        when = datetime.datetime.fromisoformat(text)
    except (TypeError, ValueError) as e:
        raise BadLine(f'"{name}" is not ISO 8601, such as 2026-03-04T09:30:00') from e
    if when.tzinfo is not None:
        raise BadLine(f'"{name}" has a time zone; give local time, such as 2026-03-04T09:30:00')
    if not FIRST_YEAR <= when.year <= LAST_YEAR:
        raise BadLine(f'"{name}" is outside the years {FIRST_YEAR} to {LAST_YEAR}')
    return when.isoformat(timespec="seconds")


def check_unicode(text: str, name: str) -> None:
    """Refuses half of a surrogate pair, which JSON can spell and UTF-8 cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as e:
        raise BadLine(f'"{name}" is not valid Unicode (half of a surrogate pair)') from e


@contextlib.contextmanager
def open_input(path: str) -> Iterator[IO[bytes]]:
    """The file, or standard input for "" and "-"."""
    if path in ("", "-"):
        if sys.stdin is None:  # closed by whoever started us
            raise UserError("standard input is closed; give --input=FILE")
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115  closed below
    except OSError as e:
        raise UserError(f"cannot read {path}: {e.strerror}; check --input") from e
    with stream:
        yield stream


@contextlib.contextmanager
def open_output(path: str) -> Iterator[IO[str]]:
    """The file, or standard output for "" and "-". A file appears whole, at the end, or stays as it was.

    What a link points at is written, and the link stays.
    """
    if path in ("", "-"):
        stream = standard_output()
        yield stream
        stream.flush()
        return
    target = pathlib.Path(os.path.realpath(path))
    with contextlib.ExitStack() as opened:
        try:
            special = target.exists() and not stat.S_ISREG(target.stat().st_mode)  # a pipe, a device
            place = open(target, "wb") if special else replaced(target)  # noqa: SIM115
            stream = io.TextIOWrapper(opened.enter_context(place), encoding="utf-8")
        except OSError as e:
            raise UserError(f"cannot write {path}: {e.strerror}; check --output") from e
        yield stream
        stream.flush()
        stream.detach()  # closed, and put in place, by what opened it


def standard_output() -> IO[str]:
    """Standard output, in UTF-8 whatever the locale says.

    Raises:
      UserError: it is closed.
    """
    if sys.stdout is None:  # closed by whoever started us
        raise UserError("standard output is closed; give --output=FILE, or leave it open")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout


def write_line(stream: IO[str], value: dict[str, Any]) -> None:
    stream.write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")


def _parse(raw: bytes) -> dict[str, Any]:
    if not raw.strip():
        raise BadLine("blank")
    try:
        value = parse(raw)
    except ValueError as e:
        raise BadLine(str(e)) from e
    if not isinstance(value, dict):
        raise BadLine("not a JSON object")
    return value
