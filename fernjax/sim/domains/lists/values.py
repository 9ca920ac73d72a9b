"""Values of this app's sentences and states: what people buy, do, pack and keep lists of."""

import pathlib

_FOLDER = pathlib.Path(__file__).with_name("pools")

POOLS: dict[str, tuple[str, ...]] = {
    path.stem: tuple(line for line in path.read_text(encoding="utf-8").splitlines() if line)
    for path in sorted(_FOLDER.glob("*.txt"))
}
"""The app's own pools by name, each value once, in the files' order."""
