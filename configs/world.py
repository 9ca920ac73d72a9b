"""A learned world: the transformer foretells what an app answers, and what that makes of its state.

  python -m fernjax world --config=configs/world.py
  python -m fernjax world --config=configs/world.py:home
  python -m fernjax world --config=configs/world.py:tiny

It reads a state and a call, and writes the status, the changes of the state and the fields of the answer that
are not known beforehand (`fernjax/sim/worlds/language.py`); it is judged on 60 unseen episodes an app, by
rules, against the simulator.

calendar  `sprout`, three seeds of 3,000 steps, four rows of at most 1,024 tokens each. Not yet run.
home      the same of an app whose tools have distinct verbs. Not yet run.
alarms    the same of an app of short states, a third of the tokens. Not yet run.
tiny      seconds; shows that every part works, and nothing else.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))
calendar = runpy.run_path(str(pathlib.Path(__file__).with_name("calendar.py")))

VARIANTS = ("calendar", "home", "alarms", "tiny")


def get_config(arg: str | None = None) -> ConfigDict:
    arg = arg or "calendar"
    if arg not in VARIANTS:
        raise ValueError(f"no variant {arg!r}; there are: {', '.join(VARIANTS)}")
    c = base["get_config"]()
    c.world.apps = ("alarms",) if arg == "tiny" else (arg,)
    c.train.batch_size = 4
    c.train.total_steps = 3000
    c.train.warmup_steps = 100
    c.train.save_every_steps = 200
    c.train.log_every_steps = 25
    if arg == "tiny":
        tiny = calendar["get_config"]("tiny")
        c.model = tiny.model
        c.seeds = (0,)
        c.train.batch_size = 2
        c.train.total_steps = 4
        c.train.warmup_steps = 1
        c.train.save_every_steps = 2
        c.train.log_every_steps = 2
        c.train.data_workers = 0
        c.world.calls = 3
        c.world.row_length = 512
        c.world.state_length = 384
        c.world.answer_length = 32
        c.world.turns = 2
        c.world.episodes = 2
    return c
