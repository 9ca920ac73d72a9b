"""`new-domain`: writes the first file of an app of one's own, and shows that it runs."""

from __future__ import annotations

import codecs
import os
import pathlib
from typing import Any, NamedTuple

from fernjax.model.files import write_file
from fernjax.sim import domains
from fernjax.sim.drafting import check_name, draft_module
from fernjax.sim.drafting.document import read_tools
from fernjax.sim.strict_json import parse
from fernjax.sim.types import UserError
from fernjax.sim.world import domain_names


class Draft(NamedTuple):
    """What was drafted.

    Attributes:
      path: its file; there is none after a dry run.
      tools, arguments: how many it has.
      left_out: a note for each argument that one sentence cannot say.
    """

    path: pathlib.Path
    tools: int
    arguments: int
    left_out: list[str]


def write_domain(name: str, tools_path: str, dry_run: bool = False) -> Draft:
    """Writes `fernjax/sim/domains/NAME.py`, drafted from a file of tools.

    Args:
      name: of the app.
      tools_path: JSON in one of the forms that `drafting.document` takes.
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
    document = read_json(tools_path)
    source = draft_module(name, document)
    read = read_tools(document)
    if not dry_run:
        write_file(path, source.encode("utf-8"))
    own = [t for t in read.tools if t.name in read.roles]
    return Draft(path, len(own), sum(len(t.arguments) for t in own), read.left_out)


def read_json(tools_path: str) -> Any:
    """The document in a file of tools, parsed; `drafting.document` says whether it is one.

    Raises:
      UserError: it cannot be read, or is no JSON.
    """
    try:
        return parse(pathlib.Path(tools_path).read_bytes().removeprefix(codecs.BOM_UTF8))
    except OSError as e:
        raise UserError(f"cannot read {tools_path}: {e.strerror}; check --tools") from e
    except ValueError as e:
        raise UserError(f"{tools_path}: {e}; give a list of tools in the OpenAI form") from e
