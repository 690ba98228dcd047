"""What a copy of the database would lack is noticed before anything is changed, or is copied."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from in_place import clinic_file, clinic_policy, failing
from sqlgen import RefusedError, SqlgenError, apply_plan, scrub_database
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


@pytest.mark.parametrize("template", ["scrub/attach", "scrub/copy", "scrub/lost", "scrub/detach"])
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
