"""Paths of policies and files relative to their database, the same from any working folder."""

import hashlib
import os
from pathlib import Path

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import database_file
from sqlgen.policy import Policy


def database_facts(engine: Engine, catalog: str) -> tuple[Path | None, bool]:
    """The folder of a database's file, and whether it is read-only; no folder if in memory."""
    path, is_readonly = database_file(engine, catalog)
    return None if path is None else Path(path).resolve().parent, is_readonly


def folder_of(policy: Policy, home: Path | None) -> str:
    """The folder of a policy's file, relative to its database's; empty where one is no file."""
    if policy.path is None or home is None:
        return ""
    return Path(_relative_to(home, os.path.realpath(policy.folder))).as_posix()


def place_of(path: Path, home: Path | None) -> str:
    """The fingerprint of a file's path, relative to its database's, so that both may move."""
    real = os.path.realpath(path)
    seen = real if home is None else _relative_to(home, real)
    return f"sha256:{hashlib.sha256(seen.encode()).hexdigest()[:32]}"


def _relative_to(home: Path, path: str) -> str:
    """A path relative to a folder; the path itself on another drive of Windows."""
    try:
        return os.path.relpath(path, home)
    except ValueError:
        return path
