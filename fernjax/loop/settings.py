"""A run's settings: a config file, its argument, and overrides from the command line.

`ml_collections.config_flags` does this on top of `absl.app`, which owns `main`, prints its own help and
knows no verbs; the forty lines that are needed stand here, so that every mistake is one line.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
import inspect
import json
import math
import pathlib
import traceback
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from ml_collections import ConfigDict

import fernjax
from fernjax.sim.types import UserError

SOURCE_TREE = pathlib.Path(fernjax.__file__).resolve().parents[1]
"""The clone that the package is installed from; `configs/` stands in it."""

DEFAULT_CONFIG = "configs/base.py"

TASKS = ("app", "snips")
"""What is trained: an app's tools, or the public benchmark."""

MAX_WHOLE = 2**31 - 1
"""Largest whole number in a config: the step is counted in 32 bits."""

Bound = tuple[tuple[str, ...], str, Callable[[float], bool]]
"""Keys (one that ends in a dot stands for all under it), what to give, and whether a value is that."""

BOUNDS: tuple[Bound, ...] = (
    (
        (
            "train.total_steps",
            "train.repair_steps",
            "train.batch_size",
            "train.save_every_steps",
            "train.log_every_steps",
            "train.accumulate",
            "mesh.fsdp",
            "train.longest.",
            "eval.",
            "gate.bootstrap",
        ),
        "at least 1",
        lambda x: x >= 1,
    ),
    (
        (
            "train.warmup_steps",
            "train.weight_decay",
            "train.clip_norm",
            "train.data_workers",
            "train.profile_steps",
            "mesh.data",
            "gate.margin_real",
            "gate.margin_bucket",
            "loop.rounds",
            "loop.max_hours",
            "recipe.max_skeletons",
            "recipe.buckets.",
        ),
        "at least 0",
        lambda x: x >= 0,
    ),
    (("train.data_workers",), "at most 256", lambda x: x <= 256),  # each is a process
    (
        (
            "abstain_below",
            "train.decay_share",
            "recipe.natural_negatives",
            "recipe.near_misses",
            "recipe.how_tos",
            "recipe.contrastive",
            "recipe.contrastive_verbs",
            "recipe.context",
            "recipe.wider_pools",
            "snips.",
        ),
        "a share from 0 to 1",
        lambda x: 0 <= x <= 1,
    ),
    (
        ("train.peak_lr", "train.repair_lr", "train.muon_lr", "train.adam_eps"),
        "more than 0",
        lambda x: x > 0,
    ),
    (
        ("train.adam_b1", "train.adam_b2", "train.muon_momentum"),
        "a share from 0 to less than 1",
        lambda x: 0 <= x < 1,
    ),
    (("gate.confidence",), "more than 0.5 and less than 1", lambda x: 0.5 < x < 1),
)


def load_config(name: str, overrides: Mapping[str, str]) -> ConfigDict:
    """The locked config of `configs/NAME.py[:arg]` with overrides `{"train.total_steps": "10"}`.

    Raises:
      UserError: no such file, variant or key, a value of another type than the base's or out of bounds.
    """
    path, arg = find_config(name)
    config = _get_config(path, arg)
    _check_keys(config, _base(), path)
    for key, text in overrides.items():
        _override(config, key, text)
    check_bounds(config)
    return config.lock()


def check_bounds(config: ConfigDict) -> None:
    """Refuses numbers that cannot be, whatever the domain and the model.

    Raises:
      UserError: names the key and its bound.
    """
    values = flatten(config)
    for key, value in values.items():
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, float) and not math.isfinite(number):
                raise UserError(f"config.{key} is {value}; give a finite number")
            if isinstance(number, int) and abs(number) > MAX_WHOLE:
                raise UserError(f"config.{key} is out of bounds; give at most {MAX_WHOLE}")
    if config.task not in TASKS:
        raise UserError(f"config.task is {config.task!r}; choose {' or '.join(TASKS)}")
    seeds = config.seeds
    if not seeds or len(set(seeds)) < len(seeds) or min(seeds) < 0:
        raise UserError(f"config.seeds {seeds}: give one or more, all different, at least 0")
    for keys, told, fits in BOUNDS:
        for key, value in values.items():
            if any(key == k or (k.endswith(".") and key.startswith(k)) for k in keys) and not fits(value):
                raise UserError(f"config.{key} is {value}; give {told}")


def check_whole(config: ConfigDict, path: pathlib.Path) -> None:
    """Refuses the config of a workdir that a version with other keys made.

    Raises:
      UserError: names a key.
    """
    base, there = flatten(_base()), flatten(config)
    for key in sorted(base.keys() ^ there.keys()):
        what = "lacks" if key in base else "has"
        raise UserError(
            f"{path} was made by another version: its config {what} config.{key}; use another --workdir"
        )
    for key, value in there.items():
        if not _is_like(value, base[key]):
            raise UserError(f"{path / 'config.json'} is damaged (its {key}); put it back from a copy")


def find_config(name: str) -> tuple[pathlib.Path, str]:
    """File and argument that a `--config` names: as a path, or as one inside the source tree."""
    file, _, arg = name.partition(":")
    if not file.endswith(".py"):
        file += ".py"
    for folder in (pathlib.Path(), SOURCE_TREE):
        for path in (folder / file, folder / "configs" / file):
            if path.is_file():
                return path.resolve(), arg
    there = sorted(p.name for p in (SOURCE_TREE / "configs").glob("*.py"))
    raise UserError(f"no config file {file}; there are: {', '.join('configs/' + n for n in there)}")


def run_name(name: str) -> str:
    """Folder name of a run of a config: `configs/calendar.py:quick` -> `calendar-quick`."""
    path, arg = find_config(name)
    return f"{path.stem}-{arg}" if arg else path.stem


def to_json(config: ConfigDict) -> dict[str, Any]:
    """The resolved config as plain JSON values (tuples become lists)."""
    return json.loads(json.dumps(config.to_dict()))


def from_json(values: Mapping[str, Any]) -> ConfigDict:
    """The locked config of a `config.json`."""

    def plain(value: Any) -> Any:
        if isinstance(value, Mapping):
            return ConfigDict({k: plain(v) for k, v in value.items()})
        return tuple(value) if isinstance(value, list) else value

    return plain(values).lock()


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """`{"train": {"total_steps": 1}}` -> `{"train.total_steps": 1}`."""
    out = {}
    for key, value in values.items():
        if isinstance(value, Mapping | ConfigDict):
            out.update(flatten(dict(value.items()), f"{prefix}{key}."))
        else:
            out[prefix + key] = value
    return out


def _base() -> ConfigDict:
    """The keys that the library reads, whatever file of the same name a user has."""
    return _get_config(SOURCE_TREE / DEFAULT_CONFIG, "")


def _get_config(path: pathlib.Path, arg: str) -> ConfigDict:
    """What a config file's `get_config` gives. A mistake in it is the user's: one line, with its place."""
    get_config = getattr(run_file(path), "get_config", None)
    if not inspect.isfunction(get_config):
        raise UserError(f"{path} has no get_config(); see configs/base.py")
    takes = inspect.signature(get_config).parameters
    if arg and not takes:
        raise UserError(f"{path.name} takes no argument; drop ':{arg}'")
    if len(takes) > 1:
        raise UserError(f"{path}: get_config takes {len(takes)} arguments; give it one, or none")
    try:
        config = get_config(arg or None) if takes else get_config()
    except ValueError as e:  # how a config file, which imports nothing of fernjax, refuses an argument
        raise UserError(f"{path.name}: {e}") from e
    except (Exception, SystemExit) as e:
        raise UserError(locate(path, e)) from e
    if not isinstance(config, ConfigDict):
        raise UserError(f"{path}: get_config() gives a {type(config).__name__}, not the config; return it")
    return config


def run_file(path: pathlib.Path) -> ModuleType:
    """A config file as a module. Raises UserError where running it fails, with its place."""
    spec = importlib.util.spec_from_file_location(f"fernjax_config_{path.stem}", path)
    assert spec is not None and spec.loader is not None  # a .py file has a loader
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as e:
        raise UserError(locate(path, e)) from e
    return module


def locate(path: pathlib.Path, error: BaseException) -> str:
    """One line about an error that running a config file gave, with the file's own line."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        number = error.lineno
    else:
        frames = traceback.extract_tb(error.__traceback__)
        number = next((f.lineno for f in reversed(frames) if f.filename == str(path)), None)
    at = f", line {number}" if number else ""
    return f"{path}{at}: {type(error).__name__}: {error}; correct the file"


def _check_keys(config: ConfigDict, base: ConfigDict, path: pathlib.Path) -> None:
    known, given = flatten(base), flatten(config)
    for key, value in given.items():
        if key not in known:
            raise UserError(
                f"{path.name} sets config.{key}, which configs/base.py lacks{_nearest(key, known)}"
            )
        if not _is_like(value, known[key]):
            raise UserError(f"{path.name}: config.{key} is {value!r}; give {_kind(known[key])}")
    for key in known:
        if key not in given:
            raise UserError(f"{path.name} lacks config.{key}, which configs/base.py has; do not delete keys")


def _is_like(value: Any, like: Any) -> bool:
    """Whether a value has the type of the base's; a whole number will do for a float."""
    if isinstance(like, tuple):
        element = type(like[0]) if like else str  # the empty one of the base holds names
        return isinstance(value, tuple) and all(type(v) is element for v in value)
    return type(value) is type(like) or (type(value) is int and type(like) is float)


def _kind(like: Any) -> str:
    """The type of a value of the base, in words: `an int (such as 3)`."""
    form = type(like).__name__
    example = ",".join(map(str, like or ("a", "b"))) if isinstance(like, tuple) else like
    return f"{'an' if form[0] in 'aeiou' else 'a'} {form} (such as {example})"


def _override(config: ConfigDict, key: str, text: str) -> None:
    known = flatten(config)
    if key not in known:
        raise UserError(f"unknown key config.{key}{_nearest(key, known)}")
    parent = config
    *path, last = key.split(".")
    for part in path:
        parent = parent[part]
    parent[last] = _parse(key, text, known[key])


def _parse(key: str, text: str, like: Any) -> Any:
    """`text` as a value of the type of `like`."""
    try:
        if isinstance(like, bool):
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        if isinstance(like, str):
            return text
        if isinstance(like, tuple) and all(isinstance(v, str) for v in like):
            words = (word.strip(" '\"") for word in text.strip("()[] ").split(","))
            return tuple(word for word in words if word)
        if isinstance(like, tuple):
            value = ast.literal_eval(text if text.lstrip().startswith(("(", "[")) else f"({text},)")
            values = tuple(value) if isinstance(value, tuple | list) else (value,)  # "(0)" is one seed
            if any(type(v) is not type(like[0]) for v in values):
                raise ValueError(text)
            return values
        return type(like)(text)
    except (KeyError, TypeError, ValueError, SyntaxError, RecursionError, MemoryError) as e:
        raise UserError(f"config.{key} takes {_kind(like)}, not {text!r}") from e


def _nearest(key: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"; did you mean config.{close[0]}?" if close else ""
