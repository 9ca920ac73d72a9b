import pytest

from fernjax.loop import settings
from fernjax.model import optimizer
from fernjax.model.spec import Spec
from fernjax.sim.recipe import Recipe
from fernjax.sim.types import UserError
from fernjax.sim.world import load_domain


def test_overrides_take_the_bases_types():
    config = settings.load_config(
        "configs/base.py",
        {
            "train.total_steps": "7",
            "train.quant_noise": "false",
            "train.peak_lr": "1",
            "seeds": "3,4",
            "real_path": "a",
        },
    )
    assert config.train.total_steps == 7
    assert config.train.quant_noise is False
    assert isinstance(config.train.peak_lr, float)
    assert config.seeds == (3, 4)
    assert config.real_path == "a"
    assert config.is_locked


def test_a_tuple_of_one():
    assert settings.load_config("base", {"seeds": "5"}).seeds == (5,)
    assert settings.load_config("base", {"seeds": "(5, 6)"}).seeds == (5, 6)


@pytest.mark.parametrize(
    "key, value, told",
    [
        ("train.totl_steps", "1", "did you mean config.train.total_steps"),
        ("train.total_steps", "many", "takes a int"),
        ("train.total_steps", "1.5", "takes a int"),
        ("train.quant_noise", "maybe", "takes a bool"),
        ("seeds", "a,b", "takes a tuple"),
        ("train", "1", "unknown key config.train"),
    ],
)
def test_mistakes_are_named(key, value, told):
    with pytest.raises(UserError, match=told):
        settings.load_config("configs/base.py", {key: value})


@pytest.mark.parametrize(
    "name, told",
    [
        ("configs/none.py", "no config file"),
        ("configs/base.py:quick", "takes no argument"),
        ("configs/calendar.py:huge", "no variant 'huge'"),
    ],
)
def test_unknown_configs_are_named(name, told):
    with pytest.raises(UserError, match=told):
        settings.load_config(name, {})


@pytest.mark.parametrize(
    "key, value, told",
    [
        ("train.save_every_steps", "0", "give at least 1"),
        ("eval.negatives", "0", "give at least 1"),
        ("train.longest.write", "0", "give at least 1"),
        ("loop.max_hours", "-1", "give at least 0"),
        ("abstain_below", "1.1", "give a share from 0 to 1"),
        ("train.adam_b2", "1", "less than 1"),
        ("train.peak_lr", "0", "give more than 0"),
        ("gate.confidence", "0.5", "more than 0.5"),
    ],
)
def test_numbers_out_of_bounds_are_named(key, value, told):
    with pytest.raises(UserError, match=f"config.{key} is .*{told}"):
        settings.load_config("configs/base.py", {key: value})


def test_bounds_are_of_keys_that_there_are():
    known = settings.flatten(settings.load_config("configs/base.py", {}))
    for keys, _, _ in settings.BOUNDS:
        for key in keys:
            assert any(k == key or (key.endswith(".") and k.startswith(key)) for k in known), key


def test_no_default_of_the_library_contradicts_the_base():
    config = settings.load_config("configs/base.py", {})
    assert optimizer.Settings("adamw", 0.05, 1.0) == optimizer.Settings.from_config(config)
    assert Spec.from_domain(load_domain("calendar"), "point").max_calls == config.model.max_calls
    assert Recipe.from_config(config.recipe) == Recipe(config.recipe.buckets.to_dict()).replace(
        near_misses=config.recipe.near_misses,
        how_tos=config.recipe.how_tos,
        contrastive_verbs=config.recipe.contrastive_verbs,
    )


def test_a_recipe_takes_no_default_for_a_key_that_the_config_lacks():
    values = settings.load_config("configs/base.py", {}).recipe.to_dict()
    for key in values:
        with pytest.raises(UserError, match=f"config.recipe.{key} is missing"):
            Recipe.from_config({k: v for k, v in values.items() if k != key})


def test_a_config_may_not_add_keys(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from ml_collections import ConfigDict\n"
        f"import runpy\nbase = runpy.run_path({str(settings.SOURCE_TREE / 'configs/base.py')!r})\n"
        "def get_config():\n    c = base['get_config']()\n    c.train.total_stepz = 3\n    return c\n"
    )
    with pytest.raises(UserError, match=r"total_stepz, which configs/base.py lacks; .*total_steps"):
        settings.load_config(str(tmp_path / "mine.py"), {})


def test_found_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert settings.load_config("configs/calendar.py:quick", {}).domain == "calendar"


@pytest.mark.parametrize("variant", ["quick", "long", "bud", "tiny"])
def test_every_variant_builds_and_survives_json(variant):
    config = settings.load_config(f"configs/calendar.py:{variant}", {})
    again = settings.from_json(settings.to_json(config))
    assert settings.to_json(again) == settings.to_json(config)
    assert again.seeds == config.seeds


def test_the_sweep_expands():
    namespace = settings.find_config("calendar")[0]
    import runpy

    runs = []
    runpy.run_path(str(namespace))["sweep"](lambda **overrides: runs.append(overrides))
    for overrides in runs:
        settings.load_config("calendar", {key: str(value) for key, value in overrides.items()})
    assert {"argument_mode": "fill"} in runs


@pytest.mark.parametrize("text", ["wallet,chat", "('wallet', 'chat')", "[wallet, chat]", "wallet, chat,"])
def test_a_tuple_of_words_needs_no_quotes(text):
    config = settings.load_config("configs/fleet.py", {"fleet.domains": text})
    assert config.fleet.domains == ("wallet", "chat")
