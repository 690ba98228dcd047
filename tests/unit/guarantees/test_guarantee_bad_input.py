"""What a user can get wrong with guarantees and sensitive columns: one clear line, and no value.

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
    SENSITIVE,
    SENSITIVELY,
    SHARE,
    WHOLE,
    ask,
    refusal,
)
from cli_harness import Clinic, database, make_clinic, shows_no_canary, told
from sqlgen import HierarchyError, PolicyError, audit_table, make_plan, read_policy

TREE = "hierarchy: {tree: {lungs: [canary-flu], gut: [canary-gout, canary-ulcer]}}"
ORDERED = "column: disease, t: 1, distance: ordered"
HIERARCHICAL = "column: disease, t: 1, distance: hierarchical"
DROPS = "hierarchy: suppress, "
BOTH = "columns: [disease, ward]"
TWICE = "groups: {a: [x], b: [x]}"
TOGETHER = "protected and protected_share go together"
DISTANCES = "must be ordered, equal, hierarchical, variational, kl or js; found 'equals'; did you "
FINE = "a share has at most 9 digits after the point, 7 where it is written in %; found "


def against(reference: str, column: str = "disease") -> str:
    return f"column: {column}, t: 1, distance: equal, reference: {reference}"


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


def closeness(parameters: str) -> str:
    return f"t_closeness: {{{parameters}}}"


def mistake(clinic: Clinic) -> str:
    """What is said of a policy that is wrong by itself, when it is read: one line."""
    message = refusal(clinic, lambda: read_policy(clinic.policy))
    assert "\n" not in message
    assert not any(words in message for words in ("Input should", "Value error", "type="))
    return message


# After the name of each guarantee: its parameters without the column, and what is said of them.
THRESHOLDS = {
    "k_anonymity": [("k: 1", "k: must be at least 2; found '1'")],
    "distinct_l_diversity": [
        ("l: 0", "l: must be at least 1; found '0'"),
        ("l: 2.5", f"l: {WHOLE}'2.5'"),
        ("l: [2]", f"l: {WHOLE}a list"),
        ("l: ", f"l: {WHOLE}nothing"),
        ("jointly: true", "l: is missing"),
        ("l: 2, jointly: maybe", "jointly: must be true or false; found 'maybe'"),
        ("l: 2, joint: true", "joint: unknown key; did you mean jointly?"),
    ],
    "entropy_l_diversity": [
        ("l: 0.9", "l: must be at least 1; found '0.9'"),
        ("l: 1e2", f"l: {EXACT}'1e2'"),
        ("l: 1.0123456789", f"l: {EXACT}'1.0123456789'"),
    ],
    "recursive_l_diversity": [
        ("c: 0, l: 2", "c: must be more than 0; found '0'"),
        ("c: 2, l: 0", "l: must be at least 1; found '0'"),
        ("c: 2, l: 100001", "l: must be at most 100000; found '100001'"),
        ("c: 2, l: 2, disclosable: x", "disclosable: must be a list; found 'x'"),
        ("c: 2, l: 2, protected: [x], protected_share: 0", "protected_share: must be more than 0"),
        ("c: 2, l: 2, protected: [x], protected_share: 0.3333333333", f"protected_share: {FINE}"),
        ("c: 2, l: 2, protected: [x], protected_share: 33.33333333%", f"protected_share: {FINE}"),
    ],
    "t_closeness": [
        ("t: -0.1, distance: equal", "t: must be at least 0; found '-0.1'"),
        ("t: 10%, distance: equal", f"t: {EXACT}'10%'"),
        ("t: 0.5", "distance: is missing"),
    ],
    "alpha_k_anonymity": [
        ("alpha: 0, k: 2", "alpha: must be more than 0; found '0'"),
        ("alpha: 101%, k: 2", "alpha: must be at most 1; found '101%'"),
        ("alpha: half, k: 2", f"alpha: {SHARE}'half'"),
        ("alpha: 50%, k: 0", "k: must be at least 1; found '0'"),
    ],
    "delta_disclosure": [
        ("delta: 0", "delta: must be more than 0; found '0'"),
        ("delta: 20.1", "delta: must be at most 20; found '20.1'"),
    ],
    "ratio_closeness": [("epsilon: 21", "epsilon: must be at most 20; found '21'")],
    "beta_likeness": [("beta: 0.0123456789", f"beta: {EXACT}'0.0123456789'")],
    "skewness": [("at_most: 0.5", "at_most: must be at least 1; found '0.5'")],
    "homogeneity": [
        ("at_most: 0.05", f"at_most: {ROWS}'0.05'"),
        ("at_most: 101%", "at_most: a share cannot be more than 100%; found '101%'"),
        ("at_most: 0.12345678%", f"at_most: {FINE}"),
    ],
    "background_knowledge": [("excluded: 0, at_most: 0", "excluded: must be at least 1; found ")],
    "similarity": [("at_most: 0, groups: {a: []}", "groups.a: must not be empty")],
}


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [(name, *case) for name, cases in THRESHOLDS.items() for case in cases],
)
def test_a_parameter_that_is_none_is_named_with_file_line_and_key(
    clinic: Clinic, name: str, parameters: str, message: str
) -> None:
    column = "" if name == "k_anonymity" else "column: disease, "
    ask(clinic, f"{name}: {{{column}{parameters}}}")
    assert mistake(clinic).startswith(f"policy.yml:12: guarantees[1].{name}.{message}")


# Names, and what goes together

REFERENCE = "must be released, source, uniform or a mapping with the key table; found "
# The guarantee, what it says, the key that is told after its name, and what is said.
MISFITS = [
    ("t_closeness", "column: disease, t: 1, distance: equals", ".distance", DISTANCES),
    ("t_closeness", "t: 1, distance: equal", "", "name a column, or several columns to be taken"),
    ("t_closeness", "columns: [disease], t: 1, distance: equal", "", "columns are two or more, ea"),
    ("t_closeness", f"column: disease, {BOTH}, t: 1, distance: equal", "", "name a column, or sev"),
    ("t_closeness", f"{BOTH}, t: 1, distance: ordered", "", f"ordered {FORMULA}"),
    ("t_closeness", f"{BOTH}, t: 1, distance: hierarchical", "", f"hierarchical {FORMULA}"),
    ("t_closeness", f"{BOTH}, t: 1, distance: equal", ".columns", "ward must be a sensitive colum"),
    (
        "t_closeness",
        against("sources"),
        ".reference",
        f"{REFERENCE}'sources'; did you mean source?",
    ),
    ("t_closeness", against("[known]"), ".reference", f"{REFERENCE}a list"),
    ("t_closeness", against("{weight: w}"), ".reference.table", "is missing"),
    (
        "t_closeness",
        against("{table: t, wieght: w}"),
        ".reference.wieght",
        "unknown key; did you m",
    ),
    ("t_closeness", ORDERED, ".column", "give column disease an order: numeric, text, or a list"),
    ("t_closeness", HIERARCHICAL, ".column", "give column disease a hierarchy"),
    ("similarity", "column: disease, level: 1, at_most: 0", ".column", "give column disease a hie"),
    ("similarity", "column: disease, at_most: 0", "", "give a level of the column's hierarchy, or"),
    ("similarity", f"column: disease, at_most: 0, {TWICE}", "", "a value stands in two groups"),
    ("recursive_l_diversity", "column: disease, c: 2, l: 2, protected: [x]", "", TOGETHER),
    ("recursive_l_diversity", "column: disease, c: 2, l: 2, protected_share: 5%", "", TOGETHER),
    ("distinct_l_diversity", "l: 2", ".column", "is missing"),
    (
        "distinct_l_diversity",
        "column: nowhere, l: 2",
        ".column",
        "nowhere must be a sensitive colu",
    ),
    ("distinct_l_diversity", "column: zip, l: 2", ".column", f"zip {SENSITIVELY} quasi"),
    ("distinct_l_diversity", "column: ward, l: 2", ".column", f"ward {SENSITIVELY} other"),
    ("distinct_l_diversity", "column: name, l: 2", ".column", f"name {SENSITIVELY} identifier"),
]


@pytest.mark.parametrize(("name", "parameters", "key", "message"), MISFITS)
def test_a_guarantee_that_does_not_fit_is_named_where_it_stands(
    clinic: Clinic, name: str, parameters: str, key: str, message: str
) -> None:
    ask(clinic, f"{name}: {{{parameters}}}")
    assert mistake(clinic).startswith(f"policy.yml:12: guarantees[1].{name}{key}: {message}")


@pytest.mark.parametrize(
    ("guarantee", "message"),
    [
        ("distinct_diversity: {l: 2}", ": unknown guarantee distinct_diversity; did you mean dis"),
        ("distinct_l_diversity", ": write one guarantee per entry, like k_anonymity: {k: ...}"),
        ("distinct_l_diversity: 2", ".distinct_l_diversity: must be a mapping of keys and values"),
    ],
)
def test_an_entry_that_is_no_guarantee_is_named_where_it_stands(
    clinic: Clinic, guarantee: str, message: str
) -> None:
    ask(clinic, guarantee)
    assert mistake(clinic).startswith(f"policy.yml:12: guarantees[1]{message}")


TAKES = "suppress goes with the role quasi; a sensitive column takes"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "sensitive",
            "sensitive, order: numerical",
            "disease.order: an order is numeric, text, or",
        ),
        ("sensitive", "sensitive, order: [a]", "disease.order: an order is a list of two or more"),
        ("sensitive", "sensitive, order: [a, a]", "disease.order: an order is a list of two or mo"),
        (
            "sensitive",
            "sensitive, order: [[a], b]",
            "disease.order: an order is a list of values, ",
        ),
        ("sensitive", "sensitive, order: {a: b}", "disease.order: an order is numeric, text, or a"),
        ("sensitive", "sensitive, nulls: top", "disease: nulls goes with a hierarchy; found none"),
        (
            "sensitive",
            f"sensitive, {DROPS}uncovered: suppress",
            f"disease: uncovered: {TAKES} error",
        ),
        (
            "sensitive",
            f"sensitive, {DROPS}nulls: suppress",
            f"disease: nulls: {TAKES} value or top",
        ),
        ("role: other", "role: other, order: text", "ward: order goes with the role sensitive; fo"),
        ("[4, 3]}", "[4, 3]}, order: text", "zip: order goes with the role sensitive; found role "),
        ("identifier", "identifier, order: text", "name: order goes with the role sensitive; foun"),
        ("identifier", f"identifier, {DROPS}", "name: hierarchy goes with the role quasi; found r"),
    ],
)
def test_a_column_that_does_not_fit_its_role_is_named_where_it_stands(
    clinic: Clinic, old: str, new: str, message: str
) -> None:
    clinic.edit((old, new.removesuffix(", ")))
    lines = {"name": 5, "zip": 6, "disease": 8, "ward": 9}
    line = lines[message.partition(":")[0].partition(".")[0]]
    assert mistake(clinic).startswith(f"policy.yml:{line}: columns.{message}")


def test_several_mistakes_are_told_at_once_one_line_each(clinic: Clinic) -> None:
    ask(clinic, "distinct_l_diversity: {columm: disease, l: 0}", "skewness: {column: disease}")
    lines = refusal(clinic, lambda: read_policy(clinic.policy)).splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["policy.yml:12"] * 3 + ["policy.yml:13"]


# What only the values show


def nothing_was_changed(clinic: Clinic) -> str:
    """What is said by a plan and by an audit, which know of the same mistake."""
    message = refusal(clinic)
    with pytest.raises((PolicyError, HierarchyError)) as raised:
        audit_table(read_policy(clinic.policy), "patients")
    assert str(raised.value) == message
    assert shows_no_canary(told(raised.value))
    assert message.endswith(" Nothing was changed.")
    return message


@pytest.mark.parametrize(
    ("disease", "parameters", "message"),
    [
        (
            "order: [canary-flu, canary-gout]",
            ORDERED,
            "8: columns.disease.order: 1 distinct value (2 rows) of disease have no place in the "
            "order. Add them to the list.",
        ),
        (
            "order: numeric",
            ORDERED,
            "8: columns.disease.order: 3 distinct values (6 rows) of disease have no place in the "
            "order. Say text, or list its values.",
        ),
        (
            "hierarchy: {tree: {lungs: [canary-flu], gut: [canary-gout]}}",
            HIERARCHICAL,
            "8: columns.disease.hierarchy: 1 distinct value (2 rows) of disease without a label at "
            "level 1. Add them, or say uncovered: top",
        ),
    ],
)
def test_values_that_an_order_or_a_hierarchy_misses_are_counted_and_not_shown(
    clinic: Clinic, disease: str, parameters: str, message: str
) -> None:
    ask(clinic, closeness(parameters), disease=disease)
    assert nothing_was_changed(clinic).startswith(f"policy.yml:{message}")


def test_values_that_a_hierarchy_misses_may_count_as_fully_general(clinic: Clinic) -> None:
    missing = "hierarchy: {tree: {lungs: [canary-flu], gut: [canary-gout]}}, uncovered: top"
    ask(clinic, closeness(HIERARCHICAL), disease=missing)
    assert make_plan(read_policy(clinic.policy)).satisfied
    assert clinic.run("plan").code == 0


def test_a_level_that_the_hierarchy_does_not_have_is_refused(clinic: Clinic) -> None:
    ask(clinic, "similarity: {column: disease, level: 3, at_most: 0}", disease=TREE)
    assert refusal(clinic) == (
        "policy.yml:12: guarantees[1].similarity.level: the hierarchy of disease has 2 levels; "
        "found 3"
    )


# References


def known(columns: str, more: str = "") -> Callable[[Clinic], None]:
    return database(f"CREATE TABLE known AS SELECT {columns} FROM patients {more}")


KNOWN = against("{table: known}")
WEIGHED = against("{table: known, weight: w}")


@pytest.mark.parametrize(
    ("parameters", "prepare", "message"),
    [
        (KNOWN, database(), "the database has no table or view known"),
        (against("{table: a.b.c.d}"), database(), "not a table name: a.b.c.d"),
        (KNOWN, known("zip"), "known has no column disease; it has zip"),
        (WEIGHED, known("disease"), "known has no column w; it has disease"),
        (WEIGHED, known("disease, -1 AS w"), "6 rows of known without a weight of at least 0"),
        (WEIGHED, known("disease, NULL::INTEGER AS w"), "6 rows of known without a weight of at l"),
        (WEIGHED, known("disease, 1.5::DOUBLE AS w"), "a weight is a column of whole numbers or d"),
        (WEIGHED, known("disease, name AS w"), "a weight is a column of whole numbers or decimals"),
        (WEIGHED, known("disease, 0 AS w"), f"{LIMIT}; they add up to 0"),
        (KNOWN, known("disease", "WHERE FALSE"), f"{LIMIT}; they add up to 0"),
        (WEIGHED, known("disease, CAST(1e12 AS BIGINT) AS w"), f"{LIMIT}; they add up to 6,000,0"),
        (WEIGHED, known("disease, CAST(1e38 AS HUGEINT) AS w"), f"{LIMIT}, and cannot be added up"),
        (WEIGHED, known("disease, 1::DECIMAL(38, 37) AS w"), f"{LIMIT}, and cannot be added up"),
    ],
)
def test_a_table_that_is_no_distribution_is_no_reference(
    clinic: Clinic, parameters: str, prepare: Callable[[Clinic], None], message: str
) -> None:
    ask(clinic, closeness(parameters))
    prepare(clinic)
    assert refusal(clinic).startswith(
        f"policy.yml:12: guarantees[1].t_closeness.reference: {message}"
    )


@pytest.mark.parametrize("values", ["disease", "770011.5", "'770011'"])
def test_a_reference_whose_values_would_be_rounded_or_cannot_be_read_is_refused(
    clinic: Clinic, values: str
) -> None:
    clinic.sql("ALTER TABLE patients ADD pay INTEGER DEFAULT 770011")
    clinic.edit((SENSITIVE, f"{SENSITIVE}  pay: {{role: sensitive}}\n"))
    ask(clinic, closeness(against("{table: known}", "pay")))
    known(f"{values} AS pay")(clinic)
    assert refusal(clinic).startswith(
        "policy.yml:13: guarantees[1].t_closeness.reference: pay is INTEGER, and "
    )


def test_a_value_that_a_reference_lacks_is_infinitely_far(clinic: Clinic) -> None:
    ask(clinic, "ratio_closeness: {column: disease, epsilon: 1, reference: {table: known}}")
    known("disease", "WHERE disease = 'canary-flu'")(clinic)
    before = clinic.state()
    for command, of_the_policy in (("plan", ()), ("audit", ("--table", "patients"))):
        ran = clinic.run(command, *of_the_policy)
        assert (ran.code, "infinite" in ran.out, shows_no_canary(ran.text)) == (1, True, True)
        ran = clinic.run(command, *of_the_policy, "--json")
        assert (ran.code, '"measured": "infinite"' in ran.out) == (1, True)
    assert clinic.state() == before


# Values that a policy names


def test_values_that_a_policy_names_and_nobody_has_are_counted_with_a_warning(
    clinic: Clinic,
) -> None:
    ask(
        clinic,
        "recursive_l_diversity: {column: disease, c: 9, l: 1, disclosable: [gaut, gout, gut]}",
        "recursive_l_diversity: {column: disease, c: 9, l: 1, disclosable: [canary-flu]}",
    )
    (counted,) = make_plan(read_policy(clinic.policy)).unseen.items()
    assert counted[0].startswith("recursive_l_diversity")
    assert counted[1] == 3
    assert "Warning: 3 values named by recursive_l_diversity" in clinic.run("plan").text
