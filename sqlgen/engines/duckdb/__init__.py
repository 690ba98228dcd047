"""DuckDB as an engine: connections, the catalog, DataFrames, and definitions of tables.

``engine.py`` fulfils the protocol ``Engine``, ``opening.py`` opens one, and ``catalog.py`` finds
tables. Rooms above import the catalog by name, because there is no other engine yet.
"""
