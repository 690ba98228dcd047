"""A release: what was published, as its audit found it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlgen.auditing.audit import Audit
from sqlgen.display.summary import summary
from sqlgen.history.joint import Joint
from sqlgen.history.refusal import refusal_words, warning_words
from sqlgen.measuring.results_display import results_words
from sqlgen.measuring.uniqueness import Uniqueness
from sqlgen.policy.places import FILE_KINDS
from sqlgen.releasing.scrub import Scrub
from sqlgen.wording import rows_words

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Release:
    """The release as its audit found it; unsatisfied, nothing was published or changed.

    ``number`` is what the ledger knows the release by, ``ledger`` the table that it is in,
    ``joint`` what is left to an observer of all releases, where that was asked for. ``uniqueness``
    counts the rows that stand alone by a column which is released beside the quasi-identifiers.
    Where the target is a link, ``link`` is the path of the file or folder behind it, which was
    replaced, as seen from the link's folder. ``other_names`` counts the hard links of a file that
    was replaced: under those names the old release stands still. ``beside`` names the second table
    of a release that has two.
    """

    kind: str
    target: str
    rows: int
    suppressed_rows: int
    budget: int
    audit: Audit
    masked_cells: int = 0
    empty_rows: int = 0
    sensitive_levels: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    scrub: Scrub | None = None
    ledger: str = ""
    number: int | None = None
    joint: Joint | None = None
    uniqueness: Uniqueness = field(default_factory=Uniqueness)
    link: str = ""
    other_names: int = 0
    beside: str = ""
    frame: "pandas.DataFrame | None" = field(default=None, repr=False, compare=False)

    @property
    def satisfied(self) -> bool:
        """Whether the release was published: guarantees met, within the suppression budget."""
        return (
            self.audit.satisfied
            and self.audit.classes > 0
            and not (self.joint is not None and self.joint.blocks)
            and 0 <= self.suppressed_rows <= self.budget - self.newly_masked_rows
        )

    @property
    def called(self) -> str:
        """The names of the release's tables."""
        return f"{self.target} and {self.beside}" if self.beside else self.target

    @property
    def newly_masked_rows(self) -> int:
        """The rows that lost sensitive values; rows that had none in the source do not count."""
        return self.audit.masked_rows - self.empty_rows

    @property
    def hindrance(self) -> str:
        """Why nothing was changed, in a sentence; empty where something was."""
        if self.satisfied:
            return ""
        if self.joint is not None and self.joint.blocks:
            return refusal_words(self.joint)
        return "the release breaks the policy"

    @property
    def joint_warning(self) -> str:
        """A warning of what this and other releases give away together; empty if nothing."""
        joint = self.joint
        if joint is None or joint.satisfied or joint.repeats or not self.satisfied:
            return ""
        return warning_words(joint)

    def to_dict(self) -> dict[str, Any]:
        """The release as plain values, as ``sqlgen apply --json`` prints it."""
        return {
            "satisfied": self.satisfied,
            "release": {self.kind: self.target},
            **({"beside": {self.kind: self.beside}} if self.beside else {}),
            "ledger": {"table": self.ledger, "release_id": self.number} if self.ledger else None,
            "source_rows": self.rows,
            "suppressed_rows": self.suppressed_rows,
            "masked": {
                "rows": self.audit.masked_rows,
                "cells": self.masked_cells,
                "empty_rows": self.empty_rows,
            },
            "coarse": dict(self.sensitive_levels),
            "budget": self.budget,
            "audit": self.audit.to_dict(),
            "uniqueness": self.uniqueness.to_dict(),
            **({"joint": self.joint.to_dict()} if self.joint is not None else {}),
            **({"link_to": self.link} if self.link else {}),
            **({"other_names": self.other_names} if self.other_names else {}),
            "seconds": {key: round(value, 4) for key, value in self.seconds.items()},
            **({"scrub": self._scrubbed()} if self.kind == "in_place" else {}),
        }

    def __repr__(self) -> str:
        verdict = "published" if self.satisfied else "NOT published"
        released = f"{self.audit.rows:,} of {rows_words(self.rows)}"
        return summary(
            "Release",
            f"{verdict}, {self.kind} {self.called}; {released}; {self.suppressed_rows:,} "
            f"suppressed of {self.budget:,} allowed",
            f"guarantees: {results_words(self.audit.guarantees)}",
            f"release {self.number} in {self.ledger}" if self.ledger and self.satisfied else "",
        )

    def _scrubbed(self) -> dict[str, Any] | None:
        return None if self.scrub is None else self.scrub.to_dict()

    def to_pandas(self) -> "pandas.DataFrame":
        """The released rows, where the source was a DataFrame."""
        if self.frame is not None:
            return self.frame
        if not self.satisfied:
            raise ValueError(f"there are no released rows: {self.hindrance}")
        if self.kind in FILE_KINDS:
            raise ValueError(f"the rows are in the file; read them from {self.target}")
        raise ValueError("the rows are in the database; only a DataFrame comes back as one")
