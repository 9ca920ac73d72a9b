from __future__ import annotations

import dataclasses

import pytest

from fernjax.sim.types import UserError
from launch import launching
from launch.job import KEYS, Job, describe_keys, make_job

WHAT = {
    "verb": "loop",
    "config": "configs/calendar.py:long",
    "workdir": "runs/x",
    "overrides": {"train.total_steps": "10", "real_path": "my file's.jsonl"},
    "directory": "/clone",
}


def make(on="slurm", **given):
    what = {key: given.pop(key) for key in list(given) if key in WHAT}
    return make_job(on, launching.find_place(on).TAKES, given, **(WHAT | what))


def test_values_have_their_keys_types():
    job = make("k8s", nodes="2", spot="true", image="a/b:c")
    assert (job.nodes, job.spot, job.image) == (2, True, "a/b:c")
    assert all(type(getattr(job, name)) is type(field.default) for name, field in KEYS.items())


@pytest.mark.parametrize(
    "workdir, name",
    [
        ("runs/x", "x"),
        ("runs/Calendar_Long/", "calendar-long"),
        ("runs/3", "run-3"),
        ("/a/" + "y" * 60, "y" * 40),
        ("runs/" + "z" * 39 + "--a", "z" * 39),
    ],
)
def test_a_job_is_named_after_its_workdir(workdir, name):
    assert make(workdir=workdir).name == name


@pytest.mark.parametrize(
    "given, told",
    [
        ({"nods": "2"}, "unknown key launch.nods; did you mean launch.nodes?"),
        ({"image": "x"}, "slurm takes no launch.image; it takes name, python, setup, points, at_once"),
        ({"nodes": "two"}, "launch.nodes takes a whole number, not 'two'"),
        ({"nodes": "0"}, "launch.nodes=0: give 1 to"),
        ({"limit_min": "-1"}, "launch.limit_min=-1: give 0 to"),
        ({"name": "My_Run"}, "launch.name=My_Run: give at most 40 of a-z"),
        ({"partition": "a b"}, "launch.partition='a b': give letters"),
        ({"partition": "a\n#SBATCH --wrap=x"}, "give letters"),
        ({"points": "3"}, "launch.points=3: a sweep has at least one, another verb has none"),
        ({"verb": "sweep"}, "launch.points=0: a sweep has at least one"),
        ({"verb": "fleet", "nodes": "2"}, "fleet runs in one process"),
        ({"gpus": "8", "processes": "8"}, "one process drives all GPUs of a machine"),
        ({"setup": "export WANDB_API_KEY=abc"}, "launch.setup looks as if it held a secret"),
        ({"setup": "export HF_TOKEN=abc"}, "launch.setup looks as if it held a secret"),
        (
            {"overrides": {"real_path": "https://ana:pw@host/x"}},
            "config.real_path looks as if it held a secret",
        ),
    ],
)
def test_mistakes(given, told):
    with pytest.raises(UserError) as e:
        make(**given)
    assert told in str(e.value) and "\n" not in str(e.value).replace("a\n#SBATCH", "")


def test_a_repository_with_a_password_is_refused():
    with pytest.raises(UserError, match=r"launch.repository looks as if it held a secret"):
        make("skypilot", repository="https://user:pw@git.example.org/fernjax")


def test_spot_is_true_or_false():
    with pytest.raises(UserError, match="launch.spot takes true or false, not 'maybe'"):
        make("k8s", spot="maybe")


def test_the_arguments_are_the_commands():
    assert make().arguments() == [
        "-m",
        "fernjax",
        "loop",
        "--config=configs/calendar.py:long",
        "--workdir=runs/x",
        "--config.train.total_steps=10",
        "--config.real_path=my file's.jsonl",
    ]
    assert make(config="").arguments()[2:4] == ["loop", "--workdir=runs/x"]
    assert make(verb="sweep", points="2").arguments()[-1] == "--run"


@pytest.mark.parametrize("workdir", ["/abs/x", "x", "../runs/x", "runs/../x", "runs/a b", "runs/a,b"])
def test_where_a_volume_is_mounted(workdir):
    assert make().there() == ("/runs", "/runs/x")
    with pytest.raises(UserError, match="give one such as runs/x"):
        make(workdir=workdir).there()


def test_every_key_is_taken_somewhere_and_told():
    told = describe_keys({name: place.TAKES for name, place in launching.PLACES.items()})
    for name in KEYS:
        assert f"\n  {name}  " in told
        assert f"{name}  {KEYS[name].metadata['told']} []" not in told
    for place in launching.PLACES.values():
        assert set(place.TAKES) <= set(KEYS)


def test_a_record_gives_the_job_back(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = make(nodes="2")
    assert Job(**dataclasses.asdict(job)) == job
    with pytest.raises(UserError, match="nothing was launched with that --workdir"):
        launching.read_beside("runs/x")
    job.folder().mkdir(parents=True)
    for damaged in ("{", "[]", '{"on": "slurm", "ids": [], "job": {"verb": "loop", "speed": 3}}'):
        (job.folder() / launching.RECORD).write_text(damaged)
        with pytest.raises(UserError, match="damaged or of another version"):
            launching.read_beside("runs/x")
