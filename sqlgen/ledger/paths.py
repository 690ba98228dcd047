"""Where policies and files are as seen from a database, so that any folder tells them alike."""

import hashlib
import os
from pathlib import Path

from sqlgen.engines import Engine
from sqlgen.policy import Policy
from sqlgen.sql.render import statement


def home_of(engine: Engine, catalog: str) -> Path | None:
    """The folder of a database's file; None for a database in memory."""
    path = engine.rows(statement("engines/duckdb/home", catalog=catalog))[0][0]
    return None if path is None else Path(str(path)).resolve().parent


def folder_of(policy: Policy, home: Path | None) -> str:
    """The folder of a policy's file, as seen from its database's; empty where one is no file."""
    if policy.path is None or home is None:
        return ""
    return Path(_seen_from(home, os.path.realpath(policy.folder))).as_posix()


def place_of(path: Path, home: Path | None) -> str:
    """The fingerprint of where a file is: as seen from a database's, so that both may move."""
    real = os.path.realpath(path)
    seen = real if home is None else _seen_from(home, real)
    return f"sha256:{hashlib.sha256(seen.encode()).hexdigest()[:32]}"


def _seen_from(home: Path, path: str) -> str:
    """A path as seen from a folder; the path itself on another drive of Windows."""
    try:
        return os.path.relpath(path, home)
    except ValueError:
        return path
