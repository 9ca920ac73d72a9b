"""The loop, on one screen: generate -> train -> evaluate -> diagnose -> fix the recipe -> gate.

Every stage is a pure function of the config and of what the stages before left in the workdir, and is
skipped where its result is there already. So the same command after a kill ends in the same result.
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
    champion = seen = lab.arm(0)  # `seen`: where the champion's newest answers are

    lab.count_data(champion, recipe)
    lab.train([lab.first(champion, recipe)])
    lab.crown(champion)
    lab.evaluate(champion, champion)
    lab.score_final(champion)
    lab.score_baselines(recipe)
    lab.report()

    for number in range(1, config.loop.rounds + 1):
        if lab.is_over(number):
            break
        findings = diagnose(domain, *lab.answers(seen))
        changed, changes = repair(
            recipe, findings, lab.rejected(number), functools.partial(lab.mine, champion)
        )
        if not changes:
            lab.note(f"round {number}: no finding has a remedy; the loop ends")
            break
        challenger, placebo, before = lab.arm(number), lab.arm(number, "placebo"), lab.arm(number, "before")
        lab.plan_round(challenger, findings, changes)
        lab.count_data(challenger, changed)

        arms = [lab.repaired(challenger, changed, champion)]
        if config.loop.placebo:
            arms.append(lab.repaired(placebo, recipe, champion))
        lab.train(arms)
        # Fresh sentences, the same for all three; what was diagnosed on is not judged on.
        before_marks = lab.judge(champion, before)
        after_marks = lab.judge(challenger, challenger)
        placebo_marks = lab.judge(placebo, placebo) if config.loop.placebo else None
        decision = gate.decide(before_marks, after_marks, placebo_marks, config.gate, seed=number)

        after = {a.kind: recount(findings, domain, *lab.answers(a)) for a in lab.arms(number)}
        lab.record(number, findings, changes, after, decision)
        if decision.kept:
            champion, recipe = challenger, changed
            lab.crown(champion)
            lab.score_final(champion)
        seen = challenger if decision.kept else before
        lab.report()
