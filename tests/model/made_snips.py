"""A small benchmark in the form of Snips: the sentences are made up."""

from __future__ import annotations

import gzip
import itertools
import json
import pathlib
from typing import Any

SLOTS = {"GetWeather": ["city", "timeRange"], "PlayMusic": ["artist", "city", "track"]}
CITIES = ("Oslo", "New York", "San José", "St. Ives", "Rome")
TIMES = ("tomorrow", "at 9:30 PM", "next week", "in two days")
ARTISTS = ("Ana Lima", "The Owls", "Guns & Roses", "DJ O'Neil")
TRACKS = ("Rain", "Blue-Eyed", "12 Bells", "The Long Way Home")


def rows() -> list[dict[str, Any]]:
    """64 sentences, no two of them alike."""
    out = []
    for city, time in itertools.product(CITIES, TIMES):
        arguments = {"timeRange": [time], "city": [city]}
        out.append(row(f"What is it like {time} in {city}?", "GetWeather", arguments))
    for artist, track in itertools.product(ARTISTS, TRACKS):
        arguments = {"track": [track], "artist": [artist]}
        out.append(row(f"play {track} by {artist}'s band, please", "PlayMusic", arguments))
    for city, artist in itertools.product(CITIES, ARTISTS):
        arguments = {"artist": [artist], "city": [city]}
        out.append(row(f"Play {artist} live from {city}", "PlayMusic", arguments))
    for one, two in itertools.combinations(CITIES[:4], 2):
        out.append(row(f"weather in {one} and {two}", "GetWeather", {"city": [one, two]}))
    out.append(row("how warm is it", "GetWeather", {}))
    out.append(row("play anything", "PlayMusic", {}))
    return out


def row(query: str, intent: str, arguments: dict[str, list[str]]) -> dict[str, Any]:
    return {"query": query, "call": {"name": intent, "arguments": arguments}}


def write(root: pathlib.Path, some: list[dict[str, Any]] | None = None) -> pathlib.Path:
    """Writes the files of the benchmark under a root, and returns it."""
    folder = root / "snips"
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in (rows() if some is None else some))
    (folder / "train.jsonl.gz").write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    (folder / "slots.json").write_text(json.dumps(SLOTS), encoding="utf-8")
    return root
