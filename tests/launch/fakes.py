"""Stand-ins for the command-line tools of places that are not here."""

from __future__ import annotations

import json
import pathlib
import sys


def fake_tool(folder: pathlib.Path, name: str, prints: str = "", code: int = 0, says: str = "") -> None:
    """An executable that notes its arguments in `calls`, prints, and ends with `code`."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        f"open({str(folder / 'calls')!r}, 'a').write(json.dumps([{name!r}, *sys.argv[1:]]) + '\\n')\n"
        f"print({prints!r}); print({says!r}, file=sys.stderr); sys.exit({code})\n"
    )
    path.chmod(0o755)


def calls(folder: pathlib.Path) -> list[list[str]]:
    """What all tools in a folder were called with, first to last."""
    path = folder / "calls"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
