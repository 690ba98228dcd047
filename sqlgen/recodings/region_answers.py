"""Answers of a release by regions to a policy's queries, as an audit of it would find them."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.measuring.queries import (
    Answer,
    Conditions,
    Estimated,
    QueryPart,
    answer_by,
    conditions_on_values,
    estimates_statement,
    label_share,
)
from sqlgen.policy import Policy
from sqlgen.recodings.regions import (
    REGION_LABEL,
    REGION_SHOWN,
    CellForm,
    rung_table,
    shown_columns,
)
from sqlgen.sql.render import (
    Statement,
    commas,
    conjunction,
    each,
    fragment,
    joined,
    literal,
    sql,
    statement,
)
from sqlgen.staging.stage import Staged

_SHOWN_LEVEL = temporary("region_shown_level")


@dataclass(frozen=True)
class RegionRelease:
    """The release of a staged table by its regions: ``classes`` says which of them are released."""

    staged: Staged
    form: CellForm
    classes: Markup


def answer_from_regions(
    engine: Engine, release: RegionRelease, policy: Policy, source: Relation
) -> list[Answer]:
    """The answers of the source and of a release by regions to each query of a policy."""
    if not policy.queries:
        return []
    engine.run(_shown_level_statement(release, policy))

    def estimates(part: Sequence[Conditions]) -> Statement:
        return estimates_statement(release.classes, [_estimated(release, query) for query in part])

    return answer_by(engine, release.staged, policy, source, estimates)


def _shown_level_statement(release: RegionRelease, policy: Policy) -> Statement:
    """The statement that says at which level a reader takes each label."""
    ladders, form = release.staged.ladders, release.form
    declared = [
        (number, *(policy.columns[ladder.column.name].levels or (0, ladder.height)))
        for number, ladder in enumerate(ladders, 1)
    ]
    pattern = "WHEN {0:literal} THEN level BETWEEN {1:literal} AND {2:literal}"
    return statement(
        "recodings/shown_level",
        table=_SHOWN_LEVEL,
        classes=release.classes,
        numbers=form.numbers,
        labels=REGION_LABEL,
        parts=[
            {"number": number, "table": rung_table(number), **_rungs(ladder.height)}
            for number, ladder in enumerate(ladders, 1)
        ],
        declared=sql(
            "CASE ladder {whens} END",
            whens=joined(each(declared, pattern), " "),
        ),
    )


def _estimated(release: RegionRelease, query: Conditions) -> Estimated:
    """A query over the classes that regions show; over cells, where sensitive values are asked."""
    staged = release.staged
    parts = [
        _label_part(number, staged.ladders[number - 1].height, query[name])
        for number, name in enumerate(staged.names, 1)
        if name in query
    ]
    conditions = [Markup("node_class.is_released")]
    if not any(value.column in query for value in staged.judged.values):
        rows, relation = Markup("node_class.class_size"), Markup("node_class")
        return Estimated(rows, relation, parts, conditions)
    of_values, more = conditions_on_values(staged, query, masked=staged.judged.masks_sensitive)
    relation = sql(
        "node_class\nJOIN {cells} AS cell\n  ON {matched}",
        cells=REGION_SHOWN,
        matched=conjunction(each(shown_columns(release.form), "cell.{0} = node_class.key_{n}")),
    )
    return Estimated(Markup("cell.row_count"), relation, [*parts, *of_values], [*conditions, *more])


def _label_part(number: int, height: int, condition: Markup) -> QueryPart:
    """A condition on a quasi-identifier: each of its labels counts by its leaves."""
    leaves = fragment(
        "recodings/region_leaves",
        number=number,
        rungs=rung_table(number),
        labels=REGION_LABEL,
        shown_levels=_SHOWN_LEVEL,
        **_rungs(height),
    )
    alias = Markup(f"part_{number:d}")
    share = label_share(leaves, Markup("shown"), condition)
    return QueryPart(alias, share, Markup(f"{alias}.label = node_class.key_{number:d}"))


def _rungs(height: int) -> dict[str, Markup]:
    """The levels of a ladder, and the ids of its rungs; the top's is 0."""
    ids = [*each(range(height), "id_{}"), Markup("CAST(0 AS UINTEGER)")]
    return {"levels": commas(map(literal, range(height + 1))), "ids": commas(ids)}
