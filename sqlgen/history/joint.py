"""Several releases of one source, read together: what is left to an observer who holds them all.

The observer knows the quasi-identifiers of everybody in the source. A combination of them falls in
at most one class of a release: the rows whose labels, at the levels of that release, are those of
its values; in none where it was suppressed, or was not there yet, and the release then says nothing
of it. Of a release of new rows alone they know too when each row came: a combination is in a class
of it where its rows came in its window, and is met anew for each set of windows that its rows came
in. Of a release by a query they know whom it chose, in the same way. What is left of a combination
after all releases:

- **candidate rows**: the rows of the source that fall in the same class as it in every release that
  has a class of it, and no more than the smallest of these classes has (k; with a ``unit``, persons
  in place of rows);
- **candidate values** of a sensitive column: those that every class of it holds, of the releases
  that show the column (l). NULL is a value; a class whose values were withheld says nothing. A
  label of a coarser level stands for all that it covers at the finest level that any release shows.
  None are left where releases contradict each other: somebody came later, or a value has changed;
- **combinations** of sensitive values, of releases that show several such columns, each at the same
  level: the values of each column that are left in combination with the others (l);
- **rows exposed by differencing**, of any two releases at the coarser of their two levels in each
  quasi-identifier, where a column that is not shown, or at its top, is coarsest: in a class that
  has rows of both, the rows that came, or that went, where they are fewer than k or have fewer than
  l values. The labels of both are taken to these levels, and those of a sensitive column to the
  coarser of its two; what one of them suppressed, or withheld, is among what is left of the other.
  Releases of new rows that are apart are also taken together, against any one release that shares
  rows with several of them: all, and those that stood before that one was made. Two such series
  are not compared as wholes; ``not_measured`` names them. Here k is the largest that is asked for,
  of rows or of persons, in as many rows as have so many persons for sure: k times the most that one
  has. Two whose windows are apart have no row in common, and no difference.

A release whose window is apart from those of all others is not read: it is as it was judged alone.
What is asked for is the strictest k, and l of each column, of the policy and of what the releases
that are read promised when they were made.

This is the complementary release attack of Sweeney 2002; m-invariance (Xiao and Tao 2007) is the
known answer to it. What is not measured the manual lists, and tests/test_not_measured.py shows.
"""

from collections.abc import Sequence
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
    labels_table,
    sharing,
    stage_releases,
    stood_for,
    values_table,
)
from sqlgen.policy import Policy
from sqlgen.sql.render import fragment, statement
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
        """Whether of some rows none has fewer candidates than asked, by both figures."""
        if self.rows_below != 0:
            return False
        if self.required is None or (self.fewest is None and rows == 0):
            return True
        return self.fewest is not None and self.fewest >= self.required


@dataclass(frozen=True)
class Joint:
    """What is left of a policy's guarantees when all releases are read together.

    ``left_out`` are releases that are not published any more, or are of others; ``unjudged`` those
    that stand and could not be read, or not be compared: each with the reason. ``apart`` are those
    of new rows, or of other parts of the rows, that share nobody with another, and tell no more
    beside it. ``not_measured`` are pairs of series of new rows: their releases are compared one by
    one, and not as wholes. ``mode`` is the policy's ``joint``; ``repeats`` is the release that one
    being made repeats, and so adds nothing to.
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
        """Whether nothing is lost by reading the releases together, and all could be read.

        Failing closed: a count that is none or no number is not one of 0 rows.
        """
        if self.unjudged:
            return False
        lost = (
            *(value.rows_below for value in self.values),
            *(difference.exposed_rows for difference in self.differences),
        )
        met = all(siz.is_met(self.rows) for siz in self.sizes)
        return len(self.releases) < 2 or (met and all(rows == 0 for rows in lost))

    @property
    def blocks(self) -> bool:
        """Whether the policy lets no release be made like this."""
        return self.mode == "fail" and not self.satisfied and not self.repeats

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values, as ``sqlgen audit --with-history --json`` prints them."""
        return {
            "satisfied": self.satisfied,
            "mode": self.mode,
            "releases": list(self.releases),
            "combinations": self.combinations,
            "rows": self.rows,
            "sizes": [vars(siz) for siz in self.sizes],
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


def measure_joint(
    engine: Engine,
    policy: Policy,
    source: Relation,
    releases: Sequence[PublishedRelease],
    left_out: Sequence[tuple[str, str]] = (),
    unjudged: Sequence[tuple[str, str]] = (),
    apart: Sequence[str] = (),
) -> Joint:
    """What is left when releases are read together; runs in the transaction that is open.

    ``source`` has the rows with their own values. A release that is being made is measured with
    the others under the name that it is built under. What is staged is dropped again.
    """
    together, told = name_releases(policy, releases, left_out, unjudged, apart)
    read = [StagedRelease(number, each, policy) for number, each in enumerate(together, 1)]
    if not read:
        return told
    asked = strictest([policy_requirements(policy), *(each.requirements for each in together)])
    held = [name for name in policy.sensitive if any(name in release.sensitive for release in read)]
    staged = stage_releases(engine, policy, source, read)
    measured = [
        _measure_size(engine, policy, source, read, unit, required)
        for unit, required in {None: None, **asked.sizes}.items()
    ]
    (combination_count, rows), *_ = (counts for counts, size in measured if size.unit is None)
    values = tuple(_measure_values(engine, policy, source, read, name, asked) for name in held)
    combined = measure_combinations(engine, policy, source, read, asked, _SIGNATURE)
    differences = measure_differences(engine, policy, source, read, asked)
    for table in (*staged, _MET, _SIGNATURE):
        engine.run(statement("releasing/drop", kind=Markup("TABLE"), target=table))
    return replace(
        told,
        combinations=combination_count,
        rows=rows,
        sizes=tuple(size for _, size in measured),
        values=(*values, *combined),
        differences=differences.measured,
        unjudged=(*told.unjudged, *differences.unjudged),
        not_measured=differences.not_measured,
    )


def name_releases(
    policy: Policy,
    releases: Sequence[PublishedRelease],
    left_out: Sequence[tuple[str, str]] = (),
    unjudged: Sequence[tuple[str, str]] = (),
    apart: Sequence[str] = (),
) -> tuple[list[PublishedRelease], Joint]:
    """The releases that share rows with another, and which ones are read, before any is measured.

    One release alone tells no more than it was judged for.
    """
    shares = sharing([(release.window, release.part) for release in releases])
    together = [each for each, shared in zip(releases, shares, strict=True) if shared]
    alone = [each.words for each, shared in zip(releases, shares, strict=True) if not shared]
    return together, Joint(
        tuple(each.words for each in together),
        left_out=tuple(left_out),
        unjudged=tuple(unjudged),
        apart=(*apart, *alone),
        mode=policy.joint,
    )


_MET = temporary("joint_met")
_SIGNATURE = temporary("joint_signature")


def _measure_size(
    engine: Engine,
    policy: Policy,
    source: Relation,
    read: Sequence[StagedRelease],
    unit: str | None,
    required: int | None,
) -> tuple[tuple[int, int], JointSize]:
    """The combinations and rows that are in a release, and the fewest candidates for one."""
    for table in (_MET, _SIGNATURE):
        engine.run(statement("releasing/drop", kind=Markup("TABLE"), target=table))
    names = [name for name in policy.quasi if any(name in release.quasi for release in read)]
    numbers = {name: number for number, name in enumerate(names, 1)}
    engine.run(
        statement(
            "history/met",
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
                    "number": release.number,
                    "classes": release.classes,
                    "within": _within(source, release),
                    "places": [
                        {"number": numbers[name], "level": level, "place": release.place(name)}
                        for name, level in release.levels.items()
                    ],
                }
                for release in read
            ],
        )
    )
    shared = {"met": _MET, "releases": [release.number for release in read]}
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
    return (combination_count, rows), JointSize(unit, fewest, required, below)


def _within(source: Relation, read: StagedRelease) -> Markup | None:
    """Whether a row of the source is one that a release could have; None where each is."""
    window, part = read.shown.window, read.shown.part
    told = [within_sql(source.column(window.column), window)] if window is not None else []
    told += [fragment("history/in_part", column=part.column)] if part is not None else []
    return Markup(" AND ").join(told) if told else None


def _measure_values(
    engine: Engine,
    policy: Policy,
    source: Relation,
    read: Sequence[StagedRelease],
    name: str,
    asked: Requirements,
) -> JointValues:
    """The fewest candidate values of a sensitive column."""
    showing = [release for release in read if name in release.sensitive]
    place = showing[0].place(name)
    queries = stood_for(engine, policy, source, showing, name)
    finest = min(release.level(name) for release in showing)
    rungs: dict[tuple[int, int], Markup] = {}
    wanted = {(release.level(name), finest) for release in showing if release.level(name) > finest}
    coarsest = counted_level(policy, showing, name)
    counted = (finest, coarsest) if coarsest > finest else None
    for pair in sorted({*wanted, *([counted] if counted else [])}):
        rungs[pair] = temporary(f"joint_rung_{pair[0]}_{pair[1]}")
        engine.run(
            statement(
                "history/rung",
                table=rungs[pair],
                labels_from=queries[pair[0]],
                labels_to=queries[pair[1]],
                texts=labels_table(place),
            )
        )
    held = temporary("joint_held")
    engine.run(
        statement(
            "history/held",
            table=held,
            column=place,
            releases=[
                {
                    "number": release.number,
                    "places": release.keys,
                    "rungs": rungs.get((release.level(name), finest)),
                    **release.tables,
                }
                for release in showing
            ],
        )
    )
    required, said = asked.values(name)
    fewest, below, without = engine.rows(
        statement(
            "history/candidate_values",
            signatures=_SIGNATURE,
            held=held,
            releases=[release.number for release in showing],
            counted=rungs[counted] if counted else None,
            least=required or 0,
            narrowed=not said,
        )
    )[0]
    for table in (held, *rungs.values()):
        engine.run(statement("releasing/drop", kind=Markup("TABLE"), target=table))
    return JointValues(name, fewest, required, below, without)
