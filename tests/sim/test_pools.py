"""Pools, plain sentences and what is harvested from them."""

import gzip
import io
import json
import pathlib

import pytest

import fernjax.sim.pools as pools
from fernjax.sim.harvest import imperatives, natural_negatives, noun_phrases
from fernjax.sim.types import UserError
from fernjax.sim.world import load_domain

DATA = pathlib.Path(pools.__file__).parent / "data"
LEAST = {
    "first_names": 600,
    "last_names": 300,
    "relations": 100,
    "groups": 100,
    "places": 250,
    "event_nouns": 300,
    "tasks": 500,
    "topics": 250,
    "adjectives": 50,
}


@pytest.mark.parametrize("name", sorted(LEAST))
def test_pools_are_wide_clean_and_without_doubles(name):
    values = pools.pool(name)
    assert len(values) >= LEAST[name]
    assert len({v.casefold() for v in values}) == len(values)
    assert all(v == " ".join(v.split()) and any(c.isalnum() for c in v) for v in values)


@pytest.mark.parametrize("name", sorted(LEAST))
def test_the_split_is_a_partition_with_about_15_percent_held_out(name):
    seen, held = pools.split(name, held_out=False), pools.split(name, held_out=True)
    assert set(seen).isdisjoint(held) and len(seen) + len(held) == len(pools.pool(name))
    assert 0.04 <= len(held) / len(pools.pool(name)) <= 0.26


def test_a_value_in_two_pools_or_in_other_case_falls_on_one_side():
    assert pools.is_held_out("Coffee") == pools.is_held_out("coffee")


def test_an_unknown_pool_names_the_pools_that_exist():
    with pytest.raises(UserError, match="first_names"):
        pools.pool("nothing")


def test_plain_sentences_carry_no_labels_and_no_doubles():
    rows = [json.loads(r) for r in gzip.decompress((DATA / "plain.jsonl.gz").read_bytes()).splitlines()]
    assert len(rows) > 20_000 and all(set(r) == {"text", "source"} for r in rows)
    assert {r["source"] for r in rows} == {"hwu64", "clinc150"}
    assert len({r["text"] for r in rows}) == len(rows) == len(pools.plain_sentences())
    sources = (DATA / "SOURCES.md").read_text(encoding="utf-8")
    assert "CC BY 4.0" in sources and "CC BY 3.0" in sources


def test_the_archive_is_the_same_bytes_when_written_again():
    packed = (DATA / "plain.jsonl.gz").read_bytes()
    again = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=again, compresslevel=9, mtime=0) as f:
        f.write(gzip.decompress(packed))
    assert packed[4:8] == b"\0\0\0\0" and gzip.decompress(again.getvalue()) == gzip.decompress(packed)


def test_negatives_hold_no_calendar_word():
    negatives = natural_negatives(load_domain("calendar").keywords)
    assert len(negatives) > 10_000
    for word in ("calendar", "meeting", "remind", "schedule", "appointment", "birthday", "am i busy"):
        assert not any(word in n.lower() for n in negatives)
    assert len(natural_negatives("weather|rain")) > len(negatives)


def test_imperatives_read_as_titles_of_reminders():
    found = imperatives()
    assert len(found) > 1500 and len(set(found)) == len(found)
    for text in found:
        words = text.split()
        assert 2 <= len(words) <= 9 and not set(words) & {"me", "what", "please", "olly", "tomorrow"}, text
        assert not any(c.isdigit() or c in "?!" for c in text), text


def test_noun_phrases_are_short():
    found = noun_phrases()
    assert len(found) > 1500
    assert all(2 <= len(p.split()) <= 4 and p == p.lower() for p in found)
