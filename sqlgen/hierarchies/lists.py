"""Hierarchies as lists: one line per value, ``value, level 1, level 2, ...``, finest first.

A list is a relation that the database reads: a CSV file, a table, or a tree written in the
policy. It gives text; the ladder casts the values to the type of the column they describe.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Annotated, Any

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, StringConstraints, model_validator

from sqlgen.hierarchies.rules import TOP
from sqlgen.sql.render import commas, each, literal, sql


class Listed(BaseModel):
    """The base of the three kinds of list: a relation of text lines."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    @property
    def words(self) -> str:
        """The name of the list in a plan."""
        raise NotImplementedError


class Csv(Listed):
    """A file of ``value;level 1;...;*`` without a header, read by the database."""

    csv: Annotated[str, StringConstraints(min_length=1)]
    delimiter: Annotated[str, StringConstraints(min_length=1, max_length=1)] = ","

    def relation(self, path: Path) -> Markup:
        """The lines of the file, for use after FROM."""
        return sql(
            "READ_CSV({path:literal}, header = FALSE, all_varchar = TRUE, delim = "
            "{delimiter:literal}, quote = '\"', escape = '\"', skip = 0, comment = '', "
            "nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, "
            "ignore_errors = FALSE, sample_size = -1, hive_partitioning = FALSE)",
            path=str(path),
            delimiter=self.delimiter,
        )

    @property
    def words(self) -> str:
        """The file's name, without the folder: a lock is the same on every machine."""
        return PurePath(self.csv).name


class Table(Listed):
    """A table of the database whose columns are value, level 1, level 2, ..."""

    table: Annotated[str, StringConstraints(min_length=1)]

    @property
    def words(self) -> str:
        """The table's name."""
        return f"table {self.table}"


class Tree(Listed):
    """A small taxonomy written in the policy: names of branches, with lists of values inside."""

    tree: dict[str, Any]

    @model_validator(mode="after")
    def _well_formed(self) -> "Tree":
        leaves = Counter(path[-1] for path in _paths(self.tree, ()))
        if not leaves:
            raise ValueError("a tree needs at least one value")
        twice = sorted(leaf for leaf, count in leaves.items() if count > 1)
        if twice:
            raise ValueError(f"a value stands twice in the tree: {', '.join(twice)}")
        return self

    def lines(self) -> list[tuple[str, ...]]:
        """Value, level 1, ... up to ``*``; a leaf above the deepest repeats itself below.

        >>> Tree(tree={"flu-like": ["flu", "cold"], "other": ["ulcer"]}).lines()[0]
        ('flu', 'flu-like', '*')
        """
        paths = list(_paths(self.tree, ()))
        depth = max(len(path) for path in paths)
        return [
            (*(path[min(len(path), depth - level) - 1] for level in range(depth)), TOP)
            for path in paths
        ]

    def relation(self) -> Markup:
        """The lines as a VALUES list, for use after FROM."""
        rows = each([commas(map(literal, line)) for line in self.lines()], "({})")
        return sql("(VALUES\n        {rows}\n      )", rows=commas(rows, 8))

    @property
    def words(self) -> str:
        """A tree has no name of its own."""
        return "tree"


LISTS: dict[str, type[Listed]] = {"csv": Csv, "table": Table, "tree": Tree}


def _paths(branch: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Each leaf with the branches above it, outermost first."""
    if isinstance(branch, Mapping):
        for branch_name, inside in branch.items():
            yield from _paths(inside, (*above, branch_name))
    elif isinstance(branch, (list, tuple)):
        for inside in branch:
            yield from _paths(inside, above)
    elif isinstance(branch, str):
        yield (*above, branch)
    else:
        raise TypeError("a tree holds names, lists and values")
