"""Tokenized sources on disk, memory-mapped: sentences with their calls, and texts.

    DIR/manifest.json
    DIR/calls/NAME/    tools.json and, of all sentences in a row, arrays
    DIR/texts/NAME/    arrays

No JAX here.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fernjax.model.files import write_file
from fernjax.model.spec import Spec
from fernjax.sim.tools import Argument, Tool

WIDTHS = {"text": 6, "point": 6, "choice": 6}
"""Arguments of one tool that each head answers in pretraining; sentences that say one behind are left out."""

TARGETS = {"start": "text", "end": "text", "point": "point", "choice": "choice"}
"""The arrays of targets, and the heads they belong to."""

MAX_CALLS = 2

FORMS = ("sentence", "history")


@dataclasses.dataclass(frozen=True)
class Service:
    """A set of tools.

    Attributes:
      name: its name.
      family: what it shares with others of its kind; none of their sentences is out of scope for it.
      tools: abstaining among them.
    """

    name: str
    family: str
    tools: tuple[Tool, ...]

    @functools.cached_property
    def spec(self) -> Spec:
        """How its arguments are answered."""
        return Spec(self.name, "point", self.tools, MAX_CALLS)


class CallWriter:
    """Collects encoded sentences, and writes them.

    Args:
      services: that the sentences are of.
    """

    def __init__(self, services: Sequence[Service]) -> None:
        self.services = list(services)
        self._index = {s.name: i for i, s in enumerate(services)}
        self._rows: dict[str, list[Any]] = {
            k: [] for k in ("ids", "marks", "service", "form", "tool", *TARGETS)
        }

    def add(self, service: str, example: Mapping[str, np.ndarray], form: str = "sentence") -> None:
        """Adds a sentence of `codec.encode_scenario`.

        Raises:
          ValueError: where it says an argument behind the `WIDTHS`.
        """
        rows: dict[str, Any] = {}
        for name, head in TARGETS.items():
            target = np.zeros((MAX_CALLS, WIDTHS[head]), np.int16)
            if name in example:
                given = example[name]
                if given[:, WIDTHS[head] :].any():
                    raise ValueError(f"more than {WIDTHS[head]} arguments of one tool for the head {head}")
                target[:, : given.shape[1]] = given[:, : WIDTHS[head]]
            rows[name] = target
        marks = (
            example["starts"] + 2 * example["ends"].astype(np.uint8) + 4 * example["kinds"].astype(np.uint8)
        )
        rows |= {
            "ids": example["ids"].astype(np.uint16),
            "marks": marks.astype(np.uint8),
            "tool": example["tool"].astype(np.int16),
            "service": np.int32(self._index[service]),
            "form": np.uint8(FORMS.index(form)),
        }
        for name, row in rows.items():
            self._rows[name].append(row)

    def spec(self, service: str) -> Spec:
        """How a service's arguments are answered."""
        return self.services[self._index[service]].spec

    def __len__(self) -> int:
        return len(self._rows["ids"])

    def write(self, directory: pathlib.Path) -> int:
        """Writes all; returns the number of tokens."""
        directory.mkdir(parents=True, exist_ok=True)
        about = [
            {"name": s.name, "family": s.family, "tools": [dataclasses.asdict(t) for t in s.tools]}
            for s in self.services
        ]
        write_file(directory / "tools.json", (json.dumps(about, indent=1) + "\n").encode())
        lengths = [len(ids) for ids in self._rows["ids"]]
        _save(directory, "offsets", np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
        for name, rows in self._rows.items():
            flat = name in ("ids", "marks")
            _save(directory, name, np.concatenate(rows) if flat else np.stack(rows))
        return sum(lengths)


class Calls:
    """The sentences of a source, read from disk as they are asked for.

    Attributes:
      services: their sets of tools.
      members: by service and form, the numbers of its sentences.
    """

    def __init__(self, directory: pathlib.Path) -> None:
        self._arrays = {p.stem: np.load(p, mmap_mode="r") for p in sorted(directory.glob("*.npy"))}
        self.services = read_services(directory / "tools.json")
        keys = np.asarray(self._arrays["service"]) * len(FORMS) + np.asarray(self._arrays["form"])
        order = np.argsort(keys, kind="stable")
        bounds = np.searchsorted(keys[order], np.arange(len(self.services) * len(FORMS) + 1))
        self.members = [
            [order[bounds[i * len(FORMS) + f] : bounds[i * len(FORMS) + f + 1]] for f in range(len(FORMS))]
            for i in range(len(self.services))
        ]

    def __len__(self) -> int:
        return len(self._arrays["service"])

    def example(self, index: int) -> dict[str, np.ndarray]:
        """Inputs and targets of a sentence, as `codec.encode_scenario` gives them, targets `WIDTHS` wide."""
        a = self._arrays
        start, stop = a["offsets"][index], a["offsets"][index + 1]
        marks = np.asarray(a["marks"][start:stop])
        out = {
            "ids": a["ids"][start:stop].astype(np.int32),
            "starts": (marks & 1).astype(bool),
            "ends": (marks & 2).astype(bool),
            "kinds": (marks >> 2).astype(np.int32),
        }
        return out | {name: a[name][index].astype(np.int32) for name in ("tool", *TARGETS)}

    def length(self, index: int) -> int:
        """Tokens of a sentence."""
        return int(self._arrays["offsets"][index + 1] - self._arrays["offsets"][index])


def read_services(path: pathlib.Path) -> list[Service]:
    """The sets of tools that `CallWriter` wrote."""
    out = []
    for about in json.loads(path.read_text(encoding="utf-8")):
        tools = []
        for tool in about["tools"]:
            arguments = tuple(
                Argument(**(a | {"choices": tuple(a["choices"]), "bounds": tuple(a["bounds"])}))
                for a in tool["arguments"]
            )
            tools.append(Tool(**(tool | {"arguments": arguments})))
        out.append(Service(about["name"], about["family"], tuple(tools)))
    return out


def write_texts(directory: pathlib.Path, texts: Iterable[Sequence[int]]) -> int:
    """Writes tokenized texts, one behind the other; returns the number of tokens."""
    directory.mkdir(parents=True, exist_ok=True)
    chunks = [np.array(ids, np.uint16) for ids in texts]
    _save(directory, "ids", np.concatenate(chunks) if chunks else np.zeros(0, np.uint16))
    return sum(map(len, chunks))


def read_texts(directory: pathlib.Path) -> np.ndarray:
    """The tokens of a source's texts, memory-mapped, uint16."""
    ids: np.ndarray = np.load(directory / "ids.npy", mmap_mode="r")
    return ids


def _save(directory: pathlib.Path, name: str, array: np.ndarray) -> None:
    np.save(directory / f"{name}.npy", array)
