"""Guarantees and attacks as an evidence has them: in words, as recorded, and as measured now."""

import inspect
from collections.abc import Sequence
from dataclasses import replace

from sqlgen.auditing.audit import Audit
from sqlgen.guarantees import Guarantee
from sqlgen.ledger.ledger import Entry
from sqlgen.measuring.histograms import merged
from sqlgen.measuring.purposes import Purpose
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.policy import Policy, Role
from sqlgen.reports.masked_sql import safe_parameters
from sqlgen.reports.model import Attack, MaskedStatement, ReportedGuarantee


def recorded_guarantees(
    policy: Policy, entry: Entry, same_policy: bool
) -> tuple[ReportedGuarantee, ...]:
    """The guarantees as the ledger has them, defined by the policy where that is the same."""
    if same_policy:
        return tuple(
            _promise(guarantee, record)
            for guarantee, record in zip(policy.guarantees, _records(policy, entry), strict=True)
        )
    return tuple(
        ReportedGuarantee(
            guarantee.name, guarantee.title, "", "", guarantee.requirement, {}, guarantee.measured
        )
        for guarantee in entry.guarantees
    )


def reported_guarantees(
    policy: Policy, entry: Entry, audit: Audit, statements: Sequence[MaskedStatement], least: int
) -> tuple[ReportedGuarantee, ...]:
    """Each guarantee of the policy, with what the audit found of it now.

    Bins with fewer than ``least`` rows are joined with others.
    """
    spread = audit.spread.figures if audit.spread is not None else {}
    numbers = {each.about: number for number, each in enumerate(statements, 1)}
    unmeasured, found = list(audit.unmeasured), iter(audit.guarantees)
    counts: dict[str, int] = {Purpose.GUARANTEES: 0, Purpose.PERSONS: 0}
    reported = []
    for place, (each, recorded) in enumerate(
        zip(policy.guarantees, _records(policy, entry), strict=True)
    ):
        promise = _promise(each, recorded)
        if each in unmeasured:
            unmeasured.remove(each)
            reported.append(promise)
            continue
        about = Purpose.PERSONS if _counts_in_source(policy, each, audit) else Purpose.GUARANTEES
        counts[about] += 1
        reported.append(
            replace(
                _measured(promise, next(found)),
                spread=merged(spread.get(place, ()), least),
                statement=numbers.get(about),
                figure=f"measured_{counts[about]}",
            )
        )
    return tuple(reported)


def attack_of(measured: GuaranteeResult) -> Attack:
    """The attack of an audit as the report shows it."""
    return Attack(
        name=measured.guarantee.name,
        about=measured.guarantee.title,
        definition=_definition(measured.guarantee),
        measured=measured.value,
        words=measured.words,
        share=measured.share,
    )


def _counts_in_source(policy: Policy, guarantee: Guarantee, audit: Audit) -> bool:
    """Whether persons are counted whom the release does not show."""
    person = guarantee.unit_column
    if person is None or person in audit.identifiers:
        return False
    return policy.columns[person].role is Role.IDENTIFIER


def _promise(guarantee: Guarantee, recorded: float | None) -> ReportedGuarantee:
    return ReportedGuarantee(
        name=guarantee.name,
        about=guarantee.title,
        definition=_definition(guarantee),
        citation=guarantee.citation,
        required=guarantee.requirement,
        parameters=safe_parameters(guarantee.parameters, guarantee.named_values),
        recorded=recorded,
        bound=guarantee.bound,
    )


def _measured(promise: ReportedGuarantee, measured: GuaranteeResult) -> ReportedGuarantee:
    return replace(
        promise,
        measured=measured.value,
        words=measured.words,
        satisfied=measured.satisfied,
        whole=all(isinstance(figure, int) for figure in measured.figures),
        failing_classes=measured.failing_classes,
        failing_rows=measured.failing_rows,
        note=measured.guarantee.note if measured.satisfied else "",
    )


def _definition(guarantee: Guarantee) -> str:
    """The first paragraph of what a model says of itself."""
    text = inspect.getdoc(type(guarantee)) or ""
    return " ".join(text.split("\n\n")[0].replace("``", "").split())


def _records(policy: Policy, entry: Entry) -> list[float | None]:
    """The recorded figure of each guarantee of the policy, where its requirement is the same."""
    left = list(entry.guarantees)
    figures: list[float | None] = []
    for guarantee in policy.guarantees:
        recorded = next((candidate for candidate in left if candidate.is_of(guarantee)), None)
        if recorded is not None:
            left.remove(recorded)
        figures.append(None if recorded is None else recorded.measured)
    return figures
