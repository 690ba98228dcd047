"""The lock: a plan as a small file, meant to be committed and reviewed; same bytes everywhere."""

import json
import math
from pathlib import Path
from typing import Any

from sqlgen.errors import PolicyError, RefusedError, StalePlanError
from sqlgen.files.atomic import write_whole
from sqlgen.files.destinations import find_destination
from sqlgen.guarantees.figures import plain
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.planning.plan import Plan
from sqlgen.policy import Policy
from sqlgen.recodings import RECODINGS
from sqlgen.recodings.locked import locked_count, locked_texts
from sqlgen.staging.fingerprints import Fingerprints

VERSION = 2
_MOST_ROUNDS = 1024


def lock_path(policy_path: Path) -> Path:
    """Where a policy's lock is: beside it, ``policy.yml`` and ``policy.lock``."""
    return policy_path.with_suffix(".lock")


def check_lock_place(path: Path) -> None:
    """Refuse a lock's name that another kind of file has, before anything is worked out."""
    destination = find_destination(path, path.name)
    if destination.exists and _is_something_else(destination.path):
        raise RefusedError(
            f"{path.name}: the lock cannot be read: this file holds something else than a lock. "
            "Rename the policy, or remove the file. Nothing was changed."
        )


def _is_something_else(path: Path) -> bool:
    """Whether a file is surely no lock: one of bytes, as a database, or of text that is no JSON.

    A lock that somebody has damaged may be written anew.
    """
    with path.open("rb") as file:
        start = file.read(4096)
    return b"\0" in start or (bool(start.strip()) and not start.lstrip().startswith((b"{", b"<<<")))


def lock_text(plan: Plan) -> str:
    """The lock's content: sorted JSON without times, paths, versions or values of the table."""
    content = {
        "lock": VERSION,
        "recoding": plan.decision.recoding,
        "decision": plan.decision.to_lock(),
        "rows": plan.rows,
        "suppressed_rows": plan.suppressed_rows,
        "budget": plan.budget,
        "classes": plan.classes,
        # Rounded: the last digits of a root may differ between machines.
        "objective": {"name": plan.policy.objective.name, "value": round(plan.objective, 8)},
        "guarantees": [
            {
                "name": guarantee.guarantee.name,
                **guarantee.guarantee.parameters,
                "measured": plain(guarantee.value),
            }
            for guarantee in plan.guarantees
        ],
        "rounds": plan.rounds,
        **({} if plan.floor is None else {"floor": round(plan.floor, 8)}),
        **({"masked_rows": plan.masked_rows} if plan.policy.masks_sensitive else {}),
        "fingerprints": plan.fingerprints.to_dict(),
    }
    return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def write_lock(plan: Plan, path: Path) -> None:
    """Write the lock in one step: a reader sees the old one or the new one, after a crash too."""
    if not plan.satisfied:
        raise PolicyError("a plan that does not give what the policy asks for is not locked")
    check_lock_place(path)
    try:
        write_whole(lock_text(plan), path)
    except OSError as error:
        raise RefusedError(
            f"{path.name}: the lock cannot be written ({type(error).__name__})"
        ) from None


def read_lock(path: Path, policy: Policy) -> Plan:
    """The plan that a lock holds, for use with the policy it was made for.

    Whether policy, hierarchies and table are still the same is found out when it is applied.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["lock"] != VERSION:
            raise StalePlanError(
                f"{path.name}: the lock is of another version. Run sqlgen plan again"
            )
        if content["recoding"] in RECODINGS and content["recoding"] != policy.recoding.name:
            raise StalePlanError(
                f"{path.name}: the lock is of the recoding {content['recoding']}, and the policy "
                f"asks for {policy.recoding.name}. Run sqlgen plan again. Nothing was changed."
            )
        return _plan(content, policy)
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ):
        raise StalePlanError(
            f"{path.name}: the lock cannot be read. Run sqlgen plan again. Nothing was changed."
        ) from None


def _plan(content: dict[str, Any], policy: Policy) -> Plan:
    fingerprints = content["fingerprints"]
    return Plan(
        policy=policy,
        decision=RECODINGS[content["recoding"]].from_lock(content["decision"]),
        rows=locked_count(content["rows"]),
        suppressed_rows=locked_count(content["suppressed_rows"]),
        budget=locked_count(content["budget"]),
        classes=locked_count(content["classes"]),
        objective=float(_figure(content["objective"]["value"])),
        guarantees=tuple(
            GuaranteeResult(
                guarantee,
                _figure(each["measured"]),
                rows=locked_count(content["rows"]) - locked_count(content["suppressed_rows"]),
            )
            for guarantee, each in zip(policy.guarantees, content["guarantees"], strict=False)
        ),
        rounds=_rounds(content["rounds"]),
        floor=_figure(content["floor"]) if "floor" in content else None,
        masked_rows=locked_count(
            content["masked_rows"] if policy.masks_sensitive else content.get("masked_rows", 0)
        ),
        fingerprints=Fingerprints(
            policy=locked_texts(fingerprints["policy"]),
            hierarchies=locked_texts(fingerprints["hierarchies"]),
            columns=locked_texts(fingerprints["columns"]),
            rows=locked_count(fingerprints["rows"]),
        ),
    )


def _rounds(value: Any) -> int:
    """A number of rounds that a plan can have."""
    if locked_count(value) > _MOST_ROUNDS:
        raise ValueError("not a number of rounds")
    return locked_count(value)


def _figure(value: Any) -> float:
    """A measured figure, as the lock writes one."""
    if value == "infinite":
        return math.inf
    if type(value) not in (int, float) or math.isnan(float(value)):
        raise TypeError("not a figure")
    return float(value) if type(value) is float else int(value)
