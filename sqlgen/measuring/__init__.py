"""Measuring: figures of nodes and of finished tables, one row of numbers for each.

Called by the rooms that plan, audit and release. It fetches aggregates and no row. ``nodes.py``
measures nodes over staged cells, ``tables.py`` finished tables.
"""
