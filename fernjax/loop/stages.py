"""A run as a list of stages, in their order: name, work, and the file that shows that it is done."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping

from ml_collections import ConfigDict

from fernjax.loop import real_sets
from fernjax.loop.arms import Arm, make_arm
from fernjax.loop.preflight import make_shapes
from fernjax.loop.workdir import Workdir, read_run
from fernjax.model.transformer import ModelConfig, count_applied
from fernjax.sim.world import load_domain

COMPILE_S = 80.0
"""Seconds to compile a run's functions where none of them is in the cache on disk, on two CPU cores."""

STEP_S_PER_SENTENCE = 0.85e-3
STEP_S_PER_SENTENCE_AND_PARAMETER = 1.61e-9
"""A step's seconds: a sentence costs a fixed part, and one in proportion to the parameters that are applied.

Through two points measured on two idle CPU cores, 32 sentences a step: `sprout`, 1.6M applied, 0.11 s, and
`bud`, 22.8M applied, 1.2 s.
"""

SECONDS = {
    "compile": COMPILE_S,
    "sample": 3.0,
    "start": 3.0,  # of a training: its weights and its workers
    "ship": 4.0,  # rounding, and the sentences that confidence is fitted on
    "sets": 2.0,  # a round's fresh sentences
    "sentence": 0.002,  # answered and judged
    "baselines": 5.0,
    "mine": 2.0,
    "report": 4.0,  # with the decision before it
}
"""First guesses of a unit of each kind of work but the step, on two idle CPU cores; a run measures anew."""


@dataclasses.dataclass(frozen=True)
class Stage:
    """One entry of a run.

    Attributes:
      number: the round.
      name: as it is shown; no other stage of the run has it.
      proof: a file that is there once the stage is done.
      work: units by kind: `{"start": 1, "step": 720, "ship": 1}`; the kinds are `seconds_per_unit`'s.
    """

    number: int
    name: str
    proof: pathlib.Path
    work: Mapping[str, float] = dataclasses.field(default_factory=dict)

    @property
    def done(self) -> bool:
        return self.proof.exists()


def generate(arm: Arm) -> Stage:
    """Generating a sample of a recipe's sentences, after hard negatives were mined for it."""
    work = {"mine": 1, "sample": 1} if arm.number else {"sample": 1}
    return Stage(arm.number, f"round {arm.number}: generate", arm.path / "data.json", work)


def train(arm: Arm, seed: int, steps: int) -> Stage:
    """One seed's training of an arm."""
    name = f"round {arm.number}: train {arm.title}, seed {seed}"
    work = {"start": 1, "step": steps, "ship": 1}
    return Stage(arm.number, name, arm.checkpoint(seed) / "trained.json", work)


def evaluate(arm: Arm, seed: int, sentences: int = 0) -> Stage:
    """One seed's answers to an arm's round, and their marks."""
    name = f"round {arm.number}: evaluate {arm.title}, seed {seed}"
    # The set that is answered last.
    return Stage(arm.number, name, arm.predictions(seed) / "negatives_natural.jsonl", {"sentence": sentences})


def count_final(arm: Arm, sentences: int = 0) -> Stage:
    """Counting the final half."""
    name = f"round {arm.number}: count the final half"
    return Stage(arm.number, name, arm.path / "final.json", {"sentence": sentences})


def baselines(path: pathlib.Path) -> Stage:
    """Training and judging the baselines, in a workdir."""
    return Stage(0, "round 0: baselines", path / "baselines.json", {"baselines": 1})


def decide(arm: Arm) -> Stage:
    """A round's decision, and the report after it."""
    name = f"round {arm.number}: {'gate and report' if arm.number else 'report'}"
    return Stage(arm.number, name, arm.path / "decision.json", {"report": 1})


def list_stages(config: ConfigDict, path: pathlib.Path, verb: str = "loop") -> list[Stage]:
    """All stages of a verb in a workdir, done or not, were every round run."""
    seeds, c = config.seeds, config.train
    judged, final = count_sentences(config)
    first = make_arm(path, 0)
    out: list[Stage] = []
    if verb != "evaluate":
        out += [generate(first), *(train(first, seed, c.total_steps) for seed in seeds)]
        out[1] = dataclasses.replace(out[1], work={"compile": 1, **out[1].work})
    if verb != "train":
        crowned = verb == "evaluate" and (path / "champion").exists()
        champion = make_arm(path, int(Workdir(path).champion().name)) if crowned else first
        out += _with_sets([evaluate(champion, seed, judged) for seed in seeds])
        out.append(count_final(champion, final * len(seeds)))
    if verb == "loop":
        out += [baselines(path), decide(first)]
        for number in range(1, config.loop.rounds + 1):
            arms = [make_arm(path, number, kind) for kind in ("before", "challenger", "placebo")]
            arms = arms if config.loop.placebo else arms[:2]
            out.append(generate(arms[1]))
            out += [train(arm, seed, c.repair_steps) for arm in arms[1:] for seed in seeds]
            out += _with_sets([evaluate(arm, seed, judged) for arm in arms for seed in seeds])
            out.append(decide(arms[1]))
    return out


def stages_left(config: ConfigDict, path: pathlib.Path, verb: str = "loop") -> list[Stage]:
    """The stages that are still to be done; none of rounds that a finished loop did not come to."""
    left = [stage for stage in list_stages(config, path, verb) if not stage.done]
    last = read_run(path).get("finished_rounds") if (path / "run.json").exists() else None
    return left if last is None or verb != "loop" else [s for s in left if s.number <= last]


def is_finished(config: ConfigDict, path: pathlib.Path) -> bool:
    """Whether the loop has come to its end there, and nothing of what it left is missing."""
    if not (path / "run.json").exists() or "finished_rounds" not in read_run(path):
        return False
    reports = all((path / name).exists() for name in ("report.json", "report.html"))
    return reports and not stages_left(config, path)


def seconds_per_unit(config: ConfigDict) -> dict[str, float]:
    """First guesses of one unit of each kind of work, in seconds."""
    applied = count_applied(make_shapes(config), ModelConfig.from_config(config))
    per_sentence = STEP_S_PER_SENTENCE + STEP_S_PER_SENTENCE_AND_PARAMETER * applied
    return SECONDS | {"step": per_sentence * config.train.batch_size}


def count_sentences(config: ConfigDict) -> tuple[int, int]:
    """Sentences that one model is judged on in a round, and those of the final half."""
    buckets = sum(weight > 0 for weight in config.recipe.buckets.values())
    generated = (
        config.eval.per_bucket * buckets + (2 + bool(config.recipe.near_misses)) * config.eval.negatives
    )
    return _count_real(config, "gate") + generated, _count_real(config, "final")


def _count_real(config: ConfigDict, half: str) -> int:
    return sum(map(len, real_sets.load_sets(config, load_domain(config.domain), half).values()))


def _with_sets(stages: list[Stage]) -> list[Stage]:
    """The first evaluation of a round draws the sentences of all."""
    first = dataclasses.replace(stages[0], work={"sets": 1, **stages[0].work})
    return [first, *stages[1:]]
