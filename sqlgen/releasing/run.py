"""A scheduled run: the locked levels on today's table, or what the policy says where they fail.

Made to be run by a scheduler that nobody watches: it holds the database from the first look to the
last statement, changes nothing where anything is not as it should be, and can be run again.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlgen.auditing.audit import Audit, audit_within
from sqlgen.display.summary import levels_words, summary
from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.engines.duckdb.rewrite.work_folder import How
from sqlgen.errors import PolicyError, RefusedError
from sqlgen.history.joint import Joint
from sqlgen.history.read_regions import find_regions
from sqlgen.ledger.increments import Increment, find_increment, now
from sqlgen.ledger.ledger import Entry, Ledger, ledger_of, read_entries
from sqlgen.ledger.timestamped import timestamped_entries
from sqlgen.measuring.uniqueness import Uniqueness
from sqlgen.planning.lock import check_lock_place, lock_path, read_lock, write_lock
from sqlgen.planning.plan import Plan, plan_inputs
from sqlgen.planning.session import PlanOptions, SearchLimits
from sqlgen.policy import Policy
from sqlgen.policy.objective import Objective
from sqlgen.recodings import Decision
from sqlgen.releasing.already_released import is_replaced
from sqlgen.releasing.apply import Order, apply_plan, release_plan
from sqlgen.releasing.drift import Drift, find_drift, find_late
from sqlgen.releasing.prepare import check_fresh
from sqlgen.releasing.release import Release
from sqlgen.releasing.replaceable import may_replace
from sqlgen.releasing.scrub import own_file, scrub_database
from sqlgen.releasing.targets.publish import name_left
from sqlgen.staging.all_faults import every_fault
from sqlgen.staging.inputs import Inputs, read_inputs
from sqlgen.staging.job import Job
from sqlgen.staging.row_windows import spelled
from sqlgen.staging.source import check_columns, find_source, is_frame, open_rows
from sqlgen.wording import rows_words

OnStep = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True)
class Run:
    """The outcome of a run: the ``plan`` it released by, and ``how`` that came to be.

    ``locked`` by the lock as it was, ``first`` where there was none; where the locked levels no
    longer gave the guarantees, ``coarsened`` or ``replanned``, or ``failed``. A table that became
    its own release earlier is ``done``: there is nothing to release, and ``audit`` is what it
    gives. Where only new rows are released, and there are none, it is ``idle``.
    """

    run_id: str
    how: str
    plan: Plan | None = None
    release: Release | None = None
    audit: Audit | None = None

    @property
    def uniqueness(self) -> Uniqueness:
        """The rows of what is published that stand alone by a column; of none where none is."""
        published = self.release if self.release is not None else self.audit
        return published.uniqueness if published is not None else Uniqueness()

    @property
    def satisfied(self) -> bool:
        """Whether a good release stands, and its originals are gone if they were to be."""
        if self.how == "idle":
            return True
        release = self.release
        if release is None:
            return self.audit is not None and self.audit.satisfied
        return release.satisfied and (release.scrub is None or release.scrub.satisfied)

    @property
    def hindrance(self) -> str:
        """Why nothing was released; empty where something was, or nothing was to be."""
        if self.satisfied:
            return ""
        if self.release is not None:
            return self.release.hindrance
        return self.plan.hindrance if self.plan is not None else ""

    def to_dict(self) -> dict[str, Any]:
        """The run as plain values, as ``sqlgen run --json`` prints it."""
        return {
            "run_id": self.run_id,
            "satisfied": self.satisfied,
            "how": self.how,
            "levels": None if self.plan is None else self.plan.to_dict()["levels"],
            "release": None if self.release is None else self.release.to_dict(),
        }

    def __repr__(self) -> str:
        release = self.release
        return summary(
            "Run",
            f"{self.how}, {'ended well' if self.satisfied else 'nothing was released'}",
            _decision_words(self.plan) if self.plan is not None else "",
            f"{release.audit.rows:,} of {rows_words(release.rows)}, {release.kind} {release.target}"
            if release is not None
            else "",
        )


def _decision_words(plan: Plan) -> str:
    """What a plan decided: its levels or, where columns have several, its recoding."""
    if plan.levels is None:
        return f"recoding: {plan.decision.recoding}"
    return f"levels: {levels_words(plan.levels)}"


def run_policy(
    policy: Policy,
    source: DataSource | None = None,
    *,
    lock: Path | None = None,
    run_id: str = "",
    on_step: OnStep = lambda *_: None,
) -> Run:
    """Release a policy's table as its lock says, once it is seen to be what it was.

    ``lock`` is the lock's path, beside the policy unless said; ``on_step`` is told of each step, in
    words and figures that hold no value of the table. Raises RefusedError where the table drifted
    or another process has the database; a guarantee that the locked levels no longer give is a
    result, and what happens then is the policy's ``on_drift``.
    """
    run_id = run_id or uuid.uuid4().hex
    lock = lock or _lock_beside(policy)
    if policy.ledger == "off":
        raise PolicyError(
            f"{policy.where('ledger')}: a run needs the ledger, to know which releases are its "
            "own. Nothing was changed."
        )
    on_step("started", {"policy": policy.path.name if policy.path is not None else ""})
    check_lock_place(lock)
    # Held from here on: DuckDB lets one process write at a time, until that process is gone.
    with open_rows(policy, source, write=True) as engine:
        run_source = _find(engine, policy, source)
        if run_source.is_done:
            run = Run(run_id, "done", audit=audit_within(engine, Job(policy)))
        else:
            for named in name_left(engine, policy, ledgered=not is_frame(source)):
                on_step("named", {"file": named})
            increment = _increment(engine, policy, source)
            window = None if increment is None else increment.window
            job = Job(policy, source, window)
            checked = _checked(engine, job, run_source, lock, increment, on_step)
            if increment is not None and not increment.new_rows:
                on_step("idle", _window_entry(increment))
                return Run(run_id, "idle")
            run = _released(engine, job, run_id, checked, on_step)
    if run.plan is not None:
        run = replace(run, plan=replace(run.plan, source=source))
    if _scrubs(policy) and run.how == "done":
        # Nobody knows whether the rewrite of the run that released was finished.
        scrub_database(policy, source, _how(policy))
    elif _scrubs(policy) and run.plan is not None and run.plan.satisfied:
        # The file is rewritten by a connection that is the only one to it.
        path = own_file(policy, source)
        run = replace(run, release=apply_plan(run.plan, path, with_history=True))
    if run.satisfied and run.plan is not None and run.how in ("first", "replanned"):
        _write_lock(run.plan, lock)
    if run.release is not None and run.release.joint is not None:
        on_step("joint", _joint_entry(run.release.joint))
    for column in run.uniqueness.warnings:
        on_step("unique", {"rows": column.rows, **column.to_dict()})
    on_step("released" if run.satisfied else "failed", _end_entry(run))
    return run


def _write_lock(plan: Plan, lock: Path) -> None:
    """Write the lock of a release that is published, whatever becomes of its lock."""
    try:
        write_lock(plan, lock)
    except RefusedError as error:
        raise RefusedError(f"the release stands, but {error.without_state}") from None


def _scrubs(policy: Policy) -> bool:
    return policy.in_place is not None and policy.in_place.scrub is not None


def _how(policy: Policy) -> How:
    assert policy.in_place is not None
    return policy.in_place.scrub or "unlink"


def _increment(engine: Engine, policy: Policy, given: DataSource | None) -> Increment | None:
    """The increment: rows newer than the last release; None for a policy without ``since``."""
    if policy.since is None:
        return None
    return find_increment(engine, policy, given, now())


def _window_entry(increment: Increment) -> dict[str, Any]:
    """The log entry of a window: moments of runs, which are in no table."""
    after, until = increment.window.after, increment.window.until
    return {"after": None if after is None else spelled(after), "until": spelled(until)}


def _end_entry(run: Run) -> dict[str, Any]:
    """The log entry of the end of a run."""
    if run.release is not None and run.release.satisfied:
        release = run.release
        return {
            "rows": release.audit.rows,
            "number": release.number,
            "how": run.how,
            **({"link_to": release.link} if release.link else {}),
            **({"other_names": release.other_names} if release.other_names else {}),
        }
    if run.release is not None:
        return {"hindrance": run.release.hindrance, "how": run.how}
    if run.audit is not None:
        return {"rows": run.audit.rows, "how": run.how}
    hindrance = run.plan.hindrance if run.plan is not None else ""
    return {"hindrance": hindrance, "how": run.how}


def _joint_entry(joint: Joint) -> dict[str, Any]:
    """The log entry of the release read together with those before it."""
    return {
        "satisfied": joint.satisfied,
        "releases": len(joint.releases),
        "rows_below": sum(siz.rows_below for siz in joint.sizes)
        + sum(value.rows_below for value in joint.values),
        "exposed_rows": sum(difference.exposed_rows for difference in joint.differences),
        "unjudged": len(joint.unjudged),
        "left_out": len(joint.left_out),
        **({"repeats": joint.repeats} if joint.repeats else {}),
    }


@dataclass(frozen=True)
class RunSource:
    """The source and the ledger of a run, as found at its start: read once, and passed on."""

    source: Relation
    ledger: Ledger | None
    entries: tuple[Entry, ...]
    is_done: bool = False


@dataclass(frozen=True)
class Checked:
    """The lock and the inputs of a run, once its table is known not to have drifted."""

    run_source: RunSource
    locked: Plan | None
    inputs: Inputs | None


def _find(engine: Engine, policy: Policy, given: DataSource | None) -> RunSource:
    """The source, the ledger, and whether the table became its own release already."""
    with engine.read():
        source = find_source(engine, policy, given)
        ledger = ledger_of(engine, policy, source)
        entries = read_entries(engine, ledger)
        is_done = is_replaced(engine, policy, source, entries)
    return RunSource(source, ledger, entries, is_done)


def _released(engine: Engine, job: Job, run_id: str, checked: Checked, on_step: OnStep) -> Run:
    """The run with its release or, where the file is rewritten afterwards, only its plan."""
    run_source, policy = checked.run_source, job.policy
    is_given_rows = is_frame(job.given)
    job = replace(job, given=None)
    with every_fault(engine, job):
        # A DataFrame has no table that a run of every night could be for.
        known = None if is_given_rows else run_source.source
        inputs = (known and checked.inputs) or read_inputs(engine, job, known)
    locked = checked.locked
    if locked is not None:
        locked = _with_regions(engine, policy, run_source.ledger, locked, on_step)
    how, plan = _planned(engine, inputs, locked, on_step)
    if not plan.satisfied:
        return Run(run_id, "failed", plan)
    if _scrubs(policy):
        return Run(run_id, how, plan)
    replaces = may_replace(engine, policy, _own(policy, run_source.entries))
    order = Order(replaces, with_history=True)
    release = release_plan(engine, plan, job, order, inputs, run_source.ledger)
    return Run(run_id, how, plan, release)


def _lock_beside(policy: Policy) -> Path:
    if policy.path is None:
        raise PolicyError("a policy that is no file has no lock beside it; name the lock's path")
    return lock_path(policy.path)


def _checked(
    engine: Engine,
    job: Job,
    run_source: RunSource,
    lock: Path,
    increment: Increment | None,
    on_step: OnStep,
) -> Checked:
    """The lock and the inputs, once the table is seen to be what it was."""
    drift = find_late(increment) if increment is not None else ()
    locked = inputs = None
    policy = job.policy
    with engine.read(), every_fault(engine, job):
        if lock.exists():
            locked = read_lock(lock, policy)
            inputs = read_inputs(engine, job, run_source.source)
            check_fresh(engine, inputs, locked)
        else:
            check_columns(run_source.source, policy)
        if inputs is not None and locked is not None and (increment is None or increment.new_rows):
            last = _last(policy, run_source.entries) if increment is None else increment.last
            drift += find_drift(engine, inputs, locked.rows, last)
    for rule in drift:
        on_step("drift", {"rule": rule.rule, "message": rule.words})
    _refuse(policy, drift)
    return Checked(run_source, locked, inputs)


def _refuse(policy: Policy, drift: tuple[Drift, ...]) -> None:
    if drift:
        lines = "".join(f"\n  {rule.rule}: {rule.words}" for rule in drift)
        raise RefusedError(
            f"{policy.where('run')}: the table is not what it was:{lines}\nLook at it; if it is "
            "right, raise the threshold, or plan and apply by hand once. Nothing was changed."
        )


def _with_regions(
    engine: Engine, policy: Policy, ledger: Ledger | None, locked: Plan, on_step: OnStep
) -> Plan:
    """The lock with the regions that the ledger's database keeps of it, if it has any."""
    if not locked.decision.regions:
        return locked
    decision = locked.decision
    with engine.read():
        columns = [*decision.highest]
        kept = find_regions(engine, policy, ledger, decision.regions, columns)
    if kept is None:
        message = "the database keeps no regions of the lock; its steps make them anew"
        on_step("regions", {"message": message})
        return locked
    return replace(locked, decision=decision.kept_in(kept.table))


def _planned(
    engine: Engine, inputs: Inputs, locked: Plan | None, on_step: OnStep
) -> tuple[str, Plan]:
    """The plan to release by, and how it came to be."""
    if locked is None:
        plan = plan_inputs(engine, inputs)
        on_step("planned", {**plan.decision.to_log(), "satisfied": plan.satisfied})
        return "first", plan
    plan = plan_inputs(engine, inputs, _held(locked.decision))
    if plan.satisfied:
        on_step("locked", locked.decision.to_log())
        return "locked", plan
    on_step("broken", {**locked.decision.to_log(), "hindrance": plan.hindrance})
    if inputs.policy.run.on_drift == "coarsen":
        coarser = _coarsened(engine, inputs, locked)
        on_step("coarsened", {**coarser.decision.to_log(), "satisfied": coarser.satisfied})
        return "coarsened", coarser
    if inputs.policy.run.on_drift == "replan":
        other = plan_inputs(engine, inputs)
        on_step("replanned", {**other.decision.to_log(), "satisfied": other.satisfied})
        return "replanned", other
    return "locked", plan


def _held(decision: Decision) -> PlanOptions:
    """The options of a plan that judges a decision of before, and looks for no other."""
    held = {name: (level, level) for name, level in (decision.levels or {}).items()}
    return PlanOptions(SearchLimits(held), decision=decision)


def _coarsened(engine: Engine, inputs: Inputs, locked: Plan) -> Plan:
    """The plan of the nearest coarser node: the fewest levels above the locked ones.

    Where columns have several levels, regions that fail are merged into coarser ones instead.
    """
    if locked.decision.regions:
        return plan_inputs(engine, inputs, _held(locked.decision.merging()))
    levels = locked.levels_to("coarsen")
    above = PlanOptions(SearchLimits({name: (level, None) for name, level in levels.items()}))
    lowest = inputs.policy.model_copy(update={"objective": Objective(name="height")})
    nearest = plan_inputs(engine, replace(inputs, job=replace(inputs.job, policy=lowest)), above)
    if not nearest.satisfied:
        return replace(nearest, policy=inputs.policy)
    return plan_inputs(engine, inputs, _held(nearest.decision))


def _last(policy: Policy, entries: tuple[Entry, ...]) -> Entry | None:
    """The last release of all rows to the policy's target."""
    return next((entry for entry in _own(policy, entries) if not entry.came.is_recorded), None)


def _own(policy: Policy, entries: tuple[Entry, ...]) -> list[Entry]:
    """The releases of the policy's target that this policy file made, the last one first."""
    return timestamped_entries(policy, entries) or [
        entry for entry in entries if entry.went_to(policy) and entry.is_of(policy)
    ]
