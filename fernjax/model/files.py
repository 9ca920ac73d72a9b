"""Files that are whole or not there. No JAX."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import json
import os
import pathlib
import stat
from collections.abc import Iterator
from typing import IO, Any

from fernjax.sim.types import UserError

REMOVE = "remove it and run the command that made it again"
"""Remedy for a damaged file whose makers skip only what is there."""


def write_file(path: str | pathlib.Path, data: bytes) -> None:
    """Writes a file so that it is there whole or as it was before, in its mode.

    Raises:
      UserError: where the disk is full.
    """
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with full_disk_told(path), replaced(path) as f:
        f.write(data)


@contextlib.contextmanager
def full_disk_told(path: pathlib.Path) -> Iterator[None]:
    """Says in one line that the disk is full, where that is why a file cannot be written.

    Raises:
      UserError: it is.
    """
    try:
        yield
    except OSError as e:
        if is_disk_full(e):
            raise UserError(
                f"disk full while writing {path}; free some space and run the same command again"
            ) from e
        raise


@contextlib.contextmanager
def replaced(path: pathlib.Path) -> Iterator[IO[bytes]]:
    """A file that takes the place, and the mode, of the one at `path` once all is written, else none does."""
    temporary = path.with_name(f"{HALF_WRITTEN}{os.getpid()}-{next(_numbers)}")
    try:
        with open(temporary, "wb") as f:
            with contextlib.suppress(FileNotFoundError):
                os.fchmod(f.fileno(), stat.S_IMODE(path.stat().st_mode))
            yield f
            f.flush()
            os.fsync(f.fileno())
        os.replace(temporary, path)
        flush(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):  # the first error is the one to tell
            temporary.unlink()
        raise


def remove_half_written(folder: pathlib.Path) -> None:
    """Removes what killed processes left half written in a folder that no other process writes to."""
    for left in folder.rglob(f"{HALF_WRITTEN}*"):
        left.unlink(missing_ok=True)


HALF_WRITTEN = ".tmp-"
"""What the names of files begin with until they are whole."""

_numbers = itertools.count()
"""Of the files that this process writes: two at once have different temporary names."""


def digest_file(path: str | pathlib.Path) -> str:
    """SHA-256 of a file's bytes in hex; "" for the path "".

    Raises:
      UserError: it cannot be read.
    """
    if not str(path):
        return ""
    try:
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    except OSError as e:
        raise UserError(f"cannot read {path}: {e.strerror}; put it back, or change what names it") from e


def is_disk_full(error: BaseException | None) -> bool:
    """Whether an error, or one that it comes from, says that the disk or a quota is full."""
    while error is not None:
        if says_disk_full(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def says_disk_full(error: BaseException) -> bool:
    """Whether this very error says that the disk or a quota is full."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    # Orbax's storage engine gives the text alone.
    return "No space left on device" in str(error) or "Disk quota exceeded" in str(error)


def read_jsonl(path: pathlib.Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file of ours; [] where there is none. A last line torn by a kill is left out.

    Raises:
      UserError: another line is damaged; names it.
    """
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")
    values = []
    for number, line in enumerate(lines[:-1], 1):
        if not line:
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as e:
            raise UserError(f"{path}, line {number} is damaged ({e}); {REMOVE}") from e
        if not isinstance(value, dict):
            raise UserError(f"{path}, line {number} is damaged (no JSON object); {REMOVE}")
        values.append(value)
    return values


def flush(path: pathlib.Path) -> None:
    """Forces a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
