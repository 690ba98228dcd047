"""Plans for the Adult data, beside the optima that are known for them.

    python benchmarks/adult.py FOLDER

FOLDER holds adult.csv and one adult_hierarchy_COLUMN.csv per column, separated by semicolons.
Prints one JSON line per share of suppression, and exits with 1 where a plan is not the known
optimum. Times are the best of several plans in one process.
"""

import argparse
import json
from pathlib import Path

import duckdb

from sqlgen import make_plan, read_policy

QUASI = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "salary-class",
)

# Per share of suppression: levels, loss, suppressed rows and classes of the optimum at k = 5.
KNOWN = {
    "0%": ((0, 4, 1, 2, 3, 2, 0, 0), 0.54221083, 0, 26),
    "2%": ((0, 3, 0, 2, 2, 1, 1, 0), 0.24647716, 506, 222),
    "5%": ((0, 3, 0, 0, 2, 1, 1, 0), 0.17012279, 1346, 397),
}


def main() -> int:
    """Plan each case; 0 where every plan is the known optimum."""
    parser = argparse.ArgumentParser(description="Plan the Adult data at k = 5.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE adult AS SELECT * FROM READ_CSV(?, delim = ';', all_varchar = TRUE)",
        [str(arguments.folder / "adult.csv")],
    )
    good = True
    for share, known in KNOWN.items():
        policy = read_policy(adult_policy(arguments.folder.resolve(), share))
        plans = [make_plan(policy, connection) for _ in range(arguments.repeats)]
        plan = min(plans, key=lambda each: each.seconds["total"])
        levels = tuple(plan.levels[column] for column in QUASI)
        found = (levels, round(plan.loss, 8), plan.suppressed_rows, plan.classes)
        good = good and found == known
        print(json.dumps({"suppression": share, "known": found == known, **plan.to_dict()}))
    return 0 if good else 1


def adult_policy(folder: Path, share: str) -> dict[str, object]:
    """The benchmark's policy: eight quasi-identifiers, occupation sensitive, k = 5."""
    hierarchies = {
        column: {"csv": str(folder / f"adult_hierarchy_{column}.csv"), "delimiter": ";"}
        for column in QUASI
    }
    quasi = {column: {"role": "quasi", "hierarchy": hierarchies[column]} for column in QUASI}
    return {
        "source": {"table": "adult"},
        "columns": {**quasi, "occupation": {"role": "sensitive"}},
        "guarantees": [{"k_anonymity": {"k": 5}}],
        "suppression": share,
        "objective": "loss",
    }


if __name__ == "__main__":
    raise SystemExit(main())
