"""Several releases of one source, read together: what is left to an observer who holds them all.

The observer knows the quasi-identifiers of everybody in the source. A combination of them falls in
at most one class of a release: the rows whose labels, at the levels of that release, are those of
its values; in none where it was suppressed, or was not there yet, and the release then says nothing
of it. Of a release of new rows alone they know too when each row came: a combination is in a class
of it where its rows came in its window, and is met anew for each set of windows that its rows came
in. What is left of a combination after all releases:

- **candidate rows**: the rows of the source that fall in the same class as it in every release that
  has a class of it, and no more than the smallest of these classes has (k; with a ``unit``, persons
  in place of rows);
- **candidate values** of a sensitive column: those that every class of it holds, of the releases
  that show the column (l). NULL is a value; a class whose values were withheld says nothing. A
  label of a coarser level stands for all that it covers at the finest level that any release shows.
  None are left where releases contradict each other: somebody came later, or a value has changed;
- **rows exposed by differencing**, of two releases at the same levels: in a class that both have,
  the rows that came, or that went, where they are fewer than k or have fewer than l values. Two
  whose windows are apart have no row in common, and no difference.

A release whose window is apart from those of all others is not read: it is as it was judged alone.

This is the complementary release attack of Sweeney 2002; m-invariance (Xiao and Tao 2007) is the
known answer to it. Who has left the source, and what readers kept of a release that was replaced,
is not measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from markupsafe import Markup

from sqlgen.catalog import Relation, temporary
from sqlgen.engines import Engine
from sqlgen.models.diversity import DistinctLDiversity
from sqlgen.policy import Policy, share_rows
from sqlgen.sql.render import statement
from sqlgen.together import Read, Shown, labels_table, stage_releases, stood_for, values_table
from sqlgen.windows import within_sql

# A value that is told is disclosed, whatever a guarantee asks of shares.
_DISCLOSED = 2


@dataclass(frozen=True)
class JointSize:
    """The fewest candidates for a row, in rows or persons, and the rows with fewer than asked."""

    unit: str | None
    fewest: int | None
    required: int | None
    rows_below: int


@dataclass(frozen=True)
class JointValues:
    """The fewest candidate values of a column, and the rows with fewer than asked.

    ``rows_without`` are those of which the releases contradict each other. Where no number of
    values is asked for, one is too few, and of rows that had more in each release by itself.
    """

    column: str
    fewest: int | None
    required: int | None
    rows_below: int
    rows_without: int


@dataclass(frozen=True)
class Difference:
    """Two releases at the same levels: rows that came and went in classes of both, and exposed."""

    earlier: str
    later: str
    rows_came: int
    rows_went: int
    exposed_rows: int


@dataclass(frozen=True)
class Joint:
    """What is left of a policy's guarantees when all releases are read together.

    ``left_out`` are releases that are not published any more, or are of others; ``unjudged`` those
    that stand and could not be read: each with the reason. ``apart`` are those of new rows that
    share nobody with another, and tell no more beside it. ``mode`` is the policy's ``joint``.
    """

    releases: tuple[str, ...]
    combinations: int = 0
    rows: int = 0
    sizes: tuple[JointSize, ...] = ()
    values: tuple[JointValues, ...] = ()
    differences: tuple[Difference, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    unjudged: tuple[tuple[str, str], ...] = ()
    apart: tuple[str, ...] = ()
    mode: str = "fail"

    @property
    def satisfied(self) -> bool:
        """Whether nothing is lost by reading the releases together, and all could be read."""
        if self.unjudged:
            return False
        lost = (
            *(each.rows_below for each in self.sizes),
            *(each.rows_below for each in self.values),
            *(each.exposed_rows for each in self.differences),
        )
        return len(self.releases) < 2 or not any(lost)

    @property
    def blocks(self) -> bool:
        """Whether the policy lets no release be made like this."""
        return self.mode == "fail" and not self.satisfied

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values, as ``sqlgen audit --with-history --json`` prints them."""
        return {
            "satisfied": self.satisfied,
            "mode": self.mode,
            "releases": list(self.releases),
            "combinations": self.combinations,
            "rows": self.rows,
            "sizes": [vars(each) for each in self.sizes],
            "values": [vars(each) for each in self.values],
            "differences": [vars(each) for each in self.differences],
            "left_out": [{"release": words, "reason": why} for words, why in self.left_out],
            "unjudged": [{"release": words, "reason": why} for words, why in self.unjudged],
            "apart": list(self.apart),
        }


def measure_joint(
    engine: Engine,
    policy: Policy,
    source: Relation,
    releases: Sequence[Shown],
    left_out: Sequence[tuple[str, str]] = (),
    unjudged: Sequence[tuple[str, str]] = (),
    apart: Sequence[str] = (),
) -> Joint:
    """What is left when releases are read together; runs in the transaction that is open.

    ``source`` has the rows with their own values. A release that is being made is measured with
    the others under the name that it is built under. What is staged is dropped again.
    """
    shares = share_rows([each.window for each in releases])
    together = [each for each, shared in zip(releases, shares, strict=True) if shared]
    alone = [each.words for each, shared in zip(releases, shares, strict=True) if not shared]
    read = [Read(number, each, policy) for number, each in enumerate(together, 1)]
    told = Joint(
        tuple(each.words for each in together),
        left_out=tuple(left_out),
        unjudged=tuple(unjudged),
        apart=(*apart, *alone),
        mode=policy.joint,
    )
    if not read:
        return told
    held = [name for name in policy.sensitive if any(name in each.sensitive for each in read)]
    staged = stage_releases(engine, policy, source, read)
    measured = [
        _measure_size(engine, policy, source, read, unit, required)
        for unit, required in _asked_sizes(policy).items()
    ]
    (combination_count, rows), *_ = (counts for counts, size in measured if size.unit is None)
    values = tuple(_measure_values(engine, policy, source, read, name) for name in held)
    differences = tuple(
        _measure_difference(engine, policy, earlier, later)
        for earlier, later in combinations(read, 2)
        if earlier.levels == later.levels and not earlier.is_apart(later)
    )
    for table in (*staged, _MET, _SIGNATURE):
        engine.run(statement("apply/drop", kind=Markup("TABLE"), target=table))
    return replace(
        told,
        combinations=combination_count,
        rows=rows,
        sizes=tuple(size for _, size in measured),
        values=values,
        differences=differences,
    )


_MET = temporary("joint_met")
_SIGNATURE = temporary("joint_signature")


def _asked_sizes(policy: Policy) -> dict[str | None, int | None]:
    """The k that is asked for of rows and, by their column, of persons."""
    asked: dict[str | None, int | None] = {None: None}
    for each in policy.guarantees:
        if each.least_class > 1:
            asked[each.person] = max(each.least_class, asked.get(each.person) or 0)
    return asked


def _asked_values(policy: Policy, column: str) -> tuple[int | None, bool]:
    """How many values of a column are asked for, and whether a guarantee says so itself."""
    judging = [each for each in policy.guarantees if not each.limit and each.person is None]
    judging = [each for each in judging if column in each.subject]
    said = [each.l for each in judging if isinstance(each, DistinctLDiversity) and each.l > 1]
    if said:
        return max(said), True
    implied = any(not isinstance(each, DistinctLDiversity) for each in judging)
    return (_DISCLOSED if implied else None), False


def _measure_size(
    engine: Engine,
    policy: Policy,
    source: Relation,
    read: Sequence[Read],
    unit: str | None,
    required: int | None,
) -> tuple[tuple[int, int], JointSize]:
    """The combinations and rows that are in a release, and the fewest candidates for one."""
    for table in (_MET, _SIGNATURE):
        engine.run(statement("apply/drop", kind=Markup("TABLE"), target=table))
    names = [name for name in policy.quasi if any(name in each.quasi for each in read)]
    numbers = {name: number for number, name in enumerate(names, 1)}
    engine.run(
        statement(
            "joint/met",
            table=_MET,
            source=source.sql,
            person=source.column(unit).plain("source") if unit is not None else None,
            values=[
                {
                    "table": values_table(read[0].place(name)),
                    "plain": source.column(name).plain("source"),
                }
                for name in names
            ],
            releases=[
                {
                    "number": each.number,
                    "classes": each.classes,
                    "within": _within(source, each),
                    "places": [
                        {"number": numbers[name], "level": level, "place": each.place(name)}
                        for name, level in each.levels.items()
                    ],
                }
                for each in read
            ],
        )
    )
    shared = {"met": _MET, "releases": [each.number for each in read]}
    engine.run(statement("joint/signature", table=_SIGNATURE, **shared))
    combination_count, rows, fewest, below = engine.rows(
        statement(
            "joint/candidate_rows",
            signatures=_SIGNATURE,
            persons=unit is not None,
            least=required or 0,
            **shared,
        )
    )[0]
    return (combination_count, rows), JointSize(unit, fewest, required, below)


def _within(source: Relation, read: Read) -> Markup | None:
    """Whether a row of the source is one that a release could have; None where each is."""
    window = read.shown.window
    return within_sql(source.column(window.column), window) if window is not None else None


def _measure_values(
    engine: Engine, policy: Policy, source: Relation, read: Sequence[Read], name: str
) -> JointValues:
    """The fewest candidate values of a sensitive column."""
    showing = [each for each in read if name in each.sensitive]
    place = showing[0].place(name)
    queries = stood_for(engine, policy, source, showing, name)
    finest = min(each.level(name) for each in showing)
    rungs: dict[tuple[int, int], Markup] = {}
    wanted = {(each.level(name), finest) for each in showing if each.level(name) > finest}
    counted = (finest, policy.level(name)) if policy.level(name) > finest else None
    for pair in sorted({*wanted, *([counted] if counted else [])}):
        rungs[pair] = temporary(f"joint_rung_{pair[0]}_{pair[1]}")
        engine.run(
            statement(
                "joint/rung",
                table=rungs[pair],
                labels_from=queries[pair[0]],
                labels_to=queries[pair[1]],
                texts=labels_table(place),
            )
        )
    held = temporary("joint_held")
    engine.run(
        statement(
            "joint/held",
            table=held,
            column=place,
            releases=[
                {
                    "number": each.number,
                    "places": each.keys,
                    "rungs": rungs.get((each.level(name), finest)),
                    **each.tables,
                }
                for each in showing
            ],
        )
    )
    required, said = _asked_values(policy, name)
    fewest, below, without = engine.rows(
        statement(
            "joint/candidate_values",
            signatures=_SIGNATURE,
            held=held,
            releases=[each.number for each in showing],
            counted=rungs[counted] if counted else None,
            least=required or 0,
            narrowed=not said,
        )
    )[0]
    for table in (held, *rungs.values()):
        engine.run(statement("apply/drop", kind=Markup("TABLE"), target=table))
    return JointValues(name, fewest, required, below, without)


def _measure_difference(engine: Engine, policy: Policy, earlier: Read, later: Read) -> Difference:
    """What two releases at the same levels expose by the rows that came and went between them."""
    shared = [
        name
        for name in earlier.sensitive
        if name in later.sensitive and earlier.level(name) == later.level(name)
    ]
    columns = [
        {"place": earlier.place(name), "least": _asked_values(policy, name)[0]} for name in shared
    ]
    came, exposed_came, went, exposed_went = engine.rows(
        statement(
            "joint/difference",
            earlier=earlier.tables,
            later=later.tables,
            keys=earlier.keys,
            places=[*earlier.keys, *(earlier.place(name) for name in shared)],
            columns=columns,
            ways=[Markup("came"), Markup("went")],
            least=_asked_sizes(policy)[None] or 0,
        )
    )[0]
    exposed = exposed_came + exposed_went
    return Difference(earlier.shown.words, later.shown.words, came, went, exposed)
