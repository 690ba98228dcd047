"""What the papers say of guarantees, read from papers/guarantees."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from auditing import WEIGHT, Case, Quasi, Sensitive
from oracle import Row
from oracle_models import Figure, Guarantee

FOLDER = Path(__file__).parents[1] / "papers" / "guarantees"


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
