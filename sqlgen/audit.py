"""An audit: any table, made by any tool, measured against a policy with SQL that knows no plan."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlgen.catalog import Relation, file_relation, require
from sqlgen.engines import DataSource, Engine
from sqlgen.errors import PolicyError
from sqlgen.measure import failing
from sqlgen.models import Guarantee
from sqlgen.policy import Policy, Role
from sqlgen.source import is_frame, open_rows, read_source
from sqlgen.sql.render import Statement, statement
from sqlgen.sql.types import Column

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Measured:
    """A guarantee with its figure at the worst class, and the classes that break it."""

    guarantee: Guarantee
    measured: int
    failing_classes: int = 0
    failing_rows: int = 0

    @property
    def satisfied(self) -> bool:
        """Whether the figure gives the guarantee."""
        return self.guarantee.met(self.measured)

    def to_dict(self) -> dict[str, Any]:
        """Name, parameters, measured figure, classes and rows at fault, and the verdict."""
        return {
            "name": self.guarantee.name,
            **self.guarantee.parameters,
            "measured": self.measured,
            "failing_classes": self.failing_classes,
            "failing_rows": self.failing_rows,
            "satisfied": self.satisfied,
        }


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
        row = engine.rows(audit_sql(relation.sql, quasi, policy.guarantees))[0]
    return read_audit(
        called,
        row,
        policy,
        identifiers=tuple(
            column for column in relation.names if policy.columns[column].role is Role.IDENTIFIER
        ),
        absent=tuple(column for column in policy.quasi if column not in relation.names),
    )


def audit_sql(
    relation: Markup, quasi: Sequence[Column], guarantees: Sequence[Guarantee]
) -> Statement:
    """The statement that measures a relation: one row of aggregates, whatever its size."""
    return statement("audit/classes", **audit_values(relation, quasi, guarantees))


def audit_values(
    relation: Markup, quasi: Sequence[Column], guarantees: Sequence[Guarantee]
) -> dict[str, Any]:
    """What the audit's template reads."""
    return {
        "relation": relation,
        "keys": [column.shown("audited") for column in quasi],
        "figures": [(each.measured, failing([each])) for each in guarantees],
    }


def read_audit(
    called: str,
    row: Sequence[int],
    policy: Policy,
    identifiers: tuple[str, ...] = (),
    absent: tuple[str, ...] = (),
) -> Audit:
    """The audit that a row of the audit statement stands for."""
    rows, classes, *figures = row
    measured = tuple(
        Measured(guarantee, *figures[3 * number : 3 * number + 3])
        for number, guarantee in enumerate(policy.guarantees)
    )
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
