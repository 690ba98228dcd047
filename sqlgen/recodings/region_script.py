"""The statements that build a release by regions: the regions, and a row's labels."""

from collections.abc import Sequence

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import (
    JudgingInput,
)
from sqlgen.recodings.kept_regions import (
    REGION_KEPT,
    REGION_PRINT,
    REGION_TREE,
    fit_sql,
    kept_sql,
    merged_cells,
    merged_sql,
    merged_tree_sql,
    printed_sql,
)
from sqlgen.recodings.own_labels import READ_TABLES
from sqlgen.recodings.recoding import (
    BuildInputs,
    Decision,
)
from sqlgen.recodings.region_decision import RegionDecision, by_regions
from sqlgen.recodings.regions import (
    OWN_LEVEL,
    REGION_LABEL,
    REGION_SHOWN,
    CellForm,
    last_cells,
    region_table,
    replacing,
    rung_table,
)
from sqlgen.recodings.release import (
    LabelledColumn,
    ReleasedLabels,
    label_join,
)
from sqlgen.sql.render import (
    Statement,
    conjunction,
    each,
    noted,
    sql,
)
from sqlgen.staging.people import Key


def form_of(decision: Decision, values: Sequence[Markup], ladders: Sequence[Ladder]) -> CellForm:
    """The form of the cells that are recoded."""
    heights = tuple(ladder.height for ladder in ladders)
    regions = by_regions(decision)
    return regions.steps.cells(CellForm(heights, regions.floors, tuple(values)))


def value_tables(inputs: BuildInputs) -> list[Markup]:
    """The tables with the values of each sensitive column, and their ids."""
    return [temporary(f"region_value_{n}") for n, _ in enumerate(inputs.sensitive.ladders, 1)]


def judged_of(inputs: BuildInputs) -> tuple[JudgingInput, list[Statement]]:
    """How classes are judged over staged cells, and the statements that stage what that reads."""
    sensitive, tables = inputs.sensitive, value_tables(inputs)
    values = sensitive.values(tables)
    staged = [
        noted(
            replacing("recodings/region_value", table, sensitive.rows(number, inputs.source.sql)),
            f"the values of {ladder.column.name}",
        )
        for number, (ladder, table) in enumerate(zip(sensitive.ladders, tables, strict=True))
    ]
    fixed = {}
    for number, (key, query) in enumerate(sensitive.fixed(values).items(), 1):
        fixed[key] = temporary(f"reference_{number}")
        made = replacing("recodings/reference", fixed[key], query)
        staged.append(noted(made, "what classes are compared with"))
    judged = JudgingInput(
        inputs.policy.guarantees, values, fixed, masks_sensitive=sensitive.masks_sensitive
    )
    return judged, staged


def region_steps(
    decided: RegionDecision, ladders: Sequence[Ladder], judged: JudgingInput, *, keeps: bool
) -> list[Statement]:
    """The statements that make the regions, and a tree of them where a ledger is to keep it."""
    kept, made = decided.kept, []
    form = form_of(decided, judged.cells, ladders)
    tree = decided.steps.tree(form, decided.ceilings, judged)
    if kept is None or kept.table is None:
        made = [*decided.steps.made(form, decided.ceilings, judged)]
    if kept is not None:
        note = "the regions, as they were kept"
        made += [noted(tree, "the regions")] if kept.table is None else []
        made += [noted(asked, note) for asked in kept_sql(form, ladders, kept)]
        if kept.merges is None:
            return [*made, noted(fit_sql(form), "each combination in its region")]
        merged = merged_sql(form, judged, decided.ceilings, kept.merges)
        made += [noted(asked, "regions that fail, merged into coarser ones") for asked in merged]
        tree = merged_tree_sql(form, judged)
    if not keeps:
        return made
    return [
        *made,
        noted(tree, "the regions, to be kept beside the ledger"),
        noted(
            printed_sql(form, last_cells(form, decided.rounds) if kept is None else merged_cells()),
            "their fingerprint",
        ),
    ]


def region_tables(decided: RegionDecision, *, keeps: bool) -> list[Markup]:
    """The tables that make the regions."""
    kept = decided.kept
    made = [] if kept is None else [REGION_KEPT]
    if kept is None or kept.table is None:
        made += decided.steps.tables()
    else:
        made.append(region_table(0))
    if kept is not None and kept.table is not None and decided.steps.shows_own:
        made += READ_TABLES
    has_tree = kept is None or kept.merges is not None
    if has_tree and (keeps or (kept is not None and kept.table is None)):
        made.append(REGION_TREE)
    return [*made, REGION_PRINT] if has_tree and keeps else made


def labels_of(decision: RegionDecision, inputs: BuildInputs) -> ReleasedLabels:
    """The labels of a row: those of its region."""
    numbered = list(enumerate(zip(inputs.ladders, decision.ceilings, strict=True), 1))
    typed = typed_columns(decision, inputs.ladders)
    names = "(SELECT shown AS id, {label} AS label, TRUE AS is_kept FROM {table} "
    names += "WHERE ladder = {number} AND {may_show}) AS named"
    joins = [
        label_join(rung_table(number), Markup(f"q{number}"), ladder.column.plain("source"))
        for number, (ladder, _) in numbered
    ]
    matched = conjunction(each([number for number, _ in numbered], "q{0}.id_0 = shown.q{0}_0"))
    joins.append(sql("JOIN {table} AS shown\n  ON {matched}", table=REGION_SHOWN, matched=matched))
    return ReleasedLabels(
        columns=[
            LabelledColumn(
                number=number,
                name=ladder.column.name,
                id=Markup(f"shown.s{number}"),
                label=_typed(Markup(f"shown.label_{number}"), ladder, keeps=number in typed),
                names=sql(
                    names,
                    label=_typed(Markup("label"), ladder, keeps=number in typed),
                    table=REGION_LABEL,
                    number=number,
                    may_show=_may_show(
                        0 if number in typed else most, has_own=decision.steps.shows_own
                    ),
                ),
                key=Key(ladder.column.name, Markup(f"q{number}")),
            )
            for number, (ladder, most) in numbered
        ],
        joins=joins,
    )


def _may_show(most: int, *, has_own: bool) -> Markup:
    """The condition on levels whose labels a column may show, regions' own among them."""
    if not has_own:
        return sql("level <= {most}", most=most)
    return sql("(level <= {most} OR level = {own})", most=most, own=OWN_LEVEL)


def typed_columns(decision: RegionDecision, ladders: Sequence[Ladder]) -> set[int]:
    """The columns, by number, whose labels are values: they must stay, or are means or medians."""
    stay = {number for number, most in enumerate(decision.ceilings, 1) if not most}
    return stay | {*form_of(decision, (), ladders).averaged}


def _typed(label: Markup, ladder: Ladder, *, keeps: bool) -> Markup:
    """A label as it is released: text, or a value of the column's type where it ``keeps`` that."""
    if not keeps or ladder.column.is_text:
        return label
    return sql("CAST({label} AS {type})", label=label, type=ladder.value_type)
