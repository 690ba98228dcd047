"""Requirements of releases that are read together: the least rows, persons and values.

They follow from the guarantees of the policy, and from those that the ledger has of each release.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlgen.guarantees import Guarantee
from sqlgen.guarantees.diversity import DistinctLDiversity, Diversity
from sqlgen.ledger.recorded import RecordedGuarantee
from sqlgen.policy import Policy

# The unit of a guarantee that counts persons by a column that the source has no more.
UNKNOWN = ""

# With fewer than two candidate values the value is disclosed, whatever a guarantee asks of shares.
_DISCLOSED = 2


@dataclass(frozen=True)
class Requirements:
    """The limits of several guarantees: k by unit, and l by sensitive column.

    The unit of a k is None for rows, else the column that identifies persons. ``implied`` has the
    columns with a guarantee on their values that does not limit the number of values.
    """

    sizes: Mapping[str | None, int] = field(default_factory=dict)
    diverse: Mapping[str, int] = field(default_factory=dict)
    implied: frozenset[str] = frozenset()

    def rows(self, most_rows: Mapping[str, int]) -> int:
        """The least rows that meet every k; 0 without any.

        ``most_rows`` is the most rows of one person, by unit: k times as many rows are sure to have
        k persons.
        """
        needed = [k if unit is None else k * most_rows[unit] for unit, k in self.sizes.items()]
        return max(needed, default=0)

    def values(self, column: str) -> tuple[int | None, bool]:
        """The least values of a column, and whether a guarantee states this number itself."""
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

    Only those on the given ``sensitive`` columns are kept. A unit that is not one of the source's
    ``columns`` becomes UNKNOWN. A guarantee that cannot be read requires two values of every
    sensitive column.
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
    """The number of values that a guarantee requires; one that states none implies two."""
    columns = guarantee.judged_columns
    if not isinstance(guarantee, Diversity):
        return Requirements(implied=frozenset(columns))
    least = guarantee.least_values
    if least == 1 and not isinstance(guarantee, DistinctLDiversity):
        return Requirements(implied=frozenset(columns))
    return Requirements(diverse=dict.fromkeys(columns, least))


def _within(
    requirements: Requirements, sensitive: Collection[str], columns: Collection[str]
) -> Requirements:
    """Requirements on some sensitive columns, with units that are not columns UNKNOWN."""
    return Requirements(
        {
            UNKNOWN if unit is not None and unit not in columns else unit: size
            for unit, size in requirements.sizes.items()
        },
        {name: least for name, least in requirements.diverse.items() if name in sensitive},
        requirements.implied & frozenset(sensitive),
    )


def strictest(several: Iterable[Requirements]) -> Requirements:
    """The strictest of several requirements, limit by limit."""
    sizes: dict[str | None, int] = {}
    diverse: dict[str, int] = {}
    implied: frozenset[str] = frozenset()
    for requirements in several:
        for unit, size in requirements.sizes.items():
            if size > 1:
                sizes[unit] = max(size, sizes.get(unit, 0))
        for name, count in requirements.diverse.items():
            if count > 1:
                diverse[name] = max(count, diverse.get(name, 0))
        implied |= requirements.implied
    return Requirements(sizes, diverse, implied)
