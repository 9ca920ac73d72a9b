"""The public sources that are not shipped, a record each: where they are from, their licence, their files.

A source's files are looked for under a folder (`config.data.root`) and fetched into it where they are not
there and the internet is (`upstream`). Nothing is fetched at import. Sentences of two more come with the
package (`fernjax/sim/data/SOURCES.md`). No JAX here.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
import logging
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

from fernjax.model.files import digest_file
from fernjax.sim.types import UserError

_log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Source:
    """A public source.

    Attributes:
      name: its folder under the root.
      title, authors: whom to name.
      address: its repository.
      commit: of the repository, whose files are converted.
      licence: its name, and where it is read.
      files: by path under the root, the SHA-256 of what this project was measured with, unpacked.
    """

    name: str
    title: str
    authors: str
    address: str
    commit: str
    licence: str
    files: Mapping[str, str]


SOURCES = (
    Source(
        name="sgd",
        title="Schema-Guided Dialogue",
        authors="A. Rastogi, X. Zang, S. Sunkara, R. Gupta, P. Khaitan, 2019",
        address="https://github.com/google-research-datasets/dstc8-schema-guided-dialogue",
        commit="e852981ae34990f4358979625854259302feaa78",
        licence="CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0",
        files={
            "sgd/train.jsonl.gz": "8718c672533cfdf047364fe3ddd31619d8d9fc279a1a3ff0a263e102d0728c50",
            "sgd/train.tools.json": "4848a8332dca1b82646bf107f87f75d07e75f0413a279eadc28128ced4bff2a3",
            "sgd/dev.jsonl.gz": "5d784442430e49ebd290ef5216bc03a3d2046b848ec95c5d56711df5c9c88b1a",
            "sgd/dev.tools.json": "d185d15a38712e28b08cc123d892770087b54a9106326e44d4bd990126e0a4cb",
        },
    ),
    Source(
        name="snips",
        title="Snips NLU benchmark, 2017",
        authors="A. Coucke et al., 2018",
        address="https://github.com/snipsco/nlu-benchmark",
        commit="b86ac7f1577868c42158d0dec77db50956046696",
        licence="CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0",
        files={
            "snips/train.jsonl.gz": "2ebff9fd1b989d9e18a03b24110a33a850db579481a517a01bce59cd5fadec1d",
            "snips/slots.json": "b47d7bae98ec63a22134d64b1184758095495d1ddb7086b96b6af5db9a377532",
        },
    ),
)


def find_source(name: str) -> Source:
    """The record of a source.

    Raises:
      UserError: there is none of that name.
    """
    for source in SOURCES:
        if source.name == name:
            return source
    raise UserError(f"no public source {name!r}; there are: {', '.join(s.name for s in SOURCES)}")


def locate(source: Source, root: pathlib.Path) -> dict[str, Any]:
    """Makes sure that a source's files are under the root, and tells what they are.

    Returns:
      The record as JSON, with `files` as they are there: path, SHA-256, and whether it is the record's.
      Another one is used all the same, with a warning: a source may have been converted anew.

    Raises:
      UserError: a file is missing, and cannot be fetched.
    """
    missing = [path for path in source.files if not (root / path).exists()]
    if missing:
        from fernjax.model.corpus import upstream

        upstream.fetch(source, root)
    files = []
    for path, known in source.files.items():
        found = _digest_unpacked(root / path)
        if found != known:
            _log.warning("%s is not the file that figures were measured with (another SHA-256)", root / path)
        files.append({"path": path, "sha256": found, "as_recorded": found == known})
    return {k: v for k, v in dataclasses.asdict(source).items() if k != "files"} | {"files": files}


def _digest_unpacked(path: pathlib.Path) -> str:
    """SHA-256 of what a file holds: the same text may be compressed in more than one way."""
    if path.suffix != ".gz":
        return digest_file(path)
    try:
        with gzip.open(path) as f:
            return hashlib.file_digest(f, "sha256").hexdigest()
    except (OSError, EOFError) as e:
        raise UserError(f"{path} cannot be read ({e}); remove it, and it is fetched again") from e


def read_lines(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, gzipped or not.

    Raises:
      UserError: a line that is no JSON object, by its number; a damaged archive.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    number = 0
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                number += 1
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise ValueError("no object")
                    yield row
    except (OSError, ValueError, EOFError) as e:
        raise UserError(f"{path}, line {number}: {e}") from e
