"""Kubernetes: a JobSet for a run over several machines, an indexed job in one for a sweep."""

from __future__ import annotations

from typing import Any

import yaml

from fernjax.sim.types import UserError
from launch.job import Job
from launch.place import TAIL, Command, Launched, Rendered, need, refuse_several, run_all
from launch.shell import AWAIT, lines, prepare, quote_command

TAKES: tuple[str, ...] = (
    *("at_once", "restarts", "nodes", "gpus", "gpu_type", "tpus", "tpu_type", "tpu_topology", "cpus"),
    *("memory_gb", "limit_min", "spot", "image", "volume", "port", "namespace"),
)

MANIFEST = "jobset.yaml"

PACKAGE = "kubectl"

GROUP = "run"
"""Name of the one group of pods in the set."""

CONTAINER = "fernjax"

STOPPED = 143
"""How a run ends that was told to stop: it has saved, and is not done."""

GRACE_S = 120
"""Between SIGTERM and SIGKILL."""

INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"


def render(job: Job) -> Rendered:
    """The manifest, and the command that creates what it describes."""
    need(
        job,
        "k8s",
        image="a container image whose working folder is the clone",
        volume="the name of a PersistentVolumeClaim that keeps the workdir when a pod goes",
    )
    refuse_several(job, "k8s")
    if job.gpus and job.tpus:
        raise UserError("launch.gpus and launch.tpus: give one of the two")
    if job.tpus and not (job.tpu_type and job.tpu_topology):
        raise UserError(
            "TPUs on k8s need --launch.tpu_type and --launch.tpu_topology, as the node pool has them"
        )
    text = yaml.safe_dump(manifest(job), sort_keys=False, width=1000)
    return Rendered({MANIFEST: text}, (_kubectl(job, "create", "-f", str(job.folder() / MANIFEST)),))


def submit(job: Job, rendered: Rendered, before: Launched | None) -> tuple[str, ...]:
    """The set's name. Kubernetes refuses a second set of that name."""
    run_all(rendered.commands, PACKAGE)
    return (job.name,)


def status(launched: Launched) -> str:
    """The set and its pods."""
    job = launched.job
    return run_all(
        [_kubectl(job, "get", "jobset", job.name), _kubectl(job, "get", "pods", _ours(job), "-o", "wide")],
        PACKAGE,
    )


def logs(launched: Launched) -> str:
    """The end of each pod's log."""
    job = launched.job
    pods = ("--prefix", "--max-log-requests=1000", f"--tail={TAIL}")
    return run_all([_kubectl(job, "logs", _ours(job), f"--container={CONTAINER}", *pods)], PACKAGE)


def _kubectl(job: Job, *arguments: str) -> Command:
    return ("kubectl", *((f"--namespace={job.namespace}",) if job.namespace else ()), *arguments)


def _ours(job: Job) -> str:
    return f"--selector=jobset.sigs.k8s.io/jobset-name={job.name}"


def manifest(job: Job) -> dict[str, Any]:
    """The JobSet."""
    spec: dict[str, Any] = {
        "network": {"enableDNSHostnames": True, "publishNotReadyAddresses": True},
        "failurePolicy": _failure_policy(job),
        "replicatedJobs": [{"name": GROUP, "replicas": 1, "template": {"spec": _job(job)}}],
    }
    metadata = {"name": job.name} | ({"namespace": job.namespace} if job.namespace else {})
    return {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": metadata, "spec": spec}


def _failure_policy(job: Job) -> dict[str, Any]:
    """One process lost, all begin again from what is saved; a lost machine is not held against the run."""
    if job.is_sweep():
        return {"maxRestarts": 0}  # each point has restarts of its own
    rule = {
        "name": "machines",
        "action": "RestartJobSetAndIgnoreMaxRestarts",
        "onJobFailureReasons": ["PodFailurePolicy"],
    }
    return {"maxRestarts": job.restarts, "rules": [rule]}


def _job(job: Job) -> dict[str, Any]:
    action = "Ignore" if job.is_sweep() else "FailJob"
    disrupted = {"action": action, "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
    spec: dict[str, Any] = {"completionMode": "Indexed", "podFailurePolicy": {"rules": [disrupted]}}
    if job.is_sweep():
        spec |= {"completions": job.points, "parallelism": job.at_once or job.points}
        spec |= {"backoffLimitPerIndex": job.restarts, "maxFailedIndexes": job.points}
    else:
        spec |= {"completions": job.nodes, "parallelism": job.nodes, "backoffLimit": 0}
    if job.limit_min:
        spec["activeDeadlineSeconds"] = 60 * job.limit_min
    return spec | {"template": {"spec": _pod(job)}}


def _pod(job: Job) -> dict[str, Any]:
    mount, _ = job.there()
    selector = {}
    if job.gpu_type:
        selector["cloud.google.com/gke-accelerator"] = job.gpu_type
    if job.tpus:
        selector["cloud.google.com/gke-tpu-accelerator"] = job.tpu_type
        selector["cloud.google.com/gke-tpu-topology"] = job.tpu_topology
    if job.spot:
        selector["cloud.google.com/gke-spot"] = "true"
    kinds = [
        f"{maker}/{kind}"
        for maker, kind, n in (("nvidia.com", "gpu", job.gpus), ("google.com", "tpu", job.tpus))
        if n
    ]
    taints = [*kinds, *(["cloud.google.com/gke-spot"] if job.spot else [])]
    pod = {
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": GRACE_S,
        "nodeSelector": selector,
        "tolerations": [{"key": taint, "operator": "Exists", "effect": "NoSchedule"} for taint in taints],
        "containers": [_container(job, mount)],
        "volumes": [{"name": "runs", "persistentVolumeClaim": {"claimName": job.volume}}],
    }
    return {k: v for k, v in pod.items() if v}


def _container(job: Job, mount: str) -> dict[str, Any]:
    asked = {
        "cpu": str(job.cpus or ""),
        "memory": f"{job.memory_gb}Gi" if job.memory_gb else "",
        "nvidia.com/gpu": str(job.gpus or ""),
        "google.com/tpu": str(job.tpus or ""),
    }
    sizes = {k: v for k, v in asked.items() if v}
    container = {
        "name": CONTAINER,
        "image": job.image,
        "command": ["/bin/bash", "-c", _script(job)],
        "env": _environment(job),
        "resources": {"requests": sizes, "limits": dict(sizes)} if sizes else {},
        "volumeMounts": [{"name": "runs", "mountPath": mount}],
    }
    return {k: v for k, v in container.items() if v}


def _environment(job: Job) -> list[dict[str, Any]]:
    """How the processes find each other: the first pod's name does not change when it is made again."""
    if job.nodes == 1 or job.is_sweep():
        return []
    first = f"{job.name}-{GROUP}-0-0.{job.name}:{job.port}"
    return [
        {"name": "JAX_COORDINATOR_ADDRESS", "value": first},
        {"name": "JAX_NUM_PROCESSES", "value": str(job.nodes)},
        {"name": "JAX_PROCESS_ID", "valueFrom": {"fieldRef": {"fieldPath": INDEX}}},
    ]


def _script(job: Job) -> str:
    run = quote_command(job, job.python or "python", job.there()[1], point='"$JOB_COMPLETION_INDEX"')
    return lines(
        AWAIT,
        "stopped=",
        """trap 'stopped=1; kill -TERM "$child"' TERM""",
        prepare(job),
        f"{run} &",
        "child=$!",
        'await "$child"',
        "# A run that is told to stop saves and ends with 0, which would count as done.",
        f'[ -z "$stopped" ] || exit {STOPPED}',
        'exit "$code"',
    )
