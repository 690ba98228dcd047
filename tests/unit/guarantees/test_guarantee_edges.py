"""Guarantees at their edges, by an audit of tables whose figures are known."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from auditing import (
    COMPARED,
    KNOWN,
    TREE,
    Case,
    Sensitive,
    assert_agrees,
    audited,
    people,
    table_of,
)
from oracle import Row
from oracle_models import Guarantee
from sqlgen.cli.text.guarantees import family_text


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for every table."""
    with duckdb.connect(config={"threads": 1}) as opened:
        yield opened


@pytest.mark.parametrize("l", range(2, 13))
def test_classes_of_l_equally_frequent_values_have_entropy_l_diversity(
    connection: duckdb.DuckDBPyConnection,
    l: int,  # noqa: E741
) -> None:
    case = table_of({times: [*map(str, range(l))] * times for times in (1, 3, 7, 1000 // l)})
    name = "entropy_l_diversity"
    exact, more = audited(connection, case, (name, {"l": l}), (name, {"l": f"{l}.001"}))
    assert exact.satisfied
    assert exact.figures == pytest.approx([l] * 5)
    assert (more.failing_classes, more.satisfied) == (4, False)


def test_one_row_more_of_a_value_breaks_entropy_diversity(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    for l in range(2, 13):  # noqa: E741
        case = table_of({1: [*map(str, range(l))] * 50 + ["0"]})
        (found,) = audited(connection, case, ("entropy_l_diversity", {"l": l}))
        assert not found.satisfied


@pytest.mark.parametrize(
    ("counts", "l", "least"), [([98, 2], 2, 49), ([98, 1, 1], 3, 98)], ids=["98:2", "98:1:1"]
)
def test_recursive_diversity_is_strict(
    connection: duckdb.DuckDBPyConnection,
    counts: list[int],
    l: int,  # noqa: E741
    least: int,
) -> None:
    case = table_of({1: [str(s) for s, count in enumerate(counts) for _ in range(count)]})
    name = "recursive_l_diversity"
    at, above = audited(
        connection, case, (name, {"l": l, "c": least}), (name, {"l": l, "c": f"{least}.000001"})
    )
    assert (at.value, at.satisfied) == (least, False)
    assert (above.value, above.satisfied) == (least, True)


@pytest.mark.parametrize("reference", ["released", "source", "uniform", {"table": KNOWN}], ids=str)
def test_one_value_everywhere_is_as_close_as_can_be(
    connection: duckdb.DuckDBPyConnection, reference: Any
) -> None:
    column = Sensitive("s", order="text", hierarchy=TREE)
    case = table_of({1: "a", 2: "aaa"}, column, source=[{"q": "1", "s": "a"}], known=people("a"))
    against = [(name, {**each, "reference": reference}) for name, each in COMPARED]
    for found in audited(connection, case, *against):
        assert found.satisfied, found
        assert found.value == (1 if found.guarantee.name == "skewness" else 0)


def test_a_column_of_nulls_holds_one_value(connection: duckdb.DuckDBPyConnection) -> None:
    column = Sensitive("s", order="numeric", hierarchy=TREE)
    case = table_of({1: [None] * 3, 2: [None]}, column)
    distinct, attack, *compared = audited(
        connection,
        case,
        ("distinct_l_diversity", {"l": 1}),
        ("homogeneity", {"at_most": "100%"}),
        *COMPARED,
    )
    assert (distinct.value, distinct.satisfied) == (1, True)
    assert (attack.value, attack.satisfied) == (4, True)
    assert all(found.satisfied for found in compared)


def test_null_is_a_value_and_the_first_in_order(connection: duckdb.DuckDBPyConnection) -> None:
    column = Sensitive("s", order="numeric")
    case = table_of({1: [None], 2: ["10"], 3: ["9"], 4: [None, "9"]}, column)
    distinct, ordered = audited(
        connection,
        case,
        ("distinct_l_diversity", {"l": 2}),
        ("t_closeness", {"distance": "ordered", "t": 1}),
    )
    assert (distinct.failing_classes, distinct.figures) == (3, (1, 1, 1, 1, 2))
    # Q is 2/5 NULL, 2/5 nine, 1/5 ten. The prefixes of P - Q are, for nine alone, -2/5 and 1/5.
    assert ordered.figures == pytest.approx((0.15, 0.15, 0.3, 0.4, 0.6))


def test_a_row_without_quasi_identifier_is_a_class_of_one(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    case = table_of({None: ["a"], "x": ["a", "b"], "": ["a", "b", "b"]})
    k, distinct = audited(
        connection, case, ("k_anonymity", {"k": 2}), ("distinct_l_diversity", {"l": 2})
    )
    assert (k.value, k.failing_classes, k.failing_rows) == (1, 1, 1)
    assert (distinct.value, distinct.failing_classes, distinct.failing_rows) == (1, 1, 1)
    (k,) = audited(connection, table_of({None: "ab", "x": "ab"}), ("k_anonymity", {"k": 2}))
    assert (k.value, k.satisfied) == (2, True)


@pytest.mark.parametrize(
    ("distance", "at"),
    [("equal", "0.5"), ("variational", "0.5"), ("ordered", "0.5"), ("hierarchical", "0.25")],
)
def test_a_class_at_the_distance_t_is_t_close(
    connection: duckdb.DuckDBPyConnection, distance: str, at: str
) -> None:
    case = table_of({1: "aa", 2: "bb"}, Sensitive("s", order="text", hierarchy=TREE))
    below = f"{Decimal(at) - Decimal('0.000000001')}"
    name, settings = "t_closeness", {"distance": distance}
    exact, less = audited(
        connection, case, (name, {**settings, "t": at}), (name, {**settings, "t": below})
    )
    assert (exact.value, exact.satisfied) == (float(at), True)
    assert (less.failing_classes, less.failing_rows, less.satisfied) == (2, 4, False)


def test_the_order_of_rows_does_not_matter(connection: duckdb.DuckDBPyConnection) -> None:
    column = Sensitive("s", order="text", hierarchy=TREE)
    groups = {"x": "aabbbc", "y": "abcdd", "z": [*"cc", None], None: "dabba"}
    case = table_of(groups, column)
    many: list[Guarantee] = [
        *COMPARED,
        ("entropy_l_diversity", {"l": 2}),
        ("recursive_l_diversity", {"c": 2, "l": 2}),
        ("alpha_k_anonymity", {"alpha": "0.4", "k": 2}),
        ("similarity", {"level": 1, "at_most": 0}),
    ]
    told = []
    for rows in (case.rows, case.rows[::-1], [*case.rows[1::2], *case.rows[::2]]):
        found = audited(connection, Case(case.quasi, case.sensitive, rows), *many)
        told.append([each.to_dict() for each in found])
    assert told[0] == told[1] == told[2]


def test_one_diversity_is_always_satisfied(connection: duckdb.DuckDBPyConnection) -> None:
    case = table_of({1: "a", 2: "aaab", 3: [None]})
    one: list[Guarantee] = [
        (name, {"l": 1, "jointly": jointly, **more})
        for jointly in (False, True)
        for name, more in (
            ("distinct_l_diversity", {}),
            ("entropy_l_diversity", {}),
            ("recursive_l_diversity", {"c": "0.000000001"}),
            ("recursive_l_diversity", {"c": "0.000000001", "disclosable": ["a"]}),
        )
    ]
    assert all(found.satisfied for found in audited(connection, case, *one))
    guarded = {"l": 1, "c": 1, "protected": ["a"], "protected_share": "75%"}
    (found,) = audited(connection, case, ("recursive_l_diversity", guarded))
    assert (found.value, found.failing_classes) == (0, 1)


def test_a_table_without_rows_has_no_class_at_fault_and_gives_nothing(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    column = Sensitive("s", order="text", hierarchy=TREE)
    case = table_of({}, column, source=[{"q": "1", "s": "a"}])
    for found in audited(
        connection,
        case,
        ("k_anonymity", {"k": 2}),
        ("alpha_k_anonymity", {"alpha": 1, "k": 1}),
        ("distinct_l_diversity", {"l": 1}),
        ("entropy_l_diversity", {"l": 1}),
        ("homogeneity", {"at_most": 0}),
        *COMPARED,
        *((name, {**each, "reference": "source"}) for name, each in COMPARED),
    ):
        assert (found.value, found.failing_classes, found.failing_rows) == (0, 0, 0)
        assert (found.figures, found.satisfied) == ((), False)


def test_a_value_that_the_rows_around_a_class_lack_keeps_its_place_in_the_order(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """From a to c are two steps, though all b are elsewhere."""
    held = [("x", "1", "a"), ("x", "2", "c"), *(("y", "1", s) for s in "bcc")]
    rows: list[Row] = [{"p": p, "q": q, "s": s} for p, q, s in held]
    case = Case({"p": "VARCHAR", "q": "VARCHAR"}, [Sensitive("s", order="text")], rows)
    near_t = {"n": 2, "t": "0.5", "distance": "ordered", "supersets": [["p"]]}
    (found,) = audited(connection, case, ("n_t_closeness", near_t))
    assert (found.figures[0], found.value, found.satisfied) == (0, 0.5, True)
    assert_agrees(found, case.judged(("n_t_closeness", {"column": "s", **near_t})))


def test_a_class_is_its_own_superset_only_where_a_list_names_every_quasi_identifier(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """The paper counts a class of n rows as close to itself; that is said, and can be asked for."""
    rows: list[Row] = [
        {"q": q, "r": r, "s": s} for q, r, s in [(1, 1, "x"), (1, 1, "x"), (1, 2, "y"), (2, 1, "y")]
    ]
    case = Case({"q": "INTEGER", "r": "INTEGER"}, [Sensitive("s")], rows, rows)
    case.load(connection)
    asked = {"column": "s", "n": 2, "t": "0.1", "distance": "equal"}
    for lists, failing in (([], 3), ([["q"]], 3), ([["q", "r"]], 2), ([["q"], ["r", "q"]], 2)):
        guarantee = ("n_t_closeness", {**asked, "supersets": lists})
        (found,) = case.audited(connection, [guarantee])
        assert_agrees(found, case.judged(guarantee))
        assert found.failing_classes == failing
    assert "counts a class among its own supersets" in " ".join(family_text("closeness").split())
