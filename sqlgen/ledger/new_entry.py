"""A release that is about to be written to the ledger, and the statements that write it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.guarantees import Guarantee
from sqlgen.ledger.json_values import json_text
from sqlgen.ledger.ledger import Ledger, tool_version
from sqlgen.ledger.recorded import hidden_parameters
from sqlgen.ledger.schema import COLUMNS, column_names
from sqlgen.policy import Policy, RowWindow
from sqlgen.sql.render import (
    Statement,
    command,
    commas,
    fragment,
    literal,
    noted,
    sql,
    statement,
)
from sqlgen.sql.step import Step, StepKind
from sqlgen.staging.fingerprints import Fingerprints, digest, policy_digest
from sqlgen.staging.row_windows import spelled, within_sql


@dataclass(frozen=True)
class NewEntry:
    """A release before it is built: all that its entry in the ledger says, but for counts.

    ``folder`` is the path of the policy's folder, relative to the database's. ``lock`` is the text
    of the plan's lock. ``decision`` is the recoding's decision, without labels. ``hierarchies`` are
    fingerprints by column. ``target_kind``, ``target`` and ``place`` say what is released and
    where. ``query`` is the policy's query, or that of the view that it names. ``regions`` is the
    fingerprint of the release's regions, an expression, where its recoding has any.
    """

    policy: Policy
    folder: str
    fingerprints: Fingerprints
    lock: str
    recoding: str
    decision: Mapping[str, Any]
    hierarchies: Mapping[str, str]
    target_kind: str
    target: str
    place: str
    query: str | None
    window: RowWindow | None
    regions: Markup | None = None

    @property
    def values(self) -> dict[str, str | None]:
        """The values that are known before the release is built, by the ledger's column."""
        policy, fingerprints, window = self.policy, self.fingerprints, self.window
        shape = {"columns": fingerprints.columns, "rows": fingerprints.rows}
        after = window.after if window is not None else None
        return {
            "policy": policy.path.name if policy.path is not None else "",
            "folder": self.folder,
            "policy_fingerprint": policy_digest(fingerprints.policy),
            "lock_fingerprint": digest(self.lock),
            "source": policy.source.table or "",
            "source_fingerprint": digest(json.dumps(shape, sort_keys=True)),
            "recoding": self.recoding,
            "decision": json_text(self.decision),
            "sensitive_levels": json_text({name: policy.level(name) for name in policy.sensitive}),
            "hierarchies": json_text(dict(self.hierarchies)),
            "target_kind": self.target_kind,
            "target": self.target,
            "place": self.place,
            # These are no values of the table: a window begins and ends at the moments of runs.
            "since_column": None if window is None else window.column,
            "since_type": None if window is None else window.type,
            "since_after": None if after is None else spelled(after),
            "since_until": None if window is None else spelled(window.until),
            "sqlgen_version": tool_version(),
            "source_query": self.query,
        }


def ledger_steps(
    ledger: Ledger, entry: NewEntry, audit: Markup, rows: Markup, whole: Relation
) -> list[Step]:
    """The steps that write a release to the ledger, with the figures of its audit.

    ``rows`` are the source rows of the release; ``whole`` is the source with all of its rows.
    """
    window, settled = entry.window, None
    if window is not None:
        settled = within_sql(whole.column(window.column), replace(window, after=None))
    columns = {column.name: column for column in COLUMNS}
    known = {name: columns[name].value(value) for name, value in entry.values.items()}
    if entry.regions is not None:
        known["decision"] = _decision_fragment(entry.decision, entry.regions)
    insert = statement(
        "ledger/insert",
        ledger=ledger.table,
        columns=column_names(),
        null_rows=_null_rows_fragment(list(entry.fingerprints.columns)),
        guarantees=_guarantees_fragment(entry.policy.guarantees),
        settled=settled,
        whole=whole.sql,
        known=[value + Markup(f" AS {name}") for name, value in known.items()],
        rows=rows,
        audit=audit,
    )
    return [
        Step(noted(_create_statement(ledger), "the ledger of releases")),
        *([_window_step(ledger, entry.target_kind, window)] if window is not None else ()),
        Step(insert, StepKind.WRITE_LEDGER),
    ]


def _create_statement(ledger: Ledger) -> Statement:
    """The statement that makes the ledger, empty, where there is none.

    The ledger holds no value that was read from a table, hashed or not: later checks read the
    published releases themselves.
    """
    columns = commas([column.declaration for column in COLUMNS], 2)
    pattern = "CREATE TABLE IF NOT EXISTS {ledger} (\n  {columns}\n)"
    return command("ledger/create", pattern, ledger=ledger.table, columns=columns)


def _null_rows_fragment(columns: Sequence[str]) -> Markup:
    """The NULLs of each column, as JSON."""
    pattern = "CAST(COUNT(*) - COUNT({column:name}) AS VARCHAR)"
    items = [
        (f"{json_text(column)}: ", sql(pattern, column=("source", column))) for column in columns
    ]
    return _json_fragment("{", items, "}")


def _guarantees_fragment(guarantees: Sequence[Guarantee]) -> Markup:
    """Each guarantee with what the audit measured, as JSON."""
    items = []
    for number, guarantee in enumerate(guarantees, 1):
        known = json_text({"name": guarantee.name, "parameters": hidden_parameters(guarantee)})
        figure = fragment("ledger/figure", measured=Markup(f"measured_{number}"))
        items.append((f'{known[:-1]}, "measured": ', figure + Markup(" || ") + literal("}")))
    return _json_fragment("[", items, "]")


def _decision_fragment(decision: Mapping[str, Any], regions: Markup) -> Markup:
    """A decision as JSON, with the fingerprint of regions that are known once they are made."""
    opening = f'{json_text(decision)[:-1]}, "region_fingerprint": "'
    pattern = "{opening:literal} || {regions} || {ending:literal}"
    return sql(pattern, opening=opening, regions=regions, ending='"}')


def _json_fragment(opening: str, items: Sequence[tuple[str, Markup]], closing: str) -> Markup:
    """A list or mapping as JSON: of each item the text before a value, and the value."""
    parts = [
        literal((", " if number else opening) + text) + Markup(" || ") + value
        for number, (text, value) in enumerate(items)
    ]
    ending = literal(closing if items else opening + closing)
    return Markup("\n  || ").join([*parts, ending])


def _window_step(ledger: Ledger, kind: str, window: RowWindow) -> Step:
    guard = noted(
        statement(
            "releasing/increment_guard",
            ledger=ledger.table,
            kind=kind,
            series=window.series,
            after=None if window.after is None else spelled(window.after),
        ),
        "stop here, and undo, if these rows were released meanwhile",
    )
    return Step(guard, StepKind.CHECK_WINDOW)
