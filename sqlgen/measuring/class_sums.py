"""Sums over the classes of one node, as objectives read them; one statement each."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.guarantees import Guarantee
from sqlgen.judging.verdict_sql import fails_by_size_fragment, judges_sizes_alone
from sqlgen.measuring.nodes import node_values
from sqlgen.metrics import ClassTotals, TotalsBySize
from sqlgen.search.lattice import Node
from sqlgen.sql.render import fragment, sql, statement
from sqlgen.staging.column_facts import CELL, LABEL
from sqlgen.staging.stage import Staged

# Sums over labels, sums over classes, and those among them that every verdict gives.
OF_LABELS = ("leaves", "log_leaves", "log_rows")
OF_SIZES = frozenset({"squares"})
OF_CLASSES = OF_SIZES | {"logs", "combinations"}
EVERY_SUM = frozenset(OF_LABELS) | OF_CLASSES


def sum_released_classes(
    engine: Engine,
    staged: Staged,
    guarantees: Sequence[Guarantee],
    node: Node,
    rounds: int,
    *,
    suppresses: bool,
) -> ClassTotals:
    """The sums over the released classes of a node, and over the labels of suppressed ones.

    ``rounds`` are those after which the node's verdict was reached. Where it suppresses no class,
    the labels are not looked at: that is half of the 4.4 ms that they take of Adult's best node.
    """
    classes = released_classes(staged, guarantees, node, rounds)
    by_release = _sums_by_release(engine, staged, node, classes, of_labels=suppresses)
    released, suppressed = by_release.get(True, _NOTHING), by_release.get(False, _NOTHING)
    of_labels = suppressed[len(_NOTHING) :] or (None,) * len(OF_LABELS)
    leaves, log_leaves, log_rows = (tuple(counts or (0,) * len(node)) for counts in of_labels)
    totals = ClassTotals(node, *released[: len(_NOTHING)])
    return replace(totals, leaves=leaves, log_leaves=log_leaves, log_rows=log_rows)


def sums_without_suppression(staged: Staged, node: Node, classes: int) -> ClassTotals:
    """The sums over the labels of a node that suppresses none of its classes."""
    nothing = (0,) * len(node)
    rows = staged.rows - staged.facts.dropped_rows
    return ClassTotals(node, rows, classes, leaves=nothing, log_leaves=nothing, log_rows=nothing)


def released_classes(
    staged: Staged, guarantees: Sequence[Guarantee], node: Node, rounds: int
) -> Markup:
    """An expression for a node's classes that says which of them are released."""
    if judges_sizes_alone(guarantees):
        return _sized(staged, guarantees, node)
    judged = replace(staged.judged, guarantees=guarantees)
    return fragment(
        "judging/judged_class",
        masks_sensitive=staged.judged.masks_sensitive,
        **node_values(staged, judged, node, rounds, fails_by_size_fragment(guarantees)),
    )


def sum_classes_by_size(
    engine: Engine,
    staged: Staged,
    guarantees: Sequence[Guarantee],
    node: Node,
    needs: Collection[str],
) -> TotalsBySize:
    """The sums over all classes of a node, and over the classes that do not fail by their size."""
    classes = _sized(staged, guarantees, node)
    by_release = _sums_by_release(
        engine, staged, node, classes, combined="combinations" in needs, of_labels=False
    )
    large, small = by_release.get(True, _NOTHING), by_release.get(False, _NOTHING)
    whole = [one + other for one, other in zip(large, small, strict=True)]
    return TotalsBySize(ClassTotals(node, *whole), ClassTotals(node, *large))


def _sized(staged: Staged, guarantees: Sequence[Guarantee], node: Node) -> Markup:
    return fragment(
        "judging/sized_class",
        cell=CELL,
        ids=staged.packing.ids(node),
        words=staged.packing.words_under(node),
        fails=fails_by_size_fragment(guarantees),
    )


# Rows, classes, squares, logs and combinations of no class.
_NOTHING: tuple[Any, ...] = (0, 0, 0, 0, 0.0)


def _sums_by_release(
    engine: Engine,
    staged: Staged,
    node: Node,
    classes: Markup,
    *,
    combined: bool = True,
    of_labels: bool,
) -> dict[bool, tuple[Any, ...]]:
    """The sums over released classes, and over suppressed ones; none where there is no class."""
    # Of a value itself there is one leaf, which multiplies by 1: 3 of Adult's 8 joins.
    multiplied = [column for column in _below_top(staged, node) if combined and column["level"]]
    pattern = "SUM(combinations ORDER BY combinations ASC)" if combined else "MIN(combinations)"
    rows = engine.rows(
        statement(
            "measuring/class_sums",
            classes=classes,
            label=LABEL,
            multiplied=multiplied,
            combinations=sql(pattern),
            columns=_labelled(staged, node),
            label_sums=[Markup(name) for name in OF_LABELS if of_labels],
        )
    )
    at_top = 1.0
    for column, level in zip(staged.facts.columns, node, strict=True):
        at_top *= column.leaves if level == column.height else 1
    return {
        is_released: (*sums, combinations * at_top, *label_sums)
        for is_released, *sums, combinations, label_sums in (
            (*row[: len(_NOTHING) + 1], row[len(_NOTHING) + 1 :]) for row in rows
        )
    }


def _below_top(staged: Staged, node: Node) -> list[dict[str, Any]]:
    """The columns below their tops: their keys, beside the labels that they are joined to."""
    below = [
        (number, level)
        for number, level in enumerate(node, 1)
        if level < staged.ladders[number - 1].height
    ]
    return [
        {
            "alias": Markup(f"label_{number}"),
            "number": number,
            "level": level,
            "key": Markup(f"key_{place}"),
        }
        for place, (number, level) in enumerate(below, 1)
    ]


def _labelled(staged: Staged, node: Node) -> list[dict[str, Any]]:
    """Every column with its level, and the id of a class's label: the top's is 0."""
    keys = {column["number"]: column["key"] for column in _below_top(staged, node)}
    return [
        {
            "number": number,
            "level": level,
            "key": keys.get(number, Markup("0")),
        }
        for number, level in enumerate(node, 1)
    ]
