"""An audit: any table, made by any tool, measured against a policy with SQL that knows no plan."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlgen.catalog import Relation, file_relation, require
from sqlgen.engines import DataSource, Engine
from sqlgen.errors import PolicyError
from sqlgen.judge import judges_sizes_alone, size_fails, verdict_sql
from sqlgen.ladders import check_ladder, ladder_table
from sqlgen.models import Guarantee
from sqlgen.policy import Policy, Role
from sqlgen.sensitive import Sensitive, check_orders, read_sensitive
from sqlgen.source import find_source, is_frame, open_rows, read_source
from sqlgen.sql.render import Statement, statement
from sqlgen.sql.types import Column

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Measured:
    """A guarantee with its figure at the worst class, and the classes that break it.

    ``figures`` are those of the classes at the quantiles 0, 1/4, 1/2, 3/4 and 1. ``rows`` are the
    table's, by which a limit that is a share is counted.
    """

    guarantee: Guarantee
    measured: float
    failing_classes: int = 0
    failing_rows: int = 0
    figures: tuple[float, ...] = ()
    rows: int = 0

    @property
    def satisfied(self) -> bool:
        """Whether there are rows, no class breaks the guarantee, and its limit holds."""
        limit = self.guarantee.limit
        allowed = limit * self.rows if isinstance(limit, Fraction) else limit
        within = allowed is None or self.measured <= allowed
        return self.rows > 0 and not self.failing_classes and within

    @property
    def words(self) -> str:
        """The measured figure as a person reads it."""
        return self.guarantee.shown(self.measured)

    def to_dict(self) -> dict[str, Any]:
        """Name, parameters, measured figure, classes and rows at fault, and the verdict."""
        return {
            "name": self.guarantee.name,
            **self.guarantee.parameters,
            "measured": plain(self.measured),
            "figures": [plain(each) for each in self.figures],
            "failing_classes": self.failing_classes,
            "failing_rows": self.failing_rows,
            "satisfied": self.satisfied,
        }


def plain(figure: float) -> int | float | str:
    """A figure as JSON can hold it, to 8 places: the last digits of a root differ by machine."""
    if figure == math.inf:
        return "infinite"
    return int(figure) if float(figure).is_integer() else round(float(figure), 8)


@dataclass(frozen=True)
class Audit:
    """What a table gives: its rows and classes, each guarantee's figure, and columns to hide."""

    table: str
    rows: int
    classes: int
    guarantees: tuple[Measured, ...]
    identifiers: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    @property
    def satisfied(self) -> bool:
        """Whether every guarantee is met and no identifier is there."""
        return all(each.satisfied for each in self.guarantees) and not self.identifiers

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain values, as ``sqlgen audit --json`` prints it."""
        return {
            "satisfied": self.satisfied,
            "table": self.table,
            "rows": self.rows,
            "classes": self.classes,
            "guarantees": [each.to_dict() for each in self.guarantees],
            "identifiers": list(self.identifiers),
            "absent": list(self.absent),
        }

    def to_pandas(self) -> "pandas.DataFrame":
        """The guarantees, a row each."""
        import pandas  # noqa: PLC0415

        return pandas.DataFrame([each.to_dict() for each in self.guarantees])


def audit_table(
    policy: Policy,
    table: str | None = None,
    source: DataSource | None = None,
    *,
    heard: Callable[[Statement], None] | None = None,
) -> Audit:
    """What a table gives of what the policy asks for; by default, the policy's release.

    Every column of the table must be one that the policy mentions. A quasi-identifier that the
    table lacks counts as fully general. A DataFrame given as the source is itself audited.
    """
    with open_rows(policy, source, write=False, heard=heard) as engine, engine.read():
        if is_frame(source):
            called, relation = "dataframe", read_source(engine, policy, source)
        else:
            called, relation = _find(engine, policy, table)
        unlisted = [column for column in relation.names if column not in policy.columns]
        if unlisted:
            raise PolicyError(
                f"{called} has columns that the policy does not mention: {', '.join(unlisted)}. "
                "Give each a role"
            )
        quasi = [column for column in relation.columns if column.name in policy.quasi]
        sensitive = read_sensitive(
            engine, policy, relation, policy.guarantees, lambda: find_source(engine, policy, source)
        )
        _check_values(engine, policy, relation, sensitive)
        row = engine.rows(audit_sql(relation, quasi, policy.guarantees, sensitive))[0]
    return read_audit(
        called,
        row,
        policy,
        identifiers=tuple(
            column for column in relation.names if policy.columns[column].role is Role.IDENTIFIER
        ),
        absent=tuple(column for column in policy.quasi if column not in relation.names),
    )


def _check_values(engine: Engine, policy: Policy, relation: Relation, sensitive: Sensitive) -> None:
    """Refuse a table with sensitive values that their hierarchy or order does not know."""
    for number, ladder in enumerate(sensitive.ladders, 1):
        if ladder.height > 1 or ladder.order is not None:
            rows = sensitive.rows(number - 1, relation.sql)
            engine.run(statement("staging/ladder", table=ladder_table(number), rows=rows))
            check_ladder(engine, number, ladder, policy, show_values=False)
            check_orders(engine, policy, [ladder], [ladder_table(number)])


def audit_sql(
    relation: Relation,
    quasi: Sequence[Column],
    guarantees: Sequence[Guarantee],
    sensitive: Sensitive,
) -> Statement:
    """The statement that measures a relation: one row of aggregates, whatever its size."""
    keys = [column.shown("audited") for column in quasi]
    if judges_sizes_alone(guarantees):
        return statement(
            "audit/classes",
            relation=relation.sql,
            keys=keys,
            guarantees=[size_fails([each]) for each in guarantees],
        )
    judged = sensitive.judged(guarantees)
    return statement(
        "audit/judged",
        relation=relation.sql,
        keys=keys,
        sensitive=[column.plain("audited") for column in sensitive.columns],
        classes=sensitive.judged_sql(
            judged,
            Markup("cell"),
            [Markup(f"s{number}") for number in range(1, len(sensitive.columns) + 1)],
            [Markup(f"q{number}") for number in range(1, len(keys) + 1)],
            size_fails(()),
        ),
        guarantees=[Markup(each.worst) for each in guarantees],
        verdict=verdict_sql(judged, 0),
    )


def read_measured(row: Sequence[Any], guarantees: Sequence[Guarantee]) -> tuple[Measured, ...]:
    """What a row of the audit statement says of each guarantee."""
    rows, _, *figures = row
    return tuple(
        Measured(guarantee, measured, classes, failing, tuple(quantiles or ()), rows)
        for guarantee, measured, classes, failing, quantiles in zip(
            guarantees, figures[0::4], figures[1::4], figures[2::4], figures[3::4], strict=True
        )
    )


def read_audit(
    called: str,
    row: Sequence[Any],
    policy: Policy,
    identifiers: tuple[str, ...] = (),
    absent: tuple[str, ...] = (),
) -> Audit:
    """The audit that a row of the audit statement stands for."""
    rows, classes, *_ = row
    measured = read_measured(row, policy.guarantees)
    return Audit(called, rows, classes, measured, identifiers, absent)


def _find(engine: Engine, policy: Policy, table: str | None) -> tuple[str, Relation]:
    if table is not None:
        return table, require(engine, table, "--table")
    release = policy.release
    if release is None:
        raise PolicyError(f"{policy.where('release')}: name a release, or give --table")
    where = policy.where("release", release.kind)
    if release.kind in ("table", "view"):
        return release.target, require(engine, release.target, where)
    path = policy.file(release.target, "release", release.kind)
    return release.target, file_relation(engine, path, release.kind, where)
