"""The command line: verbs, flags, exit codes. Each verb imports what it needs, so that `extract` starts fast.

Exit 0 done (or stopped by SIGTERM where the same command resumes), 2 the user's mistake (one line), 1
anything else.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import errno
import json
import logging
import os
import pathlib
import re
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import fernjax
from fernjax.sim.types import UserError


class Terminated(BaseException):
    """SIGTERM came, and not while a step was trained, which saves by itself."""


class _Parser(argparse.ArgumentParser):
    def format_help(self) -> str:
        if "--config" in self._option_string_actions:
            self.formatter_class = argparse.RawDescriptionHelpFormatter
            self.epilog = _list_configs()
        if "--on" in self._option_string_actions:
            self.epilog = f"{_list_launch_keys()}\n\n{self.epilog}"
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message}; see `python -m fernjax {self.prog.split()[-1]} --help`")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        return _run(argv)
    except UserError as e:
        return _complain(str(e))
    except Terminated:
        return _say_stopped("stopped", argv, 0)
    except KeyboardInterrupt:
        return _say_stopped("interrupted", argv, 1)
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as e:
        if (told := _place_trouble(e)) is None:
            raise
        return _complain(told)
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(argv: list[str]) -> int:
    parser = make_parser()
    if not argv:
        parser.print_help(sys.stderr)
        return 2
    for item in argv:
        if any("\udc80" <= c <= "\udcff" for c in item):  # how Python keeps bytes that it cannot decode
            raise UserError(f"the argument {repr(os.fsencode(item))[1:]} is not UTF-8; give it in UTF-8")
    if not argv[0].startswith("-") and argv[0] not in VERBS:
        close = difflib.get_close_matches(argv[0], VERBS, n=1)
        hint = f"; did you mean {close[0]}?" if close else f"; there are: {', '.join(VERBS)}"
        raise UserError(f"no such verb {argv[0]!r}{hint}")
    flags, rest = parser.parse_known_args(argv)
    flags.overrides, flags.keys = _dotted(flags, rest)
    return VERBS[flags.verb](flags) or 0


def make_parser() -> argparse.ArgumentParser:
    """The parser of all verbs. `--config.key=value` is what it leaves over."""
    parser = _Parser(prog="python -m fernjax", allow_abbrev=False, description=DESCRIPTION)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=_Parser, required=True)
    for name, run in VERBS.items():
        doc = (run.__doc__ or "").strip()
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
    "verb": (str, "what is run there: loop, train, evaluate, fleet or sweep (loop)"),
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


def _list_configs() -> str:
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


def _dotted(flags: argparse.Namespace, rest: list[str]) -> tuple[dict[str, str], dict[str, str]]:
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


def _config(flags: argparse.Namespace) -> Any:
    """The config that the flags name, or the one that the workdir was made with."""
    from fernjax.loop import settings, workdir

    if _is_begun(flags):
        path = pathlib.Path(flags.workdir)
        config = workdir.Workdir(path).config()
        settings.check_whole(config, path)
        if flags.overrides:
            raise UserError(f"{flags.workdir} has its config; overrides need --config, and another --workdir")
        return config
    return settings.load_config(_config_name(flags), flags.overrides)


def _is_begun(flags: argparse.Namespace) -> bool:
    """Whether the workdir, given alone, holds the config of its run."""
    return (
        flags.config is None
        and bool(flags.workdir)
        and (pathlib.Path(flags.workdir) / "config.json").exists()
    )


def _config_name(flags: argparse.Namespace) -> str:
    from fernjax.loop import settings

    return flags.config or DEFAULT_CONFIGS.get(flags.verb, settings.DEFAULT_CONFIG)


def _workdir(flags: argparse.Namespace) -> pathlib.Path:
    from fernjax.loop import settings

    return pathlib.Path(flags.workdir or f"runs/{settings.run_name(_config_name(flags))}")


def loop(flags: argparse.Namespace) -> int:
    """The main job: generate, train, evaluate, diagnose, repair, gate; the same command resumes."""
    return _with_lab(flags, "loop")


def train(flags: argparse.Namespace) -> int:
    """Trains the first round alone, once a seed."""
    return _with_lab(flags, "train")


def evaluate(flags: argparse.Namespace) -> int:
    """Prints the champion's figures on the real sentences and on its round's generated ones, as JSON.

    What has been scored before is read back, not scored again.
    """
    return _with_lab(flags, "evaluate")


def _with_lab(flags: argparse.Namespace, verb: str) -> int:
    config, path = _config(flags), _workdir(flags)
    if flags.dry_run:
        from fernjax.loop.plan import describe_run

        print(describe_run(config, path, verb))
        return 0
    from fernjax.model import processes

    if processes.join() and not processes.is_first():
        from fernjax.model.devices import enable_compilation_cache
        from fernjax.model.trainer import take_part

        enable_compilation_cache()
        processes.follow({"train": take_part})
        return 0
    with processes.leading():
        return _lead(config, path, verb)


def _lead(config: Any, path: pathlib.Path, verb: str) -> int:
    from fernjax.loop import workdir
    from fernjax.loop.preflight import check_config
    from fernjax.model import devices

    check_config(config)  # before the folder is made
    devices.make_mesh(config.mesh.data, config.mesh.fsdp)
    devices.check_batch(config.train.batch_size, config.train.accumulate)
    with workdir.open_workdir(path, config) as work:
        from fernjax.loop import verbs
        from fernjax.model.train import Stopped

        try:
            return verbs.RUN[verb](config, work)
        except Stopped as e:
            print(f"{e}; the same command resumes", file=sys.stderr)
            return 0


def fleet(flags: argparse.Namespace) -> int:
    """The loop of every app, one after the other, each in WORKDIR/APP, and a page that compares them.

    An app that fails does not stop the others; the same command goes on with what is not done.
    """
    from fernjax.loop import fleet as fleets

    config, path = _config(flags), _workdir(flags)
    apps = fleets.choose_apps(config)
    if flags.dry_run:
        from fernjax.loop.plan import describe_fleet

        print(describe_fleet(config, path, apps))
        return 0
    from fernjax.loop.children import leave_devices
    from fernjax.loop.plan import for_app
    from fernjax.loop.preflight import check_config

    _refuse_several_processes("fleet")
    leave_devices()
    for app in apps:
        check_config(for_app(config, app))
    given = [f"--config={_config_name(flags)}"]
    return fleets.run_fleet(config, path, given + [f"--config.{k}={v}" for k, v in flags.overrides.items()])


def pretrain(flags: argparse.Namespace) -> int:
    """A broad model on many tools and texts, which any app's specialist can start from."""
    config, path = _config(flags), _workdir(flags)
    if flags.dry_run:
        from fernjax.loop.plan import describe_pretraining

        print(describe_pretraining(config, path))
        return 0
    from fernjax.loop import pretrain as pretraining
    from fernjax.loop import workdir

    with workdir.open_workdir(path, config) as work:
        from fernjax.model.train import Stopped

        try:
            return pretraining.run(config, work)
        except Stopped as e:
            print(f"{e}; the same command resumes", file=sys.stderr)
            return 0


def sweep(flags: argparse.Namespace) -> int:
    """Many runs of a config: --list, --run and --report the points of its sweep(add), --search its space.

    A point or a trial that fails does not stop the others; the same command goes on with what is not done.
    """
    from fernjax.loop import sweep as sweeps
    from fernjax.loop.children import IS_DONE
    from fernjax.loop.experiment import expand, read_experiment

    _check_sweep_flags(flags)
    experiment = read_experiment(flags.config, flags.overrides, [v for v in IS_DONE if v in VERBS])
    path = pathlib.Path(flags.workdir or f"{_workdir(flags)}-sweep")
    if flags.search is not None:
        return _search(flags, experiment, path)
    if flags.report:
        return _report_sweep(flags, experiment, path)
    points = expand(experiment)
    if flags.list:
        for line in sweeps.describe_points(experiment, points, path):
            print(json.dumps(line) if flags.json else sweeps.show_point(line))
        return 0
    if flags.dry_run:
        print(sweeps.describe_run(experiment, points, path, flags.point))
        return 0
    _refuse_several_processes("sweep")
    return sweeps.run_points(experiment, points, path, flags.point)


def _check_sweep_flags(flags: argparse.Namespace) -> None:
    """Refuses flags that do not go together."""
    modes = {"list": flags.list, "run": flags.run, "report": flags.report, "search": flags.search is not None}
    chosen = [name for name, there in modes.items() if there]
    if len(chosen) != 1:
        given = " and ".join(f"--{name}" for name in chosen) or "none"
        raise UserError(f"sweep takes one of --list, --run, --report and --search=N, not {given}")
    if flags.config is None:
        raise UserError("sweep needs --config=configs/NAME.py, a file with sweep(add) or search(trial)")
    for name, there, mode in (
        ("point", flags.point is not None, "run"),
        ("json", flags.json, "list"),
        ("storage", flags.storage is not None, "search or --report"),
    ):
        if there and chosen[0] not in mode:
            raise UserError(f"--{name} goes with --{mode}, not with --{chosen[0]}")
    if flags.search is not None and flags.search < 1:
        raise UserError(f"--search={flags.search}: give at least 1")


def _search(flags: argparse.Namespace, experiment: Any, path: pathlib.Path) -> int:
    from fernjax.loop.search import describe_search, run_search

    if flags.dry_run:
        print(describe_search(experiment, path, flags.search, flags.storage))
        return 0
    _refuse_several_processes("sweep")
    return run_search(experiment, path, flags.search, flags.storage)


def _report_sweep(flags: argparse.Namespace, experiment: Any, path: pathlib.Path) -> int:
    from fernjax.loop.comparison import write_comparison
    from fernjax.loop.experiment import expand
    from fernjax.loop.search import read_study
    from fernjax.loop.sweep import check_folders

    searches = hasattr(experiment.module, "search")
    points = [] if searches and not hasattr(experiment.module, "sweep") else expand(experiment)
    check_folders(experiment, points, path)
    study = read_study(experiment, path, flags.storage) if searches else None
    if flags.dry_run:
        print(f"sweep writes {path / 'sweep.json'} and {path / 'sweep.html'}")
        return 0
    summary = write_comparison(experiment, points, path, study)
    if summary["missing"]:
        print(f"missing: {'; '.join(summary['missing'])}", file=sys.stderr)
    print(path / "sweep.html")
    print(path / "sweep.json")
    return 0


def _refuse_several_processes(verb: str) -> None:
    from fernjax.model.processes import find_job

    if job := find_job(os.environ):
        raise UserError(
            f"{verb} runs in one process, not in {job.count}; run `loop` for each app or point instead"
        )


def generate(flags: argparse.Namespace) -> int:
    """Writes labelled sentences of the config's first recipe as JSONL; says on stderr what was dropped."""
    from fernjax.loop import use

    count = 1000 if flags.count is None else flags.count
    if count < 1:
        raise UserError(f"--count={count}: give at least 1")
    if count > MAX_COUNT:
        raise UserError(f"--count={count}: give at most {MAX_COUNT}")
    config = _config(flags)
    if flags.dry_run:
        from fernjax.loop.plan import describe_generation

        print(describe_generation(config, count, flags.output or ""))
        return 0
    return use.generate(config, count, flags.output or "")


def report(flags: argparse.Namespace) -> int:
    """Renders report.json and report.html of a run (a fleet's page) anew from what is on disk."""
    from fernjax.loop import settings, workdir
    from fernjax.model.files import digest_file

    if flags.workdir and (pathlib.Path(flags.workdir) / "fleet.json").exists():
        return _report_fleet(flags)
    work = workdir.existing_workdir(_workdir(flags) if flags.config else flags.workdir)
    if flags.config or flags.overrides:
        workdir.check(work, _config(flags))
    config = work.config()
    settings.check_whole(config, work.path)
    # The misses are shown with their labels, so the answers must be to the sentences that are there now.
    workdir.check_inputs(work, config, {"own_sentences": digest_file(config.real_path)})
    if flags.dry_run:
        print(f"report writes {work.path / 'report.json'} and {work.path / 'report.html'} anew")
        return 0
    from fernjax.loop.report import write_report

    write_report(work)
    print(work.path / "report.html")
    return 0


def _report_fleet(flags: argparse.Namespace) -> int:
    path = pathlib.Path(flags.workdir)
    if flags.config or flags.overrides:
        raise UserError(f"{path} is a fleet's; report takes its --workdir alone")
    if flags.dry_run:
        print(f"report writes {path / 'fleet.json'} and {path / 'fleet.html'} anew")
        return 0
    from fernjax.loop.fleet import rewrite_summary

    rewrite_summary(path)
    print(path / "fleet.html")
    return 0


def new_domain(flags: argparse.Namespace) -> int:
    """Drafts an app of your own from its tools: a file of fernjax/sim/domains/ that runs as it is."""
    from fernjax.loop.draft import write_domain

    if not flags.tools:
        raise UserError("new-domain needs --tools=tools.json, the app's tools in the OpenAI form")
    draft = write_domain(flags.name, flags.tools, flags.dry_run)
    for note in draft.left_out:
        print(note, file=sys.stderr)
    print(f"drafted {draft.tools} tools with {draft.arguments} arguments", file=sys.stderr)
    if flags.dry_run:
        print(f"nothing is written; without --dry_run new-domain writes {draft.path}")
        return 0
    print(
        f"next, look at what it says: python -m fernjax generate --config=configs/base.py "
        f"--config.domain={flags.name} --count=50 (docs/own-app.md goes on from there)",
        file=sys.stderr,
    )
    print(draft.path)
    return 0


def predict(flags: argparse.Namespace) -> int:
    """Calls for sentences: {"id", "query", "now"?} a line to {"id", "calls", "missing", ...} a line."""
    from fernjax.loop import use

    return use.predict(flags.workdir, flags.input or "", flags.output or "", flags.now)


def extract(flags: argparse.Namespace) -> int:
    """Mentions in texts: {"id", "text", "ref"} a line to {"id", "mentions"} a line."""
    from fernjax.loop import use

    return use.extract(flags.domain, flags.input or "", flags.output or "")


def call(flags: argparse.Namespace) -> int:
    """One sentence: the call, the mentions, what is missing, the confidence, and the app's answer."""
    from fernjax.loop import use

    return use.call(flags.sentence, flags.workdir, flags.now, flags.json)


def launch(flags: argparse.Namespace) -> int:
    """Runs a verb elsewhere: in the background here, on SLURM, Kubernetes, Cloud TPU or by SkyPilot.

    The same command after the run was stopped goes on with it. launch/README.md has examples.
    """
    from launch import launching
    from launch.job import make_job

    if flags.status or flags.logs:
        launched = launching.read_beside(str(_workdir(flags)))
        print(launching.status(launched) if flags.status else launching.logs(launched))
        return 0
    if flags.on is None:
        raise UserError(f"launch needs --on=PLACE; there are: {', '.join(launching.PLACES)}")
    place = launching.find_place(flags.on)
    verb = flags.launched or "loop"
    if verb not in LAUNCHED:
        raise UserError(f"launch runs {', '.join(LAUNCHED)}, not {verb!r}")
    run = argparse.Namespace(**(vars(flags) | {"verb": verb}))
    _config(run)  # a mistake in it is better found before the queue
    job = make_job(
        flags.on,
        place.TAKES,
        _find_out(flags.keys, run),
        verb=verb,
        config="" if _is_begun(run) else _config_name(run),
        workdir=str(_workdir(run)),
        overrides=flags.overrides,
        directory=os.getcwd(),
    )
    if flags.dry_run:
        print(launching.describe(flags.on, job))
        return 0
    launched = launching.submit(flags.on, job)
    print(
        f"launched on {flags.on}; `launch --workdir={job.workdir} --status` or --logs tells more",
        file=sys.stderr,
    )
    print("\n".join(launched.ids))
    return 0


def _find_out(keys: dict[str, str], run: argparse.Namespace) -> dict[str, str]:
    """What `--launch.key` gives, with what need not be said: a sweep's points, the commit that is here."""
    from fernjax.loop import workdir
    from launch.place import run_tool

    found = {}
    if run.verb == "sweep" and "points" not in keys:
        given = [f"--config={_config_name(run)}", *(f"--config.{k}={v}" for k, v in run.overrides.items())]
        printed = run_tool([sys.executable, "-m", "fernjax", "sweep", *given, "--list"], "fernjax")
        found["points"] = str(len(printed.splitlines()))
    if "repository" in keys and "commit" not in keys:
        here = workdir.provenance()
        found["commit"] = here["commit"] or ""
        if here["dirty"]:
            print(
                f"what is changed here since commit {found['commit'][:7]} does not run there", file=sys.stderr
            )
    return found | keys


VERBS: dict[str, Callable[[argparse.Namespace], int]] = {
    "loop": loop,
    "fleet": fleet,
    "pretrain": pretrain,
    "sweep": sweep,
    "generate": generate,
    "train": train,
    "evaluate": evaluate,
    "report": report,
    "new-domain": new_domain,
    "predict": predict,
    "extract": extract,
    "call": call,
    "launch": launch,
}

DEFAULT_CONFIGS = {"fleet": "configs/fleet.py", "pretrain": "configs/pretrain_bud.py"}
"""Of the verbs for which it is not `configs/base.py`."""

MAX_COUNT = 10_000_000
"""Most sentences of one `generate`: more are a slip, and would fill a disk."""

LONGEST_WORD, LONGEST_LINE = 300, 1500
"""Characters of a word, and of all, beyond which a complaint leaves out the middle."""

RESUMES = ("loop", "train", "evaluate", "fleet", "pretrain", "sweep")
"""Verbs that go on where an earlier process of the same command was stopped."""

LAUNCHED = (*RESUMES, "sweep")
"""Verbs that may be run elsewhere, where a machine may be taken away at any moment."""

POSITIONAL = ("sentence", "name")

FLAGS = {
    "loop": ("config", "workdir", "dry_run"),
    "fleet": ("config", "workdir", "dry_run"),
    "pretrain": ("config", "workdir", "dry_run"),
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
    "predict": ("workdir", "input", "output", "now"),
    "extract": ("domain", "input", "output"),
    "call": ("sentence", "workdir", "now", "json"),
    "launch": ("on", "verb", "config", "workdir", "dry_run", "status", "logs"),
}


def _terminate(*_: object) -> NoReturn:
    raise Terminated


def _say_stopped(how: str, argv: Sequence[str], resumable_code: int) -> int:
    if argv and argv[0] in RESUMES:
        print(f"{how}; the same command resumes", file=sys.stderr)
        return resumable_code
    print(f"{how} before the end; run the same command again", file=sys.stderr)
    return 1


def _complain(line: str) -> int:
    print("fernjax: " + _shorten(" ".join(line.split())), file=sys.stderr)
    return 2


def _shorten(line: str) -> str:
    """A line without the middles of the over-long values that it quotes, and of itself."""
    line = re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: _cut(word[0], LONGEST_WORD // 2), line)
    return _cut(line, LONGEST_LINE)


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size // 2]}...{text[-size // 2 :]}"


def _place_trouble(error: BaseException | None) -> str | None:
    """One line about a place that cannot be used, wherever in the chain of causes it is.

    A disk that is full, what may not be written, a path that no file system takes.
    """
    from fernjax.model.files import says_disk_full

    while error is not None:
        where = f" ({error.filename})" if isinstance(error, OSError) and error.filename else ""
        if says_disk_full(error):
            return f"the disk is full{where}; free some space and run the same command again"
        if isinstance(error, OSError) and error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            return f"may not write{where}: {os.strerror(error.errno)}; choose another place"
        if isinstance(error, OSError) and error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            return f"cannot use the path{where}: {os.strerror(error.errno)}; choose another one"
        error = error.__cause__ or error.__context__
    return None
