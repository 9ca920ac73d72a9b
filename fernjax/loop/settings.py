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
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

from ml_collections import ConfigDict

import fernjax
from fernjax.sim.types import UserError

SOURCE_TREE = pathlib.Path(fernjax.__file__).resolve().parents[1]
"""The clone that the package is installed from; `configs/` stands in it."""

DEFAULT_CONFIG = "configs/base.py"

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
    (
        (
            "abstain_below",
            "train.decay_share",
            "recipe.natural_negatives",
            "recipe.near_misses",
            "recipe.how_tos",
            "recipe.contrastive",
            "recipe.contrastive_verbs",
            "recipe.wider_pools",
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
    base_path = path.with_name("base.py")
    base = _get_config(base_path if base_path.exists() else find_config(DEFAULT_CONFIG)[0], "")
    _check_keys(config, base, path)
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
    for keys, told, fits in BOUNDS:
        for key, value in values.items():
            if any(key == k or (k.endswith(".") and key.startswith(k)) for k in keys) and not fits(value):
                raise UserError(f"config.{key} is {value}; give {told}")


def check_whole(config: ConfigDict, path: pathlib.Path) -> None:
    """Refuses the config of a workdir that a version with other keys made.

    Raises:
      UserError: names a key.
    """
    base = flatten(_get_config(find_config(DEFAULT_CONFIG)[0], ""))
    for key in sorted(base.keys() ^ flatten(config).keys()):
        what = "lacks" if key in base else "has"
        raise UserError(
            f"{path} was made by another version: its config {what} config.{key}; use another --workdir"
        )


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


def _get_config(path: pathlib.Path, arg: str) -> ConfigDict:
    spec = importlib.util.spec_from_file_location(f"fernjax_config_{path.stem}", path)
    assert spec is not None and spec.loader is not None  # a .py file has a loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "get_config"):
        raise UserError(f"{path} has no get_config(); see configs/base.py")
    if not inspect.signature(module.get_config).parameters:
        if arg:
            raise UserError(f"{path.name} takes no argument; drop ':{arg}'")
        return module.get_config()
    try:
        return module.get_config(arg or None)
    except ValueError as e:  # how a config file, which imports nothing of fernjax, refuses an argument
        raise UserError(f"{path.name}: {e}") from e


def _check_keys(config: ConfigDict, base: ConfigDict, path: pathlib.Path) -> None:
    known, given = flatten(base), flatten(config)
    for key, value in given.items():
        if key not in known:
            raise UserError(
                f"{path.name} sets config.{key}, which configs/base.py lacks{_nearest(key, known)}"
            )
        if type(value) is not type(known[key]) and not (type(value) is int and type(known[key]) is float):
            raise UserError(
                f"{path.name}: config.{key} is a {type(value).__name__}; "
                f"configs/base.py has a {type(known[key]).__name__}"
            )


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
    form = type(like).__name__
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
            if any(type(v) is not type(like[0]) for v in value):
                raise ValueError(text)
            return tuple(value)
        return type(like)(text)
    except (KeyError, ValueError, SyntaxError) as e:
        example = ",".join(map(str, like)) if isinstance(like, tuple) else like
        raise UserError(f"config.{key} takes a {form} (such as {example}), not {text!r}") from e


def _nearest(key: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
    return f"; did you mean config.{close[0]}?" if close else ""
