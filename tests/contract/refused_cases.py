"""Cases of the contract that end badly: refused policies, ones that cannot be met, a fault."""

from __future__ import annotations

from collections.abc import Sequence

from contract.scenes import Case, Command, Step

POLICY = """\
source:
  database: clinic.duckdb
  table: patients
columns:
  name: {role: identifier}
  zip: {role: quasi, hierarchy: {prefixes: [4, 3]}}
  age: {role: quasi, hierarchy: {intervals: [10]}}
  disease: {role: sensitive}
  ward: {role: other}
guarantees:
  - k_anonymity: {k: 3}
release:
  table: released
"""
PATIENTS = """
CREATE TABLE patients AS FROM (VALUES
  ('ada', '47611', 11, 'flu', 'red'), ('bob', '47612', 12, 'flu', 'red'),
  ('cal', '47613', 13, 'gout', 'blue'), ('dee', '47621', 21, 'gout', 'blue'),
  ('eva', '47622', 22, 'ulcer', 'pink'), ('flo', '47623', 23, 'ulcer', 'pink')
) AS t (name, zip, age, disease, ward)
"""
ZIPS = "47611;4761;*\n47612;4761;*\n47613;4761;*\n47621;4762;*\n47622;4762;*\n"
LISTED = ("{prefixes: [4, 3]}", "{csv: zips.csv, delimiter: ';'}")
Edits = Sequence[tuple[str, str]]

# What is wrong: the policy's edits; all of these end with 2.
REFUSED: dict[str, Edits] = {
    "unknown-key": [("release:", "relese:")],
    "unknown-role": [("role: quasi, hierarchy: {pre", "role: quasi-identifier, hierarchy: {pre")],
    "unknown-guarantee": [("k_anonymity", "k_anonimity")],
    "no-number": [("{k: 3}", "{k: -1}"), ("{intervals: [10]}", "{intervals: [ten]}")],
    "unlisted-column": [("  ward: {role: other}\n", "")],
    "no-such-column": [("ward:", "bed:")],
    "no-such-table": [("table: patients", "table: people")],
    "no-such-database": [("clinic.duckdb", "hospital.duckdb")],
    "uncovered-value": [LISTED],
    "does-not-nest": [("[10]", "[10, 12]")],
    "rule-of-another-type": [("{intervals: [10]}", "{dates: [week, month]}")],
    "uncertain-expression": [("{prefixes: [4, 3]}", '{sql: ["zip || current_date"]}')],
    "two-statements": [("table: patients", "query: SELECT 1; SELECT 2")],
    "onto-its-source": [("table: released", "table: patients")],
    "not-sensitive": [("- k_anonymity: {k: 3}", "- homogeneity: {column: ward, at_most: 0}")],
    "view-of-people": [
        ("{k: 3}", "{k: 3}\n  - t_closeness: {column: disease, t: 0.9, distance: equal}"),
        ("table: released", "view: released"),
    ],
}
# What is asked and cannot be had; these end with 1.
UNMET: dict[str, Edits] = {
    "k-above-rows": [("{k: 3}", "{k: 7}")],
    "l-above-values": [("{k: 3}", "{k: 2}\n  - distinct_l_diversity: {column: disease, l: 4}")],
    "held-too-fine": [("{intervals: [10]}", "{intervals: [10]}, levels: 0")],
}
# What the database or something in the way ends; with 4 and 3.
STOPPED: dict[str, tuple[Edits, str]] = {
    "engine-fault": (
        [("table: patients", "query: SELECT * REPLACE (name::INTEGER AS age) FROM patients")],
        "",
    ),
    "target-exists": ([], "CREATE TABLE released AS SELECT 1 AS x"),
    "macro": ([], "CREATE MACRO sum(x) AS 0"),
}


def refused_cases() -> list[Case]:
    """A case per reason, with what plan, apply and run say."""
    return [
        *(bad_case(f"refused-{name}", edits) for name, edits in REFUSED.items()),
        *(bad_case(f"unmet-{name}", edits) for name, edits in UNMET.items()),
        *(bad_case(f"stopped-{name}", *stopped) for name, stopped in STOPPED.items()),
        usage_case(),
    ]


def bad_case(name: str, edits: Edits, change: str = "") -> Case:
    """A policy with something wrong about it."""
    policy = POLICY
    for old, new in edits:
        assert policy.count(old) == 1, (name, old)
        policy = policy.replace(old, new)
    steps: list[Step] = [
        Command("plan", "plan policy.yml --json"),
        Command("apply", "apply policy.yml --json"),
        Command("run", "run policy.yml --log json"),
    ]
    if name.startswith("unmet"):
        steps += [
            Command("plan-text", "plan policy.yml"),
            Command("sql", "sql policy.yml"),
            Command("minimal", "minimal policy.yml --json"),
            Command("frontier", "frontier policy.yml --json"),
            Command("explain", "explain policy.yml --json"),
        ]
    database = f"{PATIENTS};{change}" if change else PATIENTS
    return Case(name, database, {"policy.yml": policy, "zips.csv": ZIPS}, steps)


def usage_case() -> Case:
    """Command lines that are refused before a policy is read, and help."""
    lines = {
        "no-policy": "plan nowhere.yml --json",
        "no-command": "plam policy.yml",
        "level": "plan policy.yml --level age",
        "level-of-no-column": "plan policy.yml --level height=1",
        "level-above-the-top": "plan policy.yml --level age=9",
        "vary": "frontier policy.yml --vary k",
        "vary-what-is-not-asked": "frontier policy.yml --vary t=0.1,0.2",
        "twice": "frontier policy.yml --vary k=2 --vary k=3",
        "no-release": "show policy.yml 7",
        "no-family": "schema identities",
        "no-ledger": "history policy.yml --json",
        "no-table": "audit policy.yml --table nowhere --json",
        "check": "check clinic.duckdb patients --quasi zip,height --json",
        "help": "--help",
        "version": "--version",
    }
    steps = [Command(name, line) for name, line in lines.items()]
    return Case("usage", PATIENTS, {"policy.yml": POLICY}, steps)
