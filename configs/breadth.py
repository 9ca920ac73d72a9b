"""What of a pretraining is worth its tokens: breadth, sharing, loops, optimizer, vocabulary, texts?

  python -m fernjax sweep --config=configs/breadth.py --list
  python -m fernjax sweep --config=configs/breadth.py --run
  python -m fernjax sweep --config=configs/breadth.py --report

The centre is `configs/pretrain_bud.py:cpu`; each point changes one thing of it, at equal tokens: how many
services and sets of tools are trained on (1, 4, 16; the centre has all), shared against flat at equal
parameters and at equal compute, more loops, Muon, a larger vocabulary, no texts. Not yet run.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

pretrain = runpy.run_path(str(pathlib.Path(__file__).with_name("pretrain_bud.py")))

SPECIALISTS = pretrain["SPECIALISTS"]

VERB = "pretrain"
METRICS = {
    "unseen services: route": "trials.unseen/sentence.route",
    "unseen services: full": "trials.unseen/sentence.full",
    "new family: route": "trials.new_family/sentence.route",
    "unseen, in a dialogue: full": "trials.unseen/history.full",
    **{
        f"{app}, {half} public: {mark}": f"specialists.{app}-160.real.{half}.public.{mark}"
        for app in SPECIALISTS
        for half in ("gate", "final")
        for mark in ("route", "full")
    },
    "loss of the calls and texts": "loss",
    "loss of the texts": "text_loss",
    "wall s": "wall_s",
}


def get_config() -> ConfigDict:
    return pretrain["get_config"]("cpu")


def sweep(add):
    """One thing at a time; `add(**overrides)` of the centre."""
    for services in (1, 4, 16):
        add(**{"data.services": services})
    add(name="flat, equal parameters", **{"model.loops": 1})
    add(name="flat, equal compute", **{"model.core_blocks": 4, "model.loops": 1})
    add(**{"model.loops": 4})
    add(**{"train.optimizer": "muon"})
    add(**{"model.vocab_size": 4096})
    add(name="calls alone", **{"pretrain.text_weight": 0.0})
