"""Other ledgers of a database: tables where releases are written that this policy does not read."""

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import find, fold
from sqlgen.ledger.ledger import Ledger
from sqlgen.sql.render import quoted_name, statement

# Together they are in no table but a ledger, of this version or another.
_COLUMNS = ("release_id", "policy_fingerprint", "lock_fingerprint", "released_rows", "target_kind")


def find_other_ledgers(
    engine: Engine, catalog: str, ledger: Ledger | None
) -> tuple[tuple[str, str], ...]:
    """The tables of a database that are ledgers, but for the policy's own: what to say of each."""
    own = None if ledger is None else tuple(map(fold, ledger.parts))
    others = []
    for schema, table in engine.rows(statement("ledger/others", catalog=catalog, names=_COLUMNS)):
        parts = (catalog, str(schema), str(table))
        if tuple(map(fold, parts)) == own:
            continue
        found = find(engine, quoted_name(parts))
        if found is not None and found.kind == "table":
            others.append((f"ledger {schema}.{table}", _words(ledger)))
    return tuple(others)


def _words(ledger: Ledger | None) -> str:
    mine = "this policy has none" if ledger is None else f"this policy's is {ledger.parts[2]}"
    return (
        f"its releases are not read, for {mine}; releases of the same people need one ledger to "
        "be read together"
    )
