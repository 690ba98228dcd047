"""Persons for whom a prior table rules out every value of their class, counted on a table."""

from collections.abc import Mapping, Sequence

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.guarantees import Belief
from sqlgen.measuring.tables import GuaranteeResult, ruled_out_sql
from sqlgen.sql.types import Column
from sqlgen.staging.people import ShownLevels
from sqlgen.staging.sensitive import Sensitive


def count_ruled_out(
    engine: Engine,
    relation: Relation,
    quasi: Sequence[Column],
    measured: Mapping[int, GuaranteeResult],
    sensitive: Sensitive,
    levels: ShownLevels,
) -> dict[int, int]:
    """How many persons each guarantee's prior table rules out, by the guarantee's place."""
    priors = {
        place: result.guarantee
        for place, result in measured.items()
        if isinstance(result.guarantee, Belief) and result.guarantee.people is not None
    }
    if not priors:
        return {}
    counted = ruled_out_sql(relation, quasi, tuple(priors.values()), sensitive, levels)
    return dict(zip(priors, engine.rows(counted)[0], strict=True))
