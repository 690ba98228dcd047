"""The printed form of plans, releases, audits and checks: plain text for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlgen.cli.text.attacks import attack_words
from sqlgen.cli.text.uniqueness import uniqueness_lines
from sqlgen.guarantees import Belief, Concentration
from sqlgen.guarantees.base import figure_text
from sqlgen.wording import (
    aligned,
    classes_words,
    counted,
    objective_words,
    rows_words,
    share_words,
    steps_words,
)

# A command prints one of these, and to import what makes the others takes a tenth of its time.
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlgen.auditing.audit import Audit
    from sqlgen.auditing.check import Check
    from sqlgen.measuring.tables import GuaranteeResult
    from sqlgen.planning.plan import Plan
    from sqlgen.recodings import Alikeness
    from sqlgen.releasing.release import Release
    from sqlgen.releasing.scrub import Scrub
    from sqlgen.sql.render import Statement


_WIDTH = 80


def plan_text(plan: Plan) -> str:
    """The plan's text: the levels, what they cost and give; or why the policy cannot be met."""
    chosen = _left(plan)
    spent = _spent(
        Spent(
            plan.rows,
            plan.suppressed_rows,
            plan.masked_rows,
            plan.masked_cells,
            plan.budget,
            plan.empty_rows,
        )
    )
    seconds = _seconds(plan)
    own = plan.policy.objective.name
    if not plan.satisfied and _is_grouped(plan):
        return "\n".join(_no_groups(plan, seconds))
    if not plan.satisfied:
        return "\n".join(
            [
                f"No combination of levels gives what the policy asks for: {plan.hindrance}.",
                f"{rows_words(plan.rows)}; {plan.measured_nodes:,} of {_combinations(plan)} "
                f"measured ({seconds:.2f} s). The most general one:",
                *chosen,
                *_guarantees(plan.guarantees, judged=False),
                *_coarse(plan),
                *_unseen(plan),
                *_work(plan),
            ]
        )
    released = f"{plan.rows - plan.suppressed_rows:,} of {rows_words(plan.rows)} are released"
    return "\n".join(
        [
            _chosen(plan, seconds),
            *chosen,
            f"{released} in {classes_words(plan.classes)}; {spent}; {own} "
            f"{objective_words(plan.objective)}.",
            *_guarantees(plan.guarantees, judged=False),
            *_metrics(plan.metrics, own),
            *uniqueness_lines(plan.uniqueness, " of the source"),
            *_coarse(plan),
            *_changed(plan),
            *_unseen(plan),
            *_work(plan),
            *_empty_columns(plan),
            *_other_recoding(plan),
        ]
    )


def _no_groups(plan: Plan, seconds: float) -> list[str]:
    """The text of a plan by Anatomy for a policy that cannot be met."""
    return [
        f"No groups give what the policy asks for: {plan.hindrance}.",
        f"{rows_words(plan.rows)} ({seconds:.2f} s).",
        *_coarse(plan),
        *_unseen(plan),
    ]


def _is_grouped(plan: Plan) -> bool:
    """Whether a plan is one of Anatomy."""
    return plan.policy.recoding.makes_pair


def _grouped(plan: Plan, seconds: float) -> str:
    """The headline of a plan by Anatomy: its groups, their rows, and where values stand."""
    rows = plan.rows - plan.suppressed_rows
    least, more = divmod(rows, plan.classes)
    size = f"{least:,} or {least + 1:,}" if more else f"{least:,}"
    column = ", ".join(plan.policy.sensitive)
    if plan.alikeness is not None:
        by_group = f"The quasi-identifiers are released as below, and {column} by group, in a "
        return "\n".join([*_alike(plan, plan.alikeness, seconds)[:2], f"{by_group}second table."])
    return (
        f"{rows_words(plan.rows)} in {counted(plan.classes, 'group')} of {size} rows "
        f"({seconds:.2f} s).\n"
        f"The quasi-identifiers are released as below. {column} is released by group, in a second "
        "table."
    )


def _empty_columns(plan: Plan) -> list[str]:
    """The empty column with the fewest rows in its way: one label in all rows, and what helps."""
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


def _seconds(plan: Plan) -> float:
    """The seconds in which a plan was found, without those of what was looked for beside it."""
    if "search" not in plan.seconds:
        return plan.seconds.get("total", 0.0)
    return plan.seconds["stage"] + plan.seconds["search"]


def _other_recoding(plan: Plan) -> list[str]:
    """What another recoding would lose, where that is much less."""
    other, name = plan.other_recoding, plan.policy.objective.name
    if other is None:
        return []
    return [
        f"With recoding: {other.recoding}, each class at levels of its own, the {name} would be "
        f"{objective_words(other.objective)}."
    ]


def _changed(plan: Plan) -> list[str]:
    """The source's columns after a release in place, and what hinders that release."""
    change = plan.change
    if change is None:
        return []
    parts = [f"{column} becomes {now} ({was} now)" for column, (was, now) in change.retyped.items()]
    parts += [f"{', '.join(change.removed)} {'go' if len(change.removed) > 1 else 'goes'}"] * bool(
        change.removed
    )
    return [
        f"In place: {'; '.join(parts) or 'no column changes its type'}.",
        *(f"In the way of it: {obstacle.reason}." for obstacle in change.obstacles),
    ]


def _work(plan: Plan) -> list[str]:
    """The work of the search, where the plan was made now: what it ruled out, and its seconds."""
    if not plan.measured_nodes or "search" not in plan.seconds:
        return []
    closed = plan.closed_nodes
    reasons = [
        f"{count:,} because {reason}"
        for count, reason in (
            (closed.by_failure, "a coarser one already fails"),
            (closed.by_classes, "a finer one's classes already cost too much"),
            (closed.by_columns, "one column alone costs too much"),
        )
        if count
    ]
    return [
        *([f"Ruled out without measuring: {', '.join(reasons)}."] if reasons else ()),
        f"{counted(plan.cells, 'distinct combination')} of values. Preparation "
        f"{plan.seconds['stage']:.2f} s, search {plan.seconds['search']:.2f} s.",
    ]


def _metrics(metrics: Mapping[str, float], own: str = "") -> list[str]:
    """The loss by every objective that was measured; a plan's own is marked."""
    rows = [("what is lost, by", "figure", "")]
    rows += [
        (name, objective_words(figure), "the objective" if name == own else "")
        for name, figure in metrics.items()
    ]
    return aligned(rows)


def _chosen(plan: Plan, seconds: float) -> str:
    """The headline of a plan: best of how many, or the best that was found before a limit."""
    if _is_grouped(plan):
        return _grouped(plan, seconds)
    of = f"of {_combinations(plan)} for {rows_words(plan.rows)}"
    if plan.floor is None:
        rest = ", the rest ruled out" if plan.measured_nodes < plan.lattice_nodes else ""
        return f"Best {of}. {_were(plan.measured_nodes)} measured{rest} ({seconds:.2f} s)."
    if plan.levels is None:
        if plan.alikeness is not None:
            return "\n".join(_alike(plan, plan.alikeness, seconds))
        steps = "".join(f", {step}" for step in steps_words(plan.steps))
        own = "with labels" if plan.decision.recoding == "mondrian" else "at levels"
        return (
            f"{rows_words(plan.rows)}, each class {own} of its own{steps} ({seconds:.2f} s).\n"
            f"{_found_by(plan)}; another way may lose less."
        )
    return (
        f"Best that was found {of}. A limit ended the search after {_were(plan.measured_nodes)} "
        f"measured ({seconds:.2f} s). Its {plan.policy.objective.name} is "
        f"{objective_words(plan.objective)}, and none has one below {objective_words(plan.floor)}."
    )


def _alike(plan: Plan, alike: Alikeness, seconds: float) -> list[str]:
    """The headline of a plan by microaggregation: its groups, and how alike their rows are."""
    size = f"{alike.least_rows:,} to {alike.most_rows:,}"
    if alike.least_rows == alike.most_rows:
        size = f"{alike.least_rows:,}"
    column = ", ".join(alike.columns)
    merges = plan.steps.get("merges", 0)
    merged = f", merged in {counted(merges, 'round')}" if merges else ""
    floor = (
        ""
        if alike.floor is None or not alike.groups
        else f"; no groups of so few rows have less than "
        f"{_least_part(alike.floor, alike.groups)} of that"
    )
    return [
        f"{rows_words(plan.rows)} in {counted(alike.count, 'group')} of {size} rows{merged} "
        f"({seconds:.2f} s).",
        f"Within groups SSE / SST of {column} is {objective_words(alike.groups)}{floor}.",
        f"Within the classes that a reader sees it is {objective_words(alike.classes)}.",
    ]


def _least_part(floor: float, figure: float) -> str:
    """The part of a figure that a bound below it is, never more than it is."""
    return f"{int(min(1.0, floor / figure) * 1000) / 10:.1f}%"


def _left(plan: Plan) -> list[str]:
    """A line per column: its level and what that does; where it has several, a line for each."""
    losses = {name: share_words(loss) for name, loss in plan.column_loss.items()}
    if plan.levels is not None:
        levels = [
            (column, str(level), plan.words[column], losses.get(column, "0%"))
            for column, level in plan.levels.items()
        ]
        return aligned([("column", "level", "what is left of it", "loss"), *levels])
    lines = [("column", "loss", "level", "rows", "share", "what is left of it")]
    named = ""
    for column, level, words, count, share in plan.level_shares:
        own = ("", "") if column == named else (column, losses.get(column, "0%"))
        shown = str(level) if level <= plan.decision.highest[column] else ""
        lines.append((*own, shown, f"{count:,}", share_words(share), words))
        named = column
    return [cut(line) for line in aligned(lines)]


def cut(line: str) -> str:
    """A line of a table that fits a terminal: what a level does may be long."""
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."


def _found_by(plan: Plan) -> str:
    """How regions were found: by nodes that were measured, or by cuts."""
    if plan.decision.recoding == "mondrian":
        return "Found by cuts in two"
    return f"{plan.measured_nodes:,} of {_combinations(plan)} measured"


def _combinations(plan: Plan) -> str:
    return f"{counted(plan.lattice_nodes, 'combination')} of levels"


def _were(count: int) -> str:
    return f"{count:,} was" if count == 1 else f"{count:,} were"


def release_text(release: Release) -> str:
    """The release's text: what was published and what it guarantees; or why nothing was."""
    counts = _spent(
        Spent(
            release.rows,
            release.suppressed_rows,
            release.audit.masked_rows,
            release.masked_cells,
            release.budget,
            release.empty_rows,
        )
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
                f"{counted(release.audit.rows - release.audit.masked_rows, 'cell')}."
                for column, level in release.sensitive_levels.items()
            ),
            *_guarantees(release.audit.guarantees),
            *(
                [
                    f"Recorded as release {release.number} in the table {release.ledger} of the "
                    "database."
                ]
                if release.ledger
                else ()
            ),
            *_remains(release),
        ]
    )


def _replaced(release: Release) -> list[str]:
    """The files that a release replaced, where the target's name does not say it."""
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
    """The text of a scrub: what the rewrite removed, and which copies it does not reach."""
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
    if not scrub.satisfied:
        lines.append(
            f"NOT gone: {counted(scrub.after - scrub.elsewhere, 'value')} that no table holds any "
            "more. Look for them in views, macros, types, defaults, checks and comments; make "
            "those anew without them, then run sqlgen scrub."
        )
    if scrub.left:
        lines.append(
            f"NOT looked at: {', '.join(scrub.left)}, where DuckDB spills rows for other programs, "
            "is a link or holds files that are not DuckDB's alone. Look at it yourself."
        )
    lines.append("Backups, snapshots and replicas of the file are not reached.")
    return "\n".join(lines)


def _remains(release: Release) -> list[str]:
    """The originals that are left, where the release took their place."""
    if release.kind != "in_place":
        return []
    if release.scrub is not None:
        return [scrub_text(release.scrub)]
    return [
        "The originals can still be recovered: the database keeps replaced rows in free blocks of "
        "its file and in its log. sqlgen scrub writes the file anew without them."
    ]


def _place(release: Release) -> str:
    """The place of the release, as words."""
    if release.kind == "in_place":
        return f"in place of {release.target}"
    return f"to {release.kind} {release.called}"


def audit_text(audit: Audit) -> str:
    """The audit's text: each guarantee with its figure, what would help, and what was found."""
    lines = [
        f"{audit.table}: {rows_words(audit.rows)} in {classes_words(audit.classes)}"
        + (
            f"; {rows_words(audit.masked_rows)} show no sensitive value."
            if audit.masked_rows
            else "."
        ),
        *_guarantees(audit.guarantees),
        *(
            result.guarantee.note
            for result in audit.guarantees
            if result.satisfied and result.guarantee.note
        ),
        *_ruled_out(audit),
        *_advice(audit),
        *_attacks(audit),
        *_masked(audit),
        *_metrics(audit.metrics),
        *(
            f"Within classes SSE / SST of {column} is {objective_words(share)}."
            for column, share in audit.alikeness.items()
        ),
        *uniqueness_lines(audit.uniqueness),
    ]
    if audit.not_measured:
        lines.append(f"Other measures of loss were not computed: {audit.not_measured}.")
    for guarantee in audit.unmeasured:
        if guarantee.unit_column is None:
            lines.append(f"{guarantee.title} was not measured.")
            continue
        lines.append(
            f"{guarantee.title} was not measured: {audit.table} has no column "
            f"{guarantee.unit_column}, and "
            f"{audit.not_counted or 'the source has changed since the release'}."
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
    """The check's text: the unique rows, the sizes of classes, and each column left out."""
    share = f" ({share_words(check.unique_rows / check.rows)})" if check.rows else ""
    lines = [
        f"{check.table}: {check.unique_rows:,} of {rows_words(check.rows)}{share} "
        f"{'is' if check.unique_rows == 1 else 'are'} unique by {', '.join(check.quasi)}.",
        f"{classes_words(check.classes)}, the smallest of {rows_words(check.k or 0)}: "
        f"k = {check.k}.",
    ]
    if check.rows_below_k is not None:
        are = "is" if check.rows_below_k == 1 else "are"
        below = share_words(check.rows_below_k / check.rows) if check.rows else "0%"
        lines.append(
            f"{rows_words(check.rows_below_k)} ({below}) {are} in classes of fewer than "
            f"{check.asked_k:,}."
        )
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
                    (column, f"{left.k:,}", f"{left.unique_rows:,}")
                    for column, left in check.without.items()
                ),
            ]
        ),
    ]
    for column, known in check.homogeneous.items():
        of_all = share_words(known.rows / check.rows) if check.rows else "0%"
        lines.append(
            f"{rows_words(known.rows)} ({of_all}) {'is' if known.rows == 1 else 'are'} in "
            f"{classes_words(known.classes)} with one value of {column}."
        )
    names = list(dict.fromkeys(name for figures in check.given.values() for name in figures))
    if names:
        lines += [
            "",
            *aligned(
                [
                    ("the table gives", *check.given),
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
    """A line per guarantee with a prior table that rules out every value of some person's class."""
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
    """A line per guarantee: its threshold, its figure, and the classes and rows that fail."""
    rows = [("guarantee", "required", "measured", "verdict", "failing classes", "failing rows")]
    rows += [
        (
            result.guarantee.title,
            result.guarantee.requirement,
            result.words,
            "met" if result.satisfied else "NOT met",
            f"{result.failing_classes:,}",
            f"{result.failing_rows:,}",
        )
        for result in measured
    ]
    return aligned([row if judged else row[:4] for row in rows])


def _coarse(plan: Plan) -> list[str]:
    """The sensitive columns that are released as labels, with the count of their cells."""
    cells = counted(plan.rows - plan.suppressed_rows - plan.masked_rows, "cell")
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


def _advice(audit: Audit) -> list[str]:
    """A line per failing guarantee: the single changes by which it would be met."""
    lines = []
    for index, advice in audit.advice.items():
        changes = []
        if advice.columns:
            changes.append(f"make {' or '.join(advice.columns)} fully general")
        if advice.suppressed_rows is not None:
            share = share_words(advice.suppressed_rows / audit.rows) if audit.rows else "0%"
            changes.append(f"suppress {rows_words(advice.suppressed_rows)} ({share})")
        if advice.threshold:
            changes.append(f"ask for {advice.threshold}")
        title = audit.guarantees[index].guarantee.title
        lines.append(
            f"To meet {title}, one of these is enough: {'; or '.join(changes)}."
            if changes
            else f"No single change (one column fully general, more suppression, another "
            f"threshold) would meet {title}."
        )
    return lines


def _attacks(audit: Audit) -> list[str]:
    """The attacks on the table: how many people an attacker would learn something about."""
    counts = (
        "rows or persons"
        if any(not attack.guarantee.judged_columns for attack in audit.attacks)
        else "rows"
    )
    rows = [("an attacker", counts, "share", "attack")]
    for attack in audit.attacks:
        if attack.share is not None:
            learns = attack_words(attack.guarantee)
            rows.append((learns, attack.words, share_words(attack.share), attack.guarantee.name))
    lines = aligned(rows) if len(rows) > 1 else []
    for attack in audit.attacks:
        if isinstance(attack.guarantee, Concentration):
            lines.append(
                f"In some class a value of {attack.guarantee.column} is {attack.words} times as "
                "frequent as in the whole table."
            )
    return lines


def _masked(audit: Audit) -> list[str]:
    """The sentences about masked classes, where there are any."""
    if audit.masked is None:
        return []
    headline, *reasons = audit.masked.lines
    return [headline, *(f"  {reason}." for reason in reasons)]


@dataclass(frozen=True)
class Spent:
    """The rows of a source and what the suppression budget went into, of plan or release."""

    rows: int
    suppressed: int
    masked: int
    cells: int
    budget: int
    empty: int


def _spent(spent: Spent) -> str:
    """The rows that are suppressed or masked, beside the rows that may be."""
    share = f" ({share_words(spent.suppressed / spent.rows)})" if spent.suppressed else ""
    masked = (
        f", {rows_words(spent.masked)} without sensitive values ({counted(spent.cells, 'cell')})"
        if spent.masked
        else ""
    )
    if spent.empty:
        masked += f", {spent.empty:,} of which had none in the source and count for nothing,"
    return f"{rows_words(spent.suppressed)} suppressed{share}{masked} of {spent.budget:,} allowed"


def _figure(figure: float | None) -> str:
    return "" if figure is None else figure_text(figure)
