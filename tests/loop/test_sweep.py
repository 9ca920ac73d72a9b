import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import optuna
import pytest

from fernjax.loop import commands, comparison, preflight, search, settings, study, sweep, workdir
from fernjax.loop.children import Ended, Run
from fernjax.loop.experiment import expand, read_experiment
from fernjax.sim.types import UserError

VERBS = ("loop", "pretrain")

CHECK_CONFIG = preflight.check_config

HEAD = (
    "import runpy\n"
    f"get_config = runpy.run_path({str(settings.SOURCE_TREE / 'configs/calendar.py')!r})['get_config']\n"
)

SEARCH = (
    "METRIC = 'real.gate.public.full'\n"
    "def search(trial):\n    return {'train.peak_lr': trial.suggest_float('peak_lr', 1e-4, 1e-2, log=True)}\n"
)

ENV = os.environ | {
    "PYTHONPATH": os.pathsep.join([str(settings.SOURCE_TREE), os.environ.get("PYTHONPATH", "")])
}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Configs are not built whole, which takes a second each."""
    monkeypatch.setattr(preflight, "check_config", lambda config: None)


@pytest.fixture
def write(tmp_path):
    """Writes a config file below the tests' folder and gives its experiment, of the variant `tiny`."""

    def write(source, **given):
        (tmp_path / "mine.py").write_text(HEAD + source)
        return read_experiment(f"{tmp_path / 'mine.py'}:tiny", given, VERBS)

    return write


def added(calls):
    return f"def sweep(add):\n    {calls}\n"


def shares(by_seed, n=50):
    mean = sum(by_seed) / len(by_seed)
    return {"n": n, "full": mean, "full_ci": [mean - 0.05, mean + 0.05], "full_by_seed": list(by_seed)}


class FakeRunner:
    """Runs whose report says what `scores` gives for a config's seeds; `broken` folders fail."""

    def __init__(self, score=lambda config, seed: 0.5, broken=()):
        self.score, self.broken, self.ran = score, set(broken), []

    def __call__(self, name, arguments, inherited):
        self.ran.append(name)
        verb, place = arguments
        folder = pathlib.Path(place.removeprefix("--workdir="))
        config = json.loads((folder / "config.json").read_text())
        run = {"inputs": {"own_sentences": "", "phrasing": "p"}}
        if name in self.broken:
            workdir.write_json(folder / "run.json", run)
            return Ended(1, 0.5, ("it <broke>",))
        marks = shares([self.score(config, seed) for seed in config["seeds"]])
        report = {
            "commit": "abc",
            "seeds": config["seeds"],
            "config": config,
            "wall_s": 60.0 + len(self.ran),
            "real": {"gate": {"public": marks}, "final": {"public": marks}},
            "generated": marks,
        }
        workdir.write_json(folder / "report.json", report)
        workdir.write_json(folder / "run.json", run | ({"finished_rounds": 0} if verb == "loop" else {}))
        return Ended(0, 1.0)


def run_all(experiment, path, runner, number=None):
    return sweep.run_points(experiment, expand(experiment), path, number, runner)


def compare(experiment, path):
    return comparison.write_comparison(experiment, expand(experiment), path, None)


def test_the_centre_comes_first_and_labels_say_what_differs(write):
    points = expand(
        write(
            added(
                "add(**{'train.peak_lr': 1e-3}); add(**{'train.batch_size': 4, 'seeds': (4, 5)});"
                "add('wide', **{'model.width': 64}); add(name='named', argument_mode='fill')"
            )
        )
    )
    assert [(p.number, p.label) for p in points] == [
        (0, "centre"),
        (1, "train.peak_lr=0.001"),
        (2, "seeds=4+5,train.batch_size=4"),
        (3, "wide"),
        (4, "named"),
    ]
    assert points[2].differs == {"train.batch_size": 4, "seeds": (4, 5)}
    assert points[3].config.model.width == 64 and points[3].config.train.total_steps == 8
    folder = points[2].run(pathlib.Path("w"), "loop").folder
    assert folder == pathlib.Path("w/points/002-seeds-4-5-train.batch_size-4")


def test_a_point_that_is_the_centre_stands_for_it(write):
    for centre in ("add()", "add(argument_mode='point')"):
        points = expand(write(added(f"add(argument_mode='fill'); {centre}")))
        assert [(p.number, p.label) for p in points] == [(0, "argument_mode=fill"), (1, "centre")]


def test_overrides_of_the_command_line_move_the_centre(write):
    points = expand(write(added("add(argument_mode='fill')"), **{"train.total_steps": "9"}))
    assert [p.config.train.total_steps for p in points] == [9, 9]
    assert points[0].label == "centre"


@pytest.mark.parametrize(
    "source, told",
    [
        (added("add(argument_mod='fill')"), r"add\(argument_mod='fill'\): unknown key .*did you mean"),
        (added("add(**{'train.total_steps': 'many'})"), "takes an int"),
        (added("add(**{'train.total_steps': 0})"), "give at least 1"),
        (added("add(argument_mode='fill'); add(argument_mode='fill')"), "points 1 .* and 2 .* same config"),
        (added("add('a', argument_mode='fill'); add('a', argument_mode='write')"), "same label"),
        (added("add(seeds=(3, 4)); add(seeds=(4, 5))"), "points 1 and 2 .*share seed 4"),
        (added("add(3)"), r"add\(3\); a name is a text"),
        (added("1 / 0"), r"mine.py, line 4: ZeroDivisionError"),
        ("sweep = 3\n", r"has no sweep\(add\)"),
        ("", r"has no sweep\(add\)"),
        ("VERB = 'train'\n", "VERB is 'train'; give one of: loop, pretrain"),
        ("METRICS = ['wall_s']\n", "METRICS is"),
        ("METRICS = {'x': 3}\n", "METRICS is"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(source, told, write):
    with pytest.raises(UserError, match=told):
        expand(write(source))


@pytest.mark.parametrize(
    "path", sorted((settings.SOURCE_TREE / "configs").glob("*.py")), ids=lambda p: p.stem
)
def test_every_shipped_sweep_expands_and_every_search_has_a_goal(path):
    experiment = read_experiment(str(path), {}, VERBS)
    if hasattr(experiment.module, "sweep"):
        points = expand(experiment)
        assert len(points) > 1 and [p.number for p in points] == list(range(len(points)))
    if hasattr(experiment.module, "search"):
        assert search.read_goal(experiment).metric
        trial = optuna.trial.FixedTrial({"batch_size": 16, "peak_lr": 1e-3, "decay_share": 0.3})
        assert experiment.config(experiment.module.search(trial)).train.total_steps == 640


THREE = added("add(argument_mode='fill'); add(argument_mode='write')")


def test_one_points_failure_stops_no_other_and_the_same_command_goes_on(write, tmp_path, capsys):
    experiment, path = write(THREE), tmp_path / "w"
    runner = FakeRunner(broken=["001-argument_mode-fill"])
    assert run_all(experiment, path, runner) == 1
    assert runner.ran == ["000-centre", "001-argument_mode-fill", "002-argument_mode-write"]
    states = [p["state"] for p in sweep.describe_points(experiment, expand(experiment), path)]
    assert states == ["done", "failed", "done"]
    assert workdir.read_json(path / "points/.001-argument_mode-fill/failed.json")["said"] == ["it <broke>"]
    runner.broken.clear()
    runner.ran.clear()
    assert run_all(experiment, path, runner) == 0
    assert runner.ran == ["001-argument_mode-fill"]
    assert not (path / "points/.001-argument_mode-fill/failed.json").exists()
    assert capsys.readouterr().out.splitlines()[-1].endswith("points/002-argument_mode-write")


def test_a_loop_that_was_stopped_is_not_done_though_it_left_a_report(write, tmp_path):
    experiment, path = write(THREE), tmp_path / "w"
    run = expand(experiment)[0].run(path, "loop")
    assert run.state() == "to do"
    workdir.write_json(run.folder / "run.json", {})
    workdir.write_json(run.folder / "report.json", {})
    assert run.state() == "begun"
    workdir.write_json(run.folder / "run.json", {"finished_rounds": 1})
    assert run.state() == "done"
    assert Run(run.folder, "pretrain", run.config).state() == "done"


def test_one_point_alone_and_one_that_is_not_there(write, tmp_path):
    experiment, runner = write(THREE), FakeRunner()
    assert run_all(experiment, tmp_path / "w", runner, 2) == 0
    assert runner.ran == ["002-argument_mode-write"]
    for number in (-1, 3):
        with pytest.raises(UserError, match="has points 0 to 2"):
            run_all(experiment, tmp_path / "w", runner, number)


def test_a_point_that_another_process_holds_is_left_to_it(write, tmp_path, capsys):
    experiment, path, runner = write(THREE), tmp_path / "w", FakeRunner()
    with expand(experiment)[0].run(path, "loop").held():
        assert run_all(experiment, path, runner) == 0
        assert "000-centre (1 of 3): another process runs it" in capsys.readouterr().err
        with pytest.raises(workdir.Held, match="another process is running"):
            run_all(experiment, path, runner, 0)
    assert runner.ran == ["001-argument_mode-fill", "002-argument_mode-write"]


def test_a_killed_sweeps_run_keeps_its_point(write, tmp_path):
    """The lock is the run's too: whoever comes after a `kill -9` of the sweep alone waits for the run."""
    run = expand(write(THREE))[0].run(tmp_path / "w", "loop")
    with run.held() as lock:
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=[lock])
    with pytest.raises(workdir.Held), run.held():
        pass
    child.communicate(b"\n")
    with run.held():
        pass


def test_a_folder_of_other_points_is_refused(write, tmp_path):
    path, runner = tmp_path / "w", FakeRunner()
    run_all(write(THREE), path, runner)
    with pytest.raises(UserError, match="was made with config.train.total_steps=8, not 9"):
        run_all(write(THREE, **{"train.total_steps": "9"}), path, runner)
    with pytest.raises(UserError, match="001-argument_mode-fill is no point of this sweep"):
        run_all(write(added("add(argument_mode='write')")), path, runner)
    workdir.write_json(tmp_path / "r" / "run.json", {})
    with pytest.raises(UserError, match="holds a run or a fleet"):
        run_all(write(THREE), tmp_path / "r", runner)
    runner.ran.clear()
    more = added("add(argument_mode='fill'); add(argument_mode='write'); add(**{'train.peak_lr': 1e-3})")
    assert run_all(write(more), path, runner) == 0
    assert runner.ran == ["003-train.peak_lr-0.001"]


def test_a_point_that_cannot_be_is_told_before_any_runs(write, tmp_path, monkeypatch):
    monkeypatch.setattr(preflight, "check_config", CHECK_CONFIG)
    runner = FakeRunner()
    with pytest.raises(UserError, match=r"point 1 \(width=33\): "):
        run_all(write(added("add(**{'model.width': 33})")), tmp_path / "w", runner)
    assert not runner.ran and not (tmp_path / "w").exists()


def test_figures_of_one_run_and_the_paired_difference(write, tmp_path):
    """Centre 0.5, 0.6, 0.7; point 0.6, 0.6, 0.9: differences 0.1, 0, 0.2, t(0.975, 2) = 4.303."""
    table = {"point": [0.5, 0.6, 0.7], "fill": [0.6, 0.6, 0.9]}
    experiment, path = write(added("add(argument_mode='fill')")), tmp_path / "w"
    run_all(experiment, path, FakeRunner(lambda config, seed: table[config["argument_mode"]][seed]))
    centre, point = compare(experiment, path)["groups"]
    figure = point["figures"]["gate public full"]
    assert figure["value"] == pytest.approx(0.7) and figure["ci"] == pytest.approx([0.65, 0.75])
    assert figure["sd"] == pytest.approx(0.03**0.5) and figure["n"] == 50 and point["seeds"] == [0, 1, 2]
    assert figure["by_seed"] == {"0": 0.6, "1": 0.6, "2": 0.9}
    told = point["differences"]["gate public full"]
    half = 4.302653 * 0.1 / 3**0.5
    assert told["mean"] == pytest.approx(0.1) and told["seeds"] == 3
    assert told["ci"] == pytest.approx([0.1 - half, 0.1 + half], abs=1e-5)
    assert centre["differences"]["gate public full"] == {"why_not": "the centre itself"}
    assert point["differences"]["wall s"] == {"why_not": "not told by seed"}
    assert "final authored full" not in point["figures"]


def test_points_that_differ_in_seeds_alone_are_one_group(write, tmp_path):
    """Runs of one seed: 0.4, 0.5, 0.9, mean 0.6, sd sqrt(0.07), half width 4.303 * sd / sqrt(3)."""
    calls = "add(); add(seeds=(1,)); add(seeds=(2,));"
    calls += "[add(argument_mode='fill', seeds=(s,)) for s in (0, 1, 2)]"
    experiment, path = write(added(calls), seeds="0"), tmp_path / "w"
    scores = {"point": [0.4, 0.5, 0.9], "fill": [0.5, 0.7, 0.9]}
    run_all(experiment, path, FakeRunner(lambda config, seed: scores[config["argument_mode"]][seed]))
    summary = compare(experiment, path)
    centre, fill = summary["groups"]
    assert (centre["label"], fill["label"]) == ("centre", "argument_mode=fill")
    assert fill["points"] == [3, 4, 5] and fill["seeds"] == [0, 1, 2]
    figure = centre["figures"]["gate public full"]
    half = 4.302653 * (0.07 / 3) ** 0.5
    assert figure["value"] == pytest.approx(0.6) and figure["runs"] == 3
    assert figure["sd"] == pytest.approx(0.07**0.5)
    assert figure["ci"] == pytest.approx([0.6 - half, 0.6 + half], abs=1e-5)
    assert centre["figures"]["wall s"]["value"] == pytest.approx(62.0)
    assert fill["differences"]["gate public full"]["mean"] == pytest.approx((0.1 + 0.2 + 0) / 3)


def test_no_difference_between_other_sentences_or_seeds(write, tmp_path):
    calls = "add(**{'recipe.contrastive': 0.5}); add(**{'recipe.max_skeletons': 9});"
    calls += "add('more', seeds=(7, 8), argument_mode='fill')"
    experiment, path = write(added(calls)), tmp_path / "w"
    run_all(experiment, path, FakeRunner(lambda config, seed: 0.5 + 0.01 * seed))
    _, recipe, skeletons, seeds = (group["differences"] for group in compare(experiment, path)["groups"])
    assert recipe["generated full"] == {"why_not": "other sentences"}
    assert recipe["gate public full"]["mean"] == 0.0 and recipe["gate public full"]["ci"] is None
    assert skeletons["generated full"]["mean"] == 0.0
    assert seeds["gate public full"] == {"why_not": "other seeds"}


def test_what_is_missing_is_said_and_metrics_are_the_files(write, tmp_path):
    source = THREE + "METRICS = {'gate': 'real.gate.public.full', 'typo': 'real.gat.public.full'}\n"
    experiment, path = write(source), tmp_path / "w"
    with pytest.raises(UserError, match="has nothing that is done"):
        compare(experiment, path)
    run_all(experiment, path, FakeRunner(broken=["002-argument_mode-write"]))
    summary = compare(experiment, path)
    assert summary == workdir.read_json(path / "sweep.json")
    assert summary["missing"] == ["argument_mode=write"] and summary["in_no_report"] == ["typo"]
    assert summary["groups"][2]["figures"] == {}
    page = (path / "sweep.html").read_text()
    assert "Missing, and in no figure below: argument_mode=write" in page and "<svg" in page
    assert "In no report: typo" in page and "50.0 [45.0 to 55.0]" in page
    assert 'href="points/000-centre/report.html"' in page


def test_a_figure_that_a_run_of_a_group_lacks_is_no_mean_of_the_others():
    whole = {"a": {"full": 0.5, "n": 4}}
    assert comparison.measure([((0,), whole), ((1,), {})], "a.full") is None
    assert comparison.measure([((0,), whole), ((1,), whole)], "a.full")["value"] == 0.5
    assert comparison.find({"a": {"full": True}}, "a.full") is None


def test_another_verb_runs_where_there_is_one(write, tmp_path):
    experiment, runner = write(THREE + "VERB = 'pretrain'\n"), FakeRunner()
    assert run_all(experiment, tmp_path / "w", runner) == 0
    assert list(compare(experiment, tmp_path / "w")["metrics"]) == ["wall s"]


@pytest.mark.parametrize(
    "argv, told",
    [
        ([], "takes one of --list, --run, --report and --search=N, not none"),
        (["--list", "--run"], "not --list and --run"),
        (["--list", "--point=1"], "--point goes with --run"),
        (["--run", "--json"], "--json goes with --list"),
        (["--run", "--storage=sqlite:///x"], "--storage goes with --search or --report"),
        (["--search=0"], "give at least 1"),
        (["--run", "--point=6"], "has points 0 to 5"),
        (["--run", "--point=x"], "invalid int value"),
        (["--report"], "has nothing that is done"),
        (["--search=1"], "has no search(trial)"),
        (["--list", "--config.train.total_stepz=1"], "did you mean config.train.total_steps"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line_and_exit_2(argv, told, tmp_path, capsys):
    command = ["sweep", "--config=configs/calendar.py:tiny", f"--workdir={tmp_path / 'w'}", *argv]
    assert commands.main(command) == 2
    err = capsys.readouterr().err
    assert told in err and err.count("\n") == 1
    assert not (tmp_path / "w").exists()


def test_a_sweep_wants_a_config(capsys):
    assert commands.main(["sweep", "--list"]) == 2
    assert "sweep needs --config=" in capsys.readouterr().err


def test_list_and_dry_run_write_nothing(tmp_path, capsys):
    command = ["sweep", "--config=configs/calendar.py:tiny", f"--workdir={tmp_path / 'w'}"]
    assert commands.main([*command, "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6 and "argument_mode=write" in lines[0] and "to do" in lines[0]
    assert commands.main([*command, "--list", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told[3] == {
        "point": 3,
        "label": "max_skeletons=100",
        "differs": {"recipe.max_skeletons": 100},
        "state": "to do",
    }
    assert commands.main([*command, "--run", "--dry_run"]) == 0
    assert "sweep of 6 points" in capsys.readouterr().out
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize(
    "source, told",
    [
        (
            SEARCH.replace("real.gate", "real.final"),
            "of the final half, which is counted and",
        ),
        (SEARCH.replace("real.gate", "real_untouched.final"), "of the final half"),
        (SEARCH.replace("METRIC =", "OTHER ="), "METRIC is None"),
        (SEARCH + "DIRECTION = 'up'\n", "DIRECTION is 'up'"),
    ],
)
def test_a_search_by_the_final_half_or_by_nothing_is_refused(source, told, write):
    with pytest.raises(UserError, match=told):
        search.read_goal(write(source))


def peak(config, seed):
    """Best at a learning rate of 1e-3."""
    return 1.0 - abs(config["train"]["peak_lr"] - 1e-3) + 0.0 * seed


def test_a_search_runs_until_the_study_holds_so_many(write, tmp_path):
    experiment, path, runner = write(SEARCH), tmp_path / "w", FakeRunner(peak)
    assert search.run_search(experiment, path, 2, runner=runner) == 0
    assert search.run_search(experiment, path, 3, runner=runner) == 0
    assert runner.ran == ["000", "001", "002"]
    assert workdir.read_json(path / "trials/002/config.json")["train"]["total_steps"] == 8
    told = search.read_study(experiment, path, None)
    assert told["finished"] == 3 and told["failed"] == 0
    values = [trial["value"] for trial in told["best"]]
    assert values == sorted(values, reverse=True)
    assert told["best"][0]["figure"]["n"] == 50
    again = FakeRunner(peak)
    search.run_search(experiment, tmp_path / "again" / "w", 3, runner=again)
    other = search.read_study(experiment, tmp_path / "again" / "w", None)
    assert other["best"] == told["best"]  # a trial's draws follow from the seed and its number
    comparison.write_comparison(experiment, [], path, told)
    assert "3 trials are finished" in (path / "sweep.html").read_text()


def test_a_study_of_another_config_or_metric_is_refused(write, tmp_path):
    path = tmp_path / "w"
    search.run_search(write(SEARCH), path, 1, runner=FakeRunner())
    with pytest.raises(UserError, match="was made with config.train.total_steps=8, not 9"):
        search.run_search(write(SEARCH, **{"train.total_steps": "9"}), path, 2, runner=FakeRunner())
    with pytest.raises(UserError, match="is to maximize real.gate.public.full, not to maximize generated"):
        search.run_search(
            write(SEARCH.replace("real.gate.public", "generated")), path, 2, runner=FakeRunner()
        )


def test_failing_trials_are_counted_and_three_in_a_row_end_it(write, tmp_path):
    experiment, path = write(SEARCH), tmp_path / "w"
    assert search.run_search(experiment, path, 2, runner=FakeRunner(broken=["001"])) == 1
    told = search.read_study(experiment, path, None)
    assert (told["finished"], told["failed"]) == (2, 1)
    with pytest.raises(UserError, match="trial 5 failed .*3 in a row did"):
        search.run_search(experiment, path, 9, runner=FakeRunner(broken=["003", "004", "005"]))


def test_a_metric_that_no_report_has_is_told_at_once_and_no_run_is_lost(write, tmp_path):
    path = tmp_path / "w"
    with pytest.raises(UserError, match="METRIC real.gat.public.full is not in .*000/report.json"):
        search.run_search(write(SEARCH.replace("real.gate", "real.gat")), path, 1, runner=FakeRunner())
    again = FakeRunner()
    assert search.run_search(write(SEARCH), path, 1, runner=again) == 0
    assert again.ran == []


@pytest.mark.parametrize(
    "body, told",
    [
        ("return 3", "search.trial. gives 3; return overrides"),
        ("return {'train.peak': 1}", r"search\(trial\): unknown key config.train.peak"),
        ("1 / 0", "line 5: ZeroDivisionError"),
    ],
)
def test_a_mistake_in_search_is_one_line(body, told, write, tmp_path):
    source = f"METRIC = 'generated.full'\ndef search(trial):\n    {body}\n"
    with pytest.raises(UserError, match=told):
        search.run_search(write(source), tmp_path / "w", 1, runner=FakeRunner())


@pytest.mark.parametrize(
    "url, told",
    [
        ("nonsense", "the database of --storage .* cannot be used"),
        ("nodb://ana:secret@host/x", r"nodb://ana:\*\*\*@host/x cannot be used"),
        ("sqlite:////nowhere/x/study.db", "sqlite:////nowhere/x/study.db cannot be used"),
    ],
)
def test_a_database_that_cannot_be_used_is_one_line_without_its_password(
    url, told, write, tmp_path, monkeypatch
):
    monkeypatch.setattr(study, "OPENINGS", 1)
    with pytest.raises(UserError, match=told) as raised:
        search.run_search(write(SEARCH), tmp_path / "w", 1, url, FakeRunner())
    assert "secret" not in str(raised.value) and "\n" not in str(raised.value)


WORKER = """
import sys, time
sys.path.insert(0, {tests!r})
import test_sweep
from fernjax.loop import search
from fernjax.loop.experiment import read_experiment
search.WAIT_S = 0.2
class Slow(test_sweep.FakeRunner):
    def __call__(self, name, arguments, inherited):
        print(name, flush=True)
        time.sleep({seconds})
        return super().__call__(name, arguments, inherited)
experiment = read_experiment({name!r}, {{}}, ["loop"])
search.run_search(experiment, __import__("pathlib").Path({path!r}), {trials}, runner=Slow(test_sweep.peak))
"""


def start_worker(experiment, path, trials, seconds):
    here = str(pathlib.Path(__file__).parent)
    code = WORKER.format(tests=here, seconds=seconds, name=experiment.name, path=str(path), trials=trials)
    return subprocess.Popen([sys.executable, "-c", code], env=ENV, stdout=subprocess.PIPE, text=True)


def test_two_processes_share_a_study(write, tmp_path):
    experiment, path = write(SEARCH), tmp_path / "w"
    workers = [start_worker(experiment, path, 4, 0.3) for _ in range(2)]
    outs = [worker.communicate(timeout=600)[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0]
    told = search.read_study(experiment, path, None)
    assert 4 <= told["finished"] <= 5 and told["failed"] == told["running"] == 0
    ran = [line for out in outs for line in out.splitlines() if line.isdigit()]
    assert len(ran) == len(set(ran)) == told["finished"]
    rates = {trial["params"]["peak_lr"] for trial in told["best"]}
    assert len(rates) == told["finished"]


def test_a_killed_trial_is_handed_out_again_into_its_folder(write, tmp_path, monkeypatch):
    monkeypatch.setattr(search, "BEGINNING_S", 0.0)
    experiment, path = write(SEARCH), tmp_path / "w"
    worker = start_worker(experiment, path, 1, 60)
    assert worker.stdout.readline() == "000\n"
    worker.kill()
    worker.communicate()
    before = (path / "trials/000/config.json").read_text()
    runner = FakeRunner(peak)
    assert search.run_search(experiment, path, 1, runner=runner) == 0
    assert runner.ran == ["000"] and (path / "trials/000/config.json").read_text() == before
    told = search.read_study(experiment, path, None)
    assert (told["finished"], told["failed"], told["running"]) == (1, 1, 0)
    assert told["best"][0]["trial"] == 1 and told["best"][0]["folder"] == "trials/000"


@pytest.mark.slow
def test_a_tiny_sweep_is_stopped_killed_and_resumed_from_the_command_line(tmp_path):
    source = (
        "def get_config():\n    c = tiny('tiny')\n    c.seeds = (0,)\n    c.loop.rounds = 0\n"
        "    c.train.total_steps = 60\n    c.train.save_every_steps = 5\n    return c\n"
    )
    text = HEAD.replace("get_config = ", "tiny = ") + source + added("add(**{'train.peak_lr': 1e-3})")
    (tmp_path / "two.py").write_text(text)
    command = [sys.executable, "-m", "fernjax", "sweep", f"--config={tmp_path / 'two.py'}"]
    command += [f"--workdir={tmp_path / 'w'}"]
    centre = tmp_path / "w/points/000-centre"

    def start():
        process = subprocess.Popen([*command, "--run"], env=ENV, stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            if "step" in line:
                return process
        raise AssertionError("it ended without a step")

    stopped = start()
    stopped.send_signal(signal.SIGTERM)
    said = stopped.communicate()[1]
    assert stopped.returncode == 0 and "the same command resumes" in said
    assert (centre / "run.json").exists() and not (centre / "report.json").exists()
    killed = start()
    killed.kill()
    killed.communicate()
    while True:
        done = subprocess.run([*command, "--run"], env=ENV, capture_output=True, text=True, timeout=600)
        if "another process runs it" not in done.stderr:
            break
        time.sleep(1)  # the run of the killed sweep goes on to its end
    assert done.returncode == 0, done.stderr[-2000:]
    report = subprocess.run([*command, "--report"], env=ENV, capture_output=True, text=True)
    assert report.returncode == 0, report.stderr
    summary = json.loads((tmp_path / "w/sweep.json").read_text())
    assert summary["missing"] == [] and len(summary["groups"]) == 2
    figure = summary["groups"][1]["figures"]["gate public full"]
    assert 0 <= figure["ci"][0] <= figure["value"] <= figure["ci"][1] and figure["n"] > 20
    assert "mean" in summary["groups"][1]["differences"]["gate public full"]
