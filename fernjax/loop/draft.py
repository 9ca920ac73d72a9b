"""`new-domain`: writes the first file of an app of one's own, and shows that it runs."""

from __future__ import annotations

import json
import os
import pathlib

from fernjax.model.files import write_file
from fernjax.sim import domains
from fernjax.sim.drafting import check_name, draft_module
from fernjax.sim.types import UserError
from fernjax.sim.world import domain_names


def write_domain(name: str, tools_path: str, dry_run: bool = False) -> pathlib.Path:
    """Writes `fernjax/sim/domains/NAME.py`, drafted from a file of tools.

    Args:
      name: of the app.
      tools_path: JSON in the OpenAI form.
      dry_run: only check, and say where the file would be.

    Raises:
      UserError: there is such an app, or the name or the tools are not in form.
    """
    check_name(name)
    folder = pathlib.Path(next(iter(domains.__path__)))
    path = folder / f"{name}.py"
    if name in domain_names():
        raise UserError(f"there is an app {name!r} already; choose another name, or remove its file first")
    if os.path.lexists(path) or os.path.lexists(folder / name):
        raise UserError(f"the name {name!r} is taken in {folder}; choose another name")
    try:
        document = json.loads(pathlib.Path(tools_path).read_text(encoding="utf-8-sig"))
    except OSError as e:
        raise UserError(f"cannot read {tools_path}: {e.strerror}; check --tools") from e
    except RecursionError as e:
        raise UserError(f"{tools_path} is nested too deeply; give a plain list in the OpenAI form") from e
    except ValueError as e:  # JSON and Unicode errors are ValueErrors, and so is a number of 5000 digits
        raise UserError(f"{tools_path} is no JSON: {e}; give a list of tools in the OpenAI form") from e
    source = draft_module(name, document)
    if not dry_run:
        write_file(path, source.encode("utf-8"))
    return path
