"""The columns of a release, each with its level and loss, in words that hold no label."""

from sqlgen.errors import SqlgenError
from sqlgen.hierarchies.lists import Listed
from sqlgen.hierarchies.rules import TOP
from sqlgen.ledger.ledger import Entry
from sqlgen.measuring.histograms import Histograms
from sqlgen.planning.lock import lock_path, lock_text, read_lock
from sqlgen.planning.plan import Plan
from sqlgen.policy import Policy, Role
from sqlgen.reports.model import ColumnLost
from sqlgen.staging.fingerprints import digest
from sqlgen.wording import counted, share_words

_KEPT = "the value itself"


def columns_of(
    policy: Policy, entry: Entry, plan: Plan | None, spread: Histograms | None
) -> tuple[ColumnLost, ...]:
    """Every column of the policy, in its order, with its loss where a plan tells it."""
    told = plan or locked_plan(policy, entry)
    words = told.words if told is not None else {}
    losses = plan.column_loss if plan is not None else {}
    labels = spread.labels if spread is not None else {}
    values = spread.values if spread is not None else {}
    levels = entry.levels or {}
    lines = []
    for name, declared in policy.columns.items():
        role = declared.role.value
        if name in levels:
            level = levels[name]
            said = level_words(policy, name, level, words.get(name))
            lines.append(
                ColumnLost(
                    name, role, level, said, losses.get(name), values.get(name), labels.get(name)
                )
            )
        elif entry.levels is None and declared.role is Role.QUASI:
            said = _several_levels(policy, name, entry, plan)
            lines.append(
                ColumnLost(
                    name, role, None, said, losses.get(name), values.get(name), labels.get(name)
                )
            )
        elif declared.role is Role.IDENTIFIER:
            lines.append(ColumnLost(name, role, None, "not released"))
        elif policy.level(name):
            lines.append(ColumnLost(name, role, policy.level(name), f"level {policy.level(name)}"))
        else:
            lines.append(ColumnLost(name, role, None, "released as it is"))
    return tuple(lines)


def _several_levels(policy: Policy, column: str, entry: Entry, plan: Plan | None) -> str:
    """The levels of a column, each with the share of the rows at it where a plan tells that."""
    shares = [
        f"{level_words(policy, column, level, words)} ({share_words(share)} of the rows)"
        for name, level, words, _, share in (plan.level_shares if plan is not None else [])
        if name == column
    ]
    if shares:
        return "; ".join(shares)
    if column not in entry.column_levels:
        return f"several levels, class by class ({entry.recoding} recoding)"
    least, most = entry.column_levels[column]
    return f"levels {least} to {most}, class by class" if most else _KEPT


def level_words(policy: Policy, column: str, level: int, words: str | None) -> str:
    """The meaning of a level, without a label: the top of a list, or cuts, are values."""
    if level == 0:
        return _KEPT
    if words is None:
        return f"level {level}"
    hierarchy = policy.columns[column].hierarchy
    if isinstance(hierarchy, Listed):
        listed = f"{hierarchy.words}, level {level}"
        return listed if words == listed else "one label for all"
    if words == TOP:
        return "one label for all"
    if words.startswith("cut at "):
        return f"cut at {counted(words.count(',') + 1, 'place')}"
    return words


def locked_plan(policy: Policy, entry: Entry) -> Plan | None:
    """The plan of the policy's lock, where it is the one that the release was made by."""
    if policy.path is None or not lock_path(policy.path).exists():
        return None
    try:
        plan = read_lock(lock_path(policy.path), policy)
    except SqlgenError:
        return None
    return plan if digest(lock_text(plan)) == entry.lock_fingerprint else None
