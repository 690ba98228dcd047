"""Local recoding: each class at levels of its own, over the ladders of the policy.

Layers first: among what is left, a node of little loss releases the classes that give every
guarantee. Then refinement: every region by itself takes its columns to finer levels, as long as the
parts give every guarantee too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, get_args

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import StalePlanError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import (
    JudgingInput,
)
from sqlgen.measuring.class_sums import EVERY_SUM, sum_classes_by_size
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, measure_whole
from sqlgen.policy import Policy
from sqlgen.recodings.blocked import BlockedColumn, find_blocked
from sqlgen.recodings.kept_regions import (
    REGION_KEPT,
    REGION_PRINT,
    REGION_TREE,
    KeptRegions,
    fit_sql,
    kept_sql,
    merged_cells,
    merged_sql,
    merged_tree_sql,
    print_sql,
    printed_sql,
    tree_sql,
)
from sqlgen.recodings.kept_search import put_into_regions
from sqlgen.recodings.local_search import find_steps, repeat_steps
from sqlgen.recodings.locked import locked_count, locked_texts
from sqlgen.recodings.recoding import (
    BuildInputs,
    Choice,
    ChoiceTotals,
    Decision,
    LabelTable,
    RegionRows,
)
from sqlgen.recodings.region_release import RegionRelease
from sqlgen.recodings.regions import (
    MOST_ROUNDS,
    REGION_CELL,
    REGION_LABEL,
    REGION_SHOWN,
    CellForm,
    Gain,
    LocalSteps,
    Saving,
    Shown,
    cells_sql,
    first_regions_sql,
    labels_sql,
    last_cells,
    layer_sql,
    layer_table,
    references_sql,
    region_table,
    replacing,
    round_sql,
    round_tables,
    rung_table,
    rungs_sql,
    settled,
    shown_sql,
)
from sqlgen.recodings.release import (
    LabelledColumn,
    ReleasedLabels,
    label_join,
    persons_relation,
    release_sql,
)
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.verdict import Standing
from sqlgen.sql.render import (
    Statement,
    conjunction,
    each,
    literal,
    noted,
    sql,
)
from sqlgen.sql.step import Step, plain_steps
from sqlgen.sql.types import Column
from sqlgen.staging.people import Key


@dataclass(frozen=True)
class LocalDecision:
    """The decision of local recoding: its steps, and the columns that they recode.

    Per column, in the table's order: its name, the finest and the coarsest level it may have, and
    what each level does to it, in words. ``regions`` is the fingerprint of the regions that the
    steps made when they were found. With ``kept`` regions, rows are put into those, and no step is
    taken.
    """

    names: tuple[str, ...]
    floors: Node
    ceilings: Node
    steps: LocalSteps
    level_words: tuple[tuple[str, ...], ...] = field(compare=False)
    regions: str = ""
    kept: KeptRegions | None = None

    @property
    def recoding(self) -> str:
        """Local recoding."""
        return Local.name

    @property
    def levels(self) -> None:
        """None: a column has several levels."""
        return

    @property
    def highest(self) -> Mapping[str, int]:
        """The coarsest level that each column may have."""
        return dict(zip(self.names, self.ceilings, strict=True))

    @property
    def rounds(self) -> int:
        """How many rounds refine regions: none, where kept ones are taken as they are."""
        return 0 if self.kept is not None else self.steps.rounds

    def kept_in(self, table: Markup) -> "LocalDecision":
        """The decision that takes its regions from a table."""
        return replace(self, kept=KeptRegions(table, self.regions))

    def merging(self) -> "LocalDecision":
        """The decision that may merge regions: the kept ones or, without, those of its steps."""
        kept = self.kept or KeptRegions(None, self.regions)
        return replace(self, kept=replace(kept, merges=()))

    def in_words(self) -> Mapping[str, str]:
        """Each column with the levels that its labels may have."""
        return {
            name: "as it is" if not most else f"levels {least} to {most}, class by class"
            for name, least, most in zip(self.names, self.floors, self.ceilings, strict=True)
        }

    def fits(self, ladders: Sequence[Ladder]) -> bool:
        """Whether these hierarchies have the columns, and every level that the steps name."""
        heights = {ladder.column.name: ladder.height for ladder in ladders}
        if list(heights) != list(self.names):
            return False
        nodes = (self.floors, *self.steps.layers, self.ceilings)
        return all(
            0 <= least <= level <= most <= height
            for node in nodes
            for least, level, most, height in zip(
                self.floors, node, self.ceilings, heights.values(), strict=True
            )
        )

    def to_log(self) -> dict[str, Any]:
        """The recoding and, where regions were merged, how many."""
        merged = self.kept is not None and self.kept.merges is not None
        more = {"merged_regions": self.kept.merged} if self.kept is not None and merged else {}
        return {"recoding": self.recoding, **more}

    def to_lock(self) -> dict[str, Any]:
        """The columns and the steps: no label, and no value."""
        return {
            "columns": [
                {"name": name, "levels": [least, most], "weight": weight, "words": list(words)}
                for name, least, most, weight, words in zip(
                    self.names,
                    self.floors,
                    self.ceilings,
                    self.steps.weights,
                    self.level_words,
                    strict=True,
                )
            ],
            "layers": [list(node) for node in self.steps.layers],
            "rounds": self.steps.rounds,
            "gain": self.steps.gain,
            "saving": self.steps.saving,
            "region_fingerprint": self.regions,
        }

    def to_ledger(self) -> dict[str, Any]:
        """What the lock has, but for words, which may name labels, and for regions.

        Those of a release are known when it is built.
        """
        content = {
            key: value for key, value in self.to_lock().items() if key != "region_fingerprint"
        }
        columns = [
            {key: column[key] for key in ("name", "levels")} for column in content["columns"]
        ]
        return {**content, "columns": columns}


class Local:
    """Local recoding over the ladders: layers of nodes, then refinement of each region."""

    name: ClassVar[str] = "local"

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,
        goes_on: Callable[[Standing], bool],
    ) -> Choice:
        """Steps that lose little; nothing proves that none would lose less."""
        staged = evaluator.staged
        floor = evaluator.metric.bound(lattice.bottom)
        found = find_steps(evaluator, lattice, goes_on, suppress=policy.recoding.suppress)
        if found is None or not found.is_found:
            steps = LocalSteps((lattice.top,), 0, "saved", "leaves", (1,) * len(staged.ladders))
            outcome = measure_whole(evaluator.engine, staged, evaluator.guarantees, lattice.top)
            decision = _decision(staged.ladders, lattice, steps)
            return Choice(decision, False, outcome, 1)
        decision = _decision(staged.ladders, lattice, found.steps)
        form = _form(decision, staged.judged.cells, staged.ladders)
        evaluator.engine.run(tree_sql(form, found.steps.rounds))
        asked = Statement("recodings/region_print", str(print_sql(form.numbers, REGION_TREE)))
        decision = replace(decision, regions=evaluator.engine.rows(asked)[0][0])
        return Choice(decision, True, found.outcome, found.measured, floor)

    def repeat(
        self,
        decision: Decision,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,  # noqa: ARG002
    ) -> Choice:
        """The release of the decision's steps, taken again on the rows of today."""
        local, staged = _local(decision), evaluator.staged
        if local.kept is not None:
            return self._repeat_in_regions(local, local.kept, evaluator, lattice)
        found = repeat_steps(evaluator, lattice, local.steps)
        if found is not None and found.is_found:
            return Choice(decision, True, found.outcome, found.measured)
        outcome = measure_whole(evaluator.engine, staged, evaluator.guarantees, lattice.top)
        hindrance = "" if found is None else _short_of(found.outcome, evaluator.budget)
        return Choice(decision, False, outcome, 1, hindrance=hindrance)

    def _repeat_in_regions(
        self, local: LocalDecision, kept: KeptRegions, evaluator: NodeEvaluator, lattice: Lattice
    ) -> Choice:
        """The release of kept regions, with the rows of today in them."""
        found = put_into_regions(evaluator, lattice, local.steps, kept)
        if found is None or not found.outcome.feasible:
            guarantees, staged = evaluator.guarantees, evaluator.staged
            outcome = measure_whole(evaluator.engine, staged, guarantees, lattice.top)
            hindrance = "" if found is None else found.hindrance(evaluator.budget)
            return Choice(local, False, outcome, 1, hindrance=hindrance)
        return Choice(replace(local, kept=found.kept), True, found.outcome, 1)

    def totals(
        self,
        choice: Choice,
        evaluator: NodeEvaluator,
        policy: Policy,
        source: Relation,
    ) -> ChoiceTotals:
        """The sums over the classes that regions show; of what is not feasible, at the top."""
        engine, staged = evaluator.engine, evaluator.staged
        decision = _local(choice.decision)
        words = dict(zip(decision.names, decision.level_words, strict=True))
        if not choice.is_found:
            top = decision.ceilings
            whole = sum_classes_by_size(engine, staged, (), top, EVERY_SUM).whole
            rows = {
                name: [whole.rows * (level == most) for level, _ in enumerate(words[name])]
                for name, most in zip(decision.names, top, strict=True)
            }
            return ChoiceTotals(staged.facts, whole, level_rows=rows, level_words=words)
        form = _form(choice.decision, staged.judged.cells, staged.ladders)
        judged = replace(staged.judged, guarantees=evaluator.guarantees)
        release = RegionRelease(engine, staged, form)
        release.stage(judged, choice.outcome.rounds, policy)
        return replace(
            release.sums(),
            answers=release.answers(policy, source),
            level_rows=release.level_rows(),
            level_words=words,
            steps=decision.steps.counts,
        )

    def blocked(self, choice: Choice, evaluator: NodeEvaluator) -> Mapping[str, BlockedColumn]:
        """The columns that cannot make some regions finer, of a choice that was just decided."""
        staged, decision = evaluator.staged, _local(choice.decision)
        form = _form(decision, staged.judged.cells, staged.ladders)
        return find_blocked(evaluator, form, decision.steps.rounds)

    def columns(self, decision: Decision, ladders: Sequence[Ladder]) -> list[Column]:
        """Each quasi-identifier as text, unless it must stay as it is."""
        ceilings = dict(zip(_local(decision).names, _local(decision).ceilings, strict=True))
        return [
            Column(
                ladder.column.name,
                "VARCHAR" if ceilings[ladder.column.name] else str(ladder.value_type),
            )
            for ladder in ladders
        ]

    def check(self, decision: Decision, ladders: Sequence[Ladder]) -> None:
        """Refuse steps over other columns, or at levels that the hierarchies do not have."""
        if not isinstance(decision, LocalDecision) or not decision.fits(ladders):
            raise StalePlanError(
                "the plan names columns or levels that the hierarchies do not have. Run sqlgen "
                "plan again. Nothing was changed."
            )

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """The regions, step by step, and the target out of the rows with their regions' labels."""
        local, ladders = _local(decision), inputs.ladders
        judged, staged_values = _judged(inputs)
        form = _form(local, judged.cells, ladders)
        source, steps = inputs.source.sql, local.steps
        values = list(zip(inputs.sensitive.ladders, _value_tables(inputs), strict=True))
        notes = [
            *(
                noted(rungs_sql(number, ladder, source), f"the labels of {ladder.column.name}")
                for number, ladder in enumerate(ladders, 1)
            ),
            noted(labels_sql(ladders, steps.saving, steps.weights), "what each label covers"),
            *staged_values,
            noted(cells_sql(source, ladders, values), "the combinations of values, counted"),
            *references_sql(judged),
            *_regions(local, form, settled(judged), keeps=inputs.keeps_regions),
            noted(
                shown_sql(form, local.rounds, Shown(texts=True)),
                "the labels of each combination of values",
            ),
        ]
        query = release_sql(
            _labels(local, inputs), inputs.source, inputs.policy, inputs.sensitive, inputs.rounds
        )
        return [*plain_steps(notes), *inputs.publish(query)]

    def scratch(self, decision: Decision, inputs: BuildInputs) -> list[Markup]:
        """Every table that the steps make."""
        judged, _ = _judged(inputs)
        references = range(1, len(references_sql(judged)) + 1)
        return [
            *(rung_table(number) for number, _ in enumerate(inputs.ladders, 1)),
            REGION_LABEL,
            *_value_tables(inputs),
            *(temporary(f"reference_{n}") for n, _ in enumerate(inputs.sensitive.references, 1)),
            *(temporary(f"region_reference_{number}") for number in references),
            REGION_CELL,
            *_region_tables(_local(decision), keeps=inputs.keeps_regions),
            REGION_SHOWN,
        ]

    def region_rows(self, decision: Decision) -> RegionRows:
        """The regions of a release: those that its steps made, or that merging has left."""
        kept = _local(decision).kept
        if kept is not None and kept.merges is None:
            return RegionRows(literal(kept.fingerprint))
        fingerprint, rows = (
            sql(pattern, table=REGION_PRINT)
            for pattern in ("(SELECT fingerprint FROM {table})", "(SELECT shown_rows FROM {table})")
        )
        return RegionRows(fingerprint, REGION_TREE, rows)

    def label_tables(self, decision: Decision, inputs: BuildInputs) -> list[LabelTable]:  # noqa: ARG002
        """The labels of each quasi-identifier."""
        return [
            LabelTable(rung_table(number), ladder.uncovered == "error")
            for number, ladder in enumerate(inputs.ladders, 1)
        ]

    def persons(
        self, decision: Decision, inputs: BuildInputs, release: Markup, units: Sequence[str]
    ) -> Relation:
        """The persons of the source whose labels are those of a class of the release."""
        labels = _labels(_local(decision), inputs)
        return persons_relation(labels, inputs.source, release, units)

    def from_lock(self, content: Mapping[str, Any]) -> LocalDecision:
        """The columns and the steps, every part of them checked."""
        columns = content["columns"]
        names = tuple(column["name"] for column in columns)
        levels = [tuple(map(locked_count, column["levels"])) for column in columns]
        layers = tuple(tuple(map(locked_count, node)) for node in content["layers"])
        gain, saving, rounds = content["gain"], content["saving"], locked_count(content["rounds"])
        fits = (
            all(isinstance(name, str) for name in names)
            and all(len(each) == 2 for each in levels)
            and all(len(node) == len(names) for node in layers)
            and gain in get_args(Gain)
            and saving in get_args(Saving)
            and rounds <= MOST_ROUNDS
            and 0 < len(layers) <= _MOST_LAYERS
        )
        if not fits:
            raise ValueError("no steps of local recoding")
        weights = tuple(locked_count(column["weight"]) for column in columns)
        floors, ceilings = (tuple(each[place] for each in levels) for place in (0, 1))
        steps = LocalSteps(layers, rounds, gain, saving, weights)
        words = tuple(tuple(map(_locked_text, column["words"])) for column in columns)
        return LocalDecision(
            names, floors, ceilings, steps, words, _locked_text(content["region_fingerprint"])
        )


def _locked_text(value: Any) -> str:
    """A text of a lock that can be written down again."""
    return locked_texts({"words": value})["words"]


# Each is a statement of the script.
_MOST_LAYERS = 10_000


def _decision(ladders: Sequence[Ladder], lattice: Lattice, steps: LocalSteps) -> LocalDecision:
    """The decision for some steps."""
    return LocalDecision(
        tuple(ladder.column.name for ladder in ladders),
        lattice.bottom,
        lattice.top,
        steps,
        tuple(tuple(map(ladder.words, range(ladder.height + 1))) for ladder in ladders),
    )


def _local(decision: Decision) -> LocalDecision:
    if not isinstance(decision, LocalDecision):
        raise StalePlanError("the plan is of another recoding. Run sqlgen plan again.")
    return decision


def _short_of(outcome: NodeOutcome, budget: int) -> str:
    """Why the release of steps of before is not feasible today."""
    lost = outcome.suppressed_rows + max(0, outcome.masked_rows - outcome.empty_rows)
    if lost > budget:
        return f"the locked steps release all but {lost} rows, and the budget is {budget}"
    return "what the locked steps release breaks a guarantee"


def _form(decision: Decision, values: Sequence[Markup], ladders: Sequence[Ladder]) -> CellForm:
    """The form of the cells that are recoded."""
    heights = tuple(ladder.height for ladder in ladders)
    return CellForm(heights, _local(decision).floors, tuple(values))


def _value_tables(inputs: BuildInputs) -> list[Markup]:
    """The tables with the values of each sensitive column, and their ids."""
    return [temporary(f"region_value_{n}") for n, _ in enumerate(inputs.sensitive.ladders, 1)]


def _judged(inputs: BuildInputs) -> tuple[JudgingInput, list[Statement]]:
    """How classes are judged over staged cells, and the statements that stage what that reads."""
    sensitive, tables = inputs.sensitive, _value_tables(inputs)
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
    count = len(steps.layers)
    return [
        *(
            noted(layer_sql(number, form, judged, node), f"layer {number} of {count}")
            for number, node in enumerate(steps.layers, 1)
        ),
        noted(first_regions_sql(form, steps.layers), "a region of each class that was released"),
    ]


def _regions(
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


def _region_tables(local: LocalDecision, *, keeps: bool) -> list[Markup]:
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


def _labels(decision: LocalDecision, inputs: BuildInputs) -> ReleasedLabels:
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
