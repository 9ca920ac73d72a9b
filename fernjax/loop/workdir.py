"""A run's folder: what is in it, who may write to it, and how a file gets there whole.

config.json  run.json  metrics.jsonl  ledger.jsonl  report.json  report.html
rounds/000/{recipe.json, checkpoints/, predictions/, decision.json}  champion -> rounds/00k
"""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import hashlib
import importlib.metadata
import json
import os
import pathlib
import platform
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from ml_collections import ConfigDict

from fernjax.loop import settings
from fernjax.model import files
from fernjax.model.corpus import snips
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import UserError
from fernjax.sim.world import load_domain

LAYOUT = 1
"""Version of a workdir's layout; another one is refused."""

SHIPPED = "shipped"
"""Folder, in that of a training, of the model as it is judged and used."""

FINGERPRINTED = 100
"""Sentences that stand for a version of the generator: a change that leaves all of them alone goes unseen."""

RUN_KEYS = ("layout", "schema", "domain", "sessions", "commit", "dirty", "versions", "host")
"""Keys of `run.json` without which it is damaged."""

PUT_BACK = "put it back from a copy, or use another --workdir"
"""Remedy for what only the beginning of a run writes."""

CHOICE_OF_RUNS = "fleet."
"""What the keys begin with that say which runs are made, and decide nothing of any run."""

PACKAGES = ("jax", "flax", "optax", "orbax-checkpoint", "numpy", "tokenizers")


class Held(UserError):
    """Another process holds a folder."""


class Workdir:
    """One run's folder, held by one process at a time. Made by `open_workdir`.

    Attributes:
      path: the folder.
    """

    def __init__(self, path: pathlib.Path, lock: IO[str] | None = None) -> None:
        self.path = path
        self._lock = lock
        self._session: dict[str, Any] | None = None  # ours, until `touch` writes it down

    def config(self) -> ConfigDict:
        """The locked config that the run was begun with.

        Raises:
          UserError: it is missing or damaged.
        """
        path = self.path / "config.json"
        stored = read_object(path, ("domain", "seeds"), PUT_BACK)
        for key, form in (("domain", str), ("seeds", list)):  # what the use of a trained model needs
            if not isinstance(stored[key], form) or not stored[key]:
                raise UserError(f"{path} is damaged (its {key}); {PUT_BACK}")
        return settings.from_json(stored)

    def round(self, number: int) -> pathlib.Path:
        """Folder of a round; it need not be there yet."""
        return self.path / "rounds" / f"{number:03d}"

    def champion(self) -> pathlib.Path:
        """The round whose weights are in use.

        Raises:
          UserError: where no round has been trained yet.
        """
        link = self.path / "champion"
        if not link.is_symlink() or not link.exists():
            raise UserError(f"{self.path} has no trained model yet; run `python -m fernjax loop` on it first")
        return self.path / os.readlink(link)

    def crown(self, number: int) -> None:
        """Points `champion` at a round, in one step that cannot be seen half done."""
        fresh = self.path / f"{files.HALF_WRITTEN}champion"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(self.round(number).relative_to(self.path))
        os.replace(fresh, self.path / "champion")

    def wall_s(self) -> float:
        """Seconds that this run has taken, over all processes that worked on it."""
        sessions = read_run(self.path)["sessions"]
        return sum(_time(s["end"]) - _time(s["start"]) for s in sessions)

    def touch(self, **facts: Any) -> None:
        """Notes that the run is alive now, with more facts for `run.json`.

        The first time a process does, its session joins those of the run: one that finds nothing to do leaves
        no trace.
        """
        path, run = self.path / "run.json", read_run(self.path)
        if self._session is not None:
            run["sessions"].append(self._session)
            self._session = None
        run["end"] = run["sessions"][-1]["end"] = _now()
        run["peak_rss_mb"] = max(run.get("peak_rss_mb", 0), _peak_rss_mb())
        write_json(path, run | facts)

    def note(self, **facts: Any) -> None:
        """Adds facts to `run.json`, and no time to the run."""
        write_json(self.path / "run.json", read_run(self.path) | facts)

    def close(self) -> None:
        """Lets another process have the folder."""
        if self._lock is not None:
            self._lock.close()  # releases it

    def __enter__(self) -> Workdir:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_workdir(path: str | pathlib.Path, config: ConfigDict) -> Workdir:
    """The folder of a run of `config`, made where there is none, for this process alone.

    Raises:
      UserError: it cannot be written, another process holds it, or another config, tools schema, version
        or other sentences made it; names the difference.
    """
    path = pathlib.Path(path)
    lock = _hold(path)
    work = Workdir(path, lock)
    try:
        files.remove_half_written(path)
        identity = _identity(config)
        if (path / "run.json").exists():
            check(work, config)
            check_inputs(work, config, identity["inputs"])
        else:
            strangers = [
                p.name for p in path.iterdir() if not p.name.startswith(".") and p.name != "config.json"
            ]
            if (path / "rounds").exists():
                raise UserError(f"{path} holds rounds but run.json is missing; {PUT_BACK}")
            if strangers:
                raise UserError(f"{path} holds {strangers[0]} but no run; choose an empty --workdir")
            write_json(path / "config.json", settings.to_json(config))
            write_json(path / "run.json", identity | provenance() | {"start": _now(), "sessions": []})
        work._session = {"start": _now(), "end": _now()} | provenance()
    except BaseException:
        work.close()
        raise
    return work


@contextlib.contextmanager
def locked(path: pathlib.Path) -> Iterator[int]:
    """Makes a folder where there is none, and holds it for this process alone.

    Yields:
      The lock's file descriptor: a process that inherits it holds the folder too, until it ends.

    Raises:
      UserError: it cannot be written.
      Held: another process holds it.
    """
    lock = _hold(path)
    try:
        yield lock.fileno()
    finally:
        lock.close()


def existing_workdir(path: str | pathlib.Path | None) -> Workdir:
    """A run's folder for reading; without a path the only one under `runs/`, a fleet's apps among them.

    Raises:
      UserError: there is none there, several to choose from, or another version made it.
    """
    if path is None:
        place = pathlib.Path("runs")
        runs = sorted(p.parent for form in ("*/run.json", "*/*/run.json") for p in place.glob(form))
        if len(runs) != 1:
            found = "there are " + ", ".join(map(str, runs)) if runs else "runs/ holds none"
            raise UserError(f"which model? Say --workdir=DIR ({found})")
        path = runs[0]
    path = pathlib.Path(path)
    if not (path / "run.json").exists():
        raise UserError(f"no run in {path}; make one with `python -m fernjax loop --workdir={path}`")
    work = Workdir(path)
    check(work, None)
    return work


def refuse_other_config(path: pathlib.Path, stored: Mapping[str, Any], config: ConfigDict) -> None:
    """Refuses a config that differs from the one that a folder was made with in what decides its results.

    Raises:
      UserError: names the first key that differs, with both values.
    """
    there, here = settings.flatten(stored), settings.flatten(settings.to_json(config))
    for key in sorted(there.keys() | here.keys()):
        if key.startswith(CHOICE_OF_RUNS):
            continue
        if there.get(key) != here.get(key):
            raise UserError(
                f"{path} was made with config.{key}={there.get(key)}, not {here.get(key)}; "
                "use that config or another --workdir"
            )


def check(work: Workdir, config: ConfigDict | None) -> None:
    """Refuses a folder that another config, tools schema or layout made, naming the difference."""
    run, stored = read_run(work.path), settings.to_json(work.config())
    if config is not None:
        refuse_other_config(work.path, stored, config)
    if run["layout"] != LAYOUT:
        raise UserError(
            f"{work.path} has layout {run['layout']}, this version writes {LAYOUT}; use another --workdir"
        )
    if task_of(work) != "app":
        return
    schema = schema_hash(stored["domain"])
    if run["schema"] != schema:
        raise UserError(
            f"the tools of domain {stored['domain']} changed since {work.path} was made "
            f"(schema {run['schema'][:8]}, now {schema[:8]}); use another --workdir"
        )


def task_of(work: Workdir) -> str:
    """`config.task` of a run."""
    task: str = read_run(work.path).get("task", "app")  # the first runs noted none
    return task


def check_inputs(work: Workdir, config: ConfigDict, inputs: Mapping[str, str]) -> None:
    """Refuses a folder whose results are of other sentences than a process would add now.

    Args:
      inputs: digests, all or some of `digest_inputs(config)`.

    Raises:
      UserError: names what differs.
    """
    stored = read_run(work.path).get("inputs", {})
    told = {
        "own_sentences": f"the file {config.real_path}",
        "phrasing": f"the phrasing of domain {config.domain} (its grammar, pools or key words)",
        "snips": f"the sentences of Snips in {config.data.root}",
        "generator": f"what is generated for domain {config.domain} (by another version of fernjax)",
    }
    for name, digest in inputs.items():
        if stored.get(name) != digest:
            raise UserError(
                f"{told[name]} changed since {work.path} was made; its scores and new ones would not be of "
                "the same sentences: put it back, or use another --workdir"
            )


def check_benchmark(work: Workdir, config: ConfigDict) -> None:
    """`check_inputs` of a run of the public benchmark."""
    check_inputs(work, config, _digest_benchmark(config))


def _digest_benchmark(config: ConfigDict) -> dict[str, str]:
    return {"snips": snips.digest(config.data.root)}


def digest_inputs(config: ConfigDict) -> dict[str, str]:
    """SHA-256 of all that decides which sentences train and judge a run.

    Returns:
      `own_sentences`: of the file `config.real_path`, "" without one. `phrasing`: of all that the domain
      says. `generator`: of the first sentences made, with their labels and mentions, so that a change of the
      code that makes them shows as well.
    """
    domain = load_domain(config.domain)
    said = [domain.grammar, domain.keywords, sorted(domain.pools.items()), sorted(domain.needs.items())]
    generator = Generator(domain, Recipe.of_run(config), seed=0)
    made = [generator.scenario(i) for i in range(FINGERPRINTED)]
    return {
        "own_sentences": files.digest_file(config.real_path),
        "phrasing": _digest(said),
        "generator": _digest([(s.row.query, s.row.calls, s.mentions, s.bucket) for s in made]),
    }


def schema_hash(domain: str) -> str:
    """SHA-256 over everything that a domain's tools say."""
    return _digest(load_domain(domain).tools)


def provenance() -> dict[str, Any]:
    """Where a result comes from: commit, whether the tree was dirty, versions, host. No JAX is loaded.

    Dirty are changes of tracked files, and new files in `fernjax/` and `configs/`, where they take part.
    """
    changes = _git("status", "--porcelain", "--untracked-files=no")
    fresh = _git("status", "--porcelain", "--", "fernjax", "configs")
    return {
        "commit": _git("rev-parse", "HEAD"),
        "dirty": None if changes is None or fresh is None else bool(changes or fresh),
        "versions": {"fernjax": _version("fernjax"), "python": platform.python_version()}
        | {name: _version(name) for name in PACKAGES},
        "host": platform.node(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }


def devices() -> list[str]:
    """JAX's devices, by name. Loads JAX."""
    import jax

    return [f"{d.platform}:{d.id} {d.device_kind}" for d in jax.devices()]


def write_text(path: pathlib.Path, text: str) -> None:
    """A text file that is there whole or as it was before. Raises UserError where the disk is full."""
    files.write_file(path, text.encode("utf-8"))


def write_json(path: pathlib.Path, value: Any) -> None:
    """A JSON file that is there whole or as it was before.

    Raises:
      UserError: the disk is full.
      TypeError, ValueError: no JSON value, or a number that is not finite; nothing is written.
    """
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def write_jsonl(path: pathlib.Path, values: Iterable[Mapping[str, Any]]) -> None:
    """A file of a JSON object a line, there whole or as it was before; errors as of `write_json`."""
    write_text(path, "".join(json.dumps(v, ensure_ascii=False, allow_nan=False) + "\n" for v in values))


def read_json(path: pathlib.Path, remedy: str = files.REMOVE) -> Any:
    """The JSON of a file of ours.

    Args:
      path: the file.
      remedy: what to tell where it is damaged.

    Raises:
      UserError: it is missing or damaged.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as e:
        again = remedy if remedy == PUT_BACK else "run the command that makes it again"
        raise UserError(f"{path} is missing; {again}") from e
    except (OSError, ValueError, RecursionError) as e:
        raise UserError(f"{path} is damaged ({e}); {remedy}") from e


def read_object(path: pathlib.Path, keys: Iterable[str], remedy: str = files.REMOVE) -> dict[str, Any]:
    """The JSON object of a file of ours, which has these keys; arguments and errors as of `read_json`."""
    value = read_json(path, remedy)
    if not isinstance(value, dict):
        raise UserError(f"{path} is damaged (no JSON object); {remedy}")
    for key in keys:
        if key not in value:
            raise UserError(f"{path} is damaged (it lacks {key!r}); {remedy}")
    return value


def read_run(path: pathlib.Path) -> dict[str, Any]:
    """The `run.json` of a run's folder; errors as of `read_json`."""
    place = path / "run.json"
    run = read_object(place, RUN_KEYS, PUT_BACK)
    try:
        for session in run["sessions"]:
            _time(session["start"]), _time(session["end"])
    except (TypeError, KeyError, ValueError) as e:
        raise UserError(f"{place} is damaged (its sessions); {PUT_BACK}") from e
    return run


def _hold(path: pathlib.Path) -> IO[str]:
    try:
        path.mkdir(parents=True, exist_ok=True)
        return _lock(path)
    except FileExistsError as e:
        what = "a link to nothing" if path.is_symlink() and not path.exists() else "a file"
        raise UserError(f"cannot write to workdir {path}: it is {what}; choose another --workdir") from e
    except OSError as e:
        if files.is_disk_full(e):  # told as such
            raise
        raise UserError(f"cannot write to workdir {path}: {e.strerror}; choose another --workdir") from e


def _lock(path: pathlib.Path) -> IO[str]:
    lock = open(path / ".lock", "w")  # noqa: SIM115  held until the run ends
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as e:
        lock.close()
        raise Held(f"another process is running in {path}; wait for it or use another --workdir") from e
    return lock


def _identity(config: ConfigDict) -> dict[str, Any]:
    about = {"layout": LAYOUT, "task": config.task, "argv": sys.argv}
    if config.task == "snips":
        return about | {"domain": "", "schema": "", "inputs": _digest_benchmark(config)}
    return about | {
        "domain": config.domain,
        "schema": schema_hash(config.domain),
        "inputs": digest_inputs(config),
    }


def _digest(value: Any) -> str:
    return hashlib.sha256(repr(value).encode("utf-8")).hexdigest()


def _git(*args: str) -> str | None:
    """Output of git in the source tree; None where it is no clone or git is not there."""
    try:
        done = subprocess.run(
            ["git", "-C", str(settings.SOURCE_TREE), *args], capture_output=True, text=True, timeout=20
        )
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _peak_rss_mb() -> int:
    """Most memory that this process held, and the largest of its ended children with it, in MB."""
    own, children = (
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return (own + children) >> 10


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


def _time(stamp: str) -> float:
    return datetime.datetime.fromisoformat(stamp).timestamp()
