"""Advice on a guarantee that a table does not give: changes that were tried out on the table."""

from dataclasses import dataclass
from typing import Any

from sqlgen.engines import Engine
from sqlgen.guarantees import Guarantee
from sqlgen.measuring.tables import (
    GuaranteeResult,
    ShownTable,
    audit_sql,
    read_measured,
    settled_sql,
)
from sqlgen.staging.sensitive import Sensitive


@dataclass(frozen=True)
class Advice:
    """Three ways to meet a guarantee, each by itself; a way that does not lead there is empty.

    ``columns`` are those of which one alone suffices when it is made fully general,
    ``suppressed_rows`` what must go when classes are dropped, and ``threshold`` what the table
    gives as it is.
    """

    columns: tuple[str, ...]
    suppressed_rows: int | None
    threshold: str

    def to_dict(self) -> dict[str, Any]:
        """The ways as plain values."""
        return {
            "fully_general": list(self.columns),
            "suppressed_rows": self.suppressed_rows,
            "threshold": self.threshold or None,
        }


def find_advice(
    engine: Engine,
    table: ShownTable,
    sensitive: Sensitive,
    failing: GuaranteeResult,
    masked_rows: int,
) -> Advice:
    """The single changes that would meet a failing guarantee, each tried out on the table."""
    guarantee = failing.guarantee
    columns = []
    for left_out in table.quasi:
        others = [column for column in table.quasi if column != left_out]
        asked = audit_sql(table.relation, others, [guarantee], sensitive, table.levels)
        row = engine.rows(asked)[0]
        if read_measured(row, [guarantee])[0].satisfied:
            columns.append(left_out.name)
    return Advice(
        tuple(columns),
        _suppressed(engine, table, sensitive, failing, masked_rows),
        # Where the figure meets its threshold, another threshold would mend nothing; and where it
        # is no figure that the definition gives, none can be told.
        guarantee.achievable_threshold(failing.value)
        if guarantee.is_possible(failing.value) and not failing.unmet
        else "",
    )


def _suppressed(
    engine: Engine,
    table: ShownTable,
    sensitive: Sensitive,
    failing: GuaranteeResult,
    masked_rows: int,
) -> int | None:
    """The rows that go until no class fails; None where nothing would be left."""
    guarantee: Guarantee = failing.guarantee
    if not failing.failing_classes:
        return None
    if guarantee.decided_by_size:
        kept = failing.rows - failing.failing_rows
        return failing.failing_rows if kept else None
    rounds = 0
    while True:
        asked = settled_sql(table.relation, table.quasi, guarantee, sensitive, rounds, table.levels)
        kept, still_failing = engine.rows(asked)[0]
        if not kept:
            return None
        if not still_failing or not guarantee.reference_moves:
            # Rows that show no value are judged by who they are about, and by nothing else.
            spared = 0 if guarantee.must_suppress else masked_rows
            return int(failing.rows - spared - kept)
        rounds = rounds + 1 if rounds < 4 else 2 * rounds
