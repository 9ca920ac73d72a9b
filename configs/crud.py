"""Do apps of create, read, update and delete need contrastive pairs, where apps of distinct verbs do not?

  python -m fernjax fleet --config=configs/crud.py:pairs
  python -m fernjax fleet --config=configs/crud.py:plain
  python benchmarks/crud.py runs/crud-pairs runs/crud-plain

The claim under test: apps of distinct verbs (home, wallet, mail, chat) suit a tiny model, apps of create,
read, update and delete (calendar, alarms, lists, tracker) need contrastive data or a bigger router.

pairs   a quarter of the sentences come as minimal pairs: same object, other tool.
plain   no minimal pairs; everything else alike.

All apps, `sprout`, three seeds, no rounds; about 90 seconds of training a seed and an app on two CPU cores,
two minutes with what judges it: about 50 minutes a variant. Not yet run.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))

PAIRS = {"pairs": 0.25, "plain": 0.0}


def get_config(arg: str | None = None) -> ConfigDict:
    arg = arg or "pairs"
    if arg not in PAIRS:
        raise ValueError(f"no variant {arg!r}; there are: {', '.join(PAIRS)}")
    c = base["get_config"]()
    c.recipe.contrastive = PAIRS[arg]
    c.train.total_steps = 720
    c.train.save_every_steps = 240
    c.loop.rounds = 0
    return c


def sweep(add):
    """Both variants; `add(**overrides)` of `pairs`."""
    for share in PAIRS.values():
        add(**{"recipe.contrastive": share})
