"""Engines: databases that hold the rows, behind one small protocol.

Every room that runs a statement takes an ``Engine``; none but this one knows which engine it is.
"""

from sqlgen.engines.duckdb.opening import DataSource, fresh_rows, is_connection, open_source
from sqlgen.engines.engine import Engine

__all__ = ["DataSource", "Engine", "fresh_rows", "is_connection", "open_source"]
