"""Cloud TPU: a queued resource for a run, one for each point of a sweep; its machines start the run."""

from __future__ import annotations

import shlex

from launch.job import Job
from launch.place import TAIL, Command, Launched, Rendered, need, run_all
from launch.shell import lines, prepare, quote_command

TAKES: tuple[str, ...] = (
    "spot",
    "tpu_type",
    "runtime",
    "zone",
    "project",
    "volume",
    "repository",
    "commit",
)

PACKAGE = "the Google Cloud CLI (gcloud)"

CLONE, LOG = "/opt/fernjax", "/var/log/fernjax.log"

SETUP = 'python3 -m venv .venv && .venv/bin/python -m pip install --quiet -r requirements.lock -e ".[tpu]"'


def render(job: Job) -> Rendered:
    """A startup script and a command for each slice."""
    need(
        job,
        "tpu",
        tpu_type="such as v5litepod-16",
        runtime="the TPU software version, such as v2-alpha-tpuv5-lite",
        zone="such as us-west4-a",
        repository="the address that the machines clone the code from",
        commit="the one to check out",
        volume="HOST:/SHARE of a file server (NFS) that keeps the workdir when machines go",
    )
    files, commands = {}, []
    for name, point in _slices(job).items():
        files[_file(name)] = _script(job, point)
        commands.append(_create(job, name))
    return Rendered(files, tuple(commands))


def submit(job: Job, rendered: Rendered, before: Launched | None) -> tuple[str, ...]:
    """The slices' names. Google Cloud refuses a second one of a name."""
    run_all(rendered.commands, PACKAGE)
    return tuple(_slices(job))


def status(launched: Launched) -> str:
    """A line a slice: its name and state."""
    form = "--format=value(name.basename(),state.state)"
    return run_all(
        [_gcloud(launched.job, "queued-resources", "describe", name, form) for name in launched.ids], PACKAGE
    )


def logs(launched: Launched) -> str:
    """The end of the log of each machine of each slice."""
    show = f"--command=tail -n {TAIL} {LOG}"
    return run_all(
        [_gcloud(launched.job, "tpu-vm", "ssh", name, "--worker=all", show) for name in launched.ids], PACKAGE
    )


def _slices(job: Job) -> dict[str, str]:
    """The name of each slice, and the point that it runs."""
    return {f"{job.name}-{i}": str(i) for i in range(job.points)} if job.is_sweep() else {job.name: ""}


def _file(name: str) -> str:
    return f"{name}.startup.sh"


def _create(job: Job, name: str) -> Command:
    options = [
        f"--node-id={name}",
        f"--accelerator-type={job.tpu_type}",
        f"--runtime-version={job.runtime}",
        f"--metadata-from-file=startup-script={job.folder() / _file(name)}",
    ]
    options += ["--spot"] if job.spot else []
    return _gcloud(job, "queued-resources", "create", name, *options)


def _gcloud(job: Job, group: str, verb: str, name: str, *options: str) -> Command:
    where = [f"--zone={job.zone}"] + ([f"--project={job.project}"] if job.project else [])
    return ("gcloud", "compute", "tpus", group, verb, name, *where, *options)


def _script(job: Job, point: str) -> str:
    mount, workdir = job.there()
    clone = f"git clone --quiet {shlex.quote(job.repository)} {CLONE}"
    return lines(
        "#!/bin/bash",
        "# Runs on every machine of the slice, as root, each time it starts; JAX finds the other ones.",
        "set -euo pipefail",
        f"exec >> {LOG} 2>&1",
        f"[ -d {CLONE} ] || {clone}",
        f"cd {CLONE}",
        "git fetch --quiet",
        f"git checkout --quiet --detach {shlex.quote(job.commit)}",
        f"if ! mountpoint --quiet {mount}; then",
        "  apt-get install --yes --quiet nfs-common",
        f"  mkdir -p {mount}",
        f"  mount -t nfs {job.volume} {mount}",
        "fi",
        prepare(job, SETUP),
        f"exec {quote_command(job, job.python or '.venv/bin/python', workdir, point)}",
    )
