"""What a copy of the database would lack is noticed before anything is changed, or is copied."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from in_place import clinic_file, clinic_policy, failing
from sqlgen import EngineError, RefusedError, SqlgenError, apply_plan, scrub_database
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement
from tables import planned, rows_of

TRIGGERS = [
    "CREATE TABLE seen (who VARCHAR)",
    'CREATE TABLE "an other" (a INTEGER)',
    'CREATE TRIGGER "to see" AFTER INSERT ON "an other" REFERENCING NEW TABLE AS fresh '
    "FOR EACH STATEMENT INSERT INTO seen SELECT CAST(a AS VARCHAR) FROM fresh",
    'CREATE TRIGGER last AFTER UPDATE OF a ON "an other" '
    "FOR EACH STATEMENT INSERT INTO main.seen VALUES ('it''s')",
]
_TRIGGERS = "SELECT schema_name, trigger_name, table_name, sql FROM duckdb_triggers() ORDER BY ALL"


@pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 1.5 has no triggers")
def test_triggers_are_in_the_rewritten_file_and_fire_there_alone(tmp_path: Path) -> None:
    path = clinic_file(tmp_path)
    with duckdb.connect(str(path)) as connection:
        for each in TRIGGERS:
            connection.execute(each)
        connection.execute('INSERT INTO "an other" VALUES (1), (2)')
        before = connection.execute(_TRIGGERS).fetchall()
    assert len(before) == 2
    apply_plan(planned(clinic_policy(), path), path, scrub="unlink")
    scrub_database(clinic_policy(), path)
    with duckdb.connect(str(path)) as connection:
        assert connection.execute(_TRIGGERS).fetchall() == before
        connection.execute('INSERT INTO "an other" VALUES (3)')
        assert rows_of(connection, "seen") == [("1",), ("2",), ("3",)]


@pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 1.5 has no triggers")
@pytest.mark.parametrize("how", ["apply", "scrub"])
def test_a_trigger_that_cannot_be_made_again_is_named_before_anything_is_changed(
    how: str, tmp_path: Path
) -> None:
    path = clinic_file(tmp_path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE seen (who VARCHAR)")
        connection.execute("CREATE TABLE bill (who VARCHAR)")
        connection.execute(
            "CREATE TRIGGER fixed AFTER DELETE ON clinic.main.bill "
            "FOR EACH STATEMENT INSERT INTO clinic.main.seen VALUES ('canary')"
        )
        before = connection.execute(_TRIGGERS).fetchall()
    plan = planned(clinic_policy(), path)
    with pytest.raises(RefusedError, match=r'the trigger "fixed" of "main"\."bill"') as told:
        apply_plan(plan, path, scrub="unlink") if how == "apply" else scrub_database(
            clinic_policy(), path
        )
    assert "Nothing was changed" in str(told.value)
    assert "canary" not in str(told.value)
    with duckdb.connect(str(path)) as connection:
        assert connection.execute(_TRIGGERS).fetchall() == before
        assert "name" in [each[0] for each in connection.execute("DESCRIBE patients").fetchall()]


@pytest.mark.parametrize(
    "template",
    [
        "engines/duckdb/rewrite/attach",
        "engines/duckdb/rewrite/copy",
        "engines/duckdb/rewrite/fill",
        "engines/duckdb/rewrite/lost",
        "engines/duckdb/rewrite/detach",
    ],
)
def test_what_cannot_be_copied_is_noticed_before_anything_is_changed(
    template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = clinic_file(tmp_path)
    failing(monkeypatch, template, 1)
    plan = planned(clinic_policy(), path)
    with pytest.raises(
        SqlgenError, match=r"could not be rewritten.* Nothing was changed\."
    ) as told:
        apply_plan(plan, path, scrub="unlink")
    assert "canary" not in str(told.value)
    with duckdb.connect(str(path)) as connection:
        assert "name" in [each[0] for each in connection.execute("DESCRIBE patients").fetchall()]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


NESTED = [
    ["CREATE TYPE mood AS ENUM ('canary')", "CREATE TYPE addr AS STRUCT(s VARCHAR, m mood)"],
    ["CREATE TYPE mood AS ENUM ('canary')", "CREATE TYPE feeling AS mood"],
]


@pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 1.5 copies such types of a file")
@pytest.mark.parametrize("types", NESTED)
def test_types_that_duckdb_cannot_copy_are_named_before_anything_is_changed(
    types: list[str], tmp_path: Path
) -> None:
    path = clinic_file(tmp_path)
    with duckdb.connect(str(path)) as connection:
        for each in types:
            connection.execute(each)
    plan = planned(clinic_policy(), path)
    for refused in (
        lambda: apply_plan(plan, path, scrub="unlink"),
        lambda: scrub_database(clinic_policy(), path),
    ):
        with pytest.raises(RefusedError, match='is made of the type "mood"') as told:
            refused()
        assert "canary" not in str(told.value)
        assert [each.name for each in tmp_path.iterdir()] == [path.name]
    with duckdb.connect(str(path)) as connection:
        assert "name" in [each[0] for each in connection.execute("DESCRIBE patients").fetchall()]


ROWS = {
    "a key into itself": (
        [
            "CREATE TABLE staff (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES Staff (id))",
            "INSERT INTO staff VALUES (770011, NULL)",
            "INSERT INTO staff VALUES (2, 770011)",
        ],
        r'the rows of "main"\."staff", which has a foreign key \(boss\) that points at itself',
        ["CREATE TABLE made AS FROM staff", "DROP TABLE staff"],
    ),
    "a default that writes to the database by its name": (
        [
            "CREATE SCHEMA apart",
            "CREATE SEQUENCE numbers",
            "CREATE TABLE apart.bill (a INTEGER DEFAULT NEXTVAL('clinic.main.numbers'), b INTEGER)",
            "INSERT INTO apart.bill (b) VALUES (770011)",
        ],
        r'the rows of "apart"\."bill" cannot be copied: a default of it names the database itself',
        ["ALTER TABLE apart.bill ALTER a SET DEFAULT NEXTVAL('main.numbers')"],
    ),
}


@pytest.mark.parametrize("case", ROWS)
@pytest.mark.parametrize("how", ["apply", "scrub"])
def test_rows_that_duckdb_cannot_copy_are_named_before_anything_is_changed(
    how: str, case: str, tmp_path: Path
) -> None:
    made, words, mended = ROWS[case]
    path = clinic_file(tmp_path)
    with duckdb.connect(str(path)) as connection:
        for each in made:
            connection.execute(each)
    plan = planned(clinic_policy(), path)

    def rewrite() -> None:
        if how == "apply":
            apply_plan(plan, path, scrub="unlink")
        else:
            scrub_database(clinic_policy(), path)

    with pytest.raises(RefusedError, match=words) as told:
        rewrite()
    assert "Nothing was changed." in str(told.value)
    assert "770011" not in str(told.value)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    with duckdb.connect(str(path)) as connection:
        assert "name" in [each[0] for each in connection.execute("DESCRIBE patients").fetchall()]
        for each in mended:
            connection.execute(each)
    rewrite()


def test_rows_are_copied_whatever_their_table_is_declared_with(tmp_path: Path) -> None:
    path = clinic_file(tmp_path)
    with duckdb.connect(str(path)) as connection:
        for each in (
            "CREATE SCHEMA apart",
            # Points at a table that comes after it by name.
            "CREATE TABLE ward (id INTEGER PRIMARY KEY)",
            "CREATE TABLE bed (id INTEGER PRIMARY KEY, ward INTEGER REFERENCES WARD (id))",
            "CREATE TABLE apart.bed (id INTEGER PRIMARY KEY)",
            "CREATE TABLE apart.bath (bed INTEGER REFERENCES apart.bed (id))",
            "INSERT INTO ward VALUES (1), (2)",
            "INSERT INTO bed VALUES (3, 1), (4, NULL)",
            "INSERT INTO apart.bed VALUES (5)",
            "INSERT INTO apart.bath VALUES (5), (NULL)",
            # Reckoned columns, first and last, and a key into itself that no row uses.
            "CREATE TABLE sums (b INTEGER AS (a + 1), a INTEGER, c VARCHAR DEFAULT 'c', "
            '"d""d" INTEGER GENERATED ALWAYS AS (a * 2))',
            "INSERT INTO sums (a) VALUES (1), (2)",
            "CREATE TABLE staff (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES staff (id))",
            "INSERT INTO staff VALUES (1, NULL), (2, NULL)",
            "CREATE SEQUENCE numbers",
            "CREATE TABLE bills (a INTEGER DEFAULT NEXTVAL('numbers'), b INTEGER)",
            "INSERT INTO bills (b) VALUES (7)",
        ):
            connection.execute(each)
        tables = ["ward", "bed", "apart.bed", "apart.bath", "sums", "staff", "bills"]
        before = {each: rows_of(connection, each) for each in tables}
    scrub_database(clinic_policy(), path)
    with duckdb.connect(str(path)) as connection:
        assert {each: rows_of(connection, each) for each in tables} == before
        assert connection.execute("INSERT INTO bills (b) VALUES (8) RETURNING a").fetchall() == [
            (2,)
        ]


@pytest.mark.parametrize("kind", ["ConstraintException", "TransactionException"])
def test_a_table_whose_rows_cannot_be_copied_after_the_release_is_named(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = clinic_file(tmp_path)
    whole = DuckDB._execute

    def execute(engine: DuckDB, statement: Statement, *more: object) -> object:
        if (
            statement.template == "engines/duckdb/rewrite/fill"
            and "WHERE FALSE" not in statement.text
        ):
            raise EngineError(f"another transaction is in its way ({kind})", kind)
        return whole(engine, statement, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckDB, "_execute", execute)
    plan = planned(clinic_policy(), path)
    with pytest.raises(EngineError, match=r'the rows of "main"\."\w+" cannot be copied') as told:
        apply_plan(plan, path, scrub="unlink")
    assert "the release stands" in str(told.value)
    assert kind in str(told.value)
    assert ("another transaction" in str(told.value)) is (kind == "ConstraintException")
