"""The printed form of searches: minimal nodes, frontiers and explanations as plain text."""

from sqlgen.cli.text.results import cut, plan_text
from sqlgen.display.summary import levels_words
from sqlgen.guarantees.base import figure_text
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.planning.explain import Explanation, Finer
from sqlgen.planning.frontier import Frontier, Point
from sqlgen.planning.minimal import MinimalNodes
from sqlgen.planning.plan import Plan
from sqlgen.wording import aligned, classes_words, counted, objective_words, rows_words, share_words


def minimal_text(minimal: MinimalNodes) -> str:
    """Every minimal node on a line, the least objective first."""
    measured = f"{minimal.measured_nodes:,} measured ({minimal.seconds:.2f} s)"
    of = f"of {counted(minimal.lattice_nodes, 'combination')} of levels"
    rows = rows_words(minimal.rows)
    if not minimal.nodes:
        return f"None {of} gives what the policy asks for, for {rows}; {measured}."
    first, count = minimal.nodes[0], len(minimal.nodes)
    headline = (
        f"{count:,} {of} {'is' if count == 1 else 'are'} minimal for {rows}: no finer one gives "
        f"what the policy asks for; {measured}."
        if minimal.is_whole
        else f"{count:,} {of} {'gives' if count == 1 else 'give'} what the policy asks for, for "
        f"{rows}. A limit ended the search: {measured}. There may be others, and finer ones."
    )
    lines = [
        (
            *first.levels,
            minimal.policy.objective.name,
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
            for node in minimal.nodes
        ),
    ]
    return "\n".join([headline, *aligned(lines)])


def frontier_text(frontier: Frontier) -> str:
    """The best node at each threshold on a line; of other recodings no levels."""
    if frontier.recodings != ("full_domain",):
        return _compared_text(frontier)
    lines = [
        (
            frontier.parameter,
            frontier.policy.objective.name,
            "suppressed",
            "classes",
            *frontier.policy.quasi,
        ),
        *(
            (*_point(point), *(str(point.levels.get(name, "")) for name in frontier.policy.quasi))
            for point in frontier.points
        ),
    ]
    headline = (
        f"The least {frontier.policy.objective.name} at each {frontier.parameter}, for "
        f"{rows_words(frontier.rows)}; {frontier.measured_nodes:,} of "
        f"{counted(frontier.lattice_nodes, 'combination')} of levels measured "
        f"({frontier.seconds:.2f} s):"
    )
    return "\n".join([headline, *aligned(lines)])


def _compared_text(frontier: Frontier) -> str:
    """What each recoding loses at each threshold, a line each."""
    name = frontier.policy.objective.name
    lines: list[tuple[str, ...]] = [(frontier.parameter, "recoding", name, "suppressed", "classes")]
    for point in frontier.points:
        threshold, *figures = _point(point)
        lines.append((threshold, point.recoding, *figures))
    proved = {
        each.recoding for each in frontier.points if each.is_proved and each.objective is not None
    }
    *first, last = frontier.recodings
    compared = f"{', '.join(first)} and {last}" if first else last
    others = [each for each in frontier.recodings if each not in {"full_domain", *proved}]
    return "\n".join(
        [
            f"The {name} at each {frontier.parameter} by {compared}, for "
            f"{rows_words(frontier.rows)} ({frontier.seconds:.2f} s):",
            *aligned(lines),
            *([f"By {' or '.join(others)}, another way may lose less."] if others else ()),
        ]
    )


def _point(point: Point) -> tuple[str, ...]:
    if point.objective is None:
        verdict = "not met" if point.is_proved else "not found"
        return (point.threshold, verdict, "", "")
    is_best = point.is_proved or point.recoding != "full_domain"
    return (
        point.threshold,
        objective_words(point.objective) + ("" if is_best else " or less"),
        f"{point.suppressed_rows:,}",
        f"{point.classes:,}",
    )


def explain_text(explanation: Explanation) -> str:
    """The plan, and why it is this one."""
    plan = explanation.plan
    if not explanation.satisfied:
        return plan_text(plan)
    if plan.levels is None:
        return "\n".join([plan_text(plan), *_blocked(explanation), *_relief(explanation)])
    name = plan.policy.objective.name
    lines = [plan_text(plan), f"One level finer ({rows_words(plan.budget)} may be suppressed):"]
    lines += aligned(
        [
            ("column", "level", "fails", "verdict"),
            *(
                (finer.column, str(finer.level), _faults(finer), _why(finer, plan))
                for finer in explanation.finer
            ),
        ]
    )
    lines += [
        f"What each column costs the others ({name} of the others, now and with the column fully "
        "general):",
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
    return "\n".join([*lines, *_relief(explanation)])


_UNSPLIT = (
    "What keeps columns coarse: regions in which a column's finer labels break a",
    "guarantee. Where the rest fails, some labels pass and the others together do not.",
)
_UNCUT = (
    "What keeps columns coarse: regions with several values of a column in which the",
    "cut that would gain most breaks a guarantee.",
)


def _blocked(explanation: Explanation) -> list[str]:
    """What keeps each column coarse: regions whose finer labels break a guarantee."""
    if not explanation.blocked:
        return ["Every column is at its finest level everywhere."]
    titles = [result.guarantee.title for result in explanation.plan.guarantees]
    by_cuts = explanation.plan.decision.recoding == "mondrian"
    rest = () if by_cuts else ("rest fails",)
    header = ("column", "regions", "rows", *rest, "of them broken by")
    rows: list[tuple[str, ...]] = [header]
    for column in explanation.blocked:
        broken = [
            f"{count:,} {title}"
            for title, count in zip(titles, column.broken, strict=True)
            if count
        ] or [""]
        counts = [column.regions, column.rows, *([] if by_cuts else [column.rest_fails])]
        rows.append((column.column, *(f"{count:,}" for count in counts), broken[0]))
        rows += [(*("" for _ in rows[-1][1:]), words) for words in broken[1:]]
    return [
        *(_UNCUT if by_cuts else _UNSPLIT),
        "A region is a class before classes of equal labels join.",
        *(cut(line) for line in aligned(rows)),
        "What a column costs the others is not told: without it all regions would differ.",
    ]


def _relief(explanation: Explanation) -> list[str]:
    """The gain of one percent more suppression; nothing where that is not a row."""
    relief, plan = explanation.relief, explanation.plan
    if relief is None or relief.objective is None or relief.budget <= plan.budget:
        return []
    name = plan.policy.objective.name
    more = f"one percent more suppression ({rows_words(relief.budget)} in all)"
    if relief.objective >= plan.objective:
        return [f"With {more}, {name} would stay {objective_words(plan.objective)}."]
    return [
        f"With {more}, {name} would fall from {objective_words(plan.objective)} to "
        f"{objective_words(relief.objective)}"
        + (f", at {levels_words(relief.levels)}." if relief.levels else "."),
    ]


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
    """The reason why the node was not chosen."""
    if finer.objective is not None:
        return f"{plan.policy.objective.name} {objective_words(finer.objective)}"
    if finer.suppressed_rows <= plan.budget:
        return "not met"
    return f"not met: {finer.suppressed_rows:,} or more rows to suppress"


def _attack(measured: GuaranteeResult) -> str:
    return measured.guarantee.title.replace(" ruled out", "")


def _open(measured: GuaranteeResult) -> str:
    """The victims of an attack as a count and a share of the rows, or its factor."""
    if measured.share is None:
        return figure_text(measured.value)
    return f"{measured.words} ({share_words(measured.share)})"
