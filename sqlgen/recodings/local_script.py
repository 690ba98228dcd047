"""The statements that build a release by local recoding: the regions, and a row's labels."""

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
    tree_sql,
)
from sqlgen.recodings.local_decision import LocalDecision, local_of
from sqlgen.recodings.recoding import (
    BuildInputs,
    Decision,
)
from sqlgen.recodings.regions import (
    REGION_LABEL,
    REGION_SHOWN,
    CellForm,
    LocalSteps,
    first_regions_sql,
    last_cells,
    layer_sql,
    layer_table,
    region_table,
    replacing,
    round_sql,
    round_tables,
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
    return CellForm(heights, local_of(decision).floors, tuple(values))


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


def _layers(form: CellForm, judged: JudgingInput, steps: LocalSteps) -> list[Statement]:
    """The statements of the layers, and the one that makes regions of their classes."""
    count, by_layer = len(steps.layers), steps.judging(judged)
    return [
        *(
            noted(layer_sql(number, form, by_layer, node), f"layer {number} of {count}")
            for number, node in enumerate(steps.layers, 1)
        ),
        noted(first_regions_sql(form, steps.layers), "a region of each class that was released"),
    ]


def region_steps(
    local: LocalDecision, form: CellForm, judged: JudgingInput, *, keeps: bool
) -> list[Statement]:
    """The statements that make the regions, and a tree of them where a ledger is to keep it."""
    kept, made = local.kept, []
    tree = tree_sql(form, local.steps.rounds)
    if kept is None or kept.table is None:
        made = [*_layers(form, judged, local.steps), *_rounds(form, judged, local.steps)]
    if kept is not None:
        note = "the regions, as they were kept"
        made += [noted(tree, "the regions")] if kept.table is None else []
        made.append(noted(kept_sql(form, kept), note))
        if kept.merges is None:
            return [*made, noted(fit_sql(form), "each combination in its region")]
        merged = merged_sql(form, judged, local.ceilings, kept.merges)
        made += [noted(asked, "regions that fail, merged into coarser ones") for asked in merged]
        tree = merged_tree_sql(form, judged)
    if not keeps:
        return made
    return [
        *made,
        noted(tree, "the regions, to be kept beside the ledger"),
        noted(
            printed_sql(form, last_cells(form, local.rounds) if kept is None else merged_cells()),
            "their fingerprint",
        ),
    ]


def region_tables(local: LocalDecision, *, keeps: bool) -> list[Markup]:
    """The tables that make the regions."""
    steps, kept = local.steps, local.kept
    made = [] if kept is None else [REGION_KEPT]
    if kept is None or kept.table is None:
        made += [layer_table(number) for number, _ in enumerate(steps.layers, 1)]
        made += [region_table(number) for number in range(steps.rounds + 1)]
        made += [each for number in range(1, steps.rounds + 1) for each in round_tables(number)]
    else:
        made.append(region_table(0))
    has_tree = kept is None or kept.merges is not None
    if has_tree and (keeps or (kept is not None and kept.table is None)):
        made.append(REGION_TREE)
    return [*made, REGION_PRINT] if has_tree and keeps else made


def _rounds(form: CellForm, judged: JudgingInput, steps: LocalSteps) -> list[Statement]:
    """The statements of every round of refinement."""
    notes = ("children of each region", "rests", "the column of each region", "regions")
    return [
        noted(asked, f"round {number} of {steps.rounds}: {note}")
        for number in range(1, steps.rounds + 1)
        for asked, note in zip(round_sql(number, form, judged, steps.gain), notes, strict=True)
    ]


def labels_of(decision: LocalDecision, inputs: BuildInputs) -> ReleasedLabels:
    """The labels of a row: those of its region."""
    numbered = list(enumerate(zip(inputs.ladders, decision.ceilings, strict=True), 1))
    names = "(SELECT shown AS id, {label} AS label, TRUE AS is_kept FROM {table} "
    names += "WHERE ladder = {number} AND level <= {most}) AS named"
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
                label=_typed(Markup(f"shown.label_{number}"), ladder, most),
                names=sql(
                    names,
                    label=_typed(Markup("label"), ladder, most),
                    table=REGION_LABEL,
                    number=number,
                    most=most,
                ),
                key=Key(ladder.column.name, Markup(f"q{number}")),
            )
            for number, (ladder, most) in numbered
        ],
        joins=joins,
    )


def _typed(label: Markup, ladder: Ladder, ceiling: int) -> Markup:
    """A label as it is released: text, or the value itself where a column must stay as it is."""
    if ceiling or ladder.column.is_text:
        return label
    return sql("CAST({label} AS {type})", label=label, type=ladder.value_type)
