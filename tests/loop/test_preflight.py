"""A config is refused whole, before a folder is made, by the run and by its dry run alike."""

import json

import pytest

from fernjax.loop import commands, settings
from fernjax.loop.preflight import check_config, make_shapes
from fernjax.model.transformer import count_params
from fernjax.sim.types import UserError

TINY = "--config=configs/calendar.py:tiny"


@pytest.mark.parametrize("dry", [False, True])
@pytest.mark.parametrize(
    "key, value, told",
    [
        ("model.width", "33", "width 33 over 2 heads"),
        ("model.heads", "0", "heads 0; give at least 1"),
        ("model.vocab_size", "1000", "vocab_size 1000: no tokenizer of that size"),
        ("model.core_blocks", "0", "tail_blocks are all 0; give one at least 1"),
        ("model.core_blocks", "-1", "core_blocks -1; give at least 0"),
        ("model.rope_base", "0", "rope_base must be above 1"),
        ("argument_mode", "poin", "argument_mode is 'poin'"),
        ("train.optimizer", "sgd", "optimizer is 'sgd'"),
        ("train.batch_size", "0", "train.batch_size is 0; give at least 1"),
        ("train.decay_share", "1.5", "train.decay_share is 1.5; give a share from 0 to 1"),
        ("gate.confidence", "1.0", "gate.confidence is 1.0"),
        ("recipe.near_misses", "0.9", "together at most 1"),
        ("recipe.buckets.messy", "-1", "buckets.messy is -1.0; give at least 0"),
        ("seeds", "1,1", "config.seeds (1, 1)"),
        ("loop.rounds", "500", "loop.rounds 500"),
        ("domain", "kitchen", "no domain 'kitchen'"),
        ("real_path", "/nowhere/my.jsonl", "cannot read the real sentences"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_written(key, value, told, dry, tmp_path, capsys):
    argv = ["loop", TINY, f"--config.{key}={value}", f"--workdir={tmp_path / 'run'}"] + ["--dry_run"] * dry
    assert commands.main(argv) == 2
    err = capsys.readouterr().err
    assert told in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_fleet_is_checked_for_every_app_before_any_is_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("fernjax.loop.fleet._run_app", lambda *_: pytest.fail("an app was run"))
    (tmp_path / "my.jsonl").write_text(json.dumps({"query": "put yoga in", "calls": [{"create_event": {}}]}))
    argv = ["fleet", "--config=configs/fleet.py:tiny", "--config.fleet.domains=calendar,wallet"]
    argv += [f"--config.real_path={tmp_path / 'my.jsonl'}", f"--workdir={tmp_path / 'fleet'}"]
    assert commands.main(argv) == 2
    assert "no tool 'create_event'" in capsys.readouterr().err
    assert not (tmp_path / "fleet").exists()


def test_every_variant_of_every_config_is_whole():
    for name in ("base", "calendar:quick", "calendar:long", "calendar:bud", "calendar:tiny", "fleet:quick"):
        check_config(settings.load_config(f"configs/{name.replace(':', '.py:')}", {}))


def test_shapes_are_those_of_the_model():
    config = settings.load_config("configs/calendar.py:tiny", {})
    assert count_params(make_shapes(config)) == count_params(check_config(config).shapes) > 2048 * 32
    with pytest.raises(UserError, match="width 33"):
        make_shapes(settings.load_config("configs/calendar.py:tiny", {"model.width": "33"}))
