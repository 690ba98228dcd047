"""The policy file: every spelling reads as it is meant, every mistake is named where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from sqlgen import Policy, PolicyError, make_plan, read_policy
from sqlgen.hierarchies.lists import Csv
from sqlgen.hierarchies.rules import Dates, Intervals, Prefixes, Suppress
from sqlgen.policy import yaml_text

# The issue's own example, word for word.
EXAMPLE = """\
source:
  database: warehouse.duckdb            # or ${WAREHOUSE}; relative to this file
  table: patients                       # schema.table works; or `query: SELECT ...`
columns:                                # every column of the table, or it is an error
  name:      {role: identifier}         # never released
  zip:       {role: quasi, hierarchy: {prefixes: [4, 3, 2]}}
  age:       {role: quasi, hierarchy: {intervals: [5, 10, 20]}}
  admitted:  {role: quasi, hierarchy: {dates: [month, quarter, year]}}
  sex:       {role: quasi, hierarchy: suppress}
  education: {role: quasi, hierarchy: {csv: education.csv, delimiter: ";"}}
  disease:   {role: sensitive}
  visits:    {role: other}              # released as it is
guarantees:
  - k_anonymity: {k: 5}
suppression: 2%                         # or a number of rows; default 0
objective: loss
release:
  table: patients_anon                  # or view:, parquet:, csv:
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "policy.yml"


def read(file: Path, *changes: tuple[str, str]) -> Policy:
    text = EXAMPLE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
    return read_policy(file)


def mistakes(file: Path, *changes: tuple[str, str]) -> list[str]:
    with pytest.raises(PolicyError) as raised:
        read(file, *changes)
    return str(raised.value).splitlines()


def refusal(file: Path, content: str | bytes) -> str:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(PolicyError) as raised:
        read_policy(file)
    return str(raised.value)


# What the example says


def test_the_source_of_the_example_is_a_database_and_a_table(file: Path) -> None:
    source = read(file).source
    assert (source.database, source.table, source.query) == ("warehouse.duckdb", "patients", None)


def test_the_columns_of_the_example_have_the_roles_that_it_states(file: Path) -> None:
    roles = {name: str(column.role) for name, column in read(file).columns.items()}
    quasi = dict.fromkeys(("zip", "age", "admitted", "sex", "education"), "quasi")
    rest = {"name": "identifier", "disease": "sensitive", "visits": "other"}
    assert roles == {**quasi, **rest}


@pytest.mark.parametrize(
    ("column", "kind", "content"),
    [
        ("zip", Prefixes, {"prefixes": (4, 3, 2)}),
        ("age", Intervals, {"intervals": (5, 10, 20), "origin": None}),
        ("admitted", Dates, {"dates": ("month", "quarter", "year")}),
        ("sex", Suppress, {}),
        ("education", Csv, {"csv": "education.csv", "delimiter": ";"}),
    ],
)
def test_a_hierarchy_of_the_example_reads_as_the_rule_it_spells(
    file: Path, column: str, kind: type, content: dict[str, Any]
) -> None:
    hierarchy = read(file).columns[column].hierarchy
    assert type(hierarchy) is kind
    assert hierarchy is not None
    assert hierarchy.model_dump() == content


def test_the_guarantee_of_the_example_is_k_anonymity_with_k_5(file: Path) -> None:
    assert [(each.name, each.parameters) for each in read(file).guarantees] == [
        ("k_anonymity", {"k": 5})
    ]


def test_the_release_of_the_example_is_a_table(file: Path) -> None:
    release = read(file).release
    assert release is not None
    assert (release.kind, release.target) == ("table", "patients_anon")


@pytest.mark.parametrize("kind", ["table", "view", "parquet", "csv"])
def test_a_release_is_of_the_kind_it_is_written_as(file: Path, kind: str) -> None:
    release = read(file, ("  table: patients_anon", f"  {kind}: target")).release
    assert release is not None
    assert (release.kind, release.target) == (kind, "target")


def test_suppression_is_0_where_it_is_not_said(file: Path) -> None:
    assert read(file, ("suppression: 2%", "")).budget(1000) == 0


@pytest.mark.parametrize(
    ("written", "budget"),
    [
        *(("2%", 39), ("2 %", 39), ("0.5 %", 9), ("0", 0), ("100", 100), ("100%", 1999)),
        *(("0.00%", 0), ("'2%'", 39), ('"7"', 7)),
    ],
)
def test_a_share_is_floored_exactly_and_a_count_is_a_count(
    file: Path, written: str, budget: int
) -> None:
    assert read(file, ("suppression: 2%", f"suppression: {written}")).budget(1999) == budget


@pytest.mark.parametrize("written", ["0.02", "-1", "-1%", "101%", "100.1%", "two", "", "1e1%"])
def test_a_suppression_that_is_neither_a_share_nor_a_count_is_refused(
    file: Path, written: str
) -> None:
    (mistake,) = mistakes(file, ("suppression: 2%", f"suppression: {written}"))
    assert mistake.startswith("policy.yml:15: suppression: ")


def test_a_suppression_that_looks_like_a_fraction_is_told_how_to_write_a_share(file: Path) -> None:
    (mistake,) = mistakes(file, ("suppression: 2%", "suppression: 0.02"))
    assert "write a share of the rows, like 2%, or a whole number of rows" in mistake


# YAML 1.2


@pytest.mark.parametrize("quote", ["", "'", '"'])
@pytest.mark.parametrize(
    "name", ["no", "yes", "01234", "1_000", "null", "~", "2026-01-31", "1e3", "0x1f", "1.0", "on"]
)
def test_a_column_name_means_what_it_looks_like(file: Path, name: str, quote: str) -> None:
    assert next(iter(read(file, ("name: ", f"{quote}{name}{quote}: ")).columns)) == name


@pytest.mark.parametrize("text", ["01234", "no", "1_000", "null", "12:30:45"])
def test_a_value_in_a_tree_means_what_it_looks_like(file: Path, text: str) -> None:
    tree = f"{{tree: {{some: [{text}], other: [b]}}}}"
    hierarchy = read(file, ("hierarchy: suppress", f"hierarchy: {tree}")).columns["sex"].hierarchy
    assert hierarchy is not None
    assert hierarchy.model_dump()["tree"]["some"] == [text]


# Mistakes


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("source:", "sorce:", "policy.yml:1: sorce: unknown key; did you mean source?"),
        ("database:", "databse:", "policy.yml:2: source.databse: unknown key; did you mean"),
        ("hierarchy: supp", "heirarchy: supp", "policy.yml:9: columns.sex.heirarchy: unknown key"),
        (
            "delimiter",
            "delimeter",
            "policy.yml:10: columns.education.hierarchy.delimeter: unknown key; did you mean "
            "delimiter?",
        ),
        ("prefixes", "prefixs", "policy.yml:6: columns.zip.hierarchy: unknown hierarchy prefixs; "),
        (
            ": supp",
            ": sup",
            "policy.yml:9: columns.sex.hierarchy: not a hierarchy; found 'supress'",
        ),
        (
            "[5, 10, 20]",
            "[{cuts: [1], close: true}]",
            "policy.yml:7: columns.age.hierarchy.intervals[0].close: unknown key; did you mean "
            "closed?",
        ),
        ("quarter", "quater", "policy.yml:8: columns.admitted.hierarchy.dates[1]: must be day, "),
        ("k_anonymity", "k_anonimity", "policy.yml:14: guarantees[0]: unknown guarantee k_anonim"),
        ("{k: 5}", "{k: 5, kk: 5}", "policy.yml:14: guarantees[0].k_anonymity.kk: unknown key; "),
        ("suppression:", "supression:", "policy.yml:15: supression: unknown key; did you mean"),
        ("objective: loss", "objective: los", "policy.yml:16: objective: must be one of loss, "),
        ("table: patients_", "tabel: patients_", "policy.yml:18: release.tabel: unknown key; did"),
        ("role: other", "role: othr", "policy.yml:12: columns.visits.role: must be identifier, "),
    ],
)
def test_a_typo_is_named_with_file_line_and_key(
    file: Path, old: str, new: str, message: str
) -> None:
    assert any(mistake.startswith(message) for mistake in mistakes(file, (old, new)))


@pytest.mark.parametrize(
    ("old", "new", "suggested"),
    [
        ("source:", "sorce:", "source"),
        ("hierarchy: supp", "heirarchy: supp", "hierarchy"),
        ("prefixes", "prefixs", "prefixes"),
        (": supp", ": sup", "suppress"),
        ("quarter", "quater", "quarter"),
        ("{k: 5}", "{k: 5, kk: 5}", "k"),
        ("k_anonymity", "k_anonimity", "k_anonymity"),
        ("role: other", "role: othr", "other"),
    ],
)
def test_a_typo_gets_a_suggestion(file: Path, old: str, new: str, suggested: str) -> None:
    assert any(
        mistake.endswith(f"did you mean {suggested}?") for mistake in mistakes(file, (old, new))
    )


def test_a_key_like_no_other_is_told_which_there_are(file: Path) -> None:
    (mistake,) = mistakes(file, ("objective: loss", "zzz: loss"))
    assert mistake.endswith(
        "unknown key; known are accept_unique, columns, guarantees, joint, ledger, objective, "
        "on_failure, queries, recoding, release, run, source, suppression"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{role: other}", "{}", "12: columns.visits.role: is missing: say identifier, quasi, "),
        ("{role: other}", "", "12: columns.visits: must be a mapping"),
        ("{role: other}", "other", "12: columns.visits: must be a mapping"),
        ("quasi, hierarchy: suppress", "quasi", "9: columns.sex: a quasi-identifier needs a hi"),
        ("role: other", "role: other, hierarchy: suppress", "12: columns.visits: hierarchy goes w"),
        ("role: other", "role: other, nulls: top", "12: columns.visits: nulls goes with the role"),
        ("{k: 5}", "{}", "14: guarantees[0].k_anonymity.k: is missing"),
        ("{k: 5}", "{k: 1}", "14: guarantees[0].k_anonymity.k: must be at least 2; found '1'"),
        ("{k: 5}", "{k: five}", "14: guarantees[0].k_anonymity.k: must be a whole number; found"),
        ("{k: 5}", "{k: 5.5}", "14: guarantees[0].k_anonymity.k: must be a whole number; found"),
        ("{k: 5}", "{k: }", "14: guarantees[0].k_anonymity.k: must be a whole number; found noth"),
        ("  - k_anonymity: {k: 5}\n", "", "13: guarantees: must be a list; found nothing"),
        ("guarantees:\n  - k_anonymity: {k: 5}", "guarantees: []", "13: guarantees: must not be e"),
        ("guarantees:\n  - k_anonymity: {k: 5}\n", "", "1: guarantees: is missing: no guarantee"),
        ("_anon  ", "_anon\n  csv: x.csv  ", "17: release: name one target: table, view, parquet"),
        ("[4, 3, 2]", "[4, 3, 3]", "6: columns.zip.hierarchy: levels must get coarser; level 3 ke"),
        ("[5, 10, 20]", "[5, ten]", "7: columns.age.hierarchy.intervals[1]: must be a number; fo"),
        ("[5, 10, 20]", "[]", "7: columns.age.hierarchy.intervals: must not be empty"),
        ("education.csv", "''", "10: columns.education.hierarchy.csv: must not be empty"),
        ('";"', '";;"', "10: columns.education.hierarchy.delimiter: must be one character; found"),
        ("[5, 10, 20]", "[{cuts: [1], closed: maybe}]", "7: columns.age.hierarchy.intervals[0].cl"),
        ("hierarchy: suppress", "hierarchy: {}", "9: columns.sex.hierarchy: not a hierarchy; fou"),
        ("table: patients  ", "table: a.b.c.d  ", "1: source: not a table name: a.b.c.d"),
        ("table: patients  ", "table: t\n  query: SELECT 1  ", "1: source: name a table or a que"),
    ],
)
def test_a_mistake_is_named_with_what_to_do(file: Path, old: str, new: str, message: str) -> None:
    assert any(
        mistake.startswith(f"policy.yml:{message}") for mistake in mistakes(file, (old, new))
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('";"', '";;"'),
        ("[5, 10, 20]", "[{cuts: [1], closed: maybe}]"),
        ("{role: other}", "[]"),
        ("[month, quarter, year]", "[{age_band: x, at: y}]"),
    ],
)
def test_no_mistake_is_told_in_pydantic_words(file: Path, old: str, new: str) -> None:
    told = "\n".join(mistakes(file, (old, new)))
    assert not any(word in told for word in ("Input should", "String should", "Value error"))


def test_a_suggestion_is_never_the_word_that_was_found(file: Path) -> None:
    (mistake,) = mistakes(file, ("hierarchy: suppress", "hierarchy: {suppress: 1}"))
    assert "did you mean suppress" not in mistake


def test_a_policy_without_a_quasi_identifier_is_refused_in_sense(file: Path) -> None:
    told = refusal(file, "columns: {a: {role: other}}\nguarantees: [{k_anonymity: {k: 2}}]\n")
    assert told == (
        "policy.yml:1: columns: none has the role quasi, so there is nothing to anonymize"
    )


def test_two_targets_are_refused_by_naming_them(file: Path) -> None:
    (mistake,) = mistakes(file, ("_anon  ", "_anon\n  csv: x.csv  "))
    assert "found a mapping" not in mistake


def test_several_mistakes_are_told_at_once_one_line_each(file: Path) -> None:
    told = mistakes(file, ("{k: 5}", "{k: 1}"), ("role: other", "role: othr"), ("2%", "half"))
    assert [line.split(": ")[1] for line in told] == [
        *("columns.visits.role", "guarantees[0].k_anonymity.k", "suppression")
    ]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [("  zip: ", "  name: ", "6: the key name"), ("objective", "suppression", "16: the key supp")],
)
def test_a_key_that_stands_twice_is_refused(file: Path, old: str, new: str, place: str) -> None:
    assert mistakes(file, (old, new))[0].startswith(f"policy.yml:{place}")


# Encodings and shapes


def test_a_byte_order_mark_and_windows_line_ends_are_read(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").encode())
    assert read_policy(file).suppression == "2%"


@pytest.mark.parametrize(
    ("encoding", "line"), [("cp1252", 11), ("utf-16", 1), ("utf-16-le", 1), ("utf-16-be", 1)]
)
def test_a_policy_in_another_encoding_is_refused_with_file_and_line(
    file: Path, encoding: str, line: int
) -> None:
    name = "grippe-é:" if encoding == "cp1252" else "disease:"
    told = refusal(file, EXAMPLE.replace("disease:", name).encode(encoding))
    assert told.startswith(f"policy.yml:{line}: ")


def test_a_policy_in_another_encoding_is_told_to_be_saved_as_utf_8(file: Path) -> None:
    assert "Save it as UTF-8" in refusal(file, EXAMPLE.replace("disease:", "é:").encode("cp1252"))


@pytest.mark.parametrize(
    ("content", "start"),
    [
        ("a: [b\nc: d", "policy.yml:2: not YAML"),
        ("a: b: c", "policy.yml:1: not YAML"),
        ("a: *nowhere", "policy.yml:1: not YAML"),
        ("- a\n- b\n", "policy.yml:1: a policy is a mapping"),
        ("hello", "policy.yml:1: a policy is a mapping"),
        ("", "policy.yml: the file is empty"),
        ("# nothing here\n", "policy.yml: the file is empty"),
        (f"{EXAMPLE}---\na: b\n", "policy.yml:19: not YAML"),
        ("? [a]\n: b\n", "policy.yml:1: a key must be a text"),
        ("&a [*a]", "policy.yml:1: an alias stands inside what it names"),
    ],
)
def test_a_file_that_is_no_policy_is_refused(file: Path, content: str, start: str) -> None:
    assert refusal(file, content).startswith(start)


def aliased(*, keys: bool) -> str:
    """300 characters in which each part has the one before it eight times."""
    eight = ", ".join(f"k{number}: *p" if keys else "*p" for number in range(8))
    opened, closed = "{}" if keys else "[]"
    parts = [
        f"p{n}: &p{n} {opened}{eight.replace('*p', f'*p{n - 1}')}{closed}" for n in range(1, 7)
    ]
    return "\n".join(["p0: &p0 [a, b]", *parts])


@pytest.mark.parametrize("keys", [True, False])
def test_aliases_of_aliases_are_refused_before_they_are_written_out(file: Path, keys: bool) -> None:
    message = refusal(file, aliased(keys=keys))
    assert message.startswith("policy.yml:1: aliases make more than 100,000 copies of what they")


def test_a_text_that_aliases_put_in_many_places_is_looked_through_once(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def look(text: str) -> str:
        looked.append(text)
        return ""

    monkeypatch.setattr(yaml_text, "unsaid", look)
    refusal(file, f"a: &a long\nb: [{', '.join(['*a'] * 90)}]\n")
    assert looked.count("long") == 1


def test_an_alias_in_many_places_is_as_long_as_what_it_names(file: Path) -> None:
    shared = EXAMPLE.replace("{prefixes: [4, 3, 2]}", "&zips {prefixes: [4, 3, 2]}")
    assert shared != EXAMPLE
    copies = "".join(
        f"  other_{number}: {{role: quasi, hierarchy: *zips}}\n" for number in range(500)
    )
    written = shared.replace("guarantees:", f"{copies}guarantees:")
    file.write_text(written, encoding="utf-8")
    policy = read_policy(file)
    assert policy.columns["other_499"].hierarchy == policy.columns["zip"].hierarchy


def test_an_anchor_that_is_set_again_names_the_later_part(file: Path) -> None:
    again = EXAMPLE.replace("{prefixes: [4, 3, 2]}", "&rule {prefixes: [4, 3, 2]}").replace(
        "guarantees:",
        "  one: {role: quasi, hierarchy: *rule}\n"
        "  two: {role: quasi, hierarchy: &rule suppress}\n"
        "  three: {role: quasi, hierarchy: *rule}\nguarantees:",
    )
    file.write_text(again, encoding="utf-8")
    columns = read_policy(file).columns
    assert columns["one"].hierarchy == columns["zip"].hierarchy
    assert isinstance(columns["three"].hierarchy, Suppress)


def test_a_missing_policy_is_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"nowhere\.yml: there is no such file"):
        read_policy(tmp_path / "nowhere.yml")


def test_a_mapping_reads_as_the_file_of_the_same_shape(file: Path) -> None:
    assert read_policy(YAML(typ="safe").load(EXAMPLE)).model_dump() == read(file).model_dump()


# Environment


def test_the_environment_names_the_database(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAREHOUSE", "elsewhere.duckdb")
    policy = read(file, ("warehouse.duckdb", "${WAREHOUSE}"))
    assert policy.file(str(policy.source.database), "source", "database") == (
        file.parent / "elsewhere.duckdb"
    )


@pytest.mark.parametrize("text", ["${SQLGEN_FOLDER}/x", "a${SQLGEN_FOLDER}", "${SQLGEN_FOLDER}"])
def test_a_variable_that_is_not_set_is_named_with_its_place(file: Path, text: str) -> None:
    policy = read(file, ("warehouse.duckdb", text))
    with pytest.raises(
        PolicyError, match=r"^policy\.yml:2: source\.database: the environment variable SQLGEN_FOL"
    ):
        make_plan(policy)


def test_the_value_of_a_variable_is_in_no_message(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAREHOUSE", "/secret-place/warehouse.duckdb")
    policy = read(file, ("warehouse.duckdb", "${WAREHOUSE}"))
    with pytest.raises(PolicyError) as raised:
        make_plan(policy)
    assert "secret-place" not in str(raised.value)


def test_parts_that_do_not_fit_are_all_named_at_once(file: Path) -> None:
    """Each in its own line, whichever sections they stand in."""
    queries = 'queries: [{town: "value = 1"}, {visits: "value = 1"}, {}]\n'
    weights = "objective: {loss: {weights: {visits: 2}}}"
    found = mistakes(file, ("objective: loss", queries + weights))
    assert [line.split(": ", 1)[1] for line in found] == [
        "queries[0].town: town must be a quasi-identifier or sensitive",
        "queries[1].visits: visits must be a quasi-identifier or sensitive",
        "queries[2]: name a column and a condition on it",
        "objective.loss.weights.visits: visits must be a quasi-identifier",
    ]


@pytest.mark.parametrize("distance", ["equal", "variational", "js"])
def test_a_distance_that_there_is_not_is_refused(file: Path, distance: str) -> None:
    closeness = f"\n  - t_closeness: {{column: disease, t: 2, distance: {distance}}}"
    (found,) = mistakes(file, ("{k: 5}", "{k: 5}" + closeness))
    assert found == (
        f"{file.name}:15: guarantees[1].t_closeness.t: must be at most 1, for no {distance} "
        "distance is larger; found 2"
    )


def test_a_distance_without_a_largest_one_may_be_more_than_1(file: Path) -> None:
    closeness = "\n  - t_closeness: {column: disease, t: 2, distance: kl}"
    assert len(read(file, ("{k: 5}", "{k: 5}" + closeness)).guarantees) == 2
