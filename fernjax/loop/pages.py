"""HTML pages from the templates beside this module. A page stands alone: nothing is loaded from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2

from fernjax.sim.types import OUT_OF_SCOPE


def render_page(template: str, **values: Any) -> str:
    """The page of a template; words of a sentence cannot become markup in it.

    Args:
      template: file name in `fernjax/loop/templates/`.
      values: what the template names; a name that it lacks is an error, not a blank.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("fernjax.loop"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {
        "percent": _percent,
        "interval": _interval,
        "json": _json,
        "calls": show_calls,
        "points": _points,
    }
    return environment.get_template(template).render(**values)


def show_calls(value: Any) -> str:
    """Calls as people write them: `create_event(title="tea", date="2026-03-06")`.

    Args:
      value: an answer's calls or a label's, as JSON or its text; a label's other values stand behind "or".
        A text that is no JSON is shown as it is.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value)
    return " and ".join(_show_call(call) for call in value)


def _show_call(call: Mapping[str, Any]) -> str:
    if "name" in call and isinstance(call["name"], str):
        name, arguments = call["name"], {key: [value] for key, value in call["arguments"].items()}
    else:
        ((name, arguments),) = call.items()
    if name == OUT_OF_SCOPE:
        return "abstain"
    shown = (f"{key}={' or '.join(map(_show_value, values))}" for key, values in arguments.items())
    return f"{name}({', '.join(shown)})"


def _show_value(value: Any) -> str:
    return "left out" if value == "" else _json(value)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"


def _interval(ci: Sequence[float] | None) -> str:
    return "" if ci is None else f"{100 * ci[0]:.1f} to {100 * ci[1]:.1f}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
