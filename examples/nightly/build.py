"""Make warehouse.duckdb, a hospital's admissions up to some day; a later day has more of them."""

import argparse
from pathlib import Path

import duckdb

HERE = Path(__file__).resolve().parent

# Drawn by multiplying, so that every version of the engine draws the same.
ADMISSIONS = """
CREATE OR REPLACE TABLE warehouse.admissions AS
SELECT
  i AS admission_id,
  'P' || LPAD(CAST(i * 48271 % 39989 AS VARCHAR), 6, '0') AS patient_id,
  DATE '2026-01-01' + CAST(i // 100 AS INTEGER) AS admitted,
  CAST(18 + i * 7919 % 1009 % 75 AS INTEGER) AS age,
  CASE i * 31 % 101 % 2 WHEN 0 THEN 'f' ELSE 'm' END AS sex,
  CAST(47000 + (i * 613 % 911 % 3) * 1100 + i * 97 % 499 % 20 AS VARCHAR) AS zip,
  CAST(['flu', 'fracture', 'asthma', 'gastritis', 'migraine'][1 + i * 389 % 757 % 5] AS VARCHAR)
    AS diagnosis
FROM RANGE(100 * $days) AS admission (i)
"""


def main() -> None:
    """Write the admissions of so many days, 100 a day."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=60)
    days = parser.parse_args().days
    path = HERE / "warehouse.duckdb"
    with duckdb.connect() as connection:
        quoted = str(path).replace("'", "''")
        version = "" if path.exists() else " (STORAGE_VERSION 'v1.2.0')"
        connection.execute(f"ATTACH '{quoted}' AS warehouse{version}")
        connection.execute(ADMISSIONS, {"days": days})
    print(f"{path.name}: admissions, {100 * days:,} rows, {days} days")


if __name__ == "__main__":
    main()
