"""Attacks on sensitive columns: measured, as the victims that an attacker finds, and not judged."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.guarantees import BackgroundKnowledge, Concentration, Guarantee, Homogeneity, Similarity
from sqlgen.judging.verdict_sql import fails_by_size_fragment, judges_sizes_alone
from sqlgen.measuring.class_sums import released_classes
from sqlgen.measuring.nodes import columns_of, node_values
from sqlgen.measuring.tables import GuaranteeResult, open_as_a_whole_sql
from sqlgen.policy import Policy, Role
from sqlgen.search.lattice import Node
from sqlgen.sql.render import statement
from sqlgen.staging.sensitive import Sensitive
from sqlgen.staging.sensitive_levels import sensitive_ladder
from sqlgen.staging.stage import VALUE_CELL, Staged

# Two people with one rare value in one class are twice what is expected there, in any table.
_CHANCE = 2


def attacks_of(
    engine: Engine, policy: Policy, relation: Relation, source: Callable[[], Relation]
) -> list[Guarantee]:
    """The attacks on each sensitive column that a relation has."""
    return [
        attack
        for name in relation.names
        if policy.columns[name].role is Role.SENSITIVE
        for attack in attacks_on(
            name,
            sensitive_ladder(engine, policy, relation, name, source).height - 1
            if policy.columns[name].hierarchy is not None
            else 0,
        )
    ]


def attacks_on(column: str, levels: int) -> list[Guarantee]:
    """The attacks on a sensitive column, without a limit; similarity at each of these levels."""
    every = "100%"
    return [
        Homogeneity(column=column, at_most=every),
        *(BackgroundKnowledge(column=column, excluded=b, at_most=every) for b in (1, 2, 3)),
        *(Similarity(column=column, level=level, at_most=every) for level in range(1, levels + 1)),
        Concentration(column=column, at_most=Decimal(1)),
    ]


def added_attacks(
    engine: Engine, relation: Relation, attacks: Sequence[Guarantee], sensitive: Sensitive
) -> list[Guarantee]:
    """The attacks to which a relation is open by its classes, not as a whole.

    As a whole it is one class. Whoever rules out one of the two values of a column knows the other
    of everybody, whatever the quasi-identifiers show; a release adds nothing to that. A NULL, or a
    masked value, is no third one there: a class of one value and NULLs is still told as such.
    """
    if not attacks:
        return []
    asked = [_with_null(attack) for attack in attacks]
    columns = [relation.column(attack.judged_columns[0]) for attack in attacks]
    row = engine.rows(open_as_a_whole_sql(relation, [*attacks, *asked], sensitive, columns))[0]
    count = len(attacks)
    as_is, with_null, has_null = row[:count], row[count : 2 * count], row[2 * count :]
    return [
        attack
        for attack, known, nearly, null in zip(attacks, as_is, with_null, has_null, strict=True)
        if attack.aggregate != "SUM" or not (known or (null and nearly))
    ]


def _with_null(attack: Guarantee) -> Guarantee:
    """An attack that rules out NULL besides; homogeneity, and any other, is as it is."""
    if not isinstance(attack, BackgroundKnowledge):
        return attack
    return attack.model_copy(update={"excluded": attack.excluded + 1})


def is_unavoidable(attack: GuaranteeResult) -> bool:
    """Whether a figure is what chance gives in any table: no class has thrice a value's rows."""
    return isinstance(attack.guarantee, Concentration) and attack.value <= _CHANCE


def measure_attacks(
    engine: Engine,
    staged: Staged,
    guarantees: Sequence[Guarantee],
    node: Node,
    rounds: int,
    attacks: Sequence[Guarantee],
) -> tuple[GuaranteeResult, ...]:
    """The attacks on the classes that a node releases, with the figures of an audit."""
    if not attacks:
        return ()
    released = Markup("released_cell")
    judged = replace(staged.judged, guarantees=attacks, moves=0)
    values = node_values(staged, judged, node, 0, fails_by_size_fragment(()), released)
    rows, *figures = engine.rows(
        statement(
            "measuring/exposed",
            released=released_classes(staged, guarantees, node, rounds),
            cells=VALUE_CELL,
            columns=columns_of(staged, node),
            masks_sensitive=staged.judged.masks_sensitive and not judges_sizes_alone(guarantees),
            attacks=[{"worst": Markup(each.aggregate)} for each in attacks],
            classes=values["classes"],
            verdict=values["verdict"],
        )
    )[0]
    return tuple(
        GuaranteeResult(attack, figure, rows=rows)
        for attack, figure in zip(attacks, figures, strict=True)
    )
