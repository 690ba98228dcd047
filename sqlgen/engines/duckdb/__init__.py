"""DuckDB as an engine: connections, the catalog, DataFrames, and definitions of tables.

Called by the rooms above through ``Engine`` where a question is one of any database.
"""
