"""The calendar, end to end: how well does a tiny model call its tools with no human label in training?

  python -m fernjax loop --config=configs/calendar.py:quick

quick   `sprout`, three seeds, two rounds after the first: what can be had in a coffee break on two CPU cores,
        and is the gate able to tell a repair from its placebo at that budget? Cost: 11 to 16 minutes with
        the installation, 4 GB. Came out at dcb9925, mean of three seeds: `final` public full call 90 (seeds:
        sd 3 points), `gate` public 94, `gate` authored 57; both rounds rejected.
long    nearly five times the steps: are data and conventions the limit, not compute? Cost: about 25
        minutes without rounds. Expected: `final` public 91 (sd over seeds 0.8), `gate` 97, authored 89.
bud     12M unique parameters at vocabulary 8192, one seed: what does the larger shape give within an hour?
        Cost: 50 minutes at 1,200 steps. Expected at 1,200 steps: `final` public 92, `gate` 96 and 83.
tiny    seconds; shows that every part works, and nothing else.

`sweep` asks what each argument mode is worth (write, fill, point) and how the real score grows with the
number of distinct skeletons; everything else as in `quick`.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))

VARIANTS = ("quick", "long", "bud", "tiny")
SKELETONS = (100, 1_000, 10_000)


def get_config(arg: str | None = None) -> ConfigDict:
    c = base["get_config"]()
    arg = arg or "quick"
    if arg not in VARIANTS:
        raise ValueError(f"no variant {arg!r}; there are: {', '.join(VARIANTS)}")
    c.domain = "calendar"
    if arg == "quick":
        c.train.total_steps = 640
        c.train.repair_steps = 80
        c.train.save_every_steps = 320
    if arg == "long":
        c.train.total_steps = 3000
        c.train.repair_steps = 600
        c.train.save_every_steps = 500
        c.eval.per_bucket = 400
    if arg == "bud":
        c.seeds = (0,)
        c.model.vocab_size = 8192
        c.model.width = 512
        c.model.heads = 8
        c.model.kv_heads = 4
        c.model.ff_width = 1344
        c.model.loops = 4
        c.train.optimizer = "muon"
        c.train.peak_lr = 1e-3
        c.train.repair_lr = 5e-4
        c.train.total_steps = 1500
        c.loop.rounds = 0  # one seed cannot pass a gate that wants three
    if arg == "tiny":
        c.model.width = 32
        c.model.heads = 2
        c.model.kv_heads = 1
        c.model.ff_width = 64
        c.model.core_blocks = 1
        c.train.total_steps = 8
        c.train.repair_steps = 4
        c.train.batch_size = 8
        c.train.warmup_steps = 2
        c.train.save_every_steps = 4
        c.train.log_every_steps = 2
        c.train.data_workers = 0
        c.eval.per_bucket = 6
        c.eval.negatives = 6
        c.eval.batch_size = 16
        c.gate.bootstrap = 200
        c.loop.rounds = 1
    return c


def sweep(add):
    """One run an argument mode, one a limit of skeletons; `add(**overrides)` of `quick`."""
    for mode in ("write", "fill", "point"):
        add(argument_mode=mode)
    for limit in SKELETONS:
        add(**{"recipe.max_skeletons": limit})
