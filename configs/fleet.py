"""Every app, a specialist each: does what holds for the calendar hold for the others?

  python -m fernjax fleet --config=configs/fleet.py:quick
  python -m fernjax fleet --config=configs/fleet.py:quick --config.fleet.domains=wallet,chat

quick   `sprout`, one seed, no rounds (one seed cannot pass a gate that wants three): seven to nine minutes of
        two CPU cores an app. Expected: `final` public full call 89 to 94 an app (one seed: sd 2 to 3 points),
        mean 91; authored sets together 70.
full    three seeds and two rounds an app, as in `configs/calendar.py:quick` at four times its steps: about an
        hour an app.
tiny    seconds an app; shows that every part works, and nothing else.

Each app runs in WORKDIR/APP as `loop` does; an app that fails does not stop the others. The same command
again goes on with what is not done. `fleet.html` and `fleet.json` compare the apps.
"""

import pathlib
import runpy

from ml_collections import ConfigDict

base = runpy.run_path(str(pathlib.Path(__file__).with_name("base.py")))
calendar = runpy.run_path(str(pathlib.Path(__file__).with_name("calendar.py")))

VARIANTS = ("quick", "full", "tiny")


def get_config(arg: str | None = None) -> ConfigDict:
    arg = arg or "full"
    if arg not in VARIANTS:
        raise ValueError(f"no variant {arg!r}; there are: {', '.join(VARIANTS)}")
    c = calendar["get_config"]("tiny") if arg == "tiny" else base["get_config"]()
    if arg == "quick":
        c.seeds = (0,)
        c.train.total_steps = 3000
        c.train.save_every_steps = 500
        c.loop.rounds = 0
    if arg == "full":
        c.train.total_steps = 3000
        c.train.repair_steps = 600
        c.train.save_every_steps = 500
    if arg == "tiny":
        c.seeds = (0,)
        c.loop.rounds = 0
    return c
