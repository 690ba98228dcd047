"""Brute force for `on_failure: suppress_sensitive`: rows that stay without their values.

Guarantees about who a row is about judge every class. Guarantees about values judge the classes
that show any: where all sensitive columns are NULL in all rows, the values are masked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from oracle_catalogue import Guarantee, judge
from oracle_table import ClassKey, Judgement, Table, summed

ABOUT_WHO = frozenset({"k_anonymity", "k_map", "delta_presence", "linkage"})


def masked_classes(table: Table) -> frozenset[ClassKey]:
    """The classes that show no value of any sensitive column."""
    return frozenset(
        key
        for key, members in table.classes().items()
        if table.sensitive
        and all(row[column] is None for row in members for column in table.sensitive)
    )


def masked_rows(table: Table) -> int:
    """How many rows are in classes that show no value."""
    return len(table.rows) - len(shown(table).rows)


def shown(table: Table) -> Table:
    """The classes that show values; the source of the table stays as it is."""
    source = table.rows if table.source is None else table.source
    return replace(table.without(masked_classes(table)), source=source)


def mask(table: Table, failing: Collection[ClassKey]) -> Table:
    """The table with all sensitive columns of some of its classes NULL."""
    nothing = dict.fromkeys(table.sensitive)
    rows = [{**row, **nothing} if table.key(row) in failing else row for row in table.rows]
    return replace(table, rows=rows)


def about_who(guarantee: Guarantee) -> Guarantee | None:
    """What a guarantee asks about who rows are about, if anything: of alpha and k, the k."""
    name, parameters = guarantee
    if name == "alpha_k_anonymity":
        return "k_anonymity", {"k": parameters.get("k", 1)}
    return guarantee if name in ABOUT_WHO else None


def about_values(guarantee: Guarantee) -> Guarantee | None:
    """What a guarantee asks about values, if anything: of alpha and k, the alpha."""
    name, parameters = guarantee
    if name == "alpha_k_anonymity":
        return name, {**parameters, "k": 1}
    return None if name in ABOUT_WHO else guarantee


def failing_who(table: Table, guarantees: Sequence[Guarantee]) -> frozenset[ClassKey]:
    """The classes that fail a guarantee about who: their rows are dropped."""
    asked = [who for each in guarantees if (who := about_who(each)) is not None]
    return frozenset(key for who in asked for key in judge(table, who).failing)


def failing_values(table: Table, guarantees: Sequence[Guarantee]) -> frozenset[ClassKey]:
    """The classes that show values and fail a guarantee about them: the values are masked."""
    asked = [values for each in guarantees if (values := about_values(each)) is not None]
    return frozenset(key for values in asked for key in judge(shown(table), values).failing)


def judge_masked(table: Table, guarantee: Guarantee) -> Judgement:
    """What a guarantee says of a table that masks the values of some classes.

    About values, the other classes are a table of their own. A limit that is a share is one of all
    rows, whether they show values or not. Where alpha comes with k, the figures are those of the
    classes that show values, and classes of fewer than k rows fail even if they show none.
    """
    values = about_values(guarantee)
    if values is None:
        return judge(table, guarantee)
    judged = judge(shown(table), values)
    if judged.total is not None:
        judged = summed(judged, values[1]["at_most"], len(table.rows))
    failing = judged.failing | failing_who(table, [guarantee])
    rows = sum(table.key(row) in failing for row in table.rows)
    return replace(judged, failing=failing, failing_rows=rows)
