"""Manifests against the published schemas of JobSet and of Kubernetes, and what they have to say."""

from __future__ import annotations

import copy
import gzip
import json
import pathlib
import shlex
import signal
import subprocess
import sys
import time

import jsonschema
import pytest
import yaml

from fernjax.sim.types import UserError
from launch import k8s
from launch.job import make_job

SCHEMAS = pathlib.Path(__file__).parents[1] / "data" / "kubernetes"

POOLS = {
    "cpu": {"cpus": "4", "memory_gb": "16"},
    "gpu": {"nodes": "2", "gpus": "8", "gpu_type": "nvidia-h100-80gb", "spot": "true", "limit_min": "600"},
    "tpu": {"nodes": "4", "tpus": "4", "tpu_type": "tpu-v5-lite-podslice", "tpu_topology": "4x4"},
    "sweep": {"verb": "sweep", "points": "6", "at_once": "2", "gpus": "1", "namespace": "team-a"},
}


def make(verb="loop", workdir="runs/cal", **given):
    given = {"image": "registry.example.org/fernjax:1", "volume": "claim"} | given
    what = {"config": "configs/calendar.py:long", "overrides": {"seeds": "0"}, "directory": "/clone"}
    return make_job("k8s", k8s.TAKES, given, verb=verb, workdir=workdir, **what)


def pool(name):
    return yaml.safe_load(k8s.render(make(**POOLS[name])).files[k8s.MANIFEST])


def schema(name):
    return json.loads(gzip.decompress((SCHEMAS / f"{name}.json.gz").read_bytes()))


def closed(node):
    """A custom resource's schema as an API server reads it: a field that it does not name is an error."""
    if isinstance(node, list):
        return [closed(x) for x in node]
    if not isinstance(node, dict):
        return node
    out = {key: closed(value) for key, value in node.items()}
    if isinstance(out.get("properties"), dict) and out.get("type") == "object":
        out.setdefault("additionalProperties", False)
    return out


@pytest.fixture(scope="module")
def validate():
    """Raises where a JobSet, or the job within it, is not what the schemas say."""
    jobset = closed(schema("jobset"))
    # metadata is checked by Kubernetes itself: its schema says no more than "object".
    jobset["properties"]["metadata"] = {"type": "object", "required": ["name"]}
    sets, jobs = jsonschema.Draft202012Validator(jobset), jsonschema.Draft202012Validator(schema("job"))

    def check(manifest):
        for error in sets.iter_errors(manifest):
            raise error
        for group in manifest["spec"]["replicatedJobs"]:
            job = {"apiVersion": "batch/v1", "kind": "Job", "spec": group["template"]["spec"]}
            for error in jobs.iter_errors(job):
                raise error

    return check


@pytest.mark.parametrize("name", POOLS)
def test_manifests_are_valid(name, validate):
    validate(pool(name))


def paths(node, at=()):
    """Every key and every item below a node."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield (*at, key)
        yield from paths(value, (*at, key))


def replaced(manifest, path, value):
    out = copy.deepcopy(manifest)
    node = out
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return out


FREE = ("nodeSelector", "requests", "limits")
"""Maps whose keys no schema names."""


@pytest.mark.parametrize("name", ["gpu", "sweep"])
def test_a_corrupted_manifest_is_not(name, validate):
    """Each key misspelt, and each value of another type, alone."""
    whole = pool(name)
    tried = 0
    for path in paths(whole):
        if "metadata" in path:
            continue
        wrong = [replaced(whole, path, {"not": ["this"]})]
        if isinstance(path[-1], str) and path[-2:-1] not in [(free,) for free in FREE]:
            misspelt = copy.deepcopy(whole)
            node = misspelt
            for key in path[:-1]:
                node = node[key]
            node[path[-1] + "x"] = node.pop(path[-1])
            wrong.append(misspelt)
        for manifest in wrong:
            tried += 1
            with pytest.raises(jsonschema.ValidationError):
                validate(manifest)
                pytest.fail(f"{path} may be anything")
    assert tried > 60


def group(manifest):
    (only,) = manifest["spec"]["replicatedJobs"]
    return only["template"]["spec"]


def container(manifest):
    (only,) = group(manifest)["template"]["spec"]["containers"]
    return only


def test_the_processes_of_a_run_find_each_other():
    manifest = pool("gpu")
    env = {e["name"]: e for e in container(manifest)["env"]}
    assert env["JAX_COORDINATOR_ADDRESS"]["value"] == "cal-run-0-0.cal:8476"
    assert env["JAX_NUM_PROCESSES"]["value"] == "2"
    assert "job-completion-index" in env["JAX_PROCESS_ID"]["valueFrom"]["fieldRef"]["fieldPath"]
    assert manifest["spec"]["network"] == {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    assert (group(manifest)["completions"], group(manifest)["parallelism"]) == (2, 2)
    assert group(manifest)["completionMode"] == "Indexed" and group(manifest)["backoffLimit"] == 0
    assert "env" not in container(pool("cpu"))


def test_the_pools():
    gpu, tpu, cpu = pool("gpu"), pool("tpu"), pool("cpu")
    assert container(gpu)["resources"]["limits"] == {"nvidia.com/gpu": "8"}
    assert container(tpu)["resources"]["requests"] == {"google.com/tpu": "4"}
    assert container(cpu)["resources"]["limits"] == {"cpu": "4", "memory": "16Gi"}
    where = group(tpu)["template"]["spec"]["nodeSelector"]
    assert where["cloud.google.com/gke-tpu-accelerator"] == "tpu-v5-lite-podslice"
    assert where["cloud.google.com/gke-tpu-topology"] == "4x4"
    assert group(gpu)["template"]["spec"]["nodeSelector"]["cloud.google.com/gke-spot"] == "true"
    assert {t["key"] for t in group(gpu)["template"]["spec"]["tolerations"]} == {
        "nvidia.com/gpu",
        "cloud.google.com/gke-spot",
    }
    assert group(gpu)["activeDeadlineSeconds"] == 36_000


def test_a_lost_machine_starts_the_run_again():
    policy = pool("gpu")["spec"]["failurePolicy"]
    assert policy["maxRestarts"] == 20
    assert policy["rules"][0]["action"] == "RestartJobSetAndIgnoreMaxRestarts"
    assert group(pool("gpu"))["podFailurePolicy"]["rules"][0]["action"] == "FailJob"


def test_a_sweep_is_an_indexed_job():
    manifest = pool("sweep")
    spec = group(manifest)
    assert (spec["completions"], spec["parallelism"], spec["backoffLimitPerIndex"]) == (6, 2, 20)
    assert container(manifest)["command"][2].count('--run --point="$JOB_COMPLETION_INDEX"') == 1
    assert manifest["metadata"] == {"name": "cal", "namespace": "team-a"}


def test_the_workdir_is_on_the_volume():
    manifest = pool("gpu")
    assert container(manifest)["volumeMounts"] == [{"name": "runs", "mountPath": "/runs"}]
    assert "--workdir=/runs/cal" in container(manifest)["command"][2]


@pytest.mark.parametrize(
    "given, told",
    [
        ({"volume": ""}, "k8s needs --launch.volume"),
        ({"verb": "sweep", "points": "2", "nodes": "2"}, "each point of a sweep runs on one machine"),
        ({"gpus": "1", "tpus": "4"}, "give one of the two"),
        ({"tpus": "4"}, "need --launch.tpu_type and --launch.tpu_topology"),
        ({"workdir": "/runs/cal"}, "give one such as runs/x"),
    ],
)
def test_mistakes(given, told):
    with pytest.raises(UserError, match=told):
        k8s.render(make(**given))


STAND_IN = """\
import signal, sys, time
def stop(*_):
    print("saved", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
print("runs", sys.argv[-1], flush=True)
time.sleep(60 if "wait" in sys.argv[1] else 0)
sys.exit(3 if "fail" in sys.argv[1] else 0)
"""


@pytest.mark.parametrize("how, code", [("done", 0), ("fail", 3), ("wait", k8s.STOPPED)])
def test_the_container_ends_as_the_run_did_and_not_as_done_where_it_was_stopped(how, code, tmp_path):
    (tmp_path / "run.py").write_text(STAND_IN)
    script = k8s._script(make()).replace("python -m fernjax", f"{sys.executable} {tmp_path}/run.py {how}")
    assert shlex.quote(how) in script
    process = subprocess.Popen(["/bin/bash", "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("runs --config")
    if how == "wait":
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == code
    assert out == ("saved\n" if how == "wait" else "")
