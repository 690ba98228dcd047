"""The statements that an audit ran, by what they measured, as anybody may see them."""

from collections.abc import Sequence

from sqlgen.auditing.audit import Audit
from sqlgen.measuring.purposes import Purpose
from sqlgen.policy import Policy
from sqlgen.reports.masked_sql import masked
from sqlgen.reports.model import MaskedStatement
from sqlgen.sql.render import Statement


def statements_of(
    sent: Sequence[Statement], audit: Audit, policy: Policy
) -> tuple[MaskedStatement, ...]:
    """The statements that the figures of an audit come from, in the order of a report.

    Attacks that give nothing away are not reported, and neither is what measured them.
    """
    return tuple(
        MaskedStatement(purpose.value, statement.template, masked(statement.text, policy))
        for purpose in Purpose
        for statement in sent
        if statement.purpose == purpose and (audit.attacks or purpose is not Purpose.ATTACKS)
    )
