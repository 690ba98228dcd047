"""What an audit says a finished table has lost: the plan's figures, and those of other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import oracle_shown
import oracle_spans
from auditing import load
from harness import RELEASE, connected, policy_mapping
from oracle import Value
from oracle_metrics import hierarchy
from sqlgen import Audit, Policy, SearchLimits, apply_plan, audit_table, make_plan, read_policy
from sqlgen.metrics import METRICS
from strategies import Table, as_text, quoted, tables

# Three of them are 900 units at most.
WEIGHTS = st.decimals(0, 3, places=2)
WEIGHED = ("loss", "precision", "height", "non_uniform_entropy")


def text_of(value: Value) -> str | None:
    """A value as the engine writes it."""
    return None if value is None else as_text(value)


@dataclass(frozen=True)
class Asked:
    """What a release should lose least of."""

    name: str = "loss"
    aggregate: Any = "geometric"
    weights: tuple[Fraction, ...] = ()

    def written(self, names: Sequence[str]) -> Any:
        """The objective as a policy has it."""
        options: dict[str, Any] = {}
        if self.name == "loss":
            options["aggregate"] = self.aggregate
        if self.weights:
            options["weights"] = {
                name: f"{float(weight):.2f}"
                for name, weight in zip(names, self.weights, strict=True)
            }
        return {self.name: options} if options else self.name


@st.composite
def objectives(draw: st.DrawFn, columns: int) -> Asked:
    name = draw(st.sampled_from([*METRICS, *WEIGHED]))
    ways = ["geometric", "arithmetic", "max"] if name == "loss" else ["geometric"]
    aggregate = draw(st.sampled_from(ways))
    weights = draw(st.lists(WEIGHTS.map(Fraction), min_size=columns, max_size=columns))
    if name not in WEIGHED or not any(weights):
        return Asked(name, aggregate)
    return Asked(name, aggregate, tuple(weights))


def columns_of(
    table: Table,
    labels: Mapping[str, Sequence[str | None]],
    rows: int,
    declared: Mapping[str, tuple[int, int]] | None = None,
) -> list[oracle_shown.Shown]:
    """The quasi-identifiers of a table that was made of another, as the oracle reads them."""
    return [
        oracle_shown.Shown(
            hierarchy(ladder),
            [row[name] for row in table.rows],
            labels.get(name),
            text_of,
            (declared or {}).get(name, (0, ladder.height)),
            rows,
        )
        for name, ladder in table.ladders.items()
    ]


def policy_of(table: Table, asked: Asked, k: int = 2, budget: int | str = "100%") -> Policy:
    names = list(table.ladders)
    mapping = policy_mapping(table, k, budget) | {"objective": asked.written(names)}
    mapping["queries"] = [{name: f"{quoted(name)} IS NOT NULL"} for name in names[:2]]
    return read_policy(mapping)


def without_queries(audit: Audit) -> dict[str, float]:
    return {name: figure for name, figure in audit.metrics.items() if name != "query_error"}


def assert_near(found: Mapping[str, float], expected: Mapping[str, float]) -> None:
    assert found.keys() == expected.keys()
    for name, figure in expected.items():
        assert found[name] == pytest.approx(figure, rel=1e-9, abs=1e-8), name


@pytest.mark.battery
@given(tables(max_quasi=3), st.integers(1, 4), st.sampled_from([0, "20%", "100%"]), st.data())
def test_an_audit_of_a_release_tells_what_its_plan_told(
    table: Table, k: int, budget: int | str, data: st.DataObject
) -> None:
    assume(table.rows)
    asked = data.draw(objectives(len(table.ladders)))
    policy = policy_of(table, asked, max(k, 2), budget)
    held = {}
    if data.draw(st.booleans()):
        held = {
            name: (level, level)
            for name, ladder in table.ladders.items()
            for level in [data.draw(st.integers(0, ladder.height))]
        }
    with connected(table) as connection:
        plan = make_plan(policy, connection, limits=SearchLimits(held))
        assume(plan.satisfied)
        apply_plan(plan, connection)
        audit = audit_table(policy, source=connection)
        shown = [
            connection.execute(
                f"SELECT CAST({quoted(name)} AS VARCHAR) FROM {quoted(RELEASE)}"
            ).fetchall()
            for name in table.ladders
        ]
    labels = {
        name: [row[0] for row in rows] for name, rows in zip(table.ladders, shown, strict=True)
    }
    columns = columns_of(table, labels, audit.rows)
    assert audit.not_measured == ""
    # A table whose labels are those of several levels does not say which one was meant.
    if [each.level() for each in columns] == list(plan.levels_to("test").values()):
        event("the plan's levels")
        found, expected = audit.to_dict(), plan.to_dict()
        assert found["metrics"] == pytest.approx(expected["metrics"], rel=0, abs=1e-8)
        assert without_queries(audit) == {
            name: figure for name, figure in plan.metrics.items() if name != "query_error"
        }
        assert [each.true for each in audit.answers] == [each.true for each in plan.answers]
        for mine, theirs in zip(audit.answers, plan.answers, strict=True):
            assert mine.estimate == pytest.approx(theirs.estimate, rel=1e-9, abs=1e-9)
    told = oracle_shown.figures(columns, asked.name, asked.aggregate, asked.weights)
    found = without_queries(audit)
    assert_near({name: found[name] for name in told}, told)


@st.composite
def recoded(draw: st.DrawFn) -> tuple[Table, dict[str, list[str | None]], int]:
    """A table, and another that a tool made of it: each row at levels of its own, some gone."""
    table = draw(tables(max_rows=20, max_quasi=3).filter(lambda drawn: bool(drawn.rows)))
    ladders = table.ladders
    able = [
        row for row in table.rows if all(row[name] in each.leaves for name, each in ladders.items())
    ]
    kept = draw(st.lists(st.sampled_from(range(len(able))), unique=True)) if able else []
    labels: dict[str, list[str | None]] = {}
    for name, ladder in ladders.items():
        mixed = draw(st.booleans())
        levels = draw(
            st.lists(st.integers(0, ladder.height), min_size=len(kept), max_size=len(kept))
            if mixed
            else st.integers(0, ladder.height).map(lambda level: [level] * len(kept))
        )
        labels[name] = [
            text_of(ladder.at(able[row][name], level))
            for row, level in zip(kept, levels, strict=True)
        ]
    if len(labels) > 1 and draw(st.integers(0, 4)) == 0:
        del labels[draw(st.sampled_from(list(labels)))]
    return table, labels, len(kept)


@given(recoded(), st.data())
def test_a_table_of_another_tool_is_reckoned_by_its_labels(
    made: tuple[Table, dict[str, list[str | None]], int], data: st.DataObject
) -> None:
    table, labels, rows = made
    asked = data.draw(objectives(len(table.ladders)))
    columns = columns_of(table, labels, rows)
    levels = [each.level() for each in columns]
    event(f"mixed: {None in levels}")
    with connected(table) as connection:
        types = dict.fromkeys(labels, "VARCHAR")
        lines = [{name: labels[name][row] for name in labels} for row in range(rows)]
        load(connection, RELEASE, types, lines)
        audit = audit_table(policy_of(table, asked), quoted(RELEASE), connection)
    expected = oracle_shown.figures(columns, asked.name, asked.aggregate, asked.weights)
    assert "precision" in expected, "what was made of the source is read with its hierarchies"
    assert audit.not_measured == ""
    found = without_queries(audit)
    if "kl_divergence" not in expected:
        del found["kl_divergence"]
    assert_near(found, expected)


@st.composite
def spanned(draw: st.DrawFn) -> tuple[Table, dict[str, list[str | None]], int]:
    """A table, and another with ranges and sets for labels, beside some of levels; some rows gone.

    Each label holds its row's value; a few hold other rows' instead.
    """
    table = draw(tables(max_rows=20, max_quasi=3).filter(lambda drawn: bool(drawn.rows)))
    ladders = table.ladders
    able = [
        row for row in table.rows if all(row[name] in each.leaves for name, each in ladders.items())
    ]
    kept = draw(st.lists(st.sampled_from(range(len(able))), unique=True)) if able else []
    labels: dict[str, list[str | None]] = {}
    for column in columns_of(table, {}, 0):
        name = list(ladders)[len(labels)]
        leaves = column.ordered()
        labels[name] = []
        for row in kept:
            place = leaves.index(able[row][name])
            if draw(st.integers(0, 30)) == 0:
                place = draw(st.integers(0, len(leaves) - 1))
            first = draw(st.integers(0, place))
            last = draw(st.integers(place, len(leaves) - 1))
            others = draw(st.lists(st.sampled_from(leaves), max_size=3, unique=True))
            held = sorted({place, *map(leaves.index, others)})
            names = [oracle_spans.spelled(text_of(leaf)) for leaf in leaves]
            label = text_of(
                ladders[name].at(leaves[place], draw(st.integers(0, column.hierarchy.height)))
            )
            made = draw(st.sampled_from("rrssl"))
            if made == "r" and first < last:
                label = f"[{names[first]}, {names[last]}]"
            elif made == "s" and len(held) > 1:
                label = "{" + ", ".join(names[number] for number in held) + "}"
            labels[name].append(label)
    return table, labels, len(kept)


@given(spanned(), st.data())
def test_ranges_and_sets_are_reckoned_by_the_leaves_that_they_hold(
    made: tuple[Table, dict[str, list[str | None]], int], data: st.DataObject
) -> None:
    table, labels, rows = made
    asked = data.draw(objectives(len(table.ladders)))
    columns = columns_of(table, labels, rows)
    with connected(table) as connection:
        types = dict.fromkeys(labels, "VARCHAR")
        lines = [{name: labels[name][row] for name in labels} for row in range(rows)]
        load(connection, RELEASE, types, lines)
        audit = audit_table(policy_of(table, asked), quoted(RELEASE), connection)
    expected = oracle_shown.figures(columns, asked.name, asked.aggregate, asked.weights)
    found = without_queries(audit)
    event(f"read: {'precision' in expected}")
    assert (audit.not_measured == "") == ("precision" in expected)
    if "kl_divergence" not in expected:
        found.pop("kl_divergence", None)
    assert_near(found, expected)
    for answer, column in zip(audit.answers, columns[:2], strict=False):
        cells = column.cells()
        assert cells is not None
        shares = [Fraction(len(cell.leaves - {None}), len(cell.leaves)) for cell in cells]
        assert answer.estimate == pytest.approx(float(sum(shares)), abs=1e-9)


@given(recoded(), st.data())
def test_a_label_that_no_level_has_leaves_the_sizes_alone(
    made: tuple[Table, dict[str, list[str | None]], int], data: st.DataObject
) -> None:
    table, labels, rows = made
    assume(rows)
    name = data.draw(st.sampled_from(list(labels)))
    labels[name][data.draw(st.integers(0, rows - 1))] = "a label of nobody's"
    with connected(table) as connection:
        types = dict.fromkeys(labels, "VARCHAR")
        lines = [{name: labels[name][row] for name in labels} for row in range(rows)]
        load(connection, RELEASE, types, lines)
        audit = audit_table(policy_of(table, Asked()), quoted(RELEASE), connection)
    assert audit.not_measured == f"{name} shows 1 label that no level of its hierarchy has"
    assert audit.answers == ()
    expected = oracle_shown.figures(columns_of(table, labels, rows))
    assert set(audit.metrics) == {"discernibility", "average_class_size"}
    assert_near(audit.metrics, expected)
