"""Do apps of create, read, update and delete need contrastive pairs, where apps of distinct verbs do not?

  python -m fernjax fleet --config=configs/crud.py:pairs
  python -m fernjax fleet --config=configs/crud.py:plain
  python benchmarks/crud.py runs/crud-pairs runs/crud-plain

The claim under test: apps of distinct verbs (home, wallet, mail, chat) suit a tiny model, apps of create,
read, update and delete (calendar, alarms, lists, tracker) need contrastive data or a bigger router.

pairs   a quarter of the sentences come as minimal pairs: same object, other tool.
plain   none do; everything else alike (pairs of one verb with another value or object stay, in both).

All apps, `sprout`, three seeds, no rounds; about 90 seconds of training a seed and an app on two CPU cores,
five to six minutes an app with what judges it: about 45 minutes a variant.

Came out: no support for the claim. On 218 public `gate` sentences of create, read, update and delete pairs
gain -0.5 points of route [-2.5, 1.6], on 217 of distinct verbs +0.3 [-2.1, 2.7]; without them the first group
routes as well as the second (93.8 and 92.7). On 87 authored ones +2.4 [-1.8, 7.7]: cannot tell.
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
