"""The policy as values: one class per section of the file, with the file's own spellings."""

import errno
import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    PrivateAttr,
    StringConstraints,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema

from sqlgen.display.summary import names_words, summary
from sqlgen.errors import PolicyError
from sqlgen.files.atomic import PARTIAL
from sqlgen.guarantees import MODELS, DistanceGuarantee, Guarantee
from sqlgen.hierarchies.lists import Listed
from sqlgen.policy.anatomy import ANATOMY, BESIDE, anatomy_misfits
from sqlgen.policy.averages import average_misfits, in_place_unfit, shows_averages
from sqlgen.policy.columns import ColumnPolicy, Role, Section, unfit_accepted
from sqlgen.policy.microaggregation import MICROAGGREGATION, microaggregation_misfits
from sqlgen.policy.objective import Objective, ObjectiveField
from sqlgen.policy.places import InPlace, ReleaseTarget, Schedule, Since, Source
from sqlgen.policy.recoding import RecodingChoice, RecodingField
from sqlgen.sql.names import parse_name


class _Named:
    """Schema of a one-key mapping: ``{k_anonymity: {k: 5}}``."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.citation = MODELS[key].citation

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {
            "type": "object",
            "description": self.citation,
            "properties": {self.key: handler(core)},
            "required": [self.key],
            "additionalProperties": False,
        }


def _inside(key: str) -> BeforeValidator:
    return BeforeValidator(lambda entry: entry[key] if isinstance(entry, Mapping) else entry)


def _only_key(value: Any) -> str | None:
    """The key of a one-key mapping; of a value already read, its own name."""
    if isinstance(value, Mapping):
        return str(next(iter(value))) if len(value) == 1 else None
    return getattr(value, "name", None)


if TYPE_CHECKING:
    AnyGuarantee = Guarantee
else:
    AnyGuarantee = Annotated[
        reduce(
            or_,
            [
                Annotated[model, _inside(name), _Named(name), Tag(name)]
                for name, model in MODELS.items()
            ],
        ),
        Discriminator(_only_key),
    ]


def _suppression(value: Any) -> Any:
    text = str(value).strip()
    if text.startswith("-"):
        raise ValueError("must be at least 0")
    if re.fullmatch(r"\d+|\d+(\.\d+)?\s*%", text) is None:
        raise ValueError("write a share of the rows, like 2%, or a whole number of rows")
    if text.endswith("%") and Decimal(text[:-1]) > 100:
        raise ValueError("a share cannot be more than 100%")
    if len(text) > 18:
        raise ValueError("no table has so many rows, or needs so fine a share")
    return text


_AN = {"order": "an order: numeric, text, or a list of its values", "hierarchy": "a hierarchy"}


@dataclass(frozen=True)
class Misfit:
    """A part of the policy that does not fit another; ``keys`` say where it stands."""

    keys: tuple[str | int, ...]
    words: str


class MisfitsError(ValueError):
    """All parts of a policy that do not fit others."""

    def __init__(self, misfits: Sequence[Misfit]) -> None:
        super().__init__("; ".join(misfit.words for misfit in misfits))
        self.misfits = tuple(misfits)


class Policy(Section):
    """The policy: what each column is, what the release must guarantee, and where it goes."""

    source: Source = Source()
    columns: Annotated[dict[str, ColumnPolicy], Field(min_length=1)]
    guarantees: Annotated[tuple[AnyGuarantee, ...], Field(min_length=1)]
    suppression: Annotated[
        str,
        BeforeValidator(_suppression),
        WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}),
        Field(description="how much may be suppressed: 2%, or a number of rows"),
    ] = "0"
    on_failure: Annotated[
        Literal["suppress", "suppress_sensitive"],
        Field(
            description="what happens to a class that fails by its sensitive values: its rows go, "
            "or they stay and all their sensitive values become NULL. Masks tell: who knows the "
            "policy knows what a masked class broke, and that can name its values (the minimality "
            "attack: Wong, Fu, Wang and Pei 2007)"
        ),
    ] = "suppress"
    objective: Annotated[
        ObjectiveField, Field(description="what the release should lose least of")
    ] = Objective()
    recoding: Annotated[
        RecodingField,
        Field(
            description="how the table is made safe: full_domain, one level for each column; "
            "local, one for each column of each class; mondrian, classes cut at values of a "
            "column; anatomy, two tables joined by a group; or microaggregation, groups of alike "
            "sensitive values"
        ),
    ] = RecodingChoice()
    queries: Annotated[
        tuple[dict[str, str], ...],
        Field(description="COUNT queries: per column an SQL condition on it, all of them TRUE"),
    ] = ()
    accept_unique: Annotated[
        tuple[str, ...],
        Field(
            description="columns of the role other or sensitive that give no warning of rare values"
        ),
    ] = ()
    release: ReleaseTarget | None = None
    run: Annotated[Schedule, Field(description="how a scheduled run goes about it")] = Schedule()
    ledger: Annotated[
        str,
        StringConstraints(min_length=1),
        Field(description="the table that releases are written to; off for none"),
    ] = "sqlgen_releases"
    joint: Annotated[
        Literal["fail", "warn", "off"],
        Field(
            description="what happens where a release and those that are still published would "
            "break the guarantees together"
        ),
    ] = "fail"

    _path: Path | None = PrivateAttr(None)
    _lines: Mapping[tuple[str | int, ...], int] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _some_quasi(self) -> "Policy":
        if not self.quasi:
            raise ValueError("columns: none has the role quasi, so there is nothing to anonymize")
        return self

    @model_validator(mode="after")
    def _parts_fit(self) -> "Policy":
        misfits = [
            *self._guarantee_misfits(),
            *self._query_misfits(),
            *self._acceptance_misfits(),
            *self._target_misfits(),
            *self._partition_misfits(),
            *self._weight_misfits(),
            *self._recoding_misfits(),
        ]
        if misfits:
            raise MisfitsError(misfits)
        return self

    def _guarantee_misfits(self) -> Iterator[Misfit]:
        """Guarantees that name columns they cannot judge, or a distance that there is not."""
        for number, guarantee in enumerate(self.guarantees):
            where = ("guarantees", number, guarantee.name)
            unit = guarantee.unit_column
            if unit is not None and (
                unit not in self.columns or self.columns[unit].role in (Role.QUASI, Role.SENSITIVE)
            ):
                words = "must name a column that is neither a quasi-identifier nor sensitive"
                yield Misfit((*where, "unit"), f"{words}; found {unit}")
            if unit is None:
                yield from self._judged_misfits(number, guarantee)
            for name in guarantee.keys:
                if name not in self.quasi:
                    yield Misfit((*where, "supersets"), f"{name} must be a quasi-identifier")
            if (
                isinstance(guarantee, DistanceGuarantee)
                and guarantee.possible[1] <= 1 < guarantee.t
            ):
                words = f"must be at most 1, for no {guarantee.distance} distance is larger"
                yield Misfit((*where, "t"), f"{words}; found {guarantee.t}")

    def _judged_misfits(self, number: int, guarantee: Guarantee) -> Iterator[Misfit]:
        """Columns that a guarantee judges and that are not sensitive, or lack what it needs."""
        key = "column" if len(guarantee.judged_columns) == 1 else "columns"
        where = ("guarantees", number, guarantee.name, key)
        for name in guarantee.judged_columns:
            column = self.columns.get(name)
            needed = guarantee.needs_column_option
            if column is None or column.role is not Role.SENSITIVE:
                fault = "no such column" if column is None else f"role {column.role}"
                yield Misfit(where, f"{name} must be a sensitive column; found {fault}")
            elif needed and getattr(column, needed) is None:
                yield Misfit(where, f"give column {name} {_AN[needed]}")

    def _query_misfits(self) -> Iterator[Misfit]:
        """Queries that ask for nothing, or for columns whose values no release shows."""
        for number, query in enumerate(self.queries):
            if not query:
                yield Misfit(("queries", number), "name a column and a condition on it")
            for name in query:
                where = ("queries", number, name)
                if name not in (*self.quasi, *self.sensitive):
                    yield Misfit(where, f"{name} must be a quasi-identifier or sensitive")
                elif self.columns[name].level is not None:
                    yield Misfit(
                        where,
                        f"{name} is released at a level, so a condition on its values has no "
                        "answer",
                    )

    def _acceptance_misfits(self) -> Iterator[Misfit]:
        """Columns whose rare values are accepted, though none of theirs are released."""
        for number in range(len(self.accept_unique)):
            if unfit := unfit_accepted(self.columns, self.accept_unique[: number + 1]):
                yield Misfit(("accept_unique", number), unfit)
                return

    def _target_misfits(self) -> Iterator[Misfit]:
        """A ledger without a name, and a release that the source or the ledger cannot have."""
        try:
            parse_name(self.ledger)
        except ValueError as error:
            yield Misfit(("ledger",), str(error))
        if self.in_place is not None and self.source.table is None:
            yield Misfit(
                ("release", "in_place"),
                "only a table can become its own release; name it as source.table",
            )
        if self.since is not None and self.since.column not in self.columns:
            yield Misfit(
                ("release", "since"),
                f"{self.since.column} must be a column of the policy; found no such column",
            )
        if self.since is not None and self.ledger == "off":
            yield Misfit(("ledger",), "release.since needs the ledger, to know what was released")

    def _partition_misfits(self) -> Iterator[Misfit]:
        """Columns that cannot name the folders of a release."""
        partition_by = self.release.partition_by if self.release is not None else ()
        released = [
            key for key, column in self.columns.items() if column.role is not Role.IDENTIFIER
        ]
        for number, name in enumerate(partition_by):
            where = ("release", "partition_by", number)
            if name not in released:
                fault = "an identifier" if name in self.columns else "no such column"
                yield Misfit(where, f"{name} must be a released column; found {fault}")
            elif name in partition_by[:number]:
                yield Misfit(where, f"{name} is named twice")
            # Readers do not decode the name of a column, and pass over folders called _ or . first.
            elif re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.~-]*", name) is None:
                yield Misfit(
                    where,
                    f"{name} cannot name folders: write letters, digits, _, -, ., ~, a letter or "
                    "digit first. Rename the column in source.query",
                )
        if partition_by and {*partition_by} == {*released}:
            yield Misfit(
                ("release", "partition_by"), "leave one released column at least to the files"
            )

    def _weight_misfits(self) -> Iterator[Misfit]:
        """Weights of columns that have none, and weights that cannot be used together."""
        where = ("objective", self.objective.name, "weights")
        unknown = [name for name in self.objective.weights if name not in self.quasi]
        for name in unknown:
            yield Misfit((*where, name), f"{name} must be a quasi-identifier")
        if unknown:
            return
        weights, _ = self.objective.whole_weights(self.quasi)
        if not any(weights):
            yield Misfit(where, "one column at least must weigh more than 0")
        elif unfit := self.objective.unfit_weights(self.quasi):
            yield Misfit(where, unfit)

    def _recoding_misfits(self) -> Iterator[Misfit]:
        """Guarantees and targets that no recoding but full-domain can have."""
        if self.recoding.name == "full_domain":
            return
        if self.recoding.name == ANATOMY:
            yield from itertools.starmap(Misfit, anatomy_misfits(self))
            return
        if self.recoding.name == MICROAGGREGATION:
            yield from itertools.starmap(Misfit, microaggregation_misfits(self))
            return
        yield from itertools.starmap(Misfit, average_misfits(self))
        if self.release is not None and self.release.view is not None:
            words = f"a view cannot be recoded by {self.recoding.name}: its classes have levels of "
            words += "their own for the rows of one plan, and it shows rows that come later. "
            words += "Write release: {table: ...}"
            yield Misfit(("release", "view"), words)
        for number, guarantee in enumerate(self.guarantees):
            if unfit := guarantee.unfit_for_regions:
                words = f"{self.recoding.name} recoding cannot give {guarantee.name}: {unfit}. "
                words += "Write recoding: full_domain"
                yield Misfit(("guarantees", number, guarantee.name), words)

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi-identifiers, in the order of the file."""
        return tuple(key for key, column in self.columns.items() if column.role is Role.QUASI)

    @property
    def in_place(self) -> InPlace | None:
        """How the source becomes the release itself, where it does."""
        return self.release.in_place if self.release is not None else None

    @property
    def since(self) -> Since | None:
        """The column that says which rows are new, where only those are released."""
        return self.release.since if self.release is not None else None

    def released_in_place(self) -> "Policy":
        """The same policy, with its source as the release."""
        if self.in_place is not None:
            return self
        if self.source.table is None:
            raise PolicyError(
                f"{self.where('source')}: only a table can become its own release. "
                "Nothing was changed."
            )
        if shows_averages(self):
            unfit = in_place_unfit(self)
            raise PolicyError(f"{self.where('recoding')}: {unfit}. Nothing was changed.")
        return self.model_copy(update={"release": ReleaseTarget(in_place=InPlace())})

    @property
    def beside(self) -> "Policy | None":
        """The same policy with the second table of its release, where the recoding makes two."""
        if not self.recoding.makes_pair or self.release is None:
            return None
        return self.model_copy(update={"release": self.release.beside(BESIDE)})

    def level(self, column: str) -> int:
        """The level at which a sensitive column is released; 0 is the value itself."""
        return self.columns[column].level or 0

    def is_listed(self, column: str) -> bool:
        """Whether the labels of a column's hierarchy are written down."""
        return isinstance(self.columns[column].hierarchy, Listed)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns, in the order of the file."""
        return tuple(key for key, column in self.columns.items() if column.role is Role.SENSITIVE)

    @property
    def masks_sensitive(self) -> bool:
        """Whether a class that fails by its sensitive values stays without them."""
        return self.on_failure == "suppress_sensitive"

    @property
    def folder(self) -> Path:
        """The folder that relative paths in the policy start from."""
        return self._path.parent if self._path else Path()

    def __repr__(self) -> str:
        where = self.path.name if self.path is not None else "without a file"
        guarantees = f"guarantees: {names_words(guarantee.name for guarantee in self.guarantees)}"
        sensitive = f"sensitive: {names_words(self.sensitive)}" if self.sensitive else ""
        return summary(
            "Policy",
            f"{where}, source {self.source.table or 'as given'}; {guarantees}",
            f"quasi-identifiers: {names_words(self.quasi)}",
            sensitive,
        )

    __str__ = __repr__

    @property
    def path(self) -> Path | None:
        """The policy file, where there is one."""
        return self._path

    def budget(self, rows: int) -> int:
        """The rows that may be suppressed: the floor of the share of ``rows``, exactly."""
        if self.suppression.endswith("%"):
            return int(Fraction(self.suppression[:-1].strip()) / 100 * rows)
        return int(self.suppression)

    def where(self, *keys: str | int) -> str:
        """File, line and key: ``policy.yml:14: columns.zip``."""
        return located(self._path, self._lines, keys)

    def expand(self, text: str, *keys: str | int) -> str:
        """The text with each ``${VAR}`` read from the environment, whose values are not shown."""

        def value(match: re.Match[str]) -> str:
            if match[1] not in os.environ:
                raise PolicyError(
                    f"{self.where(*keys)}: the environment variable {match[1]} is not set"
                )
            return os.environ[match[1]]

        return re.sub(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}", value, text)

    def file(self, text: str, *keys: str | int) -> Path:
        """A path of the policy: environment read, relative to the policy's folder.

        Absolute, so that the printed SQL means the same file wherever it is run.
        """
        path = (self.folder / self.expand(text, *keys)).absolute()
        try:
            # A file is written beside its name first.
            Path(f"{path}{PARTIAL}").lstat()
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                raise PolicyError(
                    f"{self.where(*keys)}: a file cannot have so long a name. Nothing was changed."
                ) from None
        return path


def located(
    path: Path | None, lines: Mapping[tuple[str | int, ...], int], keys: tuple[str | int, ...]
) -> str:
    """File, line and key of the nearest part of the policy that is written down."""
    known = keys
    while known and known not in lines:
        known = known[:-1]
    file = path.name if path else "policy"
    line = f":{lines[known]}" if known in lines else ""
    dotted = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return f"{file}{line}: {dotted.removeprefix('.')}".removesuffix(": ")
