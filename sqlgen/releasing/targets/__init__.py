"""Targets: where a release goes: a table, a view, a file, a folder, or the source itself.

Called by ``releasing`` alone. ``resolve.py`` finds, refuses and builds a target, and ``publish.py``
gives a file its name. A new one: docs/extending/target.md.
"""
