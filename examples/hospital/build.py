"""Make hospital.duckdb, which holds the example tables of two papers."""

import argparse
from pathlib import Path

import duckdb

HERE = Path(__file__).resolve().parent


def build(database: Path) -> None:
    """Write `inpatients` and `patients` into a new DuckDB file."""
    quoted = str(database).replace("'", "''")
    with duckdb.connect() as connection:
        # DuckDB 1.x cannot read the format in which 2.0 writes a new file by default.
        connection.execute(f"ATTACH '{quoted}' AS hospital (STORAGE_VERSION 'v1.2.0')")
        connection.execute("USE hospital")
        connection.execute((HERE / "hospital.sql").read_text(encoding="utf-8"))
        connection.execute("USE memory")
        connection.execute("DETACH hospital")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", type=Path, default=HERE / "hospital.duckdb")
    parser.add_argument("--replace", action="store_true", help="replace the file if it exists")
    arguments = parser.parse_args()
    if arguments.database.exists() and not arguments.replace:
        parser.error(f"{arguments.database} exists; --replace makes it anew")
    arguments.database.unlink(missing_ok=True)
    build(arguments.database)
    print(
        f"{arguments.database.name}: inpatients, 12 rows; patients, 9 rows; salaries, 9 rows; "
        "five published tables"
    )


if __name__ == "__main__":
    main()
