"""Anonymize tables about people inside the database that holds them.

policy = read_policy("policy.yml")
plan = make_plan(policy)
release = apply_plan(plan)
"""

from sqlgen.apply import Release, apply_plan, apply_sql
from sqlgen.audit import Audit, Measured, audit_table
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
from sqlgen.lock import read_lock, write_lock
from sqlgen.plan import Plan, make_plan
from sqlgen.policy import Policy, read_policy

__all__ = [
    "Audit",
    "Check",
    "EngineError",
    "HierarchyError",
    "Measured",
    "Plan",
    "Policy",
    "PolicyError",
    "RefusedError",
    "Release",
    "SqlgenError",
    "StalePlanError",
    "UnsupportedError",
    "apply_plan",
    "apply_sql",
    "audit_table",
    "check_table",
    "make_plan",
    "read_lock",
    "read_policy",
    "write_lock",
]
