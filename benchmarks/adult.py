"""The Adult data: its policies, tables made larger from it, and the optima known for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from measuring import drawn, quoted

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
COLUMNS = (*QUASI[:-1], "occupation", QUASI[-1])
ROWS = 30_162

_BLOCK = 10_000_000


@dataclass(frozen=True)
class Share:
    """The optimum at k = 5 for a share of suppression, and what proving it may take.

    ``most_verdicts`` is the time of a plan in a warm process, in verdicts on the optimum's cells.
    """

    words: str
    levels: tuple[int, ...]
    loss: float
    suppressed_rows: int
    classes: int
    most_nodes: int
    most_verdicts: int


SHARES = (
    Share("0%", (0, 4, 1, 2, 3, 2, 0, 0), 0.54221083, 0, 26, 100, 80),
    Share("2%", (0, 3, 0, 2, 2, 1, 1, 0), 0.24647716, 506, 222, 300, 200),
    Share("5%", (0, 3, 0, 0, 2, 1, 1, 0), 0.17012279, 1346, 397, 150, 110),
)


@dataclass(frozen=True)
class Model:
    """A guarantee beside k = 5 at 2 % suppression, its optimum's loss, and the nodes allowed."""

    name: str
    guarantee: Mapping[str, Any] | None
    most_nodes: int
    aim: int | None = None
    loss: float | None = None
    column: Mapping[str, Any] = field(default_factory=dict)


def closeness(distance: str, **others: Any) -> dict[str, Any]:
    """The guarantee that occupation is within 0.2 of its reference."""
    return {"t_closeness": {"column": "occupation", "t": 0.2, "distance": distance, **others}}


def diversity(kind: str, **others: Any) -> dict[str, Any]:
    """A guarantee that classes are diverse in occupation."""
    return {f"{kind}_l_diversity": {"column": "occupation", **others}}


def models(folder: Path) -> tuple[Model, ...]:
    """The guarantees of the issue's table; aims are twice the smallest certificates known."""
    tree = {"hierarchy": hierarchy(folder, "occupation")}
    source = {"reference": "source"}
    return (
        Model("distinct 5", diversity("distinct", l=5), 350, 88, 0.27608066),
        Model("entropy 5", diversity("entropy", l=5), 640, 532, 0.40397594),
        Model("recursive (4,3)", diversity("recursive", c=4, l=3), 360, 116, 0.25545291),
        Model("t 0.2 equal", closeness("equal", **source), 125, 106, 0.81500319),
        Model(
            "t 0.2 hierarchical",
            closeness("hierarchical", **source),
            370,
            None,
            0.73514037,
            tree,
        ),
        Model(
            "t 0.2 ordered",
            closeness("ordered", **source),
            340,
            150,
            0.25479676,
            {"order": "text"},
        ),
    )


def hierarchy(folder: Path, column: str) -> dict[str, str]:
    """The list of a column's levels, as a policy names it."""
    return {"csv": str(folder / f"adult_hierarchy_{column}.csv"), "delimiter": ";"}


def adult_policy(
    folder: Path,
    share: str = "2%",
    guarantee: Mapping[str, Any] | None = None,
    table: str = "adult",
    *,
    sensitive: Mapping[str, Any] | None = None,
    others: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The benchmark's policy: eight quasi-identifiers, occupation sensitive, k = 5 and more."""
    quasi = {name: {"role": "quasi", "hierarchy": hierarchy(folder, name)} for name in QUASI}
    return {
        "source": {"table": table},
        "columns": {
            **quasi,
            "occupation": {"role": "sensitive", **(sensitive or {})},
            **{name: {"role": "other"} for name in others},
        },
        "guarantees": [{"k_anonymity": {"k": 5}}, *([guarantee] if guarantee else [])],
        "suppression": share,
        "objective": "loss",
        "release": {"table": f"{table}_anon"},
    }


def load(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Make the table `adult`, all of it text."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS adult AS "
        "FROM READ_CSV(?, delim = ';', header = TRUE, all_varchar = TRUE)",
        [str(folder / "adult.csv")],
    )


def load_coded(connection: duckdb.DuckDBPyConnection, folder: Path, coded: Path) -> None:
    """Make the table `adult_coded`: quasi-identifiers as numbers, in the order of their labels.

    Their hierarchies, with the numbers as values, are written to the folder `coded`. Numbers have
    ranges; text has none.
    """
    coded.mkdir(exist_ok=True)
    codes = []
    for column in QUASI:
        path = hierarchy(folder, column)["csv"]
        lines = [line.split(";") for line in Path(path).read_text(encoding="utf-8").splitlines()]
        lines.sort(key=lambda labels: labels[::-1])
        written = [";".join((str(code), *labels[1:])) for code, labels in enumerate(lines, 1)]
        target = Path(hierarchy(coded, column)["csv"])
        target.write_text("\n".join(written) + "\n", encoding="utf-8")
        pairs = ", ".join(f"({code}, {_text(labels[0])})" for code, labels in enumerate(lines, 1))
        codes.append(
            f'JOIN (VALUES {pairs}) AS "{column}_code" (code, label) '
            f'ON "{column}_code".label = adult."{column}"'
        )
    numbers = ", ".join(f'"{column}_code".code AS "{column}"' for column in QUASI)
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS adult_coded AS SELECT {numbers}, occupation "
        f"FROM adult {' '.join(codes)}"
    )


def _text(text: str) -> str:
    """A text as SQL."""
    return "'" + text.replace("'", "''") + "'"


def scale(
    connection: duckdb.DuckDBPyConnection, name: str, rows: int, permuted: tuple[str, ...]
) -> None:
    """Make a table of so many rows of `adult`, some columns permuted independently.

    A column keeps its values, and its share of each; only combinations multiply. One version of
    DuckDB makes the same rows every time: no random(), but an order by a hash of seed and row.
    """
    connection.execute(f"CREATE TABLE {name} AS FROM adult LIMIT 0")
    kept = tuple(column for column in COLUMNS if column not in permuted)
    for start in range(0, rows, _BLOCK):
        stop = min(start + _BLOCK, rows)
        parts = [_part(kept, "i", start, stop)] if kept else []
        parts += [_part((column,), f"{drawn(column)}, i", start, stop) for column in permuted]
        joined = " POSITIONAL JOIN ".join(parts)
        connection.execute(f"INSERT INTO {name} SELECT {quoted(COLUMNS)} FROM {joined}")


def _part(columns: tuple[str, ...], order: str, start: int, stop: int) -> str:
    """Some columns of rows start to stop, `adult` being repeated, in an order."""
    return f"""(
        SELECT {quoted(columns)}
        FROM (SELECT i, i % {ROWS} AS place FROM range({start}, {stop}) AS numbers (i))
        JOIN (SELECT rowid AS place, * FROM adult) USING (place)
        ORDER BY {order}
    )"""


def add_others(connection: duckdb.DuckDBPyConnection, name: str, source: str, rows: int) -> None:
    """Make a copy of a table with a number of its own per row, `visit`, and a text, `note`."""
    connection.execute(f"""
        CREATE TABLE {name} AS
        SELECT * EXCLUDE (i), i AS visit, 'note ' || {drawn("note")} % 100000 AS note
        FROM {source} POSITIONAL JOIN (
            SELECT i FROM range({rows}) AS numbers (i) ORDER BY {drawn("visit")}, i
        )
    """)


def verdict_cells(
    connection: duckdb.DuckDBPyConnection, folder: Path, levels: tuple[int, ...]
) -> None:
    """Make the temporary table `verdict_cells`: ids of a node's labels, one row per finest class.

    This is what a verdict costs at least: its cells are there already, in the smallest type.
    """
    lists, ids, values = [], [], []
    for place, (column, level) in enumerate(zip(QUASI, levels, strict=True)):
        path = hierarchy(folder, column)["csv"].replace("'", "''")
        lists.append(f"""JOIN (
            SELECT column0, (dense_rank() OVER (ORDER BY column{level}) - 1)::UTINYINT AS id{place}
            FROM READ_CSV('{path}', delim = ';', header = FALSE, all_varchar = TRUE)
        ) AS list{place} ON adult."{column}" = list{place}.column0""")
        ids.append(f"id{place}")
        values.append(f'adult."{column}"')
    connection.execute(f"""
        CREATE OR REPLACE TEMP TABLE verdict_cells AS
        SELECT {", ".join(ids)}, count(*)::UINTEGER AS n
        FROM adult {" ".join(lists)}
        GROUP BY {", ".join((*values, *ids))}
    """)


def verdict(k: int) -> str:
    """The statement that counts classes of `verdict_cells`, and the rows of those below k."""
    ids = ", ".join(f"id{place}" for place in range(len(QUASI)))
    return (
        f"SELECT count(*), coalesce(sum(n) FILTER (n < {k}), 0) "
        f"FROM (SELECT sum(n) AS n FROM verdict_cells GROUP BY {ids})"
    )
