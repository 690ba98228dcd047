"""What the papers say of their tables, classes and examples, through the oracle and the SQL."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
from ruamel.yaml import YAML

from auditing import WEIGHT, Case, Quasi, Sensitive, assert_agrees, near, quantiles
from oracle import Row
from oracle_models import Figure, Guarantee

FOLDER = Path(__file__).parent / "papers" / "guarantees"


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper about a table: the figure of each class, in the order of its print.

    The guarantee holds with one threshold and fails with the next one that is stricter.
    """

    case: Case
    guarantee: Guarantee
    threshold: str
    figures: Sequence[Figure]
    holds: str | None
    fails: str | None
    printed: str | None

    def asked(self, threshold: str) -> Guarantee:
        """The guarantee with a threshold."""
        name, parameters = self.guarantee
        value = int(threshold) if threshold.isdigit() else threshold
        return name, {**parameters, self.threshold: value}

    @property
    def thresholds(self) -> list[str]:
        """Those that the claim is made with."""
        return [each for each in (self.holds, self.fails) if each is not None]


def read(path: Path) -> Iterator[tuple[str, Claim]]:
    """The claims about the table of a file, each with its name."""
    paper: dict[str, Any] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    sensitive = [Sensitive(name, **declared) for name, declared in paper["sensitive"].items()]
    columns = [*paper["quasi"], *paper["sensitive"]]
    rows: list[Row] = []
    for line in paper["rows"]:
        *cells, times = line if paper.get("counted") else [*line, 1]
        rows += [dict(zip(columns, cells, strict=True))] * times
    known = [
        dict(zip([*paper["sensitive"], WEIGHT], line, strict=True))
        for line in paper.get("known", [])
    ]
    case = Case(
        dict.fromkeys(paper["quasi"], "VARCHAR"),
        sensitive,
        rows,
        source=rows if "people" in paper and "ladders" not in paper else (),
        known=known,
        ladders={name: Quasi(**declared) for name, declared in paper.get("ladders", {}).items()},
        people={
            name: [dict(zip(listed["columns"], line, strict=True)) for line in listed["rows"]]
            for name, listed in paper.get("people", {}).items()
        },
    )
    for each in paper["cases"]:
        ((name, parameters),) = each["guarantee"].items()
        yield (
            f"{path.stem}: {each['claim']}",
            Claim(
                case,
                (name, parameters),
                each["threshold"],
                [figure(value) for value in each["figures"]],
                *(written(each.get(key)) for key in ("holds", "fails", "printed")),
            ),
        )


def figure(value: Any) -> Figure:
    """A fraction as such; a decimal stands for a number that is none, to ten digits."""
    if value == "infinite":
        return math.inf
    return value if isinstance(value, float) else Fraction(value)


def written(value: Any) -> str | None:
    """A threshold as a policy has it."""
    if value is None or isinstance(value, str):
        return value
    return f"{Decimal(repr(value)):f}"


CLAIMS: Mapping[str, Claim] = dict(
    named for path in sorted(FOLDER.glob("*.yml")) for named in read(path)
)
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
    for threshold, guarantee, found in zip(
        claim.thresholds, asked, claim.case.audited(connection, asked), strict=True
    ):
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
