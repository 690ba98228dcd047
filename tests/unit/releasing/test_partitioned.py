"""Releases in partitions: labels come back as they were, in one order; some cannot be folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import pyarrow.dataset  # type: ignore[import-untyped]
import pyarrow.parquet  # type: ignore[import-untyped]
import pytest

from faults import fault_before
from partitions import files_of, labelled, labelled_policy, refused, released, rows_in
from sqlgen import (
    EngineError,
    PolicyError,
    UnsupportedError,
    apply_plan,
    audit_table,
)
from tables import patients, patients_policy, planned, release_to

LABELS = (
    *(
        "north",
        "North",
        "a/b",
        "a=b",
        "a b",
        "a+b",
        "50%",
        "%2F",
        "Zürich",
        "日本",
        "[30, 40)",
        "*",
    ),
    *("", " ", ".", "..", "?", "'", '"', "\\", "a\nb", "007", "2026-03-01", "true", "x" * 249),
    None,
)


def test_every_label_comes_back_as_it_was_released(tmp_path: Path) -> None:
    connection = labelled(LABELS)
    released(connection, labelled_policy(tmp_path))
    meant = connection.execute("SELECT label, visit FROM t ORDER BY ALL").fetchall()
    folder = tmp_path / "out"
    assert len(list(folder.iterdir())) == len(files_of(folder)) == len(LABELS)
    assert rows_in(folder) == meant
    assert rows_in(folder, "hive_partitioning = TRUE, hive_types_autocast = FALSE") == meant
    assert rows_in(folder, "hive_partitioning = TRUE, hive_types = {'label': VARCHAR}") == meant
    for table in (
        pyarrow.dataset.dataset(folder).to_table(),
        pyarrow.parquet.read_table(folder, partitioning=None),
        pyarrow.dataset.dataset(folder, partitioning="hive").to_table(),
    ):
        rows = [(row["label"], row["visit"]) for row in table.to_pylist()]
        assert sorted(rows, key=repr) == sorted(meant, key=repr)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("INTEGER", ("1", "2", None)),
        ("UBIGINT", ("0", "18446744073709551615")),
        ("DECIMAL(9,2)", ("1.50", "2.00")),
        ("BOOLEAN", ("true", "false", None)),
        ("DATE", ("2026-03-01", "0044-03-15 (BC)")),
        ("ENUM('a', 'b')", ("a", "b")),
    ],
)
def test_a_partitioned_column_keeps_its_type(
    kind: str, values: tuple[Any, ...], tmp_path: Path
) -> None:
    connection = labelled(values, kind)
    policy = labelled_policy(tmp_path)
    released(connection, policy)
    files = f"READ_PARQUET('{tmp_path}/out/**/*.parquet', hive_partitioning = FALSE)"
    (found,) = connection.execute(f"SELECT DISTINCT TYPEOF(label) FROM {files}").fetchall()
    assert found == ("VARCHAR" if kind.startswith("ENUM") else kind,)
    both = f"(FROM t EXCEPT ALL FROM {files}) UNION ALL (FROM {files} EXCEPT ALL FROM t)"
    assert connection.execute(both).fetchall() == []
    assert audit_table(policy, source=connection).satisfied


def test_a_generalized_column_is_partitioned_by_its_labels(tmp_path: Path) -> None:
    connection = patients(600)
    release = {"parquet": str(tmp_path / "out"), "partition_by": ["age", "sex"]}
    policy = patients_policy(release=release, guarantees=[{"k_anonymity": {"k": 20}}])
    plan = planned(policy, connection)
    assert plan.levels_to("test")["age"]
    apply_plan(plan, connection)
    apply_plan(
        planned(patients_policy(guarantees=[{"k_anonymity": {"k": 20}}]), connection), connection
    )
    labels = connection.execute("SELECT DISTINCT age, sex FROM released").fetchall()
    folders = {str(each.parent.relative_to(tmp_path / "out")) for each in files_of(tmp_path)}
    assert folders == {f"age={quote(age)}/sex={quote(sex)}" for age, sex in labels}


def in_order(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[tuple[Any, ...]]:
    """A digest of each partition's rows in the order of its file."""
    options = "hive_partitioning = FALSE, file_row_number = TRUE"
    return connection.execute(
        "SELECT label, COUNT(*), MD5(STRING_AGG(visit::VARCHAR, ',' ORDER BY file_row_number)) "
        f"FROM READ_PARQUET('{folder}/out/**/*.parquet', {options}) GROUP BY label ORDER BY label"
    ).fetchall()


@pytest.mark.battery
def test_neither_the_source_nor_the_threads_tell_in_what_order_rows_are_written(
    tmp_path: Path,
) -> None:
    found = []
    for number, order in enumerate(("visit", "visit DESC", "HASH(visit)")):
        connection = duckdb.connect(config={"threads": (1, 4, 8)[number]})
        connection.execute(
            "CREATE TABLE t AS SELECT 'a' AS sex, i AS visit, 'l' || i % 5 AS label "
            f"FROM (SELECT * FROM RANGE(700000) AS r (i) ORDER BY {order.replace('visit', 'i')})"
        )
        folder = tmp_path / str(number)
        folder.mkdir()
        released(connection, labelled_policy(folder))
        found.append(in_order(connection, folder))
    assert [row[:2] for row in found[0]] == [(f"l{each}", 140_000) for each in range(5)]
    assert found[1] == found[0]
    assert found[2] == found[0]


@pytest.mark.parametrize("fault", [None, EngineError, KeyboardInterrupt])
def test_an_open_connection_has_as_many_threads_afterwards(
    fault: type[BaseException] | None, tmp_path: Path
) -> None:
    connection = patients()
    connection.execute("SET threads = 3")
    policy = patients_policy(release=release_to("partitioned", tmp_path))
    plan = planned(policy, connection)
    if fault is None:
        apply_plan(plan, connection)
    else:
        with fault_before(-1, fault) as begun:
            apply_plan(plan, connection, replace=True)
        copy = [each.template for each in begun].index("releasing/copy")
        with fault_before(copy, fault), pytest.raises(fault):
            apply_plan(plan, connection, replace=True)
    assert connection.execute("SELECT CURRENT_SETTING('threads')").fetchall() == [(3,)]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (("secret" * 42,), "labels of 1 partition of 2 are longer than 255 bytes"),
        (("secré" * 25,), "labels of 1 partition of 2 are longer than 255 bytes"),
        (("NULL",), "labels of 1 partition of 2 are spelled NULL"),
        (("null", "__HIVE_DEFAULT_PARTITION__"), "labels of 2 partitions of 3 are spelled NULL"),
        (tuple(f"secret {each}" for each in range(9)), "would have 10 partitions, and 9 are the"),
    ],
)
def test_labels_that_cannot_be_folders_are_refused_by_their_number(
    values: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlgen.releasing.targets.partitioned.MOST", 9)
    found = refused(labelled((*values, "fine")), labelled_policy(tmp_path), tmp_path)
    assert words in found
    assert "secr" not in found


def test_paths_that_are_too_long_together_are_refused(tmp_path: Path) -> None:
    names = [f"label_{each}" for each in range(20)]
    connection = duckdb.connect()
    columns = ", ".join(f"REPEAT('s', 240) AS {name}" for name in names)
    connection.execute(f"CREATE TABLE t AS SELECT 'a' AS sex, {columns} FROM RANGE(6)")
    policy = labelled_policy(
        tmp_path,
        columns={
            "sex": {"role": "quasi", "hierarchy": "suppress"},
            **{name: {"role": "other"} for name in names},
        },
        release={"partition_by": names},
    )
    assert "longer than a path's bytes" in refused(connection, policy, tmp_path)


@pytest.mark.parametrize("kind", ["DOUBLE", "TIMESTAMP", "TIME", "VARCHAR[]"])
def test_values_that_no_text_gives_back_are_refused(kind: str, tmp_path: Path) -> None:
    value = {"DOUBLE": "0.1", "TIME": "10:00:00", "VARCHAR[]": "[a]"}.get(kind, "2026-03-01")
    connection = labelled((value,), kind)
    with pytest.raises(UnsupportedError, match="partition_by: folders are called by text"):
        released(connection, labelled_policy(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ({"partition_by": []}, "partition_by: must not be empty"),
        ({"partition_by": ["zip", "zip"]}, "zip is named twice"),
        ({"partition_by": ["name"]}, "name must be a released column; found an identifier"),
        ({"partition_by": ["nome"]}, "nome must be a released column; found no such column"),
        (
            {"partition_by": ["zip", "age", "sex", "disease", "visits"]},
            "leave one released column at least to the files",
        ),
    ],
)
def test_a_partition_that_does_not_fit_the_columns_is_a_mistake(
    release: dict[str, Any], words: str
) -> None:
    with pytest.raises(PolicyError, match=words):
        patients_policy(release={"parquet": "out", **release})


def test_only_parquet_is_partitioned() -> None:
    with pytest.raises(PolicyError, match="partition_by is for parquet"):
        patients_policy(release={"csv": "out.csv", "partition_by": ["zip"]})


@pytest.mark.parametrize("name", ["a=b", "a/b", "_a", ".a", "a b", "ä", "a%b"])
def test_a_column_whose_name_readers_do_not_decode_names_no_folder(name: str) -> None:
    columns = {
        "sex": {"role": "quasi", "hierarchy": "suppress"},
        name: {"role": "other"},
    }
    with pytest.raises(PolicyError, match="cannot name folders"):
        patients_policy(columns=columns, release={"parquet": "out", "partition_by": [name]})


def test_files_without_the_columns_of_their_folders_are_not_audited(tmp_path: Path) -> None:
    connection = patients(600)
    policy = patients_policy(release=release_to("partitioned", tmp_path))
    columns = "zip, CAST(age AS VARCHAR) AS age, sex, disease, visits"
    connection.execute(
        f"COPY (SELECT {columns} FROM patients) TO '{tmp_path}/released' "
        "(FORMAT PARQUET, PARTITION_BY (disease))"
    )
    with pytest.raises(PolicyError, match="lack columns that it is partitioned by"):
        audit_table(policy, source=connection)
    (tmp_path / "released" / "notes.txt").write_text("theirs")
    with pytest.raises(PolicyError, match="cannot be read as parquet"):
        audit_table(policy, source=connection)


def test_a_column_keeps_its_name_where_sql_is_written(tmp_path: Path) -> None:
    connection = labelled(("a",))
    connection.execute('ALTER TABLE t RENAME label TO "order"')
    columns = {
        "sex": {"role": "quasi", "hierarchy": "suppress"},
        "visit": {"role": "other"},
        "order": {"role": "sensitive"},
    }
    released(
        connection, labelled_policy(tmp_path, columns=columns, release={"partition_by": ["order"]})
    )
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["order=a"]
