from __future__ import annotations

import errno
import os
import pathlib
import subprocess

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from fernjax.model import checkpoint, files
from fernjax.sim.types import UserError


def make_state(value: float = 0.0) -> dict:
    w = jnp.arange(60_000, dtype=jnp.float32).reshape(300, 200) * 1.37 + value
    return {
        "params": {"w": w, "b": [jnp.ones(3)]},
        "moments": (jnp.zeros((), jnp.int32), jnp.full((4,), -0.0)),
    }


def assert_same_bits(left, right) -> None:
    assert jax.tree.structure(left) == jax.tree.structure(right)
    for a, b in zip(jax.tree.leaves(left), jax.tree.leaves(right), strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def names(directory: pathlib.Path) -> list[str]:
    return sorted(p.name for p in directory.iterdir())


def save_three(directory: pathlib.Path) -> list[pathlib.Path]:
    return [checkpoint.save(directory, make_state(i), i, {"seed": i}) for i in (1, 2, 3)]


def test_what_is_saved_comes_back_bit_for_bit(tmp_path):
    path = checkpoint.save(tmp_path, make_state(), 250, {"seed": 3, "model": {"width": 8}})
    assert path.name == "step_00000250"
    assert checkpoint.latest(tmp_path) == path
    assert checkpoint.about(path) == {"seed": 3, "model": {"width": 8}}
    like = jax.eval_shape(make_state)
    assert_same_bits(checkpoint.load(path, like), make_state())


def test_the_last_two_stay(tmp_path):
    save_three(tmp_path)
    assert names(tmp_path) == ["step_00000002", "step_00000003"]


def test_nothing_saved_is_none(tmp_path):
    assert checkpoint.latest(tmp_path) is None
    assert checkpoint.latest(tmp_path / "absent") is None


def flip_byte(path: pathlib.Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def truncate(path: pathlib.Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def largest_file(path: pathlib.Path) -> pathlib.Path:
    return max((f for f in path.rglob("*") if f.is_file()), key=lambda f: f.stat().st_size)


@pytest.mark.parametrize("harm", [flip_byte, truncate, pathlib.Path.unlink])
@pytest.mark.parametrize("pick", [largest_file, lambda path: path / "manifest.json"])
def test_a_damaged_checkpoint_is_passed_over_with_a_warning(tmp_path, caplog, harm, pick):
    _, second, third = save_three(tmp_path)
    harm(pick(third))
    assert checkpoint.latest(tmp_path) == second
    (line,) = [r.getMessage() for r in caplog.records if r.name == checkpoint.__name__]
    assert f"{third} is damaged" in line and "using the one before" in line
    assert_same_bits(checkpoint.load(second, make_state()), make_state(2))


def test_every_file_is_guarded(tmp_path):
    path = checkpoint.save(tmp_path, make_state(), 1, {})
    files = [f for f in path.rglob("*") if f.is_file() and f.stat().st_size]
    assert len(files) > 4
    for file in files:
        before = file.read_bytes()
        flip_byte(file)
        assert checkpoint.find_damage(path) is not None, file
        file.write_bytes(before)
        assert checkpoint.find_damage(path) is None


def test_a_file_that_does_not_belong_is_damage(tmp_path):
    path = checkpoint.save(tmp_path, make_state(), 1, {})
    (path / "arrays" / "extra").write_bytes(b"x")
    assert "extra is not of it" in checkpoint.find_damage(path)


def test_leftovers_of_a_kill_are_ignored_and_deleted(tmp_path):
    first = checkpoint.save(tmp_path, make_state(), 1, {})
    torn = tmp_path / "tmp-step_00000002"
    (torn / "arrays").mkdir(parents=True)
    (torn / "arrays" / "half").write_bytes(b"half")
    (tmp_path / "tmp-stray").write_text("a file that somebody has put there")
    assert checkpoint.latest(tmp_path) == first
    checkpoint.save(tmp_path, make_state(2), 2, {})
    assert names(tmp_path) == ["step_00000001", "step_00000002"]


def test_a_damaged_checkpoint_of_the_same_step_is_replaced(tmp_path):
    path = checkpoint.save(tmp_path, make_state(), 1, {})
    flip_byte(largest_file(path))
    assert checkpoint.latest(tmp_path) is None
    checkpoint.save(tmp_path, make_state(), 1, {})
    assert checkpoint.latest(tmp_path) == path
    assert names(tmp_path) == ["step_00000001"]


def test_a_write_that_reads_back_otherwise_is_refused(tmp_path, monkeypatch):
    checkpoint.save(tmp_path, make_state(), 1, {})
    write = checkpoint._write_arrays
    harmed = lambda path, tree: write(path, {**tree, "params/w": tree["params/w"] + 1})
    monkeypatch.setattr(checkpoint, "_write_arrays", harmed)
    with pytest.raises(OSError, match="params/w read back from .* differs"):
        checkpoint.save(tmp_path, make_state(), 2, {})
    assert names(tmp_path) == ["step_00000001"]


def test_another_models_checkpoint_is_refused(tmp_path):
    path = checkpoint.save(tmp_path, make_state(), 1, {})
    smaller = {**make_state(), "params": {"w": jnp.ones((3, 2)), "b": [jnp.ones(3)]}}
    with pytest.raises(UserError, match=r"params/w is float32\[300, 200\], the model's is float32\[3, 2\]"):
        checkpoint.load(path, smaller)
    with pytest.raises(UserError, match="has no leaf 'extra'"):
        checkpoint.load(path, {**make_state(), "extra": jnp.ones(2)})


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path, monkeypatch):
    first = checkpoint.save(tmp_path, make_state(), 1, {})

    def full(*_: object) -> None:
        raise ValueError("RESOURCE_EXHAUSTED: Error writing x: [OS error 28: ENOSPC No space left on device]")

    monkeypatch.setattr(checkpoint, "_write_arrays", full)
    with pytest.raises(UserError, match="disk full while saving step 2 .*free some space") as error:
        checkpoint.save(tmp_path, make_state(2), 2, {})
    assert "\n" not in str(error.value)
    assert names(tmp_path) == ["step_00000001"]
    assert checkpoint.latest(tmp_path) == first


@pytest.fixture
def tiny_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a tmpfs needs root; the test above fakes the full disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_disk_that_is_really_full(tiny_disk):
    first = checkpoint.save(tiny_disk, make_state(), 1, {})  # 240 kB of arrays
    (tiny_disk / "filler").write_bytes(b"x" * 250_000)
    with pytest.raises(UserError, match="disk full while saving step 2"):
        checkpoint.save(tiny_disk, make_state(2), 2, {})
    assert checkpoint.latest(tiny_disk) == first
    assert_same_bits(checkpoint.load(first, make_state()), make_state())
    with pytest.raises(UserError, match="disk full while writing"):
        files.write_file(tiny_disk / "weights", bytes(500_000))
    (tiny_disk / "filler").unlink()
    checkpoint.save(tiny_disk, make_state(2), 2, {})


def test_weights_come_back_bit_for_bit_and_their_file_has_one_form(tmp_path):
    params = make_state()["params"]
    a, b = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    checkpoint.save_weights(a, params, {"steps": "5", "seed": "1"})
    checkpoint.save_weights(b, params, {"seed": "1", "steps": "5"})
    assert_same_bits(checkpoint.load_weights(a, jax.eval_shape(lambda: params)), params)
    assert a.read_bytes() == b.read_bytes()
    assert checkpoint.digest_weights(a) == checkpoint.digest_weights(b)


@pytest.mark.parametrize("harm", [flip_byte, truncate])
def test_damaged_weights_are_refused(tmp_path, harm):
    path = tmp_path / "w.safetensors"
    params = make_state()["params"]
    checkpoint.save_weights(path, params)
    harm(path)
    with pytest.raises(UserError, match="the weights at .* (are damaged|cannot be read)"):
        checkpoint.load_weights(path, params)


def test_absent_weights_and_those_of_another_model_are_refused(tmp_path):
    with pytest.raises(UserError, match="no weights at"):
        checkpoint.load_weights(tmp_path / "w", {})
    with pytest.raises(UserError, match="no weights at"):
        checkpoint.digest_weights(tmp_path / "w")
    checkpoint.save_weights(tmp_path / "w", {"a": jnp.ones(2)})
    with pytest.raises(UserError, match=r"a is float32\[2\], the model's is float32\[3\]"):
        checkpoint.load_weights(tmp_path / "w", {"a": jnp.ones(3)})


def test_a_failed_write_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    path = tmp_path / "w"
    files.write_file(path, b"before")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(UserError, match="disk full while writing"):
        files.write_file(path, b"after")
    assert path.read_bytes() == b"before"
    assert names(tmp_path) == ["w"]


def test_a_file_keeps_its_mode_and_may_have_any_legal_name(tmp_path):
    path = tmp_path / ("x" * 250)
    files.write_file(path, b"before")
    path.chmod(0o600)
    files.write_file(path, b"after")
    assert path.read_bytes() == b"after" and path.stat().st_mode & 0o777 == 0o600


def test_other_errors_stay_what_they_are(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileExistsError):
        files.write_file(tmp_path / "file" / "below", b"x")
