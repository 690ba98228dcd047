"""Judging classes: SQL that says, of every class, which guarantees it gives, and how nearly.

The same pieces serve a node of the lattice, the release, and an audit: each brings its cells, and
gets classes, verdicts and rounds of suppression as common table expressions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from sqlgen.guarantees import Guarantee, GuaranteeTables, PeopleTable, TableReference
from sqlgen.guarantees.base import Reference
from sqlgen.sql.render import fragment

WIDE = Markup("HUGEINT")
# So many places for every class are cheaper to compare than to leave out: over 200,000 rows in
# 5,000 classes 0.136 s against 0.163 s for 16 values, and 0.333 s against 0.285 s for 64.
FEW_VALUES = 32

PeopleKey = tuple[PeopleTable | TableReference, tuple[str, ...]]


@dataclass(frozen=True)
class Values:
    """A sensitive column in some cells: its ids there, and the relation that explains them.

    ``relation`` has a row per value: value, id_0, id_1, ... up to the level below the top of its
    hierarchy, and position in its order. A column of persons is not sensitive. ``count`` says how
    many rows that are, where it is known.
    """

    column: str
    cell: Markup
    relation: Markup
    height: int
    type: Markup
    is_sensitive: bool = True
    count: int | None = None

    @property
    def few(self) -> bool:
        """Whether the values are known not to be many."""
        return self.count is not None and self.count <= FEW_VALUES

    @property
    def place(self) -> Markup:
        """A type for a value's place among all: rows sorted by 16 bits take a twentieth less."""
        narrow = self.count is not None and self.count < 2**16
        return Markup("USMALLINT" if narrow else "UINTEGER")


@dataclass(frozen=True)
class MatchedPeople:
    """People as classes are matched with them.

    ``query`` gives key_1, key_2, ... as the classes have them, person_id, value_id where values
    are known of people too, and person_count. ``population`` names the relation of all of them.
    """

    query: Markup
    population: Markup


@dataclass(frozen=True)
class JudgingInput:
    """What is judged: the guarantees, the sensitive columns they need, and their references.

    ``fixed`` names the relation of each reference that suppression does not move, ``people`` the
    tables of people, ``keys`` the quasi-identifiers that classes are told apart by. ``withholds``
    says that a class which fails by its values stays, without them. ``moves`` says how many rows
    the references may still lose, of a ``budget``; ``empty`` rows, which show no value to begin
    with, may leave them at no cost. ``whole`` is a type that holds products of two
    counts.
    """

    guarantees: Sequence[Guarantee]
    values: Sequence[Values] = ()
    fixed: Mapping[tuple[tuple[str, ...], Reference], Markup] = field(default_factory=dict)
    people: Mapping[PeopleKey, MatchedPeople] = field(default_factory=dict)
    keys: Sequence[str] = ()
    masks_sensitive: bool = False
    moves: int = 0
    budget: int = 0
    empty: int = 0
    whole: Markup = WIDE

    @property
    def cells(self) -> list[Markup]:
        """The cells' columns of sensitive ids."""
        return [value.cell for value in self.values]

    @property
    def moving(self) -> bool:
        """Whether suppression moves what classes are judged by."""
        return any(guarantee.reference_moves for guarantee in self.guarantees)

    @property
    def identity_first(self) -> bool:
        """Whether classes that fail by identity must be gone before values are compared.

        So it is where suppression moves a reference, and some guarantee about identity needs more
        than class sizes, which are judged before everything else anyway.
        """
        by_identity = any(
            guarantee.must_suppress and not guarantee.decided_by_size
            for guarantee in self.guarantees
        )
        return by_identity and any(
            guarantee.reference_moves and not guarantee.must_suppress
            for guarantee in self.guarantees
        )

    @property
    def hidden(self) -> list[tuple[Markup, Markup]]:
        """Per sensitive column its ids in the cells, and the relation that knows that of NULL."""
        return [(value.cell, value.relation) for value in self.values if value.is_sensitive]


def judges_sizes_alone(guarantees: Sequence[Guarantee]) -> bool:
    """Whether class sizes decide every guarantee, so that no value needs to be looked at."""
    return all(guarantee.decided_by_size for guarantee in guarantees)


def fails_by_size_fragment(guarantees: Sequence[Guarantee]) -> Markup:
    """A condition over class_size: TRUE where a class fails whatever its values are."""
    conditions = [
        guarantee.fails_by_size for guarantee in guarantees if guarantee.fails_by_size is not None
    ]
    return fragment("guarantees/any_fails", conditions=conditions)


def classes_sql(
    cells: Markup,
    keys: Sequence[Markup],
    judged: JudgingInput,
    fails_by_size: Markup,
    *,
    words: Sequence[tuple[Markup, int]] | None = None,
    are_counted: bool = False,
) -> Markup:
    """Expressions ``class``, ``class_0`` and ``class_cell_0`` over some cells.

    Classes that ``condemned`` holds for are in ``class`` alone. Where values are withheld, also
    ``shown_cell_0``, without the classes that have none to show. Where cells have ``words``, each
    with the mask under which classes are told apart, ``keys`` are read off those. Of cells that
    ``are_counted`` no two have the same keys and values.
    """
    groups = (
        [(Markup(f"key_{number}"), key, None) for number, key in enumerate(keys, 1)]
        if words is None
        else [(word, word, None if are_counted else mask) for word, mask in words]
    )
    return fragment(
        "judging/classes",
        cells=cells,
        groups=[dict(zip(("name", "of_cell", "mask"), group, strict=True)) for group in groups],
        ids=None if words is None else keys,
        values=judged.cells,
        condemned=fails_by_size,
        hidden=judged.hidden if judged.masks_sensitive else (),
        are_counted=are_counted,
    )


def people_sql(judged: JudgingInput, keys: Sequence[Markup]) -> Markup:
    """Expressions ``people_n``: the people of each table that match each class.

    ``keys`` are the classes' quasi-identifiers as the matched people have them.
    """
    parts = [
        fragment("judging/people", number=number, matched=matched.query, keys=keys, valued=subject)
        for number, ((_, subject), matched) in enumerate(judged.people.items(), 1)
    ]
    return Markup("").join(Markup(",\n") + part for part in parts)


def valued_sql(
    cells: Markup,
    plains: Sequence[Markup],
    judged: JudgingInput,
    rows: Sequence[Markup],
    fixed: Mapping[tuple[tuple[str, ...], Reference], Markup],
) -> Markup:
    """Expressions ``value_n``, ``fixed_n`` and ``valued_cell`` over cells with sensitive values."""
    return fragment(
        "judging/valued",
        cells=cells,
        columns=[
            {"relation": each.relation, "cell": each.cell, "plain": plain, "rows": query}
            for each, plain, query in zip(judged.values, plains, rows, strict=True)
        ],
        fixed=[(judged.fixed[key], query) for key, query in fixed.items()],
    )


def rounds_sql(judged: JudgingInput, rounds: int) -> Markup:
    """Expressions ``class_n`` and ``class_cell_n`` for every round of suppression."""
    parts = [
        fragment(
            "judging/round",
            number=number + 1,
            cells=Markup(f"class_cell_{number}"),
            verdict=verdict_sql(judged, number),
            values=judged.cells,
            withholds=judged.masks_sensitive,
        )
        for number in range(rounds)
    ]
    return Markup("").join(Markup(",\n") + part for part in parts)


def verdict_sql(judged: JudgingInput, number: int) -> Markup:
    """The query that judges what is left after some rounds: a row per class."""
    by_column = {value.column: value for value in judged.values}
    histograms: dict[tuple[tuple[str, ...], bool], int] = {}
    references: dict[tuple[int, Reference], int] = {}
    parts: list[Markup] = []
    verdicts = []
    for position, each in enumerate(judged.guarantees, 1):
        told = {
            "number": position,
            "size_fails": each.fails_by_size,
            "prunes": each.prunes,
            # Judged by what does not move, a class that fails must lose a row at least.
            "least": 1 if judged.moves == 0 or not each.reference_moves else 0,
            "judged": None,
            "breaks": breaks(each, f"verdict_{position}.fails", f"verdict_{position}.figure"),
            "drops": each.must_suppress,
        }
        if not each.judged_columns and not each.decided_by_size:
            told["judged"] = each.verdict(_scope(judged, each, None, number, 0, {}))
        if each.judged_columns:
            subject = [by_column[column] for column in each.judged_columns]
            key = (each.judged_columns, each.is_joint)
            if key not in histograms:
                histograms[key] = len(histograms) + 1
                parts.append(_histogram(histograms[key], subject, each, judged, number))
            histogram = histograms[key]
            if (
                each.reference_table is not None
                and (histogram, each.reference_table) not in references
            ):
                references[histogram, each.reference_table] = len(references) + 1
                parts.append(
                    _reference(
                        references[histogram, each.reference_table],
                        histogram,
                        subject,
                        each,
                        judged,
                        _cells(judged, each, number),
                    )
                )
            scope = _scope(judged, each, subject[0], number, histogram, references)
            verdict = each.verdict(scope)
            if each.is_joint:
                worst = Markup(each.aggregate)
                verdict = fragment(
                    "judging/blocks",
                    verdict=verdict,
                    number=histogram,
                    worst=worst,
                    breaks=breaks(each, "verdict.fails", "verdict.figure"),
                )
            told["judged"] = verdict
        verdicts.append(told)
    return fragment(
        "judging/verdict",
        parts=parts,
        guarantees=verdicts,
        classes=Markup(f"class_{number}"),
        withholds=judged.masks_sensitive,
        identity_first=judged.identity_first,
    )


def breaks(guarantee: Guarantee, fails: str, figure: str) -> Markup:
    """Whether a class breaks a guarantee, by its verdict or by its figure."""
    least, most = guarantee.passing
    return fragment(
        "judging/breaks", fails=Markup(fails), figure=Markup(figure), least=least, most=most
    )


def _scope(
    judged: JudgingInput,
    guarantee: Guarantee,
    column: Values | None,
    number: int,
    histogram: int,
    references: Mapping[tuple[int, Reference], int],
) -> GuaranteeTables:
    compared = (
        references[histogram, guarantee.reference_table]
        if guarantee.reference_table is not None
        else None
    )
    people = population = Markup("")
    if guarantee.people is not None:
        key = (guarantee.people, guarantee.judged_columns)
        people = Markup(f"people_{list(judged.people).index(key) + 1}")
        population = judged.people[key].population
    return GuaranteeTables(
        classes=Markup(f"class_{number}"),
        histogram=Markup(f"histogram_{histogram}" if compared is None else f"compared_{compared}"),
        counted=Markup(f"histogram_{histogram}"),
        sized=Markup(f"sized_{histogram}"),
        reference=Markup("" if compared is None else f"reference_{compared}"),
        total=Markup("" if compared is None else f"total_{compared}"),
        values=column.relation if column is not None else Markup(""),
        few=column is not None and column.few,
        place=column.place if column is not None else Markup(""),
        people=people,
        population=population,
        keys={name: Markup(f"key_{place}") for place, name in enumerate(judged.keys, 1)},
        height=column.height if column is not None else 0,
        type=column.type if column is not None else Markup(""),
        moves=judged.moves if guarantee.reference_moves else 0,
        whole=judged.whole,
    )


def _cells(judged: JudgingInput, guarantee: Guarantee, number: int) -> Markup:
    """The cells that a guarantee is judged on: not those without values to show, for most."""
    return Markup(f"{'shown' if _hides(judged, guarantee) else 'class'}_cell_{number}")


def _hides(judged: JudgingInput, guarantee: Guarantee) -> bool:
    """Whether classes without values to show are none of a guarantee's."""
    return judged.masks_sensitive and not guarantee.must_suppress


def _histogram(
    histogram: int,
    subject: Sequence[Values],
    guarantee: Guarantee,
    judged: JudgingInput,
    number: int,
) -> Markup:
    others = [
        value.cell
        for value in judged.values
        if value.is_sensitive and value.column not in guarantee.judged_columns
    ]
    return fragment(
        "judging/histogram",
        number=histogram,
        values=[each.cell for each in subject],
        others=others if guarantee.is_joint else None,
        alone=len(subject) == len(judged.values),
        cells=_cells(judged, guarantee, number),
        classes=Markup(f"class_{number}"),
        hides=_hides(judged, guarantee),
    )


def _reference(
    number: int,
    histogram: int,
    subject: Sequence[Values],
    guarantee: Guarantee,
    judged: JudgingInput,
    cells: Markup,
) -> Markup:
    against = guarantee.reference_table
    assert against is not None
    released = against in ("released", "uniform")
    return fragment(
        "judging/reference",
        number=number,
        histogram=histogram,
        values=[each.cell for each in subject],
        fixed=None if released else judged.fixed[guarantee.judged_columns, against],
        uniform=against == "uniform",
        # Others may share it, and be moved by it.
        moves=judged.moves if released else 0,
        cells=cells,
    )
