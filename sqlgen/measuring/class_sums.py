"""Sums over the classes of one node, as objectives read them; one statement each."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.guarantees import Guarantee
from sqlgen.judging.verdict_sql import fails_by_size_fragment, judges_sizes_alone
from sqlgen.measuring.nodes import KEPT, keep_classes, node_values
from sqlgen.metrics import ClassTotals, TotalsBySize
from sqlgen.search.lattice import Node
from sqlgen.sql.render import fragment, statement
from sqlgen.staging.column_facts import CELL, LABEL
from sqlgen.staging.stage import Staged

# Sums over labels, and sums over classes.
OF_LABELS = ("leaves", "log_leaves", "log_rows")
OF_CLASSES = ("squares", "logs", "combinations")
LABEL_SUMS = frozenset(OF_LABELS)
EVERY_SUM = LABEL_SUMS | {*OF_CLASSES}


def asked_together(needs: Collection[str]) -> frozenset[str]:
    """The sums to ask for where some are needed: all over labels cost what one of them does."""
    return frozenset(needs) | (LABEL_SUMS if LABEL_SUMS & {*needs} else frozenset())


def sum_released_classes(
    engine: Engine,
    staged: Staged,
    guarantees: Sequence[Guarantee],
    node: Node,
    rounds: int,
    needs: Collection[str],
    suppressed_rows: int,
    classes: int,
    *,
    is_kept: bool = False,
    known: ClassTotals | None = None,
) -> ClassTotals:
    """The sums over the released classes of a node, as far as they are needed.

    ``suppressed_rows`` and ``classes`` are what the node's verdict counted, ``is_kept`` says that
    it kept the classes, ``known`` has its sums over labels. Two statements that read classes
    judged by their values have them kept.
    """
    rows = staged.rows - suppressed_rows
    of_labels = [label for label in OF_LABELS if label in needs]
    of_classes = any(each in needs for each in OF_CLASSES)
    reads_labels = bool(of_labels) and not known and suppressed_rows > staged.facts.dropped_rows
    if reads_labels and of_classes and not is_kept and not judges_sizes_alone(guarantees):
        keep_classes(engine, staged, guarantees, node, rounds)
        is_kept = True
    kept = (
        fragment("judging/kept_class", table=KEPT, withholds=staged.judged.masks_sensitive)
        if is_kept
        else released_classes(staged, guarantees, node, rounds)
    )
    sums = (
        _label_sums(engine, staged, node, kept, of_labels)
        if reads_labels
        else {label: getattr(known, label) if known else (0,) * len(node) for label in of_labels}
    )
    if of_classes:
        (released,) = _class_sums(engine, staged, node, kept, "combinations" in needs)
        return replace(ClassTotals(node, *released), **sums)
    return replace(ClassTotals(node, rows, classes), **sums)


def released_classes(
    staged: Staged, guarantees: Sequence[Guarantee], node: Node, rounds: int
) -> Markup:
    """An expression for a node's classes that says which of them are released."""
    if judges_sizes_alone(guarantees):
        return _sized(staged, guarantees, node)
    judged = replace(staged.judged, guarantees=guarantees)
    return fragment(
        "judging/judged_class",
        withholds=staged.judged.masks_sensitive,
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
    totals = _sized(staged, guarantees, node)
    released, whole = _class_sums(engine, staged, node, totals, "combinations" in needs, whole=True)
    return TotalsBySize(ClassTotals(node, *whole), ClassTotals(node, *released))


def _sized(staged: Staged, guarantees: Sequence[Guarantee], node: Node) -> Markup:
    return fragment(
        "judging/sized_class",
        cell=CELL,
        ids=staged.packing.ids(node),
        words=staged.packing.words_under(node),
        fails=fails_by_size_fragment(guarantees),
    )


def _label_sums(
    engine: Engine, staged: Staged, node: Node, classes: Markup, sums: Sequence[str]
) -> dict[str, Any]:
    """Per column, what the labels of suppressed rows add up to."""
    if not sums:
        return {}
    counts_by_column = {
        number: counts
        for number, *counts in engine.rows(
            statement(
                "measuring/suppressed_sums",
                classes=classes,
                label=LABEL,
                parts=_labelled(staged, node),
                sums=[Markup(each) for each in sums],
            )
        )
    }
    nothing = [0] * len(sums)
    columns = range(1, len(node) + 1)
    return {
        each: tuple(counts_by_column.get(number, nothing)[place] for number in columns)
        for place, each in enumerate(sums)
    }


def _class_sums(
    engine: Engine,
    staged: Staged,
    node: Node,
    classes: Markup,
    combined: bool,
    *,
    whole: bool = False,
) -> list[tuple[Any, ...]]:
    """Rows, classes, squares, logs and combinations of the released classes; then of all, maybe."""
    rows = engine.rows(
        statement(
            "measuring/class_sums",
            classes=classes,
            label=LABEL,
            # Of a value itself there is one leaf, which multiplies by 1: 3 of Adult's 8 joins.
            parts=[part for part in _parts(staged, node) if combined and part["level"]],
            combined=combined,
            wholes=[False, True] if whole else [False],
        )
    )
    at_top = 1.0
    for slope, level in zip(staged.facts.columns, node, strict=True):
        at_top *= slope.leaves if level == slope.height else 1
    return [(*sums, combinations * at_top) for _, *sums, combinations in sorted(rows)]


def _parts(staged: Staged, node: Node) -> list[dict[str, Any]]:
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
    keys = {part["number"]: part["key"] for part in _parts(staged, node)}
    return [
        {
            "number": number,
            "level": level,
            "key": keys.get(number, Markup("0")),
        }
        for number, level in enumerate(node, 1)
    ]
