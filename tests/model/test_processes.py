from __future__ import annotations

import socket
import threading

import pytest
from toy import free_address

from fernjax.model import processes
from fernjax.model.processes import Job, call_roll, find_job
from fernjax.sim.types import UserError


def call_all(address: str, count: int, there: list[int], timeout_s: float) -> dict[int, str]:
    """What each of the processes that are there is told: "" or the problem."""
    told: dict[int, str] = {}

    def call(index: int) -> None:
        try:
            call_roll(Job(address, count, index), timeout_s)
            told[index] = ""
        except UserError as e:
            told[index] = str(e)

    threads = [threading.Thread(target=call, args=(i,)) for i in there]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return told


def test_all_that_are_there_are_told_so():
    assert call_all(free_address(), 4, [3, 1, 0, 2], 20) == dict.fromkeys(range(4), "")


def test_the_missing_are_named_to_all_that_came():
    told = call_all(free_address(), 6, [0, 1, 4], 1)
    assert set(told) == {0, 1, 4} and len(set(told.values())) == 1
    assert told[0].startswith("3 of 6 processes did not come within 1 s: 2, 3, 5; those that came are on ")


def test_without_the_first_the_others_say_where_they_looked():
    told = call_all("127.0.0.1:9", 2, [1], 0.5)
    assert "127.0.0.1:9 (an address of this host itself), cannot be reached" in told[1].replace("0.5", "")


def test_a_strangers_connection_is_not_counted():
    address = free_address()
    host, port = address.split(":")

    def stray() -> None:
        for line in (b"GET / HTTP/1.1\r\n\r\n", b"{}\n", b'{"index": "x"}\n', b"\xff\n"):
            for _ in range(50):
                try:
                    with socket.create_connection((host, int(port)), timeout=1) as s:
                        s.sendall(line)
                        break
                except OSError:
                    threading.Event().wait(0.05)

    thread = threading.Thread(target=stray)
    thread.start()
    told = call_all(address, 2, [0], 3)
    thread.join()
    assert told[0].startswith("1 of 2 processes")


def test_a_port_in_use_is_one_line():
    with socket.socket() as s:
        s.bind(("", 0))
        s.listen()
        with pytest.raises(UserError, match="cannot listen on port"):
            call_roll(Job(f"127.0.0.1:{s.getsockname()[1]}", 2, 0), 1)


def test_alone_unless_told_otherwise():
    assert find_job({}) is None


THREE = {"JAX_COORDINATOR_ADDRESS": "a:1", "JAX_NUM_PROCESSES": "4", "JAX_PROCESS_ID": "3"}


def test_the_three_variables():
    assert find_job(THREE) == Job("a:1", 4, 3)
    assert find_job(THREE | {"JAX_NUM_PROCESSES": "1", "JAX_PROCESS_ID": "0"}) is None


@pytest.mark.parametrize("lost", THREE)
def test_two_of_the_three_variables_are_a_mistake(lost):
    with pytest.raises(UserError, match=f"^{lost} not set"):
        find_job({k: v for k, v in THREE.items() if k != lost})


def test_no_number_is_a_mistake():
    with pytest.raises(UserError, match="give numbers"):
        find_job(THREE | {"JAX_PROCESS_ID": "first"})


def test_slurm_is_found(monkeypatch):
    step = {
        "SLURM_JOB_ID": "77",
        "SLURM_STEP_NODELIST": "node[03-04]",
        "SLURM_NTASKS": "8",
        "SLURM_PROCID": "5",
        "SLURM_LOCALID": "1",
        "SLURM_STEP_NUM_NODES": "2",
    }
    for key, value in step.items():
        monkeypatch.setenv(key, value)
    assert find_job(step) == Job("node03:61517", 8, 5, hosts=2)


def test_a_batch_script_without_srun_is_alone(monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "77")
    monkeypatch.setenv("SLURM_NTASKS", "8")
    assert find_job({"SLURM_JOB_ID": "77", "SLURM_NTASKS": "8"}) is None


def test_open_mpi_is_found(monkeypatch):
    ranks = {
        "OMPI_MCA_orte_hnp_uri": "1531576320.0;tcp://10.96.0.1,10.148.0.1:34911",
        "OMPI_COMM_WORLD_SIZE": "8",
        "OMPI_COMM_WORLD_RANK": "5",
        "OMPI_COMM_WORLD_LOCAL_RANK": "1",
        "OMPI_COMM_WORLD_LOCAL_SIZE": "4",
    }
    for key, value in ranks.items():
        monkeypatch.setenv(key, value)
    job = find_job(ranks)
    assert (job.address.split(":")[0], job.count, job.index, job.hosts) == ("10.96.0.1", 8, 5, 2)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.1.1:1", "localhost:1", "[::1]:1"])
def test_several_hosts_cannot_meet_at_an_address_that_means_each_itself(address):
    with pytest.raises(UserError, match="means each host itself"):
        processes._check(Job(address, 4, 1, hosts=2))
    processes._check(Job(address, 4, 1, hosts=1))


@pytest.mark.parametrize("job", [Job("a", 2, 0), Job("a:b", 2, 0), Job("a:1", 2, 2), Job("a:1", 2, -1)])
def test_a_job_that_cannot_be_is_refused(job):
    with pytest.raises(UserError):
        processes._check(job)
