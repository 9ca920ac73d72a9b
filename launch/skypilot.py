"""SkyPilot: a task file; a managed job, or one a point of a sweep, started again when machines go."""

from __future__ import annotations

from typing import Any

import yaml

from fernjax.sim.types import UserError
from launch.job import Job
from launch.place import Launched, Rendered, refuse_several, run_all
from launch.shell import lines, quote_command

TAKES: tuple[str, ...] = (
    *("restarts", "nodes", "gpus", "gpu_type", "tpu_type", "cpus", "memory_gb", "spot", "image", "volume"),
    *("port", "infra", "repository", "commit"),
)

TASK = "task.yaml"

PACKAGE = "SkyPilot (pip install skypilot)"

POINT = "FERNJAX_POINT"


def render(job: Job) -> Rendered:
    """The task file, and a command for each managed job."""
    refuse_several(job, "skypilot")
    if job.gpus and not job.gpu_type:
        raise UserError("skypilot needs --launch.gpu_type, such as H100, for --launch.gpus")
    if job.gpus and job.tpu_type:
        raise UserError("launch.gpus and launch.tpu_type: give one of the two")
    commands = []
    for name, point in _jobs(job).items():
        chosen = ("--env", f"{POINT}={point}") if point else ()
        start = ("sky", "jobs", "launch", "--yes", "--detach-run", "--name", name)
        commands.append((*start, *chosen, str(job.folder() / TASK)))
    return Rendered({TASK: yaml.safe_dump(task(job), sort_keys=False, width=1000)}, tuple(commands))


def submit(job: Job, rendered: Rendered, before: Launched | None) -> tuple[str, ...]:
    """The managed jobs' names."""
    run_all(rendered.commands, PACKAGE)
    return tuple(_jobs(job))


def status(launched: Launched) -> str:
    """The queue's lines of our jobs, under its heading."""
    printed = run_all([("sky", "jobs", "queue")], PACKAGE).splitlines()
    ours = [line for line in printed if set(line.split()) & {"NAME", *launched.ids}]
    return "\n".join(ours)


def logs(launched: Launched) -> str:
    """Each job's log."""
    return run_all([("sky", "jobs", "logs", "--no-follow", "--name", name) for name in launched.ids], PACKAGE)


def _jobs(job: Job) -> dict[str, str]:
    """The name of each managed job, and the point that it runs."""
    return {f"{job.name}-{i}": str(i) for i in range(job.points)} if job.is_sweep() else {job.name: ""}


def task(job: Job) -> dict[str, Any]:
    """The task, in SkyPilot's form."""
    resources: dict[str, Any] = {
        "infra": job.infra,
        "accelerators": f"{job.gpu_type}:{job.gpus}" if job.gpus else job.tpu_type,
        "cpus": f"{job.cpus}+" if job.cpus else "",
        "memory": f"{job.memory_gb}+" if job.memory_gb else "",
        "use_spot": job.spot,
        "image_id": f"docker:{job.image}" if job.image else "",
        "job_recovery": {"max_restarts_on_errors": job.restarts},
    }
    code = {"url": job.repository, "ref": job.commit} if job.repository else "."
    mount = {job.there()[0]: job.volume} if job.volume else {}
    out: dict[str, Any] = {
        "name": job.name,
        "num_nodes": job.nodes,
        "resources": {k: v for k, v in resources.items() if v},
        "workdir": code,
        "volumes": mount,
        "envs": {POINT: "0"} if job.is_sweep() else {},
        "setup": job.setup or _setup(job),
        "run": _script(job),
    }
    return {k: v for k, v in out.items() if v}


def _setup(job: Job) -> str:
    extra = "cuda" if job.gpus else "tpu" if job.tpu_type else ""
    chips = f'".[{extra}]"' if extra else "."
    return lines(
        "[ -x .venv/bin/python ] || python3 -m venv .venv",
        f".venv/bin/python -m pip install --quiet -r requirements.lock -e {chips}",
    )


def _script(job: Job) -> str:
    workdir = job.there()[1] if job.volume else job.workdir
    several = [
        f'export JAX_COORDINATOR_ADDRESS="$(echo "$SKYPILOT_NODE_IPS" | head -n 1):{job.port}"',
        'export JAX_NUM_PROCESSES="$SKYPILOT_NUM_NODES"',
        'export JAX_PROCESS_ID="$SKYPILOT_NODE_RANK"',
    ]
    run = quote_command(job, job.python or ".venv/bin/python", workdir, point=f'"${POINT}"')
    return lines(*(several if job.nodes > 1 else []), f"exec {run}")
