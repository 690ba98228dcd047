"""What is asked of releases that are read together: how many rows or persons, and how many values.

A policy says so in its guarantees. Of a release that stands the ledger has the words of its own.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from sqlgen.guarantees import MODELS
from sqlgen.guarantees.attacks import CountedAttack
from sqlgen.guarantees.diversity import (
    DistinctLDiversity,
    Diversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from sqlgen.guarantees.identity import AlphaKAnonymity, KAnonymity
from sqlgen.policy import Policy

# A column that tells persons, where it is gone.
UNKNOWN = ""

# A value that is told is disclosed, whatever a guarantee asks of shares.
_DISCLOSED = 2
_MOST = 10**18


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
    """What a policy asks for."""
    judging = [
        guarantee
        for guarantee in policy.guarantees
        if not guarantee.limit and guarantee.unit_column is None
    ]
    told = [
        *(
            Requirements({guarantee.unit_column: guarantee.least_class})
            for guarantee in policy.guarantees
        ),
        *(
            _values_of(each, name)
            if isinstance(each, Diversity)
            else Requirements(implied=frozenset([name]))
            for each in judging
            for name in each.judged_columns
        ),
    ]
    return strictest(told)


def stored_requirements(
    guarantees: Iterable[tuple[str, str]], sensitive: Collection[str], columns: Collection[str]
) -> Requirements:
    """What a release was made to give, by the guarantees of its entry and what they required.

    Of these ``sensitive`` columns; persons are told by one of these ``columns``, or by what is
    UNKNOWN where that is gone.
    """
    return strictest(
        siz
        for about, required in guarantees
        for siz in (
            *_promised_sizes(about, required, columns),
            *(_promised_values(about, required, name) for name in sensitive),
        )
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


def _promised_sizes(about: str, required: str, columns: Collection[str]) -> list[Requirements]:
    """The k of a guarantee of rows or of persons."""
    size = _number("k", required)
    if size is None or _name(about) not in (KAnonymity.name, AlphaKAnonymity.name):
        return []
    if _name(about) != KAnonymity.name or about == KAnonymity(k=2).title:
        return [Requirements({None: size})]
    units = [column for column in columns if about == KAnonymity(k=2, unit=column).title]
    return [Requirements({units[0] if units else UNKNOWN: size})]


def _promised_values(about: str, required: str, column: str) -> Requirements:
    """What a guarantee asks of the values of a column, if it is about that."""
    name = _name(about)
    among = about.removeprefix(f"{name} of ")
    if name not in MODELS or not re.search(rf"(^|, ){re.escape(column)}($|, | \()", among):
        return Requirements()
    if name == KAnonymity.name:
        return Requirements()
    if issubclass(MODELS[name], Diversity):
        return _values_of(_diversity(name, required, column), column)
    counted = issubclass(MODELS[name], CountedAttack)
    if counted and not re.search(r"<= 0(\.0*)?\s*%?$", required):
        return Requirements()
    return Requirements(implied=frozenset([column]))


def _values_of(diversity: Diversity, column: str) -> Requirements:
    """The number of values that a diversity asks for; one that asks for none implies two."""
    least = diversity.least_values
    if least == 1 and not isinstance(diversity, DistinctLDiversity):
        return Requirements(implied=frozenset([column]))
    return Requirements(diverse={column: least})


def _diversity(name: str, required: str, column: str) -> Diversity:
    """A diversity with the l that an entry says it required; with 1 where it says none.

    Nothing is validated: whoever can write to the ledger can make it say anything.
    """
    if name == RecursiveLDiversity.name:
        found = re.search(r"\(l ([0-9]{1,9})\)", required)
        least = int(found[1]) if found else 1
        return RecursiveLDiversity.model_construct(column=column, c=Decimal(1), l=least)
    if name == EntropyLDiversity.name:
        found = re.search(r"^l >= ([0-9]{1,9}(\.[0-9]{1,9})?)$", required)
        exact = Decimal(found[1]) if found else Decimal(1)
        return EntropyLDiversity.model_construct(column=column, l=exact)
    return DistinctLDiversity.model_construct(column=column, l=_number("l", required) or 1)


def _name(about: str) -> str:
    return about.split(" ", 1)[0]


def _number(letter: str, required: str) -> int | None:
    found = re.search(rf"(^|, ){letter} >= ([0-9]+)$", required)
    if found is None:
        return None
    # More than any table has, however many digits somebody wrote.
    return int(found[2]) if len(found[2]) <= len(str(_MOST)) else _MOST
