"""Measuring: figures of nodes and of finished tables, one row of numbers for each.

Called by the rooms that plan, audit and release; it fetches aggregates and no row.
"""
