"""Plain text of one's own: files, and data sets of the Hugging Face hub. No JAX here."""

from __future__ import annotations

import gzip
import itertools
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any

from fernjax.model.corpus.sources import read_lines
from fernjax.sim.types import UserError

FORMS = (".txt", ".jsonl", ".parquet", ".txt.gz", ".jsonl.gz")

PARAGRAPH = 4000
"""Characters of the longest text of a plain file; longer paragraphs are cut."""


def files(paths: Sequence[str]) -> list[str]:
    """The files that `config.data.files` names, those of a folder in order.

    Raises:
      UserError: one that is not there, or of no known form.
    """
    out: list[str] = []
    for path in map(pathlib.Path, paths):
        if not path.exists():
            raise UserError(f"config.data.files: {path} is not there")
        found = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        known = [str(p) for p in found if p.name.endswith(FORMS)]
        if not known:
            raise UserError(f"config.data.files: {path} is, or holds, none of: {', '.join(FORMS)}")
        out += known
    return out


def read_files(paths: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """The texts of files: paragraphs of plain text, the field `text` of JSONL and parquet.

    Raises:
      UserError: a file that is not there or not in form; parquet without `pyarrow`.
    """
    for name in files(paths):
        path = pathlib.Path(name)
        if ".jsonl" in path.suffixes:
            texts: Iterator[str] = (_text(row, name) for row in read_lines(path))
        elif path.suffix == ".parquet":
            texts = _read_parquet(name)
        else:
            texts = _paragraphs(path)
        yield from ([("plain", text)] for text in texts if text.strip())


def _paragraphs(path: pathlib.Path) -> Iterator[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for blank, group in itertools.groupby(lines, key=lambda line: not line.strip()):
                text = " ".join(line.strip() for line in group)
                for at in range(0, 0 if blank else len(text), PARAGRAPH):
                    yield text[at : at + PARAGRAPH]
    except (OSError, ValueError, EOFError) as e:
        raise UserError(f"{path}: {e}; give plain text in UTF-8") from e


def _read_parquet(name: str) -> Iterator[str]:
    try:
        import pyarrow.parquet as parquet
    except ModuleNotFoundError as e:
        raise UserError("parquet needs pyarrow; pip install -e .[data]") from e
    file = parquet.ParquetFile(name)
    if "text" not in file.schema_arrow.names:
        raise UserError(f"{name} has no column `text`; it has: {', '.join(file.schema_arrow.names)}")
    for batch in file.iter_batches(columns=["text"]):
        yield from (str(text) for text in batch.column("text").to_pylist() if text)


def read_hub(data: Any) -> Iterator[list[tuple[str, str]]]:
    """The first `hub_documents` texts of a data set of the Hugging Face hub, streamed.

    Args:
      data: `config.data`.

    Raises:
      UserError: no name, no `datasets`, no such column.
    """
    if not data.hub:
        raise UserError('config.data.texts.hub has a weight; name a data set, --config.data.hub="owner/name"')
    try:
        import datasets
    except ModuleNotFoundError as e:
        raise UserError("the Hugging Face hub needs datasets; pip install -e .[data]") from e
    stream = datasets.load_dataset(data.hub, split=data.hub_split, streaming=True)
    for row in itertools.islice(stream, data.hub_documents):
        yield [("plain", _text(row, data.hub, data.hub_field))]


def _text(row: Any, where: str, field: str = "text") -> str:
    value = row.get(field)
    if not isinstance(value, str):
        raise UserError(f"{where}: a row has no text under {field!r}; it has: {', '.join(map(str, row))}")
    return value
