"""The public sources, a record each: where they are from, under which licence, and which files are theirs.

A source's files are looked for under a folder (`config.data.root`) and fetched into it where they are not
there and the internet is (`upstream`). Nothing is fetched at import. No JAX here.
"""

from __future__ import annotations

import dataclasses
import gzip
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
      files: by path under the root, the SHA-256 of what this project was measured with.
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
            "sgd/train.jsonl.gz": "9ab84fd2bcb6dddd71f00c658c5c2dc01f033ba8d3748d2685decd5828cde81c",
            "sgd/train.tools.json": "4848a8332dca1b82646bf107f87f75d07e75f0413a279eadc28128ced4bff2a3",
            "sgd/dev.jsonl.gz": "532ce7d356dd978f08799a4714e1f815e30921dd4247a0cefa826bdca4439f24",
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
            "snips/train.jsonl.gz": "0f494f0768839762354205e2c42bdfe823b7928450b6354b229a15eaf72ee0c5",
            "snips/slots.json": "b47d7bae98ec63a22134d64b1184758095495d1ddb7086b96b6af5db9a377532",
        },
    ),
    Source(
        name="hwu64",
        title="NLU-Evaluation-Data",
        authors="X. Liu, A. Eshghi, P. Swietojanski, V. Rieser, 2019",
        address="https://github.com/xliuhw/NLU-Evaluation-Data",
        commit="f6071b496b17d71e6eb43f543af0707f4ff30557",
        licence="CC BY 4.0, https://creativecommons.org/licenses/by/4.0",
        files={"hwu64/text.jsonl.gz": "0788be9e44b340cc83db9990d5f4f3e485e4d4371077633704bad6cb3767cf19"},
    ),
    Source(
        name="clinc150",
        title="CLINC150",
        authors="S. Larson et al., 2019",
        address="https://github.com/clinc/oos-eval",
        commit="828f8093932c8fe6ca7936c3d2e52903b1c523de",
        licence="CC BY 3.0, https://creativecommons.org/licenses/by/3.0",
        files={"clinc150/text.jsonl.gz": "84b468dc83b056d8dc4e21b568840cd8d99b4a0ca35815eaee136817a91ce48b"},
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
        found = digest_file(str(root / path))
        if found != known:
            _log.warning("%s is not the file that figures were measured with (another SHA-256)", root / path)
        files.append({"path": path, "sha256": found, "as_recorded": found == known})
    return {k: v for k, v in dataclasses.asdict(source).items() if k != "files"} | {"files": files}


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
