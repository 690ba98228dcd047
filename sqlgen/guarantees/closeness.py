"""Closeness: what a class tells about a sensitive column is near what the whole table tells.

Every distance here is convex in the class's distribution, so that a union of close classes is close
(Fact 2 of Li et al. 2007): each guarantee is monotone as long as the reference stays what it is.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import Annotated, Any, ClassVar, Literal, Self

from markupsafe import Markup
from pydantic import Field, model_validator

from sqlgen.guarantees.base import (
    CountRow,
    CountVerdict,
    Guarantee,
    GuaranteeTables,
    Name,
    Reference,
    ValueGuarantee,
    guarantee_fragment,
    ratio,
    rounded_up,
)
from sqlgen.sql.numbers import DIGITS, EXACT
from sqlgen.sql.render import commas, each, fragment, has_own_form, joined, portable_fragment, sql

Distance = Literal["ordered", "equal", "hierarchical", "variational", "kl", "js"]


@dataclass(frozen=True)
class DistanceForm:
    """The form of a distance: the template of its SQL, and what else depends on the distance.

    ``needs`` is the option that the column must declare, ``largest`` the largest value that there
    is. The template of a divergence gives that divergence; any other gives work, in units that
    ``DistanceGuarantee.judged`` compares. ``has_cuts`` says that ``TCloseness`` knows the distance
    as a sum over cuts too, and so judges rows of counts.
    """

    template: str
    needs: str = ""
    largest: float = 1
    is_divergence: bool = False
    has_cuts: bool = False


DISTANCE_FORMS: Mapping[Distance, DistanceForm] = {
    "ordered": DistanceForm("ordered_work", needs="order", has_cuts=True),
    "equal": DistanceForm("equal_work", has_cuts=True),
    "hierarchical": DistanceForm("hierarchical_work", needs="hierarchy", has_cuts=True),
    "variational": DistanceForm("equal_work", has_cuts=True),
    "kl": DistanceForm("kl_distance", largest=math.inf, is_divergence=True),
    "js": DistanceForm("js_distance", largest=math.log(2), is_divergence=True),
}


class DistanceGuarantee(Guarantee):
    """The base of the guarantees about a distance from a distribution."""

    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"
    bounded_by: ClassVar[str] = "t"

    column: Annotated[Name | None, Field(description="a sensitive column")] = None
    columns: Annotated[tuple[Name, ...], Field(description="or several, taken together")] = ()
    t: Annotated[Decimal, *EXACT, Field(ge=0, description="the largest distance allowed")]
    distance: Distance

    @model_validator(mode="after")
    def _one_subject(self) -> Self:
        if (self.column is None) == (not self.columns):
            raise ValueError("name a column, or several columns to be taken together")
        if len(self.columns) == 1 or len(set(self.columns)) < len(self.columns):
            raise ValueError("columns are two or more, each once")
        if self.columns and self.form.needs:
            *others, last = (name for name, form in DISTANCE_FORMS.items() if not form.needs)
            raise ValueError(
                f"{self.distance} distance has no formula over combinations of columns; "
                f"use {', '.join(others)} or {last}"
            )
        return self

    @property
    def form(self) -> DistanceForm:
        """The form of the distance."""
        return DISTANCE_FORMS[self.distance]

    @property
    def judged_columns(self) -> tuple[str, ...]:
        """The column, or the columns together."""
        return (self.column,) if self.column is not None else self.columns

    @property
    def possible(self) -> tuple[float, float]:
        """A distance between 0 and its largest value."""
        return (0, self.form.largest)

    @property
    def needs_column_option(self) -> str:
        """An order or a hierarchy, where the distance is made of one."""
        return self.form.needs

    @property
    def requirement(self) -> str:
        """The largest distance."""
        return f"t <= {self.t}"

    def achievable_threshold(self, measured: float) -> str:
        """The largest distance that there is, where it is finite."""
        return f"t {rounded_up(measured)}" if measured < math.inf else ""

    def compared(self, scope: GuaranteeTables) -> Markup:
        """The verdict by the template of the distance, where that reads a histogram alone."""
        distance = guarantee_fragment(self.form.template, scope)
        if self.form.is_divergence:
            return guarantee_fragment("divergence", scope, class_distance=distance, t=self.t)
        return self.judged(scope, distance)

    def judged(self, scope: GuaranteeTables, work: Markup) -> Markup:
        """Whether some work is within the largest distance."""
        return guarantee_fragment(
            "t_closeness",
            scope,
            class_work=work,
            t=self.t,
            ordered=self.distance == "ordered",
            **ratio(min(self.t, Decimal(1))),
        )


class TCloseness(DistanceGuarantee):
    """t-closeness: no class is farther than t from the reference.

    Earth mover's distance with ordered (section 5.1), equal or hierarchical ground distance
    (section 5.2), decided in whole numbers; the variational distance, which equals the equal one;
    Kullback-Leibler and Jensen-Shannon divergence in natural logarithms, decided to a billionth of
    t. ``columns`` judges combinations of values, for which only distances that know no order or
    hierarchy have a formula. Along an order, a reference that is a table must have every value that
    classes have, for each needs a place; where it lacks one, nothing is judged.
    """

    name: ClassVar[str] = "t_closeness"
    citation: ClassVar[str] = (
        "Li, Li and Venkatasubramanian 2007, Definition 2, sections 4, 5 and 8"
    )
    reference: Annotated[Reference, Field(description="what classes are compared with")] = (
        "released"
    )

    @property
    def reference_table(self) -> Reference:
        """The reference."""
        return self.reference

    @property
    def options(self) -> tuple[Any, ...]:
        """The distance and the reference."""
        return (self.distance, self.reference)

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The distance."""
        if self.distance != "ordered":
            return self.compared(scope)
        # Made of the rows that are judged, so that it has every value of theirs.
        is_released = self.reference in ("released", "uniform")
        positions = guarantee_fragment("ordered_positions", scope, is_released=is_released)
        form = portable_fragment
        parts = {"positions": positions}
        if scope.few or not has_own_form("guarantees/ordered_work"):
            parts["dense"] = guarantee_fragment("dense_histogram", scope)
        else:
            form = fragment
            parts["values"] = guarantee_fragment("ordered_values", scope)
        return self.judged(scope, form("guarantees/ordered_work", scope=scope, **parts))

    @property
    def tells_by_counts(self) -> bool:
        """Whether the distance is a sum over cuts, of one column; from values that are rows."""
        return self.column is not None and self.form.has_cuts and self.reference != "uniform"

    def by_counts(self, counts: CountRow) -> CountVerdict:
        """The distance: the cuts of the values, of their order or of their hierarchy."""
        ordered = self.distance == "ordered"
        moves = counts.reference is None
        rows = Markup("r_rows") if moves else _reference(counts, counts.ids)
        cuts = self._cuts(counts)
        shared = fragment(
            "judging/counts/reference",
            number=counts.number,
            cuts=_list([_reference(counts, ids) for ids in cuts]),
            conditions=[_present(counts, value) for value in counts.positions] if ordered else (),
        )
        worked = fragment(
            "judging/counts/ordered_work" if ordered else "judging/counts/work",
            number=counts.number,
            rows=_product(counts, rows),
            whole=rows,
            size=_product(counts, Markup("class_size")),
            cuts=_list([counts.count(ids) for ids in cuts]),
            levels=len(counts.cuts) if self.distance == "hierarchical" else 1,
        )
        judged = fragment(
            "judging/counts/closeness",
            counts=counts,
            rows=rows,
            t=self.t,
            lasting=counts.lasting if moves else counts.fixed(counts.ids),
            vanishing=counts.vanishing if ordered else 0,
            **ratio(min(self.t, Decimal(1))),
        )
        return CountVerdict(worked, judged, (shared,))

    def _cuts(self, counts: CountRow) -> list[Sequence[int]]:
        """Per cut the values on one side of it; along an order the last is its place."""
        if self.distance == "ordered":
            return [counts.positions[: place + 1] for place in range(counts.values)]
        if self.distance != "hierarchical":
            return [[value] for value in counts.ids]
        return [
            [value for value in counts.ids if labels[value] == label]
            for labels in counts.cuts
            for label in sorted(set(labels))
        ]


def _list(counts: Sequence[Markup]) -> Markup:
    return sql("[{counts}]", counts=commas(counts))


def _reference(counts: CountRow, ids: Sequence[int]) -> Markup:
    if counts.reference is None:
        return counts.count(ids, "r")
    return sql("{count:literal}", count=counts.fixed(ids))


def _present(counts: CountRow, value: int) -> Markup:
    """Whether a value occurs: in a reference that does not move, or in a class that is left."""
    if counts.fixed([value]) > 0:
        return Markup("TRUE")
    return sql("{count} > 0", count=counts.count([value], "r"))


def _product(counts: CountRow, count: Markup) -> Markup:
    """A count as it is multiplied: cast where 63 bits would not hold the product."""
    if counts.fits:
        return count
    return sql("CAST({count} AS {type})", count=count, type=counts.whole)


class NTCloseness(DistanceGuarantee):
    """(n,t)-closeness: every class is within t of some n rows or more around it.

    The rows around a class are the whole table, or those that share the quasi-identifiers of a
    list of ``supersets`` with it, as released. The paper counts a class among its own supersets, so
    that one of n rows passes whatever it shows. Here it counts only if a list names every
    quasi-identifier: without one, a class of any size must be within t of more than itself. That
    is stricter, and a table that gives it gives the paper's guarantee. Distances are those of
    t-closeness; along an order, the places are those of the whole table. A policy that names
    supersets is not monotone, for classes close to different sets may merge into one that is close
    to neither.
    """

    name: ClassVar[str] = "n_t_closeness"
    citation: ClassVar[str] = (
        "Li, Li and Venkatasubramanian 2010, Closeness: A New Privacy Measure, (n,t)-closeness"
    )
    monotone: ClassVar[bool] = False

    n: Annotated[int, Field(ge=1, description="the rows around a class, at least"), DIGITS]
    supersets: Annotated[
        tuple[Annotated[tuple[Name, ...], Field(min_length=1)], ...],
        Field(description="lists of quasi-identifiers that the rows around a class share with it"),
    ] = ()

    @property
    def reference_moves(self) -> bool:
        """Whether the rows around a class move: they are the released rows."""
        return True

    @property
    def unfit_for_regions(self) -> str:
        """That the rows around a class are told by labels of one level."""
        return "the rows around a class are those that share its labels, of one level each"

    @property
    def keys(self) -> tuple[str, ...]:
        """The quasi-identifiers of all supersets."""
        return tuple(dict.fromkeys(name for columns in self.supersets for name in columns))

    @property
    def requirement(self) -> str:
        """The largest distance, and the least number of rows around a class."""
        return f"t <= {self.t} (n {self.n})"

    @property
    def options(self) -> tuple[Any, ...]:
        """The distance."""
        return (self.distance,)

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The least distance."""
        around = replace(scope, histogram=Markup("around_held"), reference=Markup("superset_value"))
        dense = Markup("around")
        if self.distance == "ordered":
            places = guarantee_fragment("places", scope)
            work = portable_fragment(
                "guarantees/ordered_work", scope=scope, positions=places, dense=dense
            )
            verdict = self.judged(scope, work)
        elif self.distance == "hierarchical":
            verdict = self.judged(
                scope, guarantee_fragment("dense_hierarchical_work", scope, dense=dense)
            )
        else:
            verdict = self.compared(around)
        others = range(2, len(self.judged_columns) + 1)
        pairs = guarantee_fragment(
            "supersets",
            scope,
            n=self.n,
            # The first set of rows is the whole table.
            shared=[
                (number, joined(each(columns, "{} ASC NULLS FIRST, "), ""))
                for number, columns in enumerate(
                    (
                        [scope.keys[name] for name in names if name in scope.keys]
                        for names in self.supersets
                    ),
                    2,
                )
            ],
            others=others,
        )
        return guarantee_fragment(self.name, scope, pairs=pairs, others=others, verdict=verdict)


class RatioCloseness(ValueGuarantee):
    """exp(epsilon)-closeness: no value's share differs from the reference by a larger factor.

    Definition 5 takes the largest ratio over all sets of values, either way round; single values
    attain it. A value that only one side has is infinitely far. Measured as ln(ratio). The paper
    reads it as epsilon-differential privacy towards an intruder who knows of the sensitive column
    its distribution alone, and for the link between quasi-identifiers and that column alone:
    it is no differential privacy of the release, which a deterministic recoding cannot have.
    """

    name: ClassVar[str] = "ratio_closeness"
    citation: ClassVar[str] = "Soria-Comas and Domingo-Ferrer 2013, Definition 5 and section 4"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"
    bounded_by: ClassVar[str] = "epsilon"

    epsilon: Annotated[Decimal, *EXACT, Field(gt=0, le=20, description="ln of the largest ratio")]
    reference: Annotated[Reference, Field(description="what classes are compared with")] = (
        "released"
    )

    @property
    def reference_table(self) -> Reference:
        """The reference."""
        return self.reference

    @property
    def requirement(self) -> str:
        """The logarithm of the largest ratio."""
        return f"epsilon <= {self.epsilon}"

    def achievable_threshold(self, measured: float) -> str:
        """The largest logarithm that there is, where it is finite."""
        return f"epsilon {rounded_up(measured)}" if measured < math.inf else ""

    @property
    def options(self) -> tuple[Any, ...]:
        """The reference."""
        return (self.reference,)

    @property
    def note(self) -> str:
        """The reading as differential privacy, and its limits."""
        return (
            f"ratio_closeness reads as {self.epsilon}-differential privacy of the link between "
            f"quasi-identifiers and {self.column}, towards an observer who knows of {self.column} "
            "its distribution alone; it is no differential privacy of the release."
        )

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The logarithm of the largest ratio."""
        return ratio_sql(scope, self.epsilon, absent=True)


def ratio_sql(scope: GuaranteeTables, logarithm: Decimal, *, absent: bool) -> Markup:
    """The largest ratio of shares, either way round, held against exp(logarithm)."""
    return guarantee_fragment("largest_ratio", scope, absent=absent, **exponential(logarithm))


def exponential(logarithm: Decimal) -> dict[str, Any]:
    """exp of a decimal as two whole numbers, rounded down in the 16th digit, and as it is shown.

    Rounded down, so that no class passes by rounding; exp of a decimal other than 0 is irrational,
    so no class stands exactly on it.
    """
    with localcontext() as context:
        context.prec = 40
        exact = logarithm.exp()
        context.prec, context.rounding = 16, ROUND_FLOOR
        down = +exact
    return ratio(down)


CLOSENESS: tuple[type[Guarantee], ...] = (TCloseness, NTCloseness, RatioCloseness)
