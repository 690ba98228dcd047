"""Cases of the contract from the folder of examples: the census and the hospital."""

from __future__ import annotations

from pathlib import Path

from contract.scenes import EXAMPLES, Case, Command, Step, everything

# As many rows of the census as give every column something to lose.
CENSUS_ROWS = 3000


def example_cases() -> list[Case]:
    """The two examples, policy by policy."""
    released = (
        ("policy", "inpatients_anon"),
        ("patients", "patients_anon"),
        ("salaries", "salaries_anon"),
    )
    return [
        census(),
        *(hospital(name, everything(f"{name}.yml", f"FROM {table}")) for name, table in released),
        hospital("discreet", without_script(everything("discreet.yml", "FROM discreet_anon"))),
        hospital("local", without_script(everything("local.yml", "FROM patients_local"))),
        hospital("local", texts("local.yml"), "-text"),
        hospital("patients", texts("patients.yml"), "-text"),
        hospital("conditions", audits("conditions", "figure_2", "figure_3")),
        hospital("incidents", audits("incidents", "incidents")),
        hospital("beliefs", audits("beliefs", "figure_2", "figure_3", "--known neighbours")),
    ]


def census() -> Case:
    """The census, smaller than its example builds it: as JSON and as people read it."""
    folder = EXAMPLES / "census"
    files = {name: read(folder / name) for name in ("policy.yml", "education.csv")}
    files["policy.yml"] = files["policy.yml"].replace("census.duckdb", "clinic.duckdb")
    check = "check clinic.duckdb people --quasi birth_date,zip,sex --sensitive occupation"
    steps: list[Step] = [
        Command("check", f"{check} --k 10 --json"),
        Command("check-text", check),
        *everything(rows="FROM people_anon LIMIT 20", vary="k=5,10,50"),
        Command("audit-source", "audit policy.yml --table people --json"),
        Command("plan-text", "plan policy.yml"),
        Command("audit-text", "audit policy.yml"),
    ]
    variables = {"rows": CENSUS_ROWS, "seed": 1}
    return Case("census", read(folder / "census.sql"), files, steps, variables)


def texts(policy: str) -> list[Step]:
    """What every command prints where no JSON is asked for."""
    lines = {
        "plan": "",
        "apply": "",
        "audit": "",
        "minimal": "",
        "frontier": "",
        "explain": "",
        "run": "",
        "history": "",
        "show": " 1",
    }
    return [Command(name, f"{name} {policy}{more}") for name, more in lines.items()]


def without_script(steps: list[Step]) -> list[Step]:
    """Steps without the script, where another case has one of its kind."""
    return [step for step in steps if not (isinstance(step, Command) and step.form == "sql")]


def hospital(name: str, steps: list[Step], more: str = "") -> Case:
    """A policy of the hospital, over all its tables."""
    folder = EXAMPLES / "hospital"
    files = {path.name: read(path) for path in sorted(folder.glob("*.csv"))}
    policy = read(folder / f"{name}.yml").replace("hospital.duckdb", "clinic.duckdb")
    files[f"{name}.yml"] = policy
    return Case(f"hospital-{name}{more}", read(folder / "hospital.sql"), files, steps)


def audits(policy: str, *tables: str) -> list[Step]:
    """Audits of tables that others published; what an option adds counts for all of them."""
    options = "".join(f" {each}" for each in tables if each.startswith("--"))
    return [
        Command(f"audit-{table}", f"audit {policy}.yml --table {table}{options} --json")
        for table in tables
        if not table.startswith("--")
    ]


def read(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")
