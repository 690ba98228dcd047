"""A release in partitions: the statements that write it in folders, and what may be a folder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.engines.engine import Row
from sqlgen.errors import EngineError, RefusedError, UnsupportedError
from sqlgen.policy import Policy
from sqlgen.sql.ddl import copy_to, create_as, select_all, set_threads
from sqlgen.sql.render import commas, ident, noted, sql, statement
from sqlgen.sql.step import Step, StepKind, plain_steps
from sqlgen.sql.types import Column, Kind
from sqlgen.wording import counted

STAGED = temporary("released")
COUNTS = temporary("partitions")

MOST = 10_000
_MOST_NAME = 255
_MOST_PATH = 4095
_MISSING = "__HIVE_DEFAULT_PARTITION__"
_PATTERN = "release_{uuid}"
_LONGEST_FILE = len("release_.parquet") + 36

# Those whose text is the value, in whatever program and time zone it is read.
_KINDS = (Kind.TEXT, Kind.ENUM, Kind.INTEGER, Kind.DECIMAL, Kind.BOOLEAN, Kind.DATE)


def check_partition_types(policy: Policy, columns: Sequence[Column]) -> None:
    """Refuse to call folders by values that do not come back from their text as they were."""
    partition_by = policy.release.partition_by if policy.release is not None else ()
    unfit = [
        column for column in columns if column.name in partition_by and column.kind not in _KINDS
    ]
    if unfit:
        columns_found = ", ".join(f"{column.name} {column.type}" for column in unfit)
        raise UnsupportedError(
            f"{policy.where('release', 'partition_by')}: folders are called by text, whole "
            f"numbers, decimals, booleans and dates; found {columns_found}. Partition by a coarser "
            "level, by another column, or cast it in source.query. Nothing was changed."
        )


def partitioned_sql(
    release: Markup, source: Markup, partition_by: Sequence[str], path: Path, threads: int
) -> list[Step]:
    """The steps that write a release to a folder, in partitions.

    The rows are staged first, so that the folders can be counted before any is made. One thread
    writes them: with two or more, the order of rows in a file is another each time, even though
    they come sorted (measured on DuckDB 1.5.6 and 2.0.0).
    """
    # A slash after each folder and one before the first.
    around = 1 + len(partition_by) + _LONGEST_FILE
    counts = statement(
        "releasing/partitions",
        table=COUNTS,
        released=STAGED,
        source=source,
        columns=[{"name": column, "around_label": len(column) + 1} for column in partition_by],
        missing=_MISSING,
        path=str(path),
        around=around,
        most_name=_MOST_NAME,
        most_path=_MOST_PATH,
    )
    # The columns that folders are called by are in the files too, with their types. No two releases
    # have a file's name in common: who looks for a file of the last one finds none in this one.
    options = sql(
        "FORMAT PARQUET, COMPRESSION ZSTD, PARTITION_BY ({columns}), "
        "WRITE_PARTITION_COLUMNS TRUE, FILENAME_PATTERN {names:literal}",
        columns=commas(map(ident, partition_by)),
        names=_PATTERN,
    )
    staged = sql("SELECT * FROM {release}", release=STAGED)
    return [
        Step(
            noted(
                create_as("OR REPLACE TEMPORARY TABLE", STAGED, release),
                "the release: labels in place of values, failing classes left out",
            ),
            StepKind.BUILD,
        ),
        Step(noted(counts, "its partitions, counted")),
        Step(select_all("releasing/read_partitions", COUNTS), StepKind.READ_PARTITIONS),
        *plain_steps(
            [
                noted(
                    statement("releasing/partitions_gate", table=COUNTS, most=MOST),
                    "stop here, and undo, if they cannot be folders",
                ),
                noted(
                    set_threads(1),
                    "rows in an order that their content alone says",
                ),
                noted(
                    copy_to(staged, str(path), options),
                    "the release, in a folder per partition",
                ),
                set_threads(threads),
            ]
        ),
    ]


@contextmanager
def threads_kept(engine: Engine, threads: int) -> Iterator[None]:
    """The block, after whose failure the engine uses as many ``threads`` as before; 0 for any."""
    try:
        yield
    except BaseException:
        if threads:
            with suppress(EngineError):
                engine.run(set_threads(threads))
        raise


def check_partitions(policy: Policy, counts: Row) -> None:
    """Refuse partitions that cannot be folders, from their counts, before any is made."""
    where = policy.where("release", "partition_by")
    _, partitions, long_folders, long_paths, misread = counts
    if partitions > MOST:
        raise RefusedError(
            f"{where}: the release would have {partitions:,} partitions, and {MOST:,} are the "
            "most. Partition by fewer columns, or by coarser ones. Nothing was changed."
        )
    if long_folders or long_paths:
        most = f"{_MOST_NAME} bytes of a folder's name" if long_folders else "a path's bytes"
        raise RefusedError(
            f"{where}: labels of {counted(long_folders or long_paths, 'partition')} of "
            f"{partitions:,} are longer than {most}, in which most characters but letters and "
            "digits take three. Partition by another column. Nothing was changed."
        )
    if misread:
        raise RefusedError(
            f"{where}: labels of {counted(misread, 'partition')} of {partitions:,} are spelled "
            "NULL, or as readers of folders spell it. Partition by another column, or give those "
            "values another label. Nothing was changed."
        )
