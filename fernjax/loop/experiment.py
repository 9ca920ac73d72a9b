"""What a config file says of many runs: centre, points of its `sweep(add)`, and what is compared."""

from __future__ import annotations

import collections
import dataclasses
import inspect
import json
import pathlib
import re
from collections.abc import Collection, Mapping, Sequence
from types import ModuleType
from typing import Any

from ml_collections import ConfigDict

from fernjax.loop import settings
from fernjax.loop.children import Run
from fernjax.sim.types import UserError

LABEL_LENGTH = 60
"""Characters of a label in a folder's name."""

METRICS = {
    "loop": {
        "final public full": "real.final.public.full",
        "final authored full": "real.final.authored.full",
        "final own full": "real.final.own.full",
        "gate public full": "real.gate.public.full",
        "gate authored full": "real.gate.authored.full",
        "gate own full": "real.gate.own.full",
        "final public route": "real.final.public.route",
        "final authored route": "real.final.authored.route",
        "generated full": "generated.full",
        "wall s": "wall_s",
    },
    "pretrain": {"wall s": "wall_s"},
    "world": {
        "status": "over_samples.status",
        "fields": "over_samples.fields",
        "exact": "over_samples.exact",
        "rubric": "over_samples.rubric",
        "wall s": "wall_s",
    },
}
"""What a sweep compares where its file has no `METRICS`: names, with dotted paths into `report.json`."""


@dataclasses.dataclass(frozen=True)
class Experiment:
    """What a config file says of many runs.

    Attributes:
      name: as it was given, `configs/NAME.py[:arg]`.
      file: the config file.
      given: overrides of every run's config.
      centre: the config that the runs depart from.
      verb: what each run is a run of.
      metrics: what is compared: names, with dotted paths into `report.json`.
      module: the file's other names.
    """

    name: str
    file: pathlib.Path
    given: Mapping[str, str]
    centre: ConfigDict
    verb: str
    metrics: Mapping[str, str]
    module: ModuleType

    def config(self, overrides: Mapping[str, Any]) -> ConfigDict:
        """The centre with overrides, keys and values as in `--config.key=value`; errors as of load_config."""
        texts = {key: str(value) for key, value in overrides.items()}
        return settings.load_config(self.name, {**self.given, **texts})


@dataclasses.dataclass(frozen=True)
class Point:
    """One run of a sweep: its number and label, what differs from the centre, and its config."""

    number: int
    label: str
    differs: Mapping[str, Any]
    config: ConfigDict

    def run(self, path: pathlib.Path, verb: str) -> Run:
        """The point's run in a sweep's folder."""
        return Run(path / "points" / f"{self.number:03d}-{_slug(self.label)}", verb, self.config)


def read_experiment(name: str, given: Mapping[str, str], verbs: Collection[str]) -> Experiment:
    """What a config file says of many runs.

    Args:
      name: `configs/NAME.py[:arg]`.
      given: overrides of the command line.
      verbs: those that a run can be of.

    Raises:
      UserError: a mistake in the file, or a `VERB` or `METRICS` of it that cannot be.
    """
    file, _ = settings.find_config(name)
    centre = settings.load_config(name, given)
    module = settings.run_file(file)
    verb = getattr(module, "VERB", "loop")
    if verb not in verbs:
        raise UserError(f"{file.name}: VERB is {verb!r}; give one of: {', '.join(verbs)}")
    metrics = getattr(module, "METRICS", METRICS[verb])
    if not isinstance(metrics, dict) or not metrics or not all(map(_is_text, [*metrics, *metrics.values()])):
        raise UserError(f'{file.name}: METRICS is {metrics!r}; give {{"name": "dotted.path.in.report"}}')
    return Experiment(name, file, given, centre, verb, metrics, module)


def expand(experiment: Experiment) -> list[Point]:
    """All points of a sweep, in the order of its file.

    A point that is the centre, whatever it hands to `add`, stands for it; without one the centre comes first.

    Raises:
      UserError: no `sweep(add)`, a mistake in it, a point that cannot be, or two that are the same.
    """
    sweep = getattr(experiment.module, "sweep", None)
    if not inspect.isfunction(sweep):
        raise UserError(f"{experiment.file.name} has no sweep(add); see configs/calendar.py")
    added: list[tuple[str, dict[str, Any]]] = []

    def add(name: str = "", **overrides: Any) -> None:
        if not isinstance(name, str):
            raise UserError(f"{experiment.file.name}: sweep calls add({name!r}); a name is a text")
        added.append((name, overrides))

    try:
        sweep(add)
    except UserError:
        raise
    except (Exception, SystemExit) as e:
        raise UserError(settings.locate(experiment.file, e)) from e
    points = [_point(experiment, number, *one) for number, one in enumerate(added)]
    if all(point.differs for point in points):
        points = [_point(experiment, 0, "", {})] + [
            dataclasses.replace(point, number=point.number + 1) for point in points
        ]
    _refuse_repeated(experiment, points)
    _refuse_shared_seeds(experiment, points)
    return points


def group_by_seed_alone(points: Sequence[Point]) -> list[list[Point]]:
    """The points in groups whose configs differ in nothing but their seeds."""
    groups: dict[str, list[Point]] = {}
    for point in points:
        rest = json.dumps(settings.to_json(point.config) | {"seeds": None}, sort_keys=True)
        groups.setdefault(rest, []).append(point)
    return list(groups.values())


def difference(config: ConfigDict, centre: ConfigDict) -> dict[str, Any]:
    """The keys in which a config differs from the centre, with its values."""
    there = settings.flatten(centre)
    return {key: value for key, value in settings.flatten(config).items() if value != there[key]}


def label(differs: Mapping[str, Any], keys: Collection[str]) -> str:
    """What differs, for people: `peak_lr=0.001,train.batch_size=64`.

    Args:
      differs: keys with their values; `centre` stands for none.
      keys: all of a config; where several end alike, the whole key is said.
    """
    ends = collections.Counter(key.rpartition(".")[2] for key in keys)
    parts = []
    for key, value in differs.items():
        end = key.rpartition(".")[2]
        shown = "+".join(map(str, value)) if isinstance(value, tuple) else str(value)
        parts.append(f"{end if ends[end] == 1 else key}={shown}")
    return ",".join(parts) or "centre"


def _point(experiment: Experiment, number: int, name: str, overrides: Mapping[str, Any]) -> Point:
    try:
        config = experiment.config(overrides)
    except UserError as e:
        raise UserError(f"{experiment.file.name}, the sweep's add({_call(name, overrides)}): {e}") from e
    differs = difference(config, experiment.centre)
    return Point(number, name or label(differs, settings.flatten(config)), differs, config)


def _call(name: str, overrides: Mapping[str, Any]) -> str:
    return ", ".join([repr(name)] * bool(name) + [f"{key}={value!r}" for key, value in overrides.items()])


def _refuse_repeated(experiment: Experiment, points: Sequence[Point]) -> None:
    seen: dict[str, Point] = {}
    for point in points:
        config = json.dumps(settings.to_json(point.config), sort_keys=True)
        for what in (f"config {config}", f"label {point.label}"):
            if what in seen:
                one = seen[what]
                raise UserError(
                    f"{experiment.file.name}: points {one.number} ({one.label}) and {point.number} "
                    f"({point.label}) of the sweep have the same {what.partition(' ')[0]}; drop one"
                )
            seen[what] = point


def _refuse_shared_seeds(experiment: Experiment, points: Sequence[Point]) -> None:
    """The runs of a group are averaged, and one seed's training would count twice."""
    for group in group_by_seed_alone(points):
        seen: dict[int, Point] = {}
        for point in group:
            for seed in point.config.seeds:
                if seed in seen:
                    raise UserError(
                        f"{experiment.file.name}: points {seen[seed].number} and {point.number} of the sweep "
                        f"differ in their seeds alone and share seed {seed}; give each seeds of its own"
                    )
                seen[seed] = point


def _slug(text: str) -> str:
    """A label as a part of a folder's name."""
    return re.sub(r"[^\w.]+", "-", text, flags=re.ASCII).strip("-.")[:LABEL_LENGTH] or "point"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
