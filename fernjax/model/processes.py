"""Several processes as one run.

The first process runs the loop: it alone reads and writes the workdir, judges and decides. The others wait
for a task, which is always a training, and take part in its every step. What SLURM, Kubernetes, Open MPI or a
TPU says about the job is found by JAX (`jax.distributed`); before JAX connects the processes, a roll call on
the same port makes sure that they are all there, since JAX aborts, naming nobody, where they are not.
"""

from __future__ import annotations

import contextlib
import dataclasses
import ipaddress
import json
import logging
import os
import pickle
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jax
import numpy as np
from jax._src import clusters, distributed  # neither the job found nor its key-value store is public
from jax.experimental import multihost_utils

from fernjax.sim.types import UserError

TIMEOUT_S = 300.0
"""How long the processes of a job wait for each other at the start; `FERNJAX_JOIN_TIMEOUT_S` sets it."""

_log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Job:
    """What the environment says about the processes of a run.

    Attributes:
      address: `host:port` of the first process.
      count: processes.
      index: of this one.
      hosts: machines they are on; 0 where the environment does not say.
    """

    address: str
    count: int
    index: int
    hosts: int = 0


def join() -> bool:
    """Connects this process with the others of its job, where there are any; says whether there are.

    To be called before any device is touched.

    Raises:
      UserError: a job that cannot be, or whose processes do not all come.
    """
    if distributed.global_state.client is not None:
        return jax.process_count() > 1
    job = find_job(os.environ)
    if job is None:
        return False
    _check(job)
    timeout_s = float(os.environ.get("FERNJAX_JOIN_TIMEOUT_S", TIMEOUT_S))
    call_roll(job, timeout_s)
    # Our own SIGTERM handler saves; the service would put its own in the place of it.
    jax.config.update("jax_enable_preemption_service", False)
    jax.distributed.initialize(
        job.address, job.count, job.index, initialization_timeout=max(1, int(timeout_s))
    )
    return True


def is_first() -> bool:
    """Whether this process is the one that reads and writes files; also where it is alone."""
    return jax.process_index() == 0


def find_job(environ: Mapping[str, str]) -> Job | None:
    """The job that this process is part of; None where it is alone.

    `JAX_COORDINATOR_ADDRESS`, `JAX_NUM_PROCESSES` and `JAX_PROCESS_ID` come first, then what JAX finds.

    Raises:
      UserError: some of the three are missing, or are no numbers.
    """
    names = ("JAX_COORDINATOR_ADDRESS", "JAX_NUM_PROCESSES", "JAX_PROCESS_ID")
    given = [environ.get(name) for name in names]
    if any(given):
        missing = [name for name, value in zip(names, given, strict=True) if not value]
        if missing:
            raise UserError(f"{', '.join(missing)} not set; set {', '.join(names)}, or none of them")
        try:
            return _several(Job(str(given[0]), int(str(given[1])), int(str(given[2]))))
        except ValueError as e:
            raise UserError(
                f"JAX_NUM_PROCESSES={given[1]} and JAX_PROCESS_ID={given[2]}: give numbers"
            ) from e
    try:
        address, count, index, _ = clusters.ClusterEnv.auto_detect_unset_distributed_params(
            None, None, None, None, None, int(TIMEOUT_S)
        )
    except Exception as e:  # noqa: BLE001 (whatever an environment that is half there raises)
        raise UserError(
            f"the job's processes cannot be told from its environment ({e}); set {', '.join(names)}"
        ) from e
    if address is None or count is None or index is None:
        return None
    return _several(Job(address, count, index, _count_hosts(environ, count)))


def _several(job: Job) -> Job | None:
    return job if job.count > 1 else None


def _count_hosts(environ: Mapping[str, str], count: int) -> int:
    if "SLURM_STEP_NUM_NODES" in environ:
        return int(environ["SLURM_STEP_NUM_NODES"])
    if "OMPI_COMM_WORLD_LOCAL_SIZE" in environ:
        return -(-count // int(environ["OMPI_COMM_WORLD_LOCAL_SIZE"]))
    return 0


def _check(job: Job) -> None:
    if not 0 <= job.index < job.count:
        raise UserError(f"process {job.index} of {job.count}: give an index from 0 to {job.count - 1}")
    host, _, port = job.address.rpartition(":")
    if not host or not port.isdigit():
        raise UserError(f"the first process's address {job.address!r} is not HOST:PORT")
    if job.hosts > 1 and is_loopback(host):
        raise UserError(
            f"the job has {job.hosts} hosts, but the first process's address, {job.address}, means each host "
            "itself; set JAX_COORDINATOR_ADDRESS to a name or an address that all can reach"
        )


def is_loopback(host: str) -> bool:
    """Whether an address is one that only its own host reaches."""
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    return False


def call_roll(job: Job, timeout_s: float, clock: Callable[[], float] = time.monotonic) -> None:
    """Returns once all processes of a job are there.

    The first listens at its address, the others report there, and all are told the outcome.

    Raises:
      UserError: not all came in time; names those that are missing and the hosts of those that came.
    """
    deadline = clock() + timeout_s
    if job.index == 0:
        _listen(job, deadline, timeout_s, clock)
    else:
        _report(job, deadline, timeout_s, clock)


def _listen(job: Job, deadline: float, timeout_s: float, clock: Callable[[], float]) -> None:
    host, _, port = job.address.rpartition(":")
    here: dict[int, tuple[str, socket.socket]] = {}
    try:
        server = socket.create_server(("", int(port)), backlog=job.count)
    except OSError as e:
        raise UserError(
            f"the first process cannot listen on port {port} ({e.strerror}); set another one"
        ) from e
    with server, contextlib.ExitStack() as open_ones:
        while len(here) < job.count - 1 and (left := deadline - clock()) > 0:
            server.settimeout(left)
            try:
                peer, _ = server.accept()
            except TimeoutError:
                break
            open_ones.enter_context(peer)
            peer.settimeout(max(0.1, min(5.0, left)))
            try:
                said = json.loads(peer.makefile("r").readline())
                here[int(said["index"])] = (str(said["host"]), peer)
            except (OSError, ValueError, KeyError, TypeError):
                continue  # somebody else's connection
        missing = sorted(set(range(1, job.count)) - set(here))
        problem = _missing(job, missing, here, timeout_s) if missing else ""
        for _, peer in here.values():
            with contextlib.suppress(OSError):
                peer.sendall((json.dumps({"problem": problem}) + "\n").encode())
                peer.makefile("r").readline()  # until it has closed: the port is free at once then
    if problem:
        raise UserError(problem)


def _missing(job: Job, missing: list[int], here: Mapping[int, tuple[str, Any]], timeout_s: float) -> str:
    hosts = sorted({socket.gethostname(), *(host for host, _ in here.values())})
    return (
        f"{len(missing)} of {job.count} processes did not come within {timeout_s:.0f} s: "
        f"{', '.join(map(str, missing[:20]))}{' ...' if len(missing) > 20 else ''}; those that came are on "
        f"{', '.join(hosts[:20])}; look at the logs of the missing ones, and whether they can reach "
        f"{job.address}"
    )


def _report(job: Job, deadline: float, timeout_s: float, clock: Callable[[], float]) -> None:
    host, _, port = job.address.rpartition(":")
    hello = json.dumps({"index": job.index, "host": socket.gethostname()}) + "\n"
    reached = False
    while (left := deadline + 5 - clock()) > 0:  # the first one's word comes at its own deadline
        try:
            with socket.create_connection((host.strip("[]"), int(port)), timeout=min(5.0, left)) as peer:
                reached = True
                peer.sendall(hello.encode())
                peer.settimeout(left)
                answer = peer.makefile("r").readline()
        except OSError:
            answer = ""
        if answer:
            problem = json.loads(answer)["problem"]
            if problem:
                raise UserError(problem)
            return
        time.sleep(0.2)
    how = "did not answer" if reached else "cannot be reached"
    own = " (an address of this host itself)" if is_loopback(host) else ""
    raise UserError(
        f"process {job.index} of {job.count} on {socket.gethostname()}: the first process, at {job.address}"
        f"{own}, {how} within {timeout_s:.0f} s; look at its log, and whether this host can reach it"
    )


def from_first(read: Callable[[], Any], shape: Any) -> Any:
    """What the first process's `read()` gives, in every process.

    Args:
      read: called in the first process alone.
      shape: the tree of arrays that it gives, as `ShapeDtypeStruct`s.
    """
    if jax.process_count() == 1:
        return read()
    tree = read() if is_first() else jax.tree.map(lambda s: np.zeros(s.shape, s.dtype), shape)
    return multihost_utils.broadcast_one_to_all(tree)


_sent = 0


def send_task(name: str, arguments: Mapping[str, Any]) -> None:
    """Tells the other processes, which are in `follow`, what to take part in next. Nothing where alone."""
    global _sent
    if jax.process_count() == 1:
        return
    value = pickle.dumps((name, dict(arguments)))
    _store().key_value_set_bytes(f"fernjax/task/{_sent}", value)
    _sent += 1


@contextlib.contextmanager
def leading() -> Iterator[None]:
    """The first process's part: however it ends, the others are told."""
    try:
        yield
    finally:
        send_task(_END, {})


def follow(tasks: Mapping[str, Callable[..., None]]) -> None:
    """Takes part in what the first process sends, until it ends. SIGTERM between tasks is its to answer."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        done = 0
        while True:
            name, arguments = pickle.loads(_next_task(done))
            if name == _END:
                return
            tasks[name](**arguments)
            done += 1
    finally:
        signal.signal(signal.SIGTERM, before)


_END = "end"
_POLL_MS = 10_000


def _next_task(number: int) -> bytes:
    while True:
        try:
            return _store().blocking_key_value_get_bytes(f"fernjax/task/{number}", _POLL_MS)
        except jax.errors.JaxRuntimeError as e:
            if "DEADLINE_EXCEEDED" not in str(e):
                raise


def _store() -> Any:
    """Of keys and values, in the first process, that all can reach."""
    return distributed.global_state.client
