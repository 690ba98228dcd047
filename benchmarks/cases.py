"""Every case by its name, and the tables that cases read."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import duckdb

import adult
import invented
import memory
import recodings
import searches
import trips
from measuring import Figure, Setting

_CHECKOUT = Path(__file__).resolve().parents[1]
_MILLION = 33 * adult.ROWS

Maker = Callable[[duckdb.DuckDBPyConnection, Setting], None]


def _make_others(connection: duckdb.DuckDBPyConnection, setting: Setting) -> None:
    adult.add_others(connection, "adult_others", "adult_big", setting.rows)


def _make_huge(connection: duckdb.DuckDBPyConnection, setting: Setting) -> None:
    adult.scale(connection, "adult_huge", 10 * setting.rows, adult.COLUMNS)


TABLES: Mapping[str, Maker] = {
    "adult": lambda connection, setting: adult.load(connection, setting.adult),
    "adult_million": lambda connection, _: adult.scale(
        connection, "adult_million", _MILLION, ("age", "education")
    ),
    "adult_big": lambda connection, setting: adult.scale(
        connection, "adult_big", setting.rows, adult.COLUMNS
    ),
    "adult_small": lambda connection, _: adult.scale(
        connection, "adult_small", 100_000, adult.COLUMNS
    ),
    "adult_permuted": lambda connection, _: adult.scale(
        connection, "adult_permuted", _MILLION, adult.COLUMNS
    ),
    "adult_others": _make_others,
    "adult_huge": _make_huge,
    "births": lambda connection, setting: invented.make_births(connection, setting.rows),
    "births_small": lambda connection, _: invented.make_births(connection, 100_000, "births_small"),
    "visits": lambda connection, _: invented.make_visits(connection, 1_000_000, "visits"),
    "visits_small": lambda connection, _: invented.make_visits(connection, 20_190, "visits_small"),
    "wide": lambda connection, _: invented.make_wide(connection, 100_000),
    "many_values": lambda connection, _: invented.make_values(connection, 2_000_000),
}


def make_tables(setting: Setting, names: tuple[str, ...]) -> None:
    """Make those tables of the scratch database that are not there yet."""
    with setting.connect() as connection:
        there = {name for (name,) in connection.execute("SHOW TABLES").fetchall()}
        for name in names:
            if name not in there:
                TABLES[name](connection, setting)


def _cold(setting: Setting) -> list[Figure]:
    database = setting.scratch / "cold.duckdb"
    with duckdb.connect(str(database)) as connection:
        invented.make_births(connection, 1_000)
    policy = invented.births_policy()
    policy["source"]["database"] = str(database)
    written = setting.scratch / "cold.yml"
    written.write_text(json.dumps(policy), encoding="utf-8")
    plan = _command("-m", "sqlgen", "plan", str(written))
    detail = {"import_duckdb": _command("-c", "import duckdb"), "python": _command("-c", "pass")}
    return [Figure("sqlgen plan, 1,000 rows", plan, "s", 1, None, detail)]


def _command(*arguments: str) -> float:
    """The seconds of a Python process, best of five."""
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=_CHECKOUT, check=True, capture_output=True)
        seconds.append(time.perf_counter() - started)
    return min(seconds)


@dataclass(frozen=True)
class Case:
    """What a case measures, and the tables that it needs, in the order of their making."""

    measure: Callable[[Setting], list[Figure]]
    tables: tuple[str, ...] = ()
    only_by_name: bool = False


_BIG = ("adult", "adult_big")

CASES: Mapping[str, Case] = MappingProxyType(
    {
        "k": Case(trips.k, _BIG),
        "distinct": Case(trips.distinct, _BIG),
        "ordered": Case(trips.ordered, _BIG),
        "others": Case(trips.others, (*_BIG, "adult_others")),
        "equal1m": Case(trips.equal1m, ("adult", "adult_million")),
        "adult_suppression": Case(searches.adult_suppression),
        "adult_models": Case(searches.adult_models),
        "adult_1m_nodes": Case(searches.adult_1m_nodes, ("adult", "adult_million")),
        "births": Case(trips.births, ("births",)),
        "units": Case(trips.units, ("visits_small", "visits")),
        "memory": Case(memory.memory, ("births_small", "births")),
        "wide": Case(searches.wide, ("wide",)),
        "values": Case(searches.values, ("many_values",)),
        "cold": Case(_cold),
        "local": Case(recodings.local),
        "local_models": Case(recodings.local_models),
        "local_million": Case(recodings.local_million, ("adult", "adult_permuted")),
        "local_big": Case(recodings.local_big, _BIG),
        "local_big_close": Case(recodings.local_big_close, _BIG),
        "local_wide": Case(recodings.local_wide, ("wide",)),
        "mondrian": Case(recodings.mondrian),
        "mondrian_million": Case(recodings.mondrian_million, ("adult", "adult_permuted")),
        "mondrian_big": Case(recodings.mondrian_big, _BIG),
        "anatomy": Case(recodings.anatomy, ("adult", "adult_permuted")),
        "anatomy_big": Case(recodings.anatomy_big, _BIG),
        "local_memory": Case(recodings.local_memory, (*_BIG, "adult_small")),
        "huge": Case(trips.huge, (*_BIG, "adult_huge"), only_by_name=True),
    }
)
