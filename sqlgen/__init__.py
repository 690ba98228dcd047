"""Anonymize tables about people inside the database that holds them.

    policy = read_policy("policy.yml")
    plan = make_plan(policy)
    release = apply_plan(plan)

Names are imported when they are first used, so that ``sqlgen --help`` loads no database.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlgen.auditing.audit import Audit, KnownPersons, audit_table
    from sqlgen.auditing.check import Check, check_table
    from sqlgen.errors import (
        EngineError,
        HierarchyError,
        PolicyError,
        RefusedError,
        SqlgenError,
        StalePlanError,
        UnsupportedError,
    )
    from sqlgen.history.joint import Joint
    from sqlgen.history.published import audit_history
    from sqlgen.ledger.ledger import Entry, read_history
    from sqlgen.measuring.tables import GuaranteeResult
    from sqlgen.planning.explain import Explanation, explain_plan
    from sqlgen.planning.frontier import Frontier, make_frontier
    from sqlgen.planning.lock import read_lock, write_lock
    from sqlgen.planning.minimal import MinimalNodes, minimal_nodes
    from sqlgen.planning.plan import Plan, make_plan
    from sqlgen.planning.session import SearchLimits
    from sqlgen.policy import Policy, read_policy
    from sqlgen.releasing.apply import apply_plan, apply_sql
    from sqlgen.releasing.release import Release
    from sqlgen.releasing.run import Run, run_policy
    from sqlgen.releasing.scrub import Scrub, scrub_database
    from sqlgen.reports import Evidence, read_evidence
    from sqlgen.reports.page import page_html
    from sqlgen.sql.watch import Watch

__all__ = [
    "Audit",
    "Check",
    "EngineError",
    "Entry",
    "Evidence",
    "Explanation",
    "Frontier",
    "GuaranteeResult",
    "HierarchyError",
    "Joint",
    "KnownPersons",
    "MinimalNodes",
    "Plan",
    "Policy",
    "PolicyError",
    "RefusedError",
    "Release",
    "Run",
    "Scrub",
    "SearchLimits",
    "SqlgenError",
    "StalePlanError",
    "UnsupportedError",
    "Watch",
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

# The file that each name is imported from when it is first used.
_HOMES = {
    "Audit": "auditing.audit",
    "Check": "auditing.check",
    "EngineError": "errors",
    "Entry": "ledger.ledger",
    "Evidence": "reports",
    "Explanation": "planning.explain",
    "Frontier": "planning.frontier",
    "GuaranteeResult": "measuring.tables",
    "HierarchyError": "errors",
    "Joint": "history.joint",
    "KnownPersons": "auditing.audit",
    "MinimalNodes": "planning.minimal",
    "Plan": "planning.plan",
    "Policy": "policy",
    "PolicyError": "errors",
    "RefusedError": "errors",
    "Release": "releasing.release",
    "Run": "releasing.run",
    "Scrub": "releasing.scrub",
    "SearchLimits": "planning.session",
    "SqlgenError": "errors",
    "StalePlanError": "errors",
    "UnsupportedError": "errors",
    "Watch": "sql.watch",
    "apply_plan": "releasing.apply",
    "apply_sql": "releasing.apply",
    "audit_history": "history.published",
    "audit_table": "auditing.audit",
    "check_table": "auditing.check",
    "explain_plan": "planning.explain",
    "make_frontier": "planning.frontier",
    "make_plan": "planning.plan",
    "minimal_nodes": "planning.minimal",
    "page_html": "reports.page",
    "read_evidence": "reports",
    "read_history": "ledger.ledger",
    "read_lock": "planning.lock",
    "read_policy": "policy",
    "run_policy": "releasing.run",
    "scrub_database": "releasing.scrub",
    "write_lock": "planning.lock",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'sqlgen' has no attribute {name!r}")
    return getattr(import_module(f"sqlgen.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
