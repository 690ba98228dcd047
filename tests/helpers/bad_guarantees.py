"""Policies whose guarantees are asked for wrongly, and how they are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cli_harness import Clinic, shows_no_canary, told
from sqlgen import HierarchyError, PolicyError, make_plan, read_policy

SENSITIVE = "  disease: {role: sensitive}\n"


K = "  - k_anonymity: {k: 3}\n"


SENSITIVELY = "must be a sensitive column; found role"


EXACT = "must be a number like 0.25, with at most 9 digits after the point; found "


WHOLE = "must be a whole number; found "


ROWS = "write a number of rows, like 0, or a share of them, like 5%; found "


SHARE = "write a share, like 5% or 0.05; found "


def ask(clinic: Clinic, *guarantees: str, disease: str = "") -> None:
    """Ask for guarantees from line 12 on, and say more of the sensitive column, in line 8."""
    lines = "".join(f"  - {guarantee}\n" for guarantee in guarantees)
    told_of_it = f"{{role: sensitive{f', {disease}' if disease else ''}}}"
    clinic.edit((K, K + lines), (SENSITIVE, f"  disease: {told_of_it}\n"))


def refusal(clinic: Clinic, read: Callable[[], object] | None = None) -> str:
    """What the API and the command say, which is the same and holds no value; nothing changes."""
    before = clinic.state()
    with pytest.raises((PolicyError, HierarchyError)) as raised:
        (read or (lambda: make_plan(read_policy(clinic.policy))))()
    message = str(raised.value)
    assert shows_no_canary(told(raised.value))
    ran = clinic.run("plan")
    assert (ran.code, ran.out, ran.err) == (2, "", f"sqlgen: {message}\n")
    assert clinic.state() == before
    return message


FORMULA = "distance has no formula over combinations of columns; use equal, variational, kl or js"


LIMIT = "the weights, in units of their last digit, must add up to between 1 and 1,000,000,000,000"
