"""A broad model, pretrained from scratch: does breadth fix the routing cap?

  python -m fernjax pretrain --config=configs/pretrain_bud.py
  python -m fernjax pretrain --config=configs/pretrain_bud.py:cpu

It reads tools from their own words and calls them (`fernjax/model/reader.py`), beside reading texts. It is
tried on dialogues of services that it has never seen, those of a new family apart, and specialists of two
apps start from it; the apps' own simulators make none of its sentences.

bud     12M unique parameters, 250M tokens, for an accelerator. Not yet run. Its plain texts are streamed from
        the Hugging Face hub (fineweb-edu, ODC-By; `pip install -e .[data]`); without the internet,
        `--config.data.texts.hub=0`. Cost, by arithmetic: 150 million operations a token (`train_flops`, the
        blocks' alone) are 3.7e16 in all, 2 minutes at 30% of an H200's 989 TFLOP/s in bfloat16 and 13 at 5%;
        a core makes 380,000 tokens of batches a second, so eight keep up with either; the shards, two million
        sentences of random tools among them, take a core a quarter of an hour and the hub's texts as long as
        they are on their way. On two CPU cores, at 500 tokens a second, it would take 139 hours.
cpu     `sprout`, a million tokens, three seeds, on two CPU cores, 6 to 8 minutes a seed (2,500 tokens a
        second); then specialists of two apps, 160 steps of 32 sentences each. Came out, three seeds: on
        services never seen it routes 44.3 [40.4, 48.4] of 910 sentences (those it was trained on: 51.9) and
        65.7 [57.8, 73.9] of 638 dialogues, and of a new family none; RESULTS.md has the rest.
tiny    seconds; shows that every part works, and nothing else.

Tried at `cpu`, seed 0, and no help: reading a tool's vector by a map that begins as the identity (the loss
stays within 0.1), one group a step in place of two (5.18 against 5.02 at 650,000 tokens). A
great help: to move what is read from a tool's words no faster than other states (7.29, was 8.07, at 170,000).

The public dialogues are read from `--config.data.root`, or fetched into it where the internet is.
`configs/breadth.py` changes one thing of `cpu` at a time.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))
calendar = runpy.run_path(str(pathlib.Path(__file__).with_name("calendar.py")))

VARIANTS = ("bud", "cpu", "tiny")
SPECIALISTS = ("calendar", "home")
OTHERS = ("chat", "tracker")  # the apps without public sentences: of the others it sees none


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
        c.data.composed_sets = 2_000
        c.data.texts.hub = 2.0
        c.data.hub = "HuggingFaceFW/fineweb-edu"
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
