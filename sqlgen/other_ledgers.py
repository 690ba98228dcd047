"""Other ledgers of a database: tables where releases are written that this policy does not read."""

from sqlgen.catalog import find, fold
from sqlgen.engines import Engine
from sqlgen.ledger import Ledger
from sqlgen.recorded import declared_columns, is_ledger
from sqlgen.sql.render import quoted_name, statement


def find_other_ledgers(
    engine: Engine, catalog: str, ledger: Ledger | None
) -> tuple[tuple[str, str], ...]:
    """The tables of a database that are ledgers, but for the policy's own: what to say of each."""
    own = None if ledger is None else tuple(map(fold, ledger.parts))
    named = statement(
        "ledger/others", catalog=catalog, names=[each.name for each in declared_columns()]
    )
    others = []
    for schema, table in engine.rows(named):
        parts = (catalog, str(schema), str(table))
        found = find(engine, quoted_name(parts))
        if found is None or found.kind != "table" or not is_ledger(found.columns):
            continue
        if tuple(map(fold, parts)) != own:
            others.append((f"ledger {schema}.{table}", _words(ledger)))
    return tuple(others)


def _words(ledger: Ledger | None) -> str:
    mine = "this policy has none" if ledger is None else f"this policy's is {ledger.parts[2]}"
    return (
        f"its releases are not read, for {mine}; releases of the same people need one ledger to "
        "be read together"
    )
