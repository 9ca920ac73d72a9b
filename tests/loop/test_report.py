import json
import re
import shutil
from html import unescape

import pytest
from conftest import FakeModel, make_cheap, run_fake, tiny_config

from fernjax.loop import pages, report, sample, workdir
from fernjax.loop.preflight import make_shapes
from fernjax.loop.workdir import Workdir
from fernjax.model.files import read_jsonl
from fernjax.model.transformer import count_params

TOP = {
    "schema_version", "commit", "dirty", "config", "domain", "seeds", "wall_s", "peak_rss_mb", "real",
    "generated", "negatives", "calibration", "baselines", "data", "rounds", "champion",
}  # fmt: skip
FIGURES = {"n", "full", "full_ci", "route", "in_scope_n", "force_fit", "out_of_scope_n", "over_abstention"}


@pytest.fixture(scope="module")
def built(finished):
    return workdir.read_json(finished / "report.json")


def test_it_has_the_contracts_keys(built):
    assert built.keys() >= TOP
    assert built["schema_version"] == 1
    assert set(built["real"]["final"]) == set(built["real"]["gate"]) == {"public", "authored"}
    assert set(built["real"]) == set(built["real_untouched"]) == {"final", "gate"}
    for figures in built["real"]["final"].values():
        assert figures.keys() >= FIGURES
        assert 0.0 <= figures["full_ci"][0] <= figures["full"] <= figures["full_ci"][1] <= 1.0
    assert set(built["negatives"]) == {"natural", "templated", "near_miss"}
    assert set(built["baselines"]) == {"abstain", "extractor", "tfidf"}
    assert {"ece_generated", "ece_gate"} <= built["calibration"].keys()
    assert {"sampled", "dropped_ungrounded", "dropped_near_copies", "skeletons"} <= built["data"].keys()
    assert {"messy", "out_of_scope"} <= built["generated"]["buckets"].keys()
    assert built["champion"] == 1
    for number, entry in enumerate(built["rounds"], 1):
        assert entry["round"] == number
        assert {"findings", "changes", "placebo", "decision", "reason"} <= entry.keys()
    assert [r["decision"] for r in built["rounds"]] == ["kept", "rejected"]
    assert [h["decision"] for h in built["history"]] == ["kept", "kept", "rejected"]


def test_the_always_abstaining_baseline_is_what_it_must_be(built):
    abstain = built["baselines"]["abstain"]
    assert abstain["negatives"]["templated"]["full"] == 1.0
    assert abstain["generated"]["buckets"]["in_distribution"]["full"] == 0.0


def test_rendering_again_from_disk_changes_nothing(finished, built):
    before = (finished / "report.html").read_bytes()
    report.write_report(Workdir(finished))
    assert workdir.read_json(finished / "report.json") == built
    assert (finished / "report.html").read_bytes() == before


def test_the_page_stands_alone_and_shows_what_it_must(finished, built):
    html = unescape((finished / "report.html").read_text())
    assert html.count("<svg") == 5
    assert not re.search(r'(src|href)="https?:', html)
    assert "rejected" in html
    assert "What the words mean" in html
    assert all(f"<td>{name}</td>" in html for name in built["generated"]["buckets"])
    for entry in built["rounds"]:
        assert entry["reasons"] and entry["reason"] == "; ".join(entry["reasons"])
        assert all(f"<li>{reason}</li>" in html for reason in entry["reasons"])
    for finding in (f for entry in built["rounds"] for f in entry["findings"]):
        queries = [example["query"] for example in finding["examples"]]
        assert len(set(queries)) == len(queries)
    figures = built["real"]["final"]["public"]
    shown = f'{100 * figures["force_fit"]:.1f}% <span class="quiet">of {figures["out_of_scope_n"]}</span>'
    assert shown in html


def test_every_set_and_fault_is_in_the_glossary(built):
    words = " ".join(report.GLOSSARY).replace(",", " ").split()
    assert {*built["generated"]["buckets"], *built["negatives"], "dropped", "placebo", "margin"} <= set(words)


def test_the_gates_checks_show_mistakes_as_the_tables_do(built):
    shown = json.loads(json.dumps(built))
    check = {"name": "gate/public:force_fit", "n": 23, "before": 1.0, "after": 0.971, "difference": -0.029}
    shown["rounds"][0]["checks"] = [check | {"bound": -0.082, "floor": -0.02, "passed": False, "noise": None}]
    row = unescape(report.render(shown, [], [])).partition("<td>force-fit on gate/public</td>")[2]
    cells = re.findall(r'<td class="n">([^<]*)</td>', row)[:5]
    assert cells == ["23", "0.0", "2.9", "+8.2", "+2.0"]


def test_calls_are_written_as_people_do():
    label = '[{"create_event": {"date": ["2026-03-06", ""], "title": ["tea"], "attendees": [["ana", "bo"]]}}]'
    assert (
        pages.show_calls(label)
        == 'create_event(date="2026-03-06" or left out, title="tea", attendees=["ana", "bo"])'
    )
    answer = [{"name": "list_events", "arguments": {"limit": 3}}, {"name": "out_of_scope", "arguments": {}}]
    assert pages.show_calls(answer) == "list_events(limit=3) and abstain"
    assert pages.show_calls("error") == "error"


def test_what_is_not_there_has_no_heading(domain, tmp_path, monkeypatch):
    """One seed without rounds: no noise between seeds, no rounds, no gate's calibration, no misses."""
    make_cheap(monkeypatch)
    monkeypatch.setattr("fernjax.sim.real.load_real", lambda *_: [])
    config = tiny_config(**{"loop.rounds": 0, "seeds": "(0,)"})
    run_fake(tmp_path, config, FakeModel(config, domain))
    html = unescape((tmp_path / "report.html").read_text())
    for absent in ("Noise between seeds", "<h2>Rounds", "Misses of", "gate None", "None.", "seeds 0"):
        assert absent not in html, absent
    assert "seed 0" in html


def test_it_counts_the_models_parameters(finished, built):
    assert built["parameters"] == {"unique": count_params(make_shapes(tiny_config()))}
    assert f"{built['parameters']['unique']:,} unique parameters" in (finished / "report.html").read_text()


def test_both_halves_are_shown_without_the_rows_that_training_met(built):
    same = built | {"real_untouched": built["real"]}
    assert "None of them is counted above" in report.render(same, [], [])
    untouched = json.loads(json.dumps(built))
    for half, n in (("final", 71), ("gate", 67)):
        untouched["real_untouched"][half]["public"]["n"] = n
    html = unescape(report.render(untouched, [], []))
    assert '<td class="n">71</td>' in html and '<td class="n">67</td>' in html


def test_baselines_are_headed_by_the_set_that_they_are_of(built):
    assert "real final public %" in report.render(built, [], [])
    own = json.loads(json.dumps(built))
    own["config"]["real_path"] = "my.jsonl"
    for baseline in own["baselines"].values():
        baseline["real"]["final"] = {"own": baseline["real"]["final"]["public"]}
    html = report.render(own, [], [])
    assert "real final own %" in html and "real final public %" not in html


def test_any_character_of_a_sentence_may_stand_in_the_ledger(finished, built, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(finished, copy, symlinks=True)
    lines = read_jsonl(copy / "ledger.jsonl")
    repair = next(line for line in lines if line["entry"] == "repair")
    repair["finding"]["examples"] = [{"query": "one\u2028two\x85three", "label": "[]", "answer": "[]"}]
    workdir.write_jsonl(copy / "ledger.jsonl", lines)
    assert report.build(Workdir(copy))["rounds"] == built["rounds"]


def test_every_gate_miss_is_listed(finished):
    config = tiny_config()
    missed = set()
    for seed in config.seeds:
        for path in (report.newest_answers(Workdir(finished)) / f"predictions/seed{seed}").glob(
            "gate_*.jsonl"
        ):
            missed |= {line["id"] for line in read_jsonl(path) if not line["right"]}
    listed = report.gate_misses(Workdir(finished))
    assert {m["id"] for m in listed} == missed
    assert missed


def test_words_of_a_sentence_cannot_become_markup(finished, built):
    miss = {
        "set": "gate/own",
        "id": "x",
        "query": "<script>alert(1)</script>",
        "missed": 1,
        "label": [],
        "answer": [],
    }
    html = report.render(built, [miss], [])
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_without_real_sentences_it_says_that_nothing_vouches(domain, tmp_path, monkeypatch):
    make_cheap(monkeypatch)
    monkeypatch.setattr("fernjax.sim.real.load_real", lambda *_: [])
    config = tiny_config(**{"loop.rounds": 0})
    run_fake(tmp_path, config, FakeModel(config, domain))
    built = workdir.read_json(tmp_path / "report.json")
    assert built["vouched"] is False
    assert built["real"]["gate"] == built["real"]["final"] == {}
    assert "nothing vouches" in built["note"]
    assert "nothing vouches" in (tmp_path / "report.html").read_text()


def test_runs_that_differ_in_skeletons_alone_form_a_curve(finished, built, tmp_path):
    def point(name, limit, skeletons, full, **other):
        config = json.loads(json.dumps(built["config"] | other))
        config["recipe"]["max_skeletons"] = limit
        made = built | {"config": config, "data": built["data"] | {"skeletons": skeletons}}
        made |= {"real": {"gate": {"public": {"full": full}}}}
        workdir.write_json(tmp_path / name / "report.json", made)
        return made

    own = point("a", 0, 900, 0.8)
    point("b", 100, 90, 0.5)
    point("c", 100, 95, 0.1, argument_mode="fill")
    curve = report.run_curve(Workdir(tmp_path / "a"), own)
    assert [(p["skeletons"], p["full"]) for p in curve] == [(90, 0.5), (900, 0.8)]


def test_a_template_that_meets_real_sentences_too_often_is_named():
    def counted(near_copies):
        templates = {"a": 1000, "b": 1000, "c": 1000}
        return sample.Sample(3000, 3000, {}, 10, templates, near_copies, frozenset())

    assert counted({"a": 12, "b": 1}).suspicious() == ["a"]
    assert counted({"a": 2, "b": 2, "c": 1}).suspicious() == []
    assert sample.poisson_tail(0, 2.0) == 1.0
    assert sample.poisson_tail(1, 2.0) == pytest.approx(0.864665, abs=1e-6)
