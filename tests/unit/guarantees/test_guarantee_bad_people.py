"""What a user can get wrong with people, beliefs and masked values: one clear line, no value.

A line says where the mistake stands, what was found, and what to do. Nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bad_guarantees import (
    EXACT,
    FORMULA,
    LIMIT,
    ROWS,
    SENSITIVELY,
    SHARE,
    WHOLE,
    K,
    ask,
    refusal,
)
from cli_harness import (
    POLICY,
    Clinic,
    database,
    listed,
    make_clinic,
    policy,
    shows_no_canary,
    told,
)
from sqlgen import PolicyError, audit_table, make_plan, read_policy

TOWN = "population: {table: known}"
MET = "known: {table: known}"
RISKS = "must be prosecutor, journalist or marketer; found "
ONE_OF = "must be released or a mapping with the key table; found "
MAPPING = "must be a mapping of keys and values; found "
FAILURES = "must be suppress or suppress_sensitive; found "
PEOPLE = "people are matched by every quasi-identifier. It has "
OTHERS = "in known, whose values may be others. Cast them in a view"
SPELLED = "in known, whose values may be spelled otherwise. Cast them in a view"


# What is said is not yet in our words, or names keys that there are not.
@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


def mistake(folder: Path, old: str, new: str) -> str:
    """What is said of a policy with an edit that is wrong by itself: one line, and its end."""
    file = folder / "policy.yml"
    assert old in POLICY
    file.write_text(POLICY.replace(old, new), encoding="utf-8")
    with pytest.raises(PolicyError) as raised:
        read_policy(file)
    message = str(raised.value)
    assert "\n" not in message
    assert not any(words in message for words in ("Input should", "Value error", "type="))
    return f"{message}\n"


# After the name of each guarantee: its parameters, the key that is told, and what is said.
MISTAKES = {
    "k_map": [
        (f"k: 1, {TOWN}", ".k", "must be at least 2; found '1'"),
        (f"k: 2.5, {TOWN}", ".k", f"{WHOLE}'2.5'"),
        (f"k: [2], {TOWN}", ".k", f"{WHOLE}a list"),
        (f"k: true, {TOWN}", ".k", f"{WHOLE}'true'"),
        (TOWN, ".k", "is missing"),
        ("k: 2", ".population", "is missing"),
        ("k: 2, population: known", ".population", f"{MAPPING}'known'"),
        ("k: 2, population: [known]", ".population", f"{MAPPING}a list"),
        ("k: 2, population: ", ".population", f"{MAPPING}nothing"),
        ("k: 2, population: {}", ".population.table", "is missing"),
        ("k: 2, population: {table: ''}", ".population.table", "must not be empty"),
        ("k: 2, population: {table: [a]}", ".population.table", "must be a text; found a list"),
        (f"column: disease, k: 2, {TOWN}", ".column", "unknown key; known are k, population"),
    ],
    "delta_presence": [
        (f"most: 0, {TOWN}", ".most", "must be more than 0; found '0'"),
        (f"most: 101%, {TOWN}", ".most", "must be at most 1; found '101%'"),
        (f"most: half, {TOWN}", ".most", f"{SHARE}'half'"),
        (f"most: , {TOWN}", ".most", f"{SHARE}nothing"),
        (f"least: 5%, {TOWN}", ".most", "is missing"),
        (f"most: 50%, least: -1, {TOWN}", ".least", "must be at least 0; found '-1'"),
        (f"most: 50%, least: 1.5, {TOWN}", ".least", "must be at most 1; found '1.5'"),
        (f"most: 50%, least: 50.1%, {TOWN}", "", "least must not be more than most"),
        ("most: 50%", ".population", "is missing"),
    ],
    "linkage": [
        (f"risk: journalist, {MET}", ".at_most", "is missing"),
        ("risk: journalist, at_most: 0", ".known", "is missing"),
        (f"at_most: 0, {MET}", ".risk", "is missing"),
        (f"risk: editor, at_most: 0, {MET}", ".risk", f"{RISKS}'editor'"),
        (f"risk: , at_most: 0, {MET}", ".risk", f"{RISKS}nothing"),
        (f"risk: journalist, at_most: 0.5, {MET}", ".at_most", f"{ROWS}'0.5'"),
        (f"risk: journalist, at_most: 101%, {MET}", ".at_most", "a share cannot be more than 10"),
        (f"risk: journalist, at_most: 0, above: some, {MET}", ".above", f"{SHARE}'some'"),
        (
            f"risk: marketer, at_most: 0, above: 5%, {MET}",
            "",
            "above goes with prosecutor and journalist",
        ),
        (f"risk: marketer, at_most: 0, above: 0, {MET}", "", "above goes with prosecutor and jour"),
    ],
    "positive_disclosure": [
        ("column: disease, delta: -0.1", ".delta", "must be at least 0; found '-0.1'"),
        ("column: disease", ".delta", "is missing"),
        ("delta: 5%", ".column", "is missing"),
        ("column: zip, delta: 5%", ".column", f"zip {SENSITIVELY} quasi"),
        ("column: disease, delta: 5%, prior: {weight: w}", ".prior.table", "is missing"),
        (
            "column: disease, delta: 5%, prior: {table: known, wieght: w}",
            ".prior.wieght",
            "unknown key; did you mean weight?",
        ),
        (
            "column: disease, delta: 5%, reference: source",
            ".reference",
            "unknown key; known are column, delta, prior, ruled_out",
        ),
        (
            "column: disease, delta: 5%, ruled_out: ignore",
            "",
            "ruled_out goes with a prior that is a table",
        ),
        (
            "column: disease, delta: 5%, prior: released, ruled_out: fail",
            "",
            "ruled_out goes with a prior that is a table",
        ),
        (
            "column: disease, delta: 5%, prior: {table: known}, ruled_out: pass",
            ".ruled_out",
            "must be fail or ignore; found 'pass'",
        ),
    ],
    "negative_disclosure": [
        ("column: disease, epsilon: 0", ".epsilon", "must be more than 0; found '0'"),
        ("column: disease, epsilon: 101%", ".epsilon", "must be at most 1; found '101%'"),
        ("column: disease, epsilon: {a: 1}", ".epsilon", SHARE.partition(";")[0]),
        ("column: disease", ".epsilon", "is missing"),
        ("column: ward, epsilon: 5%", ".column", f"ward {SENSITIVELY} other"),
    ],
    "belief_breach": [
        ("column: disease, rho_1: 0, rho_2: 0.5", ".rho_1", "must be more than 0; found '0'"),
        ("column: disease, rho_1: 0.5, rho_2: 50%", "", "rho_1 must be less than rho_2"),
        ("column: disease, rho_1: a, rho_2: 50%", ".rho_1", f"{SHARE}'a'"),
        ("column: disease, rho_1: 5%", ".rho_2", "is missing"),
        ("column: nowhere, rho_1: 5%, rho_2: 50%", ".column", "nowhere must be a sensitive column"),
    ],
    "n_t_closeness": [
        ("column: disease, n: 0, t: 1, distance: equal", ".n", "must be at least 1; found '0'"),
        ("column: disease, n: 1.5, t: 1, distance: equal", ".n", f"{WHOLE}'1.5'"),
        ("column: disease, t: 1, distance: equal", ".n", "is missing"),
        ("column: disease, n: 2, distance: equal", ".t", "is missing"),
        ("column: disease, n: 2, t: 5%, distance: equal", ".t", f"{EXACT}'5%'"),
        ("column: disease, n: 2, t: 1", ".distance", "is missing"),
        ("n: 2, t: 1, distance: equal", "", "name a column, or several columns to be taken"),
        ("column: disease, n: 2, t: 1, distance: ordered", ".column", "give column disease an or"),
        (
            "column: disease, n: 2, t: 1, distance: hierarchical",
            ".column",
            "give column disease a ",
        ),
        ("columns: [disease, ward], n: 2, t: 1, distance: ordered", "", f"ordered {FORMULA}"),
        (
            "columns: [disease, ward], n: 2, t: 1, distance: hierarchical",
            "",
            f"hierarchical {FORMULA}",
        ),
        ("columns: [disease, ward], n: 2, t: 1, distance: js", ".columns", f"ward {SENSITIVELY} o"),
        *(
            (f"column: disease, n: 2, t: 1, distance: equal, supersets: {lists}", key, message)
            for lists, key, message in (
                ("zip", ".supersets", "must be a list; found 'zip'"),
                ("[zip]", ".supersets[0]", "must be a list; found 'zip'"),
                ("[[zip], []]", ".supersets[1]", "must not be empty"),
                ("[[zip], [ward]]", ".supersets", "ward must be a quasi-identifier"),
                ("[[zip, disease]]", ".supersets", "disease must be a quasi-identifier"),
                ("[[nowhere]]", ".supersets", "nowhere must be a quasi-identifier"),
            )
        ),
        (
            "column: disease, n: 2, t: 1, distance: equal, reference: source",
            ".reference",
            "unknown key; known are column, columns, distance, n, supersets, t",
        ),
    ],
}
BOUNDS = {
    "k_map": [
        (
            "k: 2, population: {table: known, weight: w}",
            ".population.weight",
            "unknown key; known are table\n",
        ),
    ],
    "linkage": [
        (f"risk: journalist, at_most: 0, above: 2, {MET}", ".above", "must be less than 1; found"),
    ],
    "positive_disclosure": [
        ("column: disease, delta: 100%", ".delta", "must be less than 1; found '100%'"),
        ("column: disease, delta: 5%, prior: source", ".prior", f"{ONE_OF}'source'"),
        ("column: disease, delta: 5%, prior: [released]", ".prior", f"{ONE_OF}a list"),
    ],
    "belief_breach": [
        ("column: disease, rho_1: 0.5, rho_2: 1", ".rho_2", "must be less than 1; found '1'"),
    ],
}


@pytest.mark.parametrize(
    ("name", "parameters", "key", "message"),
    [
        (name, *case)
        for cases_by_name in (MISTAKES, BOUNDS)
        for name, cases in cases_by_name.items()
        for case in cases
    ],
)
def test_a_parameter_that_is_none_is_named_with_file_line_and_key(
    tmp_path: Path, name: str, parameters: str, key: str, message: str
) -> None:
    said = mistake(tmp_path, K, f"{K}  - {name}: {{{parameters}}}\n")
    assert said.startswith(f"policy.yml:12: guarantees[1].{name}{key}: {message}")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("on_failure: suppress_sensitiv", f"{FAILURES}'suppress_sensitiv'; did you mean suppress_"),
        ("on_failure: mask", f"{FAILURES}'mask'"),
        ("on_failure: true", f"{FAILURES}'true'"),
        ("on_failure: [suppress]", f"{FAILURES}a list"),
        ("on_failure: ", f"{FAILURES}nothing"),
        ("onfailure: suppress", "unknown key; did you mean on_failure?"),
    ],
)
def test_what_happens_on_failure_is_one_of_two_things(
    tmp_path: Path, said: str, message: str
) -> None:
    found = mistake(tmp_path, "release:", f"{said}\nrelease:")
    assert found.startswith(f"policy.yml:12: {said.partition(':')[0]}: {message}")


# Tables of people


def known(columns: str, more: str = "") -> Callable[[Clinic], None]:
    return database(f"CREATE TABLE known AS SELECT {columns} FROM patients {more}")


def of_people(table: str, weight: str = "") -> dict[str, str]:
    """Every guarantee that names a table of people, each with what it says of it."""
    prior = f"prior: {{table: {table}{f', weight: {weight}' if weight else ''}}}"
    return {
        "k_map": f"k: 2, population: {{table: {table}}}",
        "delta_presence": f"most: 100%, population: {{table: {table}}}",
        "linkage": f"risk: prosecutor, at_most: 100%, known: {{table: {table}}}",
        "positive_disclosure": f"column: disease, delta: 0, {prior}",
        "negative_disclosure": f"column: disease, epsilon: 5%, {prior}",
        "belief_breach": f"column: disease, rho_1: 5%, rho_2: 95%, {prior}",
    }


def said_of_people(clinic: Clinic, name: str, parameters: str) -> str:
    """What a plan and an audit say of a table of people, after the place of the guarantee."""
    ask(clinic, f"{name}: {{{parameters}}}")
    message = refusal(clinic)
    with pytest.raises(PolicyError) as raised:
        audit_table(read_policy(clinic.policy), "patients")
    assert str(raised.value) == message
    assert shows_no_canary(told(raised.value))
    start, place, end = message.partition(f"policy.yml:12: guarantees[1].{name}")
    assert (start, bool(place)) == ("", True), message
    return end.partition(": ")[2]


@pytest.mark.parametrize("name", ["delta_presence", "linkage", "positive_disclosure"])
def test_a_table_of_people_has_every_quasi_identifier(clinic: Clinic, name: str) -> None:
    known("zip, disease")(clinic)
    said = said_of_people(clinic, name, of_people("known")[name])
    assert said == f"known has no column age; {PEOPLE}zip, disease"


@pytest.mark.parametrize(
    ("name", "table", "prepare", "message"),
    [
        ("k_map", "known", database(), "the database has no table or view known"),
        ("belief_breach", "known", database(), "the database has no table or view known"),
        ("delta_presence", "a.b.c.d", database(), "not a table name: a.b.c.d"),
        ("linkage", "known", known("ward"), f"known has no column zip, age; {PEOPLE}ward"),
        ("k_map", "known", known("zip, age / 1 AS age"), f"age is INTEGER, and DOUBLE {OTHERS}"),
        ("linkage", "known", known("zip, age + 0.5 AS age"), "age is INTEGER, and DECIMAL(12,1) i"),
        ("k_map", "known", known("zip, '7' AS age"), f"age is INTEGER, and VARCHAR {OTHERS}"),
        ("k_map", "known", known("[zip] AS zip, age"), f"zip is text, and VARCHAR[] {SPELLED}"),
        ("linkage", "known", known("7 AS zip, age"), f"zip is text, and INTEGER {SPELLED}"),
    ],
)
def test_a_table_that_cannot_be_matched_is_no_table_of_people(
    clinic: Clinic, name: str, table: str, prepare: Callable[[Clinic], None], message: str
) -> None:
    prepare(clinic)
    assert said_of_people(clinic, name, of_people(table)[name]).startswith(message)


@pytest.mark.parametrize(
    ("name", "columns", "message"),
    [
        ("positive_disclosure", "", "known has no column disease; it has zip, age"),
        ("negative_disclosure", ", disease", "known has no column w; it has zip, age, disease"),
        ("belief_breach", ", disease, -1 AS w", "6 rows of known without a weight of at least 0"),
        ("positive_disclosure", ", disease, NULL::INTEGER AS w", "6 rows of known without a weigh"),
        ("negative_disclosure", ", disease, 1.5::DOUBLE AS w", "a weight is a column of whole num"),
        ("belief_breach", ", disease, name AS w", "a weight is a column of whole numbers or decim"),
        ("positive_disclosure", ", disease, 0 AS w", f"{LIMIT}; they add up to 0"),
        (
            "negative_disclosure",
            ", disease, 1000000000000 AS w",
            f"{LIMIT}; they add up to 6,000,000,000,000",
        ),
        ("belief_breach", ", disease, 1e38::HUGEINT AS w", f"{LIMIT}, and cannot be added up"),
    ],
)
def test_a_table_without_values_and_weights_is_no_prior(
    clinic: Clinic, name: str, columns: str, message: str
) -> None:
    known(f"zip, age{columns}")(clinic)
    assert said_of_people(clinic, name, of_people("known", "w")[name]).startswith(message)


def test_nobody_is_a_population_that_no_class_matches_and_no_prior(clinic: Clinic) -> None:
    known("zip, age, disease", "WHERE FALSE")(clinic)
    said = said_of_people(clinic, "belief_breach", of_people("known")["belief_breach"])
    assert said == f"{LIMIT}; they add up to 0"
    clinic.edit(("  - belief_breach", "  - k_map: {k: 2, population: {table: known}}\n#"))
    assert not make_plan(read_policy(clinic.policy)).satisfied
    clinic.edit(("k_map: {k: 2, population:", "linkage: {risk: marketer, at_most: 0, known:"))
    assert make_plan(read_policy(clinic.policy)).satisfied


def test_a_prior_whose_values_would_be_rounded_is_refused(clinic: Clinic) -> None:
    clinic.sql("ALTER TABLE patients ADD pay INTEGER DEFAULT 770011")
    known("zip, age, 770011.5 AS pay")(clinic)
    pay = "  pay: {role: sensitive}\n"
    ask(clinic, "positive_disclosure: {column: pay, delta: 0, prior: {table: known}}")
    clinic.edit(("  ward:", f"{pay}  ward:"))
    assert refusal(clinic).startswith("policy.yml:13: guarantees[1].positive_disclosure")
    assert "pay is INTEGER, and DECIMAL(7,1) in known, " in refusal(clinic)


ZIPS = {
    "a rule": policy(),
    "a tree": policy(("{prefixes: [4, 3]}", "{tree: {a: [cz111, cz112, cz113, cz121, cz122]}}")),
    "a list": listed("cz111,a,*\ncz112,a,*\ncz113,a,*\ncz121,a,*\ncz122,a,*\n"),
}


@pytest.mark.parametrize("prepare", ZIPS.values(), ids=ZIPS)
def test_people_whom_no_hierarchy_covers_are_matched_by_nothing_but_the_top(
    clinic: Clinic, prepare: Callable[[Clinic], None]
) -> None:
    known("'cq9' || zip AS zip, age")(clinic)
    prepare(clinic)
    clinic.sql("UPDATE patients SET zip = 'cz122' WHERE zip = 'cz123'")
    ask(clinic, "k_map: {k: 6, population: {table: known}}")
    plan = make_plan(read_policy(clinic.policy))
    assert plan.satisfied
    assert plan.words["zip"] == "*"
    ran = clinic.run("apply")
    assert ran.code == 0
    assert shows_no_canary(ran.text)


# Views, which are read anew


@pytest.mark.parametrize(
    ("guarantee", "reason"),
    [
        *(
            (f"{name}: {{{of_people('known')[name]}}}", " is judged ")
            for name in ("k_map", "linkage", "belief_breach")
        ),
        ("negative_disclosure: {column: disease, epsilon: 1%}", "is judged over all rows that are"),
        ("belief_breach: {column: disease, rho_1: 1%, rho_2: 99%}", "is judged over all rows that"),
        ("n_t_closeness: {column: disease, n: 1, t: 1, distance: equal}", "is judged over all row"),
    ],
)
def test_a_view_is_refused_where_what_it_is_judged_by_may_change(
    clinic: Clinic, guarantee: str, reason: str
) -> None:
    # Everybody has the same values, and none is ruled out by what is known before.
    clinic.sql("UPDATE patients SET disease = 'canary-flu'")
    known("zip, age, disease")(clinic)
    clinic.release_to("view: patients_anon")
    ask(clinic, guarantee)
    before = clinic.state()
    ran = clinic.run("apply")
    assert ran.code == 2
    assert ran.err.startswith("sqlgen: policy.yml:14: release.view: a view is read anew whenever")
    assert reason in ran.err
    assert shows_no_canary(ran.text)
    assert clinic.state() == before
