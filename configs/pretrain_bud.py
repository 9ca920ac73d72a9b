"""A broad model, pretrained from scratch: does breadth fix the routing cap?

  python -m fernjax pretrain --config=configs/pretrain_bud.py
  python -m fernjax pretrain --config=configs/pretrain_bud.py:cpu
  python -m fernjax sweep --config=configs/pretrain_bud.py:cpu --run

It reads tools from their own words and calls them (`fernjax/model/reader.py`), beside reading texts. It is
tried on dialogues of services that it has never seen, those of a new family apart, and specialists of two
apps start from it; the apps' own simulators make none of its sentences.

bud     12M unique parameters, 250M tokens, for an accelerator. Not yet run.
cpu     `sprout`, a million tokens, three seeds, on two CPU cores; then specialists of two apps, 160 steps of
        32 sentences each. Not yet run.
tiny    seconds; shows that every part works, and nothing else.

The public dialogues are read from `--config.data.root`, or fetched into it where the internet is.

`sweep` changes one thing of `cpu` at a time, at equal tokens: how many services and sets of tools (breadth),
shared against flat at equal parameters and at equal compute, loops, optimizer, vocabulary, texts.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))
calendar = runpy.run_path(str(pathlib.Path(__file__).with_name("calendar.py")))

VARIANTS = ("bud", "cpu", "tiny")
SPECIALISTS = ("calendar", "home")
OTHERS = ("alarms", "chat", "lists", "mail", "tracker", "wallet")

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
}


def get_config(arg: str | None = None) -> ConfigDict:
    arg = arg or "bud"
    if arg not in VARIANTS:
        raise ValueError(f"no variant {arg!r}; there are: {', '.join(VARIANTS)}")
    c = base["get_config"]()
    c.data.apps = OTHERS
    if arg == "bud":
        c.model = calendar["get_config"]("bud").model
        c.seeds = (0,)
        c.train.optimizer = "muon"
        c.train.peak_lr = 1e-3
        c.train.batch_size = 32
        c.train.warmup_steps = 200
        c.train.data_workers = 8
        c.pretrain.total_tokens = 250_000_000
        c.pretrain.text_length = 512
        c.pretrain.specialise.domains = SPECIALISTS
        c.data.composed_sets = 400
    if arg == "cpu":
        c.train.batch_size = 2
        c.train.warmup_steps = 30
        c.train.save_every_steps = 200
        c.pretrain.total_tokens = 1_000_000
        c.pretrain.specialise.domains = SPECIALISTS
        c.data.app_sentences = 2_000
        c.data.composed_sets = 32
        c.data.composed_sentences = 500
    if arg == "tiny":
        tiny = calendar["get_config"]("tiny")
        c.model, c.eval, c.gate = tiny.model, tiny.eval, tiny.gate
        c.seeds = (0,)
        c.train.batch_size = 2
        c.train.total_steps = 4
        c.train.warmup_steps = 1
        c.train.save_every_steps = 2
        c.train.log_every_steps = 2
        c.train.data_workers = 0
        c.pretrain.sentences = 4
        c.pretrain.tools = 4
        c.pretrain.text_length = 64
        c.pretrain.specialise.domains = ("calendar",)
        c.pretrain.specialise.total_steps = (4,)
        c.pretrain.specialise.batch_size = 8
        c.data.calls.sgd = 0.0
        c.data.texts.dialogues = 0.0
        c.data.texts.sentences = 0.0
        c.data.app_sentences = 20
        c.data.composed_sets = 2
        c.data.composed_sentences = 20
    return c


def sweep(add):
    """One thing at a time; `add(**overrides)` of `cpu`."""
    for services in (1, 4, 16):
        add(**{"data.services": services})
    add(name="flat, equal parameters", **{"model.loops": 1})
    add(name="flat, equal compute", **{"model.core_blocks": 4, "model.loops": 1})
    add(**{"model.loops": 4})
    add(**{"train.optimizer": "muon"})
    add(**{"model.vocab_size": 4096})
    add(name="calls alone", **{"pretrain.text_weight": 0.0})
