"""Time of the mention extractor: a sentence, and hostile text of doubling length.

`python benchmarks/mentions.py [--sentences FILE.jsonl.gz ...] [--hostile_bytes 1000000]` prints one JSON
object as its last line: the median microseconds of a sentence, and for each kind of hostile text the
seconds at its full length and the ratio to half of it (2 is linear). Without files the sentences are
those below. A file's lines are JSON objects with a `text`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pathlib
import statistics
import time

from fernjax.sim.mentions import extract

NOW = "2026-03-04T09:30:00"
SENTENCES = (
    "put lunch with anna on my calendar tomorrow at noon",
    "what do i have going on next week",
    "remind me in half an hour to take out the bread",
    "move the dentist from friday at 3 to monday at 4",
    "add eggs and oat milk to the shopping list please",
    "set up a call with the landlord every other thursday",
    "am i free between 2 and 4 on the 14th of may",
    "how is the weather looking in the mountains right now",
    "turn off the lights in the kitchen and the hall",
    "wake me up at six thirty tomorrow morning please thanks",
)
HOSTILE = {
    "digits": "1234567890",
    "and": "and ",
    "from_to": "from 3 to ",
    "weekdays_after": "monday after ",
    "spelled": "twenty one hundred and ",
    "blanks": " \t  ",
    "colons": "3:15:",
    "dashes": "1-",
    "slashes": "1/2/",
    "letters": "a",
    "apostrophes": "'s",
    "commas": "1,000,",
    "dots": "1.",
    "every": "every other ",
    "between": "between 1 and 2 and ",
    "months": "march 3 - ",
    "next": "next last this ",
    "parts": "tomorrow morning at 3 in the evening ",
    "half": "half past a quarter to ",
    "holidays": "new year's eve day ",
    "minus": "minus -",
    "a_m": "a.m.",
    "capitals": "\u0130\u1e9e ",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", nargs="*", type=pathlib.Path, default=[])
    parser.add_argument("--hostile_bytes", type=int, default=1_000_000)
    args = parser.parse_args()
    sentences = [s for path in args.sentences for s in read_sentences(path)] or list(SENTENCES)
    hostile = {name: measure_doubling(unit, args.hostile_bytes) for name, unit in HOSTILE.items()}
    print(
        json.dumps(
            {
                "benchmark": "mentions",
                **measure_sentences(sentences),
                "hostile_bytes": args.hostile_bytes,
                "hostile_worst_ratio": max(h["ratio"] for h in hostile.values()),
                "hostile_worst_s": max(h["full_s"] for h in hostile.values()),
                "hostile": hostile,
            }
        )
    )


def read_sentences(path: pathlib.Path) -> list[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def measure_sentences(sentences: list[str]) -> dict[str, float | int]:
    """Median and 99th percentile of the microseconds of a sentence, with and without mentions."""
    sentences = sentences if len(sentences) > 500 else sentences * (500 // len(sentences))
    for text in sentences[:500]:
        extract(text, NOW)
    taken_us, taken_with_us = [], []
    for text in sentences:
        start = time.perf_counter()
        mentions = extract(text, NOW)
        taken_us.append((time.perf_counter() - start) * 1e6)
        if mentions:
            taken_with_us.append(taken_us[-1])
    return {
        "sentences": len(sentences),
        "words_per_sentence": round(statistics.mean(len(s.split()) for s in sentences), 2),
        "median_us": round(statistics.median(taken_us), 1),
        "median_with_mentions_us": round(statistics.median(taken_with_us), 1) if taken_with_us else 0.0,
        "p99_us": round(sorted(taken_us)[int(0.99 * len(taken_us))], 1),
    }


def measure_doubling(unit: str, size_bytes: int) -> dict[str, float]:
    """Seconds at a length and the ratio to half of it."""
    times_s = []
    for length in (size_bytes // 2, size_bytes):
        text = unit * (length // len(unit.encode()))
        start = time.perf_counter()
        extract(text, NOW)
        times_s.append(time.perf_counter() - start)
    return {"full_s": round(times_s[1], 3), "ratio": round(times_s[1] / max(times_s[0], 1e-6), 2)}


if __name__ == "__main__":
    main()
