"""Masking: what classes without sensitive values tell an observer who knows the policy."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.guarantees import Guarantee
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import statement
from sqlgen.wording import counted


@dataclass(frozen=True)
class Masking:
    """The classes of a release that show no sensitive value, and what each may have failed by.

    ``failed`` says, per guarantee about values, what is true of a class that broke it.
    """

    classes: int
    rows: int
    smallest_class: int
    failed: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentences about masked classes: for each class, one of the lines below is true."""
        shows, each = ("shows", "it") if self.classes == 1 else ("show", "each of them")
        which = "this" if len(self.failed) == 1 else "at least one of these"
        return (
            f"Masks reveal something: {counted(self.classes, 'class', 'classes')} "
            f"({counted(self.rows, 'row')}) {shows} no sensitive value. An attacker who knows the "
            f"policy knows that {which} is true of {each}, unless the source had no value there:",
            *self.failed,
        )

    def to_dict(self) -> dict[str, Any]:
        """The counts and the words as plain values."""
        return {**asdict(self), "failed": list(self.failed)}


def measure_masking(
    engine: Engine, policy: Policy, relation: Relation, guarantees: Sequence[Guarantee]
) -> Masking | None:
    """The masked classes of a release; None where its policy masks none, or none is there.

    Where no guarantee can mask a class, values that are not there were not there in the source.
    """
    columns = {role: _of_role(policy, relation, role) for role in (Role.QUASI, Role.SENSITIVE)}
    if not policy.masks_sensitive or not columns[Role.SENSITIVE]:
        return None
    asked = statement(
        "auditing/masked",
        relation=relation.sql,
        keys=[relation.column(name).shown("audited") for name in columns[Role.QUASI]],
        sensitive=[relation.column(name).plain("audited") for name in columns[Role.SENSITIVE]],
    )
    classes, rows, smallest = engine.rows(asked)[0]
    about_values = [
        guarantee
        for guarantee in guarantees
        if guarantee.judged_columns and not guarantee.must_suppress
    ]
    failures = tuple(filter(None, (value.failure(smallest or 0) for value in about_values)))
    return Masking(classes, rows, smallest, failures) if classes and failures else None


def _of_role(policy: Policy, relation: Relation, role: Role) -> list[str]:
    return [name for name in relation.names if policy.columns[name].role is role]
