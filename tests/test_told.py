"""A value that only the source had is not gone while the catalog tells it, and it is said where."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from in_place import clinic_file, clinic_policy
from sqlgen import Scrub, apply_plan, scrub_database
from sqlgen.cli.text.results import release_text
from tables import planned

VALUE = "canary cfcd208495d565ef66e7dff9f98764da"


def scrubbed(path: Path, *drop: str) -> tuple[Scrub, str]:
    policy = clinic_policy({"drop": list(drop)} if drop else "true")
    release = apply_plan(planned(policy, path), path, scrub="unlink")
    assert release.scrub is not None
    return release.scrub, release_text(release)


def altered(folder: Path, *statements: str) -> Path:
    path = clinic_file(folder)
    with duckdb.connect(str(path)) as connection:
        for each in statements:
            connection.execute(each)
    return path


TOLD = {
    "view seen": "CREATE VIEW seen AS SELECT visit FROM patients WHERE disease <> '{value}'",
    "macro seen": "CREATE MACRO seen(x) AS x = 'it''s {value}'",
    "macro rows": "CREATE MACRO rows() AS TABLE SELECT '{value}' AS v",
    "table apart.other": "CREATE TABLE apart.other (a VARCHAR DEFAULT 'x{value}')",
    "table checked": "CREATE TABLE checked (a VARCHAR CHECK (a <> '{value}'))",
    "table pivoted": 'CREATE TABLE pivoted ("{value}" INTEGER)',
    "table patients": "COMMENT ON TABLE patients IS 'all but {value}'",
    "column patients.visit": "COMMENT ON COLUMN patients.visit IS '{value}'",
    "type feeling": "CREATE TYPE feeling AS ENUM ('{value}', 'x')",
    "type apart.short": "CREATE TYPE apart.short AS ENUM ('Q01')",
    "table listed": "CREATE TABLE listed (a ENUM ('Q01', 'Q02'))",
}


@pytest.mark.parametrize("called", TOLD)
def test_what_in_the_catalog_tells_a_value_is_named_and_the_value_is_not(
    called: str, tmp_path: Path
) -> None:
    path = altered(
        tmp_path,
        "UPDATE patients SET name = 'Q01' WHERE id = 1",
        "CREATE SCHEMA apart",
        TOLD[called].format(value=VALUE),
    )
    scrub, text = scrubbed(path)
    assert scrub.told == (called,)
    assert not scrub.satisfied
    assert called in text
    for value in ("canary", "Q01"):
        assert value not in text + str(scrub.to_dict())
    assert scrub.to_dict()["in_catalog"] == [called]
    assert scrub_database(clinic_policy(), path).satisfied


UNTOLD = {
    "a value that a table holds": [
        "CREATE TABLE bill AS SELECT name FROM patients WHERE id = 0",
        f"CREATE VIEW seen AS SELECT '{VALUE}' AS n",
    ],
    "a label that a column holds": [
        "UPDATE patients SET name = 'Q01' WHERE id = 1",
        "CREATE TYPE brief AS ENUM ('Q01')",
        "CREATE TABLE bill AS SELECT 'Q01' AS code",
    ],
    "a short text that is no label": [
        "UPDATE patients SET name = 'Q01' WHERE id = 1",
        "CREATE VIEW seen AS SELECT 'a Q01' AS n",
    ],
    "a name that needs no quotes": [
        "UPDATE patients SET name = 'somebody' WHERE id = 1",
        "CREATE TABLE somebody (a INTEGER)",
    ],
    "a value that is shown": [
        "CREATE VIEW seen AS SELECT visit FROM patients WHERE disease='cold'"
    ],
}


@pytest.mark.parametrize("case", UNTOLD)
def test_what_tells_no_value_that_only_the_source_had_is_not_named(
    case: str, tmp_path: Path
) -> None:
    assert scrubbed(altered(tmp_path, *UNTOLD[case]))[0].told == ()
