"""The values of an evidence: each is a count, a threshold or a name, and none is of the table."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import Any

from sqlgen.display.summary import names_words, summary
from sqlgen.guarantees.base import figure_text
from sqlgen.guarantees.figures import plain
from sqlgen.ledger.ledger import Entry
from sqlgen.measuring.histograms import Bin
from sqlgen.measuring.uniqueness import Uniqueness
from sqlgen.policy.places import FILE_KINDS
from sqlgen.wording import classes_words, rows_words

UNSHOWN = "not shown"


@dataclass(frozen=True)
class ReportedGuarantee:
    """A guarantee: what it means, what was required, recorded at the release, and measured now.

    ``measured`` is None where it cannot be told any more. ``statement`` is the number of the one
    that measured it, ``figure`` its column there; ``spread`` says how the rows lie, and ``whole``
    that what is measured of a class is a whole number.
    """

    name: str
    about: str
    definition: str
    citation: str
    required: str
    parameters: Mapping[str, Any]
    recorded: float | None = None
    measured: float | None = None
    words: str = ""
    satisfied: bool = False
    failing_classes: int = 0
    failing_rows: int = 0
    bound: float | None = None
    whole: bool = False
    spread: tuple[Bin, ...] = ()
    statement: int | None = None
    figure: str = ""
    note: str = ""

    @property
    def recorded_words(self) -> str:
        """The figure that the ledger recorded, in words."""
        return "" if self.recorded is None else figure_text(self.recorded)

    @property
    def hidden(self) -> dict[str, str]:
        """The parameters that name values, with how many they are."""
        return {
            key: value
            for key, value in self.parameters.items()
            if isinstance(value, str) and value.endswith(UNSHOWN)
        }

    @property
    def differs(self) -> bool:
        """Whether the figure that is measured now is not the one that the ledger recorded."""
        if self.recorded is None or self.measured is None:
            return False
        return plain(self.recorded) != plain(self.measured)

    def to_dict(self) -> dict[str, Any]:
        """The promise as plain values."""
        return {
            "name": self.name,
            "about": self.about,
            "definition": self.definition,
            "citation": self.citation,
            "required": self.required,
            "parameters": dict(self.parameters),
            "recorded": None if self.recorded is None else plain(self.recorded),
            "measured": None if self.measured is None else plain(self.measured),
            "satisfied": self.satisfied,
            "failing_classes": self.failing_classes,
            "failing_rows": self.failing_rows,
            "spread": [bin_.to_dict() for bin_ in self.spread],
            "statement": self.statement,
            "figure": self.figure or None,
        }


@dataclass(frozen=True)
class ColumnLost:
    """A column of the release; its loss between 0 and 1, and its distinct values, where known."""

    name: str
    role: str
    level: int | None
    words: str
    loss: float | None = None
    values: int | None = None
    labels: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The column as plain values."""
        return {**asdict(self), "loss": None if self.loss is None else round(self.loss, 8)}


@dataclass(frozen=True)
class Attack:
    """An attack: its victims in rows, with their share, or its factor."""

    name: str
    about: str
    definition: str
    measured: float
    words: str
    share: float | None

    def to_dict(self) -> dict[str, Any]:
        """The attack as plain values."""
        return {
            "name": self.name,
            "about": self.about,
            "definition": self.definition,
            "measured": plain(self.measured),
            "share": None if self.share is None else round(self.share, 8),
        }


@dataclass(frozen=True)
class MaskedStatement:
    """A statement that was run, without values, and what it measured."""

    about: str
    template: str
    sql: str


@dataclass(frozen=True)
class Evidence:
    """All that is known of a release.

    ``satisfied`` is None where the release does not stand any more, and so was not measured.
    ``others`` are the ledger's other releases of the same source. ``same_policy`` says whether the
    policy is the one that the release was made by. ``faults`` are what breaks the policy beside its
    guarantees, ``remarks`` what a reader must know of the figures. ``uniqueness`` counts rows that
    stand alone by what is released beside the quasi-identifiers. No bin has fewer rows than
    ``least_rows``, unless there are fewer.
    """

    entry: Entry
    satisfied: bool | None
    guarantees: tuple[ReportedGuarantee, ...]
    columns: tuple[ColumnLost, ...]
    budget: int | None
    same_policy: bool
    rows: int | None = None
    classes: int | None = None
    smallest_class: int | None = None
    sizes: tuple[Bin, ...] = ()
    least_rows: int = 1
    objective: str = ""
    objectives: Mapping[str, float] = field(default_factory=dict)
    attacks: tuple[Attack, ...] = ()
    others: tuple[Entry, ...] = ()
    remains: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    statements: tuple[MaskedStatement, ...] = ()
    uniqueness: Uniqueness = field(default_factory=Uniqueness)
    version: str = ""

    @property
    def target(self) -> str:
        """Where the release is, without the folder of a file."""
        return target_of(self.entry)

    def __repr__(self) -> str:
        verdict = {None: "not measured now", True: "meets the policy", False: "does NOT meet it"}
        rows = f"{rows_words(self.rows)} in " if self.rows is not None else ""
        return summary(
            "Evidence",
            f"release {self.entry.release_id}, {self.target}; {verdict[self.satisfied]}",
            f"{rows}{classes_words(self.classes)}" if self.classes is not None else "",
            f"guarantees: {names_words(guarantee.about for guarantee in self.guarantees)}",
        )

    def to_dict(self) -> dict[str, Any]:
        """The evidence as plain values, as ``sqlgen report --json`` prints it."""
        return {
            "satisfied": self.satisfied,
            "release": {**self.entry.to_dict(), "target": self.target},
            "same_policy": self.same_policy,
            "rows": self.rows,
            "classes": self.classes,
            "smallest_class": self.smallest_class,
            "budget": self.budget,
            "guarantees": [guarantee.to_dict() for guarantee in self.guarantees],
            "class_sizes": [siz.to_dict() for siz in self.sizes],
            "columns": [column.to_dict() for column in self.columns],
            "objective": self.objective,
            "objectives": {key: round(value, 8) for key, value in self.objectives.items()},
            "attacks": [attack.to_dict() for attack in self.attacks],
            "uniqueness": self.uniqueness.to_dict(),
            "other_releases": [
                {
                    "release_id": other.release_id,
                    "released_at": other.released_at,
                    "target_kind": other.target_kind,
                    "target": target_of(other),
                    "recoding": other.recoding,
                    "levels": None if other.levels is None else dict(other.levels),
                }
                for other in self.others
            ],
            "remains": list(self.remains),
            "faults": list(self.faults),
            "remarks": list(self.remarks),
            "statements": [asdict(statement) for statement in self.statements],
            "sqlgen_version": self.version,
        }


def target_of(entry: Entry) -> str:
    """Where a release is, without the folder of a file, which is of one machine."""
    return PurePath(entry.target).name if entry.target_kind in FILE_KINDS else entry.target
