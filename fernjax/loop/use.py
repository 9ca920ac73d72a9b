"""A trained model in use: sentences to calls, texts to mentions, one call shown to a person."""

from __future__ import annotations

import datetime
import itertools
import json
import pathlib
import random
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ml_collections import ConfigDict

from fernjax.loop import lines
from fernjax.loop.lines import BadLine, Line
from fernjax.sim.mentions import extract as extract_mentions
from fernjax.sim.resolve import kinds_to_show
from fernjax.sim.types import Call, Mention, Observation, Prediction, Query, UserError
from fernjax.sim.world import Domain, load_domain

if TYPE_CHECKING:  # slow to import, and `extract` needs none
    from fernjax.loop.workdir import Workdir

CHUNK = 256
"""Lines that are predicted together: memory stays bounded on streams of any length."""

UNREADABLE = "the model cannot read the sentence: it is too long for it, or holds no letter or digit"
"""Why a model answers a well-formed line with the outcome `error`."""


def generate(config: ConfigDict, count: int, output: str) -> int:
    """Writes `count` scenarios of the config's recipe, label and provenance, as JSONL."""
    from fernjax.loop.real_sets import load_sets
    from fernjax.sim.recipe import Recipe
    from fernjax.sim.scenario import Generator

    domain = load_domain(config.domain)
    load_sets(config, domain, "gate")  # for its complaints about the user's own file
    generator = Generator(domain, Recipe.of_run(config), config.seeds[0])
    with lines.open_output(output) as out:
        for i in range(count):
            s = generator.scenario(i)
            row = {
                "id": s.row.query.id,
                "now": s.row.query.now,
                "query": s.row.query.text,
                "calls": s.row.calls,
            }
            about = {"bucket": s.bucket, "template": s.template, "skeleton": s.skeleton, "seed": list(s.seed)}
            lines.write_line(out, row | about)
    dropped = ", ".join(f"{n} {reason}" for reason, n in sorted(generator.dropped.items())) or "none"
    print(f"{count} sentences from {generator.sampled} draws; dropped: {dropped}", file=sys.stderr)
    return 0


def predict(directory: str | None, input_: str, output: str, now: str | None, tools: str | None) -> int:
    """Predicts every line of a stream, in order; a bad line gives an error line with its number.

    With `tools`, a file of tools, a broad model answers, which reads them; without, a run's champion.
    """
    default_now = _flag_now(now)
    with lines.open_input(input_) as source, lines.open_output(output) as out:
        # Takes seconds: what cannot be opened is told before.
        model = BroadModel(directory, tools) if tools else _load_model(directory)
        if isinstance(model, Benchmark):
            default_now = default_now or ""
        for chunk in _chunks(lines.read_lines(source)):
            for answer in _answer(model, chunk, default_now):
                lines.write_line(out, answer)
            out.flush()
    return 0


def extract(domain: str | None, input_: str, output: str) -> int:
    """Mentions of every line of a stream, in order. Loads no model."""
    kinds = kinds_to_show(load_domain(domain).tools) if domain else None
    with lines.open_input(input_) as source, lines.open_output(output) as out:
        for line in lines.read_lines(source):
            lines.write_line(out, _extract_line(line, kinds))
    return 0


def call(sentence: str, directory: str | None, now: str | None, as_json: bool) -> int:
    """Shows what one sentence becomes and what the simulated app answers, in a seeded state."""
    try:
        text = lines.text_of({"sentence": sentence}, "sentence")
    except BadLine as e:
        raise UserError(f"{e}; say what the app should do") from e
    lines.standard_output()  # what is shown may hold any letter
    when = _flag_now(now) or datetime.datetime.now().isoformat(timespec="seconds")
    model = _load_model(directory)
    if isinstance(model, Benchmark):
        raise UserError("the run is of the public benchmark, which has no app to call; use predict")
    prediction = model.predict([Query("call", text, when)])[0]
    mentions = extract_mentions(text, when, kinds_to_show(model.domain.tools))
    observations = observe(model.domain, prediction, when)
    if as_json:
        shown = {"query": text, "now": when, **prediction.to_json()}
        shown["mentions"] = [m.to_json() for m in mentions]
        shown["observations"] = [o.to_json() for o in observations]
        print(json.dumps(shown, ensure_ascii=False))
    else:
        _show(text, when, prediction, mentions, observations)
    return 0


def observe(domain: Domain, prediction: Prediction, now: str) -> list[Observation]:
    """What the app answers to each call in turn, from its state of seed 0."""
    state = domain.initial_state(random.Random(0), now)
    observations = []
    for one in prediction.calls:
        state, seen = domain.step(state, one)
        observations.append(seen)
    return observations


class Model:
    """The champion of a run, with its app."""

    def __init__(self, directory: pathlib.Path, config: ConfigDict) -> None:
        from fernjax.model.devices import enable_compilation_cache
        from fernjax.model.predictor import Predictor

        enable_compilation_cache()
        self.domain = load_domain(config.domain)
        self.predict = Predictor.load(directory).predict


class BroadModel:
    """The broad model of a pretraining, its first seed's, with tools that it reads as a file gives them."""

    def __init__(self, directory: str | None, tools_path: str) -> None:
        from fernjax.loop.draft import read_json
        from fernjax.loop.workdir import existing_workdir, task_of
        from fernjax.model import pretrain
        from fernjax.model.devices import enable_compilation_cache
        from fernjax.model.transformer import ModelConfig
        from fernjax.model.zero_shot import ZeroShot
        from fernjax.sim.drafting.document import read_tools

        read = read_tools(read_json(tools_path))
        for note in read.left_out:
            print(note, file=sys.stderr)
        work = existing_workdir(directory)
        config = work.config()
        if task_of(work) == "snips" or (work.path / "rounds").exists():
            raise UserError(
                f"{work.path} knows its own tools alone; --tools needs the folder of a `pretrain`"
            )
        enable_compilation_cache()
        model = ModelConfig.from_config(config)
        self._tools = read.tools
        self._zero_shot = ZeroShot.load(pretrain.find_weights(str(work.path), config.seeds[0]), model)

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        """The calls of each query."""
        return self._zero_shot.predict(queries, self._tools)


class Benchmark:
    """The tagger of a run of the public benchmark. Its calls hold words alone: it does not read `now`."""

    def __init__(self, work: Workdir) -> None:
        from fernjax.loop import snips

        self._tagger = snips.load_predictor(work)

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        """The call of each query."""
        return [prediction for prediction, _ in self._tagger.predict([q.text for q in queries])]


def _load_model(directory: str | None) -> Model | Benchmark:
    """The champion of a run. A pretraining's folder has none."""
    from fernjax.loop.workdir import SHIPPED, existing_workdir, task_of

    work = existing_workdir(directory)
    if task_of(work) == "snips":
        return Benchmark(work)
    config = work.config()
    if any(work.path.glob("seed*/weights.safetensors")):
        raise UserError(
            f"{work.path} is a pretraining's: its broad model reads tools that predict is given, "
            "--tools=tools.json; specialists that start from it are in specialists/"
        )
    return Model(work.champion() / "checkpoints" / f"seed{config.seeds[0]}" / SHIPPED, config)


def _flag_now(now: str | None) -> str | None:
    if now is None:
        return None
    try:
        return lines.moment(now, "now")
    except BadLine as e:
        raise UserError(f"--now={now}: {e}") from e


def _chunks(stream: Iterator[Line]) -> Iterator[list[Line]]:
    while chunk := list(itertools.islice(stream, CHUNK)):
        yield chunk


def _answer(
    model: Model | BroadModel | Benchmark, chunk: Sequence[Line], default_now: str | None
) -> Iterator[dict[str, Any]]:
    asked: dict[int, tuple[Any, Query]] = {}
    errors: dict[int, str] = {}
    for line in chunk:
        try:
            asked[line.number] = _read_query(line, default_now)
        except BadLine as e:
            errors[line.number] = str(e)
    predictions = (
        dict(zip(asked, model.predict([q for _, q in asked.values()]), strict=True)) if asked else {}
    )
    for line in chunk:
        if line.number in errors:
            yield _error_line(line, errors[line.number]) | Prediction((), (), "error", 0.0).to_json()
            continue
        (key, _), prediction = asked[line.number], predictions[line.number]
        about = {"line": line.number, "error": UNREADABLE} if prediction.outcome == "error" else {}
        yield {"id": key} | about | prediction.to_json()


def _read_query(line: Line, default_now: str | None) -> tuple[Any, Query]:
    if line.error:
        raise BadLine(line.error)
    key = lines.id_of(line.value)
    text = lines.text_of(line.value, "query")
    if line.value.get("now") is None and default_now is None:
        raise BadLine('no "now" and no --now')
    now = default_now if line.value.get("now") is None else lines.moment(line.value["now"], "now")
    assert now is not None  # one of the two is there
    return key, Query(str(key), text, now)


def _extract_line(line: Line, kinds: frozenset[str] | None) -> dict[str, Any]:
    try:
        if line.error:
            raise BadLine(line.error)
        key = lines.id_of(line.value)
        text = line.value.get("text")
        if not isinstance(text, str):
            raise BadLine('no "text"' if text is None else '"text" is not a text')
        lines.check_unicode(text, "text")
        if "ref" not in line.value:
            raise BadLine('no "ref"')
        mentions = extract_mentions(text, lines.moment(line.value["ref"], "ref"), kinds)
    except BadLine as e:
        return _error_line(line, str(e)) | {"mentions": []}
    return {"id": key, "mentions": [m.to_json() for m in mentions]}


def _error_line(line: Line, error: str) -> dict[str, Any]:
    try:
        key = lines.id_of(line.value)
    except BadLine:
        key = None  # what is wrong with it is told in `error`
    return {"id": key, "line": line.number, "error": error}


def _show(
    text: str,
    now: str,
    prediction: Prediction,
    mentions: Sequence[Mention],
    observations: Sequence[Observation],
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_row("sentence", Text(f"{text}   (said {now})"))
    for mention in mentions:
        words = text[mention.start : mention.end]
        table.add_row("mention", Text(f"{words!r} {mention.kind} {json.dumps(mention.value)}"))
    for one, seen in zip(prediction.calls, observations, strict=True):
        table.add_row("call", Text(_python(one), style="bold"))
        table.add_row("answer", Text(f"{seen.status} {json.dumps(_few(seen.data), ensure_ascii=False)}"))
    if prediction.outcome != "call":
        table.add_row("outcome", prediction.outcome)
    if prediction.missing:
        table.add_row("missing", Text(", ".join(prediction.missing)))
    table.add_row("confidence", f"{prediction.confidence:.2f}")
    console.print(table)


SHOWN = 3
"""Records of a listing that a person is shown."""


def _few(value: Any) -> Any:
    """A JSON value with the first `SHOWN` members of each list, and how many more there are."""
    if isinstance(value, dict):
        return {k: _few(v) for k, v in value.items()}
    if not isinstance(value, list):
        return value
    more = len(value) - SHOWN
    return [*map(_few, value[:SHOWN]), *([f"... and {more} more"] if more > 0 else [])]


def _python(one: Call) -> str:
    arguments = ", ".join(f"{k}={json.dumps(v, ensure_ascii=False)}" for k, v in one.arguments.items())
    return f"{one.name}({arguments})"
