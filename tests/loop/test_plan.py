import pathlib
import re

import pytest

from fernjax.loop import plan, settings, stages
from fernjax.loop.preflight import make_shapes
from fernjax.model.transformer import ModelConfig, count_applied


def load(name, **overrides):
    return settings.load_config(f"configs/{name}", {k.replace("__", "."): v for k, v in overrides.items()})


def test_a_step_is_guessed_from_the_model_and_the_batch():
    """As measured on two idle cores: 0.11 s for `sprout`, 1.2 s for `bud`, at 32 sentences a step."""
    sprout, bud = load("calendar.py:quick"), load("calendar.py:bud")
    assert stages.seconds_per_unit(sprout)["step"] == pytest.approx(0.11, rel=0.05)
    assert stages.seconds_per_unit(bud)["step"] == pytest.approx(1.2, rel=0.05)
    twice = load("calendar.py:quick", train__batch_size="64")
    once = stages.seconds_per_unit(sprout)["step"]
    assert stages.seconds_per_unit(twice)["step"] == pytest.approx(2 * once)


def test_a_run_is_guessed_as_long_as_it_takes():
    new = pathlib.Path("nowhere")

    def seconds(config, verb="loop"):
        return plan.guess_seconds(config, stages.list_stages(config, new, verb))

    quick = load("calendar.py:quick")
    assert plan.in_minutes(seconds(quick)) == "11 to 14 minutes on two CPU cores"  # 11.4 measured
    assert plan.in_minutes(seconds(load("fleet.py:quick"))) == "7 to 9 minutes on two CPU cores"
    assert seconds(load("calendar.py:bud")) > 30 * 60
    assert seconds(quick, "train") + seconds(quick, "evaluate") < seconds(quick)


def test_minutes_are_the_same_wherever_they_are_told():
    told = [settings.SOURCE_TREE / name for name in ("README.md", "docs/own-app.md", "configs/fleet.py")]
    for path in told:
        assert re.search(r"\b(7 to 9|seven to nine)\s+minutes", path.read_text(), re.IGNORECASE), path


def test_loops_count_as_often_as_they_are_applied():
    config = load("calendar.py:tiny")
    once = count_applied(make_shapes(config), ModelConfig.from_config(config))
    config = load("calendar.py:tiny", model__loops="6", model__stem_blocks="1")
    more = count_applied(make_shapes(config), ModelConfig.from_config(config))
    assert more == once // 2 * 7  # tiny's one block, applied twice


def test_a_dry_run_tells_what_there_is_and_no_round_that_is_not(tmp_path):
    shown = plan.describe_run(load("calendar.py:bud"), tmp_path / "x", "loop")
    assert "rounds more" not in shown
    assert "11,8" in shown and "unique parameters" in shown
    block = [line.split()[1] for line in shown.splitlines() if line.startswith("  bud/core_0 ")]
    assert block == ["adamw", "muon"] and "down/kernel*, gate_up/kernel*, out/kernel*, qkv/kernel*" in shown
    assert "1 seed x 1500 steps" in shown
    first, *_, last = shown.splitlines()
    assert "minutes" in first and "1,500 steps" in first
    assert last.removeprefix("in all ") in first
    assert "real sentences, gate half" in shown and "24 authored" in shown
    shown = plan.describe_run(load("calendar.py:quick"), tmp_path / "x", "loop")
    assert "2 rounds more" in shown
    assert "rounds more" not in plan.describe_run(load("calendar.py:quick"), tmp_path / "x", "train")


def test_a_dry_run_warns_of_an_own_file_with_few_sentences(tmp_path):
    (tmp_path / "my.jsonl").write_text('{"query": "put yoga in", "calls": [{"create_event": {}}]}\n')
    config = load("calendar.py:tiny", real_path=str(tmp_path / "my.jsonl"))
    shown = plan.describe_run(config, tmp_path / "x", "loop")
    assert shown.count("warning: ") == 2 and "none of the sentences" in shown
