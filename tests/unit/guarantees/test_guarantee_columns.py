"""What guarantees make of columns: their types, orders, hierarchies, references, and each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from auditing import (
    AUDITED,
    COMPARED,
    KNOWN,
    SOURCE,
    TREE,
    WEIGHT,
    Case,
    Sensitive,
    audited,
    load,
    people,
    table_of,
)
from oracle import Row, Value
from oracle_models import Guarantee
from sqlgen import audit_table, read_policy
from sqlgen.errors import PolicyError

ORDERED: Guarantee = ("t_closeness", {"distance": "ordered", "t": 1})
NUMBERS: tuple[Value, ...] = (10, 9, -1)
DECIMALS: tuple[Value, ...] = (Decimal("10.0"), Decimal("9.5"), Decimal("-1.5"))
DAYS: tuple[Value, ...] = (date(2024, 1, 10), date(2023, 12, 31), date(2024, 1, 9))
TEXTS: tuple[Value, ...] = ("10", "9.50", "-1")


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for every table."""
    with duckdb.connect(config={"threads": 1}) as opened:
        yield opened


@pytest.mark.battery
@pytest.mark.parametrize(
    ("kind", "values", "order", "middle"),
    [
        ("INTEGER", NUMBERS, "numeric", 9),
        ("INTEGER", NUMBERS, "text", 10),
        ("INTEGER", NUMBERS, ["9", "-1", "10"], -1),
        ("DECIMAL(9,1)", DECIMALS, "numeric", Decimal("9.5")),
        ("DECIMAL(9,1)", DECIMALS, "text", Decimal("10.0")),
        ("DECIMAL(9,1)", DECIMALS, ["9.50", "-1.5", "10"], Decimal("-1.5")),
        ("DATE", DAYS, "numeric", date(2024, 1, 9)),
        ("DATE", DAYS, "text", date(2024, 1, 9)),
        ("DATE", DAYS, ["2024-01-09", "2023-12-31", "2024-01-10"], date(2023, 12, 31)),
        ("VARCHAR", TEXTS, "numeric", "9.50"),
        ("VARCHAR", TEXTS, "text", "10"),
        ("VARCHAR", TEXTS, ["9.50", "-1", "10"], "-1"),
        ("VARCHAR", ("a", "B", "ä"), "text", "a"),
    ],
    ids=str,
)
def test_a_column_is_ordered_as_it_says(
    connection: duckdb.DuckDBPyConnection,
    kind: str,
    values: Sequence[Value],
    order: str | Sequence[str],
    middle: Value,
) -> None:
    # Of three equally frequent values the middle one is 1/3 from all, the others 1/2.
    for value in values:
        case = table_of(
            {value == middle: [value], "rest": [v for v in values if v != value]},
            Sensitive("s", kind, order),
        )
        (found,) = audited(connection, case, ORDERED)
        expected = 1 / 3 if value == middle else 1 / 2
        assert found.value == pytest.approx(expected), value


def test_values_that_do_not_occur_are_no_positions(connection: duckdb.DuckDBPyConnection) -> None:
    for order in (["a", "b", "c"], ["z", "a", "y", "x", "b", "c", "w"]):
        case = table_of({1: "a", 2: "b", 3: "c"}, Sensitive("s", order=order))
        (found,) = audited(connection, case, ORDERED)
        assert found.figures[0] == pytest.approx(1 / 3)
    # Those of a reference are: b stands between a and c, though nobody in the table has it.
    case = table_of({1: "a"}, Sensitive("s", order="text"), known=people(*"abc"))
    (found,) = audited(
        connection, case, (ORDERED[0], {**ORDERED[1], "reference": {"table": KNOWN}})
    )
    assert found.value == pytest.approx(1 / 2)


@pytest.mark.parametrize("order", [["a", "b"], "numeric"], ids=str)
@pytest.mark.parametrize("stray", ["table", "reference"])
def test_a_value_without_a_place_in_the_order_is_refused_and_not_shown(
    connection: duckdb.DuckDBPyConnection, order: Any, stray: str
) -> None:
    known = ["1" if order == "numeric" else "a", "secret"]
    case = table_of(
        {1: known if stray == "table" else known[:1]},
        Sensitive("s", order=order),
        known=people(*known),
    )
    with pytest.raises(PolicyError, match=r"1 distinct value \(. rows?\) of s have no") as told:
        audited(connection, case, (ORDERED[0], {**ORDERED[1], "reference": {"table": KNOWN}}))
    assert "secret" not in str(told.value)


def test_a_missing_quasi_identifier_counts_as_fully_general(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    load(connection, AUDITED, {"s": "VARCHAR"}, [{"s": s} for s in "aab"])
    policy = read_policy(
        {
            "source": {"table": SOURCE},
            "columns": {
                "q": {"role": "quasi", "hierarchy": "suppress"},
                "s": {"role": "sensitive"},
            },
            "guarantees": [{"alpha_k_anonymity": {"column": "s", "alpha": "0.666666667", "k": 3}}],
        }
    )
    (found,) = audit_table(policy, AUDITED, connection).guarantees
    assert found.satisfied
    assert found.figures == pytest.approx([2 / 3] * 5)


def test_weights_are_shares_of_their_sum(connection: duckdb.DuckDBPyConnection) -> None:
    # The class is 1/2 a, 1/4 b, 1/4 c; d weighs nothing, so it is no value of the reference.
    groups = {1: "aabc"}
    asked: Guarantee = (
        "ratio_closeness",
        {"epsilon": "0.693147181", "reference": {"table": KNOWN, "weight": WEIGHT}},
    )
    weights = ("0.25", "0.50", "0.25", "0"), ("1", "2", "1", "0"), ("10.1", "20.2", "10.1", "0")
    for each in weights:
        case = table_of(groups, known=people(*"abcd", weights=each))
        (found,) = audited(connection, case, asked)
        assert found.satisfied
        assert found.value == pytest.approx(math.log(2))
    split = people(*"abbcd", weights=("1", "1.5", "0.5", "1", "0"))
    assert audited(connection, table_of(groups, known=split), asked)[0].satisfied


@pytest.mark.parametrize(
    "weights", [("0", "0"), ("1", "-1"), ("-1", "3")], ids=["nothing", "cancelled", "negative"]
)
def test_weights_that_are_no_distribution_are_refused(
    connection: duckdb.DuckDBPyConnection, weights: Sequence[str]
) -> None:
    case = table_of({1: "ab"}, known=people(*"ab", weights=weights))
    against = {"table": KNOWN, "weight": WEIGHT}
    with pytest.raises(PolicyError):
        audited(connection, case, ("skewness", {"at_most": 9, "reference": against}))


def test_a_value_that_the_reference_lacks_is_infinitely_far(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    case = table_of({1: "ab", 2: "aa"}, known=people("a"))
    unbounded: list[Guarantee] = [
        ("t_closeness", {"distance": "kl", "t": 9}),
        ("ratio_closeness", {"epsilon": 20}),
        ("delta_disclosure", {"delta": 20, "absent": "ignore"}),
        ("beta_likeness", {"beta": 999999}),
        ("beta_likeness", {"beta": 999999, "enhanced": True}),
        ("skewness", {"at_most": 999999}),
    ]
    known = [(name, {**each, "reference": {"table": KNOWN}}) for name, each in unbounded]
    for found in audited(connection, case, *known):
        assert (found.value, found.failing_classes) == (math.inf, 1)
        assert found.to_dict()["measured"] == "infinite"


def test_a_source_without_rows_vouches_for_nothing(connection: duckdb.DuckDBPyConnection) -> None:
    column = Sensitive("s", order="text", hierarchy=TREE)
    case = table_of({1: "ab", 2: "aa"}, column)
    against = [(name, {**each, "reference": "source"}) for name, each in COMPARED]
    for found in audited(connection, case, *against):
        assert not found.satisfied, found


def test_a_value_that_is_named_twice_is_one(connection: duckdb.DuckDBPyConnection) -> None:
    case = table_of({1: "aab", 2: "abb"})
    settings = {"l": 2, "c": 3, "protected_share": "33%"}
    name = "recursive_l_diversity"
    for protected, failing in ((["a"], 0), (["a", "a"], 0), (["a", "b", "a"], 0), (["a", "c"], 2)):
        (found,) = audited(connection, case, (name, {**settings, "protected": protected}))
        assert found.failing_classes == failing, protected


def test_values_that_the_type_of_the_column_cannot_hold_do_not_occur(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    case = table_of({1: [1, 1, 2]}, Sensitive("s", "INTEGER"))
    alpha, disclosed, grouped = audited(
        connection,
        case,
        ("alpha_k_anonymity", {"alpha": "0.1", "k": 1, "values": ["many"]}),
        ("recursive_l_diversity", {"l": 2, "c": 2, "disclosable": ["many"]}),
        ("similarity", {"groups": {"one": ["1", "many"], "two": ["2"]}, "at_most": 0}),
    )
    assert (alpha.value, alpha.satisfied) == (0, True)
    assert (disclosed.value, disclosed.satisfied) == (2, False)
    assert grouped.satisfied


@pytest.mark.parametrize(
    ("limit", "met"), [("3", True), ("2", False), ("50%", True), ("49.9999999%", False)]
)
def test_a_limit_counts_the_rows_of_the_table(
    connection: duckdb.DuckDBPyConnection, limit: str, met: bool
) -> None:
    case = table_of({1: "aaa", 2: "abc"})
    (found,) = audited(connection, case, ("homogeneity", {"at_most": limit}))
    assert (found.value, found.failing_classes, found.satisfied) == (3, 0, met)


def test_texts_are_told_apart_whatever_their_collation(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    column = Sensitive("s", "VARCHAR COLLATE NOCASE", "text")
    case = table_of({1: "aA", 2: "aa"}, column)
    distinct, ordered = audited(connection, case, ("distinct_l_diversity", {"l": 2}), ORDERED)
    assert (distinct.figures, distinct.failing_classes) == ((1, 1, 1, 2, 2), 1)
    assert ordered.value == pytest.approx(1 / 4)


def test_jointly_every_other_sensitive_column_of_the_table_parts_a_class(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    s, v = Sensitive("s"), Sensitive("v")
    pairs = [("a", None), ("b", None), ("a", "x"), ("b", "x"), ("b", "x")]
    rows: list[Row] = [{"q": "1", "s": a, "v": b} for a, b in pairs]
    two: Guarantee = ("distinct_l_diversity", {"l": 2, "jointly": True})
    (found,) = audited(connection, Case({"q": "VARCHAR"}, [s, v], rows), two)
    assert (found.value, found.satisfied) == (2, True)
    rows[1] = {"q": "1", "s": "b", "v": "y"}
    (found,) = audited(connection, Case({"q": "VARCHAR"}, [s, v], rows), two)
    assert (found.value, found.failing_classes, found.failing_rows) == (1, 1, 5)
    (found,) = audited(connection, Case({"q": "VARCHAR"}, [s], rows), two)
    assert (found.value, found.satisfied) == (2, True)


def test_persons_are_counted_in_place_of_rows_and_part_no_class(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    # Class x: person 1 twice and two rows of nobody, who may be one; class y: persons 2 and 3.
    told = [("x", "a", 1), ("x", "b", 1), ("x", "a", None), ("x", "b", None), ("y", "c", 2)]
    rows: list[Row] = [{"q": q, "s": s, "person": p} for q, s, p in [*told, ("y", "d", 3)]]
    case = Case({"q": "VARCHAR"}, [Sensitive("s")], rows, persons="person")
    by_rows, two, three, jointly = audited(
        connection,
        case,
        ("k_anonymity", {"k": 2}),
        ("k_anonymity", {"k": 2, "unit": "person"}),
        ("k_anonymity", {"k": 3, "unit": "person"}),
        ("distinct_l_diversity", {"l": 2, "jointly": True}),
    )
    assert (by_rows.figures, by_rows.satisfied) == ((2, 2, 2, 4, 4), True)
    assert (two.figures, two.satisfied) == ((2, 2, 2, 2, 2), True)
    assert (three.failing_classes, three.failing_rows) == (2, 6)
    assert (jointly.value, jointly.satisfied) == (2, True)
