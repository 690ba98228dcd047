"""Where a release goes: a table, a view or a file, resolved and checked before it is built."""

import os
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from sqlgen.catalog import Relation, find, temporary
from sqlgen.engines import Engine
from sqlgen.errors import PolicyError, RefusedError, UnsupportedError
from sqlgen.hierarchies.listed import Csv, parse_name
from sqlgen.ladders import list_path
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import Statement, fragment, name, statement

PARTIAL = ".sqlgen-partial"


@dataclass(frozen=True)
class Target:
    """A resolved target.

    ``built`` is what can be read before the release is published: the table or view itself inside
    the transaction, or the file under its partial name. ``stands`` is what is to be dropped first.
    """

    kind: str
    called: str
    built: Markup
    lookups: tuple[Markup, ...]
    stands: tuple[tuple[str, Markup], ...] = ()
    path: Path | None = None

    @property
    def is_file(self) -> bool:
        """Whether the release is a file."""
        return self.path is not None

    @property
    def partial(self) -> Path:
        """The name under which a file is written until it has been audited."""
        assert self.path is not None
        return self.path.with_name(self.path.name + PARTIAL)

    def publish(self) -> None:
        """Give an audited file its name: flushed to disk first, so that a crash leaves no half."""
        with self.partial.open("rb") as written:
            os.fsync(written.fileno())
        self.partial.replace(self.path or self.partial)


def resolve_target(
    engine: Engine, policy: Policy, source: Relation, replace: bool, *, lasting: bool
) -> Target:
    """The policy's target; refused where something stands in its place.

    ``lasting`` says whether the source outlives the call; a view needs one that does.
    """
    release = policy.release
    if release is None:
        raise PolicyError(f"{policy.where('release')}: name a release: table, view, parquet or csv")
    where = policy.where("release", release.kind)
    if release.kind == "parquet":
        _check_parquet(policy, source, where)
    if release.kind in ("parquet", "csv"):
        return _file(policy, release.kind, release.target, where, replace)
    if release.kind == "view" and not lasting:
        raise UnsupportedError(
            f"{where}: a view cannot outlive a DataFrame; release a table or a file"
        )
    written = parse_name(release.target)
    current = [str(part) for part in engine.rows(statement("catalog/current"))[0]]
    parts = [*current[: 3 - len(written)], *written]
    lookups: dict[str, list[str]] = {
        column.name: [*parts[:2], f"{parts[2]}_{column.name}_labels"]
        for column in source.columns
        if column.name in policy.quasi and release.kind == "view"
    }
    stands = []
    for wanted in (parts, *lookups.values()):
        found = find(engine, ".".join(f'"{_escaped(part)}"' for part in wanted))
        if found is None:
            continue
        if found.parts == source.parts:
            raise PolicyError(
                f"{where}: the release would take the place of its own source. Nothing was changed."
            )
        if not replace:
            raise RefusedError(
                f"{where}: {'.'.join(wanted[1:])} exists already. Drop it, name another, or say "
                "--replace. Nothing was changed."
            )
        stands.append((found.kind.upper(), found.sql))
    quasi = [column.name for column in source.columns if column.name in policy.quasi]
    return Target(
        kind=release.kind,
        called=release.target,
        built=name(parts),
        lookups=tuple(name(lookups[column]) for column in quasi)
        if lookups
        else temporary_lookups(len(quasi)),
        stands=tuple(stands),
    )


def temporary_lookups(count: int) -> tuple[Markup, ...]:
    """The lookups of a release that needs them only while it is built."""
    return tuple(temporary(f"lookup_{number}") for number in range(1, count + 1))


def drop_sql(kind: str, standing: Markup) -> Statement:
    """The statement that drops a table or view, where it is there."""
    return statement("apply/drop", kind=Markup(kind), target=standing)


def build_sql(target: Target, release: Markup) -> Statement:
    """The statement that makes the release out of its query."""
    if target.is_file:
        options = fragment(f"apply/options_{target.kind}")
        return statement("apply/copy", release=release, path=str(target.partial), options=options)
    kind = Markup(target.kind.upper())
    return statement("apply/create", kind=kind, target=target.built, release=release)


def _file(policy: Policy, kind: str, target: str, where: str, replace: bool) -> Target:
    path = policy.file(target, "release", kind)
    read = [
        list_path(policy, column, declared.hierarchy)
        for column, declared in policy.columns.items()
        if isinstance(declared.hierarchy, Csv)
    ]
    if policy.source.database is not None:
        read.append(policy.file(policy.source.database, "source", "database"))
    if path in read:
        raise PolicyError(f"{where}: the release would take the place of a file the policy reads")
    if not path.parent.is_dir():
        raise PolicyError(f"{where}: there is no folder for the file. Nothing was changed.")
    if path.exists() and not replace:
        raise RefusedError(
            f"{where}: the file exists already. Remove it, name another, or say --replace. "
            "Nothing was changed."
        )
    if not os.access(path.parent, os.W_OK):
        raise RefusedError(f"{where}: the folder is read-only. Nothing was changed.")
    made = Target(kind, target, Markup(), temporary_lookups(len(policy.quasi)), path=path)
    built = fragment(f"catalog/{kind}_file", path=str(made.partial))
    return Target(kind, target, built, made.lookups, path=path)


def _check_parquet(policy: Policy, source: Relation, where: str) -> None:
    """Refuse values that a Parquet file would hold as something else."""
    wide = [
        column.name
        for column in source.columns
        if column.type in ("HUGEINT", "UHUGEINT")
        and policy.columns[column.name].role is not Role.IDENTIFIER
    ]
    if wide:
        raise UnsupportedError(
            f"{where}: Parquet has no 128-bit whole numbers, and DuckDB writes {', '.join(wide)} "
            "as floating-point numbers. Cast them in source.query. Nothing was changed."
        )


def _escaped(part: str) -> str:
    return part.replace('"', '""')
