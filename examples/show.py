"""Print rows of a release as a reader sees them: ``python show.py FILE TABLE [ROWS]``."""

import sys

import duckdb


def main() -> None:
    """Print the first rows of a table of a DuckDB file."""
    database, table, *limit = sys.argv[1:]
    with duckdb.connect(database, read_only=True) as connection:
        rows = connection.table(table).limit(int(limit[0]) if limit else 20)
        print("\t".join(rows.columns))
        for row in rows.fetchall():
            print("\t".join("" if value is None else str(value) for value in row))


if __name__ == "__main__":
    main()
