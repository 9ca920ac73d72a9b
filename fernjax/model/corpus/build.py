"""From sources to shards: converted, deduplicated, kept apart from the real sentences, tokenized once.

No JAX here.
"""

from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import json
import pathlib
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from fernjax.model import codec
from fernjax.model.corpus import dialogues, local, sources
from fernjax.model.corpus.shards import CallWriter, Service, write_texts
from fernjax.model.files import digest_file, write_file
from fernjax.model.tokenizer import BEGIN, END, load_tokenizer
from fernjax.sim.drafting import draft
from fernjax.sim.pools import plain_sentences
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator, real_sentences
from fernjax.sim.text import NearCopies, normalize
from fernjax.sim.types import Call, Row, UserError
from fernjax.sim.world import Domain, domain_names, load_domain

VERSION = 1
"""Of the form and of the way that shards are made; another makes them anew."""

STREAM = 40_000
"""First seed of the generated sentences' streams; a stream a set of tools."""

Texts = Iterable[list[tuple[str, str]]]
"""Documents, each of marked parts: `(mark, text)`; see `tokenizer.MARKS`."""


@dataclasses.dataclass
class Counts:
    """What became of a source's documents or sentences; `kept` without those that were dropped."""

    read: int = 0
    kept: int = 0
    characters: int = 0
    tokens: int = 0
    seconds: float = 0.0
    dropped: Counter[str] = dataclasses.field(default_factory=Counter)


def build(config: Any, note: Callable[[str], None]) -> pathlib.Path:
    """The folder of a config's shards, made if it is not there; runs with the same data share it.

    Args:
      config: a whole config.
      note: told, in a line each, what is being made.

    Raises:
      UserError: a source that is not there, or is none; a full disk.
    """
    recipe = Recipe.of_run(config)
    names = [
        f"{kind}/{name}" for kind in ("calls", "texts") for name, w in sorted(config.data[kind].items()) if w
    ]
    names += [f"heldout/{name}" for name in HELD_OUT if f"calls/{name}" in names]
    root = pathlib.Path(config.data.root)
    public = {n: sources.locate(sources.find_source(n), root) for n in _public(names)}
    about = _about(config, recipe, names, public)
    folder = pathlib.Path(config.data.shards) / hashlib.sha256(_canonical(about)).hexdigest()[:16]
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / f"{folder.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several runs of a sweep may want the same shards
        if (folder / "manifest.json").exists():
            return folder
        making = folder.with_suffix(".making")
        shutil.rmtree(making, ignore_errors=True)
        maker = _Maker(config, recipe, public, note)
        manifest: dict[str, Any] = {"version": VERSION, "about": about, "sources": {}}
        for name in names:
            note(f"shards: {name}")
            manifest["sources"][name] = maker.make(name, making / name)
        manifest["arrays"] = {
            str(p.relative_to(making)): digest_file(p) for p in sorted(making.rglob("*")) if p.is_file()
        }
        write_file(making / "manifest.json", (json.dumps(manifest, indent=1) + "\n").encode())
        shutil.rmtree(folder, ignore_errors=True)
        making.rename(folder)
    return folder


def _about(
    config: Any, recipe: Recipe, names: list[str], public: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """All that decides what the shards hold; weights do not."""
    data = config.data.to_dict()
    decisive = {k: v for k, v in data.items() if k not in ("root", "shards", "calls", "texts", "services")}
    own = [[p, digest_file(p)] for p in local.files(config.data.files)] if "texts/files" in names else []
    return {
        "version": VERSION,
        "names": names,
        "data": json.loads(json.dumps(decisive)),
        "files": own,
        "public": {name: record["files"] for name, record in public.items()},
        "vocab_size": config.model.vocab_size,
        "recipe": recipe.to_json(),
    }


HELD_OUT = ("sgd",)
"""Sources with a part that is never trained on, whose services a broad model is tried on."""

PUBLIC = {
    "heldout/sgd": ("sgd",),
    "calls/sgd": ("sgd",),
    "texts/dialogues": ("sgd",),
}
"""The public sources that go into each of the shards' sources."""


def _public(names: list[str]) -> list[str]:
    return sorted({public for name in names for public in PUBLIC.get(name, ())})


class _Maker:
    def __init__(
        self,
        config: Any,
        recipe: Recipe,
        public: Mapping[str, Mapping[str, Any]],
        note: Callable[[str], None],
    ) -> None:
        self.config, self.recipe, self.public, self.note = config, recipe, public, note
        self.root = pathlib.Path(config.data.root)
        self.tokenizer = load_tokenizer(config.model.vocab_size)
        self.real = NearCopies(real_sentences(config.real_path))

    def make(self, name: str, folder: pathlib.Path) -> dict[str, Any]:
        """Writes one source's shards; its entry in the manifest."""
        kind, _, short = name.partition("/")
        makers: Mapping[str, Callable[[], Any]] = {
            "calls/sgd": lambda: self._dialogue_calls("train"),
            "heldout/sgd": lambda: self._dialogue_calls("dev"),
            "calls/apps": lambda: self._generated(
                [load_domain(n) for n in self.config.data.apps or domain_names()],
                self.config.data.app_sentences,
                "apps",
            ),
            "calls/composed": lambda: self._generated(
                [draft(i) for i in range(self.config.data.composed_sets)],
                self.config.data.composed_sentences,
                "composed",
            ),
            "texts/dialogues": self._dialogue_texts,
            "texts/sentences": self._sentences,
            "texts/episodes": self._episodes,
            "texts/files": lambda: local.read_files(self.config.data.files),
            "texts/hub": lambda: local.read_hub(self.config.data),
        }
        if name not in makers:
            there = sorted(n.partition("/")[2] for n in makers if n.startswith(kind))
            raise UserError(f"config.data.{kind}.{short}: no such source; there are: {', '.join(there)}")
        counts, began = Counts(), time.perf_counter()
        if kind != "texts":
            services, labelled = makers[name]()
            writer = CallWriter(services)
            for item in labelled:
                self._add(writer, item, counts)
            counts.tokens = writer.write(folder)
        else:
            counts.tokens = write_texts(folder, self._tokenized(makers[name](), counts))
        counts.seconds = time.perf_counter() - began
        records = [self.public[n] for n in PUBLIC.get(name, ())]
        about = vars(counts) | {"dropped": dict(counts.dropped), "public": records}
        self.note(f"shards: {name}: {counts.kept:,} of {counts.read:,} kept, {counts.tokens:,} tokens")
        return about

    def _add(self, writer: CallWriter, item: dialogues.Labelled, counts: Counts) -> None:
        text = item.scenario.row.query.text
        counts.read += 1
        counts.characters += len(text)
        if item.form == "sentence" and self.real.match(text) is not None:
            counts.dropped["near-copy of a real sentence"] += 1
            return
        try:
            writer.add(
                item.service,
                codec.encode_scenario(item.scenario, writer.spec(item.service), self.tokenizer),
                item.form,
            )
            counts.kept += 1
        except ValueError as e:
            counts.dropped[_kind_of(str(e))] += 1

    def _tokenized(self, texts: Texts, counts: Counts) -> Iterator[list[int]]:
        seen: set[bytes] = set()
        begin, end = self.tokenizer.reserved_id(BEGIN), self.tokenizer.reserved_id(END)
        for parts in texts:
            counts.read += 1
            counts.characters += sum(len(text) for _, text in parts)
            digest = hashlib.blake2b(
                normalize(" ".join(t for _, t in parts)).encode(), digest_size=12
            ).digest()
            if digest in seen:
                counts.dropped["a copy of another"] += 1
                continue
            seen.add(digest)
            if any(len(text) < _LONGEST_REAL and self.real.match(text) is not None for _, text in parts):
                counts.dropped["near-copy of a real sentence"] += 1
                continue
            counts.kept += 1
            ids = [begin]
            for mark, text in parts:
                ids += [self.tokenizer.reserved_id(f"<{mark}>"), *self.tokenizer.encode(text)]
            yield [*ids, end]

    def _dialogue_calls(self, part: str) -> tuple[list[Service], Iterator[dialogues.Labelled]]:
        document = json.loads((self.root / f"sgd/{part}.tools.json").read_text(encoding="utf-8"))
        return dialogue_calls(document, sources.read_lines(self.root / f"sgd/{part}.jsonl.gz"))

    def _dialogue_texts(self) -> Texts:
        return (dialogues.texts(d) for d in sources.read_lines(self.root / "sgd/train.jsonl.gz"))

    def _sentences(self) -> Texts:
        return ([("plain", text)] for text in plain_sentences())

    def _generated(
        self, apps: list[Domain], count: int, family: str
    ) -> tuple[list[Service], Iterator[dialogues.Labelled]]:
        services = [Service(app.name, f"{family}_{app.name}", app.tools) for app in apps]

        def labelled() -> Iterator[dialogues.Labelled]:
            for number, app in enumerate(apps):
                generator = Generator(app, self.recipe, STREAM + number)
                for index in range(count):
                    yield dialogues.Labelled(app.name, generator.scenario(index), "sentence")

        return services, labelled()

    def _episodes(self) -> Texts:
        """What is said, called and answered in the simulated apps."""
        for number, name in enumerate(self.config.data.apps or domain_names()):
            app = load_domain(name)
            generator = Generator(app, self.recipe, STREAM + 1_000 + number)
            for index in range(self.config.data.app_sentences):
                row = generator.scenario(index).row
                yield _episode(app, row, f"{name}:{index}")


def _kind_of(reason: str) -> str:
    """A reason of `codec.encode_scenario` without what is of one sentence."""
    for words in ("no run of words", "tokens; the longest", "mentions fit"):
        if words in reason:
            return words.replace("tokens; the longest", "too many tokens")
    return reason[:60]


_LONGEST_REAL = 400
"""Characters beyond which a text is no copy of a real sentence."""


def dialogue_calls(
    document: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]
) -> tuple[list[Service], Iterator[dialogues.Labelled]]:
    """Services of dialogues, and their labelled sentences, no two of a service alike."""
    tools = dialogues.read_services(document)
    services = [Service(name, dialogues.family(name), ts) for name, ts in tools.items()]

    def labelled() -> Iterator[dialogues.Labelled]:
        seen: set[tuple[str, str]] = set()
        for row in rows:
            for item in dialogues.label(row, tools, Counter()):
                key = (item.service, normalize(item.scenario.row.query.text))
                if key not in seen:
                    seen.add(key)
                    yield item

    return services, labelled()


def _episode(app: Domain, row: Row, seed: str) -> list[tuple[str, str]]:
    state = app.initial_state(random.Random(seed), row.query.now)
    parts = [("user", row.query.text)]
    for entry in row.calls:
        name, arguments = next(iter(entry.items()))
        call = Call(name, {k: v[0] for k, v in arguments.items() if v and v[0] != ""})
        state, observation = app.step(state, call)
        parts.append(("call", f"{name} {_said(call.arguments)}".strip()))
        parts.append(("observation", f"{observation.status} {_said(observation.data)}".strip()[:_SHOWN]))
    return parts


_SHOWN = 400
"""Characters of an answer that are kept."""


def _said(values: Mapping[str, Any]) -> str:
    return "; ".join(f"{k}: {json.dumps(v, ensure_ascii=False).strip(chr(34))}" for k, v in values.items())


def _canonical(about: Mapping[str, Any]) -> bytes:
    return json.dumps(about, sort_keys=True).encode()
