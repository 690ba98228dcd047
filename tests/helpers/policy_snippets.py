"""The pieces of policies in the documentation, each made into a whole policy over one table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from cli_harness import ROOT
from sqlgen.guarantees import MODELS
from sqlgen.policy.columns import ColumnPolicy
from sqlgen.policy.model import Policy
from sqlgen.policy.places import InPlace, ReleaseTarget, Schedule, Since
from sqlgen.policy.yaml_text import read_yaml

DOCUMENTS = (ROOT / "README.md", *sorted(ROOT.glob("examples/*/*.md")))
CODE = sorted((ROOT / "sqlgen").rglob("*.py"))

# A table that has a column for every example: rules, lists, sensitive values, moments, persons.
TABLES = """
CREATE SCHEMA IF NOT EXISTS schema;
CREATE TABLE patients AS SELECT
  i AS patient_id,
  'person ' || i AS name,
  CAST(47600 + i % 4 AS VARCHAR) AS zip,
  CAST(20 + i * 13 % 40 AS INTEGER) AS age,
  DATE '1990-03-01' + CAST(i % 50 AS INTEGER) AS admitted,
  CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END AS sex,
  CASE i % 3 WHEN 0 THEN 'school' ELSE 'college' END AS education,
  ['flu', 'cold', 'ulcer', 'cancer'][1 + i % 4] AS disease,
  ['low', 'middle', 'high'][1 + i % 3] AS risk,
  1000 * (1 + i % 7) AS salary,
  TIMESTAMP '2026-01-01' + INTERVAL 1 HOUR * i AS loaded_at,
  i % 5 AS visits
FROM RANGE(60) AS t (i);
CREATE TABLE schema.table AS SELECT * FROM (VALUES ('school', 'low'), ('college', 'high')) AS t;
CREATE TABLE town AS SELECT zip, age, admitted, sex, education FROM patients;
CREATE TABLE voters AS SELECT zip, age, admitted, sex, education FROM patients;
CREATE TABLE priors AS SELECT disease, COUNT(*) AS n, n AS weight FROM patients GROUP BY disease;
CREATE TABLE known AS
SELECT zip, age, admitted, sex, education, disease, 1 AS n, 1 AS weight FROM patients;
"""
FILES = {"education.csv": "school;low\ncollege;high\n", "file.csv": "school;low\ncollege;high\n"}

_TREE = {"tree": {"lungs": ["flu", "cold"], "stomach": ["ulcer", "cancer"]}}
_COLUMNS: dict[str, Any] = {
    "patient_id": {"role": "identifier"},
    "name": {"role": "identifier"},
    "zip": {"role": "quasi", "hierarchy": {"prefixes": ["4", "3"]}},
    "age": {"role": "quasi", "hierarchy": {"intervals": ["5", "10", "20"]}},
    "admitted": {"role": "quasi", "hierarchy": {"dates": ["month", "year"]}},
    "sex": {"role": "quasi", "hierarchy": "suppress"},
    "education": {"role": "quasi", "hierarchy": {"csv": "education.csv", "delimiter": ";"}},
    "disease": {"role": "sensitive", "hierarchy": _TREE},
    "risk": {"role": "sensitive", "order": ["low", "middle", "high"]},
    "salary": {"role": "sensitive", "order": "numeric"},
    "loaded_at": {"role": "other"},
    "visits": {"role": "other"},
}
# What each guarantee and each section must have beside what an example says of it.
REQUIRED: dict[str, dict[str, Any]] = {
    "k_anonymity": {"k": "5"},
    "alpha_k_anonymity": {"column": "disease", "alpha": "0.5", "k": "5"},
    "distinct_l_diversity": {"column": "disease", "l": "2"},
    "entropy_l_diversity": {"column": "disease", "l": "2"},
    "recursive_l_diversity": {"column": "disease", "c": "3", "l": "2"},
    "t_closeness": {"column": "disease", "t": "0.5", "distance": "equal"},
    "n_t_closeness": {"column": "disease", "n": "10", "t": "0.5", "distance": "equal"},
    "ratio_closeness": {"column": "disease", "epsilon": "1"},
    "delta_disclosure": {"column": "disease", "delta": "1"},
    "beta_likeness": {"column": "disease", "beta": "1"},
    "k_map": {"k": "5", "population": {"table": "town"}},
    "delta_presence": {"most": "50%", "population": {"table": "town"}},
    "positive_disclosure": {"column": "disease", "delta": "10%"},
    "negative_disclosure": {"column": "disease", "epsilon": "1%"},
    "belief_breach": {"column": "disease", "rho_1": "10%", "rho_2": "50%"},
    "homogeneity": {"column": "disease", "at_most": "0"},
    "background_knowledge": {"column": "disease", "at_most": "0", "excluded": "1"},
    "similarity": {"column": "disease", "at_most": "0", "level": "1"},
    "skewness": {"column": "disease", "at_most": "3"},
    "linkage": {"known": {"table": "voters"}, "risk": "prosecutor", "at_most": "0"},
}
# The guarantee that a parameter is tried with, where several have it and not all would do.
_WITH = {"columns": "t_closeness", "level": "similarity", "column": "distinct_l_diversity"}
_RULES = {
    "intervals": "age",
    "prefixes": "zip",
    "dates": "admitted",
    "sql": "zip",
    "csv": "education",
    "table": "education",
    "tree": "disease",
}
_TARGET = {"table": "released"}
# What follows a key in a remark where prose goes on.
_PROSE = ("a", "and", "or", "the", "SELECT")


@dataclass(frozen=True)
class Snippet:
    """A piece of a policy as a document has it."""

    document: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}: {self.text}"


def snippets() -> list[Snippet]:
    """Every piece of a policy in a document or a docstring, each once."""
    found = [
        Snippet(str(path.relative_to(ROOT)), text)
        for path in DOCUMENTS
        for text in _of_markdown(path.read_text(encoding="utf-8"))
    ]
    # A page of a family is made of docstrings, and the schema of them and of descriptions.
    found += [
        Snippet(str(path.relative_to(ROOT)), text)
        for path in CODE
        for text in _of_code(path.read_text(encoding="utf-8"))
    ]
    return list(dict.fromkeys(each for each in found if _is_policy(each.text)))


def blocks() -> list[Snippet]:
    """Every block of YAML in a document."""
    return [
        Snippet(str(path.relative_to(ROOT)), text)
        for path in DOCUMENTS
        for text in re.findall(r"```ya?ml\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    ]


def _of_markdown(text: str) -> Iterator[str]:
    for block in re.findall(r"```ya?ml\n(.*?)```", text, re.DOTALL):
        # A line that is commented out is an alternative, to its next comment.
        yield from re.findall(r"^ *# ([a-z_]+: [^#\n]+?) *(?:#.*)?$", block, re.MULTILINE)
        for remark in re.findall(r"\S.*# (.*)$", block, re.MULTILINE):
            said = re.findall(r"\b([a-z_]+: (\[[^]]*\]|\{[^}]*\}|[\w%.]+))", remark)
            yield from (text for text, value in said if value not in _PROSE)
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def _of_code(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"``([^`]+)``", node.value)


def _is_policy(text: str) -> bool:
    """Whether a text has the form of a mapping, in braces or with a key of a policy before it."""
    if "::" in text or "${" in text:
        return False
    plain = re.match(r"([a-z_]+): ", text)
    return re.match(r"\{[a-z_]+: ", text) is not None or (
        plain is not None and (plain[1] in KEYS or plain[1] in MODELS)
    )


def _parameters() -> Iterator[str]:
    for model in MODELS.values():
        yield from model.model_fields


_SECTIONS = (Policy, ColumnPolicy, ReleaseTarget, Schedule, InPlace, Since)
KEYS = {key for section in _SECTIONS for key in section.model_fields} | {*_parameters(), *_RULES}


def read(text: str, folder: Path) -> Any:
    """A text of YAML as a policy's reader would have it."""
    path = folder / "snippet.yml"
    path.write_text(text, encoding="utf-8")
    return read_yaml(path)[0]


def policies_of(text: str, folder: Path) -> list[dict[str, Any]]:
    """The whole policies that a piece stands for: one for each alternative that it names."""
    key, _, value = text.partition(": ")
    if "|" in value and not text.startswith("{"):
        return [
            each
            for part in value.split("|")
            for each in policies_of(f"{key}: {part.strip()}", folder)
        ]
    written = re.sub(r"\[\.\.\.\]", "[18, 40]", text)
    content = read(written if written.startswith("{") else f"{{{written}}}", folder)
    return [completed(content)]


def completed(piece: Mapping[str, Any]) -> dict[str, Any]:
    """A whole policy that says what a piece says."""
    policy: dict[str, Any] = {
        "source": {"database": "warehouse.duckdb", "table": "patients"},
        "columns": deepcopy(_COLUMNS),
        "guarantees": [{"k_anonymity": {"k": "5"}}],
        "release": dict(_TARGET),
    }
    key, value = next(iter(piece.items()))
    if key in MODELS:
        policy["guarantees"] = [{name: REQUIRED[name] | said for name, said in piece.items()}]
    elif key in _RULES or key in ("cuts", "hierarchy"):
        _set_hierarchy(policy["columns"], piece)
    elif key in Policy.model_fields and not (key == "columns" and isinstance(value, list)):
        policy |= piece
    elif key == "loss":
        policy["objective"] = piece
    elif key in ColumnPolicy.model_fields and not (key == "level" and value != "1"):
        name = "disease" if key == "level" else "risk" if key == "order" else "age"
        policy["columns"][name] |= piece
    elif key in ReleaseTarget.model_fields:
        target = {} if "parquet" in piece or "in_place" in piece else _TARGET
        policy["release"] = {**target, **piece}
        if key in ("keep", "since"):
            policy["release"] |= {"timestamped": "true"}
        if key == "partition_by":
            policy["release"] = {"parquet": "out", **piece}
    elif key in InPlace.model_fields:
        policy["release"] = {"in_place": piece}
    elif key in Schedule.model_fields:
        policy["run"] = piece
    else:
        policy["guarantees"] = [_with_parameter(key, piece)]
    if key == "release" and "partition_by" not in value:
        policy["release"] = dict(value)
    return policy


def _set_hierarchy(columns: dict[str, Any], piece: Mapping[str, Any]) -> None:
    """Give a rule to the column that it fits."""
    key, value = next(iter(piece.items()))
    hierarchy = value if key == "hierarchy" else {"intervals": [piece]} if key == "cuts" else piece
    name = "age" if key == "cuts" else _RULES.get(key, "sex")
    columns[name] |= {"hierarchy": hierarchy}
    if isinstance(hierarchy, Mapping) and key == "tree":
        # What the example does not name is uncovered, and that is said.
        columns[name] |= {"uncovered": "top"}
    if key in ("cuts", "intervals"):
        columns[name] |= {"uncovered": "top"}


def _with_parameter(key: str, piece: Mapping[str, Any]) -> dict[str, Any]:
    """A guarantee that has the parameter, with what else it needs."""
    name = _WITH.get(key) or next(
        name for name, model in MODELS.items() if key in model.model_fields
    )
    said = {**REQUIRED[name], **piece}
    if key == "ruled_out":
        said["prior"] = {"table": "known"}
    if key == "columns":
        del said["column"]
        said["columns"] = ["disease", "risk"]
    return {name: said}


def make_warehouse(folder: Path) -> None:
    """The database and the lists that the policies read."""
    with duckdb.connect(str(folder / "warehouse.duckdb")) as connection:
        connection.execute(TABLES)
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
