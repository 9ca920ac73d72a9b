"""The command line: verbs, flags, exit codes. Each verb imports what it needs, so that `extract` starts fast.

Exit 0 done (or stopped by SIGTERM where the same command resumes), 2 the user's mistake (one line), 1
anything else.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import logging
import os
import pathlib
import re
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from fernjax.loop.flags import Verb, dotted, find_config, make_parser, refuse_benchmark, workdir_path
from fernjax.loop.many import RESUMES, fleet, launch, sweep
from fernjax.sim.types import UserError

MAX_COUNT = 10_000_000
"""Most sentences of one `generate`: more are a slip, and would fill a disk."""

LONGEST_WORD, LONGEST_LINE = 300, 1500
"""Characters of a word, and of all, beyond which a complaint leaves out the middle."""


class Terminated(BaseException):
    """SIGTERM came, and not while a step was trained, which saves by itself."""


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
    parser = make_parser(VERBS)
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
    flags.overrides, flags.keys = dotted(flags, rest)
    return VERBS[flags.verb](flags) or 0


def loop(flags: argparse.Namespace) -> int:
    """The main job: generate, train, evaluate, diagnose, repair, gate; the same command resumes."""
    return _with_lab(flags, "loop")


def train(flags: argparse.Namespace) -> int:
    """Trains the first round alone, once a seed; on the public benchmark, reports as well."""
    return _with_lab(flags, "train")


def evaluate(flags: argparse.Namespace) -> int:
    """Prints the champion's figures on the real sentences and on its round's generated ones, as JSON.

    What has been scored before is read back, not scored again.
    """
    return _with_lab(flags, "evaluate")


def _with_lab(flags: argparse.Namespace, verb: str) -> int:
    config, path = find_config(flags), workdir_path(flags)
    if verb == "loop":
        refuse_benchmark(config.task, verb)
    if flags.dry_run:
        from fernjax.loop import plan, snips

        describe = snips.describe if config.task == "snips" else plan.describe_run
        print(describe(config, path, verb))
        return 0
    return _in_all_processes(lambda: _lead(config, path, verb))


def _in_all_processes(lead: Callable[[], int]) -> int:
    """What the first process leads; the others, where there are any, take part in its trainings."""
    from fernjax.model import processes
    from fernjax.model.trainer import Stopped

    if processes.join() and not processes.is_first():
        from fernjax.model.devices import enable_compilation_cache
        from fernjax.model.trainer import take_part

        enable_compilation_cache()
        processes.follow({"train": take_part})
        return 0
    with processes.leading():
        try:
            return lead()
        except Stopped as e:
            print(f"{e}; the same command resumes", file=sys.stderr)
            return 0


def _lead(config: Any, path: pathlib.Path, verb: str) -> int:
    from fernjax.loop import snips, workdir
    from fernjax.loop.preflight import check_config

    if config.task == "snips":  # before the folder is made
        snips.check(config)
    else:
        check_config(config)
    _check_devices(config)
    with workdir.open_workdir(path, config) as work:
        from fernjax.loop import verbs

        run = snips.RUN if config.task == "snips" else verbs.RUN
        return run[verb](config, work)


def _check_devices(config: Any) -> None:
    """Refuses a mesh or a batch that the devices here cannot take, before a folder is made."""
    from fernjax.model import devices

    devices.make_mesh(config.mesh.data, config.mesh.fsdp)
    devices.check_batch(config.train.batch_size, config.train.accumulate)


def pretrain(flags: argparse.Namespace) -> int:
    """A broad model on many tools and texts, which any app's specialist can start from."""
    config, path = find_config(flags), workdir_path(flags)
    refuse_benchmark(config.task, "pretrain")
    if flags.dry_run:
        from fernjax.loop.plan import describe_pretraining

        print(describe_pretraining(config, path))
        return 0
    return _in_all_processes(lambda: _lead_pretraining(config, path))


def _lead_pretraining(config: Any, path: pathlib.Path) -> int:
    from fernjax.loop import pretrain as pretraining
    from fernjax.loop import workdir

    _check_devices(config)
    with workdir.open_workdir(path, config) as work:
        return pretraining.run(config, work)


def world(flags: argparse.Namespace) -> int:
    """Apps as worlds to be learned: a model foretells what each answers, judged against its simulator."""
    config, path = find_config(flags), workdir_path(flags)
    refuse_benchmark(config.task, "world")
    if flags.dry_run:
        from fernjax.loop.plan import describe_world

        print(describe_world(config, path))
        return 0
    return _in_all_processes(lambda: _lead_world(config, path))


def _lead_world(config: Any, path: pathlib.Path) -> int:
    from fernjax.loop import workdir
    from fernjax.loop import world as worlds
    from fernjax.loop.plan import describe_world

    describe_world(config, path)  # what cannot be is told before the folder is made
    _check_devices(config)
    with workdir.open_workdir(path, config) as work:
        return worlds.run(config, work)


def generate(flags: argparse.Namespace) -> int:
    """Writes labelled sentences of the config's first recipe as JSONL; says on stderr what was dropped."""
    from fernjax.loop import use

    count = 1000 if flags.count is None else flags.count
    if count < 1:
        raise UserError(f"--count={count}: give at least 1")
    if count > MAX_COUNT:
        raise UserError(f"--count={count}: give at most {MAX_COUNT}")
    config = find_config(flags)
    refuse_benchmark(config.task, "generate")
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
    work = workdir.existing_workdir(workdir_path(flags) if flags.config else flags.workdir)
    if flags.config or flags.overrides:
        workdir.check(work, find_config(flags))
    config = work.config()
    settings.check_whole(config, work.path)
    if config.task == "snips":
        return _report_snips(flags, config, work)
    # The misses are shown with their labels, so the answers must be to the sentences that are there now.
    workdir.check_inputs(work, config, {"own_sentences": digest_file(config.real_path)})
    if flags.dry_run:
        print(f"report writes {work.path / 'report.json'} and {work.path / 'report.html'} anew")
        return 0
    from fernjax.loop.report import write_report

    write_report(work)
    print(work.path / "report.html")
    return 0


def _report_snips(flags: argparse.Namespace, config: Any, work: Any) -> int:
    from fernjax.loop import snips, workdir

    workdir.check_benchmark(work, config)
    if flags.dry_run:
        print(f"report writes {work.path / 'report.json'} anew")
        return 0
    snips.write_report(config, work)
    print(work.path / "report.json")
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

    return use.predict(flags.workdir, flags.input or "", flags.output or "", flags.now, flags.tools)


def extract(flags: argparse.Namespace) -> int:
    """Mentions in texts: {"id", "text", "ref"} a line to {"id", "mentions"} a line."""
    from fernjax.loop import use

    return use.extract(flags.domain, flags.input or "", flags.output or "")


def call(flags: argparse.Namespace) -> int:
    """One sentence: the call, the mentions, what is missing, the confidence, and the app's answer."""
    from fernjax.loop import use

    return use.call(flags.sentence, flags.workdir, flags.now, flags.json)


VERBS: dict[str, Verb] = {
    "loop": loop,
    "fleet": fleet,
    "pretrain": pretrain,
    "world": world,
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
