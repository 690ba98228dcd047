"""Judging classes: SQL that says, of every class, which guarantees it gives, and how nearly.

The same pieces serve a node of the lattice, the release, and an audit: each brings its cells, and
gets classes, verdicts and rounds of suppression as common table expressions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from sqlgen.guarantees import Guarantee, GuaranteeTables, PeopleTable, TableReference
from sqlgen.guarantees.base import Reference
from sqlgen.sql.render import disjunction, each, fragment, group_by, sql

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
    """The input of judging: guarantees, the sensitive columns they need, and their references.

    ``fixed`` names the relation of each reference that suppression does not move, ``people`` the
    tables of people, ``keys`` the quasi-identifiers that classes are told apart by.
    ``masks_sensitive`` says that a class which fails by its values stays, without them. ``moves``
    says how many rows the references may still lose, of a ``budget``; ``empty`` rows, which show no
    value to begin with, may leave them at no cost. ``whole`` is a type that holds products of two
    counts. What ``is_settled`` is compared with nothing that suppression could move: ``fixed`` has
    the reference of every guarantee then. Where a class ``stands_for_many`` that have the same
    counts of values, cells have ``group_count``, how many these are.
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
    is_settled: bool = False
    stands_for_many: bool = False

    @property
    def cells(self) -> list[Markup]:
        """The cells' columns of sensitive ids."""
        return [value.cell for value in self.values]

    @property
    def moving(self) -> bool:
        """Whether suppression moves what classes are judged by."""
        return not self.is_settled and any(
            guarantee.reference_moves for guarantee in self.guarantees
        )

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
        return (
            by_identity
            and not self.is_settled
            and any(
                guarantee.reference_moves and not guarantee.must_suppress
                for guarantee in self.guarantees
            )
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
    return disjunction(conditions)


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

    Classes that ``condemned`` holds for are in ``class`` alone. Where values are masked, also
    ``shown_cell_0``, without the classes that have none to show. Where cells have ``words``, each
    with the mask under which classes are told apart, ``keys`` are read off those. Of cells that
    ``are_counted`` no two have the same keys and values.
    """
    if words is None:
        groups = [(Markup(f"key_{number}"), key) for number, key in enumerate(keys, 1)]
    elif are_counted:
        groups = [(word, word) for word, _ in words]
    else:
        groups = [(word, masked) for (word, _), masked in zip(words, under(words), strict=True)]
    hidden = judged.hidden if judged.masks_sensitive else ()
    columns = ["class_id", "class_size", *(("group_count",) if judged.stands_for_many else ())]
    columns += ["is_masked"] if hidden else []
    return fragment(
        "judging/classes",
        cells=cells,
        groups=groups,
        names=[name for name, _ in groups],
        materialized=Markup("NOT MATERIALIZED" if are_counted else "MATERIALIZED"),
        row_count=sql("row_count" if are_counted else "CAST(SUM(row_count) AS BIGINT)"),
        grouped=Markup("")
        if are_counted
        else group_by([*(key for _, key in groups), *judged.cells]),
        class_columns=[Markup(column) for column in columns],
        ids=() if words is None else keys,
        equals=Markup("IS NOT DISTINCT FROM" if words is None else "="),
        values=judged.cells,
        condemned=fails_by_size,
        hidden=hidden,
        stands_for_many=judged.stands_for_many,
    )


def under(words: Sequence[tuple[Markup, int]]) -> list[Markup]:
    """The bits of each word that its mask keeps."""
    return each(words, "{0} & {1}")


def column_fragment(plain: Markup, column: str, cells: Markup) -> Markup:
    """One column of some cells, under the name that it has in the table."""
    return sql(
        "(SELECT {plain} AS {column:ident} FROM {cells})", plain=plain, column=column, cells=cells
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
            {"relation": value.relation, "cell": value.cell, "plain": plain, "rows": query}
            for value, plain, query in zip(judged.values, plains, rows, strict=True)
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
            fails=Markup("drops" if judged.masks_sensitive else "fails"),
            masks_sensitive=judged.masks_sensitive,
            stands_for_many=judged.stands_for_many,
        )
        for number in range(rounds)
    ]
    return Markup("").join(Markup(",\n") + part for part in parts)


def verdict_sql(judged: JudgingInput, number: int) -> Markup:
    """The query that judges what is left after some rounds: a row per class."""
    guarantees = list(enumerate(judged.guarantees, 1))
    verdicts = {
        position: _verdict(judged, guarantee, number)
        for position, guarantee in guarantees
        if guarantee.judged_columns or not guarantee.decided_by_size
    }
    hides = ("is_masked", "was_empty") if judged.masks_sensitive else ()
    many = ("group_count",) if judged.stands_for_many else ()
    identity = _fails_by_identity(judged)
    by_identity = disjunction(identity)
    by_value = disjunction(
        each([n for n, guarantee in guarantees if not guarantee.must_suppress], "fails_{}")
    )
    by_any = disjunction(each([position for position, _ in guarantees], "fails_{}"))
    if judged.identity_first:
        by_any = sql(
            "CASE WHEN BOOL_OR({identity}) OVER () THEN {identity} ELSE {any} END",
            identity=by_identity,
            any=by_any,
        )
        by_value = sql(
            "(NOT BOOL_OR({identity}) OVER () AND ({value}))", identity=by_identity, value=by_value
        )
    return fragment(
        "judging/verdict",
        parts=_histograms_and_references(judged, number),
        numbers=[position for position, _ in guarantees],
        identity=identity,
        fails=by_any,
        fails_by_value=by_value,
        pruning=[position for position, guarantee in guarantees if guarantee.prunes],
        class_columns=[Markup(column) for column in ("class_id", "class_size", *many, *hides)],
        columns=[
            _verdict_columns(judged, position, guarantee, by_value=position in verdicts)
            for position, guarantee in guarantees
        ],
        verdicts=list(verdicts.items()),
        classes=Markup(f"class_{number:d}"),
        masks_sensitive=judged.masks_sensitive,
        stands_for_many=judged.stands_for_many,
    )


def every_class_sql(judged: JudgingInput, number: int) -> Markup:
    """The query that judges what is left after some rounds: a row per class that is stood for."""
    verdict = verdict_sql(judged, number)
    if not judged.stands_for_many:
        return verdict
    return fragment("judging/every_class", verdict=verdict)


def _fails_by_identity(judged: JudgingInput) -> list[Markup]:
    """Conditions: a class fails whatever values it shows."""
    return [
        Markup(f"fails_{position:d}")
        if guarantee.must_suppress
        else each([guarantee.fails_by_size], "({})")[0]
        for position, guarantee in enumerate(judged.guarantees, 1)
        if guarantee.must_suppress or guarantee.fails_by_size
    ]


def _verdict_columns(
    judged: JudgingInput, position: int, guarantee: Guarantee, *, by_value: bool
) -> Markup:
    """A guarantee's figure, whether it fails, and its repair, as columns of the verdict."""
    size_fails = guarantee.fails_by_size
    if not by_value:
        # A guarantee that cannot say what its sizes fail by is not met.
        fails = size_fails if size_fails is not None else Markup("TRUE")
        return sql(
            "class_size AS figure_{number},\n{fails} AS fails_{number},\n"
            "{repair} AS repair_{number}",
            number=position,
            fails=fails,
            repair=repair_by_size(fails),
        )
    verdict = Markup(f"verdict_{position:d}")
    by_size = [] if size_fails is None else [size_fails]
    # A class without a verdict fails, unless it has no value to show.
    absent = Markup("NOT class.is_masked" if _hides(judged, guarantee) else "TRUE")
    repair = fragment(
        "judging/repair",
        by_size=by_size,
        passes=sql("NOT COALESCE({verdict}.fails, {absent})", verdict=verdict, absent=absent),
        need=sql("{verdict}.repair", verdict=verdict),
        # Judged by what does not move, a class that fails must lose a row at least.
        least=1 if judged.moves == 0 or not guarantee.reference_moves else 0,
    )
    return fragment(
        "judging/verdict_by_value",
        number=position,
        verdict=verdict,
        by_size=by_size,
        absent=absent,
        repair=repair,
        breaks=breaks(guarantee, f"{verdict}.fails", f"{verdict}.figure"),
    )


def repair_by_size(fails: Markup) -> Markup:
    """The rows of a class that must go where its size alone decides: all of them, or none."""
    return sql("CASE WHEN {fails} THEN class_size ELSE 0 END", fails=fails)


def _verdict(judged: JudgingInput, guarantee: Guarantee, number: int) -> Markup:
    """The query that judges classes by one guarantee."""
    if not guarantee.judged_columns:
        return guarantee.verdict(_scope(judged, guarantee, None, number))
    column = _columns(judged, guarantee)[0]
    verdict = guarantee.verdict(_scope(judged, guarantee, column, number))
    if not guarantee.is_joint:
        return verdict
    return fragment(
        "judging/blocks",
        verdict=verdict,
        number=_histogram_numbers(judged)[guarantee.judged_columns, True],
        worst=Markup(guarantee.aggregate),
        breaks=breaks(guarantee, "verdict.fails", "verdict.figure"),
    )


def _columns(judged: JudgingInput, guarantee: Guarantee) -> list[Values]:
    by_column = {value.column: value for value in judged.values}
    return [by_column[column] for column in guarantee.judged_columns]


def _histogram_numbers(judged: JudgingInput) -> dict[tuple[tuple[str, ...], bool], int]:
    """The histograms that guarantees share, by their columns, numbered as they are needed."""
    numbers: dict[tuple[tuple[str, ...], bool], int] = {}
    for guarantee in judged.guarantees:
        if guarantee.judged_columns:
            key = (guarantee.judged_columns, guarantee.is_joint)
            numbers.setdefault(key, len(numbers) + 1)
    return numbers


def _reference_numbers(judged: JudgingInput) -> dict[tuple[int, Reference], int]:
    """The references that guarantees share, by histogram, numbered as they are needed."""
    histograms = _histogram_numbers(judged)
    numbers: dict[tuple[int, Reference], int] = {}
    for guarantee in judged.guarantees:
        if guarantee.judged_columns and guarantee.reference_table is not None:
            histogram = histograms[guarantee.judged_columns, guarantee.is_joint]
            numbers.setdefault((histogram, guarantee.reference_table), len(numbers) + 1)
    return numbers


def _histograms_and_references(judged: JudgingInput, number: int) -> list[Markup]:
    """The expressions that verdicts read, each before the first guarantee that needs it."""
    histograms, references = _histogram_numbers(judged), _reference_numbers(judged)
    listed: set[object] = set()
    parts = []
    for guarantee in judged.guarantees:
        if not guarantee.judged_columns:
            continue
        key = (guarantee.judged_columns, guarantee.is_joint)
        if key not in listed:
            listed.add(key)
            parts.append(_histogram(histograms[key], guarantee, judged, number))
        table = guarantee.reference_table
        if table is not None and (histograms[key], table) not in listed:
            listed.add((histograms[key], table))
            parts.append(
                _reference(
                    references[histograms[key], table],
                    histograms[key],
                    guarantee,
                    judged,
                    _cells(judged, guarantee, number),
                )
            )
    return parts


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
) -> GuaranteeTables:
    histogram = _histogram_numbers(judged).get((guarantee.judged_columns, guarantee.is_joint), 0)
    compared = (
        _reference_numbers(judged)[histogram, guarantee.reference_table]
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


def _histogram(histogram: int, guarantee: Guarantee, judged: JudgingInput, number: int) -> Markup:
    cells = _cells(judged, guarantee, number)
    if guarantee.is_joint:
        others = [
            value.cell
            for value in judged.values
            if value.is_sensitive and value.column not in guarantee.judged_columns
        ]
        return fragment(
            "judging/block_histogram",
            number=histogram,
            value=_columns(judged, guarantee)[0].cell,
            others=others,
            cells=cells,
        )
    values = _value_ids(judged, guarantee)
    return fragment(
        "judging/histogram",
        number=histogram,
        values=values,
        is_counted=len(values) == len(judged.values),
        cells=cells,
        classes=Markup(f"class_{number}"),
        hides=_hides(judged, guarantee),
    )


def _value_ids(judged: JudgingInput, guarantee: Guarantee) -> list[tuple[Markup, Markup]]:
    """Per judged column its ids in the cells, and their name in a histogram or a reference."""
    return [
        (value.cell, Markup("value_id" if place == 1 else f"value_id_{place:d}"))
        for place, value in enumerate(_columns(judged, guarantee), 1)
    ]


def _reference(
    number: int,
    histogram: int,
    guarantee: Guarantee,
    judged: JudgingInput,
    cells: Markup,
) -> Markup:
    against = guarantee.reference_table
    assert against is not None
    released = against in ("released", "uniform") and not judged.is_settled
    values = _value_ids(judged, guarantee)
    # Others may share it, and be moved by it.
    moves = judged.moves if released else 0
    kind = "settled" if not moves else "uniform" if against == "uniform" else "moving"
    return fragment(
        "judging/reference",
        number=number,
        histogram=histogram,
        values=values,
        fixed=None if released else judged.fixed[guarantee.judged_columns, against],
        uniform=released and against == "uniform",
        row_count=sql("row_count * group_count" if judged.stands_for_many else "row_count"),
        total=fragment(
            f"judging/total_{kind}", number=number, moves=moves, cells=cells, values=values
        ),
        cells=cells,
    )
