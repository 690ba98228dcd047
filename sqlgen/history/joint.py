"""Several releases of one source, read together: what an observer who holds them all can find out.

The observer knows the quasi-identifiers of everybody in the source. In each release, a combination
of quasi-identifiers falls in at most one class: the rows whose labels are those of its values. It
falls in none where its rows were suppressed or came later; that release then says nothing about it.
Of a release of new rows the observer also knows when each row came, and of a release by a query
which rows the query chose. So a combination is counted separately for each set of windows and
queries that its rows belong to.

After reading all releases, an observer is left with this for each combination:

- **candidate rows**: the rows of the source that fall in the same class as the combination in every
  release where it has one. There are never more of them than rows in the smallest of these classes.
  They are compared with k. With a ``unit``, persons are counted in place of rows.
- **candidate values** of a sensitive column: the values that every class of the combination holds.
  They are compared with l. Releases that do not show the column are ignored, and so are classes
  whose values are masked. NULL is a value. A label of a coarser level stands for all labels that
  it covers at the finest level that any release shows. Releases contradict each other where no
  value is left: a row came later, or a value has changed.
- **combinations** of sensitive values, for releases that show several sensitive columns at the same
  levels: the values of each column that are left in combination with the others, compared with l.
- **rows exposed by differencing**: two releases are compared at the coarser of their two levels in
  each column, where a column that one of them does not show counts as fully generalized. In a class
  that has rows in both, the rows that came or went are exposed if they are fewer than k, or have
  fewer than l values. Rows that a release suppressed or masked count as not being in it. Releases
  of new rows whose windows do not overlap are also taken together, and compared with any release
  that shares rows with several of them: once with all, and once with those that stood before that
  release was made. Two such series are not compared as wholes; ``not_measured`` names them. Here k
  is the largest k of all guarantees; k persons count as k times the most rows of one person.

A release whose rows overlap with no other release is not read: its own audit has judged it. The
limits are the strictest k, and the strictest l of each column, of the policy and of the guarantees
with which the releases were made.

This is the complementary release attack of Sweeney 2002; m-invariance (Xiao and Tao 2007) is the
known answer to it. The manual lists what is not measured, and tests/test_not_measured.py shows it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlgen.display.summary import summary
from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.history.combinations import JointValues, measure_combinations
from sqlgen.history.differencing import Difference, measure_differences
from sqlgen.history.requirements import Requirements, policy_requirements, strictest
from sqlgen.history.staged_releases import (
    PublishedRelease,
    StagedRelease,
    counted_level,
    created,
    drop_tables,
    held_fragment,
    labels_table,
    place_of_column,
    sensitive_labels,
    sharing,
    stage_releases,
    values_table,
)
from sqlgen.policy import Policy
from sqlgen.sql.render import Statement, conjunction, sql, statement
from sqlgen.staging.row_windows import within_sql
from sqlgen.wording import rows_words


@dataclass(frozen=True)
class JointSize:
    """The fewest candidates for a row, in rows or persons, and the rows with fewer than asked."""

    unit: str | None
    fewest: int | None
    required: int | None
    rows_below: int

    def is_met(self, rows: int) -> bool:
        """Whether none of ``rows`` rows has too few candidates."""
        if self.rows_below != 0:
            return False
        if self.required is None or (self.fewest is None and rows == 0):
            return True
        return self.fewest is not None and self.fewest >= self.required


@dataclass(frozen=True)
class Joint:
    """The result of reading all releases together: which guarantees still hold.

    ``left_out`` has the releases that are not published any more, or are of other rows.
    ``unjudged`` has the published releases that could not be read or compared. Both say why.
    ``apart`` has releases that share no row with any other, and so add nothing. ``not_measured``
    has pairs of series of new rows whose releases are compared one by one, but not as wholes.
    ``mode`` is the policy's ``joint``. ``repeats`` names the earlier release that a new one repeats
    exactly, so that publishing it adds nothing.
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
    repeats: str = ""
    not_measured: tuple[tuple[str, str], ...] = ()

    @property
    def satisfied(self) -> bool:
        """Whether all releases could be read, and no guarantee is lost by reading them together.

        It fails closed: a count that is missing or not a number is not a count of 0 rows.
        """
        if self.unjudged:
            return False
        lost = (
            *(value.rows_below for value in self.values),
            *(difference.exposed_rows for difference in self.differences),
        )
        met = all(size.is_met(self.rows) for size in self.sizes)
        return len(self.releases) < 2 or (met and all(rows == 0 for rows in lost))

    @property
    def blocks(self) -> bool:
        """Whether this result stops the release, by the policy's ``joint``."""
        return self.mode == "fail" and not self.satisfied and not self.repeats

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values, as ``sqlgen audit --with-history --json`` prints them."""
        return {
            "satisfied": self.satisfied,
            "mode": self.mode,
            "releases": list(self.releases),
            "combinations": self.combinations,
            "rows": self.rows,
            "sizes": [vars(size) for size in self.sizes],
            "values": [vars(value) for value in self.values],
            "differences": [vars(difference) for difference in self.differences],
            "left_out": [{"release": words, "reason": why} for words, why in self.left_out],
            "unjudged": [{"release": words, "reason": why} for words, why in self.unjudged],
            "apart": list(self.apart),
            "not_measured": [
                {"series": series, "other": other} for series, other in self.not_measured
            ],
            "repeats": self.repeats,
        }

    def __repr__(self) -> str:
        fewest = [f"{size.fewest} {size.unit or 'rows'}" for size in self.sizes]
        fewest += [f"{value.fewest} values of {value.column}" for value in self.values]
        exposed = sum(difference.exposed_rows for difference in self.differences)
        verdict = "meets the policy" if self.satisfied else "does NOT meet the policy"
        return summary(
            "Joint",
            f"{len(self.releases)} read together, {verdict}; {rows_words(self.rows)} in "
            f"{self.combinations:,} combinations",
            f"fewest candidates: {', '.join(fewest)}" if fewest else "",
            f"{rows_words(exposed)} exposed by differencing" if self.differences else "",
        )


@dataclass(frozen=True)
class NotRead:
    """Releases that are not read together with the others, as in a ``Joint``."""

    left_out: tuple[tuple[str, str], ...] = ()
    unjudged: tuple[tuple[str, str], ...] = ()
    apart: tuple[str, ...] = ()


_ALL_READ = NotRead()


def measure_joint(
    engine: Engine,
    policy: Policy,
    source: Relation,
    releases: Sequence[PublishedRelease],
    not_read: NotRead = _ALL_READ,
) -> Joint:
    """Read releases together, in the transaction that is open; drop what is staged again.

    ``source`` has the rows with their own values. A release that is being made is measured with
    the others, under the name that it is built under.
    """
    together, joint = name_releases(policy, releases, not_read)
    staged = [StagedRelease(number, release, policy) for number, release in enumerate(together, 1)]
    if not staged:
        return joint
    promised = (release.requirements for release in together)
    requirements = strictest([policy_requirements(policy), *promised])
    tables = stage_releases(engine, policy, source, staged)
    counts, sizes = _measure_sizes(engine, policy, source, staged, requirements)
    values = tuple(
        _measure_values(engine, policy, source, staged, name, requirements)
        for name in policy.sensitive
        if any(name in release.sensitive for release in staged)
    )
    combined = measure_combinations(engine, policy, source, staged, requirements, _SIGNATURE)
    differences = measure_differences(engine, policy, source, staged, requirements)
    drop_tables(engine, *tables, _MET, _SIGNATURE)
    return replace(
        joint,
        combinations=counts[0],
        rows=counts[1],
        sizes=sizes,
        values=(*values, *combined),
        differences=differences.measured,
        unjudged=(*joint.unjudged, *differences.unjudged),
        not_measured=differences.not_measured,
    )


def name_releases(
    policy: Policy, releases: Sequence[PublishedRelease], not_read: NotRead
) -> tuple[list[PublishedRelease], Joint]:
    """The releases that share rows with another one, and a ``Joint`` that names all, unmeasured.

    A release that shares rows with no other tells no more than it was judged for.
    """
    shares = sharing([(release.window, release.part) for release in releases])
    pairs = list(zip(releases, shares, strict=True))
    together = [release for release, is_shared in pairs if is_shared]
    alone = [release.words for release, is_shared in pairs if not is_shared]
    return together, Joint(
        tuple(release.words for release in together),
        left_out=not_read.left_out,
        unjudged=not_read.unjudged,
        apart=(*not_read.apart, *alone),
        mode=policy.joint,
    )


_MET = temporary("joint_met")
_SIGNATURE = temporary("joint_signature")
_HELD = temporary("joint_held")


def _measure_sizes(
    engine: Engine,
    policy: Policy,
    source: Relation,
    releases: Sequence[StagedRelease],
    requirements: Requirements,
) -> tuple[tuple[int, int], tuple[JointSize, ...]]:
    """The combinations and the rows that are in a release, and the fewest candidates for a row.

    Candidates are counted in rows and in each kind of persons that a guarantee asks for. The tables
    that are staged for the last of these stay.
    """
    counts, sizes = (0, 0), []
    for unit, required in {None: None, **requirements.sizes}.items():
        drop_tables(engine, _MET, _SIGNATURE)
        engine.run(_met_statement(policy, source, releases, unit))
        shared = {"met": _MET, "releases": [release.number for release in releases]}
        engine.run(statement("history/signature", table=_SIGNATURE, **shared))
        combination_count, rows, fewest, below = engine.rows(
            statement(
                "history/candidate_rows",
                signatures=_SIGNATURE,
                persons=unit is not None,
                least=required or 0,
                **shared,
            )
        )[0]
        if unit is None:
            counts = combination_count, rows
        sizes.append(JointSize(unit, fewest, required, below))
    return counts, tuple(sizes)


def _met_statement(
    policy: Policy, source: Relation, releases: Sequence[StagedRelease], unit: str | None
) -> Statement:
    """The statement that stages the class of each combination in each release."""
    names = [name for name in policy.quasi if any(name in release.quasi for release in releases)]
    numbers = {name: number for number, name in enumerate(names, 1)}
    classes = [
        {
            "number": release.number,
            "classes": release.classes,
            "same_labels": _same_labels_fragment(release, numbers),
            "within": _within_fragment(source, release),
        }
        for release in releases
    ]
    return statement(
        "history/met",
        table=_MET,
        source=source.sql,
        person=source.column(unit).plain("source") if unit is not None else None,
        values=[
            {
                "table": values_table(place_of_column(policy, name)),
                "plain": source.column(name).plain("source"),
            }
            for name in names
        ],
        releases=[release.number for release in releases],
        whole=[release for release in classes if release["within"] is None],
        partial=[release for release in classes if release["within"] is not None],
    )


def _same_labels_fragment(release: StagedRelease, numbers: Mapping[str, int]) -> Markup:
    """Whether a combination's values, by their ``numbers``, have the labels of a class."""
    return conjunction(
        sql(
            "value_{value}.id_at_{level} = class_{release}.{place}",
            value=numbers[name],
            level=level,
            release=release.number,
            place=release.place(name),
        )
        for name, level in release.levels.items()
    )


def _within_fragment(source: Relation, release: StagedRelease) -> Markup | None:
    """Whether a row of the source is one that a release may hold; None where it may hold any."""
    window, part = release.shown.window, release.shown.part
    conditions = []
    if window is not None:
        conditions.append(within_sql(source.column(window.column), window))
    if part is not None:
        conditions.append(part.condition)
    return conjunction(conditions) if conditions else None


def _measure_values(
    engine: Engine,
    policy: Policy,
    source: Relation,
    releases: Sequence[StagedRelease],
    name: str,
    requirements: Requirements,
) -> JointValues:
    """The fewest candidate values of a sensitive column."""
    showing = [release for release in releases if name in release.sensitive]
    place = place_of_column(policy, name)
    finest = min(release.level(name) for release in showing)
    coarsest = counted_level(policy, showing, name)
    levels = {release.level(name) for release in showing} - {finest}
    # A coarser label stands for the finer ones; candidates may be counted by coarser ones again.
    changes = [(level, finest) for level in sorted(levels)]
    changes += [(finest, coarsest)] if coarsest > finest else []
    rungs = _stage_rungs(engine, policy, source, showing, name, changes)
    queries = [
        held_fragment(release, place, rungs.get((release.level(name), finest)))
        for release in showing
    ]
    engine.run(created("history/held", _HELD, queries))
    required, said = requirements.values(name)
    fewest, below, without = engine.rows(
        statement(
            "history/candidate_values",
            signatures=_SIGNATURE,
            held=_HELD,
            column=place,
            releases=[release.number for release in showing],
            counted=rungs.get((finest, coarsest)),
            least=required or 0,
            narrowed=not said,
        )
    )[0]
    drop_tables(engine, _HELD, *rungs.values())
    return JointValues(name, fewest, required, below, without)


def _stage_rungs(
    engine: Engine,
    policy: Policy,
    source: Relation,
    showing: Sequence[StagedRelease],
    name: str,
    changes: Sequence[tuple[int, int]],
) -> dict[tuple[int, int], Markup]:
    """Stage the labels of a sensitive column with their labels at another level, by both levels."""
    queries = sensitive_labels(engine, policy, source, showing, name)
    rungs = {}
    for before, after in changes:
        rungs[before, after] = temporary(f"joint_rung_{before}_{after}")
        engine.run(
            statement(
                "history/rung",
                table=rungs[before, after],
                labels_from=queries[before],
                labels_to=queries[after],
                texts=labels_table(place_of_column(policy, name)),
            )
        )
    return rungs
