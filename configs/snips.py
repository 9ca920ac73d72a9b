"""The public benchmark of the model itself: how well does it read when people wrote the training sentences?

  python -m fernjax train --config=configs/snips.py
  python -m fernjax train --config=configs/snips.py:broad --config.train.start_from=runs/pretrain_bud-cpu

Snips (A. Coucke et al., 2018): 13,784 sentences of seven intents, supervised; a tenth is held out by hash of
the text once equal texts are one (`fernjax/model/corpus/snips.py`). Reported are intent accuracy, slot F1 and
sentence accuracy. Known on the official test set, which is another part of the same sentences' kind: BERT
98.6 / 97.2 / 93.6, ALBERT (12M shared, pretrained on billions of words) 98.4 / 97.2 / 93.3.

scratch  `sprout`, three seeds, 7,500 steps (20 epochs): what does the smallest model learn from 12,147
         sentences alone? Cost: about 30 minutes of two quiet CPU cores. Aim: sentence accuracy 88. Not yet
         run.
broad    the same from a broad model, whose folder (or file) `train.start_from` names: what is pretraining
         worth? Cost: the same. Aim: sentence accuracy 90. Not yet run.
bud      12M unique parameters at vocabulary 8192, for an accelerator. Not yet run.
tiny     seconds; shows that every part works, and nothing else.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))
calendar = runpy.run_path(str(pathlib.Path(__file__).with_name("calendar.py")))

VARIANTS = ("scratch", "broad", "bud", "tiny")


def get_config(arg: str | None = None) -> ConfigDict:
    arg = arg or "scratch"
    if arg not in VARIANTS:
        raise ValueError(f"no variant {arg!r}; there are: {', '.join(VARIANTS)}")
    c = base["get_config"]()
    c.task = "snips"
    c.train.total_steps = 7500
    c.train.warmup_steps = 100
    c.train.save_every_steps = 500
    c.train.log_every_steps = 50
    if arg == "broad":
        c.train.start_from = "runs/pretrain_bud-cpu"
    if arg == "bud":
        c.model = calendar["get_config"]("bud").model
        c.train.optimizer = "muon"
        c.train.peak_lr = 1e-3
        c.train.data_workers = 4
    if arg == "tiny":
        c.model = calendar["get_config"]("tiny").model
        c.train.total_steps = 8
        c.train.batch_size = 8
        c.train.warmup_steps = 2
        c.train.save_every_steps = 4
        c.train.log_every_steps = 2
        c.train.data_workers = 0
        c.eval.batch_size = 16
        c.seeds = (0, 1)
    return c
