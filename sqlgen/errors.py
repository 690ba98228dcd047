"""Errors, as a small tree; each carries the exit code of the command line.

    SqlgenError
    ├── PolicyError        2  the policy file, or what was asked for, is wrong
    ├── HierarchyError     2  a hierarchy does not fit the values of its column
    ├── UnsupportedError   2  right, but this engine or this version cannot do it
    ├── RefusedError       3  something is in the way: a target exists, a database is locked
    │   ├── StalePlanError 3  the lock was made for another policy or table
    │   └── NothingNewError 3 no row is new since the last release
    └── EngineError        4  the database failed

A guarantee that cannot be met is a result (``plan.satisfied is False``, exit code 1), not an error.
No message holds a cell value or an engine's own text, which quotes data.
"""

import re


class SqlgenError(Exception):
    """A refusal in our own words: where, what was found, what to do, what state things are in."""

    exit_code = 4

    @property
    def without_state(self) -> str:
        """The message without what it says of the state of things.

        That is for a command that changes something; where none could, it would be an odd comfort.
        """
        return re.sub(r"\s*Nothing was changed\.", "", str(self))


class PolicyError(SqlgenError):
    """The policy, or what was asked for, is wrong."""

    exit_code = 2


class HierarchyError(SqlgenError):
    """A hierarchy is not total, not single-valued or not nested on the values of its column."""

    exit_code = 2


class UnsupportedError(SqlgenError):
    """The request is sound, but cannot be done here."""

    exit_code = 2


class RefusedError(SqlgenError):
    """Something is in the way, or has changed; nothing was changed."""

    exit_code = 3


class StalePlanError(RefusedError):
    """The lock was made for another policy, hierarchy or table."""


class NothingNewError(RefusedError):
    """No row is new since the last release; a run has nothing to do, and ends well."""


class EngineError(SqlgenError):
    """The database failed: named by template and ``kind``, never by the engine's message."""

    exit_code = 4

    def __init__(self, words: str, kind: str = "") -> None:
        super().__init__(words)
        self.kind = kind
