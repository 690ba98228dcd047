"""A value that only the source had is not gone while the catalog tells it, and it is said.

What a scrub looks for is a draw of values; here they are so few that all are drawn.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from in_place import clinic_file, clinic_policy
from sqlgen import Scrub, apply_plan, scrub_database
from sqlgen.cli.text.results import release_text
from tables import planned

VALUE = "canary cfcd208495d565ef66e7dff9f98764da"


def scrubbed(path: Path) -> tuple[Scrub, str]:
    release = apply_plan(planned(clinic_policy(), path), path, scrub="unlink")
    assert release.scrub is not None
    return release.scrub, release_text(release)


def altered(folder: Path, *statements: str) -> Path:
    path = clinic_file(folder)
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE patients SET name = 'canary ' || MD5(CAST(id % 9 AS VARCHAR))")
        for each in statements:
            connection.execute(each)
    return path


TOLD = {
    "view": "CREATE VIEW seen AS SELECT visit FROM patients WHERE disease <> '{value}'",
    "macro": "CREATE MACRO seen(x) AS x = 'it''s {value}'",
    "table macro": "CREATE MACRO rows() AS TABLE SELECT '{value}' AS v",
    "default": "CREATE TABLE other (a VARCHAR DEFAULT 'x{value}')",
    "check": "CREATE TABLE checked (a VARCHAR CHECK (a <> '{value}'))",
    "column": 'CREATE TABLE pivoted ("{value}" INTEGER)',
    "comment on the table": "COMMENT ON TABLE patients IS 'all but {value}'",
    "comment on a column": "COMMENT ON COLUMN patients.visit IS '{value}'",
    "type": "CREATE TYPE feeling AS ENUM ('{value}', 'x')",
    "column of an enum": "CREATE TABLE listed (a ENUM ('{value}', 'x'))",
}


@pytest.mark.battery
@pytest.mark.parametrize("where", TOLD)
def test_what_the_catalog_tells_is_found_and_the_value_is_not_said(
    where: str, tmp_path: Path
) -> None:
    path = altered(tmp_path, TOLD[where].format(value=VALUE))
    scrub, text = scrubbed(path)
    assert (scrub.after, scrub.elsewhere) == (1, 0)
    assert not scrub.satisfied
    assert "NOT gone: 1 value that no table holds any more." in text
    assert "canary" not in text + str(scrub.to_dict())
    assert scrub_database(clinic_policy(), path).satisfied


def test_a_value_that_a_table_holds_as_well_is_not_said_to_be_left(tmp_path: Path) -> None:
    path = altered(
        tmp_path,
        "CREATE TABLE bill AS SELECT name FROM patients WHERE id = 0",
        f"CREATE VIEW seen AS SELECT '{VALUE}' AS n",
    )
    scrub, text = scrubbed(path)
    assert (scrub.after, scrub.elsewhere) == (1, 1)
    assert scrub.satisfied
    assert "NOT gone" not in text
