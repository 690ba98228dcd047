"""What people read: plans, releases, audits and checks as plain text."""

from collections.abc import Sequence

from sqlgen.apply import Release
from sqlgen.audit import Audit, Measured
from sqlgen.check import Check
from sqlgen.numbers import counted
from sqlgen.plan import Plan
from sqlgen.sql.render import Statement


def plan_text(plan: Plan) -> str:
    """What was chosen, what it costs, and why; or what stood in the way."""
    chosen = [
        ("column", "level", "what is left of it", "loss"),
        *(
            (column, str(level), plan.words[column], f"{plan.column_loss.get(column, 0):.1%}")
            for column, level in plan.levels.items()
        ),
    ]
    measured = f"{plan.measured_nodes:,} of {plan.lattice_nodes:,} nodes measured"
    seconds = plan.seconds.get("total", 0.0)
    if not plan.satisfied:
        return "\n".join(
            [
                f"No generalization gives what the policy asks for: {plan.hindrance}.",
                f"{_rows(plan.rows)}; {measured} in {seconds:.2f} s. The most general node:",
                *_table(chosen),
                *_guarantees(plan.guarantees),
            ]
        )
    return "\n".join(
        [
            f"The node that loses least of {plan.lattice_nodes:,}, for {_rows(plan.rows)}; "
            f"proved with {plan.measured_nodes:,} nodes measured in {seconds:.2f} s:",
            *_table(chosen),
            f"{_classes(plan.classes)}; {_rows(plan.suppressed_rows)} suppressed of "
            f"{plan.budget:,} allowed; loss {plan.loss:.6f}.",
            *_guarantees(plan.guarantees),
        ]
    )


def release_text(release: Release) -> str:
    """What was published, as its audit found it; or why nothing was."""
    counts = f"{_rows(release.suppressed_rows)} suppressed of {release.budget:,} allowed"
    if not release.satisfied:
        return "\n".join(
            [
                f"The release breaks the policy; {counts}.",
                *_guarantees(release.audit.guarantees),
                "Nothing was changed.",
            ]
        )
    return "\n".join(
        [
            f"Released {release.audit.rows:,} of {_rows(release.rows)} in "
            f"{_classes(release.audit.classes)} to {release.kind} {release.target}; {counts}.",
            *_guarantees(release.audit.guarantees),
        ]
    )


def audit_text(audit: Audit) -> str:
    """What a table gives of what the policy asks for."""
    lines = [
        f"{audit.table}: {_rows(audit.rows)} in {_classes(audit.classes)}.",
        *_guarantees(audit.guarantees),
    ]
    if audit.identifiers:
        lines.append(f"Identifiers are in the table: {', '.join(audit.identifiers)}.")
    if audit.absent:
        lines.append(f"Quasi-identifiers that are not in the table: {', '.join(audit.absent)}.")
    lines.append("The policy is met." if audit.satisfied else "The policy is not met.")
    return "\n".join(lines)


def check_text(check: Check) -> str:
    """How many rows are unique, how large the classes are, and which columns do the damage."""
    share = f" ({check.unique_rows / check.rows:.1%})" if check.rows else ""
    lines = [
        f"{check.table}: {_rows(check.rows)} in {_classes(check.classes)} on "
        f"{', '.join(check.quasi)}.",
        f"{check.unique_rows:,} rows{share} are unique; k = {check.k}.",
    ]
    if check.rows_below_k is not None:
        lines.append(f"{check.rows_below_k:,} rows are in classes of fewer than {check.asked_k}.")
    lines += [
        "",
        *_table(
            [
                ("class size", "classes", "rows"),
                *((each.words, f"{each.classes:,}", f"{each.rows:,}") for each in check.sizes),
            ]
        ),
        "",
        *_table(
            [
                ("without", "k", "unique rows"),
                *(
                    (column, f"{each.k:,}", f"{each.unique_rows:,}")
                    for column, each in check.without.items()
                ),
            ]
        ),
    ]
    for column, each in check.homogeneous.items():
        lines.append(
            f"{each.rows:,} rows are in {each.classes:,} classes with one value of {column}."
        )
    return "\n".join(lines)


def script_text(statements: Sequence[Statement]) -> str:
    """The statements as one script."""
    return "\n\n".join(f"{each.text};" for each in statements)


def _guarantees(measured: Sequence[Measured]) -> list[str]:
    return [
        f"{each.guarantee.words}: measured {each.words}, "
        + ("met" if each.satisfied else "NOT met")
        + (
            f" ({_rows(each.failing_rows)} in {_classes(each.failing_classes)} fail)"
            if each.failing_classes
            else ""
        )
        for each in measured
    ]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as aligned columns: names to the left, figures to the right of theirs."""
    widths = [max(len(row[number]) for row in rows) for number in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _rows(count: int) -> str:
    return counted(count, "row")


def _classes(count: int) -> str:
    return counted(count, "class", "classes")
