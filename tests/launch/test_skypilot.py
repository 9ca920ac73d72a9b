from __future__ import annotations

import os
import subprocess

import pytest
import yaml

from fernjax.sim.types import UserError
from launch import skypilot
from launch.job import make_job


def render(verb="loop", **given):
    what = {
        "config": "calendar:long",
        "workdir": "runs/x",
        "overrides": {"real_path": "it's"},
        "directory": "/clone",
    }
    return skypilot.render(make_job("skypilot", skypilot.TAKES, given, verb=verb, **what))


def task(*args, **given):
    return yaml.safe_load(render(*args, **given).files[skypilot.TASK])


def run(script, **environ):
    """The arguments and JAX's variables that the run gets."""
    three = "${JAX_COORDINATOR_ADDRESS-}/${JAX_NUM_PROCESSES-}/${JAX_PROCESS_ID-}"
    show = f'show() {{ printf "%s\\n" "$@" "{three}"; }}\n'
    text = show + script.replace("exec .venv/bin/python", "show")
    done = subprocess.run(
        ["bash", "-c", text], env=os.environ | environ, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_one_machine():
    made = task(gpus="8", gpu_type="H100", cpus="16", memory_gb="64", spot="true", infra="gcp/us-central1")
    assert made["resources"] == {
        "infra": "gcp/us-central1",
        "accelerators": "H100:8",
        "cpus": "16+",
        "memory": "64+",
        "use_spot": True,
        "job_recovery": {"max_restarts_on_errors": 20},
    }
    assert made["workdir"] == "." and made["num_nodes"] == 1 and "file_mounts" not in made
    assert '".[cuda]"' in made["setup"]
    said = run(made["run"])
    assert said[2:-1] == ["loop", "--config=calendar:long", "--workdir=runs/x", "--config.real_path=it's"]
    assert said[-1] == "//"


def test_several_machines_find_each_other():
    script = task(nodes="2")["run"]
    said = run(script, SKYPILOT_NODE_IPS="10.0.0.1\n10.0.0.2", SKYPILOT_NUM_NODES="2", SKYPILOT_NODE_RANK="1")
    assert said[-1] == "10.0.0.1:8476/2/1"


def test_a_sweep_is_a_managed_job_for_each_point():
    rendered = render("sweep", points="2")
    assert [" ".join(command) for command in rendered.commands] == [
        f"sky jobs launch --yes --detach-run --name x-{i} --env FERNJAX_POINT={i} runs/x.launch/task.yaml"
        for i in range(2)
    ]
    assert run(task("sweep", points="2")["run"], FERNJAX_POINT="1")[-2] == "--point=1"


def test_the_workdir_is_on_the_volume_where_there_is_one():
    made = task(
        volume="keep", repository="https://git.example.org/fernjax", commit="abc", tpu_type="tpu-v5e-8"
    )
    assert made["volumes"] == {"/runs": "keep"} and "--workdir=/runs/x" in made["run"]
    assert made["workdir"] == {"url": "https://git.example.org/fernjax", "ref": "abc"}
    assert made["resources"]["accelerators"] == "tpu-v5e-8" and '".[tpu]"' in made["setup"]


@pytest.mark.parametrize(
    "given, told",
    [
        ({"gpus": "8"}, "needs --launch.gpu_type"),
        ({"gpus": "8", "gpu_type": "H100", "tpu_type": "tpu-v5e-8"}, "give one of the two"),
        ({"verb": "sweep", "points": "2", "nodes": "2"}, "each point of a sweep runs on one machine"),
    ],
)
def test_mistakes(given, told):
    with pytest.raises(UserError, match=told):
        render(**given)
