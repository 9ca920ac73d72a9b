"""sim <- model <- loop; sim and launch import no JAX; configs imports nothing of fernjax."""

from __future__ import annotations

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[1]
JAX = {"jax", "jaxlib", "flax", "optax", "orbax"}
ALLOWED = {"sim": {"sim"}, "model": {"sim", "model"}, "loop": {"sim", "model", "loop"}}


def imports(path: pathlib.Path) -> set[str]:
    """Every module that a file imports, at its top or within a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def files(folder: str) -> list[pathlib.Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("layer", ALLOWED)
def test_layers_import_only_what_stands_before_them(layer):
    assert files(f"fernjax/{layer}")
    for path in files(f"fernjax/{layer}"):
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == "fernjax" and len(parts) > 1 and parts[1] in ALLOWED:
                assert parts[1] in ALLOWED[layer], f"{path.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("folder", ["fernjax/sim", "launch"])
def test_no_jax_in(folder):
    for path in files(folder):
        wrong = {name for name in imports(path) if name.split(".")[0] in JAX}
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


def test_data_workers_need_no_jax():
    wrong = {name for name in imports(ROOT / "fernjax/model/stream.py") if name.split(".")[0] in JAX}
    assert not wrong


def test_configs_import_nothing_of_fernjax():
    assert files("configs")
    for path in files("configs"):
        assert not {name for name in imports(path) if name.split(".")[0] == "fernjax"}, path


def test_no_file_names_a_folder_of_one_machine():
    somewhere = re.compile(r"(?<![\w.}/])/(?:home|root|Users|mnt|work)/")
    assert somewhere.search('open("/home/ana/x")')
    for path in files("fernjax") + files("configs") + files("benchmarks"):
        assert not somewhere.search(path.read_text(encoding="utf-8")), path
