"""Judging classes: SQL that says, of every class, which guarantees it gives, and how nearly.

The same pieces serve a node of the lattice, the release, and an audit: each brings its cells, and
gets classes, verdicts and rounds of suppression as common table expressions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from sqlgen.models import Guarantee, Scope
from sqlgen.models.guarantee import Reference
from sqlgen.sql.render import fragment

WIDE = Markup("HUGEINT")
# References that are made of the released rows.
_MOVING = ("released", "uniform")


@dataclass(frozen=True)
class Values:
    """A sensitive column in some cells: its ids there, and the relation that explains them.

    ``relation`` has a row per value: value, id_0, id_1, ... up to the level below the top of its
    hierarchy, and position in its order. A column of persons is not sensitive.
    """

    column: str
    cell: Markup
    relation: Markup
    height: int
    type: Markup
    is_sensitive: bool = True


@dataclass(frozen=True)
class Judged:
    """What is judged: the guarantees, the sensitive columns they need, and their references.

    ``fixed`` names the relation of each reference that suppression does not move. ``moves`` says
    how many rows the others may still lose; ``whole`` is a type that holds products of two counts.
    """

    guarantees: Sequence[Guarantee]
    values: Sequence[Values] = ()
    fixed: Mapping[tuple[tuple[str, ...], Reference], Markup] = field(default_factory=dict)
    moves: int = 0
    whole: Markup = WIDE

    @property
    def cells(self) -> list[Markup]:
        """The cells' columns of sensitive ids."""
        return [each.cell for each in self.values]

    @property
    def moving(self) -> bool:
        """Whether suppression moves what classes are judged by."""
        return any(each.against in _MOVING for each in self.guarantees)


def judges_sizes_alone(guarantees: Sequence[Guarantee]) -> bool:
    """Whether class sizes decide every guarantee, so that no value needs to be looked at."""
    return all(not each.subject for each in guarantees)


def size_fails(guarantees: Sequence[Guarantee]) -> Markup:
    """A condition over class_size: TRUE where a class fails whatever its values are."""
    conditions = [each.size_fails for each in guarantees if each.size_fails is not None]
    return fragment("models/any_fails", conditions=conditions)


def classes_sql(cells: Markup, keys: Sequence[Markup], judged: Judged, condemned: Markup) -> Markup:
    """Expressions ``class``, ``class_0`` and ``class_cell_0`` over some cells.

    Classes that ``condemned`` holds for are in ``class`` alone.
    """
    return fragment(
        "judge/classes", cells=cells, keys=keys, values=judged.cells, condemned=condemned
    )


def valued_sql(
    cells: Markup,
    plains: Sequence[Markup],
    judged: Judged,
    rows: Sequence[Markup],
    fixed: Mapping[tuple[tuple[str, ...], Reference], Markup],
) -> Markup:
    """Expressions ``value_n``, ``fixed_n`` and ``valued_cell`` over cells with sensitive values."""
    return fragment(
        "judge/valued",
        cells=cells,
        columns=[
            {"relation": each.relation, "cell": each.cell, "plain": plain, "rows": query}
            for each, plain, query in zip(judged.values, plains, rows, strict=True)
        ],
        fixed=[(judged.fixed[key], query) for key, query in fixed.items()],
    )


def rounds_sql(judged: Judged, rounds: int) -> Markup:
    """Expressions ``class_n`` and ``class_cell_n`` for every round of suppression."""
    parts = [
        fragment(
            "judge/round",
            number=number + 1,
            cells=_cells(number),
            verdict=verdict_sql(judged, number),
        )
        for number in range(rounds)
    ]
    return Markup("").join(Markup(",\n") + part for part in parts)


def verdict_sql(judged: Judged, number: int) -> Markup:
    """The query that judges what is left after some rounds: a row per class."""
    by_column = {each.column: each for each in judged.values}
    histograms: dict[tuple[tuple[str, ...], bool], int] = {}
    references: dict[tuple[int, Reference], int] = {}
    parts: list[Markup] = []
    verdicts = []
    cells = _cells(number)
    for position, each in enumerate(judged.guarantees, 1):
        told = {
            "number": position,
            "size_fails": each.size_fails,
            "prunes": each.prunes,
            # Judged by what does not move, a class that fails must lose a row at least.
            "least": 1 if judged.moves == 0 or each.against not in _MOVING else 0,
            "judged": None,
        }
        if each.subject:
            subject = [by_column[column] for column in each.subject]
            key = (each.subject, each.by_blocks)
            if key not in histograms:
                histograms[key] = len(histograms) + 1
                parts.append(_histogram(histograms[key], subject, each, judged, cells))
            histogram = histograms[key]
            if each.against is not None and (histogram, each.against) not in references:
                references[histogram, each.against] = len(references) + 1
                parts.append(
                    _reference(
                        references[histogram, each.against], histogram, subject, each, judged, cells
                    )
                )
            scope = _scope(judged, each, subject[0], histogram, references)
            verdict = each.verdict(scope)
            if each.by_blocks:
                worst = Markup(each.worst)
                verdict = fragment("judge/blocks", verdict=verdict, number=histogram, worst=worst)
            told["judged"] = verdict
        verdicts.append(told)
    return fragment(
        "judge/verdict", parts=parts, guarantees=verdicts, classes=Markup(f"class_{number}")
    )


def _scope(
    judged: Judged,
    guarantee: Guarantee,
    column: Values,
    histogram: int,
    references: Mapping[tuple[int, Reference], int],
) -> Scope:
    moving = guarantee.against in _MOVING
    compared = references[histogram, guarantee.against] if guarantee.against is not None else None
    return Scope(
        histogram=Markup(f"histogram_{histogram}" if compared is None else f"compared_{compared}"),
        reference=Markup("" if compared is None else f"reference_{compared}"),
        values=column.relation,
        height=column.height,
        type=column.type,
        moves=judged.moves if moving else 0,
        whole=judged.whole,
    )


def _cells(number: int) -> Markup:
    return Markup(f"class_cell_{number}")


def _histogram(
    number: int, subject: Sequence[Values], guarantee: Guarantee, judged: Judged, cells: Markup
) -> Markup:
    others = [
        each.cell
        for each in judged.values
        if each.is_sensitive and each.column not in guarantee.subject
    ]
    return fragment(
        "judge/histogram",
        number=number,
        values=[each.cell for each in subject],
        others=others if guarantee.by_blocks else None,
        cells=cells,
    )


def _reference(
    number: int,
    histogram: int,
    subject: Sequence[Values],
    guarantee: Guarantee,
    judged: Judged,
    cells: Markup,
) -> Markup:
    against = guarantee.against
    assert against is not None
    moving = against in _MOVING
    return fragment(
        "judge/reference",
        number=number,
        histogram=histogram,
        values=[each.cell for each in subject],
        fixed=None if moving else judged.fixed[guarantee.subject, against],
        uniform=against == "uniform",
        moves=judged.moves if moving else 0,
        cells=cells,
    )
