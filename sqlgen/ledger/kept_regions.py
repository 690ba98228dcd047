"""The regions of releases, kept in a table beside the ledger.

A set of regions is known by its fingerprint, and several releases may have the same. The table
holds labels that a release shows, and coarser ones. Where a label of the ladder stands for a part
of its values alone, it has the ends of that part, too: the same classes with ranges in place of
labels give the same guarantees. It holds no counts and no other values.
"""

from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, find
from sqlgen.errors import RefusedError
from sqlgen.ledger.ledger import Ledger, regions_parts
from sqlgen.policy import Policy
from sqlgen.sql.render import command, commas, name, noted, quoted_name, statement
from sqlgen.sql.step import Step, plain_steps

_COLUMNS = (
    ("fingerprint", "VARCHAR"),
    ("number", "BIGINT"),
    ("parent", "BIGINT"),
    ("is_shown", "BOOLEAN"),
    ("levels", "INTEGER[]"),
    ("labels", "VARCHAR[]"),
    ("spans", "VARCHAR[]"),
)


@dataclass(frozen=True)
class RegionsTable:
    """The table of regions of a ledger, by its full name, which need not exist yet."""

    parts: tuple[str, ...]
    exists: bool

    @property
    def table(self) -> Markup:
        """The table's name in SQL."""
        return name(self.parts)

    @property
    def called(self) -> str:
        """The table's name in messages."""
        return ".".join(self.parts[1:] if self.parts[1] != "main" else self.parts[2:])


def find_regions_table(engine: Engine, policy: Policy, ledger: Ledger) -> RegionsTable:
    """The table of regions beside a ledger; refused where something else has its name."""
    parts = regions_parts(ledger.parts)
    found = find(engine, quoted_name(parts))
    if found is None:
        return RegionsTable(parts, exists=False)
    if not _is_ours(found):
        raise RefusedError(
            f"{policy.where('ledger')}: {'.'.join(parts[1:])} is something else than the regions "
            "of releases. Rename it, or name another ledger. Nothing was changed."
        )
    return RegionsTable(found.parts, exists=True)


def _is_ours(table: Relation) -> bool:
    """Whether a relation is a table with the columns of regions, of their types, in order."""
    columns = tuple((column.name, column.type) for column in table.columns)
    return table.kind == "table" and columns == _COLUMNS


def remove_unused_regions(engine: Engine, ledger: Ledger) -> None:
    """Remove regions that no release of the ledger has: their labels were not published."""
    found = find(engine, quoted_name(regions_parts(ledger.parts)))
    if found is not None and _is_ours(found):
        engine.run(statement("ledger/unused_regions", regions=found.sql, ledger=ledger.table))


def regions_steps(
    table: RegionsTable, fingerprint: Markup, rows: Markup, is_whole: Markup
) -> list[Step]:
    """The steps that keep the regions of a release, unless the table has the same ones already.

    ``is_whole`` says whether all of them are shown: what was suppressed at the last is not kept.
    """
    columns = [Markup(f"{column} {kind}") for column, kind in _COLUMNS]
    created = command(
        "ledger/create_regions",
        "CREATE TABLE IF NOT EXISTS {table} (\n  {columns}\n)",
        table=table.table,
        columns=commas(columns, 2),
    )
    insert = statement(
        "ledger/insert_regions",
        table=table.table,
        columns=[Markup(column) for column, _ in _COLUMNS],
        fingerprint=fingerprint,
        regions=rows,
        is_whole=is_whole,
    )
    return plain_steps([noted(created, "the regions of releases"), insert])
