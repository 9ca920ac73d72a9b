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
    assert settings.load_config("base", {"seeds": "(0)"}).seeds == (0,)


@pytest.mark.parametrize(
    "key, value, told",
    [
        ("train.totl_steps", "1", "did you mean config.train.total_steps"),
        ("train.total_steps", "many", "takes an int"),
        ("train.total_steps", "1.5", "takes an int"),
        ("train.quant_noise", "maybe", "takes a bool"),
        ("seeds", "a,b", "takes a tuple"),
        ("seeds", "('0')", "takes a tuple"),
        ("seeds", "({0})", "takes a tuple"),
        ("seeds", "({[]: 0})", "takes a tuple"),
        ("seeds", "(" * 5000, "takes a tuple"),
        ("seeds", "(" + "-" * 5000 + "1)", "takes a tuple"),
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
        ("train.data_workers", "100000", "give at most 256"),
        ("train.peak_lr", "nan", "give a finite number"),
        ("gate.margin_real", "inf", "give a finite number"),
        ("model.logit_cap", "nan", "give a finite number"),
        ("train.total_steps", str(10**30), "out of bounds; give at most"),
    ],
)
def test_numbers_out_of_bounds_are_named(key, value, told):
    with pytest.raises(UserError, match=f"config.{key} is .*{told}"):
        settings.load_config("configs/base.py", {key: value})


@pytest.mark.parametrize("seeds", ["()", "1,1", "-1"])
def test_seeds_of_any_verb_are_one_or_more_and_different(seeds):
    with pytest.raises(UserError, match=r"config.seeds \(.*give one or more, all different"):
        settings.load_config("configs/base.py", {"seeds": seeds})


HEAD = (
    "from ml_collections import ConfigDict\nimport runpy\n"
    f"base = runpy.run_path({str(settings.SOURCE_TREE / 'configs/base.py')!r})['get_config']\n"
)


@pytest.mark.parametrize(
    "source, told",
    [
        (b"def get_config(:\n", r"mine.py, line 1: SyntaxError"),
        (b"\nimport no_such_thing\n", r"mine.py, line 2: ModuleNotFoundError"),
        (b"\n\n1 / 0\n", r"mine.py, line 3: ZeroDivisionError"),
        (b"import sys\nsys.exit(0)\n", r"mine.py, line 2: SystemExit"),
        (b"def get_config():\n    import sys\n    sys.exit(0)\n", r"mine.py, line 3: SystemExit"),
        (b"def get_config():\n    return {}['a']\n", r"mine.py, line 2: KeyError"),
        (b"x = '\xff'\n", r"mine.py.*SyntaxError"),
        (b"get_config = 3\n", r"mine.py has no get_config\(\)"),
        (b"x = 3\n", r"mine.py has no get_config\(\)"),
        (b"def get_config():\n    pass\n", r"gives a NoneType, not the config; return it"),
        (b"def get_config(a, b):\n    pass\n", r"takes 2 arguments"),
        (b"def get_config():\n    raise ValueError('too warm')\n", r"mine.py: too warm"),
    ],
)
def test_a_broken_config_file_is_one_line_with_its_place(source, told, tmp_path):
    (tmp_path / "mine.py").write_bytes(source)
    with pytest.raises(UserError, match=told):
        settings.load_config(str(tmp_path / "mine.py"), {})


@pytest.mark.parametrize("name", ["mine.py", "base.py"])
@pytest.mark.parametrize(
    "change, told",
    [
        ("del c.train.clip_norm", "lacks config.train.clip_norm"),
        ("del c['gate']", "lacks config.gate"),
        ("c.seeds = ('a',)", r"config.seeds is \('a',\); give a tuple"),
        ("c.seeds = (True,)", "config.seeds is"),
        ("c.fleet.domains = (1,)", "config.fleet.domains is"),
        ("c.train['total_steps'] = c.train.get_ref('peak_lr') * 0", "total_steps"),
    ],
)
def test_a_config_has_every_key_in_the_bases_form(name, change, told, tmp_path):
    """A file of one's own by the name of the base is checked against the library's base as well."""
    (tmp_path / name).write_text(f"{HEAD}def get_config():\n    c = base()\n    {change}\n    return c\n")
    with pytest.raises(UserError, match=told):
        settings.load_config(str(tmp_path / name), {})


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
        context=config.recipe.context,
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


@pytest.mark.parametrize("text", ["wallet,chat", "('wallet', 'chat')", "[wallet, chat]", "wallet, chat,"])
def test_a_tuple_of_words_needs_no_quotes(text):
    config = settings.load_config("configs/fleet.py", {"fleet.domains": text})
    assert config.fleet.domains == ("wallet", "chat")
