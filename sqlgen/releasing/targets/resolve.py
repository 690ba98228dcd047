"""Where a release goes: a table, a view or a file, resolved and checked before it is built."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import (
    FOLDING,
    Relation,
    csv_file,
    csv_written,
    fold,
    full_name,
    is_named,
    labels_mark,
    locate,
    parquet_files,
    read_by,
    require,
    temporary,
)
from sqlgen.errors import PolicyError, RefusedError, UnsupportedError
from sqlgen.files.atomic import PARTIAL
from sqlgen.files.destinations import Destination
from sqlgen.guarantees import TableReference
from sqlgen.hierarchies.lists import Table
from sqlgen.planning.definition_change import Change
from sqlgen.policy import Policy, Role
from sqlgen.policy.places import FILE_KINDS, RELATION_KINDS
from sqlgen.releasing.targets.file import beside, check_file
from sqlgen.releasing.targets.folder import check_folder
from sqlgen.releasing.targets.in_place import define_sql
from sqlgen.releasing.targets.partitioned import partitioned_sql
from sqlgen.sql.ddl import copy_to, create_as, drop_if_there, insert_into, stop_where
from sqlgen.sql.expression import texts_of
from sqlgen.sql.names import parse_name
from sqlgen.sql.render import Statement, command, literal, name, noted, quoted_name, sql, statement
from sqlgen.sql.step import Step, StepKind

# Table functions that read no file; any other may.
_NO_FILES = frozenset(
    ("PANDAS_SCAN", "ARROW_SCAN", "RANGE", "GENERATE_SERIES", "UNNEST", "REPEAT", "SEQ_SCAN")
)


@dataclass(frozen=True)
class Target:
    """A resolved target.

    ``built`` is what can be read before the release is published: the table or view itself inside
    the transaction, or the file under its partial name. ``stands`` is what is dropped first,
    ``change`` the table that becomes its own release. A file that is ``partition_by`` columns is a
    folder, which one of the ``threads`` of the engine writes. ``destination`` is where a file or a
    folder gets its name. ``beside`` is the target of the second table, where a release has two.
    """

    kind: str
    called: str
    built: Markup
    lookups: tuple[Markup, ...]
    parts: tuple[str, ...] = ()
    mark: str = ""
    stands: tuple[tuple[str, Markup], ...] = ()
    destination: Destination | None = None
    change: Change | None = None
    partition_by: tuple[str, ...] = ()
    threads: int = 0
    beside: "Target | None" = None

    @property
    def tables(self) -> "tuple[Target, ...]":
        """The targets of all tables of the release: this one, and the one beside it."""
        return (self,) if self.beside is None else (self, self.beside)

    @property
    def path(self) -> Path | None:
        """The path of a file or a folder, behind every link; None for what is in a database."""
        return None if self.destination is None else self.destination.path

    @property
    def made(self) -> str:
        """The kind of the published release: a table, a view or a kind of file."""
        return "table" if self.change is not None else self.kind

    @property
    def partial(self) -> Path:
        """The name under which a file is written until it has been audited."""
        assert self.path is not None
        return beside(self.path, PARTIAL)

    @property
    def compression(self) -> str:
        """How a CSV file is compressed: as the end of its name says."""
        assert self.path is not None
        return {".gz": "gzip", ".zst": "zstd"}.get(self.path.suffix.lower(), "none")


def in_place_target(policy: Policy, change: Change) -> Target:
    """The source as the target: built beside it, and swapped for it."""
    parts = change.scratch_parts
    called = str(policy.source.table)
    lookups = _temporary(policy)
    return Target("in_place", called, name(parts), lookups, parts=parts, change=change)


def resolve_target(
    engine: Engine,
    policy: Policy,
    source: Relation,
    replaces: bool,
    *,
    lasting: bool,
    names: Sequence[str] = (),
) -> Target:
    """The policy's target; refused where something stands in its place.

    ``lasting`` says whether the source outlives the call; a view needs one that does. ``names`` are
    those of the released columns, where they are not those of the source.
    """
    release = policy.release
    if release is None:
        raise PolicyError(
            f"{policy.where('release')}: name a release: table, view, parquet, csv or in_place"
        )
    where = policy.where("release", release.kind)
    if release.kind == "parquet":
        _check_parquet(policy, source, where)
    if release.kind == "csv":
        _check_csv(policy, source, where)
    if release.kind in FILE_KINDS:
        path = policy.file(release.target, "release", release.kind)
        check = check_folder if release.partition_by else check_file
        destination = check(engine, policy, path, where, replaces)
        if destination.exists:
            _check_no_files_read(engine, policy, source, where)
        target = Target(
            release.kind, release.target, Markup(), _temporary(policy), destination=destination
        )
        if release.partition_by:
            return replace(
                target,
                built=parquet_files(target.partial, in_folders=True),
                partition_by=release.partition_by,
                threads=_threads(engine),
            )
        released = names or [
            column for column in source.names if policy.columns[column].role is not Role.IDENTIFIER
        ]
        return replace(
            target,
            built=parquet_files(target.partial, in_folders=False)
            if release.kind == "parquet"
            else csv_file(target.partial, csv_written(released, target.compression)),
        )
    if release.kind == "view" and not lasting:
        raise UnsupportedError(
            f"{where}: a view would outlive its source, a DataFrame or a temporary table; release "
            "a table or a file"
        )
    return _in_database(engine, policy, source, replaces, where)


def _threads(engine: Engine) -> int:
    """How many threads the engine uses."""
    current = "SELECT CAST(CURRENT_SETTING('threads') AS INTEGER) AS threads"
    return int(engine.rows(command("engines/duckdb/threads", current))[0][0])


def _in_database(
    engine: Engine, policy: Policy, source: Relation, replaces: bool, where: str
) -> Target:
    assert policy.release is not None
    kind, called = policy.release.kind, policy.release.target
    written = parse_name(called)
    catalog, schema = (None, None, *written)[-3:-1]
    mark = labels_mark(written[-1])
    found = engine.rows(
        statement(
            "releasing/in_the_way",
            catalog=Markup("CURRENT_DATABASE()") if catalog is None else literal(catalog),
            schema=Markup("CURRENT_SCHEMA()") if schema is None else literal(schema),
            table=fold(written[-1]),
            mark=mark,
            **FOLDING,
        )
    )
    rows = [row[:4] for row in found]
    if all(kind != "schema" for kind, *_ in rows):
        asked = ".".join(full_name(engine, called)[:2])
        raise PolicyError(
            f"{where}: there is no schema {asked}. Create it, or name another. Nothing was changed."
        )
    parts = (*found[0][4:], written[-1])
    target = Target(kind, called, name(parts), _temporary(policy), parts=parts)
    existing = [(kind, tuple(full)) for kind, *full in rows if kind in RELATION_KINDS]
    if any(full == source.parts for _, full in existing):
        raise PolicyError(
            f"{where}: the release would take the place of its own source. Nothing was changed."
        )
    labels = [tuple(full) for kind, *full in rows if kind == "labels"]
    stands = [(kind.upper(), name(full)) for kind, full in existing]
    stands += [("TABLE", name(full)) for full in labels]
    if stands and not replaces:
        raise RefusedError(
            f"{where}: {'.'.join(parts[1:])} exists already. Drop it, name another, or say "
            "--replace. Nothing was changed."
        )
    if kind == "table":
        return replace(target, stands=tuple(stands))
    lookups = [
        (parts[0], parts[1], f"{parts[2]}_{column}_labels")
        for column in source.names
        if column in policy.quasi
    ]
    for lookup in lookups:
        standing = locate(engine, quoted_name(lookup))
        if standing is not None and standing.parts not in labels:
            raise RefusedError(
                f"{where}: the view needs the name {lookup[2]} for its labels, and something else "
                "has it. Rename that, or the view. Nothing was changed."
            )
    lasting = tuple(name(lookup) for lookup in lookups)
    return replace(target, lookups=lasting, mark=mark, stands=tuple(stands))


def drop_sql(kind: str, standing: Markup) -> Statement:
    """The statement that drops a table or view, where it is there."""
    return drop_if_there(kind, standing)


_NOTE = "the release: labels in place of values, failing classes left out"


def build_sql(target: Target, release: Markup, source: Markup, note: str = _NOTE) -> list[Step]:
    """The steps that make the release out of its query over the source."""
    if target.partition_by:
        return partitioned_sql(release, source, target.partition_by, target.partial, target.threads)
    if target.path is not None:
        return [Step(noted(copy_to(release, str(target.partial), _file_options(target)), note))]
    if target.change is not None:
        defined = define_sql(target.change, target.built)
        return [
            Step(noted(defined, "what the source was declared with, and still holds")),
            Step(noted(insert_into(target.built, release), note)),
        ]
    create = create_as(target.kind.upper(), target.built, release)
    return [Step(noted(create, note), StepKind.BUILD)]


def clear_sql(target: Target) -> Statement:
    """The statement that makes sure that nothing stands where the release will."""
    if target.partition_by:
        return stop_where(
            "releasing/vacant",
            Markup("COUNT(*) > 0"),
            "the folder of the release has files in it; nothing was changed",
            sql("GLOB({below:literal})", below=str(target.partial / "**")),
        )
    if target.path is not None:
        # One row that no audit passes, in place of what an earlier run may have left.
        return command(
            "releasing/blank",
            "COPY (SELECT 'unfinished' AS unfinished) TO {path:literal} ({options})",
            path=str(target.partial),
            options=_file_options(target),
        )
    # A client that goes on after an error would measure what stands there in place of the release.
    catalog, schema, table = target.parts
    there = sql(
        "information_schema.tables\nWHERE {in_catalog}\n  AND {in_schema}\n  AND {has_name}",
        in_catalog=is_named("table_catalog", catalog),
        in_schema=is_named("table_schema", schema),
        has_name=is_named("table_name", table),
    )
    return stop_where(
        "releasing/free",
        Markup("COUNT(*) > 0"),
        "something has the name of the release; nothing was changed",
        there,
    )


def _file_options(target: Target) -> Markup:
    """How a file is written; of CSV, NULL is an empty field and the empty text is "" in quotes."""
    if target.kind == "parquet":
        return Markup("FORMAT PARQUET, COMPRESSION ZSTD, USE_TMP_FILE FALSE")
    return sql(
        "FORMAT CSV, HEADER TRUE, DELIMITER ',', QUOTE '\"', ESCAPE '\"', NULLSTR '', "
        "COMPRESSION {compression:literal}, USE_TMP_FILE FALSE",
        compression=target.compression,
    )


def _temporary(policy: Policy) -> tuple[Markup, ...]:
    """The lookups of a release that needs them only while it is built."""
    return tuple(temporary(f"lookup_{number}") for number in range(1, len(policy.quasi) + 1))


def check_query_names(policy: Policy, release: str) -> None:
    """Refuse a view over a query that names a table as the view's own SQL names its parts."""
    if policy.release is None or policy.release.kind != "view" or policy.source.query is None:
        return
    parts = set(re.findall(r"\b([a-z_]+[0-9_]*) AS (?:MATERIALIZED )?\(", release))
    shadowed = parts & {text.lower() for text in texts_of(policy.source.query)}
    if shadowed:
        raise PolicyError(
            f"{policy.where('release', 'view')}: the view uses the name "
            f"{', '.join(sorted(shadowed))} for a part of its own; name the table in source.query "
            "with its schema, under an alias. Nothing was changed."
        )


def _check_parquet(policy: Policy, source: Relation, where: str) -> None:
    """Refuse values that a Parquet file would hold as something else."""
    altered = [
        column.name
        for column in source.columns
        if re.search(r"\b(U?HUGEINT|INTERVAL|TIME WITH TIME ZONE)\b", column.type)
        and policy.columns[column.name].role is not Role.IDENTIFIER
    ]
    if altered:
        raise UnsupportedError(
            f"{where}: Parquet has no 128-bit whole numbers, no exact intervals and no times with "
            f"a zone, and would hold {', '.join(altered)} as something else. Cast them in "
            "source.query. Nothing was changed."
        )


def _check_csv(policy: Policy, source: Relation, where: str) -> None:
    """Refuse column names that cannot be read back from the header of a CSV file."""
    blank = [
        repr(name)
        for name in source.names
        if not name.strip() and policy.columns[name].role is not Role.IDENTIFIER
    ]
    if blank:
        raise UnsupportedError(
            f"{where}: the header of a CSV file cannot hold a name that is blank: "
            f"{', '.join(blank)}. Name it otherwise in source.query. Nothing was changed."
        )


def _check_no_files_read(engine: Engine, policy: Policy, source: Relation, where: str) -> None:
    """Refuse to replace a file while the source reads files: which ones, no plan tells."""
    reads = set(read_by(engine, source.sql))
    named = [
        column.hierarchy.table
        for column in policy.columns.values()
        if isinstance(column.hierarchy, Table)
    ]
    named += [
        guarantee.reference_table.table
        for guarantee in policy.guarantees
        if isinstance(guarantee.reference_table, TableReference)
    ]
    named += [
        guarantee.people.table for guarantee in policy.guarantees if guarantee.people is not None
    ]
    for table in named:
        reads |= read_by(engine, require(engine, table, where).sql)
    functions = sorted({called for kind, called in reads if kind == "function"} - _NO_FILES)
    if functions:
        raise RefusedError(
            f"{where}: the file exists, and the release is made from files, of which it may be one "
            f"({', '.join(functions)}). Name another file, or remove this one. Nothing was changed."
        )
