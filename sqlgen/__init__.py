"""Anonymize tables about people inside the database that holds them.

    policy = read_policy("policy.yml")
    plan = make_plan(policy)
    release = apply_plan(plan)

Names are imported when they are first used, so that ``sqlgen --help`` loads no database.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlgen.apply import apply_plan, apply_sql
    from sqlgen.audit import Audit, audit_table
    from sqlgen.check import Check, check_table
    from sqlgen.errors import (
        EngineError,
        HierarchyError,
        PolicyError,
        RefusedError,
        SqlgenError,
        StalePlanError,
        UnsupportedError,
    )
    from sqlgen.evidence import Evidence, read_evidence
    from sqlgen.explain import Explanation, explain_plan
    from sqlgen.frontier import Frontier, make_frontier
    from sqlgen.handout import page_html
    from sqlgen.joint import Joint
    from sqlgen.ledger import Entry, read_history
    from sqlgen.lock import read_lock, write_lock
    from sqlgen.measured import Measured
    from sqlgen.minimal import MinimalNodes, minimal_nodes
    from sqlgen.plan import Plan, make_plan
    from sqlgen.policy import Policy, read_policy
    from sqlgen.published import audit_history
    from sqlgen.release import Release
    from sqlgen.run import Run, run_policy
    from sqlgen.scrub import Scrub, scrub_database

__all__ = [
    "Audit",
    "Check",
    "EngineError",
    "Entry",
    "Evidence",
    "Explanation",
    "Frontier",
    "HierarchyError",
    "Joint",
    "Measured",
    "MinimalNodes",
    "Plan",
    "Policy",
    "PolicyError",
    "RefusedError",
    "Release",
    "Run",
    "Scrub",
    "SqlgenError",
    "StalePlanError",
    "UnsupportedError",
    "apply_plan",
    "apply_sql",
    "audit_history",
    "audit_table",
    "check_table",
    "explain_plan",
    "make_frontier",
    "make_plan",
    "minimal_nodes",
    "page_html",
    "read_evidence",
    "read_history",
    "read_lock",
    "read_policy",
    "run_policy",
    "scrub_database",
    "write_lock",
]

_ROOMS = (
    *("errors", "policy", "check", "measured", "audit", "plan", "minimal", "frontier"),
    *("explain", "lock", "ledger", "joint", "published", "scrub", "release", "apply"),
    *("run", "evidence", "handout"),
)


def __getattr__(name: str) -> object:
    if name in __all__:
        for room in _ROOMS:
            found = getattr(import_module(f"sqlgen.{room}"), name, None)
            if found is not None:
                return found
    raise AttributeError(f"module 'sqlgen' has no attribute {name!r}")
