"""One description of a run, from which every place makes what it needs."""

from __future__ import annotations

import dataclasses
import difflib
import pathlib
import re
from collections.abc import Collection, Mapping
from typing import Any

from fernjax.sim.types import UserError

NAME = re.compile(r"[a-z]([a-z0-9-]{0,38}[a-z0-9])?")
"""Of a job: a DNS label, short enough for what Kubernetes adds to it for each pod."""

WORD = re.compile(r"[\w.:/@=+,%-]*")
"""What a key's value may hold that names something to a place: nothing that a shell or YAML would read."""

BELOW = re.compile(r"\w[\w.-]*(/\w[\w.-]*)+")
"""A workdir that is the same on a volume as here."""

SECRET = re.compile(
    r"\w*(?:SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_KEY)\w*\s*=|://[^/\s]*@", re.I
)
"""An assignment to what is called a secret, or an address with a name or a password before the host."""


def key(default: Any, told: str) -> Any:
    """A field that `--launch.NAME=VALUE` sets."""
    return dataclasses.field(default=default, metadata={"told": told})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Job:
    """A run: what is run, and on what.

    Attributes:
      verb: of fernjax.
      config: as `--config` takes it; "" for that of the workdir.
      workdir: as `--workdir` takes it.
      overrides: `{"train.total_steps": "10"}`.
      directory: the clone that the run is started in, on this machine; absolute.
    """

    verb: str
    config: str
    workdir: str
    overrides: Mapping[str, str]
    directory: str

    name: str = key("", "the job's name (from the workdir's)")
    python: str = key("", "interpreter there (the one that runs this, or the image's `python`)")
    setup: str = key("", "shell commands before the run, such as `module load cuda`")
    points: int = key(0, "of a sweep: how many (all that `sweep --list` prints)")
    at_once: int = key(0, "points that run at one time (0: no limit)")
    restarts: int = key(20, "times that a run may be started again after it was stopped or failed")
    nodes: int = key(1, "machines of a run")
    processes: int = key(1, "processes on each machine; where there are GPUs one drives them all")
    gpus: int = key(0, "GPUs of each machine")
    gpu_type: str = key("", "as the place calls it: h100, nvidia-h100-80gb, H100")
    tpu_type: str = key("", "as the place calls it: v5litepod-16, tpu-v5-lite-podslice, tpu-v5e-16")
    tpu_topology: str = key("", "of the slice, such as 4x4")
    tpus: int = key(0, "TPU chips of each machine")
    cpus: int = key(0, "CPUs of each process (0: the place's default)")
    memory_gb: int = key(0, "memory of each machine (0: the place's default)")
    limit_min: int = key(0, "time limit in minutes (0: the place's default)")
    spot: bool = key(False, "machines that may be taken away, which cost less")
    image: str = key("", "container image that holds the clone as its working folder")
    volume: str = key("", "what keeps the workdir: a claim (k8s), HOST:/SHARE (tpu), a volume (skypilot)")
    port: int = key(8476, "where the first process listens for the others")
    partition: str = key("", "of SLURM")
    account: str = key("", "of SLURM, that is charged")
    namespace: str = key("", "of Kubernetes (that of your context)")
    repository: str = key("", "address that git clones the code from; nothing secret in it")
    commit: str = key("", "that is checked out of it (the one that is checked out here)")
    project: str = key("", "of Google Cloud (that of your gcloud)")
    zone: str = key("", "of Google Cloud")
    runtime: str = key("", "software version of a TPU machine, such as v2-alpha-tpuv5-lite")
    infra: str = key("", "of SkyPilot: cloud, region or cluster, such as gcp/us-central1 or k8s")

    def arguments(self, workdir: str = "") -> list[str]:
        """What follows `python`; a sweep's lacks its `--point`."""
        out = ["-m", "fernjax", self.verb]
        out += [f"--config={self.config}"] if self.config else []
        out += [f"--workdir={workdir or self.workdir}"]
        out += [f"--config.{k}={v}" for k, v in self.overrides.items()]
        return out + (["--run"] if self.is_sweep() else [])

    def is_sweep(self) -> bool:
        return self.verb == "sweep"

    def folder(self) -> pathlib.Path:
        """Where what is submitted, its record and its logs lie, beside the workdir on this machine."""
        return folder_of(self.workdir)

    def there(self) -> tuple[str, str]:
        """On a machine with a volume in place of our disk: its mount point, and the workdir on it.

        `runs/x` is `/runs/x` there.

        Raises:
          UserError: the workdir is not below a folder of the clone, or has an odd name.
        """
        if not BELOW.fullmatch(self.workdir):
            raise UserError(f"--workdir={self.workdir}: give one such as runs/x; /runs is the volume there")
        return f"/{self.workdir.partition('/')[0]}", f"/{self.workdir}"


def folder_of(workdir: str) -> pathlib.Path:
    """`runs/x.launch` of `runs/x`: a workdir itself takes no strangers."""
    return pathlib.Path(f"{workdir.rstrip('/')}.launch")


KEYS = {f.name: f for f in dataclasses.fields(Job) if "told" in f.metadata}
"""What `--launch.NAME` sets."""

EVERYWHERE = ("name", "python", "setup", "points")
"""Keys that every place takes."""

FREE = ("setup", "image", "repository", "python")
"""Keys whose value is quoted wherever it is used."""


def make_job(place: str, takes: Collection[str], given: Mapping[str, str], **what: Any) -> Job:
    """The job that `--launch.key=value` flags describe.

    Args:
      place: its name, for what is told.
      takes: keys that it takes beside those of `EVERYWHERE`.
      given: `{"nodes": "2"}`.
      what: the attributes that say what is run.

    Raises:
      UserError: a key that there is not or that the place does not take, a value that it cannot have.
    """
    known = (*EVERYWHERE, *takes)
    values: dict[str, Any] = {}
    for name, text in given.items():
        if name not in KEYS:
            close = difflib.get_close_matches(name, KEYS, n=1, cutoff=0.0)
            raise UserError(f"unknown key launch.{name}; did you mean launch.{close[0]}?")
        if name not in known:
            raise UserError(f"{place} takes no launch.{name}; it takes {', '.join(known)}")
        values[name] = _parse(name, text)
    job = Job(**what, **values)
    job = dataclasses.replace(job, name=job.name or _name_of(job.workdir))
    _check(job)
    return job


def describe_keys(places: Mapping[str, Collection[str]]) -> str:
    """A line a key, with the places that take it."""
    lines = ["--launch.KEY=VALUE:"]
    for name, field in KEYS.items():
        who = [place for place, takes in places.items() if name in (*EVERYWHERE, *takes)]
        where = "" if len(who) == len(places) else f" [{', '.join(who)}]"
        lines.append(f"  {name}  {field.metadata['told']}{where}")
    return "\n".join(lines)


def _parse(name: str, text: str) -> Any:
    like = KEYS[name].default
    try:
        if isinstance(like, bool):
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        return int(text) if isinstance(like, int) else text
    except (KeyError, ValueError) as e:
        kind = "true or false" if isinstance(like, bool) else "a whole number"
        raise UserError(f"launch.{name} takes {kind}, not {text!r}") from e


def _name_of(workdir: str) -> str:
    """`runs/Calendar_long` -> `calendar-long`."""
    plain = re.sub(r"[^a-z0-9]+", "-", pathlib.PurePath(workdir).name.lower()).strip("-")[:40].strip("-")
    return plain if plain[:1].isalpha() else f"run-{plain}"[:40].strip("-")


def _check(job: Job) -> None:
    if not NAME.fullmatch(job.name):
        raise UserError(
            f"launch.name={job.name}: give at most 40 of a-z, 0-9 and -, a letter first, no - last"
        )
    for name in KEYS:
        value = getattr(job, name)
        least = 1 if name in ("nodes", "processes", "port") else 0
        if isinstance(value, int) and not least <= value <= 1_000_000:
            raise UserError(f"launch.{name}={value}: give {least} to 1000000")
        if isinstance(value, str) and name not in FREE and not WORD.fullmatch(value):
            raise UserError(f"launch.{name}={value!r}: give letters, digits and . : / @ = + , % - alone")
    if bool(job.points) != job.is_sweep():
        raise UserError(f"launch.points={job.points}: a sweep has at least one, another verb has none")
    if job.verb == "fleet" and job.nodes * job.processes > 1:
        raise UserError("fleet runs in one process; launch `loop` for each app instead")
    if job.gpus and job.processes > 1:
        raise UserError("one process drives all GPUs of a machine; leave launch.processes at 1")
    _refuse_secrets(job)


def _refuse_secrets(job: Job) -> None:
    """What a job says is written into files and shown by every place's status."""
    told = {f"launch.{name}": getattr(job, name) for name in KEYS}
    told |= {f"config.{k}": v for k, v in job.overrides.items()}
    for name, value in told.items():
        if isinstance(value, str) and SECRET.search(value):
            raise UserError(
                f"{name} looks as if it held a secret, which would be written into files; keep it where the "
                "place keeps secrets, and have the machine's own environment give it"
            )
