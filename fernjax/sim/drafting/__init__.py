"""A first file for an app of one's own, drafted from nothing but its tools' names and descriptions."""

from fernjax.sim.drafting.module import check_name, draft_module

__all__ = ["check_name", "draft_module"]
