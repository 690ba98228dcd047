"""Do the tests bite where nobody thought of an edit? Operators change each place of a template."""

from __future__ import annotations

import pytest

from operators import is_noticed_by_any, operator_changes, operator_edits

# How many of a template's changes are noticed. More is better, fewer is a claim lost. What survives
# means the same (a COALESCE of a count that is never NULL), or shows what no check asks yet.
NOTICED = {
    "auditing/check_sizes": 3,
}


@pytest.mark.parametrize(
    ("sql", "changed"),
    [
        ("SELECT a < 1", ["SELECT a <= 1", "SELECT a < 2"]),
        ("SELECT MIN(a), 'MIN(' FROM t", ["SELECT MAX(a), 'MIN(' FROM t"]),
        ("SELECT COUNT(DISTINCT a)", ["SELECT COUNT( a)"]),
        ("SELECT a IS NOT DISTINCT FROM b", []),
        ("a LEFT JOIN b ON c AND d", ["a  JOIN b ON c AND d", "a LEFT JOIN b ON c OR d"]),
        ("{% if x < 1 %}{{ a < 1 }} > b{% endif %}", ["{% if x < 1 %}{{ a < 1 }} >= b{% endif %}"]),
    ],
)
def test_an_operator_changes_sql_and_not_jinja(sql: str, changed: list[str]) -> None:
    changes = operator_changes(sql)
    assert [sql[:start] + new + sql[end:] for start, end, new in changes] == changed


@pytest.mark.parametrize("template", NOTICED)
def test_as_many_changes_of_a_template_are_noticed_as_before(template: str) -> None:
    noticed = [edit for edit in operator_edits(template) if is_noticed_by_any(edit)]
    assert len(noticed) >= NOTICED[template]
