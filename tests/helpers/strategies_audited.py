"""Hypothesis strategies for tables to audit, with a source and tables of the user's.

Tables have few rows and fewer, skewed values. Their quasi-identifiers are values or labels of one
level; tables of people have values as the source has them, some that no row and no hierarchy has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from auditing import WEIGHT, Case, Quasi, Sensitive
from oracle import Row, Value, classes
from strategies import Column, Hierarchy, as_text, oracle_ladder

# Numbers that are written alike in no two ways: a tie would have no order.
NUMBERS = ("1", "2", "10", "-3", "2.5", "007", "0.5")
POOLS: Mapping[str, tuple[Value, ...]] = {
    "VARCHAR": ("a", "b", "ab", "abc", "B", "'", "é", "🙂", " a", "NULL", ""),
    "INTEGER": (0, 1, 2, 3, 9, 10, -1, 100),
}
UNKNOWN = {"VARCHAR": "nothing of", "INTEGER": "77"}
# Names that the templates use themselves.
NAMES = (
    *("illness", "value", "value_id", "class_id", "class_size", "position", "v1", "s1", "id_0"),
    *("reference_count", "cell", 'say "hi"', "Merit Points", "figure", "label_1", "value_1"),
    *("person_id", "person_count", "key_1", "q1", "level", "label", "id", "member", "superset"),
)
WEIGHTS = ("0", "1", "2", "0.5", "3.25", "100")
# Tables of people; the last of them knows sensitive values too, with weights.
TOWN, VOTERS, NOBODY, PRIORS = "town", "voters", "nobody", "priors"
ABBEYS = {"north": {"n1": ["x", "y"], "n2": ["z"]}, "south": ["w"]}
CUTS = {"cuts": ["0", "10", "20"], "closed": True}
# How quasi-identifiers generalize, values that each covers, and some that a list may lack.
QUASI: Sequence[tuple[Quasi, Sequence[Value], Sequence[Value]]] = [
    (Quasi(), ("x", "y", "z"), ("q",)),
    (Quasi(hierarchy={"tree": ABBEYS}), ("x", "y", "z", "w"), ("q",)),
    (Quasi(hierarchy={"prefixes": [2, 1]}), ("abc", "abd", "ax", "b", ""), ("ab", "c")),
    (Quasi("INTEGER", {"intervals": [10, 20]}), (3, 9, 12, -1), (99,)),
    (Quasi("INTEGER", {"intervals": [CUTS]}), (0, 9, 12), (20, -1)),
    (Quasi("DECIMAL(9,2)", {"intervals": ["2.5"]}), tuple(map(Decimal, ("1.50", "2.50"))), ()),
    (
        Quasi("DATE", {"dates": ["month", "year"]}),
        (date(2020, 2, 29), date(2020, 3, 1), date(2021, 3, 1)),
        (date(1900, 1, 1),),
    ),
]


@dataclass(frozen=True)
class _Key:
    """A quasi-identifier: its type in the table that is audited, and what values are drawn from.

    ``behind`` has the values that each label stands for.
    """

    quasi: Quasi
    type: str
    behind: Mapping[Value, Sequence[Value]]
    raw: Sequence[Value]
    people: Sequence[Value]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A table to audit with everything that it could be held against."""
    called = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    count = min(draw(st.sampled_from([1, 2, 2])), len(called) - 1)
    keys = {name: draw(_keys()) for name in called[:count]}
    made = [draw(_sensitive(name)) for name in called[count:][:3]]
    sensitive = {column.name: pool for column, pool in made}
    persons = {"person": draw(st.sampled_from([(1, 2, 3, 4), (1, 1, 1, 2, None)]))}
    labels = {name: tuple(key.behind) for name, key in keys.items()}
    row = _row(labels | sensitive | persons)
    raw = _row({name: key.raw for name, key in keys.items()} | sensitive | persons)
    person = {name: key.people for name, key in keys.items()}
    believed = {
        column.name: [*pool, *_unheard(column) * draw(st.integers(0, 2))] for column, pool in made
    }
    weights = {WEIGHT: tuple(map(Decimal, WEIGHTS))}
    least, most = draw(st.sampled_from([(0, 4), (5, 25), (5, 25)]))
    rows = draw(st.lists(row, min_size=least, max_size=most))
    return Case(
        {name: key.type for name, key in keys.items()},
        [column for column, _ in made],
        rows,
        [*draw(st.lists(raw, max_size=15)), *draw(_every(keys, raw))],
        draw(_weighed(sensitive | weights, 8)),
        "person",
        {name: key.quasi for name, key in keys.items()},
        {
            TOWN: draw(st.one_of(st.lists(_row(person), max_size=30), _town(rows, keys, person))),
            VOTERS: draw(st.lists(_row(person), max_size=5)),
            NOBODY: [],
            PRIORS: draw(_weighed(person | believed | weights, 20)),
        },
    )


def _every(keys: Mapping[str, _Key], raw: st.SearchStrategy[Row]) -> st.SearchStrategy[list[Row]]:
    """Rows that have every value of the quasi-identifiers: each label is one of a source's."""
    lines = range(max(len(key.raw) for key in keys.values()))
    held = [{name: key.raw[line % len(key.raw)] for name, key in keys.items()} for line in lines]
    return st.tuples(*(raw for _ in held)).map(
        lambda drawn: [{**row, **each} for row, each in zip(drawn, held, strict=True)]
    )


def without_values(draw: st.DrawFn, case: Case) -> Case:
    """The table with all sensitive values of some classes NULL."""
    found = list(classes(case.rows, list(case.quasi)))
    masked = draw(st.lists(st.sampled_from(found), unique=True)) if found else []
    nothing: Row = dict.fromkeys(column.name for column in case.sensitive)
    rows = [
        {**row, **nothing} if tuple(row[name] for name in case.quasi) in masked else row
        for row in case.rows
    ]
    return replace(case, rows=rows)


def _row(pools: Mapping[str, Sequence[Value]]) -> st.SearchStrategy[Row]:
    return st.fixed_dictionaries({name: st.sampled_from(pool) for name, pool in pools.items()})


@st.composite
def _town(
    draw: st.DrawFn,
    rows: Sequence[Row],
    keys: Mapping[str, _Key],
    person: Mapping[str, Sequence[Value]],
) -> list[Row]:
    """Somebody behind every row, so many times, and hardly anybody else."""
    held = [
        {name: draw(st.sampled_from(key.behind[row[name]])) for name, key in keys.items()}
        for row in rows
    ]
    return held * draw(st.integers(1, 3)) + draw(st.lists(_row(person), max_size=2))


def _weighed(pools: Mapping[str, Sequence[Value]], most: int) -> st.SearchStrategy[list[Row]]:
    """Rows with weights that do not all weigh nothing."""
    rows: st.SearchStrategy[list[Row]] = st.lists(_row(pools), min_size=1, max_size=most)
    return rows.filter(lambda each: any(row[WEIGHT] for row in each))


def _unheard(column: Sensitive) -> list[Value]:
    """A value that a column never has, where its order has a place for it."""
    if column.order == "numeric" and column.type == "VARCHAR":
        return []
    return [column.value(UNKNOWN[column.type])]


@st.composite
def _keys(draw: st.DrawFn) -> _Key:
    """A quasi-identifier at a level: no label of another level is one of its labels."""
    declared, covered, others = draw(st.sampled_from(QUASI))
    nulls = draw(st.sampled_from(["value", "top", "suppress"]))
    uncovered = draw(st.sampled_from(["error", "top", "suppress"]))
    quasi = replace(declared, nulls=nulls, uncovered=uncovered)
    held = [*covered, *draw(st.sampled_from([[], [None]]))]
    held += [] if uncovered == "error" else others
    ladder = oracle_ladder(
        Column("q", quasi.type, "quasi", tuple(held), quasi.hierarchy, nulls, uncovered)
    )
    level = draw(st.integers(0, ladder.height))
    behind: dict[Value, list[Value]] = {}
    for value in held:
        if value in ladder.suppressed:
            continue
        label = ladder.at(value, level)
        if label != ladder.top or level == ladder.height:
            behind.setdefault(label, []).append(value)
    kind = quasi.type if level == 0 else "VARCHAR"
    return _Key(replace(quasi, level=level), kind, behind, held, [*covered, None, *others])


@st.composite
def _sensitive(draw: st.DrawFn, name: str) -> tuple[Sensitive, Sequence[Value]]:
    """A sensitive column, and what its values are drawn from: the first of them most often."""
    kind = draw(st.sampled_from(sorted(POOLS)))
    of_numbers = kind == "VARCHAR" and draw(st.booleans())
    values: tuple[Value, ...] = NUMBERS if of_numbers else POOLS[kind]
    pool = draw(st.lists(st.sampled_from(values), min_size=1, max_size=6, unique=True))
    texts = [as_text(value) for value in pool]
    orders: list[Any] = [None, "text"]
    if of_numbers or kind == "INTEGER":
        orders.append("numeric")
    orders.append(draw(st.permutations([*texts, UNKNOWN[kind]])))
    column = Sensitive(
        name,
        kind,
        draw(st.sampled_from(orders)),
        *draw(st.one_of(st.just((None, "value", "error")), _hierarchies(kind, texts))),
    )
    nulls: list[Value] = draw(st.sampled_from([[], [None], [None] * 4]))
    return column, [*pool, *pool[:1] * draw(st.integers(0, 6)), *nulls]


@st.composite
def _hierarchies(
    draw: st.DrawFn, kind: str, texts: Sequence[str]
) -> tuple[Hierarchy | None, str, str]:
    """A hierarchy with what it says of NULL and of values that it does not cover."""
    nulls = draw(st.sampled_from(["value", "top"]))
    if draw(st.integers(0, 3)) == 0:
        rule: Hierarchy = {"prefixes": [2, 1]} if kind == "VARCHAR" else {"intervals": [2, 10]}
        return draw(st.sampled_from(["suppress", rule])), nulls, "error"
    leaves = [*texts, UNKNOWN[kind]]
    uncovered = draw(st.sampled_from(["error", "top"]))
    if uncovered == "top":
        leaves = leaves[draw(st.integers(0, len(leaves) - 1)) :]
    tree: dict[str, Any] = {}
    for leaf in leaves:
        shallow, above, below = draw(
            st.sampled_from([(True, "f", ""), *((False, a, b) for a in "ab" for b in "xy")])
        )
        if shallow:
            tree.setdefault(f"flat {above}", []).append(leaf)
        else:
            tree.setdefault(f"deep {above}", {}).setdefault(f"{above} {below}", []).append(leaf)
    return {"tree": tree}, nulls, uncovered
