"""HTML pages from the templates beside this module. A page stands alone: nothing is loaded from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import jinja2


def render_page(template: str, **values: Any) -> str:
    """The page of a template; words of a sentence cannot become markup in it.

    Args:
      template: file name in `fernjax/loop/templates/`.
      values: what the template names; a name that it lacks is an error, not a blank.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("fernjax.loop"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"percent": _percent, "interval": _interval, "json": _json}
    return environment.get_template(template).render(**values)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _interval(ci: Sequence[float] | None) -> str:
    return "" if ci is None else f"{100 * ci[0]:.1f} to {100 * ci[1]:.1f}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
