"""The loop, on one screen: generate -> train -> evaluate -> diagnose -> fix the recipe -> gate.

Every stage is a function of the config and of what the stages before left in the workdir, and is skipped
where its result is there already. So the same command after a kill ends in the same result. One exception:
where `config.loop.max_hours` sets a limit, the clock decides whether another round is begun.
"""

from __future__ import annotations

import functools

from fernjax.loop import gate
from fernjax.loop.diagnose import diagnose, recount
from fernjax.loop.lab import Lab
from fernjax.loop.repair import repair
from fernjax.sim.recipe import Recipe


def run(lab: Lab) -> None:
    """Takes a first recipe through the loop, `config.loop.rounds` times after the first."""
    config, domain = lab.config, lab.domain
    recipe = Recipe.of_run(config)
    champion = lab.arm(0)

    lab.count_data(champion, recipe)
    lab.train(lab.jobs_from_scratch(champion, recipe))
    lab.crown(champion)
    lab.evaluate(champion)
    lab.score_final(champion)
    lab.score_baselines(recipe)
    lab.report()

    rounds = 0
    newest = champion  # the arm that holds the champion's newest answers: a round diagnoses those
    for number in range(1, config.loop.rounds + 1):
        if lab.is_over(number):
            break
        findings = diagnose(domain, *lab.answers(newest))
        changed, changes = repair(
            recipe, findings, lab.rejected(number), functools.partial(lab.mine, champion)
        )
        if not changes:
            lab.note(f"round {number}: no finding has a remedy; the loop ends")
            break
        challenger, placebo = lab.arm(number), lab.arm(number, "placebo")
        lab.plan_round(challenger, findings, changes)
        lab.count_data(challenger, changed)

        jobs = lab.jobs_from_champion(challenger, changed, champion)
        if config.loop.placebo:
            jobs += lab.jobs_from_champion(placebo, recipe, champion)
        lab.train(jobs)
        # Fresh sentences, the same for all three; what was diagnosed on is not judged on.
        before = lab.arm(number, "before")  # trains nothing: the champion, on this round's sentences
        champion_marks = lab.mark(champion, answers_in=before)
        challenger_marks = lab.mark(challenger)
        placebo_marks = lab.mark(placebo) if config.loop.placebo else None
        decision = gate.decide(champion_marks, challenger_marks, placebo_marks, config.gate, seed=number)

        after = {a.kind: recount(findings, domain, *lab.answers(a)) for a in lab.arms(number)}
        lab.record(number, findings, changes, after, decision)
        newest = challenger if decision.kept else before
        if decision.kept:
            champion, recipe = challenger, changed
            lab.crown(champion)
            lab.score_final(champion)
        lab.report()
        rounds = number
    lab.finish(rounds)
