"""An audit: any table, made by any tool, measured against a policy with SQL that knows no plan."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from sqlgen.auditing.advice import Advice, find_advice
from sqlgen.auditing.alikeness import measure_alikeness
from sqlgen.auditing.paired import paired, with_groups
from sqlgen.auditing.persons import count_persons, read_levels, source_if_any
from sqlgen.auditing.utility import measure_utility
from sqlgen.display.notebook import TextTable, notebook_html
from sqlgen.display.summary import names_words, summary
from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import Relation, file_relation, fold, require, typed
from sqlgen.errors import HierarchyError, PolicyError
from sqlgen.guarantees import (
    Guarantee,
    Linkage,
    PeopleTable,
)
from sqlgen.ledger.ledger import Entry, read_entries, release_ledger
from sqlgen.ledger.timestamped import policy_of, timestamped_entries
from sqlgen.measuring.attacks import added_attacks, attacks_of, is_unavoidable
from sqlgen.measuring.histograms import Histograms, measure_histograms
from sqlgen.measuring.masking import Masking, measure_masking
from sqlgen.measuring.pairs import Pair
from sqlgen.measuring.purposes import Purpose, measuring
from sqlgen.measuring.queries import Answer
from sqlgen.measuring.results_display import results_table, results_words
from sqlgen.measuring.ruled_out import count_ruled_out
from sqlgen.measuring.tables import (
    GuaranteeResult,
    ShownTable,
    attack_figures,
    audit_sql,
    pair_audit_sql,
    read_measured,
)
from sqlgen.measuring.uniqueness import Uniqueness, released_uniqueness
from sqlgen.policy import Policy, Role
from sqlgen.policy.anatomy import BESIDE
from sqlgen.policy.places import RELATION_KINDS
from sqlgen.sql.names import parse_name, with_ending
from sqlgen.sql.render import Statement, command
from sqlgen.sql.types import Column
from sqlgen.staging.all_faults import Fault, together
from sqlgen.staging.job import Job
from sqlgen.staging.ladders import check_ladder, ladder_statement, ladder_table
from sqlgen.staging.missing_values import check_references, showing_rows
from sqlgen.staging.people import NO_LEVELS, ShownLevels
from sqlgen.staging.sensitive import Sensitive, check_orders, read_sensitive
from sqlgen.staging.sensitive_levels import sensitive_ladder
from sqlgen.staging.source import find_source, is_frame, open_rows, read_source
from sqlgen.wording import classes_words, rows_words, share_words

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Audit:
    """The audit of a table: rows and classes, each guarantee's figure, and columns to hide.

    ``unmeasured`` guarantees count persons, whom neither the table shows nor the source behind it,
    or judge a column of which the table shows ``raw`` values in place of labels, so many.
    ``not_counted`` is the reason why persons were not, if it is not that the source has changed.
    ``ruled_out`` counts, by the place of a guarantee about belief, the persons for whom its prior
    table rules out every value of their class. ``attacks`` are what an attacker could learn,
    measured and not judged; ``advice`` the changes that would meet each failing guarantee, by its
    index among the guarantees. ``masked_rows`` show no sensitive value, under a policy that
    masks them. ``metrics`` holds the loss against the source, by every objective that was measured,
    and ``answers`` those to the policy's queries; ``not_measured`` is the reason why others are
    left out. The audit inside an apply has none of them. ``spread`` is there on request.
    ``alikeness`` is SSE / SST within classes, by column that makes groups.
    ``uniqueness`` counts the rows that stand alone by what is released beside the
    quasi-identifiers, ``masked`` the classes that show no sensitive value.
    """

    table: str
    rows: int
    classes: int
    guarantees: tuple[GuaranteeResult, ...]
    identifiers: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    unmeasured: tuple[Guarantee, ...] = ()
    not_counted: str = ""
    attacks: tuple[GuaranteeResult, ...] = ()
    advice: Mapping[int, Advice] = field(default_factory=dict)
    masked_rows: int = 0
    raw: Mapping[str, int] = field(default_factory=dict)
    ruled_out: Mapping[int, int] = field(default_factory=dict)
    metrics: Mapping[str, float] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    not_measured: str = ""
    spread: Histograms | None = None
    uniqueness: Uniqueness = field(default_factory=Uniqueness)
    masked: Masking | None = None
    alikeness: Mapping[str, float] = field(default_factory=dict)

    @property
    def satisfied(self) -> bool:
        """Whether every guarantee is seen to be met and no identifier is there."""
        met = all(guarantee.satisfied for guarantee in self.guarantees) and not self.unmeasured
        return met and not self.identifiers and not self.raw

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain values, as ``sqlgen audit --json`` prints it."""
        return {
            "satisfied": self.satisfied,
            "table": self.table,
            "rows": self.rows,
            "classes": self.classes,
            "masked_rows": self.masked_rows,
            "guarantees": [
                {
                    **guarantee.to_dict(),
                    **(
                        {"ruled_out_persons": self.ruled_out[number]}
                        if number in self.ruled_out
                        else {}
                    ),
                    **({"mend": self.advice[number].to_dict()} if number in self.advice else {}),
                }
                for number, guarantee in enumerate(self.guarantees)
            ],
            "unmeasured": [guarantee.words for guarantee in self.unmeasured],
            "attacks": [attack_figures(attack) for attack in self.attacks],
            "identifiers": list(self.identifiers),
            "raw_values": dict(self.raw),
            "absent": list(self.absent),
            "uniqueness": self.uniqueness.to_dict(),
            **(
                {"alikeness": {name: round(share, 10) for name, share in self.alikeness.items()}}
                if self.alikeness
                else {}
            ),
            **({"masked": self.masked.to_dict()} if self.masked is not None else {}),
            **(self._lost() if self.metrics else {}),
        }

    def _lost(self) -> dict[str, Any]:
        return {
            "metrics": {key: round(value, 8) for key, value in self.metrics.items()},
            "queries": [answer.to_dict() for answer in self.answers],
            "not_measured": self.not_measured or None,
        }

    def __repr__(self) -> str:
        return summary(
            "Audit",
            self._headline,
            f"guarantees: {results_words(self.guarantees)}",
            f"identifiers in the table: {names_words(self.identifiers)}"
            if self.identifiers
            else "",
        )

    def _repr_html_(self) -> str:
        attacks = [
            (attack.guarantee.title, attack.words, share_words(attack.share))
            for attack in self.attacks
            if attack.share is not None
        ]
        return notebook_html(
            f"Audit: {self._headline}",
            (
                f"Identifiers in the table: {names_words(self.identifiers)}."
                if self.identifiers
                else "",
            ),
            [
                results_table(self.guarantees),
                TextTable("Attacks", ("attack", "rows or persons", "share"), attacks),
            ],
        )

    @property
    def _headline(self) -> str:
        verdict = "meets the policy" if self.satisfied else "does NOT meet the policy"
        return f"{self.table} {verdict}; {rows_words(self.rows)} in {classes_words(self.classes)}"

    def to_pandas(self) -> "pandas.DataFrame":
        """The guarantees, a row each."""
        import pandas  # noqa: PLC0415

        return pandas.DataFrame([guarantee.to_dict() for guarantee in self.guarantees])


@dataclass(frozen=True)
class KnownPersons:
    """Persons whom an attacker knows: a table with their quasi-identifiers.

    A person counts as linked to a row where the confidence of that is ``above`` a share.
    """

    table: str
    above: str | Decimal = "20%"


def audit_table(
    policy: Policy,
    table: str | None = None,
    source: DataSource | None = None,
    *,
    known: KnownPersons | None = None,
    spread: bool = False,
    on_statement: Callable[[Statement], None] | None = None,
) -> Audit:
    """The audit of a table by a policy's guarantees; by default, of the policy's release.

    Every column of the table must be one that the policy mentions. A quasi-identifier that the
    table lacks counts as fully general. A DataFrame given as the source is itself audited. Of
    ``known`` persons it says how many are linked to a row. With ``spread``, it also comes back how
    rows are spread over the sizes of classes and over the figures of guarantees.
    """
    options = AuditOptions(linkages(known) if known is not None else [], spread)
    with open_rows(policy, source, write=False, on_statement=on_statement) as engine:
        return audit_within(engine, Job(policy, source), table, options)


@dataclass(frozen=True)
class AuditOptions:
    """Measures beside the guarantees: attacks by known persons, and histograms."""

    linked: Sequence[Guarantee] = ()
    spread: bool = False


NO_OPTIONS = AuditOptions()


def audit_within(
    engine: Engine, job: Job, table: str | None = None, options: AuditOptions = NO_OPTIONS
) -> Audit:
    """The audit of a table in the database that is open; of rows of the job's window."""
    with engine.read():
        audited = _find_audited(engine, job, table)
        policy, relation = audited.job.policy, audited.relation
        asked = _read_guarantees(engine, audited)
        attacks = _read_attacks(engine, audited, options.linked)
        levels = _read_levels(engine, audited, asked, attacks)
        audit = _judge(engine, audited, asked, levels, spread=options.spread)
        learnt = _measure_attacks(engine, audited, attacks, levels)
        uniqueness = released_uniqueness(engine, policy, relation)
        masked = measure_masking(engine, policy, relation, asked.guarantees)
        # Last, for a statement that fails here would fail what follows in the transaction.
        lost = measure_utility(
            engine, audited.job, relation, audit.rows, audit.classes, audited.origin
        )
        if audited.pair is not None:
            lost = with_groups(engine, audited.pair, lost)
        alike = measure_alikeness(engine, policy, audited.judged, audited.keys)
    return replace(
        audit,
        identifiers=tuple(
            column for column in relation.names if policy.columns[column].role is Role.IDENTIFIER
        ),
        absent=tuple(column for column in policy.quasi if column not in relation.names),
        raw=audited.raw,
        attacks=learnt,
        metrics=lost.metrics,
        answers=lost.answers,
        not_measured=lost.not_measured,
        uniqueness=uniqueness,
        masked=masked,
        alikeness=alike,
    )


@dataclass(frozen=True)
class _AuditedTable:
    """The table that is audited, under the name that it goes by, and the source behind it, if any.

    ``raw`` counts values, by column, where the table should show labels. ``pair`` are both tables
    of a release in groups; ``relation`` is the first then, without its group.
    """

    job: Job
    name: str
    relation: Relation
    raw: Mapping[str, int]
    origin: Relation | None
    pair: Pair | None = None

    @property
    def judged(self) -> Relation:
        """What guarantees are judged on: the table or, of two tables, a group for each value."""
        return self.relation if self.pair is None else self.pair.judged

    @property
    def valued(self) -> Relation:
        """What has the sensitive columns."""
        if self.pair is None:
            return self.relation
        return replace(self.pair.judged, columns=(self.pair.sensitive,))

    @property
    def quasi(self) -> list[Column]:
        """The quasi-identifiers that the table has."""
        return [column for column in self.relation.columns if column.name in self.job.policy.quasi]

    @property
    def keys(self) -> Sequence[Column]:
        """What classes are told apart by: the quasi-identifiers or, of two tables, the group."""
        return self.quasi if self.pair is None else self.pair.keys

    def shows_labels(self, guarantee: Guarantee) -> bool:
        """Whether the columns that a guarantee judges hold no raw value."""
        return not self.raw.keys() & set(guarantee.judged_columns)


@dataclass(frozen=True)
class _ReadGuarantees:
    """Guarantees by their place in the policy, and what the measured ones read.

    ``measured`` can be judged on the table alone; ``others`` count persons whom it does not show,
    or judge raw values.
    """

    measured: Mapping[int, Guarantee]
    others: Mapping[int, Guarantee]
    sensitive: Sensitive

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """The measured guarantees, in the policy's order."""
        return tuple(self.measured.values())

    @property
    def persons(self) -> dict[int, Guarantee]:
        """The guarantees that count persons in the source."""
        return {
            place: guarantee
            for place, guarantee in self.others.items()
            if guarantee.unit_column is not None
        }


@dataclass(frozen=True)
class _ReadAttacks:
    """The attacks to measure, those by known persons apart, and what they read."""

    attacks: Sequence[Guarantee]
    linked: Sequence[Guarantee]
    sensitive: Sensitive


def _find_audited(engine: Engine, job: Job, table: str | None) -> _AuditedTable:
    """The table to audit, with the columns that the policy mentions."""
    if is_frame(job.given):
        called, relation = "dataframe", read_source(engine, job.policy, job.given)
    else:
        job = _as_released(engine, job, table)
        called, relation = _find(engine, job.policy, table)
        relation = _typed(engine, job, relation)
    origin = source_if_any(engine, job)
    if job.policy.beside is None:
        _check_columns(job.policy, called, relation)
        return _AuditedTable(job, called, relation, _raw(engine, job, relation), origin)
    second_called, second = _find_beside(engine, job, table)
    relation, pair = paired(engine, job.policy, (called, relation), (second_called, second))
    audited = _AuditedTable(job, f"{called} and {second_called}", relation, {}, origin, pair)
    return replace(audited, raw=_raw(engine, job, audited.valued))


def _find_beside(engine: Engine, job: Job, table: str | None) -> tuple[str, Relation]:
    """The second table of a release in groups, beside the audited one."""
    beside = job.policy.beside
    if beside is None or is_frame(job.given):
        raise PolicyError(
            f"{job.policy.where('recoding')}: a release in groups has two tables, and a DataFrame "
            "is one. Audit both in a database"
        )
    called, second = _find(engine, beside, table and with_ending(table, BESIDE))
    return called, _typed(engine, job, second)


def _read_guarantees(engine: Engine, audited: _AuditedTable) -> _ReadGuarantees:
    """The policy's guarantees, and the sensitive columns that those on the table read."""
    policy, relation = audited.job.policy, audited.relation
    measured = {
        place: guarantee
        for place, guarantee in enumerate(policy.guarantees)
        if (guarantee.unit_column is None or guarantee.unit_column in relation.names)
        and audited.shows_labels(guarantee)
        and not (audited.raw and guarantee.is_joint)
    }
    others = {
        place: guarantee
        for place, guarantee in enumerate(policy.guarantees)
        if place not in measured
    }
    sensitive = _read_sensitive(engine, audited, tuple(measured.values()))
    _check_values(engine, policy, audited.judged, sensitive, audited.raw)
    return _ReadGuarantees(measured, others, sensitive)


def _read_attacks(
    engine: Engine, audited: _AuditedTable, linked: Sequence[Guarantee]
) -> _ReadAttacks:
    """The attacks on the table's sensitive columns, and the columns that they read."""
    job = audited.job
    if linked and audited.pair is not None:
        raise PolicyError(
            "--known: a release in groups shows the quasi-identifiers as they are, and whoever is "
            "in it is found by them"
        )
    on_columns = attacks_of(engine, job.policy, audited.valued, lambda: _source(engine, job))
    attacks = [attack for attack in (*on_columns, *linked) if audited.shows_labels(attack)]
    return _ReadAttacks(attacks, linked, _read_sensitive(engine, audited, attacks))


def _read_sensitive(
    engine: Engine, audited: _AuditedTable, guarantees: Sequence[Guarantee]
) -> Sensitive:
    job = audited.job
    return read_sensitive(
        engine,
        job.policy,
        audited.judged,
        guarantees,
        lambda: _source(engine, job),
        audited.origin,
    )


def _read_levels(
    engine: Engine, audited: _AuditedTable, asked: _ReadGuarantees, attacks: _ReadAttacks
) -> ShownLevels:
    """How the table's labels are read, where people are matched with its classes."""
    holders = [*_people_tables(asked.sensitive), *_people_tables(attacks.sensitive)]
    if not holders and not asked.persons:
        return NO_LEVELS
    policy, relation = audited.job.policy, audited.relation
    return read_levels(engine, policy, relation, audited.quasi, holders, audited.origin)


def _judge(
    engine: Engine,
    audited: _AuditedTable,
    asked: _ReadGuarantees,
    levels: ShownLevels,
    *,
    spread: bool,
) -> Audit:
    """The audit of the guarantees: figures, and advice where one fails."""
    policy, relation, quasi = audited.job.policy, audited.judged, audited.keys
    sensitive = asked.sensitive
    table = ShownTable(relation, quasi, levels)
    verdict = _audit_sql(audited, asked.guarantees, sensitive, levels)
    row = engine.rows(measuring(Purpose.GUARANTEES, verdict))[0]
    audit = read_audit(audited.name, row, asked.guarantees)
    at = dict(zip(asked.measured, audit.guarantees, strict=True))
    advice = {
        place: find_advice(engine, table, sensitive, result, audit.masked_rows)
        for place, result in at.items()
        if not result.satisfied and audit.rows and audited.pair is None
    }
    ruled_out = count_ruled_out(engine, relation, quasi, at, sensitive, levels)
    spreads = measure_histograms(engine, table, at, sensitive, audited.origin) if spread else None
    persons = asked.persons
    behind = count_persons(engine, policy, table, list(persons.values()), audited.origin)
    at |= dict(zip(persons, behind.results, strict=False))
    places = sorted(at)
    return replace(
        audit,
        guarantees=tuple(at[place] for place in places),
        unmeasured=tuple(guarantee for place, guarantee in asked.others.items() if place not in at),
        not_counted=behind.not_counted,
        ruled_out={places.index(place): count for place, count in ruled_out.items()},
        advice={places.index(place): change for place, change in advice.items()},
        spread=spreads,
    )


def _audit_sql(
    audited: _AuditedTable,
    guarantees: Sequence[Guarantee],
    sensitive: Sensitive,
    levels: ShownLevels,
) -> Statement:
    """The statement that measures the classes of a table, or the groups of two."""
    if audited.pair is not None:
        return pair_audit_sql(audited.pair, guarantees, sensitive)
    return audit_sql(audited.judged, audited.keys, guarantees, sensitive, levels)


def _measure_attacks(
    engine: Engine, audited: _AuditedTable, asked: _ReadAttacks, levels: ShownLevels
) -> tuple[GuaranteeResult, ...]:
    """The attacks that the table adds to what every table of its columns is open to."""
    relation, sensitive = audited.judged, asked.sensitive
    on_columns = [attack for attack in asked.attacks if attack.judged_columns]
    attacks = [*added_attacks(engine, relation, on_columns, sensitive), *asked.linked]
    if not attacks:
        return ()
    measured = _audit_sql(audited, attacks, sensitive, levels)
    row = engine.rows(measuring(Purpose.ATTACKS, measured))[0]
    return tuple(result for result in read_measured(row, attacks) if not is_unavoidable(result))


def _people_tables(sensitive: Sensitive) -> list[Relation]:
    """The tables of people that guarantees compare classes with."""
    return [person.relation for person in sensitive.people.values()]


def _check_columns(policy: Policy, called: str, relation: Relation) -> None:
    """Refuse a table with columns that the policy does not mention, or without judged ones."""
    faults = []
    unlisted = [column for column in relation.names if column not in policy.columns]
    if unlisted:
        faults.append(
            PolicyError(
                f"{called} has columns that the policy does not mention: {', '.join(unlisted)}. "
                "Give each a role"
            )
        )
    for number, guarantee in enumerate(policy.guarantees):
        lacking = [column for column in guarantee.judged_columns if column not in relation.names]
        if lacking and guarantee.unit_column is None:
            faults.append(
                PolicyError(
                    f"{policy.where('guarantees', number, guarantee.name)}: {called} has no column "
                    f"{', '.join(lacking)}, so the guarantee cannot be measured on it"
                )
            )
    if faults:
        raise together(faults)


def _source(engine: Engine, job: Job) -> Relation:
    """The policy's source, to compare classes with."""
    policy, given = job.policy, job.given
    if policy.in_place is not None:
        raise PolicyError(
            f"{policy.where('guarantees')}: a table that is released in place is not its own "
            "source; reference: source, and a rule's labels, need the values of the source, which "
            "are gone"
        )
    if is_frame(given):
        raise PolicyError(
            f"{policy.where('guarantees')}: a DataFrame that is audited is not its own source; "
            "reference: source, and a rule's labels, need the values of the source. Audit the "
            "table in the source's database"
        )
    return find_source(engine, policy, given, job.window)


def _typed(engine: Engine, job: Job, relation: Relation) -> Relation:
    """A CSV file's sensitive columns in the types that they have in the source, if there is one."""
    policy = job.policy
    if relation.kind != "csv":
        return relation
    source = source_if_any(engine, job)
    if source is None:
        return relation
    return typed(
        relation,
        [
            column
            for column in source.columns
            if column.name in relation.names
            and column.name in policy.columns
            and policy.columns[column.name].role is Role.SENSITIVE
            and not policy.level(column.name)
        ],
    )


def linkages(known: KnownPersons) -> list[Guarantee]:
    """The linkage attacks by known persons, without a limit; first, who matches at all."""
    try:
        people = PeopleTable(table=known.table)
        every = {"known": people, "at_most": "100%"}
        return [
            Linkage(risk="prosecutor", **every),
            Linkage(risk="prosecutor", above=known.above, **every),
            Linkage(risk="journalist", above=known.above, **every),
            Linkage(risk="marketer", **every),
        ]
    except ValidationError:
        raise PolicyError("--known names a table, and --above is a share, like 20%") from None


def _raw(engine: Engine, job: Job, relation: Relation) -> dict[str, int]:
    """The count of raw values, by column, where the table should show labels."""
    policy = job.policy
    counts = {}
    for column in relation.columns:
        if policy.columns[column.name].level is not None:
            ladder = sensitive_ladder(
                engine, policy, relation, column.name, lambda: _source(engine, job)
            )
            asked = command(
                "auditing/raw_values",
                "SELECT COUNT(*) FILTER (WHERE missing_level IS NOT NULL) AS value_count\n"
                "FROM (\n  {rows:nested 2}\n) AS shown_value",
                rows=ladder.rows(relation.sql),
            )
            (values,) = engine.rows(asked)[0]
            if values:
                counts[column.name] = values
    return counts


def _check_values(
    engine: Engine,
    policy: Policy,
    relation: Relation,
    sensitive: Sensitive,
    raw: Mapping[str, int],
) -> None:
    """Refuse a table with sensitive values that their hierarchy or order does not know."""
    faults: list[Fault] = []
    for number, ladder in enumerate(sensitive.ladders, 1):
        is_raw = ladder.column.name in raw
        if not is_raw and (ladder.height > 1 or ladder.order is not None):
            rows = sensitive.rows(number - 1, relation.sql)
            engine.run(ladder_statement(number, rows))
            try:
                check_ladder(engine, number, ladder, policy, show_values=False)
                check_orders(engine, policy, [ladder], [ladder_table(number)])
            except (PolicyError, HierarchyError) as fault:
                faults.append(fault)
    try:
        check_references(engine, policy, sensitive, showing_rows(policy, relation, sensitive))
    except (PolicyError, HierarchyError) as fault:
        faults.append(fault)
    if faults:
        raise together(faults)


def read_audit(called: str, row: Sequence[Any], guarantees: Sequence[Guarantee]) -> Audit:
    """The audit that a row of the audit statement stands for."""
    rows, classes, masked, *_ = row
    return Audit(called, rows, classes, read_measured(row, guarantees), masked_rows=masked)


def _as_released(engine: Engine, job: Job, table: str | None) -> Job:
    """The job for the release that is audited, as the ledger has it.

    Of a timestamped target it is the last one, or the table of that name.
    """
    policy = job.policy
    if policy.release is None or not policy.release.timestamped:
        return job
    known = timestamped_entries(policy, read_entries(engine, release_ledger(engine, policy)))
    if table is not None:
        asked = [entry for entry in known if _means(table, entry)]
        return replace(job, window=asked[0].window) if asked else job
    if not known:
        raise PolicyError(
            f"{policy.where('release', policy.release.kind)}: the ledger has no release of it yet"
        )
    return replace(job, policy=policy_of(policy, known[0]), window=known[0].window)


def _means(table: str, entry: Entry) -> bool:
    """Whether a name is that of a table of the ledger."""
    try:
        asked, known = ([fold(part) for part in parse_name(text)] for text in (table, entry.target))
    except ValueError:
        return False
    return entry.target_kind == "table" and asked == known


def _find(engine: Engine, policy: Policy, table: str | None) -> tuple[str, Relation]:
    if table is not None:
        return table, require(engine, table, "--table")
    release = policy.release
    if release is None:
        kinds = "table, view, parquet, csv or in_place"
        table = policy.source.table
        raise PolicyError(
            f"{policy.where('release')}: the policy names no release to audit. "
            + (
                f"Say --table {table} to measure the source as it is, or name a release: {kinds}"
                if table is not None
                else f"Name one ({kinds}), or say --table"
            )
        )
    where = policy.where("release", release.kind)
    if release.kind == "in_place":
        called = str(policy.source.table)
        return called, require(engine, called, policy.where("source", "table"))
    if release.kind in RELATION_KINDS:
        return release.target, require(engine, release.target, where)
    path = policy.file(release.target, "release", release.kind)
    return release.target, file_relation(engine, path, release.kind, where)
