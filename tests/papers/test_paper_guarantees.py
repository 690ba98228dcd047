"""What the papers say of their tables, classes and examples, through the oracle and the SQL."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

import duckdb
import pytest

from auditing import assert_agrees, near, quantiles, verdicts_alone
from oracle_models import Figure
from paper_claims import CLAIMS, Claim

claims = pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for every table."""
    with duckdb.connect(config={"threads": 1}) as opened:
        yield opened


def same(found: Sequence[Figure], expected: Sequence[Figure]) -> bool:
    """Fractions are equal; numbers that are none agree in ten digits."""
    return len(found) == len(expected) and all(
        math.isclose(a, b, rel_tol=1e-10) if isinstance(b, float) else a == b
        for a, b in zip(found, expected, strict=True)
    )


@claims
def test_the_oracle_gives_the_figures_of_the_paper(claim: Claim) -> None:
    for threshold in claim.thresholds:
        judged = claim.case.judged(claim.asked(threshold))
        assert same(list(judged.figures.values()), claim.figures)
        assert judged.met == (threshold == claim.holds)


@claims
def test_an_audit_gives_the_figures_of_the_paper(
    connection: duckdb.DuckDBPyConnection, claim: Claim
) -> None:
    claim.case.load(connection)
    asked = [claim.asked(threshold) for threshold in claim.thresholds]
    with verdicts_alone():
        measured = claim.case.audited(connection, asked)
    for threshold, guarantee, found in zip(claim.thresholds, asked, measured, strict=True):
        expected = quantiles(claim.figures)
        assert all(
            math.isclose(a, b, rel_tol=1e-10) if isinstance(b, float) else near(a, b)
            for a, b in zip(found.figures, expected, strict=True)
        )
        assert found.satisfied == (threshold == claim.holds)
        assert_agrees(found, claim.case.judged(guarantee))


@pytest.mark.parametrize(
    "claim", [each for each in CLAIMS.values() if each.printed], ids=lambda each: each.printed
)
def test_the_worst_class_has_the_number_that_the_paper_prints(claim: Claim) -> None:
    printed = Decimal(str(claim.printed))
    measured = claim.case.judged(claim.asked(str(claim.holds))).measured
    assert measured is not None
    assert Decimal(str(float(measured))).quantize(printed) == printed


def test_a_threshold_that_fails_is_the_next_one_where_the_figure_is_a_fraction() -> None:
    tight = 0
    for claim in CLAIMS.values():
        if claim.holds and claim.fails and "%" not in claim.holds + claim.fails:
            apart = abs(Fraction(claim.holds) - Fraction(claim.fails))
            tight += apart <= Fraction(1, 10**6)
    assert tight >= 30
