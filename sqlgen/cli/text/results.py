"""What people read: plans, releases, audits and checks as plain text."""

from collections.abc import Mapping, Sequence

from sqlgen.auditing.audit import Audit
from sqlgen.auditing.check import Check
from sqlgen.cli.text.uniqueness import uniqueness_lines
from sqlgen.guarantees import Belief, Concentration
from sqlgen.guarantees.base import figure_text
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.planning.plan import Plan
from sqlgen.releasing.release import Release
from sqlgen.releasing.scrub import Scrub
from sqlgen.sql.render import Statement
from sqlgen.wording import aligned, classes_words, counted, objective_words, rows_words, share_words


def plan_text(plan: Plan) -> str:
    """What was chosen, what it costs, and why; or what stood in the way."""
    chosen = [
        ("column", "level", "what is left of it", "loss"),
        *(
            (column, str(level), plan.words[column], share_words(plan.column_loss.get(column, 0)))
            for column, level in (plan.levels or {}).items()
        ),
    ]
    spent = _spent(
        plan.suppressed_rows, plan.withheld_rows, plan.withheld_cells, plan.budget, plan.empty_rows
    )
    measured = f"{plan.measured_nodes:,} of {plan.lattice_nodes:,} nodes measured"
    seconds = plan.seconds.get("total", 0.0)
    own = plan.policy.objective.name
    if not plan.satisfied:
        return "\n".join(
            [
                f"No generalization gives what the policy asks for: {plan.hindrance}.",
                f"{rows_words(plan.rows)}; {measured} in {seconds:.2f} s. The most general node:",
                *aligned(chosen),
                *_guarantees(plan.guarantees, judged=False),
                *_coarse(plan),
                *_unseen(plan),
                *_done(plan),
            ]
        )
    return "\n".join(
        [
            _chosen(plan, seconds),
            *aligned(chosen),
            f"{classes_words(plan.classes)}; {spent}; {own} {objective_words(plan.objective)}.",
            *_guarantees(plan.guarantees, judged=False),
            *_metrics(plan.metrics, own),
            *uniqueness_lines(plan.uniqueness, " of the source"),
            *_coarse(plan),
            *_changed(plan),
            *_unseen(plan),
            *_done(plan),
            *_empty_columns(plan),
        ]
    )


def _empty_columns(plan: Plan) -> list[str]:
    """The column that comes out with one label and the fewest rows in its way, and what helps."""
    empty = plan.empty_columns
    if empty is None:
        return []
    column, budget = empty.columns[0], plan.budget
    allowed = f" ({budget:,} may be)" if budget else ""
    shown_as = "*" if plan.words[column.column] == "*" else "one label in all rows"
    line = (
        f"{column.column} comes out empty ({shown_as}): for its next finer level ({column.words}) "
        f"{rows_words(column.rows)} would have to be suppressed{allowed}."
    )
    gains = [
        f"with suppression: {relief.percent}% ({rows_words(relief.budget)}) it would be "
        f"{objective_words(relief.objective or 0)}{'' if relief.is_proved else ' or less'}"
        for relief in empty.reliefs
    ]
    if not gains:
        return [line]
    now = f"{plan.policy.objective.name} is {objective_words(plan.objective)}"
    return [f"{line} The {now}; {', '.join(gains)}."]


def _changed(plan: Plan) -> list[str]:
    """What becomes of the source's columns where it is released in place, and what hinders it."""
    change = plan.change
    if change is None:
        return []
    parts = [f"{column} becomes {now} ({was} now)" for column, (was, now) in change.retyped.items()]
    parts += [f"{', '.join(change.removed)} {'go' if len(change.removed) > 1 else 'goes'}"] * bool(
        change.removed
    )
    types = [each.called_from(change.parts[1]) for each in change.types]
    if len(types) == 1:
        parts.append(f"the type {types[0]} goes, with the values that it lists")
    elif types:
        parts.append(f"the types {', '.join(types)} go, with the values that they list")
    return [
        f"In place: {'; '.join(parts) or 'no column changes its type'}.",
        *(f"In the way of it: {obstacle.reason}." for obstacle in change.obstacles),
    ]


def _done(plan: Plan) -> list[str]:
    """What the search did, where the plan was made now."""
    if not plan.measured_nodes or "search" not in plan.seconds:
        return []
    closed = plan.closed_nodes
    return [
        f"Closed unmeasured: {counted(closed.by_failure, 'node')} below a failure, "
        f"{closed.by_classes:,} above dear classes, {closed.by_columns:,} by single columns. "
        f"{counted(plan.cells, 'cell')}, staged in {plan.seconds['stage']:.2f} s, searched in "
        f"{plan.seconds['search']:.2f} s."
    ]


def _metrics(metrics: Mapping[str, float], own: str = "") -> list[str]:
    """What is lost, by every objective that is told; a plan's own is marked."""
    rows = [("what is lost, by", "figure", "")]
    rows += [
        (name, objective_words(figure), "the objective" if name == own else "")
        for name, figure in metrics.items()
    ]
    return aligned(rows)


def _chosen(plan: Plan, seconds: float) -> str:
    """How good the node is, and how that is known."""
    measured = f"{counted(plan.measured_nodes, 'node')} measured in {seconds:.2f} s"
    if plan.floor is None:
        return (
            f"The node that loses least of {plan.lattice_nodes:,}, for {rows_words(plan.rows)}; "
            f"proved with {measured}:"
        )
    return (
        f"The best node found of {plan.lattice_nodes:,}, for {rows_words(plan.rows)}; a limit "
        f"ended the search with {measured}. No node has a {plan.policy.objective.name} below "
        f"{objective_words(plan.floor)}; this one has {objective_words(plan.objective)}:"
    )


def release_text(release: Release) -> str:
    """What was published, as its audit found it; or why nothing was."""
    counts = _spent(
        release.suppressed_rows,
        release.audit.withheld_rows,
        release.withheld_cells,
        release.budget,
        release.empty_rows,
    )
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
            f"Released {release.audit.rows:,} of {rows_words(release.rows)} in "
            f"{classes_words(release.audit.classes)} {_place(release)}; {counts}.",
            *_replaced(release),
            *(
                f"{column} is released at level {level}: "
                f"{counted(release.audit.rows - release.audit.withheld_rows, 'cell')}."
                for column, level in release.sensitive_levels.items()
            ),
            *_guarantees(release.audit.guarantees),
            *([f"It is release {release.number} in {release.ledger}."] if release.ledger else ()),
            *_remains(release),
        ]
    )


def _replaced(release: Release) -> list[str]:
    """What a release to a file replaced, where the target's name does not say it."""
    lines = []
    if release.link:
        lines.append(f"{release.target} is a link. What it leads to was replaced: {release.link}.")
    if release.other_names:
        lines.append(
            f"The file that was replaced has {counted(release.other_names, 'other name')} "
            "(hard links). Under those the old release can still be read."
        )
    return lines


def scrub_text(scrub: Scrub) -> str:
    """What a rewrite of a database did, and what it does not reach."""
    old = "written over and unlinked" if scrub.how == "overwrite" else "unlinked"
    lines = [f"Rewrote {scrub.file}; the old file was {old}."]
    if scrub.values:
        lines.append(
            f"Of {counted(scrub.values, 'value')} that only the source had, {scrub.before:,} could "
            f"be read in the bytes of the old file, {scrub.after:,} in those of the new one"
            + (f", {scrub.elsewhere:,} of them in other tables." if scrub.after else ".")
        )
    else:
        lines.append("No value was looked for in its bytes: none is known that only it had.")
    if scrub.told:
        lines.append(
            "NOT gone: values that no table holds any more stand in the definition or comment of "
            f"{', '.join(scrub.told)}. Make it anew without them, then run sqlgen scrub."
        )
    if scrub.left:
        lines.append(
            f"NOT looked at: {', '.join(scrub.left)}, where DuckDB spills rows for other programs, "
            "is a link or holds files that are not DuckDB's alone. Look at it yourself."
        )
    lines.append("Backups, snapshots and replicas of the file are not reached.")
    return "\n".join(lines)


def _remains(release: Release) -> list[str]:
    """What of the originals is left, where the release took their place."""
    if release.kind != "in_place":
        return []
    if release.scrub is not None:
        return [scrub_text(release.scrub)]
    return [
        "The originals can still be recovered: the database keeps replaced rows in free blocks of "
        "its file and in its log. sqlgen scrub writes the file anew without them."
    ]


def _place(release: Release) -> str:
    """Where the release is."""
    if release.kind == "in_place":
        return f"in place of {release.target}"
    return f"to {release.kind} {release.target}"


def audit_text(audit: Audit) -> str:
    """What a table gives of what the policy asks for."""
    lines = [
        f"{audit.table}: {rows_words(audit.rows)} in {classes_words(audit.classes)}"
        + (
            f"; {rows_words(audit.withheld_rows)} show no sensitive value."
            if audit.withheld_rows
            else "."
        ),
        *_guarantees(audit.guarantees),
        *(
            guarantee.guarantee.note
            for guarantee in audit.guarantees
            if guarantee.satisfied and guarantee.guarantee.note
        ),
        *_ruled_out(audit),
        *_mends(audit),
        *_attacks(audit),
        *_masked(audit),
        *_metrics(audit.metrics),
        *uniqueness_lines(audit.uniqueness),
    ]
    if audit.not_measured:
        lines.append(f"Nothing else can be told of what is lost: {audit.not_measured}.")
    for each in audit.unmeasured:
        if each.unit_column is None:
            lines.append(f"{each.title} cannot be told.")
            continue
        lines.append(
            f"{each.title} cannot be told: {audit.table} has no column {each.unit_column}, and "
            "its rows are not those of the source as it is now."
        )
    for column, values in audit.raw.items():
        lines.append(
            f"{audit.table} shows {counted(values, 'distinct value')} of {column} that "
            f"{'is' if values == 1 else 'are'} no label of its level."
        )
    if audit.identifiers:
        lines.append(f"Identifiers are in the table: {', '.join(audit.identifiers)}.")
    if audit.absent:
        lines.append(f"Quasi-identifiers that are not in the table: {', '.join(audit.absent)}.")
    met = f"The policy is met.{audit.uniqueness.unbounded_words}".rstrip(".")
    lines.append(f"{met}." if audit.satisfied else "The policy is not met.")
    return "\n".join(lines)


def check_text(check: Check) -> str:
    """How many rows are unique, how large the classes are, and which columns do the damage."""
    share = f" ({share_words(check.unique_rows / check.rows)})" if check.rows else ""
    lines = [
        f"{check.table}: {rows_words(check.rows)} in {classes_words(check.classes)} on "
        f"{', '.join(check.quasi)}.",
        f"{rows_words(check.unique_rows)}{share} {'is' if check.unique_rows == 1 else 'are'} "
        f"unique; k = {check.k}.",
    ]
    if check.rows_below_k is not None:
        are = "is" if check.rows_below_k == 1 else "are"
        below = f"{rows_words(check.rows_below_k)} {are} in classes of fewer than {check.asked_k}."
        lines.append(below)
    lines += [
        "",
        *aligned(
            [
                ("class size", "classes", "rows"),
                *((siz.words, f"{siz.classes:,}", f"{siz.rows:,}") for siz in check.sizes),
            ]
        ),
        "",
        *aligned(
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
            f"{rows_words(each.rows)} {'is' if each.rows == 1 else 'are'} in "
            f"{classes_words(each.classes)} with one value of {column}."
        )
    names = list(dict.fromkeys(name for figures in check.given.values() for name in figures))
    if names:
        lines += [
            "",
            *aligned(
                [
                    ("it gives", *check.given),
                    *(
                        (name, *(_figure(figures.get(name)) for figures in check.given.values()))
                        for name in names
                    ),
                ]
            ),
        ]
    uniqueness = uniqueness_lines(check.uniqueness)
    return "\n".join([*lines, *([""] if uniqueness else []), *uniqueness])


def script_text(statements: Sequence[Statement]) -> str:
    """The statements as one script."""
    return "\n\n".join(f"{statement.text};" for statement in statements)


def _ruled_out(audit: Audit) -> list[str]:
    """A line per guarantee whose prior table rules out every value of somebody's class."""
    lines = []
    for number, persons in audit.ruled_out.items():
        belief = audit.guarantees[number].guarantee
        if persons and isinstance(belief, Belief):
            follows = (
                "such persons are left out, as ruled_out: ignore asks."
                if belief.ruled_out == "ignore"
                else "their classes fail, unless the policy says ruled_out: ignore."
            )
            lines.append(
                f"{belief.title}: the prior rules out every value of the class for "
                f"{counted(persons, 'person')}. Theorem 3.1 says nothing of them; {follows}"
            )
    return lines


def _guarantees(measured: Sequence[GuaranteeResult], *, judged: bool = True) -> list[str]:
    """A line per guarantee: what is required, what was measured, what fails."""
    rows = [("guarantee", "required", "measured", "verdict", "failing classes", "failing rows")]
    rows += [
        (
            each.guarantee.title,
            each.guarantee.requirement,
            each.words,
            "met" if each.satisfied else "NOT met",
            f"{each.failing_classes:,}",
            f"{each.failing_rows:,}",
        )
        for each in measured
    ]
    return aligned([row if judged else row[:4] for row in rows])


def _coarse(plan: Plan) -> list[str]:
    """The sensitive columns of which labels are released, and in how many cells."""
    cells = counted(plan.rows - plan.suppressed_rows - plan.withheld_rows, "cell")
    return [
        f"{column} is released at level {plan.policy.level(column)}, {words}: {cells}."
        for column, words in plan.sensitive_levels.items()
    ]


def _unseen(plan: Plan) -> list[str]:
    return [
        f"Warning: {counted(count, 'value')} named by {words} "
        f"{'does' if count == 1 else 'do'} not occur in the column."
        for words, count in plan.unseen.items()
    ]


def _mends(audit: Audit) -> list[str]:
    """For each failing guarantee, what would mend it, each way by itself."""
    lines = []
    for number, mend in audit.advice.items():
        ways = []
        if mend.columns:
            ways.append(f"{' or '.join(mend.columns)} fully general")
        if mend.suppressed_rows is not None:
            ways.append(f"{rows_words(mend.suppressed_rows)} suppressed")
        if mend.threshold:
            ways.append(f"threshold {mend.threshold}")
        about = audit.guarantees[number].guarantee.title
        mended = "; or ".join(ways) if ways else "no column, suppression or threshold by itself"
        lines.append(f"{about} would be met with: {mended}.")
    return lines


def _attacks(audit: Audit) -> list[str]:
    """What an observer of the table could learn."""
    counts = (
        "rows or persons"
        if any(not attack.guarantee.judged_columns for attack in audit.attacks)
        else "rows"
    )
    rows = [("an observer could learn by", counts, "share")]
    for attack in audit.attacks:
        if attack.share is not None:
            rows.append((attack.guarantee.title, attack.words, share_words(attack.share)))
    lines = aligned(rows) if len(rows) > 1 else []
    for attack in audit.attacks:
        if isinstance(attack.guarantee, Concentration):
            lines.append(
                f"In some class a value of {attack.guarantee.column} occurs {attack.words} times "
                "as often as in a class like the whole table."
            )
    return lines


def _masked(audit: Audit) -> list[str]:
    """What masked classes tell, where there are any."""
    if audit.masked is None:
        return []
    said, *failed = audit.masked.lines
    return [said, *(f"  {each}." for each in failed)]


def _spent(suppressed: int, withheld: int, cells: int, budget: int, empty: int) -> str:
    """What the suppression budget went into."""
    kept = (
        f", {rows_words(withheld)} without sensitive values ({counted(cells, 'cell')})"
        if withheld
        else ""
    )
    if empty:
        kept += f", {empty:,} of which had none in the source and count for nothing,"
    return f"{rows_words(suppressed)} suppressed{kept} of {budget:,} allowed"


def _figure(figure: float | None) -> str:
    return "" if figure is None else figure_text(figure)
