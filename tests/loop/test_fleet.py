import json
import subprocess
import sys

import pytest

from fernjax.loop import commands, fleet, settings, workdir
from fernjax.sim.types import UserError
from fernjax.sim.world import domain_names

APPS = ["calendar", "wallet", "zoo"]


def counts(full, n=50):
    return {
        "n": n,
        "full": full,
        "full_ci": [full - 0.1, full + 0.1],
        "route": full,
        "force_fit": None,
        "over_abstention": 0.0,
    }


def write_app_report(path, full):
    real = {"final": {"public": counts(full), "authored": counts(full / 2, 10)}, "gate": {}}
    workdir.write_json(
        path / "report.json",
        {
            "seeds": [0],
            "wall_s": 60.0,
            "champion": 0,
            "real": real,
            "generated": {"full": 0.7, "full_ci": [0.6, 0.8], "n": 100, "buckets": {}},
            "negatives": {"natural": counts(0.9)},
            "calibration": {"ece_generated": 0.02},
            "data": {"skeletons": 1000},
            "baselines": {"abstain": {"real": {"final": {"public": counts(0.3)}, "gate": {}}}},
        },
    )


@pytest.fixture
def fake(monkeypatch, tmp_path):
    """A fleet of apps whose loops are pretended: `broken` ones fail."""
    ran, broken = [], set()
    monkeypatch.setattr(fleet, "domain_names", lambda: APPS)

    def run_app(app, path, flags):
        ran.append(app)
        if app in broken:
            return {"state": "failed", "exit": 1, "wall_s": 1.0, "said": ["it <broke>"]}
        write_app_report(path, {"calendar": 0.8, "wallet": 0.9, "zoo": 0.5}[app])
        return {"state": "done", "exit": 0, "wall_s": 60.0}

    monkeypatch.setattr(fleet, "_run_app", run_app)
    return tmp_path / "fleet", ran, broken


def load(**overrides):
    return settings.load_config("configs/fleet.py:quick", overrides)


def test_one_apps_failure_stops_no_other_and_the_same_command_tries_it_again(fake):
    path, ran, broken = fake
    broken.add("wallet")
    assert fleet.run_fleet(load(), path, ["--config=configs/fleet.py:quick"]) == 1
    assert ran == APPS
    summary = workdir.read_json(path / "fleet.json")
    assert [summary["runs"][a]["state"] for a in APPS] == ["done", "failed", "done"]
    assert "it &lt;broke&gt;" in (path / "fleet.html").read_text()
    broken.clear()
    ran.clear()
    assert fleet.run_fleet(load(), path, []) == 0
    assert ran == ["wallet"]


def test_the_mean_weighs_apps_alike_and_kinds_apart(fake):
    path, _, _ = fake
    fleet.run_fleet(load(), path, [])
    mean = workdir.read_json(path / "fleet.json")["mean"]
    assert mean["public"]["full"] == pytest.approx((0.8 + 0.9 + 0.5) / 3)
    assert mean["authored"]["full"] == pytest.approx((0.4 + 0.45 + 0.25) / 3)
    assert mean["public"]["n"] == 150 and mean["public"]["apps"] == 3
    assert mean["public"]["force_fit"] is None and mean["own"] is None
    half = (mean["public"]["full_ci"][1] - mean["public"]["full_ci"][0]) / 2
    assert half == pytest.approx(0.1 / 3**0.5)


def test_other_settings_in_its_folder_are_refused_but_more_apps_are_not(fake):
    path, ran, _ = fake
    fleet.run_fleet(load(**{"fleet.domains": "zoo"}), path, [])
    assert ran == ["zoo"]
    fleet.run_fleet(load(**{"fleet.domains": "zoo,wallet"}), path, [])
    assert ran == ["zoo", "wallet"]
    with pytest.raises(UserError, match=r"config.train.total_steps=3000, not 7"):
        fleet.run_fleet(load(**{"train.total_steps": "7"}), path, [])
    with pytest.raises(UserError, match="no app 'zebra'; there are: calendar, wallet, zoo"):
        fleet.run_fleet(load(**{"fleet.domains": "zebra"}), path, [])


def test_the_folder_of_one_apps_run_is_refused(fake):
    path, ran, _ = fake
    workdir.write_json(path / "run.json", {})
    with pytest.raises(UserError, match="holds the run of one app"):
        fleet.run_fleet(load(), path, [])
    assert not ran


def test_the_page_is_made_anew_by_report(fake, capsys):
    path, _, _ = fake
    fleet.run_fleet(load(), path, [])
    before = (path / "fleet.html").read_text()
    (path / "fleet.html").unlink()
    assert commands.main(["report", f"--workdir={path}"]) == 0
    assert (path / "fleet.html").read_text() == before
    assert capsys.readouterr().out.endswith("fleet.html\n")


@pytest.mark.parametrize(
    "text", ["[]", "{}", "5", "null", '{"apps": [], "runs": {}}', '{"apps": {}, "runs": {"calendar": 3}}']
)
def test_a_fleets_file_of_another_form_is_told(text, tmp_path):
    (tmp_path / "fleet.json").write_text(text)
    with pytest.raises(UserError, match="fleet.json is damaged .*remove it and run the command that made it"):
        fleet.rewrite_summary(tmp_path)


def test_an_apps_report_of_another_form_is_told(tmp_path):
    (tmp_path / "report.json").write_text("{}")
    with pytest.raises(UserError, match=r"report.json is damaged \(it lacks 'seeds'\)"):
        fleet._figures(tmp_path / "report.json")


def test_a_dry_run_names_every_app_and_writes_nothing(tmp_path, capsys):
    assert commands.main(["fleet", f"--workdir={tmp_path / 'f'}", "--dry_run"]) == 0
    out = capsys.readouterr().out
    assert all(f"f/{app}\n" in out for app in domain_names())
    assert not (tmp_path / "f").exists()


@pytest.mark.slow
def test_a_tiny_fleet_runs_from_the_command_line(tmp_path):
    apps = domain_names()[:2]
    command = [sys.executable, "-m", "fernjax", "fleet", "--config=configs/fleet.py:tiny"]
    command += [f"--workdir={tmp_path / 'f'}", f"--config.fleet.domains={','.join(apps)}"]
    done = subprocess.run(command, cwd=settings.SOURCE_TREE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    summary = json.loads((tmp_path / "f" / "fleet.json").read_text())
    assert list(summary["apps"]) == apps
    assert all((tmp_path / "f" / a / "champion").exists() for a in apps)
