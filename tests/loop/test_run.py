import io
import json
import os
import shutil

import pytest
from conftest import FakeModel, make_cheap, run_fake, tiny_config

from fernjax.loop import plan, plots, stages, verbs, workdir
from fernjax.loop.arms import MAX_ROUNDS
from fernjax.loop.lab import Lab
from fernjax.loop.progress import Progress
from fernjax.model.files import digest_file, read_jsonl
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import UserError


@pytest.fixture(autouse=True)
def cheap(monkeypatch):
    make_cheap(monkeypatch)
    monkeypatch.setattr(plots, "_svg", lambda figure: "<svg></svg>")


@pytest.fixture(scope="module")
def config():
    return tiny_config()


def results(path):
    """Every file's digest, but for what tells the time."""
    return {str(p.relative_to(path)): digest_file(p) for p in timeless(path)}


def timeless(path):
    timed = {"run.json", "report.json", "report.html", ".lock"}
    files = (p for p in path.rglob("*") if p.is_file() and p.name not in timed)
    return [p for p in files if not p.is_symlink()]


def test_a_good_repair_is_kept_and_crowned(finished):
    assert os.readlink(finished / "champion") == "rounds/001"
    ledger = read_jsonl(finished / "ledger.jsonl")
    decisions = {line["round"]: line["kept"] for line in ledger if line["entry"] == "decision"}
    assert decisions == {1: True, 2: False}
    repairs = [line for line in ledger if line["entry"] == "repair" and line["round"] == 1]
    assert repairs
    for line in repairs:
        assert line["change"]["before"] != line["change"]["after"]
        assert set(line["outcome"]) == {"before", "challenger", "placebo"}
    rates = {
        arm: sum(c[0] for line in repairs for c in line["outcome"][arm].values())
        for arm in ("before", "challenger", "placebo")
    }
    assert rates["challenger"] < rates["placebo"] / 2
    assert rates["challenger"] < rates["before"] / 2


def test_every_rounds_decision_has_the_same_keys(finished):
    decisions = [workdir.read_json(finished / f"rounds/00{n}/decision.json") for n in range(3)]
    assert [d["decision"] for d in decisions] == ["kept", "kept", "rejected"]
    assert decisions[0].keys() == decisions[1].keys() == decisions[2].keys()


def test_a_users_own_sentences_gate_and_never_train(domain, tmp_path):
    """Neither the data of any arm nor what it is judged on holds one."""
    plain = tiny_config(**{"loop.rounds": 1})
    made = [
        Generator(domain, Recipe.of_run(plain), seed).scenario(i).row for seed in (0, 1) for i in range(12)
    ]
    mine = {r.query.text: r for r in made}
    path = tmp_path / "my.jsonl"
    workdir.write_jsonl(
        path, [{"query": text, "now": r.query.now, "calls": r.calls} for text, r in mine.items()]
    )
    config = tiny_config(**{"loop.rounds": 1, "real_path": path})
    model = FakeModel(config, domain)
    run_fake(tmp_path / "run", config, model)
    assert len(model.recipes) == 3 * 3
    for recipe in {json.dumps(r.to_json()): r for r in model.recipes}.values():
        generator = Generator(domain, recipe, 0)
        assert not {generator.scenario(i).row.query.text for i in range(12)} & mine.keys()
    report = workdir.read_json(tmp_path / "run/report.json")
    assert set(report["real"]["gate"]) == {"own"}
    assert report["real_untouched"]["gate"].get("own", {"n": 0})["n"] < report["real"]["gate"]["own"]["n"]


def test_arms_share_no_data_seed(finished):
    seeds = {
        str(p.parent.relative_to(finished)): json.loads(p.read_text())["seed"]
        for p in finished.rglob("trained.json")
    }
    assert len(seeds) == 3 + 2 * 2 * 3
    assert len(set(seeds.values())) == len(seeds)


def test_a_rejected_round_leaves_the_champion_alone(config, domain, tmp_path):
    errors = {"first": 0.1, "repaired": 0.4, "same": 0.1}
    run_fake(tmp_path, config, FakeModel(config, domain, errors))
    assert os.readlink(tmp_path / "champion") == "rounds/000"
    report = workdir.read_json(tmp_path / "report.json")
    assert [r["decision"] for r in report["rounds"]] == ["rejected", "rejected"]
    assert all("worse" in r["reason"] for r in report["rounds"])
    # The second round tries what the first did not.
    tried = [{tuple(c["change"]["finding"]) for c in r["changes"]} for r in report["rounds"]]
    assert tried[0] != tried[1]


@pytest.mark.parametrize(
    "stop_after", [4, pytest.param(1, marks=pytest.mark.slow), pytest.param(10, marks=pytest.mark.slow)]
)
def test_a_stopped_loop_resumes_to_the_same_result(config, domain, tmp_path, finished, stop_after):
    model = FakeModel(config, domain, stop_after=stop_after)
    with pytest.raises(KeyboardInterrupt):
        run_fake(tmp_path, config, model)
    before = len(model.trained)
    model.stop_after = None
    run_fake(tmp_path, config, model)
    assert results(tmp_path) == results(finished)
    assert len(model.trained) == len(set(model.trained)), "a finished training ran again"
    assert before == stop_after


@pytest.mark.slow
def test_a_kill_before_any_write_resumes_to_the_same_result(config, domain, tmp_path, finished, monkeypatch):
    """Every 40th write of a file is the last one of its process."""
    write, count = workdir.write_text, 0

    class Killed(BaseException):
        pass

    def failing(path, text):
        nonlocal count
        count += 1
        if count % 40 == 0:
            raise Killed
        write(path, text)

    for module in ("workdir", "lab", "report"):
        monkeypatch.setattr(f"fernjax.loop.{module}.write_text", failing)
    model = FakeModel(config, domain)
    for _ in range(60):
        try:
            run_fake(tmp_path, config, model)
            break
        except Killed:
            continue
    else:
        pytest.fail("never finished")
    assert count > 80
    assert results(tmp_path) == results(finished)


def test_running_a_finished_loop_again_changes_nothing(config, domain, tmp_path, finished):
    again = tmp_path / "again"
    shutil.copytree(finished, again, symlinks=True)
    model = FakeModel(config, domain)
    run_fake(again, config, model)
    assert model.trained == []
    assert results(again) == results(finished)


def test_a_finished_loop_is_told_in_one_line_and_costs_nothing(
    config, tmp_path, finished, capsys, monkeypatch
):
    monkeypatch.setattr(verbs, "run", None)
    again = tmp_path / "again"
    shutil.copytree(finished, again, symlinks=True)
    before = (again / "run.json").read_bytes(), (again / "report.json").read_bytes()
    with workdir.open_workdir(again, config) as work:
        assert verbs.run_loop(config, work) == 0
    assert ((again / "run.json").read_bytes(), (again / "report.json").read_bytes()) == before
    out, err = capsys.readouterr()
    assert err.count("\n") == 1 and "is done" in err
    assert out.split() == [str(again / "report.html"), str(again / "report.json")]
    assert plan.describe_run(config, again, "loop") == f"loop in {again}: done, nothing is left to do"
    (again / "rounds/002/checkpoints/seed1/trained.json").unlink()
    assert not stages.is_finished(config, again)


def test_what_is_left_of_a_run_is_told_and_nothing_else_is_shown(config, domain, tmp_path, finished):
    half = tmp_path / "half"
    shutil.copytree(finished, half, symlinks=True)
    for name in ("decision.json", "scores.json"):
        (half / "rounds/002" / name).unlink()
    shutil.rmtree(half / "rounds/002/predictions/seed2")
    lines = [line for line in read_jsonl(half / "ledger.jsonl") if line["round"] < 2]
    workdir.write_jsonl(half / "ledger.jsonl", lines)
    told = plan.describe_run(config, half, "loop").splitlines()
    assert "(resumes)" in told[0] and "0 steps" in told[0]
    left = ["round 2: evaluate the challenger, seed 2", "round 2: gate and report"]
    assert [line.strip() for line in told[1:3]] == [f"{i}. {name}" for i, name in enumerate(left, 1)]
    stream = io.StringIO()
    model = FakeModel(config, domain)
    run_fake(half, config, model, stream)
    assert model.trained == []
    assert results(half) == results(finished)
    shown = [line.partition("  [")[0] for line in stream.getvalue().splitlines()]
    assert shown[:2] == left
    assert len(shown) == 3 and shown[2].startswith("round 2: rejected: ")


def test_every_stage_has_a_name_of_its_own_and_is_planned(config, domain, tmp_path, finished):
    planned = [stage.name for stage in stages.list_stages(config, tmp_path / "new")]
    assert len(set(planned)) == len(planned)
    for arm in ("the champion", "the challenger", "the placebo"):
        assert f"round 1: evaluate {arm}, seed 0" in planned
    assert "round 0: train the first model, seed 2" in planned
    assert all(stage.done for stage in stages.list_stages(config, finished))
    stream = io.StringIO()
    run_fake(tmp_path / "new", config, FakeModel(config, domain), stream)
    shown = {line.partition("  [")[0] for line in stream.getvalue().splitlines() if "  [" in line}
    shown = {line for line in shown if "step" not in line and "mine" not in line}
    assert shown - set(planned) <= {"round 1: count the final half"}  # of a round that is kept
    assert set(planned) - shown == {"round 0: report"}  # written behind the baselines


def test_nothing_of_final_reaches_a_file(config, domain, finished):
    from fernjax.sim import real

    final = {r.query.text for kind in real.KINDS for r in real.load_real("calendar", "final", kind)}
    ids = {r.query.id for kind in real.KINDS for r in real.load_real("calendar", "final", kind)}
    long = {text for text in final if len(text) > 15}
    text = "\n".join(p.read_text() for p in (*timeless(finished), finished / "report.html"))
    assert sum(t in text for t in long) == 0
    assert sum(f'"{i}"' in text for i in ids) == 0


def test_time_over_begins_no_round(domain, tmp_path, monkeypatch):
    config = tiny_config(**{"loop.max_hours": 0.5})
    monkeypatch.setattr(workdir.Workdir, "wall_s", lambda self: 3600.0)
    run_fake(tmp_path, config, FakeModel(config, domain))
    assert not (tmp_path / "rounds/001").exists()
    assert workdir.read_json(tmp_path / "report.json")["rounds"] == []


def test_without_a_placebo(domain, tmp_path):
    config = tiny_config(**{"loop.placebo": False, "loop.rounds": 1})
    run_fake(tmp_path, config, FakeModel(config, domain))
    assert not (tmp_path / "rounds/001/placebo").exists()
    assert workdir.read_json(tmp_path / "rounds/001/decision.json")["decision"] == "kept"


def test_more_rounds_than_there_are_data_seeds_are_refused(tmp_path):
    config = tiny_config(**{"loop.rounds": MAX_ROUNDS + 1})
    with workdir.open_workdir(tmp_path, config) as work, pytest.raises(UserError, match="at most 499"):
        Lab(config, work, Progress([], {}, None), None, None)


@pytest.mark.parametrize("seeds", [(1, 1), (0, 1000), (-1, 0), ()])
def test_bad_seeds_are_refused(seeds, tmp_path):
    config = tiny_config()
    config.seeds = seeds
    with workdir.open_workdir(tmp_path, config) as work, pytest.raises(UserError, match="config.seeds"):
        Lab(config, work, Progress([], {}, None), None, None)
