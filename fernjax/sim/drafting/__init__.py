"""A first file for an app of one's own, drafted from nothing but its tools' names and descriptions."""

from fernjax.sim.drafting.composed import compose, draft
from fernjax.sim.drafting.module import check_name, draft_domain, draft_module

__all__ = ["check_name", "compose", "draft", "draft_domain", "draft_module"]
