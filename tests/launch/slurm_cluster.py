"""A SLURM of one node on this machine, from Debian's packages, with everything of it in one folder."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator

CPUS = 8
"""That the node says it has; tasks are bound to none of them."""

CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld_port}
SlurmdPort={d_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,bf_interval=1
MpiDefault=none
ReturnToService=2
KillWait=30
OverTimeLimit=0
JobRequeue=1
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=60 State=UP
"""


def install() -> None:
    """Installs SLURM and munge where they are missing. A machine that cannot have them fails."""
    if not (shutil.which("sbatch") and shutil.which("munged")):
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-q"], check=True, env=quiet)
        subprocess.run(["apt-get", "install", "-y", "-q", "slurm-wlm", "munge"], check=True, env=quiet)


@contextlib.contextmanager
def cluster() -> Iterator[pathlib.Path]:
    """Starts the daemons, says where their folder is once the node is idle, and ends them."""
    install()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="slurm-"))
    folder.chmod(0o755)
    for name in ("munge", "state", "spool"):
        (folder / name).mkdir()
    shutil.chown(folder / "munge", "munge", "munge")
    ports = {"ctld_port": free_port(), "d_port": free_port()}
    conf = folder / "slurm.conf"
    conf.write_text(CONF.format(folder=folder, host=socket.gethostname(), cpus=CPUS, **ports))
    before, os.environ["SLURM_CONF"] = os.environ.get("SLURM_CONF"), str(conf)
    try:
        with contextlib.ExitStack() as running:
            munge = folder / "munge"
            own = [f"--{what}-file={munge}/{what}" for what in ("pid", "log", "seed", "key")]
            subprocess.run(["mungekey", "--create", f"--keyfile={munge}/key"], check=True, user="munge")
            running.enter_context(
                daemon(
                    ["munged", "--foreground", f"--socket={munge}/socket", *own],
                    folder / "munged.out",
                    "munge",
                )
            )
            wait_until((munge / "socket").exists, folder)
            running.enter_context(daemon(["slurmctld", "-D", "-i"], folder / "slurmctld.out"))
            running.enter_context(daemon(["slurmd", "-D", "-N", "localhost"], folder / "slurmd.out"))
            wait_until(lambda: ask("sinfo", "--noheader", "--format=%T") == "idle", folder)
            yield folder
            ask("scancel", "--user=root")  # what a failed test left
            wait_until(lambda: not ask("squeue", "--noheader"), folder)
    finally:
        if before is None:
            del os.environ["SLURM_CONF"]
        else:
            os.environ["SLURM_CONF"] = before
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def daemon(command: list[str], out: pathlib.Path, user: str | None = None) -> Iterator[None]:
    """A process in the foreground, told to end at the end."""
    with open(out, "ab") as log:
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            user=user,
            start_new_session=True,  # an interrupt of the tests does not end it before its jobs
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def ask(*command: str) -> str:
    """What a client prints, "" where it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def wait_until(holds, folder: pathlib.Path, timeout_s: float = 60) -> None:
    end = time.monotonic() + timeout_s
    while not holds():
        if time.monotonic() > end:
            said = "\n".join(f"{p.name}:\n{p.read_text()[-2000:]}" for p in sorted(folder.glob("*.out")))
            raise AssertionError(f"no SLURM within {timeout_s:.0f} s\n{said}")
        time.sleep(0.1)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]
