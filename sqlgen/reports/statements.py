"""The statements that an audit ran, by what they measured, as anybody may see them."""

from collections.abc import Sequence

from sqlgen.auditing.audit import Audit
from sqlgen.policy import Policy
from sqlgen.reports.masked_sql import masked
from sqlgen.reports.model import MaskedStatement
from sqlgen.sql.render import Statement

GUARANTEES = "the guarantees"
PERSONS = "the guarantees that count persons, in the source"
_VERDICTS = ("auditing/classes", "auditing/judged")


def statements_of(
    on_statement: Sequence[Statement], audit: Audit, policy: Policy
) -> tuple[MaskedStatement, ...]:
    """The statements that the figures of an audit come from.

    The guarantees are measured first and the attacks last; persons, once the source was found to
    be the one behind the release.
    """
    verdicts = [each for each in on_statement if each.template in _VERDICTS]
    unlike = [
        place for place, each in enumerate(on_statement) if each.template == "staging/people_unlike"
    ]
    named = [(GUARANTEES, verdicts[0])]
    if unlike and unlike[-1] + 1 < len(on_statement):
        after = next(
            (each for each in on_statement[unlike[-1] :] if each.template in _VERDICTS), None
        )
        if after is not None and (after is not verdicts[-1] or not audit.attacks):
            named.append((PERSONS, after))
    for about, template in (
        ("the sizes of the classes", "auditing/sizes"),
        ("the figures of the classes", "auditing/figures"),
    ):
        named += [(about, each) for each in on_statement if each.template == template]
    counted = [each for each in on_statement if each.template == "auditing/labels"]
    wheres = ("the release", "the source")
    named += [
        (f"the distinct values of {where}", each)
        for where, each in zip(wheres, counted, strict=False)
    ]
    for about, template in (
        ("the rows that are unique by a column", "measuring/unique_columns"),
        ("the rows that are unique by all columns together", "measuring/unique_together"),
    ):
        named += [(about, each) for each in on_statement if each.template == template]
    if audit.attacks:
        named.append(("what an observer could learn", verdicts[-1]))
    return tuple(
        MaskedStatement(about, each.template, masked(each.text, policy)) for about, each in named
    )
