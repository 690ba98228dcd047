"""Staging: a table read once into ladders, labels and cells, and values proved to fit them.

Called by the rooms that measure, plan, release and audit; after it nothing reads rows.
"""
