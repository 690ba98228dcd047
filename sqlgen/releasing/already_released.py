"""Whether a table is its own release already, so that it is not released from its own labels."""

from collections.abc import Sequence
from enum import Enum

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, find
from sqlgen.errors import PolicyError, RefusedError
from sqlgen.hierarchies.rules import Expressions
from sqlgen.ledger.faults import check_entry
from sqlgen.ledger.ledger import Entry
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import statement
from sqlgen.staging.fingerprints import policy_digest, policy_parts
from sqlgen.staging.ladders import read_ladder
from sqlgen.staging.read_back import read_shown_labels


class _Shows(Enum):
    """The content of a column: only labels of a level, none of them, or one cannot tell."""

    LABELS = "labels"
    VALUES = "values"
    EITHER = "either"


def is_replaced(engine: Engine, policy: Policy, source: Relation, entries: Sequence[Entry]) -> bool:
    """Whether a table became its own release, by the ledger and by what it holds today.

    Its identifiers are gone then. A policy without any is told by its labels: they are all of the
    level that the ledger has, in as many rows; where they are not, and the rows are not plainly
    new originals, the run is refused, for labels of labels would be of no use to anybody.
    """
    if policy.in_place is None:
        return False
    entry = _last(engine, source, entries)
    if entry is None or _identifiers(policy):
        return entry is not None and any(column not in source.names for column in policy.columns)
    if any(column not in source.names for column in policy.columns):
        return False
    shown = _shown(engine, policy, source, entry)
    rows = engine.rows(statement("releasing/drift_shape", source=source.sql, columns=[]))[0][0]
    if shown is _Shows.LABELS and rows == entry.released_rows:
        return True
    if shown is not _Shows.VALUES:
        raise _refused(policy, source, entry)
    return False


def check_originals(
    engine: Engine, policy: Policy, source: Relation, entries: Sequence[Entry]
) -> None:
    """Refuse to release a table in place from its own labels, where no identifier would be missed.

    One that lacks identifiers is refused for that.
    """
    entry = _last(engine, source, entries)
    if entry is None or _identifiers(policy):
        return
    if _shown(engine, policy, source, entry) is not _Shows.VALUES:
        raise _refused(policy, source, entry)


def _refused(policy: Policy, source: Relation, entry: Entry) -> RefusedError:
    return RefusedError(
        f"{policy.where('release', 'in_place')}: {source.parts[2]} became its own release, number "
        f"{entry.release_id} of the ledger, and may hold its labels still, of which a release "
        "would make labels again. If its rows are new originals, release them by hand: sqlgen "
        "plan, then sqlgen apply --replace; or delete that release from the ledger. Nothing was "
        "changed."
    )


def _identifiers(policy: Policy) -> bool:
    return any(column.role is Role.IDENTIFIER for column in policy.columns.values())


def _last(engine: Engine, source: Relation, entries: Sequence[Entry]) -> Entry | None:
    """The last release that the table became, under whatever name a policy had for it."""
    for entry in entries:
        if entry.target_kind == "in_place":
            # Else labels could be taken for originals.
            check_entry(entry)
            standing = find(engine, entry.stands_at)
            if standing is not None and standing.parts == source.parts:
                return entry
    return None


def _shown(engine: Engine, policy: Policy, source: Relation, entry: Entry) -> _Shows:
    """The content of the quasi-identifiers: one column without a label means new rows."""
    same = entry.policy_fingerprint == policy_digest(policy_parts(policy))
    released = {
        name: levels
        for name, levels in entry.column_levels.items()
        if levels[1] and name in policy.quasi and name in source.names
    }
    exact = [
        _column(engine, policy, source, name, least, same=same)
        for name, (least, most) in released.items()
        if least == most
    ]
    mixed = [
        _mixed_column(engine, policy, source, name, most)
        for name, (least, most) in released.items()
        if least != most
    ]
    if _Shows.VALUES in (*exact, *mixed):
        return _Shows.VALUES
    # One column of mixed levels that shows labels tells of the whole table.
    is_open = _Shows.EITHER in exact or _Shows.LABELS not in (*exact, *mixed)
    return _Shows.EITHER if is_open else _Shows.LABELS


def _mixed_column(engine: Engine, policy: Policy, source: Relation, name: str, most: int) -> _Shows:
    """The content of a column that was released as text, class by class at levels of their own.

    Its values may be among its labels. A label of a level above them is told by its hierarchy,
    which makes the same label of it again; where none is, a column that every class shows as it is
    would look like this too.
    """
    if not source.column(name).is_text:
        return _Shows.VALUES
    try:
        ladder = read_ladder(engine, policy, source, name)
    except PolicyError:
        # A rule for numbers or dates cannot read texts: they are what it made of them.
        return _Shows.LABELS
    if isinstance(policy.columns[name].hierarchy, Expressions):
        return _Shows.EITHER
    levels = range(1, min(most, ladder.height) + 1)
    shown = read_shown_labels(engine, ladder, source.sql, source, levels)
    some = any(shown.lacking[level] < shown.labels for level in levels)
    return _Shows.LABELS if some else _Shows.EITHER


def _column(
    engine: Engine, policy: Policy, source: Relation, name: str, level: int, *, same: bool
) -> _Shows:
    """The content of a column that was released as text, at a level above its values.

    Where the policy is not the ``same`` any more, a text that is no label of today may be one of
    then.
    """
    if not source.column(name).is_text:
        return _Shows.VALUES
    try:
        ladder = read_ladder(engine, policy, source, name)
    except PolicyError:
        # A rule for numbers or dates cannot read texts: they are what it made of them.
        return _Shows.LABELS
    if isinstance(policy.columns[name].hierarchy, Expressions) and level < ladder.height:
        # What an expression makes of a label need not be the label again.
        return _Shows.EITHER
    level = min(level, ladder.height)
    shown = read_shown_labels(engine, ladder, source.sql, source, [level])
    if shown.lacking[level] == 0:
        return _Shows.LABELS if shown.labels else _Shows.EITHER
    some = shown.lacking[level] < shown.labels
    return _Shows.EITHER if some or not same else _Shows.VALUES
