"""How alike the sensitive values of a finished table's classes are, as microaggregation says it."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.policy import Policy
from sqlgen.recodings.alike_groups import amounts_query, squares_query
from sqlgen.sql.render import each, group_by, statement
from sqlgen.sql.types import Column


def measure_alikeness(
    engine: Engine, policy: Policy, table: Relation, keys: Sequence[Column]
) -> Mapping[str, float]:
    """SSE / SST within classes, by column, of the columns that make the policy's groups.

    None of a column that the table has not, or shows as something without distances.
    """
    names = [*each(range(1, len(keys) + 1), "key_{}")]
    shown = {}
    for name in policy.recoding.of if keys else ():
        column = next((column for column in table.columns if column.name == name), None)
        if column is None or not column.has_distances:
            continue
        asked = statement(
            "auditing/alikeness",
            table=table.sql,
            keys=list(zip([key.plain("audited") for key in keys], names, strict=True)),
            plain=column.plain("audited"),
            grouped=group_by([*names, Markup("value")]),
            amounts=amounts_query(column, Markup("shown_value"), Markup("shown")),
            squares=squares_query(Markup("cell"), names),
        )
        within, total = engine.rows(asked)[0]
        shown[name] = within / total if total else 0.0
    return shown
