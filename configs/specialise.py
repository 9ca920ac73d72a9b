"""How many of its sentences does an app need, from scratch and from a broad model?

  python -m fernjax pretrain --config=configs/pretrain_bud.py:cpu
  python -m fernjax sweep --config=configs/specialise.py --run
  python benchmarks/broad.py runs/specialise-sweep

The six apps with public sentences, none of which the broad model has seen a sentence of; `sprout`, three
seeds, each from its own seed of the pretraining. The same sentences from scratch and from the broad model,
80, 160 and 320 steps of 32. The script takes means over the apps, `gate` and `final` together, and says how
many sentences from the broad model are worth how many from scratch. Not yet run.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))

APPS = ("alarms", "calendar", "home", "lists", "mail", "wallet")
STEPS = (80, 160, 320)
BROAD = "runs/pretrain_bud-cpu"

METRICS = {
    f"{half} public: {mark}": f"real.{half}.public.{mark}"
    for half in ("gate", "final")
    for mark in ("full", "route")
} | {"generated: full": "generated.full", "wall s": "wall_s"}


def get_config() -> ConfigDict:
    c = base["get_config"]()
    c.train.total_steps = STEPS[0]
    c.train.warmup_steps = 20
    c.train.save_every_steps = 320
    c.loop.rounds = 0
    return c


def sweep(add):
    """Every app, number of steps and start."""
    for app in APPS:
        for steps in STEPS:
            for start in ("", BROAD):
                add(
                    name=f"{app} {steps} {'broad' if start else 'scratch'}",
                    **{"domain": app, "train.total_steps": steps, "train.start_from": start},
                )
