"""A column of a user's that is called as something in a scrub's statements is read as any other."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from in_place import clinic_file, clinic_policy
from sqlgen import EngineError, Release, apply_plan, scrub_database
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement
from tables import planned

SCRUB = Path(__file__).parents[3] / "templates" / "engines" / "duckdb" / "rewrite"
ALIASES = sorted(
    {
        alias
        for template in SCRUB.glob("*.sql.jinja")
        for alias in re.findall(r"(?:\bAS |WITH |\),\n)([a-z_]+)", template.read_text())
    }
)
TYPES = {
    "numbers": ("INTEGER", "7"),
    # A field of a struct is called as a column of a table is.
    "structs": (
        f"STRUCT({', '.join(f'{each} VARCHAR' for each in ALIASES)}, a INTEGER)",
        f"ROW({', '.join(f'{each!r}' for each in ALIASES)}, 7)",
    ),
}


def columns_of(kind: str) -> tuple[str, str]:
    """A column of each alias, and a row of them."""
    spelled, cell = TYPES[kind]
    return (
        ", ".join(f'"{each}" {spelled}' for each in ALIASES),
        ", ".join(cell for _ in ALIASES),
    )


@pytest.fixture(params=TYPES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The clinic, and a table with a column of each alias and one of text."""
    path = clinic_file(tmp_path)
    columns, cells = columns_of(request.param)
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE bill ({columns}, words_of_it VARCHAR)")
        connection.execute(f"INSERT INTO bill SELECT {cells}, 'x' FROM RANGE(40)")
    return path


def released(path: Path) -> Release:
    return apply_plan(planned(clinic_policy(), path), path, scrub="unlink")


def test_the_aliases_are_those_of_the_statements() -> None:
    assert {"holder", "kept", "found", "row_text", "words"} <= {*ALIASES}


def test_a_value_that_such_a_table_holds_beside_is_found_there(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE bill SET words_of_it = (SELECT STRING_AGG(name) FROM patients)")
        ((name,),) = connection.execute("SELECT MIN(name) FROM patients").fetchall()
        connection.execute(f"CREATE VIEW seen AS SELECT '{name}' AS n")
    scrub = released(path).scrub
    assert scrub is not None
    assert (scrub.after, scrub.elsewhere) == (100, 100)
    assert scrub.satisfied


def test_a_value_that_such_a_table_does_not_hold_is_told(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM patients").fetchall()]
        # Twice, for a name that lies across two blocks of the catalog is whole in neither.
        connection.execute(f"CREATE VIEW seen AS SELECT UNNEST({names}) AS n")
        connection.execute(f"CREATE VIEW seen_again AS SELECT UNNEST({names[::-1]}) AS n")
    scrub = released(path).scrub
    assert scrub is not None
    assert (scrub.after, scrub.elsewhere) == (100, 0)
    assert not scrub.satisfied


def test_a_copy_of_such_a_table_with_another_value_beside_is_noticed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = DuckDB._execute

    def execute(engine: DuckDB, statement: Statement, *more: object) -> object:
        if statement.template == "engines/duckdb/rewrite/table_sums" and "bill" in statement.text:
            engine.connection.execute("UPDATE sqlgen_fresh.bill SET words_of_it = 'y'")
        return whole(engine, statement, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckDB, "_execute", execute)
    with pytest.raises(EngineError, match="differs from it in 1 place"):
        scrub_database(clinic_policy(), path)
