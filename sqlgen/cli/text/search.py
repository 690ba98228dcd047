"""What people read of searches: minimal nodes, frontiers and explanations as plain text."""

from collections.abc import Mapping, Sequence

from sqlgen.cli.text.results import plan_text
from sqlgen.guarantees.base import figure_text
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.planning.explain import Explanation, Finer
from sqlgen.planning.frontier import Frontier, Point
from sqlgen.planning.minimal import MinimalNodes
from sqlgen.planning.plan import Plan
from sqlgen.wording import aligned, classes_words, counted, objective_words, rows_words, share_words


def minimal_text(found: MinimalNodes) -> str:
    """Every minimal node on a line, the least objective first."""
    measured = f"{counted(found.measured_nodes, 'node')} measured in {found.seconds:.2f} s"
    of = f"of {found.lattice_nodes:,}, for {rows_words(found.rows)}"
    if not found.nodes:
        return f"No node {of} gives what the policy asks for; {measured}."
    first = found.nodes[0]
    headline = (
        f"{counted(len(found.nodes), 'minimal node')} {of}; {measured}."
        if found.is_whole
        else f"{counted(len(found.nodes), 'node')} {of} that {_give(len(found.nodes))} what the "
        f"policy asks for; a limit ended the search with {measured}. There may be others, and "
        "finer ones."
    )
    lines = [
        (
            *first.levels,
            found.policy.objective.name,
            "suppressed",
            "classes",
            *(guarantee.guarantee.name for guarantee in first.guarantees),
            *(_attack(attack) for attack in first.attacks),
        ),
        *(
            (
                *map(str, node.levels.values()),
                objective_words(node.objective),
                f"{node.suppressed_rows:,}",
                f"{node.classes:,}",
                *(guarantee.words for guarantee in node.guarantees),
                *(_open(attack) for attack in node.attacks),
            )
            for node in found.nodes
        ),
    ]
    return "\n".join([headline, *aligned(lines)])


def frontier_text(frontier: Frontier) -> str:
    """The best node at each threshold on a line."""
    lines = [
        (
            frontier.parameter,
            frontier.policy.objective.name,
            "suppressed",
            "classes",
            *frontier.policy.quasi,
        ),
        *(_point(point, frontier.policy.quasi) for point in frontier.points),
    ]
    headline = (
        f"The least {frontier.policy.objective.name} by {frontier.parameter}, for "
        f"{rows_words(frontier.rows)}; {counted(frontier.measured_nodes, 'node')} of "
        f"{frontier.lattice_nodes:,} measured in {frontier.seconds:.2f} s:"
    )
    return "\n".join([headline, *aligned(lines)])


def _point(point: Point, columns: Sequence[str]) -> tuple[str, ...]:
    if point.objective is None:
        found = "not met" if point.is_proved else "not found"
        return (point.threshold, found, *("",) * (2 + len(columns)))
    return (
        point.threshold,
        objective_words(point.objective) + ("" if point.is_proved else " or less"),
        f"{point.suppressed_rows:,}",
        f"{point.classes:,}",
        *(str(point.levels[name]) for name in columns),
    )


def explain_text(explanation: Explanation) -> str:
    """The plan, and why it is this one."""
    plan = explanation.plan
    if not explanation.satisfied:
        return plan_text(plan)
    name = plan.policy.objective.name
    lines = [plan_text(plan), f"One level finer, with {plan.budget:,} rows that may go:"]
    lines += aligned(
        [
            ("column", "level", "at fault", "verdict"),
            *(
                (each.column, str(each.level), _faults(each), _why(each, plan))
                for each in explanation.finer
            ),
        ]
    )
    lines += [
        f"What each column costs ({name} over the others, now and with it fully general):",
        *aligned(
            [
                ("column", "its own loss", "the others", "without it"),
                *(
                    (
                        burden.column,
                        share_words(burden.loss),
                        objective_words(burden.beside),
                        "not met" if burden.without is None else objective_words(burden.without),
                    )
                    for burden in explanation.burdens
                ),
            ]
        ),
    ]
    relief = explanation.relief
    if relief is not None and relief.objective is not None:
        lines.append(
            f"With one percent more that may go, {rows_words(relief.budget)} in all: {name} "
            f"{objective_words(relief.objective)} instead of {objective_words(plan.objective)}, at "
            f"{_levels(relief.levels)}."
        )
    return "\n".join(lines)


def _faults(finer: Finer) -> str:
    """The guarantees that the node breaks, each with classes and rows."""
    faults = [
        f"{fault.guarantee.title}: {classes_words(fault.failing_classes)}, "
        f"{rows_words(fault.failing_rows)}"
        for fault in finer.faults
        if fault.failing_classes
    ]
    return "; ".join(faults) or "none"


def _why(finer: Finer, plan: Plan) -> str:
    """Why the node was not chosen."""
    if finer.objective is not None:
        return f"{plan.policy.objective.name} {objective_words(finer.objective)}"
    if finer.suppressed_rows <= plan.budget:
        return "not met"
    return f"not met: {finer.suppressed_rows:,} or more would go"


def _levels(levels: Mapping[str, int]) -> str:
    return " ".join(f"{name}={level}" for name, level in levels.items())


def _give(count: int) -> str:
    return "gives" if count == 1 else "give"


def _attack(measured: GuaranteeResult) -> str:
    return measured.guarantee.title.replace(" ruled out", "")


def _open(measured: GuaranteeResult) -> str:
    """The victims of an attack as a count and a share of the rows, or its factor."""
    if measured.share is None:
        return figure_text(measured.value)
    return f"{measured.words} ({share_words(measured.share)})"
