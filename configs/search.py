"""Which learning rate, batch and decay suit `sprout` at a given number of sentences?

  python -m fernjax sweep --config=configs/search.py --search=24
  python -m fernjax sweep --config=configs/search.py --report

The calendar, two seeds, no rounds, 10,240 sentences a training whatever the batch (so a smaller batch takes
more steps), half of what `configs/calendar.py:quick` trains on. Judged by the real public requests of the
gate half; those of the final half choose nothing. 72 sentences and two seeds tell settings apart that differ
by several points, no closer ones: run the best again with more seeds before it is believed.

Cost: 3 to 4 minutes a trial on two CPU cores, so 24 trials take an hour and a half; several processes may
share them (the same command, from machines that share the folder, or with --storage=URL of a database).
Expected: not yet run.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))

SENTENCES = 10_240
METRIC = "real.gate.public.full"


def get_config() -> ConfigDict:
    c = base["get_config"]()
    c.domain = "calendar"
    c.seeds = (0, 1)
    c.train.total_steps = SENTENCES // c.train.batch_size
    c.loop.rounds = 0
    return c


def search(trial):
    """Overrides of one trial; `trial` is Optuna's."""
    batch_size = trial.suggest_categorical("batch_size", (16, 32, 64))
    return {
        "train.batch_size": batch_size,
        "train.total_steps": SENTENCES // batch_size,
        "train.peak_lr": trial.suggest_float("peak_lr", 5e-4, 8e-3, log=True),
        "train.decay_share": trial.suggest_float("decay_share", 0.1, 0.9),
    }
