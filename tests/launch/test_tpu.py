from __future__ import annotations

import subprocess

import pytest

from fernjax.sim.types import UserError
from launch import tpu
from launch.job import make_job

GIVEN = {
    "tpu_type": "v5litepod-16",
    "runtime": "v2-alpha-tpuv5-lite",
    "zone": "us-west4-a",
    "volume": "10.0.0.2:/share",
    "repository": "https://git.example.org/it's",
    "commit": "abc123",
}


def render(verb="loop", **given):
    what = {
        "config": "calendar:long",
        "workdir": "runs/x",
        "overrides": {"seeds": "0,1"},
        "directory": "/clone",
    }
    return tpu.render(make_job("tpu", tpu.TAKES, GIVEN | given, verb=verb, **what))


def check_shell(text):
    assert subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True).stderr == ""


def test_a_run_is_one_queued_resource():
    rendered = render(spot="true", project="team")
    (command,) = rendered.commands
    assert command[:6] == ("gcloud", "compute", "tpus", "queued-resources", "create", "x")
    assert set(command[6:]) == {
        "--zone=us-west4-a",
        "--project=team",
        "--node-id=x",
        "--accelerator-type=v5litepod-16",
        "--runtime-version=v2-alpha-tpuv5-lite",
        "--metadata-from-file=startup-script=runs/x.launch/x.startup.sh",
        "--spot",
    }
    assert list(rendered.files) == ["x.startup.sh"]


def test_the_machines_get_the_code_the_volume_and_the_run():
    script = render().files["x.startup.sh"]
    check_shell(script)
    order = [
        "git clone",
        "git checkout --quiet --detach abc123",
        "mount -t nfs 10.0.0.2:/share /runs",
        "-m pip",
        "exec .venv",
    ]
    assert sorted(order, key=script.index) == order
    last = (
        "exec .venv/bin/python -m fernjax loop --config=calendar:long --workdir=/runs/x --config.seeds=0,1\n"
    )
    assert script.endswith(last)


def test_a_sweep_is_one_for_each_point():
    rendered = render("sweep", points="3")
    assert [command[5] for command in rendered.commands] == ["x-0", "x-1", "x-2"]
    assert [text.rpartition(" ")[2] for text in rendered.files.values()] == [
        f"--point={i}\n" for i in range(3)
    ]


@pytest.mark.parametrize("key", GIVEN)
def test_what_is_missing_is_named(key):
    with pytest.raises(UserError, match=f"tpu needs --launch.{key}, "):
        render(**{key: ""})
