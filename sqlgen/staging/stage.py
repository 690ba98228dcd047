"""Staging: a table per ladder, one of labels, one of cells; the search reads nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import EngineError, HierarchyError, PolicyError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.rules import Expressions
from sqlgen.judging.verdict_sql import (
    WIDE,
    JudgingInput,
    MatchedPeople,
    Values,
    column_fragment,
)
from sqlgen.metrics import METRICS, TableFacts
from sqlgen.policy import Policy
from sqlgen.policy.anatomy import ANATOMY
from sqlgen.sql.render import (
    Statement,
    command,
    commas,
    each,
    joined,
    quoted_name,
    staging,
    statement,
)
from sqlgen.staging.column_facts import (
    CELL,
    LABEL,
    read_column_facts,
    read_sizes,
    with_cell_logs,
)
from sqlgen.staging.count_cells import CountCells, stage_count_cells
from sqlgen.staging.ladders import (
    LEAF,
    check_each,
    check_ladders,
    is_leaf,
    is_read,
    labels_query,
    ladder_statement,
    ladder_table,
    staged_ladder,
)
from sqlgen.staging.missing_values import check_references
from sqlgen.staging.packing import Packing, column_name, pack, word_name
from sqlgen.staging.people import People, labels_fragment
from sqlgen.staging.sensitive import Sensitive, check_orders
from sqlgen.staging.sensitive_levels import COARSE, at_sensitive_levels, sensitive_levels_sql
from sqlgen.staging.text_lists import at_once, leaf_sql
from sqlgen.wording import counted

VALUE_CELL = temporary("value_cell")

# The product of two counts of so many rows fits 63 bits.
BIGINT = Markup("BIGINT")
_NARROW_ROWS = 3 * 10**9


@dataclass(frozen=True)
class Staged:
    """The staged tables and the counts that the search decides on.

    ``judged`` says how classes are judged over the cells with sensitive values, where there are
    any; ``wide`` how they are by counts, where that is told more quickly; ``packing`` where a cell
    has which label.
    """

    cells: int
    ladders: tuple[Ladder, ...]
    facts: TableFacts
    judged: JudgingInput
    packing: Packing
    count_cells: CountCells | None = None

    @property
    def rows(self) -> int:
        """The source's rows."""
        return self.facts.rows

    @property
    def names(self) -> list[str]:
        """The quasi-identifiers."""
        return [ladder.column.name for ladder in self.ladders]


@dataclass(frozen=True)
class Unstaged:
    """Rows to stage: their ``source``, the ladders of its quasi-identifiers, sensitive columns."""

    source: Relation
    ladders: tuple[Ladder, ...]
    sensitive: Sensitive


def stage(
    engine: Engine,
    policy: Policy,
    rows: Unstaged,
    progress: Callable[[str], None],
    show_values: bool,
) -> Staged:
    """Stage every ladder, prove each by counting, and count the cells.

    Raises HierarchyError where a hierarchy is not total, single-valued and nested.
    """
    source, ladders = rows.source, rows.ladders
    numbered = dict(enumerate(ladders, 1))
    _stage_ladders(engine, policy, source, numbered, progress, show_values)
    engine.run(staging("staging/label", LABEL, labels_query(numbered)))
    sizes = read_sizes(engine)
    if not all(map(is_read, ladders)) or any(siz.faults for siz in sizes.values()):
        check_each(engine, numbered, policy, show_values)
    judged = _stage_sensitive(engine, policy, rows, progress, show_values)
    largest = {place: known.largest_id for place, known in sizes.items()}
    packing = pack([ladder.height for ladder in ladders], largest)
    progress("counting cells")
    if judged.values:
        engine.run(cell_sql(VALUE_CELL, rows, packing, judged))
    if judged.masks_sensitive:
        empty = statement("staging/empty", cells=VALUE_CELL, hidden=judged.hidden)
        judged = replace(judged, empty=engine.rows(empty)[0][0])
    engine.run(cell_sql(CELL, rows, packing, counted=bool(judged.values)))
    totals = statement("staging/totals", source=source.sql, cell=CELL)
    row_count, kept, cells, cell_logs = engine.rows(totals)[0]
    facts = TableFacts(
        rows=row_count,
        dropped_rows=row_count - kept,
        columns=read_column_facts(engine, ladders, sizes, packing, row_count, kept),
        budget=policy.budget(row_count),
        least_class=max(guarantee.least_class for guarantee in policy.guarantees),
        cell_logs=cell_logs if kept == row_count else None,
    )
    # Every figure of the search reads it then; other objectives only once a node was chosen.
    if METRICS[policy.objective.name].needs_cells:
        facts = with_cell_logs(engine, facts, source, [each.column.name for each in ladders])
    narrow = row_count <= _NARROW_ROWS and not judged.fixed
    judged = replace(judged, whole=BIGINT if narrow else WIDE)
    columns = [column_name(*place) for place in packing.fields]
    # Groups are judged by what they hold, and no combination of levels is.
    levelled = policy.recoding.name != ANATOMY
    counted = (engine, judged, CELL, VALUE_CELL, row_count, columns)
    wide = stage_count_cells(*counted) if levelled else None
    return Staged(cells, ladders, facts, judged, packing, wide)


def stage_sensitive_levels(
    engine: Engine,
    policy: Policy,
    source: Relation,
    coarse: tuple[Ladder, ...],
    show_values: bool,
) -> Relation:
    """The source with labels in place of the values of coarse columns, staged and proved."""
    if not coarse:
        return source
    numbered = dict(enumerate(coarse, len(source.columns) + 1))
    _stage_ladders(engine, policy, source, numbered, lambda _: None, show_values)
    check_ladders(engine, numbered, policy, show_values)
    engine.run(sensitive_levels_sql(policy, source, coarse))
    return replace(at_sensitive_levels(policy, source, coarse), sql=COARSE)


def _stage_sensitive(
    engine: Engine,
    policy: Policy,
    rows: Unstaged,
    progress: Callable[[str], None],
    show_values: bool,
) -> JudgingInput:
    """Stage the sensitive columns' values, and the distributions that do not move."""
    source, quasi, sensitive = rows.source, rows.ladders, rows.sensitive
    tables = []
    for number, ladder in enumerate(sensitive.ladders):
        progress(f"staging {ladder.column.name}")
        position = len(quasi) + number + 1
        staged = ladder_statement(position, sensitive.rows(number, source.sql))
        _stage_values(engine, staged, ladder, policy, sensitive)
        check_ladders(engine, {position: ladder}, policy, show_values)
        tables.append(ladder_table(position))
    check_orders(engine, policy, sensitive.ladders, tables)
    counts = [
        engine.rows(
            command(
                "staging/leaf_count", "SELECT COUNT(*) AS leaf_count\nFROM {ladder}", ladder=table
            )
        )[0][0]
        for table in tables
    ]
    values = [
        replace(each, count=count)
        for each, count in zip(sensitive.values(tables), counts, strict=True)
    ]
    check_references(engine, policy, sensitive, source)
    fixed = {}
    for number, (key, query) in enumerate(sensitive.fixed(values).items(), 1):
        fixed[key] = temporary(f"reference_{number}")
        engine.run(staging("staging/reference", fixed[key], query))
    people = {}
    for number, (place, asked) in enumerate(sensitive.people.items(), 1):
        table = temporary(f"people_{number}")
        progress(f"staging {quoted_name(asked.relation.parts[-1:])}")
        try:
            engine.run(people_sql(table, asked, quasi, values))
        except EngineError as error:
            raise PolicyError(
                f"{policy.where('guarantees')}: people in {quoted_name(asked.relation.parts)} have "
                f"values that cannot be read as the source has them ({error}). "
                "Nothing was changed."
            ) from None
        people[place] = MatchedPeople(Markup(""), table)
    return JudgingInput(
        policy.guarantees, values, fixed, people, masks_sensitive=sensitive.masks_sensitive
    )


_KNOWN_ID = "MAX(named.id) FILTER (WHERE name.level = {0}) AS id_{0}"


def people_sql(
    table: Markup, people: People, quasi: tuple[Ladder, ...], values: list[Values]
) -> Statement:
    """The statement that stages a table of people with the ids that ladders give their labels."""
    own = [
        column_fragment(Markup("value"), ladder.column.name, staged_ladder(number, ladder))
        for number, ladder in enumerate(quasi, 1)
    ]
    return statement(
        "staging/people",
        table=table,
        person=people.person_sql(values),
        values=[Markup("value_id")] if people.subject else [],
        ids=[
            (number, level)
            for number, ladder in enumerate(quasi, 1)
            for level in range(ladder.height)
        ],
        ladders=[
            {
                "table": staged_ladder(number, ladder),
                "id_at_level": joined(
                    each(range(ladder.height), "WHEN {0} THEN ladder.id_{0}"), " "
                ),
                "known_ids": commas(each(range(ladder.height), _KNOWN_ID), 4),
                "own_labels": labels_fragment(ladder, relation),
                "labels": labels_fragment(theirs, people.relation.sql),
            }
            for number, (ladder, theirs, relation) in enumerate(
                zip(quasi, people.ladders, own, strict=True), 1
            )
        ],
    )


def _stage_values(
    engine: Engine, staged: Statement, ladder: Ladder, policy: Policy, sensitive: Sensitive
) -> None:
    """Stage a sensitive column; where tables beside the source have values too, say so."""
    try:
        _stage_ladder(engine, staged, ladder, policy)
    except EngineError as error:
        if not sensitive.has_others(ladder.column.name):
            raise
        raise PolicyError(
            f"{policy.where('columns', ladder.column.name)}: a table that classes are compared "
            f"with has values of {ladder.column.name} that cannot be read as {ladder.column.type} "
            f"({error}). Nothing was changed."
        ) from None


def _stage_ladders(
    engine: Engine,
    policy: Policy,
    source: Relation,
    ladders: Mapping[int, Ladder],
    progress: Callable[[str], None],
    show_values: bool,
) -> None:
    """Stage numbered ladders; before an expression that may fail, those above it are checked."""
    unchecked: dict[int, Ladder] = {}
    together = at_once(ladders)
    if together:
        progress(f"staging {counted(len(together), 'column')}")
        engine.run(leaf_sql(source, together))
    for number, ladder in ladders.items():
        progress(f"staging {ladder.column.name}")
        if unchecked and isinstance(policy.columns[ladder.column.name].hierarchy, Expressions):
            check_ladders(engine, unchecked, policy, show_values)
            unchecked.clear()
        if number not in together:
            _stage_ladder(engine, ladder_statement(number, ladder.rows(source.sql)), ladder, policy)
        unchecked[number] = ladder


def _stage_ladder(engine: Engine, staged: Statement, ladder: Ladder, policy: Policy) -> None:
    """Stage one ladder; where the user's own expression fails, say where it stands."""
    column = ladder.column.name
    if not isinstance(policy.columns[column].hierarchy, Expressions):
        engine.run(staged)
        return
    try:
        engine.run(staged)
    except EngineError as error:
        raise HierarchyError(
            f"{policy.where('columns', column, 'hierarchy')}: the database cannot run sql on "
            f"every value ({error}). Nothing was changed."
        ) from None


def cell_sql(
    table: Markup,
    rows: Unstaged,
    packing: Packing,
    judged: JudgingInput | None = None,
    *,
    counted: bool = False,
) -> Statement:
    """The statement that counts each combination of quasi-identifier and sensitive values.

    Where cells with sensitive values are ``counted`` already, they are what is counted, and the
    source is not read again.
    """
    words = [word_name(word) for word in packing.words]
    values = [
        {"alias": value.cell, "table": value.relation, "plain": ladder.column.plain("source")}
        for ladder, value in zip(
            rows.sensitive.ladders if judged else (), judged.values if judged else (), strict=True
        )
    ]
    return statement(
        "staging/cell",
        table=table,
        source=rows.source.sql,
        counted=VALUE_CELL if counted else None,
        keys=[*words, *(value["alias"] for value in values)],
        words=words,
        staged=[
            *(packing.word_fragment(word) for word in packing.words),
            *each(values, "CAST({alias}.id_0 AS UINTEGER) AS {alias}"),
        ],
        ids=[
            (Markup(column_name(number, level)), field.id)
            for (number, level), field in packing.fields.items()
            if judged
        ],
        values=values,
        ladders=[
            {
                "alias": Markup(f"q{number}"),
                "table": LEAF if is_leaf(ladder) else ladder_table(number),
                "kept": Markup(
                    f"ladder = {number:d} AND is_kept" if is_leaf(ladder) else "is_kept"
                ),
                "plain": ladder.column.plain("source"),
                "words": commas(packing.words_of(number)),
            }
            for number, ladder in enumerate(rows.ladders, 1)
        ],
    )
