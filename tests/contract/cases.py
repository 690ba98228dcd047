"""The cases of the contract: what is frozen of sqlgen's behaviour, case by case.

A case that is added here gets its files by ``pytest tests/contract --update-contract``.
"""

from __future__ import annotations

from contract.example_cases import example_cases
from contract.paper_cases import paper_cases
from contract.refused_cases import refused_cases
from contract.scenes import (
    Case,
    Change,
    Command,
    Files,
    NextSecond,
    Rows,
    Step,
    everything,
    plan_and_apply,
    reports,
)

PATIENTS = """
CREATE TABLE patients AS
SELECT
  'person ' || i AS name,
  CAST(47600 + i % 3 AS VARCHAR) AS zip,
  CAST(20 + i % 7 AS INTEGER) AS age,
  CASE WHEN i % 2 = 0 THEN 'flu' ELSE 'ulcer' END AS disease,
  i % 4 AS visits,
  DATE '2024-02-27' + CAST(i % 5 AS INTEGER) AS seen,
  TIMESTAMP '2024-02-27 10:00:00' + INTERVAL 1 HOUR * (i % 30) AS called,
  CAST(i % 2 + 0.5 AS DOUBLE) AS weight
FROM RANGE(40) AS t (i)
"""
TOWN = "CREATE TABLE town AS SELECT zip, age, disease, 1.5 AS weight FROM patients, RANGE(2)"
PRIORS = "CREATE TABLE priors AS FROM (VALUES ('flu', 3.5), ('ulcer', 2.0)) AS p (disease, weight)"
SOURCE = "source: {database: clinic.duckdb, table: patients}"
# The columns that most policies over the patients do not release.
HIDDEN = """\
  name: {role: identifier}
  seen: {role: identifier}
  called: {role: identifier}
  weight: {role: identifier}"""
RULES = """\
  zip: {role: quasi, hierarchy: {prefixes: [3]}}
  age: {role: quasi, hierarchy: {intervals: [5]}}"""
GRADED = """\
  disease: {role: sensitive, hierarchy: {tree: {ill: [flu, ulcer]}}, order: [flu, ulcer]}
  visits: {role: identifier}"""


def by_values() -> Case:
    """Every guarantee about sensitive values, in one policy."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
{GRADED}
guarantees:
  - k_anonymity: {{k: 3}}
  - alpha_k_anonymity: {{column: disease, alpha: 0.9, k: 2, values: [flu]}}
  - distinct_l_diversity: {{column: disease, l: 1}}
  - entropy_l_diversity: {{column: disease, l: 1.1}}
  - recursive_l_diversity:
      {{column: disease, c: 30, l: 2, disclosable: [flu], protected: [flu], protected_share: 1%}}
  - t_closeness: {{column: disease, t: 0.5, distance: equal, reference: uniform}}
  - t_closeness: {{column: disease, t: 0.5, distance: ordered, reference: source}}
  - t_closeness: {{column: disease, t: 0.5, distance: hierarchical, reference: source}}
  - t_closeness: {{column: disease, t: 0.5, distance: variational, reference: source}}
  - t_closeness:
      {{column: disease, t: 0.5, distance: kl, reference: {{table: priors, weight: weight}}}}
  - t_closeness: {{column: disease, t: 0.5, distance: js, reference: source}}
  - ratio_closeness: {{column: disease, epsilon: 3, reference: source}}
  - delta_disclosure: {{column: disease, delta: 3, reference: source}}
  - beta_likeness: {{column: disease, beta: 5, enhanced: true, reference: source}}
  - skewness: {{column: disease, at_most: 5, reference: source}}
  - homogeneity: {{column: disease, at_most: 0}}
  - background_knowledge: {{column: disease, at_most: 100%, excluded: 1}}
  - similarity: {{column: disease, level: 1, at_most: 100%}}
objective: ambiguity
release: {{table: released}}
"""
    database = f"{PATIENTS};{PRIORS}"
    steps = [*plan_and_apply(rows="FROM released"), Command("run", "run policy.yml --log json")]
    return Case("by-values", database, {"policy.yml": policy}, steps)


def by_people() -> Case:
    """Every guarantee about who somebody is."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
{GRADED}
guarantees:
  - k_anonymity: {{k: 3}}
  - k_map: {{k: 2, population: {{table: town}}}}
  - delta_presence: {{most: 100%, least: 1%, population: {{table: town}}}}
  - linkage: {{known: {{table: town}}, risk: prosecutor, above: 50%, at_most: 0}}
  - linkage: {{known: {{table: town}}, risk: journalist, above: 50%, at_most: 100%}}
  - linkage: {{known: {{table: town}}, risk: marketer, at_most: 100%}}
release: {{table: released}}
"""
    known = "audit policy.yml --known town --above 30% --json"
    steps = [*everything(rows="FROM released", vary="k=2,4"), Command("audit-known", known)]
    return Case("by-people", f"{PATIENTS};{TOWN}", {"policy.yml": policy}, steps)


def by_beliefs() -> Case:
    """Every guarantee about what an observer believes, and closeness to the rows around a class."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
{GRADED}
guarantees:
  - k_anonymity: {{k: 3}}
  - positive_disclosure: {{column: disease, delta: 0, prior: {{table: town, weight: weight}}}}
  - negative_disclosure: {{column: disease, epsilon: 1%}}
  - belief_breach: {{column: disease, rho_1: 1%, rho_2: 99%}}
  - n_t_closeness: {{column: disease, n: 5, t: 1, distance: ordered, supersets: [[zip]]}}
  - n_t_closeness: {{column: disease, n: 5, t: 1, distance: hierarchical}}
suppression: 30%
on_failure: suppress_sensitive
release: {{table: released}}
"""
    steps = [*plan_and_apply(rows="FROM released"), *reports()]
    return Case("by-beliefs", f"{PATIENTS};{TOWN}", {"policy.yml": policy}, steps)


def jointly() -> Case:
    """Persons with several rows, two sensitive columns judged jointly and together, queries."""
    policy = """\
source: {database: clinic.duckdb, table: visits}
columns:
  person: {role: identifier}
  zip: {role: quasi, hierarchy: {prefixes: [4, 3]}}
  age: {role: quasi, hierarchy: {intervals: [10, 20]}}
  disease: {role: sensitive}
  ward: {role: sensitive}
  amount: {role: other}
guarantees:
  - k_anonymity: {k: 3, unit: person}
  - distinct_l_diversity: {column: disease, l: 2, jointly: true}
  - t_closeness: {columns: [disease, ward], t: 0.7, distance: equal}
suppression: 20%
objective: {loss: {aggregate: arithmetic, weights: {age: 2, zip: 0.5}}}
queries:
  - {age: age >= 30, disease: disease = 'flu'}
  - {zip: "zip IN ('47600', '47612')"}
accept_unique: [amount]
release: {table: released}
"""
    database = """
CREATE TABLE visits AS SELECT
  i // 2 AS person,
  CAST(47600 + (i // 2) % 2 * 12 + (i // 2) % 3 AS VARCHAR) AS zip,
  CAST(20 + (i // 2 * 7) % 20 AS INTEGER) AS age,
  ['flu', 'cold', 'gout'][1 + i % 3] AS disease,
  ['red', 'blue'][1 + i % 2] AS ward,
  100 + i AS amount
FROM RANGE(80) AS t (i)
"""
    return Case("jointly", database, {"policy.yml": policy}, everything(rows="FROM released"))


def masked() -> Case:
    """Sensitive labels at a level, values masked where a class fails, NULLs among them."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
  visits: {{role: other}}
{RULES}
  disease:
    role: sensitive
    hierarchy: {{tree: {{ill: {{acute: [flu], chronic: [ulcer, gout]}}}}}}
    level: 1
    order: text
guarantees:
  - k_anonymity: {{k: 3}}
  - t_closeness: {{column: disease, t: 0.2, distance: ordered}}
  - distinct_l_diversity: {{column: disease, l: 2}}
suppression: 40%
on_failure: suppress_sensitive
objective: precision
release: {{table: released}}
"""
    change = """;
UPDATE patients SET disease = NULL WHERE name IN ('person 3', 'person 10');
UPDATE patients SET disease = 'gout' WHERE zip = '47601' AND age < 23
"""
    files = {"policy.yml": policy}
    return Case(
        "masked", PATIENTS + change, files, everything(rows="FROM released", vary="t=0.1,0.3")
    )


def lists() -> Case:
    """Hierarchies from a file, a table, a tree and an expression; NULLs and uncovered values."""
    policy = f"""\
{SOURCE}
columns:
  name: {{role: identifier}}
  zip:
    {{role: quasi, hierarchy: {{csv: zips.csv, delimiter: ";"}}, uncovered: suppress, nulls: top}}
  age: {{role: quasi, hierarchy: {{sql: ["CASE WHEN age < 23 THEN 'young' ELSE 'old' END"]}}}}
  disease: {{role: quasi, hierarchy: {{tree: {{ill: [flu]}}}}, uncovered: top}}
  visits: {{role: quasi, hierarchy: {{table: lists.visits}}, nulls: suppress, levels: [0, 1]}}
  seen: {{role: identifier}}
  called: {{role: sensitive}}
  weight: {{role: quasi, hierarchy: {{intervals: [{{cuts: [1]}}]}}}}
guarantees:
  - k_anonymity: {{k: 2}}
suppression: 50%
objective: discernibility
release: {{csv: released.csv}}
ledger: lists.ledger
"""
    database = f"""{PATIENTS};
UPDATE patients SET zip = NULL WHERE name = 'person 7';
UPDATE patients SET zip = '99999' WHERE name = 'person 8';
UPDATE patients SET visits = NULL WHERE name = 'person 9';
CREATE SCHEMA lists;
CREATE TABLE lists.visits AS
FROM (VALUES (0, 'few'), (1, 'few'), (2, 'many'), (3, 'many')) AS t (value, label)
"""
    zips = "47600;even;*\n47601;odd;*\n47602;even;*\n"
    released = "FROM read_csv('released.csv', all_varchar = true)"
    files = {"policy.yml": policy, "zips.csv": zips}
    return Case("lists", database, files, everything(rows=released))


def local() -> Case:
    """Classes at levels of their own, with values judged, queries, an explanation, two nights."""
    return by_regions("local", "local")


def mondrian() -> Case:
    """Classes with ranges and sets of values, and the rest as by local recoding."""
    return by_regions("mondrian", "{mondrian: {labels: range}}")


def means() -> Case:
    """Classes with the means of numbers, decimals, dates and floats, read back and at night."""
    policy = f"""\
{SOURCE}
columns:
  name: {{role: identifier}}
  zip: {{role: identifier}}
  age: {{role: quasi, hierarchy: {{intervals: [10]}}}}
  seen: {{role: quasi, hierarchy: {{dates: [month]}}}}
  weight: {{role: quasi, hierarchy: suppress}}
  called: {{role: other}}
  visits: {{role: other}}
  disease: {{role: sensitive}}
guarantees:
  - k_anonymity: {{k: 4}}
recoding: {{mondrian: {{labels: mean}}}}
release: {{table: released}}
"""
    steps: list[Step] = [
        *plan_and_apply(rows="FROM released"),
        Command("plan-text", "plan policy.yml"),
        Command("audit-text", "audit policy.yml"),
        Command("explain-text", "explain policy.yml"),
        Command("run", "run policy.yml --log json"),
        Change("INSERT INTO patients SELECT * FROM patients WHERE age < 23 LIMIT 2"),
        Command("night", "run policy.yml --log json"),
        Change("UPDATE patients SET age = 99 WHERE name = 'person 7'"),
        Command("drifted", "run policy.yml --log json"),
        Command("in-place", "apply policy.yml --in-place"),
    ]
    return Case("means", PATIENTS, {"policy.yml": policy}, steps)


def by_regions(name: str, recoding: str) -> Case:
    """A recoding whose classes are regions, on two nights."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
  disease: {{role: sensitive}}
  visits: {{role: other}}
guarantees:
  - k_anonymity: {{k: 4}}
  - distinct_l_diversity: {{column: disease, l: 2}}
recoding: {recoding}
suppression: 0
queries:
  - {{age: age >= 23, disease: disease = 'flu'}}
run: {{on_drift: coarsen}}
release: {{table: released}}
"""
    rare = "INSERT INTO patients SELECT * REPLACE ('10999' AS zip) FROM patients LIMIT 2"
    steps: list[Step] = [
        *plan_and_apply(rows="FROM released"),
        Command("plan-text", "plan policy.yml"),
        Command("explain", "explain policy.yml --json"),
        Command("explain-text", "explain policy.yml"),
        Command("minimal", "minimal policy.yml --json"),
        Command("run", "run policy.yml --log json"),
        Change(rare),
        Command("drifted", "run policy.yml --log json"),
        Command("history", "history policy.yml --json"),
    ]
    return Case(name, PATIENTS, {"policy.yml": policy}, steps)


def groups() -> Case:
    """Two tables, rows as they are and the values of each group, on two nights; three refusals."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
  disease: {{role: sensitive}}
  visits: {{role: other}}
guarantees:
  - k_anonymity: {{k: 4}}
  - distinct_l_diversity: {{column: disease, l: 2}}
  - t_closeness: {{column: disease, t: 0.1, distance: equal}}
recoding: anatomy
release: {{table: released}}
"""
    joined = "FROM released JOIN released_sensitive USING (group_id)"
    more = "INSERT INTO patients SELECT * REPLACE (99 AS age) FROM patients WHERE visits < 2"
    flu = "UPDATE patients SET disease = 'flu'"
    steps: list[Step] = [
        *plan_and_apply(rows=joined),
        Command("plan-text", "plan policy.yml"),
        Command("apply-text", "apply policy.yml --replace"),
        Command("audit-text", "audit policy.yml"),
        Command("frontier", "frontier policy.yml --vary l=2,3 --json"),
        Command("explain", "explain policy.yml"),
        Command("minimal", "minimal policy.yml"),
        Command("report", "report policy.yml"),
        Change(more),
        Command("run", "run policy.yml --log json"),
        Change(flu),
        Command("drifted", "run policy.yml --log json"),
        Command("unmet", "plan policy.yml"),
        Command("history", "history policy.yml --json"),
    ]
    return Case("groups", PATIENTS, {"policy.yml": policy}, steps)


def alike(name: str, shown: str, guarantees: str, rows: str) -> Case:
    """Groups of alike weights, with their labels or as two tables, on two nights."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
  disease: {{role: other}}
  visits: {{role: sensitive, order: numeric}}
guarantees:
  - k_anonymity: {{k: 4}}
{guarantees}
recoding: {{microaggregation: {{of: [visits], release: {shown}}}}}
release: {{table: released}}
"""
    steps: list[Step] = [
        *plan_and_apply(rows=rows),
        Command("plan-text", "plan policy.yml"),
        Command("audit-text", "audit policy.yml"),
        Command("explain", "explain policy.yml"),
        Command("report", "report policy.yml"),
        Change("INSERT INTO patients SELECT * REPLACE (99 AS visits) FROM patients WHERE age < 23"),
        Command("run", "run policy.yml --log json"),
        Command("history", "history policy.yml --json"),
    ]
    return Case(name, PATIENTS, {"policy.yml": policy}, steps)


def dates() -> Case:
    """Dates, an age band, decimals and floats as quasi-identifiers; the release is Parquet."""
    policy = f"""\
{SOURCE}
columns:
  name: {{role: identifier}}
  zip: {{role: identifier}}
  age: {{role: identifier}}
  disease: {{role: sensitive}}
  visits: {{role: other}}
  seen: {{role: quasi, hierarchy: {{dates: [day, month, quarter, year, decade]}}}}
  called: {{role: quasi, hierarchy: {{dates: [day, {{age_band: 5, at: 2026-12-31}}]}}}}
  weight: {{role: quasi, hierarchy: {{intervals: [1, {{cuts: [0, 10]}}], origin: 0}}}}
guarantees:
  - k_anonymity: {{k: 4}}
suppression: 5%
objective: {{non_uniform_entropy: {{weights: {{seen: 3}}}}}}
release: {{parquet: released.parquet}}
"""
    released = "FROM 'released.parquet'"
    return Case("dates", PATIENTS, {"policy.yml": policy}, everything(rows=released))


def in_place() -> Case:
    """A table that becomes its own release, with its index, comment, view and a default."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
  disease: {{role: sensitive}}
  visits: {{role: other}}
guarantees:
  - k_anonymity: {{k: 3}}
suppression: 5%
objective: height
release: {{in_place: {{scrub: unlink}}}}
"""
    database = f"""{PATIENTS};
ALTER TABLE patients ALTER visits SET NOT NULL;
CREATE INDEX by_zip ON patients (zip);
COMMENT ON TABLE patients IS 'who came'
"""
    defined = """
SELECT sql FROM duckdb_indexes() UNION ALL
SELECT sql FROM duckdb_tables() WHERE table_name = 'patients' UNION ALL
SELECT comment FROM duckdb_tables() WHERE table_name = 'patients' UNION ALL
SELECT sql FROM duckdb_views() WHERE NOT internal
ORDER BY ALL ASC
"""
    steps: list[Step] = [
        Command("plan", "plan policy.yml --json"),
        Command("sql", "sql policy.yml"),
        Change("CREATE VIEW visits AS SELECT visits FROM patients"),
        # The trial drop of the source is refused here, for the database is open to be read alone.
        Command("sql-beside-a-view", "sql policy.yml"),
        Command("apply-unasked", "apply policy.yml --json"),
        Command("apply", "apply policy.yml --yes --json"),
        Rows("released", "FROM patients"),
        Rows("defined", defined),
        Command("audit", "audit policy.yml --json"),
        Command("report", "report policy.yml --json"),
        Command("run", "run policy.yml --yes --log json"),
        Command("again", "apply policy.yml --yes --json"),
        Command("scrub", "scrub policy.yml --overwrite --yes --json"),
        Command("history", "history policy.yml --json"),
    ]
    return Case("in-place", database, {"policy.yml": policy}, steps)


def view() -> Case:
    """A view over a query, which leaves its lookups beside it."""
    policy = f"""\
source:
  database: clinic.duckdb
  query: SELECT zip, age, disease, visits FROM patients WHERE visits < 3
columns:
{RULES}
  disease: {{role: sensitive}}
  visits: {{role: other}}
guarantees:
  - k_anonymity: {{k: 2}}
  - distinct_l_diversity: {{column: disease, l: 2}}
suppression: 10%
objective: average_class_size
release: {{view: shown}}
"""
    rows = "SELECT * FROM shown ORDER BY ALL ASC"
    steps = everything(rows=rows, vary="l=1,2")
    return Case("view", PATIENTS, {"policy.yml": policy}, steps)


def partitions() -> Case:
    """A folder of Parquet files by the labels of two columns, replaced by a second release."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
  disease: {{role: sensitive}}
  visits: {{role: other}}
guarantees:
  - k_anonymity: {{k: 3}}
objective: kl_divergence
release: {{parquet: released, partition_by: [zip, disease]}}
"""
    released = (
        "SELECT * FROM read_parquet('released/**/*.parquet', hive_partitioning = false) "
        "ORDER BY ALL ASC"
    )
    steps: list[Step] = [
        *plan_and_apply(rows=released),
        Files("files"),
        Command("sql-replace", "sql policy.yml --replace"),
        Command("apply-again", "apply policy.yml --json"),
        Command("apply-replace", "apply policy.yml --replace --json"),
        *reports(),
    ]
    return Case("partitions", PATIENTS, {"policy.yml": policy}, steps)


def timestamped() -> Case:
    """A table of its own per release, of which the last two stay; rows that came make it drift."""
    policy = f"""\
{SOURCE}
columns:
{HIDDEN}
{RULES}
  disease: {{role: sensitive}}
  visits: {{role: other}}
guarantees:
  - k_anonymity: {{k: 3}}
release: {{table: released, timestamped: true, keep: 2}}
run: {{on_drift: coarsen, rows_factor: 1.5, nulls_rise: 5%}}
joint: warn
"""
    tables = "SELECT COUNT(*) AS tables FROM duckdb_tables() WHERE table_name LIKE 'released%'"
    rare = "INSERT INTO patients SELECT * REPLACE ('10999' AS zip) FROM patients LIMIT 1"
    steps: list[Step] = [
        Command("first", "run policy.yml --log json"),
        NextSecond(),
        Command("sql", "sql policy.yml"),
        Command("second", "run policy.yml --log json"),
        NextSecond(),
        Change(rare),
        Command("coarsened", "run policy.yml --log json"),
        Rows("kept", tables),
        Change("INSERT INTO patients SELECT * REPLACE (NULL AS age) FROM patients"),
        Command("drifted", "run policy.yml --log json"),
        Command("audit", "audit policy.yml --with-history --json"),
        Command("history", "history policy.yml --json"),
        Command("show", "show policy.yml 1 --json"),
        Command("report", "report policy.yml 2 --json"),
    ]
    return Case("timestamped", PATIENTS, {"policy.yml": policy}, steps)


def since() -> Case:
    """New rows alone: a first release, none new, new ones, late ones and ones without a time."""
    policy = f"""\
{SOURCE}
columns:
  name: {{role: identifier}}
  seen: {{role: identifier}}
  called: {{role: identifier}}
  weight: {{role: identifier}}
{RULES}
  disease: {{role: sensitive}}
  visits: {{role: other}}
guarantees:
  - k_anonymity: {{k: 3}}
run: {{rows_factor: 999999999}}
release: {{parquet: new.parquet, timestamped: true, since: called}}
"""
    now = "CAST(CURRENT_TIMESTAMP AT TIME ZONE 'UTC' AS TIMESTAMP)"
    come = f"INSERT INTO patients SELECT * REPLACE ({now} AS called) FROM patients LIMIT 35"
    late = "INSERT INTO patients SELECT * FROM patients LIMIT 5"
    steps: list[Step] = [
        Command("plan", "plan policy.yml --json"),
        Command("sql", "sql policy.yml"),
        Command("first", "run policy.yml --log json"),
        NextSecond(),
        Command("idle", "apply policy.yml --json"),
        Command("idle-plan", "plan policy.yml --json"),
        NextSecond(),
        Change(come),
        NextSecond(),
        Command("sql-second", "sql policy.yml"),
        Command("second", "apply policy.yml --json"),
        Command("audit", "audit policy.yml --json"),
        Command("report", "report policy.yml --json"),
        NextSecond(),
        Change(late),
        Command("late", "run policy.yml --log json"),
        Change("UPDATE patients SET called = NULL WHERE name = 'person 2'"),
        Command("untimed", "run policy.yml --log json"),
        Command("history", "history policy.yml --json"),
    ]
    return Case("since", PATIENTS, {"policy.yml": policy}, steps)


def together() -> Case:
    """Two releases that are each 2-diverse and name a disease together: fail, warn and off."""

    def policy(name: str, joint: str, held: str) -> str:
        zip_levels, age_levels = held.split()
        return f"""\
source: {{database: clinic.duckdb, table: ward}}
columns:
  zip: {{role: quasi, hierarchy: {{prefixes: [2]}}, levels: {zip_levels}}}
  age: {{role: quasi, hierarchy: {{intervals: [10]}}, levels: {age_levels}}}
  disease: {{role: sensitive}}
guarantees:
  - k_anonymity: {{k: 2}}
  - distinct_l_diversity: {{column: disease, l: 2}}
joint: {joint}
release: {{table: {name}}}
"""

    files = {
        "by_zip.yml": policy("by_zip", "fail", "0 2"),
        "by_age.yml": policy("by_age", "fail", "2 0"),
        "warned.yml": policy("warned", "warn", "2 0"),
        "off.yml": policy("unjudged", "off", "2 0"),
        "same.yml": policy("same", "fail", "0 2"),
    }
    database = """
CREATE TABLE ward AS FROM (VALUES
  ('4760', 21, 'flu'), ('4760', 35, 'ulcer'), ('4790', 21, 'cold'), ('4790', 35, 'gout')
) AS t (zip, age, disease)
"""
    steps: list[Step] = [
        Command("run-by-zip", "run by_zip.yml --log json"),
        Command("run-by-age", "run by_age.yml --log json"),
        Command("run-same", "run same.yml --log json"),
        Command("run-warned", "run warned.yml --log json"),
        Command("run-off", "run off.yml --log json"),
        Command("audit", "audit warned.yml --with-history --json"),
        Command("audit-text", "audit warned.yml --with-history"),
        Command("report", "report by_zip.yml --json"),
        Command("history", "history by_zip.yml --json"),
        Command("history-text", "history by_zip.yml"),
    ]
    return Case("together", database, files, steps)


def unlocked() -> Case:
    """A release without a ledger, its levels held, warned of as unique by a released column."""
    policy = f"""\
{SOURCE}
columns:
  name: {{role: other}}
  seen: {{role: identifier}}
  called: {{role: identifier}}
  weight: {{role: identifier}}
{RULES}
  disease: {{role: sensitive}}
  visits: {{role: quasi, hierarchy: suppress, levels: 1}}
guarantees:
  - k_anonymity: {{k: 3}}
objective: {{loss: {{aggregate: max}}}}
release: {{table: released}}
ledger: off
"""
    held = "--level zip=1 --level age=0-2"
    steps: list[Step] = [
        Command("sql", "sql policy.yml"),
        Command("plan", f"plan policy.yml {held} --nodes 3 --json"),
        Command("apply", "apply policy.yml --json"),
        Command("audit", "audit policy.yml --json"),
        Command("minimal", f"minimal policy.yml {held} --json"),
        Command("frontier", f"frontier policy.yml --vary k=2,3,14 {held} --json"),
        Command("frontier-csv", "frontier policy.yml --vary k=2,3,14 --csv"),
        Command("explain", f"explain policy.yml {held} --json"),
        Command("history", "history policy.yml --json"),
        Command("report", "report policy.yml --json"),
        Command("run", "run policy.yml --log json"),
    ]
    return Case("unlocked", PATIENTS, {"policy.yml": policy}, steps)


CASES: tuple[Case, ...] = (
    *example_cases(),
    *paper_cases(),
    by_values(),
    by_people(),
    by_beliefs(),
    jointly(),
    masked(),
    lists(),
    dates(),
    local(),
    mondrian(),
    means(),
    groups(),
    alike("alike", "labels", "  - distinct_l_diversity: {column: visits, l: 1}", "FROM released"),
    alike(
        "alike-tables",
        "tables",
        "  - t_closeness: {column: visits, t: 0.3, distance: ordered}",
        "FROM released JOIN released_sensitive USING (group_id)",
    ),
    in_place(),
    view(),
    partitions(),
    timestamped(),
    since(),
    together(),
    unlocked(),
    *refused_cases(),
)
