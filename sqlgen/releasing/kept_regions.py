"""The regions that a lock names, as the database of the ledger keeps them."""

from sqlgen.engines import Engine
from sqlgen.errors import RefusedError
from sqlgen.ledger.kept_regions import find_regions_table
from sqlgen.ledger.ledger import Ledger
from sqlgen.policy import Policy
from sqlgen.recodings import Decision
from sqlgen.recodings.kept_regions import print_sql
from sqlgen.sql.render import Statement


def find_kept(
    engine: Engine, policy: Policy, ledger: Ledger | None, decision: Decision
) -> Decision | None:
    """The decision that takes its regions from the ledger's database; None where it has none.

    Refused where somebody changed them: other regions could show what no release did.
    """
    if not decision.regions or ledger is None or not ledger.stands:
        return None
    table = find_regions_table(engine, policy, ledger)
    if not table.exists:
        return None
    numbers = range(1, len(decision.highest) + 1)
    asked = print_sql(numbers, table.of(decision.regions))
    fingerprint, count = engine.rows(Statement("recodings/region_print", str(asked)))[0]
    if not count:
        return None
    if fingerprint != decision.regions:
        raise RefusedError(
            f"{policy.where('ledger')}: the regions of the lock were changed in {table.called}: "
            "they are not those that were released. Delete them there, and the next run makes "
            "them anew by the lock; or run sqlgen plan again. Nothing was changed."
        )
    return decision.kept_in(table.table)
