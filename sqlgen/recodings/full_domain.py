"""Full-domain generalization: one level per column, the same for every row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import StalePlanError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.class_sums import EVERY_SUM, sum_classes_by_size
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import measure_whole
from sqlgen.measuring.queries import answer_queries
from sqlgen.policy import Policy
from sqlgen.recodings.locked import locked_count, locked_texts
from sqlgen.recodings.recoding import BuildInputs, Choice, ChoiceTotals, Decision, LabelTable
from sqlgen.recodings.release import (
    LabelledColumn,
    ReleasedLabels,
    label_join,
    persons_relation,
    release_sql,
)
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.optimal import find_optimal
from sqlgen.search.verdict import Standing
from sqlgen.sql.render import Statement, command, fragment, noted, sql
from sqlgen.sql.step import Step, plain_steps
from sqlgen.sql.types import Column
from sqlgen.staging.people import Key


@dataclass(frozen=True)
class ColumnLevels:
    """The decision of full-domain generalization: a level per column, and each in words."""

    levels: Mapping[str, int]
    words: Mapping[str, str] = field(compare=False)

    @property
    def recoding(self) -> str:
        """Full-domain generalization."""
        return FullDomain.name

    @property
    def highest(self) -> Mapping[str, int]:
        """The levels."""
        return self.levels

    @property
    def regions(self) -> str:
        """None: a class is its labels."""
        return ""

    def kept_in(self, table: Markup) -> "ColumnLevels":  # noqa: ARG002
        """The levels: no table keeps anything of them."""
        return self

    def merging(self) -> "ColumnLevels":
        """The levels: there is no region to merge."""
        return self

    def in_words(self) -> Mapping[str, str]:
        """Each column with what its level does to it."""
        return self.words

    def to_log(self) -> dict[str, Any]:
        """The levels."""
        return {"levels": dict(self.levels)}

    def to_lock(self) -> dict[str, Any]:
        """The levels and their words."""
        return {"levels": dict(self.levels), "words": dict(self.words)}

    def to_ledger(self) -> dict[str, Any]:
        """The levels alone: words may name labels."""
        return {"levels": dict(self.levels)}


class FullDomain:
    """Full-domain generalization (Samarati 2001): the best node of the lattice of levels."""

    name: ClassVar[str] = "full_domain"

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,  # noqa: ARG002
        goes_on: Callable[[Standing], bool],
    ) -> Choice:
        """The node of least loss, proved best unless the search is stopped."""
        found = find_optimal(
            lattice,
            evaluator.metric.bound,
            evaluator.verdict,
            evaluator.cost,
            goes_on,
            evaluator.prepare,
        )
        node = lattice.top if found.node is None else found.node
        engine, staged = evaluator.engine, evaluator.staged
        outcome = (
            measure_whole(engine, staged, evaluator.guarantees, node)
            if found.node is None
            else evaluator.measures(node)
        )
        return Choice(
            decision=levels_of(staged.ladders, node),
            is_found=found.node is not None,
            outcome=outcome,
            measured=found.measured,
            floor=found.floor,
            closed=found.closed,
        )

    def repeat(
        self,
        decision: Decision,  # noqa: ARG002
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,
    ) -> Choice:
        """The only node of the lattice, judged."""
        return self.decide(evaluator, lattice, policy, lambda _: True)

    def totals(
        self, choice: Choice, evaluator: NodeEvaluator, policy: Policy, source: Relation
    ) -> ChoiceTotals:
        """The sums over the classes of the node; of one that is not feasible, over all of them."""
        engine, staged = evaluator.engine, evaluator.staged
        node = node_of(choice.decision, staged.names)
        if not choice.is_found:
            whole = sum_classes_by_size(engine, staged, (), node, EVERY_SUM).whole
            return ChoiceTotals(staged.facts, whole)
        rounds = choice.outcome.rounds
        return ChoiceTotals(
            staged.facts,
            evaluator.tally(node, EVERY_SUM),
            answer_queries(engine, staged, policy, source, node, rounds),
        )

    def columns(self, decision: Decision, ladders: Sequence[Ladder]) -> list[Column]:
        """Each quasi-identifier at its level."""
        levels = decision.levels or {}
        return [_released(ladder, levels[ladder.column.name]) for ladder in ladders]

    def check(self, decision: Decision, ladders: Sequence[Ladder]) -> None:
        """Refuse levels that the hierarchies do not have, and columns without a level."""
        heights = {ladder.column.name: ladder.height for ladder in ladders}
        levels = decision.levels or {}
        if levels.keys() != heights.keys() or any(
            not 0 <= levels[name] <= height for name, height in heights.items()
        ):
            raise StalePlanError(
                "the plan names levels that the hierarchies do not have. Run sqlgen plan again. "
                "Nothing was changed."
            )

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """A lookup per quasi-identifier, and the target out of the rows with their labels."""
        recodings = _recodings(decision, inputs)
        lookups = [
            noted(lookup_sql(column, inputs.source, temporary=not inputs.lasting), column.words)
            for column in recodings
        ]
        query = release_sql(
            labels_of(recodings), inputs.source, inputs.policy, inputs.sensitive, inputs.rounds
        )
        return [*plain_steps(lookups), *inputs.publish(query)]

    def scratch(self, decision: Decision, inputs: BuildInputs) -> Sequence[Markup]:  # noqa: ARG002
        """The lookups, unless they stay beside the release."""
        return () if inputs.lasting else inputs.lookups

    def label_tables(self, decision: Decision, inputs: BuildInputs) -> list[LabelTable]:
        """The lookup of each quasi-identifier."""
        return [
            LabelTable(column.lookup, column.ladder.uncovered == "error")
            for column in _recodings(decision, inputs)
        ]

    def region_rows(self, decision: Decision) -> None:  # noqa: ARG002
        """None: a class is its labels."""
        return

    def persons(
        self, decision: Decision, inputs: BuildInputs, release: Markup, units: Sequence[str]
    ) -> Relation:
        """The persons of the source whose labels are those of a class of the release."""
        labels = labels_of(_recodings(decision, inputs))
        return persons_relation(labels, inputs.source, release, units)

    def from_lock(self, content: Mapping[str, Any]) -> ColumnLevels:
        """The levels and the words, one of each per column."""
        levels = {str(key): locked_count(level) for key, level in content["levels"].items()}
        words = locked_texts(content["words"])
        if words.keys() != levels.keys():
            raise ValueError("not the words of the levels")
        return ColumnLevels(levels, words)


def levels_of(ladders: Sequence[Ladder], node: Node) -> ColumnLevels:
    """The levels of a node, by column."""
    at = list(zip(ladders, node, strict=True))
    return ColumnLevels(
        {ladder.column.name: level for ladder, level in at},
        {ladder.column.name: ladder.words(level) for ladder, level in at},
    )


def node_of(decision: Decision, names: Sequence[str]) -> Node:
    """The node whose levels a decision has that gives each column one."""
    levels = decision.levels or {}
    return tuple(levels[name] for name in names)


@dataclass(frozen=True)
class RecodedColumn:
    """One column of the release that is generalized: its ladder, its level, its lookup table."""

    number: int
    ladder: Ladder
    level: int
    lookup: Markup

    @property
    def alias(self) -> Markup:
        """The lookup's alias in the release's query."""
        return Markup(f"q{self.number}")

    @property
    def name(self) -> str:
        """The column's name."""
        return self.ladder.column.name

    @property
    def words(self) -> str:
        """The column's level, for people."""
        return (
            f"{self.ladder.column.name}: level {self.level} of {self.ladder.height}, "
            f"{self.ladder.words(self.level)}"
        )

    @property
    def value(self) -> Markup:
        """The source's column, to be looked up."""
        return self.ladder.column.plain("source")

    @property
    def released(self) -> Column:
        """The column as it is released: its own type at level 0, else text."""
        return _released(self.ladder, self.level)


def _released(ladder: Ladder, level: int) -> Column:
    """A column as it is released: its own type at level 0, else text."""
    kept = level == 0 and not ladder.column.is_text
    return Column(ladder.column.name, ladder.column.type if kept else "VARCHAR")


def lookup_sql(recoding: RecodedColumn, source: Relation, *, temporary: bool) -> Statement:
    """The statement that makes one column's lookup: each value with the label it gets."""
    ladder = recoding.ladder
    cast = "CAST({label} AS {type})" + (" COLLATE C" if recoding.released.is_text else "")
    labels = fragment(
        "recodings/lookup",
        labelled=ladder.labelled(source.sql),
        is_kept=ladder.is_kept,
        label=sql(cast, label=ladder.label(recoding.level), type=Markup(recoding.released.type)),
    )
    # One that an earlier script left is replaced; one that stays beside a view must not be there.
    kind = "OR REPLACE TEMPORARY TABLE" if temporary else "TABLE"
    pattern = "CREATE {kind} {table} AS\n{labels}"
    return command(
        "recodings/lookup", pattern, kind=Markup(kind), table=recoding.lookup, labels=labels
    )


def labels_of(recodings: Sequence[RecodedColumn]) -> ReleasedLabels:
    """The labels of some columns, as the query for a release reads them: each from its lookup."""
    return ReleasedLabels(
        columns=[
            LabelledColumn(
                number=recoding.number,
                name=recoding.name,
                id=sql("{alias}.id", alias=recoding.alias),
                label=sql("{alias}.label", alias=recoding.alias),
                names=recoding.lookup,
                key=Key(recoding.name, recoding.alias, recoding.level, recoding.lookup),
            )
            for recoding in recodings
        ],
        joins=[
            label_join(recoding.lookup, recoding.alias, recoding.value) for recoding in recodings
        ],
    )


def make_recodings(
    ladders: Sequence[Ladder], node: Sequence[int], lookups: Sequence[Markup]
) -> list[RecodedColumn]:
    """One recoding per ladder, at the levels of a node."""
    return [
        RecodedColumn(number, ladder, level, lookup)
        for number, (ladder, level, lookup) in enumerate(
            zip(ladders, node, lookups, strict=True), 1
        )
    ]


def _recodings(decision: Decision, inputs: BuildInputs) -> list[RecodedColumn]:
    """The columns of a build at the levels of its decision."""
    levels = decision.levels or {}
    node = [levels[ladder.column.name] for ladder in inputs.ladders]
    return make_recodings(inputs.ladders, node, inputs.lookups)
