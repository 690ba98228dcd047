"""Judging: SQL that says of every class which guarantees it gives, and how nearly.

Called by the rooms that measure nodes, tables and releases; it renders and runs nothing.
"""
