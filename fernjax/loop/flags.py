"""The command line's flags: what each verb takes and means by them, and the config and folder they name."""

from __future__ import annotations

import argparse
import ast
import pathlib
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import fernjax
from fernjax.sim.types import UserError

Verb = Callable[[argparse.Namespace], int]


class _Parser(argparse.ArgumentParser):
    def format_help(self) -> str:
        if "--config" in self._option_string_actions:
            self.formatter_class = argparse.RawDescriptionHelpFormatter
            self.epilog = list_configs()
        if "--on" in self._option_string_actions:
            self.epilog = f"{_list_launch_keys()}\n\n{self.epilog}"
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message}; see `python -m fernjax {self.prog.split()[-1]} --help`")


def make_parser(run: Mapping[str, Verb]) -> argparse.ArgumentParser:
    """The parser of all verbs. `--config.key=value` is what it leaves over."""
    parser = _Parser(prog="python -m fernjax", allow_abbrev=False, description=DESCRIPTION)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=_Parser, required=True)
    for name, function in run.items():
        doc = (function.__doc__ or "").strip()
        verb = verbs.add_parser(name, help=doc.partition("\n")[0], description=doc, allow_abbrev=False)
        for flag in FLAGS[name]:
            kind, text = FLAG_HELP[flag]
            text = OWN_HELP.get((name, flag), text)
            extra: dict[str, Any] = {"action": "store_true"} if kind is bool else {"type": kind}
            names = [flag] if flag in POSITIONAL else [f"--{flag}"]
            if flag == "dry_run":
                names.append("--dry-run")
            if flag == "verb":  # beside the one that is run here
                extra["dest"] = "launched"
            verb.add_argument(*names, help=text, **extra)
    return parser


DESCRIPTION = (
    "Tiny tool callers: a sentence becomes a call. --config.key=value overrides any key of a config."
)

FLAG_HELP: dict[str, tuple[Callable[[str], Any], str]] = {
    "config": (str, "configs/NAME.py[:VARIANT], listed below"),
    "workdir": (str, "the run's folder (runs/NAME-VARIANT of the config)"),
    "dry_run": (bool, "print what would be done, and touch nothing"),
    "input": (str, "JSONL to read; standard input without it"),
    "output": (str, "JSONL to write; standard output without it"),
    "now": (str, "the moment of speaking, ISO 8601 local time"),
    "domain": (str, "keep only the kinds of mention that this app's arguments use"),
    "count": (int, "how many (1000)"),
    "name": (str, "the app's name: lower-case letters, digits and _"),
    "tools": (
        str,
        "JSON of the app's tools: a list, or an object with one under `tools`; each tool in the OpenAI form, "
        "as a bare function (BFCL), or as an MCP server or Anthropic's API lists it",
    ),
    "json": (bool, "one JSON object"),
    "list": (bool, "one line a point: number, label, what differs from the centre, state"),
    "run": (bool, "run every point that is not done"),
    "point": (int, "with --run: this point alone, as an array job runs it"),
    "report": (bool, "join what is done into WORKDIR/sweep.json and sweep.html"),
    "search": (int, "run trials of the config's search(trial) until the study holds so many (Optuna)"),
    "storage": (
        str,
        "the study's database, a URL that all processes which share it can reach (sqlite, WORKDIR/study.db)",
    ),
    "sentence": (str, "what is said, in quotes"),
    "on": (str, "the place: local, slurm, k8s, tpu or skypilot"),
    "verb": (str, "what is run there: loop, train, evaluate, fleet, pretrain, world or sweep (loop)"),
    "status": (bool, "say how what was launched with this --workdir stands"),
    "logs": (bool, "print the end of its logs"),
}


OWN_HELP = {
    (
        "fleet",
        "workdir",
    ): "the fleet's folder, with one below it for each app (runs/NAME-VARIANT)",
    (
        "sweep",
        "workdir",
    ): "the sweep's folder, with points/ and trials/ in it (runs/NAME-VARIANT-sweep)",
    ("sweep", "json"): "with --list: one JSON object a line",
    ("generate", "workdir"): "a run whose config is taken, in place of --config",
    ("generate", "count"): "how many sentences (1000)",
    (
        "report",
        "workdir",
    ): "the run's or the fleet's folder (that of --config, else the only one in runs/)",
    (
        "predict",
        "tools",
    ): "JSON of tools, in any of new-domain's forms, for a pretraining's broad model to read and call",
    ("predict", "workdir"): "the run whose champion answers (the only one in runs/)",
    ("call", "workdir"): "the run whose champion answers (the only one in runs/)",
    ("call", "now"): "the moment of speaking, ISO 8601 local time (this moment)",
    (
        "launch",
        "workdir",
    ): "the run's folder; what is submitted and its logs lie beside it, in WORKDIR.launch",
    ("launch", "dry_run"): "print the files and the commands, and touch nothing",
}
"""What a flag means to one verb, where that differs from `FLAG_HELP`."""


POSITIONAL = ("sentence", "name")

FLAGS = {
    "loop": ("config", "workdir", "dry_run"),
    "fleet": ("config", "workdir", "dry_run"),
    "pretrain": ("config", "workdir", "dry_run"),
    "world": ("config", "workdir", "dry_run"),
    "sweep": (
        "config",
        "workdir",
        "list",
        "run",
        "point",
        "report",
        "search",
        "storage",
        "json",
        "dry_run",
    ),
    "generate": ("config", "workdir", "count", "output", "dry_run"),
    "train": ("config", "workdir", "dry_run"),
    "evaluate": ("config", "workdir", "dry_run"),
    "report": ("config", "workdir", "dry_run"),
    "new-domain": ("name", "tools", "dry_run"),
    "predict": ("workdir", "tools", "input", "output", "now"),
    "extract": ("domain", "input", "output"),
    "call": ("sentence", "workdir", "now", "json"),
    "launch": ("on", "verb", "config", "workdir", "dry_run", "status", "logs"),
}


DEFAULT_CONFIGS = {
    "fleet": "configs/fleet.py",
    "pretrain": "configs/pretrain_bud.py",
    "world": "configs/world.py",
}
"""Of the verbs for which it is not `configs/base.py`."""


def list_configs() -> str:
    """The experiments in `configs/` with their variants, a line each, from their docstrings."""
    folder = pathlib.Path(fernjax.__file__).resolve().parents[1] / "configs"
    lines = [f"configs, in {folder} (--config.KEY=VALUE overrides any key of configs/base.py):"]
    for path in sorted(folder.glob("*.py")):
        doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        lines.append(f"  {path.name}: {doc.partition(chr(10))[0]}")
        for variant, said in re.findall(r"^(\w+) {2,}(\S.*(?:\n {3,}\S.*)*)", doc, re.MULTILINE):
            short = re.split(r"[:.;](?:\s|$)", " ".join(said.split()), maxsplit=1)[0]
            lines.append(f"    {path.name}:{variant}  {short}")
    return "\n".join(lines)


def _list_launch_keys() -> str:
    from launch import launching
    from launch.job import describe_keys

    return describe_keys({name: place.TAKES for name, place in launching.PLACES.items()})


def dotted(flags: argparse.Namespace, rest: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """`--config.key=value` and `--launch.key value` of what the parser left over, each without its head."""
    takes: dict[str, dict[str, str]] = {
        f"--{head}.": {} for head, flag in (("config", "config"), ("launch", "on")) if flag in vars(flags)
    }
    items = iter(rest)
    for item in items:
        key, equals, value = item.partition("=")
        head = next((head for head in takes if key.startswith(head)), None)
        if head is None:
            raise UserError(f"{flags.verb} takes no {key}; see `python -m fernjax {flags.verb} --help`")
        following = value if equals else next(items, None)
        if following is None:
            raise UserError(f"{key} lacks a value; write {key}=VALUE")
        takes[head][key.removeprefix(head)] = following
    return takes.get("--config.", {}), takes.get("--launch.", {})


def refuse_benchmark(task: str, verb: str) -> None:
    """Refuses what only an app can do.

    Raises:
      UserError: a config of another task.
    """
    if task != "app":
        raise UserError(
            f"{verb} needs an app, and the task {task} has none; it takes train, evaluate, report and predict"
        )


def find_config(flags: argparse.Namespace) -> Any:
    """The config that the flags name, or the one that the workdir was made with."""
    from fernjax.loop import settings, workdir

    if is_begun(flags):
        path = pathlib.Path(flags.workdir)
        config = workdir.Workdir(path).config()
        settings.check_whole(config, path)
        if flags.overrides:
            raise UserError(f"{flags.workdir} has its config; overrides need --config, and another --workdir")
        return config
    return settings.load_config(config_name(flags), flags.overrides)


def is_begun(flags: argparse.Namespace) -> bool:
    """Whether the workdir, given alone, holds the config of its run."""
    return (
        flags.config is None
        and bool(flags.workdir)
        and (pathlib.Path(flags.workdir) / "config.json").exists()
    )


def config_name(flags: argparse.Namespace) -> str:
    from fernjax.loop import settings

    return flags.config or DEFAULT_CONFIGS.get(flags.verb, settings.DEFAULT_CONFIG)


def workdir_path(flags: argparse.Namespace) -> pathlib.Path:
    from fernjax.loop import settings

    return pathlib.Path(flags.workdir or f"runs/{settings.run_name(config_name(flags))}")
