"""Evidence gathered: the ledger's line, an audit of what stands now, and what was lost."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlgen.auditing.audit import Audit, AuditOptions, audit_within
from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import current_catalog
from sqlgen.errors import PolicyError, SqlgenError, UnsupportedError
from sqlgen.history.read_regions import find_regions
from sqlgen.history.shared_rows import is_same_source
from sqlgen.ledger.faults import check_record
from sqlgen.ledger.ledger import Entry, Ledger, find_ledger, read_entries, tool_version
from sqlgen.ledger.timestamped import policy_of, timestamped_entries
from sqlgen.measuring.histograms import Histograms, merged
from sqlgen.planning.plan import Plan, plan_inputs
from sqlgen.planning.session import PlanOptions, SearchLimits
from sqlgen.policy import Policy
from sqlgen.reports.columns import columns_of, locked_plan
from sqlgen.reports.guarantees import attack_of, recorded_guarantees, reported_guarantees
from sqlgen.reports.model import Evidence
from sqlgen.reports.remains import remains_of
from sqlgen.reports.statements import statements_of
from sqlgen.sql.render import Statement
from sqlgen.staging.fingerprints import policy_digest, policy_parts
from sqlgen.staging.inputs import read_inputs
from sqlgen.staging.job import Job
from sqlgen.staging.source import find_source, open_rows
from sqlgen.wording import counted


def read_evidence(
    policy: Policy, number: int | None = None, source: DataSource | None = None
) -> Evidence:
    """The evidence about a release of the ledger; by default, the last one to the policy's target.

    Reads, and changes nothing. A release that a later one has replaced is told from the ledger
    alone. No value of a table, of a hierarchy or of the policy is in it.
    """
    sent: list[Statement] = []
    with open_rows(policy, source, write=False, on_statement=sent.append) as engine:
        ledger = find_ledger(engine, policy, current_catalog(engine))
        entries = read_entries(engine, ledger)
        entry = _entry(policy, entries, number)
        gone = _gone(policy, entries, entry)
        job = _released_to(policy, source, entry)
        policy = job.policy
        others = _siblings(engine, job, entry, entries)
        same_policy = entry.policy_fingerprint == policy_digest(policy_parts(policy))
        plan = _made_again(engine, job, entry, ledger) if same_policy else None
        audit = None if gone else audit_within(engine, job, options=AuditOptions(spread=True))
    remains = remains_of(policy, entry, others)
    if audit is None:
        return Evidence(
            entry=entry,
            satisfied=None,
            guarantees=recorded_guarantees(policy, entry, same_policy),
            columns=columns_of(policy, entry, plan, None),
            budget=policy.budget(entry.source_rows) if same_policy else None,
            same_policy=same_policy,
            others=others,
            remains=remains,
            remarks=(f"{gone}, so nothing was measured now.",),
            version=tool_version(),
            **_objectives(policy, plan.metrics if plan is not None else {}),
        )
    statements = statements_of(sent, audit, policy)
    spread = audit.spread or Histograms()
    least = max((guarantee.least_class for guarantee in policy.guarantees), default=1)
    return Evidence(
        entry=entry,
        satisfied=audit.satisfied,
        guarantees=reported_guarantees(policy, entry, audit, statements, least),
        columns=columns_of(policy, entry, plan, spread),
        budget=policy.budget(entry.source_rows) if same_policy else None,
        same_policy=same_policy,
        rows=audit.rows,
        classes=audit.classes,
        smallest_class=int(spread.sizes[0].least) if spread.sizes else None,
        sizes=merged(spread.sizes, least),
        least_rows=least,
        attacks=tuple(map(attack_of, audit.attacks)),
        others=others,
        remains=remains,
        faults=_faults(audit),
        remarks=_remarks(policy, entry, audit, plan, same_policy),
        statements=statements,
        uniqueness=audit.uniqueness,
        version=tool_version(),
        **_objectives(policy, audit.metrics),
    )


def _check_recoding(policy: Policy) -> None:
    """Refuse a report of two tables: it would say that the rows of a class look alike."""
    if policy.recoding.makes_pair:
        raise UnsupportedError(
            f"{policy.where('recoding')}: the report speaks of rows that look alike, and "
            f"{policy.recoding.name} releases every row as it is, with its group. sqlgen audit "
            "measures the groups"
        )


def _entry(policy: Policy, entries: Sequence[Entry], number: int | None) -> Entry:
    """The ledger's line of a release that the policy can speak of; refused where it is faulty."""
    _check_recoding(policy)
    ours = [entry for entry in entries if _is_ours(policy, entry)]
    if number is None:
        if not ours:
            raise PolicyError(
                f"{policy.where('release')}: the ledger has no release to this target; sqlgen "
                "apply makes one"
            )
        return _sound(ours[0])
    named = next((entry for entry in entries if entry.release_id == number), None)
    if named is None:
        raise PolicyError(f"the ledger has no release {number}; sqlgen history lists them")
    if not _is_ours(policy, named):
        raise PolicyError(
            f"{policy.where('release')}: release {number} was made by {named.policy or 'a policy'} "
            "for another target. Give its own policy"
        )
    return _sound(named)


def _sound(entry: Entry) -> Entry:
    check_record(entry)
    return entry


def _is_ours(policy: Policy, entry: Entry) -> bool:
    """Whether a release went to the policy's target, or to a timestamped one of it."""
    if entry.target_kind == "in_place":
        return entry.target == policy.source.table
    return entry.went_to(policy) or bool(timestamped_entries(policy, [entry]))


def _siblings(
    engine: Engine, job: Job, entry: Entry, entries: Sequence[Entry]
) -> tuple[Entry, ...]:
    """The other releases to the same target, and those of rows that the source may share.

    By the rule of releases that are read together.
    """
    others = [release for release in entries if release.release_id != entry.release_id]
    with engine.read():
        rows = find_source(engine, job.policy, job.given)
    return tuple(
        other
        for other in others
        if _target(other) == _target(entry) or is_same_source(engine, job.policy, rows, other)
    )


def _target(entry: Entry) -> tuple[str, str, str]:
    return entry.target_kind, entry.target, entry.place


def _released_to(policy: Policy, source: DataSource | None, entry: Entry) -> Job:
    """The job of a release: its policy with the target that it went to, and its rows."""
    if entry.target_kind == "in_place":
        return Job(policy if policy.in_place is not None else policy.released_in_place(), source)
    return Job(policy_of(policy, entry), source, entry.window)


def _gone(policy: Policy, entries: Sequence[Entry], entry: Entry) -> str:
    """Why a release does not stand any more; empty where it should."""
    if any(
        other.release_id > entry.release_id and _target(other) == _target(entry)
        for other in entries
    ):
        return "A later release has taken its place"
    keep = policy.release.keep if policy.release is not None else None
    if keep is not None and entry in timestamped_entries(policy, entries)[keep:]:
        return f"It was removed when a later one was made, for the policy keeps {keep}"
    return ""


def _made_again(engine: Engine, job: Job, entry: Entry, ledger: Ledger | None) -> Plan | None:
    """The plan of the release, told from the source; None where that is another now, or gone."""
    if job.policy.in_place is not None:
        return None
    try:
        with engine.read():
            held = _held(engine, job.policy, entry, ledger)
        plan = plan_inputs(engine, read_inputs(engine, job), held)
    except SqlgenError:
        engine.undo()
        return None
    counts = (plan.rows, plan.suppressed_rows, plan.classes)
    is_same = counts == (entry.source_rows, entry.suppressed_rows, entry.classes)
    if entry.levels is None:
        is_same = is_same and plan.decision.regions == entry.regions
    return plan if plan.satisfied and is_same else None


def _held(engine: Engine, policy: Policy, entry: Entry, ledger: Ledger | None) -> PlanOptions:
    """The options of a plan that is the release's: its levels or, of several, its regions.

    Without the lock of the release its recoding decides anew.
    """
    if entry.levels is not None:
        held = {column: (level, level) for column, level in entry.levels.items()}
        return PlanOptions(SearchLimits(held))
    locked = locked_plan(policy, entry)
    if locked is None:
        return PlanOptions()
    decision = locked.decision
    kept = find_regions(engine, policy, ledger, decision.regions, [*decision.highest])
    return PlanOptions(decision=decision if kept is None else decision.kept_in(kept.table))


def _objectives(policy: Policy, metrics: Mapping[str, float]) -> dict[str, Any]:
    return {"objective": policy.objective.name, "objectives": dict(metrics)} if metrics else {}


def _faults(audit: Audit) -> tuple[str, ...]:
    """The faults that break the policy beside its guarantees."""
    faults = []
    if audit.identifiers:
        faults.append(f"Identifiers are in it: {', '.join(audit.identifiers)}.")
    faults += [
        f"It shows {counted(values, 'distinct value')} of {column} that should be "
        f"{'a label' if values == 1 else 'labels'} of its level."
        for column, values in audit.raw.items()
    ]
    faults += [f"{guarantee.title} can no longer be measured." for guarantee in audit.unmeasured]
    return tuple(faults)


def _remarks(
    policy: Policy, entry: Entry, audit: Audit, plan: Plan | None, same_policy: bool
) -> tuple[str, ...]:
    """The remarks that a reader of the figures needs."""
    remarks = []
    if entry.window is not None:
        remarks.append(
            f"It has new rows alone, {entry.came.words}, and this page is about those. Run sqlgen "
            "audit --with-history to measure what it gives away together with other releases."
        )
    if not same_policy:
        remarks.append(
            "The policy has changed since this release. The guarantees are those of the policy as "
            "it is now, and so is the verdict."
        )
    if (audit.rows, audit.classes) != (entry.released_rows, entry.classes):
        remarks.append(
            f"The ledger recorded {counted(entry.released_rows, 'row')} in "
            f"{counted(entry.classes, 'class', 'classes')}; now there are "
            f"{counted(audit.rows, 'row')} in {counted(audit.classes, 'class', 'classes')}. The "
            "release was changed after it was published."
        )
    if audit.masked is not None:
        headline, *reasons = audit.masked.lines
        remarks.append(f"{headline} {'; or '.join(reasons)}.")
    elif audit.masked_rows:
        remarks.append(f"{counted(audit.masked_rows, 'row')} show no sensitive value.")
    if audit.absent:
        remarks.append(f"Quasi-identifiers that are not in it: {', '.join(audit.absent)}.")
    if plan is None and policy.in_place is not None:
        remarks.append("The source is gone, so what each column lost cannot be measured again.")
    elif plan is None and entry.levels is None and same_policy:
        remarks.append(
            "Planned again, the classes come out others than at the release, so what each column "
            "lost cannot be measured again."
        )
    elif plan is None:
        remarks.append(
            "The source or the policy is not what it was at the release, so what each column lost "
            "cannot be measured again."
        )
    if audit.not_measured and policy.in_place is None:
        remarks.append(f"Some measures of loss were not computed: {audit.not_measured}.")
    return tuple(remarks)
