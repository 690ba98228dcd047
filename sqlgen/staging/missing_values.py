"""Values that a table lacks, where an ordered distance from it needs a place for each."""

from dataclasses import replace
from typing import Any

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import PolicyError
from sqlgen.guarantees import TableReference
from sqlgen.policy import Policy
from sqlgen.sql.render import fragment, statement
from sqlgen.staging.references import weight_sql
from sqlgen.staging.sensitive import Sensitive
from sqlgen.wording import counted


def lacking_queries(
    policy: Policy, sensitive: Sensitive, relation: Relation
) -> dict[int, dict[str, Any]]:
    """The values that ``judging/lacking`` reads, per ordered distance from a table of the user's.

    It counts the values of the relation that the table lacks. ``sensitive`` is what the policy's
    guarantees need.
    """
    ladders = {ladder.column.name: ladder for ladder in sensitive.ladders}
    queries = {}
    for number, guarantee in enumerate(policy.guarantees):
        against = guarantee.reference_table
        if guarantee.needs_column_option != "order" or not isinstance(against, TableReference):
            continue
        reference = sensitive.references.get((guarantee.judged_columns, against))
        if reference is None:
            continue
        (name,) = guarantee.judged_columns
        queries[number] = {
            "relation": relation.sql,
            "plain": relation.column(name).plain("judged"),
            "type": ladders[name].value_type,
            "reference": reference.sql,
            "referred": reference.column(name).plain("referred"),
            "weight": weight_sql(reference, against),
        }
    return queries


def check_references(
    engine: Engine, policy: Policy, sensitive: Sensitive, relation: Relation
) -> None:
    """Refuse an ordered distance to a table that lacks values, whose places would come and go."""
    for number, query in lacking_queries(policy, sensitive, relation).items():
        guarantee = policy.guarantees[number]
        (lacking,) = engine.rows(statement("judging/lacking", **query))[0]
        if lacking:
            assert isinstance(guarantee.reference_table, TableReference)
            (column,) = guarantee.judged_columns
            level = policy.level(column)
            labels = (
                f"{column} is released at level {level}, so the table needs the labels of that "
                "level, not the values. "
                if level
                else ""
            )
            raise PolicyError(
                f"{policy.where('guarantees', number, guarantee.name, 'reference')}: "
                f"{guarantee.reference_table.table} lacks "
                f"{counted(lacking, 'label' if level else 'value')} of {column}, and an ordered "
                f"distance needs a place for each. {labels}Give the table a row for each, with a "
                "weight above 0 if it has weights. Nothing was changed."
            )


def showing_rows(policy: Policy, relation: Relation, sensitive: Sensitive) -> Relation:
    """The rows of a table that are judged by their values: not those of masked classes."""
    if not sensitive.masks_sensitive:
        return relation
    showing = fragment(
        "judging/showing",
        relation=relation.sql,
        keys=[each.shown("audited") for each in relation.columns if each.name in policy.quasi],
        sensitive=[
            column.plain("audited")
            for column in sensitive.columns
            if column.name not in sensitive.units
        ],
    )
    return replace(relation, sql=showing)
