"""Other ledgers of a database: tables where releases are written that this policy does not read."""

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import fold, locate
from sqlgen.ledger.ledger import Ledger
from sqlgen.ledger.schema import MARKS
from sqlgen.sql.render import quoted_name, statement


def find_other_ledgers(
    engine: Engine, catalog: str, ledger: Ledger | None
) -> tuple[tuple[str, str], ...]:
    """The other ledgers of a database, and for each the reason why its releases are not read."""
    own = None if ledger is None else tuple(map(fold, ledger.parts))
    others = []
    candidates = engine.rows(statement("ledger/others", catalog=catalog, marks=MARKS))
    for schema, table in candidates:
        parts = (catalog, str(schema), str(table))
        if tuple(map(fold, parts)) == own:
            continue
        found = locate(engine, quoted_name(parts))
        if found is not None and found.kind == "table":
            others.append((f"ledger {schema}.{table}", _words(ledger)))
    return tuple(others)


def _words(ledger: Ledger | None) -> str:
    mine = "this policy has none" if ledger is None else f"this policy's is {ledger.parts[2]}"
    return (
        f"its releases are not read, for {mine}; releases of the same people need one ledger to "
        "be read together"
    )
