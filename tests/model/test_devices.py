from __future__ import annotations

import os
import subprocess
import sys

import jax

from fernjax.model import devices


def test_on_one_device_nothing_is_split():
    mesh = devices.make_mesh()
    assert dict(mesh.shape) == {"data": jax.device_count(), "fsdp": 1}
    tree = {"w": jax.ShapeDtypeStruct((8, 16), "float32")}
    assert devices.state_sharding(mesh, tree)["w"].is_fully_replicated


def test_fsdp_splits_the_largest_axis_that_it_divides():
    program = (
        "import jax; jax.config.update('jax_num_cpu_devices', 4)\n"
        "from jax.sharding import Mesh; import numpy as np\n"
        "from fernjax.model import devices\n"
        "mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ('data', 'fsdp'))\n"
        "shapes = [(8, 16), (16, 7), (7, 5), (), (6, 12, 3)]\n"
        "tree = [jax.ShapeDtypeStruct(s, 'float32') for s in shapes]\n"
        "print([list(s.spec) for s in devices.state_sharding(mesh, tree)])\n"
        "batch = jax.device_put(np.zeros((8, 3)), devices.batch_sharding(mesh))\n"
        "print({s.data.shape for s in batch.addressable_shards})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True, env=_env()
    )
    assert done.stdout.splitlines() == ["[[None, 'fsdp'], ['fsdp'], [], [], [None, 'fsdp']]", "{(2, 3)}"]


def test_the_compilation_cache_is_kept_below_the_users_cache_folder(tmp_path):
    program = (
        "import jax\n"
        "from fernjax.model import devices\n"
        "path = devices.enable_compilation_cache()\n"
        "jax.config.update('jax_persistent_cache_min_compile_time_secs', 0.0)\n"
        "jax.jit(lambda x: x * 2 + 1)(jax.numpy.ones(3)).block_until_ready()\n"
        "print(path, len(list(path.iterdir())) > 0)\n"
    )
    env = _env() | {"XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True, env=env
    )
    path, filled = done.stdout.split()
    assert path.startswith(str(tmp_path / "fernjax" / "xla")) and filled == "True"


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
