"""Every minimal node of a policy's lattice, with what each costs, gives and is open to."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlgen.display.summary import levels_words, summary
from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import PolicyError
from sqlgen.guarantees import Guarantee
from sqlgen.guarantees.figures import plain
from sqlgen.measuring.attacks import added_attacks, attacks_of, measure_attacks
from sqlgen.measuring.tables import GuaranteeResult, attack_figures
from sqlgen.planning.session import (
    NO_LIMITS,
    PlanningSession,
    PlanOptions,
    SearchLimits,
    open_session,
)
from sqlgen.policy import Policy
from sqlgen.policy.anatomy import ANATOMY
from sqlgen.policy.microaggregation import MICROAGGREGATION
from sqlgen.recodings import FullDomain
from sqlgen.search.lattice import Node
from sqlgen.search.minimal import find_minimal
from sqlgen.sql.watch import NO_WATCH, Watch
from sqlgen.wording import counted, objective_words, rows_words

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class MinimalNode:
    """A feasible node below which none is feasible."""

    levels: Mapping[str, int]
    objective: float
    classes: int
    suppressed_rows: int
    guarantees: tuple[GuaranteeResult, ...]
    masked_rows: int = 0
    attacks: tuple[GuaranteeResult, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The node as plain values."""
        return {
            "levels": dict(self.levels),
            "objective": round(self.objective, 8),
            "classes": self.classes,
            "suppressed_rows": self.suppressed_rows,
            "masked_rows": self.masked_rows,
            "guarantees": [
                {
                    "name": guarantee.guarantee.name,
                    **guarantee.guarantee.parameters,
                    "measured": plain(guarantee.value),
                }
                for guarantee in self.guarantees
            ],
            "attacks": [attack_figures(attack) for attack in self.attacks],
        }


@dataclass(frozen=True)
class MinimalNodes:
    """All minimal nodes of a lattice; only some of them where a limit ended the search."""

    policy: Policy = field(repr=False)
    rows: int
    budget: int
    nodes: tuple[MinimalNode, ...]
    lattice_nodes: int
    measured_nodes: int
    is_whole: bool
    seconds: float

    @property
    def satisfied(self) -> bool:
        """Whether any node gives what the policy asks for."""
        return bool(self.nodes)

    def to_dict(self) -> dict[str, Any]:
        """The nodes as plain values, as ``sqlgen minimal --json`` prints them."""
        return {
            "satisfied": self.satisfied,
            "objective": self.policy.objective.name,
            "rows": self.rows,
            "budget": self.budget,
            "whole": self.is_whole,
            "minimal": [node.to_dict() for node in self.nodes],
            "nodes": {"lattice": self.lattice_nodes, "measured": self.measured_nodes},
            "seconds": round(self.seconds, 4),
        }

    def __repr__(self) -> str:
        whole = "" if self.is_whole else ", and there may be others"
        best = self.nodes[0] if self.nodes else None
        return summary(
            "MinimalNodes",
            f"{counted(len(self.nodes), 'minimal node')} of {self.lattice_nodes:,}{whole}; "
            f"{rows_words(self.rows)}",
            f"best: {levels_words(best.levels)}" if best is not None else "",
            f"{self.policy.objective.name} {objective_words(best.objective)}, "
            f"{best.suppressed_rows:,} suppressed of {self.budget:,} allowed"
            if best is not None
            else "",
        )

    def lines(self) -> list[dict[str, Any]]:
        """A flat line per node: what it costs, and the levels of each column."""
        return [
            {
                self.policy.objective.name: round(node.objective, 8),
                "classes": node.classes,
                "suppressed_rows": node.suppressed_rows,
                **{
                    guarantee.guarantee.title: plain(guarantee.value)
                    for guarantee in node.guarantees
                },
                **node.levels,
            }
            for node in self.nodes
        ]

    def to_pandas(self) -> "pandas.DataFrame":
        """The lines, a row each."""
        import pandas  # noqa: PLC0415

        return pandas.DataFrame(self.lines())


def minimal_nodes(
    policy: Policy,
    source: DataSource | None = None,
    *,
    limits: SearchLimits = NO_LIMITS,
    watch: Watch = NO_WATCH,
) -> MinimalNodes:
    """Every node that gives a policy's guarantees and below which none does (Incognito's answer).

    With the attacks that a release of each would be open to. Reads the table and changes nothing.
    Nodes come by the policy's objective, the least first.
    """
    if policy.recoding.name != FullDomain.name:
        makes = f"{policy.recoding.name} recoding gives a column several"
        if policy.recoding.name in (ANATOMY, MICROAGGREGATION):
            makes = f"{policy.recoding.name} makes groups in place of them"
        raise PolicyError(
            f"{policy.where('recoding')}: minimal lists combinations of one level per column, and "
            f"{makes}. Write recoding: {FullDomain.name} to list them"
        )
    started = time.perf_counter()
    attacks: list[Guarantee] = []

    def beside(engine: Engine, shown: Relation, relation: Relation) -> list[Guarantee]:
        attacks.extend(attacks_of(engine, policy, shown, lambda: relation))
        return attacks

    options = PlanOptions(limits, watch, beside)
    with open_session(policy, source, options) as opened:
        limit = limits.since(started)

        def goes_on(measured: int) -> bool:
            watch.progress(f"measured {measured:,} of {opened.lattice.size:,} nodes")
            return limit.allows(measured)

        result = find_minimal(opened.lattice, opened.evaluator.verdict, goes_on)
        attacks = added_attacks(opened.engine, opened.shown, attacks, opened.sensitive)
        described = map(partial(_describe, opened, attacks), result.nodes)
        nodes = sorted(described, key=lambda node: (node.objective, tuple(node.levels.values())))
    return MinimalNodes(
        policy=opened.policy,
        rows=opened.evaluator.staged.rows,
        budget=opened.evaluator.budget,
        nodes=tuple(nodes),
        lattice_nodes=opened.lattice.size,
        measured_nodes=result.measured,
        is_whole=result.is_whole,
        seconds=time.perf_counter() - started,
    )


def _describe(opened: PlanningSession, attacks: list[Guarantee], node: Node) -> MinimalNode:
    trial = opened.evaluator
    outcome = trial.measures(node)
    rows = trial.staged.rows - outcome.suppressed_rows
    return MinimalNode(
        levels=dict(zip(trial.staged.names, node, strict=True)),
        objective=trial.metric.value(trial.cost(node)),
        classes=outcome.classes,
        suppressed_rows=outcome.suppressed_rows,
        masked_rows=outcome.masked_rows,
        guarantees=tuple(
            GuaranteeResult(guarantee, figure, rows=rows)
            for guarantee, figure in zip(trial.guarantees, outcome.values, strict=True)
        ),
        attacks=measure_attacks(
            opened.engine, trial.staged, trial.guarantees, node, outcome.rounds, attacks
        ),
    )
