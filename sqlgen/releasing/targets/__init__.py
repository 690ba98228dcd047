"""Targets: where a release goes, as a table, a view, a file, a folder or the source itself.

Called by ``releasing`` alone.
"""
