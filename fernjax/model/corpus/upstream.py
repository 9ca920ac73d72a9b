"""The public sources as their authors publish them: fetched at a fixed commit, and converted.

Each is read file by file from its repository's raw address. A commit of Git is a digest of what is in it, but
a raw address is only trusted as far as its server is: `sources.locate` compares what was made of it with the
recorded SHA-256. No JAX here.
"""

from __future__ import annotations

import gzip
import json
import logging
import pathlib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fernjax.model.corpus.sources import Source
from fernjax.model.files import write_file
from fernjax.sim.types import UserError

_log = logging.getLogger(__name__)

TIMEOUT_S = 60.0

Read = Callable[[str], bytes]
"""The bytes of a file of the repository, by its path."""


def fetch(source: Source, root: pathlib.Path, read: Read | None = None) -> None:
    """Makes a source's files under the root.

    Args:
      source: its record.
      root: the folder.
      read: in place of the network.

    Raises:
      UserError: it cannot be fetched, or is not in its form.
    """
    _log.warning("fetching %s (%s) from %s", source.title, source.licence, source.address)
    try:
        made = _CONVERTERS[source.name](read or _reader(source))
        for path, data in made.items():
            write_file(root / path, data)
    except (OSError, urllib.error.URLError) as e:
        raise UserError(
            f"{source.title} is not in {root} and cannot be fetched from {source.address} ({e}); put "
            f"{', '.join(source.files)} there, name another --config.data.root, or set its weight to 0"
        ) from e
    except (ValueError, KeyError, TypeError) as e:
        raise UserError(
            f"{source.address} at {source.commit[:12]} is not in the form expected ({e!r})"
        ) from e


def _reader(source: Source) -> Read:
    base = source.address.replace("https://github.com/", "https://raw.githubusercontent.com/")

    def read(path: str) -> bytes:
        with urllib.request.urlopen(f"{base}/{source.commit}/{path}", timeout=TIMEOUT_S) as answer:
            data: bytes = answer.read()
        return data

    return read


SGD_FILES = {"train": 127, "dev": 20}
"""Files of dialogues, numbered from 1."""

SGD_LEFT_OUT = {
    "train": (
        37,
        52,
        53,
        54,
        55,
        56,
        58,
        60,
        66,
        68,
        70,
        71,
        72,
        73,
        74,
        75,
        76,
        77,
        78,
        79,
        80,
        81,
        82,
        83,
        84,
        85,
        93,
        94,
        104,
        117,
        118,
    ),
    "dev": (15, 17, 18),
}
"""Files that this project's figures were measured without; with them the training part has a third more."""


def _convert_sgd(read: Read) -> dict[str, bytes]:
    out = {}
    for part, count in SGD_FILES.items():
        numbers = [n for n in range(1, count + 1) if n not in SGD_LEFT_OUT[part]]
        schema = json.loads(read(f"{part}/schema.json"))
        tools = {service["service_name"]: _service(service) for service in schema}
        out[f"sgd/{part}.tools.json"] = json.dumps(tools, indent=1).encode()
        rows = (
            _dialogue(part, dialogue)
            for number in numbers
            for dialogue in json.loads(read(f"{part}/dialogues_{number:03}.json"))
        )
        out[f"sgd/{part}.jsonl.gz"] = _lines(rows)
    return out


def _service(service: Mapping[str, Any]) -> dict[str, Any]:
    slots = {slot["name"]: slot for slot in service["slots"]}
    tools = []
    for intent in service["intents"]:
        properties = {}
        for name in (*intent["required_slots"], *intent["optional_slots"]):
            properties[name] = {"type": "string", "description": slots[name]["description"]}
            if slots[name]["is_categorical"] and slots[name]["possible_values"]:
                properties[name]["enum"] = slots[name]["possible_values"]
        parameters = {"type": "object", "properties": properties, "required": intent["required_slots"]}
        function = {"name": intent["name"], "description": intent["description"], "parameters": parameters}
        tools.append({"type": "function", "function": function, "result_slots": intent["result_slots"]})
    return {"description": service["description"], "tools": tools}


MAX_RESULTS = 3
"""Results of a call that are kept."""


def _dialogue(part: str, dialogue: Mapping[str, Any]) -> dict[str, Any]:
    turns = []
    for turn in dialogue["turns"]:
        user = turn["speaker"] == "USER"
        out: dict[str, Any] = {"role": "user" if user else "system", "text": turn["utterance"]}
        state = {
            frame["service"]: {
                "intent": frame["state"]["active_intent"],
                "slots": frame["state"]["slot_values"],
            }
            for frame in turn["frames"]
            if user and frame["state"]["active_intent"] != "NONE"
        }
        if state:
            out["state"] = state
        calls = [
            {
                "service": frame["service"],
                "name": frame["service_call"]["method"],
                "arguments": frame["service_call"]["parameters"],
                "results": frame.get("service_results", [])[:MAX_RESULTS],
                "num_results": len(frame.get("service_results", [])),
            }
            for frame in turn["frames"]
            if "service_call" in frame
        ]
        turns.append(out | ({"calls": calls} if calls else {}))
    name = f"{part}/{dialogue['dialogue_id']}"
    return {"id": name, "services": dialogue["services"], "turns": turns}


INTENTS = (
    "AddToPlaylist",
    "BookRestaurant",
    "GetWeather",
    "PlayMusic",
    "RateBook",
    "SearchCreativeWork",
    "SearchScreeningEvent",
)


def _convert_snips(read: Read) -> dict[str, bytes]:
    rows, slots = [], {}
    for intent in INTENTS:
        named: set[str] = set()
        data = read(f"2017-06-custom-intent-engines/{intent}/train_{intent}_full.json")
        for entry in json.loads(data.decode("utf-8", errors="replace"))[
            intent
        ]:  # one file is not whole UTF-8
            arguments: dict[str, list[str]] = {}
            for piece in entry["data"]:
                if "entity" in piece:
                    arguments.setdefault(piece["entity"], []).append(piece["text"].strip())
            named |= arguments.keys()
            query = " ".join("".join(piece["text"] for piece in entry["data"]).split())
            rows.append({"query": query, "call": {"name": intent, "arguments": arguments}})
        slots[intent] = sorted(named)
    return {
        "snips/train.jsonl.gz": _lines(rows),
        "snips/slots.json": json.dumps(slots, indent=1).encode(),
    }


_CONVERTERS: Mapping[str, Callable[[Read], dict[str, bytes]]] = {"sgd": _convert_sgd, "snips": _convert_snips}


def _lines(rows: Iterator[Any] | Sequence[Any]) -> bytes:
    """JSONL, compressed so that the same rows give the same bytes."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return gzip.compress(text.encode("utf-8"), mtime=0)
