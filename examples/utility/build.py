"""Make utility.duckdb: invented defendants and invented incomes, the same rows everywhere.

The tables have the form of COMPAS and of Adult. Their figures are made up, and say nothing about
people.
"""

import argparse
from collections.abc import Mapping
from math import exp
from pathlib import Path
from random import Random

import duckdb
import pandas

HERE = Path(__file__).resolve().parent
DATABASE = HERE / "utility.duckdb"

RACES = {"African-American": 0.50, "Caucasian": 0.34, "Hispanic": 0.09, "Other": 0.07}
FAMILIES = {"married": 0.48, "never married": 0.32, "divorced": 0.16, "widowed": 0.04}
WORK = {"private": 0.72, "government": 0.14, "self-employed": 0.12, "none": 0.02}


def chosen(random: Random, shares: Mapping[str, float]) -> str:
    """One of some names, by their shares."""
    drawn = random.random()
    for name, share in shares.items():
        drawn -= share
        if drawn < 0:
            return name
    return name


def happens(random: Random, score: float) -> bool:
    """Whether something happens whose log-odds are the score."""
    return random.random() < 1 / (1 + exp(-score))


def defendant(random: Random) -> dict[str, object]:
    """Somebody who was charged: younger ones and those with priors come back more often."""
    race = chosen(random, RACES)
    age = 18 + int(50 * random.random() ** 2)
    priors = int(4 - 4 * random.random() ** 2 + 12 * random.random() ** 4)
    felony = random.random() < 0.64
    score = -0.25 + 0.16 * priors - 0.045 * (age - 30) + 0.25 * felony
    score += 0.35 * (race == "African-American") - 0.45
    return {
        "race": race,
        "sex": "male" if random.random() < 0.8 else "female",
        "age": age,
        "priors": priors,
        "charge": "felony" if felony else "misdemeanor",
        "came_back": "yes" if happens(random, score) else "no",
    }


def earner(random: Random) -> dict[str, object]:
    """Somebody with an income: schooling, hours and age raise it."""
    age = 17 + int(63 * random.random() ** 1.4)
    family = "never married" if age < 22 else chosen(random, FAMILIES)
    schooling = 6 + int(5 * random.random() + 6 * random.random() ** 2)
    hours = 10 * int(1 + 3 * random.random() + 3 * random.random())
    sex = "male" if random.random() < 0.66 else "female"
    score = -8.2 + 0.38 * schooling + 0.035 * hours + 0.025 * age
    score += 1.4 * (family == "married") + 0.3 * (sex == "male")
    return {
        "age": age,
        "sex": sex,
        "family": family,
        "schooling": schooling,
        "work": chosen(random, WORK),
        "hours": hours,
        "income": "above 50K" if happens(random, score) else "up to 50K",
    }


def main() -> None:
    """Write both tables into a new file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replace", action="store_true", help="replace the file if it exists")
    if DATABASE.exists():
        if not parser.parse_args().replace:
            parser.error(f"{DATABASE} exists; --replace makes it anew")
        DATABASE.unlink()
    random = Random(1)
    tables = {
        "defendants": pandas.DataFrame([defendant(random) for _ in range(6_000)]),
        "incomes": pandas.DataFrame([earner(random) for _ in range(20_000)]),
    }
    with duckdb.connect() as connection:
        # DuckDB 1.x cannot read the format in which 2.0 writes a new file by default.
        quoted = str(DATABASE).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS utility (STORAGE_VERSION 'v1.2.0')")
        for name, rows in tables.items():
            connection.register("invented", rows)
            columns = ", ".join(
                f"CAST({column} AS {'INTEGER' if rows[column].dtype == 'int64' else 'VARCHAR'}) "
                f"AS {column}"
                for column in rows.columns
            )
            connection.execute(f"CREATE TABLE utility.{name} AS SELECT {columns} FROM invented")
            connection.unregister("invented")
    counted = ", ".join(f"{name}, {len(rows):,} rows" for name, rows in tables.items())
    print(f"{DATABASE.name}: {counted}")


if __name__ == "__main__":
    main()
