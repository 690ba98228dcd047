"""The base of every guarantee: its name, its parameters, its citation, its claims, its SQL."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag

from sqlgen.guarantees.figures import is_between, passing_figures
from sqlgen.guarantees.parameters import is_unsaid, parameter_words, plain_parameter
from sqlgen.sql.render import fragment, sql

Name = Annotated[str, StringConstraints(min_length=1)]


class TableReference(BaseModel):
    """A table of the user's as the distribution that classes are compared with."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    table: Name
    weight: Annotated[
        Name | None, Field(description="a column of weights; without one each row counts 1")
    ] = None


def is_table(value: Any) -> str:
    """Which of two spellings a reference has: a name of ours, or a table of the user's."""
    return "a table" if isinstance(value, (Mapping, TableReference)) else "a name"


Reference = Annotated[
    Annotated[Literal["released", "source", "uniform"], Tag("a name")]
    | Annotated[TableReference, Tag("a table")],
    Discriminator(is_table),
]


class PeopleTable(BaseModel):
    """A table of the user's with people, whose quasi-identifiers are those of the source."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    table: Name


@dataclass(frozen=True)
class GuaranteeTables:
    """The tables that the template of a guarantee reads, and the type that it counts in.

    ``classes`` has a row per class: class_id, class_size. ``histogram`` has a row per class and
    value: class_id, class_size, value_id, value_count; with a ``reference`` also reference_count, 0
    for values that it lacks, reference_rows and reference_values. ``counted`` is the histogram
    without what belongs to the reference, ``sized`` the class_id and class_size of its classes,
    ``total`` the row of the reference's own totals.
    ``values`` has a row per value of the column: value, id_0, id_1, ..., position; ``few`` says
    that they are not many, ``place`` is a type that numbers them.
    ``people`` has a row per class and kind of person that matches it: class_id, person_id, value_id
    where values are known of people too, person_count; ``population`` has all people, matched or
    not. ``keys`` names the columns of ``class`` that hold quasi-identifiers; a fully general one
    has none. ``moves`` says by how many rows the reference may still shrink, 0 where it is fixed.
    ``whole`` is a type that holds a product of two counts.
    """

    classes: Markup
    histogram: Markup
    counted: Markup
    sized: Markup
    reference: Markup
    total: Markup
    values: Markup
    few: bool
    place: Markup
    people: Markup
    population: Markup
    keys: Mapping[str, Markup]
    height: int
    type: Markup
    moves: int
    whole: Markup

    @property
    def levels(self) -> range:
        """The levels of the hierarchy below its top."""
        return range(self.height)


@dataclass(frozen=True)
class CountRow:
    """The columns that the template of a guarantee reads of a class that is one row of counts.

    Such a row has class_size and a sum s_i for each of so many ``values``; of all classes that are
    left it has r_i and r_rows. The sums are the counts of the values by id or, where they are
    ``cumulative``, those of the first values in their order. ``positions`` holds the ids in that
    order, ``cuts`` per level each value's label. ``reference`` holds the counts, by id, of one that
    does not move; one that does keeps ``lasting`` rows at least. No more than so many values that
    occur, and that it lacks otherwise, are ``vanishing`` by suppression.
    """

    number: int
    values: int
    positions: Sequence[int]
    cuts: Sequence[Sequence[int]]
    reference: Sequence[int] | None
    cumulative: bool
    lasting: int
    vanishing: int
    whole: Markup

    @property
    def fits(self) -> bool:
        """Whether 63 bits hold a sum of products of two counts."""
        return self.whole == "BIGINT"

    @property
    def ids(self) -> range:
        """The values' ids."""
        return range(self.values)

    def count(self, ids: Sequence[int], sums: str = "s") -> Markup:
        """How many rows of a class, or of all that are left (``r``), have one of some values."""
        plus, minus = list(ids), []
        if self.cumulative:
            places = {self.positions.index(value) for value in ids}
            plus = sorted(place for place in places if place + 1 not in places)
            minus = sorted(place - 1 for place in places if place and place - 1 not in places)
        terms = [f"+ {sums}_{place:d}" for place in plus]
        terms += [f"- {sums}_{place:d}" for place in minus]
        total = Markup(" ".join(terms).removeprefix("+ "))
        return sql("({total})", total=total) if len(terms) > 1 else total

    @property
    def each(self) -> list[Markup]:
        """The count of every value in a class, by its id."""
        return [self.count([value]) for value in self.ids]

    def fixed(self, ids: Sequence[int]) -> int:
        """The count of some values in the reference that does not move."""
        return sum(self.reference[value] for value in ids) if self.reference is not None else 0


@dataclass(frozen=True)
class CountVerdict:
    """Select items in three steps, each over what those before it gave.

    ``shared`` over the sums of all classes that are left, ``worked`` over each class beside them,
    ``judged`` over what that worked out: it gives fails_n, figure_n and need_n.
    """

    worked: Markup
    judged: Markup
    shared: tuple[Markup, ...] = ()


class Guarantee(BaseModel):
    """A privacy model with its thresholds, as a policy asks for it.

    ``monotone`` claims that a generalization of a table that gives the guarantee gives it too;
    ``monotone_suppressed`` that this holds even when failing classes are suppressed. A model that
    is monotone also gives, per class, a lower bound of the rows that must go before it passes: the
    search prunes on that and on nothing else.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: ClassVar[str]
    citation: ClassVar[str]
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]]
    monotone: ClassVar[bool] = True
    monotone_suppressed: ClassVar[bool] = False
    # The parameter that bounds the figure of every class, where one does.
    bounded_by: ClassVar[str] = ""
    # Whether a class that fails must be dropped: to mask its sensitive values would not help.
    must_suppress: ClassVar[bool] = False

    @property
    def judged_columns(self) -> tuple[str, ...]:
        """The sensitive columns whose values, taken together, are judged; none for class sizes."""
        return ()

    @property
    def unit_column(self) -> str | None:
        """The column whose distinct values are counted in place of rows, where there is one."""
        return None

    @property
    def is_joint(self) -> bool:
        """Whether every other sensitive column joins the quasi-identifier (Definition 4.5)."""
        return False

    @property
    def reference_table(self) -> Reference | None:
        """The distribution that classes are compared with, where there is one."""
        return None

    @property
    def people(self) -> PeopleTable | TableReference | None:
        """The table of people that classes are matched with, where there is one."""
        return None

    @property
    def reference_moves(self) -> bool:
        """Whether suppression moves what the other classes are judged by."""
        return self.reference_table in ("released", "uniform")

    @property
    def keys(self) -> tuple[str, ...]:
        """The quasi-identifiers that the guarantee names."""
        return ()

    @property
    def sum_type(self) -> Markup:
        """The type of a sum of its figures."""
        return Markup("BIGINT")

    @property
    def bound(self) -> float | None:
        """The bound of the figure of every class, where it is a number."""
        return float(getattr(self, self.bounded_by)) if self.bounded_by else None

    @property
    def possible(self) -> tuple[float, float]:
        """The least and the largest figure that the definition can give, whatever the table."""
        return (0, math.inf)

    @property
    def passing(self) -> tuple[Decimal, Decimal | None]:
        """The figures of classes that give the guarantee: of others ``judging/breaks`` is true."""
        return passing_figures(self.possible, self.bound, is_least=self.aggregate == "MIN")

    def is_possible(self, figure: float | None) -> bool:
        """Whether a figure is a number that the definition can give."""
        return is_between(figure, passing_figures(self.possible, None, is_least=True))

    def is_met_at(self, figure: float | None) -> bool:
        """Whether a figure is one that the guarantee allows; not where it is none or no number."""
        return is_between(figure, self.passing)

    def is_met(self, figure: float | None, rows: int, masked_rows: int = 0) -> bool:
        """Whether a figure over some released rows is what the guarantee asks for."""
        # Where no row shows a sensitive value, a guarantee about values has nothing to judge.
        if masked_rows == rows and not self.must_suppress:
            return True
        if figure is None or not self.is_met_at(figure):
            return False
        limit = self.limit
        return limit is None or figure <= (limit * rows if isinstance(limit, Fraction) else limit)

    @property
    def decided_by_size(self) -> bool:
        """Whether the sizes of classes alone decide."""
        return not self.judged_columns and self.people is None

    @property
    def needs_column_option(self) -> str:
        """The option that the column must declare: ``order``, ``hierarchy`` or nothing."""
        return ""

    @property
    def prunes(self) -> bool:
        """Whether this instance is monotone, so that its bound on repairs may close nodes."""
        return self.monotone

    @property
    def limit(self) -> Fraction | int | None:
        """Where the guarantee bounds a sum over the release: rows, or a share of them."""
        return None

    @property
    def unfit_for_regions(self) -> str:
        """The reason why classes at levels of their own cannot be judged; "" where they can."""
        if self.people is not None:
            return "people are matched with classes whose columns have one level each"
        if self.limit:
            return "a bound on all rows that are released says of no class whether it may be"
        return ""

    @property
    def least_class(self) -> int:
        """The fewest rows that a class can be released with, whatever its values are."""
        return 1

    @property
    def fails_by_size(self) -> Markup | None:
        """A condition over class_size: TRUE where a class fails whatever its values are."""
        if self.least_class == 1:
            return None
        return fragment("guarantees/fewer_than_k", k=self.least_class)

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """A query that gives, per class, class_id, fails, figure and repair."""
        raise NotImplementedError

    @property
    def tells_by_counts(self) -> bool:
        """Whether a class that is one row of counts tells the verdict."""
        return False

    def by_counts(self, counts: CountRow) -> CountVerdict:
        """The select items that judge a class by its row of counts."""
        raise NotImplementedError

    @property
    def named_values(self) -> tuple[str, ...]:
        """Values of the column that the policy names, which ought to occur."""
        return ()

    @property
    def parameters(self) -> dict[str, Any]:
        """The thresholds, by name, as plain values."""
        return {key: plain_parameter(value) for key, value in self if not is_unsaid(value)}

    @property
    def words(self) -> str:
        """The guarantee with its thresholds: ``k_anonymity (k 5)``."""
        thresholds = ", ".join(
            f"{key} {parameter_words(value)}" for key, value in self.parameters.items()
        )
        return f"{self.name} ({thresholds})"

    @property
    def requirement(self) -> str:
        """The threshold as a person reads it: ``k >= 5``."""
        raise NotImplementedError

    def achievable_threshold(self, measured: float) -> str:
        """A threshold that a measured figure meets; empty where none does."""
        raise NotImplementedError

    def unmet(self, measured: float) -> str:
        """The second condition that fails although the figure meets its threshold; else empty."""
        del measured
        return ""

    @property
    def title(self) -> str:
        """The guarantee without its threshold: ``t_closeness of salary (ordered, released)``."""
        options = ", ".join(parameter_words(value) for value in self.options)
        of = f" of {', '.join(self.judged_columns)}" if self.judged_columns else ""
        return f"{self.name}{of}" + (f" ({options})" if options else "")

    def failure(self, rows: int) -> str:  # noqa: ARG002
        """The sentence that is true of a class that broke it; the smallest has ``rows``.

        Empty where no class can break it.
        """
        return f"it broke {self.title}: {self.requirement}"

    @property
    def options(self) -> tuple[Any, ...]:
        """The options of the guarantee, beside its column and its threshold."""
        return ()

    def figure_text(self, measured: float | None) -> str:
        """A measured figure as a person reads it, on the side of the threshold where it is."""
        text = figure_text(measured)
        if measured is None or not math.isfinite(measured) or float(measured).is_integer():
            return text
        is_met, digits = self.is_met_at(measured), 4
        while self.is_met_at(float(text)) != is_met and digits < _EVERY_DIGIT:
            digits += 1
            text = f"{float(measured):.{digits}g}"
        return text

    @property
    def note(self) -> str:
        """The limits of the verdict, as a note to its reader; empty where there are none."""
        return ""


class SizeGuarantee(Guarantee):
    """A guarantee that the size of a class alone decides."""

    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MIN"

    @property
    def possible(self) -> tuple[float, float]:
        """A class has a row at least."""
        return (1, math.inf)


class ValueGuarantee(Guarantee):
    """A guarantee about the values of one sensitive column in each class."""

    column: Annotated[Name, Field(description="a sensitive column")]

    @property
    def judged_columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)


def guarantee_fragment(model: str, scope: GuaranteeTables, **values: Any) -> Markup:
    """The query of a model's own template."""
    return fragment(f"guarantees/{model}", scope=scope, **values)


def value_ids(scope: GuaranteeTables, named: Sequence[str]) -> Markup | None:
    """A subquery for the ids of some values that a policy names; None where it names none."""
    return guarantee_fragment("value_ids", scope, named=named) if named else None


def ratio(number: Decimal | Fraction | int) -> dict[str, int]:
    """A threshold as two whole numbers: ``over`` divided by ``under`` is the number, exactly."""
    exact = Fraction(number)
    return {"over": exact.numerator, "under": exact.denominator}


# A floating-point number is told apart from every other by these.
_EVERY_DIGIT = 17


def figure_text(figure: float | None) -> str:
    """A figure as a person reads it, to four digits."""
    if figure is None or math.isnan(figure):
        return "unknown"
    if figure == math.inf:
        return "infinite"
    if float(figure).is_integer():
        return f"{int(figure):,}"
    return f"{float(figure):.4g}"


def rounded_up(figure: float) -> str:
    """A figure to four digits after the point, rounded up so that it is still met."""
    return f"{math.ceil(Fraction(figure) * 10_000) / 10_000:g}"


def rounded_down(figure: float) -> str:
    """A figure to four digits after the point, rounded down so that it is still met."""
    return f"{math.floor(Fraction(figure) * 10_000) / 10_000:g}"
