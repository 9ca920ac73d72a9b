"""Checkpoints that are whole or not there, and weights to ship.

A checkpoint is a folder `step_00000250/` with the arrays as Orbax writes them and `manifest.json`, our own:
size and SHA-256 of every file (Orbax loads a flipped byte without a word). It is written beside its place,
flushed to the disk, read back bit for bit, and renamed into place.

    directory/step_00000250/{manifest.json, arrays/...}
"""

from __future__ import annotations

import hashlib
import json
import logging
import pathlib
import shutil
from collections.abc import Iterator, Mapping
from typing import Any

import jax
import numpy as np
import orbax.checkpoint as ocp
import safetensors
import safetensors.numpy

from fernjax.model.files import flush, is_disk_full, write_file
from fernjax.sim.types import UserError

KEEP = 2
"""Checkpoints that stay; the older one stands in where the newer is damaged."""

_HEADER = "fernjax"
"""Key of our JSON in the header of a safetensors file."""

_log = logging.getLogger(__name__)


def save(directory: str | pathlib.Path, state: Any, step: int, about: Mapping[str, Any]) -> pathlib.Path:
    """Writes, verifies and publishes a checkpoint, then deletes all but the last `KEEP`.

    Args:
      directory: holds the checkpoints of one run; one process at a time writes to it.
      state: tree of arrays.
      step: steps taken.
      about: JSON values that come back from `about`.

    Returns:
      The checkpoint's folder.

    Raises:
      UserError: where the disk is full; what was there before is untouched.
      OSError: where what was read back is not what was written.
    """
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    _delete_leftovers(directory)
    final = directory / f"step_{step:08d}"
    temporary = directory / f"tmp-{final.name}"
    try:
        leaves = {name: np.asarray(leaf) for name, leaf in _named_leaves(state).items()}
        _write_arrays(temporary / "arrays", leaves)
        _check_arrays(temporary / "arrays", leaves)
        _write_manifest(temporary, {"step": step, "about": dict(about)})
        _flush_tree(temporary)
        problem = find_damage(temporary)
        if problem:
            raise OSError(f"the checkpoint {temporary} is not what was written: {problem}")
        if final.exists():  # a damaged one of the same step
            final.rename(directory / f"tmp-old-{final.name}")
        temporary.rename(final)
        flush(directory)
    except Exception as e:
        shutil.rmtree(temporary, ignore_errors=True)
        if is_disk_full(e):
            raise UserError(
                f"disk full while saving step {step} to {directory}; free some space and run the same "
                "command again: the checkpoints saved before are whole and it resumes from them"
            ) from e
        raise
    for old in _list(directory)[:-KEEP]:
        _delete(old)
    _delete_leftovers(directory)
    return final


def latest(directory: str | pathlib.Path) -> pathlib.Path | None:
    """The newest whole checkpoint, or None. A damaged one is passed over with a warning."""
    for path in reversed(_list(pathlib.Path(directory))):
        problem = find_damage(path)
        if problem is None:
            return path
        _log.warning("checkpoint %s is damaged (%s); using the one before it, if there is one", path, problem)
    return None


def about(path: str | pathlib.Path) -> dict[str, Any]:
    """What `save` was told about a checkpoint."""
    return json.loads((pathlib.Path(path) / "manifest.json").read_text(encoding="utf-8"))["about"]


def load(path: str | pathlib.Path, like: Any) -> Any:
    """A checkpoint's state.

    Args:
      path: the checkpoint's folder, from `latest`.
      like: tree of arrays or `ShapeDtypeStruct`s that the state is loaded into, each where its
        sharding says, or on this process's first device.

    Raises:
      UserError: where the checkpoint's leaves are not those of `like`.
    """
    here = jax.sharding.SingleDeviceSharding(jax.local_devices()[0])
    wanted = _named_leaves(like)
    leaves = _read_arrays(pathlib.Path(path) / "arrays")
    _check_names(path, {name: (leaf.shape, leaf.dtype) for name, leaf in leaves.items()}, wanted)
    placed = [
        jax.device_put(leaves[name], getattr(leaf, "sharding", None) or here) for name, leaf in wanted.items()
    ]
    return jax.tree.unflatten(jax.tree.structure(like), placed)


def find_damage(path: str | pathlib.Path) -> str | None:
    """What is wrong with a checkpoint's files, in a few words; None where they are as they were written."""
    path = pathlib.Path(path)
    try:
        manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
        stated = manifest.pop("sha256")
        if _digest(_canonical(manifest)) != stated:
            return "manifest.json was changed"
        files: dict[str, list[Any]] = manifest["files"]
    except FileNotFoundError:
        return "manifest.json is missing"
    except (ValueError, KeyError, TypeError, AttributeError):
        return "manifest.json cannot be read"
    present = {str(f.relative_to(path)) for f in _files(path)} - {"manifest.json"}
    for name in sorted(present ^ set(files)):
        return f"{name} is {'missing' if name in files else 'not of it'}"
    for name, (size, digest) in files.items():
        data = (path / name).read_bytes()
        if len(data) != size:
            return f"{name} has {len(data)} bytes, not {size}"
        if _digest(data) != digest:
            return f"{name} was changed"
    return None


def save_weights(path: str | pathlib.Path, params: Any, metadata: Mapping[str, str] | None = None) -> None:
    """Writes a tree of arrays as safetensors, atomically, with a SHA-256 of its data in the header.

    Raises:
      UserError: where the disk is full; a file that was there before is untouched.
    """
    leaves = {name: np.ascontiguousarray(leaf) for name, leaf in _named_leaves(params).items()}
    # One key: safetensors writes several in an order that changes from run to run.
    header = json.dumps({**(metadata or {}), "sha256": _digest_arrays(leaves)}, sort_keys=True)
    write_file(path, safetensors.numpy.save(leaves, metadata={_HEADER: header}))


def load_weights(path: str | pathlib.Path, like: Any) -> Any:
    """A tree of arrays like `like` from a file of `save_weights`.

    Raises:
      UserError: where the file is missing, damaged or of another model, naming which.
    """
    try:
        with safetensors.safe_open(path, framework="numpy") as f:
            leaves = {name: f.get_tensor(name) for name in f.keys()}  # noqa: SIM118 (it is not a dict)
            header = json.loads((f.metadata() or {}).get(_HEADER, "{}"))
    except FileNotFoundError as e:
        raise UserError(f"no weights at {path}; train first, or give another path") from e
    except (safetensors.SafetensorError, OSError, ValueError) as e:
        raise UserError(f"the weights at {path} cannot be read ({e}); train again, or copy them again") from e
    if header.get("sha256", "") not in ("", _digest_arrays(leaves)):
        raise UserError(
            f"the weights at {path} are damaged (sha256 differs); train again, or copy them again"
        )
    wanted = _named_leaves(like)
    _check_names(path, {k: (v.shape, v.dtype) for k, v in leaves.items()}, wanted)
    return jax.tree.unflatten(jax.tree.structure(like), [jax.numpy.asarray(leaves[name]) for name in wanted])


def digest_weights(path: str | pathlib.Path) -> str:
    """SHA-256 of a file of weights.

    Raises:
      UserError: where there is none.
    """
    try:
        return _digest(pathlib.Path(path).read_bytes())
    except FileNotFoundError as e:
        raise UserError(f"no weights at {path}; train first, or give another path") from e


def _orbax() -> ocp.Checkpointer:
    """Orbax for this process alone: of several in a job only one reads and writes checkpoints.

    Its `v1` interface has all processes take part, and wants a folder that they share.
    """
    me = jax.process_index()
    alone = ocp.options.MultiprocessingOptions(
        primary_host=me, active_processes={me}, barrier_sync_key_prefix=f"process_{me}"
    )
    handler = ocp.PyTreeCheckpointHandler(multiprocessing_options=alone)
    return ocp.Checkpointer(handler, multiprocessing_options=alone)


def _write_arrays(path: pathlib.Path, leaves: Mapping[str, np.ndarray]) -> None:
    with _orbax() as orbax:
        orbax.save(path.absolute(), dict(leaves))


def _read_arrays(path: pathlib.Path) -> dict[str, np.ndarray]:
    with _orbax() as orbax:
        names = orbax.metadata(path.absolute()).item_metadata.tree
        args = {name: ocp.RestoreArgs(restore_type=np.ndarray) for name in names}
        return orbax.restore(path.absolute(), args=ocp.args.PyTreeRestore(restore_args=args))


def _list(directory: pathlib.Path) -> list[pathlib.Path]:
    return sorted(p for p in directory.glob("step_*") if p.is_dir())


def _delete(path: pathlib.Path) -> None:
    # Renamed first: a kill between two files must not leave half a checkpoint under a good name.
    doomed = path.with_name(f"tmp-old-{path.name}")
    path.rename(doomed)
    shutil.rmtree(doomed)


def _delete_leftovers(directory: pathlib.Path) -> None:
    for path in directory.glob("tmp-*"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _named_leaves(tree: Any) -> dict[str, Any]:
    """Leaves by their path, `params/core/0/q`."""
    pairs = jax.tree_util.tree_leaves_with_path(tree)
    return {jax.tree_util.keystr(path, simple=True, separator="/"): leaf for path, leaf in pairs}


def _check_names(path: str | pathlib.Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for name in sorted(set(stored) ^ set(wanted)):
        whose = "has no" if name in wanted else "has an unknown"
        raise UserError(f"{path} {whose} leaf {name!r}: it is of another model; use that model's config")
    for name, leaf in wanted.items():
        shape, dtype = stored[name]
        if tuple(shape) != tuple(leaf.shape) or dtype != np.dtype(leaf.dtype):
            raise UserError(
                f"{path}: {name} is {dtype}{list(shape)}, the model's is {leaf.dtype}{list(leaf.shape)}; "
                "use the config that it was trained with"
            )


def _check_arrays(path: pathlib.Path, leaves: Mapping[str, Any]) -> None:
    for name, read in _read_arrays(path).items():
        if np.asarray(read).tobytes() != leaves[name].tobytes():
            raise OSError(f"{name} read back from {path} differs from what was written")


def _write_manifest(path: pathlib.Path, values: dict[str, Any]) -> None:
    manifest: dict[str, Any] = {**values, "files": {}}
    for file in _files(path):
        data = file.read_bytes()
        manifest["files"][str(file.relative_to(path))] = [len(data), _digest(data)]
    manifest["sha256"] = _digest(_canonical(manifest))
    (path / "manifest.json").write_text(json.dumps(manifest, sort_keys=True, indent=1), encoding="utf-8")


def _files(path: pathlib.Path) -> Iterator[pathlib.Path]:
    return (f for f in sorted(path.rglob("*")) if f.is_file())


def _canonical(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, sort_keys=True, separators=(",", ":")).encode("utf-8")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest_arrays(leaves: Mapping[str, np.ndarray]) -> str:
    total = hashlib.sha256()
    for name in sorted(leaves):
        total.update(f"{name}:{leaves[name].dtype}:{leaves[name].shape};".encode())
        total.update(np.ascontiguousarray(leaves[name]).tobytes())
    return total.hexdigest()


def _flush_tree(path: pathlib.Path) -> None:
    for entry in sorted(path.rglob("*")):
        flush(entry)
    flush(path)
