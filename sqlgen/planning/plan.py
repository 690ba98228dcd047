"""A plan: the node that was chosen, what it was decided on, what it costs and what it gives."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sqlgen.display.notebook import TextTable, notebook_html
from sqlgen.display.summary import levels_words, summary
from sqlgen.engines import DataSource, Engine
from sqlgen.errors import UnsupportedError
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome
from sqlgen.measuring.pairs import row_columns
from sqlgen.measuring.queries import Answer, query_error
from sqlgen.measuring.results_display import results_table, results_words
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.measuring.uniqueness import Uniqueness, planned_uniqueness
from sqlgen.metrics import Loss, Metric
from sqlgen.planning.definition_change import Change, find_change
from sqlgen.planning.empty_columns import EmptyColumns, find_empty_columns
from sqlgen.planning.other_recoding import OtherRecoding, find_other
from sqlgen.planning.session import (
    NO_LIMIT,
    NO_LIMITS,
    NO_OPTIONS,
    Limit,
    PlanningSession,
    PlanOptions,
    SearchLimits,
    open_session,
    stage_session,
)
from sqlgen.policy import Policy
from sqlgen.recodings import RECODINGS, Alikeness, Choice, Decision, FullDomain
from sqlgen.search.verdict import Closed, Standing
from sqlgen.sql.watch import NO_WATCH, Watch, ignore_progress
from sqlgen.staging.column_facts import with_cell_logs
from sqlgen.staging.fingerprints import Fingerprints
from sqlgen.staging.inputs import Inputs
from sqlgen.staging.sensitive import missing_values
from sqlgen.wording import classes_words, counted, rows_words, share_words, steps_words

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Plan:
    """The decision of a recoding for a table, with its cost and the guarantees that it gives.

    ``hindrance`` says, where no node gives what the policy asks for, what stood in the way; the
    plan then holds the most general node. ``rounds`` says how often suppression moved what classes
    are judged by, ``unseen`` how many values that a guarantee names do not occur.
    ``masked_rows`` are released without their sensitive values; ``empty_rows`` of them had none;
    ``sensitive_levels`` says what is left of the sensitive columns that are released at a level.
    ``objective`` is the figure that no other node undercuts, ``metrics`` holds those of all
    objectives, ``answers`` what the policy's queries are answered. Where a limit ended the search,
    no plan has an objective below ``floor``. ``change`` says what becomes of a source that is
    released in place. ``empty_columns`` were asked for, or are None; so
    is ``other_recoding``, which would lose much less. ``uniqueness`` counts the rows
    of the source that stand alone by a column which is released beside the quasi-identifiers; None
    where that was not asked for, or the plan comes from a lock. Where a column has several levels,
    ``level_rows`` says how many rows are at each and ``level_words`` what each does; ``steps``
    counts the steps of the recoding. ``alikeness`` says how alike groups are, where values
    make them. ``source`` is what the rows came from, where that was given in
    place of the policy's own source.
    """

    policy: Policy = field(repr=False)
    decision: Decision
    rows: int
    suppressed_rows: int
    budget: int
    classes: int
    objective: float
    guarantees: tuple[GuaranteeResult, ...]
    fingerprints: Fingerprints = field(repr=False)
    column_loss: Mapping[str, float] = field(default_factory=dict, repr=False)
    metrics: Mapping[str, float] = field(default_factory=dict, repr=False)
    hindrance: str = ""
    lattice_nodes: int = 0
    measured_nodes: int = 0
    closed_nodes: Closed = field(default_factory=Closed)
    cells: int = 0
    rounds: int = 0
    unseen: Mapping[str, int] = field(default_factory=dict, repr=False)
    masked_rows: int = 0
    empty_rows: int = 0
    sensitive_levels: Mapping[str, str] = field(default_factory=dict, repr=False)
    floor: float | None = None
    answers: tuple[Answer, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    change: Change | None = field(default=None, repr=False)
    empty_columns: EmptyColumns | None = None
    other_recoding: OtherRecoding | None = field(default=None, repr=False, compare=False)
    source: DataSource | None = field(default=None, repr=False, compare=False)
    uniqueness: Uniqueness | None = field(default=None, repr=False, compare=False)
    level_rows: Mapping[str, Sequence[int]] = field(default_factory=dict, repr=False)
    level_words: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    steps: Mapping[str, int] = field(default_factory=dict, repr=False)
    alikeness: Alikeness | None = field(default=None, repr=False)

    @property
    def levels(self) -> Mapping[str, int] | None:
        """The level of each quasi-identifier; None where the recoding has no single one."""
        return self.decision.levels

    @property
    def words(self) -> Mapping[str, str]:
        """The release of each quasi-identifier, in words."""
        return self.decision.in_words()

    def levels_to(self, purpose: str) -> Mapping[str, int]:
        """The level of each quasi-identifier, for something that cannot be done without.

        Raises UnsupportedError, with the purpose, where the recoding has no single one.
        """
        if self.levels is None:
            raise UnsupportedError(
                f"recoding {self.decision.recoding} gives a column more than one level, and it "
                f"takes one level per column to {purpose}. Nothing was changed."
            )
        return self.levels

    @property
    def masked_cells(self) -> int:
        """The sensitive cells of the rows that are released without them."""
        return self.masked_rows * len(self.policy.sensitive)

    @property
    def satisfied(self) -> bool:
        """Whether the policy's guarantees are met within its suppression budget."""
        return not self.hindrance

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values, as ``sqlgen plan --json`` prints it."""
        return {
            "satisfied": self.satisfied,
            "hindrance": self.hindrance or None,
            "recoding": self.decision.recoding,
            "levels": None if self.levels is None else dict(self.levels),
            "words": dict(self.words),
            **(self._several_levels() if self.level_rows else {}),
            "rows": self.rows,
            "suppressed_rows": self.suppressed_rows,
            "masked": {
                "rows": self.masked_rows,
                "cells": self.masked_cells,
                "empty_rows": self.empty_rows,
            },
            "budget": self.budget,
            "classes": self.classes,
            **({"alikeness": self.alikeness.to_dict()} if self.alikeness is not None else {}),
            "objective": {"name": self.policy.objective.name, "value": round(self.objective, 8)},
            "proved": self.floor is None,
            "floor": None if self.floor is None else round(self.floor, 8),
            "metrics": {key: round(value, 8) for key, value in self.metrics.items()},
            "queries": [answer.to_dict() for answer in self.answers],
            "column_loss": {key: round(value, 8) for key, value in self.column_loss.items()},
            "guarantees": [guarantee.to_dict() for guarantee in self.guarantees],
            "nodes": {
                "lattice": self.lattice_nodes,
                "measured": self.measured_nodes,
                "closed": asdict(self.closed_nodes),
            },
            "cells": self.cells,
            "rounds": self.rounds,
            "coarse": dict(self.sensitive_levels),
            "unseen_values": dict(self.unseen),
            **({"uniqueness": self.uniqueness.to_dict()} if self.uniqueness is not None else {}),
            "seconds": {key: round(value, 4) for key, value in self.seconds.items()},
            **(
                {"empty_columns": self.empty_columns.to_dict()}
                if self.empty_columns is not None
                else {}
            ),
            **(
                {"other_recoding": self.other_recoding.to_dict()}
                if self.other_recoding is not None
                else {}
            ),
            **({"in_place": self.change.to_dict()} if self.change is not None else {}),
        }

    def _several_levels(self) -> dict[str, Any]:
        """The rows at each level of each column, the words of levels, and the recoding's steps."""
        return {
            "level_rows": {name: list(rows) for name, rows in self.level_rows.items()},
            "level_words": {name: list(words) for name, words in self.level_words.items()},
            "steps": dict(self.steps),
        }

    def __repr__(self) -> str:
        return summary(
            "Plan",
            self._headline,
            self.levels_line,
            f"guarantees: {results_words(self.guarantees)}",
        )

    @property
    def levels_line(self) -> str:
        """The level of each column on one line; the recoding with its steps where there is none."""
        if self.levels is not None:
            return f"levels: {levels_words(self.levels)}"
        return f"recoding: {', '.join([self.decision.recoding, *steps_words(self.steps)])}"

    @property
    def level_shares(self) -> list[tuple[str, int, str, int, float]]:
        """Each level that rows are at, by column: its words, the rows, and their share."""
        return [
            (column, level, self.level_words[column][level], count, count / sum(rows))
            for column, rows in self.level_rows.items()
            for level, count in enumerate(rows)
            if count
        ]

    def _repr_html_(self) -> str:
        return notebook_html(
            f"Plan: {self._headline}",
            () if self.levels is not None else (self.levels_line.capitalize(),),
            [self._levels_table(), results_table(self.guarantees)],
        )

    def _levels_table(self) -> TextTable:
        """The level of each column with its loss; where it has several, the rows at each."""
        losses = {name: share_words(loss) for name, loss in self.column_loss.items()}
        if self.levels is not None:
            levels = [
                (column, str(level), losses.get(column, "0%"))
                for column, level in self.levels.items()
            ]
            return TextTable("Levels", ("column", "level", "loss"), levels)
        header = ("column", "level", "what is left of it", "rows", "share", "loss")
        shares = [
            (column, str(level), words, f"{count:,}", share_words(share), losses.get(column, "0%"))
            for column, level, words, count, share in self.level_shares
        ]
        return TextTable("Levels", header, shares)

    @property
    def _headline(self) -> str:
        if not self.satisfied:
            return f"no combination of levels meets the policy; {rows_words(self.rows)}"
        return (
            f"meets the policy; {rows_words(self.rows)} in {classes_words(self.classes)}, "
            f"{self.suppressed_rows:,} suppressed of {self.budget:,} allowed"
        )

    def to_pandas(self) -> "pandas.DataFrame":
        """The guarantees, a row each."""
        import pandas  # noqa: PLC0415

        return pandas.DataFrame([guarantee.to_dict() for guarantee in self.guarantees])


def make_plan(
    policy: Policy,
    source: DataSource | None = None,
    *,
    limits: SearchLimits = NO_LIMITS,
    watch: Watch = NO_WATCH,
    find_empty: bool = False,
) -> Plan:
    """The optimal plan for a policy: least loss among all nodes that give its guarantees.

    Reads the table and changes nothing: staged tables are temporary, in a transaction that is
    rolled back. ``source`` takes the place of the policy's database: a path, an open DuckDB
    connection, or a DataFrame. Where ``limits`` end the search, the best plan so far comes back
    with what no plan falls below. Proved optimal otherwise (Samarati 2001, El Emam et al. 2009:
    k-anonymity is monotone over the lattice; the loss is bounded below by the loss without
    suppression). With ``find_empty`` it also comes back which columns the plan leaves empty because
    of few rows, where the search was not limited, and what another recoding would lose, where that
    is at most half.
    """
    started = time.perf_counter()
    options = PlanOptions(limits, watch)
    with open_session(policy, source, options) as opened:
        return _plan(
            opened, policy, source, options, started, Extras(find_empty, count_unique=True)
        )


def plan_inputs(engine: Engine, inputs: Inputs, options: PlanOptions = NO_OPTIONS) -> Plan:
    """The optimal plan for inputs that are found, in the database that is open.

    Nothing is counted beside it: what is released is counted as it is released.
    """
    started = time.perf_counter()
    policy = inputs.policy
    with stage_session(engine, inputs.job, options, inputs) as opened:
        return _plan(opened, policy, None, options, started, Extras())


@dataclass(frozen=True)
class Extras:
    """The options of a plan: look for what would leave more of it, count unique rows."""

    find_empty: bool = False
    count_unique: bool = False


def _plan(
    opened: PlanningSession,
    policy: Policy,
    source: DataSource | None,
    options: PlanOptions,
    started: float,
    extras: Extras,
) -> Plan:
    """The plan of a session, searched for and described."""
    searching = time.perf_counter()
    limit, progress = options.limits.since(started), options.watch.progress
    choice = (
        search_plan(opened, limit, progress)
        if options.decision is None
        else _repeated(opened, options.decision)
    )
    # It is for every window to come, as the lock is.
    plan = replace(describe_plan(opened, choice), policy=policy, source=source)
    ended = time.perf_counter()
    by_levels = plan.decision.recoding == FullDomain.name
    if extras.find_empty and plan.satisfied and plan.floor is None and by_levels:
        progress("looking for what keeps columns empty")
        node = tuple(plan.levels_to("find empty columns").values())
        empty = find_empty_columns(opened, node, choice.measured, limit)
        progress("looking for what another recoding loses")
        other = find_other(opened, plan.objective, limit)
        plan = replace(plan, empty_columns=empty, other_recoding=other)
    if extras.count_unique:
        plan = replace(plan, uniqueness=_uniqueness(opened, policy, plan))
    seconds = {
        "stage": searching - started,
        "search": ended - searching,
        "total": time.perf_counter() - started,
    }
    return replace(plan, seconds=seconds)


def _uniqueness(opened: PlanningSession, policy: Policy, plan: Plan) -> Uniqueness:
    """The uniqueness of rows as a plan shows them: of two tables, the sensitive column in none."""
    ladders, shown = opened.evaluator.staged.ladders, opened.shown
    if policy.recoding.makes_pair:
        shown = replace(shown, columns=tuple(row_columns(policy, shown.columns)[:-1]))
    return planned_uniqueness(opened.engine, policy, shown, ladders, plan.levels)


def search_plan(
    opened: PlanningSession,
    limit: Limit = NO_LIMIT,
    progress: Callable[[str], None] = ignore_progress,
) -> Choice:
    """The choice of the policy's recoding by its objective, within a limit."""
    trial, metric = opened.evaluator, opened.evaluator.metric

    def goes_on(standing: Standing) -> bool:
        # To word it for every node takes a twentieth of a plan of a small table.
        if progress is not ignore_progress:
            progress(standing_words(standing, opened.lattice.size, metric))
        return limit.allows(standing.measured)

    recoding = RECODINGS[opened.policy.recoding.name]
    return recoding.decide(trial, opened.lattice, opened.policy, goes_on)


def _repeated(opened: PlanningSession, decision: Decision) -> Choice:
    """The choice of a decision of before, judged on today's rows."""
    recoding = RECODINGS[decision.recoding]
    return recoding.repeat(decision, opened.evaluator, opened.lattice, opened.policy)


def standing_words(standing: Standing, lattice_nodes: int, metric: Metric) -> str:
    """How far a search has come, and how much better than the best so far there may be."""
    words = f"measured {standing.measured:,} of {lattice_nodes:,} nodes"
    if standing.best is None:
        return words
    best, floor = metric.value(standing.best), metric.lowest(standing.floor)
    return f"{words}; {metric.name} {best:.6g}, none below {min(best, floor):.6g}"


def describe_plan(opened: PlanningSession, choice: Choice) -> Plan:
    """The plan of a choice; where nothing was found, of the most general one."""
    policy, trial = opened.policy, opened.evaluator
    staged, metric, outcome = trial.staged, trial.metric, choice.outcome
    names = staged.names
    recoding = RECODINGS[choice.decision.recoding]
    summed = recoding.totals(choice, trial, policy, opened.source)
    facts = with_cell_logs(trial.engine, summed.facts, opened.shown, names)
    every = policy.objective.every_metric(facts, names)
    figures = {each.name: each.value(each.cost(summed.totals)) for each in every}
    if summed.answers:
        figures["query_error"] = query_error(summed.answers)
    measured = _results(trial, outcome)
    loss = next(each for each in every if isinstance(each, Loss))
    floor = None if choice.floor is None else metric.lowest(choice.floor)
    return Plan(
        policy=policy,
        decision=choice.decision,
        rows=staged.rows,
        suppressed_rows=outcome.suppressed_rows,
        budget=trial.budget,
        classes=outcome.classes,
        objective=figures[metric.name],
        column_loss=dict(zip(names, loss.by_column(summed.totals), strict=True)),
        metrics=figures,
        answers=tuple(summed.answers),
        level_rows=summed.level_rows,
        level_words=summed.level_words,
        steps=summed.steps,
        alikeness=summed.alikeness,
        guarantees=measured,
        fingerprints=opened.fingerprints,
        hindrance=_hindrance(opened, choice, measured),
        lattice_nodes=opened.lattice.size,
        floor=None if floor is None else min(floor, figures[metric.name]),
        measured_nodes=choice.measured,
        closed_nodes=choice.closed,
        cells=staged.cells,
        rounds=outcome.rounds,
        masked_rows=outcome.masked_rows,
        empty_rows=outcome.empty_rows,
        unseen=missing_values(trial.engine, policy.guarantees, staged.judged.values),
        sensitive_levels={
            ladder.column.name: ladder.words(policy.level(ladder.column.name))
            for ladder in opened.sensitive_levels
        },
        change=find_change(opened.engine, policy, opened.source, choice.decision.highest)
        if policy.in_place is not None
        else None,
    )


def _results(evaluator: NodeEvaluator, outcome: NodeOutcome) -> tuple[GuaranteeResult, ...]:
    """The guarantees' figures on the rows that a node releases."""
    rows = evaluator.staged.rows - outcome.suppressed_rows
    failing = outcome.failing or (0,) * len(evaluator.guarantees)
    return tuple(
        GuaranteeResult(guarantee, figure, classes, rows=rows)
        for guarantee, figure, classes in zip(
            evaluator.guarantees, outcome.values, failing, strict=True
        )
    )


def _hindrance(
    opened: PlanningSession, choice: Choice, most_general: tuple[GuaranteeResult, ...]
) -> str:
    """The reason why no node is feasible; empty where one was found."""
    if choice.is_found or choice.hindrance:
        return choice.hindrance
    if choice.floor is not None:
        return f"a limit ended the search after {counted(choice.measured, 'node')}, none feasible"
    staged = opened.evaluator.staged
    budget = opened.policy.budget(staged.rows)
    if not staged.rows:
        return "the source has no rows"
    if staged.facts.dropped_rows > budget:
        return (
            f"nulls: suppress and uncovered: suppress drop {staged.facts.dropped_rows} rows, "
            f"and the budget is {budget}"
        )
    failing = [guarantee for guarantee in most_general if not guarantee.satisfied]
    if not failing:
        return f"more rows would lose their sensitive values than the budget of {budget}"
    gives = "they give" if opened.lattice.size == 1 else "the most general node gives"
    sentences = [
        f"{guarantee.guarantee.words} stands in the way: {gives} {guarantee.words}"
        for guarantee in failing
    ]
    return ("at the levels asked for, " if opened.lattice.size == 1 else "") + "; ".join(sentences)
