"""Databases that can hold the rows, behind one small protocol."""

from sqlgen.engines.engine import Engine
from sqlgen.engines.opening import DataSource, fresh_rows, is_connection, open_source

__all__ = ["DataSource", "Engine", "fresh_rows", "is_connection", "open_source"]
