"""One node of the lattice in, one row of numbers out; no strategy, and no row of the table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.guarantees import Guarantee
from sqlgen.judging.verdict_sql import (
    JudgingInput,
    classes_sql,
    every_class_sql,
    fails_by_size_fragment,
    judges_sizes_alone,
    people_sql,
    rounds_sql,
    verdict_sql,
)
from sqlgen.metrics import ClassTotals
from sqlgen.search.lattice import Node
from sqlgen.sql.render import commas, each, fragment, literal, sql, statement
from sqlgen.staging.column_facts import CELL
from sqlgen.staging.count_cells import count_classes_sql, tells_by_counts
from sqlgen.staging.packing import column_name, word_name
from sqlgen.staging.stage import VALUE_CELL, Staged


@dataclass(frozen=True)
class NodeOutcome:
    """The outcome of a node: its release when its failing classes are suppressed.

    ``values`` holds each guarantee's figure at the worst class that is released, ``rounds`` how
    often classes were judged anew because suppression moved their reference. ``masked_rows`` are
    released without sensitive values; ``empty_rows`` of them had none in the source. ``closes``
    says that every finer node is infeasible with this one, ``by_sizes`` that the sizes of classes
    were enough to tell. Where they were not, ``totals`` are the sums over its released classes as
    far as sizes give them. At least ``needed_rows`` must go before this node, or a finer one, is
    feasible.
    """

    classes: int
    suppressed_rows: int
    values: tuple[float, ...]
    masked_rows: int = 0
    empty_rows: int = 0
    failing: tuple[int, ...] = ()
    failing_rows: tuple[int, ...] = ()
    rounds: int = 0
    feasible: bool = False
    closes: bool = False
    by_sizes: bool = field(default=False, compare=False)
    totals: ClassTotals | None = field(default=None, compare=False)
    needed_rows: int = field(default=0, compare=False)


def measure_sizes(
    engine: Engine,
    staged: Staged,
    thresholds: Sequence[Sequence[Guarantee]],
    nodes: Sequence[Node],
) -> list[list[NodeOutcome]]:
    """The outcomes of some nodes by the sizes of their classes alone, in one statement.

    Per node what it releases at each threshold, which is a list of guarantees.
    """
    conditions = [fails_by_size_fragment(guarantees) for guarantees in thresholds]
    rows: dict[int, Sequence[Any]] = {
        number: [count or 0 for count in counts]
        for number, *counts in engine.rows(
            statement(
                "measuring/verdict",
                cell=CELL,
                nodes=len(nodes),
                words=masked_words(staged, nodes),
                filters=each(conditions, " FILTER (WHERE NOT ({0}))")
                if len(conditions) > 1
                else [Markup("")],
                condemned=conditions[0] if len(conditions) == 1 else Markup("FALSE"),
            )
        )
    }
    nothing = (0,) * 3 * len(thresholds)
    return [
        [
            _sized(staged.rows, guarantees, classes, released, smallest)
            for guarantees, classes, released, smallest in zip(
                thresholds, counts[0::3], counts[1::3], counts[2::3], strict=True
            )
        ]
        for counts in (rows.get(number, nothing) for number in range(len(nodes)))
    ]


def measure_node(
    engine: Engine,
    staged: Staged,
    thresholds: Sequence[Sequence[Guarantee]],
    node: Node,
    budget: int,
    *,
    at_once: bool = False,
) -> list[NodeOutcome]:
    """The outcome of a node at each threshold, and whether it is within a budget of rows.

    Cheap verdicts first: class sizes close most nodes before a value is looked at. Where they
    hardly do, sizes and values are judged ``at_once``: by counts, and at one threshold, in a
    single statement.
    """
    if at_once and len(thresholds) == 1 and _is_wide(staged, thresholds[0]):
        judged = replace(staged.judged, guarantees=thresholds[0], budget=budget)
        judge = partial(_judge, engine, staged, judged, node)
        judgement = judge(0)
        outcome = _told_by_sizes(thresholds[0], budget, judgement.sized)
        return [outcome or _settle(judged, staged.rows, judge, judgement.sized, judgement)]
    sizes = measure_sizes(engine, staged, thresholds, [node])[0]
    return [
        measure_values(engine, staged, guarantees, node, budget, sized)
        for guarantees, sized in zip(thresholds, sizes, strict=True)
    ]


def measure_values(
    engine: Engine,
    staged: Staged,
    guarantees: Sequence[Guarantee],
    node: Node,
    budget: int,
    sized: NodeOutcome,
) -> NodeOutcome:
    """The outcome of a node, where the sizes of its classes do not decide it."""
    if outcome := _told_by_sizes(guarantees, budget, sized):
        return outcome
    moves = max(0, budget - sized.suppressed_rows) + staged.judged.empty
    judged = replace(staged.judged, guarantees=guarantees, moves=moves, budget=budget)
    judge = partial(_judge, engine, staged, judged, node)
    return _settle(judged, staged.rows, judge, sized, judge(0))


def measure_classes(
    engine: Engine,
    judged: JudgingInput,
    rows: int,
    cells: Markup,
    keys: Sequence[Markup],
    *,
    suppress: bool = True,
) -> NodeOutcome:
    """The outcome of classes that keys tell apart, of cells that hold all of so many rows.

    Judged as a node is; as they are, where nothing is suppressed.
    """
    condemned = fails_by_size_fragment(judged.guarantees if suppress else ())
    classes = classes_sql(cells, keys, judged, condemned)

    def judge(rounds: int | None) -> _Judgement:
        values = {
            "classes": classes,
            "rounds": rounds_sql(judged, rounds or 0),
            "verdict": every_class_sql(judged, rounds or 0),
        }
        return _read_judgement(engine, judged, (), rows, rounds, values)

    if not suppress:
        return _whole(judge(None))
    judgement = judge(0)
    told = _told_by_sizes(judged.guarantees, judged.budget, judgement.sized)
    return told or _settle(judged, rows, judge, judgement.sized, judgement)


def _told_by_sizes(
    guarantees: Sequence[Guarantee], budget: int, sized: NodeOutcome
) -> NodeOutcome | None:
    """The outcome of a node, where the sizes of its classes decide it."""
    affordable = sized.suppressed_rows <= budget and sized.classes > 0
    if affordable and not judges_sizes_alone(guarantees):
        return None
    feasible = affordable and _are_met(guarantees, sized.values, sized.classes)
    return replace(sized, feasible=feasible, closes=not affordable, by_sizes=True)


def _settle(
    judged: JudgingInput,
    rows: int,
    judge: "Callable[[int], _Judgement]",
    sized: NodeOutcome,
    judgement: "_Judgement",
) -> NodeOutcome:
    """The outcome of a node, after the sizes of its classes and a first judgement.

    Classes are judged by their values, the failing ones suppressed, and the rest judged anew as
    long as that moves their reference, until nothing fails or the budget is spent.
    """
    guarantees, budget = judged.guarantees, judged.budget
    # Rows that show no value to begin with may be all of what goes, at a finer node, at no cost.
    suppressed_for_sure = sized.suppressed_rows + max(0, judgement.repair_rows - judged.empty)
    while judgement.spent_rows <= budget and judgement.failing_classes and judged.moving:
        # After four rounds by doubling: a longer statement judges the earlier rounds again.
        rounds = judgement.rounds + 1 if judgement.rounds < 4 else 2 * judgement.rounds
        judgement = judge(rounds)
    feasible = (
        judgement.spent_rows <= budget
        and judgement.classes > 0
        and _are_met(
            guarantees,
            judgement.measured,
            rows - judgement.suppressed_rows,
            judgement.masked_rows,
        )
    )
    return NodeOutcome(
        judgement.classes,
        judgement.suppressed_rows,
        judgement.measured,
        judgement.masked_rows,
        judgement.empty_rows,
        rounds=judgement.rounds,
        feasible=feasible,
        closes=suppressed_for_sure > budget,
        totals=judgement.totals,
        needed_rows=suppressed_for_sure,
    )


def measure_whole(
    engine: Engine, staged: Staged, guarantees: Sequence[Guarantee], node: Node
) -> NodeOutcome:
    """The figures of a node without suppression, and the classes that break each guarantee."""
    judged = replace(staged.judged, guarantees=guarantees)
    return _whole(_judge(engine, staged, judged, node, None))


def _whole(judgement: "_Judgement") -> NodeOutcome:
    """The figures of classes of which none is suppressed."""
    return NodeOutcome(
        judgement.classes,
        judgement.suppressed_rows,
        judgement.measured,
        judgement.masked_rows,
        judgement.empty_rows,
        failing=judgement.failing,
        failing_rows=judgement.failing_rows,
    )


def masked_words(staged: Staged, nodes: Sequence[Node]) -> list[dict[str, Any]]:
    """The cells' words, with the bits of each that tell the classes of every node apart."""
    masks = zip(*map(staged.packing.masks, nodes), strict=True)
    words = map(word_name, staged.packing.words)
    return [
        {"name": word, "masks": commas(map(literal, word_masks))}
        for word, word_masks in zip(words, masks, strict=True)
    ]


def columns_of(staged: Staged, node: Node) -> list[str]:
    """The columns, beside sensitive values, by which the classes of a node are told apart."""
    return [
        column_name(number, level)
        for number, level in enumerate(node, 1)
        if level < staged.ladders[number - 1].height
    ]


@dataclass(frozen=True)
class _Judgement:
    classes: int
    suppressed_rows: int
    masked_rows: int
    empty_rows: int
    failing_classes: int
    repair_rows: int
    measured: tuple[float, ...]
    failing: tuple[int, ...]
    failing_rows: tuple[int, ...]
    rounds: int
    sized: NodeOutcome
    totals: ClassTotals

    @property
    def spent_rows(self) -> int:
        """The rows that count against the budget: suppressed, or without their sensitive values."""
        return self.suppressed_rows + self.masked_rows - self.empty_rows


def _judge(
    engine: Engine, staged: Staged, judged: JudgingInput, node: Node, rounds: int | None
) -> _Judgement:
    """The verdict on a node after some rounds of suppression; without any, as it is with None."""
    condemned = fails_by_size_fragment(judged.guarantees if rounds is not None else ())
    values = node_values(staged, judged, node, rounds or 0, condemned)
    return _read_judgement(engine, judged, node, staged.rows, rounds, values)


def _read_judgement(
    engine: Engine,
    judged: JudgingInput,
    node: Node,
    all_rows: int,
    rounds: int | None,
    values: Mapping[str, Any],
) -> _Judgement:
    """The verdict on classes of a table of so many rows, judged by the SQL in ``values``."""
    suppress, masks, number = rounds is not None, judged.masks_sensitive, len(judged.guarantees)
    released = Markup("TRUE" if not suppress else "NOT drops" if masks else "NOT fails")
    shown = Markup("NOT drops AND NOT masks_sensitive") if suppress and masks else released
    classes, rows, masked, empty, squares, failing, repair, *more = engine.rows(
        statement(
            "measuring/judged",
            guarantees=[
                {
                    "worst": Markup(guarantee.aggregate),
                    "released": released if guarantee.must_suppress else shown,
                }
                for guarantee in judged.guarantees
            ],
            faulted=() if suppress else range(1, number + 1),
            released=released,
            masked=Markup("masks_sensitive" if suppress else "is_masked") if masks else None,
            **values,
        )
    )[0]
    sized, figures, faults = more[:3], more[3 : 3 + number], more[3 + number :]
    return _Judgement(
        classes,
        all_rows - rows,
        masked,
        empty,
        failing,
        repair,
        tuple(figures),
        tuple(faults[:number]),
        tuple(faults[number:]),
        rounds or 0,
        _sized(all_rows, judged.guarantees, *sized),
        ClassTotals(node, rows, classes, squares),
    )


def _sized(
    all_rows: int, guarantees: Sequence[Guarantee], classes: int, rows: int, smallest: int
) -> NodeOutcome:
    suppressed = all_rows - rows
    return NodeOutcome(classes, suppressed, (smallest,) * len(guarantees), needed_rows=suppressed)


def node_values(
    staged: Staged,
    judged: JudgingInput,
    node: Node,
    rounds: int,
    condemned: Markup,
    cells: Markup | None = None,
) -> dict[str, Any]:
    """The variables of the templates that judge a node; of all cells unless some are given."""
    if cells is None and staged.count_cells is not None and tells_by_counts(judged.guarantees):
        names = columns_of(staged, node)
        wide = count_classes_sql(
            staged.count_cells, judged.guarantees, names, condemned, rounds, judged.budget
        )
        verdict = sql("SELECT * FROM verdict_{rounds:literal}", rounds=rounds)
        return {"classes": wide, "rounds": Markup(""), "verdict": verdict}
    columns = [Markup(column) for column in columns_of(staged, node)]
    keys = columns if cells else staged.packing.ids(node)
    words = None if cells else staged.packing.words_under(node)
    judged = replace(
        judged,
        keys=_names(staged, node),
        people={
            key: replace(
                matched,
                query=fragment(
                    "measuring/matched",
                    people=matched.population,
                    columns=columns,
                    valued=bool(key[1]),
                ),
            )
            for key, matched in judged.people.items()
        },
    )
    named = [Markup(f"class.key_{number}") for number in range(1, len(keys) + 1)]
    # Staged cells are of leaves, so that the finest node has them as they are.
    are_counted = cells is None and not any(node) and len(keys) == len(node)
    cells = cells or (VALUE_CELL if judged.values else CELL)
    classes = classes_sql(cells, keys, judged, condemned, words=words, are_counted=are_counted)
    return {
        "classes": classes + people_sql(judged, named),
        "rounds": rounds_sql(judged, rounds),
        "verdict": verdict_sql(judged, rounds),
    }


def _is_wide(staged: Staged, guarantees: Sequence[Guarantee]) -> bool:
    """Whether classes are judged as rows of counts."""
    return staged.count_cells is not None and tells_by_counts(guarantees)


def _are_met(
    guarantees: Sequence[Guarantee],
    measured: Sequence[float | None],
    rows: int,
    masked_rows: int = 0,
) -> bool:
    """Whether the figures of a node bear out that its released classes give every guarantee."""
    return all(
        guarantee.is_met(figure, rows, masked_rows)
        for guarantee, figure in zip(guarantees, measured, strict=True)
    )


def _names(staged: Staged, node: Node) -> list[str]:
    """The quasi-identifiers by which the classes of a node are told apart."""
    return [
        ladder.column.name
        for ladder, level in zip(staged.ladders, node, strict=True)
        if level < ladder.height
    ]
