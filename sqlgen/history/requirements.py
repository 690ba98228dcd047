"""Requirements of releases that are read together: how many rows or persons, how many values.

A policy says so in its guarantees. The ledger has the guarantees of a release that stands.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlgen.guarantees import Guarantee
from sqlgen.guarantees.diversity import DistinctLDiversity, Diversity
from sqlgen.ledger.recorded import RecordedGuarantee
from sqlgen.policy import Policy

# A column that tells persons, where it is gone.
UNKNOWN = ""

# A value that is told is disclosed, whatever a guarantee asks of shares.
_DISCLOSED = 2


@dataclass(frozen=True)
class Requirements:
    """The k that is asked for of rows (None) and of persons, by their column, and l by column.

    ``implied`` are the columns whose values are judged by something else than their number.
    """

    sizes: Mapping[str | None, int] = field(default_factory=dict)
    diverse: Mapping[str, int] = field(default_factory=dict)
    implied: frozenset[str] = frozenset()

    def rows(self, most_rows: Mapping[str, int]) -> int:
        """How many rows have as many persons for sure; 0 where nothing is asked.

        ``most_rows`` says how many one person has at most, by the column that tells persons.
        """
        told = [k if unit is None else k * most_rows[unit] for unit, k in self.sizes.items()]
        return max(told, default=0)

    def values(self, column: str) -> tuple[int | None, bool]:
        """How many values of a column are asked for, and whether a guarantee says so itself."""
        if column in self.diverse:
            return self.diverse[column], True
        return (_DISCLOSED if column in self.implied else None), False


def policy_requirements(policy: Policy) -> Requirements:
    """The requirements of a policy's guarantees."""
    return strictest(map(_requirements_of, policy.guarantees))


def stored_requirements(
    guarantees: Iterable[RecordedGuarantee], sensitive: Collection[str], columns: Collection[str]
) -> Requirements:
    """The requirements of a release, by the guarantees of its entry in the ledger.

    Of these ``sensitive`` columns; persons are told by one of these ``columns``, or by what is
    UNKNOWN where that is gone. A guarantee that cannot be read asks two values of every column.
    """
    return strictest(
        Requirements(implied=frozenset(sensitive))
        if recorded.guarantee is None
        else _within(_requirements_of(recorded.guarantee), sensitive, columns)
        for recorded in guarantees
    )


def _requirements_of(guarantee: Guarantee) -> Requirements:
    """The requirements of one guarantee."""
    sizes = {guarantee.unit_column: guarantee.least_class}
    if guarantee.limit or guarantee.unit_column is not None:
        return Requirements(sizes)
    return replace(_values_of(guarantee), sizes=sizes)


def _values_of(guarantee: Guarantee) -> Requirements:
    """The number of values that a guarantee asks for; one that asks for none implies two."""
    columns = guarantee.judged_columns
    if not isinstance(guarantee, Diversity):
        return Requirements(implied=frozenset(columns))
    least = guarantee.least_values
    if least == 1 and not isinstance(guarantee, DistinctLDiversity):
        return Requirements(implied=frozenset(columns))
    return Requirements(diverse=dict.fromkeys(columns, least))


def _within(
    asked: Requirements, sensitive: Collection[str], columns: Collection[str]
) -> Requirements:
    """Requirements of some sensitive columns, with persons by a column that there is."""
    return Requirements(
        {
            UNKNOWN if unit is not None and unit not in columns else unit: size
            for unit, size in asked.sizes.items()
        },
        {name: least for name, least in asked.diverse.items() if name in sensitive},
        asked.implied & frozenset(sensitive),
    )


def strictest(told: Iterable[Requirements]) -> Requirements:
    """The most that any of these asks for."""
    sizes: dict[str | None, int] = {}
    diverse: dict[str, int] = {}
    implied: frozenset[str] = frozenset()
    for each in told:
        for unit, size in each.sizes.items():
            if size > 1:
                sizes[unit] = max(size, sizes.get(unit, 0))
        for name, count in each.diverse.items():
            if count > 1:
                diverse[name] = max(count, diverse.get(name, 0))
        implied |= each.implied
    return Requirements(sizes, diverse, implied)
