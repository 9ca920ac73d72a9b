"""Shards: what is in them, what is kept out, and that batches drawn from them are pure and right."""

from __future__ import annotations

import gzip
import json
import pickle

import numpy as np
import pytest

from fernjax.loop.settings import load_config
from fernjax.model.corpus import build as building
from fernjax.model.corpus.mixture import Mixture
from fernjax.model.corpus.shards import Calls, read_texts
from fernjax.model.corpus.trials import make_trials
from fernjax.model.pretrain import make_plan
from fernjax.model.tokenizer import BEGIN, load_tokenizer
from fernjax.sim import real
from fernjax.sim.types import UserError

TOKENIZER = load_tokenizer(2048)


def small(folder, **overrides):
    values = {"data.shards": str(folder / "shards"), "data.root": str(folder / "sources")} | overrides
    return load_config("configs/pretrain_bud.py:tiny", {k: str(v) for k, v in values.items()})


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shards")
    config = small(folder, **{"data.apps": "('calendar', 'wallet')"})
    return config, building.build(config, lambda line: None)


def mixture(made, seed=0, **changes):
    config, folder = made
    source = make_plan(config, folder, seed).source
    fields = {f: getattr(source, f) for f in source.__dataclass_fields__}
    return Mixture(**(fields | changes))


def same(a, b):
    return a.keys() == b.keys() and all((a[k] == b[k]).all() for k in a)


def test_the_same_data_are_made_once(made):
    config, folder = made
    before = (folder / "manifest.json").stat().st_mtime_ns
    notes = []
    assert building.build(config, notes.append) == folder and not notes
    assert (folder / "manifest.json").stat().st_mtime_ns == before
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["sources"]["calls/apps"]["kept"] > 30
    assert manifest["sources"]["texts/episodes"]["tokens"] == len(read_texts(folder / "texts" / "episodes"))


def test_weights_and_breadth_are_no_part_of_the_shards(made):
    config, folder = made
    other = config.copy_and_resolve_references()
    with other.unlocked():
        other.data.calls.apps, other.data.services = 5.0, 1
    assert building.build(other, lambda line: None) == folder


def test_what_is_written_is_read_back(made):
    _, folder = made
    calls = Calls(folder / "calls" / "apps")
    assert {s.name for s in calls.services} == {"calendar", "wallet"}
    assert sum(len(m) for forms in calls.members for m in forms) == len(calls)
    for index in range(0, len(calls), 7):
        example = calls.example(index)
        assert len(example["ids"]) == calls.length(index) and example["ids"].min() > 0
        told = (example["kinds"] > 0) <= (example["starts"] & example["ends"])  # a mention is a whole word
        assert told.all()


def test_a_group_is_a_pure_function_of_seed_and_index(made):
    source = mixture(made)
    again = pickle.loads(pickle.dumps(source))
    for a, b in zip(source.examples(3, 6)[0], again.examples(3, 6)[0], strict=True):
        assert same(source.collate([a], 48), again.collate([b], 48))
    other = mixture(made, seed=1).examples(3, 4)[0][0]
    assert not np.array_equal(other["text"], source.examples(3, 4)[0][0]["text"])


def test_targets_name_tools_that_are_there_and_places_that_may_be_named(made):
    source = mixture(made, sentences=12, tools=6)
    kinds_seen = set()
    for group in source.examples(0, 40)[0]:
        batch = source.collate([group], source.length(group))
        there = batch["tool_ids"][0, :, 0] != 0
        assert (batch["tool_ids"][0, there, 0] == TOKENIZER.reserved_id("<tool>")).all()
        for m in range(12):
            tool = int(batch["tool"][0, m, 0])
            if tool == 6:
                kinds_seen.add("out of scope")
                assert not any(batch[n][0, m].any() for n in ("start", "end", "point", "choice"))
                continue
            assert there[tool]
            for head, name in (("text", "start"), ("point", "point"), ("choice", "choice")):
                said = batch[name][0, m, 0] > 0
                assert (batch[f"exists_{head}"][0, tool] | ~said).all()
                for column in np.flatnonzero(said):
                    kinds_seen.add(head)
                    row = batch[f"slots_{head}"][0, tool, column]
                    at = int(batch[name][0, m, 0, column]) - 1
                    if head == "point":
                        assert batch["takes"][0, row, batch["kinds"][0, m, at]] == 1
                    elif head == "text":
                        assert batch["starts"][0, m, at]
                    else:
                        assert at + 1 < batch["choices"][0, row]
    assert kinds_seen == {"out of scope", "text", "point", "choice"}


def test_texts_are_cut_into_segments(made):
    source = mixture(made)
    group = source.examples(0, 1)[0][0]
    begins = group["text"] == TOKENIZER.reserved_id(BEGIN)
    assert begins.any() and (np.diff(group["segments"], axis=1) == begins[:, 1:]).all()


def test_few_services_are_some_of_the_many(made):
    chosen = [set(map(tuple, _flat(mixture(made, services=n)._chosen))) for n in (1, 2, 0)]
    assert [len(c) for c in chosen[:2]] == [1, 2] and chosen[0] < chosen[1] < chosen[2]


def _flat(chosen):
    return [(name, n) for name, numbers in chosen.items() for n in numbers]


def test_trials_have_all_tools_and_some_strangers(made):
    _, folder = made
    trials = list(make_trials(folder / "calls" / "composed", TOKENIZER, 12, 10, 0.5))
    assert trials
    for trial in trials:
        tools = [i for i in range(len(trial.service.tools)) if i != trial.service.spec.out_of_scope]
        assert set(trial.gold) <= {*range(len(tools)), 12}
        assert sum(len(b["ids"][0]) for b in trial.batches) >= len(trial.gold)
    assert any((t.gold == 12).any() for t in trials)


def test_texts_of_ones_own_without_copies_and_without_real_sentences(tmp_path):
    real_text = real.load_real("calendar", "gate", "public")[0].query.text
    own = tmp_path / "own"
    own.mkdir()
    (own / "a.txt").write_text("One line\nof one text.\n\nAnother text.\n\nanother TEXT\n")
    rows = [{"text": real_text}, {"text": "A third text."}]
    with gzip.open(own / "b.jsonl.gz", "wt") as f:
        f.writelines(json.dumps(row) + "\n" for row in rows)
    config = small(tmp_path, **{
        "data.calls.apps": 0, "data.calls.composed": 1, "data.composed_sets": 1, "data.composed_sentences": 2,
        "data.texts.episodes": 0, "data.texts.files": 1, "data.files": f"('{own}',)",
    })  # fmt: skip
    folder = building.build(config, lambda line: None)
    ids = read_texts(folder / "texts" / "files")
    cuts = np.flatnonzero(ids == TOKENIZER.reserved_id(BEGIN))
    texts = [TOKENIZER.decode(part.tolist()) for part in np.split(ids, cuts)[1:]]
    assert texts == ["one line of one text.", "another text.", "a third text."]
    counts = json.loads((folder / "manifest.json").read_text())["sources"]["texts/files"]
    assert counts["dropped"] == {"a copy of another": 1, "near-copy of a real sentence": 1}
    (own / "c.txt").write_text("More.")
    assert building.build(config, lambda line: None) != folder


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"data.texts.files": 1, "data.files": "('nowhere',)"}, "nowhere is not there"),
        ({"data.texts.hub": 1}, "name a data set"),
    ],
)
def test_mistakes_are_told_in_a_line(tmp_path, overrides, said):
    with pytest.raises(UserError, match=said):
        building.build(small(tmp_path, **overrides), lambda line: None)
