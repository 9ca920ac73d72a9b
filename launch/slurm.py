"""SLURM: one sbatch script; an array for a sweep; again after preemption and at the time limit."""

from __future__ import annotations

import shlex
import sys

from fernjax.sim.types import UserError
from launch.job import Job
from launch.place import Launched, Rendered, run_tool, tail
from launch.shell import AWAIT, lines, prepare, quote_command

TAKES: tuple[str, ...] = (
    *("at_once", "restarts", "nodes", "processes", "gpus", "gpu_type", "cpus", "memory_gb", "limit_min"),
    *("partition", "account"),
)

SCRIPT = "job.sbatch"

PACKAGE = "SLURM's client, as the cluster's own login machines have it"

NOTICE_S = 120
"""Before the time limit: what saving takes, and the minute by which SLURM may be early."""


def render(job: Job) -> Rendered:
    """The script that sbatch takes, and the command that gives it."""
    return Rendered({SCRIPT: _script(job)}, (("sbatch", "--parsable", str(job.folder() / SCRIPT)),))


def submit(job: Job, rendered: Rendered, before: Launched | None) -> tuple[str, ...]:
    """The job's number."""
    if before is not None and (left := _queue(before.ids[0], "%T")) and set(left) - ENDED:
        raise UserError(
            f"job {before.ids[0]} is {left[0].lower()} in {job.workdir} already; scancel it first"
        )
    printed = run_tool(rendered.commands[0], PACKAGE)
    return (printed.strip().partition(";")[0],)  # "JOB;CLUSTER" where there are several clusters


def status(launched: Launched) -> str:
    """A line a task of the job."""
    if found := _queue(launched.ids[0], "%i %T %M %R"):
        return "\n".join(found)
    return f"{launched.ids[0]} has ended, and SLURM no longer tells how; --logs shows what it said"


def logs(launched: Launched) -> str:
    """The end of each task's log."""
    found = sorted(launched.folder.glob(f"{launched.job.name}-{launched.ids[0]}*.out"))
    return tail(found) if found else f"{launched.ids[0]} has not begun"


ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL", "BOOT_FAIL", "DEADLINE"}
"""States that a job does not leave by itself."""


def _queue(number: str, form: str) -> list[str]:
    """What squeue knows of a job, a line a task; [] once it has forgotten it."""
    try:
        options = (f"--jobs={number}", "--states=all", "--array", "--noheader", f"--format={form}")
        return run_tool(("squeue", *options), PACKAGE).splitlines()
    except UserError as e:
        if "Invalid job id" in str(e):
            return []
        raise


def _script(job: Job) -> str:
    log = f"{job.folder()}/{job.name}-".replace("%", "%%") + ("%A_%a" if job.is_sweep() else "%j") + ".out"
    options = {
        "job-name": job.name,
        "chdir": job.directory,
        "output": log,
        "open-mode": "append",
        "nodes": str(job.nodes),
        "ntasks-per-node": str(job.processes),
        "cpus-per-task": str(job.cpus or ""),
        "gpus-per-node": ":".join(filter(None, (job.gpu_type, str(job.gpus or "")))),
        "mem": f"{job.memory_gb}G" if job.memory_gb else "",
        "time": str(job.limit_min or ""),
        "partition": job.partition,
        "account": job.account,
        "array": _array(job),
        "signal": f"B:USR1@{NOTICE_S}",
    }
    asked = [f"#SBATCH --{name}={shlex.quote(value)}" for name, value in options.items() if value]
    srun = "srun --kill-on-bad-exit=1" + (f" --cpus-per-task={job.cpus}" if job.cpus else "")
    run = quote_command(job, job.python or sys.executable, point='"$SLURM_ARRAY_TASK_ID"')
    return lines(
        "#!/bin/bash",
        *asked,
        "#SBATCH --requeue",
        "",
        AWAIT,
        "",
        "# Preemption and `scontrol requeue`: SLURM tells the tasks itself, and queues the job again.",
        "trap : TERM",
        "# The time limit is near: the tasks save and end, the job is queued again. srun would kill them.",
        """trap 'again=1; scancel --signal=TERM "$SLURM_JOB_ID"' USR1""",
        "",
        prepare(job),
        f"{srun} {run} &",
        "child=$!",
        'await "$child"',
        f'if [ -n "${{again:-}}" ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt {job.restarts} ]; then',
        '  scontrol requeue "$SLURM_JOB_ID"',
        "fi",
        'exit "$code"',
    )


def _array(job: Job) -> str:
    if not job.is_sweep():
        return ""
    return f"0-{job.points - 1}" + (f"%{job.at_once}" if job.at_once else "")
