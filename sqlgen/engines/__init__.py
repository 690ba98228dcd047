"""Engines: databases that hold the rows. DuckDB is the only one so far.

A room that runs a statement takes an ``Engine``, the protocol in ``engine.py``. Other rooms still
import parts of ``engines.duckdb`` by name: docs/extending/engine.md lists them.
"""

from sqlgen.engines.duckdb.opening import DataSource, fresh_rows, is_connection, open_source
from sqlgen.engines.engine import Engine

__all__ = ["DataSource", "Engine", "fresh_rows", "is_connection", "open_source"]
