"""Training batches as a pure function of (recipe, seed, step), made ahead of the step by other processes.

Block b of the stream is the scenarios `[b * W * B, (b + 1) * W * B)`, W = `BLOCK_BATCHES`. A block is sorted
by length and cut into W batches, each padded to the length bucket of its longest sentence, and the batches
are put in an order drawn from (seed, b). So the batch of a step needs no state: resuming asks for the step,
and the number of batch shapes, hence of compiles, is at most the number of length buckets.

Nothing here, and nothing that a worker imports, imports JAX.
"""

from __future__ import annotations

import dataclasses
import functools
import multiprocessing
import pickle
import random
import signal
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing import connection, util
from typing import Any, Protocol, Self

import numpy as np

from fernjax.model import codec
from fernjax.model.spec import Spec
from fernjax.model.tokenizer import Tokenizer, load_tokenizer
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Scenario, UserError
from fernjax.sim.world import load_domain

Batch = dict[str, np.ndarray]
"""Arrays of one step, `[B, ...]` each."""

BLOCK_BATCHES = 16
"""Batches that are sorted by length together; a worker makes one block at a time."""

AHEAD = 2
"""Blocks that each worker is asked for ahead of the one in use."""


class Source(Protocol):
    """What a stream is made of. Pickled into the workers; pure."""

    @property
    def seed(self) -> int:
        """Seed of the stream, from which the order of a block's batches is drawn."""

    def examples(self, start: int, stop: int) -> tuple[list[dict[str, Any]], Counter[str]]:
        """Encoded scenarios `start` to `stop - 1`, and why some indices were drawn again, how often each."""

    def length(self, example: dict[str, Any]) -> int:
        """Padded length, one of a few, that an example needs."""

    def collate(self, examples: Sequence[dict[str, Any]], length: int) -> Batch:
        """Examples as one batch padded to `length`."""


class Portable:
    """A dataclass that is pickled without its cached parts: a worker makes its own."""

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


class WorkerError(Exception):
    """A process that makes sentences ended before its time, or raised; says which and how."""


@dataclasses.dataclass(frozen=True)
class Block:
    """`BLOCK_BATCHES` batches, in the order in which they are trained on, and what was drawn again."""

    batches: list[Batch]
    redrawn: Counter[str]


def make_block(source: Source, block: int, batch_size: int) -> Block:
    """Block number `block`; a pure function."""
    size = BLOCK_BATCHES * batch_size
    examples, redrawn = source.examples(block * size, (block + 1) * size)
    lengths = [source.length(e) for e in examples]
    order = sorted(range(size), key=lambda i: (lengths[i], i))
    rows = [order[i : i + batch_size] for i in range(0, size, batch_size)]
    random.Random(f"block:{source.seed}:{block}").shuffle(rows)
    batches = [source.collate([examples[i] for i in row], max(lengths[i] for i in row)) for row in rows]
    return Block(batches, redrawn)


class Stream:
    """Batches of consecutive steps. Use as a context manager, or call `close`.

    Args:
      source: where examples come from.
      batch_size: B.
      start, stop: first step and the step after the last; nothing past `stop` is made.
      workers: processes that make blocks ahead of the step; 0 makes them in this one when they are due.

    Iterating gives the batch of `start`, `start + 1`, ... `stop - 1`.

    Attributes:
      redrawn: why scenarios of the block in use were drawn again, and how often.

    Raises:
      WorkerError: from the iterator, where a worker died or raised.
    """

    def __init__(self, source: Source, batch_size: int, start: int, stop: int, workers: int = 0) -> None:
        self._source = source
        self._batch_size = batch_size
        self._start, self._stop = start, stop
        self.redrawn: Counter[str] = Counter()
        first, last = start // BLOCK_BATCHES, -(-stop // BLOCK_BATCHES)
        self._blocks = range(first, last if stop > start else first)
        self._asked = 0  # blocks asked for, from the first of `_blocks` on
        count = min(workers, len(self._blocks))
        self._workers = [_Worker(source, batch_size, i) for i in range(count)]
        # Runs before multiprocessing waits for its children at exit, so that an interpreter that ends with
        # a stream open does not wait for workers that wait for it.
        self._finalizer = util.Finalize(self, _close_all, (self._workers,), exitpriority=10)
        self._ask_ahead(0)

    def __iter__(self) -> Iterator[Batch]:
        for position, block in enumerate(self._blocks):
            if self._workers:
                self._ask_ahead(position)
                made = self._workers[position % len(self._workers)].receive()
            else:
                made = make_block(self._source, block, self._batch_size)
            self.redrawn = made.redrawn
            for i, batch in enumerate(made.batches):
                if self._start <= block * BLOCK_BATCHES + i < self._stop:
                    yield batch

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the workers. May be called twice."""
        self._finalizer()

    @property
    def worker_ids(self) -> list[int]:
        """Process ids of the workers."""
        return [w.process.pid for w in self._workers if w.process.pid is not None]

    def _ask_ahead(self, position: int) -> None:
        if not self._workers:
            return
        limit = min(len(self._blocks), position + AHEAD * len(self._workers))
        for i in range(self._asked, limit):
            self._workers[i % len(self._workers)].ask(self._blocks[i])
        self._asked = max(self._asked, limit)


class _Worker:
    """One process that answers block numbers with blocks, in order."""

    def __init__(self, source: Source, batch_size: int, index: int) -> None:
        # Spawn: a fork would copy JAX's threads and locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_work, args=(theirs, source, batch_size), name=f"data worker {index}", daemon=True
        )
        self.process.start()
        theirs.close()  # so that the worker's death closes the pipe

    def ask(self, block: int) -> None:
        try:
            self._pipe.send(block)
        except OSError as e:
            raise WorkerError(self._obituary()) from e

    def receive(self) -> Block:
        connection.wait([self._pipe, self.process.sentinel])
        try:
            answer = self._pipe.recv()  # the answer of a worker that died after sending it is still good
        except (EOFError, OSError) as e:
            raise WorkerError(self._obituary()) from e
        if isinstance(answer, Exception):
            # As it was raised there; its class tells the user's mistakes from ours.
            raise answer
        return answer

    def close(self) -> None:
        self.process.kill()  # holds nothing but a pipe
        self.process.join()
        self._pipe.close()

    def _obituary(self) -> str:
        self.process.join(timeout=5)
        code = self.process.exitcode
        how = (
            f"killed by {signal.Signals(-code).name}"
            if code is not None and code < 0
            else f"exit code {code}"
        )
        return (
            f"{self.process.name} (process {self.process.pid}) died: {how}; if memory ran out, lower "
            "config.train.data_workers or batch_size, then run the same command again to resume"
        )


def _work(pipe: connection.Connection, source: Source, batch_size: int) -> None:
    # The signals of a terminal or a scheduler go to the whole group; the trainer ends its workers itself
    # once it has saved.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        try:
            block = pipe.recv()
        except (EOFError, OSError):
            return  # the trainer has gone
        try:
            answer: Any = make_block(source, block, batch_size)
        except Exception as e:  # noqa: BLE001 (raised again by the trainer)
            answer = _portable(e, block)
        try:
            pipe.send(answer)
        except OSError:
            return


def _portable(error: Exception, block: int) -> Exception:
    """An error that survives the pipe: itself where it can be pickled, else a `WorkerError` of its text."""
    text = "".join(traceback.format_exception(error))
    error.add_note(f"while a worker made block {block} of the training data:\n{text}")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 (whatever an error's own pickling raises)
        return WorkerError(f"{error} (block {block})\n{text}")
    return error


def _close_all(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.close()


@dataclasses.dataclass(frozen=True)
class ScenarioSource(Portable):
    """The simulator's scenarios, encoded: a pure function of these fields and an index.

    Attributes:
      domain: name of the app.
      recipe: how its data is made.
      seed: the stream's seed.
      argument_mode: `write`, `fill` or `point`.
      vocab_size: which of the shipped tokenizers.
      max_calls: calls in one answer.
      max_length: tokens of the longest sentence to train on.
    """

    domain: str
    recipe: Recipe
    seed: int
    argument_mode: str
    vocab_size: int
    max_calls: int
    max_length: int

    def examples(self, start: int, stop: int) -> tuple[list[dict[str, Any]], Counter[str]]:
        """Of `codec.encode_scenario`, scenarios `start` to `stop - 1`; and why indices were drawn again.

        Raises:
          UserError: where `_REDRAWS` scenarios in a row cannot be encoded.
        """
        redrawn: Counter[str] = Counter()
        return [self._example(i, redrawn) for i in range(start, stop)], redrawn

    def scenario(self, number: int) -> Scenario:
        """Scenario of a number that `_draw` gave."""
        return self._generator.scenario(number)

    def length(self, example: dict[str, Any]) -> int:
        """Padded length that an example needs, one of `codec.LENGTHS`, in tokens."""
        return codec.bucket(len(example["ids"]))

    def collate(self, examples: Sequence[dict[str, Any]], length: int) -> Batch:
        """`codec.collate`: inputs [B, length], targets [B, K, ...]."""
        return codec.collate(examples, length)

    def _example(self, index: int, redrawn: Counter[str]) -> dict[str, Any]:
        return self._draw(index, redrawn)[1]

    def _draw(self, index: int, redrawn: Counter[str]) -> tuple[int, dict[str, Any]]:
        """Scenario `index`, or where it cannot be encoded one that only this index draws; number, example."""
        reason = ""
        for attempt in range(_REDRAWS):
            number = index + attempt * _STRIDE
            scenario = self._generator.scenario(number)
            try:
                example = codec.encode_scenario(scenario, self._spec, self._tokenizer)
            except ValueError as e:
                reason = str(e)
            else:
                if len(example["ids"]) <= self.max_length:
                    return number, example
                reason = f"more than {self.max_length} tokens"
            redrawn[reason] += 1
        raise UserError(
            f"{self.domain}: none of {_REDRAWS} scenarios in a row could be encoded, the last because of: "
            f"{reason}; change the recipe or the grammar, or raise config.train.longest if they are too long"
        )

    @functools.cached_property
    def _generator(self) -> Generator:
        return Generator(load_domain(self.domain), self.recipe, self.seed)

    @functools.cached_property
    def _spec(self) -> Spec:
        return Spec.from_domain(load_domain(self.domain), self.argument_mode, self.max_calls)

    @functools.cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self.vocab_size)


_REDRAWS = 20
_STRIDE = 1 << 40
"""Further than any training goes; even, so that the halves of minimal pairs stay halves."""
