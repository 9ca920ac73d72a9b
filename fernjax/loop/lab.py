"""The stages that `run.py` puts in order: each does its part once and leaves the result in the workdir.

What an earlier process of the same run left there is read back, not done again.
"""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from ml_collections import ConfigDict

from fernjax.loop import evaluate, gate, ledger, real_sets, sample, stages
from fernjax.loop.advice import advise
from fernjax.loop.arms import MAX_SEED, Arm, Job, Loader, Trainer, check_streams, make_arm
from fernjax.loop.diagnose import Fault, Finding, diagnose
from fernjax.loop.evaluate import Answers, Predict, Sets
from fernjax.loop.follow import Follower
from fernjax.loop.progress import Progress
from fernjax.loop.real_sets import NOW
from fernjax.loop.repair import Change, mine_misfires
from fernjax.loop.stages import Stage
from fernjax.loop.workdir import Workdir, read_json, write_json, write_text
from fernjax.model.files import read_jsonl
from fernjax.sim.recipe import Recipe
from fernjax.sim.scenario import real_sentences
from fernjax.sim.types import Prediction
from fernjax.sim.world import Domain, load_domain

MINED = 4000
"""Plain sentences that a champion is tried on for misfires."""


class Lab:
    """A config, its domain, its workdir, and the two ends to the model: training and predicting.

    Args:
      config: checked, see `preflight.check_config`.
      work: held by this process.
      progress: told what is done.
      trainer: runs a `Job`.
      loader: gives the predictor of a finished one.

    Raises:
      UserError: seeds or rounds for which there are no streams of data.
    """

    def __init__(
        self, config: ConfigDict, work: Workdir, progress: Progress, trainer: Trainer, loader: Loader
    ) -> None:
        check_streams(config)
        self.config = config
        self.domain: Domain = load_domain(config.domain)
        self.work = work
        self.progress = progress
        self._trainer, self._loader = trainer, loader
        self._follower = Follower(config, work, progress)
        self._sets: dict[int, Sets] = {}
        self._touched: frozenset[str] | None = None
        self._reported = False  # whether the report tells all that is there

    def arm(self, number: int, kind: str = "challenger") -> Arm:
        """An arm of a round; its folder need not be there yet."""
        return make_arm(self.work.path, number, kind)

    def arms(self, number: int) -> list[Arm]:
        """All arms of a round after the first."""
        kinds = ["before", "challenger"] + ["placebo"] * self.config.loop.placebo
        return [self.arm(number, kind) for kind in kinds]

    def note(self, line: str) -> None:
        """Shows a line that stays."""
        self.progress.note(line)

    def is_over(self, number: int) -> bool:
        """Whether the time is over before a round that has not begun."""
        hours = self.config.loop.max_hours
        if not hours or self.work.round(number).exists() or self.work.wall_s() < hours * 3600:
            return False
        self.note(f"config.loop.max_hours={hours} are over; round {number} is not begun")
        return True

    def count_data(self, arm: Arm, recipe: Recipe) -> None:
        """Generates a sample of the recipe's sentences and notes what was dropped, and why."""
        write_json(arm.path / "recipe.json", recipe.to_json())
        stage = stages.generate(arm)
        if self._begin(stage):
            drawn = sample.draw(self.domain, recipe, self._data_seed(arm, self.config.seeds[0]))
            if arm.number == 0:
                self._touched = drawn.touched
            write_json(stage.proof, drawn.to_json())
            self.progress.count({"sample": 1})
            self.work.touch()

    def jobs_from_scratch(self, arm: Arm, recipe: Recipe) -> list[Job]:
        """Trainings from scratch, one a seed."""
        c = self.config.train
        return [self._job(arm, s, recipe, None, c.total_steps, c.peak_lr) for s in self.config.seeds]

    def jobs_from_champion(self, arm: Arm, recipe: Recipe, champion: Arm) -> list[Job]:
        """Trainings on from the champion's weights, one a seed."""
        c = self.config.train
        return [
            self._job(
                arm, s, recipe, champion.checkpoint(s) / "weights.safetensors", c.repair_steps, c.repair_lr
            )
            for s in self.config.seeds
        ]

    def train(self, jobs: Sequence[Job]) -> None:
        """Runs those trainings that are not finished, one after the other.

        Raises:
          Stopped, DivergedError: of `fernjax.model.train`, through the trainer.
        """
        for job in jobs:
            stage = stages.train(job.arm, job.seed, job.steps)
            if not self._begin(stage):
                continue
            tell = self._follower.follow(job.directory, lambda: self._compiling() | {"start": 1})
            self._trainer(self.config, job, tell)
            self._merge_metrics()
            self.progress.count(self._compiling() | {"ship": 1})
            self.work.touch()
            write_json(stage.proof, {"steps": job.steps, "seed": job.data_seed})
            if job.arm.number:
                _drop_checkpoints(job.directory)
        self._follower.close()

    def predictor(self, arm: Arm, seed: int) -> Predict:
        """The predictor that one seed's training of an arm left."""
        return self._loader(arm.checkpoint(seed), self.config)

    def sets(self, number: int) -> Sets:
        """Real gate sentences and a round's fresh generated ones."""
        if number not in self._sets:
            gate_rows = real_sets.load_sets(self.config, self.domain, "gate")
            self._sets = {number: gate_rows | evaluate.generated_sets(self.config, self.domain, number)}
        return self._sets[number]

    def evaluate(self, trained: Arm, answers_in: Arm | None = None) -> list[Answers]:
        """Lets an arm's models answer a round's sentences, and scores the answers.

        Args:
          trained: whose models answer.
          answers_in: the arm whose round's sentences they answer and in whose folder answers and
            `scores.json` are kept; `trained` itself where it is None.

        Returns:
          One mapping a seed, predictions by set.
        """
        place = answers_in or trained
        answers = []
        for seed in self.config.seeds:
            begun = self._begin(stages.evaluate(place, seed))
            fresh = place.number not in self._sets
            sets, directory = self.sets(place.number), place.predictions(seed)
            if begun and fresh:
                self.progress.count({"sets": 1})
            predict = _no_model if evaluate.is_evaluated(sets, directory) else self.predictor(trained, seed)
            count = self._count_sentences if begun else _count_nothing
            answers.append(evaluate.evaluate(predict, sets, directory, count))
        if not (place.path / "scores.json").exists():
            advice = advise(diagnose(self.domain, sets, answers))
            summary = evaluate.summarise(sets, answers, self.touched())
            write_json(place.path / "scores.json", summary | {"advice": advice})
            self.work.touch()
        return answers

    def mark(self, trained: Arm, answers_in: Arm | None = None) -> gate.Results:
        """`evaluate`, as the marks that the gate pairs."""
        return gate.pair(self.evaluate(trained, answers_in), self.sets((answers_in or trained).number))

    def answers(self, arm: Arm) -> tuple[Sets, list[Answers]]:
        """Sentences of an arm's round and what its model answered, a mapping a seed."""
        sets = self.sets(arm.number)
        return sets, [
            {name: evaluate.load_predictions(arm.predictions(seed), name) for name in sets}
            for seed in self.config.seeds
        ]

    def score_final(self, arm: Arm) -> None:
        """Figures of the `final` half, for the report and for nothing else."""
        stage = stages.count_final(arm)
        if not self._begin(stage):
            return
        sets = real_sets.load_sets(self.config, self.domain, "final")
        predicts = [self.predictor(arm, seed) for seed in self.config.seeds]
        write_json(stage.proof, evaluate.score_final(predicts, sets, self.touched()))
        self.work.touch()

    def score_baselines(self, recipe: Recipe) -> None:
        """Figures of the predictors that any model must beat, on the first round's sentences."""
        stage = stages.baselines(self.work.path)
        if not self._begin(stage):
            return
        sets = self.sets(0)
        final = real_sets.load_sets(self.config, self.domain, "final")
        out = {}
        for name, predict in evaluate.baselines(self.domain, recipe, self._data_seed(self.arm(0), 0)).items():
            answers = [{n: predict([r.query for r in rows]) for n, rows in sets.items()}]
            summary = evaluate.summarise(sets, answers, ())
            out[name] = {"sets": summary["sets"], "generated": summary["generated"]}
            out[name]["final"] = evaluate.score_final([predict], final, ())["all"]
        write_json(stage.proof, out)
        self.progress.count({"baselines": 1})
        self.work.touch()

    def touched(self) -> frozenset[str]:
        """Real sentences met by a sample (`sample.SIZE`) of the first seed's first data, not by all training.

        Kept in memory only: half of them are `final`.
        """
        if self._touched is None:
            recipe = Recipe.of_run(self.config)
            self._touched = sample.draw(
                self.domain, recipe, self._data_seed(self.arm(0), self.config.seeds[0])
            ).touched
        return self._touched

    def mine(self, champion: Arm) -> list[str]:
        """Plain sentences that the champion calls a tool for by mistake; none that an evaluation holds."""
        path = champion.path / "misfires.json"
        if self._begin(Stage(champion.number, "mine hard negatives", path)):
            texts = evaluate.plain_texts(self.domain, held_out=False, count=MINED)
            predict = self.predictor(champion, self.config.seeds[0])
            write_json(path, mine_misfires(predict, texts, real_sentences(self.config.real_path), NOW))
            self.progress.count({"mine": 1})
        return read_json(path)

    def rejected(self, number: int) -> list[Fault]:
        """Findings that rejected rounds before this one tried to repair."""
        return ledger.rejected_faults(self.work.path / "ledger.jsonl", number)

    def plan_round(self, arm: Arm, findings: Sequence[Finding], changes: Sequence[Change]) -> None:
        """Writes down what a round is going to try."""
        write_json(
            arm.path / "repair.json",
            {"findings": [f.to_json() for f in findings[:20]], "changes": [c.to_json() for c in changes]},
        )

    def record(
        self,
        number: int,
        findings: Sequence[Finding],
        changes: Sequence[Change],
        after: Mapping[str, Mapping[Fault, Mapping[str, tuple[int, int]]]],
        decision: Any,
    ) -> None:
        """Decision and ledger of a round: per change, its finding's count before, with and without it."""
        by_key = {f.key: f for f in findings}
        entries: list[dict[str, Any]] = []
        for change in changes:
            outcome = {
                arm: {s: list(c) for s, c in table[change.finding].items()} for arm, table in after.items()
            }
            finding = by_key[change.finding].to_json()
            entries.append(
                {"entry": "repair", "kept": decision.kept, "finding": finding, "change": change.to_json()}
                | {"outcome": outcome}
            )
        entries.append({"entry": "decision", "kept": decision.kept, **decision.to_json()})
        fresh = self._begin(stages.decide(self.arm(number)))
        write_json(self.work.round(number) / "decision.json", decision.to_json())
        ledger.append_round(self.work.path / "ledger.jsonl", number, entries)
        if fresh:
            self.note(f"round {number}: {'kept' if decision.kept else 'rejected'}: {decision.summary}")

    def crown(self, arm: Arm) -> None:
        """Makes an arm the champion; never goes back to an earlier one."""
        decision = arm.path / "decision.json"
        if not decision.exists():
            first = gate.Decision(
                kept=True,
                reasons=("the first round: there was none to compare it with",),
                checks=(),
                primary="",
                seeds=len(self.config.seeds),
                confidence=self.config.gate.confidence,
            )
            write_json(decision, first.to_json())
        link = self.work.path / "champion"
        if not link.exists() or int(self.work.champion().name) < arm.number:
            self.work.crown(arm.number)

    def report(self) -> None:
        """Writes `report.json` and `report.html` of what there is so far; once, until there is more."""
        from fernjax.loop.report import write_report

        if not self._reported:
            self.work.touch()
            write_report(self.work)
            self.progress.count({"report": 1})
            self._reported = True

    def finish(self, rounds: int) -> None:
        """Notes that the loop has come to its end, after so many rounds behind the first."""
        self.report()
        self.work.note(finished_rounds=rounds)  # the report tells the run's time already

    def _job(
        self, arm: Arm, seed: int, recipe: Recipe, start_from: pathlib.Path | None, steps: int, peak_lr: float
    ) -> Job:
        return Job(
            arm, seed, recipe, self._data_seed(arm, seed), arm.checkpoint(seed), start_from, steps, peak_lr
        )

    def _begin(self, stage: Stage) -> bool:
        """Shows a stage; False, and nothing shown, where it is done."""
        if stage.done:
            return False
        self.progress.stage(stage.name)
        self._reported = False
        return True

    def _compiling(self) -> dict[str, float]:
        """Half of what the run's first training compiles, where that is what runs."""
        return {"compile": 0.5} if self.progress.expects("compile") else {}

    def _count_sentences(self, sentences: int) -> None:
        self.progress.count({"sentence": sentences})

    def _data_seed(self, arm: Arm, seed: int) -> int:
        """A seed of its own for each arm of each round, so that no arm sees sentences again."""
        block = 2 * arm.number - (arm.kind == "challenger" and arm.number > 0)
        return seed + MAX_SEED * block

    def _merge_metrics(self) -> None:
        """All trainings' metrics, in the order in which they were begun."""
        lines = []
        for path in sorted(self.work.path.glob("rounds/**/checkpoints/seed*/metrics.jsonl")):
            *_, seed = path.parent.name.partition("seed")
            arm = path.parents[2]
            number = next(p.name for p in (arm, *arm.parents) if p.name.isdigit())
            kind = "challenger" if arm.name.isdigit() else arm.name
            about = {"round": int(number), "arm": kind, "seed": int(seed)}
            lines += [json.dumps(about | line) + "\n" for line in read_jsonl(path)]
        write_text(self.work.path / "metrics.jsonl", "".join(lines))


def _drop_checkpoints(directory: pathlib.Path) -> None:
    """Optimizer states of a finished repair; its weights stay."""
    for path in directory.glob("step_*"):
        shutil.rmtree(path)


def _count_nothing(sentences: int) -> None:
    pass


def _no_model(queries: object) -> list[Prediction]:
    raise AssertionError("scores are on disk; nothing is predicted")
