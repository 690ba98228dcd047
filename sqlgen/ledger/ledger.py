"""The ledger: a small table beside the releases that says what was published, when and how.

A release is written to it in the transaction that publishes it. It holds no value of any table.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import (
    Relation,
    current_catalog,
    find,
    fold,
    full_name,
    schema_exists,
)
from sqlgen.errors import PolicyError, RefusedError
from sqlgen.guarantees.figures import plain
from sqlgen.ledger.paths import database_facts, folder_of, place_of
from sqlgen.ledger.recorded import RecordedGuarantee
from sqlgen.ledger.schema import (
    COLUMNS,
    EntryWindow,
    is_ledger,
    read_row,
    refuse_earlier,
)
from sqlgen.policy import Policy, RowWindow
from sqlgen.policy.places import DATABASE_KINDS, FILE_KINDS
from sqlgen.sql.names import parse_name
from sqlgen.sql.render import command, commas, name, quoted_name
from sqlgen.staging.source import open_rows


@dataclass(frozen=True)
class Entry:
    """One release of the ledger, as it was written.

    A release of new rows has a window: ``since_column`` says when a row came; ``since_after`` and
    ``since_until`` are moments of runs; ``settled_rows`` had come by the end. ``folder`` is that of
    the policy's file, relative to ``home``, the folder of the database. ``place`` is the
    fingerprint of a file's path or, in the database, a schema and a name. ``source`` is the table
    or view that the release was made from; ``source_query`` is the policy's query, or the view's.
    """

    release_id: int
    released_at: str
    policy: str
    folder: str
    policy_fingerprint: str
    lock_fingerprint: str
    source: str
    source_fingerprint: str
    source_rows: int
    released_rows: int
    suppressed_rows: int
    masked_rows: int
    classes: int
    null_rows: Mapping[str, int]
    recoding: str
    decision: Mapping[str, Any]
    sensitive_levels: Mapping[str, int]
    hierarchies: Mapping[str, str]
    guarantees: tuple[RecordedGuarantee, ...]
    target_kind: str
    target: str
    place: str
    since_column: str | None
    since_type: str | None
    since_after: str | None
    since_until: str | None
    settled_rows: int | None
    sqlgen_version: str
    engine_version: str
    source_query: str | None = None
    home: Path | None = field(default=None, compare=False)

    def is_of(self, policy: Policy) -> bool:
        """Whether it was made by a policy file of that name and folder, from the same source."""
        name = policy.path.name if policy.path is not None else ""
        recorded = (self.policy, self.folder, self.source)
        return recorded == (name, folder_of(policy, self.home), policy.source.table or "")

    def is_beside(self, policy: Policy) -> bool:
        """Whether it was made by another policy, in the same folder or into the same schema."""
        in_folder = self.target_kind not in FILE_KINDS or self.folder == folder_of(
            policy, self.home
        )
        return in_folder and not self.is_of(policy)

    def went_to(self, policy: Policy) -> bool:
        """Whether it went to the policy's target, which is not timestamped."""
        release = policy.release
        if release is None or release.kind != self.target_kind:
            return False
        if release.kind in FILE_KINDS:
            path = policy.file(release.target, "release", release.kind)
            return place_of(path, self.home) == self.place
        target = str(policy.source.table) if release.kind == "in_place" else release.target
        return fold(target) == fold(self.target)

    @property
    def stands_at(self) -> str:
        """The name under which the release is found in the database, in whatever current schema.

        The ledger is in the same database, so no database is named unless the policy does.
        """
        return self.target if len(parse_name(self.target)) == 3 else self.place

    def file(self, policy: Policy) -> Path | None:
        """The path of its file, even if the file is gone; None where the path is not known.

        The path in the policy may hold environment variables, which may have changed.
        """
        try:
            target = policy.expand(self.target, "release", self.target_kind)
        except PolicyError:
            return None
        folders = [policy.folder, *([self.home / self.folder] if self.home is not None else [])]
        paths = [(folder / target).absolute() for folder in folders]
        return next((path for path in paths if place_of(path, self.home) == self.place), None)

    @property
    def levels(self) -> Mapping[str, int] | None:
        """The level of each quasi-identifier; None where its recoding has no single one."""
        return self.decision.get("levels")

    @property
    def column_levels(self) -> Mapping[str, tuple[int, int]]:
        """The least and the most level that each quasi-identifier may have in the release."""
        if self.levels is not None:
            return {name: (level, level) for name, level in self.levels.items()}
        columns = self.decision.get("columns", ())
        return {column["name"]: tuple(column["levels"]) for column in columns}

    @property
    def regions(self) -> str:
        """The fingerprint of the regions that it was released by; empty where it has none."""
        return str(self.decision.get("region_fingerprint", ""))

    @property
    def came(self) -> EntryWindow:
        """The time in which its rows came, as recorded for a release of new rows."""
        recorded = (self.since_column, self.since_type, self.since_after, self.since_until)
        return EntryWindow(self.release_id, *recorded, self.settled_rows)

    @property
    def window(self) -> RowWindow | None:
        """The window that its rows came in; None for a release of all rows.

        Raises RefusedError where the record is incomplete.
        """
        return self.came.window

    def to_dict(self) -> dict[str, Any]:
        """The release as ``sqlgen show --json`` prints it: not the query, which may name values."""
        return {
            **{
                column.name: getattr(self, column.name)
                for column in COLUMNS
                if column.name != "source_query"
            },
            "null_rows": dict(self.null_rows),
            "levels": None if self.levels is None else dict(self.levels),
            "sensitive_levels": dict(self.sensitive_levels),
            "hierarchies": dict(self.hierarchies),
            "guarantees": [
                {
                    "guarantee": guarantee.title,
                    "required": guarantee.requirement,
                    "name": guarantee.name,
                    "parameters": guarantee.parameters,
                    "measured": plain(guarantee.measured),
                }
                for guarantee in self.guarantees
            ],
        }


@dataclass(frozen=True)
class Ledger:
    """The full name of a policy's ledger, which need not exist yet, and facts on its database.

    ``stands`` says whether it exists. ``home`` is the folder of the database's file; None for a
    database in memory. ``is_readonly`` says that the database is open for reading alone.
    """

    parts: tuple[str, ...]
    stands: bool
    home: Path | None
    is_readonly: bool = False

    @property
    def table(self) -> Markup:
        return name(self.parts)

    @property
    def called(self) -> str:
        return ".".join(self.parts[1:] if self.parts[1] != "main" else self.parts[2:])


def find_ledger(
    engine: Engine, policy: Policy, catalog: str, target: tuple[str, ...] = ()
) -> Ledger | None:
    """The ledger of a policy in the database that a release goes to; None where it has none.

    ``target`` is the full name of the release's own table or view, if that was found before.
    """
    if policy.ledger == "off":
        return None
    where = policy.where("ledger")
    parts = _ledger_parts(policy, catalog)
    _refuse_as_target(policy, parts, _target_names(engine, policy, target))
    if parts[0] != catalog:
        raise PolicyError(
            f"{where}: the ledger must be in the database of the release, {catalog}, to be written "
            "in one transaction with it. Nothing was changed."
        )
    table = find(engine, quoted_name(parts))
    # A ledger that is found has a schema, and so has the target.
    in_schema = table is not None or _folded(parts[:2]) == _folded(target[:2])
    if not in_schema and not schema_exists(engine, parts[0], parts[1]):
        raise PolicyError(
            f"{where}: there is no schema {'.'.join(parts[:2])}. Create it, or name another. "
            "Nothing was changed."
        )
    if table is not None:
        refuse_earlier(where, parts[1:], table.columns)
    if table is not None and (table.kind != "table" or not is_ledger(table.columns)):
        raise RefusedError(
            f"{where}: {'.'.join(parts[1:])} is something else than a ledger of releases. Name "
            "another table, or say ledger: off. Nothing was changed."
        )
    home, is_readonly = database_facts(engine, parts[0])
    exists = table is not None
    return Ledger(table.parts if table is not None else parts, exists, home, is_readonly)


def check_ledger_name(engine: Engine, policy: Policy) -> None:
    """Refuse a ledger that has the name of its policy's release, before either is looked for."""
    written = _written_target(policy)
    if policy.ledger == "off" or written is None:
        return
    # Two tables whose last names differ are two, whatever the current database and schema are.
    tables = [parts[-1] for parts in _with_labels(policy, tuple(parse_name(written)))]
    ledger = parse_name(policy.ledger)[-1]
    if {fold(ledger), fold(regions_parts((ledger,))[0])} & {*map(fold, tables)}:
        names = _target_names(engine, policy)
        _refuse_as_target(policy, _ledger_parts(policy, names[0][0]), names)


def _ledger_parts(policy: Policy, catalog: str) -> tuple[str, ...]:
    """The full name of a ledger, in a database unless it names one itself."""
    written = parse_name(policy.ledger)
    return (catalog, "main", *written) if len(written) == 1 else (catalog, *written)[-3:]


def _refuse_as_target(
    policy: Policy, parts: Sequence[str], names: Sequence[tuple[str, ...]]
) -> None:
    taken = {_folded(parts), _folded(regions_parts(tuple(parts)))}
    if taken & {*map(_folded, names)}:
        raise PolicyError(
            f"{policy.where('ledger')}: {'.'.join(parts[1:])} is the release itself, or holds its "
            "labels, so it cannot be the ledger of releases. Name another table for one of them. "
            "Nothing was changed."
        )


def _folded(parts: Sequence[str]) -> tuple[str, ...]:
    """The parts of a name as they are compared."""
    return tuple(map(fold, parts))


def _target_names(
    engine: Engine, policy: Policy, target: tuple[str, ...] = ()
) -> list[tuple[str, ...]]:
    """The full names that a release takes in the database: its own, and those of a view's labels.

    For a timestamped target it is the name without the time.
    """
    written = _written_target(policy)
    if written is None:
        return []
    return _with_labels(policy, target or full_name(engine, written))


def _written_target(policy: Policy) -> str | None:
    """The name of a release in the database as the policy has it; None where it goes elsewhere."""
    release = policy.release
    if release is None or release.kind not in DATABASE_KINDS:
        return None
    return str(policy.source.table) if release.kind == "in_place" else release.target


def regions_parts(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The full name of the table of regions beside a ledger."""
    return (*parts[:-1], f"{parts[-1]}_regions")


def _with_labels(policy: Policy, parts: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The name of a release and, of a view, the names of the tables that hold its labels."""
    is_view = policy.release is not None and policy.release.kind == "view"
    labels = policy.quasi if is_view else ()
    return [parts, *((*parts[:-1], f"{parts[-1]}_{label}_labels") for label in labels)]


def check_ledger_file(policy: Policy, source: DataSource | None) -> None:
    """Refuse a database file that is read-only, because the ledger in it must be written.

    A file that does not exist is reported when it is opened.
    """
    path: Path | None = None
    if source is None and policy.source.database is not None:
        path = policy.file(policy.source.database, "source", "database")
    elif isinstance(source, (str, Path)):
        path = Path(source)
    if path is not None and path.is_file() and not os.access(path, os.W_OK):
        raise _read_only(policy)


def check_writable(policy: Policy, ledger: Ledger) -> None:
    """Refuse a ledger in a database that is open for reading alone."""
    if ledger.is_readonly:
        raise _read_only(policy)


def _read_only(policy: Policy) -> RefusedError:
    return RefusedError(
        f"{policy.where('ledger')}: the release is written to a ledger in the database, which is "
        "read-only. Say ledger: off in the policy to release without one. Nothing was changed."
    )


def withdraw(engine: Engine, ledger: Ledger, number: int) -> None:
    """Delete the entry of a release that was committed, but whose file could not get its name."""
    pattern = "DELETE FROM {ledger}\nWHERE release_id = {number}"
    engine.run(command("ledger/withdraw", pattern, ledger=ledger.table, number=number))


def read_entries(engine: Engine, ledger: Ledger | None) -> tuple[Entry, ...]:
    """The releases of a ledger, the last one first."""
    if ledger is None or not ledger.stands:
        return ()
    asked = command(
        "ledger/entries",
        "SELECT\n  {columns}\nFROM {ledger}\nORDER BY release_id DESC",
        columns=commas([column.selected for column in COLUMNS], 2),
        ledger=ledger.table,
    )
    rows = engine.rows(asked)
    return tuple(Entry(**read_row(ledger.called, row), home=ledger.home) for row in rows)


def read_history(policy: Policy, source: DataSource | None = None) -> tuple[Entry, ...]:
    """The releases of a policy's ledger, whichever policy they were made by, the last one first."""
    with open_rows(policy, source, write=False) as engine:
        return read_entries(engine, find_ledger(engine, policy, current_catalog(engine)))


def release_ledger(engine: Engine, policy: Policy) -> Ledger | None:
    """The ledger that releases to the policy's target are written to."""
    release = policy.release
    parts = parse_name(release.target) if release is not None and release.kind == "table" else []
    return find_ledger(engine, policy, parts[0] if len(parts) == 3 else current_catalog(engine))


def ledger_of(engine: Engine, policy: Policy, source: Relation | None = None) -> Ledger | None:
    """The ledger in the database of the source or, without one, of the connection."""
    parts = source.parts if source is not None else ()
    catalog = parts[0] if parts and parts[0] != "temp" else current_catalog(engine)
    return find_ledger(engine, policy, catalog)


def tool_version() -> str:
    """The version of sqlgen that runs."""
    try:
        return version("sqlgen-anonymizer")
    except PackageNotFoundError:
        return "unknown"
