"""Every command over every golden case, so that all statements are sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pandas
import pytest

from golden_beside import (
    ask_which_level,
    combine_values,
    compare_queries,
    render_triggers,
    replace_twice,
)
from sqlgen import (
    HierarchyError,
    PolicyError,
    RefusedError,
    Watch,
    apply_plan,
    audit_history,
    audit_table,
    check_table,
    explain_plan,
    make_plan,
    minimal_nodes,
    read_history,
    read_policy,
    run_policy,
)
from sqlgen.engines.duckdb.catalog import find
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.history.joint import measure_joint
from sqlgen.history.published import find_published
from sqlgen.ledger.increments import next_window
from sqlgen.ledger.kept_regions import remove_unused_regions
from sqlgen.ledger.ledger import find_ledger
from sqlgen.planning.plan import plan_inputs
from sqlgen.policy import ReleaseTarget, RowWindow
from sqlgen.releasing.apply import Order, release_plan
from sqlgen.sql.render import fragment, name
from sqlgen.sql.types import Column
from sqlgen.staging import count_cells as wide
from sqlgen.staging.inputs import read_inputs
from sqlgen.staging.job import Job
from sqlgen.staging.row_windows import spelled, within_sql
from sqlgen.staging.source import open_rows

PATIENTS = """
CREATE TABLE patients AS
SELECT
  'person ' || i AS name,
  CAST(47600 + i % 3 AS VARCHAR) AS zip,
  CAST(20 + i % 7 AS INTEGER) AS age,
  CASE WHEN i % 2 = 0 THEN 'flu' ELSE 'ulcer' END AS disease,
  i % 4 AS visits,
  DATE '2024-02-27' + CAST(i % 5 AS INTEGER) AS seen,
  TIMESTAMP '2024-02-27 10:00:00' AS called,
  TIMESTAMPTZ '2024-02-27 10:00:00+00' AS written,
  CAST(i % 2 + 0.5 AS DOUBLE) AS weight,
  [i % 2] AS tags
FROM RANGE(40) AS t (i)
"""


COLUMNS = ("name", "zip", "age", "disease", "visits", "seen", "called", "written", "weight", "tags")


# The hierarchies of the first are what the large statements show; the others are for the rest.
HIERARCHIES: Mapping[str, Mapping[str, Any]] = {
    "rules": {"zip": {"prefixes": [3]}, "age": {"intervals": [5]}},
    "more rules": {
        "age": {"intervals": [{"cuts": ["22", "24"]}]},
        "seen": {"dates": [{"age_band": 5, "at": "2026-03-01"}]},
        "weight": {"intervals": [{"cuts": ["1"]}]},
    },
    "dates": {"seen": {"dates": ["day", "month", "quarter", "year", "decade"]}},
    "weeks": {"seen": {"dates": ["week"]}, "called": {"dates": ["day"]}},
    "days": {"seen": {"intervals": [7]}, "written": {"dates": ["day"]}},
    "an expression": {"zip": {"sql": ["left(zip, 3)"]}},
    "a table": {"zip": {"table": "zips"}},
    "a file": {"zip": {"csv": "zips.csv"}},
    "a tree": {"disease": {"tree": {"any": ["flu", "ulcer"]}}},
}


def policy_of(hierarchies: Mapping[str, Any], release: dict[str, Any], **more: Any) -> Any:
    """A policy with those quasi-identifiers, the visits released as they are, the rest not."""
    columns = {
        column: {"role": "quasi", "hierarchy": hierarchies[column]}
        if column in hierarchies
        else {"role": "identifier"}
        for column in COLUMNS
    }
    kept = "tags" if "disease" in hierarchies else "disease"
    columns[kept] = {"role": "sensitive", **more.pop("sensitive", {})}
    return read_policy(
        {
            "source": {"table": "patients"},
            "columns": {**columns, **more.pop("columns", {})},
            "guarantees": [{"k_anonymity": {"k": 3}}],
            "suppression": "5%",
            "release": release,
            **more,
        }
    )


def close(distance: str, **more: Any) -> dict[str, Any]:
    return {"t_closeness": {"column": "disease", "t": 0.5, "distance": distance} | more}


# Of each model one that shows what its template can say.
GUARANTEES: tuple[dict[str, Any], ...] = (
    {"alpha_k_anonymity": {"column": "disease", "alpha": 0.9, "k": 2, "values": ["flu"]}},
    {"distinct_l_diversity": {"column": "disease", "l": 1, "jointly": True}},
    {"entropy_l_diversity": {"column": "disease", "l": 1.1}},
    {
        "recursive_l_diversity": {
            "column": "disease",
            "c": 30,
            "l": 2,
            "disclosable": ["flu"],
            "protected": ["flu", "ulcer"],
            "protected_share": "1%",
        }
    },
    close("equal", reference="uniform"),
    close("ordered"),
    close("hierarchical", reference="source"),
    close("kl", reference={"table": "priors", "weight": "weight"}),
    close("js"),
    {"ratio_closeness": {"column": "disease", "epsilon": 3}},
    {"beta_likeness": {"column": "disease", "beta": 5, "enhanced": True}},
    {"skewness": {"column": "disease", "at_most": 5}},
    {"homogeneity": {"column": "disease", "at_most": 0}},
    {"similarity": {"column": "disease", "level": 1, "at_most": "100%"}},
)


TOWN = {"table": "town"}


# Those that match people with classes, or ask what is around a class.
PEOPLE: tuple[dict[str, Any], ...] = (
    {"k_map": {"k": 2, "population": TOWN}},
    {"delta_presence": {"most": "100%", "least": "1%", "population": TOWN}},
    {"linkage": {"known": TOWN, "risk": "prosecutor", "above": "50%", "at_most": 0}},
    {
        "positive_disclosure": {
            "column": "disease",
            "delta": 0,
            "prior": {"table": "town", "weight": "weight"},
        }
    },
    {"negative_disclosure": {"column": "disease", "epsilon": "1%"}},
    {"belief_breach": {"column": "disease", "rho_1": "1%", "rho_2": "99%"}},
    {
        "n_t_closeness": {
            "column": "disease",
            "n": 5,
            "t": 1,
            "distance": "ordered",
            "supersets": [["zip"]],
        }
    },
    {"n_t_closeness": {"column": "disease", "n": 5, "t": 1, "distance": "hierarchical"}},
)


SENSITIVE = {"hierarchy": {"tree": {"ill": ["flu", "ulcer"]}}, "order": ["flu", "ulcer"]}


def judge_everything(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Plans, releases and audits under every model, small statements first."""
    connection.execute(
        "CREATE TABLE priors AS FROM (VALUES ('flu', 3.5), ('ulcer', 2.0)) AS p (disease, weight)"
    )
    rules = HIERARCHIES["rules"]
    spare = {"table": "spare"}
    for sensitive, judged in (
        ({}, [close("equal")]),
        ({}, GUARANTEES[1:2]),
        (SENSITIVE, [close("hierarchical", reference="source")]),
        ({"order": "text"}, [close("ordered")]),
        ({"order": "numeric"}, []),
        (SENSITIVE, GUARANTEES),
        ({}, [{"k_anonymity": {"k": 2, "unit": "name"}}]),
    ):
        asked = [{"k_anonymity": {"k": 3}}, *judged]
        policy = policy_of(rules, spare, sensitive=sensitive, guarantees=asked, suppression="30%")
        apply_plan(make_plan(policy, connection), connection, replace=True)
        audit_table(policy, "spare", connection)
    connection.execute("CREATE TABLE both_ills AS FROM (VALUES ('flu'), ('ulcer')) AS p (disease)")
    placed = close("ordered", reference={"table": "both_ills"})
    make_plan(policy_of(rules, spare, sensitive={"order": "text"}, guarantees=[placed]), connection)
    failing = policy_of(rules, spare, guarantees=[close("equal", t=0.1)])
    audit_table(failing, "patients", connection)
    kept = {"visits": {"role": "sensitive", "order": "numeric"}}
    visits = {"t_closeness": {"column": "visits", "t": 1, "distance": "ordered"}}
    policy = policy_of(rules, {"csv": str(folder / "typed.csv")}, columns=kept, guarantees=[visits])
    apply_plan(make_plan(policy, connection), connection)
    match_people(connection)
    read_spans_back(connection)
    search_everything(connection)
    numeric = policy_of(rules, spare, sensitive={"order": "numeric"}, guarantees=[close("ordered")])
    with pytest.raises(PolicyError):
        make_plan(numeric, connection)


def recode_locally(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """A release whose classes have levels of their own, explained, and kept for two more nights."""
    policy = policy_of(
        HIERARCHIES["rules"],
        {"table": "local"},
        guarantees=[{"k_anonymity": {"k": 3}}, {"distinct_l_diversity": LEAST}],
        recoding="local",
        queries=[{"zip": "zip > '4'"}],
        suppression=0,
        run={"on_drift": "coarsen"},
    )
    connection.execute(PATIENTS)
    apply_plan(make_plan(policy, connection), connection)
    audit_table(policy, "local", connection)
    explain_plan(policy, connection)
    lock = folder / "local.lock"
    assert run_policy(policy, connection, lock=lock).how == "first"
    rare = "SELECT * REPLACE ('10999' AS zip) FROM patients LIMIT 1"
    fewer = "zip = '47602' AND age >= 25 AND visits = 1"
    for change in (f"INSERT INTO patients {rare}", f"DELETE FROM patients WHERE {fewer}"):
        connection.execute(change)
        assert run_policy(policy, connection, lock=lock).how == "coarsened"
    beside = policy.model_copy(update={"release": ReleaseTarget(table="local_again")})
    assert run_policy(beside, connection, lock=lock).how == "coarsened"
    with open_rows(policy, connection, write=True) as engine:
        ledger = find_ledger(engine, policy, "memory")
        assert ledger is not None
        remove_unused_regions(engine, ledger)


def release_groups(connection: duckdb.DuckDBPyConnection) -> None:
    """A release of two tables, with other columns, and its audit."""
    policy = policy_of(
        HIERARCHIES["rules"],
        {"table": "grouped"},
        guarantees=[{"distinct_l_diversity": {"column": "disease", "l": 2}}],
        columns={"visits": {"role": "other"}, "weight": {"role": "other"}},
        recoding="anatomy",
    )
    connection.execute(PATIENTS)
    apply_plan(make_plan(policy, connection), connection)
    audit_table(policy, source=connection)
    connection.execute("ALTER TABLE grouped_sensitive ALTER row_count TYPE VARCHAR")
    audit_table(policy, source=connection)


def recode_by_cuts(folder: Path) -> None:
    """Releases by Mondrian, with ranges, labels of the ladder and means, kept for more nights."""
    for labels, cut in (("range", "width"), ("ladder", "objective"), ("mean", "width")):
        connection = duckdb.connect()
        connection.execute(PATIENTS)
        is_read = labels != "mean"
        policy = policy_of(
            HIERARCHIES["rules"],
            {"table": "cut"},
            guarantees=[{"k_anonymity": {"k": 3}}, {"distinct_l_diversity": LEAST}],
            recoding={"mondrian": {"labels": labels, "cut": cut}},
            queries=[{"zip": "zip > '4'"}] if is_read else [],
            suppression=0,
            run={"on_drift": "coarsen" if is_read else "replan"},
        )
        apply_plan(make_plan(policy, connection), connection)
        audit_table(policy, "cut", connection)
        explain_plan(policy, connection)
        lock = folder / f"{labels}.lock"
        assert run_policy(policy, connection, lock=lock).how == "first"
        connection.execute("DELETE FROM patients WHERE zip = '47602' AND age >= 25 AND visits = 1")
        assert run_policy(policy, connection, lock=lock).how in ("locked", "coarsened", "replanned")


def group_alike(connection: duckdb.DuckDBPyConnection) -> None:
    """A release by microaggregation, with groups that are merged."""
    policy = policy_of(
        HIERARCHIES["rules"],
        {"table": "alike"},
        guarantees=[
            {"k_anonymity": {"k": 3}},
            {"distinct_l_diversity": {"column": "visits", "l": 2}},
        ],
        columns={"visits": {"role": "sensitive"}},
        recoding={"microaggregation": {"of": ["visits"]}},
        suppression=0,
    )
    connection.execute(PATIENTS)
    apply_plan(make_plan(policy, connection), connection)
    audit_table(policy, "alike", connection)
    dealt = policy_of(
        HIERARCHIES["rules"],
        {"table": "dealt"},
        guarantees=[{"t_closeness": {"column": "visits", "t": 0.5, "distance": "equal"}}],
        columns={"visits": {"role": "sensitive"}, "disease": {"role": "other"}},
        recoding={"microaggregation": {"of": ["visits"], "release": "tables"}},
        suppression=0,
    )
    apply_plan(make_plan(dealt, connection), connection)


def plan_with_trees(connection: duckdb.DuckDBPyConnection) -> None:
    """A plan with two trees of text, which say something of values and NULLs that they lack."""
    zips = {"tree": {"4760": {"even": ["47600", "47602"], "odd": ["47601"]}}}
    columns = {
        "zip": {"role": "quasi", "hierarchy": zips, "nulls": "top", "uncovered": "suppress"},
        "disease": {"role": "quasi", "hierarchy": {"tree": {"ill": ["flu"]}}, "uncovered": "top"},
    }
    make_plan(policy_of({}, {"table": "spare"}, columns=columns), connection)


def match_people(connection: duckdb.DuckDBPyConnection) -> None:
    """A plan, a release and an audit with people, with values masked, and with labels of them."""
    connection.execute(
        "CREATE TABLE town AS SELECT zip, age, disease, 1.5 AS weight FROM patients, RANGE(2)"
    )
    rules = HIERARCHIES["rules"]
    masked = {"suppression": "30%", "on_failure": "suppress_sensitive"}
    policy = policy_of(
        rules, {"table": "matched"}, sensitive=SENSITIVE, guarantees=PEOPLE, **masked
    )
    apply_plan(make_plan(policy, connection), connection)
    audit_table(policy, "matched", connection, spread=True)
    visits = {"visits": {"role": "sensitive", "order": "numeric"}}
    equal = {"t_closeness": {"column": "visits", "t": "0.4", "distance": "equal"}}
    often = [{"visits": "visits > 2"}]
    policy = policy_of(
        rules,
        {"table": "masked"},
        guarantees=[equal],
        columns=visits,
        queries=often,
        **masked,
    )
    apply_plan(make_plan(policy, connection), connection)
    coarse = {**SENSITIVE, "level": 1, "order": "text"}
    coarse["hierarchy"] = {"tree": {"ill": {"a": ["flu"], "b": ["ulcer"]}}}
    policy = policy_of(
        rules, {"table": "coarse"}, sensitive=coarse, guarantees=[close("hierarchical")]
    )
    apply_plan(make_plan(policy, connection), connection)
    audit_table(policy, "coarse", connection)
    policy = policy_of(
        rules, {"table": "counted"}, guarantees=[{"k_anonymity": {"k": 2, "unit": "name"}}]
    )
    apply_plan(make_plan(policy, connection), connection)
    audit_table(policy, "counted", connection)


def read_spans_back(connection: duckdb.DuckDBPyConnection) -> None:
    """An audit of a table of another tool, with ranges and sets, by people and by persons."""
    connection.execute(
        "CREATE TABLE spanned AS SELECT '{47600, 47601, 47602}' AS zip, disease, visits, "
        "CASE WHEN age < 23 THEN '[20, 22]' ELSE '[23, 26]' END AS age FROM patients"
    )
    policy = policy_of(
        HIERARCHIES["rules"],
        {"table": "spanned"},
        guarantees=[
            {"k_map": {"k": 2, "population": {"table": "town"}}},
            {"k_anonymity": {"k": 2, "unit": "name"}},
        ],
        queries=[{"age": "age > 24"}],
    )
    audit_table(policy, "spanned", connection)


def search_everything(connection: duckdb.DuckDBPyConnection) -> None:
    """Searches that count classes by their values, list minimal nodes, and answer queries."""
    rules = HIERARCHIES["rules"]
    spare = {"table": "spare"}
    listed = close("equal", reference={"table": "both_ills"})
    close_by = [close("ordered"), listed, {"distinct_l_diversity": LEAST}]
    queries = [{"zip": "zip > '4'", "age": "age < 25", "disease": "disease = 'flu'"}]
    for judged in ([close("ordered")], [*close_by, {"entropy_l_diversity": LEAST}]):
        asked = [{"k_anonymity": {"k": 3}}, *judged]
        policy = policy_of(rules, spare, sensitive=SENSITIVE, guarantees=asked, suppression="30%")
        make_plan(policy, connection)
    with patch.object(wide, "_NARROW_ROWS", 0):
        make_plan(policy, connection)
    asked = [{"k_anonymity": {"k": 3}}]
    policy = policy_of(rules, spare, guarantees=asked, queries=queries)
    apply_plan(make_plan(policy, connection), connection, replace=True)
    audit_table(policy, "spare", connection)
    minimal_nodes(policy, connection)
    flu = {"hierarchy": {"tree": {"any": ["flu"]}}, "uncovered": "suppress"}
    columns = {"zip": {"role": "sensitive"}, "disease": {"role": "quasi", **flu}}
    make_plan(policy_of({}, spare, columns=columns, suppression="60%"), connection)


def replace_in_place(folder: Path) -> None:
    """A table that becomes its own release, in a file that is written anew."""
    path = folder / "clinic.duckdb"
    with duckdb.connect() as connection:
        # Every engine would write a file of its own version.
        connection.execute(f"ATTACH '{path}' AS clinic (STORAGE_VERSION 'v1.0.0')")
    with duckdb.connect(str(path)) as connection:
        connection.execute(PATIENTS)
        connection.execute("ALTER TABLE patients ALTER visits SET NOT NULL")
        connection.execute("CREATE INDEX by_zip ON patients (zip)")
        connection.execute("COMMENT ON TABLE patients IS 'who came'")
        connection.execute("CREATE VIEW visits AS SELECT visits FROM patients")
    columns = {"visits": {"role": "other"}}
    in_place = {"in_place": {"scrub": "unlink"}}
    policy = policy_of(HIERARCHIES["rules"], in_place, columns=columns)
    apply_plan(make_plan(policy, path), path)
    read_history(policy, path)
    policy = policy_of(HIERARCHIES["weeks"], {"csv": str(folder / "unnamed.csv")})
    lock = folder / "policy.lock"
    connection = duckdb.connect()
    connection.execute(PATIENTS)
    for _ in range(2):
        run_policy(policy_of(HIERARCHIES["rules"], {"table": "nightly"}), connection, lock=lock)
    with patch("pathlib.Path.hardlink_to", side_effect=OSError), pytest.raises(RefusedError):
        apply_plan(make_plan(policy, connection), connection)


def read_together() -> None:
    """Releases at other levels read together: of values, and of labels, some of them masked."""
    connection = duckdb.connect()
    connection.execute(PATIENTS)
    tree = {"tree": {"ill": {"a": ["flu"], "b": ["ulcer"]}}}
    persons = [{"k_anonymity": {"k": 2, "unit": "name"}}, {"distinct_l_diversity": LEAST}]
    policy = policy_of(
        HIERARCHIES["rules"],
        {"table": "one"},
        sensitive={"hierarchy": tree, "level": 1, "order": "text"},
        guarantees=persons,
        on_failure="suppress_sensitive",
    )
    connection.execute("CREATE TABLE one AS SELECT '*' AS zip, age, disease FROM patients")
    audit_history(policy, connection)
    connection.execute("CREATE TABLE two AS SELECT zip, '*' AS age, 'a' AS disease FROM patients")
    connection.execute("CREATE TABLE three AS FROM two")
    connection.execute("CREATE TABLE fine AS SELECT zip, age, disease FROM patients")
    connection.execute(
        "CREATE TABLE coarse AS SELECT LEFT(zip, 3) || '**' AS zip, '*' AS age, 'a' AS disease "
        "FROM patients"
    )
    engine = DuckDB(connection)
    source = find(engine, "patients")
    assert source is not None
    targets = [("table", name) for name in ("fine", "coarse", "one", "two", "three")]
    job = Job(policy, connection)
    found = [find_published(engine, job, (), target) for target in targets]
    measure_joint(engine, policy, source, [each.releases[0] for each in found])


def release_new_rows() -> None:
    """Increments of one night after another; what says more of the second one, by hand."""
    connection = duckdb.connect()
    connection.execute(PATIENTS)
    window = RowWindow("written", MOMENT, MOMENT + timedelta(days=1))
    column = Column("written", "TIMESTAMP WITH TIME ZONE")
    table = name(["memory", "main", "patients"])
    within, settled = (within_sql(column, replace(window, after=at)) for at in (MOMENT, None))
    fragment(
        "releasing/increment_counts", source=table, column="written", within=within, settled=settled
    )
    ledger = name(["memory", "main", "sqlgen_releases"])
    fragment(
        "releasing/increment_guard",
        ledger=ledger,
        kind="table",
        series='"new_.*"',
        after=spelled(MOMENT),
    )
    release = {"table": "new", "timestamped": True, "since": "written"}
    policy = policy_of(HIERARCHIES["rules"], release)
    engine = DuckDB(connection)
    for days in (1, 2):
        moment = MOMENT + timedelta(days=days)
        job = Job(policy, None, next_window(engine, policy, connection, moment))
        plan = plan_inputs(engine, read_inputs(engine, job))
        assert release_plan(engine, plan, job, Order()).satisfied
        connection.execute("UPDATE patients SET written = written + INTERVAL 1 DAY")


MOMENT = datetime(2024, 2, 26, 12, tzinfo=UTC)


LEAST = {"column": "disease", "l": 1}


def run_everything(folder: Path) -> None:
    """Plans, releases, audits and checks that render every template."""
    render_triggers()
    connection = duckdb.connect()
    connection.execute(PATIENTS)
    lines = [("47600", "even"), ("47601", "odd"), ("47602", "even")]
    connection.execute(f"CREATE TABLE zips AS FROM (VALUES {', '.join(map(str, lines))})")
    (folder / "zips.csv").write_text("".join(",".join(line) + "\n" for line in lines))
    rules = HIERARCHIES["rules"]
    for number, hierarchies in enumerate(HIERARCHIES.values()):
        if "zip" in hierarchies and "csv" in hierarchies["zip"]:
            hierarchies = {"zip": {"csv": str(folder / "zips.csv")}}  # noqa: PLW2901
        policy = policy_of(hierarchies, {"table": f"released_{number}"})
        apply_plan(make_plan(policy, connection), connection)
    plan_with_trees(connection)
    for kind in ("csv", "parquet"):
        policy = policy_of(rules, {kind: str(folder / f"released.{kind}")})
        apply_plan(make_plan(policy, connection), connection)
        audit_table(policy, source=connection)
    other = {"visits": {"role": "other"}}
    for release in ({"table": "released_0"}, {"view": "shown"}):
        policy = policy_of(rules, release, columns=other, source={"query": "FROM patients"})
        apply_plan(make_plan(policy, connection), connection, replace=True)
    judge_everything(connection, folder)
    read_together()
    replace_in_place(folder)
    release_new_rows()
    recode_locally(duckdb.connect(), folder)
    recode_by_cuts(folder)
    group_alike(duckdb.connect())
    release_groups(duckdb.connect())
    replace_twice(folder)
    ask_which_level()
    combine_values()
    compare_queries()
    check_table(connection, "patients", quasi=["zip", "age"], sensitive=["disease"], k=5)
    policy = policy_of({"disease": {"tree": {"any": ["flu"]}}}, {"table": "t"})
    with pytest.raises(HierarchyError):
        make_plan(policy, connection, watch=Watch(show_values=True))
    with pytest.raises(HierarchyError):
        make_plan(policy_of({"seen": {"intervals": [5, 7]}}, {"table": "t"}), connection)
    frame = connection.execute("SELECT zip FROM patients").df()
    frame["paid"] = pandas.Series([Decimal(1)] * len(frame), dtype=object)
    policy = read_policy(
        {
            "columns": {
                "zip": {"role": "quasi", "hierarchy": "suppress"},
                "paid": {"role": "other"},
            },
            "guarantees": [{"k_anonymity": {"k": 3}}],
            "release": {"table": "released"},
        }
    )
    apply_plan(make_plan(policy, frame), frame)
    connection.execute("SET threads = 2")
    partitions = {"parquet": str(folder / "released"), "partition_by": ["zip", "disease"]}
    apply_plan(make_plan(policy_of(rules, partitions), connection), connection)
