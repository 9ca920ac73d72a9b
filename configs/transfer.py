"""Does the learning rate that suits `sprout` suit `bud`?

  python -m fernjax sweep --config=configs/transfer.py --run
  python -m fernjax sweep --config=configs/transfer.py --report

Both sizes are pretrained as `configs/pretrain_bud.py:cpu` is, on 100,000 tokens of the same mixture in each
one's vocabulary, AdamW, at four learning rates, one seed; no specialists. Compared is the loss of the calls,
which has the same unit in both vocabularies, over the last 25 steps. Not yet run.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

pretrain = runpy.run_path(str(pathlib.Path(__file__).with_name("pretrain_bud.py")))

VERB = "pretrain"
METRICS = {"loss": "loss", "unseen services: route": "trials.unseen/sentence.route", "wall s": "wall_s"}

RATES = (5e-4, 1e-3, 2e-3, 4e-3)


def get_config() -> ConfigDict:
    c = pretrain["get_config"]("cpu")
    c.seeds = (0,)
    c.pretrain.total_tokens = 100_000
    c.pretrain.text_weight = 0.0
    c.pretrain.specialise.domains = ()
    c.train.warmup_steps = 10
    return c


def sweep(add):
    """Every rate at both sizes."""
    bud = pretrain["calendar"]["get_config"]("bud").model
    grown = {
        f"model.{key}": bud[key]
        for key in ("vocab_size", "width", "heads", "kv_heads", "ff_width", "core_blocks", "loops")
    }
    for rate in RATES:
        add(name=f"sprout {rate:g}", **{"train.peak_lr": rate})
        add(name=f"bud {rate:g}", **{"train.peak_lr": rate, **grown})
