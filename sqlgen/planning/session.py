"""Planning session: a table opened, staged and proved, with all that a search reads of it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import PolicyError
from sqlgen.guarantees import Guarantee
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.ledger.increments import make_job, now
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.queries import queried
from sqlgen.policy import Policy
from sqlgen.recodings import Decision
from sqlgen.search.lattice import Lattice
from sqlgen.sql.watch import NO_WATCH, Watch
from sqlgen.staging.all_faults import every_fault
from sqlgen.staging.fingerprints import Fingerprints, take_fingerprints
from sqlgen.staging.inputs import Inputs
from sqlgen.staging.job import Job
from sqlgen.staging.ladders import level_range, read_ladders
from sqlgen.staging.sensitive import Sensitive, read_sensitive
from sqlgen.staging.sensitive_levels import read_sensitive_levels
from sqlgen.staging.source import check_columns, open_rows, read_source
from sqlgen.staging.stage import Staged, Unstaged, stage, stage_sensitive_levels


@dataclass(frozen=True)
class Limit:
    """How many nodes a search may measure, and how many seconds after ``started``."""

    nodes: int | None
    seconds: float | None
    started: float

    def allows(self, measured: int) -> bool:
        """Whether another node may be measured."""
        in_time = self.seconds is None or time.perf_counter() - self.started < self.seconds
        return in_time and (self.nodes is None or measured < self.nodes)


NO_LIMIT = Limit(None, None, 0.0)


@dataclass(frozen=True)
class PlanningSession:
    """A policy's table, staged to be searched, until the block that opened it ends.

    ``shown`` is the source with labels in place of values, as ``sensitive_levels`` say.
    """

    engine: Engine
    policy: Policy
    source: Relation
    shown: Relation
    lattice: Lattice
    sensitive: Sensitive
    sensitive_levels: tuple[Ladder, ...]
    fingerprints: Fingerprints
    evaluator: NodeEvaluator


Beside = Callable[[Engine, Relation, Relation], Sequence[Guarantee]]


@dataclass(frozen=True)
class SearchLimits:
    """The nodes that a search may measure: the levels of some columns, and when it stops.

    ``levels`` holds quasi-identifiers to the least and the most level that they may have, in place
    of what the policy says of them; None for a most is the policy's own. Seconds count from the
    start of the command.
    """

    levels: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)
    max_nodes: int | None = None
    max_seconds: float | None = None

    def since(self, started: float) -> Limit:
        """The limit of a search whose command started at a moment."""
        return Limit(self.max_nodes, self.max_seconds, started)


NO_LIMITS = SearchLimits()


@dataclass(frozen=True)
class PlanOptions:
    """The options of a search: its limits, who hears of it, and guarantees that are measured too.

    ``beside`` names those, of the shown table, whose source is the second: what they read is
    staged. With a ``decision`` of before nothing is searched for: it is judged on today's rows.
    """

    limits: SearchLimits = NO_LIMITS
    watch: Watch = NO_WATCH
    beside: Beside = lambda *_: ()
    decision: Decision | None = None


NO_OPTIONS = PlanOptions()


@contextmanager
def open_session(
    policy: Policy,
    source: DataSource | None,
    options: PlanOptions = NO_OPTIONS,
) -> Iterator[PlanningSession]:
    """A policy's table, opened and staged until the block ends; of new rows, the next window's."""
    on_statement = options.watch.on_statement
    with open_rows(policy, source, write=False, on_statement=on_statement) as engine:
        job = make_job(engine, policy, source, now())
        with stage_session(engine, job, options) as opened:
            yield opened


@contextmanager
def stage_session(
    engine: Engine, job: Job, options: PlanOptions, inputs: Inputs | None = None
) -> Iterator[PlanningSession]:
    """A policy's table, staged in a transaction that is rolled back when the block ends.

    ``inputs`` are the job's, where the command read them before.
    """
    policy, show_values = job.policy, options.watch.show_values
    found, known = (inputs.source, inputs.ladders) if inputs is not None else (None, ())
    with engine.read():
        with every_fault(engine, job, show_values=show_values):
            relation = read_source(engine, policy, job.given, found, job.window)
            check_columns(relation, policy)
            ladders = read_ladders(engine, policy, relation, known, staged=True)
            lattice = read_lattice(policy, ladders, options.limits.levels)
            coarse = read_sensitive_levels(engine, policy, relation)
            shown = stage_sensitive_levels(engine, policy, relation, coarse, show_values)
            others = (*queried(policy), *options.beside(engine, shown, relation))
            sensitive = decided = read_sensitive(
                engine, policy, shown, policy.guarantees, lambda: relation, relation
            )
            if others:
                asked = (*policy.guarantees, *others)
                sensitive = read_sensitive(engine, policy, shown, asked, lambda: relation, relation)
            rows = Unstaged(shown, ladders, sensitive)
            staged = stage(engine, policy, rows, options.watch.progress, show_values)
            fingerprints = take_fingerprints(
                engine, policy, relation, (*ladders, *decided.ladders, *coarse), staged.rows
            )
            trial = policy_evaluator(engine, staged, policy)
        yield PlanningSession(
            engine, policy, relation, shown, lattice, sensitive, coarse, fingerprints, trial
        )


def read_lattice(
    policy: Policy, ladders: Sequence[Ladder], levels: Mapping[str, tuple[int, int | None]]
) -> Lattice:
    """The lattice: every level of each ladder, or the levels that a column is held to."""
    for name in levels:
        if name not in policy.quasi:
            raise PolicyError(f"--level: {name} is no quasi-identifier of the policy")
    ranges = [level_range(policy, ladder, levels) for ladder in ladders]
    return Lattice(tuple(most for _, most in ranges), tuple(least for least, _ in ranges))


def policy_evaluator(engine: Engine, staged: Staged, policy: Policy) -> NodeEvaluator:
    """The evaluator of a staged table by the guarantees and the objective of its policy."""
    metric = policy.objective.metric(staged.facts, staged.names)
    return NodeEvaluator(engine, staged, policy.guarantees, staged.facts.budget, metric)
