"""Cases of the contract from the tables that the papers print, as tests/papers holds them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from contract.scenes import TESTS, Case, Command, plan_and_apply

PAPERS = TESTS / "papers"
WEIGHT = "row_count"


def paper_cases() -> list[Case]:
    """A case per table of the papers."""
    return [
        *(release_case(path) for path in sorted(PAPERS.glob("*.yml"))),
        *(audit_case(path) for path in sorted((PAPERS / "guarantees").glob("*.yml"))),
    ]


def release_case(path: Path) -> Case:
    """A table that a paper prints before and after: planned, released, and the printed one audited.

    The policy is written as JSON, which is YAML as well.
    """
    paper = read(path)
    types = {name: column["type"] for name, column in paper["columns"].items()}
    tables = [
        created("original", types, paper["original"]),
        created("anonymized", dict.fromkeys(types, "VARCHAR"), paper["anonymized"]),
    ]
    tables += [
        created(f"{name}_lines", {"value": "VARCHAR", "label": "VARCHAR"}, lines)
        for name, lines in paper["generalization"].items()
    ]
    columns = {
        name: {"role": "quasi", "hierarchy": {"table": f"{name}_lines"}}
        if column["role"] == "quasi"
        else {"role": column["role"]}
        for name, column in paper["columns"].items()
    }
    k = paper["expected"]["anonymized"]["k"]
    policy = policy_text("original", columns, [{"k_anonymity": {"k": k}}], {"table": "released"})
    quasi = ",".join(name for name, column in columns.items() if column["role"] == "quasi")
    check = f"check clinic.duckdb original --quasi {quasi} --json"
    printed = Command("audit-printed", "audit policy.yml --table anonymized --json")
    steps = [Command("check", check), *plan_and_apply(rows="FROM released"), printed]
    return Case(f"paper-{path.stem}", ";\n".join(tables), {"policy.yml": policy}, steps)


def audit_case(path: Path) -> Case:
    """A published table of a paper, audited by thresholds that hold and by ones that fail."""
    paper = read(path)
    ladders = paper.get("ladders", {})
    sensitive = {name: each.get("type", "VARCHAR") for name, each in paper["sensitive"].items()}
    rows = []
    for line in paper["rows"]:
        *cells, times = line if paper.get("counted") else [*line, 1]
        rows += [cells] * times
    shown = {**dict.fromkeys(paper["quasi"], "VARCHAR"), **sensitive}
    raw = {**shown, **{name: each.get("type", "VARCHAR") for name, each in ladders.items()}}
    is_source = "people" in paper and not ladders
    tables = [created("published", shown, rows), created("source", raw, rows if is_source else [])]
    weighed = {**raw, WEIGHT: "DECIMAL(9,2)"}
    if "known" in paper:
        tables.append(created("known", {**sensitive, WEIGHT: weighed[WEIGHT]}, paper["known"]))
    for name, listed in paper.get("people", {}).items():
        types = {column: weighed[column] for column in listed["columns"]}
        tables.append(created(name, types, listed["rows"]))
    columns = {
        name: {"role": "quasi", **unlevelled(ladders.get(name, {"hierarchy": "suppress"}))}
        for name in paper["quasi"]
    }
    for name, each in paper["sensitive"].items():
        columns[name] = {"role": "sensitive", **untyped(each)}
    files = {
        f"{verdict}.yml": policy_text("source", columns, asked, {"table": "released"})
        for verdict in ("holds", "fails")
        if (asked := list(guarantees(paper["cases"], verdict)))
    }
    steps = [
        Command(f"audit-{name.removesuffix('.yml')}", f"audit {name} --table published --json")
        for name in files
    ]
    return Case(f"paper-{path.stem}", ";\n".join(tables), files, steps)


def guarantees(claims: Sequence[Mapping[str, Any]], verdict: str) -> Iterator[dict[str, Any]]:
    """The guarantees of a paper's claims, each with the threshold that gives the verdict."""
    for claim in claims:
        if verdict in claim:
            ((name, parameters),) = claim["guarantee"].items()
            yield {name: {**parameters, claim["threshold"]: written(claim[verdict])}}


def policy_text(
    table: str, columns: Mapping[str, Any], asked: Sequence[Any], release: Mapping[str, Any]
) -> str:
    """A policy over a table of the case's database."""
    policy = {
        "source": {"database": "clinic.duckdb", "table": table},
        "columns": columns,
        "guarantees": asked,
        "release": release,
    }
    return json.dumps(policy, indent=1, ensure_ascii=False) + "\n"


def created(table: str, types: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> str:
    """The statement that creates a table with its rows."""
    columns = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
    statement = f'CREATE TABLE "{table}" ({columns})'
    if not rows:
        return statement
    lines = ",\n".join(f"({', '.join(map(literal, row))})" for row in rows)
    return f'{statement};\nINSERT INTO "{table}" VALUES\n{lines}'


def literal(value: Any) -> str:
    """A value as SQL text; the column gives it its type."""
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def written(value: Any) -> Any:
    """A threshold as a policy has it: a decimal without an exponent."""
    return f"{Decimal(repr(value)):f}" if isinstance(value, float) else value


def unlevelled(ladder: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in ladder.items() if key not in ("level", "type")}


def untyped(column: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in column.items() if key != "type"}


def read(path: Path) -> dict[str, Any]:
    """A file about a table of a paper."""
    content: dict[str, Any] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    return content
