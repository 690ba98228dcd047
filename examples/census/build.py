"""Make census.duckdb, a table of invented people; the same seed gives the same rows everywhere."""

import argparse
import tempfile
from pathlib import Path

import duckdb

HERE = Path(__file__).resolve().parent


def build(database: Path, rows: int, seed: int) -> None:
    """Write `people` into a new DuckDB file, which gets its name only when it is complete."""
    with tempfile.TemporaryDirectory(dir=database.parent) as scratch:
        unfinished = Path(scratch) / "census.duckdb"
        quoted = str(unfinished).replace("'", "''")
        with duckdb.connect(config={"temp_directory": scratch}) as connection:
            # DuckDB 1.x cannot read the format in which 2.0 writes a new file by default.
            connection.execute(f"ATTACH '{quoted}' AS census (STORAGE_VERSION 'v1.2.0')")
            connection.execute("USE census")
            connection.execute(f"SET VARIABLE rows = {rows:d}")
            connection.execute(f"SET VARIABLE seed = {seed:d}")
            connection.execute((HERE / "census.sql").read_text(encoding="utf-8"))
            connection.execute("USE memory")
            connection.execute("DETACH census")
        unfinished.replace(database)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", type=Path, default=HERE / "census.duckdb")
    parser.add_argument("--replace", action="store_true", help="replace the file if it exists")
    arguments = parser.parse_args()
    if arguments.database.exists() and not arguments.replace:
        parser.error(f"{arguments.database} exists; --replace makes it anew")
    build(arguments.database, arguments.rows, arguments.seed)
    print(f"{arguments.database.name}: people, {arguments.rows:,} rows, seed {arguments.seed}")


if __name__ == "__main__":
    main()
